//! Eigenvalues and vectors: LAPACK's order and signs, `a v = v w`, and what balancing is for.

use wengert_ir::array::Array;
use wengert_ir::op::{CallForm, Eig, Eigh, Svd, SvdDriver, SvdMode};
use wengert_ir::testing::{Random, eval_op, floats};
use wengert_ir::types::{DType, TensorType};
use wengert_libraries::Complex64 as C;
use wengert_libraries::dense::{Mat, Scalar};

/// A matrix of doubles, real or complex, as operations take it.
fn array<T: Scalar>(a: &Mat<T>) -> Array {
    let dtype = if T::COMPLEX { DType::C128 } else { DType::F64 };
    let parts = T::into_parts(a.data.clone());
    Array::from_bytes(TensorType::new(dtype, &[a.rows, a.cols]), bytemuck::cast_slice(&parts))
}

/// The numbers of an array of doubles that is real if `T` is.
fn numbers<T: Scalar>(x: &Array) -> Vec<T> {
    T::from_parts(bytemuck::cast_slice(x.bytes()).to_vec())
}

fn mat<T: Scalar>(x: &Array) -> Mat<T> {
    Mat { rows: x.shape()[0], cols: x.shape()[1], data: numbers(x) }
}

/// Whether an iteration has converged, of which LAPACK says so.
fn converged(info: &Array) -> bool {
    info.as_slice::<i32>() == [0]
}

/// Ascending eigenvalues, and vectors, which are nothing unless they are asked for.
fn eigh<T: Scalar>(a: &Mat<T>, lower: bool, vectors: bool) -> Option<(Vec<f64>, Mat<T>)> {
    let out = eval_op(Eigh { lower, vectors, form: CallForm::Lapack, sort: true }, &[array(a)]);
    converged(&out[2]).then(|| (floats(&out[1]), mat(&out[0])))
}

/// Eigenvalues and right vectors.
fn eig<T: Scalar>(a: &Mat<T>) -> Option<(Vec<C>, Mat<C>)> {
    let out = eval_op(Eig { left: false, right: true }, &[array(a)]);
    let [values @ .., _, right, info] = &out[..] else { panic!("{} results", out.len()) };
    let values = match values {
        [values] => numbers(values),
        [re, im] => floats(re).into_iter().zip(floats(im)).map(|(re, im)| C::new(re, im)).collect(),
        _ => panic!("{} results", out.len()),
    };
    converged(info).then(|| (values, mat(right)))
}

/// A decomposition into singular values and vectors.
struct Singular<T> {
    s: Vec<f64>,
    u: Mat<T>,
    vt: Mat<T>,
}

fn svd<T: Scalar>(a: &Mat<T>, mode: SvdMode) -> Option<Singular<T>> {
    let out = eval_op(Svd { mode, driver: SvdDriver::Gesdd }, &[array(a)]);
    converged(&out[4]).then(|| Singular { s: floats(&out[1]), u: mat(&out[2]), vt: mat(&out[3]) })
}

fn matrix<T: Scalar>(n: usize, elements: &[f64]) -> Mat<T> {
    Mat::from_fn(n, n, |i, j| T::real(elements[i * n + j]))
}

fn random<T: Scalar>(n: usize, seed: u64) -> Mat<T> {
    let mut r = Random(seed);
    let data: Vec<T> = (0..n * n).map(|_| T::new(r.uniform(-1.0, 1.0), r.uniform(-1.0, 1.0))).collect();
    Mat { rows: n, cols: n, data }
}

/// The largest component of `a v - v w`, over the largest of `a`.
fn residual<T: Scalar>(a: &Mat<T>, values: &[C], vectors: &Mat<C>) -> f64 {
    let wide = |x: T| C::new(x.re(), x.im());
    let scale = a.data.iter().fold(f64::MIN_POSITIVE, |m, x| m.max(x.abs()));
    let mut worst = 0.0f64;
    for (j, &w) in values.iter().enumerate() {
        for i in 0..a.rows {
            let sum = (0..a.rows).fold(C::ZERO, |s, k| s + wide(a[(i, k)]) * vectors[(k, j)]);
            worst = worst.max((sum - vectors[(i, j)] * w).abs() / scale);
        }
    }
    worst
}

