//! Every transform of every transform, three deep for those at the core, is what its definition says: all transforms here take a
//! function of three numbers to three numbers to another such function, and each has a second definition by forward mode and
//! Rust's loops alone.

#![allow(clippy::redundant_closure, reason = "what is called derefs to a function and is none")]

use std::sync::Arc;
use wengert::{
    DType, Keep, Save, ScanOptions, Tensor, checkpoint, cond, custom_jvp, fori_loop, grad, jacfwd, jacrev,
    jet, jit, jvp, linearize, scan, scan_with, sparse_jacobian, stack, tree, vjp, vmap, while_loop,
};

type F = Arc<dyn Fn(Tensor) -> Tensor + Send + Sync>;

fn arc(f: impl Fn(Tensor) -> Tensor + Send + Sync + 'static) -> F {
    Arc::new(f)
}

fn v(values: &[f64]) -> Tensor {
    Tensor::from(values)
}

/// A vector that products are taken with.
fn direction() -> Tensor {
    v(&[0.3, -1.2, 0.7])
}

/// The product of the Jacobian of `f` with a vector, by forward mode.
fn product(f: &F, x: &Tensor, t: &Tensor) -> Tensor {
    let f = f.clone();
    jvp(move |x: Tensor| f(x), (x.clone(),), (t.clone(),)).1
}

/// The Jacobian of `f` by columns, one after the other.
fn by_columns(f: &F, x: &Tensor) -> Tensor {
    let columns: Vec<Tensor> = (0..3).map(|k| product(f, x, &Tensor::eye(3, DType::F64).get(k))).collect();
    stack(&columns, 1)
}

/// A transform of functions of three numbers, and what it is by definition.
struct Transform {
    name: &'static str,
    is_core: bool,
    of: fn(F) -> F,
    defined: fn(F) -> F,
}

