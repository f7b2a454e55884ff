//! Loops over batches of short examples run over the examples, and through memory (`passes/src/layout/examples.rs`).

use crate::support;

use smallvec::smallvec;
use support::{Terms, build, grad};
use wengert_ir::array::Array;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::op::*;
use wengert_ir::rules::{Emit, Term};
use wengert_ir::testing::{Random, eval};
use wengert_ir::types::{DType, Dims, TensorType};
use wengert_passes::batch::vmap;
use wengert_passes::lower::{Options, lower};
use wengert_passes::pipeline::Pipeline;

/// Examples of a batch.
const SIZE: usize = 64;
/// Trips of a loop.
const TRIPS: usize = 7;

/// One trip: the new state of an example from the old one.
type Step = fn(&mut dyn Emit, Term) -> Term;

fn slice(e: &mut dyn Emit, x: Term, from: usize, to: usize) -> Term {
    let rank = e.ty(x).rank();
    let mut limit = e.ty(x).shape;
    let mut start = Dims::from_elem(0, rank);
    (start[0], limit[0]) = (from, to);
    e.one(Slice { start, limit, strides: Dims::from_elem(1, rank) }, &[x])
}

fn entry(e: &mut dyn Emit, x: Term, k: usize) -> Term {
    slice(e, x, k, k + 1)
}

fn joined(e: &mut dyn Emit, parts: &[Term]) -> Term {
    e.one(Concatenate { dim: 0 }, parts)
}

fn scaled(e: &mut dyn Emit, x: Term, by: f64) -> Term {
    let by = e.splat_like(x, by);
    e.mul(x, by)
}

/// `x + by * change`.
fn moved(e: &mut dyn Emit, x: Term, change: Term, by: f64) -> Term {
    let change = scaled(e, change, by);
    e.add(x, change)
}

fn product(e: &mut dyn Emit, a: Term, b: Term) -> Term {
    let dot = DotGeneral {
        lhs_batching_dims: smallvec![],
        rhs_batching_dims: smallvec![],
        lhs_contracting_dims: smallvec![1],
        rhs_contracting_dims: smallvec![0],
        lhs_precision: Precision::Default,
        rhs_precision: Precision::Default,
        dtype: DType::F64,
    };
    e.dot_general(dot, a, b)
}

fn unary(e: &mut dyn Emit, op: UnaryOp, x: Term) -> Term {
    e.one(op, &[x])
}

fn lorenz(e: &mut dyn Emit, s: Term) -> Term {
    let [x, y, z] = [0, 1, 2].map(|k| entry(e, s, k));
    let dx = e.sub(y, x);
    let (xz, xy) = (e.mul(x, z), e.mul(x, y));
    let dy = e.sub(y, xz);
    let dz = e.sub(xy, z);
    let change = joined(e, &[dx, dy, dz]);
    moved(e, s, change, 0.01)
}

fn pendulum(e: &mut dyn Emit, s: Term) -> Term {
    let (angle, speed) = (entry(e, s, 0), entry(e, s, 1));
    let pull = unary(e, UnaryOp::Sine, angle);
    let pull = unary(e, UnaryOp::Negate, pull);
    let change = joined(e, &[speed, pull]);
    moved(e, s, change, 0.1)
}

fn squared_matrix(e: &mut dyn Emit, s: Term) -> Term {
    let square = product(e, s, s);
    moved(e, s, square, 0.05)
}

fn congruence(e: &mut dyn Emit, s: Term) -> Term {
    let t = e.transpose(s, &[1, 0]);
    let a = product(e, s, t);
    moved(e, s, a, 0.03)
}

fn normalized(e: &mut dyn Emit, s: Term) -> Term {
    let squares = e.mul(s, s);
    let sum = e.reduce_sum(squares, &[0]);
    let one = e.splat(TensorType::scalar(DType::F64), 1.0);
    let sum = e.add(sum, one);
    let norm = unary(e, UnaryOp::Rsqrt, sum);
    let shape = e.ty(s).shape;
    let norm = e.broadcast_in_dim(norm, &shape, &[]);
    e.mul(s, norm)
}

