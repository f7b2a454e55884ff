//! Factorizations and solutions of small matrices, written out element by element: code without a call and without memory of
//! its own. The steps are those of [`wengert_libraries::dense`], in its order and its doubles, so both give the same bits where every
//! operation is rounded.
//!
//! The elements of a batch are tensors of one element for each matrix, so that loops run over matrices, in vectors. That pays from
//! some matrices on ([`LEAST_BATCH`]).

#![allow(clippy::needless_range_loop, reason = "indices of matrices, as in the formulas")]

use crate::op::*;
use crate::rules::{Emit, Term};
use crate::types::{DType, Dims, TensorType};
use smallvec::{SmallVec, smallvec};
use wengert_libraries::dense::{BLOCK, Operation, Triangle};

/// Most multiplications and divisions that are written out.
const MOST: usize = 192;
/// Largest order of a matrix whose rows are exchanged, which takes a choice for each element and row.
const MOST_PIVOTS: usize = 4;

/// Matrices of a batch, if there is more than one, from which on their elements make loops that are worth it. (100,000 systems of
/// 3 x 3, f32, solved as JAX writes it: 5.1 ms, and 40 in a library that has 8 of them side by side.)
const LEAST_BATCH: usize = 16;
/// Most rows and columns of the matrices of a batch: of larger ones each element is a tensor that is stored.
const MOST_OF_BATCH: usize = 4;

/// The elements of a matrix by row and column, each a scalar or one of each matrix of a batch.
type Elements = Vec<Vec<Term>>;

struct Writer<'e> {
    e: &'e mut dyn Emit,
    /// The dimensions before those of the matrix.
    batch: Dims,
}

/// Rows and columns of a real matrix, or of a batch, that is to be written out.
fn sizes(e: &mut dyn Emit, x: Term) -> Option<(usize, usize)> {
    let ty = e.ty(x);
    if !matches!(ty.dtype, DType::F32 | DType::F64) || !ty.is_static() || ty.elements() == 0 {
        return None;
    }
    let matrix = &ty.shape[ty.rank() - 2..];
    let is_batch = ty.elements() != matrix[0] * matrix[1];
    let pays =
        ty.elements() >= LEAST_BATCH * matrix[0] * matrix[1] && matrix.iter().all(|&n| n <= MOST_OF_BATCH);
    (!is_batch || pays).then(|| (matrix[0], matrix[1]))
}

impl<'e> Writer<'e> {
    /// Of matrices like `x`.
    fn new(e: &'e mut dyn Emit, x: Term) -> Self {
        let mut batch = e.ty(x).shape;
        batch.truncate(batch.len() - 2);
        Self { e, batch }
    }
}

/// A Cholesky factor, with zeros in the other triangle, and NaN everywhere where there is none.
pub(super) fn cholesky(e: &mut dyn Emit, x: Term, lower: bool) -> Option<SmallVec<[Term; 2]>> {
    let (n, _) = sizes(e, x)?;
    if n * n * n / 6 + n * n > MOST {
        return None;
    }
    let dtype = e.ty(x).dtype;
    let mut w = Writer::new(e, x);
    let mut a = w.elements(x, !lower);
    let found = w.factor(&mut a).pop().expect("a matrix has elements");
    let (nan, zero) = (w.number(f64::NAN), w.number(0.0));
    for (i, row) in a.iter_mut().enumerate() {
        for (j, x) in row.iter_mut().enumerate() {
            *x = w.e.select(found, if i >= j { *x } else { zero }, nan);
        }
    }
    Some(smallvec![w.matrix(&a, !lower, dtype)])
}

/// What [`wengert_libraries::dense::potrf`] leaves, and its `info`.
pub(super) fn potrf(e: &mut dyn Emit, x: Term, lower: bool) -> Option<SmallVec<[Term; 2]>> {
    let (n, _) = sizes(e, x)?;
    if n * n * n / 6 + n * n > MOST {
        return None;
    }
    let dtype = e.ty(x).dtype;
    let mut w = Writer::new(e, x);
    let given = w.elements(x, !lower);
    let mut a = given.clone();
    let found = w.factor(&mut a);
    let mut info = w.integer(0);
    for j in (0..n).rev() {
        for i in j..n {
            a[i][j] = w.e.select(found[j], a[i][j], given[i][j]);
        }
        let failed = w.integer(j as i32 + 1);
        info = w.e.select(found[j], info, failed);
    }
    Some(smallvec![w.matrix(&a, !lower, dtype), info])
}

