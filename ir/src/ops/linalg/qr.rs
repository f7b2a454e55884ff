//! QR decomposition in LAPACK's packed form, and the product of its reflectors.
//!
//! With `a = Q R`, `Q` as many columns as `a`: `X = da R^-1`, `Y = Q^H X`, `O` the skew-Hermitian matrix with the lower
//! triangle of `Y`; `dQ = Q (O - Y) + X` and `dR = (Y - O) R` (J. Townsend, *Differentiating the QR decomposition*, 2018).
//! What is stored of Q are the vectors `V` of its reflectors. They are the lower factor of `Q - 1 = V W`, `W = -T V^H`
//! upper triangular with `-tau` on its diagonal (G. Ballard et al., *Reconstructing Householder vectors from tall-skinny
//! QR*, 2015), so `dV` and `dtau` follow from `dQ` as in the derivative of an LU decomposition without pivots.
//!
//! A column that needs no reflection has `tau = 0` and zeros for `v`: beside it the sign that a reflection gives jumps, so
//! `v` and `tau` have no derivative there, while `Q` and `R` of constant signs have one. Both operations therefore
//! take it for a reflection with `tau = 2`, `Q` its matrix with that column negated: the same Q, and smooth.

use super::rules::{Algebra, Part, left, right};
use super::scalar::{load, matrices, sizes, store};
use super::{beside, by_dtype, integers, joined, matrix, result_types};
use crate::array::Array;
use crate::ensure;
use crate::func::Module;
use crate::op::*;
use crate::ops::batching;
use crate::rules::{Batched, Mapped};
use crate::rules::{Emit, EvalError, Evaluate, Jvp, OpDef, Tangents, Term, TypeError, Types};
use crate::types::{DType, Dims, TensorType, Type};
use crate::work::Sizes;
use smallvec::smallvec;
use wengert_libraries::dense::{geqp3, geqrf, orgqr};

impl OpDef for Qr {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        ensure!(operands.len() == 1, "I0", "takes 1 operand, got {}", operands.len());
        let x = matrix(operands, 0)?;
        let (m, n) = sizes(&x.shape);
        Ok(smallvec![operands[0].clone(), beside(x, x.dtype, &[m.min(n)])])
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let types = result_types(self, operands)?;
        by_dtype!(types[0].dtype, T => {
            let mut all = matrices::<T>(&operands[0])?;
            let taus: Vec<T> = all.iter_mut().flat_map(geqrf).collect();
            Ok(vec![store(types[0].clone(), joined(all)), store(types[1].clone(), taus)])
        })
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        x.cubed().saturating_mul(4) / 3
    }

    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        let Some(da) = x.tangents[0] else { return smallvec![None, None] };
        let (packed, taus) = tangents(e, self.form, x.operands[0], da, (x.results[0], x.results[1]));
        smallvec![packed, taus]
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        batching::leading(e, size, self.clone(), operands)
    }
}

impl OpDef for PivotedQr {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        ensure!(operands.len() == 2, "I0", "takes 2 operands, got {}", operands.len());
        let x = matrix(operands, 0)?;
        let (m, n) = sizes(&x.shape);
        let wanted = beside(x, DType::I32, &[n]);
        ensure!(operands[1] == wanted, "C1", "the pivots must be {wanted}, not {}", operands[1]);
        Ok(smallvec![operands[0].clone(), wanted, beside(x, x.dtype, &[m.min(n)])])
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let types = result_types(self, operands)?;
        let n = sizes(&types[0].shape).1;
        let first: Vec<bool> = operands[1].as_slice::<i32>().iter().map(|&p| p != 0).collect();
        by_dtype!(types[0].dtype, T => {
            let mut all = matrices::<T>(&operands[0])?;
            let (mut pivots, mut taus): (Vec<i32>, Vec<T>) = (Vec::new(), Vec::new());
            for (k, a) in all.iter_mut().enumerate() {
                let (order, more) = geqp3(a, &first[k * n..(k + 1) * n]);
                pivots.extend(order.iter().map(|&column| column as i32 + 1));
                taus.extend(more);
            }
            let packed = store(types[0].clone(), joined(all));
            Ok(vec![packed, integers(&types[1], &pivots), store(types[2].clone(), taus)])
        })
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        x.cubed().saturating_mul(4) / 3
    }

    // The permutation is constant where it is defined: the derivative is that of the permuted matrix.
    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        let Some(da) = x.tangents[0] else { return smallvec![None, None, None] };
        let one = e.splat_like(x.results[1], 1.0);
        let from_zero = e.sub(x.results[1], one);
        let [a, da] = [x.operands[0], da].map(|x| columns(e, x, from_zero));
        let (packed, taus) = tangents(e, CallForm::Lapack, a, da, (x.results[0], x.results[2]));
        smallvec![packed, None, taus]
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        batching::leading(e, size, self.clone(), operands)
    }
}

