//! `linearize`, `linear_transpose`, pullbacks as values: many times, once, under `jit`, `map`, `vmap`, differentiated again; `eval_shape`.
use super::*;
use wengert::{
    DType, Tensor, Tree, cond, eval_shape, fori_loop, grad, hvp, jacfwd, jacrev, jit, jvp, linear_transpose,
    linearize, map, scan, tree, vjp, vmap, while_loop,
};

#[derive(Clone, Tree)]
struct Two {
    a: Tensor,
    b: Tensor,
}
// A filter over time: a loop, a branch, a product.
fn filter(p: Two, xs: Tensor) -> Tensor {
    let step = |c: Tensor, x: Tensor| {
        let c = cond(
            &x.greater(0.0),
            |(c, x): (Tensor, Tensor)| &c * &p.a + x,
            |(c, x): (Tensor, Tensor)| c.tanh() * x,
            (c, x),
        );
        (c.clone(), c * &p.b)
    };
    scan(step, s(0.3), xs).1
}
fn two(a: f64, b: f64) -> Two {
    Two { a: s(a), b: s(b) }
}
fn xs() -> Tensor {
    t(&[0.5, -0.4, 0.8, -0.9, 0.2])
}
fn jacobian() -> Vec<f64> {
    differences(|p| v(&filter(two(p[0], p[1]), t(&p[2..]))), &[vec![0.7, 1.3], v(&xs())].concat())
}

