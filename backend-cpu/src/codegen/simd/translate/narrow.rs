//! Integers of one and two bytes, in 4-byte lanes whose upper bits nobody knows.
//!
//! Sums, products and bitwise operations need no more than the lower bits. What looks at a whole number asks for it, extended
//! by its sign or by zeros ([`Gen::operand`]).

use super::{Caller, Gen, Lanes};
use crate::codegen::simd::body::{Inst, Src, V};
use crate::codegen::simd::enc;
use smallvec::SmallVec;
use wengert_ir::kernel::{Access, KBinary, KCast, KInst, KOp, KValue, Scalar};
use wengert_ir::op::CompareType;

/// How the upper bits of a number that is looked at as a whole are filled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Whole {
    /// With its sign.
    Signed,
    /// With zeros.
    Unsigned,
}

/// Bytes of an integer that is smaller than its lane.
pub(super) fn narrow(ty: Scalar) -> Option<u8> {
    matches!(ty, Scalar::I8 | Scalar::I16).then_some(ty.size() as u8)
}

/// What an operation of two integers needs of each.
pub(super) fn needs(op: KBinary) -> [Option<Whole>; 2] {
    use Whole::{Signed, Unsigned};
    match op {
        KBinary::Add | KBinary::Sub | KBinary::Mul | KBinary::And | KBinary::Or | KBinary::Xor => [None; 2],
        KBinary::Div | KBinary::Rem | KBinary::Min | KBinary::Max => [Some(Signed); 2],
        KBinary::DivU | KBinary::RemU | KBinary::MinU | KBinary::MaxU => [Some(Unsigned); 2],
        KBinary::Shl => [None, Some(Unsigned)],
        KBinary::Shr => [Some(Signed), Some(Unsigned)],
        KBinary::ShrU => [Some(Unsigned); 2],
        KBinary::NextAfter => [None; 2],
    }
}

/// The same of a comparison.
pub(super) fn compared(kind: CompareType) -> Option<Whole> {
    match kind {
        CompareType::Signed | CompareType::TotalOrder => Some(Whole::Signed),
        CompareType::Unsigned => Some(Whole::Unsigned),
        CompareType::Float => None,
    }
}

impl<C: Caller> Gen<'_, C> {
    /// Vector `k` of a number, as a whole one where that is asked for.
    pub(super) fn operand(&mut self, v: KValue, k: usize, whole: Option<Whole>) -> Option<Src> {
        let x = self.number(v, k)?;
        let (Some(bytes), Some(whole)) = (narrow(self.caller.ty(v)), whole) else { return Some(x) };
        let unused = 32 - 8 * u32::from(bytes);
        let ones = u64::from(u32::MAX >> unused);
        Some(match (x, whole) {
            (Src::Number(word), Whole::Unsigned) => Src::Number(word & ones),
            (Src::Number(word), Whole::Signed) => {
                Src::Number(u64::from((((word as u32) << unused) as i32 >> unused) as u32))
            }
            (Src::V(v), _) if self.extended.get(&v).is_some_and(|&(how, of)| how == whole && of <= bytes) => {
                x
            }
            (_, Whole::Unsigned) => Src::V(self.body.binary((enc::AND[0], true), 4, x, Src::Number(ones))),
            (_, Whole::Signed) => {
                let by = Src::Number(u64::from(unused));
                let up = self.body.binary((enc::SHL[0], false), 4, x, by);
                Src::V(self.body.binary((enc::SHR[0], false), 4, Src::V(up), by))
            }
        })
    }

    /// Consecutive elements, extended as most of their readers want them.
    pub(super) fn load_narrow(&mut self, access: &Access, result: KValue) -> Option<Lanes> {
        let bytes = narrow(self.caller.mem(access.mem).elem)?;
        let wants = |inst: &KInst| {
            if let KOp::Cast(cast) = &inst.op {
                *cast == KCast::Unsigned
            } else if let KOp::Compare(_, kind) = &inst.op {
                compared(*kind) == Some(Whole::Unsigned)
            } else if let KOp::Binary(op) = &inst.op {
                needs(*op).contains(&Some(Whole::Unsigned))
            } else {
                false
            }
        };
        let mut readers = self.l.body.insts.iter().filter(|inst| inst.operands.contains(&result));
        let unsigned = readers.any(wants);
        let (encs, whole) = match unsigned {
            true => (enc::FROM_UNSIGNED, Whole::Unsigned),
            false => (enc::FROM_SIGNED, Whole::Signed),
        };
        self.each(4, |g, k| {
            let (run, part, to) = (g.run(access, bytes, k), g.part(k), g.body.vector());
            let enc = encs[usize::from(bytes == 2)];
            g.body.insts.push(Inst::Load { enc, run, width: 16 * bytes, part, to });
            g.extended.insert(to, (whole, bytes));
            Some(to)
        })
    }

    /// The lower bits, to consecutive elements.
    pub(super) fn store_narrow(&mut self, access: &Access, value: KValue) -> Option<()> {
        let bytes = narrow(self.caller.mem(access.mem).elem)?;
        for k in 0..self.parts(4) {
            let x = self.number(value, k)?;
            let from = self.body.register(4, x);
            let (run, part, enc) =
                (self.run(access, bytes, k), self.part(k), enc::TO_NARROW[usize::from(bytes == 2)]);
            self.body.insts.push(Inst::Store { enc, run, width: 16 * bytes, part, from });
        }
        Some(())
    }

    /// Whole 4-byte integers, none of which leaves the range of a smaller type by wrapping: floats are converted so.
    pub(super) fn clamped(&mut self, lanes: &Lanes, to: Scalar, signed: bool) -> Option<Lanes> {
        let bits = 8 * u32::from(narrow(to)?);
        let (least, most) = match signed {
            true => (-(1i32 << (bits - 1)), (1i32 << (bits - 1)) - 1),
            false => (0, (1i32 << bits) - 1),
        };
        let Lanes::Numbers(vectors) = lanes else { return None };
        let bound = |n: i32| Src::Number(u64::from(n as u32));
        let clamp = |&x: &Src| {
            let below: V = self.body.binary((enc::MIN[0], true), 4, x, bound(most));
            Src::V(self.body.binary((enc::MAX[0], true), 4, Src::V(below), bound(least)))
        };
        Some(Lanes::Numbers(vectors.iter().map(clamp).collect::<SmallVec<_>>()))
    }
}
