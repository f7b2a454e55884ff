//! The rules of the house, as tests.

mod circles;

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace").to_owned()
}

/// Every Rust source of the project.
fn sources() -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut work: Vec<PathBuf> = [
        "ir",
        "passes",
        "backend-cpu",
        "backend-gpu",
        "frontend",
        "cli",
        "pjrt",
        "tests",
        "benches",
        "examples",
    ]
    .iter()
    .map(|d| root().join(d))
    .collect();
    while let Some(dir) = work.pop() {
        for entry in std::fs::read_dir(&dir).expect("a folder").map(|e| e.expect("an entry").path()) {
            if entry.is_dir() {
                // `tests/faults` is a workspace of its own, with a build folder of its own.
                if entry.file_name().is_some_and(|name| name != "target") {
                    work.push(entry);
                }
            } else if entry.extension().is_some_and(|e| e == "rs") {
                out.push(entry);
            }
        }
    }
    out.sort();
    out
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("UTF-8 source")
}

/// Backends do not see passes, `ir` sees nobody of ours but the crate that holds other crates' mathematics; egg and Cranelift are
/// each known to one crate.
#[test]
fn layers() {
    let out = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root())
        .output()
        .expect("cargo metadata");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let json: serde_json::Value = serde_json::from_slice(&out.stdout).expect("JSON");
    let uses = |name: &str| -> Vec<String> {
        let package = json["packages"].as_array().expect("packages").iter().find(|p| p["name"] == name);
        let all = package.unwrap_or_else(|| panic!("no package {name}"))["dependencies"]
            .as_array()
            .expect("a list");
        let normal = all.iter().filter(|d| d["kind"].is_null());
        normal.map(|d| d["name"].as_str().expect("a name").to_owned()).collect()
    };
    let own =
        |name: &str| -> Vec<String> { uses(name).into_iter().filter(|d| d.starts_with("wengert")).collect() };
    assert_eq!(own("wengert-ir"), ["wengert-libraries"]);
    assert!(own("wengert-libraries").is_empty());
    assert_eq!(own("wengert-passes"), ["wengert-ir"]);
    assert_eq!(own("wengert-cpu"), ["wengert-ir"]);
    assert_eq!(own("wengert-gpu"), ["wengert-ir"]);
    assert_eq!(own("wengert-pjrt"), ["wengert", "wengert-cpu", "wengert-ir", "wengert-passes"]);
    for name in ["wengert-ir", "wengert-passes", "wengert-cpu", "wengert", "wengert-cli"] {
        assert!(!own(name).contains(&"wengert-pjrt".to_owned()), "{name} must not know who calls it");
    }
    for name in ["wengert-ir", "wengert-passes", "wengert", "wengert-cli", "wengert-pjrt"] {
        assert!(!uses(name).iter().any(|d| d.starts_with("cranelift")), "{name} must not know Cranelift");
    }
    for name in ["wengert-ir", "wengert-cpu", "wengert", "wengert-cli", "wengert-pjrt"] {
        assert!(!uses(name).contains(&"egg".to_owned()), "{name} must not know egg");
    }
    for name in ["wengert-ir", "wengert-passes", "wengert-cpu", "wengert", "wengert-cli", "wengert-pjrt"] {
        for generic in ["faer", "realfft", "rustfft"] {
            assert!(
                !uses(name).contains(&generic.to_owned()),
                "{name} would compile {generic} with every change"
            );
        }
    }
}

/// `unsafe` is in backends, and where C calls us.
#[test]
fn unsafe_stays_in_backends() {
    for path in sources() {
        let relative = path.strip_prefix(root()).expect("inside");
        if ["backend-cpu", "backend-gpu", "pjrt"].iter().any(|d| relative.starts_with(d))
            || relative.ends_with("tidy.rs")
        {
            continue;
        }
        for (number, line) in read(&path).lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            assert!(
                !code.contains("unsafe {") && !code.contains("unsafe fn"),
                "{}:{}",
                relative.display(),
                number + 1
            );
        }
    }
}

/// Files are split by meaning before they grow too long, and open with their contract.
#[test]
fn files() {
    for path in sources() {
        let text = read(&path);
        let relative = path.strip_prefix(root()).expect("inside").display().to_string();
        assert!(text.lines().count() <= 900, "{relative} has {} lines", text.lines().count());
        let opening = text.lines().find(|l| !l.trim().is_empty() && !l.starts_with("#!"));
        assert!(opening.is_some_and(|l| l.starts_with("//!")), "{relative} does not open with its contract");
    }
}

