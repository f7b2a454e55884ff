//! Numbers that kernels do not compute with, narrow floats and complex numbers, are read and written where they lie: in the loops
//! that use them, with no copy in between.

use crate::Agreement::Bits;
use crate::{OPTIONS, check_module};
use wengert_ir::func::{FuncId, Module};
use wengert_ir::testing::Random;
use wengert_passes::lower::lower;
use wengert_passes::pipeline::Pipeline;

/// The function `main` of a text on types that kernels compute with.
fn legal(text: &str) -> (Module, FuncId) {
    let mut m = wengert_ir::text::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let main = m.find("main").expect("is there");
    let main = Pipeline::parse("legalize,dce").expect("passes").run(&mut m, main, &mut |_| {});
    (m, main)
}

/// Runs a function in every way; bytes of the scratch memory that it takes when nothing is kept in registers.
#[track_caller]
fn scratch(text: &str) -> usize {
    let (m, main) = legal(text);
    let mut random = Random(29);
    let func = m.get(main);
    let args: Vec<_> = func.params.iter().map(|&p| random.array(func.tensor(p), -2.0, 3.0)).collect();
    check_module(text, &m, main, &args, Bits);
    let options = wengert_passes::lower::Options { registers: Some(1), ..OPTIONS };
    lower(&m, main, &options).expect("has just been lowered").scratch
}

const GATHER: &str = "<{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], \
    start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 24>}>";

/// Bodies over `%x` and `%y` of 40 rows of a type T, `%i` of places and one place `%k`; results are what the last line gives.
fn of_narrow() -> Vec<(&'static str, String)> {
    let bodies = [
        ("arithmetic", "%a = stablehlo.multiply %x, %y : X\n%r = stablehlo.add %a, %x : X", "X"),
        ("wider", "%r = stablehlo.convert %x : (X) -> tensor<40x24xf32>", "tensor<40x24xf32>"),
        (
            "a slice",
            "%a = stablehlo.slice %x [2:40:3, 0:24] : (X) -> tensor<13x24xT>\n%r = stablehlo.abs %a : tensor<13x24xT>",
            "tensor<13x24xT>",
        ),
        (
            "a slice at a place",
            "%a = stablehlo.dynamic_slice %x, %k, %k, sizes = [5, 24] : (X, tensor<i32>, tensor<i32>) -> tensor<5x24xT>\n\
             %r = stablehlo.add %a, %a : tensor<5x24xT>",
            "tensor<5x24xT>",
        ),
        (
            "some rows",
            "%a = \"stablehlo.gather\"(%x, %i) GATHER : (X, tensor<8x1xi32>) -> tensor<8x24xT>\n\
             %r = stablehlo.convert %a : (tensor<8x24xT>) -> tensor<8x24xf32>",
            "tensor<8x24xf32>",
        ),
        (
            "an update",
            "%s = stablehlo.slice %y [0:2, 0:24] : (X) -> tensor<2x24xT>\n%t = stablehlo.multiply %s, %s : tensor<2x24xT>\n\
             %r = stablehlo.dynamic_update_slice %x, %t, %k, %k : (X, tensor<2x24xT>, tensor<i32>, tensor<i32>) -> X",
            "X",
        ),
        (
            "turned",
            "%a = stablehlo.transpose %x, dims = [1, 0] : (X) -> tensor<24x40xT>\n%r = stablehlo.negate %a : tensor<24x40xT>",
            "tensor<24x40xT>",
        ),
    ];
    let text = |(name, body, result): (&'static str, &str, &str)| {
        let text = format!(
            "func.func public @main(%x: X, %y: X, %i: tensor<8x1xi32>, %k: tensor<i32>) -> {result} {{\n{body}\nreturn %r : {result}\n}}\n"
        );
        (name, text.replace("GATHER", GATHER).replace('X', "tensor<40x24xT>"))
    };
    bodies.into_iter().map(text).collect()
}

#[test]
fn narrow_floats_are_read_and_written_where_they_lie() {
    for (name, text) in of_narrow() {
        for dtype in ["bf16", "f16", "f8E4M3FN", "f8E5M2"] {
            let bytes = scratch(&text.replace("xT>", &format!("x{dtype}>")));
            assert_eq!(bytes, 0, "{name} of {dtype}");
        }
    }
}

