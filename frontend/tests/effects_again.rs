//! What is heard once is heard once where functions are computed again: by reverse passes that keep little, within budgets, and by
//! derivatives of every order.

use std::sync::{Arc, Mutex};
use wengert::effects::prints_of;
use wengert::{
    DType, Save, ScanOptions, Tensor, checked, checkpoint, cond, custom_jvp, custom_root, custom_vjp, grad,
    io_callback, io_callback_unordered, jacfwd, jacrev, jet, jit, jvp, scan, scan_with, stop_gradient,
    value_and_grad, vjp, vmap, while_loop, while_loop_with,
};
use wengert::{check, debug_print};

type Of = fn(Tensor) -> Tensor;

fn s(x: f64) -> Tensor {
    Tensor::from(x)
}

/// What a run prints.
fn lines<R>(f: impl FnOnce() -> R) -> Vec<String> {
    prints_of(f).1
}

/// What a panic said.
fn said(f: impl FnOnce()) -> String {
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).expect_err("it must fail");
    panic.downcast_ref::<String>().expect("a text").clone()
}

fn noted(x: Tensor, name: &str) -> Tensor {
    debug_print(&format!("{name} {{}}"), &[&x]);
    x
}

/// Steps that the reverse pass makes again, from the states it keeps, are not heard again; what a rule does there is.
#[test]
fn steps_that_are_made_again_are_silent() {
    let in_scan = |x: Tensor| {
        let options = ScanOptions { length: Some(5), save: Save::Slots(2), ..ScanOptions::default() };
        scan_with(|c: Tensor, _: ()| (noted(c, "c").sin(), ()), x, (), options).0
    };
    let in_while = |x: Tensor| {
        let step = |(k, c): (Tensor, Tensor)| (k + 1i64, noted(c, "c").sin());
        let less = |(k, _): (Tensor, Tensor)| k.less(5i64);
        while_loop_with(less, step, (Tensor::from(0i64), x), Save::Slots(2)).1
    };
    for f in [in_scan as Of, in_while as Of] {
        let once = lines(|| f(s(0.5)));
        assert_eq!(once.len(), 5);
        assert_eq!(lines(|| grad(f)(s(0.5))), once);
        assert_eq!(lines(|| jit(grad(f))(s(0.5))), once);
        assert_eq!(lines(|| jit(f)(s(0.5))), once);
    }
    let ruled = |x: Tensor| {
        let step = custom_vjp(
            |x: Tensor| noted(x, "forward").sin(),
            |(x,)| (noted(x.clone(), "forward").sin(), x),
            |x: Tensor, g: Tensor| (noted(g, "back") * x.cos(),),
        );
        let options = ScanOptions { length: Some(3), save: Save::Slots(1), ..ScanOptions::default() };
        scan_with(move |c: Tensor, _: ()| (step(c), ()), x, (), options).0
    };
    for got in [lines(|| grad(ruled)(s(0.5))), lines(|| jit(grad(ruled))(s(0.5)))] {
        let of = |word: &str| got.iter().filter(|l| l.starts_with(word)).count();
        assert_eq!((of("forward"), of("back")), (3, 3), "{got:?}");
    }
    let asks = |x: Tensor| {
        let options = ScanOptions { length: Some(3), save: Save::Slots(1), ..ScanOptions::default() };
        let step = |c: Tensor, _: ()| (io_callback(|x: Tensor| x, &c, (stop_gradient(&c),)) * c, ());
        scan_with(step, x, (), options).0
    };
    let e = said(|| drop(grad(asks)(s(0.5))));
    assert!(
        e.contains("`Save::Slots`") && e.contains("call it again") && e.contains("effects_again.rs"),
        "{e}"
    );
}

