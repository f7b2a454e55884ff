//! What a program may use: [`Limits`], one value that every stage is handed, from reading to running.
//!
//! All of them are counts, so that the same program is refused on every machine and at every time of day. Running is bounded only if
//! asked; compiling always is, because a small text can stand for a program that nobody could compile.
//!
//! # Steps
//!
//! A step is one instruction in the interpreter and in eager operations, or one trip of a loop of unknown length in compiled code, and one
//! more for every [`WORK`] elements that it reads, writes or computes with (the [`work`](Op::work) of the instruction; in compiled
//! code scalar operations). So an operation on 10⁹ elements is about 10⁶ steps.

use crate::entity::EntityVec;
use crate::func::{FuncId, Module};
use crate::op::Op;
use std::fmt;

/// Elements, or scalar operations, that count as one step.
pub const WORK: u64 = 1024;

/// How deep regions may nest where they are compiled, calls inlined. Derivatives of nested loops grow with the square of it.
pub const MAX_NESTING: u32 = 128;

/// What a program may use. `None` is no bound, or the one built in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Limits {
    /// Bytes: of tensors at one time, constants included.
    pub max_memory: Option<u64>,
    /// Steps of a run; see the [module](self).
    pub max_steps: Option<u64>,
    /// Instructions of the program, with what its calls and regions stand for, at every stage of compilation; if not said,
    /// [`Limits::GROWTH`] times those that are written, or [`Limits::INSTRUCTIONS`] if that is more.
    pub max_instructions: Option<u64>,
}

impl Limits {
    /// Instructions that any program may stand for if nothing else is said: some seconds of compilation.
    pub const INSTRUCTIONS: u64 = 1 << 16;
    /// Instructions that a longer program may stand for, for each one that is written.
    pub const GROWTH: u64 = 16;
    /// Instructions of kernels, most of them scalar, for each instruction of tensors.
    pub const KERNEL: u64 = 16;

    /// Instructions that a program, and what is made of it, may stand for.
    pub fn instructions(&self, module: &Module, func: FuncId) -> u64 {
        self.max_instructions.unwrap_or_else(|| {
            Extent::of(module, func).written.saturating_mul(Self::GROWTH).max(Self::INSTRUCTIONS)
        })
    }

    /// Fails if a program stands for more than may be compiled; gives the number of instructions that what is made of it may
    /// stand for.
    pub fn check(&self, module: &Module, func: FuncId) -> Result<u64, Exceeded> {
        let limit = self.instructions(module, func);
        check(module, func, limit)?;
        Ok(limit)
    }
}

/// Fails if a function stands for more than `limit` instructions, or nests too deep.
pub fn check(module: &Module, func: FuncId, limit: u64) -> Result<(), Exceeded> {
    let extent = Extent::of(module, func);
    if extent.nesting > MAX_NESTING {
        return Err(Exceeded::Nesting(extent.nesting));
    }
    if extent.instructions > limit {
        return Err(Exceeded::Instructions { needed: extent.instructions, limit });
    }
    Ok(())
}

/// Regions may nest this deep on any thread's stack.
const SHALLOW: u32 = 16;

/// Bytes of stack for each level of regions; they are taken only as they are used.
const STACK_PER_LEVEL: usize = 1 << 20;

/// Runs work that recurses over the regions of a program which nest so deep ([`Extent::nesting`]), on a stack of its own where that of
/// a small thread may not do.
///
/// # Errors
///
/// No stack is to be had.
pub fn on_stack<R: Send>(nesting: u32, work: impl FnOnce() -> R + Send) -> std::io::Result<R> {
    if nesting <= SHALLOW {
        return Ok(work());
    }
    let size = nesting.min(MAX_NESTING) as usize * STACK_PER_LEVEL;
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(size).spawn_scoped(scope, work)?;
        Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// Which limit compilation would pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exceeded {
    /// More instructions than may be.
    Instructions {
        /// With what calls and regions stand for.
        needed: u64,
        /// How many may be.
        limit: u64,
    },
    /// More instructions of kernels than [`Limits::KERNEL`] for each instruction.
    Kernel {
        /// How many may be.
        limit: u64,
    },
    /// An expression that cannot be cut has more values, each at an index of its own.
    Expression {
        /// How many may be.
        limit: u64,
    },
    /// More bytes of intermediate values than have addresses.
    Addresses,
    /// Regions nest deeper than [`MAX_NESTING`].
    Nesting(u32),
}

impl fmt::Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exceeded::Instructions { needed: u64::MAX, limit } => write!(
                f,
                "the program stands for more instructions than can be counted, its calls inlined; at most {limit} are compiled \
                 (--max-instructions)"
            ),
            Exceeded::Instructions { needed, limit } => write!(
                f,
                "the program stands for {needed} instructions, its calls inlined; at most {limit} are compiled (--max-instructions)"
            ),
            Exceeded::Kernel { limit } => write!(
                f,
                "the program becomes more than {limit} instructions of kernels; a larger --max-instructions allows {} for each",
                Limits::KERNEL
            ),
            Exceeded::Expression { limit } => {
                write!(
                    f,
                    "one expression of the program reads more than {limit} values, each at an index of its own"
                )
            }
            Exceeded::Addresses => f.write_str("the program needs more bytes than have addresses"),
            Exceeded::Nesting(depth) => write!(
                f,
                "loops and branches nest {depth} deep, those of functions called in them included; at most {MAX_NESTING} are compiled"
            ),
        }
    }
}

impl std::error::Error for Exceeded {}

/// How large a function is when everything that it refers to stands in its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Extent {
    /// Its instructions; it stays at the largest number.
    pub instructions: u64,
    /// Instructions of the functions that it reaches, each once.
    pub written: u64,
    /// How deep its regions nest, once calls are inlined.
    pub nesting: u32,
}

impl Extent {
    /// Of a function of a module that does not reach itself. Without recursion.
    pub fn of(module: &Module, func: FuncId) -> Self {
        let mut known = EntityVec::<FuncId, Option<Self>>::filled(None, module.funcs.len());
        let (mut work, mut written) = (vec![(func, false)], 0);
        while let Some((id, ready)) = work.pop() {
            if known[id].is_some() {
                continue;
            }
            let insts = module.funcs[id].insts.values();
            if !ready {
                work.push((id, true));
                work.extend(
                    insts.flat_map(|i| i.op.callees()).filter(|&c| known[c].is_none()).map(|c| (c, false)),
                );
                continue;
            }
            let mut extent = Self::default();
            written += module.funcs[id].insts.len() as u64;
            for inst in insts {
                extent.instructions = extent.instructions.saturating_add(1);
                let inlined = matches!(inst.op, Op::Call(_) | Op::Composite(_));
                for callee in inst.op.callees() {
                    let inner = known[callee].expect("callees come first");
                    extent.instructions = extent.instructions.saturating_add(inner.instructions);
                    extent.nesting = extent.nesting.max(inner.nesting + u32::from(!inlined));
                }
            }
            known[id] = Some(extent);
        }
        Self { written, ..known[func].expect("the last one") }
    }
}
