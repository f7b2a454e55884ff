//! Parts of passes by themselves, for the tests of them in `tests/units`. Not part of the public interface.

pub use crate::ad::cut::Network;
pub use crate::budget::schedule::{Problem, Step, Task};
pub use crate::convolution::winograd::{is_faster, minimal_filtering};
pub use crate::distribute::{Sizes as Distributed, distribute_from};
pub use crate::egraph::language::{Head, Kind, Node};
pub use crate::egraph::pattern::Rule;
pub use crate::egraph::testing::{Claim, claims, functions, right_side};
pub use crate::layout::repeated::{Sizes as Repeated, down_columns_from};
pub use crate::lower::nest::memory::Memory;
pub use crate::lower::plan::rewrites::testing::{Kernels, Planned};
pub use crate::lower::space::index::{Affine, Stuck, Var, delinearize, linear};
pub use crate::raise::affine::{Counter, Known, step};
pub use crate::rules::known::KNOWN;
pub use crate::rules::shape::LANES;
