//! Attributes with the types of their numbers, as what writes bytecode wants them; read from the text that operations keep.

use super::lexer::Tok;
use super::parser::{Parser, Res};
use crate::array::{Array, Literal};
use crate::types::{DType, TensorType};

/// An attribute.
#[derive(Clone, PartialEq, Debug)]
pub enum Typed {
    /// Nothing but a name.
    Unit,
    /// A truth value.
    Bool(bool),
    /// A number and the name of its type.
    Int(i64, &'static str),
    /// A number of a float type.
    Float(f64, DType),
    /// Bytes, which need not be UTF-8.
    Str(Vec<u8>),
    /// The name of a function.
    Symbol(String),
    /// Attributes in order.
    Array(Vec<Typed>),
    /// Attributes with names.
    Dict(Vec<(String, Typed)>),
    /// Elements; the flag: their type is `index`.
    Dense(Literal, bool),
    /// An element type, or `none`.
    Type(String),
    /// `#stablehlo<KIND WORD>`.
    Word(String, String),
    /// `#stablehlo.KIND<name = value, ...>`.
    Struct(String, Vec<(String, Typed)>),
    /// The labels of a convolution: of operand, kernel and result the first, the second and the spatial dimensions.
    Labels([(usize, usize, Vec<i64>); 3]),
}

impl Typed {
    /// An integer of 64 bits.
    pub(crate) fn int(value: usize) -> Typed {
        Typed::Int(value as i64, "i64")
    }

    /// A text.
    pub fn text(text: &str) -> Typed {
        Typed::Str(text.as_bytes().to_vec())
    }

    /// The integer that it is.
    pub fn integer(&self) -> Option<i64> {
        if let Typed::Int(value, _) = self { Some(*value) } else { None }
    }

    /// The places that it lists, in either form of a list of integers; negative ones are left out.
    pub fn places(&self) -> Vec<usize> {
        let all = match self {
            Typed::Dense(list, _) => list.to_array().integers().unwrap_or_default(),
            Typed::Array(items) => items.iter().filter_map(Typed::integer).collect(),
            Typed::Unit
            | Typed::Bool(_)
            | Typed::Int(..)
            | Typed::Float(..)
            | Typed::Str(_)
            | Typed::Symbol(_)
            | Typed::Dict(_)
            | Typed::Type(_)
            | Typed::Word(..)
            | Typed::Struct(..)
            | Typed::Labels(_) => Vec::new(),
        };
        all.into_iter().filter_map(|k| usize::try_from(k).ok()).collect()
    }

    /// A list of integers.
    pub(crate) fn ints(values: &[i64]) -> Typed {
        Typed::Dense(Literal::from_array(&Array::new(&[values.len()], values)), false)
    }

    /// A list of sizes.
    pub(crate) fn sizes(values: &[usize]) -> Typed {
        let values: Vec<i64> = values.iter().map(|&v| v as i64).collect();
        Typed::ints(&values)
    }

    /// A list of flags.
    pub(crate) fn flags(values: &[bool]) -> Typed {
        Typed::Dense(Literal::from_array(&Array::new_bool(&[values.len()], values)), false)
    }

    /// A word of an enumeration.
    pub(crate) fn word(kind: &str, word: &str) -> Typed {
        Typed::Word(kind.to_owned(), word.to_owned())
    }
}

/// The attributes that a text lists: `name = value, ...`.
pub fn typed_attributes(text: &str) -> Result<Vec<(String, Typed)>, String> {
    let braced = format!("{{{text}}}");
    let mut parser = Parser::new(&braced);
    let read = parser.typed_dict();
    let rest = parser.tok();
    match read {
        Ok(dict) if rest == Tok::End => Ok(dict),
        Ok(_) => Err(format!("attributes that do not end: {text}")),
        Err(e) => Err(e.message),
    }
}

/// The names of the integer types that attributes have.
const INTEGERS: &[&str] =
    &["i1", "i2", "i4", "i8", "i16", "i32", "i64", "ui2", "ui4", "ui8", "ui16", "ui32", "ui64", "index"];

impl Parser<'_> {
    fn typed_dict(&mut self) -> Res<Vec<(String, Typed)>> {
        self.deeper(|p| {
            p.punct(b'{')?;
            let entries = p.typed_entries(b'}')?;
            p.punct(b'}')?;
            Ok(entries)
        })
    }

    fn typed_entries(&mut self, close: u8) -> Res<Vec<(String, Typed)>> {
        let mut out = Vec::new();
        while self.tok() != Tok::Punct(close) {
            let name = match self.tok() {
                Tok::Ident(name) => name.to_owned(),
                Tok::Str(name) => super::unescape(name),
                _ => return self.expected("the name of an attribute"),
            };
            self.bump();
            if name.starts_with("sdy.") {
                // Where data lies on several devices means nothing on one.
                self.punct(b'=')?;
                self.attribute()?;
            } else {
                let value = if self.eat(b'=') { self.typed_value()? } else { Typed::Unit };
                out.push((name, value));
            }
            if !self.eat(b',') {
                break;
            }
        }
        Ok(out)
    }

