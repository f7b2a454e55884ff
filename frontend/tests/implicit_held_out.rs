//! Checkpoints, segments of loops, and what equations define, held out: each beside one by other means.

use crate::common;

use common::{close, numbers};
use wengert::*;

type One = fn(Tensor) -> Tensor;
type View = fn(One, Tensor) -> Tensor;
type Pair = (Tensor, Tensor);

fn loss(f: One) -> impl Fn(Tensor) -> Tensor + Send + Sync + 'static {
    move |x| {
        let y = f(x);
        ((&y * &y).sin() + &y * 0.5).sum()
    }
}

/// What is compared of two functions, and whether it is compared in batches too.
const VIEWS: &[(&str, bool, View)] = &[
    ("values", true, |f, x| f(x)),
    ("slopes", true, |f, x| grad(loss(f))(x)),
    ("forward", true, |f, x| jvp(f, (x.clone(),), (x.cos(),)).1),
    ("grad(grad)", true, |f, x| grad(move |x: Tensor| (grad(loss(f))(x.clone()) * (&x * &x + 0.3)).sum())(x)),
    ("hessian", false, |f, x| hessian(loss(f))(x)),
];

#[track_caller]
fn near(got: &Tensor, want: &Tensor, tolerance: f64, what: &str) {
    assert_eq!((got.shape(), got.dtype()), (want.shape(), want.dtype()), "{what}");
    let [got, want] = [got, want].map(Tensor::to_vec::<f64>);
    for (x, y) in got.iter().zip(&want) {
        assert!((x - y).abs() <= tolerance * (1.0 + y.abs()), "{what}: {got:?} instead of {want:?}");
    }
}

fn of_rows(f: impl Fn(Tensor) -> Tensor, batch: &Tensor) -> Tensor {
    stack(&(0..batch.shape()[0]).map(|k| f(batch.get(k))).collect::<Vec<_>>(), 0)
}

/// Compares all views of `f` at `x`, and near it, with those of `other`, to the last of the tolerances.
#[track_caller]
fn check(tolerances: &[f64], x: &Tensor, f: One, other: One) {
    let tolerance = tolerances[tolerances.len() - 1];
    let n = x.shape()[0] as isize;
    let batch = x.reshape(&[1, n]) + numbers(&[3, n]) * 0.1;
    for &(what, in_batches, view) in VIEWS {
        let want = view(other, x.clone());
        near(&view(f, x.clone()), &want, tolerance, what);
        near(&jit(move |x: Tensor| view(f, x))(x.clone()), &want, tolerance, &format!("jit {what}"));
        if in_batches {
            let want = of_rows(|x| view(other, x), &batch);
            let all = vmap(move |x: Tensor| view(f, x));
            near(&all(batch.clone()), &want, tolerance, &format!("vmap {what}"));
            near(&jit(all)(batch.clone()), &want, tolerance, &format!("jit vmap {what}"));
        }
    }
    let want = of_rows(|x| grad(loss(other))(x), &batch);
    let of_batch = jit(grad(move |x: Tensor| vmap(loss(f))(x).sum()));
    near(&of_batch(batch), &want, tolerance, "slopes of a batch");
}

/// The matrix of a linear function.
fn matrix(a: impl Fn(Tensor) -> Tensor, n: usize) -> Tensor {
    let columns: Vec<Tensor> = (0..n).map(|k| a(Tensor::eye(n, DType::F64).get(k))).collect();
    stack(&columns, 1)
}

fn dense(a: &Operator<Tensor>, y: Tensor) -> Tensor {
    linalg::solve(&matrix(|v| Func::call_with(a, (v,)), y.shape()[0]), &y)
}

/// Newton's method with slopes by differences.
fn newton(f: &Operator<Tensor>, start: Tensor) -> Tensor {
    let n = start.shape()[0];
    let step = |_, x: Tensor| {
        let y = f(x.clone());
        let slopes = matrix(|e| (f(&x + e * 1e-6) - &y) * 1e6, n);
        &x - linalg::solve(&slopes, &y)
    };
    fori_loop(0, 12, step, start)
}

fn eye(n: usize) -> Tensor {
    Tensor::eye(n, DType::F64)
}

fn zeros(n: usize) -> Tensor {
    Tensor::zeros(&[n], DType::F64)
}

