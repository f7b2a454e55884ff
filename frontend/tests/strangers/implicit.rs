//! Equations: `custom_root`, `custom_linear_solve`, `fixed_point`: implicit layers, orbits, bilevel problems, in every mode, order and batch.
use super::*;
use wengert::{
    ARG0, ARG1, DType, Operator, Tensor, check_grads, custom_linear_solve, custom_root, fixed_point,
    fori_loop, grad, hessian, jacfwd, jacrev, jit, jvp, linalg, scan, vmap, while_loop,
};

// Kepler: E - e sin E = M, by bisection, which has no useful derivative of its own.
fn kepler(m: Tensor, e: Tensor) -> Tensor {
    let bisect = |f: &Operator<Tensor>, start: Tensor| {
        let (low, high) = fori_loop(
            0,
            60,
            |_, (low, high): (Tensor, Tensor)| {
                let middle = (&low + &high) * 0.5;
                let below = f(middle.clone()).less(0.0);
                (below.select(&middle, &low), below.select(&high, &middle))
            },
            (&start - 10.0, &start + 10.0),
        );
        (low + high) * 0.5
    };
    custom_root(move |x: Tensor| &x - &e * x.sin() - &m, s(0.0), bisect, |j, y| &y / j(y.ones_like()))
}
fn kepler_rust(m: f64, e: f64) -> f64 {
    (0..100).fold(m, |x, _| x - (x - e * x.sin() - m) / (1.0 - e * x.cos()))
}
// A deep equilibrium layer: z = tanh(W z + x).
fn equilibrium(w: Tensor, x: Tensor) -> Tensor {
    fixed_point(move |z: Tensor| (w.matmul(&z) + &x).tanh(), Tensor::zeros(&[3], DType::F64), 1e-14)
}
fn equilibrium_rust(w: &[f64], x: &[f64]) -> Vec<f64> {
    let mut z = vec![0.0; 3];
    for _ in 0..400 {
        z = (0..3).map(|i| ((0..3).map(|j| w[3 * i + j] * z[j]).sum::<f64>() + x[i]).tanh()).collect();
    }
    z
}
// Ridge regression with a strength that is a parameter, by conjugate gradients on what is known by its products.
fn ridge(log_strength: Tensor, a: Tensor, b: Tensor) -> Tensor {
    let right = a.t().matmul(&b);
    custom_linear_solve(
        move |x: Tensor| a.t().matmul(&a.matmul(&x)) + x * log_strength.exp(),
        right,
        |m, b| linalg::cg(m, b, 1e-14, 50),
    )
}
fn ridge_direct(log_strength: Tensor, a: Tensor, b: Tensor) -> Tensor {
    linalg::solve(&(a.t().matmul(&a) + Tensor::eye(2, DType::F64) * log_strength.exp()), &a.t().matmul(&b))
}

