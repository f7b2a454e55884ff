//! Reductions.
//!
//! Floats add and multiply in the order that [`crate::kernel`] defines; [`ordered_reduce`] is that order
//! as code. A reduction with a body of its own is differentiated as the scan that [`as_scan`] makes of it.

use super::elementwise::number::Number;
use super::elementwise::{build, dispatch, elements, no_tangents};
use crate::array::{Array, Literal};
use crate::ensure;
use crate::entity::EntityVec;
use crate::func::{Func, FuncId, FuncKind, Loc, Module, Value};
use crate::kernel::{BLOCK, LANES};
use crate::op::{
    BinaryOp, BroadcastInDim, Concatenate, Constant, Direction, Op, Reduce, Reducer, Reshape, Scan, Slice,
    Transpose as TransposeOp,
};
use crate::rules::{
    Emit, EvalError, Evaluate, Jvp, OpDef, Operand, Tangents, Term, Transpose, TypeError, Types,
};
use crate::types::{Dims, TensorType, Type};
use smallvec::smallvec;

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

/// The monoid that a reducer's body is, if it is one: `(a, b) -> op(a, b)` or `op(b, a)`.
pub fn recognise(module: &Module, body: FuncId) -> Option<BinaryOp> {
    let body = module.get(body);
    let (&[a, b], &[out], 1) = (&body.params[..], &body.results[..], body.insts.len()) else { return None };
    let inst = body.insts.values().next()?;
    let Op::Binary(op) = inst.op else { return None };
    let same = inst.operands[..] == [a, b] || inst.operands[..] == [b, a];
    (is_monoid(op) && same && inst.results[0] == out).then_some(op)
}

/// Whether it is associative and commutative with an identity, as [`Reducer::Op`] asks.
pub fn is_monoid(op: BinaryOp) -> bool {
    use BinaryOp::*;
    match op {
        Add | Multiply | Maximum | Minimum | And | Or | Xor => true,
        Subtract | Divide | Remainder | Power | Atan2 | ShiftLeft | ShiftRightArithmetic
        | ShiftRightLogical | NextAfter => false,
    }
}

impl Reduce {
    /// The dimensions that stay.
    fn kept(&self, rank: usize) -> Dims {
        (0..rank).filter(|d| !self.dims.contains(d)).collect()
    }

    /// For each result element and each reduced element, the position in the operand: `base[r] + offset[k]`.
    fn positions(&self, shape: &[usize]) -> (Vec<usize>, Vec<usize>) {
        let mut strides: Dims = smallvec![1; shape.len()];
        for d in (1..shape.len()).rev() {
            strides[d - 1] = strides[d] * shape[d];
        }
        let walk = |dims: &[usize]| {
            dims.iter().fold(vec![0], |positions: Vec<usize>, &d| {
                positions
                    .iter()
                    .flat_map(|&p| (0..shape[d]).map(move |i| (p, i)))
                    .map(|(p, i)| p + i * strides[d])
                    .collect()
            })
        };
        (walk(&self.kept(shape.len())), walk(&self.dims))
    }

