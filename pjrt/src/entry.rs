//! How calls of C come in and go out: the arguments are looked at, nothing unwinds into the caller, failures become errors.

use crate::error::{self, Done, Failure};
use crate::ffi::{Header, PJRT_Error, Struct};
use std::any::Any;
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A function of the API as it lies in a table. All take a pointer to their arguments.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) union Function {
    /// Those that give an error.
    pub(crate) fallible: unsafe extern "C" fn(*mut c_void) -> *mut PJRT_Error,
    /// Those that give nothing.
    pub(crate) plain: unsafe extern "C" fn(*mut c_void),
}

const _: () = assert!(size_of::<Function>() == size_of::<usize>());

/// Runs a function of the API on a caller's arguments.
///
/// A null pointer, one that is not aligned and a struct that is shorter than any version of it are errors. Fields that an older
/// caller does not have are zeros and are not written.
///
/// # Safety
/// `args` is null or points to as many bytes as its first field says, and what these point to is as the header of the API says.
pub(crate) unsafe fn enter<A: Struct>(
    name: &str,
    args: *mut c_void,
    body: impl FnOnce(&mut A) -> Done,
) -> *mut PJRT_Error {
    let args: *mut A = args.cast();
    if args.is_null() || !args.is_aligned() {
        return error::give(Failure::invalid(format!("{name}: no arguments (a null or misaligned pointer)")));
    }
    // SAFETY: every struct begins with its size.
    let size = unsafe { (*args.cast::<Header>()).struct_size };
    if size < A::LEAST {
        let message = format!(
            "{name}: {} has {size} bytes by its struct_size, at least {} are needed",
            A::NAME,
            A::LEAST
        );
        return error::give(Failure::invalid(message));
    }
    let outcome = if size >= A::END {
        // SAFETY: it has all fields, any bytes are valid, and the caller gives it to us for the call.
        guarded(name, || body(unsafe { &mut *args }))
    } else {
        let mut whole: MaybeUninit<A> = MaybeUninit::zeroed();
        // SAFETY: `size` bytes are there and fit; zeros are valid, and so is what is copied over them.
        let whole = unsafe {
            std::ptr::copy_nonoverlapping(args.cast::<u8>(), whole.as_mut_ptr().cast(), size);
            whole.assume_init_mut()
        };
        let outcome = guarded(name, || body(whole));
        // SAFETY: as above; what the caller does not have is not written.
        unsafe { std::ptr::copy_nonoverlapping(std::ptr::from_ref(whole).cast(), args.cast::<u8>(), size) };
        outcome
    };
    outcome.map_or_else(error::give, |()| std::ptr::null_mut())
}

/// The same for the functions that give nothing.
///
/// # Safety
/// As of [`enter`].
pub(crate) unsafe fn enter_plain<A: Struct>(
    name: &str,
    args: *mut c_void,
    body: impl FnOnce(&mut A) -> Done,
) {
    // SAFETY: the contract of this function.
    let error = unsafe { enter(name, args, body) };
    error::discard(error);
}

/// The function of the API that does what a function of ours does, or that says that nothing does.
macro_rules! function {
    (PJRT_Error_Destroy => $body:path) => {
        $crate::entry::function!(@plain PJRT_Error_Destroy => $body)
    };
    (PJRT_Error_Message => $body:path) => {
        $crate::entry::function!(@plain PJRT_Error_Message => $body)
    };
    (@plain $name:ident => $body:path) => {{
        unsafe extern "C" fn call(args: *mut std::ffi::c_void) {
            // SAFETY: the header's contract is that of this function.
            unsafe { $crate::entry::enter_plain(stringify!($name), args, $body) }
        }
        $crate::entry::Function { plain: call }
    }};
    ($name:ident => $body:path) => {{
        unsafe extern "C" fn call(args: *mut std::ffi::c_void) -> *mut $crate::ffi::PJRT_Error {
            // SAFETY: the header's contract is that of this function.
            unsafe { $crate::entry::enter(stringify!($name), args, $body) }
        }
        $crate::entry::Function { fallible: call }
    }};
    ($name:ident) => {{
        extern "C" fn call(_: *mut std::ffi::c_void) -> *mut $crate::ffi::PJRT_Error {
            $crate::entry::unimplemented(stringify!($name))
        }
        $crate::entry::Function { fallible: call }
    }};
}
pub(crate) use function;