/// Where test programs are listed, every file of tests is one or part of one: what nobody lists is not run.
#[test]
fn every_test_is_run() {
    // The frontend's are a package of their own.
    for krate in ["ir", "passes", "backend-cpu", "frontend", "tests"] {
        let (place, inside) =
            if krate == "frontend" { ("tests/Cargo.toml", "") } else { ("Cargo.toml", "tests/") };
        let manifest = read(&root().join(krate).join(place));
        assert!(manifest.contains("autotests = false"), "{krate}");
        let folder = root().join(krate).join("tests");
        // What is in `ui` is given to rustc as it is.
        let apart = folder.join("ui");
        let is_ours = |p: &PathBuf| p.starts_with(&folder) && !p.starts_with(&apart);
        let files: Vec<PathBuf> = sources().into_iter().filter(is_ours).collect();
        for file in &files {
            let is_program = |p: &Path| {
                let relative = p.strip_prefix(&folder).expect("inside").display();
                manifest.contains(&format!("path = \"{inside}{relative}\""))
            };
            assert!(
                is_program(file) || is_part(file, &files, &is_program),
                "{} is run by nothing: list it in a file that Cargo.toml names",
                file.display()
            );
        }
    }
}

/// Whether one of `files` has the module whose file this is.
fn is_part(file: &Path, files: &[PathBuf], is_program: &dyn Fn(&Path) -> bool) -> bool {
    let folder = file.parent().expect("a folder");
    let stem = |p: &Path| p.file_stem().and_then(|n| n.to_str()).expect("a name").to_owned();
    // `a/mod.rs` is the module `a` of what is beside `a`; `a/b.rs` is the module `b` of `a.rs`, or of the root beside it.
    let (module, beside) = match stem(file).as_str() {
        "mod" => (stem(folder), folder.parent().expect("a folder")),
        name => (name.to_owned(), folder),
    };
    let listing = format!("mod {module};");
    let is_root = |p: &Path| p.parent() == Some(beside) && (is_program(p) || stem(p) == "mod");
    let lists = |p: &PathBuf| {
        (is_root(p) || p.with_extension("") == beside)
            && read(p).lines().any(|l| l.strip_prefix("pub ").unwrap_or(l) == listing)
    };
    files.iter().any(lists)
}

/// A library whose tests are programs beside it has none inside: they would not be run.
#[test]
fn no_test_is_hidden_in_a_library() {
    let mut libraries = 0;
    for krate in ["ir", "passes", "backend-cpu", "backend-gpu", "frontend", "tests"] {
        let manifest = read(&root().join(krate).join("Cargo.toml"));
        let lib = manifest.split("[lib]\n").nth(1).and_then(|rest| rest.split("\n\n").next());
        if !lib.is_some_and(|lib| lib.lines().any(|l| l == "test = false")) {
            continue;
        }
        libraries += 1;
        let folder = root().join(krate).join("src");
        for path in sources().into_iter().filter(|p| p.starts_with(&folder)) {
            let marks = ["#[test]", "#[cfg(test)]", "#[cfg(all(test"];
            let hidden = read(&path).lines().any(|l| marks.iter().any(|mark| l.trim().starts_with(mark)));
            assert!(!hidden, "{} has a test that is not run: its place is in {krate}/tests", path.display());
        }
    }
    assert_eq!(libraries, 6, "libraries whose tests are beside them");
}

/// Broken behaviour is asserted with a FIXME, never ignored.
#[test]
fn no_ignored_tests() {
    for path in sources() {
        if path.ends_with("tidy.rs") {
            continue;
        }
        assert!(!read(&path).contains("#[ignore"), "{}", path.display());
    }
}

/// A default arm is where a new operation or kind is forgotten without a word. Those that stand are about numbers and text; there
/// shall not be more of them, and what has become fewer stays so. (48 of those in `ir` ask what an attribute in a file of bytecode is; the operations there are matched one
/// by one.)
#[test]
fn default_arms_become_fewer() {
    for (folder, known) in [
        ("ir", 304),
        ("ir/libraries", 0),
        ("passes", 125),
        ("backend-cpu", 58),
        ("backend-cpu/runtime", 0),
        ("backend-gpu", 52),
        ("frontend", 50),
        ("frontend/derive", 0),
        ("cli", 7),
        ("pjrt", 24),
    ] {
        let arms = |text: &String| text.lines().filter(|line| is_default(line)).count();
        let count: usize = library(folder).iter().map(arms).sum();
        assert_eq!(count, known, "{folder}: default arms; if there are fewer, write that down");
    }
}

