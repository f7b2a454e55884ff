//! Checks and names inside functions with derivatives of their own, values planted from outside, and the numbers by which text
//! calls functions of the host.

use wengert::{
    Tensor, callback, check, checked, checkpoint, cond, custom_jvp, custom_vjp, debug_callback, grad, jit,
    jvp, plant, reap, scan, sow, value_and_grad, vmap,
};

fn s(x: f64) -> Tensor {
    Tensor::from(x)
}

#[track_caller]
fn near(got: &Tensor, want: f64) {
    let got = got.item::<f64>();
    assert!((got - want).abs() <= 1e-12 * (1.0 + want.abs()), "{got} is not {want}");
}

/// What a call fails with.
fn failure(f: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let panic = std::panic::catch_unwind(f).expect_err("it fails");
    panic
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()))
        .unwrap_or_default()
}

/// The sine, said to have the derivative `3 cos`, with what it goes through named and checked.
fn sine(v: Tensor) -> Tensor {
    let f = custom_jvp(
        |v: Tensor| {
            check!(v.less(2.0), "too large: {}", v);
            sow("twice", &(&v * 2.0)) * 0.5 + v.sin() - v
        },
        |(v,): (Tensor,), (dv,): (Tensor,)| (v.sin(), dv * v.cos() * 3.0),
    );
    f(v)
}

/// The product, said to have the cotangents `10 b g` and `a g`.
fn product(a: Tensor, b: Tensor) -> Tensor {
    let f = custom_vjp(
        |a: Tensor, b: Tensor| sow("product", &(a * b)),
        |(a, b): (Tensor, Tensor)| {
            check!(a.greater(0.0), "not positive: {}", a);
            (&a * &b, (a, b))
        },
        |(a, b), g: Tensor| (&g * b * 10.0, &g * a),
    );
    f(a, b)
}

#[test]
fn names_in_functions_with_rules_are_fetched() {
    let x = 0.4f64;
    let (y, values) = reap(sine, ["twice"])(s(x));
    near(&y, x.sin());
    near(&values["twice"], 2.0 * x);
    let (y, values) = jit(reap(sine, ["twice"]))(s(x));
    near(&y, x.sin());
    near(&values["twice"], 2.0 * x);
    // The result by the rule, the value as it is computed; both modes, and the second order.
    near(&grad(|x: Tensor| reap(sine, ["twice"])(x).0)(s(x)), 3.0 * x.cos());
    near(&grad(|x: Tensor| reap(sine, ["twice"])(x).1["twice"].square())(s(x)), 8.0 * x);
    let both = |x: Tensor| {
        let (y, values) = reap(sine, ["twice"])(x);
        y * &values["twice"]
    };
    let slope = 3.0 * x.cos() * 2.0 * x + 2.0 * x.sin();
    near(&jit(grad(both))(s(x)), slope);
    near(&jvp(both, (s(x),), (s(1.0),)).1, slope);
    near(&grad(grad(both))(s(x)), -3.0 * x.sin() * 2.0 * x + 6.0 * x.cos() + 2.0 * x.cos());
    // Batches of it, and names under derivatives of the function.
    let (y, values) = vmap(reap(sine, ["twice"]))(Tensor::from([0.1f64, 0.2]));
    assert_eq!(values["twice"].to_vec::<f64>(), [0.2, 0.4]);
    near(&y.get(1), 0.2f64.sin());
}

#[test]
fn names_under_reverse_rules_are_fetched() {
    let f = |a: Tensor, b: Tensor| reap(product, ["product"])(a, b);
    let (y, values) = f(s(2.0), s(5.0));
    assert_eq!((y.item::<f64>(), values["product"].item::<f64>()), (10.0, 10.0));
    let by_rule = grad(move |a: Tensor| f(a, s(5.0)).0);
    near(&by_rule(s(2.0)), 50.0);
    let as_computed = grad(move |a: Tensor| f(a, s(5.0)).1["product"].square());
    near(&as_computed(s(2.0)), 2.0 * 10.0 * 5.0);
    let both = move |a: Tensor, b: Tensor| {
        let (y, values) = f(a, b);
        y + &values["product"]
    };
    let (_, by_b) = value_and_grad(move |b: Tensor| both(s(2.0), b))(s(5.0));
    near(&by_b, 4.0);
    near(&jit(grad(move |a: Tensor| both(a, s(5.0))))(s(2.0)), 55.0);
}

