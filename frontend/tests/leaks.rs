//! Pullbacks and tracers that leave the trace they belong to work where they can, and explain themselves where they cannot.

use std::sync::{Arc, Mutex};
use wengert::{
    DType, Pullback, Tensor, cond, debug_print, grad, jit, jvp, linear_transpose, linearize, map, scan,
    value_and_grad, vjp, vmap,
};

type Slot<T> = Arc<Mutex<Option<T>>>;

fn one() -> Tensor {
    Tensor::from(1.0f64)
}

fn message(f: impl FnOnce()) -> String {
    let error = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).expect_err("refused");
    error.downcast_ref::<String>().cloned().unwrap_or_else(|| "not a text".into())
}

#[track_caller]
fn explains(said: &str) {
    assert!(said.contains("outside") && said.contains("was kept after the trace ended"), "{said}");
    assert!(said.contains(file!()), "no line: {said}");
    assert!(!said.contains("index out of bounds") && !said.contains("argument"), "{said}");
}

/// A pullback of the sine that has left the `jit` or `grad` it was made in.
fn leaked(under_jit: bool) -> Pullback<(Tensor,), Tensor> {
    let slot: Slot<Pullback<(Tensor,), Tensor>> = Slot::default();
    let inner = slot.clone();
    let f = move |x: Tensor| {
        let (y, pullback) = vjp(|x: Tensor| x.sin(), (x,));
        *inner.lock().unwrap() = Some(pullback);
        y
    };
    match under_jit {
        true => drop(jit(f)(one())),
        false => drop(grad(f)(one())),
    }
    let pullback = slot.lock().unwrap().take();
    pullback.expect("it was put there")
}

#[test]
fn a_pullback_that_left_its_trace_explains_itself() {
    for under_jit in [true, false] {
        let pullback = Arc::new(leaked(under_jit));
        explains(&message(|| drop(pullback.call(one()))));
        let p = pullback.clone();
        explains(&message(move || drop(jit(move |x: Tensor| p.call(x).0)(one()))));
        // Where another function has the number that the pullback's had.
        let p = pullback.clone();
        explains(&message(move || {
            let f = move |x: Tensor| grad(|z: Tensor| z.exp() * 100.0)(x.clone()) * 0.0 + p.call(x).0;
            drop(jit(f)(one()))
        }));
        let p = pullback.clone();
        explains(&message(move || {
            let f = move |x: Tensor| {
                let _ = vjp(|z: Tensor| z.exp() * 100.0, (x.clone(),));
                p.call(x).0
            };
            drop(grad(f)(one()))
        }));
        let p = pullback.clone();
        explains(&message(move || drop(map(move |x: Tensor| p.call(x).0, Tensor::ones(&[2], DType::F64)))));
    }
}

/// What `make` made inside of a transform that has ended: under `jit`, `grad` or `vmap`.
fn left<T: Send + 'static>(under: usize, make: fn(Tensor) -> T) -> T {
    let slot: Slot<T> = Slot::default();
    let inner = slot.clone();
    let f = move |x: Tensor| {
        *inner.lock().unwrap() = Some(make(x.clone()));
        x
    };
    match under {
        0 => drop(jit(f)(one())),
        1 => drop(grad(f)(one())),
        _ => drop(vmap(f)(Tensor::ones(&[2], DType::F64))),
    }
    let made = slot.lock().unwrap().take();
    made.expect("it was put there")
}

/// A function that acts, whose linear part lies in the trace itself.
fn noted(x: Tensor) -> Tensor {
    debug_print!("at {}", x);
    x.sin()
}

#[test]
fn other_linear_functions_that_left_their_trace_explain_themselves() {
    for under in 0..3 {
        let linears = [
            left(under, |x| linearize(|x: Tensor| x.sin(), (x,)).1),
            left(under, |x| linearize(noted, (x,)).1),
        ];
        for linear in linears {
            let (l, m, n) = (linear.clone(), linear.clone(), linear.clone());
            explains(&message(move || drop(l.call((one(),)))));
            explains(&message(move || drop(jit(move |t: Tensor| m.call((t,)))(one()))));
            explains(&message(move || {
                drop(vmap(move |t: Tensor| n.call((t,)))(Tensor::ones(&[2], DType::F64)))
            }));
            let transposed = linear.transpose();
            explains(&message(|| drop(transposed.call(one()))));
            explains(&message(|| drop(transposed.clone().into_once().call(one()))));
        }
        // The values of a linear function do not matter, but what it captures does.
        let transposed = left(under, |x| linear_transpose(move |y: Tensor| y * &x, (one(),)));
        let t = transposed.clone();
        explains(&message(move || drop(t.call(one()))));
        explains(&message(move || drop(jit(move |c: Tensor| transposed.call(c).0)(one()))));
        let once = left(under, |x| vjp(|x: Tensor| x.sin(), (x,)).1.into_once());
        explains(&message(move || drop(once.call(one()))));
        let once = Mutex::new(Some(left(under, |x| vjp(|x: Tensor| x.sin(), (x,)).1.into_once())));
        let again = move |c: Tensor| once.lock().unwrap().take().expect("called once").call(c).0;
        explains(&message(move || drop(grad(again)(one()))));
    }
}

