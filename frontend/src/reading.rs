//! What Rust reads of a tensor: values of one that is concrete or whose trace knows them. On a tape a read is a guard.

use crate::error::{Error, fail};
use crate::tensor::{Item, Tensor};
use crate::trace::{concrete, read};
use std::panic::Location;
use wengert_ir::array::Array;

impl Tensor {
    /// The value of a tensor with one element.
    ///
    /// Fails if it has not exactly one, if `T` is not its element type, or if the tensor has no value because it is
    /// traced under `jit` (under `grad` without `jit`, values flow). While a [`Tape`](crate::tape::Tape) is recorded the value is a
    /// guard.
    #[track_caller]
    pub fn item<T: Item>(&self) -> T {
        let at = Location::caller();
        let value = read(self, ".item()", at).unwrap_or_else(|e| fail(e));
        if value.len() != 1 {
            fail(Error::new(
                format!(".item() of a tensor with {} elements ({})", value.len(), value.ty()),
                Some(at),
            ))
        }
        if value.dtype() != T::DTYPE {
            let message = format!(".item::<{}>() of a {}", std::any::type_name::<T>(), value.ty());
            fail(Error::new(message, Some(at)))
        }
        T::read(value.bytes().expect("concrete"))
    }

    /// The elements in row-major order.
    ///
    /// Fails as [`Self::item`] does.
    #[track_caller]
    pub fn to_vec<T: Item>(&self) -> Vec<T> {
        let at = Location::caller();
        let value = read(self, ".to_vec()", at).unwrap_or_else(|e| fail(e));
        if value.dtype() != T::DTYPE {
            let message = format!(".to_vec::<{}>() of a {}", std::any::type_name::<T>(), value.ty());
            fail(Error::new(message, Some(at)))
        }
        value.bytes().expect("concrete").chunks_exact(T::DTYPE.size()).map(T::read).collect()
    }

    /// The concrete array behind the tensor, for exchange with [`wengert_ir`].
    ///
    /// Fails if the tensor has no value because it is traced under `jit`.
    #[track_caller]
    pub fn to_array(&self) -> Array {
        let value = read(self, ".to_array()", Location::caller()).unwrap_or_else(|e| fail(e));
        value.array().expect("concrete")
    }

    /// The value of a tensor that is traced by `grad` or the like, as a tensor that is not: to be looked at, where nothing is decided
    /// by what is seen. While a [`Tape`](crate::tape::Tape) is recorded it is no guard, unlike [`Self::item`] of the tensor itself; and
    /// what is computed from it is a constant for derivatives and tapes.
    ///
    /// ```
    /// use wengert::{Tensor, tape::Tape};
    /// let f = |x: Tensor| {
    ///     eprintln!("x is {}", x.peek());
    ///     &x * &x
    /// };
    /// let (_, tape) = Tape::record(f, (Tensor::from(3.0f64),));
    /// assert!(tape.guards().is_empty());
    /// ```
    ///
    /// Fails as [`Self::item`] does where there is no value.
    #[track_caller]
    pub fn peek(&self) -> Tensor {
        concrete(self, ".peek()", Location::caller()).unwrap_or_else(|e| fail(e))
    }
}
