//! The zeta function of Hurwitz and the derivatives of digamma, which are its multiples.

use super::exp::exp_pair;
use super::gamma::{digamma, fraction, lgamma_positive};
use super::lane::{Int as _, Lane, Later, Step};
use super::log::{log_pair, parity};
use super::pair::Pair;

/// B_2 / 2!, B_4 / 4!, ... of the Bernoulli numbers: the weights of the formula of Euler and Maclaurin. With as many, and
/// as many terms added before, its error is 2^-28 and 2^-58 of the sum.
pub(crate) const BERNOULLI: [f64; 12] = [
    0.08333333333333333,
    -0.001388888888888889,
    3.306878306878307e-05,
    -8.267195767195768e-07,
    2.08767569878681e-08,
    -5.284190138687493e-10,
    1.3382536530684679e-11,
    -3.3896802963225827e-13,
    8.586062056277845e-15,
    -2.174868698558062e-16,
    5.5090028283602295e-18,
    -1.3954464685812522e-19,
];

/// Where an order is so large that results are 0, 1 or infinite.
const HUGE: [f64; 2] = [1e30, 1e300];

/// e^scale times (number with this logarithm)^-s.
#[inline(always)]
fn power<L: Lane>(s: L, log: Pair<L>, scale: Option<Pair<L>>) -> L {
    let hi = -(log.hi * s);
    let lo = -log.lo.fma(s, log.hi.fma(s, hi));
    let exponent = Pair::new(hi, lo);
    let exponent = match scale {
        Some(scale) => scale.plus(exponent),
        None => exponent,
    };
    // Far outside of the range the rest may be anything.
    let near = exponent.hi.abs().lt(s.lit(1e4));
    exp_pair(Pair::new(exponent.hi, L::select(near, exponent.lo, s.lit(0.0))))
}

/// log(q + k), to half again the precision.
#[inline(always)]
fn shifted_log<L: Lane>(q: L, k: L) -> (L, Pair<L>) {
    let a = Pair::sum(q, k);
    let log = log_pair(a.hi);
    (a.hi, Pair::new(log.hi, log.lo + a.lo / a.hi))
}

/// The terms of the sum but the first, added to what is there: a sum and what was rounded away.
struct Terms<L> {
    s: L,
    q: L,
    scale: Option<Pair<L>>,
}

impl<L: Lane> Step<L> for Terms<L> {
    #[inline(always)]
    fn step(&self, k: L, [sum, lost]: [L; 2]) -> [L; 2] {
        let y = power(self.s, shifted_log(self.q, k).1, self.scale);
        let next = Pair::sum(sum, y);
        [next.hi, lost + next.lo]
    }
}

/// e^scale times the sum of (q + k)^-s over k = 0, 1, ..., for s > 1 and positive finite q (Euler and Maclaurin).
#[inline(always)]
fn hurwitz<L: Lane>(s: L, q: L, scale: Option<Pair<L>>) -> L {
    let (zero, one) = (s.lit(0.0), s.lit(1.0));
    let (shifts, terms) = L::pick((3.0, 6), (7.0, 12));
    // a^(1 - s) (1 / (s - 1) + 1 / 2a + B_2/2! s / a^2 + B_4/4! s (s + 1) (s + 2) / a^4 ...), a = q + shifts.
    let (a, log) = shifted_log(q, s.lit(shifts));
    let inverse = one / a;
    // Where s is much larger than a all of this is nothing beside the first term.
    let u = (s * inverse).at_most(64.0);
    let mut series = s.lit(BERNOULLI[terms - 1]);
    for j in (1..terms).rev() {
        let odd = inverse.fma(s.lit(2.0 * j as f64 - 1.0), u);
        let even = inverse.fma(s.lit(2.0 * j as f64), u);
        series = (odd * even).fma(series, s.lit(BERNOULLI[j - 1]));
    }
    let tail = u.fma(series, s.lit(0.5));
    let less = s - one;
    let tail = power(less, log, scale) * inverse.fma(tail, one / less);
    // What is nothing may be negative, and then infinite too.
    let tail = tail.at_least(0.0);
    // The smallest first.
    let [hi, lo] = L::count_down(shifts as u32 - 1, [tail, zero], &Terms { s, q, scale });
    let sum = Pair::new(hi, lo);
    let first = power(s, log_pair(q), scale);
    let sum_hi = Pair::sum(sum.hi, first);
    // Infinite, if it is, without the rest, which is then NaN.
    L::select(sum_hi.hi.lt(s.inf()), sum_hi.hi + (sum_hi.lo + sum.lo), sum_hi.hi)
}

/// A sum, and the difference of two others.
struct Sides<L> {
    s: L,
    from: [L; 3],
    scale: Option<Pair<L>>,
}

impl<L: Lane> Step<L> for Sides<L> {
    #[inline(always)]
    fn step(&self, k: L, [above, below]: [L; 2]) -> [L; 2] {
        let (first, second) = (k.is(3.0), k.is(2.0));
        let from = L::select(first, self.from[0], L::select(second, self.from[1], self.from[2]));
        let sum = hurwitz(self.s, from, self.scale);
        let below = L::select(second, sum, below - sum);
        [L::select(first, sum, above), below]
    }
}

