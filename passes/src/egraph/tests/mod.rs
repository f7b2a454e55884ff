//! Every rule against the interpreter, and whole programs before and after.

mod corpus;
mod instance;
mod programs;
mod rows;
