//! `reduce_window`: reductions over windows that slide over the inputs.
//!
//! A window is combined in row-major order, starting from the initial value; padding counts as initial
//! values. A *cumulative* window, which takes in one element after the other along one dimension as cumsum
//! and its kin do, is combined as one running reduction, so that the work is linear; see
//! [`ReduceWindow::cumulative`].
//!
//! Sums are linear. The tangent of a maximum or minimum is that of the element that attains it, of the
//! first if there are several, as in JAX; where the result is NaN, of one of those that it was compared with. This holds
//! for running ones too: JAX differentiates `lax.cummax` by a rule of its own, which shares the tangent among equals by
//! the halving of its scan, but exports the same windows for it as for `lax.reduce_window`, whose rule this is.
//! Products and windows with a body of their own are differentiated
//! through [`ReduceWindow::unrolled`]; where that has loops, passes do it (see [`super::through`]).

use super::elementwise::number::Number;
use super::elementwise::{build, dispatch, elements, no_tangents};
use super::reduce::{element, is_monoid};
use super::shape::all_tensors;
use super::sketch::{self, Combine, Sketch};
use super::sliding::{Slide, all, flat, places, reserve_places, sane};
use super::strided::{for_each_index, row_major};
use crate::array::{Array, Literal};
use crate::ensure;
use crate::func::{Func, FuncId, Module};
use crate::interp;
use crate::op::*;
use crate::ops::batching;
use crate::rules::{Batched, Mapped};
use crate::rules::{
    Emit, EvalError, Evaluate, Jvp, OpDef, Operand, Tangents, Term, Transpose as Cotangents, TypeError, Types,
};
use crate::types::{DType, Dims, TensorType, Type};
use crate::work::Sizes;
use smallvec::{SmallVec, smallvec};

/// Windows with more elements than this are loops: a slice per element would be too much code.
pub(crate) const LARGEST_UNROLLED: usize = 64;

/// A window that takes in one element after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cumulative {
    /// Along which dimension.
    pub(crate) dim: usize,
    /// Whether from the last element to the first.
    pub(crate) reverse: bool,
}

impl ReduceWindow {
    /// A reduction of one input, with plain windows that leave no gaps.
    pub fn of(reducer: Reducer, window: &[usize]) -> Self {
        let n = window.len();
        ReduceWindow {
            window_dimensions: Dims::from_slice(window),
            window_strides: all(1, n),
            base_dilations: all(1, n),
            window_dilations: all(1, n),
            padding_low: SmallVec::from_elem(0, n),
            padding_high: SmallVec::from_elem(0, n),
            inputs: 1,
            reducer,
        }
    }

    /// The running reduction of an array of `shape` along a dimension.
    pub fn running(reducer: Reducer, shape: &[usize], dim: usize, reverse: bool) -> Self {
        let mut out = Self::of(reducer, &all(1, shape.len()));
        out.window_dimensions[dim] = shape[dim].max(1);
        let room = shape[dim] as i64 - 1;
        if reverse {
            out.padding_high[dim] = room.max(0);
        } else {
            out.padding_low[dim] = room.max(0);
        }
        out
    }

    pub(crate) fn slide(&self, d: usize, shape: &[usize]) -> Slide {
        Slide {
            size: shape[d],
            low: self.padding_low[d],
            high: self.padding_high[d],
            dilation: self.base_dilations[d],
            window: self.window_dimensions[d],
            window_dilation: self.window_dilations[d],
            stride: self.window_strides[d],
        }
    }

    pub(crate) fn shape(&self, shape: &[usize]) -> Option<Dims> {
        (0..shape.len()).map(|d| self.slide(d, shape).count()).collect()
    }

    /// Elements of a window.
    pub(crate) fn window(&self) -> usize {
        self.window_dimensions.iter().fold(1, |n, &w| n.saturating_mul(w))
    }

