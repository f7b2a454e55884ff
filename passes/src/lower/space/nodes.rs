//! The nodes of values: what each operation is at an index, as nodes of an expression graph.

use super::graph::{Graph, IndexId, NodeOp, Stop};
use super::index::{Affine, Indices, Var};
use super::scalar::{self, element_bits};
use super::scope::{At, Scope, Stored};
use super::sink::Sink;
use crate::lower::LowerError;
use crate::lower::plan::classify::{short_dot, short_reduction};
use smallvec::SmallVec;
use wengert_ir::func::{Inst, InstId, Value};
use wengert_ir::kernel::*;
use wengert_ir::limits::Exceeded;
use wengert_ir::op::{DotGeneral, Op, Reduce, Reducer, UnaryOp};
use wengert_ir::ops_of;
use wengert_ir::types::Dims;

/// An expression has at most so many values at indices of their own; see [`crate::lower::plan::Storing`].
const MOST_ELEMENTS: usize = 1 << 17;

/// What an expression graph asks of whoever builds it: where values are that are not computed inside it.
pub(in crate::lower) trait Places<'m> {
    /// Memory that a value lies in, or is put in now.
    fn memory_of(&mut self, s: &mut Scope<'m>, v: Value) -> Result<At, LowerError>;

    /// Clamped start indices of a dynamic slice or update, as scalars outside the graph.
    fn starts(
        &mut self,
        s: &mut Scope<'m>,
        id: InstId,
        starts: &[Value],
        operand: Value,
        sizes: &Dims,
    ) -> Result<SmallVec<[Affine; 4]>, LowerError>;

    /// Memory that holds a constant.
    fn constant(&mut self, elem: Scalar, shape: &[usize], bytes: &[u8]) -> At;

    /// Whether sums of products use fused multiply-adds.
    fn contracts(&self) -> bool;
}

