//! Operations that move elements to places known at compile time.
//!
//! All are linear in their operands (`pad` in both), so the tangent of a result is the operation on the
//! tangents. Evaluation works on bytes and so for every element type. Dynamic sizes pass `infer` where
//! a constraint does not need the number.

use super::strided::{Steps, Walk, copy, row_major};
use crate::array::Array;
use crate::ensure;
use crate::func::Module;
use crate::op::*;
use crate::ops::batching;
use crate::rules::{Batched, Mapped};
use crate::rules::{
    Emit, EvalError, Evaluate, Jvp, OpDef, Operand, TOO_LARGE, Tangents, Term, Transpose as Cotangents,
    TypeError, Types,
};
use crate::types::{DType, DYNAMIC, Dims, MAX_BYTES, TensorType, Type};
use smallvec::{SmallVec, smallvec};

/// The operands as tensor types, `count` of them.
pub(super) fn tensors(operands: &[Type], count: usize) -> Result<SmallVec<[&TensorType; 4]>, TypeError> {
    ensure!(operands.len() == count, "I0", "takes {count} operands, got {}", operands.len());
    all_tensors(operands)
}

/// The operands as tensor types.
pub(super) fn all_tensors(operands: &[Type]) -> Result<SmallVec<[&TensorType; 4]>, TypeError> {
    operands
        .iter()
        .enumerate()
        .map(|(k, t)| t.as_tensor().ok_or_else(|| TypeError::new("I1", format!("operand {k} is a token"))))
        .collect()
}

/// Whether no number occurs twice.
pub(super) fn unique(dims: &[usize]) -> bool {
    dims.iter().enumerate().all(|(i, d)| !dims[..i].contains(d))
}

/// The dimensions below `rank` that are not in any of the lists, ascending.
pub(super) fn rest(rank: usize, lists: &[&[usize]]) -> Dims {
    (0..rank).filter(|d| !lists.iter().any(|l| l.contains(d))).collect()
}

/// The dimension that undoes a permutation.
pub(super) fn inverse(perm: &[usize]) -> Dims {
    let mut out = Dims::from_elem(0, perm.len());
    perm.iter().enumerate().for_each(|(i, &p)| out[p] = i);
    out
}

/// The linear operation on the one tangent or cotangent.
fn same(op: impl Into<Op>, e: &mut dyn Emit, x: Option<Term>) -> Tangents {
    smallvec![x.map(|x| e.one(op, &[x]))]
}

fn result(shape: &[usize], like: &TensorType) -> Types {
    smallvec![Type::Tensor(like.with_shape(shape))]
}

/// The type of linear operand `k`, or `None` if it is known and wants no cotangent.
pub(super) fn linear<'a>(x: &Cotangents<'a>, k: usize) -> Option<&'a TensorType> {
    match &x.operands[k] {
        Operand::Known(_) => None,
        Operand::Linear(ty) => Some(ty),
    }
}

