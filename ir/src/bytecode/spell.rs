//! The text that StableHLO's printer has for attributes and types.

use super::cursor::Res;
use super::entries::{ACCURACY_MODE, API_VERSION, Attr, Entries, Quantized, Ty, elements, integers};
use super::error::Error;
use crate::text::write_float;
use crate::types::{DType, DTypeClass};
use std::fmt::Write;

/// How deep attributes and types may refer to others.
pub(super) const MAX_DEPTH: usize = 64;

impl Entries<'_> {
    /// Fails where attributes and types refer to each other too deep.
    pub(super) fn check_depth(&self, depth: usize) -> Res<()> {
        if depth > MAX_DEPTH {
            return Err(Error::new(format!("attributes nested more than {MAX_DEPTH} deep")));
        }
        Ok(())
    }

    /// How many values there are of a type: a tuple is several.
    pub(super) fn parts(&self, k: usize, depth: usize) -> Res<usize> {
        self.check_depth(depth)?;
        match self.ty(k)? {
            Ty::Tuple(types) => types.into_iter().map(|ty| self.parts(ty, depth + 1)).sum(),
            _ => Ok(1),
        }
    }

    /// Writes a type as StableHLO does.
    pub(super) fn write_type(&mut self, out: &mut String, k: usize) -> Res<()> {
        self.type_at(out, k, 0)
    }

    fn type_at(&mut self, out: &mut String, k: usize, depth: usize) -> Res<()> {
        self.check_depth(depth)?;
        let from = out.len();
        match self.ty(k)? {
            Ty::Element(name) => out.push_str(name),
            Ty::Integer(name) => out.push_str(&name),
            Ty::Text(text) => out.extend(text.chars().map(|c| if c.is_control() { ' ' } else { c })),
            Ty::Complex(part) => {
                out.push_str("complex<");
                self.type_at(out, part, depth + 1)?;
                out.push('>');
            }
            Ty::Function(params, results) => {
                out.push('(');
                self.types_at(out, &params, depth)?;
                out.push_str(") -> (");
                self.types_at(out, &results, depth)?;
                out.push(')');
            }
            Ty::Tensor { shape, element, encoding } => {
                self.shaped(out, "tensor<", &shape, element, depth)?;
                if let Some(encoding) = encoding {
                    out.push_str(", ");
                    self.attribute_in(out, encoding, depth + 1)?;
                }
                out.push('>');
            }
            Ty::Buffer { shape, element } => {
                self.shaped(out, "memref<", &shape, element, depth)?;
                out.push('>');
            }
            Ty::Unranked(element) => {
                out.push_str("tensor<*x");
                self.type_at(out, element, depth + 1)?;
                out.push('>');
            }
            Ty::Tuple(types) => {
                out.push_str("tuple<");
                self.types_at(out, &types, depth)?;
                out.push('>');
            }
            Ty::Future(types) => {
                out.push_str("!stablehlo.future<");
                self.types_at(out, &types, depth)?;
                out.push('>');
            }
            Ty::Quantized(q) => self.quantized(out, &q, depth)?,
        }
        // What was made of the parts has been counted there; once more does no harm.
        self.spend(out.len() - from)
    }

    fn shaped(
        &mut self,
        out: &mut String,
        open: &str,
        shape: &[i64],
        element: usize,
        depth: usize,
    ) -> Res<()> {
        out.push_str(open);
        for &size in shape {
            let _ = if size < 0 { write!(out, "?x") } else { write!(out, "{size}x") };
        }
        self.type_at(out, element, depth + 1)
    }

    fn types_at(&mut self, out: &mut String, types: &[usize], depth: usize) -> Res<()> {
        for (k, &ty) in types.iter().enumerate() {
            out.push_str(if k > 0 { ", " } else { "" });
            self.type_at(out, ty, depth + 1)?;
        }
        Ok(())
    }

    /// `!quant.uniform<i8:f32, 3.400000e+01:16>`.
    fn quantized(&mut self, out: &mut String, q: &Quantized, depth: usize) -> Res<()> {
        out.push_str("!quant.uniform<");
        let storage = self.element_name(q.storage)?;
        let bits = storage.trim_start_matches(['s', 'u', 'i']);
        let _ = write!(out, "{}{bits}", if q.signed { "i" } else { "u" });
        let bits = bits.parse::<u32>().unwrap_or(64).clamp(1, 63);
        let all = if q.signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
        if q.range != all {
            let _ = write!(out, "<{}:{}>", q.range.0, q.range.1);
        }
        out.push(':');
        self.type_at(out, q.expressed, depth + 1)?;
        let scale = |out: &mut String, &(scale, zero): &(u64, i64)| {
            write_float(out, DType::F64, scale);
            if zero != 0 {
                let _ = write!(out, ":{zero}");
            }
        };
        match q.dimension {
            None => {
                out.push_str(", ");
                q.scales.iter().for_each(|s| scale(out, s));
            }
            Some(dimension) => {
                let _ = write!(out, ":{dimension}, {{");
                for (k, s) in q.scales.iter().enumerate() {
                    out.push_str(if k > 0 { "," } else { "" });
                    scale(out, s);
                }
                out.push('}');
            }
        }
        out.push('>');
        Ok(())
    }

    /// Writes an attribute as StableHLO does.
    pub(super) fn write_attribute(&mut self, out: &mut String, k: usize) -> Res<()> {
        self.attribute_in(out, k, 0)
    }

    pub(super) fn attribute_in(&mut self, out: &mut String, k: usize, depth: usize) -> Res<()> {
        self.check_depth(depth)?;
        let from = out.len();
        match self.attribute(k)? {
            Attr::Unit => out.push_str("unit"),
            Attr::Bool(v) => out.push_str(if v { "true" } else { "false" }),
            Attr::Int(ty, value) => {
                let name = self.element_name(ty)?;
                let _ = match name.starts_with("ui") {
                    true => write!(out, "{} : {name}", value as u64),
                    false => write!(out, "{value} : {name}"),
                };
            }
            Attr::Float(ty, bits) => {
                let name = self.element_name(ty)?;
                let Some(dtype) = DType::parse(&name).filter(|d| d.class() == DTypeClass::Float) else {
                    return Err(Error::new(format!("a float of type `{name}` is not supported")));
                };
                write_float(out, dtype, bits);
                let _ = write!(out, " : {name}");
            }
            Attr::Str(text) => write_bytes(out, text),
            Attr::Symbol(name) => {
                let Attr::Str(name) = self.attribute(name)? else {
                    return Err(Error::new("a symbol whose name is no text"));
                };
                write_symbol(out, name);
            }
            Attr::Array(items) => {
                out.push('[');
                for (k, &item) in items.iter().enumerate() {
                    out.push_str(if k > 0 { ", " } else { "" });
                    self.attribute_in(out, item, depth + 1)?;
                }
                out.push(']');
            }
            Attr::Dict(items) => {
                out.push('{');
                for (k, &(name, value)) in items.iter().enumerate() {
                    out.push_str(if k > 0 { ", " } else { "" });
                    self.named(out, name, value, depth + 1)?;
                }
                out.push('}');
            }
            Attr::Word(API_VERSION, word) => {
                let _ = write!(out, "{word} : i32");
            }
            Attr::Word(ACCURACY_MODE, word) => {
                let _ = write!(out, "#stablehlo.result_accuracy_mode<{word}>");
            }
            Attr::Word(kind, word) => {
                let _ = write!(out, "#stablehlo<{kind} {word}>");
            }
            Attr::Alias(output, operand, inside) => {
                let _ = write!(
                    out,
                    "#stablehlo.output_operand_alias<output_tuple_indices = {output:?}, operand_index = {operand}, \
                     operand_tuple_indices = {inside:?}>"
                );
            }
            Attr::Dense(ty, bytes) => self.dense(out, ty, bytes, depth)?,
            Attr::List(ty, bytes) => {
                let name = self.element_name(ty)?;
                if let Some(float) = DType::parse(&name).filter(|dtype| !bytes.is_empty() && dtype.is_float())
                {
                    // Text has lists of integers only; elements of a tensor are the same to who reads attributes.
                    out.push_str("dense<");
                    write_hex(out, bytes);
                    let _ = write!(out, "> : tensor<{}x{name}>", bytes.len() / float.size());
                    return Ok(());
                }
                let _ = write!(out, "array<{name}");
                for (k, value) in integers(&name, bytes).into_iter().enumerate() {
                    let _ = write!(out, "{} {value}", if k > 0 { "," } else { ":" });
                }
                out.push('>');
            }
            Attr::Type(ty) => self.type_at(out, ty, depth + 1)?,
            Attr::Bounds(bounds) => {
                out.push_str("#stablehlo.bounds<");
                for (k, &bound) in bounds.iter().enumerate() {
                    out.push_str(if k > 0 { ", " } else { "" });
                    let _ = if bound < 0 { write!(out, "?") } else { write!(out, "{bound}") };
                }
                out.push('>');
            }
            Attr::Accuracy(atol, rtol, ulps, mode) => {
                out.push_str("#stablehlo.result_accuracy<atol = ");
                write_float(out, DType::F64, atol);
                out.push_str(", rtol = ");
                write_float(out, DType::F64, rtol);
                let _ = write!(out, ", ulps = {ulps}, mode = ");
                self.attribute_in(out, mode, depth + 1)?;
                out.push('>');
            }
            Attr::Text(text) => out.extend(text.chars().map(|c| if c.is_control() { ' ' } else { c })),
            Attr::Shardy(c) => self.shardy(out, c, depth)?,
            Attr::Location(_) => {
                let _ = write!(out, "loc({})", self.location(k).unwrap_or_else(|| "unknown".into()));
            }
        }
        self.spend(out.len() - from)
    }

    /// `name = value` of an attribute whose name is one too.
    pub(super) fn write_named_by(&mut self, out: &mut String, name: usize, value: usize) -> Res<()> {
        self.named(out, name, value, 0)
    }

    /// `name = value`, or the name of a unit.
    fn named(&mut self, out: &mut String, name: usize, value: usize, depth: usize) -> Res<()> {
        let Attr::Str(text) = self.attribute(name)? else {
            return Err(Error::new("an attribute whose name is no text"));
        };
        if std::str::from_utf8(text).is_err() {
            return Err(Error::new("an attribute whose name is not UTF-8"));
        }
        write_key(out, text);
        if let Attr::Unit = self.attribute(value)? {
            return Ok(());
        }
        out.push_str(" = ");
        self.attribute_in(out, value, depth)
    }

    /// The names and the text of the values of a dictionary; a unit has none.
    pub(super) fn entries_of(&mut self, dict: usize) -> Res<Vec<(String, String)>> {
        let Attr::Dict(items) = self.attribute(dict)? else {
            return Err(Error::new("the attributes of an operation are no dictionary"));
        };
        let mut out = Vec::new();
        for (name, value) in items {
            let (mut key, mut text) = (String::new(), String::new());
            match self.attribute(name)? {
                Attr::Str(name) if std::str::from_utf8(name).is_ok() => write_key(&mut key, name),
                _ => return Err(Error::new("an attribute whose name is no text")),
            }
            if !matches!(self.attribute(value)?, Attr::Unit) {
                self.attribute_in(&mut text, value, 1)?;
            }
            out.push((key, text));
        }
        Ok(out)
    }

    /// `name = value, ...` of a dictionary, without its braces.
    pub(super) fn write_entries(&mut self, out: &mut String, dict: usize) -> Res<()> {
        for (name, value) in self.entries_of(dict)? {
            let (comma, equals) =
                (if out.is_empty() { "" } else { ", " }, if value.is_empty() { "" } else { " = " });
            let _ = write!(out, "{comma}{name}{equals}{value}");
        }
        Ok(())
    }

    fn dense(&mut self, out: &mut String, ty: usize, bytes: &[u8], depth: usize) -> Res<()> {
        let Some((shape, element)) = self.tensor(ty)? else {
            return Err(Error::new("the elements of something that is no tensor"));
        };
        out.push_str("dense<");
        self.spend(bytes.len())?;
        let mut elements = elements(&shape, &element, bytes)?;
        if element == "ui64" && elements.contains(&i64::MAX) {
            // There are numbers that are too large to be written one by one.
            elements.clear();
        }
        let word = |v: i64| match (&element[..], v) {
            ("i1", 0) => "false".to_owned(),
            ("i1", _) => "true".to_owned(),
            _ => v.to_string(),
        };
        match &elements[..] {
            // A list per dimension, as short as these are.
            [] if !bytes.is_empty() => write_hex(out, bytes),
            [] => {}
            [one] => out.push_str(&word(*one)),
            [first, rest @ ..] if rest.iter().all(|v| v == first) => out.push_str(&word(*first)),
            _ => {
                let size = shape.iter().try_fold(1usize, |n, &d| n.checked_mul(usize::try_from(d).ok()?));
                if size != Some(elements.len()) || shape.len() > MAX_DEPTH {
                    return Err(Error::new("a constant has more or fewer elements than its type"));
                }
                self.spend(elements.len() * 4)?;
                nested(out, &shape, &mut elements.iter().map(|&v| word(v)))?;
            }
        }
        out.push_str("> : ");
        self.type_at(out, ty, depth + 1)
    }
}

