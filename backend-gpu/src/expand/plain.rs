//! Roots and roundings of binary64 where a device's own are not to be relied on: made of sums, products, quotients and bits.

use super::fma;
use wengert_ir::kernel::build::KernelBuilder;
use wengert_ir::kernel::{KBinary, KCast, KOp, KUnary, KValue, Scalar};
use wengert_ir::op::{CompareType, Direction};

struct Maker<'b>(&'b mut KernelBuilder);

impl Maker<'_> {
    fn float(&mut self, x: f64) -> KValue {
        self.0.float(Scalar::F64, x)
    }
    fn word(&mut self, w: u64) -> KValue {
        self.0.bits(Scalar::I64, w)
    }
    fn two(&mut self, op: KBinary, a: KValue, b: KValue) -> KValue {
        let ty = self.0.ty(a);
        self.0.op(KOp::Binary(op), &[a, b], ty)
    }
    fn is(&mut self, direction: Direction, a: KValue, b: KValue) -> KValue {
        self.0.op(KOp::Compare(direction, CompareType::Float), &[a, b], Scalar::I1)
    }
    fn select(&mut self, mask: KValue, a: KValue, b: KValue) -> KValue {
        let ty = self.0.ty(a);
        self.0.op(KOp::Select, &[mask, a, b], ty)
    }
    fn bits(&mut self, x: KValue) -> KValue {
        self.0.op(KOp::Cast(KCast::Bits), &[x], Scalar::I64)
    }
    fn of_bits(&mut self, x: KValue) -> KValue {
        self.0.op(KOp::Cast(KCast::Bits), &[x], Scalar::F64)
    }
    fn cast(&mut self, x: KValue, to: Scalar) -> KValue {
        self.0.op(KOp::Cast(KCast::Signed), &[x], to)
    }
}

/// A function of one binary64, if it is one that is made here.
pub(super) fn unary(b: &mut KernelBuilder, op: KUnary, x: KValue) -> Option<KValue> {
    match op {
        KUnary::Sqrt => Some(root(b, x)),
        KUnary::Floor | KUnary::Ceil | KUnary::Nearest => Some(rounded(b, op, x)),
        KUnary::Neg | KUnary::Abs | KUnary::Not | KUnary::Popcnt | KUnary::Clz => None,
    }
}

/// Adding 2^52 to a smaller magnitude rounds it to an integer, ties to even; the others are one away from that at most. Exact.
fn rounded(b: &mut KernelBuilder, op: KUnary, x: KValue) -> KValue {
    let mut m = Maker(b);
    let bits = m.bits(x);
    let mask = m.word(1 << 63);
    let sign = m.two(KBinary::And, bits, mask);
    let magnitude = m.two(KBinary::Xor, bits, sign);
    let magnitude = m.of_bits(magnitude);
    let large = m.float(4_503_599_627_370_496.0);
    let sum = m.two(KBinary::Add, magnitude, large);
    let nearest = m.two(KBinary::Sub, sum, large);
    let signed = |m: &mut Maker<'_>, v: KValue| {
        let bits = m.bits(v);
        let bits = m.two(KBinary::Or, bits, sign);
        m.of_bits(bits)
    };
    let nearest = signed(&mut m, nearest);
    let one = m.float(1.0);
    let result = match op {
        KUnary::Floor => {
            let above = m.is(Direction::Gt, nearest, x);
            let lower = m.two(KBinary::Sub, nearest, one);
            m.select(above, lower, nearest)
        }
        KUnary::Ceil => {
            let below = m.is(Direction::Lt, nearest, x);
            let higher = m.two(KBinary::Add, nearest, one);
            let higher = signed(&mut m, higher);
            m.select(below, higher, nearest)
        }
        _ => nearest,
    };
    let small = m.is(Direction::Lt, magnitude, large);
    m.select(small, result, x)
}

/// From the root in binary32 of what lies in 1..4, by two steps of Newton and one for what is left.
fn root(b: &mut KernelBuilder, x: KValue) -> KValue {
    let mut m = Maker(b);
    // Away from the ends of the range, by even powers.
    let (tiny, huge) = (m.float(2f64.powi(-900)), m.float(2f64.powi(900)));
    let (is_tiny, is_huge) = (m.is(Direction::Lt, x, tiny), m.is(Direction::Gt, x, huge));
    let [one, up, down] = [1.0, 2f64.powi(200), 2f64.powi(-200)].map(|v| m.float(v));
    let factor = m.select(is_huge, down, one);
    let factor = m.select(is_tiny, up, factor);
    let scaled = m.two(KBinary::Mul, x, factor);
    let [half_up, half_down] = [2f64.powi(100), 2f64.powi(-100)].map(|v| m.float(v));
    let back = m.select(is_huge, half_up, one);
    let back = m.select(is_tiny, half_down, back);

    // The exponent without its last bit, and half of it.
    let bits = m.bits(scaled);
    let [fraction, bias, odd, half] = [52, 1023, !1, 1].map(|w: u64| m.word(w));
    let exponent = m.two(KBinary::ShrU, bits, fraction);
    let exponent = m.two(KBinary::Sub, exponent, bias);
    let even = m.two(KBinary::And, exponent, odd);
    let halved = m.two(KBinary::Shr, even, half);
    let power = |m: &mut Maker<'_>, n: KValue| {
        let biased = m.two(KBinary::Add, n, bias);
        let bits = m.two(KBinary::Shl, biased, fraction);
        m.of_bits(bits)
    };
    let zero = m.word(0);
    let negated = m.two(KBinary::Sub, zero, even);
    let (reduce, restore) = (power(&mut m, negated), power(&mut m, halved));
    let reduced = m.two(KBinary::Mul, scaled, reduce);
    let single = m.cast(reduced, Scalar::F32);
    let single = m.0.op(KOp::Unary(KUnary::Sqrt), &[single], Scalar::F32);
    let mut guess = m.cast(single, Scalar::F64);
    let by_half = m.float(0.5);
    for _ in 0..2 {
        let quotient = m.two(KBinary::Div, reduced, guess);
        let sum = m.two(KBinary::Add, guess, quotient);
        guess = m.two(KBinary::Mul, sum, by_half);
    }
    // What is left over, to its last bit, over twice the root: the rounding is then that of the exact root (Markstein).
    let negative = m.0.op(KOp::Unary(KUnary::Neg), &[guess], Scalar::F64);
    let rest = fma::emulated(m.0, Scalar::F64, negative, guess, reduced);
    let rest = m.two(KBinary::Mul, rest, by_half);
    let rest = m.two(KBinary::Div, rest, guess);
    let guess = m.two(KBinary::Add, guess, rest);
    let result = m.two(KBinary::Mul, guess, restore);
    let result = m.two(KBinary::Mul, result, back);

    // Of zeros and infinity the same; of less than zero and of NaN, NaN.
    let [nought, infinity, nan] = [0.0, f64::INFINITY, f64::NAN].map(|v| m.float(v));
    let positive = m.is(Direction::Gt, x, nought);
    let is_zero = m.is(Direction::Eq, x, nought);
    let is_infinite = m.is(Direction::Eq, x, infinity);
    let itself = m.two(KBinary::Or, is_zero, is_infinite);
    let result = m.select(positive, result, nan);
    m.select(itself, x, result)
}
