//! `jit`: trace once per signature, compile, call.
//!
//! A `jit` object keeps one compiled program per *signature*: structure of the arguments, element types, shapes and
//! static values. A call does: find it, gather pointers, jump.

mod prepared;
pub(crate) mod signature;

pub use prepared::Prepared;

use crate::call::{Args, Func};
use crate::compile;
use crate::compiled::{Compiled, Donated};
use crate::context::{What, is_tracing};
use crate::device::Device;
use crate::error::{Error, boundary, fail};
use crate::program::Traced;
use crate::tensor::{PLACEHOLDER, Tensor};
use crate::trace::{self, Home};
use crate::transform::{Graph, record};
use crate::tree::Tree;
use signature::{Entries, Signature, Signed};
use smallvec::SmallVec;
use std::ops::Deref;
use std::panic::Location;
use std::sync::{Arc, Mutex, OnceLock};
use wengert_cpu::CodeCache;
use wengert_ir::limits::Limits;
use wengert_ir::op::Call;
use wengert_ir::types::FloatMode;

/// A compiled function: see [`jit`].
pub struct Jit<A: Args, R: Tree> {
    call: Box<A::Callable<R>>,
    inner: Arc<Inner<A, R>>,
}

struct Inner<A: Args, R: Tree> {
    f: Box<dyn Fn(A) -> R + Send + Sync>,
    what: What,
    mode: FloatMode,
    /// Where machine code is kept between processes.
    files: Option<CodeCache>,
    limits: Limits,
    /// Where it runs, if that was said.
    device: Option<Device>,
    /// What was compiled for other devices.
    #[cfg(feature = "gpu")]
    elsewhere: Mutex<Vec<(Device, Arc<Entry<R>>)>>,
    /// What was compiled.
    entries: Entries<Entry<R>>,
    /// Signatures that are being compiled, so that two threads compile one once.
    pending: Mutex<Vec<Pending<R>>>,
    retraced: OnceLock<()>,
}

type Pending<R> = (Signature, Arc<OnceLock<Result<Arc<Entry<R>>, Error>>>);

struct Entry<R> {
    signature: Signature,
    /// Hidden leading parameters: large tensors the function captured.
    captures: Vec<Tensor>,
    compiled: Arc<Compiled>,
    /// The result tree; its leaves are placeholders.
    skeleton: R,
}

/// More retraces than this are worth a warning.
const MANY_SIGNATURES: usize = 50;

/// Compiles `f`: it is traced once per signature of its arguments (structure, element types, shapes, static
/// values), optimized and turned into native code.
///
/// Inside the function tensors have no values: `.item()` fails and says so. Control flow on values is written with
/// [`crate::cond`], [`crate::while_loop`], [`crate::scan`] or `select`.
///
/// ```
/// use wengert::{Tensor, grad, jit};
/// let f = jit(grad(|x: Tensor, y: Tensor| (&x * &y).sin().sum()));
/// let g = f(Tensor::from([0.0f64, 1.0]), Tensor::from([2.0f64, 3.0]));
/// assert_eq!(g.to_vec::<f64>()[0], 2.0);
/// println!("{}", f.trace((Tensor::from([0.0f64, 1.0]), Tensor::from([2.0f64, 3.0]))).unwrap());
/// ```
#[track_caller]
pub fn jit<A: Args, F: Func<A>>(f: F) -> Jit<A, F::Out> {
    jit_as(What { name: "jit", at: Location::caller() }, f)
}

/// [`jit`] as a part of another transform.
pub(crate) fn jit_as<A: Args, F: Func<A>>(what: What, f: F) -> Jit<A, F::Out> {
    Jit::build(Box::new(move |a| f.call_with(a)), what, FloatMode::Default, None, Limits::default(), None)
}

