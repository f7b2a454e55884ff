//! What is multiplied at a time: some rows of a product.

use super::product::Product;

/// Some rows of a product.
pub(super) struct Block<'p, T> {
    pub(super) p: &'p Product,
    pub(super) a: *const T,
    pub(super) b: *const T,
    pub(super) c: *mut T,
    /// From and to.
    pub(super) rows: [usize; 2],
    /// Length of the sum.
    pub(super) depth: usize,
}
