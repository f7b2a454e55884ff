//! Eigenvalues, singular values and products of matrices (faer) and Fourier transforms (rustfft), for doubles and pairs of them only.
//!
//! Both crates are generic: their code is made where they are called. That is here, once, and not again with every change of
//! the crate that calls this one. Matrices are lists of rows; `None` means that an iteration did not converge.

mod fourier;
mod products;
mod spectra;

pub use fourier::{Plan, SinglePlan};
pub use num_complex::{Complex32, Complex64};
pub use products::{subtract_product_complex, subtract_product_real};
pub use spectra::{
    Eigen, Hermitian, Singular, eigen_complex, eigen_real, hermitian, singular_complex, singular_real,
    symmetric,
};
