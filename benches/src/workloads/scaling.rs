//! How time grows with size: a chain on arrays of 16 to 65,536 elements, straight-line programs of 100 to 10,000
//! operations on scalars.

use super::Workload;
use super::data::wave;
use wengert::{ARG0, ARG1, ARG2, ARG3, DType, Tensor, value_and_grad};

/// The sizes of the arrays.
pub const SIZES: [usize; 13] = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536];
/// The lengths of the programs.
pub const LENGTHS: [usize; 3] = [100, 1000, 10_000];

pub(super) fn rows() -> Vec<Workload> {
    let mut rows = Vec::new();
    for n in SIZES {
        let x = move || (wave(&[n], 1.0, DType::F64),);
        rows.push(Workload::new(format!("sweep.{n}.f"), || chain, x));
    }
    for n in LENGTHS {
        let x = || (Tensor::from(0.1f64), Tensor::from(0.2f64), Tensor::from(0.3f64), Tensor::from(0.4f64));
        let f = move |a, b, c, d| straight(n, [a, b, c, d]);
        rows.push(Workload::new(format!("straight.{n}.f"), move || f, x));
        rows.push(Workload::new(
            format!("straight.{n}.vg"),
            move || value_and_grad(f).wrt((ARG0, ARG1, ARG2, ARG3)),
            x,
        ));
    }
    rows
}

/// A polynomial and an exponential of each element.
fn chain(x: Tensor) -> Tensor {
    ((&x * &x + 1.5) * &x - 0.5) * &x + (-&x * &x).exp()
}

/// `n` operations, each on two of the forty values before it; the sum of the last forty.
fn straight(n: usize, start: [Tensor; 4]) -> Tensor {
    // Knuth's linear congruential generator, its upper bits.
    let mut state = 1u64;
    let mut draw = move |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    let mut values = start.to_vec();
    for _ in 0..n {
        let (op, reach) = (draw(4), values.len().min(40));
        let (a, b) = (&values[values.len() - 1 - draw(reach)], &values[values.len() - 1 - draw(reach)]);
        values.push(match op {
            0 => (a + b) * 0.5,
            1 => a * b,
            2 => a.sin(),
            _ => (-a * a).exp(),
        });
    }
    values.iter().rev().take(40).cloned().reduce(|a, b| a + b).expect("values")
}
