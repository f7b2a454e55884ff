//! Taylor mode: against nested forward mode, against closed forms, and the growth of its work with the order.

use crate::common;

use common::{close, numbers};
use std::sync::Arc;
use wengert::{
    DType, Tensor, checkpoint, cond, conv2d, custom_jvp, custom_linear_solve, custom_root, custom_vjp,
    fixed_point, grad, jet, jit, jvp, nn, scan, stop_gradient, switch, vmap, while_loop,
};

type F = Arc<dyn Fn(Tensor) -> Tensor + Send + Sync>;
type G = fn(Tensor) -> Tensor;

fn x(v: f64) -> Tensor {
    Tensor::from(v)
}

fn shared(f: impl Fn(Tensor) -> Tensor + Send + Sync + 'static) -> F {
    Arc::new(f)
}

/// Derivatives of `f` along `t -> x + c_1 t + c_2 t^2/2 + ..` at 0, by forward mode in forward mode.
fn nested(f: &F, at: &Tensor, series: &[Tensor]) -> Vec<Tensor> {
    let (f, at, series) = (f.clone(), at.clone(), series.to_vec());
    let curve = move |t: Tensor| {
        let (mut sum, mut power, mut factorial) = (at.clone(), t.clone(), 1.0);
        for (k, c) in (1..).zip(&series) {
            factorial *= k as f64;
            sum += c * power.astype(c.dtype()) / factorial;
            power = &power * &t;
        }
        f(sum)
    };
    let mut derivative: F = shared(curve);
    let mut out = Vec::new();
    for _ in 0..ORDER {
        let before = derivative.clone();
        derivative = shared(move |t: Tensor| {
            let before = before.clone();
            jvp(move |t: Tensor| before(t), (t,), (Tensor::from(1.0f64),)).1
        });
        let d = derivative.clone();
        out.push(jit(move |t: Tensor| d(t))(Tensor::from(0.0f64)));
    }
    out
}

/// The order that is compared.
const ORDER: usize = 5;

/// Directions like `at`, none of them alike.
fn series(at: &Tensor, n: usize) -> Vec<Tensor> {
    let shape: Vec<isize> = at.shape().iter().map(|&d| d as isize).collect();
    (0..n).map(|k| (numbers(&shape) * (0.3 + k as f64) + 0.7).sin()).collect()
}

#[track_caller]
fn near(got: &Tensor, want: &Tensor, what: &str) {
    assert_eq!((got.shape(), got.dtype()), (want.shape(), want.dtype()), "{what}");
    for (a, b) in got.to_vec::<f64>().iter().zip(want.to_vec::<f64>()) {
        let fits = (a - b).abs() <= 1e-8 * (1.0 + b.abs()) || a.is_nan() && b.is_nan();
        assert!(fits, "{what}: {got} instead of {want}");
    }
}

#[track_caller]
fn check(name: &str, f: impl Fn(Tensor) -> Tensor + Send + Sync + 'static, at: Tensor) {
    let f = shared(f);
    let directions = series(&at, ORDER);
    let want = nested(&f, &at, &directions);
    let parts: Vec<(Tensor,)> = directions.into_iter().map(|d| (d,)).collect();
    let call = f.clone();
    let (y, found) = jet(move |x: Tensor| call(x), (at.clone(),), &parts);
    close(&y, &f(at.clone()), name);
    for (k, (found, want)) in found.iter().zip(&want).enumerate() {
        near(found, want, &format!("{name}, derivative {}", k + 1));
    }
    let compiled = jit(move |x: Tensor, parts: Vec<(Tensor,)>| {
        let f = f.clone();
        jet(move |x: Tensor| f(x), (x,), &parts).1
    });
    for (k, (found, want)) in compiled(at, parts).iter().zip(&want).enumerate() {
        near(found, want, &format!("{name} compiled, derivative {}", k + 1));
    }
}

