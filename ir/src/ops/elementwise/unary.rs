//! Operations of one operand.

use super::complex;
use super::number::Number;
use super::special;
use super::{Accepts, build, dispatch, elements, no_tangents, result, tensors, unsupported};
use crate::array::Array;
use crate::complex::Value;
use crate::func::{Func, Module};
use crate::op::{BinaryOp, Direction, UnaryOp};
use crate::ops::batching;
use crate::ops::sketch::{self, Sketch};
use crate::rules::{Batched, Mapped};
use crate::rules::{
    Emit, EvalError, Evaluate, Jvp, OpDef, Operand, Tangents, Term, Transpose, TypeError, Types,
};
use crate::types::{DType, TensorType, Type};
use crate::unary_of;
use crate::work::Sizes;
use smallvec::{SmallVec, smallvec};
use std::f64::consts::{LN_2, PI};

impl UnaryOp {
    /// Which element types it takes.
    pub(crate) fn accepts(self) -> Accepts {
        use UnaryOp::*;
        match self {
            Abs | Sign => Accepts::SIGNED,
            Negate | Square => Accepts::NUMBER,
            Exponential | ExponentialMinusOne | Log | LogPlusOne | Logistic | Sine | Cosine | Tan | Tanh
            | Sqrt | Rsqrt | Cbrt | Asin | Acos | Atan | Sinh | Cosh | Asinh | Acosh | Atanh => {
                Accepts::FLOAT_COMPLEX
            }
            Real | Imag | Conj => Accepts::FLOAT_COMPLEX,
            Ceil | Floor | RoundNearestAfz | RoundNearestEven | IsFinite | IsInf | IsPosInf | IsNegInf
            | Erf | Erfc | ErfInv | Lgamma | Digamma | BesselI1e | Exp2 | Log2 => Accepts::FLOAT,
            Not => Accepts::BITS,
            Popcnt | CountLeadingZeros => Accepts::INTEGER,
        }
    }

    /// The element type of what it gives for elements of a type that it takes.
    pub fn gives(self, x: DType) -> DType {
        use UnaryOp::*;
        match self {
            IsFinite | IsInf | IsPosInf | IsNegInf => DType::I1,
            Abs | Real | Imag => x.part(),
            Negate | Sign | Square | Exponential | ExponentialMinusOne | Log | LogPlusOne | Logistic
            | Sine | Cosine | Tan | Tanh | Sqrt | Rsqrt | Cbrt | Asin | Acos | Atan | Sinh | Cosh | Asinh
            | Acosh | Atanh | Conj | Ceil | Floor | RoundNearestAfz | RoundNearestEven | Erf | Erfc
            | ErfInv | Lgamma | Digamma | BesselI1e | Exp2 | Log2 | Not | Popcnt | CountLeadingZeros => x,
        }
    }

    /// Whether a complex number gives a real one.
    fn takes_part(self) -> bool {
        self.gives(DType::C64) == DType::F32
    }

