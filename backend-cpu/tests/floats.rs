//! Every operation on two floats, comparisons and `clamp`, on all pairs and triples of numbers that are special: the reference
//! interpreter, kernels and compiled code agree to the bit, and what IEEE 754 and StableHLO define is what they say.

use crate::common;

use common::all_ways;
use wengert_ir::array::Array;
use wengert_ir::func::{Func, FuncKind, Loc, Module};
use wengert_ir::minifloat::{Format, decode, encode};
use wengert_ir::op::{BinaryOp, Clamp, Compare, CompareType, Convert, Direction, Op};
use wengert_ir::testing::numbers;
use wengert_ir::types::{DType, FloatMode, TensorType};
use wengert_passes::lower;
use wengert_passes::pipeline::Pipeline;

const SPECIAL: [f64; 17] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -1.5,
    3.0,
    -4.0,
    7.25,
    1e-3,
    -1e30,
    1e30,
    f64::MIN_POSITIVE,
    -1e-310,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// What operations are in IEEE 754, NumPy and StableHLO, where that is one number whatever rounds it.
fn defined(op: BinaryOp, a: f64, b: f64) -> Option<f64> {
    let nan = a.is_nan() || b.is_nan();
    Some(match op {
        BinaryOp::Add => a + b,
        BinaryOp::Subtract => a - b,
        BinaryOp::Multiply => a * b,
        BinaryOp::Divide => a / b,
        BinaryOp::Remainder => a % b,
        BinaryOp::Maximum | BinaryOp::Minimum if nan => f64::NAN,
        // -0 is less than 0.
        BinaryOp::Maximum => {
            if a.total_cmp(&b).is_ge() {
                a
            } else {
                b
            }
        }
        BinaryOp::Minimum => {
            if a.total_cmp(&b).is_le() {
                a
            } else {
                b
            }
        }
        BinaryOp::NextAfter if nan => f64::NAN,
        BinaryOp::NextAfter if a == b => b,
        BinaryOp::NextAfter => {
            if b > a {
                a.next_up()
            } else {
                a.next_down()
            }
        }
        _ => return None,
    })
}

const OPS: [BinaryOp; 10] = [
    BinaryOp::Add,
    BinaryOp::Subtract,
    BinaryOp::Multiply,
    BinaryOp::Divide,
    BinaryOp::Remainder,
    BinaryOp::Maximum,
    BinaryOp::Minimum,
    BinaryOp::NextAfter,
    BinaryOp::Power,
    BinaryOp::Atan2,
];

const DIRECTIONS: [Direction; 6] =
    [Direction::Eq, Direction::Ne, Direction::Lt, Direction::Le, Direction::Gt, Direction::Ge];

/// Bits of the elements, those of every NaN the same.
fn bits(x: &Array) -> Vec<u64> {
    let infinity = match x.dtype() {
        DType::F64 => f64::INFINITY.to_bits(),
        DType::F32 => f32::INFINITY.to_bits().into(),
        DType::BF16 => 0x7f80,
        DType::F16 => 0x7c00,
        DType::I1 => u64::MAX,
        dtype => panic!("{dtype}"),
    };
    let size = x.dtype().size();
    let sign = 1 << (8 * size - 1);
    let mut elements = Vec::new();
    for bytes in x.bytes().chunks(size) {
        let mut wide = [0; 8];
        wide[..size].copy_from_slice(bytes);
        let code = u64::from_le_bytes(wide);
        elements.push(if code & !sign > infinity { u64::MAX } else { code });
    }
    elements
}

/// Runs operations on the same operands everywhere; gives what the interpreter says.
fn agree(dtype: DType, ops: &[Op], columns: &[Vec<f64>]) -> Vec<Vec<u64>> {
    let mut module = Module::new("test");
    module.mode = FloatMode::Exact;
    let ty = TensorType::new(dtype, &[columns[0].len()]);
    let args: Vec<Array> = columns.iter().map(|c| numbers(&ty, c.iter().copied())).collect();
    let mut func = Func::new("main", FuncKind::Public);
    let params: Vec<_> = args.iter().map(|a| func.param(a.ty().clone())).collect();
    for op in ops {
        let results = func.push(&module, op.clone(), &params, Loc::Unknown).expect("it fits");
        func.results.push(results[0]);
    }
    let main = module.add(func);
    let ways = all_ways(&module, main, &args, &format!("{dtype}"));
    let expected: Vec<Vec<u64>> = ways[0].1.iter().map(bits).collect();
    for (way, found) in &ways {
        for ((op, x), want) in ops.iter().zip(found).zip(&expected) {
            for (k, (x, want)) in bits(x).iter().zip(want).enumerate() {
                let at: Vec<f64> = columns.iter().map(|c| c[k]).collect();
                assert_eq!(x, want, "{op:?} of {dtype} at {at:?}, {way}");
            }
        }
    }
    expected
}

