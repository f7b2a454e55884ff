//! LU decomposition with partial pivoting.
//!
//! With `P a = L U`: `X = L^-1 P da U^-1`, `dL = L tril(X, -1)`, `dU = triu(X) U`; F. de Hoog, R. Anderssen, M. Lukas,
//! *Differentiation of matrix functionals using triangular factorization*, Math. Comp. 80 (2011). Pivots stay as
//! they are. A matrix that is not square is completed by unit columns or rows.

use super::rules::{Algebra, Part, left, right};
use super::scalar::{Scalar, count, in_place, load, sizes, store};
use super::{beside, by_dtype, integers, matrix, result_types, written};
use crate::array::Array;
use crate::ensure;
use crate::func::{Func, FuncKind, Loc, Module};
use crate::op::*;
use crate::ops::batching;
use crate::rules::{Batched, Mapped};
use crate::rules::{Emit, EvalError, Evaluate, Jvp, OpDef, Tangents, Term, TypeError, Types};
use crate::types::{DType, Dims, TensorType, Type};
use crate::work::Sizes;
use smallvec::{SmallVec, smallvec};
use wengert_libraries::dense::{getrf_each, permutation};

impl Lu {
    /// The factors in place of matrices; the exchanges of each, and what comes last.
    fn factor<T: Scalar>(&self, shape: &[usize], all: &mut [T]) -> [SmallVec<[i32; 16]>; 2] {
        let (m, n) = sizes(shape);
        let (mut pivots, mut last) = (SmallVec::new(), SmallVec::new());
        getrf_each(all, (m, n), count(shape), |steps, info| match self.form {
            CallForm::Lapack => {
                pivots.extend(steps.iter().map(|&p| p as i32 + 1));
                last.push(info);
            }
            CallForm::Generic => {
                pivots.extend(steps.iter().map(|&p| p as i32));
                last.extend(permutation(steps, m).iter().map(|&p| p as i32));
            }
        });
        [pivots, last]
    }
}

impl OpDef for Lu {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        ensure!(operands.len() == 1, "I0", "takes 1 operand, got {}", operands.len());
        let x = matrix(operands, 0)?;
        let (m, n) = sizes(&x.shape);
        let last = match self.form {
            CallForm::Lapack => beside(x, DType::I32, &[]),
            CallForm::Generic => beside(x, DType::I32, &[m]),
        };
        Ok(smallvec![operands[0].clone(), beside(x, DType::I32, &[m.min(n)]), last])
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let types = result_types(self, operands)?;
        by_dtype!(types[0].dtype, T => {
            let mut all = load::<T>(&operands[0])?;
            let [pivots, last] = self.factor(operands[0].shape(), &mut all);
            let lu = store(types[0].clone(), all);
            Ok(vec![lu, integers(&types[1], &pivots), integers(&types[2], &last)])
        })
    }

    fn eval_into(
        &self,
        operands: &[(&TensorType, &[u8])],
        results: &mut [(&TensorType, &mut [u8])],
    ) -> Option<Result<(), EvalError>> {
        let ([(ty, x)], [(_, lu), (_, pivots), (_, last)]) = (operands, results) else { return None };
        let pivots: &mut [i32] = bytemuck::try_cast_slice_mut(pivots).ok()?;
        let last: &mut [i32] = bytemuck::try_cast_slice_mut(last).ok()?;
        let found = in_place(ty, x, lu, |all| self.factor(&ty.shape, all))?;
        pivots.copy_from_slice(&found[0]);
        last.copy_from_slice(&found[1]);
        Some(Ok(()))
    }

    fn expand(&self, e: &mut dyn Emit, operands: &[Term]) -> Option<SmallVec<[Term; 2]>> {
        written::lu(e, operands[0], self.form)
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        x.cubed().saturating_mul(2) / 3
    }

    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        let Some(da) = x.tangents[0] else { return smallvec![None, None, None] };
        let (m, n) = sizes(&e.ty(da).shape);
        if e.ty(da).elements() == 0 {
            return smallvec![Some(da), None, None];
        }
        let order = match self.form {
            CallForm::Lapack => permutation_of(e, x.results[1], m),
            CallForm::Generic => x.results[2],
        };
        let da = rows_at(e, da, order);
        smallvec![Some(factors_tangent(&mut Algebra::new(e), x.results[0], da, (m, n))), None, None]
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        batching::leading(e, size, self.clone(), operands)
    }
}

/// The tangent of `L - 1 + U`, given that of `P a`.
fn factors_tangent(m: &mut Algebra<'_>, lu: Term, da: Term, (rows, cols): (usize, usize)) -> Term {
    let least = rows.min(cols);
    let l = m.block(lu, (0, rows), (0, least));
    let l = m.padded(l, rows, rows);
    let l = m.with_unit_diagonal(l, Part::StrictLower);
    let u = m.block(lu, (0, least), (0, cols));
    let mut u = m.part(u, Part::Upper);
    if cols > rows {
        // Ones continue the diagonal.
        let eye = {
            let like = m.padded(u, cols, cols);
            let ones = m.eye_like(like);
            m.block(ones, (rows, cols), (0, cols))
        };
        u = m.stacked(u, eye);
    }
    let half = m.solve(left(true, true, TransposeA::No), l, da);
    let inner = m.solve(right(false, false, TransposeA::No), u, half);
    let below = m.part(inner, Part::StrictLower);
    let above = m.part(inner, Part::Upper);
    let of_l = if cols > rows {
        // Nothing lies below the diagonal beyond the square block.
        let block = m.block(below, (0, rows), (0, rows));
        let block = m.dot(l, block);
        m.padded(block, rows, cols)
    } else {
        m.dot(l, below)
    };
    let of_u = m.dot(above, u);
    m.e.add(of_l, of_u)
}

