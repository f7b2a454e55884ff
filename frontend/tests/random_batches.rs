//! Random numbers under `vmap`: of a batch of keys each sampler draws what it draws of each key, with parameters that are shared
//! or those of each example, and no loop over the examples is made of it.

use crate::common;

use common::close;
use wengert::random::{self, Replace};
use wengert::*;

type Sampler = fn(&Tensor, &Tensor) -> Tensor;

const F: DType = DType::F64;

/// Samplers of a key and a number between 0.5 and 3.
fn samplers() -> Vec<(&'static str, Sampler)> {
    fn share(a: &Tensor) -> Tensor {
        a / 4.0
    }
    fn logits(a: &Tensor) -> Tensor {
        a * Tensor::from([0.0f64, 1.0, -1.0, 0.5])
    }
    vec![
        ("split", |k, _| stack(&random::split(k, 3), 0)),
        ("fold_in", |k, a| random::fold_in(k, a.astype(DType::I32))),
        ("bits", |k, _| random::bits(k, &[2, 3], DType::U32)),
        ("long bits", |k, _| random::bits(k, &[3], DType::U64)),
        ("uniform", |k, _| random::uniform(k, &[2, 3], F, -1.0, 2.0)),
        ("normal", |k, _| random::normal(k, &[3], F)),
        ("single normal", |k, _| random::normal(k, &[4], DType::F32)),
        ("bernoulli", |k, a| random::bernoulli(k, share(a), &[5])),
        ("randint", |k, _| random::randint(k, &[5], -3, 9, DType::I32)),
        ("exponential", |k, _| random::exponential(k, &[3], F)),
        ("gumbel", |k, _| random::gumbel(k, &[3], F)),
        ("laplace", |k, _| random::laplace(k, &[3], F)),
        ("logistic", |k, _| random::logistic(k, &[3], F)),
        ("cauchy", |k, _| random::cauchy(k, &[3], F)),
        ("rademacher", |k, _| random::rademacher(k, &[5], F)),
        ("truncated_normal", |k, _| random::truncated_normal(k, &[3], F, -0.5, 1.0)),
        ("categorical", |k, a| random::categorical(k, &logits(a), 0)),
        ("categorical_many", |k, a| random::categorical_many(k, &logits(a), 0, &[2], Replace::No)),
        ("permutation", |k, a| random::permutation(k, &logits(a))),
        ("choice", |k, _| random::choice(k, 6, &[4], Replace::No, None)),
        ("weighted choice", |k, a| {
            random::choice(k, 4, &[3], Replace::Yes, Some(&nn::softmax(&logits(a), 0)))
        }),
        ("gamma", |k, a| random::gamma(k, a, &[3], F)),
        ("loggamma", |k, a| random::loggamma(k, &(a / 8.0), &[3], F)),
        ("beta", |k, a| random::beta(k, a, 2.0, &[3], F)),
        ("dirichlet", |k, a| random::dirichlet(k, &logits(a).exp(), &[2], F)),
        ("chisquare", |k, a| random::chisquare(k, a, &[3], F)),
        ("f", |k, a| random::f(k, a, 3.0, &[3], F)),
        ("t", |k, a| random::t(k, a, &[3], F)),
        ("generalized_normal", |k, _| random::generalized_normal(k, 1.5, &[3], F)),
        ("ball", |k, _| random::ball(k, 2, 2.0, &[3], F)),
        ("geometric", |k, a| random::geometric(k, share(a), &[3], DType::I32)),
        ("poisson, few", |k, a| random::poisson(k, a, &[3], DType::I32)),
        ("poisson, many", |k, a| random::poisson(k, &(a * 20.0), &[3], DType::I32)),
        ("binomial, few", |k, a| random::binomial(k, 7.0, share(a), &[3], F)),
        ("binomial, many", |k, a| random::binomial(k, 100.0, share(a), &[3], F)),
        ("multinomial", |k, a| random::multinomial(k, 9.0, &nn::softmax(&logits(a), 0), F)),
        ("pareto", |k, a| random::pareto(k, a, &[3], F)),
        ("rayleigh", |k, a| random::rayleigh(k, a, &[3], F)),
        ("triangular", |k, a| random::triangular(k, -1.0, share(a), 1.0, &[3], F)),
        ("wald", |k, a| random::wald(k, a, &[3], F)),
        ("weibull_min", |k, a| random::weibull_min(k, a, 2.0, &[3], F)),
        ("maxwell", |k, _| random::maxwell(k, &[3], F)),
        ("double_sided_maxwell", |k, a| random::double_sided_maxwell(k, 0.5, a, &[3], F)),
        ("lognormal", |k, a| random::lognormal(k, a, &[3], F)),
        ("multivariate_normal", |k, a| {
            let cov = Tensor::eye(2, F) * a + 0.25;
            random::multivariate_normal(k, &Tensor::from([1.0f64, -1.0]), &cov, &[2], F)
        }),
        ("orthogonal", |k, _| random::orthogonal(k, 3, &[], F)),
    ]
}

