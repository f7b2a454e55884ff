//! Discrete Fourier transforms, with the names and conventions of `jax.numpy.fft`: forward transforms have no
//! factor, inverse ones 1/n. Of single precision come complex numbers of single precision.

use crate::Tensor;
use crate::error::{Error, fail};
use crate::ops::promote::{convert, float_type};
use crate::ops::reduce::axes as axes_of;
use crate::trace::apply_at;
use std::panic::Location;
use wengert_ir::op::{Fft, FftType};
use wengert_ir::types::{DType, Dims};

type At = &'static Location<'static>;

fn wide(dtype: DType) -> bool {
    matches!(dtype, DType::F64 | DType::C128)
}

fn as_complex(x: &Tensor, at: At) -> Tensor {
    if x.is_complex() {
        return x.clone();
    }
    let float = as_real("fft", x, at);
    convert(&float, if wide(float.dtype()) { DType::C128 } else { DType::C64 }, at)
}

fn as_real(name: &str, x: &Tensor, at: At) -> Tensor {
    if x.is_complex() {
        fail(Error::new(format!("{name}: takes real numbers, here: {}", x.ty()), Some(at)))
    }
    if wide(x.dtype()) {
        x.clone()
    } else {
        let dtype = float_type(x.dtype());
        convert(x, if wide(dtype) { dtype } else { DType::F32 }, at)
    }
}

/// Cut or filled with zeros to this length.
fn sized(x: &Tensor, dim: usize, n: usize) -> Tensor {
    let have = x.shape()[dim];
    if n == have {
        return x.clone();
    }
    let mut width = vec![(0, 0); x.rank()];
    width[dim].1 = n as i64 - have as i64;
    x.pad(&width, 0.0)
}

/// One transform over dimensions in any place, the last of which is the one that a real transform halves.
fn transform(name: &str, x: &Tensor, kind: FftType, n: Option<&[usize]>, axes: &[isize], at: At) -> Tensor {
    let wrong = |why: String| fail(Error::new(format!("{name}: {why}; operand: {}", x.ty()), Some(at)));
    let dims = axes_of(name, x, axes, at);
    let Some(&last) = dims.last() else { wrong("no dimension to transform".to_owned()) };
    if n.is_some_and(|n| n.len() != dims.len()) {
        wrong(format!("lengths {n:?} for {} dimensions", dims.len()))
    }
    let halved = kind == FftType::Irfft;
    let length: Dims = (0..dims.len())
        .map(|i| match n {
            Some(n) => n[i],
            None if halved && dims[i] == last => 2 * x.shape()[last].saturating_sub(1),
            None => x.shape()[dims[i]],
        })
        .collect();
    if x.is_empty() && n.is_none() && !halved {
        // Nothing of nothing, as with JAX.
        let mut shape = x.shape().to_vec();
        if kind == FftType::Rfft {
            shape[last] = shape[last] / 2 + 1;
        }
        let terms = if kind == FftType::Rfft { as_real(name, x, at) } else { x.clone() };
        return Tensor::zeros(&shape, as_complex(&terms, at).dtype());
    }
    if let Some(n) = length.iter().find(|&&n| n == 0 || n > i32::MAX as usize) {
        wrong(format!("transforms of length {n}"))
    }
    let mut x = if kind == FftType::Rfft { as_real(name, x, at) } else { as_complex(x, at) };
    for (&d, &n) in dims.iter().zip(&length) {
        x = sized(&x, d, if halved && d == last { n / 2 + 1 } else { n });
    }
    if dims.len() <= 3 {
        // The transformed dimensions come last.
        let to: Vec<isize> = (0..dims.len()).map(|i| i as isize - dims.len() as isize).collect();
        let from: Vec<isize> = dims.iter().map(|&d| d as isize).collect();
        let y = x.moveaxis(&from, &to);
        return apply_at(Fft { kind, length }.into(), &[&y], at).remove(0).moveaxis(&to, &from);
    }
    // One after another; the halved dimension is the first of a real transform and the last of its inverse.
    let others = match kind {
        FftType::Rfft => FftType::Fft,
        FftType::Irfft => FftType::Ifft,
        kind => kind,
    };
    let mut order: Vec<usize> = (0..dims.len()).collect();
    if !halved {
        order.reverse();
    }
    for i in order {
        let kind = if dims[i] == last { kind } else { others };
        x = transform(name, &x, kind, Some(&[length[i]]), &[dims[i] as isize], at);
    }
    x
}

fn every(x: &Tensor) -> Vec<isize> {
    (0..x.rank() as isize).collect()
}

/// Discrete Fourier transform over one dimension, cut or filled with zeros to length `n` if that is given.
///
/// ```
/// use wengert::{Tensor, fft};
/// let x = Tensor::from([1.0f64, 2.0, 3.0, 4.0]);
/// let y = fft::fft(&x, None, -1);
/// assert_eq!(y.real().to_vec::<f64>(), [10.0, -2.0, -2.0, -2.0]);
/// assert_eq!(fft::ifft(&y, None, -1).real().to_vec::<f64>(), [1.0, 2.0, 3.0, 4.0]);
/// ```
///
/// Fails if there is no such axis or the length is 0.
#[track_caller]
pub fn fft(x: &Tensor, n: Option<usize>, axis: isize) -> Tensor {
    transform("fft", x, FftType::Fft, n.as_ref().map(std::slice::from_ref), &[axis], Location::caller())
}

