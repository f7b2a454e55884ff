//! Writes `dense<...>` as MLIR does.

use crate::array::Literal;
use crate::minifloat;
use crate::types::{DType, DTypeClass};
use std::fmt::Write;

/// Non-splat constants of more elements than this are written as one string of hexadecimal bytes.
const MAX_LISTED: usize = 100;

/// Writes `dense<...>`, without the type.
pub(super) fn write(out: &mut String, literal: &Literal) {
    let ty = literal.ty();
    let size = ty.dtype.size();
    out.push_str("dense<");
    if let Some(element) = literal.as_splat() {
        write_element(out, ty.dtype, element);
    } else if literal.stored_bytes().len() / size > MAX_LISTED {
        write_blob(out, literal.stored_bytes());
    } else if !literal.stored_bytes().is_empty() {
        let mut elements = literal.stored_bytes().chunks_exact(size);
        write_list(out, ty.dtype, &ty.shape, &mut elements);
    }
    out.push('>');
}

fn write_blob(out: &mut String, bytes: &[u8]) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    out.push_str("\"0x");
    out.reserve(bytes.len() * 2 + 1);
    let mut buffer = [0u8; 4096];
    for chunk in bytes.chunks(buffer.len() / 2) {
        for (pair, &b) in buffer.chunks_exact_mut(2).zip(chunk) {
            pair[0] = HEX[(b >> 4) as usize];
            pair[1] = HEX[(b & 0xF) as usize];
        }
        out.push_str(std::str::from_utf8(&buffer[..chunk.len() * 2]).expect("hexadecimal digits"));
    }
    out.push('"');
}

fn write_list<'a>(
    out: &mut String,
    dtype: DType,
    shape: &[usize],
    elements: &mut impl Iterator<Item = &'a [u8]>,
) {
    let Some((&n, rest)) = shape.split_first() else {
        if let Some(element) = elements.next() {
            write_element(out, dtype, element);
        }
        return;
    };
    out.push('[');
    for k in 0..n {
        if k > 0 {
            out.push_str(", ");
        }
        write_list(out, dtype, rest, elements);
    }
    out.push(']');
}

