//! Taylor mode: series through elementwise functions, products, loops, branches, equations, rules; under `jit`, `vmap`, `grad`; limits.
use super::*;
use wengert::{
    Tensor, checkpoint, cond, custom_jvp, custom_vjp, debug_print, effects::prints_of, fixed_point, grad,
    jacfwd, jet, jit, jvp, linalg, scan, vmap, while_loop,
};

/// Derivatives to `order` along x + t d, of a function of one vector, by nested forward modes.
fn nested(f: fn(Tensor) -> Tensor, x: &Tensor, d: &Tensor, order: usize) -> Vec<f64> {
    type F = std::sync::Arc<dyn Fn(Tensor) -> Tensor + Send + Sync>;
    let (x, d) = (x.clone(), d.clone());
    let mut g: F = std::sync::Arc::new(move |h: Tensor| f(&x + &d * h));
    let mut out = vec![];
    for _ in 0..order {
        let before = g.clone();
        g = std::sync::Arc::new(move |h: Tensor| {
            let b = before.clone();
            jvp(move |h: Tensor| b(h), (h,), (s(1.0),)).1
        });
        out.extend(v(&g(s(0.0))));
    }
    out
}
fn line(f: fn(Tensor) -> Tensor, x: &Tensor, d: &Tensor, order: usize) -> Vec<f64> {
    let mut series = vec![(d.clone(),)];
    series.resize(order, (d.zeros_like(),));
    jet(f, (x.clone(),), &series).1.iter().flat_map(v).collect()
}