impl<A: Args, R: Tree> Jit<A, R> {
    fn build(
        f: Box<dyn Fn(A) -> R + Send + Sync>,
        what: What,
        mode: FloatMode,
        files: Option<CodeCache>,
        limits: Limits,
        device: Option<Device>,
    ) -> Self {
        let inner = Arc::new(Inner {
            f,
            what,
            mode,
            files,
            limits,
            device,
            #[cfg(feature = "gpu")]
            elsewhere: Mutex::default(),
            entries: Entries::default(),
            pending: Mutex::default(),
            retraced: OnceLock::new(),
        });
        let i = inner.clone();
        Self { call: A::boxed(move |args| i.call(args)), inner }
    }

    /// The same function under another float mode, compiled anew.
    pub fn float_mode(self, mode: FloatMode) -> Self {
        let (what, files, limits) = (self.inner.what, self.inner.files.clone(), self.inner.limits);
        let (inner, device) = (self.inner.clone(), self.inner.device.clone());
        Self::build(Box::new(move |a| (inner.f)(a)), what, mode, files, limits, device)
    }

    /// The same function, whose machine code is kept in a folder and taken from there by the next process: it is traced and
    /// optimized as ever, but not compiled again. Without this, the environment variable `WENGERT_CODE_CACHE` may
    /// name a folder for all functions.
    ///
    /// ```no_run
    /// use wengert::{CodeCache, Tensor, jit};
    /// let cache = CodeCache::open("target/code").expect("a folder of one's own");
    /// let f = jit(|x: Tensor| x.sin().sum()).code_cache(&cache);
    /// f(Tensor::from([1.0f32, 2.0]));
    /// println!("{} loaded, {} compiled", cache.loaded(), cache.stored());
    /// ```
    pub fn code_cache(self, cache: &CodeCache) -> Self {
        let (what, mode, limits) = (self.inner.what, self.inner.mode, self.inner.limits);
        let (inner, device) = (self.inner.clone(), self.inner.device.clone());
        Self::build(Box::new(move |a| (inner.f)(a)), what, mode, Some(cache.clone()), limits, device)
    }

    /// The same function, whose compilation and whose calls fail where they would pass these limits.
    ///
    /// ```
    /// use wengert::{Limits, Tensor, jit};
    /// let limits = Limits { max_memory: Some(1 << 20), ..Limits::default() };
    /// let f = jit(|x: Tensor| x.broadcast_to(&[1 << 30]).sin()).limits(limits);
    /// assert!(f.try_call((Tensor::from(1.0f32),)).unwrap_err().message().contains("--max-memory"));
    /// ```
    pub fn limits(self, limits: Limits) -> Self {
        let (what, mode, files) = (self.inner.what, self.inner.mode, self.inner.files.clone());
        let (inner, device) = (self.inner.clone(), self.inner.device.clone());
        Self::build(Box::new(move |a| (inner.f)(a)), what, mode, files, limits, device)
    }

    /// The same function, which runs on this device: arguments that are elsewhere on the host are copied there, and results stay there
    /// until they are read. Without this it runs where its arguments are.
    ///
    /// ```
    /// use wengert::{Device, Tensor, jit};
    /// let f = jit(|x: Tensor| &x * 2.0).on(&Device::cpu());
    /// assert_eq!(f(Tensor::from([1.0f32, 2.0])).to_vec::<f32>(), [2.0, 4.0]);
    /// ```
    pub fn on(self, device: &Device) -> Self {
        let (what, mode, files) = (self.inner.what, self.inner.mode, self.inner.files.clone());
        let (inner, limits) = (self.inner.clone(), self.inner.limits);
        Self::build(Box::new(move |a| (inner.f)(a)), what, mode, files, limits, Some(device.clone()))
    }

    /// The function for these arguments as tensor IR. Nothing is optimized yet.
    pub fn trace(&self, args: A) -> Result<Traced, Error> {
        self.inner.trace(&args).map(|(traced, ..)| traced)
    }

    /// Calls the function; what a plain call would panic with is an `Err` here.
    pub fn try_call(&self, args: A) -> Result<R, Error> {
        self.inner.try_call(args)
    }

