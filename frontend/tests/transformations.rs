//! Derivatives, batches, loops and their compositions.

mod as_jax;
mod batched_residuals;
mod carried_in_place;
mod checkpoint;
mod collectives;
mod collectives_held_out;
mod common;
mod compositions;
mod control;
mod control_random;
mod conventions;
mod custom;
mod custom_rules;
mod debug_nans;
mod decisions;
mod hessians;
mod implicit;
mod implicit_held_out;
mod in_vain;
mod jacobians;
mod jets;
mod jets_held_out;
mod random_batches;
mod sparse;
mod transforms;
mod vmap;
