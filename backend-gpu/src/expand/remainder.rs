//! C's `fmod`, by division bit by bit, which is exact.

use wengert_ir::kernel::build::KernelBuilder;
use wengert_ir::kernel::{KBinary, KCast, KOp, KUnary, KValue, Scalar};
use wengert_ir::op::{CompareType, Direction};

/// Builds `x - trunc(x / y) * y`, which has the sign of `x`.
pub(super) fn remainder(b: &mut KernelBuilder, ty: Scalar, x: KValue, y: KValue) -> KValue {
    let (int, bits, fraction) = match ty {
        Scalar::F64 => (Scalar::I64, 64u64, 52u64),
        _ => (Scalar::I32, 32, 23),
    };
    let infinity = ((1u64 << (bits - 1 - fraction)) - 1) << fraction;
    let word = |b: &mut KernelBuilder, n: u64| b.bits(int, n & (u64::MAX >> (64 - bits)));
    let two = |b: &mut KernelBuilder, op: KBinary, p: KValue, q: KValue| {
        let ty = b.ty(p);
        b.op(KOp::Binary(op), &[p, q], ty)
    };
    let is = |b: &mut KernelBuilder, d: Direction, kind: CompareType, p: KValue, q: KValue| {
        b.op(KOp::Compare(d, kind), &[p, q], Scalar::I1)
    };
    let choose = |b: &mut KernelBuilder, mask: KValue, p: KValue, q: KValue| {
        let ty = b.ty(p);
        b.op(KOp::Select, &[mask, p, q], ty)
    };
    let (signed, unsigned) = (CompareType::Signed, CompareType::Unsigned);
    let (sign, infinity_bits, implicit) =
        (word(b, 1 << (bits - 1)), word(b, infinity), word(b, 1 << fraction));
    let (zero, one, shift_by) = (word(b, 0), word(b, 1), word(b, fraction));
    let magnitude = word(b, (1 << (bits - 1)) - 1);
    let ux = b.op(KOp::Cast(KCast::Bits), &[x], int);
    let uy = b.op(KOp::Cast(KCast::Bits), &[y], int);
    let sign_x = two(b, KBinary::And, ux, sign);
    let (ax, ay) = (two(b, KBinary::And, ux, magnitude), two(b, KBinary::And, uy, magnitude));

    // Of infinity, by zero, or with NaN there is no remainder; of the smaller by the larger it is the smaller.
    let infinite = is(b, Direction::Ge, unsigned, ax, infinity_bits);
    let nan = is(b, Direction::Gt, unsigned, ay, infinity_bits);
    let by_zero = is(b, Direction::Eq, unsigned, ay, zero);
    let wrong = two(b, KBinary::Or, infinite, nan);
    let wrong = two(b, KBinary::Or, wrong, by_zero);
    let small = is(b, Direction::Lt, unsigned, ax, ay);
    let known = two(b, KBinary::Or, wrong, small);
    let open = b.op(KOp::Unary(KUnary::Not), &[known], Scalar::I1);

    // Both as a fraction with its leading bit, and an exponent; subnormals are shifted up.
    let spare = word(b, fraction.wrapping_add(1).wrapping_sub(bits));
    let split = |b: &mut KernelBuilder, a: KValue| {
        let exponent = two(b, KBinary::ShrU, a, shift_by);
        let normal = is(b, Direction::Ne, unsigned, exponent, zero);
        let zeros = b.op(KOp::Unary(KUnary::Clz), &[a], int);
        let shift = two(b, KBinary::Add, zeros, spare);
        let raised = two(b, KBinary::Shl, a, shift);
        let lowered = two(b, KBinary::Sub, one, shift);
        let high = two(b, KBinary::Shl, exponent, shift_by);
        let low = two(b, KBinary::Sub, a, high);
        let full = two(b, KBinary::Or, low, implicit);
        (choose(b, normal, full, raised), choose(b, normal, exponent, lowered))
    };
    let (mx, ex) = split(b, ax);
    let (my, ey) = split(b, ay);
    let subtracted = |b: &mut KernelBuilder, m: KValue| {
        let difference = two(b, KBinary::Sub, m, my);
        let fits = is(b, Direction::Ge, signed, difference, zero);
        choose(b, fits, difference, m)
    };
    let state = b.while_loop(
        &[mx, ex],
        |b, state| {
            let more = is(b, Direction::Gt, signed, state[1], ey);
            two(b, KBinary::And, more, open)
        },
        |b, state| {
            let rest = subtracted(b, state[0]);
            vec![two(b, KBinary::Shl, rest, one), two(b, KBinary::Sub, state[1], one)]
        },
    );
    let rest = subtracted(b, state[0]);

    // The leading bit back to its place; below the least exponent the number is subnormal.
    let zeros = b.op(KOp::Unary(KUnary::Clz), &[rest], int);
    let shift = two(b, KBinary::Add, zeros, spare);
    let raised = two(b, KBinary::Shl, rest, shift);
    let exponent = two(b, KBinary::Sub, ey, shift);
    let normal = is(b, Direction::Gt, signed, exponent, zero);
    let low = two(b, KBinary::Sub, raised, implicit);
    let high = two(b, KBinary::Shl, exponent, shift_by);
    let full = two(b, KBinary::Or, low, high);
    let down = two(b, KBinary::Sub, one, exponent);
    let subnormal = two(b, KBinary::ShrU, raised, down);
    let divided = choose(b, normal, full, subnormal);
    let exact = is(b, Direction::Eq, unsigned, rest, zero);
    let divided = choose(b, exact, zero, divided);
    let result = two(b, KBinary::Or, divided, sign_x);
    let result = choose(b, small, ux, result);
    let quiet = word(b, infinity | 1 << (fraction - 1));
    let result = choose(b, wrong, quiet, result);
    b.op(KOp::Cast(KCast::Bits), &[result], ty)
}
