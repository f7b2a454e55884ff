//! Every program of the corpus is read, prints to a fixed point and parses back to the same module.

use std::path::PathBuf;
use wengert_ir::entity::Entity;
use wengert_ir::func::{Func, FuncId, Module};
use wengert_ir::text::{PrintOptions, parse, print, same};
use wengert_ir::verify::verify;

fn programs() -> Vec<(String, String)> {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus"));
    let mut out = Vec::new();
    for case in std::fs::read_dir(root).expect("the corpus").map(|e| e.expect("an entry").path()) {
        for file in ["program.mlir", "program_hlo.mlir"] {
            let name = format!("{}/{file}", case.file_name().expect("a name").to_string_lossy());
            if let Ok(text) = std::fs::read_to_string(case.join(file)) {
                out.push((name, text));
            }
        }
    }
    out.sort();
    out
}

#[test]
fn programs_survive_printing() {
    for locations in [false, true] {
        let options = PrintOptions { locations, plain: false };
        for (name, text) in programs() {
            let module = parse(&text).unwrap_or_else(|e| panic!("{name}:{e}"));
            let first = print(&module, &options);
            let again = parse(&first).unwrap_or_else(|e| panic!("{name}:{e}"));
            assert!(same(&module, &again), "{name} changed:\n{first}");
            assert_eq!(first, print(&again, &options), "{name}");
        }
    }
}

/// Our text is line by line what JAX printed, but that we always say how a comparison orders.
#[test]
fn programs_look_like_jaxs() {
    let mut different = Vec::new();
    for (name, text) in programs() {
        if text.contains(" loc(") {
            continue;
        }
        let module = parse(&text).unwrap_or_else(|e| panic!("{name}:{e}"));
        let plain = |text: &str| -> Vec<String> {
            text.trim_end().lines().skip(1).map(without_what_is_not_kept).collect()
        };
        let (ours, theirs) = (plain(&print(&module, &PrintOptions::default())), plain(&text));
        // A solver of LAPACK's that StableHLO has an operation for is that operation.
        let same = |a: &str, b: &str| {
            let solver = b.contains("@lapack_dtrsm_ffi") && a.contains("stablehlo.triangular_solve");
            a == b || a.replace(", FLOAT :", " :") == b || solver
        };
        if let Some((a, b)) = ours.iter().zip(&theirs).find(|(a, b)| !same(a, b)) {
            different.push(format!("{name}\n  ours:   {a}\n  theirs: {b}"));
        } else {
            assert_eq!(ours.len(), theirs.len(), "{name}");
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

/// A line without what we do not keep: attributes of arguments and results of functions, rules for sharding of operations
/// that are ours.
fn without_what_is_not_kept(line: &str) -> String {
    if let Some((head, rest)) = line.split_once(", sdy.sharding_rule = #sdy.op_sharding_rule<")
        && let Some((_, tail)) = rest.split_once(", custom>")
    {
        return format!("{head}{tail}");
    }
    if !line.trim_start().starts_with("func.func") {
        return line.to_owned();
    }
    let mut out = String::new();
    let mut depth = 0;
    let body = line.strip_suffix(" {").unwrap_or(line);
    for c in body.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            c if depth == 0 => out.push(c),
            _ => {}
        }
    }
    let out = out.replace(" ,", ",").replace(" )", ")");
    match out.split_once(" -> (") {
        Some((head, result)) if !result.contains(',') => {
            format!("{head} -> {} {{", result.trim_end_matches(')'))
        }
        _ => format!("{out} {{"),
    }
}

/// Functions that are not there, whatever operation asks for them: that is said of each, and nothing else is.
#[test]
fn functions_that_are_not_there() {
    for (name, text) in programs() {
        let module = parse(&text).unwrap_or_else(|e| panic!("{name}:{e}"));
        let (mut without, mut asked) = (Module::new("without"), 0);
        for func in module.funcs.values() {
            let mut func = Func::clone(func);
            for inst in func.insts.values_mut() {
                inst.op.map_callees(&mut |_| {
                    asked += 1;
                    FuncId::from_index(1 << 20)
                });
            }
            without.add(func);
        }
        let errors = verify(&without).err().unwrap_or_default();
        let said = errors.iter().filter(|e| e.message.starts_with("there is no function")).count();
        assert_eq!((said, errors.len()), (asked, asked), "{name}: {errors:#?}");
    }
}
