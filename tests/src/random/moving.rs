//! Steps that move elements: broadcasts, transposes, slices, pads, gathers, scatters.

use super::{Flavor, Maker};
use smallvec::SmallVec;
use wengert_ir::func::Value;
use wengert_ir::op::*;
use wengert_ir::types::{DType, Dims, TensorType};

impl Maker {
    pub(super) fn moving(&mut self) {
        let x = self.value();
        let ty = self.ty(x);
        let (shape, rank) = (ty.shape.clone(), ty.rank());
        match self.below(16) {
            0 | 1 if rank < 3 => {
                let size = self.random.pick(&self.sizes);
                let at = self.below(rank + 1);
                let mut to = shape;
                to.insert(at, size);
                let dims = (0..=rank).filter(|&d| d != at).collect();
                self.push(BroadcastInDim { shape: to, dims }, &[x]);
            }
            2 | 3 if rank > 1 => {
                let mut perm: Dims = (0..rank).collect();
                let (a, b) = (self.below(rank), self.below(rank));
                perm.swap(a, b);
                self.push(Transpose { perm }, &[x]);
            }
            4 | 5 => {
                let n = ty.elements();
                let to: Dims = match self.below(4) {
                    0 => Dims::from_slice(&[n]),
                    1 if n.is_multiple_of(6) => Dims::from_slice(&[n / 6, 6]),
                    2 => shape.iter().rev().copied().collect(),
                    _ => {
                        let mut to = shape;
                        let at = self.below(rank + 1);
                        to.insert(at, 1);
                        to
                    }
                };
                if to.len() <= 4 {
                    self.push(Reshape { shape: to }, &[x]);
                }
            }
            6 | 7 if rank > 0 => {
                self.slice(x);
            }
            8 if rank > 0 => {
                let d = self.below(rank);
                self.push(Reverse { dims: Dims::from_slice(&[d]) }, &[x]);
            }
            9 | 10 if rank > 0 => {
                let dim = self.below(rank);
                let mut other = ty;
                other.shape[dim] = self.random.pick(&self.sizes);
                let y = if self.chance(50) { self.slice(x).unwrap_or(x) } else { self.of_type(&other) };
                let operands = match self.below(4) {
                    0 => vec![x, y, x],
                    1 => vec![y, x],
                    2 => vec![x],
                    _ => vec![x, y],
                };
                self.push(Concatenate { dim }, &operands);
            }
            11 if rank > 0 => {
                let edges = |s: &mut Self| -> SmallVec<[i64; 4]> {
                    (0..rank).map(|_| s.below(4) as i64 - 1).collect()
                };
                let (low, high) = (edges(self), edges(self));
                let interior = (0..rank).map(|_| (self.below(6) == 0) as i64).collect();
                let value = self.of_type(&TensorType::scalar(ty.dtype));
                self.push(Pad { low, high, interior }, &[x, value]);
            }
            12 if rank > 0 => {
                let sizes: Dims =
                    shape.iter().map(|&n| if self.chance(30) { n } else { n.div_ceil(2) }).collect();
                let starts: Vec<Value> = (0..rank).map(|_| self.index()).collect();
                self.push(DynamicSlice { sizes }, &[&[x], &starts[..]].concat());
            }
            13 if rank > 0 => {
                let part = shape.iter().map(|&n| if self.chance(30) { n } else { n.div_ceil(2) }).collect();
                let y = self.of_type(&TensorType { dtype: ty.dtype, shape: part });
                let starts: Vec<Value> = (0..rank).map(|_| self.index()).collect();
                self.push(DynamicUpdateSlice {}, &[&[x, y], &starts[..]].concat());
            }
            14 if rank > 0 => self.gather(x),
            15 if rank > 0 => self.scatter(x),
            _ => {}
        }
    }