#[test]
fn checks_in_functions_with_rules_are_values() {
    let message = |failure: wengert::Failure| failure.get().map_err(|e| e.message().to_owned());
    for f in [sine as fn(Tensor) -> Tensor, |x| checkpoint(sine)(x), |x| jit(sine)(x)] {
        let (failure, y) = checked(f)(s(0.4));
        assert_eq!(message(failure), Ok(()));
        near(&y, 0.4f64.sin());
        let (failure, y) = jit(checked(f))(s(2.5));
        assert_eq!(message(failure), Err("too large: 2.5".to_owned()));
        near(&y, 2.5f64.sin());
    }
    // The first that fails is told of: one before it, in a loop, and after it.
    let twice = |x: Tensor| {
        check!(x.greater(-1.0), "too small: {}", x);
        let y = sine(x);
        check!(y.less(0.9), "result: {}", y);
        y
    };
    assert_eq!(message(checked(twice)(s(-2.0)).0), Err("too small: -2.0".to_owned()));
    assert_eq!(message(checked(twice)(s(3.0)).0), Err("too large: 3.0".to_owned()));
    assert_eq!(message(checked(twice)(s(1.5)).0).unwrap_err()[..7], *"result:");
    let looped =
        |x: Tensor| scan(|c: Tensor, v: Tensor| (sine(c + v), ()), x, Tensor::from([0.5f64, 1.0, 3.0])).0;
    let (failure, _) = jit(checked(looped))(s(0.0));
    assert!(message(failure).unwrap_err().starts_with("too large: 3.99"));
    let (failure, _) = vmap(checked(sine))(Tensor::from([0.5f64, 2.5]));
    assert!(failure.get().unwrap_err().message().contains("too large: 2.5"));
    // Differentiated by the rule, which checks nothing here.
    near(&grad(|x: Tensor| checked(sine)(x).1)(s(0.4)), 3.0 * 0.4f64.cos());
    // A forward function's checks are heard where it runs.
    let f = |a: Tensor| product(a, s(5.0));
    assert_eq!(message(checked(f)(s(-2.0)).0), Ok(()));
    near(&grad(move |a: Tensor| checked(f)(a).1)(s(2.0)), 50.0);
    let (failure, _) = checked(grad(f))(s(-2.0));
    assert_eq!(message(failure), Err("not positive: -2.0".to_owned()));
}

#[test]
fn what_cannot_be_a_value_is_refused_with_advice() {
    let backward = |a: Tensor| {
        let f = custom_vjp(
            |a: Tensor| a,
            |(a,): (Tensor,)| (a, ()),
            |(), g: Tensor| {
                check!(g.less(1.0), "cotangent");
                (g,)
            },
        );
        f(a)
    };
    let said = failure(move || drop(checked(backward)(s(1.0))));
    assert!(said.contains("backward function") && said.contains("effects_inside.rs"), "{said}");
    let said = failure(|| drop(plant(sine, [("twice", s(1.0))])(s(1.0))));
    assert!(said.contains("sow it outside") && said.contains("effects_inside.rs"), "{said}");
}

