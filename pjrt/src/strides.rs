//! Arrays whose elements do not lie in row-major order, as callers may have them: copied from and to those that do.

use crate::error::{Code, Done, Failure};
use wengert::TensorType;
use wengert_ir::array::Bytes;

/// Bytes between neighbours along each dimension, where elements lie in row-major order.
pub(crate) fn dense(ty: &TensorType) -> Vec<i64> {
    in_order(ty, (0..ty.shape.len()).rev())
}

/// Whether elements that lie so lie in row-major order: nobody walks along a dimension of one.
pub(crate) fn are_dense(ty: &TensorType, strides: &[i64]) -> bool {
    are(ty, strides, &dense(ty))
}

/// Whether elements lie the same by two sets of strides.
pub(crate) fn are(ty: &TensorType, strides: &[i64], others: &[i64]) -> bool {
    ty.shape.iter().zip(strides).zip(others).all(|((&n, s), d)| n == 1 || s == d)
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
    // Walked in the order in which they are written, so that what lies densely in both is one run of bytes.
    let mut dims: Vec<usize> = (0..ty.shape.len()).filter(|&d| ty.shape[d] != 1).collect();
    dims.sort_by_key(|&d| std::cmp::Reverse(to[d].unsigned_abs()));
    let mut run = size;
    while let Some(&d) = dims.last()
        && from[d] == run as i64
        && to[d] == run as i64
    {
        dims.pop();
        run *= ty.shape[d];
    }
    let walks: Vec<Walk> =
        dims.iter().map(|&d| Walk { count: ty.shape[d], from: from[d], to: to[d] }).collect();
    // SAFETY: runs are elements of the type, which the contract says are there.
    unsafe { copy_runs(&walks, run, source, target) }
}

/// A copy of an array that lies densely by one set of strides, which lies densely by another.
pub(crate) fn copied(ty: &TensorType, source: &[u8], from: &[i64], to: &[i64]) -> Done<Bytes> {
    let mut target = Bytes::try_take(ty.bytes())
        .ok_or_else(|| Failure::new(Code::ResourceExhausted, format!("no memory for {ty}")))?;
    for strides in [from, to] {
        let end = extent(ty, strides).unwrap_or((0, 0));
        if source.len() != ty.bytes() || end.0 < 0 || end.1 as usize > ty.bytes() {
            return Err(Failure::internal(format!("{ty} in {} bytes by {strides:?}", source.len())));
        }
    }
    // SAFETY: both memories have all bytes of the type, and no element lies beyond them, which was checked.
    unsafe { copy(ty, source.as_ptr(), from, target.as_mut_ptr(), to) };
    Ok(target)
}

/// A dimension: how long it is, and the bytes between neighbours in both memories.
struct Walk {
    count: usize,
    from: i64,
    to: i64,
}

/// # Safety
/// As of [`copy`], of runs of bytes.
unsafe fn copy_runs(walks: &[Walk], run: usize, source: *const u8, target: *mut u8) {
    let Some((walk, inner)) = walks.split_first() else {
        // SAFETY: the contract of this function.
        unsafe { std::ptr::copy_nonoverlapping(source, target, run) };
        return;
    };
    if inner.is_empty() {
        // SAFETY: the contract of this function; elements have these sizes.
        unsafe {
            match run {
                1 => copy_line::<[u8; 1]>(walk, source, target),
                2 => copy_line::<[u8; 2]>(walk, source, target),
                4 => copy_line::<[u8; 4]>(walk, source, target),
                8 => copy_line::<[u8; 8]>(walk, source, target),
                _ => copy_each(walk, source, target, |s, t| std::ptr::copy_nonoverlapping(s, t, run)),
            }
        }
        return;
    }
    // SAFETY: the contract of this function.
    unsafe { copy_each(walk, source, target, |s, t| copy_runs(inner, run, s, t)) }
}

/// Copies along the last dimension what has the size of `T`, of which any bytes are valid.
///
/// # Safety
/// As of [`copy_runs`].
unsafe fn copy_line<T: Copy>(walk: &Walk, source: *const u8, target: *mut u8) {
    // SAFETY: the contract of this function.
    unsafe {
        copy_each(walk, source, target, |s, t| t.cast::<T>().write_unaligned(s.cast::<T>().read_unaligned()))
    }
}

/// Calls `f` with both places of each step along a dimension.
///
/// # Safety
/// As of [`copy_runs`].
unsafe fn copy_each(walk: &Walk, source: *const u8, target: *mut u8, f: impl Fn(*const u8, *mut u8)) {
    for k in 0..walk.count as i64 {
        // SAFETY: offsets stay within the arrays.
        unsafe { f(source.offset((k * walk.from) as isize), target.offset((k * walk.to) as isize)) }
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
