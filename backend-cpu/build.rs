//! Names this version of the compiler by the text of its sources, so that machine code kept in files by another version is
//! never run (`src/cache.rs`).

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
    // FNV-1a.
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for file in files {
        for byte in std::fs::read(&file).unwrap_or_default() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    println!("cargo::rustc-env=WENGERT_SOURCES={hash:016x}");
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
