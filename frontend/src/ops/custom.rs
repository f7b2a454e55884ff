//! Functions with derivatives of the user's: [`custom_jvp`], [`custom_vjp`].

use super::control::{body_of, join, same_structure};
use crate::Tensor;
use crate::call::{Args, Func};
use crate::context::{What, is_tracing};
use crate::error::{Error, fail};
use crate::ops::control::rebuild;
use crate::trace::{Later, apply_at, evaluate, later};
use crate::transform::Transformed;
use crate::tree::{self, Tree};
use std::panic::Location;
use std::rc::Rc;
use wengert_ir::op::{CustomJvp, CustomVjp};

/// A tree like `like` with these leaves where it is differentiable, and zeros elsewhere.
fn with_tangents<T: Tree>(like: &T, tangents: &[Tensor]) -> T {
    let mut tangents = tangents.iter();
    like.map(&mut |t| match t.dtype().is_differentiable() {
        true => tangents.next().expect("a tangent per differentiable leaf").clone(),
        false => Tensor::zeros_of(&t.ty()),
    })
}

/// The differentiable leaves of `tree`, which must have the types of `like`.
fn tangents_of<T: Tree>(what: What, name: &str, tree: &T, like: &T) -> Vec<Tensor> {
    let mut wanted = Vec::new();
    like.visit(&mut |t| wanted.push(t.ty()));
    let (mut out, mut k, mut bad) = (Vec::new(), 0, None);
    tree.visit(&mut |t| {
        match wanted.get(k) {
            Some(ty) if !ty.dtype.is_differentiable() => {}
            Some(ty) if t.has_type(ty) => out.push(t.clone()),
            Some(ty) => bad = bad.take().or(Some(format!("{name}: leaf {k} is {}, not {ty}", t.ty()))),
            None => {}
        }
        k += 1;
    });
    if bad.is_none()
        && let Some([wanted, found]) = tree::difference(like, tree)
    {
        bad = Some(format!("{name}: the structure is {found}, not {wanted}"));
    }
    if let Some(message) = bad {
        fail(Error::new(message, Some(what.at)).within(what))
    }
    out
}

/// Where the values of leaves come from.
fn known<T: Tree>(tree: &T) -> Vec<Option<Later>> {
    tree::leaves(tree).iter().map(|t| Some(later(t))).collect()
}

/// The same with vectors after them that nobody knows yet.
fn partly_known(mut values: Vec<Option<Later>>, vectors: &[Tensor]) -> Vec<Option<Later>> {
    values.extend(vectors.iter().map(|_| None));
    values
}

fn differentiable<T: Tree>(tree: &T) -> Vec<Tensor> {
    let mut out = Vec::new();
    tree.visit(&mut |t| {
        if t.dtype().is_differentiable() {
            out.push(t.clone());
        }
    });
    out
}

/// `f` with a derivative of its own, as `jax.custom_jvp`: `rule(arguments, tangents)` gives `f`'s value and its tangent, and
/// must be linear in the tangents. It serves forward and reverse mode and all orders.
///
/// Arguments and tangents are tuples. Integer leaves have tangents of zeros, and tangents that the rule gives for them are
/// ignored. What `f` captures need not be constant: if it is differentiated, `f` is differentiated by it as it is computed, and
/// that is added to the tangent of the rule, which is of the arguments alone.
///
/// ```
/// use wengert::{Tensor, custom_jvp, grad};
/// // log(1 + e^x), whose derivative must not overflow.
/// let f = custom_jvp(
///     |x: Tensor| x.exp().log1p(),
///     |(x,), (dx,)| (x.exp().log1p(), dx * x.sigmoid()),
/// );
/// assert_eq!(grad(f)(Tensor::from(1000.0f64)).item::<f64>(), 1.0);
/// // By what it captures as it is computed, by its argument as the rule says.
/// let g = |w: Tensor| {
///     let (by, w1) = (w.clone(), w.clone());
///     custom_jvp(move |x: Tensor| x * &by, move |(x,), (dx,)| (x * &w1, dx * 100.0))(w)
/// };
/// assert_eq!(grad(g)(Tensor::from(3.0f64)).item::<f64>(), 103.0);
/// ```
///
/// Under `jit` and transforms the function fails if value and tangent have other types than `f`'s result. Differentiation fails if
/// a captured tensor is differentiated and `f` has no derivative by it, and [`jet`](crate::jet()) if one has a series.
#[track_caller]
pub fn custom_jvp<A: Args, F: Func<A>>(
    f: F,
    rule: impl Fn(A, A) -> (F::Out, F::Out) + Send + Sync + 'static,
) -> Transformed<A, F::Out> {
    let what = What { name: "custom_jvp", at: Location::caller() };
    Transformed::new(move |args: A| {
        if !is_tracing() {
            return f.call_with(args);
        }
        let (out, _, function) = body_of(what, &args, known(&args), |args| f.call_with(args));
        let inputs = (args.clone(), differentiable(&args));
        let values = partly_known(known(&args), &inputs.1);
        let (_, _, derivative) = body_of(what, &inputs, values, |(args, tangents): (A, Vec<Tensor>)| {
            let tangents = with_tangents(&args, &tangents);
            let (value, tangent) = rule(args, tangents);
            same_structure(what, &value, &out, "the rule must give what the function gives");
            let tangents = tangents_of(what, "the tangent that the rule gives", &tangent, &out);
            (value, tangents)
        });
        let (ids, captures) = join(&[&function, &derivative]);
        let op = CustomJvp { body: ids[0], rule: ids[1], consts: captures.len() };
        let mut operands: Vec<&Tensor> = captures.iter().collect();
        args.visit(&mut |t| operands.push(t));
        rebuild(&out, &apply_at(op.into(), &operands, what.at))
    })
}

