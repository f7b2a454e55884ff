//! Passes, each against the reference interpreter, and what they make of the corpus.

mod batching;
mod control_flow;
mod corpus;
mod denormal_flushing;
mod distribute;
mod effects;
mod effects_inside;
mod examples_behind;
mod hoist;
mod jax_rules;
mod layout;
mod matvec;
mod pushdown;
mod raise;
mod refine;
mod rounding;
mod straight_line;
mod support;
mod text;
mod updates_of_zeros;
mod windows;
