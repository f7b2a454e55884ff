//! Parts of operations in the form that MLIR prints for people.

use super::lexer::Tok;
use super::parser::{Parser, Res, Uses};
use crate::types::{DType, Dims, TensorType, Type};
use smallvec::SmallVec;

/// A signed list, as paddings are.
pub(super) type Ints = SmallVec<[i64; 4]>;

impl<'s> Parser<'s> {
    /// So many operands.
    pub(super) fn some_operands(&mut self, n: usize, at: usize) -> Res<Uses> {
        let operands = self.operands()?;
        if operands.len() != n {
            let plural = if n == 1 { "" } else { "s" };
            return self.fail_at(at, format!("expected {n} operand{plural}, found {}", operands.len()));
        }
        Ok(operands)
    }

    /// Attributes that say nothing to us, the colon and the types; the one result type.
    pub(super) fn result(&mut self, operands: &Uses) -> Res<TensorType> {
        self.optional_dict()?;
        let at = self.start();
        let results = self.typed(operands)?;
        self.one_tensor(&results, at)
    }

    /// The one tensor type in a list of result types.
    pub(super) fn one_tensor(&self, results: &[Type], at: usize) -> Res<TensorType> {
        match results {
            [Type::Tensor(ty)] => Ok(ty.clone()),
            _ => self.fail_at(at, "expected one tensor as the result type"),
        }
    }

    /// The element type of the one result. A type that is read and printed only has none; any will do.
    pub(super) fn result_dtype(&self, results: &[Type], at: usize) -> Res<DType> {
        match results {
            [Type::Foreign(_)] => Ok(DType::F32),
            _ => Ok(self.one_tensor(results, at)?.dtype),
        }
    }

    /// A non-negative number.
    pub(super) fn size(&mut self) -> Res<usize> {
        match self.tok() {
            Tok::Number(text) => match text.parse::<i64>() {
                Ok(n) if n >= 0 => {
                    self.bump();
                    Ok(n as usize)
                }
                _ => self.expected("a number that is not negative"),
            },
            _ => self.expected("a number"),
        }
    }

    pub(super) fn int(&mut self) -> Res<i64> {
        let Tok::Number(text) = self.tok() else { return self.expected("a number") };
        match text.parse() {
            Ok(n) => {
                self.bump();
                Ok(n)
            }
            Err(_) => self.expected("an integer"),
        }
    }

    /// `[1, -2]`.
    pub(super) fn ints(&mut self) -> Res<Ints> {
        self.punct(b'[')?;
        let mut out = Ints::new();
        while self.tok() != Tok::Punct(b']') {
            out.push(self.int()?);
            if !self.eat(b',') {
                break;
            }
        }
        self.punct(b']')?;
        Ok(out)
    }

    /// `[0, 1]`.
    pub(super) fn dims(&mut self) -> Res<Dims> {
        self.punct(b'[')?;
        let mut out = Dims::new();
        while self.tok() != Tok::Punct(b']') {
            out.push(self.size()?);
            if !self.eat(b',') {
                break;
            }
        }
        self.punct(b']')?;
        Ok(out)
    }

    /// `, name =`.
    pub(super) fn name_of(&mut self, name: &str) -> Res<()> {
        self.eat(b',');
        self.word(name)?;
        self.punct(b'=')
    }
    pub(super) fn named_dims(&mut self, name: &str) -> Res<Dims> {
        self.name_of(name)?;
        self.dims()
    }
    pub(super) fn named_ints(&mut self, name: &str) -> Res<Ints> {
        self.name_of(name)?;
        self.ints()
    }
    pub(super) fn named_size(&mut self, name: &str) -> Res<usize> {
        self.name_of(name)?;
        self.size()
    }

    /// `, NAME = WORD`.
    pub(super) fn named_word(&mut self, name: &str) -> Res<&'s str> {
        self.name_of(name)?;
        let Tok::Ident(word) = self.tok() else { return self.expected("a word") };
        self.bump();
        Ok(word)
    }
}
