//! Sorting and searching, with NumPy's names and JAX's order: zeros are equal, NaN comes last.

use crate::Tensor;
use crate::context::What;
use crate::error::{Error, fail};
use crate::ops::control::framed;
use crate::ops::index::{OutOfRange, from_the_end};
use crate::ops::promote::{Operand, broadcast, convert, floating, promote_types, unify};
use crate::ops::reduce::axes;
use crate::trace::{apply_at, with_module};
use std::panic::Location;
use wengert_ir::array::Literal;
use wengert_ir::func::{Func, FuncId, FuncKind, Loc, Module, Value};
use wengert_ir::op::{Compare, CompareType, Constant, Direction, Gather, Op, Select, Sort, TopK};
use wengert_ir::types::{DType, Dims, TensorType};

type At = &'static Location<'static>;

/// Where an element equal to others would go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Side {
    /// Before them.
    #[default]
    Left,
    /// After them.
    Right,
}

/// Whether the first of each pair of parameters comes first; the other tensors only go along.
fn comparator(module: &mut Module, dtypes: &[DType]) -> FuncId {
    let mut func = Func::new("", FuncKind::Region);
    let params: Vec<Value> =
        dtypes.iter().flat_map(|&d| [d, d]).map(|d| func.param(TensorType::scalar(d))).collect();
    let (mut a, mut b) = (params[0], params[1]);
    let key = dtypes[0];
    let mut push = |op: Op, operands: &[Value]| {
        func.push(module, op, operands, Loc::Unknown).unwrap_or_else(|e| panic!("{e}"))[0]
    };
    let mut kind = CompareType::natural(key);
    if key.is_float() {
        // One zero and one NaN; then the total order.
        kind = CompareType::TotalOrder;
        for side in [&mut a, &mut b] {
            let splat = |v: f64| Op::from(Constant { value: Literal::splat(TensorType::scalar(key), v) });
            let float = |direction| Op::from(Compare { direction, kind: CompareType::Float });
            let (zero, nan) = (push(splat(0.0), &[]), push(splat(f64::NAN), &[]));
            let is_zero = push(float(Direction::Eq), &[*side, zero]);
            let is_nan = push(float(Direction::Ne), &[*side, *side]);
            let one_zero = push(Select {}.into(), &[is_zero, zero, *side]);
            *side = push(Select {}.into(), &[is_nan, nan, one_zero]);
        }
    }
    let first = push(Compare { direction: Direction::Lt, kind }.into(), &[a, b]);
    func.results = vec![first];
    module.add(func)
}

/// Tensors of one shape, permuted together along a dimension so that the first ascends; stable.
pub(crate) fn sort_together(tensors: &[&Tensor], dimension: usize, at: At) -> Vec<Tensor> {
    framed(What { name: "sort", at }, || {
        let dtypes: Vec<DType> = tensors.iter().map(|t| t.dtype()).collect();
        let comparator = with_module(|m| comparator(m, &dtypes));
        let op = Sort { dimension, is_stable: true, inputs: tensors.len(), comparator };
        apply_at(op.into(), tensors, at).into_vec()
    })
}

/// Vectors of no more elements are compared with all of them.
const FEW: usize = 64;

impl Tensor {
    /// In ascending order along an axis; of equals the first stays first, NaN comes last.
    ///
    /// ```
    /// use wengert::Tensor;
    /// let x = Tensor::from([[3.0f32, 1.0, 2.0], [0.0, 5.0, 4.0]]);
    /// assert_eq!(x.sort(-1).to_vec::<f32>(), [1.0, 2.0, 3.0, 0.0, 4.0, 5.0]);
    /// ```
    ///
    /// Fails if the axis is out of range, or for complex elements.
    #[track_caller]
    pub fn sort(&self, axis: isize) -> Tensor {
        let at = Location::caller();
        self.ordered("sort", at);
        sort_together(&[self], axes("sort", self, &[axis], at)[0], at).remove(0)
    }

    /// The positions (`i32`) along an axis that would sort it: `x.take_along_axis(&x.argsort(a), a)` is `x.sort(a)`.
    ///
    /// ```
    /// use wengert::Tensor;
    /// assert_eq!(Tensor::from([30, 10, 20]).argsort(0).to_vec::<i32>(), [1, 2, 0]);
    /// ```
    #[track_caller]
    pub fn argsort(&self, axis: isize) -> Tensor {
        let at = Location::caller();
        self.ordered("argsort", at);
        let d = axes("argsort", self, &[axis], at)[0];
        let positions = Tensor::iota(self.shape(), d, DType::I32);
        sort_together(&[self, &positions], d, at).remove(1)
    }

