//! Values by name, and what must hold, under transforms: what is reaped of a derivative is what the function sows where it is
//! computed, what is planted is differentiated as the constant that it is, and the check that fails is the one that fails without
//! the transform, with its line.

use std::sync::Arc;
use wengert::{
    Error, Tensor, check, checked, checkpoint, cond, custom_jvp, fori_loop, grad, hessian, hvp, jacfwd,
    jacrev, jet, jit, jvp, linearize, plant, reap_last, scan, sow, sparse_hessian, sparse_jacobian, vjp,
};

type F = Arc<dyn Fn(Tensor) -> Tensor + Send + Sync>;

/// What is done to a value at a place that has a name.
type Mark = fn(&'static str, Tensor) -> Tensor;

/// A program that marks its places.
type Program = fn(Mark, Tensor) -> Tensor;

/// What a transform makes of a function, at a place.
type Transform = fn(&F, Tensor) -> Tensor;

fn x() -> Tensor {
    Tensor::from([0.4f64, -0.3, 0.9])
}

fn direction() -> Tensor {
    Tensor::from([0.3f64, -1.2, 0.7])
}

/// Programs with places, of which the last one is called `last`.
const PROGRAMS: &[(&str, Program)] = &[
    ("a straight line", |m, x| {
        let y = m("first", x.sin()) * &x;
        m("unread", y.exp());
        m("last", y.square()) + x
    }),
    ("a call", |m, x| {
        let f = jit(move |x: Tensor| m("first", x.sin()).exp());
        m("last", f(x).square())
    }),
    ("a branch", |m, x| {
        let is_large = x.sum().greater(0.5);
        let y = cond(&is_large, |x: Tensor| m("first", x.sin()), |x: Tensor| m("other", x.exp()), x.clone());
        m("last", y * x)
    }),
    ("a scan", |m, x| {
        let step = |c: Tensor, v: Tensor| (m("first", c * v).sin(), ());
        m("last", scan(step, x, Tensor::from([0.5f64, 1.5])).0.square())
    }),
    ("a loop of so many trips", |m, x| {
        fori_loop(0, 3, |_, c: Tensor| m("last", m("first", c.sin()).square()), x)
    }),
    ("a checkpoint", |m, x| {
        let f = checkpoint(move |x: Tensor| m("first", x.sin()).exp().sin());
        m("last", f(x).square())
    }),
    ("a derivative", |m, x| {
        let slope = grad(move |x: Tensor| (m("first", x.sin()) * &x).sum());
        m("last", slope(x).square())
    }),
    ("a function with a rule", |m, x| {
        let f = custom_jvp(
            move |x: Tensor| m("first", x.clone()).sin(),
            move |(x,): (Tensor,), (dx,): (Tensor,)| (m("first", x.clone()).sin(), dx * x.cos()),
        );
        m("last", f(x).square())
    }),
];

const NAMES: [&str; 4] = ["first", "unread", "other", "last"];

fn of(program: Program, mark: Mark) -> F {
    Arc::new(move |x| program(mark, x))
}

fn plain(f: &F) -> impl Fn(Tensor) -> Tensor + Send + Sync + Clone + 'static {
    let f = f.clone();
    move |x: Tensor| f(x)
}

fn summed(f: &F) -> impl Fn(Tensor) -> Tensor + Send + Sync + Clone + 'static {
    let f = f.clone();
    move |x: Tensor| f(x).sum()
}

