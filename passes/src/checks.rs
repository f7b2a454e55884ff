//! Takes the checks of a function out of it, for code that is compiled: what a check compares becomes further
//! results of the function, and who calls it compares them.

use crate::inline::inline_calls;
use crate::rewrite::{copy_inst, like, mapped};
use wengert_ir::array::{Array, Literal};
use wengert_ir::func::{FuncId, Loc, Module, Value};
use wengert_ir::op::{Check, Effect, Op};
use wengert_ir::ops::check::compare;
use wengert_ir::rules::Failure;

/// Where the host finds a tensor that is checked.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Source {
    /// It is a constant of the program.
    Constant(Literal),
    /// It is this one of the results that were added.
    Result(usize),
}

/// A check that was taken out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hoisted {
    check: Check,
    actual: Source,
    expected: Source,
    loc: Loc,
}

impl Hoisted {
    /// Compares, given the results that [`hoist`] added.
    pub fn verify(&self, added: &[Array]) -> Result<(), Box<Failure>> {
        let find = |source: &Source| match source {
            Source::Constant(literal) => literal.to_array(),
            Source::Result(k) => added[*k].clone(),
        };
        compare(&self.check, &find(&self.actual), &find(&self.expected))
            .map_err(|failure| Box::new(Failure { loc: self.loc.clone(), ..*failure }))
    }
}

/// The function without checks, and its checks in order; the function itself if it has none. Calls are
/// inlined where there are some. Where a check is in the body of a loop or a branch, or something else happens that is before or
/// after it, all stay where they are: code calls the host for them.
pub fn hoist(m: &mut Module, func: FuncId) -> (FuncId, Vec<Hoisted>) {
    let is_check = |op: &Op| matches!(op, Op::Check(_));
    let acts = |op: &Op| op.effect() == Effect::Ordered && !matches!(op, Op::Check(_) | Op::Sow(_));
    if !m.reaches(func, &is_check) || m.reaches(func, &acts) {
        return (func, Vec::new());
    }
    let inlined = inline_calls(m, func);
    let f = m.get(inlined);
    if f.insts.values().flat_map(|inst| inst.op.callees()).any(|c| m.reaches(c, &is_check)) {
        return (func, Vec::new());
    }
    let (mut out, mut env) = like(&f);
    let mut added: Vec<Value> = Vec::new();
    let mut checks = Vec::new();
    for inst in f.insts.values() {
        let Op::Check(check) = &inst.op else {
            copy_inst(&mut out, &f, inst, &mut env);
            continue;
        };
        let mut source = |v: Value| match f.constant(v) {
            Some(literal) => Source::Constant(literal.clone()),
            None => {
                added.push(v);
                Source::Result(added.len() - 1)
            }
        };
        let (actual, expected) = (source(inst.operands[0]), source(inst.operands[1]));
        checks.push(Hoisted { check: check.clone(), actual, expected, loc: inst.loc.clone() });
    }
    out.results = mapped(&env, &f.results).to_vec();
    out.results.extend(mapped(&env, &added));
    (m.add(out), checks)
}
