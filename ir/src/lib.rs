//! The intermediate representations of Wengert: the tensor IR, whose operations are StableHLO's, and
//! the kernel IR that backends compile; their text, verifiers and reference interpreters.
//!
//! Of the project this crate depends on `wengert-libraries` alone, which holds other crates' mathematics.

pub mod array;
pub mod bytecode;
pub mod bytes;
pub mod complex;
pub mod display;
pub mod entity;
pub mod func;
pub mod host;
pub mod interface;
pub mod interp;
pub mod kernel;
pub mod limits;
pub mod math;
pub mod minifloat;
pub mod npy;
#[macro_use]
pub mod op;
pub mod ops;
pub mod place;
pub mod printed;
pub mod replay;
pub mod rules;
pub mod sharding;
#[doc(hidden)]
pub mod testing;
pub mod text;
pub mod types;
pub mod verify;
pub mod work;
