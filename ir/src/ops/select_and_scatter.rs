//! `select_and_scatter`: each element of the source goes where its window of the operand has the selected
//! element.
//!
//! Which elements are selected is known before any tangent: so the operation that adds is linear in its
//! source and initial value, and its transpose gathers at the selected places.

use super::reduce::{element, is_monoid};
use super::shape::tensors;
use super::sketch::{self, Sketch};
use super::sliding::{all, flat, places, reserve_places, sane};
use super::strided::{for_each_index, row_major};
use super::window_selection::{Apart, take_flat};
use crate::array::Array;
use crate::ensure;
use crate::func::{Func, FuncId, Module};
use crate::op::*;
use crate::ops::batching;
use crate::rules::{Batched, Mapped};
use crate::rules::{
    Emit, EvalError, Evaluate, Jvp, OpDef, Operand, Tangents, Term, Transpose as Cotangents, TypeError, Types,
};
use crate::types::{DType, Dims, TensorType, Type};
use crate::work::Sizes;
use smallvec::{SmallVec, smallvec};

impl SelectAndScatter {
    /// The windows as `reduce_window` has them.
    fn windows(&self) -> ReduceWindow {
        let n = self.window_dimensions.len();
        ReduceWindow {
            window_dimensions: self.window_dimensions.clone(),
            window_strides: self.window_strides.clone(),
            base_dilations: all(1, n),
            window_dilations: all(1, n),
            padding_low: self.padding_low.clone(),
            padding_high: self.padding_high.clone(),
            inputs: 1,
            reducer: Reducer::Op(BinaryOp::Add),
        }
    }

    /// The flat position of the element that each window selects, -1 for none.
    fn selected(&self, e: &mut dyn Emit, operand: Term, captures: &[Term]) -> Term {
        self.windows().selected(e, self.select, operand, captures).1
    }

    /// The function of the same operands that selects by `reduce_window` and then scatters.
    pub(crate) fn expansion(&self, module: &mut Module, operands: &[Type]) -> Option<Func> {
        Sketch::build(module, operands, |s, x| {
            let e: &mut dyn Emit = s;
            let (operand, source, init) = (x[0], x[1], x[2]);
            let ty = e.ty(operand);
            let n = ty.elements();
            if n == 0 || e.ty(source).shape.contains(&0) {
                return Some(vec![e.broadcast_scalar(init, &ty.shape)]);
            }
            let op = match self.scatter {
                Reducer::Op(op) => Some(Some(op)),
                Reducer::Assign => Some(None),
                Reducer::Func(_) => None,
            };
            if let (Some(op), Selector::Compare(direction), Some(apart)) =
                (op, self.select, Apart::of(&self.windows(), &ty.shape))
            {
                let choice = apart.choose(e, direction, operand).1;
                return Some(vec![apart.push(e, op, init, source, choice)]);
            }
            let index = self.selected(e, operand, &x[3..]);
            let line = e.broadcast_scalar(init, &[n]);
            let scatter = Scatter {
                update_window_dims: Dims::new(),
                inserted_window_dims: smallvec![0],
                input_batching_dims: Dims::new(),
                scatter_indices_batching_dims: Dims::new(),
                scatter_dims_to_operand_dims: smallvec![0],
                index_vector_dim: e.ty(index).rank(),
                indices_are_sorted: false,
                unique_indices: false,
                inputs: 1,
                reducer: self.scatter,
            };
            let mut operands = vec![line, index, source];
            if let Reducer::Func(_) = self.scatter {
                operands.extend_from_slice(&x[3..]);
            }
            let out = e.one(scatter, &operands);
            Some(vec![e.reshape(out, &ty.shape)])
        })
    }

    /// Whether `select(a, b)`.
    fn keeps(
        &self,
        cx: &mut dyn Evaluate,
        captures: &[Array],
        a: &Array,
        b: &Array,
    ) -> Result<bool, EvalError> {
        let args = [a.clone(), b.clone()];
        let out = match self.select {
            Selector::Compare(direction) => {
                Compare { direction, kind: CompareType::natural(a.dtype()) }.eval(cx, &args)?
            }
            Selector::Func(f) => cx.call(f, &[captures, &args].concat())?,
        };
        Ok(out[0].bytes()[0] != 0)
    }

