//! Rows of operations that run functions, and of those with many forms.

use super::table::{Row, f, i};
use crate::support::{build, scalar};
use smallvec::smallvec;
use wengert_ir::array::Array;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::host::{Batching, Host};
use wengert_ir::op::*;
use wengert_ir::testing::{floats, numbers};
use wengert_ir::types::{DType, TensorType, Type};

type Rows = Vec<(&'static str, Row)>;

fn vector() -> TensorType {
    f(&[3])
}

/// Captures of a comparison or of a sum: `(capture, a, b)`.
fn weighted_sum(m: &mut Module) -> FuncId {
    build(m, "sum", &[scalar(), scalar(), scalar()], |e, x| {
        let scaled = e.mul(x[0], x[2]);
        vec![e.add(x[1], scaled)]
    })
}

fn sum(m: &mut Module) -> FuncId {
    build(m, "plain", &[scalar(), scalar()], |e, x| {
        let twice = e.scale(x[1], 2.0);
        vec![e.add(x[0], twice)]
    })
}

/// The larger of numbers of which each comes with another.
fn larger_pair(m: &mut Module) -> FuncId {
    build(m, "pair", &[scalar(), scalar(), scalar(), scalar()], |e, x| {
        let left = e.compare(Direction::Ge, x[0], x[2]);
        vec![e.select(left, x[0], x[2]), e.select(left, x[1], x[3])]
    })
}

/// Whether the left one is nearer to what is captured.
fn nearer(m: &mut Module) -> FuncId {
    build(m, "nearer", &[scalar(), scalar(), scalar()], |e, x| {
        let [a, b] = [x[1], x[2]].map(|y| {
            let d = e.sub(y, x[0]);
            e.unary(UnaryOp::Abs, d)
        });
        vec![e.compare(Direction::Lt, a, b)]
    })
}

fn less(m: &mut Module) -> FuncId {
    build(m, "less", &[scalar(), scalar()], |e, x| vec![e.compare(Direction::Lt, x[0], x[1])])
}

pub(super) fn scatter(m: &mut Module, op: Scatter) -> (&'static str, Row) {
    let reducer = Reducer::Func(weighted_sum(m));
    let types = [f(&[4, 3]), i(&[2, 1]), f(&[2, 3]), scalar()];
    ("of a function with a capture", Row::new(Scatter { reducer, ..op }, &types))
}

pub(super) fn scatter_pairs(m: &mut Module, op: Scatter) -> (&'static str, Row) {
    let op = Scatter { reducer: Reducer::Func(larger_pair(m)), inputs: 2, ..op };
    let (x, updates) = (f(&[4, 3]), f(&[2, 3]));
    ("of pairs", Row::new(op, &[x.clone(), x, i(&[2, 1]), updates.clone(), updates]))
}

pub(super) fn sort(m: &mut Module) -> Rows {
    let op = |comparator, inputs| Sort { dimension: 1, is_stable: true, inputs, comparator };
    let pairs = build(
        m,
        "first of pairs",
        &[scalar(), scalar(), TensorType::scalar(DType::I32), TensorType::scalar(DType::I32)],
        |e, x| vec![e.compare(Direction::Gt, x[0], x[1])],
    );
    let (x, less, nearer) = (f(&[2, 4]), less(m), nearer(m));
    vec![
        ("", Row::new(op(less, 1), std::slice::from_ref(&x))),
        ("of pairs", Row::new(op(pairs, 2), &[x.clone(), i(&[2, 4])])),
        ("with a capture", Row::new(op(nearer, 1), &[x, scalar()])),
    ]
}

pub(super) fn random_bits() -> Rows {
    let mut rows = Rows::new();
    for &algorithm in RngAlgorithm::ALL {
        for (dtype, shape) in
            [(DType::U32, &[3, 5][..]), (DType::U64, &[3]), (DType::U8, &[2, 4]), (DType::U16, &[0, 3])]
        {
            let states = if algorithm == RngAlgorithm::ThreeFry { &[2][..] } else { &[2, 3] };
            for &words in states {
                let op = RngBitGenerator { algorithm, ty: TensorType::new(dtype, shape) };
                let state = TensorType::new(DType::U64, &[words]);
                // A counter that may carry into the next word.
                rows.push((algorithm.name(), Row::new(op, &[state]).range(0, 1.8e19, 1.84467440737095e19)));
            }
        }
    }
    rows
}

pub(super) fn reduce(m: &mut Module) -> Rows {
    let mut rows = Rows::new();
    for dtype in [DType::F64, DType::BF16, DType::I32, DType::U8, DType::I1] {
        for op in BinaryOp::MONOIDS {
            let x = TensorType::new(dtype, &[2, 5]);
            let reduce = Op::from(Reduce { dims: smallvec![1], inputs: 1, reducer: Reducer::Op(op) });
            let types = [x.into(), TensorType::scalar(dtype).into()];
            if reduce.def().infer(m, &types).is_ok() {
                let types = types.map(|ty: Type| ty.tensor().clone());
                rows.push((name_of(op, dtype), Row::new(reduce, &types)));
            }
        }
    }
    let op = |reducer, inputs| Reduce { dims: smallvec![0], inputs, reducer: Reducer::Func(reducer) };
    let (sum, pair) = (weighted_sum(m), larger_pair(m));
    let x = f(&[4, 3]);
    rows.push(("of a function with a capture", Row::new(op(sum, 1), &[x.clone(), scalar(), scalar()])));
    rows.push(("of pairs", Row::new(op(pair, 2), &[x.clone(), x, scalar(), scalar()])));
    rows
}

/// What a reduction is called in the list.
fn name_of(op: BinaryOp, dtype: DType) -> &'static str {
    match (op, dtype.is_float()) {
        (BinaryOp::Maximum | BinaryOp::Minimum, true) => "largest of floats",
        (BinaryOp::Maximum | BinaryOp::Minimum, false) => "largest of integers",
        (_, true) if dtype == DType::BF16 => "sum of narrow floats",
        (_, true) => "sum of floats",
        _ => "sum of integers",
    }
}

