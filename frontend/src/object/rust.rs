//! The module of an object for Rust. Its text is in `rust/`, because `unsafe` is in no source outside of the backends.

use super::{Calls, Object, element};
use std::borrow::Cow;
use wengert_ir::types::TensorType;

pub(super) fn module(object: &Object, origin: &str) -> String {
    let Object { symbol, calls, scratch, stack, .. } = object;
    let origin = origin.replace(|c: char| c.is_control(), " ");
    let version = env!("CARGO_PKG_VERSION");
    let (mut parameters, mut pointers, mut given) = (Vec::new(), Vec::new(), Vec::new());
    let names = identifiers(object.tensors().map(|(name, _)| name));
    for (k, (name, (_, ty))) in names.iter().zip(object.tensors()).enumerate() {
        let (array, item) = (array(ty), element(ty.dtype)[1]);
        match k < object.params.len() {
            true => {
                parameters.push(format!("{name}: &{array}"));
                pointers.push(format!("{name}: *const {item}"));
                given.push(format!("{name}.as_ptr()"));
            }
            false => {
                parameters.push(format!("{name}: &mut {array}"));
                pointers.push(format!("{name}: *mut {item}"));
                given.push(format!("{name}.as_mut_ptr()"));
            }
        }
    }
    pointers.push("scratch: *mut u8".to_owned());
    let mut memory = String::new();
    if *scratch > 0 {
        parameters.push("scratch: &mut Scratch".to_owned());
        given.push("scratch.bytes.as_mut_ptr().cast()".to_owned());
        let most = scratch.next_multiple_of(64) + 63;
        memory = format!(include_str!("rust/scratch.txt"), symbol = symbol, scratch = scratch, most = most);
    } else {
        given.push("core::ptr::null_mut()".to_owned());
    }
    let (returns, why, end) = match calls {
        Calls::Runtime => (
            " -> core::result::Result<(), std::string::String>",
            include_str!("rust/why.txt"),
            include_str!("rust/end.txt"),
        ),
        Calls::C | Calls::Nothing => ("", "", "    debug_assert_eq!(status, 0);\n"),
    };
    format!(
        include_str!("rust/module.txt"),
        origin = origin,
        version = version,
        stack = stack,
        memory = memory,
        symbol = symbol,
        pointers = pointers.join(", "),
        why = why,
        list = object.list("///"),
        name = identifier(symbol),
        parameters = parameters.join(", "),
        returns = returns,
        given = given.join(", "),
        end = end,
    )
}

/// The elements of a tensor.
fn array(ty: &TensorType) -> String {
    let parts = if ty.dtype.is_complex() { 2 } else { 1 };
    format!("[{}; {}]", element(ty.dtype)[1], ty.elements() * parts)
}

/// A name as Rust takes it. One that begins with a capital could be that of a constant or a variant (`None`), which parameters may not have.
fn identifier(name: &str) -> String {
    let is_keyword = KEYWORDS.split_ascii_whitespace().any(|word| word == name);
    let never_raw = ["self", "super", "crate"].contains(&name);
    if never_raw || name.starts_with(|c: char| c.is_ascii_uppercase()) {
        return format!("{name}_");
    }
    if is_keyword { format!("r#{name}") } else { name.to_owned() }
}

/// The same for each of several, none twice.
fn identifiers<'n>(names: impl Iterator<Item = Cow<'n, str>>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for name in names {
        let mut name = identifier(&name);
        while all.contains(&name) {
            name.push('_');
        }
        all.push(name);
    }
    all
}

/// Keywords of all editions, and words that are kept for later ones (the Rust reference, 2.3).
const KEYWORDS: &str = "as async await break const continue dyn else enum extern false fn for gen if impl in let loop match mod move mut \
    pub ref return static struct trait true type union unsafe use where while abstract become box do final macro override priv \
    try typeof unsized virtual yield";