    /// The `k` largest elements along the last axis in descending order, and their positions (`i32`). NaN is the
    /// largest of all.
    ///
    /// ```
    /// use wengert::Tensor;
    /// let (values, positions) = Tensor::from([1.0f32, 4.0, 3.0]).top_k(2);
    /// assert_eq!(values.to_vec::<f32>(), [4.0, 3.0]);
    /// assert_eq!(positions.to_vec::<i32>(), [1, 2]);
    /// ```
    ///
    /// Fails if the axis has fewer elements.
    #[track_caller]
    pub fn top_k(&self, k: usize) -> (Tensor, Tensor) {
        let mut out = apply_at(TopK { k }.into(), &[self], Location::caller()).into_vec();
        let positions = out.pop().expect("two results");
        (out.pop().expect("two results"), positions)
    }

    fn ordered(&self, name: &str, at: At) {
        if self.dtype().is_complex() {
            fail(Error::new(format!("{name}: complex numbers have no order, in {}", self.ty()), Some(at)))
        }
    }

    /// Elements at `indices` along an axis; the other dimensions run along together, as `jnp.take_along_axis`.
    /// Negative indices count from the end; those out of range give [`OutOfRange::Fill`].
    ///
    /// Fails if the indices are not integers, or if the other dimensions differ.
    #[track_caller]
    pub fn take_along_axis(&self, indices: &Tensor, axis: isize) -> Tensor {
        self.take_along_axis_with(indices, axis, OutOfRange::Fill)
    }

    /// [`Self::take_along_axis`] with a choice of what indices out of range do.
    #[track_caller]
    pub fn take_along_axis_with(&self, indices: &Tensor, axis: isize, out_of_range: OutOfRange) -> Tensor {
        let at = Location::caller();
        let d = axes("take_along_axis", self, &[axis], at)[0];
        if !indices.dtype().is_integer() || indices.rank() != self.rank() {
            let message = format!("take_along_axis: indices {} for {}", indices.ty(), self.ty());
            fail(Error::new(message, Some(at)))
        }
        let size = self.shape()[d];
        let indices = from_the_end("take_along_axis", indices, size, at);
        let others: Dims = (0..self.rank()).filter(|&i| i != d).collect();
        let gather = Gather {
            offset_dims: Dims::new(),
            collapsed_slice_dims: Dims::from_slice(&[d]),
            operand_batching_dims: others.clone(),
            start_indices_batching_dims: others,
            start_index_map: Dims::from_slice(&[d]),
            index_vector_dim: self.rank(),
            // A dimension of none has no slice of one.
            slice_sizes: self.shape().iter().map(|&n| n.min(1)).collect(),
            indices_are_sorted: false,
        };
        let taken = apply_at(gather.into(), &[self, &indices], at).remove(0);
        match out_of_range {
            OutOfRange::Clip => taken,
            OutOfRange::Fill => taken.where_in_range(&indices, size),
        }
    }

    /// The quantile `q` between 0 and 1 along an axis, linear between neighbours; NaN where there is a NaN.
    ///
    /// ```
    /// use wengert::Tensor;
    /// assert_eq!(Tensor::from([1.0f64, 2.0, 4.0, 8.0]).quantile(0.5, 0).item::<f64>(), 3.0);
    /// ```
    ///
    /// Fails if `q` is outside, or if the axis has no elements.
    #[track_caller]
    pub fn quantile(&self, q: f64, axis: isize) -> Tensor {
        let at = Location::caller();
        let d = axes("quantile", self, &[axis], at)[0];
        let n = self.shape()[d];
        if !(0.0..=1.0).contains(&q) || n == 0 {
            fail(Error::new(format!("quantile: {q} of {} along axis {axis}", self.ty()), Some(at)))
        }
        self.ordered("quantile", at);
        let x = floating(self);
        let sorted = sort_together(&[&x], d, at).remove(0);
        let place = q * (n - 1) as f64;
        let (low, high) = (place.floor(), place.ceil());
        let part = |i: f64| {
            let position = Tensor::from(i as i32);
            sorted.rows(&position, d, at)
        };
        let weight = place - low;
        let between = part(low) * (1.0 - weight) + part(high) * weight;
        let nan = x.is_nan().any_axes(&[d as isize]);
        nan.select(between.full_like(f64::NAN), &between)
    }

    /// [`Self::quantile`] of `q` in percent.
    #[track_caller]
    pub fn percentile(&self, q: f64, axis: isize) -> Tensor {
        self.quantile(q / 100.0, axis)
    }

    /// The middle along an axis, or the mean of the middle two.
    #[track_caller]
    pub fn median(&self, axis: isize) -> Tensor {
        self.quantile(0.5, axis)
    }

