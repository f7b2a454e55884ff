//! Programs with Shardy's operations, and modules in generic form: on one device they are what is left without shardings.

use std::path::Path;
use wengert_ir::func::{FuncKind, Module};
use wengert_ir::interface::Interface;
use wengert_ir::op::Op;
use wengert_ir::text::{self, parse, parse_with_interface, same};

#[track_caller]
fn read(source: &str) -> Module {
    parse(source).unwrap_or_else(|e| panic!("{e}\n{source}"))
}

/// A function with these instructions, in a module with a mesh of one device and one of two.
fn program(body: &str) -> String {
    format!(
        "module @m {{
          sdy.mesh @one = <[\"x\"=1, \"y\"=1]> {{stablehlo.mesh = {{axes = []}}}}
          sdy.mesh @two = <[\"x\"=1, \"y\"=2], device_ids=[1, 0]>
          sdy.mesh @empty = <[]>
          func.func public @main(%x: tensor<2x3xf32> {{sdy.sharding = #sdy.sharding<@one, [{{\"x\"}}, {{}}]>}}) -> tensor<2x3xf32> {{
            {body}
          }}
        }}"
    )
}

#[track_caller]
fn equals(body: &str, plain: &str) {
    let (a, b) = (read(&program(body)), read(&program(plain)));
    assert!(same(&a, &b), "{a}\ninstead of\n{b}");
}

#[track_caller]
fn refused(source: &str, parts: &[&str]) {
    let error = parse(source).expect_err(source).to_string();
    for part in parts {
        assert!(error.contains(part), "no `{part}` in {error}");
    }
}

const SINE: &str = "%y = stablehlo.sine %x : tensor<2x3xf32>
  return %y : tensor<2x3xf32>";

#[test]
fn a_sharding_is_nothing() {
    for operation in [
        "sdy.sharding_constraint %x <@one, [{\"x\"}, {?}]> : tensor<2x3xf32>",
        "sdy.sharding_constraint %x <@two, [{\"x\", \"y\"}, {}], replicated={\"y\"}> : tensor<2x3xf32>",
        "sdy.sharding_constraint %x <mesh<[\"z\"=4]>, [{\"z\"}, {}]> : tensor<2x3xf32>",
        "sdy.reshard %x <@empty, [{}, {}]> : tensor<2x3xf32>",
        "sdy.propagation_barrier %x allowed_direction=NONE : tensor<2x3xf32>",
        "sdy.data_flow_edge %x sharding=<@one, [{}, {}]> : tensor<2x3xf32>",
        "sdy.all_gather [{\"y\"}, {}] %x out_sharding=<@two, [{}, {}]> : tensor<2x3xf32>",
        "sdy.all_slice [{\"y\"}, {}] %x out_sharding=<@two, [{\"y\"}, {}]> : tensor<2x3xf32>",
        "sdy.all_to_all [{\"y\"}: 0->1] %x out_sharding=<@two, [{}, {\"y\"}]> : tensor<2x3xf32>",
        "sdy.collective_permute %x out_sharding=<@two, [{\"y\"}, {}]> : tensor<2x3xf32>",
        "sdy.all_reduce {\"x\"} %x out_sharding=<@one, [{}, {}]> : tensor<2x3xf32>",
        "sdy.reduce_scatter [{\"x\"}, {}] %x out_sharding=<@one, [{\"x\"}, {}]> : tensor<2x3xf32>",
        "sdy.sharded_to_unreduced [{\"x\"}, {}] %x out_sharding=<@one, [{}, {}]> : tensor<2x3xf32>",
        "\"sdy.sharding_constraint\"(%x) <{sharding = #sdy.sharding<@one, [{}, {?}]>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>",
        "\"sdy.all_reduce\"(%x) <{out_sharding = #sdy.sharding<@one, [{}, {}]>, reduction_axes = #sdy<list_of_axis_refs{\"x\"}>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>",
        "stablehlo.custom_call @Sharding(%x) {mhlo.sharding = \"{replicated}\"} : (tensor<2x3xf32>) -> tensor<2x3xf32>",
        "stablehlo.custom_call @xla.sdy.FuncResultSharding(%x) {has_side_effect = true} : (tensor<2x3xf32>) -> tensor<2x3xf32>",
    ] {
        let body = format!(
            "%0 = {operation}
             sdy.sharding_group %0 group_id=3 : tensor<2x3xf32>
             \"sdy.sharding_group\"(%0) <{{group_id = 3 : i64}}> : (tensor<2x3xf32>) -> ()
             %y = stablehlo.sine %0 : tensor<2x3xf32>
             return %y : tensor<2x3xf32>"
        );
        equals(&body, SINE);
    }
}

#[test]
fn computations_stand_in_their_place() {
    let plain = "%c = stablehlo.constant dense<1.0> : tensor<2x3xf32>
      %0 = stablehlo.add %x, %c : tensor<2x3xf32>
      %1 = func.call @f(%0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
      %2 = stablehlo.sine %1 : tensor<2x3xf32>
      %3 = stablehlo.multiply %2, %x : tensor<2x3xf32>
      return %3 : tensor<2x3xf32>";
    let pretty = "%c = stablehlo.constant dense<1.0> : tensor<2x3xf32>
      %0 = sdy.manual_computation(%x) in_shardings=[<@one, [{\"x\"}, {}]>] out_shardings=[<@one, [{\"x\"}, {}]>] manual_axes={\"x\", \"y\"} (%a: tensor<2x3xf32>) {
        %1 = stablehlo.add %a, %c : tensor<2x3xf32>
        %2 = sdy.named_computation<\"inner\">(%1) in_shardings=[<@one, [{}, {}]>] out_shardings=[<@one, [{}, {}]>] (%b: tensor<2x3xf32>) {
          %3 = func.call @f(%b) : (tensor<2x3xf32>) -> tensor<2x3xf32>
          sdy.return %3 : tensor<2x3xf32>
        } : (tensor<2x3xf32>) -> tensor<2x3xf32>
        %3 = stablehlo.sine %2 : tensor<2x3xf32>
        sdy.return %3 : tensor<2x3xf32>
      } : (tensor<2x3xf32>) -> tensor<2x3xf32>
      %1 = stablehlo.multiply %0, %x : tensor<2x3xf32>
      return %1 : tensor<2x3xf32>";
    let generic = "%c = \"sdy.constant\"() <{value = dense<1.0> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
      %0 = \"sdy.manual_computation\"(%x) <{in_shardings = #sdy.sharding_per_value<[<@one, [{\"x\"}, {}]>]>, manual_axes = #sdy<manual_axes{\"x\"}>, out_shardings = #sdy.sharding_per_value<[<@one, [{\"x\"}, {}]>]>}> ({
      ^bb0(%a: tensor<2x3xf32>):
        %1 = stablehlo.add %a, %c : tensor<2x3xf32>
        %2 = func.call @f(%1) : (tensor<2x3xf32>) -> tensor<2x3xf32>
        %3 = stablehlo.sine %2 : tensor<2x3xf32>
        \"sdy.return\"(%3) : (tensor<2x3xf32>) -> ()
      }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
      %1 = stablehlo.multiply %0, %x : tensor<2x3xf32>
      return %1 : tensor<2x3xf32>";
    let f = "}
      func.func private @f(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
        return %x : tensor<2x3xf32>";
    for body in [pretty, generic] {
        equals(&format!("{body}\n{f}"), &format!("{plain}\n{f}"));
    }
    // What a call in a body gives is checked at the end, where the body now stands.
    let wrong = f.replace(
        "return %x : tensor<2x3xf32>",
        "%0 = stablehlo.abs %x : tensor<2x3xf32> return %0 : tensor<2x3xf32>",
    );
    let wrong = wrong.replace("(%x: tensor<2x3xf32>)", "(%x: tensor<2x3xf32>, %y: tensor<f32>)");
    refused(&program(&format!("{pretty}\n{wrong}")), &["func.call"]);
}

/// A computation for each of several devices stays as it is written, with its mesh.
#[test]
fn computations_of_several_devices_stay() {
    let pretty = "%0 = sdy.manual_computation(%x) in_shardings=[<@two, [{\"y\"}, {?}]>] out_shardings=[<@two, [{\"y\", ?}, {}]>] manual_axes={\"x\", \"y\"} (%a: tensor<1x3xf32>) {
        %1 = \"stablehlo.all_reduce\"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
        ^bb0(%b: tensor<f32>, %c: tensor<f32>):
          %2 = stablehlo.add %b, %c : tensor<f32>
          stablehlo.return %2 : tensor<f32>
        }) : (tensor<1x3xf32>) -> tensor<1x3xf32>
        %3 = stablehlo.slice %x [0:1, 0:3] : (tensor<2x3xf32>) -> tensor<1x3xf32>
        %4 = stablehlo.add %1, %3 : tensor<1x3xf32>
        sdy.return %4 : tensor<1x3xf32>
      } : (tensor<2x3xf32>) -> tensor<2x3xf32>
      return %0 : tensor<2x3xf32>";
    let module = read(&program(pretty));
    let text = module.to_string();
    let manual = "<{in_shardings = #sdy.sharding_per_value<[<mesh<[\"x\"=1, \"y\"=2], device_ids=[1, 0]>, [{\"y\"}, {}]>]>, \
        manual_axes = #sdy<manual_axes{\"x\", \"y\"}>, out_shardings = ";
    assert!(text.contains(manual), "{text}");
    assert!(text.contains("sdy.return"), "{text}");
    let again = read(&text);
    assert!(same(&module, &again), "{again}");
    assert_eq!(again.to_string(), text);
    let op = module.get(module.find("main").expect("there")).insts.values().find_map(|inst| match &inst.op {
        Op::Foreign(op) => Some(op.clone()),
        _ => None,
    });
    let manual = text::manual(&op.expect("it stays").attributes).expect("its own text");
    assert_eq!(
        (manual.mesh.size(), &manual.axes[..], &manual.inputs[0].dims[..]),
        (2, &[0, 1][..], &[vec![1], vec![]][..])
    );
    assert_eq!((manual.mesh.device(0), manual.mesh.stride(0), manual.inputs[0].parts(0)), (1, 2, 2));
}

