//! The library that object files link with which `wengert build --runtime` makes: one function runs an operation that has no loops in the
//! object (a sort, a factorization, a Fourier transform), another says why that failed.
//!
//! An object holds such an operation as the text of a program of one instruction. It is read when it is called first, and what was
//! read stays as long as the process. The bits are those of the same operation in a program that was compiled in the process.

#![allow(unsafe_code, reason = "the boundary to C: every block states what the caller has promised")]

use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicPtr, Ordering};
use wengert_ir::interp::Limits;
use wengert_ir::kernel::reference::Reference;

thread_local! {
    /// Why the last call on this thread that failed did so.
    static WHY: RefCell<CString> = RefCell::default();
}

/// Runs an operation; objects call this. Gives 0, or 1 if it failed: [`wengert_last_error`].
///
/// # Safety
/// `place` is a pointer of the object's that is null at first; it belongs to the text, of `size` bytes. `tensors` holds a pointer to
/// the elements of each argument and then of each result, as many as the types of the program say; results overlap nothing, and hold
/// some value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wengert_run(
    place: *const AtomicPtr<Reference>,
    text: *const u8,
    size: usize,
    tensors: *const *mut u8,
) -> i32 {
    // SAFETY: the contract of this function.
    let done = catch_unwind(AssertUnwindSafe(|| unsafe {
        run(&*place, std::slice::from_raw_parts(text, size), tensors)
    }));
    let why = match done {
        Ok(Ok(())) => return 0,
        Ok(Err(why)) => why,
        Err(_) => "a panic, which is a bug of Wengert".to_owned(),
    };
    let why = why.replace('\0', " ");
    WHY.set(CString::new(why).unwrap_or_default());
    1
}

/// Why the last call on this thread that gave something else than 0 did so: a text that ends with zero, and that is there until the next
/// such call.
#[unsafe(no_mangle)]
pub extern "C" fn wengert_last_error() -> *const c_char {
    WHY.with_borrow(|why| why.as_ptr())
}

/// # Safety
/// As of [`wengert_run`].
unsafe fn run(place: &AtomicPtr<Reference>, text: &[u8], tensors: *const *mut u8) -> Result<(), String> {
    let program = read(place, text)?;
    let (params, results) = (program.params(), program.results());
    // SAFETY: the contract of this function.
    let (tensors, out) =
        unsafe { std::slice::from_raw_parts(tensors, params.len() + results.len()) }.split_at(params.len());
    let args: Vec<&[u8]> = params
        .iter()
        .zip(tensors)
        // SAFETY: the contract of this function.
        .map(|(ty, &pointer)| unsafe {
            if ty.bytes() == 0 { &[] } else { std::slice::from_raw_parts(pointer, ty.bytes()) }
        })
        .collect();
    let mut into: Vec<&mut [u8]> = results
        .iter()
        .zip(out)
        // SAFETY: the contract of this function.
        .map(|(ty, &pointer)| unsafe {
            if ty.bytes() == 0 { &mut [][..] } else { std::slice::from_raw_parts_mut(pointer, ty.bytes()) }
        })
        .collect();
    if let Some(done) = program.run_into(&args, &mut into) {
        return done.map_err(|e| e.to_string());
    }
    let (found, _) = program.run(&args, &Limits::default());
    for (array, to) in found.map_err(|e| e.to_string())?.iter().zip(into) {
        to.copy_from_slice(array.bytes());
    }
    Ok(())
}

/// The program of a text, which is read once; of two threads that read it at the same time one keeps what it has.
fn read(place: &AtomicPtr<Reference>, text: &[u8]) -> Result<&'static Reference, String> {
    let known = place.load(Ordering::Acquire);
    // SAFETY: what is there was put there by this function, and is never freed.
    if let Some(program) = unsafe { known.as_ref() } {
        return Ok(program);
    }
    let text = std::str::from_utf8(text).map_err(|e| e.to_string())?;
    let own = Box::into_raw(Box::new(Reference::parse(text)?));
    match place.compare_exchange(std::ptr::null_mut(), own, Ordering::AcqRel, Ordering::Acquire) {
        // SAFETY: it was made by `Box::into_raw` and is never freed.
        Ok(_) => Ok(unsafe { &*own }),
        Err(other) => {
            // SAFETY: nobody else has it.
            drop(unsafe { Box::from_raw(own) });
            // SAFETY: as above, by another thread.
            Ok(unsafe { &*other })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    const REVERSE: &str = "func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %y = stablehlo.reverse %x, dims = [0] : tensor<4xf32>
      return %y : tensor<4xf32>
    }";

    fn call(place: &AtomicPtr<Reference>, text: &str) -> Result<[f32; 4], String> {
        let (mut x, mut y) = ([1f32, 2.0, 3.0, 4.0], [0f32; 4]);
        let tensors = [x.as_mut_ptr().cast::<u8>(), y.as_mut_ptr().cast()];
        // SAFETY: the place belongs to the text, and the tensors are of its types.
        let status = unsafe { wengert_run(place, text.as_ptr(), text.len(), tensors.as_ptr()) };
        // SAFETY: a text that ends with zero.
        let why = unsafe { CStr::from_ptr(wengert_last_error()) }.to_string_lossy().into_owned();
        if status == 0 { Ok(y) } else { Err(why) }
    }

    #[test]
    fn an_operation_runs_or_says_why_not() {
        let place = AtomicPtr::default();
        for _ in 0..2 {
            assert_eq!(call(&place, REVERSE), Ok([4.0, 3.0, 2.0, 1.0]));
        }
        let (again, threads) = (AtomicPtr::default(), 8);
        std::thread::scope(|s| {
            for _ in 0..threads {
                s.spawn(|| assert_eq!(call(&again, REVERSE), Ok([4.0, 3.0, 2.0, 1.0])));
            }
        });
        let wrong = call(&AtomicPtr::default(), "func.func public @main(");
        assert!(wrong.as_ref().is_err_and(|e| !e.is_empty()), "{wrong:?}");
        let nothing = call(&AtomicPtr::default(), "module {}");
        assert!(nothing.is_err_and(|e| e.contains("main")));
    }
}
