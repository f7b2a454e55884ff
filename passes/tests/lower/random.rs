//! Random programs: straight-line, and as bodies of scans and while loops, where buffers are reused in place.

use crate::Agreement::Relative;
use crate::check_module;
use smallvec::SmallVec;
use wengert_ir::array::{Array, Literal};
use wengert_ir::func::{Func, FuncId, FuncKind, Loc, Module, Value};
use wengert_ir::op::*;
use wengert_ir::testing::Random;
use wengert_ir::types::{DType, Dims, TensorType};

/// Sizes of dimensions; most tensors get some beyond what registers hold.
const SIZES: [usize; 7] = [1, 2, 3, 4, 6, 24, 70];

struct Maker<'m> {
    m: &'m Module,
    f: Func,
    random: Random,
    /// Floats to choose from.
    pool: Vec<Value>,
}

impl Maker<'_> {
    fn below(&mut self, n: usize) -> usize {
        (self.random.bits() >> 20) as usize % n
    }

    fn push(&mut self, op: impl Into<Op>, operands: &[Value]) -> Option<Value> {
        let results = self.f.push(self.m, op.into(), operands, Loc::Unknown).ok()?;
        let v = results[0];
        if self.f.tensor(v).elements() > 20_000 {
            return None; // stays dead
        }
        if self.f.tensor(v).dtype == DType::F64 {
            self.pool.push(v);
        }
        Some(v)
    }

    fn pick(&mut self) -> Value {
        // Later values more often: chains grow, and old ones come back.
        let n = self.pool.len();
        let k = if self.below(3) == 0 { self.below(n) } else { n - 1 - self.below(n.min(4)) };
        self.pool[k]
    }

    fn shape(&self, v: Value) -> Dims {
        self.f.tensor(v).shape.clone()
    }

    /// A value with the shape of another: one that exists, or a broadcast of what fits, or a constant.
    fn like(&mut self, v: Value) -> Value {
        let shape = self.shape(v);
        let same: Vec<Value> = self.pool.iter().copied().filter(|&w| self.shape(w) == shape).collect();
        match self.below(4) {
            0 => {
                let value =
                    Literal::splat(TensorType::new(DType::F64, &shape), self.random.uniform(-1.0, 1.0));
                self.push(Constant { value }, &[]).expect("a constant")
            }
            1 if !shape.is_empty() => {
                let d = self.below(shape.len());
                let fits = |w: &Value| self.shape(*w)[..] == [shape[d]];
                match self.pool.iter().copied().find(fits) {
                    Some(w) => {
                        let op = BroadcastInDim { shape: shape.clone(), dims: Dims::from_slice(&[d]) };
                        self.push(op, &[w]).expect("it fits")
                    }
                    None => same[self.below(same.len())],
                }
            }
            _ => same[self.below(same.len())],
        }
    }

    fn index(&mut self) -> Value {
        let value = Literal::splat(TensorType::scalar(DType::I32), self.random.uniform(-1.0, 5.0).floor());
        let c = self.f.push(self.m, Constant { value }.into(), &[], Loc::Unknown).expect("a constant")[0];
        if self.below(2) == 0 {
            return c;
        }
        // Known at run time only.
        let x = self.pick();
        let rank = self.shape(x).len();
        let one = self
            .push(
                Slice {
                    start: Dims::from_elem(0, rank),
                    limit: Dims::from_elem(1, rank),
                    strides: Dims::from_elem(1, rank),
                },
                &[x],
            )
            .and_then(|v| self.push(Reshape { shape: Dims::new() }, &[v]));
        let Some(x) = one else { return c };
        let i = self.f.push(self.m, Convert { dtype: DType::I32 }.into(), &[x], Loc::Unknown);
        i.expect("a conversion")[0]
    }

    fn step(&mut self) {
        let x = self.pick();
        let shape = self.shape(x);
        let rank = shape.len();
        match self.below(16) {
            0..=2 => {
                let op = [BinaryOp::Add, BinaryOp::Multiply, BinaryOp::Maximum][self.below(3)];
                let y = self.like(x);
                self.push(op, &[x, y]);
            }
            3 => {
                let op = [UnaryOp::Negate, UnaryOp::Abs, UnaryOp::Floor][self.below(3)];
                self.push(op, &[x]);
            }
            4 => {
                self.push(UnaryOp::Tanh, &[x]);
            }
            5 => {
                let y = self.like(x);
                let compare = Compare { direction: Direction::Lt, kind: CompareType::Float };
                let p = self.f.push(self.m, compare.into(), &[x, y], Loc::Unknown).expect("one type")[0];
                self.push(Select {}, &[p, y, x]);
            }
            6 if rank < 3 => {
                let size = SIZES[self.below(SIZES.len())];
                let at = self.below(rank + 1);
                let mut to = shape.clone();
                to.insert(at, size);
                let dims = (0..=rank).filter(|&d| d != at).collect();
                self.push(BroadcastInDim { shape: to, dims }, &[x]);
            }
            7 if rank > 1 => {
                let mut perm: Dims = (0..rank).collect();
                let (a, b) = (self.below(rank), self.below(rank));
                perm.swap(a, b);
                self.push(Transpose { perm }, &[x]);
            }
            8 if rank > 1 => {
                let n: usize = shape.iter().product();
                let to = match self.below(3) {
                    0 => Dims::from_slice(&[n]),
                    1 if n.is_multiple_of(6) => Dims::from_slice(&[n / 6, 6]),
                    _ => shape.iter().rev().copied().collect(),
                };
                self.push(Reshape { shape: to }, &[x]);
            }
            9 if rank > 0 => {
                let strides: Dims = (0..rank).map(|_| 1 + self.below(2)).collect();
                let start: Dims =
                    shape.iter().map(|&n| self.random.bits() as usize % n.div_ceil(2)).collect();
                self.push(Slice { start, limit: shape, strides }, &[x]);
            }
            10 if rank > 0 => {
                let d = self.below(rank);
                match self.below(2) {
                    0 => self.push(Reverse { dims: Dims::from_slice(&[d]) }, &[x]),
                    _ => {
                        let y = self.like(x);
                        self.push(Concatenate { dim: d }, &[x, y, x])
                    }
                };
            }
            11 if rank > 0 => {
                let edges = |m: &mut Self| -> SmallVec<[i64; 4]> {
                    (0..rank).map(|_| m.below(4) as i64 - 1).collect()
                };
                let (low, high) = (edges(self), edges(self));
                let interior = (0..rank).map(|_| (self.below(6) == 0) as i64).collect();
                let value = Literal::splat(TensorType::scalar(DType::F64), 0.5);
                let c =
                    self.f.push(self.m, Constant { value }.into(), &[], Loc::Unknown).expect("a constant")[0];
                if shape.iter().zip(&low).zip(&high).all(|((&n, l), h)| n as i64 + l + h > 0) {
                    self.push(Pad { low, high, interior }, &[x, c]);
                }
            }
            12 | 13 if rank > 0 => {
                let mut dims: Dims = (0..rank).filter(|_| self.random.bits() & 64 != 0).collect();
                if dims.is_empty() {
                    dims.push(rank - 1);
                }
                let op = [BinaryOp::Add, BinaryOp::Maximum][self.below(2)];
                let value = Literal::splat(TensorType::scalar(DType::F64), 0.25);
                let c =
                    self.f.push(self.m, Constant { value }.into(), &[], Loc::Unknown).expect("a constant")[0];
                self.push(Reduce { dims, inputs: 1, reducer: Reducer::Op(op) }, &[x, c]);
            }
            14 if rank > 0 => {
                let sizes: Dims = shape.iter().map(|&n| n.div_ceil(2)).collect();
                let starts: Vec<Value> = (0..rank).map(|_| self.index()).collect();
                if let Some(part) = self.push(DynamicSlice { sizes }, &[&[x], &starts[..]].concat()) {
                    let y = self.like(part);
                    let starts: Vec<Value> = (0..rank).map(|_| self.index()).collect();
                    self.push(DynamicUpdateSlice {}, &[&[x, y], &starts[..]].concat());
                }
            }
            15 if rank == 2 => {
                let y = self.pick();
                let other = self.shape(y);
                if other.len() == 2 && other[0] == shape[1] {
                    self.push(
                        DotGeneral {
                            lhs_batching_dims: Dims::new(),
                            rhs_batching_dims: Dims::new(),
                            lhs_contracting_dims: Dims::from_slice(&[1]),
                            rhs_contracting_dims: Dims::from_slice(&[0]),
                            lhs_precision: Precision::Default,
                            rhs_precision: Precision::Default,
                            dtype: DType::F64,
                        },
                        &[x, y],
                    );
                }
            }
            _ => {}
        }
    }

    /// A bounded value of this type, from the pool or made to fit.
    fn fitted(&mut self, ty: &TensorType) -> Value {
        let fits: Vec<Value> = self.pool.iter().copied().filter(|&v| self.f.tensor(v) == ty).collect();
        let v = fits[if self.below(4) == 0 { self.below(fits.len()) } else { fits.len() - 1 }];
        if self.below(4) == 0 { v } else { self.push(UnaryOp::Tanh, &[v]).expect("one operand") }
    }
}

