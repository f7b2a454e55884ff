//! Linear systems.
//!
//! `dx = a^-1 (db - da x)`: M. Giles, *Collected matrix derivative results for forward and reverse mode algorithmic
//! differentiation* (2008), 2.2.3. It is a rule of its own, so that the first derivative needs the factors only.

use super::factor::Decomposition;
use super::{At, Trans, Triangle, batch, promoted, sizes, squares, stretched, wrong};
use crate::ops::promote::broadcast_shapes;
use crate::trace::apply_at;
use crate::{Tensor, custom_jvp};
use std::panic::Location;
use wengert_ir::op::{TransposeA, TriangularSolve, TridiagonalSolve};
use wengert_ir::types::Dims;

impl From<Trans> for TransposeA {
    fn from(trans: Trans) -> TransposeA {
        match trans {
            Trans::No => TransposeA::No,
            Trans::Transpose => TransposeA::Transpose,
            Trans::Adjoint => TransposeA::Adjoint,
        }
    }
}

/// How [`solve_triangular`] reads its matrix; a [`Triangle`] alone is converted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TriangularOptions {
    /// The triangle that is read.
    pub triangle: Triangle,
    /// What is done to it.
    pub trans: Trans,
    /// Whether its diagonal is taken to be 1 and not read.
    pub unit_diagonal: bool,
}

impl From<Triangle> for TriangularOptions {
    fn from(triangle: Triangle) -> TriangularOptions {
        TriangularOptions { triangle, trans: Trans::No, unit_diagonal: false }
    }
}

/// A system whose shapes fit: `b` as matrices with the common batch, and whether it was a vector.
struct System {
    a: Tensor,
    b: Tensor,
    vector: bool,
    at: At,
}

impl System {
    fn new(name: &str, a: &Tensor, b: &Tensor, at: At) -> System {
        let (a, b) = promoted(a, b, at);
        let a = squares(name, &a, at);
        let n = sizes(&a).0;
        let vector = b.rank() == 1;
        let rows = if vector {
            b.len()
        } else if b.rank() == 0 {
            0
        } else {
            sizes(&b).0
        };
        if b.rank() == 0 || rows != n {
            wrong(
                name,
                &format!("the right-hand side needs {n} rows, or elements if it is a vector"),
                &[&a, &b],
                at,
            )
        }
        let b = if vector { b.expand_dims(-1) } else { b };
        let Some(outer) = broadcast_shapes(batch(&a), batch(&b)) else {
            wrong(name, "leading dimensions do not broadcast", &[&a, &b], at)
        };
        let b = stretched(&b, &outer, 2, at);
        System { a, b, vector, at }
    }

    /// The solution as the right-hand side was given.
    fn answer(&self, x: Tensor) -> Tensor {
        if self.vector { x.squeeze(&[-1]) } else { x }
    }

    /// The matrix with the batch of the right-hand side.
    fn stretched_a(&self) -> Tensor {
        stretched(&self.a, batch(&self.b), 2, self.at)
    }
}

/// `x` with `a x = b`, by LU decomposition. `b` is a vector or matrices; leading dimensions broadcast.
///
/// ```
/// use wengert::{Tensor, linalg};
/// let x = linalg::solve(&Tensor::from([[2.0f64, 1.0], [1.0, 3.0]]), &Tensor::from([4.0f64, 7.0]));
/// assert_eq!(x.to_vec::<f64>(), [1.0, 2.0]);
/// ```
///
/// Infinite or NaN where `a` is singular. Fails unless `a` is square and fits `b`.
#[track_caller]
pub fn solve(a: &Tensor, b: &Tensor) -> Tensor {
    let at = Location::caller();
    let system = System::new("solve", a, b, at);
    system.answer(solved(&system.a, &system.b, at))
}

pub(super) fn solved(a: &Tensor, b: &Tensor, at: At) -> Tensor {
    if b.is_empty() {
        return b.clone();
    }
    custom_jvp(
        move |a: Tensor, b: Tensor| Decomposition::of(&a, at).solve(&b, Trans::No, at),
        move |(a, b), (da, db)| {
            let factors = Decomposition::of(&a, at);
            let x = factors.solve(&b, Trans::No, at);
            let dx = factors.solve(&(db - da.matmul(&x)), Trans::No, at);
            (x, dx)
        },
    )(a.clone(), b.clone())
}

