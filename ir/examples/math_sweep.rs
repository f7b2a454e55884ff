//! Measures the math library's single-precision functions against its own double-precision ones, which the
//! tests hold to exact references: `cargo run --release -p wengert-ir --example math_sweep -- 1` looks at
//! every float (hours without `-C target-feature=+fma`), a larger number at every so many.

#![allow(clippy::print_stdout, reason = "a program that reports")]

use wengert_ir::math::MathFn;

/// The distance from a float to the next one away from zero.
fn unit(x: f32) -> f64 {
    let x = x.abs().min(f32::MAX.next_down());
    f64::from(x.next_up()) - f64::from(x)
}

fn main() {
    let step = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(997).max(1);
    for &f in MathFn::ALL {
        // The errors of these are those of an absolute bound where results are small.
        let least = if matches!(f, MathFn::Lgamma | MathFn::Digamma) { f64::from(f32::EPSILON) } else { 0.0 };
        let (mut worst, mut at) = (0.0, 0.0);
        for bits in (0..=u32::MAX).step_by(step) {
            let x = f32::from_bits(bits);
            let (got, want) = (f.eval_f32(x), f.eval_f64(f64::from(x)));
            let rounded = want as f32;
            if got == rounded && got.is_infinite() || got.is_nan() && want.is_nan() {
                continue;
            }
            let error = (f64::from(got) - want).abs() / unit(rounded).max(least);
            if error > worst || error.is_nan() {
                (worst, at) = (error, x);
            }
        }
        println!("{:20} {worst:6.3} ULP at {at:e}", f.name());
    }
}