impl OpDef for BroadcastInDim {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let x = tensors(operands, 1)?[0];
        let (n, rank) = (self.dims.len(), self.shape.len());
        ensure!(n == x.rank(), "C2", "{n} broadcast_dimensions for an operand of rank {}", x.rank());
        for &d in &self.dims {
            ensure!(d < rank, "C3", "broadcast dimension {d} is not below the result's rank {rank}");
        }
        ensure!(unique(&self.dims), "C4", "broadcast_dimensions {:?} repeat", self.dims);
        for (i, (&d, &size)) in self.dims.iter().zip(&x.shape).enumerate() {
            ensure!(
                size == 1 || size == self.shape[d] || size == DYNAMIC || self.shape[d] == DYNAMIC,
                "C5",
                "operand dimension {i} of size {size} cannot become result dimension {d} of size {}",
                self.shape[d]
            );
        }
        Ok(result(&self.shape, x))
    }

    fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let x = &operands[0];
        let ty = x.ty().with_shape(&self.shape);
        cx.reserve(&ty)?;
        let mut out = Array::zeros(ty);
        let mut from = Walk { start: 0, steps: Steps::from_elem(0, self.shape.len()) };
        for ((&d, &size), step) in self.dims.iter().zip(x.shape()).zip(row_major(x.shape())) {
            from.steps[d] = if size == 1 { 0 } else { step };
        }
        copy(x.dtype().size(), &self.shape, out.bytes_mut(), &Walk::all(&self.shape), x.bytes(), &from);
        Ok(vec![out])
    }

    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        same(self.clone(), e, x.tangents[0])
    }

    // Sum over the dimensions that are new or were stretched, then put the others in the operand's order.
    fn transpose(&self, e: &mut dyn Emit, x: Cotangents<'_>) -> Tangents {
        let (Some(ct), Some(ty)) = (x.cotangents[0], linear(&x, 0)) else { return smallvec![None] };
        let kept = |i: usize| ty.shape[i] == self.shape[self.dims[i]];
        let mut order: Dims = (0..ty.rank()).filter(|&i| kept(i)).collect();
        let kept_dims: Dims = order.iter().map(|&i| self.dims[i]).collect();
        let sum = e.reduce_sum(ct, &rest(self.shape.len(), &[&kept_dims]));
        // Dimensions of the sum ascend in the result; `order` holds the operand dimension of each.
        order.sort_by_key(|&i| self.dims[i]);
        let perm: Dims = (0..ty.rank()).filter_map(|i| order.iter().position(|&o| o == i)).collect();
        let moved = e.transpose(sum, &perm);
        smallvec![Some(e.reshape(moved, &ty.shape))]
    }

    fn is_linear(&self, linear: &[bool]) -> bool {
        linear[0]
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        let x = batching::at(e, size, operands[0], 0);
        let shape = batching::inserted(&self.shape, 0, size);
        batching::in_front([e.broadcast_in_dim(x, &shape, &batching::behind(&self.dims))])
    }
}

impl OpDef for Reshape {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let x = tensors(operands, 1)?[0];
        let to = x.with_shape(&self.shape);
        if x.is_static() && to.is_static() {
            let (a, b) = (x.checked_elements(), to.checked_elements());
            ensure!(a.is_some() && a == b, "C2", "{x} and {to} do not have the same number of elements");
        }
        Ok(result(&self.shape, x))
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        // A result with an open size says too little.
        if operands[0].ty().with_shape(&self.shape).checked_elements() != operands[0].ty().checked_elements()
        {
            let ty = operands[0].ty();
            return Err(EvalError::Unsupported(format!("reshape of {ty} to {:?}", self.shape)));
        }
        Ok(vec![operands[0].reshaped(&self.shape)])
    }

    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        same(self.clone(), e, x.tangents[0])
    }

    fn transpose(&self, e: &mut dyn Emit, x: Cotangents<'_>) -> Tangents {
        let (Some(ct), Some(ty)) = (x.cotangents[0], linear(&x, 0)) else { return smallvec![None] };
        smallvec![Some(e.reshape(ct, &ty.shape))]
    }

    fn is_linear(&self, linear: &[bool]) -> bool {
        linear[0]
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        let x = batching::at(e, size, operands[0], 0);
        let shape = batching::inserted(&self.shape, 0, size);
        batching::in_front([e.reshape(x, &shape)])
    }
}

