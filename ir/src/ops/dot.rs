//! Contractions.
//!
//! Operands and result may have different element types, as XLA allows ([`check_factors`]): products and sums are of the
//! widest of them ([`arithmetic`]), and the sum is rounded once. Code knows contractions of one type only; the others
//! expand to conversions around one.
//!
//! Evaluation sums in the order of the contracting dimensions as listed.
//! The order is not part of the bitwise promise of reductions.

use super::elementwise::number::Number;
use super::elementwise::{convert, dispatch, elements};
use super::shape::{inverse, linear, rest, tensors, unique};
use super::strided::{Walk, copy, row_major};
use crate::array::Array;
use crate::ensure;
use crate::func::Module;
use crate::op::*;
use crate::ops::batching;
use crate::rules::{Batched, Mapped};
use crate::rules::{
    Emit, EvalError, Evaluate, Jvp, OpDef, Operand, Tangents, Term, Transpose as Cotangents, TypeError, Types,
};
use crate::types::{DType, DTypeClass, DYNAMIC, Dims, Type};
use crate::work::Sizes;
use smallvec::{SmallVec, smallvec};

fn joined(lists: &[&[usize]]) -> Dims {
    lists.iter().flat_map(|l| l.iter().copied()).collect()
}

impl DotGeneral {
    fn lhs_free(&self, rank: usize) -> Dims {
        rest(rank, &[&self.lhs_batching_dims, &self.lhs_contracting_dims])
    }

    fn rhs_free(&self, rank: usize) -> Dims {
        rest(rank, &[&self.rhs_batching_dims, &self.rhs_contracting_dims])
    }

    /// The product with its operands exchanged; its result has the free dimensions exchanged too.
    pub fn swapped(&self) -> DotGeneral {
        DotGeneral {
            lhs_batching_dims: self.rhs_batching_dims.clone(),
            rhs_batching_dims: self.lhs_batching_dims.clone(),
            lhs_contracting_dims: self.rhs_contracting_dims.clone(),
            rhs_contracting_dims: self.lhs_contracting_dims.clone(),
            lhs_precision: self.rhs_precision,
            rhs_precision: self.lhs_precision,
            dtype: self.dtype,
        }
    }

    /// The cotangent of lhs. `free` are the dimensions of `ct` that stand for lhs' and rhs' free ones.
    fn cotangent_of_lhs(&self, e: &mut dyn Emit, ct: Term, rhs: Term, like: Like, free: [Dims; 2]) -> Term {
        let (rank, rhs_rank) = (like.rank, e.ty(rhs).rank());
        let [_, ct_rhs_free] = free;
        // The transpose of rounding a sum, or of taking its real part, is a conversion to what it was summed in.
        let dtype = arithmetic(like.dtype, e.ty(rhs).dtype, self.dtype);
        let (ct, rhs) = (e.convert(ct, dtype), e.convert(rhs, dtype));
        // ct: batching, lhs free, rhs free. Contracting rhs' free dimensions leaves lhs' batching and free
        // ones, then what rhs contracted, in rhs' order.
        let product = e.dot_general(
            DotGeneral {
                lhs_batching_dims: (0..self.lhs_batching_dims.len()).collect(),
                rhs_batching_dims: self.rhs_batching_dims.clone(),
                lhs_contracting_dims: ct_rhs_free,
                rhs_contracting_dims: self.rhs_free(rhs_rank),
                lhs_precision: self.lhs_precision,
                rhs_precision: self.rhs_precision,
                dtype,
            },
            ct,
            rhs,
        );
        let mut pairs: Vec<(usize, usize)> = self
            .rhs_contracting_dims
            .iter()
            .copied()
            .zip(self.lhs_contracting_dims.iter().copied())
            .collect();
        pairs.sort_unstable();
        let contracted: Dims = pairs.into_iter().map(|(_, l)| l).collect();
        let holds = joined(&[&self.lhs_batching_dims, &self.lhs_free(rank), &contracted]);
        let moved = e.transpose(product, &inverse(&holds));
        e.convert(moved, like.dtype)
    }
}

