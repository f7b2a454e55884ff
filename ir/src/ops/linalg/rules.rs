//! What the derivative rules of linear algebra are written with: batched products, triangles, diagonals.

use super::scalar::real_dtype;
use crate::op::*;
use crate::rules::{Emit, Term};
use crate::types::{DType, Dims, TensorType};

/// Which triangle, and how far from the diagonal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// Row >= column.
    Lower,
    /// Row > column.
    StrictLower,
    /// Row <= column.
    Upper,
    /// Row < column.
    StrictUpper,
    /// Row = column.
    Diagonal,
}

/// Batches of matrices, the last two dimensions.
pub(super) struct Algebra<'e> {
    pub(super) e: &'e mut (dyn Emit + 'e),
}

impl<'e> Algebra<'e> {
    pub(super) fn new(e: &'e mut (dyn Emit + 'e)) -> Algebra<'e> {
        Algebra { e }
    }
}

impl Algebra<'_> {
    pub(super) fn ty(&self, x: Term) -> TensorType {
        self.e.ty(x)
    }
    pub(super) fn dtype(&self, x: Term) -> DType {
        self.e.ty(x).dtype
    }
    /// Rows and columns.
    pub(super) fn sizes(&self, x: Term) -> (usize, usize) {
        super::scalar::sizes(&self.e.ty(x).shape)
    }

    /// `a b`.
    pub(super) fn dot(&mut self, a: Term, b: Term) -> Term {
        self.product(a, b, false, false)
    }
    /// `a b`, with either transposed first.
    pub(super) fn product(&mut self, a: Term, b: Term, transpose_a: bool, transpose_b: bool) -> Term {
        let n = self.e.ty(a).rank() - 2;
        let batch: Dims = (0..n).collect();
        let dtype = self.dtype(a);
        let op = DotGeneral {
            lhs_batching_dims: batch.clone(),
            rhs_batching_dims: batch,
            lhs_contracting_dims: Dims::from_slice(&[if transpose_a { n } else { n + 1 }]),
            rhs_contracting_dims: Dims::from_slice(&[if transpose_b { n + 1 } else { n }]),
            lhs_precision: Precision::Highest,
            rhs_precision: Precision::Highest,
            dtype,
        };
        self.e.dot_general(op, a, b)
    }
    pub(super) fn transpose(&mut self, x: Term) -> Term {
        let rank = self.e.ty(x).rank();
        let mut perm: Dims = (0..rank).collect();
        perm.swap(rank - 2, rank - 1);
        self.e.transpose(x, &perm)
    }
    pub(super) fn conj(&mut self, x: Term) -> Term {
        if self.dtype(x).is_complex() { self.e.unary(UnaryOp::Conj, x) } else { x }
    }
    /// The conjugate transpose.
    pub(super) fn adjoint(&mut self, x: Term) -> Term {
        let x = self.conj(x);
        self.transpose(x)
    }
    /// The real part.
    pub(super) fn real(&mut self, x: Term) -> Term {
        if self.dtype(x).is_complex() { self.e.unary(UnaryOp::Real, x) } else { x }
    }
    pub(super) fn imag(&mut self, x: Term) -> Term {
        self.e.unary(UnaryOp::Imag, x)
    }
    pub(super) fn complex(&mut self, re: Term, im: Term) -> Term {
        self.e.binary(BinaryOp::Complex, re, im)
    }
    /// A real tensor in the dtype of another one.
    pub(super) fn like(&mut self, x: Term, dtype: DType) -> Term {
        if dtype.is_complex() && !self.dtype(x).is_complex() {
            let x = self.e.convert(x, real_dtype(dtype));
            let ty = self.e.ty(x);
            let zero = match x {
                Term::Known(_) => self.e.splat(ty, 0.0),
                Term::Linear(_) => self.e.zero(ty),
            };
            self.complex(x, zero)
        } else {
            self.e.convert(x, dtype)
        }
    }
    /// Whether an element lies in the part; `i1` of the shape of `x`.
    pub(super) fn mask(&mut self, x: Term, part: Part) -> Term {
        let ty = self.e.ty(x).with_dtype(DType::I32);
        let rank = ty.rank();
        let rows = self.e.one(Iota { ty: ty.clone(), dim: rank - 2 }, &[]);
        let cols = self.e.one(Iota { ty, dim: rank - 1 }, &[]);
        let direction = match part {
            Part::Lower => Direction::Ge,
            Part::StrictLower => Direction::Gt,
            Part::Upper => Direction::Le,
            Part::StrictUpper => Direction::Lt,
            Part::Diagonal => Direction::Eq,
        };
        self.e.compare(direction, rows, cols)
    }
    /// The part, zeros elsewhere.
    pub(super) fn part(&mut self, x: Term, part: Part) -> Term {
        let mask = self.mask(x, part);
        let ty = self.e.ty(x);
        let zero = match x {
            Term::Known(_) => self.e.splat(ty, 0.0),
            Term::Linear(_) => self.e.zero(ty),
        };
        self.e.select(mask, x, zero)
    }
    /// The matrix of zeros and ones of the shape and type of `x`, ones on the diagonal.
    pub(super) fn eye_like(&mut self, x: Term) -> Term {
        let mask = self.mask(x, Part::Diagonal);
        let ty = self.e.ty(x);
        let (one, zero) = (self.e.splat(ty.clone(), 1.0), self.e.splat(ty, 0.0));
        self.e.select(mask, one, zero)
    }
    /// The part, ones on the diagonal.
    pub(super) fn with_unit_diagonal(&mut self, x: Term, part: Part) -> Term {
        let strict = self.part(x, part);
        let one = self.e.splat_like(x, 1.0);
        let mask = self.mask(x, Part::Diagonal);
        self.e.select(mask, one, strict)
    }
    /// The diagonal, as vectors.
    pub(super) fn diagonal(&mut self, x: Term) -> Term {
        let (m, n) = self.sizes(x);
        let k = m.min(n);
        let x = self.block(x, (0, k), (0, k));
        let only = self.part(x, Part::Diagonal);
        let rank = self.e.ty(x).rank();
        self.e.reduce_sum(only, &[rank - 2])
    }
    /// Rows and columns from and to.
    pub(super) fn block(&mut self, x: Term, rows: (usize, usize), cols: (usize, usize)) -> Term {
        let shape = self.e.ty(x).shape;
        let rank = shape.len();
        if rows == (0, shape[rank - 2]) && cols == (0, shape[rank - 1]) {
            return x;
        }
        let mut start = Dims::from_elem(0, rank);
        let mut limit = shape;
        (start[rank - 2], limit[rank - 2]) = rows;
        (start[rank - 1], limit[rank - 1]) = cols;
        self.e.one(Slice { start, limit, strides: Dims::from_elem(1, rank) }, &[x])
    }
    /// With zeros below and to the right, up to this many rows and columns.
    pub(super) fn padded(&mut self, x: Term, rows: usize, cols: usize) -> Term {
        let (m, n) = self.sizes(x);
        if (m, n) == (rows, cols) {
            return x;
        }
        let rank = self.e.ty(x).rank();
        let scalar = TensorType::scalar(self.dtype(x));
        let zero = match x {
            Term::Known(_) => self.e.splat(scalar, 0.0),
            Term::Linear(_) => self.e.zero(scalar),
        };
        let mut high = smallvec::SmallVec::from_elem(0, rank);
        high[rank - 2] = rows as i64 - m as i64;
        high[rank - 1] = cols as i64 - n as i64;
        let none = smallvec::SmallVec::from_elem(0, rank);
        self.e.one(Pad { low: none.clone(), high, interior: none }, &[x, zero])
    }
    /// One above the other.
    pub(super) fn stacked(&mut self, a: Term, b: Term) -> Term {
        let dim = self.e.ty(a).rank() - 2;
        self.e.one(Concatenate { dim }, &[a, b])
    }
    /// Side by side.
    pub(super) fn beside(&mut self, a: Term, b: Term) -> Term {
        let dim = self.e.ty(a).rank() - 1;
        self.e.one(Concatenate { dim }, &[a, b])
    }
    /// A vector per matrix as the rows of matrices with this many rows.
    pub(super) fn as_rows(&mut self, v: Term, rows: usize) -> Term {
        let shape = self.e.ty(v).shape;
        let (n, rank) = (shape[shape.len() - 1], shape.len());
        let mut to = Dims::from_slice(&shape[..rank - 1]);
        to.extend([rows, n]);
        let mut dims: Dims = (0..rank).collect();
        dims[rank - 1] = rank;
        self.e.broadcast_in_dim(v, &to, &dims)
    }
    /// A vector per matrix as the columns of matrices with this many columns.
    pub(super) fn as_cols(&mut self, v: Term, cols: usize) -> Term {
        let shape = self.e.ty(v).shape;
        let rank = shape.len();
        let mut to = shape;
        to.push(cols);
        let dims: Dims = (0..rank).collect();
        self.e.broadcast_in_dim(v, &to, &dims)
    }
    /// The Hermitian matrix with this lower (or upper) triangle; the imaginary part of the diagonal is dropped.
    pub(super) fn mirrored(&mut self, x: Term, lower: bool) -> Term {
        let strict = self.part(x, if lower { Part::StrictLower } else { Part::StrictUpper });
        let across = self.adjoint(strict);
        let diagonal = self.part(x, Part::Diagonal);
        let diagonal = if self.dtype(x).is_complex() {
            let re = self.real(diagonal);
            let dtype = self.dtype(x);
            self.like(re, dtype)
        } else {
            diagonal
        };
        let off = self.e.add(strict, across);
        self.e.add(off, diagonal)
    }
    /// `op(a)^-1 b`, or `b op(a)^-1`.
    pub(super) fn solve(&mut self, how: TriangularSolve, a: Term, b: Term) -> Term {
        self.e.one(how, &[a, b])
    }
}

/// The solve with a triangular matrix on the left.
pub(super) fn left(lower: bool, unit_diagonal: bool, transpose_a: TransposeA) -> TriangularSolve {
    TriangularSolve { left_side: true, lower, unit_diagonal, transpose_a }
}

/// The solve with a triangular matrix on the right.
pub(super) fn right(lower: bool, unit_diagonal: bool, transpose_a: TransposeA) -> TriangularSolve {
    TriangularSolve { left_side: false, lower, unit_diagonal, transpose_a }
}
