//! The numbers that factorizations compute with: `f64` and pairs of them. Narrower types are widened on the
//! way in and rounded on the way out, which errs less than LAPACK does in their own precision.

use crate::array::Array;
use crate::rules::EvalError;
use crate::types::{DType, TensorType};
use smallvec::SmallVec;
pub(super) use wengert_libraries::dense::{Mat, Scalar};

/// A complex number of `f64`.
pub(super) type C = wengert_libraries::Complex64;

/// The real type of a float or complex type.
pub(super) fn real_dtype(dtype: DType) -> DType {
    match dtype {
        DType::C64 => DType::F32,
        DType::C128 => DType::F64,
        other => other,
    }
}

/// The complex type of a float or complex type.
pub(super) fn complex_dtype(dtype: DType) -> DType {
    match dtype {
        DType::F32 => DType::C64,
        DType::F64 => DType::C128,
        other => other,
    }
}

fn pairs(bytes: &[u8], size: usize, one: impl Fn(&[u8]) -> f64) -> Vec<f64> {
    bytes.chunks_exact(size).map(one).collect()
}

/// The elements of a float array, or real and imaginary parts in turn.
pub(super) fn parts(x: &Array) -> Result<Vec<f64>, EvalError> {
    let b = x.bytes();
    Ok(match x.dtype() {
        DType::F64 => x.as_slice::<f64>().to_vec(),
        DType::C128 => pairs(b, 8, |c| f64::from_le_bytes([c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]])),
        DType::F32 | DType::C64 => pairs(b, 4, |c| f32::from_le_bytes([c[0], c[1], c[2], c[3]]) as f64),
        DType::F16 => pairs(b, 2, |c| half::f16::from_le_bytes([c[0], c[1]]).to_f64()),
        DType::BF16 => pairs(b, 2, |c| half::bf16::from_le_bytes([c[0], c[1]]).to_f64()),
        other => return Err(EvalError::Unsupported(format!("linear algebra over {other}"))),
    })
}

/// An array of a float or complex type from [`parts`]. Panics if there are too few.
pub(super) fn from_parts(ty: TensorType, parts: &[f64]) -> Array {
    let mut out = Array::zeros(ty);
    let dtype = out.dtype();
    let bytes = out.bytes_mut();
    match dtype {
        DType::F64 | DType::C128 => {
            for (c, v) in bytes.chunks_exact_mut(8).zip(parts) {
                c.copy_from_slice(&v.to_le_bytes());
            }
        }
        DType::F32 | DType::C64 => {
            for (c, v) in bytes.chunks_exact_mut(4).zip(parts) {
                c.copy_from_slice(&(*v as f32).to_le_bytes());
            }
        }
        DType::F16 => {
            for (c, v) in bytes.chunks_exact_mut(2).zip(parts) {
                c.copy_from_slice(&half::f16::from_f64(*v).to_le_bytes());
            }
        }
        DType::BF16 => {
            for (c, v) in bytes.chunks_exact_mut(2).zip(parts) {
                c.copy_from_slice(&half::bf16::from_f64(*v).to_le_bytes());
            }
        }
        other => unreachable!("`infer` admits floats and complex numbers, not {other}"),
    }
    out
}

/// Elements as they are worked on; those of small matrices need no memory of their own.
type Doubles = SmallVec<[f64; 256]>;

/// The elements of a real array, if they lie as numbers of 32 or 64 bits do: where they are, or copies of the narrow ones, as
/// [`parts`] widens them.
#[allow(
    clippy::large_enum_variant,
    reason = "on the stack for as long as a call, instead of in memory that is asked for"
)]
pub(super) enum Reals<'b> {
    Here(&'b [f64]),
    Copies(Doubles),
}

impl<'b> Reals<'b> {
    pub(super) fn of(ty: &TensorType, bytes: &'b [u8]) -> Option<Self> {
        if ty.dtype == DType::F64 {
            return bytemuck::try_cast_slice(bytes).ok().map(Reals::Here);
        }
        let narrow: &[f32] = bytemuck::try_cast_slice(bytes).ok().filter(|_| ty.dtype == DType::F32)?;
        Some(Reals::Copies(narrow.iter().map(|&x| f64::from(x)).collect()))
    }
}

impl std::ops::Deref for Reals<'_> {
    type Target = [f64];
    fn deref(&self) -> &[f64] {
        match self {
            Reals::Here(all) => all,
            Reals::Copies(all) => all,
        }
    }
}

/// Does something with the elements of a real array in the place of a result of its type: where they are to lie, or on copies that
/// are rounded there, as [`from_parts`] does it. `None` if they do not lie as numbers do.
pub(super) fn in_place<R>(
    ty: &TensorType,
    from: &[u8],
    to: &mut [u8],
    work: impl FnOnce(&mut [f64]) -> R,
) -> Option<R> {
    match Reals::of(ty, from)? {
        Reals::Here(all) => {
            let to: &mut [f64] = bytemuck::try_cast_slice_mut(to).ok()?;
            to.copy_from_slice(all);
            Some(work(to))
        }
        Reals::Copies(mut all) => {
            let to: &mut [f32] = bytemuck::try_cast_slice_mut(to).ok()?;
            let found = work(&mut all);
            to.iter_mut().zip(&all).for_each(|(to, &x)| *to = x as f32);
            Some(found)
        }
    }
}

/// The elements of an array whose type is real if and only if `T` is.
pub(super) fn load<T: Scalar>(x: &Array) -> Result<Vec<T>, EvalError> {
    Ok(T::from_parts(parts(x)?))
}

/// An array from elements, of which a real type keeps real parts.
pub(super) fn store<T: Scalar>(ty: TensorType, elements: Vec<T>) -> Array {
    let parts: Vec<f64> = match (T::COMPLEX, ty.dtype.is_complex()) {
        (true, true) | (false, false) => T::into_parts(elements),
        (true, false) => elements.iter().map(|x| x.re()).collect(),
        (false, true) => elements.iter().flat_map(|x| [x.re(), x.im()]).collect(),
    };
    from_parts(ty, &parts)
}

/// The matrices of a batch, in order.
pub(super) fn matrices<T: Scalar>(x: &Array) -> Result<Vec<Mat<T>>, EvalError> {
    let (rows, cols) = sizes(x.shape());
    let all = load::<T>(x)?;
    let batches = count(x.shape());
    if batches == 1 {
        return Ok(vec![Mat { rows, cols, data: all }]);
    }
    let size = rows * cols;
    Ok((0..batches).map(|b| Mat { rows, cols, data: all[b * size..(b + 1) * size].to_vec() }).collect())
}

/// How many matrices an array of them has.
pub(super) fn count(shape: &[usize]) -> usize {
    shape[..shape.len() - 2].iter().product()
}

/// Rows and columns of a batch of matrices.
pub(super) fn sizes(shape: &[usize]) -> (usize, usize) {
    let rank = shape.len();
    (shape[rank - 2], shape[rank - 1])
}
