//! `sort` and `top_k`: slices along one dimension, put in order together.
//!
//! Sorting is stable whether that was asked for or not. Comparators that compare a function of the left
//! elements with the same function of the right ones, or several such one after another, are turned into
//! integer keys ([`super::sort_keys`]); any other runs once per comparison of a merge sort, whatever it
//! answers.

use super::shape::{all_tensors, tensors};
use super::sort_keys::{self, Keys};
use crate::array::Array;
use crate::ensure;
use crate::func::{Func, FuncId, FuncKind, Module, Value};
use crate::op::*;
use crate::ops::batching;
use crate::rules::{Batched, Mapped};
use crate::rules::{Emit, EvalError, Evaluate, Jvp, OpDef, Tangents, Term, TypeError, Types};
use crate::types::{DType, Dims, TensorType, Type};
use crate::work::{Sizes, log2};
use smallvec::smallvec;

/// The type of positions along a dimension of this size.
fn position_type(size: usize) -> DType {
    if i32::try_from(size).is_ok() { DType::I32 } else { DType::I64 }
}

/// The elements of `x` at `positions` along a dimension, whatever the others are.
pub(super) fn take_along(e: &mut dyn Emit, x: Term, positions: Term, dimension: usize) -> Term {
    let wanted = e.ty(positions);
    if wanted.elements() == 0 {
        // A gather's slices of one do not fit into dimensions of none.
        let ty = e.ty(x).with_shape(&wanted.shape);
        return e.zero(ty);
    }
    let rank = wanted.rank();
    let others: Dims = (0..rank).filter(|&d| d != dimension).collect();
    let gather = Gather {
        offset_dims: Dims::new(),
        collapsed_slice_dims: smallvec![dimension],
        operand_batching_dims: others.clone(),
        start_indices_batching_dims: others,
        start_index_map: smallvec![dimension],
        index_vector_dim: rank,
        slice_sizes: Dims::from_elem(1, rank),
        indices_are_sorted: false,
    };
    e.one(gather, &[x, positions])
}

/// How slices along a dimension lie in row-major memory.
struct Slices {
    len: usize,
    /// Elements from one of a slice to the next.
    step: usize,
    count: usize,
}

impl Slices {
    fn new(shape: &[usize], dimension: usize) -> Self {
        let len = shape[dimension];
        let step = shape[dimension + 1..].iter().product();
        let count = shape[..dimension].iter().product::<usize>() * step;
        Self { len, step, count }
    }

    /// Where slice `k` begins.
    fn start(&self, k: usize) -> usize {
        (k / self.step) * self.len * self.step + k % self.step
    }
}

/// Copies of every slice the elements at the `keep` positions that `order` has for it.
fn permuted(x: &Array, slices: &Slices, order: &[u32], keep: usize, shape: &[usize]) -> Array {
    let mut out = Array::zeros(x.ty().with_shape(shape));
    let (to, from) = (out.bytes_mut(), x.bytes());
    match x.dtype().size() {
        1 => permute::<1>(to, from, slices, order, keep),
        2 => permute::<2>(to, from, slices, order, keep),
        4 => permute::<4>(to, from, slices, order, keep),
        8 => permute::<8>(to, from, slices, order, keep),
        _ => permute::<16>(to, from, slices, order, keep),
    }
    out
}

fn permute<const SIZE: usize>(to: &mut [u8], from: &[u8], slices: &Slices, order: &[u32], keep: usize) {
    for k in 0..slices.count {
        let start = slices.start(k);
        let target = (k / slices.step) * keep * slices.step + k % slices.step;
        for (i, &o) in order[k * keep..][..keep].iter().enumerate() {
            let (a, b) = ((target + i * slices.step) * SIZE, (start + o as usize * slices.step) * SIZE);
            to[a..a + SIZE].copy_from_slice(&from[b..b + SIZE]);
        }
    }
}

/// Slices from this length on are sorted digit by digit.
const LONG: usize = 2048;

