//! Assertions that nobody wrote: that operations make no NaN of numbers, that nothing is divided by zero, that indices are inside.
//!
//! They are put beside the operations of a function and of all that it runs ([`Runs`](super::custom::Runs)), but not of the rules of functions with
//! derivatives of their own, nor of functions of single elements or of those that find a solution; what comes out of those is asked.
//! An assertion holds the values of the element it fails for, not whole tensors, so it costs one pass over what it asks.

use crate::rewrite::{copy_inst, like, mapped, push};
use rustc_hash::FxHashMap;
use smallvec::smallvec;
use std::fmt::Write;
use wengert_ir::func::{Func, FuncId, Inst, Loc, Module, Value};
use wengert_ir::op::*;
use wengert_ir::ops::Starts;
use wengert_ir::ops_of;
use wengert_ir::types::{DType, Dims, TensorType};

/// What is asked of operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Automatic {
    /// That none makes a NaN of operands without one.
    pub nans: bool,
    /// That no divisor is zero, of integers either.
    pub division: bool,
    /// That slices, gathers and scatters at computed places are inside of what they read or write.
    pub indices: bool,
}

/// The function with these assertions, itself if none are asked for.
pub(super) fn insert(m: &mut Module, func: FuncId, what: Automatic) -> FuncId {
    if what == Automatic::default() { func } else { Pass { m, what, done: FxHashMap::default() }.part(func) }
}

/// The first element of a predicate that is false, or their number: a scalar `i64`.
pub(super) fn first_false(m: &Module, to: &mut Func, pred: Value, loc: &Loc) -> Value {
    let (n, rank) = (to.tensor(pred).elements(), to.tensor(pred).rank());
    let mut emit = |op: Op, operands: &[Value]| push(m, to, op, operands, loc)[0];
    let flat = emit(Reshape { shape: smallvec![n] }.into(), &[pred]);
    let numbers = emit(Iota { ty: TensorType::new(DType::I64, &[n]), dim: 0 }.into(), &[]);
    let end = emit(Op::splat(TensorType::new(DType::I64, &[n]), n as f64), &[]);
    let false_ones = emit(Select {}.into(), &[flat, end, numbers]);
    if rank == 0 {
        return emit(Reshape { shape: smallvec![] }.into(), &[false_ones]);
    }
    let most = emit(Op::splat(TensorType::scalar(DType::I64), n as f64), &[]);
    let least = Reduce { dims: smallvec![0], inputs: 1, reducer: Reducer::Op(BinaryOp::Minimum) };
    emit(least.into(), &[false_ones, most])
}

struct Pass<'m> {
    m: &'m mut Module,
    what: Automatic,
    done: FxHashMap<FuncId, FuncId>,
}

/// An instruction that is asked about: what it is, and its operands in the function that is built.
struct At<'a> {
    m: &'a Module,
    to: &'a mut Func,
    inst: &'a Inst,
    x: &'a [Value],
}

impl Pass<'_> {
    fn part(&mut self, id: FuncId) -> FuncId {
        if let Some(&done) = self.done.get(&id) {
            return done;
        }
        let f = self.m.get(id);
        let (mut out, mut env) = like(&f);
        for inst in f.insts.values() {
            let mut inst = inst.clone();
            self.inside(&mut inst.op);
            let x = mapped(&env, &inst.operands);
            let is_known = |&v: &Value| f.ty(v).as_tensor().is_some_and(TensorType::is_static);
            let known = inst.operands.iter().chain(&inst.results).all(is_known);
            if known {
                let mut at = At { m: self.m, to: &mut out, inst: &inst, x: &x };
                if self.what.division {
                    at.division();
                }
                if self.what.indices {
                    at.indices();
                }
            }
            copy_inst(&mut out, &f, &inst, &mut env);
            if known && self.what.nans {
                let new = mapped(&env, &inst.results);
                for &r in new.iter().filter(|&&r| makes(&inst.op, out.tensor(r).dtype)).collect::<Vec<_>>() {
                    At { m: self.m, to: &mut out, inst: &inst, x: &x }.nans(r);
                }
            }
        }
        out.results = mapped(&env, &f.results).to_vec();
        let new = self.m.add(out);
        self.done.insert(id, new);
        new
    }

    /// What an operation runs in its place.
    fn inside(&mut self, op: &mut Op) {
        match op {
            Op::Call(op) => op.callee = self.part(op.callee),
            Op::Checkpoint(op) => op.body = self.part(op.body),
            Op::Case(op) => op.branches.iter_mut().for_each(|b| *b = self.part(*b)),
            Op::Scan(op) => op.body = self.part(op.body),
            Op::While(op) => (op.cond, op.body) = (self.part(op.cond), self.part(op.body)),
            Op::CustomJvp(op) => op.body = self.part(op.body),
            Op::CustomVjp(op) => op.body = self.part(op.body),
            Op::Composite(_) | Op::LinearSolve(_) | Op::Root(_) => {}
            ops_of!(source)
            | ops_of!(elementwise)
            | ops_of!(movement)
            | ops_of!(update)
            | ops_of!(contraction)
            | ops_of!(reduction)
            | ops_of!(library)
            | ops_of!(mark)
            | ops_of!(opaque) => {}
        }
    }
}

