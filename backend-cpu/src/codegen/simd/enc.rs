//! The AVX-512 and AVX2 instructions that bodies are made of, by name; of pairs, the first is for 4-byte lanes, the second for
//! 8-byte lanes (of conversions of integers, the first is for signed ones, the second for unsigned ones).

/// An instruction's opcode and the fields of its prefix that do not depend on operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Enc {
    /// Opcode map: 1 = 0F, 2 = 0F38, 3 = 0F3A.
    pub(super) map: u8,
    /// Mandatory prefix: 0 = none, 1 = 66, 2 = F3, 3 = F2.
    pub(super) pp: u8,
    /// The W bit.
    pub(super) w: u8,
    /// The opcode byte.
    pub(super) op: u8,
}

impl Enc {
    pub(super) const fn new(map: u8, pp: u8, w: u8, op: u8) -> Self {
        Self { map, pp, w, op }
    }
}

/// Multiply-adds: by which signs are turned, for lanes of 4 and of 8 bytes.
const fn fused(op: u8) -> [[Enc; 2]; 4] {
    [
        [e(2, 1, 0, op), e(2, 1, 1, op)],
        [e(2, 1, 0, op + 2), e(2, 1, 1, op + 2)],
        [e(2, 1, 0, op + 4), e(2, 1, 1, op + 4)],
        [e(2, 1, 0, op + 6), e(2, 1, 1, op + 6)],
    ]
}

const fn e(map: u8, pp: u8, w: u8, op: u8) -> Enc {
    Enc::new(map, pp, w, op)
}

pub(super) const LOAD32: Enc = e(1, 0, 0, 0x10);
pub(super) const LOAD64: Enc = e(1, 1, 1, 0x10);
pub(super) const STORE32: Enc = e(1, 0, 0, 0x11);
pub(super) const STORE64: Enc = e(1, 1, 1, 0x11);
/// Past the caches, to addresses that are multiples of 64.
pub(super) const STREAM32: Enc = e(1, 0, 0, 0x2b);
pub(super) const STREAM64: Enc = e(1, 1, 1, 0x2b);
pub(super) const MOVE: Enc = e(1, 0, 0, 0x28);
pub(super) const BROADCAST32: Enc = e(2, 1, 0, 0x18);
pub(super) const BROADCAST64: Enc = e(2, 1, 1, 0x19);
pub(super) const FROM_GPR32: Enc = e(2, 1, 0, 0x7c);
pub(super) const FROM_GPR64: Enc = e(2, 1, 1, 0x7c);
/// With 4-byte and with 8-byte indices.
pub(super) const GATHER: [Enc; 2] = [e(2, 1, 0, 0x92), e(2, 1, 1, 0x93)];
/// With indices of the elements' size.
pub(super) const SCATTER: [Enc; 2] = [e(2, 1, 0, 0xa2), e(2, 1, 1, 0xa3)];
/// With 8-byte indices: half a vector of 4-byte elements, and a vector of 8-byte ones.
pub(super) const GATHER_BY_I64: [Enc; 2] = [e(2, 1, 0, 0x93), e(2, 1, 1, 0x93)];

pub(super) const FADD: [Enc; 2] = [e(1, 0, 0, 0x58), e(1, 1, 1, 0x58)];
pub(super) const FSUB: [Enc; 2] = [e(1, 0, 0, 0x5c), e(1, 1, 1, 0x5c)];
pub(super) const FMUL: [Enc; 2] = [e(1, 0, 0, 0x59), e(1, 1, 1, 0x59)];
pub(super) const FDIV: [Enc; 2] = [e(1, 0, 0, 0x5e), e(1, 1, 1, 0x5e)];
/// `a < b ? a : b`.
pub(super) const FMIN: [Enc; 2] = [e(1, 0, 0, 0x5d), e(1, 1, 1, 0x5d)];
/// `a > b ? a : b`.
pub(super) const FMAX: [Enc; 2] = [e(1, 0, 0, 0x5f), e(1, 1, 1, 0x5f)];
pub(super) const FSQRT: [Enc; 2] = [e(1, 0, 0, 0x51), e(1, 1, 1, 0x51)];
/// `a * 2^floor(b)`, rounded once.
pub(super) const SCALE: [Enc; 2] = [e(2, 1, 0, 0x2c), e(2, 1, 1, 0x2c)];
pub(super) const RANGE: [Enc; 2] = [e(3, 1, 0, 0x50), e(3, 1, 1, 0x50)];
pub(super) const ROUND: [Enc; 2] = [e(3, 1, 0, 0x08), e(3, 1, 1, 0x09)];
/// `a * b + c`, `a * b - c`, `c - a * b`, `-(a * b) - c`: over the first factor.
pub(super) const FMA213: [[Enc; 2]; 4] = fused(0xa8);
/// The same over what is added.
pub(super) const FMA231: [[Enc; 2]; 4] = fused(0xb8);
pub(super) const FCOMPARE: [Enc; 2] = [e(1, 0, 0, 0xc2), e(1, 1, 1, 0xc2)];

