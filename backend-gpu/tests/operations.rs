//! Every scalar operation of kernels on every type, from PTX text, against the kernel interpreter: all bits.

mod common;

use common::{TYPES, array, check, elementwise, pairs, words};
use wengert_ir::array::Array;
use wengert_ir::kernel::{KBinary, KCast, KOp, KUnary, Scalar, verify};
use wengert_ir::math::{MathFn, MathFn2};
use wengert_ir::op::{CompareType, Direction};
use wengert_ir::testing::Random;

const UNARY: [KUnary; 9] = [
    KUnary::Neg,
    KUnary::Abs,
    KUnary::Sqrt,
    KUnary::Floor,
    KUnary::Ceil,
    KUnary::Nearest,
    KUnary::Not,
    KUnary::Popcnt,
    KUnary::Clz,
];

const BINARY: [KBinary; 18] = [
    KBinary::Add,
    KBinary::Sub,
    KBinary::Mul,
    KBinary::Div,
    KBinary::DivU,
    KBinary::Rem,
    KBinary::RemU,
    KBinary::Min,
    KBinary::MinU,
    KBinary::Max,
    KBinary::MaxU,
    KBinary::And,
    KBinary::Or,
    KBinary::Xor,
    KBinary::Shl,
    KBinary::Shr,
    KBinary::ShrU,
    KBinary::NextAfter,
];

const DIRECTIONS: [Direction; 6] =
    [Direction::Eq, Direction::Ne, Direction::Ge, Direction::Gt, Direction::Le, Direction::Lt];

/// Checks an operation if the verifier takes it; whether it does.
fn one(what: &str, op: KOp, args: &[Array], ins: &[Scalar], out: Scalar) -> bool {
    let n = args[0].bytes().len() / ins[0].size();
    let program = elementwise(ins, &[out], n, |b, x| vec![b.op(op, x, out)]);
    let valid = verify::verify(&program).is_ok();
    if valid {
        check(what, &program, args);
    }
    valid
}

#[test]
fn unary_operations() {
    let mut checked = 0;
    for (ty, op) in TYPES.into_iter().flat_map(|ty| UNARY.map(|op| (ty, op))) {
        let x = array(ty, &words(ty));
        checked += usize::from(one(&format!("{op:?} of {ty:?}"), KOp::Unary(op), &[x], &[ty], ty));
    }
    // Six of floats, two types; five of integers, four types; three of truth values.
    assert_eq!(checked, 6 * 2 + 5 * 4 + 3);
}

#[test]
fn binary_operations() {
    let mut checked = 0;
    for (ty, op) in TYPES.into_iter().flat_map(|ty| BINARY.map(|op| (ty, op))) {
        checked +=
            usize::from(one(&format!("{op:?} of {ty:?}"), KOp::Binary(op), &pairs(ty, ty), &[ty, ty], ty));
    }
    assert_eq!(checked, 8 * 2 + 17 * 4 + 3);
}

#[test]
fn comparisons() {
    let kinds = [CompareType::Float, CompareType::TotalOrder, CompareType::Signed, CompareType::Unsigned];
    let mut checked = 0;
    for (ty, kind) in TYPES.into_iter().flat_map(|ty| kinds.map(|k| (ty, k))) {
        for direction in DIRECTIONS {
            let op = KOp::Compare(direction, kind);
            let what = format!("{direction:?} {kind:?} of {ty:?}");
            checked += usize::from(one(&what, op, &pairs(ty, ty), &[ty, ty], Scalar::I1));
        }
    }
    assert_eq!(checked, 6 * (2 * 2 + 4 * 2 + 1));
}

#[test]
fn conversions() {
    let mut checked = 0;
    for (from, to) in TYPES.into_iter().flat_map(|a| TYPES.map(|b| (a, b))) {
        for kind in [KCast::Signed, KCast::Unsigned, KCast::Bits] {
            let x = array(from, &words(from));
            let what = format!("{kind:?} {from:?} to {to:?}");
            checked += usize::from(one(&what, KOp::Cast(kind), &[x], &[from], to));
        }
    }
    assert_eq!(checked, 6 * 7 + 7 * 7 + 2 * 2 * 2 + 3);
}

#[test]
fn selections_and_fused_multiply_adds() {
    let mut random = Random(5);
    for ty in TYPES {
        let [x, y] = pairs(ty, ty);
        let n = x.bytes().len() / ty.size();
        let mask: Vec<u64> = (0..n).map(|_| random.bits() & 1).collect();
        let args = [array(Scalar::I1, &mask), x, y];
        assert!(one(&format!("select of {ty:?}"), KOp::Select, &args, &[Scalar::I1, ty, ty], ty));
    }
    for ty in [Scalar::F32, Scalar::F64] {
        let all = words(ty);
        let triples: Vec<[u64; 3]> = (0..3000).map(|_| [(); 3].map(|()| random.pick(&all))).collect();
        let args = [0, 1, 2].map(|k| array(ty, &triples.iter().map(|t| t[k]).collect::<Vec<_>>()));
        assert!(one(&format!("fma of {ty:?}"), KOp::Fma, &args, &[ty; 3], ty));
    }
}

/// Numbers of every size and sign.
fn samples(ty: Scalar, count: usize, seed: u64) -> Vec<u64> {
    let mut random = Random(seed);
    let mut all = words(ty);
    let scales = [2.0, 20.0, 800.0, 1e6, 1e30, 1e-30, 1e-306, 1e-310, 1e-37, 1e-41];
    for k in 0..count {
        let x = random.uniform(-1.0, 1.0) * scales[k % scales.len()];
        all.push(if ty == Scalar::F32 { u64::from((x as f32).to_bits()) } else { x.to_bits() });
    }
    all
}

/// The math library from its one source: the same bits from PTX text.
#[test]
fn the_math_library() {
    for ty in [Scalar::F32, Scalar::F64] {
        for &f in MathFn::ALL {
            let x = array(ty, &samples(ty, 150, 9));
            assert!(one(&format!("{} of {ty:?}", f.name()), KOp::Math(f), &[x], &[ty], ty));
        }
        for &f in MathFn2::ALL {
            let (x, mut y) = (samples(ty, 300, 10), samples(ty, 300, 11));
            let fixed = words(ty).len();
            y[..fixed].reverse();
            let args = [array(ty, &x), array(ty, &y)];
            assert!(one(&format!("{} of {ty:?}", f.name()), KOp::Math2(f), &args, &[ty, ty], ty));
        }
    }
}
