//! Lists that an executable gives its callers, as they take them: pointers and sizes. What they point to is constant, or the list's.

use crate::memory::KINDS;
use crate::shards::Shards;

/// Names of kinds of memory as callers take them.
pub(crate) struct KindNames {
    names: Vec<*const u8>,
    sizes: Vec<usize>,
}

impl KindNames {
    pub(crate) fn of(kinds: &[usize]) -> Self {
        let names = || kinds.iter().map(|&kind| KINDS[kind]);
        Self { names: names().map(str::as_ptr).collect(), sizes: names().map(str::len).collect() }
    }

    pub(crate) fn pointers(&self) -> (*const *const u8, *const usize) {
        (self.names.as_ptr(), self.sizes.as_ptr())
    }
}

/// Bytes as callers take them.
pub(crate) struct Texts {
    starts: Vec<*const u8>,
    sizes: Vec<usize>,
    /// What they point to.
    _texts: Vec<Vec<u8>>,
}

impl Texts {
    /// Shardings; what each device has all of has none.
    pub(crate) fn of(all: &[Option<Shards>]) -> Self {
        let texts: Vec<Vec<u8>> =
            all.iter().map(|shards| shards.as_ref().map_or_else(Vec::new, Shards::proto)).collect();
        Self {
            starts: texts.iter().map(Vec::as_ptr).collect(),
            sizes: texts.iter().map(Vec::len).collect(),
            _texts: texts,
        }
    }

    pub(crate) fn pointers(&self) -> (usize, *const *const u8, *const usize) {
        (self.starts.len(), self.starts.as_ptr(), self.sizes.as_ptr())
    }
}
