//! Plans as text: what they say of a program that is known, and that they are orders of the program's values.

use crate::corpus::cases;
use wengert_ir::func::{FuncId, Module};
use wengert_passes::lower::{LowerError, Options, lower_with_stats, plan_text};
use wengert_passes::pipeline::{DEFAULT, Pipeline};

fn optimized(text: &str) -> Option<(Module, FuncId)> {
    let mut m = wengert_ir::text::parse(text).ok()?;
    let main = m.find("main")?;
    let main = Pipeline::parse(DEFAULT).expect("passes of the table").run(&mut m, main, &mut |_| {});
    Some((m, main))
}

fn plan(m: &Module, func: FuncId) -> Result<String, LowerError> {
    let options = Options::default();
    let (_, stats) = lower_with_stats(m, func, &options)?;
    Ok(plan_text(m, func, options.target, &stats))
}

#[test]
fn a_softmax_is_one_loop_over_rows() {
    let (m, main) = optimized(
        "func.func @main(%x: tensor<64x1000xf32>) -> tensor<64x1000xf32> {
            %m = stablehlo.constant dense<0xFF800000> : tensor<f32>
            %z = stablehlo.constant dense<0.0> : tensor<f32>
            %0 = stablehlo.reduce(%x init: %m) applies stablehlo.maximum across dimensions = [1] :
                (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
            %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<64xf32>) -> tensor<64x1000xf32>
            %2 = stablehlo.subtract %x, %1 : tensor<64x1000xf32>
            %3 = stablehlo.exponential %2 : tensor<64x1000xf32>
            %4 = stablehlo.reduce(%3 init: %z) applies stablehlo.add across dimensions = [1] :
                (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
            %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<64xf32>) -> tensor<64x1000xf32>
            %6 = stablehlo.divide %3, %5 : tensor<64x1000xf32>
            return %6 : tensor<64x1000xf32>
        }",
    )
    .expect("a program");
    insta::assert_snapshot!(plan(&m, main).expect("a plan"));
}

/// In every plan of the corpus, what an instruction reads was computed before or is computed inside it, and each value is
/// computed by one instruction of the plan.
/// What is only seen in another shape is made where it is wanted.
#[test]
fn a_reshaped_result_has_the_memory_of_what_is_reshaped() {
    let ops = [
        "%1 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<600x7xf64>, tensor<f64>) -> tensor<600xf64>",
        "%1 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<600x7xf64>, tensor<7xf64>) -> tensor<600xf64>",
    ];
    for op in ops {
        let m = wengert_ir::text::parse(&format!(
            "func.func public @main(%x: tensor<600x7xf64>, %w: tensor<7xf64>) -> tensor<30x20xf64> {{
               %z = stablehlo.constant dense<0.0> : tensor<f64>
               {op}
               %2 = stablehlo.reshape %1 : (tensor<600xf64>) -> tensor<30x20xf64>
               return %2 : tensor<30x20xf64>
             }}"
        ))
        .unwrap_or_else(|e| panic!("{e}"));
        let f = m.find("main").expect("is there");
        let (program, stats) = lower_with_stats(&m, f, &Options::default()).expect("plain operations");
        assert_eq!(stats.scratch, 0, "{program}");
        let copies = program.to_string().matches("memref.store").count();
        assert!(copies <= 1, "{program}");
    }
}

#[test]
fn plans_compute_before_they_read() {
    let mut plans = 0;
    for dir in cases() {
        let name = dir.file_name().expect("a name").to_string_lossy().into_owned();
        let Ok(text) = std::fs::read_to_string(dir.join("program.mlir")) else { continue };
        let Some((m, main)) = optimized(&text) else { continue };
        let Ok(plan) = plan(&m, main) else { continue };
        let mut known: Vec<String> = Vec::new();
        for line in plan.lines().map(str::trim) {
            if let Some((_, params)) = line.strip_prefix("plan ").and_then(|l| l.split_once('(')) {
                plans += 1;
                known = params.split('%').skip(1).filter_map(|p| p.split(':').next()).map(named).collect();
            } else if let Some((results, rest)) = line.split_once(" = ") {
                let (operation, inside) = rest.split_once(", inside ").unwrap_or((rest, ""));
                let operation = operation.split(" : ").next().unwrap_or_default();
                let inside: Vec<String> = values(inside).collect();
                for read in values(operation) {
                    assert!(known.contains(&read) || inside.contains(&read), "{name}: {read} in `{line}`");
                }
                for made in values(results) {
                    assert!(!known.contains(&made), "{name}: {made} again in `{line}`");
                    known.push(made);
                }
            }
        }
    }
    assert!(plans > 100, "{plans} plans");
}

fn named(text: &str) -> String {
    format!("%{}", text.trim())
}

/// The names of values in a text.
fn values(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split('%').skip(1).map(|v| named(v.split([',', ' ']).next().unwrap_or_default()))
}
