//! What a function of one example may ask of all examples of its batch: sums, extremes, exchanges, along an axis that
//! [`Vmap::axis_name`](crate::Vmap::axis_name) names.
//!
//! They take trees and work on each leaf. They nest: the name says which `vmap` is meant, and of two of one name it is the
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
use crate::ops::reduce::axes;
use crate::tensor::Tensor;
use crate::trace::apply_at;
use crate::tree::Tree;
use std::cell::RefCell;
use std::panic::Location;
use std::sync::Arc;
use wengert_ir::func::Module;
use wengert_ir::op::{AxisIndex, BinaryOp, Collective, CollectiveKind, Transpose};
use wengert_ir::rules::OpDef;
use wengert_ir::types::{DType, Dims};

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

/// The axis of this name and how many examples are along it.
fn axis_of(what: &str, name: &str, at: At) -> (Arc<str>, usize) {
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

fn collective(what: &str, kind: CollectiveKind, x: &Tensor, axis: &(Arc<str>, usize), at: At) -> Tensor {
    let (axis, size) = axis.clone();
    exchange(what, Collective { axis, size, kind, source: Dims::new(), target: Dims::new() }, x, at)
}

/// An exchange that the examples can make, or an error that names what asked for it.
fn exchange(what: &str, op: Collective, x: &Tensor, at: At) -> Tensor {
    if let Err(e) = op.infer(&Module::new(""), &[x.ty().into()]) {
        let message = format!("{what} along `{}`, of {} examples: {}", op.axis, op.size, e.message);
        fail(Error::new(message, Some(at)))
    }
    apply_at(op.into(), &[x], at).remove(0)
}

/// What becomes of each leaf, of all examples along a new first dimension.
fn gathered<T: Tree>(x: &T, what: &str, axis: &str, at: At, f: impl Fn(Tensor) -> Tensor) -> T {
    let axis = axis_of(what, axis, at);
    x.map(&mut |x| f(collective(what, CollectiveKind::AllGather, x, &axis, at)))
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

/// How many examples there are along an axis.
#[track_caller]
pub fn axis_size(axis: &str) -> usize {
    axis_of("axis_size", axis, Location::caller()).1
}

/// The number of the example along an axis, from 0, as `i32`.
///
/// ```
/// use wengert::{Tensor, collectives::axis_index, vmap};
/// let f = vmap(|x: Tensor| x * axis_index("i").astype(wengert::DType::F64)).axis_name("i");
/// assert_eq!(f(Tensor::from([1.0f64, 1.0, 1.0])).to_vec::<f64>(), [0.0, 1.0, 2.0]);
/// ```
#[track_caller]
pub fn axis_index(axis: &str) -> Tensor {
    let at = Location::caller();
    let (axis, size) = axis_of("axis_index", axis, at);
    apply_at(AxisIndex { axis, size }.into(), &[], at).remove(0)
}

/// The sum over all examples, element by element, in their type; the same for all of them. Booleans are counted, as `i32`.
#[track_caller]
pub fn psum<T: Tree>(x: &T, axis: &str) -> T {
    let at = Location::caller();
    gathered(x, "psum", axis, at, |all| addable(&all, at).reduce(BinaryOp::Add, first(), at))
}

/// The mean over all examples; of integers it is a float.
#[track_caller]
pub fn pmean<T: Tree>(x: &T, axis: &str) -> T {
    let at = Location::caller();
    gathered(x, "pmean", axis, at, |all| all.mean_over(first(), at))
}

/// The largest over all examples, element by element; NaN if there is one. Examples that tie share the derivative.
#[track_caller]
pub fn pmax<T: Tree>(x: &T, axis: &str) -> T {
    let at = Location::caller();
    gathered(x, "pmax", axis, at, |all| all.extreme("pmax", BinaryOp::Maximum, first(), at))
}

/// The smallest over all examples, as [`pmax`].
#[track_caller]
pub fn pmin<T: Tree>(x: &T, axis: &str) -> T {
    let at = Location::caller();
    gathered(x, "pmin", axis, at, |all| all.extreme("pmin", BinaryOp::Minimum, first(), at))
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
pub fn all_gather<T: Tree>(x: &T, axis: &str) -> T {
    let at = Location::caller();
    gathered(x, "all_gather", axis, at, |all| all)
}

/// Of leaves with a first dimension that has a place for each example: the sum over all examples of what is in the example's
/// own place. The transpose of [`all_gather`].
#[track_caller]
pub fn psum_scatter<T: Tree>(x: &T, axis: &str) -> T {
    let at = Location::caller();
    let axis = axis_of("psum_scatter", axis, at);
    x.map(&mut |x| collective("psum_scatter", CollectiveKind::ReduceScatter, &addable(x, at), &axis, at))
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
pub fn all_to_all<T: Tree>(x: &T, axis: &str, split: isize, concat: isize) -> T {
    let at = Location::caller();
    let axis = axis_of("all_to_all", axis, at);
    x.map(&mut |x| {
        let what = format!("all_to_all along `{}`", axis.0);
        let place = |axis: isize| axes(&what, x, &[axis], at)[0];
        let rows = moved(x, place(split), 0, at);
        moved(&collective("all_to_all", CollectiveKind::AllToAll, &rows, &axis, at), 0, place(concat), at)
    })
}

/// Each pair `(from, to)` sends what example `from` has to example `to`; who is sent nothing has zeros. No example sends or is
/// sent to twice.
///
/// ```
/// use wengert::{Tensor, collectives::ppermute, vmap};
/// let shifted = vmap(|x: Tensor| ppermute(&x, "i", &[(0, 1), (1, 2)])).axis_name("i");
/// assert_eq!(shifted(Tensor::from([1.0f64, 2.0, 3.0])).to_vec::<f64>(), [0.0, 1.0, 2.0]);
/// ```
#[track_caller]
pub fn ppermute<T: Tree>(x: &T, axis: &str, pairs: &[(usize, usize)]) -> T {
    let at = Location::caller();
    let (axis, size) = axis_of("ppermute", axis, at);
    let source: Dims = pairs.iter().map(|p| p.0).collect();
    let target: Dims = pairs.iter().map(|p| p.1).collect();
    let op = Collective { axis, size, kind: CollectiveKind::Permute, source, target };
    x.map(&mut |x| exchange("ppermute", op.clone(), x, at))
}
