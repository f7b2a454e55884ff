//! What is neither a machine operation nor a formula of the math library: a Bessel function, computed in double
//! precision, and derivatives of special functions. All are emitted as elementary operations.

use crate::math::BERNOULLI;
use crate::op::{BinaryOp, Direction, UnaryOp};
use crate::rules::{Emit, Term};
use crate::types::DType;

/// e^-x I0(x) for x between 0 and 8, in Chebyshev polynomials of x/4 - 1.
const I0E_SMALL: [f64; 30] = [
    0.33839763720473803,
    -0.3046826723431984,
    0.17162090152220877,
    -0.09490109704804764,
    0.04930528423967071,
    -0.02373741480589947,
    0.010546460394594998,
    -0.004324309995050576,
    0.0016394756169413357,
    -0.0005763755745385824,
    0.00018850288509584165,
    -5.754195010082104e-05,
    1.6448448070728896e-05,
    -4.4167383584587505e-06,
    1.1173875391201037e-06,
    -2.670793853940612e-07,
    6.046995022541919e-08,
    -1.300025009986248e-08,
    2.6598237246823866e-09,
    -5.189795601635263e-10,
    9.675809035373237e-11,
    -1.726826291441556e-11,
    2.95505266312964e-12,
    -4.856446783111929e-13,
    7.676185498604936e-14,
    -1.1685332877993451e-14,
    1.715391285555133e-15,
    -2.431279846547955e-16,
    3.3307945188222384e-17,
    -4.4153416464793395e-18,
];
/// sqrt(x) e^-x I0(x) for x from 8, of 16/x - 1.
const I0E_LARGE: [f64; 27] = [
    0.4022452055070544,
    0.0033691164782556943,
    6.889758346916825e-05,
    2.8913705208347567e-06,
    2.0489185894690638e-07,
    2.266668990498178e-08,
    3.3962320257083865e-09,
    4.94060238822497e-10,
    1.1889147107846439e-11,
    -3.1499165279632416e-11,
    -1.3215811840447713e-11,
    -1.7941785315068062e-12,
    7.180124451383666e-13,
    3.8527783827421426e-13,
    1.54008621752141e-14,
    -4.150569347287222e-14,
    -9.554846698828307e-15,
    3.8116806693526224e-15,
    1.7725601330565263e-15,
    -3.425485619677219e-16,
    -2.8276239805165836e-16,
    3.461222867697461e-17,
    4.46562142029676e-17,
    -4.830504485944182e-18,
    -7.233180487874754e-18,
    9.921475412173699e-19,
    1.193650890845982e-18,
];
/// e^-x I1(x) / x for x between 0 and 8, of x/4 - 1.
const I1E_SMALL: [f64; 29] = [
    0.12629359322181682,
    -0.17641651835783406,
    0.1026436586898471,
    -0.05294598120809499,
    0.024726449030626516,
    -0.010564084894626197,
    0.004156422944312888,
    -0.0015135724506312532,
    0.0005122859561685758,
    -0.00016176081582589674,
    4.781565107550054e-05,
    -1.3273163656039436e-05,
    3.4702513081376785e-06,
    -8.568720264695455e-07,
    2.0032947535521353e-07,
    -4.445059128796328e-08,
    9.381537386495773e-09,
    -1.8872497517228294e-09,
    3.625590281552117e-10,
    -6.663489723502027e-11,
    1.1736186298890901e-11,
    -1.9839743977649436e-12,
    3.223793365945575e-13,
    -5.042185504727912e-14,
    7.600684294735408e-15,
    -1.1055969477353862e-15,
    1.5536319577362005e-16,
    -2.111421214358166e-17,
    2.7779141127610464e-18,
];
/// sqrt(x) e^-x I1(x) for x from 8, of 16/x - 1.
const I1E_LARGE: [f64; 27] = [
    0.38928811750914005,
    -0.009761097491361469,
    -0.00011058893876262371,
    -3.882564808877691e-06,
    -2.512236237870209e-07,
    -2.6314688468895196e-08,
    -3.835380385964237e-09,
    -5.589743462196584e-10,
    -1.8974958123505413e-11,
    3.2526035830154884e-11,
    1.4125807436613782e-11,
    2.0356285441470896e-12,
    -7.198551776245908e-13,
    -4.0835511110921974e-13,
    -2.1015418427726643e-14,
    4.272440016711951e-14,
    1.0420276984128802e-14,
    -3.8144030724370075e-15,
    -1.8803547755107825e-15,
    3.3082023109209285e-16,
    2.96262899764595e-16,
    -3.209525921993424e-17,
    -4.6503053684893586e-17,
    4.414348323071708e-18,
    7.517296310842105e-18,
    -9.314178867326884e-19,
    -1.242193275194891e-18,
];

