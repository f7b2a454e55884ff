//! Reductions on a device, in the defined order: 16 threads are the 16 lanes of a block of elements.
//!
//! A *unit* is a block of one result. Its threads accumulate a lane each and combine pairwise: by exchange where lanes are
//! neighbours, which is how rows are read in order; through workgroup memory where the neighbours of a thread are its lane of
//! other results, which is how columns are. Results of one block are done then. Of results of several blocks the totals are
//! combined by a second launch over the next power of two: a few of them by one thread, more by a block of threads with a
//! barrier between halvings, and of very many first by launches that each halve them four times.

use super::Lowerer;
use super::emit::{Atoms, Binding, Emission};
use super::reduction::{Reduction, Work};
use crate::lower::space::graph::Graph;
use crate::lower::space::scope::At;
use smallvec::{SmallVec, smallvec};
use wengert_ir::kernel::*;

/// Lanes, and units of a block of threads beside each other.
const WIDE: i64 = LANES as i64;
/// Up to so many elements are combined by one thread without a loop.
const FEW: i64 = 16;
/// Totals that one thread takes in a launch that halves them several times.
const RADIX: i64 = 16;

impl<'m> Lowerer<'m> {
    /// The launches of a reduction; gives the results that are in registers. `by_rows` if what is reduced last goes on in memory.
    pub(in crate::lower) fn launch_reduction(
        &mut self,
        graph: &Graph,
        work: &Work,
        by_rows: bool,
    ) -> Vec<Option<KValue>> {
        let floor = self.b.set_floor();
        let blocks = work.count / BLOCK as i64 + i64::from(work.count % BLOCK as i64 != 0);
        let results: i64 = work.kept.iter().map(|k| k.1).product();
        let units = results * blocks;
        // Results in registers are handed over in memory.
        let outs: Vec<Option<At>> =
            (work.reductions.iter()).map(|r| r.out.is_none().then(|| self.scratch(r.elem, &[1]))).collect();
        let several = work.reductions.iter().filter(|_| blocks > 1);
        let partials: Vec<At> = several.map(|r| self.scratch(r.elem, &[units as usize])).collect();
        let mut e = Emission::new(graph);
        let saved = e.bind.clone();
        if work.count <= FEW && results > 1 {
            self.launch_points(results, |l, point| {
                e.import_bindings();
                l.few(&mut e, work, point, &outs);
            });
        } else {
            self.launch_units(&mut e, work, by_rows, blocks, &outs, &partials);
        }
        e.bind = saved;
        e.afresh();
        if blocks > 1 {
            self.memory.tick();
            self.launch_totals(&mut e, work, by_rows, blocks, &outs, &partials);
        }
        self.b.restore_floor(floor);
        self.memory.tick();
        outs.iter().map(|at| at.as_ref().map(|at| self.load_element(at, 0))).collect()
    }

    /// Binds the kept atoms to those of a result.
    fn bind_kept(&mut self, e: &mut Emission<'_>, kept: &Atoms, number: KValue) {
        let extents: SmallVec<[i64; 4]> = kept.iter().map(|k| k.1).collect();
        let digits = self.digits(number, &extents);
        for (&(atom, _), digit) in kept.iter().zip(digits) {
            e.bind[atom as usize] = Binding::counter(digit);
        }
    }

    /// Stores the results of a reduction: the initial values with the totals.
    pub(in crate::lower) fn finish(
        &mut self,
        e: &mut Emission<'_>,
        work: &Work,
        totals: &[KValue],
        outs: &[Option<At>],
    ) {
        for (k, (r, &total)) in work.reductions.iter().zip(totals).enumerate() {
            let init = self.b.outer(r.init, r.elem);
            let value = self.b.push(KOp::Binary(r.combine.op()), &[init, total], &[r.elem])[0];
            let access = match &r.out {
                Some((at, position)) => self.access(e, at, position),
                None => self.element(outs[k].as_ref().expect("it was given a place"), 0),
            };
            self.b.store(access, value);
        }
    }

