//! Operations that are composites in text: those of ours say what they are, those of CHLO are read as what they are.

use wengert_ir::op::{TopK, UnaryOp};
use wengert_ir::testing::single;
use wengert_ir::text::{PrintOptions, parse, print};
use wengert_ir::types::{DType, TensorType};

#[test]
fn what_only_we_have_says_what_it_is() {
    for &op in UnaryOp::ALL.iter().filter(|op| op.name().starts_with("wengert.")) {
        let (module, _) = single(op.into(), &[TensorType::scalar(DType::F32)]);
        let text = print(&module, &PrintOptions { plain: true, ..PrintOptions::default() });
        let plain = parse(&text).unwrap_or_else(|e| panic!("{}: {e}", op.name()));
        // A call, and a function with a body in other operations.
        assert_eq!(plain.funcs.len(), 2, "{text}");
        let insts = || plain.funcs.values().map(|f| f.insts.values());
        assert!(insts().all(|mut all| all.next().is_some()), "{text}");
        assert!(insts().flatten().all(|i| !i.op.name().starts_with("wengert.")), "{text}");
    }
}

/// What JAX exports of operations of CHLO has their names and decompositions: it is the operation where one of this name fits.
#[test]
fn composites_of_chlo_are_its_operations() {
    let text = |name: &str, attributes: &str| {
        format!(
        "func.func public @main(%arg0: tensor<2x8xf32>) -> tensor<2x8xf32> {{
  %0 = stablehlo.composite \"{name}\" %arg0 {{{attributes}decomposition = @impl}} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}}
func.func private @impl(%arg0: tensor<2x8xf32>) -> tensor<2x8xf32> {{
  %0 = stablehlo.sine %arg0 : tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}}"
    )
    };
    for name in ["chlo.erf", "chlo.asin", "chlo.acosh", "chlo.sinh", "chlo.erf_inv", "chlo.lgamma"] {
        let module = parse(&text(name, "")).unwrap();
        let ops: Vec<_> = module.funcs.values().flat_map(|f| f.insts.values()).map(|i| i.op.name()).collect();
        assert_eq!(ops, [name]);
    }
    // No such operation, or attributes that it does not have.
    for text in [
        text("chlo.of_mine", ""),
        text("mine.erf", ""),
        text("chlo.erf", "composite_attributes = {k = 1 : i64}, "),
    ] {
        let module = parse(&text).unwrap();
        let (_, main) = module.funcs.iter().next().expect("main");
        assert_eq!(main.insts.values().next().expect("one").op.name(), "stablehlo.composite");
    }
    let largest = "func.func public @main(%arg0: tensor<4x100xf32>) -> (tensor<4x10xf32>, tensor<4x10xi32>) {
  %0:2 = stablehlo.composite \"chlo.top_k\" %arg0 {composite_attributes = {k = 10 : i64}, decomposition = @impl, version = 1 : i32} : (tensor<4x100xf32>) -> (tensor<4x10xf32>, tensor<4x10xi32>)
  return %0#0, %0#1 : tensor<4x10xf32>, tensor<4x10xi32>
}
func.func private @impl(%arg0: tensor<4x100xf32>) -> (tensor<4x10xf32>, tensor<4x10xi32>) {
  %0 = stablehlo.iota dim = 1 : tensor<4x100xi32>
  %1:2 = \"stablehlo.sort\"(%arg0, %0) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
    %4 = stablehlo.compare GT, %arg1, %arg2, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %4 : tensor<i1>
  }) : (tensor<4x100xf32>, tensor<4x100xi32>) -> (tensor<4x100xf32>, tensor<4x100xi32>)
  %2 = stablehlo.slice %1#0 [0:4, 0:10] : (tensor<4x100xf32>) -> tensor<4x10xf32>
  %3 = stablehlo.slice %1#1 [0:4, 0:10] : (tensor<4x100xi32>) -> tensor<4x10xi32>
  return %2, %3 : tensor<4x10xf32>, tensor<4x10xi32>
}";
    let module = parse(largest).unwrap();
    let main = module.funcs.values().next().expect("main");
    assert_eq!(main.insts.values().next().expect("one").op, TopK { k: 10 }.into());
}
