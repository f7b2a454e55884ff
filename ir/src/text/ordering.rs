//! Sorting and random numbers in the form that MLIR prints for people.

use super::lexer::Tok;
use super::parser::{Instr, Parser, Res};
use crate::op::*;
use crate::types::Type;

impl<'s> Parser<'s> {
    /// `(%x, k = 3) : T -> (T, U)`.
    pub(super) fn top_k(&mut self, at: usize) -> Res<Instr> {
        self.punct(b'(')?;
        let operands = self.some_operands(1, at)?;
        let k = self.named_k()?;
        self.punct(b')')?;
        self.optional_dict()?;
        let results = self.typed(&operands)?;
        Ok(Instr::new(TopK { k }, &operands, results))
    }

    /// `, k = 3`; some write it without blanks.
    fn named_k(&mut self) -> Res<usize> {
        self.named_size("k")
    }

    /// `, NAME = WORD`.
    fn named_word(&mut self, name: &str) -> Res<&'s str> {
        self.name_of(name)?;
        let Tok::Ident(word) = self.tok() else { return self.expected("a word") };
        self.bump();
        Ok(word)
    }

    /// `%a, %b, %shape, distribution = UNIFORM : ...`.
    pub(super) fn rng(&mut self, at: usize) -> Res<Instr> {
        let operands = self.some_operands(3, at)?;
        let word = self.named_word("distribution")?;
        let Some(distribution) = RngDistribution::parse(word) else {
            return self.fail_at(at, format!("`{word}` is not UNIFORM or NORMAL"));
        };
        self.optional_dict()?;
        let results = self.typed(&operands)?;
        let ty = self.one_tensor(&results, at)?;
        Ok(Instr::new(Rng { ty, distribution }, &operands, results))
    }

    /// `%state, algorithm = DEFAULT : ...`.
    pub(super) fn rng_bit_generator(&mut self, at: usize) -> Res<Instr> {
        let operands = self.some_operands(1, at)?;
        let word = self.named_word("algorithm")?;
        let Some(algorithm) = RngAlgorithm::parse(word) else {
            return self.fail_at(at, format!("`{word}` is not DEFAULT, THREE_FRY or PHILOX"));
        };
        self.optional_dict()?;
        let results = self.typed(&operands)?;
        let op = self.random_bits(algorithm, &results, at)?;
        Ok(Instr::new(op, &operands, results))
    }

    /// The operation whose second result type says what bits are wanted.
    pub(super) fn random_bits(&self, algorithm: RngAlgorithm, results: &[Type], at: usize) -> Res<Op> {
        match results {
            [_, Type::Tensor(ty)] => Ok(RngBitGenerator { algorithm, ty: ty.clone() }.into()),
            _ => self.fail_at(at, "expected a state and a tensor of bits as results"),
        }
    }
}
