//! What a process has a library for, as loops: kernel IR to kernel IR, for programs that have none.

mod functions;
mod products;

pub(crate) use functions::with_functions;
pub(crate) use products::with_products;