pub(super) fn windows(m: &mut Module) -> Rows {
    let op = |reducer, inputs| ReduceWindow {
        window_dimensions: smallvec![1, 2],
        window_strides: smallvec![1, 2],
        base_dilations: smallvec![1, 1],
        window_dilations: smallvec![1, 2],
        padding_low: smallvec![0, 1],
        padding_high: smallvec![0, 1],
        inputs,
        reducer,
    };
    let (of, pair) = (Reducer::Func(weighted_sum(m)), Reducer::Func(larger_pair(m)));
    let x = f(&[2, 5]);
    vec![
        ("sum", Row::new(op(Reducer::Op(BinaryOp::Add), 1), &[x.clone(), scalar()])),
        ("largest", Row::new(op(Reducer::Op(BinaryOp::Maximum), 1), &[x.clone(), scalar()])),
        ("largest of integers", Row::new(op(Reducer::Op(BinaryOp::Maximum), 1), &[i(&[2, 5]), i(&[])])),
        ("of a function with a capture", Row::new(op(of, 1), &[x.clone(), scalar(), scalar()])),
        ("of pairs", Row::new(op(pair, 2), &[x.clone(), x, scalar(), scalar()])),
    ]
}

pub(super) fn select_and_scatter(m: &mut Module) -> Rows {
    let op = |select, scatter| SelectAndScatter {
        window_dimensions: smallvec![1, 2],
        window_strides: smallvec![1, 1],
        padding_low: smallvec![0, 0],
        padding_high: smallvec![0, 1],
        select,
        scatter,
    };
    let (x, plain) = (f(&[2, 4]), Reducer::Op(BinaryOp::Add));
    let (near, of) = (Selector::Func(nearer(m)), Reducer::Func(weighted_sum(m)));
    vec![
        ("", Row::new(op(Selector::Compare(Direction::Ge), plain), &[x.clone(), x.clone(), scalar()])),
        ("of functions with a capture", Row::new(op(near, of), &[x.clone(), x, scalar(), scalar()])),
    ]
}