/// The rows of each matrix in another order: `x[order]`.
fn rows_at(e: &mut dyn Emit, x: Term, order: Term) -> Term {
    let ty = e.ty(x);
    let (rank, batch) = (ty.rank(), ty.rank() - 2);
    let mut index_shape = e.ty(order).shape;
    index_shape.push(1);
    let order = e.reshape(order, &index_shape);
    // Of no matrices there is not even one row.
    let mut slice_sizes: Dims = ty.shape.iter().map(|&n| n.min(1)).collect();
    slice_sizes[rank - 1] = ty.shape[rank - 1];
    let gather = Gather {
        offset_dims: Dims::from_slice(&[rank - 1]),
        collapsed_slice_dims: Dims::from_slice(&[rank - 2]),
        operand_batching_dims: (0..batch).collect(),
        start_indices_batching_dims: (0..batch).collect(),
        start_index_map: Dims::from_slice(&[rank - 2]),
        index_vector_dim: rank - 1,
        slice_sizes,
        indices_are_sorted: false,
    };
    e.one(gather, &[x, order])
}

/// The permutation that LAPACK's pivots (from 1) make of this many rows: a loop of exchanges.
fn permutation_of(e: &mut dyn Emit, pivots: Term, rows: usize) -> Term {
    let ty = e.ty(pivots);
    let steps = ty.shape[ty.rank() - 1];
    let batch: Dims = Dims::from_slice(&ty.shape[..ty.rank() - 1]);
    let mut shape = batch.clone();
    shape.push(rows);
    let all = TensorType { dtype: DType::I32, shape };
    let scalar = TensorType::scalar(DType::I32);
    let start = e.one(Iota { ty: all.clone(), dim: all.rank() - 1 }, &[]);
    let zero = e.splat(scalar.clone(), 0.0);
    let (cond, body) = {
        let module = e.module();
        let mut cond = Builder { module, func: Func::new("", FuncKind::Region) };
        let i = cond.param(&scalar);
        cond.param(&all);
        cond.param(&ty);
        let emit: &mut dyn Emit = &mut cond;
        let count = emit.splat(scalar.clone(), steps as f64);
        let more = emit.compare(Direction::Lt, i, count);
        let cond = cond.finish(&[more]);
        (cond, exchange(e.module(), &scalar, &all, &ty))
    };
    let op = While { cond, body, consts: 0, stacks: 0, counted: false };
    e.emit(op.into(), &[zero, start, pivots])[1]
}

/// One trip: exchanges elements `i` and `pivots[i] - 1` of each permutation.
fn exchange(
    module: &mut Module,
    scalar: &TensorType,
    all: &TensorType,
    pivots: &TensorType,
) -> crate::func::FuncId {
    let rank = all.rank();
    let mut b = Builder { module, func: Func::new("", FuncKind::Region) };
    let (i, order, steps) = (b.param(scalar), b.param(all), b.param(pivots));
    let e: &mut dyn Emit = &mut b;
    let zero = e.splat(scalar.clone(), 0.0);
    let mut at: Vec<Term> = vec![zero; rank];
    at[rank - 1] = i;
    let mut sizes = all.shape.clone();
    sizes[rank - 1] = 1;
    let dims: Dims = (0..rank).collect();
    let one_of = |e: &mut dyn Emit, x: Term| {
        let mut operands = vec![x];
        operands.extend(&at);
        let one = e.one(DynamicSlice { sizes: sizes.clone() }, &operands);
        e.broadcast_in_dim(one, &all.shape, &dims)
    };
    let here = one_of(e, order);
    let other = one_of(e, steps);
    let one = e.splat_like(other, 1.0);
    let other = e.sub(other, one);
    let place = e.one(Iota { ty: all.clone(), dim: rank - 1 }, &[]);
    let is_other = e.compare(Direction::Eq, place, other);
    let nothing = e.splat_like(order, 0.0);
    let only = e.select(is_other, order, nothing);
    let there = e.reduce_sum(only, &[rank - 1]);
    let there = e.broadcast_in_dim(there, &all.shape, &dims[..rank - 1]);
    let i_all = e.broadcast_scalar(i, &all.shape);
    let is_here = e.compare(Direction::Eq, place, i_all);
    let moved = e.select(is_other, here, order);
    let moved = e.select(is_here, there, moved);
    let step = e.splat(scalar.clone(), 1.0);
    let next = e.add(i, step);
    b.finish(&[next, moved, steps])
}

/// Emits into a function of its own.
struct Builder<'m> {
    module: &'m mut Module,
    func: Func,
}

impl Builder<'_> {
    fn param(&mut self, ty: &TensorType) -> Term {
        Term::Known(self.func.param(ty.clone()))
    }
    fn finish(mut self, results: &[Term]) -> crate::func::FuncId {
        self.func.results = results.iter().map(|&t| value(t)).collect();
        self.module.add(self.func)
    }
}

fn value(term: Term) -> crate::func::Value {
    match term {
        Term::Known(v) | Term::Linear(v) => v,
    }
}

impl Emit for Builder<'_> {
    fn emit(&mut self, op: Op, operands: &[Term]) -> smallvec::SmallVec<[Term; 2]> {
        let operands: Vec<_> = operands.iter().map(|&t| value(t)).collect();
        let results =
            self.func.push(self.module, op, &operands, Loc::Unknown).unwrap_or_else(|e| panic!("{e}"));
        results.into_iter().map(Term::Known).collect()
    }
    fn ty(&self, term: Term) -> TensorType {
        self.func.tensor(value(term)).clone()
    }
    fn module(&mut self) -> &mut Module {
        self.module
    }
}
