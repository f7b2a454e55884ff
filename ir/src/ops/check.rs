//! `check.expect_*` and `check.guard`: two tensors must agree, or the program stops. How elements are compared; what a
//! failure says stands with what else stops a program ([`Failure`]).

use crate::array::Array;
use crate::ensure;
use crate::func::{Loc, Module};
use crate::minifloat;
use crate::op::{Check, CheckKind};
use crate::ops::batching;
use crate::rules::{
    Batched, Emit, EvalError, Evaluate, Failure, Jvp, Mapped, OpDef, Tangents, TypeError, Types,
};
use crate::types::{DType, DTypeClass, Type};

/// Compares arrays of one type.
pub fn compare(check: &Check, actual: &Array, expected: &Array) -> Result<(), Box<Failure>> {
    let dtype = actual.dtype();
    let size = dtype.size();
    let holds = |a: &[u8], b: &[u8]| match dtype.class() {
        DTypeClass::Complex => {
            let ((ar, ai), (br, bi)) = (a.split_at(size / 2), b.split_at(size / 2));
            let part = if dtype == DType::C64 { DType::F32 } else { DType::F64 };
            floats_agree(check, part, ar, br) && floats_agree(check, part, ai, bi)
        }
        DTypeClass::Float => floats_agree(check, dtype, a, b),
        DTypeClass::Bool | DTypeClass::Signed | DTypeClass::Unsigned => a == b,
    };
    let pairs = || actual.bytes().chunks_exact(size).zip(expected.bytes().chunks_exact(size));
    let Some(first) = pairs().position(|(a, b)| !holds(a, b)) else { return Ok(()) };
    let mut index = vec![0; actual.shape().len()];
    let mut rest = first;
    for (i, &n) in index.iter_mut().zip(actual.shape()).rev() {
        *i = rest % n;
        rest /= n;
    }
    let show = |array: &Array| element(dtype, &array.bytes()[first * size..(first + 1) * size]);
    Err(Box::new(Failure {
        check: check.clone(),
        index,
        got: show(actual),
        expected: show(expected),
        wrong: (pairs().filter(|(a, b)| !holds(a, b)).count(), pairs().count()),
        loc: Loc::Unknown,
    }))
}

fn floats_agree(check: &Check, dtype: DType, a: &[u8], b: &[u8]) -> bool {
    let (x, y) = (float(dtype, a), float(dtype, b));
    match check.kind {
        CheckKind::Eq => x == y,
        CheckKind::Guard => a == b || x.is_nan() && y.is_nan(),
        CheckKind::AlmostEq => {
            if x == y || x.is_nan() && y.is_nan() {
                return true;
            }
            let same_sign = x.is_sign_negative() == y.is_sign_negative();
            x.is_finite() && y.is_finite() && same_sign && (x - y).abs() <= check.tolerance.get()
        }
        CheckKind::Close => {
            let apart = ulps(dtype, (a, x), (b, y));
            (check.min_ulp as u64..=check.max_ulp as u64).contains(&apart)
        }
    }
}

/// How many representable numbers two floats are apart; the largest number if one is not finite and they differ.
fn ulps(dtype: DType, (a, x): (&[u8], f64), (b, y): (&[u8], f64)) -> u64 {
    if a == b || x.is_nan() && y.is_nan() {
        return 0;
    }
    if !x.is_finite() || !y.is_finite() {
        return u64::MAX;
    }
    let sign = 1u64 << (dtype.bits() - 1);
    let (m, n) = (bits(a) & (sign - 1), bits(b) & (sign - 1));
    if (bits(a) ^ bits(b)) & sign == 0 { m.abs_diff(n) } else { m + n }
}

/// Up to eight little-endian bytes as a number.
fn bits(bytes: &[u8]) -> u64 {
    let mut wide = [0; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(wide)
}

/// The value of a float; every format fits `f64`.
fn float(dtype: DType, bytes: &[u8]) -> f64 {
    let bits = bits(bytes);
    match dtype {
        DType::F64 => f64::from_bits(bits),
        DType::F32 => f32::from_bits(bits as u32) as f64,
        DType::F16 => half::f16::from_bits(bits as u16).to_f64(),
        DType::BF16 => half::bf16::from_bits(bits as u16).to_f64(),
        other => minifloat::decode(other, bits as u8),
    }
}

/// An element in words.
pub fn element(dtype: DType, bytes: &[u8]) -> String {
    match dtype.class() {
        DTypeClass::Bool => (bytes[0] != 0).to_string(),
        DTypeClass::Unsigned => bits(bytes).to_string(),
        DTypeClass::Signed => {
            let unused = 64 - 8 * bytes.len() as u32;
            ((bits(bytes) << unused) as i64 >> unused).to_string()
        }
        DTypeClass::Float if dtype == DType::F32 => format!("{:?}", f32::from_bits(bits(bytes) as u32)),
        DTypeClass::Float => format!("{:?}", float(dtype, bytes)),
        DTypeClass::Complex => {
            let part = if dtype == DType::C64 { DType::F32 } else { DType::F64 };
            let (re, im) = bytes.split_at(bytes.len() / 2);
            format!("({}, {})", element(part, re), element(part, im))
        }
    }
}

impl OpDef for Check {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let [a, b] = operands else {
            return Err(TypeError::new("I1", format!("takes two tensors, not {} values", operands.len())));
        };
        ensure!(a.as_tensor().is_some(), "I1", "the checked value is {a}, not a tensor");
        ensure!(a == b, "C1", "{}: the types differ, {a} and {b}", self.kind.name());
        Ok(Types::new())
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        match compare(self, &operands[0], &operands[1]) {
            Ok(()) => Ok(Vec::new()),
            Err(failure) => Err(EvalError::Check(failure)),
        }
    }

    fn jvp(&self, _: &mut dyn Emit, _: Jvp<'_>) -> Tangents {
        Tangents::new()
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        batching::elementwise(e, size, self.clone().into(), operands)
    }
}