    /// Whether the window takes in one element after the other along one dimension and is 1 along the others.
    pub(crate) fn cumulative(&self, shape: &[usize]) -> Option<Cumulative> {
        let plain = |d: usize| {
            self.window_strides[d] == 1
                && self.base_dilations[d] == 1
                && (self.window_dilations[d] == 1 || self.window_dimensions[d] == 1)
        };
        let mut wide = (0..shape.len()).filter(|&d| self.window_dimensions[d] != 1);
        let (dim, None) = (wide.next()?, wide.next()) else { return None };
        let n = shape[dim] as i64;
        let still = |d: usize| d == dim || (self.padding_low[d] == 0 && self.padding_high[d] == 0);
        if self.window_dimensions[dim] as i64 != n || !(0..shape.len()).all(|d| plain(d) && still(d)) {
            return None;
        }
        match (self.padding_low[dim], self.padding_high[dim]) {
            (low, 0) if low == n - 1 => Some(Cumulative { dim, reverse: false }),
            (0, high) if high == n - 1 => Some(Cumulative { dim, reverse: true }),
            _ => None,
        }
    }

    pub(super) fn with(&self, inputs: usize, reducer: Reducer) -> Self {
        ReduceWindow { inputs, reducer, ..self.clone() }
    }

    /// For each result element, the flat positions of its window in the input, `None` for padding.
    ///
    /// Fails if there is no memory for what that takes.
    fn windows(
        &self,
        cx: &mut dyn Evaluate,
        shape: &[usize],
        result: &[usize],
    ) -> Result<impl Fn(&[usize]) -> Vec<Option<usize>> + use<>, EvalError> {
        reserve_places(cx, (0..shape.len()).map(|d| (self.slide(d, shape), result[d])))?;
        let steps = row_major(shape);
        let tables: Vec<_> = (0..shape.len()).map(|d| places(&self.slide(d, shape), result[d])).collect();
        let window = self.window_dimensions.clone();
        Ok(move |o: &[usize]| {
            let mut out = Vec::new();
            let _: Result<(), ()> = for_each_index(&window, |k| {
                let at: Option<Dims> = (0..k.len()).map(|d| tables[d][o[d]][k[d]]).collect();
                out.push(at.map(|at| flat(&at, &steps)));
                Ok(())
            });
            out
        })
    }

    fn eval_op(
        &self,
        cx: &mut dyn Evaluate,
        op: BinaryOp,
        x: &Array,
        init: &Array,
        shape: &[usize],
    ) -> Result<Array, EvalError> {
        fn go<T: Number>(
            w: &ReduceWindow,
            cx: &mut dyn Evaluate,
            op: BinaryOp,
            x: &Array,
            init: &Array,
            shape: &[usize],
        ) -> Result<Array, EvalError> {
            let (v, init) = (elements::<T>(x), elements::<T>(init)[0]);
            let combine = |a, b| T::binary(op, a, b);
            let same = bytemuck::bytes_of(&combine(init, init)) == bytemuck::bytes_of(&init);
            if let Some(cumulative) = w.cumulative(x.shape()).filter(|_| same) {
                let mut out = x.clone();
                let y: &mut [T] = bytemuck::cast_slice_mut(out.bytes_mut());
                for lane in lanes(x.shape(), cumulative.dim) {
                    let mut acc = init;
                    let mut next = |at: usize| {
                        acc = if cumulative.reverse { combine(y[at], acc) } else { combine(acc, y[at]) };
                        y[at] = acc;
                    };
                    if cumulative.reverse {
                        (0..lane.count).rev().for_each(|i| next(lane.at(i)));
                    } else {
                        (0..lane.count).for_each(|i| next(lane.at(i)));
                    }
                }
                return Ok(out);
            }
            let windows = w.windows(cx, x.shape(), shape)?;
            let mut values = Vec::new();
            let _: Result<(), ()> = for_each_index(shape, |o| {
                let at = windows(o);
                values.push(at.iter().fold(init, |acc, &p| combine(acc, p.map_or(init, |p| v[p]))));
                Ok(())
            });
            Ok(build(x.dtype(), shape, |i| values[i]))
        }
        let out: Result<Result<Array, EvalError>, EvalError> =
            dispatch!(x.dtype(), "stablehlo.reduce_window", go(self, cx, op, x, init, shape));
        out?
    }