#[test]
fn elementwise() {
    let small = || numbers(&[4]) * 0.4;
    let positive = || numbers(&[4]).abs() + 0.5;
    let cases: Vec<(&str, G, Tensor)> = vec![
        ("exp", |x| x.exp(), small()),
        ("expm1", |x| x.expm1(), small()),
        ("log", |x| x.log(), positive()),
        ("log1p", |x| x.log1p(), positive()),
        ("sin", |x| x.sin(), small()),
        ("cos", |x| x.cos(), small()),
        ("tan", |x| x.tan(), small()),
        ("tanh", |x| x.tanh(), small()),
        ("sinh", |x| x.sinh(), small()),
        ("cosh", |x| x.cosh(), small()),
        ("asin", |x| x.asin(), small()),
        ("acos", |x| x.acos(), small()),
        ("atan", |x| x.atan(), small()),
        ("asinh", |x| x.asinh(), small()),
        ("acosh", |x| (x + 1.0).acosh(), positive()),
        ("atanh", |x| x.atanh(), small()),
        ("sqrt", |x| x.sqrt(), positive()),
        ("rsqrt", |x| x.rsqrt(), positive()),
        ("cbrt", |x| x.cbrt(), positive()),
        ("square", |x| x.square(), small()),
        ("sigmoid", |x| nn::sigmoid(&x), small()),
        ("softplus", |x| nn::softplus(&x), small()),
        ("erf", |x| x.erf(), small()),
        ("erf_inv", |x| x.erf_inv(), small()),
        ("lgamma", |x| x.lgamma(), positive()),
        ("digamma", |x| x.digamma(), positive()),
        ("power of a constant", |x| x.pow(2.5), positive()),
        ("cube", |x| x.pow(3.0), positive()),
        ("power to it", |x| Tensor::from(2.0f64).pow(x), small()),
        ("power of itself", |x| x.pow(&x), positive()),
        ("quotient", |x| x.sin() / (x.cos() + 2.0), small()),
        ("reciprocal", |x| 1.0 / x, positive()),
        ("atan2", |x| x.atan2(x.cos()), positive()),
        ("abs", |x| x.abs() * &x, small()),
        ("maximum", |x| x.maximum(x.square()), small()),
        ("select", |x| x.less(0.0).select(x.exp(), x.sin()), small()),
        ("clip", |x| (&x * 3.0).clip(-1.0, 1.0).exp(), small()),
        ("floor", |x| x.floor() * x.sin(), small()),
        ("remainder", |x| (&x * 3.0) % 1.0 * &x, small()),
    ];
    for (name, f, at) in cases {
        check(name, f, at);
    }
}

#[test]
fn contractions_movement_and_reductions() {
    let m = || numbers(&[3, 3]);
    check("product", |x| x.matmul(&x.sin()), m());
    check("product with a constant", |x| x.matmul(&numbers(&[3, 3])), m());
    check(
        "convolution",
        |x| {
            let image = x.reshape(&[1, 1, 3, 3]);
            let kernel = x.sin().get((0..2, 0..2)).reshape(&[1, 1, 2, 2]);
            conv2d(&image, &kernel, [1, 1], wengert::Padding::Valid)
        },
        m(),
    );
    check("moved", |x| x.t().reshape(&[9]).get(2..7).exp(), m());
    check("concatenated", |x| wengert::concatenate(&[x.exp(), numbers(&[3, 3])], 0) * 2.0, m());
    check("sum", |x| x.exp().sum().log(), m());
    check("mean and variance", |x| (&x - x.mean()).square().sum(), m());
    check("max", |x| x.exp().max(), m());
    check("product of elements", |x| x.prod(), m());
    check("softmax", |x| nn::softmax(&x, -1), m());
    check("logsumexp", |x| x.logsumexp(&[1]), m());
    check("cumsum", |x| x.sin().cumsum(0) * &x, m());
    check("sort", |x| x.sort(-1) * x.sin(), m());
    check("gather", |x| x.take(&Tensor::from([2i32, 0]), 0).exp(), m());
    check("update", |x| x.at(1).set(x.get(0).exp()) * &x, m());
    check("scatter", |x| x.at_rows(&Tensor::from([1i32, 1])).add(x.get(0..2).square()), m());
}

#[test]
fn factorizations() {
    let spd = |x: &Tensor| x.matmul(&x.t()) + Tensor::eye(3, DType::F64) * 2.0;
    check("cholesky", move |x| wengert::linalg::cholesky(&spd(&x)), numbers(&[3, 3]) * 0.5);
    check("solve", move |x| wengert::linalg::solve(&spd(&x), &x.get(0)), numbers(&[3, 3]) * 0.5);
    check("determinant", move |x| wengert::linalg::det(&spd(&x)), numbers(&[3, 3]) * 0.5);
    check("inverse", move |x| wengert::linalg::inv(&spd(&x)), numbers(&[3, 3]) * 0.5);
}

