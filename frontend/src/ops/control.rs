//! Control flow on values that works under every transform: [`cond`], [`switch`], [`while_loop`]; the loops over rows
//! are in [`super::control_loops`].
//!
//! Each function given is traced once. What it captures becomes an operand.

use crate::Tensor;
use crate::context::{What, is_tracing};
use crate::error::{Error, fail};
use crate::ops::promote::counting;
use crate::trace::{self, Flow, Input, Later, Recorded, apply_at};
use crate::tree::{self, Tree};
use std::panic::Location;
use wengert_ir::func::{Func, FuncId, FuncKind, Module};
use wengert_ir::op::{Case, StopGradient, While};
use wengert_ir::types::{DType, TensorType};

/// Traces `f` on unknown values of the leaves of `like`.
pub(super) fn body<T: Tree, R: Tree>(
    what: What,
    like: &T,
    f: impl FnOnce(T) -> R,
) -> (R, Vec<TensorType>, Recorded) {
    let inputs = tree::types(like).into_iter();
    let inputs = inputs.map(|ty| Input { ty, value: None, later: None, name: String::new() }).collect();
    body_with(what, like, Flow::Abstract, inputs, f)
}

/// Traces `f`, which is run once, with values that Rust's control flow may ask for as far as they are known; there is one, or none,
/// for each leaf of `like`.
pub(super) fn body_of<T: Tree, R: Tree>(
    what: What,
    like: &T,
    values: Vec<Option<Later>>,
    f: impl FnOnce(T) -> R,
) -> (R, Vec<TensorType>, Recorded) {
    let flow = if trace::flow() == Some(Flow::Abstract) { Flow::Abstract } else { Flow::Lazy };
    let inputs = tree::types(like).into_iter().zip(values);
    let inputs = inputs.map(|(ty, later)| Input { ty, value: None, later, name: String::new() }).collect();
    body_with(what, like, flow, inputs, f)
}

fn body_with<T: Tree, R: Tree>(
    what: What,
    like: &T,
    flow: Flow,
    inputs: Vec<Input>,
    f: impl FnOnce(T) -> R,
) -> (R, Vec<TensorType>, Recorded) {
    let (mut f, mut out) = (Some(f), None);
    let recorded = trace::trace(what, FuncKind::Region, flow, inputs, &mut |leaves| {
        let f = f.take().expect("a body is run once");
        tree::leaves(out.insert(f(tree::with_leaves(like, leaves))))
    });
    let out = out.expect("a trace runs its body");
    let types = tree::types(&out);
    (out, types, recorded)
}

/// Runs `f` inside a frame: the current one, or an eager one of its own whose results are concrete.
pub(crate) fn framed<R: Tree>(what: What, f: impl FnOnce() -> R) -> R {
    if is_tracing() {
        return f();
    }
    let (mut f, mut out) = (Some(f), None);
    trace::trace(what, FuncKind::Private, Flow::Eager, vec![], &mut |_| {
        let made = f.take().expect("a body is run once")();
        out = Some(tree::map(&made, |t| trace::concrete(t, what.name, what.at).unwrap_or_else(|e| fail(e))));
        vec![]
    });
    out.expect("a trace runs its body")
}

pub(super) fn same_types(what: What, from: &[TensorType], to: &[TensorType], explain: &str) {
    if from == to {
        return;
    }
    let message = match from.iter().zip(to).position(|(a, b)| a != b) {
        Some(k) => format!("{explain}: leaf {k} is {} and {}", from[k], to[k]),
        None => format!("{explain}: {} leaves and {}", from.len(), to.len()),
    };
    fail(Error::new(message, Some(what.at)).within(what))
}

/// Fails if a tree that shall be like another has another structure.
pub(super) fn same_structure<T: Tree>(what: What, from: &T, to: &T, explain: &str) {
    if let Some([from, to]) = tree::difference(from, to) {
        fail(Error::new(format!("{explain}: {from} and {to}"), Some(what.at)).within(what))
    }
}

