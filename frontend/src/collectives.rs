//! What a function of one example may ask of all examples of its batch: sums, extremes, exchanges, along an axis that
//! [`Vmap::axis_name`](crate::Vmap::axis_name) names.
//!
//! They take trees and work on each leaf, along one axis or along several at once ([`AxisNames`]), whose examples then count as
//! those of one axis, the last name fastest. They nest: the name says which `vmap` is meant, and of two of one name it is the
//! inner one. All of them have derivatives of every order in both modes; a gradient taken for each example inside the `vmap`
//! is that of the sum of what all examples give, as in JAX. In a branch that examples take each by its own condition, and in a
//! loop that they leave at different times, they fail: not all would be there. A condition that is the same for all, because it
//! comes of a `pmax` say, is fine.
//!
//! ```
//! use wengert::{Tensor, collectives::psum, jit, vmap};
//! // Softmax over a batch.
//! let softmax = jit(vmap(|x: Tensor| x.exp() / psum(&x.exp(), "i")).axis_name("i"));
//! let p = softmax(Tensor::from([0.0f64, 0.0, 0.0, 0.0]));
//! assert_eq!(p.to_vec::<f64>(), [0.25; 4]);
//! ```
//!
//! All of them fail where no `vmap` around them has the name.

use crate::error::{Error, fail};
use crate::ops::promote::{DEFAULT_INT, convert};
use crate::tensor::Tensor;
use crate::trace::apply_at;
use crate::tree::Tree;
use std::cell::RefCell;
use std::panic::Location;
use std::sync::Arc;
use wengert_ir::func::Module;
use wengert_ir::op::{AxisIndex, BinaryOp, Collective, CollectiveKind, Reshape, Transpose};
use wengert_ir::rules::OpDef;
use wengert_ir::types::{DType, Dims};

/// One named axis or several: `"i"`, `("i", "j")`, `["i", "j"]` or a slice of names. Of several the examples are numbered as the
/// elements of an array with these dimensions are: the last name counts fastest.
///
/// ```
/// use wengert::{Tensor, collectives::psum, vmap};
/// // Shares of the whole, of rows of rows.
/// let share = |x: Tensor| &x / psum(&x, ("rows", "columns"));
/// let f = vmap(vmap(share).axis_name("columns")).axis_name("rows");
/// let x = Tensor::from([[1.0f64, 2.0], [3.0, 2.0]]);
/// assert_eq!(f(x).to_vec::<f64>(), [0.125, 0.25, 0.375, 0.25]);
/// ```
pub trait AxisNames {
    /// The names, in order.
    fn names(&self) -> Vec<&str>;
}

impl AxisNames for &str {
    fn names(&self) -> Vec<&str> {
        vec![self]
    }
}
impl AxisNames for &&str {
    fn names(&self) -> Vec<&str> {
        vec![**self]
    }
}
impl AxisNames for &Arc<str> {
    fn names(&self) -> Vec<&str> {
        vec![self]
    }
}
impl AxisNames for &String {
    fn names(&self) -> Vec<&str> {
        vec![self]
    }
}
impl AxisNames for (&str, &str) {
    fn names(&self) -> Vec<&str> {
        vec![self.0, self.1]
    }
}
impl AxisNames for (&str, &str, &str) {
    fn names(&self) -> Vec<&str> {
        vec![self.0, self.1, self.2]
    }
}
impl<const N: usize> AxisNames for [&str; N] {
    fn names(&self) -> Vec<&str> {
        self.to_vec()
    }
}
impl AxisNames for &[&str] {
    fn names(&self) -> Vec<&str> {
        self.to_vec()
    }
}

type At = &'static Location<'static>;

thread_local! {
    /// The named axes of the functions that are being traced on this thread, innermost last.
    static AXES: RefCell<Vec<(Arc<str>, usize)>> = const { RefCell::new(Vec::new()) };
}

/// An axis that has a name while this lives.
pub(crate) struct Named;

impl Named {
    pub(crate) fn new(name: Arc<str>, size: usize) -> Named {
        AXES.with_borrow_mut(|axes| axes.push((name, size)));
        Named
    }
}

