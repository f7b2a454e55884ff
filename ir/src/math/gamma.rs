//! The logarithm of the gamma function and its derivative.

use super::lane::{Int as _, Lane, later};
use super::log::log_pair;
use super::pair::Pair;
use super::trig::sin_cos_small;

/// log Gamma(2 + t) / t for |t| <= 1/2. Around 2, so that the zeros at 1 and 2 keep all their digits.
const MIDDLE_32: &[f64] = &[
    0.42278432846069336,
    0.32246702909469604,
    -0.06735190004110336,
    0.020581359043717384,
    -0.007391972001641989,
    0.002880700398236513,
    -0.0011537885293364525,
    0.0005664451164193451,
    -0.00031235627830028534,
];
const MIDDLE_64: &[f64] = &[
    0.42278433509846713,
    0.32246703342411326,
    -0.06735230105319702,
    0.02058080842777746,
    -0.007385551028742368,
    0.002890510331162371,
    -0.001192753909749558,
    0.0005096695126866409,
    -0.0002231547879615968,
    9.945770568193031e-05,
    -4.49259879497085e-05,
    2.0505369819502005e-05,
    -9.4406094374028e-06,
    4.38558651978707e-06,
    -2.037323472961621e-06,
    9.181581988150832e-07,
    -4.4507519168255126e-07,
    2.8043354174528995e-07,
    -1.2208756684539522e-07,
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

/// The positive zero of digamma, in two parts.
const ZERO: [f64; 2] = [1.4616321449683622, 9.549995429965697e-17];
/// digamma(ZERO + d) / d, ZERO + d between 1 and 2.
const DIGAMMA_MIDDLE_32: &[f64] = &[
    0.9676722288131714,
    -0.44276323914527893,
    0.25850051641464233,
    -0.16393722593784332,
    0.10781800746917725,
    -0.07232670485973358,
    0.048787761479616165,
    -0.03192601352930069,
    0.022681675851345062,
    -0.0206526480615139,
    0.011969047598540783,
];
const DIGAMMA_MIDDLE_64: &[f64] = &[
    0.9676722454476212,
    -0.4427631689835915,
    0.25849976095564114,
    -0.16394270544259448,
    0.10782405069219356,
    -0.07219956123854812,
    0.04880428811771809,
    -0.03316112725578384,
    0.0225976497010997,
    -0.015424747245962296,
    0.010538760603219625,
    -0.0072048005264321886,
    0.004927218020634763,
    -0.003367455634580433,
    0.0023010846142066943,
    -0.0015896139012641917,
    0.0011028094796673674,
    -0.0006989509273433478,
    0.0004184442009694217,
    -0.0003985020687620605,
    0.00040327766269589985,
    -0.0001783415976556085,
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
pub(super) fn lgamma_positive<L: Lane>(a: L) -> Pair<L> {
    let (zero, one) = (a.lit(0.0), a.lit(1.0));
    let small = a.lt(a.lit(8.0));
    // Into [1.5, 2.5) by the recurrence: Gamma(a) = Gamma(2 + t) p, or Gamma(2 + t) / p for a below 1.5.
    let (below_half, below) = (a.lt(a.lit(0.5)), a.lt(a.lit(1.5)));
    let mut t = L::select(below_half, a, L::select(below, a - one, a - a.lit(2.0)));
    let mut p = L::select(below_half, a.fma(a, a), L::select(below, a, one));
    for i in 1..7 {
        let more = a.lt(a.lit(f64::from(i) + 1.5));
        p = L::select(more, p, p * (a - a.lit(f64::from(i))));
        t = L::select(more, t, a - a.lit(f64::from(i + 2)));
    }
    let t = L::select(small, t, zero);
    // In two parts, because near 1.5 most of it goes away with the logarithm.
    let c = L::pick(MIDDLE_32, MIDDLE_64);
    let first = Pair::lit(a, c[0], 0.0);
    let slope = Pair::ordered_sum(first.hi, t * t.poly(&c[1..]));
    let middle = Pair::product(t, slope.hi);
    let middle = Pair::new(middle.hi, t.fma(slope.lo + first.lo, middle.lo));
    let log = log_pair(L::select(small, p, a));
    // (a - 1/2) (log a - 1) + offset + S / a.
    let log_less = Pair::ordered_sum(log.hi, -one);
    let factor = Pair::sum(a, a.lit(-0.5));
    let r = one / a;
    let series = r * (r * r).poly(L::pick(STIRLING_32, STIRLING_64));
    let stirling =
        Pair::new(log_less.hi, log_less.lo + log.lo).times(factor).plus(constant(a, STIRLING_OFFSET));
    let stirling = stirling.plus(single(series));
    let log = Pair::select(below, log.neg(), log);
    Pair::select(small, log.plus(middle), stirling)
}

/// a minus the nearest integer, for a not negative.
#[inline(always)]
pub(super) fn fraction<L: Lane>(a: L) -> L {
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

/// Where the result is infinite or NaN.
#[inline(always)]
fn lgamma_ends<L: Lane>(x: L, y: L) -> L {
    let a = x.abs();
    let y = L::select(a.lt(x.lit(L::pick(4.0850034e36, 2.556_348e305))), y, x.inf());
    let y = L::select(x.is(0.0), x.inf(), y);
    let inf = x.inf().bits();
    L::select(inf.below(a.bits()), x.nan(), y)
}

later!(LgammaBelow x => lgamma_ends(x, lgamma_negative(x.abs())));

/// log |Gamma(x)|. 4 ULP; below zero of the larger of the result and 1.
#[inline(always)]
pub(super) fn lgamma<L: Lane>(x: L) -> L {
    L::rarely(x.lt(x.lit(0.0)), LgammaBelow(x), lgamma_ends(x, lgamma_positive(x.abs()).value()))
}

/// digamma(a) and digamma(1 + a) for a not negative.
#[inline(always)]
fn digamma_positive<L: Lane>(a: L) -> (L, Pair<L>) {
    let (zero, one) = (a.lit(0.0), a.lit(1.0));
    let (below_one, small) = (a.lt(one), a.lt(a.lit(8.0)));
    // Into [1, 2) by the recurrence: digamma(a) = digamma(a - k) + sum of 1 / (a - i); d is exact where
    // the result is near zero.
    let root = Pair::lit(a, ZERO[0], ZERO[1]);
    let mut d = L::select(below_one, a - (root.hi - one), a - root.hi);
    let mut sum = single(zero);
    for i in 1..7 {
        let y = a - a.lit(f64::from(i));
        let less = y.lt(one);
        let s = Pair::sum(sum.hi, L::select(less, zero, one / L::select(less, one, y)));
        sum = Pair::new(s.hi, sum.lo + s.lo);
        d = L::select(less, d, y - root.hi);
    }
    let d = L::select(small, d, zero);
    let c = L::pick(DIGAMMA_MIDDLE_32, DIGAMMA_MIDDLE_64);
    let slope = Pair::ordered_sum(a.lit(c[0]), d * d.poly(&c[1..]));
    let middle = Pair::new(d, -root.lo).times(slope).plus(sum);
    // Stirling's series.
    let y = L::select(small, a.lit(8.0), a);
    let r = one / y;
    let z = r * r;
    let series = z.fma(z.poly(L::pick(DIGAMMA_32, DIGAMMA_64)), r * a.lit(0.5));
    let base = Pair::select(small, middle, log_pair(y).plus(single(-series)));
    let inverse = one / a;
    let below = L::select(below_one, -inverse, zero);
    let above = L::select(below_one, zero, inverse);
    (base.plus(single(below)).value(), base.plus(single(above)))
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

/// Where the result is infinite or NaN.
#[inline(always)]
fn digamma_ends<L: Lane>(x: L, y: L) -> L {
    let a = x.abs();
    // Where the reciprocal is all, it may be infinite.
    let y = L::select(a.lt(x.lit(L::pick(1e-12, 1e-20))), x.lit(-1.0) / x, y);
    let y = L::select(a.lt(x.inf()), y, x);
    let y = L::select(x.is(0.0), x.nan(), L::select(x.is(f64::NEG_INFINITY), x.nan(), y));
    y.canonical()
}

later!(DigammaBelow x => digamma_ends(x, digamma_negative(x.abs())));

/// The derivative of `lgamma`; NaN at its poles, zero among them. 4 ULP; below zero of the larger of
/// the result and 1.
#[inline(always)]
pub(super) fn digamma<L: Lane>(x: L) -> L {
    L::rarely(x.lt(x.lit(0.0)), DigammaBelow(x), digamma_ends(x, digamma_positive(x.abs()).0))
}
