//! Whole programs: random, mutated, repeated, large, exported, refused.

mod bad_input;
mod blocked;
mod convolutions;
mod export;
mod folds;
mod half;
mod hostile_gpu;
mod large;
mod mutants;
mod objects;
mod objects_in_rust;
mod random_programs;
mod repeated;
mod several_devices;
mod shared_calls;
mod short_rows;
mod signatures;
mod small_matrices;
mod structure;
mod tables;
mod targets;
mod transposes;
mod upstream;
mod vector_code;
mod windowed;
