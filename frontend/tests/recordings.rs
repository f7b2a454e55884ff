//! Tapes and effects.

mod automatic_checks;
mod common;
mod effects;
mod effects_again;
mod effects_by_name_under_transforms;
mod effects_held_out;
mod effects_inside;
mod effects_of_the_host;
mod effects_random;
mod effects_under_transforms;
mod named_values;
mod tape_files;
mod tapes;
mod tapes_held_out;
