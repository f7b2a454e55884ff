//! Cholesky decomposition.
//!
//! With `a = L L^H`: `dL = L phi(L^-1 da L^-H)`, where `phi` takes the lower triangle and halves the diagonal; I. Murray,
//! *Differentiation of the Cholesky decomposition*, arXiv:1602.07527. One triangle of `a` is read, so `da` is
//! what that triangle makes of itself.

use super::rules::{Algebra, Part, left, right};
use super::scalar::{Scalar, count, in_place, load, sizes, store};
use super::written;
use super::{beside, by_dtype, integers, result_types, square};
use crate::array::Array;
use crate::func::Module;
use crate::op::*;
use crate::ops::batching;
use crate::rules::{Batched, Mapped};
use crate::rules::{Emit, EvalError, Evaluate, Jvp, OpDef, Tangents, Term, TypeError, Types};
use crate::types::{DType, TensorType, Type};
use crate::work::Sizes;
use smallvec::{SmallVec, smallvec};
use wengert_libraries::dense::potrf_each;

/// The tangent of the factor, which may hold anything in the other triangle.
fn tangent(e: &mut dyn Emit, factor: Term, da: Term, lower: bool) -> Term {
    let mut m = Algebra::new(e);
    let da = m.mirrored(da, lower);
    if lower {
        let half = m.solve(right(true, false, TransposeA::Adjoint), factor, da);
        let inner = m.solve(left(true, false, TransposeA::No), factor, half);
        let phi = halved(&mut m, inner, Part::Lower);
        let factor = m.part(factor, Part::Lower);
        m.dot(factor, phi)
    } else {
        // U = L^H: dU = phi'(U^-H da U^-1) U.
        let half = m.solve(right(false, false, TransposeA::No), factor, da);
        let inner = m.solve(left(false, false, TransposeA::Adjoint), factor, half);
        let phi = halved(&mut m, inner, Part::Upper);
        let factor = m.part(factor, Part::Upper);
        m.dot(phi, factor)
    }
}

fn halved(m: &mut Algebra<'_>, x: Term, part: Part) -> Term {
    let eye = m.eye_like(x);
    let half = m.e.scale(eye, -0.5);
    let one = m.e.splat_like(x, 1.0);
    let weights = m.e.add(one, half);
    let kept = m.part(x, part);
    m.e.mul(kept, weights)
}

fn part_of(lower: bool) -> Part {
    if lower { Part::Lower } else { Part::Upper }
}

impl Cholesky {
    /// The factors in place of matrices.
    fn factor<T: Scalar>(&self, shape: &[usize], all: &mut [T]) {
        let n = sizes(shape).0;
        let info = potrf_each(all, n, count(shape), self.lower);
        for (a, info) in all.chunks_exact_mut((n * n).max(1)).zip(info) {
            if info != 0 {
                a.fill(T::new(f64::NAN, f64::NAN));
                continue;
            }
            for i in 0..n {
                let other = if self.lower { i + 1..n } else { 0..i };
                a[i * n..][other].fill(T::ZERO);
            }
        }
    }
}

impl OpDef for Cholesky {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        square(operands)?;
        Ok(smallvec![operands[0].clone()])
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let x = &operands[0];
        by_dtype!(x.dtype(), T => {
            let mut all = load::<T>(x)?;
            self.factor(x.shape(), &mut all);
            Ok(vec![store(x.ty().clone(), all)])
        })
    }

    fn eval_into(
        &self,
        operands: &[(&TensorType, &[u8])],
        results: &mut [(&TensorType, &mut [u8])],
    ) -> Option<Result<(), EvalError>> {
        let ([(ty, x)], [(_, result)]) = (operands, results) else { return None };
        in_place(ty, x, result, |all| self.factor(&ty.shape, all)).map(Ok)
    }

    fn expand(&self, e: &mut dyn Emit, operands: &[Term]) -> Option<SmallVec<[Term; 2]>> {
        written::cholesky(e, operands[0], self.lower)
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        x.cubed() / 3
    }

    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        smallvec![x.tangents[0].map(|da| tangent(e, x.results[0], da, self.lower))]
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        batching::leading(e, size, self.clone(), operands)
    }
}

impl OpDef for Potrf {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let x = square(operands)?;
        Ok(smallvec![operands[0].clone(), beside(x, DType::I32, &[])])
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let types = result_types(self, operands)?;
        by_dtype!(types[0].dtype, T => {
            let x = &operands[0];
            let mut all = load::<T>(x)?;
            let info = potrf_each(&mut all, sizes(x.shape()).0, count(x.shape()), self.lower);
            Ok(vec![store(types[0].clone(), all), integers(&types[1], &info)])
        })
    }

    fn eval_into(
        &self,
        operands: &[(&TensorType, &[u8])],
        results: &mut [(&TensorType, &mut [u8])],
    ) -> Option<Result<(), EvalError>> {
        let ([(ty, x)], [(_, factor), (_, info)]) = (operands, results) else { return None };
        let info: &mut [i32] = bytemuck::try_cast_slice_mut(info).ok()?;
        let (n, count) = (sizes(&ty.shape).0, count(&ty.shape));
        let found = in_place(ty, x, factor, |all| potrf_each(all, n, count, self.lower))?;
        info.copy_from_slice(&found);
        Some(Ok(()))
    }

    fn expand(&self, e: &mut dyn Emit, operands: &[Term]) -> Option<SmallVec<[Term; 2]>> {
        written::potrf(e, operands[0], self.lower)
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        x.cubed() / 3
    }

    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        let Some(da) = x.tangents[0] else { return smallvec![None, None] };
        let factor = tangent(e, x.results[0], da, self.lower);
        // The other triangle is the operand's.
        let mut m = Algebra::new(e);
        let mask = m.mask(factor, part_of(self.lower));
        smallvec![Some(m.e.select(mask, factor, da)), None]
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        batching::leading(e, size, self.clone(), operands)
    }
}
