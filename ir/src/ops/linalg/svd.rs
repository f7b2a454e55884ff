//! Singular value decomposition.
//!
//! With `a = U S V^H`, `P = U^H da V`: `dS = Re diag P`, and `dU`, `dV` from the parts of `P` off the diagonal; M. Giles (2008), 3.2, and
//! Z.-Q. Wan, S.-X. Zhang, *Automatic differentiation for complex valued SVD*, arXiv:1909.02659. Equal or vanishing singular values have no
//! derivative of their vectors. Columns that complete U or V to a square matrix move as little as they can.

use super::rules::Algebra;
use super::scalar::{Scalar, matrices, real_dtype, sizes, store};
use super::{beside, by_dtype, integers, matrix, result_types, spectral};
use crate::array::Array;
use crate::ensure;
use crate::func::Module;
use crate::op::*;
use crate::ops::batching;
use crate::rules::{Batched, Mapped};
use crate::rules::{Emit, EvalError, Evaluate, Jvp, OpDef, Tangents, Term, TypeError, Types};
use crate::types::{DType, Type};
use crate::work::Sizes;
use smallvec::smallvec;
use wengert_libraries::Vectors;

impl Svd {
    /// Columns of U and rows of V^H.
    fn vectors(&self, m: usize, n: usize) -> (usize, usize) {
        match self.mode {
            SvdMode::Thin => (m.min(n), m.min(n)),
            SvdMode::All | SvdMode::Values => (m, n),
        }
    }
}

