//! Effects of traced functions: what is printed and called happens once, in the order of the program, compiled or not, under
//! every transform; what must hold is said once, with its line; values are fetched by name.

use wengert::effects::prints_of;
use wengert::{
    DType, Tensor, check, checked, checkpoint, cond, custom_jvp, custom_vjp, debug_nans, debug_print,
    fori_loop, grad, hessian, hvp, io_callback, jacfwd, jacrev, jit, jvp, linearize, reap, scan, sow, switch,
    value_and_grad, vjp, vmap, while_loop,
};

pub(crate) type Of = fn(Tensor) -> Tensor;

pub(crate) fn s(x: f64) -> Tensor {
    Tensor::from(x)
}

/// What a run prints.
pub(crate) fn lines<R>(f: impl FnOnce() -> R) -> Vec<String> {
    prints_of(f).1
}

/// What a panic said.
pub(crate) fn said(f: impl FnOnce()) -> String {
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).expect_err("it must fail");
    panic.downcast_ref::<String>().expect("a text").clone()
}

pub(crate) fn noted(x: Tensor, name: &str) -> Tensor {
    debug_print(&format!("{name} {{}}"), &[&x]);
    x
}

/// Functions that print, at a number near one.
const FUNCTIONS: &[(&str, Of)] = &[
    ("a line", |x| {
        let y = noted(x.clone(), "a").sin();
        debug_print!("b {} {}", x, y);
        noted(x, "a");
        y
    }),
    ("a branch", |x| {
        let y = cond(
            &x.greater(0.5),
            |x: Tensor| noted(x, "yes") * 2.0,
            |x: Tensor| noted(x, "no").exp(),
            x.clone(),
        );
        noted(y, "after") * x
    }),
    ("a branch without results", |x| {
        cond(
            &x.greater(0.5),
            |x: Tensor| debug_print!("yes {}", x),
            |x: Tensor| debug_print!("no {}", x),
            x.clone(),
        );
        x.sin()
    }),
    ("a scan", |x| {
        let step = |c: Tensor, i: Tensor| {
            let c = noted(c, "trip").sin() * &x;
            debug_print!("row {}", i);
            (c.clone(), c)
        };
        let (c, ys) = scan(step, noted(x.clone(), "before"), Tensor::from([1i32, 2, 3]));
        noted(c, "end") + ys.sum()
    }),
    ("a scan nobody reads", |x| {
        scan(|c: Tensor, i: Tensor| (noted(c, "trip"), i), x.clone(), Tensor::from([1i32, 2]));
        x.exp()
    }),
    ("a loop", |x| {
        let end = while_loop(
            |(k, _): (Tensor, Tensor)| k.less(3),
            |(k, c): (Tensor, Tensor)| (&k + 1, noted(c, "trip").cos()),
            (Tensor::from(0i32), x),
        );
        end.1
    }),
    ("a loop that decides", |x| {
        let end = while_loop(
            |c: Tensor| {
                debug_print!("asks {}", c);
                c.less(20.0)
            },
            |c: Tensor| noted(c, "trip") * 2.5,
            x,
        );
        noted(end, "end")
    }),
    ("nested", |x| {
        fori_loop(
            0,
            3,
            |i, c: Tensor| {
                let inner = |c: Tensor, v: Tensor| (noted(c * v, "inner"), ());
                let (c, ()) = scan(inner, c, Tensor::from([1.5f64, 0.5]));
                cond(&i.equal(1), |c: Tensor| noted(c, "middle").sin(), |c: Tensor| c, c)
            },
            x,
        )
    }),
    ("a call", |x| {
        let f = jit(|x: Tensor| noted(noted(x, "one").sin(), "two"));
        f(noted(f(x), "between"))
    }),
    ("a checkpoint", |x| {
        let f = checkpoint(|x: Tensor| noted(noted(x, "one").sin(), "two").exp().sin());
        noted(f(x), "after").sin()
    }),
    ("a checkpoint in a scan", |x| {
        let step = checkpoint(|c: Tensor, v: Tensor| noted(c.sin() * v, "trip").exp());
        let (c, ()) = scan(move |c: Tensor, v: Tensor| (step(c, v), ()), x, Tensor::from([0.5f64, 0.7]));
        c
    }),
    ("a rule", |x| {
        let body = |x: Tensor| noted(x, "body").sin();
        custom_jvp(body, move |(x,), (dx,)| (body(x.clone()), dx * x.cos()))(x)
    }),
    ("a reverse rule", |x| {
        let body = |x: Tensor| noted(x, "body").sin();
        custom_vjp(body, move |(x,)| (body(x.clone()), x), |x: Tensor, g: Tensor| (g * x.cos(),))(x)
    }),
    ("a check that holds", |x| {
        let x = noted(x, "before");
        check!(x.greater(0.0), "{}", x);
        noted(x, "after").sqrt()
    }),
    ("choices", |x| {
        let branches: [&dyn Fn(Tensor) -> Tensor; 3] =
            [&|x| noted(x, "zero"), &|x| noted(x, "one").sin(), &|x| noted(x, "two").exp()];
        fori_loop(0, 3, |i, x: Tensor| switch(&i.astype(DType::I32), &branches, x), x)
    }),
];

