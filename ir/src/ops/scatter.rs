//! `scatter`: a window that does not lie inside of the input is dropped as a whole, as XLA does and JAX relies on (the
//! specification drops the elements outside, one by one); of several updates that assign to one place the last wins.

use super::shape::{all_tensors, linear, materialize, rest, unique};
use super::sliding::flat;
use super::strided::row_major;
use super::windows::{Layout, Misfit, Starts, joined, per_component, roomy_indices, sorted};
use crate::array::Array;
use crate::ensure;
use crate::func::Module;
use crate::op::*;
use crate::ops::batching;
use crate::rules::{Batched, Mapped};
use crate::rules::{
    Emit, EvalError, Evaluate, Jvp, OpDef, Operand, Tangents, Term, Transpose as Cotangents, TypeError, Types,
};
use crate::types::{DType, DYNAMIC, Dims, TensorType, Type};
use crate::work::Sizes;
use smallvec::smallvec;

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

    /// Where its indices lead, into inputs of shape `input` with updates of shape `updates`.
    pub fn starts(&self, input: &[usize], updates: &[usize]) -> Starts {
        self.layout().starts(self.inputs, &self.window(input, updates))
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
pub(super) fn gather_filled(
    e: &mut dyn Emit,
    scatter: &Scatter,
    x: Term,
    indices: Term,
    updates: &[usize],
) -> Term {
    let ty = e.ty(x);
    if updates.contains(&0) || ty.shape.contains(&0) {
        return e.zero(ty.with_shape(updates));
    }
    let layout = scatter.layout();
    let window = scatter.window(&ty.shape, updates);
    let gather = Gather {
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
    // Gather where clamping leads, then keep the windows that were inside.
    let most: Vec<i64> = layout.index_map.iter().map(|&d| (ty.shape[d] - window[d]) as i64).collect();
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
    e.select(inside, read, zeros)
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

impl Scatter {
    /// The dimensions of updates in the order in which they are combined: one window after the other.
    pub(super) fn order(&self, rank: usize) -> Dims {
        let batch = (0..rank).filter(|d| !self.update_window_dims.contains(d));
        batch.chain(self.update_window_dims.iter().copied()).collect()
    }
}

const MONOIDS: [BinaryOp; 7] = {
    use BinaryOp::*;
    [Add, Multiply, Maximum, Minimum, And, Or, Xor]
};

impl OpDef for Scatter {
    fn infer(&self, module: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let xs = all_tensors(operands)?;
        let n = self.inputs;
        ensure!(
            n > 0 && xs.len().saturating_sub(1) / 2 >= n,
            "C5",
            "{n} inputs, indices and as many updates, got {} operands",
            xs.len()
        );
        let (x, indices, updates) = (xs[0], xs[n], xs[n + 1]);
        for (k, input) in xs[..n].iter().enumerate() {
            ensure!(input.shape == x.shape, "C1", "input {k} is {input}, input 0 is {x}");
        }
        for (k, update) in xs[n + 1..2 * n + 1].iter().enumerate() {
            ensure!(update.shape == updates.shape, "C3", "updates {k} are {update}, updates 0 are {updates}");
            let dtype = xs[k].dtype;
            ensure!(update.dtype == dtype, "C6", "updates {k} are {}, the input {dtype}", update.dtype);
        }
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
                ensure!(n == 1 && xs.len() == 3, "C5", "{} operands", xs.len());
            }
            Reducer::Assign => ensure!(n == 1 && xs.len() == 3, "C5", "{} operands", xs.len()),
            Reducer::Func(f) => {
                let Some(func) = module.funcs.get(f) else {
                    return Err(TypeError::new("C23", format!("there is no function {f}")));
                };
                let scalars: Vec<Type> = xs[..n].iter().map(|x| TensorType::scalar(x.dtype).into()).collect();
                let mut params = operands[2 * n + 1..].to_vec();
                params.extend(scalars.iter().chain(&scalars).cloned());
                ensure!(
                    func.param_types() == params && func.result_types() == scalars,
                    "C23",
                    "the update computation takes {:?} and gives {:?}, not {params:?} and {scalars:?}",
                    func.param_types(),
                    func.result_types()
                );
            }
        }
        ensure!(!x.shape.contains(&DYNAMIC), "I1", "the input's shape must be known");
        Ok(operands[..n].into())
    }

    fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let n = self.inputs;
        let (xs, indices, updates) = (&operands[..n], &operands[n], &operands[n + 1..2 * n + 1]);
        // One window after the other: where they overlap, that is the order of the updates.
        let rank = updates[0].shape().len();
        let perm = self.order(rank);
        let last: Dims = (rank - self.update_window_dims.len()..rank).collect();
        if self.update_window_dims != last {
            let mut operands = operands.to_vec();
            for update in &mut operands[n + 1..2 * n + 1] {
                let turned = Transpose { perm: perm.clone() }.eval(cx, std::slice::from_ref(update))?;
                *update = turned.into_iter().next().expect("a result");
            }
            return Scatter { update_window_dims: last, ..self.clone() }.eval(cx, &operands);
        }
        let steps = row_major(xs[0].shape());
        let mut out = xs.to_vec();
        // Element `at` of an array, as a scalar of its own.
        let element = |array: &Array, at: usize| {
            let size = array.dtype().size();
            Array::from_bytes(TensorType::scalar(array.dtype()), &array.bytes()[at * size..(at + 1) * size])
        };
        let mut next = 0;
        let (shape, updates_shape) = (xs[0].shape(), updates[0].shape());
        let window = self.window(shape, updates_shape);
        self.layout().visit(shape, indices, updates_shape, &window, Misfit::Dropped, |place| {
            let from = next;
            next += 1;
            let Some(place) = place else { return Ok(()) };
            let at = flat(place, &steps);
            let new = updates.iter().map(|u| element(u, from));
            let combined: Vec<Array> = match self.reducer {
                Reducer::Assign => {
                    let (size, update) = (out[0].dtype().size(), updates[0].bytes());
                    out[0].bytes_mut()[at * size..(at + 1) * size]
                        .copy_from_slice(&update[from * size..(from + 1) * size]);
                    return Ok(());
                }
                Reducer::Op(op) => {
                    let args: Vec<Array> = [element(&out[0], at)].into_iter().chain(new).collect();
                    op.eval(cx, &args)?
                }
                Reducer::Func(f) => {
                    let mut args = operands[2 * n + 1..].to_vec();
                    args.extend(out.iter().map(|x| element(x, at)));
                    args.extend(new);
                    cx.call(f, &args)?
                }
            };
            for (x, value) in out.iter_mut().zip(&combined) {
                let size = value.bytes().len();
                x.bytes_mut()[at * size..(at + 1) * size].copy_from_slice(value.bytes());
            }
            Ok(())
        })?;
        Ok(out)
    }

    fn differentiable(&self, active: &[bool]) -> Result<(), &'static str> {
        match self.reducer {
            Reducer::Assign => Ok(()),
            Reducer::Op(BinaryOp::Multiply) if active[2] && !self.unique_indices => {
                Err("it multiplies and its indices may repeat; a loop must take its place")
            }
            Reducer::Op(_) => Ok(()),
            Reducer::Func(_) => Err("it has an update computation of its own; a loop must take its place"),
        }
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        x.operand(self.inputs + 1).saturating_mul(self.inputs as u64)
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

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        let n = self.inputs;
        let (indices, captures) = (operands[n], &operands[2 * n + 1..]);
        if batching::any_mapped(captures) {
            return None;
        }
        let on = |dims: &Dims| -> Dims { dims.iter().map(|d| d + 1).collect() };
        let mut op = Scatter {
            update_window_dims: on(&self.update_window_dims),
            inserted_window_dims: on(&self.inserted_window_dims),
            input_batching_dims: on(&self.input_batching_dims),
            scatter_dims_to_operand_dims: on(&self.scatter_dims_to_operand_dims),
            ..self.clone()
        };
        let places = if indices.1.is_some() {
            op.index_vector_dim += 1;
            op.scatter_indices_batching_dims = on(&self.scatter_indices_batching_dims);
            op.scatter_indices_batching_dims.insert(0, 0);
            op.input_batching_dims.insert(0, 0);
            batching::at(e, size, indices, 0)
        } else {
            // All examples' elements are a part of each window.
            op.update_window_dims.insert(0, 0);
            indices.0
        };
        let mut terms = batching::front(e, size, &operands[..n]);
        terms.push(places);
        terms.extend(batching::front(e, size, &operands[n + 1..2 * n + 1]));
        terms.extend(captures.iter().map(|c| c.0));
        batching::in_front(e.emit(op.into(), &terms))
    }
}
