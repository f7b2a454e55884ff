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

impl<'m> Lowerer<'m> {
    /// Reductions whose innermost dimension `column` is kept: tile after tile of columns.
    pub(super) fn columns(&mut self, e: &mut Emission<'_>, work: &Work, column: (u32, i64)) {
        let free = work.reductions.iter().all(|r| scalar::order_free(r.combine, r.elem));
        let lanes = if free { 1 } else { LANES };
        let bytes: usize = work.reductions.iter().map(|r| r.elem.size()).sum::<usize>().max(1);
        let tile = ((TILE_BYTES / lanes / bytes) as i64).min(column.1);
        let (full, rest) = (column.1 / tile, column.1 % tile);
        let each = (work.count * tile) as usize;
        let grain = (self.may_outline() && full > 1)
            .then(|| cost::grain(each * full as usize, work.arithmetic, 3))
            .flatten()
            .map(|g| g.div_ceil(each) as i64)
            .filter(|&g| full >= 2 * g);
        let base = |k: KValue| Binding::scaled(k, tile);
        if let Some(grain) = grain {
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
        let grain = self
            .may_outline()
            .then(|| cost::grain((work.count * width) as usize, work.arithmetic, 3))
            .flatten()
            .map(|g| g.div_ceil((block * width) as usize) as i64)
            .filter(|&g| full >= 2 * g);
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
        match grain {
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
        let (lanes, width) = (columns.lanes, columns.width);
        let used = lanes.min(count);
        let t = self.b.open(&[Scalar::I64])[0];
        for (row, r) in rows.iter().zip(&work.reductions) {
            let identity = self.b.bits(scalar::identity(r.combine, r.elem), r.elem);
            let access = self.at_temporary(row, 0, &[(t, 1)]);
            self.b.store(access, identity);
        }
        self.b.end_for((Extent::Const(0), Extent::Const(used * width)), LoopKind::Vector, &[], &[]);
        let (full, rest) = (count / lanes, count % lanes);
        if lanes == 1 {
            let i = self.b.open(&[Scalar::I64])[0];
            let mut at = base;
            at.terms.push((i, 1));
            self.row(e, work, columns, rows, at, None);
            self.b.end_for((Extent::Const(0), Extent::Const(count)), LoopKind::Sequential, &[], &[]);
        } else {
            if full > 0 {
                let i = self.b.open(&[Scalar::I64])[0];
                let l = self.b.open(&[Scalar::I64])[0];
                let mut at = base.clone();
                at.terms.push((i, lanes));
                at.terms.push((l, 1));
                self.row(e, work, columns, rows, at, Some(l));
                self.b.end_for((Extent::Const(0), Extent::Const(lanes)), LoopKind::Sequential, &[], &[]);
                self.b.end_for((Extent::Const(0), Extent::Const(full)), LoopKind::Sequential, &[], &[]);
            }
            if rest > 0 {
                let l = self.b.open(&[Scalar::I64])[0];
                let mut at = base;
                at.offset += full * lanes;
                at.terms.push((l, 1));
                self.row(e, work, columns, rows, at, Some(l));
                self.b.end_for((Extent::Const(0), Extent::Const(rest)), LoopKind::Sequential, &[], &[]);
            }
        }
        e.afresh();
        for (row, r) in rows.iter().zip(&work.reductions) {
            self.tree_of(row, used, lanes, width, r.combine);
        }
    }

    /// One row into the accumulators of its lane.
    fn row(
        &mut self,
        e: &mut Emission<'_>,
        work: &Work,
        columns: &Columns,
        rows: &[Temporary],
        at: Binding,
        lane: Option<KValue>,
    ) {
        e.afresh();
        self.bind_reduced(e, &work.reduced, at);
        let j = self.b.open(&[Scalar::I64])[0];
        let mut column = columns.base.clone();
        column.terms.push((j, 1));
        e.bind[columns.atom as usize] = column;
        let values = self.emit(e, &work.roots());
        let mut terms: SmallVec<[(KValue, i64); 4]> = smallvec![(j, 1)];
        if let Some(lane) = lane {
            add_term(&mut terms, lane, columns.width);
        }
        for (k, r) in work.reductions.iter().enumerate() {
            let access = self.at_temporary(&rows[k], 0, &terms);
            let old = self.b.load_here(access.clone());
            let op = KOp::Binary(scalar::combining(r.combine));
            let new = self.b.push(op, &[old, values[k]], &[r.elem])[0];
            self.b.store(access, new);
        }
        for (o, &value) in work.outputs.iter().zip(&values[work.reductions.len()..]) {
            let access = self.access(e, &o.at, &o.position);
            self.b.store(access, value);
        }
        self.b.end_for((Extent::Const(0), Extent::Const(columns.width)), LoopKind::Vector, &[], &[]);
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
            let value = self.b.push(KOp::Binary(scalar::combining(r.combine)), &[init, value], &[r.elem])[0];
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
