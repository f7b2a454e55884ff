//! Solutions of equations: derivatives are those of the equation, in every mode and order, for one example and for batches.

use crate::common;

use common::{close, numbers};
use wengert::stages::Traced;
use wengert::{
    Operator, Tensor, cond, custom_linear_solve, custom_root, fixed_point, grad, hessian, jacfwd, jacrev,
    jit, jvp, linalg, linear_transpose, scan, vmap, while_loop,
};

fn x() -> Tensor {
    Tensor::from([0.4f64, -0.9, 1.3])
}

/// A matrix that is not symmetric, and far from singular.
fn matrix(x: &Tensor) -> Tensor {
    Tensor::eye(3, wengert::DType::F64) * 3.0 + x.expand_dims(1).sin() * (x * 2.0).cos().expand_dims(0)
}

/// Solves with what it knows by its products: a direct solver for the matrix that they make.
fn direct(a: &Operator<Tensor>, b: Tensor) -> Tensor {
    let columns: Vec<Tensor> = (0..3).map(|k| a(Tensor::eye(3, wengert::DType::F64).get(k))).collect();
    linalg::solve(&wengert::stack(&columns, 1), &b)
}

type Of = fn(Tensor) -> Tensor;

/// Each beside what it is in closed form, or by operations that have derivatives.
fn functions() -> Vec<(&'static str, Of, Of)> {
    vec![
        (
            "a matrix and a vector",
            |x| {
                let m = matrix(&x);
                custom_linear_solve(move |v: Tensor| m.matmul(&v), x.exp(), direct)
            },
            |x| linalg::solve(&matrix(&x), &x.exp()),
        ),
        (
            "a vector alone",
            |x| custom_linear_solve(|v: Tensor| matrix(&numbers(&[3])).matmul(&v), x.exp(), direct),
            |x| linalg::solve(&matrix(&numbers(&[3])), &x.exp()),
        ),
        (
            "a matrix alone",
            |x| {
                let m = matrix(&x);
                custom_linear_solve(move |v: Tensor| m.matmul(&v), numbers(&[3]), direct)
            },
            |x| linalg::solve(&matrix(&x), &numbers(&[3])),
        ),
        (
            "an iteration",
            |x| {
                let m = matrix(&x);
                custom_linear_solve(
                    move |v: Tensor| m.matmul(&v),
                    x.cos(),
                    |a, b| linalg::bicgstab(a, b, 1e-15, 50),
                )
            },
            |x| linalg::solve(&matrix(&x), &x.cos()),
        ),
        (
            "conjugate gradients, of a tree",
            |x| {
                let m = matrix(&x);
                let m = m.t().matmul(&m);
                let product = move |(v, w): (Tensor, Tensor)| (m.matmul(&v), w * 2.0);
                let b = (x.cos(), x.sin());
                let (v, w) = custom_linear_solve(product, b, |a, b| linalg::cg(a, b, 1e-15, 50));
                v + w
            },
            |x| {
                let m = matrix(&x);
                linalg::solve(&m.t().matmul(&m), &x.cos()) + x.sin() * 0.5
            },
        ),
        (
            "in a loop and a branch",
            |x| {
                let m = matrix(&x);
                let step = move |c: Tensor, v: Tensor| {
                    let m = m.clone();
                    let solve =
                        move |c: Tensor| custom_linear_solve(move |v: Tensor| m.matmul(&v), c, direct);
                    let c = cond(&v.greater(0.0), solve, |c: Tensor| c.sin(), c);
                    (c.clone(), c * v)
                };
                scan(step, x.exp(), x).1.sum_axes(&[0])
            },
            |x| {
                let m = matrix(&x);
                let step = |c: Tensor, v: Tensor| {
                    let c = cond(&v.greater(0.0), |c: Tensor| linalg::solve(&m, &c), |c: Tensor| c.sin(), c);
                    (c.clone(), c * v)
                };
                scan(step, x.exp(), x.clone()).1.sum_axes(&[0])
            },
        ),
        (
            "a root",
            |x| {
                let a = x.exp();
                let newton = |f: &Operator<Tensor>, start: Tensor| {
                    // Steps that know no derivative of `f`.
                    let steps = |x: Tensor| f(x.clone()).abs().max().greater(1e-14);
                    while_loop(steps, |x| &x - f(x.clone()) / (3.0 * x.square()), start)
                };
                let start = a.ones_like();
                custom_root(move |x: Tensor| x.powi(3) - &a, start, newton, |j, y| &y / j(y.ones_like()))
            },
            |x| (x / 3.0).exp(),
        ),
        (
            "a root by steps that ask for the derivative of what they are given",
            |x| {
                // z with m z + z^3 = m e^x + e^3x is e^x.
                let (m, a) = (matrix(&x), x.exp());
                let right = m.matmul(&a) + a.powi(3);
                let newton = |f: &Operator<Tensor>, start: Tensor| {
                    let slopes = jacfwd(f.clone());
                    let far = |z: Tensor| f(z.clone()).abs().max().greater(1e-13);
                    while_loop(far, |z| &z - linalg::solve(&slopes(z.clone()), &f(z.clone())), start)
                };
                custom_root(move |z: Tensor| m.matmul(&z) + z.powi(3) - &right, a * 0.9, newton, direct)
            },
            |x| x.exp(),
        ),
        (
            "a fixed point of many",
            |x| {
                let m = matrix(&x) / 8.0;
                fixed_point(move |v: Tensor| m.matmul(&v) + &x, x_start(), 1e-15)
            },
            |x| linalg::solve(&(Tensor::eye(3, wengert::DType::F64) - matrix(&x) / 8.0), &x),
        ),
    ]
}