/// The columns of matrices in this order.
fn columns(e: &mut dyn Emit, x: Term, order: Term) -> Term {
    let ty = e.ty(x);
    let batch: Dims = (0..ty.rank() - 2).collect();
    let mut shape = e.ty(order).shape;
    shape.push(1);
    let order = e.reshape(order, &shape);
    let mut slice_sizes = Dims::from_elem(1, ty.rank());
    slice_sizes[ty.rank() - 2] = sizes(&ty.shape).0;
    let gather = Gather {
        offset_dims: smallvec![batch.len()],
        collapsed_slice_dims: smallvec![ty.rank() - 1],
        operand_batching_dims: batch.clone(),
        start_indices_batching_dims: batch,
        start_index_map: smallvec![ty.rank() - 1],
        index_vector_dim: shape.len() - 1,
        slice_sizes,
        indices_are_sorted: false,
    };
    e.one(gather, &[x, order])
}

/// Tangents of the packed form and the taus of a decomposition of `a`.
fn tangents(
    e: &mut dyn Emit,
    form: CallForm,
    matrix: Term,
    da: Term,
    (all, taus): (Term, Term),
) -> (Option<Term>, Option<Term>) {
    let mut a = Algebra::new(e);
    let (rows, cols) = a.sizes(da);
    let least = rows.min(cols);
    if a.ty(da).elements() == 0 {
        return (None, None);
    }
    let packed = a.block(all, (0, rows), (0, least));
    let da1 = a.block(da, (0, rows), (0, least));
    let q = a.e.one(HouseholderProduct { form }, &[packed, taus]);
    let t = packed_tangent(&mut a, packed, taus, q, da1);
    let mut out = t.packed;
    if cols > rows {
        // The columns beyond are R_2 = Q^H a_2.
        let a2 = a.block(matrix, (0, rows), (rows, cols));
        let da2 = a.block(da, (0, rows), (rows, cols));
        let (qh, dqh) = (a.adjoint(q), a.adjoint(t.q));
        let (first, second) = (a.dot(dqh, a2), a.dot(qh, da2));
        let beyond = a.e.add(first, second);
        out = a.beside(out, beyond);
    }
    (Some(out), Some(t.taus))
}

/// How [`apply`] multiplies.
#[derive(Clone, Copy)]
pub(crate) struct Side {
    /// Whether Q stands left of the matrix.
    pub(crate) left: bool,
    /// Whether it is its adjoint.
    pub(crate) adjoint: bool,
}

