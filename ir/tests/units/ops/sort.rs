//! `sort`, `top_k` and the random number operations.

use wengert_ir::array::{Array, Element};
use wengert_ir::func::{Func, FuncId, FuncKind, Loc, Module, Value};
use wengert_ir::op::*;
use wengert_ir::ops::convert;
use wengert_ir::rules::OpDef;
use wengert_ir::testing::{Row, eval, eval_op, floats, single_in};
use wengert_ir::text::parse;
use wengert_ir::types::{DType, TensorType, Type};

fn t(shape: &[usize]) -> TensorType {
    TensorType::new(DType::F64, shape)
}

/// The results of `@main` of a text, applied to these arguments.
fn run(text: &str, args: &[Array]) -> Vec<Array> {
    let module = parse(text).unwrap_or_else(|e| panic!("{e}"));
    let main = module.find("main").expect("a main");
    eval(&module, main, args)
}

/// A comparator of scalars of these types; `build` gives the flag from the parameters.
fn comparator(
    module: &mut Module,
    params: &[DType],
    build: impl FnOnce(&Module, &mut Func, &[Value]) -> Value,
) -> FuncId {
    let mut func = Func::new("", FuncKind::Region);
    let values: Vec<Value> = params.iter().map(|&d| func.param(TensorType::scalar(d))).collect();
    func.results = vec![build(module, &mut func, &values)];
    module.add(func)
}

fn compare(module: &mut Module, direction: Direction, kind: CompareType, params: &[DType]) -> FuncId {
    comparator(module, params, |m, f, v| {
        f.push(m, Compare { direction, kind }.into(), &v[..2], Loc::Unknown).unwrap()[0]
    })
}

pub(super) fn sort_one(x: &Array, dimension: usize, direction: Direction, kind: CompareType) -> Array {
    let mut module = Module::new("test");
    let comparator = compare(&mut module, direction, kind, &[x.dtype(), x.dtype()]);
    let op = Sort { dimension, is_stable: true, inputs: 1, comparator };
    let (module, f) = single_in(module, op.into(), &[x.ty().clone()]);
    eval(&module, f, std::slice::from_ref(x)).remove(0)
}

#[test]
fn slices_along_any_dimension() {
    let x = Array::new(&[2, 3], &[3i32, 1, 2, 1, 5, 0]);
    let up = |d| sort_one(&x, d, Direction::Lt, CompareType::Signed).as_slice::<i32>().to_vec();
    assert_eq!(up(0), [1, 1, 0, 3, 5, 2]);
    assert_eq!(up(1), [1, 2, 3, 0, 1, 5]);
    let down = sort_one(&x, 1, Direction::Gt, CompareType::Signed);
    assert_eq!(down.as_slice::<i32>(), [3, 2, 1, 5, 1, 0]);
    let x = Array::new(&[2, 0], &[0f32; 0]);
    assert_eq!(sort_one(&x, 0, Direction::Lt, CompareType::Float), x);
    let x = Array::new(&[1, 2, 1, 2, 1, 2], &[4u16, 3, 2, 1, 8, 7, 6, 5]);
    let x = sort_one(&x, 3, Direction::Lt, CompareType::Unsigned);
    assert_eq!(x.as_slice::<u16>(), [2, 1, 4, 3, 6, 5, 8, 7]);
}

#[test]
fn total_order_of_floats() {
    let nan = f32::NAN;
    let x = Array::new(&[7], &[0.0f32, nan, -1.0, -0.0, f32::INFINITY, -nan, f32::NEG_INFINITY]);
    let y = sort_one(&x, 0, Direction::Lt, CompareType::TotalOrder);
    let bits: Vec<u32> = y.as_slice::<f32>().iter().map(|x| x.to_bits()).collect();
    let want = [-nan, f32::NEG_INFINITY, -1.0, -0.0, 0.0, f32::INFINITY, nan];
    assert_eq!(bits, want.map(f32::to_bits));
}

