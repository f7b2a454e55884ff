//! Further programs with effects, written after the others and without a look at the code: what else traced functions are made
//! of, and how else they are run.

use std::sync::{Arc, Mutex};
use wengert::collectives::psum;
use wengert::effects::{debug_print, prints_of};
use wengert::{
    DType, Limits, Save, ScanOptions, Tensor, callback, check, checked, checkpoint, custom_jvp, custom_vjp,
    debug_callback, fixed_point, fori_loop, grad, io_callback, jacfwd, jacrev, jit, jvp, map, reap, scan,
    scan_with, sow, sparse_jacobian, stop_gradient, value_and_grad, vmap, while_loop_with,
};

fn s(x: f64) -> Tensor {
    Tensor::from(x)
}

fn lines<R>(f: impl FnOnce() -> R) -> Vec<String> {
    prints_of(f).1
}

fn noted(x: Tensor, name: &str) -> Tensor {
    debug_print(&format!("{name} {{}}"), &[&x]);
    x
}

fn rows() -> Tensor {
    Tensor::from([1.0f64, 2.0, 3.0, 4.0])
}

#[test]
fn scans_of_every_kind() {
    let of = |options: ScanOptions| {
        move |x: Tensor| {
            let step = |c: Tensor, v: Tensor| (noted(c * &v, "trip") - &v, ());
            scan_with(step, x, rows(), options).0
        }
    };
    let all = [
        ScanOptions { reverse: true, ..Default::default() },
        ScanOptions { unroll: 2, ..Default::default() },
        ScanOptions { unroll: 3, reverse: true, ..Default::default() },
        ScanOptions { save: Save::Every(2), ..Default::default() },
        ScanOptions { save: Save::Root, ..Default::default() },
        ScanOptions { save: Save::Every(3), reverse: true, ..Default::default() },
    ];
    for (k, options) in all.into_iter().enumerate() {
        let want = lines(|| of(options)(s(0.5)));
        assert_eq!(want.len(), 4, "{k}");
        assert_eq!(lines(|| jit(of(options))(s(0.5))), want, "{k}");
        assert_eq!(lines(|| jit(grad(of(options)))(s(0.5))), want, "{k} grad");
        assert_eq!(lines(|| grad(of(options))(s(0.5))), want, "{k} eager grad");
        assert_eq!(lines(|| jit(grad(grad(of(options))))(s(0.5))), want, "{k} grad grad");
    }
}

#[test]
fn loops_in_segments() {
    for save in [Save::EachStep, Save::Every(2), Save::Root] {
        let f = move |x: Tensor| {
            while_loop_with(|c: Tensor| c.less(30.0), |c: Tensor| noted(c * 1.7, "trip"), x, save)
        };
        let want = lines(|| f(s(1.0)));
        assert!(want.len() > 5);
        assert_eq!(lines(|| jit(f)(s(1.0))), want, "{save:?}");
        assert_eq!(lines(|| jit(grad(f))(s(1.0))), want, "{save:?}");
        assert_eq!(lines(|| grad(f)(s(1.0))), want, "{save:?}");
    }
}

#[test]
fn maps_and_named_axes() {
    let f = |x: Tensor| map(|v: Tensor| noted(v * 2.0, "row"), x).sum();
    let want = ["row 2.0", "row 4.0", "row 6.0", "row 8.0"];
    assert_eq!(lines(|| jit(f)(rows())), want);
    assert_eq!(lines(|| jit(grad(f))(rows())), want);
    let g = vmap(|x: Tensor| {
        let total = noted(psum(&x, "i"), "total");
        noted(x, "x") / total
    })
    .axis_name("i");
    assert_eq!(lines(|| g(Tensor::from([1.0f64, 3.0]))), ["total 4.0", "x 1.0", "x 3.0"]);
    // What no example changes is done once.
    let h = vmap(|x: Tensor, y: Tensor| x + noted(y, "shared")).in_axes([Some(0), None]);
    assert_eq!(lines(|| jit(move |x: Tensor, y: Tensor| h(x, y))(rows(), s(1.0))), ["shared 1.0"]);
    // The inner examples one after the other, and of each the outer ones, as in JAX.
    let nested = vmap(vmap(|x: Tensor| noted(x, "x")));
    let two = Tensor::from([[1.0f64, 2.0], [3.0, 4.0]]);
    assert_eq!(lines(|| nested(two)), ["x 1.0", "x 3.0", "x 2.0", "x 4.0"]);
}