/// `f` with a reverse mode of its own, as `jax.custom_vjp`: `forward(arguments)` gives `f`'s value and whatever the reverse
/// pass needs, and `backward` of that and a cotangent of the value gives cotangents of the arguments, a tuple. It has no
/// forward mode; higher orders differentiate the two functions.
///
/// Integer leaves have cotangents of zeros, and those that `backward` gives for them are ignored. What the functions
/// capture is constant to all, and what is differentiated must be an argument.
///
/// ```
/// use wengert::{Tensor, custom_vjp, grad};
/// // The identity, whose gradient is cut to [-1, 1].
/// let clipped = custom_vjp(
///     |x: Tensor| x,
///     |(x,)| (x, ()),
///     |(), g: Tensor| (g.clip(-1.0, 1.0),),
/// );
/// assert_eq!(grad(move |x: Tensor| clipped(x).powi(3))(Tensor::from(2.0f64)).item::<f64>(), 1.0);
/// ```
///
/// Under `jit` and transforms the function fails if the types do not fit, and differentiation fails if a captured tensor
/// is what is differentiated.
#[track_caller]
pub fn custom_vjp<A: Args, F: Func<A>, S: Tree>(
    f: F,
    forward: impl Fn(A) -> (F::Out, S) + Send + Sync + 'static,
    backward: impl Fn(S, F::Out) -> A + Send + Sync + 'static,
) -> Transformed<A, F::Out> {
    let what = What { name: "custom_vjp", at: Location::caller() };
    Transformed::new(move |args: A| {
        if !is_tracing() {
            return f.call_with(args);
        }
        with_reverse(what, args, &|args| f.call_with(args), &forward, &backward, false)
    })
}

/// What `f` makes of the arguments, with a reverse mode of its own; `forward_mode` says whether that is the derivative of `f`, so
/// that there is a forward mode too.
pub(super) fn with_reverse<A: Tree, R: Tree, S: Tree>(
    what: What,
    args: A,
    f: &dyn Fn(A) -> R,
    forward: &dyn Fn(A) -> (R, S),
    backward: &dyn Fn(S, R) -> A,
    forward_mode: bool,
) -> R {
    let (out, _, function) = body_of(what, &args, known(&args), f);
    let ((value, saved), _, first) = body_of(what, &args, known(&args), forward);
    same_structure(what, &value, &out, "the forward function must give what the function gives");
    let inputs = (saved, differentiable(&out));
    // What was saved is known as far as the forward function can be run now.
    let given = {
        let captured = first.captures.iter().map(later);
        Rc::new(evaluate(first.func, captured.chain(known(&args).into_iter().flatten()).collect()))
    };
    let (values, count) = (tree::leaves(&value).len(), tree::leaves(&inputs.0).len());
    let saved = (values..values + count).map(|k| {
        let given = given.clone();
        Some(Rc::new(move || given().map(|all| all[k].clone())) as Later)
    });
    let values = partly_known(saved.collect(), &inputs.1);
    let (_, _, second) = body_of(what, &inputs, values, |(saved, cotangents): (S, Vec<Tensor>)| {
        let given = backward(saved, with_tangents(&out, &cotangents));
        tangents_of(what, "the cotangents that the backward function gives", &given, &args)
    });
    let (ids, captures) = join(&[&function, &first, &second]);
    let op =
        CustomVjp { body: ids[0], forward: ids[1], backward: ids[2], consts: captures.len(), forward_mode };
    let mut operands: Vec<&Tensor> = captures.iter().collect();
    args.visit(&mut |t| operands.push(t));
    rebuild(&out, &apply_at(op.into(), &operands, what.at))
}