/// A pullback within a budget computes the function again, and nobody hears it.
#[test]
fn a_pullback_within_a_budget_is_silent() {
    let f = |x: Tensor| noted(x.sin(), "sine") * x;
    let both = move |x: Tensor| {
        let (y, back) = vjp(f, (x,));
        (y.clone(), back.memory_budget(1 << 20).call(Tensor::ones_like(&y)).0)
    };
    let slope = 0.5f64.sin() + 0.5 * 0.5f64.cos();
    let once = lines(|| f(s(0.5)));
    for run in [&both as &dyn Fn(Tensor) -> (Tensor, Tensor), &*jit(both)] {
        let ((_, d), heard) = prints_of(|| run(s(0.5)));
        assert_eq!(heard, once);
        assert!((d.item::<f64>() - slope).abs() < 1e-15);
    }
    // Recorded outside of the trace it is called in, with a rule that is heard in the reverse pass.
    let ruled = custom_vjp(
        |x: Tensor| noted(x, "there").sin(),
        |(x,)| (noted(x.clone(), "there").sin(), x),
        |x: Tensor, g: Tensor| (noted(g, "back") * x.cos(),),
    );
    for budget in [false, true] {
        let heard = lines(|| {
            let (_, back) = vjp(ruled.clone(), (s(0.5),));
            let back = if budget { back.memory_budget(1 << 20) } else { back };
            jit(move |g: Tensor| back.call(g).0)(s(1.0))
        });
        assert_eq!(heard, ["there 0.5", "back 1.0"], "{budget}");
    }
    let g = || grad(f).memory_budget(1 << 20);
    assert_eq!(lines(|| g()(s(0.5))), once);
    assert_eq!(lines(|| jit(g())(s(0.5))), once);
    let asks = |x: Tensor| io_callback(|x: Tensor| x, &x, (stop_gradient(&x),)) * x.sin();
    let d = move |x: Tensor| {
        let (y, back) = vjp(asks, (x,));
        back.memory_budget(1 << 20).call(Tensor::ones_like(&y)).0
    };
    let e = said(|| drop(jit(d)(s(0.5))));
    assert!(e.contains("within a memory budget") && e.contains("effects_again.rs"), "{e}");
    // What the host gave when the function was recorded is what its derivative is of.
    let calls = Arc::new(Mutex::new(0.0f64));
    let counted = {
        let calls = calls.clone();
        move |x: Tensor| {
            let calls = calls.clone();
            let next = move |_: Tensor| {
                *calls.lock().unwrap() += 1.0;
                s(*calls.lock().unwrap())
            };
            io_callback(next, &x, (stop_gradient(&x),)) * x
        }
    };
    let (y, back) = vjp(counted, (s(2.0),));
    let d = back.memory_budget(1 << 20).call(s(1.0)).0;
    assert_eq!((y.item::<f64>(), d.item::<f64>(), *calls.lock().unwrap()), (2.0, 1.0, 1.0));
}

/// The order in which a budget lets a derivative be computed is no order of what is seen.
#[test]
fn effects_keep_their_order_within_a_budget() {
    let f = |x: Tensor| {
        let large = x.exp();
        let mut y = x;
        for _ in 0..6 {
            y = y.matmul(&y).sin();
        }
        debug_print!("first {}", y.sum());
        debug_print!("second {}", large);
        y = y.matmul(&y).sin();
        debug_print!("third {}", y.sum());
        y.sum() + large.sum()
    };
    let x = || (Tensor::arange(256, DType::F64).reshape(&[16, 16]) * 0.01).sin();
    let plain = jit(grad(f));
    let unlimited = plain.trace((x(),)).unwrap().lower().unwrap().program().memory();
    let mut met = 0;
    for part in (40..100).step_by(4) {
        let within = jit(grad(f).memory_budget(unlimited * part / 100));
        let (ran, heard) = prints_of(|| within.try_call((x(),)));
        if ran.is_ok() {
            met += 1;
            let words: Vec<&str> = heard.iter().map(|l| l.split(' ').next().unwrap()).collect();
            assert_eq!(words, ["first", "second", "third"], "{part}");
        }
    }
    assert!(met > 3, "{met}");
}

