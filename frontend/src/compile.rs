//! From a function of tensor IR to something that runs: all passes, lowering, code generation; caches and dumps.

use crate::compiled::{Code, Compiled};
use crate::deep;
use crate::error::Error;
use crate::program::{Lowered, Timing, Traced, Vectors};
use crate::warn::warn;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, Once, OnceLock};
use std::time::Instant;
use wengert_cpu::{CallLimits, CodeCache, Executable, Options, Wide};
use wengert_ir::func::Module;
use wengert_ir::kernel::Program;
use wengert_ir::limits::{Exceeded, Limits};
use wengert_passes::checks;
use wengert_passes::cost::Target;
use wengert_passes::lower;
use wengert_passes::pipeline::Pipeline;

/// Programs by content: making the same `jit` anew costs a trace only. When full it starts anew.
static CACHE: Mutex<Option<Programs>> = Mutex::new(None);

type Programs = FxHashMap<Known, Arc<Compiled>>;

/// A program, its limits, and the number of the files its machine code was looked up in and added to: who names files wants it
/// there, even if the same program has been compiled without.
type Known = (Module, Limits, Option<u64>);

/// What programs are lowered for.
const TARGET: &Target = &Target::CPU;

/// Most programs the cache holds.
const CAPACITY: usize = 1024;

/// The cache that the environment variable `WENGERT_CODE_CACHE` asks for: a folder for machine code.
pub(crate) fn default_cache() -> Option<&'static CodeCache> {
    static CACHE: OnceLock<Option<CodeCache>> = OnceLock::new();
    let open = || {
        let folder = std::env::var_os("WENGERT_CODE_CACHE").filter(|folder| !folder.is_empty())?;
        CodeCache::open(folder).inspect_err(|e| warn(format_args!("WENGERT_CODE_CACHE: {e}"))).ok()
    };
    CACHE.get_or_init(open).as_ref()
}

/// Compiles a program, which keeps within its limits. Machine code is looked up in `files` first, if given, else
/// in the cache that the environment asks for, if any.
pub(crate) fn compile(traced: Traced, files: Option<&CodeCache>) -> Result<Arc<Compiled>, Error> {
    let files = match files {
        Some(files) => Some(files),
        None => default_cache(),
    };
    let known: Known = (traced.module.clone(), traced.limits, files.map(CodeCache::number));
    if let Some(hit) = with_cache(|c| c.get(&known).cloned()) {
        return Ok(hit);
    }
    let compiled = deep::run(&traced, || {
        let lowered = try_lower(&traced, wengert_cpu::fuses());
        match lowered.and_then(|lowered| try_codegen(&lowered, Vectors::default(), files)) {
            Ok(compiled) => Ok(compiled),
            Err(Stopped::Exceeded(e)) => Err(e),
            Err(Stopped::Refused(e)) => Ok(interpreted(&traced, &e)),
        }
    })?;
    with_cache(|c| {
        if c.len() >= CAPACITY {
            c.clear();
        }
        c.insert(known, compiled.clone());
    });
    Ok(compiled)
}

fn with_cache<R>(f: impl FnOnce(&mut Programs) -> R) -> R {
    f(CACHE.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert_default())
}

/// Why there is no code.
enum Stopped {
    /// It would pass a limit.
    Exceeded(Error),
    /// The program has something that cannot be compiled.
    Refused(Error),
}

impl From<Stopped> for Error {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Exceeded(e) => e.of_limit(),
            Stopped::Refused(e) => e,
        }
    }
}

impl From<Exceeded> for Stopped {
    fn from(e: Exceeded) -> Self {
        Stopped::Exceeded(e.into())
    }
}

/// All passes and lowering, for a machine that has a fused multiply-add or one that has not.
pub(crate) fn lower(traced: &Traced, fuses: bool) -> Result<Lowered, Error> {
    Ok(try_lower(traced, fuses)?)
}

/// A program on a device other than the CPU.
#[cfg(feature = "gpu")]
pub(crate) fn compile_on(traced: &Traced, device: &crate::device::Device) -> Result<Arc<Compiled>, Error> {
    deep::run(traced, || load(&lower(traced, wengert_cpu::fuses())?, device))
}

/// A lowered program on a device other than the CPU, lowered again for it.
#[cfg(feature = "gpu")]
pub(crate) fn load(lowered: &Lowered, device: &crate::device::Device) -> Result<Arc<Compiled>, Error> {
    let program = gpu(lowered)?;
    let limits = &lowered.optimized.limits;
    if limits.max_steps.is_some() {
        let message = format!("steps are not counted on {device}: run on `cpu` to limit them (--max-steps)");
        return Err(Error::new(message, None));
    }
    let needed = program.memory();
    if let Some(max) = limits.max_memory.filter(|&max| needed > max) {
        let message = format!("needs {needed} bytes, more than the {max} allowed (--max-memory)");
        return Err(Error::new(message, None).of_limit());
    }
    let program = crate::device::run::load(device, &program)?;
    Ok(Arc::new(Compiled {
        results: lowered.program.results.clone(),
        code: Code::Device(Box::new(program)),
        limits: CallLimits::default(),
        visible: lowered.visible,
        checks: lowered.checks.clone(),
    }))
}

