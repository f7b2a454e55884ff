//! Factors multiply to what was factored, at sizes below, at and beyond those of blocks.

use super::*;
use crate::Complex64 as C;

fn matrix<T: Scalar>(rows: usize, cols: usize, seed: usize) -> Mat<T> {
    let at = |k: usize| ((k * 7919 + seed * 104729) % 2003) as f64 / 1001.5 - 1.0;
    Mat::from_fn(rows, cols, |i, j| T::new(at(i * cols + j), at(i * cols + j + rows * cols)))
}

fn near<T: Scalar>(a: &Mat<T>, b: &Mat<T>, what: &str) {
    assert_eq!((a.rows, a.cols), (b.rows, b.cols), "{what}");
    let size = b.data.iter().map(|x| x.abs()).fold(1.0, f64::max);
    let off = a.data.iter().zip(&b.data).map(|(&a, &b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off < 1e-12 * size, "{what}: {off}");
}

/// A triangle, with zeros elsewhere.
fn part<T: Scalar>(a: &Mat<T>, lower: bool, unit: bool) -> Mat<T> {
    Mat::from_fn(a.rows, a.cols, |i, j| {
        if i == j && unit {
            T::ONE
        } else if i == j || (i > j) == lower {
            a[(i, j)]
        } else {
            T::ZERO
        }
    })
}

const SIZES: [usize; 9] = [0, 1, 2, 7, 16, 17, 47, 81, 150];

fn cholesky<T: Scalar>() {
    for n in SIZES {
        let half = matrix::<T>(n, n, n);
        let mut a = half.times(&half.adjoint());
        (0..n).for_each(|i| a[(i, i)] = T::real(a[(i, i)].re() + 1.0));
        for lower in [true, false] {
            let rubbish = matrix::<T>(n, n, 3);
            let given =
                Mat::from_fn(
                    n,
                    n,
                    |i, j| if i == j || (i > j) == lower { a[(i, j)] } else { rubbish[(i, j)] },
                );
            let mut found = given.clone();
            assert_eq!(potrf(&mut found, lower), 0);
            let kept =
                (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).filter(|&(i, j)| i != j && (i > j) != lower);
            assert!(kept.into_iter().all(|at| found[at] == rubbish[at]), "the other triangle is not ours");
            let factor = part(&found, lower, false);
            let back = if lower { factor.times(&factor.adjoint()) } else { factor.adjoint().times(&factor) };
            near(&back, &a, &format!("{n} {lower}"));

            // The first minor that is not positive, before, in and after the first block.
            for bad in [0, n / 2, n.saturating_sub(1)].into_iter().filter(|_| n > 0) {
                for value in [-1.0, f64::NAN] {
                    let mut broken = given.clone();
                    broken[(bad, bad)] = T::real(value);
                    let before = broken.clone();
                    assert_eq!(potrf(&mut broken, lower), bad as i32 + 1);
                    for i in 0..n {
                        for j in 0..n {
                            let step = if lower { j } else { i };
                            let want = if step < bad { found[(i, j)] } else { before[(i, j)] };
                            assert!(broken[(i, j)] == want || (i, j) == (bad, bad), "{n} {bad} {i} {j}");
                        }
                    }
                }
            }
        }
    }
}

fn solves<T: Scalar>() {
    for n in SIZES {
        let mut a = matrix::<T>(n, n, n + 1);
        a.data.iter_mut().for_each(|x| *x = *x * T::real(1.0 / n as f64));
        (0..n).for_each(|i| a[(i, i)] = T::real(2.0 + i as f64 / n as f64));
        for others in [0, 1, 3, 130] {
            for (lower, unit) in [(true, false), (true, true), (false, false), (false, true)] {
                for op in [Operation::No, Operation::Transpose, Operation::Adjoint] {
                    let read = part(&a, lower, unit);
                    let read = match op {
                        Operation::No => read,
                        Operation::Transpose => read.transpose(),
                        Operation::Adjoint => read.adjoint(),
                    };
                    let what = format!("{n} {others} {lower} {unit} {op:?}");
                    let x = matrix::<T>(n, others, 5);
                    let mut b = read.times(&x);
                    trsm(&a, &mut b, true, Triangle { lower, unit, op });
                    near(&b, &x, &what);
                    let x = x.transpose();
                    let mut b = x.times(&read);
                    trsm(&a, &mut b, false, Triangle { lower, unit, op });
                    near(&b, &x, &what);
                }
            }
        }
    }
}

fn lu<T: Scalar>() {
    for (m, n) in SIZES.into_iter().flat_map(|n| [(n, n), (n, n + 20), (n + 20, n), (n, 2)]) {
        let mut a = matrix::<T>(m, n, m + n);
        // Rows that repeat a column's largest element: the first of equal pivots is taken.
        (0..m).filter(|i| i % 5 == 1).for_each(|i| (0..n).for_each(|j| a[(i, j)] = a[(0, j)]));
        (0..m.min(n)).for_each(|i| a[(i, i)] = a[(i, i)] + T::real(3.0));
        let mut found = a.clone();
        let (pivots, info) = getrf(&mut found);
        assert_eq!((info, pivots.len()), (0, m.min(n)), "{m} {n}");
        let least = m.min(n);
        let l = part(&found.block(0..m, 0..least), true, true);
        let u = part(&found.block(0..least, 0..n), false, false);
        let order = permutation(&pivots, m);
        let permuted = Mat::from_fn(m, n, |i, j| a[(order[i], j)]);
        near(&l.times(&u), &permuted, &format!("{m} {n}"));
        assert!(part(&l, true, true).data.iter().all(|x| x.abs() <= 1.4143), "pivots are the largest");
    }
    let mut zero = matrix::<T>(40, 40, 1);
    (0..40).for_each(|i| zero[(i, 20)] = T::ZERO);
    assert_eq!(getrf(&mut zero).1, 21);
}

fn qr<T: Scalar>() {
    for (m, n) in SIZES.into_iter().flat_map(|n| [(n, n), (n, n + 20), (n + 20, n), (3 * n, n), (n, 2)]) {
        let a = matrix::<T>(m, n, m + n);
        let least = m.min(n);
        let check = |packed: &Mat<T>, taus: &[T], a: &Mat<T>, what: &str| {
            let q = orgqr(&packed.block(0..m, 0..least), taus);
            near(&q.adjoint().times(&q), &Mat::eye(least, least), what);
            let r = part(&packed.block(0..least, 0..n), false, false);
            near(&q.times(&r), a, what);
        };
        let mut packed = a.clone();
        let taus = geqrf(&mut packed);
        check(&packed, &taus, &a, &format!("{m} {n}"));

        let mut packed = a.clone();
        let first: Vec<bool> = (0..n).map(|j| j % 9 == 4).collect();
        let (order, taus) = geqp3(&mut packed, &first);
        let permuted = Mat::from_fn(m, n, |i, j| a[(i, order[j])]);
        check(&packed, &taus, &permuted, &format!("{m} {n} with pivots"));
    }
    // More columns of Q than there are reflectors.
    let mut packed = matrix::<T>(50, 20, 2);
    let taus = geqrf(&mut packed);
    let wide = Mat::from_fn(50, 50, |i, j| if j < 20 { packed[(i, j)] } else { T::ZERO });
    let q = orgqr(&wide, &taus);
    near(&q.adjoint().times(&q), &Mat::eye(50, 50), "square Q");
    near(&q.block(0..50, 0..20), &orgqr(&packed, &taus), "first columns");
}

/// Squares of the numbers overflow, or underflow, though their lengths do not.
#[test]
fn lengths_of_large_and_small_columns() {
    for size in [1e-300, 1e-160, 1.0, 1e160, 1e300] {
        let mut x = [3.0 * size, 0.0];
        let (beta, tau) = larfg(4.0 * size, &mut x);
        assert!((beta / size + 5.0).abs() < 1e-14 && (tau - 1.8).abs() < 1e-14, "{size}: {beta} {tau}");
        let mut z = [C::new(0.0, 2.0 * size), C::new(1.0 * size, 2.0 * size)];
        let (beta, _) = larfg(C::new(0.0, 4.0 * size), &mut z);
        assert!((beta.re.abs() / size - 5.0).abs() < 1e-14 && beta.im == 0.0, "{size}: {beta}");
    }
    let (beta, _) = larfg(1.0, &mut [f64::NAN]);
    assert!(beta.is_nan());
    assert_eq!(larfg(1.0, &mut [0.0, -0.0]), (1.0, 0.0));
}

#[test]
fn transposes() {
    for (m, n) in [(0, 3), (1, 9), (8, 8), (13, 30)] {
        let a = matrix::<C>(m, n, 4);
        assert_eq!(a.transpose(), Mat::from_fn(n, m, |i, j| a[(j, i)]));
        assert_eq!(a.adjoint(), Mat::from_fn(n, m, |i, j| a[(j, i)].conj()));
    }
}

#[test]
fn real() {
    cholesky::<f64>();
    solves::<f64>();
    lu::<f64>();
    qr::<f64>();
    side_by_side::<f64>();
}

#[test]
fn complex() {
    cholesky::<C>();
    solves::<C>();
    lu::<C>();
    qr::<C>();
    side_by_side::<C>();
}

/// What batches give, to the bit, is what their matrices give alone: those of 0 and more examples, full groups and parts of one,
/// with neighbours that have steps of their own.
fn side_by_side<T: Scalar>() {
    for n in [1, 2, 3, 5, 8, 12, 13, 16, 17, 20] {
        for count in [1, 2, 3, 7, 8, 9, 19] {
            let many = |rows: usize, cols: usize, seed: usize| -> Vec<Mat<T>> {
                (0..count).map(|k| matrix::<T>(rows, cols, seed + 31 * k)).collect()
            };
            let joined = |all: &[Mat<T>]| -> Vec<T> { all.iter().flat_map(|a| a.data.clone()).collect() };
            let what = |name: &str| format!("{name} of {count}, order {n}");

            for (rows, cols) in [(n, n), (n + 3, n), (n, n + 2)] {
                let mut all = many(rows, cols, n);
                // One of the first group has a column of zeros, one of the last two equal rows.
                (0..rows).for_each(|i| all[count / 2][(i, cols / 2)] = T::ZERO);
                (0..cols).for_each(|j| all[count - 1][(rows - 1, j)] = all[count - 1][(0, j)]);
                let (mut data, mut found) = (joined(&all), Vec::new());
                getrf_each(&mut data, (rows, cols), count, |pivots, info| {
                    found.push((pivots.to_vec(), info))
                });
                let wanted: Vec<(Vec<usize>, i32)> = all.iter_mut().map(getrf).collect();
                assert_eq!(found, wanted, "{}", what("LU"));
                same(&data, &joined(&all), &what("LU"));
            }

            for lower in [true, false] {
                let mut all = many(n, n, 2 * n);
                for (k, a) in all.iter_mut().enumerate() {
                    *a = a.times(&a.adjoint());
                    (0..n).for_each(|i| a[(i, i)] = T::real(a[(i, i)].re() + 1.0));
                    if k % 11 == 10 {
                        a[(n / 2, n / 2)] = T::real(-1.0);
                    }
                }
                let mut data = joined(&all);
                let found = potrf_each(&mut data, n, count, lower);
                let wanted: Vec<i32> = all.iter_mut().map(|a| potrf(a, lower)).collect();
                assert_eq!(found, wanted, "{}", what("Cholesky"));
                same(&data, &joined(&all), &what("Cholesky"));
            }

            for (others, left) in [(1, true), (2, false), (7, true), (8, true), (9, false)] {
                for op in [Operation::No, Operation::Transpose, Operation::Adjoint] {
                    for (lower, unit) in [(true, false), (true, true), (false, false), (false, true)] {
                        let mut a = many(n, n, 3 * n);
                        a.iter_mut().for_each(|a| (0..n).for_each(|i| a[(i, i)] = a[(i, i)] + T::real(3.0)));
                        let (rows, cols) = if left { (n, others) } else { (others, n) };
                        let mut b = many(rows, cols, 5);
                        let (how, mut data) = (Triangle { lower, unit, op }, joined(&b));
                        trsm_each(&joined(&a), n, &mut data, (rows, cols), left, how);
                        a.iter().zip(&mut b).for_each(|(a, b)| trsm(a, b, left, how));
                        same(&data, &joined(&b), &what("triangular systems"));
                    }
                }
            }
        }
    }
}

fn same<T: Scalar>(a: &[T], b: &[T], what: &str) {
    let bits = |x: &T| (x.re().to_bits(), x.im().to_bits());
    let first = a.iter().zip(b).position(|(a, b)| bits(a) != bits(b));
    assert_eq!((a.len(), first), (b.len(), None), "{what}");
}
