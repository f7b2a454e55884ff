//! The exponential and what is made of it: exp, exp2, expm1, sinh, cosh, tanh, logistic.

use super::lane::{Int, Lane};
use super::pair::Pair;

/// (e^r - 1 - r) / r^2 for |r| <= ln(2)/2.
const EXP_32: &[f64] = &[
    0.5,
    0.1666666716337204,
    0.04166647419333458,
    0.008333192206919193,
    0.0013934132875874639,
    0.00019958341727033257,
];
const EXP_64: &[f64] = &[
    0.5,
    0.16666666666666677,
    0.04166666666666668,
    0.008333333333321313,
    0.0013888888888877336,
    0.00019841269887132523,
    2.480158734105632e-05,
    2.755724302433617e-06,
    2.755725864763475e-07,
    2.5109501992230327e-08,
    2.0919726582121604e-09,
];

/// (2^r - 1) / r for |r| <= 1/2.
const EXP2_32: &[f64] = &[
    0.6931471824645996,
    0.24022650718688965,
    0.05550406500697136,
    0.009618077427148819,
    0.001333643333055079,
    0.0001545635750517249,
    1.4699597159051336e-05,
];
const EXP2_64: &[f64] = &[
    std::f64::consts::LN_2,
    0.24022650695910136,
    0.055504108664822936,
    0.009618129107592436,
    0.0013333558146164316,
    0.00015403530459036856,
    1.5252734037022494e-05,
    1.3215434398659551e-06,
    1.0177985498492046e-07,
    7.073924586475366e-09,
    4.465566862098615e-10,
];

/// (e^r - 1 - r) / r^2 for r / ln(2) from -0.15 to 0.85.
const TANH_32: &[f64] = &[
    0.5,
    0.1666665945605129,
    0.04166647705675343,
    0.008339489287833308,
    0.0013614806148213247,
    0.0002443038094363476,
];
const TANH_64: &[f64] = &[
    0.5,
    0.16666666666666646,
    0.04166666666666871,
    0.008333333333371745,
    0.0013888888884330433,
    0.00019841269820079777,
    2.4801610662044764e-05,
    2.7555905825021417e-06,
    2.759808143419093e-07,
    2.4412674366901973e-08,
    2.6068933693353006e-09,
];

/// ln(2) in two parts; the first has zeros at its end, so that a small integer times it is exact.
pub(super) const LN2_32: [f64; 2] = [0.693145751953125, 1.428606765330187e-6];
pub(super) const LN2_64: [f64; 2] = [0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10];

/// Where e^x is zero and where it is infinite.
const LOWEST: [f64; 2] = [-104.0, -746.0];
const HIGHEST: [f64; 2] = [89.0, 710.0];

/// e^x = 2^n (1 + r + rest), |r| <= ln(2)/2 and `rest` about r^2/2.
struct Reduced<L: Lane> {
    n: L::Int,
    r: L,
    rest: L,
}

/// x = n ln(2) + r. The rounding error of `r` goes into `rest`, and so does `low`, a small addend of x.
#[inline(always)]
fn reduce<L: Lane>(x: L, low: L) -> Reduced<L> {
    let ln2 = L::pick(LN2_32, LN2_64);
    let shifted = x.fma(x.lit(std::f64::consts::LOG2_E), x.magic());
    let n = shifted - x.magic();
    let r0 = n.fma(x.lit(-ln2[0]), x);
    let r = n.fma(x.lit(-ln2[1]), r0);
    let error = n.fma(x.lit(-ln2[1]), r0 - r) + low;
    let q = r.poly(L::pick(EXP_32, EXP_64));
    let curved = (r * r) * q;
    Reduced { n: shifted.bits().sub(x.magic_bits()), r, rest: curved + error.fma(r + curved, error) }
}

/// e^x = 2^n (1 + p), without the care that small differences need.
#[inline(always)]
pub(super) fn single_exp<L: Lane>(x: L) -> (L::Int, L) {
    let ln2 = L::pick(LN2_32, LN2_64);
    let shifted = x.fma(x.lit(std::f64::consts::LOG2_E), x.magic());
    let n = shifted - x.magic();
    let r = n.fma(x.lit(-ln2[1]), n.fma(x.lit(-ln2[0]), x));
    (shifted.bits().sub(x.magic_bits()), (r * r).fma(r.poly(L::pick(EXP_32, EXP_64)), r))
}

/// e^x. 1 ULP.
#[inline(always)]
pub(super) fn exp<L: Lane>(x: L) -> L {
    let (n, p) =
        single_exp(x.at_most(L::pick(HIGHEST[0], HIGHEST[1])).at_least(L::pick(LOWEST[0], LOWEST[1])));
    (p + x.lit(1.0)).scale(n).canonical()
}

/// 2^x: exactly where x is an integer. 1 ULP.
#[inline(always)]
pub(super) fn exp2<L: Lane>(x: L) -> L {
    let a = x.at_most(L::pick(129.0, 1025.0)).at_least(L::pick(-151.0, -1080.0));
    let shifted = a + a.magic();
    let r = a - (shifted - a.magic());
    let y = r.fma(r.poly(L::pick(EXP2_32, EXP2_64)), a.lit(1.0));
    y.scale(shifted.bits().sub(a.magic_bits())).canonical()
}