/// What parameters and results lie as is complete without the module.
#[test]
fn interfaces_have_their_meshes() {
    let (_, said) = parse_with_interface(&program(SINE)).expect("it reads");
    let said = said.expect("an entry");
    let sharding =
        text::sharding(Interface::sharding(&said.params[0]).expect("it is said")).expect("it reads");
    assert_eq!(sharding.to_string(), "<mesh<[\"x\"=1, \"y\"=1]>, [{\"x\"}, {}]>");
    assert_eq!(Interface::sharding(&said.results[0]), None);
    for (wrong, part) in [
        ("#sdy.sharding<@one, [{}, {}]>", "mesh `@one` is not defined"),
        ("#sdy.sharding<mesh<[\"x\"=2]>, [{\"y\"}]>", "no mesh here has an axis \"y\""),
        ("#sdy.sharding<mesh<[\"x\"=2]>, [{\"x\"}, {\"x\"}]>", "is there twice"),
        ("#sdy.sharding<mesh<[\"x\"=4]>, [{\"x\":(1)2}]>", "a part of the axis \"x\""),
        ("#sdy.sharding<mesh<[\"x\"=4]>, [{\"x\"}], unreduced={\"x\"}>", "is there twice"),
        ("#sdy.sharding<mesh<[\"x\"=4]>, [{}], unreduced={\"x\"}, reduction=max>", "reduction=sum"),
        ("#sdy.sharding<mesh<[\"x\"=4], device_ids=[0, 1, 2, 2]>, [{}]>", "a mesh of 4 devices"),
        ("#sdy.sharding<mesh<[\"x\"=4]>, [{}]> rest", "more than one"),
        ("", "expected"),
    ] {
        let error = text::sharding(wrong).expect_err(wrong);
        assert!(error.contains(part), "no `{part}` in {error}");
    }
}

