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
use std::sync::{Condvar, Mutex, MutexGuard};
use wengert::{DType, TensorType};
use wengert_ir::host::{Batching, Host};
use wengert_ir::op::CustomCall;
use wengert_ir::text::{Typed, typed_attributes};

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

/// The number of the function that a custom call calls, if it is one of this process.
fn number(call: &CustomCall) -> Done<u64> {
    let config = config(&call.attributes).and_then(|text| {
        let (process, number) = text.split_once(':')?;
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

/// The text that stands as the configuration among the attributes of a call.
fn config(attributes: &str) -> Option<String> {
    let found = typed_attributes(attributes).ok()?.into_iter().find(|(name, _)| name == "backend_config")?;
    if let Typed::Str(text) = found.1 { String::from_utf8(text).ok() } else { None }
}

/// What runs when a custom call of [`TARGET`] is called; `operands` if they are tensors. Fails if it is of another process.
pub(crate) fn host(call: &CustomCall, operands: Option<&[&TensorType]>) -> Done<Host> {
    let number = number(call)?;
    let no_tensor = || Failure::invalid("a callback takes and gives tensors");
    let operands = operands.ok_or_else(no_tensor)?.iter().map(|ty| ty.dtype).collect::<Vec<_>>();
    let results: Option<Vec<DType>> = call.results.iter().map(|ty| Some(ty.as_tensor()?.dtype)).collect();
    let results = results.ok_or_else(no_tensor)?;
    Ok(Host::in_place(Batching::Examples, move |from, to| {
        stream::away(|| run(number, [&operands, &results], from, to))
    }))
}

/// Runs a function on elements of some types.
fn run(
    number: u64,
    [operands, results]: [&[DType]; 2],
    from: &[&[u8]],
    to: &mut [&mut [u8]],
) -> Result<(), String> {
    let entered = Entered::new().ok_or("nobody runs functions of Python in this process, or not any more")?;
    let theirs = |(&dtype, &bytes): (&DType, &&[u8])| {
        types::is_narrow(dtype).then(|| {
            let mut copy = bytes.to_vec();
            types::to_host(dtype, &mut copy);
            copy
        })
    };
    let copies: Vec<Option<Vec<u8>>> = operands.iter().zip(from).map(theirs).collect();
    let piece = |bytes: &[u8]| Piece { start: bytes.as_ptr().cast_mut(), bytes: bytes.len() };
    let pieces: Vec<Piece> =
        copies.iter().zip(from).map(|(copy, bytes)| piece(copy.as_deref().unwrap_or(bytes))).collect();
    let places: Vec<Piece> =
        to.iter_mut().map(|bytes| Piece { start: bytes.as_mut_ptr(), bytes: bytes.len() }).collect();
    let mut message = vec![0u8; MESSAGE];
    let (text, room) = (message.as_mut_ptr().cast(), message.len());
    // SAFETY: each piece is as long as it says, those of results are ours to write, and the function was registered for this.
    let status = unsafe {
        let callback = entered.python.callback;
        callback(number, pieces.as_ptr(), pieces.len(), places.as_ptr(), places.len(), text, room)
    };
    drop(entered);
    if status != SUCCESS {
        let text = CStr::from_bytes_until_nul(&message).unwrap_or_default().to_string_lossy();
        let unsaid = "Python has failed without saying why; standard error may tell more";
        return Err(if text.is_empty() { unsaid.to_owned() } else { text.into_owned() });
    }
    results.iter().zip(to).for_each(|(&dtype, bytes)| types::from_host(dtype, bytes));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configurations_are_told_from_what_looks_like_them() {
        for said in [
            r#"backend_config = "1:2""#,
            r#"api_version = 2 : i32, backend_config = "1:2", z = [1, 2]"#,
            r#"note = ", backend_config = \"3:4\"", backend_config = "1:2""#,
            r#""backend_config" = "1:2""#,
        ] {
            assert_eq!(config(said).as_deref(), Some("1:2"), "{said}");
        }
        for other in [
            "",
            "backend_config",
            r#"mhlo.backend_config = "1:2""#,
            r#"note = "backend_config = 1:2""#,
            r#"note = ", backend_config = \"1:2\"""#,
            r#"frontend = {a = 1 : i32, backend_config = "1:2"}"#,
            r#"backend_config = 7 : i32"#,
            r#"open = ", backend_config = "#,
        ] {
            assert_eq!(config(other), None, "{other}");
        }
    }
}
