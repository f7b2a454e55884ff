//! Rows that are taken before they are computed: results are what they were, and what is computed is what is read.

use wengert_ir::array::Array;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::testing::{Random, eval};
use wengert_ir::text;
use wengert_ir::types::{DType, TensorType};
use wengert_passes::pipeline::Pipeline;

fn taken(source: &str) -> (Module, FuncId, FuncId) {
    let mut m = text::parse(source).unwrap_or_else(|e| panic!("{e}\n{source}"));
    let before = m.find("main").expect("a function `main`");
    let after = Pipeline::parse("pushdown,dce").expect("passes").run(&mut m, before, &mut |_| {});
    (m, before, after)
}

/// How many elements the products and reductions of a function give.
fn computed(m: &Module, func: FuncId) -> usize {
    let f = m.get(func);
    let own =
        f.insts.values().filter(|i| matches!(i.op.name(), "stablehlo.dot_general" | "stablehlo.reduce"));
    own.map(|i| f.tensor(i.results[0]).elements()).sum()
}

/// The program computes the same numbers, bit by bit, from numbers of which integers are indices also beyond either end.
#[track_caller]
fn agrees(source: &str) -> [usize; 2] {
    let (m, before, after) = taken(source);
    let f = m.get(before);
    let mut random = Random(7);
    let args: Vec<Array> = f
        .params
        .iter()
        .map(|&p| {
            let ty = f.tensor(p);
            if ty.dtype != DType::I32 {
                return random.array(ty, -2.0, 2.0);
            }
            let wide = random.array(&TensorType::new(DType::F64, &ty.shape), -9.0, 120.0);
            let all: Vec<i32> = wide.as_slice::<f64>().iter().map(|x| *x as i32).collect();
            Array::new(&ty.shape, &all)
        })
        .collect();
    for (a, b) in eval(&m, before, &args).iter().zip(&eval(&m, after, &args)) {
        assert_eq!((a.ty(), a.bytes()), (b.ty(), b.bytes()), "{source}");
    }
    [computed(&m, before), computed(&m, after)]
}

/// A function of `%x` and `%w`, factors, `%b`, a row, and `%i`, five indices, which gives `%r`.
fn program(x: &str, w: &str, body: &str, result: &str) -> String {
    format!(
        "func.func public @main(%x: tensor<{x}xf64>, %w: tensor<{w}xf64>, %b: tensor<6xf64>, %i: tensor<5xi32>) -> tensor<{result}xf64> {{
    %zero = stablehlo.constant dense<0.0> : tensor<f64>
{body}
    return %r : tensor<{result}xf64>
}}"
    )
}

/// A gather of rows along a dimension; the rows are dimension `place` of the result.
fn gather(from: &str, indices: &str, dim: usize, shape: &[usize], place: usize, count: usize) -> String {
    let rank = shape.len();
    let offset: Vec<usize> = (0..rank).filter(|&d| d != place).collect();
    let sizes: Vec<String> =
        (0..rank).map(|d| if d == dim { "1".to_owned() } else { shape[d].to_string() }).collect();
    let mut result: Vec<usize> = (0..rank).filter(|&d| d != dim).map(|d| shape[d]).collect();
    result.insert(place, count);
    let ty = |s: &[usize]| {
        let sizes: String = s.iter().map(|n| format!("{n}x")).collect();
        format!("tensor<{sizes}xf64>").replace("xx", "x")
    };
    format!(
        "\"stablehlo.gather\"({from}, {indices}) <{{dimension_numbers = #stablehlo.gather<offset_dims = {offset:?}, collapsed_slice_dims = [{dim}], start_index_map = [{dim}], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: {}>}}> : ({}, tensor<{count}xi32>) -> {}",
        sizes.join(", "),
        ty(shape),
        ty(&result)
    )
}

const DOT: &str = "    %d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<100x4xf64>, tensor<4x6xf64>) -> tensor<100x6xf64>\n";

