//! There is one layout for each rank, row-major; its text is XLA's, `{1,0}`.

use crate::error::{Done, Failure};
use crate::ffi::*;
use crate::handles::{self, objects};
use std::sync::{Arc, LazyLock};

objects! { Layout as PJRT_Layouts_MemoryLayout = 10 "layout"; }

/// The layout of a rank.
pub(crate) struct Layout(pub(crate) &'static str);

/// Most dimensions that an array may have here.
const MOST: usize = 64;

static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let text = |rank: usize| {
        let order: Vec<String> = (0..rank).rev().map(|k| k.to_string()).collect();
        format!("{{{}}}", order.join(","))
    };
    (0..=MOST).map(text).collect()
});

/// Gives a caller the layout of a rank.
pub(crate) fn give(rank: usize) -> Done<*mut PJRT_Layouts_MemoryLayout> {
    let text =
        TEXTS.get(rank).ok_or_else(|| Failure::unimplemented(format!("an array of {rank} dimensions")))?;
    handles::insert(Arc::new(Layout(text)))
}
