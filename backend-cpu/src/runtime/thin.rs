//! Matrix products with few columns: vectors lie along what is long in `a`, the rows or the sum, and each element of `a` is
//! read once for up to four columns, or for all of them, where it lies.
//!
//! A library packs both factors to use each element many times; here an element of `a` is used as often as there are columns,
//! and packing it takes longer than to multiply: 4096 x 64 by 64 x 4 with `a` transposed took 228 us so, and takes 55. Bits do not
//! depend on the number of threads; along the sum they depend on how long vectors are.

use super::block::Block;
use super::product::{Float, Product};
use super::vector::{LANES, Vector, Wide};
use std::mem::MaybeUninit;

/// Most columns.
const COLUMNS: usize = 7;
/// Fewest rows.
const ROWS: usize = 16;
/// Fewest elements in a row that vectors are worth.
const RUN: usize = 8;
/// Fewest multiplications, of what is not windows: below, a call takes longer to begin than loops of our own to end. 16 x 16 by 16 x 2
/// took 0.75 in place of 0.50 us, 32 x 32 by 32 x 4 in a batch 0.69 in place of 0.54, 100 x 100 by 100 x 2 takes 2.4 in place of 6.9.
const WORK: usize = 8192;
/// Shortest sum that vectors lie along: shorter ones are expressions. Beside the `gemm` crate 4096 rows by two columns
/// take 9 in place of 32 us at sums of 16 and 9 in place of 20 at sums of 6, by seven columns 27 to 32 in place of 37 and 26 in place of 26.
const LONG: usize = 5;
/// The same of windows, which are copied where sums are shorter.
const WINDOWS: usize = 128;
/// Most of the sum that is done at a time, in vectors of rows.
const DEPTH: usize = 256;
/// The same in vectors of the sum.
const PANEL: usize = 1024;
/// Most columns at a time, in vectors of rows.
const TOGETHER: usize = 4;

/// What vectors lie along.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Along {
    Rows,
    Sum,
}

/// What vectors lie along in a product with few columns, if there is something.
pub(crate) fn along(p: &Product) -> Option<Along> {
    let (rows, depth) = (p.rows.count(p.m), p.depth.count(p.k));
    let work = rows.saturating_mul(depth).saturating_mul(p.n);
    if !(1..=COLUMNS).contains(&p.n) || rows < ROWS {
        return None;
    }
    // What walks memory evenly can be left to other code, which has vectors of other machines too.
    if p.is_even && (work < WORK || !has_vectors()) {
        return None;
    }
    // A single column is left to it where rows lie together: of 2048 x 2048 numbers each is read once, in an order that memory likes
    // less (3.4 ms in place of 1.3).
    if p.a[0] == 1 && p.m >= RUN {
        return (p.n > 1 || !p.is_even).then_some(Along::Rows);
    }
    let is_long = if p.is_even { depth >= LONG } else { p.k >= LANES && depth >= WINDOWS };
    (p.a[1] == 1 && is_long).then_some(Along::Sum)
}

/// Whether the machine has the vectors that loops here are made for.
pub(super) fn has_vectors() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        has!("avx512f") || has!("fma") && has!("avx2")
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Elements of `a` that follow each other in a sum.
#[derive(Clone, Copy)]
struct Segment {
    /// From a row's first element.
    distance: isize,
    /// Where those of `b` are in the panel.
    place: usize,
    len: usize,
}

/// Some columns of `b`, packed for what follows each other in a sum.
struct Panel<'s, T, const N: usize> {
    columns: [*const T; N],
    segments: &'s [Segment],
    /// Whether sums are added to what is there.
    adds: bool,
}

