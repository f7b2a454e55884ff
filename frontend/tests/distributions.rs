//! Distributions against JAX's: `golden/distributions.txt`, made by `golden/make_distributions.py`.

use wengert::random::{self, Replace};
use wengert::{DType, Tensor, grad, jit};

fn numbers(text: &str) -> Vec<f64> {
    text.split(',').filter(|s| !s.is_empty()).map(|s| s.parse().expect("a number")).collect()
}

fn sizes(text: &str) -> Vec<usize> {
    text.split(',').filter(|s| !s.is_empty()).map(|s| s.parse().expect("a size")).collect()
}

fn parse(text: &str, dtype: DType) -> Tensor {
    let (shape, elements) = text.trim_start_matches('[').split_once("]=").expect("a tensor");
    Tensor::new(&sizes(shape), &numbers(elements)).astype(dtype)
}

fn draw(name: &str, key: &Tensor, p: &[Tensor], shape: &[usize], dtype: DType) -> Tensor {
    let words: Vec<&str> = name.split(' ').collect();
    match words[0] {
        "gamma" => random::gamma(key, &p[0], shape, dtype),
        "loggamma" => random::loggamma(key, &p[0], shape, dtype),
        "beta" => random::beta(key, &p[0], &p[1], shape, dtype),
        "dirichlet" => random::dirichlet(key, &p[0], shape, dtype),
        "chisquare" => random::chisquare(key, &p[0], shape, dtype),
        "f" => random::f(key, &p[0], &p[1], shape, dtype),
        "t" => random::t(key, &p[0], shape, dtype),
        "generalized_normal" => random::generalized_normal(key, 1.5, shape, dtype),
        "ball" => random::ball(key, 3, 2.0, shape, dtype),
        "pareto" => random::pareto(key, &p[0], shape, dtype),
        "rayleigh" => random::rayleigh(key, &p[0], shape, dtype),
        "triangular" => random::triangular(key, &p[0], &p[1], &p[2], shape, dtype),
        "wald" => random::wald(key, &p[0], shape, dtype),
        "weibull_min" => random::weibull_min(key, &p[0], &p[1], shape, dtype),
        "maxwell" => random::maxwell(key, shape, dtype),
        "double_sided_maxwell" => random::double_sided_maxwell(key, &p[0], &p[1], shape, dtype),
        "lognormal" => random::lognormal(key, &p[0], shape, dtype),
        "multivariate_normal" => random::multivariate_normal(key, &p[0], &p[1], shape, dtype),
        "orthogonal" => random::orthogonal(key, 3, shape, dtype),
        "binomial" => random::binomial(key, &p[0], &p[1], shape, dtype),
        "multinomial" => random::multinomial(key, &p[0], &p[1], dtype),
        "poisson" => random::poisson(key, &p[0], shape, dtype),
        "geometric" => random::geometric(key, &p[0], shape, dtype),
        "rademacher" => random::rademacher(key, shape, dtype),
        "categorical" => {
            let axis = words[1].parse().expect("an axis");
            let replace = if words[2] == "1" { Replace::Yes } else { Replace::No };
            random::categorical_many(key, &p[0], axis, shape, replace)
        }
        _ => unreachable!("{name}"),
    }
}

