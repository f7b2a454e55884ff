//! Sine, cosine and tangent of radians.

use super::exp::unless_tiny;
use super::lane::{Int, Lane, later};
use super::pair::Pair;

/// (sin(r) / r - 1) / z in z = r^2, |r| <= pi/4.
const SIN_32: &[f64] =
    &[-0.1666666716337204, 0.008333371952176094, -0.00019849797536153346, 2.798298055495252e-06];
const SIN_64: &[f64] = &[
    -0.16666666666666666,
    0.008333333333333104,
    -0.00019841269841063734,
    2.7557319133737878e-06,
    -2.5052087340192393e-08,
    1.6056444425716282e-10,
    -7.495426435654255e-13,
];
/// (cos(r) - 1 + z/2) / z^2.
const COS_32: &[f64] = &[0.04166664555668831, -0.0013887295499444008, 2.4429546101600863e-05];
const COS_64: &[f64] = &[
    0.04166666666666658,
    -0.001388888888887101,
    2.4801587287559857e-05,
    -2.755731379986643e-07,
    2.087564831593329e-09,
    -1.1355766817363784e-11,
];

/// pi/2 as a sum of floats.
const HALF_PI_32: [f64; 3] = [1.5707963705062866, -4.371138828673793e-08, -1.7151245100058819e-15];
const HALF_PI_64: [f64; 3] = [std::f64::consts::FRAC_PI_2, 6.123233995736766e-17, -1.4973849048591698e-33];

/// Up to here pi/2 in three parts is enough.
const NEAR: [f64; 2] = [131_071.0, 1e8];

/// A word of zeros, then the bits of 2/pi.
const TWO_OVER_PI_32: &[u64] =
    &[0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab];
const TWO_OVER_PI_64: &[u64] = &[
    0x0000000000000000,
    0xa2f9836e4e441529,
    0xfc2757d1f534ddc0,
    0xdb6295993c439041,
    0xfe5163abdebbc561,
    0xb7246e3a424dd2e0,
    0x06492eea09d1921c,
    0xfe1deb1cb129a73e,
    0xe88235f52ebb4484,
    0xe99c7026b45f7e41,
    0x3991d639835339f4,
    0x9c845f8bbdf9283b,
    0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f,
    0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea,
    0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab,
];

/// a = (4k + q) pi/2 + r; the two lowest bits of the integer are q.
#[inline(always)]
fn reduce_near<L: Lane>(a: L) -> (L::Int, Pair<L>) {
    let c = L::pick(HALF_PI_32, HALF_PI_64);
    let shifted = a.fma(a.lit(std::f64::consts::FRAC_2_PI), a.magic());
    let n = shifted - a.magic();
    // The first step is exact: a and n c[0] are multiples of the last place of c[0], the result is below 1.
    let r0 = n.fma(a.lit(-c[0]), a);
    let p = Pair::product(n, a.lit(-c[1]));
    let r = Pair::sum(r0, p.hi);
    let low = n.fma(a.lit(-c[2]), r.lo + p.lo);
    (shifted.bits(), Pair::ordered_sum(r.hi, low))
}

/// The same for any a >= 1 (Payne and Hanek): a = m 2^k with an integer m, so of the bits of 2/pi only
/// those matter that are neither multiples of 4 in the product nor too small.
#[inline(always)]
fn reduce_far<L: Lane>(a: L) -> (L::Int, Pair<L>) {
    let b = a.bits();
    let i = |v: u64| b.int(v);
    let (width, half) = (L::WIDTH, L::WIDTH / 2);
    let start = b.shr(i(L::MANTISSA)).sub(i(L::BIAS + L::MANTISSA + 2 - width));
    let (at, shift) = (start.shr(i(L::pick(5, 6))), start.and(i(width - 1)));
    let word = |k: u64| at.add(i(k)).lookup(L::pick(TWO_OVER_PI_32, TWO_OVER_PI_64));
    let w = [word(0), word(1), word(2), word(3)];
    let cut = |k: usize| w[k].shl(shift).or(w[k + 1].shr(i(1)).shr(i(width - 1).sub(shift)));
    let (v0, v1, v2) = (cut(0), cut(1), cut(2));
    let m = b.and(i((1 << L::MANTISSA) - 1)).or(i(1 << L::MANTISSA));
    // The product, two bits of quadrant and then the fraction, in two words.
    let low = m.mul(v1);
    let p1 = low.add(m.mul_high(v2));
    let p0 = m.mul(v0).add(m.mul_high(v1)).add(L::Int::select(p1.below(low), i(1), i(0)));
    let q = p0.add(i(1 << (width - 3))).shr(i(width - 2));
    let (f0, f1) = (p0.shl(i(2)).or(p1.shr(i(width - 2))), p1.shl(i(2)));
    let negative = f0.sar(i(width - 1));
    let (f0, f1) = (f0.xor(negative), f1.xor(negative));
    let digit = |u: L::Int| a.small_int(u);
    let mask = i((1 << half) - 1);
    let unit = a.lit(L::pick(1.0 / 65_536.0, 1.0 / 4_294_967_296.0));
    let rest = digit(f1.and(mask)).fma(unit, digit(f1.shr(i(half)))) * unit;
    let head = Pair::ordered_sum(digit(f0.shr(i(half))), digit(f0.and(mask)) * unit);
    let f = Pair::ordered_sum(head.hi, head.lo + rest * unit);
    let f = Pair::new(f.hi * unit, f.lo * unit);
    let c = L::pick(HALF_PI_32, HALF_PI_64);
    let r = f.times(Pair::new(a.lit(c[0]), a.lit(c[1])));
    let sign = negative.and(i(1 << (width - 1)));
    (q, Pair::new(r.hi.flip(sign), r.lo.flip(sign)))
}

