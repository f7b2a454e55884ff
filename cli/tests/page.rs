//! `wengert explain --html`: the page as a browser shows it.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The page of a program of the corpus and its gradient; tests run at once, each with a page of its own.
fn page(case: &str, test: &str) -> PathBuf {
    let program =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus").join(case).join("program.mlir");
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{case}.{test}.html"));
    let status = Command::new(env!("CARGO_BIN_EXE_wengert"))
        .arg("explain")
        .arg(program)
        .args(["--grad", "0", "--html"])
        .arg(&out)
        .output()
        .expect("the command starts");
    assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stderr));
    out
}

#[test]
fn a_page_is_one_file_with_every_part() {
    let html = std::fs::read_to_string(page("nn_mlp_mse_f32", "parts")).expect("a page");
    for part in [
        "id=\"b\"",
        "id=\"a\"",
        "id=\"costs\"",
        "id=\"timings\"",
        "id=\"rules\"",
        "id=\"kernels\"",
        "scf.for",
    ] {
        assert!(html.contains(part), "no {part}");
    }
    assert!(html.contains("program.mlir:3") && html.contains("href=\"file:///"));
    assert!(!html.contains("http") && !html.contains("src=\""), "the page loads nothing");
}

#[test]
fn a_page_and_a_result_exclude_each_other() {
    let out = Command::new(env!("CARGO_BIN_EXE_wengert"))
        .args(["explain", "x.mlir", "--html", "y.html", "--result", "0"])
        .output()
        .expect("the command starts");
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains("cannot be used with"));
}

/// Searching leaves the lines that have the word, in a browser if there is one.
#[test]
fn a_browser_searches() {
    let profile = Path::new(env!("CARGO_TARGET_TMPDIR")).join("browser");
    let url = format!("file://{}#q=tanh", page("nn_mlp_mse_f32", "search").display());
    let browser = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(url)
        .output();
    let out = match browser {
        Ok(out) => out,
        Err(e) => return wengert_ir::testing::skip("chromium", &e.to_string()),
    };
    let dom = String::from_utf8_lossy(&out.stdout);
    let lines: Vec<&str> = dom.lines().filter(|l| l.starts_with("<div class=\"line ")).collect();
    let hidden = |l: &str| l.split('>').next().is_some_and(|tag| tag.contains(" hidden"));
    assert!(lines.len() > 20, "{dom}");
    for line in &lines {
        let has = line
            .split("data-f=\"")
            .nth(1)
            .is_some_and(|f| f.split('"').next().is_some_and(|f| f.contains("tanh")));
        assert_eq!(hidden(line), !has, "{line}");
    }
    let shown = lines.iter().filter(|l| !hidden(l)).count();
    assert!(shown >= 4, "two layers, before and after");
    assert!(dom.contains(&format!("{shown} instructions</span>")), "the count is shown");
}
