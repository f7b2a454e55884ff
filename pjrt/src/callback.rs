//! Functions of Python that a program calls (`pure_callback`, `io_callback`, `debug.print`).
//!
//! The Python side gives each a number, which stands in the program as the configuration of a custom call of [`TARGET`], behind a
//! random number of the process: `"5577006791947779410:3"`. It registers one function of C that runs whatever has a number. Custom
//! calls are bound to that as a [`Host`]; whether they are ordered is said by the program.

use crate::error::{Code, Done, Failure};
use crate::stream;
use crate::types;
use std::cell::Cell;
use std::ffi::{CStr, c_char, c_void};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use wengert::TensorType;
use wengert_ir::array::Array;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::host::{Batching, Host};
use wengert_ir::op::{CustomCall, Op};

/// What custom calls of Python's functions are of.
pub(crate) const TARGET: &str = "wengert_python_callback";

/// Elements of an operand or of a result.
#[repr(C)]
pub struct Piece {
    pub(crate) start: *mut u8,
    pub(crate) bytes: usize,
}

/// Runs the function of a number on operands, writes results, and gives [`SUCCESS`]; or writes a text, that ends with zero, and gives
/// anything else.
///
/// Its arguments: the number; operands and how many; results and how many; where the text is to be written and the room for it.
pub type PythonCallback =
    unsafe extern "C" fn(u64, *const Piece, usize, *const Piece, usize, *mut c_char, usize) -> i32;

/// What says that a function has run. Not 0: that is what `ctypes` gives when Python has failed where it cannot say so.
pub(crate) const SUCCESS: i32 = 0x57656e67;

/// Bytes that an error may take.
const MESSAGE: usize = 1 << 14;

/// Who runs functions of Python.
#[derive(Clone, Copy)]
struct Python {
    callback: PythonCallback,
    /// Tells this process from others.
    process: u64,
}

struct State {
    python: Option<Python>,
    /// How many functions run in the process of this number: one that was forked begins with none.
    running: usize,
    owner: u32,
}

impl State {
    /// How many functions run in this process.
    fn running(&mut self) -> &mut usize {
        let process = std::process::id();
        if self.owner != process {
            (self.owner, self.running) = (process, 0);
        }
        &mut self.running
    }
}

static STATE: Mutex<State> = Mutex::new(State { python: None, running: 0, owner: 0 });

/// Python's lock, without which no function of Python runs: whether this thread has it, how it is let go, and how it is taken again.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PythonLock {
    pub(crate) is_held: unsafe extern "C" fn() -> i32,
    pub(crate) release: unsafe extern "C" fn() -> *mut c_void,
    pub(crate) acquire: unsafe extern "C" fn(*mut c_void),
}

static LOCK: Mutex<Option<PythonLock>> = Mutex::new(None);

/// Says what Python's lock is in this process; null if there is none, or none any more.
///
/// # Safety
/// Until then its functions may be called from any thread; the pointer is null or points to them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wengert_set_python_lock(lock: *const PythonLock) {
    // SAFETY: the contract of this function.
    let lock = unsafe { lock.as_ref() }.copied();
    *LOCK.lock().unwrap_or_else(|e| e.into_inner()) = lock;
}

/// Waits for what may need a function of Python, which cannot run as long as this thread has Python's lock: JAX asks where data lies
/// without letting it go.
pub(crate) fn unlocked<R>(wait: impl FnOnce() -> R) -> R {
    struct Held(PythonLock, *mut c_void);
    impl Drop for Held {
        fn drop(&mut self) {
            // SAFETY: the contract of `wengert_set_python_lock`; it is what `release` has given.
            unsafe { (self.0.acquire)(self.1) }
        }
    }
    let lock = *LOCK.lock().unwrap_or_else(|e| e.into_inner());
    // SAFETY: the contract of `wengert_set_python_lock`; what this thread has not it does not let go.
    let held = lock
        .filter(|lock| unsafe { (lock.is_held)() } == 1)
        .map(|lock| Held(lock, unsafe { (lock.release)() }));
    let found = wait();
    drop(held);
    found
}

