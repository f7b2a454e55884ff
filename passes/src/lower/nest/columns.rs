//! Reductions whose innermost dimension is kept: lanes are rows of accumulators, tile after tile of columns. A row of few
//! columns is taken together with its neighbours along a second kept dimension, a *band*, so that memory is walked in
//! long pieces.

use super::Lowerer;
use super::blocks::Temporary;
use super::emit::{Binding, Emission, add_term};
use super::reduction::Work;
use crate::cost::Target;
use crate::lower::plan::cut::even;
use smallvec::{SmallVec, smallvec};
use wengert_ir::kernel::*;

/// Kept dimensions that a tile is made of: the columns, or a band and the columns.
pub(in crate::lower) type Kept = SmallVec<[(u32, i64); 2]>;

/// A tile of columns.
#[derive(Clone)]
pub(in crate::lower) struct Columns {
    pub(in crate::lower) lanes: i64,
    /// Dimensions, outer to inner: the atom, where the tile begins, and its extent.
    pub(in crate::lower) dims: SmallVec<[(u32, Binding, i64); 2]>,
    /// Whether rows go on into each other: they are whole, and one loop goes over those of several lanes.
    pub(in crate::lower) joint: bool,
    /// An atom that counts the columns of the tile, of the only dimension.
    pub(in crate::lower) within: Option<u32>,
}

impl Columns {
    /// Elements of a row.
    fn width(&self) -> i64 {
        self.dims.iter().map(|d| d.2).product()
    }

    /// Rows of so many lanes as one.
    fn joined(&self, lanes: i64) -> Columns {
        let mut columns = self.clone();
        columns.dims[0].2 *= lanes;
        columns
    }
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

/// Accumulators of a column: sums of floats have as many as blocks have lanes.
pub(in crate::lower) fn lanes(work: &Work) -> i64 {
    if work.free() { 1 } else { LANES as i64 }
}

/// How much of the outer of the `kept` dimensions a tile takes, and the elements of the others.
fn tile(target: &Target, work: &Work, kept: &Kept) -> (i64, i64) {
    let bytes: usize = work.reductions.iter().map(|r| r.elem.size()).sum::<usize>().max(1);
    let (&(_, extent), inner) = kept.split_first().expect("there are columns");
    let row: i64 = inner.iter().map(|d| d.1).product();
    let most = ((target.accumulators / bytes) as i64 / lanes(work) / row).clamp(1, extent);
    (if inner.is_empty() { most } else { even(extent, most) }, row)
}

/// Whether an outlined kernel has room for a tile's accumulators, those of its last rows and the totals of its blocks.
pub(in crate::lower) fn fits(target: &Target, work: &Work, kept: &Kept) -> bool {
    let (tile, row) = tile(target, work, kept);
    let blocks = if work.free() { 1 } else { work.count / BLOCK as i64 + 1 };
    work.bytes_of((2 * lanes(work) + blocks) * tile * row, 3) <= MOST_LOCAL
}

impl<'m> Lowerer<'m> {
    /// Reductions whose innermost dimensions `kept` are kept: tile after tile of columns.
    pub(in crate::lower) fn columns(&mut self, e: &mut Emission<'_>, work: &Work, kept: &Kept) {
        let (tile, row) = tile(self.options.target, work, kept);
        let (&(atom, extent), inner) = kept.split_first().expect("there are columns");
        let columns = |base: Binding, count: i64| {
            let inner = inner.iter().map(|&(atom, n)| (atom, Binding::default(), n));
            let dims = std::iter::once((atom, base, count)).chain(inner).collect();
            let joint = work.joint && kept.len() == 1 && tile == extent;
            Columns { lanes: lanes(work), dims, joint, within: None }
        };
        let (full, rest) = (extent / tile, extent % tile);
        let each = (work.count * tile * row) as usize;
        let base = |k: KValue| Binding::scaled(k, tile);
        let grain = self.grain(full, each, work.arithmetic, 3);
        if let Some(grain) = grain.filter(|_| fits(self.options.target, work, kept)) {
            let saved = e.bind.clone();
            self.outline(full, grain, |l, from, to| {
                e.import_bindings();
                let k = l.b.open(&[Scalar::I64])[0];
                l.column_tile(e, work, &columns(base(k), tile));
                l.b.end_for((Extent::Value(from), Extent::Value(to)), LoopKind::Sequential, &[], &[]);
            });
            e.bind = saved;
            e.afresh();
        } else if full == 1 {
            self.column_tile(e, work, &columns(Binding::default(), tile));
        } else {
            let k = self.b.open(&[Scalar::I64])[0];
            self.column_tile(e, work, &columns(base(k), tile));
            self.b.end_for((Extent::Const(0), Extent::Const(full)), LoopKind::Sequential, &[], &[]);
        }
        if rest > 0 {
            self.column_tile(e, work, &columns(Binding::constant(full * tile), rest));
        }
    }

