//! A rule of `custom_jvp` is its own derivative with respect to the tangents, so one that is not linear in them is refused; and
//! every way of being linear is not.

use wengert::effects::prints_of;
use wengert::{
    DType, Operand, Tensor, Window, associative_scan, checkpoint, cond, custom_jvp, custom_vjp, debug_print,
    fori_loop, grad, io_callback, jacfwd, jacrev, jet, jit, jvp, linalg, linearize, reap, reduce_window,
    scan, sow, stop_gradient, vjp, vmap, while_loop,
};

type Rule = fn((Tensor,), (Tensor,)) -> (Tensor, Tensor);

fn x() -> Tensor {
    Tensor::from([0.5f64, -1.25, 2.0])
}

/// Sums of one element each, which start from `init`.
fn running(x: &Tensor, init: impl Operand) -> Tensor {
    reduce_window(x, init, |a, b| a + b, &Window { dimensions: vec![1], ..Window::default() })
}

fn with(rule: Rule) -> impl Fn(Tensor) -> Tensor + Clone + Send + Sync + 'static {
    move |x: Tensor| custom_jvp(|x: Tensor| x.sin(), rule)(x)
}

fn message(f: impl FnOnce()) -> String {
    let error = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).expect_err("refused");
    error.downcast_ref::<String>().cloned().unwrap_or_else(|| "not a text".into())
}

const LINEAR: &str = "the rule of a `custom_jvp` must be linear in its tangents";

