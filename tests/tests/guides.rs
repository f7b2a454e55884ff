//! The Python of the guides runs, where jax is installed (`PYTHON` names the interpreter, `python3` by default), and the
//! programs that go back and forth give the same numbers. The Rust of the guides is run as documentation tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use wengert::{ARG0, Tensor, grad, import, jit, scan};
use wengert_ir::testing::skip;

/// The blocks of a guide in one language.
fn blocks(guide: &str, language: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(guide);
    let text = fs::read_to_string(path).expect("a guide");
    let mut out = String::new();
    let mut inside = false;
    for line in text.lines() {
        match line.strip_prefix("```") {
            Some(after) => inside = !inside && after == language,
            None if inside => out += &format!("{line}\n"),
            None => {}
        }
    }
    assert!(!out.is_empty(), "{guide} has {language}");
    out
}

/// Runs a guide's Python in a folder; `None` where jax is not installed.
fn python(guide: &str, folder: &Path) -> Option<String> {
    run_python(&blocks(guide, "python"), folder)
}

/// Runs Python in a folder; `None` where jax is not installed.
fn run_python(text: &str, folder: &Path) -> Option<String> {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
    let has_jax = Command::new(&python).args(["-c", "import jax"]).output();
    if !has_jax.is_ok_and(|out| out.status.success()) {
        skip("jax", &format!("{python} has none"));
        return None;
    }
    let script = folder.join("guide.py");
    fs::write(&script, text).expect("a file");
    let out = Command::new(&python).arg(&script).current_dir(folder).output().expect("python runs");
    let said = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(out.status.success(), "{said}{}", String::from_utf8_lossy(&out.stderr));
    Some(said)
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("wengert-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[test]
fn from_jax_to_rust() {
    let folder = folder("from-jax");
    if python("from-jax-to-rust.md", &folder).is_some() {
        let read =
            |name: &str| Tensor::from_npy(&fs::read(folder.join(name)).expect("a file")).expect("an array");
        let text = fs::read_to_string(folder.join("loss.mlir")).expect("a program");
        let loss = import::<(Tensor, Tensor, Tensor), Tensor>(&text).expect("reads");
        let args = || (read("w.npy"), read("x.npy"), read("y.npy"));
        let (w, x, y) = args();
        assert!(loss(w, x, y).allclose(read("expected_loss.npy"), 1e-6, 0.0).item::<bool>());
        let (w, x, y) = args();
        let found = jit(grad(loss))(w, x, y);
        assert!(found.allclose(read("expected_gradient.npy"), 1e-5, 1e-7).item::<bool>(), "{found}");
    }
    fs::remove_dir_all(&folder).expect("our own folder");
}

#[test]
fn from_rust_to_xla() {
    let folder = folder("to-xla");
    let recurrence = |w: Tensor, xs: Tensor| {
        scan(|h: Tensor, x: Tensor| ((h * &w + x).tanh(), ()), Tensor::from(0.0f64), xs).0
    };
    let gradient = grad(recurrence).wrt(ARG0);
    let (w, xs) = (Tensor::from(0.5f64), Tensor::from([1.0f64, -0.5, 2.0]));
    let program = jit(gradient).trace((w.clone(), xs.clone())).expect("traces");
    fs::write(folder.join("gradient.mlir"), program.stablehlo().expect("is static")).expect("a file");
    if let Some(said) = python("from-rust-to-xla.md", &folder) {
        let found: f64 = said.trim().parse().unwrap_or_else(|_| panic!("{said}"));
        let expected: f64 = grad(recurrence).wrt(ARG0)(w, xs).item();
        assert!((found - expected).abs() < 1e-12, "{said} is not {expected}");
    }
    fs::remove_dir_all(&folder).expect("our own folder");
}

/// The page of conventions says what JAX's gradients are: each row is asked of it.
#[test]
fn derivative_conventions() {
    let folder = folder("conventions");
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/derivative-conventions.md");
    let page = fs::read_to_string(page).expect("the page");
    let mut script = String::from(
        "import jax, jax.numpy as jnp, numpy as np\njax.config.update('jax_enable_x64', True)\n\
         inf, NaN = float('inf'), float('nan')\ndef row(f, at, want):\n    \
         got = jax.grad(f)(jnp.asarray(at, jnp.float64))\n    \
         np.testing.assert_array_equal(np.asarray(got), np.asarray(want, np.float64))\n",
    );
    let mut count = 0;
    for line in page.lines().filter(|l| l.starts_with("| `")) {
        let cells: Vec<&str> =
            line.trim_matches('|').split(" | ").map(|c| c.trim().trim_matches('`')).collect();
        let [_, jax, at, gradient] = cells[..] else { panic!("{line}") };
        if jax != "–" {
            script += &format!("row(lambda x: {jax}, {at}, {gradient})\n");
            count += 1;
        }
    }
    assert!(count > 50, "{count} rows");
    run_python(&script, &folder);
    fs::remove_dir_all(&folder).expect("our own folder");
}
