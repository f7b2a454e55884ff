//! `vmap`, loops and branches: cases of `golden/transforms_of_batches.py`.

use super::modes::{all_modes, forward_modes};
use super::{Case, One, case};
use crate::common::numbers;
use std::collections::BTreeMap;
use wengert::{
    ARG0, ARG1, DType, ScanOptions, Tensor, associative_scan, cond, fori_loop, grad, hessian, jacrev, map,
    scan, scan_with, switch, tree, vjp, vmap, while_loop,
};

pub(super) fn cases() -> Vec<Case> {
    let name = |name: &str| format!("{name}, of a batch");
    let control = CONTROL.map(|(what, one)| case(name(what), &[4, 3], move |x| all_modes(one, x)));
    let loops = LOOPS.map(|(what, one)| case(name(what), &[4, 3], move |x| forward_modes(one, x)));
    control.into_iter().chain(loops).chain(axes()).chain(derivatives()).collect()
}

type ByName = BTreeMap<&'static str, Tensor>;

/// How near two points are.
fn near(x: Tensor, y: Tensor) -> Tensor {
    (-(x - y).square().sum()).exp()
}

fn axes() -> Vec<Case> {
    vec![
        case("in_axes by argument", &[3, 4], |x| {
            let f = vmap(|x: Tensor, y: Tensor| x.dot(&y)).in_axes([Some(0), Some(-1)]);
            vec![f(x.clone(), x.cos().t())]
        }),
        case("in_axes of none", &[3, 4], |x| {
            let f = vmap(|w: Tensor, x: Tensor| &w * x.sum() + w.dot(&x)).in_axes([None, Some(1)]);
            vec![f(x.get((.., 0)).sin(), x)]
        }),
        case("in_axes and out_axes by leaf", &[3, 4], |x| {
            let layer = |(w, b): (Tensor, Tensor), x: Tensor| (w.matmul(&x) + b, x.sum());
            let f = vmap(layer).in_axes([Some(0), Some(1)]).leaf_axes(0, [None, Some(0)]);
            let w = x.t().matmul(&x).sin().get((..3, ..3));
            tree::leaves(&f.out_leaf_axes([Some(1), Some(0)])((w, x.t().cos()), x))
        }),
        case("out_axes, the last", &[3, 4], |x| {
            vec![vmap(|x: Tensor| x.outer(&x)).in_axes([Some(1)]).out_axes(-1)(x)]
        }),
        case("out_axes of none", &[3, 4], |x| {
            let f = vmap(|x: Tensor, y: Tensor| (x * 2.0, y.sin())).in_axes([Some(0), None]);
            tree::leaves(&f.out_leaf_axes([Some(0), None])(x.clone(), x.get(0)))
        }),
        case("pairs by two vmaps", &[3, 2], |x| {
            let rows = vmap(near).in_axes([Some(0), None]);
            vec![vmap(rows).in_axes([None, Some(1)]).out_axes(1)(x.clone(), x.cos().t())]
        }),
        case("three deep", &[2, 3, 2, 2], |x| {
            let inner = vmap(|x: Tensor| x.sum() * x).in_axes([Some(1)]).out_axes(1);
            let middle = vmap(inner).in_axes([Some(0)]).out_axes(1);
            vec![vmap(middle).in_axes([Some(1)])(x)]
        }),
        case("axis_size alone", &[3], |x| vec![vmap(|x: Tensor| x.sin()).in_axes([None]).axis_size(4)(x)]),
        case("in_axes by name", &[3, 2], |x| {
            let f = |p: ByName| ByName::from([("far", &p["x"] * &p["y"]), ("near", p["x"].sum())]);
            let f = vmap(f).leaf_axes(0, [Some(1), None]).out_leaf_axes([Some(1), Some(0)]);
            let y = x.get((.., 0));
            tree::leaves(&f(ByName::from([("x", x), ("y", y)])))
        }),
    ]
}

fn derivatives() -> Vec<Case> {
    let w = || numbers(&[2, 3]).sin();
    vec![
        case("gradients for each example", &[4, 3], move |x| {
            let loss = |w: Tensor, x: Tensor| (w.matmul(&x).tanh() * x.get(..2)).sum();
            let f = vmap(grad(loss).wrt((ARG0, ARG1))).in_axes([None, Some(0)]);
            tree::leaves(&f(w(), x))
        }),
        case("Jacobians for each example", &[4, 3], move |x| {
            let layer = |w: Tensor, x: Tensor| w.matmul(&x).tanh();
            let f = vmap(jacrev(layer).wrt((ARG0, ARG1))).in_axes([None, Some(0)]);
            tree::leaves(&f(w(), x))
        }),
        case("Hessians for each example", &[3, 4], |x| {
            let f = |x: Tensor| (x.sin() * &x).sum() * x.get(0);
            vec![vmap(hessian(f)).in_axes([Some(1)])(x)]
        }),
        case("vjp for each example", &[4, 3], |x| {
            let f = |x: Tensor, g: Tensor| vjp(|x: Tensor| x.sin().cumsum(0), (x,)).1.call(g).0;
            vec![vmap(f)(x.clone(), x.cos())]
        }),
        case("gradient of a batch along another axis", &[3, 4], |x| {
            let f = |x: Tensor| {
                let all = vmap(near).in_axes([Some(1), None]);
                all(x.clone(), x.get((.., 0))).sin().sum()
            };
            vec![grad(f)(x)]
        }),
    ]
}