fn block(w: Tensor, h: Tensor) -> Tensor {
    w.matmul(&h).tanh() + h
}

/// Two heads; `w` has queries, keys and values.
fn attention(w: Tensor, h: Tensor) -> Tensor {
    let [q, k, v] = [0, 1, 2].map(|part| h.matmul(&w.get(part)));
    let scores = q.matmul(&k.swap_axes(-1, -2)) / 2f64.sqrt();
    scores.softmax(-1).matmul(&v).sum_axes(&[0]) + h
}

/// Steps of a recurrent network of two units.
fn recurrent(x: &Tensor) -> impl Fn(Tensor, Tensor) -> Pair + 'static {
    let (w, u) = (x.get(..4).reshape(&[2, 2]) * 0.4, x.get(4..6));
    move |h, input| {
        let h = (w.matmul(&h) + &u * &input).tanh();
        (h.clone(), h.square() + &input)
    }
}

fn smooth(h: Tensor, row: Tensor) -> Pair {
    let h = h * 0.9 + row.sin() * 0.1;
    (h.clone(), h)
}

/// A damped pendulum, by the midpoint rule with steps that depend on how fast it is.
fn swing(k: Tensor) -> impl Fn(Pair) -> Pair {
    move |(angle, speed)| {
        let dt = (&speed * &speed + 5.0).recip();
        let force = |a: &Tensor, v: &Tensor| -(a.sin() * &k) - v * 0.5;
        let (a, v) = (&angle + &speed * &dt * 0.5, &speed + force(&angle, &speed) * &dt * 0.5);
        (angle + &v * &dt, speed + force(&a, &v) * dt)
    }
}

fn swings((a, v): Pair) -> Tensor {
    (&a * &a + &v * &v).greater(0.05)
}

fn poisson(x: Tensor) -> Tensor {
    let a = (&x * 0.5).exp();
    let off = a.get(1..8);
    let m = (a.get(..8) + a.get(1..)).diag(0) - off.diag(1) - off.diag(-1);
    linalg::solve(&m, &(x.get(1..) + 0.5))
}

fn labels() -> Tensor {
    Tensor::from([1.0f64, -1.0, 1.0, 1.0, -1.0])
}

fn validation(w: &Tensor) -> Tensor {
    (-(numbers(&[5, 2]).cos().matmul(w) * labels())).softplus().mean()
}

/// Resistances and couplings.
fn circuit(x: &Tensor) -> Pair {
    (x.get(..3).sin() * 0.2 + 1.0, numbers(&[3, 3]) * x.get(3..).sin() * 0.1)
}