#[test]
fn a_batch_of_keys_draws_what_each_key_draws() {
    let keys = stack(&random::split(&random::key(5), 4), 0);
    let parameters = Tensor::from([0.6f64, 1.3, 2.9, 2.0]);
    for (name, sampler) in samplers() {
        let each = |parameters: &dyn Fn(isize) -> Tensor| {
            let all: Vec<Tensor> = (0..4).map(|k| sampler(&keys.get(k), &parameters(k))).collect();
            stack(&all, 0)
        };
        let one = move |key: Tensor, a: Tensor| sampler(&key, &a);
        // Parameters of each example.
        let want = each(&|k| parameters.get(k));
        close(&vmap(one)(keys.clone(), parameters.clone()), &want, name);
        let batch = jit(vmap(one));
        close(&batch(keys.clone(), parameters.clone()), &want, name);
        let looped = batch.trace((keys.clone(), parameters.clone())).unwrap().example_by_example();
        assert!(looped.is_empty(), "{name}: {looped:?}");
        // The same for all; and the same key for all.
        let a = parameters.get(1);
        let want = each(&|_| a.clone());
        close(&jit(vmap(one).in_axes([Some(0), None]))(keys.clone(), a), &want, name);
        let want: Vec<Tensor> = (0..4).map(|k| sampler(&keys.get(2), &parameters.get(k))).collect();
        let shared = jit(vmap(one).in_axes([None, Some(0)]));
        close(&shared(keys.get(2), parameters.clone()), &stack(&want, 0), name);
        // Of none.
        let none = jit(vmap(one))(keys.get(..0), parameters.get(..0));
        assert_eq!((none.shape()[0], &none.shape()[1..]), (0, want[0].shape()), "{name}");
    }
}

#[test]
fn draws_have_derivatives_by_their_parameters_in_batches() {
    let keys = stack(&random::split(&random::key(9), 4), 0);
    let parameters = Tensor::from([0.6f64, 1.3, 2.9, 2.0]);
    let smooth = [
        "gamma",
        "beta",
        "dirichlet",
        "chisquare",
        "t",
        "pareto",
        "wald",
        "lognormal",
        "multivariate_normal",
    ];
    for (name, sampler) in samplers().into_iter().filter(|(name, _)| smooth.contains(name)) {
        let slope =
            move |key: Tensor, a: Tensor| grad(move |a: Tensor, key: Tensor| sampler(&key, &a).sum())(a, key);
        let want: Vec<Tensor> = (0..4).map(|k| slope(keys.get(k), parameters.get(k))).collect();
        close(&jit(vmap(slope))(keys.clone(), parameters.clone()), &stack(&want, 0), name);
        let sum = move |a: Tensor, keys: Tensor| {
            vmap(move |key: Tensor, a: Tensor| sampler(&key, &a).sum())(keys, a).sum()
        };
        close(&jit(grad(sum))(parameters.clone(), keys.clone()), &stack(&want, 0), name);
    }
}