#[test]
fn values_are_planted() {
    let f = |x: Tensor| {
        let h = sow("hidden", &x.sin());
        let step = |c: Tensor, v: Tensor| (sow("steps", &(c * v)), ());
        let c = scan(step, h.clone(), Tensor::from([2.0f64, 3.0])).0;
        let c = cond(
            &c.greater(0.0),
            |c: Tensor| sow("branch", &(c + 1.0)),
            |c: Tensor| sow("branch", &(c - 1.0)),
            c,
        );
        checkpoint(|c: Tensor| sow("kept", &(c * 2.0)))(c) + h
    };
    let x = 0.4f64;
    near(&plant(f, [("hidden", s(1.0))])(s(x)), 15.0);
    near(&jit(plant(f, [("hidden", s(1.0))]))(s(x)), 15.0);
    near(&plant(f, [("steps", Tensor::from([5.0f64, 7.0]))])(s(x)), 16.0 + x.sin());
    near(&plant(f, [("branch", s(3.0))])(s(x)), 6.0 + x.sin());
    near(&plant(f, [("kept", s(3.0)), ("hidden", s(1.0))])(s(x)), 4.0);
    // What was reaped and is planted changes nothing.
    let (want, values) = reap(f, ["steps", "hidden", "kept"])(s(x));
    let again = plant(f, ["steps", "hidden", "kept"].map(|name| (name, values[name].clone())));
    near(&again(s(x)), want.item());
    // By the planted, and beside it by the argument.
    near(&jit(grad(move |h: Tensor| plant(f, [("hidden", h)])(s(x))))(s(1.0)), 13.0);
    near(&grad(plant(f, [("hidden", s(1.0))]))(s(x)), 0.0);
    near(&grad(plant(f, [("branch", s(1.0))]))(s(x)), x.cos());
    let batch = vmap(move |h: Tensor| plant(f, [("hidden", h)])(s(x)))(Tensor::from([1.0f64, 2.0]));
    assert_eq!(batch.to_vec::<f64>(), [15.0, 28.0]);
    for (name, value, said) in [
        ("nothing", s(1.0), "nothing is sown as `nothing`; there is `branch`, `hidden`"),
        (
            "hidden",
            Tensor::from([1.0f64]),
            "`hidden` is tensor<f64>, what is planted for it is tensor<1xf64>",
        ),
    ] {
        let message = failure(move || drop(plant(f, [(name, value.clone())])(s(x))));
        assert!(message.contains(said), "{message}");
    }
}

#[test]
fn text_numbers_callbacks_by_first_use() {
    let text = || {
        let twice = |x: Tensor| &x * 2.0;
        let f = jit(move |x: Tensor| {
            let y = callback(twice, &x, (x.clone(),));
            debug_callback(|_: Tensor| (), (y.clone(),));
            callback(twice, &x, (y,)) + x
        });
        f.trace((s(1.0),)).expect("traced").to_string()
    };
    let (first, second) = (text(), text());
    assert_eq!(first, second, "the same program has the same text");
    for number in 1..=3 {
        assert!(first.contains(&format!("number = {number} ")), "{first}");
    }
    // Each is its own function, whatever its number.
    let scaled = |by: f64| jit(move |x: Tensor| callback(move |x: Tensor| x * by, &x, (x.clone(),)));
    let (double, triple) = (scaled(2.0), scaled(3.0));
    let sum = jit(move |x: Tensor| double(x.clone()) + triple(x));
    assert_eq!(sum(s(1.0)).item::<f64>(), 5.0);
    assert_eq!((scaled(4.0)(s(1.0)).item::<f64>(), scaled(5.0)(s(1.0)).item::<f64>()), (4.0, 5.0));
}

/// What a loop in Rust over a loop of tensors makes compiled when it is differentiated eagerly: its body once, however many rounds
/// there are. Counted in a process of its own, as folders of dumps.
#[test]
fn eager_loops_compile_a_body_once() {
    let round =
        |x: Tensor| scan(|c: Tensor, v: Tensor| ((c + v).sin(), ()), x, Tensor::from([0.1f64, 0.2])).0;
    if let Ok(rounds) = std::env::var("WENGERT_TEST_ROUNDS") {
        let rounds: usize = rounds.parse().expect("a number");
        let f = move |x: Tensor| (0..rounds).fold(x, |x, _| round(x));
        let mut want = (0.3f64, 1.0f64);
        for v in [0.1, 0.2].repeat(rounds) {
            want = ((want.0 + v).sin(), want.1 * (want.0 + v).cos());
        }
        near(&grad(f)(s(0.3)), want.1);
        return;
    }
    let dumps = |rounds: usize| {
        let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("rounds{rounds}"));
        let _ = std::fs::remove_dir_all(&folder);
        let ran = std::process::Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "effects_inside::eager_loops_compile_a_body_once", "--test-threads", "1"])
            .env("WENGERT_TEST_ROUNDS", rounds.to_string())
            .env("WENGERT_DUMP", &folder)
            .output()
            .expect("it runs");
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stdout));
        std::fs::read_dir(&folder).expect("dumps").count()
    };
    assert_eq!(dumps(4), dumps(24));
}
