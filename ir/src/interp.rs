//! The reference interpreter of the tensor IR: obvious rather than fast, and the oracle for everything.
//!
//! It runs a function's instructions in order, each through its [`crate::rules::OpDef::eval`], and drops
//! every value after its last use. Only nesting (a call, a branch, the body of a loop) recurses, and that
//! no deeper than [`MAX_DEPTH`].

use crate::array::{Array, Bytes};
use crate::entity::{Entity, EntityVec};
use crate::func::{Func, FuncId, Inst, Loc, Module, Value};
pub use crate::limits::Limits;
use crate::limits::WORK;
use crate::op::Op;
use crate::rules::{EvalError, Evaluate};
use crate::types::{DYNAMIC, TensorType, Type};
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

/// How deep calls and regions may nest at run time.
pub const MAX_DEPTH: usize = 512;

/// Runs a function under limits on memory (shared bytes count once per value) and steps.
///
/// Fails with [`EvalError::Unsupported`] if the arguments do not fit the parameters.
pub fn run(module: &Module, func: FuncId, args: &[Array], limits: &Limits) -> Result<Vec<Array>, EvalError> {
    run_counted(module, func, args, limits).0
}

/// The same, and how many steps it took or would have passed the limit with.
pub fn run_counted(
    module: &Module,
    func: FuncId,
    args: &[Array],
    limits: &Limits,
) -> (Result<Vec<Array>, EvalError>, u64) {
    let mut interpreter = Interpreter::new(module, args, limits);
    (interpreter.call(func, args), interpreter.steps)
}

/// The same of a function that is one instruction of its parameters, whose results it gives: what compiled code calls, for
/// small tensors too.
pub(crate) fn run_instruction(
    module: &Module,
    func: FuncId,
    args: &[Array],
    limits: &Limits,
) -> (Result<Vec<Array>, EvalError>, u64) {
    let mut interpreter = Interpreter::new(module, args, limits);
    let func = &module.funcs[func];
    let inst = func.insts.values().next().expect("one instruction");
    (interpreter.instruction(func, inst, args), interpreter.steps)
}

/// What is shown of an instruction that has been run: itself, its operands and its results, which may be replaced by others
/// of their types.
pub type Watch<'w> = &'w mut dyn FnMut(&Inst, &[Array], &mut [Array]);

/// The same as [`run`], showing every instruction that is run, those of regions each time, in the order in which they end.
pub fn run_watched(
    module: &Module,
    func: FuncId,
    args: &[Array],
    limits: &Limits,
    watch: Watch<'_>,
) -> Result<Vec<Array>, EvalError> {
    let mut interpreter = Interpreter { watch: Some(watch), ..Interpreter::new(module, args, limits) };
    interpreter.call(func, args)
}

