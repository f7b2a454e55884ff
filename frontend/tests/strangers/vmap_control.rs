//! Control flow under `vmap` with derivatives: scans, branches, loops that end at different times, HMC, batches of 0, 1 and 3.
use super::*;
use wengert::{
    DType, Tensor, associative_scan, cond, fori_loop, grad, hessian, jacfwd, jit, jvp, map, random, scan,
    stack, switch, vmap, while_loop,
};

// Doubling until 10: y = x 2^k.
fn doubled(x: Tensor) -> Tensor {
    while_loop(|x: Tensor| x.less(10.0), |x: Tensor| x * 2.0, x)
}
fn doubled_rust(x: f64) -> (f64, f64) {
    let (mut y, mut d) = (x, 1.0);
    while y < 10.0 {
        y *= 2.0;
        d *= 2.0;
    }
    (y, d)
}
// A branch with a loop in it, and a scan with a branch in it.
fn tangled(x: Tensor) -> Tensor {
    let y = cond(
        &x.greater(0.0),
        |x: Tensor| while_loop(|x: Tensor| x.less(4.0), |x: Tensor| &x * &x + &x, x).log(),
        |x: Tensor| {
            scan(
                |c: Tensor, k: Tensor| {
                    (cond(&c.less(-1.0), |c: Tensor| c * 0.5, |c: Tensor| c - 0.3, c) * k, ())
                },
                x,
                t(&[1.0, 2.0, 1.5]),
            )
            .0
        },
        x.clone(),
    );
    y * x.sin()
}
fn tangled_rust(x: f64) -> f64 {
    let y = if x > 0.0 {
        let mut x = x;
        while x < 4.0 {
            x = x * x + x;
        }
        x.ln()
    } else {
        let mut c = x;
        for k in [1.0, 2.0, 1.5] {
            c = (if c < -1.0 { c * 0.5 } else { c - 0.3 }) * k;
        }
        c
    };
    y * x.sin()
}
fn newton(a: Tensor) -> Tensor {
    let b = a.clone();
    while_loop(
        move |(x, before): (Tensor, Tensor)| (&x - &before).abs().greater(1e-13),
        move |(x, _): (Tensor, Tensor)| ((&x + &b / &x) * 0.5, x),
        // Begun at 1 of 1 it would end at once, with the slope of its only step.
        (&a + 1.0, a.zeros_like()),
    )
    .0
}
// Hamiltonian Monte Carlo on a Gaussian with two scales: `steps` proposals, each a leapfrog of five.
fn energy(q: Tensor) -> Tensor {
    (q.square() * t(&[0.5, 2.0])).sum()
}
fn hmc(q: Tensor, key: Tensor, step: Tensor) -> (Tensor, Tensor) {
    let slope = grad(energy);
    let one = move |(q, key): (Tensor, Tensor), _i: Tensor| {
        let keys = random::split(&key, 3);
        let p = random::normal(&keys[0], &[2], DType::F64);
        let (q1, p1) = fori_loop(
            0,
            5,
            |_, (q, p): (Tensor, Tensor)| {
                let p = p - slope(q.clone()) * (&step * 0.5);
                let q = q + &p * &step;
                let p = p - slope(q.clone()) * (&step * 0.5);
                (q, p)
            },
            (q.clone(), p.clone()),
        );
        let h0 = energy(q.clone()) + p.square().sum() * 0.5;
        let h1 = energy(q1.clone()) + p1.square().sum() * 0.5;
        let accept = random::uniform(&keys[1], &[], DType::F64, 0.0, 1.0).log().less(h0 - h1);
        let q = cond(&accept, |(a, _): (Tensor, Tensor)| a, |(_, b): (Tensor, Tensor)| b, (q1, q));
        ((q.clone(), keys[2].clone()), q)
    };
    let ((q, _), all) = scan(one, (q, key), Tensor::arange(6, DType::F64));
    (q, all)
}