    /// Where each of `values` belongs in this sorted vector (`i32`): the number of elements before it. In a long vector it is searched for
    /// by halves.
    ///
    /// ```
    /// use wengert::{Side, Tensor};
    /// let a = Tensor::from([1, 3, 3, 5]);
    /// assert_eq!(a.searchsorted(&Tensor::from([3, 9]), Side::Left).to_vec::<i32>(), [1, 4]);
    /// assert_eq!(a.searchsorted(&Tensor::from([3, 0]), Side::Right).to_vec::<i32>(), [3, 0]);
    /// ```
    ///
    /// Fails if this is not a vector.
    #[track_caller]
    pub fn searchsorted(&self, values: impl Operand, side: Side) -> Tensor {
        let at = Location::caller();
        let values = values.beside(self);
        if self.rank() != 1 {
            fail(Error::new(format!("searchsorted: {} is not a vector", self.ty()), Some(at)))
        }
        let dtype = promote_types(self.dtype(), values.dtype());
        let one = |x: &Tensor| {
            let x = convert(x, dtype, at);
            if !dtype.is_float() {
                return x;
            }
            let x = x.equal(0.0).select(x.zeros_like(), &x);
            x.is_nan().select(x.full_like(f64::NAN), &x)
        };
        let direction = if side == Side::Left { Direction::Lt } else { Direction::Le };
        let natural = CompareType::natural(dtype);
        let kind = if dtype.is_float() { CompareType::TotalOrder } else { natural };
        let before = |own: &Tensor, values: &Tensor| {
            let (own, values) = unify("searchsorted", own, values, at);
            apply_at(Compare { direction, kind }.into(), &[&own, &values], at).remove(0)
        };
        let (own, values, n) = (one(self), one(&values), self.len());
        if n <= FEW {
            return before(&own, &values.expand_dims(-1)).astype(DType::I32).sum_axis(-1);
        }
        // As many elements as are known to be before, and twice, four times .. fewer each time.
        let mut place = Tensor::zeros(values.shape(), DType::I32);
        for step in (0..=n.ilog2()).rev().map(|k| 1i64 << k) {
            let next = &place + step;
            let element = own.take_with(&(&next - 1i64), 0, OutOfRange::Clip);
            let is_before = before(&element, &values) & next.less_equal(n as i64);
            place = is_before.select(&next, &place);
        }
        place
    }

    /// The indices of the first `size` elements that are not zero, one vector (`i32`) per dimension; where there
    /// are fewer, zeros.
    ///
    /// ```
    /// use wengert::Tensor;
    /// let rows = Tensor::from([0.0f32, 2.0, 0.0, 3.0]).nonzero(3);
    /// assert_eq!(rows[0].to_vec::<i32>(), [1, 3, 0]);
    /// ```
    #[track_caller]
    pub fn nonzero(&self, size: usize) -> Vec<Tensor> {
        let at = Location::caller();
        let mask = self.flatten().astype(DType::I1);
        let n = mask.len();
        let (found, exists) = positions(&mask, size, at);
        let mut step = n.max(1);
        let mut out = Vec::new();
        for &d in self.shape() {
            step /= d.max(1);
            let index = found.floor_divide(step as i64) % (d.max(1) as i64);
            out.push(exists.select(&index, index.zeros_like()));
        }
        out
    }

    /// The first `size` distinct elements in ascending order, NaN as one that comes last; where there are fewer, the smallest again.
    #[track_caller]
    pub fn unique(&self, size: usize) -> Tensor {
        let at = Location::caller();
        let sorted = self.flatten().sort(0);
        let n = sorted.len();
        if n == 0 {
            return Tensor::zeros(&[size], self.dtype());
        }
        let (next, before) = (sorted.get(1..), sorted.get(..n as isize - 1));
        let mut differs = next.not_equal(&before);
        if sorted.dtype().is_float() || sorted.is_complex() {
            differs = differs & (next.is_nan() & before.is_nan()).logical_not();
        }
        let fresh = crate::concatenate(&[Tensor::ones(&[1], DType::I1), differs], 0);
        let (found, exists) = positions(&fresh, size, at);
        let values = sorted.rows(&found, 0, at);
        exists.select(&values, broadcast(&sorted.get(0), &[size], at))
    }
}

/// Positions of the first `size` true elements of a vector, and whether there are so many.
fn positions(mask: &Tensor, size: usize, at: At) -> (Tensor, Tensor) {
    let n = mask.len();
    let index = Tensor::arange(n, DType::I32);
    // True elements first, in their order.
    let mut found = sort_together(&[&mask.logical_not(), &index], 0, at).remove(1);
    if size > n {
        found = crate::concatenate(&[found, Tensor::zeros(&[size - n], DType::I32)], 0);
    }
    let found = found.get(..size as isize);
    let exists = Tensor::arange(size, DType::I32).less(mask.astype(DType::I32).sum());
    (found, exists)
}
