//! Functions with derivatives of their own, and whole Jacobians.

use wengert::stages::Traced;
use wengert::{
    DType, Tensor, checkpoint, custom_jvp, custom_vjp, fori_loop, grad, hessian, jacfwd, jacrev, jit, jvp,
    scan, vjp, vmap, while_loop,
};

fn x(v: f64) -> Tensor {
    Tensor::from(v)
}

fn message(f: impl FnOnce()) -> String {
    let error = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).expect_err("a mistake");
    error.downcast_ref::<String>().cloned().unwrap_or_default()
}

#[track_caller]
fn close(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-9 * (1.0 + b.abs()), "{a} is not {b}");
}

/// The sine, said to have the derivative `3 cos`.
fn sine(v: Tensor) -> Tensor {
    let f =
        custom_jvp(|v: Tensor| v.sin(), |(v,): (Tensor,), (dv,): (Tensor,)| (v.sin(), dv * v.cos() * 3.0));
    f(v)
}

/// The product, said to have the cotangents `10 b g` and `a g`.
fn product(a: Tensor, b: Tensor) -> Tensor {
    let f = custom_vjp(
        |a: Tensor, b: Tensor| a * b,
        |(a, b): (Tensor, Tensor)| (&a * &b, (a, b)),
        |(a, b), g: Tensor| (&g * b * 10.0, &g * a),
    );
    f(a, b)
}

#[test]
fn forward_rules_serve_every_mode_and_order() {
    close(sine(x(0.4)).item(), 0.4f64.sin());
    close(jit(sine)(x(0.4)).item(), 0.4f64.sin());
    let d = 3.0 * 0.4f64.cos();
    close(grad(sine)(x(0.4)).item(), d);
    close(jit(grad(sine))(x(0.4)).item(), d);
    close(jvp(sine, (x(0.4),), (x(2.0),)).1.item(), 2.0 * d);
    close(vjp(sine, (x(0.4),)).1.call(x(2.0)).0.item(), 2.0 * d);
    // The rule itself is differentiated: 3 cos has derivative -3 sin.
    let second = -3.0 * 0.4f64.sin();
    close(grad(grad(sine))(x(0.4)).item(), second);
    close(jit(grad(grad(sine)))(x(0.4)).item(), second);
    close(jvp(grad(sine), (x(0.4),), (x(1.0),)).1.item(), second);
    // Composed, and inside jit inside grad.
    let twice = |v: Tensor| jit(sine)(sine(v) * 2.0);
    close(grad(twice)(x(0.4)).item(), 3.0 * (2.0 * 0.4f64.sin()).cos() * 2.0 * d);
}

#[test]
fn rules_work_in_control_flow() {
    // The same recurrence three times: the derivative multiplies by 3 cos each time.
    let expected = {
        let (mut v, mut d) = (0.4f64, 1.0f64);
        for _ in 0..3 {
            d *= 3.0 * v.cos();
            v = v.sin();
        }
        d
    };
    let by_fori = |v: Tensor| fori_loop(0, 3, |_, v: Tensor| sine(v), v);
    let by_while = |v: Tensor| {
        while_loop(
            |(_, n): (Tensor, Tensor)| n.less(3i64),
            |(v, n)| (sine(v), n + 1),
            (v, Tensor::from(0i32)),
        )
        .0
    };
    let by_scan =
        |v: Tensor| scan(|v: Tensor, _: Tensor| (sine(v), ()), v, Tensor::zeros(&[3], DType::F64)).0;
    close(grad(by_fori)(x(0.4)).item(), expected);
    close(jit(grad(by_fori))(x(0.4)).item(), expected);
    close(grad(by_while)(x(0.4)).item(), expected);
    close(jit(grad(by_while))(x(0.4)).item(), expected);
    close(grad(by_scan)(x(0.4)).item(), expected);
    close(jvp(by_scan, (x(0.4),), (x(1.0),)).1.item(), expected);
    // A rule with a loop of its own, and a choice between the tangent and a constant zero.
    let looped = |v: Tensor| {
        let f = custom_jvp(
            |v: Tensor| v.powi(3),
            |(v,): (Tensor,), (dv,): (Tensor,)| {
                let dv = v.greater(0.0).select(&dv, dv.zeros_like());
                (v.powi(3), fori_loop(0, 2, |_, d: Tensor| d * &v, dv) * 3.0)
            },
        );
        f(v)
    };
    close(grad(looped)(x(2.0)).item(), 12.0);
    close(jit(grad(looped))(x(-2.0)).item(), 0.0);
    close(jit(grad(grad(looped)))(x(2.0)).item(), 12.0);
    // Reverse rules in a loop.
    let powers = |v: Tensor| fori_loop(0, 2, |_, p: Tensor| product(p, v.cos()), v.sin());
    let (s, c) = (0.4f64.sin(), 0.4f64.cos());
    // p2 = (s c) c: d/dp is 10 c each, d/dc of each product is the product's first factor.
    let expected = 100.0 * c * c * c + (s * c + 10.0 * c * s) * -s;
    close(grad(powers)(x(0.4)).item(), expected);
    close(jit(grad(powers))(x(0.4)).item(), expected);
}

