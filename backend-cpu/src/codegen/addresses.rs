//! Sums of addresses that are known where code is being added.

use cranelift_codegen::ir::Value;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeSet;
use wengert_ir::kernel::{KValue, MemRef};

/// Terms of an access, outermost first.
pub(crate) type Terms = SmallVec<[(KValue, i64); 4]>;

/// Sums that are known where code is being added.
#[derive(Default)]
pub(crate) struct Addresses {
    pub(super) pointers: FxHashMap<(MemRef, Terms), Value>,
    pub(super) scaled: FxHashMap<(KValue, i64), Value>,
    /// Keys in the order they were added, to drop them at the end of their scope.
    pub(super) log: Vec<Key>,
}

pub(super) enum Key {
    Pointer((MemRef, Terms)),
    Scaled((KValue, i64)),
}

/// Where a scope began.
#[derive(Clone, Copy)]
pub(crate) struct Scope(usize);

impl Addresses {
    pub(crate) fn enter(&self) -> Scope {
        Scope(self.log.len())
    }

    pub(crate) fn leave(&mut self, scope: Scope) {
        for key in self.log.drain(scope.0..) {
            match key {
                Key::Pointer(key) => drop(self.pointers.remove(&key)),
                Key::Scaled(key) => drop(self.scaled.remove(&key)),
            }
        }
    }

    /// Forgets what is known of memories that may have moved.
    pub(super) fn forget(&mut self, moved: &BTreeSet<MemRef>) {
        if !moved.is_empty() {
            self.pointers.retain(|(mem, _), _| !moved.contains(mem));
        }
    }
}
