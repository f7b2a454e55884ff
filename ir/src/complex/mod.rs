//! Complex arithmetic as formulas over real and imaginary parts.
//!
//! A formula is written once over [`Parts`], without branches. The interpreter runs it on numbers, legalization
//! ([`Parts`] over instructions) writes it into programs, so both give the same bits. Formulas neither
//! overflow nor lose digits where the result does not; branch cuts and signs of zero are those of C99 and NumPy.
//!
//! References: W. Kahan, *Branch cuts for complex elementary functions* (1987); R. L. Smith, *Algorithm 116*
//! (1962) for division; T. J. Dekker, *A floating-point technique for extending the available precision* (1971)
//! for the sums of squares in logarithms.

mod hyperbolic;
mod inverse;
mod logarithm;

use crate::op::{BinaryOp, Direction, UnaryOp};
use crate::unary_of;

/// Arithmetic of real parts: on numbers, or on values of a program under construction.
pub trait Parts {
    /// A real number.
    type V: Copy;
    /// A truth value.
    type P: Copy;
    /// A constant.
    fn constant(&mut self, value: f64) -> Self::V;
    /// Whether the parts are binary64, else binary32.
    fn is_wide(&self) -> bool;
    /// A real operation of one operand.
    fn unary(&mut self, op: UnaryOp, x: Self::V) -> Self::V;
    /// A real operation of two operands.
    fn binary(&mut self, op: BinaryOp, a: Self::V, b: Self::V) -> Self::V;
    /// `a * b + c`, rounded once.
    fn fma(&mut self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// IEEE comparison.
    fn compare(&mut self, direction: Direction, a: Self::V, b: Self::V) -> Self::P;
    /// Conjunction.
    fn and(&mut self, a: Self::P, b: Self::P) -> Self::P;
    /// Disjunction.
    fn or(&mut self, a: Self::P, b: Self::P) -> Self::P;
    /// `p ? a : b`.
    fn choose(&mut self, p: Self::P, a: Self::V, b: Self::V) -> Self::V;
}

/// A complex number by its parts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Complex<V> {
    /// Real part.
    pub re: V,
    /// Imaginary part.
    pub im: V,
}

/// What an operation of one operand gives.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value<V> {
    /// A real number: the modulus, a part.
    Real(V),
    /// A complex number.
    Complex(Complex<V>),
}

/// The arithmetic with names that read like formulas.
struct F<'a, A: Parts>(&'a mut A);

type C<A> = Complex<<A as Parts>::V>;

/// Whether formulas of binary32 parts are computed in binary64 and rounded once: all but arithmetic.
pub fn is_computed_wide(op: UnaryOp) -> bool {
    use UnaryOp::*;
    !matches!(op, Abs | Real | Imag | Conj | Negate | Sign | Square)
}

/// As [`is_computed_wide`], of two operands.
pub fn is_computed_wide2(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Power | BinaryOp::Atan2)
}

/// `op` of a complex number; `None` if it has no meaning there.
pub fn unary<A: Parts>(a: &mut A, op: UnaryOp, z: C<A>) -> Option<Value<A::V>> {
    let mut f = F(a);
    Some(Value::Complex(match op {
        UnaryOp::Abs => return Some(Value::Real(f.modulus(z))),
        UnaryOp::Real => return Some(Value::Real(z.re)),
        UnaryOp::Imag => return Some(Value::Real(z.im)),
        UnaryOp::Conj => Complex { re: z.re, im: f.neg(z.im) },
        UnaryOp::Negate => f.negate(z),
        UnaryOp::Sign => f.sign(z),
        UnaryOp::Exponential => f.exp(z),
        UnaryOp::ExponentialMinusOne => f.expm1(z),
        UnaryOp::Log => f.log(z),
        UnaryOp::LogPlusOne => f.log1p(z),
        UnaryOp::Logistic => f.logistic(z),
        UnaryOp::Sine => f.sin(z),
        UnaryOp::Cosine => f.cos(z),
        UnaryOp::Tan => f.tan(z),
        UnaryOp::Tanh => f.tanh(z),
        UnaryOp::Sqrt => f.sqrt(z),
        UnaryOp::Rsqrt => f.rsqrt(z),
        UnaryOp::Cbrt => f.cbrt(z),
        UnaryOp::Asin => f.asin(z),
        UnaryOp::Acos => f.acos(z),
        UnaryOp::Atan => f.atan(z),
        UnaryOp::Sinh => f.sinh(z),
        UnaryOp::Cosh => f.cosh(z),
        UnaryOp::Asinh => f.asinh(z),
        UnaryOp::Acosh => f.acosh(z),
        UnaryOp::Atanh => f.atanh(z),
        UnaryOp::Square => f.multiply(z, z),
        UnaryOp::Ceil
        | UnaryOp::Floor
        | UnaryOp::RoundNearestAfz
        | UnaryOp::RoundNearestEven
        | UnaryOp::IsFinite
        | UnaryOp::Not
        | UnaryOp::Popcnt
        | UnaryOp::CountLeadingZeros
        | UnaryOp::Erf
        | UnaryOp::Erfc
        | UnaryOp::ErfInv
        | UnaryOp::Lgamma
        | UnaryOp::Digamma
        | UnaryOp::BesselI1e
        | UnaryOp::Exp2
        | UnaryOp::Log2
        | unary_of!(defined) => return None,
    }))
}