impl OpDef for Svd {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        ensure!(operands.len() == 1, "I0", "takes 1 operand, got {}", operands.len());
        let x = matrix(operands, 0)?;
        let (m, n) = sizes(&x.shape);
        let (of_u, of_v) = self.vectors(m, n);
        Ok(smallvec![
            operands[0].clone(),
            beside(x, real_dtype(x.dtype), &[m.min(n)]),
            beside(x, x.dtype, &[m, of_u]),
            beside(x, x.dtype, &[of_v, n]),
            beside(x, DType::I32, &[]),
        ])
    }

    fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let types = result_types(self, operands)?;
        types.iter().try_for_each(|ty| cx.reserve(ty))?;
        let (m, n) = sizes(operands[0].shape());
        let (of_u, of_v) = self.vectors(m, n);
        let wanted = match self.mode {
            SvdMode::Values => Vectors::Without,
            SvdMode::Thin => Vectors::Thin,
            SvdMode::All => Vectors::Square,
        };
        by_dtype!(types[0].dtype, T => {
            let (mut s, mut u, mut vt, mut info) = (Vec::<f64>::new(), Vec::<T>::new(), Vec::<T>::new(), Vec::new());
            for a in matrices::<T>(&operands[0])? {
                let nan = T::new(f64::NAN, f64::NAN);
                match spectral::svd(&a, wanted) {
                    Some(found) => {
                        s.extend(found.s);
                        if self.mode == SvdMode::Values {
                            u.resize(u.len() + m * of_u, T::ZERO);
                            vt.resize(vt.len() + of_v * n, T::ZERO);
                        } else {
                            u.extend(found.u.data);
                            vt.extend(found.vt.data);
                        }
                        info.push(0);
                    }
                    None => {
                        s.extend(vec![f64::NAN; m.min(n)]);
                        u.extend(vec![nan; m * of_u]);
                        vt.extend(vec![nan; of_v * n]);
                        info.push(1);
                    }
                }
            }
            Ok(vec![
                operands[0].clone(),
                store(types[1].clone(), s),
                store(types[2].clone(), u),
                store(types[3].clone(), vt),
                integers(&types[4], &info),
            ])
        })
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        x.cubed().saturating_mul(21)
    }

    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        let mut out: Tangents = smallvec![None; 5];
        let Some(da) = x.tangents[0] else { return out };
        out[0] = Some(da);
        if e.ty(da).elements() == 0 {
            return out;
        }
        let (m, n) = sizes(&e.ty(da).shape);
        let k = m.min(n);
        let (u_all, s, vt_all) = if self.mode == SvdMode::Values {
            let thin = Svd { mode: SvdMode::Thin, driver: self.driver };
            let with = e.emit(thin.into(), &[x.operands[0]]);
            (with[2], with[1], with[3])
        } else {
            (x.results[2], x.results[1], x.results[3])
        };
        let mut a = Algebra::new(e);
        let u = a.block(u_all, (0, m), (0, k));
        let vt = a.block(vt_all, (0, k), (0, n));
        let (uh, v) = (a.adjoint(u), a.adjoint(vt));
        let half = a.dot(uh, da);
        let p = a.dot(half, v);
        let diagonal = a.diagonal(p);
        out[1] = Some(a.real(diagonal));
        if self.mode == SvdMode::Values {
            return out;
        }
        let dtype = a.dtype(u);
        let (row, col) = (a.as_rows(s, k), a.as_cols(s, k));
        let eye = a.eye_like(row);
        // F = 1 / (s_j^2 - s_i^2) off the diagonal.
        let (sum, difference) = (a.e.add(row, col), a.e.sub(row, col));
        let squares = a.e.mul(sum, difference);
        let squares = a.e.add(squares, eye);
        let one = a.e.splat_like(squares, 1.0);
        let f = a.e.div(one, squares);
        let f = a.e.sub(f, eye);
        let (f, row, col) = (a.like(f, dtype), a.like(row, dtype), a.like(col, dtype));
        let (ps, sp) = (a.e.mul(row, p), a.e.mul(col, p));
        let (ps_h, sp_h) = (a.adjoint(ps), a.adjoint(sp));
        let (ps, sp) = (a.e.add(ps, ps_h), a.e.add(sp, sp_h));
        let (mut turn_u, turn_v) = (a.e.mul(f, ps), a.e.mul(f, sp));
        if dtype.is_complex() {
            // The phases: half of the skew part of the diagonal, over s (or 0).
            let zero = a.e.splat_like(s, 0.0);
            let vanishes = a.e.compare(Direction::Eq, s, zero);
            let one = a.e.splat_like(s, 1.0);
            let safe = a.e.select(vanishes, one, s);
            let inverse = a.e.div(one, safe);
            let inverse = a.e.select(vanishes, zero, inverse);
            let inverse = a.as_rows(inverse, k);
            let inverse = a.part(inverse, super::rules::Part::Diagonal);
            let inverse = a.like(inverse, dtype);
            let ph = a.adjoint(p);
            let skew = a.e.sub(p, ph);
            let skew = a.e.scale(skew, 0.5);
            let phases = a.e.mul(skew, inverse);
            turn_u = a.e.add(turn_u, phases);
        }
        let (mut du, mut dv) = (a.dot(u, turn_u), a.dot(v, turn_v));
        if m > n {
            let moved = a.dot(da, v);
            du = outside(&mut a, du, u, moved, s);
        }
        if n > m {
            let dah = a.adjoint(da);
            let moved = a.dot(dah, u);
            dv = outside(&mut a, dv, v, moved, s);
        }
        if self.mode == SvdMode::All && m != n {
            if m > n {
                du = completed(&mut a, u_all, u, du);
            } else {
                let v_all = a.adjoint(vt_all);
                dv = completed(&mut a, v_all, v, dv);
            }
        }
        out[2] = Some(du);
        out[3] = Some(a.adjoint(dv));
        out
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        batching::leading(e, size, self.clone(), operands)
    }
}

/// Adds what the vectors move out of their span: `(1 - u u^H) moved / s`.
fn outside(a: &mut Algebra<'_>, du: Term, u: Term, moved: Term, s: Term) -> Term {
    let rows = a.sizes(u).0;
    let uh = a.adjoint(u);
    let within = a.dot(uh, moved);
    let within = a.dot(u, within);
    let rest = a.e.sub(moved, within);
    let dtype = a.dtype(u);
    let s = a.as_rows(s, rows);
    let s = a.like(s, dtype);
    let rest = a.e.div(rest, s);
    a.e.add(du, rest)
}

/// The tangent of a square unitary matrix, given that of its first columns: the others move by `-u du^H w`.
fn completed(a: &mut Algebra<'_>, all: Term, u: Term, du: Term) -> Term {
    let (m, k) = a.sizes(u);
    let w = a.block(all, (0, m), (k, m));
    let duh = a.adjoint(du);
    let inner = a.dot(duh, w);
    let moved = a.dot(u, inner);
    let moved = a.e.neg(moved);
    a.beside(du, moved)
}