#[test]
fn other_linear_functions_made_before_a_trace_work_in_it() {
    let at = || Tensor::from([1.0f64, 2.0]);
    let rows = [7.0, 1.0, 4.0, 16.0];
    let f = |x: Tensor| &x * &x * x.sum();
    let linear = linearize(f, (at(),)).1;
    let l = linear.clone();
    // Columns of the Jacobian, where pullbacks give rows.
    let columns = vmap(move |t: Tensor| l.call((t,)))(Tensor::eye(2, DType::F64));
    assert_eq!(columns.t().to_vec::<f64>(), rows);
    let l = linear.clone();
    assert_eq!(jit(move |t: Tensor| l.call((t,)))(Tensor::from([0.0f64, 1.0])).to_vec::<f64>(), [1.0, 16.0]);
    let by = at();
    let transposed = linear_transpose(move |x: Tensor| (x * &by).cumsum(0), (at(),));
    let t = transposed.clone();
    assert_eq!(jit(move |c: Tensor| t.call(c).0)(at()).to_vec::<f64>(), [3.0, 4.0]);
    assert_eq!(grad(move |c: Tensor| transposed.call(c).0.sum())(at()).to_vec::<f64>(), [1.0, 3.0]);
    for compiled in [false, true] {
        let once = Mutex::new(Some(vjp(f, (at(),)).1.into_once()));
        let call = move |c: Tensor| once.lock().unwrap().take().expect("called once").call(c).0;
        let got =
            if compiled { jit(call)(Tensor::from([1.0f64, 0.0])) } else { call(Tensor::from([1.0f64, 0.0])) };
        assert_eq!(got.to_vec::<f64>(), rows[..2]);
    }
}

#[test]
fn a_pullback_made_before_a_trace_works_in_it() {
    let pullback = || Arc::new(vjp(|x: Tensor| &x * &x * x.sum(), (Tensor::from([1.0f64, 2.0]),)).1);
    // The Jacobian at (1, 2): d/dx_j of x_i^2 (x_0 + x_1).
    let rows = [7.0, 1.0, 4.0, 16.0];
    let p = pullback();
    assert_eq!(map(move |c: Tensor| p.call(c).0, Tensor::eye(2, DType::F64)).to_vec::<f64>(), rows);
    let p = pullback();
    let f = jit(move |c: Tensor| p.call(c).0);
    assert_eq!(f(Tensor::from([1.0f64, 0.0])).to_vec::<f64>(), rows[..2]);
    assert_eq!(f(Tensor::from([0.0f64, 1.0])).to_vec::<f64>(), rows[2..]);
    // Linear in the cotangent.
    let p = pullback();
    let d = grad(move |c: Tensor| p.call(c).0.sum());
    assert_eq!(d(Tensor::from([1.0f64, 0.0])).to_vec::<f64>(), [8.0, 20.0]);
    // With control flow in its function, and in an inner trace.
    let (_, p) = vjp(
        |x: Tensor| cond(&x.greater(0.0), |x: Tensor| x.exp(), |x: Tensor| -x, x),
        (Tensor::from(0.5f64),),
    );
    let p = Arc::new(p);
    let q = p.clone();
    let twice = jit(move |c: Tensor| {
        let q = q.clone();
        p.call(c.clone()).0
            + scan(
                move |s: Tensor, _: Tensor| (s + q.call(c.clone()).0, ()),
                Tensor::from(0.0f64),
                Tensor::zeros(&[2], DType::F64),
            )
            .0
    });
    assert!((twice(one()).item::<f64>() - 3.0 * 0.5f64.exp()).abs() < 1e-12);
}

