//! Whole programs, before and after.

use super::instance::{DTYPES, argument, shape};
use super::rows::same_bits;
use wengert_ir::array::{Array, Literal};
use wengert_ir::func::{Func, FuncId, FuncKind, Loc, Module, Value};
use wengert_ir::interp::{Limits, run};
use wengert_ir::op::*;
use wengert_ir::testing::Random;
use wengert_ir::types::{DType, Dims, FloatMode, TensorType};
use wengert_ir::verify::verify_func;
use wengert_passes::egraph::{Options, optimize};

/// A random function of about `size` instructions.
pub(super) fn program(rng: &mut Random, size: usize, module: &Module) -> Func {
    let mut f = Func::new("main", FuncKind::Public);
    let base = shape(rng);
    let dtype = rng.pick(DTYPES);
    for _ in 0..3 {
        f.param(TensorType::new(dtype, &base));
    }
    f.param(TensorType::scalar(dtype));
    let unary = [
        UnaryOp::Negate,
        UnaryOp::Abs,
        UnaryOp::Exponential,
        UnaryOp::Not,
        UnaryOp::Tanh,
        UnaryOp::Square,
        UnaryOp::Sqrt,
    ];
    let binary = [
        BinaryOp::Add,
        BinaryOp::Subtract,
        BinaryOp::Multiply,
        BinaryOp::Divide,
        BinaryOp::Maximum,
        BinaryOp::Minimum,
        BinaryOp::And,
        BinaryOp::Or,
    ];
    while f.insts.len() < size {
        let values: Vec<Value> = f.values.keys().collect();
        let recent = |rng: &mut Random| values[values.len() - 1 - rng.below(values.len().min(12))];
        let x = recent(rng);
        let ty = f.tensor(x).clone();
        let like = |rng: &mut Random, f: &Func| {
            let same: Vec<Value> = values.iter().copied().filter(|&v| *f.tensor(v) == ty).collect();
            rng.pick(&same[same.len().saturating_sub(12)..])
        };
        let (op, operands): (Op, Vec<Value>) = match rng.below(24) {
            0..=3 => (rng.pick(&unary).into(), vec![x]),
            4..=10 => (rng.pick(&binary).into(), vec![x, like(rng, &f)]),
            11 => {
                let value = rng.pick(&[0.0, -0.0, 1.0, -1.0, 2.0, 3.0, 0.5]);
                (Constant { value: Literal::splat(ty.clone(), value) }.into(), vec![])
            }
            12 => {
                let perm: Dims = (0..ty.rank()).rev().collect();
                (Transpose { perm }.into(), vec![x])
            }
            13 => (Reshape { shape: Dims::from_slice(&[ty.elements()]) }.into(), vec![x]),
            14 => (Reshape { shape: base.clone() }.into(), vec![x]),
            15 | 16 => {
                let dims = if ty.rank() == 0 { Dims::new() } else { (0..ty.rank()).collect() };
                (BroadcastInDim { shape: base.clone(), dims }.into(), vec![x])
            }
            17 => {
                let natural = CompareType::natural(ty.dtype);
                (
                    Compare { direction: rng.pick(Direction::ALL), kind: natural }.into(),
                    vec![x, like(rng, &f)],
                )
            }
            18 => {
                let preds: Vec<Value> =
                    values.iter().copied().filter(|&v| f.tensor(v).dtype == DType::I1).collect();
                if preds.is_empty() {
                    continue;
                }
                (Select {}.into(), vec![rng.pick(&preds), x, like(rng, &f)])
            }
            19 => (Convert { dtype: rng.pick(DTYPES) }.into(), vec![x]),
            20 if ty.rank() > 0 => {
                let scalar = TensorType::scalar(ty.dtype);
                let init = f.push(module, Op::splat(scalar, 0.0), &[], Loc::Unknown).unwrap()[0];
                let reducer = Reducer::Op(rng.pick(&[BinaryOp::Add, BinaryOp::Maximum]));
                (
                    Reduce { dims: Dims::from_slice(&[rng.below(ty.rank())]), inputs: 1, reducer }.into(),
                    vec![x, init],
                )
            }
            21 if ty.rank() == 2 => {
                let one = |d: usize| Dims::from_slice(&[d]);
                let op = DotGeneral {
                    lhs_batching_dims: Dims::new(),
                    rhs_batching_dims: Dims::new(),
                    lhs_contracting_dims: one(rng.below(2)),
                    rhs_contracting_dims: one(rng.below(2)),
                    lhs_precision: Precision::Default,
                    rhs_precision: Precision::Default,
                    dtype: ty.dtype,
                };
                (op.into(), vec![x, like(rng, &f)])
            }
            22 if ty.rank() > 0 => (Reverse { dims: Dims::from_slice(&[0]) }.into(), vec![x]),
            23 => (Zero { ty: ty.clone() }.into(), vec![]),
            _ => continue,
        };
        let _ = f.push(module, op, &operands, Loc::Unknown);
    }
    let count = f.values.len();
    let mut results: Vec<Value> = f.values.keys().skip(count - 3).collect();
    results.push(f.values.keys().nth(rng.below(count)).unwrap());
    f.results = results;
    f
}

