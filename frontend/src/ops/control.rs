//! Control flow on values that works under every transform: [`cond`], [`while_loop`], [`fori_loop`], [`scan`].
//!
//! Each function given is traced once. What it captures becomes an operand.

use crate::Tensor;
use crate::error::{Error, boundary, fail};
use crate::trace::{self, Input, Recorded, What, apply_at};
use crate::tree::Tree;
use std::panic::Location;
use wengert_ir::func::{Func, FuncId, FuncKind, Module};
use wengert_ir::op::{Case, Op, Scan, StopGradient, While};
use wengert_ir::types::{DType, TensorType};

/// Traces `f` on unknown values of the leaves of `like`.
fn body<T: Tree, R: Tree>(what: What, like: &T, f: impl FnOnce(T) -> R) -> (R, Vec<TensorType>, Recorded) {
    let mut inputs = Vec::new();
    like.visit(&mut |t| inputs.push(Input { ty: t.ty(), value: None, name: String::new() }));
    let (out, recorded) = trace::trace(what, FuncKind::Region, false, inputs, |leaves| {
        let mut leaves = leaves.into_iter();
        let out = f(like.map(&mut |_| leaves.next().expect("a tracer per leaf")));
        let mut results = Vec::new();
        out.visit(&mut |t| results.push(t.clone()));
        (out, results)
    });
    let mut types = Vec::new();
    out.visit(&mut |t| types.push(t.ty()));
    (out, types, recorded)
}

/// Runs `f` inside a frame: the current one, or an eager one of its own whose results are concrete.
fn framed<R: Tree>(what: What, f: impl FnOnce() -> R) -> R {
    if trace::is_tracing() {
        return f();
    }
    let run = || {
        trace::trace(what, FuncKind::Private, true, vec![], |_| {
            let out = f();
            let out = out.map(&mut |t| trace::concrete(t, what.name, what.at).unwrap_or_else(|e| fail(e)));
            (out, vec![])
        })
        .0
    };
    boundary(run).unwrap_or_else(|e| panic!("{}", e.within(what.to_string())))
}

fn same_types(what: What, from: &[TensorType], to: &[TensorType], explain: &str) {
    if from == to {
        return;
    }
    let message = match from.iter().zip(to).position(|(a, b)| a != b) {
        Some(k) => format!("{explain}: leaf {k} is {} and {}", from[k], to[k]),
        None => format!("{explain}: {} leaves and {}", from.len(), to.len()),
    };
    fail(Error::new(message, Some(what.at)).within(what.to_string()))
}

