//! Products of matrices and vectors.

use crate::Tensor;
use crate::error::{Error, fail};
use crate::ops::promote::{broadcast, broadcast_shapes, convert, promote_types};
use crate::trace::apply_at;
use std::panic::Location;
use wengert_ir::op::{DotGeneral, Precision};
use wengert_ir::types::Dims;

impl Tensor {
    /// Matrix product with NumPy's rules: vectors are rows on the left and columns on the right, leading dimensions
    /// broadcast.
    ///
    /// Fails for scalars and for contracted dimensions that differ.
    #[track_caller]
    pub fn matmul(&self, other: &Tensor) -> Tensor {
        let at = Location::caller();
        let dtype = promote_types(self.dtype(), other.dtype());
        let (a, b) = (convert(self, dtype, at), convert(other, dtype, at));
        let (ra, rb) = (a.rank(), b.rank());
        let contracted = rb.saturating_sub(2);
        if ra == 0 || rb == 0 || a.shape()[ra - 1] != b.shape()[contracted] {
            let message = format!(
                "matmul: the last dimension of the first operand must equal the contracted one of the second; operands: {}, {}",
                self.ty(),
                other.ty()
            );
            fail(Error::new(message, Some(at)))
        }
        let (batch_a, batch_b) = (&a.shape()[..ra.saturating_sub(2)], &b.shape()[..rb.saturating_sub(2)]);
        let Some(batch) = broadcast_shapes(batch_a, batch_b) else {
            let message = format!(
                "matmul: leading dimensions do not broadcast; operands: {}, {}",
                self.ty(),
                other.ty()
            );
            fail(Error::new(message, Some(at)))
        };
        // Batches that only one side has need no batching dimension: they are free dimensions of that side.
        let n = if batch_a.is_empty() || batch_b.is_empty() { 0 } else { batch.len() };
        let stretch = |x: &Tensor| {
            let own = x.rank().saturating_sub(2);
            let shape: Dims = batch.iter().chain(&x.shape()[own..]).copied().collect();
            broadcast(x, &shape, at)
        };
        let (a, b) = if n > 0 { (stretch(&a), stretch(&b)) } else { (a, b) };
        let op = DotGeneral {
            lhs_batching_dims: (0..n).collect(),
            rhs_batching_dims: (0..n).collect(),
            lhs_contracting_dims: Dims::from_slice(&[a.rank() - 1]),
            rhs_contracting_dims: Dims::from_slice(&[b.rank().max(2) - 2]),
            lhs_precision: Precision::Default,
            rhs_precision: Precision::Default,
            dtype,
        };
        let product = apply_at(op.into(), &[&a, &b], at).remove(0);
        if n == 0 && rb > 2 {
            // A vector or matrix times a batch: the batch comes first in the result.
            let free = ra - 1;
            let perm: Vec<usize> = (free..free + rb - 2).chain(0..free).chain([free + rb - 2]).collect();
            return product.transpose(&perm);
        }
        product
    }

    /// Inner product of two vectors, or [`Self::matmul`] in general.
    #[track_caller]
    pub fn dot(&self, other: &Tensor) -> Tensor {
        self.matmul(other)
    }

    /// Contraction over the given dimensions, with batching dimensions; StableHLO's `dot_general`. The result has batching,
    /// left free and right free dimensions.
    #[track_caller]
    pub fn dot_general(
        &self,
        other: &Tensor,
        contracting: (&[usize], &[usize]),
        batching: (&[usize], &[usize]),
    ) -> Tensor {
        let at = Location::caller();
        let dtype = promote_types(self.dtype(), other.dtype());
        let op = DotGeneral {
            lhs_batching_dims: Dims::from_slice(batching.0),
            rhs_batching_dims: Dims::from_slice(batching.1),
            lhs_contracting_dims: Dims::from_slice(contracting.0),
            rhs_contracting_dims: Dims::from_slice(contracting.1),
            lhs_precision: Precision::Default,
            rhs_precision: Precision::Default,
            dtype,
        };
        apply_at(op.into(), &[&convert(self, dtype, at), &convert(other, dtype, at)], at).remove(0)
    }
}
