//! Products of vectors and Jacobians, [`vjp`] and [`jvp`], and what all transforms have in common.
//!
//! All of them work alike: trace the function into a graph, transform the graph, and run it: at once when
//! nothing is being traced, or by replaying it into the frame of the transform that is.

use crate::call::{Args, Func};
use crate::context::What;
use crate::derive::{Derivation, budget_of, is_of_reverse_mode};
use crate::error::{Error, fail};
use crate::refusals::{cotangents_of, tangents_of};
use crate::tensor::Tensor;
use crate::trace::{self, Flow, Home, Input, Recorded};
use crate::tree::{self, Tree};
use std::ops::Deref;
use std::panic::Location;
use std::sync::Arc;
use wengert_ir::func::{FuncId, FuncKind, Module};
use wengert_ir::op::Effect;
use wengert_ir::types::TensorType;
use wengert_passes::ad;
use wengert_passes::budget::Budget;
use wengert_passes::error::TransformError;

/// What transforms make of a function. Call it like the function it came from; pass it on to other transforms; clone it, which
/// copies nothing.
pub struct Transformed<A: Args, R: Tree> {
    call: Box<A::Callable<R>>,
    inner: Arc<dyn Fn(A) -> R + Send + Sync>,
}

impl<A: Args, R: Tree> Transformed<A, R> {
    pub(crate) fn new(f: impl Fn(A) -> R + Send + Sync + 'static) -> Self {
        let inner: Arc<dyn Fn(A) -> R + Send + Sync> = Arc::new(f);
        let f = inner.clone();
        Self { call: A::boxed(move |a| f(a)), inner }
    }
}

impl<A: Args, R: Tree> Clone for Transformed<A, R> {
    fn clone(&self) -> Self {
        let f = self.inner.clone();
        Self { call: A::boxed(move |a| f(a)), inner: self.inner.clone() }
    }
}

impl<A: Args, R: Tree> Deref for Transformed<A, R> {
    type Target = A::Callable<R>;
    fn deref(&self) -> &Self::Target {
        &self.call
    }
}

impl<A: Args, R: Tree> Func<A> for Transformed<A, R> {
    type Out = R;
    fn call_with(&self, args: A) -> R {
        (self.inner)(args)
    }
}

/// The value of `f` at `args` and its pullback: a function from a cotangent of the result to cotangents of all
/// arguments.
///
/// ```
/// use wengert::{Tensor, vjp};
/// let (y, pullback) = vjp(|x: Tensor| x.sin(), (Tensor::from([0.0f64, 1.0]),));
/// let (dx,) = pullback.call(Tensor::from([1.0f64, 1.0]));
/// assert_eq!(dx.to_vec::<f64>()[0], 1.0);
/// # let _ = y;
/// ```
#[track_caller]
pub fn vjp<A: Args, F: Func<A>>(f: F, args: A) -> (F::Out, Pullback<A, F::Out>) {
    let what = What { name: "vjp", at: Location::caller() };
    pullback(what, &|args| f.call_with(args), args)
}

pub(crate) fn pullback<A: Args, R: Tree>(what: What, f: &dyn Fn(A) -> R, args: A) -> (R, Pullback<A, R>) {
    let graph = record(what, &args, f, true);
    let (values, linear) = graph.forward(what, &args);
    let out = graph.tree(&values);
    (out.clone(), Pullback::new(what, Arc::new(graph), args, out, linear))
}

/// What [`vjp`] returns: maps a cotangent of the result to cotangents of the arguments.
///
/// It is a tape that stays: it may be called any number of times, under other transforms too, and cloning it copies nothing.
/// [`Pullback::into_once`] makes one of it that frees what was saved while it runs.
#[derive(Clone)]
pub struct Pullback<A: Args, R: Tree> {
    pub(crate) what: What,
    pub(crate) graph: Arc<Graph<R>>,
    pub(crate) args: A,
    pub(crate) mask: Vec<bool>,
    pub(crate) cotangents: Vec<bool>,
    /// The result; only structure and types are looked at.
    pub(crate) out: R,
    pub(crate) budget: Option<Budget>,
    pub(crate) linear: Option<LinearPart>,
}

impl<A: Args, R: Tree> Pullback<A, R> {
    pub(crate) fn new(what: What, graph: Arc<Graph<R>>, args: A, out: R, linear: Option<LinearPart>) -> Self {
        let mask = graph.leaf_mask(|_| true, &args);
        let cotangents = graph.results.iter().map(|t| t.dtype.is_differentiable()).collect();
        Self { what, graph, args, mask, cotangents, out, budget: None, linear }
    }

