//! Complex numbers. Derivatives follow JAX: the gradient of a real function `f` of `z = x + iy` is
//! `df/dx - i df/dy`.

use crate::Tensor;
use crate::ops::promote::floating;
use crate::trace::apply_at;
use std::panic::Location;
use wengert_ir::op::{BinaryOp, UnaryOp};
use wengert_ir::types::DType;

impl Tensor {
    /// `re + i im`: `complex<f32>` of two `f32` tensors, `complex<f64>` of two `f64` tensors of one shape.
    ///
    /// Fails for other element types and for shapes that differ.
    ///
    /// ```
    /// use wengert::Tensor;
    /// let z = Tensor::complex(&Tensor::from([3.0, 1.0]), &Tensor::from([4.0, 0.0]));
    /// assert_eq!(z.abs().to_vec::<f64>(), [5.0, 1.0]);
    /// assert_eq!((&z * &z).to_vec::<(f64, f64)>(), [(-7.0, 24.0), (1.0, 0.0)]);
    /// ```
    #[track_caller]
    pub fn complex(re: &Tensor, im: &Tensor) -> Tensor {
        apply_at(BinaryOp::Complex.into(), &[re, im], Location::caller()).remove(0)
    }

    /// The real part; a tensor that is not complex itself.
    ///
    /// ```
    /// use wengert::Tensor;
    /// let z = Tensor::new(&[2], &[(1.0f32, 2.0f32), (3.0, -4.0)]);
    /// assert_eq!(z.real().to_vec::<f32>(), [1.0, 3.0]);
    /// assert_eq!(z.imag().to_vec::<f32>(), [2.0, -4.0]);
    /// ```
    #[track_caller]
    pub fn real(&self) -> Tensor {
        if !self.is_complex() {
            return self.clone();
        }
        apply_at(UnaryOp::Real.into(), &[self], Location::caller()).remove(0)
    }

    /// The imaginary part; zeros of a tensor that is not complex.
    #[track_caller]
    pub fn imag(&self) -> Tensor {
        if !self.is_complex() {
            return self.zeros_like();
        }
        apply_at(UnaryOp::Imag.into(), &[self], Location::caller()).remove(0)
    }

    /// The complex conjugate; a tensor that is not complex itself.
    ///
    /// ```
    /// use wengert::Tensor;
    /// let z = Tensor::new(&[], &[(1.0, 2.0)]);
    /// assert_eq!((&z * z.conj()).item::<(f64, f64)>(), (5.0, 0.0));
    /// ```
    #[track_caller]
    pub fn conj(&self) -> Tensor {
        if !self.is_complex() {
            return self.clone();
        }
        apply_at(UnaryOp::Conj.into(), &[self], Location::caller()).remove(0)
    }

    /// The angle in radians, between -pi and pi. Of a real number 0 or pi.
    ///
    /// ```
    /// use wengert::Tensor;
    /// let z = Tensor::new(&[2], &[(0.0, 1.0), (-1.0, 0.0)]);
    /// assert_eq!(z.angle().to_vec::<f64>(), [std::f64::consts::FRAC_PI_2, std::f64::consts::PI]);
    /// ```
    #[track_caller]
    pub fn angle(&self) -> Tensor {
        let z = floating(self);
        z.imag().atan2(z.real())
    }

    /// Whether the elements are complex.
    pub fn is_complex(&self) -> bool {
        matches!(self.dtype(), DType::C64 | DType::C128)
    }
}
