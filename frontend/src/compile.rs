//! From a function of tensor IR to something that runs: all passes, lowering, code generation; caches and dumps.

use crate::deep;
use crate::error::Error;
use crate::stages::{Limits, Lowered, Timing, Traced, Vectors};
use crate::tensor::Tensor;
use crate::trace::Tensors;
use crate::tree::Tree;
use crate::warn::warn;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::{Arc, Mutex, Once, OnceLock};
use std::time::Instant;
use wengert_cpu::{CallLimits, CodeCache, Executable, Options, RunError, Wide};
use wengert_ir::array::{Array, Bytes};
use wengert_ir::func::Module;
use wengert_ir::interp;
use wengert_ir::kernel::Program;
use wengert_ir::limits::Exceeded;
use wengert_ir::types::TensorType;
use wengert_passes::checks::{self, Hoisted};
use wengert_passes::cost::Target;
use wengert_passes::lower;
use wengert_passes::pipeline::Pipeline;

/// A program that can be run on concrete tensors.
pub(crate) struct Compiled {
    code: Code,
    results: Vec<TensorType>,
    limits: CallLimits,
    /// How many results are the caller's; the others are for `checks`.
    visible: usize,
    checks: Vec<Hoisted>,
}

/// Memory of arguments that their results take over: which pair of argument and result, and the bytes.
pub(crate) type Donated = SmallVec<[((u32, u32), Bytes); 1]>;

enum Code {
    Native(Box<Executable>),
    /// What cannot be lowered yet is interpreted, and said so on standard error.
    Interpreted(Box<Traced>),
    /// A program on a GPU.
    #[cfg(feature = "gpu")]
    Device(Box<crate::device::OnDevice>),
}

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
    let program = crate::device::load(device, &program)?;
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

/// Whether a result lives in the handle itself.
#[inline]
fn is_word(ty: &TensorType) -> bool {
    ty.shape.is_empty() && ty.dtype.size() <= 8
}

impl Compiled {
    /// Runs it. The tensors must be concrete and have the parameters' types.
    pub(crate) fn run(&self, args: &[&Tensor]) -> Result<Tensors, Error> {
        self.run_limited(args, &mut self.limits())
    }

    /// Arguments with the result that may have their memory.
    #[inline]
    pub(crate) fn donations(&self) -> &[(u32, u32)] {
        match &self.code {
            Code::Native(executable) => executable.donations(),
            Code::Interpreted(_) => &[],
            #[cfg(feature = "gpu")]
            Code::Device(_) => &[],
        }
    }

    /// Runs it on a GPU, if it is for one.
    #[cfg(feature = "gpu")]
    pub(crate) fn run_there(&self, args: &[&Tensor]) -> Option<Result<Tensors, Error>> {
        let Code::Device(program) = &self.code else { return None };
        let results = program.call(args);
        Some(results.and_then(|r| if self.checks.is_empty() { Ok(r) } else { self.verified(r) }))
    }

    /// Runs it on the parameters' bytes; `collect` is given a function that gives the results one after the other.
    #[inline]
    pub(crate) fn run_bytes<R>(
        &self,
        args: &[&[u8]],
        collect: impl FnOnce(&mut dyn FnMut() -> Tensor) -> R,
    ) -> Result<R, Error> {
        self.run_donated(args, &mut Donated::new(), collect)
    }

    /// The limits of a call; [`Self::run_limited`] takes what is left of them.
    pub(crate) fn limits(&self) -> CallLimits {
        self.limits
    }

    /// Runs it as [`Self::run`] does, on what is left of limits.
    pub(crate) fn run_limited(&self, args: &[&Tensor], limits: &mut CallLimits) -> Result<Tensors, Error> {
        #[cfg(feature = "gpu")]
        if let Some(results) = self.run_there(args) {
            return results;
        }
        let args: SmallVec<[&[u8]; 8]> = args.iter().map(|t| t.bytes().expect("concrete")).collect();
        let count = self.visible;
        self.call(&args, &mut Donated::new(), limits, |next| (0..count).map(|_| next()).collect())
    }

