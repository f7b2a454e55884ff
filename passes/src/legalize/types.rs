//! Element types that kernels do not compute with, by those that they do.
//!
//! A complex value becomes its two parts; a float narrower than binary32 becomes the binary32 of the same
//! value, rounded after every operation ([`super::small`]); an integer narrower than a byte becomes a byte, wrapped after
//! every operation. Bodies of loops and branches take and give what stands for a value; the function itself keeps its
//! types and converts at its ends; what takes a part of a narrow tensor there, or changes one, does so before. An operation
//! without a rule is left on the original types, and the lowering hands it to the reference interpreter.

use super::values::{Legalizer, Rep, stands};
use super::{complex, small};
use crate::inline::callees_first;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Func, FuncId, Inst, Loc, Module, Value};
use wengert_ir::op::Op;
use wengert_ir::types::{TensorType, Type};

/// `func` with only native types inside, but for what has no rule. It is `func` itself if there are no others.
pub(super) fn legalize_types(m: &mut Module, func: FuncId) -> FuncId {
    let order = callees_first(m, func);
    let foreign = |f: &FuncId| m.funcs[*f].values.values().any(|v| !is_native(&v.ty));
    if !order.iter().any(foreign) {
        return func;
    }
    let mut done: FxHashMap<FuncId, FuncId> = FxHashMap::default();
    for f in order {
        let end = if f == func { Ends::Kept } else { Ends::Replaced };
        let new = rewrite(m, f, end, &done);
        done.insert(f, new);
    }
    done[&func]
}

/// Whether kernels compute with values of a type.
fn is_native(ty: &Type) -> bool {
    ty.as_tensor().is_none_or(|t| t.dtype.is_native())
}

/// What parameters and results of a function become.
#[derive(Clone, Copy, PartialEq)]
enum Ends {
    /// They keep their types.
    Kept,
    /// What stands for them.
    Replaced,
}

fn rewrite(m: &mut Module, id: FuncId, ends: Ends, done: &FxHashMap<FuncId, FuncId>) -> FuncId {
    let f = m.get(id);
    let mut out = Func::new(f.name.clone(), f.kind);
    if ends == Ends::Kept {
        out.param_names.clone_from(&f.param_names);
    }
    let mut l = Legalizer {
        module: m,
        out,
        loc: Loc::Unknown,
        reps: EntityVec::filled(None, f.values.len()),
        originals: EntityVec::filled(None, f.values.len()),
    };
    for &p in &f.params {
        let rep = match ends {
            Ends::Kept => {
                let kept = l.out.param(f.ty(p).clone());
                l.originals[p] = Some(kept);
                l.taken_apart(kept)
            }
            Ends::Replaced => stands(f.ty(p)).into_iter().map(|t| l.out.param(t)).collect(),
        };
        l.reps[p] = Some(rep);
    }
    for inst in f.insts.values() {
        l.loc = inst.loc.clone();
        l.inst(&f, inst, done);
    }
    l.loc = Loc::Unknown;
    let results: Vec<Value> = match ends {
        Ends::Kept => f.results.iter().map(|&r| l.original(&f, r)).collect(),
        Ends::Replaced => f.results.iter().flat_map(|&r| l.rep(r)).collect(),
    };
    l.out.results = results;
    let new = l.out;
    if new == *f { id } else { m.add(new) }
}

impl Legalizer<'_> {
    fn inst(&mut self, f: &Func, inst: &Inst, done: &FxHashMap<FuncId, FuncId>) {
        let touched = || inst.operands.iter().chain(&inst.results);
        if touched().all(|&v| is_native(f.ty(v))) || inst.op.is_control_flow() {
            let mut op = spread(f, inst);
            op.map_callees(&mut |c| done[&c]);
            let operands: SmallVec<[Value; 4]> = inst.operands.iter().flat_map(|&v| self.rep(v)).collect();
            let mut results = self.all(op, &operands).into_iter();
            for &r in &inst.results {
                let n = stands(f.ty(r)).len();
                self.reps[r] = Some(results.by_ref().take(n).collect());
            }
            return;
        }
        if self.moves_words(f, inst) {
            return self.as_it_is(f, inst);
        }
        let operands: Vec<Rep> = inst.operands.iter().map(|&v| self.rep(v)).collect();
        let types: Vec<TensorType> =
            inst.operands.iter().filter_map(|&v| f.ty(v).as_tensor().cloned()).collect();
        if let ([result], true) = (&inst.results[..], types.len() == operands.len())
            && let Some(ty) = f.ty(*result).as_tensor()
        {
            let is_complex = ty.dtype.is_complex() || types.iter().any(|t| t.dtype.is_complex());
            let rep = if is_complex {
                complex::inst(self, &inst.op, &operands, &types, ty)
            } else {
                small::inst(self, &inst.op, &operands, &types, ty).map(|v| smallvec![v])
            };
            if let Some(rep) = rep {
                self.reps[*result] = Some(rep);
                return;
            }
        }
        // No rule.
        self.as_it_is(f, inst);
    }

    /// Whether an instruction takes or changes a part of a narrow tensor that there is as such: to make all of it wider first would
    /// cost more than what is done.
    fn moves_words(&self, f: &Func, inst: &Inst) -> bool {
        let (Op::Slice(_) | Op::DynamicSlice(_) | Op::Gather(_) | Op::DynamicUpdateSlice(_)) = inst.op else {
            return false;
        };
        let (array, others) = inst.operands.split_first().expect("what parts are of");
        let dtype = |&v: &Value| f.ty(v).as_tensor().map(|t| t.dtype);
        // Places are not narrow integers.
        let known = |v: &Value| is_native(f.ty(*v)) || dtype(v) == dtype(array);
        let is_converted = |v: Value| matches!(self.out.def(v), Some((_, Inst { op: Op::Convert(_), .. })));
        others.iter().all(known)
            && self.originals[*array].is_some_and(|v| !is_converted(v))
            && f.ty(inst.results[0]).as_tensor().is_some_and(|t| !t.dtype.is_complex() && t.is_static())
    }

    /// An instruction on the original types, its functions as they are.
    fn as_it_is(&mut self, f: &Func, inst: &Inst) {
        let operands: Vec<Value> = inst.operands.iter().map(|&v| self.original(f, v)).collect();
        let results = self.all(inst.op.clone(), &operands);
        for (&r, v) in inst.results.iter().zip(results) {
            self.originals[r] = Some(v);
            let rep = self.taken_apart(v);
            self.reps[r] = Some(rep);
        }
    }
}

/// A loop whose values are counted as what stands for them; any other operation as it is.
fn spread(f: &Func, inst: &Inst) -> Op {
    let count = |values: &[Value]| -> usize { values.iter().map(|&v| stands(f.ty(v)).len()).sum() };
    let mut op = inst.op.clone();
    match &mut op {
        Op::While(w) => {
            let stacks = inst.results.len() - w.stacks;
            (w.consts, w.stacks) = (count(&inst.operands[..w.consts]), count(&inst.results[stacks..]));
        }
        Op::Scan(s) => {
            let first = (s.length == wengert_ir::types::DYNAMIC) as usize;
            let middle = first + s.consts;
            let (consts, carry) = (&inst.operands[first..middle], &inst.operands[middle..middle + s.carry]);
            (s.consts, s.carry) = (count(consts), count(carry));
        }
        _ => {}
    }
    op
}
