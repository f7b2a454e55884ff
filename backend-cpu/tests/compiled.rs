//! Compiled code against the kernel interpreter and the reference interpreter; and the parts that it is made by and runs on.

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
mod narrow;
mod narrow_products;
mod operations;
mod products;
mod reductions;
mod scatters;
mod short_rows;
mod thin;
mod tile;
mod units;