/// The same for q that is not positive and integer s, 1 in `odd` where it is odd. Terms with q + k < 0 are, but for the
/// sign, those of two sums from the other side. At poles infinite if the sum is so from both sides, otherwise NaN.
#[inline(always)]
fn reflected<L: Lane>(s: L, odd: L::Int, q: L, scale: Option<Pair<L>>) -> L {
    let (zero, one, half) = (s.lit(0.0), s.lit(1.0), s.lit(0.5));
    let a = q.abs();
    let r = fraction(a);
    let (pole, negative) = (r.is(0.0), r.lt(zero));
    let above = L::select(pole, half, L::select(negative, -r, one - r));
    let below = L::select(pole, half, L::select(negative, one + r, r));
    let beyond = one + L::select(pole, one, a);
    let sides = Sides { s, from: [above, below, beyond], scale };
    let [above, below] = L::count_down(3, [zero, zero], &sides);
    let sum = above + below.flip(odd.shl(odd.int(L::WIDTH - 1)));
    L::select(pole, L::select(odd.equal(odd.int(0)), s.inf(), s.nan()), sum)
}

/// -1 where x is not positive, otherwise x or NaN.
#[inline(always)]
fn marked<L: Lane>(x: L) -> L {
    L::select(x.is(0.0), x.lit(-1.0), x)
}

/// Where the result is infinite or NaN, whatever q is.
#[inline(always)]
fn zeta_ends<L: Lane>(x: L, q: L, y: L) -> L {
    let y = L::select(x.lit(1.0).lt(x), y, L::select(x.is(1.0), x.inf(), x.nan()));
    let inf = x.inf().bits();
    L::select(inf.below(q.abs().bits()), x.nan(), y).canonical()
}

struct ZetaBelow<L>(L, L);

impl<L: Lane> Later<L> for ZetaBelow<L> {
    #[inline(always)]
    fn now(self) -> L {
        let Self(x, q) = self;
        let (is_integer, odd) = parity(x.abs());
        let y = reflected(x.at_most(L::pick(HUGE[0], HUGE[1])), odd, q, None);
        let y = L::select(is_integer, L::select(x.lt(x.inf()), y, x.nan()), x.nan());
        zeta_ends(x, q, y)
    }
}

/// The sum of (q + k)^-x over k = 0, 1, ...: infinite at x = 1, NaN below. Where q is not positive x must be an integer,
/// and poles are infinite if the sum is so from both sides. 4 ULP for x up to 100 and positive q; of the sum of what is
/// added otherwise.
#[inline(always)]
pub(super) fn zeta<L: Lane>(x: L, q: L) -> L {
    let zero = x.lit(0.0);
    let y = hurwitz(x.at_most(L::pick(HUGE[0], HUGE[1])), q, None);
    // At infinity all terms are zero.
    let y = L::select(q.is(f64::INFINITY), zero, y);
    L::rarely(marked(q).lt(zero), ZetaBelow(x, q), zeta_ends(x, q, y))
}

/// log n! and n + 1.
#[inline(always)]
fn log_factorial<L: Lane>(n: L) -> (Pair<L>, L) {
    let s = n.abs().at_most(L::pick(HUGE[0], HUGE[1])) + n.lit(1.0);
    (lgamma_positive(s), s)
}

/// (-1)^(n + 1) of a result, and NaN where n is no positive integer or x is NaN.
#[inline(always)]
fn polygamma_ends<L: Lane>(n: L, x: L, y: L) -> L {
    let (is_integer, odd) = parity(n.abs());
    let y = y.flip(odd.xor(odd.int(1)).shl(odd.int(L::WIDTH - 1)));
    let y = L::select(is_integer, L::select(n.lt(n.inf()), y, n.nan()), n.nan());
    let y = L::select(n.lit(0.0).lt(n), y, n.nan());
    let inf = n.inf().bits();
    L::select(inf.below(x.abs().bits()), n.nan(), y).canonical()
}

struct PolygammaBelow<L>(L, L);

impl<L: Lane> Later<L> for PolygammaBelow<L> {
    #[inline(always)]
    fn now(self) -> L {
        let Self(n, x) = self;
        let (scale, s) = log_factorial(n);
        let (_, odd) = parity(n.abs());
        // Of order 0 `x` may be positive, for which this would be at no pole but another number.
        let y = reflected(s, odd.xor(odd.int(1)), x, Some(scale));
        L::select(n.is(0.0), digamma(x), polygamma_ends(n, x, y))
    }
}

/// The derivative of digamma of order n, which must be an integer: (-1)^(n+1) n! zeta(n + 1, x). The factorial is in the
/// exponent of each term, so that neither overflows alone. 4 ULP for n up to 100 and positive x; of the sum of what is added
/// otherwise.
#[inline(always)]
pub(super) fn polygamma<L: Lane>(n: L, x: L) -> L {
    let zero = n.lit(0.0);
    let (scale, s) = log_factorial(n);
    let y = hurwitz(s, x, Some(scale));
    let y = L::select(x.is(f64::INFINITY), zero, y);
    let rare = L::select(n.is(0.0), n.lit(-1.0), marked(x)).lt(zero);
    L::rarely(rare, PolygammaBelow(n, x), polygamma_ends(n, x, y))
}
