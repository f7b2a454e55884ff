//! Control flow: every form against plain Rust, eagerly, compiled, and under every transform.

use wengert::{
    ARG0, AssociativeScanOptions, DType, ScanOptions, Tensor, associative_scan, associative_scan_with, cond,
    fori_loop, grad, jit, jvp, map, scan, scan_with, switch, vjp, while_loop,
};

fn x(v: f64) -> Tensor {
    Tensor::from(v)
}

fn slope(f: impl Fn(f64) -> f64, v: f64) -> f64 {
    let h = 1e-5;
    (8.0 * (f(v + h) - f(v - h)) - (f(v + 2.0 * h) - f(v - 2.0 * h))) / (12.0 * h)
}

#[track_caller]
fn close(a: f64, b: f64, tolerance: f64) {
    assert!(a == b || (a - b).abs() <= tolerance * (1.0 + b.abs()), "{a} is not {b}");
}

/// Value and first and second derivatives: eager, compiled, forward, reverse, and by finite differences.
#[track_caller]
fn check(f: fn(Tensor) -> Tensor, points: &[f64]) {
    for &v in points {
        let value = f(x(v)).item::<f64>();
        close(jit(f)(x(v)).item(), value, 1e-12);
        let d = grad(f)(x(v)).item::<f64>();
        close(d, slope(|v| f(x(v)).item(), v), 1e-7);
        close(jit(grad(f))(x(v)).item(), d, 1e-11);
        close(jvp(f, (x(v),), (x(1.0),)).1.item(), d, 1e-11);
        close(vjp(f, (x(v),)).1.call(x(1.0)).0.item(), d, 1e-11);
        let d2 = grad(grad(f))(x(v)).item::<f64>();
        close(d2, slope(|v| grad(f)(x(v)).item(), v), 1e-6);
        close(jit(grad(grad(f)))(x(v)).item(), d2, 1e-10);
        // Forward over reverse.
        close(jvp(grad(f), (x(v),), (x(1.0),)).1.item(), d2, 1e-10);
        let forward = move |v: Tensor| jvp(f, (v.clone(),), (v.ones_like(),)).1;
        close(grad(forward)(x(v)).item(), d2, 1e-10);
    }
}

#[test]
fn branches() {
    fn by_sign(v: Tensor) -> Tensor {
        let scale = v.cos();
        cond(&v.greater(1.0), |a: Tensor| &a * &scale, |a: Tensor| a.exp() + &scale * &a, &v * &v)
    }
    check(by_sign, &[0.3, 1.7]);
    fn by_number(v: Tensor) -> Tensor {
        let index = v.floor().astype(DType::I32);
        let c = v.sin();
        type Pair = (Tensor, Tensor);
        let branches: [&dyn Fn(Pair) -> Pair; 3] =
            [&|(a, b)| (b, a), &|(a, b)| (&a * &b * &c, a.exp()), &|(a, _)| (a.ones_like(), a.sin())];
        let (a, b) = switch(&index, &branches, (&v * 2.0, v.sqrt()));
        a * &v + b
    }
    check(by_number, &[0.4, 1.5, 2.5, 7.5]);
    // A predicate may be a number, and one branch need not depend on the argument.
    fn constant(v: Tensor) -> Tensor {
        cond(&v.floor(), |_: Tensor| Tensor::from(2.0), |a: Tensor| a.square(), v.clone())
    }
    check(constant, &[0.5, 1.5]);
}

#[test]
fn nested_whiles() {
    // The inner trip count depends on the outer state.
    fn f(v: Tensor) -> Tensor {
        let k = v.sin();
        let (s, _) = while_loop(
            |(s, n): (Tensor, Tensor)| s.less(6.0).logical_and(n.less(8i64)),
            |(s, n)| {
                let (inner, _) = while_loop(
                    |(t, m): (Tensor, Tensor)| t.less(&s).logical_and(m.less(5i64)),
                    |(t, m)| (&t * 1.5 + &k * &t.cos() * 0.1, m + 1),
                    (v.clone() * 0.5, Tensor::from(0i32)),
                );
                (s + inner * 0.7, n + 1)
            },
            (v.clone(), Tensor::from(0i32)),
        );
        s
    }
    check(f, &[0.7, 1.3, 9.0]);
}

