//! Kernels that share a loop over rows, on a device: a block of threads for each row, which stays in workgroup memory.
//!
//! What one kernel makes of a row the next reads after a barrier. Half-warps are blocks of a reduction's order; all threads
//! combine the totals, so each has the result.

use super::Lowerer;
use super::emit::{Atoms, Binding, Emission};
use super::reduction::Part;
use super::reduction::Work;
use crate::lower::space::scope::At;
use smallvec::{SmallVec, smallvec};
use wengert_ir::kernel::*;

/// Threads of a half-warp: the lanes of a block of a reduction.
const HALF: i64 = LANES as i64;
/// Rows shorter than this leave most of a block of threads without work.
const SHORT: i64 = 64;

impl<'m> Lowerer<'m> {
    /// Whether rows of so many elements are the work of a block of threads, with these values in its memory.
    pub(in crate::lower) fn fits_block(&self, row: i64, parts: &[Part], local: &[At]) -> bool {
        let rounded = |bytes: usize| bytes.next_multiple_of(64);
        let kept = local.iter().map(|at| rounded(at.len * self.memory.elem(at.mem).size()));
        let totals = parts.iter().flat_map(|part| match part {
            Part::Reduce(work) => &work.reductions[..],
            Part::Each { .. } => &[],
        });
        let totals = totals.map(|r| rounded(r.elem.size() * (self.row_threads(row) / HALF) as usize));
        let blocks = row / BLOCK as i64 + 1;
        row >= SHORT
            && blocks <= self.row_threads(row) / HALF
            && kept.chain(totals).fold(0, usize::saturating_add) <= MOST_WORKGROUP
    }

    /// Threads for a row.
    fn row_threads(&self, row: i64) -> i64 {
        let most = self.options.target.device.as_ref().map_or(HALF, |d| i64::from(d.threads));
        ((row + 31) / 32 * 32).min(most).max(HALF) / HALF * HALF
    }

    /// The launch over these rows, the longest of which has `row` elements.
    pub(in crate::lower) fn launch_rows(
        &mut self,
        es: &mut [Emission<'_>],
        parts: &[Part],
        rows: &Atoms,
        local: &[At],
        row: i64,
    ) {
        let device = self.options.target.device.as_ref().expect("launches are for a device");
        let threads = self.row_threads(row);
        let count: i64 = rows.iter().map(|r| r.1).product();
        let grid = count.min(device.blocks);
        self.launch([grid, 1, 1], [HALF as u32, (threads / HALF) as u32, 1], |l| {
            es.iter_mut().for_each(Emission::import_bindings);
            for at in local {
                let elem = l.memory.elem(at.mem);
                l.b.keep_shared(at, elem);
            }
            let lane = l.b.pure(KOp::ThreadId(Axis::X), &[], Scalar::I64);
            let half = l.b.pure(KOp::ThreadId(Axis::Y), &[], Scalar::I64);
            let block = l.b.pure(KOp::BlockId(Axis::X), &[], Scalar::I64);
            let size = l.b.int(HALF);
            let before = l.b.binary(KBinary::Mul, half, size);
            let thread = l.b.binary(KBinary::Add, before, lane);
            let looped = grid < count;
            let number = if looped { l.b.open(&[Scalar::I64])[0] } else { block };
            let floor = l.b.set_floor();
            let extents: SmallVec<[i64; 4]> = rows.iter().map(|r| r.1).collect();
            let digits = l.digits(number, &extents);
            for (e, part) in es.iter_mut().zip(parts) {
                for (&(atom, _), &digit) in rows.iter().zip(&digits) {
                    e.bind[atom as usize] = Binding::counter(digit);
                }
                e.afresh();
                match part {
                    Part::Reduce(work) => l.reduce_row(e, work, [lane, half, thread], threads),
                    Part::Each { loops, outputs } => {
                        let extents: SmallVec<[i64; 4]> = loops.atoms.iter().map(|a| a.1).collect();
                        let n: i64 = extents.iter().product();
                        let i = l.b.open(&[Scalar::I64])[0];
                        let digits = l.digits(i, &extents);
                        for (&(atom, _), digit) in loops.atoms.iter().zip(digits) {
                            e.bind[atom as usize] = Binding::counter(digit);
                        }
                        let roots: SmallVec<[u32; 4]> = outputs.iter().map(|o| o.node).collect();
                        let values = l.emit(e, &roots);
                        for (o, value) in outputs.iter().zip(values) {
                            let access = l.access(e, &o.at, &o.position);
                            l.b.store(access, value);
                        }
                        let bounds = (Extent::Value(thread), Extent::Const(n));
                        l.b.end_steps(bounds, threads, LoopKind::Sequential, &[], &[]);
                    }
                }
                e.afresh();
                l.b.push(KOp::Barrier, &[], &[]);
            }
            l.b.restore_floor(floor);
            if looped {
                let bounds = (Extent::Value(block), Extent::Const(count));
                l.b.end_steps(bounds, grid, LoopKind::Sequential, &[], &[]);
            }
        });
    }

    /// The reductions of one row, by all threads of a block.
    fn reduce_row(
        &mut self,
        e: &mut Emission<'_>,
        work: &Work,
        [lane, half, thread]: [KValue; 3],
        threads: i64,
    ) {
        let blocks = work.count / BLOCK as i64 + i64::from(work.count % BLOCK as i64 != 0);
        let [size, count] = [BLOCK as i64, work.count].map(|n| self.b.int(n));
        let start = self.b.binary(KBinary::Mul, half, size);
        let end = self.b.binary(KBinary::Add, start, size);
        let end = self.b.binary(KBinary::Min, end, count);
        let first = self.b.binary(KBinary::Add, start, lane);
        let totals = self.lane_of_unit(e, work, first, end);
        let totals: SmallVec<[KValue; 4]> =
            work.reductions.iter().zip(totals).map(|(r, total)| self.exchange(r, total)).collect();
        let halves = (threads / HALF) as usize;
        let shared: SmallVec<[MemRef; 2]> =
            work.reductions.iter().map(|r| self.b.workgroup(r.elem, halves)).collect();
        self.b.open(&[Scalar::I64]);
        for (&mem, &total) in shared.iter().zip(&totals) {
            let access = Access { mem, offset: 0, terms: smallvec![(half, 1)] };
            self.b.store(access, total);
        }
        let once = (Extent::Value(lane), Extent::Const(1));
        self.b.end_steps(once, HALF, LoopKind::Sequential, &[], &[]);
        self.b.push(KOp::Barrier, &[], &[]);
        let width = (blocks as usize).next_power_of_two();
        let totals: SmallVec<[KValue; 4]> = (work.reductions.iter().zip(&shared))
            .map(|(r, &mem)| {
                let all =
                    (0..blocks).map(|k| self.b.load_here(Access { mem, offset: k, terms: SmallVec::new() }));
                let all = all.collect();
                self.pairwise_of(all, width, r)
            })
            .collect();
        self.b.open(&[Scalar::I64]);
        self.finish(e, work, &totals, &[]);
        let once = (Extent::Value(thread), Extent::Const(1));
        self.b.end_steps(once, threads, LoopKind::Sequential, &[], &[]);
    }
}
