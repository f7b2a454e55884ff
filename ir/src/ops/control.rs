//! Calls, control flow and barriers.
//!
//! Passes differentiate calls and control flow; here are their types and their evaluation.

use crate::array::Array;
use crate::ensure;
use crate::func::{Func, FuncId, Module};
use crate::op::*;
use crate::ops::batching;
use crate::rules::{Batched, Mapped};
use crate::rules::{
    Emit, EvalError, Evaluate, Jvp, OpDef, Tangents, Term, Transpose as Cotangents, TypeError, Types,
};
use crate::types::{DType, DYNAMIC, TensorType, Type};
use std::sync::Arc;

fn callee(module: &Module, func: FuncId) -> Result<&Arc<Func>, TypeError> {
    module.funcs.get(func).ok_or_else(|| TypeError::new("callee", format!("there is no function {func}")))
}

/// Fails unless the lists agree; the message names the first difference.
fn same_types(label: &'static str, what: &str, got: &[Type], expected: &[Type]) -> Result<(), TypeError> {
    if got.len() != expected.len() {
        let message = format!("{what}: {} where {} are needed", got.len(), expected.len());
        return Err(TypeError::new(label, message));
    }
    match got.iter().zip(expected).position(|(g, e)| g != e) {
        None => Ok(()),
        Some(k) => {
            Err(TypeError::new(label, format!("{what}: number {k} is {}, not {}", got[k], expected[k])))
        }
    }
}

fn row_type(row: &Type, length: usize) -> Result<Type, TypeError> {
    match row {
        Type::Tensor(t) => Ok(Type::Tensor(t.stacked(length))),
        Type::Token | Type::Foreign(_) => {
            Err(TypeError::new("rows", format!("a value of type {row} cannot be stacked")))
        }
    }
}

fn by_passes(op: &str) -> ! {
    unreachable!("{op} is differentiated by passes")
}

impl OpDef for Call {
    fn infer(&self, module: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let func = callee(module, self.callee)?;
        same_types("callee", &format!("arguments of @{}", func.name), operands, &func.param_types())?;
        Ok(func.result_types().into())
    }

    fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        cx.call(self.callee, operands)
    }

    fn jvp(&self, _: &mut dyn Emit, _: Jvp<'_>) -> Tangents {
        by_passes("func.call")
    }
}

impl Checkpoint {
    /// Runs `body`; its reverse pass keeps what `keep` says.
    pub fn new(body: FuncId, keep: Keep) -> Self {
        Checkpoint { body, keep, again: false, names: "".into(), compress: None }
    }

    /// The value of a function that gives it back, for policies to find by its name.
    pub fn named(identity: FuncId, name: Text) -> Self {
        Checkpoint { names: name, ..Self::new(identity, Keep::Everything) }
    }

    /// What its results are called, if it is there to name them.
    pub fn name(&self) -> Option<&str> {
        (self.keep != Keep::Names && !self.names.is_empty()).then_some(&self.names)
    }

    /// Whether it keeps what is called so: without a list of names, all that have one.
    pub fn keeps(&self, name: &str) -> bool {
        let listed = self.names.is_empty() || self.names.split(',').any(|n| n == name);
        self.keep == Keep::Names && listed
    }
}

impl OpDef for Checkpoint {
    fn infer(&self, module: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let small = self.compress.is_none_or(DType::is_float);
        ensure!(small, "compress", "only floats are kept in a smaller type, which is one of theirs");
        let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | ',' | '/' | ' ');
        ensure!(self.names.chars().all(word), "names", "names are of letters, digits, `_`, `.`, `-` and `/`");
        let func = callee(module, self.body)?;
        same_types("body", "arguments of the function", operands, &func.param_types())?;
        Ok(func.result_types().into())
    }

    fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        cx.call(self.body, operands)
    }

    fn jvp(&self, _: &mut dyn Emit, _: Jvp<'_>) -> Tangents {
        by_passes("checkpoint")
    }
}

impl OpDef for Composite {
    fn infer(&self, module: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        // A name of a dialect, a point, and any name in it.
        let named = self.name.split_once('.').is_some_and(|(dialect, rest)| {
            let first = dialect.chars().next().is_some_and(|c| c.is_ascii_alphabetic());
            let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.');
            first && !rest.is_empty() && dialect.chars().chain(rest.chars()).all(word)
        });
        ensure!(named, "C1", "`{}` is not the name of an operation with its namespace", self.name);
        let func = callee(module, self.decomposition)?;
        same_types("C3", &format!("arguments of @{}", func.name), operands, &func.param_types())?;
        Ok(func.result_types().into())
    }

    fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        cx.call(self.decomposition, operands)
    }

    fn jvp(&self, _: &mut dyn Emit, _: Jvp<'_>) -> Tangents {
        by_passes("stablehlo.composite")
    }
}