    fn eval_func(
        &self,
        cx: &mut dyn Evaluate,
        body: FuncId,
        operands: &[Array],
        shape: &[usize],
    ) -> Result<Vec<Array>, EvalError> {
        let n = self.inputs;
        let (inputs, rest) = operands.split_at(n);
        let (inits, captures) = rest.split_at(n);
        let combine = |cx: &mut dyn Evaluate, lhs: &[Array], rhs: &[Array]| {
            cx.tick(1)?;
            let args: Vec<Array> = captures.iter().chain(lhs).chain(rhs).cloned().collect();
            cx.call(body, &args)
        };
        let at = |p: usize| inputs.iter().map(|x| element(x, p)).collect::<Vec<_>>();
        let mut out: Vec<Array> = inputs.iter().map(|x| Array::zeros(x.ty().with_shape(shape))).collect();
        let mut store = |i: usize, values: &[Array]| {
            for (out, v) in out.iter_mut().zip(values) {
                let size = v.bytes().len();
                out.bytes_mut()[i * size..][..size].copy_from_slice(v.bytes());
            }
        };
        if let Some(cumulative) = self.cumulative(inputs[0].shape())
            && !shape.contains(&0)
            && combine(cx, inits, inits)? == inits
        {
            for lane in lanes(shape, cumulative.dim) {
                let mut acc = inits.to_vec();
                for i in 0..lane.count {
                    let p = lane.at(if cumulative.reverse { lane.count - 1 - i } else { i });
                    let x = at(p);
                    acc = if cumulative.reverse { combine(cx, &x, &acc)? } else { combine(cx, &acc, &x)? };
                    store(p, &acc);
                }
            }
            return Ok(out);
        }
        let windows = self.windows(cx, inputs[0].shape(), shape)?;
        let mut i = 0;
        for_each_index(shape, |o| {
            let mut acc = inits.to_vec();
            for p in windows(o) {
                acc = match p {
                    Some(p) => combine(cx, &acc, &at(p))?,
                    None => combine(cx, &acc, inits)?,
                };
            }
            store(i, &acc);
            i += 1;
            Ok(())
        })?;
        Ok(out)
    }
}

/// The elements along one dimension.
struct Lane {
    start: usize,
    step: usize,
    count: usize,
}

impl Lane {
    fn at(&self, i: usize) -> usize {
        self.start + i * self.step
    }
}

/// Every line of an array along a dimension.
fn lanes(shape: &[usize], dim: usize) -> Vec<Lane> {
    let step = row_major(shape)[dim] as usize;
    let mut others = Dims::from_slice(shape);
    others[dim] = 1;
    let (steps, mut out) = (row_major(shape), Vec::new());
    let _: Result<(), ()> = for_each_index(&others, |i| {
        out.push(Lane { start: flat(i, &steps), step, count: shape[dim] });
        Ok(())
    });
    out
}

/// `x[start..limit]` along a dimension.
pub(crate) fn cut(e: &mut dyn Emit, x: Term, dim: usize, start: usize, limit: usize) -> Term {
    let ty = e.ty(x);
    if start == 0 && limit == ty.shape[dim] {
        return x;
    }
    let mut slice = Slice { start: all(0, ty.rank()), limit: ty.shape.clone(), strides: all(1, ty.rank()) };
    slice.start[dim] = start;
    slice.limit[dim] = limit;
    e.one(slice, &[x])
}

impl ReduceWindow {
    /// The inputs as the windows see them: spread and padded with the initial values.
    pub(crate) fn padded(&self, s: &mut dyn Emit, x: &[Term], inits: &[Term]) -> Vec<Term> {
        let plain = self.padding_low.iter().chain(&self.padding_high).all(|&p| p == 0)
            && self.base_dilations.iter().all(|&d| d == 1);
        if plain {
            return x.to_vec();
        }
        let shape = s.ty(x[0]).shape;
        let interior =
            self.base_dilations.iter().zip(&shape).map(|(&d, &n)| if n > 1 { d as i64 - 1 } else { 0 });
        let pad = Pad {
            low: self.padding_low.clone(),
            high: self.padding_high.clone(),
            interior: interior.collect(),
        };
        x.iter().zip(inits).map(|(&x, &init)| s.one(pad.clone(), &[x, init])).collect()
    }

