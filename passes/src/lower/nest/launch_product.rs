//! Matrix products of ours on a device, for where no vendor's library is: tiles through workgroup memory.
//!
//! A block of 16 x 16 threads computes a tile of the product, one or 4 x 4 elements a thread. Step by step of 16 along the
//! contraction it brings a tile of each factor into workgroup memory, waits, and multiplies. The last step ends where the
//! contraction does; rows and columns beyond an edge are copies of the last, and not stored. A sum is one fused multiply-add after
//! the other.

use super::Lowerer;
use super::emit::add_term;
use crate::lower::space::scope::At;
use smallvec::{SmallVec, smallvec};
use wengert_ir::kernel::*;

/// Threads of a block along each side, and steps of the contraction that are in workgroup memory at a time.
const SIDE: i64 = 16;
/// Elements of a thread along each side, where the product is large enough.
const EACH: i64 = 4;

/// A matrix in memory, with a batch: where it is, and elements from one batch, row and column to the next.
pub(in crate::lower) struct Factor {
    pub(in crate::lower) at: At,
    pub(in crate::lower) strides: [i64; 3],
}

impl Factor {
    /// The same, with as many elements as it spans.
    fn spanning(mut self, sizes: [i64; 3]) -> Self {
        let farthest: i64 = sizes.iter().zip(self.strides).map(|(&n, stride)| (n - 1) * stride).sum();
        self.at.len = farthest as usize + 1;
        self
    }
}

/// A factor as a block of threads takes a tile of it.
struct Tile<'f> {
    factor: &'f Factor,
    /// Its part of workgroup memory, and elements from one step of the contraction to the next there.
    mem: MemRef,
    width: i64,
    /// Rows or columns that are not contracted: how many, and the first of this block.
    count: i64,
    first: KValue,
    /// Of the factor: strides along these and along the contraction.
    along: i64,
    inner: i64,
}

