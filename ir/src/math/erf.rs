//! The error function, its complement and its inverse.

use super::exp::exp_pair;
use super::lane::Lane;
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

/// erf(x) / x - 1 for |x| <= 1.
#[inline(always)]
fn near<L: Lane>(x: L) -> L {
    (x * x).poly(L::pick(ERF_32, ERF_64))
}

/// erfc(a) for a >= 1/2.
#[inline(always)]
fn far<L: Lane>(a: L) -> L {
    let one = a.lit(1.0);
    let k = a.lit(L::pick(2.0, 4.0));
    let a = a.at_most(L::pick(11.0, 28.0));
    // One division for both quotients: t = (a - k) / (a + k) and 1 / (1 + 2a).
    let (d1, d2) = (a + k, a.fma(a.lit(2.0), one));
    let inverse = one / (d1 * d2);
    let t = (a - k) * (inverse * d2);
    let p = t.poly(L::pick(ERFC_32, ERFC_64)) * (inverse * d1);
    let square = Pair::product(a, a);
    exp_pair(square.neg()) * p
}

/// Error function. 1 ULP.
#[inline(always)]
pub(super) fn erf<L: Lane>(x: L) -> L {
    let one = x.lit(1.0);
    let a = x.abs();
    let small = x.fma(near(x), x);
    let large = (one - far(a)).flip(x.sign());
    L::select(a.lt(one), small, large).canonical()
}

/// 1 - erf(x). 4 ULP.
#[inline(always)]
pub(super) fn erfc<L: Lane>(x: L) -> L {
    let (half, one) = (x.lit(0.5), x.lit(1.0));
    let a = x.abs();
    let tail = far(a);
    let tail = L::select(x.lt(half), x.lit(2.0) - tail, tail);
    let head = Pair::sum(one, -x);
    let small = head.hi + (-x).fma(near(x), head.lo);
    L::select(L::both(x.lt(half), x.lit(-1.0).lt(x)), small, tail).canonical()
}