/// Gives all functions the same leading captures: the union, in order of first use.
pub(super) fn join(functions: &[&Recorded]) -> (Vec<FuncId>, Vec<Tensor>) {
    let mut all: Vec<Tensor> = Vec::new();
    for capture in functions.iter().flat_map(|r| &r.captures) {
        if !all.iter().any(|c| c.is_same(capture)) {
            all.push(capture.clone());
        }
    }
    let ids = trace::with_module(|m: &mut Module| {
        functions
            .iter()
            .map(|r| {
                let mut f = Func::clone(&m.get(r.func));
                let own = std::mem::take(&mut f.params);
                for c in &all {
                    match r.captures.iter().position(|d| d.is_same(c)) {
                        Some(k) => f.params.push(own[k]),
                        None => {
                            f.param(c.ty());
                        }
                    }
                }
                f.params.extend_from_slice(&own[r.captures.len()..]);
                f.param_names.clear();
                trace::renumber(&mut f);
                m.add(f)
            })
            .collect()
    });
    (ids, all)
}

/// `on_true(operands)` if `pred` (a scalar; numbers count as `!= 0`) holds, else `on_false(operands)`. Both are traced
/// and must give the same structure and types; one of them runs.
///
/// ```
/// use wengert::{Tensor, cond, grad};
/// let f = |x: Tensor| cond(&x.less(0.0), |x: Tensor| x.exp(), |x: Tensor| &x * &x, x.clone());
/// assert_eq!(f(Tensor::from(3.0f64)).item::<f64>(), 9.0);
/// assert_eq!(grad(f)(Tensor::from(3.0f64)).item::<f64>(), 6.0);
/// ```
///
/// Fails if `pred` is not a scalar or the branches give different structures or types.
#[track_caller]
pub fn cond<T: Tree, R: Tree>(
    pred: &Tensor,
    on_true: impl FnOnce(T) -> R,
    on_false: impl FnOnce(T) -> R,
    operands: T,
) -> R {
    let what = What { name: "cond", at: Location::caller() };
    scalar(what, "the predicate", pred);
    framed(what, || {
        let index = pred.astype(DType::I1).astype(DType::I32);
        let (out, types, f) = body(what, &operands, on_false);
        let (on_true, other, t) = body(what, &operands, on_true);
        same_structure(what, &on_true, &out, "the branches must give the same structure");
        same_types(what, &other, &types, "the branches must give the same types");
        case(what, &index, &[&f, &t], &operands, &out)
    })
}

/// `branches[index](operands)`: one of several, by a scalar integer that is clamped to the branches there are. All are
/// traced and must give the same structure and types; one of them runs.
///
/// ```
/// use wengert::{Tensor, switch};
/// let f = |i: i32, x: f64| {
///     let branches: [&dyn Fn(Tensor) -> Tensor; 3] = [&|x| -x, &|x| x, &|x| &x * &x];
///     switch(&Tensor::from(i), &branches, Tensor::from(x)).item::<f64>()
/// };
/// assert_eq!([f(0, 3.0), f(1, 3.0), f(2, 3.0)], [-3.0, 3.0, 9.0]);
/// assert_eq!([f(-5, 3.0), f(7, 3.0)], [-3.0, 9.0]); // clamped
/// ```
///
/// Fails if `index` is not a scalar integer, if there are no branches, or if they give different structures or types.
#[track_caller]
pub fn switch<T: Tree, R: Tree>(index: &Tensor, branches: &[&dyn Fn(T) -> R], operands: T) -> R {
    let what = What { name: "switch", at: Location::caller() };
    scalar(what, "the index", index);
    let fault = if branches.is_empty() {
        Some("there are no branches".to_owned())
    } else if !index.dtype().is_integer() {
        Some(format!("the index must be an integer, here it is {}", index.ty()))
    } else {
        None
    };
    if let Some(message) = fault {
        fail(Error::new(message, Some(what.at)).within(what))
    }
    framed(what, || {
        let last = branches.len() as i64 - 1;
        // Clamped before it becomes an `i32`, so that a large index does not wrap around, in a type that the last number is of.
        let index = counting(index).maximum(0i64).minimum(last).astype(DType::I32);
        let traced: Vec<_> = branches.iter().map(|b| body(what, &operands, b)).collect();
        for (out, types, _) in &traced[1..] {
            same_structure(what, out, &traced[0].0, "the branches must give the same structure");
            same_types(what, types, &traced[0].1, "the branches must give the same types");
        }
        let recorded: Vec<&Recorded> = traced.iter().map(|t| &t.2).collect();
        case(what, &index, &recorded, &operands, &traced[0].0)
    })
}