fn run_both(module: &Module, before: FuncId, after: FuncId, rng: &mut Random) {
    for trial in 0..2 {
        let args: Vec<Array> =
            module.get(before).param_types().iter().map(|t| argument(rng, t.tensor(), trial == 0)).collect();
        let limits = Limits::default();
        let Ok(a) = run(module, before, &args, &limits) else { continue };
        let b = run(module, after, &args, &limits).unwrap();
        for (k, (x, y)) in a.iter().zip(&b).enumerate() {
            assert!(
                same_bits(x, y),
                "result {k}: {x:?} became {y:?}\n{:#?}\n{:#?}",
                module.get(before).insts,
                module.get(after).insts
            );
        }
    }
}

#[test]
fn random_programs_keep_their_bits_under_exact() {
    let mut rng = Random(11);
    for round in 0..300 {
        let mut module = Module { mode: FloatMode::Exact, ..Module::default() };
        let f = program(&mut rng, 4 + round % 60, &module);
        let before = module.add(f);
        let piece = if round % 3 == 0 { 7 } else { 300 };
        let out = optimize(&mut module, before, &Options { piece, ..Options::default() });
        assert!(out.report.cost_after <= out.report.cost_before);
        assert_eq!(module.get(before).result_types(), module.get(out.func).result_types());
        verify_func(&module, out.func).unwrap_or_else(|e| panic!("{e:?}"));
        run_both(&module, before, out.func, &mut rng);
    }
}

#[test]
fn the_same_program_gives_the_same_result() {
    for mode in [FloatMode::Exact, FloatMode::Default, FloatMode::Relaxed] {
        let mut rng = Random(5);
        for _ in 0..20 {
            let mut module = Module { mode, ..Module::default() };
            let f = program(&mut rng, 60, &module);
            let before = module.add(f);
            let mut again = module.clone();
            let a = optimize(&mut module, before, &Options::default());
            let b = optimize(&mut again, before, &Options::default());
            assert_eq!(a.report, b.report);
            assert_eq!(module.get(a.func), again.get(b.func));
        }
    }
}

#[test]
fn optimizing_twice_is_no_worse_than_once() {
    let mut rng = Random(23);
    for _ in 0..30 {
        let mut module = Module::default();
        let f = program(&mut rng, 40, &module);
        let before = module.add(f);
        let once = optimize(&mut module, before, &Options::default());
        let twice = optimize(&mut module, once.func, &Options::default());
        assert!(twice.report.cost_after <= once.report.cost_after);
        assert!(module.get(twice.func).insts.len() <= module.get(once.func).insts.len());
    }
}

/// Work grows with the size of a program and no faster.
#[test]
fn searches_grow_with_the_program() {
    for (size, most) in [(20usize, 3), (100, 6), (1000, 6), (5000, 44)] {
        let mut rng = Random(3);
        let mut module = Module::default();
        let f = program(&mut rng, size, &module);
        let id = module.add(f);
        let r = optimize(&mut module, id, &Options::default()).report;
        assert!(r.pieces <= size / 100 + 1 && r.iterations <= most, "{size} instructions: {r:?}");
        assert!(r.cost_after <= r.cost_before, "{r:?}");
    }
}

/// What is needed anyway is not paid for again: with the exponential at hand, the quotient stays; without, it becomes a
/// logistic function. What was written decides neither, and the quotient beside it still becomes a product.
#[test]
fn shared_parts_are_paid_for_once() {
    let ty = TensorType::new(DType::F64, &[1000]);
    let build = |shared: bool| {
        let mut module = Module { mode: FloatMode::Relaxed, ..Module::default() };
        let mut f = Func::new("main", FuncKind::Public);
        let (x, y) = (f.param(ty.clone()), f.param(ty.clone()));
        let mut push = |op: Op, operands: &[Value]| f.push(&module, op, operands, Loc::Unknown).unwrap()[0];
        let (one, four) = (push(Op::splat(ty.clone(), 1.0), &[]), push(Op::splat(ty.clone(), 4.0), &[]));
        let e = push(UnaryOp::Exponential.into(), &[x]);
        let sum = push(BinaryOp::Add.into(), &[one, e]);
        let share = push(BinaryOp::Divide.into(), &[one, sum]);
        let quarter = push(BinaryOp::Divide.into(), &[y, four]);
        f.results = if shared { vec![e, share, quarter] } else { vec![share, quarter] };
        let id = module.add(f);
        let out = optimize(&mut module, id, &Options::default()).func;
        let func = module.get(out);
        let count = |op: Op| func.insts.values().filter(|i| i.op == op).count();
        [
            UnaryOp::Exponential.into(),
            UnaryOp::Logistic.into(),
            BinaryOp::Divide.into(),
            BinaryOp::Multiply.into(),
        ]
        .map(count)
    };
    assert_eq!(build(true), [1, 0, 1, 1], "exponentials, logistics, quotients, products");
    assert_eq!(build(false), [0, 1, 0, 1], "exponentials, logistics, quotients, products");
}
