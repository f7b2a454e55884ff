//! Work that recurses over regions: on a stack of its own where regions nest deep.

use crate::error::Error;
use crate::program::Traced;
use wengert_ir::limits::{Extent, on_stack};

/// Runs `work` on `program`, on a stack that is large enough for it: a program as deep as
/// [limits](wengert_ir::limits::MAX_NESTING) allow would overflow that of a small thread.
pub(crate) fn run<R: Send>(
    program: &Traced,
    work: impl FnOnce() -> Result<R, Error> + Send,
) -> Result<R, Error> {
    let depth = Extent::of(&program.module, program.func).nesting;
    on_stack(depth, work).unwrap_or_else(|e| {
        Err(Error::new(format!("no stack for regions that nest {depth} deep: {e}"), None))
    })
}
