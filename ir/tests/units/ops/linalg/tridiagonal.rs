//! Tridiagonal systems that may be singular.

use wengert_ir::array::Array;
use wengert_ir::op::TridiagonalSolve;
use wengert_ir::testing::{Random, check_jvp, eval, floats, single};
use wengert_ir::types::{DType, TensorType};

/// The solution of a system: the diagonals, and the right sides.
fn solve(n: usize, all: [&[f64]; 4]) -> Vec<f64> {
    let [dl, d, du] = [0, 1, 2].map(|k| Array::new(&[n], all[k]));
    let b = Array::new(&[n, all[3].len() / n], all[3]);
    let types: Vec<TensorType> = [&dl, &d, &du, &b].map(|x| x.ty().clone()).to_vec();
    let (module, f) = single(TridiagonalSolve { perturbed: true }.into(), &types);
    floats(&eval(&module, f, &[dl, d, du, b])[0])
}

/// Systems that are singular have the solutions that JAX gives, those that are not their own.
#[test]
fn perturbed_tridiagonal_systems() {
    let close = |got: Vec<f64>, want: &[f64]| {
        for (x, y) in got.iter().zip(want) {
            assert!((x - y).abs() <= 1e-8 * y.abs(), "{got:?} instead of {want:?}");
        }
    };
    close(
        solve(3, [&[0.0, 1.0, 1.0], &[2.0, 1.0, 0.0], &[2.0, -1.0, 0.0], &[1.0, 2.0, 3.0]]),
        &[-2.5, 3.0, -1.5],
    );
    close(
        solve(
            4,
            [&[0.0, 2.0, 3.0, 1.0], &[4.0, 5.0, 6.0, 7.0], &[1.0, 2.0, 1.0, 0.0], &[1.0, 2.0, 3.0, 4.0]],
        ),
        &[0.201754385964912, 0.192982456140351, 0.315789473684211, 0.526315789473684],
    );
    let large = 4.503599627370496e15;
    close(
        solve(3, [&[0.0, 1.0, 1.0], &[1.0; 3], &[1.0, 0.0, 0.0], &[1.0, 0.0, 0.0, 1.0, 1.0, 1.0]]),
        &[-large, large, large, -large, -large, large],
    );
    close(solve(1, [&[0.0], &[0.0], &[0.0], &[3.0]]), &[4.49423283715579e307]);
    assert!(solve(1, [&[0.0], &[f64::NAN], &[0.0], &[3.0]])[0].is_nan());
    let types = [&[3][..], &[3], &[3], &[3, 2]].map(|s| TensorType::new(DType::F64, s));
    let (mut module, f) = single(TridiagonalSolve { perturbed: true }.into(), &types);
    let args: Vec<Array> =
        types.iter().zip([1.0, 4.0, 1.0, 2.0]).map(|(t, x)| Random(7).array(t, x, x + 1.0)).collect();
    check_jvp(&mut module, f, &args, 1e-5);
}

/// Whatever is large in a row and whatever is small, each row of a system holds to what rounding leaves of its own numbers: pivots are
/// chosen by rows as they are scaled.
#[test]
fn pivots_are_chosen_by_scaled_rows() {
    const SIZES: [f64; 3] = [1e-9, 1.0, 1e9];
    let mut random = Random(5);
    let n = 5;
    for trial in 0..3000 {
        let row = [0, 1, 2, 3].map(|_| {
            let scale = random.pick(&SIZES);
            (0..n).map(|_| scale * random.pick(&SIZES) * random.uniform(0.5, 1.5)).collect::<Vec<f64>>()
        });
        let [mut dl, d, mut du, b] = row;
        (dl[0], du[n - 1]) = (0.0, 0.0);
        let x = solve(n, [&dl, &d, &du, &b]);
        let at = |i: usize| if i < n { x[i] } else { 0.0 };
        for i in 0..n {
            let terms = [dl[i] * at(i.wrapping_sub(1)), d[i] * x[i], du[i] * at(i + 1), -b[i]];
            let most =
                [dl[i], d[i], du[i]].iter().sum::<f64>() * x.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
            let left = terms.iter().sum::<f64>().abs();
            assert!(left <= 1e-12 * most.max(b[i]), "{trial}: row {i} leaves {left:e} of {most:e}");
        }
    }
}
