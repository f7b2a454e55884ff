//! Functions of Python that a program calls (`pure_callback`, `io_callback`, `debug.print`).
//!
//! The Python side gives each a number, which stands in the program as the configuration of a custom call of [`TARGET`], and
//! registers one function of C that runs whatever has a number. Custom calls are bound to that as a [`Host`]; whether they are ordered
//! is said by the program.

use crate::stream;
use crate::types;
use std::ffi::{CStr, c_char};
use std::sync::{Arc, RwLock};
use wengert::TensorType;
use wengert_ir::array::Array;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::host::{Batching, Host};
use wengert_ir::op::{CustomCall, Op};

/// What custom calls of Python's functions are of.
pub(crate) const TARGET: &str = "wengert_python_callback";

/// Runs the function of a number on operands, writes results, and gives 0; or writes a text, that ends with zero, and gives another
/// number.
pub type PythonCallback =
    unsafe extern "C" fn(u64, *const *const u8, *const *mut u8, *mut c_char, usize) -> i32;

static CALLBACK: RwLock<Option<PythonCallback>> = RwLock::new(None);

/// Bytes that an error may take.
const MESSAGE: usize = 1 << 14;

/// Says who runs functions of Python; null is nobody.
///
/// # Safety
/// It may be called from any thread at any time, with a pointer per operand and result, each to as many bytes as the program has there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wengert_set_python_callback(callback: Option<PythonCallback>) {
    *CALLBACK.write().unwrap_or_else(|e| e.into_inner()) = callback;
}

/// Binds the custom calls of a module that are of Python's functions.
pub(crate) fn bind(module: &mut Module) {
    let ids: Vec<FuncId> = module.funcs.iter().map(|(id, _)| id).collect();
    for id in ids {
        if !module.get(id).insts.values().any(|inst| number(&inst.op).is_some()) {
            continue;
        }
        let func = Arc::make_mut(&mut module.funcs[id]);
        for inst in func.insts.values_mut() {
            let Some(number) = number(&inst.op) else { continue };
            if let Op::CustomCall(call) = &mut inst.op {
                call.host = host(number, call);
            }
        }
    }
}

/// The number of the function that an operation calls.
fn number(op: &Op) -> Option<u64> {
    let Op::CustomCall(call) = op else { return None };
    if &*call.target != TARGET {
        return None;
    }
    let (_, after) = call.attributes.split_once("backend_config = \"")?;
    after.split_once('"')?.0.parse().ok()
}

fn host(number: u64, call: &CustomCall) -> Host {
    let results: Option<Vec<TensorType>> = call.results.iter().map(|ty| ty.as_tensor().cloned()).collect();
    Host::new(Batching::Examples, move |operands| match &results {
        Some(results) => stream::away(|| run(number, operands, results)),
        None => Err("a callback gives what is no tensor".to_owned()),
    })
}

fn run(number: u64, operands: &[Array], results: &[TensorType]) -> Result<Vec<Array>, String> {
    let callback = *CALLBACK.read().unwrap_or_else(|e| e.into_inner());
    let callback = callback.ok_or("nobody runs functions of Python in this process")?;
    let mut operands: Vec<Array> = operands.to_vec();
    for operand in operands.iter_mut().filter(|a| types::is_narrow(a.dtype())) {
        let dtype = operand.dtype();
        types::to_host(dtype, operand.bytes_mut());
    }
    let mut out: Vec<Array> = results.iter().map(|ty| Array::zeros(ty.clone())).collect();
    let from: Vec<*const u8> = operands.iter().map(|a| a.bytes().as_ptr()).collect();
    let to: Vec<*mut u8> = out.iter_mut().map(|a| a.bytes_mut().as_mut_ptr()).collect();
    let mut message = vec![0u8; MESSAGE];
    // SAFETY: a pointer per operand and per result, to as many bytes as each has; the function was registered for this.
    let status =
        unsafe { callback(number, from.as_ptr(), to.as_ptr(), message.as_mut_ptr().cast(), message.len()) };
    if status != 0 {
        let text = CStr::from_bytes_until_nul(&message).unwrap_or(c"no message");
        return Err(text.to_string_lossy().into_owned());
    }
    for result in out.iter_mut().filter(|a| types::is_narrow(a.dtype())) {
        let dtype = result.dtype();
        types::from_host(dtype, result.bytes_mut());
    }
    // A byte of a truth value is 0 or 1.
    for result in out.iter_mut().filter(|a| a.dtype() == wengert::DType::I1) {
        result.bytes_mut().iter_mut().for_each(|b| *b = (*b != 0) as u8);
    }
    Ok(out)
}
