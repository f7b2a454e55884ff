//! Derivatives of the user's, equations, checkpoints: cases of `golden/transforms_of_rules.py`.

use super::modes::{all_modes, reverse_modes};
use super::{Case, One, case};
use crate::common::numbers;
use std::collections::BTreeMap;
use wengert::{
    ARG0, ARG1, DType, Keep, Operator, Tensor, checkpoint, checkpoint_name, cond, custom_jvp,
    custom_linear_solve, custom_root, custom_vjp, fori_loop, grad, linalg, scan, stack, vmap,
};

pub(super) fn cases() -> Vec<Case> {
    let forward = JVP_RULES.map(|(name, one)| case(name, &[4, 3], move |x| all_modes(one, x)));
    let reverse = VJP_RULES.map(|(name, one)| case(name, &[4, 3], move |x| reverse_modes(one, x)));
    let equations = EQUATIONS
        .map(|(name, one, tolerance)| case(name, &[4, 3], move |x| all_modes(one, x)).within(tolerance));
    let checkpoints = CHECKPOINTS.map(|(name, one)| case(name, &[4, 3], move |x| all_modes(one, x)));
    let of_rules = forward.into_iter().chain(reverse).chain(shared());
    of_rules.chain(equations).chain(checkpoints).collect()
}

type ByName = BTreeMap<&'static str, Tensor>;
type Pair = (Tensor, Tensor);

/// The sine, said to have the derivative `3 cos`: wrong on purpose, so that it shows whether the rule was taken.
fn sine(x: Tensor) -> Tensor {
    let rule = |(x,): (Tensor,), (t,): (Tensor,)| (x.sin(), t * x.cos() * 3.0);
    custom_jvp(|x: Tensor| x.sin(), rule)(x)
}

fn scaled(a: Tensor, b: Tensor) -> Tensor {
    let rule = |(a, b): Pair, (da, db): Pair| {
        let tangent = da * b.exp() * 2.0 + db * &a * &b * 5.0;
        (a * b.exp(), tangent)
    };
    custom_jvp(|a: Tensor, b: Tensor| a * b.exp(), rule)(a, b)
}

fn of_polar((r, angle): &Pair) -> ByName {
    ByName::from([("far", r * angle.cos()), ("side", r * angle.sin())])
}

fn polar(p: Pair) -> ByName {
    let rule = |(p,): (Pair,), (t,): (Pair,)| {
        let tangent = ByName::from([("far", &t.0 * &p.1), ("side", &t.1 * &p.0 + &t.0)]);
        (of_polar(&p), tangent)
    };
    custom_jvp(|p: Pair| of_polar(&p), rule)(p)
}

/// A power, said to have the derivative of the next one.
fn power(n: i32, x: Tensor) -> Tensor {
    let rule = move |(x,): (Tensor,), (t,): (Tensor,)| (x.powi(n), t * f64::from(n + 1) * x.powi(n - 1));
    custom_jvp(move |x: Tensor| x.powi(n), rule)(x)
}

/// The product, said to have the cotangents `10 b g` and `a g`.
fn product(a: Tensor, b: Tensor) -> Tensor {
    let forward = |(a, b): Pair| (&a * &b, (a, b));
    let backward = |(a, b): Pair, g: Tensor| (&g * b * 10.0, g * a);
    custom_vjp(|a: Tensor, b: Tensor| a * b, forward, backward)(a, b)
}

fn clipped(x: Tensor) -> Tensor {
    let backward = |_: (), g: Tensor| (g.clip(-0.5, 0.5),);
    custom_vjp(|x: Tensor| x, |(x,): (Tensor,)| (x, ()), backward)(x)
}

fn of_summed(p: &ByName) -> Pair {
    (&p["a"] * &p["b"], p["a"].sum())
}

