//! What an operation must know about itself ([`OpDef`]) and what its derivative rules are written with
//! ([`Emit`], [`Term`]).
//!
//! A `jvp` rule is written once and serves both forward mode and linearization: it emits instructions
//! over [`Term`]s, and the emitter decides in which function each one lands. In linearization a term is
//! *known* (computed with the primal) or *linear* (computed when tangents arrive); an instruction goes
//! where its least known operand is, so the rule itself need not say.

pub mod errors;

use crate::array::{Array, Literal};
use crate::entity::EntityVec;
use crate::func::{Func, FuncId, Module, Value};
use crate::op::{
    BinaryOp, BroadcastInDim, Compare, CompareType, Constant, Convert, Direction, DotGeneral, Op, Reduce,
    Reducer, Reshape, Select, Transpose as TransposeOp, UnaryOp, Zero,
};
use crate::types::{DType, Dims, TensorType, Type};
use crate::work::Sizes;
use smallvec::SmallVec;
use std::sync::Arc;

pub use errors::{EvalError, Failure, Raised, TOO_LARGE, TypeError, write_where};

/// What evaluation of an operation may ask for: other functions of the module.
pub trait Evaluate {
    /// Runs a function.
    fn call(&mut self, func: FuncId, args: &[Array]) -> Result<Vec<Array>, EvalError>;
    /// A function, for operations that know what some functions do; `None` if it cannot be looked at.
    fn func(&self, func: FuncId) -> Option<Arc<Func>> {
        let _ = func;
        None
    }
    /// The declared types of a function's results.
    fn result_types(&self, func: FuncId) -> Vec<Type>;
    /// Counts work against the step limit; loops call it once per trip.
    fn tick(&mut self, steps: u64) -> Result<(), EvalError>;
    /// Fails if an array of this type would pass the memory limit; called before allocating results
    /// that are larger than the operands.
    fn reserve(&mut self, ty: &TensorType) -> Result<(), EvalError>;
}

/// Result types of an instruction.
pub type Types = SmallVec<[Type; 2]>;

/// A value in a derivative rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Term {
    /// A value of the primal function: known before tangents are.
    Known(Value),
    /// A value of the linear function.
    Linear(Value),
}

/// A short list of optional terms: tangents or cotangents, `None` for zero.
pub type Tangents = SmallVec<[Option<Term>; 2]>;

/// What a `jvp` rule is given.
#[derive(Clone, Copy)]
pub struct Jvp<'a> {
    /// The primal operands.
    pub operands: &'a [Term],
    /// The primal results.
    pub results: &'a [Term],
    /// Tangents of the operands; `None` is zero. At least one is present.
    pub tangents: &'a [Option<Term>],
}

/// An operand of a linear instruction under transposition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operand {
    /// Does not depend on the linear inputs.
    Known(Term),
    /// Does; only its type may be used.
    Linear(TensorType),
}

/// What a `transpose` rule is given.
#[derive(Clone, Copy)]
pub struct Transpose<'a> {
    /// The operands.
    pub operands: &'a [Operand],
    /// Types of the results.
    pub results: &'a [Type],
    /// Cotangents of the results; `None` is zero. At least one is present.
    pub cotangents: &'a [Option<Term>],
}

/// An operand or result with the dimension that is mapped over, if any.
pub type Mapped = (Term, Option<usize>);

/// The results of an operation on a batch.
pub type Batched = Vec<Mapped>;

/// The mathematics of one operation: one place, about one screen.
pub trait OpDef {
    /// Result types, or which constraint the operands break. Must never panic.
    fn infer(&self, module: &Module, operands: &[Type]) -> Result<Types, TypeError>;

    /// The result by definition: obvious rather than fast. Operands have passed `infer`; dynamic sizes have
    /// become actual ones.
    fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError>;

    /// [`OpDef::eval`] from bytes to bytes, for compiled code: the same bits without copies. `None`, with nothing that counts in the
    /// results, where only that can do it, or where bytes do not lie as numbers of their types do.
    fn eval_into(
        &self,
        operands: &[(&TensorType, &[u8])],
        results: &mut [(&TensorType, &mut [u8])],
    ) -> Option<Result<(), EvalError>> {
        let _ = (operands, results);
        None
    }

    /// Arithmetic operations, counted as [`crate::work`] says; what the operation runs is counted there. The default, for what
    /// moves elements only, is none.
    fn flops(&self, x: &Sizes<'_>) -> u64 {
        let _ = x;
        0
    }