/// What a cotangent must look like.
struct Like {
    rank: usize,
    dtype: DType,
}

impl OpDef for DotGeneral {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let xs = tensors(operands, 2)?;
        let (lhs, rhs) = (xs[0], xs[1]);
        let (lb, rb) = (&self.lhs_batching_dims, &self.rhs_batching_dims);
        let (lc, rc) = (&self.lhs_contracting_dims, &self.rhs_contracting_dims);
        ensure!(lb.len() == rb.len(), "C1", "{} lhs batching dims, {} rhs", lb.len(), rb.len());
        ensure!(lc.len() == rc.len(), "C2", "{} lhs contracting dims, {} rhs", lc.len(), rc.len());
        ensure!(unique(&joined(&[lb, lc])), "C3", "lhs dims {lb:?}, {lc:?} repeat");
        ensure!(unique(&joined(&[rb, rc])), "C4", "rhs dims {rb:?}, {rc:?} repeat");
        let (l, r) = (lhs.rank(), rhs.rank());
        ensure!(lb.iter().all(|&d| d < l), "C5", "lhs batching dims {lb:?} for rank {l}");
        ensure!(lc.iter().all(|&d| d < l), "C6", "lhs contracting dims {lc:?} for rank {l}");
        ensure!(rb.iter().all(|&d| d < r), "C7", "rhs batching dims {rb:?} for rank {r}");
        ensure!(rc.iter().all(|&d| d < r), "C8", "rhs contracting dims {rc:?} for rank {r}");
        let agree = |a: usize, b: usize| a == b || a == DYNAMIC || b == DYNAMIC;
        for (&a, &b) in lb.iter().zip(rb) {
            let (n, m) = (lhs.shape[a], rhs.shape[b]);
            ensure!(agree(n, m), "C9", "lhs dim {a} of size {n} batches with rhs dim {b} of size {m}");
        }
        for (&a, &b) in lc.iter().zip(rc) {
            let (n, m) = (lhs.shape[a], rhs.shape[b]);
            ensure!(agree(n, m), "C10", "lhs dim {a} of size {n} contracts with rhs dim {b} of size {m}");
        }
        check_factors("C13", lhs.dtype, rhs.dtype)?;
        let mut shape: Dims = lb.iter().map(|&d| lhs.shape[d]).collect();
        shape.extend(self.lhs_free(l).iter().map(|&d| lhs.shape[d]));
        shape.extend(self.rhs_free(r).iter().map(|&d| rhs.shape[d]));
        Ok(smallvec![Type::Tensor(crate::types::TensorType { dtype: self.dtype, shape })])
    }

    fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let wide = arithmetic(operands[0].dtype(), operands[1].dtype(), self.dtype);
        let (lhs, rhs) = (convert(&operands[0], wide)?, convert(&operands[1], wide)?);
        let (lhs_free, rhs_free) = (self.lhs_free(lhs.shape().len()), self.rhs_free(rhs.shape().len()));
        // Row-major copies: lhs as batching, free, contracting; rhs as batching, free, contracting.
        let lhs_order = joined(&[&self.lhs_batching_dims, &lhs_free, &self.lhs_contracting_dims]);
        let rhs_order = joined(&[&self.rhs_batching_dims, &rhs_free, &self.rhs_contracting_dims]);
        let (a, b) = (permuted(&lhs, &lhs_order), permuted(&rhs, &rhs_order));
        let size = |x: &Array, dims: &[usize]| dims.iter().map(|&d| x.shape()[d]).product::<usize>();
        let sizes = [
            size(&lhs, &self.lhs_batching_dims),
            size(&lhs, &lhs_free),
            size(&rhs, &rhs_free),
            size(&lhs, &self.lhs_contracting_dims),
        ];
        let mut shape: Dims = self.lhs_batching_dims.iter().map(|&d| lhs.shape()[d]).collect();
        shape.extend(lhs_free.iter().map(|&d| lhs.shape()[d]));
        shape.extend(rhs_free.iter().map(|&d| rhs.shape()[d]));
        let ty = lhs.ty().with_shape(&shape);
        cx.reserve(&ty)?;
        let mut out = Array::zeros(ty);
        dispatch!(lhs.dtype(), "stablehlo.dot_general", product(&a, &b, &mut out, sizes))?;
        Ok(vec![convert(&out, self.dtype)?])
    }

    fn expand(&self, e: &mut dyn Emit, operands: &[Term]) -> Option<SmallVec<[Term; 2]>> {
        let types = [e.ty(operands[0]).dtype, e.ty(operands[1]).dtype];
        if types == [self.dtype; 2] {
            return None;
        }
        let dtype = arithmetic(types[0], types[1], self.dtype);
        let (lhs, rhs) = (e.convert(operands[0], dtype), e.convert(operands[1], dtype));
        let product = e.dot_general(DotGeneral { dtype, ..self.clone() }, lhs, rhs);
        Some(smallvec![e.convert(product, self.dtype)])
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        let depth = self.lhs_contracting_dims.iter().map(|&d| x.size(0, d)).fold(1, u64::saturating_mul);
        x.result(0).saturating_mul(depth).saturating_mul(2)
    }

    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        let of_lhs = x.tangents[0].map(|t| e.dot_general(self.clone(), t, x.operands[1]));
        let of_rhs = x.tangents[1].map(|t| e.dot_general(self.clone(), x.operands[0], t));
        smallvec![e.add_opt(of_lhs, of_rhs)]
    }

    fn transpose(&self, e: &mut dyn Emit, x: Cotangents<'_>) -> Tangents {
        let Some(ct) = x.cotangents[0] else { return smallvec![None, None] };
        let rank = |e: &mut dyn Emit, o: &Operand| match o {
            Operand::Known(term) => e.ty(*term).rank(),
            Operand::Linear(ty) => ty.rank(),
        };
        let (l, r) = (rank(e, &x.operands[0]), rank(e, &x.operands[1]));
        let batching = self.lhs_batching_dims.len();
        let middle = batching + self.lhs_free(l).len();
        let of_lhs: Dims = (batching..middle).collect();
        let of_rhs: Dims = (middle..middle + self.rhs_free(r).len()).collect();
        match (&x.operands[0], &x.operands[1]) {
            (Operand::Linear(_), Operand::Known(rhs)) => {
                let ty = linear(&x, 0).expect("linear");
                let like = Like { rank: l, dtype: ty.dtype };
                smallvec![Some(self.cotangent_of_lhs(e, ct, *rhs, like, [of_lhs, of_rhs])), None]
            }
            (Operand::Known(lhs), Operand::Linear(ty)) => {
                let like = Like { rank: r, dtype: ty.dtype };
                smallvec![None, Some(self.swapped().cotangent_of_lhs(e, ct, *lhs, like, [of_rhs, of_lhs]))]
            }
            _ => unreachable!("linear in exactly one operand"),
        }
    }

    fn is_linear(&self, linear: &[bool]) -> bool {
        linear[0] != linear[1]
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        let _ = size;
        let (lhs, rhs) = (operands[0], operands[1]);
        let mut op = self.clone();
        for (mapped, batching, contracting) in [
            (lhs.1, &mut op.lhs_batching_dims, &mut op.lhs_contracting_dims),
            (rhs.1, &mut op.rhs_batching_dims, &mut op.rhs_contracting_dims),
        ] {
            if let Some(at) = mapped {
                *batching = batching::beside(batching, at);
                *contracting = batching::beside(contracting, at);
            }
        }
        // How many dimensions of the result come before the mapped one: of an operand, those that stay before it.
        let before = |at: usize, batching: &Dims, contracting: &Dims| {
            (0..at).filter(|d| !batching.contains(d) && !contracting.contains(d)).count()
        };
        let at = match (lhs.1, rhs.1) {
            (Some(l), Some(r)) => {
                op.lhs_batching_dims.insert(0, l);
                op.rhs_batching_dims.insert(0, r);
                0
            }
            (Some(l), None) => {
                op.lhs_batching_dims.len() + before(l, &op.lhs_batching_dims, &op.lhs_contracting_dims)
            }
            (None, Some(r)) => {
                let rank = e.ty(lhs.0).rank();
                rank - op.lhs_contracting_dims.len()
                    + before(r, &op.rhs_batching_dims, &op.rhs_contracting_dims)
            }
            (None, None) => return None,
        };
        Some(vec![(e.dot_general(op, lhs.0, rhs.0), Some(at))])
    }
}

