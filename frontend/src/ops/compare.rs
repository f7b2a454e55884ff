//! Comparison, logic and selection.

use crate::Tensor;
use crate::ops::promote::{
    Operand, binary, broadcast, broadcast_shapes, convert, number_type, promote_types, unify,
};
use crate::trace::apply_at;
use std::panic::Location;
use wengert_ir::op::{BinaryOp, Compare, CompareType, Direction, Select};
use wengert_ir::types::DType;

impl Tensor {
    #[track_caller]
    fn compare(&self, other: impl Operand, direction: Direction) -> Tensor {
        let at = Location::caller();
        let (a, b) = unify("compare", self, &other.beside(self), at);
        let kind = CompareType::natural(a.dtype());
        apply_at(Compare { direction, kind }.into(), &[&a, &b], at).remove(0)
    }

    /// Elementwise `self == other`; gives booleans.
    #[track_caller]
    pub fn equal(&self, other: impl Operand) -> Tensor {
        self.compare(other, Direction::Eq)
    }
    /// Elementwise `self != other`; gives booleans.
    #[track_caller]
    pub fn not_equal(&self, other: impl Operand) -> Tensor {
        self.compare(other, Direction::Ne)
    }
    /// Elementwise `self < other`; gives booleans.
    #[track_caller]
    pub fn less(&self, other: impl Operand) -> Tensor {
        self.compare(other, Direction::Lt)
    }
    /// Elementwise `self <= other`; gives booleans.
    #[track_caller]
    pub fn less_equal(&self, other: impl Operand) -> Tensor {
        self.compare(other, Direction::Le)
    }
    /// Elementwise `self > other`; gives booleans.
    #[track_caller]
    pub fn greater(&self, other: impl Operand) -> Tensor {
        self.compare(other, Direction::Gt)
    }
    /// Elementwise `self >= other`; gives booleans.
    #[track_caller]
    pub fn greater_equal(&self, other: impl Operand) -> Tensor {
        self.compare(other, Direction::Ge)
    }

    /// Elementwise `and` of booleans.
    #[track_caller]
    pub fn logical_and(&self, other: impl Operand) -> Tensor {
        let at = Location::caller();
        let b = convert(&other.beside(self), DType::I1, at);
        binary(BinaryOp::And, &convert(self, DType::I1, at), &b, at)
    }
    /// Elementwise `or` of booleans.
    #[track_caller]
    pub fn logical_or(&self, other: impl Operand) -> Tensor {
        let at = Location::caller();
        let b = convert(&other.beside(self), DType::I1, at);
        binary(BinaryOp::Or, &convert(self, DType::I1, at), &b, at)
    }
    /// Elementwise `not` of booleans.
    #[track_caller]
    pub fn logical_not(&self) -> Tensor {
        let at = Location::caller();
        !convert(self, DType::I1, at)
    }

    /// Where `self` (booleans) is true `on_true`, else `on_false`, as `jnp.where`; all three broadcast, the values promote. A number has
    /// the type of the tensor beside it.
    ///
    /// ```
    /// use wengert::Tensor;
    /// let x = Tensor::from([-1.0f64, 4.0]);
    /// assert_eq!(x.less(0.0).select(0.0, &x).to_vec::<f64>(), [0.0, 4.0]);
    /// ```
    #[track_caller]
    pub fn select(&self, on_true: impl Operand, on_false: impl Operand) -> Tensor {
        let at = Location::caller();
        // Beside one another; where neither is a tensor, beside an integer.
        let on_true = on_true.beside(&on_false.beside(&Tensor::from(0i32)));
        let on_false = on_false.beside(&on_true);
        let (a, b) = unify("select", &on_true, &on_false, at);
        let pred = convert(self, DType::I1, at);
        let shape = broadcast_shapes(pred.shape(), a.shape());
        let (pred, a, b) = match shape {
            Some(shape) => {
                (broadcast(&pred, &shape, at), broadcast(&a, &shape, at), broadcast(&b, &shape, at))
            }
            None => (pred, a, b),
        };
        apply_at(Select {}.into(), &[&pred, &a, &b], at).remove(0)
    }

    /// Elementwise `min(max(self, lo), hi)`, of the type that all three have together. At a bound the gradient is shared equally
    /// between the element and the bound, as in JAX.
    ///
    /// ```
    /// use wengert::Tensor;
    /// let x = Tensor::from([0i32, 1, 2, 3]);
    /// assert_eq!(x.clip(1, 2).to_vec::<i32>(), [1, 1, 2, 2]);
    /// assert_eq!(x.clip(0.5, 2.5).to_vec::<f32>(), [0.5, 1.0, 2.0, 2.5]);
    /// ```
    #[track_caller]
    pub fn clip(&self, lo: impl Operand, hi: impl Operand) -> Tensor {
        let at = Location::caller();
        let x = convert(self, number_type(self.dtype()), at);
        let (lo, hi) = (lo.beside(&x), hi.beside(&x));
        let dtype = promote_types(x.dtype(), promote_types(lo.dtype(), hi.dtype()));
        let x = convert(&x, dtype, at);
        let bound = |b: Tensor| broadcast(&convert(&b, dtype, at), x.shape(), at);
        let (lo, hi) = (bound(lo), bound(hi));
        binary(BinaryOp::Minimum, &binary(BinaryOp::Maximum, &x, &lo, at), &hi, at)
    }

    /// The larger, elementwise; NaN if either is.
    #[track_caller]
    pub fn maximum(&self, other: impl Operand) -> Tensor {
        binary(BinaryOp::Maximum, self, &other.beside(self), Location::caller())
    }
    /// The smaller, elementwise; NaN if either is.
    #[track_caller]
    pub fn minimum(&self, other: impl Operand) -> Tensor {
        binary(BinaryOp::Minimum, self, &other.beside(self), Location::caller())
    }
}
