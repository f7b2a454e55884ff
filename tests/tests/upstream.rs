//! What we print is accepted by jaxlib's own StableHLO parser, and bytecode goes both ways. Says so and passes where jax is not installed
//! (`PYTHON` names the interpreter to ask, `python3` by default).

use std::path::Path;
use std::process::Command;
use wengert_ir::testing::skip;

/// Runs a script of this folder with one of our programs.
fn ask_jaxlib(script: &str, program: &str) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(script);
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
    let out = match Command::new(&python).arg(&script).arg(program).output() {
        Ok(out) => out,
        Err(e) => return skip("jax", &format!("{python}: {e}")),
    };
    let said = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{said}");
    if said.starts_with("skipped") {
        skip("jax", &said);
    }
}

#[test]
fn jaxlib_reads_what_we_print() {
    ask_jaxlib("jaxlib_parse.py", env!("CARGO_BIN_EXE_reprint"));
}

#[test]
fn portable_artifacts_go_both_ways() {
    ask_jaxlib("jaxlib_bytecode.py", env!("CARGO_BIN_EXE_bytecode"));
}
