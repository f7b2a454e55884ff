//! Functions of matrices: powers, exponentials, pseudo-inverses, chains of products.

use super::norms::{Norm, matrix_norm};
use super::solve::solved;
use super::spectrum::thin_svd;
use super::{At, adjoint, batch, epsilon, matrices, promoted, real_dtype, sizes, squares, wrong};
use crate::{Tensor, custom_jvp, fori_loop, map, stop_gradient, switch};
use std::panic::Location;
use wengert_ir::types::DType;

/// `a` multiplied by itself `n` times; of the inverse if `n` is negative.
///
/// ```
/// use wengert::{Tensor, linalg};
/// let a = Tensor::from([[1i32, 1], [1, 0]]);
/// assert_eq!(linalg::matrix_power(&a, 10).to_vec::<i32>(), [89, 55, 55, 34]);
/// ```
///
/// Fails unless the matrices are square.
#[track_caller]
pub fn matrix_power(a: &Tensor, n: i32) -> Tensor {
    let at = Location::caller();
    let floats = squares("matrix_power", a, at);
    if n == 0 {
        return super::stretched(&Tensor::eye(sizes(a).0, a.dtype()), batch(a), 2, at);
    }
    let mut power = if n < 0 { super::inv(&floats) } else { a.clone() };
    let (mut left, mut out) = (n.unsigned_abs(), None::<Tensor>);
    loop {
        if left & 1 == 1 {
            out = Some(out.map_or(power.clone(), |out| out.matmul(&power)));
        }
        left >>= 1;
        match (left, out) {
            (0, Some(out)) => return out,
            (_, before) => out = before,
        }
        power = power.matmul(&power);
    }
}

/// Moore-Penrose inverse, from singular values greater than `rtol` times the largest (10 times the greater size times the
/// spacing of numbers if none is given).
///
/// Its derivative is that of matrices of the same rank: G. H. Golub, V. Pereyra, *The differentiation of pseudo-inverses and
/// nonlinear least squares problems whose variables separate*, SIAM J. Numer. Anal. 10 (1973), equation 4.12.
///
/// ```
/// use wengert::{Tensor, linalg};
/// let p = linalg::pinv(&Tensor::from([[2.0f64], [0.0]]), None);
/// assert_eq!((p.shape(), p.to_vec::<f64>()), (&[1, 2][..], vec![0.5, 0.0]));
/// ```
///
/// Fails for fewer than two dimensions.
#[track_caller]
pub fn pinv(a: &Tensor, rtol: Option<f64>) -> Tensor {
    let at = Location::caller();
    let a = matrices("pinv", a, at);
    let (m, n) = sizes(&a);
    if a.is_empty() {
        return Tensor::zeros(&[batch(&a), &[n, m]].concat(), a.dtype());
    }
    let rtol = rtol.unwrap_or(10.0 * m.max(n) as f64 * epsilon(&a));
    inverted(a, rtol, ORDERS, at)
}

/// To this order derivatives need no derivative of singular vectors, which may not exist.
const ORDERS: usize = 2;

fn inverted(a: Tensor, rtol: f64, orders: usize, at: At) -> Tensor {
    let by_svd = move |a: Tensor| {
        let (u, s, vh) = thin_svd("pinv", &a, at);
        let bound = s.max_keep(&[-1]) * rtol;
        let counts = s.greater(bound);
        let inverse = counts.select(s.recip(), s.zeros_like()).astype(a.dtype());
        (adjoint(&vh) * inverse.expand_dims(-2)).matmul(&adjoint(&u))
    };
    if orders == 0 {
        return by_svd(a);
    }
    custom_jvp(by_svd, move |(a,), (da,)| {
        let p = inverted(a.clone(), rtol, orders - 1, at);
        let (ph, dah) = (adjoint(&p), adjoint(&da));
        // -p da p + p p^H da^H (1 - a p) + (1 - p a) da^H p^H p
        let (s, t) = (p.matmul(&ph.matmul(&dah)), dah.matmul(&ph).matmul(&p));
        let dp = &s - s.matmul(&a).matmul(&p) + &t - p.matmul(&a.matmul(&t)) - p.matmul(&da).matmul(&p);
        (p, dp)
    })(a)
}

