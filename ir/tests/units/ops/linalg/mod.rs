//! Values against definitions, derivatives against finite differences to second order, transposes, and the constraints.

mod eigen;
mod in_place;
mod qr;
mod schur;
mod tridiagonal;

use smallvec::smallvec;
use wengert_ir::array::Array;
use wengert_ir::func::Module;
use wengert_ir::op::*;
use wengert_ir::testing::{Random, Row, check_jvp, check_transpose, eval_op, floats, jvp, single};
use wengert_ir::types::{DType, TensorType, Type};

fn ty(shape: &[usize]) -> TensorType {
    TensorType::new(DType::F64, shape)
}

fn random(shape: &[usize], seed: u64) -> Array {
    Random(seed).array(&ty(shape), -1.0, 1.0)
}

/// Random matrices with this added to the diagonal.
fn with_diagonal(shape: &[usize], seed: u64, add: f64) -> Array {
    let mut out = random(shape, seed);
    let n = shape[shape.len() - 1];
    let m = shape[shape.len() - 2];
    for (k, x) in out.as_mut_slice::<f64>().iter_mut().enumerate() {
        if k / n % m == k % n {
            *x += add;
        }
    }
    out
}

/// Derivatives of first and second order.
fn derivatives(op: impl Into<Op>, args: &[Array]) {
    let op = op.into();
    let types: Vec<TensorType> = args.iter().map(|a| a.ty().clone()).collect();
    let (mut module, f) = single(op.clone(), &types);
    check_jvp(&mut module, f, args, 1e-5);
    let second = jvp(&mut module, f);
    let mut args = args.to_vec();
    let tangents: Vec<Array> =
        args.iter().enumerate().map(|(k, a)| random(a.shape(), 40 + k as u64)).collect();
    args.extend(tangents);
    check_jvp(&mut module, second, &args, 1e-4);
}

fn product(a: &[f64], b: &[f64], [m, k, n]: [usize; 3]) -> Vec<f64> {
    (0..m * n).map(|at| (0..k).map(|l| a[at / n * k + l] * b[l * n + at % n]).sum()).collect()
}

fn transposed(a: &[f64], m: usize, n: usize) -> Vec<f64> {
    (0..m * n).map(|k| a[k % m * n + k / m]).collect()
}

#[track_caller]
fn close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    for (x, y) in a.iter().zip(b) {
        assert!((x - y).abs() <= 1e-12 * (1.0 + y.abs()), "{a:?} and {b:?}");
    }
}

#[test]
fn cholesky() {
    let x = Array::new(&[3, 3], &[1.0, 2.0, 3.0, 2.0, 20.0, 26.0, 3.0, 26.0, 70.0]);
    let l = eval_op(Cholesky { lower: true }, std::slice::from_ref(&x));
    assert_eq!(l[0].as_slice::<f64>(), [1.0, 0.0, 0.0, 2.0, 4.0, 0.0, 3.0, 5.0, 6.0]);
    let u = eval_op(Cholesky { lower: false }, std::slice::from_ref(&x));
    assert_eq!(u[0].as_slice::<f64>(), [1.0, 2.0, 3.0, 0.0, 4.0, 5.0, 0.0, 0.0, 6.0]);
    let bad = Array::new(&[2, 2], &[1.0, 2.0, 2.0, 1.0]);
    assert!(
        eval_op(Cholesky { lower: true }, std::slice::from_ref(&bad))[0]
            .as_slice::<f64>()
            .iter()
            .all(|v| v.is_nan())
    );
    assert_eq!(eval_op(Potrf { lower: true }, &[bad])[1].as_slice::<i32>(), [2]);
    for lower in [true, false] {
        for shape in [&[1, 1][..], &[4, 4], &[2, 3, 3], &[0, 0], &[2, 0, 0]] {
            derivatives(Cholesky { lower }, &[with_diagonal(shape, 1, 4.0)]);
            derivatives(Potrf { lower }, &[with_diagonal(shape, 2, 4.0)]);
        }
    }
}