/// What the reverse pass says is heard also where the function has said the like, and took nothing from it.
#[test]
fn the_reverse_pass_is_heard() {
    let ruled = custom_vjp(
        |x: Tensor| noted(x, "v").sin(),
        |(x,)| (x.sin(), x),
        |x: Tensor, g: Tensor| (noted(g, "v") * x.cos(),),
    );
    let f = move |x: Tensor| noted(ruled(noted(x, "before")), "after") * 3.0;
    let heard = lines(|| grad(f.clone())(s(0.0)));
    assert_eq!(heard, ["before 0.0", "v 0.0", "after 0.0", "v 3.0"]);
    let both = move |x: Tensor| f(x.clone()) + f(x);
    let want = ["before 0.0", "v 0.0", "after 0.0", "before 0.0", "v 0.0", "after 0.0", "v 3.0", "v 3.0"];
    assert_eq!(lines(|| grad(both)(s(0.0))), want);
}

/// A failure has a value wherever its tensors have.
#[test]
fn a_failure_is_read_where_it_has_a_value() {
    let f = |x: Tensor| {
        check!(x.greater(0.0), "the root of {}", x);
        x.sqrt()
    };
    let g = move |x: Tensor| {
        let (failure, y) = checked(f)(x);
        match failure.get() {
            Ok(()) => y,
            Err(e) => panic!("{}", e.message()),
        }
    };
    assert_eq!(grad(g)(s(4.0)).item::<f64>(), 0.25);
    assert!(said(|| drop(grad(g)(s(-4.0)))).contains("the root of -4.0"));
    assert!(said(|| drop(jit(g)(s(4.0)))).contains("`get` needs the value"));
}

/// Taylor mode runs a function once, as forward mode does, and not what defines a solution.
#[test]
fn jets_are_heard_once() {
    let ruled = custom_jvp(
        |x: Tensor| noted(x, "function").sin(),
        |(x,), (dx,)| (noted(x.clone(), "rule").sin(), dx * x.cos()),
    );
    // The solution is known: no solver asks the equation.
    let solved = |x: Tensor| {
        let root = stop_gradient(&x).sqrt();
        let equation = move |y: Tensor| noted(y.square(), "equation") - &x;
        custom_root(equation, root, |_, y| y, |j, b| &b / j(b.ones_like()))
    };
    let at = || (s(0.5),);
    let forward = jit({
        let ruled = ruled.clone();
        move |x: Tensor| jvp(ruled.clone(), (x,), (s(1.0),)).1
    });
    assert_eq!(lines(|| forward(s(0.5))), ["rule 0.5"]);
    // The equation of the tangents is the equation's derivative: it is heard as often as a solver asks it, here once.
    let asked = |order: usize| {
        let heard = lines(|| {
            jit(move |x: Tensor| jet(solved, (x,), &vec![(s(1.0),); order]).1.pop().unwrap())(s(0.25))
        });
        heard.len()
    };
    let forward = lines(|| jit(move |x: Tensor| jvp(solved, (x,), (s(1.0),)).1)(s(0.25))).len();
    assert_eq!((asked(1), asked(2), asked(3)), (forward, 2 * forward, 3 * forward));
    assert!(forward <= 1, "{forward}");
    for order in 1..4 {
        let series = move || vec![(s(1.0),); order];
        let (r, here) = (ruled.clone(), series);
        assert_eq!(lines(|| jit(move |x: Tensor| jet(r.clone(), (x,), &here()).1)(s(0.5))), ["rule 0.5"]);
        let (_, terms) = jet(ruled.clone(), at(), &series());
        assert!((terms[0].item::<f64>() - 0.5f64.cos()).abs() < 1e-15);
    }
    let seen = custom_jvp(
        |x: Tensor| x,
        |(x,), (dx,)| {
            debug_print!("{}", dx);
            (x, dx)
        },
    );
    let e = said(|| drop(jet(seen.clone(), at(), &[(s(1.0),), (s(0.0),)])));
    assert!(e.contains("tangent") && e.contains("effects_again.rs"), "{e}");
}