    /// Why there is no derivative with respect to the active operands, where there is none. Passes ask
    /// before they call [`OpDef::jvp`].
    fn differentiable(&self, active: &[bool]) -> Result<(), &'static str> {
        let _ = active;
        Ok(())
    }

    /// Tangents of the results. Control flow is differentiated by passes and does not come here.
    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents;

    /// Cotangents of the operands (`None` for known ones and for zero). Only structurally linear
    /// operations have it.
    fn transpose(&self, e: &mut dyn Emit, x: Transpose<'_>) -> Tangents {
        let _ = (e, x);
        panic!("not a linear operation: verify_linear must have refused it")
    }

    /// The same results by other operations, for one that kernels have no code for, or better code that way;
    /// `None` where it stands as it is. Only the types of the operands may be looked at, and their values where
    /// [`Emit::constant`] tells them.
    fn expand(&self, e: &mut dyn Emit, operands: &[Term]) -> Option<SmallVec<[Term; 2]>> {
        let _ = (e, operands);
        None
    }

    /// Which operands the operation is jointly linear in, given which of them are linear: `true` if a
    /// result is then linear. What `verify_linear` asks. The default is no.
    fn is_linear(&self, linear: &[bool]) -> bool {
        let _ = linear;
        false
    }

    /// The operation on a batch of `size` examples: operands with their mapped dimensions, some of which have one, to results
    /// with theirs; see [`crate::ops::batching`]. `None` where it must be run example by example. Control flow is mapped by
    /// passes and does not come here.
    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        let _ = (e, size, operands);
        None
    }
}

impl Op {
    /// The types of the results: what [`OpDef::infer`] says, if memory can hold them. Every type that no text says comes
    /// from here.
    ///
    /// Fails with the constraint that the operands break, or with [`TOO_LARGE`] for a result of more than
    /// [`MAX_BYTES`](crate::types::MAX_BYTES).
    pub fn infer(&self, module: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let types = self.def().infer(module, operands).and_then(|types| {
            for ty in types.iter().filter_map(Type::as_tensor) {
                let held = !ty.is_static() || ty.checked_bytes().is_some();
                if !held {
                    let message = format!("a result {ty} has more bytes than can be addressed");
                    return Err(TypeError::new(TOO_LARGE, message));
                }
            }
            Ok(types)
        });
        types.map_err(|e| TypeError { op: self.name(), operands: operands.to_vec(), ..e })
    }

    /// Arithmetic operations on operands and results of these types.
    pub fn flops(&self, operands: &[Type], results: &[Type]) -> u64 {
        self.def().flops(&Sizes::of(operands, results))
    }

    /// The elements that it writes, or its arithmetic if that is more: what a step is made of. What an operation runs (the body
    /// of a loop, a function called) is counted where it runs.
    pub fn work(&self, operands: &[Type], results: &[Type]) -> u64 {
        Sizes::of(operands, results).written().max(self.flops(operands, results))
    }

    /// Whether these types of operands and results leave open what the operation gives: sizes that are not known, types
    /// that are read and printed only. Nothing is inferred then; the text is believed.
    pub fn is_open<'a>(&self, mut types: impl Iterator<Item = &'a Type>) -> bool {
        let dynamic = !self.takes_dynamic();
        types.any(|ty| match ty {
            Type::Tensor(t) => dynamic && !t.is_static(),
            Type::Foreign(_) => !matches!(self, Op::Foreign(_)),
            Type::Token => false,
        })
    }

    /// Whether it may have operands or results of a size that is known at run time only.
    fn takes_dynamic(&self) -> bool {
        matches!(
            self,
            Op::Unary(_)
                | Op::Binary(_)
                | Op::Zero(_)
                | Op::Call(_)
                | Op::Case(_)
                | Op::While(_)
                | Op::Scan(_)
                | Op::StopGradient(_)
                | Op::OptimizationBarrier(_)
                | Op::CustomJvp(_)
                | Op::CustomVjp(_)
                | Op::CustomLinear(_)
                | Op::Checkpoint(_)
                | Op::Check(_)
                | Op::Foreign(_)
        )
    }
}

/// Where rules put instructions.
pub trait Emit {
    /// Appends an instruction and returns its results. Panics if the operands do not fit: rules are ours.
    fn emit(&mut self, op: Op, operands: &[Term]) -> SmallVec<[Term; 2]>;
    /// Type of a term.
    fn ty(&self, term: Term) -> TensorType;
    /// The module, for operations with regions.
    fn module(&mut self) -> &mut Module;
    /// The value of a term that is a constant, a scalar moved about included, where the emitter knows.
    fn constant(&self, term: Term) -> Option<Literal> {
        let _ = term;
        None
    }
}

/// Emits what a function does.
pub fn inline(e: &mut dyn Emit, func: &Func, args: &[Term]) -> Vec<Term> {
    let mut env: EntityVec<Value, Option<Term>> = EntityVec::filled(None, func.values.len());
    for (&p, &a) in func.params.iter().zip(args) {
        env[p] = Some(a);
    }
    for inst in func.insts.values() {
        let operands: Vec<Term> = inst.operands.iter().map(|&v| env[v].expect("topological order")).collect();
        for (&r, term) in inst.results.iter().zip(e.emit(inst.op.clone(), &operands)) {
            env[r] = Some(term);
        }
    }
    func.results.iter().map(|&r| env[r].expect("defined")).collect()
}