#[test]
fn all() {
    case("known series", || {
        // exp(sin t): 1, 1, 0, -3, -8, -3, 56, ...
        let d = line(|x: Tensor| x.sin().exp(), &s(0.0), &s(1.0), 8);
        close("exp(sin t)", &d, &[1.0, 1.0, 0.0, -3.0, -8.0, -3.0, 56.0, 217.0], 1e-11);
        // 1 / (1 - t): n!
        let d = line(|x: Tensor| (1.0 - x).recip(), &s(0.0), &s(1.0), 18);
        let mut n = 1.0;
        let want: Vec<f64> = (1..=18)
            .map(|k| {
                n *= k as f64;
                n
            })
            .collect();
        close("1 / (1 - t) to order 18", &d, &want, 1e-11);
        // A circle: x(t) = (cos t, sin t) has a constant length.
        let series =
            [t(&[0.0, 1.0]), t(&[-1.0, 0.0]), t(&[0.0, -1.0]), t(&[1.0, 0.0]), t(&[0.0, 1.0])].map(|d| (d,));
        let (y, d) = jet(|x: Tensor| x.square().sum().sqrt(), (t(&[1.0, 0.0]),), &series);
        closet("length of a circle", &y, &[1.0], 0.0);
        close("its derivatives", &d.iter().map(|d| d.item::<f64>()).collect::<Vec<_>>(), &[0.0; 5], 1e-12);
        let (_, d) =
            jet(|x: Tensor, y: Tensor| x * y, (s(2.0), s(3.0)), &[(s(1.0), s(10.0)), (s(0.0), s(1.0))]);
        close("a product along a curve", &[d[0].item(), d[1].item()], &[23.0, 22.0], 1e-13);
    });
    let cases: &[(&str, fn(Tensor) -> Tensor)] = &[
        ("elementwise", |x: Tensor| x.tanh() * x.exp() / (x.square() + 2.0) + x.sigmoid().log()),
        ("power and roots", |x: Tensor| {
            (x.square() + 1.0).pow(0.7) + (x + 3.0).sqrt() + Tensor::from([1.5f64, 2.5]).atan2(2.0)
        }),
        ("products", |x: Tensor| x.outer(&x.sin()).matmul(&x.exp()).cumsum(0)),
        ("solve", |x: Tensor| linalg::solve(&(x.outer(&x) + mat(2, 2, &[3.0, 1.0, 0.0, 2.0])), &x)),
        ("cholesky", |x: Tensor| linalg::cholesky(&(x.outer(&x) + mat(2, 2, &[3.0, 1.0, 1.0, 2.0]))).sum()),
        ("scan", |x: Tensor| scan(|c: Tensor, k: Tensor| (c.sin() + &c * k, ()), x, t(&[0.3, -0.5, 0.9])).0),
        ("while", |x: Tensor| while_loop(|x: Tensor| x.sum().less(20.0), |x: Tensor| &x * &x + 0.7, x)),
        ("branch", |x: Tensor| {
            cond(&x.sum().greater(0.0), |x: Tensor| x.exp() * x.sum(), |x: Tensor| x.sin(), x)
        }),
        ("gather and sort", |x: Tensor| x.sort(0).take(&Tensor::from([1i32, 0, 1]), 0).cumprod(0)),
        ("checkpoint", |x: Tensor| checkpoint(|x: Tensor| (x.sin() * x.sum()).exp())(x)),
        ("gradient inside", |x: Tensor| grad(|x: Tensor| (x.sin() * x.prod()).sum())(x)),
        ("forward mode inside", |x: Tensor| jacfwd(|x: Tensor| x.sin() * x.sum())(x).sum_axis(0)),
        ("fixed point", |x: Tensor| {
            fixed_point(move |z: Tensor| (z * 0.4 + &x).sin(), t(&[0.0, 0.0]), 1e-15)
        }),
        ("rule", |x: Tensor| {
            custom_jvp(
                |x: Tensor| x.exp().log1p(),
                |(x,): (Tensor,), (dx,): (Tensor,)| (x.exp().log1p(), dx * x.sigmoid()),
            )(x)
        }),
    ];
    for &(name, f) in cases {
        case(name, || {
            let (x, d) = (t(&[0.6, 0.9]), t(&[1.0, -0.5]));
            let want = nested(f, &x, &d, 4);
            close(&format!("{name}: order 4"), &line(f, &x, &d, 4), &want, 1e-8);
            // Under jit and in a batch of directions: the series are arguments.
            let g = move |d: Tensor| {
                let (_, out) = jet(
                    f,
                    (t(&[0.6, 0.9]),),
                    &[(d.clone(),), (d.zeros_like(),), (d.zeros_like(),), (d.zeros_like(),)],
                );
                wengert::stack(&out, 0)
            };
            closet(&format!("{name}: jit"), &jit(g)(d.clone()), &want, 1e-8);
            let batch = jit(vmap(g))(wengert::stack(&[d.clone(), &d * 2.0], 0));
            closet(&format!("{name}: jit vmap"), &batch.get(0), &want, 1e-8);
            let size = want.len() / 4;
            let doubled: Vec<f64> =
                want.iter().enumerate().map(|(k, w)| w * 2f64.powi((k / size) as i32 + 1)).collect();
            closet(&format!("{name}: twice the speed"), &batch.get(1), &doubled, 1e-8);
            // The gradient of the third derivative by the direction.
            let third = move |d: Tensor| g(d).get(2).sum();
            let slope = differences(|p| vec![third(t(p)).item::<f64>()], &v(&d));
            closet(&format!("{name}: jit grad of the third"), &jit(grad(third))(d), &slope, 1e-5);
        });
    }
    case("an orbit by its own Taylor series", || {
        // x'' = -sin x: the series of the solution by jet of the field, order after order, against a fine integration.
        let field = |y: Tensor| wengert::stack(&[y.get(1), -y.get(0).sin()], 0);
        let taylor = move |y0: Tensor, h: Tensor| {
            let mut series: Vec<(Tensor,)> = vec![(field(y0.clone()),)];
            for _ in 0..9 {
                let (_, d) = jet(field, (y0.clone(),), &series);
                let mut next = vec![(field(y0.clone()),)];
                next.extend(d.into_iter().map(|d| (d,)));
                series = next;
            }
            let (mut y, mut factor) = (y0, h.clone());
            for (k, (d,)) in series.iter().enumerate() {
                y += d * &factor;
                factor = factor * &h / (k as f64 + 2.0);
            }
            y
        };
        let exact = |p: &[f64], h: f64| {
            let (mut x, mut w, n) = (p[0], p[1], 20000);
            let dt = h / n as f64;
            for _ in 0..n {
                let f = |x: f64, w: f64| (w, -x.sin());
                let (a1, b1) = f(x, w);
                let (a2, b2) = f(x + a1 * dt / 2.0, w + b1 * dt / 2.0);
                x += a2 * dt;
                w += b2 * dt;
            }
            vec![x, w]
        };
        let p = [1.0, 0.3];
        closet("ten orders of a pendulum", &taylor(t(&p), s(0.3)), &exact(&p, 0.3), 1e-8);
        closet("jit", &jit(taylor)(t(&p), s(0.3)), &exact(&p, 0.3), 1e-8);
        closet(
            "its Jacobian",
            &jit(jacfwd(taylor))(t(&p), s(0.3)),
            &differences(|q| exact(q, 0.3), &p),
            1e-6,
        );
        closet(
            "its velocity",
            &jit(jacfwd(taylor).wrt(wengert::ARG1))(t(&p), s(0.3)),
            &v(&field(t(&exact(&p, 0.3)))),
            1e-6,
        );
        let many =
            jit(vmap(taylor).in_axes([Some(0), None]))(mat(3, 2, &[1.0, 0.3, 0.0, 0.0, -1.0, -0.3]), s(0.3));
        closet("a batch of them", &many.get(2), &exact(&p, 0.3).iter().map(|x| -x).collect::<Vec<_>>(), 1e-8);
    });
    case("effects and mistakes", || {
        let f = |x: Tensor| {
            debug_print!("at {}", x);
            x.sin()
        };
        let (_, lines) = prints_of(|| {
            jit(move |x: Tensor| jet(f, (x.clone(),), &[(x.clone(),), (x.clone(),)]).1[1].clone())(s(0.5))
        });
        same("heard once", lines, vec!["at 0.5".to_owned()]);
        fails("too many", || jet(|x: Tensor| x.sin(), (s(0.0),), &vec![(s(1.0),); 19]), &["18"]);
        fails(
            "another type",
            || jet(|x: Tensor| x.sin(), (s(0.0),), &[(Tensor::from(1.0f32),)]),
            &["f32", "f64"],
        );
        fails(
            "another shape",
            || jet(|x: Tensor| x.sin(), (s(0.0),), &[(t(&[1.0]),)]),
            &["tensor<1xf64>", "tensor<f64>"],
        );
        let v = custom_vjp(
            |x: Tensor| x.sin(),
            |(x,): (Tensor,)| (x.sin(), x),
            |x: Tensor, g: Tensor| (g * x.cos(),),
        );
        fails("reverse rule only", move || jet(v, (s(0.0),), &[(s(1.0),)]), &["custom_vjp"]);
        let (y, d) = jet(
            |x: Tensor, n: Tensor| (x.powi(3), n),
            (s(2.0), Tensor::from(5i32)),
            &[(s(1.0), Tensor::from(0i32)), (s(0.0), Tensor::from(0i32))],
        );
        same("integers pass", (y.1.item::<i32>(), d[0].1.item::<i32>()), (5, 0));
        closet("beside floats", &d[1].0, &[12.0], 1e-13);
        let (y, d) = jet(|x: Tensor| x.exp(), (s(1.0),), &[]);
        same("no series", (y.item::<f64>() > 2.7, d.len()), (true, 0));
    });
    finish();
}
