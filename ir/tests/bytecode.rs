//! Portable artifacts that jaxlib wrote, beside the text that jaxlib reads from them.

#[path = "bytecode/hostile.rs"]
mod hostile;

use std::path::{Path, PathBuf};
use wengert_ir::bytecode::{self, Error};
use wengert_ir::func::{Loc, Module};
use wengert_ir::text::{parse, parse_with_interface, same};
use wengert_ir::verify::verify;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bytecode")
}

/// The artifacts of the folder: name, version, bytes.
fn artifacts() -> Vec<(String, String, Vec<u8>)> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if let Some(stem) = name.strip_suffix(".mlirbc") {
            let (name, version) = stem.split_once('.').unwrap();
            out.push((name.to_owned(), version.to_owned(), std::fs::read(&path).unwrap()));
        }
    }
    out.sort();
    assert!(out.len() >= 20, "artifacts are missing");
    out
}

fn text_of(name: &str) -> Module {
    parse(&std::fs::read_to_string(folder().join(format!("{name}.mlir"))).unwrap()).unwrap()
}

#[test]
fn every_version_reads_as_the_text() {
    for (name, version, bytes) in artifacts() {
        let artifact = bytecode::read_artifact(&bytes).unwrap_or_else(|e| panic!("{name} {version}: {e}"));
        assert_eq!(artifact.producer, format!("StableHLO_v{version}"));
        let text = text_of(&name);
        assert!(same(&artifact.module, &text), "{name} {version}:\n{}\n{text}", artifact.module);
        assert_eq!(artifact.module.name, text.name);
    }
}

/// The locations of a module, in order.
fn locations(module: &Module) -> Vec<Loc> {
    module.funcs.values().flat_map(|f| f.insts.values().map(|i| i.loc.clone()).collect::<Vec<_>>()).collect()
}

#[test]
fn locations_and_names_are_those_of_the_text() {
    for (name, version, bytes) in artifacts() {
        let (read, text) = (bytecode::read(&bytes).unwrap(), text_of(&name));
        assert_eq!(locations(&read), locations(&text), "{name} {version}");
        let names = |m: &Module| {
            m.funcs.values().map(|f| (f.name.clone(), f.param_names.clone())).collect::<Vec<_>>()
        };
        assert_eq!(names(&read), names(&text), "{name} {version}");
    }
}

#[test]
fn what_is_given_away_is_said() {
    let bytes = std::fs::read(folder().join("control.1.13.7.mlirbc")).unwrap();
    let interface = bytecode::read_artifact(&bytes).unwrap().interface.unwrap();
    let attribute =
        |list: &[(String, String)], name: &str| list.iter().find(|a| a.0 == name).map(|a| a.1.clone());
    assert_eq!(attribute(&interface.params[0], "tf.aliasing_output").unwrap(), "0 : i32");
    assert!(interface.params[1].is_empty());
    assert_eq!(attribute(&interface.results[1], "jax.result_info").unwrap(), "\"result[1]\"");
    assert_eq!(interface.donors().collect::<Vec<_>>(), [0]);
}

#[test]
fn the_text_says_the_same_of_the_entry() {
    for (name, version, bytes) in artifacts() {
        let text = std::fs::read_to_string(folder().join(format!("{name}.mlir"))).unwrap();
        let (_, of_text) = parse_with_interface(&text).unwrap();
        let of_bytes = bytecode::read_artifact(&bytes).unwrap().interface;
        assert_eq!(of_bytes, of_text, "{name} {version}");
    }
}

