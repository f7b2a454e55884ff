//! Operations that move elements by shapes alone, or to places given by scalars.

use super::Form;
use crate::func::Inst;
use crate::op::*;
use crate::text::lexer::Tok;
use crate::text::names::Scope;
use crate::text::parser::{Instr, Parser, Res};
use crate::text::printer::Printer;
use crate::types::Dims;
use std::fmt::Write;

pub(super) const FORMS: &[Form] = &[
    Form::new(
        "stablehlo.broadcast_in_dim",
        |p, at| p.broadcast_in_dim(at),
        |p, raw| {
            let shape = p.one_tensor(&raw.results, raw.at)?.shape;
            let dims = p.need_dims(&raw, "broadcast_dimensions")?;
            Ok(raw.is(BroadcastInDim { shape, dims }))
        },
    ),
    Form::new(
        "stablehlo.reshape",
        |p, at| p.reshape(at),
        |p, raw| {
            p.count(&raw, 1)?;
            let shape = p.one_tensor(&raw.results, raw.at)?.shape;
            Ok(raw.is(Reshape { shape }))
        },
    ),
    Form::new(
        "stablehlo.transpose",
        |p, at| p.transpose(at),
        |p, raw| {
            let perm = p.need_dims(&raw, "permutation")?;
            Ok(raw.is(Transpose { perm }))
        },
    ),
    Form::new(
        "stablehlo.reverse",
        |p, at| p.reverse(at),
        |p, raw| {
            let dims = p.need_dims(&raw, "dimensions")?;
            Ok(raw.is(Reverse { dims }))
        },
    ),
    Form::new(
        "stablehlo.slice",
        |p, _| p.slice(),
        |p, raw| {
            let start = p.need_dims(&raw, "start_indices")?;
            let limit = p.need_dims(&raw, "limit_indices")?;
            let strides = p.need_dims(&raw, "strides")?;
            Ok(raw.is(Slice { start, limit, strides }))
        },
    ),
    Form::new(
        "stablehlo.concatenate",
        |p, _| p.concatenate(),
        |p, raw| {
            let dim = p.need_size(&raw, "dimension")?;
            Ok(raw.is(Concatenate { dim }))
        },
    ),
    Form::new(
        "stablehlo.pad",
        |p, at| p.pad(at),
        |p, raw| {
            let low = p.need_ints(&raw, "edge_padding_low")?;
            let high = p.need_ints(&raw, "edge_padding_high")?;
            let interior = p.need_ints(&raw, "interior_padding")?;
            Ok(raw.is(Pad { low, high, interior }))
        },
    ),
    Form::new(
        "stablehlo.dynamic_slice",
        |p, _| p.dynamic_slice(),
        |p, raw| {
            let sizes = p.need_dims(&raw, "slice_sizes")?;
            Ok(raw.is(DynamicSlice { sizes }))
        },
    ),
    Form::new(
        "stablehlo.dynamic_update_slice",
        |p, _| p.dynamic_update_slice(),
        |_, raw| Ok(raw.is(DynamicUpdateSlice {})),
    ),
];

impl<'s> Parser<'s> {
    fn broadcast_in_dim(&mut self, at: usize) -> Res<Instr> {
        let operands = self.some_operands(1, at)?;
        let dims = self.named_dims("dims")?;
        let ty = self.result(&operands)?;
        let op = BroadcastInDim { shape: ty.shape.clone(), dims };
        Ok(Instr::new(op, &operands, vec![ty.into()]))
    }

    fn reshape(&mut self, at: usize) -> Res<Instr> {
        let operands = self.some_operands(1, at)?;
        let ty = self.result(&operands)?;
        Ok(Instr::new(Reshape { shape: ty.shape.clone() }, &operands, vec![ty.into()]))
    }

    fn transpose(&mut self, at: usize) -> Res<Instr> {
        let operands = self.some_operands(1, at)?;
        let perm = self.named_dims("dims")?;
        let ty = self.result(&operands)?;
        Ok(Instr::new(Transpose { perm }, &operands, vec![ty.into()]))
    }

