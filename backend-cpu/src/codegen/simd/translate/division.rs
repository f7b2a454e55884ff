//! Quotients and remainders of 4-byte integers, which no machine has by lanes, by those of `f64`; of all by powers of two.
//!
//! An `f64` holds every 4-byte integer, and the exact quotient of two is whole or at least 2^-32 of itself away from a whole
//! number, while its rounding moves it by at most 2^-53 of itself: cut towards zero, both are the same. By a constant `d` it is
//! a product with the `f64` above `1/d`: never below the exact quotient, and at most 2^-51 of it above.

use super::{Caller, Gen};
use crate::codegen::simd::body::{Size, Src, V};
use crate::codegen::simd::enc;
use wengert_ir::kernel::KBinary;

impl<C: Caller> Gen<'_, C> {
    /// Division of integers, as the kernel IR defines it where there is no quotient: by zero all bits are ones and the rest is
    /// what was divided; the quotient of the least number by -1 is the least number, and the rest 0.
    pub(super) fn divide(&mut self, op: KBinary, size: Size, x: Src, y: Src) -> Option<V> {
        let (signed, quotient) = match op {
            KBinary::Div => (true, true),
            KBinary::Rem => (true, false),
            KBinary::DivU => (false, true),
            KBinary::RemU => (false, false),
            KBinary::Add
            | KBinary::Sub
            | KBinary::Mul
            | KBinary::Min
            | KBinary::MinU
            | KBinary::Max
            | KBinary::MaxU
            | KBinary::And
            | KBinary::Or
            | KBinary::Xor
            | KBinary::Shl
            | KBinary::Shr
            | KBinary::ShrU
            | KBinary::NextAfter => return None,
        };
        if let Src::Number(word) = y
            && let d = if size == 4 { word & u64::from(u32::MAX) } else { word }
            && d.is_power_of_two()
            && !signed
        {
            let n = usize::from(size == 8);
            let (how, by) = match quotient {
                true => ((enc::SHR_U[n], false), u64::from(d.trailing_zeros())),
                false => ((enc::AND[n], true), d - 1),
            };
            return Some(self.body.binary(how, size, x, Src::Number(by)));
        }
        if size != 4 {
            return None;
        }
        let widens = enc::I32_TO_F64[usize::from(!signed)];
        let cuts = enc::F64_TO_I32[usize::from(!signed)];
        let dividend = self.halves(widens, x);
        let known = match y {
            Src::Number(word) if signed => Some(f64::from(word as i32)),
            Src::Number(word) => Some(f64::from(word as u32)),
            Src::V(_) | Src::Uniform(_) | Src::Iota(_) => None,
        };
        let exact = match known.filter(|&d| d != 0.0) {
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
        if quotient {
            // All ones are what an unsigned quotient that is infinite or NaN becomes.
            if !signed || known.is_some_and(|d| d != 0.0) {
                return Some(whole);
            }
            let zero = self.body.compare((enc::COMPARE[0], Some(0)), 4, y, Src::Number(0));
            return Some(self.body.select(4, zero, Src::Number(u64::MAX), Src::V(whole)));
        }
        let whole = self.body.binary((enc::MUL[0], true), 4, Src::V(whole), y);
        Some(self.body.binary((enc::SUB[0], false), 4, x, Src::V(whole)))
    }
}