/// Of vectors of three.
const CONTROL: [(&str, One); 10] = [
    ("cond", |x| cond(&x.sum().greater(0.0), |x: Tensor| x.exp() * x, |x: Tensor| x.sin(), x)),
    ("switch", |x| {
        let index = (x.get(0) * 2.0).floor().astype(DType::I32) + 1;
        let branches: [&dyn Fn(Tensor) -> Tensor; 3] =
            [&|x: Tensor| x.sin(), &|x: Tensor| x.square(), &|x: Tensor| x.sum() * x];
        switch(&index, &branches, x)
    }),
    ("fori_loop", |x| {
        let step = |k: Tensor, c: Tensor| (c * &x).sin() + k.astype(DType::F64) * 0.1;
        fori_loop(0, 4, step, x.clone())
    }),
    ("scan", |x| {
        let step = |c: Tensor, x: Tensor| ((&c * &x).sin() + x, c.square());
        let (last, all) = scan(step, x.sum() * 0.5, x);
        last * all
    }),
    ("scan in reverse", |x| {
        let step = |(a, b): (Tensor, Tensor), x: Tensor| ((&a * x, &b + a.cos()), a * b);
        let options = ScanOptions { reverse: true, ..ScanOptions::default() };
        scan_with(step, (x.get(0), x.get(1) * 2.0), x, options).1
    }),
    ("scan without inputs", |x| {
        let options = ScanOptions { length: Some(3), ..ScanOptions::default() };
        scan_with(|c: Tensor, _: ()| ((c * 1.5).tanh(), ()), x, (), options).0
    }),
    ("associative_scan", |x| {
        let f = |(a, b): (Tensor, Tensor), (c, d): (Tensor, Tensor)| (a * &c, b * c + d);
        associative_scan(f, (x.cos(), x)).1
    }),
    ("map", |x| map(|v: Tensor| (v * &x).sin().sum(), x.clone())),
    ("cond in a scan", |x| {
        let step = |c: Tensor, v: Tensor| {
            let d = cond(&v.greater(0.0), |c: Tensor| c * &v, |c: Tensor| c.cos() + &v, c);
            (d.clone(), d)
        };
        scan(step, x.sum(), x).1
    }),
    ("scan in a cond", |x| {
        let walk = |x: Tensor| scan(|c: Tensor, v: Tensor| (&c * v + 1.0, c.sin()), x.get(0), x).1;
        cond(&x.get(1).greater(0.0), walk, |x: Tensor| x.powi(3), x)
    }),
];

/// Of vectors of three, with trips that nobody knows.
const LOOPS: [(&str, One); 5] = [
    ("while", |x| {
        let small = |c: Tensor| c.square().sum().less(20.0);
        while_loop(small, |c: Tensor| c * 1.5 + x.sin() * 0.1, x.clone())
    }),
    ("while with a counter", |x| {
        let goes_on = |(c, n): (Tensor, Tensor)| c.sum().greater(0.1).logical_and(n.less(5i64));
        let step = |(c, n): (Tensor, Tensor)| (c.sin() * 0.8, n + 1i64);
        let (c, n) = while_loop(goes_on, step, (x, Tensor::from(1i64)));
        c * n
    }),
    ("while in a scan", |x| {
        let step = |c: Tensor, v: Tensor| {
            let d = while_loop(|c: Tensor| c.less(3.0), |c: Tensor| c + v.square() + 0.5, c);
            (&d * 0.5, d)
        };
        scan(step, x.sum(), x).1
    }),
    ("cond in a while", |x| {
        let step =
            |c: Tensor| cond(&c.get(0).greater(0.0), |c: Tensor| c * 1.7, |c: Tensor| 0.3 - c * 1.3, c);
        while_loop(|c: Tensor| c.abs().sum().less(9.0), step, x)
    }),
    ("a count that is data", |x| {
        let n = (x.get(0) + 3.0).floor().astype(DType::I64);
        fori_loop(0, n, |k: Tensor, c: Tensor| c.sin() * &x + k.astype(DType::F64), x.clone())
    }),
];
