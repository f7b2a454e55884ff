//! From a function of tensor IR to something that runs: all passes, lowering, code generation; caches and dumps.

use crate::error::Error;
use crate::stages::{Limits, Lowered, Timing, Traced};
use crate::tensor::Tensor;
use crate::trace::Tensors;
use crate::tree::Tree;
use crate::warn::warn;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::{Arc, Mutex, Once, OnceLock};
use std::time::Instant;
use wengert_cpu::{CallLimits, CodeCache, Executable, Options, RunError};
use wengert_ir::array::{Array, Bytes};
use wengert_ir::func::{FuncId, Module};
use wengert_ir::interp;
use wengert_ir::kernel::Program;
use wengert_ir::types::{TensorType, Type};
use wengert_passes::checks::{self, Hoisted};
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
    Interpreted(Module, FuncId),
}

/// Programs by content: making the same `jit` anew costs a trace only. When full it starts anew.
static CACHE: Mutex<Option<FxHashMap<Known, Arc<Compiled>>>> = Mutex::new(None);

/// A program, and the number of the files its machine code was looked up in and added to: who names files wants it there, even
/// if the same program has been compiled without.
type Known = (Module, Option<u64>);

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

/// Compiles `func`; what the module holds besides is ignored. Machine code is looked up in `files` first, if given, else
/// in the cache that the environment asks for, if any.
pub(crate) fn compile(
    module: Module,
    func: FuncId,
    files: Option<&CodeCache>,
) -> Result<Arc<Compiled>, Error> {
    let files = match files {
        Some(files) => Some(files),
        None => default_cache(),
    };
    let Traced { module, func } = Traced::new(module, func);
    let known: Known = (module, files.map(CodeCache::number));
    if let Some(hit) = with_cache(|c| c.get(&known).cloned()) {
        return Ok(hit);
    }
    let traced = Traced { module: known.0.clone(), func };
    let lowered = lower(&traced, wengert_cpu::fuses());
    let compiled = match lowered.and_then(|lowered| codegen(&lowered, &Limits::default(), files)) {
        Ok(compiled) => compiled,
        Err(e) => interpreted(&traced, &e),
    };
    with_cache(|c| {
        if c.len() >= CAPACITY {
            c.clear();
        }
        c.insert(known, compiled.clone());
    });
    Ok(compiled)
}

fn with_cache<R>(f: impl FnOnce(&mut FxHashMap<Known, Arc<Compiled>>) -> R) -> R {
    f(CACHE.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert_default())
}

/// All passes and lowering, for a machine that has a fused multiply-add or one that has not.
pub(crate) fn lower(traced: &Traced, fuses: bool) -> Result<Lowered, Error> {
    let (mut module, func) = (traced.module.clone(), traced.func);
    let mut dump = crate::dump::Dump::new(&module, func);
    let mut timings = Vec::new();
    let visible = module.get(func).results.len();
    let (func, checks) = checks::hoist(&mut module, func).map_err(|e| Error::new(e.to_string(), None))?;
    let func = Pipeline::of_machine(fuses).run(&mut module, func, &mut |step| {
        timings.push(Timing { name: step.pass.name, elapsed: step.elapsed });
        dump.pass(&step);
    });
    let start = Instant::now();
    let program = lower::lower(&module, func, &lower::Options { contract: fuses, ..Default::default() })
        .map_err(|e| Error::new(e.to_string(), None))?;
    timings.push(Timing { name: "lower", elapsed: start.elapsed() });
    dump.program(&program);
    let (traced, optimized) = (traced.clone(), Traced::new(module, func));
    Ok(Lowered { traced, optimized, program, timings, visible, checks })
}

