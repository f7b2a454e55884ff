//! The logarithm and what is made of it: log, log2, log1p, asinh, acosh, atanh, pow.

use super::exp::{LN2_32, LN2_64, exp_pair, unless_tiny};
use super::lane::{Int, Lane};
use super::pair::Pair;

/// (log(1 + f) - f + f^2/2) / f^3 for 1 + f between sqrt(1/2) and sqrt(2).
const LOG_32: &[f64] = &[
    0.3333331048488617,
    -0.25,
    0.20002226531505585,
    -0.16668526828289032,
    0.14218121767044067,
    -0.12396421283483505,
    0.11888592690229416,
    -0.11725828796625137,
    0.06804917752742767,
];
/// (log((1 + s) / (1 - s)) / s - 2) / z in z = s^2, s = f / (2 + f).
const LOG_64: &[f64] = &[
    0.6666666666666737,
    0.3999999999939863,
    0.28571428745551214,
    0.22222198273544116,
    0.1818357906686337,
    0.15313687520924074,
    0.1479948733844746,
];
/// The same less its first term, 2/3, over z.
const LOG_PAIR_32: &[f64] =
    &[0.4000000059604645, 0.28571343421936035, 0.22217561304569244, 0.18872255086898804];
const LOG_PAIR_64: &[f64] = &[
    0.4,
    0.2857142857142405,
    0.2222222222492177,
    0.18181817448960297,
    0.1538472315195026,
    0.13324024417667435,
    0.1225069821046881,
    -0.04551747139497711,
    2.6533722409027307,
    -18.182704220541346,
];

/// x = 2^n m with m between sqrt(1/2) and sqrt(2), for positive x; returns n and m.
#[inline(always)]
fn split<L: Lane>(x: L) -> (L::Int, L) {
    let shift = x.int(L::MANTISSA);
    let subnormal = x.lt(L::pow2(x.int(1u64.wrapping_sub(L::BIAS))));
    let up = x.lit(L::pick(33_554_432.0, 18_014_398_509_481_984.0)); // 2^(MANTISSA + 2)
    let b = L::select(subnormal, x * up, x).bits();
    let n = b.sub(x.lit(std::f64::consts::FRAC_1_SQRT_2).bits()).sar(shift);
    let m = L::of(b.sub(n.shl(shift)));
    (L::Int::select(subnormal, n.sub(n.int(L::MANTISSA + 2)), n), m)
}

/// log(1 + f) - f.
#[inline(always)]
fn log1p_rest<L: Lane>(f: L) -> L {
    if L::WIDTH == 32 {
        (f * f) * f.fma(f.poly(LOG_32), f.lit(-0.5))
    } else {
        let s = f / (f.lit(2.0) + f);
        let z = s * s;
        let half_square = f * f * f.lit(0.5);
        s.fma(z.fma(z.poly(LOG_64), half_square), -half_square)
    }
}

/// n ln(2) + log(1 + f).
#[inline(always)]
fn combine<L: Lane>(n: L, f: L) -> L {
    let ln2 = L::pick(LN2_32, LN2_64);
    n.fma(f.lit(ln2[0]), f + n.fma(f.lit(ln2[1]), log1p_rest(f)))
}

/// Natural logarithm. 1 ULP.
#[inline(always)]
pub(super) fn log<L: Lane>(x: L) -> L {
    let zero = x.lit(0.0);
    let (n, m) = split(x);
    let y = combine(x.small_int(n), m - x.lit(1.0));
    let y = L::select(x.lt(x.inf()), y, x);
    let y = L::select(zero.lt(x), y, L::select(x.is(0.0), x.lit(f64::NEG_INFINITY), x.nan()));
    y.canonical()
}

/// Logarithm to base 2: exactly where x is a power of 2. 1.2 ULP.
#[inline(always)]
pub(super) fn log2<L: Lane>(x: L) -> L {
    let zero = x.lit(0.0);
    let (n, m) = split(x);
    let f = m - x.lit(1.0);
    let e = Pair::lit(x, std::f64::consts::LOG2_E, 2.0355273740931033e-17);
    let p = Pair::product(f, e.hi);
    let s = Pair::ordered_sum(x.small_int(n), p.hi);
    let y = s.hi + (s.lo + log1p_rest(f).fma(e.hi, f.fma(e.lo, p.lo)));
    let y = L::select(x.lt(x.inf()), y, x);
    let y = L::select(zero.lt(x), y, L::select(x.is(0.0), x.lit(f64::NEG_INFINITY), x.nan()));
    y.canonical()
}

