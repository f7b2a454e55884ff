//! NumPy's `.npy` format: one array in a file.
//!
//! A file is the magic `\x93NUMPY`, a version, the length of a header, the header (a Python dictionary
//! literal with `descr`, `fortran_order` and `shape`, padded with spaces and ended by a newline), then the
//! elements. Reading never panics and allocates no more than the file holds; files of all three versions,
//! both byte orders and both memory orders are read. Writing gives what NumPy writes: version 1, C order,
//! little-endian, data aligned to 64 bytes.
//!
//! `bf16` has no name in NumPy; it is stored as two opaque bytes (`V2`). Nor have the types of at most 8 bits that are not
//! NumPy's (`f8E4M3FN`, `i4`, `ui4` and their kin): an element is one opaque byte (`V1`) that holds its code in the low bits,
//! as `ml_dtypes`, and so JAX, writes them. Which of them it is the file does not say, so [`parse_as`] is told.

use crate::array::Array;
use crate::types::{DType, DTypeClass, Dims, TensorType};
use std::fmt;

/// Why bytes are not an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NpyError(pub String);

impl fmt::Display for NpyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a readable .npy file: {}", self.0)
    }
}
impl std::error::Error for NpyError {}

fn error<T>(message: impl Into<String>) -> Result<T, NpyError> {
    Err(NpyError(message.into()))
}

const MAGIC: &[u8] = b"\x93NUMPY";

/// More dimensions than NumPy itself accepts are refused.
const MAX_RANK: usize = 64;

/// The array in the bytes of a file.
///
/// Fails for elements of one opaque byte: which type they have is not in the file ([`parse_as`]).
pub fn parse(bytes: &[u8]) -> Result<Array, NpyError> {
    read(bytes, None)
}

/// The array in the bytes of a file whose elements are known to be of this type, or which says another one itself. For types
/// without a name in NumPy the file may hold opaque bytes, those of a float, or plain 8-bit integers: the codes of the elements.
pub fn parse_as(bytes: &[u8], dtype: DType) -> Result<Array, NpyError> {
    read(bytes, Some(dtype).filter(|&d| is_opaque(d)))
}

/// Whether an element is one byte that NumPy has no name for.
fn is_opaque(dtype: DType) -> bool {
    descr_of(dtype) == OPAQUE
}

const OPAQUE: &str = "|V1";

/// The array, of the opaque type if the file does not say another one.
fn read(bytes: &[u8], opaque: Option<DType>) -> Result<Array, NpyError> {
    let Some(rest) = bytes.strip_prefix(MAGIC) else { return error("it does not begin with \\x93NUMPY") };
    let (length, rest) = match *rest {
        [1, _, a, b, ref rest @ ..] => (u16::from_le_bytes([a, b]) as usize, rest),
        [2 | 3, _, a, b, c, d, ref rest @ ..] => (u32::from_le_bytes([a, b, c, d]) as usize, rest),
        [1..=3, ..] | [] => return error("it ends within the header"),
        [major, ..] => return error(format!("version {major} is not known")),
    };
    let Some((header, data)) = rest.split_at_checked(length) else {
        return error("it ends within the header");
    };
    let Ok(header) = std::str::from_utf8(header) else { return error("the header is not text") };
    let header = Header::parse(header)?;
    let (dtype, swap) = match opaque {
        Some(dtype) if is_byte(&header.descr) => (dtype, false),
        _ => dtype_of(&header.descr)?,
    };
    let ty = TensorType { dtype, shape: header.shape };
    let size = ty.checked_elements().and_then(|n| n.checked_mul(dtype.size()));
    let Some(size) = size else { return error(format!("the size of {ty} does not fit in memory")) };
    if data.len() < size {
        return error(format!("{ty} needs {size} bytes, but {} follow the header", data.len()));
    }
    if data.len() > size {
        return error(format!("{} bytes follow the {size} of {ty}", data.len() - size));
    }
    let mut data = data.to_vec();
    if swap {
        // A complex number is two floats, each swapped.
        let unit = if dtype.is_complex() { dtype.size() / 2 } else { dtype.size() };
        data.chunks_exact_mut(unit).for_each(|c| c.reverse());
    }
    if is_opaque(dtype) {
        data.iter_mut().for_each(|b| *b = stored(dtype, *b));
    }
    if dtype == DType::I1 {
        data.iter_mut().for_each(|b| *b = (*b != 0) as u8);
    }
    if header.fortran && ty.rank() > 1 && size > 0 {
        data = row_major(&ty, &data);
    }
    Ok(Array::from_bytes(ty, &data))
}