/// IEEE order: zeros are equal and keep their order; with a NaN the comparator itself runs.
#[test]
fn ieee_order_of_floats() {
    let x = Array::new(&[4], &[1.0f64, 0.0, -0.0, -1.0]);
    let y = sort_one(&x, 0, Direction::Lt, CompareType::Float);
    let bits: Vec<u64> = y.as_slice::<f64>().iter().map(|x| x.to_bits()).collect();
    assert_eq!(bits, [-1.0f64, 0.0, -0.0, 1.0].map(f64::to_bits));
    // From the largest down too, in each order of zeros and in every type that has both.
    let down = |x: &Array| sort_one(x, 0, Direction::Gt, CompareType::Float);
    for zeros in [[-0.0f64, 0.0], [0.0, -0.0]] {
        let x = Array::new(&[4], &[-1.0, zeros[0], zeros[1], 1.0]);
        let want = Array::new(&[4], &[1.0, zeros[0], zeros[1], -1.0]);
        for dtype in [DType::F64, DType::F32, DType::F16, DType::BF16] {
            let [x, want] = [&x, &want].map(|a| convert(a, dtype).unwrap());
            assert_eq!(down(&x).bytes(), want.bytes(), "{dtype}");
        }
    }
    let x = Array::new(&[3], &[f64::NAN, 2.0, 1.0]);
    let y = sort_one(&x, 0, Direction::Lt, CompareType::Float);
    // Nothing comes before NaN, nor NaN before anything.
    assert!(y.as_slice::<f64>()[0].is_nan());
}

/// What JAX writes for `lax.sort` of floats: zeros become +0 and every NaN the same before they are compared.
const JAX: &str = r#"
func.func public @main(%arg0: tensor<5xf32>, %arg1: tensor<5xi32>) -> (tensor<5xf32>, tensor<5xi32>) {
  %0:2 = "stablehlo.sort"(%arg0, %arg1) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.compare EQ, %a, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %zero, %a : tensor<i1>, tensor<f32>
    %3 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %4 = stablehlo.select %3, %nan, %2 : tensor<i1>, tensor<f32>
    %zero_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.compare EQ, %b, %zero_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.select %5, %zero_0, %b : tensor<i1>, tensor<f32>
    %7 = stablehlo.compare NE, %b, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %nan_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %8 = stablehlo.select %7, %nan_1, %6 : tensor<i1>, tensor<f32>
    %9 = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %9 : tensor<i1>
  }) : (tensor<5xf32>, tensor<5xi32>) -> (tensor<5xf32>, tensor<5xi32>)
  return %0#0, %0#1 : tensor<5xf32>, tensor<5xi32>
}"#;

#[test]
fn comparators_as_jax_writes_them() {
    let x = Array::new(&[5], &[f32::NAN, 0.0, -0.0, -f32::NAN, -3.0]);
    let k = Array::new(&[5], &[0i32, 1, 2, 3, 4]);
    let out = run(JAX, &[x, k]);
    assert_eq!(out[1].as_slice::<i32>(), [4, 1, 2, 0, 3]);
    let module = parse(JAX).unwrap();
    assert_eq!(parse(&module.to_string()).unwrap().to_string(), module.to_string());
}

/// Long slices are sorted digit by digit: along both dimensions, up and down, with many equal keys, and stably.
#[test]
fn long_slices() {
    fn check<T: Element + Copy>(make: fn(u64) -> T, before: fn(&T, &T) -> std::cmp::Ordering) {
        let n = 5000usize;
        let mut word = 1u64;
        let numbers: Vec<T> = (0..2 * n)
            .map(|_| {
                word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                make(word >> 20)
            })
            .collect();
        let x = Array::new(&[n, 2], &numbers);
        let positions: Vec<i32> = (0..2 * n as i32).collect();
        let at = Array::new(&[n, 2], &positions);
        for direction in [Direction::Lt, Direction::Gt] {
            let mut module = Module::new("test");
            let kind = if x.dtype().is_float() { CompareType::Float } else { CompareType::Signed };
            let params = [x.dtype(), x.dtype(), DType::I32, DType::I32];
            let comparator = compare(&mut module, direction, kind, &params);
            let op = Sort { dimension: 0, is_stable: true, inputs: 2, comparator };
            let (module, f) = single_in(module, op.into(), &[x.ty().clone(), at.ty().clone()]);
            let out = eval(&module, f, &[x.clone(), at.clone()]);
            for column in 0..2 {
                let mut expected: Vec<i32> = (0..n as i32).map(|i| 2 * i + column).collect();
                expected.sort_by(|&a, &b| {
                    let order = before(&numbers[a as usize], &numbers[b as usize]);
                    if direction == Direction::Lt { order } else { order.reverse() }
                });
                let found = out[1].as_slice::<i32>().iter().skip(column as usize).step_by(2);
                assert!(found.eq(&expected), "{}, {direction:?}, column {column}", x.dtype());
            }
        }
    }
    check(|w| w as i32 % 700, i32::cmp);
    check(|w| (w as i64) << 30, i64::cmp);
    check(|w| (w % 2001) as f32 - 1000.0, |a: &f32, b| a.partial_cmp(b).unwrap());
    check(|w| (w as f64).sin(), |a: &f64, b| a.partial_cmp(b).unwrap());
}

