//! Values, order, constraints and derivatives of reductions.

use smallvec::smallvec;
use wengert_ir::array::Array;
use wengert_ir::func::{Func, FuncId, FuncKind, Loc, Module, Value};
use wengert_ir::interp::{self, Limits};
use wengert_ir::kernel::BLOCK;
use wengert_ir::op::{BinaryOp, Compare, CompareType, Direction, Op, Reduce, Reducer, Select};
use wengert_ir::ops::convert;
use wengert_ir::ops::reduce::{as_scan, recognise};
use wengert_ir::rules::{EvalError, OpDef};
use wengert_ir::testing::{Random, Row, check_jvp, eval, eval_op, floats, jvp, single, single_in};
use wengert_ir::types::{DType, TensorType, Type};

fn t(shape: &[usize]) -> TensorType {
    TensorType::new(DType::F64, shape)
}

fn reduce(op: BinaryOp, dims: &[usize]) -> Reduce {
    Reduce { dims: dims.into(), inputs: 1, reducer: Reducer::Op(op) }
}

#[test]
fn derivatives() {
    use BinaryOp::*;
    let module = Module::default();
    for dims in [&[0][..], &[1], &[0, 2], &[0, 1, 2], &[]] {
        let operands = [t(&[3, 2, 2]), t(&[])];
        Row::new(reduce(Add, dims), &operands, (-2.0, 2.0)).linear(&[true, true]).check(&module);
        Row::new(reduce(Multiply, dims), &operands, (-2.0, 2.0)).check(&module);
        // The initial value out of reach, within reach, and winning.
        for (lo, hi) in [(-9.0, -8.0), (0.0, 0.1), (8.0, 9.0)] {
            for op in [Maximum, Minimum] {
                Row::new(reduce(op, dims), &operands, (-2.0, 2.0)).range(1, lo, hi).check(&module);
            }
        }
    }
    for length in 0..6 {
        Row::new(reduce(Multiply, &[0]), &[t(&[length]), t(&[])], (-2.0, 2.0)).check(&module);
    }
}

#[test]
fn a_product_with_zeros_has_its_derivatives() {
    let (mut module, f) = single(reduce(BinaryOp::Multiply, &[0]).into(), &[t(&[5]), t(&[])]);
    for zeros in [&[1][..], &[1, 4], &[0, 2, 3]] {
        let mut x = [1.5, -2.0, 0.5, 3.0, -0.25];
        zeros.iter().for_each(|&k| x[k] = 0.0);
        let f1 = jvp(&mut module, f);
        let args = [Array::new(&[5], &x), Array::scalar(1.0)];
        check_jvp(&mut module, f, &args, 1e-6);
        let tangents = [Array::new(&[5], &[1.0, 0.5, -0.5, 2.0, 1.0]), Array::scalar(0.5)];
        check_jvp(&mut module, f1, &[args, tangents].concat(), 1e-5);
    }
}

#[test]
fn ties_share_the_tangent() {
    let (mut module, f) = single(reduce(BinaryOp::Maximum, &[0]).into(), &[t(&[4]), t(&[])]);
    let f = jvp(&mut module, f);
    let tangent = |x: [f64; 4], init: f64, init_tangent: f64| {
        let tangents = [Array::new(&[4], &[1.0, 2.0, 4.0, 8.0]), Array::scalar(init_tangent)];
        floats(&eval(&module, f, &[&[Array::new(&[4], &x), Array::scalar(init)][..], &tangents].concat())[1])
            [0]
    };
    let low = f64::NEG_INFINITY;
    assert_eq!(tangent([3.0, 3.0, 1.0, 0.0], low, 0.0), 1.5);
    assert_eq!(tangent([3.0, 3.0, 3.0, 0.0], low, 0.0), 7.0 / 3.0);
    assert_eq!(tangent([3.0, 3.0, 1.0, 0.0], 3.0, 6.0), 3.0);
    assert_eq!(tangent([3.0, 3.0, 1.0, 0.0], 5.0, 6.0), 6.0);
    assert!(tangent([3.0, f64::NAN, 1.0, 0.0], low, 0.0).is_nan());
}

