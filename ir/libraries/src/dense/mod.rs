//! Factorizations and triangular systems with LAPACK's conventions for signs, packing and `info`.
//!
//! G. Golub, C. Van Loan, *Matrix Computations*, 4th edition, chapters 3 to 5. Each splits what it is given in halves until a
//! block of [`BLOCK`] is left, which the textbook's loops take, so that almost all that is done are products of matrices (faer's).
//! Loops run along memory: a Cholesky factor is made as `U^H U` by rows, reflectors are made of rows of the transpose.
//!
//! The loops are compiled for each of the processor's sets of instructions ([`wide`]) and give the same bits on all of them; products
//! do not.

mod cholesky;
mod hessenberg;
mod householder;
mod lu;
mod matrix;
mod side_by_side;
#[cfg(test)]
mod tests;
mod triangular;
mod tridiagonal;

pub use cholesky::potrf;
pub use hessenberg::{Tridiagonal, gehrd, orghr, sytrd_lower};
pub use householder::{geqp3, geqrf, larfg, orgqr, reflect};
pub use lu::{getrf, permutation};
pub use matrix::{Mat, Scalar};
pub use side_by_side::{getrf_each, potrf_each, trsm_each};
pub use triangular::{Operation, Triangle, trsm};
pub use tridiagonal::{Diagonals, gtsv};

/// Rows or columns that are worked on without products, in the order of the textbook's loops.
pub const BLOCK: usize = 16;

/// Runs loops as they are compiled for the longest vectors of this machine. What is to profit is inlined into `work`: closures
/// that are always inlined, loops by `for`, as `for_each` and `fold` may stay calls of code for every machine.
#[inline(always)]
pub(crate) fn wide<R>(work: impl FnOnce() -> R) -> R {
    pulp::Arch::new().dispatch(work)
}

/// `x -= factor y`.
#[inline(always)]
fn subtract_scaled<T: Scalar>(x: &mut [T], factor: T, y: &[T]) {
    for (x, &y) in x.iter_mut().zip(y) {
        *x = *x - factor * y;
    }
}

/// The sum of `conj(x) y`, of whose terms every eighth is added to the same partial sum.
#[inline(always)]
fn dot<T: Scalar>(x: &[T], y: &[T]) -> T {
    const LANES: usize = 8;
    let mut sums = [T::ZERO; LANES];
    let (xs, ys) = (x.chunks_exact(LANES), y.chunks_exact(LANES));
    let mut rest = T::ZERO;
    for (x, &y) in xs.remainder().iter().zip(ys.remainder()) {
        rest = rest + x.conj() * y;
    }
    for (x, y) in xs.zip(ys) {
        for k in 0..LANES {
            sums[k] = sums[k] + x[k].conj() * y[k];
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + b) + (c + d)) + ((e + f) + (g + h)) + rest
}
