//! Every operation whose regions capture values: the order in which an instruction lists them is not in the text.

use wengert_ir::func::{Func, Module, Value};
use wengert_ir::text::{parse, same};

/// Programs of `%x: tensor<4xf32>`, `%i: tensor<1x1xi32>` and two scalars that a region reads, `%b` first.
const FORMS: &[(&str, &str)] = &[
    (
        "sort",
        r#""stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
          ^bb0(%p: tensor<f32>, %q: tensor<f32>):
            %s = stablehlo.multiply %p, %b : tensor<f32>
            %t = stablehlo.multiply %q, %a : tensor<f32>
            %l = stablehlo.compare LT, %s, %t, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
            stablehlo.return %l : tensor<i1>
          }) : (tensor<4xf32>) -> tensor<4xf32>"#,
    ),
    (
        "map",
        r#""stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
          ^bb0(%p: tensor<f32>):
            %s = stablehlo.multiply %p, %b : tensor<f32>
            %t = stablehlo.add %s, %a : tensor<f32>
            stablehlo.return %t : tensor<f32>
          }) : (tensor<4xf32>) -> tensor<4xf32>"#,
    ),
    (
        "reduce_window",
        r#""stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 1>}> ({
          ^bb0(%p: tensor<f32>, %q: tensor<f32>):
            %s = stablehlo.multiply %p, %b : tensor<f32>
            %t = stablehlo.multiply %q, %a : tensor<f32>
            %u = stablehlo.add %s, %t : tensor<f32>
            stablehlo.return %u : tensor<f32>
          }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>"#,
    ),
    (
        "select_and_scatter",
        r#""stablehlo.select_and_scatter"(%x, %x, %zero) <{window_dimensions = array<i64: 1>}> ({
          ^bb0(%p: tensor<f32>, %q: tensor<f32>):
            %s = stablehlo.multiply %p, %b : tensor<f32>
            %l = stablehlo.compare GE, %s, %q, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
            stablehlo.return %l : tensor<i1>
          }, {
          ^bb0(%p: tensor<f32>, %q: tensor<f32>):
            %s = stablehlo.multiply %p, %a : tensor<f32>
            %t = stablehlo.add %s, %q : tensor<f32>
            stablehlo.return %t : tensor<f32>
          }) : (tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>"#,
    ),
    (
        "a scatter of two inputs",
        r#""stablehlo.scatter"(%x, %x, %i, %x, %x) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 0>}> ({
          ^bb0(%p: tensor<f32>, %q: tensor<f32>, %r: tensor<f32>, %s: tensor<f32>):
            %t = stablehlo.multiply %p, %b : tensor<f32>
            %u = stablehlo.multiply %s, %a : tensor<f32>
            stablehlo.return %t, %u : tensor<f32>, tensor<f32>
          }) : (tensor<4xf32>, tensor<4xf32>, tensor<1xi32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)"#,
    ),
];

fn program(form: &str) -> Module {
    let many = form.contains("-> (tensor");
    let (of, y) = if many { ("%y:2", "%y#0") } else { ("%y", "%y") };
    let text = format!(
        "func.func public @main(%x: tensor<4xf32>, %i: tensor<1xi32>, %zero: tensor<f32>, %a: tensor<f32>, %b: tensor<f32>) -> tensor<4xf32> {{
          {of} = {form}
          return {y} : tensor<4xf32>
        }}"
    );
    parse(&text).unwrap_or_else(|e| panic!("{text}\n{e}"))
}

/// The program with the two captures of its one instruction the other way round.
fn swapped(module: &Module) -> Module {
    let mut out = module.clone();
    let main = out.find("main").expect("main");
    let mut func = Func::clone(&out.funcs[main]);
    let inst = func.insts.values_mut().next().expect("one");
    let captures = inst.op.captures(inst.operands.len()).expect("a region");
    assert_eq!(captures.len(), 2, "{module}");
    inst.operands[captures].reverse();
    for region in inst.op.callees() {
        let mut body = Func::clone(&out.funcs[region]);
        let (x, y) = (body.params[0], body.params[1]);
        let other = |v: Value| {
            if v == x {
                y
            } else if v == y {
                x
            } else {
                v
            }
        };
        for inst in body.insts.values_mut() {
            inst.operands.iter_mut().for_each(|v| *v = other(*v));
        }
        body.results.iter_mut().for_each(|v| *v = other(*v));
        out.funcs[region] = body.into();
    }
    out.funcs[main] = func.into();
    out
}

#[test]
fn the_order_of_captures_is_not_said() {
    for (name, form) in FORMS {
        let module = program(form);
        let other = swapped(&module);
        assert_eq!(module.to_string(), other.to_string(), "{name}");
        assert!(same(&module, &other), "{name}");
        assert!(same(&parse(&other.to_string()).expect("our text"), &other), "{name}");
        // What they are is.
        let wrong = program(&form.replace("%a :", "%zero :"));
        assert!(!same(&module, &wrong), "{name}");
    }
}
