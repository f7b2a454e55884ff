//! PTX text of the kernels that a program launches.
//!
//! The target is `sm_75` (Turing): the oldest that every assembler and driver since CUDA 10 takes, CUDA 13's included, and what
//! is printed needs nothing newer; drivers translate it for newer GPUs. Every operation rounds to nearest even and keeps
//! subnormals, nothing is contracted, no instruction is approximate, and where PTX leaves a result open (division by zero, NaN
//! made an integer, the minimum of a NaN) the printer spells out what `wengert_ir::kernel::scalar` says. So bits are the
//! kernel interpreter's, but for sign and payload of a NaN that is computed.
//!
//! How to read it: `%r` are registers of 32 bits, which also hold narrower integers with zeros above, `%q` of 64, `%p` truth
//! values; the number is that of the kernel's value, so that kernel text and PTX can be read side by side.

mod access;
mod casts;
mod control;
pub mod interp;
mod print;
mod scalar;

pub use print::{Entry, Module, entry_text, module};

/// What a register can hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    /// A truth value.
    Pred,
    /// 32 bits.
    Word,
    /// 64 bits.
    Quad,
}
