//! `gather`: windows of the operand at computed places, clamped so that they fit.

use super::shape::{linear, tensors, unique};
use super::sliding::flat;
use super::strided::row_major;
use super::windows::{Layout, Misfit, Starts, clamped, joined, sorted};
use crate::array::Array;
use crate::ensure;
use crate::func::Module;
use crate::op::*;
use crate::ops::batching;
use crate::rules::{Batched, Mapped};
use crate::rules::{
    Emit, EvalError, Evaluate, Jvp, OpDef, Operand, Tangents, Transpose as Cotangents, TypeError, Types,
};
use crate::types::{Dims, Type};
use smallvec::smallvec;

impl Gather {
    fn layout(&self) -> Layout<'_> {
        Layout {
            window_dims: &self.offset_dims,
            dropped: &self.collapsed_slice_dims,
            operand_batching: &self.operand_batching_dims,
            indices_batching: &self.start_indices_batching_dims,
            index_map: &self.start_index_map,
            index_vector_dim: self.index_vector_dim,
        }
    }

    /// Where its indices lead.
    pub fn starts(&self) -> Starts {
        self.layout().starts(1, &self.slice_sizes)
    }

    /// The scatter to the same places.
    fn scatter_add(&self) -> Scatter {
        Scatter {
            update_window_dims: self.offset_dims.clone(),
            inserted_window_dims: self.collapsed_slice_dims.clone(),
            input_batching_dims: self.operand_batching_dims.clone(),
            scatter_indices_batching_dims: self.start_indices_batching_dims.clone(),
            scatter_dims_to_operand_dims: self.start_index_map.clone(),
            index_vector_dim: self.index_vector_dim,
            indices_are_sorted: self.indices_are_sorted,
            unique_indices: false,
            inputs: 1,
            reducer: Reducer::Op(BinaryOp::Add),
        }
    }
}

