//! Why a program cannot be lowered.

use std::fmt;
use wengert_ir::func::{Func, Inst, Loc};
use wengert_ir::limits::Exceeded;
use wengert_ir::rules::write_where;
use wengert_ir::types::Type;

/// An operation that cannot be lowered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LowerError {
    /// Its name.
    pub op: String,
    /// Types of its operands.
    pub types: Vec<Type>,
    /// The user's line.
    pub loc: Loc,
    /// Why.
    pub reason: String,
    /// The limit that was in the way, if one was: `reason` says it in words.
    pub exceeded: Option<Exceeded>,
}

impl fmt::Display for LowerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot compile {}: {}", self.op, self.reason)?;
        write_where(f, &self.types, &self.loc)
    }
}
impl std::error::Error for LowerError {}

impl LowerError {
    /// About an instruction of a function.
    pub(in crate::lower) fn at(func: &Func, inst: &Inst, reason: impl Into<String>) -> LowerError {
        LowerError {
            op: inst.op.written_name().to_owned(),
            types: inst.operands.iter().map(|&v| func.ty(v).clone()).collect(),
            loc: inst.loc.clone(),
            reason: reason.into(),
            exceeded: None,
        }
    }

    /// About a function that would pass a limit.
    pub(in crate::lower) fn over(func: &Func, exceeded: Exceeded) -> LowerError {
        LowerError {
            op: format!("function `{}`", func.name),
            types: Vec::new(),
            loc: Loc::Unknown,
            reason: exceeded.to_string(),
            exceeded: Some(exceeded),
        }
    }
}
