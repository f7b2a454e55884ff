//! The wrong programs of StableHLO's own tests are refused. Says so and passes where those tests are not at hand:
//! `STABLEHLO_TESTS` names the folder `stablehlo/tests` of its sources.

use std::path::{Path, PathBuf};
use wengert_ir::testing::skip;
use wengert_ir::text::parse;
use wengert_ir::verify::verify;

/// Quantized numbers and sizes that are known at run time only are read without a look at what they promise.
fn is_static(program: &str) -> bool {
    let code = program.lines().map(|line| line.split("//").next().unwrap_or_default());
    !code
        .flat_map(|line| [line.contains('?'), line.contains("!quant."), line.contains("#stablehlo.bounds")])
        .any(|found| found)
}

/// Wrong programs that are accepted: operations of the dialect in which StableHLO tests its interpreter, tuples in
/// aliases and layouts, and meshes.
const ACCEPTED: usize = 12;

#[test]
fn wrong_programs_are_refused() {
    let Some(folder) = std::env::var_os("STABLEHLO_TESTS") else {
        return skip("stablehlo-tests", "STABLEHLO_TESTS is not set");
    };
    let entries = std::fs::read_dir(Path::new(&folder)).expect("the folder of tests");
    let mut files: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "mlir"));
    files.sort();
    let (mut refused, mut accepted) = (0, Vec::new());
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a text");
        for (k, program) in text.split("// -----").enumerate() {
            if !program.contains("expected-error") || !is_static(program) {
                continue;
            }
            match parse(program)
                .map_err(|e| e.to_string())
                .and_then(|m| verify(&m).map_err(|e| e[0].to_string()))
            {
                Err(_) => refused += 1,
                Ok(()) => accepted.push(format!("{}, program {k}", path.display())),
            }
        }
    }
    let listed = accepted.join("\n");
    assert!(refused > 0 && accepted.len() <= ACCEPTED, "{refused} refused, accepted:\n{listed}");
}