/// Whether an operation with results of this type can make a NaN of operands without one.
fn makes(op: &Op, dtype: DType) -> bool {
    match op.kind() {
        Kind::Elementwise => match op {
            // Its NaN stands for zero and for all numbers below.
            Op::Unary(UnaryOp::Negate | UnaryOp::Floor | UnaryOp::Imag) if dtype == DType::F8E8M0FNU => true,
            // (The sign of a complex number can: that of infinity.)
            Op::Unary(op) => !matches!(
                op,
                UnaryOp::Negate
                    | UnaryOp::Abs
                    | UnaryOp::Floor
                    | UnaryOp::Ceil
                    | UnaryOp::Real
                    | UnaryOp::Imag
            ),
            Op::Binary(op) => !matches!(op, BinaryOp::Minimum | BinaryOp::Maximum | BinaryOp::Complex),
            op => matches!(op, Op::Fma(_) | Op::Convert(_) | Op::ReducePrecision(_)),
        },
        Kind::Update => matches!(op, Op::Scatter(op) if op.reducer != Reducer::Assign),
        Kind::Contraction | Kind::Reduction | Kind::Library => true,
        Kind::Call => matches!(op, Op::LinearSolve(_) | Op::Root(_)),
        Kind::Source | Kind::Movement | Kind::Control | Kind::Mark | Kind::Opaque => false,
    }
}

fn compare(direction: Direction, dtype: DType) -> Op {
    Compare { direction, kind: CompareType::natural(dtype) }.into()
}

