//! `reduce`, and the reducers that others have too.

use super::Form;
use crate::func::{Inst, Value};
use crate::op::*;
use crate::ops::reduce::is_monoid;
use crate::text::captures::Captures;
use crate::text::generic::Raw;
use crate::text::lexer::Tok;
use crate::text::names::{Counters, Name, Scope};
use crate::text::parser::{Instr, Parser, Res, Uses};
use crate::text::printer::Printer;
use crate::types::{Dims, TensorType};
use std::fmt::Write;

pub(super) const FORMS: &[Form] =
    &[Form::new("stablehlo.reduce", |p, _| p.reduce(), |p, raw| p.generic_reduce(raw)).regions(1)];

/// The dimensions of a reduction, which may be written in any order.
fn ascending(mut dims: Dims) -> Dims {
    dims.sort_unstable();
    dims
}

impl<'s> Parser<'s> {
    /// `(%x init: %c)` groups, then `applies` an operation or a reducer region.
    fn reduce(&mut self) -> Res<Instr> {
        let (mut operands, mut inits) = (Uses::new(), Uses::new());
        loop {
            self.punct(b'(')?;
            operands.push(self.operand()?);
            self.word("init")?;
            self.punct(b':')?;
            inits.push(self.operand()?);
            self.punct(b')')?;
            if !self.eat(b',') {
                break;
            }
        }
        let n = operands.len();
        operands.extend(inits);
        let mut reducer = None;
        if self.eat_word("applies") {
            let op = match self.tok() {
                Tok::Ident(name) => BinaryOp::parse(name).filter(|&op| is_monoid(op)),
                _ => None,
            };
            if op.is_none() || n != 1 {
                return self.expected("an associative operation on one tensor");
            }
            reducer = op.map(Reducer::Op);
            self.bump();
        }
        self.word("across")?;
        let dims = ascending(self.named_dims("dimensions")?);
        self.optional_dict()?;
        let results = self.typed(&operands)?;
        if let Some(reducer) = reducer {
            return Ok(Instr::new(Reduce { dims, inputs: n, reducer }, &operands, results));
        }
        self.word("reducer")?;
        // The groups are pairs (lhs_k, rhs_k); parameters are all lhs, then all rhs.
        self.captures.push(Captures::default());
        self.open_region();
        for k in 0..n {
            self.punct(b'(')?;
            self.parameter()?;
            self.location_text()?;
            self.punct(b',')?;
            self.parameter()?;
            self.location_text()?;
            if k + 1 < n {
                self.punct(b')')?;
                self.eat(b',');
            }
        }
        self.punct(b')')?;
        let params = std::mem::take(&mut self.frame().func.params);
        let ordered = params.iter().step_by(2).chain(params.iter().skip(1).step_by(2)).copied().collect();
        self.frame().func.params = ordered;
        self.punct(b'{')?;
        let region = self.region_body()?;
        let captures = self.captures.pop().unwrap_or_default();
        self.promote(&mut operands, 0..2 * n, &region, "C6")?;
        let mut instr = Instr::new(OptimizationBarrier { region: 0 }, &operands, results);
        let own = operands.first().map(|u| self.value_type(u.0));
        let spelled = region.reducer().filter(|_| own.is_none_or(|ty| region.takes(ty)));
        let reducer = match spelled {
            Some(reducer @ Reducer::Op(_)) => reducer,
            _ => {
                instr.operands = self.with_captures(&operands, &captures).into();
                Reducer::Func(self.add_region(&captures, region)?)
            }
        };
        instr.op = Reduce { dims, inputs: n, reducer }.into();
        Ok(instr)
    }

    fn generic_reduce(&mut self, mut raw: Raw<'s>) -> Res<Instr> {
        let n = raw.operands.len() / 2;
        if raw.operands.len() != 2 * n || n == 0 {
            return self.fail_at(raw.at, "expected as many initial values as tensors");
        }
        let dims = ascending(self.need_dims(&raw, "dimensions")?);
        self.promote(&mut raw.operands, 0..2 * n, &raw.regions[0], "C6")?;
        let (reducer, operands) = self.reducer_of(&mut raw, false)?;
        let op = Reduce { dims, inputs: n, reducer };
        Ok(Instr { operands, ..Instr::new(op, &raw.operands, raw.results) })
    }

