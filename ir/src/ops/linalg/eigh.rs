//! Eigenvalues and vectors of Hermitian matrices.
//!
//! `dw = diag(v^H da v)` and `dv = v (F * v^H da v)`, `F_ij = 1 / (w_j - w_i)` off the diagonal; M. Giles (2008), 3.1. Vectors of an eigenvalue
//! that occurs twice have no derivative, and get infinities or NaN.

use super::rules::Algebra;
use super::scalar::{Scalar, matrices, real_dtype, sizes, store};
use super::{beside, by_dtype, integers, result_types, spectral, square};
use crate::array::Array;
use crate::func::Module;
use crate::op::*;
use crate::ops::batching;
use crate::rules::{Batched, Mapped};
use crate::rules::{Emit, EvalError, Evaluate, Jvp, OpDef, Tangents, TypeError, Types};
use crate::types::{DType, Type};
use crate::work::Sizes;
use smallvec::smallvec;

impl OpDef for Eigh {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let x = square(operands)?;
        let n = sizes(&x.shape).0;
        let mut out: Types = smallvec![operands[0].clone(), beside(x, real_dtype(x.dtype), &[n])];
        if self.form == CallForm::Lapack {
            out.push(beside(x, DType::I32, &[]));
        }
        Ok(out)
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let types = result_types(self, operands)?;
        by_dtype!(types[0].dtype, T => {
            let (mut vectors, mut values, mut info) = (Vec::<T>::new(), Vec::<f64>::new(), Vec::new());
            for a in matrices::<T>(&operands[0])? {
                match spectral::eigh(&a, self.lower, self.vectors) {
                    Some((w, v)) => {
                        vectors.extend(if self.vectors { v.data } else { a.data });
                        values.extend(w);
                        info.push(0);
                    }
                    None => {
                        vectors.extend(a.data.iter().map(|_| T::new(f64::NAN, f64::NAN)));
                        values.extend((0..a.rows).map(|_| f64::NAN));
                        info.push(1);
                    }
                }
            }
            let mut out = vec![store(types[0].clone(), vectors), store(types[1].clone(), values)];
            if let Some(ty) = types.get(2) {
                out.push(integers(ty, &info));
            }
            Ok(out)
        })
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        x.cubed().saturating_mul(9)
    }

    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        let mut out: Tangents = x.results.iter().map(|_| None).collect();
        let Some(da) = x.tangents[0] else { return out };
        let (v, w) = if self.vectors {
            (x.results[0], x.results[1])
        } else {
            let with = e.emit(Eigh { vectors: true, ..self.clone() }.into(), &[x.operands[0]]);
            (with[0], with[1])
        };
        let mut m = Algebra::new(e);
        let dtype = m.dtype(v);
        let n = m.sizes(v).0;
        let da = m.mirrored(da, self.lower);
        let vh = m.adjoint(v);
        let half = m.dot(vh, da);
        let inner = m.dot(half, v);
        let diagonal = m.diagonal(inner);
        out[1] = Some(m.real(diagonal));
        if self.vectors {
            let (rows, cols) = (m.as_rows(w, n), m.as_cols(w, n));
            let gaps = m.e.sub(rows, cols);
            let eye = m.eye_like(gaps);
            let gaps = m.e.add(gaps, eye);
            let one = m.e.splat_like(gaps, 1.0);
            let f = m.e.div(one, gaps);
            let f = m.e.sub(f, eye);
            let f = m.like(f, dtype);
            let turn = m.e.mul(f, inner);
            out[0] = Some(m.dot(v, turn));
        } else {
            out[0] = x.tangents[0];
        }
        out
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        batching::leading(e, size, self.clone(), operands)
    }
}