fn diffusion(e: &mut dyn Emit, s: Term) -> Term {
    let n = e.ty(s).shape[0];
    let (low, high) = (slice(e, s, 0, n - 1), slice(e, s, 1, n));
    let flow = e.sub(high, low);
    let zero = e.splat(TensorType::scalar(DType::F64), 0.0);
    let pad = |low, high| Pad { low: smallvec![low], high: smallvec![high], interior: smallvec![0] };
    let (left, right) = (e.one(pad(0, 1), &[flow, zero]), e.one(pad(1, 0), &[flow, zero]));
    let change = e.sub(left, right);
    moved(e, s, change, 0.2)
}

fn mirrored(e: &mut dyn Emit, s: Term) -> Term {
    let other = e.one(Reverse { dims: smallvec![0] }, &[s]);
    let both = e.mul(s, other);
    let both = unary(e, UnaryOp::Tanh, both);
    moved(e, s, both, 0.1)
}

/// A covariance `[2, 2]` over a step of a Kalman filter with one measurement.
fn filtered(e: &mut dyn Emit, p: Term) -> Term {
    let (first, second) = (slice(e, p, 0, 1), slice(e, p, 1, 2));
    let shifted = moved(e, first, second, 0.1);
    let moved_on = joined(e, &[shifted, second]);
    let t = e.transpose(moved_on, &[1, 0]);
    let (first, second) = (slice(e, t, 0, 1), slice(e, t, 1, 2));
    let shifted = moved(e, first, second, 0.1);
    let p = joined(e, &[shifted, second]);
    // The gain is the first column over its first entry and the noise.
    let row = slice(e, p, 0, 1);
    let squares = e.mul(row, row);
    let all = e.reduce_sum(squares, &[0, 1]);
    let one = e.splat(TensorType::scalar(DType::F64), 1.0);
    let noise = e.add(all, one);
    let noise = e.broadcast_in_dim(noise, &[2, 2], &[]);
    let column = e.transpose(row, &[1, 0]);
    let outer = product(e, column, row);
    let less = e.one(BinaryOp::Divide, &[outer, noise]);
    e.sub(p, less)
}

fn programs() -> Vec<(&'static str, Vec<usize>, Step)> {
    vec![
        ("lorenz", vec![3], lorenz),
        ("pendulum", vec![2], pendulum),
        ("squares of 2x2", vec![2, 2], squared_matrix),
        ("squares of 4x4", vec![4, 4], squared_matrix),
        ("squares of 6x6", vec![6, 6], squared_matrix),
        ("congruence of 3x3", vec![3, 3], congruence),
        ("normalized", vec![4], normalized),
        ("diffusion of 5", vec![5], diffusion),
        ("diffusion of 12", vec![12], diffusion),
        ("mirrored", vec![3], mirrored),
        ("filtered", vec![2, 2], filtered),
    ]
}

/// Held out: written when those above passed.
fn rank_one(e: &mut dyn Emit, s: Term) -> Term {
    let row = slice(e, s, 0, 1);
    let column = e.transpose(row, &[1, 0]);
    let outer = product(e, column, row);
    moved(e, s, outer, 0.1)
}

fn softmax(e: &mut dyn Emit, s: Term) -> Term {
    let shape = e.ty(s).shape;
    let least = e.splat(TensorType::scalar(DType::F64), f64::NEG_INFINITY);
    let max = Reduce { dims: smallvec![0], inputs: 1, reducer: Reducer::Op(BinaryOp::Maximum) };
    let max = e.one(max, &[s, least]);
    let max = e.broadcast_in_dim(max, &shape, &[]);
    let s = e.sub(s, max);
    let s = unary(e, UnaryOp::Exponential, s);
    let sum = e.reduce_sum(s, &[0]);
    let sum = e.broadcast_in_dim(sum, &shape, &[]);
    e.one(BinaryOp::Divide, &[s, sum])
}

