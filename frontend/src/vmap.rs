//! `vmap`: a function of examples as a function of batches.

use crate::call::{Args, Func};
use crate::collectives;
use crate::context::What;
use crate::derive::Derivation;
use crate::error::{Error, fail};
use crate::examples::Examples;
use crate::transform::{Transformed, record_types};
use crate::tree::Tree;
use std::ops::Deref;
use std::panic::Location;
use std::sync::Arc;
use wengert_ir::types::TensorType;

/// A function of batches, made by [`vmap`]. Call it like the function it came from; pass it on to other transforms.
pub struct Vmap<A: Args, R: Tree> {
    f: Arc<dyn Fn(A) -> R + Send + Sync>,
    what: What,
    axes: Axes,
    mapped: Transformed<A, R>,
}

/// Where the examples of a leaf are, by its name.
type ByName = dyn Fn(&str) -> Option<isize> + Send + Sync;

/// Along which dimensions the examples of arguments and results are.
#[derive(Clone, Default)]
struct Axes {
    /// Of each argument; the first of all if nothing is said.
    of_args: Option<Vec<Option<isize>>>,
    /// Of the leaves of some arguments.
    of_leaves: Vec<(usize, Vec<Option<isize>>)>,
    /// Of all leaves of the arguments, by their names; before the two above.
    of_names: Option<Arc<ByName>>,
    /// Of all results; the first if nothing is said.
    of_results: Option<Option<isize>>,
    /// Of the leaves of the result.
    of_result_leaves: Option<Vec<Option<isize>>>,
    /// How many examples there are.
    size: Option<usize>,
    /// What the function calls them.
    name: Option<Arc<str>>,
}

/// `f` on every example of a batch: each leaf of the arguments has one dimension more, the first one, along which the examples
/// are, and so has each leaf of the result.
///
/// The function is traced once, for one example, and its operations become operations on batches: nothing is looped over
/// where a dimension will do. What `f` captures is the same for all examples, and what no example changes is computed once.
/// `while_loop` runs until all examples are done; `cond` and `switch` on something that differs from example to example
/// compute all branches and select, unless a branch might not end.
///
/// ```
/// use wengert::{Tensor, grad, jit, vmap};
/// let f = |w: Tensor, x: Tensor| (&w * &x).sum().tanh();
/// // A gradient for each example.
/// let g = jit(vmap(grad(f)).in_axes([None, Some(0)]));
/// let (w, x) = (Tensor::from([1.0f64, 2.0]), Tensor::from([[0.1f64, 0.2], [0.3, 0.4], [0.5, 0.6]]));
/// assert_eq!(g(w, x).shape(), [3, 2]);
/// ```
///
/// The function fails if an argument lacks the dimension, or if arguments are batches of different sizes.
#[track_caller]
pub fn vmap<A: Args, F: Func<A>>(f: F) -> Vmap<A, F::Out> {
    let what = What { name: "vmap", at: Location::caller() };
    Vmap::of(Arc::new(move |a| f.call_with(a)), what, Axes::default())
}

impl<A: Args, R: Tree> Vmap<A, R> {
    fn of(f: Arc<dyn Fn(A) -> R + Send + Sync>, what: What, axes: Axes) -> Self {
        let (g, a) = (f.clone(), axes.clone());
        let mapped = Transformed::new(move |args| mapped(what, &*g, &args, &a));
        Vmap { f, what, axes, mapped }
    }

    /// Which dimension of each argument the examples are along, the same for all its leaves: negative numbers count from the
    /// last one, and `None` is for what is the same for all examples.
    ///
    /// ```
    /// use wengert::{Tensor, vmap};
    /// let f = |x: Tensor, y: Tensor| x.dot(&y);
    /// let rows_by_columns = vmap(f).in_axes([Some(0), Some(-1)]);
    /// let x = Tensor::from([[1.0f64, 2.0], [3.0, 4.0]]);
    /// assert_eq!(rows_by_columns(x.clone(), x).to_vec::<f64>(), [7.0, 22.0]);
    /// ```
    pub fn in_axes(self, axes: impl IntoIterator<Item = Option<isize>>) -> Self {
        let axes = Axes { of_args: Some(axes.into_iter().collect()), ..self.axes };
        Self::of(self.f, self.what, axes)
    }

