//! `bench --profile` and `explain` name the slow parts of a program.

use std::path::PathBuf;
use std::process::{Command, Output};

/// A map over a long vector, a product, a sort that the interpreter runs, and a scatter that no vector has.
const PROGRAM: &str = r#"func.func @main(%x: tensor<64x64xf32>, %i: tensor<4096x1xi32>) -> (tensor<64x64xf32>, tensor<4096xf32>) {
  %0 = stablehlo.exponential %x : tensor<64x64xf32>
  %1 = stablehlo.dot_general %0, %x, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = stablehlo.reshape %1 : (tensor<64x64xf32>) -> tensor<4096xf32>
  %3 = "stablehlo.sort"(%2) <{dimension = 0 : i64}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
  }) : (tensor<4096xf32>) -> tensor<4096xf32>
  %4 = "stablehlo.scatter"(%2, %i, %3) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }) : (tensor<4096xf32>, tensor<4096x1xi32>, tensor<4096xf32>) -> tensor<4096xf32>
  return %1, %4 : tensor<64x64xf32>, tensor<4096xf32>
}"#;

fn wengert(name: &str, words: &[&str]) -> (String, Output) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    let program = folder.join("p.mlir");
    std::fs::write(&program, PROGRAM).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_wengert"));
    command.arg(words[0]).arg(&program).args(&words[1..]).env("WENGERT_THREADS", "1");
    let out = command.output().expect("the command starts");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    (String::from_utf8(out.stdout.clone()).expect("text"), out)
}

/// The line of a table that has all of these.
fn line<'t>(table: &'t str, parts: &[&str]) -> &'t str {
    let found = table.lines().find(|l| parts.iter().all(|p| l.contains(p)));
    found.unwrap_or_else(|| panic!("no line with {parts:?}:\n{table}"))
}

#[test]
fn a_profile_names_each_kernel_and_where_it_comes_from() {
    let (table, _) = wengert("profile", &["bench", "--profile", "--seconds", "0.02"]);
    line(&table, &["call ", "least of "]);
    line(&table, &["exponential", "p.mlir\":2:"]);
    // 64 x 64 x 64 multiply-adds, three matrices of 16 KiB.
    line(&table, &["product", "dot_general", "p.mlir\":3:", "524k", " 49k"]);
    line(&table, &["interpreter", "sort"]);
    line(&table, &["the interpreter runs stablehlo.sort"]);
    line(&table, &["scatter"]);
}

#[test]
fn a_profile_is_json_too() {
    let (text, _) = wengert("profile-json", &["bench", "--profile", "--json", "--seconds", "0.02"]);
    let json: serde_json::Value = serde_json::from_str(&text).expect("an object");
    let kernels = json["kernels"].as_array().expect("a list");
    let product = kernels.iter().find(|k| k["kind"] == "product").expect("there is one");
    assert_eq!((product["flops"].as_u64(), product["written"].as_u64()), (Some(524_288), Some(16_384)));
    assert_eq!(product["runs"], 1);
    assert!(product["time_us"].as_f64() > Some(0.0) && product["estimate_us"].as_f64() > Some(0.0));
}

#[test]
fn explain_says_what_is_slow_without_running() {
    let (text, _) = wengert("explain-kernels", &["explain"]);
    line(&text, &["kernels, by estimate"]);
    line(&text, &["the interpreter runs stablehlo.sort"]);
    line(&text, &["dot_general", "p.mlir\":3:"]);
}

#[test]
fn bench_runs_on_numbers_of_its_own_without_eager_calls() {
    let (text, _) = wengert("bench-min", &["bench", "--min", "--no-eager", "--json", "--seconds", "0.01"]);
    let json: serde_json::Value = serde_json::from_str(&text).expect("an object");
    assert!(json["call_us"].as_f64() > Some(0.0) && json["eager_us"].is_null(), "{json}");
}