    /// The derivative at `x`, where `y` is the value; `None` where it is zero. `Abs` and what is linear
    /// are not here.
    fn derivative(self, e: &mut (dyn Emit + '_), x: Term, y: Term) -> Option<Term> {
        use UnaryOp::*;
        Some(match self {
            Abs | Negate | Sign | Ceil | Floor | RoundNearestAfz | RoundNearestEven | IsFinite | IsInf
            | IsPosInf | IsNegInf | Not | Popcnt | CountLeadingZeros | Real | Imag | Conj => return None,
            Exponential => y,
            ExponentialMinusOne => affine(e, y, 1.0, 1.0),
            Exp2 => e.scale(y, LN_2),
            Log => reciprocal(e, x),
            Log2 => {
                let d = e.scale(x, LN_2);
                reciprocal(e, d)
            }
            LogPlusOne => {
                let d = affine(e, x, 1.0, 1.0);
                reciprocal(e, d)
            }
            Logistic => {
                let d = affine(e, y, -1.0, 1.0);
                e.mul(y, d)
            }
            Sine => e.unary(Cosine, x),
            Cosine => {
                let s = e.unary(Sine, x);
                e.neg(s)
            }
            Tan => polynomial(e, y, 1.0, 1.0),
            // (1 - y)(1 + y): keeps its digits where y is near 1.
            Tanh => one_minus_square(e, y),
            // A program with a root often has 1 / y already; a root is never so small that this overflows.
            Sqrt => {
                let d = reciprocal(e, y);
                e.scale(d, 0.5)
            }
            Rsqrt => {
                let square = e.mul(y, y);
                let cube = e.mul(square, y);
                e.scale(cube, -0.5)
            }
            Cbrt => {
                let square = e.mul(y, y);
                let third = e.splat_like(y, 1.0 / 3.0);
                e.div(third, square)
            }
            Erf => gaussian(e, x, -1.0, 2.0 / PI.sqrt()),
            Erfc => gaussian(e, x, -1.0, -2.0 / PI.sqrt()),
            ErfInv => gaussian(e, y, 1.0, PI.sqrt() / 2.0),
            Lgamma => e.unary(Digamma, x),
            Digamma => trigamma(e, x),
            BesselI1e => special::bessel_i1e_slope(e, x, y),
            Asin => {
                let d = one_minus_square(e, x);
                e.unary(Rsqrt, d)
            }
            Acos => {
                let d = one_minus_square(e, x);
                let d = e.unary(Rsqrt, d);
                e.neg(d)
            }
            Atan => {
                let d = polynomial(e, x, 1.0, 1.0);
                reciprocal(e, d)
            }
            Sinh => e.unary(Cosh, x),
            Cosh => e.unary(Sinh, x),
            Asinh => {
                let d = polynomial(e, x, 1.0, 1.0);
                e.unary(Rsqrt, d)
            }
            Acosh => {
                let (a, b) = (affine(e, x, 1.0, -1.0), affine(e, x, 1.0, 1.0));
                let d = e.mul(a, b);
                e.unary(Rsqrt, d)
            }
            Atanh => {
                let d = one_minus_square(e, x);
                reciprocal(e, d)
            }
            Square => e.scale(x, 2.0),
        })
    }
}

impl UnaryOp {
    /// The operation by others: what text shows for one that only we have, and all there is of those of `unary_of!(defined)`,
    /// which are evaluated by it and in whose place it stands before code is made.
    fn definition(self, e: &mut (dyn Emit + '_), x: Term) -> Option<Term> {
        use UnaryOp::*;
        Some(match self {
            Exp2 => {
                let power = e.scale(x, LN_2);
                e.unary(Exponential, power)
            }
            Log2 => {
                let (log, ln_2) = (e.unary(Log, x), e.splat_like(x, LN_2));
                e.div(log, ln_2)
            }
            IsInf => infinite(e, x, |e, x| e.compare(Direction::Eq, x, x)),
            IsPosInf => infinite(e, x, |e, x| against_zero(e, Direction::Gt, x)),
            IsNegInf => infinite(e, x, |e, x| against_zero(e, Direction::Lt, x)),
            _ => return None,
        })
    }

    /// [`Self::definition`] as a function of an operand of this type, if there is one.
    pub(crate) fn decomposition(self, operand: &TensorType) -> Option<Func> {
        Sketch::build(&mut Module::default(), &[operand.clone().into()], |s, x| {
            Some(vec![self.definition(s, x[0])?])
        })
    }
}

/// Whether `x` is not finite and `which` holds of it, as it holds of no NaN.
fn infinite(e: &mut (dyn Emit + '_), x: Term, which: impl Fn(&mut (dyn Emit + '_), Term) -> Term) -> Term {
    let finite = e.unary(UnaryOp::IsFinite, x);
    let beyond = e.unary(UnaryOp::Not, finite);
    let holds = which(e, x);
    e.binary(BinaryOp::And, beyond, holds)
}

fn against_zero(e: &mut (dyn Emit + '_), direction: Direction, x: Term) -> Term {
    let zero = e.splat_like(x, 0.0);
    e.compare(direction, x, zero)
}

/// `a * x + b`.
fn affine(e: &mut (dyn Emit + '_), x: Term, a: f64, b: f64) -> Term {
    let b = e.splat_like(x, b);
    if a == 1.0 {
        e.add(x, b)
    } else if a == -1.0 {
        e.sub(b, x)
    } else {
        let x = e.scale(x, a);
        e.add(x, b)
    }
}

/// `a * x^2 + b`.
fn polynomial(e: &mut (dyn Emit + '_), x: Term, a: f64, b: f64) -> Term {
    let square = e.mul(x, x);
    affine(e, square, a, b)
}

fn one_minus_square(e: &mut (dyn Emit + '_), x: Term) -> Term {
    let (a, b) = (affine(e, x, -1.0, 1.0), affine(e, x, 1.0, 1.0));
    e.mul(a, b)
}

fn reciprocal(e: &mut (dyn Emit + '_), x: Term) -> Term {
    let one = e.splat_like(x, 1.0);
    e.div(one, x)
}

/// `factor * e^(sign x^2)`.
fn gaussian(e: &mut (dyn Emit + '_), x: Term, sign: f64, factor: f64) -> Term {
    let square = e.mul(x, x);
    let exponent = if sign < 0.0 { e.neg(square) } else { square };
    let exp = e.unary(UnaryOp::Exponential, exponent);
    e.scale(exp, factor)
}

/// The derivative of digamma, from elementary operations so that it has derivatives in turn: for `x < 1/2`
/// the reflection `pi^2 / sin^2(pi x) - trigamma(1 - x)`, then `SHIFTS` steps of
/// `trigamma(z) = 1/z^2 + trigamma(z + 1)`, then the asymptotic series (Abramowitz and Stegun 6.4.12).
fn trigamma(e: &mut (dyn Emit + '_), x: Term) -> Term {
    const SHIFTS: usize = 10;
    // Bernoulli numbers B_2, B_4, ...: coefficients of z^-3, z^-5, ...
    const BERNOULLI: [f64; 8] = [
        1.0 / 6.0,
        -1.0 / 30.0,
        1.0 / 42.0,
        -1.0 / 30.0,
        5.0 / 66.0,
        -691.0 / 2730.0,
        7.0 / 6.0,
        -3617.0 / 510.0,
    ];
    let half = e.splat_like(x, 0.5);
    let small = e.compare(Direction::Lt, x, half);
    let reflected = affine(e, x, -1.0, 1.0);
    let mut z = e.select(small, reflected, x);
    let mut sum = e.splat_like(x, 0.0);
    for _ in 0..SHIFTS {
        let square = e.mul(z, z);
        let term = reciprocal(e, square);
        sum = e.add(sum, term);
        z = affine(e, z, 1.0, 1.0);
    }
    let inverse = reciprocal(e, z);
    let inverse2 = e.mul(inverse, inverse);
    let mut series = e.splat_like(x, 0.0);
    for &b in BERNOULLI.iter().rev() {
        let c = e.splat_like(x, b);
        let s = e.mul(series, inverse2);
        series = e.add(s, c);
    }
    // 1/z + 1/(2 z^2) + series / z^3
    let a = e.mul(series, inverse2);
    let a = e.mul(a, inverse);
    let b = e.scale(inverse2, 0.5);
    let tail = e.add(a, b);
    let tail = e.add(tail, inverse);
    let positive = e.add(sum, tail);
    // x is replaced where it is not used, so that no NaN of the unused branch reaches its derivative.
    let inside = e.select(small, x, half);
    // The square of the sine has the period 1, and is 0 at integers if it is taken of what is left of them.
    let whole = e.unary(UnaryOp::RoundNearestEven, inside);
    let rest = e.sub(inside, whole);
    let angle = e.scale(rest, PI);
    let sine = e.unary(UnaryOp::Sine, angle);
    let sine2 = e.mul(sine, sine);
    let pi2 = e.splat_like(x, PI * PI);
    let cosecant = e.div(pi2, sine2);
    let negative = e.sub(cosecant, positive);
    e.select(small, negative, positive)
}

impl OpDef for UnaryOp {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let [x] = tensors(operands)?;
        self.accepts().check(x)?;
        result(x.with_dtype(self.gives(x.dtype)))
    }

    fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        fn same<T: Number>(op: UnaryOp, x: &Array) -> Array {
            let v = elements::<T>(x);
            build(x.dtype(), x.shape(), |i| T::unary(op, v[i]))
        }
        fn finite<T: Number>(x: &Array) -> Array {
            let v = elements::<T>(x);
            build(DType::I1, x.shape(), |i| T::is_finite(v[i]) as u8)
        }
        fn part<T: Number>(op: UnaryOp, x: &Array) -> Array {
            let v = elements::<[T; 2]>(x);
            build(x.dtype().part(), x.shape(), |i| match complex::unary(op, v[i]) {
                Value::Real(y) => y,
                Value::Complex(_) => unreachable!("{} is complex", op.name()),
            })
        }
        let x = &operands[0];
        if !self.accepts().contains(x.dtype()) {
            return Err(unsupported(self.name(), x.dtype()));
        }
        Ok(vec![match self {
            _ if self.takes_part() && x.dtype() == DType::C64 => part::<f32>(*self, x),
            _ if self.takes_part() && x.dtype() == DType::C128 => part::<f64>(*self, x),
            UnaryOp::IsFinite => dispatch!(x.dtype(), self.name(), finite(x))?,
            unary_of!(defined) => {
                let by = self.decomposition(x.ty()).expect("those have a definition");
                return sketch::eval(cx, &by, operands);
            }
            _ => dispatch!(x.dtype(), self.name(), same(*self, x))?,
        }])
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        x.result(0)
    }

    fn jvp(&self, e: &mut dyn Emit, j: Jvp<'_>) -> Tangents {
        let (x, y) = (j.operands[0], j.results[0]);
        let Some(t) = j.tangents[0] else { return no_tangents(1) };
        smallvec![match self {
            UnaryOp::Negate => Some(e.neg(t)),
            UnaryOp::Real | UnaryOp::Imag | UnaryOp::Conj => Some(e.unary(*self, t)),
            // Re(t conj(z)) / |z|, 0 at 0.
            UnaryOp::Abs if e.ty(x).dtype.is_complex() => {
                let (zero, one) = (e.splat_like(y, 0.0), e.splat_like(y, 1.0));
                let origin = e.compare(Direction::Eq, y, zero);
                let modulus = e.select(origin, one, y);
                let nothing = e.splat_like(y, 0.0);
                let modulus = e.binary(BinaryOp::Complex, modulus, nothing);
                let conj = e.unary(UnaryOp::Conj, x);
                let direction = e.div(conj, modulus);
                let moved = e.mul(t, direction);
                Some(e.unary(UnaryOp::Real, moved))
            }
            // JAX's convention: +1 at zero of either sign.
            UnaryOp::Abs => {
                let zero = e.splat_like(x, 0.0);
                let positive = e.compare(Direction::Ge, x, zero);
                let negated = e.neg(t);
                Some(e.select(positive, t, negated))
            }
            // One rounding instead of two.
            UnaryOp::Log => Some(e.div(t, x)),
            _ => self.derivative(e, x, y).map(|d| e.mul(t, d)),
        }]
    }

    fn transpose(&self, e: &mut dyn Emit, x: Transpose<'_>) -> Tangents {
        let Operand::Linear(ty) = &x.operands[0] else { return no_tangents(1) };
        let Some(c) = x.cotangents[0] else { return no_tangents(1) };
        let is_complex = ty.dtype.is_complex();
        // As JAX has it: transposes are linear over the complex numbers, without conjugation.
        smallvec![match self {
            UnaryOp::Negate => Some(e.neg(c)),
            UnaryOp::Conj if is_complex => Some(e.unary(UnaryOp::Conj, c)),
            UnaryOp::Real if is_complex => {
                let zero = e.splat_like(c, 0.0);
                Some(e.binary(BinaryOp::Complex, c, zero))
            }
            UnaryOp::Imag if is_complex => {
                let (zero, minus) = (e.splat_like(c, 0.0), e.neg(c));
                Some(e.binary(BinaryOp::Complex, zero, minus))
            }
            UnaryOp::Real | UnaryOp::Conj => Some(c),
            UnaryOp::Imag => None,
            _ => panic!("not a linear operation: verify_linear must have refused it"),
        }]
    }

    fn expand(&self, e: &mut dyn Emit, operands: &[Term]) -> Option<SmallVec<[Term; 2]>> {
        let wide = matches!(e.ty(operands[0]).dtype, DType::F32 | DType::F64);
        if *self == UnaryOp::BesselI1e && wide {
            return Some(smallvec![special::emit_bessel_i1e(e, operands[0])]);
        }
        let defined = matches!(self, unary_of!(defined));
        if defined { self.definition(e, operands[0]).map(|y| smallvec![y]) } else { None }
    }

    fn is_linear(&self, linear: &[bool]) -> bool {
        let is = matches!(self, UnaryOp::Negate | UnaryOp::Real | UnaryOp::Imag | UnaryOp::Conj);
        is && linear == [true]
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        batching::elementwise(e, size, (*self).into(), operands)
    }
}