#[test]
fn reverse_rules() {
    use wengert::{ARG0, ARG1};
    let (a, b) = (x(2.0), x(5.0));
    close(product(a.clone(), b.clone()).item(), 10.0);
    let (da, db) = grad(product).wrt((ARG0, ARG1))(a.clone(), b.clone());
    assert_eq!((da.item::<f64>(), db.item::<f64>()), (50.0, 2.0));
    let (da, db) = jit(grad(product).wrt((ARG0, ARG1)))(a.clone(), b.clone());
    assert_eq!((da.item::<f64>(), db.item::<f64>()), (50.0, 2.0));
    // The backward function is differentiated in turn: d(10 b)/db.
    close(grad(|b: Tensor, a: Tensor| grad(product)(a, b))(b.clone(), a.clone()).item(), 10.0);
    let error =
        std::panic::catch_unwind(|| jvp(product, (x(2.0), x(5.0)), (x(1.0), x(1.0)))).expect_err("forward");
    let text = error.downcast_ref::<String>().cloned().unwrap_or_default();
    assert!(text.contains("custom_vjp") && text.contains("forward-mode"), "{text}");
}

#[test]
fn trees_integers_and_captures() {
    let scale = x(4.0);
    let f = move |(v, k): (Tensor, Tensor)| {
        let scale = scale.clone();
        let own = custom_jvp(
            |v: Tensor, k: Tensor| (&v * k.astype(DType::F64), &k + 1),
            move |(v, k): (Tensor, Tensor), (dv, dk): (Tensor, Tensor)| {
                assert_eq!(dk.dtype(), DType::I32);
                ((&v * k.astype(DType::F64), &k + 1), (dv * &scale, dk))
            },
        );
        let (y, n) = own(v, k);
        y * n.astype(DType::F64)
    };
    let (d, _) = grad(f.clone()).allow_int()((x(2.0), Tensor::from(3i32)));
    close(d.item(), 16.0);
    close(jit(grad(f).allow_int())((x(2.0), Tensor::from(3i32))).0.item(), 16.0);
    // What is differentiated must be an argument, unless a rule for tangents leaves room for it.
    let bad = |v: Tensor| {
        let (w, w1) = (&v * 2.0, &v * 2.0);
        let f = custom_vjp(move |u: Tensor| u * &w, move |(u,)| (&u * &w1, u), |_, g: Tensor| (g,));
        f(x(1.0)) + f(v)
    };
    let error = jit(grad(bad)).try_call((x(1.0),)).expect_err("captures").to_string();
    let words = ["backward function of a `custom_vjp`", "tensor<f64>", "make it an argument", "custom.rs"];
    words.iter().for_each(|w| assert!(error.contains(w), "{w}: {error}"));
    let bad = |v: Tensor| {
        custom_jvp(|u: Tensor| u, |(u,): (Tensor,), _: (Tensor,)| (u.clone(), u.sum().astype(DType::F32)))(v)
    };
    let error = jit(bad).try_call((x(1.0),)).expect_err("types").to_string();
    assert!(error.contains("tensor<f32>, not tensor<f64>"), "{error}");
}

