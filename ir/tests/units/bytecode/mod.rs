//! Bytecode from inside: integers as files have them, and tables.

mod attributes;
mod cursor;
mod schema;
mod tables;
