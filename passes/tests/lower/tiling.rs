//! Products with a factor much larger than what it is made of: it is never in memory as a whole.

use crate::Agreement::Relative;
use crate::check_body;
use wengert_passes::lower::{Options, lower};

/// The product of `x`, along dimensions 0 and 2, times `y`, along 1 and 2, with `w` agrees with the interpreter; there is
/// memory for less than half of the factor `x * y` of shape `[p, q, r]`.
#[track_caller]
fn check([p, q, r]: [usize; 3], w: &str, dims: &str, left: bool, result: &str) {
    let f = format!("tensor<{p}x{q}x{r}xf64>");
    let (w, result) = (format!("tensor<{w}xf64>"), format!("tensor<{result}xf64>"));
    let (x, y) = (format!("tensor<{p}x{r}xf64>"), format!("tensor<{q}x{r}xf64>"));
    let (operands, types) =
        if left { ("%f, %w", format!("{f}, {w}")) } else { ("%w, %f", format!("{w}, {f}")) };
    let params = format!("(%x: {x}, %y: {y}, %w: {w}) -> ({result})");
    let body = format!(
        "%a = stablehlo.broadcast_in_dim %x, dims = [0, 2] : ({x}) -> {f}
         %b = stablehlo.broadcast_in_dim %y, dims = [1, 2] : ({y}) -> {f}
         %f = stablehlo.multiply %a, %b : {f}
         %0 = stablehlo.dot_general {operands}, {dims} : ({types}) -> {result}
         return %0 : {result}"
    );
    check_body(&params, &body, Relative(1e-12));
    let text = format!("func.func public @main{params} {{\n{body}\n}}\n");
    let m = wengert_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e}"));
    for parallel in [true, false] {
        let options = Options { parallel, ..Options::default() };
        let program = lower(&m, m.find("main").expect("is there"), &options).expect("it lowers");
        assert!(
            program.scratch > 0 && program.scratch < p * q * r * 4,
            "{} bytes\n{program}",
            program.scratch
        );
    }
}

/// What lies backwards in memory is no factor as it lies.
#[test]
fn reversed_broadcasts() {
    let params = "(%x: tensor<67x64xf64>, %w: tensor<64x2xf64>) -> (tensor<67x67x2xf64>)";
    let body = "
        %a = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<67x64xf64>) -> tensor<67x67x64xf64>
        %f = stablehlo.reverse %a, dims = [2] : tensor<67x67x64xf64>
        %0 = stablehlo.dot_general %f, %w, contracting_dims = [2] x [0] : (tensor<67x67x64xf64>, tensor<64x2xf64>) -> tensor<67x67x2xf64>
        return %0 : tensor<67x67x2xf64>";
    check_body(params, body, Relative(1e-12));
}

#[test]
fn rows_are_cut() {
    check([67, 67, 64], "64x3", "contracting_dims = [2] x [0]", true, "67x67x3");
    check([67, 67, 64], "3x64", "contracting_dims = [1] x [2]", false, "3x67x67");
}

#[test]
fn batches_are_cut() {
    let dims = "batching_dims = [0] x [0], contracting_dims = [2] x [1]";
    check([41, 130, 64], "41x64x2", dims, true, "41x130x2");
    // One batch is several pieces.
    check([3, 300, 400], "3x400x2", dims, true, "3x300x2");
    let dims = "batching_dims = [0] x [1], contracting_dims = [2] x [2]";
    check(
        [300, 3, 400],
        "300x2x400",
        "batching_dims = [0] x [0], contracting_dims = [2] x [2]",
        false,
        "300x2x3",
    );
    check([300, 3, 400], "2x3x400", &dims.replace("[0] x [1]", "[1] x [1]"), false, "3x2x300");
}

#[test]
fn sums_are_cut() {
    check([251, 70, 16], "251x70x2", "contracting_dims = [0, 1] x [0, 1]", true, "16x2");
    check([251, 70, 16], "2x70x251", "contracting_dims = [2, 1] x [0, 1]", false, "2x16");
}