/// Gives all functions the same leading captures: the union, in order of first use.
fn join(functions: &[&Recorded]) -> (Vec<FuncId>, Vec<Tensor>) {
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

/// `on_true(operands)` if `pred` (a scalar boolean) holds, else `on_false(operands)`. Both are traced and must give the same
/// structure and types; one of them runs.
#[track_caller]
pub fn cond<T: Tree, R: Tree>(
    pred: &Tensor,
    on_true: impl FnOnce(T) -> R,
    on_false: impl FnOnce(T) -> R,
    operands: T,
) -> R {
    let what = What { name: "cond", at: Location::caller() };
    framed(what, || {
        let index = pred.astype(DType::I32);
        let (out, types, f) = body(what, &operands, on_false);
        let (_, other, t) = body(what, &operands, on_true);
        same_types(what, &other, &types, "the branches must give the same types");
        let (branches, captures) = join(&[&f, &t]);
        let mut leaves: Vec<&Tensor> = vec![&index];
        leaves.extend(&captures);
        operands.visit(&mut |t| leaves.push(t));
        let results = apply_at(Case { branches }.into(), &leaves, what.at);
        rebuild(&out, &results)
    })
}

/// Runs `step` on the carried tree while `condition` (a scalar boolean of it) holds. Works in reverse mode too, whatever
/// the number of trips.
#[track_caller]
pub fn while_loop<T: Tree>(condition: impl FnOnce(T) -> Tensor, step: impl FnOnce(T) -> T, init: T) -> T {
    let what = What { name: "while_loop", at: Location::caller() };
    framed(what, || {
        let (_, pred, c) = body(what, &init, condition);
        same_types(what, &pred, &[TensorType::scalar(DType::I1)], "the condition must be a scalar boolean");
        let (out, types, b) = body(what, &init, step);
        let mut carried = Vec::new();
        init.visit(&mut |t| carried.push(t.ty()));
        same_types(what, &carried, &types, "the step must give what it takes");
        let (ids, captures) = join(&[&c, &b]);
        let op = While { cond: ids[0], body: ids[1], consts: captures.len(), stacks: 0, counted: false };
        let mut leaves: Vec<&Tensor> = captures.iter().collect();
        init.visit(&mut |t| leaves.push(t));
        let results = apply_at(op.into(), &leaves, what.at);
        rebuild(&out, &results)
    })
}

/// Runs `step(i, carry)` for `i` in `0..n` (`i` is a scalar `i32` tensor).
#[track_caller]
pub fn fori_loop<T: Tree>(n: usize, step: impl FnOnce(Tensor, T) -> T, init: T) -> T {
    let at = Location::caller();
    let index = Tensor::arange(n, DType::I32);
    let (out, _) = scan_at(at, |carry, i: Tensor| (step(i, carry), ()), init, index);
    out
}

/// Runs `step(carry, x) -> (carry, y)` over the rows of `xs` (leading dimension of every leaf) and stacks the `y`s.
///
/// ```
/// use wengert::{Tensor, scan};
/// let (total, partial) = scan(|s: Tensor, x: Tensor| { let s = s + x; (s.clone(), s) },
///                             Tensor::from(0.0f64), Tensor::from([1.0f64, 2.0, 3.0]));
/// assert_eq!(total.item::<f64>(), 6.0);
/// assert_eq!(partial.to_vec::<f64>(), [1.0, 3.0, 6.0]);
/// ```
///
/// Fails if the rows differ in number, if there is no `xs` leaf to count them, or if the carry changes its types.
#[track_caller]
pub fn scan<C: Tree, X: Tree, Y: Tree>(step: impl FnOnce(C, X) -> (C, Y), init: C, xs: X) -> (C, Y) {
    scan_at(Location::caller(), step, init, xs)
}

fn scan_at<C: Tree, X: Tree, Y: Tree>(
    at: &'static Location<'static>,
    step: impl FnOnce(C, X) -> (C, Y),
    init: C,
    xs: X,
) -> (C, Y) {
    let what = What { name: "scan", at };
    framed(what, || {
        let mut length = None;
        xs.visit(&mut |t| match (length, t.shape().first()) {
            (_, None) => fail(Error::new("scan: a scalar has no rows to run over", Some(at))),
            (None, Some(&n)) => length = Some(n),
            (Some(n), Some(&m)) if n != m => {
                fail(Error::new(format!("scan: inputs with {n} and {m} rows"), Some(at)))
            }
            _ => {}
        });
        let Some(length) = length else {
            fail(Error::new("scan: no inputs to count the steps by; use fori_loop", Some(at)))
        };
        // Placeholders with the type of a row: only their types are used.
        let row = xs.map(&mut |t| Tensor::zeros_of(&t.ty().unstacked()));
        let (out, types, b) = body(what, &(init.clone(), row), |(c, x)| step(c, x));
        let (mut carried, mut leaves): (Vec<TensorType>, Vec<&Tensor>) =
            (Vec::new(), b.captures.iter().collect());
        init.visit(&mut |t| {
            carried.push(t.ty());
            leaves.push(t);
        });
        let n = out.0.leaves();
        same_types(what, &carried, &types[..n], "the step must give back what is carried");
        xs.visit(&mut |t| leaves.push(t));
        let op = Scan { body: b.func, consts: b.captures.len(), carry: n, reverse: false, length };
        let results = apply_at(Op::from(op), &leaves, at);
        rebuild(&out, &results)
    })
}

fn rebuild<R: Tree>(skeleton: &R, leaves: &[Tensor]) -> R {
    let mut leaves = leaves.iter();
    skeleton.map(&mut |_| leaves.next().expect("a tensor per leaf").clone())
}

/// `x`, through which no derivative passes.
#[track_caller]
pub fn stop_gradient(x: &Tensor) -> Tensor {
    apply_at(StopGradient {}.into(), &[x], Location::caller()).remove(0)
}