#[test]
fn while_in_scan_and_scan_in_while() {
    fn while_in_scan(v: Tensor) -> Tensor {
        let xs = Tensor::from([0.3f64, 1.2, 2.1]) * &v;
        let (c, ys) = scan(
            |c: Tensor, x: Tensor| {
                let y = while_loop(|y: Tensor| y.less(&x), |y| &y * 1.3 + &c * 0.1, &v * 0.5);
                (c.sin() + &y, y * &v)
            },
            v.cos(),
            xs,
        );
        c + ys.sum()
    }
    check(while_in_scan, &[0.6, 1.1]);
    fn scan_in_while(v: Tensor) -> Tensor {
        let xs = Tensor::from([0.3f64, -0.4, 0.8]);
        while_loop(
            |s: Tensor| s.less(4.0),
            |s| {
                let (c, ys) =
                    scan(|c: Tensor, x: Tensor| (c.sin() + &v * &x, &c * &c), s.clone(), xs.clone());
                s + (c.abs() + ys.mean() + 0.2) * 0.5
            },
            v.clone(),
        )
    }
    check(scan_in_while, &[0.6, 1.4]);
    fn cond_in_while(v: Tensor) -> Tensor {
        let (s, _) = while_loop(
            |(_, n): (Tensor, Tensor)| n.less(5i64),
            |(s, n)| {
                let even = (&n % 2).equal(0i64);
                let s = cond(&even, |s: Tensor| s.sin() * &v, |s: Tensor| s.exp() * 0.3, s);
                (s, n + 1)
            },
            (v.square(), Tensor::from(0i32)),
        );
        s
    }
    check(cond_in_while, &[0.6, 1.4]);
}

#[test]
fn no_trips_at_all() {
    fn f(v: Tensor) -> Tensor {
        let a = while_loop(|s: Tensor| s.less(-10.0), |s| s.exp(), &v * 3.0);
        let b = fori_loop(3, 1, |_, s: Tensor| s.sin(), v.square());
        let n = v.floor().astype(DType::I32);
        let c = fori_loop(0, &n, |_, s: Tensor| s.sin(), v.cos());
        let (d, ys) = scan(|c: Tensor, x: Tensor| (&c + &x, x), v.clone(), Tensor::zeros(&[0], DType::F64));
        a * b + c * d + ys.sum()
    }
    check(f, &[0.5]);
    let empty = map(|r: Tensor| r.sum(), Tensor::zeros(&[0, 3], DType::F32));
    assert_eq!((empty.shape(), empty.dtype()), (&[0usize][..], DType::F32));
}

#[test]
fn counting_loops() {
    fn fixed(v: Tensor) -> Tensor {
        fori_loop(-2, 3, |i, s: Tensor| s.sin() + &v * i.astype(DType::F64), v.exp())
    }
    check(fixed, &[0.4]);
    fn dynamic(v: Tensor) -> Tensor {
        let upper = (&v * 4.0).floor().astype(DType::I64);
        fori_loop(1, upper, |i, s: Tensor| s.sin() + &v * i.astype(DType::F64), v.exp())
    }
    check(dynamic, &[0.1, 0.6, 1.3]);
    let sum = |from: i64, to: i64| {
        let to = Tensor::from(to);
        fori_loop(from, to, |i, s: Tensor| s + i, Tensor::from(0i64)).item::<i64>()
    };
    assert_eq!((sum(0, 5), sum(-3, 3), sum(4, 4), sum(5, 0)), (10, -3, 0, 0));
}

#[test]
fn scans_reversed_and_unrolled_agree() {
    let a: Vec<f64> = (0..7).map(|k| (k as f64).sin()).collect();
    for reverse in [false, true] {
        // Reference in plain Rust.
        let (mut c, mut ys) = (0.5f64, vec![0.0; 7]);
        let order: Vec<usize> = if reverse { (0..7).rev().collect() } else { (0..7).collect() };
        for k in order {
            c = (c + a[k]).sin();
            ys[k] = c * a[k];
        }
        for unroll in [1, 2, 3, 4, 7, 20] {
            let options = ScanOptions { reverse, unroll, ..ScanOptions::default() };
            let run = move |c: Tensor, xs: (Tensor, Tensor)| {
                scan_with(
                    |c: Tensor, (a, b): (Tensor, Tensor)| {
                        let c = (c + &a).sin();
                        (c.clone(), c * b.sum() * 0.5)
                    },
                    c,
                    xs,
                    options,
                )
            };
            let second =
                |a: &[f64]| Tensor::new(&[a.len(), 2], &a.iter().flat_map(|&v| [v, v]).collect::<Vec<_>>());
            let args = || (x(0.5), (Tensor::from(&a[..]), second(&a)));
            let (eager, compiled) = (run(args().0, args().1), jit(run)(args().0, args().1));
            for (carry, out) in [eager, compiled] {
                close(carry.item(), c, 1e-14);
                out.to_vec::<f64>().iter().zip(&ys).for_each(|(p, q)| close(*p, *q, 1e-14));
            }
            let loss = move |c: Tensor, xs: (Tensor, Tensor)| {
                let (c, ys) = run(c, xs);
                c + (ys * Tensor::arange(7, DType::F64)).sum()
            };
            let gradient = |v: f64| grad(loss).wrt(ARG0)(x(v), args().1).item::<f64>();
            close(gradient(0.5), slope(|v| loss(x(v), args().1).item(), 0.5), 1e-8);
            close(jit(grad(loss))(x(0.5), args().1).item(), gradient(0.5), 1e-12);
        }
    }
}

