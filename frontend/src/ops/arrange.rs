//! Splitting, joining and rearranging, with NumPy's names.

use crate::Tensor;
use crate::error::{Error, fail};
use crate::ops::einsum::diagonal;
use crate::ops::index::Ix;
use crate::ops::promote::broadcast;
use crate::ops::reduce::axes;
use crate::ops::shape::concatenate;
use crate::trace::apply_at;
use std::panic::Location;
use wengert_ir::op::{Pad, Reverse};
use wengert_ir::types::{DType, Dims};

type At = &'static Location<'static>;

/// What [`Tensor::pad_with`] puts around a tensor.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum PadMode {
    /// A value.
    Constant(f64),
    /// The nearest element.
    Edge,
    /// The elements in reverse, the border not repeated: `3 2 | 1 2 3 | 2 1`.
    Reflect,
    /// The elements in reverse, the border repeated: `2 1 | 1 2 3 | 3 2`.
    Symmetric,
    /// The elements from the other end: `2 3 | 1 2 3 | 1 2`.
    Wrap,
}

/// How [`meshgrid`] orders the dimensions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Indexing {
    /// Cartesian: the first two are swapped. NumPy's default.
    #[default]
    Xy,
    /// As matrices.
    Ij,
}

/// One axis as a dimension.
fn dim(name: &str, x: &Tensor, axis: isize, at: At) -> usize {
    axes(name, x, &[axis], at)[0]
}

/// A size so many times.
fn counted(name: &str, times: usize, size: usize, at: At) -> usize {
    times.checked_mul(size).unwrap_or_else(|| {
        fail(Error::new(format!("{name}: {times} times {size} is more than a dimension can have"), Some(at)))
    })
}

/// Positions `from..to` of a dimension.
fn cut(x: &Tensor, dim: usize, from: usize, to: usize) -> Tensor {
    let mut index = vec![Ix::from(..); dim];
    index.push(Ix::Range(Some(from as isize), Some(to as isize), 1));
    x.get(&index[..])
}

impl Tensor {
    /// Cut into `parts` equal parts along an axis.
    ///
    /// ```
    /// use wengert::{DType, Tensor};
    /// let parts = Tensor::arange(6, DType::I32).split(3, 0);
    /// assert_eq!(parts[1].to_vec::<i32>(), [2, 3]);
    /// ```
    ///
    /// Fails if the dimension is not a multiple of `parts`; see [`Self::array_split`].
    #[track_caller]
    pub fn split(&self, parts: usize, axis: isize) -> Vec<Tensor> {
        let at = Location::caller();
        let n = self.shape()[dim("split", self, axis, at)];
        if parts == 0 || !n.is_multiple_of(parts) {
            fail(Error::new(
                format!("split: axis {axis} of {} has no {parts} equal parts", self.ty()),
                Some(at),
            ))
        }
        self.array_split(parts, axis)
    }

    /// Cut into `parts` parts along an axis, the first ones larger by one where it does not come out even.
    ///
    /// Fails for no parts.
    #[track_caller]
    pub fn array_split(&self, parts: usize, axis: isize) -> Vec<Tensor> {
        let at = Location::caller();
        let n = self.shape()[dim("array_split", self, axis, at)];
        if parts == 0 {
            fail(Error::new("array_split: into no parts", Some(at)))
        }
        let mut places = room("array_split", parts, at);
        places.extend((1..parts).map(|k| k * (n / parts) + k.min(n % parts)));
        self.split_at(&places, axis)
    }

    /// Cut before each of the places along an axis: one part more than there are places. Places beyond the end give
    /// empty parts.
    #[track_caller]
    pub fn split_at(&self, places: &[usize], axis: isize) -> Vec<Tensor> {
        let d = dim("split_at", self, axis, Location::caller());
        let n = self.shape()[d];
        let ends = places.iter().copied().chain([n]);
        let mut from = 0;
        ends.map(|to| {
            let (a, b) = (from.min(n), to.min(n));
            from = to;
            cut(self, d, a, b.max(a))
        })
        .collect()
    }

    /// The whole repeated `reps` times per dimension, as `numpy.tile`; the shorter of shape and `reps` gets ones in front.
    ///
    /// ```
    /// use wengert::Tensor;
    /// assert_eq!(Tensor::from([1i32, 2]).tile(&[2, 2]).to_vec::<i32>(), [1, 2, 1, 2, 1, 2, 1, 2]);
    /// ```
    #[track_caller]
    pub fn tile(&self, reps: &[usize]) -> Tensor {
        let at = Location::caller();
        let rank = self.rank().max(reps.len());
        let fill = |s: &[usize]| [&vec![1; rank - s.len()][..], s].concat();
        let (shape, reps) = (fill(self.shape()), fill(reps));
        let own: Dims = shape.iter().flat_map(|&n| [1, n]).collect();
        let wide: Vec<usize> = reps.iter().zip(&shape).flat_map(|(&r, &n)| [r, n]).collect();
        let result: Dims = reps.iter().zip(&shape).map(|(&r, &n)| counted("tile", r, n, at)).collect();
        broadcast(&self.reshape_to(own, at), &wide, at).reshape_to(result, at)
    }

