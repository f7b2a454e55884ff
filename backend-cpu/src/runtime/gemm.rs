//! Matrix products.
//!
//! Those that walk memory along several dimensions are [`direct`], and those of few columns whose vectors have something to lie along
//! ([`thin`](super::thin)); those of few rows and columns with long sums are [`deep`]. Small ones run in loops of our own, which have nothing to set up; others in the `gemm` crate, cut into panels that threads share: few, because each packs the other matrix anew. Bits do not depend on the
//! number of threads: along the sum, the crate cuts by its length alone where a panel has more than 64 rows or columns
//! (`kernel_params`), and ours have.

use super::context::Context;
use super::product::{Float, Product};
use super::status::Status;
use super::thin::{along, has_vectors};
use super::vector::Wide;
use super::{deep, direct, guarded, pool, small};
use std::mem::MaybeUninit;
use wengert_ir::kernel::Scalar;

/// A piece of fewer multiplications than this is not worth a thread's while.
const PANEL: usize = 1_000_000;
/// Panels of more multiplications than this are made twice as many as threads, so that a slow thread does not hold up
/// the rest.
const LARGE_PANEL: usize = 64_000_000;
/// Least rows or columns of a panel; what it is cut at are multiples of [`GRAIN`].
const NARROWEST: usize = 96;
/// Bytes of a row of `b` up to which [`slice`] takes `a` not to be packed, and how much of the sum it then gives.
const UNPACKED: usize = 512;
const SLICE: usize = 64;
/// Panels of products with fewer rows or columns than this are not cut: the crate has other loops for results of up to 256
/// elements.
const FLATTEST: usize = 4;
/// Numbers of a result that are kept in the crate's order before they are put in ours, and most rows of such a result: for more,
/// tiles of ours are faster.
const KEPT: usize = 16_384;
const KEPT_ROWS: usize = 32;
/// Shortest sum for which that pays.
const KEPT_SUM: usize = 64;
/// What the innermost loops work on is a multiple of this wide.
const GRAIN: usize = 16;
/// Products of at most this many multiplications run in our own loops.
const SMALL: usize = 28 * 28 * 28;
/// The same with a vector, where the `gemm` crate's loops are wide too.
const SMALL_VECTOR: usize = 512;

/// `c = a * b` or `c += a * b`; called by generated code.
///
/// # Safety
/// `product` is a description kept by the executable, and the matrices it describes lie within the memories that
/// the pointers point into; `c` overlaps neither `a` nor `b`.
pub(crate) unsafe extern "C" fn product(
    _context: *mut Context,
    product: *const Product,
    a: *const u8,
    b: *const u8,
    c: *mut u8,
) -> i32 {
    let mut of_pieces = Status::Ok as i32;
    let own = guarded(|| {
        // SAFETY: the contract of this function.
        let p = unsafe { &*product };
        of_pieces = match p.elem {
            // SAFETY: the contract of this function.
            Scalar::F64 => unsafe { run::<f64>(p, a.cast(), b.cast(), c.cast()) },
            // SAFETY: the contract of this function.
            Scalar::F32 => unsafe { run::<f32>(p, a.cast(), b.cast(), c.cast()) },
            Scalar::I64 | Scalar::I32 | Scalar::I16 | Scalar::I8 | Scalar::I1 => {
                unreachable!("matrix products are of floats")
            }
        };
        Status::Ok
    });
    if own == Status::Ok as i32 { of_pieces } else { own }
}

/// Pointers that threads share: each writes to its own panel of `c`.
struct Operands<T> {
    a: *const T,
    b: *const T,
    c: *mut T,
}

// SAFETY: panels of `c` are disjoint, `a` and `b` are only read.
unsafe impl<T> Sync for Operands<T> {}