pub(super) fn map(m: &mut Module) -> Rows {
    let op = |computation, inputs| Map { dimensions: smallvec![0, 1], inputs, computation };
    let (plain, captures) = (sum(m), weighted_sum(m));
    let x = f(&[2, 3]);
    vec![
        ("", Row::new(op(plain, 2), &[x.clone(), x.clone()])),
        ("with a capture", Row::new(op(captures, 2), &[x.clone(), x, scalar()])),
    ]
}

pub(super) fn approx_top_k(m: &mut Module) -> Rows {
    let comparator = less(m);
    let op = ApproxTopK { k: 2, dim: 1, largest: true, config: "".into(), comparator };
    let types = [f(&[2, 4]), i(&[2, 4]), scalar(), i(&[])];
    vec![("", Row::new(op, &types))]
}

pub(super) fn custom_calls() -> Rows {
    let twice = |x: &[Array]| Ok(vec![numbers(x[0].ty(), floats(&x[0]).iter().map(|x| x * 2.0))]);
    let op = |batching| CustomCall {
        target: "twice".into(),
        attributes: "".into(),
        has_side_effect: false,
        results: vec![vector().into()],
        called_computations: Vec::new(),
        host: Host::new(batching, twice),
    };
    vec![
        ("example by example", Row::new(op(Batching::Examples), &[vector()])),
        ("of batches", Row::new(op(Batching::Whole), &[vector()])),
    ]
}

/// Of `(a, x)`: `sin(x) a + x`, and what no `x` changes.
fn pair(m: &mut Module) -> FuncId {
    build(m, "pair", &[scalar(), vector()], |e, x| {
        let a = e.broadcast_scalar(x[0], &[3]);
        let y = e.unary(UnaryOp::Sine, x[1]);
        let y = e.mul(y, a);
        vec![e.add(y, x[1]), e.add(x[0], x[0])]
    })
}

pub(super) fn call(m: &mut Module) -> Rows {
    vec![("", Row::new(Call { callee: pair(m) }, &[scalar(), vector()]))]
}

pub(super) fn composite(m: &mut Module) -> Rows {
    let op = Composite { name: "a.b".into(), attributes: "".into(), decomposition: pair(m), version: 0 };
    vec![("", Row::new(op, &[scalar(), vector()]))]
}

pub(super) fn case(m: &mut Module) -> Rows {
    let other = build(m, "other", &[scalar(), vector()], |e, x| vec![e.neg(x[1]), e.mul(x[0], x[0])]);
    // It ends only where it is run with something positive.
    let endless = {
        let cond = build(m, "cond", &[scalar()], |e, x| {
            let limit = e.splat(scalar(), 20.0);
            vec![e.compare(Direction::Lt, x[0], limit)]
        });
        let body = build(m, "body", &[scalar()], |e, x| vec![e.scale(x[0], 2.0)]);
        build(m, "endless", &[scalar(), vector()], |e, x| {
            let op = While { cond, body, consts: 0, stacks: 0, counted: false };
            let y = e.one(op, &[x[0]]);
            vec![x[1], y]
        })
    };
    let (branches, types) = (vec![pair(m), other], [i(&[]), scalar(), vector()]);
    let loops = vec![other, endless];
    vec![
        ("", Row::new(Case { branches: branches.clone() }, &types).range(0, -1.0, 3.0)),
        ("of one", Row::new(Case { branches: branches[..1].to_vec() }, &types)),
        ("of what may not end", Row::new(Case { branches: loops }, &types).range(1, 1.0, 2.0)),
    ]
}

pub(super) fn r#while(m: &mut Module) -> Rows {
    let types = [scalar(), scalar(), vector()];
    let cond = build(m, "cond", &types, |e, x| vec![e.compare(Direction::Lt, x[1], x[0])]);
    let body = build(m, "body", &types, |e, x| {
        let y = e.unary(UnaryOp::Cosine, x[2]);
        let step = e.splat(scalar(), 1.0);
        vec![e.add(x[1], step), y]
    });
    let counted = Row::new(While { cond, body, consts: 1, stacks: 0, counted: true }, &types);
    let op = While { cond, body, consts: 1, stacks: 0, counted: false };
    vec![("", Row::new(op, &types).range(0, -1.0, 4.0)), ("counted", counted.range(0, -1.0, 4.0))]
}

