//! The CPU backend.

pub mod tile;