/// The inverse.
///
/// ```
/// use wengert::{Tensor, linalg};
/// let x = linalg::inv(&Tensor::from([[0.0f64, 2.0], [4.0, 0.0]]));
/// assert_eq!(x.to_vec::<f64>(), [0.0, 0.25, 0.5, 0.0]);
/// ```
///
/// Infinite or NaN where a matrix is singular. Fails unless the matrices are square.
#[track_caller]
pub fn inv(a: &Tensor) -> Tensor {
    let at = Location::caller();
    let a = squares("inv", a, at);
    let one = stretched(&Tensor::eye(sizes(&a).0, a.dtype()), batch(&a), 2, at);
    solved(&a, &one, at)
}

/// `x` with `op(a) x = b`, where one triangle of `a` is read. `b` is a vector or matrices; leading dimensions broadcast.
///
/// ```
/// use wengert::linalg::{Trans, Triangle, TriangularOptions, solve_triangular};
/// use wengert::Tensor;
/// let (a, b) = (Tensor::from([[2.0f64, 9.0], [1.0, 4.0]]), Tensor::from([2.0f64, 9.0]));
/// assert_eq!(solve_triangular(&a, &b, Triangle::Lower).to_vec::<f64>(), [1.0, 2.0]);
/// let options = TriangularOptions { trans: Trans::Transpose, ..Triangle::Lower.into() };
/// assert_eq!(solve_triangular(&a, &b, options).to_vec::<f64>(), [-0.125, 2.25]);
/// ```
///
/// Fails unless `a` is square and fits `b`.
#[track_caller]
pub fn solve_triangular(a: &Tensor, b: &Tensor, options: impl Into<TriangularOptions>) -> Tensor {
    let system = System::new("solve_triangular", a, b, Location::caller());
    system.answer(triangular(&system, &system.b, options.into()))
}

fn triangular(system: &System, b: &Tensor, options: TriangularOptions) -> Tensor {
    let op = TriangularSolve {
        left_side: true,
        lower: options.triangle == Triangle::Lower,
        unit_diagonal: options.unit_diagonal,
        transpose_a: options.trans.into(),
    };
    apply_at(op.into(), &[&system.stretched_a(), b], system.at).remove(0)
}

/// `x` with `a x = b`, given a Cholesky factor of `a` from [`super::cho_factor`].
///
/// Fails unless the factor is square and fits `b`.
#[track_caller]
pub fn cho_solve((factor, triangle): &(Tensor, Triangle), b: &Tensor) -> Tensor {
    let system = System::new("cho_solve", factor, b, Location::caller());
    let (first, second) = match triangle {
        Triangle::Lower => (Trans::No, Trans::Adjoint),
        Triangle::Upper => (Trans::Adjoint, Trans::No),
    };
    let with =
        |trans: Trans, b: &Tensor| triangular(&system, b, TriangularOptions { trans, ..(*triangle).into() });
    system.answer(with(second, &with(first, &system.b)))
}

/// `x` with `op(a) x = b`, given what [`super::lu_factor`] gives of `a`.
///
/// ```
/// use wengert::{Tensor, linalg, linalg::Trans};
/// let factors = linalg::lu_factor(&Tensor::from([[0.0f64, 2.0], [4.0, 0.0]]));
/// let x = linalg::lu_solve(&factors, &Tensor::from([2.0f64, 4.0]), Trans::No);
/// assert_eq!(x.to_vec::<f64>(), [1.0, 1.0]);
/// ```
///
/// Fails unless the factors are of square matrices and fit `b`.
#[track_caller]
pub fn lu_solve((lu, pivots): &(Tensor, Tensor), b: &Tensor, trans: Trans) -> Tensor {
    let at = Location::caller();
    let system = System::new("lu_solve", lu, b, at);
    if pivots.shape() != &lu.shape()[..lu.rank() - 1] || !pivots.dtype().is_integer() {
        wrong("lu_solve", "the pivots must be integers, one for each row", &[lu, pivots], at)
    }
    if system.b.is_empty() {
        return system.answer(system.b.clone());
    }
    system.answer(Decomposition::from_pivots(&system.a, pivots).solve(&system.b, trans, at))
}

