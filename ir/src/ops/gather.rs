//! `gather` and `scatter`, with all the generality of the StableHLO specification.
//!
//! Both read a vector of start indices at each *batch index*, place a window of the operand there, and
//! run through the window. `gather` clamps starts so that the window fits; `scatter` drops each element
//! that falls outside. They are each other's transposes once that difference is bridged: [`clamped`]
//! gives a scatter the places a gather read, [`gather_filled`] reads zeros where a scatter dropped.

use super::dynamic::index_at;
use super::shape::{all_tensors, linear, materialize, rest, unique};
use super::strided::{for_each_index, row_major};
use crate::array::{Array, Literal};
use crate::ensure;
use crate::func::Module;
use crate::op::*;
use crate::rules::{
    Emit, EvalError, Evaluate, Jvp, OpDef, Operand, Tangents, Term, Transpose as Cotangents, TypeError, Types,
};
use crate::types::{DType, DYNAMIC, Dims, TensorType, Type};
use smallvec::{SmallVec, smallvec};

fn sorted(dims: &[usize]) -> bool {
    dims.windows(2).all(|w| w[0] < w[1])
}

fn joined(a: &[usize], b: &[usize]) -> Dims {
    a.iter().chain(b).copied().collect()
}

/// How `gather` and `scatter` read their operands: the parts that mean the same in both.
struct Layout<'a> {
    /// Dimensions of the result (updates) that run through the window.
    window_dims: &'a [usize],
    /// Operand dimensions that the window has and the result lacks.
    dropped: &'a [usize],
    operand_batching: &'a [usize],
    indices_batching: &'a [usize],
    /// Operand dimension of each component of the index vector.
    index_map: &'a [usize],
    index_vector_dim: usize,
}

impl Layout<'_> {
    /// How many components an index vector has.
    fn components(&self, indices: &[usize]) -> usize {
        indices.get(self.index_vector_dim).copied().unwrap_or(1)
    }

    /// The shape of batch indices: that of the indices without the vectors.
    fn batch_shape(&self, indices: &[usize]) -> Dims {
        (0..indices.len()).filter(|&d| d != self.index_vector_dim).map(|d| indices[d]).collect()
    }

    /// Operand dimensions that window dimensions of the result stand for, in order.
    fn window_operand_dims(&self, rank: usize) -> Dims {
        rest(rank, &[self.dropped, self.operand_batching])
    }

    /// For each element of the result (updates) of `shape`: its index in the operand, which may lie
    /// outside unless `window` is given and starts are clamped to make it fit.
    fn visit(
        &self,
        operand: &[usize],
        indices: &Array,
        shape: &[usize],
        window: Option<&[usize]>,
        mut f: impl FnMut(&[usize], &[i64]) -> Result<(), EvalError>,
    ) -> Result<(), EvalError> {
        let batch_dims = rest(shape.len(), &[self.window_dims]);
        let steps = row_major(indices.shape());
        let index_dims = rest(indices.shape().len(), &[&[self.index_vector_dim]]);
        let step = steps.get(self.index_vector_dim).copied().unwrap_or(0) as usize;
        let window_operand_dims = self.window_operand_dims(operand.len());
        let mut place: SmallVec<[i64; 4]> = SmallVec::from_elem(0, operand.len());
        for_each_index(shape, |index| {
            place.fill(0);
            let at: usize =
                index_dims.iter().zip(&batch_dims).map(|(&d, &b)| steps[d] as usize * index[b]).sum();
            for (k, &d) in self.index_map.iter().enumerate() {
                let start = index_at(indices, at + k * step)?;
                place[d] = match window {
                    Some(sizes) => start.clamp(0, (operand[d] - sizes[d]) as i64),
                    None => start,
                };
            }
            for (&d, i) in self.operand_batching.iter().zip(self.indices_batching) {
                let position = index_dims.iter().position(|x| x == i).expect("checked by infer");
                place[d] = place[d].saturating_add(index[batch_dims[position]] as i64);
            }
            for (&d, &w) in window_operand_dims.iter().zip(self.window_dims) {
                place[d] = place[d].saturating_add(index[w] as i64);
            }
            f(index, &place)
        })
    }
}