/// A condition is asked once more than there are trips; what it checks is told of in the order of the program, beside what the body checks.
#[test]
fn conditions_of_loops_check() {
    fn f(x: Tensor) -> Tensor {
        // What a condition captures goes through its checks, too.
        let most = &x * 0.0 + 5.0;
        let (y, n) = while_loop(
            move |(c, n): (Tensor, Tensor)| {
                check!(c.less(&most), "{} after {}", c, n);
                check!(n.less(4), "{} trips", n);
                c.less(3.0)
            },
            |(c, n): (Tensor, Tensor)| {
                check!(c.not_equal(-7.0), "{} in a trip", c);
                let next = c.less(1.0).select(&(&c + 1.0), &(&c * 3.0));
                (next, n + 1)
            },
            (x, Tensor::from(0i32)),
        );
        y * (n + 1)
    }
    for (x, want) in [
        (0.5, None),
        (1.25, None),
        (6.0, Some("6.0 after 0")),
        (2.0, Some("6.0 after 1")),
        (-2.5, Some("4 trips")),
        (-7.0, Some("-7.0 in a trip")),
        (-8.5, Some("4 trips")),
    ] {
        let x = Tensor::from(x);
        let batch = x.reshape(&[1]);
        let differentiated = jit(value_and_grad(|x: Tensor| {
            let (failure, y) = checked(f)(x);
            (y, failure)
        })
        .aux());
        let all = [
            checked(f)(x.clone()).0,
            jit(checked(f))(x.clone()).0,
            vmap(checked(f))(batch.clone()).0,
            checked(vmap(f))(batch).0,
            jit(checked(checkpoint(f)))(x.clone()).0,
            differentiated(x.clone()).0.1,
        ];
        for (k, failure) in all.iter().enumerate() {
            let message = failure.get().err().map(|e| e.message().replace(" (example 0)", ""));
            assert_eq!(message.as_deref(), want, "{x} {k}");
        }
        let stopped = jit(f).try_call((x.clone(),)).err().map(|e| e.message().to_owned());
        assert_eq!(stopped.as_deref(), want, "{x}");
        if want.is_none() {
            assert_eq!(checked(f)(x.clone()).1.item::<f64>(), f(x.clone()).item::<f64>());
            let slope = jit(grad(|x: Tensor| checked(f)(x).1))(x.clone()).item::<f64>();
            assert_eq!(slope, grad(f)(x).item::<f64>());
        }
    }
    // Examples fail on their own.
    let (failure, y) = jit(vmap(checked(f)))(Tensor::from([0.5f64, 6.0, 1.25]));
    assert_eq!(failure.failed().to_vec::<bool>(), [false, true, false]);
    assert_eq!(y.get(0).item::<f64>(), f(Tensor::from(0.5f64)).item::<f64>());
    assert_eq!(y.get(2).item::<f64>(), f(Tensor::from(1.25f64)).item::<f64>());
}

