//! Values against NumPy's, special values, and derivatives as JAX defines them.

use smallvec::smallvec;
use wengert_ir::array::Array;
use wengert_ir::func::Module;
use wengert_ir::op::{
    BinaryOp, Compare, CompareType, Convert, Direction, DotGeneral, Op, Precision, Reduce, Reducer, UnaryOp,
};
use wengert_ir::ops::convert;
use wengert_ir::testing::{Random, eval_op};
use wengert_ir::types::{DType, TensorType, Type};

fn c128(shape: &[usize], elements: &[(f64, f64)]) -> Array {
    let parts: Vec<f64> = elements.iter().flat_map(|&(re, im)| [re, im]).collect();
    Array::from_bytes(TensorType::new(DType::C128, shape), bytemuck::cast_slice(&parts))
}

fn parts(x: &Array) -> Vec<f64> {
    let x = convert(x, if x.dtype().is_complex() { DType::C128 } else { DType::F64 }).unwrap();
    bytemuck::cast_slice(x.bytes()).to_vec()
}

fn of(op: UnaryOp, x: &Array) -> Vec<f64> {
    parts(&eval_op(op, std::slice::from_ref(x))[0])
}

/// NumPy's values in binary64, at ordinary, tiny, huge and special points (but for `log1p` near zero, which NumPy
/// rounds away: there the series says what is right).
#[test]
fn values_are_numpys() {
    let mut wrong = Vec::new();
    for line in include_str!("reference.txt").lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let n = |k: usize| words[k].parse::<f64>().unwrap();
        let op =
            ["stablehlo.", "chlo."].iter().find_map(|d| UnaryOp::parse(&format!("{d}{}", words[0]))).unwrap();
        let got = of(op, &c128(&[], &[(n(1), n(2))]));
        let want = [n(3), n(4)];
        let size = want[0].hypot(want[1]);
        for (g, w) in got.iter().zip(want) {
            // Relative to the number, and to the part itself but for what NumPy's own formulas cancel.
            let same = *g == w || g.is_nan() && w.is_nan();
            let close = (g - w).abs() <= 1e-15 * size.max(w.abs()) * 8.0;
            if !same && !close {
                wrong.push(format!("{line}: {got:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// binary32 against the same formulas in binary64, part by part.
#[test]
fn single_precision_is_accurate() {
    let mut random = Random(5);
    let points: Vec<(f64, f64)> = (0..400)
        .map(|_| (random.uniform(-5.0, 5.0) as f32 as f64, random.uniform(-5.0, 5.0) as f32 as f64))
        .collect();
    let wide = c128(&[points.len()], &points);
    let narrow = convert(&wide, DType::C64).unwrap();
    use UnaryOp::*;
    let precise = [Abs, Sign, Exponential, LogPlusOne, Log, Sqrt, Asin, Acos, Asinh, Acosh];
    let others = [
        ExponentialMinusOne,
        Sine,
        Cosine,
        Tan,
        Tanh,
        Sinh,
        Cosh,
        Atan,
        Atanh,
        Rsqrt,
        Cbrt,
        Logistic,
        Square,
    ];
    for (ops, tolerance) in [(&precise[..], 4e-7), (&others[..], 1e-4)] {
        for &op in ops {
            for (k, (g, w)) in of(op, &narrow).iter().zip(of(op, &wide)).enumerate() {
                assert!((g - w).abs() <= tolerance * w.abs() + 1e-6 * tolerance, "{op:?} part {k}: {g} {w}");
            }
        }
    }
}

#[test]
fn nothing_overflows_that_need_not() {
    let big = c128(&[2], &[(1e300, 1e300), (-1e300, 1e-300)]);
    assert!(of(UnaryOp::Abs, &big).iter().all(|x| x.is_finite()));
    assert!(of(UnaryOp::Sqrt, &big).iter().all(|x| x.is_finite()));
    assert!(of(UnaryOp::Log, &big).iter().all(|x| x.is_finite()));
    let quotient = eval_op(BinaryOp::Divide, &[big.clone(), big.clone()]);
    assert_eq!(parts(&quotient[0]), [1.0, 0.0, 1.0, 0.0]);
    let tiny = c128(&[1], &[(3e-300, 4e-300)]);
    let modulus = of(UnaryOp::Abs, &tiny)[0];
    assert!((modulus / 5e-300 - 1.0).abs() < 1e-15);
}

#[test]
fn special_values() {
    const INF: f64 = f64::INFINITY;
    let z = |re, im| c128(&[], &[(re, im)]);
    assert_eq!(of(UnaryOp::Abs, &z(INF, f64::NAN)), [INF]);
    assert_eq!(of(UnaryOp::Sqrt, &z(-4.0, -0.0)), [0.0, -2.0]);
    assert_eq!(of(UnaryOp::Sqrt, &z(-INF, 1.0)), [0.0, INF]);
    assert_eq!(of(UnaryOp::Exponential, &z(-INF, INF)).map_nan(), [0.0, 0.0]);
    assert_eq!(of(UnaryOp::Log, &z(0.0, 0.0)), [-INF, 0.0]);
    assert_eq!(of(UnaryOp::Tanh, &z(INF, 1.0)), [1.0, 0.0]);
    assert_eq!(of(UnaryOp::Sign, &z(0.0, -0.0)), [0.0, 0.0]);
    let divide = |a: Array, b: Array| parts(&eval_op(BinaryOp::Divide, &[a, b])[0]);
    assert_eq!(divide(z(1.0, 2.0), z(INF, 1.0)), [0.0, 0.0]);
    assert_eq!(divide(z(1.0, 2.0), z(0.0, 0.0)), [INF, INF]);
    let power = |a: Array, b: Array| parts(&eval_op(BinaryOp::Power, &[a, b])[0]);
    assert_eq!(power(z(0.0, 0.0), z(0.0, 0.0)), [1.0, 0.0]);
    assert_eq!(power(z(0.0, 0.0), z(2.0, 1.0)), [0.0, 0.0]);
}

trait MapNan {
    fn map_nan(self) -> Vec<f64>;
}
impl MapNan for Vec<f64> {
    /// e^-inf is 0 whatever the angle; the sine and cosine of infinity are not numbers.
    fn map_nan(self) -> Vec<f64> {
        self.into_iter().map(|x| if x.is_nan() { 0.0 } else { x }).collect()
    }
}

#[test]
fn parts_comparisons_and_sums() {
    let (re, im) = (Array::new(&[2], &[1.0, 2.0]), Array::new(&[2], &[3.0, -4.0]));
    let z = eval_op(BinaryOp::Complex, &[re.clone(), im.clone()]).remove(0);
    assert_eq!(z, c128(&[2], &[(1.0, 3.0), (2.0, -4.0)]));
    assert_eq!(eval_op(UnaryOp::Real, std::slice::from_ref(&z))[0], re);
    assert_eq!(eval_op(UnaryOp::Imag, std::slice::from_ref(&z))[0], im);
    assert_eq!(of(UnaryOp::Conj, &z), [1.0, -3.0, 2.0, 4.0]);
    // Of real numbers: themselves, and nothing.
    assert_eq!(eval_op(UnaryOp::Real, std::slice::from_ref(&re))[0], re);
    assert_eq!(of(UnaryOp::Imag, &re), [0.0, 0.0]);
    let compare = |direction, a: &Array, b: &Array| {
        let op = Compare { direction, kind: CompareType::Float };
        eval_op(op, &[a.clone(), b.clone()])[0].bytes().to_vec()
    };
    let other = c128(&[2], &[(1.0, 2.0), (2.0, -4.0)]);
    assert_eq!(compare(Direction::Eq, &z, &other), [0, 1]);
    assert_eq!(compare(Direction::Ne, &z, &other), [1, 0]);
    assert_eq!(compare(Direction::Gt, &z, &other), [1, 0]);
    let sum = Reduce { dims: smallvec![0], inputs: 1, reducer: Reducer::Op(BinaryOp::Add) };
    assert_eq!(parts(&eval_op(sum, &[z.clone(), c128(&[], &[(0.5, 0.0)])])[0]), [3.5, -1.0]);
    let product = Reduce { dims: smallvec![0], inputs: 1, reducer: Reducer::Op(BinaryOp::Multiply) };
    assert_eq!(parts(&eval_op(product, &[z.clone(), c128(&[], &[(1.0, 0.0)])])[0]), [14.0, 2.0]);
    let dot = DotGeneral {
        lhs_batching_dims: smallvec![],
        rhs_batching_dims: smallvec![],
        lhs_contracting_dims: smallvec![0],
        rhs_contracting_dims: smallvec![0],
        lhs_precision: Precision::Default,
        rhs_precision: Precision::Default,
        dtype: DType::C128,
    };
    assert_eq!(parts(&eval_op(dot, &[z.clone(), z.clone()])[0]), [-20.0, -10.0]);
    let real = eval_op(Convert { dtype: DType::F32 }, &[z]);
    assert_eq!(real[0].as_slice::<f32>(), [1.0, 2.0]);
}

#[test]
fn constraints() {
    let m = Module::default();
    let ty = |d: DType| Type::Tensor(TensorType::new(d, &[2]));
    let label = |op: Op, types: &[Type]| op.def().infer(&m, types).unwrap_err().constraint;
    assert_eq!(label(BinaryOp::Complex.into(), &[ty(DType::F32), ty(DType::F64)]), "C1");
    assert_eq!(label(BinaryOp::Complex.into(), &[ty(DType::F16), ty(DType::F16)]), "I1");
    assert_eq!(label(UnaryOp::Real.into(), &[ty(DType::I32)]), "I1");
    assert_eq!(label(UnaryOp::Imag.into(), &[ty(DType::I1)]), "I1");
    assert_eq!(label(BinaryOp::Remainder.into(), &[ty(DType::C64), ty(DType::C64)]), "I1");
    assert_eq!(label(UnaryOp::IsFinite.into(), &[ty(DType::C64)]), "I1");
}
