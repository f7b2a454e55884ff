//! Machine code in files: another process takes it instead of compiling; a file that is not what it should be is as good as
//! absent; the folder keeps within its limit.

mod common;

use common::{Maker, call, inputs, run};
use std::path::{Path, PathBuf};
use wengert_cpu::testing::is_taken_back;
use wengert_cpu::{CodeCache, Executable, Options};
use wengert_ir::array::Array;
use wengert_ir::kernel::build::at;
use wengert_ir::kernel::product::{Level, Levels};
use wengert_ir::kernel::{Extent, KBinary, KOp, Library, LoopKind, Matrix, Program, Scalar};
use wengert_ir::math::MathFn;

/// A program whose code refers to all it can: a constant, routines of the math library, a matrix product.
fn program(scale: f64) -> Program {
    let mut m = Maker::new();
    let table = m.constant(Scalar::F64, &[scale.to_le_bytes(); 64].concat());
    let (x, y, z) = (m.param(Scalar::F64, 64), m.scratch(Scalar::F64, 64), m.result(Scalar::F64, 64));
    m.b.count(Extent::Const(0), Extent::Const(64), 1, LoopKind::Sequential, &[], |b, i, _| {
        let (v, c) = (b.load(at(x, 0, &[(i, 1)])), b.load(at(table, 0, &[(i, 1)])));
        let v = b.op(KOp::Math(MathFn::Lgamma), &[v], Scalar::F64);
        let v = b.op(KOp::Binary(KBinary::Mul), &[v, c], Scalar::F64);
        b.store(at(y, 0, &[(i, 1)]), v);
        vec![]
    });
    let matrix = |mem| Matrix { at: at(mem, 0, &[]), row_stride: 8, col_stride: 1, batch_stride: 0 };
    for (a, adds) in [(y, false), (x, true)] {
        let (a, b, c) = (matrix(a), matrix(table), matrix(z));
        let product = Library::Gemm {
            elem: Scalar::F64,
            sizes: [1, 8, 8, 8],
            rows: Levels::new(),
            depth: Levels::new(),
            a,
            b,
            c,
            adds,
        };
        m.b.inst(KOp::Library(Box::new(product)), &[], &[]);
    }
    // Windows: each level is itself when it is read again.
    let out = m.result(Scalar::F64, 96);
    let level = |extent, strides| Level { extent, strides };
    let product = Library::Gemm {
        elem: Scalar::F64,
        sizes: [1, 2, 8, 3],
        rows: Levels::from_slice(&[level(3, [7, 32]), level(2, [2, 16])]),
        depth: Levels::from_slice(&[level(2, [5, 24])]),
        a: Matrix { at: at(x, 0, &[]), row_stride: 3, col_stride: 1, batch_stride: 0 },
        b: Matrix { at: at(table, 0, &[]), row_stride: 8, col_stride: 1, batch_stride: 0 },
        c: Matrix { at: at(out, 0, &[]), row_stride: 8, col_stride: 1, batch_stride: 0 },
        adds: false,
    };
    m.b.inst(KOp::Library(Box::new(product)), &[], &[]);
    m.finish()
}

/// An empty folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cache-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

/// A cache with a secret of these tests.
fn open(folder: &Path) -> CodeCache {
    CodeCache::open_with_secret(folder, &[7; 32]).expect("a cache")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").flatten().map(|e| e.path()).collect();
    files.sort();
    files
}

fn compiled(program: &Program, options: &Options, cache: &CodeCache) -> Vec<Array> {
    let executable = Executable::compile_cached(program, options, Some(cache)).expect("compiles");
    call(&executable, program, &inputs(program, 3))
}

#[test]
fn what_is_kept_is_what_would_be_compiled() {
    let cache = open(&folder("same"));
    let options = Options::default();
    for scale in [1.0, 2.0] {
        let program = program(scale);
        let fresh = run(&program, &options, &inputs(&program, 3));
        assert_eq!(compiled(&program, &options, &cache), fresh);
        assert_eq!(compiled(&program, &options, &cache), fresh);
    }
    // The contents of constants are not part of the code, nor is the name of the program.
    assert_eq!((cache.stored(), cache.loaded(), files(cache.folder()).len()), (1, 3, 1));
    compiled(&program(1.0), &Options { count_steps: true, ..options }, &cache);
    compiled(&program(1.0), &Options { tiles: false, wide: None, vectors: false, ..options }, &cache);
    assert_eq!((cache.stored(), cache.loaded()), (3, 3), "other options are other code");
}

/// Not a test: the second process of the next one.
#[test]
fn second_process() {
    let Some(folder) = std::env::var_os("WENGERT_TEST_CACHE") else { return };
    let cache = open(Path::new(&folder));
    let program = program(1.5);
    assert_eq!(
        compiled(&program, &Options::default(), &cache),
        run(&program, &Options::default(), &inputs(&program, 3))
    );
    assert_eq!((cache.loaded(), cache.stored()), (1, 0), "nothing is compiled again");
}

#[test]
fn another_process_does_not_compile_again() {
    let cache = open(&folder("process"));
    compiled(&program(1.5), &Options::default(), &cache);
    let child = std::process::Command::new(std::env::current_exe().expect("this test"))
        .args(["second_process", "--exact"])
        .env("WENGERT_TEST_CACHE", cache.folder())
        .output()
        .expect("runs");
    assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stdout));
}