#[test]
fn triangular_solves() {
    for bits in 0..8 {
        let (left_side, lower, unit_diagonal) = (bits & 1 == 1, bits & 2 == 2, bits & 4 == 4);
        for transpose_a in [TransposeA::No, TransposeA::Transpose, TransposeA::Adjoint] {
            let op = TriangularSolve { left_side, lower, unit_diagonal, transpose_a };
            for (a, b) in [
                (&[3, 3][..], &[3, 3][..]),
                (&[2, 4, 4], if left_side { &[2, 4, 2] } else { &[2, 3, 4] }),
                (&[0, 0], if left_side { &[0, 2] } else { &[2, 0] }),
            ] {
                let args = [with_diagonal(a, 5, 3.0), random(b, 6)];
                derivatives(op.clone(), &args);
                check_transpose(Module::new(""), &op.clone().into(), &args, &[false, true]);
            }
            // op(a) x = b with zeros and ones written into the other parts of a.
            let args = [with_diagonal(&[3, 3], 7, 3.0), random(&[3, 3], 8)];
            let x = eval_op(op.clone(), &args);
            let a: Vec<f64> = (0..9)
                .map(|k| {
                    let (i, j) = (k / 3, k % 3);
                    if i == j && unit_diagonal {
                        1.0
                    } else if i == j || (i > j) == lower {
                        args[0].as_slice::<f64>()[k]
                    } else {
                        0.0
                    }
                })
                .collect();
            let a = if transpose_a == TransposeA::No { a } else { transposed(&a, 3, 3) };
            let x = x[0].as_slice::<f64>();
            let b = if left_side { product(&a, x, [3, 3, 3]) } else { product(x, &a, [3, 3, 3]) };
            close(&b, args[1].as_slice());
        }
    }
}

#[test]
fn lu() {
    let x = random(&[4, 4], 3);
    let out = eval_op(Lu { form: CallForm::Generic }, std::slice::from_ref(&x));
    let (lu, order) = (out[0].as_slice::<f64>(), out[2].as_slice::<i32>());
    let l: Vec<f64> = (0..16)
        .map(|k| {
            if k / 4 == k % 4 {
                1.0
            } else if k / 4 > k % 4 {
                lu[k]
            } else {
                0.0
            }
        })
        .collect();
    let u: Vec<f64> = (0..16).map(|k| if k / 4 <= k % 4 { lu[k] } else { 0.0 }).collect();
    let moved: Vec<f64> = (0..16).map(|k| x.as_slice::<f64>()[order[k / 4] as usize * 4 + k % 4]).collect();
    close(&product(&l, &u, [4, 4, 4]), &moved);
    let singular = Array::new(&[2, 2], &[0.0, 1.0, 0.0, 2.0]);
    assert_eq!(eval_op(Lu { form: CallForm::Lapack }, &[singular])[2].as_slice::<i32>(), [1]);
    for form in [CallForm::Lapack, CallForm::Generic] {
        for shape in
            [&[1, 1][..], &[4, 4], &[5, 3], &[3, 5], &[2, 3, 3], &[2, 2, 2, 3], &[0, 0], &[0, 2], &[2, 0]]
        {
            derivatives(Lu { form }, &[random(shape, 9)]);
        }
    }
}

/// `Q` with all its columns and `R`.
fn qr_of(x: &Array) -> (Vec<f64>, Vec<f64>) {
    let (m, n) = (x.shape()[0], x.shape()[1]);
    let form = CallForm::Lapack;
    let out = eval_op(Qr { form }, std::slice::from_ref(x));
    let pad =
        Pad { low: smallvec![0, 0], high: smallvec![0, m as i64 - n as i64], interior: smallvec![0, 0] };
    let packed = eval_op(pad, &[out[0].clone(), Array::scalar(0.0)]);
    let q = eval_op(HouseholderProduct { form }, &[packed[0].clone(), out[1].clone()]);
    let r = (0..m * n).map(|k| if k / n <= k % n { out[0].as_slice::<f64>()[k] } else { 0.0 }).collect();
    (q[0].as_slice::<f64>().to_vec(), r)
}

#[test]
fn qr() {
    for (m, n) in [(4, 4), (5, 3), (3, 5), (1, 1)] {
        let x = random(&[m, n], 12);
        let (q, r) = qr_of(&x);
        close(&product(&q, &r, [m, m, n]), x.as_slice());
    }
    let form = CallForm::Lapack;
    for shape in [&[1, 1][..], &[3, 3], &[5, 3], &[3, 5], &[2, 4, 2], &[0, 3], &[3, 0]] {
        derivatives(Qr { form }, &[random(shape, 13)]);
    }
    for (shape, k) in [(&[3, 3][..], 3), (&[5, 3], 3), (&[5, 5], 3), (&[2, 4, 2], 2), (&[3, 2], 0)] {
        let mut taus = shape[..shape.len() - 2].to_vec();
        taus.push(k);
        derivatives(HouseholderProduct { form }, &[random(shape, 14), random(&taus, 15)]);
    }
}

