//! What a formula of the math library may do: a lane is one float, or many side by side, or a node of a
//! program under construction. Every method is exact or rounds once, so all instances give the same bits.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// The integer view of a lane. Arithmetic wraps; shift amounts are below the width.
pub trait Int: Copy {
    /// The result of comparisons.
    type Mask: Copy;
    /// A constant (a builder finds its graph through `self`), cut to the width.
    fn int(self, value: u64) -> Self;
    /// Wrapping sum.
    fn add(self, other: Self) -> Self;
    /// Wrapping difference.
    fn sub(self, other: Self) -> Self;
    /// Lower half of the product.
    fn mul(self, other: Self) -> Self;
    /// Upper half of the unsigned product.
    fn mul_high(self, other: Self) -> Self;
    /// Bitwise and.
    fn and(self, other: Self) -> Self;
    /// Bitwise or.
    fn or(self, other: Self) -> Self;
    /// Bitwise exclusive or.
    fn xor(self, other: Self) -> Self;
    /// Shift towards the high bits.
    fn shl(self, amount: Self) -> Self;
    /// Shift towards the low bits, zeros enter.
    fn shr(self, amount: Self) -> Self;
    /// Shift towards the low bits, copies of the top bit enter.
    fn sar(self, amount: Self) -> Self;
    /// Equality.
    fn equal(self, other: Self) -> Self::Mask;
    /// Unsigned less-than.
    fn below(self, other: Self) -> Self::Mask;
    /// `mask ? a : b`.
    fn select(mask: Self::Mask, a: Self, b: Self) -> Self;
    /// `table[self]`; zero beyond the end.
    #[inline(always)]
    fn lookup(self, table: &[u64]) -> Self {
        let mut r = self.int(0);
        for (k, &entry) in table.iter().enumerate() {
            r = Self::select(self.equal(self.int(k as u64)), self.int(entry), r);
        }
        r
    }
}

/// A part of a formula that may not be needed. Not a closure: those are not inlined, and what is not inlined
/// into a routine does not have its instruction set.
pub trait Later<L> {
    /// Computes it.
    fn now(self) -> L;
}

/// What a formula does again and again. Not a closure, as [`Later`] is none.
pub trait Step<L> {
    /// What two numbers become for a number `k`.
    fn step(&self, k: L, x: [L; 2]) -> [L; 2];
}

/// Gives a formula the name of a type, for [`Lane::rarely`].
macro_rules! later {
    ($name:ident $x:ident => $formula:expr) => {
        struct $name<L>(L);
        impl<L: $crate::math::lane::Lane> $crate::math::lane::Later<L> for $name<L> {
            #[inline(always)]
            fn now(self) -> L {
                let $x = self.0;
                $formula
            }
        }
    };
}
pub(super) use later;

