//! Every row of `docs/derivative-conventions.md` is what it says, in both modes, compiled and not. That JAX's is the same is held
//! by the tests of the guides.

use std::path::Path;
use wengert::DType::{F64, I32, I64};
use wengert::{Tensor, grad, jit, jvp, linalg, nn, stop_gradient, vmap};

type Row = (&'static str, fn(Tensor) -> Tensor);

macro_rules! rows {
    ($(|$x:ident| $body:expr;)*) => {
        vec![$((stringify!($body), |$x: Tensor| -> Tensor { $body })),*]
    };
}

/// The functions of the page; their source is what it shows.
fn functions() -> Vec<Row> {
    rows! {
        |x| x.abs();
        |x| x.sign();
        |x| x.maximum(0.0);
        |x| x.minimum(0.0);
        |x| nn::relu(&x);
        |x| nn::relu6(&x);
        |x| nn::leaky_relu(&x, 0.1);
        |x| nn::elu(&x, 1.0);
        |x| x.clip(-1.0, 1.0);
        |x| x.floor();
        |x| x.round();
        |x| x.sqrt();
        |x| x.cbrt();
        |x| x.pow(0.5);
        |x| x.powi(0);
        |x| x.powi(2);
        |x| x.get(0).pow(x.get(1));
        |x| x.square().sum().sqrt();
        |x| linalg::vector_norm(&x, 2.0, &[0]);
        |x| x.get(0).hypot(x.get(1));
        |x| x.get(0).atan2(x.get(1));
        |x| x.get(0).maximum(x.get(1));
        |x| x.max();
        |x| x.min();
        |x| x.sort(0).get(0);
        |x| x.top_k(1).0.sum();
        |x| x.median(0);
        |x| x.cummax(0).sum();
        |x| x.prod();
        |x| x.cumprod(0).sum();
        |x| x.log();
        |x| x.asin();
        |x| x.acosh();
        |x| x.atanh();
        |x| x.erf_inv();
        |x| x.lgamma();
        |x| x.logsumexp(&[0]);
        |x| nn::softplus(&x);
        |x| nn::log_sigmoid(&x);
        |x| x.greater(0.0).select(x.sqrt(), 0.0);
        |x| x.greater(0.0).select(x.greater(0.0).select(&x, 1.0).sqrt(), 0.0);
        |x| x.astype(I32).astype(F64) * x;
        |x| x.argmax(0).astype(F64);
        |x| x.get(0) * x.get(1).greater(0.0).astype(F64);
        |x| x.take(&x.get(0).astype(I64), 0);
        |x| x.ones_like().sum();
        |x| x.get(0);
        |x| stop_gradient(&x) * x;
        |x| x.at(0).set(5.0).square().sum();
        |x| x.at(0).add(x.get(1)).square().sum();
        |x| x.at(0).mul(x.get(1)).sum();
        |x| x.at(0).max(x.get(1)).sum();
        |x| x.take(&Tensor::from([0i64, 0]), 0).sum();
        |x| x.dynamic_slice(&[&Tensor::from(5i64)], &[1]).sum();
    }
}

/// A row of the page: function, argument, gradient.
fn page() -> Vec<(String, Tensor, Vec<f64>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/derivative-conventions.md");
    let text = std::fs::read_to_string(path).expect("the page");
    let number = |s: &str| s.trim().parse::<f64>().unwrap_or_else(|_| panic!("{s}"));
    let numbers = |s: &str| match s.strip_prefix('[').and_then(|s| s.strip_suffix(']')) {
        Some(all) => all.split(',').map(number).collect(),
        None => vec![number(s)],
    };
    let rows = text.lines().filter(|l| l.starts_with("| `"));
    rows.map(|line| {
        let cells: Vec<&str> =
            line.trim_matches('|').split(" | ").map(|c| c.trim().trim_matches('`')).collect();
        let [function, _, at, gradient] = cells[..] else { panic!("{line}") };
        let x = match at.starts_with('[') {
            true => Tensor::from(numbers(at)),
            false => Tensor::from(number(at)),
        };
        (function.to_string(), x, numbers(gradient))
    })
    .collect()
}

fn without_space(s: &str) -> String {
    s.split_whitespace().collect()
}

#[test]
fn each_row_is_what_it_says() {
    let functions = functions();
    let page = page();
    let mut differ = String::new();
    for (what, x, want) in &page {
        let found = functions.iter().find(|(name, _)| without_space(name) == without_space(what));
        let &(_, f) = found.unwrap_or_else(|| panic!("`{what}` is not among the functions of this test"));
        let f = move |x: Tensor| f(x).sum();
        // Forward mode: a product with each unit vector.
        let forward = move |x: Tensor| match x.rank() {
            0 => jvp(f, (x.clone(),), (x.ones_like(),)).1,
            _ => {
                let at = x.clone();
                let column = move |t: Tensor| jvp(f, (at.clone(),), (t,)).1;
                vmap(column)(Tensor::eye(x.len(), F64))
            }
        };
        let mut ways = vec![("grad", grad(f)(x.clone())), ("jit(grad)", jit(grad(f))(x.clone()))];
        // With the slopes that other branches have, and zeros in the unit vectors, forward mode may give other NaN.
        if want.iter().all(|g| g.is_finite()) {
            ways.extend([("jvp", forward(x.clone())), ("jit(jvp)", jit(forward)(x.clone()))]);
        }
        for (way, got) in ways {
            let got = got.to_vec::<f64>();
            let same = |(g, w): (&f64, &f64)| g == w || g.is_nan() && w.is_nan();
            if !got.iter().zip(want).all(same) || got.len() != want.len() {
                differ += &format!("{way} of `{what}` at {x}: {got:?}, not {want:?}\n");
            }
        }
    }
    for (name, _) in functions {
        assert!(
            page.iter().any(|(what, ..)| without_space(what) == without_space(name)),
            "`{name}` is not on the page"
        );
    }
    assert!(differ.is_empty(), "{differ}");
}

#[test]
fn integers_are_refused() {
    let error = jit(grad(|x: Tensor| x.sum())).try_call((Tensor::from([1i64, 2]),)).unwrap_err().to_string();
    assert!(error.contains("i64"), "{error}");
}
