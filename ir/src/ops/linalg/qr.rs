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

use super::dense::{geqrf, orgqr};
use super::rules::{Algebra, Part, left, right};
use super::scalar::{load, matrices, sizes, store};
use super::{beside, by_dtype, joined, matrix, result_types};
use crate::array::Array;
use crate::ensure;
use crate::func::Module;
use crate::op::*;
use crate::rules::{Emit, EvalError, Evaluate, Jvp, OpDef, Tangents, Term, TypeError, Types};
use crate::types::Type;
use smallvec::smallvec;

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
            Ok(vec![store(types[0].clone(), &joined(&all)), store(types[1].clone(), &taus)])
        })
    }

    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        let Some(da) = x.tangents[0] else { return smallvec![None, None] };
        let mut a = Algebra::new(e);
        let (rows, cols) = a.sizes(da);
        let least = rows.min(cols);
        if a.ty(da).elements() == 0 {
            return smallvec![None, None];
        }
        let packed = a.block(x.results[0], (0, rows), (0, least));
        let da1 = a.block(da, (0, rows), (0, least));
        let q = a.e.one(HouseholderProduct { form: self.form }, &[packed, x.results[1]]);
        let t = packed_tangent(&mut a, packed, x.results[1], q, da1);
        let mut out = t.packed;
        if cols > rows {
            // The columns beyond are R_2 = Q^H a_2.
            let a2 = a.block(x.operands[0], (0, rows), (rows, cols));
            let da2 = a.block(da, (0, rows), (rows, cols));
            let (qh, dqh) = (a.adjoint(q), a.adjoint(t.q));
            let (first, second) = (a.dot(dqh, a2), a.dot(qh, da2));
            let beyond = a.e.add(first, second);
            out = a.beside(out, beyond);
        }
        smallvec![Some(out), Some(t.taus)]
    }
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
            Ok(vec![store(operands[0].ty().clone(), &joined(&q))])
        })
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
        // 2 - tau where the sign is -1.
        let (one, taus) = (a.e.splat_like(taus, 1.0), a.e.mul(taus, sign));
        let shift = a.e.sub(one, sign);
        let taus = a.e.add(taus, shift);
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
}