/// Inverse of [`fft`], with the factor 1/n.
#[track_caller]
pub fn ifft(x: &Tensor, n: Option<usize>, axis: isize) -> Tensor {
    transform("ifft", x, FftType::Ifft, n.as_ref().map(std::slice::from_ref), &[axis], Location::caller())
}

/// Transform of real numbers: the first n/2 + 1 terms along `axis`, of which the others are conjugates.
///
/// ```
/// use wengert::{Tensor, fft};
/// let x = Tensor::from([1.0f64, 2.0, 3.0]);
/// let y = fft::rfft(&x, None, -1);
/// assert_eq!(y.shape(), [2]);
/// assert!(fft::irfft(&y, Some(3), -1).allclose(&x, 1e-12, 1e-12).item::<bool>());
/// ```
///
/// Fails for complex operands.
#[track_caller]
pub fn rfft(x: &Tensor, n: Option<usize>, axis: isize) -> Tensor {
    transform("rfft", x, FftType::Rfft, n.as_ref().map(std::slice::from_ref), &[axis], Location::caller())
}

/// Inverse of [`rfft`]; the length of the result is `n`, or 2 (m - 1) for m terms.
#[track_caller]
pub fn irfft(x: &Tensor, n: Option<usize>, axis: isize) -> Tensor {
    transform("irfft", x, FftType::Irfft, n.as_ref().map(std::slice::from_ref), &[axis], Location::caller())
}

/// [`fft`] over the last two dimensions.
#[track_caller]
pub fn fft2(x: &Tensor) -> Tensor {
    transform("fft2", x, FftType::Fft, None, &[-2, -1], Location::caller())
}

/// [`ifft`] over the last two dimensions.
#[track_caller]
pub fn ifft2(x: &Tensor) -> Tensor {
    transform("ifft2", x, FftType::Ifft, None, &[-2, -1], Location::caller())
}

/// [`rfft`] over the last two dimensions: the last is the halved one.
#[track_caller]
pub fn rfft2(x: &Tensor) -> Tensor {
    transform("rfft2", x, FftType::Rfft, None, &[-2, -1], Location::caller())
}

/// Inverse of [`rfft2`], with lengths of both dimensions if given.
#[track_caller]
pub fn irfft2(x: &Tensor, s: Option<[usize; 2]>) -> Tensor {
    transform("irfft2", x, FftType::Irfft, s.as_ref().map(|s| &s[..]), &[-2, -1], Location::caller())
}

/// [`fft`] over all dimensions.
#[track_caller]
pub fn fftn(x: &Tensor) -> Tensor {
    transform("fftn", x, FftType::Fft, None, &every(x), Location::caller())
}

/// [`ifft`] over all dimensions.
#[track_caller]
pub fn ifftn(x: &Tensor) -> Tensor {
    transform("ifftn", x, FftType::Ifft, None, &every(x), Location::caller())
}

/// [`rfft`] over all dimensions: the last is the halved one.
#[track_caller]
pub fn rfftn(x: &Tensor) -> Tensor {
    transform("rfftn", x, FftType::Rfft, None, &every(x), Location::caller())
}

/// Inverse of [`rfftn`], with the length of each dimension if given.
#[track_caller]
pub fn irfftn(x: &Tensor, s: Option<&[usize]>) -> Tensor {
    transform("irfftn", x, FftType::Irfft, s, &every(x), Location::caller())
}

/// The frequencies of the terms of [`fft`] of length `n`, in cycles per unit where samples are `d` apart.
///
/// ```
/// use wengert::{DType, fft};
/// assert_eq!(fft::fftfreq(4, 0.5, DType::F64).to_vec::<f64>(), [0.0, 0.5, -1.0, -0.5]);
/// ```
#[track_caller]
pub fn fftfreq(n: usize, d: f64, dtype: DType) -> Tensor {
    let i = Tensor::arange(n, dtype);
    let negative = i.greater_equal(n.div_ceil(2) as f64);
    negative.select(&(&i - n as f64), &i) / (d * n as f64)
}

/// The frequencies of the terms of [`rfft`].
#[track_caller]
pub fn rfftfreq(n: usize, d: f64, dtype: DType) -> Tensor {
    Tensor::arange(n / 2 + 1, dtype) / (d * n as f64)
}

/// Moves the term of frequency zero to the middle of each of these dimensions.
///
/// ```
/// use wengert::{Tensor, fft};
/// let x = Tensor::from([0.0f64, 1.0, 2.0, -2.0, -1.0]);
/// assert_eq!(fft::fftshift(&x, &[0]).to_vec::<f64>(), [-2.0, -1.0, 0.0, 1.0, 2.0]);
/// ```
#[track_caller]
pub fn fftshift(x: &Tensor, over: &[isize]) -> Tensor {
    let dims = axes_of("fftshift", x, over, Location::caller());
    dims.iter().fold(x.clone(), |x, &d| x.roll((x.shape()[d] / 2) as isize, d as isize))
}

/// Inverse of [`fftshift`].
#[track_caller]
pub fn ifftshift(x: &Tensor, over: &[isize]) -> Tensor {
    let dims = axes_of("ifftshift", x, over, Location::caller());
    dims.iter().fold(x.clone(), |x, &d| x.roll(-((x.shape()[d] / 2) as isize), d as isize))
}