#[test]
fn rows_of_products_are_few() {
    // Of the left factor, of the right one, of a batch, and as another dimension of the result.
    let left = format!("{DOT}    %r = {}", gather("%d", "%i", 0, &[100, 6], 0, 5));
    assert_eq!(agrees(&program("100x4", "4x6", &left, "5x6")), [600, 30]);
    let right = "    %d = stablehlo.dot_general %w, %x, contracting_dims = [0] x [1] : (tensor<4x6xf64>, tensor<100x4xf64>) -> tensor<6x100xf64>\n";
    let right_rows = format!("{right}    %r = {}", gather("%d", "%i", 1, &[6, 100], 1, 5));
    assert_eq!(agrees(&program("100x4", "4x6", &right_rows, "6x5")), [600, 30]);
    let turned = format!("{right}    %r = {}", gather("%d", "%i", 1, &[6, 100], 0, 5));
    assert_eq!(agrees(&program("100x4", "4x6", &turned, "5x6")), [600, 30]);
    let batch = "    %d = stablehlo.dot_general %x, %w, batching_dims = [0] x [1], contracting_dims = [1] x [0] : (tensor<100x4xf64>, tensor<4x100x3xf64>) -> tensor<100x3xf64>\n";
    let batch_rows = format!("{batch}    %r = {}", gather("%d", "%i", 0, &[100, 3], 0, 5));
    assert_eq!(agrees(&program("100x4", "4x100x3", &batch_rows, "5x3")), [300, 15]);
}

#[test]
fn the_way_to_products_is_long() {
    let body = format!(
        "{DOT}    %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<6xf64>) -> tensor<100x6xf64>
    %1 = stablehlo.add %d, %0 : tensor<100x6xf64>
    %2 = stablehlo.reverse %1, dims = [1] : tensor<100x6xf64>
    %3 = stablehlo.concatenate %1, %2, dim = 1 : (tensor<100x6xf64>, tensor<100x6xf64>) -> tensor<100x12xf64>
    %4 = stablehlo.pad %3, %zero, low = [0, 1], high = [0, 2], interior = [0, 1] : (tensor<100x12xf64>, tensor<f64>) -> tensor<100x26xf64>
    %5 = stablehlo.slice %4 [0:100, 2:26] : (tensor<100x26xf64>) -> tensor<100x24xf64>
    %6 = stablehlo.reshape %5 : (tensor<100x24xf64>) -> tensor<100x4x6xf64>
    %7 = stablehlo.transpose %6, dims = [2, 0, 1] : (tensor<100x4x6xf64>) -> tensor<6x100x4xf64>
    %8 = stablehlo.tanh %7 : tensor<6x100x4xf64>
    %9 = stablehlo.clamp %zero, %8, %8 : (tensor<f64>, tensor<6x100x4xf64>, tensor<6x100x4xf64>) -> tensor<6x100x4xf64>
    %10 = stablehlo.reduce(%9 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<6x100x4xf64>, tensor<f64>) -> tensor<100x4xf64>
    %r = {}",
        gather("%10", "%i", 0, &[100, 4], 1, 5)
    );
    assert_eq!(agrees(&program("100x4", "4x6", &body, "4x5")), [600 + 400, 30 + 20]);
}

#[test]
fn slices_are_rows_too() {
    for (slice, n) in [("3:9", 6), ("0:1", 1), ("50:100:10", 5)] {
        let body = format!(
            "{DOT}    %r = stablehlo.slice %d [{slice}, 0:6] : (tensor<100x6xf64>) -> tensor<{n}x6xf64>"
        );
        assert_eq!(agrees(&program("100x4", "4x6", &body, &format!("{n}x6"))), [600, 6 * n]);
    }
}

