//! Derivatives that compare a value with what was made of it: the comparison comes out alike wherever it is made, in every
//! float mode, in loops whose reverse pass computes values again.

use wengert::{DType, FloatMode, Tensor, grad, jit, scan};

const ROWS: usize = 200;
const COLUMNS: usize = 10;

/// Numbers whose products round.
fn numbers(shape: &[usize], step: f64, dtype: DType) -> Tensor {
    let n: usize = shape.iter().product();
    let shape: Vec<isize> = shape.iter().map(|&n| n as isize).collect();
    ((Tensor::arange(n, DType::F64) * step).sin() * 1.7).reshape(&shape).astype(dtype)
}

/// How far derivatives in a mode are from those in exact arithmetic, relative to the largest.
fn difference(f: fn(Tensor) -> Tensor, w: &Tensor, mode: FloatMode) -> f64 {
    let of = |mode| jit(grad(f)).float_mode(mode)(w.clone()).astype(DType::F64).to_vec::<f64>();
    let (got, want) = (of(mode), of(FloatMode::Exact));
    let largest = want.iter().fold(1e-30f64, |m, x| m.max(x.abs()));
    got.iter().zip(&want).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max) / largest
}

#[track_caller]
fn check(f: fn(Tensor) -> Tensor) {
    for (dtype, bound) in [(DType::F32, 1e-4), (DType::F64, 1e-12)] {
        let w = numbers(&[ROWS, COLUMNS], 0.37, dtype);
        for mode in [FloatMode::Default, FloatMode::Relaxed] {
            let difference = difference(f, &w, mode);
            assert!(difference < bound, "{dtype} {mode:?}: {difference:e}");
        }
    }
}

/// The largest sum of products in each row, found in one loop and compared in another.
#[test]
fn largest_of_sums_of_products() {
    check(|w| {
        let x = numbers(&[ROWS, COLUMNS], 0.91, w.dtype());
        let s = &w * &x + 1.0;
        let other = (&w * &x).get((.., 1)) + 1.0;
        s.max_axes(&[1]).minimum(&other).square().sum()
    });
}

/// In a loop: the product has another reader in the forward pass only.
#[test]
fn largest_in_a_loop() {
    check(|w| {
        let xs = numbers(&[5, ROWS, COLUMNS], 0.13, w.dtype());
        let step = |c: Tensor, x: Tensor| {
            let product = &c * &x;
            let sum = &product + &w;
            let largest = sum.max_axes(&[1]).sum();
            let next = (&product + &c).sin();
            (next, largest + product.tanh().sum() * 0.01)
        };
        let (c, ys) = scan(step, w.clone(), xs);
        c.sum() * 0.1 + ys.sum()
    });
}

/// A clamp at a bound that is computed like what it clamps, a truncation and an absolute value.
#[test]
fn clamps_and_truncations_in_a_loop() {
    check(|w| {
        let xs = numbers(&[4, ROWS, COLUMNS], 0.29, w.dtype());
        let step = |c: Tensor, x: Tensor| {
            let s = &c * &x + &w;
            let bound = (&c * &x + &w).max_keep(&[1]).broadcast_to(&[ROWS, COLUMNS]);
            let part = &s - s.floor() * 0.5;
            (s.maximum(&bound).sin() + (&part * &c).tanh() * 0.1, (&s - &bound).abs().sum())
        };
        let (c, ys) = scan(step, w.clone(), xs);
        c.sum() + ys.sum() * 0.1
    });
}

/// The same where the rest of a trip is costly enough to save that all of it is computed again.
#[test]
fn largest_in_a_loop_that_saves_little() {
    check(|w| {
        let xs = numbers(&[5, ROWS, COLUMNS], 0.13, w.dtype());
        let step = |c: Tensor, x: Tensor| {
            let product = &c * &x;
            let largest = (&product + &w).max_axes(&[1]).sum();
            let a = (&c * 1.1 + &x) / (&c * &c + 1.0);
            let b = (&a * &a + 1.0).sqrt();
            let d = &b / (&a + 3.0);
            (&d / (&b + &c + 5.0) + &c, largest + product.tanh().sum() * 0.01)
        };
        let (c, ys) = scan(step, w.clone(), xs);
        c.sum() * 0.1 + ys.sum()
    });
}