fn random_type(random: &mut Random) -> TensorType {
    let rank = (random.bits() >> 30) as usize % 4;
    let shape: Vec<usize> = (0..rank).map(|_| SIZES[(random.bits() >> 30) as usize % SIZES.len()]).collect();
    if shape.iter().product::<usize>() > 20_000 {
        return TensorType::new(DType::F64, &shape[1..]);
    }
    TensorType::new(DType::F64, &shape)
}

/// A function of these types; it gives values of `results`, and `more` of any type.
fn function(
    m: &Module,
    seed: u64,
    kind: FuncKind,
    params: &[TensorType],
    results: &[TensorType],
    more: usize,
) -> Func {
    let f = Func::new("main", kind);
    let mut maker = Maker { m, f, random: Random(seed), pool: Vec::new() };
    for ty in params {
        let p = maker.f.param(ty.clone());
        maker.pool.push(p);
    }
    for _ in 0..10 + seed % 30 {
        maker.step();
    }
    let mut out: Vec<Value> = results.iter().map(|ty| maker.fitted(ty)).collect();
    for _ in 0..more {
        let v = maker.pick();
        out.push(v);
    }
    maker.f.results = out;
    maker.f
}

fn arguments(m: &Module, f: FuncId, seed: u64) -> Vec<Array> {
    let mut random = Random(seed);
    let func = m.get(f);
    func.params.iter().map(|&p| random.array(func.tensor(p), -1.5, 1.5)).collect()
}