fn all(n: usize) -> Vec<Vec<f64>> {
    let count = SPECIAL.len().pow(n as u32);
    (0..n)
        .map(|k| (0..count).map(|i| SPECIAL[i / SPECIAL.len().pow(k as u32) % SPECIAL.len()]).collect())
        .collect()
}

#[test]
fn pairs() {
    let pairs = all(2);
    for dtype in [DType::F64, DType::F32, DType::F16, DType::BF16] {
        let ops: Vec<Op> = OPS.iter().map(|&op| op.into()).collect();
        let found = agree(dtype, &ops, &pairs);
        if dtype == DType::F64 {
            for (op, found) in OPS.iter().zip(&found) {
                for (k, &found) in found.iter().enumerate() {
                    let Some(want) = defined(*op, pairs[0][k], pairs[1][k]) else { break };
                    let want = if want.is_nan() { u64::MAX } else { want.to_bits() };
                    assert_eq!(found, want, "{op:?} at {}, {}", pairs[0][k], pairs[1][k]);
                }
            }
        }
        for kind in [CompareType::Float, CompareType::TotalOrder] {
            let ops: Vec<Op> =
                DIRECTIONS.iter().map(|&direction| Compare { direction, kind }.into()).collect();
            let found = agree(dtype, &ops, &pairs);
            if dtype != DType::F64 {
                continue;
            }
            for (direction, found) in DIRECTIONS.iter().zip(&found) {
                for (k, &found) in found.iter().enumerate() {
                    let (a, b) = (pairs[0][k], pairs[1][k]);
                    let order = match kind {
                        CompareType::TotalOrder => Some(a.total_cmp(&b)),
                        _ => a.partial_cmp(&b),
                    };
                    let want = match direction {
                        Direction::Eq => order.is_some_and(|o| o.is_eq()),
                        Direction::Ne => order.is_none_or(|o| o.is_ne()),
                        Direction::Lt => order.is_some_and(|o| o.is_lt()),
                        Direction::Le => order.is_some_and(|o| o.is_le()),
                        Direction::Gt => order.is_some_and(|o| o.is_gt()),
                        Direction::Ge => order.is_some_and(|o| o.is_ge()),
                    };
                    assert_eq!(found != 0, want, "{direction:?} {kind:?} at {a}, {b}");
                }
            }
        }
    }
}

/// `clamp` is the smaller of the upper bound and the larger of lower bound and operand, also where the bounds are in the wrong order.
#[test]
fn triples() {
    let triples = all(3);
    for dtype in [DType::F64, DType::F32, DType::BF16] {
        let found = agree(dtype, &[Clamp {}.into()], &triples);
        if dtype == DType::F64 {
            for (k, &found) in found[0].iter().enumerate() {
                let [low, x, high] = [triples[0][k], triples[1][k], triples[2][k]];
                let up = defined(BinaryOp::Maximum, low, x).expect("defined");
                let want = defined(BinaryOp::Minimum, up, high).expect("defined");
                let want = if want.is_nan() { u64::MAX } else { want.to_bits() };
                assert_eq!(found, want, "clamp at {low}, {x}, {high}");
            }
        }
    }
}