#[test]
fn donors_are_of_the_entry_whatever_stands_before_it() {
    let donors = |text: &str| {
        let (module, interface) = parse_with_interface(text).map_err(|e| e.to_string())?;
        let interface = interface.ok_or("no entry")?;
        assert_eq!(module.entry(), Some(interface.func));
        assert_eq!(module.get(interface.func).params.len(), interface.params.len());
        Ok::<_, String>(interface.donors().collect::<Vec<_>>())
    };
    // A public function before a private main; a comment that looks like a main; a name with a sign in it; `->` in a text.
    let text = r#"
        // @main(%a: tensor<f32> {jax.buffer_donor = true}) ->
        func.func public @first(%a: tensor<f32> {jax.buffer_donor = true}) -> tensor<f32> { return %a : tensor<f32> }
        func.func private @main(
            %a: tensor<f32> {jax.note = "50% -> @main( jax.buffer_donor = true"},
            %b: tensor<f32> {jax.buffer_donor = false},
            %c: tensor<f32> {"jax.buffer_donor"=true},
            %d: tensor<f32> {tf.aliasing_output = 0 : i32}
        ) -> tensor<f32> { return %a : tensor<f32> }"#;
    assert_eq!(donors(text).unwrap(), [2, 3]);
    // The parts of a tuple are parameters of their own.
    let text = r#"
        func.func @main(%a: tuple<tensor<f32>, tensor<i32>> {jax.buffer_donor = true}, %b: tensor<f32>) -> tensor<f32> {
            return %b : tensor<f32>
        }"#;
    assert_eq!(donors(text).unwrap(), [0, 1]);
    let generic = |attributes: &str| {
        donors(&format!(
            r#""builtin.module"() ({{
                "func.func"() <{{arg_attrs = [{attributes}], function_type = (tensor<f32>, tensor<f32>) -> tensor<f32>, sym_name = "main"}}> ({{
                ^bb0(%a: tensor<f32>, %b: tensor<f32>):
                    "func.return"(%a) : (tensor<f32>) -> ()
                }}) : () -> ()
            }}) : () -> ()"#
        ))
    };
    assert_eq!(generic("{}, {jax.buffer_donor = true}").unwrap(), [1]);
    let e = generic("{}, {}, {jax.buffer_donor = true}").unwrap_err();
    assert!(e.contains("`@main` has 2 parameters, and attributes of 3"), "{e}");
    assert_eq!(
        donors("func.func private @f(%a: tensor<f32>) -> tensor<f32> { return %a : tensor<f32> }"),
        Err("no entry".to_owned())
    );
}

fn refused(bytes: &[u8]) -> Error {
    bytecode::read(bytes).unwrap_err()
}

#[test]
fn other_bytes_are_refused_with_a_reason() {
    let good = std::fs::read(folder().join("numbers.1.13.7.mlirbc")).unwrap();
    let says = |bytes: &[u8], what: &str| {
        let e = refused(bytes).to_string();
        assert!(e.contains(what), "{e}");
    };
    says(b"", "not MLIR bytecode");
    says(b"module {}", "not MLIR bytecode");
    says(&good[..4], "the file ends here");
    says(&[b"ML\xEFR".as_slice(), &[15]].concat(), "version 7 of MLIR's bytecode");
    says(&good[..good.len() - 1], "bytes are announced");
    let mut longer = good.clone();
    longer.push(1);
    says(&longer, "the file ends here");
    // An operation of a StableHLO to come.
    let find = |word: &[u8]| good.windows(word.len()).position(|w| w == word).unwrap();
    let mut future = good.clone();
    future[find(b"fft_v1")..][..6].copy_from_slice(b"fft_v9");
    says(&future, "`vhlo.fft_v9` is not known here");
    let mut other = good.clone();
    other[find(b"vhlo")..][..4].copy_from_slice(b"ohlo");
    says(&other, "ohlo");
}

