//! Small real problems, three transforms deep: Kalman filters, options, MAML, private gradients, a neural ODE, natural gradients, ensembles.
use super::*;
use std::collections::BTreeMap;
use wengert::collectives::{all_gather, pmean, psum};
use wengert::{
    ARG0, ARG1, DType, Operator, Save, ScanOptions, Tensor, Tree, check, checked, checkpoint, cond,
    custom_linear_solve, custom_root, debug_nans, fixed_point, fori_loop, grad, hessian, jacfwd, jacrev, jet,
    jit, jvp, linalg, linearize, random, reap, scan, scan_with, sow, sparse_jacobian, stack, tape::Tape,
    tree, value_and_grad, vjp, vmap, while_loop,
};

// --- Kalman filter: minus log likelihood of a series, by the noise of process and measurement.
fn kalman(logs: Tensor, ys: Tensor) -> Tensor {
    let f = mat(2, 2, &[1.0, 0.1, 0.0, 1.0]);
    let (q, r) = (Tensor::eye(2, DType::F64) * logs.get(0).exp(), logs.get(1).exp());
    let step = |(m, p): (Tensor, Tensor), y: Tensor| {
        let m = f.matmul(&m);
        let p = f.matmul(&p).matmul(&f.t()) + &q;
        let spread = p.get((0, 0)) + &r;
        let gain = p.get((.., 0)) / &spread;
        let off = y - m.get(0);
        let cost = (off.square() / &spread + spread.log()) * 0.5;
        ((m + &gain * &off, &p - gain.outer(&p.get(0))), cost)
    };
    scan(step, (Tensor::zeros(&[2], DType::F64), Tensor::eye(2, DType::F64)), ys).1.sum()
}
fn kalman_rust(l: &[f64], ys: &[f64]) -> f64 {
    let (q, r) = (l[0].exp(), l[1].exp());
    let (mut m, mut p, mut total) = ([0.0, 0.0], [1.0, 0.0, 0.0, 1.0], 0.0);
    for y in ys {
        m = [m[0] + 0.1 * m[1], m[1]];
        let a = [p[0] + 0.1 * p[2], p[1] + 0.1 * p[3], p[2], p[3]];
        p = [a[0] + 0.1 * a[1] + q, a[1], a[2] + 0.1 * a[3], a[3] + q];
        let s = p[0] + r;
        let k = [p[0] / s, p[2] / s];
        let off = y - m[0];
        total += 0.5 * (off * off / s + s.ln());
        m = [m[0] + k[0] * off, m[1] + k[1] * off];
        p = [p[0] - k[0] * p[0], p[1] - k[0] * p[1], p[2] - k[1] * p[0], p[3] - k[1] * p[1]];
    }
    total
}
// --- Black and Scholes.
fn call(spot: Tensor, strike: Tensor, sigma: Tensor, time: Tensor) -> Tensor {
    let root = time.sqrt() * &sigma;
    let d1 = ((&spot / &strike).log() + (sigma.square() * 0.5 + 0.02) * &time) / &root;
    let d2 = &d1 - root;
    spot * d1.ndtr() - strike * (time * -0.02).exp() * d2.ndtr()
}
// --- A field of a small neural ODE with parameters in a map.
type Params = BTreeMap<String, Tensor>;
fn field(p: &Params, y: Tensor) -> Tensor {
    p["b"].matmul(&(p["a"].matmul(&y) + &p["c"]).tanh())
}
fn flow(p: Params, y: Tensor) -> Tensor {
    let options = ScanOptions { length: Some(16), save: Save::Root, ..ScanOptions::default() };
    scan_with(
        |y: Tensor, (): ()| {
            let half = &y + field(&p, y.clone()) * 0.025;
            (y + field(&p, half) * 0.05, ())
        },
        y,
        (),
        options,
    )
    .0
}
fn params() -> Params {
    BTreeMap::from([
        ("a".to_owned(), noise_of(&[3, 2], 1)),
        ("b".to_owned(), noise_of(&[2, 3], 2)),
        ("c".to_owned(), noise_of(&[3], 3)),
    ])
}
#[derive(Clone, Tree)]
struct Line {
    w: Tensor,
    b: Tensor,
}
fn fit(l: Line, x: Tensor, y: Tensor) -> Tensor {
    ((x * &l.w + &l.b).sin() - y).square().mean()
}