/// Whether a line begins a default arm: `_ =>`, or `other =>` under any name.
fn is_default(line: &str) -> bool {
    let Some((pattern, _)) = line.trim_start().split_once(" =>") else { return false };
    let is_name = pattern.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    is_name && pattern.starts_with(|c: char| !c.is_ascii_digit()) && !["true", "false"].contains(&pattern)
}

/// Sources of a folder's library, without their tests.
fn library(folder: &str) -> Vec<String> {
    let library = root().join(folder).join("src");
    let code = |path: &PathBuf| {
        let inside = path.strip_prefix(&library).ok();
        inside.is_some_and(|p| !p.iter().any(|part| part.to_str().is_some_and(|n| n.starts_with("tests"))))
    };
    let own =
        |path: PathBuf| read(&path).split("#[cfg(test)]\nmod tests").next().unwrap_or_default().to_owned();
    sources().into_iter().filter(code).map(own).collect()
}

/// The lengths of the functions of a source that is formatted.
fn functions(text: &str) -> Vec<usize> {
    let lines: Vec<&str> = text.lines().collect();
    let begins = |line: &str| {
        let words = line.trim_start();
        let words = words
            .strip_prefix("pub ")
            .or_else(|| words.strip_prefix("pub(")?.split_once(") ").map(|p| p.1))
            .unwrap_or(words);
        let mut words = words.split(' ').skip_while(|w| ["const", "unsafe", "extern", "\"C\""].contains(w));
        words.next() == Some("fn")
    };
    let length = |(k, line): (usize, &&str)| {
        let indent = &line[..line.len() - line.trim_start().len()];
        let ends = |l: &&str| l.strip_prefix(indent) == Some("}");
        let one = line.ends_with('}') || line.ends_with(';') || !begins(line);
        if one { 1 } else { lines[k..].iter().position(ends).unwrap_or(0) + 1 }
    };
    lines.iter().enumerate().map(length).filter(|&n| n > 1).collect()
}

/// A driver reads like a table of contents. Those that do not become fewer: functions of more than 60 lines, and files of more than 500,
/// by folder.
#[test]
fn long_functions_and_files_become_fewer() {
    for (folder, long_functions, long_files) in [
        ("ir", 43, 13),
        ("ir/libraries", 0, 0),
        ("passes", 54, 4),
        ("backend-cpu", 17, 2),
        ("backend-cpu/runtime", 0, 0),
        ("backend-gpu", 5, 0),
        ("frontend", 3, 0),
        ("frontend/derive", 1, 0),
        ("cli", 0, 0),
        ("pjrt", 1, 0),
    ] {
        let all = library(folder);
        assert!(!all.is_empty(), "{folder} has no sources");
        let functions = all.iter().flat_map(|text| functions(text)).filter(|&n| n > 60).count();
        let files = all.iter().filter(|text| text.lines().count() > 500).count();
        assert_eq!(
            (functions, files),
            (long_functions, long_files),
            "{folder}; if there are fewer, write that down"
        );
    }
}

/// The parser and the printer know no operation: what is read and written of one is in its family.
#[test]
fn text_knows_no_family() {
    let (text, families) = (root().join("ir/src/text"), root().join("ir/src/text/ops"));
    let core = |p: &PathBuf| p.starts_with(&text) && !p.starts_with(&families) && *p != text.join("mod.rs");
    for path in sources().into_iter().filter(core) {
        for line in read(&path).lines().filter(|l| !l.trim_start().starts_with("//")) {
            assert!(
                !line.contains("super::ops") && !line.contains("text::ops"),
                "{}: {line}",
                path.display()
            );
        }
    }
}

/// Lowering has three storeys, and none knows of those above it: costs of no pass, a plan of no index
/// spaces, an index space of no loops.
#[test]
fn storeys_are_known_from_above_only() {
    let storeys =
        [("cost", &["lower", "egraph"][..]), ("lower/plan", &["space", "nest"]), ("lower/space", &["nest"])];
    for (storey, above) in storeys {
        let folder = root().join("passes/src").join(storey);
        let files: Vec<PathBuf> = sources().into_iter().filter(|p| p.starts_with(&folder)).collect();
        assert!(!files.is_empty(), "{storey}");
        for path in files {
            for line in read(&path).lines().filter(|l| !l.trim_start().starts_with("//")) {
                let known = above.iter().find(|name| line.contains(&format!("{name}::")));
                assert!(known.is_none(), "{}: {line}", path.display());
            }
        }
    }
}
