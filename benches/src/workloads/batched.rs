//! Many small problems at once, the batch written out: ten-dimensional Rosenbrock functions, 4x4 systems by elimination.

use super::Workload;
use super::data::{normal, wave};
use wengert::{ARG0, ARG1, DType, Tensor, stack, value_and_grad};

const BATCH: usize = 10_000;

pub(super) fn rows() -> Vec<Workload> {
    let points = || (wave(&[BATCH, 10], 1.0, DType::F32),);
    let systems = || {
        let a = normal(1, &[BATCH, 4, 4], DType::F32) + Tensor::eye(4, DType::F32) * 4.0;
        (a, normal(2, &[BATCH, 4], DType::F32))
    };
    vec![
        Workload::new("rosenbrock_batch.10x10000.f", || rosenbrock, points),
        Workload::new("rosenbrock_batch.10x10000.vg", || rosenbrock_and_gradient, points),
        Workload::new("solve_batch.4x10000.f", || eliminated, systems),
        Workload::new("solve_batch.4x10000.vg", || value_and_grad(total).wrt((ARG0, ARG1)), systems),
    ]
}

/// Of each row of `[n, 10]`.
fn rosenbrock(x: Tensor) -> Tensor {
    let (a, b) = (x.get((.., ..-1)), x.get((.., 1..)));
    ((b - a.square()).square() * 100.0 + (1.0 - a).square()).sum_axis(-1)
}

/// Rows do not touch each other: the gradient of their sum has each row's.
fn rosenbrock_and_gradient(x: Tensor) -> (Tensor, Tensor) {
    let (values, pullback) = wengert::vjp(rosenbrock, (x,));
    let (gradient,) = pullback.call(values.ones_like());
    (values, gradient)
}

/// The solution of `a x = b` for `a` `[n, n]` and `b` `[n]` or `[n, m]` by elimination without pivots.
pub(super) fn solve(a: Tensor, b: Tensor) -> Tensor {
    let n = a.shape()[0];
    let mut rows: Vec<(Tensor, Tensor)> = (0..n).map(|i| (a.get(i), b.get(i))).collect();
    for k in 0..n {
        let (pivot_row, pivot_b) = rows[k].clone();
        let inverse = 1.0 / pivot_row.get(k);
        for (row, b) in &mut rows[k + 1..] {
            let factor = row.get(k) * &inverse;
            *row = &*row - &factor * &pivot_row;
            *b = &*b - factor * &pivot_b;
        }
    }
    let mut solved: Vec<Tensor> = Vec::new();
    for (k, (row, b)) in rows.iter().enumerate().rev() {
        let known = solved.iter().rev().enumerate();
        let rest = known.fold(b.clone(), |rest, (j, x)| rest - row.get(k + 1 + j) * x);
        solved.push(rest / row.get(k));
    }
    solved.reverse();
    stack(&solved, 0)
}

/// The squared norms of the solutions of 4x4 systems `[batch, 4, 4]`, `[batch, 4]`, element by element.
fn eliminated(a: Tensor, b: Tensor) -> Tensor {
    let mut rows: Vec<Vec<Tensor>> =
        (0..4).map(|i| (0..4).map(|j| a.get((.., i, j))).chain([b.get((.., i))]).collect()).collect();
    for k in 0..4 {
        let pivots = rows[k].clone();
        let inverse = 1.0 / &pivots[k];
        for row in &mut rows[k + 1..] {
            let factor = &row[k] * &inverse;
            for j in k + 1..5 {
                row[j] = &row[j] - &factor * &pivots[j];
            }
        }
    }
    let mut x: Vec<Tensor> = Vec::new();
    for (i, row) in rows.iter().enumerate().rev() {
        let rest = x.iter().rev().zip(&row[i + 1..]).fold(row[4].clone(), |rest, (x, a)| rest - a * x);
        x.push(rest / &row[i]);
    }
    x.iter().map(Tensor::square).reduce(|a, b| a + b).expect("four")
}

fn total(a: Tensor, b: Tensor) -> Tensor {
    eliminated(a, b).sum()
}
