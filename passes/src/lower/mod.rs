//! From tensor IR to kernel IR: fusion into loop nests, control flow, and the plan of memory.
//!
//! The function should be optimized, with counted loops raised to scans; calls are lowered in place. Three storeys, each of
//! which knows only those before it:
//!
//! - [`plan`]: for each function (the entry and every region) which values are computed inside their readers, which share a
//!   kernel, which live in registers, and the order of these units;
//! - [`space`]: a kernel of the plan as an expression graph over its iteration space;
//! - [`nest`]: the units in order, as loop nests, split over threads when large, as scalars, as calls of routines.
//!
//! For a GPU ([`Target::GPU`]) loops that are worth it are launched (`nest/launch`), and [`gpu`] makes of the rest the program of a
//! host.
//!
//! What of this depends on the machine is a [`Target`]. The result is one entry kernel with everything in it but outlined
//! parallel loops. Lowering the same function gives the same program.

mod error;
mod gpu;
pub(crate) mod nest;
pub(crate) mod plan;
pub(crate) mod space;

pub use error::LowerError;

use crate::cost::Target;
use crate::refine::{first_open, name, why_open};
use plan::{Storing, classify, price};
use std::collections::BTreeMap;
use wengert_ir::func::{FuncId, InstId, Loc, Module};
use wengert_ir::kernel::Program;
use wengert_ir::limits::Exceeded;
use wengert_ir::op::{Effect, Op};
use wengert_ir::types::{DYNAMIC, FloatMode, TensorType, Type};

/// What lowering may do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// Whether large loops are outlined so that several threads can share them.
    pub parallel: bool,
    /// Largest tensor kept in registers; `None` lets the size of the program decide.
    pub registers: Option<usize>,
    /// Whether contractions that are written out as expressions use fused multiply-adds, in a float mode that allows it.
    /// For machines that have the instruction; elsewhere it is a slow call.
    pub contract: bool,
    /// Most instructions of all kernels together; `None` for a program that is known to be small.
    pub instructions: Option<u64>,
    /// What the machine is good at.
    pub target: &'static Target,
}

impl Default for Options {
    fn default() -> Self {
        Self { parallel: true, registers: None, contract: true, instructions: None, target: &Target::CPU }
    }
}

/// Figures of a lowered program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Stats {
    /// Largest tensor kept in registers.
    pub registers: usize,
    /// Loop nests with several or fused values.
    pub groups: usize,
    /// Outlined kernels.
    pub outlined: usize,
    /// Bytes of scratch memory.
    pub scratch: usize,
    /// Bytes of scratch memory if no two buffers shared any.
    pub unshared: usize,
    storing: Storing,
    /// Whether rewrites joined kernels.
    rewritten: bool,
}

/// Lowers a function.
pub fn lower(module: &Module, func: FuncId, options: &Options) -> Result<Program, LowerError> {
    lower_with_stats(module, func, options).map(|(program, _)| program)
}

/// Lowers a function and says what came of it.
pub fn lower_with_stats(
    module: &Module,
    func: FuncId,
    options: &Options,
) -> Result<(Program, Stats), LowerError> {
    lower_with_sources(module, func, options).map(|(program, stats, _)| (program, stats))
}

/// What instructions a step of lowering was for; none for what belongs to the function as a whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The function they are in.
    pub func: FuncId,
    /// Those that are stored first, then those computed inside them.
    pub insts: Vec<InstId>,
}

/// Where the loops, calls and branches of a lowered program come from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sources {
    /// Units of functions.
    origins: Vec<(FuncId, u32)>,
    /// By [`Section::place`](wengert_ir::kernel::sections::Section::place).
    places: Vec<u32>,
}

impl Sources {
    /// Where the loops, calls and branches of the entry kernel come from that are at these places; the rest as for
    /// [`plan_text`].
    pub fn origins(
        &self,
        module: &Module,
        target: &Target,
        stats: &Stats,
        places: &[Option<usize>],
    ) -> Vec<Option<Origin>> {
        let mut plans = BTreeMap::new();
        let mut origin = |place: usize| {
            let &(id, unit) = self.origins.get(*self.places.get(place)? as usize)?;
            let func = &module.funcs[id];
            let plan = plans
                .entry(id)
                .or_insert_with(|| plan::plan(target, module, func, stats.registers, stats.storing));
            Some(Origin { func: id, insts: plan.instructions(func, *plan.units.get(unit as usize)?) })
        };
        places.iter().map(|place| place.and_then(&mut origin)).collect()
    }