/// e^(x + low) for |x| that may leave the range; `low` must be small where x is in it.
#[inline(always)]
pub(super) fn exp_pair<L: Lane>(x: Pair<L>) -> L {
    let a = x.hi.at_most(L::pick(HIGHEST[0], HIGHEST[1])).at_least(L::pick(LOWEST[0], LOWEST[1]));
    let inside = a.bits().equal(x.hi.bits());
    let e = reduce(a, L::select(inside, x.lo, a.lit(0.0)));
    let one = Pair::ordered_sum(a.lit(1.0), e.r);
    (one.hi + (one.lo + e.rest)).scale(e.n)
}

/// (e^x - 1) / 4 for x from where it is -1/4 to where half of e^x is infinite: a quarter, so that
/// nothing overflows before the caller's last step.
#[inline(always)]
fn expm1_quarter<L: Lane>(x: L) -> Pair<L> {
    let a = x.at_most(L::pick(89.7, 710.8)).at_least(L::pick(-20.0, -40.0));
    let e = reduce(a, a.lit(0.0));
    let s = L::pow2(e.n.sub(e.n.int(2)));
    let head = Pair::ordered_sum(s - a.lit(0.25), s * e.r);
    Pair::new(head.hi, s.fma(e.rest, head.lo)).tidy()
}

/// x itself where x is so small that odd functions with slope one return it; keeps -0 and subnormals.
#[inline(always)]
pub(super) fn unless_tiny<L: Lane>(x: L, result: L) -> L {
    L::select(x.abs().lt(x.lit(L::pick(2e-8, 4e-17))), x, result)
}

/// e^x - 1. 1.2 ULP.
#[inline(always)]
pub(super) fn expm1<L: Lane>(x: L) -> L {
    unless_tiny(x, expm1_quarter(x).value() * x.lit(4.0)).canonical()
}

/// (e^x - e^-x) / 2 = (E + E / (E + 1)) / 2 with E = e^x - 1. 2 ULP.
#[inline(always)]
pub(super) fn sinh<L: Lane>(x: L) -> L {
    let e = expm1_quarter(x.abs());
    let t = e.hi / (e.hi + x.lit(0.25));
    let y = e.hi.fma(x.lit(2.0), t.fma(x.lit(0.5), e.lo + e.lo));
    unless_tiny(x, y.flip(x.sign())).canonical()
}

/// (e^x + e^-x) / 2. 1.5 ULP.
#[inline(always)]
pub(super) fn cosh<L: Lane>(x: L) -> L {
    let e = expm1_quarter(x.abs());
    let e = e.hi + (e.lo + x.lit(0.25));
    e.fma(x.lit(2.0), x.lit(0.125) / e).canonical()
}

/// E / (E + 2) with E = e^2x - 1 = 2^n (1 + p) - 1. 1.8 ULP.
///
/// Where n is 0, E is p, and p/2 - (p/2) E / (E + 2) has no error of the sum E + 2. Where n is 1, E = 1 + 2p with a
/// negative p: n is 2x / ln 2 - 0.35 to nearest, so that this begins at E = 0.8, where 2p takes away a fifth. Without the
/// shift it would begin at E = 0.41, where it takes away more than half, and the rounding errors of p count double.
#[inline(always)]
pub(super) fn tanh<L: Lane>(x: L) -> L {
    let one = x.lit(1.0);
    let ln2 = L::pick(LN2_32, LN2_64);
    let a = x.abs().at_most(L::pick(10.0, 22.0));
    let t = a + a;
    let shifted = t.fma(x.lit(std::f64::consts::LOG2_E), x.lit(-0.35)) + x.magic();
    let n = shifted - x.magic();
    let r = n.fma(x.lit(-ln2[1]), n.fma(x.lit(-ln2[0]), t));
    let p = (r * r).fma(r.poly(L::pick(TANH_32, TANH_64)), r);
    let power = L::pow2(shifted.bits().sub(x.magic_bits()));
    let e = power.fma(p, power - one);
    let large = e / (e + x.lit(2.0));
    let half = p * x.lit(0.5);
    let y = L::select(n.lt(one), half.fma(-large, half), large);
    y.flip(x.sign()).canonical()
}

/// 1 / (1 + e^-x), as e^x / (1 + e^x) where x is negative. 1 ULP.
#[inline(always)]
pub(super) fn logistic<L: Lane>(x: L) -> L {
    let one = x.lit(1.0);
    let a = -x.abs().at_most(L::pick(-LOWEST[0], -LOWEST[1]));
    let (n, p) = single_exp(a);
    let head = Pair::ordered_sum(one, p);
    let e = Pair::new(head.hi.scale(n), head.lo.scale(n));
    let d = Pair::ordered_sum(one, e.hi);
    let numerator = Pair::select(x.lt(x.lit(0.0)), e, Pair::new(one, x.lit(0.0)));
    numerator.over(Pair::new(d.hi, d.lo + e.lo)).hi.canonical()
}