/// `x` with `t x = b` for tridiagonal matrices given by their diagonals, vectors of one length: `dl[0]` and the last of `du`
/// are not read. `b` is a vector or matrices with the same leading dimensions.
///
/// ```
/// use wengert::{Tensor, linalg};
/// let d = |x: [f64; 3]| Tensor::from(x);
/// let x = linalg::tridiagonal_solve(&d([0.0, 1.0, 1.0]), &d([2.0; 3]), &d([1.0, 1.0, 0.0]), &d([3.0, 4.0, 3.0]));
/// assert_eq!(x.to_vec::<f64>(), [1.0, 1.0, 1.0]);
/// ```
///
/// Fails if the shapes do not fit.
#[track_caller]
pub fn tridiagonal_solve(dl: &Tensor, d: &Tensor, du: &Tensor, b: &Tensor) -> Tensor {
    let at = Location::caller();
    let (d, b) = promoted(d, b, at);
    let (dl, du) = (dl.astype(d.dtype()), du.astype(d.dtype()));
    let vector = b.rank() == d.rank();
    let b = if vector && b.rank() > 0 { b.expand_dims(-1) } else { b };
    let fits = d.rank() > 0 && b.rank() == d.rank() + 1 && b.shape()[..d.rank()] == *d.shape();
    if !fits || dl.shape() != d.shape() || du.shape() != d.shape() {
        wrong(
            "tridiagonal_solve",
            "diagonals need one length, that of the right-hand side",
            &[&dl, &d, &du, &b],
            at,
        )
    }
    if b.is_empty() {
        return if vector { b.squeeze(&[-1]) } else { b };
    }
    let x = apply_at(TridiagonalSolve { perturbed: false }.into(), &[&dl, &d, &du, &b], at).swap_remove(3);
    if vector { x.squeeze(&[-1]) } else { x }
}

/// The inverse of a tensor as a map from its last dimensions to its first `ind` ones, as `numpy.linalg.tensorinv`.
///
/// Fails unless both have the same number of elements.
#[track_caller]
pub fn tensorinv(a: &Tensor, ind: usize) -> Tensor {
    let at = Location::caller();
    if ind == 0 || ind > a.rank() {
        wrong("tensorinv", &format!("{ind} first dimensions"), &[a], at)
    }
    let (to, from) = a.shape().split_at(ind);
    let (m, n): (usize, usize) = (to.iter().product(), from.iter().product());
    if m != n {
        wrong("tensorinv", &format!("a map of {n} elements to {m}"), &[a], at)
    }
    let shape: Dims = from.iter().chain(to).copied().collect();
    inv(&a.reshape(&[m as isize, m as isize])).reshape_to(shape, at)
}

/// `x` with `a.tensordot(&x, x.rank()) = b`, as `numpy.linalg.tensorsolve`.
///
/// Fails unless the first dimensions of `a` are those of `b` and the others have as many elements.
#[track_caller]
pub fn tensorsolve(a: &Tensor, b: &Tensor) -> Tensor {
    let at = Location::caller();
    if a.rank() < b.rank() || a.shape()[..b.rank()] != *b.shape() {
        wrong(
            "tensorsolve",
            "the first dimensions of the first operand must be those of the second",
            &[a, b],
            at,
        )
    }
    let shape = Dims::from_slice(&a.shape()[b.rank()..]);
    let n: usize = shape.iter().product();
    if n != b.len() {
        wrong("tensorsolve", &format!("{} equations for {n} unknowns", b.len()), &[a, b], at)
    }
    let system = System::new("tensorsolve", &a.reshape(&[n as isize, n as isize]), &b.flatten(), at);
    system.answer(solved(&system.a, &system.b, at)).reshape_to(shape, at)
}