/// Three steps of a loop in each.
fn nested(e: &mut dyn Emit, s: Term) -> Term {
    let ty = e.ty(s);
    let inner = build(e.module(), "inner", &[ty], |e, x| vec![diffusion(e, x[0])]);
    e.one(Scan { body: inner, consts: 0, carry: 1, reverse: false, length: TRIPS }, &[s])
}

/// The largest entry goes in front by a choice for each example.
fn sorted_once(e: &mut dyn Emit, s: Term) -> Term {
    let (first, rest) = (slice(e, s, 0, 2), slice(e, s, 2, 4));
    let greater = e.compare(Direction::Gt, first, rest);
    let (high, low) = (e.select(greater, first, rest), e.select(greater, rest, first));
    let numbers = e.one(Iota { ty: TensorType::new(DType::F64, &[2]), dim: 0 }, &[]);
    let high = moved(e, high, numbers, 0.01);
    joined(e, &[high, low])
}

fn held_out() -> Vec<(&'static str, Vec<usize>, Step)> {
    vec![
        ("rank one", vec![3, 3], rank_one),
        ("softmax of 5", vec![5], softmax),
        ("nested", vec![6], nested),
        ("sorted once", vec![4], sorted_once),
    ]
}

/// The function of one example: some trips, and the sum of squares of what they end with.
fn simulated(m: &mut Module, shape: &[usize], step: Step) -> FuncId {
    let ty = TensorType::new(DType::F64, shape);
    let body = build(m, "body", std::slice::from_ref(&ty), |e, x| vec![step(e, x[0])]);
    build(m, "main", &[ty], |e, x| -> Terms {
        let scan = Scan { body, consts: 0, carry: 1, reverse: false, length: TRIPS };
        let end = e.one(scan, &[x[0]]);
        let squares = e.mul(end, end);
        let all: Dims = (0..shape.len()).collect();
        vec![e.reduce_sum(squares, &all)]
    })
}

fn all_passes() -> String {
    wengert_passes::pipeline::DEFAULT.to_owned()
}

fn run(m: &mut Module, f: FuncId, passes: &str) -> FuncId {
    Pipeline::parse(passes).unwrap_or_else(|e| panic!("{e}")).run(m, f, &mut |_| {})
}

/// What is wrong with loops inside of the trips: those that leap, and those that have a trip for each element of an example.
fn short_or_leaping(program: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    // Counters of the loops that are open, innermost last, with the indentation of each.
    let mut open: Vec<(usize, String, bool, usize)> = Vec::new();
    for line in program.lines() {
        let indent = line.len() - line.trim_start().len();
        let text = line.trim_start();
        while open.last().is_some_and(|(at, ..)| *at >= indent) && text.starts_with('}') {
            open.pop();
        }
        if text.contains("scf.while ") || text.starts_with("} do ") {
            open.push((indent, String::new(), false, TRIPS));
        } else if let Some(at) = text.find("scf.for ") {
            let rest = &text[at + "scf.for ".len()..];
            let innermost = rest.starts_with("vector") || rest.starts_with("lanes");
            let counter = rest.split('%').nth(1).and_then(|t| t.split(' ').next()).unwrap_or_default();
            let extent = rest.split(" to ").nth(1).and_then(|t| t.split(' ').next()).unwrap_or_default();
            let extent = extent.parse::<usize>().unwrap_or(0);
            let inside = innermost && !open.is_empty() && open[0].3 == TRIPS;
            if inside && extent < SIZE {
                wrong.push(text.to_owned());
            }
            open.push((indent, format!("%{counter}"), inside, extent));
        } else if let Some((_, counter, true, _)) = open.last()
            && text.contains(&format!("{counter} * "))
        {
            wrong.push(text.to_owned());
        }
    }
    wrong
}

