//! Communication between the examples of a batch, along an axis that a `vmap` names: `wengert.axis_index`,
//! `wengert.collective`.
//!
//! They are in functions of one example. Batching along the axis of their name gives them their meaning
//! ([`AxisIndex::bind`], [`Collective::bind`]) and they are gone; until then they have shapes and derivatives, and cannot run.
//! Two pairs are each other's transpose, so that all reductions over an axis, which are those over the rows of `all_gather`,
//! are differentiated by their parts: `all_gather` and `reduce_scatter`; `all_to_all` is its own, and a permutation's is its
//! inverse. A gradient for each example is thus one of the sum of what all examples give, as JAX has it.

use super::batching;
use crate::array::{Array, Literal};
use crate::ensure;
use crate::func::Module;
use crate::op::*;
use crate::rules::{
    Batched, Emit, EvalError, Evaluate, Jvp, Mapped, OpDef, Tangents, Term, Transpose as Cotangents,
    TypeError, Types,
};
use crate::types::{DType, Dims, TensorType, Type};
use smallvec::{SmallVec, smallvec};

/// Into more pieces a permutation is not cut: its rows are gathered.
const MOST_PIECES: usize = 8;

impl OpDef for AxisIndex {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        ensure!(operands.is_empty(), "arity", "wants no operands");
        Ok(smallvec![TensorType::scalar(DType::I32).into()])
    }

    fn eval(&self, _: &mut dyn Evaluate, _: &[Array]) -> Result<Vec<Array>, EvalError> {
        Err(unbound(&self.axis))
    }

    fn jvp(&self, _: &mut dyn Emit, _: Jvp<'_>) -> Tangents {
        smallvec![None]
    }
}

impl AxisIndex {
    /// What it is on a batch along its axis.
    pub fn bind(&self, e: &mut dyn Emit) -> Mapped {
        (e.one(Iota { ty: TensorType::new(DType::I32, &[self.size]), dim: 0 }, &[]), Some(0))
    }
}

fn unbound(axis: &str) -> EvalError {
    EvalError::Unsupported(format!("the axis `{axis}` is bound by no `vmap` here"))
}

impl OpDef for Collective {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let [Type::Tensor(x)] = operands else {
            return Err(TypeError::new("arity", "wants one tensor"));
        };
        ensure!(x.is_static(), "size", "the sizes of {x} must be known");
        let permutes = self.kind == CollectiveKind::Permute;
        ensure!(
            permutes || self.source.is_empty() && self.target.is_empty(),
            "pairs",
            "only a permutation has pairs"
        );
        let n = self.size;
        let has_row_each = || {
            ensure!(x.shape.first() == Some(&n), "rows", "{x} has no row for each of {n} examples");
            Ok(())
        };
        let shape: Dims = match self.kind {
            CollectiveKind::AllGather => std::iter::once(n).chain(x.shape.iter().copied()).collect(),
            CollectiveKind::ReduceScatter => {
                has_row_each()?;
                ensure!(x.dtype != DType::I1, "sum", "a sum of booleans is not defined: {x}");
                x.shape[1..].into()
            }
            CollectiveKind::AllToAll => {
                has_row_each()?;
                x.shape.clone()
            }
            CollectiveKind::Agree => x.shape.clone(),
            CollectiveKind::Permute => {
                let (source, target) = (&self.source, &self.target);
                ensure!(
                    source.len() == target.len(),
                    "pairs",
                    "{} sources of {} targets",
                    source.len(),
                    target.len()
                );
                for (what, list) in [("source", source), ("target", target)] {
                    let mut seen = list.clone();
                    seen.sort_unstable();
                    ensure!(seen.last().is_none_or(|&k| k < n), "pairs", "a {what} is not below {n}");
                    ensure!(seen.windows(2).all(|w| w[0] != w[1]), "pairs", "a {what} is there twice");
                }
                x.shape.clone()
            }
        };
        Ok(smallvec![x.with_shape(&shape).into()])
    }

    fn eval(&self, _: &mut dyn Evaluate, _: &[Array]) -> Result<Vec<Array>, EvalError> {
        Err(unbound(&self.axis))
    }

    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        smallvec![x.tangents[0].map(|t| e.one(self.clone(), &[t]))]
    }

    fn transpose(&self, e: &mut dyn Emit, x: Cotangents<'_>) -> Tangents {
        smallvec![x.cotangents[0].map(|ct| e.one(self.adjoint(), &[ct]))]
    }

    fn is_linear(&self, linear: &[bool]) -> bool {
        linear == [true]
    }

    // Along another axis: what it does to the first dimension is done behind or before the mapped one.
    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        let (from, to) = match self.kind {
            CollectiveKind::AllGather => (0, 1),
            CollectiveKind::ReduceScatter => (1, 0),
            CollectiveKind::AllToAll => (1, 1),
            CollectiveKind::Permute | CollectiveKind::Agree => (0, 0),
        };
        let x = batching::at(e, size, operands[0], from);
        Some(vec![(e.one(self.clone(), &[x]), Some(to))])
    }
}