    fn reverse(&mut self, at: usize) -> Res<Instr> {
        let operands = self.some_operands(1, at)?;
        let dims = self.named_dims("dims")?;
        let ty = self.result(&operands)?;
        Ok(Instr::new(Reverse { dims }, &operands, vec![ty.into()]))
    }

    fn slice(&mut self) -> Res<Instr> {
        let at = self.start();
        let operands = self.some_operands(1, at)?;
        let (mut start, mut limit, mut strides) = (Dims::new(), Dims::new(), Dims::new());
        self.punct(b'[')?;
        while self.tok() != Tok::Punct(b']') {
            start.push(self.size()?);
            self.punct(b':')?;
            limit.push(self.size()?);
            strides.push(if self.eat(b':') { self.size()? } else { 1 });
            if !self.eat(b',') {
                break;
            }
        }
        self.punct(b']')?;
        let ty = self.result(&operands)?;
        Ok(Instr::new(Slice { start, limit, strides }, &operands, vec![ty.into()]))
    }

    fn concatenate(&mut self) -> Res<Instr> {
        let operands = self.operands()?;
        self.punct(b',')?;
        let dim = self.named_size("dim")?;
        let ty = self.result(&operands)?;
        Ok(Instr::new(Concatenate { dim }, &operands, vec![ty.into()]))
    }

    fn pad(&mut self, at: usize) -> Res<Instr> {
        let operands = self.some_operands(2, at)?;
        let low = self.named_ints("low")?;
        let high = self.named_ints("high")?;
        let interior = self.named_ints("interior")?;
        let ty = self.result(&operands)?;
        Ok(Instr::new(Pad { low, high, interior }, &operands, vec![ty.into()]))
    }

    fn dynamic_slice(&mut self) -> Res<Instr> {
        let operands = self.operands()?;
        let sizes = self.named_dims("sizes")?;
        let ty = self.result(&operands)?;
        Ok(Instr::new(DynamicSlice { sizes }, &operands, vec![ty.into()]))
    }

    fn dynamic_update_slice(&mut self) -> Res<Instr> {
        let operands = self.operands()?;
        let ty = self.result(&operands)?;
        Ok(Instr::new(DynamicUpdateSlice {}, &operands, vec![ty.into()]))
    }
}

impl Printer<'_> {
    pub(super) fn movement(&mut self, scope: &Scope<'_>, inst: &Inst) {
        match &inst.op {
            Op::Gather(gather) => return self.gather(scope, inst, gather),
            Op::Scatter(scatter) => return self.scatter(scope, inst, scatter),
            _ => {}
        }
        self.name_and_operands(scope, inst);
        match &inst.op {
            Op::Reshape(_) | Op::DynamicUpdateSlice(_) => {}
            Op::BroadcastInDim(b) => self.list(", dims = ", &b.dims),
            Op::Transpose(t) => self.list(", dims = ", &t.perm),
            Op::Reverse(r) => {
                self.list(", dims = ", &r.dims);
                return self.short_signature(scope, inst);
            }
            Op::Slice(s) => {
                self.out.push_str(" [");
                for (k, ((start, limit), stride)) in s.start.iter().zip(&s.limit).zip(&s.strides).enumerate()
                {
                    self.comma(k);
                    let _ = write!(self.out, "{start}:{limit}");
                    if *stride != 1 {
                        let _ = write!(self.out, ":{stride}");
                    }
                }
                self.out.push(']');
            }
            Op::Concatenate(c) => {
                let _ = write!(self.out, ", dim = {}", c.dim);
            }
            Op::Pad(p) => {
                self.list(", low = ", &p.low);
                self.list(", high = ", &p.high);
                self.list(", interior = ", &p.interior);
            }
            Op::DynamicSlice(d) => self.list(", sizes = ", &d.sizes),
            op => unreachable!("{} moves no elements by shapes", op.name()),
        }
        self.signature(scope, &inst.operands, &inst.results);
    }
}