pub(super) const ADD: [Enc; 2] = [e(1, 1, 0, 0xfe), e(1, 1, 1, 0xd4)];
pub(super) const SUB: [Enc; 2] = [e(1, 1, 0, 0xfa), e(1, 1, 1, 0xfb)];
pub(super) const MUL: [Enc; 2] = [e(2, 1, 0, 0x40), e(2, 1, 1, 0x40)];
pub(super) const AND: [Enc; 2] = [e(1, 1, 0, 0xdb), e(1, 1, 1, 0xdb)];
pub(super) const OR: [Enc; 2] = [e(1, 1, 0, 0xeb), e(1, 1, 1, 0xeb)];
pub(super) const XOR: [Enc; 2] = [e(1, 1, 0, 0xef), e(1, 1, 1, 0xef)];
pub(super) const ABS: [Enc; 2] = [e(2, 1, 0, 0x1e), e(2, 1, 1, 0x1f)];
pub(super) const MIN: [Enc; 2] = [e(2, 1, 0, 0x39), e(2, 1, 1, 0x39)];
pub(super) const MAX: [Enc; 2] = [e(2, 1, 0, 0x3d), e(2, 1, 1, 0x3d)];
pub(super) const MIN_U: [Enc; 2] = [e(2, 1, 0, 0x3b), e(2, 1, 1, 0x3b)];
pub(super) const MAX_U: [Enc; 2] = [e(2, 1, 0, 0x3f), e(2, 1, 1, 0x3f)];
pub(super) const SHL: [Enc; 2] = [e(2, 1, 0, 0x47), e(2, 1, 1, 0x47)];
pub(super) const SHR: [Enc; 2] = [e(2, 1, 0, 0x46), e(2, 1, 1, 0x46)];
pub(super) const SHR_U: [Enc; 2] = [e(2, 1, 0, 0x45), e(2, 1, 1, 0x45)];
pub(super) const LEADING_ZEROS: [Enc; 2] = [e(2, 1, 0, 0x44), e(2, 1, 1, 0x44)];
pub(super) const COMPARE: [Enc; 2] = [e(3, 1, 0, 0x1f), e(3, 1, 1, 0x1f)];
pub(super) const COMPARE_U: [Enc; 2] = [e(3, 1, 0, 0x1e), e(3, 1, 1, 0x1e)];
pub(super) const TEST: [Enc; 2] = [e(2, 1, 0, 0x27), e(2, 1, 1, 0x27)];
pub(super) const BLEND: [Enc; 2] = [e(2, 1, 0, 0x65), e(2, 1, 1, 0x65)];

pub(super) const F32_TO_F64: Enc = e(1, 0, 0, 0x5a);
pub(super) const F64_TO_F32: Enc = e(1, 1, 1, 0x5a);
pub(super) const I32_TO_F32: [Enc; 2] = [e(1, 0, 0, 0x5b), e(1, 3, 0, 0x7a)];
pub(super) const I32_TO_F64: [Enc; 2] = [e(1, 2, 0, 0xe6), e(1, 2, 0, 0x7a)];
/// Towards zero, in the lower half; what does not fit is the sign bit alone of a signed one, all ones of an unsigned one.
pub(super) const F64_TO_I32: [Enc; 2] = [e(1, 1, 1, 0xe6), e(1, 0, 1, 0x78)];
/// Towards zero, as those of `f64`.
pub(super) const F32_TO_I32: [Enc; 2] = [e(1, 2, 0, 0x5b), e(1, 0, 0, 0x78)];
pub(super) const F64_TO_I64: [Enc; 2] = [e(1, 1, 1, 0x7a), e(1, 1, 1, 0x78)];
pub(super) const I64_TO_F64: [Enc; 2] = [e(1, 2, 1, 0xe6), e(1, 2, 1, 0x7a)];
pub(super) const I64_TO_F32: [Enc; 2] = [e(1, 0, 1, 0x5b), e(1, 3, 1, 0x7a)];
pub(super) const I32_TO_I64: [Enc; 2] = [e(2, 1, 0, 0x25), e(2, 1, 0, 0x35)];
/// Source and target exchanged.
pub(super) const I64_TO_I32: Enc = e(2, 2, 0, 0x35);
/// Source and target exchanged.
pub(super) const UPPER_HALF: Enc = e(3, 1, 1, 0x1b);
/// Half a vector of memory as both halves.
pub(super) const BOTH_HALVES: Enc = e(2, 1, 1, 0x5b);
pub(super) const WITH_UPPER: Enc = e(3, 1, 1, 0x1a);
/// Bytes to 4-byte lanes, and to 8-byte lanes.
pub(super) const FROM_BYTES: [Enc; 2] = [e(2, 1, 0, 0x31), e(2, 1, 0, 0x32)];
/// Bytes and pairs of them to 4-byte lanes, by sign and by zeros.
pub(super) const FROM_SIGNED: [Enc; 2] = [e(2, 1, 0, 0x21), e(2, 1, 0, 0x23)];
pub(super) const FROM_UNSIGNED: [Enc; 2] = [FROM_BYTES[0], e(2, 1, 0, 0x33)];
/// The low bytes of 4-byte lanes: one, and two.
pub(super) const TO_NARROW: [Enc; 2] = [TO_BYTES[0], e(2, 2, 0, 0x33)];
/// 4-byte lanes to bytes, and 8-byte lanes.
pub(super) const TO_BYTES: [Enc; 2] = [e(2, 2, 0, 0x31), e(2, 2, 0, 0x32)];

