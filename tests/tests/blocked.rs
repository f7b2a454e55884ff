//! Factorizations and triangular solutions of matrices that are worked on in blocks, real and complex, from every side: what they
//! give is what it is defined as, what is not theirs stays as it was, and what has no factor is said to have none.

use wengert_ir::array::Array;
use wengert_ir::op::{CallForm, HouseholderProduct, Lu, Potrf, Qr, TransposeA, TriangularSolve};
use wengert_ir::testing::{Random, eval_op};
use wengert_ir::types::{DType, TensorType};

/// Orders of matrices: one block and a bit, two and three blocks.
const ORDERS: [usize; 3] = [65, 96, 130];

type Number = (f64, f64);

/// A matrix of complex numbers, whose imaginary parts are zeros if it stands for a real one.
#[derive(Clone, PartialEq, Debug)]
struct Matrix {
    rows: usize,
    cols: usize,
    elements: Vec<Number>,
}

fn conj((re, im): Number) -> Number {
    (re, -im)
}

impl Matrix {
    fn from_fn(rows: usize, cols: usize, mut f: impl FnMut(usize, usize) -> Number) -> Self {
        Self { rows, cols, elements: (0..rows * cols).map(|k| f(k / cols, k % cols)).collect() }
    }

    fn random(rows: usize, cols: usize, is_complex: bool, seed: u64) -> Self {
        let mut random = Random(seed);
        let mut part = |there: bool| if there { random.uniform(-1.0, 1.0) } else { 0.0 };
        Self::from_fn(rows, cols, |_, _| (part(true), part(is_complex)))
    }

    fn at(&self, i: usize, j: usize) -> Number {
        self.elements[i * self.cols + j]
    }

    fn transposed(&self) -> Self {
        Self::from_fn(self.cols, self.rows, |i, j| self.at(j, i))
    }

    fn adjoint(&self) -> Self {
        Self::from_fn(self.cols, self.rows, |i, j| conj(self.at(j, i)))
    }

    fn times(&self, other: &Self) -> Self {
        Self::from_fn(self.rows, other.cols, |i, j| {
            (0..self.cols).fold((0.0, 0.0), |sum, k| {
                let ((a, b), (c, d)) = (self.at(i, k), other.at(k, j));
                (sum.0 + a * c - b * d, sum.1 + a * d + b * c)
            })
        })
    }

    /// The elements for which something holds; zeros, and ones on the diagonal if it is `unit`, in place of the others.
    fn part(&self, unit: bool, holds: impl Fn(usize, usize) -> bool) -> Self {
        Self::from_fn(self.rows, self.cols, |i, j| match (i == j && unit, holds(i, j)) {
            (true, _) => (1.0, 0.0),
            (false, true) => self.at(i, j),
            (false, false) => (0.0, 0.0),
        })
    }

    fn array(&self, is_complex: bool) -> Array {
        let parts = |&(re, im): &Number| if is_complex { vec![re, im] } else { vec![re] };
        let bytes: Vec<u8> = self.elements.iter().flat_map(parts).flat_map(f64::to_le_bytes).collect();
        let dtype = if is_complex { DType::C128 } else { DType::F64 };
        Array::from_bytes(TensorType::new(dtype, &[self.rows, self.cols]), &bytes)
    }

    fn of(array: &Array) -> Self {
        let number = |b: &[u8]| f64::from_le_bytes(b.try_into().expect("eight bytes"));
        let parts: Vec<f64> = array.bytes().chunks_exact(8).map(number).collect();
        let elements = match array.dtype().is_complex() {
            true => parts.chunks_exact(2).map(|p| (p[0], p[1])).collect(),
            false => parts.iter().map(|&re| (re, 0.0)).collect(),
        };
        Self { rows: array.shape()[0], cols: array.shape()[1], elements }
    }
}

#[track_caller]
fn close(what: &str, a: &Matrix, b: &Matrix) {
    assert_eq!((a.rows, a.cols), (b.rows, b.cols), "{what}");
    let far = |(x, y): (&Number, &Number)| (x.0 - y.0).hypot(x.1 - y.1);
    let most = a.elements.iter().zip(&b.elements).map(far).fold(0.0, f64::max);
    assert!(most < 1e-10 * (a.rows + a.cols) as f64, "{what}: {most} apart");
}

/// A Hermitian matrix with a factor.
fn positive(n: usize, is_complex: bool) -> Matrix {
    let g = Matrix::random(n, n, is_complex, n as u64);
    let mut a = g.times(&g.adjoint());
    (0..n).for_each(|i| a.elements[i * n + i].0 += 1.0);
    a
}

fn cases() -> impl Iterator<Item = (usize, bool, bool)> {
    ORDERS.into_iter().flat_map(|n| [false, true].map(|c| [(n, c, false), (n, c, true)])).flatten()
}

