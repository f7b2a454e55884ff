//! Derivatives of programs, as programs.

use crate::deep;
use crate::derive::budget_of;
use crate::error::Error;
use crate::program::Traced;
use crate::warn::warn;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::limits;
use wengert_ir::types::DType;
use wengert_passes::budget::{self, Derivative, MemoryPlan};
use wengert_passes::error::TransformError;
use wengert_passes::{ad, rules};

impl Traced {
    /// The program that also gives the gradient of its first result, a float scalar, with respect to arguments `wrt`
    /// (in ascending order): arguments to results ++ gradients.
    pub fn value_and_grad(&self, wrt: &[usize]) -> Result<Self, Error> {
        let mask = self.mask_of_arguments(wrt)?;
        self.derive(|m, f| ad::value_and_grad(m, f, &mask, 0))
    }

    /// The vector-Jacobian product: arguments ++ cotangents of results `cotangents` to results ++ cotangents of
    /// arguments `wrt`, all in ascending order.
    pub fn vjp(&self, wrt: &[usize], cotangents: &[usize]) -> Result<Self, Error> {
        let mask = self.mask_of_arguments(wrt)?;
        let has = self.mask_of_results(cotangents)?;
        self.derive(|m, f| ad::vjp(m, f, &mask, &has))
    }

    /// As [`Traced::value_and_grad`], with a derivative that takes no more than so many bytes, and may keep floats in a smaller
    /// type; and what was chosen for it. See [`Grad::memory_budget`](crate::Grad::memory_budget).
    pub fn value_and_grad_within(
        &self,
        wrt: &[usize],
        bytes: u64,
        compress: Option<DType>,
    ) -> Result<(Self, MemoryPlan), Error> {
        let mask = self.mask_of_arguments(wrt)?;
        let budget = budget_of(bytes, compress);
        let mut plan = None;
        let made = self.derive(|m, f| {
            let (func, found) = budget::within(m, f, Derivative::ValueAndGrad(&mask), &budget)?;
            plan = Some(found);
            Ok(func)
        })?;
        Ok((made, plan.expect("it was derived")))
    }

    /// The Jacobian-vector product: arguments ++ tangents of arguments `wrt` to results ++ tangents of float results.
    pub fn jvp(&self, wrt: &[usize]) -> Result<Self, Error> {
        let mask = self.mask_of_arguments(wrt)?;
        self.derive(|m, f| ad::jvp(m, f, &mask))
    }

    /// The program on Taylor series: arguments ++ for each of `wrt` (in ascending order) its derivatives along a curve, the first
    /// to that of `order`, to results ++ such derivatives of each float result; see [`crate::jet()`].
    pub fn jet(&self, wrt: &[usize], order: usize) -> Result<Self, Error> {
        let mask = self.mask_of_arguments(wrt)?;
        self.derive(|m, f| ad::jet(m, f, &mask, order))
    }

    fn derive(
        &self,
        pass: impl FnOnce(&mut Module, FuncId) -> Result<FuncId, TransformError> + Send,
    ) -> Result<Self, Error> {
        for what in rules::unknown_rules(&self.module, self.func) {
            warn(format_args!(
                "{what}: JAX differentiates this by a rule that its text does not hold; the derivative of the text is NaN or \
                 another number at some points (docs/derivative-conventions.md)"
            ));
        }
        deep::run(self, || {
            let (mut module, func) = self.prepared("rules,inline,raise,dce")?;
            let func = pass(&mut module, func)?;
            limits::check(&module, func, self.limits.instructions(&self.module, self.func))?;
            Ok(self.made(module, func))
        })
    }
}