/// `op` of two complex numbers; `None` if it has no meaning there.
pub fn binary<A: Parts>(a: &mut A, op: BinaryOp, x: C<A>, y: C<A>) -> Option<C<A>> {
    let mut f = F(a);
    Some(match op {
        BinaryOp::Add => Complex { re: f.add(x.re, y.re), im: f.add(x.im, y.im) },
        BinaryOp::Subtract => Complex { re: f.sub(x.re, y.re), im: f.sub(x.im, y.im) },
        BinaryOp::Multiply => f.multiply(x, y),
        BinaryOp::Divide => f.divide(x, y),
        BinaryOp::Power => f.power(x, y),
        BinaryOp::Atan2 => f.atan2_of(x, y),
        BinaryOp::Maximum => f.extreme(Direction::Gt, x, y),
        BinaryOp::Minimum => f.extreme(Direction::Lt, x, y),
        BinaryOp::Remainder
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::ShiftLeft
        | BinaryOp::ShiftRightArithmetic
        | BinaryOp::ShiftRightLogical
        | BinaryOp::Complex
        | BinaryOp::NextAfter
        | BinaryOp::Mulhi
        | BinaryOp::Zeta
        | BinaryOp::Polygamma => return None,
    })
}

/// Whether `direction` holds of two complex numbers, ordered by their real parts and then by their imaginary ones.
pub fn compare<A: Parts>(a: &mut A, direction: Direction, x: C<A>, y: C<A>) -> A::P {
    let re_eq = a.compare(Direction::Eq, x.re, y.re);
    match direction {
        Direction::Eq => {
            let im = a.compare(Direction::Eq, x.im, y.im);
            a.and(re_eq, im)
        }
        Direction::Ne => {
            let (re, im) = (a.compare(Direction::Ne, x.re, y.re), a.compare(Direction::Ne, x.im, y.im));
            a.or(re, im)
        }
        Direction::Ge | Direction::Gt | Direction::Le | Direction::Lt => {
            let strict = match direction {
                Direction::Ge | Direction::Gt => Direction::Gt,
                _ => Direction::Lt,
            };
            let re = a.compare(strict, x.re, y.re);
            let im = a.compare(direction, x.im, y.im);
            let tied = a.and(re_eq, im);
            a.or(re, tied)
        }
    }
}

/// Thresholds of a floating-point type.
struct Limits {
    /// Above this a square may overflow, or a sum of two numbers.
    huge: f64,
    /// Below this a square loses digits.
    tiny: f64,
    /// A power of two by which [`Limits::tiny`] numbers become ordinary.
    up: f64,
    /// Above this, hyperbolic functions are exponentials.
    steep: f64,
    /// Above this, tanh is 1 to rounding.
    flat: f64,
}

