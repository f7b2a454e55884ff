//! The record that generated code passes to every function and routine.

use super::guarded;
use super::stacks::Stack;
use std::mem::offset_of;

/// State of one call. Each thread that works for the call has its own copy.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct Context {
    /// The stacks of the program, in order of their memories.
    pub(crate) stacks: *mut Stack,
    /// Steps left.
    pub(crate) steps: u64,
    /// Bytes that stacks may still grow by, and that values in the reference interpreter may take.
    pub(crate) memory: u64,
}

/// Offset of the pointer to the stacks.
pub(crate) const STACKS: i32 = offset_of!(Context, stacks) as i32;
/// Offset of the steps left.
pub(crate) const STEPS: i32 = offset_of!(Context, steps) as i32;

/// A field of a stack that generated code reads.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StackField {
    /// Pointer to the first row.
    Rows,
    /// How many rows there is room for.
    Capacity,
}

/// Offset of a field of stack `number` from the pointer to the stacks.
pub(crate) fn stack_field(number: usize, field: StackField) -> i32 {
    let offset = match field {
        StackField::Rows => offset_of!(Stack, rows),
        StackField::Capacity => offset_of!(Stack, capacity),
    };
    i32::try_from(number * size_of::<Stack>() + offset).expect("few stacks")
}

/// Makes room for `rows` rows in stack `number`; called by generated code.
///
/// # Safety
/// `context` is that of a call in progress of a program that has such a stack.
pub(crate) unsafe extern "C" fn grow(context: *mut Context, number: usize, rows: i64) -> i32 {
    guarded(|| {
        // SAFETY: by the contract the context and the stack exist, and the calling code holds no reference to them.
        let (context, stack) = unsafe { (&mut *context, &mut *(*context).stacks.add(number)) };
        stack.grow(rows, &mut context.memory)
    })
}
