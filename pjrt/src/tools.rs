//! What the Python module `wengert` asks for beside running programs: object files, C headers, pages, listings.

use crate::blob;
use crate::entry;
use crate::error::{Done, Failure};
use crate::options::float_mode;
use crate::program;
use target_lexicon::Triple;
use wengert::object::{Calls, Cpu, ObjectOptions};
use wengert_ir::types::FloatMode;

/// Makes something of a program: `what` is `object`, `header`, `rust`, `explain`, `optimized` or `kernels`, `name` the symbol or title,
/// `mode` how exact it is to be, or nothing.
///
/// Gives 0, or 1 if it failed; `out` and `size` then say why. What `backing` is given frees them: [`wengert_free`].
///
/// # Safety
/// Each text has as many bytes as said; there is memory for what is given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wengert_make(
    what: *const u8,
    what_size: usize,
    program: *const u8,
    program_size: usize,
    name: *const u8,
    name_size: usize,
    mode: *const u8,
    mode_size: usize,
    out: *mut *const u8,
    size: *mut usize,
    backing: *mut *mut u8,
) -> i32 {
    if out.is_null() || size.is_null() || backing.is_null() {
        return 1;
    }
    let made = entry::guarded("wengert_make", || {
        // SAFETY: the contract of this function.
        let (what, program, name, mode) = unsafe {
            (
                entry::text("what", what, what_size)?,
                entry::list("program", program, program_size)?,
                entry::text("name", name, name_size)?,
                entry::text("mode", mode, mode_size)?,
            )
        };
        make(what, program, name, mode)
    });
    let (status, bytes) = match made {
        Ok(bytes) => (0, bytes),
        Err(e) => (1, e.message.into_bytes()),
    };
    let Ok((start, length, held)) = blob::give(bytes) else { return 1 };
    // SAFETY: the caller has places for all three, which was looked at.
    unsafe { (*out, *size, *backing) = (start, length, held) };
    status
}

/// Frees what [`wengert_make`] gave; anything else is left alone.
#[unsafe(no_mangle)]
pub extern "C" fn wengert_free(backing: *mut u8) {
    blob::delete(backing);
}

fn make(what: &str, code: &[u8], name: &str, mode: &str) -> Done<Vec<u8>> {
    let mode = if mode.is_empty() { Ok(FloatMode::default()) } else { float_mode(mode) };
    let mode = mode.map_err(|e| Failure::invalid(format!("float mode: {e}")))?;
    let traced = program::traced(code, mode)?;
    let failed = |e: wengert::Error| Failure::invalid(e.to_string());
    let options = || ObjectOptions {
        triple: Triple::host(),
        cpu: Cpu::Common,
        symbol: name.to_owned(),
        calls: Calls::default(),
    };
    let lowered = || traced.lower().map_err(failed);
    let object = || lowered()?.object(&options()).map_err(failed);
    match what {
        "object" => Ok(object()?.bytes().to_vec()),
        "header" => Ok(object()?.c_header("JAX").into_bytes()),
        "rust" => Ok(object()?.rust_module("JAX").into_bytes()),
        "explain" => traced.explain_html(name).map(String::into_bytes).map_err(failed),
        "optimized" => Ok(lowered()?.optimized().to_string().into_bytes()),
        "kernels" => Ok(lowered()?.to_string().into_bytes()),
        other => Err(Failure::invalid(format!("nothing is called {other:?}"))),
    }
}
