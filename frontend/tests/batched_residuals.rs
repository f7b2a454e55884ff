//! What a derivative keeps is chosen for the batch that it is taken in, and tables that are made twice are kept once.

use wengert::{DType, ScanOptions, Tensor, jit, scan_with, stack, value_and_grad, vmap};

/// Two hundred steps of a pendulum by the classical Runge-Kutta method; angle and speed are along the first dimension.
fn swung(state: Tensor) -> Tensor {
    let slope = |s: &Tensor| stack(&[s.get(1), s.get(0).sin() * -9.81], 0);
    let step = move |s: Tensor, ()| {
        let k1 = slope(&s);
        let k2 = slope(&(&s + &k1 * 0.005));
        let k3 = slope(&(&s + &k2 * 0.005));
        let k4 = slope(&(&s + &k3 * 0.01));
        (s + (k1 + k2 * 2.0 + k3 * 2.0 + k4) * (0.01 / 6.0), ())
    };
    scan_with(step, state, (), ScanOptions { length: Some(200), ..ScanOptions::default() }).0.square()
}

fn one(state: Tensor) -> Tensor {
    swung(state).sum()
}

fn all(states: Tensor) -> Tensor {
    swung(states.t()).sum()
}

/// As much memory as where the batch is written by hand, nested batches too.
#[test]
fn a_batch_keeps_what_is_right_for_a_batch() {
    let states = Tensor::linspace(0.1, 1.0, 2000, DType::F64).reshape(&[1000, 2]);
    let memory = |t: Result<wengert::stages::Traced, wengert::Error>| {
        t.and_then(|t| t.lower()).expect("it lowers").program().memory()
    };
    let by_hand = memory(jit(value_and_grad(all)).trace((states.clone(),)));
    let mapped = memory(jit(vmap(value_and_grad(one))).trace((states.clone(),)));
    let nested = vmap(vmap(value_and_grad(one)));
    let nested = memory(jit(nested).trace((states.reshape(&[20, 50, 2]),)));
    for taken in [mapped, nested] {
        assert!(taken as f64 <= 1.05 * by_hand as f64, "{taken} bytes for {by_hand}");
    }
    let (_, g) = jit(vmap(value_and_grad(one)))(states.clone());
    let (_, h) = value_and_grad(all)(states);
    assert!((g - h).abs().max().item::<f64>() < 1e-12);
}

/// A function that makes a table at each call, called twice, computes with one.
#[test]
fn tables_made_twice_are_one() {
    let table = || Tensor::from((0..200).map(|k| f64::from(k % 7)).collect::<Vec<_>>());
    let f = move |x: Tensor| (&x * table()).sin().sum() + (&x * table()).sin().cos().sum();
    let traced = jit(f).trace((Tensor::ones(&[200], DType::F64),)).expect("traces");
    assert_eq!(traced.param_types().len(), 2, "{}", traced.text(false));
    let text = traced.optimize().expect("it is optimized").text(false);
    assert_eq!(text.matches("stablehlo.sine").count(), 1, "{text}");
    // Of other bits, or of another type, it is another one.
    let zeros = |z: f64| Tensor::from(vec![z; 200]);
    let g = move |x: Tensor| (&x / zeros(0.0)).sum() + (x / zeros(-0.0)).sum();
    let traced = jit(g).trace((Tensor::ones(&[200], DType::F64),)).expect("traces");
    assert_eq!(traced.param_types().len(), 3);
}