/// LAPACK's `ormqr`: the product of `c` and the square Q of packed reflectors and taus, without Q. The blocked form,
/// `Q = (1 - V T V^H) S` with the signs `S` that make reflectors of columns which need none (see above).
///
/// Gives `None` if the types do not fit.
pub(crate) fn apply(e: &mut dyn Emit, [packed, taus, c]: [Term; 3], side: Side) -> Option<Term> {
    let mut a = Algebra::new(e);
    let (p, t, ty) = (a.ty(packed), a.ty(taus), a.ty(c));
    let batch = p.rank().checked_sub(2).filter(|_| p.dtype.is_inexact())?;
    let ((m, n), k) = (sizes(&p.shape), *t.shape.last()?);
    let fits = t.shape[..t.rank() - 1] == p.shape[..batch]
        && ty.rank() == p.rank()
        && ty.shape[..batch] == p.shape[..batch]
        && ty.shape[batch + !side.left as usize] == m
        && k <= m.min(n)
        && [t.dtype, ty.dtype] == [p.dtype; 2];
    if !fits {
        return None;
    }
    if k == 0 || ty.elements() == 0 {
        return Some(c);
    }
    let v = a.block(packed, (0, m), (0, k));
    let sign = signs(&mut a, v, taus);
    let taus = smooth_taus(&mut a, taus, sign);
    let v = a.with_unit_diagonal(v, Part::StrictLower);
    let vh = a.adjoint(v);
    let t = block_factor(&mut a, v, vh, taus);
    let t = if side.adjoint { a.adjoint(t) } else { t };
    // The signs, ones for rows beyond the reflectors, as a matrix of the shape of `c`.
    let mut all = sign;
    if m > k {
        let mut shape = a.ty(sign).shape;
        *shape.last_mut()? = m - k;
        let ones = a.e.splat(TensorType { dtype: ty.dtype, shape }, 1.0);
        let dim = a.ty(sign).rank() - 1;
        all = a.e.one(Concatenate { dim }, &[sign, ones]);
    }
    let all = if side.left { a.as_cols(all, ty.shape[batch + 1]) } else { a.as_rows(all, ty.shape[batch]) };
    // S is next to `c` in Q c and c Q^H, outermost in the others.
    let first = side.left != side.adjoint;
    let c = if first { a.e.mul(c, all) } else { c };
    let product = if side.left {
        let inner = a.dot(vh, c);
        let inner = a.dot(t, inner);
        a.dot(v, inner)
    } else {
        let inner = a.dot(c, v);
        let inner = a.dot(inner, t);
        a.dot(inner, vh)
    };
    let out = a.e.sub(c, product);
    Some(if first { out } else { a.e.mul(out, all) })
}

/// The taus, 2 where the sign is -1.
fn smooth_taus(a: &mut Algebra<'_>, taus: Term, sign: Term) -> Term {
    let (one, taus) = (a.e.splat_like(taus, 1.0), a.e.mul(taus, sign));
    let shift = a.e.sub(one, sign);
    a.e.add(taus, shift)
}

/// `T` of `1 - V T V^H`: `N^-1 D`, D the taus, `N = 1 + D striu(V^H V)` (the UT transform).
fn block_factor(a: &mut Algebra<'_>, v: Term, vh: Term, taus: Term) -> Term {
    let k = a.sizes(v).1;
    let gram = a.dot(vh, v);
    let gram = a.part(gram, Part::StrictUpper);
    let by_tau = a.as_cols(taus, k);
    let coupling = a.e.mul(by_tau, gram);
    let d = a.part(by_tau, Part::Diagonal);
    a.solve(left(false, true, TransposeA::No), coupling, d)
}

/// 1 for each reflector, -1 for one with `tau = 0` and zeros for `v`.
fn signs(a: &mut Algebra<'_>, packed: Term, taus: Term) -> Term {
    let rank = a.ty(packed).rank();
    let v = a.part(packed, Part::StrictLower);
    let v = a.e.unary(UnaryOp::Abs, v);
    let length = a.e.reduce_sum(v, &[rank - 2]);
    let size = a.e.unary(UnaryOp::Abs, taus);
    let both = a.e.add(length, size);
    let zero = a.e.splat_like(both, 0.0);
    let none = a.e.compare(Direction::Eq, both, zero);
    let (minus, one) = (a.e.splat_like(taus, -1.0), a.e.splat_like(taus, 1.0));
    a.e.select(none, minus, one)
}

