//! A program that has been compiled, and how it is called: on tensors, on bytes, and on memory of the caller's.

#[cfg(feature = "gpu")]
use crate::device::run::OnDevice;
use crate::error::Error;
use crate::program::Traced;
use crate::tensor::{Tensor, Tensors};
use crate::tree::Tree;
use smallvec::SmallVec;
use std::sync::Arc;
use wengert_cpu::{CallLimits, Executable, RunError};
use wengert_ir::array::{Array, Bytes};
use wengert_ir::interp;
use wengert_ir::limits::Limits;
use wengert_ir::types::TensorType;
use wengert_passes::checks::Hoisted;

/// A program that can be run on concrete tensors.
pub(crate) struct Compiled {
    pub(crate) code: Code,
    pub(crate) results: Vec<TensorType>,
    pub(crate) limits: CallLimits,
    /// How many results are the caller's; the others are for `checks`.
    pub(crate) visible: usize,
    pub(crate) checks: Vec<Hoisted>,
}

/// Memory of arguments that their results take over: which pair of argument and result, and the bytes.
pub(crate) type Donated = SmallVec<[((u32, u32), Bytes); 1]>;

/// What runs it.
pub(crate) enum Code {
    Native(Box<Executable>),
    /// What cannot be lowered yet is interpreted, and said so on standard error.
    Interpreted(Box<Traced>),
    /// A program on a GPU.
    #[cfg(feature = "gpu")]
    Device(Box<OnDevice>),
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
        let added: Vec<Array> =
            results[self.visible..].iter().map(|t| t.array().expect("concrete")).collect();
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