/// Gathers of the same rows are one; rows that are taken in two ways may be the same, and then have one rounding.
#[test]
fn each_row_is_computed_once() {
    let same = format!(
        "{DOT}    %0 = {}
    %1 = {}
    %r = stablehlo.add %0, %1 : tensor<5x6xf64>",
        gather("%d", "%i", 0, &[100, 6], 0, 5),
        gather("%d", "%i", 0, &[100, 6], 0, 5)
    );
    assert_eq!(agrees(&program("100x4", "4x6", &same, "5x6")), [600, 30]);
    let two = format!(
        "{DOT}    %j = stablehlo.negate %i : tensor<5xi32>
    %0 = {}
    %1 = {}
    %2 = {}
    %3 = stablehlo.add %0, %1 : tensor<5x6xf64>
    %r = stablehlo.add %3, %2 : tensor<5x6xf64>",
        gather("%d", "%i", 0, &[100, 6], 0, 5),
        gather("%d", "%j", 0, &[100, 6], 0, 5),
        gather("%d", "%i", 0, &[100, 6], 0, 5)
    );
    assert_eq!(agrees(&program("100x4", "4x6", &two, "5x6")), [600, 600]);
    let all = format!(
        "{DOT}    %0 = stablehlo.slice %d [0:34, 0:6] : (tensor<100x6xf64>) -> tensor<34x6xf64>
    %1 = stablehlo.slice %d [34:68, 0:6] : (tensor<100x6xf64>) -> tensor<34x6xf64>
    %r = stablehlo.add %0, %1 : tensor<34x6xf64>"
    );
    assert_eq!(agrees(&program("100x4", "4x6", &all, "34x6")), [600, 600]);
}

#[test]
fn what_others_read_is_computed() {
    let body = format!(
        "{DOT}    %0 = {}
    %1 = stablehlo.reduce(%d init: %zero) applies stablehlo.maximum across dimensions = [0] : (tensor<100x6xf64>, tensor<f64>) -> tensor<6xf64>
    %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<6xf64>) -> tensor<5x6xf64>
    %r = stablehlo.add %0, %2 : tensor<5x6xf64>",
        gather("%d", "%i", 0, &[100, 6], 0, 5)
    );
    assert_eq!(agrees(&program("100x4", "4x6", &body, "5x6")), [606, 606]);
    // Rows of it along two dimensions, too.
    let crossed = format!(
        "{DOT}    %0 = stablehlo.slice %d [0:6, 0:6] : (tensor<100x6xf64>) -> tensor<6x6xf64>
    %1 = stablehlo.slice %d [0:100, 0:1] : (tensor<100x6xf64>) -> tensor<100x1xf64>
    %2 = stablehlo.slice %1 [0:6, 0:1] : (tensor<100x1xf64>) -> tensor<6x1xf64>
    %3 = stablehlo.reshape %2 : (tensor<6x1xf64>) -> tensor<6xf64>
    %4 = stablehlo.broadcast_in_dim %3, dims = [1] : (tensor<6xf64>) -> tensor<6x6xf64>
    %r = stablehlo.add %0, %4 : tensor<6x6xf64>"
    );
    assert_eq!(agrees(&program("100x4", "4x6", &crossed, "6x6"))[0], 600);
    // Of what is no sum, rows are read where they are.
    let tanh = format!(
        "    %0 = stablehlo.tanh %x : tensor<100x6xf64>\n    %r = {}",
        gather("%0", "%i", 0, &[100, 6], 0, 5)
    );
    let mut m = text::parse(&program("100x6", "4x6", &tanh, "5x6")).unwrap();
    let before = m.find("main").unwrap();
    let after = Pipeline::parse("pushdown").unwrap().run(&mut m, before, &mut |_| {});
    assert_eq!(before, after);
}

/// The indices may be made of the rows of another product, and after the product whose rows they say.
#[test]
fn indices_may_come_late() {
    let body = format!(
        "{DOT}    %0 = stablehlo.slice %x [0:5, 0:1] : (tensor<100x4xf64>) -> tensor<5x1xf64>
    %1 = stablehlo.reshape %0 : (tensor<5x1xf64>) -> tensor<5xf64>
    %2 = stablehlo.convert %1 : (tensor<5xf64>) -> tensor<5xi32>
    %j = stablehlo.add %2, %i : tensor<5xi32>
    %r = {}",
        gather("%d", "%j", 0, &[100, 6], 0, 5)
    );
    assert_eq!(agrees(&program("100x4", "4x6", &body, "5x6")), [600, 30]);
}

