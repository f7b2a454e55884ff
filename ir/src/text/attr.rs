//! Attribute values as MLIR writes them, before an operation gives them a meaning.

use super::dimension_labels::Labels;
use super::fields::fields_of;
use super::lexer::{Tok, unescape};
use super::literal;
use super::parser::{Parser, Res};

use crate::array::{Literal, integer};
use crate::interface::Attributes;
use crate::types::DTypeClass;

/// An attribute value.
#[derive(Clone, Debug)]
pub(super) enum Value<'s> {
    /// A name without a value.
    Unit,
    Bool(bool),
    Int(i64),
    /// A number with a point.
    Float(f64),
    Str(String),
    Array(Vec<Value<'s>>),
    Dict(Dict<'s>),
    /// `array<i64: 1, 2>`.
    Ints(Vec<i64>),
    Dense(Literal),
    /// A type.
    Type,
    Symbol(String),
    /// `#stablehlo<precision DEFAULT>`: its word, without the kind.
    Word(&'s str),
    /// `#stablehlo.gather<...>`: its name and fields.
    Struct(&'s str, Dict<'s>),
    /// `#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>`.
    Conv(Box<[Labels; 3]>),
    /// Anything else with a `#` or a `!`.
    Opaque,
}

/// One attribute.
#[derive(Clone, Debug)]
struct Entry<'s> {
    name: &'s str,
    value: Value<'s>,
    /// Where it stands, up to the comma or brace after it.
    span: std::ops::Range<usize>,
}

/// Names and values in the order of the text.
#[derive(Clone, Debug, Default)]
pub(super) struct Dict<'s> {
    entries: Vec<Entry<'s>>,
}

impl<'s> Dict<'s> {
    /// The value of a name and where it stands.
    pub(super) fn get(&self, name: &str) -> Option<(&Value<'s>, usize)> {
        self.entries.iter().find(|e| e.name == name).map(|e| (&e.value, e.span.start))
    }

    /// The integer of a name, if it is one.
    pub(super) fn int(&self, name: &str) -> Option<i64> {
        if let Value::Int(n) = self.get(name)?.0 { Some(*n) } else { None }
    }

    /// The text of an attribute, `name = value`; empty if it is not there.
    pub(super) fn source(&self, src: &str, name: &str) -> String {
        self.entries.iter().find(|e| e.name == name).map_or(String::new(), |e| e.text(src))
    }

    /// The names and the text of the values.
    pub(super) fn texts(&self, src: &str) -> Attributes {
        let value = |e: &Entry<'_>| {
            let text = e.text(src);
            let quotes = if text.starts_with('"') { 2 } else { 0 };
            let rest = text.get(e.name.len() + quotes..).unwrap_or_default().trim_start();
            rest.strip_prefix('=').map_or("unit", str::trim_start).to_owned()
        };
        self.entries.iter().map(|e| (unescape(e.name), value(e))).collect()
    }

    /// The text of all attributes but these, and but shardings (`sdy.sharding` and the like), which mean nothing on one device.
    pub(super) fn source_without(&self, src: &str, names: &[&str]) -> String {
        let kept = self.entries.iter().filter(|e| !names.contains(&e.name) && !e.name.starts_with("sdy."));
        kept.map(|e| e.text(src)).collect::<Vec<_>>().join(", ")
    }

    /// The names and where they stand, in order.
    pub(super) fn names(&self) -> impl Iterator<Item = (&'s str, usize)> {
        self.entries.iter().map(|e| (e.name, e.span.start))
    }

    /// Adds an entry.
    pub(super) fn push(&mut self, name: &'s str, value: Value<'s>, at: usize) {
        self.entries.push(Entry { name, value, span: at..at });
    }

    /// Adds the entries of another dictionary.
    pub(super) fn extend(&mut self, other: Dict<'s>) {
        self.entries.extend(other.entries);
    }
}

impl Entry<'_> {
    fn text(&self, src: &str) -> String {
        src[self.span.clone()].trim_end().to_owned()
    }
}

