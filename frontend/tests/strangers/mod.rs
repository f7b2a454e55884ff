//! Transformations in combinations of three and more, with trees, control flow and batches of 0, 1 and 3: small problems of many
//! fields, their values held to closed forms, differences and loops in plain Rust. Somebody who had read the documents only wrote
//! them (2026-11-30); where he expected something else than what is documented the check says what is.

#![allow(
    clippy::type_complexity,
    clippy::reversed_empty_ranges,
    reason = "tables of programs, some of which are mistakes"
)]

use std::cell::{Cell, RefCell};
use std::fmt::{Debug, Display};
use std::panic::{AssertUnwindSafe, catch_unwind};
use wengert::{Error, Tensor};

mod axes_and_trees;
mod bad_input;
mod budget;
mod checkpoint;
mod collectives;
mod custom_rules;
mod deep_mixes;
mod effects_checks;
mod effects_prints;
mod implicit;
mod jacobians;
mod jet;
mod kinks_and_nans;
mod linear_pullbacks;
mod sparse;
mod tapes;
mod vmap_control;
mod vmap_families;

thread_local! {
    static RIGHT: Cell<usize> = const { Cell::new(0) };
    static WRONG: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

fn s(v: f64) -> Tensor {
    Tensor::from(v)
}
fn t(v: &[f64]) -> Tensor {
    Tensor::from(v)
}
fn mat(rows: usize, cols: usize, v: &[f64]) -> Tensor {
    Tensor::new(&[rows, cols], v)
}
/// Numbers in (-1, 1), always the same.
fn noise(n: usize, seed: u64) -> Vec<f64> {
    let mut z = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    (0..n)
        .map(|_| {
            z = z.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((z >> 11) as f64 / (1u64 << 53) as f64) * 2.0 - 1.0
        })
        .collect()
}
fn noise_of(shape: &[usize], seed: u64) -> Tensor {
    Tensor::new(shape, &noise(shape.iter().product(), seed))
}
fn v(x: &Tensor) -> Vec<f64> {
    x.to_vec::<f64>()
}

fn ok(_: &str) {
    RIGHT.set(RIGHT.get() + 1);
}
fn fail(name: &str, got: impl Display, want: impl Display) {
    WRONG.with_borrow_mut(|all| all.push(format!("{name}: {got} for {want}")));
}
/// Ends a test: fails if a check has.
fn finish() {
    let wrong = WRONG.take();
    assert!(
        wrong.is_empty(),
        "{} of {} wrong:\n{}",
        wrong.len(),
        wrong.len() + RIGHT.get(),
        wrong.join("\n")
    );
    assert!(RIGHT.get() > 10);
}
fn text(p: Box<dyn std::any::Any + Send>) -> String {
    if let Some(s) = p.downcast_ref::<String>() {
        s.clone()
    } else if let Some(s) = p.downcast_ref::<&str>() {
        (*s).to_owned()
    } else {
        "a panic without a text".to_owned()
    }
}
/// Runs checks; a panic is reported and the program goes on.
fn case(name: &str, f: impl FnOnce()) {
    if let Err(p) = catch_unwind(AssertUnwindSafe(f)) {
        fail(name, text(p), "no panic");
    }
}
fn near(a: f64, b: f64, tol: f64) -> bool {
    (a.is_nan() && b.is_nan()) || a == b || (a - b).abs() <= tol * (1.0 + b.abs())
}
fn close(name: &str, got: &[f64], want: &[f64], tol: f64) {
    if got.len() == want.len() && got.iter().zip(want).all(|(&a, &b)| near(a, b, tol)) {
        ok(name);
    } else {
        let show = |x: &[f64]| format!("({}) {:?}", x.len(), &x[..x.len().min(12)]);
        fail(name, show(got), show(want));
    }
}
fn closet(name: &str, got: &Tensor, want: &[f64], tol: f64) {
    close(name, &v(got), want, tol);
}
fn same<T: PartialEq + Debug>(name: &str, got: T, want: T) {
    if got == want {
        ok(name);
    } else {
        fail(name, format!("{got:?}"), format!("{want:?}"));
    }
}
fn yes(name: &str, holds: bool, what: impl Display) {
    if holds {
        ok(name);
    } else {
        fail(name, what, "that it holds");
    }
}
/// A message that must have all the words; of `a|b` one.
fn names(name: &str, message: &str, words: &[&str]) {
    let message = message.replace('\n', " | ");
    let missing: Vec<&&str> = words
        .iter()
        .filter(|w| !w.split('|').any(|w| message.to_lowercase().contains(&w.to_lowercase())))
        .collect();
    if missing.is_empty() {
        ok(&format!("{name}  [{message}]"));
    } else {
        fail(name, &message, format!("a message with {missing:?}"));
    }
}
/// `f` must fail, with a message that has all the words.
fn fails<R>(name: &str, f: impl FnOnce() -> R, words: &[&str]) {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(_) => fail(name, "no error", format!("an error with {words:?}")),
        Err(p) => names(name, &text(p), words),
    }
}
fn fails_with<R>(name: &str, result: Result<R, Error>, words: &[&str]) {
    match result {
        Ok(_) => fail(name, "no error", format!("an error with {words:?}")),
        Err(e) => names(name, &e.to_string(), words),
    }
}
/// The Jacobian by central differences, row after row.
fn differences(f: impl Fn(&[f64]) -> Vec<f64>, x: &[f64]) -> Vec<f64> {
    let h = 1e-5;
    let columns: Vec<Vec<f64>> = (0..x.len())
        .map(|j| {
            let (mut a, mut b) = (x.to_vec(), x.to_vec());
            a[j] += h;
            b[j] -= h;
            f(&a).iter().zip(f(&b)).map(|(p, q)| (p - q) / (2.0 * h)).collect()
        })
        .collect();
    let rows = columns.first().map_or(0, Vec::len);
    (0..rows).flat_map(|i| columns.iter().map(move |c| c[i]).collect::<Vec<_>>()).collect()
}