fn transforms() -> Vec<Transform> {
    let row = |name, is_core, of, defined| Transform { name, is_core, of, defined };
    vec![
        row(
            "grad",
            true,
            |f| {
                arc(move |x| {
                    grad({
                        let f = f.clone();
                        move |x: Tensor| f(x).sum()
                    })(x)
                })
            },
            |f| arc(move |x| by_columns(&f, &x).sum_axis(0)),
        ),
        row(
            "jit",
            true,
            |f| {
                let f = jit(move |x: Tensor| f(x));
                arc(move |x| f(x))
            },
            |f| f,
        ),
        row(
            "jvp",
            true,
            |f| arc(move |x| product(&f, &x, &direction())),
            |f| arc(move |x| by_columns(&f, &x).matmul(&direction())),
        ),
        row(
            "vjp",
            true,
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    vjp(move |x: Tensor| f(x), (x,)).1.call(direction()).0
                })
            },
            |f| arc(move |x| by_columns(&f, &x).t().matmul(&direction())),
        ),
        row(
            "vmap",
            true,
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    vmap(move |x: Tensor| f(x))(stack(&[x.clone(), &x * 0.5 + 0.1], 0)).sum_axis(0)
                })
            },
            |f| arc(move |x| f(x.clone()) + f(&x * 0.5 + 0.1)),
        ),
        row(
            "checkpoint",
            true,
            |f| {
                let f = checkpoint(move |x: Tensor| f(x));
                arc(move |x| f(x))
            },
            |f| f,
        ),
        row(
            "scan",
            true,
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    scan(move |c: Tensor, s: Tensor| (f(&c * s), ()), x, v(&[0.5, 0.8])).0
                })
            },
            |f| arc(move |x| f(f(x * 0.5) * 0.8)),
        ),
        row(
            "while",
            false,
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    let step = move |(k, c): (Tensor, Tensor)| (k + 1.0, f(c * 0.7));
                    while_loop(|(k, _): (Tensor, Tensor)| k.less(2.0), step, (Tensor::from(0.0f64), x)).1
                })
            },
            |f| arc(move |x| f(f(x * 0.7) * 0.7)),
        ),
        row(
            "for",
            false,
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    fori_loop(0, 2, move |_, c: Tensor| f(c * 0.6), x)
                })
            },
            |f| arc(move |x| f(f(x * 0.6) * 0.6)),
        ),
        row(
            "cond",
            false,
            |f| {
                arc(move |x| {
                    let (f, g) = (f.clone(), f.clone());
                    cond(&x.sum().greater(0.2), move |x: Tensor| f(x), move |x: Tensor| g(x * 0.5), x.clone())
                })
            },
            |f| {
                arc(move |x| {
                    let here = x.sum().greater(0.2).broadcast_to(&[3]);
                    here.select(&f(x.clone()), &f(&x * 0.5))
                })
            },
        ),
        row(
            "jacfwd",
            false,
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    jacfwd(move |x: Tensor| f(x))(x).matmul(&direction())
                })
            },
            |f| arc(move |x| by_columns(&f, &x).matmul(&direction())),
        ),
        row(
            "jacrev",
            false,
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    jacrev(move |x: Tensor| f(x))(x).matmul(&direction())
                })
            },
            |f| arc(move |x| by_columns(&f, &x).matmul(&direction())),
        ),
        row(
            "second derivative of a curve",
            false,
            |f| {
                arc(move |x| {
                    let (f, still) = (f.clone(), x.zeros_like());
                    let (_, all) = jet(move |x: Tensor| f(x), (x,), &[(direction(),), (still,)]);
                    all[1].clone()
                })
            },
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    let first = arc(move |x| by_columns(&f, &x).matmul(&direction()));
                    by_columns(&first, &x).matmul(&direction())
                })
            },
        ),
        row(
            "linearize",
            false,
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    linearize(move |x: Tensor| f(x), (x,)).1.call((direction(),))
                })
            },
            |f| arc(move |x| by_columns(&f, &x).matmul(&direction())),
        ),
        row(
            "sparse_jacobian",
            false,
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    sparse_jacobian(move |x: Tensor| f(x))(x).matvec(&direction())
                })
            },
            |f| arc(move |x| by_columns(&f, &x).matmul(&direction())),
        ),
        row(
            "checkpoint that keeps contractions",
            false,
            |f| {
                let f = checkpoint(move |x: Tensor| f(x)).keep(Keep::Contractions);
                arc(move |x| f(x))
            },
            |f| f,
        ),
        row(
            "scan in segments",
            false,
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    let options = ScanOptions { save: Save::Root, ..Default::default() };
                    scan_with(
                        move |c: Tensor, s: Tensor| (f(&c * s), ()),
                        x,
                        v(&[0.5, 0.8, 0.9, 0.7]),
                        options,
                    )
                    .0
                })
            },
            |f| arc(move |x| f(f(f(f(x * 0.5) * 0.8) * 0.9) * 0.7)),
        ),
        row(
            "custom_jvp",
            false,
            |f| {
                arc(move |x| {
                    let (f, g) = (f.clone(), f.clone());
                    custom_jvp(
                        move |x: Tensor| f(x),
                        move |(x,): (Tensor,), (t,): (Tensor,)| {
                            let g = g.clone();
                            jvp(move |x: Tensor| g(x), (x,), (t,))
                        },
                    )(x)
                })
            },
            |f| f,
        ),
        row(
            "map over a batch without a dimension of its own",
            false,
            |f| {
                arc(move |x| {
                    let f = f.clone();
                    vmap(move |_: Tensor, x: Tensor| f(x)).in_axes([Some(0), None])(v(&[1.0, 2.0]), x)
                        .mean_axes(&[0])
                })
            },
            |f| f,
        ),
        row("tree", false, |f| arc(move |x| tree::map(&(x,), |x| f(x.clone())).0), |f| f),
    ]
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

#[test]
fn pairs() {
    let (transforms, functions, mut wrong) = (transforms(), functions(), Vec::new());
    for (k, a) in transforms.iter().enumerate() {
        for (l, b) in transforms.iter().enumerate() {
            // Each pair with one function, so that each transform meets them all.
            check(&[a, b], &functions[(k + l) % functions.len()], &mut wrong);
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
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
