//! What a call says beside its operands, in the memory that a handler reads: numbers, lists of numbers, texts, and dictionaries of them.

use super::abi::{Attributes, List, Scalar, Span, attribute_type};
use crate::types;
use std::ffi::c_void;
use wengert_ir::array::{Array, Literal};
use wengert_ir::text::Typed;
use wengert_ir::types::{DType, TensorType};

/// Attributes by name, with all that their addresses point to.
pub(super) struct Dictionary {
    types: Box<[i32]>,
    names: Box<[*mut Span]>,
    items: Box<[*mut c_void]>,
    _held: Box<[Entry]>,
}

struct Entry {
    name: Box<Span>,
    _text: Box<[u8]>,
    item: Held,
}

// SAFETY: what the pointers point to is in `_held`, which is made once and which handlers only read.
unsafe impl Send for Dictionary {}
// SAFETY: as above.
unsafe impl Sync for Dictionary {}

/// An attribute, and what its own address points to. Elements have the alignment that any number asks for.
enum Held {
    Scalar(Box<Scalar>, #[allow(dead_code, reason = "pointed to")] Box<[u128]>),
    List(Box<List>, #[allow(dead_code, reason = "pointed to")] Box<[u128]>),
    Text(Box<Span>, #[allow(dead_code, reason = "pointed to")] Box<[u8]>),
    Dictionary(Box<Attributes>, #[allow(dead_code, reason = "pointed to")] Box<Dictionary>),
}

/// A copy of bytes where numbers of any type may lie.
fn aligned(bytes: &[u8]) -> Box<[u128]> {
    let part = |part: &[u8]| {
        let mut word = [0; 16];
        word[..part.len()].copy_from_slice(part);
        u128::from_ne_bytes(word)
    };
    // Never empty, so that there is an address.
    if bytes.is_empty() { [0].into() } else { bytes.chunks(16).map(part).collect() }
}

fn span(bytes: &[u8]) -> Span {
    Span { start: bytes.as_ptr().cast(), length: bytes.len() }
}

impl Held {
    fn scalar(dtype: DType, bytes: &[u8]) -> Result<Held, String> {
        let (dtype, mut words) = (known(dtype)?, aligned(bytes));
        Ok(Held::Scalar(Box::new(Scalar { dtype, value: words.as_mut_ptr().cast() }), words))
    }

    fn list(dtype: DType, size: usize, bytes: &[u8]) -> Result<Held, String> {
        let (dtype, mut words) = (known(dtype)?, aligned(bytes));
        Ok(Held::List(Box::new(List { dtype, size, data: words.as_mut_ptr().cast() }), words))
    }

    fn text(bytes: &[u8]) -> Held {
        let bytes: Box<[u8]> = bytes.into();
        Held::Text(Box::new(span(&bytes)), bytes)
    }

    /// The attribute that a program says.
    fn of(said: &Typed) -> Result<Held, String> {
        Ok(match said {
            Typed::Bool(flag) => Held::scalar(DType::I1, &[*flag as u8])?,
            Typed::Int(value, ty) => {
                let dtype = integer(ty)?;
                Held::scalar(dtype, &value.to_le_bytes()[..dtype.size()])?
            }
            Typed::Float(value, dtype) => {
                let value = Literal::splat(TensorType::scalar(*dtype), *value);
                Held::scalar(*dtype, value.stored_bytes())?
            }
            Typed::Str(bytes) => Held::text(bytes),
            Typed::Symbol(name) => Held::text(name.as_bytes()),
            Typed::Dict(entries) => {
                let inside = Box::new(Dictionary::new(entries)?);
                Held::Dictionary(Box::new(inside.view()), inside)
            }
            Typed::Dense(elements, _) => {
                let elements: Array = elements.to_array();
                let size = elements.shape().iter().product();
                Held::list(elements.dtype(), size, elements.bytes())?
            }
            Typed::Array(items) if items.is_empty() => Held::list(DType::I32, 0, &[])?,
            Typed::Unit
            | Typed::Array(_)
            | Typed::Type(_)
            | Typed::Word(..)
            | Typed::Struct(..)
            | Typed::Labels(_) => {
                return Err("is no number, list of numbers, text or dictionary".to_owned());
            }
        })
    }

    fn parts(&mut self) -> (i32, *mut c_void) {
        match self {
            Held::Scalar(item, _) => (attribute_type::SCALAR, (&raw mut **item).cast()),
            Held::List(item, _) => (attribute_type::ARRAY, (&raw mut **item).cast()),
            Held::Text(item, _) => (attribute_type::STRING, (&raw mut **item).cast()),
            Held::Dictionary(item, _) => (attribute_type::DICTIONARY, (&raw mut **item).cast()),
        }
    }
}

/// The number of an element type that handlers know.
fn known(dtype: DType) -> Result<i32, String> {
    types::xla_number(dtype).ok_or_else(|| format!("is of {dtype}, which handlers do not know"))
}

/// The element type of an integer type's name.
fn integer(name: &str) -> Result<DType, String> {
    let dtype = if name == "index" { Some(DType::I64) } else { DType::parse(name) };
    dtype.ok_or_else(|| format!("is a number of the unknown type {name}"))
}

impl Dictionary {
    /// Attributes in the order of their names, as handlers look for them. Fails if one is nothing that a handler can be given.
    pub(super) fn new(said: &[(String, Typed)]) -> Result<Dictionary, String> {
        let mut sorted: Vec<&(String, Typed)> = said.iter().collect();
        sorted.sort_by(|a, b| a.0.as_bytes().cmp(b.0.as_bytes()));
        let entry = |(name, value): &(String, Typed)| {
            let item = Held::of(value).map_err(|why| format!("the attribute `{name}` {why}"))?;
            let text: Box<[u8]> = name.as_bytes().into();
            Ok(Entry { name: Box::new(span(&text)), _text: text, item })
        };
        let mut held: Box<[Entry]> = sorted.into_iter().map(entry).collect::<Result<_, String>>()?;
        let (types, items): (Vec<i32>, Vec<*mut c_void>) = held.iter_mut().map(|e| e.item.parts()).unzip();
        let names = held.iter_mut().map(|e| &raw mut *e.name).collect();
        Ok(Dictionary { types: types.into(), names, items: items.into(), _held: held })
    }

    /// What a handler gets. It lives as long as this.
    pub(super) fn view(&self) -> Attributes {
        Attributes {
            struct_size: size_of::<Attributes>(),
            extension: std::ptr::null_mut(),
            size: self.types.len() as i64,
            types: self.types.as_ptr().cast_mut(),
            names: self.names.as_ptr().cast_mut(),
            items: self.items.as_ptr().cast_mut(),
        }
    }
}