    /// The same with arguments, some of [`Self::donations`], that are in the memory of their result; `args` has anything in
    /// their place.
    #[inline]
    pub(crate) fn run_donated<R>(
        &self,
        args: &[&[u8]],
        donated: &mut Donated,
        collect: impl FnOnce(&mut dyn FnMut() -> Tensor) -> R,
    ) -> Result<R, Error> {
        self.call(args, donated, &mut self.limits(), collect)
    }

    #[inline]
    fn call<R>(
        &self,
        args: &[&[u8]],
        donated: &mut Donated,
        limits: &mut CallLimits,
        collect: impl FnOnce(&mut dyn FnMut() -> Tensor) -> R,
    ) -> Result<R, Error> {
        let executable = match &self.code {
            Code::Native(executable) => executable,
            Code::Interpreted(traced) => {
                let mut results = interpret(traced, args, limits)?.into_iter();
                return Ok(collect(&mut || results.next().expect("a result per leaf")));
            }
            #[cfg(feature = "gpu")]
            Code::Device(program) => {
                let found = program.call_bytes(args)?;
                let types = &program.program().results;
                let arrays = found.iter().zip(types).map(|(b, ty)| Array::from_bytes(ty.clone(), b));
                let tensors = self.verified(arrays.map(Tensor::from_array).collect())?;
                let mut results = tensors.into_iter();
                return Ok(collect(&mut || results.next().expect("a result per leaf")));
            }
        };
        let mut words: SmallVec<[u64; 4]> = SmallVec::from_elem(0, self.results.len());
        let mut pairs: SmallVec<[(u32, u32); 4]> = SmallVec::new();
        donated.iter().for_each(|(pair, _)| pairs.push(*pair));
        let mut buffers: SmallVec<[Bytes; 2]> = SmallVec::new();
        for (number, ty) in self.results.iter().enumerate().filter(|(_, ty)| !is_word(ty)) {
            let given = donated.iter().position(|((_, result), _)| *result as usize == number);
            buffers.push(match given {
                Some(at) => donated.swap_remove(at).1,
                None => Bytes::try_take(ty.bytes()).ok_or_else(|| failed(RunError::Memory))?,
            });
        }
        let mut free = buffers.iter_mut();
        let mut slices: SmallVec<[&mut [u8]; 4]> = SmallVec::new();
        for (word, ty) in words.iter_mut().zip(&self.results) {
            slices.push(if is_word(ty) {
                &mut bytemuck::bytes_of_mut(word)[..ty.dtype.size()]
            } else {
                free.next().expect("a buffer per dense result")
            });
        }
        executable.call_donating(args, &mut slices, &pairs, limits).map_err(failed)?;
        drop(slices);
        let mut buffers = buffers.into_iter();
        let mut results = words.iter().zip(&self.results).map(|(word, ty)| {
            if is_word(ty) {
                Tensor::from_word(ty.dtype, *word)
            } else {
                let bytes = buffers.next().expect("a buffer per dense result");
                Tensor::from_array(Array::from_aligned(ty.clone(), Arc::new(bytes)))
            }
        });
        if self.checks.is_empty() {
            return Ok(collect(&mut || results.next().expect("a result per leaf")));
        }
        let mut results = self.verified(results.collect())?.into_iter();
        Ok(collect(&mut || results.next().expect("a result per leaf")))
    }

    /// The caller's results, if every check holds.
    fn verified(&self, mut results: Tensors) -> Result<Tensors, Error> {
        let added: Vec<Array> = results[self.visible..].iter().map(Tensor::to_array).collect();
        for check in &self.checks {
            check.verify(&added).map_err(|e| Error::from(*e))?;
        }
        results.truncate(self.visible);
        Ok(results)
    }
}

fn interpret(traced: &Traced, args: &[&[u8]], left: &mut CallLimits) -> Result<Tensors, Error> {
    let arrays = |(ty, bytes): (&TensorType, &&[u8])| Array::from_bytes(ty.clone(), bytes);
    let args: Vec<Array> = traced.param_types().iter().zip(args).map(arrays).collect();
    let limits = Limits { max_steps: traced.limits.max_steps.map(|_| left.max_steps), ..traced.limits };
    let (out, steps) = interp::run_counted(&traced.module, traced.func, &args, &limits);
    left.max_steps = left.max_steps.saturating_sub(steps);
    Ok(out?.into_iter().map(Tensor::from_array).collect())
}

