//! Every elementwise operation, and every pair of them, becomes vector code: one operation that none of our vectors has must not
//! make a loop scalar that others are in. Loops are looked at as they are compiled; nothing is run.
//!
//! What is not so, and why, stands in [`EXCEPTIONS`], and nowhere else.

use std::sync::OnceLock;
use wengert::Traced;
use wengert::profile::{Kernel, Profile};
use wengert_cpu::{Form, Options, Wide};
use wengert_ir::func::{Func, FuncKind, Loc, Module};
use wengert_ir::op::{BinaryOp, Op, UnaryOp};
use wengert_ir::types::{DType, TensorType};

/// Operations that a loop is not in the longest vectors for, with the types for which that is so and the reason.
const EXCEPTIONS: &[(&str, &[DType], &str)] = &[
    (
        "stablehlo.divide",
        &[DType::I64, DType::U64],
        "no machine divides vectors of integers, and f64 holds 53 bits",
    ),
    (
        "stablehlo.remainder",
        &[DType::I64, DType::U64, DType::F32, DType::F64],
        "integers: as divide; floats: exact, digit by digit, for any quotient",
    ),
    ("chlo.next_after", ALL, "rare"),
];

/// The same of vectors of 256 bits, for which AVX2 has fewer instructions (`backend-cpu/src/codegen/simd/ymm.rs`).
const OF_256_BITS: &[(&str, &[DType])] = &[
    ("stablehlo.abs", &[DType::I64]),
    ("stablehlo.popcnt", &[DType::I64, DType::U64]),
    ("stablehlo.count_leading_zeros", ALL),
    ("stablehlo.multiply", &[DType::I64, DType::U64]),
    ("chlo.square", &[DType::I64, DType::U64]),
    ("stablehlo.power", &[DType::I64, DType::U64]),
    ("chlo.mulhi", ALL),
    ("stablehlo.minimum", &[DType::I64, DType::U64]),
    ("stablehlo.maximum", &[DType::I64, DType::U64]),
    ("stablehlo.shift_right_arithmetic", &[DType::I64, DType::U64]),
    ("stablehlo.divide", &[DType::U32]),
    ("stablehlo.remainder", &[DType::U32]),
    ("stablehlo.complex", &[DType::F32, DType::F64]),
];

/// Conversions that AVX2 has no instructions for.
const CONVERSIONS_OF_256_BITS: &[(DType, &[DType])] = &[
    (DType::F32, &[DType::I64, DType::U32, DType::U64]),
    (DType::F64, &[DType::I64, DType::U32, DType::U64]),
    (DType::I64, &[DType::F32, DType::F64]),
    (DType::U32, &[DType::F32, DType::F64]),
    (DType::U64, &[DType::F32, DType::F64]),
];

const ALL: &[DType] = TYPES;

/// Types that vectors are made of.
const TYPES: &[DType] = &[
    DType::F32,
    DType::F64,
    DType::I8,
    DType::I16,
    DType::I32,
    DType::I64,
    DType::U8,
    DType::U16,
    DType::U32,
    DType::U64,
];

fn operations() -> Vec<Op> {
    let unary = UnaryOp::ALL.iter().map(|&op| Op::from(op));
    unary.chain(BinaryOp::ALL.iter().map(|&op| Op::from(op))).collect()
}

fn is_exception(op: &Op, dtype: DType) -> bool {
    let halves = longest() == Some(Wide::Ymm)
        && OF_256_BITS.iter().any(|(name, types)| *name == op.name() && types.contains(&dtype));
    halves || EXCEPTIONS.iter().any(|(name, types, _)| *name == op.name() && types.contains(&dtype))
}

/// A program that does these operations one after the other to all of a tensor; none if types do not fit.
fn program(ops: &[&Op], dtype: DType) -> Option<Traced> {
    let mut module = Module::new("m");
    let mut func = Func::new("main", FuncKind::Public);
    let ty = TensorType::new(dtype, &[4096]);
    let (mut x, y) = (func.param(ty.clone()), func.param(ty.clone()));
    for op in ops {
        let operands = [x, y];
        let count = if matches!(op, Op::Unary(_)) { 1 } else { 2 };
        x = func.push(&module, (*op).clone(), &operands[..count], Loc::Unknown).ok()?[0];
        if *func.ty(x) != ty.clone().into() {
            // Of another type: nothing follows on it.
            break;
        }
    }
    func.results = vec![x];
    let main = module.add(func);
    Some(Traced::new(module, main))
}