#[test]
fn eigenvalues_of_symmetric_matrices() {
    for n in [1, 2, 3, 6, 12, 40] {
        let x = random(&[n, n], 21);
        for lower in [true, false] {
            let op = Eigh { lower, vectors: true, form: CallForm::Lapack, sort: true };
            let out = eval_op(op, std::slice::from_ref(&x));
            let a: Vec<f64> = (0..n * n)
                .map(|k| {
                    let (i, j) = (k / n, k % n);
                    let (i, j) = if (i >= j) == lower { (i, j) } else { (j, i) };
                    x.as_slice::<f64>()[i * n + j]
                })
                .collect();
            let (v, w) = (out[0].as_slice::<f64>(), out[1].as_slice::<f64>());
            assert!(w.is_sorted());
            let scaled: Vec<f64> = (0..n * n).map(|k| v[k] * w[k % n]).collect();
            close(&product(&a, v, [n, n, n]), &scaled);
        }
    }
    for shape in [&[1, 1][..], &[4, 4], &[2, 3, 3], &[0, 0]] {
        for (lower, vectors) in [(true, true), (false, true), (true, false)] {
            for form in [CallForm::Lapack, CallForm::Generic] {
                derivatives(Eigh { lower, vectors, form, sort: true }, &[random(shape, 22)]);
            }
        }
    }
    let nan = Array::new(&[1, 1], &[f64::NAN]);
    let op = Eigh { lower: true, vectors: true, form: CallForm::Lapack, sort: true };
    assert_eq!(eval_op(op, &[nan])[2].as_slice::<i32>(), [1]);
}

#[test]
fn singular_values() {
    for (m, n) in [(1, 1), (3, 3), (4, 3), (5, 3), (9, 3), (3, 4), (3, 9), (7, 6), (40, 30), (30, 40)] {
        let x = random(&[m, n], 31);
        let out = eval_op(Svd { mode: SvdMode::All, driver: SvdDriver::Gesdd }, std::slice::from_ref(&x));
        let (s, u, vt) = (floats(&out[1]), floats(&out[2]), floats(&out[3]));
        assert!(s.iter().rev().is_sorted() && s.iter().all(|&s| s >= 0.0));
        let k = m.min(n);
        let us: Vec<f64> =
            (0..m * n).map(|at| if at % n < k { u[at / n * m + at % n] * s[at % n] } else { 0.0 }).collect();
        close(&product(&us, &vt, [m, n, n]), x.as_slice());
        let eye = |n: usize| (0..n * n).map(|k| (k / n == k % n) as u8 as f64).collect::<Vec<_>>();
        close(&product(&transposed(&u, m, m), &u, [m, m, m]), &eye(m));
        close(&product(&vt, &transposed(&vt, n, n), [n, n, n]), &eye(n));
    }
    for mode in [SvdMode::Thin, SvdMode::Values] {
        for shape in [&[1, 1][..], &[3, 3], &[5, 3], &[3, 4], &[2, 3, 2], &[0, 2]] {
            derivatives(Svd { mode, driver: SvdDriver::Gesdd }, &[random(shape, 32)]);
        }
    }
}

#[test]
fn tridiagonal_systems() {
    let dl = Array::new(&[3], &[0.0, 1.0, 2.0]);
    let d = Array::new(&[3], &[1.0, 3.0, 5.0]);
    let du = Array::new(&[3], &[2.0, 1.0, 0.0]);
    let b = Array::new(&[3, 1], &[5.0, 10.0, 19.0]);
    let out = eval_op(TridiagonalSolve { perturbed: false }, &[dl, d, du, b]);
    close(out[3].as_slice(), &[1.0, 2.0, 3.0]);
    for (vector, matrix) in [(&[4][..], &[4, 2][..]), (&[2, 3], &[2, 3, 1]), (&[1], &[1, 1])] {
        let d = Random(3).array(&ty(vector), 3.0, 4.0);
        derivatives(
            TridiagonalSolve { perturbed: false },
            &[random(vector, 1), d, random(vector, 2), random(matrix, 4)],
        );
    }
}

