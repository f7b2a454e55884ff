//! Functions written with named axes, as one writes them in JAX, each beside the same on the whole batch, by hand.

use crate::common;

use common::{close, numbers};
use std::{panic::catch_unwind, sync::Arc};
use wengert::{collectives::*, *};

type One = fn(Tensor) -> Tensor;

/// What it is, the batch's shape, the function of an example, and the one of the batch.
type Case = (&'static str, &'static [isize], One, One);

type View = (&'static str, Arc<dyn Fn(Tensor) -> Tensor + Send + Sync>);

/// Numbers that do not fall into step with those of `numbers`.
fn direction(like: &Tensor) -> Tensor {
    let shape: Vec<isize> = like.shape().iter().map(|&d| d as isize).collect();
    (numbers(&shape) * 1.7 + 0.3).cos()
}

/// A number of all results, in which each counts differently.
fn loss(f: impl Fn(Tensor) -> Tensor + Copy) -> impl Fn(Tensor) -> Tensor + Copy {
    move |x| {
        let y = f(x);
        let mut column = vec![1isize; y.rank()];
        column[0] = -1;
        let places = Tensor::arange(y.shape()[0], DType::F64).reshape(&column);
        (y.sin() * direction(&y.get(0)) * (places + 1.0)).sum()
    }
}

/// The slope of the gradient along a direction.
fn slope(f: impl Fn(Tensor) -> Tensor + Copy + Send + Sync + 'static) -> impl Fn(Tensor) -> Tensor + Copy {
    move |x| (direction(&x) * grad(f)(x)).sum()
}

fn along(f: impl Fn(Tensor) -> Tensor + Send + Sync + 'static, x: Tensor) -> Tensor {
    let v = direction(&x);
    jvp(f, (x,), (v,)).1
}

/// A function's values and derivatives.
fn views<F: Fn(Tensor) -> Tensor + Copy + Send + Sync + 'static>(f: F) -> Vec<View> {
    vec![
        ("values", Arc::new(f)),
        ("jvp", Arc::new(move |x| along(f, x))),
        ("grad", Arc::new(move |x| grad(loss(f))(x))),
        ("grad(grad)", Arc::new(move |x| grad(slope(loss(f)))(x))),
        ("hvp", Arc::new(move |x: Tensor| hvp(loss(f), (x.clone(),), (direction(&x),)).0)),
    ]
}

/// The same, taken for each example inside the `vmap`: derivatives of the sum over the examples.
fn inner_views(one: One) -> Vec<View> {
    let own = move |x: Tensor| {
        let y = one(x);
        (y.sin() * direction(&y) * (place() + 1.0)).sum()
    };
    let second = move |x: Tensor, v: Tensor| grad(move |x: Tensor| (grad(own)(x) * &v).sum())(x);
    let forward = move |x: Tensor, v: Tensor| jvp(one, (x,), (v,)).1;
    vec![
        ("vmap", Arc::new(move |x| vmap(one).axis_name("i")(x))),
        ("vmap(jvp)", Arc::new(move |x: Tensor| vmap(forward).axis_name("i")(x.clone(), direction(&x)))),
        ("vmap(grad)", Arc::new(move |x| vmap(grad(own)).axis_name("i")(x))),
        (
            "vmap(grad(grad))",
            Arc::new(move |x: Tensor| vmap(second).axis_name("i")(x.clone(), direction(&x))),
        ),
    ]
}

/// Compares functions by pairs, with `jit` and without.
#[track_caller]
fn compare(what: &str, got: Vec<View>, want: Vec<View>, x: &Tensor) {
    for ((view, got), (_, want)) in got.into_iter().zip(want) {
        let want = want(x.clone());
        close(&got(x.clone()), &want, &format!("{what}, {view}"));
        close(&jit(move |x: Tensor| got(x))(x.clone()), &want, &format!("{what}, jit({view})"));
    }
}

#[track_caller]
fn check(what: &str, f: One, g: One, x: &Tensor) {
    compare(what, views(f), views(g), x);
}

