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

/// `%u`, and in `other` `%z`: zeros (what `other` makes), or a window in zeros, by which of two branches is taken.
fn branches(other: &str) -> String {
    format!(
        "%e3 = stablehlo.constant dense<3> : tensor<i32>
         %k3 = stablehlo.compare LT, %n, %e3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
         %b = stablehlo.convert %k3 : (tensor<i1>) -> tensor<i32>
         %u = \"stablehlo.case\"(%b) ({{
           {other}
           stablehlo.return %z : tensor<20x3xf64>
         }}, {{
           {ZEROS}{WINDOW}
           stablehlo.return %u : tensor<20x3xf64>
         }}) : (tensor<i32>) -> tensor<20x3xf64>\n"
    )
}

/// [`branches`] as the `other` of another.
fn inner() -> String {
    let names = [("%e3", "%e4"), ("%k3", "%k4"), ("%b", "%b2"), ("%u = \"", "%z = \"")];
    names
        .iter()
        .fold(branches(&ZEROS.replace("%z", "%zero")), |text, (from, to)| text.replace(from, to))
        .replace("stablehlo.return %z", "stablehlo.return %zero")
}

#[test]
fn windows_of_branches_are_added_in_the_branches() {
    let inner = inner();
    let start = "%s = stablehlo.constant dense<0.0> : tensor<20x3xf64>";
    for zeros in [ZEROS, &inner] {
        for sum in ["%next = stablehlo.add %x, %u", "%next = stablehlo.add %u, %x"] {
            let body = format!("{}{sum} : tensor<20x3xf64>", branches(zeros));
            assert_eq!(additions(&looped(start, &body)), 0, "{body}");
            // Where a zero may have a sign, all is added.
            let given = "%s = stablehlo.reshape %a : (tensor<20x3xf64>) -> tensor<20x3xf64>";
            assert_eq!(additions(&looped(given, &body)), 1, "{body}");
        }
    }
    // A branch that gives something else, and what is read by something else, stay.
    let sum = "%next = stablehlo.add %x, %u : tensor<20x3xf64>";
    let sine = "%y = stablehlo.sine %x : tensor<20x3xf64>
                %z = stablehlo.multiply %y, %y : tensor<20x3xf64>\n";
    assert_eq!(additions(&looped(start, &format!("{}{sum}", branches(sine)))), 1);
    let twice = "%h = stablehlo.add %x, %u : tensor<20x3xf64>
                 %next = stablehlo.maximum %h, %u : tensor<20x3xf64>";
    assert_eq!(additions(&looped(start, &format!("{}{twice}", branches(ZEROS)))), 1);
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

/// The program before the pass and after it, on the same arguments, to the bit: sums in another order round otherwise, zeros have
/// signs.
fn same_bits(source: &str, what: &str) {
    let mut m = text::parse(source).unwrap_or_else(|e| panic!("{e}\n{source}"));
    let f = m.find("main").expect("it is there");
    let run = |m: &mut _, f, passes: &str| {
        Pipeline::parse(passes).unwrap_or_else(|e| panic!("{e}")).run(m, f, &mut |_| {})
    };
    let f = run(&mut m, f, "inline,raise,simplify");
    let func = m.get(f);
    let given = |(k, &p): (usize, &_)| {
        let ty = func.tensor(p);
        let mut a: Array = Random(k as u64 + 3).array(ty, -1.0, 1.0);
        if ty.dtype == DType::F64 {
            // Sums of thirds are rounded.
            a.as_mut_slice::<f64>().iter_mut().for_each(|x| *x /= 3.0);
            a.as_mut_slice::<f64>().iter_mut().step_by(4).for_each(|x| *x = -0.0);
        }
        if ty.dtype == DType::I32 {
            // Places, of which some are the same.
            a.as_mut_slice::<i32>().iter_mut().zip([2, 3, 2, 2].iter().cycle()).for_each(|(x, &at)| *x = at);
        }
        a
    };
    let args: Vec<Array> = func.params.iter().enumerate().map(given).collect();
    let after = run(&mut m, f, "accumulate");
    let bits = |f| eval(&m, f, &args).iter().map(|a| a.bytes().to_vec()).collect::<Vec<_>>();
    assert_eq!(bits(f), bits(after), "{what}\n{source}");
}

/// What a trip hands on to the next under another name has the zeros of what it was, however many trips that takes to be seen.
#[test]
fn signs_of_zeros_come_from_what_is_carried_beside() {
    let ty = "tensor<20x3xf64>";
    for beside in 1..=3 {
        for (what, last) in [("negate", "%h"), ("floor", "%h"), ("sine", "%a"), ("abs", "%h")] {
            let types = format!(", {ty}").repeat(beside);
            let carried: String = (1..=beside).map(|k| format!(", %y{k} = %s")).collect();
            // `x` has what `y1` had, which has what `y2` had; the last has `-0` somewhere, or not.
            let next: String = (2..=beside).map(|k| format!(", %y{k}")).collect();
            same_bits(
                &format!(
                    "func.func @main(%a: {ty}, %w: tensor<2x3xf64>) -> ({ty}) {{
                       {ZEROS}
                       %s = stablehlo.abs %a : {ty}
                       %c = stablehlo.constant dense<0> : tensor<i32>
                       %r:{} = stablehlo.while(%n = %c, %x = %s{carried}) : tensor<i32>, {ty}{types}
                       cond {{
                         %e = stablehlo.constant dense<9> : tensor<i32>
                         %k = stablehlo.compare LT, %n, %e, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
                         stablehlo.return %k : tensor<i1>
                       }} do {{
                         {ZEROS}
                         %one = stablehlo.constant dense<1> : tensor<i32>
                         %o = stablehlo.constant dense<0> : tensor<i32>
                         %m = stablehlo.add %n, %one : tensor<i32>
                         %i = stablehlo.multiply %n, %m : tensor<i32>
                         {WINDOW}
                         %h = stablehlo.add %x, %u : {ty}
                         %l = stablehlo.{what} {last} : {ty}
                         stablehlo.return %m, %y1{next}, %l : tensor<i32>, {ty}{types}
                       }}
                       return %r#1 : {ty}
                     }}",
                    2 + beside
                ),
                &format!("{what} of {last}, {beside} beside"),
            );
        }
    }
}

