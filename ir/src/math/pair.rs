//! Unevaluated sums of two floats, for intermediate results that one float cannot hold.

use super::lane::Lane;

/// `hi + lo`, where `lo` is at most about one unit in the last place of `hi`.
#[derive(Clone, Copy)]
pub(super) struct Pair<L> {
    pub(super) hi: L,
    pub(super) lo: L,
}

impl<L: Lane> Pair<L> {
    #[inline(always)]
    pub(super) fn new(hi: L, lo: L) -> Self {
        Pair { hi, lo }
    }

    /// A constant; `lo` is what the format cannot hold of `hi` + `lo`.
    #[inline(always)]
    pub(super) fn lit(x: L, hi: f64, lo: f64) -> Self {
        let head = L::pick(hi as f32 as f64, hi);
        let tail = L::pick(hi - head + lo, lo);
        Pair { hi: x.lit(head), lo: x.lit(tail) }
    }

    /// `a + b` exactly, where `a` is zero or not smaller than `b`.
    #[inline(always)]
    pub(super) fn ordered_sum(a: L, b: L) -> Self {
        let hi = a + b;
        Pair { hi, lo: b - (hi - a) }
    }

    /// `a + b` exactly.
    #[inline(always)]
    pub(super) fn sum(a: L, b: L) -> Self {
        let hi = a + b;
        let part = hi - a;
        Pair { hi, lo: (a - (hi - part)) + (b - part) }
    }

    /// `a * b` exactly.
    #[inline(always)]
    pub(super) fn product(a: L, b: L) -> Self {
        let hi = a * b;
        Pair { hi, lo: a.fma(b, -hi) }
    }

    /// The same number with a small `lo`.
    #[inline(always)]
    pub(super) fn tidy(self) -> Self {
        Self::ordered_sum(self.hi, self.lo)
    }

    #[inline(always)]
    pub(super) fn value(self) -> L {
        self.hi + self.lo
    }

    #[inline(always)]
    pub(super) fn neg(self) -> Self {
        Pair { hi: -self.hi, lo: -self.lo }
    }

    #[inline(always)]
    pub(super) fn plus(self, other: Self) -> Self {
        let s = Self::sum(self.hi, other.hi);
        Pair { hi: s.hi, lo: s.lo + (self.lo + other.lo) }.tidy()
    }

    #[inline(always)]
    pub(super) fn times(self, other: Self) -> Self {
        let p = Self::product(self.hi, other.hi);
        Pair { hi: p.hi, lo: self.hi.fma(other.lo, self.lo.fma(other.hi, p.lo)) }.tidy()
    }

    /// The quotient, with one division; the reciprocal of `other.hi` must be a normal number.
    #[inline(always)]
    pub(super) fn over(self, other: Self) -> Self {
        let inverse = other.hi.lit(1.0) / other.hi;
        let q = self.hi * inverse;
        let rest = (-q).fma(other.hi, self.hi);
        Pair { hi: q, lo: (-q).fma(other.lo, rest + self.lo) * inverse }.tidy()
    }

    /// The square root of a positive number.
    #[inline(always)]
    pub(super) fn sqrt(self) -> Self {
        let s = self.hi.sqrt();
        let rest = (-s).fma(s, self.hi) + self.lo;
        Pair { hi: s, lo: rest / (s + s) }
    }

    #[inline(always)]
    pub(super) fn select(mask: L::Mask, a: Self, b: Self) -> Self {
        Pair { hi: L::select(mask, a.hi, b.hi), lo: L::select(mask, a.lo, b.lo) }
    }
}
