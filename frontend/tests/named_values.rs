//! Values by name: scopes of names, names sown several times, and those of loops and branches that may have none.

use wengert::{
    DType, Save, ScanOptions, Tensor, checkpoint, cond, custom_jvp, fori_loop, grad, import, jit, jvp, map,
    named, plant, plant_all, reap, reap_all, reap_last, scan, scan_with, sow, stack, switch, value_and_grad,
    vmap, while_loop,
};

fn s(x: f64) -> Tensor {
    Tensor::from(x)
}

fn v(x: &[f64]) -> Tensor {
    Tensor::from(x)
}

#[track_caller]
fn near(got: &Tensor, want: &[f64]) {
    let got = got.to_vec::<f64>();
    let close = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-12 * (1.0 + b.abs());
    assert!(got.len() == want.len() && got.iter().zip(want).all(close), "{got:?}, not {want:?}");
}

fn said(f: impl FnOnce()) -> String {
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).expect_err("it must fail");
    panic.downcast_ref::<String>().expect("a text").clone()
}

/// A layer that names what it computes.
fn layer(x: Tensor) -> Tensor {
    sow("hidden", &x.sin()) * 2.0
}

/// `sin(x)`, `sin(2 sin(x))`: what two layers sow.
fn hidden(x: f64) -> [f64; 2] {
    [x.sin(), (2.0 * x.sin()).sin()]
}

fn two_layers(x: Tensor) -> Tensor {
    layer(layer(x))
}

#[test]
fn names_have_scopes() {
    let f = |x: Tensor| {
        named("net", || {
            let h = named("a", || layer(x));
            named("b", || layer(h))
        })
    };
    let x = 0.3;
    let [a, b] = hidden(x);
    for values in [
        reap(f, [])(s(x)).1,
        jit(reap(f, []))(s(x)).1,
        reap(jit(f), ["net/a/hidden", "net/b/hidden"])(s(x)).1,
        jit(reap(grad(f), []))(s(x)).1,
        vmap(reap(f, []))(v(&[x])).1,
        reap(vmap(f), [])(v(&[x])).1,
    ] {
        assert_eq!(values.keys().collect::<Vec<_>>(), ["net/a/hidden", "net/b/hidden"]);
        near(&values["net/a/hidden"], &[a]);
        near(&values["net/b/hidden"], &[b]);
    }
    // Scopes reach into loops and functions that are traced later in the same call, and into `jit`s that were made outside.
    let compiled = std::sync::Arc::new(jit(layer));
    let stepped = move |x: Tensor| {
        let inner = compiled.clone();
        let step = move |c: Tensor, w: Tensor| (inner(c * w), ());
        named("loop", || scan(step, x, v(&[1.0, 1.0])).0)
    };
    near(&jit(reap(stepped, ["loop/hidden"]))(s(x)).1["loop/hidden"], &[a, b]);
}

#[test]
fn a_scope_ends() {
    let x = s(0.3);
    let f = |x: Tensor| {
        let failed =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| named("lost", || panic!("no"))));
        assert!(failed.is_err());
        layer(named("in", || x))
    };
    assert_eq!(reap(f, [])(x.clone()).1.keys().collect::<Vec<_>>(), ["hidden"]);
    // Inside of a scope names are relative to it, and those that are left belong to it.
    let g = |x: Tensor| {
        named("outer", || {
            let (y, values) = reap(|x: Tensor| sow("other", &layer(x)), ["hidden"])(x);
            assert_eq!(values.keys().collect::<Vec<_>>(), ["hidden"]);
            y + plant(layer, [("hidden", s(10.0))])(values["hidden"].clone())
        })
    };
    let (y, values) = reap(g, [])(x.clone());
    assert_eq!(values.keys().collect::<Vec<_>>(), ["outer/other"]);
    near(&y, &[2.0 * 0.3f64.sin() + 20.0]);
    let all = |x: Tensor| named("outer", || reap(layer, [])(x).1["hidden"].clone()) + sow("top", &s(1.0));
    near(&reap(all, ["top"])(x).0, &[0.3f64.sin() + 1.0]);
}