/// Two keys in order of weight, and an unknown comparator that means the same.
#[test]
fn several_keys() {
    let x = Array::new(&[6], &[2i64, 1, 2, 1, 2, 1]);
    let y = Array::new(&[6], &[1u16, 3, 0, 3, 2, 1]);
    let k = Array::new(&[6], &[0i8, 1, 2, 3, 4, 5]);
    let types = [x.ty().clone(), y.ty().clone(), k.ty().clone()];
    let params = [DType::I64, DType::I64, DType::U16, DType::U16, DType::I8, DType::I8];
    for known in [true, false] {
        let mut module = Module::new("test");
        let comparator = comparator(&mut module, &params, |m, f, v| {
            let mut push = |op: Op, x: &[Value]| f.push(m, op, x, Loc::Unknown).unwrap()[0];
            let signed = |direction| Op::from(Compare { direction, kind: CompareType::Signed });
            let less = push(signed(Direction::Lt), &v[..2]);
            let equal = push(signed(Direction::Eq), &v[..2]);
            let unsigned = Compare { direction: Direction::Lt, kind: CompareType::Unsigned };
            let then = push(unsigned.into(), &v[2..4]);
            if known {
                let both = push(BinaryOp::And.into(), &[equal, then]);
                push(BinaryOp::Or.into(), &[less, both])
            } else {
                push(Select {}.into(), &[equal, then, less])
            }
        });
        let op = Sort { dimension: 0, is_stable: true, inputs: 3, comparator };
        let (module, f) = single_in(module, op.into(), &types);
        let out = eval(&module, f, &[x.clone(), y.clone(), k.clone()]);
        assert_eq!(out[2].as_slice::<i8>(), [5, 1, 3, 2, 0, 4], "known: {known}");
    }
}

/// A comparator may read values around it.
#[test]
fn captures() {
    let text = r#"
func.func public @main(%x: tensor<4xf64>, %c: tensor<f64>) -> tensor<4xf64> {
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.subtract %a, %c : tensor<f64>
    %2 = stablehlo.abs %1 : tensor<f64>
    %3 = stablehlo.subtract %b, %c : tensor<f64>
    %4 = stablehlo.abs %3 : tensor<f64>
    %5 = stablehlo.compare LT, %2, %4 : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %5 : tensor<i1>
  }) : (tensor<4xf64>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}"#;
    let x = Array::new(&[4], &[5.0, 1.0, 9.0, 4.0]);
    assert_eq!(floats(&run(text, &[x, Array::scalar(4.5)])[0]), [5.0, 4.0, 1.0, 9.0]);
}

#[test]
fn largest_elements() {
    let x = Array::new(&[2, 4], &[1.0f32, f32::NAN, 3.0, 3.0, -0.0, 0.0, -1.0, f32::NEG_INFINITY]);
    let out = eval_op(TopK { k: 3 }, &[x]);
    assert_eq!(out[1].as_slice::<i32>(), [1, 2, 3, 1, 0, 2]);
    assert!(out[0].as_slice::<f32>()[0].is_nan());
    assert_eq!(out[0].as_slice::<f32>()[1..], [3.0, 3.0, 0.0, -0.0, -1.0]);
    let out = eval_op(TopK { k: 0 }, &[Array::new(&[2], &[1u16, 2])]);
    assert_eq!((out[0].shape(), out[1].shape()), (&[0][..], &[0][..]));
    let out = eval_op(TopK { k: 2 }, &[Array::new_bool(&[3], &[false, true, true])]);
    assert_eq!(out[1].as_slice::<i32>(), [1, 2]);
}