impl<'s> Parser<'s> {
    /// `{name = value, ...}` if it is there, else an empty dictionary.
    pub(super) fn optional_dict(&mut self) -> Res<Dict<'s>> {
        if self.tok() == Tok::Punct(b'{') { self.dict() } else { Ok(Dict::default()) }
    }

    /// `{name = value, ...}`.
    pub(super) fn dict(&mut self) -> Res<Dict<'s>> {
        self.deeper(|p| {
            p.punct(b'{')?;
            let dict = p.entries(b'}')?;
            p.punct(b'}')?;
            Ok(dict)
        })
    }

    /// `name = value, ...` up to a closing sign.
    fn entries(&mut self, close: u8) -> Res<Dict<'s>> {
        let mut dict = Dict::default();
        while self.tok() != Tok::Punct(close) {
            let at = self.start();
            let name = match self.tok() {
                Tok::Ident(name) | Tok::Str(name) => name,
                _ => return self.expected("the name of an attribute"),
            };
            self.bump();
            let value = if self.eat(b'=') { self.attribute()? } else { Value::Unit };
            dict.entries.push(Entry { name, value, span: at..self.start() });
            if !self.eat(b',') {
                break;
            }
        }
        Ok(dict)
    }

    /// An attribute value with its type, if one is written.
    pub(super) fn attribute(&mut self) -> Res<Value<'s>> {
        let value = match self.tok() {
            Tok::Ident("true") => self.then(Value::Bool(true)),
            Tok::Ident("false") => self.then(Value::Bool(false)),
            Tok::Ident("unit") => self.then(Value::Unit),
            Tok::Ident("array") => return self.int_array(),
            Tok::Ident("dense") => return Ok(Value::Dense(self.dense(true)?)),
            Tok::Ident("loc") => {
                self.location_text()?;
                Value::Opaque
            }
            Tok::Ident("tensor") => {
                self.tensor(true)?;
                Value::Type
            }
            Tok::Ident(word) if word.starts_with("dense_") => {
                return self.fail(format!("`{word}` constants are not supported"));
            }
            Tok::Ident(_) => {
                self.bump();
                Value::Type
            }
            Tok::Number(text) => {
                let value = number(text);
                let Some(value) = value else { return self.fail("this number is too large") };
                self.bump();
                if self.eat(b':') {
                    match self.tok() {
                        Tok::Ident("tensor") => {
                            self.tensor(true)?;
                        }
                        Tok::Ident(_) => self.bump(),
                        _ => return self.expected("the type of a number"),
                    }
                }
                value
            }
            Tok::Str(raw) => self.then(Value::Str(unescape(raw))),
            Tok::Symbol(_) => {
                let name = self.symbol()?;
                while self.tok() == Tok::Punct(b':') && self.src()[self.end()..].starts_with(':') {
                    self.bump();
                    self.bump();
                    self.symbol()?;
                }
                Value::Symbol(name)
            }
            Tok::Punct(b'[') => {
                return self.deeper(|p| {
                    p.bump();
                    let mut items = Vec::new();
                    while p.tok() != Tok::Punct(b']') {
                        items.push(p.attribute()?);
                        if !p.eat(b',') {
                            break;
                        }
                    }
                    p.punct(b']')?;
                    Ok(Value::Array(items))
                });
            }
            Tok::Punct(b'{') => Value::Dict(self.dict()?),
            Tok::Punct(b'(') => {
                self.skip_balanced()?;
                if self.tok() == Tok::Arrow {
                    self.bump();
                    if self.tok() == Tok::Punct(b'(') {
                        self.skip_balanced()?
                    } else {
                        return self.attribute();
                    }
                }
                Value::Type
            }
            Tok::Hash("stablehlo" | "chlo") => self.enum_attribute()?,
            Tok::Hash("stablehlo.conv") => {
                self.bump();
                self.punct(b'<')?;
                let labels = self.conv_labels()?;
                self.punct(b'>')?;
                Value::Conv(Box::new(labels))
            }
            Tok::Hash(name) | Tok::Bang(name) => {
                self.bump();
                if self.tok() != Tok::Punct(b'<') {
                    Value::Opaque
                } else if fields_of(name).is_some() {
                    Value::Struct(name, self.struct_fields(name)?)
                } else {
                    self.skip_balanced()?;
                    Value::Opaque
                }
            }
            _ => return self.expected("the value of an attribute"),
        };
        Ok(value)
    }

    /// `<name = value, ...>` of an attribute that is read by its fields.
    pub(super) fn struct_fields(&mut self, name: &str) -> Res<Dict<'s>> {
        let at = self.start();
        self.deeper(|p| {
            p.punct(b'<')?;
            let fields = p.entries(b'>')?;
            p.punct(b'>')?;
            p.check_struct(name, &fields, at)?;
            Ok(fields)
        })
    }

    fn then(&mut self, value: Value<'s>) -> Value<'s> {
        self.bump();
        value
    }

    /// `#stablehlo<kind WORD>`.
    fn enum_attribute(&mut self) -> Res<Value<'s>> {
        self.bump();
        self.punct(b'<')?;
        let Tok::Ident(_) = self.tok() else { return self.expected("a kind of attribute") };
        self.bump();
        let Tok::Ident(word) = self.tok() else { return self.expected("a word") };
        self.bump();
        self.punct(b'>')?;
        Ok(Value::Word(word))
    }

    /// `array<i64: 1, 2>`.
    fn int_array(&mut self) -> Res<Value<'s>> {
        self.bump();
        self.punct(b'<')?;
        let Tok::Ident(_) = self.tok() else { return self.expected("an element type") };
        self.bump();
        let mut out = Vec::new();
        if self.eat(b':') {
            loop {
                out.push(match self.tok() {
                    Tok::Ident("true") => 1,
                    Tok::Ident("false") => 0,
                    Tok::Number(text) => match number(text) {
                        Some(Value::Int(v)) => v,
                        _ => return self.expected("an integer"),
                    },
                    _ => return self.expected("an integer"),
                });
                self.bump();
                if !self.eat(b',') {
                    break;
                }
            }
        }
        self.punct(b'>')?;
        Ok(Value::Ints(out))
    }

    /// `dense<...> : tensor<...>`.
    pub(super) fn dense(&mut self, attribute: bool) -> Res<Literal> {
        if self.tok() != Tok::Ident("dense") {
            if let Tok::Ident(word) = self.tok()
                && word.starts_with("dense_")
            {
                return self.fail(format!("`{word}` constants are not supported"));
            }
            return self.expected("`dense<...>`");
        }
        let start = self.start();
        self.bump();
        if self.tok() != Tok::Punct(b'<') {
            return self.expected("`<`");
        }
        // The type comes after the elements: find it, then read the elements with it.
        let from = self.end();
        let bytes = self.src().as_bytes();
        let find = |at: usize, sign: u8| bytes[at..].iter().position(|&b| b == sign).map(|n| at + n);
        let inside = self.skip_blank(from);
        let string_end = match bytes.get(inside) {
            Some(b'"') => match find(inside + 1, b'"') {
                Some(quote) => quote,
                None => return self.fail_at(inside, "this string does not end"),
            },
            _ => from,
        };
        let Some(to) = find(string_end, b'>') else {
            return self.fail_at(start, "this constant does not end");
        };
        self.jump(to + 1);
        self.punct(b':')?;
        if self.tok() != Tok::Ident("tensor") {
            return self.expected("a tensor type");
        }
        let at = self.start();
        let ty = self.tensor(attribute)?;
        if !ty.is_static() {
            return self.fail_at(at, "a constant of dynamic size is not supported");
        }
        literal::parse(self.src(), from, to, &ty).or_else(|e| self.fail_at(e.at, e.message))
    }

    /// Skips a bracketed group with everything in it.
    pub(super) fn skip_balanced(&mut self) -> Res<()> {
        let start = self.start();
        let mut depth = 0usize;
        loop {
            match self.tok() {
                Tok::Punct(b'(' | b'[' | b'{' | b'<') => depth += 1,
                Tok::Punct(b')' | b']' | b'}' | b'>') => depth = depth.saturating_sub(1),
                Tok::End | Tok::OpenString => return self.fail_at(start, "this group does not end"),
                _ => {}
            }
            self.bump();
            if depth == 0 {
                return Ok(());
            }
        }
    }
}

