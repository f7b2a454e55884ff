//! Triangular systems.
//!
//! Linear in `b`; `d(a^-1 b) = a^-1 (db - da x)`, where `da` is what is read of the tangent of `a`. M. Giles,
//! *Collected matrix derivative results for forward and reverse mode algorithmic differentiation* (2008), 2.2.4.

use super::rules::{Algebra, Part};
use super::scalar::{Reals, in_place, load, sizes, store};
use super::{by_dtype, matrix, written};
use crate::array::Array;
use crate::ensure;
use crate::func::Module;
use crate::op::*;
use crate::ops::batching;
use crate::rules::{Batched, Mapped};
use crate::rules::{
    Emit, EvalError, Evaluate, Jvp, OpDef, Operand, Tangents, Term, Transpose as Cotangents, TypeError, Types,
};
use crate::types::{TensorType, Type};
use crate::work::Sizes;
use smallvec::{SmallVec, smallvec};
use wengert_libraries::dense::{Operation, Triangle, trsm_each};

impl TriangularSolve {
    fn triangle(&self) -> Triangle {
        let op = match self.transpose_a {
            TransposeA::No => Operation::No,
            TransposeA::Transpose => Operation::Transpose,
            TransposeA::Adjoint => Operation::Adjoint,
        };
        Triangle { lower: self.lower, unit: self.unit_diagonal, op }
    }
}

impl OpDef for TriangularSolve {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        ensure!(operands.len() == 2, "I0", "takes 2 operands, got {}", operands.len());
        let (a, b) = (matrix(operands, 0)?, matrix(operands, 1)?);
        ensure!(a.dtype == b.dtype, "C1", "a has elements {} and b {}", a.dtype, b.dtype);
        ensure!(a.rank() == b.rank(), "C2", "a has rank {} and b {}", a.rank(), b.rank());
        let batch = a.rank() - 2;
        ensure!(
            a.shape[..batch] == b.shape[..batch],
            "C3",
            "batches {:?} and {:?} differ",
            &a.shape[..batch],
            &b.shape[..batch]
        );
        let ((m, n), (rows, cols)) = (sizes(&a.shape), sizes(&b.shape));
        let side = if self.left_side { rows } else { cols };
        ensure!(m == n && n == side, "C3", "a of {m} x {n} does not fit b of {rows} x {cols}");
        Ok(smallvec![operands[1].clone()])
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let (a, b) = (&operands[0], &operands[1]);
        let how = self.triangle();
        by_dtype!(a.dtype(), T => {
            let (all, mut x) = (load::<T>(a)?, load::<T>(b)?);
            trsm_each(&all, sizes(a.shape()).0, &mut x, sizes(b.shape()), self.left_side, how);
            Ok(vec![store(b.ty().clone(), x)])
        })
    }

    fn eval_into(
        &self,
        operands: &[(&TensorType, &[u8])],
        results: &mut [(&TensorType, &mut [u8])],
    ) -> Option<Result<(), EvalError>> {
        let ([(a, of_a), (b, of_b)], [(_, result)]) = (operands, results) else { return None };
        let all = Reals::of(a, of_a)?;
        let solve = |x: &mut [f64]| {
            trsm_each(&all, sizes(&a.shape).0, x, sizes(&b.shape), self.left_side, self.triangle());
        };
        in_place(b, of_b, result, solve).map(Ok)
    }

    fn expand(&self, e: &mut dyn Emit, operands: &[Term]) -> Option<SmallVec<[Term; 2]>> {
        let how = self.triangle();
        written::solve(e, operands[0], operands[1], self.left_side, how)
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        x.result(0).saturating_mul(x.order())
    }

    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        let mut rhs = x.tangents[1];
        if let Some(da) = x.tangents[0] {
            let mut m = Algebra::new(e);
            let part = match (self.lower, self.unit_diagonal) {
                (true, false) => Part::Lower,
                (true, true) => Part::StrictLower,
                (false, false) => Part::Upper,
                (false, true) => Part::StrictUpper,
            };
            let da = m.part(da, part);
            let da = match self.transpose_a {
                TransposeA::No => da,
                TransposeA::Transpose => m.transpose(da),
                TransposeA::Adjoint => m.adjoint(da),
            };
            let moved = if self.left_side { m.dot(da, x.results[0]) } else { m.dot(x.results[0], da) };
            let moved = m.e.neg(moved);
            rhs = m.e.add_opt(rhs, Some(moved));
        }
        smallvec![rhs.map(|rhs| e.one(self.clone(), &[x.operands[0], rhs]))]
    }

    // Transposes are without conjugation: (a^-H)^T is the solve with conj(a).
    fn transpose(&self, e: &mut dyn Emit, x: Cotangents<'_>) -> Tangents {
        let (Some(ct), Operand::Known(a)) = (x.cotangents[0], &x.operands[0]) else {
            return smallvec![None, None];
        };
        let (transpose_a, a) = match self.transpose_a {
            TransposeA::No => (TransposeA::Transpose, *a),
            TransposeA::Transpose => (TransposeA::No, *a),
            TransposeA::Adjoint => (TransposeA::No, Algebra::new(e).conj(*a)),
        };
        smallvec![None, Some(e.one(TriangularSolve { transpose_a, ..self.clone() }, &[a, ct]))]
    }

    fn is_linear(&self, linear: &[bool]) -> bool {
        !linear[0] && linear[1]
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        batching::leading(e, size, self.clone(), operands)
    }
}