    /// Which dimension of each leaf of argument number `arg` the examples are along, in the order of the leaves.
    pub fn leaf_axes(self, arg: usize, axes: impl IntoIterator<Item = Option<isize>>) -> Self {
        let mut all = self.axes;
        all.of_leaves.push((arg, axes.into_iter().collect()));
        Self::of(self.f, self.what, all)
    }

    /// Which dimension of each leaf of the arguments the examples are along, by the leaf's name: `arg0` for the first argument, if
    /// it is a tensor, and `arg0.bias` or `arg0.0` for leaves of it, as [`tree::paths`](crate::tree::paths) names them. It says
    /// all that [`Vmap::in_axes`] and [`Vmap::leaf_axes`] say.
    ///
    /// ```
    /// use wengert::{Tensor, vmap};
    /// let layer = |(w, shared): (Tensor, Tensor), x: Tensor| &w * x + shared;
    /// let many = vmap(layer).in_axes_by(|leaf| (leaf != "arg0.1").then_some(0));
    /// let (w, x) = (Tensor::from([1.0f64, 2.0]), Tensor::from([10.0f64, 20.0]));
    /// assert_eq!(many((w, Tensor::from(0.5f64)), x).to_vec::<f64>(), [10.5, 40.5]);
    /// ```
    pub fn in_axes_by(self, axis: impl Fn(&str) -> Option<isize> + Send + Sync + 'static) -> Self {
        let axes = Axes { of_names: Some(Arc::new(axis)), ..self.axes };
        Self::of(self.f, self.what, axes)
    }

    /// Which dimension of the result, of all its leaves, the examples are along; `None` if the result is the same for all,
    /// which is checked.
    pub fn out_axes(self, axis: impl Into<Option<isize>>) -> Self {
        let axes = Axes { of_results: Some(axis.into()), ..self.axes };
        Self::of(self.f, self.what, axes)
    }

    /// Which dimension of each leaf of the result the examples are along, in the order of the leaves.
    pub fn out_leaf_axes(self, axes: impl IntoIterator<Item = Option<isize>>) -> Self {
        let axes = Axes { of_result_leaves: Some(axes.into_iter().collect()), ..self.axes };
        Self::of(self.f, self.what, axes)
    }

    /// By which name the function speaks of the examples as a whole: the functions of [`crate::collectives`] take it.
    ///
    /// ```
    /// use wengert::{Tensor, collectives::pmean, vmap};
    /// let centred = vmap(|x: Tensor| &x - pmean(&x, "batch")).axis_name("batch");
    /// assert_eq!(centred(Tensor::from([1.0f64, 2.0, 6.0])).to_vec::<f64>(), [-2.0, -1.0, 3.0]);
    /// ```
    pub fn axis_name(self, name: &str) -> Self {
        let axes = Axes { name: Some(name.into()), ..self.axes };
        Self::of(self.f, self.what, axes)
    }

    /// How many examples there are, where no argument says so.
    pub fn axis_size(self, size: usize) -> Self {
        let axes = Axes { size: Some(size), ..self.axes };
        Self::of(self.f, self.what, axes)
    }
}

impl<A: Args, R: Tree> Clone for Vmap<A, R> {
    fn clone(&self) -> Self {
        Self::of(self.f.clone(), self.what, self.axes.clone())
    }
}

impl<A: Args, R: Tree> Deref for Vmap<A, R> {
    type Target = A::Callable<R>;
    fn deref(&self) -> &Self::Target {
        &self.mapped
    }
}

impl<A: Args, R: Tree> Func<A> for Vmap<A, R> {
    type Out = R;
    fn call_with(&self, args: A) -> R {
        self.mapped.call_with(args)
    }
}

fn mapped<A: Args, R: Tree>(what: What, f: &dyn Fn(A) -> R, args: &A, axes: &Axes) -> R {
    let refuse = |message: String| -> ! { fail(Error::new(message, Some(what.at)).within(what)) };
    let mut types: Vec<TensorType> = Vec::new();
    args.visit(&mut |t| types.push(t.ty()));
    let dims = axes.of_leaves(args, &types).unwrap_or_else(|e| refuse(e));
    let size = axes.size(args, &types, &dims).unwrap_or_else(|e| refuse(e));
    let examples: Vec<TensorType> = types
        .into_iter()
        .zip(&dims)
        .map(|(mut ty, dim)| {
            if let Some(d) = *dim {
                ty.shape.remove(d);
            }
            ty
        })
        .collect();
    let named = axes.name.as_ref().map(|name| collectives::Named::new(name.clone(), size));
    let together = Examples::new(size);
    let graph = record_types(what, args, examples, f);
    drop((named, together));
    let out = axes.of_results(&graph.results).unwrap_or_else(|e| refuse(e));
    let mut mapped = vec![None; graph.recorded.captures.len()];
    mapped.extend(dims);
    let leaves = graph.transform_and_run(
        what,
        args,
        &[],
        Derivation::Vmap { mapped, size, out, axis: axes.name.clone() },
    );
    graph.tree(&leaves)
}