/// Two quarters of the first operand below two of the second.
pub(super) const QUARTERS: Enc = e(3, 1, 1, 0x23);
/// Lanes of the target and of the third operand, numbered through, as the second operand says; lanes of the third operand alone.
pub(super) const PERMUTE_TWO: [Enc; 2] = [e(2, 1, 0, 0x7e), e(2, 1, 1, 0x7e)];
/// Lanes of the second and of the third operand, numbered through, as the target says, which they replace.
pub(super) const PERMUTE_BY: [Enc; 2] = [e(2, 1, 0, 0x76), e(2, 1, 1, 0x76)];
pub(super) const PERMUTE_ONE: [Enc; 2] = [e(2, 1, 0, 0x36), e(2, 1, 1, 0x36)];
/// 4-byte lanes within each quarter.
pub(super) const SHUFFLE: Enc = e(1, 1, 0, 0x70);

/// AVX2: where AVX-512 has no instruction, or one of another encoding.
pub(super) const EACH64: Enc = e(2, 1, 0, 0x19);
/// From the first lane of a register.
pub(super) const SPREAD: [Enc; 2] = [e(2, 1, 0, 0x58), e(2, 1, 0, 0x59)];
pub(super) const FROM_GPR: Enc = e(1, 1, 1, 0x6e);
/// With the mask as the second operand, in memory that need not be there where the mask is not.
pub(super) const MASKED_LOAD: [Enc; 2] = [e(2, 1, 0, 0x2c), e(2, 1, 0, 0x2d)];
pub(super) const MASKED_STORE: [Enc; 2] = [e(2, 1, 0, 0x2e), e(2, 1, 0, 0x2f)];
pub(super) const EQUAL: [Enc; 2] = [e(1, 1, 0, 0x76), e(2, 1, 0, 0x29)];
pub(super) const GREATER: [Enc; 2] = [e(1, 1, 0, 0x66), e(2, 1, 0, 0x37)];
pub(super) const ANDN: Enc = e(1, 1, 0, 0xdf);
/// The third operand where the mask, which is the upper half of the immediate byte, is negative; else the second.
pub(super) const CHOOSE: Enc = e(3, 1, 0, 0x4a);
/// Source and target exchanged.
pub(super) const UPPER_QUARTER: Enc = e(3, 1, 0, 0x19);
pub(super) const WITH_UPPER_QUARTER: Enc = e(3, 1, 0, 0x18);
pub(super) const SWAP_QUARTERS: Enc = e(3, 1, 0, 0x06);
/// Floats to 4-byte integers, rounded; of 8-byte floats, in the lower half.
pub(super) const TO_I32: [Enc; 2] = [e(1, 1, 0, 0x5b), e(1, 3, 0, 0xe6)];
/// 8-byte lanes of the whole vector.
pub(super) const PERMUTE: Enc = e(3, 1, 1, 0x00);
/// 4-byte lanes to 2-byte lanes, and those to bytes, saturating without a sign, within quarters of 128 bits.
pub(super) const TO_WORDS: Enc = e(2, 1, 0, 0x2b);
pub(super) const WORDS_TO_BYTES: Enc = e(1, 1, 0, 0x67);
/// The lowest 8 bytes, and the lowest 16.
pub(super) const STORE_LOWEST: Enc = e(1, 1, 0, 0xd6);
pub(super) const STORE_QUARTER: Enc = e(1, 2, 0, 0x7f);
/// One element of 1 or of 2 bytes of memory in the place that the immediate byte says, and the other way round.
pub(super) const INSERT: [Enc; 2] = [e(3, 1, 0, 0x20), e(1, 1, 0, 0xc4)];
pub(super) const EXTRACT: [Enc; 2] = [e(3, 1, 0, 0x14), e(3, 1, 0, 0x15)];
/// Those whose operands are of 128 bits.
pub(super) const SHORT: [Enc; 7] =
    [FROM_GPR, STORE_LOWEST, STORE_QUARTER, INSERT[0], INSERT[1], EXTRACT[0], EXTRACT[1]];

