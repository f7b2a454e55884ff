//! Reductions whose innermost dimension is kept: lanes are rows of accumulators, tile after tile of columns.

use super::blocks::Temporary;
use super::emit::{Binding, Emission, add_term};
use super::reduce::Work;
use super::scalar;
use super::{Lowerer, cost};
use smallvec::{SmallVec, smallvec};
use wengert_ir::kernel::*;

/// Bytes of accumulators of one tile of columns.
const TILE_BYTES: usize = 16 * 1024;

/// A tile of columns.
#[derive(Clone)]
struct Columns {
    lanes: i64,
    atom: u32,
    base: Binding,
    width: i64,
}

/// Rows that are added up at a time.
#[derive(Clone, Copy)]
struct Step {
    /// How many go into each accumulator.
    together: i64,
    /// How many accumulators.
    lanes: i64,
    /// The accumulators begin here.
    first: bool,
}

impl<'m> Lowerer<'m> {
    /// Reductions whose innermost dimension `column` is kept: tile after tile of columns.
    pub(super) fn columns(&mut self, e: &mut Emission<'_>, work: &Work, column: (u32, i64)) {
        let free = work.reductions.iter().all(|r| scalar::order_free(r.combine, r.elem));
        let lanes = if free { 1 } else { LANES };
        let bytes: usize = work.reductions.iter().map(|r| r.elem.size()).sum::<usize>().max(1);
        let tile = ((TILE_BYTES / lanes / bytes) as i64).min(column.1);
        let (full, rest) = (column.1 / tile, column.1 % tile);
        let each = (work.count * tile) as usize;
        let base = |k: KValue| Binding::scaled(k, tile);
        if let Some(grain) = self.grain(full, each, work.arithmetic, 3) {
            let saved = e.bind.clone();
            self.outline(full, grain, |l, from, to| {
                e.import_bindings();
                let k = l.b.open(&[Scalar::I64])[0];
                l.column_tile(e, work, lanes as i64, (column.0, base(k)), tile);
                l.b.end_for((Extent::Value(from), Extent::Value(to)), LoopKind::Sequential, &[], &[]);
            });
            e.bind = saved;
            e.afresh();
        } else if full == 1 {
            self.column_tile(e, work, lanes as i64, (column.0, Binding::default()), tile);
        } else {
            let k = self.b.open(&[Scalar::I64])[0];
            self.column_tile(e, work, lanes as i64, (column.0, base(k)), tile);
            self.b.end_for((Extent::Const(0), Extent::Const(full)), LoopKind::Sequential, &[], &[]);
        }
        if rest > 0 {
            let base = Binding::constant(full * tile);
            self.column_tile(e, work, lanes as i64, (column.0, base), rest);
        }
    }