/// Checks a program of one example on a batch.
fn check(name: &str, m: &mut Module, f: FuncId, shape: &[usize]) {
    let results = vec![Some(0); m.get(f).results.len()];
    let batched = vmap(m, f, &[Some(0)], SIZE, &results, None).unwrap_or_else(|e| panic!("{name}: {e}"));
    let passes = all_passes();
    let (before, _) = passes.split_once(",layout").expect("a pass");
    let before = run(m, batched, before);
    let after = run(m, before, "layout,dce");
    let mut all = vec![SIZE];
    all.extend(shape);
    let x: Array = Random(7).array(&TensorType::new(DType::F64, &all), -1.0, 1.0);
    let (want, got) = (eval(m, before, std::slice::from_ref(&x)), eval(m, after, &[x]));
    assert!(want == got, "{name}: bits differ");
    let end = run(m, after, "contract");
    let program = lower(m, end, &Options::default()).unwrap_or_else(|e| panic!("{name}: {e}")).to_string();
    let wrong = short_or_leaping(&program);
    assert!(wrong.is_empty(), "{name}: {wrong:#?}\n{program}");
}

#[test]
fn loops_run_over_examples() {
    for (name, shape, step) in programs() {
        let mut m = Module::default();
        let f = simulated(&mut m, &shape, step);
        check(name, &mut m, f, &shape);
    }
}

#[test]
fn so_do_those_of_derivatives() {
    for (name, shape, step) in programs() {
        let mut m = Module::default();
        let f = simulated(&mut m, &shape, step);
        let f = grad(&mut m, f);
        check(name, &mut m, f, &shape);
    }
}

#[test]
fn held_out_programs() {
    for (name, shape, step) in held_out() {
        let mut m = Module::default();
        let f = simulated(&mut m, &shape, step);
        check(name, &mut m, f, &shape);
        let f = grad(&mut m, f);
        check(&format!("derivative of {name}"), &mut m, f, &shape);
    }
}

/// Newton's method for two equations, until each example has its root: a `while` whose trips differ.
#[test]
fn loops_that_examples_leave_one_by_one() {
    let mut m = Module::default();
    let ty = TensorType::new(DType::F64, &[2]);
    // x^2 + y = a, with x + y = 3, say; the residual is carried with x and y.
    let residual = |e: &mut dyn Emit, s: Term| {
        let (x, y) = (entry(e, s, 0), entry(e, s, 1));
        let square = e.mul(x, x);
        let sum = e.add(square, y);
        let one = e.splat_like(sum, 1.0);
        e.sub(sum, one)
    };
    let cond = build(&mut m, "cond", std::slice::from_ref(&ty), |e, s| {
        let r = residual(e, s[0]);
        let r = unary(e, UnaryOp::Abs, r);
        let least = e.splat_like(r, 1e-9);
        let open = e.compare(Direction::Gt, r, least);
        vec![e.reshape(open, &[])]
    });
    let body = build(&mut m, "body", std::slice::from_ref(&ty), |e, s| {
        let r = residual(e, s[0]);
        let (x, y) = (entry(e, s[0], 0), entry(e, s[0], 1));
        let slope = scaled(e, x, 2.0);
        let step = e.one(BinaryOp::Divide, &[r, slope]);
        let x = e.sub(x, step);
        vec![joined(e, &[x, y])]
    });
    let f = build(&mut m, "main", &[ty], |e, x| {
        let x = unary(e, UnaryOp::Abs, x[0]);
        let one = e.splat_like(x, 0.5);
        let x = e.one(BinaryOp::Minimum, &[x, one]);
        let x = e.add(x, one);
        vec![e.one(While { cond, body, consts: 0, stacks: 0, counted: false }, &[x])]
    });
    check("Newton", &mut m, f, &[2]);
}

