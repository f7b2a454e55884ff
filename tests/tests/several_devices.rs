//! Programs that JAX writes for several devices (`devices/`, made by its `generate.py`): on one machine they give what JAX's eight devices
//! give, compiled, interpreted and differentiated. And what is refused of them.

use std::path::{Path, PathBuf};
use wengert::Tensor;
use wengert::stages::Traced;
use wengert_ir::npy;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("devices")
}

/// The arrays of a program, in order: `in` or `out`.
fn arrays(name: &str, kind: &str) -> Vec<Tensor> {
    let read = |k: usize| std::fs::read(folder().join(format!("{name}.{kind}{k}.npy"))).ok();
    (0..).map_while(read).map(|bytes| Tensor::from(npy::parse(&bytes).expect("an array"))).collect()
}

fn source(name: &str) -> String {
    std::fs::read_to_string(folder().join(format!("{name}.mlir"))).expect("a program")
}

fn numbers(x: &Tensor) -> Vec<f64> {
    match x.dtype() {
        wengert::DType::I1 => x.to_vec::<bool>().into_iter().map(|b| b as u8 as f64).collect(),
        _ => x.astype(wengert::DType::F64).to_vec(),
    }
}

#[track_caller]
fn assert_near(found: &[Tensor], expected: &[Tensor], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (k, (a, b)) in found.iter().zip(expected).enumerate() {
        assert_eq!(a.ty(), b.ty(), "{what}: result {k}");
        for (a, b) in numbers(a).into_iter().zip(numbers(b)) {
            assert!((a - b).abs() <= 2e-5 * (1.0 + b.abs()), "{what}: result {k}: {a} in place of {b}");
        }
    }
}

#[test]
fn they_give_what_jax_gives() {
    let mut names: Vec<String> = std::fs::read_dir(folder())
        .expect("the folder")
        .filter_map(|entry| {
            Some(entry.ok()?.file_name().into_string().ok()?.strip_suffix(".mlir")?.to_owned())
        })
        .collect();
    names.sort();
    assert!(names.len() >= 12, "{names:?}");
    for name in names {
        let program = Traced::parse(source(&name), None).unwrap_or_else(|e| panic!("{name}: {e}"));
        let (args, expected) = (arrays(&name, "in"), arrays(&name, "out"));
        assert_near(&program.interpret(&args).expect("it runs"), &expected, &format!("{name}, interpreted"));
        let lowered = program.lower().unwrap_or_else(|e| panic!("{name}: {e}"));
        let compiled = lowered.compile().unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_near(&compiled.call(&args).expect("it runs"), &expected, &name);
        // What it was written as is printed, read and means the same again.
        let read = Traced::read(source(&name), None).expect("it reads").text(false);
        assert!(read.contains("sdy.manual_computation"), "{read}");
        let again = Traced::parse(&read, None).unwrap_or_else(|e| panic!("{name}: {e}\n{read}"));
        assert_eq!(again.text(false), program.text(false), "{name}");
        assert_eq!(Traced::read(&read, None).expect("it reads").text(false), read, "{name}");
    }
}

/// A gradient of the whole is that of the sum of what all devices give.
#[test]
fn they_are_differentiated() {
    for name in ["sums", "rings", "scattered", "exchanges", "backwards"] {
        let program = Traced::parse(source(name), None).expect("it reads");
        let args = arrays(name, "in");
        let cotangent = &arrays(name, "out")[0];
        let vjp = program.vjp(&[0], &[0]).unwrap_or_else(|e| panic!("{name}: {e}"));
        let found = vjp.interpret(&[args[0].clone(), cotangent.clone()]).expect("it runs");
        let jvp = program.jvp(&[0]).unwrap_or_else(|e| panic!("{name}: {e}"));
        let tangent = args[0].cos();
        let along = jvp.interpret(&[args[0].clone(), tangent.clone()]).expect("it runs");
        let dot = |a: &Tensor, b: &Tensor| -> f64 {
            numbers(a).into_iter().zip(numbers(b)).map(|(a, b)| a * b).sum()
        };
        let (a, b) = (dot(&found[1], &tangent), dot(&along[1], cotangent));
        assert!((a - b).abs() <= 1e-4 * (1.0 + a.abs()), "{name}: {a} and {b}");
    }
}

