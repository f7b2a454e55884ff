//! The passes of Wengert: derivatives, structural simplification, equality saturation, fusion and
//! lowering. Each is a function from plain data to plain data; none edits a function in place.

mod accumulate;
pub mod ad;
pub mod batch;
pub mod budget;
pub mod checks;
mod contract;
mod convolution;
pub mod cost;
pub mod cost_report;
mod cse;
pub mod dce;
mod denormal_flushing;
mod distribute;
pub mod effects;
pub mod egraph;
pub mod error;
mod expansion;
mod hoist;
pub mod inline;
mod intern;
mod layout;
pub mod legalize;
pub mod lower;
mod matvec;
pub mod pipeline;
mod pushdown;
pub mod raise;
pub mod refine;
mod rewrite;
pub mod rules;
mod sink;
pub mod sparsity;
pub mod spmd;
mod structure;
#[doc(hidden)]
pub mod testing;
pub mod tokens;
mod total;
