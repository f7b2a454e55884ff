//! Reading regions.

use super::captures::{Captures, Region};
use super::frame::{Frame, Res, Uses};
use super::lexer::Tok;
use super::parser::Parser;
use crate::func::{FuncKind, Value};
use crate::op::Convert;
use crate::types::DType;

impl<'s> Parser<'s> {
    /// Opens the scope of a region of the current operation, for which `captures` were pushed.
    pub(super) fn open_region(&mut self) {
        self.frames.push(Frame::new("", FuncKind::Region));
    }

    /// Reads instructions up to the closing brace of the region opened last.
    pub(super) fn region_body(&mut self) -> Res<Region<'s>> {
        self.deeper(|p| {
            while !p.instruction()? {}
            if p.tok() != Tok::Punct(b'}') {
                return p.expected("`}` after the return");
            }
            p.bump();
            Ok(())
        })?;
        Ok(Region::of(self.pop_frame()))
    }

    /// `{ ^bb0(%a: T): ... }`.
    pub(super) fn block_region(&mut self) -> Res<Region<'s>> {
        self.punct(b'{')?;
        self.open_region();
        if let Tok::Caret(_) = self.tok() {
            self.bump();
            if self.eat(b'(') {
                while self.tok() != Tok::Punct(b')') {
                    self.parameter()?;
                    self.location_text()?;
                    if !self.eat(b',') {
                        break;
                    }
                }
                self.punct(b')')?;
            }
            self.punct(b':')?;
        }
        self.region_body()
    }

    /// `({ ... }, { ... })`: the regions of an operation in generic form and what they capture.
    pub(super) fn regions(&mut self) -> Res<(Vec<Region<'s>>, Captures)> {
        self.punct(b'(')?;
        self.captures.push(Captures::default());
        let mut out = Vec::new();
        loop {
            out.push(self.block_region()?);
            if !self.eat(b',') {
                break;
            }
        }
        self.punct(b')')?;
        Ok((out, self.captures.pop().unwrap_or_default()))
    }

    /// Converts operands to the wider types of the values that a reducer's region takes, before the operation
    /// that is read: `is_promotable` of the specification.
    pub(super) fn promote(
        &mut self,
        operands: &mut Uses,
        which: impl IntoIterator<Item = usize>,
        region: &Region<'s>,
        label: &str,
    ) -> Res<()> {
        let params = &region.func().params;
        let wanted: Vec<Option<DType>> = params[..params.len() / 2]
            .iter()
            .map(|&p| region.func().ty(p).as_tensor().map(|t| t.dtype))
            .collect();
        let which: Vec<usize> = which.into_iter().collect();
        // Operands that must be of one type and are not break a rule of their own: not this one.
        let dtype = |i: usize| self.value_type(operands[i].0).as_tensor().map(|t| t.dtype);
        let slots = wanted.len().max(1);
        if which.iter().enumerate().any(|(k, &i)| dtype(i) != dtype(which[k % slots])) {
            return Ok(());
        }
        for (k, i) in which.into_iter().enumerate() {
            let (value, at) = operands[i];
            let Some(&Some(to)) = wanted.get(k % slots) else { continue };
            let Some(from) = self.value_type(value).as_tensor().map(|t| t.dtype) else { continue };
            if from == to {
                continue;
            }
            if !is_promotable(from, to) {
                return self
                    .fail_at(at, format!("the body takes {to}, which {from} does not promote to ({label})"));
            }
            operands[i].0 = self.emit(at, Convert { dtype: to }, &[value])?;
        }
        Ok(())
    }

    /// The captures followed by operands: the arguments of a closed region.
    pub(super) fn with_captures_first(&self, operands: &Uses, captures: &Captures) -> Vec<Value> {
        captures.values.iter().copied().chain(operands.iter().map(|u| u.0)).collect()
    }

    /// The operands followed by captures.
    pub(super) fn with_captures(&self, operands: &Uses, captures: &Captures) -> Vec<Value> {
        operands.iter().map(|u| u.0).chain(captures.values.iter().copied()).collect()
    }
}

/// Whether elements of a type may be reduced in the other: the same kind of number, not narrower.
fn is_promotable(from: DType, to: DType) -> bool {
    let kinds = [DType::is_float, DType::is_integer, DType::is_complex];
    kinds.iter().any(|kind| kind(from) && kind(to)) && from.bits() <= to.bits()
}