/// Nested selections whose conditions are all known before the innermost one is: more masks at a time than there are registers for
/// them. All of them are read twice, in both orders.
#[test]
fn more_masks_than_registers() {
    for (ty, count) in [("f32", 16usize), ("f64", 13), ("f32", 3)] {
        let ty = format!("tensor<133x{ty}>");
        let masks = "tensor<133xi1>";
        let mut body = String::new();
        for k in 0..count {
            let bound = k as f64 * 0.7 - 4.0;
            body += &format!(
                "%b{k} = stablehlo.constant dense<{bound:.2}> : {ty}
                 %m{k} = stablehlo.compare LT, %x, %b{k} : ({ty}, {ty}) -> {masks}
                 %v{k} = stablehlo.multiply %y, %b{k} : {ty}\n"
            );
        }
        let nested = |name: &str, order: &mut dyn Iterator<Item = usize>| {
            let mut text = String::new();
            let mut last = "%y".to_owned();
            for k in order {
                text += &format!("%{name}{k} = stablehlo.select %m{k}, %v{k}, {last} : {masks}, {ty}\n");
                last = format!("%{name}{k}");
            }
            (text, last)
        };
        let (down, a) = nested("d", &mut (0..count).rev());
        let (up, b) = nested("u", &mut (0..count));
        let text = format!(
            "func.func @main(%x: {ty}, %y: {ty}) -> {ty} {{
                {body} {down} {up}
                %r = stablehlo.subtract {a}, {b} : {ty}
                return %r : {ty}
            }}"
        );
        let module = wengert_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let main = module.find("main").expect("it is there");
        let func = &module.funcs[main];
        let args: Vec<Array> = func
            .params
            .iter()
            .enumerate()
            .map(|(k, &p)| {
                numbers(func.tensor(p), (0..133).map(|i| ((i * 37 + k * 5) % 100) as f64 * 0.11 - 4.0))
            })
            .collect();
        let found = all_ways(&module, main, &args, &text);
        for (how, results) in &found[1..] {
            assert_eq!(results[0].bytes(), found[0].1[0].bytes(), "{how}, {count} masks of {ty}");
        }
    }
}

/// Conversions from and to every format of at most 8 bits are vector code, and are what the formats say: of all codes; of every number
/// half way between two of a format, and its neighbours; and of numbers from everywhere.
#[test]
fn small_floats() {
    for dtype in DType::ALL.iter().copied() {
        let Some(format) = Format::of(dtype) else { continue };
        let codes: Vec<u8> = (0..=u8::MAX >> (8 - format.bits)).collect();
        let mut values: Vec<f64> =
            codes.iter().map(|&code| decode(dtype, code)).filter(|v| !v.is_nan()).collect();
        values.sort_by(f64::total_cmp);
        let mut middles: Vec<f64> = values.windows(2).map(|pair| (pair[0] + pair[1]) / 2.0).collect();
        let largest = values[values.len() - 1];
        middles.extend([
            largest * 1.02,
            largest * 1.0625,
            largest * 1.125,
            largest * 1.25,
            largest * 1.5,
            largest * 4.0,
        ]);
        let mut numbers: Vec<f32> = SPECIAL.iter().map(|&x| x as f32).collect();
        for x in middles.into_iter().chain(values.iter().copied()).map(|x| x as f32) {
            numbers.extend([x, x.next_up(), x.next_down(), -x, -x.next_up(), -x.next_down()]);
        }
        let mut word = 1u64;
        for _ in 0..3000 {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            numbers.push(f32::from_bits((word >> 32) as u32));
        }
        let narrow = TensorType::new(dtype, &[codes.len()]);
        let args = [Array::from_bytes(narrow, &codes), Array::new(&[numbers.len()], &numbers)];
        let module = Module::new("test");
        let mut func = Func::new("main", FuncKind::Public);
        for (arg, to) in args.iter().zip([DType::F32, dtype]) {
            let x = func.param(arg.ty().clone());
            let y = func.push(&module, Convert { dtype: to }.into(), &[x], Loc::Unknown).expect("it fits")[0];
            func.results.push(y);
        }
        let mut module = module;
        let main = module.add(func);
        for (way, found) in all_ways(&module, main, &args, &format!("{dtype}")) {
            for (&code, &x) in codes.iter().zip(found[0].as_slice::<f32>()) {
                let want = decode(dtype, code) as f32;
                let same = x.to_bits() == want.to_bits()
                    || x.is_nan() && want.is_nan() && x.is_sign_negative() == want.is_sign_negative();
                assert!(same, "{code:#x} of {dtype} is {want}, not {x} ({way})");
            }
            for (&x, &code) in numbers.iter().zip(found[1].bytes()) {
                let want = encode(dtype, x as f64);
                assert_eq!(code, want, "{x:e} ({:#x}) as {dtype}, {way}", x.to_bits());
            }
        }
        let func = Pipeline::default().run(&mut module, main, &mut |_| {});
        let program = lower::lower(&module, func, &lower::Options::default()).expect("it is lowered");
        let text = program.to_string();
        assert!(!text.contains("library.reference"), "{dtype}: {text}");
    }
}
