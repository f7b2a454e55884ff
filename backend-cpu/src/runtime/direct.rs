//! Matrix products whose rows and sum walk memory along several dimensions, as the windows of an image do, without a copy in
//! which they walk it along one: convolution as an implicit matrix product (Chetlur et al. 2014, "cuDNN: Efficient Primitives
//! for Deep Learning"; the indirect form of Dukhan 2019, "The Indirect Convolution Algorithm").
//!
//! An element of `a` is at the sum of a distance of its row and one of its column, so it is read where it lies: by tiles of many columns
//! (`panels`), where each element of the result is the sum over `k` in order, by fused multiply-adds, the same bits on every machine;
//! or by vectors of rows or of the sum ([`thin`](super::thin)), where columns are few. Neither depends on the number of threads.

use super::block::Block;
use super::pool;
use super::product::{Float, Product};
use super::status::Status;
use super::thin::{Along, along};
use super::vector::{One, Vector, Wide};
use std::cell::Cell;

/// Most rows of a piece: with the windows that they read they stay in the second cache while slices of the sum are added.
const ROWS: usize = 384;
/// Pieces are multiples of so many rows, which all heights of tiles divide.
const TALL: usize = 24;
/// A piece of fewer multiplications than this is not worth a thread's while.
const PIECE: usize = 500_000;

/// `c = a * b` or `c += a * b`; gives the first status of a piece that is not `Ok`.
///
/// # Safety
/// The matrices that `p` describes lie within the memories that the pointers point into; `c` overlaps neither.
pub(super) unsafe fn product<T: Float + Wide>(p: &Product, a: *const T, b: *const T, c: *mut T) -> i32 {
    let rows = p.rows.count(p.m);
    let depth = p.depth.count(p.k);
    if rows == 0 || p.n == 0 || p.batch == 0 {
        return Status::Ok as i32;
    }
    let work = rows.saturating_mul(p.n).saturating_mul(depth);
    let most = (work / PIECE).min(rows / TALL).clamp(1, 4 * pool::threads());
    let each = rows.div_ceil(most.max(rows.div_ceil(ROWS))).next_multiple_of(TALL);
    let pieces = rows.div_ceil(each);
    let shared = Shared { a, b, c };
    let shared = &shared;
    let run = |piece: usize| {
        let (batch, piece) = ((piece / pieces) as isize, piece % pieces);
        // SAFETY: the contract of this function: each batch lies within the matrices, and pieces have rows of their own.
        unsafe {
            let block = Block {
                p,
                // There need not be any, if the sum is over nothing.
                a: shared.a.wrapping_offset(batch.wrapping_mul(p.a[2])),
                b: shared.b.wrapping_offset(batch.wrapping_mul(p.b[2])),
                c: shared.c.offset(batch * p.c[2]),
                rows: [piece * each, ((piece + 1) * each).min(rows)],
                depth,
            };
            block.run();
        }
    };
    // Threads take several pieces at a time if these are small: none is woken for little.
    let all = pieces * p.batch;
    let together = (PIECE / (work / pieces).max(1)).clamp(1, all);
    pool::run(all.div_ceil(together), &|group| {
        super::guarded(|| {
            (group * together..((group + 1) * together).min(all)).for_each(run);
            Status::Ok
        })
    })
}

/// One batch of a product that walks memory evenly, on this thread.
///
/// # Safety
/// As for [`product`].
pub(super) unsafe fn tiles<T: Float + Wide>(p: &Product, a: *const T, b: *const T, c: *mut T) {
    let each = p.m.div_ceil(p.m.div_ceil(ROWS)).next_multiple_of(TALL);
    for from in (0..p.m).step_by(each) {
        let rows = [from, (from + each).min(p.m)];
        // SAFETY: our contract.
        unsafe { Block { p, a, b, c, rows, depth: p.k }.run() };
    }
}

/// Pointers that threads share: each writes rows of its own.
struct Shared<T> {
    a: *const T,
    b: *const T,
    c: *mut T,
}

// SAFETY: rows of `c` are disjoint, `a` and `b` are only read.
unsafe impl<T> Sync for Shared<T> {}

impl<T: Float + Wide> Block<'_, T> {
    /// # Safety
    /// As for [`product`]; nobody else writes these rows.
    unsafe fn run(&self) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            if has!("avx512f") && !is_narrow() {
                // SAFETY: the features are there; the rest is our contract.
                return unsafe { self.run_avx512() };
            }
            if has!("fma") && has!("avx2") {
                // SAFETY: the features are there; the rest is our contract.
                return unsafe { self.run_avx2() };
            }
        }
        // SAFETY: our contract; one number is a vector everywhere.
        unsafe { self.tiles::<One<T>, 4>() }
    }

    /// # Safety
    /// As for [`Self::run`]; the machine has the vectors.
    #[inline(always)]
    unsafe fn tiles<V: Vector<T>, const MOST: usize>(&self) {
        // SAFETY: our contract.
        unsafe {
            match along(self.p) {
                Some(by) => self.thin::<V, MOST>(by),
                None => self.panels::<V, MOST>(),
            }
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f")]
    unsafe fn run_avx512(&self) {
        // SAFETY: the contract of `run`; the vectors are those of these features.
        unsafe {
            // What half a vector has room for takes half of it: then fewer lanes are added up.
            if self.p.k <= T::Long::LEN && along(self.p) == Some(Along::Sum) {
                self.thin::<T::Long, 2>(Along::Sum);
            } else {
                self.tiles::<T::Widest, 4>();
            }
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn run_avx2(&self) {
        // SAFETY: the contract of `run`; the vectors are those of these features.
        unsafe { self.tiles::<T::Long, 2>() }
    }
}

thread_local! {
    /// Whether this thread keeps to vectors of 256 bits.
    static NARROW: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread keeps to vectors of 256 bits.
pub(super) fn is_narrow() -> bool {
    NARROW.get()
}

/// What `f` gives, with vectors of at most 256 bits in products that this thread makes: for tests on machines with longer ones.
pub(crate) fn with_narrow_vectors<R>(f: impl FnOnce() -> R) -> R {
    NARROW.set(true);
    let result = f();
    NARROW.set(false);
    result
}