#[test]
fn a_pullback_serves_the_inner_traces_of_its_own() {
    let f = |x: Tensor| {
        let (_, pullback) = vjp(|x: Tensor| x.sin() * x.sum(), (x,));
        let pullback = Arc::new(pullback);
        map(move |c: Tensor| pullback.call(c).0, Tensor::eye(3, DType::F64))
    };
    let x = || Tensor::from([1.0f64, 2.0, 3.0]);
    let eager = f(x()).to_vec::<f64>();
    assert_eq!(jit(f)(x()).shape(), [3, 3]);
    let near = |a: Vec<f64>, b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
    assert!(near(jit(f)(x()).to_vec::<f64>(), &eager));
    let d = grad(move |x: Tensor| f(x).sum())(x()).to_vec::<f64>();
    assert!(near(jit(grad(move |x: Tensor| f(x).sum()))(x()).to_vec::<f64>(), &d));
    let inner = |x: Tensor| {
        let (_, pullback) = vjp(|x: Tensor| x.sin(), (x.clone(),));
        let pullback = Arc::new(pullback);
        jit(move |c: Tensor| pullback.call(c).0)(x)
    };
    assert!((jit(inner)(one()).item::<f64>() - 1f64.cos()).abs() < 1e-15);
    assert!((grad(inner)(one()).item::<f64>() - (1f64.cos() - 1f64.sin())).abs() < 1e-15);
}

#[test]
fn a_pullback_does_not_work_on_another_thread_while_its_trace_goes_on() {
    let f = |x: Tensor| {
        let (y, pullback) = vjp(|x: Tensor| x.sin(), (x,));
        let said = std::thread::scope(|s| {
            s.spawn(|| message(|| drop(pullback.call(one())))).join().expect("caught")
        });
        explains(&said);
        y
    };
    jit(f)(one());
}

#[test]
fn a_tracer_that_left_its_trace_explains_itself_wherever_it_goes() {
    let slot: Slot<Tensor> = Slot::default();
    let inner = slot.clone();
    jit(move |x: Tensor| {
        *inner.lock().unwrap() = Some(x.clone());
        x
    })(one());
    let stray = slot.lock().unwrap().take().expect("it was put there");
    let stray = || stray.clone();
    let square = |x: Tensor| &x * &x;
    let s = stray();
    type Use<'a> = Box<dyn FnOnce() + 'a>;
    let uses: Vec<(&str, Use<'_>)> = vec![
        ("an operation", Box::new(|| drop(stray() + 1.0))),
        ("item", Box::new(|| assert_eq!(stray().item::<f64>(), 0.0))),
        ("to_array", Box::new(|| drop(stray().to_array()))),
        ("a jit", Box::new(|| drop(jit(square)(stray())))),
        (
            "a jit with its signature",
            Box::new(|| {
                let f = jit(square);
                f(one());
                drop(f(stray()))
            }),
        ),
        ("grad", Box::new(|| drop(grad(square)(stray())))),
        ("value_and_grad", Box::new(|| drop(value_and_grad(square)(stray())))),
        ("vjp", Box::new(|| drop(vjp(square, (stray(),))))),
        ("jvp", Box::new(|| drop(jvp(square, (stray(),), (one(),))))),
        ("a tangent", Box::new(|| drop(jvp(square, (one(),), (stray(),))))),
        ("a cotangent", Box::new(|| drop(vjp(square, (one(),)).1.call(stray())))),
        ("a capture of grad", Box::new(move || drop(grad(move |x: Tensor| x * &s)(one())))),
        (
            "the carry of a loop",
            Box::new(|| drop(scan(|c: Tensor, _: Tensor| (c, ()), stray(), Tensor::zeros(&[2], DType::F64)))),
        ),
        (
            "a result of jit",
            Box::new({
                let s = stray();
                move || drop(jit(move |_: Tensor| s.clone())(one()))
            }),
        ),
        (
            "an argument of an inner jit",
            Box::new({
                let s = stray();
                move || drop(jit(move |_: Tensor| jit(square)(s.clone()))(one()))
            }),
        ),
    ];
    for (name, run) in uses {
        let said = message(run);
        assert!(said.contains("outside the function it was traced in"), "{name}: {said}");
        assert!(said.contains(file!()), "{name}: no line: {said}");
    }
    // What was prepared says which argument, and what to do.
    let prepared = jit(square).prepare(&(one(),)).expect("compiles");
    let error = prepared.call(&(stray(),)).expect_err("no value").to_string();
    assert!(error.contains("`arg0`") && error.contains("traced"), "{error}");
    let mut out = prepared.call(&(one(),)).expect("runs");
    assert!(prepared.call_into(&(stray(),), &mut out).is_err());
    let error = prepared.call(&(Tensor::from(1.0f32),)).expect_err("another type").to_string();
    assert!(error.contains("`arg0` is tensor<f32>") && error.contains("tensor<f64>"), "{error}");
    let error = message(move || drop(jit(move |x: Tensor| prepared.call(&(x,)).expect("inside jit"))(one())));
    assert!(error.contains("Inside a transform call the `jit`"), "{error}");
    let error =
        jit(move |x: Tensor| jit(square).prepare(&(x.clone(),)).map(|_| x).unwrap_or_else(|e| panic!("{e}")));
    let error = message(|| drop(error(one())));
    assert!(error.contains("inside another transform"), "{error}");
}