    fn typed_value(&mut self) -> Res<Typed> {
        let value = match self.tok() {
            Tok::Ident("true") => Typed::Bool(true),
            Tok::Ident("false") => Typed::Bool(false),
            Tok::Ident("unit") => Typed::Unit,
            Tok::Ident("array") => return self.typed_list(),
            Tok::Ident("dense") => {
                let index = self.src()[self.start()..]
                    .split_once(':')
                    .is_some_and(|(_, t)| t.split(['>', ',']).next().is_some_and(|t| t.ends_with("xindex")));
                return Ok(Typed::Dense(self.dense(true)?, index));
            }
            Tok::Ident(name) => Typed::Type(name.to_owned()),
            Tok::Str(raw) => Typed::Str(super::lexer::unescape_bytes(raw)),
            Tok::Symbol(_) => return Ok(Typed::Symbol(self.symbol()?)),
            Tok::Number(text) => return self.typed_number(text),
            Tok::Punct(b'{') => return Ok(Typed::Dict(self.typed_dict()?)),
            Tok::Punct(b'[') => {
                return self.deeper(|p| {
                    p.bump();
                    let mut items = Vec::new();
                    while p.tok() != Tok::Punct(b']') {
                        items.push(p.typed_value()?);
                        if !p.eat(b',') {
                            break;
                        }
                    }
                    p.punct(b']')?;
                    Ok(Typed::Array(items))
                });
            }
            Tok::Hash("stablehlo" | "chlo") => {
                self.bump();
                self.punct(b'<')?;
                let Tok::Ident(kind) = self.tok() else { return self.expected("a kind of attribute") };
                self.bump();
                let Tok::Ident(word) = self.tok() else { return self.expected("a word") };
                self.bump();
                self.punct(b'>')?;
                return Ok(Typed::word(kind, word));
            }
            Tok::Hash("stablehlo.conv") => {
                self.bump();
                self.punct(b'<')?;
                let labels = self.conv_labels()?;
                self.punct(b'>')?;
                return Ok(Typed::Labels(
                    labels.map(|l| (l.first, l.second, l.spatial.iter().map(|&d| d as i64).collect())),
                ));
            }
            Tok::Hash("stablehlo.result_accuracy_mode") => {
                self.bump();
                self.punct(b'<')?;
                let Tok::Ident(word) = self.tok() else { return self.expected("a word") };
                self.bump();
                self.punct(b'>')?;
                return Ok(Typed::word("result_accuracy_mode", word));
            }
            Tok::Hash(name) if name.starts_with("stablehlo.") => {
                self.bump();
                return self.deeper(|p| {
                    p.punct(b'<')?;
                    let fields = p.typed_entries(b'>')?;
                    p.punct(b'>')?;
                    Ok(Typed::Struct(name.to_owned(), fields))
                });
            }
            _ => return self.fail(format!("{} cannot be written as bytecode", self.tok().describe())),
        };
        self.bump();
        Ok(value)
    }

    /// `1 : i32`, `1.5 : f32`, `0x7FC00000 : f32`.
    fn typed_number(&mut self, text: &str) -> Res<Typed> {
        let value = super::attr::number(text);
        let at = self.start();
        self.bump();
        let mut name = if matches!(value, Some(super::attr::Value::Float(_))) { "f64" } else { "i64" };
        if self.eat(b':') {
            let Tok::Ident(word) = self.tok() else { return self.expected("the type of a number") };
            self.bump();
            name = word;
        }
        if let Some(&ty) = INTEGERS.iter().find(|ty| **ty == name) {
            return match value {
                Some(super::attr::Value::Int(v)) => Ok(Typed::Int(v, ty)),
                _ => self.fail_at(at, "expected an integer"),
            };
        }
        let Some(dtype) = DType::parse(name) else {
            return self.fail_at(at, format!("a number of type `{name}`"));
        };
        match value {
            Some(super::attr::Value::Float(v)) => Ok(Typed::Float(v, dtype)),
            Some(super::attr::Value::Int(bits)) if text.starts_with("0x") => {
                Ok(Typed::Float(float_of(dtype, bits as u64), dtype))
            }
            _ => self.fail_at(at, "expected a number with a point"),
        }
    }

    /// `array<i64: 1, 2>`.
    fn typed_list(&mut self) -> Res<Typed> {
        let at = self.start();
        let after = self.src()[at..].strip_prefix("array<").unwrap_or_default();
        let name = after.split([':', '>']).next().unwrap_or_default().trim();
        let Some(dtype) = DType::parse(name) else { return self.fail_at(at, format!("a list of `{name}`")) };
        let Some(values) = self.attribute()?.ints() else {
            return self.fail_at(at, "expected a list of integers");
        };
        let ty = TensorType::new(dtype, &[values.len()]);
        let is_integer = dtype.is_integer() || dtype == DType::I1;
        if !values.is_empty() && !is_integer || dtype.size() > 8 {
            return self.fail_at(at, format!("a list of `{name}`"));
        }
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()[..dtype.size()].to_vec()).collect();
        Ok(Typed::Dense(Literal::from_array(&Array::from_bytes(ty, &bytes)), false))
    }
}

/// The float with these bits.
fn float_of(dtype: DType, bits: u64) -> f64 {
    let bytes = bits.to_le_bytes();
    let literal = Literal::splat_bytes(TensorType::scalar(dtype), &bytes[..dtype.size()]);
    literal.splat_value().unwrap_or(f64::NAN)
}