fn summed(p: ByName) -> Pair {
    let forward = |(p,): (ByName,)| {
        let saved = ByName::from([("b", p["b"].clone()), ("s", p["a"].sin())]);
        (of_summed(&p), saved)
    };
    let backward = |s: ByName, (g, h): Pair| {
        let of_a = &g * &s["b"] + h;
        (ByName::from([("a", of_a), ("b", g * &s["s"])]),)
    };
    custom_vjp(|p: ByName| of_summed(&p), forward, backward)(p)
}

/// Twice [`sine`], said to have the derivative [`sine`].
fn double(x: Tensor) -> Tensor {
    let forward = |(x,): (Tensor,)| (sine(x.clone()) * 2.0, x);
    let backward = |x: Tensor, g: Tensor| (g * sine(x),);
    custom_vjp(|x: Tensor| sine(x) * 2.0, forward, backward)(x)
}

const JVP_RULES: [(&str, One); 7] = [
    ("custom_jvp", |x| sine(x.clone()) * x),
    ("custom_jvp of two", |x| scaled(x.cos(), x)),
    ("custom_jvp of trees", |x| {
        let d = polar((x.exp(), x));
        &d["far"] * &d["side"]
    }),
    ("custom_jvp in itself", |x| sine(sine(x) * 2.0)),
    ("custom_jvp with a number", |x| power(3, x.clone()) + power(2, x.sin())),
    ("custom_jvp in a scan", |x| {
        let step = |c: Tensor, v: Tensor| {
            let d = sine(c) * v;
            (d.clone(), d)
        };
        scan(step, x.sum(), x).1
    }),
    ("custom_jvp in a cond", |x| cond(&x.get(0).greater(0.0), sine, |x: Tensor| scaled(x.clone(), x), x)),
];

const VJP_RULES: [(&str, One); 7] = [
    ("custom_vjp", |x| product(x.sin(), x)),
    ("custom_vjp that clips", |x| clipped(x).powi(3)),
    ("custom_vjp of trees", |x| {
        let (y, sum) = summed(ByName::from([("a", x.cos()), ("b", x.exp())]));
        y * sum
    }),
    ("custom_vjp of a custom_jvp", |x| double(x.clone()) * x),
    ("custom_vjp in a scan", |x| {
        let step = |c: Tensor, v: Tensor| {
            let d = product(c, v.clone()) + v;
            (d.clone(), d)
        };
        scan(step, x.sum(), x).1
    }),
    ("custom_vjp in a counted loop", |x| fori_loop(0, 3, |_, c: Tensor| product(c, x.cos()), x.sin())),
    ("custom_vjp in a cond", |x| {
        let grown = |x: Tensor| product(x.clone(), x.exp());
        cond(&x.get(0).greater(0.0), grown, |x: Tensor| x.sin(), x)
    }),
];

/// Gradients by what all examples share and by what each has.
fn by_both(f: fn(Tensor, Tensor) -> Tensor, x: Tensor) -> Vec<Tensor> {
    let loss = move |w: Tensor, x: Tensor| vmap(f).in_axes([None, Some(0)])(w, x).sin().sum();
    let (w, x) = grad(loss).wrt((ARG0, ARG1))(x.get(0), x.cos());
    vec![w, x]
}

fn shared() -> Vec<Case> {
    vec![
        case("custom_vjp of what examples share", &[4, 3], |x| by_both(|w, x| product(w, x).sum(), x)),
        case("custom_jvp of what examples share", &[4, 3], |x| by_both(scaled, x)),
    ]
}

fn matrix(x: &Tensor) -> Tensor {
    Tensor::eye(3, DType::F64) * 3.0 + x.sin().outer(&(x * 2.0).cos())
}

/// By the matrix that the products make.
fn direct(product: &Operator<Tensor>, b: Tensor) -> Tensor {
    let columns: Vec<Tensor> = (0..3).map(|k| product(Tensor::eye(3, DType::F64).get(k))).collect();
    linalg::solve(&stack(&columns, 1), &b)
}

