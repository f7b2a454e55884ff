//! What operations cost, and what machines are good at: the one place that knows. Pure. Bounds of a pass's own effort stand with
//! the pass.
//!
//! [`operations`] counts what fused elements cost, in vectorized arithmetic operations on one element. A [`Target`] says what a kind
//! of machine is good at: registers, tiles, pieces, threads; its [`Rates`] what things take, in picoseconds and bytes, and from which
//! sizes on a pass pays, most with the measurement, which the program `calibrate` of the benches repeats. [`decisions`] are what
//! passes ask: store or compute again. [`extraction`] prices operations where equal programs are compared.

mod decisions;
mod extraction;
mod operations;
mod rates;
mod target;

pub(crate) use extraction::bytes;
pub use extraction::cost;
pub(crate) use operations::{DIVIDE, MATH, arithmetic, is_expensive, narrow_conversion, scalar_instructions};
pub(crate) use rates::TRIPS;
pub use rates::{Level, Rates, Sizes};
pub use target::{Device, InPlace, Target, Turned};