/// Checks functions of an example along the axis `i`.
fn check_all(cases: &[Case]) {
    for &(what, shape, one, whole) in cases {
        let x = numbers(shape) * 0.8;
        compare(what, views(move |x: Tensor| vmap(one).axis_name("i")(x)), views(whole), &x);
        compare(what, inner_views(one), views(whole), &x);
    }
}

fn place() -> Tensor {
    axis_index("i").astype(DType::F64)
}

/// The examples' places, from 1, as a column of a batch of vectors.
fn counts(n: usize) -> Tensor {
    Tensor::arange(n, DType::F64).reshape(&[-1, 1]) + 1.0
}

/// What is the same for all of `n` examples.
fn each(y: Tensor, n: usize) -> Tensor {
    stack(&vec![y; n], 0)
}

/// Example `k` sends to `k + by`, around a ring.
fn ring(n: usize, by: usize) -> Vec<(usize, usize)> {
    (0..n).map(|k| (k, (k + by) % n)).collect()
}

/// Example `k` sends to `k + by`, if there is one.
fn line(n: usize, by: usize) -> Vec<(usize, usize)> {
    (by..n).map(|k| (k - by, k)).collect()
}

fn softmax(x: Tensor) -> Tensor {
    let e = (&x - stop_gradient(&pmax(&x, "i"))).exp();
    &e / psum(&e, "i")
}

fn normalized(x: Tensor) -> Tensor {
    let c = &x - pmean(&x, "i");
    &c / (pmean(&c.square(), "i") + 1e-2).sqrt()
}

fn whitened(x: Tensor) -> Tensor {
    let c = &x - pmean(&x, "i");
    linalg::solve(&(psum(&c.outer(&c), "i") / 4.0 + Tensor::eye(2, DType::F64)), &c)
}

fn prefix_sums(x: Tensor) -> Tensor {
    [1, 2, 4].iter().fold(x.square(), |sum, &by| &sum + ppermute(&sum, "i", &line(5, by)))
}

/// An example attends to itself and those before it.
fn causal_attention(x: Tensor) -> Tensor {
    let all = all_gather(&x, "i");
    let allowed = Tensor::arange(4, DType::I32).less_equal(axis_index("i"));
    nn::softmax(&allowed.select(all.matmul(&x), Tensor::from(-1e9)), 0).matmul(&all)
}

/// Each example's first half is to be nearest to its own second half.
fn contrastive(x: Tensor) -> Tensor {
    let unit = |x: Tensor| &x / (x.square().sum() + 0.1).sqrt();
    let logits = all_gather(&unit(x.get(3..)), "i").matmul(&unit(x.get(..3))) / 0.3;
    logits.logsumexp(&[0]) - logits.dot(&axis_index("i").one_hot(axis_size("i"), DType::F64))
}

/// Twice the first of the largest, the number of which is the weight of all.
fn best(x: Tensor) -> Tensor {
    let best = x.equal(pmax(&x, "i"));
    let first = pmin(&best.select(&(place() + x.zeros_like()), x.full_like(4.0)), "i");
    best.select(&(&x * 2.0), &(first * &x))
}

fn experts(x: Tensor) -> Tensor {
    let tokens = all_to_all(&x, "i", 0, 0);
    all_to_all(&(tokens * (place() + 1.0)).tanh(), "i", 0, 0)
}

/// Each collective of what is the same for all.
fn of_constants(x: Tensor) -> Tensor {
    let w = Tensor::from([0.5f64, -1.0, 2.0]);
    let same = psum(&w, "i") * pmean(&w, "i") * pmax(&w, "i");
    let shares = psum_scatter(&w, "i") + all_to_all(&w, "i", 0, 0).sum();
    let sent = ppermute(&w, "i", &[(1, 0)]) + all_gather(&w, "i").sum_axes(&[0]);
    &x * same + x.sin() * shares + sent * x.exp()
}

