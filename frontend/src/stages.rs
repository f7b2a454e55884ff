//! What the compiler did, stage by stage: [`Traced`] tensor IR, [`Lowered`] loops, [`CompiledProgram`] native code.
//!
//! Each is printable. A [`Traced`] program comes from [`crate::Jit::trace`] or from StableHLO text
//! ([`Traced::parse`]), so a function written in JAX runs, and is differentiated, inside a Rust program.

use crate::compile::{self, Compiled};
use crate::deep;
use crate::eager::Budget;
use crate::entry::as_program;
use crate::error::Error;
use crate::tensor::Tensor;
use crate::trace::{PLACEHOLDER, replay_with};
use crate::warn::warn;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use wengert_ir::func::{FuncId, FuncKind, Loc, Module};
pub use wengert_ir::limits::Limits;
use wengert_ir::types::{DType, TensorType, Type};
use wengert_ir::{bytecode, interp, limits, text};
use wengert_passes::ad;
use wengert_passes::budget::{self, Derivative, MemoryPlan};
use wengert_passes::checks::Hoisted;
use wengert_passes::error::TransformError;
use wengert_passes::pipeline::Pipeline;
use wengert_passes::refine::{self, Argument};
use wengert_passes::{rules, spmd};

/// How long the vectors of compiled code may be; longer ones than the machine has are never used. Results are the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Vectors {
    /// None: one element at a time.
    None,
    /// 128 bits, which every machine has.
    Bits128,
    /// 256 bits: AVX2.
    Bits256,
    /// 512 bits: AVX-512.
    #[default]
    Bits512,
}

/// A program as tensor IR. Its `Display` is StableHLO text, which [`Traced::parse`] reads back.
#[derive(Clone)]
pub struct Traced {
    pub(crate) module: Module,
    pub(crate) func: FuncId,
    pub(crate) limits: Limits,
}

impl Traced {
    /// A program from a function of a module; what the function does not reach is left out, and so are tokens that it
    /// takes and gives: they order effects, which one device keeps in order anyway. Its limits are the default ones.
    pub fn new(module: Module, func: FuncId) -> Self {
        let (module, func) = as_program(&module, func);
        Self { module, func, limits: Limits::default() }
    }

