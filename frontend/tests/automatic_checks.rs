//! `checked(f).nans()`, `.division()`, `.indices()`: where nobody wrote a check, the operation that goes wrong first is named, in
//! whatever it is, with its operands and the user's line, and results are as without.

use wengert::{
    ARG1, DType, OutOfRange, Tensor, checked, checkpoint, cond, custom_jvp, fori_loop, grad, hessian, jit,
    jvp, scan, value_and_grad, vmap, while_loop,
};

fn s(x: f64) -> Tensor {
    Tensor::from(x)
}

/// What `f`, checked for everything, says at `x`; eagerly and compiled it is the same, and so is the result.
#[track_caller]
fn said(f: impl Fn(Tensor) -> Tensor + Send + Sync + Copy + 'static, x: Tensor) -> String {
    let plain = jit(f)(x.clone());
    let all = checked(f).everything();
    let compiled = jit(all.clone())(x.clone());
    let eager = all(x);
    let text = |(failure, y): (wengert::Failure, Tensor)| {
        assert_eq!(format!("{y}"), format!("{plain}"), "the result is that of the function");
        match failure.get() {
            Ok(()) => {
                assert!(!failure.failed().item::<bool>());
                String::new()
            }
            Err(e) => {
                assert_eq!(e.location().map(|l| l.file()), Some(file!()), "{e}");
                e.message().to_string()
            }
        }
    };
    let eager = text(eager);
    assert_eq!(text(compiled), eager);
    eager
}

#[test]
fn the_operation_is_named_with_its_operands() {
    assert_eq!(said(|x| x.log(), s(-1.0)), "stablehlo.log made a NaN of -1.0");
    assert_eq!(said(|x| x.log(), s(1.0)), "");
    let x = || Tensor::from([[1.0f32, 4.0], [-9.0, 0.0]]);
    assert_eq!(said(|x| x.sqrt(), x()), "stablehlo.sqrt made a NaN of -9.0 (element [1, 0])");
    // Infinity less infinity, in a reduction too.
    let x = || Tensor::from([f64::INFINITY, 1.0, f64::NEG_INFINITY]);
    assert_eq!(said(|x| x.sum(), x()), "stablehlo.reduce made a NaN");
    let minus = |x: Tensor| &x * 10.0 - &x * 10.0;
    assert_eq!(said(minus, s(1e308)), "stablehlo.subtract made a NaN of inf and inf");
    assert_eq!(
        said(
            |x| x.matmul(&Tensor::from([[f64::INFINITY], [1.0]])),
            Tensor::from([[1.0f64, 2.0], [0.0, 1.0]])
        ),
        "stablehlo.dot_general made a NaN (element [1, 0])"
    );
    // Complex numbers, and what makes none.
    let z = |x: Tensor| (Tensor::complex(&x, &x) / Tensor::complex(&(&x * 0.0), &(&x * 0.0))).real();
    assert_eq!(said(z, s(1.0)), "stablehlo.divide of 1.0+1.0i by zero");
    let sign = |x: Tensor| Tensor::complex(&x.zeros_like(), &x).sign().real();
    assert_eq!(said(sign, s(f64::INFINITY)), "stablehlo.sign made a NaN of 0.0+infi");
    let kept = |x: Tensor| x.is_nan().select(x.zeros_like(), &x).maximum(x.zeros_like());
    assert_eq!(said(kept, s(f64::NAN)), "");
    // A NaN that comes in is nobody's.
    assert_eq!(said(|x| x.sin() * 2.0, s(f64::NAN)), "");
}

