//! `stablehlo.custom_call`: the dispatch by target.

use super::attr::Dict;
use super::parser::{Instr, Parser, Res, Uses};
use crate::types::Type;

impl<'s> Parser<'s> {
    /// `@target(%a, %b) {attributes} : (T, U) -> V`.
    pub(super) fn custom_call_pretty(&mut self, at: usize) -> Res<Instr> {
        let target = self.symbol()?;
        self.punct(b'(')?;
        let operands = self.operands()?;
        self.punct(b')')?;
        let attrs = self.optional_dict()?;
        let results = self.typed(&operands)?;
        self.custom_call(&target, &attrs, &operands, results, at)
    }

    /// The operation that a custom call stands for.
    pub(super) fn custom_call(
        &mut self,
        target: &str,
        attrs: &Dict<'s>,
        operands: &Uses,
        results: Vec<Type>,
        at: usize,
    ) -> Res<Instr> {
        let _ = attrs;
        if let Some(check) = self.check_call(target, operands, &results, at)? {
            return Ok(check);
        }
        self.fail_at(at, "`stablehlo.custom_call` is not supported yet")
    }
}
