//! Factorizations and solutions of small matrices are code: no call, and under exact arithmetic the bits of the interpreter.
//! Large ones are worked on in blocks, and are what they should be.

use wengert::linalg::{self, Triangle, TriangularOptions};
use wengert::{DType, FloatMode, Tensor, Traced, jit};

/// A matrix that is well conditioned, with large elements off the diagonal so that rows are exchanged.
fn matrix(rows: usize, cols: usize, seed: usize) -> Tensor {
    let at = |k: usize| ((k * 7919 + seed * 104_729) % 1009) as f64 / 1009.0 - 0.4;
    Tensor::new(&[rows, cols], &(0..rows * cols).map(at).collect::<Vec<f64>>())
}

fn positive(n: usize, seed: usize) -> Tensor {
    let a = matrix(n, n, seed);
    a.matmul(&a.transpose(&[1, 0])) + Tensor::eye(n, DType::F64)
}

fn traced(f: impl Fn(Vec<Tensor>) -> Vec<Tensor> + Send + Sync + 'static, args: &[Tensor]) -> Traced {
    jit(f).float_mode(FloatMode::Exact).trace((args.to_vec(),)).expect("it can be traced")
}

/// Compiled code gives the interpreter's bits, and does not call it if `written`.
fn same(what: &str, program: &Traced, args: &[Tensor], written: bool) {
    let lowered = program.lower().unwrap_or_else(|e| panic!("{what}: {e}"));
    let profile = lowered.kernels().expect("it lowers");
    let calls = profile.kernels.iter().any(|k| !k.interpreted.is_empty());
    assert_eq!(calls, !written, "{what}: {profile}");
    let compiled = lowered.compile().and_then(|c| c.call(args)).unwrap_or_else(|e| panic!("{what}: {e}"));
    let interpreted = program.interpret(args).unwrap_or_else(|e| panic!("{what}: {e}"));
    for (k, (a, b)) in compiled.iter().zip(&interpreted).enumerate() {
        let bits = |t: &Tensor| {
            t.astype(DType::F64).to_vec::<f64>().into_iter().map(f64::to_bits).collect::<Vec<_>>()
        };
        let nan = |t: &Tensor| t.astype(DType::F64).to_vec::<f64>().into_iter().all(f64::is_nan);
        assert!(bits(a) == bits(b) || nan(a) && nan(b), "{what}, result {k}: {a} {b}");
    }
}

#[test]
fn small_matrices_are_written_out() {
    for dtype in [DType::F32, DType::F64] {
        for n in 1..=4 {
            let (a, b) = (matrix(n, n, n).astype(dtype), matrix(n, 2, 9).astype(dtype));
            let p = positive(n, n).astype(dtype);
            let what = |name: &str| format!("{name} of {n} x {n} {dtype}");
            let args = [p.clone()];
            same(&what("cholesky"), &traced(|x| vec![linalg::cholesky(&x[0])], &args), &args, true);
            // What has no factor is NaN.
            let args = [p - Tensor::eye(n, dtype) * 4.0];
            same(&what("no cholesky"), &traced(|x| vec![linalg::cholesky(&x[0])], &args), &args, true);
            let args = [a.clone()];
            let lu = |x: Vec<Tensor>| {
                let (lu, pivots) = linalg::lu_factor(&x[0]);
                vec![lu, pivots]
            };
            same(&what("lu"), &traced(lu, &args), &args, true);
            let args = [Tensor::zeros(&[n, n], dtype)];
            same(&what("lu of nothing"), &traced(lu, &args), &args, true);
            for lower in [true, false] {
                let args = [a.clone() + Tensor::eye(n, dtype) * 3.0, b.clone()];
                let solve = move |x: Vec<Tensor>| {
                    let triangle = if lower { Triangle::Lower } else { Triangle::Upper };
                    let plain = TriangularOptions::from(triangle);
                    vec![linalg::solve_triangular(&x[0], &x[1], plain)]
                };
                same(&what("triangle"), &traced(solve, &args), &args, true);
            }
        }
    }
}

#[test]
fn large_matrices_are_what_they_should_be() {
    let far = |a: &Tensor, b: &Tensor| (a - b).abs().max().item::<f64>();
    for n in [65, 150] {
        let a = matrix(n, n, n) + Tensor::eye(n, DType::F64);
        let p = positive(n, n);
        let l = linalg::cholesky(&p);
        assert!(far(&l.matmul(&l.transpose(&[1, 0])), &p) < 1e-11 * n as f64);
        let b = matrix(n, 70, 3);
        assert!(far(&a.matmul(&linalg::solve(&a, &b)), &b) < 1e-8);
        let (q, r) = linalg::qr(&matrix(n + 30, n, 5), linalg::Factors::Reduced);
        assert!(far(&q.matmul(&r), &matrix(n + 30, n, 5)) < 1e-11 * n as f64);
        assert!(far(&q.transpose(&[1, 0]).matmul(&q), &Tensor::eye(n, DType::F64)) < 1e-12 * n as f64);
    }
    let args = [positive(70, 1)];
    same("cholesky of 70 x 70", &traced(|x| vec![linalg::cholesky(&x[0])], &args), &args, false);
}