#[test]
fn once_and_in_order_under_every_transform() {
    for &(name, f) in FUNCTIONS {
        let x = || s(0.8);
        let want = lines(|| f(x()));
        assert!(!want.is_empty(), "{name}");
        let mut wrong = Vec::new();
        let mut is = |transform: &str, run: &dyn Fn()| {
            let got = lines(run);
            if got != want {
                wrong.push(format!("{transform}: {got:?}"));
            }
        };
        is("jit", &|| drop(jit(f)(x())));
        is("interpreted", &|| drop(jit(f).trace((x(),)).unwrap().interpret(&[x()]).unwrap()));
        is("grad", &|| drop(grad(f)(x())));
        is("jit grad", &|| drop(jit(grad(f))(x())));
        is("grad jit", &|| drop(grad(jit(f))(x())));
        is("value and grad", &|| drop(jit(value_and_grad(f))(x())));
        is("vjp", &|| {
            let (_, back) = vjp(f, (x(),));
            back.call(s(1.0));
            back.call(s(2.0));
        });
        is("jit vjp", &|| {
            let twice = move |x: Tensor| {
                let (y, back) = vjp(f, (x,));
                (y, back.call(s(1.0)), back.call(s(2.0)))
            };
            drop(jit(twice)(x()))
        });
        is("jit checkpoint", &|| drop(jit(grad(checkpoint(f)))(x())));
        is("checkpoint", &|| drop(grad(checkpoint(f))(x())));
        is("a batch of one", &|| drop(vmap(f)(Tensor::from([0.8f64]))));
        is("jit of a batch of one", &|| drop(jit(vmap(f))(Tensor::from([0.8f64]))));
        if name != "a loop that decides" {
            is("gradients of a batch of one", &|| drop(jit(vmap(grad(f)))(Tensor::from([0.8f64]))));
        }
        is("jacrev", &|| drop(jit(jacrev(f))(x())));
        // A reverse rule has no forward mode.
        if name != "a reverse rule" {
            is("jvp", &|| drop(jvp(f, (x(),), (s(1.0),))));
            is("jit jvp", &|| drop(jit(move |x: Tensor| jvp(f, (x,), (s(1.0),)))(x())));
            is("jacfwd", &|| drop(jacfwd(f)(x())));
            is("forward over reverse", &|| drop(jit(move |x: Tensor| hvp(f, (x,), (s(1.0),)))(x())));
            is("eager forward over reverse", &|| drop(hvp(f, (x(),), (s(1.0),))));
            is("hessian", &|| drop(jit(hessian(f))(x())));
            is("linearize", &|| {
                let (_, df) = linearize(f, (x(),));
                df.call((s(1.0),));
                df.call((s(2.0),));
            });
            is("jit linearize", &|| {
                let of = move |x: Tensor| {
                    let (y, df) = linearize(f, (x,));
                    (y, df.call((s(1.0),)), df.transpose().call(s(2.0)))
                };
                drop(jit(of)(x()))
            });
        }
        is("debug_nans", &|| drop(debug_nans(f)(x())));
        is("second order", &|| drop(jit(grad(grad(f)))(x())));
        is("eager second order", &|| drop(grad(grad(f))(x())));
        assert!(wrong.is_empty(), "{name}: {want:?}\n{}", wrong.join("\n"));
    }
}