#[test]
fn divisors_and_places() {
    assert_eq!(
        said(|x| x.ones_like().floor_divide(&x), Tensor::from(0i32)),
        "stablehlo.remainder of 1 by zero"
    );
    assert_eq!(said(|x| 3 / x, Tensor::from(2i32)), "");
    assert_eq!(said(|x| &x / 2.0, s(0.0)), "");
    assert_eq!(said(|x| &x / 0.0, s(5.0)), "stablehlo.divide of 5.0 by zero");
    assert_eq!(
        said(|x| 1.0 / x, Tensor::from([[1.0f64, 2.0, 0.0], [3.0, 0.0, 1.0]])),
        "stablehlo.divide of 1.0 by zero (element [0, 2])"
    );
    let take = |i: Tensor| Tensor::arange(5, DType::F64).take(&i, 0);
    let gather = "stablehlo.gather: index";
    let of = "is out of bounds for dimension 0 of tensor<5xf64>";
    assert_eq!(said(take, Tensor::from([0i32, -1, 4])), "");
    assert_eq!(said(take, Tensor::from([0i32, 5, 9])), format!("{gather} 5 {of} (element [1])"));
    assert_eq!(said(take, Tensor::from(-6i64)), format!("{gather} -1 {of}"));
    let clipped = |i: Tensor| Tensor::arange(5, DType::F64).take_with(&i, 0, OutOfRange::Clip);
    assert_eq!(said(clipped, Tensor::from(2i32)), "");
    let slice = |i: Tensor| {
        Tensor::arange(12, DType::F32).reshape(&[3, 4]).dynamic_slice(&[&Tensor::from(0i32), &i], &[3, 2])
    };
    assert_eq!(said(slice, Tensor::from(2i32)), "");
    assert_eq!(
        said(slice, Tensor::from(3i32)),
        "stablehlo.dynamic_slice: index 3 is out of bounds for dimension 1 of tensor<3x4xf32>, from which slices of 2 are taken"
    );
    let update =
        |i: Tensor| Tensor::arange(4, DType::F32).dynamic_update_slice(&Tensor::from([7.0f32]), &[&i]);
    assert_eq!(said(update, Tensor::from(3u32)), "");
    assert_eq!(
        said(update, Tensor::from(4u32)),
        "stablehlo.dynamic_update_slice: index 4 is out of bounds for dimension 0 of tensor<4xf32>"
    );
    let add = |i: Tensor| Tensor::zeros(&[3], DType::F64).at_rows(&i).add(i.astype(DType::F64));
    assert_eq!(said(add, Tensor::from([0i32, 2])), "");
    assert_eq!(
        said(add, Tensor::from([0i32, 3])),
        "stablehlo.scatter: index 3 is out of bounds for dimension 0 of tensor<3xf64> (element [1])"
    );
    let nowhere = |i: Tensor| Tensor::zeros(&[0], DType::F64).at_rows(&i).add(i.astype(DType::F64));
    assert_eq!(
        said(nowhere, Tensor::from([0i32])),
        "stablehlo.scatter: index 0 is out of bounds for dimension 0 of tensor<0xf64> (element [0])"
    );
    // Nothing is nowhere.
    assert_eq!(said(take, Tensor::zeros(&[0], DType::I32)), "");
}

#[test]
fn what_runs_is_looked_into() {
    let branch = |x: Tensor| cond(&x.less(0.0), |x: Tensor| x.log(), |x: Tensor| x.sqrt(), x);
    assert_eq!(said(branch, s(4.0)), "");
    assert_eq!(said(branch, s(-4.0)), "stablehlo.log made a NaN of -4.0");
    let step = |c: Tensor, x: Tensor| {
        let c = (c - x).sqrt();
        (c.clone(), c)
    };
    let walk = move |x: Tensor| scan(step, x, Tensor::from([0.0f64, 1.0, 9.0, 1.0])).0;
    assert_eq!(said(walk, s(16.0)), format!("stablehlo.sqrt made a NaN of {:?}", 3f64.sqrt() - 9.0));
    let search = |x: Tensor| while_loop(|x: Tensor| x.log().less(1.0), |x: Tensor| x * 2.0 - 1.0, x);
    assert_eq!(said(search, s(1.5)), "");
    assert_eq!(said(search, s(-2.0)), "stablehlo.log made a NaN of -2.0");
    let count = |x: Tensor| fori_loop(0, 5, |i, c: Tensor| c + Tensor::from(6i32).floor_divide(3 - i), x);
    assert_eq!(said(count, Tensor::from(0i32)), "stablehlo.remainder of 6 by zero");
    assert_eq!(said(|x| checkpoint(|x: Tensor| x.log())(x), s(-1.0)), "stablehlo.log made a NaN of -1.0");
    assert_eq!(said(|x| jit(|x: Tensor| x.log())(x), s(-1.0)), "stablehlo.log made a NaN of -1.0");
    let ruled = |x: Tensor| custom_jvp(|x: Tensor| x.log(), |(x,), (dx,): (Tensor,)| (x.log(), dx / x))(x);
    assert_eq!(said(ruled, s(-1.0)), "stablehlo.log made a NaN of -1.0");
    // A solver is asked for what comes of it.
    let solve = |x: Tensor| wengert::linalg::cholesky(&x).sum();
    assert_eq!(
        said(solve, Tensor::from([[1.0f64, 2.0], [2.0, 1.0]])).split(" (").next(),
        Some("stablehlo.cholesky made a NaN")
    );
}