/// A function has ended.
static ENDED: Condvar = Condvar::new();

thread_local! {
    /// How many functions this thread runs, one inside the other.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(|e| e.into_inner())
}

/// Says who runs functions of Python in this process, of which `process` is a random number; null is nobody. When it is over nobody
/// runs a function for whom came before, but for those that have called this.
///
/// # Safety
/// Until then the function may be called from any thread at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wengert_set_python_callback(callback: Option<PythonCallback>, process: u64) {
    let mut state = state();
    state.python = callback.map(|callback| Python { callback, process });
    while *state.running() > DEPTH.get() {
        state = ENDED.wait(state).unwrap_or_else(|e| e.into_inner());
    }
}

/// Who runs a function now; as long as this lives nobody is told that none does.
struct Entered {
    python: Python,
    process: u32,
}

impl Entered {
    fn new() -> Option<Self> {
        let mut state = state();
        let python = state.python?;
        *state.running() += 1;
        DEPTH.set(DEPTH.get() + 1);
        Some(Self { python, process: state.owner })
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
        let mut state = state();
        // A function may fork, and end in the child too.
        if self.process == std::process::id() {
            *state.running() -= 1;
            ENDED.notify_all();
        }
    }
}

/// Binds the custom calls of a module that are of Python's functions. Fails if they are of another process.
pub(crate) fn bind(module: &mut Module) -> Done {
    let is_python = |op: &Op| matches!(op, Op::CustomCall(call) if &*call.target == TARGET);
    let ids: Vec<FuncId> = module.funcs.iter().map(|(id, _)| id).collect();
    for id in ids {
        if !module.get(id).insts.values().any(|inst| is_python(&inst.op)) {
            continue;
        }
        let func = Arc::make_mut(&mut module.funcs[id]);
        for inst in func.insts.values_mut().filter(|inst| is_python(&inst.op)) {
            if let Op::CustomCall(call) = &mut inst.op {
                call.host = host(number(call)?, call);
            }
        }
    }
    Ok(())
}

/// The number of the function that a custom call calls, if it is one of this process.
fn number(call: &CustomCall) -> Done<u64> {
    let config = attribute(&call.attributes, "backend_config").and_then(|value| {
        let (process, number) = value.strip_prefix('"')?.strip_suffix('"')?.split_once(':')?;
        Some((process.parse::<u64>().ok()?, number.parse::<u64>().ok()?))
    });
    let (process, number) = config.ok_or_else(|| {
        Failure::invalid(format!(
            "a custom call @{TARGET} that does not say which function of Python it calls"
        ))
    })?;
    let failed = |message: &str| Err(Failure::new(Code::FailedPrecondition, message));
    match state().python {
        Some(python) if python.process == process => Ok(number),
        Some(_) => failed(
            "the program calls a function of Python that is of another process: programs with callbacks cannot be kept",
        ),
        None => failed("the program calls a function of Python, and nobody runs these in this process"),
    }
}

/// The value of an attribute among those of an operation, as it is written: `a = 1, b = "c, d = 2"` is `1` and `"c, d = 2"`.
fn attribute<'s>(attributes: &'s str, name: &str) -> Option<&'s str> {
    let (mut start, mut depth, mut equals) = (0, 0usize, None);
    let (mut in_text, mut escaped) = (false, false);
    let end = [(attributes.len(), ',')];
    for (at, sign) in attributes.char_indices().chain(end) {
        match sign {
            _ if escaped => escaped = false,
            '\\' if in_text => escaped = true,
            '"' => in_text = !in_text,
            _ if in_text && at < attributes.len() => {}
            '{' | '[' | '(' | '<' => depth += 1,
            // An arrow closes nothing.
            '>' if attributes[..at].ends_with('-') => {}
            '}' | ']' | ')' | '>' => depth = depth.saturating_sub(1),
            '=' if depth == 0 && equals.is_none() => equals = Some(at),
            ',' if depth == 0 || at == attributes.len() => {
                let (key, value) =
                    (&attributes[start..equals.unwrap_or(at)], equals.map(|e| &attributes[e + 1..at]));
                if key.trim().trim_matches('"') == name {
                    return value.map(str::trim);
                }
                (start, equals) = (at + 1, None);
            }
            _ => {}
        }
    }
    None
}

