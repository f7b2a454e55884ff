//! `chlo.ragged_dot`: products in which one dimension of lhs falls into groups of consecutive rows, whose sizes are an operand.
//!
//! It is read as what it means, with a mask per group, as JAX computes it on a CPU. Where the dimension is free, each group
//! has a matrix of rhs of its own; where it is contracted, each group gives a result of its own; where it is a batch,
//! groups change nothing. Rows after the last group are in none.

use crate::array::Literal;
use crate::func::Value;
use crate::op::*;
use crate::text::generic::Raw;
use crate::text::parser::{Instr, Parser, Res, Uses};
use crate::types::{DType, Dims, TensorType};

/// The dimensions of one operand.
struct Side {
    value: Value,
    ty: TensorType,
    batching: Dims,
    contracting: Dims,
    /// The one that falls into groups.
    ragged: usize,
}

impl Side {
    /// The dimensions that group sizes may be given for, one by one: those before the ragged one among those of its kind.
    fn prefix(&self) -> Dims {
        if let Some(k) = self.batching.iter().position(|&d| d == self.ragged) {
            return self.batching[..k].into();
        }
        let mut out = self.batching.clone();
        match self.contracting.iter().position(|&d| d == self.ragged) {
            Some(k) => out.extend_from_slice(&self.contracting[..k]),
            None => {
                let free = |d: &usize| !self.batching.contains(d) && !self.contracting.contains(d);
                out.extend((0..self.ragged).filter(free));
            }
        }
        out
    }
}

/// Dimensions after another one has come before them.
fn moved(dims: &[usize]) -> Dims {
    dims.iter().map(|d| d + 1).collect()
}

impl<'s> Parser<'s> {
    fn ragged_error<T>(&self, raw: &Raw<'s>, message: impl std::fmt::Display) -> Res<T> {
        self.fail_at(raw.at, format!("chlo.ragged_dot: {message}"))
    }

    /// The operation with operands of these types, all of known sizes.
    pub(in crate::text) fn ragged_dot(&mut self, raw: Raw<'s>, types: &[TensorType]) -> Res<Instr> {
        let at = raw.at;
        let [lhs, rhs, sizes] = types else {
            return self.ragged_error(&raw, "takes lhs, rhs and group sizes");
        };
        let d = self.fields(&raw, "ragged_dot_dimension_numbers", "chlo.ragged_dot")?;
        let dims = |name: &str| self.list(d, name);
        let (ragged, group) = (dims("lhs_ragged_dimensions")?, dims("rhs_group_dimensions")?);
        let [ragged] = ragged[..] else {
            return self.ragged_error(&raw, format_args!("{} dimensions are ragged, not one", ragged.len()));
        };
        let precision = self.precisions(&raw.attrs, raw.name, "I5")?;
        let mut dot = DotGeneral {
            lhs_batching_dims: dims("lhs_batching_dimensions")?,
            rhs_batching_dims: dims("rhs_batching_dimensions")?,
            lhs_contracting_dims: dims("lhs_contracting_dimensions")?,
            rhs_contracting_dims: dims("rhs_contracting_dimensions")?,
            lhs_precision: precision[0],
            rhs_precision: precision[1],
            dtype: self.one_tensor(&raw.results, at)?.dtype,
        };
        let product = Op::from(dot.clone()).infer(&self.module, &[lhs.clone().into(), rhs.clone().into()]);
        if let Err(e) = product {
            return self.ragged_error(&raw, e);
        }
        if ragged >= lhs.rank() {
            return self.ragged_error(&raw, format_args!("{lhs} has no dimension {ragged}"));
        }
        let x = |k: usize| raw.operands[k].0;
        let left = Side {
            value: x(0),
            ty: lhs.clone(),
            batching: dot.lhs_batching_dims.clone(),
            contracting: dot.lhs_contracting_dims.clone(),
            ragged,
        };
        if !sizes.dtype.is_integer() || sizes.rank() == 0 {
            return self.ragged_error(&raw, format_args!("the group sizes are {sizes}"));
        }
        let groups = sizes.shape[sizes.rank() - 1];
        let mut shape: Dims = left.prefix().iter().map(|&d| lhs.shape[d]).collect();
        shape.push(groups);
        if sizes.rank() > 1 && sizes.shape != shape {
            let message = format_args!("the group sizes are {sizes}, not of shape {shape:?} or [{groups}]");
            return self.ragged_error(&raw, message);
        }
        // Numbers of rows, and sums of sizes, are of types that hold them.
        let sizes = if sizes.dtype.bits() < 32 {
            let wide = TensorType { dtype: DType::I32, shape: sizes.shape.clone() };
            (self.emit(at, Convert { dtype: DType::I32 }, &[x(2)])?, wide)
        } else {
            (x(2), sizes.clone())
        };
        let sizes = (sizes.0, &sizes.1);
        let place = dot.lhs_contracting_dims.iter().position(|&d| d == ragged);
        let is_batch = dot.lhs_batching_dims.contains(&ragged);
        if (is_batch || place.is_some()) && !group.is_empty() {
            return self.ragged_error(&raw, "rhs has groups only where the ragged dimension is free");
        }
        let mut operands = [x(0), x(1)];
        if let Some(k) = place {
            let right = Side {
                value: x(1),
                ty: rhs.clone(),
                batching: dot.rhs_batching_dims.clone(),
                contracting: dot.rhs_contracting_dims.clone(),
                ragged: dot.rhs_contracting_dims[k],
            };
            operands = [self.by_group(at, &left, sizes)?, self.by_group(at, &right, sizes)?];
            for batch in [&mut dot.lhs_batching_dims, &mut dot.rhs_batching_dims] {
                *batch = moved(batch);
                batch.insert(0, 0);
            }
            dot.lhs_contracting_dims = moved(&dot.lhs_contracting_dims);
            dot.rhs_contracting_dims = moved(&dot.rhs_contracting_dims);
        } else if !is_batch {
            let [group] = group[..] else {
                return self
                    .ragged_error(&raw, format_args!("rhs has {} group dimensions, not one", group.len()));
            };
            if rhs.shape.get(group) != Some(&groups) {
                let message = format_args!("dimension {group} of {rhs} is not of {groups} groups");
                return self.ragged_error(&raw, message);
            }
            if dot.rhs_batching_dims.contains(&group) || dot.rhs_contracting_dims.contains(&group) {
                let message = format_args!("dimension {group} of rhs is of groups, so of nothing else");
                return self.ragged_error(&raw, message);
            }
            operands[0] = self.by_group(at, &left, sizes)?;
            dot.lhs_batching_dims = moved(&dot.lhs_batching_dims);
            dot.lhs_contracting_dims = moved(&dot.lhs_contracting_dims);
            dot.lhs_contracting_dims.push(0);
            dot.rhs_contracting_dims.push(group);
        }
        let operands: Uses = operands.into_iter().map(|v| (v, at)).collect();
        Ok(Instr::new(dot, &operands, raw.results))
    }

