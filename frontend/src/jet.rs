//! [`jet`]: derivatives of higher order along a curve, all at once.

use crate::call::{Args, Func};
use crate::context::What;
use crate::derive::Derivation;
use crate::error::{Error, fail};
use crate::refusals::tangents_of;
use crate::tensor::Tensor;
use crate::transform::record;
use crate::tree::Tree;
use std::panic::Location;
use wengert_passes::ad::MAX_ORDER;

/// The value of `f` at `args`, and its derivatives along a curve through them: where `series` holds the derivatives of
/// `x(t)` at `t = 0`, the first to the last, what is given are those of `f(x(t))`. Each is a tree like the arguments (integers
/// in it are ignored) or like the result (integers have zeros).
///
/// It is Taylor mode (`jax.experimental.jet`): coefficients of every value are carried through the program, so `n` derivatives
/// take work in proportion to a power of `n`, where `n` nested [`crate::jvp`]s take `2^n`. Operations of all kinds, branches and
/// loops have it, by the derivative rules that they have; functions with a reverse rule only ([`crate::custom_vjp`]) have not.
///
/// ```
/// use wengert::{Tensor, jet};
/// // Derivatives of the sine along the straight line x = t.
/// let (zero, one) = (|| (Tensor::from(0.0f64),), (Tensor::from(1.0f64),));
/// let (y, d) = jet(|x: Tensor| x.sin(), zero(), &[one, zero(), zero()]);
/// assert_eq!(y.item::<f64>(), 0.0);
/// assert_eq!(d.iter().map(|d| d.item::<f64>()).collect::<Vec<_>>(), [1.0, 0.0, -1.0]);
/// ```
///
/// Fails if a part of the series is not like the arguments, for more than 18 derivatives, or for an operation that has no
/// derivative; the message names it.
#[track_caller]
pub fn jet<A: Args, F: Func<A>>(f: F, args: A, series: &[A]) -> (F::Out, Vec<F::Out>) {
    let what = What { name: "jet", at: Location::caller() };
    let order = series.len();
    if order > MAX_ORDER {
        let message = format!("a jet has at most {MAX_ORDER} derivatives, not {order}");
        fail(Error::new(message, Some(what.at)).within(what))
    }
    let given: Vec<Vec<Tensor>> = series.iter().map(|part| tangents_of(what, &args, part)).collect();
    let graph = record(what, &args, &|args| f.call_with(args), true);
    let mask = graph.leaf_mask(|_| true, &args);
    // Leaf by leaf, all derivatives of one together.
    let leaves = given.first().map_or(0, Vec::len);
    let extra: Vec<Tensor> =
        (0..leaves).flat_map(|leaf| given.iter().map(move |part| part[leaf].clone())).collect();
    let out = graph.transform_and_run(what, &args, &extra, Derivation::Jet(mask, order));
    let (values, found) = out.split_at(graph.results.len());
    let value = graph.tree(values);
    let derivatives = (0..order).map(|k| {
        let mut found = found.chunks(order);
        value.map(&mut |t| match t.dtype().is_differentiable() {
            true => found.next().expect("derivatives of each float")[k].clone(),
            false => Tensor::zeros_of(&t.ty()),
        })
    });
    let derivatives = derivatives.collect();
    (value, derivatives)
}
