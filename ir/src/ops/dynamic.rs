//! Slices whose place is known at run time. Starts are clamped so that the slice fits, in the operation
//! and in its transpose alike.

use super::shape::{all_tensors, linear, materialize};
use super::strided::{Walk, copy};
use crate::array::{Array, integer};
use crate::ensure;
use crate::func::Module;
use crate::op::*;
use crate::ops::batching;
use crate::rules::{Batched, Mapped};
use crate::rules::{
    Emit, EvalError, Evaluate, Jvp, OpDef, Operand, Tangents, Term, Transpose as Cotangents, TypeError, Types,
};
use crate::types::{DType, DTypeClass, Dims, TensorType, Type};
use smallvec::{SmallVec, smallvec};

/// Element `at` of an array of integers; what `i64` cannot hold saturates.
pub(super) fn index_at(array: &Array, at: usize) -> Result<i64, EvalError> {
    let (dtype, size) = (array.dtype(), array.dtype().size());
    integer(dtype, &array.bytes()[at * size..][..size])
        .ok_or_else(|| EvalError::Unsupported(format!("indices of type {dtype}")))
}

/// The origin of a slice of `sizes` in an array of `shape`, from scalar starts.
fn origin(starts: &[Array], shape: &[usize], sizes: &[usize]) -> Result<Dims, EvalError> {
    let dims = starts.iter().zip(shape).zip(sizes);
    dims.map(|((start, &n), &size)| Ok(index_at(start, 0)?.clamp(0, (n - size) as i64) as usize)).collect()
}

/// The known terms among the operands from `first` on.
fn known(x: &Cotangents<'_>, first: usize) -> Vec<Term> {
    let starts = x.operands[first..].iter();
    starts
        .map(|o| match o {
            Operand::Known(term) => *term,
            Operand::Linear(_) => unreachable!("an index is never linear"),
        })
        .collect()
}

fn check_starts(
    starts: &[&TensorType],
    rank: usize,
    count: &'static str,
    same: &'static str,
) -> Result<(), TypeError> {
    let error = |label, message| Err(TypeError::new(label, message));
    if starts.len() != rank {
        return error(count, format!("{} start indices for an operand of rank {rank}", starts.len()));
    }
    for (k, start) in starts.iter().enumerate() {
        if start.rank() != 0 || !start.dtype.is_integer() {
            return error("I2", format!("start index {k} must be an integer scalar, not {start}"));
        }
        if start.dtype != starts[0].dtype {
            return error(same, format!("start index {k} is {}, not {}", start.dtype, starts[0].dtype));
        }
    }
    Ok(())
}

impl OpDef for DynamicSlice {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let xs = all_tensors(operands)?;
        let Some((x, starts)) = xs.split_first() else {
            return Err(TypeError::new("I1", "the operand is missing"));
        };
        check_starts(starts, x.rank(), "C2", "C3")?;
        ensure!(self.sizes.len() == x.rank(), "C2", "{} slice_sizes for {x}", self.sizes.len());
        for (d, (&size, &n)) in self.sizes.iter().zip(&x.shape).enumerate() {
            ensure!(size <= n, "C4", "dimension {d}: a slice of {size} does not fit in {n}");
        }
        Ok(smallvec![Type::Tensor(x.with_shape(&self.sizes))])
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let x = &operands[0];
        let origin = origin(&operands[1..], x.shape(), &self.sizes)?;
        let mut out = Array::zeros(x.ty().with_shape(&self.sizes));
        let (to, from) = (Walk::all(&self.sizes), Walk::at(x.shape(), &origin));
        copy(x.dtype().size(), &self.sizes, out.bytes_mut(), &to, x.bytes(), &from);
        Ok(vec![out])
    }

    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        let Some(t) = x.tangents[0] else { return smallvec![None] };
        let mut operands: SmallVec<[Term; 4]> = SmallVec::from_slice(x.operands);
        operands[0] = t;
        smallvec![Some(e.one(self.clone(), &operands))]
    }

    fn transpose(&self, e: &mut dyn Emit, x: Cotangents<'_>) -> Tangents {
        let mut out: Tangents = SmallVec::from_elem(None, x.operands.len());
        if let (Some(ct), Some(ty)) = (x.cotangents[0], linear(&x, 0)) {
            let zeros = e.zero(ty.clone());
            let mut operands = vec![zeros, ct];
            operands.extend(known(&x, 1));
            out[0] = Some(e.one(DynamicUpdateSlice {}, &operands));
        }
        out
    }

    fn is_linear(&self, linear: &[bool]) -> bool {
        linear[0] && !linear[1..].contains(&true)
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        let (x, starts) = (operands[0], &operands[1..]);
        if starts.is_empty() || !batching::any_mapped(starts) {
            let y = batching::at(e, size, x, 0);
            let sizes = batching::inserted(&self.sizes, 0, size);
            let mut terms = vec![y];
            terms.extend(first_start(e, starts));
            terms.extend(starts.iter().map(|s| s.0));
            return batching::in_front([e.one(DynamicSlice { sizes }, &terms)]);
        }
        // A place for each example: a gather.
        let rank = self.sizes.len();
        let indices = indices(e, size, starts);
        let batched = x.1.is_some();
        let y = if batched { batching::at(e, size, x, 0) } else { x.0 };
        let own: Dims = if batched { smallvec![0] } else { Dims::new() };
        let gather = Gather {
            offset_dims: (1..=rank).collect(),
            collapsed_slice_dims: Dims::new(),
            operand_batching_dims: own.clone(),
            start_indices_batching_dims: own,
            start_index_map: (0..rank).map(|d| d + batched as usize).collect(),
            index_vector_dim: 1,
            slice_sizes: if batched {
                batching::inserted(&self.sizes, 0, size.min(1))
            } else {
                self.sizes.clone()
            },
            indices_are_sorted: false,
        };
        batching::in_front([e.one(gather, &[y, indices])])
    }
}

