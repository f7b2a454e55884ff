//! What has an effect stays, once and in its place, through every pass: in functions, branches and loops, whether or not its
//! results are used; and code that cannot have the effect is not made.

use wengert_ir::func::{FuncId, Module};
use wengert_ir::op::Op;
use wengert_ir::text;
use wengert_passes::ad;
use wengert_passes::lower::{Options, lower};
use wengert_passes::pipeline::{DEFAULT, PASSES, Pipeline};

fn parse(source: &str) -> (Module, FuncId) {
    let m = text::parse(source).unwrap_or_else(|e| panic!("{e}\n{source}"));
    let f = m.find("main").expect("a function `main`");
    (m, f)
}

/// The targets of custom calls that `f` runs, in order.
fn calls(m: &Module, f: FuncId) -> Vec<String> {
    let mut out = Vec::new();
    for inst in m.get(f).insts.values() {
        if let Op::CustomCall(call) = &inst.op {
            out.push(call.target.to_string());
        }
        out.extend(inst.op.callees().into_iter().flat_map(|c| calls(m, c)));
    }
    out
}

/// A call that nobody needs but for what it does.
fn call(name: &str, of: &str) -> String {
    format!("stablehlo.custom_call @{name}({of}) {{has_side_effect = true}} : (tensor<f32>) -> ()")
}

/// Programs and the calls they make, each once, as they are written.
fn programs() -> Vec<(String, Vec<&'static str>)> {
    let straight = format!(
        "func.func public @main(%x: tensor<f32>) -> tensor<f32> {{
          %y = stablehlo.sine %x : tensor<f32>
          {} {} {}
          %z = stablehlo.custom_call @d(%x) {{has_side_effect = true}} : (tensor<f32>) -> tensor<f32>
          return %x : tensor<f32>
        }}",
        call("a", "%x"),
        call("b", "%y"),
        call("a", "%x"),
    );
    // Branches and calls whose results nobody reads, two of them equal.
    let branch = format!(
        "\"stablehlo.case\"(%i) ({{ {} stablehlo.return %x : tensor<f32> }}, {{ stablehlo.return %x : tensor<f32> }}) : (tensor<i32>) -> tensor<f32>",
        call("a", "%x")
    );
    let branches = format!(
        "func.func public @main(%x: tensor<f32>, %i: tensor<i32>) -> tensor<f32> {{
          %0 = {branch}
          %1 = {branch}
          %2 = call @f(%x) : (tensor<f32>) -> tensor<f32>
          return %x : tensor<f32>
        }}
        func.func private @f(%x: tensor<f32>) -> tensor<f32> {{
          {}
          %0 = stablehlo.sine %x : tensor<f32>
          return %0 : tensor<f32>
        }}",
        call("b", "%x"),
    );
    // Loops: in the body of one whose results nobody reads, and in the condition of a counted one.
    let looped = |cond: &str, body: &str, result: &str| {
        format!(
            "func.func public @main(%x: tensor<f32>) -> tensor<f32> {{
              %n = stablehlo.constant dense<0> : tensor<i32>
              %r:2 = stablehlo.while(%i = %n, %y = %x) : tensor<i32>, tensor<f32>
              cond {{
                {cond}
                %limit = stablehlo.constant dense<3> : tensor<i32>
                %c = stablehlo.compare LT, %i, %limit, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
                stablehlo.return %c : tensor<i1>
              }} do {{
                {body}
                %one = stablehlo.constant dense<1> : tensor<i32>
                %next = stablehlo.add %i, %one : tensor<i32>
                %s = stablehlo.sine %y : tensor<f32>
                stablehlo.return %next, %s : tensor<i32>, tensor<f32>
              }}
              return {result} : tensor<f32>
            }}"
        )
    };
    vec![
        (straight, vec!["a", "b", "a", "d"]),
        (branches, vec!["a", "a", "b"]),
        (looped("", &call("a", "%x"), "%x"), vec!["a"]),
        (looped("", &call("a", "%y"), "%r#1"), vec!["a"]),
        (looped(&call("a", "%y"), "", "%r#1"), vec!["a"]),
        (looped(&call("a", "%y"), "", "%x"), vec!["a"]),
    ]
}

#[test]
fn passes_keep_effects() {
    for (source, want) in programs() {
        let pipelines = PASSES.iter().map(|p| p.name).chain([
            DEFAULT,
            "inline,simplify,dce,simplify",
            "raise,hoist,simplify",
        ]);
        for pipeline in pipelines {
            let (mut m, f) = parse(&source);
            let g = Pipeline::parse(pipeline).expect("passes").run(&mut m, f, &mut |_| {});
            assert_eq!(calls(&m, g), want, "{pipeline}\n{}", m.reachable(&[g]).0);
        }
    }
}

#[test]
fn derivatives_keep_effects() {
    for (source, want) in programs() {
        let (mut m, f) = parse(&source);
        let active: Vec<bool> = m.get(f).param_types().iter().map(|t| t.tensor().dtype.is_float()).collect();
        for g in [
            ad::jvp(&mut m, f, &active).unwrap_or_else(|e| panic!("{e}")),
            ad::value_and_grad(&mut m, f, &active, 0).unwrap_or_else(|e| panic!("{e}")),
        ] {
            assert_eq!(calls(&m, g), want, "{}", m.reachable(&[g]).0);
        }
    }
}

/// An optimized program has the effects in the order of the text, whatever its order of least memory is.
#[test]
fn effects_keep_their_order() {
    let mut body = String::new();
    for k in 0..6 {
        body.push_str(&format!(
            "%b{k} = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<{n}xf32>
             %e{k} = stablehlo.sine %b{k} : tensor<{n}xf32>
             stablehlo.custom_call @c{k}(%e{k}) {{has_side_effect = true}} : (tensor<{n}xf32>) -> ()\n",
            n = 1000 * (7 - k)
        ));
    }
    let source = format!(
        "func.func public @main(%x: tensor<f32>) -> tensor<f32> {{ {body} return %x : tensor<f32> }}"
    );
    let (mut m, f) = parse(&source);
    let g = Pipeline::default().run(&mut m, f, &mut |_| {});
    assert_eq!(calls(&m, g), ["c0", "c1", "c2", "c3", "c4", "c5"]);
}

#[test]
fn code_without_the_effect_is_not_made() {
    for (source, _) in programs() {
        let (mut m, f) = parse(&source);
        let g = Pipeline::default().run(&mut m, f, &mut |_| {});
        let error = lower(&m, g, &Options::default()).expect_err("an effect").to_string();
        assert!(error.contains("side effect") && error.contains("custom_call"), "{error}");
    }
}

#[test]
fn effects_survive_printing() {
    for (source, want) in programs() {
        let (m, _) = parse(&source);
        let again = text::parse(&m.to_string()).unwrap_or_else(|e| panic!("{e}\n{m}"));
        assert!(text::same(&m, &again), "{m}");
        let f = again.find("main").expect("a function `main`");
        assert_eq!(calls(&again, f), want);
    }
    // A routine of LAPACK that does more than its results say is not that routine.
    let source = "func.func public @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
        %0:2 = stablehlo.custom_call @Qr(%x) {has_side_effect = true} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>)
        return %x : tensor<2x2xf32>
      }";
    let (m, f) = parse(source);
    assert!(m.has_effects(f));
    assert_eq!(calls(&m, f), ["Qr"]);
}