impl At<'_> {
    fn emit(&mut self, op: impl Into<Op>, operands: &[Value]) -> Value {
        push(self.m, self.to, op, operands, &self.inst.loc)[0]
    }

    fn ty(&self, v: Value) -> TensorType {
        self.to.tensor(v).clone()
    }

    fn splat(&mut self, ty: TensorType, value: f64) -> Value {
        self.emit(Op::splat(ty, value), &[])
    }

    /// That all of `pred` holds. The values are tensors of its shape, of which the message shows the element that it fails for.
    fn assert(&mut self, pred: Value, message: String, values: &[Value]) {
        if self.ty(pred).elements() == 0 {
            return;
        }
        let mut operands = vec![pred];
        if !values.is_empty() {
            let first = first_false(self.m, self.to, pred, &self.inst.loc);
            operands.extend(values.iter().map(|&v| self.element(v, first)).collect::<Vec<_>>());
        }
        let op = Assert { message: message.into(), batch: 0, mapped: Dims::from_elem(0, values.len()) };
        push(self.m, self.to, op, &operands, &self.inst.loc);
    }

    /// Element `at` of all elements in order, of which no derivative is taken.
    fn element(&mut self, x: Value, at: Value) -> Value {
        let x = self.emit(StopGradient {}, &[x]);
        let n = self.ty(x).elements();
        let flat = self.emit(Reshape { shape: smallvec![n] }, &[x]);
        let one = if n == 1 { flat } else { self.emit(DynamicSlice { sizes: smallvec![1] }, &[flat, at]) };
        self.emit(Reshape { shape: smallvec![] }, &[one])
    }

    /// That the divisor is not zero.
    fn division(&mut self) {
        if !matches!(self.inst.op, Op::Binary(BinaryOp::Divide | BinaryOp::Remainder)) {
            return;
        }
        let (a, b) = (self.x[0], self.x[1]);
        if self.to.scalar_constant(b).and_then(|c| c.splat_value()).is_some_and(|divisor| divisor != 0.0) {
            return;
        }
        let ty = self.ty(b);
        let zero = self.splat(ty.clone(), 0.0);
        let holds = self.emit(compare(Direction::Ne, ty.dtype), &[b, zero]);
        self.assert(holds, format!("{} of {{}} by zero", self.inst.op.name()), &[a]);
    }

    /// That what is read or written is inside.
    fn indices(&mut self) {
        let shape = |k: usize| self.to.tensor(self.x[k]).shape.clone();
        match &self.inst.op {
            Op::DynamicSlice(op) => self.starts(1, &op.sizes.clone()),
            Op::DynamicUpdateSlice(_) => self.starts(2, &shape(1)),
            Op::Gather(op) => self.vectors(&op.starts()),
            Op::Scatter(op) => self.vectors(&op.starts(&shape(0), &shape(op.inputs + 1))),
            ops_of!(source)
            | ops_of!(elementwise)
            | ops_of!(contraction)
            | ops_of!(reduction)
            | ops_of!(library)
            | ops_of!(call)
            | ops_of!(control)
            | ops_of!(mark)
            | ops_of!(opaque) => {}
            // Movements at places that stand in the program.
            Op::BroadcastInDim(_)
            | Op::Reshape(_)
            | Op::Transpose(_)
            | Op::Reverse(_)
            | Op::Slice(_)
            | Op::Concatenate(_)
            | Op::Pad(_) => {}
        }
    }

    /// Of one start for each dimension, from operand `first` on.
    fn starts(&mut self, first: usize, window: &[usize]) {
        for (d, &size) in window.iter().enumerate() {
            self.in_bounds(self.x[first + d], (d, size));
        }
    }

    /// Of vectors of starts.
    fn vectors(&mut self, starts: &Starts) {
        let indices = self.x[starts.operand];
        let ty = self.ty(indices);
        for (k, &component) in starts.components.iter().enumerate() {
            let mut one = indices;
            if starts.vector_dim < ty.rank() {
                let (mut start, mut limit) = (Dims::from_elem(0, ty.rank()), Dims::from_slice(&ty.shape));
                (start[starts.vector_dim], limit[starts.vector_dim]) = (k, k + 1);
                let mut shape = ty.shape.clone();
                shape.remove(starts.vector_dim);
                one = self.emit(Slice { start, limit, strides: Dims::from_elem(1, ty.rank()) }, &[indices]);
                one = self.emit(Reshape { shape }, &[one]);
            }
            self.in_bounds(one, component);
        }
    }

    /// Of starts along one dimension: which, and the size of a window.
    fn in_bounds(&mut self, starts: Value, (d, size): (usize, usize)) {
        let (ty, x) = (self.ty(starts), self.ty(self.x[0]));
        // The last start from which the window fits, -1 or less if there is none.
        let last = x.shape[d] as i64 - size as i64;
        let wide = ty.with_dtype(DType::I64);
        let wide_starts = self.emit(Convert { dtype: DType::I64 }, &[starts]);
        let (low, high) = (self.splat(wide.clone(), 0.0), self.splat(wide, last as f64));
        let low = self.emit(compare(Direction::Ge, DType::I64), &[wide_starts, low]);
        let high = self.emit(compare(Direction::Le, DType::I64), &[wide_starts, high]);
        let holds = self.emit(BinaryOp::And, &[low, high]);
        let mut message =
            format!("{}: index {{}} is out of bounds for dimension {d} of {x}", self.inst.op.name());
        if size != 1 {
            let _ = write!(message, ", from which slices of {size} are taken");
        }
        self.assert(holds, message, &[starts]);
    }

    /// Where a tensor is NaN; of one that cannot be, nothing.
    fn is_nan(&mut self, x: Value) -> Option<Value> {
        let dtype = self.to.ty(x).as_tensor()?.dtype;
        if !dtype.is_float() && !dtype.is_complex() {
            return None;
        }
        Some(self.emit(compare(Direction::Ne, dtype), &[x, x]))
    }

    /// That a result has no NaN where no operand has: of an elementwise operation the same element, of others any.
    fn nans(&mut self, result: Value) {
        let Some(bad) = self.is_nan(result) else { return };
        let shape = self.ty(result).shape.clone();
        let mut holds = self.emit(UnaryOp::Not, &[bad]);
        let elementwise = self.inst.op.kind() == Kind::Elementwise;
        let operands: Vec<Value> = self.x.to_vec();
        for &x in &operands {
            let Some(mut before) = self.is_nan(x) else { continue };
            if !elementwise || self.ty(x).shape != shape {
                before = self.any(before);
                before = self.emit(BroadcastInDim { shape: shape.clone(), dims: smallvec![] }, &[before]);
            }
            holds = self.emit(BinaryOp::Or, &[holds, before]);
        }
        let mut message = format!("{} made a NaN", self.inst.op.name());
        let shown: Vec<Value> = if elementwise { operands } else { Vec::new() };
        for k in 0..shown.len() {
            message += if k == 0 { " of {}" } else { " and {}" };
        }
        self.assert(holds, message, &shown);
    }

    fn any(&mut self, flags: Value) -> Value {
        let rank = self.ty(flags).rank();
        if rank == 0 {
            return flags;
        }
        let no = self.splat(TensorType::scalar(DType::I1), 0.0);
        let any = Reduce { dims: (0..rank).collect(), inputs: 1, reducer: Reducer::Op(BinaryOp::Or) };
        self.emit(any, &[flags, no])
    }
}
