//! Reductions.
//!
//! Floats add and multiply in the order that [`crate::kernel`] defines; [`ordered_reduce`] is that order
//! as code. A reduction with a body of its own is differentiated as the scan that [`as_scan`] makes of it.

mod body;

pub(crate) use body::apply;
pub use body::{as_scan, recognise};

use super::dot::accumulator;
use super::elementwise::number::{Number, Wide};
use super::elementwise::{build, convert, dispatch, elements, no_tangents};
use crate::array::{Array, Literal};
use crate::ensure;
use crate::func::{FuncId, Module};
use crate::kernel::{BLOCK, LANES};
use crate::minifloat;
use crate::op::{BinaryOp, Concatenate, Direction, Reduce, Reducer, Slice};
use crate::ops::batching;
use crate::rules::{Batched, Mapped};
use crate::rules::{
    Emit, EvalError, Evaluate, Jvp, OpDef, Operand, Tangents, Term, Transpose, TypeError, Types,
};
use crate::types::{DType, DTypeClass, Dims, TensorType, Type};
use crate::work::Sizes;
use smallvec::{SmallVec, smallvec};

/// `init` combined with elements `0..n` in the order of the [`crate::kernel`] module's documentation.
/// `identity` is -0.0 for a sum, 1 for a product.
pub fn ordered_reduce<T: Copy>(
    n: usize,
    at: impl Fn(usize) -> T,
    identity: T,
    init: T,
    combine: impl Fn(T, T) -> T,
) -> T {
    let halve = |parts: &mut Vec<T>| {
        while parts.len() > 1 {
            let half = parts.len() / 2;
            for k in 0..half {
                parts[k] = combine(parts[k], parts[k + half]);
            }
            parts.truncate(half);
        }
        parts[0]
    };
    let mut blocks: Vec<T> = (0..n)
        .step_by(BLOCK)
        .map(|start| {
            let mut lanes = vec![identity; LANES];
            for i in start..n.min(start + BLOCK) {
                let lane = (i - start) % LANES;
                lanes[lane] = combine(lanes[lane], at(i));
            }
            halve(&mut lanes)
        })
        .collect();
    blocks.resize(blocks.len().next_power_of_two(), identity);
    combine(init, halve(&mut blocks))
}

/// Whether it is associative and commutative with an identity, as [`Reducer::Op`] asks.
pub fn is_monoid(op: BinaryOp) -> bool {
    use BinaryOp::*;
    match op {
        Add | Multiply | Maximum | Minimum | And | Or | Xor => true,
        Subtract | Divide | Remainder | Power | Atan2 | ShiftLeft | ShiftRightArithmetic
        | ShiftRightLogical | Complex | NextAfter | Mulhi | Zeta | Polygamma => false,
    }
}

/// One element of an array, as a scalar.
pub(crate) fn element(x: &Array, at: usize) -> Array {
    let size = x.dtype().size();
    Array::from_bytes(TensorType::scalar(x.dtype()), &x.bytes()[at * size..][..size])
}

/// The positions of the elements along some of the dimensions of an array, in row-major order.
struct Walk {
    len: usize,
    /// Those of the first elements of runs, which lie `stride` apart.
    runs: Vec<usize>,
    run: usize,
    stride: usize,
}

impl Walk {
    fn of(dims: &[usize], shape: &[usize]) -> Self {
        let len = dims.iter().map(|&d| shape[d]).product();
        if len == 0 {
            // The others may be as large as they like.
            return Walk { len, runs: Vec::new(), run: 1, stride: 0 };
        }
        let stride_of = |d: usize| shape[d + 1..].iter().product::<usize>();
        // Dimensions that lie together are walked as one, so that there is no table as long as an array.
        let mut loops: SmallVec<[(usize, usize); 8]> = SmallVec::new();
        for (n, stride) in dims.iter().map(|&d| (shape[d], stride_of(d))).filter(|l| l.0 > 1) {
            match loops.last_mut() {
                Some(outer) if outer.1 == n * stride => *outer = (outer.0 * n, stride),
                _ => loops.push((n, stride)),
            }
        }
        let (run, stride) = loops.pop().unwrap_or((1, 0));
        let mut runs = vec![0];
        for (n, stride) in loops {
            runs = runs.iter().flat_map(|&p| (0..n).map(move |i| p + i * stride)).collect();
        }
        Walk { len, runs, run, stride }
    }

    fn at(&self, k: usize) -> usize {
        match self.runs[..] {
            [first] => first + k * self.stride,
            _ => self.runs[k / self.run] + k % self.run * self.stride,
        }
    }
}

