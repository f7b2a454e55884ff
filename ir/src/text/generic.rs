//! Operations in generic form: `"name"(operands) <{properties}> ({regions}) {attributes} : types`.

use super::attr::{Dict, Value as Attr};
use super::captures::{Captures, Region};
use super::frame::Signature;
use super::lexer::{Tok, tidy};
use super::parser::{Instr, Parser, Res, Uses};
use super::pretty::Ints;
use crate::op::Op;
use crate::types::{Dims, Type};

/// An operation in generic form, before its name gives the parts a meaning.
pub(super) struct Raw<'s> {
    pub(super) name: &'s str,
    pub(super) at: usize,
    pub(super) operands: Uses,
    pub(super) attrs: Dict<'s>,
    /// Whether it may stay as it is written.
    pub(super) as_written: bool,
    /// Then its attributes as they are written.
    pub(super) text: String,
    pub(super) regions: Vec<Region<'s>>,
    pub(super) captures: Captures,
    pub(super) results: Vec<Type>,
}

impl<'s> Raw<'s> {
    /// One of which only the name is known. `as_written`: its attributes are kept as text too.
    pub(super) fn new(name: &'s str, at: usize, as_written: bool) -> Self {
        Raw {
            name,
            at,
            operands: Uses::new(),
            attrs: Dict::default(),
            as_written,
            text: String::new(),
            regions: Vec::new(),
            captures: Captures::default(),
            results: Vec::new(),
        }
    }

    /// The instruction of this operation, with these operands and results.
    pub(super) fn is(self, op: impl Into<Op>) -> Instr {
        Instr::new(op, &self.operands, self.results)
    }

    /// Adds attributes that are written in `src[from..to]`.
    pub(super) fn add_attributes(&mut self, src: &str, attrs: Dict<'s>, from: usize, to: usize) {
        self.attrs.extend(attrs);
        if self.as_written {
            let text = tidy(src, from, to);
            if !text.is_empty() && !self.text.is_empty() {
                self.text.push_str(", ");
            }
            self.text.push_str(&text);
        }
    }

    /// Its name without the dialect.
    pub(super) fn short(&self) -> &'s str {
        self.name.split_once('.').map_or(self.name, |n| n.1)
    }
}

impl<'s> Parser<'s> {
    /// What follows the quoted name of an operation.
    pub(super) fn raw(&mut self, name: &'s str, at: usize, as_written: bool) -> Res<Raw<'s>> {
        self.punct(b'(')?;
        let operands = self.operands()?;
        self.punct(b')')?;
        let mut raw = Raw { operands, ..Raw::new(name, at, as_written) };
        let tuple = self.tuple_operand.take();
        if self.tok() == Tok::Punct(b'<') {
            self.bump();
            let from = self.end();
            let attrs = self.dict()?;
            raw.add_attributes(self.src(), attrs, from, self.lexer.last_end - 1);
            self.punct(b'>')?;
        }
        if self.tok() == Tok::Punct(b'(') {
            (raw.regions, raw.captures) = self.regions()?;
        }
        if self.tok() == Tok::Punct(b'{') {
            let from = self.end();
            let attrs = self.dict()?;
            raw.add_attributes(self.src(), attrs, from, self.lexer.last_end - 1);
        }
        let place = self.start();
        raw.results = match self.signature()? {
            Signature::Function(types, results) => {
                self.check_operands(&raw.operands, &types, place)?;
                results
            }
            _ => return self.fail_at(place, "expected operand types, `->` and result types"),
        };
        self.tuple_operand = tuple;
        Ok(raw)
    }

    pub(super) fn count(&self, raw: &Raw<'s>, n: usize) -> Res<()> {
        if raw.operands.len() == n {
            return Ok(());
        }
        self.fail_at(raw.at, format!("expected {n} operands, found {}", raw.operands.len()))
    }

    pub(super) fn ints_of(&self, attrs: &Dict<'s>, name: &str) -> Res<Option<Ints>> {
        let Some((value, at)) = attrs.get(name) else { return Ok(None) };
        match value.ints() {
            Some(ints) => Ok(Some(ints.into())),
            None => self.fail_at(at, format!("`{name}` must be a list of integers")),
        }
    }

    pub(super) fn dims_of(&self, attrs: &Dict<'s>, name: &str) -> Res<Option<Dims>> {
        let Some(ints) = self.ints_of(attrs, name)? else { return Ok(None) };
        match ints.iter().map(|&v| usize::try_from(v).ok()).collect() {
            Some(dims) => Ok(Some(dims)),
            None => {
                self.fail_at(attrs.get(name).map_or(0, |v| v.1), format!("`{name}` must not be negative"))
            }
        }
    }

    pub(super) fn size_of(&self, attrs: &Dict<'s>, name: &str) -> Res<Option<usize>> {
        match attrs.get(name) {
            None => Ok(None),
            Some((&Attr::Int(v), _)) if v >= 0 => Ok(Some(v as usize)),
            Some((_, at)) => self.fail_at(at, format!("`{name}` must be an integer that is not negative")),
        }
    }

    /// A flag that is false when absent.
    pub(super) fn flag(&self, attrs: &Dict<'s>, name: &str) -> Res<bool> {
        match attrs.get(name) {
            None => Ok(false),
            Some((&Attr::Bool(v), _)) => Ok(v),
            Some((Attr::Unit, _)) => Ok(true),
            Some((_, at)) => self.fail_at(at, format!("`{name}` must be true or false")),
        }
    }

    pub(super) fn enum_word(&self, raw: &Raw<'s>, name: &str) -> Res<Option<&'s str>> {
        match raw.attrs.get(name) {
            None => Ok(None),
            Some((&Attr::Word(word), _)) => Ok(Some(word)),
            Some((_, at)) => self.fail_at(at, format!("`{name}` must be `#stablehlo<... WORD>`")),
        }
    }

    pub(super) fn missing<T>(&self, raw: &Raw<'s>, name: &str) -> Res<T> {
        self.fail_at(raw.at, format!("`{}` needs the attribute `{name}`", raw.name))
    }
    pub(super) fn need_size(&self, raw: &Raw<'s>, name: &str) -> Res<usize> {
        self.size_of(&raw.attrs, name)?.map_or_else(|| self.missing(raw, name), Ok)
    }
    pub(super) fn need_dims(&self, raw: &Raw<'s>, name: &str) -> Res<Dims> {
        self.dims_of(&raw.attrs, name)?.map_or_else(|| self.missing(raw, name), Ok)
    }
    pub(super) fn need_ints(&self, raw: &Raw<'s>, name: &str) -> Res<Ints> {
        self.ints_of(&raw.attrs, name)?.map_or_else(|| self.missing(raw, name), Ok)
    }

    /// The fields of `#stablehlo.KIND<...>`.
    pub(super) fn fields<'a>(&self, raw: &'a Raw<'s>, name: &str, kind: &str) -> Res<&'a Dict<'s>> {
        match raw.attrs.get(name) {
            Some((Attr::Struct(found, fields), _)) if *found == kind => Ok(fields),
            _ => self.missing(raw, name),
        }
    }

    /// A list in `#stablehlo.KIND<...>`, empty when absent.
    pub(super) fn list(&self, fields: &Dict<'s>, name: &str) -> Res<Dims> {
        Ok(self.dims_of(fields, name)?.unwrap_or_default())
    }
}