impl<'m> Lowerer<'m> {
    /// The launch of a product of such sizes: batches, rows, columns, contraction. `false` if there is no grid for it.
    pub(in crate::lower) fn launch_product(
        &mut self,
        elem: Scalar,
        [batches, rows, columns, depth]: [i64; 4],
        [a, b, c]: [Factor; 3],
        adds: bool,
    ) -> bool {
        let each = if rows >= SIDE * EACH && columns >= SIDE * EACH { EACH } else { 1 };
        let tile = SIDE * each;
        let tiles = |n: i64| (n + tile - 1) / tile;
        let grid = [tiles(columns), tiles(rows), batches];
        if grid[1] > launch::MOST_BLOCKS[1] || batches > launch::MOST_BLOCKS[2] {
            return false;
        }
        let a = a.spanning([batches, rows, depth]);
        let b = b.spanning([batches, depth, columns]);
        let c = c.spanning([batches, rows, columns]);
        self.launch(grid, [SIDE as u32, SIDE as u32, 1], |l| {
            let [x, y] = [Axis::X, Axis::Y].map(|axis| l.b.pure(KOp::ThreadId(axis), &[], Scalar::I64));
            let [across, down, batch] =
                [Axis::X, Axis::Y, Axis::Z].map(|axis| l.b.pure(KOp::BlockId(axis), &[], Scalar::I64));
            let size = l.b.int(tile);
            let [column, row] = [across, down].map(|n| l.b.binary(KBinary::Mul, n, size));
            let shared = [(); 2].map(|()| l.b.workgroup(elem, (SIDE * tile) as usize));
            let tile_of = |factor, mem, (count, first), (along, inner)| Tile {
                factor,
                mem,
                width: tile,
                count,
                first,
                along,
                inner,
            };
            let factors = [
                tile_of(&a, shared[0], (rows, row), (a.strides[1], a.strides[2])),
                tile_of(&b, shared[1], (columns, column), (b.strides[2], b.strides[1])),
            ];
            let zero = l.b.bits(0, elem);
            let mine = (each * each) as usize;
            let sums: SmallVec<[KValue; 16]> = smallvec![zero; mine];
            let mut params: SmallVec<[Scalar; 18]> = smallvec![Scalar::I64];
            params.extend(std::iter::repeat_n(elem, mine));
            let outer = l.b.open(&params);
            for factor in &factors {
                l.bring(factor, [x, y], batch, outer[0], depth, each);
            }
            l.b.push(KOp::Barrier, &[], &[]);
            let end = if depth % SIDE == 0 {
                Extent::Const(SIDE)
            } else {
                let [all, most] = [depth, SIDE].map(|n| l.b.int(n));
                let left = l.b.binary(KBinary::Sub, all, outer[0]);
                Extent::Value(l.b.binary(KBinary::Min, left, most))
            };
            let inner = l.b.open(&params);
            let read = |l: &mut Self, mem: MemRef, thread: KValue, k: i64| {
                let terms = smallvec![(inner[0], tile), (thread, 1)];
                l.b.load_here(Access { mem, offset: k * SIDE, terms })
            };
            let left: SmallVec<[KValue; 4]> = (0..each).map(|k| read(l, shared[0], y, k)).collect();
            let right: SmallVec<[KValue; 4]> = (0..each).map(|k| read(l, shared[1], x, k)).collect();
            let mut next: SmallVec<[KValue; 16]> = SmallVec::new();
            for (k, &sum) in inner[1..].iter().enumerate() {
                let (i, j) = (k / each as usize, k % each as usize);
                next.push(l.b.push(KOp::Fma, &[left[i], right[j], sum], &[elem])[0]);
            }
            // The last step may be shorter than the others.
            let steps = (Extent::Const(0), end);
            let sums_here = l.b.end_for(steps, LoopKind::Sequential, &outer[1..], &next);
            l.b.push(KOp::Barrier, &[], &[]);
            let all = (Extent::Const(0), Extent::Const(depth));
            let sums = l.b.end_steps(all, SIDE, LoopKind::Sequential, &sums, &sums_here);
            let whole = rows % tile == 0 && columns % tile == 0;
            for (k, &sum) in sums.iter().enumerate() {
                let (i, j) = (k as i64 / each, k as i64 % each);
                let [di, dj] = [i, j].map(|n| l.b.int(n * SIDE));
                let place = |l: &mut Self, first: KValue, thread: KValue, more: KValue| {
                    let at = l.b.binary(KBinary::Add, first, thread);
                    l.b.binary(KBinary::Add, at, more)
                };
                let (mut r, mut q) = (place(l, row, y, di), place(l, column, x, dj));
                let bounds = [(r, rows), (q, columns)];
                if !whole {
                    r = l.b.open(&[Scalar::I64])[0];
                    q = l.b.open(&[Scalar::I64])[0];
                }
                let mut access = l.element(&c.at, 0);
                for (v, stride) in [batch, r, q].into_iter().zip(c.strides) {
                    add_term(&mut access.terms, v, stride);
                }
                let mut value = sum;
                if adds {
                    let old = l.b.load_here(access.clone());
                    value = l.b.push(KOp::Binary(KBinary::Add), &[old, sum], &[elem])[0];
                }
                l.b.store(access, value);
                if !whole {
                    for (first, n) in bounds.into_iter().rev() {
                        let bounds = (Extent::Value(first), Extent::Const(n));
                        l.b.end_steps(bounds, MOST_STEP, LoopKind::Sequential, &[], &[]);
                    }
                }
            }
        });
        true
    }

    /// Brings a tile of a factor into workgroup memory, from step `start` of the contraction on: neighbouring threads bring
    /// neighbours along whichever of the two lies closer in memory.
    fn bring(
        &mut self,
        t: &Tile<'_>,
        [x, y]: [KValue; 2],
        batch: KValue,
        start: KValue,
        depth: i64,
        each: i64,
    ) {
        let (step, place) = if t.inner < t.along { (x, y) } else { (y, x) };
        let inner = self.b.binary(KBinary::Add, start, step);
        let last = self.b.int(depth - 1);
        let near = self.b.binary(KBinary::Min, inner, last);
        for k in 0..each {
            let more = self.b.int(k * SIDE);
            let within = self.b.binary(KBinary::Add, place, more);
            let along = self.b.binary(KBinary::Add, t.first, within);
            let edge = self.b.int(t.count - 1);
            let along = self.b.binary(KBinary::Min, along, edge);
            let mut access = self.element(&t.factor.at, 0);
            for (v, stride) in [(batch, t.factor.strides[0]), (along, t.along), (near, t.inner)] {
                add_term(&mut access.terms, v, stride);
            }
            let value = self.b.load_here(access);
            let terms = smallvec![(step, t.width), (within, 1)];
            self.b.store(Access { mem: t.mem, offset: 0, terms }, value);
        }
    }
}
