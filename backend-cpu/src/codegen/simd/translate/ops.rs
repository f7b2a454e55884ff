//! Instructions of scalars, lane by lane.

use super::narrow::{Whole, compared, needs};
use super::{Caller, Gen, Lanes, at};
use crate::codegen::simd::body::{Inst, Size, Src, V, size_of};
use crate::codegen::simd::enc::Enc;
use crate::codegen::simd::{enc, math};
use wengert_ir::kernel::{KBinary, KInst, KOp, KUnary, Scalar};
use wengert_ir::launch_ops;
use wengert_ir::op::{CompareType, Direction};

impl<C: Caller> Gen<'_, C> {
    pub(super) fn inst(&mut self, inst: &KInst) -> Option<Lanes> {
        let o = &inst.operands;
        let ty = o.first().map_or(Scalar::I1, |&v| self.caller.ty(v));
        match &inst.op {
            KOp::Unary(KUnary::Not) if ty == Scalar::I1 => {
                let size = self.natural(o);
                self.each_mask(size, |g, k| {
                    let x = g.mask(o[0], size, k)?;
                    Some(g.body.not(x))
                })
            }
            KOp::Unary(op) => {
                let size = size_of(ty)?;
                let counts = matches!(op, KUnary::Popcnt | KUnary::Clz);
                let signed = (*op == KUnary::Abs).then_some(Whole::Signed);
                let whole = if counts { Some(Whole::Unsigned) } else { signed };
                self.each(size, |g, k| {
                    let x = g.operand(o[0], k, whole)?;
                    g.unary(*op, ty, size, x)
                })
            }
            KOp::Binary(op) if ty == Scalar::I1 => {
                let op = match op {
                    KBinary::And => enc::KAND,
                    KBinary::Or => enc::KOR,
                    KBinary::Xor => enc::KXOR,
                    KBinary::Add
                    | KBinary::Sub
                    | KBinary::Mul
                    | KBinary::Div
                    | KBinary::DivU
                    | KBinary::Rem
                    | KBinary::RemU
                    | KBinary::Min
                    | KBinary::MinU
                    | KBinary::Max
                    | KBinary::MaxU
                    | KBinary::Shl
                    | KBinary::Shr
                    | KBinary::ShrU
                    | KBinary::NextAfter => return None,
                };
                let size = self.natural(o);
                self.each_mask(size, |g, k| {
                    let (x, y) = (g.mask(o[0], size, k)?, g.mask(o[1], size, k)?);
                    Some(g.body.masks(op, x, y))
                })
            }
            KOp::Binary(op) => {
                let size = size_of(ty)?;
                let [first, second] = needs(*op);
                self.each(size, |g, k| {
                    let (x, y) = (g.operand(o[0], k, first)?, g.operand(o[1], k, second)?);
                    g.binary(*op, ty, size, x, y)
                })
            }
            KOp::Compare(direction, CompareType::Unsigned) if ty == Scalar::I1 => {
                // Of truth values false is less than true.
                let (op, swaps, opposite) = match direction {
                    Direction::Ne => (enc::KXOR, false, false),
                    Direction::Eq => (enc::KXOR, false, true),
                    Direction::Lt => (enc::KANDN, false, false),
                    Direction::Ge => (enc::KANDN, false, true),
                    Direction::Gt => (enc::KANDN, true, false),
                    Direction::Le => (enc::KANDN, true, true),
                };
                let size = self.natural(o);
                self.each_mask(size, |g, k| {
                    let (x, y) = (g.mask(o[0], size, k)?, g.mask(o[1], size, k)?);
                    let (x, y) = if swaps { (y, x) } else { (x, y) };
                    let holds = g.body.masks(op, x, y);
                    Some(if opposite { g.body.not(holds) } else { holds })
                })
            }
            KOp::Compare(direction, kind) => {
                let size = size_of(ty)?;
                let how = compare(*direction, *kind, ty)?;
                let whole = compared(*kind);
                self.each_mask(size, |g, k| {
                    let (x, y) = (g.operand(o[0], k, whole)?, g.operand(o[1], k, whole)?);
                    Some(g.body.compare(how, size, x, y))
                })
            }
            KOp::Select => self.select(inst),
            KOp::Fma => {
                let size = size_of(ty)?;
                self.each(size, |g, k| {
                    let (x, y, z) = (g.number(o[0], k)?, g.number(o[1], k)?, g.number(o[2], k)?);
                    if ty.is_float() {
                        return Some(g.body.fma(size, x, y, z));
                    }
                    let product = g.body.binary((enc::MUL[at(size)], true), size, x, y);
                    Some(g.body.binary((enc::ADD[at(size)], true), size, Src::V(product), z))
                })
            }
            KOp::Cast(cast) => self.cast(*cast, ty, inst),
            KOp::Math(f) => {
                let size = size_of(ty)?;
                let inlines = math::inlines(*f, ty);
                if !inlines && !self.caller.cuts_calls() {
                    return None;
                }
                self.each(size, |g, k| {
                    let x = g.number(o[0], k)?;
                    Some(if inlines {
                        math::unary(&mut g.body, *f, size, x)
                    } else {
                        g.body.register(size, x)
                    })
                })
            }
            KOp::Math2(f) => {
                let size = size_of(ty)?;
                let inlines = math::inlines2(*f, ty);
                if !inlines && !self.caller.cuts_calls() {
                    return None;
                }
                self.each(size, |g, k| {
                    let (x, y) = (g.number(o[0], k)?, g.number(o[1], k)?);
                    Some(if inlines {
                        math::binary(&mut g.body, *f, size, x, y)
                    } else {
                        g.body.register(size, x)
                    })
                })
            }
            KOp::Load(access) => self.load(access, inst.results[0]),
            KOp::Const(_)
            | KOp::Store(_)
            | KOp::For(_)
            | KOp::While(_)
            | KOp::Switch(_)
            | KOp::Call { .. }
            | KOp::Parallel { .. }
            | launch_ops!()
            | KOp::Library(_)
            | KOp::Reserve(_)
            | KOp::Steps(_) => None,
        }
    }

    fn unary(&mut self, op: KUnary, ty: Scalar, size: Size, x: Src) -> Option<V> {
        let n = at(size);
        let sign = 1u64 << (8 * size - 1);
        let b = &mut self.body;
        Some(match (op, ty.is_float()) {
            (KUnary::Neg, true) => b.negated(size, x),
            (KUnary::Neg, false) => b.binary((enc::SUB[n], false), size, Src::Number(0), x),
            (KUnary::Abs, true) => b.binary((enc::AND[n], true), size, x, Src::Number(sign - 1)),
            (KUnary::Abs, false) => b.unary(enc::ABS[n], size, None, x),
            (KUnary::Sqrt, true) => b.unary(enc::FSQRT[n], size, None, x),
            (KUnary::Nearest, true) => b.unary(enc::ROUND[n], size, Some(8), x),
            (KUnary::Floor, true) => b.unary(enc::ROUND[n], size, Some(9), x),
            (KUnary::Ceil, true) => b.unary(enc::ROUND[n], size, Some(10), x),
            (KUnary::Not, false) => b.binary((enc::XOR[n], true), size, x, Src::Number(u64::MAX)),
            (KUnary::Popcnt, false) => self.ones(size, x),
            (KUnary::Clz, false) => {
                let zeros = b.unary(enc::LEADING_ZEROS[n], size, None, x);
                match (8 * size).checked_sub(8 * ty.size() as u8) {
                    None | Some(0) => zeros,
                    Some(more) => {
                        b.binary((enc::SUB[n], false), size, Src::V(zeros), Src::Number(more.into()))
                    }
                }
            }
            (
                KUnary::Sqrt
                | KUnary::Nearest
                | KUnary::Floor
                | KUnary::Ceil
                | KUnary::Not
                | KUnary::Popcnt
                | KUnary::Clz,
                _,
            ) => return None,
        })
    }

    /// How many bits are set: of pairs, of fours, of bytes, whose sum a product has in its highest byte. (Few machines have an
    /// instruction for vectors. Warren, "Hacker's Delight", chapter 5.)
    fn ones(&mut self, size: Size, x: Src) -> V {
        let n = at(size);
        let each = |byte: u64| {
            Src::Number(if size == 8 { byte * 0x0101_0101_0101_0101 } else { byte * 0x0101_0101 })
        };
        let b = &mut self.body;
        let shifted = |b: &mut super::Body, x: Src, by: u64| {
            Src::V(b.binary((enc::SHR_U[n], false), size, x, Src::Number(by)))
        };
        let half = shifted(b, x, 1);
        let half = b.binary((enc::AND[n], true), size, half, each(0x55));
        let pairs = Src::V(b.binary((enc::SUB[n], false), size, x, Src::V(half)));
        let upper = shifted(b, pairs, 2);
        let upper = b.binary((enc::AND[n], true), size, upper, each(0x33));
        let lower = b.binary((enc::AND[n], true), size, pairs, each(0x33));
        let fours = Src::V(b.binary((enc::ADD[n], true), size, Src::V(lower), Src::V(upper)));
        let upper = shifted(b, fours, 4);
        let sum = b.binary((enc::ADD[n], true), size, fours, upper);
        let bytes = b.binary((enc::AND[n], true), size, Src::V(sum), each(0x0f));
        let all = b.binary((enc::MUL[n], true), size, Src::V(bytes), each(1));
        b.binary((enc::SHR_U[n], false), size, Src::V(all), Src::Number(8 * u64::from(size) - 8))
    }

    pub(super) fn binary(&mut self, op: KBinary, ty: Scalar, size: Size, x: Src, y: Src) -> Option<V> {
        let n = at(size);
        let how = if ty.is_float() {
            match op {
                KBinary::Add => (enc::FADD[n], true),
                KBinary::Sub => (enc::FSUB[n], false),
                KBinary::Mul => (enc::FMUL[n], true),
                KBinary::Div => (enc::FDIV[n], false),
                KBinary::Min | KBinary::Max => return Some(self.extremum(op == KBinary::Max, size, x, y)),
                KBinary::DivU
                | KBinary::Rem
                | KBinary::RemU
                | KBinary::MinU
                | KBinary::MaxU
                | KBinary::And
                | KBinary::Or
                | KBinary::Xor
                | KBinary::Shl
                | KBinary::Shr
                | KBinary::ShrU
                | KBinary::NextAfter => return None,
            }
        } else {
            match op {
                KBinary::Add => (enc::ADD[n], true),
                KBinary::Sub => (enc::SUB[n], false),
                KBinary::Mul => (enc::MUL[n], true),
                KBinary::Min => (enc::MIN[n], true),
                KBinary::Max => (enc::MAX[n], true),
                KBinary::MinU => (enc::MIN_U[n], true),
                KBinary::MaxU => (enc::MAX_U[n], true),
                KBinary::And => (enc::AND[n], true),
                KBinary::Or => (enc::OR[n], true),
                KBinary::Xor => (enc::XOR[n], true),
                KBinary::Shl => (enc::SHL[n], false),
                KBinary::Shr => (enc::SHR[n], false),
                KBinary::ShrU => (enc::SHR_U[n], false),
                KBinary::Div => return self.quotient(Whole::Signed, ty, x, y),
                KBinary::DivU => return self.quotient(Whole::Unsigned, ty, x, y),
                KBinary::Rem => return self.remainder(Whole::Signed, ty, x, y),
                KBinary::RemU => return self.remainder(Whole::Unsigned, ty, x, y),
                KBinary::NextAfter => return None,
            }
        };
        Some(self.body.binary(how, size, x, y))
    }

    /// The smaller or larger of two floats: the instruction orders zeros by sign; a NaN on either side comes from a
    /// sum in its place.
    fn extremum(&mut self, largest: bool, size: Size, x: Src, y: Src) -> V {
        let n = at(size);
        let b = &mut self.body;
        let x = b.register(size, x);
        let to = b.vector();
        let imm = Some(4 | u8::from(largest));
        b.insts.push(Inst::Binary { enc: enc::RANGE[n], size, imm, commutes: false, a: Src::V(x), b: y, to });
        let nan = b.compare((enc::FCOMPARE[n], Some(3)), size, Src::V(x), y);
        let result = b.vector();
        b.insts.push(Inst::Where { enc: enc::FADD[n], size, mask: nan, a: x, b: y, base: to, to: result });
        result
    }

    fn select(&mut self, inst: &KInst) -> Option<Lanes> {
        let [p, x, y] = inst.operands[..] else { return None };
        let ty = self.caller.ty(x);
        if ty == Scalar::I1 {
            let size = self.natural(&[p, x, y]);
            return self.each_mask(size, |g, k| {
                let (p, x, y) = (g.mask(p, size, k)?, g.mask(x, size, k)?, g.mask(y, size, k)?);
                let yes = g.body.masks(enc::KAND, p, x);
                let no = g.body.masks(enc::KANDN, p, y);
                Some(g.body.masks(enc::KOR, yes, no))
            });
        }
        let size = size_of(ty)?;
        self.each(size, |g, k| {
            let p = g.mask(p, size, k)?;
            let (yes, no) = (g.number(x, k)?, g.number(y, k)?);
            Some(g.body.select(size, p, yes, no))
        })
    }
}

/// The instruction and immediate of a comparison.
pub(super) fn compare(direction: Direction, kind: CompareType, ty: Scalar) -> Option<(Enc, Option<u8>)> {
    let n = at(size_of(ty)?);
    let integer = match direction {
        Direction::Eq => 0,
        Direction::Lt => 1,
        Direction::Le => 2,
        Direction::Ne => 4,
        Direction::Ge => 5,
        Direction::Gt => 6,
    };
    Some(match kind {
        CompareType::Float => {
            // Quiet, and false on NaN but for "not equal".
            let float = match direction {
                Direction::Eq => 0x00,
                Direction::Ne => 0x04,
                Direction::Lt => 0x11,
                Direction::Le => 0x12,
                Direction::Ge => 0x1d,
                Direction::Gt => 0x1e,
            };
            (enc::FCOMPARE[n], Some(float))
        }
        CompareType::Signed => (enc::COMPARE[n], Some(integer)),
        CompareType::Unsigned => (enc::COMPARE_U[n], Some(integer)),
        CompareType::TotalOrder if ty.is_float() => return None,
        CompareType::TotalOrder => (enc::COMPARE[n], Some(integer)),
    })
}