    /// The operand once per group, zero but in the rows of the group. Groups come first.
    fn by_group(&mut self, at: usize, side: &Side, (sizes, sizes_ty): (Value, &TensorType)) -> Res<Value> {
        let last = sizes_ty.rank() - 1;
        let mut shape = Dims::from_slice(&[sizes_ty.shape[last]]);
        shape.extend_from_slice(&side.ty.shape);
        let scalar = TensorType::scalar(sizes_ty.dtype);
        let zero = self.emit(at, Op::splat(scalar, 0.0), &[])?;
        let running = ReduceWindow::running(Reducer::Op(BinaryOp::Add), &sizes_ty.shape, last, false);
        let ends = self.emit(at, running, &[sizes, zero])?;
        let starts = self.emit(at, BinaryOp::Subtract, &[ends, sizes])?;
        // Of the sizes the last dimension is that of groups.
        let mut dims = if last == 0 { Dims::new() } else { moved(&side.prefix()) };
        dims.push(0);
        let spread = BroadcastInDim { shape: shape.clone(), dims };
        let ends = self.emit(at, spread.clone(), &[ends])?;
        let starts = self.emit(at, spread, &[starts])?;
        let ty = TensorType { dtype: sizes_ty.dtype, shape: shape.clone() };
        let row = self.emit(at, Iota { ty, dim: side.ragged + 1 }, &[])?;
        let kind = CompareType::natural(sizes_ty.dtype);
        let after = self.emit(at, Compare { direction: Direction::Le, kind }, &[starts, row])?;
        let before = self.emit(at, Compare { direction: Direction::Lt, kind }, &[row, ends])?;
        let inside = self.emit(at, BinaryOp::And, &[after, before])?;
        let copies = BroadcastInDim { shape: shape.clone(), dims: (1..shape.len()).collect() };
        let copies = self.emit(at, copies, &[side.value])?;
        let zeros = Literal::splat(TensorType { dtype: side.ty.dtype, shape }, 0.0);
        let zeros = self.emit(at, Constant { value: zeros }, &[])?;
        self.emit(at, Select {}, &[inside, copies, zeros])
    }
}
