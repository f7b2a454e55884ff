//! The methods of [`crate::Tensor`], by family.

pub(crate) mod arith;
pub(crate) mod arrange;
pub(crate) mod checkpoint;
pub(crate) mod compare;
pub(crate) mod complex;
pub(crate) mod control;
pub(crate) mod control_loops;
pub(crate) mod create;
pub(crate) mod custom;
pub(crate) mod einsum;
pub(crate) mod implicit;
pub(crate) mod index;
pub(crate) mod linalg;
pub(crate) mod math;
pub(crate) mod more_math;
pub(crate) mod products;
pub(crate) mod promote;
pub(crate) mod reduce;
pub(crate) mod revolve;
pub(crate) mod segments;
pub(crate) mod shape;
pub(crate) mod sorting;
pub(crate) mod stats;
pub(crate) mod update;
pub(crate) mod window;
