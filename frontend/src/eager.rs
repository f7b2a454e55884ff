//! Running one operation at once: a program of one instruction, compiled on first use and cached.
//!
//! The cache is keyed by the operation with its attributes and the operand types. It is bounded; when full it
//! starts anew, which costs recompilation only.

use crate::compile::compile;
use crate::compiled::Compiled;
use crate::error::Error;
use crate::program::Traced;
use crate::tensor::Tensor;
use crate::tensor::Tensors;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cell::RefCell;
use std::sync::Arc;
use wengert_ir::array::{Array, Bytes};
use wengert_ir::func::{Func, FuncKind, Loc, Module};
use wengert_ir::interp;
use wengert_ir::limits::Limits;
use wengert_ir::op::{Op, Scan};
use wengert_ir::ops::check::compare;
use wengert_ir::rules::{EvalError, Failure};
use wengert_ir::types::{DYNAMIC, FloatMode, TensorType};

/// Entries of the per-thread cache.
const CAPACITY: usize = 4096;

#[derive(PartialEq, Eq, Hash)]
struct Key {
    op: Op,
    operands: SmallVec<[TensorType; 3]>,
    /// Functions of operations with regions; empty otherwise.
    module: Option<Module>,
    limits: Limits,
    /// Where it runs, if not on the CPU.
    #[cfg(feature = "gpu")]
    device: Option<String>,
}

/// What is left of the limits of a program that runs one operation at a time.
pub(crate) struct Budget {
    limits: Limits,
    steps: u64,
    memory: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Self { limits: Limits::default(), steps: u64::MAX, memory: u64::MAX }
    }
}

impl Budget {
    /// For a program on these arguments.
    pub(crate) fn new(limits: &Limits, args: &[Tensor]) -> Result<Self, Error> {
        let (steps, memory) = (limits.max_steps.unwrap_or(u64::MAX), limits.max_memory.unwrap_or(u64::MAX));
        let mut budget = Self { limits: *limits, steps, memory };
        budget.keep(args)?;
        Ok(budget)
    }

    /// Takes the step that an operation is by itself.
    fn step(&mut self) -> Result<(), Error> {
        let Some(max) = self.limits.max_steps else { return Ok(()) };
        self.steps = self.steps.checked_sub(1).ok_or(EvalError::Steps(max))?;
        Ok(())
    }

    /// Takes memory for tensors, which live as long as the program runs.
    fn keep(&mut self, tensors: &[Tensor]) -> Result<(), Error> {
        if self.limits.max_memory.is_some() {
            let bytes = tensors.iter().map(|t| t.ty().bytes() as u64).fold(0, u64::saturating_add);
            self.memory = self.memory.checked_sub(bytes).ok_or_else(|| self.exceeded())?;
        }
        Ok(())
    }

    fn exceeded(&self) -> Error {
        EvalError::Memory(self.limits.max_memory.unwrap_or(u64::MAX)).into()
    }

    /// Runs an operation on what is left.
    fn call(&mut self, compiled: &Compiled, operands: &[&Tensor]) -> Result<Tensors, Error> {
        let mut left = compiled.limits();
        left.max_steps = self.steps;
        left.max_stack_memory = left.max_stack_memory.min(self.memory);
        let out = compiled.run_limited(operands, &mut left);
        self.steps = left.max_steps;
        out
    }
}

thread_local! {
    static CACHE: RefCell<FxHashMap<Key, Arc<Compiled>>> = RefCell::default();
}

/// Runs `op` on concrete tensors. `module` holds the functions it refers to.
pub(crate) fn run(
    module: Option<&Module>,
    op: &Op,
    operands: &[&Tensor],
    loc: Loc,
) -> Result<Tensors, Error> {
    run_within(module, op, operands, loc, &mut Budget::default())
}

/// The same within what is left of limits.
pub(crate) fn run_within(
    module: Option<&Module>,
    op: &Op,
    operands: &[&Tensor],
    loc: Loc,
    budget: &mut Budget,
) -> Result<Tensors, Error> {
    budget.step()?;
    let out = run_once(module, op, operands, loc, budget)?;
    budget.keep(&out)?;
    Ok(out)
}

