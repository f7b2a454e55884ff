//! The linear part of a function, or its transpose, applied to many vectors at once.

use super::{Mode, Options};
use crate::call::Args;
use crate::context::What;
use crate::error::{Error, fail};
use crate::ops::control_loops::map;
use crate::reuse::hearing;
use crate::tensor::Tensor;
use crate::trace;
use crate::transform::Graph;
use crate::tree::Tree;
use std::cell::OnceCell;
use wengert_ir::func::{Func, FuncId, FuncKind, Module, Value};
use wengert_ir::replay::Log;
use wengert_ir::types::{DType, TensorType};
use wengert_passes::error::TransformError;
use wengert_passes::{ad, batch};

/// Where nothing else is said, so many vectors of a basis are taken at once that the largest value of the derivative takes no
/// more than this, in bytes: what a large cache or a part of the memory of any machine holds.
const AT_ONCE: usize = 256 << 20;

/// A linear function of vectors, known at a point: the linear part of a function, or its transpose.
pub(super) struct Linear {
    what: What,
    /// Takes what is known, then vectors of types `from`; gives vectors of types `to`.
    func: FuncId,
    primal: FuncId,
    /// What the primal part takes.
    arguments: Vec<Tensor>,
    heard: Log,
    /// How many known things there are.
    known: usize,
    /// What is known: from the start if it can cross into a loop, else when it is first asked for.
    once: OnceCell<Vec<Tensor>>,
    /// Whether what is known is of sizes that are known now, so that it can cross into a loop.
    is_static: bool,
    /// Whether the function does more than compute: what is known is computed once, whatever it takes.
    acts: bool,
    pub(super) from: Vec<TensorType>,
    pub(super) to: Vec<TensorType>,
    options: Options,
    /// Bytes of the largest value in it.
    largest: usize,
}

impl Linear {
    pub(super) fn new<A: Args, R: Tree>(
        what: What,
        graph: &Graph<R>,
        mask: &[bool],
        args: &A,
        options: Options,
    ) -> Self {
        let func = graph.recorded.func;
        let results = graph.results.len();
        let make = |m: &mut Module| {
            let lin = ad::linearize(m, func, mask, &vec![true; results])?;
            let linear = match options.mode {
                Mode::Forward => lin.linear,
                Mode::Reverse => {
                    let count = m.get(lin.linear).params.len();
                    let linear: Vec<bool> = (0..count).map(|k| k >= lin.residuals).collect();
                    ad::transpose(m, lin.linear, &linear, &vec![true; results])?
                }
            };
            Ok((lin, linear))
        };
        let refuse = |e: TransformError| -> ! { fail(Error::from(e).or_at(what.at).within(what)) };
        let (lin, func) = trace::with_module(make).unwrap_or_else(|e| refuse(e));
        let (is_static, acts, largest) = trace::with_module(|m| {
            let types = m.get(lin.primal).result_types();
            let is_static = types.iter().all(|t| t.as_tensor().is_none_or(|t| t.is_static()));
            let linear = m.get(func);
            let tensors = linear.values.values().filter_map(|v| v.ty.as_tensor()).filter(|t| t.is_static());
            let largest = tensors.map(|t| t.elements().saturating_mul(t.dtype.size())).max().unwrap_or(0);
            (is_static, m.has_effects(lin.primal), largest)
        });
        let arguments = graph.arguments(args, &[]);
        let chosen = arguments.iter().zip(mask).filter(|(_, m)| **m).map(|(t, _)| t.ty()).collect();
        let (from, to) = match options.mode {
            Mode::Forward => (chosen, graph.results.clone()),
            Mode::Reverse => (graph.results.clone(), chosen),
        };
        let (primal, known, once) = (lin.primal, lin.residuals, OnceCell::new());
        let heard = graph.recorded.heard.clone();
        let all = Self {
            what,
            func,
            primal,
            arguments,
            heard,
            known,
            once,
            is_static,
            acts,
            from,
            to,
            options,
            largest,
        };
        if is_static {
            all.once.get_or_init(|| all.known());
        }
        all
    }