#[test]
fn all() {
    let j = jacobian();
    let row = |k: usize| j[7 * k..7 * k + 7].to_vec();
    let pulled = |(p, x): &(Two, Tensor)| [vec![p.a.item::<f64>(), p.b.item()], v(x)].concat();
    let units = || Tensor::eye(5, DType::F64);
    case("pullback many times", || {
        let (y, pull) = vjp(filter, (two(0.7, 1.3), xs()));
        closet("its value", &y, &v(&filter(two(0.7, 1.3), xs())), 1e-14);
        for k in 0..5 {
            close(&format!("row {k}"), &pulled(&pull.call(units().get(k))), &row(k), 1e-7);
        }
        let bytes = pull.saved_bytes();
        yes("saved bytes", bytes > 0, bytes);
        let all = |b: &(Two, Tensor)| {
            (0..5)
                .flat_map(|k| [vec![v(&b.0.a)[k], v(&b.0.b)[k]], v(&b.1.get(k))].concat())
                .collect::<Vec<f64>>()
        };
        let (p1, p2, p3, p4, p5) = (pull.clone(), pull.clone(), pull.clone(), pull.clone(), pull.clone());
        close("under vmap", &all(&vmap(move |ct: Tensor| p1.call(ct))(units())), &j, 1e-7);
        close("under jit of vmap", &all(&jit(vmap(move |ct: Tensor| p2.call(ct)))(units())), &j, 1e-7);
        close("under map", &all(&map(|ct: Tensor| pull.call(ct), units())), &j, 1e-7);
        close(
            "under jit of map",
            &all(&jit(move |cts: Tensor| map(|ct: Tensor| p3.call(ct), cts))(units())),
            &j,
            1e-7,
        );
        // It is linear: its Jacobian is the transposed one, its second derivative zero.
        let back = jacfwd(move |ct: Tensor| p4.call(ct).1)(t(&[0.0; 5]));
        let want: Vec<f64> =
            (0..5).flat_map(|i| (0..5).map(|k| j[7 * k + 2 + i]).collect::<Vec<_>>()).collect();
        closet("jacfwd of a pullback", &back, &want, 1e-7);
        let h = grad(grad(move |c: Tensor| p5.call(c.broadcast_to(&[5])).0.a));
        closet("grad grad of a pullback", &h(s(2.0)), &[0.0], 1e-12);
        close("once", &pulled(&pull.clone().into_once().call(units().get(4))), &row(4), 1e-7);
        close("and again many times", &pulled(&pull.call(units().get(3))), &row(3), 1e-7);
        close("within a budget", &pulled(&pull.memory_budget(1 << 20).call(units().get(2))), &row(2), 1e-7);
    });
    case("pullback inside", || {
        // The squared length of a gradient, differentiated: 2 H g, with `vjp` inside of `grad`, `jit`, `vmap` and loops.
        let f = |x: Tensor| (x.sin() * x.get(0)).sum() + x.prod();
        let length = move |x: Tensor| {
            let (_, pull) = vjp(f, (x,));
            pull.call(s(1.0)).0.square().sum()
        };
        let x = noise_of(&[3], 4);
        let d = differences(|p| vec![length(t(p)).item::<f64>()], &v(&x));
        closet("grad through vjp", &grad(length)(x.clone()), &d, 1e-7);
        closet("jit grad through vjp", &jit(grad(length))(x.clone()), &d, 1e-7);
        closet("jacfwd through vjp", &jit(jacfwd(length))(x.clone()), &d, 1e-7);
        let once = move |x: Tensor| {
            let (_, pull) = vjp(f, (x,));
            pull.into_once().call(s(1.0)).0.square().sum()
        };
        closet("grad through once", &grad(once)(x.clone()), &d, 1e-7);
        closet(
            "jit vmap grad through once",
            &jit(vmap(grad(once)))(wengert::stack(&[x.clone(), x.clone()], 0)),
            &[d.clone(), d.clone()].concat(),
            1e-7,
        );
        let (h, _) = (hvp(f, (x.clone(),), (grad(f)(x.clone()),)).0, ());
        closet("it is 2 H g", &(h * 2.0), &d, 1e-7);
        // Gauss-Newton: J^T J v in a loop of ten gradient steps.
        let residual = |x: Tensor| wengert::concatenate(&[x.square() - 1.0, x.get(..2) * x.get(1..)], 0);
        let steps = move |x: Tensor| {
            fori_loop(
                0,
                10,
                |_, x: Tensor| {
                    let (r, pull) = vjp(residual, (x.clone(),));
                    x - pull.call(r).0 * 0.1
                },
                x,
            )
        };
        let run = |p: &[f64]| {
            let mut x = p.to_vec();
            for _ in 0..10 {
                let r = [x[0] * x[0] - 1.0, x[1] * x[1] - 1.0, x[2] * x[2] - 1.0, x[0] * x[1], x[1] * x[2]];
                let g = [
                    2.0 * x[0] * r[0] + x[1] * r[3],
                    2.0 * x[1] * r[1] + x[0] * r[3] + x[2] * r[4],
                    2.0 * x[2] * r[2] + x[1] * r[4],
                ];
                (0..3).for_each(|i| x[i] -= 0.1 * g[i]);
            }
            x
        };
        closet("descent with vjp inside a loop", &jit(steps)(x.clone()), &run(&v(&x)), 1e-12);
        closet("its Jacobian", &jit(jacrev(steps))(x.clone()), &differences(run, &v(&x)), 1e-7);
    });
    case("linearize", || {
        let (y, df) = linearize(filter, (two(0.7, 1.3), xs()));
        closet("value", &y, &v(&filter(two(0.7, 1.3), xs())), 1e-14);
        let tangent = (two(1.0, -1.0), t(&[0.0, 2.0, 0.0, 0.0, 0.0]));
        let want: Vec<f64> = (0..5).map(|k| j[7 * k] - j[7 * k + 1] + 2.0 * j[7 * k + 3]).collect();
        closet("tangent", &df.call(tangent.clone()), &want, 1e-7);
        closet("the same as jvp", &jvp(filter, (two(0.7, 1.3), xs()), tangent.clone()).1, &want, 1e-7);
        close("transposed", &pulled(&df.transpose().call(units().get(1))), &row(1), 1e-7);
        let doubled = tree::map2(&tangent, &tangent, |a, b| wengert::stack(&[a.clone(), b * -1.0], 0));
        let df2 = linearize(filter, (two(0.7, 1.3), xs())).1;
        let both = jit(vmap(move |p: Two, x: Tensor| df2.call((p, x))))(doubled.0, doubled.1);
        closet("jit vmap of it", &both.get(1), &want.iter().map(|w| -w).collect::<Vec<_>>(), 1e-7);
        let inner = |x: Tensor| {
            let (y, df) = linearize(
                |x: Tensor| while_loop(|x: Tensor| x.less(5.0), |x: Tensor| &x * &x + 0.5, x),
                (x,),
            );
            y * df.call((s(3.0),))
        };
        let d = |x: f64| {
            let (mut y, mut dy, mut ddy) = (x, 1.0, 0.0);
            while y < 5.0 {
                (y, dy, ddy) = (y * y + 0.5, 2.0 * y * dy, 2.0 * dy * dy + 2.0 * y * ddy);
            }
            (3.0 * y * dy, 3.0 * (dy * dy + y * ddy))
        };
        closet(
            "linearize of a while in vmap",
            &jit(vmap(inner))(t(&[1.1, 2.0, 7.0])),
            &[d(1.1).0, d(2.0).0, d(7.0).0],
            1e-12,
        );
        closet(
            "its gradient",
            &jit(vmap(grad(inner)))(t(&[1.1, 2.0, 7.0])),
            &[d(1.1).1, d(2.0).1, d(7.0).1],
            1e-12,
        );
    });
    case("linear_transpose", || {
        let blur = |x: Tensor| {
            scan(
                |c: Tensor, x: Tensor| {
                    let c = c * 0.5 + x;
                    (c.clone(), c)
                },
                s(0.0),
                x,
            )
            .1
        };
        let back = linear_transpose(blur, (t(&[0.0; 4]),));
        let mut want = vec![];
        for i in 0..4 {
            want.push((i..4).map(|k| [1.0, 2.0, 3.0, 4.0][k] * 0.5f64.powi((k - i) as i32)).sum::<f64>());
        }
        closet("of a scan", &back.call(t(&[1.0, 2.0, 3.0, 4.0])).0, &want, 1e-14);
        let b2 = linear_transpose(blur, (t(&[0.0; 4]),));
        let many = jit(vmap(move |c: Tensor| b2.call(c).0));
        closet(
            "vmapped",
            &many(mat(2, 4, &[1.0, 2.0, 3.0, 4.0, 2.0, 4.0, 6.0, 8.0])).get(1),
            &want.iter().map(|w| 2.0 * w).collect::<Vec<_>>(),
            1e-14,
        );
        let take = |x: Tensor, i: Tensor| x.take(&i, 0);
        let (dx, di) =
            linear_transpose(take, (t(&[0.0; 3]), Tensor::from([2i32, 2, 0]))).call(t(&[1.0, 10.0, 100.0]));
        closet("of a gather by integers", &dx, &[100.0, 0.0, 11.0], 0.0);
        same("integers have zeros", di.to_vec::<i32>(), vec![0, 0, 0]);
        fails(
            "not linear",
            || linear_transpose(|x: Tensor| x.sin() * 2.0, (s(0.0),)).call(s(1.0)),
            &["sine", "linear", "linear_pullbacks"],
        );
        fails(
            "not linear: a product of both",
            || linear_transpose(|x: Tensor, y: Tensor| x * y, (s(1.0), s(1.0))).call(s(1.0)),
            &["multipl", "linear"],
        );
        fails(
            "affine",
            || linear_transpose(|x: Tensor| x + 1.0, (s(0.0),)).call(s(1.0)),
            &["linear|add|constant"],
        );
    });
    case("eval_shape and clones", || {
        let f = |p: Two, n: Tensor| (p.a.matmul(&p.b), vec![n.argmax(0), n.cumsum(0)]);
        let like = |shape: &[usize]| Tensor::placeholder(shape, DType::F32);
        let (y, list) = eval_shape(f, (Two { a: like(&[1000, 2000]), b: like(&[2000, 7]) }, like(&[9])));
        same("shape", y.0.to_string(), "tensor<1000x7xf32>".to_owned());
        same(
            "shapes in a list",
            list.iter().map(|t| t.0.to_string()).collect::<Vec<_>>(),
            vec!["tensor<i32>".to_owned(), "tensor<9xf32>".to_owned()],
        );
        let g = eval_shape(vmap(jacfwd(|x: Tensor| x.sin())), (like(&[5, 3]),));
        same("shape of a batch of Jacobians", g.0.to_string(), "tensor<5x3x3xf32>".to_owned());
        let h = vmap(grad(|x: Tensor| x.sin()));
        let (a, b) = (h.clone(), jit(h.clone()));
        close("clones agree", &v(&a(t(&[1.0, 2.0]))), &v(&b.clone()(t(&[1.0, 2.0]))), 1e-15);
        fails(
            "a placeholder has no elements",
            || Tensor::placeholder(&[2], DType::F64).sin(),
            &["element|placeholder|value", "linear_pullbacks"],
        );
        fails(
            "a tangent of another type",
            || jvp(|x: Tensor| x.sin(), (s(1.0),), (Tensor::from(1.0f32),)),
            &["f32", "f64"],
        );
        fails(
            "a cotangent of another shape",
            || vjp(|x: Tensor| x.sin(), (s(1.0),)).1.call(t(&[1.0, 2.0])),
            &["tensor<2xf64>", "tensor<f64>"],
        );
        fails(
            "a tangent of another structure",
            || jvp(|x: Vec<Tensor>| x[0].clone(), (vec![s(1.0)],), (vec![s(1.0), s(2.0)],)),
            &["structure|leaf|leaves|[1]|[0]"],
        );
    });
    finish();
}
