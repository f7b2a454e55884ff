//! Totals of reductions whose innermost dimension is reduced: blocks of lanes, combined pairwise.

use super::Lowerer;
use super::emit::{Binding, Emission, Output, add_term};
use super::reduction::{Reduction, Work};
use crate::lower::space::graph::Graph;
use crate::lower::space::index::{Affine, Var};
use crate::lower::space::scope::At;
use smallvec::{SmallVec, smallvec};
use wengert_ir::kernel::*;

/// A buffer inside a kernel: scratch memory in the entry, the machine stack in an outlined kernel.
pub(in crate::lower) enum Temporary {
    Scratch(At),
    Local(MemRef),
}

impl<'m> Lowerer<'m> {
    /// Reductions whose blocks would cut across rows: what they reduce is stored first, in the order in which it
    /// is reduced.
    pub(in crate::lower) fn reduce_stored(
        &mut self,
        graph: &Graph,
        is_reduced: &[bool],
        reductions: Vec<Reduction>,
        mut outputs: Vec<Output>,
    ) -> Vec<Option<KValue>> {
        let mut position = Affine::default();
        let mut step = 1;
        for part in [true, false] {
            for a in (0..graph.atoms.len()).rev().filter(|&a| is_reduced[a] == part) {
                position.add_term(Var::Atom(a as u32), step);
                step *= graph.atoms[a];
            }
        }
        let count: i64 = (0..graph.atoms.len()).filter(|&a| is_reduced[a]).map(|a| graph.atoms[a]).product();
        let (count, kept) = (count as usize, (step / count) as usize);
        let mut stored = Graph::new(&[kept, count], false);
        let here = stored.here();
        let (row, element) = (stored.indices(here)[0].clone(), stored.position(here, &[kept, count]));
        let mut next = Vec::new();
        for r in reductions {
            let at = self.scratch(r.elem, &[kept, count]);
            outputs.push(Output { at: at.clone(), position: position.clone(), node: r.node });
            let node = stored.node(crate::lower::space::graph::NodeOp::Load(at, element.clone()), r.elem);
            // Of a reduction that is written out, each copy has rows of its own, or each row the copies side by side.
            let out = r.out.map(|(at, position)| {
                let kept = (0..graph.atoms.len()).rev().find(|&a| !is_reduced[a] && graph.atoms[a] > 1);
                let step = kept.map_or(1, |a| position.coefficient(Var::Atom(a as u32)));
                (at, row.scaled(step, position.offset))
            });
            next.push(Reduction { node, out, ..r });
        }
        self.nest(graph, &outputs);
        self.memory.tick();
        self.reduce_nest(&mut stored, &smallvec![1], next, Vec::new())
    }

    /// Totals where the order does not matter: row by row.
    pub(in crate::lower) fn free_totals(
        &mut self,
        e: &mut Emission<'_>,
        work: &Work,
        reduced: &[(u32, i64)],
    ) -> SmallVec<[KValue; 4]> {
        let [(atom, extent), inner @ ..] = reduced else { unreachable!("something is reduced") };
        if inner.is_empty() {
            return self.totals(e, work, reduced);
        }
        let inits: SmallVec<[KValue; 4]> =
            work.reductions.iter().map(|r| self.b.bits(r.combine.identity(r.elem), r.elem)).collect();
        let mut params: SmallVec<[Scalar; 4]> = smallvec![Scalar::I64];
        params.extend(work.types());
        let params = self.b.open(&params);
        e.bind[*atom as usize] = Binding::counter(params[0]);
        let totals = self.free_totals(e, work, inner);
        let next: SmallVec<[KValue; 4]> = (work.reductions.iter().enumerate())
            .map(|(k, r)| self.b.binary(r.combine.op(), params[1 + k], totals[k]))
            .collect();
        let bounds = (Extent::Const(0), Extent::Const(*extent));
        let out = self.b.end_for(bounds, LoopKind::Sequential, &inits, &next);
        e.afresh();
        out.into_iter().collect()
    }