    /// Each element repeated `n` times along an axis.
    #[track_caller]
    pub fn repeat(&self, n: usize, axis: isize) -> Tensor {
        let at = Location::caller();
        let d = dim("repeat", self, axis, at);
        let mut wide = self.shape().to_vec();
        wide.insert(d + 1, n);
        let mut result = Dims::from_slice(self.shape());
        result[d] = counted("repeat", result[d], n, at);
        broadcast(&self.expand_dims(d as isize + 1), &wide, at).reshape_to(result, at)
    }

    /// Moved `by` places along an axis; what leaves at one end comes in at the other.
    #[track_caller]
    pub fn roll(&self, by: isize, axis: isize) -> Tensor {
        let d = dim("roll", self, axis, Location::caller());
        let n = self.shape()[d];
        if n == 0 || by.rem_euclid(n as isize) == 0 {
            return self.clone();
        }
        let place = n - by.rem_euclid(n as isize) as usize;
        concatenate(&[cut(self, d, place, n), cut(self, d, 0, place)], d as isize)
    }

    /// The axes at `from` moved to `to`, in order; the others keep their order.
    ///
    /// Fails if the lists differ in length, repeat an axis or name one that is not there.
    #[track_caller]
    pub fn moveaxis(&self, from: &[isize], to: &[isize]) -> Tensor {
        let at = Location::caller();
        if from.len() != to.len() {
            let message = format!("moveaxis: {} axes to {} places", from.len(), to.len());
            fail(Error::new(message, Some(at)))
        }
        for list in [from, to] {
            axes("moveaxis", self, list, at);
        }
        let place = |&k: &isize| if k < 0 { (k + self.rank() as isize) as usize } else { k as usize };
        let (from, to): (Vec<usize>, Vec<usize>) =
            (from.iter().map(place).collect(), to.iter().map(place).collect());
        let mut rest = (0..self.rank()).filter(|d| !from.contains(d));
        let perm: Vec<usize> = (0..self.rank())
            .map(|d| match to.iter().position(|&t| t == d) {
                Some(k) => from[k],
                None => rest.next().expect("as many places as axes"),
            })
            .collect();
        if perm.is_sorted() { self.clone() } else { self.transpose(&perm) }
    }

    /// In one dimension, in row-major order: [`Self::flatten`] by NumPy's other name.
    #[track_caller]
    pub fn ravel(&self) -> Tensor {
        self.flatten()
    }

    /// In reverse order along several axes.
    #[track_caller]
    pub fn flip_axes(&self, over: &[isize]) -> Tensor {
        let at = Location::caller();
        apply_at(Reverse { dims: axes("flip_axes", self, over, at) }.into(), &[self], at).remove(0)
    }

    /// Turned by `k` quarters from the first axis towards the second.
    ///
    /// Fails if the axes are the same.
    #[track_caller]
    pub fn rot90(&self, k: isize, first: isize, second: isize) -> Tensor {
        let at = Location::caller();
        axes("rot90", self, &[first, second], at);
        match k.rem_euclid(4) {
            0 => self.clone(),
            1 => self.flip(second).swap_axes(first, second),
            2 => self.flip_axes(&[first, second]),
            _ => self.swap_axes(first, second).flip(second),
        }
    }

    /// The elements on and below diagonal `k` of the last two dimensions; zeros elsewhere.
    ///
    /// Fails for fewer than two dimensions.
    #[track_caller]
    pub fn tril(&self, k: isize) -> Tensor {
        let (i, j) = rows_and_columns("tril", self, Location::caller());
        let k = near(k, self.shape());
        (i + k).greater_equal(j).select(self, self.zeros_like())
    }

    /// The elements on and above diagonal `k` of the last two dimensions; zeros elsewhere.
    ///
    /// Fails for fewer than two dimensions.
    #[track_caller]
    pub fn triu(&self, k: isize) -> Tensor {
        let (i, j) = rows_and_columns("triu", self, Location::caller());
        let k = near(k, self.shape());
        (i + k).less_equal(j).select(self, self.zeros_like())
    }

    /// Diagonal `offset` of two axes as the last dimension, as `numpy.diagonal`.
    ///
    /// Fails if the axes are the same or out of range.
    #[track_caller]
    pub fn diagonal(&self, offset: isize, first: isize, second: isize) -> Tensor {
        let at = Location::caller();
        axes("diagonal", self, &[first, second], at);
        diagonal(self, dim("diagonal", self, first, at), dim("diagonal", self, second, at), offset, at)
    }

