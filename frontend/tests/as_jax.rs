//! Transforms against JAX's: `golden/transforms.txt`, made by `golden/make_transforms.py`. Each case is a function of a tensor that
//! takes derivatives, batches or both; it is run at once and compiled, and both sides have the same cases.
//!
//! What is not here JAX has not: reverse mode of `while`, derivatives of `pmax`, permutations that leave examples out, collectives of rows
//! along two axes of `vmap`, `all_to_all` differentiated for each example.

#![allow(clippy::redundant_closure, reason = "what is called derefs to a function and is none")]

mod batches;
mod checks;
mod collectives;
mod complex;
mod derivatives;
mod modes;
mod rules;

use crate::common;

use common::numbers;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use wengert::{DType, Failure, Tensor, jit, stack};

/// A function of one tensor.
type One = fn(Tensor) -> Tensor;
type Function = Arc<dyn Fn(Tensor) -> Vec<Tensor> + Send + Sync>;
type Checked = Arc<dyn Fn(Tensor) -> (Failure, Vec<Tensor>) + Send + Sync>;

/// A function that `golden/make_transforms.py` has too, and what it is tried on.
struct Case {
    name: String,
    at: Tensor,
    what: What,
    tolerance: f64,
}

enum What {
    Figures(Function),
    Checks(Checked),
}

/// A function of [`numbers`] of a shape, to the leaves of what it gives.
fn case(
    name: impl Into<String>,
    shape: &[isize],
    f: impl Fn(Tensor) -> Vec<Tensor> + Send + Sync + 'static,
) -> Case {
    Case { name: name.into(), at: numbers(shape), what: What::Figures(Arc::new(f)), tolerance: 1e-12 }
}

/// A function that gives what became of its checks, and what else is compared.
fn case_of_checks(
    name: impl Into<String>,
    at: Tensor,
    f: impl Fn(Tensor) -> (Failure, Vec<Tensor>) + Send + Sync + 'static,
) -> Case {
    Case { name: name.into(), at, what: What::Checks(Arc::new(f)), tolerance: 1e-12 }
}

impl Case {
    /// With another tolerance, for what is found by steps.
    fn within(self, tolerance: f64) -> Self {
        Case { tolerance, ..self }
    }

    /// What it gives at once, and compiled.
    fn run(&self) -> [(&'static str, Result<Vec<Tensor>, String>); 2] {
        let x = || self.at.clone();
        match &self.what {
            What::Figures(f) => {
                let g = f.clone();
                let compiled = jit(move |x: Tensor| g(x));
                [("at once", caught(|| f(x()))), ("compiled", caught(|| compiled(x())))]
            }
            What::Checks(f) => {
                let g = f.clone();
                let compiled = jit(move |x: Tensor| g(x));
                [("at once", caught(|| figures(f(x())))), ("compiled", caught(|| figures(compiled(x()))))]
            }
        }
    }
}

/// What `f` gives, or the message that it fails with.
fn caught(f: impl FnOnce() -> Vec<Tensor>) -> Result<Vec<Tensor>, String> {
    catch_unwind(AssertUnwindSafe(f)).map_err(|panic| match panic.downcast::<String>() {
        Ok(message) => *message,
        Err(other) => match other.downcast::<wengert::Error>() {
            Ok(error) => error.to_string(),
            Err(_) => "it panics without a message".to_owned(),
        },
    })
}

/// What failed and what is said of it, as `golden/make_transforms.py` has it, before what else was given.
fn figures((failure, results): (Failure, Vec<Tensor>)) -> Vec<Tensor> {
    let failed = failure.failed();
    let message = failure.get().err().map(|e| e.message().to_owned()).unwrap_or_default();
    let after = |word: &str| -> f64 {
        let number = |(_, rest): (&str, &str)| rest.split([' ', ')']).next()?.parse::<f64>().ok();
        message.split_once(word).and_then(number).unwrap_or(f64::NAN)
    };
    let is_ours = message.starts_with("check ");
    let mut told = vec![after("check "), if is_ours { after(" of ") } else { f64::NAN }, after("index ")];
    if failed.rank() > 0 {
        told.push(after("(example "));
    }
    [vec![failed.astype(DType::F64), Tensor::from(told)], results].concat()
}

/// Shape and elements of a leaf.
type Leaf = (String, Vec<f64>);

/// JAX's figures by the name of the case.
fn table() -> BTreeMap<&'static str, Vec<Leaf>> {
    let leaf = |part: &str| -> Leaf {
        let (shape, elements) = part.split_once(']').expect("a shape");
        let elements = elements.split_whitespace().map(|v| v.parse().expect("a number")).collect();
        (format!("{shape}]"), elements)
    };
    let case = |line: &'static str| {
        let mut parts = line.split(" | ");
        (parts.next().expect("a name"), parts.map(leaf).collect())
    };
    include_str!("golden/transforms.txt").lines().map(case).collect()
}