/// The solution of a triangular system, as [`wengert_libraries::dense::trsm`] finds it.
pub(super) fn solve(
    e: &mut dyn Emit,
    a: Term,
    b: Term,
    left: bool,
    how: Triangle,
) -> Option<SmallVec<[Term; 2]>> {
    let ((n, _), (rows, cols)) = (sizes(e, a)?, sizes(e, b)?);
    // The library takes longer ones by blocks, in another order.
    if n > BLOCK || rows * cols * n.div_ceil(2) > MOST {
        return None;
    }
    let dtype = e.ty(b).dtype;
    let mut w = Writer::new(e, b);
    // A system from the right is the transposed one from the left.
    let transposed = how.op != Operation::No;
    let a = w.elements(a, transposed == left);
    let mut x = w.elements(b, !left);
    let lower = (how.lower != transposed) == left;
    for step in 0..n {
        let i = if lower { step } else { n - 1 - step };
        for c in 0..x[0].len() {
            let mut sum = x[i][c];
            for k in if lower { 0..i } else { i + 1..n } {
                let product = w.e.mul(a[i][k], x[k][c]);
                sum = w.e.sub(sum, product);
            }
            x[i][c] = if how.unit { sum } else { w.e.div(sum, a[i][i]) };
        }
    }
    Some(smallvec![w.matrix(&x, !left, dtype)])
}

/// An LU decomposition with what [`wengert_libraries::dense::getrf`] gives beside it: pivots from 0, and `info`.
pub(super) fn lu(e: &mut dyn Emit, x: Term, form: CallForm) -> Option<SmallVec<[Term; 2]>> {
    let (m, n) = sizes(e, x)?;
    if m != n || n > MOST_PIVOTS {
        return None;
    }
    let dtype = e.ty(x).dtype;
    let mut w = Writer::new(e, x);
    let mut a = w.elements(x, false);
    let mut order: Vec<Term> = (0..n).map(|i| w.integer(i as i32)).collect();
    let (zero, mut pivots, mut singular) = (w.number(0.0), Vec::new(), Vec::new());
    for j in 0..n {
        let (mut largest, mut pivot) = (w.e.unary(UnaryOp::Abs, a[j][j]), w.integer(j as i32));
        let rows: Vec<Term> = (0..n).map(|i| w.integer(i as i32)).collect();
        for i in j + 1..n {
            let size = w.e.unary(UnaryOp::Abs, a[i][j]);
            let larger = w.e.compare(Direction::Gt, size, largest);
            largest = w.e.select(larger, size, largest);
            pivot = w.e.select(larger, rows[i], pivot);
        }
        let (before, before_order) = (a[j].clone(), order[j]);
        for i in j + 1..n {
            let is = w.e.compare(Direction::Eq, pivot, rows[i]);
            for c in 0..n {
                let (here, there) = (a[j][c], a[i][c]);
                a[j][c] = w.e.select(is, there, here);
                a[i][c] = w.e.select(is, before[c], there);
            }
            let (here, there) = (order[j], order[i]);
            order[j] = w.e.select(is, there, here);
            order[i] = w.e.select(is, before_order, there);
        }
        pivots.push(pivot);
        let nothing = w.e.compare(Direction::Eq, a[j][j], zero);
        singular.push(nothing);
        for i in j + 1..n {
            let factor = w.e.div(a[i][j], a[j][j]);
            a[i][j] = w.e.select(nothing, a[i][j], factor);
            for c in j + 1..n {
                let product = w.e.mul(factor, a[j][c]);
                let rest = w.e.sub(a[i][c], product);
                a[i][c] = w.e.select(nothing, a[i][c], rest);
            }
        }
    }
    let last = match form {
        CallForm::Generic => w.list(&order),
        CallForm::Lapack => {
            let one = w.integer(1);
            pivots.iter_mut().for_each(|p| *p = w.e.add(*p, one));
            let mut info = w.integer(0);
            for (j, &nothing) in singular.iter().enumerate().rev() {
                let step = w.integer(j as i32 + 1);
                info = w.e.select(nothing, step, info);
            }
            info
        }
    };
    Some(smallvec![w.matrix(&a, false, dtype), w.list(&pivots), last])
}