#[test]
fn sums_extremes_and_exchanges() {
    check_all(&[
        ("softmax", &[4, 3], softmax, |x| x.softmax(0)),
        ("log-sum-exp", &[5], |x| psum(&x.exp(), "i").log(), |x| each(x.logsumexp(&[0]), 5)),
        ("batch normalisation", &[4, 3], normalized, |x| {
            (&x - x.mean_keep(&[0])) / (x.var_keep(&[0]) + 1e-2).sqrt()
        }),
        ("whitening", &[5, 2], whitened, |x| {
            linalg::solve(&(x.t().cov(1.0) + Tensor::eye(2, DType::F64)), &(&x - x.mean_keep(&[0])).t()).t()
        }),
        ("prefix sums by doubling", &[5], prefix_sums, |x| x.square().cumsum(0)),
        ("causal attention", &[4, 3], causal_attention, |x| {
            let allowed = Tensor::tri(4, 4, 0, DType::F64).greater(0.0);
            nn::softmax(&allowed.select(x.matmul(&x.t()), Tensor::from(-1e9)), 1).matmul(&x)
        }),
        ("contrastive loss", &[4, 6], contrastive, |x| {
            let unit = |x: Tensor| &x / (x.square().sum_keep(&[1]) + 0.1).sqrt();
            let logits = unit(x.get((.., ..3))).matmul(&unit(x.get((.., 3..))).t()) / 0.3;
            logits.logsumexp(&[1]) - logits.diagonal(0, 0, 1)
        }),
        ("best of each column", &[4, 3], best, |x| {
            let first = x.argmax(0).astype(DType::F64);
            x.equal(x.max_keep(&[0])).select(&(&x * 2.0), &(first * &x))
        }),
        (
            "product of parts",
            &[4, 5],
            |x| psum(&x.get(..2).outer(&x.get(2..)), "i"),
            |x| each(x.get((.., ..2)).t().matmul(&x.get((.., 2..))), 4),
        ),
        (
            "sum in parts",
            &[3, 3, 2],
            |x| all_gather(&psum_scatter(&(&x * x.sin()), "i"), "i"),
            |x| each((&x * x.sin()).sum_axes(&[0]), 3),
        ),
        ("transposition", &[3, 2, 3], |x| all_to_all(&x, "i", 1, 0), |x| x.transpose(&[2, 0, 1])),
        ("tokens to experts and back", &[3, 3, 2], experts, |x| (x * counts(3)).tanh()),
        ("of constants", &[3, 3], of_constants, |x| {
            let w = Tensor::from([0.5f64, -1.0, 2.0]);
            let sent = stack(&[&w * 4.0, &w * 3.0, &w * 3.0], 0);
            &x * w.powi(3) * 3.0 + x.sin() * w.reshape(&[3, 1]) * 6.0 + sent * x.exp()
        }),
    ]);
    // Equal extremes share the derivative, as in a reduction.
    let tied = Tensor::from([[2.0f64, -1.0], [2.0, 0.5], [-3.0, -1.0]]);
    let most: One = |x| vmap(|x: Tensor| pmax(&x, "i") * pmin(&x, "i")).axis_name("i")(x);
    check("ties", most, |x| each(x.max_axes(&[0]) * x.min_axes(&[0]), 3), &tied);
}

/// Attention to keys and values that go around, with a softmax that is kept up as they come.
fn ring_attention(q: Tensor) -> Tensor {
    let score = q.dot(&q);
    let init = (q.clone(), score.clone(), score.ones_like(), q.tanh());
    let step = |_: Tensor, (k, most, weight, sum): (Tensor, Tensor, Tensor, Tensor)| {
        let k = ppermute(&k, "i", &ring(4, 1));
        let score = q.dot(&k);
        let next = most.maximum(&score);
        let (old, new) = ((most - &next).exp(), (score - &next).exp());
        let sum = sum * &old + k.tanh() * &new;
        (k, next, weight * old + new, sum)
    };
    let (_, _, weight, sum) = fori_loop(0, 3, step, init);
    sum / weight
}

fn recurrent(x: Tensor) -> Tensor {
    let step = |h: Tensor, x: Tensor| {
        let h = (&h * 0.5 + &x).tanh();
        (&h - pmean(&h, "i"), h)
    };
    scan(step, Tensor::from(0.1f64), x).1
}

fn shrunk(x: Tensor) -> Tensor {
    let big = |x: Tensor| pmax(&x.abs(), "i").greater(0.5);
    while_loop(big, |x| &x * 0.7 + pmean(&x.square(), "i") * 0.05, x)
}