#[test]
fn cholesky_factors_of_either_triangle() {
    for (n, is_complex, lower) in cases() {
        let what = format!("{n} x {n}, complex {is_complex}, lower {lower}");
        let own = |i: usize, j: usize| i == j || (i > j) == lower;
        let a = positive(n, is_complex);
        // The other triangle is not looked at.
        let other = Matrix::random(n, n, is_complex, 3);
        let given = Matrix::from_fn(n, n, |i, j| if own(i, j) { a.at(i, j) } else { other.at(i, j) });
        let factor = |given: &Matrix| {
            let out = eval_op(Potrf { lower }, &[given.array(is_complex)]);
            (Matrix::of(&out[0]), out[1].integers().expect("an integer")[0])
        };
        let (found, info) = factor(&given);
        assert_eq!(info, 0, "{what}");
        assert_eq!(found.part(false, |i, j| !own(i, j)), other.part(false, |i, j| !own(i, j)), "{what}");
        let l = found.part(false, own);
        let l = if lower { l } else { l.adjoint() };
        close(&what, &l.times(&l.adjoint()), &a);
        // A matrix that is not positive from some order on: what is before that is its factor.
        for k in [0, n / 2, n - 1] {
            let mut bad = given.clone();
            bad.elements[k * n + k].0 = -1.0;
            let (part, info) = factor(&bad);
            assert_eq!(info, k as i64 + 1, "{what}");
            let before = |i: usize, j: usize| own(i, j) && i.min(j) < k;
            close(&format!("{what}, to {k}"), &part.part(false, before), &found.part(false, before));
        }
    }
}

#[test]
fn triangles_from_every_side() {
    for (n, is_complex, lower) in cases() {
        for bits in 0..4 {
            let (left_side, unit_diagonal) = (bits & 1 == 1, bits & 2 == 2);
            for transpose_a in [TransposeA::No, TransposeA::Transpose, TransposeA::Adjoint] {
                let op = TriangularSolve { left_side, lower, unit_diagonal, transpose_a };
                let what = format!("{op:?} of {n}, complex {is_complex}");
                let mut a = Matrix::random(n, n, is_complex, 5);
                // Small beside the diagonal, so that solutions stay so.
                a.elements.iter_mut().for_each(|x| *x = (x.0 / n as f64, x.1 / n as f64));
                (0..n).for_each(|i| a.elements[i * n + i].0 += 2.0);
                let (rows, cols) = if left_side { (n, 3) } else { (3, n) };
                let b = Matrix::random(rows, cols, is_complex, 6);
                let out = eval_op(op, &[a.array(is_complex), b.array(is_complex)]);
                let x = Matrix::of(&out[0]);
                let a = a.part(unit_diagonal, |i, j| i == j || (i > j) == lower);
                let a = match transpose_a {
                    TransposeA::No => a,
                    TransposeA::Transpose => a.transposed(),
                    TransposeA::Adjoint => a.adjoint(),
                };
                let product = if left_side { a.times(&x) } else { x.times(&a) };
                close(&what, &product, &b);
            }
        }
    }
}

#[test]
fn lu_and_qr_of_any_shape() {
    for is_complex in [false, true] {
        for (m, n) in [(65, 65), (130, 96), (96, 130), (96, 64), (64, 96)] {
            let what = format!("{m} x {n}, complex {is_complex}");
            let a = Matrix::random(m, n, is_complex, 9);
            let least = m.min(n);
            let out = eval_op(Lu { form: CallForm::Generic }, &[a.array(is_complex)]);
            let (lu, order) = (Matrix::of(&out[0]), out[2].integers().expect("rows"));
            let l = Matrix::from_fn(m, least, |i, j| lu.at(i, j)).part(true, |i, j| i > j);
            let u = Matrix::from_fn(least, n, |i, j| lu.at(i, j)).part(false, |i, j| i <= j);
            let moved = Matrix::from_fn(m, n, |i, j| a.at(order[i] as usize, j));
            close(&format!("LU of {what}"), &l.times(&u), &moved);
            // The first column of zeros is said, and nothing is divided by it.
            let mut singular = a.clone();
            for k in [least / 2, least - 1] {
                (0..m).for_each(|i| singular.elements[i * n + k] = (0.0, 0.0));
            }
            let out = eval_op(Lu { form: CallForm::Lapack }, &[singular.array(is_complex)]);
            assert_eq!(out[2].integers().expect("an integer")[0], (least / 2) as i64 + 1, "{what}");
            assert!(Matrix::of(&out[0]).elements.iter().all(|x| x.0.is_finite() && x.1.is_finite()));
            if m < n {
                continue;
            }
            let packed = eval_op(Qr { form: CallForm::Generic }, &[a.array(is_complex)]);
            let q = Matrix::of(&eval_op(HouseholderProduct { form: CallForm::Generic }, &packed)[0]);
            let r = Matrix::of(&packed[0]);
            let r = Matrix::from_fn(n, n, |i, j| r.at(i, j)).part(false, |i, j| i <= j);
            close(&format!("QR of {what}"), &q.times(&r), &a);
            close(
                &format!("Q of {what}"),
                &q.adjoint().times(&q),
                &Matrix::from_fn(n, n, |i, j| (f64::from(i == j), 0.0)),
            );
        }
    }
}
