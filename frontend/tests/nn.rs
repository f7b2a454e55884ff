//! `nn` against `jax.nn`: `golden/nn.txt`, made by `golden/make_nn.py`: values, gradients, second derivatives.

use wengert::nn::{self, Attention, Gelu, initializers};
use wengert::{DType, Tensor, grad, jit, random};

fn table() -> Vec<(&'static str, Vec<Vec<f64>>)> {
    let line = |l: &'static str| {
        let mut parts = l.split(" | ");
        let name = parts.next().expect("a name");
        let numbers = |p: &str| p.split_whitespace().map(|v| v.parse().expect("a number")).collect();
        (name, parts.map(numbers).collect())
    };
    include_str!("golden/nn.txt").lines().map(line).collect()
}

fn expected(name: &str) -> Vec<Vec<f64>> {
    table().into_iter().find(|(n, _)| *n == name).unwrap_or_else(|| panic!("{name}")).1
}

#[track_caller]
fn check(what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (k, (a, e)) in found.iter().zip(expected).enumerate() {
        let same = a == e || (a.is_nan() && e.is_nan()) || (a - e).abs() <= tolerance * (1.0 + e.abs());
        assert!(same, "{what} at {k}: {a} is not {e}");
    }
}

const POINTS: [f64; 15] = [
    f64::NEG_INFINITY,
    -800.0,
    -7.0,
    -3.0,
    -1.0,
    -0.5,
    0.0,
    0.5,
    1.0,
    3.0,
    6.0,
    7.0,
    800.0,
    f64::INFINITY,
    f64::NAN,
];

type Function = fn(Tensor) -> Tensor;

#[rustfmt::skip]
const ACTIVATIONS: &[(&str, Function)] = &[
    ("relu", |x| nn::relu(&x)),
    ("relu6", |x| nn::relu6(&x)),
    ("leaky_relu", |x| nn::leaky_relu(&x, 0.1)),
    ("elu", |x| nn::elu(&x, 1.5)),
    ("selu", |x| nn::selu(&x)),
    ("celu", |x| nn::celu(&x, 1.5)),
    ("gelu_approximate", |x| nn::gelu(&x, Gelu::Approximate)),
    ("gelu_exact", |x| nn::gelu(&x, Gelu::Exact)),
    ("sigmoid", |x| nn::sigmoid(&x)),
    ("silu", |x| nn::silu(&x)),
    ("softplus", |x| nn::softplus(&x)),
    ("log_sigmoid", |x| nn::log_sigmoid(&x)),
    ("soft_sign", |x| nn::soft_sign(&x)),
    ("mish", |x| nn::mish(&x)),
    ("hard_tanh", |x| nn::hard_tanh(&x)),
    ("hard_sigmoid", |x| nn::hard_sigmoid(&x)),
    ("hard_silu", |x| nn::hard_silu(&x)),
    ("squareplus", |x| nn::squareplus(&x, 4.0)),
    ("sparse_plus", |x| nn::sparse_plus(&x)),
];

#[test]
fn activations() {
    for &(name, f) in ACTIVATIONS {
        let rows = expected(name);
        let x = || Tensor::from(POINTS);
        let sum = move |x: Tensor| f(x).sum();
        check(name, &f(x()).to_vec::<f64>(), &rows[0], 1e-13);
        check(name, &jit(f)(x()).to_vec::<f64>(), &rows[0], 1e-13);
        // Derivatives at infinities are compared where JAX's are numbers.
        let finite = |found: Vec<f64>, wanted: &[f64]| -> Vec<f64> {
            found.iter().zip(wanted).map(|(&a, &e)| if e.is_nan() { f64::NAN } else { a }).collect()
        };
        let first = grad(sum)(x()).to_vec::<f64>();
        check(&format!("derivative of {name}"), &finite(first, &rows[1]), &rows[1], 1e-13);
        let compiled = jit(grad(sum))(x()).to_vec::<f64>();
        check(&format!("compiled derivative of {name}"), &finite(compiled, &rows[1]), &rows[1], 1e-13);
        let total = move |x: Tensor| grad(sum)(x).sum();
        let second = jit(grad(total))(x()).to_vec::<f64>();
        check(&format!("second derivative of {name}"), &finite(second, &rows[2]), &rows[2], 1e-12);
    }
}

fn range(n: usize) -> Tensor {
    Tensor::arange(n, DType::F64)
}

fn key() -> Tensor {
    range(40).cos().reshape(&[2, 5, 2, 2])
}

fn query() -> Tensor {
    range(48).sin().reshape(&[2, 3, 4, 2])
}

