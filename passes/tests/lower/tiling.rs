//! Products with a factor much larger than what it is made of: it is never in memory as a whole.
//!
//! Factors of which the CPU makes several pieces take the interpreter of kernels seconds in each way of lowering, longest for GPUs,
//! which make no pieces. So those run in two ways for the CPU; smaller ones, in pieces that are smaller, in every way.

use crate::Agreement::Relative;
use crate::{agree, check_body, run_lowered};
use wengert_ir::array::Array;
use wengert_ir::interp::{self, Limits};
use wengert_ir::kernel::Program;
use wengert_ir::kernel::interp::{Options as Run, UNDEFINED};
use wengert_ir::testing::Random;
use wengert_passes::cost::Target;
use wengert_passes::lower::{Options, lower};

/// A CPU with a sixteenth of the second cache: a factor of 16,384 numbers of 64 bits is made in pieces of 2,048.
const SMALL: Target = Target { piece_bytes: Target::CPU.piece_bytes / 16, ..Target::CPU };

/// Compares a program for a CPU, lowered and run in some ways, with the reference interpreter: a program of its size. One for
/// [`SMALL`] is also compared in all ways that must not matter. Gives what it was lowered to for that CPU.
#[track_caller]
fn programs(target: &'static Target, params: &str, body: &str) -> Vec<Program> {
    let text = format!("func.func public @main{params} {{\n{body}\n}}\n");
    let m = wengert_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e}"));
    let f = m.find("main").expect("is there");
    let (func, mut random) = (m.get(f), Random(17));
    let args: Vec<Array> = func.params.iter().map(|&p| random.array(func.tensor(p), -2.0, 3.0)).collect();
    let want = interp::run(&m, f, &args, &Limits::default()).unwrap_or_else(|e| panic!("{text}: {e}"));
    let options = Options { target, ..Options::default() };
    // Threads share pieces: two take turns here, the later ones first.
    let mut ways = vec![
        (Options { parallel: true, ..options }, Run { piece: Some(2), backwards: true, unwritten: 0x3e }),
        (Options { parallel: false, ..options }, Run { piece: None, backwards: false, unwritten: UNDEFINED }),
    ];
    if *target == SMALL {
        check_body(params, body, Relative(1e-12));
        ways.extend([
            (
                Options { parallel: true, registers: Some(8), ..options },
                Run { piece: None, backwards: false, unwritten: UNDEFINED },
            ),
            (
                Options { parallel: false, registers: Some(1), ..options },
                Run { piece: None, backwards: true, unwritten: 0x3e },
            ),
        ]);
    }
    let compared = ways.into_iter().map(|way| {
        let got = run_lowered(&m, f, &args, way).unwrap_or_else(|e| panic!("{text}, {way:?}: {e}"));
        for (got, want) in got.iter().zip(&want) {
            agree(got, want, Relative(1e-12)).unwrap_or_else(|e| panic!("{text}, {way:?}: {e}"));
        }
        lower(&m, f, &way.0).expect("it lowers")
    });
    compared.collect()
}