/// The array with its dimensions in another order.
fn permuted(x: &Array, order: &[usize]) -> Array {
    let steps = row_major(x.shape());
    let shape: Dims = order.iter().map(|&d| x.shape()[d]).collect();
    let from = Walk { start: 0, steps: order.iter().map(|&d| steps[d]).collect() };
    let mut out = Array::zeros(x.ty().with_shape(&shape));
    copy(x.dtype().size(), &shape, out.bytes_mut(), &Walk::all(&shape), x.bytes(), &from);
    out
}

/// Whether elements of two types may be multiplied in a contraction or convolution: both are integers, both floats, both
/// complex, or both truth values. The specification asks for one type (`label`); XLA takes any pair, and JAX's mixed
/// precisions (`f32` times `bf16`, two formats of 8 bits) rely on it.
pub(super) fn check_factors(label: &'static str, lhs: DType, rhs: DType) -> Result<(), TypeError> {
    let one_kind = lhs.class() == rhs.class() || lhs.is_integer() && rhs.is_integer();
    if one_kind { Ok(()) } else { Err(TypeError::new(label, format!("{lhs} times {rhs}"))) }
}

/// The type in which a contraction or convolution of `lhs` and `rhs` that gives `result` multiplies and adds: the widest of
/// the three, for floats at least binary32. Integers wrap, so their type matters only where the result is wider.
pub fn arithmetic(lhs: DType, rhs: DType, result: DType) -> DType {
    fn wider(a: DType, b: DType) -> DType {
        let kind = |d: DType| match d.class() {
            DTypeClass::Bool => 0,
            DTypeClass::Signed | DTypeClass::Unsigned => 1,
            DTypeClass::Float => 2,
            DTypeClass::Complex => 3,
        };
        if a.is_complex() != b.is_complex() {
            return wider(a.part(), b.part()).complex().unwrap_or(DType::C64);
        }
        if (kind(a), a.bits()) > (kind(b), b.bits()) { a } else { b }
    }
    accumulator(wider(wider(lhs, rhs), result))
}