#[test]
fn values_of_monoids() {
    let x = Array::new(&[2, 3], &[3i32, -1, 2, 7, 0, 5]);
    let run = |op, dims: &[usize], init: i32| {
        eval_op(reduce(op, dims), &[x.clone(), Array::scalar(init)])[0].as_slice::<i32>().to_vec()
    };
    use BinaryOp::*;
    assert_eq!(run(Add, &[0], 100), [110, 99, 107]);
    assert_eq!(run(Add, &[1], 0), [4, 12]);
    assert_eq!(run(Add, &[0, 1], 0), [16]);
    assert_eq!(run(Add, &[], 1), [4, 0, 3, 8, 1, 6]);
    assert_eq!(run(Multiply, &[1], 1), [-6, 0]);
    assert_eq!(run(Maximum, &[1], 4), [4, 7]);
    assert_eq!(run(Minimum, &[0, 1], 9), [-1]);
    assert_eq!(run(And, &[1], -1), [2, 0]);
    assert_eq!(run(Or, &[1], 0), [-1, 7]);
    assert_eq!(run(Xor, &[0], 0), [4, -1, 7]);
    let empty = eval_op(reduce(Maximum, &[0]), &[Array::zeros(t(&[0, 2])), Array::scalar(-5.0)]);
    assert_eq!(floats(&empty[0]), [-5.0, -5.0]);
    let nan = eval_op(reduce(Minimum, &[0]), &[Array::new(&[2], &[1.0, f64::NAN]), Array::scalar(0.0)]);
    assert!(floats(&nan[0])[0].is_nan());
    let truth = [Array::new_bool(&[3], &[true, false, true]), Array::new_bool(&[], &[false])];
    assert_eq!(eval_op(reduce(Or, &[0]), &truth)[0].bytes(), [1]);
    assert_eq!(eval_op(reduce(And, &[0]), &truth)[0].bytes(), [0]);
}

/// The order of a sum, written out again by hand for one block and by halves for many.
/// What a reduction may begin with changes nothing: of small types beside each of their numbers.
#[test]
fn identities_change_no_number() {
    use BinaryOp::*;
    let numbers = |a: &Array| floats(&convert(a, DType::F64).expect("small numbers"));
    let small = DType::ALL.iter().filter(|d| d.bits() <= 8 && !d.is_complex());
    let mut tried = 0;
    for &dtype in small {
        for op in [Add, Multiply, Maximum, Minimum, And, Or, Xor] {
            let of_bits = matches!(op, And | Or | Xor);
            let Some(identity) = op.identity(dtype).filter(|_| !(of_bits && dtype.is_float())) else {
                continue;
            };
            let codes: Vec<u8> = match dtype {
                DType::I1 => vec![0, 1],
                _ => (0..1u16 << dtype.bits()).map(|code| code as u8).collect(),
            };
            // Elements of fewer than eight bits repeat their sign.
            let signed = dtype.is_integer() && dtype.bits() < 8 && !dtype.to_string().starts_with("ui");
            let stored = |code: u8| {
                let shift = 8 - dtype.bits() as u32;
                if signed { ((code << shift) as i8 >> shift) as u8 } else { code }
            };
            let bytes: Vec<u8> = codes.into_iter().map(stored).collect();
            let all = Array::from_bytes(TensorType::new(dtype, &[bytes.len()]), &bytes);
            let beside = Array::from_bytes(
                TensorType::new(dtype, &[bytes.len()]),
                &identity.stored_bytes().repeat(bytes.len()),
            );
            let got = eval_op(op, &[all.clone(), beside]).remove(0);
            for ((was, is), code) in numbers(&all).iter().zip(numbers(&got)).zip(&bytes) {
                let same = was.is_nan() && is.is_nan() || was.to_bits() == is.to_bits();
                assert!(same, "{op:?} of {dtype}: code {code} is {was}, beside {identity:?} it is {is}");
            }
            tried += 1;
        }
    }
    assert!(tried > 50, "{tried}");
    // Among powers of two there is no zero.
    assert_eq!(Add.identity(DType::F8E8M0FNU), None);
}