impl OpDef for DynamicUpdateSlice {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let xs = all_tensors(operands)?;
        ensure!(xs.len() >= 2, "I1", "takes an operand, an update and start indices");
        let (x, update) = (xs[0], xs[1]);
        ensure!(update.dtype == x.dtype, "C2", "the update is {}, not {}", update.dtype, x.dtype);
        ensure!(update.rank() == x.rank(), "C3", "the update has rank {}, not {}", update.rank(), x.rank());
        check_starts(&xs[2..], x.rank(), "C4", "C5")?;
        for (d, (&size, &n)) in update.shape.iter().zip(&x.shape).enumerate() {
            ensure!(size <= n, "C6", "dimension {d}: an update of {size} does not fit in {n}");
        }
        Ok(smallvec![operands[0].clone()])
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let (x, update) = (&operands[0], &operands[1]);
        let origin = origin(&operands[2..], x.shape(), update.shape())?;
        let mut out = x.clone();
        let (to, from) = (Walk::at(x.shape(), &origin), Walk::all(update.shape()));
        copy(x.dtype().size(), update.shape(), out.bytes_mut(), &to, update.bytes(), &from);
        Ok(vec![out])
    }

    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        let mut operands = materialize(e, &x.operands[..2], &x.tangents[..2]);
        operands.extend_from_slice(&x.operands[2..]);
        smallvec![Some(e.one(self.clone(), &operands))]
    }

    fn transpose(&self, e: &mut dyn Emit, x: Cotangents<'_>) -> Tangents {
        let mut out: Tangents = SmallVec::from_elem(None, x.operands.len());
        let Some(ct) = x.cotangents[0] else { return out };
        let starts = known(&x, 2);
        let update = match &x.operands[1] {
            Operand::Known(term) => e.ty(*term),
            Operand::Linear(ty) => ty.clone(),
        };
        if linear(&x, 0).is_some() {
            let zeros = e.zero(update.clone());
            let operands: Vec<Term> = [ct, zeros].into_iter().chain(starts.iter().copied()).collect();
            out[0] = Some(e.one(DynamicUpdateSlice {}, &operands));
        }
        if linear(&x, 1).is_some() {
            let operands: Vec<Term> = std::iter::once(ct).chain(starts).collect();
            out[1] = Some(e.one(DynamicSlice { sizes: update.shape }, &operands));
        }
        out
    }

    fn is_linear(&self, linear: &[bool]) -> bool {
        linear[0] && linear[1] && !linear[2..].contains(&true)
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        let starts = &operands[2..];
        let [x, update] = [0, 1].map(|k| batching::at(e, size, operands[k], 0));
        if starts.is_empty() || !batching::any_mapped(starts) {
            let mut terms = vec![x, update];
            terms.extend(first_start(e, starts));
            terms.extend(starts.iter().map(|s| s.0));
            return batching::in_front([e.one(DynamicUpdateSlice {}, &terms)]);
        }
        // A place for each example: a scatter, whose windows are dropped where these are moved inside.
        let rank = starts.len();
        let (whole, part) = (e.ty(x).shape, e.ty(update).shape);
        let starts: Vec<Mapped> = (starts.iter().enumerate())
            .map(|(d, &(s, mapped))| {
                let ty = TensorType::scalar(e.ty(s).dtype);
                // In a type that does not count so far, nothing is further.
                let unsigned = ty.dtype.class() == DTypeClass::Unsigned;
                let largest = u64::MAX >> (64 - ty.dtype.bits() + !unsigned as usize);
                let most = largest.min((whole[d + 1] - part[d + 1]) as u64);
                let (lo, hi) = (e.splat(ty.clone(), 0.0), e.splat(ty, most as f64));
                (e.one(Clamp {}, &[lo, s, hi]), mapped)
            })
            .collect();
        let indices = indices(e, size, &starts);
        let scatter = Scatter {
            update_window_dims: (1..=rank).collect(),
            inserted_window_dims: Dims::new(),
            input_batching_dims: smallvec![0],
            scatter_indices_batching_dims: smallvec![0],
            scatter_dims_to_operand_dims: (1..=rank).collect(),
            index_vector_dim: 1,
            indices_are_sorted: false,
            unique_indices: true,
            inputs: 1,
            reducer: Reducer::Assign,
        };
        batching::in_front([e.one(scatter, &[x, indices, update])])
    }
}

/// The start along the dimension in front of these, in their type; none where there are no starts at all.
fn first_start(e: &mut dyn Emit, starts: &[Mapped]) -> Option<Term> {
    let dtype = starts.first().map(|s| e.ty(s.0).dtype);
    Some(e.splat(TensorType::scalar(dtype.unwrap_or(DType::I32)), 0.0))
}

/// Starts of each example as the rows of a matrix.
fn indices(e: &mut dyn Emit, size: usize, starts: &[Mapped]) -> Term {
    let columns: Vec<Term> = starts
        .iter()
        .map(|&s| {
            let s = batching::at(e, size, s, 0);
            e.reshape(s, &[size, 1])
        })
        .collect();
    e.one(Concatenate { dim: 1 }, &columns)
}
