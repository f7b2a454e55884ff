//! Eigenvalues and singular values.

use faer::{Mat, MatRef, Side};
use num_complex::Complex64;

/// Ascending eigenvalues, and vectors as columns.
pub type Hermitian<T> = (Vec<f64>, Vec<T>);
/// Eigenvalues in no order, and right vectors as columns.
pub type Eigen = (Vec<Complex64>, Vec<Complex64>);
/// Square `U`, descending singular values, square `V` (not its adjoint).
pub type Singular<T> = (Vec<T>, Vec<f64>, Vec<T>);

fn matrix<T: Copy>(rows: usize, cols: usize, data: &[T]) -> Mat<T> {
    assert_eq!(data.len(), rows * cols, "a matrix of {rows} x {cols}");
    Mat::from_fn(rows, cols, |i, j| data[i * cols + j])
}

fn rows<T: Copy>(a: MatRef<'_, T>) -> Vec<T> {
    (0..a.nrows()).flat_map(|i| (0..a.ncols()).map(move |j| a[(i, j)])).collect()
}

/// Which vectors are wanted beside singular values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vectors {
    /// None.
    Without,
    /// Those that belong to singular values.
    Thin,
    /// Square matrices.
    Square,
}

/// Of a symmetric matrix of order `n`, of which the lower triangle is read; no vectors unless they are wanted.
pub fn symmetric(n: usize, a: &[f64], vectors: bool) -> Option<Hermitian<f64>> {
    let a = matrix(n, n, a);
    if !vectors {
        return Some((a.self_adjoint_eigenvalues(Side::Lower).ok()?, Vec::new()));
    }
    let found = a.self_adjoint_eigen(Side::Lower).ok()?;
    let values = found.S().column_vector();
    Some(((0..n).map(|i| values[i]).collect(), rows(found.U())))
}

/// Of a Hermitian matrix of order `n`, of which the lower triangle is read; no vectors unless they are wanted.
pub fn hermitian(n: usize, a: &[Complex64], vectors: bool) -> Option<Hermitian<Complex64>> {
    let a = matrix(n, n, a);
    if !vectors {
        return Some((a.self_adjoint_eigenvalues(Side::Lower).ok()?, Vec::new()));
    }
    let found = a.self_adjoint_eigen(Side::Lower).ok()?;
    let values = found.S().column_vector();
    Some(((0..n).map(|i| values[i].re).collect(), rows(found.U())))
}

/// Of any real matrix of order `n`.
pub fn eigen_real(n: usize, a: &[f64]) -> Option<Eigen> {
    let found = matrix(n, n, a).eigen().ok()?;
    let values = found.S().column_vector();
    Some(((0..n).map(|i| values[i]).collect(), rows(found.U())))
}

/// Of any complex matrix of order `n`.
pub fn eigen_complex(n: usize, a: &[Complex64]) -> Option<Eigen> {
    let found = matrix(n, n, a).eigen().ok()?;
    let values = found.S().column_vector();
    Some(((0..n).map(|i| values[i]).collect(), rows(found.U())))
}

/// Of a real matrix of `n` rows and `m` columns.
pub fn singular_real(n: usize, m: usize, a: &[f64], vectors: Vectors) -> Option<Singular<f64>> {
    let a = matrix(n, m, a);
    let found = match vectors {
        Vectors::Without => return Some((Vec::new(), a.singular_values().ok()?, Vec::new())),
        Vectors::Thin => a.thin_svd().ok()?,
        Vectors::Square => a.svd().ok()?,
    };
    let s = found.S().column_vector();
    Some((rows(found.U()), (0..n.min(m)).map(|i| s[i]).collect(), rows(found.V())))
}

/// Of a complex matrix of `n` rows and `m` columns.
pub fn singular_complex(
    n: usize,
    m: usize,
    a: &[Complex64],
    vectors: Vectors,
) -> Option<Singular<Complex64>> {
    let a = matrix(n, m, a);
    let found = match vectors {
        Vectors::Without => return Some((Vec::new(), a.singular_values().ok()?, Vec::new())),
        Vectors::Thin => a.thin_svd().ok()?,
        Vectors::Square => a.svd().ok()?,
    };
    let s = found.S().column_vector();
    Some((rows(found.U()), (0..n.min(m)).map(|i| s[i].re).collect(), rows(found.V())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: Complex64, b: Complex64) -> bool {
        (a - b).norm() < 1e-12
    }

    /// `A v = lambda v` and `A V = U S`, of matrices whose rows and columns differ.
    #[test]
    fn vectors_belong_to_their_values() {
        let n = 3;
        let a = [2.0, 1.0, 0.5, 1.0, 3.0, -1.0, 0.5, -1.0, 1.0];
        let (values, v) = symmetric(n, &a, true).expect("converges");
        assert!(values.is_sorted());
        let (other, w) = eigen_real(n, &[2.0, 1.0, 0.5, -1.0, 3.0, -1.0, 0.0, 4.0, 1.0]).expect("converges");
        let b = [2.0, 1.0, 0.5, -1.0, 3.0, -1.0, 0.0, 4.0, 1.0];
        for j in 0..n {
            for i in 0..n {
                let left: f64 = (0..n).map(|k| a[i * n + k] * v[k * n + j]).sum();
                assert!((left - values[j] * v[i * n + j]).abs() < 1e-12);
                let left: Complex64 = (0..n).map(|k| w[k * n + j] * b[i * n + k]).sum();
                assert!(near(left, other[j] * w[i * n + j]));
            }
        }
        let h = a.map(|x| Complex64::new(x, 0.0));
        assert!(
            hermitian(n, &h, true)
                .expect("converges")
                .0
                .iter()
                .zip(&values)
                .all(|(a, b)| (a - b).abs() < 1e-12)
        );
        assert_eq!(eigen_complex(n, &h).expect("converges").0.len(), n);

        let (r, c) = (2, 3);
        let (u, s, v) = singular_real(r, c, &a[..6], Vectors::Square).expect("converges");
        assert!(s[0] >= s[1] && u.len() == r * r && v.len() == c * c);
        for i in 0..r {
            for j in 0..r {
                let left: f64 = (0..c).map(|k| a[i * c + k] * v[k * c + j]).sum();
                assert!((left - u[i * r + j] * s[j]).abs() < 1e-12);
            }
        }
        let (_, t, _) = singular_complex(r, c, &h[..6], Vectors::Square).expect("converges");
        let near = |t: &[f64]| s.iter().zip(t).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(near(&t));
        for vectors in [Vectors::Without, Vectors::Thin] {
            let (u, t, w) = singular_real(r, c, &a[..6], vectors).expect("converges");
            let (_, z, _) = singular_complex(r, c, &h[..6], vectors).expect("converges");
            assert!(near(&t) && near(&z));
            assert_eq!((u.len(), w.len()), if vectors == Vectors::Thin { (r * r, c * r) } else { (0, 0) });
        }
        let close = |w: &[f64]| values.iter().zip(w).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(close(&symmetric(n, &a, false).expect("converges").0));
        assert!(close(&hermitian(n, &h, false).expect("converges").0));
    }
}