/// The start indices in a type where arithmetic around the operand's sizes cannot overflow.
fn roomy_indices(e: &mut dyn Emit, indices: Term, operand: &[usize]) -> Term {
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
fn per_component(e: &mut dyn Emit, indices: Term, dim: usize, values: &[i64]) -> Term {
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
fn clamped(e: &mut dyn Emit, layout: &Layout<'_>, indices: Term, operand: &[usize], sizes: &[usize]) -> Term {
    let indices = roomy_indices(e, indices, operand);
    let most: Vec<i64> = layout.index_map.iter().map(|&d| (operand[d] - sizes[d]) as i64).collect();
    let least = e.splat_like(indices, 0.0);
    let most = per_component(e, indices, layout.index_vector_dim, &most);
    e.one(Clamp {}, &[least, indices, most])
}

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
            reducer: Reducer::Op(BinaryOp::Add),
        }
    }
}

impl OpDef for Gather {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let xs = super::shape::tensors(operands, 2)?;
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
        layout.visit(x.shape(), indices, &shape, Some(&self.slice_sizes), |_, place| {
            let at: usize = place.iter().zip(&steps).map(|(&i, &s)| i as usize * s as usize).sum();
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
}

impl Scatter {
    fn layout(&self) -> Layout<'_> {
        Layout {
            window_dims: &self.update_window_dims,
            dropped: &self.inserted_window_dims,
            operand_batching: &self.input_batching_dims,
            indices_batching: &self.scatter_indices_batching_dims,
            index_map: &self.scatter_dims_to_operand_dims,
            index_vector_dim: self.index_vector_dim,
        }
    }

    fn with_reducer(&self, reducer: Reducer) -> Scatter {
        Scatter { reducer, ..self.clone() }
    }

    fn add(&self) -> Scatter {
        self.with_reducer(Reducer::Op(BinaryOp::Add))
    }

    /// Size of the window along each operand dimension.
    fn window(&self, operand: &[usize], updates: &[usize]) -> Dims {
        let mut sizes = Dims::from_elem(1, operand.len());
        let dims = self.layout().window_operand_dims(operand.len());
        dims.iter().zip(&self.update_window_dims).for_each(|(&d, &w)| sizes[d] = updates[w]);
        sizes
    }
}

/// The elements of `x` that a scatter meets, in the shape of its updates, and zero for those it drops.
fn gather_filled(e: &mut dyn Emit, scatter: &Scatter, x: Term, indices: Term, updates: &[usize]) -> Term {
    let ty = e.ty(x);
    if updates.contains(&0) || ty.shape.contains(&0) {
        return e.zero(ty.with_shape(updates));
    }
    let layout = scatter.layout();
    let window = scatter.window(&ty.shape, updates);
    let mut gather = Gather {
        offset_dims: scatter.update_window_dims.clone(),
        collapsed_slice_dims: scatter.inserted_window_dims.clone(),
        operand_batching_dims: scatter.input_batching_dims.clone(),
        start_indices_batching_dims: scatter.scatter_indices_batching_dims.clone(),
        start_index_map: scatter.scatter_dims_to_operand_dims.clone(),
        index_vector_dim: scatter.index_vector_dim,
        slice_sizes: window.clone(),
        indices_are_sorted: scatter.indices_are_sorted,
    };
    let indices = roomy_indices(e, indices, &ty.shape);
    let dim = layout.index_vector_dim;
    let has_window = |d: usize| window[d] != 1;
    if !layout.index_map.iter().any(|&d| has_window(d)) && (0..ty.rank()).all(|d| window[d] <= ty.shape[d]) {
        // A window is inside or outside as a whole: gather where clamping leads, then keep the former.
        let most: Vec<i64> = layout.index_map.iter().map(|&d| ty.shape[d] as i64 - 1).collect();
        let read = e.one(gather, &[x, indices]);
        let zero = e.splat_like(indices, 0.0);
        let most = per_component(e, indices, dim, &most);
        let low = e.compare(Direction::Ge, indices, zero);
        let high = e.compare(Direction::Le, indices, most);
        let mut inside = e.binary(BinaryOp::And, low, high);
        if dim < e.ty(inside).rank() {
            let yes = e.splat(TensorType::scalar(DType::I1), 1.0);
            let all = Reduce { dims: smallvec![dim], inputs: 1, reducer: Reducer::Op(BinaryOp::And) };
            inside = e.one(all, &[inside, yes]);
        }
        let inside = e.broadcast_in_dim(inside, updates, &rest(updates.len(), &[layout.window_dims]));
        let zeros = e.zero(ty.with_shape(updates));
        return e.select(inside, read, zeros);
    }
    // Zeros on all sides, as many as the window has elements, make room for every window that touches `x`.
    let mut margin: SmallVec<[i64; 4]> = SmallVec::from_elem(0, ty.rank());
    layout.index_map.iter().for_each(|&d| margin[d] = window[d] as i64);
    // Without an index a window starts at 0 and may still be larger than the operand.
    let high = (0..ty.rank()).map(|d| margin[d].max(window[d] as i64 - ty.shape[d] as i64)).collect();
    let zero = e.zero(TensorType::scalar(ty.dtype));
    let pad = Pad { low: margin.clone(), high, interior: SmallVec::from_elem(0, ty.rank()) };
    let padded = e.one(pad, &[x, zero]);
    let width: Vec<i64> = layout.index_map.iter().map(|&d| margin[d]).collect();
    let least: Vec<i64> = width.iter().map(|w| -w).collect();
    let most: Vec<i64> = layout.index_map.iter().map(|&d| ty.shape[d] as i64).collect();
    let (least, most, width) = (
        per_component(e, indices, dim, &least),
        per_component(e, indices, dim, &most),
        per_component(e, indices, dim, &width),
    );
    let near = e.one(Clamp {}, &[least, indices, most]);
    let shifted = e.add(near, width);
    gather.indices_are_sorted = false;
    e.one(gather, &[padded, shifted])
}

/// Of a scatter that assigns: which elements of the input stay, and which updates last.
fn winners(
    e: &mut dyn Emit,
    scatter: &Scatter,
    indices: Term,
    input: &[usize],
    updates: &[usize],
) -> (Term, Term) {
    let assign = scatter.with_reducer(Reducer::Assign);
    let count: usize = updates.iter().product();
    let dtype = if count < i32::MAX as usize { DType::I32 } else { DType::I64 };
    let ids = e.one(Iota { ty: TensorType::new(dtype, &[count]), dim: 0 }, &[]);
    let one = e.splat_like(ids, 1.0);
    let ids = e.add(ids, one);
    let ids = e.reshape(ids, updates);
    let nobody = e.splat(TensorType::new(dtype, input), 0.0);
    let owner = e.one(assign, &[nobody, indices, ids]);
    let stays = e.compare(Direction::Eq, owner, nobody);
    let last = gather_filled(e, scatter, owner, indices, updates);
    let lasts = e.compare(Direction::Eq, last, ids);
    (stays, lasts)
}

/// `x` where the mask holds, else zero.
fn masked(e: &mut dyn Emit, mask: Term, x: Term) -> Term {
    let ty = e.ty(x);
    let zero = e.zero(ty);
    e.select(mask, x, zero)
}

const MONOIDS: [BinaryOp; 7] = {
    use BinaryOp::*;
    [Add, Multiply, Maximum, Minimum, And, Or, Xor]
};

impl OpDef for Scatter {
    fn infer(&self, module: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let xs = all_tensors(operands)?;
        ensure!(xs.len() >= 3, "C5", "takes an input, indices and updates, got {} operands", xs.len());
        let (x, indices, updates) = (xs[0], xs[1], xs[2]);
        ensure!(indices.dtype.is_integer(), "I2", "scatter_indices must be integers, not {}", indices.dtype);
        let (windows, inserted, batching) =
            (&self.update_window_dims, &self.inserted_window_dims, &self.input_batching_dims);
        let (rank, indices_rank, dim) = (x.rank(), indices.rank(), self.index_vector_dim);
        let parts = [windows.len(), inserted.len(), batching.len()];
        ensure!(
            parts.iter().sum::<usize>() == rank,
            "C2",
            "window, inserted and batching dims {parts:?} do not make up rank {rank}"
        );
        ensure!(updates.dtype == x.dtype, "C6", "updates are {}, the input {}", updates.dtype, x.dtype);
        ensure!(sorted(windows), "C7", "update_window_dims {windows:?} do not ascend");
        for &d in windows {
            ensure!(d < updates.rank(), "C8", "update window dim {d} is not below rank {}", updates.rank());
        }
        ensure!(unique(&joined(inserted, batching)), "C9", "inserted and batching dims overlap");
        ensure!(sorted(inserted), "C10", "inserted_window_dims {inserted:?} do not ascend");
        for &d in inserted {
            ensure!(d < rank, "C11", "inserted window dim {d} is not below rank {rank}");
        }
        ensure!(sorted(batching), "C12", "input_batching_dims {batching:?} do not ascend");
        for &d in batching {
            ensure!(d < rank, "C13", "input batching dim {d} is not below rank {rank}");
        }
        let partners = &self.scatter_indices_batching_dims;
        ensure!(unique(partners), "C14", "scatter_indices_batching_dims {partners:?} repeat");
        for &d in partners {
            ensure!(d < indices_rank, "C15", "indices batching dim {d} is not below rank {indices_rank}");
            ensure!(d != dim, "C16", "indices batching dim {d} is the index_vector_dim");
        }
        ensure!(
            batching.len() == partners.len(),
            "C17",
            "{} batching dims have {} partners",
            batching.len(),
            partners.len()
        );
        for (&a, &b) in batching.iter().zip(partners) {
            let (n, m) = (x.shape[a], indices.shape[b]);
            ensure!(n == m, "C18", "input dim {a} of size {n} batches with indices dim {b} of size {m}");
        }
        ensure!(dim <= indices_rank, "C22", "index_vector_dim {dim} is beyond rank {indices_rank}");
        let map = &self.scatter_dims_to_operand_dims;
        let components = self.layout().components(&indices.shape);
        ensure!(
            map.len() == components,
            "C19",
            "scatter_dims_to_operand_dims has {} entries for index vectors of {components}",
            map.len()
        );
        ensure!(unique(&joined(map, batching)), "C20", "{map:?} repeats or meets batching dims");
        for &d in map {
            ensure!(d < rank, "C21", "scatter_dims_to_operand_dims names dim {d} of rank {rank}");
        }
        let batch: Dims = rest(updates.rank(), &[windows]).iter().map(|&d| updates.shape[d]).collect();
        let expected = self.layout().batch_shape(&indices.shape);
        ensure!(batch == expected, "C4", "updates have batch sizes {batch:?}, the indices {expected:?}");
        for (&d, &w) in self.layout().window_operand_dims(rank).iter().zip(windows) {
            let (n, m) = (x.shape[d], updates.shape[w]);
            ensure!(m <= n, "C4", "update dim {w} of size {m} is larger than input dim {d} of size {n}");
        }
        match self.reducer {
            Reducer::Op(op) => {
                ensure!(MONOIDS.contains(&op), "C23", "{} is not a monoid", op.name());
                ensure!(xs.len() == 3, "C5", "{} operands", xs.len());
            }
            Reducer::Assign => ensure!(xs.len() == 3, "C5", "{} operands", xs.len()),
            Reducer::Func(f) => {
                let Some(func) = module.funcs.get(f) else {
                    return Err(TypeError::new("C23", format!("there is no function {f}")));
                };
                let scalar = Type::Tensor(TensorType::scalar(x.dtype));
                let mut params = operands[3..].to_vec();
                params.extend([scalar.clone(), scalar.clone()]);
                ensure!(
                    func.param_types() == params && func.result_types() == [scalar],
                    "C23",
                    "the update computation takes {:?} and gives {:?}, not {params:?} and one {}",
                    func.param_types(),
                    func.result_types(),
                    x.dtype
                );
            }
        }
        ensure!(!x.shape.contains(&DYNAMIC), "I1", "the input's shape must be known");
        Ok(smallvec![operands[0].clone()])
    }

    fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let (x, indices, updates) = (&operands[0], &operands[1], &operands[2]);
        let scalar = TensorType::scalar(x.dtype());
        let (mut out, size, steps) = (x.clone(), x.dtype().size(), row_major(x.shape()));
        let bytes = out.bytes_mut();
        let mut next = 0;
        self.layout().visit(x.shape(), indices, updates.shape(), None, |_, place| {
            let new = &updates.bytes()[next..next + size];
            next += size;
            if place.iter().zip(x.shape()).any(|(&i, &n)| i < 0 || i >= n as i64) {
                return Ok(());
            }
            let at: usize = place.iter().zip(&steps).map(|(&i, &s)| i as usize * s as usize).sum();
            let old = &mut bytes[at * size..(at + 1) * size];
            let mut operate = |cx: &mut dyn Evaluate, f: &dyn Fn(&mut dyn Evaluate, Array, Array) -> _| {
                let (a, b) = (Array::from_bytes(scalar.clone(), old), Array::from_bytes(scalar.clone(), new));
                let combined: Result<Vec<Array>, EvalError> = f(cx, a, b);
                old.copy_from_slice(combined?[0].bytes());
                Ok(())
            };
            match self.reducer {
                Reducer::Assign => {
                    old.copy_from_slice(new);
                    Ok(())
                }
                Reducer::Op(op) => operate(cx, &|cx, a, b| op.eval(cx, &[a, b])),
                Reducer::Func(f) => operate(cx, &|cx, a, b| {
                    let mut args = operands[3..].to_vec();
                    args.extend([a, b]);
                    cx.call(f, &args)
                }),
            }
        })?;
        Ok(vec![out])
    }