    /// A result of so few elements that each is a lane.
    fn few(&mut self, e: &mut Emission<'_>, work: &Work, number: KValue, outs: &[Option<At>]) {
        self.bind_kept(e, &work.kept, number);
        let mut lanes: Vec<SmallVec<[KValue; 4]>> = Vec::new();
        for k in 0..work.count {
            e.afresh();
            let mut rest = k;
            for &(atom, extent) in work.reduced.iter().rev() {
                e.bind[atom as usize] = Binding::constant(rest % extent);
                rest /= extent;
            }
            let values = self.emit(e, &work.roots());
            self.store_outputs(e, work, &values);
            lanes.push(values);
        }
        let totals: SmallVec<[KValue; 4]> = (work.reductions.iter().enumerate())
            .map(|(k, r)| self.pairwise_of(lanes.iter().map(|l| l[k]).collect(), LANES, r))
            .collect();
        self.finish(e, work, &totals, outs);
    }

    /// Combines pairwise over `width` of which the last are not there.
    pub(in crate::lower) fn pairwise_of(
        &mut self,
        mut x: Vec<KValue>,
        width: usize,
        r: &Reduction,
    ) -> KValue {
        let mut half = width / 2;
        while half >= 1 {
            for l in 0..x.len().saturating_sub(half) {
                x[l] = self.b.push(KOp::Binary(r.combine.op()), &[x[l], x[l + half]], &[r.elem])[0];
            }
            x.truncate(half);
            half /= 2;
        }
        x[0]
    }

    /// The lanes of 16 neighbouring threads combined pairwise: the first has their total.
    pub(in crate::lower) fn exchange(&mut self, r: &Reduction, mut total: KValue) -> KValue {
        for mask in [8, 4, 2, 1] {
            let other = self.b.push(KOp::Shuffle(mask), &[total], &[r.elem])[0];
            total = self.b.push(KOp::Binary(r.combine.op()), &[total, other], &[r.elem])[0];
        }
        total
    }

    fn store_outputs(&mut self, e: &mut Emission<'_>, work: &Work, values: &[KValue]) {
        for (o, &value) in work.outputs.iter().zip(&values[work.reductions.len()..]) {
            let access = self.access(e, &o.at, &o.position);
            self.b.store(access, value);
        }
    }