impl Drop for Named {
    fn drop(&mut self) {
        AXES.with_borrow_mut(|axes| axes.pop());
    }
}

/// A named axis and how many examples are along it.
type Axis = (Arc<str>, usize);

/// The axes of these names.
fn axes_of(what: &str, names: impl AxisNames, at: At) -> Vec<Axis> {
    let names = names.names();
    if let Some(k) = (1..names.len()).find(|&k| names[..k].contains(&names[k])) {
        let message = format!("{what}: the axis `{}` is named twice in {names:?}: name each once", names[k]);
        fail(Error::new(message, Some(at)))
    }
    names.iter().map(|name| axis_of(what, name, at)).collect()
}

/// How many examples there are along all of them.
fn examples(axes: &[Axis]) -> usize {
    axes.iter().map(|axis| axis.1).product()
}

/// The axis of this name and how many examples are along it.
fn axis_of(what: &str, name: &str, at: At) -> Axis {
    let found = AXES.with_borrow(|axes| axes.iter().rev().find(|axis| &*axis.0 == name).cloned());
    found.unwrap_or_else(|| {
        let known = AXES.with_borrow(|axes| {
            axes.iter().map(|(name, n)| format!("`{name}` ({n})")).collect::<Vec<_>>().join(", ")
        });
        let known = if known.is_empty() { "none has a name here".to_owned() } else { format!("the names here are {known}") };
        let message =
            format!("{what}: no `vmap` around it calls its axis `{name}`, as `vmap(f).axis_name(\"{name}\")` does; {known}");
        fail(Error::new(message, Some(at)))
    })
}

fn collective(what: &str, kind: CollectiveKind, x: &Tensor, axis: &Axis, at: At) -> Tensor {
    let (axis, size) = axis.clone();
    exchange(what, Collective { axis, size, kind, source: Dims::new(), target: Dims::new() }, x, at)
}

/// An exchange that the examples can make, or an error that names what asked for it.
fn exchange(what: &str, op: Collective, x: &Tensor, at: At) -> Tensor {
    possible(what, &op, x, at);
    apply_at(op.into(), &[x], at).remove(0)
}

/// Fails if the examples cannot make the exchange.
fn possible(what: &str, op: &Collective, x: &Tensor, at: At) {
    if let Err(e) = op.infer(&Module::new(""), &[x.ty().into()]) {
        let message = format!("{what} along `{}`, of {} examples: {}", op.axis, op.size, e.message);
        fail(Error::new(message, Some(at)))
    }
}

/// `x` in another shape.
fn reshaped(x: &Tensor, shape: Dims, at: At) -> Tensor {
    apply_at(Reshape { shape }.into(), &[x], at).remove(0)
}

/// What all examples have of `x`, along a new first dimension.
fn gather(x: &Tensor, what: &str, axes: &[Axis], at: At) -> Tensor {
    let along = |x: Tensor, axis: &Axis| collective(what, CollectiveKind::AllGather, &x, axis, at);
    let all = axes.iter().rev().fold(x.clone(), along);
    if axes.len() == 1 {
        return all;
    }
    let shape = std::iter::once(examples(axes)).chain(x.shape().iter().copied()).collect();
    reshaped(&all, shape, at)
}

/// What becomes of each leaf, of all examples along a new first dimension.
fn gathered<T: Tree>(x: &T, what: &str, axes: impl AxisNames, at: At, f: impl Fn(Tensor) -> Tensor) -> T {
    let axes = axes_of(what, axes, at);
    x.map(&mut |x| f(gather(x, what, &axes, at)))
}

/// A place for each example along the first dimension, as a dimension for each axis.
fn apart(x: &Tensor, what: &str, axes: &[Axis], at: At) -> Tensor {
    let (n, shape) = (examples(axes), x.shape());
    if shape.first() != Some(&n) {
        let names: Vec<&str> = axes.iter().map(|axis| &*axis.0).collect();
        let message = format!(
            "{what} along {names:?}, of {n} examples: a dimension of {shape:?} has no place for each"
        );
        fail(Error::new(message, Some(at)))
    }
    reshaped(x, axes.iter().map(|axis| axis.1).chain(shape[1..].iter().copied()).collect(), at)
}

