//! Bits of integers: shifts by their names, counts, and the same bits as another type.

use crate::Tensor;
use crate::error::{Error, fail};
use crate::ops::arith::numbers;
use crate::ops::promote::Operand;
use crate::trace::apply_at;
use std::panic::Location;
use wengert_ir::op::{BinaryOp, BitcastConvert, UnaryOp};
use wengert_ir::types::{DType, TensorType};

impl Tensor {
    /// Shifted towards the low bits, zeros entering, be the integers signed or not; `x >> y` lets copies of the sign enter into signed
    /// ones.
    ///
    /// ```
    /// use wengert::Tensor;
    /// let x = Tensor::from([-8i32, 9]);
    /// assert_eq!(x.shift_right_logical(1).to_vec::<i32>(), [0x7fff_fffc, 4]);
    /// assert_eq!((&x >> 1).to_vec::<i32>(), [-4, 4]);
    /// assert_eq!((x << 2).to_vec::<i32>(), [-32, 36]);
    /// ```
    ///
    /// Both promote and broadcast; fails if one is no integer.
    #[track_caller]
    pub fn shift_right_logical(&self, by: impl Operand) -> Tensor {
        let at = Location::caller();
        let (x, by) = numbers("shift_right_logical", self, &by.beside(self), at);
        apply_at(BinaryOp::ShiftRightLogical.into(), &[&x, &by], at).remove(0)
    }

    /// How many bits of each integer are one, as `jax.lax.population_count`.
    ///
    /// ```
    /// use wengert::Tensor;
    /// assert_eq!(Tensor::from([7u32, 0, 256]).population_count().to_vec::<u32>(), [3, 0, 1]);
    /// ```
    ///
    /// Fails if the elements are no integers.
    #[track_caller]
    pub fn population_count(&self) -> Tensor {
        apply_at(UnaryOp::Popcnt.into(), &[self], Location::caller()).remove(0)
    }

    /// How many bits of each integer are zero above the highest that is one, as `jax.lax.clz`.
    ///
    /// ```
    /// use wengert::Tensor;
    /// assert_eq!(Tensor::from([1u32, 0, 256]).leading_zeros().to_vec::<u32>(), [31, 32, 23]);
    /// ```
    ///
    /// Fails if the elements are no integers.
    #[track_caller]
    pub fn leading_zeros(&self) -> Tensor {
        apply_at(UnaryOp::CountLeadingZeros.into(), &[self], Location::caller()).remove(0)
    }

    /// The same bits as elements of another type of the same size, as `x.view(dtype)` in NumPy.
    ///
    /// ```
    /// use wengert::{DType, Tensor};
    /// assert_eq!(Tensor::from(1.0f32).bitcast(DType::U32).item::<u32>(), 0x3f80_0000);
    /// ```
    ///
    /// Fails for a type of another size.
    #[track_caller]
    pub fn bitcast(&self, dtype: DType) -> Tensor {
        let at = Location::caller();
        if dtype.bits() != self.dtype().bits() {
            let message = format!("bitcast: elements of {} and of {dtype} have different sizes", self.ty());
            fail(Error::new(message, Some(at)))
        }
        let ty = TensorType::new(dtype, self.shape());
        apply_at(BitcastConvert { ty }.into(), &[self], at).remove(0)
    }
}
