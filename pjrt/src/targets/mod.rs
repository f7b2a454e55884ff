//! Functions that users register for XLA (`jax.ffi.register_ffi_target`), and the custom calls that run them.
//!
//! A target is a name and machine code: handlers of the typed interface of `xla/ffi/api/c_api.h`, a function for each stage. (XLA's CPU
//! runs nothing else any more.) Python says which there are ([`wengert_register_target`])
//! and is asked for those that are registered for JAX's own CPU platform ([`wengert_set_target_finder`]): their memory is ours. A
//! custom call of a known target becomes a [`Site`]: its attributes in the memory that handlers read, the layouts of operands and
//! results, and the state that the first stage made for it.
//!
//! | what | where |
//! |---|---|
//! | the header's structs | `abi.rs` |
//! | attributes, operands and results as handlers find them | `attributes.rs`, `buffers.rs` |
//! | a call site, how its stages run | `site.rs` |
//! | what handlers may call, and what they get by it | `api.rs`, `context.rs`, `errors.rs`, `futures.rs`, `pool.rs` |

mod abi;
mod api;
mod attributes;
mod buffers;
mod context;
mod errors;
mod futures;
mod pool;
mod site;
#[cfg(test)]
pub(crate) mod testing;

use crate::entry;
use crate::error::{Done, Failure};
use crate::stream;
use abi::{
    Bundle, Extension, Handler, MAJOR, METADATA, MINOR, Metadata, MetadataExtension, OLDEST_MINOR, Stage,
    TypeInfo, Version,
};
#[cfg(test)]
pub(crate) use abi::{CallFrame, Error};
use errors::{ALREADY_EXISTS, FAILED_PRECONDITION, Failed, INVALID_ARGUMENT};
use site::Site;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::c_char;
use std::sync::{Arc, Mutex, MutexGuard};
use wengert::TensorType;
use wengert_ir::host::{Batching, Host};
use wengert_ir::op::CustomCall;

/// What runs when a target is called.
#[derive(Clone, Copy)]
struct Target {
    handlers: Bundle,
    /// The version of the header that they were compiled against, of which the major one is 0.
    minor: i32,
    /// It was found where targets of another platform are: who registers one for this platform means that.
    is_found: bool,
}

impl Target {
    fn addresses(&self) -> [usize; 4] {
        let Bundle { instantiate, prepare, initialize, execute } = self.handlers;
        [instantiate, prepare, initialize, execute].map(|handler| handler.map_or(0, |h| h as usize))
    }
}

static TARGETS: Mutex<BTreeMap<String, Target>> = Mutex::new(BTreeMap::new());

fn targets() -> MutexGuard<'static, BTreeMap<String, Target>> {
    TARGETS.lock().unwrap_or_else(|e| e.into_inner())
}

/// Looks for a target of a name, and registers it if there is one.
type Finder = unsafe extern "C" fn(*const u8, usize);

static FINDER: Mutex<Option<Finder>> = Mutex::new(None);

thread_local! {
    /// Whether what this thread registers is what a finder has found.
    static FINDS: Cell<bool> = const { Cell::new(false) };
}

/// Makes handlers of the typed interface known. Fails if they were compiled against a header that is not served.
fn register(name: &str, bundle: Bundle) -> Result<(), Failed> {
    let execute = bundle
        .execute
        .ok_or_else(|| Failed::new(INVALID_ARGUMENT, &format!("{name} has no handler that executes it")))?;
    let version = version(execute)?;
    for other in [bundle.instantiate, bundle.prepare, bundle.initialize].into_iter().flatten() {
        if self::version(other)? != version {
            let message =
                format!("the handlers of {name} were compiled against several versions of XLA's FFI");
            return Err(Failed::new(FAILED_PRECONDITION, &message));
        }
    }
    if version.0 != MAJOR || !(OLDEST_MINOR..=MINOR).contains(&version.1) {
        let message = format!(
            "{name} was compiled against version {}.{} of XLA's FFI: this Wengert serves 0.{OLDEST_MINOR} to {MAJOR}.{MINOR}",
            version.0, version.1
        );
        return Err(Failed::new(FAILED_PRECONDITION, &message));
    }
    let target = Target { handlers: bundle, minor: version.1, is_found: FINDS.get() };
    let mut all = targets();
    let differs = |known: &Target| !known.is_found && known.addresses() != target.addresses();
    if all.get(name).is_some_and(differs) {
        return Err(Failed::new(ALREADY_EXISTS, &format!("another function is registered as {name}")));
    }
    all.insert(name.to_owned(), target);
    Ok(())
}