#[test]
fn damaged_files_are_ignored() {
    let cache = open(&folder("damaged"));
    let (program, options) = (program(0.5), Options::default());
    let want = compiled(&program, &options, &cache);
    let file = files(cache.folder()).remove(0);
    let good = std::fs::read(&file).expect("a file");
    let mut bad: Vec<Vec<u8>> = (0..good.len())
        .step_by(37)
        .map(|at| {
            let mut bytes = good.clone();
            bytes[at] ^= 1 << (at % 8);
            bytes
        })
        .collect();
    bad.extend((0..good.len()).step_by(101).map(|length| good[..length].to_vec()));
    bad.push([&good[..], &[0]].concat());
    bad.push(vec![0xff; 1 << 16]);
    bad.push(b"wgtcode3".iter().copied().chain([0xff; 64]).collect());
    let count = bad.len() as u64;
    for bytes in bad {
        std::fs::write(&file, bytes).expect("written");
        let before = cache.loaded();
        assert_eq!(compiled(&program, &options, &cache), want);
        assert_eq!(cache.loaded(), before, "a damaged file was used");
    }
    assert_eq!(cache.stored(), 1 + count, "each is replaced by a good one");
    assert_eq!(compiled(&program, &options, &cache), want);
    assert_eq!(cache.loaded(), 1);
}

/// A file that is whole, and whose code refers to a function, a routine or a name space that is not there.
#[test]
fn code_that_refers_to_nothing_is_ignored() {
    let (program, options) = (program(0.5), Options::default());
    let cache = open(&folder("refers"));
    let taken = |change: &dyn Fn(&mut (u32, u32))| {
        let first = |names: &mut [(u32, u32)]| change(names.first_mut().expect("it refers to something"));
        is_taken_back(&cache, &program, &options, first).expect("compiles")
    };
    assert!(taken(&|_| ()));
    assert!(!taken(&|(space, _)| *space = 7));
    assert!(!taken(&|(_, number)| *number = u32::MAX));
    assert!(!taken(&|name| *name = (0, 1000)));
    assert!(!taken(&|name| *name = (2, 1000)));
    assert!(taken(&|_| ()));
}

/// A whole file, under the name of another program's.
#[test]
fn a_file_under_another_name_is_ignored() {
    let cache = open(&folder("swapped"));
    let plain = Options { count_steps: true, ..Options::default() };
    let other = program(0.25);
    compiled(&other, &plain, &cache);
    let first = files(cache.folder()).remove(0);
    compiled(&other, &Options::default(), &cache);
    let second = files(cache.folder()).into_iter().find(|f| *f != first).expect("two files");
    std::fs::copy(&first, &second).expect("copied");
    compiled(&other, &Options::default(), &cache);
    assert_eq!((cache.stored(), cache.loaded()), (3, 0));
}

#[test]
fn what_fits_exactly_is_kept() {
    let folder = folder("exact");
    let cache = open(&folder);
    let compile = |cache: &CodeCache| {
        Executable::compile_cached(&program(1.0), &Options::default(), Some(cache)).expect("compiles");
        files(&folder).len()
    };
    compile(&cache);
    let length = std::fs::metadata(&files(&folder)[0]).expect("a file").len();
    let (exact, less) = (cache.clone().most_bytes(length), cache.clone().most_bytes(length - 1));
    assert_eq!((compile(&exact), cache.loaded(), cache.stored()), (1, 1, 1), "it is read");
    std::fs::remove_file(&files(&folder)[0]).expect("removed");
    assert_eq!((compile(&exact), cache.loaded(), cache.stored()), (1, 1, 2), "it is written and stays");
    compile(&less);
    assert_eq!(cache.loaded(), 1, "it is not read if it is longer");
}

#[test]
fn the_oldest_go_when_there_is_no_room() {
    let folder = folder("full");
    let cache = open(&folder);
    let sized = |n: i64| {
        let mut m = Maker::new();
        let (x, y) = (m.param(Scalar::F64, 64), m.result(Scalar::F64, 64));
        m.b.count(Extent::Const(0), Extent::Const(n), 1, LoopKind::Vector, &[], |b, i, _| {
            let v = b.load(at(x, 0, &[(i, 1)]));
            b.store(at(y, 0, &[(i, 1)]), v);
            vec![]
        });
        m.finish()
    };
    let compile = |n, cache: &CodeCache| {
        Executable::compile_cached(&sized(n), &Options::default(), Some(cache)).expect("compiles");
    };
    compile(1, &cache);
    let first = files(&folder).remove(0);
    let length = std::fs::metadata(&first).expect("a file").len();
    let small = cache.clone().most_bytes(4 * length);
    for n in 2..40 {
        std::thread::sleep(std::time::Duration::from_millis(2));
        compile(n, &small);
        let total: u64 = files(&folder).iter().map(|f| std::fs::metadata(f).expect("a file").len()).sum();
        assert!(total <= 4 * length, "{total} bytes");
    }
    assert!(!first.exists(), "the oldest went");
    compile(39, &small);
    assert_eq!(cache.loaded(), 1, "the newest stayed");
}