/// Terms of sums are said too, and lie as rows.
#[test]
fn sums_lie_in_terms() {
    let text = "<mesh<[\"x\"=2, \"y\"=3, \"z\"=1]>, [{\"y\"}], unreduced={\"z\", \"x\"}>";
    let sharding = text::sharding(text).expect("it reads");
    assert_eq!((sharding.terms(), &sharding.of_terms().dims[..]), (2, &[vec![0], vec![2], vec![1]][..]));
    assert!(sharding.differs_along(0) && !sharding.is_whole());
    assert_eq!(sharding.to_string(), text.replace("{\"z\", \"x\"}", "{\"x\", \"z\"}"));
}

/// A mesh that is named often does not make a text of any length.
#[test]
fn meshes_do_not_multiply() {
    let axes: Vec<String> = (0..2000).map(|k| format!("\"axis{k}\"=1")).collect();
    let params: Vec<String> =
        (0..2000).map(|k| format!("%p{k}: tensor<f32> {{sdy.sharding = #sdy.sharding<@m, []>}}")).collect();
    let text = format!(
        "module {{ sdy.mesh @m = <[{}]> func.func public @main({}) {{ return }} }}",
        axes.join(", "),
        params.join(", ")
    );
    let error = parse_with_interface(&text).map(drop).expect_err("too much").to_string();
    assert!(error.contains("named so often"), "{error}");
}

