//! Text of the kernel IR, in the style of MLIR's `func`, `scf`, `memref`, `arith`, `math` and `gpu` dialects.
//!
//! A program shows its memory first, then its kernels; a kernel shows its memrefs first, then its
//! instructions. Of a program that passes the verifier nothing is lost: `parse(print(p)) == p`.
//!
//! ```text
//! program @sum(tensor<1000xf64>) -> (tensor<f64>) mode default scratch 0 entry @main {
//!   mem0 = param 0 : memref<1000xf64>
//!   mem1 = result 0 : memref<f64>
//!   func @main() {
//!     %m0 = program mem0 : memref<1000xf64>
//!     %m1 = program mem1 : memref<1xf64>
//!     %0 = arith.constant 0.0 : f64
//!     %1 = scf.for %2 = 0 to 1000 step 1 iter(%3 = %0) -> (f64) {
//!       %4 = memref.load %m0[%2] : f64
//!       %5 = arith.addf %3, %4 : f64
//!       scf.yield %5
//!     }
//!     memref.store %1, %m1[0] : f64
//!   }
//! }
//! ```
//!
//! A launch, and what is in launched kernels only:
//!
//! ```text
//! gpu.launch @kernel_0 blocks(%n, 1, 1) threads(256, 1, 1) (%m0[0], %m1[0]; %s)
//!
//! %m3 = workgroup : memref<256xf32>
//! %0 = gpu.thread_id x : i64
//! %1 = gpu.block_id x : i64
//! gpu.barrier
//! %3 = gpu.shuffle xor %2, 8 : f32
//! ```
//!
//! Names of values may be any word after `%`; numbers that are dense are kept as they are.

use super::{Axis, Combine, KBinary, KCast, KUnary, Program, Scalar};
use crate::types::FloatMode;
use std::fmt;

pub use super::parse::parse;
pub use super::print::print;

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print(self))
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(spell(SCALARS, *self))
    }
}

/// A closed set with the spelling of each member.
type Words<T> = &'static [(T, &'static str)];

/// The spelling of a member.
pub(super) fn spell<T: PartialEq>(words: Words<T>, member: T) -> &'static str {
    words.iter().find(|w| w.0 == member).expect("every member has a spelling").1
}

/// The member of this spelling.
pub(super) fn read<T: Copy>(words: Words<T>, text: &str) -> Option<T> {
    words.iter().find(|w| w.1 == text).map(|w| w.0)
}

pub(super) const SCALARS: Words<Scalar> = &[
    (Scalar::F64, "f64"),
    (Scalar::F32, "f32"),
    (Scalar::I64, "i64"),
    (Scalar::I32, "i32"),
    (Scalar::I16, "i16"),
    (Scalar::I8, "i8"),
    (Scalar::I1, "i1"),
];

pub(super) const MODES: Words<FloatMode> =
    &[(FloatMode::Exact, "exact"), (FloatMode::Default, "default"), (FloatMode::Relaxed, "relaxed")];

pub(super) const COMBINES: Words<Combine> = &[
    (Combine::Add, "add"),
    (Combine::Mul, "mul"),
    (Combine::Min, "min"),
    (Combine::Max, "max"),
    (Combine::MinU, "minui"),
    (Combine::MaxU, "maxui"),
    (Combine::And, "and"),
    (Combine::Or, "or"),
    (Combine::Xor, "xor"),
];

pub(super) const AXES: Words<Axis> = &[(Axis::X, "x"), (Axis::Y, "y"), (Axis::Z, "z")];

pub(super) const CASTS: Words<KCast> = &[
    (KCast::Signed, "arith.cast_signed"),
    (KCast::Unsigned, "arith.cast_unsigned"),
    (KCast::Bits, "arith.bitcast"),
];

/// Names of operations of integers; those of floats that differ are in [`FLOAT_UNARY`].
pub(super) const UNARY: Words<KUnary> = &[
    (KUnary::Neg, "arith.negi"),
    (KUnary::Abs, "math.absi"),
    (KUnary::Sqrt, "math.sqrt"),
    (KUnary::Floor, "math.floor"),
    (KUnary::Ceil, "math.ceil"),
    (KUnary::Nearest, "math.roundeven"),
    (KUnary::Not, "arith.noti"),
    (KUnary::Popcnt, "math.ctpop"),
    (KUnary::Clz, "math.ctlz"),
];

pub(super) const FLOAT_UNARY: Words<KUnary> = &[(KUnary::Neg, "arith.negf"), (KUnary::Abs, "math.absf")];

/// Names of operations of integers; those of floats that differ are in [`FLOAT_BINARY`].
pub(super) const BINARY: Words<KBinary> = &[
    (KBinary::Add, "arith.addi"),
    (KBinary::Sub, "arith.subi"),
    (KBinary::Mul, "arith.muli"),
    (KBinary::Div, "arith.divsi"),
    (KBinary::DivU, "arith.divui"),
    (KBinary::Rem, "arith.remsi"),
    (KBinary::RemU, "arith.remui"),
    (KBinary::Min, "arith.minsi"),
    (KBinary::MinU, "arith.minui"),
    (KBinary::Max, "arith.maxsi"),
    (KBinary::MaxU, "arith.maxui"),
    (KBinary::And, "arith.andi"),
    (KBinary::Or, "arith.ori"),
    (KBinary::Xor, "arith.xori"),
    (KBinary::Shl, "arith.shli"),
    (KBinary::Shr, "arith.shrsi"),
    (KBinary::ShrU, "arith.shrui"),
    (KBinary::NextAfter, "chlo.next_after"),
];

pub(super) const FLOAT_BINARY: Words<KBinary> = &[
    (KBinary::Add, "arith.addf"),
    (KBinary::Sub, "arith.subf"),
    (KBinary::Mul, "arith.mulf"),
    (KBinary::Div, "arith.divf"),
    (KBinary::Rem, "arith.remf"),
    (KBinary::Min, "arith.minimumf"),
    (KBinary::Max, "arith.maximumf"),
];

/// The name of an operation whose spelling depends on whether it is of floats.
pub(super) fn spell_for<T: PartialEq + Copy>(
    floats: Words<T>,
    others: Words<T>,
    is_float: bool,
    op: T,
) -> &'static str {
    let special = floats.iter().find(|w| is_float && w.0 == op);
    special.map_or_else(|| spell(others, op), |w| w.1)
}