impl Axes {
    /// The mapped dimension of each leaf of the arguments.
    fn of_leaves<A: Args>(&self, args: &A, types: &[TensorType]) -> Result<Vec<Option<usize>>, String> {
        let counts = args.leaf_counts();
        let of_args = match &self.of_args {
            None => vec![Some(0); counts.len()],
            Some(axes) if axes.len() == counts.len() => axes.clone(),
            Some(axes) => return Err(format!("{} in_axes for {} arguments", axes.len(), counts.len())),
        };
        let mut all: Vec<Vec<Option<isize>>> =
            counts.iter().zip(of_args).map(|(&n, axis)| vec![axis; n]).collect();
        for (arg, axes) in &self.of_leaves {
            match all.get_mut(*arg) {
                None => return Err(format!("leaf_axes of argument {arg}: there are {}", counts.len())),
                Some(leaves) if leaves.len() != axes.len() => {
                    let (n, leaves) = (axes.len(), leaves.len());
                    return Err(format!("leaf_axes of argument {arg}: {n} for {leaves} leaves"));
                }
                Some(leaves) => leaves.clone_from(axes),
            }
        }
        let names = args.leaf_names();
        let leaves = all.into_iter().flatten().zip(types).zip(names);
        leaves
            .map(|((axis, ty), name)| match self.of_names.as_ref().map_or(axis, |of| of(&name)) {
                None => Ok(None),
                Some(axis) => match dimension(axis, ty.rank()) {
                    Some(d) => Ok(Some(d)),
                    None => Err(format!(
                        "axis {axis} of {name}, which is {ty}: there is no such dimension; \
                                         an argument that all examples share has the axis `None`"
                    )),
                },
            })
            .collect()
    }

    /// How many examples there are.
    fn size<A: Args>(&self, args: &A, types: &[TensorType], dims: &[Option<usize>]) -> Result<usize, String> {
        let names = args.leaf_names();
        let mut found: Option<(usize, String)> = self.size.map(|n| (n, "axis_size".to_owned()));
        for ((ty, dim), name) in types.iter().zip(dims).zip(&names) {
            let Some(d) = *dim else { continue };
            let n = ty.shape[d];
            match &found {
                None => found = Some((n, name.clone())),
                Some((known, _)) if *known == n => {}
                Some((known, by)) => {
                    return Err(format!(
                        "the arguments are batches of different sizes: {known} by {by}, {n} by dimension {d} of {name}, \
                         which is {ty}: name the axis along which the examples are with `in_axes`, `None` for what all share"
                    ));
                }
            }
        }
        found.map(|f| f.0).ok_or_else(|| {
            "no argument is a batch: give one an axis with `in_axes`, or say how many examples there are with `axis_size`"
                .to_owned()
        })
    }

    /// The mapped dimension of each leaf of the result, whose types for an example are given.
    fn of_results(&self, types: &[TensorType]) -> Result<Vec<Option<usize>>, String> {
        let axes = match &self.of_result_leaves {
            None => vec![self.of_results.unwrap_or(Some(0)); types.len()],
            Some(axes) if axes.len() == types.len() => axes.clone(),
            Some(axes) => return Err(format!("{} out_leaf_axes for {} leaves", axes.len(), types.len())),
        };
        axes.into_iter()
            .zip(types)
            .enumerate()
            .map(|(k, (axis, ty))| match axis {
                None => Ok(None),
                Some(axis) => match dimension(axis, ty.rank() + 1) {
                    Some(d) => Ok(Some(d)),
                    None => {
                        let n = ty.rank() + 1;
                        Err(format!("axis {axis} of result {k}, which has {n} dimensions with the examples'"))
                    }
                },
            })
            .collect()
    }
}

/// A dimension of `rank` by its number, negative ones from the last.
fn dimension(axis: isize, rank: usize) -> Option<usize> {
    let d = if axis < 0 { axis.checked_add(rank as isize)? } else { axis };
    usize::try_from(d).ok().filter(|&d| d < rank)
}