impl OpDef for Transpose {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let x = tensors(operands, 1)?[0];
        let is_permutation =
            self.perm.len() == x.rank() && unique(&self.perm) && self.perm.iter().all(|&p| p < x.rank());
        ensure!(is_permutation, "C2", "{:?} is not a permutation of {} dimensions", self.perm, x.rank());
        let shape: Dims = self.perm.iter().map(|&p| x.shape[p]).collect();
        Ok(result(&shape, x))
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let x = &operands[0];
        let shape: Dims = self.perm.iter().map(|&p| x.shape()[p]).collect();
        let steps = row_major(x.shape());
        let from = Walk { start: 0, steps: self.perm.iter().map(|&p| steps[p]).collect() };
        let mut out = Array::zeros(x.ty().with_shape(&shape));
        copy(x.dtype().size(), &shape, out.bytes_mut(), &Walk::all(&shape), x.bytes(), &from);
        Ok(vec![out])
    }

    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        same(self.clone(), e, x.tangents[0])
    }

    fn transpose(&self, e: &mut dyn Emit, x: Cotangents<'_>) -> Tangents {
        same(Transpose { perm: inverse(&self.perm) }, e, x.cotangents[0])
    }

    fn is_linear(&self, linear: &[bool]) -> bool {
        linear[0]
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        let _ = size;
        let (x, from) = (operands[0].0, operands[0].1?);
        let mut perm = batching::beside(&self.perm, from);
        perm.insert(0, from);
        batching::in_front([e.transpose(x, &perm)])
    }
}

impl OpDef for Reverse {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let x = tensors(operands, 1)?[0];
        ensure!(unique(&self.dims), "C2", "dimensions {:?} repeat", self.dims);
        for &d in &self.dims {
            ensure!(d < x.rank(), "C3", "dimension {d} is not below the rank {}", x.rank());
        }
        Ok(result(&x.shape, x))
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let x = &operands[0];
        let mut out = Array::zeros(x.ty().clone());
        let mut from = Walk::all(x.shape());
        for &d in &self.dims {
            from.start += from.steps[d] * (x.shape()[d] as isize - 1);
            from.steps[d] = -from.steps[d];
        }
        copy(x.dtype().size(), x.shape(), out.bytes_mut(), &Walk::all(x.shape()), x.bytes(), &from);
        Ok(vec![out])
    }

    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        same(self.clone(), e, x.tangents[0])
    }

    fn transpose(&self, e: &mut dyn Emit, x: Cotangents<'_>) -> Tangents {
        same(self.clone(), e, x.cotangents[0])
    }

    fn is_linear(&self, linear: &[bool]) -> bool {
        linear[0]
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        let _ = size;
        let (x, at) = (operands[0].0, operands[0].1?);
        let dims = batching::beside(&self.dims, at);
        Some(vec![(e.one(Reverse { dims }, &[x]), Some(at))])
    }
}

impl OpDef for Slice {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let x = tensors(operands, 1)?[0];
        let n = x.rank();
        let fits = self.start.len() == n && self.limit.len() == n && self.strides.len() == n;
        ensure!(fits, "C2", "start, limit and strides need {n} entries, one per dimension");
        for d in 0..n {
            let (start, limit, size) = (self.start[d], self.limit[d], x.shape[d]);
            ensure!(
                start <= limit && limit <= size,
                "C3",
                "dimension {d}: {start} <= {limit} <= {size} does not hold"
            );
            ensure!(self.strides[d] > 0, "C4", "dimension {d}: stride 0");
        }
        Ok(result(&self.shape(), x))
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let x = &operands[0];
        let shape = self.shape();
        let mut out = Array::zeros(x.ty().with_shape(&shape));
        let mut from = Walk::at(x.shape(), &self.start);
        from.steps.iter_mut().zip(&self.strides).for_each(|(s, &k)| *s = s.saturating_mul(k as isize));
        copy(x.dtype().size(), &shape, out.bytes_mut(), &Walk::all(&shape), x.bytes(), &from);
        Ok(vec![out])
    }

    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        same(self.clone(), e, x.tangents[0])
    }

    // Back into zeros of the operand's shape: `start` before, gaps of `stride - 1` between, the rest after.
    fn transpose(&self, e: &mut dyn Emit, x: Cotangents<'_>) -> Tangents {
        let (Some(ct), Some(ty)) = (x.cotangents[0], linear(&x, 0)) else { return smallvec![None] };
        let shape = self.shape();
        let zero = e.zero(TensorType::scalar(ty.dtype));
        let spread = |d: usize| if shape[d] == 0 { 0 } else { (shape[d] - 1) * self.strides[d] + 1 };
        let pad = Pad {
            low: self.start.iter().map(|&s| s as i64).collect(),
            high: (0..ty.rank()).map(|d| (ty.shape[d] - self.start[d] - spread(d)) as i64).collect(),
            // Without two neighbours there are no gaps, and a stride may be as large as it likes.
            interior: (0..ty.rank())
                .map(|d| if shape[d] < 2 { 0 } else { self.strides[d] as i64 - 1 })
                .collect(),
        };
        smallvec![Some(e.one(pad, &[ct, zero]))]
    }

    fn is_linear(&self, linear: &[bool]) -> bool {
        linear[0]
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        let (x, at) = (operands[0].0, operands[0].1?);
        let start = batching::inserted(&self.start, at, 0);
        let limit = batching::inserted(&self.limit, at, size);
        let strides = batching::inserted(&self.strides, at, 1);
        Some(vec![(e.one(Slice { start, limit, strides }, &[x]), Some(at))])
    }
}