fn solve(m: Tensor, b: Tensor) -> Tensor {
    custom_linear_solve(move |v: Tensor| m.matmul(&v), b, direct)
}

/// The root of `z^3 + z = a`, by steps that know no derivative of the function they are given.
fn cube_root(a: Tensor) -> Tensor {
    let newton = |f: &Operator<Tensor>, start: Tensor| {
        fori_loop(0, 60, |_, z: Tensor| &z - f(z.clone()) / (z.square() * 3.0 + 1.0), start)
    };
    let start = Tensor::zeros(&[3], DType::F64);
    custom_root(move |z: Tensor| z.powi(3) + z - &a, start, newton, |j, y| &y / j(y.ones_like()))
}

fn system(x: Tensor) -> Tensor {
    let settle =
        |f: &Operator<Tensor>, start: Tensor| fori_loop(0, 80, |_, z: Tensor| &z - f(z.clone()), start);
    let m = numbers(&[3, 3]).sin() * 0.5;
    let residual = move |z: Tensor| &z + m.matmul(&z).sin() * 0.3 * &x - x.cos();
    custom_root(residual, Tensor::zeros(&[3], DType::F64), settle, direct)
}

/// By conjugate gradients, of a tree.
fn gradients(x: Tensor) -> Tensor {
    let m = matrix(&x);
    let m = m.t().matmul(&m);
    let of = move |(v, w): Pair| (m.matmul(&v), w * 2.0);
    let (v, w) = custom_linear_solve(of, (x.cos(), x.sin()), |a, b| linalg::cg(a, b, 1e-15, 50));
    v + w
}

/// What is found by steps is compared with a larger tolerance.
const EQUATIONS: [(&str, One, f64); 7] = [
    ("custom_linear_solve", |x| solve(matrix(&x), x.exp()), 1e-12),
    ("custom_linear_solve of a vector", |x| solve(matrix(&numbers(&[3])), x.exp()), 1e-12),
    ("custom_linear_solve of a matrix", |x| solve(matrix(&x), numbers(&[3])), 1e-12),
    (
        "custom_linear_solve in a scan",
        |x| {
            let m = matrix(&x);
            let step = |c: Tensor, v: Tensor| {
                let d = solve(m.clone(), c) * v;
                (d.clone(), d.sum())
            };
            scan(step, x.exp(), x).1
        },
        1e-12,
    ),
    ("custom_linear_solve of a tree", gradients, 1e-10),
    ("custom_root", |x| cube_root(x.exp()), 1e-11),
    ("custom_root of a system", system, 1e-11),
];

fn layer(x: Tensor) -> Tensor {
    let w = x.outer(&x.cos()).sin();
    checkpoint_name(w.matmul(&x), "product").tanh() * x.exp()
}

const CHECKPOINTS: [(&str, One); 7] = [
    ("checkpoint", |x| checkpoint(layer)(x)),
    ("checkpoint that keeps contractions", |x| checkpoint(layer).keep(Keep::Contractions)(x)),
    ("checkpoint that keeps names", |x| checkpoint(layer).keep_names(["product"])(x)),
    ("checkpoint that keeps everything", |x| checkpoint(layer).keep(Keep::Everything)(x)),
    ("checkpoint in a checkpoint", |x| {
        let inner = |x: Tensor| checkpoint(layer)(checkpoint(|x: Tensor| x.sin())(x.clone())) * x;
        checkpoint(inner)(x)
    }),
    ("checkpoint in a scan", |x| {
        let step = checkpoint(|c: Tensor, v: Tensor| {
            let d = layer(c) * v;
            (d.clone(), d.sum())
        });
        scan(|c: Tensor, v: Tensor| step(c, v), x.clone(), x).1
    }),
    ("checkpoint of a branch", |x| {
        let f = |x: Tensor| cond(&x.sum().greater(0.0), layer, |x: Tensor| x.sin(), x);
        checkpoint(f)(x)
    }),
];