#[test]
fn what_jax_exports_is_opened() {
    let path = folder().join("exported.bin");
    let bytes = std::fs::read(&path).unwrap();
    let exported = bytecode::exported(&bytes).unwrap();
    assert_eq!(exported.function, "moving");
    assert!(bytecode::is_binary(&bytes) && !bytecode::is_bytecode(&bytes));
    assert!(same(&bytecode::read(&bytes).unwrap(), &text_of("exported")));
    for n in 0..bytes.len() {
        // The module is the last thing that is read of it.
        assert!(bytecode::read(&bytes[..n]).is_err() || n > bytes.len() / 2, "{n}");
    }
    assert!(bytecode::exported(b"module {}").is_none());
    assert!(bytecode::exported(&[0; 64]).is_none() && bytecode::exported(&[0xFF; 64]).is_none());
}

/// A file whose type is a tuple of two tuples of two tuples and so on: 2^60 parts in a few hundred bytes.
fn bomb() -> Vec<u8> {
    let number = |v: usize| (v << 1 | 1) as u8; // below 128
    let section = |id: u8, inside: &[u8]| [&[id, number(inside.len() % 128)][..], inside].concat();
    let names = ["builtin", "vhlo", "module", "func_v1", "main"];
    let mut strings = vec![number(names.len())];
    strings.extend(names.iter().rev().map(|s| number(s.len() + 1)));
    names.iter().for_each(|s| strings.extend([s.as_bytes(), &[0]].concat()));
    // Two dialects, and an operation of each.
    let dialects = [2, 0, 2, 2, 0, 1, 5, 1, 1, 7].map(number);
    let attributes: [&[usize]; 4] = [&[1, 0], &[17, 61], &[14, 4], &[15]];
    let mut types: Vec<Vec<usize>> = vec![vec![4]];
    types.extend((0..60).map(|k| vec![23, 2, k, k]));
    types.push(vec![8, 1, 60, 0]);
    let mut offsets = vec![number(4), number(types.len())];
    offsets.extend([number(1), number(3)]);
    offsets.extend(attributes[..3].iter().map(|a| number(a.len() << 1 | 1)));
    offsets.extend([number(0), number(1), number(3), number(1), number(types.len())]);
    offsets.extend(types.iter().map(|t| number(t.len() << 1 | 1)));
    let entries: Vec<u8> = attributes
        .iter()
        .copied()
        .chain(types.iter().map(Vec::as_slice))
        .flatten()
        .map(|&v| number(v))
        .collect();
    let properties = [1, 5, 0, 1, 0, 2, 2].map(number);
    let body = section(4, &[number(0)]);
    let function = [&[number(1), 64 | 16, number(3), number(0), number(3)][..], &body].concat();
    let region = section(4, &[&[number(1), number(0), number(2)][..], &function].concat());
    let ir = [&[number(2), number(0), 16, number(3), number(3)][..], &region].concat();
    // Entries are longer than a byte can say.
    let long = |id: u8, inside: &[u8]| {
        let n = inside.len() << 2 | 2;
        [&[id, n as u8, (n >> 8) as u8][..], inside].concat()
    };
    let mut file = b"ML\xEFR\x0Dx\0".to_vec();
    file.extend(section(0, &strings));
    file.extend(section(1, &dialects));
    file.extend(long(2, &entries));
    file.extend(long(3, &offsets));
    file.extend(section(8, &properties));
    file.extend(section(4, &ir));
    file
}

#[test]
fn what_a_small_file_stands_for_is_bounded() {
    let e = refused(&bomb()).to_string();
    assert!(e.contains("too long together"), "{e}");
}

/// A small generator of numbers (xorshift), so that the mutants are the same everywhere.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