fn value() -> Tensor {
    (range(40) * 0.5).sin().reshape(&[2, 5, 2, 2])
}

fn masked() -> Attention {
    Attention {
        mask: Some((Tensor::arange(15, DType::I32) % 4).not_equal(1).reshape(&[1, 1, 3, 5])),
        bias: Some(range(60).cos().reshape(&[1, 4, 3, 5])),
        ..Attention::default()
    }
}

type Boxed = Box<dyn Fn(Tensor) -> Tensor + Send + Sync>;

#[test]
fn functions() {
    let x = || range(24).sin().reshape(&[2, 3, 4]);
    let labels = || Tensor::from([[0i32, 3, 1], [2, -1, 0]]);
    #[rustfmt::skip]
    let cases: Vec<(&str, Tensor, Boxed)> = vec![
        ("softmax", x(), Box::new(|x| nn::softmax(&x, 1))),
        ("log_softmax", x(), Box::new(|x| nn::log_softmax(&x, -1))),
        ("logsumexp", x(), Box::new(|x| nn::logsumexp(&x, &[0, 2]))),
        ("standardize", x(), Box::new(|x| nn::standardize(&x, &[0, 2], 1e-5))),
        ("layer_norm", x(), Box::new(|x| nn::layer_norm(&x, Some(&range(4)), Some(&x.like(1.0)), 1e-5))),
        ("rms_norm", x(), Box::new(|x| nn::rms_norm(&x, Some(&range(4)), 1e-5))),
        ("glu", x(), Box::new(|x| nn::glu(&x, -1))),
        ("attention", query(), Box::new(|q| {
            nn::dot_product_attention(&q, &key(), &value(), &Attention { scale: Some(0.9), ..Attention::default() })
        })),
        ("attention_masked", query(), Box::new(|q| nn::dot_product_attention(&q, &key(), &value(), &masked()))),
        ("attention_causal", key(), Box::new(|k| {
            nn::dot_product_attention(&query(), &k, &value(), &Attention { causal: true, ..Attention::default() })
        })),
        ("integer_cross_entropy", x(), Box::new(move |x| nn::softmax_cross_entropy_with_integer_labels(&x, &labels()))),
        ("cross_entropy", x(), Box::new(|x| {
            nn::softmax_cross_entropy(&x, &((&x + range(4)).cos() * 2.0).softmax(-1))
        })),
        ("binary_cross_entropy", x(), Box::new(|x| nn::sigmoid_binary_cross_entropy(&x, &x.like(0.3)))),
        ("huber", x(), Box::new(|x| nn::huber_loss(&x, &x.like(0.25), 0.6))),
        ("log_cosh", x(), Box::new(|x| nn::log_cosh(&x, &x.like(0.1)))),
    ];
    for (name, at, f) in cases {
        let rows = expected(name);
        // JAX's attention weighs in single precision.
        let tolerance = if name.starts_with("attention") { 2e-6 } else { 1e-12 };
        let f = std::sync::Arc::new(f);
        let g = f.clone();
        let weighted = move |x: Tensor| {
            let y = g(x).flatten();
            (&y * range(y.len()).cos()).sum()
        };
        let h = f.clone();
        check(name, &f(at.clone()).to_vec::<f64>(), &rows[0], tolerance);
        check(name, &jit(move |x: Tensor| h(x))(at.clone()).to_vec::<f64>(), &rows[0], tolerance);
        check(name, &grad(weighted.clone())(at.clone()).to_vec::<f64>(), &rows[1], tolerance);
        check(name, &jit(grad(weighted))(at).to_vec::<f64>(), &rows[1], tolerance);
    }
}

#[test]
fn initial_values_have_the_bits_of_jax() {
    type Init = fn(&Tensor, &[usize], DType) -> Tensor;
    let all: [(&str, Init); 6] = [
        ("glorot_uniform", initializers::glorot_uniform),
        ("glorot_normal", initializers::glorot_normal),
        ("lecun_uniform", initializers::lecun_uniform),
        ("lecun_normal", initializers::lecun_normal),
        ("he_uniform", initializers::he_uniform),
        ("he_normal", initializers::he_normal),
    ];
    for (name, init) in all {
        let values = init(&random::key(7), &[2, 3, 4], DType::F32).astype(DType::F64).to_vec::<f64>();
        // The normal ones go through the inverse error function, which is not XLA's to the last bit.
        check(name, &values, &expected(name)[0], if name.ends_with("uniform") { 0.0 } else { 1e-6 });
    }
}

