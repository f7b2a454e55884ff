//! The logarithm of the gamma function and its derivative.

use super::lane::{Int as _, Lane};
use super::log::log_pair;
use super::pair::Pair;
use super::trig::sin_cos_small;

/// log Gamma(2 + t) / t for t between 0 and 1.
const MIDDLE_32: &[f64] = &[
    0.42278435826301575,
    0.3224661350250244,
    -0.06734120845794678,
    0.020515628159046173,
    -0.007171895354986191,
    0.0024690129794180393,
    -0.0006730600143782794,
    9.821023559197783e-05,
];
const MIDDLE_64: &[f64] = &[
    0.42278433509846713,
    0.32246703342411337,
    -0.06735230105318922,
    0.020580808427263713,
    -0.0073855510171606555,
    0.0028905101841825106,
    -0.0011927526838883837,
    0.0005096622793795236,
    -0.0002231233822668213,
    9.935511026419236e-05,
    -4.4669868515785904e-05,
    2.0009136726514233e-05,
    -8.682961834732045e-06,
    3.471985707824334e-06,
    -1.18810939951612e-06,
    3.149592498274183e-07,
    -5.582760454831406e-08,
    4.858450363346962e-09,
];
/// The error of Stirling's formula times x, in 1 / x^2, for x >= 8.
const STIRLING_32: &[f64] = &[0.0833333358168602, -0.002778352005407214, 0.0008134942036122084];
const STIRLING_64: &[f64] = &[
    0.08333333333333333,
    -0.0027777777777666522,
    0.0007936507858933437,
    -0.0005952357017463952,
    0.0008413693276673219,
    -0.001884537533571475,
    0.0049099001263850795,
    0.0013001444209023467,
];
/// (log x - 1 / 2x - digamma x) x^2, likewise.
const DIGAMMA_32: &[f64] = &[0.0833333358168602, -0.008333542384207249, 0.003912467509508133];
const DIGAMMA_64: &[f64] = &[
    0.08333333333333333,
    -0.008333333333321117,
    0.003968253958720518,
    -0.004166663285745317,
    0.007575113613484235,
    -0.021022070240883508,
    0.07878728744152702,
    -0.27834185223546276,
];

const PI: [f64; 2] = [std::f64::consts::PI, 1.2246467991473532e-16];
/// log(pi).
const LOG_PI: [f64; 2] = [1.1447298858494002, 1.0265951162707826e-17];
/// (log(2 pi) - 1) / 2.
const STIRLING_OFFSET: [f64; 2] = [0.4189385332046727, 1.6728209650585413e-17];

#[inline(always)]
fn constant<L: Lane>(x: L, c: [f64; 2]) -> Pair<L> {
    Pair::lit(x, c[0], c[1])
}

#[inline(always)]
fn single<L: Lane>(x: L) -> Pair<L> {
    Pair::new(x, x.lit(0.0))
}

/// log Gamma(a) for positive finite a.
#[inline(always)]
fn lgamma_positive<L: Lane>(a: L) -> Pair<L> {
    let (zero, one) = (a.lit(0.0), a.lit(1.0));
    let small = a.lt(a.lit(8.0));
    // Into [2, 3) by the recurrence: Gamma(a) = Gamma(y) p, or Gamma(y) / p for a below 2.
    let (below_one, below_two) = (a.lt(one), a.lt(a.lit(2.0)));
    let mut y = L::select(below_one, a + a.lit(2.0), L::select(below_two, a + one, a));
    let mut p = L::select(below_one, a.fma(a, a), L::select(below_two, a, one));
    for i in 1..6 {
        let more = a.lt(a.lit(f64::from(i + 2)));
        let factor = a - a.lit(f64::from(i));
        p = L::select(more, p, p * factor);
        y = L::select(more, y, factor);
    }
    let t = L::select(small, y - a.lit(2.0), zero);
    let middle = t * t.poly(L::pick(MIDDLE_32, MIDDLE_64));
    let log = log_pair(L::select(small, p, a));
    // (a - 1/2) (log a - 1) + offset + S / a.
    let log_less = Pair::ordered_sum(log.hi, -one);
    let factor = Pair::sum(a, a.lit(-0.5));
    let r = one / a;
    let series = r * (r * r).poly(L::pick(STIRLING_32, STIRLING_64));
    let stirling =
        Pair::new(log_less.hi, log_less.lo + log.lo).times(factor).plus(constant(a, STIRLING_OFFSET));
    let stirling = stirling.plus(single(series));
    let log = Pair::select(below_two, log.neg(), log);
    Pair::select(small, log.plus(single(middle)), stirling)
}

/// a minus the nearest integer, for a not negative.
#[inline(always)]
fn fraction<L: Lane>(a: L) -> L {
    let unit = a.lit(L::pick(8_388_608.0, 4_503_599_627_370_496.0));
    L::select(a.lt(unit), a - ((a + unit) - unit), a.lit(0.0))
}

