//! Values, constraints and derivatives of the elementwise operations.

use wengert_ir::array::{Array, Element, Literal};
use wengert_ir::func::{Func, FuncKind, Loc, Module};
use wengert_ir::interp;
use wengert_ir::op::*;
use wengert_ir::testing::{Row, check_jvp, eval, eval_op, floats, jvp, single};
use wengert_ir::types::{DType, DYNAMIC, TensorType, Type};

fn t(shape: &[usize]) -> TensorType {
    TensorType::new(DType::F64, shape)
}

/// Every operation that differentiates, with where its operands lie and in what it is linear.
#[test]
fn derivatives() {
    use BinaryOp as B;
    use UnaryOp as U;
    let v = t(&[2, 3]);
    let unary = |op: UnaryOp, lo, hi| Row::new(op, &[t(&[2, 3])], (lo, hi));
    let binary = |op: BinaryOp, lo, hi| Row::new(op, &[t(&[2, 3]), t(&[2, 3])], (lo, hi));
    let pred = TensorType::new(DType::I1, &[2, 3]);
    let rows = [
        unary(U::Abs, -2.0, 2.0),
        unary(U::Negate, -2.0, 2.0).linear(&[true]),
        unary(U::Sign, -2.0, 2.0),
        unary(U::Exponential, -2.0, 2.0),
        unary(U::ExponentialMinusOne, -2.0, 2.0),
        unary(U::Exp2, -2.0, 2.0),
        unary(U::Log, 0.1, 3.0),
        unary(U::Log2, 0.1, 3.0),
        unary(U::LogPlusOne, -0.8, 3.0),
        unary(U::Logistic, -4.0, 4.0),
        unary(U::Sine, -4.0, 4.0),
        unary(U::Cosine, -4.0, 4.0),
        unary(U::Tan, -1.2, 1.2),
        unary(U::Tanh, -3.0, 3.0),
        unary(U::Sqrt, 0.2, 4.0),
        unary(U::Rsqrt, 0.3, 4.0),
        unary(U::Cbrt, 0.3, 4.0),
        unary(U::Cbrt, -4.0, -0.3),
        unary(U::Ceil, -4.0, 4.0),
        unary(U::Floor, -4.0, 4.0),
        unary(U::RoundNearestAfz, -4.0, 4.0),
        unary(U::RoundNearestEven, -4.0, 4.0),
        unary(U::Erf, -2.0, 2.0),
        unary(U::Erfc, -2.0, 2.0),
        unary(U::ErfInv, -0.9, 0.9),
        unary(U::Lgamma, 0.3, 6.0),
        unary(U::Lgamma, -0.8, -0.2),
        unary(U::Digamma, 0.3, 6.0),
        unary(U::Digamma, -0.8, -0.2),
        unary(U::BesselI1e, 0.3, 7.0),
        unary(U::BesselI1e, -12.0, -8.5),
        unary(U::Asin, -0.9, 0.9),
        unary(U::Acos, -0.9, 0.9),
        unary(U::Atan, -3.0, 3.0),
        unary(U::Sinh, -2.0, 2.0),
        unary(U::Cosh, -2.0, 2.0),
        unary(U::Asinh, -3.0, 3.0),
        unary(U::Acosh, 1.2, 4.0),
        unary(U::Atanh, -0.8, 0.8),
        unary(U::Square, -2.0, 2.0),
        binary(B::Add, -2.0, 2.0).linear(&[true, true]),
        binary(B::Subtract, -2.0, 2.0).linear(&[true, true]),
        binary(B::Multiply, -2.0, 2.0).linear(&[true, false]).linear(&[false, true]),
        binary(B::Divide, 0.5, 2.0).linear(&[true, false]),
        binary(B::Divide, -2.0, -0.5),
        binary(B::Remainder, 0.5, 9.0).range(1, 0.7, 2.0),
        binary(B::Remainder, -9.0, -0.5).range(1, 0.7, 2.0),
        binary(B::Power, 0.3, 3.0),
        binary(B::Maximum, -2.0, 2.0),
        binary(B::Minimum, -2.0, 2.0),
        binary(B::Atan2, -2.0, 2.0),
        binary(B::Zeta, 1.5, 4.0),
        Row::new(Select {}, &[pred, v.clone(), v.clone()], (-2.0, 2.0)).linear(&[false, true, true]),
        Row::new(Select {}, &[TensorType::scalar(DType::I1), v.clone(), v.clone()], (-2.0, 2.0))
            .linear(&[false, true, true]),
        Row::new(Clamp {}, &[v.clone(), v.clone(), v.clone()], (-1.0, 1.0)).range(1, -3.0, 3.0),
        Row::new(Clamp {}, &[t(&[]), v.clone(), t(&[])], (-2.0, 2.0)).range(0, -0.7, -0.5).range(2, 0.5, 0.7),
        Row::new(Fma {}, &[v.clone(), v.clone(), v.clone()], (-2.0, 2.0))
            .linear(&[true, false, true])
            .linear(&[false, true, true]),
        Row::new(
            ReducePrecision { exponent_bits: 11, mantissa_bits: 52 },
            std::slice::from_ref(&v),
            (-2.0, 2.0),
        )
        .linear(&[true]),
        Row::new(Convert { dtype: DType::F64 }, &[v], (-2.0, 2.0)).linear(&[true]),
    ];
    for row in rows {
        row.check(&Module::default());
    }
}