fn branches_of_all(x: Tensor) -> Tensor {
    let low = psum(&x.sum(), "i").less(0.0);
    let first = cond(&low, |x: Tensor| &x * psum(&x, "i"), |x: Tensor| x.exp(), x.clone());
    first + cond(&low, |x: Tensor| x.sin(), |x: Tensor| pmean(&x, "i"), x)
}

fn branches_of_each(x: Tensor) -> Tensor {
    let m = pmean(&x, "i");
    cond(&x.sum().greater(m.sum()), |(x, m): (Tensor, Tensor)| x * m, |(x, _)| x * (place() + 1.0), (x, m))
}

/// Two rounds, in each a step of every example's own descent.
fn federated(w: Tensor) -> Tensor {
    let own = |w: Tensor| ((w - 1.0).powi(4) * (place() + 1.0)).sum();
    fori_loop(0, 2, |_, w: Tensor| pmean(&(&w - grad(own)(w.clone()) * 0.02), "i"), w)
}

#[test]
fn loops_branches_and_derivatives_of_examples() {
    check_all(&[
        ("ring attention", &[4, 3], ring_attention, |x| nn::softmax(&x.matmul(&x.t()), 1).matmul(&x.tanh())),
        ("recurrent", &[4, 5], recurrent, |x| {
            let step = |h: Tensor, x: Tensor| {
                let h = (&h * 0.5 + &x).tanh();
                (&h - h.mean(), h)
            };
            scan(step, Tensor::full(&[4], 0.1, DType::F64), x.t()).1.t()
        }),
        ("loop until all are small", &[5], shrunk, |x| {
            let big = |x: Tensor| x.abs().max().greater(0.5);
            while_loop(big, |x| &x * 0.7 + x.square().mean() * 0.05, x)
        }),
        ("branches of all", &[4, 3], branches_of_all, |x| {
            let (low, sum) = (x.sum().less(0.0), x.sum_keep(&[0]));
            low.select(&(&x * &sum + x.sin()), &(x.exp() + sum / 4.0))
        }),
        ("branches of each", &[4, 3], branches_of_each, |x| {
            let m = x.mean_keep(&[0]);
            x.sum_keep(&[1]).greater(m.sum()).select(&(&x * &m), &(&x * counts(4)))
        }),
        ("federated averaging", &[3, 2], federated, |w| {
            let own = |w: Tensor| ((w - 1.0).powi(4) * counts(3)).sum();
            (0..2).fold(w, |w, _| each((&w - grad(own)(w.clone()) * 0.02).mean_axes(&[0]), 3))
        }),
    ]);
}

/// Rows along `i`, columns along `j`.
fn grid(one: One, x: Tensor) -> Tensor {
    vmap(vmap(one).axis_name("j")).axis_name("i")(x)
}

fn laplacian(x: Tensor) -> Tensor {
    let sides = ppermute(&x, "j", &ring(4, 1)) + ppermute(&x, "j", &ring(4, 3));
    (sides + ppermute(&x, "i", &ring(3, 1)) + ppermute(&x, "i", &ring(3, 2)) - &x * 4.0) * x
}

fn blocks(x: Tensor) -> Tensor {
    let [a, b] = [all_gather(&x.get((.., ..2)), "j"), all_gather(&x.get((.., 2..)), "i")];
    einsum("kab,kbc->ac", &[&a, &b])
}

/// The collective is along `i`; the condition differs along `j` alone.
fn branches_along_j(x: Tensor) -> Tensor {
    cond(&psum(&x, "i").greater(0.0), |x: Tensor| &x * psum(&x, "i"), |x: Tensor| x.sin(), x)
}

/// The same of a loop.
fn loops_along_j(x: Tensor) -> Tensor {
    let big = |x: Tensor| psum(&x.square(), "i").greater(1.0);
    while_loop(big, |x| &x * 0.8 - pmean(&x, "i") * 0.1, x)
}

/// The other name is in scope again after an inner axis of one name.
fn shadowed(x: Tensor) -> Tensor {
    let row = vmap(|x: Tensor| &x / psum(&x.exp(), "i")).axis_name("i");
    vmap(move |x: Tensor| row(x.clone()) + psum(&x, "i")).axis_name("i")(x)
}