#[test]
fn all() {
    for (n, x) in [(0usize, vec![]), (1, vec![1.3]), (3, vec![1.0, 3.0, 20.0])] {
        case(&format!("doubled {n}"), || {
            let want: Vec<f64> = x.iter().map(|&x| doubled_rust(x).0).collect();
            let slopes: Vec<f64> = x.iter().map(|&x| doubled_rust(x).1).collect();
            closet(&format!("while vmap {n}"), &vmap(doubled)(t(&x)), &want, 0.0);
            closet(&format!("while jit vmap {n}"), &jit(vmap(doubled))(t(&x)), &want, 0.0);
            closet(&format!("while vmap grad {n}"), &vmap(grad(doubled))(t(&x)), &slopes, 0.0);
            closet(
                &format!("while jit grad of vmap {n}"),
                &jit(grad(|x: Tensor| vmap(doubled)(x).sum()))(t(&x)),
                &slopes,
                0.0,
            );
            let zeros = vec![0.0; n];
            closet(&format!("while vmap hessian {n}"), &jit(vmap(hessian(doubled)))(t(&x)), &zeros, 0.0);
            let (_, dy) = jvp(vmap(doubled), (t(&x),), (t(&vec![2.0; n]),));
            closet(
                &format!("while jvp of vmap {n}"),
                &dy,
                &slopes.iter().map(|d| 2.0 * d).collect::<Vec<_>>(),
                0.0,
            );
        });
        case(&format!("newton {n}"), || {
            let third: Vec<f64> = x.iter().map(|&a| 0.375 * a.powf(-2.5)).collect();
            closet(
                &format!("newton vmap {n}"),
                &jit(vmap(newton))(t(&x)),
                &x.iter().map(|a| a.sqrt()).collect::<Vec<_>>(),
                1e-12,
            );
            closet(
                &format!("newton grad^3 under vmap {n}"),
                &jit(vmap(grad(grad(grad(newton)))))(t(&x)),
                &third,
                1e-7,
            );
        });
    }
    case("tangled", || {
        // At -0.7 the slope jumps.
        let x = [-3.0, -0.6, 0.2, 1.5, 9.0];
        let want: Vec<f64> = x.iter().map(|&x| tangled_rust(x)).collect();
        let slopes: Vec<f64> =
            x.iter().flat_map(|&x| differences(|p| vec![tangled_rust(p[0])], &[x])).collect();
        closet("tangled vmap", &vmap(tangled)(t(&x)), &want, 1e-12);
        closet("tangled jit vmap", &jit(vmap(tangled))(t(&x)), &want, 1e-12);
        closet("tangled vmap grad", &vmap(grad(tangled))(t(&x)), &slopes, 1e-7);
        closet("tangled jit vmap grad", &jit(vmap(grad(tangled)))(t(&x)), &slopes, 1e-7);
        closet("tangled grad vmap", &jit(grad(|x: Tensor| vmap(tangled)(x).sum()))(t(&x)), &slopes, 1e-7);
        let seconds: Vec<f64> = x.iter().map(|&x| grad(grad(tangled))(s(x)).item::<f64>()).collect();
        closet("tangled vmap hessian", &jit(vmap(hessian(tangled)))(t(&x)), &seconds, 1e-9);
        closet("tangled jacfwd vmap diagonal", &jacfwd(vmap(tangled))(t(&x)).diag(0), &slopes, 1e-7);
        // The same predicate for all stays a branch.
        let text = jit(vmap(|p: Tensor, x: Tensor| {
            cond(&p.greater(0.0), |x: Tensor| x.sin(), |x: Tensor| x.cos(), x)
        })
        .in_axes([None, Some(0)]))
        .trace((s(1.0), t(&x)))
        .map(|t| t.to_string())
        .unwrap_or_default();
        yes(
            "a branch on what is the same stays one",
            text.contains("stablehlo.case") || text.contains("stablehlo.if"),
            "no branch in the program",
        );
    });
    case("switch", || {
        let f = |i: Tensor, x: Tensor| {
            let b: [&dyn Fn(Tensor) -> Tensor; 3] =
                [&|x: Tensor| x.exp(), &|x: Tensor| doubled(x), &|x: Tensor| x.square()];
            switch(&i, &b, x)
        };
        let i = || Tensor::from([0i32, 1, 2, 9, -4]);
        let x = [0.5, 3.0, 4.0, 5.0, 0.1f64];
        let want = [x[0].exp(), 12.0, 16.0, 25.0, x[4].exp()];
        closet("switch vmap", &vmap(f)(i(), t(&x)), &want, 1e-14);
        let slopes = [x[0].exp(), 4.0, 8.0, 10.0, x[4].exp()];
        let g = jit(vmap(grad(f).wrt(wengert::ARG1)));
        closet("switch jit vmap grad", &g(i(), t(&x)), &slopes, 1e-14);
    });
    case("fori with batched bounds", || {
        let power = |x: Tensor, n: Tensor| fori_loop(0, &n, |_, y: Tensor| &x * &y, x.ones_like());
        let (x, n) = (|| t(&[2.0, 3.0, 0.5]), || Tensor::from([3i32, 0, 5]));
        closet("fori vmap", &vmap(power)(x(), n()), &[8.0, 1.0, 0.03125], 0.0);
        closet("fori jit vmap grad", &jit(vmap(grad(power)))(x(), n()), &[12.0, 0.0, 5.0 * 0.0625], 1e-14);
        closet(
            "fori vmap grad grad",
            &jit(vmap(grad(grad(power))))(x(), n()),
            &[12.0, 0.0, 20.0 * 0.125],
            1e-13,
        );
    });
    case("hmc", || {
        for n in [1usize, 3] {
            let keys = random::split(&random::key(3), n);
            let starts = noise_of(&[n, 2], 5);
            let step = s(0.35);
            let batch = vmap(hmc).in_axes([Some(0), Some(0), None]).out_leaf_axes([Some(0), Some(1)]);
            let (q, all) = jit(batch.clone())(starts.clone(), stack(&keys, 0), step.clone());
            let mut last = vec![];
            for (i, key) in keys.iter().enumerate() {
                let (one, path) = hmc(starts.get(i), key.clone(), step.clone());
                last.extend(v(&one));
                closet(&format!("hmc chain {i} of {n}"), &all.get((.., i)), &v(&path), 1e-10);
            }
            closet(&format!("hmc ends {n}"), &q, &last, 1e-10);
            // The derivative by the step size of the sum of all ends, through the accepted proposals.
            let total = move |step: Tensor| batch.clone()(starts.clone(), stack(&keys, 0), step).0.sum();
            let d = differences(|p| vec![total(s(p[0])).item::<f64>()], &[0.35]);
            closet(&format!("hmc slope {n}"), &jit(grad(total.clone()))(s(0.35)), &d, 1e-5);
        }
    });
    case("map and associative scan", || {
        let f = |x: Tensor| map(|row: Tensor| row.sin().sum() * &x.get((0, 0)), x.clone());
        let x = noise_of(&[3, 2, 2], 9);
        let want: Vec<f64> = (0..3).flat_map(|i| v(&f(x.get(i)))).collect();
        closet("vmap map", &jit(vmap(f))(x.clone()), &want, 1e-12);
        let compose = |a: Tensor, b: Tensor| {
            associative_scan(
                |(a, b): (Tensor, Tensor), (c, d): (Tensor, Tensor)| (&a * &c, b * &c + d),
                (a, b),
            )
            .1
        };
        let (a, b) = (noise_of(&[3, 5], 1), noise_of(&[3, 5], 2));
        let mut want = vec![];
        for i in 0..3 {
            let (a, b) = (v(&a.get(i)), v(&b.get(i)));
            let mut y = b[0];
            want.push(y);
            for k in 1..5 {
                y = a[k] * y + b[k];
                want.push(y);
            }
        }
        closet("vmap associative scan", &vmap(compose)(a.clone(), b.clone()), &want, 1e-12);
        let loss = move |a: Tensor, b: Tensor| compose(a, b).square().sum();
        let want: Vec<f64> = (0..3).flat_map(|i| v(&grad(loss)(a.get(i), b.get(i)))).collect();
        closet("jit vmap grad associative scan", &jit(vmap(grad(loss)))(a, b), &want, 1e-11);
    });
    finish();
}
