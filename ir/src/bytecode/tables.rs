//! The tables of a file that is written: strings, attributes, types and properties, each of which is there once.

use super::error::Error;
use super::schema::NEWEST;
use super::{MAGIC, section};
use crate::array::Literal;
use crate::bytecode::program::IR;
use crate::func::Loc;
use crate::text::typed::Typed;
use crate::types::{DType, DYNAMIC, TensorType, Type};
use std::collections::HashMap;

/// Bytes that are written.
#[derive(Clone, Default)]
pub struct Out(pub Vec<u8>);

impl Out {
    /// An integer, in as few bytes as it fits.
    pub fn varint(&mut self, value: u64) {
        let bits = 64 - value.leading_zeros() as usize;
        let more = bits.saturating_sub(1) / 7;
        if more >= 8 {
            self.0.push(0);
            self.0.extend(value.to_le_bytes());
            return;
        }
        let word = ((value << 1) | 1) << more;
        self.0.extend(&word.to_le_bytes()[..=more]);
    }

    pub(super) fn index(&mut self, value: usize) {
        self.varint(value as u64);
    }

    pub(super) fn flagged(&mut self, value: usize, flag: bool) {
        self.varint((value as u64) << 1 | u64::from(flag));
    }

    /// An integer with its sign in the lowest bit.
    pub fn signed(&mut self, value: i64) {
        self.varint(((value << 1) ^ (value >> 63)) as u64);
    }

    pub(super) fn list(&mut self, values: &[usize]) {
        self.index(values.len());
        values.iter().for_each(|&v| self.index(v));
    }

    pub(super) fn blob(&mut self, bytes: &[u8]) {
        self.index(bytes.len());
        self.0.extend(bytes);
    }

    /// A number of so many bits.
    fn bits(&mut self, bits: usize, value: u64) {
        match bits {
            0..=8 => self.0.push(value as u8),
            _ => self.signed(value as i64),
        }
    }

    pub(super) fn section(&mut self, id: u8, inside: &[u8]) {
        self.0.push(id);
        self.blob(inside);
    }
}

