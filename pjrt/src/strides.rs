//! Arrays whose elements do not lie in row-major order, as callers may have them: copied from and to those that do.

use crate::entry;
use crate::error::{Done, Failure};
use crate::ffi::{PJRT_Buffer_MemoryLayout, layout_type};
use wengert::TensorType;

/// Bytes between neighbours along each dimension, where elements lie in row-major order.
pub(crate) fn dense(ty: &TensorType) -> Vec<i64> {
    in_order(ty, (0..ty.shape.len()).rev())
}

/// Whether elements that lie so lie in row-major order: nobody walks along a dimension of one.
pub(crate) fn are_dense(ty: &TensorType, strides: &[i64]) -> bool {
    ty.shape.iter().zip(strides).zip(&dense(ty)).all(|((&n, s), d)| n == 1 || s == d)
}

/// The same where dimensions follow each other from the innermost as `order` says.
pub(crate) fn in_order(ty: &TensorType, order: impl Iterator<Item = usize>) -> Vec<i64> {
    let (mut strides, mut step) = (vec![0; ty.shape.len()], ty.dtype.size() as i64);
    for k in order {
        strides[k] = step;
        step = step.saturating_mul(ty.shape[k].max(1) as i64);
    }
    strides
}

/// The strides that a caller asks for with a layout, or those of row-major order if it gives none.
///
/// # Safety
/// `layout` is null or points to a layout as the header describes it.
pub(crate) unsafe fn of_layout(ty: &TensorType, layout: *const PJRT_Buffer_MemoryLayout) -> Done<Vec<i64>> {
    if layout.is_null() {
        return Ok(dense(ty));
    }
    if !layout.is_aligned() {
        return Err(Failure::invalid("a misaligned layout"));
    }
    // SAFETY: the contract of this function; the type says which of the two there is, and any bytes are valid.
    let (kind, tiled, strided) = unsafe { ((*layout).type_, (*layout).value.tiled, (*layout).value.strides) };
    let rank = ty.shape.len();
    match kind {
        layout_type::TILED => {
            // SAFETY: the contract of this function.
            let order =
                unsafe { entry::list("minor_to_major", tiled.minor_to_major, tiled.minor_to_major_size) }?;
            let mut seen = vec![false; rank];
            for &k in order {
                match usize::try_from(k).ok().and_then(|k| seen.get_mut(k)) {
                    Some(seen) if !*seen => *seen = true,
                    _ => return Err(Failure::invalid(format!("no order of {rank} dimensions: {order:?}"))),
                }
            }
            if order.len() != rank {
                return Err(Failure::invalid(format!("no order of {rank} dimensions: {order:?}")));
            }
            if tiled.num_tiles != 0 && order.iter().rev().ne((0..rank as i64).collect::<Vec<_>>().iter()) {
                return Err(Failure::unimplemented("a layout with tiles"));
            }
            Ok(in_order(ty, order.iter().map(|&k| k as usize)))
        }
        layout_type::STRIDES => {
            // SAFETY: the contract of this function.
            let strides =
                unsafe { entry::list("byte_strides", strided.byte_strides, strided.num_byte_strides) }?;
            if strides.len() != rank {
                return Err(Failure::invalid(format!("{} strides for {rank} dimensions", strides.len())));
            }
            Ok(strides.to_vec())
        }
        other => Err(Failure::invalid(format!("no layout has the type {other}"))),
    }
}

/// Where the elements of an array lie, from its first: the least and the greatest offset of a byte. `None` if there are none, or
/// if no memory is that large.
pub(crate) fn extent(ty: &TensorType, strides: &[i64]) -> Option<(i64, i64)> {
    if ty.shape.contains(&0) {
        return None;
    }
    let (mut low, mut high) = (0i64, ty.dtype.size() as i64);
    for (&n, &s) in ty.shape.iter().zip(strides) {
        let reach = s.checked_mul(n as i64 - 1)?;
        if reach < 0 { low = low.checked_add(reach)? } else { high = high.checked_add(reach)? }
    }
    Some((low, high))
}

