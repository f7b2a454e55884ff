//! What transforms make of the programs of the corpus is valid, prints, and reads back as the same.

use std::path::PathBuf;
use wengert_ir::func::{FuncId, FuncKind, Module};
use wengert_ir::text::{parse, same};
use wengert_ir::verify::verify;

/// Checks one function of a module with all it reaches; gives what is wrong.
fn check(what: &str, m: &Module, func: FuncId) -> Result<(), String> {
    let (mut part, roots) = m.reachable(&[func]);
    let mut root = (*part.get(roots[0])).clone();
    root.kind = FuncKind::Public;
    root.name = "checked".into();
    part.funcs[roots[0]] = std::sync::Arc::new(root);
    verify(&part).map_err(|errors| format!("{what}: {}", errors[0]))?;
    let text = part.to_string();
    let again = parse(&text).map_err(|e| format!("{what}:{e}"))?;
    if !same(&part, &again) {
        return Err(format!("{what}: read back differently\n{text}"));
    }
    if again.to_string() != text {
        return Err(format!("{what}: prints differently\n{text}\n{again}"));
    }
    Ok(())
}

#[test]
fn derivatives_survive_printing() {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus"));
    let mut cases: Vec<PathBuf> =
        std::fs::read_dir(root).expect("the corpus").map(|e| e.expect("an entry").path()).collect();
    cases.sort();
    let mut wrong = Vec::new();
    let mut checked = 0;
    for case in cases {
        let text = std::fs::read_to_string(case.join("program.mlir")).expect("a program");
        let Ok(mut m) = parse(&text) else { continue };
        let name = case.file_name().expect("a name").to_string_lossy().into_owned();
        let main = m.find("main").expect("main");
        let is_float = |ty: &wengert_ir::types::Type| ty.tensor().dtype.is_float();
        let wrt: Vec<bool> = m.funcs[main].param_types().iter().map(is_float).collect();
        let cotangents: Vec<bool> = m.funcs[main].result_types().iter().map(is_float).collect();
        if !wrt.contains(&true) || !cotangents.contains(&true) {
            continue;
        }
        for mode in ["jvp", "vjp"] {
            let made = match mode {
                "jvp" => wengert_passes::ad::jvp(&mut m, main, &wrt),
                _ => wengert_passes::ad::vjp(&mut m, main, &wrt, &cotangents),
            };
            let Ok(func) = made else { continue };
            checked += 1;
            wrong.extend(check(&format!("{mode} of {name}"), &m, func).err());
            let clean = wengert_passes::dce::dce(&mut m, func);
            wrong.extend(check(&format!("{mode} of {name}, cleaned"), &m, clean).err());
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(checked > 50, "only {checked} derivatives were made");
}
