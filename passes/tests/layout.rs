//! The order in which factors of batched products lie.

use wengert_ir::array::Array;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::op::Op;
use wengert_ir::testing::{Random, eval};
use wengert_ir::text;
use wengert_passes::lower::{Options, lower};
use wengert_passes::pipeline::Pipeline;

/// Differences to five centres, batch by centre; `also` is what else reads them.
fn products(also: &str, results: &str, types: &str) -> String {
    let x = "tensor<400x5x16xf64>";
    format!(
        "func.func public @main(%x: {x}, %y: {x}, %w: tensor<5x16x16xf64>) -> ({types}) {{
    %0 = stablehlo.subtract %x, %y : {x}
    %1 = stablehlo.dot_general %w, %0, batching_dims = [0] x [1], contracting_dims = [2] x [2] : (tensor<5x16x16xf64>, {x}) -> tensor<5x16x400xf64>
    %2 = stablehlo.dot_general %0, %0, batching_dims = [1] x [1], contracting_dims = [0] x [0] : ({x}, {x}) -> tensor<5x16x16xf64>
    {also}
    return {results} : {types}
}}"
    )
}

const TYPES: &str = "tensor<5x16x400xf64>, tensor<5x16x16xf64>";

fn turned(source: &str) -> (Module, FuncId, FuncId) {
    let mut m = text::parse(source).unwrap_or_else(|e| panic!("{e}"));
    let before = m.find("main").expect("a function `main`");
    let after = Pipeline::parse("layout").expect("a pass").run(&mut m, before, &mut |_| {});
    (m, before, after)
}

#[test]
fn what_is_made_for_products_lies_batch_by_batch() {
    let (m, before, after) = turned(&products("", "%1, %2", TYPES));
    let f = m.get(after);
    let turns = f.insts.values().filter(|i| matches!(i.op, Op::Transpose(_))).count();
    assert_eq!(turns, 1, "both products read one copy");
    let mut random = Random(3);
    let args: Vec<Array> = (f.params.iter()).map(|&p| random.array(f.tensor(p), -2.0, 2.0)).collect();
    assert!(eval(&m, before, &args) == eval(&m, after, &args));
    // The loop that makes it writes it so, 400 times 16 elements per batch: no other one moves it.
    let program = lower(&m, after, &Options::default()).expect("it lowers").to_string();
    assert_eq!((program.matches("memref.store").count(), program.matches("arith.subf").count()), (1, 1));
    assert!(program.contains("memref<32000xf64>") && program.contains("16, 1, 6400)"), "{program}");
}

#[test]
fn what_others_read_too_stays() {
    let x = "tensor<400x5x16xf64>";
    let both = format!("{TYPES}, {x}");
    for source in [
        products("", "%1, %2, %0", &both),
        products(&format!("%3 = stablehlo.exponential %0 : {x}"), "%1, %2, %3", &both),
        // Few elements, and an argument.
        products("", "%1, %2", TYPES).replace("400", "20"),
        products("", "%1, %2", TYPES).replace("%w, %0", "%w, %x").replace("%0, %0", "%y, %y"),
    ] {
        let (_, before, after) = turned(&source);
        assert_eq!(before, after, "{source}");
    }
}

/// How many transposes there are after `layout` of a contraction whose sums have few terms.
fn turns(lhs: &str, rhs: &str, numbers: &str, result: &str) -> usize {
    let source = format!(
        "func.func public @main(%x: tensor<{lhs}xf32>, %y: tensor<{rhs}xf32>) -> tensor<{result}xf32> {{
    %0 = stablehlo.dot_general %x, %y, {numbers} : (tensor<{lhs}xf32>, tensor<{rhs}xf32>) -> tensor<{result}xf32>
    return %0 : tensor<{result}xf32>
}}"
    );
    let (m, _, after) = turned(&source);
    m.get(after).insts.values().filter(|i| matches!(i.op, Op::Transpose(_))).count()
}

/// Coordinates of points are turned; not where vectors run over a batch that lies innermost, nor where sizes are not known.
#[test]
fn factors_of_short_sums_lie_along_vectors() {
    let distances = "contracting_dims = [1] x [1]";
    assert_eq!(turns("20x3", "30x3", distances, "20x30"), 1);
    let innermost = "batching_dims = [2] x [2], contracting_dims = [1] x [1]";
    assert_eq!(turns("8x8x64", "16x8x64", innermost, "64x8x16"), 0);
    let unknown = "contracting_dims = [2] x [1]";
    assert_eq!(turns("?x8x3", "20x3", unknown, "?x8x20"), 0);
}

/// A regression by gradient descent: its data are read on every trip.
const DESCENT: &str = "func.func public @main(%a: tensor<64x5xf64>, %b: tensor<64xf64>, %w: tensor<5xf64>) -> tensor<5xf64> {
    %zero = stablehlo.constant dense<0> : tensor<i64>
    %one = stablehlo.constant dense<1> : tensor<i64>
    %trips = stablehlo.constant dense<7> : tensor<i64>
    %rate = stablehlo.constant dense<0.01> : tensor<5xf64>
    %loop:2 = stablehlo.while(%i = %zero, %v = %w) : tensor<i64>, tensor<5xf64>
    cond {
      %more = stablehlo.compare LT, %i, %trips, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %fit = stablehlo.dot_general %a, %v, contracting_dims = [1] x [0] : (tensor<64x5xf64>, tensor<5xf64>) -> tensor<64xf64>
      %rest = stablehlo.subtract %fit, %b : tensor<64xf64>
      %slope = stablehlo.dot_general %rest, %a, contracting_dims = [0] x [0] : (tensor<64xf64>, tensor<64x5xf64>) -> tensor<5xf64>
      %change = stablehlo.multiply %slope, %rate : tensor<5xf64>
      %new = stablehlo.subtract %v, %change : tensor<5xf64>
      %next = stablehlo.add %i, %one : tensor<i64>
      stablehlo.return %next, %new : tensor<i64>, tensor<5xf64>
    }
    return %loop#1 : tensor<5xf64>
}";

#[test]
fn thin_matrices_that_a_loop_only_reads_are_turned_once() {
    let mut m = text::parse(DESCENT).unwrap_or_else(|e| panic!("{e}"));
    let before = m.find("main").expect("a function `main`");
    let after = Pipeline::parse("layout,dce").expect("passes").run(&mut m, before, &mut |_| {});
    let mut random = Random(3);
    let f = m.get(after);
    let args: Vec<Array> = (f.params.iter()).map(|&p| random.array(f.tensor(p), -1.0, 1.0)).collect();
    assert!(eval(&m, before, &args) == eval(&m, after, &args), "bits differ");
    let found = f.insts.values().find_map(|i| if let Op::While(w) = &i.op { Some(w.body) } else { None });
    let body = m.get(found.expect("a loop"));
    let shapes: Vec<&[usize]> = body.params.iter().map(|&p| &body.tensor(p).shape[..]).collect();
    assert!(shapes.contains(&&[5, 64][..]) && !shapes.contains(&&[64, 5][..]), "{shapes:?}");
    assert!(
        body.insts.values().all(|i| !matches!(i.op, Op::Transpose(_))),
        "{}",
        text::print(&m, &Default::default())
    );
}