/// The first status of a piece that is not `Ok`, if any.
///
/// # Safety
/// As for [`product`].
unsafe fn run<T: Float + Wide>(p: &Product, a: *const T, b: *const T, c: *mut T) -> i32 {
    if !p.is_even || along(p).is_some() {
        // SAFETY: the contract of this function.
        return unsafe { direct::product(p, a, b, c) };
    }
    let turned = p.transposed();
    if along(&turned).is_some() {
        // SAFETY: the contract of this function.
        return unsafe { direct::product(&turned, b, a, c) };
    }
    // The columns of `c` should be the contiguous direction, for our own loops.
    let flip = p.c[0].unsigned_abs() < p.c[1].unsigned_abs();
    let (p, a, b) = if flip { (&turned, b, a) } else { (p, a, b) };
    let work = p.m * p.n * p.k;
    let own = own(p, work);
    if let (1, Some(own)) = (p.batch, own) {
        // SAFETY: the contract of this function.
        unsafe { own(p, a, b, c) };
        return Status::Ok as i32;
    }
    let total = work * p.batch;
    let way = way::<T>(p);
    let operands = Operands { a, b, c };
    let operands = &operands;
    if work == 0 || work <= SMALL || p.m == 1 || p.n == 1 || own.is_some() {
        let per = (PANEL / work.max(1)).max(1);
        let many = total >= 2 * PANEL && p.batch > 1;
        let pieces = if many { p.batch.div_ceil(per) } else { 1 };
        let per = if many { per } else { p.batch };
        let each = |piece: usize| {
            for batch in piece * per..((piece + 1) * per).min(p.batch) {
                let at = batch as isize;
                // SAFETY: each batch of the three matrices lies within its memory.
                unsafe {
                    let (a, b, c) = (
                        operands.a.offset(at * p.a[2]),
                        operands.b.offset(at * p.b[2]),
                        operands.c.offset(at * p.c[2]),
                    );
                    match own {
                        Some(own) => own(p, a, b, c),
                        None => whole(p, way, a, b, c),
                    }
                }
            }
            Status::Ok as i32
        };
        return pool::run(pieces, &|piece| {
            guarded(|| {
                each(piece);
                Status::Ok
            })
        });
    }
    // Panels of the longer side, where there are threads to take them.
    let by_rows = p.m >= p.n;
    let long = p.m.max(p.n);
    let panels = if p.m.min(p.n) < FLATTEST { 1 } else { panels(work, long, p.batch) };
    pool::run(panels * p.batch, &|piece| {
        guarded(|| {
            let (batch, panel) = ((piece / panels) as isize, piece % panels);
            let from = start(panel, panels, long);
            let count = start(panel + 1, panels, long) - from;
            let at = from as isize;
            let mut part = *p;
            // SAFETY: the panel lies within the matrices.
            unsafe {
                let (mut a, mut b, mut c) = (
                    operands.a.offset(batch * p.a[2]),
                    operands.b.offset(batch * p.b[2]),
                    operands.c.offset(batch * p.c[2]),
                );
                if by_rows {
                    part.m = count;
                    a = a.offset(at * p.a[0]);
                    c = c.offset(at * p.c[0]);
                } else {
                    part.n = count;
                    b = b.offset(at * p.b[1]);
                    c = c.offset(at * p.c[1]);
                }
                whole(&part, way, a, b, c);
            }
            Status::Ok
        })
    })
}

/// Loops of ours for a product of so much work, if they are better than the library's.
fn own<T: Float + Wide>(p: &Product, work: usize) -> Option<Loops<T>> {
    if deep::is_deep(p) {
        return Some(deep::product);
    }
    let most = if p.m > 1 && p.n > 1 { SMALL } else { SMALL_VECTOR };
    (!p.adds && work <= most).then_some(small::product)
}

/// Loops that compute a product.
///
/// # Safety
/// As for [`product`].
type Loops<T> = unsafe fn(&Product, *const T, *const T, *mut T);

/// How many panels the long side of each of `batch` products is cut into.
fn panels(work: usize, long: usize, batch: usize) -> usize {
    let threads = pool::threads();
    // Whole products are pieces enough if there are several for each thread.
    if threads == 1 || batch >= 4 * threads {
        return 1;
    }
    let wanted = if work / threads >= LARGE_PANEL { 2 * threads } else { threads };
    wanted.min(work / PANEL).min(long / NARROWEST).max(1)
}

/// Where a panel begins.
fn start(panel: usize, panels: usize, long: usize) -> usize {
    if panel == panels { long } else { long * panel / panels / GRAIN * GRAIN }
}

/// How much of the sum is done at a time: all, unless the crate reads `a` across. For few columns of `b` it does not pack
/// `a`; a column of so many lines stays in the nearest cache even if they compete for an eighth of it.
fn slice<T>(p: &Product) -> usize {
    if p.a[1] != 1 && p.n * size_of::<T>() <= UNPACKED { SLICE } else { p.k.max(1) }
}

/// How a product is made: of the whole product, not of a panel, so that bits do not depend on the number of threads.
#[derive(Clone, Copy)]
enum Way {
    /// By the crate, so much of the sum at a time.
    Slices(usize),
    /// By the crate, with rows and columns of the result in the order that it is good at.
    ItsOrder,
    /// By tiles of ours.
    Tiles,
}

