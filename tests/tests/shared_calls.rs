//! Batches of library operations are shared out over threads, some examples in a call, and give what each example gives alone, to
//! the bit, also where the last call has fewer.

use std::collections::BTreeSet;
use wengert::{DType, Tensor, fft, jit, linalg, linalg::Factors};
use wengert_ir::entity::Entity;
use wengert_ir::kernel::{Block, KOp, Library, Program};

/// Calls of library operations in kernels that threads share, and in all.
fn calls(program: &Program) -> (usize, usize) {
    fn each(of: &Block, f: &mut dyn FnMut(&KOp)) {
        for inst in &of.insts {
            f(&inst.op);
            inst.op.blocks().for_each(|b| each(b, f));
        }
    }
    let mut shared = BTreeSet::new();
    let (mut inside, mut all) = (0, 0);
    for kernel in program.kernels.values() {
        each(&kernel.body, &mut |op| {
            if let KOp::Parallel { kernel, .. } = op {
                shared.insert(kernel.index());
            }
        });
    }
    for (k, kernel) in program.kernels.values().enumerate() {
        each(&kernel.body, &mut |op| {
            if let KOp::Library(library) = op
                && let Library::Reference { .. } = &**library
            {
                all += 1;
                inside += usize::from(shared.contains(&k));
            }
        });
    }
    (inside, all)
}

fn numbers(shape: &[usize]) -> Tensor {
    let n: usize = shape.iter().product();
    let values: Vec<f64> = (0..n).map(|k| ((k * k * 37 + 11 * k) % 1013) as f64 / 500.0 - 1.0).collect();
    Tensor::new(shape, &values)
}

type Of = fn(Tensor) -> Vec<Tensor>;

fn parts(z: Tensor) -> Vec<Tensor> {
    vec![z.real(), z.imag()]
}

/// Matrices that are positive definite.
fn positive(a: &Tensor) -> Tensor {
    a.matmul(&a.transpose(&[0, 2, 1])) + Tensor::eye(a.shape()[2], DType::F64)
}

/// Operations, of an example of this shape, and how many examples there are.
fn operations() -> Vec<(&'static str, Of, Vec<usize>, usize)> {
    let square = |n: usize| vec![n, n];
    vec![
        ("sort", |x| vec![x.sort(-1)], vec![64], 1000),
        ("sort, an odd number", |x| vec![x.sort(-1)], vec![64], 997),
        (
            "top_k",
            |x| {
                let (a, b) = x.top_k(5);
                vec![a, b.astype(DType::F64)]
            },
            vec![300],
            503,
        ),
        ("fft", |x| parts(fft::fft(&x, None, -1)), vec![256], 100),
        ("rfft", |x| parts(fft::rfft(&x, None, -1)), vec![256], 101),
        ("irfft", |x| vec![fft::irfft(&Tensor::complex(&x, &x.sin()), None, -1)], vec![129], 100),
        ("fft2", |x| parts(fft::fft2(&x)), square(16), 67),
        ("cholesky", |x| vec![linalg::cholesky(&x)], square(24), 61),
        ("solve", |x| vec![linalg::solve(&x, &x)], square(24), 61),
        (
            "qr",
            |x| {
                let (q, r) = linalg::qr(&x, Factors::Reduced);
                vec![q, r]
            },
            vec![24, 18],
            61,
        ),
        (
            "eigh",
            |x| {
                let (w, v) = linalg::eigh(&x);
                vec![w, v]
            },
            square(16),
            64,
        ),
        ("svd", |x| vec![linalg::svd(&x, Factors::Reduced).1], vec![20, 12], 67),
        ("eig", |x| parts(linalg::eigvals(&x)), square(12), 67),
    ]
}

#[test]
fn batches_are_shared_out_and_keep_their_bits() {
    for (name, f, shape, count) in operations() {
        let batch = numbers(&[&[count], &shape[..]].concat());
        let is_square = shape.len() == 2 && shape[0] == shape[1];
        let batch = if is_square { positive(&batch) } else { batch };
        let lowered = jit(f).trace((batch.clone(),)).and_then(|t| t.lower()).expect("lowers");
        let (shared, all) = calls(lowered.program());
        // What is left over is a call of its own.
        assert!(shared > 0 && all <= 2 * shared, "{name}: {shared} of {all} calls are shared");
        let whole = jit(f)(batch.clone());
        for k in [0, 1, count / 2, count - 1] {
            let one = jit(f)(batch.get(k as isize..k as isize + 1));
            for (whole, one) in whole.iter().zip(&one) {
                let bits = |t: &Tensor| t.to_vec::<f64>().iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                assert_eq!(bits(&whole.get(k as isize)), bits(&one.get(0)), "{name}: example {k}");
            }
        }
    }
}

/// A single example, a vector and little work are one call.
#[test]
fn what_is_no_batch_is_one_call() {
    let rows: Vec<(&str, Of, Vec<usize>)> = vec![
        ("a long vector", |x| vec![x.sort(0)], vec![100_000]),
        ("columns", |x| vec![x.sort(0)], vec![100, 64]),
        ("few numbers", |x| vec![x.sort(1)], vec![10, 20]),
        ("one matrix", |x| vec![linalg::svdvals(&x)], vec![60, 50]),
        ("a batch of one", |x| vec![linalg::svdvals(&x)], vec![1, 60, 50]),
    ];
    for (name, f, shape) in rows {
        let lowered = jit(f).trace((numbers(&shape),)).and_then(|t| t.lower()).expect("lowers");
        assert_eq!(calls(lowered.program()).0, 0, "{name}");
    }
}