pub(super) fn scan(m: &mut Module) -> Rows {
    let types = [scalar(), vector(), scalar(), scalar()];
    let body = build(m, "body", &types, |e, x| {
        let a = e.mul(x[0], x[2]);
        let spread = e.broadcast_scalar(a, &[3]);
        vec![e.add(x[1], spread), e.add(a, x[3])]
    });
    let op = |reverse| Scan { body, consts: 1, carry: 1, reverse, length: 4 };
    let operands = [scalar(), vector(), f(&[4]), f(&[4])];
    vec![("", Row::new(op(false), &operands)), ("from the last", Row::new(op(true), &operands))]
}

pub(super) fn custom_jvp(m: &mut Module) -> Rows {
    let types = [scalar(), vector()];
    let body = build(m, "body", &types, |e, x| {
        let a = e.broadcast_scalar(x[0], &[3]);
        vec![e.mul(a, x[1])]
    });
    let rule = build(m, "rule", &[scalar(), vector(), vector()], |e, x| {
        let a = e.broadcast_scalar(x[0], &[3]);
        vec![e.mul(a, x[1]), e.mul(a, x[2])]
    });
    vec![("", Row::new(CustomJvp { body, rule, consts: 1 }, &types))]
}

pub(super) fn custom_vjp(m: &mut Module) -> Rows {
    let types = [scalar(), vector()];
    let body = build(m, "body", &types, |e, x| {
        let a = e.broadcast_scalar(x[0], &[3]);
        vec![e.mul(a, x[1])]
    });
    let forward = build(m, "forward", &types, |e, x| {
        let a = e.broadcast_scalar(x[0], &[3]);
        vec![e.mul(a, x[1]), x[1]]
    });
    let backward = build(m, "backward", &[scalar(), vector(), vector()], |e, x| vec![e.mul(x[1], x[2])]);
    let op = CustomVjp { body, forward, backward, consts: 1, forward_mode: false };
    vec![("", Row::new(op, &types))]
}

pub(super) fn custom_linear(m: &mut Module) -> Rows {
    let backward = build(m, "backward", &[vector(), vector()], |e, x| vec![e.mul(x[0], x[1])]);
    let op = CustomLinear { backward, known: 1 };
    vec![("", Row::new(op, &[vector(), vector()]).refused())]
}

pub(super) fn checkpoint(m: &mut Module) -> Rows {
    let body = pair(m);
    let op = Checkpoint { body, keep: Keep::Nothing, again: false, names: "".into(), compress: None };
    vec![("", Row::new(op, &[scalar(), vector()]))]
}

pub(super) fn linear_solve(m: &mut Module) -> Rows {
    let types = [scalar(), vector()];
    let times = build(m, "times", &types, |e, x| {
        let a = e.broadcast_scalar(x[0], &[3]);
        vec![e.mul(a, x[1])]
    });
    let over = build(m, "over", &types, |e, x| {
        let a = e.broadcast_scalar(x[0], &[3]);
        vec![e.div(x[1], a)]
    });
    let op = LinearSolve { matvec: times, vecmat: times, solve: over, transpose_solve: over, consts: 1 };
    vec![("", Row::new(op, &types).range(0, 1.0, 2.0))]
}

pub(super) fn root(m: &mut Module) -> Rows {
    let types = [scalar(), vector()];
    let residual = build(m, "residual", &types, |e, x| {
        let a = e.broadcast_scalar(x[0], &[3]);
        vec![e.sub(x[1], a)]
    });
    let solve = build(m, "solve", &types, |e, x| vec![e.broadcast_scalar(x[0], &[3])]);
    let tangent = build(m, "tangent", &[scalar(), vector(), vector()], |_, x| vec![x[2]]);
    vec![("", Row::new(Root { residual, solve, tangent, consts: 1 }, &types))]
}