    fn combine(
        &self,
        cx: &mut dyn Evaluate,
        captures: &[Array],
        old: Array,
        new: Array,
    ) -> Result<Array, EvalError> {
        match self.scatter {
            Reducer::Op(op) => Ok(op.eval(cx, &[old, new])?.remove(0)),
            Reducer::Assign => Ok(new),
            Reducer::Func(f) => Ok(cx.call(f, &[captures, &[old, new]].concat())?.remove(0)),
        }
    }

    /// A region that takes the captures and two scalars of `dtype`.
    fn check_body(
        module: &Module,
        body: FuncId,
        captures: &[Type],
        dtype: DType,
        result: DType,
        label: &'static str,
    ) -> Result<(), TypeError> {
        let scalar = Type::Tensor(TensorType::scalar(dtype));
        let mut params = captures.to_vec();
        params.extend([scalar.clone(), scalar]);
        let fits = module.funcs.get(body).is_some_and(|f| {
            f.param_types() == params && f.result_types() == [Type::Tensor(TensorType::scalar(result))]
        });
        if fits {
            return Ok(());
        }
        Err(TypeError::new(label, format!("the function must take two scalars of {dtype} and give {result}")))
    }
}

impl OpDef for SelectAndScatter {
    fn infer(&self, module: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        ensure!(operands.len() >= 3, "I3", "takes an operand, a source and an initial value");
        let xs = tensors(&operands[..3], 3)?;
        let (x, source, init) = (xs[0], xs[1], xs[2]);
        let rank = x.rank();
        ensure!(x.dtype == source.dtype, "C1", "the source is {}, the operand {}", source.dtype, x.dtype);
        ensure!(init.rank() == 0, "I3", "the initial value must be a scalar");
        ensure!(init.dtype == x.dtype, "C3", "the initial value is {}, the operand {}", init.dtype, x.dtype);
        ensure!(self.window_dimensions.len() == rank, "C4", "window_dimensions need {rank} entries");
        ensure!(self.window_dimensions.iter().all(|&n| n > 0), "C5", "window_dimensions must be positive");
        ensure!(self.window_strides.len() == rank, "C6", "window_strides need {rank} entries");
        ensure!(self.window_strides.iter().all(|&n| n > 0), "C7", "window_strides must be positive");
        let pairs = self.padding_low.len() == rank && self.padding_high.len() == rank;
        ensure!(pairs, "C8", "padding needs {rank} pairs");
        ensure!(sane(&self.padding_low) && sane(&self.padding_high), "C8", "the padding is too large");
        ensure!(x.is_static() && source.is_static(), "I1", "shapes must be known");
        let windows = self.windows().shape(&x.shape);
        ensure!(
            windows.as_ref() == Some(&source.shape),
            "C2",
            "the source is {source}, but there are {windows:?} windows"
        );
        let captures = &operands[3..];
        match self.select {
            Selector::Compare(_) => {}
            Selector::Func(f) => Self::check_body(module, f, captures, x.dtype, DType::I1, "C9")?,
        }
        match self.scatter {
            Reducer::Op(op) => {
                ensure!(is_monoid(op), "C10", "{} is not a monoid", op.name());
                op.infer(module, &[operands[2].clone(), operands[2].clone()])?;
            }
            Reducer::Assign => {}
            Reducer::Func(f) => Self::check_body(module, f, captures, x.dtype, x.dtype, "C10")?,
        }
        let functions = [matches!(self.select, Selector::Func(_)), matches!(self.scatter, Reducer::Func(_))];
        ensure!(captures.is_empty() || functions.contains(&true), "C9", "nothing takes the captures");
        Ok(smallvec![operands[0].clone()])
    }

    fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let (x, source, init) = (&operands[0], &operands[1], &operands[2]);
        let captures = &operands[3..];
        let size = x.dtype().size();
        let mut out = Array::zeros(x.ty().clone());
        out.bytes_mut().chunks_exact_mut(size).for_each(|c| c.copy_from_slice(init.bytes()));
        let (windows, steps) = (self.windows(), row_major(x.shape()));
        let slides = |d: usize| (windows.slide(d, x.shape()), source.shape()[d]);
        reserve_places(cx, (0..x.shape().len()).map(slides))?;
        let tables: Vec<_> =
            (0..x.shape().len()).map(|d| places(&windows.slide(d, x.shape()), source.shape()[d])).collect();
        let mut i = 0;
        for_each_index(source.shape(), |o| {
            let mut best: Option<(usize, Array)> = None;
            for_each_index(&self.window_dimensions, |k| {
                cx.tick(1)?;
                let at: Option<Dims> = (0..k.len()).map(|d| tables[d][o[d]][k[d]]).collect();
                let Some(at) = at.map(|at| flat(&at, &steps)) else { return Ok(()) };
                let new = element(x, at);
                let keep = match &best {
                    Some((_, old)) => self.keeps(cx, captures, old, &new)?,
                    None => false,
                };
                if !keep {
                    best = Some((at, new));
                }
                Ok::<(), EvalError>(())
            })?;
            if let Some((at, _)) = best {
                let new = self.combine(cx, captures, element(&out, at), element(source, i))?;
                out.bytes_mut()[at * size..][..size].copy_from_slice(new.bytes());
            }
            i += 1;
            Ok::<(), EvalError>(())
        })?;
        Ok(vec![out])
    }

    fn expand(&self, e: &mut dyn Emit, operands: &[Term]) -> Option<SmallVec<[Term; 2]>> {
        let types = sketch::types(e, operands);
        let func = self.expansion(e.module(), &types)?;
        Some(sketch::replay(e, &func, operands))
    }

    fn differentiable(&self, active: &[bool]) -> Result<(), &'static str> {
        match self.scatter {
            Reducer::Op(BinaryOp::Multiply) if active[1] => {
                Err("select_and_scatter that multiplies, with respect to its source")
            }
            Reducer::Op(_) | Reducer::Assign => Ok(()),
            Reducer::Func(_) if active[1] || active[2] => Err("select_and_scatter with a scatter of its own"),
            Reducer::Func(_) => Ok(()),
        }
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        let window = self.window_dimensions.iter().map(|&n| n as u64).fold(1, u64::saturating_mul);
        x.operand(1).saturating_mul(window)
    }

    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        if x.tangents[1].is_none() && x.tangents[2].is_none() {
            return smallvec![None]; // which elements are selected does not change
        }
        if self.scatter != Reducer::Op(BinaryOp::Add) {
            let types = sketch::types(e, x.operands);
            let func = self.expansion(e.module(), &types).expect("always there");
            return sketch::jvp(e, x, &func);
        }
        let mut operands: SmallVec<[Term; 4]> = x.operands.into();
        let source = e.ty(x.operands[1]);
        operands[1] = match x.tangents[1] {
            Some(t) => t,
            None => e.zero(source.clone()),
        };
        operands[2] = match x.tangents[2] {
            Some(t) => t,
            None => e.splat(TensorType::scalar(source.dtype), 0.0),
        };
        smallvec![Some(e.one(self.clone(), &operands))]
    }

    fn transpose(&self, e: &mut dyn Emit, x: Cotangents<'_>) -> Tangents {
        let mut out: Tangents = x.operands.iter().map(|_| None).collect();
        let Some(ct) = x.cotangents[0] else { return out };
        let known = |o: &Operand| match o {
            Operand::Known(term) => Some(*term),
            Operand::Linear(_) => None,
        };
        if let Operand::Linear(ty) = &x.operands[1] {
            let empty = ty.shape.contains(&0) || e.ty(ct).shape.contains(&0);
            let captures: Option<Vec<Term>> = x.operands[3..].iter().map(known).collect();
            let (Some(operand), Some(captures)) = (known(&x.operands[0]), captures) else { return out };
            out[1] = Some(if empty {
                e.zero(ty.clone())
            } else {
                let index = self.selected(e, operand, &captures);
                let picked = take_flat(e, ct, index);
                let zero = e.splat_like(index, 0.0);
                let there = e.compare(Direction::Ge, index, zero);
                let zeros = e.zero(ty.clone());
                e.select(there, picked, zeros)
            });
        }
        if let Operand::Linear(_) = &x.operands[2] {
            let every: Dims = (0..e.ty(ct).rank()).collect();
            out[2] = Some(e.reduce_sum(ct, &every));
        }
        out
    }

    /// A known initial value must be zero, as derivative rules make it.
    fn is_linear(&self, linear: &[bool]) -> bool {
        let others = linear[0] || linear[3..].contains(&true);
        self.scatter == Reducer::Op(BinaryOp::Add) && linear[1] && !others
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        let op = SelectAndScatter {
            window_dimensions: batching::inserted(&self.window_dimensions, 0, 1),
            window_strides: batching::inserted(&self.window_strides, 0, 1),
            padding_low: batching::inserted(&self.padding_low, 0, 0),
            padding_high: batching::inserted(&self.padding_high, 0, 0),
            ..self.clone()
        };
        batching::leading_but(e, size, op, operands, 2)
    }
}