#[test]
fn limits_and_labels() {
    let inf = f64::INFINITY;
    let rows = Tensor::from([[-inf, -inf], [inf, 0.0], [0.0, -inf]]);
    assert_eq!(nn::logsumexp(&rows, &[1]).to_vec::<f64>(), [-inf, inf, 0.0]);
    let f = |x: Tensor| nn::logsumexp(&x, &[0]);
    assert_eq!(grad(f)(Tensor::from([0.0, -inf])).to_vec::<f64>(), [1.0, 0.0]);
    let loss = nn::softmax_cross_entropy_with_integer_labels(
        &Tensor::zeros(&[2, 3], DType::F32),
        &Tensor::from([3i32, -4]),
    );
    assert!(loss.to_vec::<f32>().iter().all(|l| l.is_nan()));
    let kl = nn::kl_divergence(&Tensor::from([0.5f64, 0.5]).log(), &Tensor::from([1.0, 0.0]));
    assert!((kl.item::<f64>() - 2f64.ln()).abs() < 1e-15);
    let d = grad(|t: Tensor| nn::kl_divergence(&Tensor::from([-0.7f64, -0.7]), &t));
    assert!(d(Tensor::from([1.0, 0.0])).to_vec::<f64>().iter().all(|v| v.is_finite()));
    let a = Tensor::from([[1.0f64, 0.0], [3.0, 4.0]]);
    assert_eq!(nn::cosine_similarity(&a, &a, 1e-8).to_vec::<f64>(), [1.0, 1.0]);
    assert_eq!(nn::smooth_labels(&Tensor::from([1.0f64, 0.0]), 0.5).to_vec::<f64>(), [0.75, 0.25]);
    assert_eq!(nn::mean_squared_error(&a, &a.like(0.0)).item::<f64>(), 6.5);
    assert_eq!(nn::l2_loss(&a, &a.like(0.0)).to_vec::<f64>(), [0.5, 0.0, 4.5, 8.0]);
    // Whole numbers become floats.
    assert_eq!(nn::silu(&Tensor::from([0i32])).dtype(), DType::F32);
}

#[test]
fn dropout_keeps_the_mean() {
    let x = Tensor::ones(&[10000], DType::F32);
    let mean = nn::dropout(&random::key(1), &x, 0.3).mean().item::<f32>();
    assert!((mean - 1.0).abs() < 0.03, "{mean}");
    assert_eq!(nn::dropout(&random::key(1), &x, 0.0).sum().item::<f32>(), 10000.0);
    assert_eq!(nn::dropout(&random::key(1), &x, 1.0).sum().item::<f32>(), 0.0);
    let d = jit(grad(|x: Tensor| nn::dropout(&random::key(1), &x, 0.5).sum()))(x.clone());
    assert_eq!(d.to_vec::<f32>(), nn::dropout(&random::key(1), &x, 0.5).to_vec::<f32>());
}

#[test]
fn masks_and_biases_of_heads_are_those_of_their_groups() {
    // Six heads in two groups of three: head h is the h-th, alone as together.
    let numbers = |shape: &[usize], k: f64| {
        let n = shape.iter().product::<usize>();
        let all = (Tensor::arange(n, DType::F64) * k).sin();
        all.reshape(&shape.iter().map(|&n| n as isize).collect::<Vec<_>>())
    };
    let (q, k, v) = (numbers(&[2, 3, 6, 4], 0.7), numbers(&[2, 5, 2, 4], 1.1), numbers(&[2, 5, 2, 4], 1.9));
    let bias = numbers(&[2, 6, 3, 5], 2.3) * 2.0;
    let mask = numbers(&[2, 6, 3, 5], 3.1).greater(-0.5);
    let all = Attention { bias: Some(bias.clone()), mask: Some(mask.clone()), ..Attention::default() };
    let all = nn::dot_product_attention(&q, &k, &v, &all);
    for h in 0..6usize {
        let one = |x: &Tensor, axis: isize, at: usize| x.split_at(&[at, at + 1], axis)[1].clone();
        let options =
            Attention { bias: Some(one(&bias, 1, h)), mask: Some(one(&mask, 1, h)), ..Attention::default() };
        let want =
            nn::dot_product_attention(&one(&q, 2, h), &one(&k, 2, h / 3), &one(&v, 2, h / 3), &options);
        let (got, want) = (one(&all, 2, h).to_vec::<f64>(), want.to_vec::<f64>());
        got.iter().zip(&want).for_each(|(a, b)| assert!((a - b).abs() < 1e-6, "head {h}: {a} {b}"));
    }
}