impl Collective {
    /// Its transpose.
    fn adjoint(&self) -> Collective {
        let kind = match self.kind {
            CollectiveKind::AllGather => CollectiveKind::ReduceScatter,
            CollectiveKind::ReduceScatter => CollectiveKind::AllGather,
            kind @ (CollectiveKind::AllToAll | CollectiveKind::Permute | CollectiveKind::Agree) => kind,
        };
        Collective { kind, source: self.target.clone(), target: self.source.clone(), ..self.clone() }
    }

    /// What it is on a batch along its axis; what is not mapped is the same for all examples. `None` where it should be and is not.
    pub fn bind(&self, e: &mut dyn Emit, x: Mapped) -> Option<Mapped> {
        let size = self.size;
        Some(match (self.kind, x) {
            (CollectiveKind::Agree, (x, None)) => (x, None),
            (CollectiveKind::Agree, (_, Some(_))) => return None,
            // The batch itself.
            (CollectiveKind::AllGather, x) => (batching::at(e, size, x, 0), None),
            (CollectiveKind::ReduceScatter, (x, Some(d))) => (e.reduce_sum(x, &[d]), Some(0)),
            (CollectiveKind::ReduceScatter, (x, None)) => {
                let times = e.splat_like(x, size as f64);
                (e.mul(x, times), Some(0))
            }
            // Nothing moves: what were rows of an example are the examples.
            (CollectiveKind::AllToAll, (x, Some(d))) => (batching::moved(e, x, d, 0), Some(1)),
            (CollectiveKind::AllToAll, (x, None)) => (batching::at(e, size, (x, None), 1), Some(0)),
            (CollectiveKind::Permute, x) => {
                let x = batching::at(e, size, x, 0);
                (self.permuted(e, x), Some(0))
            }
        })
    }

    /// Rows where the pairs send them, and zeros where they send none.
    fn permuted(&self, e: &mut dyn Emit, x: Term) -> Term {
        let size = self.size;
        let mut from: Vec<Option<usize>> = vec![None; size];
        self.source.iter().zip(&self.target).for_each(|(&s, &t)| from[t] = Some(s));
        let ty = e.ty(x);
        // Of targets in a row: the first one's source, and how many they are.
        let mut pieces: Vec<(Option<usize>, usize)> = Vec::new();
        for &s in &from {
            match pieces.last_mut() {
                Some((None, n)) if s.is_none() => *n += 1,
                Some((Some(first), n)) if s == Some(*first + *n) => *n += 1,
                Some(_) | None => pieces.push((s, 1)),
            }
        }
        if pieces.len() <= MOST_PIECES {
            let mut parts: SmallVec<[Term; 4]> = SmallVec::new();
            for (first, n) in pieces {
                let mut shape = ty.shape.clone();
                shape[0] = n;
                parts.push(match first {
                    None => e.splat(ty.with_shape(&shape), 0.0),
                    Some(first) => {
                        let mut start = Dims::from_elem(0, ty.rank());
                        let mut limit = ty.shape.clone();
                        (start[0], limit[0]) = (first, first + n);
                        e.one(Slice { start, limit, strides: Dims::from_elem(1, ty.rank()) }, &[x])
                    }
                });
            }
            return match parts[..] {
                [] => x,
                [one] => one,
                _ => e.one(Concatenate { dim: 0 }, &parts),
            };
        }
        let rows: Vec<i64> = from.iter().map(|s| s.unwrap_or(0) as i64).collect();
        let rows = e.literal(Literal::from_array(&Array::new(&[size], &rows)));
        let moved = batching::rows(e, x, rows);
        if from.iter().all(Option::is_some) {
            return moved;
        }
        let sent: Vec<i32> = from.iter().map(|s| s.is_some() as i32).collect();
        let sent = e.one(Constant { value: Literal::from_array(&Array::new(&[size], &sent)) }, &[]);
        let sent = e.convert(sent, DType::I1);
        let sent = e.broadcast_in_dim(sent, &ty.shape, &[0]);
        let zeros = e.splat(ty, 0.0);
        e.select(sent, moved, zeros)
    }
}
