//! Functional updates: `x.at((0, 1..3)).set(v)` is `x` with a part replaced, `x.at_rows(&i).add(v)` one with rows
//! added to.

use crate::Tensor;
use crate::error::{Error, fail};
use crate::ops::index::{Index, OutOfRange, from_the_end};
use crate::ops::promote::{Operand, broadcast, broadcast_shapes, convert, promote_types};
use crate::trace::apply_at;
use std::panic::Location;
use wengert_ir::op::{BinaryOp, Reducer, Scatter};
use wengert_ir::types::{DType, Dims};

/// A part of a tensor that an update is for; see [`Tensor::at`] and [`Tensor::at_rows`].
///
/// An update keeps the tensor's element type. Where it combines, it does so in the type that both promote to:
///
/// ```
/// use wengert::Tensor;
/// assert_eq!(Tensor::from([4i32, 2]).at(0).mul(0.5).to_vec::<i32>(), [2, 2]);
/// ```
#[derive(Clone, Debug)]
pub struct Part {
    /// What is updated, in the shape that the scatter works on.
    flat: Tensor,
    shape: Dims,
    /// Rows of `flat`; of any shape.
    indices: Tensor,
    /// Whether no row is meant twice.
    unique: bool,
    /// What was asked for; JAX's defaults are not the same for reading and writing.
    out_of_range: Option<OutOfRange>,
}

impl Tensor {
    /// A part by basic indexing (see [`Tensor::get`]), to be updated.
    ///
    /// ```
    /// use wengert::Tensor;
    /// let x = Tensor::from([[1.0f32, 2.0], [3.0, 4.0]]);
    /// assert_eq!(x.at((.., 1)).set(0.0).to_vec::<f32>(), [1.0, 0.0, 3.0, 0.0]);
    /// assert_eq!(x.at(-1).add(10.0).to_vec::<f32>(), [1.0, 2.0, 13.0, 14.0]);
    /// ```
    #[track_caller]
    pub fn at(&self, index: impl Index) -> Part {
        let list = index.list();
        // Which elements are meant: the same indexing of their positions.
        let dtype = if self.len() <= i32::MAX as usize { DType::I32 } else { DType::I64 };
        let positions = Tensor::arange(self.len(), dtype).reshape_to(self.shape().into(), Location::caller());
        let indices = positions.get(&list[..]);
        Part { flat: self.flatten(), shape: self.shape().into(), indices, unique: true, out_of_range: None }
    }

    /// The rows (along the first axis) at integer `indices`, to be updated. Negative indices count from the end;
    /// updates out of range are dropped; of several that set one row the last wins, the others combine.
    ///
    /// ```
    /// use wengert::Tensor;
    /// let x = Tensor::zeros(&[4], wengert::DType::F32);
    /// assert_eq!(x.at_rows(&Tensor::from([1, 3, 1])).add(1.0).to_vec::<f32>(), [0.0, 2.0, 0.0, 1.0]);
    /// ```
    ///
    /// Fails for a scalar, or if the indices are not integers.
    #[track_caller]
    pub fn at_rows(&self, indices: &Tensor) -> Part {
        if self.rank() == 0 || !indices.dtype().is_integer() {
            let message = format!("at_rows: indices {} for {}", indices.ty(), self.ty());
            fail(Error::new(message, Some(Location::caller())))
        }
        let indices = from_the_end("at_rows", indices, self.shape()[0], Location::caller());
        Part { flat: self.clone(), shape: self.shape().into(), indices, unique: false, out_of_range: None }
    }
}

impl Part {
    /// The part with this choice of what rows out of range do. Without one they are clamped where the part is read and
    /// dropped where it is written, as in JAX.
    ///
    /// ```
    /// use wengert::{OutOfRange, Tensor};
    /// let x = Tensor::from([1.0f32, 2.0]);
    /// let part = x.at_rows(&Tensor::from([5i32])).out_of_range(OutOfRange::Clip);
    /// assert_eq!(part.set(7.0).to_vec::<f32>(), [1.0, 7.0]);
    /// ```
    pub fn out_of_range(mut self, choice: OutOfRange) -> Part {
        self.out_of_range = Some(choice);
        self
    }

