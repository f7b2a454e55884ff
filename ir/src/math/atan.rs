//! Inverse trigonometric functions: atan, atan2, asin, acos.

use super::exp::unless_tiny;
use super::lane::{Int, Lane};
use super::pair::Pair;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// (atan(t) / t - 1) / z in z = t^2, |t| <= 1/2.
const ATAN_32: &[f64] = &[
    -0.33333325386047363,
    0.19999419152736664,
    -0.142709419131279,
    0.10932675004005432,
    -0.0795581191778183,
    0.038359977304935455,
];
const ATAN_64: &[f64] = &[
    -0.3333333333333331,
    0.19999999999992626,
    -0.1428571428490889,
    0.11111111066348259,
    -0.09090907612925749,
    0.07692276134386786,
    -0.06666208371825429,
    0.05877689009843779,
    -0.05229379692718806,
    0.045871536439004226,
    -0.037065025401241423,
    0.023581692689808333,
    -0.00832134091079149,
];
/// (asin(t) / t - 1) / z, |t| <= 1/2.
const ASIN_32: &[f64] = &[
    0.16666659712791443,
    0.07500515133142471,
    0.04451541230082512,
    0.031817805022001266,
    0.01440736185759306,
    0.037553638219833374,
];
const ASIN_64: &[f64] = &[
    0.1666666666666666,
    0.07500000000002363,
    0.044642857139861575,
    0.0303819446354786,
    0.022372151894438704,
    0.01735293924157729,
    0.013961959098139633,
    0.011585134591784254,
    0.009487789635429256,
    0.009991336622138924,
    0.0007425850689656853,
    0.024696942486964638,
    -0.02598622669656839,
    0.03355187828400147,
];

/// What pi/2, pi/4 and pi lose as doubles.
const HALF_PI_REST: f64 = 6.123233995736766e-17;

/// The angle of (x, y), both finite and not negative, not both zero.
#[inline(always)]
fn angle<L: Lane>(y: L, x: L) -> Pair<L> {
    let zero = x.lit(0.0);
    let steep = x.lt(y);
    let (n, d) = (L::select(steep, x, y), L::select(steep, y, x));
    // Scaled by a power of two, so that sums and the reciprocal stay in range.
    let (big, small) =
        (L::pick(1.2676506002282294e30, 2f64.powi(600)), L::pick(7.888609052210118e-31, 2f64.powi(-600)));
    let factor =
        L::select(x.lit(big).lt(d), x.lit(small), L::select(d.lt(x.lit(small)), x.lit(big), x.lit(1.0)));
    let (n, d) = (n * factor, d * factor);
    // atan(n / d), from n/d = 1/2 on as pi/4 + atan((n - d) / (n + d)), whose numerator is exact.
    let near_one = (d * x.lit(0.5)).lt(n);
    let sum = Pair::ordered_sum(d, n);
    let t =
        Pair::new(L::select(near_one, n - d, n), zero).over(Pair::select(near_one, sum, Pair::new(d, zero)));
    let z = t.hi * t.hi;
    let low = (t.hi * z).fma(z.poly(L::pick(ATAN_32, ATAN_64)), t.lo);
    let quarter = Pair::lit(x, FRAC_PI_4, HALF_PI_REST / 2.0);
    let base = Pair::select(near_one, quarter, Pair::new(zero, zero));
    let a = Pair::ordered_sum(base.hi, t.hi);
    let a = Pair::new(a.hi, a.lo + (low + base.lo));
    let half = Pair::lit(x, FRAC_PI_2, HALF_PI_REST);
    let b = Pair::ordered_sum(half.hi, -a.hi);
    Pair::select(steep, Pair::new(b.hi, b.lo + (half.lo - a.lo)), a)
}

/// Arc tangent. 1 ULP.
#[inline(always)]
pub(super) fn atan<L: Lane>(x: L) -> L {
    let a = x.abs();
    let y = angle(a.at_most(L::pick(1e30, 1e300)), x.lit(1.0)).value();
    unless_tiny(x, y.flip(x.sign())).canonical()
}

