//! Jacobians of trees, what is returned beside a number, linear functions: cases of `golden/transforms_of_derivatives.py`.

use super::modes::weights;
use super::{Case, case};
use crate::common::numbers;
use std::collections::BTreeMap;
use wengert::{
    ARG0, ARG1, DType, Ix, OutOfRange, Tensor, grad, hessian, hvp, hvp_wrt, jacfwd, jacrev, jvp,
    linear_transpose, linearize, scan, stop_gradient, tree, value_and_grad, vjp, vmap, while_loop,
};

pub(super) fn cases() -> Vec<Case> {
    let parts =
        [of_trees(), products(), of_loops(), beside(), nested(), linear(), transposes(), both_modes()];
    parts.into_iter().flatten().collect()
}

type ByName = BTreeMap<&'static str, Tensor>;

fn layer(p: ByName, x: Tensor) -> (Tensor, Vec<Tensor>) {
    let y = (p["w"].matmul(&x) + &p["b"]).tanh();
    (y.clone(), vec![y.square().sum(), p["w"].square().sum() * x.sum()])
}

fn energy(p: ByName, x: Tensor) -> Tensor {
    layer(p, x).1.remove(0)
}

fn params(x: &Tensor) -> ByName {
    ByName::from([("b", x.get((0, ..2))), ("w", x.sin())])
}

/// Arguments of [`layer`].
fn at(x: &Tensor) -> (ByName, Tensor) {
    (params(x), x.get(1).cos())
}

fn of_trees() -> Vec<Case> {
    vec![
        case("jacfwd of trees to trees", &[2, 3], |x| {
            let (p, v) = at(&x);
            tree::leaves(&jacfwd(layer).wrt((ARG0, ARG1))(p, v))
        }),
        case("jacrev of trees to trees", &[2, 3], |x| {
            let (p, v) = at(&x);
            tree::leaves(&jacrev(layer).wrt((ARG0, ARG1))(p, v))
        }),
        case("jacfwd by names", &[2, 3], |x| {
            let (p, v) = at(&x);
            tree::leaves(&jacfwd(layer)(p, v))
        }),
        case("jacrev by the second", &[2, 3], |x| {
            let (p, v) = at(&x);
            tree::leaves(&jacrev(layer).wrt(ARG1)(p, v))
        }),
        case("hessian of a tree", &[2, 3], |x| {
            let (p, v) = at(&x);
            tree::leaves(&hessian(energy)(p, v))
        }),
        case("hessian by both", &[2, 3], |x| {
            let (p, v) = at(&x);
            tree::leaves(&hessian(energy).wrt((ARG0, ARG1))(p, v))
        }),
        case("hessian of trees to trees", &[2, 3], |x| {
            let (p, v) = at(&x);
            tree::leaves(&hessian(layer).wrt(ARG1)(p, v))
        }),
        case("jacfwd of jacrev", &[2, 3], |x| {
            let (p, v) = at(&x);
            tree::leaves(&jacfwd(jacrev(layer).wrt(ARG1))(p, v))
        }),
        case("jacrev of jacfwd", &[2, 3], |x| {
            let (p, v) = at(&x);
            tree::leaves(&jacrev(jacfwd(layer)).wrt(ARG1)(p, v))
        }),
    ]
}

fn products() -> Vec<Case> {
    vec![
        case("hvp of a tree", &[2, 3], |x| tree::leaves(&hvp(energy, at(&x), at(&-&x)))),
        case("hvp by the second", &[2, 3], |x| {
            vec![hvp_wrt(energy, ARG1, (params(&x), x.get(0)), x.get(1).sin())]
        }),
        case("jvp of trees", &[2, 3], |x| tree::leaves(&jvp(layer, at(&x), at(&x.exp())))),
        case("vjp of trees", &[2, 3], |x| {
            let (y, back) = vjp(layer, at(&x));
            tree::leaves(&back.call(tree::map(&y, |y| y.cos())))
        }),
        case("value_and_grad of trees", &[2, 3], |x| {
            let (p, v) = at(&x);
            tree::leaves(&value_and_grad(energy).wrt((ARG0, ARG1))(p, v))
        }),
    ]
}

fn product(x: Tensor) -> Tensor {
    (x.sin() * x.prod()).sum()
}

/// A scan from `x` over its exponentials.
fn walk(x: Tensor) -> (Tensor, Tensor) {
    let step = |c: Tensor, v: Tensor| ((&c * v).sin(), c.dot(&c));
    scan(step, x.clone(), x.exp())
}

fn of_loops() -> Vec<Case> {
    vec![
        case("jacfwd of hessian", &[3], |x| vec![jacfwd(hessian(product))(x)]),
        case("jacrev of jacrev of jacrev", &[3], |x| vec![jacrev(jacrev(jacrev(product)))(x)]),
        case("jacfwd of a scan", &[3], |x| tree::leaves(&jacfwd(walk)(x))),
        case("jacrev of a scan", &[3], |x| tree::leaves(&jacrev(walk)(x))),
        case("jacfwd of a while", &[3], |x| {
            let f = |x: Tensor| {
                let small = |c: Tensor| c.dot(&c).less(50.0);
                while_loop(small, |c: Tensor| c * 1.5 + x.sin() * 0.1, x.clone())
            };
            vec![jacfwd(f)(x)]
        }),
    ]
}

/// A number, and more beside it.
fn with_more(x: Tensor, y: Tensor) -> (Tensor, ByName) {
    ((x.sin() * &y).sum(), ByName::from([("most", x.max()), ("product", x * y)]))
}

fn cubes(x: Tensor) -> (Tensor, Tensor) {
    (x.powi(3).sum(), x.sin().sum())
}

