//! Names this version of the compiler by the text of its sources, so that machine code kept in files by another version is
//! never run (`src/cache.rs`).

use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

fn main() {
    let mut files = Vec::new();
    // Code generation builds the formulas of the math library, which are `wengert-ir`'s; in a package of its own that
    // crate's version stands for them.
    for folder in ["src", "../ir/src"] {
        println!("cargo::rerun-if-changed={folder}");
        collect(Path::new(folder), &mut files);
    }
    files.sort();
    let mut hash = DefaultHasher::new();
    for file in files {
        hash.write(&std::fs::read(&file).unwrap_or_default());
    }
    println!("cargo::rustc-env=WENGERT_SOURCES={:016x}", hash.finish());
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
}
