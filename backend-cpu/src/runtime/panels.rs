//! Tiles of many columns: a block of `b` is packed once for all rows of a piece, and an element of `a` is read where it lies, one
//! number for as many of the result as registers hold.

use super::block::Block;
use super::product::Float;
use super::vector::{LANES, Vector, Wide};
use std::mem::MaybeUninit;

/// Most of the sum that is done at a time. A block of `b` of so many rows streams from the second cache as fast as it is
/// multiplied; measured with 48, 64, 96, 144, 192: 89, 94, 106, 111, 117 in place of 122 GFLOP/s for 64 features of 3 x 3.
const DEPTH: usize = 256;
/// Most bytes of a row of a block of `b`: four vectors of 512 bits.
const ROW: usize = 256;

impl<T: Float + Wide> Block<'_, T> {
    /// Panels of as many columns as `MOST` vectors have, a slice of the sum at a time.
    ///
    /// # Safety
    /// As for [`Self::run`]; the machine has the vectors.
    #[inline(always)]
    pub(super) unsafe fn panels<V: Vector<T>, const MOST: usize>(&self) {
        // Aligned for vectors.
        let mut panel = [const { MaybeUninit::<Line>::uninit() }; DEPTH * ROW / size_of::<Line>()];
        let panel: *mut T = panel.as_mut_ptr().cast();
        let mut distances = [[0isize; 2]; DEPTH];
        let slices = self.depth.div_ceil(DEPTH).max(1);
        let wide = MOST * V::LEN;
        for column in (0..self.p.n).step_by(wide) {
            let columns = wide.min(self.p.n - column);
            let vectors = columns.div_ceil(V::LEN);
            let mut from = 0;
            for slice in 0..slices {
                let depth = self.depth / slices + usize::from(slice < self.depth % slices);
                self.p.depth.fill(self.p.k, [self.p.a[1], self.p.b[0]], from, &mut distances[..depth]);
                from += depth;
                let distances = &distances[..depth];
                // SAFETY: these columns of `b`; `depth` rows of `vectors` vectors fit.
                unsafe {
                    let b = self.b.wrapping_offset((column as isize).wrapping_mul(self.p.b[1]));
                    self.pack::<V>(b, columns, vectors, distances, panel);
                }
                let strip = Strip {
                    block: self,
                    panel,
                    distances,
                    column,
                    last: columns - (vectors - 1) * V::LEN,
                    adds: self.p.adds || slice > 0,
                };
                // SAFETY: the contract of this function; the panel has been packed.
                unsafe {
                    // As many sums as there are registers beside a row of `b` and a number of `a`: 32, or 16.
                    match vectors {
                        4.. => strip.run::<V, 6, 3, 4>(),
                        3 => strip.run::<V, 8, 4, 3>(),
                        2 if MOST == 2 => strip.run::<V, 6, 3, 2>(),
                        2 => strip.run::<V, 8, 4, 2>(),
                        0..2 => strip.run::<V, 8, 4, 1>(),
                    }
                }
            }
        }
    }

    /// Copies some rows of `b` to where they lie together; vectors that are not full are filled up with zeros.
    ///
    /// # Safety
    /// `b` has `columns` columns at the second of the distances; `to` has room for as many rows of `vectors` vectors.
    #[inline(always)]
    unsafe fn pack<V: Vector<T>>(
        &self,
        b: *const T,
        columns: usize,
        vectors: usize,
        distances: &[[isize; 2]],
        to: *mut T,
    ) {
        let wide = vectors * V::LEN;
        if self.p.b[0] == 1 && self.p.is_even && V::LEN > 1 {
            // SAFETY: our contract; the sum walks memory evenly, by one element.
            return unsafe {
                self.pack_across::<V>(b.offset(distances[0][1]), columns, distances.len(), wide, to)
            };
        }
        for (k, &[_, distance]) in distances.iter().enumerate() {
            // SAFETY: our contract.
            unsafe {
                let (row, to) = (b.offset(distance), to.add(k * wide));
                let mut column = 0;
                if self.p.b[1] == 1 {
                    while column + V::LEN <= columns {
                        V::load(row.add(column)).store(to.add(column));
                        column += V::LEN;
                    }
                }
                while column < columns {
                    *to.add(column) = *row.offset(column as isize * self.p.b[1]);
                    column += 1;
                }
                while column < wide {
                    *to.add(column) = T::ZERO;
                    column += 1;
                }
            }
        }
    }

    /// The same where the columns of `b` lie together: squares are transposed, and each line of memory is read once.
    ///
    /// # Safety
    /// `b` has `columns` columns of `depth` numbers; `to` has room for as many rows of `wide` numbers.
    #[inline(always)]
    unsafe fn pack_across<V: Vector<T>>(
        &self,
        b: *const T,
        columns: usize,
        depth: usize,
        wide: usize,
        to: *mut T,
    ) {
        for column in (0..wide).step_by(V::LEN) {
            let count = V::LEN.min(columns - column);
            for k in (0..depth).step_by(V::LEN) {
                let deep = V::LEN.min(depth - k);
                // SAFETY: our contract.
                unsafe {
                    let from = b.offset(column as isize * self.p.b[1]).add(k);
                    let mut square = [V::splat(T::ZERO); LANES];
                    for (j, row) in square.iter_mut().enumerate().take(count) {
                        let from = from.offset(j as isize * self.p.b[1]);
                        *row = if deep == V::LEN { V::load(from) } else { V::load_first(from, deep) };
                    }
                    let square = V::transposed(&square);
                    for (j, row) in square.iter().enumerate().take(deep) {
                        row.store(to.add((k + j) * wide + column));
                    }
                }
            }
        }
    }
}