    /// The function of the same operands that combines shifted slices of the padded inputs, a slice per
    /// element of the window in row-major order, one after the other or, if they are many, in a loop; a
    /// running reduction whose initial values are `neutral` is a loop over its rows. Both combine in the order of
    /// the evaluation, so that a value does not change where a derivative is asked for: a product of
    /// prefixes overflows where the one of single elements does not. `None` for dynamic shapes.
    pub(crate) fn unrolled(&self, module: &mut Module, operands: &[Type], neutral: bool) -> Option<Func> {
        let n = self.inputs;
        let shape = operands[0].tensor().shape.clone();
        let result = self.shape(&shape)?;
        let cumulative = self.cumulative(&shape).filter(|_| !shape.contains(&0));
        Sketch::build(module, operands, |s, x| {
            let combine = Combine::new(self.reducer, &x[2 * n..]);
            let (inputs, inits) = (&x[..n], &x[n..2 * n]);
            if let Some(cumulative) = cumulative.filter(|_| neutral) {
                return Some(self.scanned(s, x, cumulative)?.to_vec());
            }
            let mut acc: Vec<Term> =
                inits.iter().map(|&i| (s as &mut dyn Emit).broadcast_scalar(i, &result)).collect();
            if result.contains(&0) {
                return Some(acc);
            }
            let padded = self.padded(s, inputs, inits);
            if self.window() > LARGEST_UNROLLED {
                return self.looped(s, &padded, &acc, &x[2 * n..], &result);
            }
            for k in self.places() {
                let read = self.read(&k, &result);
                let slices: Vec<Term> =
                    padded.iter().map(|&p| (s as &mut dyn Emit).one(read.clone(), &[p])).collect();
                acc = combine.apply(s, &acc, &slices)?;
            }
            Some(acc)
        })
    }

    /// The indices of a window, in row-major order.
    pub(super) fn places(&self) -> Vec<Dims> {
        let mut places = Vec::new();
        let _: Result<(), ()> = for_each_index(&self.window_dimensions, |k| {
            places.push(Dims::from_slice(k));
            Ok(())
        });
        places
    }

    /// Combines the slices in a loop over the elements of the window.
    fn looped(
        &self,
        s: &mut Sketch<'_>,
        padded: &[Term],
        acc: &[Term],
        captures: &[Term],
        result: &[usize],
    ) -> Option<Vec<Term>> {
        let (n, c, rank) = (self.inputs, captures.len(), result.len());
        let number = TensorType::scalar(DType::I64);
        let first = self.read(&all(0, rank), result);
        let consts = [captures, padded].concat();
        let zero = (s as &mut dyn Emit).splat(number.clone(), 0.0);
        let carry = [acc, &[zero]].concat();
        let params = sketch::types(s, &[&consts[..], &carry].concat());
        let body = Sketch::build(s.module, &params, |s, x| {
            let combine = Combine::new(self.reducer, &x[..c]);
            let (padded, acc, k) = (&x[c..c + n], &x[c + n..c + 2 * n], x[c + 2 * n]);
            let e: &mut dyn Emit = s;
            let of = |e: &mut dyn Emit, n: usize| {
                e.literal(Literal::splat_bytes(number.clone(), &(n as i64).to_le_bytes()))
            };
            // The place of element `k` of the window, row-major, from the last dimension on.
            let (mut rest, mut start) = (k, Vec::new());
            for (&size, &dilation) in self.window_dimensions.iter().zip(&self.window_dilations).rev() {
                let (size, dilation) = (of(e, size), of(e, dilation));
                let place = e.binary(BinaryOp::Remainder, rest, size);
                rest = e.binary(BinaryOp::Divide, rest, size);
                start.push(e.mul(place, dilation));
            }
            start.reverse();
            let mut read = |x: Term| {
                let operands = [&[x], &start[..]].concat();
                let near = e.one(DynamicSlice { sizes: first.limit.clone() }, &operands);
                e.one(first.clone(), &[near])
            };
            let slices: Vec<Term> = padded.iter().map(|&x| read(x)).collect();
            let one = of(e, 1);
            let next = e.add(k, one);
            let mut given = combine.apply(s, acc, &slices)?;
            given.push(next);
            Some(given)
        })?;
        let body = sketch::intern(s.module, body);
        let scan = Scan { body, consts: c + n, carry: n + 1, reverse: false, length: self.window() };
        let mut given = s.emit(scan.into(), &[&consts[..], &carry].concat()).to_vec();
        given.truncate(n);
        Some(given)
    }

    /// The slice of the padded input that holds element `k` of every window.
    pub(super) fn read(&self, k: &[usize], result: &[usize]) -> Slice {
        let start: Dims = k.iter().zip(&self.window_dilations).map(|(k, d)| k * d).collect();
        let reach = |d: usize| (result[d] - 1) * self.window_strides[d] + 1;
        let limit = (0..start.len()).map(|d| start[d] + reach(d)).collect();
        // A stride means nothing to a single window.
        let strides = (0..start.len()).map(|d| if result[d] == 1 { 1 } else { self.window_strides[d] });
        Slice { limit, strides: strides.collect(), start }
    }
}

