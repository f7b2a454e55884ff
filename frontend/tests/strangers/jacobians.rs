//! Jacobians and Hessians of robots, orbits and populations: all modes against closed forms and differences; holomorphic; `aux`.
use super::*;
use wengert::{
    ARG0, ARG1, ARG2, Tensor, Tree, checkpoint, fori_loop, grad, hessian, hvp, hvp_wrt, jacfwd, jacrev, jit,
    jvp, linalg, scan, value_and_grad, vjp, vmap, while_loop,
};

#[derive(Clone, Tree)]
struct Pose {
    at: Tensor,
    heading: Tensor,
}
fn arm(q: Tensor, lengths: Tensor) -> Pose {
    let angles = q.cumsum(0);
    let x = (angles.cos() * &lengths).sum();
    let y = (angles.sin() * &lengths).sum();
    Pose { at: wengert::stack(&[x, y], 0), heading: angles.get(-1) }
}
fn at(q: Tensor) -> Tensor {
    arm(q, t(&[1.0, 0.8])).at
}
fn arm_jacobian(q: &[f64]) -> [f64; 4] {
    let (a, b) = (q[0], q[0] + q[1]);
    [-a.sin() - 0.8 * b.sin(), -0.8 * b.sin(), a.cos() + 0.8 * b.cos(), 0.8 * b.cos()]
}

// Predator and prey by Runge-Kutta, over 40 steps.
#[derive(Clone, Tree)]
struct Rates {
    birth: Tensor,
    eats: Tensor,
    dies: Tensor,
}
fn field(y: &Tensor, r: &Rates) -> Tensor {
    let (a, b) = (y.get(0), y.get(1));
    wengert::stack(&[&a * &r.birth - &a * &b * &r.eats, &a * &b * &r.eats * 0.5 - &b * &r.dies], 0)
}
fn populations(r: Rates, y0: Tensor) -> Tensor {
    let h = 0.05;
    fori_loop(
        0,
        40,
        |_, y: Tensor| {
            let k1 = field(&y, &r);
            let k2 = field(&(&y + &k1 * (h / 2.0)), &r);
            let k3 = field(&(&y + &k2 * (h / 2.0)), &r);
            let k4 = field(&(&y + &k3 * h), &r);
            y + (k1 + k2 * 2.0 + k3 * 2.0 + k4) * (h / 6.0)
        },
        y0,
    )
}
fn rates(p: &[f64]) -> Rates {
    Rates { birth: s(p[0]), eats: s(p[1]), dies: s(p[2]) }
}