struct PackedTangent {
    packed: Term,
    taus: Term,
    q: Term,
}

/// Tangents of the packed form, the taus and Q of matrices with no more columns than rows.
fn packed_tangent(a: &mut Algebra<'_>, packed: Term, taus: Term, q: Term, da: Term) -> PackedTangent {
    let (m, n) = a.sizes(packed);
    let sign = signs(a, packed, taus);
    let square = a.block(packed, (0, n), (0, n));
    let r = a.part(square, Part::Upper);
    let x = a.solve(right(false, false, TransposeA::No), r, da);
    let qh = a.adjoint(q);
    let y = a.dot(qh, x);
    let below = a.part(y, Part::StrictLower);
    let above = a.adjoint(below);
    let mut skew = a.e.sub(below, above);
    if a.dtype(y).is_complex() {
        // i Im(Y) on the diagonal keeps that of R real.
        let diagonal = a.part(y, Part::Diagonal);
        let dtype = a.dtype(y);
        let re = a.real(diagonal);
        let re = a.like(re, dtype);
        let imaginary = a.e.sub(diagonal, re);
        skew = a.e.add(skew, imaginary);
    }
    let turn = a.e.sub(skew, y);
    let turned = a.dot(q, turn);
    let dq = a.e.add(turned, x);
    let stretch = a.e.neg(turn);
    let dr = a.dot(stretch, r);
    let dr = a.part(dr, Part::Upper);

    // Q - 1 = V W, with the signs that reflections give.
    let by_sign = a.as_rows(sign, m);
    let signed = a.e.mul(q, by_sign);
    let signed_dq = a.e.mul(dq, by_sign);
    let v = a.with_unit_diagonal(packed, Part::StrictLower);
    let v1 = a.block(v, (0, n), (0, n));
    let q1 = a.block(signed, (0, n), (0, n));
    let eye = a.eye_like(q1);
    let q1 = a.e.sub(q1, eye);
    let w = a.solve(left(true, true, TransposeA::No), v1, q1);
    let w = a.part(w, Part::Upper);
    let dq1 = a.block(signed_dq, (0, n), (0, n));
    let inner = a.solve(left(true, true, TransposeA::No), v1, dq1);
    let ratio = a.solve(right(false, false, TransposeA::No), w, inner);
    let below = a.part(ratio, Part::StrictLower);
    let mut dv = a.dot(v1, below);
    let moved = a.dot(below, w);
    let dw = a.e.sub(inner, moved);
    let dw = a.part(dw, Part::Upper);
    let diagonal = a.diagonal(dw);
    let taus = a.e.neg(diagonal);
    let taus = a.e.mul(taus, sign);
    let mut dr = dr;
    if m > n {
        let v2 = a.block(v, (n, m), (0, n));
        let dq2 = a.block(signed_dq, (n, m), (0, n));
        let product = a.dot(v2, dw);
        let rest = a.e.sub(dq2, product);
        let dv2 = a.solve(right(false, false, TransposeA::No), w, rest);
        dv = a.stacked(dv, dv2);
        dr = a.padded(dr, m, n);
    }
    let dv = a.part(dv, Part::StrictLower);
    PackedTangent { packed: a.e.add(dv, dr), taus, q: dq }
}

