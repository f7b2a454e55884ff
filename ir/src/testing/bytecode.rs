//! What tests of bytecode see of its insides: integers as files have them, and tables.

pub use crate::bytecode::cursor::Cursor;
pub use crate::bytecode::schema::{NEWEST, SCHEMAS, Schema, forms};
pub use crate::bytecode::tables::Out;

use crate::bytecode::attributes::{DEFAULTS, GROUPS};

/// The attributes that StableHLO has as fields of one, with the operations that have them.
pub fn grouped() -> impl Iterator<Item = (&'static str, &'static str)> {
    let each = |ops: &'static [&'static str], field| ops.iter().map(move |&op| (op, field));
    GROUPS.iter().flat_map(move |group| group.fields.iter().flat_map(move |&field| each(group.ops, field)))
}

/// The attributes that have a default, in the order of their table.
pub fn defaults() -> impl Iterator<Item = &'static str> {
    DEFAULTS.iter().map(|&(name, _)| name)
}