#[test]
fn equations() {
    let f = |a: Tensor| {
        let a = noted(a, "before");
        let b = a.clone();
        let x = fixed_point(move |x: Tensor| (&b / &x + &x) * 0.5, s(1.0), 1e-12);
        noted(x, "after")
    };
    for got in [lines(|| f(s(4.0))), lines(|| jit(f)(s(4.0))), lines(|| jit(grad(f))(s(4.0)))] {
        assert_eq!((got.len(), &got[0][..], &got[1][..9]), (2, "before 4.0", "after 2.0"));
    }
}

#[test]
fn jacobians() {
    let f = |x: Tensor| noted(x.clone(), "x").sin() * x;
    let want = ["x [1.0, 2.0, 3.0, 4.0]"];
    assert_eq!(lines(|| jacrev(f)(rows())), want);
    assert_eq!(lines(|| jit(jacfwd(f))(rows())), want);
    assert_eq!(lines(|| sparse_jacobian(f)(rows())), want);
}

#[test]
fn results_written_over_and_given_away() {
    let f = jit(|x: Tensor| {
        debug_print("{}", &[&x.sum()]);
        let y = &x + 1.0;
        debug_print("{}", &[&y.sum()]);
        check!(x.sum().less(100.0), "too much: {}", x.sum());
        y
    });
    let x = Tensor::ones(&[16], DType::F64);
    assert_eq!(lines(|| f(Tensor::ones(&[16], DType::F64))), ["16.0", "32.0"]);
    let prepared = f.prepare(&(x.clone(),)).unwrap();
    let mut out = prepared.call(&(x.clone(),)).unwrap();
    assert_eq!(lines(|| prepared.call_into(&(x.clone(),), &mut out).unwrap()), ["16.0", "32.0"]);
    let e = prepared.call_into(&(&x * 10.0,), &mut out).unwrap_err();
    assert_eq!(e.message(), "too much: 160.0");
}

#[test]
fn limits_hold_with_callbacks() {
    let limits = Limits { max_steps: Some(2000), ..Limits::default() };
    let f = |n: usize| {
        jit(move |x: Tensor| {
            let step = |_: Tensor, c: Tensor| callback(|x: Tensor| x + 1.0, &c, (c.clone(),));
            fori_loop(0, n as i64, step, x)
        })
        .limits(limits)
    };
    assert_eq!(f(5)(s(0.0)).item::<f64>(), 5.0);
    assert!(f(100_000).try_call((s(0.0),)).unwrap_err().message().contains("max-steps"));
}

#[test]
fn failures_of_all_types() {
    for dtype in [DType::F16, DType::BF16, DType::F32, DType::I8, DType::U64, DType::C64, DType::C128] {
        let f = |x: Tensor| {
            check!(x.not_equal(2.0).all(), "{} has a two", x);
            x
        };
        let x = || Tensor::from([1.0f64, 2.0]).astype(dtype);
        let want = jit(f).try_call((x(),)).unwrap_err().message().to_owned();
        assert!(want.ends_with("has a two"), "{want}");
        let failure = jit(checked(f))(x()).0;
        assert_eq!(failure.get().unwrap_err().message(), want);
    }
    // Nothing fails of nothing.
    let f = |x: Tensor| {
        check!(x.less(0.0), "{}", x);
        debug_print("{}", &[&x]);
        x
    };
    let empty = || Tensor::zeros(&[0], DType::F64);
    assert_eq!(lines(|| jit(f)(empty())), ["[]"]);
    assert!(jit(checked(f))(empty()).0.get().is_ok());
    assert!(jit(vmap(checked(f)))(empty()).0.get().is_ok());
}

