//! Rules of one's own: checked for linearity and types, with captured tracers, under every transform, in loops; `check_grads`.
use super::*;
use wengert::{
    Tensor, check_grads, checkpoint, cond, custom_jvp, custom_vjp, fori_loop, grad, hessian, jacfwd, jacrev,
    jit, jvp, scan, stop_gradient, vjp, vmap, while_loop,
};

fn softplus(x: Tensor) -> Tensor {
    custom_jvp(
        |x: Tensor| x.exp().log1p(),
        |(x,): (Tensor,), (dx,): (Tensor,)| (x.exp().log1p(), dx * x.sigmoid()),
    )(x)
}
// The root of a^2 = x by iteration, with a rule that knows the answer.
fn root(x: Tensor) -> Tensor {
    let solve = |x: Tensor| fori_loop(0, 30, |_, a: Tensor| (&a + &x / &a) * 0.5, x.ones_like());
    custom_jvp(solve, move |(x,): (Tensor,), (dx,): (Tensor,)| {
        let a = root(x);
        (a.clone(), dx / (a * 2.0))
    })(x)
}
// A straight-through quantizer with a reverse mode of its own; the clip of its cotangent is an argument.
fn rounded(x: Tensor, limit: Tensor) -> Tensor {
    custom_vjp(
        |x: Tensor, _l: Tensor| (x * 4.0).round() * 0.25,
        |(x, l): (Tensor, Tensor)| ((&x * 4.0).round() * 0.25, (x, l)),
        |(x, l): (Tensor, Tensor), g: Tensor| {
            (g * x.abs().less(&l).select(1.0, x.zeros_like()), l.zeros_like())
        },
    )(x, limit)
}