    /// How many places there are.
    pub fn places(&self) -> usize {
        self.places.len()
    }
}

/// Lowers a function, says what came of it, and from where.
pub fn lower_with_sources(
    module: &Module,
    func: FuncId,
    options: &Options,
) -> Result<(Program, Stats, Sources), LowerError> {
    match attempt(module, func, options, Storing::ByCost) {
        // Values that many expressions contain, each at indices of its own, were too many.
        Err(LowerError { exceeded: Some(Exceeded::Kernel { .. } | Exceeded::Expression { .. }), .. }) => {
            attempt(module, func, options, Storing::Shared)
        }
        // Kernels that were joined may keep values for longer. Time is not bought with memory: what a budget was met by, or what
        // fits a machine, is not to depend on it.
        Ok(done) if done.1.rewritten && done.1.scratch > MEMORY_MATTERS => {
            let plain = attempt(module, func, options, Storing::Greedy)?;
            Ok(if plain.1.scratch < done.1.scratch { plain } else { done })
        }
        done => done,
    }
}

/// Bytes of scratch memory from which on it is compared: less is in a near cache.
const MEMORY_MATTERS: usize = 16 << 10;

/// What was planned for a function that was lowered for a target, and for what is run by its operations, as text.
pub fn plan_text(module: &Module, func: FuncId, target: &Target, stats: &Stats) -> String {
    let mut text = String::new();
    for (title, id) in titles(module, func) {
        let f = &module.funcs[id];
        let plan = plan::plan(target, module, f, stats.registers, stats.storing);
        text += &plan::print(&title, f, &plan, stats.registers);
    }
    text
}

/// Which fusions were made for it, and what each saves by the cost model, as text.
pub fn fusion_text(module: &Module, func: FuncId, target: &Target, stats: &Stats) -> String {
    let mut text = String::new();
    for (title, id) in titles(module, func) {
        let f = &module.funcs[id];
        let plan = plan::plan(target, module, f, stats.registers, stats.storing);
        let priced = price::Pricing { target, func: f, plan: &plan, is_entry: id == func };
        text += &plan::print_fusion(&title, &priced);
    }
    text
}

/// The picoseconds that it takes by the cost model, a loop of unknown length as if it made a few trips. It serves to compare programs.
pub fn time(module: &Module, func: FuncId, target: &Target, stats: &Stats) -> u64 {
    let mut plan = |id| plan::plan(target, module, &module.funcs[id], stats.registers, stats.storing);
    price::of_program(target, module, func, &mut plan)
}

/// A function and what is run by its operations, with what to call them.
fn titles(module: &Module, func: FuncId) -> Vec<(String, FuncId)> {
    let mut all = Vec::new();
    let (mut seen, mut work) = (vec![func], vec![(format!("@{}", module.funcs[func].name), func)]);
    while let Some((title, id)) = work.pop() {
        let f = &module.funcs[id];
        let callees = f.insts.values().flat_map(|inst| {
            let name = inst.op.name();
            inst.op.callees().into_iter().enumerate().map(move |(k, callee)| (name, k, callee))
        });
        let first = work.len();
        for (name, k, callee) in callees {
            if !seen.contains(&callee) {
                seen.push(callee);
                work.push((format!("{title}, {name} region {k}"), callee));
            }
        }
        work[first..].reverse();
        all.push((title, id));
    }
    all
}

fn attempt(
    module: &Module,
    func: FuncId,
    options: &Options,
    storing: Storing,
) -> Result<(Program, Stats, Sources), LowerError> {
    let f = &module.funcs[func];
    if let Some((func, inst)) = first_open(module, func) {
        let inst = &func.insts[inst];
        return Err(LowerError {
            op: name(&inst.op).to_owned(),
            ..LowerError::at(&func, inst, why_open(&func, inst))
        });
    }
    refuse_effects(module, func)?;
    let (params, results) = (signature(&f.name, &f.param_types())?, signature(&f.name, &f.result_types())?);
    let limit = options.registers.unwrap_or_else(|| register_limit(options.target, module, func));
    let options = Options { contract: options.contract && module.mode != FloatMode::Exact, ..*options };
    nest::program(module, func, (&params, &results), options, storing, limit)
}

