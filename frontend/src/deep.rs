//! Work that recurses over regions: on a stack of its own where regions nest deep.

use crate::error::Error;
use crate::stages::Traced;
use std::panic::resume_unwind;
use std::thread::{Builder, scope};
use wengert_ir::limits::{Extent, MAX_NESTING};

/// Regions may nest this deep on any thread's stack.
const SHALLOW: u32 = 16;

/// Bytes of stack for each level of regions; they are taken only as they are used.
const PER_LEVEL: usize = 1 << 20;

/// Runs `work` on `program`, on a stack that is large enough for it: a program as deep as
/// [limits](wengert_ir::limits::MAX_NESTING) allow would overflow that of a small thread.
pub(crate) fn run<R: Send>(
    program: &Traced,
    work: impl FnOnce() -> Result<R, Error> + Send,
) -> Result<R, Error> {
    let depth = Extent::of(&program.module, program.func).nesting;
    if depth <= SHALLOW {
        return work();
    }
    let size = depth.min(MAX_NESTING) as usize * PER_LEVEL;
    scope(|s| match Builder::new().stack_size(size).spawn_scoped(s, work) {
        Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
        Err(e) => Err(Error::new(format!("no stack for regions that nest {depth} deep: {e}"), None)),
    })
}