/// What can be added up: booleans are counted.
fn addable(x: &Tensor, at: At) -> Tensor {
    if x.dtype() == DType::I1 { convert(x, DEFAULT_INT, at) } else { x.clone() }
}

/// The dimension that the examples are along once gathered.
fn first() -> Dims {
    Dims::from_slice(&[0])
}

/// Dimension `from` moved to `to`, the others in order.
fn moved(x: &Tensor, from: usize, to: usize, at: At) -> Tensor {
    let mut perm: Dims = (0..x.rank()).collect();
    perm.remove(from);
    perm.insert(to, from);
    apply_at(Transpose { perm }.into(), &[x], at).remove(0)
}

/// How many examples there are along an axis, or along several together.
#[track_caller]
pub fn axis_size(axis: impl AxisNames) -> usize {
    examples(&axes_of("axis_size", axis, Location::caller()))
}

/// The number of the example along an axis, or among those of several, from 0, as `i32`.
///
/// ```
/// use wengert::{Tensor, collectives::axis_index, vmap};
/// let f = vmap(|x: Tensor| x * axis_index("i").astype(wengert::DType::F64)).axis_name("i");
/// assert_eq!(f(Tensor::from([1.0f64, 1.0, 1.0])).to_vec::<f64>(), [0.0, 1.0, 2.0]);
/// ```
#[track_caller]
pub fn axis_index(axis: impl AxisNames) -> Tensor {
    let at = Location::caller();
    let number = |(axis, size): &Axis| {
        apply_at(AxisIndex { axis: axis.clone(), size: *size }.into(), &[], at).remove(0)
    };
    let axes = axes_of("axis_index", axis, at);
    let numbers = axes.iter().map(|axis| (number(axis), axis.1));
    let all = numbers.reduce(|(number, _), (next, size)| {
        let size = Tensor::full(&[], size as f64, DType::I32);
        (number * size + next, 0)
    });
    all.map_or_else(|| Tensor::from(0i32), |all| all.0)
}

/// The sum over all examples, element by element, in their type; the same for all of them. Booleans are counted, as `i32`.
#[track_caller]
pub fn psum<T: Tree>(x: &T, axis: impl AxisNames) -> T {
    let at = Location::caller();
    gathered(x, "psum", axis, at, |all| addable(&all, at).reduce(BinaryOp::Add, first(), at))
}

/// The mean over all examples; of integers it is a float.
#[track_caller]
pub fn pmean<T: Tree>(x: &T, axis: impl AxisNames) -> T {
    let at = Location::caller();
    gathered(x, "pmean", axis, at, |all| all.mean_over(first(), at))
}

/// The largest over all examples, element by element; NaN if there is one. Examples that tie share the derivative.
#[track_caller]
pub fn pmax<T: Tree>(x: &T, axis: impl AxisNames) -> T {
    let at = Location::caller();
    gathered(x, "pmax", axis, at, |all| all.reduce(BinaryOp::Maximum, first(), at))
}

/// The smallest over all examples, as [`pmax`].
#[track_caller]
pub fn pmin<T: Tree>(x: &T, axis: impl AxisNames) -> T {
    let at = Location::caller();
    gathered(x, "pmin", axis, at, |all| all.reduce(BinaryOp::Minimum, first(), at))
}

/// What all examples have, stacked along a new first dimension, the same for all of them.
///
/// ```
/// use wengert::{Tensor, collectives::all_gather, vmap};
/// // The rank of each number among all.
/// let rank = vmap(|x: Tensor| all_gather(&x, "i").less(&x).sum()).axis_name("i");
/// assert_eq!(rank(Tensor::from([3.0f64, 1.0, 2.0])).to_vec::<i32>(), [2, 0, 1]);
/// ```
#[track_caller]
pub fn all_gather<T: Tree>(x: &T, axis: impl AxisNames) -> T {
    let at = Location::caller();
    gathered(x, "all_gather", axis, at, |all| all)
}

