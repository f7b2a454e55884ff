//! [`checkpoint`]: less memory for more time; [`checkpoint_name`]: what its policies may speak of.

use super::control::{body, join, rebuild};
use crate::Tensor;
use crate::call::{Args, Func};
use crate::context::{What, is_tracing};
use crate::error::{Error, fail};
use crate::trace::{apply_at, with_module};
use crate::transform::Transformed;
use crate::tree::Tree;
use std::ops::Deref;
use std::panic::Location;
use std::sync::Arc;
pub use wengert_ir::op::Keep;
use wengert_ir::types::{DType, TensorType};
use wengert_passes::ad::name_results;

/// A function whose reverse pass computes again what it needs, made by [`checkpoint`]. Call it like the function it came from;
/// pass it on to transforms.
pub struct Checkpoint<A: Args, R: Tree> {
    f: Arc<dyn Fn(A) -> R + Send + Sync>,
    what: What,
    policy: Policy,
    call: Transformed<A, R>,
}

/// What a checkpoint keeps, and how.
#[derive(Clone)]
pub(super) struct Policy {
    keep: Keep,
    names: Vec<String>,
    wanted: Option<Wanted>,
    compress: Option<DType>,
}

/// Says whether the results of an operation, by its name and their type, are kept.
type Wanted = Arc<dyn Fn(&str, &TensorType) -> bool + Send + Sync>;

impl Policy {
    /// Keeps the arguments only.
    pub(super) const NOTHING: Policy =
        Policy { keep: Keep::Nothing, names: Vec::new(), wanted: None, compress: None };
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
    Checkpoint::of(Arc::new(move |args| f.call_with(args)), what, Policy::NOTHING)
}

impl<A: Args, R: Tree> Checkpoint<A, R> {
    fn of(f: Arc<dyn Fn(A) -> R + Send + Sync>, what: What, policy: Policy) -> Self {
        let (g, of_call) = (f.clone(), policy.clone());
        let call = Transformed::new(move |args: A| match is_tracing() {
            true => saved(what, &of_call, &args, |args| g(args)),
            false => g(args),
        });
        Checkpoint { f, what, policy, call }
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
    ///
    /// [`Keep::Names`] keeps every value that has a name; [`Checkpoint::keep_names`] some.
    pub fn keep(self, keep: Keep) -> Self {
        let policy = Policy { keep, names: Vec::new(), wanted: None, ..self.policy };
        Self::of(self.f, self.what, policy)
    }

    /// Keeps the values that have one of these names, which [`checkpoint_name`] gives.
    ///
    /// ```
    /// use wengert::{Tensor, checkpoint, checkpoint_name, grad};
    /// let layer = |x: Tensor| checkpoint_name(x.sin(), "sine").exp().sin();
    /// let layer = checkpoint(layer).keep_names(["sine"]);
    /// assert_eq!(grad(move |x: Tensor| layer(x))(Tensor::from(0.0f64)).item::<f64>(), 1f64.cos());
    /// ```
    ///
    /// Fails for a name with other characters than letters, digits, `_`, `.`, `-` and `/`, and for one that begins with `wengert/`.
    #[track_caller]
    pub fn keep_names<'a>(self, names: impl IntoIterator<Item = &'a str>) -> Self {
        let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
        let what = What { name: "keep_names", at: Location::caller() };
        names.iter().for_each(|name| check_name(what, name));
        let policy = Policy { keep: Keep::Names, names, wanted: None, ..self.policy };
        Self::of(self.f, self.what, policy)
    }

    /// Keeps what `wanted` says, which is asked of each operation of the function, by its name in text and the type of its
    /// result. Operations in loops and branches are parts of these and not asked of.
    ///
    /// ```
    /// use wengert::{Tensor, checkpoint, grad};
    /// let layer = |x: Tensor| x.exp().sin().cumsum(0).cos();
    /// // Exponentials of large tensors.
    /// let layer = checkpoint(layer)
    ///     .keep_where(|op, ty| op == "stablehlo.exponential" && ty.elements() >= 2);
    /// let d = grad(move |x: Tensor| layer(x).sum());
    /// assert_eq!(d(Tensor::from([0.0f64, 1.0])).shape(), [2]);
    /// ```
    pub fn keep_where(self, wanted: impl Fn(&str, &TensorType) -> bool + Send + Sync + 'static) -> Self {
        let policy = Policy {
            keep: Keep::Names,
            names: vec![WANTED.into()],
            wanted: Some(Arc::new(wanted)),
            ..self.policy
        };
        Self::of(self.f, self.what, policy)
    }

