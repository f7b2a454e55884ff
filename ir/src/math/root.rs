//! Roots: rsqrt, cbrt.

use super::lane::{Int, Lane};

/// m^(-1/3) for m between 1 and 2, to 14 bits.
const INVERSE_CUBE_ROOT: &[f64] =
    &[1.6692655079178202, -1.1707873352070988, 0.693311507522615, -0.2202563985298919, 0.02842771973972226];

/// 1 / sqrt(x): two rounded operations. 1.5 ULP.
#[inline(always)]
pub(super) fn rsqrt<L: Lane>(x: L) -> L {
    (x.lit(1.0) / x.sqrt()).canonical()
}

/// Cube root. x = 2^(3e + j) m; r is the inverse cube root of 2^j m by Newton's iteration. 1 ULP.
#[inline(always)]
pub(super) fn cbrt<L: Lane>(x: L) -> L {
    let one = x.lit(1.0);
    let a = x.abs();
    let i = |v: u64| x.int(v);
    let mantissa = i(L::MANTISSA);
    let subnormal = a.lt(L::pow2(i(1u64.wrapping_sub(L::BIAS))));
    // 3 * 8 and 3 * 18: the exponent of the result is then 8 or 18 too large.
    let up = x.lit(L::pick(2f64.powi(24), 2f64.powi(54)));
    let b = L::select(subnormal, a * up, a).bits();
    let exponent = b.shr(mantissa);
    // k / 3 for k up to 2^11 is k * 21846 / 2^16, and as the bias is one more than a multiple of 3, the
    // exponent plus 2 is three times that of the root plus a remainder.
    let shifted = exponent.add(i(L::pick(2, 0)));
    let third = shifted.mul(i(21_846)).shr(i(16));
    let j = shifted.sub(third.mul(i(3)));
    let m = L::of(b.sub(exponent.shl(mantissa)).or(one.bits()));
    let (j1, j2) = (j.equal(i(1)), j.equal(i(2)));
    let r = m.poly(INVERSE_CUBE_ROOT);
    let r =
        r * L::select(j1, x.lit(0.793_700_525_984_099_7), L::select(j2, x.lit(0.629_960_524_947_436_6), one));
    let m = m * L::select(j1, x.lit(2.0), L::select(j2, x.lit(4.0), one));
    let minus_third = x.lit(-1.0 / 3.0);
    let step = |r: L| (r * minus_third).fma((m * r).fma(r * r, -one), r);
    let r = step(r);
    let r = if L::WIDTH == 32 { r } else { step(r) };
    // y = m r^2, corrected by its own remainder: y - (y^3 - m) / (3 y^2).
    let y = m * (r * r);
    let square = y * y;
    let rest = square.fma(y, -m) + y.fma(y, -square) * y;
    let y = (rest * minus_third).fma(r * r, y);
    let lift = L::Int::select(subnormal, i(L::pick(43 + 8, 341 + 18)), i(L::pick(43, 341)));
    let y = y * L::pow2(third.sub(lift));
    let y = L::select(x.lit(0.0).lt(a), L::select(a.lt(x.inf()), y, a), a);
    y.flip(x.sign()).canonical()
}
