//! [`sow`], [`reap`] and [`plant`]: values inside a function by name, and scopes of names ([`named`]).

use crate::Tensor;
use crate::call::{Args, Func};
use crate::context::{What, is_tracing};
use crate::error::{Error, fail};
use crate::trace::{concrete, record_at};
use crate::transform::{Transformed, record};
use crate::tree::{Leaves, Tree};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::Location;
use std::sync::Arc;
use wengert_ir::op::{Sow, Text};
use wengert_ir::types::{Dims, TensorType};
use wengert_passes::effects::{self, Asked, Reaped};

/// What was sown, by its name.
pub type ByName<X> = BTreeMap<String, X>;

thread_local! {
    /// What names begin with on this thread: the scopes that are open, each with a `/` behind.
    static SCOPE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// `x`, by a name under which [`reap`] fetches it. By itself it is `x`, at no cost.
///
/// In a scope ([`named`]) the name begins with that of the scope. A name may be sown several times: see [`reap_all`] and
/// [`reap_last`].
#[track_caller]
pub fn sow(name: &str, x: &Tensor) -> Tensor {
    if !is_tracing() {
        return x.clone();
    }
    let name = SCOPE.with_borrow(|scope| format!("{scope}{name}"));
    record_at(Sow { name: name.into() }.into(), &[x], Location::caller()).remove(0)
}

/// What `f` gives, run in a scope of names: what it [`sow`]s as `hidden` is `layer1/hidden` outside of `named("layer1", ..)`.
/// Scopes nest, and end with `f`.
///
/// Of a function that is reaped or planted inside of the scope, names are those inside of it.
///
/// ```
/// use wengert::{Tensor, named, reap, sow};
/// let layer = |x: Tensor| sow("hidden", &x.sin()) * 2.0;
/// let f = move |x: Tensor| {
///     let h = named("first", || layer(x));
///     named("second", || layer(h))
/// };
/// let (_, values) = reap(f, [])(Tensor::from(0.0f64));
/// assert_eq!(values.keys().collect::<Vec<_>>(), ["first/hidden", "second/hidden"]);
/// ```
pub fn named<R>(scope: &str, f: impl FnOnce() -> R) -> R {
    struct Leave(usize);
    impl Drop for Leave {
        fn drop(&mut self) {
            SCOPE.with_borrow_mut(|all| all.truncate(self.0));
        }
    }
    let _leave = SCOPE.with_borrow_mut(|all| {
        let before = all.len();
        all.push_str(scope);
        all.push('/');
        Leave(before)
    });
    f()
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
/// Fails if nothing is sown under a name, or more than one value is ([`reap_all`] gives all of them); if a branch sows what
/// another does not, or a value is sown in a loop whose number of trips is not known ([`reap_last`] gives what there is); and if
/// one is sown in a function that finds a root or solves a linear system.
#[track_caller]
pub fn reap<'n, A: Args, F: Func<A>>(
    f: F,
    names: impl IntoIterator<Item = &'n str>,
) -> Transformed<A, (F::Out, ByName<Tensor>)> {
    let what = What { name: "reap", at: Location::caller() };
    reaping(what, f, names, Asked::One, |values| values.next().expect("there is one").value)
}

/// As [`reap`], of names that may be sown several times: for each a list of all its values, in the order of the program.
///
/// A value of a loop is one entry, with a row for each trip.
///
/// ```
/// use wengert::{Tensor, jit, reap_all, sow};
/// let layer = |x: Tensor| sow("hidden", &(x + 1.0));
/// let (_, values) = jit(reap_all(move |x: Tensor| layer(layer(x)), ["hidden"]))(Tensor::from(0.0f64));
/// let hidden: Vec<f64> = values["hidden"].iter().map(|t| t.item()).collect();
/// assert_eq!(hidden, [1.0, 2.0]);
/// ```
///
/// Fails as [`reap`] does, but for a name that is sown more than once. All branches of a choice must sow a name equally often.
#[track_caller]
pub fn reap_all<'n, A: Args, F: Func<A>>(
    f: F,
    names: impl IntoIterator<Item = &'n str>,
) -> Transformed<A, (F::Out, ByName<Vec<Tensor>>)> {
    let what = What { name: "reap_all", at: Location::caller() };
    reaping(what, f, names, Asked::All, |values| values.map(|sown| sown.value).collect())
}

