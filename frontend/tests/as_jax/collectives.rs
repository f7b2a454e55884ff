//! Named axes: cases of `golden/transforms_of_batches.py`.

use super::modes::weighed;
use super::{Case, One, case};
use crate::common::numbers;
use wengert::collectives::{
    all_gather, all_to_all, axis_index, axis_size, pmax, pmean, pmin, ppermute, psum, psum_scatter,
};
use wengert::{
    DType, Tensor, cond, custom_vjp, fori_loop, grad, jacfwd, jvp, scan, tree, value_and_grad, vmap,
    while_loop,
};

pub(super) fn cases() -> Vec<Case> {
    let of_batches = EXCHANGES
        .map(|(name, one)| case(format!("{name}, of a batch"), &[4, 4], move |x| of_a_batch(one, x)));
    let each = EXCHANGES.into_iter().filter(|(name, _)| *name != "all_to_all").map(|(name, one)| {
        case(format!("{name}, for each example"), &[4, 4], move |x| for_each_example(one, x))
    });
    of_batches.into_iter().chain(each).chain(values()).chain(control()).chain(shared()).collect()
}

/// Rows along `i`.
fn named(one: One, x: Tensor) -> Tensor {
    vmap(one).axis_name("i")(x)
}

/// Rows along `i`, columns along `j`.
fn grid(one: One, x: Tensor) -> Tensor {
    vmap(vmap(one).axis_name("j")).axis_name("i")(x)
}

/// The number of the example.
fn place(axis: &str) -> Tensor {
    axis_index(axis).astype(DType::F64)
}

/// Of a vector of four, which is one of four.
const EXCHANGES: [(&str, One); 8] = [
    ("psum", |x| &x * psum(&x.sin(), "i")),
    ("pmean", |x| x.exp() - &x * pmean(&x, "i")),
    ("all_gather", |x| all_gather(&x.sin(), "i").matmul(&x)),
    ("psum_scatter", |x| psum_scatter(&x.exp(), "i") * &x),
    ("ppermute around", |x| &x * ppermute(&x.sin(), "i", &[(0, 1), (1, 2), (2, 3), (3, 0)])),
    ("ppermute of a kind", |x| &x * ppermute(&x.exp(), "i", &[(0, 3), (3, 1), (1, 0), (2, 2)])),
    ("axis_index", |x| (place("i") * &x).sin() * axis_size("i") as f64),
    ("all_to_all", |x| all_to_all(&x.sin(), "i", 0, 0) * &x),
];

fn of_a_batch(one: One, x: Tensor) -> Vec<Tensor> {
    let batch = move |x: Tensor| named(one, x);
    let loss = move |x: Tensor| weighed(batch(x));
    vec![
        batch(x.clone()),
        grad(loss)(x.clone()),
        jvp(batch, (x.clone(),), (numbers(&[4, 4]).cos(),)).1,
        grad(move |x: Tensor| grad(loss)(x).sin().sum())(x),
    ]
}

fn for_each_example(one: One, x: Tensor) -> Vec<Tensor> {
    let w = numbers(&[4, 4]).cos();
    let reverse = vmap(grad(move |x: Tensor, w: Tensor| (one(x) * w).sum())).axis_name("i");
    let forward = vmap(move |x: Tensor, t: Tensor| jvp(one, (x,), (t,)).1).axis_name("i");
    vec![reverse(x.clone(), w.clone()), forward(x, w)]
}

/// What `f` gives, and the gradient of its weighed sum.
fn with_slope(f: One, x: Tensor) -> Vec<Tensor> {
    vec![f(x.clone()), grad(move |x: Tensor| weighed(f(x)))(x)]
}

fn two_axes(x: Tensor) -> Tensor {
    let index = axis_index(("i", "j")).astype(DType::F64);
    &x / psum(&x.exp(), ("i", "j")) + pmean(&x, ("j", "i")) * index
}

fn one_in_another(x: Tensor) -> Tensor {
    let sides = ppermute(&x, "j", &[(0, 1), (1, 2), (2, 0)]) - ppermute(&x, "i", &[(0, 1), (1, 0)]);
    &x * psum(&x, "i") + pmean(&sides, "j") * place("j")
}

fn shadowed(x: Tensor) -> Tensor {
    named(|x| &x / psum(&x.exp(), "i"), x.clone()) + psum(&x, "i")
}

