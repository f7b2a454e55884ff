//! What rustc says where a signature does not fit: each program of `ui/` is compiled against the library, and its errors must
//! have the sentences after `//~` on their lines (`//~^`: on the line above).

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the libraries that this test was built with.
fn deps() -> PathBuf {
    let this = std::env::current_exe().expect("a test has a file");
    this.parent().expect("it lies in a folder").to_owned()
}

/// What rustc says about a program, and whether it compiles. Nothing is generated.
fn compile(library: &Path, program: &Path) -> (bool, String) {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let out = Command::new(rustc)
        .args(["--edition", "2024", "--crate-type", "bin", "--emit", "metadata", "--error-format", "human"])
        .arg("--out-dir")
        .arg(env!("CARGO_TARGET_TMPDIR"))
        .arg("--extern")
        .arg(format!("wengert={}", library.display()))
        .arg("-L")
        .arg(format!("dependency={}", deps().display()))
        .arg(program)
        .output()
        .expect("rustc runs");
    (out.status.success(), String::from_utf8_lossy(&out.stderr).into_owned())
}

/// The newest library that a right program compiles against: a folder of builds has old ones too.
fn library(folder: &Path) -> PathBuf {
    let mut found: Vec<(std::time::SystemTime, PathBuf)> = std::fs::read_dir(deps())
        .expect("the folder is there")
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|path| {
            let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
            name.starts_with("libwengert-") && name.ends_with(".rlib")
        })
        .filter_map(|path| Some((path.metadata().ok()?.modified().ok()?, path)))
        .collect();
    found.sort();
    let mut said = String::new();
    for (_, path) in found.iter().rev() {
        let (compiles, errors) = compile(path, &folder.join("right.rs"));
        if compiles {
            return path.clone();
        }
        said += &errors;
    }
    panic!("no library in {} compiles a right program:\n{said}", deps().display());
}

#[test]
fn messages_name_the_cause() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui");
    let library = library(&folder);
    let mut programs: Vec<PathBuf> =
        std::fs::read_dir(&folder).expect("programs").filter_map(|e| e.ok().map(|e| e.path())).collect();
    programs.sort();
    let (mut wrong, mut sentences) = (String::new(), 0);
    for program in programs.iter().filter(|p| p.file_name().is_some_and(|n| n != "right.rs")) {
        let text = std::fs::read_to_string(program).expect("a program");
        let (compiles, said) = compile(&library, program);
        if compiles {
            wrong += &format!("{} compiles\n", program.display());
        }
        // Errors are apart by empty lines.
        let errors: Vec<&str> = said.split("\n\n").collect();
        for (k, line) in text.lines().enumerate() {
            let Some((_, sentence)) = line.split_once("//~") else { continue };
            let (number, sentence) = match sentence.strip_prefix('^') {
                Some(above) => (k, above.trim()),
                None => (k + 1, sentence.trim()),
            };
            let place = format!("{}:{number}:", program.display());
            sentences += 1;
            if !errors.iter().any(|e| e.contains(&place) && e.contains(sentence)) {
                wrong += &format!("no error at {place} says: {sentence}\n{said}\n");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(sentences >= 15, "{sentences} sentences");
}