/// Least squares: `(x, residuals, rank, s)`, where `x` has the least `|a x - b|`, and among those the least `|x|`; the squared
/// residual per column of `b`; the rank (`i32`) and the singular values of `a`. Singular values below `rcond` times the
/// largest (the greater size times the spacing of numbers if none is given) count as 0.
///
/// ```
/// use wengert::{Tensor, linalg};
/// let a = Tensor::from([[1.0f64, 0.0], [1.0, 1.0], [1.0, 2.0]]);
/// let (x, residual, rank, _) = linalg::lstsq(&a, &Tensor::from([1.0f64, 3.0, 5.0]), None);
/// assert!(x.allclose(Tensor::from([1.0f64, 2.0]), 1e-12, 1e-12).item::<bool>());
/// assert!(residual.to_vec::<f64>()[0] < 1e-20 && rank.item::<i32>() == 2);
/// ```
///
/// Fails unless `a` is a matrix and `b` a vector or matrix with as many rows.
#[track_caller]
pub fn lstsq(a: &Tensor, b: &Tensor, rcond: Option<f64>) -> (Tensor, Tensor, Tensor, Tensor) {
    let at = Location::caller();
    let (a, b) = promoted(a, b, at);
    if a.rank() != 2 || !matches!(b.rank(), 1 | 2) || a.shape()[0] != b.shape()[0] {
        wrong("lstsq", "takes a matrix, and a vector or matrix with as many rows", &[&a, &b], at)
    }
    let vector = b.rank() == 1;
    let b = if vector { b.expand_dims(-1) } else { b };
    let (m, n) = sizes(&a);
    let (x, rank, s) = if a.is_empty() {
        let x = Tensor::zeros(&[n, b.shape()[1]], a.dtype());
        (x, Tensor::from(0i32), Tensor::zeros(&[0], real_dtype(&a)))
    } else {
        let (u, s, vh) = thin_svd("lstsq", &a, at);
        let rcond = match rcond {
            None => epsilon(&a) * m.max(n) as f64,
            Some(r) if r < 0.0 => epsilon(&a),
            Some(r) => r,
        };
        let counts = s.greater(0.0).logical_and(s.greater_equal(s.get(0) * rcond));
        let safe = counts.select(&s, s.ones_like());
        let inverse = counts.select(safe.recip(), s.zeros_like()).astype(a.dtype()).expand_dims(-1);
        let x = adjoint(&vh).matmul(&(inverse * adjoint(&u).matmul(&b)));
        (x, counts.astype(DType::I32).sum(), s)
    };
    let residuals = super::squared(&(&b - a.matmul(&x))).sum_axes(&[0]);
    (if vector { x.squeeze(&[1]) } else { x }, residuals, rank, s)
}

/// `(U, P)` with `a = U P`, `U` with orthonormal columns or rows and `P` Hermitian: the polar decomposition, by singular values.
///
/// ```
/// use wengert::{Tensor, linalg};
/// let (u, p) = linalg::polar(&Tensor::from([[0.0f64, -2.0], [3.0, 0.0]]));
/// assert!(u.allclose(Tensor::from([[0.0f64, -1.0], [1.0, 0.0]]), 1e-14, 1e-14).item::<bool>());
/// assert!(p.allclose(Tensor::from([[3.0f64, 0.0], [0.0, 2.0]]), 1e-14, 1e-14).item::<bool>());
/// ```
///
/// Derivatives exist where singular values differ. Fails for fewer than two dimensions.
#[track_caller]
pub fn polar(a: &Tensor) -> (Tensor, Tensor) {
    let at = Location::caller();
    let a = matrices("polar", a, at);
    let (u, s, vh) = thin_svd("polar", &a, at);
    let stretch = adjoint(&vh) * s.astype(a.dtype()).expand_dims(-2);
    (u.matmul(&vh), stretch.matmul(&vh))
}

