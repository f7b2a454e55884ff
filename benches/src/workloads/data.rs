//! Inputs: formulas of the position, so that they are the same on every machine and in every run.

use std::f64::consts::TAU;
use wengert::{DType, Tensor};

/// sin(0.37 i + phase) in f64, then rounded.
pub(super) fn wave(shape: &[usize], phase: f64, dtype: DType) -> Tensor {
    made(shape, dtype, |i| (0.37 * i as f64 + phase).sin())
}

/// Uniform in [lo, hi).
pub(super) fn uniform(seed: u64, shape: &[usize], lo: f64, hi: f64, dtype: DType) -> Tensor {
    made(shape, dtype, |i| lo + (hi - lo) * unit(seed, i))
}

/// Standard normal, by the Box-Muller transform.
pub(super) fn normal(seed: u64, shape: &[usize], dtype: DType) -> Tensor {
    made(shape, dtype, |i| {
        (-2.0 * (1.0 - unit(seed, 2 * i)).ln()).sqrt() * (TAU * unit(seed, 2 * i + 1)).cos()
    })
}

/// Whole numbers in 0..below.
pub(super) fn integers(seed: u64, shape: &[usize], below: usize) -> Tensor {
    let n: usize = shape.iter().product();
    let values: Vec<i32> = (0..n).map(|i| (below as f64 * unit(seed, i)) as i32).collect();
    Tensor::new(shape, &values)
}

fn made(shape: &[usize], dtype: DType, value: impl Fn(usize) -> f64) -> Tensor {
    let n = shape.iter().product();
    let values: Vec<f64> = (0..n).map(value).collect();
    Tensor::new(shape, &values).astype(dtype)
}

/// Element `i` of a stream of numbers in [0, 1): SplitMix64 (Steele, Lea, Flood, 2014), its state computed directly.
fn unit(seed: u64, i: usize) -> f64 {
    let mut z = (seed << 32).wrapping_add(i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_numbers_have_mean_zero_and_variance_one() {
        let x = normal(3, &[100_000], DType::F64);
        let (mean, variance) = (x.mean().item::<f64>(), x.var().item::<f64>());
        assert!(mean.abs() < 0.01 && (variance - 1.0).abs() < 0.02, "{mean} {variance}");
    }

    #[test]
    fn integers_stay_below_their_bound() {
        let x = integers(1, &[1000], 7).to_vec::<i32>();
        assert!((0..7).all(|k| x.contains(&k)) && x.iter().all(|k| (0..7).contains(k)));
    }
}
