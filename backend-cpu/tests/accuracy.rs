//! A sample of the sweep over all singles (`examples/math_sweep`): every function keeps its bound.

#![allow(unsafe_code, reason = "calls routines through the pointers that generated code uses")]

#[path = "../examples/math_sweep/sweep.rs"]
mod sweep;

use wengert_ir::math::{MathFn, MathFn2};

/// Arguments of each function. Debug builds of the formulas are slow on machines without wide routines.
const COUNT: u64 = 1 << 20;

#[test]
fn singles_are_within_their_bounds() {
    let step = u32::MAX / COUNT as u32;
    for &f in MathFn::ALL {
        // Odd, so that all patterns of low bits occur.
        let worst = sweep::unary(f, 1, step | 1, COUNT);
        assert!(worst.error <= f.bound().ulp, "{f:?}({:e}): {} ULP", worst.x, worst.error);
        assert!(worst.error > 0.0, "{f:?} is never rounded");
    }
}

#[test]
fn pairs_of_singles_are_within_their_bounds() {
    for &f in MathFn2::ALL {
        let worst = sweep::binary(f, 1, COUNT);
        assert!(worst.error <= f.bound().ulp, "{f:?}({:e}, {:e}): {} ULP", worst.x, worst.y, worst.error);
        assert!(worst.error > 0.0, "{f:?} is never rounded");
    }
}

/// The double routine is what singles are compared with; that it is the library's is tested elsewhere.
#[test]
fn routines_take_slices_of_any_length() {
    for n in [0, 1, 31, 33, 4096] {
        let x: Vec<f64> = (0..n).map(|i| f64::from(i) * 0.01).collect();
        let mut y = x.clone();
        sweep::doubles(MathFn::Exp, &x, &mut y);
        assert!(x.iter().zip(&y).all(|(&x, &y)| y == MathFn::Exp.eval_f64(x)));
        sweep::doubles2(MathFn2::Pow, &x, &x, &mut y);
        assert!(x.iter().zip(&y).all(|(&x, &y)| y == MathFn2::Pow.eval_f64(x, x)));
    }
}
