//! Random typed instances of patterns: functions that compute a rule's left side.

use egg::{ENodeOrVar, PatternAst, Var};
use std::collections::BTreeMap;
use wengert_ir::array::{Array, Literal};
use wengert_ir::func::{Func, FuncKind, Loc, Module, Value};
use wengert_ir::op::*;
use wengert_ir::testing::{Random, SPECIAL, numbers};
use wengert_ir::types::{DType, Dims, TensorType};
use wengert_passes::testing::{Head, Kind, Node};

pub(super) const DTYPES: &[DType] =
    &[DType::F32, DType::F64, DType::I32, DType::I64, DType::U32, DType::U64, DType::I1];

/// An argument full of special values, or of moderate positive ones.
pub(super) fn argument(rng: &mut Random, ty: &TensorType, special: bool) -> Array {
    if !special {
        return rng.array(ty, 0.5, 2.0);
    }
    if ty.dtype.is_float() {
        let values: Vec<f64> = (0..ty.elements()).map(|_| rng.pick(SPECIAL)).collect();
        return numbers(ty, values);
    }
    let mut array = Array::zeros(ty.clone());
    let bits: Vec<u64> =
        (0..ty.elements()).map(|_| if rng.chance(50) { rng.bits() } else { rng.bits() % 5 }).collect();
    for (chunk, bits) in array.bytes_mut().chunks_exact_mut(ty.dtype.size()).zip(bits) {
        let bits = if ty.dtype == DType::I1 { bits & 1 } else { bits };
        chunk.copy_from_slice(&bits.to_le_bytes()[..ty.dtype.size()]);
    }
    array
}

enum Bound {
    Value(Value),
    Attrs(Box<Op>),
}

/// A function under construction.
pub(super) struct Instance<'a> {
    pub(super) rng: &'a mut Random,
    pub(super) module: Module,
    pub(super) func: Func,
    bound: BTreeMap<Var, Bound>,
    /// Whether constants may be zero or infinite.
    special: bool,
    /// What constants often are, besides.
    constants: &'a [f64],
}

impl<'a> Instance<'a> {
    /// A function whose only result has the form of `pattern`, if the draw works out.
    pub(super) fn of(
        pattern: &PatternAst<Node>,
        special: bool,
        constants: &'a [f64],
        rng: &'a mut Random,
    ) -> Option<(Module, Func)> {
        let dtype = rng.pick(DTYPES);
        let shape = shape(rng);
        let mut instance = Instance {
            rng,
            module: Module::default(),
            func: Func::new("f", FuncKind::Public),
            bound: BTreeMap::new(),
            special,
            constants,
        };
        let root = instance.value(pattern.as_ref(), pattern.len() - 1, &TensorType::new(dtype, &shape))?;
        instance.func.results.push(root);
        Some((instance.module, instance.func))
    }

    fn push(&mut self, op: impl Into<Op>, operands: &[Value], want: &TensorType) -> Option<Value> {
        let values = self.func.push(&self.module, op.into(), operands, Loc::Unknown).ok()?;
        (self.func.tensor(values[0]) == want).then_some(values[0])
    }

    fn splat(&mut self, ty: &TensorType, value: f64) -> Option<Value> {
        self.push(Constant { value: Literal::splat(ty.clone(), value) }, &[], ty)
    }

    /// A value for a variable or an operand without a name.
    fn leaf(&mut self, ty: &TensorType) -> Option<Value> {
        match self.rng.below(10) {
            0..=2 if !self.constants.is_empty() => {
                let value = self.rng.pick(self.constants);
                self.splat(ty, value)
            }
            0..=3 if !self.special => {
                let value = self.rng.pick(&[1.0, 0.5, 2.0, 3.0]);
                self.splat(ty, value)
            }
            0..=3 => {
                let value = self.rng.pick(&[
                    0.0,
                    -0.0,
                    1.0,
                    -1.0,
                    2.0,
                    4.0,
                    0.25,
                    3.0,
                    f64::INFINITY,
                    f64::NEG_INFINITY,
                    i64::MIN as f64,
                ]);
                self.splat(ty, value)
            }
            4 => {
                let x = self.func.param(ty.clone());
                self.push(UnaryOp::Abs, &[x], ty)
            }
            _ => Some(self.func.param(ty.clone())),
        }
    }

