//! Parts of the crate, each by itself: a file for each file of `src`.

#[cfg(feature = "guard-pages")]
mod buffer;
mod formula;
mod key;
mod pool;
mod segments;
mod stacks;
