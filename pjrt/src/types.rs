//! Element types: their numbers in the API, and how elements lie in a caller's memory and in ours.
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

/// Numbers of element types that both sides know.
const NUMBERS: [(PJRT_Buffer_Type, DType); 30] = [
    (1, DType::I1),
    (2, DType::I8),
    (3, DType::I16),
    (4, DType::I32),
    (5, DType::I64),
    (6, DType::U8),
    (7, DType::U16),
    (8, DType::U32),
    (9, DType::U64),
    (10, DType::F16),
    (11, DType::F32),
    (12, DType::F64),
    (13, DType::BF16),
    (14, DType::C64),
    (15, DType::C128),
    (16, DType::F8E5M2),
    (17, DType::F8E4M3FN),
    (18, DType::F8E4M3B11FNUZ),
    (19, DType::F8E5M2FNUZ),
    (20, DType::F8E4M3FNUZ),
    (21, DType::I4),
    (22, DType::U4),
    (24, DType::I2),
    (25, DType::U2),
    (26, DType::F8E4M3),
    (27, DType::F8E3M4),
    (28, DType::F8E8M0FNU),
    (29, DType::F4E2M1FN),
    (32, DType::F6E2M3FN),
    (33, DType::F6E3M2FN),
];

/// The element type of a number.
pub(crate) fn dtype(number: PJRT_Buffer_Type) -> Done<DType> {
    let found = NUMBERS.iter().find(|(n, _)| *n == number).map(|(_, dtype)| *dtype);
    found.ok_or_else(|| {
        Failure::unimplemented(format!("Wengert has no element type {number} of the PJRT API"))
    })
}

/// The number of an element type.
pub(crate) fn number(dtype: DType) -> PJRT_Buffer_Type {
    NUMBERS.iter().find(|(_, d)| *d == dtype).expect("every element type has a number").0
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
        for &d in DType::ALL {
            assert_eq!(dtype(number(d)), Ok(d));
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
