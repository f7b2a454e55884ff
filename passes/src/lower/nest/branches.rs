//! Branches: what one gives back, or updates, stays where it is, if nobody reads it as it was; the rest has memory of its own.

use super::Lowerer;
use super::control::Carry;
use crate::lower::LowerError;
use crate::lower::plan::classify;
use crate::lower::space::scope::{At, Dest, Scope, Stored};
use smallvec::SmallVec;
use wengert_ir::func::{Inst, Value};
use wengert_ir::kernel::{KOp, Scalar};
use wengert_ir::op::Case;

impl<'m> Lowerer<'m> {
    pub(in crate::lower) fn case(
        &mut self,
        s: &mut Scope<'m>,
        inst: &'m Inst,
        case: &Case,
    ) -> Result<(), LowerError> {
        let index = self.scalar_of(s, inst.operands[0])?;
        let mut args = Vec::new();
        for &v in &inst.operands[1..] {
            args.push(self.argument(s, v)?);
        }
        let reads: SmallVec<[(Value, bool); 8]> = inst.operands.iter().map(|&v| (v, false)).collect();
        let (mut places, mut updated): (Vec<Carry>, Vec<Option<usize>>) = (Vec::new(), Vec::new());
        for (k, &result) in inst.results.iter().enumerate() {
            let ty = s.ty(result).clone();
            let stays = if self.is_small(&ty) { None } else { self.stays(s, inst, case, k, &args) };
            updated.push(stays.as_ref().map(|&(j, _)| j));
            places.push(match stays {
                Some((_, at)) => Carry::Memory(at),
                None if self.is_small(&ty) => Carry::Registers(ty.elements()),
                None => Carry::Memory(self.target(s, result, &reads)),
            });
        }
        let elems: SmallVec<[Scalar; 8]> = inst.results.iter().map(|&v| s.elem(v)).collect();
        let alone = self.enter(&case.branches);
        let mut blocks = Vec::new();
        for &branch in &case.branches {
            let params = &self.module.funcs[branch].params;
            let dests = (places.iter().zip(&updated))
                .map(|(p, j)| match p {
                    Carry::Registers(_) => None,
                    Carry::Memory(at) => Some(Dest { at: at.clone(), replaces: j.map(|j| params[j]) }),
                })
                .collect();
            self.b.open(&[]);
            let floor = self.b.set_floor();
            let given = self.region(branch, args.clone(), dests)?;
            let yields = self.carry_on(&places, &given, &elems);
            self.b.restore_floor(floor);
            blocks.push(self.b.close(&yields));
        }
        self.leave(alone);
        let types = self.carried_types(&places, |k| s.elem(inst.results[k]));
        let values = self.b.push(KOp::Switch(blocks), &[index], &types);
        self.give(s, &inst.results, &places, &values);
        Ok(())
    }

    /// The operand that result `k` may lie in place of, and where that is: a branch gives it back, changed in place or not; nobody
    /// reads it afterwards, or has a part of it as another operand; and its memory is its own, or the place of what is carried,
    /// which the result is wanted in. `args` are the operands as the branches find them.
    fn stays(
        &mut self,
        s: &mut Scope<'m>,
        inst: &Inst,
        case: &Case,
        k: usize,
        args: &[Stored],
    ) -> Option<(usize, At)> {
        let (j, _) = classify::updated_by_branches(self.module, case, k)?;
        let (v, result) = (inst.operands[1 + j], inst.results[k]);
        let Some(Stored::Memory(at)) = s.stored[v].clone() else { return None };
        let elsewhere = args.iter().enumerate().all(|(l, arg)| match arg {
            Stored::Memory(other) | Stored::Rows(other, _) => l == j || other.mem != at.mem,
            Stored::Registers(_) | Stored::Splat(_) => true,
        });
        let promised = |(w, dest): (Value, &Option<Dest>)| {
            w != result && dest.as_ref().is_some_and(|dest| dest.at.mem == at.mem)
        };
        if s.ty(v) != s.ty(result) || !s.dies(v) || !elsewhere || s.dest.iter().any(promised) {
            return None;
        }
        let free = match &s.dest[result] {
            None => s.owner.get(&at.mem) == Some(&v),
            Some(dest) => dest.at == at && dest.replaces.is_some_and(|p| s.dies(p)),
        };
        if !free {
            return None;
        }
        s.dest[result] = None;
        if s.owner.get(&at.mem) == Some(&v) {
            s.owner.insert(at.mem, result);
        }
        self.memory.touch(at.mem);
        Some((j, at))
    }
}
