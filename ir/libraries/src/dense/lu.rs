//! LU decomposition with partial pivoting (S. Toledo, *Locality of reference in LU decomposition with partial pivoting*, 1997).

use super::matrix::{Mat, Scalar, rows_from, rows_of, subtract_product};
use super::triangular::System;
use super::{BLOCK, subtract_scaled, wide};
use std::ops::Range;

/// LU decomposition in place. Gives the row that each step exchanged its own with, from 0, and `info`: 0, or
/// the first step (from 1) with a pivot of exactly 0.
pub fn getrf<T: Scalar>(a: &mut Mat<T>) -> (Vec<usize>, i32) {
    let least = a.rows.min(a.cols);
    let (mut pivots, mut info) = (Vec::with_capacity(least), 0);
    columns(a, 0..least, &mut pivots, &mut info);
    update(a, 0..least, least..a.cols);
    (pivots, info)
}

/// Eliminates below the diagonal of columns, and in these columns only; rows are exchanged whole.
fn columns<T: Scalar>(a: &mut Mat<T>, all: Range<usize>, pivots: &mut Vec<usize>, info: &mut i32) {
    if all.len() <= BLOCK {
        return wide(
            #[inline(always)]
            || few_columns(a, all, pivots, info),
        );
    }
    let middle = all.start + (all.len() / 2).next_multiple_of(BLOCK);
    columns(a, all.start..middle, pivots, info);
    update(a, all.start..middle, middle..all.end);
    columns(a, middle..all.end, pivots, info);
}

#[inline(always)]
fn few_columns<T: Scalar>(a: &mut Mat<T>, all: Range<usize>, pivots: &mut Vec<usize>, info: &mut i32) {
    let rows = a.rows;
    for j in all.clone() {
        let mut p = j;
        for i in j + 1..rows {
            if a[(i, j)].abs1() > a[(p, j)].abs1() {
                p = i;
            }
        }
        pivots.push(p);
        if a[(p, j)] == T::ZERO {
            if *info == 0 {
                *info = j as i32 + 1;
            }
            continue;
        }
        a.swap_rows(p, j);
        let pivot = a[(j, j)];
        for i in j + 1..rows {
            let (above, row) = a.two_rows(j, i);
            let factor = row[j] / pivot;
            row[j] = factor;
            subtract_scaled(&mut row[j + 1..all.end], factor, &above[j + 1..all.end]);
        }
    }
}

/// What the elimination of columns `done` does to columns `next`.
fn update<T: Scalar>(a: &mut Mat<T>, done: Range<usize>, next: Range<usize>) {
    if done.is_empty() || next.is_empty() {
        return;
    }
    let (rows, cols) = (a.rows, a.cols);
    let unit = a.block(done.clone(), done.clone());
    let left = a.block(done.end..rows, done.clone());
    let (above, below) = a.data.split_at_mut(done.end * cols);
    let right = &mut above[done.start * cols + next.start..];
    System { a: unit.view(), lower: true, unit: true }.solve(right, next.len(), cols);
    if done.end < rows {
        let right = rows_from(right, done.len(), next.len(), cols);
        let rest = rows_of(&mut below[next.start..], rows - done.end, next.len(), cols);
        subtract_product(rest, left.view(), right);
    }
}

/// The permutation of `m` rows that exchanges make.
pub fn permutation(pivots: &[usize], m: usize) -> Vec<usize> {
    let mut out: Vec<usize> = (0..m).collect();
    for (i, &p) in pivots.iter().enumerate() {
        out.swap(i, p);
    }
    out
}
