//! Compiled programs and how they are called.

use crate::cache::CodeCache;
use crate::codegen;
use crate::options::{CompileError, Options};
use crate::runtime::buffer::{self, Buffer, GUARDED};
use crate::runtime::clock::{self, Spent};
use crate::runtime::data::Data;
use crate::runtime::pool::InCall;
use crate::runtime::reference;
use crate::runtime::{Context, Status};
use cranelift_jit::JITModule;
use smallvec::SmallVec;
use std::fmt;
use std::sync::Mutex;
use wengert_ir::kernel::{KOp, Place, Program};
use wengert_ir::rules::Raised;

/// What the largest element needs.
const NEEDED_ALIGN: usize = 8;

/// The ABI of generated code: `(context, arguments, results, scratch) -> status`.
type Entry = unsafe extern "C" fn(*mut Context, *const *const u8, *const *mut u8, *mut u8) -> i32;

/// Why a call failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunError {
    /// Another number of arguments or results than the program has.
    Count {
        /// `"arguments"` or `"results"`.
        what: &'static str,
        /// How many the program has.
        expected: usize,
        /// How many were given.
        given: usize,
    },
    /// An argument or result of another length than the program needs.
    Length {
        /// `"argument"` or `"result"`.
        what: &'static str,
        /// Which one.
        number: usize,
        /// Bytes that the program needs.
        expected: usize,
        /// Bytes that were given.
        given: usize,
    },
    /// The memory limit was reached or the machine has no more memory.
    Memory,
    /// The limit on steps was reached.
    Steps,
    /// A routine of the runtime panicked: a bug.
    Panic,
    /// An operation of the program cannot be executed, and why.
    Refused(String),
    /// The program stopped itself: an assertion, a check, or a function of the host that failed.
    Raised(Box<Raised>),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Count { what, expected, given } => write!(f, "{expected} {what} needed, {given} given"),
            RunError::Length { what, number, expected, given } => {
                write!(f, "{what} {number} has {expected} bytes, {given} given")
            }
            RunError::Memory => f.write_str("out of memory"),
            RunError::Steps => f.write_str("more steps than the limit"),
            RunError::Refused(why) => write!(f, "not executable: {why}"),
            RunError::Raised(raised) => raised.fmt(f),
            RunError::Panic => f.write_str("a routine of the runtime panicked (this is a bug)"),
        }
    }
}

impl std::error::Error for RunError {}

/// What a call may use; after it, what is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallLimits {
    /// Steps, if the program was compiled with [`Options::count_steps`].
    pub max_steps: u64,
    /// Bytes that growing stacks may take, and values of operations that the reference interpreter computes.
    pub max_stack_memory: u64,
}

impl Default for CallLimits {
    fn default() -> Self {
        Self { max_steps: u64::MAX, max_stack_memory: u64::MAX }
    }
}

/// A program in machine code. Its code memory is freed when it is dropped.
pub struct Executable {
    entry: Entry,
    /// Taken when dropped. The mutex only makes it shareable; nothing locks it.
    module: Mutex<Option<JITModule>>,
    data: Data,
    has_stacks: bool,
    /// Whether it has work for several threads.
    shares_work: bool,
    args: Vec<usize>,
    results: Vec<usize>,
    scratch: usize,
    code_size: usize,
    donations: Vec<(u32, u32)>,
}

impl fmt::Debug for Executable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Executable")
            .field("args", &self.args)
            .field("results", &self.results)
            .field("scratch", &self.scratch)
            .field("code_size", &self.code_size)
            .finish_non_exhaustive()
    }
}

// SAFETY: code and data are read-only while an executable lives, and calls share nothing else.
unsafe impl Send for Executable {}
// SAFETY: as above.
unsafe impl Sync for Executable {}

impl Drop for Executable {
    fn drop(&mut self) {
        let module = self.module.get_mut().unwrap_or_else(|e| e.into_inner()).take();
        if let Some(module) = module {
            // SAFETY: calls borrow the executable, so none is in progress, and no pointer to the code leaves it.
            unsafe { module.free_memory() }
        }
    }
}

impl Executable {
    /// Compiles a program for this machine.
    pub fn compile(program: &Program, options: &Options) -> Result<Executable, CompileError> {
        Self::compile_cached(program, options, None)
    }

