//! Breaks every text of the corpus in every way (minutes): `cargo run --release -p wengert-tests --bin torture`.
//!
//! Run it under `ulimit -v` to hold the memory of a single parse to a bound as well.

#![allow(clippy::print_stdout, reason = "a command prints")]

use std::time::Duration;
use wengert_tests::{corpus, corpus_cases, torture::torture};

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let mut total = 0;
    for case in corpus_cases() {
        for file in ["program.mlir", "program_hlo.mlir"] {
            let Ok(source) = std::fs::read_to_string(corpus(&case).join(file)) else { continue };
            let out = torture(&case, &source, 1, 0, Some(Duration::from_secs(1)));
            total += out.texts;
            println!("{case:40} {:8} texts, {:6} valid, slowest {:?}", out.texts, out.valid, out.slowest);
        }
    }
    println!("{total} broken texts, none crashed");
}