/// The bytes of a file with this array.
pub fn write(array: &Array) -> Result<Vec<u8>, NpyError> {
    let dtype = array.dtype();
    let descr = descr_of(dtype);
    let shape: Vec<String> = array.shape().iter().map(usize::to_string).collect();
    let comma = if shape.len() == 1 { "," } else { "" };
    let mut header =
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({}{comma}), }}", shape.join(", "));
    let before = MAGIC.len() + 4;
    while !(before + header.len() + 1).is_multiple_of(64) {
        header.push(' ');
    }
    header.push('\n');
    let Ok(length) = u16::try_from(header.len()) else { return error("too many dimensions") };
    let mut out = Vec::with_capacity(before + header.len() + array.bytes().len());
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&[1, 0]);
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(header.as_bytes());
    match is_opaque(dtype) {
        true => out.extend(array.bytes().iter().map(|b| b & low_bits(dtype))),
        false => out.extend_from_slice(array.bytes()),
    }
    Ok(out)
}

/// The bits of a byte that hold an element.
fn low_bits(dtype: DType) -> u8 {
    u8::MAX >> (8 - dtype.bits())
}

/// The byte that holds an element here whose code is in the low bits of `code`: signed integers fill it with their sign.
fn stored(dtype: DType, code: u8) -> u8 {
    let unused = 8 - dtype.bits();
    match dtype.class() {
        DTypeClass::Signed => ((code << unused) as i8 >> unused) as u8,
        _ => code & low_bits(dtype),
    }
}

/// Whether a file's elements are bytes that may be codes of anything.
fn is_byte(descr: &str) -> bool {
    matches!(descr.trim_start_matches(['<', '>', '|', '=']), "V1" | "f1" | "u1" | "i1")
}

/// NumPy's name of an element type, little-endian.
fn descr_of(dtype: DType) -> &'static str {
    match dtype {
        DType::F64 => "<f8",
        DType::F32 => "<f4",
        DType::F16 => "<f2",
        DType::BF16 => "<V2",
        DType::C64 => "<c8",
        DType::C128 => "<c16",
        DType::I8 => "|i1",
        DType::I16 => "<i2",
        DType::I32 => "<i4",
        DType::I64 => "<i8",
        DType::U8 => "|u1",
        DType::U16 => "<u2",
        DType::U32 => "<u4",
        DType::U64 => "<u8",
        DType::I1 => "|b1",
        DType::F8E4M3FN
        | DType::F8E5M2
        | DType::F8E4M3
        | DType::F8E4M3B11FNUZ
        | DType::F8E4M3FNUZ
        | DType::F8E5M2FNUZ
        | DType::F8E3M4
        | DType::F4E2M1FN
        | DType::F6E2M3FN
        | DType::F6E3M2FN
        | DType::F8E8M0FNU
        | DType::I2
        | DType::I4
        | DType::U2
        | DType::U4 => OPAQUE,
    }
}