#[test]
fn checkpoints_compute_again() {
    let layer = |w: Tensor, v: Tensor| (w * v.sin()).sin().exp();
    let plain = move |w: Tensor, v: Tensor| layer(w.clone(), layer(w, v));
    let saved = move |w: Tensor, v: Tensor| {
        let layer = checkpoint(layer);
        layer(w.clone(), layer(w, v))
    };
    let at = || (x(0.7), x(0.3));
    close(saved(at().0, at().1).item(), plain(at().0, at().1).item());
    close(grad(saved)(at().0, at().1).item(), grad(plain)(at().0, at().1).item());
    close(jit(grad(saved))(at().0, at().1).item(), grad(plain)(at().0, at().1).item());
    let second = |d: &dyn Fn(Tensor) -> Tensor| d(x(0.7)).item::<f64>();
    let (s, p) = (
        second(&*jit(grad(move |w: Tensor| grad(saved)(w, x(0.3))))),
        second(&*jit(grad(move |w: Tensor| grad(plain)(w, x(0.3))))),
    );
    close(s, p);
    // In a scan only carry and input of each step are kept.
    let loss = |step: fn(Tensor, Tensor, Tensor) -> Tensor| {
        move |w: Tensor| {
            scan(
                |(w, c): (Tensor, Tensor), v: Tensor| ((w.clone(), step(w, c, v)), ()),
                (w, x(0.2)),
                Tensor::from([0.3f64, 0.9]),
            )
            .0
            .1
        }
    };
    let a = loss(|w, c, v| (w * c + v).sin().exp());
    let b = loss(|w, c, v| checkpoint(|w: Tensor, c: Tensor, v: Tensor| (w * c + v).sin().exp())(w, c, v));
    close(jit(grad(b))(x(0.7)).item(), grad(a)(x(0.7)).item());
    // What is computed again stands in the program twice, even when it has been optimized.
    let sines =
        |program: Traced| program.optimize().expect("small").to_string().matches("stablehlo.sine").count();
    let (s, p) =
        (jit(wengert::value_and_grad(saved)).trace(at()), jit(wengert::value_and_grad(plain)).trace(at()));
    assert!(sines(s.expect("traces")) > sines(p.expect("traces")));
}

#[test]
fn rules_survive_text() {
    for f in [
        jit(|v: Tensor| sine(v.clone()) * v).trace((x(0.4),)),
        jit(|v: Tensor| product(v.clone(), v.sin())).trace((x(0.4),)),
    ] {
        let program = f.expect("traces");
        let text = program.to_string();
        assert!(text.contains("wengert.custom_"), "{text}");
        let read = Traced::parse(&text, None).expect("reads");
        assert_eq!(read.to_string(), text);
        let (d, e) =
            (program.value_and_grad(&[0]).expect("derives"), read.value_and_grad(&[0]).expect("derives"));
        let run = |p: &Traced| p.interpret(&[x(0.4)]).expect("runs")[1].item::<f64>();
        close(run(&d), run(&e));
        assert!(!program.stablehlo().expect("static").contains("composite"));
    }
}