/// Small ones are in registers.
#[test]
fn few_narrow_floats_are_right_too() {
    let ty = "tensor<3xbf16>";
    scratch(&format!(
        "func.func public @main(%x: {ty}, %c: tensor<3xcomplex<f32>>) -> ({ty}, tensor<3xcomplex<f32>>) {{\n\
         %a = stablehlo.multiply %x, %x : {ty}\n%b = stablehlo.multiply %c, %c : tensor<3xcomplex<f32>>\n\
         return %a, %b : {ty}, tensor<3xcomplex<f32>>\n}}\n"
    ));
}

#[test]
fn parts_of_complex_numbers_are_read_and_written_where_they_lie() {
    let bodies = [
        ("%r = stablehlo.multiply %x, %y : X", "X"),
        ("%r = stablehlo.abs %x : (X) -> tensor<40x24xf32>", "tensor<40x24xf32>"),
        (
            "%a = stablehlo.slice %x [2:40:3, 0:24] : (X) -> tensor<13x24xC>\n%r = stablehlo.multiply %a, %a : tensor<13x24xC>",
            "tensor<13x24xC>",
        ),
        (
            "%a = stablehlo.transpose %x, dims = [1, 0] : (X) -> tensor<24x40xC>\n%r = stablehlo.negate %a : tensor<24x40xC>",
            "tensor<24x40xC>",
        ),
        (
            "%a = stablehlo.reverse %x, dims = [1] : X\n%r = stablehlo.concatenate %a, %y, dim = 1 : (X, X) -> tensor<40x48xC>",
            "tensor<40x48xC>",
        ),
        (
            "%a = stablehlo.real %x : (X) -> tensor<40x24xf32>\n%b = stablehlo.imag %y : (X) -> tensor<40x24xf32>\n%r = stablehlo.complex %b, %a : X",
            "X",
        ),
        (
            "%a = stablehlo.real %x : (X) -> tensor<40x24xf32>\n%z = stablehlo.constant dense<0.0> : tensor<f32>\n\
             %b = stablehlo.pad %a, %z, low = [1, 0], high = [0, 2], interior = [0, 0] : (tensor<40x24xf32>, tensor<f32>) -> tensor<41x26xf32>\n\
             %r = stablehlo.complex %b, %b : tensor<41x26xC>",
            "tensor<41x26xC>",
        ),
        (
            "%a = stablehlo.imag %x : (X) -> tensor<40x24xf32>\n%z = stablehlo.constant dense<0.0> : tensor<f32>\n\
             %r = stablehlo.reduce(%a init: %z) applies stablehlo.maximum across dimensions = [1] : (tensor<40x24xf32>, tensor<f32>) -> tensor<40xf32>",
            "tensor<40xf32>",
        ),
    ];
    for (body, result) in bodies {
        let text = format!(
            "func.func public @main(%x: X, %y: X) -> {result} {{\n{body}\nreturn %r : {result}\n}}\n"
        );
        let text = text.replace('X', "tensor<40x24xC>");
        for (complex, float) in [("complex<f32>", "f32"), ("complex<f64>", "f64")] {
            let text = text.replace("xC>", &format!("x{complex}>")).replace("xf32>", &format!("x{float}>"));
            assert_eq!(scratch(&text.replace("tensor<f32>", &format!("tensor<{float}>"))), 0, "{body}");
        }
    }
}

/// What a transform gives is used in the loop after it: only the transforms have memory of their own.
#[test]
fn a_spectrum_is_filtered_in_one_loop() {
    let (n, spectrum) = (1024, "tensor<4x513xcomplex<f32>>");
    let bytes = scratch(&format!(
        "func.func public @main(%x: tensor<4x{n}xf32>, %h: {spectrum}) -> tensor<4x{n}xf32> {{\n\
         %s = stablehlo.fft %x, type = RFFT, length = [{n}] : (tensor<4x{n}xf32>) -> {spectrum}\n\
         %t = stablehlo.multiply %s, %h : {spectrum}\n\
         %r = stablehlo.fft %t, type = IRFFT, length = [{n}] : ({spectrum}) -> tensor<4x{n}xf32>\n\
         return %r : tensor<4x{n}xf32>\n}}\n"
    ));
    let complex = 4 * 513 * 8usize;
    assert!(bytes <= 2 * complex.next_multiple_of(64), "{bytes} bytes for two spectra of {complex}");
}
