//! From what JAX sends to native code.
//!
//! A program comes as a portable artifact (MLIR bytecode) or as StableHLO text. Its entry function takes and gives tensors, and
//! tokens, which stand for nothing but order.

use crate::error::{Code, Done, Failure};
use crate::host_calls;
use crate::layout::Order;
use crate::memory::KINDS;
use crate::orders::{self, Orders};
use crate::shards::Shards;
use crate::types::Slot;
use crate::written;
use std::collections::BTreeSet;
use std::io::Write;
use std::sync::Mutex;
use wengert::stages::{CompiledProgram, Limits, Traced};
use wengert::{Tensor, TensorType};
use wengert_ir::array::Array;
use wengert_ir::bytecode;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::interface::{Attributes, Interface};
use wengert_ir::limits;
use wengert_ir::op::Op;
use wengert_ir::sharding::Sharding;
use wengert_ir::text;
use wengert_ir::types::{FloatMode, Type};
use wengert_passes::cost_report::{self, CostReport};
use wengert_passes::spmd::{self, propagation, terms};

/// What users are told who have a program that cannot run here.
pub(crate) const FALL_BACK: &str =
    "With the environment variable JAX_PLATFORMS=cpu the program runs on JAX's own CPU backend";

/// A compiled program.
pub(crate) struct Program {
    pub(crate) name: String,
    pub(crate) inputs: Vec<Slot>,
    pub(crate) outputs: Vec<Slot>,
    /// Arguments that a caller gives away with a call.
    pub(crate) donors: Vec<usize>,
    /// The kinds of memory of arguments and of results, by their places among [`KINDS`].
    pub(crate) input_kinds: Vec<usize>,
    pub(crate) output_kinds: Vec<usize>,
    /// In which order the dimensions of arguments and results lie, or of their parts.
    pub(crate) orders: Orders,
    /// How arguments and results lie on the devices of the program, where not each has all.
    pub(crate) input_shards: Vec<Option<Shards>>,
    pub(crate) output_shards: Vec<Option<Shards>>,
    pub(crate) cost: CostReport,
    /// How many threads a call may use, if that is said.
    threads: Option<usize>,
    code: Native,
}

/// How it runs.
enum Native {
    Compiled(Box<CompiledProgram>),
    /// What has no code is interpreted.
    Interpreted(Box<Traced>),
}

impl Native {
    fn traced(&self) -> &Traced {
        match self {
            Native::Compiled(compiled) => compiled.lowered().optimized(),
            Native::Interpreted(traced) => traced,
        }
    }

    /// Fails if there is an operation left that nobody knows how to run.
    fn known(self) -> Done<Self> {
        let (module, entry) = self.traced().module();
        let unknown = |op: &Op| {
            matches!(op, Op::CustomCall(call) if !call.function().is_bound())
                || matches!(op, Op::Foreign(foreign) if !foreign.is_token())
        };
        if !module.reaches(entry, &unknown) {
            return Ok(self);
        }
        let insts = module.funcs.values().flat_map(|f| f.insts.values());
        let names = insts.filter(|inst| unknown(&inst.op)).map(|inst| match &inst.op {
            Op::CustomCall(call) => format!("the custom call @{}", call.target),
            Op::Foreign(foreign) => format!("the operation {}", foreign.name),
            op => format!("the operation {}", op.name()),
        });
        let mut names: Vec<String> = names.collect();
        names.sort();
        names.dedup();
        Err(Failure::unimplemented(format!("Wengert does not know {}. {FALL_BACK}", names.join(", "))))
    }
}

/// A module and its entry.
struct Read {
    module: Module,
    entry: FuncId,
    donors: Vec<usize>,
    input_kinds: Vec<usize>,
    output_kinds: Vec<usize>,
    orders: Orders,
    /// How arguments and results lie on devices. A result of which nothing is said lies as what it is computed from.
    params: Vec<Option<Sharding>>,
    results: Vec<Option<Sharding>>,
}