fn beside() -> Vec<Case> {
    vec![
        case("value_and_grad with aux", &[4], |x| {
            tree::leaves(&value_and_grad(with_more).aux()(x.clone(), x.cos()))
        }),
        case("grad with aux, by both", &[4], |x| {
            tree::leaves(&grad(with_more).aux().wrt((ARG1, ARG0))(x.clone(), x.cos()))
        }),
        case("value_and_grad with aux of a batch", &[3, 4], |x| {
            tree::leaves(&vmap(value_and_grad(with_more).aux())(x.clone(), x.cos()))
        }),
        case("gradient of what is beside a gradient", &[4], |x| {
            vec![grad(|x: Tensor| grad(cubes).aux()(x).1)(x)]
        }),
        case("gradient of both", &[4], |x| {
            let f = |x: Tensor| {
                let (slope, sines) = grad(cubes).aux()(x.clone());
                (slope * x).sum() * sines
            };
            vec![grad(f)(x)]
        }),
    ]
}

/// A gradient by another number, which differs from what it is multiplied by.
fn confused(x: Tensor) -> Tensor {
    let outer = x.clone();
    grad(move |y: Tensor| (&outer * y).sin() + &outer)(&x * 0.5) * x
}

fn nested() -> Vec<Case> {
    vec![
        case("gradients in gradients", &[], |x| vec![grad(confused)(x.clone()), grad(grad(confused))(x)]),
        case("stop_gradient", &[4], |x| vec![grad(|x: Tensor| (stop_gradient(&x.exp()) * x.sin()).sum())(x)]),
    ]
}

fn pair(x: Tensor) -> (Tensor, Tensor) {
    (x.sin() * x.get(0), x.square().sum())
}

fn linear() -> Vec<Case> {
    vec![
        case("linearize", &[3], |x| {
            let (y, df) = linearize(pair, (x.clone(),));
            let of_rows = df.clone();
            let rows = vmap(move |t: Tensor| of_rows.call((t,)))(Tensor::eye(3, DType::F64));
            let back = df.transpose().call((x.clone(), Tensor::from(2.0f64)));
            tree::leaves(&((y, df.call((x.cos(),)), df.call((x,))), (rows, back)))
        }),
        case("linearize of two", &[3], |x| {
            let f = |a: Tensor, b: Tensor| a * b.exp();
            let (_, df) = linearize(f, (x.clone(), x.sin()));
            vec![df.call((x.clone(), x.cos())), df.call((-&x, x))]
        }),
        case("gradient through linearize", &[3], |x| {
            let f = |x: Tensor| linearize(pair, (x.clone(),)).1.call((x.cos(),)).0.sum();
            vec![grad(f)(x)]
        }),
        case("linearize of a scan", &[3], |x| {
            let f = |x: Tensor| scan(|c: Tensor, v: Tensor| ((&c * v).sin(), c), x.get(0), x);
            tree::leaves(&linearize(f, (x.clone(),)).1.call((x.cos(),)))
        }),
    ]
}

/// What the transpose of `f` makes of weights like its results.
fn transposed(f: fn(Tensor) -> Vec<Tensor>, x: Tensor) -> Vec<Tensor> {
    let cotangent: Vec<Tensor> = f(x.clone()).iter().map(weights).collect();
    vec![linear_transpose(f, (x,)).call(cotangent).0]
}

fn back(x: Tensor) -> (Tensor, Tensor) {
    let (by, like) = (x.sin(), x.zeros_like());
    let f = move |v: Tensor, w: Tensor| v * &by + w.sum();
    linear_transpose(f, (like.clone(), like)).call(x.cos())
}

fn transposes() -> Vec<Case> {
    vec![
        case("linear_transpose of a running sum", &[4], |x| transposed(|x| vec![x.cumsum(0)], x)),
        case("linear_transpose of a product", &[3, 2], |x| {
            transposed(|x| vec![numbers(&[4, 3]).sin().matmul(&x), x.t().get(1..)], x)
        }),
        case("linear_transpose of a scan", &[4], |x| {
            let f = |x: Tensor| {
                let step = |c: Tensor, v: Tensor| (&c * 0.7 + &v, c * 2.0 - v);
                let (last, all) = scan(step, x.get(0), x);
                vec![last, all]
            };
            transposed(f, x)
        }),
        case("linear_transpose of indices", &[5], |x| {
            let f = |x: Tensor| {
                let taken = x.take_with(&Tensor::from([3i64, 0, 3]), 0, OutOfRange::Clip);
                vec![taken, x.flip(0).get(Ix::Range(None, None, 2)), x.pad(&[(1, 2)], 0.0)]
            };
            transposed(f, x)
        }),
        case("linear_transpose of two", &[3], |x| tree::leaves(&back(x))),
        case("gradient through linear_transpose", &[3], |x| {
            vec![grad(|x: Tensor| (back(x.clone()).0 * x).sum())(x)]
        }),
    ]
}

fn summed(x: Tensor) -> Tensor {
    x.exp().cumsum(0) * x.get(0)
}

fn both_modes() -> Vec<Case> {
    vec![
        case("jvp of vjp", &[3], |x| {
            let f = |x: Tensor| vjp(summed, (x.clone(),)).1.call(x.cos()).0;
            tree::leaves(&jvp(f, (x.clone(),), (x.sin(),)))
        }),
        case("vjp of jvp", &[3], |x| {
            let f = |x: Tensor| jvp(summed, (x.clone(),), (x.cos(),)).1;
            tree::leaves(&vjp(f, (x.clone(),)).1.call(x.sin()))
        }),
        case("curvature by both modes", &[3], |x| {
            let (y, slope) = jvp(summed, (x.clone(),), (x.sin(),));
            tree::leaves(&vjp(summed, (x,)).1.call(y.cos() * slope))
        }),
    ]
}
