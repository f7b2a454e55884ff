//! Functions with derivatives of their own, and what is defined by equations: what they refer to is mapped as they are, so that a batch is differentiated by the
//! same rule.

use super::{Batcher, Placed, TransformError, Want, mask, placed, wanted};
use crate::ad::has_tangent;
use crate::rewrite::{filter, push};
use wengert_ir::func::{Func, FuncId, Inst};
use wengert_ir::op::{CustomJvp, CustomVjp, Op};

impl Batcher<'_> {
    pub(super) fn custom_jvp(
        &mut self,
        f: &Func,
        inst: &Inst,
        custom: &CustomJvp,
        x: &[Placed],
        to: &mut Func,
    ) -> Result<Vec<Placed>, TransformError> {
        let operands = mask(x);
        let results = inst.results.len();
        let smooth: Vec<bool> = inst.results.iter().map(|&r| has_tangent(f.ty(r))).collect();
        // Tangents are mapped as what they are tangents of.
        let differentiable: Vec<bool> = inst
            .operands
            .iter()
            .enumerate()
            .map(|(k, &v)| k >= custom.consts && has_tangent(f.ty(v)))
            .collect();
        let mut of_rule = operands.clone();
        of_rule.extend(filter(&operands, &differentiable));
        let (_, mut out) = self.func(custom.body, &operands, &vec![Want::Any; results])?;
        let given = results + smooth.iter().filter(|s| **s).count();
        let (_, by_rule) = self.func(custom.rule, &of_rule, &vec![Want::Any; given])?;
        let mut tangents = by_rule[results..].iter();
        for (k, out) in out.iter_mut().enumerate() {
            *out |= by_rule[k] || smooth[k] && *tangents.next().expect("one for each");
        }
        let (body, _) = self.func(custom.body, &operands, &wanted(out.iter().copied()))?;
        let both = out.iter().copied().chain(filter(&out, &smooth));
        let (rule, _) = self.func(custom.rule, &of_rule, &wanted(both))?;
        let values = self.operands(to, x);
        let op = CustomJvp { body, rule, consts: custom.consts };
        Ok(placed(push(self.module, to, op, &values, &inst.loc), &out))
    }

    pub(super) fn custom_vjp(
        &mut self,
        f: &Func,
        inst: &Inst,
        custom: &CustomVjp,
        x: &[Placed],
        to: &mut Func,
    ) -> Result<Vec<Placed>, TransformError> {
        let mut operands = mask(x);
        // A rule that speaks of all examples gives and takes a cotangent for each: one for all would be counted once for each,
        // or once where it is meant for each.
        let speaks = self.speaks(&inst.op);
        operands[custom.consts..].iter_mut().for_each(|mapped| *mapped |= speaks);
        let results = inst.results.len();
        let (_, mut out) = self.func(custom.body, &operands, &vec![Want::Any; results])?;
        let given = self.module.get(custom.forward).results.len();
        let (_, by_forward) = self.func(custom.forward, &operands, &vec![Want::Any; given])?;
        out.iter_mut().zip(&by_forward).for_each(|(out, f)| *out |= f);
        out.iter_mut().for_each(|mapped| *mapped |= speaks);
        let (body, _) = self.func(custom.body, &operands, &wanted(out.iter().copied()))?;
        let residuals = &by_forward[results..];
        let all = out.iter().chain(residuals).copied();
        let (forward, _) = self.func(custom.forward, &operands, &wanted(all))?;
        let smooth: Vec<bool> = inst.results.iter().map(|&r| has_tangent(f.ty(r))).collect();
        let mut of_backward = operands[..custom.consts].to_vec();
        of_backward.extend_from_slice(residuals);
        of_backward.extend(filter(&out, &smooth));
        // Of what all examples share, the cotangent is the sum of theirs.
        let arguments = inst.operands.iter().zip(&operands).skip(custom.consts);
        let wants: Vec<Want> = arguments
            .filter(|(v, _)| has_tangent(f.ty(**v)))
            .map(|(_, &mapped)| if mapped { Want::Mapped } else { Want::Summed })
            .collect();
        let (backward, _) = self.func(custom.backward, &of_backward, &wants)?;
        let values = self.carried(to, x, &operands);
        let op = CustomVjp { body, forward, backward, ..custom.clone() };
        Ok(placed(push(self.module, to, op, &values, &inst.loc), &out))
    }
    /// What is defined by an equation: all vectors are mapped, whatever is of what they depend on.
    pub(super) fn implicit<const N: usize>(
        &mut self,
        inst: &Inst,
        consts: usize,
        funcs: [FuncId; N],
        of: impl Fn([FuncId; N]) -> Op,
        x: &[Placed],
        to: &mut Func,
    ) -> Result<Vec<Placed>, TransformError> {
        let results = vec![true; inst.results.len()];
        let mut operands = mask(x);
        operands[consts..].fill(true);
        let mut new = funcs;
        for func in &mut new {
            // Every function takes the constants, and then vectors.
            let mut mapped = operands[..consts].to_vec();
            mapped.resize(self.module.get(*func).params.len(), true);
            *func = self.func(*func, &mapped, &wanted(results.iter().copied()))?.0;
        }
        let values = self.carried(to, x, &operands);
        Ok(placed(push(self.module, to, of(new), &values, &inst.loc), &results))
    }
}
