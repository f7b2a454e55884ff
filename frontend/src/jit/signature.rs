//! What a program was compiled for, and the table of programs by it.
//!
//! The first programs are found by comparing, without a lock: most functions have one. Others lie in a table by hash, of which
//! the oldest leave when it is full.

use crate::call::Args;
use rustc_hash::{FxHashMap, FxHasher};
use std::collections::VecDeque;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock, RwLock};
use wengert_ir::types::TensorType;

/// So many programs are compared with before any is looked up.
pub const LISTED: usize = 8;
/// Most programs in the table.
pub const KEPT: usize = 4096;

/// What a program was compiled for.
#[derive(Clone, PartialEq, Eq)]
pub struct Signature {
    structure: Vec<u64>,
    /// Types of the leaves.
    pub leaves: Vec<TensorType>,
}

impl Signature {
    /// That of arguments.
    pub fn of<A: Args>(args: &A) -> Self {
        let (mut structure, mut leaves) = (Vec::new(), Vec::new());
        args.structure(&mut |word| structure.push(word));
        args.visit(&mut |t| leaves.push(t.ty()));
        Self { structure, leaves }
    }

    /// Whether it is the signature of `args` and all of them have values; makes nothing.
    pub fn matches<A: Args>(&self, args: &A) -> bool {
        let (mut k, mut same) = (0, true);
        args.visit(&mut |t| {
            same &= self.leaves.get(k).is_some_and(|ty| t.has_value_of(ty));
            k += 1;
        });
        same && k == self.leaves.len() && self.has_structure_of(args)
    }

    /// Whether what is not in the Rust type is the same.
    pub(crate) fn has_structure_of<A: Args>(&self, args: &A) -> bool {
        let (mut k, mut same) = (0, true);
        args.structure(&mut |word| {
            same &= self.structure.get(k) == Some(&word);
            k += 1;
        });
        same && k == self.structure.len()
    }

    /// Equal for equal signatures.
    fn hash(&self) -> u64 {
        let mut state = FxHasher::default();
        self.structure.iter().for_each(|word| word.hash(&mut state));
        self.leaves.iter().for_each(|ty| (ty.dtype, &ty.shape[..]).hash(&mut state));
        state.finish()
    }

    /// The hash of the signature of `args`, of which nothing is made.
    fn hash_of<A: Args>(args: &A) -> u64 {
        let mut state = FxHasher::default();
        args.structure(&mut |word| word.hash(&mut state));
        args.visit(&mut |t| (t.dtype(), t.shape()).hash(&mut state));
        state.finish()
    }
}

/// A program that has a signature.
pub trait Signed {
    /// Its signature.
    fn signature(&self) -> &Signature;
}

/// Programs by signature.
pub struct Entries<E> {
    first: [OnceLock<Arc<E>>; LISTED],
    others: RwLock<Others<E>>,
}

/// What does not fit in the list.
struct Others<E> {
    by_hash: FxHashMap<u64, Vec<Arc<E>>>,
    /// Hashes of what is there, the oldest first.
    order: VecDeque<u64>,
}

impl<E> Default for Entries<E> {
    fn default() -> Self {
        let others = Others { by_hash: FxHashMap::default(), order: VecDeque::new() };
        Self { first: [const { OnceLock::new() }; LISTED], others: RwLock::new(others) }
    }
}

impl<E: Signed> Entries<E> {
    /// The first programs that were compiled.
    #[inline]
    pub fn first(&self) -> impl Iterator<Item = &Arc<E>> {
        self.first.iter().map_while(|entry| entry.get())
    }

    /// The program for these arguments, if it is none of the first.
    pub fn other<A: Args>(&self, args: &A) -> Option<Arc<E>> {
        self.first[LISTED - 1].get()?;
        let others = self.others.read().unwrap_or_else(|e| e.into_inner());
        let same = others.by_hash.get(&Signature::hash_of(args))?;
        same.iter().find(|e| e.signature().matches(args)).cloned()
    }

    /// Adds a program; if there are too many, one goes that is not among the first.
    pub fn push(&self, mut entry: Arc<E>) {
        for place in &self.first {
            // Another thread may fill it between our look and our try.
            match place.set(entry) {
                Ok(()) => return,
                Err(back) => entry = back,
            }
        }
        let hash = entry.signature().hash();
        let mut others = self.others.write().unwrap_or_else(|e| e.into_inner());
        let Others { by_hash, order } = &mut *others;
        if order.len() == KEPT
            && let Some(oldest) = order.pop_front()
            && let Some(same) = by_hash.get_mut(&oldest)
        {
            same.remove(0);
            if same.is_empty() {
                by_hash.remove(&oldest);
            }
        }
        by_hash.entry(hash).or_default().push(entry);
        order.push_back(hash);
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.first().count() + self.others.read().unwrap_or_else(|e| e.into_inner()).order.len()
    }
}
