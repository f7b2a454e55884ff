//! Compiled code against the kernel interpreter and the reference interpreter.

mod common;
mod control;
mod corpus;
mod donations;
mod edges;
mod floats;
mod hostile;
mod indexing;
mod integers;
mod lifetime;
mod operations;
mod products;
mod reductions;
mod tile;