    /// The same program, and whatever is made of it, under these limits: transforms and compilation fail where the program
    /// would grow beyond them, runs where they would use more.
    pub fn within(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Its limits.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The program after a pass.
    fn made(&self, module: Module, func: FuncId) -> Self {
        Self::new(module, func).within(self.limits)
    }

    /// A program from StableHLO: text, a portable artifact (MLIR bytecode), or what `jax.export` serializes; `entry` names
    /// its function, `main` or the only public one if not given.
    ///
    /// Fails with line, column and the offending line if the text is malformed, with the byte or the operation if bytecode
    /// is, if it breaks a rule of an operation, or if there is no such function, and if it takes or gives anything but
    /// tensors that can be computed with.
    ///
    /// ```
    /// use wengert::stages::Traced;
    /// let text = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }";
    /// let program = Traced::parse(text, None).unwrap();
    /// let bytes = program.to_bytecode(Some("1.9.0")).unwrap();
    /// assert_eq!(Traced::parse(bytes, None).unwrap().text(false), program.text(false));
    /// ```
    pub fn parse(source: impl AsRef<[u8]>, entry: Option<&str>) -> Result<Self, Error> {
        Self::of(module_of(source.as_ref())?, entry)
    }

    /// As [`Traced::parse`], of a module that has been read.
    pub fn of(module: Module, entry: Option<&str>) -> Result<Self, Error> {
        Self::entry(module, entry)?.of_one_device()?.of_tensors()
    }

    /// What computations for several devices compute together.
    fn of_one_device(self) -> Result<Self, Error> {
        if !spmd::is_needed(&self.module, self.func) {
            return Ok(self);
        }
        let limit = self.limits.check(&self.module, self.func)?;
        deep::run(&self, || {
            let mut module = self.module.clone();
            spmd::globalize(&mut module, self.func)?;
            limits::check(&module, self.func, limit)?;
            Ok(self.made(module, self.func))
        })
    }

    /// As [`Traced::parse`], of a text that is called `file`: what does not say where it comes from gets its line there.
    pub fn parse_placed(source: &str, entry: Option<&str>, file: &str) -> Result<Self, Error> {
        Self::of(text::parse_placed(source, file).map_err(|e| Error::new(e.to_string(), None))?, entry)
    }

    /// As [`Traced::parse`], of a program that may be there to be printed only: its arguments and results may be of any type
    /// that text has, quantized ones for instance.
    pub fn read(source: impl AsRef<[u8]>, entry: Option<&str>) -> Result<Self, Error> {
        Self::entry(module_of(source.as_ref())?, entry)
    }

    fn of_tensors(self) -> Result<Self, Error> {
        let func = self.module.get(self.func);
        let types = func.param_types().into_iter().chain(func.result_types());
        match types.into_iter().find(|ty| ty.as_tensor().is_none()) {
            Some(ty) => Err(Error::new(
                format!("@{} takes or gives {ty}, which is only read and printed", func.name),
                None,
            )),
            None => Ok(self),
        }
    }

    fn entry(module: Module, entry: Option<&str>) -> Result<Self, Error> {
        let publics: Vec<FuncId> =
            module.funcs.iter().filter(|(_, f)| f.kind == FuncKind::Public).map(|(id, _)| id).collect();
        let found = match entry {
            Some(name) => module.find(name),
            None => module.find("main").or(if let [only] = publics[..] { Some(only) } else { None }),
        };
        let found = found.or(match (entry, &publics[..]) {
            (Some("main"), [only]) => Some(*only),
            _ => None,
        });
        let Some(func) = found else {
            let names: Vec<String> = publics.iter().map(|&f| format!("@{}", module.get(f).name)).collect();
            let message = format!(
                " there is no function @{}; the program has {}",
                entry.unwrap_or("main"),
                names.join(", ")
            );
            return Err(Error::new(message, None));
        };
        Ok(Self::new(module, func))
    }

    /// The module and its entry function.
    pub fn module(&self) -> (&Module, FuncId) {
        (&self.module, self.func)
    }

    /// Types of the arguments, hidden captures first. Panics if one is not a tensor, which only [`Traced::read`] allows.
    pub fn param_types(&self) -> Vec<TensorType> {
        tensors(&self.module.get(self.func).param_types())
    }

    /// Types of the results. Panics as [`Traced::param_types`] does.
    pub fn result_types(&self) -> Vec<TensorType> {
        tensors(&self.module.get(self.func).result_types())
    }

    /// The program for arguments of these types: sizes that its text leaves open, as in `tensor<?xf32>`, become known.
    /// A program without open sizes stays as it is.
    ///
    /// Fails if an argument does not fit or if a size depends on more than types; see [`Traced::specialize`].
    pub fn specialize_types(&self, types: &[TensorType]) -> Result<Self, Error> {
        self.refined(types.iter().map(|ty| Argument { ty: ty.clone(), value: None }).collect())
    }

    /// The program for these arguments. Sizes come from their types; where that is not enough, from the values of
    /// integer arguments, for which alone the program is good then.
    ///
    /// Fails if an argument does not fit or if a size depends on what is known at run time only.
    pub fn specialize(&self, args: &[Tensor]) -> Result<Self, Error> {
        if !refine::is_open(&self.module, self.func) {
            return Ok(self.clone());
        }
        let types: Vec<TensorType> = args.iter().map(Tensor::ty).collect();
        self.specialize_types(&types).or_else(|_| {
            let small = |a: &Tensor| a.dtype().is_integer() && a.shape().iter().product::<usize>() <= 64;
            let value = |a: &Tensor| small(a).then(|| a.to_array());
            self.refined(args.iter().map(|a| Argument { ty: a.ty(), value: value(a) }).collect())
        })
    }

    fn refined(&self, arguments: Vec<Argument>) -> Result<Self, Error> {
        if !refine::is_open(&self.module, self.func) {
            return Ok(self.clone());
        }
        self.limits.check(&self.module, self.func)?;
        let refined = refine::refine(&self.module, self.func, &arguments);
        let (module, func) = refined.map_err(|e| Error::new(e, None))?;
        Ok(self.made(module, func))
    }

    /// The text, with source locations if asked for.
    pub fn text(&self, locations: bool) -> String {
        text::print(&self.module, &text::PrintOptions { locations, plain: false })
    }

    /// The program as a portable artifact: MLIR bytecode that JAX and other tools with StableHLO read, at a version of
    /// StableHLO such as `1.9.0`; without one at the version that JAX sends today. What only Wengert has is there under its
    /// name, with what it stands for beside it.
    ///
    /// Fails for what that version does not have, and for operations of CHLO; the error names the operation.
    pub fn to_bytecode(&self, version: Option<&str>) -> Result<Vec<u8>, Error> {
        bytecode::write(&self.module, version).map_err(|e| Error::new(e.to_string(), None))
    }

    /// The program in plain StableHLO and CHLO, for XLA and other compilers: what only Wengert has (scans, multiplications
    /// with additions rounded once) is a call of what it stands for.
    ///
    /// Fails for the reverse mode of a `while` whose number of trips is not known: what it keeps has no static size, which
    /// StableHLO needs. (A loop with a static number of trips is a scan, and is fine.)
    pub fn stablehlo(&self) -> Result<String, Error> {
        for func in self.module.funcs.values() {
            let is_dynamic = |t: &Type| t.as_tensor().is_some_and(|t| !t.is_static());
            if let Some((_, v)) = func.values.iter().find(|(_, v)| is_dynamic(&v.ty)) {
                let message = format!(
                    "no plain StableHLO: the program has a tensor of unknown length ({}), as the reverse mode of a \
                     `while` keeps; give the loop a static number of trips",
                    v.ty
                );
                return Err(Error::new(message, None));
            }
        }
        Ok(text::print(&self.module, &text::PrintOptions { locations: false, plain: true }))
    }

    /// The function as a Wengert list: one line per operation, values numbered in order.
    pub fn wengert_list(&self) -> String {
        crate::tape::WengertList::new(&self.module.get(self.func), 0, &[]).to_string()
    }

    /// A program from a module that was read.
    pub(crate) fn of_module(module: Module, entry: &str) -> Result<Self, Error> {
        Self::entry(module, Some(entry))?.of_one_device()?.of_tensors()
    }

    fn derive(
        &self,
        pass: impl FnOnce(&mut Module, FuncId) -> Result<FuncId, TransformError> + Send,
    ) -> Result<Self, Error> {
        for what in rules::unknown_rules(&self.module, self.func) {
            warn(format_args!(
                "{what}: JAX differentiates this by a rule that its text does not hold; the derivative of the text is NaN or \
                 another number at some points (docs/derivative-conventions.md)"
            ));
        }
        deep::run(self, || {
            let (mut module, func) = self.prepared("rules,inline,raise,dce")?;
            let func = pass(&mut module, func)?;
            limits::check(&module, func, self.limits.instructions(&self.module, self.func))?;
            Ok(self.made(module, func))
        })
    }

    /// What derivatives and explanations are of: a scan keeps rows for the reverse pass where the while it was written as
    /// would keep whole buffers.
    fn prepared(&self, passes: &str) -> Result<(Module, FuncId), Error> {
        let mut module = self.module.clone();
        let prepare = Pipeline::parse(passes).expect("passes of the table");
        let func = prepare.run_within(&mut module, self.func, &self.limits, &mut |_| {})?;
        Ok((module, func))
    }

    /// Marks which of `count` things `chosen` names, or fails.
    fn mask(what: &str, chosen: &[usize], count: usize) -> Result<Vec<bool>, Error> {
        let mut mask = vec![false; count];
        for &k in chosen {
            match mask.get_mut(k) {
                Some(m) => *m = true,
                None => {
                    return Err(Error::new(
                        format!("there is no {what} {k}: the function has {count}"),
                        None,
                    ));
                }
            }
        }
        Ok(mask)
    }

    fn mask_of_arguments(&self, chosen: &[usize]) -> Result<Vec<bool>, Error> {
        Self::mask("argument", chosen, self.module.get(self.func).params.len())
    }

    fn mask_of_results(&self, chosen: &[usize]) -> Result<Vec<bool>, Error> {
        Self::mask("result", chosen, self.module.get(self.func).results.len())
    }

    /// The program that also gives the gradient of its first result, a float scalar, with respect to arguments `wrt`
    /// (in ascending order): arguments to results ++ gradients.
    pub fn value_and_grad(&self, wrt: &[usize]) -> Result<Self, Error> {
        let mask = self.mask_of_arguments(wrt)?;
        self.derive(|m, f| ad::value_and_grad(m, f, &mask, 0))
    }

    /// The vector-Jacobian product: arguments ++ cotangents of results `cotangents` to results ++ cotangents of
    /// arguments `wrt`, all in ascending order.
    pub fn vjp(&self, wrt: &[usize], cotangents: &[usize]) -> Result<Self, Error> {
        let mask = self.mask_of_arguments(wrt)?;
        let has = self.mask_of_results(cotangents)?;
        self.derive(|m, f| ad::vjp(m, f, &mask, &has))
    }

    /// As [`Traced::value_and_grad`], with a derivative that takes no more than so many bytes, and may keep floats in a smaller
    /// type; and what was chosen for it. See [`Grad::memory_budget`](crate::Grad::memory_budget).
    pub fn value_and_grad_within(
        &self,
        wrt: &[usize],
        bytes: u64,
        compress: Option<DType>,
    ) -> Result<(Self, MemoryPlan), Error> {
        let mask = self.mask_of_arguments(wrt)?;
        let budget = crate::transform::budget_of(bytes, compress);
        let mut plan = None;
        let made = self.derive(|m, f| {
            let (func, found) = budget::within(m, f, Derivative::ValueAndGrad(&mask), &budget)?;
            plan = Some(found);
            Ok(func)
        })?;
        Ok((made, plan.expect("it was derived")))
    }

    /// The Jacobian-vector product: arguments ++ tangents of arguments `wrt` to results ++ tangents of float results.
    pub fn jvp(&self, wrt: &[usize]) -> Result<Self, Error> {
        let mask = self.mask_of_arguments(wrt)?;
        self.derive(|m, f| ad::jvp(m, f, &mask))
    }

    /// The program on Taylor series: arguments ++ for each of `wrt` (in ascending order) its derivatives along a curve, the first
    /// to that of `order`, to results ++ such derivatives of each float result; see [`crate::jet()`].
    pub fn jet(&self, wrt: &[usize], order: usize) -> Result<Self, Error> {
        let mask = self.mask_of_arguments(wrt)?;
        self.derive(|m, f| ad::jet(m, f, &mask, order))
    }

    /// The program after all passes, still tensor IR.
    ///
    /// Fails if it grows beyond its limits.
    pub fn optimize(&self) -> Result<Self, Error> {
        deep::run(self, || {
            let mut module = self.module.clone();
            let func = Pipeline::default().run_within(&mut module, self.func, &self.limits, &mut |_| {})?;
            Ok(self.made(module, func))
        })
    }

    /// Which rewrites led from result number `result` as it is written to the expression that is computed.
    ///
    /// Fails if there is no such result, or if the program has sizes that are not known.
    pub fn explain(&self, result: usize) -> Result<wengert_passes::egraph::Explanation, Error> {
        self.mask_of_results(&[result])?;
        refine::check_closed(&self.module, self.func).map_err(|e| Error::new(e, None))?;
        let (module, func) = self.prepared("inline,raise,dce")?;
        Ok(wengert_passes::egraph::explain(&module, func, result, &Default::default()))
    }

    /// All passes and lowering to loops.
    pub fn lower(&self) -> Result<Lowered, Error> {
        deep::run(self, || compile::lower(self, wengert_cpu::fuses()))
    }

    /// The program on a device, compiled.
    pub fn compile_on(&self, device: &crate::Device) -> Result<CompiledProgram, Error> {
        if device.is_cpu() {
            return self.lower()?.compile();
        }
        #[cfg(feature = "gpu")]
        {
            let lowered = self.lower()?;
            let compiled = deep::run(self, || compile::load(&lowered, device))?;
            Ok(CompiledProgram { lowered, compiled })
        }
        #[cfg(not(feature = "gpu"))]
        unreachable!("there is no device but the CPU")
    }

    /// Runs the program in the reference interpreter.
    pub fn interpret(&self, args: &[Tensor]) -> Result<Vec<Tensor>, Error> {
        check_args(&self.param_types(), args)?;
        let arrays: Vec<_> = args.iter().map(Tensor::to_array).collect();
        let out = interp::run(&self.module, self.func, &arrays, &self.limits)?;
        Ok(out.into_iter().map(Tensor::from_array).collect())
    }

    /// Runs the program one operation at a time, as operations outside `jit` run.
    pub fn run_eagerly(&self, args: &[Tensor]) -> Result<Vec<Tensor>, Error> {
        check_args(&self.param_types(), args)?;
        let func = self.module.get(self.func);
        let mut budget = Budget::new(&self.limits, args)?;
        replay_with(&func, args, &mut |op, operands, loc: &Loc| {
            crate::eager::run_within(Some(&self.module), op, operands, loc.clone(), &mut budget)
        })
    }
}

/// The module that text or bytes are.
fn module_of(source: &[u8]) -> Result<Module, Error> {
    let read = if bytecode::is_binary(source) {
        bytecode::read(source).map_err(|e| e.to_string())
    } else {
        match std::str::from_utf8(source) {
            Ok(source) => text::parse(source).map_err(|e| e.to_string()),
            Err(_) => Err(" neither text in UTF-8 nor bytecode".to_owned()),
        }
    };
    read.map_err(|e| Error::new(e, None))
}

fn tensors(types: &[Type]) -> Vec<TensorType> {
    types.iter().map(|t| t.tensor().clone()).collect()
}

pub(crate) fn check_args(params: &[TensorType], args: &[Tensor]) -> Result<(), Error> {
    if params.len() != args.len() {
        return Err(Error::new(format!("{} arguments for a function of {}", args.len(), params.len()), None));
    }
    for (k, (ty, arg)) in params.iter().zip(args).enumerate() {
        if arg.is_placeholder() {
            return Err(Error::new(format!("argument {k} ({}): {PLACEHOLDER}", arg.ty()), None));
        }
        if !arg.is_concrete() {
            return Err(Error::new(
                format!(
                    "argument {k} ({}) is traced and has no value: a program runs at once, outside of transforms",
                    arg.ty()
                ),
                None,
            ));
        }
        if !arg.has_type(ty) {
            return Err(Error::new(format!("argument {k} is {}, the function takes {ty}", arg.ty()), None));
        }
    }
    Ok(())
}

impl fmt::Display for Traced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(false))
    }
}

