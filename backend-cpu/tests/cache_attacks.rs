//! Whose code a cache runs: its owner's only. Each test puts something into the folder that somebody else could have put there.

#![cfg(unix)]

mod common;

use common::{Maker, call, inputs};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use wengert_cpu::{CodeCache, Executable, Options};
use wengert_ir::array::Array;
use wengert_ir::kernel::build::at;
use wengert_ir::kernel::{Extent, KBinary, KOp, LoopKind, Program, Scalar};

/// `x * x` of so many elements.
fn squares(n: i64) -> Program {
    let mut m = Maker::new();
    let (x, y) = (m.param(Scalar::F64, 64), m.result(Scalar::F64, 64));
    m.b.count(Extent::Const(0), Extent::Const(n), 1, LoopKind::Vector, &[], |b, i, _| {
        let v = b.load(at(x, 0, &[(i, 1)]));
        let v = b.op(KOp::Binary(KBinary::Mul), &[v, v], Scalar::F64);
        b.store(at(y, 0, &[(i, 1)]), v);
        vec![]
    });
    m.finish()
}

/// An empty folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("attack-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.parent().expect("a parent")).expect("made");
    folder
}

fn open(folder: &Path) -> CodeCache {
    CodeCache::open_with_secret(folder, &[7; 32]).expect("a cache")
}

fn compiled(cache: &CodeCache) -> Vec<Array> {
    let program = squares(64);
    let executable =
        Executable::compile_cached(&program, &Options::default(), Some(cache)).expect("compiles");
    call(&executable, &program, &inputs(&program, 3))
}

/// A cache that holds one program, and the program's file.
fn filled(name: &str) -> (CodeCache, PathBuf) {
    let cache = open(&folder(name));
    compiled(&cache);
    let files: Vec<PathBuf> =
        fs::read_dir(cache.folder()).expect("a folder").flatten().map(|e| e.path()).collect();
    let [file] = &files[..] else { panic!("{files:?}") };
    assert_eq!(fs::metadata(file).expect("a file").mode() & 0o7777, 0o600);
    (cache, file.clone())
}

/// What lies in the file's place is not used and, if it can be, replaced.
#[track_caller]
fn is_absent(cache: &CodeCache, file: &Path) {
    let (loaded, stored) = (cache.loaded(), cache.stored());
    compiled(cache);
    assert_eq!((cache.loaded(), cache.stored()), (loaded, stored + 1));
    assert!(fs::symlink_metadata(file).expect("a file").is_file());
    compiled(cache);
    assert_eq!((cache.loaded(), cache.stored()), (loaded + 1, stored + 1));
}

