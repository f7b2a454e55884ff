//! Memory that generated code runs on: scratch, stacks, constants, copies of arguments and results.
//!
//! Usually [`wengert_ir::bytes::Bytes`]. In builds with the feature `guard-pages`, which is for tests, each buffer lies at
//! the end of pages of its own (at their beginning if the environment variable `WENGERT_GUARD` is `before`), between pages
//! that nobody may touch: an access outside ends the process. What is left of its pages, less than the alignment beside
//! its end, holds a pattern that must be there when it is freed; so does the buffer itself at first, which makes elements
//! that are read before they are written look wrong.

use wengert_ir::bytes::ALIGN;

#[cfg(feature = "guard-pages")]
pub(crate) use guard::Guarded as Buffer;
#[cfg(not(feature = "guard-pages"))]
pub(crate) use wengert_ir::bytes::Bytes as Buffer;

/// Whether arguments and results are copied to buffers of ours.
pub(crate) const GUARDED: bool = cfg!(feature = "guard-pages");

/// `len` bytes of any content, 64-byte aligned; `None` if the machine has no more memory.
pub(crate) fn take(len: usize) -> Option<Buffer> {
    take_aligned(len, ALIGN)
}

/// The same, aligned for any element.
pub(crate) fn take_for_elements(len: usize) -> Option<Buffer> {
    take_aligned(len, 8)
}

#[cfg(not(feature = "guard-pages"))]
fn take_aligned(len: usize, _: usize) -> Option<Buffer> {
    Buffer::try_take(len)
}

#[cfg(feature = "guard-pages")]
fn take_aligned(len: usize, align: usize) -> Option<Buffer> {
    Buffer::try_take(len, align)
}

#[cfg(feature = "guard-pages")]
mod guard {
    use region::{Allocation, Protection};
    use std::ops::{Deref, DerefMut};
    use std::sync::OnceLock;

    /// What memory holds that nobody wrote.
    const PATTERN: u8 = 0xa5;

    /// A buffer between guard pages.
    pub(crate) struct Guarded {
        /// Guard page, pages of the buffer, guard page.
        pages: Allocation,
        start: usize,
        len: usize,
    }

    /// Whether buffers begin where their pages do, rather than end where they do.
    fn begins_pages() -> bool {
        static BEFORE: OnceLock<bool> = OnceLock::new();
        *BEFORE.get_or_init(|| std::env::var_os("WENGERT_GUARD").is_some_and(|side| side == "before"))
    }

    impl Guarded {
        pub(super) fn try_take(len: usize, align: usize) -> Option<Self> {
            let page = region::page::size();
            let rounded = len.checked_next_multiple_of(align)?;
            let inside = rounded.max(1).checked_next_multiple_of(page)?;
            let all = inside.checked_add(2 * page)?;
            let mut pages = region::alloc(all, Protection::READ_WRITE).ok()?;
            let base = pages.as_mut_ptr::<u8>();
            // SAFETY: the allocation is `all` bytes, readable and writable, and ours alone.
            unsafe { base.add(page).write_bytes(PATTERN, inside) };
            // SAFETY: both pages are of the allocation, and nothing refers to them.
            unsafe {
                region::protect(base, page, Protection::NONE).ok()?;
                region::protect(base.add(page + inside), page, Protection::NONE).ok()?;
            }
            let start = if begins_pages() { page } else { page + inside - rounded };
            Some(Self { pages, start, len })
        }

        /// The bytes of its pages that are not its own.
        fn rest(&self) -> impl Iterator<Item = u8> + '_ {
            let page = region::page::size();
            let inside = page..self.pages.len() - page;
            let own = self.start..self.start + self.len;
            let base = self.pages.as_ptr::<u8>();
            // SAFETY: positions between the guard pages are readable, written when the buffer was made, and borrowed.
            inside.filter(move |at| !own.contains(at)).map(move |at| unsafe { base.add(at).read() })
        }
    }

    impl Drop for Guarded {
        fn drop(&mut self) {
            assert!(self.rest().all(|b| b == PATTERN), "bytes beside a buffer of {} were written", self.len);
        }
    }

    impl Deref for Guarded {
        type Target = [u8];
        fn deref(&self) -> &[u8] {
            // SAFETY: the bytes lie between the guard pages, were written when the buffer was made, and are borrowed.
            unsafe { std::slice::from_raw_parts(self.pages.as_ptr::<u8>().add(self.start), self.len) }
        }
    }

    impl DerefMut for Guarded {
        fn deref_mut(&mut self) -> &mut [u8] {
            // SAFETY: as above, borrowed exclusively.
            unsafe { std::slice::from_raw_parts_mut(self.pages.as_mut_ptr::<u8>().add(self.start), self.len) }
        }
    }

    impl std::fmt::Debug for Guarded {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "{} guarded bytes", self.len)
        }
    }
}
