//! `docs/adding-an-operation.md` is followed to the letter: its worked examples are changes to files, found by the lines they stand
//! beside. By default they are only held against the files; `WENGERT_GUIDE=run` makes them in a copy, builds it and runs tests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use wengert_ir::testing::skip;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace").to_owned()
}

/// Where a change stands.
enum Place {
    Below(String),
    Above(String),
    NewFile,
}

struct Change {
    file: String,
    place: Place,
    code: String,
}

/// The changes of each worked example, by its heading.
fn examples() -> Vec<(String, Vec<Change>)> {
    let text = std::fs::read_to_string(root().join("docs/adding-an-operation.md")).expect("the guide");
    let mut out: Vec<(String, Vec<Change>)> = Vec::new();
    let mut lines = text.lines();
    let mut before = String::new();
    while let Some(line) = lines.next() {
        if let Some(title) = line.strip_prefix("## ") {
            out.push((title.to_owned(), Vec::new()));
        } else if line.starts_with("```rust") {
            let code: Vec<&str> = lines.by_ref().take_while(|l| *l != "```").collect();
            let (file, place) = place(&before);
            let example = out.last_mut().expect("a heading before the code");
            example.1.push(Change { file, place, code: code.join("\n") + "\n" });
            before.clear();
        } else {
            before.push_str(line);
            before.push('\n');
        }
    }
    out
}

/// What the last sentence before a piece of code says: "In `FILE`, below `LINE`:", or "New file `FILE`:".
fn place(before: &str) -> (String, Place) {
    let code: Vec<&str> = before.split('`').skip(1).step_by(2).collect();
    if let [.., file] = code[..]
        && before.trim_end().ends_with(&format!("ew file `{file}`:"))
    {
        return (file.to_owned(), Place::NewFile);
    }
    let [.., file, line] = code[..] else { panic!("no file and line before the code: {before}") };
    let says = |word: &str| before.trim_end().ends_with(&format!("n `{file}`, {word} `{line}`:"));
    let place = match (says("below"), says("above")) {
        (true, _) => Place::Below(line.to_owned()),
        (_, true) => Place::Above(line.to_owned()),
        _ => panic!("neither below nor above a line: {before}"),
    };
    (file.to_owned(), place)
}

/// The files under `folder` as they are after the changes.
fn changed(folder: &Path, changes: &[Change]) -> BTreeMap<String, String> {
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    for change in changes {
        let text = files.entry(change.file.clone()).or_insert_with(|| match change.place {
            Place::NewFile => String::new(),
            _ => std::fs::read_to_string(folder.join(&change.file)).expect("a file that the guide names"),
        });
        let (line, offset) = match &change.place {
            Place::NewFile => {
                assert!(!folder.join(&change.file).exists(), "{} is there already", change.file);
                text.push_str(&change.code);
                continue;
            }
            Place::Below(line) => (line, 1),
            Place::Above(line) => (line, 0),
        };
        let lines: Vec<&str> = text.lines().collect();
        let at: Vec<usize> = (0..lines.len()).filter(|&k| lines[k].trim() == line).collect();
        assert_eq!(at.len(), 1, "`{line}` is {} times in {}", at.len(), change.file);
        let (head, tail) = lines.split_at(at[0] + offset);
        *text = [&head.join("\n"), "\n", &change.code, &tail.join("\n"), "\n"].concat();
    }
    files
}

/// No more files and lines than promised, each line where it is said to be.
#[test]
fn an_operation_touches_few_files() {
    let examples = examples();
    assert_eq!(examples.len(), 2);
    for ((title, changes), (files, lines)) in examples.iter().zip([(4, 25), (8, 160)]) {
        let touched: BTreeSet<&str> = changes.iter().map(|c| c.file.as_str()).collect();
        let written: usize = changes.iter().map(|c| c.code.lines().count()).sum();
        assert!(touched.len() <= files, "{title}: {} files", touched.len());
        assert!(written <= lines, "{title}: {written} lines");
        changed(&root(), changes);
    }
}

/// In a copy of the repository that keeps what it has built in `target/guide`.
#[test]
fn the_examples_build_and_pass() {
    if std::env::var_os("WENGERT_GUIDE").is_none_or(|v| v != "run") {
        return skip("time", "the guide's examples are built with WENGERT_GUIDE=run (`.ci/nightly guide`)");
    }
    let copy = root().join("target/guide/copy");
    let _ = std::fs::remove_dir_all(&copy);
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output().expect("git");
    for name in String::from_utf8(listed.stdout).expect("names").split('\0').filter(|n| !n.is_empty()) {
        let to = copy.join(name);
        std::fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
        if root().join(name).is_file() {
            std::fs::copy(root().join(name), to).expect("a copy");
        }
    }
    for (_, changes) in examples() {
        for (name, text) in changed(&copy, &changes) {
            std::fs::write(copy.join(name), text).expect("written");
        }
    }
    let run = |args: &[&str]| {
        let status = Command::new(env!("CARGO"))
            .args(args)
            .current_dir(&copy)
            .env("CARGO_TARGET_DIR", root().join("target/guide/target"))
            .status()
            .expect("cargo");
        assert!(status.success(), "cargo {}", args.join(" "));
    };
    run(&["build", "--workspace", "--quiet"]);
    run(&["test", "--quiet", "-p", "wengert-ir", "--test", "units"]);
    run(&["test", "--quiet", "-p", "wengert-passes", "--test", "passes", "every_operation_on_batches"]);
    run(&["test", "--quiet", "-p", "wengert-cpu", "--test", "compiled"]);
}