impl<'m> dyn Places<'m> + '_ {
    /// The element of a value at an index.
    pub(in crate::lower) fn node(
        &mut self,
        g: &mut Graph,
        s: &mut Scope<'m>,
        v: Value,
        at: IndexId,
    ) -> Result<u32, Stop> {
        if let Some(&node) = g.memo.get(&(v, at)) {
            return Ok(node);
        }
        if g.memo.len() > MOST_ELEMENTS {
            let limit = MOST_ELEMENTS as u64;
            return Err(LowerError::over(s.func, Exceeded::Expression { limit }).into());
        }
        let node = match &s.stored[v] {
            Some(Stored::Memory(place)) => {
                let (place, elem) = (place.clone(), s.elem(v));
                let position = g.position(at, &s.ty(v).shape);
                g.node(NodeOp::Load(place, position), elem)
            }
            Some(Stored::Splat(bits)) => g.constant(*bits, s.elem(v)),
            Some(Stored::Registers(regs)) => {
                let (regs, elem) = (regs.clone(), s.elem(v));
                let position = g.position(at, &s.ty(v).shape);
                match position.as_constant() {
                    Some(k) => g.node(NodeOp::Outer(regs[k as usize]), elem),
                    None => {
                        let place = self.memory_of(s, v)?;
                        g.node(NodeOp::Load(place, position), elem)
                    }
                }
            }
            Some(Stored::Rows(..)) => {
                let (_, inst) = s.func.def(v).expect("rows are made by loops");
                return Err(s.refuse(inst, "its number of rows is not known here").into());
            }
            None => {
                let (id, inst) = s.func.def(v).expect("parameters are stored");
                self.compute(g, s, id, inst, v, at)?
            }
        };
        g.memo.insert((v, at), node);
        Ok(node)
    }

    fn compute(
        &mut self,
        g: &mut Graph,
        s: &mut Scope<'m>,
        id: InstId,
        inst: &'m Inst,
        v: Value,
        at: IndexId,
    ) -> Result<u32, Stop> {
        let ty = s.ty(v);
        let refuse = |e: &str| Stop::from(s.refuse(inst, e));
        let elem = s.elem(v);
        Ok(match &inst.op {
            Op::Constant(c) => match c.value.as_splat() {
                Some(bytes) => g.constant(element_bits(bytes), elem),
                None => {
                    let position = g.position(at, &ty.shape);
                    let (bytes, size) = (c.value.stored_bytes(), ty.dtype.size());
                    match position.as_constant() {
                        Some(k) => g.constant(element_bits(&bytes[k as usize * size..][..size]), elem),
                        None => {
                            let place = self.constant(elem, &ty.shape, bytes);
                            g.node(NodeOp::Load(place, position), elem)
                        }
                    }
                }
            },
            Op::Zero(_) => g.constant(0, elem),
            Op::Iota(o) => {
                let index = g.indices(at)[o.dim].clone();
                let counter = g.index_node(index);
                if elem == Scalar::I64 { counter } else { g.op(KOp::Cast(KCast::Signed), &[counter], elem) }
            }
            Op::Unary(op @ (UnaryOp::Real | UnaryOp::Imag)) if s.ty(inst.operands[0]).dtype.is_complex() => {
                let part = i64::from(*op == UnaryOp::Imag);
                let position = g.position(at, &ty.shape).scaled(2, part);
                let place = self.memory_of(s, inst.operands[0])?;
                g.node(NodeOp::Load(place, position), elem)
            }
            Op::Unary(_)
            | Op::Binary(_)
            | Op::Compare(_)
            | Op::Select(_)
            | Op::Clamp(_)
            | Op::Fma(_)
            | Op::Convert(_)
            | Op::ReducePrecision(_) => self.elementwise(g, s, inst, v, at)?,
            Op::BitcastConvert(o) => {
                let from = s.ty(inst.operands[0]).dtype;
                if from.size() == o.ty.dtype.size() {
                    self.elementwise(g, s, inst, v, at)?
                } else {
                    self.bitcast(g, s, inst, o, from, at)?
                }
            }
            Op::OptimizationBarrier(_) | Op::StopGradient(_) => {
                let k = inst.results.iter().position(|&r| r == v).expect("its result");
                self.node(g, s, inst.operands[k], at)?
            }
            Op::BroadcastInDim(o) => {
                let from = &s.ty(inst.operands[0]).shape;
                let here = g.indices(at);
                let index = (o.dims.iter().enumerate())
                    .map(|(k, &d)| if from[k] == 1 { Affine::default() } else { here[d].clone() })
                    .collect();
                let index = g.intern(index);
                self.node(g, s, inst.operands[0], index)?
            }
            Op::Reshape(_) => {
                let position = g.position(at, &ty.shape);
                let index = g.index_at(&position, &s.ty(inst.operands[0]).shape)?;
                self.node(g, s, inst.operands[0], index)?
            }
            Op::Transpose(o) => {
                let here = g.indices(at);
                let mut index: Indices = SmallVec::from_elem(Affine::default(), o.perm.len());
                for (i, &p) in o.perm.iter().enumerate() {
                    index[p] = here[i].clone();
                }
                let index = g.intern(index);
                self.node(g, s, inst.operands[0], index)?
            }
            Op::Reverse(o) => {
                let mut index = g.indices(at).clone();
                for &d in &o.dims {
                    index[d] = index[d].scaled(-1, ty.shape[d] as i64 - 1);
                }
                let index = g.intern(index);
                self.node(g, s, inst.operands[0], index)?
            }
            Op::Slice(o) => {
                let mut index = g.indices(at).clone();
                // Where there is one index a stride is never taken, and may be any number.
                for (d, i) in index.iter_mut().enumerate() {
                    let stride = if ty.shape[d] > 1 { o.strides[d] as i64 } else { 0 };
                    *i = i.scaled(stride, o.start[d] as i64);
                }
                let index = g.intern(index);
                self.node(g, s, inst.operands[0], index)?
            }
            Op::DynamicSlice(o) => {
                let starts = self.starts(s, id, &inst.operands[1..], inst.operands[0], &o.sizes)?;
                let mut index = g.indices(at).clone();
                let shape = s.ty(inst.operands[0]).shape.clone();
                for (d, (i, start)) in index.iter_mut().zip(&starts).enumerate() {
                    if let [(Var::Outer(v), _)] = start.terms[..] {
                        let most = (shape[d] - o.sizes[d]) as i64;
                        let known = g.outer_max.entry(v).or_insert(most);
                        *known = (*known).max(most);
                    }
                    i.add(start, 1);
                }
                let index = g.intern(index);
                self.node(g, s, inst.operands[0], index)?
            }
            Op::Gather(o) => self.gather(g, s, inst, o, at)?,
            Op::Concatenate(o) => self.concatenate(g, s, inst, o, at)?,
            Op::Pad(o) => self.pad(g, s, inst, o, at)?,
            Op::Reduce(r) if short_reduction(s.func, inst).is_some() => self.short(g, s, inst, r, at)?,
            Op::DotGeneral(dot) if short_dot(s.func, inst).is_some() => {
                self.short_dot(g, s, inst, dot, at)?
            }
            ops_of!(update)
            | ops_of!(contraction)
            | ops_of!(reduction)
            | ops_of!(library)
            | ops_of!(call)
            | ops_of!(control)
            | ops_of!(opaque) => return Err(refuse("it must have been computed before its readers")),
        })
    }

    /// A reduction of few elements, in the defined order: lanes combined in pairs, then the initial value first.
    fn short(
        &mut self,
        g: &mut Graph,
        s: &mut Scope<'m>,
        inst: &'m Inst,
        reduce: &Reduce,
        at: IndexId,
    ) -> Result<u32, Stop> {
        let Reducer::Op(op) = reduce.reducer else { unreachable!("others are not short") };
        let operand = s.ty(inst.operands[0]).clone();
        let combine = scalar::combine(op, operand.dtype).map_err(|e| Stop::from(s.refuse(inst, e)))?;
        let elem = s.elem(inst.results[0]);
        let kept = g.indices(at).clone();
        let mut kept = kept.into_iter();
        let whole: Indices = (0..operand.rank())
            .map(|d| match reduce.dims.contains(&d) {
                true => Affine::default(),
                false => kept.next().expect("an index per kept dimension"),
            })
            .collect();
        let count: usize = reduce.dims.iter().map(|&d| operand.shape[d]).product();
        let mut lanes: SmallVec<[u32; 4]> = SmallVec::new();
        for k in 0..count {
            let (mut index, mut rest) = (whole.clone(), k);
            for &d in reduce.dims.iter().rev() {
                index[d] = Affine::constant((rest % operand.shape[d]) as i64);
                rest /= operand.shape[d];
            }
            let index = g.intern(index);
            lanes.push(self.node(g, s, inst.operands[0], index)?);
        }
        let op = KOp::Binary(combine.op());
        let mut half = count.next_power_of_two() / 2;
        while half > 0 {
            for lane in 0..lanes.len().saturating_sub(half) {
                lanes[lane] = g.op(op.clone(), &[lanes[lane], lanes[lane + half]], elem);
            }
            lanes.truncate(half);
            half /= 2;
        }
        let scalar_index = g.intern(Indices::new());
        let init = self.node(g, s, inst.operands[1], scalar_index)?;
        Ok(g.op(op, &[init, lanes[0]], elem))
    }

    /// A contraction of few elements as the sum of their products, in order. It begins with zero, as the longer ones do:
    /// products that are all -0 sum to 0.
    fn short_dot(
        &mut self,
        g: &mut Graph,
        s: &mut Scope<'m>,
        inst: &'m Inst,
        dot: &DotGeneral,
        at: IndexId,
    ) -> Result<u32, Stop> {
        let elem = s.elem(inst.results[0]);
        let (lhs, rhs) = (s.ty(inst.operands[0]).clone(), s.ty(inst.operands[1]).clone());
        let here = g.indices(at).clone();
        let (batch, free) = here.split_at(dot.lhs_batching_dims.len());
        let sides = [
            (&lhs, &dot.lhs_batching_dims, &dot.lhs_contracting_dims),
            (&rhs, &dot.rhs_batching_dims, &dot.rhs_contracting_dims),
        ];
        let mut free = free.iter();
        // The indices of each operand, but for the contracted ones.
        let fixed = sides.map(|(ty, batching, contracting)| -> Indices {
            (0..ty.rank())
                .map(|d| match batching.iter().position(|&b| b == d) {
                    Some(k) => batch[k].clone(),
                    None if contracting.contains(&d) => Affine::default(),
                    None => free.next().expect("an index per free dimension").clone(),
                })
                .collect()
        });
        let extents: SmallVec<[usize; 4]> = dot.lhs_contracting_dims.iter().map(|&d| lhs.shape[d]).collect();
        let mut sum = Sink::constant(g, 0, elem);
        for k in 0..extents.iter().product() {
            let mut factors = [0u32; 2];
            for (side, (_, _, contracting)) in sides.iter().enumerate() {
                let (mut index, mut rest) = (fixed[side].clone(), k);
                for (&d, &extent) in contracting.iter().zip(&extents).rev() {
                    index[d] = Affine::constant((rest % extent) as i64);
                    rest /= extent;
                }
                let index = g.intern(index);
                factors[side] = self.node(g, s, inst.operands[side], index)?;
            }
            let [x, y] = factors;
            sum = if self.contracts() && elem.is_float() {
                g.op(KOp::Fma, &[x, y, sum], elem)
            } else {
                let product = g.op(KOp::Binary(KBinary::Mul), &factors, elem);
                g.op(KOp::Binary(KBinary::Add), &[sum, product], elem)
            };
        }
        Ok(sum)
    }

    fn elementwise(
        &mut self,
        g: &mut Graph,
        s: &mut Scope<'m>,
        inst: &'m Inst,
        v: Value,
        at: IndexId,
    ) -> Result<u32, Stop> {
        let rank = s.ty(v).rank();
        let mut operands: SmallVec<[u32; 4]> = SmallVec::new();
        for &x in &inst.operands {
            // A scalar predicate or bound.
            let index = if s.ty(x).rank() == rank { at } else { g.intern(Indices::new()) };
            operands.push(self.node(g, s, x, index)?);
        }
        let from = s.ty(*inst.operands.last().expect("has operands")).dtype;
        scalar::element(g, &inst.op, &operands, from, s.ty(v).dtype).map_err(|e| s.refuse(inst, e).into())
    }
}