    fn differentiable(&self, active: &[bool]) -> Result<(), &'static str> {
        match self.reducer {
            Reducer::Assign => Ok(()),
            Reducer::Op(BinaryOp::Multiply) if active[2] && !self.unique_indices => {
                Err("multiplying scatter with indices that may repeat, with respect to its updates")
            }
            Reducer::Op(_) => Ok(()),
            Reducer::Func(_) => Err("scatter with a general update computation"),
        }
    }

    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        let (input, indices, updates) = (x.operands[0], x.operands[1], x.operands[2]);
        let (ty, updates_ty) = (e.ty(input), e.ty(updates));
        let tangents = |e: &mut dyn Emit| {
            let t = materialize(e, &[input, updates], &[x.tangents[0], x.tangents[2]]);
            (t[0], t[1])
        };
        let tangent = match self.reducer {
            Reducer::Op(BinaryOp::Add) => {
                let (t_input, t_updates) = tangents(e);
                e.one(self.clone(), &[t_input, indices, t_updates])
            }
            Reducer::Assign if self.unique_indices => {
                let (t_input, t_updates) = tangents(e);
                e.one(self.clone(), &[t_input, indices, t_updates])
            }
            // What was overwritten, and updates that were, do not count; the others meet nobody.
            Reducer::Assign => {
                let (stays, lasts) = winners(e, self, indices, &ty.shape, &updates_ty.shape);
                let (t_input, t_updates) = tangents(e);
                let t_input = masked(e, stays, t_input);
                let t_updates = masked(e, lasts, t_updates);
                e.one(self.add(), &[t_input, indices, t_updates])
            }
            Reducer::Op(BinaryOp::Multiply) => {
                let of_input = x.tangents[0].map(|t| e.one(self.clone(), &[t, indices, updates]));
                let of_updates = x.tangents[2].map(|t| {
                    let zeros = e.zero(ty.clone());
                    let spread = e.one(self.add(), &[zeros, indices, t]);
                    e.mul(input, spread)
                });
                return smallvec![e.add_opt(of_input, of_updates)];
            }
            // Those that equal the extremum share its tangent evenly.
            Reducer::Op(BinaryOp::Maximum | BinaryOp::Minimum) => {
                let out = x.results[0];
                let input_wins = e.compare(Direction::Eq, input, out);
                let extremum = gather_filled(e, self, out, indices, &updates_ty.shape);
                let updates_win = e.compare(Direction::Eq, updates, extremum);
                let (ones, zeros) = (e.splat(updates_ty.clone(), 1.0), e.splat(updates_ty.clone(), 0.0));
                let wins = e.select(updates_win, ones, zeros);
                let own = e.convert(input_wins, ty.dtype);
                let count = e.one(self.add(), &[own, indices, wins]);
                let (t_input, t_updates) = tangents(e);
                let t_input = masked(e, input_wins, t_input);
                let t_updates = masked(e, updates_win, t_updates);
                let sum = e.one(self.add(), &[t_input, indices, t_updates]);
                e.div(sum, count)
            }
            Reducer::Op(_) | Reducer::Func(_) => unreachable!("`differentiable` refuses it"),
        };
        smallvec![Some(tangent)]
    }

    fn transpose(&self, e: &mut dyn Emit, x: Cotangents<'_>) -> Tangents {
        let (Some(ct), Operand::Known(indices)) = (x.cotangents[0], &x.operands[1]) else {
            return smallvec![None; x.operands.len()];
        };
        let indices = *indices;
        let ty = e.ty(ct);
        let updates_ty = match &x.operands[2] {
            Operand::Known(term) => e.ty(*term),
            Operand::Linear(ty) => ty.clone(),
        };
        let (to_input, to_updates) = (linear(&x, 0).is_some(), linear(&x, 2).is_some());
        let (input, updates) = match (self.reducer, &x.operands[2]) {
            (Reducer::Op(BinaryOp::Add), _) => {
                let all = to_updates.then(|| gather_filled(e, self, ct, indices, &updates_ty.shape));
                (to_input.then_some(ct), all)
            }
            (Reducer::Assign, _) => {
                let lasting =
                    (!self.unique_indices).then(|| winners(e, self, indices, &ty.shape, &updates_ty.shape));
                let input = to_input.then(|| {
                    let zeros = e.zero(updates_ty.clone());
                    e.one(self.clone(), &[ct, indices, zeros])
                });
                let updates = to_updates.then(|| {
                    let all = gather_filled(e, self, ct, indices, &updates_ty.shape);
                    match lasting {
                        Some((_, lasts)) => masked(e, lasts, all),
                        None => all,
                    }
                });
                (input, updates)
            }
            (Reducer::Op(BinaryOp::Multiply), Operand::Known(factors)) => {
                (to_input.then(|| e.one(self.clone(), &[ct, indices, *factors])), None)
            }
            (Reducer::Op(_) | Reducer::Func(_), _) => unreachable!("not linear"),
        };
        smallvec![input, None, updates]
    }

    fn is_linear(&self, linear: &[bool]) -> bool {
        match self.reducer {
            Reducer::Assign | Reducer::Op(BinaryOp::Add) => linear == [true, false, true],
            Reducer::Op(BinaryOp::Multiply) => linear == [true, false, false],
            Reducer::Op(_) | Reducer::Func(_) => false,
        }
    }
}
