//! The mathematics of each operation, one family per file.

mod batch_norm;
pub mod batching;
pub mod check;
mod collective;
mod control;
mod convolution;
mod create;
mod custom;
mod custom_call;
pub mod decomposition;
mod dot;
mod dynamic;
pub mod effects;
mod elementwise;
mod fft;
mod foreign;
mod gather;
mod implicit;
pub(crate) mod linalg;
mod map;
pub mod reduce;
mod reduce_window;
mod rng;
mod rng_of_batches;
mod scatter;
mod scatter_loop;
mod select_and_scatter;
mod shape;
mod sketch;
mod sliding;
pub mod sort;
mod sort_keys;
mod strided;
mod window_selection;
mod windows;

use crate::op::Op;
use crate::rules::OpDef;
pub use dot::arithmetic;
pub use elementwise::convert;
pub use sliding::Slide;
pub use windows::Starts;

macro_rules! definitions {
    ($($name:ident $text:literal { $($field:ident)* })+) => {
        impl Op {
            /// The operation's rules.
            pub fn def(&self) -> &dyn OpDef {
                match self { Op::Unary(op) => op, Op::Binary(op) => op, $(Op::$name(op) => op),+ }
            }
        }
    };
}
structured_ops!(definitions);