    fn value(&mut self, pattern: &[ENodeOrVar<Node>], at: usize, want: &TensorType) -> Option<Value> {
        let node = match &pattern[at] {
            ENodeOrVar::Var(v) => {
                let value = match self.bound.get(v) {
                    Some(Bound::Value(value)) => *value,
                    Some(Bound::Attrs(_)) => return None,
                    None => self.leaf(want)?,
                };
                self.bound.insert(*v, Bound::Value(value));
                return (self.func.tensor(value) == want).then_some(value);
            }
            ENodeOrVar::ENode(node) => node,
        };
        let child = |k: usize| usize::from(node.children[k]);
        let kind = match node.head {
            Head::Number(Head::NEGATIVE_ZERO) => return self.splat(want, -0.0),
            Head::Number(k) => return self.splat(want, f64::from(k)),
            Head::Op(kind) => kind,
            Head::AnyUnary => Kind::Unary(self.rng.pick(UnaryOp::ALL)),
            Head::AnyBinary => Kind::Binary(self.rng.pick(BinaryOp::ALL)),
            _ => return None,
        };
        let count = node.children.len() - kind.has_attrs() as usize;
        let attrs_var = kind.has_attrs().then(|| match &pattern[child(count)] {
            ENodeOrVar::Var(v) => *v,
            ENodeOrVar::ENode(_) => panic!("attributes are variables"),
        });
        let given = attrs_var.and_then(|v| match self.bound.get(&v) {
            Some(Bound::Attrs(op)) => Some((**op).clone()),
            _ => None,
        });
        let known = match &pattern[child(0).min(pattern.len() - 1)] {
            ENodeOrVar::Var(v) if kind == Kind::Slice => match self.bound.get(v) {
                Some(Bound::Value(x)) => Some(self.func.tensor(*x).clone()),
                _ => None,
            },
            _ => None,
        };
        let (op, operand_types) = match known {
            Some(from) => (part_of(self.rng, &from, want)?, vec![from]),
            None => operation(self.rng, kind, count, want, given)?,
        };
        if let Some(v) = attrs_var {
            self.bound.insert(v, Bound::Attrs(Box::new(op.clone())));
        }
        let operands: Option<Vec<Value>> =
            operand_types.iter().enumerate().map(|(k, ty)| self.value(pattern, child(k), ty)).collect();
        self.push(op, &operands?, want)
    }
}

pub(super) fn shape(rng: &mut Random) -> Dims {
    let rank = rng.pick(&[0, 1, 1, 2, 2, 2, 3]);
    (0..rank).map(|_| rng.pick(&[1, 1, 2, 3, 3, 4, 0])).collect()
}

fn shuffle<T>(rng: &mut Random, items: &mut [T]) {
    for k in (1..items.len()).rev() {
        items.swap(k, rng.below(k + 1));
    }
}

/// A slice of this shape of an operand that is already there.
fn part_of(rng: &mut Random, from: &TensorType, want: &TensorType) -> Option<Op> {
    if from.rank() != want.rank() {
        return None;
    }
    let mut op = Slice { start: Dims::new(), limit: Dims::new(), strides: Dims::new() };
    for (&have, &size) in from.shape.iter().zip(&want.shape) {
        let start = rng.below(have.checked_sub(size)? + 1);
        op.start.push(start);
        op.limit.push(start + size);
        op.strides.push(1);
    }
    Some(op.into())
}