fn try_lower(traced: &Traced, fuses: bool) -> Result<Lowered, Stopped> {
    let (mut module, func, limits) = (traced.module.clone(), traced.func, traced.limits);
    let instructions = limits.check(&module, func)?;
    let mut dump = crate::dump::Dump::new(&module, func);
    let mut timings = Vec::new();
    let visible = module.get(func).results.len();
    let (func, checks) = checks::hoist(&mut module, func);
    let func = Pipeline::of_machine(fuses).run_within(&mut module, func, &limits, &mut |step| {
        timings.push(Timing { name: step.pass.name, elapsed: step.elapsed });
        dump.pass(&step);
    })?;
    let start = Instant::now();
    let options = lower::Options {
        contract: fuses,
        instructions: Some(instructions.saturating_mul(Limits::KERNEL)),
        target: TARGET,
        ..Default::default()
    };
    // Functions have their numbers in what is kept.
    let optimized = Traced::new(module, func).within(limits);
    let (module, func) = optimized.module();
    let (program, stats, sources) = lower::lower_with_sources(module, func, &options).map_err(|e| {
        let error = Error::new(e.to_string(), None);
        if e.exceeded.is_some() { Stopped::Exceeded(error) } else { Stopped::Refused(error) }
    })?;
    timings.push(Timing { name: "lower", elapsed: start.elapsed() });
    dump.program(&program);
    let traced = traced.clone();
    Ok(Lowered { traced, optimized, program, stats, sources, timings, visible, checks })
}

/// The optimized program of a lowered one, lowered for a GPU, which has a fused multiply-add.
pub(crate) fn gpu(lowered: &Lowered) -> Result<Program, Error> {
    let Traced { module, func, limits, .. } = &lowered.optimized;
    let instructions = limits.check(module, *func).map_err(Error::from)?;
    let options = lower::Options {
        contract: true,
        instructions: Some(instructions.saturating_mul(Limits::KERNEL)),
        target: &Target::GPU,
        ..Default::default()
    };
    lower::lower(module, *func, &options).map_err(|e| Error::new(e.to_string(), None))
}

/// Native code for a lowered program with vectors up to a length, looked up in `files` first.
pub(crate) fn codegen(
    lowered: &Lowered,
    vectors: Vectors,
    files: Option<&CodeCache>,
) -> Result<Arc<Compiled>, Error> {
    Ok(try_codegen(lowered, vectors, files)?)
}

fn try_codegen(
    lowered: &Lowered,
    vectors: Vectors,
    files: Option<&CodeCache>,
) -> Result<Arc<Compiled>, Stopped> {
    let limits = &lowered.optimized.limits;
    let needed = lowered.program.memory();
    if let Some(max) = limits.max_memory.filter(|&max| needed > max) {
        let message = format!("needs {needed} bytes, more than the {max} allowed (--max-memory)");
        return Err(Stopped::Exceeded(Error::new(message, None)));
    }
    let (is_vector, wide) = match vectors {
        Vectors::None => (false, None),
        Vectors::Bits128 => (true, None),
        Vectors::Bits256 => (true, Some(Wide::Ymm)),
        Vectors::Bits512 => (true, Some(Wide::Zmm)),
    };
    let options = Options {
        count_steps: limits.max_steps.is_some(),
        vectors: is_vector,
        wide,
        // Wide routines of the math library choose their vectors by the machine.
        tiles: is_vector,
    };
    let executable = Executable::compile_cached(&lowered.program, &options, files)
        .map_err(|e| Stopped::Refused(Error::new(e.to_string(), None)))?;
    let limits = CallLimits {
        max_steps: limits.max_steps.unwrap_or(u64::MAX),
        max_stack_memory: limits.max_memory.map_or(u64::MAX, |max| max - needed),
    };
    Ok(Arc::new(Compiled {
        code: Code::Native(Box::new(executable)),
        results: lowered.program.results.clone(),
        limits,
        visible: lowered.visible,
        checks: lowered.checks.clone(),
    }))
}

fn interpreted(traced: &Traced, why: &Error) -> Arc<Compiled> {
    report(why);
    let code = Code::Interpreted(Box::new(traced.clone()));
    let results = traced.result_types();
    let visible = results.len();
    let limits =
        CallLimits { max_steps: traced.limits.max_steps.unwrap_or(u64::MAX), ..CallLimits::default() };
    Arc::new(Compiled { code, results, limits, visible, checks: Vec::new() })
}

fn report(why: &Error) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| warn(format_args!("a program runs in the interpreter, slowly: {why}")));
}

/// Cranelift IR of a program.
pub(crate) fn clif(program: &Program) -> Result<String, Error> {
    wengert_cpu::clif(program, &Default::default()).map_err(|e| Error::new(e.to_string(), None))
}

/// What was planned for a lowered program.
pub(crate) fn plan(lowered: &Lowered) -> String {
    let (module, func) = lowered.optimized.module();
    lower::plan_text(module, func, TARGET, &lowered.stats)
}

/// The fusions of a lowered program, and what each saves.
pub(crate) fn fusion(lowered: &Lowered) -> String {
    let (module, func) = lowered.optimized.module();
    lower::fusion_text(module, func, TARGET, &lowered.stats)
}

/// Where the loops, calls and branches of a lowered program come from that are at these places.
pub(crate) fn origins(lowered: &Lowered, places: &[Option<usize>]) -> Vec<Option<lower::Origin>> {
    let (module, _) = lowered.optimized.module();
    lowered.sources.origins(module, TARGET, &lowered.stats, places)
}

/// Machine code of a program, disassembled.
pub(crate) fn asm(program: &Program) -> Result<String, Error> {
    wengert_cpu::asm(program, &Default::default()).map_err(|e| Error::new(e.to_string(), None))
}
