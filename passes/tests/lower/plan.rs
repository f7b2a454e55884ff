//! Plans as text: what they say of a program that is known, and that they are orders of the program's values.

use crate::corpus::cases;
use wengert_ir::func::{FuncId, Module};
use wengert_passes::lower::{LowerError, Options, lower_with_stats, plan_text};
use wengert_passes::pipeline::{DEFAULT, Pipeline};

pub(crate) fn optimized(text: &str) -> Option<(Module, FuncId)> {
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

/// The kernels of a program's plan.
pub(crate) fn kernels(text: &str) -> usize {
    let (m, main) = optimized(text).expect("a program");
    plan(&m, main).expect("a plan").matches("  kernel ").count()
}

/// The largest of each element and its two neighbours, so often, one after the other.
fn pools(times: usize) -> String {
    let ty = "tensor<4000xf32>";
    let mut body = String::new();
    for k in 0..times {
        body += &format!(
            "%p{k} = stablehlo.pad %v{k}, %m, low = [1], high = [1], interior = [0] : ({ty}, tensor<f32>) -> tensor<4002xf32>
             %a{k} = stablehlo.slice %p{k} [0:4000] : (tensor<4002xf32>) -> {ty}
             %b{k} = stablehlo.slice %p{k} [2:4002] : (tensor<4002xf32>) -> {ty}
             %c{k} = stablehlo.maximum %a{k}, %v{k} : {ty}
             %d{k} = stablehlo.maximum %c{k}, %b{k} : {ty}
             %v{} = stablehlo.multiply %d{k}, %d{k} : {ty}
            ",
            k + 1
        );
    }
    format!(
        "func.func @main(%v0: {ty}) -> {ty} {{
            %m = stablehlo.constant dense<0xFF800000> : tensor<f32>
            {body} return %v{times} : {ty}
        }}"
    )
}

/// What a stencil reads at several distances is not computed at each of them: work grows with the number of stencils, not with its
/// power.
#[test]
fn a_stencil_of_a_stencil_is_stored() {
    assert_eq!([1, 2, 5].map(|times| kernels(&pools(times))), [1, 2, 5]);
}

/// Parts that have no element in common are no reason to store what they are parts of.
#[test]
fn disjoint_parts_of_a_value_are_computed_where_they_are_read() {
    let text = "func.func @main(%x: tensor<4000xf32>, %y: tensor<4000xf32>) -> tensor<2000xf32> {
        %0 = stablehlo.multiply %x, %y : tensor<4000xf32>
        %1 = stablehlo.divide %0, %y : tensor<4000xf32>
        %2 = stablehlo.add %1, %x : tensor<4000xf32>
        %3 = stablehlo.slice %2 [0:4000:2] : (tensor<4000xf32>) -> tensor<2000xf32>
        %4 = stablehlo.slice %2 [1:4000:2] : (tensor<4000xf32>) -> tensor<2000xf32>
        %5 = stablehlo.maximum %3, %4 : tensor<2000xf32>
        return %5 : tensor<2000xf32>
    }";
    assert_eq!(kernels(text), 1);
}

/// What is read at one place by ways that say it differently is computed there once.
#[test]
fn one_place_is_one_place_however_it_is_reached() {
    for by in 1..4 {
        let rest = 4000 - by;
        let text = format!(
            "func.func @main(%x: tensor<4000xf32>, %y: tensor<4000xf32>, %e: tensor<{by}xf32>, %z: tensor<f32>) -> tensor<4000xf32> {{
               %0 = stablehlo.multiply %x, %y : tensor<4000xf32>
               %1 = stablehlo.divide %0, %y : tensor<4000xf32>
               %2 = stablehlo.add %1, %x : tensor<4000xf32>
               %3 = stablehlo.pad %2, %z, low = [-{by}], high = [{by}], interior = [0] : (tensor<4000xf32>, tensor<f32>) -> tensor<4000xf32>
               %4 = stablehlo.slice %2 [{by}:4000] : (tensor<4000xf32>) -> tensor<{rest}xf32>
               %5 = stablehlo.concatenate %4, %e, dim = 0 : (tensor<{rest}xf32>, tensor<{by}xf32>) -> tensor<4000xf32>
               %6 = stablehlo.maximum %3, %5 : tensor<4000xf32>
               return %6 : tensor<4000xf32>
             }}"
        );
        assert_eq!(kernels(&text), 1, "{text}");
    }
}

/// The loop of a scatter is scalar: updates that are long to compute are made by vectors before it, short ones in it.
#[test]
fn long_updates_are_made_before_they_are_scattered() {
    let scattered = |update: &str| {
        format!(
            "func.func @main(%x: tensor<100x3xf32>, %i: tensor<900x1xi32>, %u: tensor<900x3xf32>) -> tensor<100x3xf32> {{
                {update}
                %r = \"stablehlo.scatter\"(%x, %i, %w) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
                    inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{
                  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
                    %s = stablehlo.add %a, %b : tensor<f32>
                    stablehlo.return %s : tensor<f32>
                }}) : (tensor<100x3xf32>, tensor<900x1xi32>, tensor<900x3xf32>) -> tensor<100x3xf32>
                return %r : tensor<100x3xf32>
            }}"
        )
    };
    let ty = "tensor<900x3xf32>";
    let short = format!("%w = stablehlo.negate %u : {ty}");
    let long = format!(
        "%0 = stablehlo.exponential %u : {ty}
         %1 = stablehlo.multiply %0, %u : {ty}
         %w = stablehlo.divide %1, %0 : {ty}"
    );
    assert_eq!(kernels(&scattered(&long)), kernels(&scattered(&short)) + 1);
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