/// Copies elements from memory with one set of strides to memory with another.
///
/// # Safety
/// All elements of the type lie in readable memory from `source` by its strides, and in writable memory from `target` by its own,
/// and nothing lies in both.
pub(crate) unsafe fn copy(ty: &TensorType, source: *const u8, from: &[i64], target: *mut u8, to: &[i64]) {
    if ty.shape.contains(&0) {
        return;
    }
    let size = ty.dtype.size();
    // Inner dimensions that lie densely in both are one run of bytes.
    let (mut rank, mut run) = (ty.shape.len(), size);
    while rank > 0 && (ty.shape[rank - 1] == 1 || from[rank - 1] == run as i64 && to[rank - 1] == run as i64)
    {
        rank -= 1;
        run *= ty.shape[rank];
    }
    // SAFETY: runs are elements of the type, which the contract says are there.
    unsafe { copy_runs(&ty.shape[..rank], run, source, from, target, to) }
}

/// # Safety
/// As of [`copy`], of runs of bytes.
unsafe fn copy_runs(
    shape: &[usize],
    run: usize,
    source: *const u8,
    from: &[i64],
    target: *mut u8,
    to: &[i64],
) {
    let Some((&count, inner)) = shape.split_first() else {
        // SAFETY: the contract of this function.
        unsafe { std::ptr::copy_nonoverlapping(source, target, run) };
        return;
    };
    for k in 0..count as i64 {
        // SAFETY: the contract of this function; offsets stay within the arrays.
        unsafe {
            let (source, target) =
                (source.offset((k * from[0]) as isize), target.offset((k * to[0]) as isize));
            copy_runs(inner, run, source, &from[1..], target, &to[1..]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wengert::DType;

    #[test]
    fn elements_are_copied_whatever_the_strides() {
        let ty = TensorType::new(DType::I16, &[2, 3]);
        let source: Vec<i16> = (0..6).collect();
        let copied = |from: &[i64], first: usize| {
            let mut out = [-1i16; 6];
            // SAFETY: every set of strides below stays within the six elements.
            unsafe { copy(&ty, source[first..].as_ptr().cast(), from, out.as_mut_ptr().cast(), &dense(&ty)) };
            out
        };
        assert_eq!(copied(&[6, 2], 0), [0, 1, 2, 3, 4, 5]);
        assert_eq!(copied(&[2, 4], 0), [0, 2, 4, 1, 3, 5]);
        assert_eq!(copied(&[-6, -2], 5), [5, 4, 3, 2, 1, 0]);
        assert_eq!(copied(&[0, 2], 1), [1, 2, 3, 1, 2, 3]);
        // To memory with gaps, from memory without and with others.
        let spread = |from: &[i64], to: &[i64]| {
            let mut out = [-1i16; 12];
            // SAFETY: every set of strides below stays within the six elements, and the twelve.
            unsafe { copy(&ty, source.as_ptr().cast(), from, out.as_mut_ptr().cast(), to) };
            out
        };
        assert_eq!(spread(&[6, 2], &[12, 4]), [0, -1, 1, -1, 2, -1, 3, -1, 4, -1, 5, -1]);
        assert_eq!(spread(&[6, 2], &[12, 2]), [0, 1, 2, -1, -1, -1, 3, 4, 5, -1, -1, -1]);
        assert_eq!(spread(&[6, 2], &[2, 4]), [0, 3, 1, 4, 2, 5, -1, -1, -1, -1, -1, -1]);
        assert_eq!(spread(&[2, 4], &[6, 2]), [0, 2, 4, 1, 3, 5, -1, -1, -1, -1, -1, -1]);
        assert_eq!(extent(&ty, &[-6, -2]), Some((-10, 2)));
        assert_eq!(extent(&ty, &[i64::MAX, 2]), None);
    }
}