/// Tests of functions of so many numbers, each beside one written by other means.
macro_rules! held_out {
    ($($(#[$about:meta])* $name:ident($n:literal $(, $tolerance:literal)?): $f:expr, $other:expr;)+) => {
        $(#[test] $(#[$about])* fn $name() { check(&[1e-8 $(, $tolerance)?], &numbers(&[$n]), $f, $other); })+
    };
}

held_out! {
    residual_network_of_checkpoints_with_shared_weights(12):
    |x| {
        let w = x.get(3..).reshape(&[3, 3]);
        let layer = checkpoint(move |h: Tensor| block(w.clone(), h));
        (0..4).fold(x.get(..3), |h, _| layer(h))
    },
    |x| (0..4).fold(x.get(..3), |h, _| block(x.get(3..).reshape(&[3, 3]), h));
    attention_that_keeps_contractions(24):
    |x| {
        let w = x.reshape(&[3, 2, 2, 2]);
        let first = checkpoint(attention).keep(Keep::Contractions);
        let second = checkpoint(attention).keep(Keep::UnbatchedContractions);
        second(w.clone(), first(w, numbers(&[4, 2])))
    },
    |x| {
        let w = x.reshape(&[3, 2, 2, 2]);
        attention(w.clone(), attention(w, numbers(&[4, 2])))
    };
    recurrent_network_in_segments_both_ways(8):
    |x| {
        let back = ScanOptions { reverse: true, save: Save::Every(7), ..ScanOptions::default() };
        let forth = ScanOptions { save: Save::Root, ..ScanOptions::default() };
        let (first, all) = scan_with(recurrent(&x), x.get(6..), numbers(&[50]), back);
        let (last, smoothed) = scan_with(smooth, first.clone(), all, forth);
        concatenate(&[first, last, smoothed.ravel()], 0)
    },
    |x| {
        let (first, all) = scan(recurrent(&x), x.get(6..), numbers(&[50]).flip(0));
        let (last, smoothed) = scan(smooth, first.clone(), all.flip(0));
        concatenate(&[first, last, smoothed.ravel()], 0)
    };
    integrators_until_a_tolerance(4):
    |x| {
        let rate = x.get(..2).sin() * 0.2 + 0.5;
        let decay = move |y: Tensor| &y - &y * &rate * 0.1;
        let y = while_loop_with(|y: Tensor| y.max().greater(0.01), decay, x.get(2..).exp(), Save::Root);
        let start = (x.get(0).sin() + 2.0, x.get(1));
        let (a, v) = while_loop_with(swings, swing(x.get(3).exp()), start, Save::Every(5));
        concatenate(&[y, stack(&[a, v], 0)], 0)
    },
    |x| {
        let base = 1.0 - (x.get(..2).sin() * 0.2 + 0.5) * 0.1;
        let start = x.get(2..).exp();
        // How many steps have no derivative.
        let steps = ((0.01 / &start).log() / base.log()).ceil().max();
        let y = start * base.pow(stop_gradient(&steps));
        let (a, v) = while_loop(swings, swing(x.get(3).exp()), (x.get(0).sin() + 2.0, x.get(1)));
        concatenate(&[y, stack(&[a, v], 0)], 0)
    };
    ridge_regression(19):
    |x| {
        let (a, weight) = (x.get(1..13).reshape(&[6, 2]), x.get(0).exp());
        let b = a.t().matmul(&x.get(13..));
        let products = move |w: Tensor| a.t().matmul(&a.matmul(&w)) + &w * &weight;
        custom_linear_solve(products, b, |a, b| linalg::cg(a, b, 1e-14, 20))
    },
    |x| {
        let a = x.get(1..13).reshape(&[6, 2]);
        linalg::solve(&(a.t().matmul(&a) + eye(2) * x.get(0).exp()), &a.t().matmul(&x.get(13..)))
    };
    /// Flows between neighbours, and what is left of them at each.
    poisson_with_variable_coefficients(9):
    |x| {
        let (a, next) = ((&x * 0.5).exp(), Tensor::eye_offset(9, 8, -1, DType::F64));
        let edges = Tensor::eye_offset(9, 8, 0, DType::F64) - next;
        let products = move |u: Tensor| edges.t().matmul(&(edges.matmul(&u) * &a));
        custom_linear_solve(products, x.get(1..) + 0.5, |a, b| linalg::cg(a, b, 1e-14, 200))
    },
    poisson;
    advection_and_diffusion_on_a_ring(6):
    |x| {
        let (v, d) = (x.clone(), x.sin() * 0.3 + 1.0);
        let products = move |u: Tensor| {
            let (left, right) = (u.roll(1, 0), u.roll(-1, 0));
            &u - (&left + &right - &u * 2.0) * &d + (right - left) * &v * 0.5
        };
        custom_linear_solve(products, x.cos(), |a, b| linalg::bicgstab(a, b, 1e-14, 60))
    },
    |v| {
        let d = v.sin() * 0.3 + 1.0;
        let (left, right) = ((&v * -0.5 - &d).diag(0), (&v * 0.5 - &d).diag(0));
        let shift = eye(6).roll(1, 1);
        linalg::solve(&((&d * 2.0 + 1.0).diag(0) + right.matmul(&shift) + left.matmul(&shift.t())), &v.cos())
    };
    stencil_with_zeros_around(9):
    |x| {
        let a = (&x * 0.5).exp();
        let products = move |u: Tensor| -(u.pad(&[(1, 1)], 0.0).diff(1, 0) * &a).diff(1, 0);
        custom_linear_solve(products, x.get(1..) + 0.5, |a, b| linalg::cg(a, b, 1e-14, 200))
    },
    poisson;
    /// A root in a checkpoint in a scan in segments: growth to a capacity, by implicit Euler steps.
    implicit_steps_in_checkpoints_in_a_scan(4):
    |x| {
        let (r, k) = (x.get(..2).sin() * 0.2 + 0.5, x.get(2..).exp());
        let step = checkpoint(move |y: Tensor| {
            let (r, k, before) = (r.clone(), k.clone(), y.clone());
            let f = move |z: Tensor| &z - &before - &z * &r * 0.5 * (1.0 - &z / &k);
            custom_root(f, y, newton, dense)
        });
        let options = ScanOptions { length: Some(10), save: Save::Every(4), ..ScanOptions::default() };
        let step = |y: Tensor, ()| (step(y.clone()), y);
        let (last, all) = scan_with(step, Tensor::from([0.2f64, 0.5]), (), options);
        concatenate(&[last, all.ravel()], 0)
    },
    |x| {
        let (r, k) = (x.get(..2).sin() * 0.2 + 0.5, x.get(2..).exp());
        let (a, b) = (&r * 0.5 / &k, 1.0 - &r * 0.5);
        let mut all = vec![Tensor::from([0.2f64, 0.5])];
        for _ in 0..10 {
            let y = (&b * &b + &a * &all[0] * 4.0).sqrt() - &b;
            all.insert(0, y / (&a * 2.0));
        }
        all[1..].reverse();
        concatenate(&all, 0)
    };
    /// Two substances that bind each other, of each what is free: a pair as the unknown.
    chemical_equilibrium(6):
    |x| {
        let [a, b, k] = [0, 2, 4].map(|at| (x.get(at..at + 2) * 0.5).exp());
        let free = move |(u, v): Pair| (&a / (v * &k + 1.0), &b / (u * &k + 1.0));
        let (u, v) = fixed_point(free, (zeros(2), zeros(2)), 1e-14);
        concatenate(&[u, v], 0)
    },
    |x| {
        let [a, b, k] = [0, 2, 4].map(|at| (x.get(at..at + 2) * 0.5).exp());
        let half = (&k * &b - &k * &a + 1.0) * 0.5;
        let u = ((&half * &half + &k * &a).sqrt() - &half) / &k;
        let v = b / (&u * k + 1.0);
        concatenate(&[u, v], 0)
    };
    deep_equilibrium_of_a_batch(12):
    |x| {
        let (w, b) = (x.get(..9).reshape(&[3, 3]) * 0.25, x.get(9..));
        let layer = move |u: Tensor| {
            let (w, b) = (w.clone(), b.clone());
            fixed_point(move |z: Tensor| (w.matmul(&z) + &u + &b).tanh(), zeros(3), 1e-15)
        };
        vmap(layer)(numbers(&[4, 3]))
    },
    |x| {
        let (w, b) = (x.get(..9).reshape(&[3, 3]).t() * 0.25, x.get(9..));
        let step = move |_, z: Tensor| (z.matmul(&w) + numbers(&[4, 3]) + &b).tanh();
        fori_loop(0, 120, step, numbers(&[4, 3]) * 0.0)
    };
    /// A logistic regression's loss on new data, by the weight of its penalty and its own data.
    bilevel_optimization(11):
    |x| {
        let training = move |w: Tensor| {
            let margins = x.get(1..).reshape(&[5, 2]).matmul(&w) * labels();
            (-margins).softplus().mean() + w.square().sum() * x.get(0).exp() * 0.5
        };
        validation(&custom_root(grad(training), zeros(2), newton, dense))
    },
    |x| {
        let (a, weight) = (x.get(1..).reshape(&[5, 2]), x.get(0).exp());
        let step = |w: Tensor| {
            let p = ((a.matmul(&w) * labels()).exp() + 1.0).recip();
            let slope = &w * &weight - a.t().matmul(&(labels() * &p)) * 0.2;
            let curve = (&p - &p * &p) * 0.2;
            &w - linalg::solve(&((a.t() * curve).matmul(&a) + eye(2) * &weight), &slope)
        };
        validation(&(0..9).fold(zeros(2), |w, _| step(w)))
    };
    /// Anomalies of orbits, there and back.
    kepler(4):
    |x| {
        let e = x.sin() * 0.1 + 0.4;
        let (mean, flat) = (&x - &e * x.sin(), e.clone());
        let bisect = |f: &Operator<Tensor>, start: Tensor| {
            let halve = |_, (low, high): Pair| {
                let middle = (&low + &high) * 0.5;
                let right = f(middle.clone()).less(0.0);
                (right.select(&middle, &low), right.select(&high, &middle))
            };
            fori_loop(0, 55, halve, (&start - 1.0, start + 1.0)).0
        };
        let start = mean.clone();
        let f = move |x: Tensor| &x - &flat * x.sin() - &mean;
        let anomaly = custom_root(f, start, bisect, |j, y| &y / j(y.ones_like()));
        concatenate(&[anomaly.sin(), e * anomaly], 0)
    },
    |x| concatenate(&[x.sin(), (x.sin() * 0.1 + 0.4) * &x], 0);
    linear_systems_of_pairs(10):
    |x| {
        let (a, h) = (x.get(..8).reshape(&[2, 4]), x.get(..4).sin() + 3.0);
        let products = move |(u, v): Pair| (&h * &u + a.t().matmul(&v), v * 2.0 - a.matmul(&u));
        let b = (x.get(4..8).cos(), x.get(8..));
        let (u, v) = custom_linear_solve(products, b, |a, b| linalg::bicgstab(a, b, 1e-14, 60));
        concatenate(&[u, v], 0)
    },
    |x| {
        let a = x.get(..8).reshape(&[2, 4]);
        let top = hstack(&[(x.get(..4).sin() + 3.0).diag(0), a.t()]);
        let m = vstack(&[top, hstack(&[-a, eye(2) * 2.0])]);
        linalg::solve(&m, &concatenate(&[x.get(4..8).cos(), x.get(8..)], 0))
    };
    /// Currents of coupled circuits; the matrix is neither symmetric nor Hermitian.
    complex_impedances(6):
    |x| {
        let (r, k) = circuit(&x);
        let (r, k) = (Tensor::complex(&r, &r.zeros_like()), Tensor::complex(&k.zeros_like(), &k));
        let products = move |z: Tensor| &r * &z + k.matmul(&z);
        let b = Tensor::complex(&x.get(..3).cos(), &x.get(3..));
        let z = custom_linear_solve(products, b, |a, b| {
            fori_loop(0, 100, |_, z: Tensor| &z + &b - a(z.clone()), b.clone())
        });
        concatenate(&[z.real(), z.imag()], 0)
    },
    |x| {
        let (r, k) = circuit(&x);
        let m = vstack(&[hstack(&[r.diag(0), -&k]), hstack(&[k, r.diag(0)])]);
        linalg::solve(&m, &concatenate(&[x.get(..3).cos(), x.get(3..)], 0))
    };
    checkpoint_in_vmap_in_grad(6):
    |x| {
        let one = |w: Tensor, u: Tensor| w.matmul(&u).tanh().square().sum();
        let each = vmap(checkpoint(one).keep(Keep::Contractions)).in_axes([None, Some(0)]);
        grad(move |w: Tensor| each(w, numbers(&[5, 2])).sum())(x.reshape(&[3, 2]))
    },
    |x| {
        let u = numbers(&[5, 2]);
        let h = u.matmul(&x.reshape(&[3, 2]).t()).tanh();
        ((&h - &h * &h * &h) * 2.0).t().matmul(&u)
    };
    single_precision(3, 2e-4):
    |x| {
        let x = x.astype(DType::F32);
        let (shift, scale) = (x.clone(), x.cos() + 2.0);
        let z = fixed_point(move |z: Tensor| z.sin() * 0.5 + &shift, x, 1e-6);
        let y = custom_linear_solve(move |y: Tensor| &scale * y, z, |a, b| linalg::cg(a, b, 1e-6, 9));
        y.astype(DType::F64)
    },
    |x| fori_loop(0, 60, |_, z: Tensor| z.sin() * 0.5 + &x, x.clone()) / (x.cos() + 2.0);
}

#[test]
fn how_much_is_kept_makes_no_difference() {
    let x = numbers(&[9]);
    let slopes = |layer: Checkpoint<(Tensor, Tensor), Tensor>, save: Save| {
        let f = move |x: Tensor| {
            let w = x.reshape(&[3, 3]) * 0.3;
            let options = ScanOptions { length: Some(11), save, ..ScanOptions::default() };
            let (last, all) = scan_with(|h, ()| (layer(w.clone(), h), w.sum()), x.get(..3), (), options);
            last.square().sum() + all.sum().sin()
        };
        concatenate(&[grad(f.clone())(x.clone()), jit(grad(f))(x.clone())], 0)
    };
    let layer = || checkpoint(|w: Tensor, h: Tensor| w.matmul(&h).tanh() * 1.5);
    let want = slopes(layer().keep(Keep::Everything), Save::EachStep);
    for keep in [Keep::Nothing, Keep::Contractions, Keep::UnbatchedContractions, Keep::Everything] {
        for save in [Save::EachStep, Save::Every(1), Save::Every(4), Save::Every(50), Save::Root] {
            close(&slopes(layer().keep(keep), save), &want, &format!("{keep:?} {save:?}"));
        }
    }
}

/// What a mistake says, at once and compiled.
#[track_caller]
fn says(mistake: One, parts: &[&str]) {
    for compiled in [false, true] {
        let x = numbers(&[3]);
        let run = || if compiled { jit(mistake)(x) } else { mistake(x) };
        let error = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).expect_err("a mistake");
        let text = error.downcast_ref::<String>().cloned().unwrap_or_default();
        for part in parts {
            assert!(text.contains(part), "no `{part}` in: {text}");
        }
    }
}

#[test]
fn mistakes_are_explained() {
    says(|x| custom_root(|x: Tensor| x.sum(), x, |_, x| x, |_, y| y), &["custom_root", "<3xf64>"]);
    says(|x| custom_root(|x: Tensor| x, x, |_, x| x.get(..1), |_, y| y), &["custom_root", "<1xf64>"]);
    let root = |x| custom_root(|x: Tensor| x, x, |_, x| x, |_, y| y.get(..1));
    says(root, &["custom_root", "<1xf64>"]);
    says(|x| fixed_point(|x: Tensor| x.get(..2), x, 1e-9), &["fixed_point"]);
    says(|b| custom_linear_solve(|x: Tensor| x, b, |_, b| b.get(..2)), &["custom_linear_solve", "<2xf64>"]);
    says(|b| custom_linear_solve(|x: Tensor| x.sum(), b, |_, b| b), &["custom_linear_solve", "<3xf64>"]);
    let linear: One = |b| custom_linear_solve(|x: Tensor| &x * &x, b, |a, b| a(b));
    says(linear, &["custom_linear_solve", "not linear", "multiply"]);
    let linear: One = |b| custom_linear_solve(|x: Tensor| x + 1.0, b, |a, b| a(b));
    says(linear, &["custom_linear_solve", "not linear", "add"]);
}

#[test]
fn fixed_point_of_another_type_is_a_mistake() {
    says(|x| fixed_point(|x: Tensor| x.astype(DType::F32), x, 1e-9), &["fixed_point", "<3xf32>"]);
    says(|x| fixed_point(|x: Tensor| x.mean(), x, 1e-9), &["fixed_point", "<3xf64>"]);
}

#[test]
fn linear_functions_with_zeros_are_linear() {
    let all: &[(&str, One)] = &[
        ("concatenate", |u| concatenate(&[zeros(1), u, zeros(1)], 0)),
        ("select", |u| numbers(&[4]).greater(0.0).select(&u, zeros(4))),
        ("tril", |u| u.reshape(&[2, 2]).tril(0)),
        ("diag", |u| u.diag(0)),
        ("take", |u| u.take(&Tensor::from([3i64, 0, 0]), 0)),
        ("add to places", |u| zeros(6).at(1..5).add(&u)),
        ("set places", |u| zeros(6).at(1..5).set(&u)),
        ("plus zero", |u| u + 0.0),
        ("nothing", |u| u.zeros_like()),
        ("a branch of zeros", |u| {
            cond(&numbers(&[1]).sum().greater(0.0), |u: Tensor| u * 2.0, |u: Tensor| u.zeros_like(), u)
        }),
        ("sum from zero", |u| (0..4).fold(Tensor::from(0.0f64), |sum, k| sum + u.get(k))),
        ("solve", |u| linalg::solve(&(numbers(&[4, 4]) + eye(4) * 5.0), &u)),
        ("complex", |u| (Tensor::complex(&u, &zeros(4)) * Tensor::complex(&zeros(4), &u.ones_like())).imag()),
    ];
    for (what, f) in all {
        let ct = f(numbers(&[4]).cos());
        let (want,) = vjp(*f, (numbers(&[4]),)).1.call(ct.clone());
        close(&linear_transpose(*f, (numbers(&[4]),)).call(ct).0, &want, what);
    }
}