impl Reduce {
    /// The dimensions that stay.
    fn kept(&self, rank: usize) -> Dims {
        (0..rank).filter(|d| !self.dims.contains(d)).collect()
    }

    /// Where the elements of the operand lie: result `r` is made of those at `base.at(r) + offset.at(k)`.
    fn positions(&self, shape: &[usize]) -> (Walk, Walk) {
        (Walk::of(&self.kept(shape.len()), shape), Walk::of(&self.dims, shape))
    }

    fn eval_op(&self, op: BinaryOp, x: &Array, init: &Array, shape: &[usize]) -> Result<Array, EvalError> {
        fn go<T: Number>(reduce: &Reduce, op: BinaryOp, x: &Array, init: &Array, shape: &[usize]) -> Array {
            let (v, init_value) = (elements::<T>(x), elements::<T>(init)[0]);
            let (base, offset) = reduce.positions(x.shape());
            let combine = |a, b| T::binary(op, a, b);
            let rounds = x.dtype().is_inexact();
            let identity = match op {
                BinaryOp::Add if rounds => Some(Wide::Complex(-0.0, -0.0)),
                BinaryOp::Multiply if rounds => Some(Wide::Float(1.0)),
                _ => None,
            };
            build(x.dtype(), shape, |r| {
                let first = base.at(r);
                let at = |k: usize| v[first + offset.at(k)];
                match identity {
                    Some(identity) => {
                        let identity = T::narrow(identity);
                        ordered_reduce(offset.len, at, identity, init_value, combine)
                    }
                    // In any order the result is the same.
                    None => (0..offset.len).fold(init_value, |acc, k| combine(acc, at(k))),
                }
            })
        }
        // Sums and products of floats narrower than binary32 are computed in that and rounded once.
        let wide = accumulator(x.dtype());
        if wide != x.dtype() && matches!(op, BinaryOp::Add | BinaryOp::Multiply) {
            let out = self.eval_op(op, &convert(x, wide)?, &convert(init, wide)?, shape)?;
            return convert(&out, x.dtype());
        }
        dispatch!(x.dtype(), "stablehlo.reduce", go(self, op, x, init, shape))
    }

    /// In row-major order, one element after the other.
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
        let (base, offset) = self.positions(inputs[0].shape());
        let mut out: Vec<Array> = inputs.iter().map(|x| Array::zeros(x.ty().with_shape(shape))).collect();
        for r in 0..base.len {
            let mut acc: Vec<Array> = inits.to_vec();
            for k in 0..offset.len {
                cx.tick(1)?;
                let rhs = inputs.iter().map(|x| element(x, base.at(r) + offset.at(k)));
                let args: Vec<Array> = captures.iter().cloned().chain(acc).chain(rhs).collect();
                acc = cx.call(body, &args)?;
            }
            for (out, acc) in out.iter_mut().zip(&acc) {
                let size = acc.bytes().len();
                out.bytes_mut()[r * size..][..size].copy_from_slice(acc.bytes());
            }
        }
        Ok(out)
    }

    /// All but the reduced dimensions of an operand's type.
    fn result_type(&self, ty: &TensorType) -> TensorType {
        let shape: Dims = self.kept(ty.rank()).iter().map(|&d| ty.shape[d]).collect();
        ty.with_shape(&shape)
    }
}