/// Transforms of functions of three numbers to three numbers.
const TRANSFORMS: &[(&str, Transform)] = &[
    ("itself", |f, x| f(x)),
    ("jvp", |f, x| {
        let (y, dy) = jvp(plain(f), (x,), (direction(),));
        y + dy
    }),
    ("vjp", |f, x| {
        let (y, back) = vjp(plain(f), (x,));
        y + back.call(direction()).0 + back.call(direction() * 2.0).0
    }),
    ("grad", |f, x| grad(summed(f))(x)),
    ("grad within memory", |f, x| grad(summed(f)).memory_budget(1 << 20)(x)),
    ("grad of grad", |f, x| {
        let f = summed(f);
        grad(move |x: Tensor| grad(f.clone())(x).sum())(x)
    }),
    ("linearize", |f, x| {
        let (y, df) = linearize(plain(f), (x,));
        y + df.call((direction(),)) + df.transpose().call(direction()).0
    }),
    ("jacfwd", |f, x| jacfwd(plain(f))(x).matmul(&direction())),
    ("jacrev", |f, x| jacrev(plain(f))(x).matmul(&direction())),
    ("hessian", |f, x| hessian(summed(f))(x).matmul(&direction())),
    ("hvp", |f, x| hvp(summed(f), (x,), (direction(),)).0),
    ("jet", |f, x| {
        let (y, d) = jet(plain(f), (x,), &[(direction(),), (direction() * 0.0,)]);
        d.into_iter().fold(y, |y, d| y + d)
    }),
    ("sparse_jacobian", |f, x| sparse_jacobian(plain(f))(x).matvec(&direction())),
    ("sparse_hessian", |f, x| sparse_hessian(summed(f))(x).matvec(&direction())),
    ("checkpoint", |f, x| {
        let f = checkpoint(plain(f));
        grad(move |x: Tensor| f(x).sum())(x)
    }),
];

fn transformed(of: Transform, f: &F) -> impl Fn(Tensor) -> Tensor + Send + Sync + Clone + 'static {
    let f = f.clone();
    move |x: Tensor| of(&f, x)
}

/// Calls a test for each program under each transform.
fn each(test: impl Fn(&str, Program, Transform)) {
    for (program, body) in PROGRAMS {
        for (transform, of) in TRANSFORMS {
            test(&format!("{transform} of {program}"), *body, *of);
        }
    }
}

#[track_caller]
fn close(what: &str, a: &Tensor, b: &Tensor) {
    let most = (a - b).abs().max().item::<f64>();
    assert!(most < 1e-9, "{what}: {a} and {b}");
}

#[test]
fn what_is_sown_is_reaped_of_derivatives() {
    let nothing: Mark = |_, x| x;
    let sown: Mark = |name, x| sow(name, &x);
    each(|what, program, transform| {
        let f = of(program, sown);
        let expected = transform(&of(program, nothing), x());
        let (_, want) = reap_last(plain(&f), [""; 0])(x());
        assert!(want["last"].get().is_some(), "{what}");
        for compiled in [false, true] {
            let reaped = reap_last(transformed(transform, &f), [""; 0]);
            let (y, got) = if compiled { jit(reaped)(x()) } else { reaped(x()) };
            close(what, &y, &expected);
            for name in NAMES {
                let values = [&want, &got].map(|by_name| by_name.get(name).and_then(|sown| sown.get()));
                match values {
                    [Some(want), Some(got)] => close(&format!("{name}, {what}"), &got, &want),
                    [None, None] => {}
                    [want, got] => panic!("{name}, {what}: {want:?} and {got:?}"),
                }
            }
        }
    });
}

#[test]
fn what_is_planted_is_differentiated_as_a_constant() {
    for (what, transform) in TRANSFORMS {
        let hidden = Tensor::from([0.5f64, 2.0, -1.0]);
        let (h, planted) = (hidden.clone(), hidden.clone());
        let sown = |x: Tensor| (sow("hidden", &x.sin()) * &x).sin();
        let f: F = Arc::new(move |x| plant(sown, [("hidden", planted.clone())])(x));
        let constant: F = Arc::new(move |x| (&h * &x).sin());
        let want = transform(&constant, x());
        close(what, &transform(&f, x()), &want);
        close(what, &jit(transformed(*transform, &f))(x()), &want);
    }
}