#[test]
fn two_axes() {
    check("centred", |x| grid(|x| &x - pmean(&pmean(&x, "i"), "j"), x), |x| &x - x.mean(), &numbers(&[2, 3]));
    let torus: One = |x| (x.roll(1, 1) + x.roll(-1, 1) + x.roll(1, 0) + x.roll(-1, 0) - &x * 4.0) * x;
    check("Laplacian", |x| grid(laplacian, x), torus, &numbers(&[3, 4]));
    let product: One = |x| einsum("ikab,kjbc->ijac", &[&x.get((.., .., .., ..2)), &x.get((.., .., .., 2..))]);
    check("product in blocks", |x| grid(blocks, x), product, &numbers(&[2, 2, 2, 4]));
    let shares: One = |x| grid(|x| psum_scatter(&x.exp(), "i") * pmax(&x.sum(), "j"), x);
    let sums: One = |x| x.exp().sum_axes(&[0]).t() * x.sum_axes(&[2]).max_keep(&[1]);
    check("sum along one axis", shares, sums, &numbers(&[2, 3, 2]));
    let both: One = |x| &x / x.exp().sum_keep(&[1]) + x.sum_keep(&[0]);
    check("one name", shadowed, both, &numbers(&[2, 3]));
    let by_columns: One =
        |x| vmap(vmap(branches_along_j).axis_name("i")).axis_name("j").in_axes([Some(1)])(x);
    let branches: One = |x| x.sum_keep(&[0]).greater(0.0).select(&(&x * x.sum_keep(&[0])), x.sin()).t();
    check("branches along the other", by_columns, branches, &numbers(&[4, 3]));
}

/// A mean over the examples of what each makes of shared weights and its part of the data.
#[test]
fn gradients_of_shared_weights() {
    let own = |w: Tensor, x: Tensor| (w.matmul(&x).tanh() - x.sum()).square().sum();
    let of_all = move |w: Tensor| vmap(own).in_axes([None, Some(0)])(w, numbers(&[4, 3])).mean();
    let step = move |w: Tensor| {
        let one = move |w: Tensor, x: Tensor| &w - pmean(&grad(own)(w.clone(), x), "i") * 0.1;
        vmap(one).axis_name("i").in_axes([None, Some(0)]).out_axes(None)(w, numbers(&[4, 3]))
    };
    let w = numbers(&[2, 3]);
    let want = views(move |w: Tensor| &w - grad(of_all)(w.clone()) * 0.1);
    compare("a step of training", views(step), want, &w);
    // Inside the `vmap` the examples' means add up: each has the gradient of its own part, as in JAX.
    let mean = move |w: Tensor, x: Tensor| pmean(&own(w, x), "i");
    let slopes = jit(vmap(grad(mean)).axis_name("i").in_axes([None, Some(0)]))(w.clone(), numbers(&[4, 3]));
    close(&slopes, &vmap(grad(own)).in_axes([None, Some(0)])(w, numbers(&[4, 3])), "of a mean");
}

/// A layer whose hidden units are spread over the axis, and a rule for a reverse pass that asks all examples.
#[test]
fn layers_and_rules() {
    let spread: One = |x| {
        let part = |up: Tensor, down: Tensor, x: Tensor| psum(&(up.dot(&x).tanh() * down), "i");
        let all = vmap(part).axis_name("i").in_axes([Some(0), Some(1), None]).out_axes(None);
        all(numbers(&[4, 3]), numbers(&[2, 4]).cos(), x)
    };
    let dense: One = |x| numbers(&[2, 4]).cos().matmul(&numbers(&[4, 3]).matmul(&x).tanh());
    check("layer", spread, dense, &numbers(&[3]));
    let ruled: One = |x| {
        let back = |p: Tensor, g: Tensor| (&p * (&g - psum(&(&p * &g), "i")),);
        let forward = |(x,): (Tensor,)| (softmax(x.clone()), softmax(x));
        vmap(custom_vjp(softmax, forward, back)).axis_name("i")(x)
    };
    // It has no forward mode.
    let [got, want] = [views(ruled), views(|x: Tensor| x.softmax(0))]
        .map(|v| v.into_iter().filter(|(view, _)| ["values", "grad", "grad(grad)"].contains(view)).collect());
    compare("rule", got, want, &numbers(&[4, 3]));
}

