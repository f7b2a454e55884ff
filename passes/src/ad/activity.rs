//! Which values have tangents: a walk over types and edges only, so that loops reach their fixpoint
//! before anything is built.

use super::control::{Loop, branches};
use super::has_tangent;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Func, FuncId, Inst, Module, Value};
use wengert_ir::op::Op;
use wengert_ir::ops_of;

/// A function, and which of its parameters have tangents.
type Question = (FuncId, Vec<bool>);

/// Answers, and what it has found out: functions never change, so an answer stays right.
#[derive(Default)]
pub(super) struct Activity {
    memo: RefCell<FxHashMap<Question, Vec<bool>>>,
}

impl Activity {
    /// Which results of `func` may have tangents if these parameters do.
    pub(super) fn results(&self, m: &Module, func: FuncId, params: &[bool]) -> Vec<bool> {
        let key = (func, params.to_vec());
        if let Some(found) = self.memo.borrow().get(&key) {
            return found.clone();
        }
        let f = m.get(func);
        let mut active = EntityVec::<Value, bool>::filled(false, f.values.len());
        for (&p, &a) in f.params.iter().zip(params) {
            active[p] = a;
        }
        for inst in f.insts.values() {
            let operands: Vec<bool> = inst.operands.iter().map(|&v| active[v]).collect();
            for (&r, a) in inst.results.iter().zip(self.inst_results(m, &f, inst, &operands)) {
                active[r] = a;
            }
        }
        let found: Vec<bool> = f.results.iter().map(|&r| active[r]).collect();
        self.memo.borrow_mut().insert(key, found.clone());
        found
    }

    /// Which results of an instruction of `f` may have tangents if these operands do.
    pub(super) fn inst_results(&self, m: &Module, f: &Func, inst: &Inst, operands: &[bool]) -> Vec<bool> {
        if !operands.contains(&true) {
            return vec![false; inst.results.len()];
        }
        if let Some(l) = Loop::of(&inst.op, inst.operands.len(), inst.results.len()) {
            let mut active = operands[l.first..].to_vec();
            let body = self.fixpoint(m, &l, &mut active);
            let mut out = body[..l.carry].to_vec();
            out.extend(std::iter::repeat_n(false, l.after));
            out.extend(&body[l.carry..]);
            return out;
        }
        match &inst.op {
            Op::StopGradient(_) => vec![false; inst.results.len()],
            Op::Checkpoint(c) => self.results(m, c.body, operands),
            Op::Case(case) => branches(case)
                .map(|b| self.results(m, b, &operands[1..]))
                .reduce(|mut a, b| {
                    or(&mut a, &b);
                    a
                })
                .unwrap_or_default(),
            ops_of!(source)
            | ops_of!(elementwise)
            | ops_of!(movement)
            | ops_of!(update)
            | ops_of!(contraction)
            | ops_of!(reduction)
            | ops_of!(library)
            | ops_of!(call)
            | ops_of!(control)
            | Op::OptimizationBarrier(_)
            | ops_of!(opaque) => inst.results.iter().map(|&r| has_tangent(f.ty(r))).collect(),
        }
    }

    /// A carry has a tangent if it starts with one or the body gives it one. Grows `active` (consts, carry,
    /// xs) and returns it for the results of the body.
    pub(super) fn fixpoint(&self, m: &Module, l: &Loop, active: &mut [bool]) -> Vec<bool> {
        loop {
            let mut out = self.results(m, l.body, active);
            let carry = &mut active[l.consts..l.consts + l.carry];
            let before = carry.to_vec();
            or(carry, &out);
            out[..l.carry].copy_from_slice(carry);
            if *carry == before {
                return out;
            }
        }
    }
}

/// Sets each flag of `a` whose flag in `b` is set; `b` may be longer.
pub(super) fn or(a: &mut [bool], b: &[bool]) {
    for (a, b) in a.iter_mut().zip(b) {
        *a |= b;
    }
}

/// The present entries.
pub(super) fn present<T: Copy>(items: &[Option<T>]) -> Vec<T> {
    items.iter().flatten().copied().collect()
}

/// An item for each that is marked.
pub(super) fn scattered<T: Copy>(items: &[T], marked: &[bool]) -> Vec<Option<T>> {
    let mut items = items.iter().copied();
    marked.iter().map(|&m| if m { items.next() } else { None }).collect()
}
