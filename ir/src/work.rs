//! How much work an operation is: what limits on steps count, and what accounts of programs show. Pure.
//!
//! Arithmetic is counted in the customary way: an elementwise operation is 1 per element whatever it is, a contraction
//! 2 (multiply and add) per element of the result and of the contracted dimensions, a reduction 1 per element read.
//! Factorizations, sorting and transforms are counted by the leading term of the usual algorithms (Golub and Van Loan,
//! *Matrix Computations*); what moves elements only is 0.

use crate::op::Op;
use crate::types::{TensorType, Type};

/// Elements; what is not known counts as 1.
fn elements(ty: &TensorType) -> u64 {
    ty.checked_elements().map_or(1, |n| n as u64)
}

/// The elements that an operation writes, or its arithmetic if that is more: what a step is made of. What an operation runs
/// (the body of a loop, a function called) is counted where it runs.
pub fn work(op: &Op, operands: &[Type], results: &[Type]) -> u64 {
    let written = results.iter().filter_map(Type::as_tensor).map(elements).fold(0, u64::saturating_add);
    written.max(flops(op, operands, results))
}

/// Arithmetic operations of an operation on operands and results of these types.
pub fn flops(op: &Op, operands: &[Type], results: &[Type]) -> u64 {
    let count = |types: &[Type], k: usize| types.get(k).and_then(Type::as_tensor).map_or(0, elements);
    let (read, made) = (count(operands, 0), count(results, 0));
    let shape = |k: usize| operands.get(k).and_then(Type::as_tensor).map_or(&[][..], |t| &t.shape[..]);
    let size = |k: usize, d: usize| shape(k).get(d).map_or(1, |&n| n as u64);
    // Elements times the length of the last dimension: matrices of that order, each cubed in all.
    let cubed = read.saturating_mul(shape(0).last().map_or(1, |&n| n as u64));
    let log2 = |n: u64| u64::from(n.max(2).ilog2());
    match op {
        Op::Unary(_)
        | Op::Binary(_)
        | Op::Compare(_)
        | Op::Select(_)
        | Op::Convert(_)
        | Op::ReducePrecision(_) => made,
        Op::Fma(_) | Op::Clamp(_) => made.saturating_mul(2),
        Op::DotGeneral(d) => {
            let depth = d.lhs_contracting_dims.iter().map(|&k| size(0, k)).fold(1, u64::saturating_mul);
            made.saturating_mul(depth).saturating_mul(2)
        }
        Op::Convolution(c) => {
            let features = size(1, c.kernel_output_feature_dimension).max(1);
            made.saturating_mul(count(operands, 1) / features).saturating_mul(2)
        }
        Op::Reduce(reduce) => read.saturating_mul(reduce.inputs as u64),
        Op::ReduceWindow(r) => {
            let window = r.window_dimensions.iter().map(|&n| n as u64).fold(1, u64::saturating_mul);
            made.saturating_mul(window).saturating_mul(r.inputs as u64)
        }
        Op::SelectAndScatter(s) => {
            let window = s.window_dimensions.iter().map(|&n| n as u64).fold(1, u64::saturating_mul);
            count(operands, 1).saturating_mul(window)
        }
        Op::Scatter(s) => count(operands, s.inputs + 1).saturating_mul(s.inputs as u64),
        Op::Map(_) => made,
        Op::BatchNormTraining(_) => read.saturating_mul(7),
        Op::BatchNormInference(_) => read.saturating_mul(4),
        Op::BatchNormGrad(_) => read.saturating_mul(12),
        Op::Sort(s) => {
            let row = shape(0).get(s.dimension).map_or(1, |&n| n as u64);
            read.saturating_mul(log2(row))
        }
        Op::TopK(_) | Op::ApproxTopK(_) => read,
        Op::Fft(fft) => {
            let points = fft.length.iter().map(|&n| n as u64).fold(1, u64::saturating_mul);
            made.saturating_mul(5).saturating_mul(log2(points))
        }
        Op::Cholesky(_) | Op::Potrf(_) => cubed / 3,
        Op::Lu(_) => cubed.saturating_mul(2) / 3,
        Op::TriangularSolve(_) => {
            let order = shape(0).last().map_or(1, |&n| n as u64);
            made.saturating_mul(order)
        }
        Op::Qr(_) | Op::PivotedQr(_) | Op::HouseholderProduct(_) | Op::Tridiagonalize(_) => {
            cubed.saturating_mul(4) / 3
        }
        Op::Hessenberg(_) => cubed.saturating_mul(10) / 3,
        Op::Eigh(_) => cubed.saturating_mul(9),
        Op::Svd(_) => cubed.saturating_mul(21),
        Op::Eig(_) | Op::Schur(_) => cubed.saturating_mul(25),
        Op::TridiagonalSolve(_) => count(operands, 3).saturating_mul(8),
        Op::Rng(_) => made,
        Op::RngBitGenerator(_) => count(results, 1),
        Op::Constant(_)
        | Op::Zero(_)
        | Op::Iota(_)
        | Op::BitcastConvert(_)
        | Op::BroadcastInDim(_)
        | Op::Reshape(_)
        | Op::Transpose(_)
        | Op::Reverse(_)
        | Op::Slice(_)
        | Op::Concatenate(_)
        | Op::Pad(_)
        | Op::DynamicSlice(_)
        | Op::DynamicUpdateSlice(_)
        | Op::Gather(_)
        | Op::CustomCall(_)
        | Op::Call(_)
        | Op::Composite(_)
        | Op::Case(_)
        | Op::While(_)
        | Op::Scan(_)
        | Op::CustomJvp(_)
        | Op::CustomVjp(_)
        | Op::CustomLinear(_)
        | Op::StopGradient(_)
        | Op::OptimizationBarrier(_)
        | Op::Foreign(_)
        | Op::Check(_) => 0,
    }
}