/// The vocabulary in which rules are written. All of it is [`Emit::emit`]; elementwise methods want equal types.
#[allow(missing_docs, reason = "each method is the operation of its name")]
impl dyn Emit + '_ {
    pub fn one(&mut self, op: impl Into<Op>, operands: &[Term]) -> Term {
        self.emit(op.into(), operands)[0]
    }
    pub fn unary(&mut self, op: UnaryOp, x: Term) -> Term {
        self.one(op, &[x])
    }
    pub fn binary(&mut self, op: BinaryOp, a: Term, b: Term) -> Term {
        self.one(op, &[a, b])
    }
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        self.binary(BinaryOp::Add, a, b)
    }
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        self.binary(BinaryOp::Subtract, a, b)
    }
    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        self.binary(BinaryOp::Multiply, a, b)
    }
    pub fn div(&mut self, a: Term, b: Term) -> Term {
        self.binary(BinaryOp::Divide, a, b)
    }
    pub fn neg(&mut self, x: Term) -> Term {
        self.unary(UnaryOp::Negate, x)
    }
    pub fn select(&mut self, pred: Term, on_true: Term, on_false: Term) -> Term {
        self.one(Select {}, &[pred, on_true, on_false])
    }
    /// Compares in the natural order of the element type (`FLOAT`, `SIGNED` or `UNSIGNED`).
    pub fn compare(&mut self, direction: Direction, a: Term, b: Term) -> Term {
        let kind = CompareType::natural(self.ty(a).dtype);
        self.one(Compare { direction, kind }, &[a, b])
    }
    /// A splat of `value` with the type of `like`.
    pub fn splat_like(&mut self, like: Term, value: f64) -> Term {
        let ty = self.ty(like);
        self.splat(ty, value)
    }
    pub fn splat(&mut self, ty: TensorType, value: f64) -> Term {
        self.one(Constant { value: Literal::splat(ty, value) }, &[])
    }
    pub fn literal(&mut self, value: Literal) -> Term {
        self.one(Constant { value }, &[])
    }
    /// Zeros that count as linear.
    pub fn zero(&mut self, ty: TensorType) -> Term {
        self.one(Zero { ty }, &[])
    }
    /// x * value.
    pub fn scale(&mut self, x: Term, value: f64) -> Term {
        let c = self.splat_like(x, value);
        self.mul(x, c)
    }
    pub fn convert(&mut self, x: Term, dtype: DType) -> Term {
        if self.ty(x).dtype == dtype { x } else { self.one(Convert { dtype }, &[x]) }
    }
    pub fn reshape(&mut self, x: Term, shape: &[usize]) -> Term {
        if self.ty(x).shape[..] == *shape {
            x
        } else {
            self.one(Reshape { shape: Dims::from_slice(shape) }, &[x])
        }
    }
    pub fn transpose(&mut self, x: Term, perm: &[usize]) -> Term {
        if perm.iter().enumerate().all(|(i, &p)| i == p) {
            x
        } else {
            self.one(TransposeOp { perm: Dims::from_slice(perm) }, &[x])
        }
    }
    pub fn broadcast_in_dim(&mut self, x: Term, shape: &[usize], dims: &[usize]) -> Term {
        self.one(BroadcastInDim { shape: Dims::from_slice(shape), dims: Dims::from_slice(dims) }, &[x])
    }
    /// Broadcasts a scalar to a shape.
    pub fn broadcast_scalar(&mut self, x: Term, shape: &[usize]) -> Term {
        if shape.is_empty() { x } else { self.broadcast_in_dim(x, shape, &[]) }
    }
    /// Sum over dimensions (ascending), from zero.
    pub fn reduce_sum(&mut self, x: Term, dims: &[usize]) -> Term {
        if dims.is_empty() {
            return x;
        }
        let init = self.splat(TensorType::scalar(self.ty(x).dtype), 0.0);
        self.one(
            Reduce { dims: Dims::from_slice(dims), inputs: 1, reducer: Reducer::Op(BinaryOp::Add) },
            &[x, init],
        )
    }
    /// Sum of two optional terms.
    pub fn add_opt(&mut self, a: Option<Term>, b: Option<Term>) -> Option<Term> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.add(a, b)),
            (a, b) => a.or(b),
        }
    }
    pub fn dot_general(&mut self, op: DotGeneral, a: Term, b: Term) -> Term {
        self.one(op, &[a, b])
    }
}

impl CompareType {
    /// The order StableHLO prescribes for an element type.
    pub fn natural(dtype: DType) -> CompareType {
        use crate::types::DTypeClass as C;
        match dtype.class() {
            C::Float | C::Complex => CompareType::Float,
            C::Signed => CompareType::Signed,
            C::Unsigned | C::Bool => CompareType::Unsigned,
        }
    }
}