impl Slice {
    /// The result's shape.
    fn shape(&self) -> Dims {
        let sizes = self.start.iter().zip(&self.limit).zip(&self.strides);
        sizes.map(|((&a, &b), &s)| if b == DYNAMIC { DYNAMIC } else { (b - a).div_ceil(s) }).collect()
    }
}

impl OpDef for Concatenate {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let xs = all_tensors(operands)?;
        ensure!(!xs.is_empty(), "C3", "needs at least one operand");
        let dim = self.dim;
        ensure!(dim < xs[0].rank(), "C4", "dimension {dim} is not below the rank {}", xs[0].rank());
        for (k, x) in xs.iter().enumerate() {
            ensure!(x.dtype == xs[0].dtype, "C1", "operand {k} is {}, not {}", x.dtype, xs[0].dtype);
            let agrees = x.rank() == xs[0].rank()
                && (0..x.rank()).all(|d| {
                    d == dim
                        || x.shape[d] == xs[0].shape[d]
                        || [x.shape[d], xs[0].shape[d]].contains(&DYNAMIC)
                });
            ensure!(agrees, "C2", "operand {k} ({x}) differs from {} outside dimension {dim}", xs[0]);
        }
        let sizes = || xs.iter().map(|x| x.shape[dim]);
        let mut shape = xs[0].shape.clone();
        shape[dim] = match sizes().any(|n| n == DYNAMIC) {
            true => DYNAMIC,
            false => {
                sizes().try_fold(0usize, |sum, n| sum.checked_add(n).filter(|&n| n <= MAX_BYTES)).ok_or_else(
                    || TypeError::new(TOO_LARGE, "the result has more bytes than can be addressed"),
                )?
            }
        };
        Ok(result(&shape, xs[0]))
    }

    fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let mut shape = Dims::from_slice(operands[0].shape());
        shape[self.dim] = operands.iter().map(|x| x.shape()[self.dim]).sum();
        let ty = operands[0].ty().with_shape(&shape);
        cx.reserve(&ty)?;
        let mut out = Array::zeros(ty);
        let mut origin = Dims::from_elem(0, shape.len());
        for x in operands {
            let to = Walk::at(&shape, &origin);
            copy(x.dtype().size(), x.shape(), out.bytes_mut(), &to, x.bytes(), &Walk::all(x.shape()));
            origin[self.dim] += x.shape()[self.dim];
        }
        Ok(vec![out])
    }

    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        let tangents: Vec<Term> = materialize(e, x.operands, x.tangents);
        smallvec![Some(e.one(self.clone(), &tangents))]
    }

    fn transpose(&self, e: &mut dyn Emit, x: Cotangents<'_>) -> Tangents {
        let Some(ct) = x.cotangents[0] else { return x.operands.iter().map(|_| None).collect() };
        let mut start = 0;
        let mut out = Tangents::new();
        for (k, operand) in x.operands.iter().enumerate() {
            let ty = match operand {
                Operand::Known(term) => e.ty(*term),
                Operand::Linear(ty) => ty.clone(),
            };
            let mut slice = Slice {
                start: Dims::from_elem(0, ty.rank()),
                limit: ty.shape.clone(),
                strides: Dims::from_elem(1, ty.rank()),
            };
            slice.start[self.dim] = start;
            start += ty.shape[self.dim];
            slice.limit[self.dim] = start;
            out.push(linear(&x, k).map(|_| e.one(slice, &[ct])));
        }
        out
    }

    fn is_linear(&self, linear: &[bool]) -> bool {
        linear.iter().all(|&l| l)
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        batching::leading(e, size, Concatenate { dim: self.dim + 1 }, operands)
    }
}

