//! Elementwise operations: what they accept, their values and their derivatives.
//!
//! [`number`] holds the arithmetic of one element, the other files one family each.

mod binary;
mod convert;
pub(crate) mod number;
mod ternary;
#[cfg(test)]
mod tests;
mod unary;

use crate::array::Array;
use crate::ensure;
use crate::rules::{EvalError, Tangents, TypeError, Types};
use crate::types::{DType, DTypeClass, TensorType, Type};
use smallvec::smallvec;

/// The tensor types of exactly `N` operands.
pub(crate) fn tensors<const N: usize>(operands: &[Type]) -> Result<[&TensorType; N], TypeError> {
    ensure!(operands.len() == N, "arity", "wants {N} operands, has {}", operands.len());
    let mut out = [None; N];
    for (k, operand) in operands.iter().enumerate() {
        let Some(tensor) = operand.as_tensor() else {
            return Err(TypeError::new("I1", format!("operand {k} must be a tensor, is {operand}")));
        };
        out[k] = Some(tensor);
    }
    Ok(out.map(|t| t.expect("all filled")))
}

/// One tensor result.
pub(crate) fn result(ty: TensorType) -> Result<Types, TypeError> {
    Ok(smallvec![Type::Tensor(ty)])
}

/// The kinds of element type that an operation takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Accepts {
    /// In words, for messages.
    words: &'static str,
    classes: &'static [DTypeClass],
}

impl Accepts {
    const FLOAT: Self = Self { words: "floating-point", classes: &[DTypeClass::Float] };
    const FLOAT_COMPLEX: Self =
        Self { words: "floating-point or complex", classes: &[DTypeClass::Float, DTypeClass::Complex] };
    const SIGNED: Self = Self {
        words: "signed integer, floating-point or complex",
        classes: &[DTypeClass::Signed, DTypeClass::Float, DTypeClass::Complex],
    };
    const NUMBER: Self = Self {
        words: "integer, floating-point or complex",
        classes: &[DTypeClass::Signed, DTypeClass::Unsigned, DTypeClass::Float, DTypeClass::Complex],
    };
    const INTEGER: Self = Self { words: "integer", classes: &[DTypeClass::Signed, DTypeClass::Unsigned] };
    const BITS: Self = Self {
        words: "boolean or integer",
        classes: &[DTypeClass::Bool, DTypeClass::Signed, DTypeClass::Unsigned],
    };
    const ANY: Self = Self {
        words: "any",
        classes: &[
            DTypeClass::Bool,
            DTypeClass::Signed,
            DTypeClass::Unsigned,
            DTypeClass::Float,
            DTypeClass::Complex,
        ],
    };

    /// Whether the element type is of one of the kinds.
    pub(crate) fn contains(self, dtype: DType) -> bool {
        self.classes.contains(&dtype.class())
    }

    fn check(self, ty: &TensorType) -> Result<(), TypeError> {
        ensure!(self.contains(ty.dtype), "I1", "element type must be {}, is {}", self.words, ty.dtype);
        Ok(())
    }
}

/// An array of `shape` whose elements `at` gives by position. `dtype` has the memory form of `T`.
pub(crate) fn build<T: bytemuck::Pod>(dtype: DType, shape: &[usize], at: impl Fn(usize) -> T) -> Array {
    let mut out = Array::zeros(TensorType::new(dtype, shape));
    let elements: &mut [T] = bytemuck::cast_slice_mut(out.bytes_mut());
    for (i, element) in elements.iter_mut().enumerate() {
        *element = at(i);
    }
    out
}

/// The elements of an array in the memory form of its type.
pub(crate) fn elements<T: bytemuck::Pod>(array: &Array) -> &[T] {
    bytemuck::cast_slice(array.bytes())
}

/// Calls `$f::<T>($args)` with the number type of `$dtype`; other element types are not executable.
macro_rules! dispatch {
    ($dtype:expr, $name:expr, $f:ident($($arg:expr),*)) => {{
        use $crate::types::DType as D;
        use $crate::ops::elementwise::number::Bool;
        match $dtype {
            D::F64 => Ok($f::<f64>($($arg),*)),
            D::F32 => Ok($f::<f32>($($arg),*)),
            D::F16 => Ok($f::<half::f16>($($arg),*)),
            D::BF16 => Ok($f::<half::bf16>($($arg),*)),
            D::I8 => Ok($f::<i8>($($arg),*)),
            D::I16 => Ok($f::<i16>($($arg),*)),
            D::I32 => Ok($f::<i32>($($arg),*)),
            D::I64 => Ok($f::<i64>($($arg),*)),
            D::U8 => Ok($f::<u8>($($arg),*)),
            D::U16 => Ok($f::<u16>($($arg),*)),
            D::U32 => Ok($f::<u32>($($arg),*)),
            D::U64 => Ok($f::<u64>($($arg),*)),
            D::I1 => Ok($f::<Bool>($($arg),*)),
            D::I4 | D::U4 | D::C64 | D::C128 | D::F8E4M3FN | D::F8E5M2 | D::F8E4M3 | D::F8E4M3B11FNUZ
            | D::F8E4M3FNUZ | D::F8E5M2FNUZ | D::F8E3M4 => Err($crate::ops::elementwise::unsupported($name, $dtype)),
        }
    }};
}
pub(crate) use dispatch;

/// The error for an element type that parses and prints only.
pub(crate) fn unsupported(op: &str, dtype: DType) -> EvalError {
    EvalError::Unsupported(format!("{op} of {dtype}"))
}

/// No tangents for `n` results.
pub(crate) fn no_tangents(n: usize) -> Tangents {
    (0..n).map(|_| None).collect()
}
