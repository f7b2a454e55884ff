//! What a function does besides computing, under every transform and in compiled code: it prints ([`debug_print`]), asks the host
//! ([`callback`], [`io_callback`], [`io_callback_unordered`], [`debug_callback`]), says what must hold ([`check`]) and names values ([`sow`]).
//!
//! What is ordered happens once, where the function is computed, in the order of the program: loops, branches and calls
//! included. `docs/effects.md` says what each is under each transform.

mod callbacks;
mod checked;
pub mod ffi;
mod reaping;

pub use callbacks::{callback, callback_of_batches, debug_callback, io_callback, io_callback_unordered};
pub use checked::{Checked, Failure, checked};
pub use reaping::{ByName, Sown, named, plant, plant_all, reap, reap_all, reap_last, sow};

use crate::Tensor;
use crate::trace::apply_at;
use std::panic::Location;
use wengert_ir::op::{Assert, Print};
use wengert_ir::types::Dims;

/// Prints a line with values in it when they are computed: `{}` stands for a value, `{{` and `}}` for braces. The macro
/// [`debug_print!`](crate::debug_print!) takes values as `println!` does.
///
/// Under `jit` the line is printed by the compiled program, under `grad` by the forward pass, once, and under `vmap` for one
/// example after the other. It goes to the standard output, or to [`prints_of`].
///
/// ```
/// use wengert::{Tensor, debug_print, effects::prints_of, grad, jit};
/// let f = jit(grad(|x: Tensor| {
///     let y = x.sin();
///     debug_print!("sin({}) = {}", x, y);
///     y
/// }));
/// let (_, lines) = prints_of(|| f(Tensor::from(0.0f64)));
/// assert_eq!(lines, ["sin(0.0) = 0.0"]);
/// ```
///
/// Fails if there are not as many `{}` as values, or if there is another brace.
#[track_caller]
pub fn debug_print(format: &str, values: &[&Tensor]) {
    apply_at(Print { format: format.into() }.into(), values, Location::caller());
}

/// Prints a line with the values of tensors in it, also from compiled code: see [`debug_print`](crate::effects::debug_print).
///
/// ```
/// use wengert::{Tensor, debug_print};
/// let x = Tensor::from([1.0f32, 2.0]);
/// debug_print!("x = {}, twice {}", x, &x * 2.0);
/// ```
#[macro_export]
macro_rules! debug_print {
    ($format:expr $(, $value:expr)* $(,)?) => {
        $crate::effects::debug_print($format, &[$(&$value),*])
    };
}

/// Runs `f` and gives the lines that are printed by it on this thread ([`debug_print`]); they do not go to the standard output.
pub fn prints_of<R>(f: impl FnOnce() -> R) -> (R, Vec<String>) {
    wengert_ir::printed::listening(f)
}

/// Says that every element of `pred` holds. Where one does not, the function fails with the message, in which `{}` stands for a
/// value, and this line; the macro [`check!`](crate::check!) takes values as `assert!` does.
///
/// Compiled code asks whether `pred` holds and goes on: only a message that is needed is made. Under `vmap` it names the
/// first example that fails, under `grad` it is of the forward pass.
///
/// ```
/// use wengert::{Tensor, check, jit};
/// let root = jit(|x: Tensor| {
///     check!(x.greater_equal(0.0), "the root of {}", x);
///     x.sqrt()
/// });
/// assert_eq!(root(Tensor::from(4.0f64)).item::<f64>(), 2.0);
/// let failed = root.try_call((Tensor::from(-4.0f64),)).unwrap_err();
/// assert_eq!(failed.message(), "the root of -4.0");
/// assert_eq!(failed.location().unwrap().file(), file!());
/// ```
///
/// Fails also if `pred` is not of booleans, or if the message has not as many `{}` as there are values.
#[track_caller]
pub fn check(pred: &Tensor, message: &str, values: &[&Tensor]) {
    let mut operands = vec![pred];
    operands.extend(values);
    let op = Assert { message: message.into(), batch: 0, mapped: Dims::from_elem(0, values.len()) };
    apply_at(op.into(), &operands, Location::caller());
}

/// Says that every element of a tensor of booleans holds, also in compiled code: see [`check`](crate::effects::check).
///
/// ```
/// use wengert::{Tensor, check};
/// let x = Tensor::from([1.0f32, 2.0]);
/// check!(x.greater(0.0), "{} must be positive", x);
/// ```
#[macro_export]
macro_rules! check {
    ($pred:expr, $message:expr $(, $value:expr)* $(,)?) => {
        $crate::effects::check(&$pred, $message, &[$(&$value),*])
    };
}