    /// The same, whose program, with what it computes of the function again, takes no more than so many bytes; see
    /// [`Grad::memory_budget`](crate::Grad::memory_budget). Calling it fails where that cannot be.
    ///
    /// ```
    /// use wengert::{Tensor, vjp};
    /// let (_, pullback) = vjp(|x: Tensor| x.sin().exp(), (Tensor::from([0.0f64, 1.0]),));
    /// let (dx,) = pullback.memory_budget(1 << 20).call(Tensor::from([1.0f64, 1.0]));
    /// assert_eq!(dx.to_vec::<f64>()[0], 1.0);
    /// ```
    pub fn memory_budget(mut self, bytes: u64) -> Self {
        self.budget = Some(budget_of(bytes, None));
        self
    }

    /// Cotangents of all arguments for a cotangent of the result, which must have the result's structure and types.
    /// Integer leaves of either have zeros.
    #[track_caller]
    pub fn call(&self, cotangent: R) -> A {
        self.with_result(cotangent, Location::caller()).1
    }

    /// The result's leaves too, where the function is computed with its derivative.
    fn with_result(&self, cotangent: R, at: &'static Location<'static>) -> (Vec<Tensor>, A) {
        self.graph.recorded.check_current(self.what, Some(at));
        let cts = cotangents_of(self.what, &self.out, cotangent, at);
        let (mask, has) = (&self.mask, &self.cotangents);
        let (out, grads) = match (&self.linear, self.budget) {
            (Some(linear), None) => (Vec::new(), linear.transposed(self.what, &cts)),
            (_, budget) => {
                let vjp = Derivation::Vjp(mask.clone(), has.clone());
                let of = match budget {
                    Some(budget) => Derivation::Within(Box::new(vjp), budget),
                    None => vjp,
                };
                // What has been run is computed again, and not heard again.
                let graph = &self.graph;
                let quiet = self.linear.is_some().then(|| graph.recorded.quiet_again(self.what));
                let func = quiet.unwrap_or(graph.recorded.func);
                let all = graph.arguments(&self.args, &[]);
                let mut out = graph.recorded.derive_and_run(self.what, all, &cts, func, of);
                let grads = out.split_off(self.graph.results.len());
                (out, grads)
            }
        };
        let mut grads = grads.into_iter();
        let mut k = self.graph.recorded.captures.len();
        let cotangents = self.args.map(&mut |leaf| {
            k += 1;
            if mask[k - 1] {
                grads.next().expect("a cotangent per leaf")
            } else {
                Tensor::zeros_of(&leaf.ty())
            }
        });
        (out, cotangents)
    }
}

/// The value of `f` at `args` and cotangents of the arguments for one of the result, at once.
pub(crate) fn vjp_at<A: Args, R: Tree>(what: What, f: &dyn Fn(A) -> R, args: A, cotangent: R) -> (R, A) {
    let graph = Arc::new(record(what, &args, f, true));
    let back = Pullback::new(what, graph.clone(), args, graph.skeleton.clone(), None);
    let (leaves, cotangents) = back.with_result(cotangent, what.at);
    (graph.tree(&leaves), cotangents)
}

/// The value of `f` at `args` and its derivative in the direction `tangents`, which has the arguments' structure and
/// types (integer leaves are ignored). Forward mode: one pass, no matter how many results there are.
///
/// ```
/// use wengert::{Tensor, jvp};
/// let (y, dy) = jvp(|x: Tensor| &x * &x, (Tensor::from(3.0f64),), (Tensor::from(1.0f64),));
/// assert_eq!((y.item::<f64>(), dy.item::<f64>()), (9.0, 6.0));
/// ```
#[track_caller]
pub fn jvp<A: Args, F: Func<A>>(f: F, args: A, tangents: A) -> (F::Out, F::Out) {
    jvp_as(What { name: "jvp", at: Location::caller() }, f, args, tangents)
}

/// [`jvp`] as a part of another transform.
pub(crate) fn jvp_as<A: Args, F: Func<A>>(what: What, f: F, args: A, tangents: A) -> (F::Out, F::Out) {
    let dts = tangents_of(what, &args, &tangents);
    let graph = record(what, &args, &|args| f.call_with(args), true);
    graph.pushforward(what, &args, &dts)
}

/// The derivative of a function that was run inside a trace and does more than compute: it is not run again to be differentiated.
#[derive(Clone)]
pub(crate) struct LinearPart {
    /// Takes what is known, and tangents of the differentiable arguments; gives those of the differentiable results.
    func: FuncId,
    known: Vec<Tensor>,
}