impl OpDef for Reduce {
    fn infer(&self, module: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let n = self.inputs;
        ensure!(n > 0, "C3", "there must be an input");
        ensure!(operands.len() / 2 >= n, "C3", "{n} inputs want {n} initial values");
        let mut types = Vec::with_capacity(2 * n);
        for operand in &operands[..2 * n] {
            let Some(ty) = operand.as_tensor() else {
                return Err(TypeError::new("I1", "inputs and initial values must be tensors"));
            };
            types.push(ty);
        }
        let (inputs, inits) = types.split_at(n);
        ensure!(inputs.iter().all(|x| x.shape == inputs[0].shape), "C1", "inputs must have one shape");
        for (x, init) in inputs.iter().zip(inits) {
            ensure!(init.rank() == 0, "I2", "initial values must be scalars");
            ensure!(x.dtype == init.dtype, "C2", "an initial value must have its input's element type");
        }
        let rank = inputs[0].rank();
        ensure!(self.dims.iter().all(|&d| d < rank), "C4", "dimensions must be less than the rank {rank}");
        ensure!(self.dims.windows(2).all(|w| w[0] < w[1]), "C5", "dimensions must be unique and ascending");
        match self.reducer {
            Reducer::Op(op) => {
                ensure!(n == 1 && operands.len() == 2, "C3", "{} reduces one input", op.name());
                ensure!(is_monoid(op), "C6", "{} is not a monoid", op.name());
                let scalar = Type::Tensor(inits[0].clone());
                op.infer(module, &[scalar.clone(), scalar])?;
            }
            Reducer::Assign => return Err(TypeError::new("C6", "a reduction must combine")),
            Reducer::Func(body) => {
                let Some(body) = module.funcs.get(body) else {
                    return Err(TypeError::new("C6", "the body is no function of the module"));
                };
                let scalars = inits.iter().map(|t| Type::Tensor(TensorType::clone(t)));
                let params: Vec<Type> =
                    operands[2 * n..].iter().cloned().chain(scalars.clone()).chain(scalars.clone()).collect();
                ensure!(
                    body.param_types() == params && body.result_types() == scalars.collect::<Vec<_>>(),
                    "C6",
                    "the body must take the captures and two scalars per input, and give one scalar per input"
                );
            }
        }
        Ok(inputs.iter().map(|x| Type::Tensor(self.result_type(x))).collect())
    }

    fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let shape = self.result_type(operands[0].ty()).shape;
        match self.reducer {
            Reducer::Op(op) => Ok(vec![self.eval_op(op, &operands[0], &operands[1], &shape)?]),
            Reducer::Func(body) => self.eval_func(cx, body, operands, &shape),
            Reducer::Assign => unreachable!("infer has refused it"),
        }
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        x.operand(0).saturating_mul(self.inputs as u64)
    }

    fn jvp(&self, e: &mut dyn Emit, j: Jvp<'_>) -> Tangents {
        let op = match self.reducer {
            Reducer::Op(op) => op,
            Reducer::Func(_) if j.tangents[..2 * self.inputs].iter().all(Option::is_none) => {
                return no_tangents(self.inputs);
            }
            Reducer::Func(_) | Reducer::Assign => {
                panic!("a reduction with a body of its own must become a scan before it is differentiated")
            }
        };
        smallvec![match op {
            BinaryOp::Add => {
                let sum = j.tangents[0].map(|t| e.reduce_sum(t, &self.dims));
                let init = j.tangents[1].map(|t| broadcast_like(e, t, j.results[0]));
                e.add_opt(sum, init)
            }
            BinaryOp::Maximum | BinaryOp::Minimum => self.chooser_jvp(e, j),
            BinaryOp::Multiply => self.product_jvp(e, j),
            _ => None, // And, Or, Xor: no floats
        }]
    }

    fn transpose(&self, e: &mut dyn Emit, x: Transpose<'_>) -> Tangents {
        assert_eq!(self.reducer, Reducer::Op(BinaryOp::Add), "only a sum is linear");
        let Some(c) = x.cotangents[0] else { return no_tangents(2) };
        let mut out = no_tangents(2);
        if let Operand::Linear(ty) = &x.operands[0] {
            out[0] = Some(e.broadcast_in_dim(c, &ty.shape, &self.kept(ty.rank())));
        }
        if let Operand::Linear(_) = &x.operands[1] {
            let all: Dims = (0..e.ty(c).rank()).collect();
            out[1] = Some(e.reduce_sum(c, &all));
        }
        out
    }

    /// A known initial value must be zero, as it is in the sums that derivative rules make.
    fn is_linear(&self, linear: &[bool]) -> bool {
        self.reducer == Reducer::Op(BinaryOp::Add) && self.inputs == 1 && linear.first() == Some(&true)
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        let (xs, rest) = operands.split_at(self.inputs);
        if batching::any_mapped(rest) {
            return self.batch_of_starts(e, size, operands);
        }
        let to = xs.iter().find_map(|x| x.1)?;
        let mut terms: SmallVec<[Term; 4]> = xs.iter().map(|&x| batching::at(e, size, x, to)).collect();
        terms.extend(rest.iter().map(|x| x.0));
        let dims = batching::beside(&self.dims, to);
        let kept = to - dims.iter().filter(|&&d| d < to).count();
        let results = e.emit(Reduce { dims, ..self.clone() }.into(), &terms);
        Some(results.into_iter().map(|r| (r, Some(kept))).collect())
    }
}

