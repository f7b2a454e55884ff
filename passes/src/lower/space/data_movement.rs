//! Elements that come from elsewhere: gathers, slices at run-time places, `pad`, `concatenate`, bits of another width.

use super::graph::{Decision, Graph, IndexId, NodeOp, Stop};
use super::index::{Affine, Indices, Var};
use super::nodes::Places;
use super::scalar;
use super::scope::Scope;
use super::sink::Sink;
use crate::lower::plan::strided_views;
use smallvec::SmallVec;
use wengert_ir::func::Inst;
use wengert_ir::kernel::*;
use wengert_ir::op::{BitcastConvert, CompareType, Concatenate, Direction, DotGeneral, Gather, Pad};
use wengert_ir::types::{DType, Dims};

impl<'m> dyn Places<'m> + '_ {
    pub(in crate::lower) fn bitcast(
        &mut self,
        g: &mut Graph,
        s: &mut Scope<'m>,
        inst: &'m Inst,
        op: &BitcastConvert,
        from: DType,
        at: IndexId,
    ) -> Result<u32, Stop> {
        let of = |d: DType| scalar::scalar(d).map_err(|e| Stop::from(s.refuse(inst, e)));
        let (kfrom, kto) = (of(from)?, of(op.ty.dtype)?);
        if kfrom.size() < 4 || kto.size() < 4 {
            return Err(s.refuse(inst, "bits of booleans").into());
        }
        // Between 32 and 64 bits; the element nearest the start holds the low bits.
        let mut index = g.indices(at).clone();
        if kfrom.size() > kto.size() {
            let part = index.pop().expect("one dimension more than the operand");
            let index = g.intern(index);
            let x = self.node(g, s, inst.operands[0], index)?;
            let x = g.op(KOp::Cast(KCast::Bits), &[x], Scalar::I64);
            let amount = g.index_node(part.scaled(32, 0));
            let x = g.op(KOp::Binary(KBinary::ShrU), &[x, amount], Scalar::I64);
            let x = g.op(KOp::Cast(KCast::Signed), &[x], Scalar::I32);
            return Ok(g.op(KOp::Cast(KCast::Bits), &[x], kto));
        }
        let mut word = None;
        for k in 0..2 {
            index.push(Affine::constant(k));
            let part = g.intern(index.clone());
            index.pop();
            let x = self.node(g, s, inst.operands[0], part)?;
            let x = g.op(KOp::Cast(KCast::Bits), &[x], Scalar::I32);
            let x = g.op(KOp::Cast(KCast::Unsigned), &[x], Scalar::I64);
            word = Some(match word {
                None => x,
                Some(low) => {
                    let amount = g.constant(32, Scalar::I64);
                    let high = g.op(KOp::Binary(KBinary::Shl), &[x, amount], Scalar::I64);
                    g.op(KOp::Binary(KBinary::Or), &[low, high], Scalar::I64)
                }
            });
        }
        Ok(g.op(KOp::Cast(KCast::Bits), &[word.expect("two parts")], kto))
    }

    pub(in crate::lower) fn gather(
        &mut self,
        g: &mut Graph,
        s: &mut Scope<'m>,
        inst: &'m Inst,
        op: &Gather,
        at: IndexId,
    ) -> Result<u32, Stop> {
        let (operand, indices) = (inst.operands[0], inst.operands[1]);
        let shape = s.ty(operand).shape.clone();
        let index_ty = s.ty(indices).clone();
        let here = g.indices(at).clone();
        let batch: SmallVec<[usize; 4]> = (0..here.len()).filter(|d| !op.offset_dims.contains(d)).collect();
        // Position among the batch dimensions of each dimension of the indices.
        let place = |d: usize| if d > op.index_vector_dim { d - 1 } else { d };
        let mut target: Indices = SmallVec::from_elem(Affine::default(), shape.len());
        let known = strided_views::of(s.func, inst, op);
        for (k, &d) in op.start_index_map.iter().enumerate() {
            let most = shape[d] as i64 - op.slice_sizes[d] as i64;
            if most <= 0 {
                continue;
            }
            // Evenly spaced indices within bounds need no memory: windows that slide.
            if let Some(steps) = known.as_ref().map(|known| &known[k]) {
                target[d].add(&Affine::constant(steps.first), 1);
                for (i, &step) in steps.per_dim.iter().enumerate() {
                    if i != op.index_vector_dim {
                        target[d].add(&here[batch[place(i)]], step);
                    }
                }
                continue;
            }
            let index: Indices = (0..index_ty.rank())
                .map(|i| {
                    if i == op.index_vector_dim {
                        Affine::constant(k as i64)
                    } else {
                        here[batch[place(i)]].clone()
                    }
                })
                .collect();
            let index = g.intern(index);
            let start = self.node(g, s, indices, index)?;
            target[d] = g.clamped_start(start, index_ty.dtype, most);
        }
        for (&d, &i) in op.operand_batching_dims.iter().zip(&op.start_indices_batching_dims) {
            target[d].add(&here[batch[place(i)]].clone(), 1);
        }
        let window = (0..shape.len())
            .filter(|d| !op.collapsed_slice_dims.contains(d) && !op.operand_batching_dims.contains(d));
        for (d, &o) in window.zip(&op.offset_dims) {
            target[d].add(&here[o].clone(), 1);
        }
        let target = g.intern(target);
        self.node(g, s, operand, target)
    }

    pub(in crate::lower) fn concatenate(
        &mut self,
        g: &mut Graph,
        s: &mut Scope<'m>,
        inst: &'m Inst,
        op: &Concatenate,
        at: IndexId,
    ) -> Result<u32, Stop> {
        let here = g.indices(at).clone();
        let index = here[op.dim].clone();
        let elem = s.elem(inst.results[0]);
        let mut end = s.ty(inst.results[0]).shape[op.dim] as i64;
        let mut out: Option<u32> = None;
        // From the last piece to the first: what is not in an earlier one is in a later one.
        for &x in inst.operands.iter().rev() {
            let n = s.ty(x).shape[op.dim] as i64;
            let start = end - n;
            let (lo, hi) = (start, end);
            end = start;
            let mut decision = g.decide(&index, lo, hi);
            if decision == Decision::Outside {
                continue;
            }
            if out.is_none() {
                // Indices beyond this piece belong to pieces that are out of range.
                let (least, most) = g.range(&index);
                if least >= lo && most < hi {
                    decision = Decision::Inside;
                }
            }
            let mut inside = here.clone();
            inside[op.dim] = index.scaled(1, -start);
            if decision == Decision::Select {
                inside[op.dim] = g.clamped(&inside[op.dim], n - 1);
            }
            let inside = g.intern(inside);
            let around = g.guards();
            if decision == Decision::Cut {
                g.enter(&index, lo, hi);
            }
            let piece = self.node(g, s, x, inside)?;
            g.leave(around);
            out = Some(match (out, decision) {
                (_, Decision::Inside) | (None, _) => piece,
                (Some(outside), Decision::Cut) => {
                    g.node(NodeOp::Guard { index: index.clone(), lo, hi, inside: piece, outside }, elem)
                }
                (Some(outside), Decision::Select | Decision::Outside) => {
                    let test = g.within(&index.scaled(1, -lo), hi - lo);
                    g.op(KOp::Select, &[test, piece, outside], elem)
                }
            });
        }
        out.ok_or_else(|| s.refuse(inst, "no operand has the element").into())
    }

    pub(in crate::lower) fn pad(
        &mut self,
        g: &mut Graph,
        s: &mut Scope<'m>,
        inst: &'m Inst,
        op: &Pad,
        at: IndexId,
    ) -> Result<u32, Stop> {
        let (x, value) = (inst.operands[0], inst.operands[1]);
        let elem = s.elem(x);
        let shape = s.ty(x).shape.clone();
        let mut target = g.indices(at).clone();
        let scalar_index = g.intern(Indices::new());
        let mut cuts: SmallVec<[(Affine, i64, i64); 4]> = SmallVec::new();
        let mut tests: SmallVec<[u32; 4]> = SmallVec::new();
        for (d, index) in target.iter_mut().enumerate() {
            let (n, low, step) = (shape[d] as i64, op.low[d], op.interior[d].saturating_add(1));
            let span = if n == 0 { 0 } else { (n - 1) * step + 1 };
            let here = index.clone();
            *index = here.scaled(1, -low);
            match g.decide(&here, low, low + span) {
                Decision::Outside => return self.node(g, s, value, scalar_index),
                Decision::Inside => {}
                Decision::Cut => cuts.push((here, low, low + span)),
                Decision::Select => {
                    tests.push(g.within(index, span));
                    *index = g.clamped(index, span - 1);
                }
            }
            if step > 1 {
                if let Some(k) = index.as_constant() {
                    if k % step != 0 {
                        return self.node(g, s, value, scalar_index);
                    }
                    *index = Affine::constant(k / step);
                    continue;
                }
                let position = g.index_node(index.clone());
                let size = g.constant(step as u64, Scalar::I64);
                let zero = g.constant(0, Scalar::I64);
                let rest = g.op(KOp::Binary(KBinary::RemU), &[position, size], Scalar::I64);
                tests.push(g.op(
                    KOp::Compare(Direction::Eq, CompareType::Unsigned),
                    &[rest, zero],
                    Scalar::I1,
                ));
                let place = g.op(KOp::Binary(KBinary::DivU), &[position, size], Scalar::I64);
                g.node_max.insert(place, n - 1);
                *index = Affine::var(Var::Node(place));
            }
        }
        let target = g.intern(target);
        let around = g.guards();
        cuts.iter().for_each(|(index, lo, hi)| g.enter(index, *lo, *hi));
        let mut out = self.node(g, s, x, target)?;
        g.leave(around);
        if cuts.is_empty() && tests.is_empty() {
            return Ok(out);
        }
        let outside = self.node(g, s, value, scalar_index)?;
        for test in tests {
            out = g.op(KOp::Select, &[test, out, outside], elem);
        }
        for (index, lo, hi) in cuts {
            out = g.node(NodeOp::Guard { index, lo, hi, inside: out, outside }, elem);
        }
        Ok(out)
    }

    /// One term of a contraction: the product of the operands' elements, where the space is batch, left free,
    /// right free and contracted dimensions.
    pub(in crate::lower) fn product(
        &mut self,
        g: &mut Graph,
        s: &mut Scope<'m>,
        inst: &'m Inst,
        dot: &DotGeneral,
    ) -> Result<u32, Stop> {
        let here = g.here();
        let here = g.indices(here).clone();
        let (lhs, rhs) = (inst.operands[0], inst.operands[1]);
        let ranks = (s.ty(lhs).rank(), s.ty(rhs).rank());
        let free = |rank: usize, a: &Dims, b: &Dims| -> Dims {
            (0..rank).filter(|d| !a.contains(d) && !b.contains(d)).collect()
        };
        let left = free(ranks.0, &dot.lhs_batching_dims, &dot.lhs_contracting_dims);
        let right = free(ranks.1, &dot.rhs_batching_dims, &dot.rhs_contracting_dims);
        let batches = dot.lhs_batching_dims.len();
        let contracted = batches + left.len() + right.len();
        let place = |rank: usize, parts: [(&Dims, usize); 3]| -> Indices {
            let mut index: Indices = SmallVec::from_elem(Affine::default(), rank);
            for (dims, first) in parts {
                for (k, &d) in dims.iter().enumerate() {
                    index[d] = here[first + k].clone();
                }
            }
            index
        };
        let a = place(
            ranks.0,
            [(&dot.lhs_batching_dims, 0), (&left, batches), (&dot.lhs_contracting_dims, contracted)],
        );
        let b = place(
            ranks.1,
            [
                (&dot.rhs_batching_dims, 0),
                (&right, batches + left.len()),
                (&dot.rhs_contracting_dims, contracted),
            ],
        );
        let (a, b) = (g.intern(a), g.intern(b));
        let (a, b) = (self.node(g, s, lhs, a)?, self.node(g, s, rhs, b)?);
        let op = scalar::binary_op(wengert_ir::op::BinaryOp::Multiply, dot.dtype)
            .map_err(|e| s.refuse(inst, e))?;
        let elem = g.nodes[a as usize].ty;
        Ok(g.op(KOp::Binary(op), &[a, b], elem))
    }
}
