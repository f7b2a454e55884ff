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

use super::Program;
use std::fmt;

pub use super::parse::parse;
pub use super::print::print;

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print(self))
    }
}