/// `zheevd` and `dsyevd` of the upper triangle.
#[test]
fn vectors_of_the_upper_triangle_are_those_of_lapack() {
    let i = |re, im| C::new(re, im);
    let data = vec![
        i(2.0, 0.0),
        i(0.0, 1.0),
        i(0.5, 0.0),
        i(0.0, -1.0),
        i(1.0, 0.0),
        i(1.0, 1.0),
        i(0.5, 0.0),
        i(1.0, -1.0),
        i(-1.0, 0.0),
    ];
    let (values, vectors) = eigh(&Mat { rows: 3, cols: 3, data }, false, true).expect("converges");
    for (w, known) in values.iter().zip([-1.9171876, 1.19957723, 2.71761038]) {
        assert!((w - known).abs() < 1e-8, "{w} for {known}");
    }
    let last = [0.84960259, 0.49509533, -0.18181324];
    let first = [i(-0.20032544, 0.08147968), i(0.3843, -0.42689973), i(0.11037765, -0.78174016)];
    for j in 0..3 {
        assert!((vectors[(2, j)] - last[j]).abs() < 1e-7, "{} for {}", vectors[(2, j)], last[j]);
        assert!((vectors[(0, j)] - first[j]).abs() < 1e-7, "{} for {}", vectors[(0, j)], first[j]);
    }
    let a: Mat<f64> =
        matrix(4, &[4.0, 1.0, 2.0, 0.0, 1.0, 3.0, -1.0, 1.0, 2.0, -1.0, 1.0, 2.0, 0.0, 1.0, 2.0, -2.0]);
    let upper = [0.16234042, 0.4791803, -0.07286531, -0.85948966];
    let lower = [0.16234042, -0.4791803, 0.07286531, 0.85948966];
    for (first, is_lower) in [(upper, false), (lower, true)] {
        let (_, vectors) = eigh(&a, is_lower, true).expect("converges");
        for (j, known) in first.into_iter().enumerate() {
            assert!((vectors[(0, j)] - known).abs() < 1e-7, "{} for {known}", vectors[(0, j)]);
        }
    }
}

/// Of matrices too large for LAPACK's iteration too, one component of each vector is real.
#[test]
fn a_component_of_each_vector_is_real() {
    for n in [1, 2, 7, 30] {
        for lower in [true, false] {
            let a = random::<C>(n, 5 + n as u64);
            let (values, vectors) = eigh(&a, lower, true).expect("converges");
            let row = if lower { 0 } else { n - 1 };
            assert!((0..n).all(|j| vectors[(row, j)].im.abs() < 1e-14), "{n} {lower}");
            let is_read = |i, j| if lower { i >= j } else { i <= j };
            let full = Mat::from_fn(n, n, |i, j| match (i == j, is_read(i, j)) {
                (true, _) => C::new(a[(i, i)].re, 0.0),
                (false, true) => a[(i, j)],
                (false, false) => a[(j, i)].conj(),
            });
            let values: Vec<C> = values.iter().map(|&w| C::new(w, 0.0)).collect();
            assert!(residual(&full, &values, &vectors) < 1e-13, "{n} {lower}");
        }
    }
}