/// A few of many elements are found without sorting all: the same ones.
#[test]
fn few_of_many() {
    // In no order, rising, falling, and all the same.
    let orders: [fn(i32) -> i32; 4] = [|i| i.wrapping_mul(7919) % 500, |i| i % 1000, |i| -(i % 1000), |_| 3];
    for order in orders {
        let numbers: Vec<i32> = (0..3000).map(order).collect();
        let floats: Vec<f32> =
            numbers.iter().map(|&i| if i == 17 { f32::NAN } else { i as f32 * 0.5 }).collect();
        let shorts: Vec<u16> = numbers.iter().map(|&i| i as u16).collect();
        let doubles: Vec<f64> = numbers.iter().map(|&i| i as f64 * -0.25).collect();
        for x in [
            Array::new(&[3, 1000], &numbers),
            Array::new(&[3, 1000], &floats),
            Array::new(&[3, 1000], &shorts),
            Array::new(&[3, 1000], &doubles),
        ] {
            let size = x.dtype().size();
            let all = eval_op(TopK { k: 1000 }, std::slice::from_ref(&x));
            for count in [1, 7, 31, 32, 33, 100] {
                let few = eval_op(TopK { k: count }, std::slice::from_ref(&x));
                for row in 0..3 {
                    let places = few[1].as_slice::<i32>();
                    assert_eq!(
                        places[count * row..][..count],
                        all[1].as_slice::<i32>()[1000 * row..][..count]
                    );
                    let (few, all) = (few[0].bytes(), all[0].bytes());
                    assert_eq!(
                        few[count * row * size..][..count * size],
                        all[1000 * row * size..][..count * size]
                    );
                }
            }
        }
    }
}

#[test]
fn derivatives() {
    let mut module = Module::new("test");
    let kinds = [DType::F64; 4];
    let comparator = compare(&mut module, Direction::Lt, CompareType::TotalOrder, &kinds);
    for dimension in 0..2 {
        let op = Sort { dimension, is_stable: true, inputs: 2, comparator };
        Row::new(op, &[t(&[3, 4]), t(&[3, 4])], (-2.0, 2.0)).check(&module);
    }
    Row::new(TopK { k: 3 }, &[t(&[2, 5])], (-2.0, 2.0)).check(&module);
}

#[test]
fn constraints_of_sort() {
    let mut module = Module::new("test");
    let comparator = compare(&mut module, Direction::Lt, CompareType::Float, &[DType::F64; 2]);
    let label = |inputs, dimension, operands: &[TensorType]| {
        let types: Vec<Type> = operands.iter().map(|t| t.clone().into()).collect();
        let op = Sort { dimension, is_stable: false, inputs, comparator };
        op.infer(&module, &types).unwrap_err().constraint
    };
    assert_eq!(label(0, 0, &[]), "C1");
    assert_eq!(label(2, 0, &[t(&[2]), t(&[3])]), "C3");
    assert_eq!(label(1, 1, &[t(&[2])]), "C4");
    assert_eq!(label(1, 0, &[t(&[])]), "C4");
    assert_eq!(label(2, 0, &[t(&[2]), t(&[2])]), "C5");
    assert_eq!(label(1, 0, &[TensorType::new(DType::F32, &[2])]), "C5");
    let top = |x: TensorType| TopK { k: 3 }.infer(&module, &[x.into()]).unwrap_err().constraint;
    assert_eq!(top(t(&[])), "C1");
    assert_eq!(top(t(&[4, 2])), "C2");
    assert_eq!(top(TensorType::new(DType::C64, &[4])), "I1");
}

