//! Reading the inside of `dense<...>`.

use crate::array::{Array, Bytes, Literal};
use crate::minifloat;
use crate::types::{DType, DTypeClass, TensorType};
use std::sync::Arc;

/// What is wrong with a literal, and where in the text it stands.
pub(super) struct LiteralError {
    pub(super) at: usize,
    pub(super) message: String,
}

fn fail<T>(at: usize, message: impl Into<String>) -> Result<T, LiteralError> {
    Err(LiteralError { at, message: message.into() })
}

/// Reads the literal of type `ty` that is written in `src[start..end]`. The work and the memory are
/// bounded by the length of the text, not by the size of the type.
pub(super) fn parse(src: &str, start: usize, end: usize, ty: &TensorType) -> Result<Literal, LiteralError> {
    let mut reader =
        Reader { text: &src.as_bytes()[..end], src, at: start, ty, bytes: Bytes::with_capacity(0) };
    reader.blank();
    let elements = ty.checked_elements().ok_or(());
    let Ok(elements) = elements else { return fail(start, format!("a constant cannot have type {ty}")) };
    let at = reader.at;
    match reader.peek() {
        None if elements == 0 => Ok(empty(ty)),
        None => fail(at, format!("no elements, but {ty} has {elements}")),
        Some(b'"') => {
            let bytes = reader.blob()?;
            reader.end()?;
            from_bytes(ty, bytes).or_else(|message| fail(at, message))
        }
        Some(b'[') => {
            reader.list()?;
            reader.end()?;
            let bytes = std::mem::replace(&mut reader.bytes, Bytes::with_capacity(0));
            if Some(bytes.len()) != elements.checked_mul(ty.dtype.size()) {
                return fail(at, format!("the list does not have the shape of {ty}"));
            }
            Ok(Literal::from_array(&Array::from_aligned(ty.clone(), Arc::new(bytes))))
        }
        Some(_) => {
            reader.element()?;
            reader.end()?;
            let bytes = std::mem::replace(&mut reader.bytes, Bytes::with_capacity(0));
            Ok(Literal::splat_bytes(ty.clone(), &bytes))
        }
    }
}

/// The literal of type `ty` whose elements have these bytes, or one element's if all are equal. Bits that an element does not
/// have are ignored.
pub(super) fn from_bytes(ty: &TensorType, mut bytes: Bytes) -> Result<Literal, String> {
    let Some(elements) = ty.checked_elements() else {
        return Err(format!("a constant cannot have type {ty}"));
    };
    let (size, bits) = (ty.dtype.size(), ty.dtype.bits());
    if bytes.len() != size && Some(bytes.len()) != elements.checked_mul(size) {
        return Err(format!("{} bytes, but {ty} has {elements} elements of {size} bytes", bytes.len()));
    }
    if bits < 8 {
        let unused = 8 - bits as u32;
        let fit = |b: u8| match ty.dtype.class() {
            DTypeClass::Bool => u8::from(b != 0),
            DTypeClass::Signed => ((b << unused) as i8 >> unused) as u8,
            DTypeClass::Unsigned | DTypeClass::Float | DTypeClass::Complex => (b << unused) >> unused,
        };
        bytes.iter_mut().for_each(|b| *b = fit(*b));
    }
    if bytes.len() == size && elements != 1 {
        return Ok(Literal::splat_bytes(ty.clone(), &bytes));
    }
    Ok(Literal::from_array(&Array::from_aligned(ty.clone(), Arc::new(bytes))))
}

fn empty(ty: &TensorType) -> Literal {
    Literal::splat_bytes(ty.clone(), &vec![0; ty.dtype.size()])
}