#[test]
fn jacobians() {
    let at = || Tensor::from([0.3f64, -0.7, 1.1]);
    let f = |v: Tensor| (v.sin().expand_dims(1) * v.exp().expand_dims(0)).get(..2);
    let (s, c, e) = (
        at().to_vec::<f64>().iter().map(|v| v.sin()).collect::<Vec<_>>(),
        at().to_vec::<f64>().iter().map(|v| v.cos()).collect::<Vec<_>>(),
        at().to_vec::<f64>().iter().map(|v| v.exp()).collect::<Vec<_>>(),
    );
    for j in [jacfwd(f)(at()), jacrev(f)(at()), jit(jacfwd(f))(at()), jit(jacrev(f))(at())] {
        assert_eq!(j.shape(), [2, 3, 3]);
        let j = j.to_vec::<f64>();
        for (i, k, l) in (0..2).flat_map(|i| (0..3).flat_map(move |k| (0..3).map(move |l| (i, k, l)))) {
            let expected = (i == l) as u8 as f64 * c[i] * e[k] + (k == l) as u8 as f64 * s[i] * e[k];
            close(j[(i * 3 + k) * 3 + l], expected);
        }
    }
    let g = |v: Tensor| (v.sin() * v.exp()).sum() * v.get(0);
    let h = hessian(g)(at());
    assert_eq!(h.shape(), [3, 3]);
    let by_rows = jit(jacrev(grad(g)))(at()).to_vec::<f64>();
    h.to_vec::<f64>().iter().zip(&by_rows).for_each(|(a, b)| close(*a, *b));
    jit(hessian(g))(at()).to_vec::<f64>().iter().zip(&by_rows).for_each(|(a, b)| close(*a, *b));
    // Other arguments, trees, and a loop whose trips the data decide.
    let tree = |(a, b): (Tensor, Tensor), c: Tensor| {
        let a = while_loop(|a: Tensor| a.sum().less(5.0), |a| a * 1.5 + &b, a);
        a * &b * c
    };
    let args = || ((Tensor::from([1.0f64, 0.5]), x(0.3)), x(2.0));
    let ((fa, fb), (ra, rb)) = (jacfwd(tree)(args().0, args().1), jacrev(tree)(args().0, args().1));
    assert_eq!((fa.shape(), fb.shape()), (&[2usize, 2][..], &[2usize][..]));
    for (f, r) in [(fa, ra), (fb, rb)] {
        f.to_vec::<f64>().iter().zip(r.to_vec::<f64>()).for_each(|(a, b)| close(*a, b));
    }
    let (ca, _) = jit(jacrev(tree))(args().0, args().1);
    let (ea, _) = jacrev(tree)(args().0, args().1);
    ca.to_vec::<f64>().iter().zip(ea.to_vec::<f64>()).for_each(|(a, b)| close(*a, b));
}

/// Of a batch, a result is an example's own if the function or its rule makes it so, whichever of them does.
#[test]
fn what_only_the_rule_has_of_examples() {
    let by = |of_body: bool, of_rule: bool| {
        move |a: Tensor, b: Tensor| {
            // The same number, from `a` or not.
            let value = |a: &Tensor, b: &Tensor, own: bool| if own { b * 2.0 + (a - a) } else { b * 2.0 };
            let f = custom_vjp(
                move |a: Tensor, b: Tensor| value(&a, &b, of_body),
                move |(a, b): (Tensor, Tensor)| (value(&a, &b, of_rule), (a, b)),
                |(a, b), g: Tensor| (&g * b * 5.0, &g * a),
            );
            f(a, b).sin()
        }
    };
    let batch = Tensor::from([0.5f64, -1.0, 2.0]);
    let shared = Tensor::from(0.3f64);
    for (of_body, of_rule) in [(false, false), (false, true), (true, false), (true, true)] {
        let f = by(of_body, of_rule);
        let b = shared.clone();
        let one = move |a: Tensor| f(a, b.clone());
        let slope = grad(one.clone());
        let values: Vec<f64> = vmap(one.clone())(batch.clone()).to_vec();
        let slopes: Vec<f64> = jit(vmap(grad(one.clone())))(batch.clone()).to_vec();
        for (k, &a) in batch.to_vec::<f64>().iter().enumerate() {
            assert_eq!(values[k], one(x(a)).item::<f64>(), "{of_body} {of_rule}");
            close(slopes[k], slope(x(a)).item());
        }
    }
}

/// Twice a positive number, three times another one, by Rust's own `if`; the derivative is said to be ten times that.
fn bent(v: Tensor) -> Tensor {
    let by = |v: &Tensor| if v.greater(0.0).item::<bool>() { 2.0 } else { 3.0 };
    let f = custom_jvp(
        move |v: Tensor| &v * by(&v),
        move |(v,): (Tensor,), (dv,): (Tensor,)| (&v * by(&v), dv * by(&v) * 10.0),
    );
    f(v)
}