    fn eval_op(&self, op: BinaryOp, x: &Array, init: &Array, shape: &[usize]) -> Result<Array, EvalError> {
        fn go<T: Number>(reduce: &Reduce, op: BinaryOp, x: &Array, init: &Array, shape: &[usize]) -> Array {
            let (v, init_value) = (elements::<T>(x), elements::<T>(init)[0]);
            let (base, offset) = reduce.positions(x.shape());
            let combine = |a, b| T::binary(op, a, b);
            let identity = match op {
                BinaryOp::Add if x.dtype().is_float() => Some(-0.0),
                BinaryOp::Multiply if x.dtype().is_float() => Some(1.0),
                _ => None,
            };
            build(x.dtype(), shape, |r| {
                let at = |k: usize| v[base[r] + offset[k]];
                match identity {
                    Some(identity) => {
                        let identity = T::narrow(super::elementwise::number::Wide::Float(identity));
                        ordered_reduce(offset.len(), at, identity, init_value, combine)
                    }
                    // In any order the result is the same.
                    None => (0..offset.len()).fold(init_value, |acc, k| combine(acc, at(k))),
                }
            })
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
        let element = |x: &Array, at: usize| {
            let size = x.dtype().size();
            Array::from_bytes(TensorType::scalar(x.dtype()), &x.bytes()[at * size..][..size])
        };
        for (r, &base) in base.iter().enumerate() {
            let mut acc: Vec<Array> = inits.to_vec();
            for &offset in &offset {
                cx.tick(1)?;
                let rhs = inputs.iter().map(|x| element(x, base + offset));
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
        ensure!(operands.len() >= 2 * n, "C3", "{n} inputs want {n} initial values");
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
}

/// A scalar spread over the shape of a term.
fn broadcast_like(e: &mut (dyn Emit + '_), scalar: Term, like: Term) -> Term {
    let shape = e.ty(like).shape;
    e.broadcast_scalar(scalar, &shape)
}

impl Reduce {
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

/// A function that computes the same as a reduction with a body of its own, from the same operands, as a
/// scan over the reduced elements. Differentiation goes through it.
///
/// `None` if the body computes on more than scalars, or if a reduced dimension is dynamic.
pub fn as_scan(module: &mut Module, reduce: &Reduce, operands: &[Type]) -> Option<FuncId> {
    let Reducer::Func(reducer) = reduce.reducer else { return None };
    let n = reduce.inputs;
    let first = operands.first()?.as_tensor()?.clone();
    if !first.is_static() {
        return None;
    }
    let kept = reduce.kept(first.rank());
    let kept_shape: Dims = kept.iter().map(|&d| first.shape[d]).collect();
    let length: usize = reduce.dims.iter().map(|&d| first.shape[d]).product();
    let perm: Dims = reduce.dims.iter().chain(&kept).copied().collect();

    // One trip: captures, what is accumulated, one row of each input.
    let mut body = Func::new("", FuncKind::Region);
    let accumulated = |k: usize| operands[k].tensor().with_shape(&kept_shape);
    let mut args: Vec<Value> = operands[2 * n..].iter().map(|ty| body.param(ty.clone())).collect();
    for _ in 0..2 {
        args.extend((0..n).map(|k| body.param(accumulated(k))));
    }
    let reducer = module.get(reducer);
    body.results = if kept_shape.is_empty() {
        body.inline(&reducer, &args)
    } else {
        lift(module, &mut body, &reducer, &args, &kept_shape)?
    };
    let body = module.add(body);

    let mut func = Func::new(module.fresh_name("reduce"), FuncKind::Private);
    let params: Vec<Value> = operands.iter().map(|ty| func.param(ty.clone())).collect();
    let mut push = |op: Op, operands: &[Value]| func.push(module, op, operands, Loc::Unknown).ok();
    let mut scanned: Vec<Value> = params[2 * n..].to_vec();
    for &init in &params[n..2 * n] {
        let spread = BroadcastInDim { shape: kept_shape.clone(), dims: Dims::new() };
        scanned.push(push(spread.into(), &[init])?[0]);
    }
    let mut rows: Dims = smallvec![length];
    rows.extend_from_slice(&kept_shape);
    for &x in &params[..n] {
        let x = push(TransposeOp { perm: perm.clone() }.into(), &[x])?[0];
        scanned.push(push(Reshape { shape: rows.clone() }.into(), &[x])?[0]);
    }
    let consts = params.len() - 2 * n;
    let scan = Scan { body, consts, carry: n, reverse: false, length };
    func.results = push(scan.into(), &scanned)?.to_vec();
    Some(module.add(func))
}

/// Appends `callee`, a function of scalars, to `func` with every scalar that depends on an argument of
/// `shape` replaced by a tensor of `shape`.
fn lift(
    module: &Module,
    func: &mut Func,
    callee: &Func,
    args: &[Value],
    shape: &[usize],
) -> Option<Vec<Value>> {
    let mut map: EntityVec<Value, Option<Value>> = EntityVec::filled(None, callee.values.len());
    for (&param, &arg) in callee.params.iter().zip(args) {
        map[param] = Some(arg);
    }
    let spread = |func: &mut Func, v: Value| {
        if func.tensor(v).shape[..] == *shape {
            return Some(v);
        }
        let op = match func.constant(v) {
            Some(c) => match c.as_splat() {
                Some(bytes) => {
                    Constant { value: Literal::splat_bytes(c.ty().with_shape(shape), bytes) }.into()
                }
                None => return None,
            },
            None => BroadcastInDim { shape: shape.into(), dims: Dims::new() }.into(),
        };
        let operands: &[Value] = if matches!(op, Op::Constant(_)) { &[] } else { &[v] };
        Some(func.push(module, op, operands, Loc::Unknown).ok()?[0])
    };
    for (_, inst) in callee.insts.iter() {
        let mut operands: Vec<Value> = inst.operands.iter().map(|&v| map[v]).collect::<Option<_>>()?;
        let lifted = operands.iter().any(|&v| func.tensor(v).rank() > 0);
        let scalars = inst.operands.iter().chain(&inst.results).all(|&v| callee.tensor(v).rank() == 0);
        let results: Vec<Value> = if !lifted {
            func.push(module, inst.op.clone(), &operands, inst.loc.clone()).ok()?.to_vec()
        } else if let Op::Call(call) = &inst.op {
            lift(module, func, &module.get(call.callee), &operands, shape)?
        } else if scalars && is_elementwise(&inst.op) {
            for v in &mut operands {
                *v = spread(func, *v)?;
            }
            let mut op = inst.op.clone();
            if let Op::BitcastConvert(op) = &mut op {
                op.ty = op.ty.with_shape(shape);
            }
            func.push(module, op, &operands, inst.loc.clone()).ok()?.to_vec()
        } else if let (true, Op::Reshape(_) | Op::Transpose(_) | Op::BroadcastInDim(_)) = (scalars, &inst.op)
        {
            operands // a scalar stays what it is
        } else {
            return None;
        };
        for (&old, new) in inst.results.iter().zip(results) {
            map[old] = Some(new);
        }
    }
    callee.results.iter().map(|&r| map[r].and_then(|v| spread(func, v))).collect()
}

/// Whether it works element by element on operands of one shape.
fn is_elementwise(op: &Op) -> bool {
    match op {
        Op::Unary(_)
        | Op::Binary(_)
        | Op::Compare(_)
        | Op::Select(_)
        | Op::Clamp(_)
        | Op::Fma(_)
        | Op::Convert(_)
        | Op::BitcastConvert(_)
        | Op::ReducePrecision(_) => true,
        Op::Constant(_)
        | Op::Zero(_)
        | Op::Iota(_)
        | Op::BroadcastInDim(_)
        | Op::Reshape(_)
        | Op::Transpose(_)
        | Op::Reverse(_)
        | Op::Slice(_)
        | Op::Concatenate(_)
        | Op::Pad(_)
        | Op::DynamicSlice(_)
        | Op::DynamicUpdateSlice(_)
        | Op::Gather(_)
        | Op::Scatter(_)
        | Op::DotGeneral(_)
        | Op::Reduce(_)
        | Op::Call(_)
        | Op::Case(_)
        | Op::While(_)
        | Op::Scan(_)
        | Op::StopGradient(_)
        | Op::OptimizationBarrier(_) => false,
    }
}

#[cfg(test)]
#[path = "reduce_tests.rs"]
mod tests;
