//! Slicing and indexing: `x.get((0, 1..3, ..))`, `x.take(&indices, axis)`.

use crate::Tensor;
use crate::error::{Error, fail};
use crate::ops::promote::convert;
use crate::ops::reduce::axes;
use crate::trace::apply_at;
use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo};
use std::panic::Location;
use wengert_ir::op::{DynamicSlice, DynamicUpdateSlice, Gather, Slice};
use wengert_ir::types::{DType, DTypeClass, Dims};

type At = &'static Location<'static>;

/// What an index does to one dimension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ix {
    /// One position; the dimension vanishes. Negative positions count from the end.
    At(isize),
    /// A range with a step of at least 1; negative bounds count from the end.
    Range(Option<isize>, Option<isize>, usize),
    /// A new dimension of size 1.
    New,
    /// As many whole dimensions as are left over.
    Rest,
}

/// What indices do that are out of range; JAX's `mode`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OutOfRange {
    /// They give NaN, the least signed integer, the largest unsigned one or `true`; an update there is dropped. JAX's
    /// `"fill"` and `"drop"`.
    #[default]
    Fill,
    /// They mean the nearest index that there is.
    Clip,
}

/// A new dimension of size 1, in [`Tensor::get`].
pub const NEW: Ix = Ix::New;

impl From<isize> for Ix {
    fn from(i: isize) -> Ix {
        Ix::At(i)
    }
}
impl From<i32> for Ix {
    fn from(i: i32) -> Ix {
        Ix::At(i as isize)
    }
}
impl From<usize> for Ix {
    fn from(i: usize) -> Ix {
        Ix::At(i.place())
    }
}

/// A position as one that may count from the end: what is beyond those stays beyond.
trait Place {
    fn place(self) -> isize;
}
impl Place for isize {
    fn place(self) -> isize {
        self
    }
}
impl Place for i32 {
    fn place(self) -> isize {
        self as isize
    }
}
impl Place for usize {
    fn place(self) -> isize {
        isize::try_from(self).unwrap_or(isize::MAX)
    }
}
impl From<RangeFull> for Ix {
    fn from(_: RangeFull) -> Ix {
        Ix::Range(None, None, 1)
    }
}
macro_rules! ranges {
    ($($ty:ty),+) => { $(
        impl From<Range<$ty>> for Ix { fn from(r: Range<$ty>) -> Ix { Ix::Range(Some(r.start.place()), Some(r.end.place()), 1) } }
        impl From<RangeFrom<$ty>> for Ix { fn from(r: RangeFrom<$ty>) -> Ix { Ix::Range(Some(r.start.place()), None, 1) } }
        impl From<RangeTo<$ty>> for Ix { fn from(r: RangeTo<$ty>) -> Ix { Ix::Range(None, Some(r.end.place()), 1) } }
        impl From<RangeInclusive<$ty>> for Ix {
            fn from(r: RangeInclusive<$ty>) -> Ix {
                let end = r.end().place();
                Ix::Range(Some(r.start().place()), if end == -1 { None } else { Some(end.saturating_add(1)) }, 1)
            }
        }
    )+ };
}
ranges!(i32, isize, usize);

/// One index or a tuple of them, one per dimension from the first; missing ones take the whole dimension.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an index",
    label = "not an index",
    note = "an index is an integer, a range, `NEW`, `Ix::Rest`, or a tuple of up to six of these",
    note = "positions that are computed are for `take`, `take_along_axis`, `at_rows` and `dynamic_slice`"
)]
pub trait Index {
    /// The indices in order.
    fn list(self) -> Vec<Ix>;
}
#[diagnostic::do_not_recommend]
impl<T: Into<Ix>> Index for T {
    fn list(self) -> Vec<Ix> {
        vec![self.into()]
    }
}
impl Index for &[Ix] {
    fn list(self) -> Vec<Ix> {
        self.to_vec()
    }
}
macro_rules! index_tuples {
    ($($T:ident $i:tt),+) => { impl<$($T: Into<Ix>),+> Index for ($($T,)+) { fn list(self) -> Vec<Ix> { vec![$(self.$i.into()),+] } } };
}
index_tuples!(A 0);
index_tuples!(A 0, B 1);
index_tuples!(A 0, B 1, C 2);
index_tuples!(A 0, B 1, C 2, D 3);
index_tuples!(A 0, B 1, C 2, D 3, E 4);
index_tuples!(A 0, B 1, C 2, D 3, E 4, F 5);

