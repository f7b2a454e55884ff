//! Every rule against the interpreter, and whole programs before and after.

mod instance;
mod programs;
mod rows;