#[test]
fn maps_and_trees() {
    let f = |v: Tensor| {
        let rows = (Tensor::arange(6, DType::F64).reshape(&[3, 2]) * &v, Tensor::arange(3, DType::F64));
        let (a, b) = map(|(r, s): (Tensor, Tensor)| (r.sum() * &v, (s + &v).sin()), rows);
        (a * b).sum()
    };
    check(f, &[0.3]);
    // A scan without inputs, carrying a tree.
    let options = ScanOptions { length: Some(5), ..ScanOptions::default() };
    let ((a, b), ys) = scan_with(
        |(a, b): (Tensor, Tensor), ()| ((b.clone(), &a + &b), a),
        (Tensor::from(0i32), Tensor::from(1i32)),
        (),
        options,
    );
    assert_eq!((a.item::<i32>(), b.item::<i32>(), ys.to_vec::<i32>()), (5, 8, vec![0, 1, 1, 2, 3]));
}

#[test]
fn associative_scans() {
    for n in [0usize, 1, 2, 3, 4, 5, 8, 13] {
        let v: Vec<i32> = (0..n as i32).map(|k| (k * 7) % 5 - 2).collect();
        let sums: Vec<i32> = v
            .iter()
            .scan(0, |s, v| {
                *s += v;
                Some(*s)
            })
            .collect();
        let t = Tensor::from(&v[..]);
        assert_eq!(associative_scan(|a: Tensor, b: Tensor| a + b, t.clone()).to_vec::<i32>(), sums);
        let compiled = jit(|t: Tensor| associative_scan(|a: Tensor, b: Tensor| a + b, t));
        assert_eq!(compiled(t.clone()).to_vec::<i32>(), sums);
        let mut back: Vec<i32> = v
            .iter()
            .rev()
            .scan(0, |s, v| {
                *s += v;
                Some(*s)
            })
            .collect();
        back.reverse();
        let options = AssociativeScanOptions { reverse: true, axis: 1 };
        let rows = jit(move |t: Tensor| associative_scan_with(|a: Tensor, b: Tensor| a + b, t, options));
        let rows = rows(wengert::stack(&[t.clone(), t.clone()], 0));
        assert_eq!(rows.to_vec::<i32>(), [back.clone(), back].concat());
    }
    // Signed zeros pass through untouched.
    let zeros = associative_scan(|a: Tensor, _| a, Tensor::from([-0.0f64, 1.0, 2.0]));
    assert!(zeros.to_vec::<f64>().iter().all(|z| z.is_sign_negative()));
    // Products of matrices do not commute.
    let f = |v: Tensor| {
        let m = (Tensor::arange(20, DType::F64).reshape(&[5, 2, 2]) * &v).sin();
        let all = associative_scan(|a: Tensor, b: Tensor| a.matmul(&b), m);
        (all * Tensor::arange(20, DType::F64).reshape(&[5, 2, 2])).sum()
    };
    let by_loop = |v: Tensor| {
        let m = (Tensor::arange(20, DType::F64).reshape(&[5, 2, 2]) * &v).sin();
        let (_, all) = scan(
            |c: Tensor, m: Tensor| {
                let c = c.matmul(&m);
                (c.clone(), c)
            },
            Tensor::eye(2, DType::F64),
            m,
        );
        (all * Tensor::arange(20, DType::F64).reshape(&[5, 2, 2])).sum()
    };
    close(f(x(0.7)).item(), by_loop(x(0.7)).item(), 1e-12);
    check(f, &[0.7]);
}

#[test]
fn integers_are_carried_and_captured() {
    fn f(v: Tensor) -> Tensor {
        let table = Tensor::from([1i32, 3, 2]);
        let ((s, count), picked) = scan(
            |(s, count): (Tensor, Tensor), i: Tensor| {
                let k = table.take(&i, 0);
                ((&s * &v + k.astype(DType::F64), count + &k), k)
            },
            (v.clone(), Tensor::from(0i32)),
            Tensor::from([2i32, 0, 1, 1]),
        );
        s * count.astype(DType::F64) + picked.astype(DType::F64).sum()
    }
    check(f, &[0.9]);
}