    /// A matrix with this vector on diagonal `k`, or diagonal `k` of this matrix, as `numpy.diag`.
    ///
    /// ```
    /// use wengert::Tensor;
    /// let m = Tensor::from([1i32, 2]).diag(1);
    /// assert_eq!((m.shape(), m.to_vec::<i32>()), (&[3usize, 3][..], vec![0, 1, 0, 0, 0, 2, 0, 0, 0]));
    /// assert_eq!(m.diag(1).to_vec::<i32>(), [1, 2]);
    /// ```
    ///
    /// Fails for other ranks than 1 and 2.
    #[track_caller]
    pub fn diag(&self, k: isize) -> Tensor {
        let at = Location::caller();
        match self.rank() {
            1 => {}
            2 => return diagonal(self, 0, 1, k, at),
            _ => fail(Error::new(format!("diag: takes a vector or a matrix, not {}", self.ty()), Some(at))),
        }
        if k.unsigned_abs() > i32::MAX as usize {
            fail(Error::new(
                format!("diag: a matrix with {} on diagonal {k} is too large", self.ty()),
                Some(at),
            ))
        }
        let (n, m) = (self.len() as i64, self.len() as i64 + k.unsigned_abs() as i64);
        if n == 0 {
            return Tensor::zeros(&[m as usize, m as usize], self.dtype());
        }
        // Row-major, the diagonal is every `m + 1`st element.
        let low = if k >= 0 { k as i64 } else { -(k as i64) * m };
        let high = m * m - low - ((n - 1) * (m + 1) + 1);
        let op = Pad {
            low: [low].as_slice().into(),
            high: [high].as_slice().into(),
            interior: [m].as_slice().into(),
        };
        let zero = Tensor::zeros(&[], self.dtype());
        apply_at(op.into(), &[self, &zero], at).remove(0).reshape(&[m as isize, m as isize])
    }

    /// Sum of a diagonal of the first two axes, as `numpy.trace`.
    ///
    /// Fails for fewer than two dimensions.
    #[track_caller]
    pub fn trace(&self, offset: isize) -> Tensor {
        self.diagonal(offset, 0, 1).sum_axis(-1)
    }

    /// Padded with `(before, after)` elements per dimension, as `numpy.pad`.
    ///
    /// ```
    /// use wengert::{PadMode, Tensor};
    /// let x = Tensor::from([1i32, 2, 3]);
    /// assert_eq!(x.pad_with(&[(2, 1)], PadMode::Reflect).to_vec::<i32>(), [3, 2, 1, 2, 3, 2]);
    /// assert_eq!(x.pad_with(&[(1, 1)], PadMode::Edge).to_vec::<i32>(), [1, 1, 2, 3, 3]);
    /// ```
    ///
    /// Fails unless there is a width for each dimension, and for an empty dimension with nothing to copy.
    #[track_caller]
    pub fn pad_with(&self, width: &[(usize, usize)], mode: PadMode) -> Tensor {
        let at = Location::caller();
        if width.len() != self.rank() {
            fail(Error::new(format!("pad_with: {} widths for {}", width.len(), self.ty()), Some(at)))
        }
        if let PadMode::Constant(value) = mode {
            let elements = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
            let width: Vec<(i64, i64)> = width.iter().map(|&(a, b)| (elements(a), elements(b))).collect();
            return self.pad(&width, value);
        }
        let mut out = self.clone();
        for (d, &(before, after)) in width.iter().enumerate() {
            let n = self.shape()[d] as isize;
            if (before, after) == (0, 0) {
                continue;
            }
            if n == 0 {
                fail(Error::new(format!("pad_with: dimension {d} of {} is empty", self.ty()), Some(at)))
            }
            let source = |i: isize| match mode {
                PadMode::Edge | PadMode::Constant(_) => i.clamp(0, n - 1),
                PadMode::Wrap => i.rem_euclid(n),
                PadMode::Reflect if n == 1 => 0,
                PadMode::Reflect => {
                    let k = i.rem_euclid(2 * (n - 1));
                    k.min(2 * (n - 1) - k)
                }
                PadMode::Symmetric => {
                    let k = i.rem_euclid(2 * n);
                    k.min(2 * n - 1 - k)
                }
            };
            let count = before.saturating_add(after).saturating_add(n as usize);
            let mut places = room("pad_with", count, at);
            places.extend((-(before as isize)..n + after as isize).map(|i| source(i) as usize));
            out = runs(&out, d, &places);
        }
        out
    }
}

/// Room for so many places, if there is any.
fn room(name: &str, count: usize, at: At) -> Vec<usize> {
    let mut places = Vec::new();
    if count > isize::MAX as usize || places.try_reserve_exact(count).is_err() {
        fail(Error::new(format!("{name}: there is no memory for {count} places"), Some(at)))
    }
    places
}

