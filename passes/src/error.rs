//! Why a function cannot be transformed.

use std::fmt;
use wengert_ir::func::{Func, Inst, Loc};
use wengert_ir::rules::write_where;
use wengert_ir::types::Type;

/// Why there is no such derivative, batch or pattern of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TransformError {
    /// The reason in words.
    pub message: String,
    /// The operation at fault, if one is.
    pub op: Option<String>,
    /// Types of its operands.
    pub operands: Vec<Type>,
    /// The user's line.
    pub loc: Loc,
}

impl TransformError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), op: None, operands: Vec::new(), loc: Loc::Unknown }
    }

    /// An error about an instruction of `func`.
    pub(crate) fn at(func: &Func, inst: &Inst, message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            op: Some(inst.op.written_name().to_owned()),
            operands: inst.operands.iter().map(|&v| func.ty(v).clone()).collect(),
            loc: inst.loc.clone(),
        }
    }
}

impl fmt::Display for TransformError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(op) = &self.op {
            write!(f, "{op}: ")?;
        }
        f.write_str(&self.message)?;
        write_where(f, &self.operands, &self.loc)
    }
}
impl std::error::Error for TransformError {}