/// A program that was traced elsewhere has names that are not of the scope in which it is called.
#[test]
fn a_scope_sees_what_was_sown_in_it_alone() {
    let x = v(&[0.3]);
    let text = jit(layer).trace((x.clone(),)).expect("traces").text(false);
    let elsewhere = import::<(Tensor,), Tensor>(&text).expect("reads");
    let f = move |x: Tensor| sow("own", &elsewhere(x));
    let (_, values) = named("outer", || reap(f, [])(x.clone()));
    assert_eq!(values.keys().collect::<Vec<_>>(), ["own"]);
    let elsewhere = import::<(Tensor,), Tensor>(&text).expect("reads");
    let (_, values) = reap(elsewhere, [])(x);
    assert_eq!(values.keys().collect::<Vec<_>>(), ["hidden"]);
}

#[test]
fn a_name_sown_often_is_a_list() {
    let x = 0.3;
    let want = hidden(x);
    let list = |all: &[Tensor], want: &[f64]| {
        assert_eq!(all.len(), want.len());
        all.iter().zip(want).for_each(|(t, w)| near(t, &[*w]));
    };
    for values in [
        reap_all(two_layers, ["hidden"])(s(x)).1,
        reap_all(two_layers, [])(s(x)).1,
        jit(reap_all(two_layers, []))(s(x)).1,
        reap_all(jit(two_layers), [])(s(x)).1,
        reap_all(grad(two_layers), [])(s(x)).1,
        jit(reap_all(value_and_grad(two_layers), []))(s(x)).1,
        reap_all(checkpoint(two_layers), [])(s(x)).1,
        reap_all(grad(checkpoint(two_layers)), [])(s(x)).1,
        vmap(reap_all(two_layers, []))(v(&[x])).1,
        reap_all(vmap(two_layers), [])(v(&[x])).1,
    ] {
        list(&values["hidden"], &want);
    }
    // What is fetched is differentiated.
    let sum = |x: Tensor| reap_all(two_layers, [])(x).1["hidden"].iter().fold(s(0.0), |a, b| a + b);
    let slope = x.cos() * (1.0 + 2.0 * (2.0 * x.sin()).cos());
    near(&grad(sum)(s(x)), &[slope]);
    near(&jit(grad(sum))(s(x)), &[slope]);
    near(&jvp(sum, (s(x),), (s(1.0),)).1, &[slope]);
    near(&vmap(grad(sum))(v(&[x, x])), &[slope, slope]);
    // A loop is one entry, and the order is that of the program, not that of the values.
    let mixed = |x: Tensor| {
        let early = x.cos();
        let late = sow("h", &x.sin());
        let c = scan(|c: Tensor, w: Tensor| (sow("h", &(c * w)), ()), late, v(&[2.0, 3.0])).0;
        sow("h", &early) + c
    };
    let values = jit(reap_all(mixed, ["h"]))(s(x)).1;
    let h = x.sin();
    near(&values["h"][0], &[h]);
    near(&values["h"][1], &[2.0 * h, 6.0 * h]);
    near(&values["h"][2], &[x.cos()]);
    // In a loop each of a name has its rows; in branches those of a place are one.
    let twice = |c: Tensor, w: Tensor| (sow("h", &sow("h", &(c * w)).exp()).log(), ());
    let values = reap_all(move |x: Tensor| scan(twice, x, v(&[2.0, 3.0])).0, ["h"])(s(x)).1;
    near(&values["h"][0], &[2.0 * x, 6.0 * x]);
    near(&values["h"][1], &[(2.0 * x).exp(), (6.0 * x).exp()]);
    let branches = |x: Tensor| {
        let late = |x: Tensor| {
            let (a, b) = (x.sin(), x.cos());
            sow("h", &b) + sow("h", &a)
        };
        cond(&x.greater(1.0), two_layers_as_h, late, x)
    };
    list(&jit(reap_all(branches, ["h"]))(s(x)).1["h"], &[x.cos(), x.sin()]);
}

fn two_layers_as_h(x: Tensor) -> Tensor {
    sow("h", &sow("h", &x.sin()).exp())
}