/// What the host does for kernels is called by them in order; an operation whose effect nobody here can have would be left out
/// without a word.
fn refuse_effects(module: &Module, func: FuncId) -> Result<(), LowerError> {
    let (reached, _) = module.reachable(&[func]);
    for f in reached.funcs.values() {
        let refused = f.insts.values().find_map(|inst| Some((inst, effect_of(&inst.op)?)));
        if let Some((inst, reason)) = refused {
            return Err(LowerError::at(f, inst, reason));
        }
    }
    Ok(())
}

/// What an operation would do besides giving results, in words.
fn effect_of(op: &Op) -> Option<String> {
    match op {
        Op::CustomCall(call) if call.function().is_bound() => None,
        Op::CustomCall(call) if call.has_side_effect => {
            Some(format!("`@{}` has a side effect, and it is not known here", call.target))
        }
        Op::Check(_) | Op::Print(_) | Op::Assert(_) => None,
        Op::Sow(sow) => Some(format!("the name `{}` of a value was not dropped", sow.name)),
        // Nobody takes what one device feeds out.
        Op::Foreign(foreign) if foreign.is_token() => None,
        op if op.effect() == Effect::Ordered => Some("it is not executable on one device".to_owned()),
        _ => None,
    }
}

/// Tensor types that kernels can hold.
fn signature(name: &str, types: &[Type]) -> Result<Vec<TensorType>, LowerError> {
    let refuse = |reason: String| LowerError {
        op: format!("function `{name}`"),
        types: types.to_vec(),
        loc: Loc::Unknown,
        reason,
        exceeded: None,
    };
    let tensor = |ty: &Type| match ty {
        Type::Tensor(t) if t.shape.contains(&DYNAMIC) || t.checked_elements().is_none() => {
            Err(refuse(format!("the size of {t} is not known")))
        }
        Type::Tensor(t) => Ok(t.clone()),
        Type::Token | Type::Foreign(_) => Err(refuse(format!("values of type {ty} are not executable"))),
    };
    types.iter().map(tensor).collect()
}

/// The largest size of tensor that is in registers: that of the plan which takes the least time by the cost model, the smallest of
/// those that take the same. Long rows are left to vectors, and none is tried that makes more code of scalars than kernels would be.
fn register_limit(target: &Target, module: &Module, func: FuncId) -> usize {
    let (program, _) = module.reachable(&[func]);
    let tensors = program.funcs.values().flat_map(|f| f.values.values());
    let mut sizes: Vec<usize> = tensors.filter_map(|v| classify::held(&v.ty)).collect();
    sizes.sort_unstable();
    sizes.dedup();
    // Limits between which no tensor lies make the same plan.
    let mut last = None;
    let mut limits: Vec<usize> = target.register_sizes.iter().rev().copied().collect();
    limits.insert(0, 1);
    let rows = program.funcs.values().filter_map(|f| classify::shortest_row_of_vectors(f)).min();
    limits.retain(|&limit| limit == 1 || rows.is_none_or(|elements| elements > limit));
    limits.retain(|&limit| {
        let most = sizes.iter().copied().take_while(|&n| n <= limit).last().unwrap_or(1).max(1);
        last.replace(most) != Some(most)
    });
    if let &[limit] = &limits[..] {
        return limit;
    }
    let mut best: Option<(u64, usize)> = None;
    let mut kernels = 0;
    for limit in limits {
        let scalars: usize =
            program.funcs.values().map(|f| classify::register_instructions(target, f, limit)).sum();
        if limit > 1 && scalars > target.register_instructions.max(kernels * target.kernel_instructions) {
            break;
        }
        let mut plan = |id| {
            let plan = plan::plan(target, module, &module.funcs[id], limit, Storing::ByCost);
            kernels = kernels.max(plan.groups.len());
            plan
        };
        let price = price::of_program(target, module, func, &mut plan);
        if best.is_none_or(|(least, _)| price < least) {
            best = Some((price, limit));
        }
    }
    best.map_or(1, |b| b.1)
}