    /// All rows of a tile of columns.
    pub(in crate::lower) fn column_tile(&mut self, e: &mut Emission<'_>, work: &Work, columns: &Columns) {
        let (lanes, width) = (columns.lanes, columns.width());
        let block = if lanes == 1 { work.count } else { BLOCK as i64 };
        let blocks = work.count.div_euclid(block) + (work.count % block != 0) as i64;
        if blocks == 1 {
            let rows = self.accumulators(work, columns);
            self.rows(e, work, columns, &rows, Binding::default(), work.count);
            return self.store_totals(e, work, columns, &rows);
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
                    for (v, _) in inside.dims.iter_mut().flat_map(|d| &mut d.1.terms) {
                        *v = l.b.outer(*v, Scalar::I64);
                    }
                    one_block(l, e, &inside, (Extent::Value(from), Extent::Value(to)));
                });
                e.bind = saved;
                e.afresh();
            }
            None => one_block(self, e, columns, (Extent::Const(0), Extent::Const(full))),
        }
        if rest > 0 {
            let rows = self.accumulators(work, columns);
            let base = Binding::constant(full * block);
            self.rows(e, work, columns, &rows, base, rest);
            for (partial, row) in partials.iter().zip(&rows) {
                self.move_row(row, partial, &[], full * width, width);
            }
        }
        for (partial, r) in partials.iter().zip(&work.reductions) {
            self.tree(partial, blocks, width, r.combine);
        }
        self.store_totals(e, work, columns, &partials);
    }

    fn accumulators(&mut self, work: &Work, columns: &Columns) -> SmallVec<[Temporary; 2]> {
        let len = columns.lanes.min(work.count) * columns.width();
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
        let step = self.options.target.rows_together(work.arithmetic).min(full.max(1));
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
            self.tree_of(row, lanes.min(count), lanes, columns.width(), r.combine);
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
        let joined = (lanes > 1 && columns.joint).then(|| columns.joined(lanes));
        let lane = (lanes > 1 && joined.is_none()).then(|| self.b.open(&[Scalar::I64])[0]);
        e.afresh();
        let outside = e.bind.clone();
        let places = self.row_bindings(e, work, columns, &base, together, lane);
        let walked = joined.as_ref().unwrap_or(columns);
        let (column, mut terms) = self.open_columns(walked);
        if let Some(lane) = lane {
            add_term(&mut terms, lane, columns.width());
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
            bind_columns(e, &column);
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
        self.close_columns(walked);
        if lane.is_some() {
            self.b.end_for((Extent::Const(0), Extent::Const(lanes)), LoopKind::Sequential, &[], &[]);
        }
        e.bind = outside;
        e.afresh();
    }

    /// What atoms are bound to for each of the rows that go into an accumulator.
    fn row_bindings(
        &mut self,
        e: &mut Emission<'_>,
        work: &Work,
        columns: &Columns,
        base: &Binding,
        together: i64,
        lane: Option<KValue>,
    ) -> SmallVec<[Vec<Binding>; 8]> {
        let outside = e.bind.clone();
        (0..together)
            .map(|k| {
                let mut at = base.clone();
                at.offset += k * columns.lanes;
                at.terms.extend(lane.map(|lane| (lane, 1)));
                e.bind = outside.clone();
                self.bind_reduced(e, &work.reduced, at);
                e.bind.clone()
            })
            .collect()
    }

    /// Initial values and totals (the first row of each buffer) into the results.
    fn store_totals(&mut self, e: &mut Emission<'_>, work: &Work, columns: &Columns, totals: &[Temporary]) {
        e.afresh();
        let (column, terms) = self.open_columns(columns);
        bind_columns(e, &column);
        for (total, r) in totals.iter().zip(&work.reductions) {
            let access = self.at_temporary(total, 0, &terms);
            let value = self.b.load_here(access);
            let init = self.b.outer(r.init, r.elem);
            let value = self.b.push(KOp::Binary(r.combine.op()), &[init, value], &[r.elem])[0];
            let (at, position) = r.out.as_ref().expect("columns are kept");
            let access = self.access(e, at, position);
            self.b.store(access, value);
        }
        self.close_columns(columns);
        e.afresh();
    }

    /// Begins the loops over the columns of a tile: what their atoms are bound to, and the position in a row.
    fn open_columns(&mut self, columns: &Columns) -> (Bound, SmallVec<[(KValue, i64); 4]>) {
        let mut step = columns.width();
        let mut terms = SmallVec::new();
        let mut within = None;
        let bound = columns.dims.iter().map(|(atom, base, extent)| {
            step /= extent;
            let counter = self.b.open(&[Scalar::I64])[0];
            terms.push((counter, step));
            within = columns.within.map(|atom| (atom, Binding::counter(counter)));
            let mut at = base.clone();
            at.terms.push((counter, 1));
            (*atom, at)
        });
        let mut bound: Bound = bound.collect();
        bound.extend(within);
        (bound, terms)
    }

    /// Ends them.
    fn close_columns(&mut self, columns: &Columns) {
        for (k, dim) in columns.dims.iter().rev().enumerate() {
            let kind = if k == 0 { LoopKind::Vector } else { LoopKind::Sequential };
            self.b.end_for((Extent::Const(0), Extent::Const(dim.2)), kind, &[], &[]);
        }
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

/// Atoms and what they are bound to.
type Bound = SmallVec<[(u32, Binding); 2]>;

fn bind_columns(e: &mut Emission<'_>, column: &Bound) {
    for (atom, at) in column {
        e.bind[*atom as usize] = at.clone();
    }
}