/// The product of matrices in the order that needs the fewest multiplications; the first and the last may be vectors.
///
/// ```
/// use wengert::{DType, Tensor, linalg};
/// let (a, b) = (Tensor::ones(&[10, 2], DType::F64), Tensor::ones(&[2, 10], DType::F64));
/// let x = linalg::multi_dot(&[&a, &b, &Tensor::ones(&[10], DType::F64)]);
/// assert_eq!(x.to_vec::<f64>(), [20.0; 10]);
/// ```
///
/// Fails for fewer than two operands, and if neighbours do not fit.
#[track_caller]
pub fn multi_dot(arrays: &[&Tensor]) -> Tensor {
    let at = Location::caller();
    let n = arrays.len();
    if n < 2 {
        wrong("multi_dot", "takes two operands or more", arrays, at)
    }
    let inner = |i: usize| i > 0 && i < n - 1;
    if (0..n).any(|i| arrays[i].rank() != 2 && (inner(i) || arrays[i].rank() != 1)) {
        wrong("multi_dot", "takes matrices; the first and the last may be vectors", arrays, at)
    }
    let fits = |a: &Tensor, b: &Tensor| a.shape().last() == b.shape().first();
    if !arrays.windows(2).all(|w| fits(w[0], w[1])) {
        wrong("multi_dot", "columns of each must be rows of the next", arrays, at)
    }
    let (first, last) = (arrays[0].rank() == 1, arrays[n - 1].rank() == 1);
    let mut all: Vec<Tensor> = arrays.iter().map(|&a| a.clone()).collect();
    if first {
        all[0] = all[0].expand_dims(0);
    }
    if last {
        all[n - 1] = all[n - 1].expand_dims(1);
    }
    let product = chain(&all, &cheapest(&all), 0, n - 1);
    let ones: Vec<isize> = [(first, 0), (last, 1)].iter().filter(|k| k.0).map(|k| k.1).collect();
    product.squeeze(&ones)
}

/// Where to cut each chain `i..=j`: dynamic programming over lengths.
fn cheapest(all: &[Tensor]) -> Vec<Vec<usize>> {
    let n = all.len();
    let size = |i: usize| if i < n { all[i].shape()[0] } else { all[n - 1].shape()[1] } as u128;
    let (mut cost, mut cut) = (vec![vec![0u128; n]; n], vec![vec![0; n]; n]);
    for length in 1..n {
        for i in 0..n - length {
            let j = i + length;
            let price = |k: usize| cost[i][k] + cost[k + 1][j] + size(i) * size(k + 1) * size(j + 1);
            let best = (i..j).min_by_key(|&k| price(k)).unwrap_or(i);
            (cost[i][j], cut[i][j]) = (price(best), best);
        }
    }
    cut
}

fn chain(all: &[Tensor], cut: &[Vec<usize>], i: usize, j: usize) -> Tensor {
    if i == j {
        return all[i].clone();
    }
    let k = cut[i][j];
    chain(all, cut, i, k).matmul(&chain(all, cut, k + 1, j))
}

/// The exponential, by scaling and squaring with Padé approximants: N. J. Higham, *The scaling and squaring method for the
/// matrix exponential revisited*, SIAM J. Matrix Anal. Appl. 26 (2005). NaN where more than 16 squarings are needed, as in JAX.
///
/// ```
/// use wengert::{Tensor, linalg};
/// let e = linalg::expm(&Tensor::from([[0.0f64, 1.0], [0.0, 0.0]]));
/// assert_eq!(e.to_vec::<f64>(), [1.0, 1.0, 0.0, 1.0]);
/// ```
///
/// Fails unless the matrices are square.
#[track_caller]
pub fn expm(a: &Tensor) -> Tensor {
    let at = Location::caller();
    let a = squares("expm", a, at);
    if a.is_empty() {
        return a;
    }
    if a.rank() == 2 {
        return exponential(&a, at);
    }
    let (n, shape) = (sizes(&a).0 as isize, a.shape().into());
    map(|a: Tensor| exponential(&a, at), a.reshape(&[-1, n, n])).reshape_to(shape, at)
}

