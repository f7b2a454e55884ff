//! Moving elements of any type between row-major arrays: the one copy loop behind the operations that
//! only rearrange, and the arithmetic of indices.

use crate::types::Dims;
use smallvec::SmallVec;

/// Steps in elements, one per dimension; negative runs backwards.
pub(crate) type Steps = SmallVec<[isize; 4]>;

/// Row-major steps of a shape.
pub(crate) fn row_major(shape: &[usize]) -> Steps {
    let mut steps: Steps = SmallVec::from_elem(0, shape.len());
    let mut step = 1isize;
    for (s, &d) in steps.iter_mut().zip(shape).rev() {
        *s = step;
        step = step.saturating_mul(d.max(1) as isize);
    }
    steps
}

/// A place in an array: where it starts and how far each dimension steps, in elements.
pub(crate) struct Walk {
    /// Position of the first element.
    pub(crate) start: isize,
    /// Step of each dimension.
    pub(crate) steps: Steps,
}

impl Walk {
    /// The whole of a row-major array.
    pub(crate) fn all(shape: &[usize]) -> Self {
        Self { start: 0, steps: row_major(shape) }
    }

    /// The box of a row-major array that begins at `origin`.
    pub(crate) fn at(shape: &[usize], origin: &[usize]) -> Self {
        let steps = row_major(shape);
        let start = steps.iter().zip(origin).map(|(s, &o)| s * o as isize).sum();
        Self { start, steps }
    }
}

/// Copies a box of `shape` from one array to another; `size` is the bytes of an element.
pub(crate) fn copy(size: usize, shape: &[usize], dst: &mut [u8], to: &Walk, src: &[u8], from: &Walk) {
    if !shape.contains(&0) {
        copy_level(size, shape, dst, to.start, &to.steps, src, from.start, &from.steps);
    }
}

#[allow(clippy::too_many_arguments, reason = "one level of one loop nest")]
fn copy_level(
    size: usize,
    shape: &[usize],
    dst: &mut [u8],
    to: isize,
    to_steps: &[isize],
    src: &[u8],
    from: isize,
    from_steps: &[isize],
) {
    let Some((&n, inner)) = shape.split_first() else {
        let (to, from) = (to as usize * size, from as usize * size);
        dst[to..to + size].copy_from_slice(&src[from..from + size]);
        return;
    };
    if inner.is_empty() && to_steps[0] == 1 && from_steps[0] == 1 {
        let (to, from) = (to as usize * size, from as usize * size);
        dst[to..to + n * size].copy_from_slice(&src[from..from + n * size]);
        return;
    }
    for i in 0..n as isize {
        let (to, from) = (to + i * to_steps[0], from + i * from_steps[0]);
        copy_level(size, inner, dst, to, &to_steps[1..], src, from, &from_steps[1..]);
    }
}

/// Calls `f` with every index of a shape in row-major order.
pub(crate) fn for_each_index<E>(
    shape: &[usize],
    mut f: impl FnMut(&[usize]) -> Result<(), E>,
) -> Result<(), E> {
    if shape.contains(&0) {
        return Ok(());
    }
    let mut index = Dims::from_elem(0, shape.len());
    loop {
        f(&index)?;
        let mut d = shape.len();
        loop {
            if d == 0 {
                return Ok(());
            }
            d -= 1;
            index[d] += 1;
            if index[d] < shape[d] {
                break;
            }
            index[d] = 0;
        }
    }
}