/// Native code for a lowered program, looked up in `files` first.
pub(crate) fn codegen(
    lowered: &Lowered,
    limits: &Limits,
    files: Option<&CodeCache>,
) -> Result<Arc<Compiled>, Error> {
    if let Some(max) = limits.max_memory {
        let program = &lowered.program;
        let bytes: u64 = program.params.iter().chain(&program.results).map(|t| t.bytes() as u64).sum();
        let needed = bytes + program.scratch as u64;
        if needed > max {
            return Err(Error::new(
                format!("needs {needed} bytes, more than the {max} allowed (--max-memory)"),
                None,
            ));
        }
    }
    let options = Options { count_steps: limits.max_steps.is_some(), ..Options::default() };
    let executable = Executable::compile_cached(&lowered.program, &options, files)
        .map_err(|e| Error::new(e.to_string(), None))?;
    let limits = CallLimits {
        max_steps: limits.max_steps.unwrap_or(u64::MAX),
        max_stack_memory: limits.max_memory.unwrap_or(u64::MAX),
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
    let code = Code::Interpreted(traced.module.clone(), traced.func);
    let results = traced.result_types();
    let visible = results.len();
    Arc::new(Compiled { code, results, limits: CallLimits::default(), visible, checks: Vec::new() })
}

fn report(why: &Error) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| warn(format_args!("a program runs in the interpreter, slowly: {why}")));
}

/// Cranelift IR of a program.
pub(crate) fn clif(program: &Program) -> Result<String, Error> {
    wengert_cpu::clif(program, &Default::default()).map_err(|e| Error::new(e.to_string(), None))
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
        let args: SmallVec<[&[u8]; 8]> = args.iter().map(|t| t.bytes().expect("concrete")).collect();
        let count = self.visible;
        self.run_bytes(&args, |next| (0..count).map(|_| next()).collect())
    }

    /// Arguments with the result that may have their memory.
    #[inline]
    pub(crate) fn donations(&self) -> &[(u32, u32)] {
        match &self.code {
            Code::Native(executable) => executable.donations(),
            Code::Interpreted(..) => &[],
        }
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

    /// The same with arguments, some of [`Self::donations`], that are in the memory of their result; `args` has anything in
    /// their place.
    #[inline]
    pub(crate) fn run_donated<R>(
        &self,
        args: &[&[u8]],
        donated: &mut Donated,
        collect: impl FnOnce(&mut dyn FnMut() -> Tensor) -> R,
    ) -> Result<R, Error> {
        let executable = match &self.code {
            Code::Native(executable) => executable,
            Code::Interpreted(module, func) => {
                let mut results = interpret(module, *func, args)?.into_iter();
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
                None => Bytes::take(ty.bytes()),
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
        executable
            .call_donating(args, &mut slices, &pairs, self.limits)
            .map_err(|e| Error::new(explain(&e), None))?;
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
            check.verify(&added).map_err(|e| Error::new(e.to_string(), None))?;
        }
        results.truncate(self.visible);
        Ok(results)
    }
}

fn interpret(module: &Module, func: FuncId, args: &[&[u8]]) -> Result<Tensors, Error> {
    let types = module.get(func).param_types();
    let arrays = |(ty, bytes): (&Type, &&[u8])| Array::from_bytes(ty.tensor().clone(), bytes);
    let args: Vec<Array> = types.iter().zip(args).map(arrays).collect();
    let out = interp::run(module, func, &args, &interp::Limits::default());
    Ok(out.map_err(|e| Error::new(e.to_string(), None))?.into_iter().map(Tensor::from_array).collect())
}

impl Compiled {
    /// Runs it on bytes of the parameters' lengths and writes results to the leaves of `out`.
    pub(crate) fn run_into<R: Tree>(&self, args: &[&[u8]], out: &mut R) -> Result<(), Error> {
        let Code::Native(executable) = &self.code else {
            return Err(Error::new(
                "a program that runs in the interpreter cannot write to given memory",
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
        executable.call_limited(args, &mut slices, self.limits).map_err(|e| Error::new(explain(&e), None))
    }
}

fn explain(e: &RunError) -> String {
    match e {
        RunError::Memory => "needs more memory than is allowed (--max-memory) or than there is".into(),
        RunError::Steps => "stopped: more loop trips than allowed (--max-steps)".into(),
        RunError::Count { .. } | RunError::Length { .. } | RunError::Panic | RunError::Refused(_) => {
            e.to_string()
        }
    }
}
