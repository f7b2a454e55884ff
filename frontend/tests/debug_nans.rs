//! What made the first NaN is named, with the user's line, in all modes; what makes none is left alone.

use std::panic::{AssertUnwindSafe, catch_unwind};
use wengert::{DType, Tensor, debug_infs, debug_nans, grad, jit, scan, vmap};

fn said(f: impl FnOnce() -> Tensor) -> String {
    let caught = catch_unwind(AssertUnwindSafe(f)).map(|t| t.to_string()).expect_err("it fails");
    caught.downcast_ref::<String>().cloned().unwrap_or_default()
}

#[track_caller]
fn names(message: &str, parts: &[&str]) {
    parts.iter().for_each(|part| assert!(message.contains(part), "{part} in {message}"));
}

#[test]
fn the_first_operation_is_named() {
    let x = || Tensor::from([[1.0f64, 4.0], [-9.0, 0.0]]);
    let line = line!() + 1;
    let f = debug_nans(|x: Tensor| x.sqrt().exp().sum());
    let here = format!("debug_nans.rs:{line}:");
    let parts = [
        "stablehlo.sqrt made a NaN, element [1, 0]: of -9",
        "operands: tensor<2x2xf64>",
        &here,
        "in `debug_nans`",
    ];
    names(&said(|| f(x())), &parts);
    // A quotient of zeros, of complex numbers, of halves.
    let f = debug_nans(|x: Tensor| (&x / x.abs()).sum());
    names(&said(|| f(x())), &["stablehlo.divide made a NaN, element [1, 1]: of 0 and 0"]);
    let f = debug_nans(|x: Tensor| (&x / &x).sum().real());
    names(
        &said(|| f(x().astype(DType::C64))),
        &["stablehlo.divide made a NaN, element [1, 1]: of (0, 0) and (0, 0)"],
    );
    names(&said(|| f(x().astype(DType::BF16).astype(DType::C64))), &["stablehlo.divide"]);
    let f = debug_nans(|x: Tensor| x.log().sum());
    names(&said(|| f(x().astype(DType::F16))), &["made a NaN", "tensor<2x2xf16>"]);
    // It was there before.
    names(&said(|| f(x() * f64::NAN)), &["the result has a NaN, and so has argument 0"]);
}

#[test]
fn in_reverse_in_loops_and_in_batches() {
    let x = || Tensor::from([1.0f64, 0.0, 2.0]);
    let line = line!() + 1;
    let slope = debug_nans(grad(|x: Tensor| {
        x.square().sum_axes(&[0]).sqrt() * 0.0 + (x.get(1) * 2.0).sqrt() * x.get(1)
    }));
    names(&said(|| slope(x())), &["made a NaN", "inf", &format!("debug_nans.rs:{line}:")]);
    let loops = debug_nans(|x: Tensor| scan(|c: Tensor, v: Tensor| (&c / v, c), Tensor::from(0.0f64), x).0);
    names(&said(|| loops(x())), &["stablehlo.divide made a NaN: of 0 and 0"]);
    let batch = debug_nans(vmap(|x: Tensor| (x.log() * &x).sum()));
    names(
        &said(|| batch(x().reshape(&[3, 1]))),
        &["stablehlo.multiply made a NaN, element [1, 0]: of -inf and 0"],
    );
}

#[test]
fn infinities_are_looked_for_where_they_are_asked_for() {
    let f = |x: Tensor| 1.0 / x;
    assert_eq!(debug_nans(f)(Tensor::from(0.0f64)).item::<f64>(), f64::INFINITY);
    let found = said(|| debug_infs(f)(Tensor::from([2.0f64, 0.0])));
    names(&found, &["stablehlo.divide made an infinity or NaN, element [1]: of 1 and 0"]);
}

#[test]
fn what_is_finite_is_left_alone() {
    let captured = Tensor::linspace(0.0, 1.0, 100_000, DType::F64);
    let f = move |x: Tensor| (&x * &captured).sin().sum();
    let x = || Tensor::from(0.5f64);
    let want = jit(grad(f.clone()))(x()).item::<f64>();
    assert_eq!(debug_nans(grad(f.clone()))(x()).item::<f64>(), want);
    // Inside another transform it is the function.
    let twice = jit(grad(debug_nans(f.clone())))(x()).item::<f64>();
    assert_eq!(twice, want);
    // Masked values that are NaN on the way only are not looked for.
    let masked = |x: Tensor| x.greater(0.0).select(x.log(), x.zeros_like()).sum();
    assert_eq!(debug_nans(masked)(Tensor::from([-1.0f64, 1.0])).item::<f64>(), 0.0);
    // Large captured tensors are arguments of the program.
    let found = said(|| debug_nans(f)(Tensor::from(f64::INFINITY)));
    names(&found, &["made a NaN, element [0]: of"]);
}
