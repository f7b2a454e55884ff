//! What the scripts that ask jaxlib about bytecode run.
//!
//! `bytecode read FOLDER`: reads each `FOLDER/NAME.mlirbc` and the text beside it, `FOLDER/NAME.mlir`, and says whether
//! both are the same module, or refused for the same reason.
//!
//! `bytecode write FOLDER VERSION FILE...`: writes the program of each text file as `FOLDER/NUMBER.mlirbc`, and reads it back.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use wengert_ir::bytecode;
use wengert_ir::text::{parse, same};

/// Whether a file is the module that the text beside it is, or both are refused alike; else why not.
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

fn read(folder: &str) -> Result<bool, String> {
    let (mut read, mut refused, mut failed) = (0, 0, 0);
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{folder}: {e}"))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
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
    println!("{read} the same, {refused} refused alike, {failed} not");
    Ok(failed == 0)
}

fn write(folder: &str, version: &str, files: &[String]) -> Result<bool, String> {
    std::fs::create_dir_all(folder).map_err(|e| format!("{folder}: {e}"))?;
    let (mut written, mut refused, mut failed) = (0, 0, 0);
    for (k, file) in files.iter().enumerate() {
        let text = std::fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
        let Ok(module) = parse(&text) else { continue };
        let bytes = match bytecode::write(&module, Some(version)) {
            Ok(bytes) => bytes,
            Err(e) => {
                refused += 1;
                println!("{file} {version}: {e}");
                continue;
            }
        };
        match bytecode::read(&bytes) {
            Ok(back) if same(&back, &module) => written += 1,
            Ok(back) => {
                failed += 1;
                println!("{file} {version}: differs\n--- before\n{module}\n--- after\n{back}");
            }
            Err(e) => {
                failed += 1;
                println!("{file} {version}: not read back: {e}");
            }
        }
        let path = Path::new(folder).join(format!("{k}.mlirbc"));
        std::fs::write(&path, bytes).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    println!("{written} written and the same when read, {refused} refused, {failed} not");
    Ok(failed == 0)
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match &words[..] {
        ["read", folder] => read(folder),
        ["write", folder, version, files @ ..] => {
            write(folder, version, &files.iter().map(|f| (*f).to_owned()).collect::<Vec<_>>())
        }
        _ => Err("usage: bytecode read FOLDER | bytecode write FOLDER VERSION FILE...".to_owned()),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
