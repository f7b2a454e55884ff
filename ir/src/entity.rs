//! Typed `u32` ids and the dense vectors they index.
//!
//! Everything in the IR refers to everything else by id, so the IR is plain data: it can be
//! cloned, compared, hashed and sent to another thread.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// An id: a position in an [`EntityVec`].
pub trait Entity: Copy + Eq + fmt::Debug {
    /// The id of position `index`. Panics if `index` does not fit in 32 bits.
    fn from_index(index: usize) -> Self;
    /// The position this id names.
    fn index(self) -> usize;
}

/// Defines an id type with the prefix that its `Display` writes.
macro_rules! entity {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $crate::entity::Entity for $name {
            #[inline]
            fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).expect("more than 2^32 entities"))
            }
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }
        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
        impl ::std::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(self, f)
            }
        }
    };
}
pub(crate) use entity;

/// A vector indexed by an id type.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct EntityVec<K, V> {
    items: Vec<V>,
    key: PhantomData<K>,
}

impl<K: Entity, V> EntityVec<K, V> {
    /// An empty vector.
    pub const fn new() -> Self {
        Self { items: Vec::new(), key: PhantomData }
    }

    /// A vector that gives `value` to each of the first `len` ids.
    pub fn filled(value: V, len: usize) -> Self
    where
        V: Clone,
    {
        Self { items: vec![value; len], key: PhantomData }
    }

    /// Appends a value and returns its id.
    pub fn push(&mut self, value: V) -> K {
        let key = K::from_index(self.items.len());
        self.items.push(value);
        key
    }

    /// Makes room for this many more values.
    pub fn reserve(&mut self, more: usize) {
        self.items.reserve(more);
    }

    /// The id the next `push` will return.
    pub fn next_key(&self) -> K {
        K::from_index(self.items.len())
    }

    /// The value of `key`, if there is one.
    pub fn get(&self, key: K) -> Option<&V> {
        self.items.get(key.index())
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Ids and values in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (K, &V)> + ExactSizeIterator {
        self.items.iter().enumerate().map(|(i, v)| (K::from_index(i), v))
    }

    /// Ids in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = K> + use<K, V> {
        (0..self.items.len()).map(K::from_index)
    }

    /// Values in order.
    pub fn values(&self) -> std::slice::Iter<'_, V> {
        self.items.iter()
    }

    /// Values in order, mutable.
    pub fn values_mut(&mut self) -> std::slice::IterMut<'_, V> {
        self.items.iter_mut()
    }

    /// Keeps the first `len` values.
    pub fn truncate(&mut self, len: usize) {
        self.items.truncate(len);
    }
}

impl<K: Entity, V> Default for EntityVec<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Entity, V> Index<K> for EntityVec<K, V> {
    type Output = V;
    #[inline]
    fn index(&self, key: K) -> &V {
        &self.items[key.index()]
    }
}

impl<K: Entity, V> IndexMut<K> for EntityVec<K, V> {
    #[inline]
    fn index_mut(&mut self, key: K) -> &mut V {
        &mut self.items[key.index()]
    }
}

impl<K: Entity, V> FromIterator<V> for EntityVec<K, V> {
    fn from_iter<I: IntoIterator<Item = V>>(iter: I) -> Self {
        Self { items: iter.into_iter().collect(), key: PhantomData }
    }
}

impl<K: Entity, V: fmt::Debug> fmt::Debug for EntityVec<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.items).finish()
    }
}