impl OpDef for Case {
    fn infer(&self, module: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        ensure!(!self.branches.is_empty(), "C1", "needs at least one branch");
        let Some((index, captures)) = operands.split_first() else {
            return Err(TypeError::new("I1", "the index is missing"));
        };
        let scalar = Type::Tensor(TensorType::scalar(DType::I32));
        ensure!(*index == scalar, "I1", "the index must be {scalar}, not {index}");
        let results = callee(module, self.branches[0])?.result_types();
        for (k, &branch) in self.branches.iter().enumerate() {
            let func = callee(module, branch)?;
            same_types("C2", &format!("captures of branch {k}"), captures, &func.param_types())?;
            same_types("C3", &format!("results of branch {k}"), &func.result_types(), &results)?;
        }
        Ok(results.into())
    }

    fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let last = self.branches.len() - 1;
        let index = usize::try_from(operands[0].as_slice::<i32>()[0]).map_or(last, |i| i.min(last));
        cx.call(self.branches[index], &operands[1..])
    }

    fn jvp(&self, _: &mut dyn Emit, _: Jvp<'_>) -> Tangents {
        by_passes("case")
    }
}

impl OpDef for While {
    fn infer(&self, module: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let consts = self.consts;
        ensure!(consts <= operands.len(), "I1", "{consts} constants of {} operands", operands.len());
        ensure!(self.stacks == 0 || self.counted, "rows", "stacks need the number of trips as a result");
        let (cond, body) = (callee(module, self.cond)?, callee(module, self.body)?);
        let carry = &operands[consts..];
        let pred = Type::Tensor(TensorType::scalar(DType::I1));
        same_types("C1", "operands of cond", operands, &cond.param_types())?;
        same_types("C1", "results of cond", &cond.result_types(), &[pred])?;
        same_types("C2", "operands of body", operands, &body.param_types())?;
        let given = body.result_types();
        let count = carry.len().saturating_add(self.stacks);
        ensure!(given.len() == count, "C2", "the body gives {} values, not {count}", given.len());
        let (given_carry, rows) = given.split_at(carry.len());
        same_types("C2", "what body gives to carry", given_carry, carry)?;
        let mut results: Types = carry.into();
        if self.counted {
            results.push(Type::Tensor(TensorType::scalar(DType::I64)));
        }
        for row in rows {
            results.push(row_type(row, DYNAMIC)?);
        }
        Ok(results)
    }

    fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let mut state = operands.to_vec();
        let types = cx.result_types(self.body);
        let mut stacks: Vec<Rows> =
            types[types.len() - self.stacks..].iter().map(|ty| Rows::new(ty.tensor())).collect();
        let mut trips = 0i64;
        while cx.call(self.cond, &state)?[0].bytes()[0] != 0 {
            cx.tick(1)?;
            let mut given = cx.call(self.body, &state)?;
            let row = given.split_off(given.len() - self.stacks);
            stacks.iter_mut().zip(&row).try_for_each(|(stack, row)| stack.push(cx, row))?;
            state.truncate(self.consts);
            state.append(&mut given);
            trips += 1;
        }
        let mut results = state.split_off(self.consts);
        if self.counted {
            results.push(Array::scalar(trips));
        }
        for stack in stacks {
            results.push(stack.stacked(cx)?);
        }
        Ok(results)
    }

    fn jvp(&self, _: &mut dyn Emit, _: Jvp<'_>) -> Tangents {
        by_passes("while")
    }
}

/// Rows one after another along a new leading dimension, as many as come.
struct Rows {
    row: TensorType,
    count: usize,
    bytes: Vec<u8>,
}

impl Rows {
    fn new(row: &TensorType) -> Self {
        Self { row: row.clone(), count: 0, bytes: Vec::new() }
    }

    fn push(&mut self, cx: &mut dyn Evaluate, row: &Array) -> Result<(), EvalError> {
        self.count += 1;
        let needed = self.bytes.len() + row.bytes().len();
        if needed > self.bytes.capacity() {
            cx.reserve(&self.row.stacked(self.count))?;
            self.bytes.reserve(row.bytes().len());
        }
        self.bytes.extend_from_slice(row.bytes());
        Ok(())
    }

    fn stacked(self, cx: &mut dyn Evaluate) -> Result<Array, EvalError> {
        let ty = self.row.stacked(self.count);
        cx.reserve(&ty)?;
        Ok(Array::from_bytes(ty, &self.bytes))
    }
}