/// Reads a program for so many devices.
fn read(code: &[u8], format: &str, devices: usize) -> Done<Read> {
    if format != "mlir" {
        return Err(Failure::unimplemented(format!(
            "a program in the format {format:?}: Wengert reads \"mlir\""
        )));
    }
    if bytecode::is_bytecode(code) {
        let read = bytecode::read_artifact(code);
        let artifact =
            read.map_err(|e| Failure::invalid(format!("the program cannot be read: {e}. {FALL_BACK}")))?;
        return with_entry(artifact.module, artifact.interface, devices);
    }
    let source = std::str::from_utf8(code)
        .map_err(|_| Failure::invalid("a program that is neither bytecode nor text"))?;
    let (module, interface) = text::parse_with_interface(source)
        .map_err(|e| Failure::invalid(format!("the program cannot be read: {e}")))?;
    with_entry(module, interface, devices)
}

fn with_entry(mut module: Module, interface: Option<Interface>, devices: usize) -> Done<Read> {
    let entry = interface.ok_or_else(|| Failure::invalid("the program has no function @main"))?;
    let orders = orders::settle(&mut module, &entry)?;
    let (params, results) = whole(&mut module, &entry, devices)?;
    let (input_kinds, output_kinds) = (kinds(&entry.params)?, kinds(&entry.results)?);
    let donors = entry.donors().collect();
    Ok(Read { module, entry: entry.func, donors, input_kinds, output_kinds, orders, params, results })
}

/// How arguments and results of a program lie on devices.
type Lying = (Vec<Option<Sharding>>, Vec<Option<Sharding>>);

/// Makes a program for so many devices one of whole arrays.
fn whole(module: &mut Module, entry: &Interface, devices: usize) -> Done<Lying> {
    let (mut params, mut results) = (vec![None; entry.params.len()], vec![None; entry.results.len()]);
    if devices == 1 && !spmd::is_needed(module, entry.func) {
        return Ok((params, results));
    }
    let refused = |e: &dyn std::fmt::Display| {
        Failure::unimplemented(format!("a program for several devices: {e}. {FALL_BACK}"))
    };
    limits::check(module, entry.func, Limits::default().instructions(module, entry.func))
        .map_err(|e| refused(&e))?;
    let nesting = limits::Extent::of(module, entry.func).nesting;
    let made = limits::on_stack(nesting, || {
        if devices > 1 {
            (params, results) = (shardings(&entry.params)?, shardings(&entry.results)?);
            let found = propagation::of_results(module, entry, &params);
            results.iter_mut().zip(found).for_each(|(said, found)| *said = said.take().or(found));
        }
        spmd::globalize(module, entry.func).map_err(|e| refused(&e))?;
        terms::in_terms(module, entry.func, &params, &results);
        Ok((params, results))
    });
    made.map_err(|e| Failure::internal(format!("no stack for regions that nest {nesting} deep: {e}")))?
}

/// The kinds of memory that are asked for, of which all are one memory here; the default where nothing is said.
fn kinds(all: &[Attributes]) -> Done<Vec<usize>> {
    let kind = |attributes: &Attributes| match Interface::memory_kind(attributes) {
        None => Ok(0),
        Some(name) => KINDS.iter().position(|&kind| kind == name).ok_or_else(|| {
            let known = KINDS.join(", ");
            Failure::invalid(format!("the program wants memory of the kind {name:?}; there are {known}"))
        }),
    };
    all.iter().map(kind).collect()
}

/// A program that is not to be run.
pub(crate) fn traced(code: &[u8], mode: FloatMode) -> Done<Traced> {
    let Read { mut module, entry, .. } = read(code, "mlir", 1)?;
    module.mode = mode;
    let func = module.get(entry);
    slots(func.param_types(), "argument")?;
    slots(func.result_types(), "result")?;
    Ok(Traced::new(module, entry))
}