fn check(names: &[&'static str]) {
    let mut found = 0;
    for line in include_str!("golden/distributions.txt").lines() {
        let fields: Vec<&'static str> = line.split(" | ").collect();
        let &[name, seed, shape, dtype, parameters, expected, slopes] = &fields[..] else { panic!("{line}") };
        if !names.contains(&name.split(' ').next().expect("a name")) {
            continue;
        }
        found += 1;
        let dtype = match dtype {
            "float32" => DType::F32,
            "float64" => DType::F64,
            "int32" => DType::I32,
            _ => DType::I64,
        };
        let real = if dtype.bits() == 64 { DType::F64 } else { DType::F32 };
        let key = random::key(seed.parse().expect("a seed"));
        let shape = sizes(shape);
        let p: Vec<Tensor> = match parameters {
            "-" => vec![],
            p => p.split(' ').map(|p| parse(p, real)).collect(),
        };
        let what = format!("{name} {seed} {shape:?} {dtype} {parameters}");
        let near = |what: &str, x: &Tensor, expected: &[f64], tolerance: f64| {
            let x = x.astype(DType::F64).to_vec::<f64>();
            assert_eq!(x.len(), expected.len(), "{what}");
            for (a, b) in x.iter().zip(expected) {
                let same =
                    a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= tolerance * b.abs().max(1e-30);
                assert!(same, "{what}: {x:?} is not {expected:?}");
            }
        };
        // The inverse error function of JAX is some units off (see the tests of normal numbers), and differences of
        // what comes from it lose digits.
        let tolerance = match dtype {
            DType::F32 => 2e-5,
            DType::F64 => 2e-13,
            _ => 0.0,
        };
        let x = draw(name, &key, &p, &shape, dtype);
        near(&what, &x, &numbers(expected), tolerance);
        if slopes == "-" {
            continue;
        }
        let slope = jit(grad(move |p: Vec<Tensor>, key: Tensor| draw(name, &key, &p, &shape, dtype).sum()));
        let given = slope(p, key);
        for (x, expected) in given.iter().zip(slopes.split(' ')) {
            near(
                &format!("slope of {what}"),
                x,
                &numbers(expected),
                if dtype == DType::F32 { 2e-3 } else { 1e-9 },
            );
        }
    }
    assert!(found > 0, "{names:?}");
}

#[test]
fn gamma() {
    check(&["gamma", "loggamma"]);
}
#[test]
fn of_gamma() {
    check(&["beta", "dirichlet", "chisquare", "f", "t", "generalized_normal", "ball"]);
}
#[test]
fn continuous() {
    check(&[
        "pareto",
        "rayleigh",
        "triangular",
        "wald",
        "weibull_min",
        "maxwell",
        "double_sided_maxwell",
        "lognormal",
    ]);
}
#[test]
fn matrices() {
    check(&["multivariate_normal", "orthogonal"]);
}
#[test]
fn counts() {
    check(&["binomial", "multinomial", "poisson", "geometric", "rademacher", "categorical"]);
}

#[test]
fn the_slope_of_logarithms_too_small_to_write() {
    // Near 0 the distribution function is x^a / Gamma(a + 1), so that log x moves by (digamma(a + 1) - log x) / a.
    let log = |a: Tensor| random::loggamma(&random::key(0), a, &[6], DType::F32).min();
    let least = log(Tensor::from(0.01f32)).item::<f32>();
    assert!(least.exp() == 0.0);
    let digamma = Tensor::from(1.01f32).digamma().item::<f32>();
    let slope = grad(log)(Tensor::from(0.01f32)).item::<f32>();
    assert!((slope * 0.01 / (digamma - least) - 1.0).abs() < 1e-4, "{slope}");
}

/// Pearson's statistic of how often 0, 1, 2, ... were drawn, over the values expected at least ten times; what is left counts
/// as one more.
fn chi_squared(drawn: &[f64], probability: impl Fn(f64) -> f64) -> (f64, f64) {
    let n = drawn.len() as f64;
    let (mut sum, mut cells, mut rest) = (0.0, 0.0, (n, n));
    for k in 0..200 {
        let k = k as f64;
        let (seen, expected) = (drawn.iter().filter(|&&x| x == k).count() as f64, n * probability(k));
        if expected >= 10.0 {
            sum += (seen - expected) * (seen - expected) / expected;
            cells += 1.0;
            rest = (rest.0 - seen, rest.1 - expected);
        }
    }
    (sum + (rest.0 - rest.1) * (rest.0 - rest.1) / rest.1.max(1.0), cells)
}

/// Both ways of drawing, each over the values that its accepting and rejecting steps decide on: golden numbers are few, and a
/// wrong bound of a rejection moves few of them.
#[test]
fn numbers_that_count_are_distributed_as_they_say() {
    let log_factorial = |k: f64| (1..=k as u64).map(|i| (i as f64).ln()).sum::<f64>();
    let check = |what: &str, drawn: &Tensor, probability: &dyn Fn(f64) -> f64| {
        let (statistic, cells) = chi_squared(&drawn.astype(DType::F64).to_vec::<f64>(), probability);
        // Five standard deviations of the chi-squared distribution with as many degrees of freedom as cells.
        assert!(statistic < cells + 5.0 * (2.0 * cells).sqrt(), "{what}: {statistic} over {cells} values");
    };
    const COUNT: [usize; 1] = [200_000];
    for (seed, (n, p)) in
        [(12.0, 0.3), (25.0, 0.45), (60.0, 0.2), (150.0, 0.5), (90.0, 0.8)].into_iter().enumerate()
    {
        let drawn = jit(move |key: Tensor| random::binomial(&key, n, p, &COUNT, DType::F32));
        let mass = |k: f64| {
            let ways = log_factorial(n) - log_factorial(k) - log_factorial((n - k).max(0.0));
            if k > n { 0.0 } else { (ways + k * f64::ln(p) + (n - k) * f64::ln(1.0 - p)).exp() }
        };
        check(&format!("binomial {n} {p}"), &drawn(random::key(seed as u64)), &mass);
    }
    for (seed, rate) in [0.7, 9.5, 10.5, 40.0].into_iter().enumerate() {
        let drawn = jit(move |key: Tensor| random::poisson(&key, rate, &COUNT, DType::I32));
        let mass = |k: f64| (k * f64::ln(rate) - rate - log_factorial(k)).exp();
        check(&format!("poisson {rate}"), &drawn(random::key(seed as u64)), &mass);
    }
    let drawn = random::geometric(&random::key(3), 0.2, &COUNT, DType::I32);
    check("geometric", &drawn, &|k| if k == 0.0 { 0.0 } else { 0.2 * f64::powf(0.8, k - 1.0) });
}

#[test]
fn the_same_under_jit() {
    let f = |key: Tensor| {
        let x = random::gamma(&key, 0.7, &[4], DType::F64);
        (
            x,
            random::poisson(&key, 20.0, &[4], DType::I32),
            random::binomial(&key, 40.0, 0.5, &[4], DType::F32),
        )
    };
    let (a, b) = (f(random::key(5)), jit(f)(random::key(5)));
    assert_eq!(a.0.to_vec::<f64>(), b.0.to_vec::<f64>());
    assert_eq!((a.1.to_vec::<i32>(), a.2.to_vec::<f32>()), (b.1.to_vec::<i32>(), b.2.to_vec::<f32>()));
}

#[test]
fn nothing_is_drawn_of_nothing() {
    let key = random::key(0);
    assert_eq!(random::gamma(&key, 1.0, &[0, 2], DType::F32).shape(), [0, 2]);
    assert_eq!(random::poisson(&key, 1.0, &[0], DType::I32).shape(), [0]);
    assert_eq!(random::poisson(&key, -1.0, &[1], DType::I32).to_vec::<i32>(), [-1]);
}

#[test]
fn wrong_arguments_say_so() {
    let text = |f: fn(&Tensor) -> Tensor| {
        jit(move |key: Tensor| f(&key)).try_call((random::key(0),)).expect_err("wrong").to_string()
    };
    let contains = |f: fn(&Tensor) -> Tensor, part: &str| {
        let message = text(f);
        assert!(message.contains(part), "{message}");
    };
    contains(|k| random::gamma(k, 1.0, &[2], DType::I32), "random::gamma: f32 and f64 are known, not i32");
    // What is not compared with JAX's in 16 bits is not drawn in 16 bits.
    contains(|k| random::pareto(k, 1.0, &[2], DType::F16), "random::pareto: f32 and f64 are known");
    contains(|k| random::rayleigh(k, 1.0, &[2], DType::F16), "random::rayleigh: f32 and f64 are known");
    contains(
        |k| random::triangular(k, 0.0, 1.0, 2.0, &[2], DType::BF16),
        "random::triangular: f32 and f64 are known",
    );
    contains(|k| random::wald(k, 1.0, &[2], DType::F16), "random::wald: f32 and f64 are known");
    contains(
        |k| random::weibull_min(k, 1.0, 1.0, &[2], DType::F16),
        "random::weibull_min: f32 and f64 are known",
    );
    contains(|k| random::maxwell(k, &[2], DType::F16), "random::maxwell: f32 and f64 are known");
    contains(
        |k| random::double_sided_maxwell(k, 0.0, 1.0, &[2], DType::F16),
        "random::double_sided_maxwell: f32 and f64 are known",
    );
    contains(|k| random::lognormal(k, 1.0, &[2], DType::F16), "random::lognormal: f32 and f64 are known");
    contains(|k| random::orthogonal(k, 2, &[], DType::F16), "random::orthogonal: f32 and f64 are known");
    contains(
        |k| random::gamma(k, Tensor::from([1.0f32, 2.0]), &[3], DType::F32),
        "random::gamma: a parameter tensor<2xf32> does not broadcast to [3]",
    );
    contains(|k| random::poisson(k, 1.0, &[2], DType::F32), "random::poisson: integers are known, not f32");
    contains(
        |k| random::dirichlet(k, &Tensor::from(1.0f32), &[2], DType::F32),
        "the concentrations are a scalar",
    );
    contains(
        |k| random::multinomial(k, 3.0, &Tensor::from(1.0f32), DType::F32),
        "the probabilities are a scalar",
    );
    contains(
        |k| {
            random::multivariate_normal(
                k,
                &Tensor::from([1.0f32]),
                &Tensor::eye(2, DType::F32),
                &[],
                DType::F32,
            )
        },
        "do not fit each other",
    );
    contains(
        |k| random::categorical_many(k, &Tensor::from([1.0f32]), 0, &[2], Replace::No),
        "random::categorical_many: 2 of 1 without replacement",
    );
}
