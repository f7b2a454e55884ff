//! Machine code in a folder, asked for in every way: what a function was told is what happens.

use std::path::{Path, PathBuf};
use wengert::{CodeCache, DType, Tensor, jit};

/// An empty folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("code-cache-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn open(folder: &Path) -> CodeCache {
    CodeCache::open_with_secret(folder, &[7; 32]).expect("a cache")
}

fn files(folder: &Path) -> usize {
    std::fs::read_dir(folder).expect("a folder").count()
}

/// An equal function that was compiled before, without files or with others, changes nothing.
#[test]
fn files_are_honoured_whatever_was_compiled_before() {
    let make = || jit(|x: Tensor| x.sin() * 3.5 + 1.25);
    let x = || Tensor::arange(64usize, DType::F32);
    let want = make()(x()).to_vec::<f32>();
    let (first, second) = (folder("first"), folder("second"));
    let cache = open(&first);
    assert_eq!(make().code_cache(&cache)(x()).to_vec::<f32>(), want);
    assert_eq!((cache.loaded(), cache.stored(), files(&first)), (0, 1, 1));
    // The same files again: the program is at hand.
    assert_eq!(make().code_cache(&cache)(x()).to_vec::<f32>(), want);
    assert_eq!((cache.loaded(), cache.stored()), (0, 1));
    // Other files, and the same ones opened anew.
    let other = open(&second);
    assert_eq!(make().code_cache(&other)(x()).to_vec::<f32>(), want);
    assert_eq!((other.loaded(), other.stored(), files(&second)), (0, 1, 1));
    let again = open(&first);
    assert_eq!(make().code_cache(&again)(x()).to_vec::<f32>(), want);
    assert_eq!((again.loaded(), again.stored()), (1, 0));
    // A folder that has been emptied is filled.
    std::fs::remove_dir_all(&first).expect("removed");
    let anew = open(&first);
    assert_eq!(make().code_cache(&anew)(x()).to_vec::<f32>(), want);
    assert_eq!((anew.loaded(), anew.stored(), files(&first)), (0, 1, 1));
    // And without files none is touched.
    assert_eq!(make()(x()).to_vec::<f32>(), want);
    assert_eq!((anew.stored(), again.loaded(), other.stored()), (1, 1, 1));
}

/// Which functions of the host are called where is part of what code is: equal calls of one function and of two are two programs.
#[test]
fn code_that_calls_other_functions_is_other_code() {
    let cache = open(&folder("callbacks"));
    let with = |a: f64, b: Option<f64>| {
        let first = move |x: Tensor| x + a;
        let (x, y) = (Tensor::from([1.0f64, 2.0]), Tensor::from([10.0f64, 20.0]));
        let f = jit(move |x: Tensor, y: Tensor| {
            let one = wengert::callback(first, &x, (x.clone(),));
            match b {
                None => one * wengert::callback(first, &y, (y.clone(),)),
                Some(b) => one * wengert::callback(move |y: Tensor| y + b, &y, (y.clone(),)),
            }
        });
        f.code_cache(&cache)(x, y).to_vec::<f64>()
    };
    assert_eq!(with(1.0, None), [22.0, 63.0]);
    assert_eq!(with(1.0, Some(5.0)), [30.0, 75.0]);
    // The other functions of a program that is known are its own.
    assert_eq!(with(2.0, Some(0.0)), [30.0, 80.0]);
    assert_eq!(with(2.0, None), [36.0, 88.0]);
}