impl LinearPart {
    /// Tangents of results.
    pub(crate) fn apply(&self, tangents: &[Tensor]) -> Vec<Tensor> {
        trace::replay(self.func, &[&self.known[..], tangents].concat())
    }

    /// Cotangents of arguments.
    fn transposed(&self, what: What, cotangents: &[Tensor]) -> Vec<Tensor> {
        let func = trace::with_module(|m| {
            let linear = m.get(self.func);
            let is_linear: Vec<bool> = (0..linear.params.len()).map(|k| k >= self.known.len()).collect();
            ad::transpose(m, self.func, &is_linear, &vec![true; linear.results.len()])
        });
        let func = func.unwrap_or_else(|e| fail(Error::from(e).or_at(what.at).within(what)));
        trace::replay(func, &[&self.known[..], cotangents].concat())
    }
}

/// A traced function with what is needed to run it and to rebuild its result.
pub(crate) struct Graph<R> {
    pub(crate) recorded: Recorded,
    /// The result as the function returned it; its leaves are tracers.
    pub(crate) skeleton: R,
    pub(crate) results: Vec<TensorType>,
}

/// Traces `f` at `args`. If `eager` and nothing abstract is being traced, values flow.
///
/// What is generic here is compiled for every type of arguments and results that a user's program has, so it is little, and
/// the function itself is behind a pointer: the rest knows leaves only.
pub(crate) fn record<A: Args, R: Tree>(what: What, args: &A, f: &dyn Fn(A) -> R, eager: bool) -> Graph<R> {
    record_as(what, args, f, if eager { Flow::Eager } else { Flow::Abstract })
}

/// Traces `f` at `args` for a tape: what is read becomes a guard. There are no values if something abstract is being traced.
pub(crate) fn record_guarded<A: Args, R: Tree>(what: What, args: &A, f: &dyn Fn(A) -> R) -> Graph<R> {
    record_as(what, args, f, Flow::Guarded)
}

fn record_as<A: Args, R: Tree>(what: What, args: &A, f: &dyn Fn(A) -> R, flow: Flow) -> Graph<R> {
    let flow = trace::flow().filter(|outside| outside.is_staged()).unwrap_or(flow);
    traced(what, args, f, flow, inputs(what, tree::leaves(args), args.leaf_names(), flow))
}

fn inputs(what: What, leaves: Vec<Tensor>, names: Vec<String>, flow: Flow) -> Vec<Input> {
    let input = |(t, name): (Tensor, String)| {
        if !(flow == Flow::Abstract && t.is_placeholder()) {
            trace::check_alive(&t, what.at).unwrap_or_else(|e| fail(e.within(what)));
        }
        let value = if flow.is_staged() { None } else { trace::concrete(&t, "", what.at).ok() };
        let later = (flow == Flow::Lazy).then(|| trace::later(&t));
        Input { ty: t.ty(), value, later, name }
    };
    leaves.into_iter().zip(names).map(input).collect()
}

/// Traces `f` at arguments of other types than `args` have, which are a tree of the same structure; nothing is known of their
/// values.
pub(crate) fn record_types<A: Args, R: Tree>(
    what: What,
    args: &A,
    types: Vec<TensorType>,
    f: &dyn Fn(A) -> R,
) -> Graph<R> {
    args.visit(&mut |t| {
        if !t.is_placeholder() {
            trace::check_alive(t, what.at).unwrap_or_else(|e| fail(e.within(what)))
        }
    });
    let inputs = types.into_iter().zip(args.leaf_names());
    let inputs = inputs.map(|(ty, name)| Input { ty, value: None, later: None, name }).collect();
    traced(what, args, f, Flow::Abstract, inputs)
}

fn traced<A: Args, R: Tree>(
    what: What,
    args: &A,
    f: &dyn Fn(A) -> R,
    flow: Flow,
    inputs: Vec<Input>,
) -> Graph<R> {
    let mut skeleton = None;
    let recorded = trace::trace(what, FuncKind::Private, flow, inputs, &mut |leaves| {
        tree::leaves(skeleton.insert(f(tree::with_leaves(args, leaves))))
    });
    let skeleton = skeleton.expect("a trace runs its body");
    let results = tree::types(&skeleton);
    Graph { recorded, skeleton, results }
}

