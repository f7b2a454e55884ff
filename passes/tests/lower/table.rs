//! Every elementwise operation for every element type it takes, on ordinary and special numbers.

use crate::Agreement::Bits;
use crate::{WAYS, agree, check_module, run_lowered};
use wengert_ir::array::Array;
use wengert_ir::func::{Func, FuncKind, Loc, Module, Value};
use wengert_ir::op::{
    BinaryOp, BitcastConvert, Clamp, Compare, CompareType, Convert, Direction, Fma, Op, ReducePrecision,
    Select, UnaryOp,
};
use wengert_ir::testing::{Random, numbers, single};
use wengert_ir::types::{DType, TensorType, Type};
use wengert_passes::pipeline::Pipeline;

const TYPES: [DType; 7] = [DType::F64, DType::F32, DType::I64, DType::I32, DType::U64, DType::U32, DType::I1];
const N: usize = 150;

/// Special numbers first, then random ones of several sizes.
fn values(dtype: DType, seed: u64) -> Array {
    let ty = TensorType::new(dtype, &[N]);
    let special: &[f64] = match dtype {
        DType::F64 | DType::F32 => &[
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            -0.5,
            1.5,
            2.5,
            -2.5,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            1e30,
            -1e30,
            1e-40,
            3e9,
            -3e9,
            2e19,
            0.49999999999999994,
        ],
        DType::I64 | DType::I32 => {
            &[0.0, 1.0, -1.0, 2.0, 31.0, 32.0, 63.0, 64.0, -2147483648.0, 2147483647.0]
        }
        _ => &[0.0, 1.0, 2.0, 31.0, 32.0, 63.0, 64.0, 4294967295.0],
    };
    let mut random = Random(seed);
    let shift = seed as usize;
    let list = (0..N).map(|k| {
        if k < 60 {
            special[(k * (1 + shift) + shift) % special.len()]
        } else {
            let x = random.uniform(-4.0, 4.0) * if k % 7 == 0 { 1e6 } else { 1.0 };
            let x = if dtype.is_float() { x } else { x.floor() };
            if matches!(dtype, DType::U32 | DType::U64) { x.abs() } else { x }
        }
    });
    numbers(&ty, list.collect::<Vec<_>>())
}

fn check(op: Op, args: &[Array]) {
    let types: Vec<Type> = args.iter().map(|a| a.ty().clone().into()).collect();
    let empty = wengert_ir::func::Module::new("types");
    if op.infer(&empty, &types).is_err() {
        return;
    }
    let tensors: Vec<TensorType> = args.iter().map(|a| a.ty().clone()).collect();
    let (m, f) = single(op.clone(), &tensors);
    if wengert_ir::interp::run(&m, f, args, &Default::default()).is_err() {
        return;
    }
    check_module(&format!("{op:?} of {}", args[0].dtype()), &m, f, args, Bits);
}

#[test]
fn unary() {
    for &op in UnaryOp::ALL {
        for dtype in TYPES {
            check(Op::Unary(op), &[values(dtype, 1)]);
        }
    }
}

#[test]
fn binary() {
    for &op in BinaryOp::ALL {
        for dtype in TYPES {
            check(Op::Binary(op), &[values(dtype, 1), values(dtype, 2)]);
        }
    }
}

#[test]
fn compare() {
    for &direction in Direction::ALL {
        for kind in [CompareType::Float, CompareType::TotalOrder, CompareType::Signed, CompareType::Unsigned]
        {
            for dtype in TYPES {
                check(Compare { direction, kind }.into(), &[values(dtype, 1), values(dtype, 2)]);
            }
        }
    }
}

#[test]
fn ternary() {
    for dtype in TYPES {
        let [a, b, c] = [1, 2, 3].map(|s| values(dtype, s));
        check(Select {}.into(), &[values(DType::I1, 1), a.clone(), b.clone()]);
        check(Select {}.into(), &[numbers(&TensorType::scalar(DType::I1), [1.0]), a.clone(), b.clone()]);
        check(Clamp {}.into(), &[a.clone(), b.clone(), c.clone()]);
        let scalar = numbers(&TensorType::scalar(dtype), [1.0]);
        check(Clamp {}.into(), &[scalar.clone(), b.clone(), scalar]);
        check(Fma {}.into(), &[a, b, c]);
    }
}

#[test]
fn conversions() {
    for from in TYPES {
        for to in TYPES {
            check(Convert { dtype: to }.into(), &[values(from, 1)]);
            for shape in [&[N][..], &[N / 2], &[N, 2]] {
                check(BitcastConvert { ty: TensorType::new(to, shape) }.into(), &[values(from, 1)]);
                let pairs = values(from, 1).reshaped(&[N / 2, 2]);
                check(BitcastConvert { ty: TensorType::new(to, shape) }.into(), &[pairs]);
            }
        }
        for (exponent_bits, mantissa_bits) in [(5, 10), (8, 7), (8, 23), (11, 52), (4, 3), (5, 0)] {
            check(ReducePrecision { exponent_bits, mantissa_bits }.into(), &[values(from, 1)]);
        }
    }
}

/// Kernels compute with narrow numbers as wider ones; each result must be rounded before anything reads it. A result that
/// is only stored would be rounded by that.
#[test]
fn narrow_results_are_rounded_before_they_are_read() {
    const NARROW: [DType; 6] =
        [DType::F16, DType::BF16, DType::F8E4M3FN, DType::F8E5M2, DType::I4, DType::U4];
    let wide = |dtype: DType| if dtype.is_float() { DType::F32 } else { DType::I32 };
    let argument = |dtype: DType, seed: u64| {
        let mut random = Random(seed);
        let ty = TensorType::new(dtype, &[N]);
        numbers(&ty, (0..N).map(|_| random.uniform(-4.0, 4.0)).collect::<Vec<_>>())
    };
    let ops = UnaryOp::ALL.iter().map(|&op| (Op::from(op), 1));
    let ops: Vec<(Op, usize)> = ops.chain(BinaryOp::ALL.iter().map(|&op| (op.into(), 2))).collect();
    let mut checked = 0;
    for dtype in NARROW {
        let args: Vec<Array> = (1..3).map(|seed| argument(dtype, seed)).collect();
        for (op, count) in &ops {
            let mut m = Module::new("narrow");
            let mut f = Func::new("main", FuncKind::Public);
            let params: Vec<Value> = args[..*count].iter().map(|a| f.param(a.ty().clone())).collect();
            let Ok(results) = f.push(&m, op.clone(), &params, Loc::Unknown) else { continue };
            if f.tensor(results[0]).dtype != dtype {
                continue;
            }
            let convert = Convert { dtype: wide(dtype) };
            f.results = f.push(&m, convert.into(), &results, Loc::Unknown).expect("converts").to_vec();
            let f = m.add(f);
            let Ok(want) = wengert_ir::interp::run(&m, f, &args[..*count], &Default::default()) else {
                continue;
            };
            let legal = Pipeline::parse("legalize").expect("a pass").run(&mut m, f, &mut |_| {});
            let got = run_lowered(&m, legal, &args[..*count], WAYS[0]).unwrap_or_else(|e| panic!("{e}"));
            agree(&got[0], &want[0], Bits).unwrap_or_else(|e| panic!("{op:?} of {dtype}, read: {e}"));
            checked += 1;
        }
    }
    assert!(checked > 150, "{checked} operations");
}