/// Integer indices in a type that holds every position: narrower ones as `i32`.
#[track_caller]
pub(crate) fn wide_enough(name: &str, indices: &Tensor, at: At) -> Tensor {
    if !indices.dtype().is_integer() {
        fail(Error::new(
            format!("{name}: indices must be integers, here they are {}", indices.ty()),
            Some(at),
        ))
    }
    if indices.dtype().bits() < 32 { convert(indices, DType::I32, at) } else { indices.clone() }
}

/// Indices into a dimension of `size`, negative ones counted from its end.
#[track_caller]
pub(crate) fn from_the_end(name: &str, indices: &Tensor, size: usize, at: At) -> Tensor {
    let indices = wide_enough(name, indices, at);
    if indices.dtype().class() == DTypeClass::Unsigned {
        return indices;
    }
    indices.less(0i64).select(&(&indices + size as i64), &indices)
}

impl Tensor {
    /// Basic indexing as in NumPy: `x.get(0)`, `x.get((1..3, .., -1))`, `x.get((.., NEW))`.
    ///
    /// Fails if a position is out of range, if a step is 0, or if there are more indices than dimensions; ranges are cut to size.
    #[track_caller]
    pub fn get(&self, index: impl Index) -> Tensor {
        let at = Location::caller();
        let list = index.list();
        let used = list.iter().filter(|i| !matches!(i, Ix::New | Ix::Rest)).count();
        if used > self.rank() || list.iter().filter(|i| **i == Ix::Rest).count() > 1 {
            fail(Error::new(format!("get: {used} indices for {}", self.ty()), Some(at)))
        }
        // Whole dimensions stand in for the rest, at the end if it is not named.
        let rest = std::iter::repeat_n(Ix::from(..), self.rank() - used);
        let position = list.iter().position(|i| *i == Ix::Rest);
        let (head, tail) = list.split_at(position.unwrap_or(list.len()));
        let all =
            head.iter().copied().chain(rest).chain(tail.iter().copied().skip(position.is_some() as usize));

        let (mut start, mut limit, mut strides, mut shape) =
            (Dims::new(), Dims::new(), Dims::new(), Dims::new());
        for ix in all {
            let size = self.shape().get(start.len()).copied().unwrap_or(0) as isize;
            match ix {
                Ix::New | Ix::Rest => shape.push(1),
                Ix::At(i) => {
                    let p = if i < 0 { i.saturating_add(size) } else { i };
                    if p < 0 || p >= size {
                        let message =
                            format!("get: position {i} of dimension {} of {}", start.len(), self.ty());
                        fail(Error::new(message, Some(at)))
                    }
                    start.push(p as usize);
                    limit.push(p as usize + 1);
                    strides.push(1);
                }
                Ix::Range(_, _, 0) => {
                    let message = format!("get: steps of 0 along dimension {} of {}", start.len(), self.ty());
                    fail(Error::new(message, Some(at)))
                }
                Ix::Range(from, to, step) => {
                    let bound = |b: Option<isize>, default: isize| {
                        b.map_or(default, |b| if b < 0 { b.saturating_add(size) } else { b }).clamp(0, size)
                    };
                    let from = bound(from, 0);
                    let to = bound(to, size).max(from);
                    start.push(from as usize);
                    limit.push(to as usize);
                    strides.push(step);
                    shape.push(((to - from) as usize).div_ceil(step));
                }
            }
        }
        let whole =
            start.iter().all(|&s| s == 0) && limit[..] == *self.shape() && strides.iter().all(|&s| s == 1);
        let part = if whole {
            self.clone()
        } else {
            apply_at(Slice { start, limit, strides }.into(), &[self], at).remove(0)
        };
        part.reshape_to(shape, at)
    }

    /// Slices along `axis` at integer `indices`, as `jnp.take`: the dimension is replaced by the indices' dimensions.
    /// Negative indices count from the end; those out of range give [`OutOfRange::Fill`].
    ///
    /// ```
    /// use wengert::{OutOfRange, Tensor};
    /// let x = Tensor::from([1.0f32, 2.0, 3.0]);
    /// let taken = x.take(&Tensor::from([0i32, -1, 3]), 0).to_vec::<f32>();
    /// assert!(taken[..2] == [1.0, 3.0] && taken[2].is_nan());
    /// let clipped = x.take_with(&Tensor::from([0i32, -1, 3]), 0, OutOfRange::Clip);
    /// assert_eq!(clipped.to_vec::<f32>(), [1.0, 1.0, 3.0]);
    /// ```
    ///
    /// Fails if the indices are not integers, or if there is nothing to take from.
    #[track_caller]
    pub fn take(&self, indices: &Tensor, axis: isize) -> Tensor {
        self.take_with(indices, axis, OutOfRange::Fill)
    }

