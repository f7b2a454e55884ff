//! Products with vectors that become sums of products, and those that stay.

use wengert_ir::array::Array;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::op::Op;
use wengert_ir::testing::{Random, eval};
use wengert_ir::text;
use wengert_passes::pipeline::Pipeline;

fn written(source: &str) -> (Module, FuncId, FuncId) {
    let mut m = text::parse(source).unwrap_or_else(|e| panic!("{e}"));
    let before = m.find("main").expect("a function `main`");
    let after = Pipeline::parse("matvec").expect("a pass").run(&mut m, before, &mut |_| {});
    (m, before, after)
}

fn products(m: &Module, func: FuncId) -> usize {
    m.get(func).insts.values().filter(|i| matches!(i.op, Op::DotGeneral(_))).count()
}

/// The program computes what it did, within the rounding of sums.
#[track_caller]
fn agrees(m: &Module, before: FuncId, after: FuncId) {
    let mut random = Random(5);
    let f = m.get(before);
    let args: Vec<Array> = f.params.iter().map(|&p| random.array(f.tensor(p), -2.0, 2.0)).collect();
    for (a, b) in eval(m, before, &args).iter().zip(&eval(m, after, &args)) {
        assert_eq!(a.ty(), b.ty());
        let (a, b) = (a.as_slice::<f64>(), b.as_slice::<f64>());
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12 * (1.0 + a.abs())));
    }
}

fn dot(lhs: &str, rhs: &str, dims: &str, result: &str) -> String {
    format!(
        "func.func public @main(%x: tensor<{lhs}xf64>, %y: tensor<{rhs}xf64>) -> (tensor<{result}xf64>) {{
    %0 = stablehlo.dot_general %x, %y, {dims} : (tensor<{lhs}xf64>, tensor<{rhs}xf64>) -> tensor<{result}xf64>
    return %0 : tensor<{result}xf64>
}}"
    )
}

#[test]
fn products_with_vectors_are_sums() {
    for (lhs, rhs, dims, result) in [
        // Scalar products, of a batch and alone.
        ("9x20", "9x20", "batching_dims = [0] x [0], contracting_dims = [1] x [1]", "9"),
        ("20x9", "9x20", "batching_dims = [1] x [0], contracting_dims = [0] x [1]", "9"),
        ("90", "90", "contracting_dims = [0] x [0]", ""),
        // A vector on either side, its batch and sum first or last.
        ("9x20", "9x5x20", "batching_dims = [0] x [0], contracting_dims = [1] x [2]", "9x5"),
        ("9x20", "9x20x5", "batching_dims = [0] x [0], contracting_dims = [1] x [1]", "9x5"),
        ("9x5x20", "20x9", "batching_dims = [0] x [1], contracting_dims = [2] x [0]", "9x5"),
        ("5x20x9", "9x20", "batching_dims = [2] x [0], contracting_dims = [1] x [1]", "9x5"),
        ("30x20", "20", "contracting_dims = [1] x [0]", "30"),
        ("20", "20x30", "contracting_dims = [0] x [0]", "30"),
        // Dimensions of size 1 that only the vector has, and one in the matrix.
        ("9x1x20", "9x5x20", "batching_dims = [0] x [0], contracting_dims = [2] x [2]", "9x1x5"),
        ("9x5x20", "1x9x20x1", "batching_dims = [0] x [1], contracting_dims = [2] x [2]", "9x5x1x1"),
        ("9x1x20", "9x1x20", "batching_dims = [0] x [0], contracting_dims = [2] x [2]", "9x1x1"),
        // Several of each kind, in other orders.
        (
            "3x2x6x7",
            "7x4x2x6x3",
            "batching_dims = [1, 0] x [2, 4], contracting_dims = [3, 2] x [0, 3]",
            "2x3x4",
        ),
        ("2x4x3x6x5", "6x3x2", "batching_dims = [0, 2] x [2, 1], contracting_dims = [3] x [0]", "2x3x4x5"),
    ] {
        let (m, before, after) = written(&dot(lhs, rhs, dims, result).replace("<xf64", "<f64"));
        assert_eq!(products(&m, after), 0, "{lhs} {rhs}");
        agrees(&m, before, after);
    }
}