#[test]
fn sums_have_one_order() {
    let mut random = Random(1);
    let n = 2 * BLOCK + 100;
    let x = random.array(&TensorType::new(DType::F32, &[n]), -1.0, 1.0);
    let v = x.as_slice::<f32>();
    let block = |v: &[f32]| {
        let mut lanes = [-0.0f32; 16];
        v.iter().enumerate().for_each(|(i, x)| lanes[i % 16] += x);
        for w in [8, 4, 2, 1] {
            (0..w).for_each(|l| lanes[l] += lanes[l + w]);
        }
        lanes[0]
    };
    let blocks: Vec<f32> = v.chunks(512).map(block).collect();
    let want = 0.5 + ((blocks[0] + blocks[2]) + (blocks[1] + -0.0));
    let sum = eval_op(reduce(BinaryOp::Add, &[0]), &[x.clone(), Array::scalar(0.5f32)]);
    assert_eq!(sum[0].as_slice::<f32>(), [want]);
    // Row-major over the reduced dimensions, wherever they are.
    let shaped = x.reshaped(&[2, n / 2]);
    let sum = eval_op(reduce(BinaryOp::Add, &[0, 1]), &[shaped, Array::scalar(0.5f32)]);
    assert_eq!(sum[0].as_slice::<f32>(), [want]);
    // No elements: the initial value itself; -0.0 stays.
    let none = [Array::zeros(t(&[0])), Array::scalar(-0.0)];
    assert_eq!(floats(&eval_op(reduce(BinaryOp::Add, &[0]), &none)[0])[0].to_bits(), (-0.0f64).to_bits());
    let zeros = [Array::new(&[2], &[-0.0, -0.0]), Array::scalar(-0.0)];
    assert_eq!(floats(&eval_op(reduce(BinaryOp::Add, &[0]), &zeros)[0])[0].to_bits(), (-0.0f64).to_bits());
}

/// `captures.., a, b -> a + b + scale * a * b`, where `scale` is captured or 1.
fn custom_body(module: &mut Module, capture: bool) -> FuncId {
    let mut f = Func::new("", FuncKind::Region);
    let scale = capture.then(|| f.param(t(&[])));
    let (a, b) = (f.param(t(&[])), f.param(t(&[])));
    let mut push = |op: Op, operands: &[Value]| f.push(module, op, operands, Loc::Unknown).unwrap()[0];
    let sum = push(BinaryOp::Add.into(), &[a, b]);
    let mut product = push(BinaryOp::Multiply.into(), &[a, b]);
    let scale = scale.unwrap_or_else(|| push(Op::splat(t(&[]), 1.0), &[]));
    product = push(BinaryOp::Multiply.into(), &[product, scale]);
    let out = push(BinaryOp::Add.into(), &[sum, product]);
    f.results = vec![out];
    module.add(f)
}

#[test]
fn bodies_of_their_own() {
    for capture in [false, true] {
        for dims in [&[0, 1][..], &[0], &[1], &[]] {
            let mut module = Module::new("test");
            let body = custom_body(&mut module, capture);
            assert_eq!(recognise(&module, body), None);
            let op = Reduce { dims: dims.into(), inputs: 1, reducer: Reducer::Func(body) };
            let mut args =
                vec![Array::new(&[3, 2], &[0.5, -0.25, 1.5, 2.0, -0.5, 0.75]), Array::scalar(0.125)];
            if capture {
                args.push(Array::scalar(2.0));
            }
            let scale = if capture { 2.0 } else { 1.0 };
            let types: Vec<TensorType> = args.iter().map(|a| a.ty().clone()).collect();
            let (mut module, f) = single_in(module, op.clone().into(), &types);
            let direct = eval(&module, f, &args);
            if dims == [0, 1] {
                let want = floats(&args[0]).iter().fold(0.125, |a, b| a + b + a * b * scale);
                assert_eq!(floats(&direct[0]), [want]);
            }
            // The scan gives the same bits.
            let types: Vec<Type> = types.into_iter().map(Type::from).collect();
            let scan = as_scan(&mut module, &op, &types).expect("a scalar body");
            assert_eq!(module.get(scan).result_types(), module.get(f).result_types());
            assert_eq!(eval(&module, scan, &args), direct, "{dims:?}");
        }
    }
}

