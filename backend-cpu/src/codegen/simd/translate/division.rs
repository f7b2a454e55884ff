//! Quotients and remainders of 4-byte integers, which no machine has by lanes, by those of `f64`; of all by powers of two.
//!
//! An `f64` holds every 4-byte integer, and the exact quotient of two is whole or at least 2^-32 of itself away from a whole
//! number, while its rounding moves it by at most 2^-53 of itself: cut towards zero, both are the same. By a constant `d` it is
//! a product with the `f64` above `1/d`: never below the exact quotient, and at most 2^-51 of it above.

use super::narrow::{Whole, narrow};
use super::{Caller, Gen, at};
use crate::codegen::simd::body::{Size, Src, V, size_of};
use crate::codegen::simd::enc;
use wengert_ir::kernel::Scalar;

impl<C: Caller> Gen<'_, C> {
    /// A quotient, as the kernel IR defines it where there is none: by zero all bits are ones; of the least number by -1 it is the
    /// least number.
    pub(super) fn quotient(&mut self, how: Whole, ty: Scalar, x: Src, y: Src) -> Option<V> {
        let size = size_of(ty)?;
        if let Some(d) = power_of_two(how, size, y) {
            let by = Src::Number(d.trailing_zeros().into());
            return Some(self.body.binary((enc::SHR_U[at(size)], false), size, x, by));
        }
        if size != 4 {
            return None;
        }
        // What had fewer bytes has no sign in 4, for which there are more instructions.
        let unsigned = how == Whole::Unsigned && narrow(ty).is_none();
        let n = usize::from(unsigned);
        let (widens, cuts) = (enc::I32_TO_F64[n], enc::F64_TO_I32[n]);
        let dividend = self.halves(widens, x);
        let known = match (y, how) {
            (Src::Number(word), Whole::Signed) => Some(f64::from(word as i32)),
            (Src::Number(word), Whole::Unsigned) => Some(f64::from(word as u32)),
            (Src::V(_) | Src::Uniform(_) | Src::Iota(_), _) => None,
        };
        let known = known.filter(|&d| d != 0.0);
        let exact = match known {
            Some(d) => {
                let above = if d > 0.0 { (1.0 / d).next_up() } else { (1.0 / d).next_down() };
                let factor = Src::Number(above.to_bits());
                dividend.map(|x| self.body.binary((enc::FMUL[1], true), 8, Src::V(x), factor))
            }
            None => {
                let [low, high] = self.halves(widens, y);
                let mut half = |x, y| self.body.binary((enc::FDIV[1], false), 8, Src::V(x), Src::V(y));
                [half(dividend[0], low), half(dividend[1], high)]
            }
        };
        let whole = exact.map(|q| self.body.unary(cuts, 8, None, Src::V(q)));
        let whole = self.joined(whole);
        // All ones are what an unsigned quotient that is infinite or NaN becomes.
        if unsigned || known.is_some() {
            return Some(whole);
        }
        let zero = self.body.compare((enc::COMPARE[0], Some(0)), 4, y, Src::Number(0));
        Some(self.body.select(4, zero, Src::Number(u64::MAX), Src::V(whole)))
    }

    /// What is left of `x`: all of it by zero, and nothing of the least number by -1.
    pub(super) fn remainder(&mut self, how: Whole, ty: Scalar, x: Src, y: Src) -> Option<V> {
        let size = size_of(ty)?;
        if let Some(d) = power_of_two(how, size, y) {
            return Some(self.body.binary((enc::AND[at(size)], true), size, x, Src::Number(d - 1)));
        }
        let whole = self.quotient(how, ty, x, y)?;
        let product = self.body.binary((enc::MUL[0], true), 4, Src::V(whole), y);
        Some(self.body.binary((enc::SUB[0], false), 4, x, Src::V(product)))
    }
}

/// The constant that unsigned numbers are divided by, if bits are all there is to move.
fn power_of_two(how: Whole, size: Size, y: Src) -> Option<u64> {
    let Src::Number(word) = y else { return None };
    let d = if size == 4 { word & u64::from(u32::MAX) } else { word };
    (how == Whole::Unsigned && d.is_power_of_two()).then_some(d)
}