impl OpDef for HouseholderProduct {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        ensure!(operands.len() == 2, "I0", "takes 2 operands, got {}", operands.len());
        let x = matrix(operands, 0)?;
        let (m, n) = sizes(&x.shape);
        ensure!(m >= n, "C1", "{n} columns of length {m}");
        let Some(taus) = operands[1].as_tensor() else {
            return Err(TypeError::new("I1", "operand 1 is a token"));
        };
        let k = taus.shape.last().copied().unwrap_or(0);
        ensure!(k <= n, "C2", "{k} reflectors in {n} columns");
        let wanted = beside(x, x.dtype, &[k]);
        ensure!(operands[1] == wanted, "C3", "the taus must be {wanted}, not {taus}");
        Ok(smallvec![operands[0].clone()])
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let k = operands[1].shape().last().copied().unwrap_or(0);
        by_dtype!(operands[0].dtype(), T => {
            let (all, taus) = (matrices::<T>(&operands[0])?, load::<T>(&operands[1])?);
            let q: Vec<_> = all.iter().enumerate().map(|(b, v)| orgqr(v, &taus[b * k..(b + 1) * k])).collect();
            Ok(vec![store(operands[0].ty().clone(), joined(q))])
        })
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        x.cubed().saturating_mul(4) / 3
    }

    // Q = 1 - V T V^H with T = N^-1 D, D the taus, N = 1 + D striu(V^H V) (the UT transform).
    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        let mut a = Algebra::new(e);
        let (m, n) = a.sizes(x.operands[0]);
        let taus = x.operands[1];
        let k = a.ty(taus).shape.last().copied().unwrap_or(0);
        if k == 0 || a.ty(x.operands[0]).elements() == 0 {
            return smallvec![None];
        }
        let v = a.block(x.operands[0], (0, m), (0, k));
        let sign = signs(&mut a, v, taus);
        let taus = smooth_taus(&mut a, taus, sign);
        let v = a.with_unit_diagonal(v, Part::StrictLower);
        let vh = a.adjoint(v);
        let top = a.block(vh, (0, k), (0, n));
        let gram = a.dot(vh, v);
        let gram = a.part(gram, Part::StrictUpper);
        let by_tau = a.as_cols(taus, k);
        let coupling = a.e.mul(by_tau, gram);
        let d = a.part(by_tau, Part::Diagonal);
        let unit = left(false, true, TransposeA::No);
        let t = a.solve(unit.clone(), coupling, d);
        let mut sum: Option<Term> = None;
        let mut dn: Option<Term> = None;
        let mut rhs: Option<Term> = None;
        if let Some(dtaus) = x.tangents[1] {
            let dtaus = a.e.mul(dtaus, sign);
            let by_dtau = a.as_cols(dtaus, k);
            rhs = Some(a.part(by_dtau, Part::Diagonal));
            dn = Some(a.e.mul(by_dtau, gram));
        }
        if let Some(da) = x.tangents[0] {
            let dv = a.block(da, (0, m), (0, k));
            let dv = a.part(dv, Part::StrictLower);
            let dvh = a.adjoint(dv);
            let (one, two) = (a.dot(dvh, v), a.dot(vh, dv));
            let dgram = a.e.add(one, two);
            let dgram = a.part(dgram, Part::StrictUpper);
            let scaled = a.e.mul(by_tau, dgram);
            dn = a.e.add_opt(dn, Some(scaled));
            let t_top = a.dot(t, top);
            let first = a.dot(dv, t_top);
            let dtop = a.block(dvh, (0, k), (0, n));
            let vt = a.dot(v, t);
            let last = a.dot(vt, dtop);
            sum = Some(a.e.add(first, last));
        }
        if let Some(dn) = dn {
            let moved = a.dot(dn, t);
            let moved = a.e.neg(moved);
            rhs = a.e.add_opt(rhs, Some(moved));
        }
        if let Some(rhs) = rhs {
            let dt = a.solve(unit, coupling, rhs);
            let dt_top = a.dot(dt, top);
            let middle = a.dot(v, dt_top);
            sum = a.e.add_opt(sum, Some(middle));
        }
        // Columns beyond the reflectors keep their sign.
        let mut by_sign = a.as_rows(sign, m);
        if n > k {
            let beyond = a.block(x.operands[0], (0, m), (k, n));
            let ones = a.e.splat_like(beyond, 1.0);
            by_sign = a.beside(by_sign, ones);
        }
        smallvec![sum.map(|s| {
            let s = a.e.neg(s);
            a.e.mul(s, by_sign)
        })]
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        batching::leading(e, size, self.clone(), operands)
    }
}
