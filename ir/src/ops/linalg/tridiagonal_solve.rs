//! Tridiagonal systems: linear in `b`, `d(t^-1 b) = t^-1 (db - dt x)`.

use super::perturbed;
use super::scalar::{load, matrices, sizes, store};
use super::{beside, by_dtype, integers, joined, matrix, result_types};
use crate::array::Array;
use crate::ensure;
use crate::func::Module;
use crate::op::*;
use crate::ops::batching;
use crate::rules::{Batched, Mapped};
use crate::rules::{
    Emit, EvalError, Evaluate, Jvp, OpDef, Operand, Tangents, Term, Transpose as Cotangents, TypeError, Types,
};
use crate::types::{DType, Dims, TensorType, Type};
use crate::work::Sizes;
use smallvec::{SmallVec, smallvec};
use wengert_libraries::dense::{Diagonals, gtsv};

impl TridiagonalSolve {
    /// The number of the result that is the solution.
    fn answer(&self) -> usize {
        if self.perturbed { 0 } else { 3 }
    }
}

impl OpDef for TridiagonalSolve {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        ensure!(operands.len() == 4, "I0", "takes 4 operands, got {}", operands.len());
        let b = matrix(operands, 3)?;
        let vector = beside(b, b.dtype, &[sizes(&b.shape).0]);
        for (k, ty) in operands[..3].iter().enumerate() {
            ensure!(*ty == vector, "C1", "diagonal {k} must be {vector}, not {ty}");
        }
        if self.perturbed {
            return Ok(smallvec![operands[3].clone()]);
        }
        let mut out: Types = operands.iter().cloned().collect();
        out.push(beside(b, DType::I32, &[]));
        Ok(out)
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let types = result_types(self, operands)?;
        let n = sizes(operands[3].shape()).0;
        let dtype = operands[3].dtype();
        by_dtype!(dtype, T => {
            let [dl, d, du] = [load::<T>(&operands[0])?, load::<T>(&operands[1])?, load::<T>(&operands[2])?];
            let mut x = matrices::<T>(&operands[3])?;
            let mut info = Vec::new();
            for (k, x) in x.iter_mut().enumerate() {
                let one = |all: &[T]| all[k * n..(k + 1) * n].to_vec();
                let mut t = Diagonals { lower: one(&dl), main: one(&d), upper: one(&du) };
                if self.perturbed {
                    perturbed::solve(&t, x, perturbed::Range::of(dtype.part()));
                } else {
                    info.push(gtsv(&mut t, x));
                }
            }
            if self.perturbed {
                return Ok(vec![store(types[0].clone(), joined(x))]);
            }
            let mut out = operands[..3].to_vec();
            out.push(store(types[3].clone(), joined(x)));
            out.push(integers(&types[4], &info));
            Ok(out)
        })
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        x.operand(3).saturating_mul(8)
    }

    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        let at = self.answer();
        let answer = x.results[at];
        let mut rhs = x.tangents[3];
        // dt x: the diagonal times x, the lower one times x a row up, the upper one times x a row down.
        for (k, down) in [(0, 1i64), (1, 0), (2, -1)] {
            let Some(t) = x.tangents[k] else { continue };
            let shape = e.ty(answer).shape;
            let dims: Dims = (0..shape.len() - 1).collect();
            let t = e.broadcast_in_dim(t, &shape, &dims);
            let moved = shifted(e, answer, down);
            let product = e.mul(t, moved);
            let product = e.neg(product);
            rhs = e.add_opt(rhs, Some(product));
        }
        let solved = rhs
            .map(|rhs| e.emit(self.clone().into(), &[x.operands[0], x.operands[1], x.operands[2], rhs])[at]);
        if self.perturbed {
            return smallvec![solved];
        }
        smallvec![x.tangents[0], x.tangents[1], x.tangents[2], solved, None]
    }

    fn transpose(&self, e: &mut dyn Emit, x: Cotangents<'_>) -> Tangents {
        let (Some(ct), [Operand::Known(dl), Operand::Known(d), Operand::Known(du), _]) =
            (x.cotangents[self.answer()], x.operands)
        else {
            return smallvec![None, None, None, None];
        };
        let lower = along(e, *du, 1);
        let upper = along(e, *dl, -1);
        let solved = e.emit(self.clone().into(), &[lower, *d, upper, ct])[self.answer()];
        smallvec![None, None, None, Some(solved)]
    }

    fn is_linear(&self, linear: &[bool]) -> bool {
        !linear[..3].contains(&true) && linear[3]
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        batching::leading(e, size, self.clone(), operands)
    }
}

/// The rows of matrices moved down, zeros coming in.
fn shifted(e: &mut dyn Emit, x: Term, down: i64) -> Term {
    let rank = e.ty(x).rank();
    moved(e, x, rank - 2, down)
}

/// The elements of vectors moved towards the end, zeros coming in.
fn along(e: &mut dyn Emit, x: Term, by: i64) -> Term {
    let rank = e.ty(x).rank();
    moved(e, x, rank - 1, by)
}

fn moved(e: &mut dyn Emit, x: Term, dim: usize, by: i64) -> Term {
    let ty = e.ty(x);
    if by == 0 || ty.shape[dim] == 0 {
        return x;
    }
    let mut low: SmallVec<[i64; 4]> = SmallVec::from_elem(0, ty.rank());
    let (interior, mut high) = (low.clone(), low.clone());
    (low[dim], high[dim]) = (by, -by);
    let zero = e.splat(TensorType::scalar(ty.dtype), 0.0);
    e.one(Pad { low, high, interior }, &[x, zero])
}