/// An entry: of which dialect, and its bytes.
type Entry = (&'static str, Vec<u8>);

/// Entries by what they are.
#[derive(Default)]
struct Pool {
    entries: Vec<Entry>,
    known: HashMap<Entry, usize>,
}

impl Pool {
    fn add(&mut self, dialect: &'static str, bytes: Vec<u8>) -> usize {
        let entry = (dialect, bytes);
        if let Some(&k) = self.known.get(&entry) {
            return k;
        }
        self.entries.push(entry.clone());
        self.known.insert(entry, self.entries.len() - 1);
        self.entries.len() - 1
    }
}

/// The tables of a file.
pub(super) struct Tables {
    /// The version of StableHLO: 1.`minor`.
    pub(super) minor: u16,
    strings: Vec<Vec<u8>>,
    known: HashMap<Vec<u8>, usize>,
    attributes: Pool,
    types: Pool,
    properties: Pool,
    names: Vec<(&'static str, String)>,
    known_names: HashMap<(&'static str, String), usize>,
}

/// What every writing method returns; the message says what cannot be written.
pub(super) type Res<T> = Result<T, String>;

/// The codes of VHLO's element types, and the first minor version that has each.
fn element(dtype: DType) -> (u64, u16) {
    match dtype {
        DType::I1 => (0, 0),
        DType::BF16 => (2, 0),
        DType::F16 => (3, 0),
        DType::F32 => (4, 0),
        DType::F64 => (5, 0),
        DType::F8E4M3FN => (6, 0),
        DType::F8E5M2 => (7, 0),
        DType::I4 => (10, 0),
        DType::I8 => (11, 0),
        DType::I16 => (12, 0),
        DType::I32 => (13, 0),
        DType::I64 => (14, 0),
        DType::U4 => (15, 0),
        DType::U8 => (16, 0),
        DType::U16 => (17, 0),
        DType::U32 => (18, 0),
        DType::U64 => (19, 0),
        DType::F8E4M3FNUZ => (27, 0),
        DType::F8E5M2FNUZ => (28, 0),
        DType::F8E4M3B11FNUZ => (29, 0),
        DType::I2 => (31, 2),
        DType::U2 => (32, 2),
        DType::F8E4M3 => (35, 7),
        DType::F8E3M4 => (36, 7),
        DType::F4E2M1FN => (37, 8),
        DType::F6E2M3FN => (38, 8),
        DType::F6E3M2FN => (39, 8),
        DType::F8E8M0FNU => (40, 8),
        DType::C64 | DType::C128 => (1, 0),
    }
}

const NONE: u64 = 33;
const INDEX: u64 = 9;
const TF32: u64 = 34;

impl Tables {
    pub(super) fn new(minor: u16) -> Self {
        Tables {
            minor,
            strings: Vec::new(),
            known: HashMap::new(),
            attributes: Pool::default(),
            types: Pool::default(),
            properties: Pool::default(),
            names: Vec::new(),
            known_names: HashMap::new(),
        }
    }

    fn string(&mut self, text: &[u8]) -> usize {
        if let Some(&k) = self.known.get(text) {
            return k;
        }
        self.strings.push(text.to_vec());
        self.known.insert(text.to_vec(), self.strings.len() - 1);
        self.strings.len() - 1
    }

    /// The number of an operation's name.
    pub(super) fn name(&mut self, dialect: &'static str, name: &str) -> usize {
        let key = (dialect, name.to_owned());
        if let Some(&k) = self.known_names.get(&key) {
            return k;
        }
        self.names.push(key.clone());
        self.known_names.insert(key, self.names.len() - 1);
        self.names.len() - 1
    }

    pub(super) fn properties(&mut self, bytes: Vec<u8>) -> usize {
        self.properties.add("", bytes)
    }

    // Types.

    fn simple(&mut self, code: u64) -> usize {
        let mut out = Out::default();
        out.varint(code);
        self.types.add("vhlo", out.0)
    }

    fn dtype(&mut self, dtype: DType) -> Res<usize> {
        let (code, first) = element(dtype);
        if first > self.minor {
            return Err(format!("the element type {dtype} needs StableHLO 1.{first}.0"));
        }
        if !dtype.is_complex() {
            return Ok(self.simple(code));
        }
        let part = self.dtype(dtype.part())?;
        let mut out = Out::default();
        out.varint(code);
        out.index(part);
        Ok(self.types.add("vhlo", out.0))
    }

    fn shaped(&mut self, shape: &[usize], element: usize) -> usize {
        let mut out = Out::default();
        out.varint(20);
        out.index(shape.len());
        shape.iter().for_each(|&d| out.signed(if d == DYNAMIC { i64::MIN } else { d as i64 }));
        out.index(element);
        self.types.add("vhlo", out.0)
    }

    pub(super) fn tensor(&mut self, ty: &TensorType) -> Res<usize> {
        let element = self.dtype(ty.dtype)?;
        Ok(self.shaped(&ty.shape, element))
    }

    /// The number of a value's type.
    pub(super) fn ty(&mut self, ty: &Type) -> Res<usize> {
        match ty {
            Type::Tensor(ty) => self.tensor(ty),
            Type::Token => Ok(self.simple(22)),
            Type::Foreign(text) => Err(format!("the type {text}")),
        }
    }

    pub(super) fn function(&mut self, params: &[usize], results: &[usize]) -> usize {
        let mut out = Out::default();
        out.varint(8);
        out.list(params);
        out.list(results);
        self.types.add("vhlo", out.0)
    }

    /// An element type by name, or `none`.
    fn named_type(&mut self, name: &str) -> Res<usize> {
        match (name, DType::parse(name)) {
            ("none", _) => Ok(self.simple(NONE)),
            ("index", _) => Ok(self.simple(INDEX)),
            ("tf32", _) => Ok(self.simple(TF32)),
            (_, Some(dtype)) => self.dtype(dtype),
            (_, None) => Err(format!("the type {name}")),
        }
    }

    // Attributes.

    fn vhlo(&mut self, code: u64, inside: impl FnOnce(&mut Out)) -> usize {
        let mut out = Out::default();
        out.varint(code);
        inside(&mut out);
        self.attributes.add("vhlo", out.0)
    }

    pub(super) fn text(&mut self, text: &str) -> usize {
        self.bytes(text.as_bytes())
    }

    fn bytes(&mut self, text: &[u8]) -> usize {
        let k = self.string(text);
        self.vhlo(14, |out| out.index(k))
    }

    pub(super) fn type_attribute(&mut self, ty: usize) -> usize {
        self.vhlo(17, |out| out.index(ty))
    }

    /// An attribute of VHLO.
    pub(super) fn attribute(&mut self, attribute: &Typed) -> Res<usize> {
        Ok(match attribute {
            // VHLO has no units.
            Typed::Unit => self.vhlo(2, |out| out.varint(1)),
            &Typed::Bool(v) => self.vhlo(2, |out| out.varint(v.into())),
            &Typed::Int(value, name) => {
                let ty = self.named_type(name)?;
                let bits = DType::parse(name).map_or(64, DType::bits);
                let unused = 64 - bits as u32;
                self.vhlo(9, |out| {
                    out.index(ty);
                    out.bits(bits, (value as u64) << unused >> unused);
                })
            }
            Typed::Float(value, dtype) => {
                let ty = self.dtype(*dtype)?;
                let literal = Literal::splat(TensorType::scalar(*dtype), *value);
                let mut wide = [0; 8];
                wide[..literal.stored_bytes().len()].copy_from_slice(literal.stored_bytes());
                let bits = u64::from_le_bytes(wide);
                self.vhlo(8, |out| {
                    out.index(ty);
                    out.bits(dtype.bits(), bits);
                })
            }
            Typed::Str(text) => self.bytes(text),
            Typed::Symbol(text) => self.text(text),
            Typed::Array(items) => {
                let items = items.iter().map(|i| self.attribute(i)).collect::<Res<Vec<_>>>()?;
                self.vhlo(1, |out| out.list(&items))
            }
            Typed::Dict(items) => {
                let mut all = Vec::new();
                for (name, value) in items {
                    all.push((self.text(name), self.attribute(value)?));
                }
                self.vhlo(6, |out| {
                    out.index(all.len());
                    for (name, value) in all {
                        out.index(name);
                        out.index(value);
                    }
                })
            }
            Typed::Dense(literal, index) => self.dense(literal, *index)?,
            Typed::Type(name) => {
                let ty = self.named_type(name)?;
                self.type_attribute(ty)
            }
            Typed::Word(kind, word) => {
                let found = super::entries::WORDS.iter().find(|w| w.1 == kind);
                let number = found.and_then(|w| w.2.iter().position(|x| x == word));
                let (Some(found), Some(number)) = (found, number) else {
                    return Err(format!("the word {word} of {kind}"));
                };
                self.vhlo(found.0, |out| out.index(number))
            }
            Typed::Struct(name, fields) => self.structure(name, fields)?,
            Typed::Labels(_) => return Err("labels of dimensions outside of a convolution".to_owned()),
        })
    }

    fn structure(&mut self, name: &str, fields: &[(String, Typed)]) -> Res<usize> {
        let field = |name: &str| fields.iter().find(|f| f.0 == name).map(|f| &f.1);
        let ints = |name: &str| match field(name) {
            Some(Typed::Array(items)) => {
                items.iter().filter_map(|i| if let Typed::Int(v, _) = i { Some(*v) } else { None }).collect()
            }
            _ => Vec::new(),
        };
        let int = |name: &str| if let Some(&Typed::Int(v, _)) = field(name) { v } else { 0 };
        let float = |name: &str| if let Some(&Typed::Float(v, _)) = field(name) { v } else { 0.0 };
        match name {
            "stablehlo.output_operand_alias" => Ok(self.vhlo(10, |out| {
                let lists = ["output_tuple_indices", "operand_tuple_indices"].map(ints);
                let list = |out: &mut Out, values: &[i64]| {
                    out.index(values.len());
                    values.iter().for_each(|&v| out.signed(v));
                };
                list(out, &lists[0]);
                out.signed(int("operand_index"));
                list(out, &lists[1]);
            })),
            "stablehlo.result_accuracy" => {
                let mode = match field("mode") {
                    Some(mode) => self.attribute(mode)?,
                    None => self.attribute(&Typed::word("result_accuracy_mode", "DEFAULT"))?,
                };
                Ok(self.vhlo(20, |out| {
                    out.bits(64, float("atol").to_bits());
                    out.bits(64, float("rtol").to_bits());
                    out.signed(int("ulps"));
                    out.index(mode);
                }))
            }
            _ => Err(format!("the attribute #{name}")),
        }
    }

    /// A tensor's elements.
    pub(super) fn dense(&mut self, literal: &Literal, index: bool) -> Res<usize> {
        let ty = match index {
            true => {
                let element = self.simple(INDEX);
                self.shaped(&literal.ty().shape, element)
            }
            false => self.tensor(literal.ty())?,
        };
        let bytes = literal.stored_bytes();
        let packed: Vec<u8>;
        let bytes = match literal.ty().dtype {
            // Eight truth values in a byte; one for all is all ones or zeros.
            DType::I1 => {
                packed = match literal.as_splat() {
                    Some(v) if literal.ty().elements() > 1 => vec![if v[0] != 0 { 0xFF } else { 0 }],
                    _ => bytes
                        .chunks(8)
                        .map(|c| c.iter().enumerate().fold(0, |b, (k, &v)| b | u8::from(v != 0) << k))
                        .collect(),
                };
                &packed
            }
            // Bits above those that an element has are zero.
            dtype @ (DType::I4 | DType::I2) => {
                let bits = (1u8 << dtype.bits()) - 1;
                packed = bytes.iter().map(|b| b & bits).collect();
                &packed
            }
            _ => bytes,
        };
        Ok(self.vhlo(15, |out| {
            out.index(ty);
            out.blob(bytes);
        }))
    }

    // What is of MLIR itself.

    fn builtin(&mut self, code: u64, inside: impl FnOnce(&mut Out)) -> usize {
        let mut out = Out::default();
        out.varint(code);
        inside(&mut out);
        self.attributes.add("builtin", out.0)
    }

    pub(super) fn builtin_text(&mut self, text: &str) -> usize {
        let k = self.string(text.as_bytes());
        self.builtin(2, |out| out.index(k))
    }

    /// A dictionary of an operation, of attributes by number.
    pub(super) fn dictionary(&mut self, items: &[(String, usize)]) -> usize {
        let items: Vec<(usize, usize)> = items.iter().map(|(n, v)| (self.builtin_text(n), *v)).collect();
        self.builtin(1, |out| {
            out.index(items.len());
            for (name, value) in items {
                out.index(name);
                out.index(value);
            }
        })
    }

    pub(super) fn unknown_location(&mut self) -> usize {
        self.builtin(15, |_| {})
    }

    /// A name in a program, which is known by nothing else.
    pub(super) fn named_location(&mut self, name: &str, child: Option<usize>) -> usize {
        let child = child.unwrap_or_else(|| self.unknown_location());
        let name = self.builtin_text(name);
        self.builtin(14, |out| {
            out.index(name);
            out.index(child);
        })
    }

    /// A place in a file: line and column, and of a range the last column or line and column.
    pub(super) fn file_location(&mut self, file: &str, places: &[u64]) -> usize {
        let file = self.builtin_text(file);
        match places {
            [line, column] => self.builtin(11, |out| {
                out.index(file);
                out.varint(*line);
                out.varint(*column);
            }),
            _ => self.builtin(22, |out| {
                out.index(file);
                out.index(places.len());
                places.iter().for_each(|&p| out.varint(p));
            }),
        }
    }

    pub(super) fn fused_location(&mut self, parts: &[usize]) -> usize {
        self.builtin(12, |out| out.list(parts))
    }

    pub(super) fn call_location(&mut self, callee: usize, caller: usize) -> usize {
        self.builtin(10, |out| {
            out.index(callee);
            out.index(caller);
        })
    }

    pub(super) fn location(&mut self, loc: &Loc) -> usize {
        match loc {
            Loc::Unknown => self.unknown_location(),
            Loc::Rust(l) => self.file_location(l.file(), &[l.line().into(), l.column().into()]),
            Loc::Text(text) => self.location_text(text),
        }
    }

    // The file.

    /// The file of these operations.
    pub(super) fn file(mut self, operations: &[u8]) -> Vec<u8> {
        let mut dialects: Vec<&'static str> = Vec::new();
        let mut number = |name: &'static str| {
            dialects.iter().position(|d| *d == name).unwrap_or_else(|| {
                dialects.push(name);
                dialects.len() - 1
            })
        };
        // Runs of one dialect.
        fn runs<T>(items: &[T], dialect: impl Fn(&T) -> &'static str) -> Vec<&[T]> {
            items.chunk_by(|a, b| dialect(a) == dialect(b)).collect()
        }
        let mut offsets = Out::default();
        let mut data = Vec::new();
        offsets.index(self.attributes.entries.len());
        offsets.index(self.types.entries.len());
        for pool in [&self.attributes, &self.types] {
            for run in runs(&pool.entries, |e| e.0) {
                offsets.index(number(run[0].0));
                offsets.index(run.len());
                for (_, bytes) in run {
                    offsets.flagged(bytes.len(), true);
                    data.extend(bytes);
                }
            }
        }
        let mut names = Out::default();
        names.index(self.names.len());
        let all = std::mem::take(&mut self.names);
        for run in runs(&all, |n| n.0) {
            names.index(number(run[0].0));
            names.index(run.len());
            for (_, name) in run {
                let k = self.string(name.as_bytes());
                names.flagged(k, true);
            }
        }
        let mut head = Out::default();
        head.index(dialects.len());
        for dialect in dialects {
            let k = self.string(dialect.as_bytes());
            head.flagged(k, false);
        }
        head.0.extend(names.0);

        let mut strings = Out::default();
        strings.index(self.strings.len());
        self.strings.iter().rev().for_each(|s| strings.index(s.len() + 1));
        for s in &self.strings {
            strings.0.extend(s);
            strings.0.push(0);
        }
        let mut properties = Out::default();
        properties.index(self.properties.entries.len());
        self.properties.entries.iter().for_each(|(_, bytes)| properties.blob(bytes));

        let mut file = Out(MAGIC.to_vec());
        file.varint(6);
        file.0.extend(format!("StableHLO_v1.{}.0\0", self.minor).as_bytes());
        file.section(section::DIALECTS, &head.0);
        file.section(section::ENTRIES, &data);
        file.section(section::OFFSETS, &offsets.0);
        file.section(IR, operations);
        file.section(section::STRINGS, &strings.0);
        file.section(section::PROPERTIES, &properties.0);
        file.0
    }
}

/// The minor version that a version asks for: `1.9.0`, `1.9`.
pub(super) fn minor_of(version: &str) -> Result<u16, Error> {
    let mut parts = version.split('.').map(|p| p.parse::<u16>());
    let minor = match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(Ok(1)), Some(Ok(minor)), None | Some(Ok(_)), None) => minor,
        _ => {
            return Err(Error::new(format!(
                "a version of StableHLO is written as 1.0.0 or 1.9.0, not `{version}`"
            )));
        }
    };
    if minor > NEWEST {
        return Err(Error::new(format!("StableHLO up to 1.{NEWEST} is written, not {version}")));
    }
    Ok(minor)
}