/// How long one step of compilation took.
#[derive(Clone, PartialEq, Debug)]
pub struct Timing {
    /// Name of the pass, or `lower`, `codegen`.
    pub name: &'static str,
    /// Wall-clock time.
    pub elapsed: Duration,
}

/// A program as optimized tensor IR and as kernel IR: loops, memory, library calls. Its `Display` is the kernel IR.
#[derive(Clone)]
pub struct Lowered {
    /// What it was made from.
    pub(crate) traced: Traced,
    pub(crate) optimized: Traced,
    pub(crate) program: wengert_ir::kernel::Program,
    pub(crate) stats: wengert_passes::lower::Stats,
    pub(crate) sources: wengert_passes::lower::Sources,
    pub(crate) timings: Vec<Timing>,
    /// How many results the program had before `checks` added theirs.
    pub(crate) visible: usize,
    pub(crate) checks: Vec<Hoisted>,
}

impl Lowered {
    /// The tensor IR that was lowered.
    pub fn optimized(&self) -> &Traced {
        &self.optimized
    }

    /// The kernel IR.
    pub fn program(&self) -> &wengert_ir::kernel::Program {
        &self.program
    }

    /// How long each pass took, in order.
    pub fn timings(&self) -> &[Timing] {
        &self.timings
    }