/// The constraints that windows share, by the labels of `reduce_window`.
fn check_windows(w: &ReduceWindow, rank: usize) -> Result<(), TypeError> {
    ensure!(w.window_dimensions.len() == rank, "C4", "window_dimensions need {rank} entries");
    ensure!(w.window_dimensions.iter().all(|&n| n > 0), "C5", "window_dimensions must be positive");
    ensure!(w.window_strides.len() == rank, "C6", "window_strides need {rank} entries");
    ensure!(w.window_strides.iter().all(|&n| n > 0), "C7", "window_strides must be positive");
    ensure!(w.base_dilations.len() == rank, "C8", "base_dilations need {rank} entries");
    ensure!(w.base_dilations.iter().all(|&n| n > 0), "C9", "base_dilations must be positive");
    ensure!(w.window_dilations.len() == rank, "C10", "window_dilations need {rank} entries");
    ensure!(w.window_dilations.iter().all(|&n| n > 0), "C11", "window_dilations must be positive");
    let pairs = w.padding_low.len() == rank && w.padding_high.len() == rank;
    ensure!(pairs, "C12", "padding needs {rank} pairs");
    ensure!(sane(&w.padding_low) && sane(&w.padding_high), "C12", "the padding is too large");
    Ok(())
}

impl OpDef for ReduceWindow {
    fn infer(&self, module: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let n = self.inputs;
        ensure!(n > 0, "C1", "there must be an input");
        ensure!(operands.len() / 2 >= n, "C1", "{n} inputs want {n} initial values");
        let types = all_tensors(&operands[..2 * n])?;
        let (inputs, inits) = types.split_at(n);
        ensure!(inputs.iter().all(|x| x.shape == inputs[0].shape), "C2", "inputs must have one shape");
        for (x, init) in inputs.iter().zip(inits) {
            ensure!(init.rank() == 0, "I2", "initial values must be scalars");
            ensure!(x.dtype == init.dtype, "C3", "an initial value must have its input's element type");
        }
        check_windows(self, inputs[0].rank())?;
        match self.reducer {
            Reducer::Op(op) => {
                ensure!(n == 1 && operands.len() == 2, "C1", "{} reduces one input", op.name());
                ensure!(is_monoid(op), "C13", "{} is not a monoid", op.name());
                let scalar = Type::Tensor(inits[0].clone());
                op.infer(module, &[scalar.clone(), scalar])?;
            }
            Reducer::Assign => return Err(TypeError::new("C13", "a reduction must combine")),
            Reducer::Func(body) => {
                let Some(body) = module.funcs.get(body) else {
                    return Err(TypeError::new("C13", "the body is no function of the module"));
                };
                let scalars: Vec<Type> = inits.iter().map(|t| Type::Tensor(TensorType::clone(t))).collect();
                let mut params = operands[2 * n..].to_vec();
                params.extend(scalars.iter().chain(&scalars).cloned());
                ensure!(
                    body.param_types() == params && body.result_types() == scalars,
                    "C13",
                    "the body must take the captures and two scalars per input, and give one scalar per input"
                );
            }
        }
        ensure!(inputs[0].is_static(), "I1", "shapes must be known");
        let Some(shape) = self.shape(&inputs[0].shape) else {
            return Err(TypeError::new("C15", "the result would be too large"));
        };
        let types: Vec<TensorType> = inputs.iter().map(|x| x.with_shape(&shape)).collect();
        ensure!(types.iter().all(|t| t.checked_elements().is_some()), "C15", "the result would be too large");
        Ok(types.into_iter().map(Type::Tensor).collect())
    }

    fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let shape = self.shape(operands[0].shape()).expect("checked by infer");
        cx.reserve(&operands[0].ty().with_shape(&shape))?;
        match self.reducer {
            Reducer::Op(op) => Ok(vec![self.eval_op(cx, op, &operands[0], &operands[1], &shape)?]),
            Reducer::Func(body) => self.eval_func(cx, body, operands, &shape),
            Reducer::Assign => unreachable!("infer has refused it"),
        }
    }

    fn expand(&self, e: &mut dyn Emit, operands: &[Term]) -> Option<SmallVec<[Term; 2]>> {
        let shape = e.ty(operands[0]).shape;
        if !shape.contains(&0)
            && let Some(cumulative) = self.cumulative(&shape)
        {
            let constants: Vec<Option<Literal>> = operands.iter().map(|&t| e.constant(t)).collect();
            let constants: Vec<Option<&Literal>> = constants.iter().map(Option::as_ref).collect();
            if self.starts_neutral(e.module(), &constants) {
                return self.scanned(e, operands, cumulative);
            }
            return None;
        }
        let types = sketch::types(e, operands);
        let func = self.unrolled(e.module(), &types, false)?;
        Some(sketch::replay(e, &func, operands))
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        let window = self.window_dimensions.iter().map(|&n| n as u64).fold(1, u64::saturating_mul);
        x.result(0).saturating_mul(window).saturating_mul(self.inputs as u64)
    }

    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        let n = self.inputs;
        if x.tangents.iter().all(Option::is_none) {
            return no_tangents(n);
        }
        let through = |e: &mut dyn Emit| {
            let types = sketch::types(e, x.operands);
            let func = self.unrolled(e.module(), &types, false).expect("shapes are known");
            sketch::jvp(e, x, &func)
        };
        match self.reducer {
            Reducer::Op(BinaryOp::Add) => {
                let init = TensorType::scalar(e.ty(x.operands[0]).dtype);
                let t_init = match x.tangents[1] {
                    Some(t) => t,
                    None => e.splat(init, 0.0),
                };
                let t = match x.tangents[0] {
                    Some(t) => t,
                    None => {
                        let ty = e.ty(x.operands[0]);
                        e.zero(ty)
                    }
                };
                smallvec![Some(e.one(self.clone(), &[t, t_init]))]
            }
            Reducer::Op(BinaryOp::Maximum) => smallvec![self.chooser_jvp(e, x, Direction::Ge)],
            Reducer::Op(BinaryOp::Minimum) => smallvec![self.chooser_jvp(e, x, Direction::Le)],
            Reducer::Op(BinaryOp::Multiply) | Reducer::Func(_) => through(e),
            Reducer::Op(_) | Reducer::Assign => no_tangents(n), // And, Or, Xor: no floats
        }
    }

    // Spread by the strides and padded, the cotangent is summed over the same windows.
    fn transpose(&self, e: &mut dyn Emit, x: Cotangents<'_>) -> Tangents {
        assert_eq!(self.reducer, Reducer::Op(BinaryOp::Add), "only a sum is linear");
        let Some(ct) = x.cotangents[0] else { return no_tangents(2) };
        let ct_ty = e.ty(ct);
        let mut out = no_tangents(2);
        let shape = match &x.operands[0] {
            Operand::Linear(ty) => ty.shape.clone(),
            Operand::Known(term) => e.ty(*term).shape,
        };
        if let Operand::Linear(ty) = &x.operands[0] {
            out[0] = Some(if ct_ty.shape.contains(&0) || ty.shape.contains(&0) {
                e.zero(ty.clone())
            } else {
                self.sum_transpose(e, ct, ty)
            });
        }
        if let Operand::Linear(ty) = &x.operands[1] {
            // Each result holds the initial value once, and once for each element of padding.
            let zeros = e.splat(ty.with_shape(&shape), 0.0);
            let one = e.splat(ty.clone(), 1.0);
            let count = e.one(self.clone(), &[zeros, one]);
            let weighted = e.mul(ct, count);
            let every: Dims = (0..ct_ty.rank()).collect();
            out[1] = Some(e.reduce_sum(weighted, &every));
        }
        out
    }

    /// A known initial value must be zero, as it is in the sums that derivative rules make.
    fn is_linear(&self, linear: &[bool]) -> bool {
        self.reducer == Reducer::Op(BinaryOp::Add) && self.inputs == 1 && linear.first() == Some(&true)
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        let op = ReduceWindow {
            window_dimensions: batching::inserted(&self.window_dimensions, 0, 1),
            window_strides: batching::inserted(&self.window_strides, 0, 1),
            base_dilations: batching::inserted(&self.base_dilations, 0, 1),
            window_dilations: batching::inserted(&self.window_dilations, 0, 1),
            padding_low: batching::inserted(&self.padding_low, 0, 0),
            padding_high: batching::inserted(&self.padding_high, 0, 0),
            ..self.clone()
        };
        batching::leading_but(e, size, op, operands, self.inputs)
    }
}

