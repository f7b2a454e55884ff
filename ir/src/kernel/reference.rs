//! A tensor program that a kernel hands to the reference interpreter.

use crate::array::Array;
use crate::func::{FuncId, Module};
use crate::host::Host;
use crate::interp::{self, Limits};
use crate::op::{Effect, Op};
use crate::rules::EvalError;
use crate::text;
use crate::types::TensorType;
use smallvec::SmallVec;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A closed tensor program, known by its text and by the functions of the host that it calls: two that have these in common
/// are equal.
#[derive(Clone)]
pub struct Reference {
    text: String,
    /// Functions of the host, in the order of their calls in the module.
    hosts: Vec<Host>,
    module: Module,
    func: FuncId,
    params: Vec<TensorType>,
    results: Vec<TensorType>,
    /// Whether it is one instruction of its parameters.
    is_single: bool,
}

impl Reference {
    /// A function of a module with what it refers to; `None` if it takes or gives anything but tensors of known size.
    pub fn new(module: &Module, func: FuncId) -> Option<Self> {
        let (module, roots) = module.reachable(&[func]);
        let func = roots[0];
        let known = |types: Vec<crate::types::Type>| -> Option<Vec<TensorType>> {
            types.iter().map(|t| t.as_tensor().filter(|t| t.is_static()).cloned()).collect()
        };
        let (params, results) =
            (known(module.funcs[func].param_types())?, known(module.funcs[func].result_types())?);
        let mut hosts = Vec::new();
        for inst in module.funcs.values().flat_map(|f| f.insts.values()) {
            if let Op::CustomCall(call) = &inst.op {
                hosts.push(call.host.clone());
            }
        }
        let main = &module.funcs[func];
        let is_single = main.insts.len() == 1
            && main.insts.values().all(|i| {
                i.operands[..] == main.params[..]
                    && i.results[..] == main.results[..]
                    && i.op.callees().is_empty()
            });
        Some(Self {
            hosts,
            is_single,
            text: text::print(&module, &text::PrintOptions { locations: raises(&module), plain: false }),
            module,
            func,
            params,
            results,
        })
    }

    /// The program that the text holds; its only public function.
    pub fn parse(source: &str) -> Result<Self, String> {
        let module = text::parse(source).map_err(|e| e.to_string())?;
        let func = module.find("main").ok_or("a reference program has a function `main`")?;
        Self::new(&module, func).ok_or_else(|| "a reference program has tensors of known size".to_owned())
    }

    /// Its StableHLO text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Names of its operations but constants, each once, in order.
    pub fn operations(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for inst in self.module.funcs[self.func].insts.values() {
            let name = match &inst.op {
                Op::CustomCall(call) => format!("{} @{}", inst.op.name(), call.target),
                op => op.name().to_string(),
            };
            if !name.ends_with(".constant") && !names.contains(&name) {
                names.push(name);
            }
        }
        if names.is_empty() {
            names.push("stablehlo.constant".to_owned());
        }
        names
    }

    /// Whether it needs a process: functions of the host are in no text, and what is printed or checked is said to who runs it.
    pub fn needs_process(&self) -> bool {
        raises(&self.module)
    }

    /// Arithmetic that it does, of functions that its operations run none.
    pub fn flops(&self) -> u64 {
        let func = &self.module.funcs[self.func];
        let types = |vs: &[crate::func::Value]| vs.iter().map(|&v| func.ty(v).clone()).collect::<Vec<_>>();
        let each = |i: &crate::func::Inst| i.op.flops(&types(&i.operands), &types(&i.results));
        func.insts.values().map(each).fold(0, u64::saturating_add)
    }

    /// Types of the arguments.
    pub fn params(&self) -> &[TensorType] {
        &self.params
    }

    /// Types of the results.
    pub fn results(&self) -> &[TensorType] {
        &self.results
    }

    /// Runs it without counting, from the bytes of dense row-major arguments to those of results, if it is an operation that
    /// can; else `None`, with nothing that counts in the results.
    pub fn run_into(&self, args: &[&[u8]], results: &mut [&mut [u8]]) -> Option<Result<(), EvalError>> {
        if !self.is_single {
            return None;
        }
        let inst = self.module.funcs[self.func].insts.values().next()?;
        let args: SmallVec<[_; 4]> = self.params.iter().zip(args.iter().copied()).collect();
        let mut results: SmallVec<[_; 4]> =
            self.results.iter().zip(results.iter_mut().map(|bytes| &mut **bytes)).collect();
        let done = inst.op.def().eval_into(&args, &mut results)?;
        Some(done.map_err(|e| interp::located(e, &inst.loc)))
    }

    /// Runs it on the bytes of dense row-major arguments; with the steps it took.
    pub fn run(&self, args: &[&[u8]], limits: &Limits) -> (Result<Vec<Array>, EvalError>, u64) {
        let args: Vec<Array> =
            self.params.iter().zip(args).map(|(ty, bytes)| Array::from_bytes(ty.clone(), bytes)).collect();
        let run = if self.is_single { interp::run_instruction } else { interp::run_counted };
        run(&self.module, self.func, &args, limits)
    }
}

/// Whether it may stop with a word of its own, which names a line: two of different lines are not equal.
fn raises(module: &Module) -> bool {
    let mut all = module.funcs.values().flat_map(|f| f.insts.values());
    all.any(|i| i.op.effect() == Effect::Ordered || matches!(i.op, Op::CustomCall(_)))
}

impl PartialEq for Reference {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text && self.hosts == other.hosts
    }
}
impl Eq for Reference {}
impl Hash for Reference {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
        self.hosts.hash(state);
    }
}
impl fmt::Debug for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Reference").field(&self.text).finish()
    }
}