impl Compiled {
    /// Bytes of machine code.
    pub(crate) fn code_size(&self) -> usize {
        match &self.code {
            Code::Native(executable) => executable.code_size(),
            Code::Interpreted(_) => 0,
            #[cfg(feature = "gpu")]
            Code::Device(_) => 0,
        }
    }

    /// Runs it on the parameters' bytes and writes the caller's results to given memory. Arguments of the pairs in `donated`, some
    /// of [`Self::donations`], lie in the memory of their result; `args` has anything in their place.
    pub(crate) fn run_in(
        &self,
        args: &[&[u8]],
        results: &mut [&mut [u8]],
        donated: &[(u32, u32)],
    ) -> Result<(), Error> {
        let executable = match &self.code {
            Code::Native(executable) => executable,
            Code::Interpreted(traced) => {
                let found = interpret(traced, args, &mut self.limits())?;
                for (tensor, out) in found.iter().zip(results) {
                    out.copy_from_slice(tensor.bytes().expect("concrete"));
                }
                return Ok(());
            }
            #[cfg(feature = "gpu")]
            Code::Device(program) => {
                for (found, out) in program.call_bytes(args)?.iter().zip(results) {
                    out.copy_from_slice(found);
                }
                return Ok(());
            }
        };
        let mut limits = self.limits();
        if self.checks.is_empty() {
            return executable.call_donating(args, results, donated, &mut limits).map_err(failed);
        }
        let mut checked: Vec<Array> =
            self.results[self.visible..].iter().map(|ty| Array::zeros(ty.clone())).collect();
        let mut all: SmallVec<[&mut [u8]; 8]> = results.iter_mut().map(|r| &mut **r).collect();
        all.extend(checked.iter_mut().map(Array::bytes_mut));
        executable.call_donating(args, &mut all, donated, &mut limits).map_err(failed)?;
        drop(all);
        self.checks.iter().try_for_each(|c| c.verify(&checked)).map_err(|e| Error::new(e.to_string(), None))
    }
}

impl Compiled {
    /// Runs it on bytes of the parameters' lengths and writes results to the leaves of `out`.
    pub(crate) fn run_into<R: Tree>(&self, args: &[&[u8]], out: &mut R) -> Result<(), Error> {
        let Code::Native(executable) = &self.code else {
            return Err(Error::new(
                "a program that runs in the interpreter or on a device cannot write to given memory",
                None,
            ));
        };
        let (mut k, mut fits) = (0, true);
        let mut slices: SmallVec<[&mut [u8]; 4]> = SmallVec::new();
        out.visit_mut(&mut |t| {
            fits &= self.results.get(k).is_some_and(|ty| t.has_type(ty));
            k += 1;
            match t.bytes_mut() {
                Some(bytes) => slices.push(bytes),
                None => fits = false,
            }
        });
        if !fits || k != self.results.len() {
            return Err(Error::new(
                "the given results do not have the types of the function's results, or no value of their own",
                None,
            ));
        }
        executable.call_limited(args, &mut slices, &mut self.limits()).map_err(failed)
    }
}

fn failed(e: RunError) -> Error {
    let error = Error::new(explain(&e), None);
    match e {
        RunError::Raised(raised) => (*raised).into(),
        RunError::Memory | RunError::Steps => error.of_limit(),
        RunError::Count { .. } | RunError::Length { .. } | RunError::Panic | RunError::Refused(_) => error,
    }
}

fn explain(e: &RunError) -> String {
    match e {
        RunError::Memory => "needs more memory than is allowed (--max-memory) or than there is".into(),
        RunError::Steps => "stopped: more steps than allowed (--max-steps)".into(),
        RunError::Count { .. }
        | RunError::Length { .. }
        | RunError::Panic
        | RunError::Refused(_)
        | RunError::Raised(_) => e.to_string(),
    }
}