fn slots(types: Vec<Type>, what: &str) -> Done<Vec<Slot>> {
    let slot = |(k, ty): (usize, Type)| match ty {
        Type::Token => Ok(Slot::Token),
        ty => match ty.as_tensor() {
            Some(tensor) if tensor.is_static() => Ok(Slot::Tensor(tensor.clone())),
            _ => Err(Failure::unimplemented(format!(
                "{what} {k} is {ty}, which Wengert does not compute with"
            ))),
        },
    };
    types.into_iter().enumerate().map(slot).collect()
}

fn shardings(list: &[Attributes]) -> Done<Vec<Option<Sharding>>> {
    let read =
        |said| Interface::sharding(said).map(text::sharding).transpose().map_err(Failure::unimplemented);
    list.iter().map(read).collect()
}

/// How arrays lie on the devices of a program, where not each has all.
fn shards(
    slots: &[Slot],
    lying: &[Option<Sharding>],
    orders: &[Order],
    devices: usize,
) -> Done<Vec<Option<Shards>>> {
    let one = |((slot, sharding), order): ((&Slot, &Option<Sharding>), &Order)| match (slot, sharding) {
        (Slot::Tensor(ty), Some(sharding)) if devices > 1 => Shards::new(ty, sharding, devices, order),
        (Slot::Tensor(_) | Slot::Token, _) => Ok(None),
    };
    slots.iter().zip(lying).zip(orders).map(one).collect()
}

/// The dimensions of arrays as they lie in memory, those of terms in front.
fn outwards(lying: &[Option<Sharding>], orders: &[Order]) -> Vec<Vec<usize>> {
    let terms = |sharding: &Option<Sharding>| sharding.as_ref().map_or(0, |said| said.unreduced.len());
    lying.iter().zip(orders).map(|(sharding, order)| orders::outwards(order, terms(sharding))).collect()
}

fn tensors(slots: &[Slot]) -> impl Iterator<Item = &TensorType> {
    slots.iter().filter_map(|slot| match slot {
        Slot::Tensor(ty) => Some(ty),
        Slot::Token => None,
    })
}

/// What an error says to people who use JAX: limits are set by a variable, not by a flag of the command.
fn in_words(e: &wengert::Error) -> String {
    e.to_string().replace("--max-memory", "WENGERT_MAX_MEMORY")
}

/// Says on standard error that a program is interpreted; for each reason once.
fn say_interpreted(name: &str, why: &str) {
    /// Reasons that were said, up to a number: who has more has seen enough.
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    const MOST: usize = 64;
    let mut said = SAID.lock().unwrap_or_else(|e| e.into_inner());
    if said.len() < MOST && said.insert(why.to_owned()) {
        // If nobody can be told the program runs all the same.
        let _ = writeln!(
            std::io::stderr(),
            "warning: {name} runs in Wengert's interpreter, slowly: {why}. {FALL_BACK}"
        );
    }
}

impl Program {
    /// Compiles a program for so many devices.
    pub(crate) fn compile(
        code: &[u8],
        format: &str,
        devices: usize,
        mode: FloatMode,
        max_memory: Option<u64>,
    ) -> Done<Self> {
        let Read { mut module, entry, donors, input_kinds, output_kinds, orders, params, results } =
            read(code, format, devices)?;
        module.mode = mode;
        host_calls::bind(&mut module)?;
        let name = if module.name.is_empty() { "main".to_owned() } else { module.name.clone() };
        let func = module.get(entry);
        let inputs = slots(func.param_types(), "argument")?;
        let outputs = slots(func.result_types(), "result")?;
        let input_shards = shards(&inputs, &params, &orders.inputs, devices)?;
        let output_shards = shards(&outputs, &results, &orders.outputs, devices)?;
        let lying = [outwards(&params, &orders.inputs), outwards(&results, &orders.outputs)];
        orders::turn(&mut module, entry, &lying[0], &lying[1]);
        let limits = Limits { max_memory, ..Limits::default() };
        let traced = Traced::new(module, entry).within(limits);
        let (module, func) = traced.module();
        let mut cost = cost_report::of_func(module, func);
        let code = match traced.lower().and_then(|lowered| lowered.compile()) {
            Ok(compiled) => {
                let (module, func) = compiled.lowered().optimized().module();
                cost = cost_report::of_func(module, func);
                Native::Compiled(Box::new(compiled))
            }
            Err(e) if e.is_exceeded() => {
                return Err(Failure::new(Code::ResourceExhausted, format!("{}. {FALL_BACK}", in_words(&e))));
            }
            Err(e) => {
                let code = Native::Interpreted(Box::new(traced)).known()?;
                say_interpreted(&name, &e.to_string());
                code
            }
        };
        let code = code.known()?;
        Ok(Self {
            name,
            inputs,
            outputs,
            donors,
            input_kinds,
            output_kinds,
            orders,
            input_shards,
            output_shards,
            cost,
            threads: None,
            code,
        })
    }