    /// Totals over the elements of `reduced`, the innermost dimension of all.
    pub(in crate::lower) fn totals(
        &mut self,
        e: &mut Emission<'_>,
        work: &Work,
        reduced: &[(u32, i64)],
    ) -> SmallVec<[KValue; 4]> {
        let block = BLOCK as i64;
        let n: i64 = reduced.iter().map(|r| r.1).product();
        let blocks = n / block + (n % block != 0) as i64;
        if blocks == 1 {
            return self.lanes(e, work, reduced, Binding::default(), n);
        }
        let target = self.options.target;
        if blocks <= target.blocks && (blocks == 2 || work.arithmetic <= target.block_arithmetic) {
            let mut partials: Vec<SmallVec<[KValue; 4]>> = (0..blocks)
                .map(|k| {
                    let base = Binding::constant(k * block);
                    self.lanes(e, work, reduced, base, block.min(n - k * block))
                })
                .collect();
            let mut width = (blocks as usize).next_power_of_two() / 2;
            while width >= 1 {
                for l in 0..partials.len().saturating_sub(width) {
                    for (k, r) in work.reductions.iter().enumerate() {
                        let op = r.combine.op();
                        partials[l][k] = self.b.binary(op, partials[l][k], partials[l + width][k]);
                    }
                }
                partials.truncate(width);
                width /= 2;
            }
            return partials.swap_remove(0);
        }
        let buffers: SmallVec<[Temporary; 2]> =
            work.reductions.iter().map(|r| self.temporary(r.elem, blocks as usize)).collect();
        let (full, rest) = (n / block, n % block);
        match self.grain(full, BLOCK, work.arithmetic, 2) {
            Some(grain) => {
                let saved = e.bind.clone();
                self.outline(full, grain, |l, from, to| {
                    e.import_bindings();
                    l.block_loop(e, work, reduced, &buffers, (Extent::Value(from), Extent::Value(to)));
                });
                e.bind = saved;
                e.afresh();
            }
            None => self.block_loop(e, work, reduced, &buffers, (Extent::Const(0), Extent::Const(full))),
        }
        if rest > 0 {
            let base = Binding::constant(full * block);
            let totals = self.lanes(e, work, reduced, base, rest);
            for (buffer, total) in buffers.iter().zip(totals) {
                let access = self.at_temporary(buffer, full, &[]);
                self.b.store(access, total);
            }
        }
        let mut out = SmallVec::new();
        for (buffer, r) in buffers.iter().zip(&work.reductions) {
            self.tree(buffer, blocks, 1, r.combine);
            let access = self.at_temporary(buffer, 0, &[]);
            out.push(self.b.load_here(access));
        }
        out
    }

    /// Totals of whole blocks, each stored at its number.
    fn block_loop(
        &mut self,
        e: &mut Emission<'_>,
        work: &Work,
        reduced: &[(u32, i64)],
        buffers: &[Temporary],
        bounds: (Extent, Extent),
    ) {
        let k = self.b.open(&[Scalar::I64])[0];
        let base = Binding::scaled(k, BLOCK as i64);
        let totals = self.lanes(e, work, reduced, base, BLOCK as i64);
        for (buffer, total) in buffers.iter().zip(totals) {
            let access = self.at_temporary(buffer, 0, &[(k, 1)]);
            self.b.store(access, total);
        }
        self.b.end_for(bounds, LoopKind::Sequential, &[], &[]);
        e.afresh();
    }

    /// The loop of lanes over `len` elements from `base` on; gives its totals.
    fn lanes(
        &mut self,
        e: &mut Emission<'_>,
        work: &Work,
        reduced: &[(u32, i64)],
        mut base: Binding,
        len: i64,
    ) -> SmallVec<[KValue; 4]> {
        e.afresh();
        let mut params: SmallVec<[Scalar; 4]> = smallvec![Scalar::I64];
        params.extend(work.types());
        let params = self.b.open(&params);
        match reduced {
            // Whole blocks of one row: the row is found once per block.
            [outer @ .., (atom, extent)] if !outer.is_empty() && extent % BLOCK as i64 == 0 => {
                let block = BLOCK as i64;
                let number: SmallVec<[(KValue, i64); 2]> =
                    base.terms.iter().map(|&(v, c)| (v, c / block)).collect();
                let number = self.sum(base.offset / block, &number);
                let per_row = self.b.int(extent / block);
                let row = self.b.binary(KBinary::DivU, number, per_row);
                let part = self.b.binary(KBinary::RemU, number, per_row);
                self.bind_reduced(e, outer, Binding::counter(row));
                e.bind[*atom as usize] = {
                    let mut b = Binding::scaled(part, block);
                    b.terms.push((params[0], 1));
                    b
                };
            }
            _ => {
                base.terms.push((params[0], 1));
                self.bind_reduced(e, reduced, base);
            }
        }
        let values = self.emit(e, &work.roots());
        let mut next: SmallVec<[KValue; 4]> = SmallVec::new();
        for (k, r) in work.reductions.iter().enumerate() {
            let op = KOp::Binary(r.combine.op());
            next.push(self.b.push(op, &[params[1 + k], values[k]], &[r.elem])[0]);
        }
        for (o, &value) in work.outputs.iter().zip(&values[work.reductions.len()..]) {
            let access = self.access(e, &o.at, &o.position);
            self.b.store(access, value);
        }
        let kind = LoopKind::Lanes(work.reductions.iter().map(|r| r.combine).collect());
        let totals = self.b.end_for((Extent::Const(0), Extent::Const(len)), kind, &[], &next);
        e.afresh();
        totals.into_iter().collect()
    }

