//! The methods of [`crate::Tensor`], by family.

pub(crate) mod arith;
pub(crate) mod compare;
pub(crate) mod control;
pub(crate) mod create;
pub(crate) mod index;
pub(crate) mod linalg;
pub(crate) mod math;
pub(crate) mod promote;
pub(crate) mod reduce;
pub(crate) mod shape;
