//! Handlers in Rust, for tests: what C++'s `ffi.h` does, with the version of the header that a test wants.

use super::abi::*;
use super::wengert_register_target;
use std::ffi::{c_char, c_void};

/// What a handler finds of a call.
pub(crate) struct Frame<'a>(&'a mut CallFrame);

impl Frame<'_> {
    fn buffer(list: &Buffers, k: usize) -> &Buffer {
        assert!((k as i64) < list.size);
        // SAFETY: there are so many, all of them buffers.
        unsafe {
            assert_eq!(*list.types.add(k), BUFFER);
            &*(*list.items.add(k)).cast::<Buffer>()
        }
    }

    /// The elements of an operand of f32.
    pub(crate) fn operand(&self, k: usize) -> &[f32] {
        let buffer = Self::buffer(&self.0.args, k);
        assert_eq!(buffer.dtype, 11);
        // SAFETY: as many as the dimensions say.
        unsafe { std::slice::from_raw_parts(buffer.data.cast(), count(buffer)) }
    }

    /// The elements of a result of f32.
    pub(crate) fn result(&mut self, k: usize) -> &mut [f32] {
        let buffer = Self::buffer(&self.0.rets, k);
        assert_eq!(buffer.dtype, 11);
        // SAFETY: as above, and nobody else has them.
        unsafe { std::slice::from_raw_parts_mut(buffer.data.cast(), count(buffer)) }
    }

    /// A number among the attributes.
    pub(crate) fn number(&self, name: &str) -> Option<f32> {
        let attrs = &self.0.attrs;
        (0..attrs.size as usize).find_map(|k| {
            // SAFETY: there are so many names and attributes; a scalar points to its number.
            unsafe {
                let span = **attrs.names.add(k);
                let found = std::slice::from_raw_parts(span.start.cast::<u8>(), span.length);
                let item = (*attrs.items.add(k)).cast::<Scalar>();
                let is_number = *attrs.types.add(k) == attribute_type::SCALAR && (*item).dtype == 11;
                (found == name.as_bytes() && is_number).then(|| *(*item).value.cast::<f32>())
            }
        })
    }

    /// An error with a code and a text that ends with zero.
    pub(crate) fn error(&self, code: i32, text: &std::ffi::CStr) -> *mut Error {
        let mut args = Error_Create_Args {
            struct_size: size_of::<Error_Create_Args>(),
            extension: std::ptr::null_mut(),
            message: text.as_ptr(),
            code,
        };
        // SAFETY: the table is the plugin's.
        unsafe { ((*self.0.api).error_create)(&mut args) }
    }

    /// Sets or gets the state of the first stage, as a version of the header does; a text says why not.
    pub(crate) fn state(&mut self, minor: i32, set: Option<*mut c_void>) -> Result<*mut c_void, String> {
        let mut id = STATE;
        let (size, extension, context) = (48, std::ptr::null_mut(), self.0.context);
        let mut new = State_Set_Args {
            struct_size: size,
            extension,
            context,
            stage: 0,
            type_id: &mut id,
            state: set.unwrap_or_default(),
        };
        let mut old = OldStateSetArgs {
            struct_size: if minor == 1 { 48 } else { 40 },
            extension,
            context,
            type_id: &mut id,
            state: set.unwrap_or_default(),
            deleter: (minor == 1).then_some(FREED),
        };
        // SAFETY: the table is the plugin's, and both structs are those of their version.
        let error = unsafe {
            match (set, minor >= 3) {
                (Some(_), true) => ((*self.0.api).state_set)(&mut new),
                (Some(_), false) => ((*self.0.api).state_set)((&raw mut old).cast()),
                (None, true) => ((*self.0.api).state_get)((&raw mut new).cast()),
                (None, false) => ((*self.0.api).state_get)((&raw mut old).cast()),
            }
        };
        // SAFETY: an error is the plugin's and read once.
        match unsafe { super::errors::Failed::take(error) } {
            Err(failed) => Err(failed.to_string()),
            Ok(()) => Ok(if minor >= 3 { new.state } else { old.state }),
        }
    }
}

fn count(buffer: &Buffer) -> usize {
    // SAFETY: there are as many dimensions as said.
    let dims = unsafe { std::slice::from_raw_parts(buffer.dims, buffer.rank as usize) };
    dims.iter().product::<i64>() as usize
}

/// The number of the type of states.
pub(crate) const STATE: i64 = 4_000_000_007;

/// Counts what was freed.
pub(crate) static FREED_STATES: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
const FREED: Deleter = freed;

unsafe extern "C" fn freed(_: *mut c_void) {
    FREED_STATES.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
}

/// Makes the type of states known.
pub(crate) fn register_state_type() {
    super::context::register_type("testing.State", STATE, Some(FREED)).expect("once");
}

/// What a handler does when it is called: says its version if it is asked, or runs.
///
/// # Safety
/// A call frame of the plugin's.
pub(crate) unsafe fn answer(
    frame: *mut CallFrame,
    version: (i32, i32),
    run: impl FnOnce(Frame<'_>) -> *mut Error,
) -> *mut Error {
    // SAFETY: the contract of this function; an extension of this type is one that asks for metadata.
    unsafe {
        let frame = &mut *frame;
        assert_eq!(frame.struct_size, CALL_FRAME);
        if let Some(extension) = frame.extension.as_ref()
            && extension.type_ == METADATA
        {
            let metadata = &mut *(*frame.extension.cast::<MetadataExtension>()).metadata;
            (metadata.version.major, metadata.version.minor) = version;
            return std::ptr::null_mut();
        }
        run(Frame(frame))
    }
}

/// Registers handlers of the first and the last stage.
pub(crate) fn register(
    name: &str,
    instantiate: Option<Handler>,
    execute: Option<Handler>,
) -> Result<(), String> {
    let handlers = [instantiate, None, None, execute];
    let mut message = [0u8; 512];
    let (text, room) = (message.as_mut_ptr().cast::<c_char>(), message.len());
    // SAFETY: a name, four handlers that live as long as the process, and room.
    let status = unsafe { wengert_register_target(name.as_ptr(), name.len(), handlers.as_ptr(), text, room) };
    let said = std::ffi::CStr::from_bytes_until_nul(&message).expect("it ends");
    if status == 0 { Ok(()) } else { Err(said.to_string_lossy().into_owned()) }
}