const NEAR: crate::Agreement = Relative(1e-9);

#[test]
fn straight_line() {
    for seed in 0..300 {
        let mut random = Random(seed);
        let params: Vec<TensorType> = (0..3).map(|_| random_type(&mut random)).collect();
        let mut m = Module::new("random");
        let func = function(&m, seed, FuncKind::Public, &params, &[], 4);
        let f = m.add(func);
        let args = arguments(&m, f, seed);
        check_module(&format!("seed {seed}\n{m}"), &m, f, &args, NEAR);
    }
}

#[test]
fn bodies_of_scans() {
    for seed in 0..300 {
        let mut random = Random(1000 + seed);
        let types: Vec<TensorType> = (0..4).map(|_| random_type(&mut random)).collect();
        let (constant, carry, x) = (&types[..1], &types[1..3], &types[3..]);
        let mut m = Module::new("random");
        let body = function(&m, seed, FuncKind::Region, &types, carry, 2);
        let rows: Vec<TensorType> = body.results[2..].iter().map(|&v| body.tensor(v).clone()).collect();
        let body = m.add(body);
        let length = 1 + seed as usize % 4;
        let scan = Scan { body, consts: 1, carry: 2, reverse: seed % 2 == 0, length };
        let mut f = Func::new("main", FuncKind::Public);
        let mut operands: Vec<Value> = constant.iter().chain(carry).map(|t| f.param(t.clone())).collect();
        operands.push(f.param(x[0].stacked(length)));
        let results = carry.iter().cloned().chain(rows.iter().map(|t| t.stacked(length)));
        f.results = f.push_typed(scan.into(), &operands, results.map(Into::into), Loc::Unknown).to_vec();
        let f = m.add(f);
        let args = arguments(&m, f, seed);
        check_module(&format!("seed {seed}\n{m}"), &m, f, &args, NEAR);
    }
}

