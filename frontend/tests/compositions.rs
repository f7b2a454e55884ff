//! Every transform of every transform (other forms of one with those at the core), three deep for the core, is what its definition says: all transforms here take a
//! function of three numbers to three numbers to another such function, and each has a second definition by forward mode and
//! Rust's loops alone.

#![allow(clippy::redundant_closure, reason = "what is called derefs to a function and is none")]

mod first;
mod further;
mod more;
mod tools;

use tools::{F, Transform, arc, v};
use wengert::{DType, Tensor, jit};

fn transforms() -> Vec<Transform> {
    let more = [more::derivatives(), more::rules(), more::control()];
    let further = [further::memory(), further::matrices(), further::effects()];
    [first::transforms()].into_iter().chain(more).chain(further).flatten().collect()
}

/// Functions with what programs are made of.
fn functions() -> Vec<(&'static str, F)> {
    vec![
        ("smooth", arc(|x| x.sin() * &x + x.get(0) * 0.3)),
        (
            "product",
            arc(|x| Tensor::from([[0.5f64, 0.1, -0.3], [0.2, -0.4, 0.6], [0.0, 0.7, 0.1]]).matmul(&x).tanh()),
        ),
        ("sorted and gathered", arc(|x| x.sort(0) * x.take(&Tensor::from([2i64, 0, 0]), 0))),
        ("updated", arc(|x| x.at(1).add(x.get(2) * x.get(0)).cumsum(0))),
        (
            "solved",
            arc(|x| wengert::linalg::solve(&(Tensor::eye(3, DType::F64) * 3.0 + x.outer(&x)), &x.cos())),
        ),
    ]
}

#[track_caller]
fn close(got: &Tensor, want: &Tensor, what: &str, wrong: &mut Vec<String>) {
    let (got, want) = (got.to_vec::<f64>(), want.to_vec::<f64>());
    let size = want.iter().fold(1.0, |a: f64, b| a.max(b.abs()));
    if got.len() != want.len() || !got.iter().zip(&want).all(|(g, w)| (g - w).abs() <= 1e-9 * size) {
        wrong.push(format!("{what}: {got:?}, by definition {want:?}"));
    }
}

fn check(all: &[&Transform], f: &(&str, F), wrong: &mut Vec<String>) {
    let x = v(&[0.4, -0.3, 0.9]);
    let names: Vec<&str> = all.iter().map(|t| t.name).collect();
    let what = format!("{} of {}", names.join(" of "), f.0);
    let applied = |by: fn(&Transform) -> fn(F) -> F| all.iter().rev().fold(f.1.clone(), |f, t| by(t)(f));
    let run = |f: F, compiled: bool| {
        let x = x.clone();
        let run = move || if compiled { jit(move |x: Tensor| f(x))(x) } else { f(x) };
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(run))
    };
    let want = run(applied(|t| t.defined), false).expect("the definition");
    for compiled in [false, true] {
        match run(applied(|t| t.of), compiled) {
            Ok(got) => close(&got, &want, &what, wrong),
            Err(e) => wrong.push(format!("{what}: {:?}", e.downcast_ref::<String>())),
        }
    }
}

/// What `a` of `b` says, if there is no such derivative: of a rule for reverse mode there is no forward mode, a rule says nothing
/// of series through what it captures, and loops of unknown trips keep no budget.
fn refused(a: &Transform, b: &Transform) -> Option<&'static str> {
    match (a.name, b.name) {
        (_, "custom_vjp") if a.goes_forward() => Some("reverse"),
        ("second derivative of a curve", "custom_jvp of what it captures") => Some("make it an argument"),
        ("grad within memory", "while" | "reap_last") => Some("Give the loop a number of steps"),
        _ => None,
    }
}

/// The pairs whose outer transform is one of a part of them: tests run side by side.
fn pairs(part: usize, parts: usize) {
    let (transforms, functions, mut wrong) = (transforms(), functions(), Vec::new());
    for (k, a) in transforms.iter().enumerate().filter(|(k, _)| k % parts == part) {
        for (l, b) in transforms.iter().enumerate() {
            if a.is_form && !b.is_core || b.is_form && !a.is_core {
                continue;
            }
            // Each pair with one function, so that each transform meets them all.
            let mut found = Vec::new();
            check(&[a, b], &functions[(k + l) % functions.len()], &mut found);
            match refused(a, b) {
                None => wrong.extend(found),
                // Eagerly nobody asks a `custom_jvp` for its rule.
                Some(words) if !found.is_empty() && found.iter().all(|said| said.contains(words)) => {}
                Some(words) => wrong.push(format!("{} of {} says not `{words}`: {found:?}", a.name, b.name)),
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn pairs_1_of_4() {
    pairs(0, 4);
}

#[test]
fn pairs_2_of_4() {
    pairs(1, 4);
}

#[test]
fn pairs_3_of_4() {
    pairs(2, 4);
}

#[test]
fn pairs_4_of_4() {
    pairs(3, 4);
}

#[test]
fn three_deep() {
    let (transforms, functions, mut wrong) = (transforms(), functions(), Vec::new());
    let core: Vec<&Transform> = transforms.iter().filter(|t| t.is_core).collect();
    let mut k = 0;
    for a in &core {
        for b in &core {
            for c in &core {
                check(&[a, b, c], &functions[k % functions.len()], &mut wrong);
                k += 1;
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