pub(super) fn number(text: &str) -> Option<Value<'static>> {
    if let Some(hex) = text.strip_prefix("0x") {
        return u64::from_str_radix(hex, 16).ok().map(|v| Value::Int(v as i64));
    }
    if text.contains('.') {
        return text.parse().ok().map(Value::Float);
    }
    match text.parse::<i64>() {
        Ok(v) => Some(Value::Int(v)),
        Err(_) => text.parse::<u64>().ok().map(|v| Value::Int(v as i64)),
    }
}

impl Value<'_> {
    /// A list of integers, in any of the ways MLIR writes one.
    pub(super) fn ints(&self) -> Option<Vec<i64>> {
        match self {
            Value::Ints(v) => Some(v.clone()),
            Value::Array(items) => {
                items.iter().map(|v| if let Value::Int(v) = v { Some(*v) } else { None }).collect()
            }
            Value::Dense(literal) => {
                let size = literal.ty().dtype.size();
                let class = literal.ty().dtype.class();
                if !matches!(class, DTypeClass::Signed | DTypeClass::Unsigned) || literal.ty().rank() != 1 {
                    return None;
                }
                let one = |b: &[u8]| integer(literal.ty().dtype, b);
                match literal.as_splat() {
                    // A list per dimension is short; a longer one is no list of ours.
                    Some(b) if literal.ty().shape[0] <= 64 => Some(vec![one(b)?; literal.ty().shape[0]]),
                    Some(_) => None,
                    None => literal.stored_bytes().chunks_exact(size).map(one).collect(),
                }
            }
            _ => None,
        }
    }
}