#[test]
fn large_captures_become_operands() {
    let w = Tensor::random_like(&wengert::TensorType::new(DType::F64, &[20, 20]), 3) * 0.2;
    let f = move |v: Tensor| {
        let h = while_loop(|h: Tensor| h.square().sum().less(40.0), |h| w.matmul(&h) + &h * 1.2, v);
        (h * Tensor::arange(20, DType::F64)).sum()
    };
    let at = || Tensor::arange(20, DType::F64).cos();
    let (eager, compiled) = (grad(f.clone())(at()), jit(grad(f.clone()))(at()));
    let direction = Tensor::arange(20, DType::F64).sin();
    let by_slope = slope(|t| f(at() + &direction * t).item(), 0.0);
    close((&eager * &direction).sum().item(), by_slope, 1e-7);
    close((&compiled * &direction).sum().item(), by_slope, 1e-7);
}

#[test]
fn mistakes_are_explained() {
    let message = |f: &dyn Fn() -> Tensor| {
        let error = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).expect_err("wrong");
        error.downcast_ref::<String>().cloned().unwrap_or_default()
    };
    let v = || Tensor::from([1.0f64, 2.0]);
    for (text, part) in [
        (message(&|| cond(&v().less(0.0), |a: Tensor| a, |a| a, v())), "the predicate must be a scalar"),
        (message(&|| cond(&Tensor::from(true), |a: Tensor| a.sum(), |a| a, v())), "the same types"),
        (message(&|| switch(&Tensor::from(1.0), &[&|a: Tensor| a], v())), "must be an integer"),
        (message(&|| switch::<Tensor, Tensor>(&Tensor::from(1), &[], v())), "no branches"),
        (message(&|| while_loop(|_: Tensor| v(), |a| a, v())), "scalar boolean"),
        (
            message(&|| while_loop(|_: Tensor| Tensor::from(false), |a| a.sum(), v())),
            "must give what it takes",
        ),
        (message(&|| scan(|c: Tensor, x: Tensor| (c + &x, x), v(), x(1.0)).0), "no rows"),
        (message(&|| scan(|c: Tensor, ()| (c, ()), v(), ()).0), "give a length"),
        (message(&|| fori_loop(0, x(2.0), |_, c: Tensor| c, v())), "scalar integer"),
        (message(&|| associative_scan(|a: Tensor, _| a.sum(), v())), "associative_scan"),
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

/// A value that passes from carry to carry depends on the first of them only after as many trips as there are: what is active,
/// or linear, or constant, is known when nothing changes any more, and no sooner.
#[test]
fn carries_pass_on_what_they_depend_on() {
    fn step(carry: Vec<Tensor>) -> Vec<Tensor> {
        let first = &carry[0] * &carry[0] * 0.9;
        std::iter::once(first).chain(carry[..carry.len() - 1].iter().map(Tensor::sin)).collect()
    }
    fn carries(v: Tensor, n: usize) -> Vec<Tensor> {
        std::iter::once(v).chain((1..n).map(|k| Tensor::from(0.1 * k as f64))).collect()
    }
    for n in 2..9 {
        let unrolled =
            move |v: Tensor| (0..n + 1).fold(carries(v, n), |c, _| step(c)).pop().expect("a carry");
        let counted = move |v: Tensor| {
            fori_loop(0, n as i64 + 1, |_, c: Vec<Tensor>| step(c), carries(v, n)).pop().expect("a carry")
        };
        let scanned = move |v: Tensor| {
            let step = |c: Vec<Tensor>, _: Tensor| (step(c), Tensor::from(0.0));
            scan(step, carries(v, n), Tensor::zeros(&[n + 1], DType::F64)).0.pop().expect("a carry")
        };
        // As many trips as make the counter large enough, which nobody knows before.
        let open = move |v: Tensor| {
            let done = while_loop(
                move |(k, _): (Tensor, Vec<Tensor>)| k.less(n as f64 + 0.5),
                |(k, c)| (k + 1.0, step(c)),
                (Tensor::from(0.0), carries(v, n)),
            );
            done.1.into_iter().next_back().expect("a carry")
        };
        let want = grad(unrolled)(x(0.8)).item::<f64>();
        let second = grad(grad(unrolled))(x(0.8)).item::<f64>();
        assert!(want.abs() > 1e-6, "{n}");
        close(grad(counted)(x(0.8)).item(), want, 1e-12);
        close(grad(grad(counted))(x(0.8)).item(), second, 1e-11);
        close(jit(grad(counted))(x(0.8)).item(), want, 1e-12);
        close(grad(scanned)(x(0.8)).item(), want, 1e-12);
        close(jit(grad(scanned))(x(0.8)).item(), want, 1e-12);
        close(jvp(scanned, (x(0.8),), (x(1.0),)).1.item(), want, 1e-12);
        close(grad(open)(x(0.8)).item(), want, 1e-12);
        close(jit(grad(open))(x(0.8)).item(), want, 1e-12);
        close(jvp(open, (x(0.8),), (x(1.0),)).1.item(), want, 1e-12);
    }
}