    /// Compiles a program for this machine, unless the cache has its code.
    pub fn compile_cached(
        program: &Program,
        options: &Options,
        cache: Option<&CodeCache>,
    ) -> Result<Executable, CompileError> {
        crate::runtime::keep_freed_memory();
        let compiled = codegen::compile(program, options, cache)?;
        // SAFETY: the entry kernel was compiled with this signature in the platform's C calling convention.
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(compiled.entry) };
        Ok(Executable {
            entry,
            module: Mutex::new(Some(compiled.module)),
            has_stacks: program.mems.values().any(|m| m.place == Place::Stack),
            shares_work: shares_work(program),
            data: compiled.data,
            args: program.params.iter().map(|t| t.bytes()).collect(),
            results: program.results.iter().map(|t| t.bytes()).collect(),
            scratch: program.scratch,
            code_size: compiled.code_size,
            donations: compiled.donations,
        })
    }

    /// Bytes of machine code.
    pub fn code_size(&self) -> usize {
        self.code_size
    }

    /// Bytes of each argument.
    pub fn arg_bytes(&self) -> &[usize] {
        &self.args
    }

    /// Bytes of each result.
    pub fn result_bytes(&self) -> &[usize] {
        &self.results
    }

    /// Arguments with the result that may have their memory: [`Executable::call_donating`]. Each argument and each result
    /// occurs once at most.
    pub fn donations(&self) -> &[(u32, u32)] {
        &self.donations
    }

    /// Runs the program. Arguments that are not 8-byte aligned are copied first, such results afterwards;
    /// large ones are fastest 64-byte aligned.
    pub fn call(&self, args: &[&[u8]], results: &mut [&mut [u8]]) -> Result<(), RunError> {
        self.call_limited(args, results, &mut CallLimits::default())
    }

    /// Runs the program under limits.
    #[inline]
    pub fn call_limited(
        &self,
        args: &[&[u8]],
        results: &mut [&mut [u8]],
        limits: &mut CallLimits,
    ) -> Result<(), RunError> {
        self.call_donating(args, results, &[], limits)
    }

    /// Runs the program. Arguments of the pairs in `donated`, which are some of [`Executable::donations`], lie in the memory of
    /// their result and are overwritten by it; what `args` has in their place is not looked at.
    ///
    /// # Panics
    /// If a pair is none of those.
    pub fn call_donating(
        &self,
        args: &[&[u8]],
        results: &mut [&mut [u8]],
        donated: &[(u32, u32)],
        limits: &mut CallLimits,
    ) -> Result<(), RunError> {
        let fits = |(&expected, found): (&usize, &[u8])| found.len() == expected && aligned(found.as_ptr());
        if !GUARDED
            && donated.is_empty()
            && args.len() == self.args.len()
            && results.len() == self.results.len()
            && self.args.iter().zip(args.iter().copied()).all(fits)
            && self.results.iter().zip(results.iter().map(|r| &**r)).all(fits)
        {
            let (mut from, mut to) = (SmallVec::<[*const u8; 8]>::new(), SmallVec::<[*mut u8; 8]>::new());
            // Few are neither collected nor given room for: each is a call of some nanoseconds.
            if args.len().max(results.len()) > from.inline_size() {
                from.reserve_exact(args.len());
                to.reserve_exact(results.len());
            }
            args.iter().for_each(|a| from.push(a.as_ptr()));
            results.iter_mut().for_each(|r| to.push(r.as_mut_ptr()));
            // SAFETY: there is a pointer per argument and result, to as many bytes as the program's type has, aligned (checked
            // above), borrowed for the call; result slices are exclusive, so they overlap nothing.
            return unsafe { self.run(&from, &to, limits) };
        }
        self.call_copying(args, results, donated, limits)
    }

    /// Runs a program whose `sections` are marked ([`survey`](crate::survey)), and gives the time spent in each, what measuring
    /// takes not included.
    pub fn call_measured(
        &self,
        args: &[&[u8]],
        results: &mut [&mut [u8]],
        sections: usize,
    ) -> Result<Vec<Spent>, RunError> {
        let (done, mut spent) = clock::measured(sections, || self.call(args, results));
        done?;
        let each = clock::overhead();
        for section in &mut spent {
            section.time = section.time.saturating_sub(each * section.times.min(u64::from(u32::MAX)) as u32);
        }
        Ok(spent)
    }

    /// The same where memory has to be copied or is shared, and where the reason of a refusal has to be found.
    #[inline(never)]
    fn call_copying(
        &self,
        args: &[&[u8]],
        results: &mut [&mut [u8]],
        donated: &[(u32, u32)],
        limits: &mut CallLimits,
    ) -> Result<(), RunError> {
        assert!(
            donated.iter().all(|pair| self.donations.contains(pair)),
            "no argument of this program to donate"
        );
        count("arguments", self.args.len(), args.len())?;
        count("results", self.results.len(), results.len())?;
        let mut copies: SmallVec<[Buffer; 0]> = SmallVec::new();
        let mut unaligned: SmallVec<[(usize, Buffer); 0]> = SmallVec::new();
        let mut arg_pointers: SmallVec<[*const u8; 8]> = SmallVec::new();
        for (number, (&expected, arg)) in self.args.iter().zip(args).enumerate() {
            if !donated.is_empty() && donated.iter().any(|&(argument, _)| argument as usize == number) {
                // That of its result, below.
                arg_pointers.push(std::ptr::null());
                continue;
            }
            length("argument", number, expected, arg.len())?;
            if !GUARDED && aligned(arg.as_ptr()) {
                arg_pointers.push(arg.as_ptr());
            } else {
                let mut copy = buffer::take_for_elements(expected).ok_or(RunError::Memory)?;
                copy.copy_from_slice(arg);
                arg_pointers.push(copy.as_ptr());
                copies.push(copy);
            }
        }
        let mut result_pointers: SmallVec<[*mut u8; 8]> = SmallVec::new();
        for (number, (&expected, result)) in self.results.iter().zip(results.iter_mut()).enumerate() {
            length("result", number, expected, result.len())?;
            if !GUARDED && aligned(result.as_ptr()) {
                result_pointers.push(result.as_mut_ptr());
            } else {
                let mut copy = buffer::take_for_elements(expected).ok_or(RunError::Memory)?;
                if !donated.is_empty() {
                    copy.copy_from_slice(result);
                }
                result_pointers.push(copy.as_mut_ptr());
                unaligned.push((number, copy));
            }
        }
        for &(argument, result) in donated {
            arg_pointers[argument as usize] = result_pointers[result as usize];
        }
        // SAFETY: there is a pointer per argument and result; each points to as many bytes as the program's type has
        // (checked above), aligned, borrowed for the call; result slices are exclusive, so they overlap nothing but the
        // arguments donated to them, of the same length, which the program reads before it writes there.
        unsafe { self.run(&arg_pointers, &result_pointers, limits)? }
        for (number, copy) in &unaligned {
            let len = results[*number].len();
            results[*number].copy_from_slice(&copy[..len]);
        }
        Ok(())
    }

    /// # Safety
    /// One pointer per argument and result, to readable respectively writable memory of the lengths the program has,
    /// 8-byte aligned; results overlap nothing but what [`Executable::donations`] allows.
    unsafe fn run(
        &self,
        args: &[*const u8],
        results: &[*mut u8],
        limits: &mut CallLimits,
    ) -> Result<(), RunError> {
        let mut stacks = if self.has_stacks { self.data.stacks() } else { Vec::new() };
        let mut context =
            Context { stacks: stacks.as_mut_ptr(), steps: limits.max_steps, memory: limits.max_stack_memory };
        let mut scratch = match self.scratch {
            0 => None,
            bytes => Some(buffer::take(bytes).ok_or(RunError::Memory)?),
        };
        let scratch = scratch.as_mut().map_or(std::ptr::null_mut(), |s| s.as_mut_ptr());
        let _in_call = self.shares_work.then(InCall::begin);
        // SAFETY: the contract of this function; context, stacks and scratch live through the call.
        let status = unsafe { (self.entry)(&mut context, args.as_ptr(), results.as_ptr(), scratch) };
        *limits = CallLimits { max_steps: context.steps, ..*limits };
        match status {
            s if s == Status::Ok as i32 => Ok(()),
            s if s == Status::Memory as i32 => Err(RunError::Memory),
            s if s == Status::Steps as i32 => Err(RunError::Steps),
            s if s == Status::Raised as i32 => Err(RunError::Raised(Box::new(reference::take_raised()))),
            s if s == Status::Refused as i32 => Err(RunError::Refused(reference::take_failure())),
            _ => Err(RunError::Panic),
        }
    }
}

fn shares_work(program: &Program) -> bool {
    let mut shares = false;
    for kernel in program.kernels.values() {
        kernel.body.visit(&mut |inst| shares |= matches!(inst.op, KOp::Parallel { .. } | KOp::Library(_)));
    }
    shares
}

fn count(what: &'static str, expected: usize, given: usize) -> Result<(), RunError> {
    if expected == given { Ok(()) } else { Err(RunError::Count { what, expected, given }) }
}

fn length(what: &'static str, number: usize, expected: usize, given: usize) -> Result<(), RunError> {
    if expected == given { Ok(()) } else { Err(RunError::Length { what, number, expected, given }) }
}

fn aligned(pointer: *const u8) -> bool {
    pointer.addr().is_multiple_of(NEEDED_ALIGN)
}