#[test]
fn damaged_bytes_never_panic() {
    let mut files: Vec<Vec<u8>> = artifacts().into_iter().map(|a| a.2).collect();
    files.push(std::fs::read(folder().join("exported.bin")).unwrap());
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let (mut read, mut refused) = (0, 0);
    for k in 0..20_000 {
        let mut bytes = files[k % files.len()].clone();
        match numbers.below(4) {
            0 => bytes.truncate(numbers.below(bytes.len())),
            1 => {
                // A part of another file in the place of one of this.
                let other = &files[numbers.below(files.len())];
                let n = 1 + numbers.below(40);
                let from = numbers.below(other.len() - n);
                let to = numbers.below(bytes.len() - n);
                bytes[to..to + n].copy_from_slice(&other[from..from + n]);
            }
            2 => {
                for _ in 0..1 + numbers.below(3) {
                    let at = numbers.below(bytes.len());
                    bytes[at] ^= 1 << numbers.below(8);
                }
            }
            _ => {
                let at = numbers.below(bytes.len());
                bytes[at] = [0, 1, 3, 0x7F, 0x80, 0xFE, 0xFF][numbers.below(7)];
            }
        }
        match bytecode::read(&bytes) {
            Ok(module) => {
                read += 1;
                if verify(&module).is_err() {
                    continue;
                }
                let Ok(written) = bytecode::write(&module, Some("1.20.0")) else { continue };
                let again = bytecode::read(&written).unwrap_or_else(|e| panic!("mutant {k}: {e}\n{module}"));
                assert!(same(&again, &module), "mutant {k}:\n{module}\n{again}");
            }
            Err(_) => refused += 1,
        }
    }
    assert!(read > 500 && refused > 5_000, "{read} read, {refused} refused");
}

#[test]
fn what_is_written_is_read_again() {
    for (name, _, bytes) in artifacts() {
        let module = bytecode::read(&bytes).unwrap();
        for version in ["1.0.0", "1.1.0", "1.4.0", "1.5.0", "1.6.0", "1.9.0", "1.13.0", "1.18.0", "1.20.0"] {
            let written = match bytecode::write(&module, Some(version)) {
                // Bounds of sizes are read only.
                Err(e) if name == "types" && e.to_string().contains("#stablehlo.bounds<4, ?>") => continue,
                written => written.unwrap_or_else(|e| panic!("{name} {version}: {e}")),
            };
            let again = bytecode::read_artifact(&written).unwrap_or_else(|e| panic!("{name} {version}: {e}"));
            assert!(same(&again.module, &module), "{name} {version}:\n{module}\n{}", again.module);
            assert_eq!(again.module.name, module.name);
            assert_eq!(again.producer, format!("StableHLO_v{version}"));
            assert_eq!(locations(&again.module), locations(&module), "{name} {version}");
            assert_eq!(bytecode::write(&again.module, Some(version)).unwrap(), written, "{name} {version}");
        }
    }
}

#[test]
fn what_a_version_does_not_have_is_named() {
    let refused = |text: &str, version: &str, what: &str| {
        let module = parse(text).unwrap();
        let e = bytecode::write(&module, Some(version)).unwrap_err().to_string();
        assert!(e.contains(what), "{e}");
    };
    let one = |op: &str| {
        format!(
            "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{ %y = {op} %x : tensor<2xf32> loc(\"f.py\":3:1) return %y : tensor<2xf32> }}"
        )
    };
    refused(
        &one("stablehlo.tan"),
        "1.3.0",
        "`stablehlo.tan` cannot be written as bytecode: it needs StableHLO 1.4.0, written at \"f.py\":3:1",
    );
    let chlo = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { %y = chlo.digamma %x : tensor<2xf32> -> tensor<2xf32> return %y : tensor<2xf32> }";
    refused(chlo, "1.20.0", "`chlo.digamma` cannot be written as bytecode: StableHLO has no such operation");
    let narrow = "func.func @main(%x: tensor<2xf8E4M3>) -> tensor<2xf8E4M3> { return %x : tensor<2xf8E4M3> }";
    refused(narrow, "1.6.0", "the element type f8E4M3 needs StableHLO 1.7.0");
    for version in ["0.9.0", "1", "2.0.0", "1.21.0", "one", "1.2.3.4", ""] {
        bytecode::write(&parse(&one("stablehlo.tan")).unwrap(), Some(version)).unwrap_err();
    }
}