/// The companion matrix of a polynomial that ends in zeros: a permutation isolates the zeros, LAPACK's order puts
/// them first.
#[test]
fn isolated_eigenvalues_are_exact() {
    let (a, b) = (0.01544689 / 2.3243444, 6.4861755 / 2.3243444);
    let companion = [a, b, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let real = eig(&matrix::<f64>(4, &companion)).expect("converges").0;
    let complex = eig(&matrix::<C>(4, &companion)).expect("converges").0;
    for values in [real, complex] {
        assert_eq!(values[..2], [C::ZERO, C::ZERO]);
        let rest = [values[2].re, values[3].re];
        assert!(rest.contains(&rest[0].min(-1.6)) && (rest[0] + rest[1] - a).abs() < 1e-14, "{rest:?}");
    }
}

#[test]
fn vectors_of_general_matrices() {
    fn check<T: Scalar>(what: &str, a: &Mat<T>) {
        let (values, vectors) = eig(a).unwrap_or_else(|| panic!("{what} does not converge"));
        let worst = residual(a, &values, &vectors);
        assert!(worst < 1e-12, "{what}: {worst:e}");
        for j in 0..a.rows {
            let length: f64 = (0..a.rows).map(|i| vectors[(i, j)].abs().powi(2)).sum();
            assert!((length - 1.0).abs() < 1e-12, "{what}: a vector of length {length}");
        }
    }
    for n in [0, 1, 2, 3, 5, 8, 20, 60, 80] {
        check(&format!("{n} real"), &random::<f64>(n, 40 + n as u64));
        check(&format!("{n} complex"), &random::<C>(n, 80 + n as u64));
    }
    check("defective", &matrix::<f64>(2, &[1.0, 1.0, 0.0, 1.0]));
    check(
        "defective pairs",
        &matrix::<f64>(4, &[0., 1., 1., 0., -1., 0., 0., 1., 0., 0., 0., 1., 0., 0., -1., 0.]),
    );
    check("zero", &matrix::<f64>(3, &[0.0; 9]));
    check("diagonal", &matrix::<C>(3, &[1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 1.0]));
    check(
        "large",
        &Mat::<f64> { data: random::<f64>(4, 9).data.iter().map(|x| x * 1e300).collect(), rows: 4, cols: 4 },
    );
    check(
        "tiny",
        &Mat::<f64> { data: random::<f64>(4, 9).data.iter().map(|x| x * 1e-300).collect(), rows: 4, cols: 4 },
    );
}

/// Rows and columns of very different sizes: balancing keeps the small eigenvalues, which are exact to all digits here.
#[test]
fn small_eigenvalues_of_badly_scaled_matrices_are_kept() {
    let d = [1.0, 1e8, 1e-8];
    let core = [2.0, 1.0, 0.5, 1.0, 3.0, 1.0, 0.25, 1.0, -1.0];
    let scaled: Vec<f64> = (0..9).map(|k| core[k] * d[k / 3] / d[k % 3]).collect();
    let sorted = |a: &[f64]| {
        let mut w: Vec<f64> = eig(&matrix::<f64>(3, a)).expect("converges").0.iter().map(|w| w.re).collect();
        w.sort_by(f64::total_cmp);
        w
    };
    for (found, known) in sorted(&scaled).iter().zip(sorted(&core)) {
        assert!((found - known).abs() < 1e-13 * known.abs(), "{found} for {known}");
    }
}

/// The diagonal of a Hermitian matrix is real: what rounding left there of imaginary parts is not read.
#[test]
fn imaginary_parts_on_the_diagonal_are_nothing() {
    for n in [1, 2, 3, 5, 8] {
        let r: Mat<C> = random(n, 5);
        let hermitian = |noise: f64| {
            Mat::from_fn(n, n, |i, j| {
                let own = (r[(i, j)] + r[(j, i)].conj()) * 0.5;
                if i == j { C::new(own.re, noise * (i as f64 + 1.0)) } else { own }
            })
        };
        for lower in [false, true] {
            let (values, vectors) = eigh(&hermitian(0.0), lower, true).expect("converges");
            let (noisy, of_noisy) = eigh(&hermitian(0.25), lower, true).expect("converges");
            assert_eq!((values, vectors.data), (noisy, of_noisy.data), "{n}, {lower}");
        }
    }
}

/// Vectors that nobody asks for change no bit of the values.
#[test]
fn eigenvalues_without_vectors() {
    for n in [1, 2, 7, 24, 30] {
        for lower in [true, false] {
            let bits = |w: Vec<f64>| w.into_iter().map(f64::to_bits).collect::<Vec<_>>();
            let (with, without) =
                (|v| eigh(&random::<C>(n, 9), lower, v), |v| eigh(&random::<f64>(n, 9), lower, v));
            for (values, alone) in [
                (with(true).expect("converges").0, with(false).expect("converges").0),
                (without(true).expect("converges").0, without(false).expect("converges").0),
            ] {
                assert!(values.iter().zip(&alone).all(|(a, b)| (a - b).abs() < 1e-13 * n as f64), "{n}");
                assert!(n > 25 || bits(values) == bits(alone), "{n}: LAPACK's iteration is one for both");
            }
        }
    }
}

/// Thin vectors are the first of the square ones, and values are the same without any.
#[test]
fn singular_vectors_that_are_wanted() {
    fn check<T: Scalar>() {
        for (m, n) in [(1, 1), (5, 5), (7, 4), (40, 9), (4, 7), (9, 40), (60, 28), (28, 60), (0, 3)] {
            let a = {
                let square = random::<T>(m.max(n), 31);
                Mat::from_fn(m, n, |i, j| square[(i, j)])
            };
            let [all, thin, none] =
                [SvdMode::All, SvdMode::Thin, SvdMode::Values].map(|v| svd(&a, v).expect("converges"));
            let least = m.min(n);
            assert_eq!((all.u.rows, all.u.cols, all.vt.rows, all.vt.cols), (m, m, n, n));
            assert_eq!((thin.u.rows * thin.u.cols, thin.vt.rows * thin.vt.cols), (m * least, least * n));
            let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
            assert!(near(&all.s, &thin.s) && near(&all.s, &none.s) && none.s.len() == least, "{m} {n}");
            assert!(least > 25 || all.s == thin.s && all.s == none.s, "{m} {n}: to the bit");
            for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
                let sum = (0..least)
                    .fold(T::ZERO, |sum, k| sum + thin.u[(i, k)] * T::real(thin.s[k]) * thin.vt[(k, j)]);
                assert!((sum - a[(i, j)]).abs() < 1e-12, "{m} {n}");
            }
            if least <= 25 {
                let first = |x: &Mat<T>, y: &Mat<T>| {
                    (0..y.rows).all(|i| (0..y.cols).all(|j| (x[(i, j)] - y[(i, j)]).abs() < 1e-12))
                };
                assert!(first(&all.u, &thin.u) && first(&all.vt, &thin.vt), "{m} {n}");
            }
        }
    }
    check::<f64>();
    check::<C>();
}
