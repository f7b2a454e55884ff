//! `stablehlo.composite`: the operations that neither StableHLO nor CHLO has.
//!
//! A composite called `wengert.NAME` is raised to the operation of that name from its attributes; the
//! functions that the attributes name become its regions and the decomposition is dropped. Any other
//! composite is a call of its decomposition, as the specification says, but for those of CHLO's names, which exported programs
//! have: they are CHLO's operations where one fits.

use crate::func::{FuncId, FuncKind, Value};
use crate::op::*;
use crate::text::attr::{Dict, Value as Attr};
use crate::text::lexer::{Tok, unescape};
use crate::text::parser::{Instr, Parser, Res, Uses};
use crate::text::typed::{Typed, typed_attributes};
use crate::types::{DType, DYNAMIC, Type};
use std::sync::Arc;

/// The one that composites call `wengert.NAME`.
fn unary_called(name: &str) -> Option<UnaryOp> {
    UnaryOp::ALL.iter().copied().find(|op| op.name().strip_prefix("wengert.") == Some(name))
}

/// The operation of CHLO of a composite's name and attributes.
fn operation_of(composite: &Composite) -> Option<Op> {
    let name = &*composite.name;
    if !name.starts_with("chlo.") {
        return None;
    }
    let inside = composite.attributes.trim().trim_start_matches('{').trim_end_matches('}');
    if name == "chlo.top_k" {
        let given = typed_attributes(inside).ok()?;
        let [(key, Typed::Int(k, _))] = &given[..] else { return None };
        return (key == "k").then(|| Some(TopK { k: usize::try_from(*k).ok()? }.into()))?;
    }
    if !inside.trim().is_empty() {
        return None;
    }
    let unary = UnaryOp::ALL.iter().find(|op| op.name() == name).map(|&op| Op::Unary(op));
    unary.or_else(|| BinaryOp::ALL.iter().find(|op| op.name() == name).map(|&op| Op::Binary(op)))
}

impl<'s> Parser<'s> {
    /// Makes composites of CHLO's names, as exported programs have them, the operations of these names where they fit.
    pub(in crate::text) fn name_composites(&mut self) {
        if self.keep_composites {
            return;
        }
        for &(func, inst, _) in &self.deferred {
            let f = &self.module.funcs[func];
            let Op::Composite(composite) = &f.insts[inst].op else { continue };
            let Some(op) = operation_of(composite) else { continue };
            let decomposition = composite.decomposition;
            let types = |values: &[Value]| values.iter().map(|&v| f.ty(v).clone()).collect::<Vec<Type>>();
            let (operands, said) = (types(&f.insts[inst].operands), types(&f.insts[inst].results));
            if op.infer(&self.module, &operands).is_ok_and(|types| types[..] == said[..]) {
                Arc::make_mut(&mut self.module.funcs[func]).insts[inst].op = op;
                // What is an entry stays one.
                self.known[decomposition].decomposition =
                    self.module.funcs[decomposition].kind == FuncKind::Private;
            }
        }
    }

    /// `"name" %a, %b {composite_attributes = ..., decomposition = ...} : (T, U) -> V`.
    pub(in crate::text) fn composite_pretty(&mut self, at: usize) -> Res<Instr> {
        let Tok::Str(raw) = self.tok() else { return self.expected("the name of a composite operation") };
        let name = unescape(raw);
        self.bump();
        let operands = self.operands()?;
        let attrs = self.optional_dict()?;
        let results = self.typed(&operands)?;
        self.composite(&name, &attrs, &operands, results, at)
    }