#[test]
fn all() {
    case("kepler", || {
        let (ms, e) = ([0.3, 1.0, 2.5], 0.4);
        let roots: Vec<f64> = ms.iter().map(|&m| kepler_rust(m, e)).collect();
        let by_m: Vec<f64> = roots.iter().map(|&x| 1.0 / (1.0 - e * x.cos())).collect();
        let by_e: Vec<f64> = roots.iter().map(|&x| x.sin() / (1.0 - e * x.cos())).collect();
        let by_mm: Vec<f64> = roots.iter().map(|&x| -e * x.sin() / (1.0 - e * x.cos()).powi(3)).collect();
        for n in [0usize, 1, 3] {
            let m = t(&ms[..n]);
            closet(
                &format!("roots {n}"),
                &jit(vmap(kepler).in_axes([Some(0), None]))(m.clone(), s(e)),
                &roots[..n],
                1e-12,
            );
            closet(
                &format!("vmap grad {n}"),
                &vmap(grad(kepler)).in_axes([Some(0), None])(m.clone(), s(e)),
                &by_m[..n],
                1e-12,
            );
            closet(
                &format!("jit vmap grad by e {n}"),
                &jit(vmap(grad(kepler).wrt(ARG1)).in_axes([Some(0), None]))(m.clone(), s(e)),
                &by_e[..n],
                1e-12,
            );
            closet(
                &format!("vmap hessian {n}"),
                &jit(vmap(hessian(kepler)).in_axes([Some(0), None]))(m.clone(), s(e)),
                &by_mm[..n],
                1e-10,
            );
        }
        let (y, dy) = jvp(kepler, (s(1.0), s(e)), (s(2.0), s(-1.0)));
        close("jvp", &[y.item(), dy.item()], &[roots[1], 2.0 * by_m[1] - by_e[1]], 1e-12);
        // The orbit at many times in a scan, its derivative by the eccentricity at the end; a grad over a jacfwd.
        let ms2 = ms;
        let orbit = move |e: Tensor| {
            scan(move |c: Tensor, m: Tensor| (c + kepler(m, e.clone()).cos(), ()), s(0.0), t(&ms2)).0
        };
        let want: f64 = roots.iter().zip(&by_e).map(|(x, d)| -x.sin() * d).sum();
        closet("in a scan, grad", &jit(grad(orbit))(s(e)), &[want], 1e-12);
        closet("in a scan, jacfwd", &jit(jacfwd(orbit))(s(e)), &[want], 1e-12);
        let second = differences(|p| vec![grad(orbit)(s(p[0])).item::<f64>()], &[e]);
        closet("in a scan, grad of jacfwd", &jit(grad(jacfwd(orbit)))(s(e)), &second, 1e-6);
        same("check_grads", check_grads(kepler, (s(1.0), s(e)), 2).map_err(|e| e.to_string()), Ok(()));
        // Within a loop that ends by itself, for a batch.
        let hop = |m: Tensor| while_loop(|x: Tensor| x.less(3.0), |x: Tensor| kepler(x, s(0.4)) + 0.5, m);
        let hop_rust = |m: f64| {
            let mut x = m;
            while x < 3.0 {
                x = kepler_rust(x, 0.4) + 0.5;
            }
            x
        };
        closet("in a while, vmapped", &jit(vmap(hop))(t(&ms)), &ms.map(hop_rust), 1e-11);
        let slopes: Vec<f64> = ms.iter().flat_map(|&m| differences(|p| vec![hop_rust(p[0])], &[m])).collect();
        closet("in a while, vmap grad", &jit(vmap(grad(hop)))(t(&ms)), &slopes, 1e-6);
    });
    case("system of equations", || {
        // x^2 + y^2 = a, x - y = b, by Newton with the Jacobian of the operator.
        let circle = |a: Tensor, b: Tensor| {
            let newton = |f: &Operator<Tensor>, start: Tensor| {
                let j = jacfwd(f.clone());
                fori_loop(0, 15, |_, x: Tensor| &x - linalg::solve(&j(x.clone()), &f(x.clone())), start)
            };
            let f = move |x: Tensor| {
                let (p, q) = (x.get(0), x.get(1));
                wengert::stack(&[p.square() + q.square() - &a, p - q - &b], 0)
            };
            let dense =
                |m: &Operator<Tensor>, y: Tensor| linalg::solve(&jacfwd(m.clone())(y.zeros_like()), &y);
            custom_root(f, t(&[2.0, 1.0]), newton, dense)
        };
        let exact = |a: f64, b: f64| {
            let d = (2.0 * a - b * b).sqrt();
            vec![(d + b) / 2.0, (d - b) / 2.0]
        };
        closet("root", &circle(s(5.0), s(0.7)), &exact(5.0, 0.7), 1e-12);
        let d = differences(|p| exact(p[0], p[1]), &[5.0, 0.7]);
        for (name, (ja, jb)) in [
            ("jacfwd", jit(jacfwd(circle).wrt((ARG0, ARG1)))(s(5.0), s(0.7))),
            ("jacrev", jit(jacrev(circle).wrt((ARG0, ARG1)))(s(5.0), s(0.7))),
        ] {
            close(name, &[v(&ja)[0], v(&jb)[0], v(&ja)[1], v(&jb)[1]], &d, 1e-8);
        }
        let batch = jit(vmap(jacrev(circle).wrt(ARG1)))(t(&[5.0, 6.0]), t(&[0.7, -0.2]));
        let d2 = differences(|p| exact(6.0, p[0]), &[-0.2]);
        closet("vmap jacrev", &batch, &[d[1], d[3], d2[0], d2[1]], 1e-8);
    });
    case("equilibrium", || {
        let w = || noise_of(&[3, 3], 3) * 0.4;
        let x = || noise_of(&[3], 4);
        let loss = |w: Tensor, x: Tensor| (equilibrium(w, x) * t(&[1.0, -2.0, 0.5])).sum();
        let plain = |p: &[f64]| {
            let z = equilibrium_rust(&p[..9], &p[9..]);
            vec![z[0] - 2.0 * z[1] + 0.5 * z[2]]
        };
        let all = [v(&w()), v(&x())].concat();
        closet("value", &equilibrium(w(), x()), &equilibrium_rust(&v(&w()), &v(&x())), 1e-12);
        let d = differences(plain, &all);
        closet("grad by weights", &grad(loss)(w(), x()), &d[..9], 1e-7);
        closet("jit grad by input", &jit(grad(loss).wrt(ARG1))(w(), x()), &d[9..], 1e-7);
        closet("jacfwd by input", &jit(jacfwd(loss).wrt(ARG1))(w(), x()), &d[9..], 1e-7);
        let xs = wengert::stack(&[x(), x() * 2.0, x() * -0.5], 0);
        let each = jit(vmap(grad(loss)).in_axes([None, Some(0)]))(w(), xs.clone());
        for i in 0..3 {
            closet(
                &format!("per-example gradient {i}"),
                &each.get(i),
                &differences(|p| plain(&[p, &v(&xs.get(i))].concat()), &v(&w())),
                1e-7,
            );
        }
        let h = jit(hessian(loss).wrt(ARG1))(w(), x());
        let d2 = differences(|p| v(&grad(loss).wrt(ARG1)(w(), t(p))), &v(&x()));
        closet("hessian by input", &h, &d2, 1e-6);
        // A tree for a state.
        let pair = |a: Tensor| {
            let (p, q) = fixed_point(
                move |(p, q): (Tensor, Tensor)| (&q * 0.5 + &a, p * 0.25 + 1.0),
                (s(0.0), s(0.0)),
                1e-14,
            );
            p * q
        };
        // p = q/2 + a, q = p/4 + 1: p = (a + 1/2) 8/7.
        let (p, dp) = ((2.0 + 0.5) * 8.0 / 7.0, 8.0 / 7.0);
        closet("fixed point of a pair", &pair(s(2.0)), &[p * (p / 4.0 + 1.0)], 1e-12);
        closet("its gradient", &jit(grad(pair))(s(2.0)), &[dp * (p / 2.0 + 1.0)], 1e-11);
        closet("its second", &jit(grad(grad(pair)))(s(2.0)), &[dp * dp / 2.0], 1e-10);
    });
    case("bilevel ridge", || {
        let (a, b) = (noise_of(&[5, 2], 8), noise_of(&[5], 9));
        let (a2, b2) = (noise_of(&[4, 2], 10), noise_of(&[4], 11));
        closet(
            "solution",
            &ridge(s(-1.0), a.clone(), b.clone()),
            &v(&ridge_direct(s(-1.0), a.clone(), b.clone())),
            1e-11,
        );
        let outer = |solve: fn(Tensor, Tensor, Tensor) -> Tensor| {
            let (a2, b2) = (a2.clone(), b2.clone());
            move |r: Tensor, a: Tensor, b: Tensor| (a2.matmul(&solve(r, a, b)) - &b2).square().mean()
        };
        let (f, g) = (outer(ridge), outer(ridge_direct));
        let (df, da) = jit(grad(f.clone()).wrt((ARG0, ARG1)))(s(-1.0), a.clone(), b.clone());
        let (dg, dga) = grad(g.clone()).wrt((ARG0, ARG1))(s(-1.0), a.clone(), b.clone());
        closet("hyper-gradient", &df, &v(&dg), 1e-9);
        closet("by the data", &da, &v(&dga), 1e-9);
        closet(
            "hyper-hessian",
            &jit(hessian(f.clone()))(s(-1.0), a.clone(), b.clone()),
            &v(&hessian(g.clone())(s(-1.0), a.clone(), b.clone())),
            1e-8,
        );
        let rs = t(&[-2.0, -1.0, 0.5]);
        let path = jit(vmap(grad(f)).in_axes([Some(0), None, None]))(rs.clone(), a.clone(), b.clone());
        closet(
            "path of hyper-gradients",
            &path,
            &v(&vmap(grad(g)).in_axes([Some(0), None, None])(rs, a, b)),
            1e-9,
        );
        // Not symmetric, with a solver for its transpose too.
        let skew = |w: Tensor, b: Tensor| {
            custom_linear_solve(move |x: Tensor| w.matmul(&x), b, |m, b| linalg::bicgstab(m, b, 1e-14, 30))
                .square()
                .sum()
        };
        let direct = |w: Tensor, b: Tensor| linalg::solve(&w, &b).square().sum();
        let w = || mat(2, 2, &[4.0, 1.0, -1.0, 3.0]);
        closet(
            "not symmetric",
            &jit(grad(skew))(w(), t(&[1.0, 2.0])),
            &v(&grad(direct)(w(), t(&[1.0, 2.0]))),
            1e-10,
        );
        closet(
            "not symmetric, by b",
            &jit(grad(skew).wrt(ARG1))(w(), t(&[1.0, 2.0])),
            &v(&grad(direct).wrt(ARG1)(w(), t(&[1.0, 2.0]))),
            1e-10,
        );
        fails(
            "not linear",
            || custom_linear_solve(|x: Tensor| x.sin(), s(1.0), |_m, b| b),
            &["sine", "linear", "implicit"],
        );
        fails(
            "types that change",
            || custom_root(|x: Tensor| x.sum(), t(&[1.0, 2.0]), |_f, x| x, |_j, y| y),
            &["tensor<f64>", "tensor<2xf64>"],
        );
    });
    finish();
}
