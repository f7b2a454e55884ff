//! Conventions where derivatives do not exist, in every mode, batch and order; `debug_nans` and `debug_infs` with the user's line.
use super::*;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;
use wengert::{
    ARG0, ARG1, DType, Tensor, check_grads, cond, debug_infs, debug_nans, grad, jacfwd, jacrev, jit, jvp,
    linalg, nn, random, scan, stop_gradient, vjp, vmap, while_loop,
};

#[test]
fn all() {
    // Name, function, point, slope: one convention in eight ways.
    let kinks: &[(&str, fn(Tensor) -> Tensor, f64, f64)] = &[
        ("abs", |x: Tensor| x.abs(), 0.0, 1.0),
        ("abs at -0", |x: Tensor| x.abs(), -0.0, 1.0),
        ("relu", |x: Tensor| nn::relu(&x), 0.0, 0.0),
        ("maximum", |x: Tensor| x.maximum(0.0), 0.0, 0.5),
        ("minimum of a thing with itself", |x: Tensor| x.minimum(&x), 3.0, 1.0),
        ("clip at the edge", |x: Tensor| x.clip(-1.0, 1.0), -1.0, 0.5),
        ("sign", |x: Tensor| x.sign() * &x, 0.0, 0.0),
        ("floor", |x: Tensor| x.floor() * &x, 2.0, 2.0),
        ("round", |x: Tensor| x.round() + &x, 0.5, 1.0),
        ("remainder", |x: Tensor| &x % 2.0, 5.5, 1.0),
        ("remainder by it", |x: Tensor| 5.5 % &x, 2.0, -2.0),
        ("select", |x: Tensor| x.less(1.0).select(x.square(), &x * 5.0), 1.0, 5.0),
        ("branch", |x: Tensor| cond(&x.less(1.0), |x: Tensor| x.square(), |x: Tensor| x * 5.0, x), 1.0, 5.0),
        ("through an integer", |x: Tensor| x.astype(DType::I32).astype(DType::F64) * &x, 2.5, 2.0),
        ("power 0", |x: Tensor| x.pow(0.0), 0.0, 0.0),
        ("powi 1", |x: Tensor| x.powi(1), 0.0, 1.0),
        ("0^y", |y: Tensor| Tensor::from(0.0f64).pow(&y), 2.0, 0.0),
        ("softplus far out", |x: Tensor| nn::softplus(&x), 1000.0, 1.0),
        ("log sigmoid far out", |x: Tensor| nn::log_sigmoid(&x), -1000.0, 1.0),
        ("stopped", |x: Tensor| stop_gradient(&x.square()) * &x, 3.0, 9.0),
        (
            "root behind a choice before",
            |x: Tensor| {
                let p = x.greater(0.0);
                p.select(p.select(&x, 1.0).sqrt(), 0.0)
            },
            0.0,
            0.0,
        ),
        (
            "unused",
            |x: Tensor| {
                let _ = x.sin();
                Tensor::from(3.0f64) + &x * 0.0
            },
            1.0,
            0.0,
        ),
    ];
    for &(name, f, at, want) in kinks {
        case(name, || {
            closet(&format!("{name}: grad"), &grad(f)(s(at)), &[want], 0.0);
            closet(&format!("{name}: jit grad"), &jit(grad(f))(s(at)), &[want], 0.0);
            closet(&format!("{name}: jvp"), &jvp(f, (s(at),), (s(1.0),)).1, &[want], 0.0);
            closet(&format!("{name}: jacfwd"), &jit(jacfwd(f))(s(at)), &[want], 0.0);
            closet(&format!("{name}: vmap grad"), &vmap(grad(f))(t(&[at, at])), &[want; 2], 0.0);
            closet(
                &format!("{name}: jit grad of vmap"),
                &jit(grad(move |x: Tensor| vmap(f)(x).sum()))(t(&[at, at])),
                &[want; 2],
                0.0,
            );
            closet(
                &format!("{name}: in a scan"),
                &jit(grad(move |x: Tensor| scan(|c: Tensor, k: Tensor| (f(c) * k, ()), x, t(&[1.0])).0))(s(
                    at,
                )),
                &[want],
                0.0,
            );
            let (_, pull) = vjp(f, (s(at),));
            closet(&format!("{name}: pullback"), &pull.call(s(-2.0)).0, &[-2.0 * want], 0.0);
        });
    }
    case("ties and edges", || {
        let ties = || t(&[3.0, 1.0, 3.0, 3.0]);
        closet(
            "max",
            &jit(grad(|x: Tensor| x.max()))(ties()),
            &[1.0 / 3.0, 0.0, 1.0 / 3.0, 1.0 / 3.0],
            1e-15,
        );
        closet(
            "max along an axis, batch",
            &vmap(jacrev(|x: Tensor| x.max_axes(&[0])))(wengert::stack(&[ties(), t(&[0.0; 4])], 0)),
            &[1.0 / 3.0, 0.0, 1.0 / 3.0, 1.0 / 3.0, 0.25, 0.25, 0.25, 0.25],
            1e-15,
        );
        closet(
            "sort keeps the order of equals",
            &jacrev(|x: Tensor| x.sort(0))(ties()).get(1),
            &[1.0, 0.0, 0.0, 0.0],
            0.0,
        );
        closet("prod with zeros", &grad(|x: Tensor| x.prod())(t(&[0.0, 2.0, 3.0])), &[6.0, 0.0, 0.0], 0.0);
        closet(
            "cumprod with a zero",
            &jit(jacfwd(|x: Tensor| x.cumprod(0).sum()))(t(&[2.0, 0.0, 3.0])),
            &[1.0, 8.0, 0.0],
            0.0,
        );
        closet("root at 0", &grad(|x: Tensor| x.sqrt())(s(0.0)), &[f64::INFINITY], 0.0);
        closet(
            "norm at 0",
            &grad(|x: Tensor| linalg::vector_norm(&x, 2.0, &[0]))(t(&[0.0, 0.0])),
            &[f64::NAN; 2],
            0.0,
        );
        let root = |x: Tensor| cond(&x.greater(0.0), |x: Tensor| x.sqrt(), |x: Tensor| x * 0.0, x);
        closet(
            "a batch of roots",
            &jit(grad(move |x: Tensor| vmap(root)(x).sum()))(t(&[4.0, 0.0, -1.0])),
            &[0.25, 0.0, 0.0],
            0.0,
        );
        // A loop goes on for examples that are done; what it computes there is in no derivative.
        let shrink = |x: Tensor| while_loop(|x: Tensor| x.greater(1.0), |x: Tensor| (x - 1.0).sqrt(), x);
        let slopes: Vec<f64> = [30.0, 0.5, 1.0].iter().map(|&x| grad(shrink)(s(x)).item::<f64>()).collect();
        closet("a batch of loops", &jit(vmap(grad(shrink)))(t(&[30.0, 0.5, 1.0])), &slopes, 1e-13);
        closet("nothing at all", &grad(|x: Tensor| x.prod() + x.sum())(t(&[])), &[], 0.0);
        same("no examples", vmap(grad(|x: Tensor| x.abs()))(t(&[])).shape().to_vec(), vec![0]);
    });
    case("values, names, effects", || {
        let change = |x: Tensor| {
            let before = x.clone();
            let mut after = x;
            after *= 2.0;
            after += &before;
            (before * after).at(0).set(0.0).sum()
        };
        closet("in place", &jit(grad(change))(t(&[1.0, 2.0])), &[0.0, 12.0], 0.0);
        let x = t(&[1.0, 2.0]);
        let (dx, dy) =
            grad(|x: Tensor, y: Tensor| (x * y.square()).sum()).wrt((ARG0, ARG1))(x.clone(), x.clone());
        closet("aliased arguments", &dx, &[1.0, 4.0], 0.0);
        closet("aliased arguments, second", &dy, &[2.0, 8.0], 0.0);
        closet("the argument stays", &x, &[1.0, 2.0], 0.0);
        let unused = grad(|x: Tensor, _y: Vec<Tensor>| x.square()).wrt(ARG1)(
            s(1.0),
            vec![Tensor::from([1.0f32, 2.0]), s(1.0)],
        );
        same("unused", (unused[0].to_vec::<f32>(), v(&unused[1])), (vec![0.0, 0.0], vec![0.0]));
        static CALLS: AtomicUsize = AtomicUsize::new(0);
        let counted = |x: Tensor| {
            CALLS.fetch_add(1, Relaxed);
            x.sin()
        };
        let _ = grad(grad(grad(counted)))(s(1.0));
        same("calls of a third derivative", CALLS.swap(0, Relaxed), 1);
        let f = jit(vmap(grad(counted)));
        let _ = (f(t(&[1.0, 2.0])), f(t(&[3.0, 4.0])), f(t(&[3.0, 4.0, 5.0])));
        same("calls under jit, two signatures", CALLS.swap(0, Relaxed), 2);
        let noisy = |x: Tensor, key: Tensor| (random::normal(&key, &[5], DType::F64) * x).sum();
        let a = noisy(s(1.0), random::key(3)).item::<f64>();
        closet("the same chance in a derivative", &jit(grad(noisy))(s(2.0), random::key(3)), &[a], 1e-15);
        fails(
            "by an integer",
            || grad(|n: Tensor, x: Tensor| n.astype(DType::F64) * x)(Tensor::from(2i32), s(1.0)),
            &["i32", "allow_int", "kinks_and_nans"],
        );
        same(
            "allowed",
            grad(|n: Tensor, x: Tensor| n.astype(DType::F64) * x).allow_int()(Tensor::from(2i32), s(1.0))
                .item::<i32>(),
            0,
        );
        let z = Tensor::new(&[2], &[(3.0f64, 4.0f64), (0.0, 0.0)]);
        same(
            "modulus",
            jit(grad(|z: Tensor| z.abs().sum()))(z).to_vec::<(f64, f64)>(),
            vec![(0.6, -0.8), (0.0, 0.0)],
        );
        same(
            "check_grads is content",
            check_grads(|x: Tensor| (x.abs() * x.sin()).sum(), (t(&[0.5, -0.3]),), 2).is_ok(),
            true,
        );
        fails_with(
            "check_grads at a step",
            check_grads(|x: Tensor| x.floor().sum(), (t(&[1.0]),), 1),
            &["forward|reverse"],
        );
    });
    case("debug_nans", || {
        let norm = |x: Tensor| (x * 0.0).square().sum().sqrt();
        fails("reverse", || debug_nans(grad(norm))(t(&[1.0, 2.0])), &["NaN", "kinks_and_nans.rs", "inf"]);
        fails(
            "reverse, under jit inside",
            || debug_nans(jit(grad(norm)))(t(&[1.0, 2.0])),
            &["NaN", "kinks_and_nans.rs"],
        );
        fails(
            "forward in a scan",
            || {
                debug_nans(|x: Tensor| {
                    scan(|c: Tensor, k: Tensor| ((c - k).log(), ()), x, t(&[1.0, 2.0, 0.0])).0
                })(s(5.0))
            },
            &["log made a NaN", "kinks_and_nans"],
        );
        fails(
            "in a while",
            || {
                debug_nans(|x: Tensor| {
                    while_loop(|x: Tensor| x.less(100.0), |x: Tensor| (x - 3.0).sqrt() * 1.5, x)
                })(s(4.0))
            },
            &["sqrt made a NaN", "kinks_and_nans"],
        );
        fails(
            "in one example of a batch",
            || debug_nans(vmap(grad(|x: Tensor| x.log().sqrt())))(t(&[2.0, 0.5])),
            &["NaN", "kinks_and_nans"],
        );
        fails(
            "in a branch",
            || {
                debug_nans(|x: Tensor| cond(&x.less(0.0), |x: Tensor| x.sqrt() + 1.0, |x: Tensor| x, x))(s(
                    -1.0,
                ))
            },
            &["sqrt made a NaN", "kinks_and_nans"],
        );
        fails(
            "in a forward mode",
            || debug_nans(jacfwd(|x: Tensor| (x * 0.0).sqrt()))(s(1.0)),
            &["NaN", "kinks_and_nans"],
        );
        fails(
            "a checkpoint's",
            || debug_nans(grad(wengert::checkpoint(norm)))(t(&[1.0, 2.0])),
            &["NaN", "kinks_and_nans"],
        );
        closet(
            "a NaN that is not chosen does no harm",
            &debug_nans(|x: Tensor| x.less(0.0).select(0.0, x.sqrt()))(s(-4.0)),
            &[0.0],
            0.0,
        );
        closet("an infinity is none", &debug_nans(|x: Tensor| x.log())(s(0.0)), &[f64::NEG_INFINITY], 0.0);
        fails(
            "debug_infs",
            || debug_infs(|x: Tensor| (x.exp() * 2.0, x.sin()))(t(&[1.0, 1000.0])),
            &["exponential", "infinity", "[1]", "kinks_and_nans"],
        );
        fails(
            "debug_infs of a gradient",
            || debug_infs(grad(|x: Tensor| x.sqrt().sum()))(t(&[1.0, 0.0])),
            &["infinity", "kinks_and_nans"],
        );
        let inside = jit(grad(debug_nans(|x: Tensor| x.sin())));
        closet("inside of others it is the function", &inside(s(0.0)), &[1.0], 0.0);
        // At most twice the time.
        let work = |x: Tensor| {
            scan(
                |c: Tensor, k: Tensor| ((&c * k).sin() + c * 0.5, ()),
                x,
                Tensor::linspace(0.1, 1.0, 300, DType::F64),
            )
            .0
            .sum()
        };
        let x = noise_of(&[2000], 3);
        let (plain, watched) = (jit(grad(work)), debug_nans(grad(work)));
        let time = |f: &dyn Fn()| {
            f();
            let mut best = f64::MAX;
            for _ in 0..7 {
                let t = Instant::now();
                f();
                best = best.min(t.elapsed().as_secs_f64());
            }
            best
        };
        let (a, b) = (
            time(&|| {
                plain(x.clone());
            }),
            time(&|| {
                watched(x.clone());
            }),
        );
        yes("at most twice the time", b <= 2.0 * a, format!("{b} s of {a} s"));
    });
    finish();
}
