//! Functions of the host in traced functions: [`callback`], [`io_callback`], [`io_callback_unordered`],
//! [`debug_callback`].

use crate::Tensor;
use crate::call::{Args, Func};
use crate::error::boundary;
use crate::host_numbers::numbered;
use crate::ops::control::rebuild;
use crate::trace::{apart, apply_at};
use crate::tree::Tree;
use std::panic::Location;
use wengert_ir::array::Array;
use wengert_ir::host::{Batching, Host};
use wengert_ir::op::CustomCall;
use wengert_ir::types::{TensorType, Type};

/// How a function of the host is called.
struct Call {
    target: &'static str,
    batching: Batching,
    is_ordered: bool,
    at: &'static Location<'static>,
}

impl Call {
    fn of<A: Args, F: Func<A>>(self, f: F, like: &F::Out, args: A) -> F::Out {
        let mut results: Vec<Type> = Vec::new();
        like.visit(&mut |t| results.push(t.ty().into()));
        let nothing = Tensor::from(0.0f32);
        // It must not keep tracers.
        let skeleton = args.map(&mut |_| nothing.clone());
        let host = Host::new(self.batching, move |arrays: &[Array]| {
            let call = || {
                let mut leaves = arrays.iter();
                let leaf = |_: &Tensor| Tensor::from_array(leaves.next().expect("an array per leaf").clone());
                let out = f.call_with(skeleton.map(&mut { leaf }));
                let mut given = Vec::new();
                out.visit(&mut |t| given.push(t.to_array()));
                given
            };
            apart(|| boundary(call)).map_err(|e| e.to_string())
        });
        let op = CustomCall {
            target: self.target.into(),
            attributes: numbered(1),
            has_side_effect: self.is_ordered,
            results,
            called_computations: Vec::new(),
            host,
        };
        let mut operands: Vec<&Tensor> = Vec::new();
        args.visit(&mut |t| operands.push(t));
        rebuild(like, &apply_at(op.into(), &operands, self.at))
    }
}

/// What the Rust function `f` gives for `args`, whose values it is called with when the program runs, compiled or not. `like`
/// has the structure and the types of the result; its values are not looked at.
///
/// `f` must be pure: it may be called more or less often than the program says, or not at all. A panic in it ends the program
/// with an error that names this line. Under `vmap` it is called for one example after the other;
/// [`callback_of_batches`] takes all at once. It has a derivative if it is given one ([`crate::custom_jvp`],
/// [`crate::custom_vjp`]).
///
/// ```
/// use wengert::{Tensor, callback, jit};
/// // Something that no operation computes.
/// let digits = |x: Tensor| Tensor::from(format!("{}", x.item::<i64>()).len() as i64);
/// let f = jit(move |x: Tensor| callback(digits, &x, (x.clone(),)) + 1);
/// assert_eq!(f(Tensor::from(1234i64)).item::<i64>(), 5);
/// ```
///
/// Fails if `f` gives something of other types than it was said to.
#[track_caller]
pub fn callback<A: Args, F: Func<A>>(f: F, like: &F::Out, args: A) -> F::Out {
    let (target, batching) = ("wengert.callback", Batching::Examples);
    Call { target, batching, is_ordered: false, at: Location::caller() }.of(f, like, args)
}

/// As [`callback`], for a function that under `vmap` is called once, with all examples: each argument and each result then has
/// one dimension more, in front, for each `vmap` that it is in.
///
/// ```
/// use wengert::{Tensor, effects::callback_of_batches, vmap};
/// // Elementwise, so that it is all the same how many there are.
/// let twice = |x: Tensor| { assert_eq!(x.shape(), [3]); &x * 2.0 };
/// let f = vmap(move |x: Tensor| callback_of_batches(twice, &x, (x.clone(),)));
/// assert_eq!(f(Tensor::from([1.0f64, 2.0, 3.0])).to_vec::<f64>(), [2.0, 4.0, 6.0]);
/// ```
#[track_caller]
pub fn callback_of_batches<A: Args, F: Func<A>>(f: F, like: &F::Out, args: A) -> F::Out {
    let (target, batching) = ("wengert.callback", Batching::Whole);
    Call { target, batching, is_ordered: false, at: Location::caller() }.of(f, like, args)
}