#[test]
fn fourier_transforms() {
    let x = Array::new(&[4], &[1.0, 2.0, 3.0, 4.0]);
    let op = |kind, length: &[usize]| Fft { kind, length: length.into() };
    let y = eval_op(op(FftType::Rfft, &[4]), std::slice::from_ref(&x));
    let parts: &[f64] = bytemuck::cast_slice(y[0].bytes());
    close(parts, &[10.0, 0.0, -2.0, 2.0, -2.0, 0.0]);
    let back = eval_op(op(FftType::Irfft, &[4]), &y);
    close(back[0].as_slice(), x.as_slice());
    for shape in [&[5][..], &[2, 6], &[3, 4, 5], &[2, 0]] {
        for count in 1..=shape.len() {
            let length = &shape[shape.len() - count..];
            let x = random(shape, 51);
            let y = eval_op(op(FftType::Rfft, length), std::slice::from_ref(&x));
            close(eval_op(op(FftType::Irfft, length), &y)[0].as_slice(), x.as_slice());
            let back = eval_op(op(FftType::Ifft, length), &eval_op(op(FftType::Fft, length), &y));
            close(bytemuck::cast_slice(back[0].bytes()), bytemuck::cast_slice(y[0].bytes()));
        }
    }
}

/// Transforms of real numbers, of those whose result is real, and of neither, in one batch: as of sums with numbers of neither kind.
#[test]
fn fourier_transforms_of_what_is_symmetric() {
    let op = |kind, length: &[usize]| Fft { kind, length: length.into() };
    let parts = |a: &Array| -> Vec<f64> { bytemuck::cast_slice(a.bytes()).to_vec() };
    for dims in [&[520][..], &[513], &[3, 514], &[2, 2, 531], &[5, 576]] {
        let shape = [&[5], dims].concat();
        let complex = TensorType::new(DType::C128, &shape);
        let each = 2 * dims.iter().product::<usize>();
        // Of five transforms the second and third are of real numbers, the fourth of what gives them.
        let mut mixed = parts(&random(&[&shape[..], &[2]].concat(), 5));
        mixed[each..3 * each].iter_mut().skip(1).step_by(2).for_each(|im| *im = 0.0);
        let spectrum = {
            let real = TensorType::new(DType::C128, dims);
            let real = Array::from_bytes(real, bytemuck::cast_slice(&mixed[each..2 * each]));
            parts(&eval_op(op(FftType::Fft, dims), &[real])[0])
        };
        mixed[3 * each..4 * each].copy_from_slice(&spectrum);
        let other = parts(&random(&[&shape[..], &[2]].concat(), 6));
        let sum: Vec<f64> = mixed.iter().zip(&other).map(|(a, b)| a + b).collect();
        for kind in [FftType::Fft, FftType::Ifft] {
            let transformed = |x: &[f64]| {
                let x = Array::from_bytes(complex.clone(), bytemuck::cast_slice(x));
                parts(&eval_op(op(kind, dims), &[x])[0])
            };
            let want: Vec<f64> =
                transformed(&sum).iter().zip(transformed(&other)).map(|(a, b)| a - b).collect();
            let got = transformed(&mixed);
            // The sum of so many numbers below one in size has such an error.
            assert!(got.iter().zip(&want).all(|(a, b)| (a - b).abs() < 1e-10), "{kind:?} {dims:?}");
            assert!(
                got[3 * each..4 * each].iter().skip(1).step_by(2).all(|im| *im == 0.0),
                "{kind:?} {dims:?}"
            );
            // A transform is what it is alone.
            let one =
                Array::from_bytes(TensorType::new(DType::C128, dims), bytemuck::cast_slice(&mixed[..each]));
            assert_eq!(parts(&eval_op(op(kind, dims), &[one])[0]), got[..each]);
        }
    }
}

