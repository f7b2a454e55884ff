//! Units of the library: its small parts by themselves, a file for each module. They are a program of their own because the library
//! would be compiled a second time for tests inside it.

mod affine;
mod budget;
mod checks;
mod colors;
mod convolution;
mod cost_report;
mod cut;
mod egraph;
mod extraction;
mod index;
mod memory;
mod rewrites;
mod rules;
mod sums;
mod tokens;