    /// Compiles for the signature of `args`, so that later calls need no look-up and, with
    /// [`Prepared::call_into`], no memory.
    ///
    /// ```
    /// use wengert::{Tensor, grad, jit};
    /// let f = jit(grad(|x: Tensor| &x * &x));
    /// let x = (Tensor::from(3.0f64),);
    /// let prepared = f.prepare(&x).unwrap();
    /// let mut out = prepared.call(&x).unwrap();
    /// prepared.call_into(&x, &mut out).unwrap();
    /// assert_eq!(out.item::<f64>(), 6.0);
    /// ```
    pub fn prepare(&self, args: &A) -> Result<Prepared<A, R>, Error> {
        let entry = match self.inner.listed(args) {
            Some(entry) => entry.clone(),
            None => self.inner.find_or_compile(args)?,
        };
        Ok(Prepared::new(entry))
    }

    /// The program for these arguments, and the arguments that it takes: what it captured comes first.
    pub(crate) fn program(&self, args: &A) -> Result<(Traced, Vec<Tensor>), Error> {
        let (traced, mut all, _) = self.inner.trace(args)?;
        args.visit(&mut |t| all.push(t.clone()));
        Ok((traced, all))
    }

    /// How many signatures there are compiled programs for: of a function that is called with more and more, the first and the
    /// last 4096 are kept.
    pub fn compiled_signatures(&self) -> usize {
        self.inner.entries.count()
    }
}

/// What was compiled for one is compiled for its clones.
impl<A: Args, R: Tree> Clone for Jit<A, R> {
    fn clone(&self) -> Self {
        let inner = self.inner.clone();
        Jit { call: A::boxed(move |args| inner.call(args)), inner: self.inner.clone() }
    }
}

impl<A: Args, R: Tree> Deref for Jit<A, R> {
    type Target = A::Callable<R>;
    fn deref(&self) -> &Self::Target {
        &self.call
    }
}

impl<A: Args, R: Tree> Func<A> for Jit<A, R> {
    type Out = R;
    fn call_with(&self, args: A) -> R {
        self.inner.call(args)
    }
}

impl<A: Args, R: Tree> Inner<A, R> {
    fn call(&self, args: A) -> R {
        if is_tracing() {
            return self.call_traced(args);
        }
        match self.call_compiled(args) {
            Ok(out) => out,
            Err(e) => fail(e),
        }
    }

    fn try_call(&self, args: A) -> Result<R, Error> {
        if is_tracing() {
            return boundary(|| self.call_traced(args));
        }
        self.call_compiled(args)
    }

    fn call_compiled(&self, args: A) -> Result<R, Error> {
        #[cfg(feature = "gpu")]
        if let Some(device) = self.device_of(&args)? {
            self.refuse_placeholders(&args)?;
            return self.call_on(&device, &args);
        }
        match self.listed(&args) {
            Some(entry) => entry.run(args),
            None => {
                self.refuse_placeholders(&args)?;
                self.find_or_compile(&args)?.run(args)
            }
        }
    }

    /// Fails if an argument has a type and no elements.
    fn refuse_placeholders(&self, args: &A) -> Result<(), Error> {
        let (mut k, mut first) = (0, None);
        args.visit(&mut |t| {
            if t.is_placeholder() {
                first.get_or_insert(k);
            }
            k += 1;
        });
        let Some(k) = first else { return Ok(()) };
        let message = format!("`{}`: {}", args.leaf_names()[k], PLACEHOLDER);
        Err(Error::new(message, Some(self.what.at)).within(self.what))
    }

    /// The GPU that a call on these arguments runs on, if it runs on one.
    #[cfg(feature = "gpu")]
    fn device_of(&self, args: &A) -> Result<Option<Device>, Error> {
        if let Some(device) = &self.device {
            return Ok(Some(device.clone()).filter(|d| !d.is_cpu()));
        }
        let mut leaves = Vec::new();
        args.visit(&mut |t| leaves.push(t.clone()));
        crate::device::placement::of(&leaves).map_err(|e| e.or_at(self.what.at))
    }