    /// Combines `rows` rows of `width` elements pairwise into the first, over the next power of two.
    pub(in crate::lower) fn tree(&mut self, buffer: &Temporary, rows: i64, width: i64, combine: Combine) {
        self.tree_of(buffer, rows, (rows as u64).next_power_of_two() as i64, width, combine);
    }

    pub(in crate::lower) fn tree_of(
        &mut self,
        buffer: &Temporary,
        mut rows: i64,
        of: i64,
        width: i64,
        combine: Combine,
    ) {
        let mut half = of / 2;
        while half >= LANES as i64 {
            if rows > half {
                let t = self.b.open(&[Scalar::I64])[0];
                let to = self.at_temporary(buffer, 0, &[(t, 1)]);
                let from = self.at_temporary(buffer, half * width, &[(t, 1)]);
                let (a, b) = (self.b.load_here(to.clone()), self.b.load_here(from));
                let ty = self.b.ty(a);
                let sum = self.b.push(KOp::Binary(combine.op()), &[a, b], &[ty])[0];
                self.b.store(to, sum);
                let n = (rows - half) * width;
                self.b.end_for((Extent::Const(0), Extent::Const(n)), LoopKind::Vector, &[], &[]);
                rows = half;
            }
            half /= 2;
        }
        if rows > 1 {
            self.tree_at_once(buffer, rows as usize, width, combine);
        }
    }

    /// The same for rows so few that they are all read at once.
    fn tree_at_once(&mut self, buffer: &Temporary, rows: usize, width: i64, combine: Combine) {
        let t = self.b.open(&[Scalar::I64])[0];
        let access = |l: &mut Self, row: i64| l.at_temporary(buffer, row * width, &[(t, 1)]);
        let mut values: SmallVec<[KValue; LANES]> = SmallVec::new();
        for row in 0..rows {
            let at = access(self, row as i64);
            values.push(self.b.load_here(at));
        }
        let ty = self.b.ty(values[0]);
        let mut half = rows.next_power_of_two() / 2;
        while half >= 1 {
            for k in half..values.len() {
                let operands = [values[k - half], values[k]];
                values[k - half] = self.b.push(KOp::Binary(combine.op()), &operands, &[ty])[0];
            }
            values.truncate(half);
            half /= 2;
        }
        let first = access(self, 0);
        self.b.store(first, values[0]);
        self.b.end_for((Extent::Const(0), Extent::Const(width)), LoopKind::Vector, &[], &[]);
    }

    pub(in crate::lower) fn temporary(&mut self, elem: Scalar, len: usize) -> Temporary {
        if self.b.imports.is_some() {
            Temporary::Local(self.b.local(elem, len))
        } else {
            Temporary::Scratch(self.scratch(elem, &[len]))
        }
    }

    pub(in crate::lower) fn at_temporary(
        &mut self,
        buffer: &Temporary,
        offset: i64,
        terms: &[(KValue, i64)],
    ) -> Access {
        let mut access = match buffer {
            Temporary::Scratch(at) => self.element(at, offset),
            Temporary::Local(mem) => Access { mem: *mem, offset, terms: SmallVec::new() },
        };
        terms.iter().for_each(|&(v, c)| add_term(&mut access.terms, v, c));
        access
    }
}
