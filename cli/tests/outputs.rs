//! What the command writes: whole or not at all, and a line and status 1 where it cannot be written.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8 path")
}

fn command(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wengert"));
    command.args(words);
    command
}

fn wengert(words: &[&str]) -> Output {
    command(words).output().expect("the command starts")
}

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("outputs-{name}"));
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).expect("a folder");
    dir
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    let mut names: Vec<String> = entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Status 1 and one line that says this.
#[track_caller]
fn fails(out: &Output, parts: &[&str]) {
    let err = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(1), "{err}");
    assert_eq!(err.lines().count(), 1, "{err}");
    assert!(parts.iter().all(|part| err.contains(part)) && !err.contains("panicked"), "{parts:?}: {err}");
}

/// A program of two results, each of 40 kB.
fn program(dir: &Path) -> PathBuf {
    let path = dir.join("program.mlir");
    let source = "func.func public @main() -> (tensor<10000xf32>, tensor<10000xf32>) {
        %0 = stablehlo.iota dim = 0 : tensor<10000xf32>
        %1 = stablehlo.sine %0 : tensor<10000xf32>
        return %0, %1 : tensor<10000xf32>, tensor<10000xf32>
      }";
    fs::write(&path, source).expect("written");
    path
}

/// Every command that prints, on a disk without room.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_standard_output_is_a_failure() {
    let dir = folder("stdout");
    let (program, rosenbrock) = (program(&dir), root().join("examples/c/rosenbrock.mlir"));
    let check = dir.join("check.mlir");
    fs::write(&check, "func.func @main() { return }").expect("written");
    let cases: [&[&str]; 11] = [
        &["run", text(&program)],
        &["opt", text(&rosenbrock)],
        &["opt", text(&rosenbrock), "--print-after-all"],
        &["emit", text(&rosenbrock)],
        &["emit", text(&rosenbrock), "--stage", "asm"],
        &["explain", text(&rosenbrock), "--grad", "0"],
        &["bench", text(&rosenbrock), "--json", "--seconds", "0.01"],
        &["check", text(&check)],
        &["--help"],
        &["--version"],
        &["run", "--help"],
    ];
    for words in cases {
        let full = || fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device");
        let out = command(words).stdout(full()).output().expect("the command starts");
        fails(&out, &["standard output: No space left on device"]);
        // And nobody can be told.
        let out = command(words).stdout(full()).stderr(full()).output().expect("the command starts");
        assert_eq!(out.status.code(), Some(1), "{words:?}");
    }
    // What goes to a file does not need standard output.
    let out = command(&["run", text(&program), "--outputs", text(&dir)])
        .stdout(fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device"))
        .output()
        .expect("the command starts");
    assert!(out.status.success());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_error_leaves_the_status() {
    for (words, status) in [(&["run", "/no/such/file"][..], 1), (&["run"], 2), (&["--frobnicate"], 2)] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device");
        let out = command(words).stderr(full).output().expect("the command starts");
        assert_eq!(out.status.code(), Some(status), "{words:?}");
    }
    // A warning is lost, the program runs.
    let dir = folder("stderr");
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device");
    let out = command(&["run", text(&program(&dir))])
        .env("WENGERT_DUMP", "/dev/null/nowhere")
        .env("WENGERT_CODE_CACHE", "/dev/null/nowhere")
        .stderr(full)
        .output()
        .expect("the command starts");
    assert!(out.status.success(), "{:?}", out.status);
}