#[test]
fn bodies_of_loops_take_rows_too() {
    let source = "func.func public @main(%x: tensor<100x4xf64>, %w: tensor<4x4xf64>, %k: tensor<i32>) -> tensor<100x4xf64> {
    %r = stablehlo.while(%a = %x) : tensor<100x4xf64>
      cond {
        %0 = stablehlo.slice %a [0:1, 0:1] : (tensor<100x4xf64>) -> tensor<1x1xf64>
        %1 = stablehlo.reshape %0 : (tensor<1x1xf64>) -> tensor<f64>
        %2 = stablehlo.constant dense<100.0> : tensor<f64>
        %3 = stablehlo.compare LT, %1, %2 : (tensor<f64>, tensor<f64>) -> tensor<i1>
        stablehlo.return %3 : tensor<i1>
      } do {
        %4 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<100x4xf64>, tensor<4x4xf64>) -> tensor<100x4xf64>
        %5 = stablehlo.slice %4 [7:8, 0:4] : (tensor<100x4xf64>) -> tensor<1x4xf64>
        %6 = stablehlo.reshape %5 : (tensor<1x4xf64>) -> tensor<4xf64>
        %7 = stablehlo.broadcast_in_dim %6, dims = [1] : (tensor<4xf64>) -> tensor<100x4xf64>
        %8 = stablehlo.constant dense<30.0> : tensor<100x4xf64>
        %9 = stablehlo.add %a, %8 : tensor<100x4xf64>
        %10 = stablehlo.add %9, %7 : tensor<100x4xf64>
        %11 = stablehlo.abs %10 : tensor<100x4xf64>
        stablehlo.return %11 : tensor<100x4xf64>
      }
    return %r : tensor<100x4xf64>
}";
    agrees(source);
    let (m, _, after) = taken(source);
    let (kept, _) = m.reachable(&[after]);
    let all: usize = kept.funcs.iter().map(|(id, _)| computed(&kept, id)).sum();
    assert_eq!(all, 4);
}

/// Ways of any length are gone without recursion.
#[test]
fn long_chains_end() {
    let mut body = DOT.to_owned();
    let mut last = "%d".to_owned();
    for k in 0..20_000 {
        body += &format!("    %c{k} = stablehlo.negate {last} : tensor<100x6xf64>\n");
        last = format!("%c{k}");
    }
    body += &format!("    %r = {}", gather(&last, "%i", 0, &[100, 6], 0, 5));
    assert_eq!(agrees(&program("100x4", "4x6", &body, "5x6")), [600, 30]);
}

/// Rows of each of a batch, of which there is one, are no rows of all.
#[test]
fn rows_of_a_batch_stay() {
    let body = "    %d = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<1x100x4xf64>, tensor<4x6xf64>) -> tensor<1x100x6xf64>
    %0 = stablehlo.slice %i [0:1] : (tensor<5xi32>) -> tensor<1xi32>
    %1 = stablehlo.reshape %0 : (tensor<1xi32>) -> tensor<1x1xi32>
    %r = \"stablehlo.gather\"(%d, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 6>}> : (tensor<1x100x6xf64>, tensor<1x1xi32>) -> tensor<1x6xf64>";
    assert_eq!(agrees(&program("1x100x4", "4x6", body, "1x6")), [600, 600]);
}

/// A product of which many rows are taken one by one is one product.
#[test]
fn many_products_do_not_take_the_place_of_one() {
    let mut body = DOT.to_owned();
    for k in 0..10 {
        body += &format!(
            "    %s{k} = stablehlo.slice %d [{}:{}, 0:6] : (tensor<100x6xf64>) -> tensor<1x6xf64>\n",
            9 * k,
            9 * k + 1
        );
    }
    body += "    %t0 = stablehlo.add %s0, %s1 : tensor<1x6xf64>\n";
    for k in 1..9 {
        body += &format!("    %t{k} = stablehlo.add %t{}, %s{} : tensor<1x6xf64>\n", k - 1, k + 1);
    }
    body += "    %r = stablehlo.add %t8, %t8 : tensor<1x6xf64>";
    assert_eq!(agrees(&program("100x4", "4x6", &body, "1x6")), [600, 600]);
}