#[test]
fn control() {
    let v = || numbers(&[3]) * 0.5;
    check("cond", |x| cond(&x.sum().less(100.0), |x: Tensor| x.exp(), |x: Tensor| x, x.clone()), v());
    check(
        "cond the other way",
        |x| cond(&x.sum().less(-100.0), |x: Tensor| x.exp(), |x: Tensor| x.sin() * 2.0, x.clone()),
        v(),
    );
    check(
        "switch",
        |x| switch(&Tensor::from(1i32), &[&|x: Tensor| x.exp(), &|x: Tensor| x.square()], x),
        v(),
    );
    check(
        "scan",
        |x| scan(|c: Tensor, r: Tensor| ((&c * &r).sin(), c.exp()), Tensor::from(0.3f64), x).1,
        v(),
    );
    check(
        "scan that carries",
        |x| scan(|c: Tensor, r: Tensor| ((&c * r).cos(), ()), x.clone(), Tensor::from([1.0f64, 2.0])).0,
        v(),
    );
    check(
        "while",
        |x| {
            let start = (Tensor::from(0i32), x);
            while_loop(
                |(k, _): (Tensor, Tensor)| k.less(3),
                |(k, x): (Tensor, Tensor)| (k + 1, x.sin() * 1.5),
                start,
            )
            .1
        },
        v(),
    );
    check(
        "while on its value",
        |x| while_loop(|x: Tensor| x.sum().less(4.0), |x: Tensor| &x * 1.3 + 0.2, x.exp()),
        v(),
    );
    check("checkpoint", |x| checkpoint(|x: Tensor| x.sin().exp())(x) * 2.0, v());
    check("jit inside", |x| jit(|x: Tensor| x.sin().exp())(x) * 2.0, v());
    check("vmap inside", |x| vmap(|x: Tensor| x.sin() * &x)(x), v());
    check("grad inside", |x| grad(|x: Tensor| (x.sin() * &x).sum())(x), v());
}

#[test]
fn rules_and_equations() {
    // The function by itself has no derivative: the rule is what counts.
    let f = || custom_jvp(|x: Tensor| stop_gradient(&x).sin(), |(x,), (dx,)| (x.sin(), x.cos() * dx));
    check("custom_jvp", move |x| f()(x.square()) * &x, numbers(&[3]) * 0.5);
    let two = || custom_jvp(|x: Tensor, y: Tensor| &x * &y, |(x, y), (dx, dy)| (&x * &y, &y * dx + &x * dy));
    check(
        "custom_jvp of two",
        move |x| two()(x.sin(), Tensor::from([1.0f64, 2.0, 3.0])),
        numbers(&[3]) * 0.5,
    );
    check(
        "fixed_point",
        |a| fixed_point(move |x: Tensor| (a.sin() + x.cos()) * 0.5, Tensor::zeros(&[3], DType::F64), 1e-15),
        numbers(&[3]) * 0.5,
    );
}

#[test]
fn closed_forms() {
    // sin along t: 0, 1, 0, -1, ..
    let zero = || (x(0.0),);
    let line =
        |n: usize| -> Vec<(Tensor,)> { (0..n).map(|k| if k == 0 { (x(1.0),) } else { zero() }).collect() };
    let derivatives = |f: fn(Tensor) -> Tensor, at: f64, n: usize| -> Vec<f64> {
        jet(f, (x(at),), &line(n)).1.iter().map(|d| d.item::<f64>()).collect()
    };
    assert_eq!(derivatives(|x| x.sin(), 0.0, 8), [1.0, 0.0, -1.0, 0.0, 1.0, 0.0, -1.0, 0.0]);
    assert!(derivatives(|x| x.exp(), 0.0, 10).iter().all(|d| (d - 1.0).abs() < 1e-14));
    // 1 / (1 - x): n!.
    assert_eq!(derivatives(|x| 1.0 / (1.0 - x), 0.0, 6), [1.0, 2.0, 6.0, 24.0, 120.0, 720.0]);
    // log(1 + x): (-1)^(n-1) (n-1)!.
    for (d, want) in derivatives(|x| x.log1p(), 0.0, 6).iter().zip([1.0, -1.0, 2.0, -6.0, 24.0, -120.0]) {
        assert!((d - want).abs() < 1e-12, "{d} {want}");
    }
    // tanh: the tangent numbers.
    for (d, want) in derivatives(|x| x.tanh(), 0.0, 7).iter().zip([1.0, 0.0, -2.0, 0.0, 16.0, 0.0, -272.0]) {
        assert!((d - want).abs() < 1e-11, "{d} {want}");
    }
    // A cube, at zero, where its powers vanish.
    assert_eq!(derivatives(|x| x.pow(3.0), 0.0, 5), [0.0, 0.0, 6.0, 0.0, 0.0]);
    assert_eq!(derivatives(|x| &x * &x * &x, 2.0, 5), [12.0, 12.0, 6.0, 0.0, 0.0]);
    // x(t)^2 along t + t^2: the second derivative of t^2 + 2 t^3 + t^4.
    let (_, d) = jet(|x: Tensor| x.square(), zero(), &[(x(1.0),), (x(2.0),), zero(), zero()]);
    assert_eq!(d.iter().map(|d| d.item::<f64>()).collect::<Vec<_>>(), [0.0, 2.0, 12.0, 24.0]);
}