#[test]
fn all() {
    case("arm", || {
        let q = [0.4, 1.1];
        let lengths = || t(&[1.0, 0.8]);
        let j = jacfwd(arm)(t(&q), lengths());
        let k = jit(jacrev(arm))(t(&q), lengths());
        closet("jacfwd at", &j[".at"], &arm_jacobian(&q), 1e-14);
        closet("jacrev at", &k[".at"], &arm_jacobian(&q), 1e-14);
        closet("heading", &k[".heading"], &[1.0, 1.0], 0.0);
        let by_both = jacrev(arm).wrt((ARG1, ARG0))(t(&q), lengths());
        closet(
            "by lengths",
            &by_both[".at"].0,
            &[q[0].cos(), (q[0] + q[1]).cos(), q[0].sin(), (q[0] + q[1]).sin()],
            1e-14,
        );
        // Three deep: the slope of the volume that a Jacobian has, for each configuration of a batch: l1 l2 cos q2.
        let volume = |q: Tensor| linalg::det(&jacfwd(at)(q));
        for n in [0usize, 1, 3] {
            let qs = noise_of(&[n, 2], 5);
            let want: Vec<f64> = (0..n).flat_map(|i| [0.0, 0.8 * v(&qs.get(i))[1].cos()]).collect();
            closet(&format!("vmap grad det jacfwd {n}"), &vmap(grad(volume))(qs.clone()), &want, 1e-13);
            closet(
                &format!("jit vmap grad det jacfwd {n}"),
                &jit(vmap(grad(volume)))(qs.clone()),
                &want,
                1e-13,
            );
            closet(
                &format!("grad sum vmap det jacrev {n}"),
                &jit(grad(|q: Tensor| vmap(|q: Tensor| linalg::det(&jacrev(at)(q)))(q).sum()))(qs),
                &want,
                1e-13,
            );
        }
        // Inverse kinematics: Newton's method with its own Jacobian in a loop; the derivative of the solution is the inverse.
        let solve = |goal: Tensor| {
            while_loop(
                |(q, goal): (Tensor, Tensor)| (at(q) - goal).abs().max().greater(1e-13),
                |(q, goal): (Tensor, Tensor)| {
                    let step = linalg::solve(&jacfwd(at)(q.clone()), &(at(q.clone()) - &goal));
                    (q - step, goal)
                },
                (t(&[0.3, 1.0]), goal),
            )
            .0
        };
        let goal = at(t(&q));
        closet("inverse kinematics", &jit(solve)(goal.clone()), &q, 1e-11);
        let m = arm_jacobian(&q);
        let det = m[0] * m[3] - m[1] * m[2];
        let inverse = [m[3] / det, -m[1] / det, -m[2] / det, m[0] / det];
        closet("jacfwd through the loop", &jit(jacfwd(solve))(goal.clone()), &inverse, 1e-5);
        closet("jacrev through the loop", &jit(jacrev(solve))(goal.clone()), &inverse, 1e-5);
        let goals = wengert::stack(&[goal.clone(), at(t(&[0.2, 0.9]))], 0);
        closet("vmap of it", &jit(vmap(solve))(goals.clone()), &[0.4, 1.1, 0.2, 0.9], 1e-10);
        closet("vmap jacrev of it", &jit(vmap(jacrev(solve)))(goals).get(0), &inverse, 1e-5);
    });
    case("populations", || {
        let (p, y) = ([1.1, 0.4, 0.5], [2.0, 1.0]);
        let run = |p: &[f64]| v(&populations(rates(p), t(&y)));
        let d = differences(run, &p);
        let whole = |j: &Rates| wengert::stack(&[j.birth.clone(), j.eats.clone(), j.dies.clone()], 1);
        closet("sensitivities jacfwd", &whole(&jacfwd(populations)(rates(&p), t(&y))), &d, 1e-7);
        closet("sensitivities jit jacrev", &whole(&jit(jacrev(populations))(rates(&p), t(&y))), &d, 1e-7);
        closet(
            "checkpointed jacfwd",
            &whole(&jit(jacfwd(checkpoint(populations)))(rates(&p), t(&y))),
            &d,
            1e-7,
        );
        closet(
            "checkpointed jacrev",
            &whole(&jit(jacrev(checkpoint(populations)))(rates(&p), t(&y))),
            &d,
            1e-7,
        );
        for chunk in [1usize, 2, 100] {
            closet(
                &format!("chunks of {chunk}"),
                &jacfwd(populations).chunk_size(chunk).wrt(ARG1)(rates(&p), t(&y)),
                &differences(|y| v(&populations(rates(&p), t(y))), &y),
                1e-7,
            );
        }
        let energy = |r: Rates, y: Tensor| populations(r, y).square().sum();
        let slopes = |p: &[f64]| {
            let g = grad(energy)(rates(p), t(&y));
            vec![g.birth.item::<f64>(), g.eats.item::<f64>(), g.dies.item::<f64>()]
        };
        let d2 = differences(slopes, &p);
        let h = jit(hessian(energy))(rates(&p), t(&y));
        let rows = |r: &Rates| vec![r.birth.item::<f64>(), r.eats.item(), r.dies.item()];
        close(
            "hessian of a struct",
            &[rows(&h[".birth"]), rows(&h[".eats"]), rows(&h[".dies"])].concat(),
            &d2,
            1e-5,
        );
        let product = hvp_wrt(energy, ARG0, (rates(&p), t(&y)), rates(&[1.0, -2.0, 0.5]));
        let want: Vec<f64> = (0..3).map(|i| d2[3 * i] - 2.0 * d2[3 * i + 1] + 0.5 * d2[3 * i + 2]).collect();
        close("hvp of a struct", &rows(&product), &want, 1e-5);
        let f = jit(move |r: Rates, y: Tensor, w: Rates| hvp_wrt(energy, ARG0, (r, y), w));
        close("jit hvp", &rows(&f(rates(&p), t(&y), rates(&[1.0, -2.0, 0.5]))), &want, 1e-5);
        let (a, b) = hvp(energy, (rates(&p), t(&y)), (rates(&[0.0; 3]), t(&[1.0, 0.0])));
        let (_, (ca, cb)) = jit(hessian(energy).wrt((ARG0, ARG1)))(rates(&p), t(&y));
        closet(
            "hvp by all: mixed block",
            &wengert::stack(&[a.birth, a.eats, a.dies], 0),
            &v(&wengert::stack(&[ca.birth.get(0), ca.eats.get(0), ca.dies.get(0)], 0)),
            1e-8,
        );
        closet("hvp by all: own block", &b, &v(&cb.get((.., 0))), 1e-8);
    });
    case("orders and modes", || {
        let f = |x: Tensor| (x.sin() * x.exp()).sum() * x.prod();
        let x = noise_of(&[3], 6);
        let third = |x: &[f64]| v(&hessian(f)(t(x)));
        let d3 = differences(third, &v(&x));
        closet("jacfwd of hessian", &jit(jacfwd(hessian(f)))(x.clone()), &d3, 1e-6);
        closet("jacrev of jacfwd of jacrev", &jit(jacrev(jacfwd(jacrev(f))))(x.clone()), &d3, 1e-6);
        closet(
            "hessian of a component of grad",
            &jit(hessian(move |x: Tensor| grad(f)(x).get(1)))(x.clone()),
            &(0..9).map(|k| d3[9 + k]).collect::<Vec<_>>(),
            1e-6,
        );
        let (_, dh) = jvp(hessian(f), (x.clone(),), (t(&[1.0, 0.0, 2.0]),));
        let want: Vec<f64> = (0..9).map(|k| d3[3 * k] + 2.0 * d3[3 * k + 2]).collect();
        closet("jvp of hessian", &dh, &want, 1e-6);
        let (_, pull) = vjp(hessian(f), (x.clone(),));
        let ct = noise_of(&[3, 3], 7);
        let want: Vec<f64> = (0..3).map(|j| (0..9).map(|k| v(&ct)[k] * d3[3 * k + j]).sum()).collect();
        closet("vjp of hessian", &pull.call(ct).0, &want, 1e-6);
        let xs = noise_of(&[2, 3], 8);
        let want: Vec<f64> = (0..2).flat_map(|i| v(&hessian(f)(xs.get(i)))).collect();
        closet(
            "hessian vmapped from other axes",
            &vmap(hessian(f)).in_axes([Some(1)]).out_axes(2)(xs.t()).transpose(&[2, 0, 1]),
            &want,
            1e-11,
        );
    });
    case("holomorphic", || {
        let z = || Tensor::new(&[2], &[(0.5f64, -0.3f64), (1.0, 0.7)]);
        let f = |z: Tensor| (&z * &z * &z) + z.exp();
        let exact = |z: (f64, f64)| {
            let e = z.0.exp();
            (3.0 * (z.0 * z.0 - z.1 * z.1) + e * z.1.cos(), 6.0 * z.0 * z.1 + e * z.1.sin())
        };
        let (a, b) = (exact((0.5, -0.3)), exact((1.0, 0.7)));
        let flat =
            |t: &Tensor| t.to_vec::<(f64, f64)>().into_iter().flat_map(|(a, b)| [a, b]).collect::<Vec<_>>();
        let want = [a.0, a.1, 0.0, 0.0, 0.0, 0.0, b.0, b.1];
        close("jacfwd holomorphic", &flat(&jacfwd(f).holomorphic()(z())), &want, 1e-13);
        close("jit jacrev holomorphic", &flat(&jit(jacrev(f).holomorphic())(z())), &want, 1e-13);
        close(
            "vmap grad holomorphic",
            &flat(&jit(vmap(grad(f).holomorphic()))(z())),
            &[a.0, a.1, b.0, b.1],
            1e-13,
        );
        let h = jit(vmap(hessian(|z: Tensor| &z * &z * &z).holomorphic()))(z());
        close("vmap hessian holomorphic", &flat(&h), &[3.0, -1.8, 6.0, 4.2], 1e-13);
        fails("jacfwd of complex without it", || jacfwd(f)(z()), &["holomorphic|complex"]);
        fails(
            "grad of complex without it",
            || grad(|z: Tensor| (&z * &z).sum())(z()),
            &["holomorphic|complex|float"],
        );
    });
    case("aux and wrt", || {
        let f = |w: Tensor, n: Tensor, x: Tensor| {
            let (last, all) = scan(
                |c: Tensor, r: Tensor| {
                    let c = (c + r).tanh();
                    (c.clone(), c)
                },
                &w * 0.5,
                x,
            );
            (last.square() * n.astype(wengert::DType::F64), (all, n))
        };
        let g = jit(vmap(value_and_grad(f).aux().wrt((ARG0, ARG2))).in_axes([Some(0), None, None]));
        let x = noise_of(&[4], 9);
        let ((value, (all, n)), (dw, dx)) = g(t(&[0.1, 0.6]), Tensor::from(3i32), x.clone());
        same("aux keeps an integer", n.to_vec::<i32>(), vec![3, 3]);
        for i in 0..2 {
            let w = [0.1, 0.6][i];
            let run = |p: &[f64]| vec![f(s(p[0]), Tensor::from(3i32), t(&p[1..])).0.item::<f64>()];
            let at = [vec![w], v(&x)].concat();
            close(&format!("aux value {i}"), &[v(&value)[i]], &run(&at), 1e-13);
            let d = differences(run, &at);
            close(&format!("aux gradient {i}"), &[vec![v(&dw)[i]], v(&dx.get(i))].concat(), &d, 1e-7);
            closet(
                &format!("aux stack {i}"),
                &all.get(i),
                &v(&f(s(w), Tensor::from(3i32), x.clone()).1.0),
                1e-13,
            );
        }
        fails(
            "by an integer",
            || grad(f).aux().wrt(ARG1)(s(1.0), Tensor::from(2i32), t(&[1.0])),
            &["arg1|argument 1", "i32", "jacobians"],
        );
    });
    finish();
}