#[test]
fn all() {
    let sig = |x: f64| 1.0 / (1.0 + (-x).exp());
    case("custom_jvp everywhere", || {
        let xs = [-2.0, 0.5, 1000.0, 3.0];
        let d1: Vec<f64> = xs.iter().map(|&x| sig(x)).collect();
        let d2: Vec<f64> = xs.iter().map(|&x| sig(x) * (1.0 - sig(x))).collect();
        closet("vmap grad", &vmap(grad(softplus))(t(&xs)), &d1, 1e-13);
        closet("jit vmap grad", &jit(vmap(grad(softplus)))(t(&xs)), &d1, 1e-13);
        closet("grad of vmap", &jit(grad(|x: Tensor| vmap(softplus)(x).sum()))(t(&xs)), &d1, 1e-13);
        closet("jvp of vmap", &jvp(vmap(softplus), (t(&xs),), (t(&[1.0; 4]),)).1, &d1, 1e-13);
        closet("vmap hessian", &jit(vmap(hessian(softplus)))(t(&xs)), &d2, 1e-13);
        closet("grad of checkpoint", &jit(vmap(grad(checkpoint(softplus))))(t(&xs)), &d1, 1e-13);
        closet(
            "in a scan",
            &jit(grad(|x: Tensor| scan(|c: Tensor, k: Tensor| (softplus(c * k), ()), x, t(&[1.0, 0.5])).0))(
                s(0.3),
            ),
            &[sig(0.3) * 0.5 * sig(0.5 * 0.3f64.exp().ln_1p())],
            1e-13,
        );
        closet(
            "in a while, vmapped",
            &jit(vmap(grad(|x: Tensor| while_loop(|x: Tensor| x.less(2.0), softplus, x))))(t(&[1.9, 5.0])),
            &[sig(1.9), 1.0],
            1e-6,
        );
        check_grads(softplus, (t(&[0.3, -0.2]),), 3).map_err(|e| panic!("{e}")).ok();
        // 1.9 -> log(1 + e^1.9) = 2.04.
    });
    // A rule is recorded with its function, so it may not call that.
    fails(
        "rules that call themselves",
        || grad(root)(s(2.0)),
        &["a rule calls the function that it is the rule of"],
    );
    case("captured tracers", || {
        // By the captured `w` as it is computed, by the argument as the rule says (three times the truth).
        let f = |w: Tensor, x: Tensor| {
            let (a, b) = (w.clone(), w);
            custom_jvp(
                move |x: Tensor| (x * &a).sin(),
                move |(x,): (Tensor,), (dx,): (Tensor,)| ((&x * &b).sin(), dx * 3.0 * &b * (x * &b).cos()),
            )(x)
        };
        let (w, x) = (0.7f64, 0.4f64);
        let (dw, dx) = jit(grad(f).wrt((wengert::ARG0, wengert::ARG1)))(s(w), s(x));
        close(
            "both gradients",
            &[dw.item(), dx.item()],
            &[x * (w * x).cos(), 3.0 * w * (w * x).cos()],
            1e-13,
        );
        let all = jit(vmap(grad(f)).in_axes([Some(0), None]))(t(&[w, 1.0]), s(x));
        closet("vmapped over the captured", &all, &[x * (w * x).cos(), x * x.cos()], 1e-13);
        let (_, t1) = jvp(f, (s(w), s(x)), (s(1.0), s(1.0)));
        closet("forward mode adds both", &t1, &[x * (w * x).cos() + 3.0 * w * (w * x).cos()], 1e-13);
        // A vector captured by a closure that is called in a loop.
        let g = |w: Tensor| {
            let scale = w.sin();
            let inner = scale.clone();
            let layer = custom_jvp(
                move |x: Tensor| (&x * &scale).tanh(),
                move |(x,): (Tensor,), (dx,): (Tensor,)| {
                    let y = (&x * &inner).tanh();
                    let slope = (1.0 - y.square()) * &inner;
                    (y, dx * slope)
                },
            );
            fori_loop(0, 3, |_, x: Tensor| layer(x), t(&[0.5, -1.0])).sum()
        };
        let plain = |p: &[f64]| {
            vec![
                (0..2).map(|i| (0..3).fold([0.5, -1.0][i], |x: f64, _| (x * p[i].sin()).tanh())).sum::<f64>(),
            ]
        };
        let d = differences(plain, &[0.8, 1.2]);
        closet("captured in a loop", &grad(g)(t(&[0.8, 1.2])), &d, 1e-8);
        closet("captured in a loop, jit", &jit(grad(g))(t(&[0.8, 1.2])), &d, 1e-8);
        closet("captured in a loop, jacfwd", &jit(jacfwd(g))(t(&[0.8, 1.2])), &d, 1e-8);
        closet("captured in a loop, vmap", &jit(vmap(grad(g)))(mat(1, 2, &[0.8, 1.2])), &d, 1e-8);
    });
    case("custom_vjp everywhere", || {
        let (x, l) = (|| t(&[0.3, 0.9, -1.7]), || t(&[1.0, 0.5, 2.0]));
        let f = |x: Tensor, l: Tensor| rounded(x, l).powi(3);
        let want = [3.0 * 0.25f64.powi(2), 0.0, 3.0 * 1.75f64.powi(2)];
        closet("vmap grad", &vmap(grad(f))(x(), l()), &want, 1e-14);
        closet("jit vmap grad", &jit(vmap(grad(f)))(x(), l()), &want, 1e-14);
        closet(
            "grad of sum of vmap",
            &jit(grad(move |x: Tensor, l: Tensor| vmap(f)(x, l).sum()))(x(), l()),
            &want,
            1e-14,
        );
        closet("jacrev", &jacrev(rounded)(x(), l()).diag(0), &[1.0, 0.0, 1.0], 0.0);
        // The second derivative is that of the forward function, which rounds.
        closet("grad of grad", &jit(vmap(grad(grad(f))))(x(), l()), &[0.0; 3], 1e-14);
        closet(
            "within a checkpoint in a scan",
            &jit(grad(|x: Tensor| {
                let layer = checkpoint(|c: Tensor| rounded(c, s(10.0)) * 1.5);
                scan(|c: Tensor, _: Tensor| (layer(c), ()), x, t(&[0.0; 3])).0
            }))(s(0.3)),
            &[1.5f64.powi(3)],
            1e-14,
        );
        closet(
            "in both branches of a batch",
            &jit(vmap(grad(|x: Tensor| {
                cond(&x.greater(0.5), |x: Tensor| rounded(x, s(9.0)) * 2.0, |x: Tensor| rounded(x, s(0.1)), x)
            })))(t(&[0.7, 0.3, 0.05])),
            &[2.0, 0.0, 1.0],
            0.0,
        );
        fails(
            "no forward mode",
            || jvp(rounded, (s(1.0), s(1.0)), (s(1.0), s(0.0))),
            &["forward", "custom_vjp"],
        );
        fails("jacfwd has none", || jit(jacfwd(rounded))(s(1.0), s(1.0)), &["forward", "custom_vjp"]);
        let (_, pull) = vjp(rounded, (x(), l()));
        closet(
            "its pullback twice",
            &(pull.call(t(&[1.0; 3])).0 + pull.call(t(&[1.0, 2.0, 3.0])).0),
            &[2.0, 0.0, 4.0],
            0.0,
        );
    });
    case("mistakes in rules", || {
        let square_in_tangent =
            custom_jvp(|x: Tensor| x.sin(), |(x,): (Tensor,), (dx,): (Tensor,)| (x.sin(), &dx * &dx));
        let f = square_in_tangent.clone();
        fails(
            "tangent squared, forward",
            move || jvp(f, (s(1.0),), (s(1.0),)),
            &["linear", "multipl", "custom_rules"],
        );
        fails("tangent squared, reverse", move || grad(square_in_tangent)(s(1.0)), &["linear", "multipl"]);
        let offset = custom_jvp(|x: Tensor| x.sin(), |(x,): (Tensor,), (dx,): (Tensor,)| (x.sin(), dx + 1.0));
        fails("tangent plus one", move || jit(grad(offset))(s(1.0)), &["linear"]);
        let shape = custom_jvp(|x: Tensor| x.sum(), |(x,): (Tensor,), (dx,): (Tensor,)| (x.sum(), dx));
        fails(
            "tangent of another shape",
            move || grad(shape)(t(&[1.0, 2.0])),
            &["tensor<2xf64>", "tensor<f64>"],
        );
        let narrow = custom_jvp(
            |x: Tensor| x.sin(),
            |(x,): (Tensor,), (dx,): (Tensor,)| (x.sin(), dx.astype(wengert::DType::F32)),
        );
        fails("tangent of another type", move || grad(narrow)(s(1.0)), &["f32", "f64"]);
        let value =
            custom_jvp(|x: Tensor| x.sin(), |(x,): (Tensor,), (dx,): (Tensor,)| (x.expand_dims(0), dx));
        fails("value of another shape", move || jit(grad(value))(s(1.0)), &["tensor<1xf64>", "tensor<f64>"]);
        let cotangent =
            custom_vjp(|x: Tensor| x.sum(), |(x,): (Tensor,)| (x.sum(), ()), |(), g: Tensor| (g,));
        fails(
            "cotangent of another shape",
            move || grad(cotangent)(t(&[1.0, 2.0])),
            &["tensor<2xf64>", "tensor<f64>"],
        );
        let captured = |w: Tensor| {
            custom_vjp(move |x: Tensor| x * &w, |(x,): (Tensor,)| (x, ()), |(), g: Tensor| (g,))(s(2.0))
        };
        fails("by what a custom_vjp captures", move || grad(captured)(s(1.0)), &["captur", "custom_vjp"]);
        let wrong = custom_jvp(
            |x: Tensor| x.exp(),
            |(x,): (Tensor,), (dx,): (Tensor,)| (x.exp(), dx * x.exp() * 1.01),
        );
        fails_with("check_grads finds it", check_grads(wrong, (t(&[0.1, 0.2]),), 1), &["forward", "1"]);
        let second = custom_jvp(
            |x: Tensor| x.exp(),
            |(x,): (Tensor,), (dx,): (Tensor,)| (x.exp(), dx * stop_gradient(&x.exp())),
        );
        fails_with(
            "check_grads finds it in the second order",
            check_grads(second, (s(0.3),), 2),
            &["2|second"],
        );
        fails_with(
            "check_grads at a kink",
            check_grads(|x: Tensor| x.abs().sum(), (t(&[0.0, 1.0]),), 1),
            &["forward|reverse"],
        );
        same(
            "check_grads of a tree with a loop",
            check_grads(
                |(a, b): (Tensor, Vec<Tensor>), n: Tensor| {
                    while_loop(|x: Tensor| x.sum().less(5.0), |x: Tensor| x * &b[0] + 1.0, a)
                        * n.astype(wengert::DType::F64)
                },
                ((t(&[0.1, 0.2]), vec![t(&[1.1, 1.2])]), Tensor::from(2i32)),
                2,
            )
            .map_err(|e| e.to_string()),
            Ok(()),
        );
    });
    finish();
}
