//! Programs between the steps of the compiler, as data: [`Traced`] tensor IR with its limits, and [`Lowered`] loops. What is done with
//! them is in `compile` and, for users, in [`stages`](crate::stages).

use crate::entry::as_program;
use std::fmt;
use std::time::Duration;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::kernel::Program;
use wengert_ir::limits::Limits;
use wengert_ir::text;
use wengert_ir::types::{TensorType, Type};
use wengert_passes::checks::Hoisted;
use wengert_passes::lower;

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
    pub(crate) fn made(&self, module: Module, func: FuncId) -> Self {
        Self::new(module, func).within(self.limits)
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

    /// The text, with source locations if asked for.
    pub fn text(&self, locations: bool) -> String {
        text::print(&self.module, &text::PrintOptions { locations, plain: false })
    }
}

impl fmt::Display for Traced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(false))
    }
}

fn tensors(types: &[Type]) -> Vec<TensorType> {
    types.iter().map(|t| t.tensor().clone()).collect()
}

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
    pub(crate) program: Program,
    pub(crate) stats: lower::Stats,
    pub(crate) sources: lower::Sources,
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
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// How long each pass took, in order.
    pub fn timings(&self) -> &[Timing] {
        &self.timings
    }
}

impl fmt::Display for Lowered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.program.fmt(f)
    }
}
