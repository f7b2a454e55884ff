//! Tridiagonal systems that may be singular, as inverse iteration has them: elimination with pivots by scaled rows, and pivots
//! of the back substitution moved away from zero. LAPACK's `lagtf` and `lagts`, fused for several right sides as JAX has
//! them (`jaxlib/tridiagonal_solve_perturbed.h`).

use super::scalar::{Mat, Scalar};
use crate::types::DType;
use wengert_libraries::dense::Diagonals;

/// What the numbers of an element type can hold.
#[derive(Clone, Copy)]
pub(super) struct Range {
    epsilon: f64,
    /// The smallest number whose inverse is finite.
    least: f64,
}

impl Range {
    /// Of a type of floats; of 16-bit ones, that of the wider type in which LAPACK would compute.
    pub(super) fn of(dtype: DType) -> Range {
        match dtype {
            DType::F64 => Range { epsilon: f64::EPSILON, least: f64::MIN_POSITIVE },
            _ => Range { epsilon: f32::EPSILON as f64, least: f32::MIN_POSITIVE as f64 },
        }
    }
}

/// The pivot, moved from zero until neither its inverse nor the row divided by it overflows; the row may be scaled with it.
fn pivot<T: Scalar>(mut p: T, row: &mut [T], perturb: f64, range: Range) -> T {
    let largest = row.iter().fold(0.0f64, |m, v| m.max(v.abs()));
    let inverse = 1.0 / range.least;
    let mut step = perturb.abs().max(range.least).copysign(p.re());
    while p.abs() < 1.0 {
        let size = p.abs();
        let tiny = size < range.least;
        if tiny && size != 0.0 && largest * range.least <= size {
            row.iter_mut().for_each(|v| *v = *v * T::real(inverse));
            return p * T::real(inverse);
        }
        if !tiny && largest <= size * inverse {
            return p;
        }
        p = p + T::real(step);
        step *= 2.0;
        // Of a row that holds no numbers nothing can be saved.
        if !step.is_finite() || !largest.is_finite() {
            return p;
        }
    }
    p
}

/// Solves in place of `x`. The first of the lower diagonal and the last of the upper one are not read.
pub(super) fn solve<T: Scalar>(t: &Diagonals<T>, x: &mut Mat<T>, range: Range) {
    let n = t.main.len();
    if n == 0 {
        return;
    }
    // Row `k` of U: its diagonal and the two after it.
    let mut u = vec![[T::ZERO; 3]; n];
    u[0] = [t.main[0], if n > 1 { t.upper[0] } else { T::ZERO }, T::ZERO];
    let mut scale = u[0][0].abs() + u[0][1].abs();
    for k in 0..n - 1 {
        let (lower, main) = (t.lower[k + 1], t.main[k + 1]);
        let upper = if k + 2 < n { t.upper[k + 1] } else { T::ZERO };
        let next = lower.abs() + main.abs() + upper.abs();
        u[k + 1] = [main, upper, T::ZERO];
        if lower == T::ZERO {
            scale = next;
            continue;
        }
        let here = if u[k][0] == T::ZERO { 0.0 } else { u[k][0].abs() / scale };
        let factor;
        if lower.abs() / next <= here {
            scale = next;
            factor = lower / u[k][0];
            u[k + 1][0] = main - factor * u[k][1];
        } else {
            factor = u[k][0] / lower;
            let above = u[k][1];
            u[k] = [lower, main, upper];
            u[k + 1] = [above - factor * main, -(factor * upper), T::ZERO];
            x.swap_rows(k, k + 1);
            scale = u[k + 1][0].abs() + u[k + 1][1].abs();
        }
        for c in 0..x.cols {
            x[(k + 1, c)] = x[(k + 1, c)] - factor * x[(k, c)];
        }
    }
    let largest = u.iter().flatten().fold(0.0f64, |m, v| m.max(v.abs()));
    for k in (0..n).rev() {
        let mut row: Vec<T> = (0..x.cols)
            .map(|c| {
                let after = |d: usize| if k + d < n { u[k][d] * x[(k + d, c)] } else { T::ZERO };
                x[(k, c)] - after(1) - after(2)
            })
            .collect();
        let p = pivot(u[k][0], &mut row, range.epsilon * largest, range);
        for (c, v) in row.into_iter().enumerate() {
            x[(k, c)] = v / p;
        }
    }
}