impl BinaryOp {
    /// The value beside which an operation gives the other operand, bit for bit, where there is one of the type: what a reduction by
    /// it may begin with. Of sums of floats it is -0.
    pub fn identity(self, dtype: DType) -> Option<Literal> {
        use BinaryOp::*;
        let ty = TensorType::scalar(dtype);
        let number = |value: f64| Literal::splat(ty.clone(), value);
        // There are no sums of powers of two: none of them is zero.
        let held = |value: f64| Some(number(value)).filter(|n| n.splat_value() == Some(value));
        // Some formats of 8 bits and fewer have no infinity: there it is their last finite number.
        let infinite = |value: f64| {
            let infinity = number(value);
            if infinity.splat_value() == Some(value) {
                return Some(infinity);
            }
            let codes = 0..=u8::MAX >> (8 - dtype.bits().min(8));
            let finite = codes.map(|code| minifloat::decode(dtype, code)).filter(|x| x.is_finite());
            finite.reduce(if value > 0.0 { f64::max } else { f64::min }).map(number)
        };
        // All bits, or all but the sign.
        let ones = |signed: bool| {
            if dtype.bits() < 8 {
                return Some(number(2f64.powi((dtype.bits() - signed as usize) as i32) - 1.0));
            }
            let mut bytes = vec![0xff; dtype.size()];
            *bytes.last_mut()? = if signed { 0x7f } else { 0xff };
            Some(Literal::splat_bytes(ty.clone(), &bytes))
        };
        match (self, dtype.class()) {
            // Not 0, which would turn -0 into it.
            (Add, DTypeClass::Float) => held(-0.0),
            (Add, DTypeClass::Complex) => {
                let part = Literal::splat(TensorType::scalar(dtype.part()), -0.0);
                Some(Literal::splat_bytes(ty, &part.stored_bytes().repeat(2)))
            }
            // (a + bi)(1 + 0i) is not a + bi where one of them is infinite, or a zero with a sign.
            (Multiply, DTypeClass::Complex) => None,
            (Multiply, _) | (And | Minimum, DTypeClass::Bool) => Some(number(1.0)),
            (Add | Or | Xor, _) | (Maximum, DTypeClass::Bool | DTypeClass::Unsigned) => Some(number(0.0)),
            (And, DTypeClass::Signed) => Some(number(-1.0)),
            (And | Minimum, DTypeClass::Unsigned) => ones(false),
            (Minimum, DTypeClass::Signed) => ones(true),
            (Maximum, DTypeClass::Signed) => {
                let least = -(2f64.powi(dtype.bits() as i32 - 1));
                Some(number(least))
            }
            (Maximum, DTypeClass::Float) => infinite(f64::NEG_INFINITY),
            (Minimum, DTypeClass::Float) => infinite(f64::INFINITY),
            (And, DTypeClass::Float | DTypeClass::Complex) | (Maximum | Minimum, DTypeClass::Complex) => None,
            // No monoids.
            (Subtract | Divide | Remainder | Power | Atan2 | ShiftLeft | ShiftRightArithmetic, _) => None,
            (ShiftRightLogical | Complex | NextAfter | Mulhi | Zeta | Polygamma, _) => None,
        }
    }
}