/// What a reverse pass computes again has no names.
#[test]
fn names_are_of_the_forward_pass() {
    let save = ScanOptions { save: Save::Root, ..Default::default() };
    let f = move |x: Tensor| {
        let step = |c: Tensor, w: Tensor| (sow("c", &(c * w).sin()), ());
        scan_with(step, x, v(&[0.5, 0.8, 0.9, 0.7]), save).0
    };
    let mut want = vec![0.4f64];
    [0.5, 0.8, 0.9, 0.7].iter().for_each(|w| want.push((want[want.len() - 1] * w).sin()));
    let values = jit(reap_all(grad(f), ["c"]))(s(0.4)).1;
    assert_eq!(values["c"].len(), 1);
    near(&values["c"][0].reshape(&[-1]), &want[1..]);
}

/// Doubles until it is 10.
fn doubled(x: Tensor) -> Tensor {
    while_loop(|c: Tensor| c.less(10.0), |c: Tensor| sow("step", &(&c * 1.5)) + c * 0.5, x)
}

#[test]
fn loops_of_unknown_trips_have_a_last_value() {
    for x in [3.0f64, 8.0] {
        // 3, 6, 12 and 8, 16.
        let last = if x == 3.0 { 9.0 } else { 12.0 };
        for values in [
            reap_last(doubled, ["step"])(s(x)).1,
            jit(reap_last(doubled, []))(s(x)).1,
            reap_last(jit(doubled), [])(s(x)).1,
            reap_last(grad(doubled), [])(s(x)).1,
            jit(reap_last(grad(doubled), []))(s(x)).1,
            reap_last(checkpoint(doubled), [])(s(x)).1,
        ] {
            near(&values["step"].get().expect("a trip"), &[last]);
        }
    }
    let none = jit(reap_last(doubled, ["step"]))(s(20.0)).1;
    assert!(none["step"].get().is_none());
    near(&none["step"].or(&s(7.0)), &[7.0]);
    near(&jit(|x: Tensor| reap_last(doubled, ["step"])(x).1["step"].or(&s(7.0)))(s(3.0)), &[9.0]);
    // By its argument: 1.5 * 2 of the second trip.
    let value = |x: Tensor| reap_last(doubled, ["step"])(x).1["step"].value.clone();
    near(&grad(value)(s(3.0)), &[3.0]);
    near(&jit(grad(value))(s(3.0)), &[3.0]);
    near(&jvp(value, (s(3.0),), (s(1.0),)).1, &[3.0]);
    near(&grad(value)(s(20.0)), &[0.0]);
    // Examples that go on for different times, in either order of the transforms.
    let batch = v(&[3.0, 20.0, 8.0]);
    for values in [
        vmap(reap_last(doubled, ["step"]))(batch.clone()).1,
        jit(vmap(reap_last(doubled, ["step"])))(batch.clone()).1,
        reap_last(vmap(doubled), ["step"])(batch.clone()).1,
        jit(reap_last(vmap(doubled), ["step"]))(batch.clone()).1,
        reap_last(grad(|x: Tensor| vmap(doubled)(x).sum()), ["step"])(batch.clone()).1,
        reap_last(vmap(grad(doubled)), ["step"])(batch.clone()).1,
        jit(vmap(reap_last(grad(doubled), ["step"])))(batch.clone()).1,
    ] {
        near(&values["step"].or(&Tensor::zeros(&[3], DType::F64)), &[9.0, 0.0, 12.0]);
        assert_eq!(values["step"].is_there.to_vec::<bool>(), [true, false, true]);
        assert!(values["step"].get().is_none());
    }
    let rows = |x: Tensor| Tensor::ones(&[2], DType::F64) * x;
    let of_rows = move |x: Tensor| {
        while_loop(|c: Tensor| c.get(0).less(10.0), |c: Tensor| sow("step", &(c * 2.0)), rows(x))
    };
    let values = reap_last(vmap(of_rows), ["step"])(batch).1;
    let want = [12.0, 12.0, -1.0, -1.0, 16.0, 16.0];
    near(&values["step"].or(&(Tensor::ones(&[3, 2], DType::F64) * -1.0)).reshape(&[-1]), &want);
}

