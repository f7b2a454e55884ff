//! Scalar lanes for loops that a compiler is to vectorize: without branches, whatever is rare.

use super::lane::{Int, Lane, Later, mark};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A scalar lane for loops that a compiler is to vectorize: [`Lane::rarely`] computes nothing but marks
/// the result, and whoever runs the loop does the marked elements again with the scalar itself.
#[derive(Clone, Copy)]
pub struct Deferred<T>(pub T);

impl<T: Lane<Mask = bool>> Deferred<T> {
    /// Whether the result is still to be computed.
    #[inline(always)]
    pub fn is_marked(self) -> bool {
        self.0.bits().equal(mark(self.0).bits())
    }
}

/// A scalar lane for the same loops, which computes both results: for runs in which the rare one is not rare.
#[derive(Clone, Copy)]
pub struct Whole<T>(pub T);

macro_rules! operators {
    ($lane:ident: $($op:ident $method:ident),*) => {
        $(impl<T: Lane> $op for $lane<T> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                $lane(self.0.$method(other.0))
            }
        })*

        impl<T: Lane> Neg for $lane<T> {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                $lane(-self.0)
            }
        }
    };
}

/// A lane that is a scalar in all but `rarely`.
macro_rules! around {
    ($lane:ident $rarely:item) => {
        operators!($lane: Add add, Sub sub, Mul mul, Div div);

        impl<T: Lane<Mask = bool>> Lane for $lane<T> {
            const WIDTH: u64 = T::WIDTH;
            const MANTISSA: u64 = T::MANTISSA;
            const BIAS: u64 = T::BIAS;
            type Mask = bool;
            type Int = T::Int;
            #[inline(always)]
            fn lit(self, value: f64) -> Self {
                $lane(self.0.lit(value))
            }
            #[inline(always)]
            fn fma(self, b: Self, c: Self) -> Self {
                $lane(self.0.fma(b.0, c.0))
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                $lane(self.0.sqrt())
            }
            #[inline(always)]
            fn lt(self, other: Self) -> bool {
                self.0.lt(other.0)
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
            fn bits(self) -> T::Int {
                self.0.bits()
            }
            #[inline(always)]
            fn of(bits: T::Int) -> Self {
                $lane(T::of(bits))
            }
            #[inline(always)]
            $rarely
        }
    };
}

around!(Deferred fn rarely(mask: bool, _rare: impl Later<Self>, common: Self) -> Self {
    Self::select(mask, Deferred(mark(common.0)), common)
});
around!(Whole fn rarely(mask: bool, rare: impl Later<Self>, common: Self) -> Self {
    // By bits: of a branch between the two the compiler would make a loop that is no vector code.
    let all = T::Int::select(mask, common.0.int(u64::MAX), common.0.int(0));
    let none = all.xor(common.0.int(u64::MAX));
    Whole(T::of(rare.now().0.bits().and(all).or(common.0.bits().and(none))))
});
