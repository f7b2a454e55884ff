//! The 8-bit floating-point formats, by definition: every code has a value, and a number becomes the
//! code of the nearest value.

use crate::types::DType;

/// Layout of an 8-bit format.
struct Format {
    mantissa: u32,
    bias: i32,
    /// What the codes with the largest exponent, and negative zero, mean.
    special: Special,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Special {
    /// Infinities and NaNs as IEEE 754 has them.
    Ieee,
    /// No infinity; NaN is the code with all bits set but the sign.
    FiniteNan,
    /// No infinity, no negative zero; its code is the NaN.
    NegativeZeroNan,
}

fn format(dtype: DType) -> Option<Format> {
    let (mantissa, bias, special) = match dtype {
        DType::F8E4M3FN => (3, 7, Special::FiniteNan),
        DType::F8E5M2 => (2, 15, Special::Ieee),
        DType::F8E4M3 => (3, 7, Special::Ieee),
        DType::F8E4M3B11FNUZ => (3, 11, Special::NegativeZeroNan),
        DType::F8E4M3FNUZ => (3, 8, Special::NegativeZeroNan),
        DType::F8E5M2FNUZ => (2, 16, Special::NegativeZeroNan),
        DType::F8E3M4 => (4, 3, Special::Ieee),
        _ => return None,
    };
    Some(Format { mantissa, bias, special })
}

impl Format {
    /// The largest code of a finite number.
    fn max_finite(&self) -> u8 {
        match self.special {
            Special::Ieee => (0x7F << self.mantissa & 0x7F) as u8 - 1,
            Special::FiniteNan => 0x7E,
            Special::NegativeZeroNan => 0x7F,
        }
    }

    /// The value of a finite non-negative code. Such codes ascend with their values.
    fn magnitude(&self, code: u8) -> f64 {
        let fraction = (code & ((1 << self.mantissa) - 1)) as f64;
        let exponent = (code >> self.mantissa) as i32;
        let unit = (1u32 << self.mantissa) as f64;
        if exponent == 0 {
            fraction / unit * 2f64.powi(1 - self.bias)
        } else {
            (1.0 + fraction / unit) * 2f64.powi(exponent - self.bias)
        }
    }
}

/// The value of a code, or `None` for what has no decimal spelling (infinities, NaNs).
pub(crate) fn decode(dtype: DType, code: u8) -> Option<f64> {
    let f = format(dtype)?;
    if f.special == Special::NegativeZeroNan && code == 0x80 || code & 0x7F > f.max_finite() {
        return None;
    }
    let value = f.magnitude(code & 0x7F);
    Some(if code & 0x80 != 0 { -value } else { value })
}

/// The code of the nearest value, ties to the even code; beyond the largest, infinity or NaN.
pub(super) fn encode(dtype: DType, value: f64) -> Option<u8> {
    let f = format(dtype)?;
    let max = f.max_finite();
    let nan = if f.special == Special::NegativeZeroNan { 0x80 } else { 0x7F };
    if value.is_nan() {
        return Some(nan);
    }
    let sign = (value.is_sign_negative() as u8) << 7;
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
        if below < above || below == above && lo % 2 == 1 { lo - 1 } else { lo }
    } else {
        // Past the largest: half a step still rounds down.
        let step = f.magnitude(max) - f.magnitude(max - 1);
        let half = f.magnitude(max) + step / 2.0;
        if x < half || x == half && max % 2 == 0 {
            max
        } else {
            return Some(match f.special {
                Special::Ieee => sign | (max + 1),
                Special::FiniteNan => sign | 0x7F,
                Special::NegativeZeroNan => 0x80,
            });
        }
    };
    Some(if code == 0 && f.special == Special::NegativeZeroNan { 0 } else { sign | code })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_finite_code_survives() {
        for &dtype in DType::ALL {
            for code in 0..=255u8 {
                if let Some(value) = decode(dtype, code) {
                    assert_eq!(encode(dtype, value), Some(code), "{dtype} {code:#x} {value}");
                }
            }
        }
    }

    #[test]
    fn known_values() {
        assert_eq!(decode(DType::F8E4M3FN, 0x7E), Some(448.0));
        assert_eq!(decode(DType::F8E5M2, 0x7B), Some(57344.0));
        assert_eq!(decode(DType::F8E4M3, 0x77), Some(240.0));
        assert_eq!(decode(DType::F8E3M4, 0x6F), Some(15.5));
        assert_eq!(decode(DType::F8E4M3FNUZ, 0x7F), Some(240.0));
        assert_eq!(encode(DType::F8E5M2, f64::INFINITY), Some(0x7C));
        assert_eq!(encode(DType::F8E4M3FN, 1e9), Some(0x7F));
        assert_eq!(encode(DType::F8E4M3FNUZ, -0.0), Some(0));
    }
}
