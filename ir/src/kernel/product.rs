//! The rows and the sum of a matrix product, where they are of several dimensions.

use smallvec::SmallVec;

/// A dimension of the rows or of the sum of a matrix product, outside the innermost one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Level {
    /// Indices.
    pub extent: usize,
    /// Elements from one index to the next in the left factor, and in the other matrix that it walks: rows walk the product,
    /// the sum walks the right factor.
    pub strides: [i64; 2],
}

/// Dimensions outside the innermost one, outermost first.
pub type Levels = SmallVec<[Level; 0]>;

/// Most levels that rows, and that the sum of a product may have.
pub const MOST_LEVELS: usize = 3;

/// Batches, rows, columns and contraction of a product with these innermost `sizes`, none beyond the largest number.
pub fn whole_sizes(
    [batches, rows, columns, depth]: [usize; 4],
    outer: &[Level],
    summed: &[Level],
) -> [usize; 4] {
    let all = |n: usize, levels: &[Level]| levels.iter().fold(n, |n, l| n.saturating_mul(l.extent));
    [batches, all(rows, outer), columns, all(depth, summed)]
}

/// Where each index is in the two matrices that a dimension walks, the innermost one of this extent and these strides.
pub fn places(
    levels: &[Level],
    innermost: usize,
    strides: [i64; 2],
) -> impl Iterator<Item = [i64; 2]> + Clone {
    let all = levels.iter().fold(innermost, |n, l| n.saturating_mul(l.extent));
    (0..all).map(move |number| {
        let [mut x, mut y] = strides.map(|s| (number % innermost) as i64 * s);
        let mut rest = number / innermost;
        for level in levels.iter().rev() {
            let index = (rest % level.extent) as i64;
            (x, y) = (x + index * level.strides[0], y + index * level.strides[1]);
            rest /= level.extent;
        }
        [x, y]
    })
}