/// Writes one element from its bytes.
fn write_element(out: &mut String, dtype: DType, bytes: &[u8]) {
    if dtype.is_complex() {
        let (re, im) = bytes.split_at(bytes.len() / 2);
        out.push('(');
        write_element(out, dtype.part(), re);
        out.push(',');
        write_element(out, dtype.part(), im);
        out.push(')');
        return;
    }
    let mut wide = [0u8; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    let bits = u64::from_le_bytes(wide);
    match dtype.class() {
        DTypeClass::Bool => out.push_str(if bits != 0 { "true" } else { "false" }),
        DTypeClass::Unsigned => {
            let _ = write!(out, "{bits}");
        }
        DTypeClass::Signed => {
            let shift = 64 - 8 * bytes.len();
            let _ = write!(out, "{}", (bits << shift) as i64 >> shift);
        }
        DTypeClass::Float => write_float(out, dtype, bits),
        DTypeClass::Complex => {}
    }
}

/// Writes a float as MLIR does: six digits if that is exact enough, else as many digits as the type
/// needs, else (and for what is not finite) its bits.
pub(crate) fn write_float(out: &mut String, dtype: DType, bits: u64) {
    let value = match dtype {
        DType::F64 => Some(f64::from_bits(bits)),
        DType::F32 => Some(f32::from_bits(bits as u32) as f64),
        DType::F16 => Some(half::f16::from_bits(bits as u16).to_f64()),
        DType::BF16 => Some(half::bf16::from_bits(bits as u16).to_f64()),
        _ => Some(minifloat::decode(dtype, bits as u8)),
    };
    let width = dtype.bits().div_ceil(4);
    let Some(value) = value.filter(|v| v.is_finite()) else {
        let _ = write!(out, "0x{bits:0width$X}");
        return;
    };
    let same = |text: &str| match dtype {
        DType::F64 => text.parse::<f64>().is_ok_and(|v| v.to_bits() == bits),
        DType::F32 => text.parse::<f32>().is_ok_and(|v| v.to_bits() as u64 == bits),
        DType::F16 => text.parse().is_ok_and(|v| minifloat::f16_from_f64(v).to_bits() as u64 == bits),
        DType::BF16 => text.parse().is_ok_and(|v| minifloat::bf16_from_f64(v).to_bits() as u64 == bits),
        _ => text.parse().is_ok_and(|v| minifloat::encode(dtype, v) as u64 == bits),
    };
    let (digits, exponent) = decimal(value, 6);
    let text = scientific(value, &digits, exponent);
    if same(&text) {
        out.push_str(&text);
        return;
    }
    let mantissa_bits = match dtype {
        DType::F64 => 53,
        DType::F32 => 24,
        DType::F16 => 11,
        DType::BF16 => 8,
        _ => 4,
    };
    match plain(value, 2 + mantissa_bits * 59 / 196).filter(|t| same(t)) {
        Some(text) => out.push_str(&text),
        None => {
            let _ = write!(out, "0x{bits:0width$X}");
        }
    }
}

/// The significant digits of a finite number, at most `precision` and without zeros at the end, and the
/// decimal exponent of the first. Follows LLVM's `APFloat::toString`, so that our text is that of MLIR:
/// first the exact digits are cut, not rounded, to about as many; the rest is rounded half up.
fn decimal(value: f64, precision: usize) -> (String, i32) {
    if value == 0.0 {
        return ("0".into(), 0);
    }
    // The value is odd * 2^power, and its exact digits are those of odd * 5^-power or odd * 2^power.
    let bits = value.abs().to_bits();
    let (biased, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    let (whole, power) = if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
    let odd = whole >> whole.trailing_zeros();
    let power = power + whole.trailing_zeros() as i32;
    let text = format!("{:.40e}", value.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mut exponent: i32 = exponent.parse().unwrap_or(0);
    let mut digits: Vec<u8> = mantissa.bytes().filter(u8::is_ascii_digit).map(|b| b - b'0').collect();
    let places = (-power).max(0); // after the decimal point
    let width = if power < 0 {
        ((odd as f64).log2() + places as f64 * 5f64.log2()).floor() as i32 + 1
    } else {
        64 - odd.leading_zeros() as i32 + power
    };
    let needed = (precision as i32 * 196 + 58) / 59;
    let cut = if width > needed { (width - needed) * 59 / 196 } else { 0 };
    let kept = exponent + places + 1 - cut;
    digits.truncate(usize::try_from(kept).unwrap_or(0).max(1));
    if digits.len() > precision {
        let up = digits[precision] >= 5;
        digits.truncate(precision);
        if up {
            while digits.last() == Some(&9) {
                digits.pop();
            }
            match digits.last_mut() {
                Some(d) => *d += 1,
                None => {
                    digits.push(1);
                    exponent += 1;
                }
            }
        }
    }
    while digits.len() > 1 && digits.last() == Some(&0) {
        digits.pop();
    }
    (digits.iter().map(|d| (b'0' + d) as char).collect(), exponent)
}

/// `1.500000e+03`: six places, and an exponent with a sign and at least two digits.
fn scientific(value: f64, digits: &str, exponent: i32) -> String {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let (head, tail) = digits.split_at(1);
    let sign_e = if exponent < 0 { '-' } else { '+' };
    format!("{sign}{head}.{tail:0<6}e{sign_e}{:02}", exponent.abs())
}

/// The value to so many significant digits in the form of LLVM's `APFloat::toString` with its defaults;
/// `None` if that form has no decimal point.
fn plain(value: f64, precision: usize) -> Option<String> {
    let (digits, exponent) = decimal(value, precision);
    let n = digits.len() as i32;
    let sign = if value.is_sign_negative() { "-" } else { "" };
    // The value is `digits * 10^low`.
    let low = exponent - (n - 1);
    let is_scientific = if low >= 0 { low > 3 || n + low > precision as i32 } else { exponent < -3 };
    if is_scientific {
        let (head, tail) = digits.split_at(1);
        let tail = if tail.is_empty() { "0" } else { tail };
        let sign_e = if exponent < 0 { '-' } else { '+' };
        Some(format!("{sign}{head}.{tail}E{sign_e}{}", exponent.abs()))
    } else if low >= 0 {
        None
    } else if exponent >= 0 {
        let (whole, fraction) = digits.split_at(exponent as usize + 1);
        Some(format!("{sign}{whole}.{fraction}"))
    } else {
        Some(format!("{sign}0.{}{digits}", "0".repeat((-exponent - 1) as usize)))
    }
}
