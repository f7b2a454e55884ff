//! `check`, `checked`, `sow`, `reap`, `plant`: under vmap, grad, scan, while and each other, as errors and as values.
use super::*;
use wengert::{
    Tensor, check, checked, checkpoint, cond, custom_vjp, fixed_point, fori_loop, grad, hessian, jacfwd,
    jacrev, jit, jvp, named, plant, plant_all, reap, reap_all, reap_last, scan, sow, switch, value_and_grad,
    vmap, while_loop,
};

fn safe_log(x: Tensor) -> Tensor {
    check!(x.greater(0.0), "log of {}", x);
    x.log()
}
// log again and again, as often as the number says.
fn tower(x: Tensor) -> Tensor {
    scan(
        |c: Tensor, k: Tensor| (cond(&c.greater(5.0), |c: Tensor| c - 4.0, safe_log, c) + k, ()),
        x,
        t(&[0.0, 0.0, 0.1]),
    )
    .0
}
fn layer(x: Tensor, w: &Tensor) -> Tensor {
    sow("pre", &(x * w)).tanh()
}

#[test]
fn all() {
    case("checks as errors", || {
        let e = jit(tower).try_call((s(2.0),)).unwrap_err();
        // 2 -> 0.69 -> -0.37 -> an error in the third step.
        let third = 2f64.ln().ln();
        yes("message", e.message().starts_with("log of -0.36651292"), e.message());
        yes(
            "line",
            e.location().is_some_and(|l| l.file().ends_with("effects_checks.rs")),
            format!("{:?}", e.location()),
        );
        for (name, r) in [
            ("jit grad", jit(grad(tower)).try_call((s(2.0),))),
            ("jit jacfwd", jit(jacfwd(tower)).try_call((s(2.0),))),
            ("jit hessian", jit(hessian(tower)).try_call((s(2.0),))),
            ("jit grad checkpoint", jit(grad(checkpoint(tower))).try_call((s(2.0),))),
            ("jit grad grad", jit(grad(grad(tower))).try_call((s(2.0),))),
        ] {
            fails_with(name, r, &[&format!("log of {}", &third.to_string()[..8]), "effects_checks.rs"]);
        }
        fails("eager grad", || grad(tower)(s(2.0)), &["log of -0.36"]);
        fails("eager vmap", || vmap(tower)(t(&[20.0, 2.0])), &["log of -0.36"]);
        fails_with(
            "jit vmap grad",
            jit(vmap(grad(tower))).try_call((t(&[20.0, 30.0, 2.0]),)),
            &["log of -0.36"],
        );
        let d = differences(|p| vec![tower(s(p[0])).item::<f64>()], &[30.0]);
        closet("no error, and the gradient", &jit(vmap(grad(tower)))(t(&[30.0])), &d, 1e-7);
        same(
            "a batch of none",
            jit(vmap(tower)).try_call((t(&[]),)).map(|y| y.shape().to_vec()).map_err(|e| e.to_string()),
            Ok(vec![0]),
        );
        let untaken = |x: Tensor| cond(&x.greater(0.0), safe_log, |x: Tensor| x, x);
        closet("a branch not taken checks nothing", &jit(vmap(untaken))(t(&[1.0, -1.0])), &[0.0, -1.0], 0.0);
        let in_while = |x: Tensor| {
            while_loop(
                |x: Tensor| x.less(100.0),
                |x: Tensor| {
                    check!(x.less(50.0), "{} in a loop", x);
                    x * 3.0
                },
                x,
            )
        };
        fails_with("while", jit(in_while).try_call((s(20.0),)), &["60.0 in a loop"]);
        fails_with(
            "while in a batch",
            jit(vmap(in_while)).try_call((t(&[200.0, 20.0]),)),
            &["60.0 in a loop"],
        );
        let nested = jit(vmap(vmap(safe_log)));
        fails_with(
            "nested batches",
            nested.try_call((mat(2, 2, &[1.0, 1.0, -3.0, 1.0]),)),
            &["log of -3.0", "example"],
        );
        fails_with("an element", jit(safe_log).try_call((t(&[1.0, -2.0]),)), &["log of [1.0, -2.0]|log of"]);
    });
    case("checks as values", || {
        let f = jit(vmap(checked(tower)));
        let (failure, y) = f(t(&[30.0, 2.0, 20.0]));
        same("which failed", failure.failed().to_vec::<bool>(), vec![false, true, false]);
        fails_with("the first that failed", failure.get(), &["log of -0.36"]);
        let yy = v(&y);
        yes("values are there", yy[0].is_finite() && yy[1].is_nan() && yy[2].is_finite(), format!("{yy:?}"));
        let ((_, bad), _) = jit(vmap(
            value_and_grad(|x: Tensor| {
                let (f, y) = checked(tower)(x);
                (y, f.failed())
            })
            .aux(),
        ))(t(&[30.0, 2.0]));
        same("in aux of a gradient", bad.to_vec::<bool>(), vec![false, true]);
        let (failure, g) = jit(checked(grad(tower)))(s(30.0));
        same("outside of a gradient", failure.get().is_ok(), true);
        let slope = differences(|p| vec![tower(s(p[0])).item::<f64>()], &[30.0]);
        closet("and its value", &g, &slope, 1e-7);
        // A replacement where something failed, differentiated: zero there.
        let or_zero = |x: Tensor| {
            let (f, y) = checked(safe_log)(x);
            f.failed().select(0.0, y)
        };
        closet("choose by it", &jit(vmap(or_zero))(t(&[2.0, -1.0])), &[2f64.ln(), 0.0], 1e-15);
        let (f, _) = checked(|x: Tensor, y: Tensor| {
            scan(move |c: Tensor, k: Tensor| (c / (k - &y), ()), x, t(&[1.0, 2.0, 3.0])).0
        })
        .everything()(s(1.0), s(2.0));
        fails_with("division in a scan", f.get(), &["divide", "zero", "effects_checks"]);
        let (f, _) = jit(
            vmap(checked(|x: Tensor, i: Tensor| x.take(&i, 0)).indices()).in_axes([None, Some(0)])
        )(t(&[1.0, 2.0]), Tensor::from([0i32, 5, 1]));
        same("indices in a batch", f.failed().to_vec::<bool>(), vec![false, true, false]);
        let (f, _) = jit(checked(grad(|x: Tensor| (x * 0.0).sqrt())).nans())(s(1.0));
        fails_with("a NaN of reverse mode", f.get(), &["NaN", "effects_checks"]);
        let (f, _) = jit(checked(|x: Tensor| {
            check!(x.less(0.0), "first {}", x);
            check!(x.greater(10.0), "second");
            x
        }))(s(1.0));
        fails_with("the first in order", f.get(), &["first 1.0"]);
        let rule = custom_vjp(
            |x: Tensor| x.sin(),
            |(x,): (Tensor,)| (x.sin(), x),
            |x: Tensor, g: Tensor| {
                check!(g.less(0.5), "cotangent {}", g);
                (g * x.cos(),)
            },
        );
        let r2 = rule.clone();
        fails("in a backward function, as an error", move || jit(grad(rule))(s(1.0)), &["cotangent 1.0"]);
        fails(
            "in a backward function, of the function",
            move || jit(checked(r2))(s(1.0)),
            &["custom_vjp", "backward"],
        );
    });
    case("sow and reap", || {
        let net = |x: Tensor, ws: Vec<Tensor>| {
            (0..ws.len()).fold(x, |x, k| named(&format!("layer{k}"), || layer(x, &ws[k]))).sum()
        };
        let ws = || vec![t(&[0.5, -1.0]), t(&[2.0, 0.3])];
        let x = || t(&[1.0, 2.0]);
        let first = [0.5, -2.0];
        let second = [0.5f64.tanh() * 2.0, (-2f64).tanh() * 0.3];
        let (y, values) = jit(reap(net, ["layer0/pre", "layer1/pre"]))(x(), ws());
        closet("value", &y, &[second[0].tanh() + second[1].tanh()], 1e-14);
        closet("first layer", &values["layer0/pre"], &first, 1e-15);
        closet("second layer", &values["layer1/pre"], &second, 1e-15);
        let (g, values) = jit(reap(vmap(grad(net)).in_axes([Some(0), None]), []))(
            wengert::stack(&[x(), x() * 2.0], 0),
            ws(),
        );
        same("of a batch of gradients", values["layer0/pre"].shape().to_vec(), vec![2, 2]);
        closet("its rows", &values["layer0/pre"].get(1), &[1.0, -4.0], 1e-15);
        same("gradients too", g.shape().to_vec(), vec![2, 2]);
        // The derivative of a loss by an activation: plant inside of grad inside of vmap.
        let by_hidden = grad(move |h: Tensor, x: Tensor| {
            plant(net, [("layer0/pre", h)])(x, vec![t(&[0.5, -1.0]), t(&[2.0, 0.3])])
        });
        let got = jit(vmap(by_hidden).in_axes([Some(0), None]))(mat(2, 2, &[0.5, -2.0, 1.0, 1.0]), x());
        let d =
            |h: [f64; 2]| differences(|h| vec![(h[0].tanh() * 2.0).tanh() + (h[1].tanh() * 0.3).tanh()], &h);
        closet("gradients by a planted value", &got, &[d([0.5, -2.0]), d([1.0, 1.0])].concat(), 1e-8);
        // Reaped values differentiated: the norm of all activations.
        let activity = move |x: Tensor| {
            reap(net, [])(x, vec![t(&[0.5, -1.0]), t(&[2.0, 0.3])])
                .1
                .values()
                .fold(s(0.0), |a, b| a + b.square().sum())
        };
        let plain = |p: &[f64]| {
            vec![
                p[0] * p[0] * 0.25
                    + p[1] * p[1]
                    + ((p[0] * 0.5).tanh() * 2.0).powi(2)
                    + ((-p[1]).tanh() * 0.3).powi(2),
            ]
        };
        closet(
            "hessian of what is reaped",
            &jit(hessian(activity))(x()),
            &differences(|p| differences(plain, p), &[1.0, 2.0]),
            1e-4,
        );
        closet("grad of what is reaped", &grad(activity)(x()), &differences(plain, &[1.0, 2.0]), 1e-8);
    });
    case("sow in control flow", || {
        let walk =
            |x: Tensor| scan(|c: Tensor, k: Tensor| (sow("c", &(c * k)), ()), x, t(&[2.0, 3.0, 4.0])).0;
        let (_, values) = jit(reap(checkpoint(walk), ["c"]))(s(1.0));
        closet("rows of a scan in a checkpoint", &values["c"], &[2.0, 6.0, 24.0], 0.0);
        let (_, values) = jit(reap(vmap(jacrev(walk)), ["c"]))(t(&[1.0, 10.0]));
        closet("a batch of scans, trips in front", &values["c"], &[2.0, 20.0, 6.0, 60.0, 24.0, 240.0], 0.0);
        let (_, values) = reap(move |x: Tensor| jvp(walk, (x,), (s(1.0),)).1, ["c"])(s(1.0));
        closet("of a jvp", &values["c"], &[2.0, 6.0, 24.0], 0.0);
        let planted = plant(walk, [("c", t(&[1.0, 1.0, 5.0]))])(s(9.0));
        closet("plant in a scan", &planted, &[5.0], 0.0);
        let deep = |x: Tensor| {
            fori_loop(
                0,
                2,
                |_, x: Tensor| {
                    scan(
                        |c: Tensor, k: Tensor| {
                            let c = sow("in", &(c + k));
                            (c.clone(), c)
                        },
                        x,
                        t(&[1.0, 2.0]),
                    )
                    .0
                },
                x,
            )
        };
        let (_, values) = jit(reap(deep, ["in"]))(s(0.0));
        same(
            "loops in loops",
            (values["in"].shape().to_vec(), v(&values["in"])),
            (vec![2, 2], vec![1.0, 3.0, 4.0, 6.0]),
        );
        let unknown = |x: Tensor| while_loop(|x: Tensor| x.less(10.0), |x: Tensor| sow("x", &(x * 2.0)), x);
        fails(
            "reap of an unknown number",
            || jit(reap(unknown, ["x"]))(s(1.0)),
            &["reap_last", "number of trips"],
        );
        let (_, last) = jit(vmap(reap_last(unknown, ["x"])))(t(&[3.0, 50.0]));
        closet("the last of a batch", &last["x"].or(&t(&[-1.0, -1.0])), &[12.0, -1.0], 0.0);
        let (_, last) = jit(reap_last(grad(unknown), ["x"]))(s(3.0));
        closet("the last of a gradient", &last["x"].get().unwrap(), &[12.0], 0.0);
        let chosen = |x: Tensor, i: Tensor| {
            let b: [&dyn Fn(Tensor) -> Tensor; 2] = [&|x: Tensor| sow("a", &x.sin()), &|x: Tensor| x];
            switch(&i, &b, x)
        };
        let (_, last) = jit(reap_last(chosen, ["a"]))(s(1.0), Tensor::from(0i32));
        closet("a branch", &last["a"].get().unwrap(), &[1f64.sin()], 0.0);
        yes(
            "the other branch",
            jit(reap_last(chosen, ["a"]))(s(1.0), Tensor::from(1i32)).1["a"].get().is_none(),
            "a value",
        );
        fails("reap of one branch", || reap(chosen, ["a"])(s(1.0), Tensor::from(1i32)), &["reap_last", "a"]);
        let twice = |x: Tensor| sow("h", &(sow("h", &(x + 1.0)) * 2.0));
        fails("one value of several", || reap(twice, ["h"])(s(1.0)), &["h", "reap_all"]);
        let (_, all) = jit(reap_all(vmap(grad(twice)), ["h"]))(t(&[1.0, 2.0]));
        closet("all", &wengert::stack(&all["h"], 0), &[2.0, 3.0, 4.0, 6.0], 0.0);
        closet("plant all", &plant_all(twice, [("h", vec![s(5.0), s(7.0)])])(s(0.0)), &[7.0], 0.0);
        fails("nothing of this name", || reap(twice, ["hidden"])(s(1.0)), &["hidden"]);
        fails("plant nothing of this name", || plant(twice, [("nobody", s(1.0))])(s(1.0)), &["nobody"]);
        fails("plant another type", || plant(walk, [("c", t(&[1.0]))])(s(1.0)), &["tensor<1xf64>|type"]);
        fails(
            "sown where a root is found",
            || {
                reap(
                    |a: Tensor| fixed_point(move |z: Tensor| sow("z", &(z * 0.5)) + &a, s(0.0), 1e-10),
                    ["z"],
                )(s(1.0))
            },
            &["what a solution is"],
        );
        // Checks, prints and sowing together, three deep.
        let f = |x: Tensor| {
            check!(x.less(9.0), "large {}", x);
            wengert::debug_print!("x {}", x);
            sow("s", &x.sin()) * x
        };
        let (((failure, g), values), lines) =
            wengert::effects::prints_of(|| jit(reap(vmap(checked(grad(f))), ["s"]))(t(&[1.0, 10.0])));
        same("printed", lines, vec!["x 1.0".to_owned(), "x 10.0".to_owned()]);
        same("checked", failure.failed().to_vec::<bool>(), vec![false, true]);
        closet("reaped", &values["s"], &[1f64.sin(), 10f64.sin()], 1e-15);
        closet("differentiated", &g, &[1f64.cos() + 1f64.sin(), 10.0 * 10f64.cos() + 10f64.sin()], 1e-14);
    });
    finish();
}