/// How a product is made. The crate packs the factor along whose dimension `c` lies together, and reads the other one where it
/// lies. Where it is sums that lie together in `b`, it reads them one number of each at a time, so that lines of memory displace each
/// other: 2.7 ns for a number where a vector takes a tenth. `x @ w.T` and the gradients of every layer are of this kind: 16 rows by 1024 x
/// 1024 took 3.2 ms so, and take 0.31 in its order; 128 took 5.2, and take 2.6 in our tiles. Many rows by few columns pay for it anyway.
fn way<T>(p: &Product) -> Way {
    let is_across = p.c[1] == 1 && p.b[0] == 1 && p.b[1] != 1;
    if is_across && (8..=KEPT_ROWS).contains(&p.m) && p.n >= 2 * p.m && p.k >= KEPT_SUM {
        Way::ItsOrder
    } else if is_across && p.m > KEPT_ROWS && p.m <= 4 * p.n && has_vectors() {
        Way::Tiles
    } else {
        Way::Slices(slice::<T>(p))
    }
}

/// One batch.
///
/// # Safety
/// As for [`product`].
unsafe fn whole<T: Float + Wide>(p: &Product, way: Way, a: *const T, b: *const T, c: *mut T) {
    match way {
        // SAFETY: our contract.
        Way::ItsOrder => unsafe { in_its_order(p, a, b, c) },
        // SAFETY: our contract.
        Way::Tiles => unsafe { direct::tiles(p, a, b, c) },
        Way::Slices(slice) => {
            for from in (0..p.k.max(1)).step_by(slice) {
                let at = from as isize;
                let part = Product { k: slice.min(p.k - from), ..*p };
                // SAFETY: the slice lies within the matrices.
                unsafe {
                    slice_of(&part, a.offset(at * p.a[1]), b.offset(at * p.b[0]), c, p.adds || from > 0)
                };
            }
        }
    }
}

/// One batch, a number of columns at a time, in the order that the crate is good at, and from there to `c`.
///
/// # Safety
/// As for [`product`].
unsafe fn in_its_order<T: Float>(p: &Product, a: *const T, b: *const T, c: *mut T) {
    let mut kept = [const { MaybeUninit::<T>::uninit() }; KEPT];
    let kept: *mut T = kept.as_mut_ptr().cast();
    // Parts of one size but for one: in parts of up to 64 rows and columns the crate would cut the sum otherwise.
    let parts = p.n.div_ceil(KEPT / p.m);
    for k in 0..parts {
        let from = p.n * k / parts;
        let n = p.n * (k + 1) / parts - from;
        let part = Product { n, c: [1, p.m as isize, 0], ..*p };
        // SAFETY: these columns lie within the matrices; the result has no more numbers than are kept, and all of them are written.
        unsafe {
            slice_of(&part, a, b.offset(from as isize * p.b[1]), kept, false);
            put(&part, kept, c.add(from), p.c[0]);
        }
    }
}

/// Puts a result with one column behind another where its rows are to be, `stride` from one to the next, or adds it there.
///
/// A function of its own, and never part of its caller: LLVM 22 makes a vector loop for the case that `p.m` is 1, takes its
/// number of trips by that case, and divides by the number of parts that this would give before it has asked whether it is so.
/// There are none where the result fills what is kept, and the process dies of the division.
///
/// # Safety
/// `kept` has `p.m * p.n` numbers, and the rows at `c`, which it does not overlap, have `p.n` each.
#[inline(never)]
unsafe fn put<T: Float>(p: &Product, kept: *const T, c: *mut T, stride: isize) {
    for i in 0..p.m {
        for j in 0..p.n {
            // SAFETY: our contract.
            unsafe {
                let (sum, to) = (*kept.add(i + j * p.m), c.offset(i as isize * stride).add(j));
                *to = if p.adds { sum.fused(T::ONE, *to) } else { sum };
            }
        }
    }
}

/// `c = a * b`, or `c += a * b` if it `adds`, by one call.
///
/// # Safety
/// As for [`product`].
unsafe fn slice_of<T: Float>(p: &Product, a: *const T, b: *const T, c: *mut T, adds: bool) {
    // SAFETY: the contract of this function; the target is read if it was written before.
    unsafe {
        gemm::gemm(
            p.m,
            p.n,
            p.k,
            c,
            p.c[1],
            p.c[0],
            adds,
            a,
            p.a[1],
            p.a[0],
            b,
            p.b[1],
            p.b[0],
            T::ONE,
            T::ONE,
            false,
            false,
            false,
            gemm::Parallelism::None,
        );
    }
}
