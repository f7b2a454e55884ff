//! Custom calls that are not operations of ours, and `ApproxTopK`.

use super::shape::tensors;
use crate::array::Array;
use crate::ensure;
use crate::func::Module;
use crate::host::{self, Batching, Host};
use crate::op::*;
use crate::ops::batching;
use crate::replay;
use crate::rules::{Batched, Mapped};
use crate::rules::{Emit, EvalError, Evaluate, Jvp, OpDef, Tangents, TypeError, Types};
use crate::types::{Dims, TensorType, Type};
use crate::work::Sizes;
use smallvec::{SmallVec, smallvec};

impl OpDef for CustomCall {
    fn infer(&self, _: &Module, _: &[Type]) -> Result<Types, TypeError> {
        Ok(self.results.iter().cloned().collect())
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let function = self.function();
        if !function.is_bound() {
            // Raised, so that it has the line.
            return Err(EvalError::raised(format!(
                "not executable: the custom call `@{}`, which is not known here: text names functions and does not hold \
                 them. `effects::ffi::register` makes one known",
                self.target
            )));
        }
        let run = || {
            let failed = |why| self.failed(why);
            let tensors: Option<Vec<TensorType>> =
                self.results.iter().map(|ty| ty.as_tensor().cloned()).collect();
            let tensors = tensors.ok_or_else(|| failed("it is to give what is no tensor".to_owned()))?;
            let given =
                function.call(operands, &tensors).unwrap_or_else(|| Ok(Vec::new())).map_err(failed)?;
            let types = |all: &mut dyn Iterator<Item = Type>| all.map(|t| t.to_string()).collect::<Vec<_>>();
            let found = types(&mut given.iter().map(|a| a.ty().clone().into()));
            let wanted = types(&mut self.results.iter().cloned());
            if found == wanted {
                return Ok(given);
            }
            let lists = (found.join(", "), wanted.join(", "));
            Err(failed(format!("it gave ({}), and said to give ({})", lists.0, lists.1)))
        };
        if self.has_side_effect { replay::once(|| self.words(), operands, run) } else { run() }
    }

    fn eval_into(
        &self,
        operands: &[(&TensorType, &[u8])],
        results: &mut [(&TensorType, &mut [u8])],
    ) -> Option<Result<(), EvalError>> {
        if self.has_side_effect && replay::is_recorded() {
            return None;
        }
        let from: SmallVec<[&[u8]; 4]> = operands.iter().map(|(_, bytes)| *bytes).collect();
        let mut to: SmallVec<[&mut [u8]; 4]> = results.iter_mut().map(|(_, bytes)| &mut **bytes).collect();
        let done = self.function().call_in_place(&from, &mut to)?;
        Some(done.map_err(|why| self.failed(why)))
    }

    fn differentiable(&self, _: &[bool]) -> Result<(), &'static str> {
        let has_derivative = |t: &Type| t.as_tensor().is_some_and(|t| t.dtype.is_differentiable());
        match self.results.iter().any(has_derivative) {
            false => Ok(()),
            true if self.has_side_effect => Err(
                "what an ordered function of the host gives has no derivative: give it `stop_gradient(x)`",
            ),
            true => Err("a function of the host has no derivative rule: give it one with `custom_jvp` or \
                 `custom_vjp`, or give it `stop_gradient(x)`"),
        }
    }

    fn jvp(&self, _: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        x.results.iter().map(|_| None).collect()
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        if self.function().batching() != Batching::Whole {
            return None;
        }
        let stacked = |ty: &Type| Some(ty.as_tensor()?.stacked(size).into());
        let results = self.results.iter().map(stacked).collect::<Option<Vec<Type>>>()?;
        batching::leading(e, size, CustomCall { results, ..self.clone() }, operands)
    }
}

impl CustomCall {
    /// What it does, in words; what a bound function is called in text says nothing of it.
    fn words(&self) -> String {
        match self.host.is_bound() {
            true => format!("{:?} {} {:?}", self.host, self.target, self.results),
            false => format!("{self:?}"),
        }
    }