/// What may be called in any order is called for each example, as often as each says.
#[test]
fn unordered_calls_are_made_for_each_example() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let heard = |f: &dyn Fn() -> Tensor| {
        let y = f().to_vec::<f64>();
        let mut all: Vec<f64> = std::mem::take(&mut *seen.lock().unwrap());
        all.sort_by(f64::total_cmp);
        (y, all)
    };
    let ask = {
        let seen = seen.clone();
        move |x: &Tensor| {
            let seen = seen.clone();
            let f = move |x: Tensor| {
                seen.lock().unwrap().push(x.item::<f64>());
                &x * 10.0
            };
            io_callback_unordered(f, x, (stop_gradient(x),))
        }
    };
    let x = || Tensor::from([3.0f64, 1.0, 2.0]);
    let one = {
        let ask = ask.clone();
        move |x: Tensor| ask(&x) * &x
    };
    let wanted = (vec![90.0, 10.0, 40.0], vec![1.0, 2.0, 3.0]);
    assert_eq!(heard(&|| vmap(one.clone())(x())), wanted);
    assert_eq!(heard(&|| jit(vmap(one.clone()))(x())), wanted);
    let pairs = || Tensor::from([[3.0f64], [1.0], [2.0]]);
    assert_eq!(heard(&|| jit(vmap(vmap(one.clone())))(pairs())), wanted);
    assert_eq!(heard(&|| jit(vmap(one.clone()))(x().get(..0))), (vec![], vec![]));
    // The forward pass calls, once.
    let slopes = (vec![30.0, 10.0, 20.0], vec![1.0, 2.0, 3.0]);
    assert_eq!(heard(&|| jit(vmap(grad(one.clone())))(x())), slopes);
    let sum = move |x: Tensor| vmap(one.clone())(x).sum();
    assert_eq!(heard(&|| grad(sum.clone())(x())), slopes);
    // What is the same for all is asked once.
    let shared = {
        let ask = ask.clone();
        move |x: Tensor| ask(&Tensor::from(7.0f64)) + x
    };
    assert_eq!(heard(&|| jit(vmap(shared.clone()))(x())), (vec![73.0, 71.0, 72.0], vec![7.0]));
    let walk = {
        let ask = ask.clone();
        move |x: Tensor| {
            let ask = ask.clone();
            let step = move |c: Tensor, v: Tensor| (ask(&c) / 10.0 + v, ());
            scan(step, x, Tensor::from([1.0f64, 1.0])).0
        }
    };
    let (y, all) = heard(&|| jit(vmap(walk.clone()))(x()));
    assert_eq!((y, all), (vec![5.0, 3.0, 4.0], vec![1.0, 2.0, 2.0, 3.0, 3.0, 4.0]));
    // Only where an example goes there.
    let branches = {
        let ask = ask.clone();
        move |x: Tensor| {
            let ask = ask.clone();
            cond(&x.greater(1.5), move |x: Tensor| ask(&x), |x: Tensor| x, x)
        }
    };
    assert_eq!(heard(&|| jit(vmap(branches.clone()))(x())), (vec![30.0, 1.0, 20.0], vec![2.0, 3.0]));
    let until = move |x: Tensor| {
        let ask = ask.clone();
        while_loop(|c: Tensor| c.less(3.0), move |c: Tensor| ask(&c) / 10.0 + 1.0, x)
    };
    assert_eq!(heard(&|| jit(vmap(until.clone()))(x())), (vec![3.0, 3.0, 3.0], vec![1.0, 2.0, 2.0]));
}

/// A Jacobian of a loop of unknown trips has its function run once, whatever it is by.
#[test]
fn jacobians_of_dynamic_loops_are_heard_once() {
    let f = |x: Tensor| {
        let x = noted(x, "x");
        let y = while_loop(|y: Tensor| y.sum().less(9.0), |y: Tensor| y.exp(), x);
        (y.sum(), y.square())
    };
    let x = || Tensor::from([0.1f64, 0.2]);
    let once = lines(|| f(x()));
    assert_eq!(once.len(), 1);
    assert_eq!(lines(|| jacrev(f)(x())), once);
    assert_eq!(lines(|| jacfwd(f).chunk_size(1)(x())), once);
    assert_eq!(lines(|| jit(jacrev(f))(x())), once);
}

/// What acts belongs to a tape, also where all that it is given is constant.
#[test]
fn tapes_keep_effects_of_constants() {
    let f = |x: Tensor| {
        debug_print!("called");
        &x * 2.0
    };
    let (_, tape) = wengert::tape::Tape::record(f, (s(1.0),));
    assert_eq!(lines(|| tape.replay((s(2.0),)).expect("the same way")), ["called"]);
    assert_eq!(lines(|| tape.jit()(s(2.0))), ["called"]);
    let often = wengert::tape::adaptive(f);
    assert_eq!(lines(|| [often(s(1.0)), often(s(2.0))]).len(), 2);
}