/// Functions that call each other, each the next one twice, and one that is called through many: neither time nor stack.
#[test]
fn calls_do_not_multiply() {
    let program = |depth: usize, calls: usize| {
        let mut text = String::from("module { sdy.mesh @m = <[\"x\"=2]>\n");
        for k in 0..depth {
            let called: String = (0..calls)
                .map(|c| {
                    let x = if c == 0 { "%x".to_owned() } else { format!("%{}", c - 1) };
                    format!("%{c} = func.call @f{}({x}) : (tensor<2xf32>) -> tensor<2xf32>\n", k + 1)
                })
                .collect();
            let (kind, name) =
                if k == 0 { ("public", "main".to_owned()) } else { ("private", format!("f{k}")) };
            let last = calls - 1;
            text += &format!(
                "func.func {kind} @{name}(%x: tensor<2xf32>) -> tensor<2xf32> {{\n{called}return %{last} : tensor<2xf32>\n}}\n"
            );
        }
        text + &format!(
            "func.func private @f{depth}(%x: tensor<2xf32>) -> tensor<2xf32> {{
              %0 = sdy.manual_computation(%x) in_shardings=[<@m, [{{\"x\"}}]>] out_shardings=[<@m, [{{\"x\"}}]>] manual_axes={{\"x\"}} (%a: tensor<1xf32>) {{
                %1 = stablehlo.negate %a : tensor<1xf32>
                sdy.return %1 : tensor<1xf32>
              }} : (tensor<2xf32>) -> tensor<2xf32>
              return %0 : tensor<2xf32>
            }} }}"
        )
    };
    let deep = Traced::parse(program(3001, 1), None).expect("a chain").lower().expect("it is inlined");
    let y = deep.compile().expect("it compiles").call(&[Tensor::from([1.0f32, 2.0])]).expect("it runs");
    assert_eq!(y[0].to_vec::<f32>(), [-1.0, -2.0]);
    let error = Traced::parse(program(40, 2), None).err().expect("too many instructions").to_string();
    assert!(error.contains("stands for"), "{error}");
}

#[test]
fn what_does_not_fit_is_refused() {
    let refused = |from: &str, to: &str, parts: &[&str]| {
        let text = source("sums").replace(from, to);
        assert_ne!(text, source("sums"), "{from}");
        let error = Traced::parse(&text, None).err().unwrap_or_else(|| panic!("{to} is taken")).to_string();
        for part in parts {
            assert!(error.contains(part), "no {part:?} in {error}");
        }
    };
    let groups = "[[0, 1, 2, 3], [4, 5, 6, 7]]";
    refused(
        "<[\"x\"=2, \"y\"=4]>",
        "<[\"x\"=4, \"y\"=2]>",
        &["sdy.manual_computation", "is not the part of"],
    );
    refused("<[\"x\"=2, \"y\"=4]>", "<[\"x\"=2, \"z\"=4]>", &["no mesh here has an axis \"y\""]);
    refused("manual_axes={\"x\", \"y\"}", "manual_axes={\"x\"}", &["which is none of its axes"]);
    refused("manual_axes={\"x\", \"y\"}", "manual_axes={\"x\", \"x\"}", &["is there twice"]);
    refused(groups, "[[0, 1, 2, 3], [4, 5, 6, 6]]", &["stablehlo.all_reduce", "in two groups"]);
    // In a computation on a mesh another one on a mesh whose axis of the same name is longer.
    let inner = |size: usize| {
        format!(
            "func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {{
              %0 = sdy.manual_computation(%x) in_shardings=[<mesh<[\"x\"=2]>, [{{\"x\"}}, {{}}]>] out_shardings=[<mesh<[\"x\"=2]>, [{{\"x\"}}, {{}}]>] manual_axes={{\"x\"}} (%a: tensor<2x4xf32>) {{
                %1 = sdy.manual_computation(%a) in_shardings=[<mesh<[\"x\"={size}, \"y\"=2]>, [{{}}, {{\"y\"}}]>] out_shardings=[<mesh<[\"x\"={size}, \"y\"=2]>, [{{}}, {{\"y\"}}]>] manual_axes={{\"y\"}} (%b: tensor<2x2xf32>) {{
                  sdy.return %b : tensor<2x2xf32>
                }} : (tensor<2x4xf32>) -> tensor<2x4xf32>
                sdy.return %1 : tensor<2x4xf32>
              }} : (tensor<4x4xf32>) -> tensor<4x4xf32>
              return %0 : tensor<4x4xf32>
            }}"
        )
    };
    assert!(Traced::parse(inner(2), None).is_ok());
    let error = Traced::parse(inner(3), None).err().expect("another size").to_string();
    assert!(error.contains("an axis \"x\" of another size"), "{error}");
    let outside = "func.func @main(%x: tensor<2xf32>) -> tensor<4xf32> {
        %0 = \"stablehlo.all_gather\"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
        return %0 : tensor<4xf32>
      }";
    let program = Traced::parse(outside, None).expect("it reads");
    let error = program.lower().err().expect("nobody answers").to_string();
    assert!(error.contains("stablehlo.all_gather"), "{error}");
}
