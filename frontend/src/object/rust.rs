//! The module of an object for Rust.

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
        memory = format!(
            "
/// Memory that a call of [`{name}`] works in. Calls at the same time need memory of their own.
#[repr(C, align(64))]
pub struct Scratch {{
    bytes: [core::mem::MaybeUninit<u8>; {scratch}],
}}

#[allow(dead_code)]
impl Scratch {{
    /// Memory for one call at a time.
    pub const fn new() -> Self {{
        Self {{ bytes: [core::mem::MaybeUninit::uninit(); {scratch}] }}
    }}
}}

impl Default for Scratch {{
    fn default() -> Self {{
        Self::new()
    }}
}}
",
            name = identifier(symbol),
        );
    } else {
        given.push("core::ptr::null_mut()".to_owned());
    }
    let (returns, why, end) = status(*calls);
    format!(
        "// Made from {origin} by wengert {version}. It links with the object file that was made with it.

/// Bytes of the stack that a call takes at most, without those of functions that are not in the object.
#[allow(dead_code)]
pub const STACK_BYTES: usize = {stack};
{memory}
mod object {{
    unsafe extern \"C\" {{
        #[link_name = \"{symbol}\"]
        #[allow(non_snake_case)]
        pub(super) fn call({pointers}) -> i32;{why}
    }}
}}

/// Dense arrays in row-major order:
///
/// ```text
{list}/// ```
#[allow(non_snake_case, unsafe_code, clippy::too_many_arguments)]
pub fn {name}({parameters}){returns} {{
    // SAFETY: the object reads and writes arrays of these lengths and so much scratch memory. What is written overlaps nothing.
    let status = unsafe {{ object::call({given}) }};
{end}}}
",
        pointers = pointers.join(", "),
        list = object.list("///"),
        name = identifier(symbol),
        parameters = parameters.join(", "),
        given = given.join(", "),
    )
}

/// What the function gives, what it asks why, and how it ends.
fn status(calls: Calls) -> (&'static str, &'static str, &'static str) {
    match calls {
        Calls::Runtime => (
            " -> Result<(), std::string::String>",
            "
        pub(super) fn wengert_last_error() -> *const core::ffi::c_char;",
            "    match status {
        0 => Ok(()),
        // SAFETY: the library gives a text that stays until this thread's next call.
        _ => Err(unsafe { core::ffi::CStr::from_ptr(object::wengert_last_error()) }.to_string_lossy().into_owned()),
    }
",
        ),
        Calls::C | Calls::Nothing => ("", "", "    debug_assert_eq!(status, 0);\n"),
    }
}

/// The elements of a tensor.
fn array(ty: &TensorType) -> String {
    let parts = if ty.dtype.is_complex() { 2 } else { 1 };
    format!("[{}; {}]", element(ty.dtype)[1], ty.elements() * parts)
}

/// A name as Rust takes it: parameters may not have that of a constant.
fn identifier(name: &str) -> String {
    match name {
        "self" | "Self" | "super" | "crate" | "STACK_BYTES" => format!("{name}_"),
        _ if KEYWORDS.split_ascii_whitespace().any(|word| word == name) => format!("r#{name}"),
        _ => name.to_owned(),
    }
}

/// Keywords of all editions, and words that are kept for later ones (the Rust reference, 2.3).
const KEYWORDS: &str = "as async await break const continue dyn else enum extern false fn for gen if impl in let loop match mod move mut \
    pub ref return static struct trait true type union unsafe use where while abstract become box do final macro override priv \
    try typeof unsized virtual yield";