/// `jax.experimental.jet` of JAX 0.10.2 with 64 bits, at 0.4 along 1, -0.5, 0.25, 2.
#[test]
fn as_jax_has_it() {
    type Case = (&'static str, fn(Tensor) -> Tensor, f64, [f64; 4]);
    #[rustfmt::skip]
    let cases: [Case; 8] = [
        ("x.sin() * x.exp()", |x| x.sin() * x.exp(), 0.5809439007705672, [1.9550054396580892, 1.7706203579459956, -2.047197980514141, 1.6367448336385046]),
        ("x.tanh().log1p()", |x| x.tanh().log1p(), 0.32204651461216766, [0.620051037744775, -1.165664304953564, 2.08866907623169, -1.23770896401958]),
        ("(x.square() + 1.0).log() / (x.cos() + 2.0)", |x| (x.square() + 1.0).log() / (x.cos() + 2.0), 0.050810306742306535, [0.24287121675791867, 0.38675990076222483, -1.2719625093770464, 3.449168880718928]),
        ("x.erf() * x.sqrt()", |x| x.erf() * x.sqrt(), 0.27093911483020006, [0.9468060072675163, 0.13707922278465598, -4.593563260822603, 22.06995285388955]),
        ("nn::sigmoid(&x) * x.powi(3)", |x| nn::sigmoid(&x) * x.powi(3), 0.03831601024719694, [0.30274676458143496, 1.5130923392268283, 2.825914619902994, -7.33706200780529]),
        ("x.rsqrt() + x.pow(2.5)", |x| x.rsqrt() + x.pow(2.5), 1.6823317152095778, [-1.3439680055715608, 10.455280513931692, -58.3687281243267, 546.1216461169464]),
        ("x.expm1().sinh()", |x| x.expm1().sinh(), 0.5118939335384876, [1.675921070370403, 1.977201435322105, 5.019712017644994, 16.372971703877955]),
        ("x.erf_inv()", |x| x.erf_inv(), 0.37080715859355795, [1.0168562004306123, 0.25839853210038477, 2.363376782656914, 7.314514094295831]),
    ];
    let line: Vec<(Tensor,)> = [1.0, -0.5, 0.25, 2.0].map(|c| (x(c),)).into();
    for (name, f, value, derivatives) in cases {
        let (y, d) = jet(f, (x(0.4),), &line);
        near(&y, &x(value), name);
        d.iter().zip(derivatives).for_each(|(d, want)| near(d, &x(want), name));
    }
    // At (0.4, 0.7, -0.2).
    let parts: Vec<(Tensor,)> =
        [[1.0, 0.5, -1.0], [0.25, 0.0, 0.5], [0.0, 1.0, 2.0]].map(|c| (Tensor::from(c),)).into();
    type Vectors = (fn(Tensor) -> Tensor, f64, [f64; 3]);
    #[rustfmt::skip]
    let cases: [Vectors; 3] = [
        (|x| x.logsumexp(&[0]), 1.4642521641639892, [0.38849458383692226, 0.6807229524254336, 0.18094501133879287]),
        (|x| nn::softmax(&x, 0).dot(&x), 0.42610529968373284, [0.5618044411492757, 0.8886901687328186, -0.8150078418500736]),
        (|x| x.max() * x.sum(), 0.63, [0.8, 1.0249999999999992, 4.125000000000003]),
    ];
    for (f, value, derivatives) in cases {
        let (y, d) = jet(f, (Tensor::from([0.4, 0.7, -0.2]),), &parts);
        near(&y, &x(value), "value");
        d.iter().zip(derivatives).for_each(|(d, want)| near(d, &x(want), "of vectors"));
    }
}

#[test]
fn what_a_function_computes_and_forgets_is_not_what_rules_ask_for() {
    let f = |x: Tensor| {
        let _unused = (x.cos(), x.exp());
        x.sin() * x.expm1()
    };
    check("beside unused values", f, numbers(&[3]));
}

#[test]
fn programs_have_jets() {
    let program =
        jit(|x: Tensor, n: Tensor| (x.exp(), n)).trace((x(0.0), Tensor::from(2i32))).expect("traces");
    let of_order_two = program.jet(&[0], 2).expect("it has derivatives");
    let args = [x(0.0), Tensor::from(2i32), x(1.0), x(0.0)];
    let out = of_order_two.interpret(&args).expect("runs");
    assert_eq!(
        out.iter().map(|t| t.astype(DType::F64).item::<f64>()).collect::<Vec<_>>(),
        [1.0, 2.0, 1.0, 1.0]
    );
    let error = program.jet(&[1], 2).map(|p| p.to_string()).unwrap_err();
    assert!(error.to_string().contains("no derivatives"), "{error}");
    let error = program.jet(&[0], 19).map(|p| p.to_string()).unwrap_err();
    assert!(error.to_string().contains("at most 18"), "{error}");
}

#[test]
fn trees_integers_and_no_order() {
    let f = |(a, n): (Tensor, Tensor), b: Tensor| (vec![&a * &b], n, b.exp());
    let args = || ((x(2.0), Tensor::from(3i32)), x(0.0));
    let part = |a: f64, b: f64| ((x(a), Tensor::from(0i32)), x(b));
    let ((product, n, _), d) = jet(f, args(), &[part(1.0, 1.0), part(0.0, 0.0)]);
    assert_eq!((product[0].item::<f64>(), n.item::<i32>()), (0.0, 3));
    // (2 + t) t: 2, then 2; e^t.
    assert_eq!((d[0].0[0].item::<f64>(), d[1].0[0].item::<f64>(), d[1].1.item::<i32>()), (2.0, 2.0, 0));
    assert_eq!((d[0].2.item::<f64>(), d[1].2.item::<f64>()), (1.0, 1.0));
    let (y, none) = jet(|x: Tensor| x.exp(), (x(0.0),), &[]);
    assert_eq!((y.item::<f64>(), none.len()), (1.0, 0));
    // What does not depend has zeros.
    let (_, d) = jet(|x: Tensor| (x.floor(), Tensor::from(7.0f64)), (x(1.5),), &[(x(1.0),), (x(1.0),)]);
    assert_eq!((d[1].0.item::<f64>(), d[1].1.item::<f64>()), (0.0, 0.0));
    // Complex numbers.
    let z = Tensor::complex(&x(0.5), &x(0.25));
    let one = Tensor::complex(&x(1.0), &x(0.0));
    let (_, d) = jet(|z: Tensor| z.exp() * &z, (z.clone(),), &[(one.clone(),), (&one * 0.0,)]);
    let want = z.exp() * (&z + 2.0);
    let (got, want) = (d[1].item::<(f64, f64)>(), want.item::<(f64, f64)>());
    assert!((got.0 - want.0).abs() < 1e-12 && (got.1 - want.1).abs() < 1e-12);
}

#[test]
fn it_composes() {
    let f = |x: Tensor| x.sin() * x.exp();
    let second = move |x: Tensor| {
        let zero = Tensor::zeros(x.shape(), x.dtype());
        let one = Tensor::ones(x.shape(), x.dtype());
        jet(f, (x,), &[(one,), (zero,)]).1.swap_remove(1)
    };
    // (e^x sin x)'' = 2 e^x cos x.
    let want = |v: f64| 2.0 * v.exp() * v.cos();
    for v in [0.3, -1.0] {
        near(&second(x(v)), &x(want(v)), "jet");
        near(&jit(second)(x(v)), &x(want(v)), "jit");
        near(&grad(second)(x(v)), &x(2.0 * v.exp() * (v.cos() - v.sin())), "grad of jet");
        near(&jit(grad(second))(x(v)), &x(2.0 * v.exp() * (v.cos() - v.sin())), "jit(grad) of jet");
    }
    near(&vmap(second)(Tensor::from([0.3, -1.0])), &Tensor::from([want(0.3), want(-1.0)]), "vmap");
    // A jet of a gradient, and one of a jet.
    let third = move |x: Tensor| {
        let (zero, one) = (Tensor::from(0.0f64), Tensor::from(1.0f64));
        jet(grad(f), (x,), &[(one,), (zero,)]).1.swap_remove(1)
    };
    near(&third(x(0.3)), &x(2.0 * 0.3f64.exp() * (0.3f64.cos() - 0.3f64.sin())), "jet of grad");
    let fourth = move |x: Tensor| {
        let (zero, one) = (Tensor::from(0.0f64), Tensor::from(1.0f64));
        jet(second, (x,), &[(one,), (zero,)]).1.swap_remove(1)
    };
    near(&fourth(x(0.3)), &x(-4.0 * 0.3f64.exp() * 0.3f64.sin()), "jet of jet");
}

/// Instructions of the program of a jet.
fn instructions(f: fn(Tensor) -> Tensor, order: usize) -> usize {
    let program = jit(move |x: Tensor, parts: Vec<(Tensor,)>| jet(f, (x,), &parts));
    let parts = (0..order).map(|_| (x(1.0),)).collect();
    let traced = program.trace((x(0.5), parts)).expect("traces").optimize().expect("small");
    let (module, func) = traced.module();
    module.get(func).insts.len()
}

#[test]
fn work_is_a_polynomial_of_the_order() {
    let cases: [(&str, G, f64); 7] = [
        ("exp", |x| x.exp(), 2.3),
        ("sin", |x| x.sin(), 2.3),
        ("tanh", |x| x.tanh(), 2.3),
        ("log", |x| x.log(), 2.3),
        ("erf", |x| x.erf(), 2.3),
        ("a chain", |x| (x.sin() * x.exp()).tanh() / (x.square() + 1.0), 2.3),
        ("a power", |x| x.pow(2.5), 3.2),
    ];
    for (name, f, exponent) in cases {
        let (six, twelve) = (instructions(f, 6) as f64, instructions(f, 12) as f64);
        let growth = (twelve / six).log2();
        assert!(growth < exponent, "{name}: {six} instructions of order 6, {twelve} of order 12");
    }
}

#[test]
fn mistakes_are_named() {
    let message = |f: &dyn Fn()| {
        let error = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).expect_err("a mistake");
        *error.downcast::<String>().expect("words")
    };
    let said = message(&|| drop(jet(|x: Tensor| x.sin(), (x(1.0),), &vec![(x(1.0),); 19])));
    assert!(said.contains("at most 18 derivatives, not 19") && said.contains("jets.rs"), "{said}");
    let said = message(&|| drop(jet(|x: Tensor| x.sin(), (x(1.0),), &[(Tensor::from(1.0f32),)])));
    assert!(said.contains("the tangent of `arg0` is tensor<f32>"), "{said}");
    let f = || custom_vjp(|x: Tensor| x.sin(), |(x,)| (x.sin(), x), |x: Tensor, g: Tensor| (x.cos() * g,));
    let said = message(&|| drop(jet(f(), (x(1.0),), &[(x(1.0),)])));
    assert!(said.contains("custom_vjp"), "{said}");
}

#[test]
fn equations_to_every_order() {
    let diagonal = |a: Tensor, b: Tensor| {
        custom_linear_solve(move |x: Tensor| &a * x, b, |a, b: Tensor| &b / a(b.ones_like()))
    };
    check("a x = b", move |x| diagonal(x.exp(), x.sin()), numbers(&[3]) * 0.5);
    check("a x = 1", move |x| diagonal(x.exp(), Tensor::ones(&[3], DType::F64)), numbers(&[3]) * 0.5);
    check("2 x = b", move |x| diagonal(Tensor::ones(&[3], DType::F64) * 2.0, x.sin()), numbers(&[3]) * 0.5);
    // The root itself by a formula: only the equation is differentiated.
    let root = |a: Tensor| {
        let known = a.clone();
        let start = Tensor::ones(&[3], DType::F64);
        custom_root(
            move |x: Tensor| &x * &x - &a,
            start,
            move |_, _| known.sqrt(),
            |j, y: Tensor| &y / j(y.ones_like()),
        )
    };
    check("x x = a", move |x| root(x.exp()), numbers(&[3]) * 0.5);
}