/// Updates that may meet are added in the order that they had, whichever dimension of the indices has several of them.
#[test]
fn updates_that_meet_are_added_in_order() {
    for indices in [&[1][..], &[4], &[1, 4], &[4, 1], &[2, 2], &[1, 1, 4], &[1, 4, 1], &[4, 1, 1]] {
        for batches in [false, true] {
            // With batches, each has indices of its own, and rows of its own.
            let more = if batches { "3x" } else { "" };
            let offset = usize::from(batches);
            let sizes: String = indices.iter().map(|n| format!("{n}x")).collect();
            let (ty, rows) = (format!("tensor<{more}5x3xf64>"), format!("tensor<{more}{sizes}3xf64>"));
            let at = format!("tensor<{more}{sizes}1xi32>");
            let extra =
                if batches { "input_batching_dims = [0], scatter_indices_batching_dims = [0], " } else { "" };
            let window = indices.len() + offset;
            for other in ["%a", "%b"] {
                for sum in [format!("%u, {other}"), format!("{other}, %u")] {
                    same_bits(
                        &format!(
                            "func.func @main(%a: {ty}, %w: {rows}, %i: {at}) -> {ty} {{
                               %z = stablehlo.constant dense<0.0> : {ty}
                               %b = stablehlo.abs %a : {ty}
                               %u = \"stablehlo.scatter\"(%z, %i, %w) <{{scatter_dimension_numbers = #stablehlo.scatter<
                                 update_window_dims = [{window}], inserted_window_dims = [{offset}], {extra}
                                 scatter_dims_to_operand_dims = [{offset}], index_vector_dim = {window}>}}> ({{
                                 ^bb0(%p: tensor<f64>, %q: tensor<f64>):
                                   %t = stablehlo.add %p, %q : tensor<f64>
                                   stablehlo.return %t : tensor<f64>
                               }}) : ({ty}, {at}, {rows}) -> {ty}
                               %s = stablehlo.add {sum} : {ty}
                               return %s : {ty}
                             }}"
                        ),
                        &format!("indices {indices:?}, batches {batches}"),
                    );
                }
            }
        }
    }
}

/// What is no zero is not left out, whatever its bytes look like.
#[test]
fn what_is_no_zero_is_added() {
    let constants = [
        ("i32", "128"),
        ("i32", "-2147483648"),
        ("i32", "1"),
        ("i8", "-128"),
        ("i16", "-32640"),
        ("ui8", "128"),
        ("f32", "0x80808080"),
        ("f32", "0x00800000"),
        ("f32", "0x00000080"),
        ("f64", "0x8080808080808080"),
        ("f64", "-0.0"),
        ("f64", "0.0"),
        ("bf16", "0x0080"),
        ("f16", "0x8000"),
    ];
    for (dtype, constant) in constants {
        let (ty, part) = (format!("tensor<6x{dtype}>"), format!("tensor<2x{dtype}>"));
        let updates = [
            format!("%u = stablehlo.dynamic_update_slice %z, %w, %i : ({ty}, {part}, tensor<i32>) -> {ty}"),
            format!(
                "%j = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
                 %u = \"stablehlo.scatter\"(%z, %j, %w) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0],
                   scatter_dims_to_operand_dims = [0]>, unique_indices = true}}> ({{
                   ^bb0(%p: tensor<{dtype}>, %q: tensor<{dtype}>):
                     %t = stablehlo.add %p, %q : tensor<{dtype}>
                     stablehlo.return %t : tensor<{dtype}>
                 }}) : ({ty}, tensor<1xi32>, {part}) -> {ty}"
            ),
        ];
        for update in updates {
            // Beside numbers near one, and beside such that are as small as the constant.
            for other in ["%a", "%b", "%z"] {
                same_bits(
                    &format!(
                        "func.func @main(%a: {ty}, %w: {part}) -> {ty} {{
                           %z = stablehlo.constant dense<{constant}> : {ty}
                           %b = stablehlo.subtract %a, %a : {ty}
                           %i = stablehlo.constant dense<1> : tensor<i32>
                           {update}
                           %s = stablehlo.add %u, {other} : {ty}
                           return %s : {ty}
                         }}"
                    ),
                    &format!("{constant} of {dtype}"),
                );
            }
        }
    }
}