fn profile(program: &Traced) -> Profile {
    program.lower().and_then(|l| l.kernels()).unwrap_or_else(|e| panic!("{e}\n{program}"))
}

/// What of a program is not in the longest vectors.
pub(crate) fn slow(program: &Traced) -> Vec<String> {
    let best = match longest() {
        Some(Wide::Zmm) => Form::Bits512,
        Some(Wide::Ymm) => Form::Bits256,
        None => Form::Bits128,
    };
    let bad = |k: &&Kernel| k.forms.iter().any(|&f| f < best) || !k.interpreted.is_empty();
    profile(program).kernels.iter().filter(bad).map(Kernel::how).collect()
}

/// Whether this machine has the longest vectors there are; a test that needs them says so.
pub(crate) fn has_512_bits() -> bool {
    let has = longest() == Some(Wide::Zmm);
    if !has {
        wengert_ir::testing::skip("avx512", "it is about vectors of 512 bits");
    }
    has
}

/// The longest vectors of this machine, as a loop shows that can be in any.
fn longest() -> Option<Wide> {
    // Every program asks.
    static LONGEST: OnceLock<Option<Wide>> = OnceLock::new();
    *LONGEST.get_or_init(|| {
        let add = program(&[&BinaryOp::Add.into()], DType::F32).expect("floats can be added");
        let lowered = add.lower().expect("an addition");
        let (_, surveyed) = wengert_cpu::survey(lowered.program(), &Options::default());
        match surveyed.iter().flat_map(|s| &s.loops).map(|l| l.form).max() {
            Some(Form::Bits512) => Some(Wide::Zmm),
            Some(Form::Bits256) => Some(Wide::Ymm),
            _ => None,
        }
    })
}