/// Of leaves with a first dimension that has a place for each example: the sum over all examples of what is in the example's
/// own place. The transpose of [`all_gather`].
#[track_caller]
pub fn psum_scatter<T: Tree>(x: &T, axis: impl AxisNames) -> T {
    let (at, what) = (Location::caller(), "psum_scatter");
    let axes = axes_of(what, axis, at);
    x.map(&mut |x| {
        let x = addable(x, at);
        let x = if axes.len() == 1 { x } else { apart(&x, what, &axes, at) };
        axes.iter().fold(x, |x, axis| collective(what, CollectiveKind::ReduceScatter, &x, axis, at))
    })
}

/// Of leaves that have a place for each example along dimension `split`: what all examples have in the example's own place,
/// stacked along dimension `concat`. Negative dimensions count from the last.
///
/// ```
/// use wengert::{Tensor, collectives::all_to_all, vmap};
/// let transposed = vmap(|row: Tensor| all_to_all(&row, "i", 0, 0)).axis_name("i");
/// assert_eq!(transposed(Tensor::from([[1.0f64, 2.0], [3.0, 4.0]])).to_vec::<f64>(), [1.0, 3.0, 2.0, 4.0]);
/// ```
#[track_caller]
pub fn all_to_all<T: Tree>(x: &T, axis: impl AxisNames, split: isize, concat: isize) -> T {
    let at = Location::caller();
    let axes = axes_of("all_to_all", axis, at);
    let exchange = |x: Tensor, axis: &Axis| collective("all_to_all", CollectiveKind::AllToAll, &x, axis, at);
    x.map(&mut |x| {
        let names: Vec<String> = axes.iter().map(|axis| format!("`{}`", axis.0)).collect();
        let what = format!("all_to_all along {}", names.join(", "));
        let place = |axis: isize| crate::ops::reduce::axes(&what, x, &[axis], at)[0];
        let rows = moved(x, place(split), 0, at);
        let given = match &axes[..] {
            [axis] => exchange(rows, axis),
            // Along one axis after the other: each exchanges the places that are its own.
            axes => {
                let places = apart(&rows, "all_to_all", axes, at);
                let along = |x: Tensor, (k, axis): (usize, &Axis)| {
                    moved(&exchange(moved(&x, k, 0, at), axis), 0, k, at)
                };
                let all = axes.iter().enumerate().fold(places, along);
                reshaped(&all, Dims::from_slice(rows.shape()), at)
            }
        };
        moved(&given, 0, place(concat), at)
    })
}

/// Each pair `(from, to)` sends what example `from` has to example `to`; who is sent nothing has zeros. No example sends or is
/// sent to twice. Along several axes the examples are numbered as [`AxisNames`] says.
///
/// ```
/// use wengert::{Tensor, collectives::ppermute, vmap};
/// let shifted = vmap(|x: Tensor| ppermute(&x, "i", &[(0, 1), (1, 2)])).axis_name("i");
/// assert_eq!(shifted(Tensor::from([1.0f64, 2.0, 3.0])).to_vec::<f64>(), [0.0, 1.0, 2.0]);
/// ```
#[track_caller]
pub fn ppermute<T: Tree>(x: &T, axis: impl AxisNames, pairs: &[(usize, usize)]) -> T {
    let at = Location::caller();
    let axes = axes_of("ppermute", axis, at);
    let source: Dims = pairs.iter().map(|p| p.0).collect();
    let target: Dims = pairs.iter().map(|p| p.1).collect();
    let size = examples(&axes);
    let names: Vec<&str> = axes.iter().map(|axis| &*axis.0).collect();
    let op =
        Collective { axis: names.join(", ").into(), size, kind: CollectiveKind::Permute, source, target };
    if axes.len() == 1 {
        return x.map(&mut |x| exchange("ppermute", op.clone(), x, at));
    }
    if size == 0 {
        return x.map(&mut |x| x.zeros_like());
    }
    // Everybody has what all have, and takes what is sent to it: after the last one come zeros.
    let mut from = vec![size as i64; size];
    pairs.iter().filter(|p| p.1 < size).for_each(|&(source, target)| from[target] = source as i64);
    let from = Tensor::from(from).take(&axis_index(&names[..]), 0);
    x.map(&mut |x| {
        possible("ppermute", &op, x, at);
        let all = all_gather(x, &names[..]);
        let zeros = all.get(..1).zeros_like();
        crate::concatenate(&[all, zeros], 0).take(&from, 0)
    })
}
