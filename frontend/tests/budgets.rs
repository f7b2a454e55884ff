//! Memory budgets: plans, figures, and programs nobody tuned for.

mod common;
mod memory_budget;
mod memory_figures;
mod memory_held_out;