/// log(x) for positive finite x, to half again the precision.
#[inline(always)]
pub(super) fn log_pair<L: Lane>(x: L) -> Pair<L> {
    let ln2 = L::pick(LN2_32, LN2_64);
    let (n, m) = split(x);
    let f = m - x.lit(1.0);
    let s = Pair::new(f, x.lit(0.0)).over(Pair::ordered_sum(x.lit(2.0), f));
    // log m = s (2 + w), w = z (2/3 + z Q(z)), z = s^2.
    let z = Pair::product(s.hi, s.hi);
    let z = Pair::new(z.hi, (s.hi + s.hi).fma(s.lo, z.lo));
    let third = Pair::lit(x, 2.0 / 3.0, 3.700743415417188e-17);
    let u = Pair::ordered_sum(third.hi, z.hi * z.hi.poly(L::pick(LOG_PAIR_32, LOG_PAIR_64)));
    let w = z.times(Pair::new(u.hi, z.lo.fma(x.lit(0.4), u.lo + third.lo)));
    let v = Pair::ordered_sum(x.lit(2.0), w.hi);
    let p = s.times(Pair::new(v.hi, v.lo + w.lo));
    let n = x.small_int(n);
    let y = Pair::ordered_sum(n * x.lit(ln2[0]), p.hi);
    Pair::new(y.hi, n.fma(x.lit(ln2[1]), y.lo + p.lo)).tidy()
}

/// log(1 + x) for x > -1, finite. 1 + x = 2^n (1 + f), and f = 2^-n x + (2^-n - 1) is rounded once.
#[inline(always)]
fn log1p_inside<L: Lane>(x: L) -> L {
    let one = x.lit(1.0);
    let n = (x + one).bits().sub(x.lit(std::f64::consts::FRAC_1_SQRT_2).bits()).sar(x.int(L::MANTISSA));
    // Four times the power is a normal number for every x.
    let power: L = L::pow2(n.int(2).sub(n));
    let f = (x * x.lit(0.25)).fma(power, power.fma(x.lit(0.25), -one));
    combine(x.small_int(n), f)
}

/// log(1 + x). 1.5 ULP.
#[inline(always)]
pub(super) fn log1p<L: Lane>(x: L) -> L {
    let y = unless_tiny(x, log1p_inside(x));
    let y = L::select(x.lt(x.inf()), y, x);
    let y = L::select(x.lit(-1.0).lt(x), y, L::select(x.is(-1.0), x.lit(f64::NEG_INFINITY), x.nan()));
    y.canonical()
}

/// log(1 + x) for positive x in two parts.
#[inline(always)]
fn log1p_of_pair<L: Lane>(x: Pair<L>) -> L {
    log1p_inside(x.hi) + x.lo / (x.hi + x.hi.lit(1.0))
}

/// log(x + sqrt(x^2 + 1)) = log1p(x + x^2 / (1 + sqrt(x^2 + 1))). 2 ULP.
#[inline(always)]
pub(super) fn asinh<L: Lane>(x: L) -> L {
    let a = x.abs();
    let one = x.lit(1.0);
    let large = x.lit(L::pick(1e8, 1e17)).lt(a);
    let b = L::select(large, one, a);
    let w = (b * b) / (one + b.fma(b, one).sqrt());
    let s = Pair::select(large, Pair::new(a, x.lit(0.0)), Pair::ordered_sum(b, w));
    let y = log1p_of_pair(s) + L::select(large, x.lit(std::f64::consts::LN_2), x.lit(0.0));
    let y = L::select(a.lt(x.inf()), y, a);
    unless_tiny(x, y.flip(x.sign())).canonical()
}

