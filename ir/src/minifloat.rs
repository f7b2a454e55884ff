//! Floating-point formats of at most 8 bits, by definition: every code has a value, and a number becomes the
//! code of the nearest value. And conversions to 16-bit formats that round once.

use crate::types::DType;

/// Layout of a format.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// All bits, the sign included if there is one.
    pub bits: u32,
    /// Bits of the mantissa, the first of it left out.
    pub mantissa: u32,
    /// What the exponent in the code is larger by.
    pub bias: i32,
    /// What the codes with the largest exponent, and negative zero, mean.
    pub special: Special,
}

/// What the codes of a format mean that are not as in others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Special {
    /// Infinities and NaNs as IEEE 754 has them.
    Ieee,
    /// No infinity; NaN is the code with all bits set but the sign.
    FiniteNan,
    /// No infinity, no negative zero; its code is the NaN.
    NegativeZeroNan,
    /// Neither infinity nor NaN.
    Finite,
    /// Powers of two only: no sign, no zero; the largest code is NaN.
    Powers,
}

/// The format of an element type; panics for those of more than 8 bits.
fn format(dtype: DType) -> Format {
    Format::of(dtype).unwrap_or_else(|| panic!("{dtype} is no format of at most 8 bits"))
}

impl Format {
    /// The format of an element type, if it is one of at most 8 bits.
    pub fn of(dtype: DType) -> Option<Format> {
        let (bits, mantissa, bias, special) = match dtype {
            DType::F4E2M1FN => (4, 1, 1, Special::Finite),
            DType::F6E2M3FN => (6, 3, 1, Special::Finite),
            DType::F6E3M2FN => (6, 2, 3, Special::Finite),
            DType::F8E4M3FN => (8, 3, 7, Special::FiniteNan),
            DType::F8E5M2 => (8, 2, 15, Special::Ieee),
            DType::F8E4M3 => (8, 3, 7, Special::Ieee),
            DType::F8E4M3B11FNUZ => (8, 3, 11, Special::NegativeZeroNan),
            DType::F8E4M3FNUZ => (8, 3, 8, Special::NegativeZeroNan),
            DType::F8E5M2FNUZ => (8, 2, 16, Special::NegativeZeroNan),
            DType::F8E3M4 => (8, 4, 3, Special::Ieee),
            DType::F8E8M0FNU => (8, 0, 127, Special::Powers),
            DType::F64 | DType::F32 | DType::F16 | DType::BF16 | DType::C64 | DType::C128 => return None,
            DType::I64 | DType::I32 | DType::I16 | DType::I8 | DType::I4 | DType::I2 => return None,
            DType::U64 | DType::U32 | DType::U16 | DType::U8 | DType::U4 | DType::U2 | DType::I1 => {
                return None;
            }
        };
        Some(Format { bits, mantissa, bias, special })
    }

    /// The bit of the sign; 0 if there is none.
    pub fn sign(&self) -> u8 {
        if self.special == Special::Powers { 0 } else { 1 << (self.bits - 1) }
    }

    /// The largest code of a finite number.
    pub fn max_finite(&self) -> u8 {
        let largest = if self.special == Special::Powers { 0xFF } else { self.sign() - 1 };
        match self.special {
            Special::Ieee => (largest >> self.mantissa << self.mantissa) - 1,
            Special::FiniteNan | Special::Powers => largest - 1,
            Special::NegativeZeroNan | Special::Finite => largest,
        }
    }

    /// The value of a finite non-negative code. Such codes ascend with their values.
    fn magnitude(&self, code: u8) -> f64 {
        let fraction = (code & ((1 << self.mantissa) - 1)) as f64;
        let exponent = (code >> self.mantissa) as i32;
        let unit = (1u32 << self.mantissa) as f64;
        if exponent == 0 && self.special != Special::Powers {
            fraction / unit * 2f64.powi(1 - self.bias)
        } else {
            (1.0 + fraction / unit) * 2f64.powi(exponent - self.bias)
        }
    }
}