#[test]
fn constraints_of_random_numbers() {
    let module = Module::new("test");
    let scalar = |d| Type::from(TensorType::scalar(d));
    let sizes = |n| Type::from(TensorType::new(DType::I64, &[n]));
    let rng = |distribution, dtype, operands: &[Type]| {
        let op = Rng { ty: TensorType::new(dtype, &[2, 3]), distribution, stream: 0 };
        op.infer(&module, operands).err().map(|e| e.constraint)
    };
    use RngDistribution::{Normal, Uniform};
    let (f, d) = (scalar(DType::F32), scalar(DType::F64));
    assert_eq!(rng(Uniform, DType::F32, &[f.clone(), f.clone(), sizes(2)]), None);
    assert_eq!(rng(Uniform, DType::F32, &[t(&[1]).into(), f.clone(), sizes(2)]), Some("I1"));
    assert_eq!(rng(Uniform, DType::F32, &[f.clone(), t(&[1]).into(), sizes(2)]), Some("I2"));
    assert_eq!(rng(Uniform, DType::F32, &[f.clone(), f.clone(), f.clone()]), Some("I3"));
    assert_eq!(rng(Uniform, DType::F32, &[f.clone(), d, sizes(2)]), Some("C1"));
    let i = scalar(DType::I32);
    assert_eq!(rng(Normal, DType::I32, &[i.clone(), i, sizes(2)]), Some("C2"));
    assert_eq!(rng(Normal, DType::F32, &[f.clone(), f, sizes(3)]), Some("C3"));
    let bits = |algorithm, state: TensorType, dtype| {
        let op = RngBitGenerator { algorithm, ty: TensorType::new(dtype, &[4]) };
        op.infer(&module, &[state.into()]).err().map(|e| e.constraint)
    };
    let state = |n| TensorType::new(DType::U64, &[n]);
    assert_eq!(bits(RngAlgorithm::Philox, state(3), DType::U8), None);
    assert_eq!(bits(RngAlgorithm::ThreeFry, state(3), DType::U32), Some("C2"));
    assert_eq!(bits(RngAlgorithm::Philox, state(4), DType::U32), Some("C2"));
    assert_eq!(bits(RngAlgorithm::Default, TensorType::new(DType::U32, &[2]), DType::U32), Some("I2"));
    assert_eq!(bits(RngAlgorithm::Default, state(2), DType::I1), Some("O2"));
}

fn bits(algorithm: RngAlgorithm, state: &[u64], ty: TensorType) -> (Vec<u64>, Array) {
    let mut out = eval_op(RngBitGenerator { algorithm, ty }, &[Array::new(&[state.len()], state)]);
    (out[0].as_slice::<u64>().to_vec(), out.pop().expect("two results"))
}

/// Bits and states that XLA's CPU backend gives.
#[test]
fn bits_as_xla_gives_them() {
    let u32s = |shape: &[usize]| TensorType::new(DType::U32, shape);
    let u64s = |shape: &[usize]| TensorType::new(DType::U64, shape);
    let three = |state, ty| bits(RngAlgorithm::ThreeFry, state, ty);
    let (state, x) = three(&[1, 2], u32s(&[5]));
    assert_eq!(state, [1, 5]);
    assert_eq!(x.as_slice::<u32>(), [0x296e954, 0x802fd53b, 0xed3492d3, 0xdf435003, 0x63b40bd3]);
    let (state, x) = three(&[1, 2], u64s(&[3, 2]));
    assert_eq!((&state[..], x.as_slice::<u64>()[5]), (&[1, 8][..], 0xdfbf5831aafe5a17));
    // The two words of a block are neighbours along dimension 0, 1, and 1.
    let (_, x) = three(&[7, 1 << 33], u32s(&[4, 6]));
    assert_eq!(
        x.as_slice::<u32>()[..7],
        [0x248c0ac4, 0x9d54f8da, 0xbba70e43, 0x507132a3, 0x41b68e38, 0xc5c64143, 0xbc583659]
    );
    let (state, x) = three(&[7, 1 << 33], u32s(&[3, 5]));
    assert_eq!(
        (state[1], &x.as_slice::<u32>()[..3]),
        (0x200000009, &[0x248c0ac4, 0xbc583659, 0x9d54f8da][..])
    );
    let (state, x) = three(&[7, 1 << 33], u32s(&[3, 5, 5]));
    assert_eq!((state[1], &x.as_slice::<u32>()[4..6]), (0x20000002d, &[0x41b68e38, 0xbc583659][..]));
    let (state, x) = three(&[7, 1 << 33], u32s(&[]));
    assert_eq!((state[1], x.as_slice::<u32>()), (0x200000001, &[0x248c0ac4][..]));
    let (_, x) = three(&[1, 2], TensorType::new(DType::U16, &[5]));
    assert_eq!(x.as_slice::<u16>(), [0xe954, 0xd53b, 0x92d3, 0x5003, 0xbd3]);
    assert_eq!(three(&[1, 2], u32s(&[0, 3])).0, [1, 2]);

    for algorithm in [RngAlgorithm::Philox, RngAlgorithm::Default] {
        let (state, x) = bits(algorithm, &[1, 2], u32s(&[5]));
        assert_eq!(state, [1, 4]);
        assert_eq!(x.as_slice::<u32>(), [0x7d34a749, 0xa9b8bbe8, 0x7ba423d7, 0x2fb324d9, 0x6cf923fe]);
        let (state, x) = bits(algorithm, &[1, 2], u64s(&[3]));
        assert_eq!((state[1], x.as_slice::<u64>()[2]), (4, 0xbadf79c36cf923fe));
        // The counter carries into its upper half.
        let (state, x) = bits(algorithm, &[7 << 32 | 5, u64::MAX], u32s(&[8]));
        assert_eq!((state[1], x.as_slice::<u32>()[4]), (1, 0x99e3d563));
        let (state, y) = bits(algorithm, &[7 << 32 | 5, u64::MAX, 7 << 32 | 5], u32s(&[8]));
        assert_eq!((&state[1..], x), (&[1, (7 << 32 | 5) + 1][..], y));
    }
}