impl OpDef for Scan {
    fn infer(&self, module: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let mut operands = operands;
        if self.length == DYNAMIC {
            let count = Type::Tensor(TensorType::scalar(DType::I64));
            ensure!(operands.first() == Some(&count), "I1", "the number of trips must be {count}");
            operands = &operands[1..];
        }
        let (consts, carry) = (self.consts, self.carry);
        let fits = consts.checked_add(carry).is_some_and(|n| n <= operands.len());
        ensure!(fits, "I1", "{consts} constants and {carry} carried of {} operands", operands.len());
        let (before, xs) = operands.split_at(consts + carry);
        let body = callee(module, self.body)?;
        let mut params = before.to_vec();
        for (k, x) in xs.iter().enumerate() {
            let Some(x) = x.as_tensor().filter(|x| x.shape.first() == Some(&self.length)) else {
                let message = format!("xs {k} is {x}, not a tensor of {} rows", Length(self.length));
                return Err(TypeError::new("rows", message));
            };
            params.push(Type::Tensor(x.unstacked()));
        }
        same_types("C2", "parameters of body", &body.param_types(), &params)?;
        let given = body.result_types();
        ensure!(given.len() >= carry, "C2", "the body gives {} values, {carry} are carried", given.len());
        same_types("C2", "what body gives to carry", &given[..carry], &before[consts..])?;
        let mut results: Types = before[consts..].into();
        for row in &given[carry..] {
            results.push(row_type(row, self.length)?);
        }
        Ok(results)
    }

    fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let (length, operands) = match self.length {
            DYNAMIC => (operands[0].as_slice::<i64>()[0].max(0) as usize, &operands[1..]),
            length => (length, operands),
        };
        let (before, xs) = operands.split_at(self.consts + self.carry);
        let mut state = before.to_vec();
        let rows = cx.result_types(self.body).split_off(self.carry);
        let mut ys: Vec<Array> = Vec::with_capacity(rows.len());
        for row in &rows {
            let ty = row.tensor().stacked(length);
            cx.reserve(&ty)?;
            ys.push(Array::zeros(ty));
        }
        for trip in 0..length {
            cx.tick(1)?;
            let at = if self.reverse { length - 1 - trip } else { trip };
            let mut args = state.clone();
            for x in xs {
                args.push(row(x, at, length)?);
            }
            let mut given = cx.call(self.body, &args)?;
            let rows = given.split_off(self.carry);
            for (y, row) in ys.iter_mut().zip(&rows) {
                let row = row.bytes();
                y.bytes_mut()[at * row.len()..][..row.len()].copy_from_slice(row);
            }
            state.truncate(self.consts);
            state.append(&mut given);
        }
        let mut results = state.split_off(self.consts);
        results.append(&mut ys);
        Ok(results)
    }

    fn jvp(&self, _: &mut dyn Emit, _: Jvp<'_>) -> Tangents {
        by_passes("scan")
    }
}

/// Row `at` of a stack that has `length` of them, or none where all are zero.
fn row(x: &Array, at: usize, length: usize) -> Result<Array, EvalError> {
    let ty = x.ty().unstacked();
    match x.shape()[0] {
        0 => Ok(Array::zeros(ty)),
        n if n == length => {
            let size = ty.bytes();
            Ok(Array::from_bytes(ty, &x.bytes()[at * size..(at + 1) * size]))
        }
        n => Err(EvalError::Unsupported(format!("a scan of {length} trips over {n} rows"))),
    }
}

/// A number of trips in a message.
struct Length(usize);
impl std::fmt::Display for Length {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0 == DYNAMIC { f.write_str("?") } else { self.0.fmt(f) }
    }
}

impl OpDef for StopGradient {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        ensure!(matches!(operands, [Type::Tensor(_)]), "operands", "takes one tensor");
        Ok([operands[0].clone()].into_iter().collect())
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        Ok(operands.to_vec())
    }

    fn jvp(&self, _: &mut dyn Emit, _: Jvp<'_>) -> Tangents {
        [None].into_iter().collect()
    }

    fn transpose(&self, _: &mut dyn Emit, _: Cotangents<'_>) -> Tangents {
        [None].into_iter().collect()
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        batching::elementwise(e, size, self.clone().into(), operands)
    }
}

impl OpDef for OptimizationBarrier {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        Ok(operands.into())
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        Ok(operands.to_vec())
    }

    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        self.each(e, x.tangents)
    }

    fn transpose(&self, e: &mut dyn Emit, x: Cotangents<'_>) -> Tangents {
        self.each(e, x.cotangents)
    }

    fn is_linear(&self, linear: &[bool]) -> bool {
        linear.iter().all(|&l| l)
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        // What is not mapped stays so.
        let terms: Vec<Term> = operands.iter().map(|x| x.0).collect();
        let _ = size;
        let results = e.emit(self.clone().into(), &terms);
        Some(results.into_iter().zip(operands).map(|(r, x)| (r, x.1)).collect())
    }
}

impl OptimizationBarrier {
    /// Each term behind a barrier of its own, so that one does not wait for another.
    fn each(&self, e: &mut dyn Emit, terms: &[Option<Term>]) -> Tangents {
        terms.iter().map(|t| t.map(|t| e.one(self.clone(), &[t]))).collect()
    }
}