#[test]
fn several_devices_are_refused() {
    let of = |operation: &str| program(&format!("%0 = {operation}\n return %0 : tensor<2x3xf32>"));
    let body =
        "(%a: tensor<2x3xf32>) { sdy.return %a : tensor<2x3xf32> } : (tensor<2x3xf32>) -> tensor<2x3xf32>";
    let manual = |mesh: &str, axes: &str| {
        of(&format!(
            "sdy.manual_computation(%x) in_shardings=[<@{mesh}, [{{}}, {{}}]>] out_shardings=[<@{mesh}, [{{}}, {{}}]>] manual_axes={{{axes}}} {body}"
        ))
    };
    read(&manual("two", "\"x\""));
    read(&manual("two", "\"x\", \"y\""));
    refused(&manual("one", "\"z\""), &["no mesh here has an axis \"z\""]);
    refused(&manual("two", "\"z\""), &["sdy.manual_computation", "no mesh here has an axis \"z\""]);
    refused(&manual("two", "\"y\", \"y\""), &["is there twice"]);
    refused(&manual("three", "\"x\""), &["mesh `@three` is not defined"]);
    let sum = of("sdy.all_reduce {\"y\"} %x out_sharding=<@two, [{}, {}]> : tensor<2x3xf32>");
    refused(&sum, &["sdy.all_reduce", "2 devices", "several devices are not supported"]);
    refused(
        &of("sdy.sharding_constraint %x <@three, [{}, {}]> : tensor<2x3xf32>"),
        &["mesh `@three` is not defined"],
    );
    refused(
        &of("sdy.reshard %x <@one, [{}, {}]> : tensor<3x2xf32>"),
        &["tensor<2x3xf32>, used here as tensor<3x2xf32>"],
    );
    refused(&of("sdy.teleport %x : tensor<2x3xf32>"), &["sdy.teleport"]);
    refused(&of("\"sdy.teleport\"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>"), &["sdy.teleport"]);
    let parts = "stablehlo.custom_call @SPMDFullToShardShape(%x) : (tensor<2x3xf32>) -> tensor<1x3xf32>";
    refused(&of(parts), &["SPMDFullToShardShape", "several devices are not supported"]);
    refused("module { sdy.mesh @m = <[]> sdy.mesh @m = <[]> }", &["mesh `@m` is defined twice"]);
}

/// Modules that `jax.export` made hold a mesh behind the functions that name it.
#[test]
fn meshes_may_stand_below() {
    let f = "func.func public @main(%x: tensor<4xui32>) -> tensor<4xui32> {
        %0 = sdy.sharding_constraint %x <@empty_mesh, [{}]> : tensor<4xui32>
        return %0 : tensor<4xui32>
      }";
    for mesh in [
        "sdy.mesh @empty_mesh = <[]> {sym_visibility = \"private\"}",
        "\"sdy.mesh\"() <{mesh = #sdy.mesh<[]>, sym_name = \"empty_mesh\"}> : () -> ()",
    ] {
        assert!(same(&read(&format!("module {{ {f} {mesh} }}")), &read(&format!("module {{ {mesh} {f} }}"))));
    }
    refused(&format!("module {{ {f} sdy.mesh @empty_mesh }}"), &["mesh `@empty_mesh` is not defined"]);
}

