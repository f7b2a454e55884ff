//! [`checkpoint`]: less memory for more time.

use super::control::{body, join, rebuild};
use crate::Tensor;
use crate::call::{Args, Func};
use crate::trace::{What, apply_at, is_tracing};
use crate::transform::Transformed;
use crate::tree::Tree;
use std::ops::Deref;
use std::panic::Location;
use std::sync::Arc;
pub use wengert_ir::op::Keep;

/// A function whose reverse pass computes again what it needs, made by [`checkpoint`]. Call it like the function it came from;
/// pass it on to transforms.
pub struct Checkpoint<A: Args, R: Tree> {
    f: Arc<dyn Fn(A) -> R + Send + Sync>,
    what: What,
    call: Transformed<A, R>,
}

/// `f`, whose reverse pass keeps what goes into it and computes the rest again, as `jax.checkpoint`: less memory for more time.
/// Values and derivatives are those of `f`, in every mode and order; what `f` captures is differentiated as its arguments are.
///
/// ```
/// use wengert::{Tensor, checkpoint, grad};
/// let layer = checkpoint(|w: Tensor, x: Tensor| (w * x).sin().exp());
/// let d = grad(move |w: Tensor| layer(w, Tensor::from(2.0f64)));
/// assert!((d(Tensor::from(0.0f64)).item::<f64>() - 2.0).abs() < 1e-15);
/// ```
#[track_caller]
pub fn checkpoint<A: Args, F: Func<A>>(f: F) -> Checkpoint<A, F::Out> {
    let what = What { name: "checkpoint", at: Location::caller() };
    Checkpoint::of(Arc::new(move |args| f.call_with(args)), what, Keep::Nothing)
}

impl<A: Args, R: Tree> Checkpoint<A, R> {
    fn of(f: Arc<dyn Fn(A) -> R + Send + Sync>, what: What, keep: Keep) -> Self {
        let g = f.clone();
        let call =
            Transformed::new(
                move |args: A| {
                    if is_tracing() { saved(what, keep, &args, |args| g(args)) } else { g(args) }
                },
            );
        Checkpoint { f, what, call }
    }

    /// What the reverse pass keeps beside the arguments, so that it is not computed again.
    ///
    /// ```
    /// use wengert::{Keep, Tensor, checkpoint, grad};
    /// // The product is kept, its sine is not.
    /// let layer = checkpoint(|w: Tensor, x: Tensor| w.matmul(&x).sin().sin()).keep(Keep::Contractions);
    /// let d = grad(move |w: Tensor| layer(w, Tensor::from([2.0f64])).sum());
    /// assert_eq!(d(Tensor::from([[0.0f64]])).to_vec::<f64>(), [2.0]);
    /// ```
    pub fn keep(self, keep: Keep) -> Self {
        Self::of(self.f, self.what, keep)
    }
}

impl<A: Args, R: Tree> Clone for Checkpoint<A, R> {
    fn clone(&self) -> Self {
        Checkpoint { f: self.f.clone(), what: self.what, call: self.call.clone() }
    }
}

impl<A: Args, R: Tree> Deref for Checkpoint<A, R> {
    type Target = A::Callable<R>;
    fn deref(&self) -> &Self::Target {
        &self.call
    }
}

impl<A: Args, R: Tree> Func<A> for Checkpoint<A, R> {
    type Out = R;
    fn call_with(&self, args: A) -> R {
        self.call.call_with(args)
    }
}

/// What `f` makes of the arguments, as one instruction of the program that is being traced.
pub(super) fn saved<T: Tree, R: Tree>(what: What, keep: Keep, args: &T, f: impl FnOnce(T) -> R) -> R {
    let (out, _, function) = body(what, args, f);
    let (ids, captures) = join(&[&function]);
    let op = wengert_ir::op::Checkpoint::new(ids[0], keep);
    let mut operands: Vec<&Tensor> = captures.iter().collect();
    args.visit(&mut |t| operands.push(t));
    rebuild(&out, &apply_at(op.into(), &operands, what.at))
}