impl Writer<'_> {
    /// The number for each matrix.
    fn number(&mut self, value: f64) -> Term {
        self.e.splat(TensorType { dtype: DType::F64, shape: self.batch.clone() }, value)
    }

    /// The same of an integer.
    fn integer(&mut self, value: i32) -> Term {
        self.e.splat(TensorType { dtype: DType::I32, shape: self.batch.clone() }, f64::from(value))
    }

    /// The shape of one of each matrix, with these dimensions behind.
    fn with(&self, dims: &[usize]) -> Dims {
        self.batch.iter().chain(dims).copied().collect()
    }

    /// The elements of a matrix, or of its transpose, as doubles.
    fn elements(&mut self, x: Term, transposed: bool) -> Elements {
        let shape = self.e.ty(x).shape;
        let rank = shape.len();
        let (rows, cols) = (shape[rank - 2], shape[rank - 1]);
        let (rows, cols) = if transposed { (cols, rows) } else { (rows, cols) };
        let mut element = |i: usize, j: usize| {
            let at = if transposed { [j, i] } else { [i, j] };
            let (mut start, mut limit) = (Dims::from_elem(0, rank), shape.clone());
            for (d, at) in [rank - 2, rank - 1].into_iter().zip(at) {
                (start[d], limit[d]) = (at, at + 1);
            }
            let one = self.e.one(Slice { start, limit, strides: Dims::from_elem(1, rank) }, &[x]);
            let one = self.e.reshape(one, &self.batch);
            self.e.convert(one, DType::F64)
        };
        (0..rows).map(|i| (0..cols).map(|j| element(i, j)).collect()).collect()
    }

    /// A vector of elements.
    fn list(&mut self, all: &[Term]) -> Term {
        let one = self.with(&[1]);
        let each: Vec<Term> = all.iter().map(|&x| self.e.reshape(x, &one)).collect();
        if let [only] = each[..] { only } else { self.e.one(Concatenate { dim: self.batch.len() }, &each) }
    }

    /// The matrix that has these elements, or that whose transpose has them.
    fn matrix(&mut self, elements: &Elements, transposed: bool, dtype: DType) -> Term {
        let (rows, cols) = (elements.len(), elements[0].len());
        let shape = if transposed { [cols, rows] } else { [rows, cols] };
        let mut all = Vec::with_capacity(rows * cols);
        for k in 0..rows * cols {
            let (i, j) = (k / shape[1], k % shape[1]);
            let x = if transposed { elements[j][i] } else { elements[i][j] };
            all.push(self.e.convert(x, dtype));
        }
        let list = self.list(&all);
        let shape = self.with(&shape);
        self.e.reshape(list, &shape)
    }

    /// The lower Cholesky factor in place of the lower triangle. Gives, for each column, whether it and those before it exist.
    fn factor(&mut self, a: &mut Elements) -> Vec<Term> {
        let n = a.len();
        let (zero, mut found): (Term, Vec<Term>) = (self.number(0.0), Vec::new());
        for j in 0..n {
            let mut square = None;
            for k in 0..j {
                let x = self.e.mul(a[j][k], a[j][k]);
                square = self.e.add_opt(square, Some(x));
            }
            let rest = match square {
                Some(square) => self.e.sub(a[j][j], square),
                None => a[j][j],
            };
            let positive = self.e.compare(Direction::Gt, rest, zero);
            found.push(match found.last() {
                Some(&before) => self.e.binary(BinaryOp::And, before, positive),
                None => positive,
            });
            a[j][j] = self.e.unary(UnaryOp::Sqrt, rest);
            for i in j + 1..n {
                let mut sum = a[i][j];
                for k in 0..j {
                    let product = self.e.mul(a[i][k], a[j][k]);
                    sum = self.e.sub(sum, product);
                }
                a[i][j] = self.e.div(sum, a[j][j]);
            }
        }
        found
    }
}
