//! Intervals of results, against results.

use wengert_ir::kernel::{KBinary, KCast, KUnary, Scalar, scalar};
use wengert_ir::testing::Random;
use wengert_ir::testing::intervals::{binary, cast, unary};

type Interval = (i64, i64);

/// Every operation on values of two intervals gives a value of the interval that is claimed.
#[test]
fn intervals_hold_every_result() {
    let mut random = Random(11);
    let ints = [Scalar::I64, Scalar::I32, Scalar::I16, Scalar::I8];
    use KBinary::*;
    let ops = [Add, Sub, Mul, Div, DivU, Rem, RemU, Min, MinU, Max, MaxU, And, Or, Xor, Shl, Shr, ShrU];
    let number = |random: &mut Random, ty: Scalar| {
        let n = match random.bits() % 5 {
            0 => random.bits() as i64,
            1 => random.bits() as i64 % 40,
            2 => [i64::MIN, i64::MAX, 0, -1, 1, i32::MAX.into(), i32::MIN.into()][random.bits() as usize % 7],
            3 => 1i64.wrapping_shl(random.bits() as u32 % 64),
            _ => random.bits() as i64 % 70_000,
        };
        scalar::signed(ty, scalar::truncate(ty, n as u64))
    };
    let between = |random: &mut Random, (low, high): Interval| {
        let span = (i128::from(high) - i128::from(low) + 1) as u128;
        match random.bits() % 4 {
            0 => low,
            1 => high,
            _ => (i128::from(low) + (u128::from(random.bits()) % span) as i128) as i64,
        }
    };
    let interval = |random: &mut Random, ty: Scalar| {
        let (a, b) = (number(random, ty), number(random, ty));
        if random.bits().is_multiple_of(4) { (a, a) } else { (a.min(b), a.max(b)) }
    };
    for _ in 0..200_000 {
        let ty = ints[random.bits() as usize % 4];
        let (x, y) = (interval(&mut random, ty), interval(&mut random, ty));
        let (a, b) = (between(&mut random, x), between(&mut random, y));
        let word = |n: i64| scalar::truncate(ty, n as u64);
        let op = ops[random.bits() as usize % ops.len()];
        let got = scalar::signed(ty, scalar::binary(op, ty, word(a), word(b)));
        let (low, high) = binary(op, ty, x, y);
        assert!(
            (low..=high).contains(&got),
            "{op:?} of {a} in {x:?} and {b} in {y:?}: {got} in {low}..={high}"
        );
        for op in [KUnary::Neg, KUnary::Abs, KUnary::Not, KUnary::Popcnt, KUnary::Clz] {
            let got = scalar::signed(ty, scalar::unary(op, ty, word(a)));
            let (low, high) = unary(op, ty, x);
            assert!((low..=high).contains(&got), "{op:?} of {a} in {x:?}: {got} in {low}..={high}");
        }
        let to = ints[random.bits() as usize % 4];
        for kind in [KCast::Signed, KCast::Unsigned] {
            let got = scalar::signed(to, scalar::cast(kind, ty, to, word(a)));
            let (low, high) = cast(kind, ty, to, x);
            assert!((low..=high).contains(&got), "{kind:?} of {a} in {x:?}: {got} in {low}..={high}");
        }
    }
}