#[test]
fn failures_in_rules() {
    let rule = custom_jvp(
        |x: Tensor| {
            check!(x.less(1.0), "body {}", x);
            x
        },
        |(x,), (dx,)| {
            check!(x.less(2.0), "rule {}", x);
            (x, dx)
        },
    );
    let said = |e: Result<Tensor, wengert::Error>| e.unwrap_err().message().to_owned();
    let (a, b) = (rule.clone(), rule.clone());
    assert_eq!(said(jit(move |x: Tensor| a(x)).try_call((s(1.5),))), "body 1.5");
    assert_eq!(said(jit(grad(move |x: Tensor| b(x))).try_call((s(2.5),))), "rule 2.5");
    let back =
        custom_vjp(|x: Tensor| x, |(x,)| (noted(x, "forward"), ()), |(), g: Tensor| (noted(g, "backward"),));
    let b = back.clone();
    assert_eq!(lines(|| jit(grad(move |x: Tensor| b(x) * 3.0))(s(1.0))), ["forward 1.0", "backward 3.0"]);
    assert_eq!(lines(|| grad(move |x: Tensor| back(x) * 3.0)(s(1.0))), ["forward 1.0", "backward 3.0"]);
}

#[test]
fn names_in_nests() {
    let f = |x: Tensor| {
        let inner = |c: Tensor, v: Tensor| (sow("inner", &(c * v)), ());
        let outer = |c: Tensor, v: Tensor| {
            let n = sow("number", &v.astype(DType::I32));
            let (c, ()) = scan(inner, c + n.astype(DType::F64), Tensor::from([1.0f64, 2.0, 3.0]));
            (c, ())
        };
        scan(outer, x, Tensor::from([1.0f64, 2.0])).0
    };
    let (_, values) = jit(reap(f, ["inner", "number"]))(s(0.0));
    assert_eq!(values["inner"].shape(), [2, 3]);
    assert_eq!(values["inner"].to_vec::<f64>(), [1.0, 2.0, 6.0, 8.0, 16.0, 48.0]);
    assert_eq!(values["number"].to_vec::<i32>(), [1, 2]);
    let (_, values) = jit(reap(vmap(vmap(f)), ["inner"]))(Tensor::zeros(&[4, 5], DType::F64));
    assert_eq!(values["inner"].shape().iter().product::<usize>(), 4 * 5 * 2 * 3);
    let (_, values) = jit(vmap(vmap(reap(f, ["inner"]))))(Tensor::zeros(&[4, 5], DType::F64));
    assert_eq!(values["inner"].shape(), [4, 5, 2, 3]);
    let (d, values) = jit(reap(value_and_grad(f), ["inner"]))(s(0.0));
    assert_eq!((d.1.item::<f64>(), values["inner"].shape()), (36.0, &[2usize, 3][..]));
    let (_, t) = jvp(move |x: Tensor| reap(f, ["inner"])(x).1["inner"].clone(), (s(0.0),), (s(1.0),));
    assert_eq!(t.to_vec::<f64>(), [1.0, 2.0, 6.0, 6.0, 12.0, 36.0]);
}

#[test]
fn calls_within_calls() {
    let f = Arc::new(jit(|x: Tensor| noted(x, "inner") * 2.0));
    let g = {
        let f = f.clone();
        jit(move |x: Tensor| {
            let f = f.clone();
            let y = io_callback(move |x: Tensor| f(x), &x, (x.clone(),));
            noted(y, "outer")
        })
    };
    assert_eq!(lines(|| assert_eq!(g(s(2.0)).item::<f64>(), 4.0)), ["inner 2.0", "outer 4.0"]);
    // A parallel program inside of a callback of a parallel program.
    let big = jit(|x: Tensor| {
        let inner = |x: Tensor| jit(|x: Tensor| x.matmul(&x).tanh())(x);
        let y = callback(inner, &x, ((&x * 0.5).sin(),));
        (y.matmul(&x)).sum()
    });
    let x = Tensor::full(&[300, 300], 0.01, DType::F32);
    let inner = (&x * 0.5).sin();
    let want = inner.matmul(&inner).tanh().matmul(&x).sum().item::<f32>();
    assert!((big(x).item::<f32>() - want).abs() < 1e-3 * want.abs());
}