#[test]
fn derivatives_are_checked_from_outside() {
    // The root of zero has a value, and its derivative has none.
    let f = |x: Tensor| (x * 0.0).sqrt();
    assert_eq!(said(f, s(1.0)), "");
    let from_outside = move |x: Tensor| grad(f)(x);
    assert!(!said(from_outside, s(1.0)).is_empty());
    // From inside the derivative is that of the function, and not looked at.
    let ((failure, y), dx) = jit(move |x: Tensor| {
        let out = checked(f).everything()(x.clone());
        (out, grad(move |x: Tensor| checked(f).everything()(x).1)(x))
    })(s(4.0));
    failure.get().unwrap();
    assert!(y.item::<f64>() == 0.0 && dx.item::<f64>().is_nan());
    let g = |x: Tensor| x.log() / (&x - 1.0);
    let (_, dy) = jvp(checked(g).everything(), (s(2.0),), (s(1.0),));
    let (_, want) = jvp(g, (s(2.0),), (s(1.0),));
    assert_eq!(dy.1.item::<f64>(), want.item::<f64>());
    let h = hessian(move |x: Tensor| checked(g).everything()(x).1)(s(2.0));
    assert_eq!(h.item::<f64>(), hessian(g)(s(2.0)).item::<f64>());
}

#[test]
fn examples_of_a_batch_fail_for_themselves() {
    let f = |x: Tensor, i: Tensor| Tensor::arange(3, DType::F64).take(&i, 0) / x;
    let (failure, _) =
        jit(vmap(checked(f).everything()))(Tensor::from([1.0f64, 0.0, 2.0]), Tensor::from([0i32, 1, 7]));
    assert_eq!(failure.failed().to_vec::<bool>(), [false, true, true]);
    assert_eq!(failure.get().unwrap_err().message(), "stablehlo.divide of 1.0 by zero (example 1)");
    let (failure, _) =
        checked(vmap(f)).everything()(Tensor::from([1.0f64, 0.0, 2.0]), Tensor::from([0i32, 1, 7]));
    let message = "stablehlo.gather: index 7 is out of bounds for dimension 0 of tensor<3xf64> (element [2])";
    assert_eq!(failure.get().unwrap_err().message(), message);
}

#[test]
fn only_what_is_asked_for_is_checked() {
    let f =
        |x: Tensor| 0.0 / &x + Tensor::arange(2, DType::F64).take(&x.astype(DType::I32).clone(), 0).sqrt();
    let at = || s(0.0);
    let told =
        |f: wengert::Checked<(Tensor,), Tensor>| f(at()).0.get().err().map(|e| e.message().to_string());
    assert_eq!(told(checked(f)), None);
    assert_eq!(told(checked(f).indices()), None);
    assert_eq!(told(checked(f).nans()).as_deref(), Some("stablehlo.divide made a NaN of 0.0 and 0.0"));
    assert_eq!(told(checked(f).division()).as_deref(), Some("stablehlo.divide of 0.0 by zero"));
    assert_eq!(told(checked(f).nans().division()).as_deref(), Some("stablehlo.divide of 0.0 by zero"));
    // With checks of the user's the first of all is told of.
    let g = |x: Tensor| {
        wengert::check!(x.less(10.0), "too large");
        x.log()
    };
    let message = |x: f64| checked(g).nans()(s(x)).0.get().unwrap_err().message().to_string();
    assert_eq!(
        (message(-1.0).as_str(), message(11.0).as_str()),
        ("stablehlo.log made a NaN of -1.0", "too large")
    );
}

#[test]
fn a_training_step_is_checked_as_a_whole() {
    let loss = |w: Tensor, x: Tensor| (x.matmul(&w).exp().sum_axis(1).log()).mean();
    let step = jit(checked(value_and_grad(loss).wrt(ARG1)).everything());
    let w = || Tensor::from([[0.5f32, -1.0], [2.0, 0.25]]);
    let (failure, (value, _)) = step(w(), Tensor::from([[1.0f32, 2.0]]));
    failure.get().unwrap();
    assert!(value.item::<f32>().is_finite());
    // e^1000 is infinite, and what the gradient makes of it is infinity by infinity.
    let (failure, _) = step(w(), Tensor::from([[1000.0f32, 2000.0]]));
    let error = failure.get().unwrap_err();
    assert!(error.message().contains("made a NaN"), "{error}");
}

/// What failed is told of the example it is of, wherever the examples are.
#[test]
fn examples_may_lie_elsewhere() {
    let f = checked(|x: Tensor| {
        wengert::check!(x.sum().less(10.0), "of {}", x);
        x
    });
    let x = || Tensor::from([[1.0f64, 2.0, 3.0], [7.0, 8.0, 9.0]]);
    for axis in [0, -1] {
        let (failure, _) = vmap(f.clone()).out_axes(axis)(x());
        let message = failure.get().expect_err("24 is more").message().to_owned();
        assert!(message.contains("[7.0, 8.0, 9.0]") && message.contains("example 1"), "{message}");
    }
}