/// sin(r) and cos(r) for |r| up to a little more than pi/4.
#[inline(always)]
pub(super) fn sin_cos_small<L: Lane>(r: Pair<L>) -> (Pair<L>, Pair<L>) {
    let z = r.hi * r.hi;
    let sin = (r.hi * z).fma(z.poly(L::pick(SIN_32, SIN_64)), r.lo.fma(z * z.lit(-0.5), r.lo));
    let head = Pair::ordered_sum(z.lit(1.0), z * z.lit(-0.5));
    let cos = (z * z).fma(z.poly(L::pick(COS_32, COS_64)), (-r.hi).fma(r.lo, head.lo));
    (Pair::new(r.hi, sin), Pair::new(head.hi, cos))
}

#[inline(always)]
fn finish<L: Lane>(x: L, y: L) -> L {
    L::select(x.abs().lt(x.inf()), y, x.nan())
}

#[inline(always)]
fn is_odd<L: Lane>(q: L::Int) -> L::Mask {
    q.and(q.int(1)).equal(q.int(1))
}

#[inline(always)]
fn sin_of<L: Lane>(x: L, (q, r): (L::Int, Pair<L>)) -> L {
    let (s, c) = sin_cos_small(r);
    let y = Pair::select(is_odd::<L>(q), c, s).value();
    let sign = q.shl(q.int(L::WIDTH - 2)).xor(x.bits());
    finish(x, y.flip(sign.and(x.int(1 << (L::WIDTH - 1)))))
}

#[inline(always)]
fn cos_of<L: Lane>(x: L, (q, r): (L::Int, Pair<L>)) -> L {
    let (s, c) = sin_cos_small(r);
    let y = Pair::select(is_odd::<L>(q), s, c).value();
    let sign = q.add(q.int(1)).shl(q.int(L::WIDTH - 2));
    finish(x, y.flip(sign.and(x.int(1 << (L::WIDTH - 1)))))
}

#[inline(always)]
fn tan_of<L: Lane>(x: L, (q, r): (L::Int, Pair<L>)) -> L {
    let (s, c) = sin_cos_small(r);
    let odd = is_odd::<L>(q);
    let (s, c) = (s.tidy(), c.tidy());
    let y = Pair::select(odd, c, s).over(Pair::select(odd, s, c)).hi;
    let sign = q.shl(q.int(L::WIDTH - 1)).xor(x.sign());
    unless_tiny(x, finish(x, y.flip(sign)))
}

later!(FarSin x => sin_of(x, reduce_far(x.abs())));

/// Sine. 1 ULP.
#[inline(always)]
pub(super) fn sin<L: Lane>(x: L) -> L {
    let a = x.abs();
    let near = unless_tiny(x, sin_of(x, reduce_near(a)));
    L::rarely(x.lit(L::pick(NEAR[0], NEAR[1])).lt(a), FarSin(x), near)
}

later!(FarCos x => cos_of(x, reduce_far(x.abs())));

/// Cosine. 1 ULP.
#[inline(always)]
pub(super) fn cos<L: Lane>(x: L) -> L {
    let a = x.abs();
    let near = cos_of(x, reduce_near(a));
    L::rarely(x.lit(L::pick(NEAR[0], NEAR[1])).lt(a), FarCos(x), near)
}

later!(FarTan x => tan_of(x, reduce_far(x.abs())));

/// Tangent. 1 ULP.
#[inline(always)]
pub(super) fn tan<L: Lane>(x: L) -> L {
    let a = x.abs();
    let near = tan_of(x, reduce_near(a));
    L::rarely(x.lit(L::pick(NEAR[0], NEAR[1])).lt(a), FarTan(x), near)
}
