//! The text of the tensor IR: StableHLO in MLIR syntax.
//!
//! [`parse`] reads what JAX and MLIR's printer write (pretty and generic forms) into plain data: regions
//! are lifted into closed functions whose captures are operands, in the order of their first use.
//! [`print()`] writes the form JAX prints: regions inlined, captures under their outer names.
//!
//! What neither StableHLO nor CHLO has is written as `stablehlo.composite "wengert.NAME"` with a
//! decomposition in plain StableHLO where there is one, so upstream tools read it too; reading our own
//! text raises the operation again from the attributes and drops the decomposition unread.
//!
//! Promises: `print(parse(print(m))) == print(m)`; `parse(print(m))` equals `m` up to names, locations,
//! order of functions and of value ids ([`same`]); the parser never panics, recurses at most 256 deep,
//! takes time linear in the text, and never allocates much more than the text.

mod aliases;
mod attr;
mod canonical;
mod captures;
mod dimension_labels;
mod error;
pub(crate) mod fields;
mod frame;
mod generic;
mod labels;
pub(crate) mod lexer;
mod lines;
mod literal;
mod location;
mod module;
mod names;
pub(crate) mod ops;
mod parser;
mod pretty;
mod printer;
mod region;
mod shardings;
mod struct_attr;
pub(crate) mod tree;
mod tuples;
pub(crate) mod typed;
mod types;
mod write_literal;
mod write_parts;

pub use canonical::{canonical, same};
pub use error::ParseError;
pub(crate) use lexer::{unescape, write_quoted};
pub(crate) use module::{FLOAT_MODE, mode_name};
pub use names::value_names;
pub use ops::communication;
use ops::is_foreign;
pub use ops::{SizedCall, is_sized_call, static_call, static_form};
pub(crate) use ops::{spelled_call, spelled_effect};
pub use printer::{PrintOptions, print, print_func};
pub use shardings::{manual, sharding};
pub use typed::{Typed, typed_attributes};
pub(crate) use write_literal::write_float;

use crate::func::Module;
use crate::interface::Interface;
use std::fmt;

/// Reads a module.
pub fn parse(source: &str) -> Result<Module, ParseError> {
    parser::Parser::new(source).module()
}

/// Reads a module with what it says of the parameters and results of its entry, if it has one.
///
/// # Errors
///
/// As [`parse`]; and attributes of more or fewer parameters or results than there are.
pub fn parse_with_interface(source: &str) -> Result<(Module, Option<Interface>), ParseError> {
    parser::Parser::new(source).module_and_interface()
}

/// The module as upstream tools see its text: composites of ours are kept as calls of their decompositions with a name.
pub(crate) fn as_upstream(module: &Module) -> Result<Module, ParseError> {
    let text = print(module, &PrintOptions { locations: true, ..PrintOptions::default() });
    let mut parser = parser::Parser::new(&text);
    parser.keep_composites = true;
    parser.module()
}

/// Reads a module whose text is called `file`: an instruction without a location gets its place in that text,
/// `"file":line:column`.
pub fn parse_placed(source: &str, file: &str) -> Result<Module, ParseError> {
    parser::Parser::placed(source, file).module()
}

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print(self, &PrintOptions::default()))
    }
}