/// sin(pi r) and cos(pi r) for r between 0 and 1/2.
#[inline(always)]
fn sin_cos_pi<L: Lane>(r: L) -> (Pair<L>, Pair<L>) {
    let flipped = r.lit(0.25).lt(r);
    let t = L::select(flipped, r.lit(0.5) - r, r);
    let (s, c) = sin_cos_small(single(t).times(constant(r, PI)));
    let (s, c) = (s.tidy(), c.tidy());
    (Pair::select(flipped, c, s), Pair::select(flipped, s, c))
}

/// By reflection: Gamma(-a) Gamma(a) = -pi / (a sin(pi a)).
#[inline(always)]
fn lgamma_negative<L: Lane>(a: L) -> L {
    let zero = a.lit(0.0);
    let r = fraction(a).abs();
    let tiny = a.lt(a.lit(L::pick(1e-5, 1e-9)));
    let (s, _) = sin_cos_pi(L::select(tiny, a.lit(0.5), r));
    let w = s.times(single(L::select(tiny, a.lit(1.0), a)));
    let safe = L::select(zero.lt(w.hi), w.hi, a.lit(1.0));
    let log = log_pair(safe);
    let log = Pair::new(log.hi, log.lo + w.lo / safe);
    let positive = lgamma_positive(a);
    let y = constant(a, LOG_PI).plus(log.plus(positive).neg()).value();
    // Near zero lgamma(-a) = lgamma(a) + 2 gamma a.
    let near = a.fma(a.lit(1.154_431_329_803_065_8), positive.value());
    L::select(r.is(0.0), a.inf(), L::select(tiny, near, y))
}

/// log |Gamma(x)|. 4 ULP of the larger of the result and 1.
#[inline(always)]
pub(super) fn lgamma<L: Lane>(x: L) -> L {
    let a = x.abs();
    let end = |y: L| {
        let y = L::select(a.lt(x.lit(L::pick(4.0850034e36, 2.556_348e305))), y, x.inf());
        let y = L::select(x.is(0.0), x.inf(), y);
        let inf = x.inf().bits();
        L::select(inf.below(a.bits()), x.nan(), y)
    };
    L::rarely(x.lt(x.lit(0.0)), || end(lgamma_negative(a)), end(lgamma_positive(a).value()))
}

/// digamma(a) and digamma(1 + a) for a not negative.
#[inline(always)]
fn digamma_positive<L: Lane>(a: L) -> (L, Pair<L>) {
    let (zero, one) = (a.lit(0.0), a.lit(1.0));
    let small = a.lt(a.lit(8.0));
    let y = L::select(small, a + a.lit(8.0), a);
    let log = log_pair(y);
    let r = one / y;
    let z = r * r;
    let series = z.fma(z.poly(L::pick(DIGAMMA_32, DIGAMMA_64)), r * a.lit(0.5));
    // digamma(1 + a) = digamma(8 + a) - sum of 1 / (a + i), and without the sum where a is large.
    let mut sum = single(zero);
    for i in (1..8).rev() {
        let s = Pair::sum(sum.hi, one / (a + a.lit(f64::from(i))));
        sum = Pair::new(s.hi, sum.lo + s.lo);
    }
    let sum = Pair::select(small, sum, single(zero));
    let base = log.plus(single(series).neg()).plus(sum.neg());
    let inverse = one / a;
    let other = base.plus(single(L::select(small, zero, inverse)));
    (base.plus(single(L::select(small, -inverse, zero))).value(), other)
}

/// By reflection: digamma(-a) = digamma(1 + a) + pi cot(pi a).
#[inline(always)]
fn digamma_negative<L: Lane>(a: L) -> L {
    let f = fraction(a);
    let r = f.abs();
    let (s, c) = sin_cos_pi(r);
    let pole = r.is(0.0);
    let s = Pair::select(pole, single(a.lit(1.0)), s);
    let cot = c.times(constant(a, PI)).over(s);
    let cot = Pair::new(cot.hi.flip(f.sign()), cot.lo.flip(f.sign()));
    let (_, other) = digamma_positive(a);
    let y = other.plus(cot).value();
    L::select(pole, a.nan(), y)
}

/// The derivative of `lgamma`; NaN at its poles, zero among them. 4 ULP of the larger of the result and 1.
#[inline(always)]
pub(super) fn digamma<L: Lane>(x: L) -> L {
    let a = x.abs();
    let end = |y: L| {
        // Where the reciprocal is all, it may be infinite.
        let y = L::select(a.lt(x.lit(L::pick(1e-12, 1e-20))), x.lit(-1.0) / x, y);
        let y = L::select(a.lt(x.inf()), y, x);
        let y = L::select(x.is(0.0), x.nan(), L::select(x.is(f64::NEG_INFINITY), x.nan(), y));
        y.canonical()
    };
    L::rarely(x.lt(x.lit(0.0)), || end(digamma_negative(a)), end(digamma_positive(a).0))
}