    /// [`Self::take`] with a choice of what indices out of range do. With [`OutOfRange::Clip`], as with JAX's `mode="clip"`,
    /// negative indices are out of range too.
    #[track_caller]
    pub fn take_with(&self, indices: &Tensor, axis: isize, out_of_range: OutOfRange) -> Tensor {
        let at = Location::caller();
        let d = axes("take", self, &[axis], at)[0];
        let size = self.shape()[d];
        if size == 0 && !indices.is_empty() {
            fail(Error::new(
                format!("take: there is nothing to take along dimension {d} of {}", self.ty()),
                Some(at),
            ))
        }
        let indices = match out_of_range {
            OutOfRange::Fill => from_the_end("take", indices, size, at),
            OutOfRange::Clip => wide_enough("take", indices, at),
        };
        let taken = self.rows(&indices, d, at);
        match out_of_range {
            OutOfRange::Clip => taken,
            OutOfRange::Fill => {
                // The indices' dimensions stand where the dimension was.
                let after = self.rank() - 1 - d;
                let shape: Dims =
                    indices.shape().iter().copied().chain(std::iter::repeat_n(1, after)).collect();
                taken.where_in_range(&indices.reshape_to(shape, at), size)
            }
        }
    }

    /// Rows of dimension `d` at indices, which are clamped.
    #[track_caller]
    pub(crate) fn rows(&self, indices: &Tensor, d: usize, at: At) -> Tensor {
        let rank = indices.rank();
        if indices.is_empty() && self.shape()[d] == 0 {
            // Nothing of nothing, which is no row of an operand.
            let shape: Dims = self.shape()[..d]
                .iter()
                .chain(indices.shape())
                .chain(&self.shape()[d + 1..])
                .copied()
                .collect();
            return self.reshape_to(shape, at);
        }
        let op = Gather {
            offset_dims: (0..d).chain(d + rank..self.rank() - 1 + rank).collect(),
            collapsed_slice_dims: Dims::from_slice(&[d]),
            operand_batching_dims: Dims::new(),
            start_indices_batching_dims: Dims::new(),
            start_index_map: Dims::from_slice(&[d]),
            index_vector_dim: rank,
            slice_sizes: (0..self.rank()).map(|i| if i == d { 1 } else { self.shape()[i] }).collect(),
            indices_are_sorted: false,
        };
        apply_at(op.into(), &[self, indices], at).remove(0)
    }

    /// What was taken at indices of a dimension of `size`, and [`OutOfRange::Fill`] where they were out of range.
    #[track_caller]
    pub(crate) fn where_in_range(&self, indices: &Tensor, size: usize) -> Tensor {
        let mut inside = indices.less(size);
        if indices.dtype().class() == DTypeClass::Signed {
            inside = inside.logical_and(indices.greater_equal(0i64));
        }
        let fill = match self.dtype().class() {
            DTypeClass::Float | DTypeClass::Complex => self.full_like(f64::NAN),
            DTypeClass::Signed => self.full_like(f64::NEG_INFINITY),
            DTypeClass::Unsigned => self.full_like(f64::INFINITY),
            DTypeClass::Bool => self.ones_like(),
        };
        inside.select(self, &fill)
    }

    /// The slice of `sizes` at scalar integer `starts`, clamped so that it fits: as of StableHLO's operation, a negative start is
    /// 0 (`jax.lax.dynamic_slice` counts it from the end).
    #[track_caller]
    pub fn dynamic_slice(&self, starts: &[&Tensor], sizes: &[usize]) -> Tensor {
        let mut operands = vec![self];
        operands.extend_from_slice(starts);
        apply_at(DynamicSlice { sizes: Dims::from_slice(sizes) }.into(), &operands, Location::caller())
            .remove(0)
    }

    /// The tensor with `update` written at scalar integer `starts`, clamped so that it fits; negative ones as in
    /// [`Self::dynamic_slice`].
    #[track_caller]
    pub fn dynamic_update_slice(&self, update: &Tensor, starts: &[&Tensor]) -> Tensor {
        let mut operands = vec![self, update];
        operands.extend_from_slice(starts);
        apply_at(DynamicUpdateSlice {}.into(), &operands, Location::caller()).remove(0)
    }
}