#[test]
fn random_numbers_are_where_they_should_be() {
    let shape = Array::new(&[1], &[5000i64]);
    let rng = |distribution, a: Array, b: Array| {
        let ty = TensorType::new(a.dtype(), &[5000]);
        eval_op(Rng { ty, distribution, stream: 0 }, &[a, b, shape.clone()]).remove(0)
    };
    let x = rng(RngDistribution::Uniform, Array::scalar(2f32), Array::scalar(4f32));
    assert!(floats(&x).iter().all(|x| (2.0..4.0).contains(x)));
    assert!((floats(&x).iter().sum::<f64>() / 5000.0 - 3.0).abs() < 0.05);
    let x = rng(RngDistribution::Normal, Array::scalar(1f64), Array::scalar(2f64));
    let mean = floats(&x).iter().sum::<f64>() / 5000.0;
    let variance = floats(&x).iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / 5000.0;
    assert!((mean - 1.0).abs() < 0.1 && (variance - 4.0).abs() < 0.2, "{mean} {variance}");
    let x = rng(RngDistribution::Uniform, Array::scalar(-3i32), Array::scalar(3i32));
    let x = x.as_slice::<i32>();
    assert!((-3..3).all(|k| x.contains(&k)) && x.iter().all(|k| (-3..3).contains(k)));
    let text = "func.func @main(%a: tensor<f32>, %s: tensor<1xi64>) -> tensor<3xf32> {
  %0 = stablehlo.rng %a, %a, %s, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}";
    let module = parse(text).unwrap();
    assert!(
        module.to_string().contains(
            "stablehlo.rng %arg0, %arg0, %arg1, distribution = NORMAL {wengert.stream = 0 : i64} : "
        )
    );
}

/// Two draws of one program are independent, before and after its text is written and read.
#[test]
fn random_numbers_of_two_instructions_differ() {
    let draw = "stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f64>, tensor<f64>, tensor<1xi64>) -> tensor<8xf64>";
    let module = parse(&format!(
        "func.func @main(%a: tensor<f64>, %b: tensor<f64>, %s: tensor<1xi64>) -> (tensor<8xf64>, tensor<8xf64>) {{
           %0 = {draw}
           %1 = {draw}
           return %0, %1 : tensor<8xf64>, tensor<8xf64>
         }}"
    ))
    .unwrap();
    let again = parse(&module.to_string()).unwrap();
    let args = [Array::scalar(0f64), Array::scalar(1f64), Array::new(&[1], &[8i64])];
    let drawn = |m: &Module| eval(m, m.find("main").unwrap(), &args);
    let first = drawn(&module);
    assert!(floats(&first[0]).iter().zip(floats(&first[1])).all(|(x, y)| *x != y), "{first:?}");
    assert_eq!(first, drawn(&again));
}

