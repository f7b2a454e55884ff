//! Small tensors: straight-line code over scalars in registers.
//!
//! Operations that move elements cost nothing here. Reductions follow the documented order; lanes and
//! blocks that hold only the identity are left out, which changes no bit.

use super::Lowerer;
use crate::lower::LowerError;
use crate::lower::plan::classify;
use crate::lower::space::scalar::{self, element_bits};
use crate::lower::space::scope::{Scope, Stored};
use crate::lower::space::sink::Sink;
use smallvec::SmallVec;
use std::rc::Rc;
use wengert_ir::func::{Inst, InstId};
use wengert_ir::kernel::*;
use wengert_ir::op::{DotGeneral, Op, Reduce, Reducer};
use wengert_ir::ops_of;
use wengert_ir::types::Dims;

impl Sink for super::Builder {
    type Value = KValue;
    fn op(&mut self, op: KOp, operands: &[KValue], ty: Scalar) -> KValue {
        self.pure(op, operands, ty)
    }
    fn constant(&mut self, bits: u64, ty: Scalar) -> KValue {
        self.bits(bits, ty)
    }
}

impl<'m> Lowerer<'m> {
    /// Lowers an instruction whose results are in registers.
    pub(in crate::lower) fn register_unit(
        &mut self,
        s: &mut Scope<'m>,
        id: InstId,
    ) -> Result<(), LowerError> {
        let inst = &s.func.insts[id];
        let floor = self.b.set_floor();
        let done = self.in_registers(s, inst);
        self.b.restore_floor(floor);
        for (&v, regs) in inst.results.iter().zip(done?) {
            s.stored[v] = Some(Stored::Registers(regs));
        }
        Ok(())
    }

    fn in_registers(
        &mut self,
        s: &mut Scope<'m>,
        inst: &'m Inst,
    ) -> Result<SmallVec<[Rc<[KValue]>; 1]>, LowerError> {
        let out = inst.results[0];
        let n = s.ty(out).elements();
        let one = |regs: Rc<[KValue]>| -> SmallVec<[Rc<[KValue]>; 1]> { SmallVec::from_elem(regs, 1) };
        Ok(one(match &inst.op {
            // What it is computed from is in memory.
            _ if inst.operands.iter().any(|&v| classify::held(s.func.ty(v)).is_none()) => {
                self.elements(s, out)?
            }
            Op::Constant(c) => {
                let elem = s.elem(out);
                let bytes = c.value.stored_bytes();
                let size = s.ty(out).dtype.size();
                match c.value.as_splat() {
                    Some(bytes) => vec![self.b.bits(element_bits(bytes), elem); n].into(),
                    None => bytes.chunks_exact(size).map(|b| self.b.bits(element_bits(b), elem)).collect(),
                }
            }
            Op::Unary(_)
            | Op::Binary(_)
            | Op::Compare(_)
            | Op::Select(_)
            | Op::Clamp(_)
            | Op::Fma(_)
            | Op::Convert(_)
            | Op::ReducePrecision(_) => {
                let mut operands: SmallVec<[Rc<[KValue]>; 3]> = SmallVec::new();
                for &v in &inst.operands {
                    operands.push(self.registers_of(s, v)?);
                }
                let from = s.ty(*inst.operands.last().expect("has operands")).dtype;
                let to = s.ty(out).dtype;
                let mut regs = Vec::with_capacity(n);
                for k in 0..n {
                    let x: SmallVec<[KValue; 3]> =
                        operands.iter().map(|o| if o.len() == 1 { o[0] } else { o[k] }).collect();
                    let value = scalar::element(&mut self.b, &inst.op, &x, from, to);
                    regs.push(value.map_err(|e| s.refuse(inst, e))?);
                }
                regs.into()
            }
            Op::Reduce(r) => self.small_reduce(s, inst, r)?,
            Op::DotGeneral(dot) => self.small_dot(s, inst, dot)?,
            Op::DynamicUpdateSlice(_) => {
                let shape = s.ty(inst.operands[0]).shape.clone();
                let sizes = s.ty(inst.operands[1]).shape.clone();
                let mut regs = self.registers_of(s, inst.operands[0])?.to_vec();
                let update = self.registers_of(s, inst.operands[1])?;
                let mut starts: Dims = Dims::new();
                for (d, &v) in inst.operands[2..].iter().enumerate() {
                    let start = s.func.constant(v).and_then(|literal| literal.splat_integer());
                    let most = (shape[d] - sizes[d]) as i64;
                    starts.push(start.expect("classified by it").clamp(0, most) as usize);
                }
                for (k, &value) in update.iter().enumerate() {
                    let index = unravel(k, &sizes);
                    let at =
                        index.iter().zip(&starts).zip(&shape).fold(0, |at, ((&i, &o), &n)| at * n + i + o);
                    regs[at] = value;
                }
                regs.into()
            }
            Op::OptimizationBarrier(_) | Op::StopGradient(_) => {
                return inst.operands.iter().map(|&v| self.registers_of(s, v)).collect();
            }
            Op::Reshape(_) => self.registers_of(s, inst.operands[0])?,
            Op::BitcastConvert(_) | ops_of!(source) | ops_of!(movement) => self.elements(s, out)?,
            ops_of!(update) | ops_of!(library) | ops_of!(call) | ops_of!(control) | ops_of!(opaque) => {
                return Err(s.refuse(inst, "it has no form in registers"));
            }
        }))
    }