#[test]
fn threads_hear_what_is_theirs() {
    let f = Arc::new(jit(|x: Tensor| {
        let y = fori_loop(0, 50, |_, x: Tensor| noted(x + 1.0, "trip"), x);
        check!(y.less(1e6), "large");
        y
    }));
    let all: Vec<_> = (0..4)
        .map(|k| {
            let f = f.clone();
            std::thread::spawn(move || (k, lines(|| f(s(k as f64 * 1000.0)))))
        })
        .collect();
    for thread in all {
        let (k, got) = thread.join().unwrap();
        let want: Vec<String> =
            (1..=50).map(|n| format!("trip {:?}", k as f64 * 1000.0 + n as f64)).collect();
        assert_eq!(got, want);
    }
}

#[test]
fn stages() {
    let f = |x: Tensor| noted(noted(x, "a").sin(), "b");
    let traced = jit(f).trace((s(0.0),)).unwrap();
    let want = ["a 0.0", "b 0.0"];
    assert_eq!(lines(|| traced.interpret(&[s(0.0)]).unwrap()), want);
    assert_eq!(lines(|| traced.run_eagerly(&[s(0.0)]).unwrap()), want);
    let optimized = traced.optimize().unwrap();
    assert_eq!(lines(|| optimized.lower().unwrap().compile().unwrap().call(&[s(0.0)]).unwrap()), want);
    let back = traced.vjp(&[0], &[0]).unwrap();
    assert_eq!(lines(|| back.lower().unwrap().compile().unwrap().call(&[s(0.0), s(1.0)]).unwrap()), want);
    assert!(traced.to_string().contains("wengert.print"));
    assert!(traced.wengert_list().contains("print"));
    assert!(optimized.lower().unwrap().plan().unwrap().contains("wengert.print"));
}

#[test]
fn a_panic_in_the_middle_leaves_nothing_behind() {
    let calls = Arc::new(Mutex::new(0));
    let f = {
        let calls = calls.clone();
        jit(move |x: Tensor| {
            let calls = calls.clone();
            let step = move |x: Tensor| {
                *calls.lock().unwrap_or_else(|e| e.into_inner()) += 1;
                assert!(x.item::<f64>() < 3.0, "three");
                &x + 1.0
            };
            fori_loop(0, 5, move |_, x: Tensor| io_callback(step.clone(), &x, (x.clone(),)), x)
        })
    };
    for _ in 0..3 {
        let e = f.try_call((s(0.0),)).unwrap_err();
        assert!(e.message().contains("three"), "{e}");
    }
    assert_eq!(*calls.lock().unwrap(), 12);
    assert_eq!(f(s(-2.0)).item::<f64>(), 3.0);
    // A tape made before a trace is not heard again in it.
    let back = wengert::vjp(|x: Tensor| noted(x, "x").sin(), (s(0.0),)).1;
    let g = jit(move |c: Tensor| back.call(c).0);
    assert_eq!(lines(|| assert_eq!(g(s(2.0)).item::<f64>(), 2.0)), [""; 0]);
}

#[test]
fn long_programs_of_checkpoints() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let f = {
        let seen = seen.clone();
        move |x: Tensor| {
            let mut x = x;
            for k in 0..6 {
                let seen = seen.clone();
                let layer = checkpoint(move |x: Tensor| {
                    let seen = seen.clone();
                    debug_callback(move |_: Tensor| seen.lock().unwrap().push(k), (x.sum(),));
                    let noise = io_callback(|x: Tensor| x * 0.0 + 0.5, &x, (stop_gradient(&x),));
                    (x * noise).sin() + 1.0
                });
                x = layer(x);
            }
            x.sum()
        }
    };
    for run in 0..3 {
        match run {
            0 => drop(jit(f.clone())(rows())),
            1 => drop(jit(grad(f.clone()))(rows())),
            _ => drop(grad(f.clone())(rows())),
        }
        assert_eq!(std::mem::take(&mut *seen.lock().unwrap()), [0, 1, 2, 3, 4, 5], "{run}");
    }
}
