//! Elementwise operations: what they accept, their values and their derivatives.
//!
//! [`number`] holds the arithmetic of one element, the other files one family each.

mod binary;
mod complex;
mod convert;
pub(crate) mod number;
pub(crate) mod small;
mod special;
mod ternary;
mod unary;

pub use convert::convert;

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

/// `Ok` of `$f::<T>($args)` with the number type of `$dtype`.
macro_rules! dispatch {
    ($dtype:expr, $name:expr, $f:ident($($arg:expr),*)) => {{
        use $crate::types::DType as D;
        use $crate::ops::elementwise::number::Bool;
        use $crate::ops::elementwise::small::{Mini, Signed, Unsigned};
        let out: Result<_, $crate::rules::EvalError> = match $dtype {
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
            D::C64 => Ok($f::<[f32; 2]>($($arg),*)),
            D::C128 => Ok($f::<[f64; 2]>($($arg),*)),
            D::I2 => Ok($f::<Signed<2>>($($arg),*)),
            D::I4 => Ok($f::<Signed<4>>($($arg),*)),
            D::U2 => Ok($f::<Unsigned<2>>($($arg),*)),
            D::U4 => Ok($f::<Unsigned<4>>($($arg),*)),
            D::F4E2M1FN => Ok($f::<Mini<{ D::F4E2M1FN as usize }>>($($arg),*)),
            D::F6E2M3FN => Ok($f::<Mini<{ D::F6E2M3FN as usize }>>($($arg),*)),
            D::F6E3M2FN => Ok($f::<Mini<{ D::F6E3M2FN as usize }>>($($arg),*)),
            D::F8E8M0FNU => Ok($f::<Mini<{ D::F8E8M0FNU as usize }>>($($arg),*)),
            D::F8E4M3FN => Ok($f::<Mini<{ D::F8E4M3FN as usize }>>($($arg),*)),
            D::F8E5M2 => Ok($f::<Mini<{ D::F8E5M2 as usize }>>($($arg),*)),
            D::F8E4M3 => Ok($f::<Mini<{ D::F8E4M3 as usize }>>($($arg),*)),
            D::F8E4M3B11FNUZ => Ok($f::<Mini<{ D::F8E4M3B11FNUZ as usize }>>($($arg),*)),
            D::F8E4M3FNUZ => Ok($f::<Mini<{ D::F8E4M3FNUZ as usize }>>($($arg),*)),
            D::F8E5M2FNUZ => Ok($f::<Mini<{ D::F8E5M2FNUZ as usize }>>($($arg),*)),
            D::F8E3M4 => Ok($f::<Mini<{ D::F8E3M4 as usize }>>($($arg),*)),
        };
        let _ = $name;
        out
    }};
}
pub(crate) use dispatch;

/// The error for an element type that an operation has no meaning for.
pub(crate) fn unsupported(op: &str, dtype: DType) -> EvalError {
    EvalError::Unsupported(format!("{op} of {dtype}"))
}

/// No tangents for `n` results.
pub(crate) fn no_tangents(n: usize) -> Tangents {
    (0..n).map(|_| None).collect()
}
