//! The CPU backend: kernel IR to native code through Cranelift, and the runtime that the code calls.
//!
//! [`Executable::compile`] turns a [`wengert_ir::kernel::Program`] into one block of machine code whose
//! entry is the whole program; [`Executable::call`] runs it on byte buffers. Generated code never traps
//! and never unwinds: every routine of the runtime returns a status, which each caller forwards.
//!
//! Code is made of programs only that `wengert_ir::kernel::verify` shows to stay within their memory, whoever made them.

#![allow(
    unsafe_code,
    reason = "generated code reads and writes raw memory; every block states why it is sound"
)]

mod cache;
mod codegen;
mod executable;
mod loops;
mod options;
mod runtime;
#[doc(hidden)]
pub mod testing;
pub mod tile;

pub use cache::CodeCache;
pub use codegen::form::Form;
pub use codegen::object::{Calls, Cpu, ObjectFile, ObjectOptions, object};
pub use codegen::refusal::Refusal;
pub use codegen::survey::{Bound, LoopForm, Surveyed, survey};
pub use codegen::{asm, clif, fuses, machine_code, segmented, shared, tiled};
pub use executable::{CallLimits, Executable, RunError};
pub use options::{CompileError, Options, Wide};
pub use runtime::clock::Spent;
pub use runtime::pool::{on_threads, set_threads, threads};
pub use runtime::{Context, Status};
