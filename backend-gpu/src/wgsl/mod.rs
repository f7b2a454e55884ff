//! WGSL text of the kernels that a program launches.
//!
//! WGSL promises little about floats, so bits are those of the kernel interpreter only where a device rounds as IEEE says,
//! as Mesa's software Vulkan does; elsewhere results are held to a bound. Compilers may take sums apart and contract
//! products; every sum, product and quotient therefore passes through an exclusive or with a zero that they do not know.
//! What is known to be wrong somewhere is avoided: built-in functions of `f64`, `fma` where it is not fused, minima and comparisons of NaN, conversions out of
//! range. Infinity and NaN are made from bits with a zero that the compiler does not know.
//!
//! Integers of 32 bits and less are `u32` with zeros above, those of 64 are `i64`; kernels count in 64 bits, so a device needs
//! them ([`needs`]). Narrow integers lie packed in words, and are stored by atomic operations on the word. Each memory is
//! a binding of its own; `args` holds the first block of this part of the grid, a zero, and then where each memory begins, in bytes, and
//! two words for each scalar.

mod access;
mod control;
mod print;
mod scalar;

pub use print::{Shader, module};

use wengert_ir::kernel::{Block, Kernel, Scalar};

/// What a device must have to run a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Needs {
    /// Floats of 64 bits.
    pub f64: bool,
    /// Integers of 64 bits.
    pub i64: bool,
}

/// What a kernel needs.
pub fn needs(kernel: &Kernel) -> Needs {
    fn defines(block: &Block, kernel: &Kernel, ty: Scalar) -> bool {
        let has = |v| kernel.values[v] == ty;
        block.params.iter().any(|&v| has(v))
            || block.insts.iter().any(|inst| {
                inst.results.iter().any(|&v| has(v)) || inst.op.blocks().any(|b| defines(b, kernel, ty))
            })
    }
    let any = |ty| kernel.mems.values().any(|m| m.elem == ty) || defines(&kernel.body, kernel, ty);
    Needs { f64: any(Scalar::F64), i64: any(Scalar::I64) }
}