/// As [`reap`], of what was sown last under each name, wherever that was: in the last trip of a loop, of however many; in the
/// branch that was taken. It may be that nothing was: a [`Sown`] says so.
///
/// ```
/// use wengert::{Tensor, cond, jit, reap_last, sow, while_loop};
/// let f = |x: Tensor| {
///     let x = while_loop(|c: Tensor| c.less(10.0), |c: Tensor| sow("step", &(c * 2.0)), x);
///     cond(&x.greater(20.0), |x: Tensor| sow("large", &x), |x: Tensor| x, x)
/// };
/// let f = jit(reap_last(f, ["step", "large"]));
/// let (_, values) = f(Tensor::from(3.0f64));
/// assert_eq!(values["step"].get().unwrap().item::<f64>(), 12.0);
/// assert!(values["large"].get().is_none());
/// let (_, values) = f(Tensor::from(30.0f64));
/// assert!(values["step"].get().is_none() && values["large"].get().is_some());
/// ```
///
/// Fails if nothing in the program sows under a name, if values of one name have several types, and if one is sown in a function
/// that finds a root or solves a linear system.
#[track_caller]
pub fn reap_last<'n, A: Args, F: Func<A>>(
    f: F,
    names: impl IntoIterator<Item = &'n str>,
) -> Transformed<A, (F::Out, ByName<Sown>)> {
    let what = What { name: "reap_last", at: Location::caller() };
    reaping(what, f, names, Asked::Last, |values| values.next().expect("there is one"))
}

/// What was sown last under a name, if something was: made by [`reap_last`]. Of a batch it is one for each example, the examples
/// in front.
#[derive(Clone, Debug)]
pub struct Sown {
    /// The value; zeros if there is none.
    pub value: Tensor,
    /// Whether there is one: a boolean, for each example of a batch where they may differ.
    pub is_there: Tensor,
}

impl Sown {
    /// The value, if there is one; of a batch, if every example has one.
    ///
    /// Fails if this is traced and has no value: there [`Sown::or`] chooses.
    #[track_caller]
    pub fn get(&self) -> Option<Tensor> {
        let at = Location::caller();
        if concrete(&self.is_there, "get", at).is_err() {
            let message = "`get` must know whether a value was sown, and inside of a traced function nobody does: return it from \
                 there, or choose with `or`";
            fail(Error::new(message, Some(at)))
        }
        self.is_there.to_vec::<bool>().into_iter().all(|is| is).then(|| self.value.clone())
    }

    /// The value where there is one, and elsewhere the elements of `other`, which has its type; also inside of traced functions.
    #[track_caller]
    pub fn or(&self, other: &Tensor) -> Tensor {
        let mut flags: Dims = self.is_there.shape().into();
        flags.resize(self.value.rank(), 1);
        self.is_there.reshape_to(flags, Location::caller()).select(&self.value, other)
    }
}