#[test]
fn gradients_do_not_change() {
    for &(name, f) in FUNCTIONS {
        let d = grad(f)(s(0.8)).item::<f64>();
        let difference = (f(s(0.8 + 1e-6)).item::<f64>() - f(s(0.8 - 1e-6)).item::<f64>()) / 2e-6;
        assert!((d - difference).abs() < 1e-6 * (1.0 + d.abs()), "{name}: {d}, {difference}");
        let same = [jit(grad(f))(s(0.8)), jit(grad(checkpoint(f)))(s(0.8))];
        same.iter().for_each(|t| assert!((t.item::<f64>() - d).abs() <= 1e-12 * (1.0 + d.abs()), "{name}"));
    }
}

#[test]
fn examples_print_one_after_the_other() {
    let f = |x: Tensor| {
        debug_print!("x {}", x);
        debug_print!("once");
        let y = cond(&x.greater(1.5), |x: Tensor| noted(x, "large"), |x: Tensor| noted(x, "small"), x);
        while_loop(|c: Tensor| c.less(4.0), |c: Tensor| noted(c, "trip") + 2.0, y)
    };
    let x = || Tensor::from([1.0f64, 2.0, 3.5]);
    let want = [
        "x 1.0",
        "x 2.0",
        "x 3.5",
        "once",
        "small 1.0",
        "large 2.0",
        "large 3.5",
        "trip 1.0",
        "trip 3.0",
        "trip 2.0",
        "trip 3.5",
    ];
    assert_eq!(lines(|| vmap(f)(x())), want);
    assert_eq!(lines(|| jit(vmap(f))(x())), want);
}

#[test]
fn types_of_all_kinds_are_printed() {
    let f = |x: Tensor| {
        let (b, n) = (x.astype(DType::BF16), x.astype(DType::I8));
        debug_print!("{} {} {}", b, n, x.greater(1.0));
        debug_print!("{} {}", Tensor::complex(&x, &(&x * 2.0)), x.reshape(&[2, 1]));
        x
    };
    let x = || Tensor::from([1.5f32, 0.5]);
    let want = ["[1.5, 0.5] [1, 0] [ true, false]", "[1.5+3.0i, 0.5+1.0i] [[1.5],\n [0.5]]"];
    assert_eq!(lines(|| f(x())), want);
    assert_eq!(lines(|| jit(f)(x())), want);
}

#[test]
fn what_must_hold() {
    let positive = |x: Tensor| {
        check!(x.greater(0.0), "{} is not positive", x); // LINE
        x.sqrt()
    };
    let line = include_str!("effects.rs").lines().position(|l| l.ends_with("// LINE")).unwrap() as u32 + 1;
    let fails = |e: wengert::Error, message: &str| {
        assert_eq!((e.message(), e.location().unwrap().line()), (message, line));
    };
    fails(jit(positive).try_call((s(-1.0),)).unwrap_err(), "-1.0 is not positive");
    fails(jit(grad(positive)).try_call((s(-1.0),)).unwrap_err(), "-1.0 is not positive");
    let batch = || Tensor::from([1.0f64, -2.0, -3.0]);
    fails(jit(vmap(positive)).try_call((batch(),)).unwrap_err(), "-2.0 is not positive (example 1)");
    fails(
        jit(positive).try_call((batch(),)).unwrap_err(),
        "[ 1.0, -2.0, -3.0] is not positive (element [1])",
    );
    let two = Tensor::from([[1.0f64, 2.0], [3.0, -4.0]]);
    let e = jit(vmap(vmap(positive))).try_call((two.clone(),)).unwrap_err();
    fails(e, "-4.0 is not positive (example [1, 1])");
    fails(
        jit(vmap(positive)).try_call((two,)).unwrap_err(),
        "[ 3.0, -4.0] is not positive (element [1]) (example 1)",
    );
    // In loops and branches, of the first trip that fails; nothing happens afterwards.
    let looped = move |x: Tensor| {
        let step = move |c: Tensor, v: Tensor| {
            let c = noted(c - v, "trip");
            positive(c.clone());
            (c, ())
        };
        noted(scan(step, x, Tensor::from([1.0f64, 1.0, 1.0])).0, "end")
    };
    for f in [jit(looped), jit(move |x: Tensor| grad(looped)(x))] {
        let (e, printed) = prints_of(|| f.try_call((s(1.5),)).unwrap_err());
        fails(e, "-0.5 is not positive");
        assert_eq!(printed, ["trip 0.5", "trip -0.5"]);
    }
    let branch =
        jit(move |x: Tensor| cond(&x.less(0.0), move |x: Tensor| positive(x + 0.5), |x: Tensor| x, x));
    assert_eq!(branch(s(3.0)).item::<f64>(), 3.0);
    fails(branch.try_call((s(-3.0),)).unwrap_err(), "-2.5 is not positive");
    let text = said(|| drop(positive(s(-1.0))));
    assert!(text.contains("-1.0 is not positive") && text.contains(&format!("effects.rs:{line}")), "{text}");
    // A check costs the host nothing as long as it holds: there is one call of it, in a branch.
    let program = jit(positive).trace((s(1.0),)).unwrap().lower().unwrap().to_string();
    assert_eq!(program.matches("wengert.assert").count(), 1, "{program}");
}