/// A scan in a scan, by way of calls, and a `while` with a counter and a stack of rows.
#[test]
fn bodies_of_nested_loops() {
    for seed in 0..150 {
        let mut random = Random(5000 + seed);
        let types: Vec<TensorType> = (0..4).map(|_| random_type(&mut random)).collect();
        let carry = &types[1..3];
        let mut m = Module::new("random");
        let body = function(&m, seed, FuncKind::Private, &types, carry, 1);
        let row = body.tensor(body.results[2]).clone();
        let body = m.add(body);
        let length = 2;

        // One trip of the outer loop: a scan with `body`.
        let scan = Scan { body, consts: 1, carry: 2, reverse: seed % 2 == 0, length };
        let mut inner = Func::new("inner", FuncKind::Private);
        let xs = types[3].stacked(length);
        let params = [types[0].clone(), carry[0].clone(), carry[1].clone(), xs.clone()];
        let operands: Vec<Value> = params.iter().map(|t| inner.param(t.clone())).collect();
        let results = [carry[0].clone(), carry[1].clone(), row.stacked(length)];
        let results = results.into_iter().map(Into::into);
        inner.results = inner.push_typed(scan.into(), &operands, results, Loc::Unknown).to_vec();
        let inner = m.add(inner);

        // Trips while a counter is below its limit: `i < 3`.
        let scalar = TensorType::scalar(DType::I32);
        let mut cond = Func::new("", FuncKind::Region);
        let mut step = Func::new("", FuncKind::Region);
        let params = [types[0].clone(), xs.clone(), carry[0].clone(), carry[1].clone(), scalar.clone()];
        let of_cond: Vec<Value> = params.iter().map(|t| cond.param(t.clone())).collect();
        let of_step: Vec<Value> = params.iter().map(|t| step.param(t.clone())).collect();
        let limit = cond.push(&m, Op::splat(scalar.clone(), 3.0), &[], Loc::Unknown).unwrap()[0];
        let less = Compare { direction: Direction::Lt, kind: CompareType::Signed };
        cond.results = cond.push(&m, less.into(), &[of_cond[4], limit], Loc::Unknown).unwrap().to_vec();
        let call = Call { callee: inner };
        let args = [of_step[0], of_step[2], of_step[3], of_step[1]];
        let results = m.get(inner).result_types();
        let given = step.push_typed(call.into(), &args, results, Loc::Unknown);
        let one = step.push(&m, Op::splat(scalar.clone(), 1.0), &[], Loc::Unknown).unwrap()[0];
        let next = step.push(&m, BinaryOp::Add.into(), &[of_step[4], one], Loc::Unknown).unwrap()[0];
        step.results = vec![given[0], given[1], next, given[2]];
        let (cond, step) = (m.add(cond), m.add(step));

        let mut f = Func::new("main", FuncKind::Public);
        let params: Vec<Value> = params.iter().map(|t| f.param(t.clone())).collect();
        let w = While { cond, body: step, consts: 2, stacks: 1, counted: true };
        let types: Vec<TensorType> = vec![
            carry[0].clone(),
            carry[1].clone(),
            scalar.clone(),
            TensorType::scalar(DType::I64),
            row.stacked(length).stacked(wengert_ir::types::DYNAMIC),
        ];
        let out = f.push_typed(w.into(), &params, types.into_iter().map(Into::into), Loc::Unknown);

        // The stack's rows, backwards, added up into a carry.
        let ty = row.stacked(length);
        let mut add = Func::new("", FuncKind::Region);
        let (a, b) = (add.param(ty.clone()), add.param(ty.clone()));
        add.results = add.push(&m, BinaryOp::Add.into(), &[a, b], Loc::Unknown).unwrap().to_vec();
        let add = m.add(add);
        let zero = f.push(&m, Op::splat(ty.clone(), 0.5), &[], Loc::Unknown).unwrap()[0];
        let sum = Scan { body: add, consts: 0, carry: 1, reverse: true, length: wengert_ir::types::DYNAMIC };
        let sum = f.push_typed(sum.into(), &[out[3], zero, out[4]], [ty.into()], Loc::Unknown)[0];
        f.results = vec![out[0], out[1], out[2], out[3], sum];
        let f = m.add(f);
        let mut args = arguments(&m, f, seed);
        args[4] = Array::scalar((seed % 4) as i32 - 1);
        check_module(&format!("seed {seed}\n{m}"), &m, f, &args, NEAR);
    }
}
