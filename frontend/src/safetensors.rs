//! Trees of tensors in files of the format safetensors, in which trained weights are published and handed on. Behind the feature
//! `safetensors`, by the library of those who made the format.
//!
//! ```
//! use wengert::{Tensor, Tree, safetensors};
//! #[derive(Clone, Tree)]
//! struct Layer { w: Tensor, b: Tensor }
//! #[derive(Clone, Tree)]
//! struct Model { layers: Vec<Layer> }
//! # fn main() -> Result<(), wengert::Error> {
//! let model = Model { layers: vec![Layer { w: Tensor::from([[1.0f32, 2.0]]), b: Tensor::from([0.5f32]) }] };
//! let bytes = safetensors::to_bytes(&model)?;
//! // The leaves have the names `layers.0.w` and `layers.0.b`.
//! assert_eq!(safetensors::tensors(&bytes)?["layers.0.b"].item::<f32>(), 0.5);
//! let read: Model = safetensors::from_bytes(&bytes, &model)?;
//! assert_eq!(read.layers[0].w.to_vec::<f32>(), [1.0, 2.0]);
//! # Ok(())
//! # }
//! ```

use crate::error::Error;
use crate::tree::{Tree, paths, with_leaves};
use crate::{DType, Tensor, TensorType};
use ::safetensors::tensor::{TensorView, serialize};
use ::safetensors::{Dtype, SafeTensors};
use std::collections::{BTreeMap, BTreeSet};
use wengert_ir::array::Array;

/// What the format calls our element types. Those that are missing it has not.
const TYPES: &[(DType, Dtype)] = &[
    (DType::I1, Dtype::BOOL),
    (DType::I8, Dtype::I8),
    (DType::I16, Dtype::I16),
    (DType::I32, Dtype::I32),
    (DType::I64, Dtype::I64),
    (DType::U8, Dtype::U8),
    (DType::U16, Dtype::U16),
    (DType::U32, Dtype::U32),
    (DType::U64, Dtype::U64),
    (DType::F8E4M3FN, Dtype::F8_E4M3),
    (DType::F8E5M2, Dtype::F8_E5M2),
    (DType::F8E8M0FNU, Dtype::F8_E8M0),
    (DType::F8E4M3FNUZ, Dtype::F8_E4M3FNUZ),
    (DType::F8E5M2FNUZ, Dtype::F8_E5M2FNUZ),
    (DType::F16, Dtype::F16),
    (DType::BF16, Dtype::BF16),
    (DType::F32, Dtype::F32),
    (DType::F64, Dtype::F64),
    (DType::C64, Dtype::C64),
];

/// The bytes of a file with the leaves of a tree. Each is called by its path: `.layers[0].w` is `layers.0.w`, a tensor alone `tensor`.
///
/// Fails if a leaf has no value because it is traced, or an element type that the format has not, or if two leaves have one name.
#[track_caller]
pub fn to_bytes<T: Tree>(tree: &T) -> Result<Vec<u8>, Error> {
    let mut arrays = Vec::new();
    tree.visit(&mut |t| arrays.push(t.to_array()));
    let names: Vec<String> = paths(tree).iter().map(|path| name(path)).collect();
    let mut seen = BTreeSet::new();
    let mut views = Vec::new();
    for (name, array) in names.iter().zip(&arrays) {
        if !seen.insert(name) {
            return Err(wrong(format!("two leaves are called `{name}`")));
        }
        let known = TYPES.iter().find(|(ours, _)| *ours == array.dtype());
        let Some((_, theirs)) = known else {
            return Err(wrong(format!("`{name}` is of {}, which the format has not", array.dtype())));
        };
        let view = TensorView::new(*theirs, array.shape().to_vec(), array.bytes());
        views.push((name, view.map_err(|e| wrong(format!("`{name}`: {e}")))?));
    }
    serialize(views, None).map_err(|e| wrong(e.to_string()))
}