    /// Native code, which keeps within the limits of the program.
    pub fn compile(&self) -> Result<CompiledProgram, Error> {
        self.compile_for(Vectors::default())
    }

    /// Native code, which keeps within the limits of the program, with vectors no longer than asked for.
    pub fn compile_for(&self, vectors: Vectors) -> Result<CompiledProgram, Error> {
        let files = compile::default_cache();
        let compiled = deep::run(&self.optimized, || compile::codegen(self, vectors, files))?;
        Ok(CompiledProgram { lowered: self.clone(), compiled })
    }

    /// The Cranelift IR of every function of the program.
    pub fn clif(&self) -> Result<String, Error> {
        deep::run(&self.optimized, || compile::clif(&self.program))
    }

    /// What was planned before any loop was made: which values are computed inside their readers, which share a loop
    /// nest, which are stored, and in which order.
    ///
    /// Values are called what they are called in the text of [`Lowered::optimized`]. Elements of `registers` are scalars; a
    /// `kernel 6x8` is a loop nest over so many elements, `reduces [1]` along that dimension; `rows 4` are kernels that share a
    /// loop over rows; what stands `alone` has code of its own. What is computed `inside` an instruction is never in memory,
    /// `again` if it is inside an earlier one too; what is `stored` is read by others.
    pub fn plan(&self) -> Result<String, Error> {
        deep::run(&self.optimized, || Ok(compile::plan(self)))
    }