/// Composites keep their name, attributes and version; they run what defines them.
#[test]
fn composites() {
    let text = r#"module @m {
  func.func public @main(%arg0: tensor<i64>) -> tensor<i64> {
    %0 = stablehlo.composite "my.add_n" %arg0 {composite_attributes = {n = 2 : i64, "odd name" = [1, {}]}, decomposition = @impl, version = 3 : i32} : (tensor<i64>) -> tensor<i64>
    return %0 : tensor<i64>
  }
  func.func private @impl(%arg0: tensor<i64>) -> tensor<i64> {
    %c = stablehlo.constant dense<2> : tensor<i64>
    %0 = stablehlo.add %arg0, %c : tensor<i64>
    return %0 : tensor<i64>
  }
}
"#;
    assert_eq!(run(text, &[Array::scalar(5i64)])[0], Array::scalar(7i64));
    let printed = parse(text).unwrap().to_string();
    assert!(printed.contains(r#"stablehlo.composite "my.add_n" %arg0 {composite_attributes = {n = 2 : i64, "odd name" = [1, {}]}, decomposition = @impl, version = 3 : i32}"#), "{printed}");
    assert_eq!(parse(&printed).unwrap().to_string(), printed);
    let bad = text.replace("my.add_n", "add_n");
    assert!(parse(&bad).unwrap_err().to_string().contains("C1"));
    let bad = text
        .replace("%arg0 {composite", "%arg0, %arg0 {composite")
        .replace("version = 3 : i32} : (tensor<i64>)", "version = 3 : i32} : (tensor<i64>, tensor<i64>)");
    assert!(parse(&bad).unwrap_err().to_string().contains("C3"));
}

#[test]
fn operations_that_broadcast() {
    let text = r#"func.func @main(%a: tensor<2xf64>, %b: tensor<2x3xf64>, %c: tensor<3xf64>) -> (tensor<2x3xf64>, tensor<2x3xi1>) {
  %0 = chlo.broadcast_add %a, %b {broadcast_dimensions = array<i64: 0>} : (tensor<2xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  %1 = chlo.broadcast_multiply %0, %c : (tensor<2x3xf64>, tensor<3xf64>) -> tensor<2x3xf64>
  %2 = chlo.broadcast_compare %1, %c {comparison_direction = #chlo<comparison_direction LT>} : (tensor<2x3xf64>, tensor<3xf64>) -> tensor<2x3xi1>
  %3 = chlo.constant_like %1 {value = 2.5 : f64} : tensor<2x3xf64>
  %5 = "chlo.constant_like"(%1) {value = 2.5 : f64} : (tensor<2x3xf64>) -> tensor<2x3xf64>
  %6 = stablehlo.minimum %3, %5 : tensor<2x3xf64>
  %4 = chlo.broadcast_subtract %1, %6 : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  return %4, %2 : tensor<2x3xf64>, tensor<2x3xi1>
}"#;
    let (a, c) = (Array::new(&[2], &[1.0, 2.0]), Array::new(&[3], &[1.0, 10.0, 100.0]));
    let b = Array::new(&[2, 3], &[0.0, -1.0, 2.0, 3.0, 4.0, 5.0]);
    let out = run(text, &[a, b, c]);
    assert_eq!(floats(&out[0]), [-1.5, -2.5, 297.5, 2.5, 57.5, 697.5]);
    assert_eq!(out[1].bytes(), [0, 1, 0, 0, 0, 0]);
}

#[test]
fn infinities_and_upper_halves() {
    let x = Array::new(&[5], &[f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 0.0, f32::MAX]);
    let ask = |op: UnaryOp| eval_op(op, std::slice::from_ref(&x))[0].bytes().to_vec();
    assert_eq!(ask(UnaryOp::IsInf), [1, 1, 0, 0, 0]);
    assert_eq!(ask(UnaryOp::IsPosInf), [1, 0, 0, 0, 0]);
    assert_eq!(ask(UnaryOp::IsNegInf), [0, 1, 0, 0, 0]);
    let (a, b) = (Array::new(&[3], &[i64::MIN, -1, 1 << 40]), Array::new(&[3], &[-1i64, 3, 1 << 40]));
    assert_eq!(eval_op(BinaryOp::Mulhi, &[a, b])[0].as_slice::<i64>(), [0, -1, 1 << 16]);
    let (a, b) = (Array::new(&[2], &[u64::MAX, 5]), Array::new(&[2], &[u64::MAX, 1 << 63]));
    assert_eq!(eval_op(BinaryOp::Mulhi, &[a, b])[0].as_slice::<u64>(), [u64::MAX - 1, 2]);
}

/// JAX's comparator of floats, which makes zeros and NaNs one: as keys made at once, and as the comparator says when it is not known for
/// what it is (its constants are computed).
#[test]
fn one_zero_and_one_nan() {
    let program = |ty: &str, nan: &str, direction: &str, known: bool, n: usize| {
        let zero = |name: &str| match known {
            true => format!("%{name} = stablehlo.constant dense<0.0> : tensor<{ty}>"),
            false => format!(
                "%{name}n = stablehlo.constant dense<-0.0> : tensor<{ty}>
                 %{name} = stablehlo.negate %{name}n : tensor<{ty}>"
            ),
        };
        let side = |x: &str| {
            format!(
                "{}
                 %{x}e = stablehlo.compare EQ, %{x}, %{x}zero, FLOAT : (tensor<{ty}>, tensor<{ty}>) -> tensor<i1>
                 %{x}s = stablehlo.select %{x}e, %{x}zero, %{x} : tensor<i1>, tensor<{ty}>
                 %{x}u = stablehlo.compare NE, %{x}, %{x}, FLOAT : (tensor<{ty}>, tensor<{ty}>) -> tensor<i1>
                 %{x}nan = stablehlo.constant dense<{nan}> : tensor<{ty}>
                 %{x}c = stablehlo.select %{x}u, %{x}nan, %{x}s : tensor<i1>, tensor<{ty}>",
                zero(&format!("{x}zero"))
            )
        };
        format!(
            "func.func @main(%x: tensor<{n}x{ty}>) -> (tensor<{n}x{ty}>, tensor<{n}xi32>) {{
               %i = stablehlo.iota dim = 0 : tensor<{n}xi32>
               %y:2 = \"stablehlo.sort\"(%x, %i) <{{dimension = 0 : i64, is_stable = true}}> ({{
                 ^bb0(%a: tensor<{ty}>, %b: tensor<{ty}>, %k: tensor<i32>, %l: tensor<i32>):
                   {}
                   {}
                   %p = stablehlo.compare {direction}, %ac, %bc, TOTALORDER : (tensor<{ty}>, tensor<{ty}>) -> tensor<i1>
                   stablehlo.return %p : tensor<i1>
               }}) : (tensor<{n}x{ty}>, tensor<{n}xi32>) -> (tensor<{n}x{ty}>, tensor<{n}xi32>)
               return %y#0, %y#1 : tensor<{n}x{ty}>, tensor<{n}xi32>
             }}",
            side("a"),
            side("b")
        )
    };
    let special = [
        0.0,
        -0.0,
        f64::NAN,
        -f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        1.0,
        -1.0,
        1e-40,
        -1e-40,
        -0.0,
        0.0,
    ];
    let x = Array::new(&[special.len()], &special);
    for (dtype, ty, nans) in [
        (DType::F32, "f32", ["0x7FC00000", "0xFFC00000"]),
        (DType::F64, "f64", ["0x7FF8000000000000", "0xFFF8000000000000"]),
        (DType::F16, "f16", ["0x7E00", "0xFE00"]),
        (DType::BF16, "bf16", ["0x7FC0", "0xFFC0"]),
    ] {
        let x = convert(&x, dtype).expect("floats convert");
        for nan in nans {
            for direction in ["LT", "GT"] {
                let [known, other] = [true, false].map(|known| {
                    run(&program(ty, nan, direction, known, special.len()), std::slice::from_ref(&x))
                });
                assert_eq!(known, other, "{ty} {nan} {direction}");
            }
        }
    }
}
