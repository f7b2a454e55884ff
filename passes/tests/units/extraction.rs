//! Prices by which equal programs are compared, beside each other.

use wengert_ir::op::{BinaryOp, BroadcastInDim, Op, Reshape, Transpose, UnaryOp};
use wengert_ir::types::{DType, Dims, TensorType, Type};
use wengert_passes::cost::{Target, cost};

fn priced(op: &Op, operands: &[Type], results: &[Type]) -> u64 {
    cost(&Target::CPU, op, operands, results)
}

fn ty(shape: &[usize]) -> Type {
    TensorType::new(DType::F32, shape).into()
}

#[test]
fn work_before_broadcasting_is_cheaper_than_after() {
    let broadcast: Op = BroadcastInDim { shape: Dims::from_slice(&[64, 64]), dims: Dims::new() }.into();
    let exp: Op = UnaryOp::Exponential.into();
    let spread = priced(&broadcast, &[ty(&[])], &[ty(&[64, 64])]);
    let early = priced(&exp, &[ty(&[])], &[ty(&[])]) + spread;
    let late = priced(&exp, &[ty(&[64, 64])], &[ty(&[64, 64])]) + spread;
    assert!(early < late, "{early} {late}");
}

#[test]
fn reshapes_are_all_but_free_and_transposes_are_not() {
    let reshape: Op = Reshape { shape: Dims::from_slice(&[64]) }.into();
    let transpose: Op = Transpose { perm: Dims::from_slice(&[1, 0]) }.into();
    let (from, to) = ([ty(&[8, 8])], [ty(&[64])]);
    assert!(priced(&reshape, &from, &to) < priced(&BinaryOp::Add.into(), &[ty(&[]), ty(&[])], &[ty(&[])]));
    assert!(
        priced(&transpose, &from, &from) > priced(&BinaryOp::Add.into(), &[ty(&[8, 8]), ty(&[8, 8])], &from)
    );
}

#[test]
fn a_product_is_cheaper_than_a_quotient() {
    let t = ty(&[4]);
    let price = |op: BinaryOp| priced(&op.into(), &[t.clone(), t.clone()], std::slice::from_ref(&t));
    assert!(price(BinaryOp::Multiply) < price(BinaryOp::Divide));
    assert!(price(BinaryOp::Divide) < price(BinaryOp::Power));
}

#[test]
fn everything_costs_something() {
    let empty = ty(&[0]);
    assert!(priced(&Op::splat(TensorType::new(DType::F32, &[0]), 0.0), &[], &[empty]) > 0);
}