/// log(x + sqrt(x^2 - 1)) = log1p(t + sqrt(t (x + 1))) with t = x - 1. 2 ULP.
#[inline(always)]
pub(super) fn acosh<L: Lane>(x: L) -> L {
    let one = x.lit(1.0);
    let zero = x.lit(0.0);
    let large = x.lit(L::pick(1e8, 1e17)).lt(x);
    let b = L::select(large, x.lit(2.0), x);
    let t = Pair::sum(b, -one);
    let root = t.times(Pair::sum(b, one)).sqrt();
    let s = Pair::sum(t.hi, root.hi);
    let s = Pair::new(s.hi, s.lo + (t.lo + root.lo));
    let y = log1p_of_pair(Pair::select(large, Pair::new(x, zero), s));
    let y = y + L::select(large, x.lit(std::f64::consts::LN_2), zero);
    let y = L::select(x.is(1.0), zero, L::select(x.lt(x.inf()), y, x));
    L::select(x.lt(one), x.nan(), y).canonical()
}

/// log((1 + x) / (1 - x)) / 2 = log1p(2x / (1 - x)) / 2. 2 ULP.
#[inline(always)]
pub(super) fn atanh<L: Lane>(x: L) -> L {
    let a = x.abs();
    let one = x.lit(1.0);
    let b = L::select(a.lt(one), a, x.lit(0.5));
    let q = Pair::new(b + b, x.lit(0.0)).over(Pair::ordered_sum(one, -b));
    let y = log1p_of_pair(q) * x.lit(0.5);
    let y = L::select(a.lt(one), y, L::select(a.is(1.0), x.inf(), x.nan()));
    unless_tiny(x, y.flip(x.sign())).canonical()
}

/// Whether a number that is not negative is an integer, and 1 where it is an odd one. Infinity is an even integer.
#[inline(always)]
pub(super) fn parity<L: Lane>(b: L) -> (L::Mask, L::Int) {
    // Adding 2^MANTISSA leaves its last bit at the bottom.
    let unit = b.lit(L::pick(8_388_608.0, 4_503_599_627_370_496.0));
    let whole = unit.lt(b);
    let shifted = b + unit;
    let is_integer = L::select(whole, b, shifted - unit).bits().equal(b.bits());
    let last = L::Int::select(whole, b.bits(), shifted.bits());
    let beyond = (unit + unit).lt(b);
    let odd = last.and(L::Int::select(beyond, b.int(0), b.int(1)));
    (is_integer, L::Int::select(is_integer, odd, b.int(0)))
}

/// x^y, with C's special cases: 1 for y = 0 and for x = 1 even beside NaN. 1 ULP.
#[inline(always)]
pub(super) fn pow<L: Lane>(x: L, y: L) -> L {
    let (zero, one) = (x.lit(0.0), x.lit(1.0));
    let (a, b) = (x.abs(), y.abs());
    let (is_zero, is_inf) = (a.is(0.0), a.is(f64::INFINITY));
    let log = log_pair(L::select(is_zero, one, L::select(is_inf, one, a)));
    // Beyond `huge` every |y| gives the same; this one does not overflow.
    let huge = x.lit(L::pick(1e30, 1e300));
    let y_near = L::select(b.lt(huge), y, huge.flip(y.sign()));
    let hi = log.hi * y_near;
    let lo = log.lo.fma(y_near, log.hi.fma(y_near, -hi));
    let lo = L::select(hi.abs().lt(x.lit(1e4)), lo, zero);
    let ends = L::select(is_zero, x.lit(f64::NEG_INFINITY), x.inf()).flip(y.sign());
    let special = L::Int::select(is_zero, x.int(1), L::Int::select(is_inf, x.int(1), x.int(0)));
    let hi = L::select(special.equal(x.int(1)), ends, hi);
    let magnitude = exp_pair(Pair::new(hi, lo));

    let (is_integer, odd) = parity(b);
    let sign = x.sign().and(odd.shl(x.int(L::WIDTH - 1)));

    let r = magnitude.flip(sign);
    // A negative number other than -0 and -inf needs an integer.
    let finite_negative = L::both(x.lt(zero), x.lit(f64::NEG_INFINITY).lt(x));
    let r = L::select(finite_negative, L::select(is_integer, r, x.nan()), r);
    let inf = x.inf().bits();
    let r = L::select(inf.below(a.bits()), x.nan(), L::select(inf.below(b.bits()), x.nan(), r));
    let r = L::select(b.is(0.0), one, L::select(x.is(1.0), one, r));
    r.canonical()
}