/// Declares a table of functions by their names in the header. Those without a body are not implemented.
macro_rules! functions {
    ($(#[$doc:meta])* $vis:vis const $list:ident: [Function; $count:expr] =
        [$($name:ident $(=> $body:path)?),* $(,)?];) => {
        $(#[$doc])*
        $vis const $list: [$crate::entry::Function; $count] =
            [$($crate::entry::function!($name $(=> $body)?)),*];

        /// Their names.
        #[cfg(test)]
        #[allow(dead_code, reason = "tests call functions of the main table by name")]
        $vis const NAMES: [&str; $count] = [$(stringify!($name)),*];
    };
}
pub(crate) use functions;

/// What a function gives that is not implemented.
pub(crate) fn unimplemented(name: &str) -> *mut PJRT_Error {
    error::give(Failure::unimplemented(format!("{name} is not implemented by Wengert's plugin")))
}

/// A struct that a caller points to, whose size may be that of an older version.
///
/// # Safety
/// As of `args` in [`enter`].
pub(crate) unsafe fn read<A: Struct + Copy>(given: *const A) -> Done<A> {
    if given.is_null() || !given.is_aligned() {
        return Err(Failure::invalid(format!("no {} (a null or misaligned pointer)", A::NAME)));
    }
    let mut whole: MaybeUninit<A> = MaybeUninit::zeroed();
    // SAFETY: every struct begins with its size; that many bytes are there, any of them are valid, and so are zeros.
    unsafe {
        let size = (*given.cast::<Header>()).struct_size;
        if size < A::LEAST {
            return Err(Failure::invalid(format!(
                "{} has {size} bytes, at least {} are needed",
                A::NAME,
                A::LEAST
            )));
        }
        std::ptr::copy_nonoverlapping(
            given.cast::<u8>(),
            whole.as_mut_ptr().cast(),
            size.min(size_of::<A>()),
        );
        Ok(whole.assume_init())
    }
}

/// A struct that a caller points to and that we answer in; it has all fields.
///
/// # Safety
/// As of `args` in [`enter`], for as long as the result is used.
pub(crate) unsafe fn borrow<'a, A: Struct>(given: *mut A) -> Done<&'a mut A> {
    if given.is_null() || !given.is_aligned() {
        return Err(Failure::invalid(format!("no {} (a null or misaligned pointer)", A::NAME)));
    }
    // SAFETY: every struct begins with its size; one that has all fields may be borrowed, any bytes are valid.
    unsafe {
        let size = (*given.cast::<Header>()).struct_size;
        if size < A::END {
            return Err(Failure::invalid(format!("{} has {size} bytes, {} are needed", A::NAME, A::END)));
        }
        Ok(&mut *given)
    }
}

/// A list that a caller points to. A null pointer is a list of nothing only if it has no elements.
///
/// # Safety
/// `count` elements lie at `list` for as long as the result is used, if it is not null; any bytes are valid elements.
pub(crate) unsafe fn list<'a, T>(what: &str, list: *const T, count: usize) -> Done<&'a [T]> {
    if count == 0 {
        return Ok(&[]);
    }
    if list.is_null() || !list.is_aligned() || count > isize::MAX as usize / size_of::<T>().max(1) {
        return Err(Failure::invalid(format!(
            "{what}: no list of {count} (a null or misaligned pointer, or too long)"
        )));
    }
    // SAFETY: the contract of this function; length and alignment are checked.
    Ok(unsafe { std::slice::from_raw_parts(list, count) })
}

/// A text that a caller points to.
///
/// # Safety
/// As of [`list`].
pub(crate) unsafe fn text<'a>(what: &str, text: *const u8, length: usize) -> Done<&'a str> {
    // SAFETY: the contract of this function.
    let bytes = unsafe { list(what, text, length) }?;
    std::str::from_utf8(bytes).map_err(|e| Failure::invalid(format!("{what}: {e}")))
}

/// Runs something that may panic, and says so if it did.
pub(crate) fn guarded<R>(name: &str, body: impl FnOnce() -> Done<R>) -> Done<R> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| {
        Err(Failure::internal(format!("{name} panicked (this is a bug of Wengert): {}", panic_text(&*panic))))
    })
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}
