//! From a program that does everything in its entry kernel to the program of a host that launches kernels.
//!
//! What comes in has launches for the loops that are worth one, and between them code as a CPU runs it: scalars, small loops,
//! control flow. What goes out is a host's program as [`wengert_ir::kernel`] describes it: straight-line code on the device is
//! gathered into launches of one thread ([`unit`]), or of one block where it has independent loops ([`together`]), control flow with launches in it stays on the host ([`split`] says what is
//! whose), and what one of them makes that another needs is passed:
//!
//! - a scalar that the host knows (a counter, what is made of counters) as an operand of the launch, a constant as itself;
//! - a scalar that the device made in a *slot*, an element of memory that only this pass uses, or where it was loaded from if
//!   nothing writes there. An index is made anew from what it was made of, so that who checks accesses sees its bounds;
//! - to the host, by a load from the slot: a condition, a number of trips, where a library call begins. It is the only read-back.
//!
//! A launched kernel holds no reduction loops ([`lanes`]) and no calls.

mod host;
mod import;
mod lanes;
mod split;
mod together;
mod unit;

use host::Host;
use wengert_ir::kernel::Program;

/// Memories of one launch would lie over each other: they need places of their own.
pub(in crate::lower) struct Overlap;

/// The host's program.
pub(in crate::lower) fn host(program: &Program) -> Result<Program, Overlap> {
    Host::new(program).program()
}