/// A float as the formulas see it.
pub trait Lane:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// Bits of the format: 32 or 64.
    const WIDTH: u64;
    /// Stored bits of the significand.
    const MANTISSA: u64;
    /// Exponent bias.
    const BIAS: u64;
    /// The result of comparisons.
    type Mask: Copy;
    /// The integer of the same width.
    type Int: Int<Mask = Self::Mask>;

    /// A constant, rounded to the format. Not for NaN: see [`Lane::nan`].
    fn lit(self, value: f64) -> Self;
    /// `self * b + c`, rounded once; never optional.
    fn fma(self, b: Self, c: Self) -> Self;
    /// Correctly rounded square root.
    fn sqrt(self) -> Self;
    /// Less-than, false on NaN.
    fn lt(self, other: Self) -> Self::Mask;
    /// Both masks.
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// `mask ? a : b`.
    fn select(mask: Self::Mask, a: Self, b: Self) -> Self;
    /// The bits.
    fn bits(self) -> Self::Int;
    /// The float with these bits.
    fn of(bits: Self::Int) -> Self;
    /// `mask ? rare.now() : common`, where an instance may skip `rare` when nobody asks for it. The caller
    /// returns the result unchanged, so that an instance may mark lanes to be done again.
    #[inline(always)]
    fn rarely(mask: Self::Mask, rare: impl Later<Self>, common: Self) -> Self {
        Self::select(mask, rare.now(), common)
    }
    /// What `x` becomes by a step for each `k` from `most`, 7 at most, down to 1. An instance may have a loop of it.
    #[inline(always)]
    fn count_down(most: u32, mut x: [Self; 2], step: &impl Step<Self>) -> [Self; 2] {
        // A line each: of what a loop holds a compiler would not make vector code.
        macro_rules! lines {
            ($($k:literal)*) => { $(
                if $k <= most {
                    x = step.step(x[0].lit($k as f64), x);
                }
            )* };
        }
        lines!(7 6 5 4 3 2 1);
        x
    }

    // Derived once, so that every instance agrees on NaN and signed zero.

    /// A table or number that differs between the precisions.
    #[inline(always)]
    fn pick<T>(single: T, double: T) -> T {
        if Self::WIDTH == 32 { single } else { double }
    }
    /// An integer constant.
    #[inline(always)]
    fn int(self, value: u64) -> Self::Int {
        self.bits().int(value)
    }
    /// The one NaN that functions return: positive, quiet, payload zero.
    #[inline(always)]
    fn nan(self) -> Self {
        Self::of(self.int(Self::pick(0x7fc0_0000, 0x7ff8_0000_0000_0000)))
    }
    /// Infinity.
    #[inline(always)]
    fn inf(self) -> Self {
        self.lit(f64::INFINITY)
    }
    /// The smaller of `self` and a constant; NaN stays.
    #[inline(always)]
    fn at_most(self, bound: f64) -> Self {
        at_most(self, self.lit(bound))
    }
    /// The larger of `self` and a constant; NaN stays.
    #[inline(always)]
    fn at_least(self, bound: f64) -> Self {
        at_least(self, self.lit(bound))
    }
    /// The sign bit in place.
    #[inline(always)]
    fn sign(self) -> Self::Int {
        self.bits().and(self.int(1 << (Self::WIDTH - 1)))
    }
    /// Magnitude.
    #[inline(always)]
    fn abs(self) -> Self {
        Self::of(self.bits().and(self.int((1 << (Self::WIDTH - 1)) - 1)))
    }
    /// Negated where the sign bit of `sign` is set; `sign` has no other bits.
    #[inline(always)]
    fn flip(self, sign: Self::Int) -> Self {
        Self::of(self.bits().xor(sign))
    }
    /// Equality with a constant other than NaN.
    #[inline(always)]
    fn is(self, value: f64) -> Self::Mask {
        // Adding zero makes -0 equal to +0.
        (self + self.lit(0.0)).bits().equal(self.lit(value).bits())
    }
    /// Adding this number, 3/2 of 2^MANTISSA, rounds to an integer, which is then in the low bits.
    #[inline(always)]
    fn magic(self) -> Self {
        self.lit(Self::pick(12_582_912.0, 6_755_399_441_055_744.0))
    }
    /// The bits of [`Lane::magic`].
    #[inline(always)]
    fn magic_bits(self) -> Self::Int {
        self.int(Self::pick(0x4b40_0000, 0x4338_0000_0000_0000))
    }
    /// The float of a signed integer below 2^(MANTISSA - 1) in magnitude.
    #[inline(always)]
    fn small_int(self, i: Self::Int) -> Self {
        Self::of(i.add(self.magic_bits())) - self.magic()
    }
    /// 2^n for an exponent of a normal number.
    #[inline(always)]
    fn pow2(n: Self::Int) -> Self {
        Self::of(n.add(n.int(Self::BIAS)).shl(n.int(Self::MANTISSA)))
    }
    /// `self * 2^n`, rounded once unless two steps are needed to leave the range.
    #[inline(always)]
    fn scale(self, n: Self::Int) -> Self {
        scale(self, n)
    }
    /// `self`, any NaN made the canonical one: payloads and signs differ by compiler and machine.
    #[inline(always)]
    fn canonical(self) -> Self {
        canonical(self)
    }
    /// `c[0] + c[1] x + c[2] x^2 ...`: by Horner's rule where it is short. Of a long one, since each step waits for the one
    /// before, the terms after the first are two polynomials in x^2; the first, added last, keeps the error small.
    #[inline(always)]
    fn poly(self, c: &[f64]) -> Self {
        if c.len() < LONG_POLYNOMIAL {
            return horner(self, c, 0, 1);
        }
        let square = self * self;
        let rest = horner(square, c, 2, 2).fma(self, horner(square, c, 1, 2));
        rest.fma(self, self.lit(c[0]))
    }
}

// What instances may have in one instruction, made of the others.

#[inline(always)]
pub(super) fn at_most<L: Lane>(x: L, bound: L) -> L {
    L::select(bound.lt(x), bound, x)
}

#[inline(always)]
pub(super) fn at_least<L: Lane>(x: L, bound: L) -> L {
    L::select(x.lt(bound), bound, x)
}

#[inline(always)]
pub(super) fn scale<L: Lane>(x: L, n: L::Int) -> L {
    let half = n.sar(n.int(1));
    x * L::pow2(half) * L::pow2(n.sub(half))
}

#[inline(always)]
pub(super) fn canonical<L: Lane>(x: L) -> L {
    let inf = x.int(L::pick(0x7f80_0000, 0x7ff0_0000_0000_0000));
    L::select(inf.below(x.abs().bits()), x.nan(), x)
}