/// An operation of a kind with a result of type `want` and this many operands, and the operands' types.
pub(super) fn operation(
    rng: &mut Random,
    kind: Kind,
    count: usize,
    want: &TensorType,
    given: Option<Op>,
) -> Option<(Op, Vec<TensorType>)> {
    let scalar = TensorType::scalar;
    let any = |rng: &mut Random| want.with_dtype(rng.pick(DTYPES));
    let n = want.rank();
    Some(match kind {
        Kind::Unary(op @ (UnaryOp::IsFinite | UnaryOp::IsInf | UnaryOp::IsPosInf | UnaryOp::IsNegInf)) => {
            let dtype = rng.pick(&[DType::F32, DType::F64]);
            (op.into(), vec![want.with_dtype(dtype)])
        }
        Kind::Unary(op) => (op.into(), vec![want.clone()]),
        Kind::Binary(op) => (op.into(), vec![want.clone(), want.clone()]),
        Kind::Compare => {
            let ty = any(rng);
            let natural = CompareType::natural(ty.dtype);
            let total = ty.dtype.is_float() && rng.chance(20);
            let fresh = Compare {
                direction: rng.pick(Direction::ALL),
                kind: if total { CompareType::TotalOrder } else { natural },
            };
            (given.unwrap_or(fresh.into()), vec![ty.clone(), ty])
        }
        Kind::Select => {
            let pred = if rng.chance(50) { scalar(DType::I1) } else { want.with_dtype(DType::I1) };
            (Select {}.into(), vec![pred, want.clone(), want.clone()])
        }
        Kind::Convert => (given.unwrap_or(Convert { dtype: want.dtype }.into()), vec![any(rng)]),
        Kind::BitcastConvert => {
            let same: Vec<DType> = DTYPES.iter().copied().filter(|t| t.bits() == want.dtype.bits()).collect();
            if same.is_empty() {
                return None;
            }
            (BitcastConvert { ty: want.clone() }.into(), vec![want.with_dtype(rng.pick(&same))])
        }
        Kind::BroadcastInDim => {
            let mut dims: Dims = (0..n).filter(|_| rng.chance(60)).collect();
            if rng.chance(30) {
                shuffle(rng, &mut dims);
            }
            if rng.chance(30) {
                dims.clear();
            }
            let op = given.unwrap_or(BroadcastInDim { shape: want.shape.clone(), dims }.into());
            let Op::BroadcastInDim(b) = &op else { return None };
            let stretch = rng.chance(30);
            let from: Dims = b
                .dims
                .iter()
                .map(|&d| if stretch && rng.chance(50) { 1 } else { want.shape.get(d).copied().unwrap_or(1) })
                .collect();
            (op.clone(), vec![want.with_shape(&from)])
        }
        Kind::Reshape => {
            let mut from: Dims = want.shape.iter().copied().filter(|&d| d != 1 || rng.chance(60)).collect();
            while from.len() < 4 && rng.chance(40) {
                from.insert(rng.below(from.len() + 1), 1);
            }
            if rng.chance(30) {
                from = Dims::from_slice(&[want.elements()]);
            }
            (Reshape { shape: want.shape.clone() }.into(), vec![want.with_shape(&from)])
        }
        Kind::Transpose => {
            let mut perm: Dims = (0..n).collect();
            if rng.chance(80) {
                shuffle(rng, &mut perm);
            }
            let op = given.unwrap_or(Transpose { perm }.into());
            let Op::Transpose(t) = &op else { return None };
            let mut from = Dims::from_elem(0, n);
            for (i, &p) in t.perm.iter().enumerate() {
                *from.get_mut(p)? = *want.shape.get(i)?;
            }
            (op.clone(), vec![want.with_shape(&from)])
        }
        Kind::Reverse => {
            let dims = (0..n).filter(|_| rng.chance(60)).collect();
            (given.unwrap_or(Reverse { dims }.into()), vec![want.clone()])
        }
        Kind::Slice => {
            let mut op = Slice { start: Dims::new(), limit: Dims::new(), strides: Dims::new() };
            let mut from = Dims::new();
            let whole = rng.chance(20);
            for &size in &want.shape {
                let (start, stride) = if whole { (0, 1) } else { (rng.below(3), rng.pick(&[1, 1, 1, 2])) };
                let limit = if size == 0 { start } else { start + (size - 1) * stride + 1 };
                op.start.push(start);
                op.limit.push(limit);
                op.strides.push(stride);
                from.push(limit + if whole { 0 } else { rng.below(3) });
            }
            (op.into(), vec![want.with_shape(&from)])
        }
        Kind::Concatenate => {
            let dim = match given {
                Some(Op::Concatenate(c)) => c.dim,
                _ => rng.below(n.max(1)),
            };
            let total = *want.shape.get(dim)?;
            let mut types = Vec::new();
            let mut left = total;
            for k in 0..count {
                let size = if k + 1 == count { left } else { rng.below(left + 1) };
                left -= size;
                let mut ty = want.clone();
                ty.shape[dim] = size;
                types.push(ty);
            }
            (Concatenate { dim }.into(), types)
        }
        Kind::Pad => {
            let mut op =
                Pad { low: Default::default(), high: Default::default(), interior: Default::default() };
            let mut from = Dims::new();
            let none = rng.chance(20);
            for &size in &want.shape {
                let child = if none { size } else { rng.below(size + 2) };
                let interior = if none || rng.chance(70) { 0 } else { 1 };
                let inner = child as i64 + (child as i64 - 1).max(0) * interior;
                let low = if none { 0 } else { rng.below(3) as i64 - 1 };
                op.low.push(low);
                op.high.push(size as i64 - inner - low);
                op.interior.push(interior);
                from.push(child);
            }
            (op.into(), vec![want.with_shape(&from), scalar(want.dtype)])
        }
        Kind::DynamicSlice if count == n + 1 => {
            let whole = rng.chance(30);
            let from: Dims = want.shape.iter().map(|&d| if whole { d } else { d + rng.below(3) }).collect();
            let index = scalar(rng.pick(&[DType::I32, DType::I64]));
            let mut types = vec![want.with_shape(&from)];
            types.resize(count, index);
            (DynamicSlice { sizes: want.shape.clone() }.into(), types)
        }
        Kind::DynamicUpdateSlice if count == n + 2 => {
            let whole = rng.chance(50);
            let update: Dims = want.shape.iter().map(|&d| if whole { d } else { rng.below(d + 1) }).collect();
            let index = scalar(rng.pick(&[DType::I32, DType::I64]));
            let mut types = vec![want.clone(), want.with_shape(&update)];
            types.resize(count, index);
            (DynamicUpdateSlice {}.into(), types)
        }
        Kind::Reduce => {
            let mut from = want.shape.clone();
            let mut dims = Dims::new();
            let unit = rng.chance(40);
            for _ in 0..1 + rng.below(2) {
                let at = rng.below(from.len() + 1);
                from.insert(at, if unit { 1 } else { rng.pick(&[1, 2, 3, 5, 0]) });
                dims.iter_mut().filter(|d| **d >= at).for_each(|d| *d += 1);
                dims.push(at);
            }
            dims.sort_unstable();
            let reducers = [
                BinaryOp::Add,
                BinaryOp::Add,
                BinaryOp::Multiply,
                BinaryOp::Maximum,
                BinaryOp::Minimum,
                BinaryOp::And,
                BinaryOp::Or,
                BinaryOp::Xor,
            ];
            let reducer = Reducer::Op(rng.pick(&reducers));
            (Reduce { dims, inputs: 1, reducer }.into(), vec![want.with_shape(&from), scalar(want.dtype)])
        }
        Kind::DotGeneral => {
            let batch = if n > 2 { rng.below(2) } else { 0 };
            let left = rng.below(n - batch + 1);
            let depth: Vec<usize> = (0..rng.below(3)).map(|_| rng.pick(&[1, 2, 3, 0])).collect();
            // Each side's dimensions as (role, index, size), in any order that keeps free ones in place.
            let mut side = |free: &[usize]| {
                let mut dims: Vec<(u8, usize, usize)> = free.iter().map(|&d| (2, 0, d)).collect();
                for b in 0..batch {
                    dims.insert(rng.below(dims.len() + 1), (0, b, want.shape[b]));
                }
                for (k, &d) in depth.iter().enumerate() {
                    dims.insert(rng.below(dims.len() + 1), (1, k, d));
                }
                let role = |r: u8, count: usize| -> Dims {
                    (0..count).map(|k| dims.iter().position(|d| (d.0, d.1) == (r, k)).unwrap()).collect()
                };
                let shape: Dims = dims.iter().map(|d| d.2).collect();
                (role(0, batch), role(1, depth.len()), want.with_shape(&shape))
            };
            let (lhs_batching_dims, lhs_contracting_dims, lhs) = side(&want.shape[batch..batch + left]);
            let (rhs_batching_dims, rhs_contracting_dims, rhs) = side(&want.shape[batch + left..]);
            let op = DotGeneral {
                lhs_batching_dims,
                rhs_batching_dims,
                lhs_contracting_dims,
                rhs_contracting_dims,
                lhs_precision: Precision::Default,
                rhs_precision: Precision::Default,
                dtype: want.dtype,
            };
            (op.into(), vec![lhs, rhs])
        }
        Kind::Iota if n > 0 && want.dtype != DType::I1 => {
            (Iota { ty: want.clone(), dim: rng.below(n) }.into(), vec![])
        }
        Kind::Gather => {
            // A batch of windows, or of elements.
            let batch = if rng.chance(50) { n } else { rng.below(n + 1) };
            let leading = if batch == n { 1 + rng.below(2) } else { rng.below(2) };
            let mut sizes = Dims::from_elem(1, leading);
            sizes.extend_from_slice(&want.shape[batch..]);
            let from: Dims = sizes.iter().map(|&d| d + rng.below(3)).collect();
            let mapped = if leading > 0 { leading } else { rng.below(sizes.len() + 1) };
            let mut indices = Dims::from_slice(&want.shape[..batch]);
            indices.push(mapped);
            let dtype = match want.dtype {
                own @ (DType::I32 | DType::I64 | DType::U32) if rng.chance(60) => own,
                _ => rng.pick(&[DType::I32, DType::I64]),
            };
            let op = Gather {
                offset_dims: (batch..n).collect(),
                collapsed_slice_dims: (0..leading).collect(),
                operand_batching_dims: Dims::new(),
                start_indices_batching_dims: Dims::new(),
                start_index_map: (0..mapped).collect(),
                index_vector_dim: batch,
                slice_sizes: sizes,
                indices_are_sorted: false,
            };
            (op.into(), vec![want.with_shape(&from), TensorType::new(dtype, &indices)])
        }
        Kind::Zero => (given.unwrap_or(Zero { ty: want.clone() }.into()), vec![]),
        _ => return None,
    })
}