#[test]
fn constraints_are_named() {
    let f = |shape: &[usize]| Type::from(ty(shape));
    let c = |shape: &[usize]| Type::from(TensorType::new(DType::C128, shape));
    let i = |shape: &[usize]| Type::from(TensorType::new(DType::I32, shape));
    let fft = |kind, length: &[usize]| Op::from(Fft { kind, length: length.into() });
    let solve = |left_side| {
        Op::from(TriangularSolve {
            left_side,
            lower: true,
            unit_diagonal: false,
            transpose_a: TransposeA::No,
        })
    };
    let cholesky = Op::from(Cholesky { lower: true });
    let form = CallForm::Lapack;
    let rows: Vec<(Op, Vec<Type>, &str)> = vec![
        (cholesky.clone(), vec![i(&[2, 2])], "I1"),
        (cholesky.clone(), vec![f(&[2])], "C2"),
        (cholesky.clone(), vec![f(&[2, 3])], "C3"),
        (cholesky, vec![], "I0"),
        (solve(true), vec![f(&[2, 2]), c(&[2, 2])], "C1"),
        (solve(true), vec![f(&[2]), f(&[2])], "C2"),
        (solve(true), vec![f(&[1, 2, 2]), f(&[2, 2])], "C2"),
        (solve(true), vec![f(&[3, 2, 2]), f(&[2, 2, 2])], "C3"),
        (solve(true), vec![f(&[2, 3]), f(&[2, 3])], "C3"),
        (solve(false), vec![f(&[2, 2]), f(&[2, 3])], "C3"),
        (fft(FftType::Fft, &[2, 2]), vec![c(&[2])], "C1"),
        (fft(FftType::Fft, &[2]), vec![f(&[2])], "C2"),
        (fft(FftType::Rfft, &[2]), vec![c(&[2])], "C2"),
        (fft(FftType::Irfft, &[2]), vec![f(&[2])], "C2"),
        (fft(FftType::Fft, &[]), vec![c(&[2])], "C3"),
        (fft(FftType::Fft, &[2, 2, 2, 2]), vec![c(&[2, 2, 2, 2])], "C3"),
        (fft(FftType::Rfft, &[3]), vec![f(&[2])], "C4"),
        (fft(FftType::Irfft, &[2, 4]), vec![c(&[3, 3])], "C4"),
        (fft(FftType::Irfft, &[6]), vec![c(&[3])], "C5"),
        (HouseholderProduct { form }.into(), vec![f(&[2, 3]), f(&[2])], "C1"),
        (HouseholderProduct { form }.into(), vec![f(&[3, 2]), f(&[3])], "C2"),
        (HouseholderProduct { form }.into(), vec![f(&[3, 2]), c(&[2])], "C3"),
        (TridiagonalSolve { perturbed: false }.into(), vec![f(&[3]), f(&[2]), f(&[3]), f(&[3, 1])], "C1"),
    ];
    for (op, operands, label) in rows {
        let error = op.def().infer(&Module::new(""), &operands).expect_err(label);
        assert_eq!(error.constraint, label, "{}: {}", op.name(), error.message);
    }
}

#[test]
fn linear_rows() {
    let op =
        TriangularSolve { left_side: true, lower: true, unit_diagonal: true, transpose_a: TransposeA::No };
    Row::new(op, &[ty(&[3, 3]), ty(&[3, 2])], (-1.0, 1.0)).linear(&[false, true]).check(&Module::new(""));
}

/// LAPACK's `sytrd` of an upper triangle: Q T Qᵀ is the matrix, Q = H(n-1)..H(1), and nothing below the diagonal is read.
#[test]
fn tridiagonal_form_of_an_upper_triangle() {
    let n = 5;
    let entry =
        |r: usize, c: usize| ((r.min(c) * 7 + r.max(c) * 3) as f64).sin() + if r == c { 2.0 } else { 0.0 };
    let given: Vec<f64> =
        (0..n * n).map(|k| if k / n <= k % n { entry(k / n, k % n) } else { 1e3 }).collect();
    let out = eval_op(Tridiagonalize { lower: false }, &[Array::new(&[n, n], &given)]);
    let [a, d, e, taus] = [0, 1, 2, 3].map(|k| out[k].as_slice::<f64>());
    let product = |x: &[f64], y: &[f64]| -> Vec<f64> {
        (0..n * n).map(|k| (0..n).map(|j| x[k / n * n + j] * y[j * n + k % n]).sum()).collect()
    };
    let mut q: Vec<f64> = (0..n * n).map(|k| if k / n == k % n { 1.0 } else { 0.0 }).collect();
    for i in (0..n - 1).rev() {
        let v: Vec<f64> =
            (0..n).map(|r| if r < i { a[r * n + i + 1] } else { (r == i) as u8 as f64 }).collect();
        let h: Vec<f64> =
            (0..n * n).map(|k| (k / n == k % n) as u8 as f64 - taus[i] * v[k / n] * v[k % n]).collect();
        q = product(&q, &h);
    }
    let mut t = vec![0.0; n * n];
    for k in 0..n {
        t[k * n + k] = d[k];
        if k + 1 < n {
            (t[k * n + k + 1], t[(k + 1) * n + k]) = (e[k], e[k]);
        }
    }
    let transposed: Vec<f64> = (0..n * n).map(|k| q[k % n * n + k / n]).collect();
    let found = product(&product(&q, &t), &transposed);
    for (k, x) in found.iter().enumerate() {
        assert!((x - entry(k / n, k % n)).abs() < 1e-12, "{k}: {x} {}", entry(k / n, k % n));
    }
}