    /// What is known at the point. What was heard when the function was recorded is not heard again.
    fn known(&self) -> Vec<Tensor> {
        let all = hearing(&self.heard, || trace::replay(self.primal, &self.arguments));
        all[all.len() - self.known..].to_vec()
    }

    /// Does what the function does besides computing, where no vector is asked for.
    pub(super) fn act(&self) {
        if self.acts {
            self.once.get_or_init(|| self.known());
        }
    }

    /// Applies a function of what is known and of vectors.
    fn apply(&self, func: FuncId, vectors: Vec<Tensor>) -> Vec<Tensor> {
        let known = self.once.get_or_init(|| self.known());
        trace::replay(func, &[known, &vectors[..]].concat())
    }

    /// As [`Linear::apply`], in a loop: what cannot cross into it is computed in it.
    fn apply_inside(&self, func: FuncId, vectors: Vec<Tensor>) -> Vec<Tensor> {
        match self.is_static {
            true => self.apply(func, vectors),
            false => trace::replay(func, &[self.known(), vectors].concat()),
        }
    }

    /// What the function makes of `n` vectors: each result with a dimension more in front. `vectors` gives `count` of them from
    /// number `first` on, for each operand that is `mapped` as rows, and as they are for the others; past the last one, zeros.
    pub(super) fn images(
        &self,
        n: usize,
        mapped: &[bool],
        vectors: &dyn Fn(&Tensor, usize) -> Vec<Tensor>,
    ) -> Vec<Tensor> {
        let at = self.what.at;
        let leaf = |ty: &TensorType| ty.elements().saturating_mul(ty.dtype.size());
        let largest = self.from.iter().map(leaf).fold(self.largest, usize::max).max(1);
        let reasonable = (AT_ONCE / largest).max(1);
        let once = self.acts && !self.is_static;
        let mut chunk = if once { n } else { self.options.chunk.unwrap_or(reasonable) }.min(n.max(1));
        if trace::with_module(|m| m.has_effects(self.func)) {
            // What is heard of a vector is not heard of those that would fill the last chunk.
            chunk = (1..=chunk).rev().find(|c| n.is_multiple_of(*c)).unwrap_or(chunk);
        }
        let mut dims = vec![None; self.known];
        dims.extend(mapped.iter().map(|&is| is.then_some(0)));
        let batched = trace::with_module(|m| {
            batch::vmap(m, self.func, &dims, chunk.min(n), &vec![Some(0); self.to.len()], None)
        });
        if chunk >= n {
            let all = vectors(&Tensor::from(0i64), n);
            return match &batched {
                Ok(batched) => self.apply(*batched, all),
                Err(why) => self.one_by_one(n, mapped, all, why),
            };
        }
        let images = |first: &Tensor, count: usize| match &batched {
            Ok(batched) => self.apply_inside(*batched, vectors(first, count)),
            Err(why) => self.one_by_one(count, mapped, vectors(first, count), why),
        };
        let starts = Tensor::arange(n.div_ceil(chunk), DType::I64) * chunk as i64;
        let chunks = map(|first: Tensor| images(&first, chunk), starts);
        // Rows past the last one are of no vector.
        let flat = chunks.into_iter().zip(&self.to).map(|(t, to)| {
            let rows = t.shape()[0] * chunk;
            t.reshape_to([&[rows][..], &to.shape].concat()[..].into(), at).get(0..n)
        });
        flat.collect()
    }