#[test]
fn the_last_value_of_other_loops() {
    let f = |x: Tensor| {
        let c = scan(|c: Tensor, w: Tensor| (sow("c", &(c * w)), ()), x, v(&[2.0, 3.0])).0;
        let c = fori_loop(0, 3, |_, c: Tensor| sow("f", &(c + 1.0)), c);
        map(|x: Tensor| sow("m", &x.sin()), stack(&[c.clone(), c], 0)).sum()
    };
    for values in [
        reap_last(f, [])(s(0.5)).1,
        jit(reap_last(f, []))(s(0.5)).1,
        jit(reap_last(grad(f), []))(s(0.5)).1,
        vmap(reap_last(f, []))(v(&[0.5])).1,
        reap_last(vmap(f), [])(v(&[0.5])).1,
    ] {
        near(&values["c"].get().unwrap(), &[3.0]);
        near(&values["f"].get().unwrap(), &[6.0]);
        near(&values["m"].get().unwrap(), &[6.0f64.sin()]);
    }
    // No trip, nested loops of which the inner one is not always run, and a loop from the last row to the first.
    let none = |x: Tensor| {
        scan(|c: Tensor, w: Tensor| (sow("c", &(c * w)), ()), x, Tensor::zeros(&[0], DType::F64)).0
    };
    assert!(reap_last(none, ["c"])(s(1.0)).1["c"].get().is_none());
    let nested = |x: Tensor| {
        let outer = |c: Tensor, w: Tensor| {
            let inner = while_loop(|k: Tensor| k.less(2.0), |k: Tensor| sow("k", &(k * 2.0)), w);
            (c + inner, ())
        };
        scan(outer, x, v(&[0.7, 5.0, 1.2, 9.0])).0
    };
    near(&jit(reap_last(nested, ["k"]))(s(0.0)).1["k"].get().unwrap(), &[2.4]);
    let backward = ScanOptions { reverse: true, ..Default::default() };
    let f = move |x: Tensor| {
        scan_with(|c: Tensor, w: Tensor| (sow("c", &(c * w)), ()), x, v(&[2.0, 3.0]), backward).0
    };
    near(&reap_last(f, ["c"])(s(1.0)).1["c"].get().unwrap(), &[6.0]);
    // One name in several places: the last place that was reached.
    let places = |x: Tensor| doubled(sow("step", &(x + 1.0)));
    near(&jit(reap_last(places, ["step"]))(s(2.0)).1["step"].get().unwrap(), &[9.0]);
    near(&jit(reap_last(places, ["step"]))(s(50.0)).1["step"].get().unwrap(), &[51.0]);
    let batch = reap_last(vmap(places), ["step"])(v(&[2.0, 50.0])).1["step"].get().unwrap();
    near(&batch, &[9.0, 51.0]);
}

/// One name in a branch that all examples take alike, of which there is one flag, and in a loop that each example leaves for itself, of
/// which there is one for each: one after the other in either order, and in branches of one choice.
#[test]
fn flags_of_a_batch_beside_a_flag_of_all() {
    let of = |program: fn(Tensor, Tensor) -> Tensor, taken: bool| {
        let f = move |x: Tensor| {
            let taken = x.sum().greater(if taken { 0.0 } else { 1e3 });
            vmap(move |x: Tensor| program(taken.clone(), x))(x)
        };
        let batch = v(&[3.0, 20.0, 8.0]);
        let eager = reap_last(f, ["step"])(batch.clone()).1["step"].or(&v(&[-1.0; 3]));
        near(&jit(reap_last(f, ["step"]))(batch).1["step"].or(&v(&[-1.0; 3])), &eager.to_vec::<f64>());
        eager
    };
    // A value that is 100 times that of the branch, beside it.
    fn branch(taken: &Tensor, x: Tensor) -> Tensor {
        cond(taken, |x: Tensor| sow("step", &(x * 100.0)) * 0.01, |x: Tensor| x, x)
    }
    let before = |taken: Tensor, x: Tensor| doubled(branch(&taken, x));
    near(&of(before, true), &[9.0, 2000.0, 12.0]);
    near(&of(before, false), &[9.0, -1.0, 12.0]);
    let after = |taken: Tensor, x: Tensor| branch(&taken, doubled(x));
    near(&of(after, true), &[1200.0, 2000.0, 1600.0]);
    near(&of(after, false), &[9.0, -1.0, 12.0]);
    let choice = |taken: Tensor, x: Tensor| cond(&taken, doubled, |x: Tensor| x, x);
    near(&of(choice, true), &[9.0, -1.0, 12.0]);
    near(&of(choice, false), &[-1.0; 3]);
    let either = |taken: Tensor, x: Tensor| {
        let other = taken.clone();
        cond(&taken, doubled, move |x: Tensor| branch(&other.logical_not(), x), x)
    };
    near(&of(either, true), &[9.0, -1.0, 12.0]);
    near(&of(either, false), &[300.0, 2000.0, 800.0]);
    let or_else = |taken: Tensor, x: Tensor| {
        let other = taken.clone();
        cond(&taken, move |x: Tensor| branch(&other, x), doubled, x)
    };
    near(&of(or_else, true), &[300.0, 2000.0, 800.0]);
    near(&of(or_else, false), &[9.0, -1.0, 12.0]);
}