/// The version of the header that a handler was compiled against, as it says.
fn version(handler: Handler) -> Result<(i32, i32), Failed> {
    let nowhere = || Version {
        struct_size: size_of::<Version>(),
        extension: std::ptr::null_mut(),
        major: -1,
        minor: -1,
    };
    let mut metadata =
        Metadata { struct_size: size_of::<Metadata>(), version: nowhere(), traits: 0, state_type: 0 };
    let base = Extension {
        struct_size: size_of::<MetadataExtension>(),
        type_: METADATA,
        next: std::ptr::null_mut(),
    };
    let mut extension = MetadataExtension { base, metadata: &mut metadata };
    let mut frame = site::empty_frame(Stage::Execute);
    frame.extension = (&raw mut extension).cast();
    // SAFETY: the header's contract: asked for its metadata a handler writes them, and does nothing else.
    unsafe { Failed::take(handler(&mut frame)) }?;
    Ok((metadata.version.major, metadata.version.minor))
}

/// Makes functions known that custom calls of a name run: the handlers of four stages, of which the last must be there. Gives 0, or
/// 1 and writes why not, as a text that ends with zero.
///
/// # Safety
/// The name has as many bytes as said, `handlers` are four addresses, each null or of a handler that may be called as long as the
/// process lives, and there is room for the text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wengert_register_target(
    name: *const u8,
    name_size: usize,
    handlers: *const Option<Handler>,
    message: *mut c_char,
    room: usize,
) -> i32 {
    let registered = entry::guarded("wengert_register_target", || {
        // SAFETY: the contract of this function.
        let (name, handlers) =
            unsafe { (entry::text("name", name, name_size)?, entry::list("handlers", handlers, 4)?) };
        let &[instantiate, prepare, initialize, execute] = handlers else {
            return Err(Failure::invalid("a target has four handlers"));
        };
        let bundle = Bundle { instantiate, prepare, initialize, execute };
        register(name, bundle).map_err(|e| Failure::invalid(e.to_string()))
    });
    // SAFETY: the contract of this function.
    unsafe { said(registered, message, room) }
}

/// Makes a type of handlers' states known: its number, which is chosen here where it is 0, and how an object of it is freed. Gives 0,
/// or 1 and writes why not.
///
/// # Safety
/// As of [`wengert_register_target`]; `number` points to a number, `info` is null or points to what the header describes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wengert_register_target_type(
    name: *const u8,
    name_size: usize,
    number: *mut i64,
    info: *const TypeInfo,
    message: *mut c_char,
    room: usize,
) -> i32 {
    let registered = entry::guarded("wengert_register_target_type", || {
        // SAFETY: the contract of this function.
        unsafe {
            let name = entry::text("name", name, name_size)?;
            let number =
                number.as_mut().ok_or_else(|| Failure::invalid("no place for the number of a type"))?;
            let deleter = info.as_ref().and_then(|info| info.deleter);
            let registered = context::register_type(name, *number, deleter);
            *number = registered.map_err(|e| Failure::invalid(e.to_string()))?;
        }
        Ok(())
    });
    // SAFETY: the contract of this function.
    unsafe { said(registered, message, room) }
}

/// Says who knows of further targets; null is nobody.
///
/// # Safety
/// Until it is called again the function may be called from any thread that compiles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wengert_set_target_finder(finder: Option<Finder>) {
    *FINDER.lock().unwrap_or_else(|e| e.into_inner()) = finder;
}

/// # Safety
/// `message` is null, or there is room for so many bytes.
unsafe fn said(outcome: Done, message: *mut c_char, room: usize) -> i32 {
    let Err(failure) = outcome else { return 0 };
    if !message.is_null() && room > 0 {
        let text = failure.message.as_bytes();
        let length = text.len().min(room - 1);
        // SAFETY: the contract of this function.
        unsafe {
            std::ptr::copy_nonoverlapping(text.as_ptr(), message.cast(), length);
            *message.add(length) = 0;
        }
    }
    1
}

fn find(name: &str) -> Option<Target> {
    let known = targets().get(name).copied();
    known.or_else(|| {
        let finder = *FINDER.lock().unwrap_or_else(|e| e.into_inner());
        let finder = finder?;
        FINDS.set(true);
        // SAFETY: the contract of `wengert_set_target_finder`.
        unsafe { finder(name.as_ptr(), name.len()) };
        FINDS.set(false);
        targets().get(name).copied()
    })
}

/// What a custom call runs, if its target is known; `operands` if they are tensors. Fails if the target cannot be called so.
pub(crate) fn host(call: &CustomCall, operands: Option<&[&TensorType]>) -> Done<Option<Host>> {
    let Some(target) = find(&call.target) else { return Ok(None) };
    let site = Site::new(call, target, operands)
        .map_err(|why| Failure::invalid(format!("the custom call @{}: {why}", call.target)))?;
    let site = Arc::new(site);
    Ok(Some(Host::in_place(Batching::Examples, move |from, to| stream::away(|| site.run(from, to)))))
}