/// What JAX prints of one module for people and in generic form.
#[test]
fn generic_modules_are_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/jax");
    for case in ["shard_map", "typed_key"] {
        let text = |suffix: &str| {
            std::fs::read_to_string(folder.join(format!("{case}{suffix}.mlir")))
                .expect("a program of the folder")
        };
        let (pretty, generic) = (read(&text("")), read(&text(".generic")));
        assert!(same(&pretty, &generic), "{pretty}\ninstead of\n{generic}");
        assert_eq!(pretty.name, generic.name);
    }
}

#[test]
fn functions_in_generic_form() {
    let body = "({
      ^bb0(%a: tensor<f32> loc(\"w\"), %b: tensor<f32>):
        %0 = \"func.call\"(%a) <{callee = @g}> : (tensor<f32>) -> tensor<f32>
        \"func.return\"(%0, %b) : (tensor<f32>, tensor<f32>) -> ()
      })";
    let attributes =
        "function_type = (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>), sym_name = \"main\"";
    let other = "\"func.func\"() <{function_type = (tensor<f32>) -> tensor<f32>, sym_name = \"g\", sym_visibility = \"private\"}> ({
      ^bb0(%a: tensor<f32>):
        \"func.return\"(%a) : (tensor<f32>) -> ()
      }) : () -> () loc(unknown)";
    // With properties, and as MLIR wrote it before it had some.
    for main in [
        format!("\"func.func\"() <{{{attributes}}}> {body} : () -> ()"),
        format!("\"func.func\"() {body} {{{attributes}}} : () -> ()"),
    ] {
        let source = format!(
            "\"builtin.module\"() ({{\n{main}\n{other}\n}}) {{sym_name = \"m\", wengert.float_mode = \"exact\"}} : () -> ()\n"
        );
        let m = read(&source);
        assert_eq!(m.name, "m");
        assert_eq!(m.mode, wengert_ir::types::FloatMode::Exact);
        let f = m.get(m.find("main").expect("there"));
        assert_eq!((f.kind, f.param_names[0].as_str(), f.results.len()), (FuncKind::Public, "w", 2));
        assert_eq!(m.get(m.find("g").expect("there")).kind, FuncKind::Private);
        assert!(same(&m, &read(&m.to_string())));
        for end in 0..source.len() {
            let _ = parse(&source[..end]); // an error, no panic
        }
    }
    let wrong = |from: &str, to: &str, parts: &[&str]| {
        let main = format!("\"func.func\"() <{{{attributes}}}> {body} : () -> ()").replace(from, to);
        refused(&format!("\"builtin.module\"() ({{\n{main}\n{other}\n}}) : () -> ()"), parts);
    };
    wrong("sym_name = \"main\"", "unit", &["sym_name"]);
    wrong("(tensor<f32>, tensor<f32>) -> (tensor", "(tensor<f32>) -> (tensor", &["@main"]);
    wrong("-> (tensor<f32>, tensor<f32>)", "-> tensor<f32>", &["@main"]);
}

#[test]
fn reduced_dimensions_come_in_any_order() {
    let pretty = |dims: &str| {
        read(&format!(
            "func.func @main(%x: tensor<2x3x4xf32>, %c: tensor<f32>) -> tensor<3xf32> {{
              %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [{dims}] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<3xf32>
              return %0 : tensor<3xf32>
            }}"
        ))
    };
    let generic = read(
        "func.func @main(%x: tensor<2x3x4xf32>, %c: tensor<f32>) -> tensor<3xf32> {
          %0 = \"stablehlo.reduce\"(%x, %c) <{dimensions = array<i64: 2, 0>}> ({
          ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %1 = stablehlo.add %a, %b : tensor<f32>
            stablehlo.return %1 : tensor<f32>
          }) : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<3xf32>
          return %0 : tensor<3xf32>
        }",
    );
    let want = pretty("0, 2");
    assert!(same(&pretty("2, 0"), &want) && same(&generic, &want));
    let twice = "func.func @main(%x: tensor<2x3xf32>, %c: tensor<f32>) -> tensor<3xf32> {
        %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
        return %0 : tensor<3xf32>
      }";
    refused(twice, &["C5", "unique"]);
}
