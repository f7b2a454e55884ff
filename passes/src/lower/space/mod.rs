//! Index spaces and what is computed over them: affine indices ([`index`]), expression graphs ([`graph`]), the nodes that
//! operations are at an index ([`nodes`], [`data_movement`]) and the scalars that elements are ([`scalar`]). What a graph
//! finds outside itself is where the values of a function are ([`scope`]); whoever builds one says it
//! ([`nodes::Places`]).

mod data_movement;
pub(super) mod graph;
pub(crate) mod index;
mod minifloats;
mod narrow;
pub(super) mod nodes;
pub(super) mod scalar;
pub(super) mod scope;
pub(super) mod sink;