/// As [`callback`], for a function that does something, or gives something else each time: it is called exactly as often as the
/// program says and in its order, among all that is ordered. Derivatives do not pass through it: where it gives floats, its
/// arguments must have none (`stop_gradient`). `vmap` refuses it, because examples have no order;
/// [`io_callback_unordered`] is called for each.
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use wengert::{Tensor, io_callback, jit, scan};
/// let line = Arc::new(Mutex::new(vec![3.0f64, 2.0, 1.0]));
/// let next = { let line = line.clone(); move |_: Tensor| Tensor::from(line.lock().unwrap().pop().unwrap()) };
/// let f = jit(move |x: Tensor| {
///     let a = io_callback(next.clone(), &x, (x.clone(),));
///     let b = io_callback(next.clone(), &x, (x.clone(),));
///     a * 10.0 + b
/// });
/// assert_eq!(f(Tensor::from(0.0f64)).item::<f64>(), 12.0);
/// assert_eq!(*line.lock().unwrap(), [3.0]);
/// ```
#[track_caller]
pub fn io_callback<A: Args, F: Func<A>>(f: F, like: &F::Out, args: A) -> F::Out {
    let (target, batching) = ("wengert.io_callback", Batching::Refused);
    Call { target, batching, is_ordered: true, at: Location::caller() }.of(f, like, args)
}

/// As [`io_callback`], for a function whose calls may come in any order: under `vmap` it is called once for each example, one
/// after the other, if one of its arguments differs from example to example, and once for all if none does. It is called no
/// less and no more often than the program says, in loops and branches as well.
///
/// Where the examples of a batch leave a `while_loop` around it at different times, the loop has no reverse mode.
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use wengert::{Tensor, io_callback_unordered, jit, vmap};
/// let seen = Arc::new(Mutex::new(Vec::new()));
/// let s = seen.clone();
/// let half = move |x: Tensor| { s.lock().unwrap().push(x.item::<f64>()); &x * 0.5 };
/// let f = jit(vmap(move |x: Tensor| io_callback_unordered(half.clone(), &x, (x.clone(),))));
/// assert_eq!(f(Tensor::from([2.0f64, 4.0])).to_vec::<f64>(), [1.0, 2.0]);
/// seen.lock().unwrap().sort_by(f64::total_cmp);
/// assert_eq!(*seen.lock().unwrap(), [2.0, 4.0]);
/// ```
///
/// Fails if `f` gives something of other types than it was said to, or panics; the error names this line.
#[track_caller]
pub fn io_callback_unordered<A: Args, F: Func<A>>(f: F, like: &F::Out, args: A) -> F::Out {
    let (target, batching) = ("wengert.io_callback", Batching::Examples);
    Call { target, batching, is_ordered: true, at: Location::caller() }.of(f, like, args)
}

/// Calls `f` with the values of `args`, in order, as [`debug_print`](super::debug_print) prints them: for what looks on. Under `vmap` it is
/// called for one example after the other.
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use wengert::{Tensor, debug_callback, grad};
/// let seen = Arc::new(Mutex::new(Vec::new()));
/// let s = seen.clone();
/// let d = grad(move |x: Tensor| {
///     let (y, s) = (x.exp(), s.clone());
///     debug_callback(move |y: Tensor| s.lock().unwrap().push(y.item::<f64>()), (y.clone(),));
///     y
/// });
/// assert_eq!(d(Tensor::from(0.0f64)).item::<f64>(), 1.0);
/// assert_eq!(*seen.lock().unwrap(), [1.0]);
/// ```
#[track_caller]
pub fn debug_callback<A: Args, F: Func<A, Out = ()>>(f: F, args: A) {
    let (target, batching) = ("wengert.debug_callback", Batching::Examples);
    Call { target, batching, is_ordered: true, at: Location::caller() }.of(f, &(), args)
}

/// A call of what is registered for a target.
pub(super) fn registered(
    target: &str,
    operands: &[&Tensor],
    results: &[TensorType],
    at: &'static Location<'static>,
) -> Vec<Tensor> {
    let op = CustomCall {
        target: target.into(),
        attributes: "api_version = 4 : i32".into(),
        has_side_effect: false,
        results: results.iter().cloned().map(Type::from).collect(),
        called_computations: Vec::new(),
        host: Host::default(),
    };
    apply_at(op.into(), operands, at).into_vec()
}
