//! One element of an elementwise operation, as kernel scalars.
//!
//! Written once over a [`Sink`]: straight-line code for tensors in registers and expression graphs of fused
//! loops are both made here, so they compute the same bits.

use super::narrow;
use super::sink::{Code, Sink};
use wengert_ir::kernel::{Combine, KBinary, KCast, KOp, KUnary, Scalar};
use wengert_ir::op::{BinaryOp, CompareType, Direction, Op, UnaryOp};
use wengert_ir::types::{DType, DTypeClass};
use wengert_ir::{ops_of, unary_of};

/// Why one element cannot be computed.
pub(in crate::lower) type Refused = &'static str;

/// The kernel type of an element type.
pub(in crate::lower) fn scalar(dtype: DType) -> Result<Scalar, Refused> {
    Scalar::of(dtype).ok_or("the element type is not executable yet")
}

/// The bits of one element in memory.
pub(in crate::lower) fn element_bits(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

fn is_unsigned(dtype: DType) -> bool {
    matches!(dtype.class(), DTypeClass::Unsigned | DTypeClass::Bool)
}

/// One element of an elementwise operation. `from` is the element type of the last operand, `to` that of the
/// result.
pub(in crate::lower) fn element<S: Sink>(
    sink: &mut S,
    op: &Op,
    x: &[S::Value],
    from: DType,
    to: DType,
) -> Result<S::Value, Refused> {
    let (kfrom, kto) = (Scalar::stored(from).0, Scalar::stored(to).0);
    // Nothing else is done to the bits of numbers that kernels do not compute with.
    if !matches!(op, Op::Convert(_) | Op::BitcastConvert(_)) {
        scalar(from).and(scalar(to))?;
    }
    let mut c = Code(sink);
    Ok(match op {
        Op::Unary(u) => return unary(&mut c, *u, x[0], from, kto),
        Op::Binary(b) => return binary(&mut c, *b, x[0], x[1], from),
        Op::Compare(o) => c.cmp(o.direction, o.kind, x[0], x[1]),
        Op::Select(_) => c.sel(x[0], x[1], x[2], kto),
        Op::Clamp(_) => {
            let low = binary(&mut c, BinaryOp::Maximum, x[1], x[0], to)?;
            return binary(&mut c, BinaryOp::Minimum, low, x[2], to);
        }
        Op::Fma(_) => match to.class() {
            DTypeClass::Float => c.0.op(KOp::Fma, x, kto),
            DTypeClass::Bool | DTypeClass::Signed | DTypeClass::Unsigned | DTypeClass::Complex => {
                let product = binary(&mut c, BinaryOp::Multiply, x[0], x[1], to)?;
                return binary(&mut c, BinaryOp::Add, product, x[2], to);
            }
        },
        Op::Convert(_) => convert(&mut c, x[0], from, to)?,
        Op::BitcastConvert(_) => {
            if kfrom == kto {
                x[0]
            } else if kfrom.size() == kto.size() {
                c.cast(KCast::Bits, x[0], kto)
            } else {
                return Err("bits of another width are not an element of their own");
            }
        }
        Op::ReducePrecision(o) => {
            reduce_precision(&mut c, x[0], kto, o.exponent_bits as u32, o.mantissa_bits as u32)?
        }
        ops_of!(source)
        | ops_of!(movement)
        | ops_of!(update)
        | ops_of!(contraction)
        | ops_of!(reduction)
        | ops_of!(library)
        | ops_of!(call)
        | ops_of!(control)
        | ops_of!(mark)
        | ops_of!(opaque) => return Err("not an elementwise operation"),
    })
}

fn unary<S: Sink>(
    c: &mut Code<'_, S>,
    op: UnaryOp,
    x: S::Value,
    dtype: DType,
    to: Scalar,
) -> Result<S::Value, Refused> {
    let ty = scalar(dtype)?;
    let float = ty.is_float();
    if let Some(f) = op.math_fn() {
        return if float { Ok(c.0.op(KOp::Math(f), &[x], ty)) } else { Err("only of floats") };
    }
    Ok(match op {
        UnaryOp::Abs => c.un(KUnary::Abs, x, ty),
        UnaryOp::Negate => c.un(KUnary::Neg, x, ty),
        UnaryOp::Sqrt => c.un(KUnary::Sqrt, x, ty),
        UnaryOp::Ceil => c.un(KUnary::Ceil, x, ty),
        UnaryOp::Floor => c.un(KUnary::Floor, x, ty),
        UnaryOp::RoundNearestEven => c.un(KUnary::Nearest, x, ty),
        UnaryOp::Not => c.un(KUnary::Not, x, ty),
        UnaryOp::Popcnt => c.un(KUnary::Popcnt, x, ty),
        UnaryOp::CountLeadingZeros => c.un(KUnary::Clz, x, ty),
        UnaryOp::Square => c.bin(KBinary::Mul, x, x, ty),
        // Of real numbers; complex ones do not come here.
        UnaryOp::Real | UnaryOp::Conj => x,
        UnaryOp::Imag => c.float(0.0, ty),
        UnaryOp::Sign => {
            // x itself if it is zero or NaN.
            let (kind, one, minus, zero) = if float {
                (CompareType::Float, c.float(1.0, ty), c.float(-1.0, ty), c.float(0.0, ty))
            } else {
                (CompareType::Signed, c.int(1, ty), c.int(-1, ty), c.int(0, ty))
            };
            let above = c.cmp(Direction::Gt, kind, x, zero);
            let below = c.cmp(Direction::Lt, kind, x, zero);
            let rest = c.sel(below, minus, x, ty);
            c.sel(above, one, rest, ty)
        }
        UnaryOp::RoundNearestAfz => {
            // The integer below in size, one more if half or more is missing, the sign of x.
            let size = c.un(KUnary::Abs, x, ty);
            let whole = c.un(KUnary::Floor, size, ty);
            let rest = c.bin(KBinary::Sub, size, whole, ty);
            let (half, one) = (c.float(0.5, ty), c.float(1.0, ty));
            let up = c.cmp(Direction::Ge, CompareType::Float, rest, half);
            let above = c.bin(KBinary::Add, whole, one, ty);
            let size = c.sel(up, above, whole, ty);
            copy_sign(c, size, x, ty)
        }
        UnaryOp::IsFinite => {
            // |x| < infinity; false for NaN.
            let size = c.un(KUnary::Abs, x, ty);
            let infinity = c.float(f64::INFINITY, ty);
            debug_assert_eq!(to, Scalar::I1);
            c.cmp(Direction::Lt, CompareType::Float, size, infinity)
        }
        unary_of!(library) | UnaryOp::BesselI1e => return Err("not a machine operation"),
        unary_of!(defined) => return Err("its definition takes its place"),
    })
}

fn sign_bit(ty: Scalar) -> (Scalar, u64) {
    if ty == Scalar::F32 { (Scalar::I32, 1 << 31) } else { (Scalar::I64, 1 << 63) }
}

/// `size` (not negative) with the sign of `x`.
fn copy_sign<S: Sink>(c: &mut Code<'_, S>, size: S::Value, x: S::Value, ty: Scalar) -> S::Value {
    let (int, bit) = sign_bit(ty);
    let bits = c.cast(KCast::Bits, x, int);
    let mask = c.0.constant(bit, int);
    let sign = c.bin(KBinary::And, bits, mask, int);
    let size = c.cast(KCast::Bits, size, int);
    let both = c.bin(KBinary::Or, size, sign, int);
    c.cast(KCast::Bits, both, ty)
}

/// The kernel operation of a binary one, where there is one.
pub(in crate::lower) fn binary_op(op: BinaryOp, dtype: DType) -> Result<KBinary, Refused> {
    let boolean = dtype == DType::I1;
    let unsigned = is_unsigned(dtype);
    Ok(match op {
        BinaryOp::Add if boolean => KBinary::Or,
        BinaryOp::Add => KBinary::Add,
        BinaryOp::Subtract => KBinary::Sub,
        BinaryOp::Multiply if boolean => KBinary::And,
        BinaryOp::Multiply => KBinary::Mul,
        BinaryOp::Divide if unsigned => KBinary::DivU,
        BinaryOp::Divide => KBinary::Div,
        BinaryOp::Remainder if unsigned => KBinary::RemU,
        BinaryOp::Remainder => KBinary::Rem,
        BinaryOp::Maximum if boolean => KBinary::Or,
        BinaryOp::Maximum if unsigned => KBinary::MaxU,
        BinaryOp::Maximum => KBinary::Max,
        BinaryOp::Minimum if boolean => KBinary::And,
        BinaryOp::Minimum if unsigned => KBinary::MinU,
        BinaryOp::Minimum => KBinary::Min,
        BinaryOp::And => KBinary::And,
        BinaryOp::Or => KBinary::Or,
        BinaryOp::Xor => KBinary::Xor,
        BinaryOp::ShiftLeft => KBinary::Shl,
        BinaryOp::ShiftRightArithmetic => KBinary::Shr,
        BinaryOp::ShiftRightLogical => KBinary::ShrU,
        BinaryOp::NextAfter => KBinary::NextAfter,
        BinaryOp::Power | BinaryOp::Atan2 | BinaryOp::Mulhi | BinaryOp::Zeta | BinaryOp::Polygamma => {
            return Err("not one kernel operation");
        }
        BinaryOp::Complex => return Err("kernels hold real numbers"),
    })
}

/// The monoid of a reducing operation.
pub(in crate::lower) fn combine(op: BinaryOp, dtype: DType) -> Result<Combine, Refused> {
    Combine::of(binary_op(op, dtype)?).ok_or("not a monoid")
}

/// Whether the order of combining does not matter to a bit.
pub(in crate::lower) fn order_free(combine: Combine, ty: Scalar) -> bool {
    !(ty.is_float() && matches!(combine, Combine::Add | Combine::Mul))
}

fn binary<S: Sink>(
    c: &mut Code<'_, S>,
    op: BinaryOp,
    a: S::Value,
    b: S::Value,
    dtype: DType,
) -> Result<S::Value, Refused> {
    let ty = scalar(dtype)?;
    match (op, op.math_fn2()) {
        (BinaryOp::Power, _) if !ty.is_float() => Ok(integer_power(c, a, b, ty, !is_unsigned(dtype))),
        (BinaryOp::Mulhi, _) => Ok(upper_half(c, a, b, ty, !is_unsigned(dtype))),
        (_, Some(f)) => Ok(c.0.op(KOp::Math2(f), &[a, b], ty)),
        _ => {
            let op = binary_op(op, dtype)?;
            Ok(c.bin(op, a, b, ty))
        }
    }
}

/// The upper half of a product of twice the width.
fn upper_half<S: Sink>(c: &mut Code<'_, S>, a: S::Value, b: S::Value, ty: Scalar, signed: bool) -> S::Value {
    if ty != Scalar::I64 {
        let how = if signed { KCast::Signed } else { KCast::Unsigned };
        let (a, b) = (c.cast(how, a, Scalar::I64), c.cast(how, b, Scalar::I64));
        let product = c.bin(KBinary::Mul, a, b, Scalar::I64);
        let width = c.int(8 * ty.size() as i64, Scalar::I64);
        let high = c.bin(KBinary::Shr, product, width, Scalar::I64);
        return c.cast(KCast::Signed, high, ty);
    }
    // By halves: (a1 B + a0) (b1 B + b0) with B = 2^32; every partial sum fits 64 bits.
    let (half, mask) = (c.int(32, ty), c.int(0xffff_ffff, ty));
    let (a0, b0) = (c.bin(KBinary::And, a, mask, ty), c.bin(KBinary::And, b, mask, ty));
    let (a1, b1) = (c.bin(KBinary::ShrU, a, half, ty), c.bin(KBinary::ShrU, b, half, ty));
    let low = c.bin(KBinary::Mul, a0, b0, ty);
    let carry = c.bin(KBinary::ShrU, low, half, ty);
    let middle = c.bin(KBinary::Mul, a1, b0, ty);
    let middle = c.bin(KBinary::Add, middle, carry, ty);
    let other = c.bin(KBinary::Mul, a0, b1, ty);
    let rest = c.bin(KBinary::And, middle, mask, ty);
    let other = c.bin(KBinary::Add, other, rest, ty);
    let high = c.bin(KBinary::Mul, a1, b1, ty);
    let first = c.bin(KBinary::ShrU, middle, half, ty);
    let second = c.bin(KBinary::ShrU, other, half, ty);
    let high = c.bin(KBinary::Add, high, first, ty);
    let mut high = c.bin(KBinary::Add, high, second, ty);
    if signed {
        // A negative factor counted 2^64 too much.
        let top = c.int(63, ty);
        for (x, y) in [(a, b), (b, a)] {
            let negative = c.bin(KBinary::Shr, x, top, ty);
            let excess = c.bin(KBinary::And, negative, y, ty);
            high = c.bin(KBinary::Sub, high, excess, ty);
        }
    }
    high
}

/// Square and multiply over all bits of the exponent; negative exponents give 1, -1, 0 or (of zero) -1.
fn integer_power<S: Sink>(
    c: &mut Code<'_, S>,
    a: S::Value,
    b: S::Value,
    ty: Scalar,
    signed: bool,
) -> S::Value {
    let bits = 8 * ty.size() as i64;
    let (zero, one) = (c.int(0, ty), c.int(1, ty));
    let (mut base, mut out) = (a, one);
    for k in 0..bits {
        let amount = c.int(k, ty);
        let shifted = c.bin(KBinary::ShrU, b, amount, ty);
        let low = c.bin(KBinary::And, shifted, one, ty);
        let set = c.cmp(Direction::Ne, CompareType::Unsigned, low, zero);
        let product = c.bin(KBinary::Mul, out, base, ty);
        out = c.sel(set, product, out, ty);
        if k + 1 < bits {
            base = c.bin(KBinary::Mul, base, base, ty);
        }
    }
    if !signed {
        return out;
    }
    let minus = c.int(-1, ty);
    let odd = c.bin(KBinary::And, b, one, ty);
    let odd = c.cmp(Direction::Ne, CompareType::Signed, odd, zero);
    let alternating = c.sel(odd, minus, one, ty);
    let is = |c: &mut Code<'_, S>, v| c.cmp(Direction::Eq, CompareType::Signed, a, v);
    let (is_one, is_minus, is_zero) = (is(c, one), is(c, minus), is(c, zero));
    let inverse = c.sel(is_zero, minus, zero, ty);
    let inverse = c.sel(is_minus, alternating, inverse, ty);
    let inverse = c.sel(is_one, one, inverse, ty);
    let negative = c.cmp(Direction::Lt, CompareType::Signed, b, zero);
    c.sel(negative, inverse, out, ty)
}

fn convert<S: Sink>(c: &mut Code<'_, S>, x: S::Value, from: DType, to: DType) -> Result<S::Value, Refused> {
    if from == to {
        return Ok(x);
    }
    if let Some(y) = narrow::convert(c, x, from, to) {
        return Ok(y);
    }
    let (kfrom, kto) = (scalar(from)?, scalar(to)?);
    let unsigned = if from.is_float() { is_unsigned(to) } else { is_unsigned(from) };
    if kfrom == kto && !from.is_float() {
        return Ok(x); // a change of sign only
    }
    if to == DType::I1 {
        let (zero, kind) = if from.is_float() {
            (c.float(0.0, kfrom), CompareType::Float)
        } else {
            (c.int(0, kfrom), CompareType::Unsigned)
        };
        return Ok(c.cmp(Direction::Ne, kind, x, zero));
    }
    Ok(c.cast(if unsigned { KCast::Unsigned } else { KCast::Signed }, x, kto))
}

/// Drops bits of the mantissa: to nearest even, a carry runs into the exponent, NaN stays. The sign is in nobody's way.
fn shorter<S: Sink>(c: &mut Code<'_, S>, x: S::Value, ty: Scalar, int: Scalar, drop: u32) -> S::Value {
    let bits = c.cast(KCast::Bits, x, int);
    let (amount, one) = (c.int(drop.into(), int), c.int(1, int));
    let odd = c.bin(KBinary::ShrU, bits, amount, int);
    let odd = c.bin(KBinary::And, odd, one, int);
    let half = c.int((1i64 << (drop - 1)) - 1, int);
    let sum = c.bin(KBinary::Add, bits, half, int);
    let sum = c.bin(KBinary::Add, sum, odd, int);
    let keep = c.int(-1 << drop, int);
    let rounded = c.bin(KBinary::And, sum, keep, int);
    let rounded = c.cast(KCast::Bits, rounded, ty);
    let is_nan = c.cmp(Direction::Ne, CompareType::Float, x, x);
    c.sel(is_nan, x, rounded, ty)
}

/// Rounds to `to_exponent` and `to_mantissa` bits on the bits of the float: to nearest even, overflow to
/// infinity, underflow to zero, NaN stays.
fn reduce_precision<S: Sink>(
    c: &mut Code<'_, S>,
    x: S::Value,
    ty: Scalar,
    to_exponent: u32,
    to_mantissa: u32,
) -> Result<S::Value, Refused> {
    let (exponent, mantissa) = match ty {
        Scalar::F64 => (11u32, 52u32),
        Scalar::F32 => (8, 23),
        Scalar::I64 | Scalar::I32 | Scalar::I16 | Scalar::I8 | Scalar::I1 => return Err("only of floats"),
    };
    let (int, sign_mask) = sign_bit(ty);
    if to_exponent >= exponent && (1..mantissa).contains(&to_mantissa) {
        return Ok(shorter(c, x, ty, int, mantissa - to_mantissa));
    }
    let infinity = ((1u64 << exponent) - 1) << mantissa;
    let bits = c.cast(KCast::Bits, x, int);
    let mask = c.0.constant(sign_mask, int);
    let sign = c.bin(KBinary::And, bits, mask, int);
    let original = c.bin(KBinary::Xor, bits, sign, int);
    let limit = c.0.constant(infinity, int);
    let mut size = original;
    if to_mantissa < mantissa {
        // A carry runs into the exponent, which is right.
        let drop = mantissa - to_mantissa;
        let amount = c.int(drop as i64, int);
        let one = c.int(1, int);
        let odd = c.bin(KBinary::ShrU, size, amount, int);
        let odd = c.bin(KBinary::And, odd, one, int);
        let half = c.int((1i64 << (drop - 1)) - 1, int);
        size = c.bin(KBinary::Add, size, half, int);
        size = c.bin(KBinary::Add, size, odd, int);
        let keep = c.0.constant((!0u64 << drop) & (sign_mask | (sign_mask - 1)), int);
        size = c.bin(KBinary::And, size, keep, int);
    }
    if to_exponent < exponent {
        let bias = (1u64 << (exponent - 1)) - 1;
        let to_bias = (1u64 << (to_exponent - 1)) - 1;
        // power = exponent field - bias; above to_bias is infinite, at or below -to_bias is zero.
        let first_infinite = c.0.constant((bias + to_bias + 1) << mantissa, int);
        let first_finite = c.0.constant((bias - to_bias + 1) << mantissa, int);
        let zero = c.int(0, int);
        let over = c.cmp(Direction::Ge, CompareType::Unsigned, size, first_infinite);
        let under = c.cmp(Direction::Lt, CompareType::Unsigned, size, first_finite);
        size = c.sel(under, zero, size, int);
        size = c.sel(over, limit, size, int);
    }
    let rounded = c.bin(KBinary::Or, sign, size, int);
    let nan = c.cmp(Direction::Gt, CompareType::Unsigned, original, limit);
    let of_nan = if to_mantissa > 0 { bits } else { c.bin(KBinary::Or, sign, limit, int) };
    let out = c.sel(nan, of_nan, rounded, int);
    Ok(c.cast(KCast::Bits, out, ty))
}