/// All tensors of a file by their names.
///
/// Fails if the bytes are no such file, or if one has an element type that is not known here.
pub fn tensors(bytes: &[u8]) -> Result<BTreeMap<String, Tensor>, Error> {
    let file = SafeTensors::deserialize(bytes).map_err(|e| wrong(e.to_string()))?;
    file.iter().map(|(name, view)| Ok((name.to_owned(), tensor(name, &view)?))).collect()
}

/// A tree of the structure of `like`, with leaves from a file: for each what is there under the name that [`to_bytes`] gives it, of
/// the same type. What the file has besides is left alone.
///
/// Fails if the bytes are no such file, or if a leaf is not there or of another type.
pub fn from_bytes<T: Tree>(bytes: &[u8], like: &T) -> Result<T, Error> {
    let file = SafeTensors::deserialize(bytes).map_err(|e| wrong(e.to_string()))?;
    let mut wanted = Vec::new();
    like.visit(&mut |t| wanted.push(t.ty()));
    let mut leaves = Vec::new();
    for (path, ty) in paths(like).iter().zip(wanted) {
        let name = name(path);
        let Ok(view) = file.tensor(&name) else {
            return Err(wrong(format!("there is no `{name}`; there is {}", listed(&file))));
        };
        let found = tensor(&name, &view)?;
        if found.ty() != ty {
            return Err(wrong(format!("`{name}` is {}, not {ty}", found.ty())));
        }
        leaves.push(found);
    }
    Ok(with_leaves(like, leaves))
}

/// One tensor of a file.
fn tensor(name: &str, view: &TensorView<'_>) -> Result<Tensor, Error> {
    let Some((dtype, _)) = TYPES.iter().find(|(_, theirs)| *theirs == view.dtype()) else {
        return Err(wrong(format!("`{name}` is of {:?}, which is not known here", view.dtype())));
    };
    let ty = TensorType::new(*dtype, view.shape());
    if ty.checked_bytes() != Some(view.data().len()) {
        return Err(wrong(format!("`{name}` has {} bytes, not those of {ty}", view.data().len())));
    }
    if *dtype == DType::I1 && view.data().iter().any(|&byte| byte > 1) {
        return Err(wrong(format!("`{name}` has truth values that are neither 0 nor 1")));
    }
    Ok(Tensor::from_array(Array::from_bytes(ty, view.data())))
}

/// The name of a leaf: its path with a dot between what is written behind dots and in brackets.
fn name(path: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut rest = path;
    while let Some(first) = rest.chars().next() {
        let (part, after) = match rest.strip_prefix('[') {
            // A key of a map is written as Rust writes a text.
            Some(inside) if inside.starts_with('"') => quoted(&inside[1..]),
            Some(inside) => {
                inside.split_once(']').map_or((inside.to_owned(), ""), |(k, r)| (k.to_owned(), r))
            }
            None => {
                let word = rest.strip_prefix('.').unwrap_or(rest);
                let end = word.find(['.', '[']).unwrap_or(word.len()).max(usize::from(first != '.'));
                (word[..end].to_owned(), &word[end..])
            }
        };
        parts.push(part);
        rest = after;
    }
    if parts.is_empty() { "tensor".to_owned() } else { parts.join(".") }
}

/// A text up to its closing quote, without the backslashes before quotes and backslashes, and what is behind the bracket.
fn quoted(inside: &str) -> (String, &str) {
    let mut text = String::new();
    let mut chars = inside.char_indices();
    while let Some((at, c)) = chars.next() {
        if c == '"' {
            return (text, inside[at + 1..].strip_prefix(']').unwrap_or(&inside[at + 1..]));
        }
        text.push(if c == '\\' { chars.next().map_or(c, |(_, c)| c) } else { c });
    }
    (text, "")
}

/// Some names of a file, in order.
fn listed(file: &SafeTensors<'_>) -> String {
    const SHOWN: usize = 8;
    let names: BTreeSet<&str> = file.names().into_iter().collect();
    let mut some: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    if names.is_empty() {
        some.push("nothing".to_owned());
    } else if names.len() > SHOWN {
        some.push(format!("{} more", names.len() - SHOWN));
    }
    some.join(", ")
}

fn wrong(message: String) -> Error {
    Error::new(format!("safetensors: {message}"), None)
}