/// The same in reverse mode: the backward function decides by what was saved, which was computed.
fn bent_back(v: Tensor) -> Tensor {
    let by = |v: &Tensor| if v.greater(0.0).item::<bool>() { 2.0 } else { 3.0 };
    let f = custom_vjp(
        move |v: Tensor| &v * by(&v),
        move |(v,): (Tensor,)| (&v * by(&v), v.sinh()),
        move |s: Tensor, g: Tensor| (g * by(&s) * 10.0,),
    );
    f(v)
}

/// Rust's control flow sees values in functions and rules of the user's too, outside of `jit`.
#[test]
fn rules_see_values_outside_of_jit() {
    for f in [bent, bent_back] {
        for (v, by) in [(0.5, 2.0), (-0.5, 3.0)] {
            close(f(x(v)).item(), by * v);
            close(grad(f)(x(v)).item(), 10.0 * by);
            // What it captures is known too, and what a transform inside makes of it.
            close(grad(move |u: Tensor| f(u.sin() * 2.0).square())(x(v)).item(), {
                let inner = 2.0 * v.sin();
                2.0 * by * inner * 10.0 * by * 2.0 * v.cos()
            });
            close(vjp(f, (x(v),)).1.call(x(3.0)).0.item(), 30.0 * by);
            let twice = grad(move |u: Tensor| grad(f)(&u * &u) * &u);
            close(twice(x(v.abs())).item(), 20.0);
        }
        let error = message(|| drop(jit(grad(f))(x(0.5))));
        assert!(error.contains("`jit`") || error.contains("unknown values"), "{error}");
    }
    close(jvp(bent, (x(-0.5),), (x(1.0),)).1.item(), 30.0);
    let reads = custom_vjp(|v: Tensor| v, |(v,)| (v, ()), |(), g: Tensor| (&g * g.item::<f64>(),));
    let error = message(move || drop(grad(move |v: Tensor| reads(v))(x(0.5))));
    assert!(error.contains("`custom_vjp`") && error.contains("unknown values"), "{error}");
}

/// In a tape what is read is a guard, and what was saved is known as it is outside of one.
#[test]
fn rules_see_values_in_tapes() {
    use wengert::tape::Tape;
    for f in [bent, bent_back] {
        let (slope, tape) = Tape::record(grad(f), (x(0.5),));
        close(slope.item(), 20.0);
        close(tape.replay((x(0.25),)).expect("the same way").item(), 20.0);
        assert!(tape.replay((x(-0.5),)).is_err(), "another way");
    }
}

/// Effects in what is asked for are done once.
#[test]
fn what_rules_ask_for_is_computed_beside_the_program() {
    let heard = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let count = heard.clone();
    let f = move |v: Tensor| {
        let count = count.clone();
        let g = custom_vjp(
            |v: Tensor| if v.sin().item::<f64>() > 0.0 { v.exp() } else { v },
            move |(v,): (Tensor,)| {
                let count = count.clone();
                let told = wengert::effects::io_callback(
                    move |v: Tensor| {
                        count.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                        v
                    },
                    &v,
                    (v.clone(),),
                );
                let y = if v.item::<f64>() > 0.0 { v.exp() } else { v };
                (y.clone(), (y, told))
            },
            |(y, _): (Tensor, Tensor), g: Tensor| (g * y,),
        );
        g(v)
    };
    close(grad(f)(x(0.5)).item(), 0.5f64.exp());
    assert_eq!(heard.load(std::sync::atomic::Ordering::SeqCst), 1);
}

/// A rule that calls the function that it is the rule of.
fn endless(v: Tensor) -> Tensor {
    let f = custom_jvp(
        |v: Tensor| v.sin(),
        |(v,): (Tensor,), (dv,): (Tensor,)| (endless(v.clone()), dv * v.cos()),
    );
    f(v)
}

#[test]
fn rules_that_call_their_function_say_so() {
    let error = message(|| drop(grad(endless)(x(0.5))));
    assert!(error.contains("inside itself") && error.contains("`custom_jvp` built at"), "{error}");
    assert!(error.contains("custom.rs"), "{error}");
}