pub(super) const KAND: u8 = 0x41;
pub(super) const KANDN: u8 = 0x42;
pub(super) const KOR: u8 = 0x45;
pub(super) const KXOR: u8 = 0x47;

/// What an instruction is called in listings.
pub(super) fn name(enc: Enc) -> &'static str {
    let single = [
        (LOAD32, "load"),
        (LOAD64, "load"),
        (STORE32, "store"),
        (STORE64, "store"),
        (MOVE, "move"),
        (EACH64, "broadcast"),
        (FROM_GPR, "from_gpr"),
        (ANDN, "andn"),
        (CHOOSE, "choose"),
        (UPPER_QUARTER, "upper_quarter"),
        (WITH_UPPER_QUARTER, "with_upper_quarter"),
        (SWAP_QUARTERS, "swap_quarters"),
        (TO_I32[0], "to_i32"),
        (TO_I32[1], "to_i32"),
        (PERMUTE, "permute"),
        (TO_WORDS, "to_words"),
        (WORDS_TO_BYTES, "words_to_bytes"),
        (STORE_LOWEST, "store"),
        (STORE_QUARTER, "store"),
        (BROADCAST32, "broadcast"),
        (BROADCAST64, "broadcast"),
        (FROM_GPR32, "broadcast"),
        (FROM_GPR64, "broadcast"),
        (F32_TO_F64, "f32_to_f64"),
        (F64_TO_F32, "f64_to_f32"),
        (I64_TO_I32, "i64_to_i32"),
        (UPPER_HALF, "upper_half"),
        (WITH_UPPER, "with_upper"),
        (QUARTERS, "quarters"),
        (SHUFFLE, "shuffle"),
    ];
    let pairs = [
        (GATHER, "gather"),
        (GATHER_BY_I64, "gather_by_i64"),
        (SCATTER, "scatter"),
        (FADD, "fadd"),
        (FSUB, "fsub"),
        (FMUL, "fmul"),
        (FDIV, "fdiv"),
        (FMIN, "fmin"),
        (FMAX, "fmax"),
        (FSQRT, "fsqrt"),
        (SCALE, "scale"),
        (RANGE, "range"),
        (ROUND, "round"),
        (FMA213[0], "fma213"),
        (FMA213[1], "fms213"),
        (FMA213[2], "fnma213"),
        (FMA213[3], "fnms213"),
        (FMA231[0], "fma231"),
        (FMA231[1], "fms231"),
        (FMA231[2], "fnma231"),
        (FMA231[3], "fnms231"),
        (FCOMPARE, "fcompare"),
        (ADD, "add"),
        (SUB, "sub"),
        (MUL, "mul"),
        (AND, "and"),
        (OR, "or"),
        (XOR, "xor"),
        (ABS, "abs"),
        (MIN, "min"),
        (MAX, "max"),
        (MIN_U, "min_u"),
        (MAX_U, "max_u"),
        (SHL, "shl"),
        (SHR, "shr"),
        (SHR_U, "shr_u"),
        (LEADING_ZEROS, "leading_zeros"),
        (COMPARE, "compare"),
        (COMPARE_U, "compare_u"),
        (TEST, "test"),
        (BLEND, "blend"),
        (EQUAL, "equal"),
        (GREATER, "greater"),
        (I32_TO_F32, "i32_to_f32"),
        (I32_TO_F64, "i32_to_f64"),
        (F64_TO_I32, "f64_to_i32"),
        (F32_TO_I32, "f32_to_i32"),
        (F64_TO_I64, "f64_to_i64"),
        (I64_TO_F64, "i64_to_f64"),
        (I64_TO_F32, "i64_to_f32"),
        (I32_TO_I64, "i32_to_i64"),
        (FROM_BYTES, "from_bytes"),
        (TO_BYTES, "to_bytes"),
        (FROM_SIGNED, "from_narrow"),
        (FROM_UNSIGNED, "from_narrow_unsigned"),
        (TO_NARROW, "to_narrow"),
    ];
    let pair = pairs.iter().find(|(pair, _)| pair.contains(&enc)).map(|&(_, name)| name);
    pair.or_else(|| single.iter().find(|(known, _)| *known == enc).map(|&(_, name)| name)).unwrap_or("?")
}
