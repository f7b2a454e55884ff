//! The mathematics of operations, by family.

mod check;
mod elementwise;
mod linalg;
mod moving;
mod order;
mod reduce;
mod sort;
mod special;
mod windows;
