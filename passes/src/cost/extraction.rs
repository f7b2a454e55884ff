//! What an operation costs where equal programs are compared: arithmetic, bytes moved and a launch, in units of 10 picoseconds.
//!
//! Elementwise operations and broadcasts usually end inside a loop with their neighbours, so only a part of
//! their traffic counts. The numbers need to be right only in proportion.

use super::Target;
use wengert_ir::op::{BinaryOp, Op, UnaryOp};
use wengert_ir::types::{TensorType, Type};
use wengert_ir::{ops_of, unary_of};

/// Picoseconds of a unit of cost.
const UNIT: u64 = 10;
/// What anything costs that is computed at all; it makes every cost positive.
const ONE: u64 = 1;
/// A loop, branch or call that runs functions: never what rules choose between.
const CONTROL: u64 = 10_000;

/// The cost of one operation on operands and results of these types; functions that it runs are not in it.
pub fn cost(target: &Target, op: &Op, operands: &[Type], results: &[Type]) -> u64 {
    let (launch, step) = (target.rates.expected_launch / UNIT, target.rates.expected_step / UNIT);
    let bytes =
        |types: &[Type]| types.iter().filter_map(Type::as_tensor).map(bytes).fold(0, u64::saturating_add);
    let (read, written) = (bytes(operands), bytes(results));
    let moved = read.saturating_add(written);
    let written_elements = results.first().and_then(Type::as_tensor).map_or(0, elements);
    let read_elements = operands.first().and_then(Type::as_tensor).map_or(0, elements);
    let per = |n: u64| written_elements.saturating_mul(n);
    match op {
        Op::Constant(_) | Op::Zero(_) | Op::Reshape(_) => ONE,
        Op::Iota(_) => step + per(1),
        // A value in a register, or an index that ignores a dimension.
        Op::BroadcastInDim(_) => step + written / 16,
        Op::Slice(_) => step + written / 4,
        Op::Unary(op) => step.saturating_add(per(unary(*op))).saturating_add(moved / 4),
        Op::Binary(op) => step.saturating_add(per(binary(*op))).saturating_add(moved / 4),
        Op::Compare(_) | Op::Select(_) | Op::Clamp(_) | Op::Fma(_) => {
            step.saturating_add(per(2)).saturating_add(moved / 4)
        }
        Op::Convert(_) | Op::BitcastConvert(_) | Op::ReducePrecision(_) => {
            step.saturating_add(per(2)).saturating_add(moved / 4)
        }
        Op::Transpose(_) | Op::Reverse(_) => launch.saturating_add(moved.saturating_mul(2)),
        Op::Concatenate(_) | Op::Pad(_) | Op::DynamicSlice(_) | Op::DynamicUpdateSlice(_) => {
            launch.saturating_add(moved)
        }
        Op::Gather(_) | Op::Scatter(_) => launch.saturating_add(moved).saturating_add(per(4)),
        Op::Reduce(_) => launch.saturating_add(read_elements.saturating_mul(2)).saturating_add(moved / 4),
        Op::DotGeneral(d) => {
            let lhs = operands.first().and_then(Type::as_tensor);
            let depth: u64 =
                lhs.map_or(1, |t| d.lhs_contracting_dims.iter().map(|&k| t.shape[k] as u64).product());
            launch.saturating_add(per(depth)).saturating_add(moved)
        }
        Op::Convolution(_) | Op::ReduceWindow(_) | Op::SelectAndScatter(_) | Op::Map(_) => {
            CONTROL.saturating_add(moved)
        }
        Op::BatchNormTraining(_) | Op::BatchNormInference(_) | Op::BatchNormGrad(_) => {
            CONTROL.saturating_add(moved)
        }
        Op::Rng(_) | Op::RngBitGenerator(_) => launch.saturating_add(per(32)),
        // The others: about as much work per element as a matrix has rows.
        ops_of!(library) => launch.saturating_add(moved).saturating_add(read_elements.saturating_mul(64)),
        Op::Composite(_) | Op::Call(_) | Op::Case(_) | Op::While(_) | Op::Scan(_) => {
            CONTROL.saturating_add(moved)
        }
        Op::OptimizationBarrier(_)
        | Op::StopGradient(_)
        | Op::CustomJvp(_)
        | Op::CustomVjp(_)
        | Op::CustomLinear(_)
        | Op::Checkpoint(_)
        | Op::LinearSolve(_)
        | Op::Root(_)
        | Op::AxisIndex(_)
        | Op::Collective(_)
        | Op::Print(_)
        | Op::Assert(_)
        | Op::Sow(_)
        | Op::Check(_)
        | Op::Foreign(_) => ONE,
    }
}

/// Bytes of a type; dynamic sizes count once.
pub(crate) fn bytes(ty: &TensorType) -> u64 {
    elements(ty).saturating_mul(ty.dtype.size() as u64)
}

fn elements(ty: &TensorType) -> u64 {
    ty.checked_elements().map_or(1, |n| n as u64)
}

/// Arithmetic per element.
fn unary(op: UnaryOp) -> u64 {
    match op {
        UnaryOp::Abs | UnaryOp::Negate | UnaryOp::Not | UnaryOp::IsFinite | UnaryOp::Square => 2,
        UnaryOp::Real | UnaryOp::Imag | UnaryOp::Conj => 2,
        UnaryOp::Sign | UnaryOp::Ceil | UnaryOp::Floor => 4,
        UnaryOp::RoundNearestAfz | UnaryOp::RoundNearestEven | UnaryOp::Popcnt => 4,
        UnaryOp::CountLeadingZeros => 4,
        UnaryOp::Sqrt => 12,
        UnaryOp::Rsqrt => 20,
        UnaryOp::Exponential | UnaryOp::ExponentialMinusOne | UnaryOp::Log | UnaryOp::LogPlusOne => 30,
        UnaryOp::Exp2 | UnaryOp::Log2 => 30,
        UnaryOp::Logistic | UnaryOp::Sine | UnaryOp::Cosine | UnaryOp::Tanh | UnaryOp::Cbrt => 40,
        UnaryOp::Tan | UnaryOp::Erf | UnaryOp::Erfc | UnaryOp::Asin | UnaryOp::Acos | UnaryOp::Atan => 60,
        UnaryOp::Sinh | UnaryOp::Cosh | UnaryOp::Asinh | UnaryOp::Acosh | UnaryOp::Atanh => 60,
        UnaryOp::ErfInv | UnaryOp::Lgamma | UnaryOp::Digamma | UnaryOp::BesselI1e => 120,
        // Seen only where nothing is legalized.
        unary_of!(defined) => 4,
    }
}

/// Arithmetic per element.
fn binary(op: BinaryOp) -> u64 {
    match op {
        BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply => 2,
        BinaryOp::Maximum | BinaryOp::Minimum | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => 2,
        BinaryOp::Complex => 2,
        BinaryOp::ShiftLeft | BinaryOp::ShiftRightArithmetic | BinaryOp::ShiftRightLogical => 2,
        BinaryOp::Divide | BinaryOp::Mulhi => 10,
        BinaryOp::Remainder | BinaryOp::NextAfter => 20,
        BinaryOp::Atan2 => 80,
        BinaryOp::Power => 100,
        BinaryOp::Zeta | BinaryOp::Polygamma => 400,
    }
}