struct Reader<'a> {
    text: &'a [u8],
    src: &'a str,
    at: usize,
    ty: &'a TensorType,
    bytes: Bytes,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn blank(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn end(&mut self) -> Result<(), LiteralError> {
        self.blank();
        if self.at < self.text.len() { fail(self.at, "expected `>` after the elements") } else { Ok(()) }
    }

    /// `[..]`, nested as deep as the shape; without recursion.
    fn list(&mut self) -> Result<(), LiteralError> {
        let shape = &self.ty.shape;
        // How many entries each open list has so far.
        let mut counts: Vec<usize> = Vec::new();
        loop {
            self.blank();
            let at = self.at;
            match self.peek() {
                Some(b'[') => {
                    if counts.len() == shape.len() {
                        return fail(at, format!("lists nested deeper than the rank of {}", self.ty));
                    }
                    counts.push(0);
                    self.at += 1;
                    self.blank();
                    if self.peek() != Some(b']') {
                        continue;
                    }
                }
                _ => {
                    if counts.len() != shape.len() {
                        return fail(at, format!("expected a list: {} has rank {}", self.ty, shape.len()));
                    }
                    self.element()?;
                    if let Some(n) = counts.last_mut() {
                        *n += 1;
                    }
                }
            }
            // After an entry (or an empty list): commas and closing brackets.
            loop {
                self.blank();
                match self.peek() {
                    Some(b',') => {
                        self.at += 1;
                        break;
                    }
                    Some(b']') => {
                        let Some(n) = counts.pop() else { return fail(self.at, "unexpected `]`") };
                        let expected = shape[counts.len()];
                        if n != expected {
                            return fail(
                                self.at,
                                format!("a list of {n} entries where {} needs {expected}", self.ty),
                            );
                        }
                        self.at += 1;
                        match counts.last_mut() {
                            Some(n) => *n += 1,
                            None => return Ok(()),
                        }
                    }
                    _ => return fail(self.at, "expected `,` or `]`"),
                }
            }
        }
    }

    /// One element, appended to the bytes.
    fn element(&mut self) -> Result<(), LiteralError> {
        let dtype = self.ty.dtype;
        if !dtype.is_complex() {
            return self.number(dtype);
        }
        if self.peek() != Some(b'(') {
            return fail(self.at, format!("expected `(real, imaginary)`: the element type is {dtype}"));
        }
        self.at += 1;
        self.blank();
        self.number(dtype.part())?;
        self.blank();
        if self.peek() != Some(b',') {
            return fail(self.at, "expected `,` and the imaginary part");
        }
        self.at += 1;
        self.blank();
        self.number(dtype.part())?;
        self.blank();
        if self.peek() != Some(b')') {
            return fail(self.at, "expected `)`");
        }
        self.at += 1;
        Ok(())
    }

    fn number(&mut self, dtype: DType) -> Result<(), LiteralError> {
        let start = self.at;
        while matches!(self.peek(), Some(b'-' | b'+' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z')) {
            self.at += 1;
        }
        let word = &self.src[start..self.at];
        let bad =
            || LiteralError { at: start, message: format!("`{}` is not a value of {dtype}", clip(word)) };
        if word.is_empty() {
            return fail(start, format!("expected a value of {dtype}"));
        }
        if let Some(hex) = word.strip_prefix("0x") {
            // Bits, most significant first. (Of an integer type, its value.)
            let digits = hex.trim_start_matches('0');
            let bits =
                if digits.is_empty() { 0 } else { u64::from_str_radix(digits, 16).map_err(|_| bad())? };
            if hex.is_empty() || dtype.bits() < 64 && bits >> dtype.bits() != 0 {
                return Err(bad());
            }
            let size = dtype.size();
            let bits = match dtype {
                DType::I4 if bits >= 8 => bits | 0xF0,
                DType::I2 if bits >= 2 => bits | 0xFC,
                _ => bits,
            };
            self.bytes.extend_from_slice(&bits.to_le_bytes()[..size]);
            return Ok(());
        }
        match dtype.class() {
            DTypeClass::Float => {
                let plain = word.bytes().all(|b| matches!(b, b'-' | b'+' | b'.' | b'0'..=b'9' | b'e' | b'E'));
                if !plain {
                    return Err(bad());
                }
                match dtype {
                    DType::F64 => {
                        let v: f64 = word.parse().map_err(|_| bad())?;
                        self.bytes.extend_from_slice(&v.to_le_bytes());
                    }
                    DType::F32 => {
                        let v: f32 = word.parse().map_err(|_| bad())?;
                        self.bytes.extend_from_slice(&v.to_le_bytes());
                    }
                    _ => {
                        let v: f64 = word.parse().map_err(|_| bad())?;
                        match dtype {
                            DType::F16 => {
                                self.bytes.extend_from_slice(&minifloat::f16_from_f64(v).to_le_bytes());
                            }
                            DType::BF16 => {
                                self.bytes.extend_from_slice(&minifloat::bf16_from_f64(v).to_le_bytes());
                            }
                            _ => self.bytes.push(minifloat::encode(dtype, v)),
                        }
                    }
                }
            }
            DTypeClass::Bool => self.bytes.push(match word {
                "true" | "1" | "-1" => 1,
                "false" | "0" => 0,
                _ => return Err(bad()),
            }),
            DTypeClass::Signed | DTypeClass::Unsigned => {
                let v: i128 = match word {
                    "true" => 1,
                    "false" => 0,
                    _ => word.parse().map_err(|_| bad())?,
                };
                // A signed type takes the pattern of an unsigned number too, as MLIR's `i8` takes 255.
                let signed = dtype.class() == DTypeClass::Signed;
                let min = if signed { -(1i128 << (dtype.bits() - 1)) } else { 0 };
                if v < min || v >= 1i128 << dtype.bits() {
                    return Err(bad());
                }
                let wraps = signed && v >= 1 << (dtype.bits() - 1);
                let v = if wraps { v - (1 << dtype.bits()) } else { v };
                self.bytes.extend_from_slice(&v.to_le_bytes()[..dtype.size()]);
            }
            DTypeClass::Complex => return Err(bad()),
        }
        Ok(())
    }

    /// `"0x..."`: the bytes in memory order.
    fn blob(&mut self) -> Result<Bytes, LiteralError> {
        let open = self.at;
        let Some(len) = self.text[open + 1..].iter().position(|&b| b == b'"') else {
            return fail(open, "a string that does not end");
        };
        let inside = &self.text[open + 1..open + 1 + len];
        self.at = open + len + 2;
        let Some(hex) = inside.strip_prefix(b"0x") else {
            return fail(open, "expected `\"0x` and hexadecimal digits");
        };
        if !hex.len().is_multiple_of(2) {
            return fail(open, "an odd number of hexadecimal digits");
        }
        let mut bytes = Bytes::zeroed(hex.len() / 2);
        let mut wrong = 0u8;
        for (byte, pair) in bytes.iter_mut().zip(hex.chunks_exact(2)) {
            let (hi, lo) = (DIGITS[pair[0] as usize], DIGITS[pair[1] as usize]);
            wrong |= hi | lo;
            *byte = hi << 4 | lo & 0xF;
        }
        if wrong & 0x80 != 0 {
            let k = hex.iter().position(|&b| DIGITS[b as usize] & 0x80 != 0).unwrap_or(0);
            return fail(open + 3 + k, "not a hexadecimal digit");
        }
        match self.ty.dtype {
            DType::I1 => bytes.iter_mut().for_each(|b| *b = (*b != 0) as u8),
            DType::I4 => bytes.iter_mut().for_each(|b| *b = ((*b << 4) as i8 >> 4) as u8),
            DType::I2 => bytes.iter_mut().for_each(|b| *b = ((*b << 6) as i8 >> 6) as u8),
            DType::U4 | DType::F4E2M1FN => bytes.iter_mut().for_each(|b| *b &= 0xF),
            DType::U2 => bytes.iter_mut().for_each(|b| *b &= 3),
            DType::F6E2M3FN | DType::F6E3M2FN => bytes.iter_mut().for_each(|b| *b &= 0x3F),
            _ => {}
        }
        Ok(bytes)
    }
}

fn clip(word: &str) -> &str {
    word.char_indices().nth(40).map_or(word, |(end, _)| &word[..end])
}

/// Value of a hexadecimal digit, 0x80 for other bytes.
static DIGITS: [u8; 256] = {
    let mut table = [0x80; 256];
    let mut k = 0;
    while k < 10 {
        table[b'0' as usize + k] = k as u8;
        k += 1;
    }
    let mut k = 0;
    while k < 6 {
        table[b'a' as usize + k] = 10 + k as u8;
        table[b'A' as usize + k] = 10 + k as u8;
        k += 1;
    }
    table
};
