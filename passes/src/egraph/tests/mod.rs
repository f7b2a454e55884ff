//! Every rule against the interpreter, and whole programs before and after.

mod cases;
mod corpus;
mod instance;
mod programs;
mod rows;