    #[cfg(feature = "gpu")]
    fn call_on(&self, device: &Device, args: &A) -> Result<R, Error> {
        let known = {
            let entries = self.elsewhere.lock().unwrap_or_else(|e| e.into_inner());
            entries.iter().find(|(d, e)| d == device && e.signature.matches(args)).map(|(_, e)| e.clone())
        };
        let entry = match known {
            Some(entry) => entry,
            None => {
                // User code runs here, with no lock held.
                let (traced, captures, skeleton) = self.trace(args)?;
                let compiled = compile::compile_on(&traced, device)
                    .map_err(|e| e.or_at(self.what.at).within(self.what))?;
                let placeholder = Tensor::from(0.0f32);
                let skeleton = skeleton.map(&mut |_| placeholder.clone());
                let entry = Arc::new(Entry { signature: Signature::of(args), captures, compiled, skeleton });
                let mut entries = self.elsewhere.lock().unwrap_or_else(|e| e.into_inner());
                entries.push((device.clone(), entry.clone()));
                entry
            }
        };
        let mut all = entry.captures.clone();
        args.visit(&mut |t| all.push(t.clone()));
        let all: Vec<&Tensor> = all.iter().collect();
        let results = entry.compiled.run_there(&all).expect("it was compiled for a device");
        let mut results = results.map_err(|e| e.or_at(self.what.at))?.into_iter();
        Ok(entry.skeleton.map(&mut |_| results.next().expect("a result per leaf")))
    }

    /// The entry for these arguments, if it is one of the first that were compiled.
    #[inline]
    fn listed(&self, args: &A) -> Option<&Arc<Entry<R>>> {
        self.entries.first().find(|e| e.signature.matches(args))
    }

    /// The entry for these arguments, which is none of the first.
    fn find_or_compile(&self, args: &A) -> Result<Arc<Entry<R>>, Error> {
        match self.entries.other(args) {
            Some(entry) => Ok(entry),
            None => self.compile_once(args),
        }
    }

    fn compile_once(&self, args: &A) -> Result<Arc<Entry<R>>, Error> {
        let signature = Signature::of(args);
        let cell = {
            let mut pending = self.pending.lock().expect("no panic while locked");
            // Another thread may have compiled it between our look and our lock.
            if let Some(known) = self.listed(args).cloned().or_else(|| self.entries.other(args)) {
                return Ok(known);
            }
            match pending.iter().find(|(s, _)| *s == signature) {
                Some((_, cell)) => cell.clone(),
                None => {
                    let cell = Arc::new(OnceLock::new());
                    pending.push((signature.clone(), cell.clone()));
                    cell
                }
            }
        };
        // User code runs here, with no lock held but this signature's own.
        let result = cell.get_or_init(|| self.compile(args, signature.clone())).clone();
        let mut pending = self.pending.lock().expect("no panic while locked");
        pending.retain(|(s, _)| *s != signature);
        result
    }

    fn compile(&self, args: &A, signature: Signature) -> Result<Arc<Entry<R>>, Error> {
        let (traced, captures, skeleton) = self.trace(args)?;
        let compiled = compile::compile(traced, self.files.as_ref())
            .map_err(|e| e.or_at(self.what.at).within(self.what))?;
        let placeholder = Tensor::from(0.0f32);
        let skeleton = skeleton.map(&mut |_| placeholder.clone());
        let entry = Arc::new(Entry { signature, captures, compiled, skeleton });
        self.entries.push(entry.clone());
        if self.entries.count() > MANY_SIGNATURES
            && let Some(first) = self.entries.first().next()
            && self.retraced.set(()).is_ok()
        {
            warn_about_retracing(self.what, &first.signature, &entry.signature);
        }
        Ok(entry)
    }