    /// A part of a value: of its middle, its edges, or every second element.
    fn slice(&mut self, x: Value) -> Option<Value> {
        let shape = self.ty(x).shape;
        let mut op = Slice { start: Dims::new(), limit: Dims::new(), strides: Dims::new() };
        for &n in &shape {
            let whole = self.chance(40);
            let start = if whole { 0 } else { self.below(n / 2 + 1) };
            let limit = if whole || self.chance(40) { n } else { start + self.below(n - start + 1) };
            op.start.push(start);
            op.limit.push(limit);
            op.strides.push(if self.chance(80) { 1 } else { 2 + self.below(2) });
        }
        self.push(op, &[x])
    }

    /// A type of indices.
    fn index_type(&mut self, usual: &[DType]) -> DType {
        use DType::*;
        if self.reaches && self.chance(50) {
            return self.random.pick(&[I8, I16, U8, U16, U32, U64]);
        }
        self.random.pick(usual)
    }

    /// A scalar index: a constant, or known at run time only; now and then out of bounds.
    pub(super) fn index(&mut self) -> Value {
        let usual = if self.chance(70) { DType::I32 } else { DType::I64 };
        let dtype = if self.reaches { self.index_type(&[usual]) } else { usual };
        let wanted = TensorType::scalar(dtype);
        let known: Vec<Value> =
            self.pool.iter().copied().filter(|&v| *self.func.tensor(v) == wanted).collect();
        if !known.is_empty() && self.chance(50) {
            return self.random.pick(&known);
        }
        let number = self.below(9) as f64 - 2.0;
        self.number(dtype, number)
    }

    /// Indices of this shape: constant, from the program, or counting.
    fn indices(&mut self, shape: Dims) -> Value {
        let dtype = self.index_type(&[DType::I32, DType::I32, DType::I64]);
        let ty = TensorType { dtype, shape };
        let n = ty.elements();
        match self.below(4) {
            0 if self.flavor == Flavor::Wild => return self.of_type(&ty),
            1 if ty.rank() > 0 => {
                let dim = self.below(ty.rank());
                // There may be none: the program may have as many elements as it may.
                if let Some(counting) = self.hidden(Iota { ty: ty.clone(), dim }, &[]) {
                    return counting;
                }
            }
            _ => {}
        }
        let values: Vec<f64> = (0..n).map(|_| self.below(8) as f64 - 1.0).collect();
        self.elements(&ty, values.into_iter())
    }

    /// Windows into a value of this shape.
    fn windows_into(&mut self, shape: &Dims) -> Windows {
        let (map, mut sizes, mut dropped) = self.windows_of(shape);
        let mut count = self.batch();
        let mut along = None;
        if self.reaches && self.chance(30) {
            let free: Vec<usize> = (0..shape.len()).filter(|d| !map.contains(d)).collect();
            if let (false, d) =
                (free.is_empty(), self.random.pick(if free.is_empty() { &[0] } else { &free[..] }))
            {
                sizes[d] = 1;
                dropped.retain(|&mut k| k != d);
                let at = self.below(count.len() + 1);
                count.insert(at, shape[d]);
                if count.iter().product::<usize>() > super::LARGEST / 4 {
                    count = Dims::from_slice(&[shape[d]]);
                }
                along = Some((d, at.min(count.len() - 1)));
            }
        }
        let (mut vector_dim, mut explicit) = (count.len(), true);
        if self.reaches && self.chance(40) {
            explicit = map.len() != 1 || self.chance(50);
            vector_dim = if explicit { self.below(count.len() + 1) } else { count.len() };
        }
        let mut all = count.clone();
        if explicit {
            all.insert(vector_dim, map.len());
        }
        let indices = self.indices(all);
        let along = along.map(|(d, at)| (d, at + (explicit && vector_dim <= at) as usize));
        Windows { map, sizes, dropped, count, along, vector_dim, indices }
    }

    /// Which dimensions indices walk along, window sizes, and the windows' places: `(index map, sizes, dropped)`.
    fn windows_of(&mut self, shape: &Dims) -> (Dims, Dims, Dims) {
        let rank = shape.len();
        let mut map: Dims = (0..rank).filter(|_| self.random.bits() >> 21 & 1 == 0).collect();
        if map.is_empty() {
            map.push(self.below(rank));
        }
        if map.len() == 2 && self.chance(30) {
            map.swap(0, 1);
        }
        let mut sizes = shape.clone();
        let mut dropped = Dims::new();
        for d in 0..rank {
            if map.contains(&d) {
                sizes[d] = if self.chance(70) { 1 } else { shape[d].div_ceil(2) };
            }
            if sizes[d] == 1 && self.chance(80) {
                dropped.push(d);
            }
        }
        (map, sizes, dropped)
    }