/// Sorts by the lowest `bits` bits of the keys, equal keys in the order they had: a radix sort from the lowest digit
/// up, in which digits that all keys share cost one look.
fn radix<T: Copy>(items: &mut Vec<T>, bits: u32, key: impl Fn(&T) -> u64) {
    const DIGIT: u32 = 11;
    let digit = |x: &T, shift: u32| (key(x) >> shift) as usize & ((1 << DIGIT) - 1);
    let mut other = items.clone();
    for shift in (0..bits).step_by(DIGIT as usize) {
        let mut places = [0usize; 1 << DIGIT];
        items.iter().for_each(|x| places[digit(x, shift)] += 1);
        if places.contains(&items.len()) {
            continue;
        }
        let mut next = 0;
        for place in &mut places {
            next += std::mem::replace(place, next);
        }
        for x in items.iter() {
            let place = &mut places[digit(x, shift)];
            other[*place] = *x;
            *place += 1;
        }
        std::mem::swap(items, &mut other);
    }
}

/// For each slice, its positions in the order of the keys; equal keys keep theirs.
fn order_by_keys(keys: &Keys, slices: &Slices) -> Vec<u32> {
    let mut order: Vec<u32> = Vec::with_capacity(slices.len * slices.count);
    if let [column] = &keys.columns[..]
        && slices.len >= LONG
    {
        let narrow = column.iter().all(|&key| key >> 32 == 0);
        for k in 0..slices.count {
            let start = slices.start(k);
            let keyed = (0..slices.len as u32).map(|i| (column[start + i as usize * slices.step], i));
            if narrow {
                // Key and position in one word.
                let mut words: Vec<u64> = keyed.map(|(key, i)| key << 32 | u64::from(i)).collect();
                radix(&mut words, 32, |word| word >> 32);
                order.extend(words.iter().map(|&word| word as u32));
            } else {
                let mut pairs: Vec<(u64, u32)> = keyed.collect();
                radix(&mut pairs, 64, |pair| pair.0);
                order.extend(pairs.iter().map(|pair| pair.1));
            }
        }
        return order;
    }
    if let [column] = &keys.columns[..] {
        let mut pairs: Vec<(u64, u32)> = Vec::with_capacity(slices.len);
        for k in 0..slices.count {
            let start = slices.start(k);
            pairs.clear();
            pairs.extend((0..slices.len as u32).map(|i| (column[start + i as usize * slices.step], i)));
            pairs.sort_unstable();
            order.extend(pairs.iter().map(|p| p.1));
        }
        return order;
    }
    for k in 0..slices.count {
        let start = slices.start(k);
        let from = order.len();
        order.extend(0..slices.len as u32);
        let row = |i: u32| keys.columns.iter().map(move |c| c[start + i as usize * slices.step]);
        order[from..].sort_by(|&a, &b| row(a).cmp(row(b)));
    }
    order
}

/// Merge sort by any predicate "left comes first". Unlike the standard library's it asks nothing of the
/// predicate, and stops at its first error.
fn merge_sort(
    order: &mut [u32],
    before: &mut dyn FnMut(u32, u32) -> Result<bool, EvalError>,
) -> Result<(), EvalError> {
    let n = order.len();
    let mut source = order.to_vec();
    let mut width = 1;
    while width < n {
        let mut at = 0;
        for from in (0..n).step_by(2 * width) {
            let (middle, to) = ((from + width).min(n), (from + 2 * width).min(n));
            let (mut a, mut b) = (from, middle);
            while a < middle || b < to {
                // The right one goes first only if it must.
                let right = a == middle || b < to && before(source[b], source[a])?;
                let next = if right { &mut b } else { &mut a };
                order[at] = source[*next];
                *next += 1;
                at += 1;
            }
        }
        source.copy_from_slice(order);
        width *= 2;
    }
    Ok(())
}

impl Sort {
    /// The comparator for one more operand, which it does not look at.
    fn with_positions(&self, e: &mut dyn Emit, dtype: DType) -> FuncId {
        let module = e.module();
        let mut func = Func::clone(&module.get(self.comparator));
        func.kind = FuncKind::Region;
        for _ in 0..2 {
            func.param(TensorType::scalar(dtype));
        }
        module.add(renumbered(&func))
    }