/// Bytes of memory that the machine has, where the system says so; swap and what a group of processes may take are not asked.
fn machine_memory() -> u64 {
    static BYTES: OnceLock<u64> = OnceLock::new();
    *BYTES.get_or_init(|| {
        let all = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
        let total = all.lines().find_map(|line| line.strip_prefix("MemTotal:"));
        let kilobytes = total.and_then(|rest| rest.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
        kilobytes.map_or(u64::MAX, |n| n.saturating_mul(1024))
    })
}

/// The values that die with each instruction; last, those that nothing uses (unused parameters).
type Plan = Rc<Vec<Vec<Value>>>;

struct Interpreter<'m, 'w> {
    module: &'m Module,
    watch: Option<Watch<'w>>,
    limits: Limits,
    steps: u64,
    /// Bytes of all live values.
    live: u64,
    depth: usize,
    plans: EntityVec<FuncId, Option<Plan>>,
}

impl<'m> Interpreter<'m, '_> {
    fn new(module: &'m Module, args: &[Array], limits: &Limits) -> Self {
        Interpreter {
            module,
            watch: None,
            limits: *limits,
            steps: 0,
            live: args.iter().map(size).sum(),
            depth: 0,
            plans: EntityVec::filled(None, module.funcs.len()),
        }
    }

    fn plan(&mut self, id: FuncId, func: &Func) -> Plan {
        if let Some(plan) = &self.plans[id] {
            return plan.clone();
        }
        // The last reader of each value, or its definition.
        let mut last: EntityVec<Value, Option<usize>> = EntityVec::filled(None, func.values.len());
        for (k, inst) in func.insts.iter() {
            inst.operands.iter().chain(&inst.results).for_each(|&v| last[v] = Some(k.index()));
        }
        let mut returned: EntityVec<Value, bool> = EntityVec::filled(false, func.values.len());
        func.results.iter().for_each(|&v| returned[v] = true);
        let mut dying = vec![Vec::new(); func.insts.len()];
        for (value, last) in last.iter() {
            if let (Some(k), false) = (*last, returned[value]) {
                dying[k].push(value);
            }
        }
        let plan = Rc::new(dying);
        self.plans[id] = Some(plan.clone());
        plan
    }

    fn body(&mut self, id: FuncId, func: &Func, args: &[Array]) -> Result<Vec<Array>, EvalError> {
        let plan = self.plan(id, func);
        let mut values: EntityVec<Value, Option<Array>> = EntityVec::filled(None, func.values.len());
        // Arguments are the caller's: they are counted there.
        let mut owned: EntityVec<Value, u64> = EntityVec::filled(0, func.values.len());
        for (&param, arg) in func.params.iter().zip(args) {
            values[param] = Some(arg.clone());
        }
        for (k, inst) in func.insts.iter() {
            self.tick(1)?;
            for ty in inst.results.iter().filter_map(|&r| func.ty(r).as_tensor()) {
                if ty.is_static() {
                    self.reserve(ty)?;
                }
            }
            if let Some(ty) = inst.results.iter().map(|&r| func.ty(r)).find(|t| matches!(t, Type::Foreign(_)))
            {
                let name = match &inst.op {
                    Op::Foreign(foreign) => &foreign.name,
                    op => op.name(),
                };
                return Err(EvalError::Unsupported(format!("{name} of {ty}")));
            }
            let operands: Vec<Array> =
                inst.operands.iter().map(|&v| values[v].clone().expect("topological order")).collect();
            // Sizes that the types leave open may not fit each other.
            let is_open = |&v: &Value| func.ty(v).as_tensor().is_some_and(|t| !t.is_static());
            if !inst.op.is_control_flow() && inst.operands.iter().any(is_open) {
                let types: Vec<Type> = operands.iter().map(|a| a.ty().clone().into()).collect();
                if let Err(error) = inst.op.infer(self.module, &types) {
                    return Err(EvalError::Unsupported(error.to_string()));
                }
            }
            if self.limits.max_steps.is_some() {
                self.tick(weight(func, inst, &operands))?;
            }
            let mut results = inst.op.def().eval(self, &operands).map_err(|e| located(e, &inst.loc))?;
            if let Some(watch) = &mut self.watch {
                watch(inst, &operands, &mut results);
            }
            drop(operands);
            debug_assert_eq!(results.len(), inst.results.len(), "results of {}", inst.op.name());
            for (&value, result) in inst.results.iter().zip(results) {
                debug_assert!(fits(func.ty(value), &result), "{} gave {}", inst.op.name(), result.ty());
                owned[value] = size(&result);
                self.live += owned[value];
                values[value] = Some(result);
            }
            self.within_memory(0)?;
            for &value in &plan[k.index()] {
                values[value] = None;
                self.live -= std::mem::take(&mut owned[value]);
            }
        }
        // What remains is returned, and counted by the caller from here on.
        self.live -= owned.values().sum::<u64>();
        Ok(func.results.iter().map(|&v| values[v].clone().expect("defined")).collect())
    }

    fn within_memory(&self, more: u64) -> Result<(), EvalError> {
        let needed = self.live.saturating_add(more);
        match self.limits.max_memory {
            Some(max) if needed > max => Err(EvalError::Memory(max)),
            // A system gives more than it has, and ends who uses it.
            _ if needed > machine_memory() => Err(EvalError::Unavailable(needed)),
            _ => Ok(()),
        }
    }
}