/// Tangents with zeros in place of absent ones.
pub(super) fn materialize(e: &mut dyn Emit, operands: &[Term], tangents: &[Option<Term>]) -> Vec<Term> {
    operands
        .iter()
        .zip(tangents)
        .map(|(&x, &t)| {
            t.unwrap_or_else(|| {
                let ty = e.ty(x);
                e.zero(ty)
            })
        })
        .collect()
}

impl OpDef for Pad {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let x = tensors(operands, 2)?;
        let (x, value) = (x[0], x[1]);
        ensure!(value.rank() == 0, "I2", "the padding value must be a scalar, not {value}");
        ensure!(x.dtype == value.dtype, "C1", "the padding value is {}, not {}", value.dtype, x.dtype);
        let n = x.rank();
        let fits = self.low.len() == n && self.high.len() == n && self.interior.len() == n;
        ensure!(fits, "C2", "low, high and interior need {n} entries, one per dimension");
        let mut shape = Dims::new();
        for d in 0..n {
            let (low, high, interior, size) = (self.low[d], self.high[d], self.interior[d], x.shape[d]);
            ensure!(interior >= 0, "C3", "dimension {d}: interior padding {interior} is negative");
            let sane = low.unsigned_abs() < 1 << 61 && high.unsigned_abs() < 1 << 61;
            ensure!(sane, "C2", "dimension {d}: padding {low}, {high} is too large");
            if size == DYNAMIC {
                shape.push(DYNAMIC);
                continue;
            }
            let gaps = size.saturating_sub(1) as i128 * interior as i128;
            let padded = low as i128 + high as i128 + size as i128 + gaps;
            let Some(padded) = usize::try_from(padded).ok().filter(|&p| p < isize::MAX as usize) else {
                return Err(TypeError::new(
                    "C4",
                    format!(
                        "dimension {d}: {low} + {size} + {high} and interior {interior} give size {padded}"
                    ),
                ));
            };
            shape.push(padded);
        }
        Ok(result(&shape, x))
    }

    fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let (x, value) = (&operands[0], &operands[1]);
        let mut shape = Dims::new();
        // Of dimension `d` the elements `first..` that are not cut, and how many.
        let (mut first, mut count) = (Dims::new(), Dims::new());
        let mut to = Walk { start: 0, steps: Steps::new() };
        for d in 0..x.shape().len() {
            let (size, low, step) = (x.shape()[d] as i64, self.low[d], self.interior[d].saturating_add(1));
            let padded = low + self.high[d] + size + (size - 1).max(0) * self.interior[d];
            shape.push(padded as usize);
            // Element i goes to low + i * step.
            let from = (-low).max(0).div_ceil_to(step);
            let end = (padded - low).max(0).div_ceil_to(step).min(size);
            first.push(from as usize);
            count.push((end - from).max(0) as usize);
        }
        let ty = x.ty().with_shape(&shape);
        cx.reserve(&ty)?;
        let size = x.dtype().size();
        let mut out = Array::zeros(ty);
        out.bytes_mut().chunks_exact_mut(size).for_each(|c| c.copy_from_slice(value.bytes()));
        for (d, step) in row_major(&shape).into_iter().enumerate() {
            let place = self.low[d] + first[d] as i64 * self.interior[d].saturating_add(1);
            to.start = to.start.wrapping_add((place as isize).wrapping_mul(step));
            to.steps.push(step.saturating_mul((self.interior[d] as isize).saturating_add(1)));
        }
        copy(size, &count, out.bytes_mut(), &to, x.bytes(), &Walk::at(x.shape(), &first));
        Ok(vec![out])
    }

    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        let tangents = materialize(e, x.operands, x.tangents);
        smallvec![Some(e.one(self.clone(), &tangents))]
    }

    // The operand's cotangent: negative padding undoes the edges (and puts zeros where they were cut), a
    // strided slice undoes the gaps. The value's: the sum over everything else.
    fn transpose(&self, e: &mut dyn Emit, x: Cotangents<'_>) -> Tangents {
        let Some(ct) = x.cotangents[0] else { return smallvec![None, None] };
        let ty = match &x.operands[0] {
            Operand::Known(term) => e.ty(*term),
            Operand::Linear(ty) => ty.clone(),
        };
        let unpad = |e: &mut dyn Emit, ct: Term| {
            let zero = e.zero(TensorType::scalar(ty.dtype));
            let edges = Pad {
                low: self.low.iter().map(|&l| -l).collect(),
                high: self.high.iter().map(|&h| -h).collect(),
                interior: SmallVec::from_elem(0, ty.rank()),
            };
            let mut inner = ct;
            if edges.low.iter().chain(&edges.high).any(|&p| p != 0) {
                inner = e.one(edges, &[inner, zero]);
            }
            if self.interior.iter().any(|&i| i != 0) {
                inner = e.one(
                    Slice {
                        start: Dims::from_elem(0, ty.rank()),
                        limit: e.ty(inner).shape,
                        strides: self.interior.iter().map(|&i| i as usize + 1).collect(),
                    },
                    &[inner],
                );
            }
            inner
        };
        let inner = linear(&x, 0).map(|_| unpad(e, ct));
        let value = linear(&x, 1).map(|_| {
            let all: Dims = (0..ty.rank()).collect();
            // Where the value is, by padding zeros with ones: exact even when the rest is infinite.
            let zeros = e.splat(ty.clone(), 0.0);
            let one = e.splat(TensorType::scalar(ty.dtype), 1.0);
            let outside = e.one(self.clone(), &[zeros, one]);
            let nothing = e.splat_like(outside, 0.0);
            let mask = e.compare(Direction::Ne, outside, nothing);
            let none = e.ty(ct);
            let none = e.zero(none);
            let kept = e.select(mask, ct, none);
            e.reduce_sum(kept, &all)
        });
        smallvec![inner, value]
    }

    fn is_linear(&self, linear: &[bool]) -> bool {
        linear[0] && linear[1]
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        let x = batching::at(e, size, operands[0], 0);
        let pad = Pad {
            low: batching::inserted(&self.low, 0, 0),
            high: batching::inserted(&self.high, 0, 0),
            interior: batching::inserted(&self.interior, 0, 0),
        };
        let (value, mapped) = operands[1];
        if mapped.is_none() {
            return batching::in_front([e.one(pad, &[x, value])]);
        }
        // A value for each example: taken where a padded mask says so.
        let ty = e.ty(x);
        let zero = e.splat(TensorType::scalar(ty.dtype), 0.0);
        let outside = e.splat(TensorType::scalar(DType::I1), 1.0);
        let inside = e.splat(TensorType { dtype: DType::I1, shape: ty.shape }, 0.0);
        let padded = e.one(pad.clone(), &[x, zero]);
        let mask = e.one(pad, &[inside, outside]);
        let shape = e.ty(padded).shape;
        let value = e.broadcast_in_dim(value, &shape, &[0]);
        batching::in_front([e.select(mask, value, padded)])
    }
}

/// Division that rounds up, of numbers that are not negative.
trait DivCeilTo {
    fn div_ceil_to(self, by: i64) -> i64;
}
impl DivCeilTo for i64 {
    fn div_ceil_to(self, by: i64) -> i64 {
        self / by + (self % by != 0) as i64
    }
}