impl<R: Tree> Graph<R> {
    /// Marks parameters: captures are never marked, leaves of chosen arguments are if they are differentiable.
    pub(crate) fn leaf_mask<A: Args>(&self, chosen: impl Fn(usize) -> bool, args: &A) -> Vec<bool> {
        let mut mask = vec![false; self.recorded.captures.len()];
        for (arg, count) in args.leaf_counts().into_iter().enumerate() {
            mask.extend(std::iter::repeat_n(chosen(arg), count));
        }
        let mut k = self.recorded.captures.len();
        args.visit(&mut |t| {
            mask[k] &= t.dtype().is_differentiable();
            k += 1;
        });
        mask
    }

    /// The result tree with these leaves.
    pub(crate) fn tree(&self, leaves: &[Tensor]) -> R {
        tree::with_leaves(&self.skeleton, leaves.to_vec())
    }

    /// Results, and their tangents in a direction.
    pub(crate) fn pushforward<A: Args>(&self, what: What, args: &A, tangents: &[Tensor]) -> (R, R) {
        let mask = self.leaf_mask(|_| true, args);
        let out = self.transform_and_run(what, args, tangents, Derivation::Jvp(mask));
        let (values, tangents) = out.split_at(self.results.len());
        (self.tree(values), self.tangent(tangents))
    }

    /// The tangent of the result with these leaves where it is differentiable, and zeros elsewhere.
    pub(crate) fn tangent(&self, tangents: &[Tensor]) -> R {
        let mut tangents = tangents.iter();
        self.skeleton.map(&mut |t| {
            if t.dtype().is_differentiable() {
                tangents.next().expect("a tangent per float result").clone()
            } else {
                Tensor::zeros_of(&t.ty())
            }
        })
    }

    pub(crate) fn arguments<A: Args>(&self, args: &A, extra: &[Tensor]) -> Vec<Tensor> {
        [&self.recorded.captures[..], &tree::leaves(args), extra].concat()
    }

    /// The function's own results, of which nobody wants a derivative.
    pub(crate) fn values<A: Args>(&self, what: What, args: &A) -> Vec<Tensor> {
        let run = || self.transform_and_run(what, args, &[], Derivation::Itself);
        self.recorded.known().unwrap_or_else(run)
    }

    /// The function's own results, and its derivative if that must not run the function again or is that of a forward function.
    pub(crate) fn forward<A: Args>(&self, what: What, args: &A) -> (Vec<Tensor>, Option<LinearPart>) {
        if let Some(known) = self.recorded.known() {
            return (known, None);
        }
        let func = self.recorded.func;
        if let Home::Trace(_) = self.recorded.home
            && trace::with_module(|m| {
                m.reaches(func, &|op| op.effect() == Effect::Ordered || is_of_reverse_mode(op))
            })
        {
            let (active, has) = (self.leaf_mask(|_| true, args), &self.results);
            let has: Vec<bool> = has.iter().map(|t| t.dtype.is_differentiable()).collect();
            let (mut known, linear) = self.run_as(what, args, |m, func| {
                let linear = ad::linearize(m, func, &active, &has)?;
                Ok((linear.primal, linear.linear))
            });
            let values = known.drain(..self.results.len()).collect();
            return (values, Some(LinearPart { func: linear, known }));
        }
        (self.transform_and_run(what, args, &[], Derivation::Itself), None)
    }

    /// Makes another function of a function that has just been traced, and something else, and runs it on `captures ++ leaves
    /// of args`.
    pub(crate) fn run_as<A: Args, X>(
        &self,
        what: What,
        args: &A,
        make: impl FnOnce(&mut Module, FuncId) -> Result<(FuncId, X), TransformError>,
    ) -> (Vec<Tensor>, X) {
        self.run_with(what, args, &[], make)
    }

    /// The same, of a function that takes more after the arguments.
    pub(crate) fn run_with<A: Args, X>(
        &self,
        what: What,
        args: &A,
        more: &[Tensor],
        make: impl FnOnce(&mut Module, FuncId) -> Result<(FuncId, X), TransformError>,
    ) -> (Vec<Tensor>, X) {
        let (mut make, mut made) = (Some(make), None);
        let out = self.recorded.run_with(what, self.arguments(args, more), &mut |m, func| {
            let (func, more) = make.take().expect("made once")(m, func)?;
            made = Some(more);
            Ok(func)
        });
        (out, made.expect("what is run was made"))
    }

    /// Makes another function of the traced one and runs it on `captures ++ leaves of args ++ extra`.
    pub(crate) fn transform_and_run<A: Args>(
        &self,
        what: What,
        args: &A,
        extra: &[Tensor],
        derivation: Derivation,
    ) -> Vec<Tensor> {
        self.recorded.derive_and_run(what, self.arguments(args, &[]), extra, self.recorded.func, derivation)
    }
}