fn scalar(what: What, name: &str, x: &Tensor) {
    if x.rank() != 0 {
        let message = format!("{name} must be a scalar, here it is {}", x.ty());
        fail(Error::new(message, Some(what.at)).within(what))
    }
}

fn case<T: Tree, R: Tree>(what: What, index: &Tensor, branches: &[&Recorded], operands: &T, out: &R) -> R {
    let (branches, captures) = join(branches);
    let mut leaves: Vec<&Tensor> = vec![index];
    leaves.extend(&captures);
    operands.visit(&mut |t| leaves.push(t));
    rebuild(out, &apply_at(Case { branches }.into(), &leaves, what.at))
}

/// Runs `step` on the carried tree while `condition` (a scalar boolean of it) holds. Works in reverse mode too, whatever
/// the number of trips.
///
/// ```
/// use wengert::{Tensor, grad, while_loop};
/// // Newton's method for a square root, until it stands still.
/// let root = |a: Tensor| {
///     let (x, _) = while_loop(
///         |(x, before): (Tensor, Tensor)| (&x - &before).abs().greater(1e-12),
///         |(x, _)| (0.5 * (&x + &a / &x), x),
///         (a.clone(), a.zeros_like()),
///     );
///     x
/// };
/// assert!((root(Tensor::from(2.0f64)).item::<f64>() - 2f64.sqrt()).abs() < 1e-15);
/// assert!((grad(root)(Tensor::from(2.0f64)).item::<f64>() - 0.5 / 2f64.sqrt()).abs() < 1e-12);
/// ```
///
/// Fails if the condition is not a scalar boolean or the step changes the carry's structure or types.
#[track_caller]
pub fn while_loop<T: Tree>(condition: impl FnOnce(T) -> Tensor, step: impl FnOnce(T) -> T, init: T) -> T {
    let what = What { name: "while_loop", at: Location::caller() };
    framed(what, || {
        let (c, b, out) = condition_and_step(what, &init, condition, step);
        let (ids, captures) = join(&[&c, &b]);
        let op = While { cond: ids[0], body: ids[1], consts: captures.len(), stacks: 0, counted: false };
        let mut leaves: Vec<&Tensor> = captures.iter().collect();
        init.visit(&mut |t| leaves.push(t));
        let results = apply_at(op.into(), &leaves, what.at);
        rebuild(&out, &results)
    })
}

/// The traced functions of a loop that carries values like `init`, and a tree of what the step gives.
pub(super) fn condition_and_step<T: Tree>(
    what: What,
    init: &T,
    condition: impl FnOnce(T) -> Tensor,
    step: impl FnOnce(T) -> T,
) -> (Recorded, Recorded, T) {
    let (_, pred, condition) = body(what, init, condition);
    same_types(what, &pred, &[TensorType::scalar(DType::I1)], "the condition must be a scalar boolean");
    let (out, types, step) = body(what, init, step);
    same_structure(what, init, &out, "the step must give what it takes");
    let mut carried = Vec::new();
    init.visit(&mut |t| carried.push(t.ty()));
    same_types(what, &carried, &types, "the step must give what it takes");
    (condition, step, out)
}

pub(crate) fn rebuild<R: Tree>(skeleton: &R, leaves: &[Tensor]) -> R {
    let mut leaves = leaves.iter();
    skeleton.map(&mut |_| leaves.next().expect("a tensor per leaf").clone())
}

/// `x`, through which no derivative passes.
#[track_caller]
pub fn stop_gradient(x: &Tensor) -> Tensor {
    apply_at(StopGradient {}.into(), &[x], Location::caller()).remove(0)
}