    /// All rows of `width` columns from a base on.
    fn column_tile(
        &mut self,
        e: &mut Emission<'_>,
        work: &Work,
        lanes: i64,
        column: (u32, Binding),
        width: i64,
    ) {
        let block = if lanes == 1 { work.count } else { BLOCK as i64 };
        let blocks = work.count.div_euclid(block) + (work.count % block != 0) as i64;
        let columns = Columns { lanes, atom: column.0, base: column.1, width };
        if blocks == 1 {
            let rows = self.accumulators(work, &columns);
            self.rows(e, work, &columns, &rows, Binding::default(), work.count);
            return self.store_totals(e, work, &columns, &rows);
        }
        let partials: SmallVec<[Temporary; 2]> =
            work.reductions.iter().map(|r| self.temporary(r.elem, (blocks * width) as usize)).collect();
        let (full, rest) = (work.count / block, work.count % block);
        let one_block = |l: &mut Self, e: &mut Emission<'_>, c: &Columns, bounds: (Extent, Extent)| {
            let rows = l.accumulators(work, c);
            let k = l.b.open(&[Scalar::I64])[0];
            let base = Binding::scaled(k, block);
            l.rows(e, work, c, &rows, base, block);
            for (partial, row) in partials.iter().zip(&rows) {
                l.move_row(row, partial, &[(k, width)], 0, width);
            }
            l.b.end_for(bounds, LoopKind::Sequential, &[], &[]);
        };
        match self.grain(full, (block * width) as usize, work.arithmetic, 3) {
            Some(grain) => {
                let saved = e.bind.clone();
                self.outline(full, grain, |l, from, to| {
                    e.import_bindings();
                    let mut inside = columns.clone();
                    for (v, _) in &mut inside.base.terms {
                        *v = l.b.outer(*v, Scalar::I64);
                    }
                    one_block(l, e, &inside, (Extent::Value(from), Extent::Value(to)));
                });
                e.bind = saved;
                e.afresh();
            }
            None => one_block(self, e, &columns, (Extent::Const(0), Extent::Const(full))),
        }
        if rest > 0 {
            let rows = self.accumulators(work, &columns);
            let base = Binding::constant(full * block);
            self.rows(e, work, &columns, &rows, base, rest);
            for (partial, row) in partials.iter().zip(&rows) {
                self.move_row(row, partial, &[], full * width, width);
            }
        }
        for (partial, r) in partials.iter().zip(&work.reductions) {
            self.tree(partial, blocks, width, r.combine);
        }
        self.store_totals(e, work, &columns, &partials);
    }

    fn accumulators(&mut self, work: &Work, columns: &Columns) -> SmallVec<[Temporary; 2]> {
        let len = columns.lanes.min(work.count) * columns.width;
        work.reductions.iter().map(|r| self.temporary(r.elem, len as usize)).collect()
    }

    /// Accumulates `count` rows from `base` on into lanes, and the lanes into the first.
    fn rows(
        &mut self,
        e: &mut Emission<'_>,
        work: &Work,
        columns: &Columns,
        rows: &[Temporary],
        base: Binding,
        count: i64,
    ) {
        let lanes = columns.lanes;
        let (full, rest) = (count / lanes, count % lanes);
        // The first step takes what the others leave, and begins the accumulators.
        let step = cost::rows_together(work.arithmetic).min(full.max(1));
        let first = match full % step {
            0 => step.min(full),
            left => left,
        };
        if full > 0 {
            self.step(e, work, columns, rows, base.clone(), Step { together: first, lanes, first: true });
            if full > first {
                let i = self.b.open(&[Scalar::I64])[0];
                let mut at = base.clone();
                at.offset += first * lanes;
                at.terms.push((i, step * lanes));
                self.step(e, work, columns, rows, at, Step { together: step, lanes, first: false });
                let steps = (full - first) / step;
                self.b.end_for((Extent::Const(0), Extent::Const(steps)), LoopKind::Sequential, &[], &[]);
            }
        }
        if rest > 0 {
            let mut at = base;
            at.offset += full * lanes;
            self.step(e, work, columns, rows, at, Step { together: 1, lanes: rest, first: full == 0 });
        }
        e.afresh();
        for (row, r) in rows.iter().zip(&work.reductions) {
            self.tree_of(row, lanes.min(count), lanes, columns.width, r.combine);
        }
    }

    /// The rows of a step, from a base on, into the accumulators.
    fn step(
        &mut self,
        e: &mut Emission<'_>,
        work: &Work,
        columns: &Columns,
        rows: &[Temporary],
        base: Binding,
        Step { together, lanes, first }: Step,
    ) {
        let lane = (lanes > 1).then(|| self.b.open(&[Scalar::I64])[0]);
        e.afresh();
        let outside = e.bind.clone();
        let places: SmallVec<[Vec<Binding>; 8]> = (0..together)
            .map(|k| {
                let mut at = base.clone();
                at.offset += k * columns.lanes;
                at.terms.extend(lane.map(|lane| (lane, 1)));
                e.bind = outside.clone();
                self.bind_reduced(e, &work.reduced, at);
                e.bind.clone()
            })
            .collect();
        let j = self.b.open(&[Scalar::I64])[0];
        let mut column = columns.base.clone();
        column.terms.push((j, 1));
        let mut terms: SmallVec<[(KValue, i64); 4]> = smallvec![(j, 1)];
        if let Some(lane) = lane {
            add_term(&mut terms, lane, columns.width);
        }
        let accumulators: SmallVec<[Access; 2]> =
            rows.iter().map(|row| self.at_temporary(row, 0, &terms)).collect();
        // An accumulator begins as the identity, to which adding a number gives that number.
        let mut totals: SmallVec<[Option<KValue>; 2]> = match first {
            true => smallvec![None; rows.len()],
            false => accumulators.iter().map(|at| Some(self.b.load_here(at.clone()))).collect(),
        };
        for place in places {
            e.afresh();
            e.bind = place;
            e.bind[columns.atom as usize] = column.clone();
            let values = self.emit(e, &work.roots());
            for ((total, r), &value) in totals.iter_mut().zip(&work.reductions).zip(&values) {
                let op = KOp::Binary(r.combine.op());
                *total = Some(match *total {
                    Some(total) => self.b.push(op, &[total, value], &[r.elem])[0],
                    None => value,
                });
            }
            for (o, &value) in work.outputs.iter().zip(&values[work.reductions.len()..]) {
                let access = self.access(e, &o.at, &o.position);
                self.b.store(access, value);
            }
        }
        for (at, total) in accumulators.into_iter().zip(totals) {
            self.b.store(at, total.expect("a step has rows"));
        }
        self.b.end_for((Extent::Const(0), Extent::Const(columns.width)), LoopKind::Vector, &[], &[]);
        if lane.is_some() {
            self.b.end_for((Extent::Const(0), Extent::Const(lanes)), LoopKind::Sequential, &[], &[]);
        }
        e.bind = outside;
        e.afresh();
    }

    /// Initial values and totals (the first row of each buffer) into the results.
    fn store_totals(&mut self, e: &mut Emission<'_>, work: &Work, columns: &Columns, totals: &[Temporary]) {
        e.afresh();
        let j = self.b.open(&[Scalar::I64])[0];
        let mut column = columns.base.clone();
        column.terms.push((j, 1));
        e.bind[columns.atom as usize] = column;
        for (total, r) in totals.iter().zip(&work.reductions) {
            let access = self.at_temporary(total, 0, &[(j, 1)]);
            let value = self.b.load_here(access);
            let init = self.b.outer(r.init, r.elem);
            let value = self.b.push(KOp::Binary(r.combine.op()), &[init, value], &[r.elem])[0];
            let (at, position) = r.out.as_ref().expect("columns are kept");
            let access = self.access(e, at, position);
            self.b.store(access, value);
        }
        self.b.end_for((Extent::Const(0), Extent::Const(columns.width)), LoopKind::Vector, &[], &[]);
        e.afresh();
    }

    /// Copies the first `width` elements of a buffer to a place in another.
    fn move_row(
        &mut self,
        from: &Temporary,
        to: &Temporary,
        terms: &[(KValue, i64)],
        offset: i64,
        width: i64,
    ) {
        let j = self.b.open(&[Scalar::I64])[0];
        let access = self.at_temporary(from, 0, &[(j, 1)]);
        let value = self.b.load_here(access);
        let mut terms: SmallVec<[(KValue, i64); 4]> = terms.into();
        terms.push((j, 1));
        let access = self.at_temporary(to, offset, &terms);
        self.b.store(access, value);
        self.b.end_for((Extent::Const(0), Extent::Const(width)), LoopKind::Vector, &[], &[]);
    }
}
