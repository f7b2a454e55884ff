//! Windows that are put into zeros and added to something are added where they lie (`passes/src/accumulate.rs`), in loops too, to
//! the bit: only where a zero keeps its sign.

use wengert_ir::array::Array;
use wengert_ir::testing::{Random, eval};
use wengert_ir::text;
use wengert_ir::types::{DType, TensorType};
use wengert_passes::pipeline::Pipeline;

const ZEROS: &str = "%z = stablehlo.constant dense<0.0> : tensor<20x3xf64>\n";

/// A window of `%w` into zeros at `%i`.
const WINDOW: &str = "%u = stablehlo.dynamic_update_slice %z, %w, %i, %o : (tensor<20x3xf64>, tensor<2x3xf64>, tensor<i32>, \
                      tensor<i32>) -> tensor<20x3xf64>\n";

/// Rows of `%w` into zeros at two of `%i`, by which no row is found twice.
const ROWS: &str = "%j = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
  %u = \"stablehlo.scatter\"(%z, %j, %w) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], \
         scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
  ^bb0(%p: tensor<f64>, %q: tensor<f64>):
    %t = stablehlo.add %p, %q : tensor<f64>
    stablehlo.return %t : tensor<f64>
  }) : (tensor<20x3xf64>, tensor<1xi32>, tensor<2x3xf64>) -> tensor<20x3xf64>\n";

/// A loop that carries `%x` from `start` and makes `%next` of it, of windows of a sine of what lies there.
fn looped(start: &str, body: &str) -> String {
    format!(
        "func.func @main(%a: tensor<20x3xf64>, %w0: tensor<2x3xf64>) -> tensor<20x3xf64> {{
           {ZEROS}
           {start}
           %c = stablehlo.constant dense<0> : tensor<i32>
           %r:2 = stablehlo.while(%n = %c, %x = %s) : tensor<i32>, tensor<20x3xf64>
           cond {{
             %e = stablehlo.constant dense<9> : tensor<i32>
             %k = stablehlo.compare LT, %n, %e, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
             stablehlo.return %k : tensor<i1>
           }} do {{
             %one = stablehlo.constant dense<1> : tensor<i32>
             %o = stablehlo.constant dense<0> : tensor<i32>
             %m = stablehlo.add %n, %one : tensor<i32>
             %i = stablehlo.multiply %n, %m : tensor<i32>
             %d = stablehlo.dynamic_slice %x, %n, %o, sizes = [2, 3] : (tensor<20x3xf64>, tensor<i32>, tensor<i32>) -> tensor<2x3xf64>
             %sd = stablehlo.sine %d : tensor<2x3xf64>
             %w = stablehlo.subtract %w0, %sd : tensor<2x3xf64>
             {body}
             stablehlo.return %m, %next : tensor<i32>, tensor<20x3xf64>
           }}
           return %r#1 : tensor<20x3xf64>
         }}"
    )
}

/// How many additions of whole arrays the program does after the pass. Its results are the same bits as before.
fn additions(source: &str) -> usize {
    let mut m = text::parse(source).unwrap_or_else(|e| panic!("{e}\n{source}"));
    let f = m.find("main").expect("it is there");
    let run = |m: &mut _, f, passes: &str| {
        Pipeline::parse(passes).unwrap_or_else(|e| panic!("{e}")).run(m, f, &mut |_| {})
    };
    let before = run(&mut m, f, "inline,raise,simplify");
    let after = run(&mut m, before, "accumulate");
    let mut a: Array = Random(5).array(&TensorType::new(DType::F64, &[20, 3]), -1.0, 1.0);
    let w: Array = Random(6).array(&TensorType::new(DType::F64, &[2, 3]), -1.0, 1.0);
    a.as_mut_slice::<f64>()[7] = -0.0;
    a.as_mut_slice::<f64>()[50] = -0.0;
    let args = [a, w];
    let (want, got) = (eval(&m, before, &args), eval(&m, after, &args));
    assert_eq!(want, got, "bits differ\n{source}");
    let (reached, _) = m.reachable(&[after]);
    let printed = text::print(&reached, &text::PrintOptions::default());
    printed.lines().filter(|l| l.contains("stablehlo.add") && l.contains("tensor<20x3xf64>")).count()
}

#[test]
fn windows_are_added_where_they_lie() {
    for window in [WINDOW, ROWS] {
        for sum in ["%next = stablehlo.add %x, %u", "%next = stablehlo.add %u, %x"] {
            let body = format!("{ZEROS}{window}{sum} : tensor<20x3xf64>");
            // Cotangents begin as zeros; what is a sum with such, or a size, has no -0 either.
            for start in [
                "%s = stablehlo.constant dense<0.0> : tensor<20x3xf64>",
                "%s = stablehlo.add %z, %a : tensor<20x3xf64>",
                "%s = stablehlo.abs %a : tensor<20x3xf64>",
            ] {
                assert_eq!(
                    additions(&looped(start, &body)),
                    usize::from(start.contains("add")),
                    "{start}\n{body}"
                );
            }
        }
    }
}

#[test]
fn several_windows_of_one_trip() {
    let body = format!(
        "{ZEROS}{WINDOW}
         %h = stablehlo.add %x, %u : tensor<20x3xf64>
         %v = stablehlo.dynamic_update_slice %z, %sd, %m, %o : (tensor<20x3xf64>, tensor<2x3xf64>, tensor<i32>, tensor<i32>) -> tensor<20x3xf64>
         %next = stablehlo.add %h, %v : tensor<20x3xf64>"
    );
    assert_eq!(additions(&looped("%s = stablehlo.constant dense<0.0> : tensor<20x3xf64>", &body)), 0);
}

/// A zero would change its sign, or a product has one: the whole array is added.
#[test]
fn signs_of_zeros_are_kept() {
    let start = "%s = stablehlo.abs %a : tensor<20x3xf64>";
    let given = "%s = stablehlo.reshape %a : (tensor<20x3xf64>) -> tensor<20x3xf64>";
    let sum = format!("{ZEROS}{WINDOW}%next = stablehlo.add %x, %u : tensor<20x3xf64>");
    assert_eq!(additions(&looped(given, &sum)), 1);
    let product = format!(
        "{ZEROS}{WINDOW}%h = stablehlo.add %x, %u : tensor<20x3xf64>
         %next = stablehlo.negate %h : tensor<20x3xf64>"
    );
    assert_eq!(additions(&looped(start, &product)), 1);
    // Read by something else, the window is made.
    let twice = format!(
        "{ZEROS}{WINDOW}%h = stablehlo.add %x, %u : tensor<20x3xf64>
         %next = stablehlo.maximum %h, %u : tensor<20x3xf64>"
    );
    assert_eq!(additions(&looped(start, &twice)), 1);
}
