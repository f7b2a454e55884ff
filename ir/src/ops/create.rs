//! Operations that make tensors from nothing.

use super::elementwise::number::{Number, Wide};
use super::elementwise::{build, dispatch, no_tangents, result};
use crate::array::Array;
use crate::ensure;
use crate::func::Module;
use crate::op::{Constant, Iota, Zero};
use crate::rules::{Emit, EvalError, Evaluate, Jvp, OpDef, Tangents, Transpose, TypeError, Types};
use crate::types::{DTypeClass, Type};

impl OpDef for Constant {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        ensure!(operands.is_empty(), "arity", "wants no operands");
        result(self.value.ty().clone())
    }

    fn eval(&self, cx: &mut dyn Evaluate, _: &[Array]) -> Result<Vec<Array>, EvalError> {
        cx.reserve(self.value.ty())?;
        Ok(vec![self.value.to_array()])
    }

    fn jvp(&self, _: &mut dyn Emit, _: Jvp<'_>) -> Tangents {
        no_tangents(1)
    }
}

impl OpDef for Zero {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        ensure!(operands.is_empty(), "arity", "wants no operands");
        result(self.ty.clone())
    }

    /// A dimension of dynamic size has no rows.
    fn eval(&self, cx: &mut dyn Evaluate, _: &[Array]) -> Result<Vec<Array>, EvalError> {
        let mut ty = self.ty.clone();
        ty.shape.iter_mut().filter(|d| **d == crate::types::DYNAMIC).for_each(|d| *d = 0);
        cx.reserve(&ty)?;
        Ok(vec![Array::zeros(ty)])
    }

    fn jvp(&self, _: &mut dyn Emit, _: Jvp<'_>) -> Tangents {
        no_tangents(1)
    }

    fn transpose(&self, _: &mut dyn Emit, _: Transpose<'_>) -> Tangents {
        no_tangents(0)
    }

    fn is_linear(&self, linear: &[bool]) -> bool {
        linear.is_empty()
    }
}

impl OpDef for Iota {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        ensure!(operands.is_empty(), "arity", "wants no operands");
        ensure!(self.ty.dtype.class() != DTypeClass::Bool, "I1", "an iota of i1 is not defined");
        ensure!(
            self.dim < self.ty.rank(),
            "C1",
            "iota_dimension {} must be less than the rank {}",
            self.dim,
            self.ty.rank()
        );
        ensure!(self.ty.is_static(), "C1", "the sizes of an iota must be known");
        result(self.ty.clone())
    }

    fn eval(&self, cx: &mut dyn Evaluate, _: &[Array]) -> Result<Vec<Array>, EvalError> {
        fn go<T: Number>(op: &Iota) -> Array {
            let size = op.ty.shape[op.dim];
            let inner: usize = op.ty.shape[op.dim + 1..].iter().product();
            build(op.ty.dtype, &op.ty.shape, |i| T::narrow(Wide::Int((i / inner % size) as i128)))
        }
        cx.reserve(&self.ty)?;
        Ok(vec![dispatch!(self.ty.dtype, "stablehlo.iota", go(self))?])
    }

    fn jvp(&self, _: &mut dyn Emit, _: Jvp<'_>) -> Tangents {
        no_tangents(1)
    }
}
