//! Choices on batches: one that differs from example to example is made by selection; where a branch may not end, with what an
//! example has that takes it; and example by example where it does more than compute, or is of sizes that are too large or not
//! known.

use super::masks::{any, chosen, may_be_infinite};
use super::{Batcher, Placed, TransformError, Want, mask, placed, value, wanted};
use crate::cost_report;
use crate::inline::callees_first;
use crate::rewrite::push;
use crate::total::{MOST_BYTES, Totality};
use wengert_ir::func::{Func, FuncId, FuncKind, Inst, Value};
use wengert_ir::op::*;
use wengert_ir::rules::{Emit, Term};
use wengert_ir::types::{DType, TensorType, Type};

/// What a branch has to cost, in the units of a cost report (about 10 ps), to be passed over where no example takes it: 50 us,
/// beside which a question to all examples and a loop that is not fused with its neighbours are nothing.
pub(super) const WORTH_PASSING: u64 = 5_000_000;

impl Batcher<'_> {
    pub(super) fn case(
        &mut self,
        f: &Func,
        inst: &Inst,
        case: &Case,
        x: &[Placed],
        to: &mut Func,
    ) -> Result<Vec<Placed>, TransformError> {
        let (index, captures) = (x[0], &x[1..]);
        let given = mask(captures);
        let results = inst.results.len();
        if index.1.is_some() {
            let index = self.agreed(f, inst, index, to)?;
            let is_total = Totality::default().is_total(self.module, f, inst);
            // What speaks of the axis differs from example to example without having been given.
            if !is_total && (self.speaks(&inst.op) || !self.may_stand_in(f, inst)) {
                return self.looped(f, inst, &[&[index], captures].concat(), to);
            }
            return self.selected(inst, case, index, captures, is_total, to);
        }
        // What is mapped in one branch is in all.
        let mut out = vec![false; results];
        for &branch in &case.branches {
            let (_, mapped) = self.func(branch, &given, &vec![Want::Any; results])?;
            out.iter_mut().zip(mapped).for_each(|(out, m)| *out |= m);
        }
        let wants = wanted(out.iter().copied());
        let branches = case.branches.iter().map(|&b| Ok(self.func(b, &given, &wants)?.0));
        let branches = branches.collect::<Result<Vec<FuncId>, TransformError>>()?;
        let mut operands = vec![index.0];
        operands.extend(self.operands(to, captures));
        Ok(placed(push(self.module, to, Case { branches }, &operands, &inst.loc), &out))
    }

    /// Whether branches that may not end, or fail, are run for all examples with what some example runs them with: nobody hears of
    /// it, and what they give can be chosen from.
    fn may_stand_in(&self, f: &Func, inst: &Inst) -> bool {
        let size = self.size;
        let fits = |ty: &Type| {
            let is_small = |ty: &TensorType| {
                ty.is_static() && ty.checked_bytes().is_some_and(|n| n.saturating_mul(size) <= MOST_BYTES)
            };
            ty.as_tensor().is_some_and(is_small)
        };
        // Stacks of loops, of as many rows as there are trips, go from loop to loop.
        let fits_all = |f: &Func, inst: &Inst| {
            matches!(inst.op, Op::While(_) | Op::Scan(_))
                || inst.operands.iter().chain(&inst.results).all(|&v| fits(f.ty(v)))
        };
        self.module.effect(&inst.op) == Effect::Pure
            && fits_all(f, inst)
            && inst.op.callees().into_iter().flat_map(|c| callees_first(self.module, c)).all(|id| {
                let f = self.module.get(id);
                // The host is asked for who takes the branch alone.
                f.insts.values().all(|inst| fits_all(&f, inst) && !matches!(inst.op, Op::CustomCall(_)))
            })
    }

    /// All branches, and for each example the results of its own. Branches that are not total are run if an example takes them, and
    /// for the others with what that has.
    fn selected(
        &mut self,
        inst: &Inst,
        case: &Case,
        index: Placed,
        captures: &[Placed],
        is_total: bool,
        to: &mut Func,
    ) -> Result<Vec<Placed>, TransformError> {
        let masked = case.branches.iter().any(|&branch| may_be_infinite(self.module, branch));
        let captures: Vec<Placed> = captures.iter().map(|&x| self.lifted(to, x, masked)).collect();
        let given = mask(&captures);
        let all = vec![Want::Mapped; inst.results.len()];
        let index = self.place(to, index, 0);
        let operands = self.operands(to, &captures);
        let mut out: Vec<Value> = Vec::new();
        // The last one is for every other number.
        for (k, &branch) in case.branches.iter().enumerate().rev() {
            let (callee, _) = self.func(branch, &given, &all)?;
            let is_static = |ty: &Type| ty.as_tensor().is_some_and(|t| t.is_static());
            let may_pass = self.size > 0 && self.module.get(callee).result_types().iter().all(is_static);
            let is_worth_it =
                may_pass && cost_report::of_func(self.module, callee).cost >= self.worth_passing;
            let if_any = is_worth_it || !is_total;
            let is_last = out.is_empty();
            let is = self.taken(inst, index, k, is_last, to);
            let is_masked = masked && may_be_infinite(self.module, branch);
            let operands = match (is_total, is_masked) {
                (false, _) => self.as_the_first_of(to, inst, value(is), &operands, &given),
                (true, true) => self.of_those_that_take(to, inst, is, &captures, &operands),
                (true, false) => operands.clone(),
            };
            let results = match if_any {
                true => self.if_any(inst, callee, is, &operands, to),
                false => push(self.module, to, Call { callee }, &operands, &inst.loc).to_vec(),
            };
            if is_last {
                out = results;
                continue;
            }
            let mut body = self.body(to, &inst.loc);
            let e: &mut dyn Emit = &mut body;
            for (out, result) in out.iter_mut().zip(results) {
                *out = value(chosen(e, is, Term::Known(result), Term::Known(*out)));
            }
        }
        Ok(out.into_iter().map(|r| (r, Some(0))).collect())
    }

    /// Which examples take branch `k`: the last one is for every number that is not another's.
    fn taken(&mut self, inst: &Inst, index: Value, k: usize, is_last: bool, to: &mut Func) -> Term {
        let mut body = self.body(to, &inst.loc);
        let e: &mut dyn Emit = &mut body;
        if !is_last {
            let number = e.splat_like(Term::Known(index), k as f64);
            return e.compare(Direction::Eq, Term::Known(index), number);
        }
        let last = e.splat_like(Term::Known(index), k as f64);
        let zero = e.splat_like(Term::Known(index), 0.0);
        let above = e.compare(Direction::Ge, Term::Known(index), last);
        let below = e.compare(Direction::Lt, Term::Known(index), zero);
        e.binary(BinaryOp::Or, above, below)
    }

    /// A branch that is run if an example takes it, and gives zeros otherwise, which nobody looks at.
    fn if_any(
        &mut self,
        inst: &Inst,
        callee: FuncId,
        is: Term,
        operands: &[Value],
        to: &mut Func,
    ) -> Vec<Value> {
        let source = self.module.get(callee);
        let mut run = Func::new("", FuncKind::Region);
        let params: Vec<Value> = source.params.iter().map(|&p| run.param(source.ty(p).clone())).collect();
        run.results = push(self.module, &mut run, Call { callee }, &params, &inst.loc).to_vec();
        let mut pass = Func::new("", FuncKind::Region);
        for &p in &source.params {
            pass.param(source.ty(p).clone());
        }
        for &r in &source.results {
            let zeros = Op::splat(source.tensor(r).clone(), 0.0);
            let zeros = push(self.module, &mut pass, zeros, &[], &inst.loc)[0];
            pass.results.push(zeros);
        }
        let which = {
            let mut body = self.body(to, &inst.loc);
            let some = any(&mut body, is);
            value((&mut body as &mut dyn Emit).convert(some, DType::I32))
        };
        let branches = vec![self.module.add(pass), self.module.add(run)];
        let all: Vec<Value> = [which].iter().chain(operands).copied().collect();
        push(self.module, to, Case { branches }, &all, &inst.loc).to_vec()
    }
}