fn host(number: u64, call: &CustomCall) -> Host {
    let results: Option<Vec<TensorType>> = call.results.iter().map(|ty| ty.as_tensor().cloned()).collect();
    Host::new(Batching::Examples, move |operands| match &results {
        Some(results) => stream::away(|| run(number, operands, results)),
        None => Err("a callback gives what is no tensor".to_owned()),
    })
}

fn run(number: u64, operands: &[Array], results: &[TensorType]) -> Result<Vec<Array>, String> {
    let entered = Entered::new().ok_or("nobody runs functions of Python in this process, or not any more")?;
    let mut operands: Vec<Array> = operands.to_vec();
    for operand in operands.iter_mut().filter(|a| types::is_narrow(a.dtype())) {
        let dtype = operand.dtype();
        types::to_host(dtype, operand.bytes_mut());
    }
    let mut out: Vec<Array> = results.iter().map(|ty| Array::zeros(ty.clone())).collect();
    let piece = |bytes: &[u8]| Piece { start: bytes.as_ptr().cast_mut(), bytes: bytes.len() };
    let from: Vec<Piece> = operands.iter().map(|a| piece(a.bytes())).collect();
    let to: Vec<Piece> = (out.iter_mut().map(|a| a.bytes_mut()))
        .map(|bytes| Piece { start: bytes.as_mut_ptr(), bytes: bytes.len() })
        .collect();
    let mut message = vec![0u8; MESSAGE];
    let (text, room) = (message.as_mut_ptr().cast(), message.len());
    // SAFETY: each piece is as long as it says, those of results are ours to write, and the function was registered for this.
    let status = unsafe {
        (entered.python.callback)(number, from.as_ptr(), from.len(), to.as_ptr(), to.len(), text, room)
    };
    drop(entered);
    if status != SUCCESS {
        let text = CStr::from_bytes_until_nul(&message).unwrap_or_default().to_string_lossy();
        let unsaid = "Python has failed without saying why; standard error may tell more";
        return Err(if text.is_empty() { unsaid.to_owned() } else { text.into_owned() });
    }
    for result in &mut out {
        let dtype = result.dtype();
        types::from_host(dtype, result.bytes_mut());
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_told_from_what_looks_like_them() {
        let of = |attributes: &'static str| attribute(attributes, "backend_config");
        assert_eq!(of(r#"backend_config = "1:2""#), Some(r#""1:2""#));
        assert_eq!(of(r#"api_version = 2 : i32, backend_config = "1:2", z = [1, 2]"#), Some(r#""1:2""#));
        assert_eq!(of(r#""backend_config" = "a\", b = c""#), Some(r#""a\", b = c""#));
        for other in [
            "",
            "backend_config",
            r#"mhlo.backend_config = "1:2""#,
            r#"note = "backend_config = 1:2""#,
            r#"note = ", backend_config = \"1:2\"""#,
            r#"frontend = {a = 1, backend_config = "1:2"}"#,
            r#"list = ["x", backend_config = "1:2"]"#,
            r#"f = () -> i32, g = <a, backend_config = "1:2">"#,
            r#"open = ", backend_config = "#,
        ] {
            assert_eq!(of(other), None, "{other}");
        }
        assert_eq!(of(r#"f = (i32) -> i32, backend_config = "1:2""#), Some(r#""1:2""#));
    }
}
