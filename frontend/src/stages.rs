//! What the compiler did, stage by stage: [`Traced`] tensor IR, [`Lowered`] loops, [`CompiledProgram`] native code.
//!
//! Each is printable. A [`Traced`] program comes from [`crate::Jit::trace`] or from StableHLO text
//! ([`Traced::parse`]), so a function written in JAX runs, and is differentiated, inside a Rust program.

mod derivatives;
mod text;

pub use crate::program::{Lowered, Timing, Traced, Vectors};
pub use wengert_ir::limits::Limits;

use crate::compile;
use crate::compiled::Compiled;
use crate::deep;
use crate::eager::{self, Budget};
use crate::error::Error;
use crate::tensor::{PLACEHOLDER, Tensor};
use crate::walk::replay_with;
use std::fmt;
use std::sync::Arc;
use wengert_ir::func::{FuncId, Loc, Module};
use wengert_ir::interp;
use wengert_ir::types::TensorType;
use wengert_passes::pipeline::Pipeline;
use wengert_passes::refine::{self, Argument};

impl Traced {
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
            eager::run_within(Some(&self.module), op, operands, loc.clone(), &mut budget)
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

impl Lowered {
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
