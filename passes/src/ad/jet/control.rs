//! What runs functions: branches, loops and checkpoints of series, rules of the user's, equations.

use super::super::activity::or;
use super::super::control::{Loop, branches, loops};
use super::super::{TransformError, has_tangent};
use super::of_func;
use super::series::Series;
use wengert_ir::func::{Func, FuncId, Inst, Value, Values};
use wengert_ir::op::{Case, Checkpoint, CustomJvp, LinearSolve, Op, Root, UnaryOp};
use wengert_ir::rules::Term;

impl Series<'_> {
    /// An active instruction that runs functions, if it is one that has a way of its own here.
    pub(super) fn special(
        &mut self,
        f: &Func,
        inst: &Inst,
        x: &[Value],
    ) -> Result<Option<Values>, TransformError> {
        if let Some(l) = Loop::of(&inst.op, x.len(), inst.results.len()) {
            return self.repeated(f, inst, &l, x).map(Some);
        }
        if let Op::Case(case) = &inst.op {
            return self.branch(f, inst, case, x).map(Some);
        }
        if let Op::Checkpoint(checkpoint) = &inst.op {
            let (body, out) = self.region(checkpoint.body, x, None)?;
            let op = Checkpoint { body, ..checkpoint.clone() };
            return self.placed(f, inst, op.into(), &[], x, &out).map(Some);
        }
        if let Op::CustomJvp(custom) = &inst.op {
            super::super::rule::check(self.out.module, f, inst)?;
            return self.by_rule(f, inst, custom, x).map(Some);
        }
        if let Op::LinearSolve(op) = &inst.op {
            return self.linear_solve(f, inst, op, x).map(Some);
        }
        if let Op::Root(op) = &inst.op {
            return self.root(f, inst, op, x).map(Some);
        }
        Ok(None)
    }

    fn flags(&self, x: &[Value]) -> Vec<bool> {
        x.iter().map(|&v| self.is_active(v)).collect()
    }

    /// A function of series of what is active among `x`, and which of its results have series: those that may have, or those
    /// asked for.
    fn region(
        &mut self,
        func: FuncId,
        x: &[Value],
        out: Option<&[bool]>,
    ) -> Result<(FuncId, Vec<bool>), TransformError> {
        let active = self.flags(x);
        let out = match out {
            Some(out) => out.to_vec(),
            None => self.activity().results(self.out.module, func, &active),
        };
        let (activity, order) = (self.activity(), self.order);
        Ok((of_func(self.out.module, activity, func, &active, &out, order)?, out))
    }

    /// Puts an operation over such functions: operands `first`, the values of `x`, and the coefficients of what is active.
    fn placed(
        &mut self,
        f: &Func,
        inst: &Inst,
        op: Op,
        first: &[Value],
        x: &[Value],
        out: &[bool],
    ) -> Result<Values, TransformError> {
        let mut operands = Values::from_slice(first);
        for &v in x {
            operands.push(self.value(v)?);
        }
        operands.extend(self.coefficients(x)?);
        let given = self.out.push(op, &operands);
        let (values, coefficients) = given.split_at(out.len());
        let mut coefficients = coefficients.chunks(self.order.max(1));
        let results = inst.results.iter().zip(values).zip(out).map(|((&r, &value), &has)| {
            let mut all = vec![Some(value)];
            if has && self.order > 0 {
                all.extend(coefficients.next().into_iter().flatten().map(|&c| Some(c)));
            }
            self.given(f.ty(r), has, all)
        });
        Ok(results.collect())
    }

    fn branch(&mut self, f: &Func, inst: &Inst, case: &Case, x: &[Value]) -> Result<Values, TransformError> {
        let active = self.flags(&x[1..]);
        let mut out: Vec<bool> = Vec::new();
        for branch in branches(case) {
            let found = self.activity().results(self.out.module, branch, &active);
            if out.is_empty() { out = found } else { or(&mut out, &found) }
        }
        let mut new = Vec::new();
        for branch in branches(case) {
            new.push(self.region(branch, &x[1..], Some(&out))?.0);
        }
        let index = self.value(x[0])?;
        self.placed(f, inst, Case { branches: new }.into(), &[index], &x[1..], &out)
    }

    fn repeated(&mut self, f: &Func, inst: &Inst, l: &Loop, all: &[Value]) -> Result<Values, TransformError> {
        let mut active = self.flags(&all[l.first..]);
        let out = self.activity().fixpoint(self.out.module, l, &mut active);
        let (activity, order) = (self.activity(), self.order);
        let body = of_func(self.out.module, activity, l.body, &active, &out, order)?;
        let mut values = Values::new();
        for &v in all {
            values.push(self.value(v)?);
        }
        let mut given = Vec::new();
        for (&v, _) in all[l.first..].iter().zip(&active).filter(|(_, a)| **a) {
            for k in 1..=order {
                given.push(self.full(v, k)?);
            }
        }
        let (values, coefficients) =
            loops::forward(&mut self.out, l, &values, &given, &active, &out, body, order);
        let results = inst.results.iter().zip(values).zip(coefficients).map(|((&r, value), coefficients)| {
            let active = !coefficients.is_empty();
            let all = std::iter::once(value).chain(coefficients).map(Some).collect();
            self.given(f.ty(r), active, all)
        });
        Ok(results.collect())
    }

    /// The rule gives the rate of change: its series, of one order less, is that of the rule as a function of arguments and
    /// their rates.
    fn by_rule(
        &mut self,
        f: &Func,
        inst: &Inst,
        custom: &CustomJvp,
        x: &[Value],
    ) -> Result<Values, TransformError> {
        let what = "the rule of a `custom_jvp`, by which its series goes,";
        super::super::expand::check_captures(f, inst, custom.consts, &self.dx(x), what)?;
        let n = self.order;
        let mut operands = Values::new();
        for &v in x {
            operands.push(self.value(v)?);
        }
        // Arguments, then rates of the differentiable ones; those that stand still have rates of zeros.
        let mut active = self.flags(x);
        let mut series: Vec<Vec<Value>> = Vec::new();
        for &v in x.iter().filter(|&&v| self.is_active(v)).collect::<Vec<_>>() {
            series.push((1..n).map(|k| self.full(v, k)).collect::<Result<_, _>>()?);
        }
        for &v in x[custom.consts..].iter().filter(|&&v| has_tangent(&self.type_of(v))).collect::<Vec<_>>() {
            active.push(self.is_active(v));
            if self.is_active(v) {
                let mut rate = self.rate_coefficients(v)?.into_iter();
                operands.extend(rate.next());
                series.push(rate.collect());
            } else {
                let ty = self.type_of(v);
                operands.push(self.out.zero(&ty));
            }
        }
        operands.extend(series.into_iter().flatten());
        let rule = self.out.module.get(custom.rule);
        super::super::expand::check_unobserved(self.out.module, &rule, inst.operands.len())?;
        let mut force = vec![false; inst.results.len()];
        force.resize(rule.results.len(), true);
        let activity = self.activity();
        let g = of_func(self.out.module, activity, custom.rule, &active, &force, n - 1)?;
        let g = self.out.module.get(g);
        let given = self.out.func.inline(&g, &operands);
        let (first, rest) = given.split_at(rule.results.len());
        // The rule gives values too, and does what the function does.
        let (values, rates) = first.split_at(inst.results.len());
        let mut rates = rates.iter().enumerate();
        let mut results = Values::new();
        for (&r, &value) in inst.results.iter().zip(values) {
            let ty = f.ty(r).clone();
            results.push(match has_tangent(&ty).then(|| rates.next()).flatten() {
                Some((j, &rate)) => {
                    let later = &rest[j * (n - 1)..(j + 1) * (n - 1)];
                    let all: Vec<Option<Value>> =
                        std::iter::once(rate).chain(later.iter().copied()).map(Some).collect();
                    self.by_slope(&ty, value, &all)
                }
                None => self.given(&ty, false, vec![Some(value)]),
            });
        }
        Ok(results)
    }

    fn dx(&self, x: &[Value]) -> Vec<Option<Value>> {
        x.iter().map(|&v| self.is_active(v).then_some(v)).collect()
    }

    /// `A x = b`, so `A_0 x_k` is `b_k` less coefficient `k` of `A x` with nothing yet for `x_k`.
    fn linear_solve(
        &mut self,
        f: &Func,
        inst: &Inst,
        op: &LinearSolve,
        all: &[Value],
    ) -> Result<Values, TransformError> {
        let (consts, b) = all.split_at(op.consts);
        self.equation(f, inst, all, consts, op.matvec, |s, k, consts, rest, _| {
            let mut args: Vec<Value> = consts.to_vec();
            for (&b, &rest) in b.iter().zip(rest) {
                let b = s.full(b, k)?;
                args.push(s.out.push(wengert_ir::op::BinaryOp::Subtract, &[b, rest])[0]);
            }
            Ok(s.out.push(op.clone(), &args))
        })
    }

    /// `f(p, x) = 0`, so `df/dx x_k` is minus coefficient `k` of `f` with nothing yet for `x_k`.
    fn root(&mut self, f: &Func, inst: &Inst, op: &Root, all: &[Value]) -> Result<Values, TransformError> {
        let consts = &all[..op.consts];
        self.equation(f, inst, all, consts, op.residual, |s, _, consts, rest, x| {
            let mut args: Vec<Term> = consts.iter().chain(x).map(|&v| Term::Known(v)).collect();
            for &rest in rest {
                args.push(Term::Known(s.out.push(UnaryOp::Negate, &[rest])[0]));
            }
            let tangent = s.out.module.get(op.tangent);
            let found = wengert_ir::rules::inline(&mut s.out, &tangent, &args);
            Ok(found.into_iter().map(super::super::emit::value).collect())
        })
    }

    /// The series of what an equation defines: `next` is given the order, the values of the constants, coefficients of
    /// `func(consts, x)` with nothing yet for `x_k`, and `x`, and gives `x_k`.
    fn equation(
        &mut self,
        f: &Func,
        inst: &Inst,
        all: &[Value],
        consts: &[Value],
        func: FuncId,
        next: impl Fn(&mut Self, usize, &[Value], &[Value], &[Value]) -> Result<Values, TransformError>,
    ) -> Result<Values, TransformError> {
        let mut operands = Values::new();
        for &v in all {
            operands.push(self.value(v)?);
        }
        let x = self.out.push(inst.op.clone(), &operands);
        let known: Values = operands[..consts.len()].into();
        // The operation runs it as it must: what is seen of that is seen there.
        let func = crate::effects::quiet(self.out.module, func);
        let mut series: Vec<Vec<Value>> = vec![Vec::new(); x.len()];
        for k in 1..=self.order {
            let mut active = self.flags(consts);
            active.resize(consts.len() + x.len(), true);
            let force = vec![true; x.len()];
            let activity = self.activity();
            let g = of_func(self.out.module, activity, func, &active, &force, k)?;
            let g = self.out.module.get(g);
            let mut args: Vec<Value> = known.iter().chain(&x).copied().collect();
            for &c in consts.iter().filter(|&&v| self.is_active(v)).collect::<Vec<_>>() {
                for i in 1..=k {
                    args.push(self.full(c, i)?);
                }
            }
            for (done, &r) in series.iter().zip(&inst.results) {
                args.extend(done);
                args.push(self.out.zero(f.ty(r)));
            }
            let given = self.out.func.inline(&g, &args);
            let rest: Vec<Value> = given[x.len()..].chunks(k).map(|c| c[k - 1]).collect();
            let found = next(self, k, &known, &rest, &x)?;
            series.iter_mut().zip(found).for_each(|(s, v)| s.push(v));
        }
        let results = inst.results.iter().zip(&x).zip(series).map(|((&r, &x), series)| {
            let all = std::iter::once(x).chain(series).map(Some).collect();
            self.given(f.ty(r), true, all)
        });
        Ok(results.collect())
    }
}
