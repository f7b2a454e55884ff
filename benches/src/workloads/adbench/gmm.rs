//! The log-likelihood of a mixture of Gaussians with a Wishart prior, as a function of weights, means and inverse
//! covariance factors. [`likelihood`] computes all `Q (x - mean)` by one matrix product, [`centred`] subtracts first.

use super::{Numbers, positions, zero_column};
use crate::workloads::Workload;
use crate::workloads::data::{normal, uniform};
use std::f64::consts::PI;
use wengert::{ARG0, ARG1, ARG2, DType, OutOfRange, Tensor, concatenate, einsum, value_and_grad};

type Args = (Tensor, Tensor, Tensor, Tensor);

pub(super) fn rows() -> Vec<Workload> {
    let mut rows = Vec::new();
    for (n, d, k) in [(1000, 10, 25), (1000, 64, 25), (1000, 64, 200), (10_000, 64, 25)] {
        let name = format!("gmm.{}k_d{d}_K{k}", n / 1000);
        let args = move || data(n, d, k);
        rows.push(Workload::new(format!("{name}.f"), || likelihood, args));
        rows.push(Workload::new(
            format!("{name}.vg"),
            || value_and_grad(likelihood).wrt((ARG0, ARG1, ARG2)),
            args,
        ));
    }
    for d in [10, 64] {
        let args = move || data(1000, d, 25);
        rows.push(Workload::new(format!("gmm_centred.1k_d{d}_K25.f"), || centred, args));
        rows.push(Workload::new(
            format!("gmm_centred.1k_d{d}_K25.vg"),
            || value_and_grad(centred).wrt((ARG0, ARG1, ARG2)),
            args,
        ));
    }
    rows
}

/// Weights `[k]`, means `[k, d]`, factors `[k, d(d+1)/2]` (logarithms of the diagonal, then the lower triangle by
/// columns), points `[n, d]`.
fn data(n: usize, d: usize, k: usize) -> Args {
    let triangle = d * (d + 1) / 2;
    match Numbers::read(&format!("gmm/{}k/gmm_d{d}_K{k}.txt", n / 1000)) {
        Some(mut file) => {
            let (d, k, n) = (file.count(), file.count(), file.count());
            (file.tensor(&[k]), file.tensor(&[k, d]), file.tensor(&[k, triangle]), file.tensor(&[n, d]))
        }
        None => (
            normal(1, &[k], DType::F64),
            uniform(2, &[k, d], 0.0, 1.0, DType::F64),
            normal(3, &[k, triangle], DType::F64),
            normal(4, &[n, d], DType::F64),
        ),
    }
}

fn likelihood(alphas: Tensor, means: Tensor, factors: Tensor, x: Tensor) -> Tensor {
    let (n, d) = (x.shape()[0], x.shape()[1]);
    let k = alphas.len();
    let q = lower_triangular(&factors, d);
    let all = x.matmul(&q.reshape(&[(k * d) as isize, d as isize]).t());
    let all = all.reshape(&[n as isize, k as isize, d as isize]);
    finish(alphas, factors, all - einsum("kij,kj->ki", &[&q, &means]))
}

fn centred(alphas: Tensor, means: Tensor, factors: Tensor, x: Tensor) -> Tensor {
    let q = lower_triangular(&factors, x.shape()[1]);
    let from_mean = x.expand_dims(1) - means;
    finish(alphas, factors, einsum("kij,nkj->nki", &[&q, &from_mean]))
}

/// The matrices `[k, d, d]` with diagonals `exp(factors[:, ..d])`.
fn lower_triangular(factors: &Tensor, d: usize) -> Tensor {
    let (k, zero) = (factors.shape()[0], factors.shape()[1]);
    let filled =
        concatenate(&[factors.get((.., ..d)).exp(), factors.get((.., d..)), zero_column(factors)], 1);
    // Column j begins after the diagonal and the columns before it, which have d - 1, d - 2, ... elements.
    let column = |j: usize| d + j * (2 * d - j - 1) / 2;
    let element = |i: usize, j: usize| match i.cmp(&j) {
        std::cmp::Ordering::Less => zero,
        std::cmp::Ordering::Equal => i,
        std::cmp::Ordering::Greater => column(j) + i - j - 1,
    };
    let index = positions((0..d * d).map(|p| element(p / d, p % d)));
    filled.take_with(&index, 1, OutOfRange::Clip).reshape(&[k as isize, d as isize, d as isize])
}

/// The likelihood, given `Q (x - mean)` of shape `[n, k, d]`.
fn finish(alphas: Tensor, factors: Tensor, scaled: Tensor) -> Tensor {
    let (n, k, d) = (scaled.shape()[0], scaled.shape()[1], scaled.shape()[2]);
    let log_determinants = factors.get((.., ..d)).sum_axis(1);
    let exponents = &alphas + log_determinants - scaled.square().sum_axis(2) * 0.5;
    let squares = factors.get((.., ..d)).exp().square().sum() + factors.get((.., d..)).square().sum();
    let constant = -(n as f64) * d as f64 * 0.5 * (2.0 * PI).ln() - k as f64 * wishart_normalizer(d);
    exponents.logsumexp(&[1]).sum() - alphas.logsumexp(&[0]) * n as f64 + squares * 0.5 + constant
}

/// The logarithm of the Wishart density's normalizer for gamma = 1 and m = 0, as all of ADBench's files have.
fn wishart_normalizer(d: usize) -> f64 {
    // lgamma(h / 2), from Gamma(1) = 1, Gamma(1/2) = sqrt(pi) and Gamma(x + 1) = x Gamma(x).
    let log_gamma = |h: usize| {
        let start = if h.is_multiple_of(2) { 0.0 } else { PI.sqrt().ln() };
        start + (1 + (h + 1) % 2..h).step_by(2).map(|twice| (twice as f64 / 2.0).ln()).sum::<f64>()
    };
    let multivariate =
        0.25 * (d * (d - 1)) as f64 * PI.ln() + (1..=d).map(|j| log_gamma(d + 2 - j)).sum::<f64>();
    -0.5 * ((d + 1) * d) as f64 * 2f64.ln() - multivariate
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values from a sum over `math.lgamma`.
    #[test]
    fn the_normalizer_is_pythons() {
        for (d, expected) in [(2, -2.5310242469692903), (10, -77.31890261619034), (64, -4706.727903452658)] {
            let found = wishart_normalizer(d);
            assert!((found - expected).abs() < 1e-9 * found.abs(), "{d}: {found}");
        }
    }
}