fn run_once(
    module: Option<&Module>,
    op: &Op,
    operands: &[&Tensor],
    loc: Loc,
    budget: &mut Budget,
) -> Result<Tensors, Error> {
    if let Op::Constant(c) = op {
        // A value is no program: compiling one per value would fill the cache.
        let bytes = c.value.ty().bytes();
        if bytes as u64 > budget.memory {
            return Err(budget.exceeded());
        }
        if !Bytes::is_available(bytes) {
            return Err(EvalError::Unavailable(bytes as u64).into());
        }
        return Ok([Tensor::from_array(c.value.to_array())].into_iter().collect());
    }
    if let Op::Check(check) = op {
        let value = |k: usize| operands[k].array().expect("concrete");
        return match compare(check, &value(0), &value(1)) {
            Ok(()) => Ok(Tensors::new()),
            Err(failure) => Err(Failure { loc, ..*failure }.into()),
        };
    }
    if matches!(op, Op::Print(_) | Op::Assert(_) | Op::CustomCall(_)) && op.callees().is_empty() {
        return interpreted(op, operands, loc);
    }
    if let Op::Foreign(foreign) = op
        && !foreign.is_number()
    {
        return Err(foreign.refused().into());
    }
    if let Some((op, operands)) = specialize(op, operands) {
        return run_once(module, &op, &operands.iter().collect::<SmallVec<[&Tensor; 4]>>(), loc, budget);
    }
    #[cfg(feature = "gpu")]
    let device = crate::device::placement::of(operands.iter().copied())?;
    let operand_types = operands.iter().map(|t| t.ty()).collect();
    let key = match op.callees() {
        c if c.is_empty() => Key {
            op: op.clone(),
            operands: operand_types,
            module: None,
            limits: budget.limits,
            #[cfg(feature = "gpu")]
            device: device.as_ref().map(|d| d.name().to_owned()),
        },
        callees => {
            let (module, ids) = module.expect("an operation with functions has a module").reachable(&callees);
            let mut op = op.clone();
            let mut next = 0;
            op.map_callees(&mut |_| {
                next += 1;
                ids[next - 1]
            });
            Key {
                op,
                operands: operand_types,
                module: Some(module),
                limits: budget.limits,
                #[cfg(feature = "gpu")]
                device: device.as_ref().map(|d| d.name().to_owned()),
            }
        }
    };
    if let Some(hit) = CACHE.with_borrow(|c| c.get(&key).cloned()) {
        return budget.call(&hit, operands);
    }
    let mut module = key.module.clone().unwrap_or_default();
    // What is called by itself rounds as it says, inside operations made of several steps too.
    module.mode = FloatMode::Exact;
    let mut func = Func::new("eager", FuncKind::Public);
    let params: SmallVec<[_; 4]> = key.operands.iter().map(|ty| func.param(ty.clone())).collect();
    func.results = func.push(&module, key.op.clone(), &params, loc)?.to_vec();
    let func = module.add(func);
    let traced = Traced::new(module, func).within(key.limits);
    #[cfg(feature = "gpu")]
    let compiled = match &device {
        Some(device) => crate::compile::compile_on(&traced, device)?,
        None => compile(traced, None)?,
    };
    #[cfg(not(feature = "gpu"))]
    let compiled = compile(traced, None)?;
    let out = budget.call(&compiled, operands);
    CACHE.with_borrow_mut(|c| {
        if c.len() >= CAPACITY {
            c.clear();
        }
        c.insert(key, compiled);
    });
    out
}

/// What calls the host: there is nothing to compile.
fn interpreted(op: &Op, operands: &[&Tensor], loc: Loc) -> Result<Tensors, Error> {
    let (mut module, mut func) = (Module::default(), Func::new("eager", FuncKind::Public));
    let params: SmallVec<[_; 4]> = operands.iter().map(|t| func.param(t.ty())).collect();
    func.results = func.push(&module, op.clone(), &params, loc)?.to_vec();
    let func = module.add(func);
    let arrays: Vec<Array> = operands.iter().map(|t| t.array().expect("concrete")).collect();
    let out = interp::run(&module, func, &arrays, &Limits::default())?;
    Ok(out.into_iter().map(Tensor::from_array).collect())
}

/// The operation on actual sizes, where it is written for a sequence whose length is known only at run time: a scan over what
/// a `while` stacked gets its length, and zeros of unknown length (no rows) get the length they meet.
fn specialize(op: &Op, operands: &[&Tensor]) -> Option<(Op, Vec<Tensor>)> {
    let rows = |t: &Tensor, n: usize| match t.shape().split_first() {
        Some((0, row)) if n > 0 => {
            Tensor::from_array(Array::zeros(TensorType::new(t.dtype(), row).stacked(n)))
        }
        _ => t.clone(),
    };
    match op {
        Op::Scan(scan) if scan.length == DYNAMIC => {
            let count = operands[0].array()?.as_slice::<i64>().first().copied()?.max(0) as usize;
            let xs = 1 + scan.consts + scan.carry;
            let operands = operands.iter().enumerate().skip(1);
            let operands =
                operands.map(|(k, t)| if k < xs { Tensor::clone(t) } else { rows(t, count) }).collect();
            Some((Scan { length: count, ..scan.clone() }.into(), operands))
        }
        Op::Binary(_) if operands[0].shape() != operands[1].shape() => {
            let count = operands.iter().filter_map(|t| t.shape().first()).max().copied()?;
            let operands: Vec<Tensor> = operands.iter().map(|t| rows(t, count)).collect();
            (operands[0].shape() == operands[1].shape()).then(|| (op.clone(), operands))
        }
        _ => None,
    }
}