/// A line of the cache.
#[repr(align(64))]
struct Line(#[expect(dead_code, reason = "room for numbers")] [u8; 64]);

/// A panel of columns for all rows of a block.
struct Strip<'s, 'p, T> {
    block: &'s Block<'p, T>,
    /// Rows of `b`, packed.
    panel: *const T,
    /// Of the columns of `a`, and the rows of `b`.
    distances: &'s [[isize; 2]],
    /// The first column.
    column: usize,
    /// Columns of the last vector.
    last: usize,
    adds: bool,
}

impl<T: Float + Wide> Strip<'_, '_, T> {
    /// Tiles of `R` rows, at the end of `HALF`, of two and of one.
    ///
    /// # Safety
    /// As for [`Block::panels`].
    #[inline(always)]
    unsafe fn run<V: Vector<T>, const R: usize, const HALF: usize, const C: usize>(&self) {
        let p = self.block.p;
        let [mut row, to] = self.block.rows;
        let mut places = [[0isize; 2]; R];
        while row < to {
            let count = R.min(to - row);
            p.rows.fill(p.m, [p.a[0], p.c[0]], row, &mut places[..count]);
            // SAFETY: the contract of this function.
            unsafe {
                if count == R {
                    self.tile::<V, R, C>(&places);
                } else {
                    let mut rest = &places[..count];
                    // Two and two are faster than three and one, whose one waits for its sums.
                    if count != HALF + 1
                        && let Some((half, others)) = rest.split_first_chunk::<HALF>()
                    {
                        self.tile::<V, HALF, C>(half);
                        rest = others;
                    }
                    while let Some((two, others)) = rest.split_first_chunk::<2>() {
                        self.tile::<V, 2, C>(two);
                        rest = others;
                    }
                    rest.iter().for_each(|place| self.tile::<V, 1, C>(std::array::from_ref(place)));
                }
            }
            row += count;
        }
    }

    /// `R` rows of `C` vectors.
    ///
    /// # Safety
    /// As for [`Self::run`]; the rows are there.
    #[inline(always)]
    unsafe fn tile<V: Vector<T>, const R: usize, const C: usize>(&self, places: &[[isize; 2]; R]) {
        // SAFETY: rows and columns are there.
        unsafe {
            let a: [*const T; R] = std::array::from_fn(|r| self.block.a.wrapping_offset(places[r][0]));
            let c: [*mut T; R] =
                std::array::from_fn(|r| self.block.c.offset(places[r][1] + self.column as isize));
            let mut sums = [[V::splat(T::ZERO); C]; R];
            let full = self.last == V::LEN;
            if self.adds {
                for (sums, &c) in sums.iter_mut().zip(&c) {
                    for (j, sum) in sums.iter_mut().enumerate() {
                        *sum = if j + 1 < C || full {
                            V::load(c.add(j * V::LEN))
                        } else {
                            V::load_first(c.add(j * V::LEN), self.last)
                        };
                    }
                }
            }
            let mut from = self.panel;
            for &[distance, _] in self.distances {
                let mut row = [V::splat(T::ZERO); C];
                for (j, row) in row.iter_mut().enumerate() {
                    *row = V::load(from.add(j * V::LEN));
                }
                for (sums, &a) in sums.iter_mut().zip(&a) {
                    let x = V::splat(*a.offset(distance));
                    for (sum, row) in sums.iter_mut().zip(row) {
                        *sum = x.fused(row, *sum);
                    }
                }
                from = from.add(C * V::LEN);
            }
            for (sums, &c) in sums.iter().zip(&c) {
                for (j, sum) in sums.iter().enumerate() {
                    let to = c.add(j * V::LEN);
                    if j + 1 < C || full {
                        sum.store(to);
                    } else {
                        sum.store_first(to, self.last);
                    }
                }
            }
        }
    }
}
