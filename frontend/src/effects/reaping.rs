//! [`sow`], [`reap`] and [`plant`]: values inside a function by name.

use crate::Tensor;
use crate::call::{Args, Func};
use crate::trace::{What, is_tracing, record_at};
use crate::transform::{Transformed, record};
use std::collections::BTreeMap;
use std::panic::Location;
use std::sync::Arc;
use wengert_ir::op::{Sow, Text};
use wengert_ir::types::TensorType;
use wengert_passes::effects;

/// `x`, by a name under which [`reap`] fetches it. By itself it is `x`, at no cost.
#[track_caller]
pub fn sow(name: &str, x: &Tensor) -> Tensor {
    if !is_tracing() {
        return x.clone();
    }
    record_at(Sow { name: name.into() }.into(), &[x], Location::caller()).remove(0)
}

/// A function that also gives the values that `f` sows under these names; under all, if none are given.
///
/// Values of the trips of a loop are stacked, in the order of its rows, and those of a batch are batches, the examples in front. Of derivatives it fetches what the
/// forward pass sows; and what is fetched may be differentiated as any result may.
///
/// ```
/// use wengert::{Tensor, grad, jit, reap, scan, sow};
/// let f = |x: Tensor| {
///     let h = sow("hidden", &x.sin());
///     let step = |c: Tensor, v: Tensor| { let c = sow("steps", &(c + v)); (c.clone(), c) };
///     scan(step, h, Tensor::from([1.0f64, 2.0])).0
/// };
/// let (y, values) = jit(reap(f, ["hidden", "steps"]))(Tensor::from(0.0f64));
/// assert_eq!((y.item::<f64>(), values["hidden"].item::<f64>()), (3.0, 0.0));
/// assert_eq!(values["steps"].to_vec::<f64>(), [1.0, 3.0]);
/// let (dx, values) = reap(grad(f), ["hidden"])(Tensor::from(0.0f64));
/// assert_eq!((dx.item::<f64>(), values["hidden"].item::<f64>()), (1.0, 0.0));
/// ```
///
/// What a function with a derivative of its own sows is differentiated as it is computed, and its result by its rule.
///
/// Fails if nothing is sown under a name, or more than one value is; if a branch sows what another does not; and if a value is
/// sown in a loop whose number of trips is not known, or in a function that finds a root or solves a linear system.
#[track_caller]
pub fn reap<'n, A: Args, F: Func<A>>(
    f: F,
    names: impl IntoIterator<Item = &'n str>,
) -> Transformed<A, (F::Out, BTreeMap<String, Tensor>)> {
    let what = What { name: "reap", at: Location::caller() };
    let names: Arc<[Text]> = names.into_iter().map(Text::from).collect();
    Transformed::new(move |args: A| {
        let graph = record(what, &args, &|args| f.call_with(args), true);
        let (mut values, names) = graph.run_as(what, &args, |m, func| {
            let names = if names.is_empty() { effects::sown(m, func) } else { names.to_vec() };
            Ok((effects::reap(m, func, &names)?, names))
        });
        let reaped = values.split_off(graph.results.len());
        (graph.tree(&values), names.iter().map(|n| n.to_string()).zip(reaped).collect())
    })
}

/// A function that computes as `f` does, but with these values in place of those that `f` sows under their names: the opposite
/// of [`reap`], as Oryx's `plant`.
///
/// Values for the trips of a loop are stacked, in the order of its rows, as they are reaped. What is planted may be
/// differentiated.
///
/// ```
/// use wengert::{Tensor, grad, plant, sow};
/// let f = |x: Tensor| sow("hidden", &x.sin()) * 2.0 + x;
/// let (one, two) = (Tensor::from(1.0f64), Tensor::from(2.0f64));
/// assert_eq!(plant(f, [("hidden", two)])(one.clone()).item::<f64>(), 5.0);
/// let by_hidden = grad(move |h: Tensor| plant(f, [("hidden", h)])(one.clone()));
/// assert_eq!(by_hidden(Tensor::from(0.5f64)).item::<f64>(), 2.0);
/// ```
///
/// Fails if nothing is sown under a name, or more than one value is; if a value has another type than what it stands for; and
/// if it stands for a value in a loop whose number of trips is not known, or in a function with a derivative of its own.
#[track_caller]
pub fn plant<'n, A: Args, F: Func<A>>(
    f: F,
    values: impl IntoIterator<Item = (&'n str, Tensor)>,
) -> Transformed<A, F::Out> {
    let what = What { name: "plant", at: Location::caller() };
    let (names, values): (Vec<(Text, TensorType)>, Vec<Tensor>) =
        values.into_iter().map(|(name, value)| ((Text::from(name), value.ty()), value)).unzip();
    Transformed::new(move |args: A| {
        let graph = record(what, &args, &|args| f.call_with(args), true);
        let (results, ()) =
            graph.run_with(what, &args, &values, |m, func| Ok((effects::plant(m, func, &names)?, ())));
        graph.tree(&results)
    })
}
