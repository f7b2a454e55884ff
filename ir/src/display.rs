//! How the values of an array are shown: as NumPy prints them.
//!
//! Text takes many times the memory of its element, so it is made of one at a time, and of none that is not shown.

use crate::array::{Array, integer};
use crate::minifloat;
use crate::types::DType;
use std::fmt::Write as _;

/// More elements than this, or rows of no elements, are summarized.
const SUMMARIZE: usize = 1000;
/// Rows shown at each end of a summarized dimension.
const EDGE: usize = 3;

/// The values of an array, without its type; a long one is summarized.
pub fn shown(array: &Array) -> String {
    let shape = array.shape();
    // An array without elements may have any number of rows.
    let sizes = shape.iter().take_while(|&&n| n > 0);
    let count = sizes.fold(1, |count: usize, &n| count.saturating_mul(n));
    let mut view = View { array, short: count > SUMMARIZE, width: 0 };
    if !shape.is_empty() {
        view.width = view.widest(shape, 0);
    }
    let mut out = String::new();
    view.rows(shape, 0, 0, &mut out);
    out
}

/// What is shown of an array.
struct View<'a> {
    array: &'a Array,
    /// Whether it is summarized.
    short: bool,
    /// To which every element is aligned.
    width: usize,
}

impl View<'_> {
    /// The indices that are shown of a dimension; `None` stands for all that are left out.
    fn indices(&self, n: usize) -> impl Iterator<Item = Option<usize>> {
        let cut = self.short && n > 2 * EDGE;
        let (head, tail) = if cut { (EDGE, n - EDGE) } else { (n, n) };
        (0..head).map(Some).chain(cut.then_some(None)).chain((tail..n).map(Some))
    }

    /// The length of the longest text among what is shown; `at` is the first element's position.
    fn widest(&self, shape: &[usize], at: usize) -> usize {
        let Some((&n, inner)) = shape.split_first() else { return text(self.array, at).len() };
        let step: usize = inner.iter().product();
        self.indices(n).flatten().map(|i| self.widest(inner, at + i * step)).max().unwrap_or(0)
    }

    /// Nested brackets; `at` is the first element's position, `depth` the indentation.
    fn rows(&self, shape: &[usize], at: usize, depth: usize, out: &mut String) {
        let Some((&n, inner)) = shape.split_first() else {
            let _ = write!(out, "{:>width$}", text(self.array, at), width = self.width);
            return;
        };
        let step: usize = inner.iter().product();
        out.push('[');
        for (k, index) in self.indices(n).enumerate() {
            if k > 0 {
                out.push(',');
                let blank_lines = inner.len().saturating_sub(1);
                if inner.is_empty() {
                    out.push(' ');
                } else {
                    let _ = write!(out, "{}\n{}", "\n".repeat(blank_lines), " ".repeat(depth + 1));
                }
            }
            match index {
                Some(i) => self.rows(inner, at + i * step, depth + 1, out),
                None => out.push_str("..."),
            }
        }
        out.push(']');
    }
}

/// The element at a position.
fn text(array: &Array, at: usize) -> String {
    let size = array.dtype().size();
    let bytes = &array.bytes()[at * size..(at + 1) * size];
    match array.dtype() {
        DType::F64 => float(array.as_slice::<f64>()[at]),
        DType::F32 => float32(array.as_slice::<f32>()[at]),
        DType::F16 => float32(array.as_slice::<half::f16>()[at].to_f32()),
        DType::BF16 => float32(array.as_slice::<half::bf16>()[at].to_f32()),
        DType::C64 => {
            let parts: &[f32] = bytemuck::cast_slice(bytes);
            complex(&float32(parts[0]), &float32(parts[1]))
        }
        DType::C128 => {
            let parts: &[f64] = bytemuck::cast_slice(bytes);
            complex(&float(parts[0]), &float(parts[1]))
        }
        DType::I1 => (bytes[0] != 0).to_string(),
        DType::U64 => array.as_slice::<u64>()[at].to_string(),
        // What has no Rust type is shown as the number it is.
        dtype if dtype.is_float() => float32(minifloat::decode(dtype, bytes[0]) as f32),
        dtype => integer(dtype, bytes).expect("the others are integers").to_string(),
    }
}

/// Shortest text that reads back the same, in scientific form when very large or small.
fn float(x: f64) -> String {
    if is_scientific(x.abs()) { format!("{x:e}") } else { format!("{x:?}") }
}
fn float32(x: f32) -> String {
    if is_scientific(x.abs() as f64) { format!("{x:e}") } else { format!("{x:?}") }
}
fn is_scientific(magnitude: f64) -> bool {
    magnitude != 0.0 && magnitude.is_finite() && !(1e-4..1e16).contains(&magnitude)
}

/// `1.0-2.0i`, from real and imaginary part.
fn complex(re: &str, im: &str) -> String {
    let plus = if im.starts_with('-') { "" } else { "+" };
    format!("{re}{plus}{im}i")
}