/// The angle of the point (x, y), with C's special cases. 2 ULP.
#[inline(always)]
pub(super) fn atan2<L: Lane>(y: L, x: L) -> L {
    let (zero, one) = (x.lit(0.0), x.lit(1.0));
    let (a, b) = (y.abs(), x.abs());
    // Infinities as points that have the same angle.
    let (y_inf, x_inf) = (a.is(f64::INFINITY), b.is(f64::INFINITY));
    let p = L::select(y_inf, one, L::select(x_inf, zero, a));
    let q = L::select(x_inf, one, L::select(y_inf, zero, b));
    let left = L::Int::select(x.sign().equal(x.int(0)), x.int(0), x.int(1)).equal(x.int(1));
    let origin = L::both(p.is(0.0), q.is(0.0));
    let t = angle(p, L::select(origin, one, q));
    let pi = Pair::lit(x, PI, 2.0 * HALF_PI_REST);
    let s = Pair::ordered_sum(pi.hi, -t.hi);
    let t = Pair::select(left, Pair::new(s.hi, s.lo + (pi.lo - t.lo)), t);
    let r = t.value().flip(y.sign());
    let inf = x.inf().bits();
    L::select(inf.below(a.bits()), x.nan(), L::select(inf.below(b.bits()), x.nan(), r))
}

/// For a <= 1/2, asin(a) as a + rest; beyond it with a = sqrt((1 - x) / 2) also in two parts.
struct Arc<L: Lane> {
    outer: L::Mask,
    arc: Pair<L>,
}

#[inline(always)]
fn arc<L: Lane>(a: L) -> Arc<L> {
    let half = a.lit(0.5);
    let outer = half.lt(a);
    let z = L::select(outer, (a.lit(1.0) - a) * half, a * a);
    let root = L::select(outer, z, half).sqrt();
    let root_rest = (-root).fma(root, z) / (root + root);
    let s = L::select(outer, root, a);
    let rest = L::select(L::both(outer, a.lit(0.0).lt(root)), root_rest, a.lit(0.0));
    Arc { outer, arc: Pair::new(s, (s * z).fma(z.poly(L::pick(ASIN_32, ASIN_64)), rest)) }
}

/// Arc sine; asin(x) = pi/2 - 2 asin(sqrt((1 - x) / 2)). 1 ULP.
#[inline(always)]
pub(super) fn asin<L: Lane>(x: L) -> L {
    let a = x.abs();
    let Arc { outer, arc } = arc(a);
    let two = x.lit(2.0);
    let half = Pair::lit(x, FRAC_PI_2, HALF_PI_REST);
    let head = Pair::ordered_sum(half.hi, -two * arc.hi);
    let y = L::select(outer, head.hi + (head.lo + (-two).fma(arc.lo, half.lo)), arc.value());
    let y = L::select(x.lit(1.0).lt(a), x.nan(), y.flip(x.sign()));
    unless_tiny(x, y).canonical()
}

/// Arc cosine. 1 ULP.
#[inline(always)]
pub(super) fn acos<L: Lane>(x: L) -> L {
    let a = x.abs();
    let Arc { outer, arc } = arc(a);
    let (zero, two) = (x.lit(0.0), x.lit(2.0));
    let negative = x.lt(zero);
    let arc = Pair::new(arc.hi.flip(x.sign()), arc.lo.flip(x.sign()));
    // Inside pi/2 - asin(x); outside 2 asin(root), or pi minus that for negative x.
    let half = Pair::lit(x, FRAC_PI_2, HALF_PI_REST);
    let pi = Pair::lit(x, PI, 2.0 * HALF_PI_REST);
    let base = Pair::select(outer, Pair::select(negative, pi, Pair::new(zero, zero)), half);
    let factor = L::select(outer, two, x.lit(-1.0));
    let head = Pair::ordered_sum(base.hi, factor * arc.hi);
    let y = head.hi + (head.lo + factor.fma(arc.lo, base.lo));
    L::select(x.lit(1.0).lt(a), x.nan(), y).canonical()
}