/// Streams that are closed when the command starts: it ends, by itself.
#[cfg(unix)]
#[test]
fn closed_streams_end_no_command_by_a_signal() {
    let program = program(&folder("closed"));
    let binary = env!("CARGO_BIN_EXE_wengert");
    for closed in [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"] {
        for words in [format!("run {}", text(&program)), "run /no/such/file".to_owned(), "loop".to_owned()] {
            let line = format!("{binary} {words} {closed}");
            let status =
                Command::new("sh").args(["-c", &line]).stdin(Stdio::null()).status().expect("a shell");
            assert!(matches!(status.code(), Some(0 | 1)), "{line}: {status:?}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn devices_are_written_to_and_say_that_they_are_full() {
    let dir = folder("devices");
    let (program, page) = (root().join("examples/c/rosenbrock.mlir"), dir.join("page.html"));
    fails(&wengert(&["explain", text(&program), "--html", "/dev/full"]), &["/dev/full: No space left"]);
    assert!(wengert(&["explain", text(&program), "--html", "/dev/null"]).status.success());
    assert!(fs::metadata("/dev/null").expect("there").len() == 0 && !Path::new("/dev/null").is_file());
    let out = wengert(&["explain", text(&program), "--html", "/dev/stdout"]);
    assert!(out.status.success());
    assert!(wengert(&["explain", text(&program), "--html", text(&page)]).status.success());
    // The pages differ in the times that they show, and in nothing else.
    let lasting = |page: &[u8]| -> Vec<String> {
        let page = String::from_utf8_lossy(page);
        page.lines().filter(|l| !l.contains(" ms</td>")).map(str::to_owned).collect()
    };
    let (printed, saved) = (lasting(&out.stdout), lasting(&fs::read(&page).expect("a page")));
    assert!(printed.len() > 200, "{} lines", printed.len());
    assert_eq!(printed, saved);
}

/// On a disk with room for one of two results neither appears, and what was there stays as it was. Mounting one takes rights
/// that not everybody has: without, nothing is shown.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_what_was_there() {
    let dir = folder("full");
    let disk = dir.join("disk");
    fs::create_dir(&disk).expect("a folder");
    let (program, rosenbrock) = (program(&dir), root().join("examples/c/rosenbrock.mlir"));
    let (binary, disk) = (env!("CARGO_BIN_EXE_wengert"), text(&disk));
    let on_disk = |script: &str| {
        let all = format!("mount -t tmpfs -o size=64k none {disk} || exit 99; {script}");
        let out =
            Command::new("unshare").args(["--user", "--map-root-user", "--mount", "sh", "-c", &all]).output();
        out.ok().filter(|out| out.status.code() != Some(99) && !out.stderr.starts_with(b"unshare"))
    };
    let Some(out) = on_disk(&format!(
        "echo before > {disk}/out0.npy; {binary} run {} --outputs {disk}; echo $?; ls -A {disk}; cat {disk}/out0.npy",
        text(&program)
    )) else {
        return wengert_ir::testing::skip("unshare", "a small disk cannot be mounted here");
    };
    let (shown, err) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert_eq!(shown, "1\nout0.npy\nbefore\n", "{err}");
    assert!(err.contains("out1.npy: No space left on device") && err.lines().count() == 1, "{err}");
    // Objects, headers, libraries and pages: with two kB left.
    for (words, file) in [
        (format!("build {} -o {disk}/f.o --header", text(&rosenbrock)), "f.o"),
        (format!("build {} -o {disk}/f.so --header", text(&rosenbrock)), "f.so"),
        (format!("explain {} --html {disk}/page", text(&rosenbrock)), "page"),
    ] {
        let fill = format!("head -c 57344 /dev/zero > {disk}/filler; echo before > {disk}/{file}");
        let out = on_disk(&format!("{fill}; {binary} {words}; echo $?; ls -A {disk}; cat {disk}/{file}"));
        let out = out.expect("as before");
        let (shown, err) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
        let mut listed = ["filler", file];
        listed.sort_unstable();
        assert_eq!(shown, format!("1\n{}\n{}\nbefore\n", listed[0], listed[1]), "{words}: {err}");
        assert!(err.contains("No space left on device"), "{err}");
    }
}

/// A result that cannot be put in its place takes the others with it.
#[test]
fn all_results_appear_or_none() {
    let dir = folder("all");
    let program = program(&dir);
    let out = dir.join("results");
    fs::create_dir_all(out.join("out1.npy")).expect("a folder in the way");
    fails(&wengert(&["run", text(&program), "--outputs", text(&out)]), &["out1.npy: "]);
    assert_eq!(names(&out), ["out1.npy"]);
    fails(&wengert(&["run", text(&program), "--outputs", text(&program)]), &["program.mlir: "]);
    let rosenbrock = root().join("examples/c/rosenbrock.mlir");
    let object = dir.join("f.o");
    let words = ["build", text(&rosenbrock), "-o", text(&object), "--header", "/no/such/folder/f.h"];
    fails(&wengert(&words), &["/no/such/folder/f.h: "]);
    fails(
        &wengert(&["build", text(&rosenbrock), "-o", text(&object), "--header", text(&object)]),
        &["f.o: "],
    );
    let library = dir.join("no/f.so");
    fails(&wengert(&["build", text(&rosenbrock), "-o", text(&library)]), &["f.so: "]);
    assert!(!object.exists() && names(&dir) == ["program.mlir", "results"], "{:?}", names(&dir));
}

/// Names that C has another use for: refused if asked for, avoided where the file's name is one.
#[test]
fn symbols_are_names_that_c_takes() {
    let dir = folder("symbols");
    let rosenbrock = root().join("examples/c/rosenbrock.mlir");
    let object = dir.join("f.o");
    for (symbol, why) in [
        ("double", "a keyword of C or C++"),
        ("class", "a keyword of C or C++"),
        ("_start", "begin with an underscore"),
        ("fmod", "C's library"),
        ("main", "a C program begins there"),
        ("int32_t", "<stdint.h>"),
        ("a-b", "letters, digits and underscores"),
    ] {
        let words = ["build", text(&rosenbrock), "-o", text(&object), "--header", "--symbol", symbol];
        fails(&wengert(&words), &[&format!("`{symbol}` is no name for a C function: "), why]);
        assert!(names(&dir).is_empty());
    }
    for (file, symbol) in
        [("double", "f_double"), ("exp", "f_exp"), ("3d", "f_3d"), ("a-b", "a_b"), ("_x", "f__x")]
    {
        let program = dir.join(format!("{file}.mlir"));
        fs::copy(&rosenbrock, &program).expect("copied");
        let object = dir.join("f.o");
        let out = wengert(&["build", text(&program), "-o", text(&object), "--header"]);
        assert!(out.status.success(), "{file}: {}", String::from_utf8_lossy(&out.stderr));
        let header = fs::read_to_string(dir.join("f.h")).expect("a header");
        assert!(header.contains(&format!("int32_t {symbol}(")), "{file}: {header}");
        let main = dir.join("main.cpp");
        fs::write(&main, "#include \"f.h\"\nint main() { return 0; }\n").expect("written");
        let (output, include) = (dir.join("main"), format!("-I{}", text(&dir)));
        let words =
            ["-Wall", "-Wextra", "-Werror", &include, text(&main), "-x", "none", text(&object), "-lm", "-o"];
        let out = Command::new("c++").args(words).arg(&output).output().expect("a C++ compiler");
        assert!(out.status.success(), "{file}: {}", String::from_utf8_lossy(&out.stderr));
    }
}