fn x_start() -> Tensor {
    Tensor::zeros(&[3], wengert::DType::F64)
}

/// Asserts nearness of what iterations find.
#[track_caller]
fn near(got: &Tensor, want: &Tensor, what: &str) {
    let scale = want.abs().max().item::<f64>() + 1.0;
    assert_eq!(got.shape(), want.shape(), "{what}");
    assert!((got - want).abs().max().item::<f64>() < 1e-9 * scale, "{what}: {got} instead of {want}");
}

#[test]
fn derivatives_are_those_of_the_equation() {
    for (name, f, want) in functions() {
        let what = |mode: &str| format!("{name}, {mode}");
        near(&f(x()), &want(x()), &what("value"));
        near(&jit(f)(x()), &want(x()), &what("compiled"));
        let (_, t) = jvp(f, (x(),), (x().cos(),));
        near(&t, &jvp(want, (x(),), (x().cos(),)).1, &what("forward"));
        near(&jit(jacfwd(f))(x()), &jacfwd(want)(x()), &what("forward, compiled"));
        near(&jacrev(f)(x()), &jacrev(want)(x()), &what("reverse"));
        near(&jit(jacrev(f))(x()), &jacrev(want)(x()), &what("reverse, compiled"));
        let (loss, wanted) = (move |x: Tensor| f(x).sin().sum(), move |x: Tensor| want(x).sin().sum());
        let curvature = hessian(wanted)(x());
        near(&jit(hessian(loss))(x()), &curvature, &what("forward over reverse"));
        near(&jit(jacrev(grad(loss)))(x()), &curvature, &what("reverse over reverse"));
        near(&jit(jacfwd(jacfwd(loss)))(x()), &curvature, &what("forward over forward"));
        near(&jit(jacrev(jacfwd(loss)))(x()), &curvature, &what("reverse over forward"));
        let third = |f: Of| jacfwd(hessian(move |x: Tensor| f(x).sin().sum()));
        near(&jit(third(f))(x()), &third(want)(x()), &what("third order"));
        let batch = numbers(&[4, 3]);
        near(&jit(vmap(f))(batch.clone()), &vmap(want)(batch.clone()), &what("a batch"));
        near(
            &jit(vmap(grad(loss)))(batch.clone()),
            &vmap(grad(wanted))(batch),
            &what("gradients of a batch"),
        );
    }
}

#[test]
fn solutions_survive_text() {
    for (name, f, _) in functions() {
        let program = jit(move |x: Tensor| f(x).sum()).trace((x(),)).expect("traces");
        let text = program.to_string();
        assert!(text.contains("wengert.linear_solve") || text.contains("wengert.root"), "{text}");
        let read = Traced::parse(&text, None).expect("reads");
        assert_eq!(read.to_string(), text);
        // More constants than operands are an error of the text.
        let at = text.find("consts = ").expect("one of ours");
        let wrong = format!("{}consts = 99{}", &text[..at], &text[at + "consts = 1".len()..]);
        let error = Traced::parse(&wrong, None).err().expect("too many constants").to_string();
        assert!(error.contains("99 constants"), "{name}: {error}");
        let [a, b] = [program, read].map(|p| p.value_and_grad(&[0]).expect("derives"));
        close(&a.interpret(&[x()]).expect("runs")[1], &b.interpret(&[x()]).expect("runs")[1], name);
    }
}

#[test]
fn what_does_not_fit_says_so() {
    let said = |f: &dyn Fn()| {
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).expect_err("it fails");
        caught.downcast_ref::<String>().cloned().unwrap_or_default()
    };
    let message = said(&|| drop(custom_linear_solve(|v: Tensor| v.get(..2), x(), |_, b| b)));
    for part in ["the product must have the types of the vector", "in `custom_linear_solve`", "implicit.rs"] {
        assert!(message.contains(part), "{message}");
    }
    let message = said(&|| drop(custom_linear_solve(|v: Tensor| v.sin(), x(), |_, b| b)));
    assert!(message.contains("stablehlo.sine: not linear"), "{message}");
    // What is known beside what is linear must be zero.
    let affine: [fn(Tensor) -> Tensor; 4] = [
        |v| v + 1.0,
        |v| v.get(1..).pad(&[(1, 0)], 2.0),
        |v| v.greater(0.0).select(&v, v.zeros_like()),
        |v| numbers(&[3]).greater(0.0).select(&v, v.ones_like()),
    ];
    for f in affine {
        let message = said(&|| drop(linear_transpose(f, (x(),)).call(x())));
        assert!(message.contains("linear") && message.contains("implicit.rs"), "{message}");
    }
    // What a solver is given ends with the trace.
    let kept = std::sync::Mutex::new(None);
    let keep = |a: &Operator<Tensor>, b: Tensor| {
        *kept.lock().expect("free") = Some(a.clone());
        b
    };
    drop(custom_linear_solve(|v: Tensor| v, x(), keep));
    let kept = kept.lock().expect("free").take().expect("it was given one");
    let message = said(&|| drop(kept(x())));
    assert!(message.contains("a solver was given") && message.contains("custom_linear_solve"), "{message}");
    let message = said(&|| drop(fixed_point(|v: Tensor| v.expand_dims(0), x(), 1e-9)));
    assert!(message.contains("fixed_point") && message.contains("implicit.rs"), "{message}");
}