    /// The traced program, what it captures, and its result tree.
    fn trace(&self, args: &A) -> Result<(Traced, Vec<Tensor>, R), Error> {
        if is_tracing() {
            let message = "a `jit` is traced or prepared inside another transform, where arguments have no values: call it there";
            return Err(Error::new(message, Some(self.what.at)).within(self.what));
        }
        // What is measured while it is traced is measured as it will be compiled.
        let in_mode = |args: A| {
            trace::with_module(|m| m.mode = self.mode);
            (self.f)(args)
        };
        let graph = boundary(|| record(self.what, args, &in_mode, false))?;
        let Graph { recorded, skeleton, .. } = graph;
        let Home::Own(module) = recorded.home else { unreachable!("nothing else is traced") };
        let mut module = *module;
        module.mode = self.mode;
        module.name = "jit".into();
        Ok((Traced::new(module, recorded.func).within(self.limits), recorded.captures, skeleton))
    }

    /// Inside another trace: the function is traced into a function of its own, and called.
    fn call_traced(&self, args: A) -> R {
        let graph = record(self.what, &args, &self.f, false);
        let mut operands = graph.recorded.captures.clone();
        args.visit(&mut |t| operands.push(t.clone()));
        let operands: SmallVec<[&Tensor; 8]> = operands.iter().collect();
        let results = trace::apply_at(Call { callee: graph.recorded.func }.into(), &operands, self.what.at);
        graph.tree(&results)
    }
}

/// Bytes of arguments.
type Slices<'a> = SmallVec<[&'a [u8]; 8]>;

/// Makes room for what does not fit inside: asking always costs a call some nanoseconds.
#[inline(always)]
fn reserve(all: &mut Slices<'_>, len: usize) {
    if len > all.inline_size() {
        all.reserve_exact(len);
    }
}

#[inline]
fn concrete_bytes(t: &Tensor) -> &[u8] {
    t.bytes().unwrap_or_default()
}

impl<R> Signed for Entry<R> {
    fn signature(&self) -> &Signature {
        &self.signature
    }
}

impl<R: Tree> Entry<R> {
    /// Runs it on arguments that nobody else will use through this handle: the memory of those that no other tensor shares goes
    /// to results where the program allows.
    fn run<A: Args>(&self, mut args: A) -> Result<R, Error> {
        let pairs = self.compiled.donations();
        let mut donated = Donated::new();
        if !pairs.is_empty() {
            let mut number = self.captures.len() as u32;
            args.visit_mut(&mut |t| {
                if let Some(&pair) = pairs.iter().find(|(argument, _)| *argument == number)
                    && let Some(bytes) = t.take_bytes()
                {
                    donated.push((pair, bytes));
                }
                number += 1;
            });
        }
        let mut all = Slices::new();
        reserve(&mut all, self.captures.len() + self.signature.leaves.len());
        self.captures.iter().for_each(|t| all.push(concrete_bytes(t)));
        args.visit(&mut |t| all.push(concrete_bytes(t)));
        let tree = |next: &mut dyn FnMut() -> Tensor| self.skeleton.map(&mut |_| next());
        self.compiled.run_donated(&all, &mut donated, tree)
    }

    /// The result tree for these arguments, captures first.
    #[inline]
    fn results(&self, args: &[&[u8]]) -> Result<R, Error> {
        self.compiled.run_bytes(args, |next| self.skeleton.map(&mut |_| next()))
    }
}

fn warn_about_retracing(what: What, old: &Signature, new: &Signature) {
    let change = old.leaves.iter().zip(&new.leaves).position(|(a, b)| a != b).map_or_else(
        || "the structure or a static argument changes".to_owned(),
        |k| format!("leaf {k} changes from {} to {}", old.leaves[k], new.leaves[k]),
    );
    let message = format_args!("{what} was compiled for more than {MANY_SIGNATURES} signatures: {change}");
    crate::warn::warn(message);
}