/// The maximum with its index: two inputs, comparisons and selects.
#[test]
fn several_inputs() {
    let mut module = Module::new("test");
    let int = |shape: &[usize]| TensorType::new(DType::I32, shape);
    let mut f = Func::new("", FuncKind::Region);
    let [a, i, b, j] = [t(&[]), int(&[]), t(&[]), int(&[])].map(|ty| f.param(ty));
    let mut push = |op: Op, operands: &[Value]| f.push(&module, op, operands, Loc::Unknown).unwrap()[0];
    let first = push(Compare { direction: Direction::Ge, kind: CompareType::Float }.into(), &[a, b]);
    let value = push(Select {}.into(), &[first, a, b]);
    let index = push(Select {}.into(), &[first, i, j]);
    f.results = vec![value, index];
    let body = module.add(f);
    let op = Reduce { dims: smallvec![1], inputs: 2, reducer: Reducer::Func(body) };
    let args = [
        Array::new(&[2, 3], &[1.0, 5.0, 5.0, -1.0, -2.0, -3.0]),
        Array::new(&[2, 3], &[0i32, 1, 2, 0, 1, 2]),
        Array::scalar(f64::NEG_INFINITY),
        Array::scalar(-1i32),
    ];
    let types: Vec<TensorType> = args.iter().map(|a| a.ty().clone()).collect();
    let (mut module, f) = single_in(module, op.clone().into(), &types);
    let out = eval(&module, f, &args);
    assert_eq!(floats(&out[0]), [5.0, -1.0]);
    assert_eq!(out[1].as_slice::<i32>(), [1, 0]);
    let types: Vec<Type> = types.into_iter().map(Type::from).collect();
    let scan = as_scan(&mut module, &op, &types).expect("a scalar body");
    assert_eq!(eval(&module, scan, &args), out);
    let limits = Limits { max_steps: Some(3), ..Limits::default() };
    assert!(matches!(interp::run(&module, f, &args, &limits), Err(EvalError::Steps(3))));
}

#[test]
fn bodies_that_are_monoids() {
    let mut module = Module::new("test");
    for (op, swapped, want) in [
        (BinaryOp::Add, false, Some(BinaryOp::Add)),
        (BinaryOp::Maximum, true, Some(BinaryOp::Maximum)),
        (BinaryOp::Subtract, false, None),
    ] {
        let mut f = Func::new("", FuncKind::Region);
        let (a, b) = (f.param(t(&[])), f.param(t(&[])));
        let operands = if swapped { [b, a] } else { [a, b] };
        f.results = f.push(&module, op.into(), &operands, Loc::Unknown).unwrap().to_vec();
        let id = module.add(f);
        assert_eq!(recognise(&module, id), want);
    }
}

#[test]
fn constraints() {
    let mut module = Module::new("test");
    let body = custom_body(&mut module, false);
    let label = |op: Reduce, operands: &[TensorType]| {
        let types: Vec<Type> = operands.iter().cloned().map(Type::from).collect();
        op.infer(&module, &types).unwrap_err().constraint
    };
    let add = |dims: &[usize]| reduce(BinaryOp::Add, dims);
    let func = |inputs| Reduce { dims: smallvec![0], inputs, reducer: Reducer::Func(body) };
    let f32_scalar = TensorType::scalar(DType::F32);
    assert_eq!(label(func(2), &[t(&[2]), t(&[3]), t(&[]), t(&[])]), "C1");
    assert_eq!(label(add(&[0]), &[t(&[2]), f32_scalar]), "C2");
    assert_eq!(label(add(&[0]), &[t(&[2])]), "C3");
    assert_eq!(label(add(&[1]), &[t(&[2]), t(&[])]), "C4");
    assert_eq!(label(add(&[0, 0]), &[t(&[2]), t(&[])]), "C5");
    assert_eq!(label(reduce(BinaryOp::Divide, &[0]), &[t(&[2]), t(&[])]), "C6");
    assert_eq!(label(func(2), &[t(&[2]), t(&[2]), t(&[]), t(&[])]), "C6");
    assert_eq!(label(add(&[0]), &[t(&[2]), t(&[1])]), "I2");
}
