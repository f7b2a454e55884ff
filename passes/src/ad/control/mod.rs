//! Control flow under differentiation: `{case, scan, while}` is closed under linearize and transpose,
//! because the linear part of a `while` is a scan of dynamic length over the stacks that the `while` fills.

pub(super) mod case;
pub(super) mod checkpoint;
pub(super) mod implicit;
pub(super) mod loops;

pub(crate) use crate::structure::{Loop, LoopKind, branches};