/// At most so many squarings.
const SQUARINGS: i64 = 16;

/// The orders of the approximants, and up to which 1-norm each is exact to the last bit (Higham's table 2.3; for single
/// precision the table of SciPy).
fn orders(double: bool) -> (&'static [usize], &'static [f64], f64) {
    if double {
        let bounds = &[1.495585217958292e-2, 2.53939833006323e-1, 9.504178996162932e-1, 2.097847961257068];
        (&[3, 5, 7, 9, 13], bounds, 5.371920351148152)
    } else {
        (&[3, 5, 7], &[4.258730016922831e-1, 1.880152677804762], 3.92572478313866)
    }
}

fn exponential(a: &Tensor, at: At) -> Tensor {
    let (orders, bounds, most) = orders(real_dtype(a) == DType::F64);
    // The number of squarings is constant as far as derivatives are concerned.
    let norm = stop_gradient(&matrix_norm(a, Norm::P(1.0)));
    let squarings = (&norm / most).log2().floor().maximum(0.0);
    let scaled = a * (-&squarings).exp2().astype(a.dtype());
    let zero = Tensor::from(0i32);
    let index = bounds.iter().fold(zero, |k, &b| k + norm.greater_equal(b).astype(DType::I32));
    let approximants: Vec<_> = orders.iter().map(|&m| move |a: Tensor| pade(&a, m)).collect();
    let branches: Vec<&dyn Fn(Tensor) -> (Tensor, Tensor)> =
        approximants.iter().map(|f| f as &dyn Fn(Tensor) -> (Tensor, Tensor)).collect();
    let (u, v) = switch(&index, &branches, scaled);
    let first = solved(&(&v - &u), &(&v + &u), at);
    let times = squarings.minimum(SQUARINGS).astype(DType::I32);
    let out = fori_loop(0i32, times, |_, x: Tensor| x.matmul(&x), first);
    squarings.greater(SQUARINGS).select(out.full_like(f64::NAN), &out)
}

/// Odd and even part of the numerator of the approximant of order `m`: coefficients `(2m - k)! m! / ((2m)! (m - k)! k!)`, here
/// times `(2m)! / m!`.
fn pade(a: &Tensor, m: usize) -> (Tensor, Tensor) {
    let mut coefficients = vec![1.0f64; m + 1];
    for k in (0..m).rev() {
        // The last is 1, and c(k) / c(k + 1) = (k + 1) (2m - k) / (m - k).
        coefficients[k] = coefficients[k + 1] * ((k + 1) * (2 * m - k)) as f64 / (m - k) as f64;
    }
    let c = |k: usize| coefficients[k];
    let one = Tensor::eye(sizes(a).0, a.dtype());
    let a2 = a.matmul(a);
    // Powers a^2, a^4..; order 13 has a^6 as a factor of the rest.
    let mut powers = vec![a2.clone()];
    let highest = if m == 13 { 3 } else { m / 2 };
    while powers.len() < highest {
        let next = powers[powers.len() - 1].matmul(&a2);
        powers.push(next);
    }
    let sum = |first: usize, from: usize| {
        let terms = powers.iter().enumerate().map(|(i, p)| p * c(first + 2 * (from + i + 1)));
        terms.reduce(|s, t| s + t)
    };
    let polynomial = |first: usize| {
        let low = sum(first, 0).expect("there are powers") + &one * c(first);
        if m < 13 {
            return low;
        }
        let high = sum(first, 3).expect("there are powers");
        powers[2].matmul(&high) + low
    };
    (a.matmul(&polynomial(1)), polynomial(0))
}