/// A loop of a number of trips that is an argument: what its reverse pass reads are rows of arrays of unknown length.
#[test]
fn loops_of_unknown_length_have_derivatives() {
    for step in ["sine", "tanh", "logistic", "largest"] {
        for shape in ["40x3", "16x1x7", "40x4x2", "70x3"] {
            // Elementwise, or the sine of what is largest among all examples.
            let body = match (step, shape.split_once('x').expect("examples of elements")) {
                ("largest", (_, rest)) => format!(
                    "%low = stablehlo.constant dense<-5.0> : tensor<f64>
                     %m = stablehlo.reduce(%s init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<{shape}xf64>, tensor<f64>) -> tensor<{rest}xf64>
                     %b = stablehlo.broadcast_in_dim %m, dims = [{}] : (tensor<{rest}xf64>) -> tensor<{shape}xf64>
                     %t = stablehlo.sine %b : tensor<{shape}xf64>",
                    (1..=rest.split('x').count()).map(|d| d.to_string()).collect::<Vec<_>>().join(", ")
                ),
                _ => format!("%t = stablehlo.{step} %s : tensor<{shape}xf64>"),
            };
            let dims = (0..shape.split('x').count()).map(|d| d.to_string()).collect::<Vec<_>>().join(", ");
            let text = format!(
                "func.func @main(%x: tensor<{shape}xf64>, %n: tensor<i32>) -> tensor<f64> {{
                   %zero = stablehlo.constant dense<0> : tensor<i32>
                   %0:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<i32>, tensor<{shape}xf64>
                   cond {{
                     %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
                     stablehlo.return %c : tensor<i1>
                   }} do {{
                     %one = stablehlo.constant dense<1> : tensor<i32>
                     %j = stablehlo.add %i, %one : tensor<i32>
                     {body}
                     stablehlo.return %j, %t : tensor<i32>, tensor<{shape}xf64>
                   }}
                   %f = stablehlo.constant dense<0.0> : tensor<f64>
                   %1 = stablehlo.reduce(%0#1 init: %f) applies stablehlo.add across dimensions = [{dims}] : (tensor<{shape}xf64>, tensor<f64>) -> tensor<f64>
                   return %1 : tensor<f64>
                 }}"
            );
            let mut m = wengert_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e}"));
            let f = m.find("main").expect("it is there");
            let f = grad(&mut m, f);
            let optimized = run(&mut m, f, &all_passes());
            let sizes: Vec<usize> = shape.split('x').map(|n| n.parse().expect("a number")).collect();
            let x: Array = Random(7).array(&TensorType::new(DType::F64, &sizes), -1.0, 1.0);
            let n = Array::from_bytes(TensorType::new(DType::I32, &[]), &5i32.to_le_bytes());
            let (want, got) = (eval(&m, f, &[x.clone(), n.clone()]), eval(&m, optimized, &[x, n]));
            assert!(want == got, "{step} of {shape}: bits differ");
            lower(&m, optimized, &Options::default()).unwrap_or_else(|e| panic!("{step} of {shape}: {e}"));
        }
    }
}

/// What makes turning worth it: elements of an example, which lie last, are moved.
fn busy(e: &mut dyn Emit, s: Term) -> Term {
    let last = e.ty(s).rank() - 1;
    (0..8).fold(s, |s, _| {
        let other = e.one(Reverse { dims: smallvec![last] }, &[s]);
        let other = unary(e, UnaryOp::Tanh, other);
        moved(e, s, other, 0.1)
    })
}

fn contracted(e: &mut dyn Emit, a: Term, b: Term, [l, r]: [usize; 2]) -> Term {
    let dot = DotGeneral {
        lhs_batching_dims: smallvec![],
        rhs_batching_dims: smallvec![],
        lhs_contracting_dims: smallvec![l],
        rhs_contracting_dims: smallvec![r],
        lhs_precision: Precision::Default,
        rhs_precision: Precision::Default,
        dtype: DType::F64,
    };
    e.dot_general(dot, a, b)
}

