//! What arguments and results are: tensors or tokens. Element types: their numbers in the API, and how elements lie in a caller's memory and in ours.
//!
//! They lie the same in both but for elements of fewer than eight bits, each of which takes a byte in both. A caller leaves the upper
//! bits of a negative number zero (as `ml_dtypes` does), we repeat the sign. Upper bits of other elements are zero here, which code
//! counts on, and are not looked at in what a caller gives; of truth values all bits count there.

use crate::error::{Done, Failure};
use crate::ffi::PJRT_Buffer_Type;
use wengert::{DType, TensorType};
use wengert_ir::types::DTypeClass;

/// A token: it orders effects and has no elements.
pub(crate) const TOKEN: PJRT_Buffer_Type = 23;

/// An argument or a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Slot {
    Tensor(TensorType),
    Token,
}

/// Numbers of element types: in the API, in `xla_data.proto`, which handlers of users have, and ours.
const NUMBERS: [(PJRT_Buffer_Type, Option<i32>, DType); 30] = [
    (1, Some(1), DType::I1),
    (2, Some(2), DType::I8),
    (3, Some(3), DType::I16),
    (4, Some(4), DType::I32),
    (5, Some(5), DType::I64),
    (6, Some(6), DType::U8),
    (7, Some(7), DType::U16),
    (8, Some(8), DType::U32),
    (9, Some(9), DType::U64),
    (10, Some(10), DType::F16),
    (11, Some(11), DType::F32),
    (12, Some(12), DType::F64),
    (13, Some(16), DType::BF16),
    (14, Some(15), DType::C64),
    (15, Some(18), DType::C128),
    (16, Some(19), DType::F8E5M2),
    (17, Some(20), DType::F8E4M3FN),
    (18, Some(23), DType::F8E4M3B11FNUZ),
    (19, Some(24), DType::F8E5M2FNUZ),
    (20, Some(25), DType::F8E4M3FNUZ),
    (21, Some(21), DType::I4),
    (22, Some(22), DType::U4),
    (24, Some(26), DType::I2),
    (25, Some(27), DType::U2),
    (26, Some(28), DType::F8E4M3),
    (27, Some(29), DType::F8E3M4),
    (28, Some(33), DType::F8E8M0FNU),
    (29, Some(32), DType::F4E2M1FN),
    (32, None, DType::F6E2M3FN),
    (33, None, DType::F6E3M2FN),
];

/// The element type of a number.
pub(crate) fn dtype(number: PJRT_Buffer_Type) -> Done<DType> {
    let found = NUMBERS.iter().find(|(n, ..)| *n == number).map(|(.., dtype)| *dtype);
    found.ok_or_else(|| {
        Failure::unimplemented(format!("Wengert has no element type {number} of the PJRT API"))
    })
}

/// The number of an element type.
pub(crate) fn number(dtype: DType) -> PJRT_Buffer_Type {
    row(dtype).0
}

/// The number of an element type among XLA's own, if it is one of those that handlers know.
pub(crate) fn xla_number(dtype: DType) -> Option<i32> {
    row(dtype).1
}

fn row(dtype: DType) -> &'static (PJRT_Buffer_Type, Option<i32>, DType) {
    NUMBERS.iter().find(|(.., d)| *d == dtype).expect("every element type has a number")
}

/// The type of an array, if it has sizes that memory can have.
pub(crate) fn tensor(number: PJRT_Buffer_Type, dims: &[i64]) -> Done<TensorType> {
    let dtype = dtype(number)?;
    let shape: Option<Vec<usize>> = dims.iter().map(|&d| usize::try_from(d).ok()).collect();
    let ty = shape.map(|shape| TensorType::new(dtype, &shape));
    // The other sizes of an empty array count too.
    ty.filter(|ty| ty.checked_bytes().is_some())
        .ok_or_else(|| Failure::invalid(format!("no array has the dimensions {dims:?}")))
}