    /// Stores the floats that are kept, beside the arguments, in a smaller type, and computes derivatives with what that makes
    /// of them. Values do not change. A value that is kept so is off by at most 2^-9 of itself in [`DType::BF16`] and 2^-12
    /// in [`DType::F16`], as far as the type's range goes; integers, booleans and floats that are no wider stay as they are. Comparisons are those
    /// of the values: what is decided is kept too, or what it is decided by is not rounded.
    ///
    /// ```
    /// use wengert::{DType, Keep, Tensor, checkpoint, grad};
    /// let layer = checkpoint(|x: Tensor| x.sin().exp()).keep(Keep::Everything).compress(DType::BF16);
    /// let d = grad(move |x: Tensor| layer(x))(Tensor::from(1.0f32)).item::<f32>();
    /// let exact = 1f32.cos() * 1f32.sin().exp();
    /// assert!(d != exact && (d - exact).abs() < 2f32.powi(-7) * exact);
    /// ```
    ///
    /// Fails if that is no float.
    #[track_caller]
    pub fn compress(self, dtype: DType) -> Self {
        if !dtype.is_float() {
            let what = What { name: "compress", at: Location::caller() };
            let message = format!(
                "compress({}): floats are kept in a smaller float, for one `DType::BF16`",
                dtype.name()
            );
            fail(Error::new(message, Some(what.at)).within(what))
        }
        let policy = Policy { compress: Some(dtype), ..self.policy };
        Self::of(self.f, self.what, policy)
    }
}

impl<A: Args, R: Tree> Clone for Checkpoint<A, R> {
    fn clone(&self) -> Self {
        Checkpoint {
            f: self.f.clone(),
            what: self.what,
            policy: self.policy.clone(),
            call: self.call.clone(),
        }
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

/// The name of what [`Checkpoint::keep_where`] wants: none that [`checkpoint_name`] gives.
const WANTED: &str = "wengert/wanted";

/// `x`, whose leaves have a name that policies of a [`checkpoint`] around may speak of, as JAX's `checkpoint_name`; see
/// [`Checkpoint::keep_names`].
///
/// Fails for a name with other characters than letters, digits, `_`, `.`, `-` and `/`, and for one that begins with `wengert/`.
#[track_caller]
pub fn checkpoint_name<T: Tree>(x: T, name: &str) -> T {
    let what = What { name: "checkpoint_name", at: Location::caller() };
    check_name(what, name);
    if !is_tracing() {
        return x;
    }
    x.map(&mut |t| {
        let (_, _, identity) = body(what, t, |t| t);
        let op = wengert_ir::op::Checkpoint::named(identity.func, name.into());
        apply_at(op.into(), &[t], what.at).remove(0)
    })
}

fn check_name(what: What, name: &str) {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '/');
    if name.is_empty() || !name.chars().all(is_word) {
        let message = format!("{name:?} is no name: names are of letters, digits, `_`, `.`, `-` and `/`");
        fail(Error::new(message, Some(what.at)).within(what))
    }
    if name.starts_with("wengert/") {
        let message = format!("{name:?}: names that begin with `wengert/` are not for users");
        fail(Error::new(message, Some(what.at)).within(what))
    }
}

/// What `f` makes of the arguments, as one instruction of the program that is being traced.
pub(super) fn saved<T: Tree, R: Tree>(what: What, policy: &Policy, args: &T, f: impl FnOnce(T) -> R) -> R {
    let (out, _, mut function) = body(what, args, f);
    if let Some(wanted) = &policy.wanted {
        let asked = |op: &wengert_ir::op::Op, ty: &TensorType| wanted(op.name(), ty);
        function.func = with_module(|m| name_results(m, function.func, WANTED, &asked));
    }
    let (ids, captures) = join(&[&function]);
    let op = wengert_ir::op::Checkpoint {
        names: policy.names.join(",").into(),
        compress: policy.compress,
        ..wengert_ir::op::Checkpoint::new(ids[0], policy.keep)
    };
    let mut operands: Vec<&Tensor> = captures.iter().collect();
    args.visit(&mut |t| operands.push(t));
    rebuild(&out, &apply_at(op.into(), &operands, what.at))
}