#[test]
fn all() {
    case("kalman", || {
        let l = [-2.0, -1.0];
        for n in [0usize, 1, 3] {
            let ys = noise_of(&[12, n], 7);
            let columns: Vec<Vec<f64>> = (0..n).map(|i| v(&ys.get((.., i)))).collect();
            let want: Vec<f64> = columns.iter().map(|y| kalman_rust(&l, y)).collect();
            let f = vmap(kalman).in_axes([None, Some(1)]);
            closet(&format!("likelihoods {n}"), &jit(f.clone())(t(&l), ys.clone()), &want, 1e-12);
            let slopes: Vec<f64> =
                columns.iter().flat_map(|y| differences(|p| vec![kalman_rust(p, y)], &l)).collect();
            closet(
                &format!("gradients {n}"),
                &jit(vmap(grad(kalman)).in_axes([None, Some(1)]))(t(&l), ys.clone()),
                &slopes,
                1e-7,
            );
            let fisher: Vec<f64> = columns.iter().flat_map(|y| v(&hessian(kalman)(t(&l), t(y)))).collect();
            closet(
                &format!("hessians {n}"),
                &jit(vmap(hessian(kalman)).in_axes([None, Some(1)]))(t(&l), ys.clone()),
                &fisher,
                1e-10,
            );
            closet(
                &format!("hessians of checkpoints {n}"),
                &jit(vmap(jacfwd(grad(checkpoint(kalman)))).in_axes([None, Some(1)]))(t(&l), ys),
                &fisher,
                1e-10,
            );
        }
        let y = v(&noise_of(&[12], 9));
        let d2 = differences(|p| differences(|q| vec![kalman_rust(q, &y)], p), &l);
        closet("hessian by differences", &jit(hessian(kalman))(t(&l), t(&y)), &d2, 1e-3);
    });
    case("greeks", || {
        let (spots, sigma, time) = (t(&[80.0, 100.0, 120.0]), s(0.2), s(0.5));
        let gamma = jit(vmap(grad(grad(call))).in_axes([Some(0), None, None, None]))(
            spots.clone(),
            s(100.0),
            sigma.clone(),
            time.clone(),
        );
        let want: Vec<f64> = [80.0f64, 100.0, 120.0]
            .iter()
            .map(|&x| {
                let root = 0.2 * 0.5f64.sqrt();
                let d1 = ((x / 100.0).ln() + (0.02 + 0.02) * 0.5) / root;
                (-d1 * d1 / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() / (x * root)
            })
            .collect();
        closet("gamma", &gamma, &want, 1e-11);
        // Implied volatility by Newton in a root; its skew over strikes; the derivative of vega.
        let implied = |price: Tensor, strike: Tensor| {
            let k = strike.clone();
            let f = move |x: Tensor| call(s(100.0), k.clone(), x, s(0.5)) - &price;
            let newton = |f: &Operator<Tensor>, x: Tensor| {
                let d = grad(f.clone());
                while_loop(
                    |(x, before): (Tensor, Tensor)| (&x - &before).abs().greater(1e-14),
                    |(x, _): (Tensor, Tensor)| (&x - f(x.clone()) / d(x.clone()), x),
                    (x.clone(), &x + 1.0),
                )
                .0
            };
            custom_root(f, s(0.3), newton, |j, y| &y / j(y.ones_like()))
        };
        let strikes = t(&[95.0, 100.0, 110.0]);
        let prices = vmap(|k: Tensor| call(s(100.0), k, s(0.25), s(0.5)))(strikes.clone());
        closet(
            "implied volatilities",
            &jit(vmap(implied))(prices.clone(), strikes.clone()),
            &[0.25; 3],
            1e-12,
        );
        let vega = vmap(grad(|sig: Tensor, k: Tensor| call(s(100.0), k, sig, s(0.5))))(
            t(&[0.25; 3]),
            strikes.clone(),
        );
        let inverse: Vec<f64> = v(&vega).iter().map(|x| 1.0 / x).collect();
        closet("slope of implied volatility", &jit(vmap(grad(implied)))(prices, strikes), &inverse, 1e-9);
        // A knock-out option by paths: `while` until a barrier, batches of paths, mean by name.
        let path = |start: Tensor, key: Tensor| {
            let z = random::normal(&key, &[8], DType::F64);
            let (x, _) = while_loop(
                |(x, i): (Tensor, Tensor)| x.less(1.3).logical_and(i.less(8)),
                |(x, i): (Tensor, Tensor)| (&x * (z.take(&i, 0) * 0.1).exp(), i + 1),
                (start, Tensor::from(0i32)),
            );
            pmean(&x.less(1.3).select((x - 1.0).maximum(0.0), 0.0), "paths")
        };
        let keys = random::split(&random::key(4), 16);
        let zs: Vec<Vec<f64>> = keys.iter().map(|k| v(&random::normal(k, &[8], DType::F64))).collect();
        let rust = |start: f64| {
            zs.iter()
                .map(|z| {
                    let (mut x, mut i) = (start, 0);
                    while x < 1.3 && i < 8 {
                        x *= (z[i] * 0.1).exp();
                        i += 1;
                    }
                    if x < 1.3 { (x - 1.0).max(0.0) } else { 0.0 }
                })
                .sum::<f64>()
                / 16.0
        };
        let price = vmap(path).in_axes([None, Some(0)]).axis_name("paths").out_axes(None);
        let all = stack(&keys, 0);
        closet("knock-out price", &jit(price.clone())(s(1.02), all.clone()), &[rust(1.02)], 1e-13);
        closet(
            "its delta",
            &jit(grad(price))(s(1.02), all),
            &differences(|p| vec![rust(p[0])], &[1.02]),
            1e-7,
        );
    });
    case("maml", || {
        // Slope of what a few steps of descent give, for a batch of tasks, by the start that they share.
        let adapt = |l: Line, x: Tensor, y: Tensor| {
            fori_loop(
                0,
                3,
                |_, l: Line| tree::map2(&l, &grad(fit)(l.clone(), x.clone(), y.clone()), |p, g| p - g * 0.2),
                l,
            )
        };
        let outer = move |l: Line, xs: Tensor, ys: Tensor| {
            vmap(move |l: Line, x: Tensor, y: Tensor| fit(adapt(l, x.clone(), y.clone()), x * 1.1, y))
                .in_axes([None, Some(0), Some(0)])(l, xs, ys)
            .mean()
        };
        let (xs, ys) = (noise_of(&[3, 5], 2), noise_of(&[3, 5], 3));
        let at = |p: &[f64]| Line { w: s(p[0]), b: s(p[1]) };
        let (x, y) = (xs.clone(), ys.clone());
        let d = differences(move |p| vec![outer(at(p), x.clone(), y.clone()).item::<f64>()], &[0.8, -0.3]);
        let g = jit(grad(outer))(at(&[0.8, -0.3]), xs.clone(), ys.clone());
        close("meta gradient", &[g.w.item(), g.b.item()], &d, 1e-7);
        let c = jit(grad(checkpoint(outer)))(at(&[0.8, -0.3]), xs.clone(), ys.clone());
        close("meta gradient of a checkpoint", &[c.w.item(), c.b.item()], &d, 1e-7);
        let h = jit(hessian(outer))(at(&[0.8, -0.3]), xs.clone(), ys.clone());
        let d2 = differences(
            |p| {
                let g = grad(outer)(at(p), xs.clone(), ys.clone());
                vec![g.w.item(), g.b.item()]
            },
            &[0.8, -0.3],
        );
        close(
            "meta hessian",
            &[h[".w"].w.item(), h[".w"].b.item(), h[".b"].w.item(), h[".b"].b.item()],
            &d2,
            1e-6,
        );
    });
    case("private gradients and ensembles", || {
        // Per-example gradients of a map of parameters, cut to a length, summed by name, over an ensemble of parameters.
        let loss = |p: Params, x: Tensor, y: Tensor| (flow(p, x) - y).square().sum();
        let one = move |p: Params, x: Tensor, y: Tensor| {
            let g = grad(loss)(p, x, y);
            let length = tree::leaves(&g).iter().fold(s(0.0), |a, b| a + b.square().sum()).sqrt();
            let scale = (0.5 / &length).minimum(1.0);
            psum(&tree::map(&g, |g| g * &scale), "examples")
        };
        let batch = vmap(one).in_axes([None, Some(0), Some(0)]).axis_name("examples").out_axes(None);
        let (xs, ys) = (noise_of(&[4, 2], 5), noise_of(&[4, 2], 6));
        let members: Vec<Params> = (0..2).map(|k| tree::map(&params(), |t| t * (1.0 + k as f64))).collect();
        let all =
            jit(vmap(batch).in_axes([Some(0), None, None]))(tree::stack(&members), xs.clone(), ys.clone());
        for (k, p) in members.iter().enumerate() {
            let mut sum = vec![0.0; 15];
            for i in 0..4 {
                let g = v(&tree::ravel(&grad(loss)(p.clone(), xs.get(i), ys.get(i))).0);
                let length = g.iter().map(|g| g * g).sum::<f64>().sqrt();
                sum.iter_mut().zip(&g).for_each(|(s, g)| *s += g * (0.5 / length).min(1.0));
            }
            closet(&format!("member {k}"), &tree::ravel(&tree::unstack(&all)[k]).0, &sum, 1e-11);
        }
        let (flat, un) = tree::ravel(&params());
        let d = differences(|p| vec![loss(un.call(&t(p)), xs.get(0), ys.get(0)).item::<f64>()], &v(&flat));
        closet(
            "gradient of a neural ODE",
            &tree::ravel(&jit(grad(loss))(params(), xs.get(0), ys.get(0))).0,
            &d,
            1e-7,
        );
        // The log of the volume of the flow, as of a normalizing flow, and its gradient.
        let volume =
            |p: Params, x: Tensor| linalg::slogdet(&jacfwd(move |x: Tensor| flow(p.clone(), x))(x)).1;
        let un2 = tree::ravel(&params()).1;
        let d = differences(
            |p| v(&vmap(volume).in_axes([None, Some(0)])(un2.call(&t(p)), xs.clone()).sum()),
            &v(&flat),
        );
        let g = jit(grad(move |p: Params, xs: Tensor| vmap(volume).in_axes([None, Some(0)])(p, xs).sum()))(
            params(),
            xs.clone(),
        );
        closet("gradient of volumes", &tree::ravel(&g).0, &d, 1e-6);
        // Gauss-Newton: J^T J v by jvp then vjp, against a dense one, solved by cg as a linear solve, under vmap.
        let natural = |p: Params, x: Tensor, damp: Tensor| {
            let (flat, un) = tree::ravel(&p);
            let f = move |flat: Tensor| flow(un.call(&flat), x.clone());
            let (_, df) = linearize(f.clone(), (flat.clone(),));
            let (y, back) = vjp(f, (flat,));
            let g = back.call(y).0;
            custom_linear_solve(
                move |v: Tensor| back.call(df.call((v.clone(),))).0 + v * &damp,
                g,
                |m, b| linalg::cg(m, b, 1e-13, 60),
            )
        };
        let direct = |x: &Tensor, damp: f64| {
            let un = tree::ravel(&params()).1;
            let (x1, x2) = (x.clone(), x.clone());
            let j = jacrev(move |flat: Tensor| flow(un.call(&flat), x1.clone()))(tree::ravel(&params()).0);
            v(&linalg::solve(
                &(j.t().matmul(&j) + Tensor::eye(15, DType::F64) * damp),
                &j.t().matmul(&flow(params(), x2)),
            ))
        };
        let got = jit(vmap(natural).in_axes([None, Some(0), None]))(params(), xs.clone(), s(0.1));
        closet(
            "natural gradients",
            &got,
            &(0..4).flat_map(|i| direct(&xs.get(i), 0.1)).collect::<Vec<_>>(),
            1e-8,
        );
        let by_damp = jit(grad(move |d: Tensor, x: Tensor| natural(params(), x, d).sum()))(s(0.1), xs.get(0));
        closet(
            "by the damping",
            &by_damp,
            &differences(|p| vec![direct(&xs.get(0), p[0]).iter().sum()], &[0.1]),
            1e-6,
        );
    });
    case("odd companies", || {
        // jet of a vmapped fixed point in a scan; tape of a sparse Jacobian; reap of checked in vmap of hessian; debug_nans outside.
        let implicit = |x: Tensor| {
            vmap(|a: Tensor| fixed_point(move |z: Tensor| (z * 0.3 + &a).cos(), s(0.5), 1e-15))(x)
        };
        let walk =
            move |x: Tensor| scan(|c: Tensor, k: Tensor| (implicit(c) * k, ()), x, t(&[1.0, 0.7])).0.sum();
        let x = || t(&[0.2, 0.9]);
        let (_, d) = jet(walk, (x(),), &[(t(&[1.0, -1.0]),), (t(&[0.0; 2]),), (t(&[0.0; 2]),)]);
        let line = move |h: Tensor| walk(x() + t(&[1.0, -1.0]) * h);
        let want: [f64; 3] = [
            grad(line)(s(0.0)).item(),
            grad(grad(line))(s(0.0)).item(),
            jit(grad(grad(grad(line))))(s(0.0)).item(),
        ];
        close(
            "jet of a batch of fixed points in a scan",
            &d.iter().map(|d| d.item::<f64>()).collect::<Vec<_>>(),
            &want,
            1e-8,
        );
        close(
            "the first by differences",
            &want[..1],
            &differences(|p| vec![line(s(p[0])).item::<f64>()], &[0.0]),
            1e-7,
        );
        let diag = |x: Tensor| {
            sparse_jacobian(|x: Tensor| x.get(1..).sin() * x.get(..-1))(x).values().square().sum()
        };
        let (_, tape) = Tape::record(
            move |x: Tensor| if x.sum().greater(0.0).item::<bool>() { diag(x) } else { x.sum() },
            (t(&[0.3, 0.5, 0.9]),),
        );
        let d = differences(|p| vec![diag(t(p)).item::<f64>()], &[0.4, 0.5, 0.6]);
        closet("gradient of a tape of a sparse Jacobian", &jit(grad(tape))(t(&[0.4, 0.5, 0.6])), &d, 1e-7);
        let f = |x: Tensor| {
            check!(x.abs().max().less(5.0), "large");
            sow("h", &x.sin()).square().sum()
        };
        let ((failure, h), values) =
            jit(reap(vmap(checked(hessian(f))), ["h"]))(mat(2, 2, &[0.1, 0.2, 6.0, 0.3]));
        same("checked", failure.failed().to_vec::<bool>(), vec![false, true]);
        let c = |x: f64| 2.0 * (2.0 * x).cos();
        closet("hessians", &h, &[c(0.1), 0.0, 0.0, c(0.2), c(6.0), 0.0, 0.0, c(0.3)], 1e-13);
        closet("reaped", &values["h"], &[0.1f64.sin(), 0.2f64.sin(), 6f64.sin(), 0.3f64.sin()], 1e-15);
        fails(
            "debug_nans around vmap of value_and_grad of a cond",
            || {
                debug_nans(vmap(value_and_grad(|x: Tensor| {
                    cond(&x.less(1.0), |x: Tensor| (x * 0.0).sqrt(), |x: Tensor| x, x)
                })))(t(&[2.0, 0.5]))
            },
            &["NaN", "deep_mixes"],
        );
        // Attention over examples by name, under forward mode and reverse mode, in a batch of batches.
        let attend = |q: Tensor| {
            let k = all_gather(&q, "i");
            k.matmul(&q).softmax(0).matmul(&k)
        };
        let layer = move |x: Tensor| vmap(attend).axis_name("i")(x);
        let by_hand = |x: &Tensor| v(&x.matmul(&x.t()).softmax(1).matmul(x));
        let xs = noise_of(&[2, 3, 2], 8);
        closet(
            "attention",
            &jit(vmap(layer))(xs.clone()),
            &(0..2).flat_map(|i| by_hand(&xs.get(i))).collect::<Vec<_>>(),
            1e-13,
        );
        let x0 = xs.get(0);
        let d = differences(|p| by_hand(&mat(3, 2, p)), &v(&x0));
        closet("attention, jacfwd", &jit(jacfwd(layer))(x0.clone()), &d, 1e-7);
        closet("attention, jacrev in a batch", &jit(vmap(jacrev(layer)))(xs.clone()).get(0), &d, 1e-7);
        let (_, dy) = jvp(vmap(layer), (xs.clone(),), (xs.ones_like(),));
        let want: Vec<f64> = (0..6).map(|r| d[6 * r..6 * r + 6].iter().sum()).collect();
        closet("attention, jvp of a batch", &dy.get(0), &want, 1e-7);
        let two = jit(jacrev(|x: Tensor, y: Tensor| (x.sin() * &y, y.sum())).wrt((ARG0, ARG1)));
        let ((xx, xy), (yx, yy)) = two(t(&[1.0, 2.0]), t(&[3.0, 4.0]));
        close(
            "blocks",
            &[v(&xx), v(&xy), v(&yx), v(&yy)].concat(),
            &[
                3.0 * 1f64.cos(),
                0.0,
                0.0,
                4.0 * 2f64.cos(),
                1f64.sin(),
                0.0,
                0.0,
                2f64.sin(),
                0.0,
                0.0,
                1.0,
                1.0,
            ],
            1e-14,
        );
    });
    finish();
}