fn values() -> Vec<Case> {
    vec![
        case("pmax and pmin", &[4, 3], |x| {
            vec![named(|x| &x * pmax(&(&x * 2.0), "i") + pmin(&x.cos(), "i"), x)]
        }),
        case("all_to_all from one dimension to another", &[3, 2, 3], |x| {
            let f = |x: Tensor| (all_to_all(&x, "i", 1, 0), all_to_all(&x.sin(), "i", 1, 1));
            tree::leaves(&vmap(f).axis_name("i")(x))
        }),
        case("collectives of trees", &[4, 3], |x| {
            let f = |x: Tensor| {
                let sums = psum(&(x.clone(), x.sum()), "i");
                (sums, pmean(&[x.clone(), x.get(0)], "i"))
            };
            tree::leaves(&vmap(f).axis_name("i")(x))
        }),
        case("two axes at once", &[2, 3], |x| with_slope(|x| grid(two_axes, x), x)),
        case("one axis in another", &[2, 3], |x| with_slope(|x| grid(one_in_another, x), x)),
        case("one name for two axes", &[2, 3], |x| with_slope(|x| named(shadowed, x), x)),
    ]
}

fn scanned(x: Tensor) -> Tensor {
    let step = |c: Tensor, x: Tensor| {
        let h = (c * 0.5 + x).tanh();
        (&h - pmean(&h, "i"), h)
    };
    scan(step, Tensor::from(0.1f64), x).1
}

fn counted(x: Tensor) -> Tensor {
    fori_loop(0, 3, |_, x: Tensor| (&x - pmean(&x, "i")) * 0.5 + x.sin(), x)
}

fn branch(x: Tensor) -> Tensor {
    let low = psum(&x.sum(), "i").less(0.0);
    cond(&low, |x: Tensor| &x * psum(&x, "i"), |x: Tensor| x.exp(), x)
}

fn until_small(x: Tensor) -> Tensor {
    let big = |x: Tensor| pmax(&x.abs(), "i").greater(0.5);
    while_loop(big, |x: Tensor| &x * 0.7 + pmean(&x.square(), "i") * 0.05, x)
}

/// What the rule is of differs from example to example: JAX adds up the cotangents of what does not.
fn ruled(x: Tensor) -> Tensor {
    let share = custom_vjp(
        |x: Tensor| &x * psum(&x, "i"),
        |(x,): (Tensor,)| (&x * psum(&x, "i"), x),
        |x: Tensor, g: Tensor| (psum(&(&g * x), "i") * 3.0 + g,),
    );
    share(x.sin()) * x
}

fn control() -> Vec<Case> {
    vec![
        case("pmean in a scan", &[4, 3], |x| with_slope(|x| named(scanned, x), x)),
        case("pmean in a counted loop", &[4, 3], |x| with_slope(|x| named(counted, x), x)),
        case("psum in a branch of all", &[4, 3], |x| with_slope(|x| named(branch, x), x)),
        case("pmax in a loop that all leave together", &[5], |x| {
            let f = |x: Tensor| named(until_small, x);
            vec![f(x.clone()), jacfwd(f)(x)]
        }),
        case("psum in a custom_vjp", &[5], |x| with_slope(|x| named(ruled, x), x)),
    ]
}

fn normalized(w: Tensor, x: Tensor) -> Tensor {
    let centred = &x - pmean(&x, "i");
    let y = &centred / (pmean(&centred.square(), "i") + 1e-2).sqrt();
    w.matmul(&y).tanh().sum()
}

/// A step of descent, of an example's own loss.
fn step(w: Tensor, x: Tensor) -> Tensor {
    let own = move |w: Tensor| w.matmul(&x).tanh().square().sum();
    &w - pmean(&grad(own)(w.clone()), "i") * 0.1
}

/// Weights that all examples share.
fn shared() -> Vec<Case> {
    let w = || numbers(&[2, 3]).sin();
    vec![
        case("batch normalization by shared weights", &[4, 3], move |x| {
            let loss = move |w: Tensor| {
                let all = vmap(normalized).axis_name("i").in_axes([None, Some(0)]);
                all(w, x.clone()).square().mean()
            };
            let (value, slope) = value_and_grad(loss)(w());
            vec![value, slope]
        }),
        case("a step of training", &[4, 3], move |x| {
            vec![vmap(step).axis_name("i").in_axes([None, Some(0)]).out_axes(None)(w(), x)]
        }),
    ]
}