/// Terms added before the series takes over, where its remainder is small.
const SHIFTS: usize = 16;

impl UnaryOp {
    /// Whether kernels call the interpreter for it.
    pub fn is_special(self) -> bool {
        self == UnaryOp::BesselI1e
    }
}

/// A sum of Chebyshev polynomials of `t` (Clenshaw).
fn chebyshev(t: f64, coefficients: &[f64]) -> f64 {
    let (mut b1, mut b2) = (0.0, 0.0);
    for &c in coefficients[1..].iter().rev() {
        (b1, b2) = (2.0 * t * b1 - b2 + c, b1);
    }
    t * b1 - b2 + coefficients[0]
}

/// e^-|x| I1(x).
pub(super) fn bessel_i1e(x: f64) -> f64 {
    let a = x.abs();
    if a <= 8.0 {
        return x * chebyshev(a / 4.0 - 1.0, &I1E_SMALL);
    }
    let y = chebyshev(16.0 / a - 1.0, &I1E_LARGE) / a.sqrt();
    if x.is_nan() { f64::NAN } else { y.copysign(x) }
}

/// [`chebyshev`], emitted.
fn emit_chebyshev(e: &mut (dyn Emit + '_), t: Term, coefficients: &[f64]) -> Term {
    let twice = e.add(t, t);
    let zero = e.splat_like(t, 0.0);
    let (mut b1, mut b2) = (zero, zero);
    for (k, &c) in coefficients.iter().enumerate().rev() {
        let c = e.splat_like(t, c);
        let product = e.mul(if k == 0 { t } else { twice }, b1);
        let rest = e.sub(product, b2);
        (b1, b2) = (e.add(rest, c), b1);
    }
    b1
}

/// e^-|x| I0(x), emitted.
fn emit_bessel_i0e(e: &mut (dyn Emit + '_), x: Term) -> Term {
    let a = e.unary(UnaryOp::Abs, x);
    let (one, eight, sixteen) = (e.splat_like(x, 1.0), e.splat_like(x, 8.0), e.splat_like(x, 16.0));
    let is_small = e.compare(Direction::Le, a, eight);
    let t = e.scale(a, 0.25);
    let t = e.sub(t, one);
    // Each part sees only arguments that are its own.
    let t = e.select(is_small, t, one);
    let small = emit_chebyshev(e, t, &I0E_SMALL);
    let a = e.select(is_small, eight, a);
    let t = e.div(sixteen, a);
    let t = e.sub(t, one);
    let large = emit_chebyshev(e, t, &I0E_LARGE);
    let root = e.unary(UnaryOp::Sqrt, a);
    let large = e.div(large, root);
    e.select(is_small, small, large)
}

/// [`bessel_i1e`], emitted: in doubles, step by step as there.
pub(super) fn emit_bessel_i1e(e: &mut (dyn Emit + '_), x: Term) -> Term {
    let dtype = e.ty(x).dtype;
    let x = e.convert(x, DType::F64);
    let a = e.unary(UnaryOp::Abs, x);
    let (zero, one) = (e.splat_like(x, 0.0), e.splat_like(x, 1.0));
    let (eight, sixteen) = (e.splat_like(x, 8.0), e.splat_like(x, 16.0));
    let is_small = e.compare(Direction::Le, a, eight);
    let t = e.scale(a, 0.25);
    let t = e.sub(t, one);
    let small = emit_chebyshev(e, t, &I1E_SMALL);
    let small = e.mul(x, small);
    let t = e.div(sixteen, a);
    let t = e.sub(t, one);
    let large = emit_chebyshev(e, t, &I1E_LARGE);
    let root = e.unary(UnaryOp::Sqrt, a);
    let large = e.div(large, root);
    let is_negative = e.compare(Direction::Lt, x, zero);
    let negated = e.neg(large);
    let large = e.select(is_negative, negated, large);
    let y = e.select(is_small, small, large);
    e.convert(y, dtype)
}

/// The derivative of [`bessel_i1e`] where its value is `y`: i0e(x) - y (sign(x) + 1 / x), and 1/2 at zero.
/// In `f32` at least, and with a value of that: of a value that was rounded to 16 bits nothing is left near zero, where 1 / x overflows.
pub(super) fn bessel_i1e_slope(e: &mut (dyn Emit + '_), x: Term, y: Term) -> Term {
    let dtype = e.ty(x).dtype;
    if dtype.size() < DType::F32.size() {
        let x = e.convert(x, DType::F32);
        let y = e.unary(UnaryOp::BesselI1e, x);
        let slope = bessel_i1e_slope(e, x, y);
        return e.convert(slope, dtype);
    }
    let size = e.unary(UnaryOp::Abs, x);
    let tiny = e.splat_like(x, f64::from(f32::EPSILON) * f64::from(f32::EPSILON));
    let one = e.splat_like(x, 1.0);
    let is_tiny = e.compare(Direction::Le, size, tiny);
    let safe = e.select(is_tiny, one, x);
    let i0e = emit_bessel_i0e(e, safe);
    let sign = e.unary(UnaryOp::Sign, safe);
    let inverse = e.div(one, safe);
    let factor = e.add(sign, inverse);
    let rest = e.mul(y, factor);
    let slope = e.sub(i0e, rest);
    let half = e.splat_like(x, 0.5);
    e.select(is_tiny, half, slope)
}

/// The derivative of the zeta function by `x`, for positive `q`: the formula of Euler and Maclaurin term by term.
pub(super) fn zeta_slope(e: &mut (dyn Emit + '_), x: Term, q: Term) -> Term {
    let one = e.splat_like(x, 1.0);
    let minus_x = e.neg(x);
    let (mut sum, mut a) = (e.splat_like(x, 0.0), q);
    for _ in 0..SHIFTS {
        let log = e.unary(UnaryOp::Log, a);
        let power = e.binary(BinaryOp::Power, a, minus_x);
        let term = e.mul(log, power);
        sum = e.sub(sum, term);
        a = e.add(a, one);
    }
    let log = e.unary(UnaryOp::Log, a);
    let power = e.binary(BinaryOp::Power, a, minus_x);
    // a / (x - 1), whose derivative with the power's is -(log a + 1 / (x - 1)) times it.
    let less = e.sub(x, one);
    let inverse = e.div(one, less);
    let integral = e.mul(a, inverse);
    let both = e.add(log, inverse);
    let mut slope = e.mul(integral, both);
    slope = e.neg(slope);
    // 1/2 and the corrections, each times (logarithmic derivative - log a).
    let half_log = e.scale(log, 0.5);
    slope = e.sub(slope, half_log);
    let mut rising = e.div(x, a);
    let mut logarithmic = e.div(one, x);
    for (j, &b) in BERNOULLI.iter().enumerate() {
        let factor = e.sub(logarithmic, log);
        let term = e.mul(rising, factor);
        let term = e.scale(term, b);
        slope = e.add(slope, term);
        for k in [2 * j + 1, 2 * j + 2] {
            let k = e.splat_like(x, k as f64);
            let next = e.add(x, k);
            let ratio = e.div(next, a);
            rising = e.mul(rising, ratio);
            let inverse = e.div(one, next);
            logarithmic = e.add(logarithmic, inverse);
        }
    }
    let tail = e.mul(power, slope);
    e.add(sum, tail)
}