#[test]
fn branches_need_not_all_have_a_value() {
    let f = |x: Tensor| {
        let index = x.floor().astype(DType::I32);
        let branches: [&dyn Fn(Tensor) -> Tensor; 3] =
            [&|x| sow("a", &(x * 2.0)), &|x| sow("b", &(x * 3.0)), &|x| {
                sow("a", &sow("b", &(x * 4.0)).exp()).log()
            }];
        switch(&index, &branches, x)
    };
    let have = |x: f64| match x {
        0.5 => (Some(1.0), None),
        1.5 => (None, Some(4.5)),
        _ => (Some(10.0f64.exp()), Some(10.0)),
    };
    for x in [0.5, 1.5, 2.5] {
        for values in [
            reap_last(f, ["a", "b"])(s(x)).1,
            jit(reap_last(f, []))(s(x)).1,
            jit(reap_last(grad(f), []))(s(x)).1,
            reap_last(checkpoint(f), [])(s(x)).1,
        ] {
            let got = |name: &str| values[name].get().map(|t| t.item::<f64>());
            let (a, b) = have(x);
            for (got, want) in [(got("a"), a), (got("b"), b)] {
                assert_eq!(got.is_some(), want.is_some());
                near(&s(got.unwrap_or(0.0)), &[want.unwrap_or(0.0)]);
            }
        }
    }
    for values in [
        vmap(reap_last(f, ["b"]))(v(&[0.5, 1.5, 2.5])).1,
        jit(vmap(reap_last(f, ["b"])))(v(&[0.5, 1.5, 2.5])).1,
        reap_last(vmap(f), ["b"])(v(&[0.5, 1.5, 2.5])).1,
    ] {
        assert_eq!(values["b"].is_there.to_vec::<bool>(), [false, true, true]);
        near(&values["b"].or(&v(&[-1.0, -1.0, -1.0])), &[-1.0, 4.5, 10.0]);
    }
    near(&grad(move |x: Tensor| reap_last(f, ["b"])(x).1["b"].value.clone())(s(1.5)), &[3.0]);
    // Every branch has it: it is there without asking, and in a function with a rule as well.
    let ruled = custom_jvp(
        |x: Tensor| cond(&x.greater(0.0), |x: Tensor| sow("r", &(x * 2.0)), |x: Tensor| x, x),
        |(x,), (dx,)| (&x * 2.0, dx * 5.0),
    );
    near(&jit(reap_last(ruled.clone(), ["r"]))(s(1.0)).1["r"].get().unwrap(), &[2.0]);
    near(&grad(ruled.clone())(s(1.0)), &[5.0]);
    assert!(reap_last(ruled.clone(), ["r"])(s(-1.0)).1["r"].get().is_none());
    near(&grad(move |x: Tensor| reap_last(ruled.clone(), ["r"])(x).1["r"].value.clone())(s(1.0)), &[2.0]);
}

