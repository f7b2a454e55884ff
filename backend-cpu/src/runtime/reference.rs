//! Operations that the reference interpreter computes for compiled code.

use super::context::Context;
use super::guarded;
use super::status::Status;
use std::cell::RefCell;
use wengert_ir::func::Loc;
use wengert_ir::interp::Limits;
use wengert_ir::kernel::reference::Reference;
use wengert_ir::op::CheckKind;
use wengert_ir::rules::{EvalError, Raised};

thread_local! {
    /// Why the last failed call on this thread failed.
    static FAILURE: RefCell<Option<String>> = const { RefCell::new(None) };
    /// What the program said that the last call on this thread ran, if it stopped itself.
    static RAISED: RefCell<Option<Raised>> = const { RefCell::new(None) };
}

/// Takes what [`Status::Raised`] stands for.
pub(crate) fn take_raised() -> Raised {
    let nothing = || Raised { message: String::new(), loc: Loc::Unknown, guard: false };
    RAISED.with_borrow_mut(Option::take).unwrap_or_else(nothing)
}

/// Takes what [`Status::Refused`] stands for.
pub(crate) fn take_failure() -> String {
    FAILURE.with_borrow_mut(Option::take).unwrap_or_default()
}

/// Runs a program; called by generated code.
///
/// # Safety
/// `program` is kept by the executable; `tensors` holds a pointer per argument and then per result, each to as many
/// bytes as the type of that argument or result has; results overlap nothing, and are storage that was given values before.
pub(crate) unsafe extern "C" fn run(
    context: *mut Context,
    program: *const Reference,
    tensors: *const *mut u8,
) -> i32 {
    guarded(|| {
        // SAFETY: the contract of this function.
        let (context, program) = unsafe { (&mut *context, &*program) };
        let (params, results) = (program.params(), program.results());
        // SAFETY: the contract of this function.
        let tensors = unsafe { std::slice::from_raw_parts(tensors, params.len() + results.len()) };
        let args: Vec<&[u8]> = params
            .iter()
            .zip(tensors)
            // SAFETY: the contract of this function.
            .map(|(ty, &pointer)| unsafe { std::slice::from_raw_parts(pointer, ty.bytes()) })
            .collect();
        // Counting costs something: without a limit nothing is counted.
        let bound = |left: u64| (left != u64::MAX).then_some(left);
        let limits = Limits {
            max_steps: bound(context.steps),
            max_memory: bound(context.memory),
            ..Limits::default()
        };
        if limits.max_steps.is_none() && limits.max_memory.is_none() {
            let mut into: Vec<&mut [u8]> = results
                .iter()
                .zip(&tensors[params.len()..])
                // SAFETY: the contract of this function.
                .map(|(ty, &pointer)| unsafe { std::slice::from_raw_parts_mut(pointer, ty.bytes()) })
                .collect();
            if let Some(done) = program.run_into(&args, &mut into) {
                return done.map_or_else(status, |()| Status::Ok);
            }
        }
        let (out, steps) = program.run(&args, &limits);
        if limits.max_steps.is_some() {
            context.steps = context.steps.saturating_sub(steps);
        }
        match out {
            Ok(arrays) => {
                if !arrays.iter().map(|array| array.ty()).eq(results) {
                    FAILURE
                        .set(Some("the interpreter gave results of other types (this is a bug)".to_owned()));
                    return Status::Refused;
                }
                for (array, &pointer) in arrays.iter().zip(&tensors[params.len()..]) {
                    let bytes = array.bytes();
                    // SAFETY: the contract of this function; results have the declared types (checked above).
                    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), pointer, bytes.len()) };
                }
                Status::Ok
            }
            Err(e) => status(e),
        }
    })
}

/// What generated code is told of an error; what it says is left for who called the code.
fn status(error: EvalError) -> Status {
    match error {
        EvalError::Steps(_) => Status::Steps,
        EvalError::Memory(_) | EvalError::Unavailable(_) => Status::Memory,
        EvalError::Unsupported(why) => {
            FAILURE.set(Some(why));
            Status::Refused
        }
        EvalError::Check(failure) => {
            let guard = failure.check.kind == CheckKind::Guard;
            RAISED.set(Some(Raised { message: failure.to_string(), loc: Loc::Unknown, guard }));
            Status::Raised
        }
        EvalError::Raised(raised) => {
            RAISED.set(Some(*raised));
            Status::Raised
        }
    }
}