    /// How many windows there are, as a shape.
    fn batch(&mut self) -> Dims {
        let count: Dims = (0..1 + self.below(2)).map(|_| self.random.pick(&self.sizes)).collect();
        if count.iter().product::<usize>() > super::LARGEST / 4 { Dims::from_slice(&[3]) } else { count }
    }

    fn gather(&mut self, x: Value) {
        let shape = self.ty(x).shape;
        let w = self.windows_into(&shape);
        let windows = shape.len() - w.dropped.len() - w.along.is_some() as usize;
        // Window dimensions after the batch, or before it.
        let first = if self.chance(70) { w.count.len() } else { 0 };
        let op = Gather {
            offset_dims: (first..first + windows).collect(),
            collapsed_slice_dims: w.dropped,
            operand_batching_dims: w.along.iter().map(|a| a.0).collect(),
            start_indices_batching_dims: w.along.iter().map(|a| a.1).collect(),
            start_index_map: w.map,
            index_vector_dim: w.vector_dim,
            slice_sizes: w.sizes,
            indices_are_sorted: false,
        };
        self.push(op, &[x, w.indices]);
    }

    fn scatter(&mut self, x: Value) {
        let ty = self.ty(x);
        let w = self.windows_into(&ty.shape);
        let is_there = |d: &usize| !w.dropped.contains(d) && w.along.is_none_or(|a| a.0 != *d);
        let window: Dims = (0..ty.rank()).filter(is_there).map(|d| w.sizes[d]).collect();
        // Window dimensions after the batch, or before it.
        let last = !self.reaches || self.chance(60);
        let (head, tail) = if last { (&w.count, &window) } else { (&window, &w.count) };
        let updates: Dims = head.iter().chain(tail).copied().collect();
        if updates.iter().product::<usize>() > super::LARGEST {
            return;
        }
        let reducers = [
            Reducer::Op(BinaryOp::Add),
            Reducer::Op(BinaryOp::Add),
            Reducer::Op(BinaryOp::Maximum),
            Reducer::Op(BinaryOp::Minimum),
            Reducer::Op(BinaryOp::Multiply),
            Reducer::Assign,
            Reducer::Assign,
        ];
        let most = if self.flavor == Flavor::Smooth { 2 } else { reducers.len() };
        let mut reducer = reducers[self.below(most)];
        if self.reaches && ty.dtype.is_integer() && self.chance(30) {
            reducer = Reducer::Op(self.random.pick(&[BinaryOp::And, BinaryOp::Or, BinaryOp::Xor]));
        }
        let first = if last { w.count.len() } else { 0 };
        let op = Scatter {
            update_window_dims: (first..first + window.len()).collect(),
            inserted_window_dims: w.dropped,
            input_batching_dims: w.along.iter().map(|a| a.0).collect(),
            scatter_indices_batching_dims: w.along.iter().map(|a| a.1).collect(),
            scatter_dims_to_operand_dims: w.map,
            index_vector_dim: w.vector_dim,
            indices_are_sorted: false,
            unique_indices: false,
            inputs: 1,
            reducer,
        };
        let updates = self.of_type(&TensorType { dtype: ty.dtype, shape: updates });
        let into = if self.chance(50) { x } else { self.splat(&ty, 0.0) };
        self.push(op, &[into, w.indices, updates]);
    }
}

/// Windows of a gather or a scatter.
struct Windows {
    /// Which dimensions indices walk along.
    map: Dims,
    sizes: Dims,
    dropped: Dims,
    /// How many windows there are, as a shape.
    count: Dims,
    /// A dimension that runs along with one of the indices: which, and which of those.
    along: Option<(usize, usize)>,
    vector_dim: usize,
    indices: Value,
}