#[test]
fn every_operation_is_vector_code() {
    let (mut wrong, mut tried) = (Vec::new(), 0);
    for op in operations() {
        for &dtype in TYPES {
            let Some(program) = program(&[&op], dtype) else { continue };
            tried += 1;
            let found = slow(&program);
            // An exception that is none any more is to be taken off the list.
            if found.is_empty() == is_exception(&op, dtype) && longest().is_some() {
                wrong.push(format!("{} of {dtype}: {found:?}", op.name()));
            }
        }
    }
    assert!(tried > 100, "{tried} operations");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_pair_of_operations_is_vector_code() {
    if !has_512_bits() {
        return;
    }
    let (mut wrong, mut tried) = (Vec::new(), 0);
    for &dtype in TYPES {
        let all = operations();
        let plain: Vec<&Op> =
            all.iter().filter(|op| !is_exception(op, dtype) && program(&[op], dtype).is_some()).collect();
        for first in &plain {
            for second in &plain {
                let Some(program) = program(&[first, second], dtype) else { continue };
                tried += 1;
                let found = slow(&program);
                if !found.is_empty() {
                    wrong.push(format!("{} then {} of {dtype}: {found:?}", first.name(), second.name()));
                }
            }
        }
    }
    assert!(tried > 2000, "{tried} pairs");
    assert!(wrong.is_empty(), "{} of {tried}:\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
}

/// Conversions between all of these types, and to truth values.
#[test]
fn every_conversion_is_vector_code() {
    let Some(longest) = longest() else { return };
    let is_exception = |from: DType, to: DType| {
        let all = CONVERSIONS_OF_256_BITS.iter();
        longest == Wide::Ymm && all.clone().any(|(one, others)| *one == from && others.contains(&to))
    };
    let mut wrong = Vec::new();
    for from in TYPES {
        for to in TYPES.iter().chain(&[DType::I1]).filter(|to| *to != from) {
            let text = format!(
                "func.func @main(%x: tensor<4096x{from}>) -> tensor<4096x{to}> {{
                   %y = stablehlo.convert %x : (tensor<4096x{from}>) -> tensor<4096x{to}>
                   return %y : tensor<4096x{to}> }}"
            );
            let found = slow(&parsed(&text));
            if found.is_empty() == is_exception(*from, *to) {
                wrong.push(format!("{from} to {to}: {found:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Reads at computed places, of numbers that fill a lane.
#[test]
fn gathers_are_vector_code() {
    if !has_512_bits() {
        return;
    }
    for element in [DType::F32, DType::F64, DType::I32, DType::U64] {
        for index in [DType::I32, DType::I64, DType::U32, DType::U8] {
            let text = format!(
                "func.func @main(%x: tensor<300x{element}>, %at: tensor<4096x1x{index}>) -> tensor<4096x{element}> {{
                   %y = \"stablehlo.gather\"(%x, %at) <{{dimension_numbers = #stablehlo.gather<
                     collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
                     slice_sizes = array<i64: 1>}}> : (tensor<300x{element}>, tensor<4096x1x{index}>) -> tensor<4096x{element}>
                   return %y : tensor<4096x{element}> }}"
            );
            let found = slow(&parsed(&text));
            assert!(found.is_empty(), "{element} by {index}: {found:?}");
        }
    }
}

/// Reads and writes at small distances: columns that become points and points that become columns.
#[test]
fn strides_are_vector_code() {
    if !has_512_bits() {
        return;
    }
    for element in [DType::F32, DType::F64, DType::I32] {
        for n in 2..=8 {
            let columns = format!(
                "func.func @main(%x: tensor<4096x{n}x{element}>) -> tensor<4096x{element}> {{
                   %a = stablehlo.slice %x [0:4096, 0:1] : (tensor<4096x{n}x{element}>) -> tensor<4096x1x{element}>
                   %b = stablehlo.slice %x [0:4096, 1:2] : (tensor<4096x{n}x{element}>) -> tensor<4096x1x{element}>
                   %c = stablehlo.add %a, %b : tensor<4096x1x{element}>
                   %y = stablehlo.reshape %c : (tensor<4096x1x{element}>) -> tensor<4096x{element}>
                   return %y : tensor<4096x{element}> }}"
            );
            let every = format!("tensor<4096x1x{element}>");
            let points = format!(
                "func.func @main({}) -> tensor<4096x{n}x{element}> {{
                   %y = stablehlo.concatenate {}, dim = 1 : ({}) -> tensor<4096x{n}x{element}>
                   return %y : tensor<4096x{n}x{element}> }}",
                (0..n).map(|k| format!("%x{k}: {every}")).collect::<Vec<_>>().join(", "),
                (0..n).map(|k| format!("%x{k}")).collect::<Vec<_>>().join(", "),
                vec![every.as_str(); n].join(", "),
            );
            for text in [columns, points] {
                let found = slow(&parsed(&text));
                assert!(found.is_empty(), "{n} columns of {element}: {found:?}\n{text}");
            }
        }
    }
}

/// Whether any or all of many numbers are positive.
#[test]
fn reductions_of_truth_values_are_vector_code() {
    if !has_512_bits() {
        return;
    }
    for element in TYPES {
        for (op, start) in [("and", true), ("or", false)] {
            let text = format!(
                "func.func @main(%x: tensor<4096x{element}>, %y: tensor<4096x{element}>) -> tensor<i1> {{
                   %p = stablehlo.compare GT, %x, %y : (tensor<4096x{element}>, tensor<4096x{element}>) -> tensor<4096xi1>
                   %s = stablehlo.constant dense<{start}> : tensor<i1>
                   %r = stablehlo.reduce(%p init: %s) applies stablehlo.{op} across dimensions = [0] :
                     (tensor<4096xi1>, tensor<i1>) -> tensor<i1>
                   return %r : tensor<i1> }}"
            );
            let mut found = slow(&parsed(&text));
            // The result itself is a loop of its own.
            found.retain(|how| how != "scalar (1 iterations)");
            assert!(found.is_empty(), "{op} of {element}: {found:?}");
        }
    }
}

pub(crate) fn parsed(text: &str) -> Traced {
    Traced::parse(text, None).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// A loop that holds an operation without vectors says so.
#[test]
fn a_scalar_loop_has_a_reason() {
    let program = program(&[&BinaryOp::Divide.into()], DType::I64).expect("integers can be divided");
    let profile = profile(&program);
    let reasons: Vec<&str> = profile.kernels.iter().filter_map(|k| k.refusal.as_deref()).collect();
    assert_eq!(reasons, ["no instruction for Div of i64"], "{profile}");
}