    #[track_caller]
    fn scatter(&self, values: impl Operand, reducer: Reducer) -> Tensor {
        let at = Location::caller();
        let x = &self.flat;
        let rank = self.indices.rank();
        let updates: Dims = self.indices.shape().iter().chain(&x.shape()[1..]).copied().collect();
        let values = values.beside(x);
        let dtype = match reducer {
            Reducer::Assign => x.dtype(),
            // As JAX: both are combined in the type that they promote to, and what comes of it is converted.
            Reducer::Op(_) | Reducer::Func(_) => promote_types(x.dtype(), values.dtype()),
        };
        if dtype != x.dtype() {
            let wide = Part { flat: convert(x, dtype, at), ..self.clone() };
            return convert(&wide.scatter(values, reducer), x.dtype(), at);
        }
        let values = convert(&values, x.dtype(), at);
        if broadcast_shapes(values.shape(), &updates).as_deref() != Some(&updates[..]) {
            let message = format!("at: values {} for a part of shape {:?}", values.ty(), &updates[..]);
            fail(Error::new(message, Some(at)))
        }
        let op = Scatter {
            update_window_dims: (rank..updates.len()).collect(),
            inserted_window_dims: Dims::from_slice(&[0]),
            input_batching_dims: Dims::new(),
            scatter_indices_batching_dims: Dims::new(),
            scatter_dims_to_operand_dims: Dims::from_slice(&[0]),
            index_vector_dim: rank,
            indices_are_sorted: false,
            unique_indices: self.unique,
            inputs: 1,
            reducer,
        };
        let values = broadcast(&values, &updates, at);
        let indices = match self.out_of_range {
            None | Some(OutOfRange::Fill) => self.indices.clone(),
            Some(OutOfRange::Clip) => self.indices.clip(0i64, x.shape()[0] as i64 - 1),
        };
        let out = apply_at(op.into(), &[x, &indices, &values], at).remove(0);
        out.reshape_to(self.shape.clone(), at)
    }

    /// The part itself.
    #[track_caller]
    pub fn get(&self) -> Tensor {
        let at = Location::caller();
        let rows = self.flat.rows(&self.indices, 0, at);
        match self.out_of_range {
            None | Some(OutOfRange::Clip) => rows,
            Some(OutOfRange::Fill) => {
                let ones = std::iter::repeat_n(1, self.flat.rank() - 1);
                let shape: Dims = self.indices.shape().iter().copied().chain(ones).collect();
                rows.where_in_range(&self.indices.reshape_to(shape, at), self.flat.shape()[0])
            }
        }
    }
    /// The tensor with the part replaced by `values`, which broadcast.
    #[track_caller]
    pub fn set(&self, values: impl Operand) -> Tensor {
        self.scatter(values, Reducer::Assign)
    }
    /// The tensor with `values` added to the part.
    #[track_caller]
    pub fn add(&self, values: impl Operand) -> Tensor {
        self.scatter(values, Reducer::Op(BinaryOp::Add))
    }
    /// The tensor with the part multiplied by `values`.
    #[track_caller]
    pub fn mul(&self, values: impl Operand) -> Tensor {
        self.scatter(values, Reducer::Op(BinaryOp::Multiply))
    }
    /// The tensor with the smaller of the part and `values`.
    #[track_caller]
    pub fn min(&self, values: impl Operand) -> Tensor {
        self.scatter(values, Reducer::Op(BinaryOp::Minimum))
    }
    /// The tensor with the larger of the part and `values`.
    #[track_caller]
    pub fn max(&self, values: impl Operand) -> Tensor {
        self.scatter(values, Reducer::Op(BinaryOp::Maximum))
    }
}
