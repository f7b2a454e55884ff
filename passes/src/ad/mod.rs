//! Derivatives, as functions made from functions.
//!
//! Reverse mode is linearize, then transpose (Radul, Paszke, Frostig, Johnson, Maclaurin, "You Only
//! Linearize Once", POPL 2023). [`linearize`] walks a function once and writes two: the primal, which
//! also gives the *residuals*, and the linear one, which takes residuals and tangents. [`transpose`] turns
//! a linear function around; [`verify_linear`] checks that it may. [`vjp`] puts the three together.
//! [`jet()`] carries Taylor series.
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
pub(crate) mod cut;
mod emit;
mod expand;
mod jet;
mod jvp;
mod linearize;
mod residuals;
mod rule;
mod transpose;
mod verify;
mod walk;

pub(crate) use api::prepared;
pub use api::{jvp, linearize, transpose, value_and_grad, verify_linear, vjp};
pub use control::checkpoint::name_results;
pub use jet::{MAX_ORDER, jet};
pub(crate) use residuals::decides;

use crate::error::TransformError;
use wengert_ir::func::FuncId;
use wengert_ir::types::Type;

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
