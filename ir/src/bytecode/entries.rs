//! The attributes and types of a file, of VHLO and of MLIR itself, and the text that StableHLO's printer has for them.
//!
//! An attribute is decoded where it is used. Decoding and text keep within a budget, because attributes may name attributes and
//! operations share them: a small file could ask for a text without bound, or for work that never ends. Whoever looks at an
//! entry decodes it, so that each visit is paid for here, whatever it is for.

use super::cursor::{Cursor, Res};
use super::error::Error;
use crate::types::DType;
use std::cell::Cell;

/// One entry of the table: to which dialect it belongs and its bytes.
struct Entry<'b> {
    dialect: &'b str,
    /// Whether the dialect has its own encoding; else it is text.
    custom: bool,
    data: Cursor<'b>,
}

/// What a file says once and refers to by number.
pub(super) struct Entries<'b> {
    strings: Vec<&'b [u8]>,
    attributes: Vec<Entry<'b>>,
    types: Vec<Entry<'b>>,
    /// How many more bytes of text may be made and entries and elements of their lists be decoded.
    budget: Cell<usize>,
    /// How many more bytes of text may be made of locations.
    pub(super) location_budget: Cell<usize>,
}

/// An attribute, with others by number.
pub(super) enum Attr<'b> {
    Unit,
    Bool(bool),
    /// A value of a type.
    Int(usize, i64),
    /// The bits of a value of a type.
    Float(usize, u64),
    Str(&'b [u8]),
    Symbol(usize),
    Array(Vec<usize>),
    Dict(Vec<(usize, usize)>),
    /// `#stablehlo<KIND WORD>`.
    Word(&'static str, &'static str),
    /// An operand's memory for a result: output indices, operand, operand indices.
    Alias(Vec<i64>, i64, Vec<i64>),
    /// A type and the bytes of its elements.
    Dense(usize, &'b [u8]),
    /// A list of numbers of a type, `array<T: ...>`: how many, and their bytes.
    List(usize, &'b [u8]),
    Type(usize),
    Bounds(Vec<i64>),
    /// Tolerances (absolute, relative, in units of the last place) and mode.
    Accuracy(u64, u64, i64, usize),
    /// One of Shardy's.
    Shardy(Cursor<'b>),
    /// Text of its dialect.
    Text(&'b str),
    /// A place in a program; its text is that of [`Entries::location`].
    Location(Location),
}

/// Where something was written.
pub(super) enum Location {
    Unknown,
    CallSite(usize, usize),
    File(usize, Vec<u64>),
    Fused(Vec<usize>, Option<usize>),
    Name(usize, usize),
}

/// Enumerations of VHLO: their code, their kind in text, and their words by number.
pub(super) const WORDS: &[(u64, &str, &[&str])] = &[
    (3, "comparison_direction", &["EQ", "NE", "GE", "GT", "LE", "LT"]),
    (4, "comparison_type", &["NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"]),
    (5, API_VERSION, &["0", "1", "2", "3", "4"]),
    (7, "fft_type", &["FFT", "IFFT", "RFFT", "IRFFT"]),
    (11, "precision", &["DEFAULT", "HIGH", "HIGHEST"]),
    (12, "rng_algorithm", &["DEFAULT", "THREE_FRY", "PHILOX"]),
    (13, "rng_distribution", &["", "UNIFORM", "NORMAL"]),
    (16, "transpose", &["TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"]),
    (19, ACCURACY_MODE, &["DEFAULT", "HIGHEST", "TOLERANCE"]),
];

/// Kinds whose text is not `#stablehlo<KIND WORD>`.
pub(super) const API_VERSION: &str = "api_version";
pub(super) const ACCURACY_MODE: &str = "result_accuracy_mode";

/// The element types of VHLO that have no parts, by code.
const ELEMENTS: &[(u64, &str)] = &[
    (0, "i1"),
    (2, "bf16"),
    (3, "f16"),
    (4, "f32"),
    (5, "f64"),
    (6, "f8E4M3FN"),
    (7, "f8E5M2"),
    (9, "index"),
    (10, "i4"),
    (11, "i8"),
    (12, "i16"),
    (13, "i32"),
    (14, "i64"),
    (15, "ui4"),
    (16, "ui8"),
    (17, "ui16"),
    (18, "ui32"),
    (19, "ui64"),
    (22, "!stablehlo.token"),
    (26, "!shape.witness"),
    (27, "f8E4M3FNUZ"),
    (28, "f8E5M2FNUZ"),
    (29, "f8E4M3B11FNUZ"),
    (31, "i2"),
    (32, "ui2"),
    (33, "none"),
    (34, "tf32"),
    (35, "f8E4M3"),
    (36, "f8E3M4"),
    (37, "f4E2M1FN"),
    (38, "f6E2M3FN"),
    (39, "f6E3M2FN"),
    (40, "f8E8M0FNU"),
];

/// A type of a file.
pub(super) enum Ty<'b> {
    Element(&'static str),
    /// `i7`, `si8`, `ui16`.
    Integer(String),
    Complex(usize),
    Function(Vec<usize>, Vec<usize>),
    Tensor {
        shape: Vec<i64>,
        element: usize,
        encoding: Option<usize>,
    },
    Buffer {
        shape: Vec<i64>,
        element: usize,
    },
    Unranked(usize),
    Tuple(Vec<usize>),
    Future(Vec<usize>),
    Quantized(Quantized),
    Text(&'b str),
}

/// A uniformly quantized type; of several scales along a dimension, or of one.
pub(super) struct Quantized {
    pub(super) signed: bool,
    pub(super) storage: usize,
    pub(super) expressed: usize,
    pub(super) dimension: Option<u64>,
    pub(super) scales: Vec<(u64, i64)>,
    pub(super) range: (i64, i64),
}

impl<'b> Entries<'b> {
    /// The table of a file: where its entries end, and the entries one after the other.
    pub(super) fn read(
        strings: Vec<&'b [u8]>,
        dialects: &[&'b str],
        mut offsets: Cursor<'b>,
        mut data: Cursor<'b>,
        budget: usize,
    ) -> Res<Self> {
        let attributes = offsets.index()?;
        let types = offsets.index()?;
        let mut all = Vec::new();
        while !offsets.is_done() {
            let dialect = offsets.index()?;
            let Some(&dialect) = dialects.get(dialect) else {
                return offsets.fail(format!("no dialect has number {dialect}"));
            };
            for _ in 0..offsets.count()? {
                let (size, custom) = offsets.flagged()?;
                all.push(Entry { dialect, custom, data: data.part(size)? });
            }
        }
        if attributes.checked_add(types) != Some(all.len()) {
            let message = format!("{attributes} attributes and {types} types in {} entries", all.len());
            return offsets.fail(message);
        }
        let types = all.split_off(attributes);
        Ok(Entries {
            strings,
            attributes: all,
            types,
            budget: Cell::new(budget),
            location_budget: Cell::new(budget),
        })
    }

    pub(super) fn string(&self, cursor: &mut Cursor<'b>) -> Res<&'b [u8]> {
        let k = cursor.index()?;
        match self.strings.get(k) {
            Some(string) => Ok(string),
            None => cursor.fail(format!("no string has number {k}")),
        }
    }

    /// Spends some of what may still be made.
    pub(super) fn spend(&self, bytes: usize) -> Res<()> {
        match self.budget.get().checked_sub(bytes) {
            Some(left) => {
                self.budget.set(left);
                Ok(())
            }
            None => Err(Error::new("the attributes of this program are too long together")),
        }
    }

    /// A list, paid for before it is there.
    fn list<T>(&self, c: &mut Cursor<'b>, one: impl FnMut(&mut Cursor<'b>) -> Res<T>) -> Res<Vec<T>> {
        self.spend(c.clone().count()?)?;
        c.list(one)
    }

    // Attributes.

    /// An attribute by number.
    pub(super) fn attribute(&self, k: usize) -> Res<Attr<'b>> {
        let Some(entry) = self.attributes.get(k) else {
            return Err(Error::new(format!("no attribute has number {k}")));
        };
        self.spend(1)?;
        let mut c = entry.data.clone();
        let attr = match (entry.custom, entry.dialect) {
            (false, _) => {
                self.spend(c.left())?;
                Attr::Text(c.terminated()?)
            }
            (true, "vhlo") => self.vhlo_attribute(&mut c)?,
            (true, "builtin") => self.builtin_attribute(&mut c)?,
            (true, "sdy") => return Ok(Attr::Shardy(c)),
            (true, other) => {
                return c.fail(format!(
                    "an attribute of the dialect `{other}` in an encoding of its own: only portable artifacts (VHLO) are read"
                ));
            }
        };
        c.end("an attribute")?;
        Ok(attr)
    }

    fn vhlo_attribute(&self, c: &mut Cursor<'b>) -> Res<Attr<'b>> {
        let code = c.varint()?;
        if let Some(&(_, kind, words)) = WORDS.iter().find(|w| w.0 == code) {
            let k = c.index()?;
            return match words.get(k) {
                Some(word) => Ok(Attr::Word(kind, word)),
                None => c.fail(format!("no `{kind}` has number {k}")),
            };
        }
        Ok(match code {
            1 => Attr::Array(self.list(c, Cursor::index)?),
            2 => Attr::Bool(c.varint()? != 0),
            6 => Attr::Dict(self.list(c, |c| Ok((c.index()?, c.index()?)))?),
            8 => self.float(c)?,
            9 => self.int(c)?,
            10 => Attr::Alias(self.list(c, Cursor::signed)?, c.signed()?, self.list(c, Cursor::signed)?),
            14 => Attr::Str(self.string(c)?),
            15 => Attr::Dense(c.index()?, c.blob()?),
            17 => Attr::Type(c.index()?),
            18 => Attr::Bounds(self.list(c, Cursor::signed)?),
            20 => Attr::Accuracy(c.int_of(64)?, c.int_of(64)?, c.signed()?, c.index()?),
            21..=25 => return c.fail("groups of devices along the axes of a mesh are not supported"),
            code => return c.fail(format!("VHLO has no attribute of code {code} yet")),
        })
    }

    fn int(&self, c: &mut Cursor<'b>) -> Res<Attr<'b>> {
        let ty = c.index()?;
        let bits = self.bits(ty, c)?;
        let value = c.int_of(bits)?;
        let unused = 64 - bits.clamp(1, 64) as u32;
        let unsigned = self.element_name(ty)?.starts_with("ui");
        let value =
            if unsigned { (value << unused) >> unused } else { ((value << unused) as i64 >> unused) as u64 };
        Ok(Attr::Int(ty, value as i64))
    }

    fn float(&self, c: &mut Cursor<'b>) -> Res<Attr<'b>> {
        let ty = c.index()?;
        let bits = self.bits(ty, c)?;
        let value = c.int_of(bits)?;
        let unused = 64 - bits.clamp(1, 64) as u32;
        Ok(Attr::Float(ty, (value << unused) >> unused))
    }

    fn builtin_attribute(&self, c: &mut Cursor<'b>) -> Res<Attr<'b>> {
        let code = c.varint()?;
        Ok(match code {
            0 => Attr::Array(self.list(c, Cursor::index)?),
            1 => Attr::Dict(self.list(c, |c| Ok((c.index()?, c.index()?)))?),
            2 => Attr::Str(self.string(c)?),
            3 => {
                let string = self.string(c)?;
                c.index()?; // a type, which text does not show
                Attr::Str(string)
            }
            4 => Attr::Symbol(c.index()?),
            6 => Attr::Type(c.index()?),
            7 => Attr::Unit,
            8 => self.int(c)?,
            9 => self.float(c)?,
            10 => Attr::Location(Location::CallSite(c.index()?, c.index()?)),
            11 => Attr::Location(Location::File(c.index()?, vec![c.varint()?, c.varint()?])),
            12 => Attr::Location(Location::Fused(self.list(c, Cursor::index)?, None)),
            13 => {
                let parts = self.list(c, Cursor::index)?;
                Attr::Location(Location::Fused(parts, Some(c.index()?)))
            }
            14 => Attr::Location(Location::Name(c.index()?, c.index()?)),
            15 => Attr::Location(Location::Unknown),
            17 => {
                let ty = c.index()?;
                c.index()?; // how many; the bytes say it too
                Attr::List(ty, c.blob()?)
            }
            18 => Attr::Dense(c.index()?, c.blob()?),
            22 => Attr::Location(Location::File(c.index()?, self.list(c, Cursor::varint)?)),
            code => return c.fail(format!("the attribute of MLIR with code {code} is not supported")),
        })
    }

    /// How many bits a number of this type has.
    fn bits(&self, ty: usize, c: &Cursor<'b>) -> Res<usize> {
        let name = self.element_name(ty)?;
        if name == "index" {
            return Ok(64);
        }
        if let Some(dtype) = DType::parse(&name) {
            return Ok(dtype.bits());
        }
        match name.trim_start_matches(['s', 'u', 'i']).parse() {
            Ok(bits) if (1..=64).contains(&bits) => Ok(bits),
            _ => c.fail(format!("no number has type {name}")),
        }
    }

    // Types.

    pub(super) fn ty(&self, k: usize) -> Res<Ty<'b>> {
        let Some(entry) = self.types.get(k) else {
            return Err(Error::new(format!("no type has number {k}")));
        };
        self.spend(1)?;
        let mut c = entry.data.clone();
        let ty = match (entry.custom, entry.dialect) {
            (false, _) => {
                self.spend(c.left())?;
                Ty::Text(c.terminated()?)
            }
            (true, "vhlo") => self.vhlo_type(&mut c)?,
            (true, "builtin") => self.builtin_type(&mut c)?,
            (true, other) => return c.fail(format!("a type of the dialect `{other}` is not supported")),
        };
        c.end("a type")?;
        Ok(ty)
    }

    fn vhlo_type(&self, c: &mut Cursor<'b>) -> Res<Ty<'b>> {
        let code = c.varint()?;
        if let Some(&(_, name)) = ELEMENTS.iter().find(|e| e.0 == code) {
            return Ok(Ty::Element(name));
        }
        Ok(match code {
            1 => Ty::Complex(c.index()?),
            8 => Ty::Function(self.list(c, Cursor::index)?, self.list(c, Cursor::index)?),
            20 => Ty::Tensor { shape: self.list(c, Cursor::signed)?, element: c.index()?, encoding: None },
            21 => {
                let encoding = Some(c.index()?);
                Ty::Tensor { shape: self.list(c, Cursor::signed)?, element: c.index()?, encoding }
            }
            23 => Ty::Tuple(self.list(c, Cursor::index)?),
            24 => {
                let signed = c.varint()? & 1 == 1;
                let (storage, expressed) = (c.index()?, c.index()?);
                let scales = vec![(c.int_of(64)?, c.signed()?)];
                let range = (c.signed()?, c.signed()?);
                Ty::Quantized(Quantized { signed, storage, expressed, dimension: None, scales, range })
            }
            25 => Ty::Unranked(c.index()?),
            30 => {
                let signed = c.varint()? & 1 == 1;
                let (storage, expressed) = (c.index()?, c.index()?);
                let dimension = Some(c.varint()?);
                let range = (c.signed()?, c.signed()?);
                let scales = self.list(c, |c| c.int_of(64))?;
                let zeros = self.list(c, Cursor::signed)?;
                let scales = scales.into_iter().zip(zeros).collect();
                Ty::Quantized(Quantized { signed, storage, expressed, dimension, scales, range })
            }
            41 => Ty::Buffer { shape: self.list(c, Cursor::signed)?, element: c.index()? },
            42 => Ty::Future(self.list(c, Cursor::index)?),
            code => return c.fail(format!("VHLO has no type of code {code} yet")),
        })
    }

    fn builtin_type(&self, c: &mut Cursor<'b>) -> Res<Ty<'b>> {
        let code = c.varint()?;
        Ok(match code {
            0 => {
                let v = c.varint()?;
                let sign = ["i", "si", "ui", "i"][(v & 3) as usize];
                Ty::Integer(format!("{sign}{}", v >> 2))
            }
            1 => Ty::Element("index"),
            2 => Ty::Function(self.list(c, Cursor::index)?, self.list(c, Cursor::index)?),
            3 => Ty::Element("bf16"),
            4 => Ty::Element("f16"),
            5 => Ty::Element("f32"),
            6 => Ty::Element("f64"),
            9 => Ty::Complex(c.index()?),
            12 => Ty::Element("none"),
            13 => Ty::Tensor { shape: self.list(c, Cursor::signed)?, element: c.index()?, encoding: None },
            14 => {
                let encoding = Some(c.index()?);
                Ty::Tensor { shape: self.list(c, Cursor::signed)?, element: c.index()?, encoding }
            }
            15 => Ty::Tuple(self.list(c, Cursor::index)?),
            code => return c.fail(format!("the type of MLIR with code {code} is not supported")),
        })
    }

    /// The parameters and results of a type of functions.
    pub(super) fn function(&self, k: usize) -> Res<(Vec<usize>, Vec<usize>)> {
        match self.ty(k)? {
            Ty::Function(params, results) => Ok((params, results)),
            _ => Err(Error::new("a function has a type that is none of functions")),
        }
    }

    /// The text of a type that has no parts; empty for others.
    pub(super) fn element_name(&self, k: usize) -> Res<String> {
        Ok(match self.ty(k)? {
            Ty::Element(name) => name.to_owned(),
            Ty::Integer(name) => name,
            _ => String::new(),
        })
    }

    /// The sizes of a tensor and the name of its element type; `None` for other types.
    pub(super) fn tensor(&self, k: usize) -> Res<Option<(Vec<i64>, String)>> {
        Ok(match self.ty(k)? {
            Ty::Tensor { shape, element, encoding: None } => Some((shape, self.element_name(element)?)),
            _ => None,
        })
    }
}

/// The truth values of a tensor, one byte each, or one for all: VHLO and MLIR pack eight into a byte, and write one byte
/// of equal bits where all are equal.
pub(super) fn truths(shape: &[i64], bytes: &[u8]) -> Res<Vec<u8>> {
    let elements = shape.iter().try_fold(1usize, |n, &d| n.checked_mul(usize::try_from(d).ok()?));
    let Some(elements) = elements else {
        return Err(Error::new("a constant of more elements than fit in memory"));
    };
    if bytes == [0xFF] {
        return Ok(vec![1]);
    }
    if bytes.len() == elements.div_ceil(8) && bytes.len() != elements {
        return Ok((0..elements).map(|k| bytes[k / 8] >> (k % 8) & 1).collect());
    }
    Ok(bytes.iter().map(|&b| u8::from(b != 0)).collect())
}

/// The integers of a tensor, one for all if they are equal; empty for other types.
pub(super) fn elements(shape: &[i64], element: &str, bytes: &[u8]) -> Res<Vec<i64>> {
    Ok(if element == "i1" {
        truths(shape, bytes)?.into_iter().map(i64::from).collect()
    } else {
        integers(element, bytes)
    })
}

/// The integers in bytes; empty for other types, or if the bytes do not fit.
pub(super) fn integers(element: &str, bytes: &[u8]) -> Vec<i64> {
    let dtype = if element == "index" { Some(DType::I64) } else { DType::parse(element) };
    let Some(dtype) = dtype.filter(|d| d.is_integer() || *d == DType::I1) else { return Vec::new() };
    if !bytes.len().is_multiple_of(dtype.size()) {
        return Vec::new();
    }
    bytes.chunks_exact(dtype.size()).filter_map(|b| crate::array::integer(dtype, b)).collect()
}