/// The value of a code of a type of at most 8 bits. Panics for other types.
pub fn decode(dtype: DType, code: u8) -> f64 {
    let f = format(dtype);
    let sign = f.sign();
    let (code, negative) = (code & (u8::MAX >> (8 - f.bits)), code & sign != 0);
    let size = code & !sign;
    let value = if f.special == Special::NegativeZeroNan && code == sign {
        f64::NAN
    } else if size <= f.max_finite() {
        f.magnitude(size)
    } else if f.special == Special::Ieee && size == f.max_finite() + 1 {
        f64::INFINITY
    } else {
        f64::NAN
    };
    if negative { -value } else { value }
}

/// The code of the nearest value in a type of at most 8 bits, ties to the even code, those of powers of two upwards; beyond the
/// largest, infinity or NaN or the largest, whichever the type has. A type of powers of two has NaN for zero. Panics for other types.
pub fn encode(dtype: DType, value: f64) -> u8 {
    let f = format(dtype);
    let max = f.max_finite();
    let nan = match f.special {
        Special::Ieee | Special::FiniteNan => f.sign() - 1,
        Special::NegativeZeroNan | Special::Finite => f.sign(),
        Special::Powers => 0xFF,
    };
    let sign = if value.is_sign_negative() { f.sign() } else { 0 };
    if value.is_nan() || f.special == Special::Powers && value <= 0.0 {
        // A NaN keeps its sign where there are two of them, so that widening and narrowing again changes no bit.
        let signed = matches!(f.special, Special::Ieee | Special::FiniteNan);
        return if signed { sign | nan } else { nan };
    }
    let x = value.abs();
    // The first code whose value is not less than x.
    let (mut lo, mut hi) = (0u8, max + 1);
    while lo < hi {
        let mid = lo + (hi - lo) / 2;
        if f.magnitude(mid) < x { lo = mid + 1 } else { hi = mid }
    }
    let code = if lo == 0 {
        0
    } else if lo <= max {
        let (below, above) = (x - f.magnitude(lo - 1), f.magnitude(lo) - x);
        let down = below == above && lo % 2 == 1 && f.special != Special::Powers;
        if below < above || down { lo - 1 } else { lo }
    } else {
        // Past the largest: half a step still rounds down.
        let step = if f.special == Special::Powers {
            f.magnitude(max)
        } else {
            f.magnitude(max) - f.magnitude(max - 1)
        };
        let half = f.magnitude(max) + step / 2.0;
        let tie = x == half && max.is_multiple_of(2) && f.special != Special::Powers;
        if x < half || tie || f.special == Special::Finite {
            max
        } else {
            return match f.special {
                Special::Ieee => sign | (max + 1),
                Special::FiniteNan | Special::NegativeZeroNan | Special::Powers | Special::Finite => {
                    if f.special == Special::FiniteNan { sign | nan } else { nan }
                }
            };
        }
    };
    if code == 0 && f.special == Special::NegativeZeroNan { 0 } else { sign | code }
}

/// The binary32 next to `x` on the side of zero, with its last bit set if that is not `x` itself. Rounding it
/// further to a shorter format gives what rounding `x` directly gives.
pub fn round_to_odd(x: f64) -> f32 {
    let nearest = x as f32;
    if nearest as f64 == x || x.is_nan() {
        return nearest;
    }
    let toward = if nearest.abs() as f64 > x.abs() { nearest.to_bits() - 1 } else { nearest.to_bits() };
    f32::from_bits(toward | 1)
}

/// The nearest binary16, rounded once.
pub fn f16_from_f64(x: f64) -> half::f16 {
    half::f16::from_f32(round_to_odd(x))
}

/// The nearest bfloat16, rounded once.
pub fn bf16_from_f64(x: f64) -> half::bf16 {
    half::bf16::from_f32(round_to_odd(x))
}

/// A binary64 that rounds to every shorter format as the integer does.
pub(crate) fn integer_to_odd(x: i128) -> f64 {
    let size = x.unsigned_abs();
    let spare = (128 - size.leading_zeros()).saturating_sub(53);
    let kept = size >> spare;
    let odd = kept | (kept << spare != size) as u128;
    let value = (odd << spare) as f64;
    if x < 0 { -value } else { value }
}