/// A scalar spread over the shape of a term.
fn broadcast_like(e: &mut (dyn Emit + '_), scalar: Term, like: Term) -> Term {
    let shape = e.ty(like).shape;
    e.broadcast_scalar(scalar, &shape)
}

impl Reduce {
    /// A batch whose examples have initial values of their own: those are combined with what is reduced without one.
    fn batch_of_starts(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        let (&[x, start], Reducer::Op(op)) = (operands, self.reducer) else { return None };
        let dtype = e.ty(start.0).dtype;
        // Sums of narrow floats are rounded once, after the last addition, the start among them; what is the largest among them
        // is so among wider ones, which all have infinities.
        let wide = accumulator(dtype);
        let neutral = e.literal(op.identity(wide)?);
        let widened = |e: &mut dyn Emit, x: Mapped| (e.convert(x.0, wide), x.1);
        let (x, start) = (widened(e, x), widened(e, start));
        let (reduced, kept) = if x.1.is_some() {
            self.batch(e, size, &[x, (neutral, None)])?[0]
        } else {
            (e.emit(self.clone().into(), &[x.0, neutral])[0], None)
        };
        let reduced = batching::at(e, size, (reduced, kept), 0);
        let start = batching::at(e, size, start, 0);
        let shape = e.ty(reduced).shape;
        let start = e.broadcast_in_dim(start, &shape, &[0]);
        let all = e.binary(op, start, reduced);
        Some(vec![(e.convert(all, dtype), Some(0))])
    }

    /// The tangent of a maximum or minimum: the mean of the tangents of the elements that attain it. An
    /// initial value counts among them only if it has a tangent.
    fn chooser_jvp(&self, e: &mut (dyn Emit + '_), j: Jvp<'_>) -> Option<Term> {
        let (x, init, y) = (j.operands[0], j.operands[1], j.results[0]);
        let ty = e.ty(x);
        let dtype = ty.dtype;
        let spread = e.broadcast_in_dim(y, &ty.shape, &self.kept(ty.rank()));
        let attains = e.compare(Direction::Eq, x, spread);
        let mask = e.convert(attains, dtype);
        let count = e.reduce_sum(mask, &self.dims);
        let init = broadcast_like(e, init, y);
        let init_attains = e.compare(Direction::Eq, init, y);
        let one = e.splat_like(y, 1.0);
        let sum = j.tangents[0].map(|t| {
            let chosen = e.mul(t, mask);
            e.reduce_sum(chosen, &self.dims)
        });
        let (sum, count) = match j.tangents[1] {
            Some(t) => {
                let init_mask = e.convert(init_attains, dtype);
                let t = broadcast_like(e, t, y);
                let chosen = e.mul(t, init_mask);
                (e.add_opt(sum, Some(chosen)), e.add(count, init_mask))
            }
            // Where no element attains it the initial value does, so the tangent is 0 and not 0/0; a NaN
            // result still gives NaN.
            None => {
                let at_least_one = e.binary(BinaryOp::Maximum, count, one);
                (sum, e.select(init_attains, at_least_one, count))
            }
        };
        sum.map(|sum| e.div(sum, count))
    }

    /// The tangent of a product, through a tree of products: right where factors are zero.
    fn product_jvp(&self, e: &mut (dyn Emit + '_), j: Jvp<'_>) -> Option<Term> {
        let ty = e.ty(j.operands[0]);
        let kept = self.kept(ty.rank());
        let kept_shape: Dims = kept.iter().map(|&d| ty.shape[d]).collect();
        let n: usize = self.dims.iter().map(|&d| ty.shape[d]).product();
        let perm: Dims = self.dims.iter().chain(&kept).copied().collect();
        let mut shape: Dims = smallvec![n];
        shape.extend_from_slice(&kept_shape);
        let mut flat = |x: Term| {
            let x = e.transpose(x, &perm);
            e.reshape(x, &shape)
        };
        let mut factors = flat(j.operands[0]);
        let mut tangents = j.tangents[0].map(&mut flat);
        let init = broadcast_like(e, j.operands[1], j.results[0]);
        let init_tangent = j.tangents[1].map(|t| broadcast_like(e, t, j.results[0]));
        if n == 0 {
            return init_tangent;
        }
        let mut length = n;
        while length > 1 {
            let half = length / 2;
            let (a, b) = (rows(e, factors, 0, half), rows(e, factors, half, 2 * half));
            let odd = (length % 2 == 1).then(|| rows(e, factors, 2 * half, length));
            tangents = tangents.map(|t| {
                let (ta, tb) = (rows(e, t, 0, half), rows(e, t, half, 2 * half));
                let (ta, tb) = (e.mul(ta, b), e.mul(tb, a));
                let sum = e.add(ta, tb);
                if odd.is_none() {
                    return sum;
                }
                let last = rows(e, t, 2 * half, length);
                e.one(Concatenate { dim: 0 }, &[sum, last])
            });
            factors = e.mul(a, b);
            if let Some(odd) = odd {
                factors = e.one(Concatenate { dim: 0 }, &[factors, odd]);
            }
            length = length.div_ceil(2);
        }
        let product = e.reshape(factors, &kept_shape);
        let t = tangents.map(|t| {
            let t = e.reshape(t, &kept_shape);
            e.mul(t, init)
        });
        let init_tangent = init_tangent.map(|t| e.mul(t, product));
        e.add_opt(t, init_tangent)
    }
}

/// Rows `start..limit` along the leading dimension.
fn rows(e: &mut (dyn Emit + '_), x: Term, start: usize, limit: usize) -> Term {
    let ty = e.ty(x);
    let mut starts: Dims = smallvec![0; ty.rank()];
    let mut limits = ty.shape.clone();
    starts[0] = start;
    limits[0] = limit;
    let strides: Dims = smallvec![1; ty.rank()];
    e.one(Slice { start: starts, limit: limits, strides }, &[x])
}