/// The type that sums of an element type are computed in: binary32 for narrower floats, which round at the end.
pub(crate) fn accumulator(dtype: DType) -> DType {
    if dtype.is_float() && dtype.bits() < 32 { DType::F32 } else { dtype }
}

fn product<T: Number>(a: &Array, b: &Array, out: &mut Array, sizes: [usize; 4]) {
    let out: &mut [T] = bytemuck::cast_slice_mut(out.bytes_mut());
    let (add, mul) = (|a, b| T::binary(BinaryOp::Add, a, b), |a, b| T::binary(BinaryOp::Multiply, a, b));
    contract::<T>(elements(a), elements(b), out, sizes, add, mul);
}

/// `out[b, m, n] = sum over k of lhs[b, m, k] * rhs[b, n, k]`; `out` comes as zeros.
fn contract<T: Copy>(
    lhs: &[T],
    rhs: &[T],
    out: &mut [T],
    [batches, rows, columns, depth]: [usize; 4],
    add: impl Fn(T, T) -> T,
    mul: impl Fn(T, T) -> T,
) {
    for b in 0..batches {
        for m in 0..rows {
            for n in 0..columns {
                let (x, y) = (&lhs[(b * rows + m) * depth..], &rhs[(b * columns + n) * depth..]);
                let out = &mut out[(b * rows + m) * columns + n];
                *out = x[..depth].iter().zip(&y[..depth]).fold(*out, |acc, (&x, &y)| add(acc, mul(x, y)));
            }
        }
    }
}