/// Whether elements lie otherwise in a caller's memory than in ours.
pub(crate) fn is_narrow(dtype: DType) -> bool {
    dtype.class() == DTypeClass::Signed && dtype.bits() < 8
}

/// An element of fewer than eight bits of a caller as ours.
fn ours(dtype: DType, byte: u8) -> u8 {
    let unused = 8 - dtype.bits() as u32;
    match dtype.class() {
        DTypeClass::Bool => (byte != 0) as u8,
        DTypeClass::Signed => ((byte << unused) as i8 >> unused) as u8,
        DTypeClass::Unsigned | DTypeClass::Float | DTypeClass::Complex => byte << unused >> unused,
    }
}

/// Whether elements of a caller may be read as ours where they lie, and written as the caller's.
pub(crate) fn are_ours(dtype: DType, bytes: &[u8]) -> bool {
    dtype.bits() >= 8 || !is_narrow(dtype) && bytes.iter().all(|&b| ours(dtype, b) == b)
}

/// Elements of a caller as ours.
pub(crate) fn from_host(dtype: DType, bytes: &mut [u8]) {
    if dtype.bits() < 8 {
        bytes.iter_mut().for_each(|b| *b = ours(dtype, *b));
    }
}

/// Our elements as a caller's.
pub(crate) fn to_host(dtype: DType, bytes: &mut [u8]) {
    if is_narrow(dtype) {
        let mask = (1u8 << dtype.bits()) - 1;
        bytes.iter_mut().for_each(|b| *b &= mask);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_type_has_one_number() {
        let mut of_xla = std::collections::BTreeSet::new();
        for &d in DType::ALL {
            assert_eq!(dtype(number(d)), Ok(d));
            assert!(xla_number(d).is_none_or(|n| of_xla.insert(n)), "{d:?}");
        }
        assert!(
            NUMBERS.len() == DType::ALL.len()
                && dtype(TOKEN).is_err()
                && dtype(0).is_err()
                && dtype(-1).is_err()
        );
    }

    #[test]
    fn narrow_integers_come_and_go() {
        for d in [DType::I4, DType::I2] {
            let host: Vec<u8> = (0..1 << d.bits()).collect();
            let mut bytes = host.clone();
            from_host(d, &mut bytes);
            let half = bytes.len() / 2;
            assert_eq!((bytes[half - 1] as i8, bytes[half] as i8), (half as i8 - 1, -(half as i8)));
            to_host(d, &mut bytes);
            assert_eq!(bytes, host);
        }
    }

    #[test]
    fn every_byte_of_a_caller_is_an_element() {
        for &d in DType::ALL {
            let all: Vec<u8> = (0..=255).collect();
            let mut bytes = all.clone();
            from_host(d, &mut bytes);
            let mut again = bytes.clone();
            to_host(d, &mut again);
            from_host(d, &mut again);
            assert_eq!(bytes, again, "{d:?}");
            assert_eq!(are_ours(d, &all), d.bits() >= 8);
            let count = bytes.iter().collect::<std::collections::BTreeSet<_>>().len();
            assert_eq!(count, 1 << d.bits().min(8), "{d:?}");
            if d.bits() < 8 && !is_narrow(d) {
                assert!(are_ours(d, &bytes) && bytes.iter().all(|b| b >> d.bits() == 0), "{d:?}");
            }
        }
        let mut bools = [0, 1, 2, 255];
        from_host(DType::I1, &mut bools);
        assert_eq!(bools, [0, 1, 1, 1]);
    }

    #[test]
    fn sizes_that_no_memory_has_are_refused() {
        assert!(tensor(12, &[2, 3]).is_ok_and(|t| t.bytes() == 48));
        assert!(tensor(12, &[0, 3]).is_ok_and(|t| t.bytes() == 0));
        for dims in [&[-1][..], &[i64::MAX], &[1 << 40, 1 << 40], &[0, 1 << 40, 1 << 40], &[1 << 60, 0]] {
            assert!(tensor(12, dims).is_err(), "{dims:?}");
        }
    }
}
