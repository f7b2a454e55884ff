//! Moving elements around.

use crate::Tensor;
use crate::error::{Error, fail};
use crate::ops::promote::{broadcast, broadcast_shapes, convert, promote_types};
use crate::ops::reduce::axes;
use crate::trace::apply_at;
use std::panic::Location;
use wengert_ir::op::{Concatenate, Pad, Reshape, Reverse, Transpose};
use wengert_ir::types::Dims;

type At = &'static Location<'static>;

impl Tensor {
    /// The same elements in row-major order under another shape; one size may be -1 and is worked out.
    #[track_caller]
    pub fn reshape(&self, shape: &[isize]) -> Tensor {
        let at = Location::caller();
        // A product that nobody can count fits nothing, but with a zero in it.
        let known = if shape.contains(&0) {
            0
        } else {
            let sizes = shape.iter().filter(|&&d| d > 0).map(|&d| d as usize);
            sizes.fold(1usize, usize::saturating_mul)
        };
        let holes = shape.iter().filter(|&&d| d == -1).count();
        let fits = match holes {
            _ if shape.iter().any(|&d| d < -1) => false,
            0 => known == self.len(),
            1 => known > 0 && self.len().is_multiple_of(known),
            _ => false,
        };
        if !fits {
            let message =
                format!("reshape: {} elements of {} do not fit shape {shape:?}", self.len(), self.ty());
            fail(Error::new(message, Some(at)))
        }
        let dims: Dims = shape.iter().map(|&d| if d < 0 { self.len() / known } else { d as usize }).collect();
        self.reshape_to(dims, at)
    }

    pub(crate) fn reshape_to(&self, shape: Dims, at: At) -> Tensor {
        if self.shape() == &shape[..] {
            return self.clone();
        }
        apply_at(Reshape { shape }.into(), &[self], at).remove(0)
    }

    /// All elements in one dimension.
    #[track_caller]
    pub fn flatten(&self) -> Tensor {
        self.reshape(&[-1])
    }

    /// Result dimension `i` is dimension `perm[i]`.
    #[track_caller]
    pub fn transpose(&self, perm: &[usize]) -> Tensor {
        apply_at(Transpose { perm: Dims::from_slice(perm) }.into(), &[self], Location::caller()).remove(0)
    }

    /// The last two dimensions swapped; a vector stays as it is.
    #[track_caller]
    pub fn t(&self) -> Tensor {
        let rank = self.rank();
        if rank < 2 {
            return self.clone();
        }
        let mut perm: Vec<usize> = (0..rank).collect();
        perm.swap(rank - 1, rank - 2);
        self.transpose(&perm)
    }

    /// Two dimensions swapped.
    #[track_caller]
    pub fn swap_axes(&self, a: isize, b: isize) -> Tensor {
        let at = Location::caller();
        let (a, b) = (axes("swap_axes", self, &[a], at)[0], axes("swap_axes", self, &[b], at)[0]);
        let mut perm: Vec<usize> = (0..self.rank()).collect();
        perm.swap(a, b);
        self.transpose(&perm)
    }

    /// A new dimension of size 1 before dimension `axis` of the result.
    #[track_caller]
    pub fn expand_dims(&self, axis: isize) -> Tensor {
        self.expanded("expand_dims", axis, Location::caller())
    }

    /// The same, for a method of this name.
    fn expanded(&self, name: &str, axis: isize, at: &'static Location<'static>) -> Tensor {
        let rank = self.rank() as isize + 1;
        let d = if axis < 0 { axis + rank } else { axis };
        if d < 0 || d >= rank {
            fail(Error::new(format!("{name}: axis {axis} is out of range for {}", self.ty()), Some(at)))
        }
        let mut shape = Dims::from_slice(self.shape());
        shape.insert(d as usize, 1);
        self.reshape_to(shape, at)
    }

    /// Without the dimensions at `over`, which must have size 1.
    #[track_caller]
    pub fn squeeze(&self, over: &[isize]) -> Tensor {
        let at = Location::caller();
        let dims = axes("squeeze", self, over, at);
        if let Some(&d) = dims.iter().find(|&&d| self.shape()[d] != 1) {
            fail(Error::new(format!("squeeze: dimension {d} of {} is not 1", self.ty()), Some(at)))
        }
        let shape = (0..self.rank()).filter(|i| !dims.contains(i)).map(|i| self.shape()[i]).collect();
        self.reshape_to(shape, at)
    }

    /// Stretched to `shape` as in an elementwise operation.
    #[track_caller]
    pub fn broadcast_to(&self, shape: &[usize]) -> Tensor {
        let at = Location::caller();
        if broadcast_shapes(self.shape(), shape).as_deref() != Some(shape) {
            fail(Error::new(format!("broadcast_to: {} does not broadcast to {shape:?}", self.ty()), Some(at)))
        }
        broadcast(self, shape, at)
    }

    /// In reverse order along an axis.
    #[track_caller]
    pub fn flip(&self, axis: isize) -> Tensor {
        let at = Location::caller();
        apply_at(Reverse { dims: axes("flip", self, &[axis], at) }.into(), &[self], at).remove(0)
    }

    /// `value` around: `(before, after)` per dimension; negative numbers cut.
    #[track_caller]
    pub fn pad(&self, width: &[(i64, i64)], value: f64) -> Tensor {
        let at = Location::caller();
        let value = crate::Tensor::full(&[], value, self.dtype());
        let op = Pad {
            low: width.iter().map(|w| w.0).collect(),
            high: width.iter().map(|w| w.1).collect(),
            interior: width.iter().map(|_| 0).collect(),
        };
        apply_at(op.into(), &[self, &value], at).remove(0)
    }
}

/// Tensors one after another along an axis; element types promote.
///
/// Fails if there are none, or if their other dimensions differ.
#[track_caller]
pub fn concatenate(tensors: &[Tensor], axis: isize) -> Tensor {
    let at = Location::caller();
    let Some(first) = tensors.first() else { fail(Error::new("concatenate: no tensors", Some(at))) };
    let dim = axes("concatenate", first, &[axis], at)[0];
    let dtype = tensors.iter().fold(first.dtype(), |d, t| promote_types(d, t.dtype()));
    let parts: Vec<Tensor> = tensors.iter().map(|t| convert(t, dtype, at)).collect();
    apply_at(Concatenate { dim }.into(), &parts.iter().collect::<Vec<_>>(), at).remove(0)
}

/// Tensors of one shape along a new axis.
///
/// Fails if there are none, or if their shapes differ.
#[track_caller]
pub fn stack(tensors: &[Tensor], axis: isize) -> Tensor {
    if tensors.is_empty() {
        fail(Error::new("stack: no tensors", Some(Location::caller())))
    }
    let at = Location::caller();
    let parts: Vec<Tensor> = tensors.iter().map(|t| t.expanded("stack", axis, at)).collect();
    concatenate(&parts, axis)
}
