//! Derivatives, as functions made from functions.
//!
//! Reverse mode is linearize, then transpose (Radul, Paszke, Frostig, Johnson, Maclaurin, "You Only
//! Linearize Once", POPL 2023). [`linearize`] walks a function once and writes two: the primal, which
//! also gives the *residuals*, and the linear one, which takes residuals and tangents. [`transpose`] turns
//! a linear function around; [`verify_linear`] checks that it may. [`vjp`] puts the three together.
//! [`jvp`] is a pass of its own, so that a loop carries value and tangent together and nothing is saved; it and linearization
//! are one [`walk`] that writes to different places.
//!
//! A tangent that is zero by structure is absent, not an array of zeros. Integers and booleans have none.
//!
//! All passes inline calls and raise counted loops to scans first; control flow has its rules in [`control`]. No dynamic stack
//! (`tensor<?x...>`) ever crosses the border of a region: what needs one inside a loop or a branch
//! recomputes the `while` that filled it, from the values the `while` started with.

mod activity;
mod api;
mod control;
mod cut;
mod emit;
mod expand;
mod jvp;
mod linearize;
mod residuals;
mod rule;
mod transpose;
mod verify;
mod walk;

pub use api::{jvp, linearize, transpose, value_and_grad, verify_linear, vjp};

use std::fmt;
use wengert_ir::func::{Func, FuncId, Inst, Loc};
use wengert_ir::types::Type;

/// Why a function has no such derivative.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AdError {
    /// The reason in words.
    pub message: String,
    /// The operation at fault, if one is.
    pub op: Option<&'static str>,
    /// Types of its operands.
    pub operands: Vec<Type>,
    /// The user's line.
    pub loc: Loc,
}

impl AdError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), op: None, operands: Vec::new(), loc: Loc::Unknown }
    }

    /// An error about an instruction of `func`.
    pub(crate) fn at(func: &Func, inst: &Inst, message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            op: Some(inst.op.name()),
            operands: inst.operands.iter().map(|&v| func.ty(v).clone()).collect(),
            loc: inst.loc.clone(),
        }
    }
}

impl fmt::Display for AdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(op) = self.op {
            write!(f, "{op}: ")?;
        }
        f.write_str(&self.message)?;
        if self.op.is_some() {
            f.write_str("; operands: ")?;
            for (k, t) in self.operands.iter().enumerate() {
                write!(f, "{}{t}", if k > 0 { ", " } else { "" })?;
            }
        }
        if self.loc != Loc::Unknown {
            write!(f, "; at {}", self.loc)?;
        }
        Ok(())
    }
}
impl std::error::Error for AdError {}

/// What [`linearize`] makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Linearized {
    /// Parameters to results, then residuals.
    pub primal: FuncId,
    /// Residuals, then tangents of the active parameters, to tangents of the forced results.
    pub linear: FuncId,
    /// How many residuals there are.
    pub residuals: usize,
}

/// Whether values of this type have tangents.
pub(crate) fn has_tangent(ty: &Type) -> bool {
    ty.as_tensor().is_some_and(|t| t.dtype.is_differentiable())
}