#[test]
fn checks_as_values() {
    let f = |x: Tensor| {
        check!(x.less(10.0), "{} is too large", x);
        let step = |c: Tensor, v: Tensor| {
            let c = &c - &v;
            check!(c.greater(0.0), "{} after {}", c, v);
            (c, ())
        };
        let (c, ()) = scan(step, x.clone(), Tensor::from([1.0f64, 2.0, 3.0]));
        let c = cond(
            &c.less(1.0),
            |c: Tensor| {
                check!(c.not_equal(0.5), "half");
                c
            },
            |c: Tensor| {
                check!(c.less(3.0), "{} in the branch", c);
                c.clone()
            },
            c,
        );
        while_loop(
            |c: Tensor| c.less(4.0),
            |c: Tensor| {
                check!(c.not_equal(1.75), "{} in the loop", c);
                &c + 1.0
            },
            c,
        )
    };
    let cases = [
        (6.25, None),
        (11.0, Some("11.0 is too large")),
        (2.5, Some("-0.5 after 2.0")),
        (6.5, Some("half")),
        (9.5, Some("3.5 in the branch")),
        (7.75, Some("1.75 in the loop")),
        (6.75, Some("1.75 in the loop")),
        (-1.0, Some("-2.0 after 1.0")),
    ];
    for (x, want) in cases {
        let all = [
            checked(f)(s(x)).0,
            jit(checked(f))(s(x)).0,
            checked(jit(f))(s(x)).0,
            vmap(checked(f))(Tensor::from([x])).0,
            jit(checked(checkpoint(f)))(s(x)).0,
            jit(value_and_grad(move |x: Tensor| {
                let (failure, y) = checked(f)(x);
                (y, failure)
            })
            .aux())(s(x))
            .0
            .1,
        ];
        for (k, failure) in all.iter().enumerate() {
            let message = failure.get().err().map(|e| e.message().to_owned());
            let message = message.map(|m| m.replace(" (example 0)", ""));
            assert_eq!(message.as_deref(), want, "{x} {k}");
            assert_eq!(failure.failed().to_vec::<bool>(), [want.is_some()]);
        }
        // What is told of is what stops the program.
        let stopped = jit(f).try_call((s(x),)).err().map(|e| e.message().to_owned());
        assert_eq!(stopped.as_deref(), want, "{x}");
    }
    let xs: Vec<f64> = cases.iter().map(|c| c.0).collect();
    let (failure, _) = jit(vmap(checked(f)))(Tensor::from(xs));
    let want: Vec<bool> = cases.iter().map(|c| c.1.is_some()).collect();
    assert_eq!(failure.failed().to_vec::<bool>(), want);
    assert_eq!(failure.get().unwrap_err().message(), "11.0 is too large (example 1)");
    // Of a batch inside: one failure.
    let inside = |x: Tensor| {
        check!(x.greater(0.0), "{} is not positive", x);
        x
    };
    let (failure, _) = jit(checked(vmap(inside)))(Tensor::from([1.0f64, -1.0]));
    assert_eq!(failure.get().unwrap_err().message(), "-1.0 is not positive (example 1)");
}