/// Terms from which on latency costs more than one multiplication.
const LONG_POLYNOMIAL: usize = 8;

/// The polynomial of every `step`th coefficient from `first` on.
#[inline(always)]
fn horner<L: Lane>(x: L, c: &[f64], first: usize, step: usize) -> L {
    let mut k = first + (c.len() - 1 - first) / step * step;
    let mut p = x.lit(c[k]);
    while k > first {
        k -= step;
        p = p.fma(x, x.lit(c[k]));
    }
    p
}

/// The float after `x` towards `y`: as an integer, one more away from zero and one less towards it.
pub fn next_after<L: Lane>(x: L, y: L) -> L {
    let (one, up) = (x.int(1), x.lt(y));
    let (away, back) = (L::of(x.bits().add(one)), L::of(x.bits().sub(one)));
    let positive = x.lit(0.0).lt(x);
    let stepped = L::select(positive, L::select(up, away, back), L::select(up, back, away));
    let moved = L::select(x.is(0.0), L::of(y.sign().or(one)), stepped);
    let near = L::select(up, moved, L::select(y.lt(x), moved, y));
    let inf = x.int(L::pick(0x7f80_0000, 0x7ff0_0000_0000_0000));
    let or_nan = |z: L, other: L| L::select(inf.below(z.abs().bits()), x.nan(), other);
    or_nan(x, or_nan(y, near))
}

macro_rules! scalar {
    ($float:ident $int:ident $signed:ident $wide:ident $mantissa:literal $bias:literal) => {
        impl Lane for $float {
            const WIDTH: u64 = $int::BITS as u64;
            const MANTISSA: u64 = $mantissa;
            const BIAS: u64 = $bias;
            type Mask = bool;
            type Int = $int;
            #[inline(always)]
            fn lit(self, value: f64) -> Self {
                value as $float
            }
            #[inline(always)]
            fn fma(self, b: Self, c: Self) -> Self {
                self.mul_add(b, c)
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                $float::sqrt(self)
            }
            #[inline(always)]
            fn lt(self, other: Self) -> bool {
                self < other
            }
            #[inline(always)]
            fn both(a: bool, b: bool) -> bool {
                a & b
            }
            #[inline(always)]
            fn select(mask: bool, a: Self, b: Self) -> Self {
                if mask { a } else { b }
            }
            #[inline(always)]
            fn bits(self) -> $int {
                self.to_bits()
            }
            #[inline(always)]
            fn of(bits: $int) -> Self {
                $float::from_bits(bits)
            }
            #[inline(always)]
            fn rarely(mask: bool, rare: impl Later<Self>, common: Self) -> Self {
                if mask { rare.now() } else { common }
            }
            #[inline(always)]
            fn count_down(most: u32, mut x: [Self; 2], step: &impl Step<Self>) -> [Self; 2] {
                for k in (1..=most).rev() {
                    x = step.step(k as $float, x);
                }
                x
            }
        }

        impl Int for $int {
            type Mask = bool;
            #[inline(always)]
            fn int(self, value: u64) -> Self {
                value as $int
            }
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            #[inline(always)]
            fn mul_high(self, other: Self) -> Self {
                ((self as $wide * other as $wide) >> $int::BITS) as $int
            }
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }
            #[inline(always)]
            fn shl(self, amount: Self) -> Self {
                self.wrapping_shl(amount as u32)
            }
            #[inline(always)]
            fn shr(self, amount: Self) -> Self {
                self.wrapping_shr(amount as u32)
            }
            #[inline(always)]
            fn sar(self, amount: Self) -> Self {
                (self as $signed).wrapping_shr(amount as u32) as $int
            }
            #[inline(always)]
            fn equal(self, other: Self) -> bool {
                self == other
            }
            #[inline(always)]
            fn below(self, other: Self) -> bool {
                self < other
            }
            #[inline(always)]
            fn select(mask: bool, a: Self, b: Self) -> Self {
                if mask { a } else { b }
            }
            #[inline(always)]
            fn lookup(self, table: &[u64]) -> Self {
                table.get(self as usize).map_or(0, |&entry| entry as $int)
            }
        }
    };
}
scalar!(f32 u32 i32 u64 23 127);
scalar!(f64 u64 i64 u128 52 1023);

/// A NaN that no function returns: the mark of what is still to be computed.
#[inline(always)]
pub fn mark<T: Lane>(x: T) -> T {
    T::of(x.int(T::pick(MARK[0], MARK[1])))
}

/// The bits of [`mark`], in `f32` and `f64`.
pub const MARK: [u64; 2] = [0x7fc0_7e57, 0x7ff8_7e57_7e57_7e57];
