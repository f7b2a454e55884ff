//! Loops that keep less for their reverse pass: segments of steps as checkpoints.

use super::checkpoint::{Policy, saved};
use super::control::{condition_and_step, framed, rebuild, while_loop};
use super::revolve::while_in_slots;
use super::save::Save;
use crate::Tensor;
use crate::context::What;
use crate::trace::{Recorded, apply_at};
use crate::tree::Tree;
use std::panic::Location;
use wengert_ir::op::Call;

/// [`while_loop`] with less memory for its derivatives.
///
/// ```
/// use wengert::{Save, Tensor, grad, jit, while_loop_with};
/// let far = |x: Tensor| x.less(1e6);
/// let last = move |x: Tensor| while_loop_with(far, |x| &x * 1.001 + 1.0, x, Save::Root);
/// assert!(jit(grad(last))(Tensor::from(1.0f64)).item::<f64>() > 900.0);
/// ```
///
/// Fails as [`while_loop`] does.
#[track_caller]
pub fn while_loop_with<T: Tree>(
    condition: impl FnOnce(T) -> Tensor,
    step: impl FnOnce(T) -> T,
    init: T,
    save: Save,
) -> T {
    let (first, growth) = match save {
        Save::EachStep => return while_loop(condition, step, init),
        Save::Every(steps) => (steps.max(1) as i64, 0),
        Save::Root => (1, 1),
        Save::Slots(slots) => {
            let what = What { name: "while_loop_with", at: Location::caller() };
            return framed(what, || while_in_slots(what, condition, step, init, slots));
        }
    };
    let what = What { name: "while_loop_with", at: Location::caller() };
    framed(what, || {
        let (c, s, _) = condition_and_step(what, &init, condition, step);
        let holds = |x: &T| call(what, &c, x).remove(0);
        let next = |x: T| rebuild(&x, &call(what, &s, &x));
        let segment = |(most, x): (Tensor, T)| {
            let goes_on = |(k, x): (Tensor, T)| k.less(&most).logical_and(holds(&x));
            while_loop(goes_on, |(k, x)| (k + 1i64, next(x)), (Tensor::from(0i64), x)).1
        };
        let (_, x) = while_loop(
            |(_, x): (Tensor, T)| holds(&x),
            |(most, x)| (&most + growth, saved(what, &Policy::NOTHING, &(most, x), segment)),
            (Tensor::from(first), init),
        );
        x
    })
}

/// The results of a function that has been traced.
pub(super) fn call<T: Tree>(what: What, function: &Recorded, x: &T) -> Vec<Tensor> {
    let mut operands: Vec<&Tensor> = function.captures.iter().collect();
    x.visit(&mut |t| operands.push(t));
    apply_at(Call { callee: function.func }.into(), &operands, what.at).to_vec()
}
