//! The module of an object for Rust. Its text is in `rust/`, because `unsafe` is in no source outside of the backends.

use super::{Calls, Object, element};
use wengert_ir::types::TensorType;

pub(super) fn module(object: &Object, origin: &str) -> String {
    let Object { symbol, calls, scratch, stack, .. } = object;
    let origin = origin.replace(|c: char| c.is_control(), " ");
    let version = env!("CARGO_PKG_VERSION");
    let (mut parameters, mut pointers, mut given) = (Vec::new(), Vec::new(), Vec::new());
    for (k, (name, ty)) in object.tensors().enumerate() {
        let (name, array, item) = (identifier(&name), array(ty), element(ty.dtype)[1]);
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
        memory = format!(include_str!("rust/scratch.txt"), name = identifier(symbol), scratch = scratch);
    } else {
        given.push("core::ptr::null_mut()".to_owned());
    }
    let (returns, why, end) = match calls {
        Calls::Runtime => (
            " -> Result<(), std::string::String>",
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

/// A name as Rust takes it: parameters may not have that of a constant.
fn identifier(name: &str) -> String {
    if ["self", "Self", "super", "crate", "STACK_BYTES"].contains(&name) {
        return format!("{name}_");
    }
    let is_keyword = KEYWORDS.split_ascii_whitespace().any(|word| word == name);
    if is_keyword { format!("r#{name}") } else { name.to_owned() }
}

/// Keywords of all editions, and words that are kept for later ones (the Rust reference, 2.3).
const KEYWORDS: &str = "as async await break const continue dyn else enum extern false fn for gen if impl in let loop match mod move mut \
    pub ref return static struct trait true type union unsafe use where while abstract become box do final macro override priv \
    try typeof unsized virtual yield";