#[test]
fn lists_are_planted() {
    let x = 0.3;
    let values = || vec![s(1.0), s(2.0)];
    near(&plant_all(two_layers, [("hidden", values())])(s(x)), &[4.0]);
    near(&jit(plant_all(two_layers, [("hidden", values())]))(s(x)), &[4.0]);
    let (want, reaped) = reap_all(two_layers, [])(s(x));
    near(&plant_all(two_layers, [("hidden", reaped["hidden"].clone())])(s(x)), &[want.item()]);
    let by_second = |h: Tensor| plant_all(two_layers, [("hidden", vec![s(1.0), h])])(s(0.3));
    near(&jit(grad(by_second))(s(2.0)), &[2.0]);
    near(&vmap(by_second)(v(&[1.0, 5.0])), &[2.0, 10.0]);
    let twice = |c: Tensor, w: Tensor| (sow("h", &sow("h", &(&c * w))) + c, ());
    let f = move |x: Tensor| scan(twice, x, v(&[2.0, 3.0])).0;
    near(&plant_all(f, [("h", vec![v(&[0.0, 0.0]), v(&[4.0, 5.0])])])(s(1.0)), &[10.0]);
    let branches = |x: Tensor| cond(&x.greater(1.0), two_layers_as_h, |x: Tensor| sow("h", &x), x);
    near(&plant_all(branches, [("h", vec![s(7.0), s(8.0)])])(s(0.0)), &[7.0]);
    near(&plant_all(branches, [("h", vec![s(7.0), s(8.0)])])(s(2.0)), &[8.0]);
    let scoped = |x: Tensor| {
        let h = named("a", || layer(x));
        named("b", || layer(h))
    };
    near(&plant(scoped, [("b/hidden", s(3.0))])(s(x)), &[6.0]);
}

#[test]
fn errors_say_what_to_do() {
    let refused = |f: &dyn Fn(), words: &[&str]| {
        let text = said(f);
        words.iter().for_each(|w| assert!(text.contains(w), "{w}: {text}"));
    };
    let here = "named_values.rs";
    refused(&|| drop(reap(two_layers, ["hidden"])(s(1.0))), &["more than once", "reap_all", "named", here]);
    refused(&|| drop(reap(doubled, ["step"])(s(1.0))), &["not known", "reap_last", here]);
    refused(&|| drop(reap_all(doubled, ["step"])(s(1.0))), &["not known", "reap_last", here]);
    let one_branch = |x: Tensor| cond(&x.greater(0.0), |x: Tensor| sow("h", &x), |x: Tensor| x, x);
    refused(&|| drop(reap_all(one_branch, ["h"])(s(1.0))), &["every branch", "reap_last", here]);
    let types = |x: Tensor| sow("h", &sow("h", &x).reshape(&[1])).sum();
    refused(
        &|| drop(reap_last(types, ["h"])(s(1.0))),
        &["tensor<f64>", "tensor<1xf64>", "name of its own", here],
    );
    refused(
        &|| drop(reap_last(two_layers, ["h"])(s(1.0))),
        &["nothing is sown as `h`; there is `hidden`", here],
    );
    refused(
        &|| drop(named("a", || reap(layer, ["h"])(s(1.0)))),
        &["nothing is sown as `a/h`; there is `a/hidden`"],
    );
    refused(
        &|| drop(plant(two_layers, [("hidden", s(1.0))])(s(1.0))),
        &["sown 2 times, and 1 value is", "plant_all", here],
    );
    let three = || vec![s(1.0), s(1.0), s(1.0)];
    refused(
        &|| drop(plant_all(layer, [("hidden", three())])(s(1.0))),
        &["sown once, and 3 values are", here],
    );
    refused(&|| drop(plant_all(layer, [("hidden", vec![])])(s(1.0))), &["no value for `hidden`", here]);
    refused(&|| drop(plant(doubled, [("step", s(1.0))])(s(1.0))), &["not known", "number of trips", here]);
    let inside = |x: Tensor| reap_last(doubled, ["step"])(x).1["step"].get().unwrap();
    refused(&|| drop(jit(inside)(s(1.0))), &["`or`", here]);
}