    /// The comparator of a sort in which the marked captures, scalars, are operands after the others, every element of which is
    /// the capture: it takes that of the left element.
    fn with_sorted(&self, e: &mut dyn Emit, captures: &[bool]) -> FuncId {
        let module = e.module();
        let mut func = Func::clone(&module.get(self.comparator));
        func.kind = FuncKind::Region;
        let (first, elements) = func.params.split_at(captures.len());
        let of = |wanted: bool| first.iter().zip(captures).filter(move |c| *c.1 == wanted).map(|c| *c.0);
        let mut params: Vec<Value> = of(false).chain(elements.iter().copied()).collect();
        for left in of(true).collect::<Vec<_>>() {
            let right = func.param(func.ty(left).clone());
            params.extend([left, right]);
        }
        func.params = params.into_iter().collect();
        module.add(renumbered(&func))
    }

    fn order(
        &self,
        cx: &mut dyn Evaluate,
        operands: &[Array],
        slices: &Slices,
    ) -> Result<Vec<u32>, EvalError> {
        let (xs, captures) = operands.split_at(self.inputs);
        if let Some(keys) = sort_keys::keys(cx, self.comparator, xs, captures)? {
            return Ok(order_by_keys(&keys, slices));
        }
        let element = |x: &Array, at: usize| {
            let size = x.dtype().size();
            Array::from_bytes(TensorType::scalar(x.dtype()), &x.bytes()[at * size..(at + 1) * size])
        };
        let mut order: Vec<u32> = (0..slices.count).flat_map(|_| 0..slices.len as u32).collect();
        for k in 0..slices.count {
            let start = slices.start(k);
            merge_sort(&mut order[k * slices.len..(k + 1) * slices.len], &mut |a, b| {
                cx.tick(1)?;
                let mut args = captures.to_vec();
                for x in xs {
                    args.extend([a, b].map(|i| element(x, start + i as usize * slices.step)));
                }
                Ok(cx.call(self.comparator, &args)?[0].bytes()[0] != 0)
            })?;
        }
        Ok(order)
    }
}

/// The function with its values numbered anew, parameters first.
fn renumbered(func: &Func) -> Func {
    let mut out = Func::new(func.name.clone(), func.kind);
    let params: Vec<_> = func.params.iter().map(|&p| out.param(func.ty(p).clone())).collect();
    out.results = out.inline(func, &params);
    out
}

impl OpDef for Sort {
    fn infer(&self, module: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let xs = all_tensors(operands)?;
        let n = self.inputs;
        ensure!(n > 0 && xs.len() >= n, "C1", "sorts {n} tensors, got {}", xs.len());
        for x in &xs[1..n] {
            ensure!(x.shape == xs[0].shape, "C3", "{x} and {} differ in shape", xs[0]);
        }
        let rank = xs[0].rank();
        ensure!(self.dimension < rank, "C4", "dimension {} is not below rank {rank}", self.dimension);
        let Some(func) = module.funcs.get(self.comparator) else {
            return Err(TypeError::new("C5", format!("there is no function {}", self.comparator)));
        };
        let mut params = operands[n..].to_vec();
        params.extend(xs[..n].iter().flat_map(|x| {
            let scalar = Type::Tensor(TensorType::scalar(x.dtype));
            [scalar.clone(), scalar]
        }));
        let flag = Type::Tensor(TensorType::scalar(DType::I1));
        ensure!(
            func.param_types() == params && func.result_types() == [flag],
            "C5",
            "the comparator takes {:?} and gives {:?}, not {params:?} and one i1",
            func.param_types(),
            func.result_types()
        );
        Ok(operands[..n].into())
    }

    fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let shape = operands[0].shape();
        if shape.contains(&0) {
            return Ok(operands[..self.inputs].to_vec());
        }
        let slices = Slices::new(shape, self.dimension);
        cx.reserve(&TensorType::new(DType::U32, shape))?;
        let order = self.order(cx, operands, &slices)?;
        let xs = operands[..self.inputs].iter();
        Ok(xs.map(|x| permuted(x, &slices, &order, slices.len, shape)).collect())
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        x.operand(0).saturating_mul(log2(x.size(0, self.dimension)))
    }

    /// The permutation is found by sorting positions along, and applied to the tangents.
    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        let n = self.inputs;
        if x.tangents[..n].iter().all(Option::is_none) {
            return smallvec![None; n];
        }
        let shape = e.ty(x.operands[0]).shape;
        let dtype = position_type(shape[self.dimension]);
        let comparator = self.with_positions(e, dtype);
        let iota = Iota { ty: TensorType::new(dtype, &shape), dim: self.dimension };
        let mut operands = x.operands[..n].to_vec();
        operands.push(e.one(iota, &[]));
        operands.extend_from_slice(&x.operands[n..]);
        let sort = Sort { comparator, inputs: n + 1, ..self.clone() };
        let order = e.emit(sort.into(), &operands)[n];
        x.tangents[..n].iter().map(|t| t.map(|t| take_along(e, t, order, self.dimension))).collect()
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        let (n, op) = (self.inputs, Sort { dimension: self.dimension + 1, ..self.clone() });
        let (xs, captures) = operands.split_at(n);
        if !batching::any_mapped(captures) {
            return batching::leading_but(e, size, op, operands, n);
        }
        // What the comparator captures of each example goes with the elements.
        let own: Vec<bool> = captures.iter().map(|c| c.1.is_some()).collect();
        if captures.iter().any(|c| c.1.is_some() && e.ty(c.0).rank() > 1) {
            return None;
        }
        let comparator = self.with_sorted(e, &own);
        let mut terms = batching::front(e, size, xs);
        let shape = e.ty(terms[0]).shape;
        terms
            .extend(captures.iter().filter(|c| c.1.is_some()).map(|c| e.broadcast_in_dim(c.0, &shape, &[0])));
        terms.extend(captures.iter().filter(|c| c.1.is_none()).map(|c| c.0));
        let inputs = n + own.iter().filter(|&&own| own).count();
        let sorted = e.emit(Sort { comparator, inputs, ..op }.into(), &terms);
        batching::in_front(sorted.into_iter().take(n))
    }
}

impl OpDef for TopK {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let x = tensors(operands, 1)?[0];
        ensure!(!x.dtype.is_complex(), "I1", "complex numbers have no order");
        let Some((&last, outer)) = x.shape.split_last() else {
            return Err(TypeError::new("C1", "the operand must not be a scalar"));
        };
        ensure!(self.k <= last, "C2", "the {} largest of {last}", self.k);
        let mut shape = Dims::from_slice(outer);
        shape.push(self.k);
        Ok(smallvec![x.with_shape(&shape).into(), TensorType::new(DType::I32, &shape).into()])
    }

    fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let x = &operands[0];
        let mut shape = Dims::from_slice(x.shape());
        let last = shape.len() - 1;
        shape[last] = self.k;
        let positions = TensorType::new(DType::I32, &shape);
        if positions.elements() == 0 {
            return Ok(vec![Array::zeros(x.ty().with_shape(&shape)), Array::zeros(positions)]);
        }
        let slices = Slices::new(x.shape(), last);
        cx.reserve(&TensorType::new(DType::U64, x.shape()))?;
        let (order, each) = if self.k < slices.len / 8 {
            (sort_keys::largest(x, slices.len, self.k), self.k)
        } else {
            let keys = Keys { columns: vec![sort_keys::total_order(x, true)] };
            (order_by_keys(&keys, &slices), slices.len)
        };
        let first: Vec<u32> = order.chunks_exact(each).flat_map(|o| &o[..self.k]).copied().collect();
        let indices: Vec<i32> = first.iter().map(|&i| i as i32).collect();
        Ok(vec![permuted(x, &slices, &first, self.k, &shape), Array::new(&shape, &indices)])
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        x.operand(0)
    }

    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        let last = e.ty(x.operands[0]).rank() - 1;
        smallvec![x.tangents[0].map(|t| take_along(e, t, x.results[1], last)), None]
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        batching::leading(e, size, self.clone(), operands)
    }
}
