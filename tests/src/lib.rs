//! What the tests of the whole share.

use std::path::{Path, PathBuf};

pub mod device_report;
pub mod mutate;
pub mod random;
pub mod targets;
pub mod torture;

/// The folder of one program of the corpus, or of all with the empty name.
pub fn corpus(case: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(case)
}

/// Names of the corpus's programs, in order.
pub fn corpus_cases() -> Vec<String> {
    let entries = std::fs::read_dir(corpus("")).expect("the corpus");
    let mut names: Vec<String> = entries.filter_map(|e| e.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    names
}