    fn failed(&self, why: String) -> EvalError {
        EvalError::raised(format!("the function of `@{}` failed: {why}", self.target))
    }

    /// The function that it runs: the one it is bound to, or that is registered for its target.
    pub fn function(&self) -> Host {
        if self.host.is_bound() { self.host.clone() } else { host::registered(&self.target) }
    }
}

impl OpDef for ApproxTopK {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let xs = tensors(operands, 4)?;
        let (x, indices) = (xs[0], xs[1]);
        ensure!(self.dim < x.rank(), "C1", "reduction_dim {} of rank {}", self.dim, x.rank());
        ensure!(x.shape == indices.shape, "C2", "{x} with indices {indices}");
        ensure!(x.dtype.is_float() && indices.dtype.is_integer(), "C3", "{x} with indices {indices}");
        ensure!(self.k <= x.shape[self.dim], "C4", "{} of {} elements", self.k, x.shape[self.dim]);
        let mut shape = x.shape.clone();
        shape[self.dim] = self.k;
        Ok(smallvec![x.with_shape(&shape).into(), indices.with_shape(&shape).into()])
    }

    fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let (x, indices) = (&operands[0], &operands[1]);
        let numbers: Vec<f64> = super::linalg::complex_parts(x)?.iter().map(|z| z.re).collect();
        let (n, inner): (usize, usize) = (x.shape()[self.dim], x.shape()[self.dim + 1..].iter().product());
        let outer: usize = x.shape()[..self.dim].iter().product();
        let mut shape = Dims::from_slice(x.shape());
        shape[self.dim] = self.k;
        let types = [x.ty().with_shape(&shape), indices.ty().with_shape(&shape)];
        types.iter().try_for_each(|ty| cx.reserve(ty))?;
        let mut out = types.map(Array::zeros);
        for o in 0..outer {
            for i in 0..inner {
                let at = |k: usize| (o * n + k) * inner + i;
                let mut order: Vec<usize> = (0..n).collect();
                // Stable, so that of equal elements the first comes first.
                order.sort_by(|&a, &b| {
                    let (a, b) = (numbers[at(a)], numbers[at(b)]);
                    if self.largest { b.total_cmp(&a) } else { a.total_cmp(&b) }
                });
                for (to, &from) in order[..self.k].iter().enumerate() {
                    let to = (o * self.k + to) * inner + i;
                    for (out, x) in out.iter_mut().zip([x, indices]) {
                        let size = x.dtype().size();
                        let from = at(from) * size;
                        out.bytes_mut()[to * size..(to + 1) * size]
                            .copy_from_slice(&x.bytes()[from..from + size]);
                    }
                }
            }
        }
        Ok(out.into())
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        x.operand(0)
    }

    // The tangents of the chosen elements. The indices that the call carries along are those of the dimension.
    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        let Some(t) = x.tangents[0] else { return smallvec![None, None] };
        let rank = e.ty(t).rank();
        let batch: Dims = (0..rank).filter(|&d| d != self.dim).collect();
        let mut shape = e.ty(x.results[1]).shape;
        shape.push(1);
        let indices = e.reshape(x.results[1], &shape);
        let gather = Gather {
            offset_dims: Dims::new(),
            collapsed_slice_dims: smallvec![self.dim],
            operand_batching_dims: batch.clone(),
            start_indices_batching_dims: batch,
            start_index_map: smallvec![self.dim],
            index_vector_dim: rank,
            slice_sizes: e.ty(t).shape.iter().map(|&n| n.min(1)).collect(),
            indices_are_sorted: false,
        };
        smallvec![Some(e.one(gather, &[t, indices])), None]
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        let op = ApproxTopK { dim: self.dim + 1, ..self.clone() };
        // The initial values are of the custom call's form: nothing depends on them.
        let initial = |e: &mut dyn Emit, x: Mapped| match x.1 {
            Some(_) => (e.splat(TensorType::scalar(e.ty(x.0).dtype), 0.0), None),
            None => x,
        };
        let operands = [operands[0], operands[1], initial(e, operands[2]), initial(e, operands[3])];
        batching::leading_but(e, size, op, &operands, 2)
    }
}
