//! The error function, its complement and its inverse.

use super::exp::exp_pair;
use super::lane::Lane;
use super::log::log;
use super::pair::Pair;

/// erf(x) / x - 1 in z = x^2, |x| <= 1.
const ERF_32: &[f64] = &[
    0.12837916612625122,
    -0.3761262893676758,
    0.11283618211746216,
    -0.026855124160647392,
    0.005190725903958082,
    -0.000803065428044647,
    7.919901690911502e-05,
];
const ERF_64: &[f64] = &[
    0.1283791670955126,
    -0.37612638903183904,
    0.11283791670960576,
    -0.02686617064604513,
    0.005223977634072493,
    -0.0008548327531645966,
    0.00012055352774103903,
    -1.4926177579449532e-05,
    1.6471867898274937e-06,
    -1.6491030080073644e-07,
    1.5899924013881546e-08,
    -1.8468838915583372e-09,
    2.9724987312207284e-10,
    -3.53678188752919e-11,
];
/// sqrt(erfc(x)) in t = x - 9/8, 1 <= x <= 4: fewer terms than erfc needs, and where t is large, and more is lost,
/// the root is so small that little of it is left in the square.
const ROOT_ERFC_32: &[f64] = &[
    0.3340834975242615,
    -0.4763389229774475,
    0.19629280269145966,
    0.036752212792634964,
    -0.046961959451436996,
    0.002215760061517358,
    0.008128673769533634,
    -0.0029058128129690886,
    0.00018691306468099356,
    7.591371104354039e-05,
    -1.1688782251439989e-05,
];
/// (1 + 2x) e^(x^2) erfc(x) in t = (x - k) / (x + k), x >= 1/2, k = 2 and 4.
const ERFC_32: &[f64] = &[
    1.2769783735275269,
    -0.09276376664638519,
    -0.16603048145771027,
    0.16404876112937927,
    -0.05421406403183937,
    -0.008005457930266857,
    0.008667657151818275,
    0.001144822221249342,
    -0.0012740897946059704,
    -0.00022296143288258463,
];
const ERFC_64: &[f64] = &[
    1.2329951186255526,
    -0.1396211168405625,
    0.01537965210261338,
    0.06809705425469001,
    -0.1010390660360395,
    0.09373283499847503,
    -0.06633036581733742,
    0.03716751553483674,
    -0.0161977340025436,
    0.005031970008455627,
    -0.0007577736544152676,
    -0.00019925690651720403,
    0.0001506232381622034,
    -2.4398273303199586e-05,
    -1.122642743506673e-05,
    5.706993336974495e-06,
    3.019299977367071e-07,
    -8.202135920878161e-07,
    6.516613335251998e-08,
    1.0381408098082771e-07,
    -1.159985645741845e-08,
    -9.840868386366e-09,
];

/// erf_inv(x) / x in w = -log(1 - x^2), w < 5 and w < 6.25 (there less 3.125).
const INVERSE_NEAR_32: &[f64] = &[
    0.8862269277904946,
    0.232013538479805,
    0.011550464667379856,
    -0.002338902559131384,
    -0.00012149354006396607,
    4.007942334283143e-05,
    6.0325241975078825e-06,
    -2.556399749664706e-06,
    3.2024993856794026e-07,
    -1.819035588823681e-08,
    3.7842473599170035e-10,
];
const INVERSE_NEAR_64: &[f64] = &[
    1.6536545626831027,
    0.24015818242558826,
    -0.006033670871427767,
    -0.0007407025341538674,
    0.00018673420802448181,
    -1.38825233959946e-05,
    -1.3654691849395606e-06,
    4.234788192750724e-07,
    -2.9070382278483563e-08,
    -4.11266207289466e-09,
    1.0512181294343796e-09,
    -5.4142367615167064e-11,
    -1.2976869985912694e-11,
    2.630353306870943e-12,
    -8.11883867659737e-14,
    -3.99903887525929e-14,
    6.597108971855268e-15,
    -4.2700738275686274e-17,
    -1.302343961059298e-16,
    1.5741147661602666e-17,
    1.1533069158903386e-18,
    -3.565114019696168e-19,
    -1.1831731038212358e-21,
    3.352403793700775e-21,
];
/// The same in sqrt(w) - 3, sqrt(w) - 3.25 up to w = 16, and sqrt(w) - 5 beyond.
const INVERSE_FAR_32: &[f64] = &[
    2.8329767925470057,
    1.0016751289367676,
    0.009445887058973312,
    -0.007639937102794647,
    0.005681463982909918,
    -0.003584583755582571,
    0.001500377431511879,
    -8.154504757840186e-05,
    -0.0003224654356017709,
    0.0001327053614659235,
];
const INVERSE_MIDDLE_64: &[f64] = &[
    3.0838856104922208,
    1.0052589676941655,
    0.005370914553543917,
    -0.0037512085082290125,
    0.002491442098374726,
    -0.0016882755353601429,
    0.0009532893343757094,
    -0.0003550378145922531,
    2.4031581174523116e-05,
    6.82871204040687e-05,
    -4.732107016124647e-05,
    1.2465030846240943e-05,
    2.9339708562568423e-06,
    -3.98577211306455e-06,
    1.478454054348158e-06,
    -2.735933829024296e-08,
    -2.411456923293731e-07,
    1.310976041658392e-07,
    -2.428759547112567e-08,
    -1.4833577915070832e-08,
    8.800619742252316e-09,
    -1.8536001562076274e-10,
];
const INVERSE_FAR_64: &[f64] = &[
    4.849906401408584,
    1.0103004648645448,
    -0.00013871931838487552,
    -0.0002150301197985083,
    7.59952781787325e-05,
    -1.9681771200585614e-05,
    4.526051877932608e-06,
    -9.930254891964603e-07,
    2.290556063197605e-07,
    -6.757267453488189e-08,
    2.901157288782351e-08,
    -1.5213982808924257e-08,
    7.832321954629223e-09,
    -3.533470192426194e-09,
    1.3060244763966947e-09,
    -3.8151437365458397e-10,
    7.456084208911547e-11,
    1.5143314988541894e-11,
    -2.144330187975149e-11,
    5.787787851649945e-12,
];