impl Tree for Sown {
    type Over<X: Tree> = Leaves<X>;
    fn over<X: Tree>(&self, f: &mut (impl FnMut(&Tensor) -> X + ?Sized)) -> Self::Over<X> {
        Leaves::of(self, f)
    }
    fn visit<'a>(&'a self, f: &mut (impl FnMut(&'a Tensor) + ?Sized)) {
        f(&self.value);
        f(&self.is_there);
    }
    fn visit_mut<'a>(&'a mut self, f: &mut (impl FnMut(&'a mut Tensor) + ?Sized)) {
        f(&mut self.value);
        f(&mut self.is_there);
    }
    fn map(&self, f: &mut (impl FnMut(&Tensor) -> Tensor + ?Sized)) -> Self {
        Sown { value: f(&self.value), is_there: f(&self.is_there) }
    }
    fn names(&self, prefix: &str, out: &mut Vec<String>) {
        out.extend([format!("{prefix}.value"), format!("{prefix}.is_there")]);
    }
}

/// A function that gives, beside its result, what `collect` makes of the values of each name.
fn reaping<'n, A: Args, F: Func<A>, X: Tree>(
    what: What,
    f: F,
    names: impl IntoIterator<Item = &'n str>,
    asked: Asked,
    collect: fn(&mut dyn Iterator<Item = Sown>) -> X,
) -> Transformed<A, (F::Out, ByName<X>)> {
    let names: Arc<[Text]> = names.into_iter().map(Text::from).collect();
    Transformed::new(move |args: A| {
        let graph = record(what, &args, &|args| f.call_with(args), true);
        let scope = SCOPE.with_borrow(String::clone);
        let (mut values, reaped) = graph.run_as(what, &args, |m, func| {
            let mut all: Vec<Text> = names.iter().map(|name| format!("{scope}{name}").into()).collect();
            if all.is_empty() {
                all = effects::sown(m, func);
                all.retain(|name| name.starts_with(&scope));
            }
            effects::reap(m, func, &all, asked)
        });
        let mut given = values.split_off(graph.results.len()).into_iter();
        let mut by_name: BTreeMap<String, Vec<Sown>> = BTreeMap::new();
        for Reaped { name, may_lack } in reaped {
            let mut next = || given.next().expect("a tensor for each");
            let value = next();
            let is_there = if may_lack { next() } else { Tensor::from(true) };
            by_name.entry(name[scope.len()..].to_owned()).or_default().push(Sown { value, is_there });
        }
        let collected = by_name.into_iter().map(|(name, all)| {
            let values = collect(&mut all.into_iter());
            (name, values)
        });
        (graph.tree(&values), collected.collect())
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
/// Fails if nothing is sown under a name, or more than one value is ([`plant_all`] takes a list); if a value has another type
/// than what it stands for; and if it stands for a value in a loop whose number of trips is not known, or in a function with a
/// derivative of its own.
#[track_caller]
pub fn plant<'n, A: Args, F: Func<A>>(
    f: F,
    values: impl IntoIterator<Item = (&'n str, Tensor)>,
) -> Transformed<A, F::Out> {
    let what = What { name: "plant", at: Location::caller() };
    planting(what, f, values.into_iter().collect())
}

/// As [`plant`], of names that are sown several times: for each a list of as many values, in the order of the program. Branches
/// of a choice share them, each from the first on.
///
/// ```
/// use wengert::{Tensor, plant_all, sow};
/// let layer = |x: Tensor| sow("hidden", &(x + 1.0)) * 2.0;
/// let f = move |x: Tensor| layer(x.clone()) + layer(x);
/// let values = [1.0, 10.0].map(|v: f64| Tensor::from(v));
/// assert_eq!(plant_all(f, [("hidden", values.to_vec())])(Tensor::from(0.0f64)).item::<f64>(), 22.0);
/// ```
///
/// Fails as [`plant`] does, and if a list has another number of values than are sown.
#[track_caller]
pub fn plant_all<'n, A: Args, F: Func<A>>(
    f: F,
    values: impl IntoIterator<Item = (&'n str, Vec<Tensor>)>,
) -> Transformed<A, F::Out> {
    let what = What { name: "plant_all", at: Location::caller() };
    let mut each = Vec::new();
    for (name, all) in values {
        if all.is_empty() {
            let message =
                format!("plant_all: no value for `{name}`: leave the name out to keep what is sown");
            fail(Error::new(message, Some(what.at)))
        }
        each.extend(all.into_iter().map(|value| (name, value)));
    }
    planting(what, f, each)
}

fn planting<A: Args, F: Func<A>>(what: What, f: F, values: Vec<(&str, Tensor)>) -> Transformed<A, F::Out> {
    let (names, values): (Vec<(String, TensorType)>, Vec<Tensor>) =
        values.into_iter().map(|(name, value)| ((name.to_owned(), value.ty()), value)).unzip();
    Transformed::new(move |args: A| {
        let graph = record(what, &args, &|args| f.call_with(args), true);
        let scope = SCOPE.with_borrow(String::clone);
        let full = |(name, ty): &(String, TensorType)| (Text::from(format!("{scope}{name}")), ty.clone());
        let names: Vec<(Text, TensorType)> = names.iter().map(full).collect();
        let (results, ()) =
            graph.run_with(what, &args, &values, |m, func| Ok((effects::plant(m, func, &names)?, ())));
        graph.tree(&results)
    })
}