/// The tangent of one operand, the others having none that counts.
fn tangent(op: impl Into<Op>, args: &[Array], active: usize) -> Vec<f64> {
    let types: Vec<TensorType> = args.iter().map(|a| a.ty().clone()).collect();
    let (mut module, f) = single(op.into(), &types);
    let f = jvp(&mut module, f);
    let mut all = args.to_vec();
    for (k, a) in args.iter().enumerate() {
        let value = if k == active { 1.0 } else { 0.0 };
        all.push(Literal::splat(a.ty().clone(), value).to_array());
    }
    floats(&eval(&module, f, &all)[1])
}

#[test]
fn conventions_at_kinks() {
    let v = |x: &[f64]| Array::new(&[x.len()], x);
    assert_eq!(tangent(UnaryOp::Abs, &[v(&[0.0, -0.0, -2.0, 2.0])], 0), [1.0, 1.0, -1.0, 1.0]);
    assert_eq!(tangent(UnaryOp::Sign, &[v(&[0.0, 3.0])], 0), [0.0, 0.0]);
    assert_eq!(tangent(UnaryOp::Sqrt, &[v(&[0.0])], 0), [f64::INFINITY]);
    assert_eq!(tangent(BinaryOp::Maximum, &[v(&[1.0, 2.0, 0.0]), v(&[1.0, 1.0, 1.0])], 0), [0.5, 1.0, 0.0]);
    assert_eq!(tangent(BinaryOp::Minimum, &[v(&[1.0, 2.0, 0.0]), v(&[1.0, 1.0, 1.0])], 1), [0.5, 1.0, 0.0]);
    let clamp = [v(&[0.0; 5]), v(&[-1.0, 0.0, 0.5, 1.0, 2.0]), v(&[1.0; 5])];
    assert_eq!(tangent(Clamp {}, &clamp, 0), [1.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(tangent(Clamp {}, &clamp, 1), [0.0, 0.0, 1.0, 0.0, 0.0]);
    assert_eq!(tangent(Clamp {}, &clamp, 2), [0.0, 0.0, 0.0, 0.0, 1.0]);
    // log(0) counts as 0 in the derivative by the exponent.
    assert_eq!(tangent(BinaryOp::Power, &[v(&[0.0, 1.0]), v(&[2.0, 0.0])], 1), [0.0, 0.0]);
    assert_eq!(tangent(BinaryOp::Power, &[v(&[0.0, 0.0, 3.0]), v(&[1.0, 2.0, 0.0])], 0), [1.0, 0.0, 0.0]);
    assert!(tangent(BinaryOp::Power, &[v(&[0.0]), v(&[0.0])], 0)[0].is_nan());
}

#[test]
fn constant_exponents_have_a_derivative_at_zero() {
    let mut module = Module::new("test");
    let mut f = Func::new("main", FuncKind::Public);
    let x = f.param(t(&[3]));
    let exponents = Literal::from_array(&Array::new(&[3], &[0.0, 1.0, 2.0]));
    let loc = || Loc::Unknown;
    let y = f.push(&module, Constant { value: exponents }.into(), &[], loc()).unwrap()[0];
    let p = f.push(&module, BinaryOp::Power.into(), &[x, y], loc()).unwrap()[0];
    f.results = vec![p];
    let f = module.add(f);
    let f1 = jvp(&mut module, f);
    let out = eval(&module, f1, &[Array::new(&[3], &[0.0; 3]), Array::new(&[3], &[1.0; 3])]);
    assert_eq!(floats(&out[1]), [0.0, 1.0, 0.0]);
    check_jvp(&mut module, f, &[Array::new(&[3], &[0.5, -0.25, 2.0])], 1e-6);
}

#[track_caller]
fn unary<T: Element>(op: UnaryOp, x: &[T]) -> Vec<T> {
    eval_op(op, &[Array::new(&[x.len()], x)])[0].as_slice::<T>().to_vec()
}

#[track_caller]
fn binary<T: Element>(op: BinaryOp, a: &[T], b: &[T]) -> Vec<T> {
    eval_op(op, &[Array::new(&[a.len()], a), Array::new(&[b.len()], b)])[0].as_slice::<T>().to_vec()
}

fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn floats_of_one_operand() {
    const INF: f64 = f64::INFINITY;
    let x = [-2.5, -0.5, -0.0, 0.0, 0.5, 1.5, 2.5, INF, -INF];
    let check = |op, want: [f64; 9]| assert_eq!(bits(&unary(op, &x)), bits(&want), "{op:?}");
    check(UnaryOp::Abs, [2.5, 0.5, 0.0, 0.0, 0.5, 1.5, 2.5, INF, INF]);
    check(UnaryOp::Negate, [2.5, 0.5, 0.0, -0.0, -0.5, -1.5, -2.5, -INF, INF]);
    check(UnaryOp::Sign, [-1.0, -1.0, -0.0, 0.0, 1.0, 1.0, 1.0, 1.0, -1.0]);
    check(UnaryOp::Floor, [-3.0, -1.0, -0.0, 0.0, 0.0, 1.0, 2.0, INF, -INF]);
    check(UnaryOp::Ceil, [-2.0, -0.0, -0.0, 0.0, 1.0, 2.0, 3.0, INF, -INF]);
    check(UnaryOp::RoundNearestAfz, [-3.0, -1.0, -0.0, 0.0, 1.0, 2.0, 3.0, INF, -INF]);
    check(UnaryOp::RoundNearestEven, [-2.0, -0.0, -0.0, 0.0, 0.0, 2.0, 2.0, INF, -INF]);
    for op in [UnaryOp::Sign, UnaryOp::Sqrt, UnaryOp::Exponential, UnaryOp::Floor, UnaryOp::Log] {
        assert!(unary(op, &[f64::NAN])[0].is_nan(), "{op:?}");
    }
    let finite = eval_op(UnaryOp::IsFinite, &[Array::new(&[3], &[1.0, INF, f64::NAN])]);
    assert_eq!(finite[0], Array::new_bool(&[3], &[true, false, false]));
    // Each rounds once: a binary16 result is that of the same operation on a binary32, rounded.
    let h = half::f16::from_f32;
    assert_eq!(unary(UnaryOp::Sqrt, &[h(2.0)]), [h(2f32.sqrt())]);
    assert_eq!(binary(BinaryOp::Add, &[h(2048.0)], &[h(1.0)]), [h(2048.0)]);
}

#[test]
fn integers_of_one_operand() {
    assert_eq!(unary(UnaryOp::Abs, &[i32::MIN, -3, 3]), [i32::MIN, 3, 3]);
    assert_eq!(unary(UnaryOp::Negate, &[i32::MIN, -3, 3]), [i32::MIN, 3, -3]);
    assert_eq!(unary(UnaryOp::Negate, &[1u32]), [u32::MAX]);
    assert_eq!(unary(UnaryOp::Sign, &[-7i64, 0, 7]), [-1, 0, 1]);
    assert_eq!(unary(UnaryOp::Not, &[0u64, 1]), [u64::MAX, u64::MAX - 1]);
    assert_eq!(unary(UnaryOp::Popcnt, &[-1i32, 0, 5]), [32, 0, 2]);
    assert_eq!(unary(UnaryOp::CountLeadingZeros, &[-1i64, 0, 1]), [0, 64, 63]);
    let b = Array::new_bool(&[2], &[true, false]);
    assert_eq!(eval_op(UnaryOp::Not, &[b])[0], Array::new_bool(&[2], &[false, true]));
}

#[test]
fn integers_of_two_operands() {
    use BinaryOp::*;
    assert_eq!(binary(Divide, &[7, -7, 5, i32::MIN], &[2, 2, 0, -1]), [3, -3, -1, i32::MIN]);
    assert_eq!(binary(Remainder, &[7, -7, 5, i32::MIN], &[2, 2, 0, -1]), [1, -1, 5, 0]);
    assert_eq!(binary(Divide, &[7u32, 5], &[2, 0]), [3, u32::MAX]);
    assert_eq!(binary(Remainder, &[7u64, 5], &[2, 0]), [1, 5]);
    assert_eq!(binary(Add, &[i64::MAX], &[1]), [i64::MIN]);
    assert_eq!(binary(Multiply, &[u32::MAX], &[u32::MAX]), [1]);
    assert_eq!(
        binary(Power, &[2i32, -3, 7, 1, -1, 2, 3], &[10, 3, 0, -1, -3, -1, 40]),
        [1024, -27, 1, 1, -1, 0, 3i32.wrapping_pow(40)]
    );
    assert_eq!(binary(ShiftLeft, &[1i32, 1, 1, 1], &[4, 31, 32, -1]), [16, i32::MIN, 0, 0]);
    assert_eq!(binary(ShiftRightArithmetic, &[-8i32, -8, 8, -8], &[1, 32, 32, -1]), [-4, -1, 0, -1]);
    assert_eq!(binary(ShiftRightLogical, &[-8i32, -8, 8], &[1, 32, 1]), [i32::MAX - 3, 0, 4]);
    assert_eq!(binary(ShiftRightArithmetic, &[1u64 << 63], &[63]), [u64::MAX]);
    assert_eq!(binary(Maximum, &[-1i32], &[1]), [1]);
    assert_eq!(binary(Maximum, &[u32::MAX], &[1]), [u32::MAX]);
    let (a, b) = ([false, false, true, true], [false, true, false, true]);
    let truth = |op: BinaryOp| {
        let out = eval_op(op, &[Array::new_bool(&[4], &a), Array::new_bool(&[4], &b)]);
        out[0].bytes().to_vec()
    };
    assert_eq!(truth(Add), [0, 1, 1, 1]);
    assert_eq!(truth(Multiply), [0, 0, 0, 1]);
    assert_eq!(truth(And), [0, 0, 0, 1]);
    assert_eq!(truth(Or), [0, 1, 1, 1]);
    assert_eq!(truth(Xor), [0, 1, 1, 0]);
    assert_eq!(truth(Maximum), [0, 1, 1, 1]);
}

#[test]
fn floats_of_two_operands() {
    use BinaryOp::*;
    const NAN: f64 = f64::NAN;
    assert_eq!(bits(&binary(Maximum, &[-0.0, 0.0, 1.0], &[0.0, -0.0, 2.0])), bits(&[0.0, 0.0, 2.0]));
    assert_eq!(bits(&binary(Minimum, &[-0.0, 0.0, 1.0], &[0.0, -0.0, 2.0])), bits(&[-0.0, -0.0, 1.0]));
    for op in [Maximum, Minimum, NextAfter] {
        assert!(binary(op, &[NAN, 1.0], &[1.0, NAN]).iter().all(|x| x.is_nan()), "{op:?}");
    }
    assert_eq!(binary(Remainder, &[5.5, -5.5, 1.0], &[2.0, 2.0, f64::INFINITY]), [1.5, -1.5, 1.0]);
    assert!(binary(Remainder, &[1f64], &[0.0])[0].is_nan());
    let power = binary(
        Power,
        &[0.0, -0.0, NAN, 1.0, -2.0, 0.0, -1.0],
        &[-1.0, -1.0, 0.0, NAN, 3.0, 0.0, f64::INFINITY],
    );
    assert_eq!(power, [f64::INFINITY, f64::NEG_INFINITY, 1.0, 1.0, -8.0, 1.0, 1.0]);
    assert!(binary(Power, &[-2f64], &[0.5])[0].is_nan());
    assert_eq!(
        binary(NextAfter, &[0.0f32, 1.0, 1.0], &[1.0, 1.0, 0.0]),
        [f32::from_bits(1), 1.0, 1.0f32.next_down()]
    );
    let h = half::f16::from_f32;
    assert_eq!(
        binary(NextAfter, &[h(0.0), h(0.0), h(1.0), h(-1.0)], &[h(1.0), h(-1.0), h(2.0), h(0.0)])
            .iter()
            .map(|x| x.to_bits())
            .collect::<Vec<_>>(),
        [1, 0x8001, 0x3c01, 0xbbff]
    );
    let fma = eval_op(
        Fma {},
        &[
            Array::scalar(1.0 + f64::EPSILON),
            Array::scalar(1.0 + f64::EPSILON),
            Array::scalar(-1.0 - 2.0 * f64::EPSILON),
        ],
    );
    assert_eq!(floats(&fma[0]), [f64::EPSILON * f64::EPSILON]);
}

#[test]
fn comparisons() {
    let (a, b) = ([-0.0, 1.0, f64::NAN, 2.0], [0.0, 2.0, 1.0, 2.0]);
    let compare = |direction, kind| {
        eval_op(Compare { direction, kind }, &[Array::new(&[4], &a), Array::new(&[4], &b)])[0]
            .bytes()
            .to_vec()
    };
    use CompareType::*;
    assert_eq!(compare(Direction::Eq, Float), [1, 0, 0, 1]);
    assert_eq!(compare(Direction::Ne, Float), [0, 1, 1, 0]);
    assert_eq!(compare(Direction::Lt, Float), [0, 1, 0, 0]);
    assert_eq!(compare(Direction::Le, Float), [1, 1, 0, 1]);
    assert_eq!(compare(Direction::Gt, Float), [0, 0, 0, 0]);
    assert_eq!(compare(Direction::Ge, Float), [1, 0, 0, 1]);
    assert_eq!(compare(Direction::Eq, TotalOrder), [0, 0, 0, 1]);
    assert_eq!(compare(Direction::Lt, TotalOrder), [1, 1, 0, 0]);
    assert_eq!(compare(Direction::Gt, TotalOrder), [0, 0, 1, 0]);
    let below = Compare { direction: Direction::Lt, kind: Unsigned };
    assert_eq!(eval_op(below, &[Array::scalar(1u32), Array::scalar(u32::MAX)])[0].bytes(), [1]);
    let below = Compare { direction: Direction::Lt, kind: Signed };
    assert_eq!(eval_op(below, &[Array::scalar(1i32), Array::scalar(-1i32)])[0].bytes(), [0]);
}

#[test]
fn selects_and_clamps() {
    let (a, b) = (Array::new(&[2], &[1i32, 2]), Array::new(&[2], &[3i32, 4]));
    let select = |p: Array| eval_op(Select {}, &[p, a.clone(), b.clone()])[0].as_slice::<i32>().to_vec();
    assert_eq!(select(Array::new_bool(&[2], &[true, false])), [1, 4]);
    assert_eq!(select(Array::new_bool(&[], &[false])), [3, 4]);
    let x = Array::new(&[4], &[-1.0, 0.5, 2.0, f64::NAN]);
    let out = floats(&eval_op(Clamp {}, &[Array::scalar(0.0), x, Array::scalar(1.0)])[0]);
    assert_eq!(out[..3], [0.0, 0.5, 1.0]);
    assert!(out[3].is_nan());
}

#[test]
fn conversions() {
    fn convert<T: Element, U: Element>(x: &[T]) -> Vec<U> {
        eval_op(Convert { dtype: U::DTYPE }, &[Array::new(&[x.len()], x)])[0].as_slice::<U>().to_vec()
    }
    let x = [1.9, -1.9, f64::NAN, f64::INFINITY, -f64::INFINITY, 3e9];
    assert_eq!(convert::<f64, i32>(&x), [1, -1, 0, i32::MAX, i32::MIN, i32::MAX]);
    assert_eq!(convert::<f64, u32>(&x), [1, 0, 0, u32::MAX, 0, 3_000_000_000]);
    assert_eq!(convert::<f64, i64>(&x), [1, -1, 0, i64::MAX, i64::MIN, 3_000_000_000]);
    assert_eq!(convert::<f64, f32>(&[0.1, 1e300]), [0.1f32, f32::INFINITY]);
    assert_eq!(convert::<f32, f64>(&[0.1]), [0.1f32 as f64]);
    assert_eq!(convert::<i64, i32>(&[1 << 32 | 7, -1]), [7, -1]);
    assert_eq!(convert::<i32, u64>(&[-1]), [u64::MAX]);
    assert_eq!(convert::<i64, f32>(&[(1 << 24) + 1, i64::MAX]), [16_777_216.0, 9.223_372e18]);
    assert_eq!(convert::<u64, f64>(&[u64::MAX]), [18_446_744_073_709_551_616.0]);
    let truth = eval_op(Convert { dtype: DType::I1 }, &[Array::new(&[4], &[0.0, -0.0, 0.5, f64::NAN])]);
    assert_eq!(truth[0].bytes(), [0, 0, 1, 1]);
    let back = eval_op(Convert { dtype: DType::F32 }, &truth);
    assert_eq!(back[0].as_slice::<f32>(), [0.0, 0.0, 1.0, 1.0]);
}

#[test]
fn bits_as_other_types() {
    let cast = |x: Array, dtype, shape: &[usize]| {
        eval_op(BitcastConvert { ty: TensorType::new(dtype, shape) }, &[x]).remove(0)
    };
    assert_eq!(cast(Array::scalar(1.0f32), DType::U32, &[]).as_slice::<u32>(), [0x3f80_0000]);
    let halves = cast(Array::scalar(0x0123_4567_89ab_cdefu64), DType::U32, &[2]);
    assert_eq!(halves.as_slice::<u32>(), [0x89ab_cdef, 0x0123_4567]);
    assert_eq!(cast(halves, DType::U64, &[]).as_slice::<u64>(), [0x0123_4567_89ab_cdef]);
}

#[test]
fn fewer_bits_of_precision() {
    let round = |exponent_bits, mantissa_bits, x: f32| {
        let op = ReducePrecision { exponent_bits, mantissa_bits };
        eval_op(op, &[Array::scalar(x)])[0].as_slice::<f32>()[0]
    };
    for x in [1.0f32, 0.1, -65504.0, 65520.0, 1e-8, 3.3e38, -1.5e-5, 2049.0, 2051.0] {
        let want = half::bf16::from_f32(x).to_f32();
        assert_eq!(round(8, 7, x), want, "{x} as bf16");
        // f16 keeps subnormals, which reduce_precision flushes.
        if x.abs() > 1e-4 {
            assert_eq!(round(5, 10, x), half::f16::from_f32(x).to_f32(), "{x} as f16");
        }
    }
    assert_eq!(round(5, 10, 1e-8), 0.0);
    // The least normal number stays, what is below it goes; the largest stays, what is above it is infinite.
    for (exponent_bits, mantissa_bits) in [(2usize, 1usize), (4, 3), (5, 2), (5, 10), (6, 23), (7, 0)] {
        let bias = (1i32 << (exponent_bits - 1)) - 1;
        let [least, most] = [1 - bias, bias].map(|power| 2f32.powi(power));
        let largest = most * (2.0 - 2f32.powi(-(mantissa_bits as i32)));
        let at = |x| round(exponent_bits, mantissa_bits, x);
        assert_eq!([at(least), at(-least)], [least, -least], "e{exponent_bits}m{mantissa_bits}");
        assert_eq!([at(least / 2.0), at(-least / 2.0)], [0.0, 0.0], "e{exponent_bits}m{mantissa_bits}");
        assert_eq!([at(largest), at(-largest)], [largest, -largest], "e{exponent_bits}m{mantissa_bits}");
        assert_eq!(at(2.0 * most), f32::INFINITY, "e{exponent_bits}m{mantissa_bits}");
    }
    assert!(round(5, 10, f32::NAN).is_nan());
    assert_eq!(round(8, 23, 0.1), 0.1);
}

/// The constraint that each of these operands breaks.
#[test]
fn constraints() {
    let module = Module::default();
    let label = |op: Op, operands: &[TensorType]| {
        let types: Vec<Type> = operands.iter().cloned().map(Type::from).collect();
        op.def().infer(&module, &types).unwrap_err().constraint
    };
    let of = |dtype: DType| TensorType::new(dtype, &[2]);
    let (f, i, b) = (of(DType::F32), of(DType::I32), of(DType::I1));
    assert_eq!(label(UnaryOp::Sine.into(), std::slice::from_ref(&i)), "I1");
    assert_eq!(label(UnaryOp::Abs.into(), &[of(DType::U32)]), "I1");
    assert_eq!(label(UnaryOp::Not.into(), std::slice::from_ref(&f)), "I1");
    assert_eq!(label(UnaryOp::Popcnt.into(), std::slice::from_ref(&b)), "I1");
    assert_eq!(label(UnaryOp::Abs.into(), &[]), "arity");
    assert_eq!(label(BinaryOp::Add.into(), &[f.clone(), i.clone()]), "C1");
    assert_eq!(label(BinaryOp::Add.into(), &[f.clone(), t(&[3])]), "C1");
    assert_eq!(label(BinaryOp::Subtract.into(), &[b.clone(), b.clone()]), "I1");
    assert_eq!(label(BinaryOp::And.into(), &[f.clone(), f.clone()]), "I1");
    assert_eq!(label(BinaryOp::Atan2.into(), &[i.clone(), i.clone()]), "I1");
    let compare = |kind| Op::from(Compare { direction: Direction::Lt, kind });
    assert_eq!(label(compare(CompareType::Float), &[f.clone(), i.clone()]), "C1");
    assert_eq!(label(compare(CompareType::Float), &[t(&[2]), t(&[3])]), "C2");
    assert_eq!(label(compare(CompareType::Float), &[i.clone(), i.clone()]), "C3");
    assert_eq!(label(compare(CompareType::Signed), &[f.clone(), f.clone()]), "C3");
    assert_eq!(label(Select {}.into(), &[i.clone(), f.clone(), f.clone()]), "I1");
    assert_eq!(label(Select {}.into(), &[b.clone(), t(&[3]), t(&[3])]), "C1");
    assert_eq!(label(Select {}.into(), &[b.clone(), f.clone(), i.clone()]), "C2");
    assert_eq!(label(Clamp {}.into(), &[t(&[3]), t(&[2]), t(&[])]), "C1");
    assert_eq!(label(Clamp {}.into(), &[t(&[]), t(&[2]), t(&[3])]), "C2");
    assert_eq!(label(Clamp {}.into(), &[i.clone(), f.clone(), f.clone()]), "C3");
    assert_eq!(label(BitcastConvert { ty: of(DType::F64) }.into(), std::slice::from_ref(&f)), "C1");
    assert_eq!(label(BitcastConvert { ty: of(DType::C64) }.into(), &[of(DType::F64)]), "C2");
    let precision = ReducePrecision { exponent_bits: 0, mantissa_bits: 3 };
    assert_eq!(label(precision.into(), std::slice::from_ref(&f)), "C2");
    assert_eq!(label(Iota { ty: f.clone(), dim: 1 }.into(), &[]), "C1");
    assert_eq!(label(Iota { ty: b, dim: 0 }.into(), &[]), "I1");
}

#[test]
fn creation() {
    let iota = eval_op(Iota { ty: TensorType::new(DType::I32, &[2, 3]), dim: 1 }, &[]);
    assert_eq!(iota[0].as_slice::<i32>(), [0, 1, 2, 0, 1, 2]);
    let iota = eval_op(Iota { ty: TensorType::new(DType::F32, &[2, 2]), dim: 0 }, &[]);
    assert_eq!(iota[0].as_slice::<f32>(), [0.0, 0.0, 1.0, 1.0]);
    assert_eq!(floats(&eval_op(Zero { ty: t(&[2]) }, &[])[0]), [0.0, 0.0]);
    assert_eq!(floats(&eval_op(Op::splat(t(&[2]), 3.0), &[])[0]), [3.0, 3.0]);
    let none = eval_op(Zero { ty: t(&[DYNAMIC, 2]) }, &[]);
    assert_eq!(none[0].shape(), [0, 2]);
}

/// Whatever `infer` accepts is computed, and has the type it said.
#[test]
fn every_operation_on_every_element_type() {
    let mut ops: Vec<(Op, usize)> = Vec::new();
    ops.extend(UnaryOp::ALL.iter().map(|&op| (op.into(), 1)));
    ops.extend(BinaryOp::ALL.iter().map(|&op| (op.into(), 2)));
    ops.extend(DType::ALL.iter().map(|&dtype| (Convert { dtype }.into(), 1)));
    for &direction in Direction::ALL {
        ops.extend(CompareType::ALL.iter().map(|&kind| (Compare { direction, kind }.into(), 2)));
    }
    ops.extend([(Clamp {}.into(), 3), (Fma {}.into(), 3)]);
    ops.push((ReducePrecision { exponent_bits: 5, mantissa_bits: 2 }.into(), 1));
    let mut computed = 0;
    for (op, operands) in &ops {
        for &dtype in DType::ALL {
            // Bytes that are numbers of every type: zeros, ones, and one of each bit pattern below 4.
            let ty = TensorType::new(dtype, &[4]);
            let mut x = Array::zeros(ty.clone());
            let size = dtype.size();
            for k in 0..4 {
                x.bytes_mut()[k * size] = if dtype == DType::I1 { k as u8 % 2 } else { k as u8 };
            }
            let args = vec![x; *operands];
            let types: Vec<Type> = vec![ty.into(); *operands];
            let Ok(types) = op.def().infer(&Module::default(), &types) else { continue };
            let tensors: Vec<TensorType> = args.iter().map(|a| a.ty().clone()).collect();
            let (module, f) = single(op.clone(), &tensors);
            match interp::run(&module, f, &args, &Default::default()) {
                Ok(results) => {
                    assert_eq!(Type::from(results[0].ty().clone()), types[0], "{op:?} of {dtype}");
                    computed += 1;
                }
                Err(other) => panic!("{op:?} of {dtype}: {other}"),
            }
        }
    }
    assert!(computed > 1000, "{computed} computed");
}

/// The pattern `unary_of!(library)` and `UnaryOp::math_fn` are of the same functions.
#[test]
fn functions_of_the_library_are_a_family() {
    for &op in UnaryOp::ALL {
        assert_eq!(op.math_fn().is_some(), matches!(op, wengert_ir::unary_of!(library)), "{}", op.name());
    }
}