/// Nested lists of words.
fn nested(out: &mut String, shape: &[i64], words: &mut impl Iterator<Item = String>) -> Res<()> {
    let Some((&n, rest)) = shape.split_first() else {
        match words.next() {
            Some(word) => out.push_str(&word),
            None => return Err(Error::new("a constant has fewer elements than its type")),
        }
        return Ok(());
    };
    out.push('[');
    for k in 0..n {
        out.push_str(if k > 0 { ", " } else { "" });
        nested(out, rest, words)?;
    }
    out.push(']');
    Ok(())
}

fn write_hex(out: &mut String, bytes: &[u8]) {
    out.push_str("\"0x");
    for b in bytes {
        let _ = write!(out, "{b:02X}");
    }
    out.push('"');
}

/// Writes text between quotes as MLIR does, which takes bytes.
pub(super) fn write_bytes(out: &mut String, text: &[u8]) {
    out.push('"');
    for &b in text {
        match b {
            b'\\' => out.push_str("\\\\"),
            b'"' => out.push_str("\\22"),
            b' '..=b'~' => out.push(b as char),
            _ => {
                let _ = write!(out, "\\{b:02X}");
            }
        }
    }
    out.push('"');
}

/// Whether text is a word, as names are written without quotes.
fn is_word(text: &[u8]) -> bool {
    text.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
        && text.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.'))
}

fn write_key(out: &mut String, text: &[u8]) {
    match std::str::from_utf8(text) {
        Ok(word) if is_word(text) => out.push_str(word),
        _ => write_bytes(out, text),
    }
}

/// Writes a symbol with its sign.
pub(super) fn write_symbol(out: &mut String, name: &[u8]) {
    out.push('@');
    write_key(out, name);
}