impl<A: Parts> F<'_, A> {
    fn limits(&self) -> Limits {
        if self.0.is_wide() {
            Limits {
                huge: 2f64.powi(1000),
                tiny: 2f64.powi(-960),
                up: 2f64.powi(200),
                steep: 709.0,
                flat: 22.0,
            }
        } else {
            Limits { huge: 2f64.powi(120), tiny: 2f64.powi(-100), up: 2f64.powi(60), steep: 88.0, flat: 10.0 }
        }
    }

    fn num(&mut self, value: f64) -> A::V {
        self.0.constant(value)
    }
    fn add(&mut self, a: A::V, b: A::V) -> A::V {
        self.0.binary(BinaryOp::Add, a, b)
    }
    fn sub(&mut self, a: A::V, b: A::V) -> A::V {
        self.0.binary(BinaryOp::Subtract, a, b)
    }
    fn mul(&mut self, a: A::V, b: A::V) -> A::V {
        self.0.binary(BinaryOp::Multiply, a, b)
    }
    fn div(&mut self, a: A::V, b: A::V) -> A::V {
        self.0.binary(BinaryOp::Divide, a, b)
    }
    fn max(&mut self, a: A::V, b: A::V) -> A::V {
        self.0.binary(BinaryOp::Maximum, a, b)
    }
    fn min(&mut self, a: A::V, b: A::V) -> A::V {
        self.0.binary(BinaryOp::Minimum, a, b)
    }
    fn atan2(&mut self, y: A::V, x: A::V) -> A::V {
        self.0.binary(BinaryOp::Atan2, y, x)
    }
    fn neg(&mut self, x: A::V) -> A::V {
        self.0.unary(UnaryOp::Negate, x)
    }
    fn abs(&mut self, x: A::V) -> A::V {
        self.0.unary(UnaryOp::Abs, x)
    }
    fn of(&mut self, op: UnaryOp, x: A::V) -> A::V {
        self.0.unary(op, x)
    }
    fn scale(&mut self, x: A::V, by: f64) -> A::V {
        let by = self.num(by);
        self.mul(x, by)
    }
    fn offset(&mut self, x: A::V, by: f64) -> A::V {
        let by = self.num(by);
        self.add(x, by)
    }
    fn is(&mut self, a: A::V, direction: Direction, b: f64) -> A::P {
        let b = self.num(b);
        self.0.compare(direction, a, b)
    }
    fn choose(&mut self, p: A::P, a: A::V, b: A::V) -> A::V {
        self.0.choose(p, a, b)
    }
    /// The size of `x` with the sign of `sign`, zeros included. Not for NaN signs.
    fn copysign(&mut self, x: A::V, sign: A::V) -> A::V {
        // 1/-0 is negative; an infinite reciprocal of a subnormal has the right sign too.
        let one = self.num(1.0);
        let inverse = self.div(one, sign);
        let zero = self.is(sign, Direction::Eq, 0.0);
        let decider = self.choose(zero, inverse, sign);
        let negative = self.is(decider, Direction::Lt, 0.0);
        let size = self.abs(x);
        let minus = self.neg(size);
        self.choose(negative, minus, size)
    }
    fn is_infinite(&mut self, x: A::V) -> A::P {
        let size = self.abs(x);
        self.is(size, Direction::Eq, f64::INFINITY)
    }
    /// The larger and the smaller size of the parts.
    fn sizes(&mut self, z: C<A>) -> (A::V, A::V) {
        let (a, b) = (self.abs(z.re), self.abs(z.im));
        (self.max(a, b), self.min(a, b))
    }

    fn negate(&mut self, z: C<A>) -> C<A> {
        Complex { re: self.neg(z.re), im: self.neg(z.im) }
    }
    /// i z.
    fn times_i(&mut self, z: C<A>) -> C<A> {
        Complex { re: self.neg(z.im), im: z.re }
    }
    /// -i z.
    fn over_i(&mut self, z: C<A>) -> C<A> {
        Complex { re: z.im, im: self.neg(z.re) }
    }

    /// `(a + bi)(c + di) = (ac - bd) + (ad + bc)i`.
    fn multiply(&mut self, x: C<A>, y: C<A>) -> C<A> {
        let (ac, bd) = (self.mul(x.re, y.re), self.mul(x.im, y.im));
        let (ad, bc) = (self.mul(x.re, y.im), self.mul(x.im, y.re));
        Complex { re: self.sub(ac, bd), im: self.add(ad, bc) }
    }

    /// Smith's method: the larger part of the divisor is divided out first. Then what IEEE says of zeros and
    /// infinities.
    fn divide(&mut self, x: C<A>, y: C<A>) -> C<A> {
        let (c, d) = (self.abs(y.re), self.abs(y.im));
        let wide = self.0.compare(Direction::Ge, c, d);
        let (big, small) = (self.choose(wide, y.re, y.im), self.choose(wide, y.im, y.re));
        let ratio = self.div(small, big);
        let step = self.mul(small, ratio);
        let scale = self.add(big, step);
        // With |c| >= |d|: (a + b r) + (b - a r)i, else (a r + b) + (b r - a)i.
        let (first, second) = (self.choose(wide, x.re, x.im), self.choose(wide, x.im, x.re));
        let re = self.mul(second, ratio);
        let re = self.add(first, re);
        let im = self.mul(first, ratio);
        let im = self.sub(second, im);
        let minus = self.neg(im);
        let im = self.choose(wide, im, minus);
        let smith = Complex { re: self.div(re, scale), im: self.div(im, scale) };
        // Division by zero: infinity of the sign of the divisor's real part, times the dividend.
        let largest = self.max(c, d);
        let by_zero = self.is(largest, Direction::Eq, 0.0);
        let infinity = self.num(f64::INFINITY);
        let signed = self.copysign(infinity, y.re);
        let poles = Complex { re: self.mul(signed, x.re), im: self.mul(signed, x.im) };
        // A finite number by an infinite one.
        let (e, g) = self.sizes(x);
        let _ = g;
        let finite = self.is(e, Direction::Lt, f64::INFINITY);
        let (inf_c, inf_d) = (self.is_infinite(y.re), self.is_infinite(y.im));
        let infinite_divisor = self.0.or(inf_c, inf_d);
        let vanishes = self.0.and(finite, infinite_divisor);
        let zero = self.num(0.0);
        // An infinite number by a finite one.
        let (inf_a, inf_b) = (self.is_infinite(x.re), self.is_infinite(x.im));
        let infinite = self.0.or(inf_a, inf_b);
        let finite_divisor = self.is(largest, Direction::Lt, f64::INFINITY);
        let grows = self.0.and(infinite, finite_divisor);
        let boxed = |f: &mut Self, is: A::P, part: A::V| {
            let (one, zero) = (f.num(1.0), f.num(0.0));
            let unit = f.choose(is, one, zero);
            f.copysign(unit, part)
        };
        let (a, b) = (boxed(self, inf_a, x.re), boxed(self, inf_b, x.im));
        let (ac, bd) = (self.mul(a, y.re), self.mul(b, y.im));
        let (bc, ad) = (self.mul(b, y.re), self.mul(a, y.im));
        let (re, im) = (self.add(ac, bd), self.sub(bc, ad));
        let infinite_result = Complex { re: self.mul(infinity, re), im: self.mul(infinity, im) };
        let pick = |f: &mut Self, smith: A::V, pole: A::V, infinite: A::V| {
            let out = f.choose(grows, infinite, smith);
            let out = f.choose(vanishes, zero, out);
            f.choose(by_zero, pole, out)
        };
        Complex {
            re: pick(self, smith.re, poles.re, infinite_result.re),
            im: pick(self, smith.im, poles.im, infinite_result.im),
        }
    }

    /// `m sqrt(1 + (n/m)^2)` of the larger and the smaller size; infinite if either is.
    fn modulus(&mut self, z: C<A>) -> A::V {
        let (m, n) = self.sizes(z);
        let ratio = self.div(n, m);
        let square = self.mul(ratio, ratio);
        let sum = self.offset(square, 1.0);
        let root = self.of(UnaryOp::Sqrt, sum);
        let modulus = self.mul(m, root);
        // Zero and infinity by themselves are no quotient.
        let equal = self.0.compare(Direction::Eq, m, n);
        let diagonal = self.scale(m, std::f64::consts::SQRT_2);
        let modulus = self.choose(equal, diagonal, modulus);
        let (a, b) = (self.is_infinite(z.re), self.is_infinite(z.im));
        let infinite = self.0.or(a, b);
        let infinity = self.num(f64::INFINITY);
        self.choose(infinite, infinity, modulus)
    }

    /// `z / |z|`, 0 at 0.
    fn sign(&mut self, z: C<A>) -> C<A> {
        let modulus = self.modulus(z);
        let zero = self.is(modulus, Direction::Eq, 0.0);
        let (re, im) = (self.div(z.re, modulus), self.div(z.im, modulus));
        Complex { re: self.choose(zero, z.re, re), im: self.choose(zero, z.im, im) }
    }

    /// `e^a (cos b + i sin b)`.
    fn exp(&mut self, z: C<A>) -> C<A> {
        let (c, s) = (self.of(UnaryOp::Cosine, z.im), self.of(UnaryOp::Sine, z.im));
        Complex { re: self.exp_times(z.re, c), im: self.exp_times(z.re, s) }
    }

    /// `e^a s`, in two factors where the exponential overflows; 0 if `s` is.
    fn exp_times(&mut self, a: A::V, s: A::V) -> A::V {
        let e = self.of(UnaryOp::Exponential, a);
        let plain = self.mul(e, s);
        let half = self.scale(a, 0.5);
        let half = self.of(UnaryOp::Exponential, half);
        let twice = self.mul(half, s);
        let twice = self.mul(twice, half);
        let overflows = self.is(e, Direction::Eq, f64::INFINITY);
        let product = self.choose(overflows, twice, plain);
        // e^-inf times anything is 0.
        let (vanishes, zero) = (self.is(e, Direction::Eq, 0.0), self.num(0.0));
        let product = self.choose(vanishes, zero, product);
        let none = self.is(s, Direction::Eq, 0.0);
        self.choose(none, s, product)
    }

    /// Real part `expm1(a) cos b - 2 sin^2(b/2)`, imaginary part `e^a sin b`.
    fn expm1(&mut self, z: C<A>) -> C<A> {
        let (c, s) = (self.of(UnaryOp::Cosine, z.im), self.of(UnaryOp::Sine, z.im));
        let grown = self.of(UnaryOp::ExponentialMinusOne, z.re);
        let half = self.scale(z.im, 0.5);
        let half = self.of(UnaryOp::Sine, half);
        let square = self.mul(half, half);
        let lost = self.scale(square, 2.0);
        let product = self.mul(grown, c);
        let re = self.sub(product, lost);
        // Far out both parts are those of the exponential.
        let large = self.exp_times(z.re, c);
        let steep = self.is(grown, Direction::Eq, f64::INFINITY);
        Complex { re: self.choose(steep, large, re), im: self.exp_times(z.re, s) }
    }

    /// `1 / (1 + e^-z)`.
    fn logistic(&mut self, z: C<A>) -> C<A> {
        let minus = self.negate(z);
        let e = self.exp(minus);
        let one = Complex { re: self.num(1.0), im: self.num(0.0) };
        let sum = Complex { re: self.offset(e.re, 1.0), im: e.im };
        self.divide(one, sum)
    }

    /// `sqrt((|a| + |z|) / 2)` and `b` over twice that, exchanged in the left half plane.
    fn sqrt(&mut self, z: C<A>) -> C<A> {
        let limits = self.limits();
        // Scaling by a power of four is exact for the argument and a power of two for the root.
        let (m, _) = self.sizes(z);
        let (one, small, large) = (self.num(1.0), self.num(limits.up), self.num(0.0625));
        let (tiny, huge) = (self.is(m, Direction::Lt, limits.tiny), self.is(m, Direction::Gt, limits.huge));
        let factor = self.choose(tiny, small, one);
        let factor = self.choose(huge, large, factor);
        let (back_small, back_large) = (self.num(1.0 / limits.up.sqrt()), self.num(4.0));
        let back = self.choose(tiny, back_small, one);
        let back = self.choose(huge, back_large, back);
        let scaled = Complex { re: self.mul(z.re, factor), im: self.mul(z.im, factor) };
        let modulus = self.modulus(scaled);
        let size = self.abs(scaled.re);
        let sum = self.add(size, modulus);
        let half = self.scale(sum, 0.5);
        let t = self.of(UnaryOp::Sqrt, half);
        let double = self.scale(t, 2.0);
        let u = self.div(scaled.im, double);
        // Where b is infinite so are both parts; at zero there is nothing to divide.
        let inf = self.is_infinite(z.im);
        let u = self.choose(inf, z.im, u);
        let nothing = self.is(t, Direction::Eq, 0.0);
        let u = self.choose(nothing, z.im, u);
        let zero = self.num(0.0);
        // An infinite real part with a finite imaginary one leaves a zero with the sign of b.
        let steep = self.is_infinite(z.re);
        let finite = self.abs(z.im);
        let finite = self.is(finite, Direction::Lt, f64::INFINITY);
        let steep = self.0.and(steep, finite);
        let signed = self.copysign(zero, z.im);
        let u = self.choose(steep, signed, u);
        let infinity = self.num(f64::INFINITY);
        let t = self.choose(inf, infinity, t);
        let (t, u) = (self.mul(t, back), self.mul(u, back));
        let left = self.is(z.re, Direction::Lt, 0.0);
        let (turned_re, turned_im) = (self.abs(u), self.copysign(t, z.im));
        // -inf + NaN i and the like: infinite imaginary part is kept by `inf` above.
        Complex { re: self.choose(left, turned_re, t), im: self.choose(left, turned_im, u) }
    }

    /// `1 / sqrt(z)`.
    fn rsqrt(&mut self, z: C<A>) -> C<A> {
        let root = self.sqrt(z);
        let one = Complex { re: self.num(1.0), im: self.num(0.0) };
        self.divide(one, root)
    }

    /// The principal root, in polar form.
    fn cbrt(&mut self, z: C<A>) -> C<A> {
        let modulus = self.modulus(z);
        let radius = self.of(UnaryOp::Cbrt, modulus);
        let angle = self.atan2(z.im, z.re);
        let three = self.num(3.0);
        let angle = self.div(angle, three);
        self.polar(radius, angle)
    }

    /// `e^(y log x)` with `|x|^c e^(-d arg x)` as its size; 0^0 is 1 and 0^y is 0 for positive real part of y.
    fn power(&mut self, x: C<A>, y: C<A>) -> C<A> {
        let modulus = self.modulus(x);
        let angle = self.atan2(x.im, x.re);
        let log = self.log_modulus(x);
        let grown = self.0.binary(BinaryOp::Power, modulus, y.re);
        let turn = self.mul(y.im, angle);
        let turn = self.neg(turn);
        let turn = self.of(UnaryOp::Exponential, turn);
        let radius = self.mul(grown, turn);
        let (a, b) = (self.mul(y.re, angle), self.mul(y.im, log));
        let angle = self.add(a, b);
        let power = self.polar(radius, angle);
        let (one, zero) = (self.num(1.0), self.num(0.0));
        let origin = self.is(modulus, Direction::Eq, 0.0);
        let grows = self.is(y.re, Direction::Gt, 0.0);
        let vanishes = self.0.and(origin, grows);
        let (none_re, none_im) = (self.is(y.re, Direction::Eq, 0.0), self.is(y.im, Direction::Eq, 0.0));
        let unit = self.0.and(none_re, none_im);
        let re = self.choose(vanishes, zero, power.re);
        let im = self.choose(vanishes, zero, power.im);
        Complex { re: self.choose(unit, one, re), im: self.choose(unit, zero, im) }
    }

    /// `-i log((x + i y) / sqrt(x^2 + y^2))`.
    fn atan2_of(&mut self, y: C<A>, x: C<A>) -> C<A> {
        let turned = self.times_i(y);
        let sum = Complex { re: self.add(x.re, turned.re), im: self.add(x.im, turned.im) };
        let (x2, y2) = (self.multiply(x, x), self.multiply(y, y));
        let norm = Complex { re: self.add(x2.re, y2.re), im: self.add(x2.im, y2.im) };
        let norm = self.sqrt(norm);
        let unit = self.divide(sum, norm);
        let log = self.log(unit);
        self.over_i(log)
    }

    /// The larger or the smaller in lexicographic order; a NaN wins.
    fn extreme(&mut self, direction: Direction, x: C<A>, y: C<A>) -> C<A> {
        let first = compare(self.0, direction, x, y);
        let nan = compare(self.0, Direction::Ne, x, x);
        let take = self.0.or(first, nan);
        Complex { re: self.choose(take, x.re, y.re), im: self.choose(take, x.im, y.im) }
    }
}