#[test]
fn others_stay() {
    for (lhs, rhs, dims, result) in [
        // Matrices.
        ("9x2x20", "9x5x20", "batching_dims = [0] x [0], contracting_dims = [2] x [2]", "9x2x5"),
        // Few terms, an expression as they are; none, for products without a sum.
        ("90x4", "90x4", "batching_dims = [0] x [0], contracting_dims = [1] x [1]", "90"),
        ("90x1", "90x30x1", "batching_dims = [0] x [0], contracting_dims = [1] x [2]", "90x30"),
        // Small enough for registers.
        ("8x8", "8", "contracting_dims = [1] x [0]", "8"),
        // Many short sums along memory.
        ("9x20", "9x17x20", "batching_dims = [0] x [0], contracting_dims = [1] x [2]", "9x17"),
        // Matrices that are large.
        ("400x300", "300", "contracting_dims = [1] x [0]", "400"),
        ("2x128", "2x128x65", "batching_dims = [0] x [0], contracting_dims = [1] x [1]", "2x65"),
    ] {
        let (m, before, after) = written(&dot(lhs, rhs, dims, result));
        assert_eq!((products(&m, after), before == after), (1, true), "{lhs} {rhs}");
    }
    let exact = dot("9x20", "9x20", "batching_dims = [0] x [0], contracting_dims = [1] x [1]", "9");
    let exact = format!("module attributes {{wengert.float_mode = \"exact\"}} {{\n{exact}\n}}");
    let (_, before, after) = written(&exact);
    assert_eq!(before, after, "in exact mode products stay");
}

/// A matrix is taken as it lies: the many sums of the transposed one are not along memory.
#[test]
fn transposed_matrices_lie_as_what_they_are_made_of() {
    for (given, perm, stays) in [("9x20x40", "0, 2, 1", false), ("40x9x20", "1, 0, 2", true)] {
        let (m, before, after) = written(&format!(
            "func.func public @main(%x: tensor<9x20xf64>, %y: tensor<{given}xf64>) -> (tensor<9x40xf64>) {{
    %0 = stablehlo.transpose %y, dims = [{perm}] : (tensor<{given}xf64>) -> tensor<9x40x20xf64>
    %1 = stablehlo.dot_general %x, %0, batching_dims = [0] x [0], contracting_dims = [1] x [2] : (tensor<9x20xf64>, tensor<9x40x20xf64>) -> tensor<9x40xf64>
    return %1 : tensor<9x40xf64>
}}"
        ));
        assert_eq!(products(&m, after) == 1, stays, "{given}");
        agrees(&m, before, after);
    }
}

/// Bodies of loops have them too.
#[test]
fn products_in_loops() {
    let (m, before, after) = written(
        "func.func public @main(%w: tensor<30x30xf64>, %x: tensor<30xf64>) -> (tensor<30xf64>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %three = stablehlo.constant dense<3> : tensor<i32>
    %0:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<30xf64>
    cond {
      %more = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %next = stablehlo.add %i, %one : tensor<i32>
      %p = stablehlo.dot_general %w, %v, contracting_dims = [1] x [0] : (tensor<30x30xf64>, tensor<30xf64>) -> tensor<30xf64>
      %t = stablehlo.tanh %p : tensor<30xf64>
      stablehlo.return %next, %t : tensor<i32>, tensor<30xf64>
    }
    return %0#1 : tensor<30xf64>
}",
    );
    let left = m
        .reachable(&[after])
        .0
        .funcs
        .values()
        .flat_map(|f| f.insts.values().map(|i| i.op.clone()))
        .filter(|op| matches!(op, Op::DotGeneral(_)))
        .count();
    assert_eq!(left, 0);
    agrees(&m, before, after);
}