    fn small_reduce(
        &mut self,
        s: &mut Scope<'m>,
        inst: &'m Inst,
        reduce: &Reduce,
    ) -> Result<Rc<[KValue]>, LowerError> {
        let Reducer::Op(op) = reduce.reducer else {
            return Err(s.refuse(inst, "its function is not a monoid"));
        };
        let ty = s.ty(inst.operands[0]).clone();
        let elem = s.elem(inst.operands[0]);
        let combine = scalar::combine(op, ty.dtype).map_err(|e| s.refuse(inst, e))?;
        let x = self.registers_of(s, inst.operands[0])?;
        let init = self.scalar_of(s, inst.operands[1])?;
        let kept: Dims = (0..ty.rank()).filter(|d| !reduce.dims.contains(d)).collect();
        let results = s.ty(inst.results[0]).elements();
        let mut parts: Vec<Vec<KValue>> = vec![Vec::new(); results];
        for (k, &value) in x.iter().enumerate() {
            let index = unravel(k, &ty.shape);
            let at = kept.iter().fold(0, |at, &d| at * ty.shape[d] + index[d]);
            parts[at].push(value);
        }
        Ok(parts
            .into_iter()
            .map(|part| {
                let total = self.ordered(&part, combine, elem);
                self.b.binary(combine.op(), init, total)
            })
            .collect())
    }

    /// The documented order over scalars.
    fn ordered(&mut self, x: &[KValue], combine: Combine, elem: Scalar) -> KValue {
        let op = combine.op();
        let mut blocks: Vec<KValue> = Vec::new();
        for block in x.chunks(BLOCK) {
            let mut lanes: Vec<KValue> = block[..block.len().min(LANES)].to_vec();
            for (k, &value) in block.iter().enumerate().skip(LANES) {
                lanes[k % LANES] = self.b.binary(op, lanes[k % LANES], value);
            }
            blocks.push(self.pairwise(lanes, LANES, op));
        }
        if blocks.is_empty() {
            return self.b.bits(combine.identity(elem), elem);
        }
        let width = blocks.len().next_power_of_two();
        self.pairwise(blocks, width, op)
    }

    fn pairwise(&mut self, mut x: Vec<KValue>, width: usize, op: KBinary) -> KValue {
        let mut half = width / 2;
        while half >= 1 {
            for l in 0..x.len().saturating_sub(half) {
                x[l] = self.b.binary(op, x[l], x[l + half]);
            }
            x.truncate(half.max(1));
            half /= 2;
        }
        x[0]
    }

    /// A contraction written out, terms in row-major order of the contracted dimensions, from zero.
    fn small_dot(
        &mut self,
        s: &mut Scope<'m>,
        inst: &'m Inst,
        dot: &DotGeneral,
    ) -> Result<Rc<[KValue]>, LowerError> {
        let (lhs, rhs) = (inst.operands[0], inst.operands[1]);
        let (a, b) = (self.registers_of(s, lhs)?, self.registers_of(s, rhs)?);
        let (at, bt) = (s.ty(lhs).clone(), s.ty(rhs).clone());
        let dtype = dot.dtype;
        let elem = scalar::scalar(dtype).map_err(|e| s.refuse(inst, e))?;
        let times =
            scalar::binary_op(wengert_ir::op::BinaryOp::Multiply, dtype).map_err(|e| s.refuse(inst, e))?;
        let plus = scalar::binary_op(wengert_ir::op::BinaryOp::Add, dtype).map_err(|e| s.refuse(inst, e))?;
        let left: Dims = (0..at.rank())
            .filter(|d| !dot.lhs_batching_dims.contains(d) && !dot.lhs_contracting_dims.contains(d))
            .collect();
        let right: Dims = (0..bt.rank())
            .filter(|d| !dot.rhs_batching_dims.contains(d) && !dot.rhs_contracting_dims.contains(d))
            .collect();
        let batches = dot.lhs_batching_dims.len();
        let contracted: Dims = dot.lhs_contracting_dims.iter().map(|&d| at.shape[d]).collect();
        let out_shape = s.ty(inst.results[0]).shape.clone();
        let n: usize = out_shape.iter().product();
        let depth: usize = contracted.iter().product();
        let mut regs = Vec::with_capacity(n);
        for k in 0..n {
            let index = unravel(k, &out_shape);
            let (batch, rest) = index.split_at(batches);
            let (l, r) = rest.split_at(left.len());
            let mut sum = self.b.bits(0, elem);
            for c in 0..depth {
                let c = unravel(c, &contracted);
                let place = |shape: &[usize], parts: [(&Dims, &[usize]); 3]| -> usize {
                    let mut index: Dims = Dims::from_elem(0, shape.len());
                    for (dims, values) in parts {
                        dims.iter().zip(values).for_each(|(&d, &i)| index[d] = i);
                    }
                    index.iter().zip(shape).fold(0, |at, (&i, &n)| at * n + i)
                };
                let x = a[place(
                    &at.shape,
                    [(&dot.lhs_batching_dims, batch), (&left, l), (&dot.lhs_contracting_dims, &c)],
                )];
                let y = b[place(
                    &bt.shape,
                    [(&dot.rhs_batching_dims, batch), (&right, r), (&dot.rhs_contracting_dims, &c)],
                )];
                sum = if self.options.contract && elem.is_float() {
                    self.b.pure(KOp::Fma, &[x, y, sum], elem)
                } else {
                    let product = self.b.binary(times, x, y);
                    self.b.binary(plus, sum, product)
                };
            }
            regs.push(sum);
        }
        Ok(regs.into())
    }
}

/// The index of element `k` in row-major order.
pub(in crate::lower) fn unravel(mut k: usize, shape: &[usize]) -> Dims {
    let mut index = Dims::from_elem(0, shape.len());
    for d in (0..shape.len()).rev() {
        index[d] = k % shape[d];
        k /= shape[d];
    }
    index
}
