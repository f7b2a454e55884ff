//! Support for this crate's tests: parts that its interface does not show. Not part of the public interface.

use crate::call::Args;
use crate::tape::OncePullback;
use crate::tree::Tree;
use std::panic::Location;

#[cfg(feature = "gpu")]
pub use crate::device::another_reference;
pub use crate::jit::signature::{Entries, KEPT, LISTED, Signature, Signed};
pub use crate::ops::revolve::split;

/// [`OncePullback::call`]; `watch` is told after every operation how many bytes of saved values are left.
#[track_caller]
pub fn call_watched<A: Args, R: Tree>(
    pullback: OncePullback<A, R>,
    cotangent: R,
    watch: &mut dyn FnMut(usize),
) -> A {
    pullback.watched(cotangent, Location::caller(), watch)
}