#[test]
fn values_by_name() {
    let f = |x: Tensor| {
        let h = sow("h", &x.sin());
        let step = |c: Tensor, v: Tensor| {
            let c = sow("c", &(c * v));
            (c.clone(), ())
        };
        let (c, ()) = scan(step, h.clone(), Tensor::from([2.0f64, 3.0]));
        let c = checkpoint(|c: Tensor| sow("in", &c.exp()))(c);
        cond(&c.greater(0.0), |c: Tensor| sow("b", &(c + 1.0)), |c: Tensor| sow("b", &(c - 1.0)), c)
    };
    let x = 0.3f64;
    let h = x.sin();
    let all = [h, 2.0 * h, 6.0 * h, (6.0 * h).exp(), (6.0 * h).exp() + 1.0];
    let near = |t: &Tensor, want: &[f64]| {
        let got = t.to_vec::<f64>();
        assert!(
            got.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-12 * (1.0 + b.abs())),
            "{got:?} {want:?}"
        );
    };
    for values in [
        reap(f, [])(s(x)).1,
        jit(reap(f, []))(s(x)).1,
        reap(jit(f), [])(s(x)).1,
        reap(grad(f), [])(s(x)).1,
        jit(reap(grad(f), []))(s(x)).1,
        reap(vmap(f), [])(Tensor::from([x])).1,
        jit(vmap(reap(f, [])))(Tensor::from([x])).1,
    ] {
        assert_eq!(values.keys().collect::<Vec<_>>(), ["b", "c", "h", "in"]);
        near(&values["h"], &all[..1]);
        near(&values["c"], &all[1..3]);
        near(&values["in"], &all[3..4]);
        near(&values["b"], &all[4..]);
    }
    // What is fetched may be differentiated, and without anybody who fetches it is nothing.
    near(&jit(grad(move |x: Tensor| reap(f, ["c"])(x).1["c"].sum()))(s(x)), &[8.0 * x.cos()]);
    near(&jit(f)(s(x)), &all[4..]);
    assert_eq!(jit(f).trace((s(x),)).unwrap().lower().unwrap().to_string().matches("sow").count(), 0);
    // Names that are left stay for whoever is outside.
    let ((_, inner), outer) = reap(reap(f, ["h"]), ["c"])(s(x));
    near(&inner["h"], &all[..1]);
    near(&outer["c"], &all[1..3]);
}

#[test]
fn what_cannot_be_done_is_refused() {
    let refused = |f: &dyn Fn(Tensor), words: &[&str]| {
        let text = said(|| f(s(1.0)));
        words.iter().for_each(|w| assert!(text.contains(w), "{w}: {text}"));
    };
    let io = |x: Tensor| io_callback(|x: Tensor| x, &x, (x.clone(),));
    let batch = || Tensor::from([1.0f64, 2.0]);
    refused(&|_| drop(vmap(io)(batch())), &["io_callback", "vmap", "effects.rs"]);
    refused(
        &|_| drop(vmap(move |x: Tensor| cond(&x.greater(1.0), io, |x: Tensor| x, x))(batch())),
        &["io_callback", "effects.rs"],
    );
    refused(&|x| drop(grad(io)(x)), &["stop_gradient", "effects.rs"]);
    refused(&|x| drop(jit(grad(io))(x)), &["stop_gradient", "effects.rs"]);
    refused(&|x| debug_print("{} {}", &[&x]), &["2 `{}` for 1 values", "effects.rs"]);
    refused(&|x| debug_print("{x}", &[&x]), &["brace", "effects.rs"]);
    refused(&|x| check(&x, "", &[]), &["not of booleans", "effects.rs"]);
    refused(&|x| drop(reap(|x: Tensor| x, ["h"])(x)), &["nothing is sown as `h`"]);
    let twice = |x: Tensor| sow("h", &sow("h", &x));
    refused(&|x| drop(reap(twice, ["h"])(x)), &["more than once", "effects.rs"]);
    let one_branch = |x: Tensor| cond(&x.greater(0.0), |x: Tensor| sow("h", &x), |x: Tensor| x, x);
    refused(&|x| drop(reap(one_branch, ["h"])(x)), &["every branch", "effects.rs"]);
    let unknown = |x: Tensor| while_loop(|c: Tensor| c.less(3.0), |c: Tensor| sow("h", &(c + 1.0)), x);
    refused(&|x| drop(reap(unknown, ["h"])(x)), &["not known", "effects.rs"]);
    let seen = custom_jvp(
        |x: Tensor| x,
        |(x,), (dx,)| {
            debug_print!("{}", dx);
            (x, dx)
        },
    );
    refused(&|x| drop(grad(seen.clone())(x)), &["tangent", "effects.rs"]);
}
