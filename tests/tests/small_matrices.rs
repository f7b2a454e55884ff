//! Factorizations and solutions of small matrices are code: no call, and under exact arithmetic the bits of the interpreter.
//! Large ones are worked on in blocks, and are what they should be.

use wengert::linalg::{self, Triangle, TriangularOptions};
use wengert::{DType, FloatMode, Tensor, Traced, jit};
use wengert_ir::op::{CallForm, Lu, Op, Potrf, TransposeA, TriangularSolve};
use wengert_ir::testing::{Random, single};
use wengert_ir::types::TensorType;

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

/// Larger triangles the library takes by blocks, whose sums have another order.
#[test]
fn triangles_are_written_out_as_far_as_the_library_has_their_order() {
    for n in [15, 16, 17, 18, 19] {
        let args = [matrix(n, n, n) + Tensor::eye(n, DType::F64) * 3.0, matrix(n, 1, 9)];
        for triangle in [Triangle::Lower, Triangle::Upper] {
            let solve = move |x: Vec<Tensor>| {
                vec![linalg::solve_triangular(&x[0], &x[1], TriangularOptions::from(triangle))]
            };
            same(&format!("{triangle:?} triangle of {n}"), &traced(solve, &args), &args, n <= 16);
        }
    }
}

/// From some matrices on: of fewer their elements would be loops of a few trips.
#[test]
fn so_are_batches_of_many() {
    for (batch, written) in [(vec![20], true), (vec![4, 5], true), (vec![1], true), (vec![5], false)] {
        for n in 1..=5 {
            let written = written && (n < 5 || batch == [1]);
            let count: usize = batch.iter().product();
            let all = |of: &dyn Fn(usize) -> Tensor| {
                let each: Vec<Tensor> = (0..count).map(of).collect();
                let shape: Vec<isize> = batch.iter().chain(each[0].shape()).map(|&n| n as isize).collect();
                wengert::tree::stack(&each).reshape(&shape)
            };
            let what = |name: &str| format!("{name} of {batch:?} matrices of {n} x {n}");
            let p = all(&|k| if k % 7 == 3 { -positive(n, k) } else { positive(n, k) });
            let (a, b) = (all(&|k| matrix(n, n, k)), all(&|k| matrix(n, 2, k + 9)));
            let cholesky = traced(|x| vec![linalg::cholesky(&x[0])], std::slice::from_ref(&p));
            same(&what("cholesky"), &cholesky, &[p], written);
            let factors = |x: Vec<Tensor>| {
                let (lu, pivots) = linalg::lu_factor(&x[0]);
                vec![lu, pivots]
            };
            let lu = traced(factors, std::slice::from_ref(&a));
            same(&what("lu"), &lu, std::slice::from_ref(&a), written && n < 5);
            let args = [a + Tensor::eye(n, DType::F64) * 3.0, b];
            let solve = |x: Vec<Tensor>| {
                vec![linalg::solve_triangular(&x[0], &x[1], TriangularOptions::from(Triangle::Upper))]
            };
            same(&what("triangle"), &traced(solve, &args), &args, written);
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

/// Matrices of few different numbers: pivots that are equal or zero, and no factor from some order on. All results of LAPACK's
/// routines are those of the interpreter, what says that they failed among them.
#[test]
fn small_matrices_that_have_no_factors() {
    for (n, batch) in (1..=4).flat_map(|n| [(n, None), (n, Some(20))]) {
        let shape: Vec<usize> = batch.into_iter().chain([n, n]).collect();
        let ty = TensorType::new(DType::F64, &shape);
        let mut ops: Vec<Op> =
            vec![Lu { form: CallForm::Generic }.into(), Lu { form: CallForm::Lapack }.into()];
        ops.extend([true, false].map(|lower| Potrf { lower }.into()));
        for bits in 0..16 {
            let (left_side, lower, unit_diagonal) = (bits & 1 == 1, bits & 2 == 2, bits & 4 == 4);
            let transpose_a = if bits & 8 == 8 { TransposeA::Transpose } else { TransposeA::No };
            ops.push(TriangularSolve { left_side, lower, unit_diagonal, transpose_a }.into());
        }
        for op in ops {
            let operands = if let Op::TriangularSolve(_) = op { 2 } else { 1 };
            let (mut module, func) = single(op.clone(), &vec![ty.clone(); operands]);
            module.mode = FloatMode::Exact;
            let program = Traced::new(module, func);
            let lowered = program.lower().unwrap_or_else(|e| panic!("{op:?}: {e}"));
            let kernels = lowered.kernels().expect("it lowers");
            assert!(kernels.kernels.iter().all(|k| k.interpreted.is_empty()), "{op:?} of {n}: {kernels}");
            let compiled = lowered.compile().unwrap_or_else(|e| panic!("{op:?}: {e}"));
            let mut random = Random(n as u64);
            for _ in 0..40 / batch.unwrap_or(1) {
                let (mut all, mut others) = (Vec::new(), Vec::new());
                for _ in 0..batch.unwrap_or(1) {
                    let mut matrix = || -> Vec<f64> {
                        (0..n * n).map(|_| random.pick(&[-2.0, -1.0, 0.0, 1.0, 2.0, 4.0])).collect()
                    };
                    let (mut a, b) = (matrix(), matrix());
                    // Some have several pivots of zero: from some row on all are multiples of the first.
                    let rank = 1 + random.below(2 * n);
                    for k in (rank * n).min(n * n)..n * n {
                        a[k] = a[k % n] * [1.0, -2.0, 0.0][k / n % 3];
                    }
                    if let Op::Potrf(_) = op {
                        a = (0..n * n).map(|k| a[k] + a[k % n * n + k / n]).collect();
                        (0..n).for_each(|i| a[i * n + i] += 6.0);
                    }
                    all.extend(a);
                    others.extend(b);
                }
                let args: Vec<Tensor> =
                    [all, others].iter().take(operands).map(|x| Tensor::new(&shape, x)).collect();
                let (found, want) =
                    (compiled.call(&args).expect("it runs"), program.interpret(&args).expect("it runs"));
                for (k, (x, y)) in found.iter().zip(&want).enumerate() {
                    let numbers = |t: &Tensor| t.astype(DType::F64).to_vec::<f64>();
                    let same = |(x, y): (&f64, &f64)| x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan();
                    let (x, y) = (numbers(x), numbers(y));
                    assert!(x.iter().zip(&y).all(same), "{op:?}, result {k} of {args:?}: {x:?} and {y:?}");
                }
            }
        }
    }
}
