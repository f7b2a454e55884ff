//! The id of a function, by which operations name their regions.

use crate::entity::entity;

entity! {
    /// A function of a module.
    FuncId, "func"
}
