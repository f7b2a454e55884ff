//! Every elementwise operation for every element type it takes, on ordinary and special numbers.

use crate::Agreement::Bits;
use crate::{WAYS, agree, check_module, run_lowered};
use wengert_ir::array::Array;
use wengert_ir::func::{Func, FuncKind, Loc, Module, Value};
use wengert_ir::op::{
    BinaryOp, BitcastConvert, Clamp, Compare, CompareType, Convert, Direction, Fma, Op, ReducePrecision,
    Select, UnaryOp,
};
use wengert_ir::testing::{Random, floats, numbers, single};
use wengert_ir::types::{DType, DTypeClass, TensorType, Type};
use wengert_ir::unary_of;
use wengert_passes::pipeline::Pipeline;

/// Types that kernels compute with.
const NATIVE: [DType; 7] =
    [DType::F64, DType::F32, DType::I64, DType::I32, DType::U64, DType::U32, DType::I1];
const N: usize = 150;
/// The last elements are the same whatever the seed: operands that are equal.
const EQUAL: usize = 20;

/// All types, those that kernels do not compute with among them: they are made into others first.
fn types() -> impl Iterator<Item = DType> {
    DType::ALL.iter().copied()
}

/// Special numbers first, then random ones of several sizes.
fn values(dtype: DType, seed: u64) -> Array {
    let ty = TensorType::new(dtype, &[N]);
    if dtype.is_complex() {
        let part = if dtype == DType::C64 { DType::F32 } else { DType::F64 };
        let [re, im] = [values(part, seed), values(part, seed + 7)].map(|a| floats(&a));
        let flat = re.into_iter().zip(im).flat_map(|(re, im)| [re, im]);
        return Array::from_bytes(ty, numbers(&TensorType::new(part, &[2 * N]), flat).bytes());
    }
    let special: &[f64] = match dtype {
        _ if dtype.is_float() => &[
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
        _ if dtype.class() == DTypeClass::Signed && dtype.bits() >= 32 => {
            &[0.0, 1.0, -1.0, 2.0, 31.0, 32.0, 63.0, 64.0, -2147483648.0, 2147483647.0]
        }
        _ if dtype.bits() >= 32 => &[0.0, 1.0, 2.0, 31.0, 32.0, 63.0, 64.0, 4294967295.0],
        // All of the bits and all but the first, in each width.
        _ if dtype.class() == DTypeClass::Signed => &[0.0, 1.0, -1.0, -2.0],
        _ => &[0.0, 1.0],
    };
    let mut random = Random(seed);
    let shift = seed as usize;
    let list = (0..N).map(|k| {
        if k >= N - EQUAL {
            special[k % special.len()]
        } else if k < 60 {
            special[(k * (1 + shift) + shift) % special.len()]
        } else if dtype.is_integer() && dtype.bits() < 32 {
            // Every value of few bits, some of more.
            let span = 2f64.powi(dtype.bits() as i32);
            let low = if dtype.class() == DTypeClass::Signed { -span / 2.0 } else { 0.0 };
            low + (random.uniform(0.0, 1.0) * span).floor()
        } else {
            let x = random.uniform(-4.0, 4.0) * if k % 7 == 0 { 1e6 } else { 1.0 };
            let x = if dtype.is_float() { x } else { x.floor() };
            if dtype.class() == DTypeClass::Unsigned { x.abs() } else { x }
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
    let what = format!("{op:?} of {}", args[0].dtype());
    let is_native = |ty: &TensorType| NATIVE.contains(&ty.dtype);
    let func = m.get(f);
    if tensors.iter().all(is_native) && func.results.iter().all(|&r| is_native(func.tensor(r))) {
        return check_module(&what, &m, f, args, Bits);
    }
    let want = wengert_ir::interp::run(&m, f, args, &Default::default()).expect("ran before");
    let mut m = m;
    let f = Pipeline::parse("legalize").expect("a pass").run(&mut m, f, &mut |_| {});
    for way in WAYS {
        let got = run_lowered(&m, f, args, way).unwrap_or_else(|e| panic!("{what}: {e}"));
        for (got, want) in got.iter().zip(&want) {
            agree(got, want, Bits).unwrap_or_else(|e| panic!("{what}, {way:?}: {e}"));
        }
    }
}

#[test]
fn unary() {
    // Others have taken the place of what is defined by them.
    for &op in UnaryOp::ALL.iter().filter(|op| !matches!(op, unary_of!(defined))) {
        for dtype in types() {
            check(Op::Unary(op), &[values(dtype, 1)]);
        }
    }
}

#[test]
fn binary() {
    for &op in BinaryOp::ALL {
        for dtype in types() {
            check(Op::Binary(op), &[values(dtype, 1), values(dtype, 2)]);
        }
    }
}

#[test]
fn compare() {
    for &direction in Direction::ALL {
        for kind in [CompareType::Float, CompareType::TotalOrder, CompareType::Signed, CompareType::Unsigned]
        {
            for dtype in types() {
                check(Compare { direction, kind }.into(), &[values(dtype, 1), values(dtype, 2)]);
            }
        }
    }
}

#[test]
fn ternary() {
    for dtype in types() {
        let [a, b, c] = [1, 2, 3].map(|s| values(dtype, s));
        check(Select {}.into(), &[values(DType::I1, 1), a.clone(), b.clone()]);
        check(Select {}.into(), &[numbers(&TensorType::scalar(DType::I1), [1.0]), a.clone(), b.clone()]);
        check(Clamp {}.into(), &[a.clone(), b.clone(), c.clone()]);
        if !dtype.is_complex() {
            let scalar = numbers(&TensorType::scalar(dtype), [1.0]);
            check(Clamp {}.into(), &[scalar.clone(), b.clone(), scalar]);
        }
        check(Fma {}.into(), &[a, b, c]);
    }
}

#[test]
fn conversions() {
    for from in types() {
        for to in types() {
            check(Convert { dtype: to }.into(), &[values(from, 1)]);
            if matches!(from, DType::F64 | DType::F32) {
                check(Convert { dtype: to }.into(), &[beside_ties(from)]);
            }
        }
    }
    for from in NATIVE {
        for to in NATIVE {
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

/// Numbers just below, at and just above the middle between two of fewer bits, for each number of bits: rounded twice, they
/// end on the other side.
fn beside_ties(dtype: DType) -> Array {
    let list: Vec<f64> = (0..N)
        .map(|k| {
            let (bits, side, odd) = (k as i32 / 6 % 25, (k % 3) as f64 - 1.0, (k / 3 % 2) as f64);
            let unit = 2f64.powi(-bits);
            1.0 + odd * unit + unit / 2.0 + side * 2f64.powi(if dtype == DType::F64 { -50 } else { -23 })
        })
        .collect();
    numbers(&TensorType::new(dtype, &[N]), list)
}

/// Conversions of conversions, which rules join where they may.
#[test]
fn conversions_in_a_row() {
    const SOME: [DType; 10] = [
        DType::F64,
        DType::F32,
        DType::BF16,
        DType::F16,
        DType::I64,
        DType::I32,
        DType::I8,
        DType::U32,
        DType::U8,
        DType::I1,
    ];
    for from in SOME {
        let args: Vec<Array> = match from {
            DType::F64 | DType::F32 => vec![values(from, 1), beside_ties(from)],
            DType::I64 | DType::I32 => {
                let ty = TensorType::new(from, &[8]);
                vec![
                    values(from, 1),
                    numbers(&ty, [300.0, -300.0, 127.0, 128.0, 65536.0, -32769.0, 255.0, 256.0]),
                ]
            }
            _ => vec![values(from, 1)],
        };
        for (via, to) in SOME.into_iter().flat_map(|via| SOME.map(|to| (via, to))) {
            for x in &args {
                let mut m = Module::new("conversions");
                let mut f = Func::new("main", FuncKind::Public);
                let v = f.param(x.ty().clone());
                let v = f.push(&m, Convert { dtype: via }.into(), &[v], Loc::Unknown).expect("converts")[0];
                f.results =
                    f.push(&m, Convert { dtype: to }.into(), &[v], Loc::Unknown).expect("converts").to_vec();
                let f = m.add(f);
                let run = |m: &Module, f| {
                    wengert_ir::interp::run(m, f, std::slice::from_ref(x), &Default::default())
                };
                let want = run(&m, f).expect("runs");
                let f = Pipeline::parse("simplify").expect("a pass").run(&mut m, f, &mut |_| {});
                let got = run(&m, f).expect("runs");
                agree(&got[0], &want[0], Bits).unwrap_or_else(|e| panic!("{from} to {via} to {to}: {e}"));
            }
        }
    }
}

/// Kernels compute with narrow numbers as wider ones; each result must be rounded before anything reads it. A result that
/// is only stored would be rounded by that.
#[test]
fn narrow_results_are_rounded_before_they_are_read() {
    let narrow = DType::ALL.iter().copied().filter(|d| !d.is_native() && (d.is_float() || d.is_integer()));
    let wide = |dtype: DType| if dtype.is_float() { DType::F32 } else { DType::I32 };
    let argument = |dtype: DType, seed: u64| {
        let mut random = Random(seed);
        let ty = TensorType::new(dtype, &[N]);
        numbers(&ty, (0..N).map(|_| random.uniform(-4.0, 4.0)).collect::<Vec<_>>())
    };
    let ops = UnaryOp::ALL.iter().map(|&op| (Op::from(op), 1));
    let ops: Vec<(Op, usize)> = ops.chain(BinaryOp::ALL.iter().map(|&op| (op.into(), 2))).collect();
    let mut checked = 0;
    for dtype in narrow {
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
    assert!(checked > 500, "{checked} operations");
}