    /// Which values were fused into loop nests, and what that saves by the compiler's cost model, a line each: a kernel compared with its
    /// instructions one by one, and each rewrite that made one kernel of two.
    pub fn fusion(&self) -> Result<String, Error> {
        deep::run(&self.optimized, || Ok(compile::fusion(self)))
    }

    /// The machine code of every function of the program, disassembled.
    pub fn asm(&self) -> Result<String, Error> {
        deep::run(&self.optimized, || compile::asm(&self.program))
    }

    /// The same optimized program lowered for a GPU: kernels that are launched, and the program of the host that launches them.
    ///
    /// In the host's program `memref.load` reads an element back from the device; everything else that computes with the
    /// program's tensors is a launch or a library call.
    pub fn gpu(&self) -> Result<wengert_ir::kernel::Program, Error> {
        deep::run(&self.optimized, || compile::gpu(self))
    }

    /// The PTX of the kernels of [`Lowered::gpu`]. Needs the feature `gpu`.
    #[cfg(feature = "gpu")]
    pub fn ptx(&self) -> Result<String, Error> {
        let print = || wengert_gpu::ptx::module(&compile::gpu(self)?).map_err(|e| Error::new(e, None));
        Ok(deep::run(&self.optimized, print)?.text)
    }

    /// The WGSL of the kernels of [`Lowered::gpu`], one after the other. Needs the feature `gpu`.
    #[cfg(feature = "gpu")]
    pub fn wgsl(&self) -> Result<String, Error> {
        deep::run(&self.optimized, || {
            let (program, means) = (compile::gpu(self)?, wengert_gpu::expand::Means::default());
            let shaders = wengert_gpu::wgsl::module(&program, means).map_err(|e| Error::new(e, None))?;
            let named = |s: &wengert_gpu::wgsl::Shader| {
                format!("// {}: {}\n{}", s.kernel, program.kernels[s.kernel].name, s.text)
            };
            Ok(shaders.iter().map(named).collect::<Vec<_>>().join("\n"))
        })
    }
}