    /// The same, of which calls use at most so many threads.
    pub(crate) fn on_threads(self, threads: Option<usize>) -> Self {
        Self { threads, ..self }
    }

    /// Types of the tensors that it takes and gives, whatever the order in which they lie; tokens left out.
    pub(crate) fn tensor_inputs(&self) -> impl Iterator<Item = &TensorType> {
        tensors(&self.inputs)
    }

    pub(crate) fn tensor_outputs(&self) -> impl Iterator<Item = &TensorType> {
        tensors(&self.outputs)
    }

    /// Arguments with the result that may have their memory, by their places among tensors.
    pub(crate) fn donations(&self) -> &[(u32, u32)] {
        match &self.code {
            Native::Compiled(compiled) => compiled.donations(),
            Native::Interpreted(_) => &[],
        }
    }

    /// Bytes of machine code.
    pub(crate) fn code_size(&self) -> usize {
        match &self.code {
            Native::Compiled(compiled) => compiled.code_size(),
            Native::Interpreted(_) => 0,
        }
    }

    /// Bytes of memory that a call takes and gives back.
    pub(crate) fn scratch(&self) -> usize {
        match &self.code {
            Native::Compiled(compiled) => compiled.lowered().program().scratch,
            Native::Interpreted(_) => 0,
        }
    }

    /// Runs it on the elements of its tensors: [`CompiledProgram::call_in`].
    pub(crate) fn call(&self, args: &[&[u8]], results: &mut [&mut [u8]], donated: &[(u32, u32)]) -> Done {
        match self.threads {
            Some(most) => wengert_cpu::on_threads(most, || self.run(args, results, donated)),
            None => self.run(args, results, donated),
        }
    }

    fn run(&self, args: &[&[u8]], results: &mut [&mut [u8]], donated: &[(u32, u32)]) -> Done {
        let failed = |e: wengert::Error| {
            let code = if e.is_exceeded() { Code::ResourceExhausted } else { Code::Internal };
            Failure::new(code, in_words(&e))
        };
        let traced = match &self.code {
            Native::Compiled(compiled) => return compiled.call_in(args, results, donated).map_err(failed),
            Native::Interpreted(traced) => traced,
        };
        let (module, func) = traced.module();
        let func = module.get(func);
        // Those of the arrays in memory.
        let types = func.params.iter().filter_map(|&param| func.ty(param).as_tensor());
        let tensor = |(ty, bytes): (&TensorType, &&[u8])| Tensor::from(Array::from_bytes(ty.clone(), bytes));
        let args: Vec<Tensor> = types.zip(args).map(tensor).collect();
        let found = traced.interpret(&args).map_err(failed)?;
        for (tensor, out) in found.iter().zip(results) {
            out.copy_from_slice(tensor.to_array().bytes());
        }
        Ok(())
    }

    /// What is computed, as StableHLO that other compilers read.
    pub(crate) fn optimized_text(&self) -> Done<String> {
        written::text(self.code.traced(), &self.inputs, &self.outputs, &self.orders)
    }
}
