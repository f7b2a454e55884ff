//! What is computed from bytes to bytes has the bits of what is computed on arrays.

use smallvec::smallvec;
use wengert_ir::array::Array;
use wengert_ir::op::*;
use wengert_ir::rules::OpDef;
use wengert_ir::testing::{Random, eval_op};
use wengert_ir::types::{DType, TensorType};

/// Whether there is a way from bytes to bytes; if so its results are those of `eval` to the bit, whatever was there before.
fn same(op: impl Into<Op>, args: &[Array]) -> bool {
    let op = op.into();
    let want = eval_op(op.clone(), args);
    let mut found: Vec<Array> = want.iter().map(|a| Array::zeros(a.ty().clone())).collect();
    found.iter_mut().for_each(|a| a.bytes_mut().fill(0xa5));
    let types: Vec<TensorType> = want.iter().map(|a| a.ty().clone()).collect();
    let operands: Vec<(&TensorType, &[u8])> = args.iter().map(|a| (a.ty(), a.bytes())).collect();
    let mut results: Vec<(&TensorType, &mut [u8])> =
        types.iter().zip(found.iter_mut().map(Array::bytes_mut)).collect();
    let def: &dyn OpDef = op.def();
    let Some(done) = def.eval_into(&operands, &mut results) else { return false };
    done.unwrap_or_else(|e| panic!("{op:?}: {e}"));
    for (found, want) in found.iter().zip(&want) {
        assert_eq!(found.bytes(), want.bytes(), "{op:?} of {}", args[0].ty());
    }
    true
}

/// Matrices, some symmetric with a large diagonal, so that some are positive definite and some are not.
fn matrices(dtype: DType, batch: usize, n: usize, random: &mut Random) -> Array {
    let shape = if batch == 1 { vec![n, n] } else { vec![batch, n, n] };
    let add = [0.0, n as f64][random.below(2)];
    let x = random.array(&TensorType::new(DType::F64, &shape), -1.0, 1.0);
    let mut x = x;
    for (k, v) in x.as_mut_slice::<f64>().iter_mut().enumerate() {
        *v += if n > 0 && k / n % n == k % n { add } else { 0.0 };
    }
    wengert_ir::ops::convert(&x, dtype).expect("floats convert")
}

#[test]
fn factorizations_and_solves() {
    let mut random = Random(20_261_129);
    for dtype in [DType::F64, DType::F32] {
        for (batch, n) in [(1, 0), (1, 1), (1, 2), (1, 7), (1, 10), (1, 33), (3, 5), (9, 4), (17, 12), (0, 3)]
        {
            let a = matrices(dtype, batch, n, &mut random);
            for lower in [true, false] {
                assert!(same(Cholesky { lower }, std::slice::from_ref(&a)));
                assert!(same(Potrf { lower }, std::slice::from_ref(&a)));
            }
            for form in [CallForm::Lapack, CallForm::Generic] {
                assert!(same(Lu { form }, std::slice::from_ref(&a)));
            }
            for k in 0..12 {
                let left_side = k % 2 == 0;
                let mut shape = a.shape().to_vec();
                let at = shape.len() - if left_side { 1 } else { 2 };
                shape[at] = [1, 3][k / 2 % 2];
                let b = random.array(&TensorType::new(dtype, &shape), -1.0, 1.0);
                let transpose_a = [TransposeA::No, TransposeA::Transpose, TransposeA::Adjoint][k % 3];
                let op = TriangularSolve { left_side, lower: k < 6, unit_diagonal: k % 5 == 0, transpose_a };
                assert!(same(op, &[a.clone(), b]));
            }
        }
    }
    // What lies otherwise is left to the definition.
    let half = matrices(DType::F16, 1, 3, &mut random);
    assert!(!same(Cholesky { lower: true }, std::slice::from_ref(&half)));
}

#[test]
fn transforms() {
    let mut random = Random(7);
    for (kind, dtype) in [
        (FftType::Fft, DType::C64),
        (FftType::Ifft, DType::C128),
        (FftType::Rfft, DType::F32),
        (FftType::Irfft, DType::C128),
    ] {
        for n in [1usize, 5, 8, 30] {
            let x = random.array(&TensorType::new(dtype, &[3, n]), -1.0, 1.0);
            let length = if kind == FftType::Irfft { 2 * n - 1 } else { n };
            assert!(same(Fft { kind, length: smallvec![length] }, &[x]));
        }
    }
}
