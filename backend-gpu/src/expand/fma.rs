//! A multiplication with an addition where the device rounds between them.

use wengert_ir::kernel::build::KernelBuilder;
use wengert_ir::kernel::{KBinary, KCast, KOp, KUnary, KValue, Scalar};
use wengert_ir::op::{CompareType, Direction};

/// `x * y + z` from the product and the sum with their errors (Dekker 1971, Knuth 4.2.2): the rounding of the sum of what is
/// lost is all that is missing. Where a part is infinite or would be, the plain product and sum.
pub(super) fn emulated(b: &mut KernelBuilder, ty: Scalar, x: KValue, y: KValue, z: KValue) -> KValue {
    let two = |b: &mut KernelBuilder, op: KBinary, p: KValue, q: KValue| b.op(KOp::Binary(op), &[p, q], ty);
    let (add, sub, mul) = (KBinary::Add, KBinary::Sub, KBinary::Mul);
    // The upper half of the bits, by a mask: no product that could be too large.
    let (int, mask) = match ty {
        Scalar::F64 => (Scalar::I64, 0xffff_ffff_f800_0000),
        _ => (Scalar::I32, 0xffff_f000),
    };
    let split = |b: &mut KernelBuilder, v: KValue| {
        let bits = b.op(KOp::Cast(KCast::Bits), &[v], int);
        let mask = b.bits(int, mask);
        let high = b.op(KOp::Binary(KBinary::And), &[bits, mask], int);
        let high = b.op(KOp::Cast(KCast::Bits), &[high], ty);
        (high, two(b, sub, v, high))
    };
    let product = two(b, mul, x, y);
    let ((xh, xl), (yh, yl)) = (split(b, x), split(b, y));
    let hh = two(b, mul, xh, yh);
    let hl = two(b, mul, xh, yl);
    let lh = two(b, mul, xl, yh);
    let ll = two(b, mul, xl, yl);
    let mut lost = two(b, sub, hh, product);
    for part in [hl, lh, ll] {
        lost = two(b, add, lost, part);
    }
    let sum = two(b, add, product, z);
    let of_z = two(b, sub, sum, product);
    let of_product = two(b, sub, sum, of_z);
    let from_product = two(b, sub, product, of_product);
    let from_z = two(b, sub, z, of_z);
    let lost_in_sum = two(b, add, from_product, from_z);
    let correction = two(b, add, lost, lost_in_sum);
    let corrected = two(b, add, sum, correction);
    // What is infinite or NaN on the way is decided by the plain sum.
    let size = b.op(KOp::Unary(KUnary::Abs), &[correction], ty);
    let infinity = b.float(ty, f64::INFINITY);
    let finite = b.op(KOp::Compare(Direction::Lt, CompareType::Float), &[size, infinity], Scalar::I1);
    // Zeros keep the sign of the plain sum.
    let zero = b.float(ty, 0.0);
    let changes = b.op(KOp::Compare(Direction::Ne, CompareType::Float), &[correction, zero], Scalar::I1);
    let use_it = b.op(KOp::Binary(KBinary::And), &[finite, changes], Scalar::I1);
    b.op(KOp::Select, &[use_it, corrected, sum], ty)
}
