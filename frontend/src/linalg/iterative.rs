//! Linear systems of which products are known: [`cg`], [`bicgstab`].

use crate::ops::control::while_loop;
use crate::ops::implicit::Operator;
use crate::transform::Transformed;
use crate::tree::{self, Tree};
use crate::{Func, Tensor};

/// A linear function that is known by its products: a closure, or the [`Operator`] that solvers are given.
pub trait Matvec<V> {
    /// The product with a vector.
    fn times(&self, x: V) -> V;
}

impl<V, F: Fn(V) -> V + ?Sized> Matvec<V> for F {
    fn times(&self, x: V) -> V {
        self(x)
    }
}

impl<V: Tree> Matvec<V> for Operator<V> {
    fn times(&self, x: V) -> V {
        Transformed::call_with(self, (x,))
    }
}

/// The sum of products of the elements of two vectors.
fn dot<V: Tree>(a: &V, b: &V) -> Tensor {
    let mut sum: Option<Tensor> = None;
    let _ = tree::map2(a, b, |a, b| {
        let part = (a * b).sum();
        sum = Some(match sum.take() {
            Some(sum) => sum + &part,
            None => part.clone(),
        });
        part
    });
    sum.unwrap_or_else(|| Tensor::from(0.0f64))
}

/// `a + s b`.
fn plus<V: Tree>(a: &V, s: &Tensor, b: &V) -> V {
    tree::map2(a, b, |a, b| a + s * b)
}

/// The `x` with `a(x) = b` for a function `a` that is linear, symmetric and positive definite, by conjugate gradients (Hestenes
/// and Stiefel, 1952) from zero: until the residual is `tolerance` times as long as `b`, or after so many steps. `b` is a tree of
/// real floats of one type.
///
/// Derivatives are those of the steps; inside [`crate::custom_linear_solve`] they are those of the solution.
///
/// ```
/// use wengert::{Tensor, linalg};
/// let a = Tensor::from([[4.0f64, 1.0], [1.0, 3.0]]);
/// let x = linalg::cg(&|x: Tensor| a.matmul(&x), Tensor::from([1.0f64, 2.0]), 1e-12, 10);
/// assert!((x.get(0).item::<f64>() - 1.0 / 11.0).abs() < 1e-12);
/// ```
pub fn cg<V: Tree, A: Matvec<V> + ?Sized>(a: &A, b: V, tolerance: f64, steps: usize) -> V {
    let most = dot(&b, &b) * (tolerance * tolerance);
    let start = b.map(&mut |t| t.zeros_like());
    let rr = dot(&b, &b);
    let goes_on =
        |(_, _, _, rr, k): (V, V, V, Tensor, Tensor)| rr.greater(&most).logical_and(k.less(steps as i64));
    let step = |(x, r, p, rr, k): (V, V, V, Tensor, Tensor)| {
        let ap = a.times(p.clone());
        let alpha = &rr / dot(&p, &ap);
        let (x, r) = (plus(&x, &alpha, &p), plus(&r, &-&alpha, &ap));
        let next = dot(&r, &r);
        let p = plus(&r, &(&next / &rr), &p);
        (x, r, p, next, k + 1i64)
    };
    while_loop(goes_on, step, (start, b.clone(), b.clone(), rr, Tensor::from(0i64))).0
}

/// The `x` with `a(x) = b` for a linear function `a`, by stabilized biconjugate gradients (van der Vorst, 1992) from zero: until
/// the residual is `tolerance` times as long as `b`, after so many steps, or where the method breaks down. `b` is a tree of real
/// floats of one type.
///
/// Derivatives are those of the steps; inside [`crate::custom_linear_solve`] they are those of the solution.
///
/// ```
/// use wengert::{Tensor, linalg};
/// let a = Tensor::from([[4.0f64, 1.0], [-1.0, 3.0]]);
/// let x = linalg::bicgstab(&|x: Tensor| a.matmul(&x), Tensor::from([1.0f64, 2.0]), 1e-12, 10);
/// assert!((x.get(1).item::<f64>() - 9.0 / 13.0).abs() < 1e-12);
/// ```
pub fn bicgstab<V: Tree, A: Matvec<V> + ?Sized>(a: &A, b: V, tolerance: f64, steps: usize) -> V {
    let most = dot(&b, &b) * (tolerance * tolerance);
    let start = b.map(&mut |t| t.zeros_like());
    type State<V> = (V, V, V, (Tensor, Tensor, Tensor));
    let goes_on = |(_, r, _, (rho, omega, k)): State<V>| {
        let broken = rho.equal(0.0).logical_or(omega.equal(0.0));
        dot(&r, &r).greater(&most).logical_and(k.less(steps as i64)).logical_and(broken.logical_not())
    };
    let step = |(x, r, p, (rho, _, k)): State<V>| {
        let v = a.times(p.clone());
        let alpha = &rho / dot(&b, &v);
        let s = plus(&r, &-&alpha, &v);
        let t = a.times(s.clone());
        let tt = dot(&t, &t);
        // Where the first half has found it, the second has nothing to do.
        let done = tt.equal(0.0);
        let safe = done.select(tt.ones_like(), &tt);
        let omega = dot(&t, &s) / safe;
        let x = plus(&plus(&x, &alpha, &p), &omega, &s);
        let r = plus(&s, &-&omega, &t);
        let next = dot(&b, &r);
        let omega_or_one = omega.equal(0.0).select(omega.ones_like(), &omega);
        let beta = (&next / &rho) * (&alpha / omega_or_one);
        let p = plus(&r, &beta, &plus(&p, &-&omega, &v));
        (x, r, p, (next, omega, k + 1i64))
    };
    let rho = dot(&b, &b);
    let one = rho.ones_like();
    while_loop(goes_on, step, (start, b.clone(), b.clone(), (rho, one, Tensor::from(0i64)))).0
}