/// All hold but that of the last place.
fn last_fails(name: &'static str, x: Tensor) -> Tensor {
    let most = if name == "last" { -1.0 } else { 100.0 };
    check!(x.less(most).all(), "less than {}", Tensor::from(most));
    x
}

fn error_of(run: impl FnOnce() -> Result<Tensor, Error>) -> Error {
    run().expect_err("a check fails")
}

#[test]
fn the_check_that_fails_is_the_one_that_fails_without() {
    each(|what, program, transform| {
        let f = of(program, last_fails);
        let want = error_of(|| jit(plain(&f)).try_call((x(),)));
        let got = error_of(|| jit(transformed(transform, &f)).try_call((x(),)));
        assert_eq!(got.message(), want.message(), "{what}");
        let lines = [&got, &want].map(|e| e.location().map(|at| (at.file(), at.line())));
        assert_eq!(lines[0], lines[1], "{what}");
        assert_eq!(lines[0].map(|at| at.0), Some(file!()), "{what}");
        let said = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| transform(&f, x())));
        let panic = said.expect_err("a check fails");
        let text = panic.downcast_ref::<String>().expect("a message");
        assert!(text.contains(want.message()), "{what}: {text}");
    });
}

#[test]
fn everything_is_checked_of_derivatives() {
    let nothing: Mark = |_, x| x;
    each(|what, program, transform| {
        let g = transformed(transform, &of(program, nothing));
        for (failure, y) in [checked(g.clone()).everything()(x()), jit(checked(g.clone()).everything())(x())]
        {
            failure.get().unwrap_or_else(|e| panic!("{what}: {e}"));
            close(what, &y, &g(x()));
        }
        let f = of(program, last_fails);
        let (want, _) = checked(plain(&f)).everything()(x());
        let (got, _) = jit(checked(transformed(transform, &f)).everything())(x());
        let (want, got) = (want.get().expect_err("fails"), got.get().expect_err("fails"));
        assert_eq!(got.message(), want.message(), "{what}");
    });
}

/// The derivative reads the logarithm.
#[test]
fn the_first_nan_is_that_of_the_function() {
    let f: F = Arc::new(|x| x.log().exp().sin());
    for (what, transform) in TRANSFORMS {
        let (failure, _) = jit(checked(transformed(*transform, &f)).everything())(x());
        let error = failure.get().expect_err(what);
        let want = "stablehlo.log made a NaN of -0.3 (element [1])";
        assert_eq!((error.message(), error.location().map(|at| at.file())), (want, Some(file!())), "{what}");
    }
}

/// The second derivative of a logarithm does not read the logarithm: it is not computed, and makes no NaN. JAX computes it.
#[test]
fn a_value_that_nobody_reads_makes_no_nan() {
    let f: F = Arc::new(|x| x.log());
    let finds = |of: Transform| {
        let (failure, _) = checked(transformed(of, &f)).everything()(x());
        failure.get().is_err()
    };
    let unread: Vec<&str> = TRANSFORMS.iter().filter(|(_, of)| !finds(*of)).map(|(name, _)| *name).collect();
    assert_eq!(unread, ["grad of grad", "hessian", "hvp", "sparse_hessian"]);
}

/// A function may look at its own failures, and is differentiated with what it makes of them.
#[test]
fn what_is_checked_is_transformed() {
    let marks: [Mark; 2] = [last_fails, |_, x| x];
    for (mark, factor) in marks.into_iter().zip([3.0, 1.0]) {
        each(|what, program, transform| {
            let f = of(program, mark);
            let chosen: F = Arc::new(move |x| {
                let (failure, y) = checked(plain(&f)).everything()(x);
                failure.failed().select(&(&y * 3.0), &y)
            });
            let want = transform(&of(program, |_, x| x), x()) * factor;
            close(what, &transform(&chosen, x()), &want);
            close(what, &jit(transformed(transform, &chosen))(x()), &want);
        });
    }
}