impl OpDef for Gather {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let xs = tensors(operands, 2)?;
        let (x, indices) = (xs[0], xs[1]);
        ensure!(indices.dtype.is_integer(), "I2", "start_indices must be integers, not {}", indices.dtype);
        let (offset, collapsed, batching) =
            (&self.offset_dims, &self.collapsed_slice_dims, &self.operand_batching_dims);
        let (rank, indices_rank, dim) = (x.rank(), indices.rank(), self.index_vector_dim);
        let parts = [offset.len(), collapsed.len(), batching.len()];
        ensure!(
            parts.iter().sum::<usize>() == rank,
            "C1",
            "offset, collapsed and batching dims {parts:?} do not make up rank {rank}"
        );
        ensure!(dim <= indices_rank, "C2", "index_vector_dim {dim} is beyond rank {indices_rank}");
        let components = self.layout().components(&indices.shape);
        ensure!(
            self.start_index_map.len() == components,
            "C3",
            "start_index_map has {} entries for index vectors of {components}",
            self.start_index_map.len()
        );
        ensure!(sorted(offset), "C4", "offset_dims {offset:?} do not ascend");
        let result_rank = offset.len() + indices_rank - usize::from(dim < indices_rank);
        for &d in offset {
            ensure!(d < result_rank, "C5", "offset dim {d} is not below the result's rank {result_rank}");
        }
        ensure!(unique(&joined(collapsed, batching)), "C6", "collapsed and batching dims overlap");
        ensure!(sorted(collapsed), "C7", "collapsed_slice_dims {collapsed:?} do not ascend");
        for &d in collapsed {
            ensure!(d < rank, "C8", "collapsed dim {d} is not below rank {rank}");
        }
        let sizes = &self.slice_sizes;
        ensure!(sizes.len() == rank, "C20", "{} slice_sizes for rank {rank}", sizes.len());
        for &d in collapsed {
            ensure!(sizes[d] <= 1, "C9", "collapsed dim {d} has slice size {}", sizes[d]);
        }
        ensure!(sorted(batching), "C10", "operand_batching_dims {batching:?} do not ascend");
        for &d in batching {
            ensure!(d < rank, "C11", "operand batching dim {d} is not below rank {rank}");
            ensure!(sizes[d] <= 1, "C12", "operand batching dim {d} has slice size {}", sizes[d]);
        }
        let partners = &self.start_indices_batching_dims;
        ensure!(unique(partners), "C13", "start_indices_batching_dims {partners:?} repeat");
        for &d in partners {
            ensure!(d < indices_rank, "C14", "indices batching dim {d} is not below rank {indices_rank}");
            ensure!(d != dim, "C15", "indices batching dim {d} is the index_vector_dim");
        }
        ensure!(
            batching.len() == partners.len(),
            "C16",
            "{} batching dims have {} partners",
            batching.len(),
            partners.len()
        );
        for (&a, &b) in batching.iter().zip(partners) {
            let (n, m) = (x.shape[a], indices.shape[b]);
            ensure!(n == m, "C17", "operand dim {a} of size {n} batches with indices dim {b} of size {m}");
        }
        ensure!(
            unique(&joined(&self.start_index_map, batching)),
            "C18",
            "start_index_map {:?} repeats or meets batching dims",
            self.start_index_map
        );
        for &d in &self.start_index_map {
            ensure!(d < rank, "C19", "start_index_map names dim {d} of rank {rank}");
        }
        for d in 0..rank {
            ensure!(sizes[d] <= x.shape[d], "C21", "dim {d}: a slice of {} from {}", sizes[d], x.shape[d]);
        }
        let batch = self.layout().batch_shape(&indices.shape);
        let window: Dims =
            self.layout().window_operand_dims(rank).iter().map(|&d| self.slice_sizes[d]).collect();
        let (mut batch, mut window) = (batch.into_iter(), window.into_iter());
        let shape: Option<Dims> = (0..result_rank)
            .map(|d| if offset.contains(&d) { window.next() } else { batch.next() })
            .collect();
        let shape = shape.ok_or_else(|| TypeError::new("C22", "offset_dims do not fit the result"))?;
        for &d in collapsed.iter().chain(batching).filter(|_| !shape.contains(&0)) {
            ensure!(
                sizes[d] > 0,
                "C21",
                "dim {d}: a slice of 0 has nothing that the result's elements could be"
            );
        }
        Ok(smallvec![Type::Tensor(x.with_shape(&shape))])
    }

    fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let (x, indices) = (&operands[0], &operands[1]);
        let layout = self.layout();
        let mut batch = layout.batch_shape(indices.shape()).into_iter();
        let mut window = layout.window_operand_dims(x.shape().len()).into_iter().map(|d| self.slice_sizes[d]);
        let rank = batch.len() + window.len();
        let shape: Dims = (0..rank)
            .filter_map(|d| if self.offset_dims.contains(&d) { window.next() } else { batch.next() })
            .collect();
        let ty = x.ty().with_shape(&shape);
        cx.reserve(&ty)?;
        let (mut out, size, steps) = (Array::zeros(ty), x.dtype().size(), row_major(x.shape()));
        let bytes = out.bytes_mut();
        let mut next = 0;
        layout.visit(x.shape(), indices, &shape, &self.slice_sizes, Misfit::Clamped, |place| {
            let at = flat(place.expect("clamped"), &steps);
            bytes[next..next + size].copy_from_slice(&x.bytes()[at * size..(at + 1) * size]);
            next += size;
            Ok(())
        })?;
        Ok(vec![out])
    }

    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        smallvec![x.tangents[0].map(|t| e.one(self.clone(), &[t, x.operands[1]]))]
    }

    fn transpose(&self, e: &mut dyn Emit, x: Cotangents<'_>) -> Tangents {
        let (Some(ct), Some(ty), Operand::Known(indices)) = (x.cotangents[0], linear(&x, 0), &x.operands[1])
        else {
            return smallvec![None, None];
        };
        // A slice of size 0 along a collapsed dimension has no counterpart in scatter, and no elements.
        if e.ty(ct).shape.contains(&0) {
            return smallvec![None, None];
        }
        let indices = clamped(e, &self.layout(), *indices, &ty.shape, &self.slice_sizes);
        let zeros = e.zero(ty.clone());
        smallvec![Some(e.one(self.scatter_add(), &[zeros, indices, ct])), None]
    }

    fn is_linear(&self, linear: &[bool]) -> bool {
        linear[0] && !linear[1]
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        let (x, starts) = (operands[0], operands[1]);
        let on = |dims: &Dims| -> Dims { dims.iter().map(|d| d + 1).collect() };
        let mut op = Gather { offset_dims: on(&self.offset_dims), ..self.clone() };
        if x.1.is_some() {
            op.collapsed_slice_dims = on(&self.collapsed_slice_dims);
            op.operand_batching_dims = on(&self.operand_batching_dims);
            op.start_index_map = on(&self.start_index_map);
        }
        if starts.1.is_some() {
            op.start_indices_batching_dims = on(&self.start_indices_batching_dims);
            op.index_vector_dim += 1;
        }
        let [x_term, starts_term] =
            [x, starts].map(|o| if o.1.is_some() { batching::at(e, size, o, 0) } else { o.0 });
        match (x.1.is_some(), starts.1.is_some()) {
            (true, true) => {
                op.operand_batching_dims.insert(0, 0);
                op.start_indices_batching_dims.insert(0, 0);
                op.slice_sizes.insert(0, size.min(1));
            }
            // All examples' elements are a part of each slice.
            (true, false) => {
                op.offset_dims.insert(0, 0);
                op.slice_sizes.insert(0, size);
            }
            (false, _) => {}
        }
        batching::in_front([e.one(op, &[x_term, starts_term])])
    }
}