    /// The images where there is no batch of the function: of one vector after the other. What cannot cross into a loop is
    /// computed in it.
    fn one_by_one(
        &self,
        n: usize,
        mapped: &[bool],
        vectors: Vec<Tensor>,
        why: &TransformError,
    ) -> Vec<Tensor> {
        if self.acts && !self.is_static {
            let message = format!(
                "{why}: it is run for one vector after the other, with what it needs of a loop of unknown trips, which does more \
                 than compute. Leave the effect out of the function"
            );
            fail(Error::new(message, Some(self.what.at)).within(self.what))
        }
        let (func, mut operands) = match self.is_static {
            true => (self.func, self.once.get().expect("known from the start").clone()),
            false => (trace::with_module(|m| self.with_primal(m)), self.arguments.clone()),
        };
        let mut rows = vec![false; operands.len()];
        rows.extend(mapped);
        operands.extend(vectors);
        trace::replay(trace::with_module(|m| batch::one_by_one(m, func, &rows, n, why)), &operands)
    }

    /// The function of the primal part's arguments, and of vectors.
    fn with_primal(&self, m: &mut Module) -> FuncId {
        let (primal, linear) = (m.get(self.primal), m.get(self.func));
        let mut whole = Func::new(m.fresh_name("linear"), FuncKind::Private);
        let arguments: Vec<Value> =
            primal.params.iter().map(|&p| whole.param(primal.ty(p).clone())).collect();
        let mut operands = whole.inline(&primal, &arguments);
        operands.drain(..operands.len() - self.known);
        operands.extend(linear.params[self.known..].iter().map(|&p| whole.param(linear.ty(p).clone())));
        whole.results = whole.inline(&linear, &operands);
        m.add(whole)
    }

    /// For each leaf of the function's result, the Jacobian by each leaf that is differentiated by.
    pub(super) fn blocks(&self) -> Vec<Vec<Tensor>> {
        let by: Vec<Vec<Tensor>> = (0..self.from.len()).map(|k| self.columns(k)).collect();
        match self.options.mode {
            Mode::Reverse => by,
            Mode::Forward => {
                (0..self.to.len()).map(|result| by.iter().map(|of| of[result].clone()).collect()).collect()
            }
        }
    }

    /// What the function makes of a basis of its vectors number `k`: in forward mode of dimensions `to` and then those of the
    /// vector, in reverse mode the other way round.
    fn columns(&self, k: usize) -> Vec<Tensor> {
        let at = self.what.at;
        let ty = &self.from[k];
        let n = ty.elements();
        let zeros = |v: Tensor| {
            let all = self.from.iter().enumerate();
            all.map(|(i, ty)| if i == k { v.clone() } else { Tensor::zeros_of(ty) }).collect::<Vec<_>>()
        };
        let made: Vec<Tensor> = if n == 1 {
            let made = self.apply(self.func, zeros(Tensor::ones(&ty.shape, ty.dtype)));
            made.into_iter().map(|t| t.expand_dims(0)).collect()
        } else {
            let mapped: Vec<bool> = (0..self.from.len()).map(|i| i == k).collect();
            self.images(n, &mapped, &|first, count| {
                let number = Tensor::arange(count, DType::I64).expand_dims(1) + first;
                let is = number.equal(Tensor::arange(n, DType::I64).expand_dims(0));
                let shape = [&[count][..], &ty.shape].concat();
                zeros(is.astype(ty.dtype).reshape_to(shape[..].into(), at))
            })
        };
        made.into_iter().zip(&self.to).map(|(t, to)| self.shaped(t, to, ty)).collect()
    }

    /// A Jacobian from what is made of the vectors of a basis, one after the other.
    fn shaped(&self, rows: Tensor, to: &TensorType, from: &TensorType) -> Tensor {
        let (rows, shape) = match self.options.mode {
            Mode::Reverse => (rows, [&from.shape[..], &to.shape].concat()),
            Mode::Forward => {
                let perm: Vec<usize> = (1..=to.rank()).chain([0]).collect();
                let rows = if to.rank() == 0 { rows } else { rows.transpose(&perm) };
                (rows, [&to.shape[..], &from.shape].concat())
            }
        };
        rows.reshape_to(shape[..].into(), self.what.at)
    }
}