#[test]
fn rules_that_are_not_linear_are_refused_in_every_mode() {
    let rules: &[(&str, Rule)] = &[
        ("stablehlo.multiply", |(x,), (d,)| (x.sin(), &d * &d)),
        ("stablehlo.cosine", |(x,), (d,)| (x.sin(), &d * d.cos())),
        ("stablehlo.sine", |(x,), (d,)| (x.sin(), d.sin())),
        ("stablehlo.abs", |(x,), (d,)| (x.sin(), d.abs())),
        ("stablehlo.floor", |(x,), (d,)| (x.sin(), d.floor())),
        ("stablehlo.divide", |(x,), (d,)| (x.sin(), 1.0 / d)),
        ("stablehlo.add", |(x,), (d,)| (x.sin(), d + 1.0)),
        ("stablehlo.subtract", |(x,), (d,)| (x.sin(), d - &x)),
        ("stablehlo.maximum", |(x,), (d,)| (x.sin(), d.maximum(0.0))),
        ("stablehlo.select", |(x,), (d,)| (x.sin(), x.greater(0.0).select(&d, &x))),
        ("stablehlo.compare", |(x,), (d,)| (x.sin(), d.greater(0.0).select(&d, x.zeros_like()))),
        ("stablehlo.pad", |(x,), (d,)| (x.sin(), d.get(0..1).pad(&[(1, 1)], 1.0))),
        ("stablehlo.reduce_window", |(x,), (d,)| (x.sin(), running(&d, 1.0))),
        ("stablehlo.reduce_window", |(x,), (d,)| (x.sin(), running(&d, x.sum()))),
        ("stop_gradient", |(x,), (d,)| (x.sin(), wengert::stop_gradient(&d))),
        ("stablehlo.compare", |(x,), (d,)| {
            (x.sin(), cond(&d.sum().greater(0.0), |d: Tensor| d, |d: Tensor| -d, d))
        }),
        ("case", |(x,), (d,)| {
            let same = x.clone();
            (x.sin(), cond(&x.sum().greater(0.0), |d: Tensor| d, move |_| same, d))
        }),
        ("stablehlo.multiply", |(x,), (d,)| (x.sin(), fori_loop(0, 3, |_, d: Tensor| &d * &d, d))),
        ("stablehlo.add", |(x,), (d,)| {
            let by = x.clone();
            (x.sin(), fori_loop(0, 3, move |_, d: Tensor| d + &by, d))
        }),
        ("scan", |(x,), (d,)| {
            let once = d.clone();
            (x.sin(), scan(move |_: Tensor, _: Tensor| (once.clone(), ()), x.clone(), x).0)
        }),
        ("stablehlo.compare", |(x,), (d,)| {
            (x.sin(), while_loop(|d: Tensor| d.sum().less(9.0), |d| d * 2.0, d))
        }),
        ("custom_jvp", |(x,), _| (x.sin(), x.cos())),
        ("custom_jvp", |(x,), (d,)| (x.sin() + &d, d)),
    ];
    let mut wrong = Vec::new();
    for (k, (op, rule)) in rules.iter().enumerate() {
        let f = with(*rule);
        let sum = {
            let f = f.clone();
            move |x: Tensor| f(x).sum()
        };
        type Mode = Box<dyn FnOnce()>;
        let modes: [(&str, Mode); 6] = [
            ("grad", {
                let f = sum.clone();
                Box::new(move || drop(grad(f)(x())))
            }),
            ("jit(grad)", {
                let f = sum.clone();
                Box::new(move || drop(jit(grad(f))(x())))
            }),
            ("jvp", {
                let f = f.clone();
                Box::new(move || drop(jvp(f, (x(),), (x(),))))
            }),
            ("jit(jvp)", {
                let f = f.clone();
                Box::new(move || drop(jit(move |x: Tensor| jvp(f.clone(), (x.clone(),), (x,)).1)(x())))
            }),
            ("vjp", {
                let f = f.clone();
                Box::new(move || drop(vjp(f, (x(),)).1.call(x())))
            }),
            ("jacfwd", {
                let f = f.clone();
                Box::new(move || drop(jacfwd(f)(x())))
            }),
        ];
        for (mode, run) in modes {
            let said = message(run);
            let why = said.contains(LINEAR) || said.contains("depends on the tangents");
            if !(why && said.contains(op) && said.contains(file!())) {
                wrong.push(format!("rule {k} ({op}), {mode}: {said}"));
            }
        }
        // The function itself has nothing wrong.
        assert_eq!(jit(f)(x()).to_vec::<f64>(), x().sin().to_vec::<f64>());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn rules_that_are_linear_in_any_way_are_taken() {
    let rules: &[Rule] = &[
        |(x,), (d,)| (x.sin(), d * x.cos()),
        |(x,), (d,)| (x.sin(), d * (1.0 - x.sin().square()).sqrt() * x.cos().sign()),
        |(x,), (d,)| {
            (
                x.sin(),
                x.greater(0.0).select(&(&d * x.cos()), d.zeros_like())
                    + x.less_equal(0.0).select(&(d * x.cos()), &(x.zeros_like() - 0.0)),
            )
        },
        |(x,), (d,)| (x.sin(), jvp(|x: Tensor| x.sin(), (x,), (d,)).1),
        |(x,), (d,)| (x.sin(), vjp(|x: Tensor| x.sin(), (x,)).1.call(d).0),
        // Known and linear values carried together, with calls, branches and a condition on the known one.
        |(x,), (d,)| {
            let (_, d, _) = while_loop(
                |(_, _, n): (Tensor, Tensor, Tensor)| n.less(2i64),
                |(y, d, n)| {
                    let y2 = y.clone();
                    let d = jit(|a: Tensor, b: Tensor| a * b)(
                        d,
                        cond(&n.equal(0i64), |y: Tensor| y.cos(), |y: Tensor| y.ones_like(), y2),
                    );
                    (y, d, n + 1)
                },
                (x.clone(), d, Tensor::from(0i32)),
            );
            (x.sin(), d)
        },
        // A sum that starts from zeros, rows of a scan, a running sum and its differences.
        |(x,), (d,)| {
            let rows = scan(
                |s: Tensor, (c, d): (Tensor, Tensor)| {
                    let s = s + c * d;
                    (s.clone(), s)
                },
                Tensor::from(0.0f64),
                (x.cos(), d),
            )
            .1;
            (x.sin(), rows.diff_with_first())
        },
        |(x,), (d,)| (x.sin(), (d * x.cos()).cumsum(0).diff_with_first()),
        |(x,), (d,)| (x.sin(), associative_scan(|a: Tensor, b: Tensor| a + b, d * x.cos()).diff_with_first()),
        // Products and solutions.
        |(x,), (d,)| (x.sin(), x.cos().diag(0).matmul(&d.expand_dims(1)).squeeze(&[1])),
        |(x,), (d,)| (x.sin(), linalg::solve(&(1.0 / x.cos()).diag(0), &d)),
        // Through complex numbers, other precisions and indices.
        |(x,), (d,)| (x.sin(), (Tensor::complex(&d, &d.zeros_like()) * Tensor::complex(&x.cos(), &x)).real()),
        |(x,), (d,)| (x.sin(), d.flip(0).take(&Tensor::from([2i32, 1, 0]), 0) * x.cos()),
        |(x,), (d,)| (x.sin(), d.zeros_like().at(0..3).add(d * x.cos())),
        // Another function with a rule, of what is known and of the tangents.
        |(x,), (d,)| {
            let cosine =
                custom_jvp(|x: Tensor| x.cos(), |(x,): (Tensor,), (d,): (Tensor,)| (x.cos(), -x.sin() * d));
            let twice =
                custom_jvp(|x: Tensor| x * 2.0, |(x,): (Tensor,), (d,): (Tensor,)| (x * 2.0, d * 2.0));
            (x.sin(), twice(d) * cosine(x) * 0.5)
        },
    ];
    let want = x().cos().to_vec::<f64>();
    for (k, rule) in rules.iter().enumerate() {
        let f = with(*rule);
        let sum = {
            let f = f.clone();
            move |x: Tensor| f(x).sum()
        };
        let all = [
            grad(sum.clone())(x()),
            jit(grad(sum))(x()),
            jvp(f.clone(), (x(),), (Tensor::ones(&[3], DType::F64),)).1,
            jacfwd(f.clone())(x()).diag(0),
        ];
        for got in all {
            let near = got.to_vec::<f64>().iter().zip(&want).all(|(a, b)| (a - b).abs() < 1e-12);
            assert!(near, "rule {k}: {got} is not {want:?}");
        }
    }
}

trait DiffWithFirst {
    fn diff_with_first(&self) -> Tensor;
}
impl DiffWithFirst for Tensor {
    /// What was summed up, from running sums.
    fn diff_with_first(&self) -> Tensor {
        wengert::concatenate(&[self.get(0..1), self.diff(1, 0)], 0)
    }
}

#[test]
fn a_rule_that_adds_something_imaginary_is_not_linear() {
    let rule: Rule = |(x,), (d,)| {
        let imaginary = Tensor::complex(&x.real().zeros_like(), &x.real().ones_like());
        (x.clone(), d + imaginary)
    };
    let z = Tensor::complex(&x(), &x());
    let f = custom_jvp(|x: Tensor| x, rule);
    let said = message(|| drop(jvp(move |x: Tensor| f(x), (z.clone(),), (z,))));
    assert!(said.contains(LINEAR), "{said}");
}

/// `u * w` of an argument and a capture, whose rule says ten times the tangent: what comes by either is told apart.
fn captured(w: &Tensor, u: Tensor) -> Tensor {
    let (w, w1) = (w.clone(), w.clone());
    custom_jvp(move |u: Tensor| u * &w, move |(u,), (du,)| (u * &w1, du * 10.0))(u)
}

/// The same, with a rule for cotangents.
fn captured_in_reverse(w: &Tensor, u: Tensor) -> Tensor {
    let (w, w1) = (w.clone(), w.clone());
    custom_vjp(move |u: Tensor| u * &w, move |(u,)| (u * &w1, w1.sum()), |_, g: Tensor| (g * 10.0,))(u)
}

#[track_caller]
fn near(got: &Tensor, want: &[f64]) {
    let got = got.to_vec::<f64>();
    let close = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-12 * (1.0 + b.abs());
    assert!(got.len() == want.len() && got.iter().zip(want).all(close), "{got:?}, not {want:?}");
}

fn number(x: f64) -> Tensor {
    Tensor::from(x)
}

#[test]
fn captures_are_differentiated_beside_the_rule() {
    let x = 0.7f64;
    // By the argument 10 sin, by the capture cos * exp.
    let f = |x: Tensor| captured(&x.sin(), x.exp());
    let slope = 10.0 * x.exp() + x.cos() * x.exp();
    near(&f(number(x)), &[x.sin() * x.exp()]);
    near(&grad(f)(number(x)), &[slope]);
    near(&jit(grad(f))(number(x)), &[slope]);
    near(&jvp(f, (number(x),), (number(2.0),)).1, &[2.0 * slope]);
    near(&jit(jacfwd(f))(number(x)), &[slope]);
    near(&vjp(f, (number(x),)).1.call(number(3.0)).0, &[3.0 * slope]);
    near(&linearize(f, (number(x),)).1.call((number(2.0),)), &[2.0 * slope]);
    near(&vmap(grad(f))(Tensor::from([x, x])), &[slope, slope]);
    near(&grad(move |x: Tensor| vmap(f)(x).sum())(Tensor::from([x, x])), &[slope, slope]);
    near(&grad(checkpoint(f))(number(x)), &[slope]);
    // A second time what the rule gives is differentiated, and what stands beside it.
    let second = 10.0 * x.exp() + (x.cos() - x.sin()) * x.exp();
    near(&grad(grad(f))(number(x)), &[second]);
    near(&jit(grad(grad(f)))(number(x)), &[second]);
    near(&jit(jacfwd(jacrev(f)))(number(x)), &[second]);
    // By the capture alone, where the rule is not asked.
    let only = |w: Tensor| captured(&w, number(5.0));
    near(&grad(only)(number(x)), &[5.0]);
    near(&jit(grad(only))(number(x)), &[5.0]);
    near(&jit(grad(grad(only)))(number(x)), &[0.0]);
    // Captured from a loop, whose trips each have another, and from a branch.
    let looped = |x: Tensor| {
        scan(|c: Tensor, s: Tensor| (captured(&(&c * s), number(2.0)), ()), x, Tensor::from([3.0f64, 5.0])).0
    };
    near(&grad(looped)(number(x)), &[60.0]);
    near(&jit(grad(looped))(number(x)), &[60.0]);
    let branch = |x: Tensor| cond(&x.greater(0.0), |x: Tensor| captured(&x, &x * 3.0), |x: Tensor| x, x);
    near(&jit(grad(branch))(number(x)), &[30.0 + 3.0 * x]);
    let repeated = |x: Tensor| while_loop(|c: Tensor| c.less(10.0), |c: Tensor| captured(&c, number(2.0)), x);
    near(&jit(grad(repeated))(number(3.0)), &[4.0]);
    // Trees, with integers, of which one part changes by the capture.
    let tree = |x: Tensor| {
        let (by, by1) = (x.clone(), x.clone());
        let f = custom_jvp(
            move |u: Tensor, k: Tensor| (&u * 1.0, &u * &by, k),
            move |(u, k): (Tensor, Tensor), (du, dk): (Tensor, Tensor)| {
                ((&u * 1.0, &u * &by1, k), (&du * 10.0, du * 100.0, dk))
            },
        );
        let (a, b, _) = f(x, Tensor::from(1i32));
        a + b
    };
    near(&jit(grad(tree))(number(x)), &[110.0 + x]);
}

#[test]
fn captures_that_are_not_differentiated_are_constants() {
    for captured in [captured as fn(&Tensor, Tensor) -> Tensor, captured_in_reverse] {
        let (x, w) = (0.7f64, 3.0f64);
        let f = move |x: Tensor, w: Tensor| captured(&w.sin(), x.exp());
        let slope = 10.0 * x.exp();
        near(&jit(grad(f))(number(x), number(w)), &[slope]);
        near(&grad(f)(number(x), number(w)), &[slope]);
        // Of an outer `jit`, `vmap`, `scan`, `cond`, `while` and `grad`.
        let outer = move |w: Tensor| grad(move |x: Tensor| f(x, w.clone()))(number(x));
        near(&jit(outer)(number(w)), &[slope]);
        near(&vmap(outer)(Tensor::from([w, 1.0])), &[slope, slope]);
        near(&jit(vmap(outer))(Tensor::from([w, 1.0])), &[slope, slope]);
        let value = move |w: Tensor| f(number(x), w);
        near(&vmap(value)(Tensor::from([w, 1.0])), &[w.sin() * x.exp(), 1f64.sin() * x.exp()]);
        let step = move |c: Tensor, w: Tensor| (c + outer(w), ());
        let looped = move |n: Tensor| scan(step, number(0.0), n).0;
        near(&looped(Tensor::from([1.0f64, 2.0])), &[2.0 * slope]);
        near(&jit(looped)(Tensor::from([1.0f64, 2.0])), &[2.0 * slope]);
        near(&vmap(looped)(Tensor::from([[1.0f64, 2.0]])), &[2.0 * slope]);
        let chosen = move |w: Tensor| cond(&w.greater(0.0), outer, |w: Tensor| w, w);
        near(&jit(chosen)(number(w)), &[slope]);
        let counted =
            move |w: Tensor| while_loop(|w: Tensor| w.less(20.0), move |w: Tensor| w.clone() + outer(w), w);
        near(&jit(counted)(number(w)), &[w + slope]);
        // What an outer derivative goes through but for the capture: the gradient does not depend on it.
        near(&jit(grad(move |w: Tensor| outer(stop_gradient(&w)) * &w))(number(w)), &[slope]);
        near(&grad(move |w: Tensor| outer(stop_gradient(&w)) * &w)(number(w)), &[slope]);
        near(
            &jit(grad(move |w: Tensor| f(number(x), stop_gradient(&w)) * &w))(number(w)),
            &[w.sin() * x.exp()],
        );
    }
}

#[test]
fn captures_that_have_no_derivative_say_so() {
    let reverse = |x: Tensor| captured_in_reverse(&x.sin(), x);
    for said in [
        message(move || drop(grad(reverse)(number(1.0)))),
        message(move || drop(jit(grad(reverse))(number(1.0)))),
        message(move || drop(vmap(grad(reverse))(Tensor::from([1.0f64])))),
    ] {
        let words = ["backward function of a `custom_vjp`", "make it an argument", "custom_rules.rs"];
        words.iter().for_each(|w| assert!(said.contains(w), "{w}: {said}"));
    }
    let series = |x: Tensor| captured(&x.sin(), x);
    let said = message(move || drop(jet(series, (number(1.0),), &[(number(1.0),)])));
    assert!(said.contains("make it an argument") && said.contains("custom_rules.rs"), "{said}");
    // What calls the host in an order is not called again.
    let ordered = |x: Tensor| {
        let (w, w1) = (x.clone(), x.clone());
        let read = move |u: Tensor| io_callback(|u: Tensor| u, &u, (stop_gradient(&u),)) * &w;
        custom_jvp(read, move |(u,), (du,)| (u * &w1, du))(x)
    };
    let said = message(move || drop(jit(grad(ordered))(number(1.0))));
    assert!(said.contains("would be called again") && said.contains("custom_rules.rs"), "{said}");
    // Nothing is heard twice, and no name is sown twice.
    let heard = |x: Tensor| {
        let (w, w1) = (x.clone(), x.clone());
        let noted = move |u: Tensor| {
            debug_print!("u = {}", u);
            sow("u", &u) * &w
        };
        custom_jvp(noted, move |(u,), (du,)| (u * &w1, du * 10.0))(x)
    };
    let (slope, lines) = prints_of(|| jit(grad(heard))(number(2.0)));
    near(&slope, &[12.0]);
    assert!(lines.is_empty(), "the rule does what is done: {lines:?}");
    let reaped = move |x: Tensor| {
        let (y, values) = reap(heard, ["u"])(x);
        y + &values["u"]
    };
    near(&jit(grad(reaped))(number(2.0)), &[13.0]);
}

/// The value that `vjp` and `linearize` give of a function with a reverse mode of its own is what its forward function gives, and
/// has a forward mode.
#[test]
fn values_of_vjp_have_a_forward_mode() {
    let f =
        || custom_vjp(|x: Tensor| x.sin(), |(x,)| (x.sin(), x), |x: Tensor, c: Tensor| (x.cos() * c * 3.0,));
    let one = || Tensor::from(1.0f64);
    let (f1, f2, f3) = (f(), f(), f());
    let by_vjp = jvp(move |x: Tensor| vjp(f1.clone(), (x,)).0, (one(),), (one(),)).1;
    let by_linearize = jacfwd(move |x: Tensor| linearize(f2.clone(), (x,)).0)(one());
    for d in [by_vjp, by_linearize] {
        assert!((d.item::<f64>() - 1f64.cos()).abs() < 1e-15);
    }
    // Pulled back it is the user's.
    let g = jit(move |x: Tensor| vjp(f3.clone(), (x,)).1.call(Tensor::from(1.0f64)).0);
    assert!((g(one()).item::<f64>() - 3.0 * 1f64.cos()).abs() < 1e-15);
}