    /// The launch in which 16 threads reduce a block of a result.
    fn launch_units(
        &mut self,
        e: &mut Emission<'_>,
        work: &Work,
        by_rows: bool,
        blocks: i64,
        outs: &[Option<At>],
        partials: &[At],
    ) {
        let device = self.options.target.device.as_ref().expect("launches are for a device");
        let results: i64 = work.kept.iter().map(|k| k.1).product();
        let units = results * blocks;
        let each = WIDE.min(units);
        let groups = (units + each - 1) / each;
        let grid = groups.min(device.blocks);
        let sizes = if by_rows { [WIDE, each, 1] } else { [each, WIDE, 1] };
        self.launch([grid, 1, 1], sizes.map(|n| n as u32), |l| {
            e.import_bindings();
            let (lane, beside) = if by_rows { (Axis::X, Axis::Y) } else { (Axis::Y, Axis::X) };
            let lane = l.b.pure(KOp::ThreadId(lane), &[], Scalar::I64);
            let beside = l.b.pure(KOp::ThreadId(beside), &[], Scalar::I64);
            let group = l.b.pure(KOp::BlockId(Axis::X), &[], Scalar::I64);
            let shared: SmallVec<[MemRef; 2]> = match by_rows {
                true => SmallVec::new(),
                false => {
                    work.reductions.iter().map(|r| l.b.workgroup(r.elem, (WIDE * each) as usize)).collect()
                }
            };
            let looped = grid < groups;
            let group = if looped { l.b.open(&[Scalar::I64])[0] } else { group };
            let size = l.b.int(each);
            let before = l.b.binary(KBinary::Mul, group, size);
            let unit = l.b.binary(KBinary::Add, before, beside);
            let all = l.b.int(units);
            let last = l.b.int(units - 1);
            // Threads beyond the last unit do as it does, with no elements.
            let whole = units % each == 0;
            let place = if whole { unit } else { l.b.binary(KBinary::Min, unit, last) };
            let (result, block) = l.unit_of(place, results, blocks, by_rows);
            l.bind_kept(e, &work.kept, result);
            let count = l.b.int(work.count);
            let (first, mut end) = match block {
                None => (lane, count),
                Some(block) => {
                    let size = l.b.int(BLOCK as i64);
                    let start = l.b.binary(KBinary::Mul, block, size);
                    let end = l.b.binary(KBinary::Add, start, size);
                    (l.b.binary(KBinary::Add, start, lane), l.b.binary(KBinary::Min, end, count))
                }
            };
            if !whole {
                let compare =
                    KOp::Compare(wengert_ir::op::Direction::Lt, wengert_ir::op::CompareType::Signed);
                let is_there = l.b.pure(compare, &[unit, all], Scalar::I1);
                let none = l.b.int(0);
                end = l.b.pure(KOp::Select, &[is_there, end, none], Scalar::I64);
            }
            let totals = l.lane_of_unit(e, work, first, end);
            let store = |l: &mut Self, e: &mut Emission<'_>, totals: &[KValue]| {
                e.afresh();
                let u = if whole { unit } else { l.b.open(&[Scalar::I64])[0] };
                if !whole {
                    // As the result of this unit, which is there.
                    let (result, _) = l.unit_of(u, results, blocks, by_rows);
                    l.bind_kept(e, &work.kept, result);
                }
                if blocks == 1 {
                    l.finish(e, work, totals, outs);
                } else {
                    for (at, &total) in partials.iter().zip(totals) {
                        let mut access = l.element(at, 0);
                        super::emit::add_term(&mut access.terms, u, 1);
                        l.b.store(access, total);
                    }
                }
                if !whole {
                    let bounds = (Extent::Value(unit), Extent::Const(units));
                    l.b.end_steps(bounds, MOST_STEP, LoopKind::Sequential, &[], &[]);
                }
            };
            let once = |l: &mut Self| {
                let bounds = (Extent::Value(lane), Extent::Const(1));
                l.b.end_steps(bounds, WIDE, LoopKind::Sequential, &[], &[]);
            };
            if by_rows {
                let totals: SmallVec<[KValue; 4]> =
                    work.reductions.iter().zip(totals).map(|(r, total)| l.exchange(r, total)).collect();
                l.b.open(&[Scalar::I64]);
                store(l, e, &totals);
                once(l);
            } else {
                for (&mem, &total) in shared.iter().zip(&totals) {
                    let access = Access { mem, offset: 0, terms: smallvec![(lane, each), (beside, 1)] };
                    l.b.store(access, total);
                }
                l.b.push(KOp::Barrier, &[], &[]);
                l.b.open(&[Scalar::I64]);
                let totals: SmallVec<[KValue; 4]> = (work.reductions.iter().zip(&shared))
                    .map(|(r, &mem)| {
                        let lanes = (0..WIDE).map(|k| {
                            let access = Access { mem, offset: k * each, terms: smallvec![(beside, 1)] };
                            l.b.load_here(access)
                        });
                        let lanes = lanes.collect();
                        l.pairwise_of(lanes, LANES, r)
                    })
                    .collect();
                store(l, e, &totals);
                once(l);
                if looped {
                    l.b.push(KOp::Barrier, &[], &[]);
                }
            }
            if looped {
                let group = l.b.pure(KOp::BlockId(Axis::X), &[], Scalar::I64);
                let bounds = (Extent::Value(group), Extent::Const(groups));
                l.b.end_steps(bounds, grid, LoopKind::Sequential, &[], &[]);
            }
        });
    }

    /// The result and the block of a unit: blocks of a row follow each other, columns of a block do.
    fn unit_of(
        &mut self,
        unit: KValue,
        results: i64,
        blocks: i64,
        by_rows: bool,
    ) -> (KValue, Option<KValue>) {
        if blocks == 1 {
            return (unit, None);
        }
        let inner = if by_rows { blocks } else { results };
        let digits = self.digits(unit, &[results * blocks / inner, inner]);
        if by_rows { (digits[0], Some(digits[1])) } else { (digits[1], Some(digits[0])) }
    }

    /// What one thread accumulates: every 16th element from `first` up to `end`.
    pub(in crate::lower) fn lane_of_unit(
        &mut self,
        e: &mut Emission<'_>,
        work: &Work,
        first: KValue,
        end: KValue,
    ) -> SmallVec<[KValue; 4]> {
        let inits: SmallVec<[KValue; 4]> =
            work.reductions.iter().map(|r| self.b.bits(r.combine.identity(r.elem), r.elem)).collect();
        let mut params: SmallVec<[Scalar; 4]> = smallvec![Scalar::I64];
        params.extend(work.types());
        let params = self.b.open(&params);
        e.afresh();
        self.bind_reduced(e, &work.reduced, Binding::counter(params[0]));
        let values = self.emit(e, &work.roots());
        let mut next: SmallVec<[KValue; 4]> = SmallVec::new();
        for (k, r) in work.reductions.iter().enumerate() {
            let op = KOp::Binary(r.combine.op());
            next.push(self.b.push(op, &[params[1 + k], values[k]], &[r.elem])[0]);
        }
        self.store_outputs(e, work, &values);
        let bounds = (Extent::Value(first), Extent::Value(end));
        let totals = self.b.end_steps(bounds, WIDE, LoopKind::Sequential, &inits, &next);
        e.afresh();
        totals.into_iter().collect()
    }

    /// The launches that combine the totals of blocks.
    fn launch_totals(
        &mut self,
        e: &mut Emission<'_>,
        work: &Work,
        by_rows: bool,
        blocks: i64,
        outs: &[Option<At>],
        partials: &[At],
    ) {
        let results: i64 = work.kept.iter().map(|k| k.1).product();
        // From one total of a result to the next, and from a result to the next.
        let (step, row) = if by_rows { (1, blocks) } else { (results, 1) };
        let at = |l: &mut Self, k: usize, offset: i64, terms: &[(KValue, i64)]| {
            let mut access = l.element(&partials[k], offset * step);
            terms.iter().for_each(|&(v, c)| super::emit::add_term(&mut access.terms, v, c));
            access
        };
        let mut left = blocks;
        let mut width = (blocks as u64).next_power_of_two() as i64;
        let many = self.options.target.device.as_ref().map_or(i64::MAX, |device| device.totals);
        while left > many {
            // Totals `width / 16` apart, of which the last may not be there.
            let next = width / RADIX;
            self.launch_points(results * next, |l, point| {
                let digits = l.digits(point, &[results, next]);
                let place = [(digits[0], row), (digits[1], step)];
                for (k, r) in work.reductions.iter().enumerate() {
                    // So many are there for all threads, and one more for some.
                    let whole = left / next;
                    let full: Vec<KValue> = (0..whole)
                        .map(|j| {
                            let access = at(l, k, j * next, &place);
                            l.b.load_here(access)
                        })
                        .collect();
                    let total = if left % next == 0 {
                        l.pairwise_of(full, RADIX as usize, r)
                    } else {
                        // The one after the whole ones, or the identity.
                        let identity = l.b.bits(r.combine.identity(r.elem), r.elem);
                        let more = l.b.open(&[Scalar::I64, r.elem]);
                        let mut access = at(l, k, whole * next, &[(digits[0], row)]);
                        super::emit::add_term(&mut access.terms, more[0], step);
                        let last = l.b.load_here(access);
                        let bounds = (Extent::Value(digits[1]), Extent::Const(left % next));
                        let last =
                            l.b.end_steps(bounds, MOST_STEP, LoopKind::Sequential, &[identity], &[last])[0];
                        let mut all = full;
                        all.push(last);
                        l.pairwise_of(all, RADIX as usize, r)
                    };
                    let access = at(l, k, 0, &place);
                    l.b.store(access, total);
                }
            });
            self.memory.tick();
            (left, width) = (next.min(left), next);
        }
        if left <= FEW {
            return self.launch_few_totals(e, work, left, (step, row), outs, partials);
        }
        let threads = (width / 2).min(256);
        let grid = results.min(self.options.target.device.as_ref().expect("a device").blocks);
        self.launch([grid, 1, 1], [threads as u32, 1, 1], |l| {
            e.import_bindings();
            let thread = l.b.pure(KOp::ThreadId(Axis::X), &[], Scalar::I64);
            let first = l.b.pure(KOp::BlockId(Axis::X), &[], Scalar::I64);
            let looped = grid < results;
            let result = if looped { l.b.open(&[Scalar::I64])[0] } else { first };
            let (mut half, mut rows) = (width / 2, left);
            while half >= 1 {
                if rows > half {
                    let t = l.b.open(&[Scalar::I64])[0];
                    for (k, r) in work.reductions.iter().enumerate() {
                        let place = [(result, row), (t, step)];
                        let (to, from) = (at(l, k, 0, &place), at(l, k, half, &place));
                        let (a, b) = (l.b.load_here(to.clone()), l.b.load_here(from));
                        let sum = l.b.push(KOp::Binary(r.combine.op()), &[a, b], &[r.elem])[0];
                        l.b.store(to, sum);
                    }
                    let bounds = (Extent::Value(thread), Extent::Const(rows - half));
                    l.b.end_steps(bounds, threads, LoopKind::Sequential, &[], &[]);
                    l.b.push(KOp::Barrier, &[], &[]);
                    rows = half;
                }
                half /= 2;
            }
            l.b.open(&[Scalar::I64]);
            l.bind_kept(e, &work.kept, result);
            let totals: SmallVec<[KValue; 4]> = (0..work.reductions.len())
                .map(|k| {
                    let access = at(l, k, 0, &[(result, row)]);
                    l.b.load_here(access)
                })
                .collect();
            l.finish(e, work, &totals, outs);
            let once = (Extent::Value(thread), Extent::Const(1));
            l.b.end_steps(once, MOST_STEP, LoopKind::Sequential, &[], &[]);
            if looped {
                let bounds = (Extent::Value(first), Extent::Const(results));
                l.b.end_steps(bounds, grid, LoopKind::Sequential, &[], &[]);
            }
        });
    }

    /// A few totals of each result, by a thread.
    fn launch_few_totals(
        &mut self,
        e: &mut Emission<'_>,
        work: &Work,
        blocks: i64,
        (step, row): (i64, i64),
        outs: &[Option<At>],
        partials: &[At],
    ) {
        let results: i64 = work.kept.iter().map(|k| k.1).product();
        let width = (blocks as usize).next_power_of_two();
        self.launch_points(results, |l, result| {
            e.import_bindings();
            l.bind_kept(e, &work.kept, result);
            let totals: SmallVec<[KValue; 4]> = (work.reductions.iter().enumerate())
                .map(|(k, r)| {
                    let all = (0..blocks)
                        .map(|j| {
                            let mut access = l.element(&partials[k], j * step);
                            super::emit::add_term(&mut access.terms, result, row);
                            l.b.load_here(access)
                        })
                        .collect();
                    l.pairwise_of(all, width, r)
                })
                .collect();
            l.finish(e, work, &totals, outs);
        });
    }
}