impl ReduceWindow {
    /// Whether the initial values are known and combined with themselves stay the same, so that a running
    /// reduction may start from them. `constants` are what is known of the operands.
    pub(crate) fn starts_neutral(&self, module: &Module, constants: &[Option<&Literal>]) -> bool {
        let n = self.inputs;
        if constants.len() > 2 * n {
            return false;
        }
        let inits: Option<Vec<Array>> = constants[n..].iter().map(|c| c.map(Literal::to_array)).collect();
        let Some(inits) = inits else { return false };
        let twice = [&inits[..], &inits[..]].concat();
        let limits =
            interp::Limits { max_steps: Some(10_000), max_memory: Some(1 << 20), ..Default::default() };
        let combined = match self.reducer {
            Reducer::Op(op) => {
                let mut alone = Module::default();
                let types: Vec<Type> = twice.iter().map(|a| a.ty().clone().into()).collect();
                let one = |s: &mut Sketch<'_>, x: &[Term]| Some(s.emit(op.into(), x).to_vec());
                let Some(func) = Sketch::build(&mut alone, &types, one) else { return false };
                let f = alone.add(func);
                interp::run(&alone, f, &twice, &limits)
            }
            Reducer::Func(f) => interp::run(module, f, &twice, &limits),
            Reducer::Assign => return false,
        };
        combined.is_ok_and(|c| c == inits)
    }

    /// A running reduction as a loop over the rows along its dimension.
    fn scanned(&self, e: &mut dyn Emit, operands: &[Term], c: Cumulative) -> Option<SmallVec<[Term; 2]>> {
        let n = self.inputs;
        let (inputs, inits) = (&operands[..n], &operands[n..2 * n]);
        let shape = e.ty(inputs[0]).shape;
        let mut row = shape.clone();
        row.remove(c.dim);
        let types: Vec<Type> = inputs.iter().map(|&x| Type::Tensor(e.ty(x).with_shape(&row))).collect();
        let params = [&types[..], &types[..]].concat();
        let body = Sketch::build(e.module(), &params, |s, x| {
            let combine = Combine::new(self.reducer, &[]);
            let (acc, x) = x.split_at(n);
            // From the last element on, each new one stands before what there is.
            let y = if c.reverse { combine.apply(s, x, acc)? } else { combine.apply(s, acc, x)? };
            Some([&y[..], &y[..]].concat())
        })?;
        let body = sketch::intern(e.module(), body);
        // Dimension c.dim first, and back.
        let mut perm: Dims = (0..shape.len()).filter(|&d| d != c.dim).collect();
        perm.insert(0, c.dim);
        let mut args: Vec<Term> = inits.iter().map(|&i| e.broadcast_scalar(i, &row)).collect();
        args.extend(inputs.iter().map(|&x| e.transpose(x, &perm)));
        let scan = Scan { body, consts: 0, carry: n, reverse: c.reverse, length: shape[c.dim] };
        let out = e.emit(scan.into(), &args);
        let back = super::shape::inverse(&perm);
        Some(out[n..].iter().map(|&y| e.transpose(y, &back)).collect())
    }

    fn sum_transpose(&self, e: &mut dyn Emit, ct: Term, ty: &TensorType) -> Term {
        let n = ty.rank();
        let zero = e.splat(TensorType::scalar(ty.dtype), 0.0);
        if let Some(c) = self.cumulative(&ty.shape) {
            // A running sum from the other end.
            let back = ReduceWindow::running(self.reducer, &ty.shape, c.dim, !c.reverse);
            return e.one(back, &[ct, zero]);
        }
        let padding: Vec<(i64, i64)> =
            (0..n).map(|d| self.slide(d, &ty.shape).transposed_padding()).collect();
        let back = ReduceWindow {
            window_dimensions: self.window_dimensions.clone(),
            window_strides: self.base_dilations.clone(),
            base_dilations: self.window_strides.clone(),
            window_dilations: self.window_dilations.clone(),
            padding_low: padding.iter().map(|p| p.0).collect(),
            padding_high: padding.iter().map(|p| p.1).collect(),
            inputs: 1,
            reducer: self.reducer,
        };
        e.one(back, &[ct, zero])
    }
}
