//! Operands and results of a call as a handler finds them: where its layouts say, with its element types.

use super::abi::Buffer;
use crate::strides;
use crate::types;
use std::ffi::c_void;
use wengert::{DType, TensorType};
use wengert_ir::array::Array;

/// Where elements of XLA's begin: multiples of this many bytes.
const ALIGNMENT: usize = 64;

/// How many elements handlers have in a byte: those of fewer than eight bits lie close together, truth values excepted.
fn per_byte(dtype: DType) -> usize {
    if dtype == DType::I1 { 1 } else { (8 / dtype.bits()).max(1) }
}

/// Elements of a byte each as a handler has them, the first in the lowest bits. What is left over is zero.
fn pack(dtype: DType, bytes: &mut [u8]) {
    let (each, bits) = (per_byte(dtype), dtype.bits());
    if each == 1 {
        return;
    }
    types::to_host(dtype, bytes);
    for k in 0..bytes.len() {
        let part = bytes.get(k * each..).map_or(&[][..], |rest| &rest[..each.min(rest.len())]);
        bytes[k] = part.iter().enumerate().fold(0, |byte, (at, element)| byte | element << (at * bits));
    }
}

/// The contrary.
fn unpack(dtype: DType, bytes: &mut [u8]) {
    let (each, bits) = (per_byte(dtype), dtype.bits());
    if each > 1 {
        for k in (0..bytes.len()).rev() {
            bytes[k] = bytes[k / each] >> (k % each * bits) & ((1 << bits) - 1);
        }
    }
    types::from_host(dtype, bytes);
}

/// An operand or a result.
pub(super) struct Slot {
    ty: TensorType,
    number: i32,
    dims: Box<[i64]>,
    /// Bytes between neighbours, as the handler wants them.
    strides: Vec<i64>,
}

impl Slot {
    /// `order`: dimensions from the innermost, where the call says so. Fails if no handler knows the element type.
    pub(super) fn new(ty: &TensorType, order: Option<&[usize]>) -> Result<Slot, String> {
        let number = types::xla_number(ty.dtype)
            .ok_or_else(|| format!("handlers know no elements of {}", ty.dtype))?;
        let strides = match order {
            Some(order) => strides::in_order(ty, order.iter().copied()),
            None => strides::dense(ty),
        };
        Ok(Slot { ty: ty.clone(), number, dims: ty.shape.iter().map(|&n| n as i64).collect(), strides })
    }

    pub(super) fn ty(&self) -> &TensorType {
        &self.ty
    }

    /// Whether a handler may have elements where they are: they lie as here, and begin where XLA's do, at which any vector may.
    fn may_stay(&self, bytes: &[u8]) -> bool {
        strides::are_dense(&self.ty, &self.strides)
            && per_byte(self.ty.dtype) == 1
            && bytes.as_ptr().addr().is_multiple_of(ALIGNMENT)
    }

    /// A copy of the elements of an operand for a handler, if it cannot read them where they are.
    pub(super) fn given(&self, bytes: &[u8]) -> Option<Array> {
        if self.may_stay(bytes) {
            return None;
        }
        let mut out = Array::zeros(self.ty.clone());
        self.copy(bytes, &strides::dense(&self.ty), out.bytes_mut(), &self.strides);
        pack(self.ty.dtype, out.bytes_mut());
        Some(out)
    }

    /// Memory for a result, if a handler cannot write it where it is to lie.
    pub(super) fn room(&self, bytes: &[u8]) -> Option<Array> {
        if self.may_stay(bytes) { None } else { Some(Array::zeros(self.ty.clone())) }
    }

    /// What a handler has written, there or in place, where it is to lie.
    pub(super) fn taken(&self, room: Option<Array>, bytes: &mut [u8]) {
        let Some(mut room) = room else { return unpack(self.ty.dtype, bytes) };
        unpack(self.ty.dtype, room.bytes_mut());
        self.copy(room.bytes(), &self.strides, bytes, &strides::dense(&self.ty));
    }

    fn copy(&self, source: &[u8], from: &[i64], target: &mut [u8], to: &[i64]) {
        assert!([source.len(), target.len()] == [self.ty.bytes(); 2], "elements of {}", self.ty);
        // SAFETY: both are as long as the type says, and both sets of strides lay its elements densely in some order.
        unsafe { strides::copy(&self.ty, source.as_ptr(), from, target.as_mut_ptr(), to) }
    }

    /// What a handler gets of elements in memory. It lives as long as this and they do.
    pub(super) fn buffer(&self, data: *mut u8) -> Buffer {
        Buffer {
            struct_size: size_of::<Buffer>(),
            extension: std::ptr::null_mut(),
            dtype: self.number,
            data: data.cast::<c_void>(),
            rank: self.dims.len() as i64,
            dims: self.dims.as_ptr().cast_mut(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_elements_lie_close_together_and_come_apart() {
        for dtype in [DType::I4, DType::U4, DType::I2, DType::U2, DType::F4E2M1FN] {
            for count in 0..9usize {
                let host: Vec<u8> =
                    (0..count).map(|k| (k * 7 + 3) as u8 & ((1 << dtype.bits()) - 1)).collect();
                let mut ours = host.clone();
                types::from_host(dtype, &mut ours);
                let mut bytes = ours.clone();
                pack(dtype, &mut bytes);
                let used = count.div_ceil(per_byte(dtype));
                assert!(bytes[used..].iter().all(|&b| b == 0), "{dtype}");
                if count > 1 {
                    assert_eq!(
                        bytes[0] & ((1 << (2 * dtype.bits())) - 1) as u8,
                        host[0] | host[1] << dtype.bits()
                    );
                }
                unpack(dtype, &mut bytes);
                assert_eq!(bytes, ours, "{dtype} {count}");
            }
        }
        let mut bools = [1, 0, 1];
        pack(DType::I1, &mut bools);
        unpack(DType::I1, &mut bools);
        assert_eq!(bools, [1, 0, 1]);
    }

    #[test]
    fn element_types_are_those_of_the_api_but_for_what_handlers_lack() {
        for &dtype in DType::ALL {
            let lacks = matches!(dtype, DType::F6E2M3FN | DType::F6E3M2FN);
            assert_eq!(types::xla_number(dtype).is_none(), lacks, "{dtype}");
        }
    }
}
