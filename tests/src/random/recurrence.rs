//! Steps whose result has the type of a value of which each element needs many: the least of `x[j] + w[j, k]` over `j`, as
//! Viterbi's algorithm takes it, and what moves elements before and after. In a loop over what is carried, the result and
//! what is still to be read of `x` want the same memory.

use super::{Flavor, Maker};
use wengert_ir::func::{FuncKind, Value};
use wengert_ir::op::*;
use wengert_ir::types::{DType, Dims, TensorType};

impl Maker {
    /// A value of the type of `x`, made of it.
    pub(super) fn recurrence(&mut self, x: Value) -> Option<Value> {
        let ty = self.ty(x);
        if ty.rank() == 0 || ty.elements() == 0 {
            return None;
        }
        let mut v = x;
        for _ in 0..1 + self.below(2) {
            let dim = self.below(ty.rank());
            v = match self.below(5) {
                0 => self.hidden(Reverse { dims: Dims::from_slice(&[dim]) }, &[v])?,
                1 => self.rolled(v, dim)?,
                _ => self.folded(v, dim)?,
            };
        }
        self.pool.push(v);
        Some(v)
    }

    /// The elements moved on by one along a dimension, the last of them first.
    fn rolled(&mut self, x: Value, dim: usize) -> Option<Value> {
        let shape = self.ty(x).shape;
        let mut part = |from: usize, to: usize| {
            let (mut start, mut limit) = (Dims::from_elem(0, shape.len()), shape.clone());
            (start[dim], limit[dim]) = (from, to);
            self.hidden(Slice { start, limit, strides: Dims::from_elem(1, shape.len()) }, &[x])
        };
        let n = shape[dim];
        let parts = [part(n - 1, n)?, part(0, n - 1)?];
        self.hidden(Concatenate { dim }, &parts)
    }

    /// A fold over `j` of `x[j]` and something of `j` and `k`, for each `k` of as many as there are `j`.
    fn folded(&mut self, x: Value, dim: usize) -> Option<Value> {
        let ty = self.ty(x);
        // The new dimension stands before or behind the one that is folded.
        let behind = self.below(2);
        let mut wide = ty.clone();
        wide.shape.insert(dim, ty.shape[dim]);
        if wide.elements() > super::LARGEST {
            return None;
        }
        let dims: Dims =
            (0..ty.rank()).map(|d| d + usize::from(d > dim || d == dim && behind == 0)).collect();
        let over = dims[dim];
        let spread = self.hidden(BroadcastInDim { shape: wide.shape.clone(), dims }, &[x])?;
        let weights = self.of_type(&wide);
        let mixed = match self.flavor {
            Flavor::Wild => {
                let op = self.random.pick(&[BinaryOp::Add, BinaryOp::Multiply, BinaryOp::Maximum]);
                self.hidden(op, &[spread, weights])?
            }
            Flavor::Smooth => {
                let product = self.hidden(BinaryOp::Multiply, &[spread, weights])?;
                self.hidden(UnaryOp::Sine, &[product])?
            }
        };
        let scalar = TensorType::scalar(ty.dtype);
        let one_of_three = self.below(3);
        if self.flavor == Flavor::Wild && matches!(ty.dtype, DType::F32 | DType::F64 | DType::I32) {
            if one_of_three == 0 {
                return Some(self.largest(mixed, &Dims::from_slice(&[over]))?[0]);
            }
            if one_of_three == 1 {
                return self.weighed(mixed, over);
            }
        }
        let op = match self.flavor {
            Flavor::Wild => self.random.pick(&[BinaryOp::Add, BinaryOp::Maximum, BinaryOp::Minimum]),
            Flavor::Smooth => BinaryOp::Add,
        };
        let init = if op == BinaryOp::Add { self.splat(&scalar, 0.0) } else { self.of_type(&scalar) };
        let reduce = Reduce { dims: Dims::from_slice(&[over]), inputs: 1, reducer: Reducer::Op(op) };
        self.hidden(reduce, &[mixed, init])
    }

    /// A fold in which the order counts: each element is added to twice or half of what was before.
    fn weighed(&mut self, x: Value, dim: usize) -> Option<Value> {
        let scalar = TensorType::scalar(self.ty(x).dtype);
        let by = if scalar.dtype.is_float() { 0.5 } else { 2.0 };
        let body = self.function(FuncKind::Region, &[scalar.clone(), scalar.clone()], |s, p| {
            let by = s.number(scalar.dtype, by);
            let scaled = s.hidden(BinaryOp::Multiply, &[p[0], by]).expect("one type");
            vec![s.hidden(BinaryOp::Add, &[scaled, p[1]]).expect("one type")]
        });
        let init = self.splat(&scalar, 0.0);
        let op = Reduce { dims: Dims::from_slice(&[dim]), inputs: 1, reducer: Reducer::Func(body) };
        self.hidden(op, &[x, init])
    }
}
