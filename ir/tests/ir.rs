//! Text, attributes and values of operations.

mod attributes;
mod bytecode_operations;
mod constraints;
mod host_names;
mod ragged_dot;
mod refusals;
mod scan;
mod sharding;
mod sizes;
mod text_corpus;
mod text_extended;
mod text_forms;
mod work;
