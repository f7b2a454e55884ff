//! What `gather` and `scatter` share: how index vectors, batching and windows place elements.
//!
//! Both read a vector of start indices at each *batch index*, place a window of the operand there, and
//! run through the window. `gather` clamps starts so that the window fits; `scatter` drops a window that
//! does not ([`Misfit`]). They are each other's transposes once that difference is bridged: [`clamped`]
//! gives a scatter the places a gather read, `gather_filled` reads zeros where a scatter dropped.

use super::dynamic::index_at;
use super::shape::rest;
use super::strided::{for_each_index, row_major};
use crate::array::{Array, Literal};
use crate::op::{BinaryOp, Clamp};
use crate::rules::{Emit, EvalError, Term};
use crate::types::{DType, Dims};

pub(super) fn sorted(dims: &[usize]) -> bool {
    dims.windows(2).all(|w| w[0] < w[1])
}

pub(super) fn joined(a: &[usize], b: &[usize]) -> Dims {
    a.iter().chain(b).copied().collect()
}

/// What becomes of a window that does not fit in the operand where its index puts it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Misfit {
    /// It is moved to where it fits.
    Clamped,
    /// It is left out as a whole.
    Dropped,
}

/// How `gather` and `scatter` read their operands: the parts that mean the same in both.
pub(super) struct Layout<'a> {
    /// Dimensions of the result (updates) that run through the window.
    pub(super) window_dims: &'a [usize],
    /// Operand dimensions that the window has and the result lacks.
    pub(super) dropped: &'a [usize],
    pub(super) operand_batching: &'a [usize],
    pub(super) indices_batching: &'a [usize],
    /// Operand dimension of each component of the index vector.
    pub(super) index_map: &'a [usize],
    pub(super) index_vector_dim: usize,
}

/// Where indices lead: which operand holds them, which of its dimensions runs along the components of one, and what each component
/// counts along.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Starts {
    /// Number of the operand.
    pub operand: usize,
    /// Its dimension of components; if it has no such dimension there is one component.
    pub vector_dim: usize,
    /// For each component the dimension of what is indexed, and the size of the window along it, which may be the larger of the two.
    pub components: Vec<(usize, usize)>,
}

impl Layout<'_> {
    /// Where the indices lead, which are operand `operand`, of windows of these sizes.
    pub(super) fn starts(&self, operand: usize, window: &[usize]) -> Starts {
        let components = self.index_map.iter().map(|&d| (d, window[d])).collect();
        Starts { operand, vector_dim: self.index_vector_dim, components }
    }

    /// How many components an index vector has.
    pub(super) fn components(&self, indices: &[usize]) -> usize {
        indices.get(self.index_vector_dim).copied().unwrap_or(1)
    }

    /// The shape of batch indices: that of the indices without the vectors.
    pub(super) fn batch_shape(&self, indices: &[usize]) -> Dims {
        (0..indices.len()).filter(|&d| d != self.index_vector_dim).map(|d| indices[d]).collect()
    }

    /// Operand dimensions that window dimensions of the result stand for, in order.
    pub(super) fn window_operand_dims(&self, rank: usize) -> Dims {
        rest(rank, &[self.dropped, self.operand_batching])
    }

    /// For each element of the result (updates) of `shape`: its index in the operand, `None` in a window that is
    /// dropped. Windows have `sizes` along the operand's dimensions.
    pub(super) fn visit(
        &self,
        operand: &[usize],
        indices: &Array,
        shape: &[usize],
        sizes: &[usize],
        misfit: Misfit,
        mut f: impl FnMut(Option<&[usize]>) -> Result<(), EvalError>,
    ) -> Result<(), EvalError> {
        let batch_dims = rest(shape.len(), &[self.window_dims]);
        let steps = row_major(indices.shape());
        let index_dims = rest(indices.shape().len(), &[&[self.index_vector_dim]]);
        let step = steps.get(self.index_vector_dim).copied().unwrap_or(0) as usize;
        let window_operand_dims = self.window_operand_dims(operand.len());
        let mut place = Dims::from_elem(0, operand.len());
        // Dimensions that no index moves along may be too small for a window too.
        let has_room = misfit == Misfit::Clamped || sizes.iter().zip(operand).all(|(size, n)| size <= n);
        for_each_index(shape, |index| {
            place.fill(0);
            let mut fits = has_room;
            let at: usize =
                index_dims.iter().zip(&batch_dims).map(|(&d, &b)| steps[d] as usize * index[b]).sum();
            for (k, &d) in self.index_map.iter().enumerate() {
                let (start, most) = (index_at(indices, at + k * step)?, operand[d] as i64 - sizes[d] as i64);
                fits &= misfit == Misfit::Clamped || (0..=most).contains(&start);
                place[d] = start.clamp(0, most.max(0)) as usize;
            }
            for (&d, i) in self.operand_batching.iter().zip(self.indices_batching) {
                let position = index_dims.iter().position(|x| x == i).expect("checked by infer");
                place[d] += index[batch_dims[position]];
            }
            for (&d, &w) in window_operand_dims.iter().zip(self.window_dims) {
                place[d] += index[w];
            }
            f(fits.then_some(&place[..]))
        })
    }
}

/// The start indices in a type where arithmetic around the operand's sizes cannot overflow.
pub(super) fn roomy_indices(e: &mut dyn Emit, indices: Term, operand: &[usize]) -> Term {
    let dtype = e.ty(indices).dtype;
    let small = operand.iter().all(|&n| n < 1 << 29);
    match dtype {
        DType::I64 => indices,
        DType::I32 if small => indices,
        DType::U64 => {
            let most = e.splat_like(indices, (1u64 << 62) as f64);
            let bounded = e.binary(BinaryOp::Minimum, indices, most);
            e.convert(bounded, DType::I64)
        }
        _ => e.convert(indices, DType::I64),
    }
}

/// `values[k]` for component `k` of every index vector, in the type of `indices`.
pub(super) fn per_component(e: &mut dyn Emit, indices: Term, dim: usize, values: &[i64]) -> Term {
    let ty = e.ty(indices);
    if let Some(&first) = values.first()
        && values.iter().all(|&v| v == first)
    {
        return e.splat(ty, first as f64);
    }
    let row = match ty.dtype {
        DType::I64 => Array::new(&[values.len()], values),
        _ => Array::new(&[values.len()], &values.iter().map(|&v| v as i32).collect::<Vec<_>>()),
    };
    let row = e.literal(Literal::from_array(&row));
    e.broadcast_in_dim(row, &ty.shape, &[dim])
}

/// Start indices brought to where a window of `sizes` fits: what `gather` reads by.
pub(super) fn clamped(
    e: &mut dyn Emit,
    layout: &Layout<'_>,
    indices: Term,
    operand: &[usize],
    sizes: &[usize],
) -> Term {
    let indices = roomy_indices(e, indices, operand);
    let most: Vec<i64> = layout.index_map.iter().map(|&d| (operand[d] - sizes[d]) as i64).collect();
    let least = e.splat_like(indices, 0.0);
    let most = per_component(e, indices, layout.index_vector_dim, &most);
    e.one(Clamp {}, &[least, indices, most])
}