/// erf(x) / x - 1 for |x| <= 1.
#[inline(always)]
fn near<L: Lane>(x: L) -> L {
    // The first terms cancel in part: both are added last.
    let (z, c) = (x * x, L::pick(ERF_32, ERF_64));
    z.poly(&c[1..]).fma(z, z.lit(c[0]))
}

/// From here on erfc is zero.
const LAST: [f64; 2] = [11.0, 28.0];
/// From here on erf is 1. The tail is not computed further: its subnormal numbers are slow on some machines.
const ONE: [f64; 2] = [4.0, 6.0];

/// erfc(a) for a >= 1/2, and `last` from there on.
#[inline(always)]
fn far<L: Lane>(a: L, last: L) -> L {
    let one = a.lit(1.0);
    let k = a.lit(L::pick(2.0, 4.0));
    let a = L::select(last.lt(a), last, a);
    let t = (a - k) / (a + k);
    let p = t.poly(L::pick(ERFC_32, ERFC_64)) / a.fma(a.lit(2.0), one);
    let square = Pair::product(a, a);
    exp_pair(square.neg()) * p
}

/// erf(a) for a >= 1. In f32 the square root of erfc is a polynomial, and the last step squares it.
#[inline(always)]
fn erf_far<L: Lane>(a: L) -> L {
    let one = a.lit(1.0);
    if L::WIDTH == 32 {
        let root = (a.at_most(ONE[0]) - a.lit(1.125)).poly(ROOT_ERFC_32);
        return (-root).fma(root, one);
    }
    one - far(a, a.lit(ONE[1]))
}

/// Error function. 1 ULP.
#[inline(always)]
pub(super) fn erf<L: Lane>(x: L) -> L {
    let a = x.abs();
    let small = x.fma(near(x), x);
    L::select(a.lt(x.lit(1.0)), small, erf_far(a).flip(x.sign())).canonical()
}

/// 1 - erf(x). 4 ULP.
#[inline(always)]
pub(super) fn erfc<L: Lane>(x: L) -> L {
    let (half, one) = (x.lit(0.5), x.lit(1.0));
    let a = x.abs();
    let (last, one_last) = (x.lit(L::pick(LAST[0], LAST[1])), x.lit(L::pick(ONE[0], ONE[1])));
    let tail = far(a, L::select(x.lt(half), one_last, last));
    let tail = L::select(x.lt(half), x.lit(2.0) - tail, tail);
    let head = Pair::sum(one, -x);
    let small = head.hi + (-x).fma(near(x), head.lo);
    L::select(L::both(x.lt(half), x.lit(-1.0).lt(x)), small, tail).canonical()
}

/// A polynomial whose first coefficient and last step are in two parts.
#[inline(always)]
fn split<L: Lane>(t: L, c: &[f64]) -> Pair<L> {
    let first = Pair::lit(t, c[0], 0.0);
    let rest = Pair::product(t, t.poly(&c[1..]));
    let sum = Pair::sum(first.hi, rest.hi);
    Pair::new(sum.hi, sum.lo + (first.lo + rest.lo))
}

/// Inverse of the error function: x P(w), w = -log(1 - x^2). 2 ULP.
#[inline(always)]
pub(super) fn erf_inv<L: Lane>(x: L) -> L {
    let a = x.abs();
    let one = x.lit(1.0);
    let b = L::select(a.lt(one), a, x.lit(0.5));
    let w = -log((-b).fma(b, one));
    let root = w.sqrt();
    // What the root lost; both far polynomials have slopes near one.
    let rest = (-root).fma(root, w) / (root + root);
    let add = |p: Pair<L>| Pair::new(p.hi, p.lo + rest);
    let p = if L::WIDTH == 32 {
        let far = split(root - x.lit(3.0), INVERSE_FAR_32);
        Pair::select(w.lt(x.lit(5.0)), split(w, INVERSE_NEAR_32), add(far))
    } else {
        let far = split(root - x.lit(5.0), INVERSE_FAR_64);
        let far = Pair::select(w.lt(x.lit(16.0)), split(root - x.lit(3.25), INVERSE_MIDDLE_64), far);
        Pair::select(w.lt(x.lit(6.25)), split(w - x.lit(3.125), INVERSE_NEAR_64), add(far))
    };
    let y = b.fma(p.hi, b * p.lo);
    let y = L::select(a.lt(one), y, L::select(a.is(1.0), x.inf(), x.nan())).flip(x.sign());
    y.canonical()
}