/// A diagonal of a matrix as a number beside those of rows and columns: one beyond the matrix is as good as any other.
pub(super) fn near(k: isize, shape: &[usize]) -> i64 {
    let [.., rows, columns] = *shape else { return 0 };
    let most = rows.max(columns).min(i32::MAX as usize / 2) as i64;
    (k as i64).clamp(-most, most)
}

/// The given places of a dimension, cut into runs up, down, or of one place.
fn runs(x: &Tensor, d: usize, places: &[usize]) -> Tensor {
    let mut parts = Vec::new();
    let mut k = 0;
    while k < places.len() {
        let step = places.get(k + 1).map_or(1, |&p| p as isize - places[k] as isize);
        let mut end = k + 1;
        while end < places.len() && places[end] as isize - places[end - 1] as isize == step && step.abs() <= 1
        {
            end += 1;
        }
        let (from, to) = (places[k].min(places[end - 1]), places[k].max(places[end - 1]));
        let part = cut(x, d, from, to + 1);
        parts.push(match step {
            -1 => part.flip(d as isize),
            0 => part.repeat(end - k, d as isize),
            _ => part,
        });
        k = end;
    }
    match &parts[..] {
        [one] => one.clone(),
        _ => concatenate(&parts, d as isize),
    }
}

fn rows_and_columns(name: &str, x: &Tensor, at: At) -> (Tensor, Tensor) {
    let rank = x.rank();
    if rank < 2 {
        fail(Error::new(format!("{name}: needs two dimensions, here: {}", x.ty()), Some(at)))
    }
    let shape = &x.shape()[rank - 2..];
    (Tensor::iota(shape, 0, DType::I32), Tensor::iota(shape, 1, DType::I32))
}

/// Coordinates of a grid from its axes, vectors: one tensor per axis, as `numpy.meshgrid`.
///
/// ```
/// use wengert::{Indexing, Tensor, meshgrid};
/// let grid = meshgrid(&[Tensor::from([1i32, 2]), Tensor::from([3i32, 4, 5])], Indexing::Ij);
/// assert_eq!(grid[1].to_vec::<i32>(), [3, 4, 5, 3, 4, 5]);
/// ```
///
/// Fails unless every axis is a vector.
#[track_caller]
pub fn meshgrid(along: &[Tensor], indexing: Indexing) -> Vec<Tensor> {
    let at = Location::caller();
    if let Some(x) = along.iter().find(|x| x.rank() != 1) {
        fail(Error::new(format!("meshgrid: takes vectors, not {}", x.ty()), Some(at)))
    }
    let place = |k: usize| if indexing == Indexing::Xy && k < 2 && along.len() > 1 { 1 - k } else { k };
    let mut shape = vec![0; along.len()];
    along.iter().enumerate().for_each(|(k, x)| shape[place(k)] = x.len());
    let one = |(k, x): (usize, &Tensor)| {
        let mut own: Dims = shape.iter().map(|_| 1).collect();
        own[place(k)] = x.len();
        broadcast(&x.reshape_to(own, at), &shape, at)
    };
    along.iter().enumerate().map(one).collect()
}

/// Rows on top of each other: [`concatenate`] along the first axis; vectors become rows.
///
/// Fails as it does.
#[track_caller]
pub fn vstack(tensors: &[Tensor]) -> Tensor {
    let row = |t: &Tensor| match t.rank() {
        0 => t.reshape(&[1, 1]),
        1 => t.expand_dims(0),
        _ => t.clone(),
    };
    concatenate(&tensors.iter().map(row).collect::<Vec<_>>(), 0)
}

/// Side by side: [`concatenate`] along the second axis, of vectors along the first.
///
/// Fails as it does.
#[track_caller]
pub fn hstack(tensors: &[Tensor]) -> Tensor {
    let parts: Vec<Tensor> =
        tensors.iter().map(|t| if t.rank() == 0 { t.expand_dims(0) } else { t.clone() }).collect();
    let axis = parts.first().map_or(0, |t| (t.rank() > 1) as isize);
    concatenate(&parts, axis)
}

/// All tensors stretched to the shape they broadcast to together.
///
/// Fails if they do not.
#[track_caller]
pub fn broadcast_arrays(tensors: &[Tensor]) -> Vec<Tensor> {
    let at = Location::caller();
    let mut shape = Dims::new();
    for t in tensors {
        shape = match crate::ops::promote::broadcast_shapes(&shape, t.shape()) {
            Some(wider) => wider,
            None => fail(Error::new(
                format!("broadcast_arrays: {} does not broadcast to {shape:?}", t.ty()),
                Some(at),
            )),
        };
    }
    tensors.iter().map(|t| broadcast(t, &shape, at)).collect()
}
