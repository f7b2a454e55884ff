//! The mathematics of each operation, one family per file.

pub mod check;
mod control;
mod create;
mod dot;
mod dynamic;
mod elementwise;
mod gather;
pub mod reduce;
mod scatter;
mod shape;
mod strided;
#[cfg(test)]
mod tests_moving;
mod windows;