/// Shape and elements; the parts of complex numbers along a last dimension.
fn as_leaf(t: &Tensor) -> Leaf {
    let t = if t.is_complex() { stack(&[t.real(), t.imag()], t.rank() as isize) } else { t.clone() };
    (format!("{:?}", t.shape()), t.astype(DType::F64).to_vec::<f64>())
}

/// How leaves differ from JAX's, which are near if they are within a tolerance of the largest of their leaf.
fn difference(got: &[Tensor], want: &[Leaf], tolerance: f64) -> Option<String> {
    if got.len() != want.len() {
        return Some(format!("{} leaves, JAX has {}", got.len(), want.len()));
    }
    for (k, (got, (shape, want))) in got.iter().zip(want).enumerate() {
        let (our_shape, got) = as_leaf(got);
        if our_shape != *shape {
            return Some(format!("leaf {k} has the shape {our_shape}, JAX's {shape}"));
        }
        let size = want.iter().filter(|w| w.is_finite()).fold(1.0, |size: f64, w| size.max(w.abs()));
        let near = |g: f64, w: f64| g == w || (g - w).abs() <= tolerance * size || g.is_nan() && w.is_nan();
        if let Some(i) = got.iter().zip(want).position(|(&g, &w)| !near(g, w)) {
            return Some(format!("leaf {k} at {i} is {:?}, JAX's {:?}", got[i], want[i]));
        }
    }
    None
}

fn check(cases: Vec<Case>) {
    let table = table();
    let mut wrong = Vec::new();
    for case in &cases {
        // What is not there the last test tells of.
        let Some(want) = table.get(case.name.as_str()) else { continue };
        for (how, got) in case.run() {
            let problem = match got {
                Ok(leaves) => difference(&leaves, want, case.tolerance),
                Err(message) => Some(message),
            };
            wrong.extend(problem.map(|problem| format!("{}, {how}: {problem}", case.name)));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn batches_loops_and_branches() {
    check(batches::cases());
}

#[test]
fn named_axes() {
    check(collectives::cases());
}

#[test]
fn jacobians_and_linear_functions() {
    check(derivatives::cases());
}

#[test]
fn complex_numbers() {
    check(complex::cases());
}

#[test]
fn rules_equations_and_checkpoints() {
    check(rules::cases());
}

#[test]
fn what_must_hold() {
    check(checks::cases());
}

#[test]
fn both_sides_have_the_same_cases() {
    let parts = [
        batches::cases(),
        collectives::cases(),
        derivatives::cases(),
        complex::cases(),
        rules::cases(),
        checks::cases(),
    ];
    let names: Vec<String> = parts.into_iter().flatten().map(|case| case.name).collect();
    let ours: BTreeSet<&str> = names.iter().map(String::as_str).collect();
    assert_eq!(ours.len(), names.len(), "a name is there twice");
    let theirs: BTreeSet<&str> = table().into_keys().collect();
    let [alone, missing] =
        [ours.difference(&theirs), theirs.difference(&ours)].map(|names| names.collect::<Vec<_>>());
    assert!(alone.is_empty() && missing.is_empty(), "not in the table: {alone:?}; only there: {missing:?}");
}
