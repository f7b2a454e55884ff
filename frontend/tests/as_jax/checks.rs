//! Which check fails, and of what: cases of `golden/transforms_of_rules.py`.

use super::{Case, One, case_of_checks};
use wengert::{DType, Tensor, check, checked, cond, grad, scan, vmap, while_loop};

pub(super) fn cases() -> Vec<Case> {
    let written = [
        of_values("a formula", two, &[2.0, -1.0, 5.0]),
        of_values("a scan", scanned, &[8.0, 2.5, 10.0, 0.5]),
        of_values("branches", branches, &[-1.0, -1.5, 2.0, 6.0]),
        of_values("a loop", looped, &[1.0, 2.0, 30.0]),
    ];
    let others = [of_batches(), that_nobody_wrote(), of_places()];
    written.into_iter().chain(others).flatten().collect()
}

fn two(x: Tensor) -> Tensor {
    check!(x.greater(0.0), "check 1 of {}", x);
    let y = x.log();
    check!(y.less(1.0), "check 2 of {}", y);
    y * 2.0
}

fn scanned(x: Tensor) -> Tensor {
    let step = |c: Tensor, v: Tensor| {
        let c = c - &v;
        check!(c.greater(0.0), "check 1 of {}", c);
        (c.clone(), c * v)
    };
    let (c, all) = scan(step, x, Tensor::from([1.0f64, 2.0, 3.0]));
    check!(c.less(3.0), "check 2 of {}", c);
    all
}

fn branches(x: Tensor) -> Tensor {
    let low = |x: Tensor| {
        check!(x.not_equal(-1.5), "check 1 of {}", x);
        x * 2.0
    };
    let high = |x: Tensor| {
        check!(x.less(4.0), "check 2 of {}", x);
        x + 1.0
    };
    cond(&x.less(0.0), low, high, x)
}

fn looped(x: Tensor) -> Tensor {
    let step = |x: Tensor| {
        check!(x.not_equal(5.0), "check 1 of {}", x);
        x * 2.0 + 1.0
    };
    while_loop(|x: Tensor| x.less(20.0), step, x)
}

/// A case for each value.
fn of_values(what: &str, f: One, values: &[f64]) -> Vec<Case> {
    let one = |(k, &value): (usize, &f64)| {
        case_of_checks(format!("checks of {what}, {}", k + 1), Tensor::from(value), move |x| {
            let (failure, y) = checked(f)(x);
            (failure, vec![y])
        })
    };
    values.iter().enumerate().map(one).collect()
}

fn of_batches() -> Vec<Case> {
    let many = || Tensor::from([1.0f64, 5.0, -1.0, 2.0]);
    vec![
        case_of_checks("checks for each example", many(), |x| {
            let (failure, y) = vmap(checked(two))(x);
            (failure, vec![y])
        }),
        case_of_checks("checks in a batch", many(), |x| {
            let (failure, y) = checked(vmap(two))(x);
            (failure, vec![y])
        }),
        case_of_checks("checks of a scan for each example", Tensor::from([8.0f64, 2.5, 0.5]), |x| {
            let (failure, y) = vmap(checked(scanned))(x);
            (failure, vec![y])
        }),
        case_of_checks("checks of a gradient", Tensor::from(-2.0f64), |x| {
            let (failure, y) = checked(grad(two))(x);
            (failure, vec![y])
        }),
    ]
}

fn that_nobody_wrote() -> Vec<Case> {
    let functions: [(&str, One); 3] =
        [("root", |x| x.sqrt()), ("quotient", |x| 1.0 / x), ("logarithm", |x| (x - 2.0).log())];
    let places = [[3.0f64, 4.0], [4.0, 0.0], [-1.0, 3.0]];
    let mut cases = Vec::new();
    for (what, f) in functions {
        for (k, x) in places.into_iter().enumerate() {
            let name = format!("checks that nobody wrote of a {what}, {}", k + 1);
            cases.push(case_of_checks(name, Tensor::from(x), move |x| {
                let (failure, y) = checked(f).everything()(x);
                (failure, vec![y])
            }));
        }
    }
    cases
}

/// What is out of range is clamped in JAX and NaN here, so the results are not compared.
fn of_places() -> Vec<Case> {
    let functions: [(&str, One); 2] = [
        ("read", |i| Tensor::arange(5, DType::F64).take(&i, 0)),
        ("written", |i| Tensor::arange(5, DType::F64).at_rows(&i).add(1.0)),
    ];
    let places = [[0i64, -1, 4], [0, 5, 9], [2, -7, 1]];
    let mut cases = Vec::new();
    for (what, f) in functions {
        for (k, i) in places.into_iter().enumerate() {
            let name = format!("checks of places that are {what}, {}", k + 1);
            let run = move |i: Tensor| (checked(f).indices()(i).0, vec![]);
            cases.push(case_of_checks(name, Tensor::from(i), run));
        }
    }
    cases
}
