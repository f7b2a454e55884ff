//! The mathematics of each operation, one family per file.

pub mod check;
mod control;
mod create;
mod custom;
mod dot;
mod dynamic;
mod elementwise;
mod foreign;
mod gather;
pub mod reduce;
mod rng;
mod scatter;
mod shape;
pub mod sort;
mod sort_keys;
mod strided;
#[cfg(test)]
mod tests_moving;
#[cfg(test)]
mod tests_sort;
mod windows;
