//! The targets of `fuzz/` hold for the files of the tests, and for some of their neighbours: bytes changed, left out, doubled.

use std::path::Path;
use wengert_ir::testing::Random;
use wengert_tests::targets::TARGETS;
use wengert_tests::{corpus, corpus_cases};

/// Neighbours of each file.
const NEIGHBOURS: usize = 6;

fn target(name: &str) -> fn(&[u8]) {
    TARGETS.iter().find(|(n, _)| *n == name).expect("a target").1
}

fn around(run: fn(&[u8]), seed: &[u8], random: &mut Random) {
    run(seed);
    for _ in 0..NEIGHBOURS {
        let mut bytes = seed.to_vec();
        for _ in 0..=random.below(3) {
            if bytes.is_empty() {
                break;
            }
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] = random.bits() as u8,
                1 => bytes[at] = b"{}<>\":09-x"[random.below(10)],
                2 => drop(bytes.remove(at)),
                _ => bytes.insert(at, bytes[at]),
            }
        }
        run(&bytes);
    }
}

#[test]
fn texts() {
    let mut random = Random(1);
    for case in corpus_cases() {
        let source = std::fs::read(corpus(&case).join("program.mlir")).expect("a program");
        around(target("text"), &source, &mut random);
    }
}

#[test]
fn artifacts() {
    let mut random = Random(4);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ir/tests/bytecode");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").map(|e| e.expect("a file").path()).collect();
    paths.sort();
    for path in paths.iter().filter(|p| p.extension().is_some_and(|e| e == "mlirbc" || e == "bin")) {
        let bytes = std::fs::read(path).expect("an artifact");
        (0..20).for_each(|_| around(target("bytecode"), &bytes, &mut random));
    }
}

#[test]
fn arrays() {
    let mut random = Random(2);
    for case in corpus_cases() {
        if let Ok(bytes) = std::fs::read(corpus(&case).join("in0.npy")) {
            around(target("npy"), &bytes, &mut random);
        }
    }
}

#[test]
fn kernels() {
    let mut random = Random(3);
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ir/tests/units/kernel/all.kir");
    let all = std::fs::read(all).expect("kernels");
    (0..20).for_each(|_| around(target("kernel"), &all, &mut random));
    for case in corpus_cases().iter().step_by(3) {
        let source = std::fs::read_to_string(corpus(case).join("program.mlir")).expect("a program");
        let Ok(traced) = wengert::stages::Traced::parse(&source, None) else { continue };
        if let Ok(lowered) = traced.lower() {
            around(target("kernel"), lowered.to_string().as_bytes(), &mut random);
        }
    }
}
