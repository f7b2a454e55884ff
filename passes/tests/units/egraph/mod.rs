//! Every rule against the interpreter, and whole programs before and after.

mod cases;
mod corpus;
mod explain;
mod facts;
mod instance;
mod programs;
mod rows;
