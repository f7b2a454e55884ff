//! Unmodified JAX on the plugin: `smoke.py`, `held_out.py`, `devices.py`, `harnesses.py` and `targets.py`, in Python, where jax is
//! installed (`PYTHON` names the interpreter to ask, `python3` by default). Says so and passes where it is not.

use std::path::{Path, PathBuf};
use std::process::Command;
use wengert_ir::testing::skip;

/// The library that was built with these tests.
fn library() -> PathBuf {
    let own = std::env::current_exe().expect("a test");
    let deps = own.parent().expect("a folder");
    let name = if cfg!(target_os = "macos") { "libwengert_pjrt.dylib" } else { "libwengert_pjrt.so" };
    let built = |folder: &Path| {
        let path = folder.join(name);
        Some((path.metadata().ok()?.modified().ok()?, path))
    };
    let newest = [deps, deps.parent().expect("a folder")].into_iter().filter_map(built).max();
    newest.expect("cargo builds the library with its tests").1
}

#[test]
fn jax_runs_on_the_plugin() {
    run(&["smoke.py", "here"]);
}

/// Named to begin first: it starts Python with JAX more than a dozen times, one after the other.
#[test]
fn fresh_processes_run_on_the_plugin() {
    run(&["smoke.py", "processes"]);
}

#[test]
fn further_programs_run_on_the_plugin() {
    run(&["held_out.py"]);
}

#[test]
fn programs_for_several_devices_run_on_the_plugin() {
    run(&["devices.py"]);
}

/// A sample of the cases that JAX has of its primitives, which need what its tests need.
#[test]
fn cases_of_jax_run_on_the_plugin() {
    run(&["harnesses.py"]);
}

/// The functions are C++, against the header that jaxlib brings.
#[test]
fn functions_of_users_run_on_the_plugin() {
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".into());
    match Command::new(&compiler).arg("--version").output() {
        Ok(_) => run(&["targets.py"]),
        Err(e) => skip("c++", &format!("{compiler}: {e}")),
    }
}

/// Runs a script with its arguments; all that it says if it fails.
fn run(script: &[&str]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
    let out = Command::new(&python)
        .arg(folder.join("tests").join(script[0]))
        .args(&script[1..])
        .env("WENGERT_JAX_LIBRARY", library())
        .env("PYTHONPATH", folder.join("python"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("JAX_PLATFORMS", "wengert,cpu")
        .output();
    let out = match out {
        Ok(out) => out,
        Err(e) => return skip("jax", &format!("{python}: {e}")),
    };
    let said = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
    if said.contains("No module named 'jax'") {
        return skip("jax", &format!("{python} has no jax"));
    }
    if said.contains("No module named 'absl'") {
        return skip("absl", &format!("{python} has no absl-py"));
    }
    assert!(out.status.success(), "{said}");
}