impl<T: Float + Wide> Block<'_, T> {
    /// The rows of this block of a product with few columns, by tiles of `TALL` vectors of rows, or of as many rows as there are
    /// registers for their sums.
    ///
    /// # Safety
    /// As for [`Block::run`]; the machine has the vectors, and the product is [`along`] `by`.
    #[inline(always)]
    pub(super) unsafe fn thin<V: Vector<T>, const TALL: usize>(&self, by: Along) {
        // SAFETY: our contract; what vectors lie along is together in memory, and these columns are there.
        unsafe {
            match (by, self.p.n, TALL > 2) {
                (Along::Rows, ..) => self.thin_rows::<V, TALL>(),
                (Along::Sum, 1, true) => self.along_sum::<V, 1, 16>(),
                (Along::Sum, 2, true) => self.along_sum::<V, 2, 8>(),
                (Along::Sum, 3, true) => self.along_sum::<V, 3, 5>(),
                (Along::Sum, 4, true) => self.along_sum::<V, 4, 4>(),
                (Along::Sum, 5, true) => self.along_sum::<V, 5, 3>(),
                (Along::Sum, 1, false) => self.along_sum::<V, 1, 8>(),
                (Along::Sum, 2, false) => self.along_sum::<V, 2, 4>(),
                (Along::Sum, 3, false) => self.along_sum::<V, 3, 2>(),
                (Along::Sum, 4, false) => self.along_sum::<V, 4, 2>(),
                (Along::Sum, 5, false) => self.along_sum::<V, 5, 2>(),
                (Along::Sum, 6, _) => self.along_sum::<V, 6, 2>(),
                (Along::Sum, 7, _) => self.along_sum::<V, 7, 2>(),
                (Along::Sum, 0 | 8.., _) => unreachable!("few columns"),
            }
        }
    }

    /// All columns, in vectors of rows.
    ///
    /// # Safety
    /// As for [`Self::thin`]; rows lie side by side in `a`.
    #[inline(always)]
    unsafe fn thin_rows<V: Vector<T>, const TALL: usize>(&self) {
        let mut column = 0;
        while column < self.p.n {
            // Five are three and two, and six twice three.
            let left = self.p.n - column;
            let columns = left.div_ceil(left.div_ceil(TOGETHER));
            // SAFETY: our contract; these columns are there.
            unsafe {
                match columns {
                    1 => self.along_rows::<V, 1, TALL>(column),
                    2 => self.along_rows::<V, 2, TALL>(column),
                    3 => self.along_rows::<V, 3, TALL>(column),
                    4.. => self.along_rows::<V, 4, TALL>(column),
                    0 => unreachable!("columns are left"),
                }
            }
            column += columns;
        }
    }

    /// `N` columns from one on, in vectors of rows.
    ///
    /// # Safety
    /// As for [`Self::thin_rows`].
    #[inline(always)]
    unsafe fn along_rows<V: Vector<T>, const N: usize, const TALL: usize>(&self, column: usize) {
        let p = self.p;
        let mut distances = [[0isize; 2]; DEPTH];
        let mut weights = [const { MaybeUninit::<[T; N]>::uninit() }; DEPTH];
        let mut done = 0;
        loop {
            let depth = DEPTH.min(self.depth - done);
            p.depth.fill(p.k, [p.a[1], p.b[0]], done, &mut distances[..depth]);
            for (weights, [_, distance]) in weights.iter_mut().zip(&distances[..depth]) {
                weights.write(std::array::from_fn(|j| {
                    let at = distance.wrapping_add((column + j) as isize * p.b[1]);
                    // SAFETY: an element of `b`.
                    unsafe { *self.b.offset(at) }
                }));
            }
            // SAFETY: so many have been written.
            let weights = unsafe { std::slice::from_raw_parts(weights.as_ptr().cast::<[T; N]>(), depth) };
            let distances = &distances[..depth];
            let adds = p.adds || done > 0;
            let [mut row, to] = self.rows;
            while row < to {
                // Rows up to the end of their dimension.
                let count = (p.m - row % p.m).min(to - row);
                let mut place = [[0isize; 2]];
                p.rows.fill(p.m, [p.a[0], p.c[0]], row, &mut place);
                // SAFETY: these rows are there.
                unsafe {
                    let a = self.a.wrapping_offset(place[0][0]);
                    let c = self.c.offset(place[0][1] + column as isize * p.c[1]);
                    let mut k = 0;
                    while k < count {
                        let (a, c) = (a.wrapping_add(k), c.offset(k as isize * p.c[0]));
                        let left = count - k;
                        if left >= TALL * V::LEN {
                            self.columns::<V, N, TALL>(a, c, distances, weights, TALL * V::LEN, adds);
                            k += TALL * V::LEN;
                        } else {
                            let some = left.min(V::LEN);
                            self.columns::<V, N, 1>(a, c, distances, weights, some, adds);
                            k += some;
                        }
                    }
                }
                row += count;
            }
            done += depth;
            if done >= self.depth {
                return;
            }
        }
    }

    /// `count` rows from `a` and `c` on, which `U` vectors have room for.
    ///
    /// # Safety
    /// As for [`Self::along_rows`].
    #[inline(always)]
    unsafe fn columns<V: Vector<T>, const N: usize, const U: usize>(
        &self,
        a: *const T,
        c: *mut T,
        distances: &[[isize; 2]],
        weights: &[[T; N]],
        count: usize,
        adds: bool,
    ) {
        let full = count == U * V::LEN;
        // SAFETY: our contract; vectors that are not full are the last ones.
        unsafe {
            let mut sums = [[V::splat(T::ZERO); U]; N];
            for (&[distance, _], weights) in distances.iter().zip(weights) {
                let from = a.wrapping_offset(distance);
                let mut x = [V::splat(T::ZERO); U];
                for (u, x) in x.iter_mut().enumerate() {
                    *x = if full { V::load(from.add(u * V::LEN)) } else { V::load_first(from, count) };
                }
                for (sums, &weight) in sums.iter_mut().zip(weights) {
                    let weight = V::splat(weight);
                    for (sum, x) in sums.iter_mut().zip(x) {
                        *sum = x.fused(weight, *sum);
                    }
                }
            }
            self.keep(&sums, c, count, adds);
        }
    }

    /// Writes sums of `count` rows from `c` on, or adds them to what is there.
    ///
    /// # Safety
    /// As for [`Self::along_rows`].
    #[inline(always)]
    unsafe fn keep<V: Vector<T>, const N: usize, const U: usize>(
        &self,
        sums: &[[V; U]; N],
        c: *mut T,
        count: usize,
        adds: bool,
    ) {
        let full = count == U * V::LEN;
        // SAFETY: our contract; vectors that are not full are the last ones.
        unsafe {
            let [by_row, by_column, _] = self.p.c;
            if by_row == 1 {
                for (j, sums) in sums.iter().enumerate() {
                    let to = c.offset(j as isize * by_column);
                    for (u, &sum) in sums.iter().enumerate() {
                        let to = to.add(u * V::LEN);
                        let one = V::splat(T::ONE);
                        if full {
                            let sum = if adds { sum.fused(one, V::load(to)) } else { sum };
                            sum.store(to);
                        } else {
                            let sum = if adds { sum.fused(one, V::load_first(to, count)) } else { sum };
                            sum.store_first(to, count);
                        }
                    }
                }
                return;
            }
            let mut lanes = [[[T::ZERO; LANES]; N]; U];
            for (u, lanes) in lanes.iter_mut().enumerate() {
                for (lanes, sums) in lanes.iter_mut().zip(sums) {
                    sums[u].store(lanes.as_mut_ptr());
                }
            }
            let side_by_side = by_column == 1 && by_row == N as isize;
            for (u, lanes) in lanes.iter().enumerate() {
                let c = c.offset((u * V::LEN) as isize * by_row);
                let row = |k: usize| lanes.each_ref().map(|lanes| lanes[k]);
                if full && side_by_side && !adds {
                    // In a loop of a length that is known.
                    (0..V::LEN).for_each(|k| *c.cast::<[T; N]>().add(k) = row(k));
                    continue;
                }
                for k in 0..count.min(V::LEN) {
                    for (j, sum) in row(k).into_iter().enumerate() {
                        let to = c.offset(k as isize * by_row + j as isize * by_column);
                        *to = if adds { sum.fused(T::ONE, *to) } else { sum };
                    }
                }
            }
        }
    }

    /// All `N` columns, in vectors of what is summed, by tiles of `R` rows.
    ///
    /// # Safety
    /// As for [`Self::thin`]; what is summed lies side by side in `a`.
    #[inline(always)]
    unsafe fn along_sum<V: Vector<T>, const N: usize, const R: usize>(&self) {
        let p = self.p;
        let mut panel = [[MaybeUninit::<T>::uninit(); PANEL]; N];
        let mut segments = [Segment { distance: 0, place: 0, len: 0 }; PANEL / LANES];
        let mut done = 0;
        loop {
            let adds = p.adds || done > 0;
            // Segments begin at places of whole vectors.
            let (mut count, mut place) = (0, 0);
            while done < self.depth && count < segments.len() && place < PANEL {
                let len = (p.k - done % p.k).min(self.depth - done).min(PANEL - place);
                let mut at = [[0isize; 2]];
                p.depth.fill(p.k, [p.a[1], p.b[0]], done, &mut at);
                segments[count] = Segment { distance: at[0][0], place, len };
                let padded = len.next_multiple_of(V::LEN);
                for (j, panel) in panel.iter_mut().enumerate() {
                    let column = j as isize * p.b[1];
                    for (k, to) in panel[place..place + padded].iter_mut().enumerate() {
                        let from = at[0][1].wrapping_add(k as isize * p.b[0]).wrapping_add(column);
                        // SAFETY: an element of `b`; behind the last there are zeros.
                        to.write(unsafe { if k < len { *self.b.offset(from) } else { T::ZERO } });
                    }
                }
                (count, place, done) = (count + 1, place + padded, done + len);
            }
            let segments = &segments[..count];
            let panel =
                Panel { columns: panel.each_ref().map(|panel| panel.as_ptr().cast()), segments, adds };
            // SAFETY: the panel has what segments are of; the rest is our contract.
            unsafe { self.all_rows::<V, N, R>(&panel) };
            if done >= self.depth {
                return;
            }
        }
    }

    /// All rows with what the panel has of the sum, `R` at a time.
    ///
    /// # Safety
    /// As for [`Self::along_sum`]; the panel has `N` columns of what its segments are of.
    #[inline(always)]
    unsafe fn all_rows<V: Vector<T>, const N: usize, const R: usize>(&self, panel: &Panel<T, N>) {
        let p = self.p;
        let [first, to] = self.rows;
        let mut row = first;
        let mut places = [[0isize; 2]; R];
        // Whether results of rows that follow each other in their dimension do so in memory.
        let is_dense = p.c[0] == N as isize && (N == 1 || p.c[1] == 1);
        while row < to {
            let left = to - row;
            if left < R && (panel.adds || to - first < R) {
                p.rows.fill(p.m, [p.a[0], p.c[0]], row, &mut places[..left]);
                for place in &places[..left] {
                    // SAFETY: the contract of this function; the row is there.
                    unsafe { self.tile::<V, N, 1>(std::array::from_ref(place), panel, is_dense) };
                }
                return;
            }
            // The last rows, some of which have been done; they get what they have.
            row = row.min(to - R);
            // Rows up to the end of their dimension, or across it.
            let count = (p.m - row % p.m).min(to - row);
            p.rows.fill(p.m, [p.a[0], p.c[0]], row, &mut places);
            let tiles = (count / R).max(1);
            for _ in 0..tiles {
                // SAFETY: the contract of this function; the rows are there.
                unsafe { self.tile::<V, N, R>(&places, panel, is_dense && count >= R) };
                for [a, c] in &mut places {
                    *a = a.wrapping_add(R as isize * p.a[0]);
                    *c = c.wrapping_add(R as isize * p.c[0]);
                }
            }
            row += tiles * R;
        }
    }

    /// `R` rows, whose results are one after the other in memory if they are dense.
    ///
    /// # Safety
    /// As for [`Self::all_rows`]; these rows are there.
    #[inline(always)]
    unsafe fn tile<V: Vector<T>, const N: usize, const R: usize>(
        &self,
        places: &[[isize; 2]; R],
        panel: &Panel<T, N>,
        is_dense: bool,
    ) {
        const { assert!(R * N <= LANES) };
        // SAFETY: our contract; a vector that is not full is the last one of its segment, and zeros follow in the panel.
        unsafe {
            let mut sums = [[V::splat(T::ZERO); N]; R];
            for segment in panel.segments {
                let a = places.map(|[at, _]| self.a.wrapping_offset(at.wrapping_add(segment.distance)));
                let b = panel.columns.map(|column| column.add(segment.place));
                let mut k = 0;
                while k < segment.len {
                    let left = segment.len - k;
                    let b = b.map(|b| V::load(b.add(k)));
                    for (sums, a) in sums.iter_mut().zip(a) {
                        let x =
                            if left >= V::LEN { V::load(a.add(k)) } else { V::load_first(a.add(k), left) };
                        for (sum, b) in sums.iter_mut().zip(b) {
                            *sum = x.fused(b, *sum);
                        }
                    }
                    k += V::LEN;
                }
            }
            let mut flat = [V::splat(T::ZERO); LANES];
            for (flat, sums) in flat.chunks_exact_mut(N).zip(sums) {
                flat.copy_from_slice(&sums);
            }
            let mut lanes = [T::ZERO; LANES];
            for from in (0..R * N).step_by(V::LEN) {
                let count = V::LEN.min(R * N - from);
                let mut some = [V::splat(T::ZERO); LANES];
                some[..V::LEN].copy_from_slice(&flat[from..from + V::LEN]);
                let totals = V::totals(&some);
                if !is_dense || panel.adds {
                    totals.store(lanes[from..].as_mut_ptr());
                } else if count == V::LEN {
                    totals.store(self.c.offset(places[0][1]).add(from));
                } else {
                    totals.store_first(self.c.offset(places[0][1]).add(from), count);
                }
            }
            if is_dense && !panel.adds {
                return;
            }
            for (r, [_, at]) in places.iter().enumerate() {
                for j in 0..N {
                    let sum = lanes[r * N + j];
                    let to = self.c.offset(at + j as isize * self.p.c[1]);
                    *to = if panel.adds { sum.fused(T::ONE, *to) } else { sum };
                }
            }
        }
    }
}