impl fmt::Display for Lowered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.program.fmt(f)
    }
}

/// A program as native code. Its `Display` is the machine code, disassembled.
#[derive(Clone)]
pub struct CompiledProgram {
    lowered: Lowered,
    compiled: Arc<Compiled>,
}

impl CompiledProgram {
    /// The stage before.
    pub fn lowered(&self) -> &Lowered {
        &self.lowered
    }

    /// Runs it on concrete tensors of the parameters' types.
    pub fn call(&self, args: &[Tensor]) -> Result<Vec<Tensor>, Error> {
        check_args(&self.lowered.program.params, args)?;
        let args: Vec<&Tensor> = args.iter().collect();
        Ok(self.compiled.run(&args)?.into_vec())
    }

    /// Bytes of machine code.
    pub fn code_size(&self) -> usize {
        self.compiled.code_size()
    }

    /// Arguments with the result that may have their memory, for [`CompiledProgram::call_in`]. Each argument and each result occurs
    /// once at most.
    pub fn donations(&self) -> &[(u32, u32)] {
        self.compiled.donations()
    }

    /// Runs it on memory of the caller's: the elements of each argument, row-major, to those of each result.
    ///
    /// Arguments of the pairs in `donated`, which are some of [`CompiledProgram::donations`], lie in the memory of their result and
    /// are overwritten by it; what `args` has in their place is not looked at. Memory that is aligned to 64 bytes is fastest.
    ///
    /// Fails if there are more or fewer arguments or results than the program has, if one has another length than its type, and
    /// as [`CompiledProgram::call`] does.
    ///
    /// # Panics
    /// If a pair is none of the program's.
    ///
    /// ```
    /// # use wengert::stages::Traced;
    /// let program = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    ///   %y = stablehlo.add %x, %x : tensor<2xf32>
    ///   return %y : tensor<2xf32>
    /// }";
    /// let compiled = Traced::parse(program, None)?.lower()?.compile()?;
    /// let (x, mut y) = ([1f32, 2.0].map(f32::to_ne_bytes).concat(), [0u8; 8]);
    /// compiled.call_in(&[&x], &mut [&mut y], &[])?;
    /// assert_eq!(y[4..], 4f32.to_ne_bytes());
    /// # Ok::<(), wengert::Error>(())
    /// ```
    pub fn call_in(
        &self,
        args: &[&[u8]],
        results: &mut [&mut [u8]],
        donated: &[(u32, u32)],
    ) -> Result<(), Error> {
        self.compiled.run_in(args, results, donated)
    }
}

impl fmt::Display for CompiledProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lowered.asm().unwrap_or_else(|e| e.to_string()))
    }
}