/// A matrix that all examples share.
fn shared(e: &mut dyn Emit, rows: usize, cols: usize) -> Term {
    let numbers = e.one(Iota { ty: TensorType::new(DType::F64, &[rows, cols]), dim: 1 }, &[]);
    let rows = e.one(Iota { ty: TensorType::new(DType::F64, &[rows, cols]), dim: 0 }, &[]);
    let sum = moved(e, numbers, rows, 0.3);
    unary(e, UnaryOp::Sine, sum)
}

/// A sum over these dimensions, the examples' among them, taken from every element.
fn centred(e: &mut dyn Emit, s: Term, dims: &[usize]) -> Term {
    let shape = e.ty(s).shape;
    let sum = e.reduce_sum(s, dims);
    let kept: Dims = (0..shape.len()).filter(|d| !dims.contains(d)).collect();
    let sum = e.broadcast_in_dim(sum, &shape, &kept);
    moved(e, s, sum, -0.01)
}

/// Programs of a whole batch in which examples have to do with each other: no `vmap` makes them.
fn mixed() -> Vec<(&'static str, Vec<usize>, Step)> {
    vec![
        ("less the mean of all", vec![3], |e, s| centred(e, s, &[0, 1])),
        ("less the mean of examples", vec![3], |e, s| centred(e, s, &[0])),
        ("less means of two dimensions", vec![2, 3], |e, s| centred(e, s, &[0, 2])),
        ("less means of each example", vec![2, 3], |e, s| centred(e, s, &[1, 2])),
        ("other examples beside each other", vec![4], |e, s| {
            let parts = e.reshape(s, &[SIZE, 2, 2]);
            let parts = e.transpose(parts, &[1, 0, 2]);
            let mixed = e.reshape(parts, &[SIZE, 4]);
            moved(e, s, mixed, 0.1)
        }),
        ("by a matrix from the right", vec![2, 3], |e, s| {
            let w = shared(e, 3, 3);
            let y = contracted(e, s, w, [2, 0]);
            moved(e, s, y, 0.1)
        }),
        ("a middle dimension by a matrix from the right", vec![2, 3], |e, s| {
            let w = shared(e, 2, 2);
            let y = contracted(e, s, w, [1, 0]);
            let y = e.transpose(y, &[0, 2, 1]);
            moved(e, s, y, 0.1)
        }),
        ("by a matrix from the left", vec![2, 3], |e, s| {
            let w = shared(e, 2, 2);
            let y = contracted(e, w, s, [1, 1]);
            let y = e.transpose(y, &[1, 0, 2]);
            moved(e, s, y, 0.1)
        }),
        ("by products of examples", vec![3], |e, s| {
            let all = contracted(e, s, s, [0, 0]);
            let y = contracted(e, s, all, [1, 0]);
            moved(e, s, y, 0.001)
        }),
    ]
}

/// The same numbers in the same order, whatever examples have to do with each other.
#[test]
fn examples_that_are_mixed_keep_their_bits() {
    let mut turned = 0;
    for (name, shape, step) in mixed() {
        let mut m = Module::default();
        let all: Dims = [SIZE].into_iter().chain(shape).collect();
        let ty = TensorType::new(DType::F64, &all);
        let body = build(&mut m, "body", std::slice::from_ref(&ty), |e, x| {
            let s = busy(e, x[0]);
            vec![step(e, s)]
        });
        let f = build(&mut m, "main", std::slice::from_ref(&ty), |e, x| {
            vec![e.one(Scan { body, consts: 0, carry: 1, reverse: false, length: TRIPS }, &[x[0]])]
        });
        let passes = all_passes();
        let (before, _) = passes.split_once(",layout").expect("a pass");
        let before = run(&mut m, f, before);
        let after = run(&mut m, before, "layout,dce");
        turned += usize::from(m.get(before) != m.get(after));
        let x: Array = Random(7).array(&ty, -1.0, 1.0);
        let (want, got) = (eval(&m, before, std::slice::from_ref(&x)), eval(&m, after, &[x]));
        assert!(want == got, "{name}: bits differ");
    }
    assert!(turned >= 8, "only {turned} are turned");
}