    /// The reducer that the one region spells, and the operands with what it captures.
    pub(super) fn reducer_of(
        &mut self,
        raw: &mut Raw<'s>,
        assign: bool,
    ) -> Res<(Reducer, crate::func::Values)> {
        let plain = || raw.operands.iter().map(|u| u.0).collect();
        let own = raw.operands.first().map(|u| self.value_type(u.0));
        let spelled = raw.regions[0].reducer().filter(|_| own.is_none_or(|ty| raw.regions[0].takes(ty)));
        match spelled {
            Some(Reducer::Assign) if !assign => {}
            Some(reducer) => return Ok((reducer, plain())),
            None => {}
        }
        let operands = self.with_captures(&raw.operands, &raw.captures).into();
        let region = raw.regions.remove(0);
        Ok((Reducer::Func(self.add_region(&raw.captures, region)?), operands))
    }
}

impl Printer<'_> {
    pub(super) fn reduce(&mut self, scope: &Scope<'_>, inst: &Inst, r: &Reduce) {
        let n = r.inputs;
        let (operands, captures) = inst.taken_and_captured();
        self.out.push_str("stablehlo.reduce");
        let (inputs, inits) = operands.split_at(n.min(operands.len()));
        for (k, (&input, &init)) in inputs.iter().zip(inits).enumerate() {
            self.comma(k);
            let _ = write!(self.out, "({} init: {})", scope.name(input), scope.name(init));
        }
        let compact = match r.reducer {
            Reducer::Op(op) if n == 1 => Some(op),
            Reducer::Op(_) | Reducer::Assign | Reducer::Func(_) => None,
        };
        if let Some(op) = compact {
            let _ = write!(self.out, " applies {}", op.name());
        }
        self.list(" across dimensions = ", &r.dims);
        self.signature(scope, operands, &inst.results);
        if compact.is_some() {
            return;
        }
        self.out.push('\n');
        self.spaces(scope.indent);
        self.out.push_str(" reducer");
        let mut counters = scope.counters;
        let args: Vec<Name> = (0..2 * n).map(|_| counters.arg()).collect();
        let types: Vec<TensorType> =
            inputs.iter().map(|&v| TensorType::scalar(scope.func.tensor(v).dtype)).collect();
        for (k, ty) in types.iter().enumerate() {
            let space = if k > 0 { " " } else { "" };
            let _ = write!(self.out, "{space}({}: {ty}, {}: {ty})", args[k], args[n + k]);
        }
        self.out.push_str("  {\n");
        self.reducer(scope, r.reducer, captures, &args, counters, &types);
    }

    /// The body of a reducer, and the closing brace.
    pub(super) fn reducer(
        &mut self,
        scope: &Scope<'_>,
        reducer: Reducer,
        captures: &[Value],
        args: &[Name],
        mut counters: Counters,
        types: &[TensorType],
    ) {
        let n = types.len();
        let results: Vec<Name> = match reducer {
            Reducer::Func(func) => return self.region(scope, func, captures, args, counters),
            Reducer::Assign => args[n..].to_vec(),
            Reducer::Op(op) => types
                .iter()
                .enumerate()
                .map(|(k, ty)| {
                    let name = counters.result();
                    self.spaces(scope.indent + 2);
                    let (a, b) = (args[k], args[n + k]);
                    let _ = writeln!(self.out, "{name} = {} {a}, {b} : {ty}", op.name());
                    name
                })
                .collect(),
        };
        self.spaces(scope.indent + 2);
        self.out.push_str("stablehlo.return ");
        for (k, name) in results.iter().enumerate() {
            self.comma(k);
            let _ = write!(self.out, "{name}");
        }
        self.out.push_str(" : ");
        for (k, ty) in types.iter().enumerate() {
            self.comma(k);
            let _ = write!(self.out, "{ty}");
        }
        self.out.push('\n');
        self.spaces(scope.indent);
        self.out.push('}');
    }
}