/// The product of `x`, along dimensions 0 and 2, times `y`, along 1 and 2, with `w` agrees with the interpreter; there is
/// memory for less than half of the factor `x * y` of shape `[p, q, r]`.
#[track_caller]
fn check(target: &'static Target, [p, q, r]: [usize; 3], w: &str, dims: &str, left: bool, result: &str) {
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
    for program in programs(target, &params, &body) {
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
    for (target, p, q, r) in [(&Target::CPU, 67, 67, 64), (&SMALL, 47, 15, 32)] {
        let (x, f) = (format!("tensor<{p}x{r}xf64>"), format!("tensor<{p}x{q}x{r}xf64>"));
        let (w, result) = (format!("tensor<{r}x2xf64>"), format!("tensor<{p}x{q}x2xf64>"));
        let body = format!(
            "%a = stablehlo.broadcast_in_dim %x, dims = [0, 2] : ({x}) -> {f}
             %f = stablehlo.reverse %a, dims = [2] : {f}
             %0 = stablehlo.dot_general %f, %w, contracting_dims = [2] x [0] : ({f}, {w}) -> {result}
             return %0 : {result}"
        );
        programs(target, &format!("(%x: {x}, %w: {w}) -> ({result})"), &body);
    }
}

/// Nine pieces of 7 rows and 4 rows; eleven of 4 and 3.
#[test]
fn rows_are_cut() {
    let (left, right) = ("contracting_dims = [2] x [0]", "contracting_dims = [1] x [2]");
    check(&Target::CPU, [67, 67, 64], "64x3", left, true, "67x67x3");
    check(&SMALL, [47, 15, 32], "32x3", left, true, "47x15x3");
    check(&Target::CPU, [67, 67, 64], "3x64", right, false, "3x67x67");
    check(&SMALL, [47, 15, 32], "3x32", right, false, "3x47x15");
}

#[test]
fn batches_are_cut() {
    let dims = "batching_dims = [0] x [0], contracting_dims = [2] x [1]";
    check(&Target::CPU, [41, 130, 64], "41x64x2", dims, true, "41x130x2");
    check(&SMALL, [29, 19, 32], "29x32x2", dims, true, "29x19x2");
    // One batch is several pieces.
    check(&Target::CPU, [3, 300, 400], "3x400x2", dims, true, "3x300x2");
    check(&SMALL, [3, 80, 100], "3x100x2", dims, true, "3x80x2");
    // A piece is several batches.
    let dims = "batching_dims = [0] x [0], contracting_dims = [2] x [2]";
    check(&Target::CPU, [300, 3, 400], "300x2x400", dims, false, "300x2x3");
    check(&SMALL, [48, 10, 36], "48x2x36", dims, false, "48x2x10");
    let dims = "batching_dims = [1] x [1], contracting_dims = [2] x [2]";
    check(&Target::CPU, [300, 3, 400], "2x3x400", dims, false, "3x2x300");
    check(&SMALL, [80, 3, 100], "2x3x100", dims, false, "3x2x80");
}

/// Eight pieces of 28 and 27; eight of 7 and 5.
#[test]
fn sums_are_cut() {
    let (left, right) = ("contracting_dims = [0, 1] x [0, 1]", "contracting_dims = [2, 1] x [0, 1]");
    check(&Target::CPU, [251, 70, 16], "251x70x2", left, true, "16x2");
    check(&SMALL, [61, 18, 16], "61x18x2", left, true, "16x2");
    check(&Target::CPU, [251, 70, 16], "2x70x251", right, false, "2x16");
    check(&SMALL, [61, 18, 16], "2x18x61", right, false, "2x16");
}

/// A piece is made by loops of every form, and threads share them inside of the loop that counts the pieces: they are given the count.
#[test]
fn pieces_are_made_by_several_threads() {
    /// Everything is worth a thread, and little is near.
    const CUT: Target = Target { grain: 1024, least_piece: 16, near_bytes: 1024, ..SMALL };
    for ([p, q, r], turned, element) in [
        // As it lies, and a piece that is shorter.
        ([59, 40, 16], false, "f32"),
        // Blocks.
        ([61, 40, 64], true, "f32"),
        // Tiles, which are of small elements; one row of tiles; strips of a dimension that is not the last.
        ([61, 40, 64], true, "i16"),
        ([61, 20, 160], true, "i16"),
        ([20, 1000, 4], true, "f32"),
    ] {
        let (f, w) = (format!("tensor<{p}x{q}x{r}xf32>"), format!("tensor<{p}x{q}x2xf32>"));
        let (x, result) = (format!("tensor<{p}x{r}xf32>"), format!("tensor<{r}x2xf32>"));
        let (y, dims) = if turned { ([r, q], [2, 1]) } else { ([q, r], [1, 2]) };
        let (from, to) =
            (format!("tensor<{}x{}x{element}>", y[0], y[1]), format!("tensor<{}x{}xf32>", y[0], y[1]));
        let body = format!(
            "%c = stablehlo.convert %y : ({from}) -> {to}
             %a = stablehlo.broadcast_in_dim %x, dims = [0, 2] : ({x}) -> {f}
             %b = stablehlo.broadcast_in_dim %c, dims = {dims:?} : ({to}) -> {f}
             %f = stablehlo.multiply %a, %b : {f}
             %0 = stablehlo.dot_general %f, %w, contracting_dims = [0, 1] x [0, 1] : ({f}, {w}) -> {result}
             return %0 : {result}"
        );
        let programs = programs(&CUT, &format!("(%x: {x}, %y: {from}, %w: {w}) -> ({result})"), &body);
        let text = programs[0].to_string();
        assert!(text.contains("    scf.for") && text.contains("      scf.parallel"), "{text}");
    }
}