/// The function fails with these words: at once, compiled, and under a gradient.
#[track_caller]
fn refused(f: One, words: &[&str]) {
    let x = numbers(&[3, 4]);
    let at_once = catch_unwind(|| f(x.clone())).map(drop).expect_err("at once");
    let at_once = at_once.downcast::<String>().map_or_else(|_| "no text".to_owned(), |text| *text);
    let compiled = jit(f).try_call((x.clone(),)).map(drop).expect_err("compiled");
    let slope = jit(grad(move |x: Tensor| f(x).sum())).try_call((x,)).map(drop).expect_err("a gradient");
    for said in [at_once, compiled.to_string(), slope.to_string()] {
        assert!(words.iter().all(|word| said.contains(word)), "{words:?} in {said}");
    }
}

/// `f` along the axis `devices`.
fn devices(f: One, x: Tensor) -> Tensor {
    vmap(f).axis_name("devices")(x)
}

#[test]
fn names_that_are_not_in_scope_are_refused() {
    refused(|x| psum(&x, "devices"), &["psum", "`devices`"]);
    refused(|x| vmap(|x: Tensor| pmean(&x, "devices"))(x), &["pmean", "`devices`"]);
    refused(|x| devices(|x| all_gather(&x, "device"), x), &["all_gather", "`device`", "`devices`"]);
    refused(|x| devices(|x| x * axis_index("i"), x), &["axis_index", "`i`", "`devices`"]);
    refused(|x| devices(|x| x * axis_size("i") as f64, x), &["axis_size", "`i`", "`devices`"]);
    refused(|x| pmax(&devices(|x| psum(&x, "devices"), x), "devices"), &["pmax", "`devices`"]);
}

/// Exchanges that three examples with four numbers each cannot make.
const EXCHANGES: [(&str, One); 6] = [
    ("ppermute", |x| devices(|x| ppermute(&x, "devices", &[(0, 1), (2, 1)]), x)),
    ("ppermute", |x| devices(|x| ppermute(&x, "devices", &[(0, 1), (0, 2)]), x)),
    ("ppermute", |x| devices(|x| ppermute(&x, "devices", &[(0, 3)]), x)),
    ("psum_scatter", |x| devices(|x| psum_scatter(&x, "devices"), x)),
    ("psum_scatter", |x| devices(|x| psum_scatter(&x.sum(), "devices"), x)),
    ("all_to_all", |x| devices(|x| all_to_all(&x, "devices", 0, 0), x)),
];

#[test]
fn exchanges_that_cannot_be_are_refused() {
    EXCHANGES.iter().for_each(|&(_, f)| refused(f, &[file!()]));
}

#[test]
fn refused_exchanges_name_the_axis() {
    EXCHANGES.iter().for_each(|&(name, f)| refused(f, &[name, "devices"]));
}

/// Not all examples would be there.
#[test]
fn branches_and_loops_of_each_are_refused() {
    let branch: One =
        |x| devices(|x| cond(&x.sum().greater(0.0), |x: Tensor| psum(&x, "devices"), |x: Tensor| x, x), x);
    refused(branch, &["communication along `devices`"]);
    let endless: One =
        |x| devices(|x| while_loop(|x: Tensor| x.sum().greater(-9.0), |x| pmax(&x, "devices") - 1.0, x), x);
    refused(endless, &["communication along `devices`"]);
}

#[test]
fn branches_along_an_inner_axis() {
    let want: One = |x| x.sum_keep(&[0]).greater(0.0).select(&(&x * x.sum_keep(&[0])), x.sin());
    check("branches", |x| grid(branches_along_j, x), want, &numbers(&[4, 3]));
}

#[test]
fn loops_along_an_inner_axis() {
    let want: One = |x| {
        let big = |x: Tensor| x.square().sum().greater(1.0);
        let one = |k: usize| while_loop(big, |x| &x * 0.8 - x.mean() * 0.1, x.get((.., k)));
        stack(&[one(0), one(1), one(2)], 1)
    };
    check("loops", |x| grid(loops_along_j, x), want, &numbers(&[4, 3]));
}