impl Interpreter<'_, '_> {
    /// An instruction whose sizes are known.
    fn instruction(&mut self, func: &Func, inst: &Inst, args: &[Array]) -> Result<Vec<Array>, EvalError> {
        self.tick(1)?;
        for ty in inst.results.iter().filter_map(|&r| func.ty(r).as_tensor()) {
            self.reserve(ty)?;
        }
        if self.limits.max_steps.is_some() {
            self.tick(weight(func, inst, args))?;
        }
        let results = inst.op.def().eval(self, args).map_err(|e| located(e, &inst.loc))?;
        self.live += results.iter().map(size).sum::<u64>();
        self.within_memory(0)?;
        Ok(results)
    }
}

impl Evaluate for Interpreter<'_, '_> {
    fn call(&mut self, id: FuncId, args: &[Array]) -> Result<Vec<Array>, EvalError> {
        let func: Arc<Func> = self.module.get(id);
        if self.depth == MAX_DEPTH {
            return Err(EvalError::Unsupported(format!("calls and regions nested deeper than {MAX_DEPTH}")));
        }
        if args.len() != func.params.len() {
            return Err(EvalError::Unsupported(format!(
                "`{}` takes {} arguments, not {}",
                func.name,
                func.params.len(),
                args.len()
            )));
        }
        for (k, (&param, arg)) in func.params.iter().zip(args).enumerate() {
            if !fits(func.ty(param), arg) {
                return Err(EvalError::Unsupported(format!(
                    "argument {k} of `{}` must be {}, is {}",
                    func.name,
                    func.ty(param),
                    arg.ty()
                )));
            }
        }
        self.depth += 1;
        let out = self.body(id, &func, args);
        self.depth -= 1;
        out
    }

    fn func(&self, func: FuncId) -> Option<Arc<Func>> {
        self.module.funcs.get(func).cloned()
    }

    fn result_types(&self, func: FuncId) -> Vec<Type> {
        self.module.funcs[func].result_types()
    }

    fn tick(&mut self, steps: u64) -> Result<(), EvalError> {
        self.steps = self.steps.saturating_add(steps);
        match self.limits.max_steps {
            Some(max) if self.steps > max => Err(EvalError::Steps(max)),
            _ => Ok(()),
        }
    }

    fn reserve(&mut self, ty: &TensorType) -> Result<(), EvalError> {
        let bytes = ty.checked_bytes().unwrap_or(usize::MAX);
        self.within_memory(bytes as u64)?;
        // Asked of the machine before an operation begins: it could only panic.
        if Bytes::is_available(bytes) { Ok(()) } else { Err(EvalError::Unavailable(bytes as u64)) }
    }
}

/// The steps of an instruction besides the one for itself.
fn weight(func: &Func, inst: &Inst, operands: &[Array]) -> u64 {
    let operands: Vec<Type> = operands.iter().map(|a| a.ty().clone().into()).collect();
    let results: Vec<Type> = inst.results.iter().map(|&r| func.ty(r).clone()).collect();
    inst.op.work(&operands, &results) / WORK
}

/// The error with the line of the check or of what else failed, if it is one.
pub(crate) fn located(mut error: EvalError, loc: &Loc) -> EvalError {
    let place = match &mut error {
        EvalError::Check(failure) => &mut failure.loc,
        EvalError::Raised(raised) => &mut raised.loc,
        EvalError::Unsupported(_)
        | EvalError::Steps(_)
        | EvalError::Memory(_)
        | EvalError::Unavailable(_) => return error,
    };
    if *place == Loc::Unknown {
        *place = loc.clone();
    }
    error
}

/// Whether an array is of the type; a dynamic size takes any.
fn fits(ty: &Type, array: &Array) -> bool {
    let Some(ty) = ty.as_tensor() else { return *ty == Type::Token };
    ty.dtype == array.dtype()
        && ty.rank() == array.shape().len()
        && ty.shape.iter().zip(array.shape()).all(|(&want, &have)| want == DYNAMIC || want == have)
}

fn size(array: &Array) -> u64 {
    array.bytes().len() as u64
}
