//! How the values of an array are shown: as NumPy prints them.

use crate::array::Array;
use crate::ops::convert;
use crate::types::DType;
use std::fmt::Write as _;

/// More elements than this are summarized.
const SUMMARIZE: usize = 1000;
/// Rows shown at each end of a summarized dimension.
const EDGE: usize = 3;

/// The values of an array, without its type; a long one is summarized.
pub fn shown(array: &Array) -> String {
    let elements = texts(array);
    let mut out = String::new();
    rows(&elements, array.shape(), 0, 0, elements.len() > SUMMARIZE, &mut out);
    out
}

/// Every element as text, aligned to one width.
fn texts(array: &Array) -> Vec<String> {
    let mut out: Vec<String> = match array.dtype() {
        DType::F64 => floats(array.as_slice::<f64>()),
        DType::F32 => floats32(array.as_slice::<f32>()),
        DType::F16 => floats32(&array.as_slice::<half::f16>().iter().map(|x| x.to_f32()).collect::<Vec<_>>()),
        DType::BF16 => {
            floats32(&array.as_slice::<half::bf16>().iter().map(|x| x.to_f32()).collect::<Vec<_>>())
        }
        DType::I64 => array.as_slice::<i64>().iter().map(i64::to_string).collect(),
        DType::I32 => array.as_slice::<i32>().iter().map(i32::to_string).collect(),
        DType::I16 => array.as_slice::<i16>().iter().map(i16::to_string).collect(),
        DType::I8 => array.as_slice::<i8>().iter().map(i8::to_string).collect(),
        DType::U64 => array.as_slice::<u64>().iter().map(u64::to_string).collect(),
        DType::U32 => array.as_slice::<u32>().iter().map(u32::to_string).collect(),
        DType::U16 => array.as_slice::<u16>().iter().map(u16::to_string).collect(),
        DType::C64 => complexes(
            &bytemuck::cast_slice::<u8, f32>(array.bytes()).iter().map(|&x| x as f64).collect::<Vec<_>>(),
            |x| floats32(&[x as f32]),
        ),
        DType::C128 => complexes(bytemuck::cast_slice(array.bytes()), |x| floats(&[x])),
        DType::U8 => array.bytes().iter().map(u8::to_string).collect(),
        DType::I1 => array.bytes().iter().map(|&b| (b != 0).to_string()).collect(),
        // What has no Rust type is shown as the number it is.
        dtype if dtype.is_float() => {
            let wide = convert(array, DType::F32).expect("floats widen");
            floats32(wide.as_slice::<f32>())
        }
        _ => {
            let wide = convert(array, DType::I64).expect("integers widen");
            wide.as_slice::<i64>().iter().map(i64::to_string).collect()
        }
    };
    if array.ty().rank() > 0 {
        let width = out.iter().map(String::len).max().unwrap_or(0);
        for text in &mut out {
            *text = format!("{text:>width$}");
        }
    }
    out
}

/// Shortest text that reads back the same, in scientific form when very large or small.
fn float_text(shortest: String, scientific: String, magnitude: f64) -> String {
    if magnitude != 0.0 && magnitude.is_finite() && !(1e-4..1e16).contains(&magnitude) {
        scientific
    } else {
        shortest
    }
}
fn floats(values: &[f64]) -> Vec<String> {
    values.iter().map(|x| float_text(format!("{x:?}"), format!("{x:e}"), x.abs())).collect()
}
fn floats32(values: &[f32]) -> Vec<String> {
    values.iter().map(|x| float_text(format!("{x:?}"), format!("{x:e}"), x.abs() as f64)).collect()
}

/// `1.0-2.0i`, from alternating real and imaginary parts.
fn complexes(parts: &[f64], text: impl Fn(f64) -> Vec<String>) -> Vec<String> {
    let one = |pair: &[f64]| {
        let (re, im) = (text(pair[0]).remove(0), text(pair[1]).remove(0));
        let plus = if im.starts_with('-') { "" } else { "+" };
        format!("{re}{plus}{im}i")
    };
    parts.chunks_exact(2).map(one).collect()
}

/// Nested brackets; `at` is the first element's position, `depth` the indentation.
fn rows(elements: &[String], shape: &[usize], at: usize, depth: usize, short: bool, out: &mut String) {
    let Some((&n, inner)) = shape.split_first() else {
        out.push_str(&elements[at]);
        return;
    };
    let step: usize = inner.iter().product();
    out.push('[');
    for i in 0..n {
        if i > 0 {
            out.push(',');
            let blank_lines = inner.len().saturating_sub(1);
            if inner.is_empty() {
                out.push(' ');
            } else {
                let _ = write!(out, "{}\n{}", "\n".repeat(blank_lines), " ".repeat(depth + 1));
            }
        }
        if short && n > 2 * EDGE && i == EDGE {
            out.push_str("...");
        }
        if short && n > 2 * EDGE && (EDGE..n - EDGE).contains(&i) {
            // Nothing between the edges; undo the separator of all but the first.
            if i > EDGE {
                let keep = out.trim_end_matches([' ', '\n', ',']).len();
                out.truncate(keep);
            }
            continue;
        }
        rows(elements, inner, at + i * step, depth + 1, short, out);
    }
    out.push(']');
}
