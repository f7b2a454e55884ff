//! Elements of one and two bytes in vectors, of as many iterations as there are lanes and of fewer: those of an incomplete round are
//! read and written one by one where the machine has no masks for them, and nothing beside them is touched.

use crate::common;

use common::call;
use wengert_cpu::{Executable, Options, Wide};
use wengert_ir::array::Array;
use wengert_ir::interp::{self, Limits};
use wengert_ir::testing::Random;
use wengert_ir::types::{DType, TensorType};
use wengert_passes::lower::{self, lower};
use wengert_passes::pipeline::Pipeline;

/// The operations that look at whole numbers and those that do not, and conversions from and to wider lanes.
fn program(ty: &str, n: usize) -> String {
    let signs = if ty.starts_with('u') || ty == "i1" { "UNSIGNED" } else { "SIGNED" };
    let sum = if ty == "i1" { "or" } else { "add" };
    let t = |ty: &str| format!("tensor<{n}x{ty}>");
    let (x, flags, float, double, int, long) = (t(ty), t("i1"), t("f32"), t("f64"), t("i32"), t("i64"));
    format!(
        "func.func @main(%a: {x}, %b: {x}, %c: {float}, %d: {double}, %i: {int}, %l: {long}) -> ({x}, {x}, {flags}, {float}, {double}, {x}, {x}, {x}, {x}) {{
            %less = stablehlo.compare LT, %a, %b, {signs} : ({x}, {x}) -> {flags}
            %least = stablehlo.select %less, %a, %b : {flags}, {x}
            %sum = stablehlo.{sum} %a, %b : {x}
            %f = stablehlo.convert %sum : ({x}) -> {float}
            %g = stablehlo.convert %sum : ({x}) -> {double}
            %from = stablehlo.convert %c : ({float}) -> {x}
            %from2 = stablehlo.convert %d : ({double}) -> {x}
            %from3 = stablehlo.convert %i : ({int}) -> {x}
            %from4 = stablehlo.convert %l : ({long}) -> {x}
            return %least, %sum, %less, %f, %g, %from, %from2, %from3, %from4 : {x}, {x}, {flags}, {float}, {double}, {x}, {x}, {x}, {x}
        }}"
    )
}

fn random(ty: &TensorType, random: &mut Random) -> Array {
    if ty.dtype == DType::I1 {
        let flags: Vec<bool> = (0..ty.elements()).map(|_| random.uniform(0.0, 1.0) < 0.5).collect();
        return Array::new_bool(&ty.shape, &flags);
    }
    if ty.dtype.is_float() {
        return random.array(ty, -100.0, 100.0);
    }
    let bytes: Vec<u8> = (0..ty.bytes()).map(|_| random.uniform(0.0, 256.0) as u8).collect();
    Array::from_bytes(ty.clone(), &bytes)
}

#[test]
fn elements_of_one_and_two_bytes_of_every_count() {
    let mut numbers = Random(7);
    for ty in ["i8", "ui8", "i16", "ui16", "i1"] {
        for n in (1..=40).chain([63, 64, 65, 1000]) {
            let mut m = wengert_ir::text::parse(&program(ty, n)).unwrap_or_else(|e| panic!("{e}"));
            let f = m.find("main").expect("it is there");
            let args: Vec<Array> =
                m.get(f).param_types().iter().map(|t| random(t.tensor(), &mut numbers)).collect();
            let want = interp::run(&m, f, &args, &Limits::default()).unwrap_or_else(|e| panic!("{e}"));
            let f = Pipeline::default().run(&mut m, f, &mut |_| {});
            // In loops, however short.
            let options = lower::Options { registers: Some(1), ..Default::default() };
            let kernels = lower(&m, f, &options).unwrap_or_else(|e| panic!("{e}"));
            for wide in [Some(Wide::Ymm), Options::default().wide] {
                let options = Options { wide, ..Options::default() };
                let code = Executable::compile(&kernels, &options).unwrap_or_else(|e| panic!("{e}"));
                assert_eq!(call(&code, &kernels, &args), want, "{ty} x {n}, {wide:?}");
            }
        }
    }
}
