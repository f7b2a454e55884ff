//! `map`: a function of scalars applied to the elements of tensors.

use super::shape::all_tensors;
use super::sketch::{self, Sketch};
use super::{elementwise::no_tangents, reduce};
use crate::array::Array;
use crate::ensure;
use crate::func::{Func, Module, Value};
use crate::op::*;
use crate::ops::batching;
use crate::rules::{Batched, Mapped};
use crate::rules::{Emit, EvalError, Evaluate, Jvp, OpDef, Tangents, Term, TypeError, Types};
use crate::types::{TensorType, Type};
use crate::work::Sizes;
use smallvec::{SmallVec, smallvec};

impl Map {
    /// The function of the same operands without `map`; `None` for dynamic shapes.
    pub(crate) fn expansion(&self, module: &mut Module, operands: &[Type]) -> Option<Func> {
        Sketch::build(module, operands, |s, x| {
            let shape = s.ty(x[0]).shape;
            let values: Vec<Value> = x.iter().map(|&t| sketch::value(t)).collect();
            let (inputs, captures) = values.split_at(self.inputs);
            sketch::apply(s, self.computation, captures, inputs, &shape)
        })
    }
}

impl OpDef for Map {
    fn infer(&self, module: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let n = self.inputs;
        ensure!(n > 0 && operands.len() >= n, "C2", "there must be an input");
        let xs = all_tensors(&operands[..n])?;
        for (k, x) in xs.iter().enumerate() {
            ensure!(x.shape == xs[0].shape, "C1", "input {k} is {x}, the first {}", xs[0]);
        }
        let rank = xs[0].rank();
        ensure!(
            self.dimensions.iter().copied().eq(0..rank),
            "C3",
            "dimensions {:?} are not all of rank {rank}, in order",
            self.dimensions
        );
        let Some(body) = module.funcs.get(self.computation) else {
            return Err(TypeError::new("C4", "the computation is no function of the module"));
        };
        let mut params: Vec<Type> = operands[n..].to_vec();
        params.extend(xs.iter().map(|x| Type::Tensor(TensorType::scalar(x.dtype))));
        let results = body.result_types();
        let scalar = match &results[..] {
            [Type::Tensor(ty)] if ty.rank() == 0 => ty.dtype,
            _ => return Err(TypeError::new("C4", "the computation must give one scalar")),
        };
        ensure!(
            body.param_types() == params,
            "C4",
            "the computation must take a scalar of each input's element type"
        );
        Ok(smallvec![Type::Tensor(TensorType { dtype: scalar, shape: xs[0].shape.clone() })])
    }

    fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let (inputs, captures) = operands.split_at(self.inputs);
        let dtype = cx.result_types(self.computation)[0].tensor().dtype;
        let mut out = Array::zeros(TensorType { dtype, shape: inputs[0].ty().shape.clone() });
        let size = dtype.size();
        for i in 0..inputs[0].ty().elements() {
            cx.tick(1)?;
            let args: Vec<Array> =
                captures.iter().cloned().chain(inputs.iter().map(|x| reduce::element(x, i))).collect();
            let y = cx.call(self.computation, &args)?;
            out.bytes_mut()[i * size..][..size].copy_from_slice(y[0].bytes());
        }
        Ok(vec![out])
    }

    fn expand(&self, e: &mut dyn Emit, operands: &[Term]) -> Option<SmallVec<[Term; 2]>> {
        let types = sketch::types(e, operands);
        let func = self.expansion(e.module(), &types)?;
        Some(sketch::replay(e, &func, operands))
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        x.result(0)
    }

    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        let types = sketch::types(e, x.operands);
        if x.tangents.iter().all(Option::is_none) {
            return no_tangents(1);
        }
        let func = self.expansion(e.module(), &types).expect("shapes are known");
        sketch::jvp(e, x, &func)
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        let dimensions = (0..=self.dimensions.len()).collect();
        let op = Map { dimensions, ..self.clone() };
        batching::leading_but(e, size, op, operands, self.inputs)
    }
}