/// The element type of a name, and whether its bytes are in the other order.
fn dtype_of(descr: &str) -> Result<(DType, bool), NpyError> {
    let (order, name) = match descr.split_at_checked(1) {
        Some((order @ ("<" | ">" | "|" | "="), name)) => (order, name),
        _ => ("=", descr),
    };
    if is_byte(descr) && matches!(name, "V1" | "f1") {
        return error(format!(
            "its elements are opaque bytes ('{descr}'), and which type they have is known where the file is read alone"
        ));
    }
    let found = DType::ALL.iter().find(|&&d| &descr_of(d)[1..] == name);
    match found {
        Some(&dtype) => Ok((dtype, order == ">" && dtype.size() > 1 && dtype != DType::BF16)),
        None => error(format!("element type '{descr}' is not supported")),
    }
}

/// Elements in column-major order, in row-major order.
fn row_major(ty: &TensorType, data: &[u8]) -> Vec<u8> {
    let size = ty.dtype.size();
    let mut strides = Dims::new();
    let mut stride = size;
    for &d in &ty.shape {
        strides.push(stride);
        stride *= d;
    }
    let mut out = Vec::with_capacity(data.len());
    let mut index = Dims::from_elem(0, ty.rank());
    while out.len() < data.len() {
        let at: usize = index.iter().zip(&strides).map(|(i, s)| i * s).sum();
        out.extend_from_slice(&data[at..at + size]);
        for d in (0..ty.rank()).rev() {
            index[d] += 1;
            if index[d] < ty.shape[d] {
                break;
            }
            index[d] = 0;
        }
    }
    out
}

struct Header {
    descr: String,
    fortran: bool,
    shape: Dims,
}

impl Header {
    fn parse(text: &str) -> Result<Header, NpyError> {
        let mut p = Parser { rest: text };
        let (mut descr, mut fortran, mut shape) = (None, None, None);
        p.expect("{")?;
        while !p.eat("}") {
            let key = p.string()?;
            p.expect(":")?;
            match key {
                "descr" => descr = Some(p.string()?.to_owned()),
                "fortran_order" if p.eat("True") => fortran = Some(true),
                "fortran_order" if p.eat("False") => fortran = Some(false),
                "fortran_order" => return error("fortran_order is neither True nor False"),
                "shape" => shape = Some(p.shape()?),
                other => return error(format!("the header has an unknown entry '{other}'")),
            }
            if !p.eat(",") {
                p.expect("}")?;
                break;
            }
        }
        p.skip();
        if !p.rest.is_empty() {
            return error("something follows the header's dictionary");
        }
        match (descr, fortran, shape) {
            (Some(descr), Some(fortran), Some(shape)) => Ok(Header { descr, fortran, shape }),
            _ => error("the header lacks descr, fortran_order or shape"),
        }
    }
}

/// Reads the few Python literals that headers hold.
struct Parser<'a> {
    rest: &'a str,
}

impl<'a> Parser<'a> {
    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn eat(&mut self, word: &str) -> bool {
        self.skip();
        match self.rest.strip_prefix(word) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, word: &str) -> Result<(), NpyError> {
        if self.eat(word) { Ok(()) } else { error(format!("the header lacks a `{word}`")) }
    }

    fn string(&mut self) -> Result<&'a str, NpyError> {
        self.skip();
        let quote = if self.eat("'") {
            '\''
        } else if self.eat("\"") {
            '"'
        } else {
            return error("the header has no string where one is due (structured types are not supported)");
        };
        let Some((text, rest)) = self.rest.split_once(quote) else {
            return error("a string in the header does not end");
        };
        self.rest = rest;
        Ok(text)
    }

    fn shape(&mut self) -> Result<Dims, NpyError> {
        self.expect("(")?;
        let mut shape = Dims::new();
        while !self.eat(")") {
            self.skip();
            let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
            let (digits, rest) = self.rest.split_at(end);
            let size = digits.parse::<usize>().ok().filter(|&d| d <= isize::MAX as usize);
            let Some(size) = size else { return error("a size in the shape is not a number that fits") };
            self.rest = rest;
            shape.push(size);
            if shape.len() > MAX_RANK {
                return error(format!("more than {MAX_RANK} dimensions"));
            }
            if !self.eat(",") {
                self.expect(")")?;
                break;
            }
        }
        Ok(shape)
    }
}