    /// The operation that a composite stands for.
    pub(in crate::text) fn composite(
        &mut self,
        name: &str,
        attrs: &Dict<'s>,
        operands: &Uses,
        results: Vec<Type>,
        at: usize,
    ) -> Res<Instr> {
        let Some((Attr::Symbol(decomposition), place)) = attrs.get("decomposition") else {
            return self.fail_at(at, "a composite operation needs the attribute `decomposition`");
        };
        let decomposition = self.symbol_id(decomposition, place);
        let Some(kind) = name.strip_prefix("wengert.").filter(|_| !self.keep_composites) else {
            let version = match attrs.get("version") {
                None => 0,
                Some((&Attr::Int(v), _)) if v >= 0 => v as usize,
                Some((_, at)) => {
                    return self.fail_at(at, "`version` must be an integer that is not negative");
                }
            };
            let attributes = match attrs.get("composite_attributes") {
                Some((Attr::Dict(_), at)) => self.text_of_attribute(at)?,
                Some((_, at)) => return self.fail_at(at, "`composite_attributes` must be a dictionary"),
                None => String::new(),
            };
            let (name, attributes) = (name.into(), attributes.into());
            let op = Composite { name, attributes, decomposition, version };
            return Ok(Instr { deferred: true, ..Instr::new(op, operands, results) });
        };
        self.known[decomposition].decomposition = true;
        let empty = Dict::default();
        let given = match attrs.get("composite_attributes") {
            Some((Attr::Dict(given), _)) => given,
            None => &empty,
            Some((_, at)) => return self.fail_at(at, "`composite_attributes` must be a dictionary"),
        };
        let op: Op = match kind {
            "fma" => Fma {}.into(),
            "stop_gradient" => StopGradient {}.into(),
            "zero" => Zero { ty: self.one_tensor(&results, at)? }.into(),
            "scan" => {
                let length = self.composite_int(given, "length", at)?;
                Scan {
                    body: self.body(given, "body", at)?,
                    consts: self.composite_size(given, "consts", at)?,
                    carry: self.composite_size(given, "carry", at)?,
                    reverse: self.composite_bool(given, "reverse", at)?,
                    length: match length {
                        -1 => DYNAMIC,
                        n if n >= 0 => n as usize,
                        _ => return self.fail_at(at, "`length` must be a number of trips, or -1"),
                    },
                }
                .into()
            }
            "custom_jvp" => CustomJvp {
                body: self.body(given, "body", at)?,
                rule: self.body(given, "rule", at)?,
                consts: self.composite_size(given, "consts", at)?,
            }
            .into(),
            "custom_vjp" => CustomVjp {
                body: self.body(given, "body", at)?,
                forward: self.body(given, "forward", at)?,
                backward: self.body(given, "backward", at)?,
                consts: self.composite_size(given, "consts", at)?,
                forward_mode: match given.get("forward_mode") {
                    None => false,
                    Some(_) => self.composite_bool(given, "forward_mode", at)?,
                },
            }
            .into(),
            "linear_solve" => LinearSolve {
                matvec: self.body(given, "matvec", at)?,
                vecmat: self.body(given, "vecmat", at)?,
                solve: self.body(given, "body", at)?,
                transpose_solve: self.body(given, "transpose_solve", at)?,
                consts: self.composite_size(given, "consts", at)?,
            }
            .into(),
            "root" => Root {
                residual: self.body(given, "residual", at)?,
                solve: self.body(given, "body", at)?,
                tangent: self.body(given, "tangent", at)?,
                consts: self.composite_size(given, "consts", at)?,
            }
            .into(),
            "checkpoint" => {
                let word = given.get("keep").map(|found| found.0);
                let Some(keep) = word.and_then(|w| if let Attr::Str(w) = w { Keep::parse(w) } else { None })
                else {
                    return self.fail_at(at, "`keep` must say what a checkpoint keeps, for one \"nothing\"");
                };
                let compress = match given.get("compress") {
                    None => None,
                    Some((Attr::Str(word), _)) => match DType::ALL.iter().find(|d| d.name() == word) {
                        Some(&dtype) => Some(dtype),
                        None => return self.fail_at(at, "`compress` must name an element type"),
                    },
                    Some(_) => return self.fail_at(at, "`compress` must name an element type"),
                };
                let names = match given.get("names") {
                    None => "".into(),
                    Some((Attr::Str(word), _)) => word.as_str().into(),
                    Some(_) => return self.fail_at(at, "`names` must be a text"),
                };
                let again = self.composite_bool(given, "again", at)?;
                Checkpoint { body: self.body(given, "body", at)?, keep, again, names, compress }.into()
            }
            "while" => While {
                cond: self.body(given, "cond", at)?,
                body: self.body(given, "body", at)?,
                consts: self.composite_size(given, "consts", at)?,
                stacks: self.composite_size(given, "stacks", at)?,
                counted: self.composite_bool(given, "counted", at)?,
            }
            .into(),
            other => match unary_called(other) {
                Some(op) => op.into(),
                None => return self.fail_at(at, format!("unknown operation `{name}`")),
            },
        };
        // Types are checked when all functions are known.
        Ok(Instr { deferred: true, ..Instr::new(op, operands, results) })
    }

    /// The text of the dictionary that the attribute at this place has as its value, on one line.
    fn text_of_attribute(&mut self, at: usize) -> Res<String> {
        let back = self.start();
        self.jump(at);
        self.bump();
        self.punct(b'=')?;
        let start = self.start();
        let mut depth = 0usize;
        let end = loop {
            match self.tok() {
                Tok::Punct(b'{') => depth += 1,
                Tok::Punct(b'}') => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                // The closing brace is one byte.
                break self.start() + 1;
            }
            self.bump();
        };
        let text = self.src()[start..end].lines().map(str::trim).collect::<Vec<_>>().join(" ");
        self.jump(back);
        Ok(text)
    }

    fn composite_int(&self, attrs: &Dict<'s>, name: &str, at: usize) -> Res<i64> {
        match attrs.get(name) {
            Some((&Attr::Int(v), _)) => Ok(v),
            _ => self.fail_at(at, format!("the composite operation needs the integer `{name}`")),
        }
    }

    fn composite_size(&self, attrs: &Dict<'s>, name: &str, at: usize) -> Res<usize> {
        // Counts of operands: anything larger than 32 bits is wrong, and would make sums overflow.
        match u32::try_from(self.composite_int(attrs, name, at)?) {
            Ok(n) => Ok(n as usize),
            Err(_) => self.fail_at(at, format!("`{name}` is out of range")),
        }
    }

    fn composite_bool(&self, attrs: &Dict<'s>, name: &str, at: usize) -> Res<bool> {
        match attrs.get(name) {
            Some((&Attr::Bool(v), _)) => Ok(v),
            _ => self.fail_at(at, format!("the composite operation needs the flag `{name}`")),
        }
    }

    /// The function that an attribute names, which becomes a region of this operation.
    fn body(&mut self, attrs: &Dict<'s>, name: &str, at: usize) -> Res<FuncId> {
        // Of a portable artifact the symbol comes as text.
        let Some((Attr::Symbol(symbol) | Attr::Str(symbol), place)) = attrs.get(name) else {
            return self.fail_at(at, format!("the composite operation needs the function `{name}`"));
        };
        let id = self.symbol_id(symbol, place);
        if self.known[id].body_of.is_some() {
            return self.fail_at(place, format!("`@{symbol}` is the body of another operation already"));
        }
        self.known[id].body_of = Some(place);
        Ok(id)
    }
}