#[test]
fn links_pipes_and_folders_are_no_code() {
    let (cache, file) = filled("types");
    let elsewhere = folder("types-elsewhere");
    fs::rename(&file, &elsewhere).expect("moved");
    symlink(&elsewhere, &file).expect("a link");
    is_absent(&cache, &file);
    assert!(elsewhere.is_file(), "what the link led to is left alone");
    fs::remove_file(&file).expect("removed");
    symlink("/no/such/file", &file).expect("a link");
    is_absent(&cache, &file);
    // Nobody writes to the pipe: who waits for that waits for ever.
    fs::remove_file(&file).expect("removed");
    mknodat(CWD, &file, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a pipe");
    is_absent(&cache, &file);
    fs::remove_file(&file).expect("removed");
    fs::create_dir(&file).expect("a folder");
    let before = (cache.loaded(), cache.stored());
    compiled(&cache);
    assert_eq!((cache.loaded(), cache.stored()), before);
}

#[test]
fn files_that_others_may_write_to_are_no_code() {
    let (cache, file) = filled("modes");
    for mode in [0o620, 0o602, 0o666, 0o777] {
        fs::set_permissions(&file, Permissions::from_mode(mode)).expect("set");
        is_absent(&cache, &file);
        assert_eq!(fs::metadata(&file).expect("a file").mode() & 0o7777, 0o600);
    }
}

/// Only the superuser can give files away, so elsewhere this shows nothing.
#[test]
fn files_and_folders_of_others_are_no_code() {
    let (cache, file) = filled("owner");
    if chown(&file, Some(12_345), None).is_err() {
        return;
    }
    is_absent(&cache, &file);
    chown(cache.folder(), Some(12_345), None).expect("given away");
    let refused = CodeCache::open_with_secret(cache.folder(), &[7; 32]).expect_err("refused").to_string();
    assert!(refused.contains("belongs to user 12345"), "{refused}");
}

#[test]
fn folders_that_others_may_write_to_are_refused() {
    let path = folder("open");
    let open = |path: &Path| CodeCache::open_with_secret(path, &[7; 32]);
    open(&path).expect("made");
    assert_eq!(fs::metadata(&path).expect("a folder").mode() & 0o7777, 0o700);
    for mode in [0o720, 0o702, 0o777, 0o1777] {
        fs::set_permissions(&path, Permissions::from_mode(mode)).expect("set");
        let refused = open(&path).expect_err("refused").to_string();
        assert!(refused.contains("others may write"), "{refused}");
    }
    fs::set_permissions(&path, Permissions::from_mode(0o755)).expect("set");
    open(&path).expect("others may look");
    let link = folder("open-link");
    let _ = fs::remove_file(&link);
    symlink(&path, &link).expect("a link");
    let refused = open(&link).expect_err("refused").to_string();
    assert!(refused.contains("open-link: is no folder"), "{refused}");
    let file = folder("open-file");
    let _ = fs::remove_file(&file);
    fs::write(&file, "x").expect("written");
    open(&file).expect_err("a file is no folder");
}

/// What is kept is reached through the folder that was looked at, not through whatever its path means later.
#[test]
fn another_folder_in_its_place_is_not_used() {
    let (cache, _) = filled("swapped");
    let moved = folder("swapped-moved");
    fs::rename(cache.folder(), &moved).expect("moved");
    fs::create_dir(cache.folder()).expect("made");
    fs::set_permissions(cache.folder(), Permissions::from_mode(0o777)).expect("set");
    compiled(&cache);
    assert_eq!((cache.loaded(), cache.stored()), (1, 1));
    let other = Executable::compile_cached(&squares(3), &Options::default(), Some(&cache));
    other.expect("compiles");
    assert_eq!(fs::read_dir(cache.folder()).expect("a folder").count(), 0);
    assert_eq!(fs::read_dir(&moved).expect("a folder").count(), 2);
}

/// A whole, right file that somebody made who does not know the secret: what an archive might bring.
#[test]
fn files_sealed_with_another_secret_are_no_code() {
    let (cache, file) = filled("secret");
    let other = folder("secret-other");
    let theirs = CodeCache::open_with_secret(&other, &[8; 32]).expect("a cache");
    compiled(&theirs);
    let name = file.file_name().expect("a name");
    fs::copy(other.join(name), &file).expect("the same name");
    is_absent(&cache, &file);
}

/// Not a test: what the next one runs, with a home of its own.
#[test]
#[allow(clippy::print_stdout, reason = "the test that runs it reads what it prints")]
fn with_the_secret_of_a_user() {
    let Some(path) = std::env::var_os("WENGERT_TEST_ATTACKED") else { return };
    match CodeCache::open(path) {
        Ok(cache) => {
            compiled(&cache);
            println!("loaded {} stored {}", cache.loaded(), cache.stored());
        }
        Err(e) => println!("refused: {e}"),
    }
}

#[test]
fn a_user_has_one_secret_and_keeps_it() {
    let (home, path) = (folder("home"), folder("home-code"));
    let run = |state: Option<&Path>, home: Option<&Path>| {
        let mut child = Command::new(std::env::current_exe().expect("this test"));
        child
            .args(["with_the_secret_of_a_user", "--exact", "--nocapture"])
            .env("WENGERT_TEST_ATTACKED", &path);
        child.env_remove("XDG_STATE_HOME").env_remove("HOME");
        state.map(|path| child.env("XDG_STATE_HOME", path));
        home.map(|path| child.env("HOME", path));
        let out = child.output().expect("runs");
        assert!(out.status.success(), "{out:?}");
        String::from_utf8_lossy(&out.stdout).into_owned()
    };
    let says = |out: String, part: &str| assert!(out.contains(part), "no `{part}` in {out}");
    says(run(None, Some(&home)), "loaded 0 stored 1");
    says(run(None, Some(&home)), "loaded 1 stored 0");
    let secret = home.join(".local/state/wengert/code-cache.key");
    let data = fs::metadata(&secret).expect("a secret");
    assert_eq!((data.mode() & 0o7777, data.len()), (0o600, 32));
    assert_eq!(fs::metadata(secret.parent().expect("a folder")).expect("there").mode() & 0o7777, 0o700);
    // Another user, or another home: none of this user's code.
    let state = folder("state");
    says(run(Some(&state), Some(&home)), "loaded 0 stored 1");
    says(run(Some(&state), None), "loaded 1 stored 0");
    says(run(None, Some(&home)), "loaded 0 stored 1");
    // One that others know is none.
    for mode in [0o640, 0o604, 0o666] {
        fs::set_permissions(&secret, Permissions::from_mode(mode)).expect("set");
        says(run(None, Some(&home)), "refused: ");
    }
    fs::set_permissions(&secret, Permissions::from_mode(0o600)).expect("set");
    // A damaged one is made anew, which is another.
    fs::write(&secret, [1; 31]).expect("written");
    says(run(None, Some(&home)), "loaded 0 stored 1");
    assert_eq!(fs::metadata(&secret).expect("a secret").len(), 32);
    says(run(None, None), "refused: no place for the secret");
}
