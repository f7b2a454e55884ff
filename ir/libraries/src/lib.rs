//! Factorizations on products of matrices, eigenvalues and singular values (faer), and Fourier transforms (rustfft, realfft), for
//! two precisions of numbers and pairs of them only.
//!
//! These crates are generic: their code is made where they are called. That is here, once, and not again with every change of
//! the crate that calls this one. Matrices are lists of rows; `None` means that an iteration did not converge.

pub mod dense;
mod fourier;
mod spectra;

pub use fourier::Transforms;
pub use num_complex::{Complex, Complex32, Complex64};
pub use spectra::{
    Eigen, Hermitian, Singular, Vectors, eigen_complex, eigen_real, hermitian, singular_complex,
    singular_real, symmetric,
};
