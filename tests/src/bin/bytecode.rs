//! Reads bytecode beside text of the same programs and says whether both are the same: `bytecode read FOLDER`, where
//! `FOLDER/NAME.mlirbc` stands beside `FOLDER/NAME.mlir`. What the scripts that ask jaxlib run.

use std::path::Path;
use std::process::ExitCode;
use wengert_ir::bytecode;
use wengert_ir::text::{parse, same};

/// Why a file and its text differ, or why both are refused.
fn compare(path: &Path) -> Result<bool, String> {
    let bytes = std::fs::read(path).map_err(|e| e.to_string())?;
    let text = std::fs::read_to_string(path.with_extension("mlir")).map_err(|e| e.to_string())?;
    match (bytecode::read(&bytes), parse(&text)) {
        (Ok(a), Ok(b)) if same(&a, &b) => Ok(true),
        (Ok(a), Ok(b)) => Err(format!("differs\n--- bytecode\n{a}\n--- text\n{b}")),
        (Err(e), Err(f)) if e.message == f.message => Ok(false),
        (Err(e), Err(f)) => Err(format!("other errors: {e}\n--- text\n{f}")),
        (Err(e), Ok(_)) => Err(format!("only the text is read: {e}")),
        (Ok(_), Err(e)) => Err(format!("only the bytecode is read: {e}")),
    }
}

fn main() -> ExitCode {
    let folders: Vec<String> = std::env::args().skip(1).collect();
    let (mut read, mut refused, mut failed) = (0, 0, 0);
    for folder in &folders {
        let Ok(entries) = std::fs::read_dir(folder) else {
            eprintln!("{folder}: no folder");
            return ExitCode::FAILURE;
        };
        let mut paths: Vec<_> = entries.flatten().map(|e| e.path()).collect();
        paths.sort();
        for path in paths.iter().filter(|p| p.extension().is_some_and(|e| e == "mlirbc")) {
            match compare(path) {
                Ok(true) => read += 1,
                Ok(false) => refused += 1,
                Err(why) => {
                    failed += 1;
                    println!("{}: {why}", path.display());
                }
            }
        }
    }
    println!("{read} the same, {refused} refused alike, {failed} not");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
