//! Calls and loops.
//!
//! Small carries are scalars carried by the loop. Larger ones lie in a buffer each: the body reads the old value
//! there and writes the new one over it where the last read permits, else it is copied at the end of the trip.
//! Rows of what is scanned are read and written in place.

use super::Lowerer;
use crate::lower::LowerError;
use crate::lower::space::scope::At;
use crate::lower::space::scope::{Dest, Scope, Stored};
use smallvec::SmallVec;
use std::rc::Rc;
use wengert_ir::entity::Entity;
use wengert_ir::func::{FuncId, Inst, Value};
use wengert_ir::kernel::*;
use wengert_ir::op::{Call, Scan, While};
use wengert_ir::types::{DYNAMIC, TensorType};

/// Where a carried value is during a loop.
pub(super) enum Carry {
    /// In this many scalars.
    Registers(usize),
    /// In a buffer.
    Memory(At),
}

/// A sequence that a loop reads or writes row by row.
enum Rows {
    Memory(At),
    Splat(u64),
}

impl<'m> Lowerer<'m> {
    pub(super) fn is_small(&self, ty: &TensorType) -> bool {
        ty.checked_elements().is_some_and(|n| n <= self.limit.max(1))
    }

    pub(in crate::lower) fn call(
        &mut self,
        s: &mut Scope<'m>,
        inst: &'m Inst,
        call: &Call,
    ) -> Result<(), LowerError> {
        let mut args = Vec::new();
        for &v in &inst.operands {
            args.push(self.argument(s, v)?);
        }
        // Results get memory of their own: the callee may give back a part of an argument.
        let known = self.memory.mems.next_key();
        let given = self.region(call.callee, args, vec![None; inst.results.len()])?;
        for (&v, stored) in inst.results.iter().zip(given) {
            let stored = match stored {
                Stored::Memory(at) if at.mem.index() < known.index() => {
                    let own = self.target(s, v, &[(v, false)]);
                    self.copy(&Stored::Memory(at), &own);
                    Stored::Memory(own)
                }
                other => other,
            };
            s.stored[v] = Some(stored);
        }
        Ok(())
    }

    /// The scalars of what a region gave, in registers.
    fn scalars(&mut self, stored: &Stored, n: usize, elem: Scalar) -> Rc<[KValue]> {
        match stored {
            Stored::Registers(regs) => regs.clone(),
            Stored::Memory(at) | Stored::Rows(at, _) => {
                (0..n).map(|k| self.load_element(at, k as i64)).collect()
            }
            Stored::Splat(bits) => vec![self.b.bits(*bits, elem); n].into(),
        }
    }

    pub(super) fn carried_types(
        &self,
        places: &[Carry],
        elem: impl Fn(usize) -> Scalar,
    ) -> SmallVec<[Scalar; 8]> {
        let mut out = SmallVec::new();
        for (k, place) in places.iter().enumerate() {
            if let Carry::Registers(n) = place {
                out.extend(std::iter::repeat_n(elem(k), *n));
            }
        }
        out
    }

    /// Records where results are: those in registers are, in order, `values`.
    pub(super) fn give(&mut self, s: &mut Scope<'m>, results: &[Value], places: &[Carry], values: &[KValue]) {
        let mut values = values.iter().copied();
        for (&v, place) in results.iter().zip(places) {
            s.stored[v] = Some(match place {
                Carry::Registers(n) => Stored::Registers(values.by_ref().take(*n).collect()),
                Carry::Memory(at) => Stored::Memory(at.clone()),
            });
        }
    }

    /// Sets up carried values; gives their places and, for those in registers, the initial scalars. `reads` are
    /// the operands that the loop reads besides.
    fn carries(
        &mut self,
        s: &mut Scope<'m>,
        inits: &[Value],
        results: &[Value],
        reads: &[Value],
    ) -> Result<(Vec<Carry>, SmallVec<[KValue; 8]>), LowerError> {
        let mut places = Vec::new();
        let mut scalars = SmallVec::new();
        let mut copies = Vec::new();
        for (k, (&init, &result)) in inits.iter().zip(results).enumerate() {
            let ty = s.ty(init).clone();
            if self.is_small(&ty) {
                let regs = self.registers_of(s, init)?;
                scalars.extend(regs.iter().copied());
                places.push(Carry::Registers(regs.len()));
                continue;
            }
            // The buffer of a value that dies here becomes the carry's.
            if let Some(Stored::Memory(at)) = &s.stored[init]
                && s.dest[result].is_none()
                && s.dies(init)
                && s.owner.get(&at.mem) == Some(&init)
                && !inits[..k].contains(&init)
                && !inits[k + 1..].contains(&init)
                && !reads.iter().any(|&v| self.overlaps(s, v, at))
            {
                let at = at.clone();
                s.owner.insert(at.mem, result);
                self.memory.touch(at.mem);
                places.push(Carry::Memory(at));
                continue;
            }
            let others: SmallVec<[(Value, bool); 8]> = (inits.iter().enumerate())
                .map(|(j, &v)| (v, j == k))
                .chain(reads.iter().map(|&v| (v, false)))
                .collect();
            let at = self.target(s, result, &others);
            copies.push((init, at.clone()));
            places.push(Carry::Memory(at));
        }
        for (init, at) in copies {
            match s.stored[init].clone() {
                Some(stored) => self.copy(&stored, &at),
                None => {
                    let stored = self.argument(s, init)?;
                    self.copy(&stored, &at);
                }
            }
        }
        Ok((places, scalars))
    }

    /// Arguments and destinations of the carried values in a body whose parameters they are.
    fn carried_args(
        &self,
        places: &[Carry],
        params: &[Value],
        mut scalars: &[KValue],
        args: &mut Vec<Stored>,
        dests: &mut Vec<Option<Dest>>,
    ) {
        for (place, &p) in places.iter().zip(params) {
            match place {
                Carry::Registers(n) => {
                    let (own, rest) = scalars.split_at(*n);
                    scalars = rest;
                    args.push(Stored::Registers(own.into()));
                    dests.push(None);
                }
                Carry::Memory(at) => {
                    args.push(Stored::Memory(at.clone()));
                    dests.push(Some(Dest { at: at.clone(), replaces: Some(p) }));
                }
            }
        }
    }

    /// Brings what a body gave for its carried values to where the next trip looks; gives the scalars.
    pub(super) fn carry_on(
        &mut self,
        places: &[Carry],
        given: &[Stored],
        elems: &[Scalar],
    ) -> SmallVec<[KValue; 8]> {
        let mut scalars = SmallVec::new();
        for ((place, stored), &elem) in places.iter().zip(given).zip(elems) {
            if let Carry::Registers(n) = place {
                scalars.extend(self.scalars(stored, *n, elem).iter().copied());
            }
        }
        // What lies in another carry's buffer is saved before any is overwritten.
        let buffers: SmallVec<[Mem; 4]> = places
            .iter()
            .filter_map(|p| match p {
                Carry::Memory(at) => Some(at.mem),
                Carry::Registers(_) => None,
            })
            .collect();
        let mut moves: Vec<(Stored, At)> = Vec::new();
        for (place, stored) in places.iter().zip(given) {
            let Carry::Memory(at) = place else { continue };
            match stored {
                Stored::Memory(from) if from == at => {}
                Stored::Memory(from) if buffers.contains(&from.mem) => {
                    let elem = self.memory.elem(at.mem);
                    let temporary = self.scratch(elem, &[at.len]);
                    self.copy(stored, &temporary);
                    moves.push((Stored::Memory(temporary), at.clone()));
                }
                other => moves.push((other.clone(), at.clone())),
            }
        }
        self.memory.tick();
        for (from, to) in moves {
            self.copy(&from, &to);
        }
        scalars
    }

    pub(in crate::lower) fn scan(
        &mut self,
        s: &mut Scope<'m>,
        inst: &'m Inst,
        scan: &Scan,
    ) -> Result<(), LowerError> {
        let mut operands: &[Value] = &inst.operands;
        let mut count = None;
        if scan.length == DYNAMIC {
            let given = self.scalar_of(s, operands[0])?;
            count = Some(self.row_count(given));
            operands = &operands[1..];
        }
        let (consts, rest) = operands.split_at(scan.consts);
        let (inits, xs) = rest.split_at(scan.carry);
        let (carried, ys) = inst.results.split_at(scan.carry);
        let mut args = Vec::new();
        for &v in consts {
            args.push(self.argument(s, v)?);
        }
        let mut sources: Vec<Rows> = Vec::new();
        for &v in xs {
            let stored = match &s.stored[v] {
                Some(stored) => stored.clone(),
                None => self.argument(s, v)?,
            };
            sources.push(match stored {
                Stored::Splat(bits) => Rows::Splat(bits),
                Stored::Memory(at) | Stored::Rows(at, _) => Rows::Memory(at),
                Stored::Registers(_) => Rows::Memory(self.memory_of(s, v)?),
            });
        }
        // Rows that nobody wrote are read as they are, but they are there.
        for source in &sources {
            if let (Rows::Memory(at), Some(count)) = (source, count) {
                self.reserve(at, count);
            }
        }
        let others: Vec<Value> = consts.iter().chain(xs).copied().collect();
        let (places, scalars) = self.carries(s, inits, carried, &others)?;
        let reads: SmallVec<[(Value, bool); 8]> = operands.iter().map(|&v| (v, false)).collect();
        let mut targets: Vec<At> = Vec::new();
        for &v in ys {
            let row = s.ty(v).unstacked();
            targets.push(match count {
                None => self.target(s, v, &reads),
                Some(count) => self.stack(s.elem(v), &row, count),
            });
        }
        let elems: SmallVec<[Scalar; 8]> = carried.iter().map(|&v| s.elem(v)).collect();
        let types = self.carried_types(&places, |k| elems[k]);
        let alone = self.enter(&[scan.body]);
        let mut params: SmallVec<[Scalar; 8]> = SmallVec::from_slice(&[Scalar::I64]);
        params.extend(types);
        let params = self.b.open(&params);
        let floor = self.b.set_floor();
        let counter = params[0];
        // The row of a trip: offset and coefficient of a counter.
        let (first, step, counter) = match (scan.reverse, count) {
            (false, _) => (0, 1, counter),
            (true, None) => (scan.length as i64 - 1, -1, counter),
            (true, Some(count)) => {
                let one = self.b.int(1);
                let last = self.b.binary(KBinary::Sub, count, one);
                (0, 1, self.b.binary(KBinary::Sub, last, counter))
            }
        };
        let row_of = |at: &At, len: usize| {
            let mut row = At { len, ..at.clone() };
            row.offset += first * len as i64;
            row.terms.push((counter, step * len as i64));
            row
        };
        let body = &self.module.funcs[scan.body];
        let mut dests = Vec::new();
        self.carried_args(&places, &body.params[scan.consts..], &params[1..], &mut args, &mut dests);
        for (source, &p) in sources.iter().zip(&body.params[scan.consts + scan.carry..]) {
            let len = body.tensor(p).elements();
            args.push(match source {
                Rows::Splat(bits) => Stored::Splat(*bits),
                Rows::Memory(at) => Stored::Memory(row_of(at, len)),
            });
        }
        let mut rows = Vec::new();
        for (at, &v) in targets.iter().zip(ys) {
            let row = row_of(at, s.ty(v).unstacked().elements());
            dests.push(Some(Dest { at: row.clone(), replaces: None }));
            rows.push(row);
        }
        let given = self.region(scan.body, args, dests)?;
        for (row, stored) in rows.iter().zip(&given[scan.carry..]) {
            self.copy(stored, row);
        }
        let next = self.carry_on(&places, &given[..scan.carry], &elems);
        self.b.restore_floor(floor);
        // Nobody waits for the last trip of a loop that is longer.
        let trips = scan.length.min(MOST_COUNTER as usize) as i64;
        let end = count.map_or(Extent::Const(trips), Extent::Value);
        let values = self.b.end_for((Extent::Const(0), end), LoopKind::Sequential, &scalars, &next);
        self.leave(alone);
        self.give(s, carried, &places, &values);
        for (&v, at) in ys.iter().zip(targets) {
            s.stored[v] = Some(match count {
                None => Stored::Memory(at),
                Some(count) => Stored::Rows(at, count),
            });
        }
        Ok(())
    }

    /// A new stack of rows with room for `rows`.
    pub(in crate::lower) fn stack(&mut self, elem: Scalar, row: &TensorType, rows: KValue) -> At {
        let len = row.elements();
        let at = At::whole(self.memory.fixed(elem, &row.shape, Place::Stack), len);
        self.reserve(&at, rows);
        at
    }

    /// Room for so many rows of a stack.
    pub(in crate::lower) fn reserve(&mut self, at: &At, rows: KValue) {
        let stack = self.b.program_mem(at.mem, self.memory.elem(at.mem), at.len);
        self.b.push(KOp::Reserve(stack), &[rows], &[]);
    }

    /// A number of rows from one that a program computed: loops count to it.
    fn row_count(&mut self, given: KValue) -> KValue {
        let (none, most) = (self.b.int(0), self.b.int(MOST_COUNTER));
        let some = self.b.binary(KBinary::Max, given, none);
        self.b.binary(KBinary::Min, some, most)
    }

    pub(in crate::lower) fn while_loop(
        &mut self,
        s: &mut Scope<'m>,
        inst: &'m Inst,
        w: &While,
    ) -> Result<(), LowerError> {
        let (consts, inits) = inst.operands.split_at(w.consts);
        let (carried, rest) = inst.results.split_at(inits.len());
        let (counts, stacks) = rest.split_at(w.counted as usize);
        let mut shared = Vec::new();
        for &v in consts {
            shared.push(self.argument(s, v)?);
        }
        let (places, mut scalars) = self.carries(s, inits, carried, consts)?;
        let elems: SmallVec<[Scalar; 8]> = carried.iter().map(|&v| s.elem(v)).collect();
        let mut types = self.carried_types(&places, |k| elems[k]);
        if w.counted {
            scalars.push(self.b.int(0));
            types.push(Scalar::I64);
        }
        let mut targets: Vec<At> = Vec::new();
        for &v in stacks {
            let row = s.ty(v).unstacked();
            let none = self.b.int(0);
            targets.push(self.stack(s.elem(v), &row, none));
        }
        let alone = self.enter(&[w.cond, w.body]);
        let cond = self.while_part(
            w.cond,
            &shared,
            &places,
            &types,
            w.consts,
            |l, _, given| SmallVec::from_slice(&[l.scalar_from(&given[0])]),
            None,
        )?;
        self.memory.tick();
        let carry_count = inits.len();
        let body = self.while_part(
            w.body,
            &shared,
            &places,
            &types,
            w.consts,
            |l, count, given| {
                for (k, at) in targets.iter().enumerate() {
                    let row = stack_row(at, count.expect("stacks are counted"));
                    l.copy(&given[carry_count + k], &row);
                }
                let mut next = l.carry_on(&places, &given[..carry_count], &elems);
                if let Some(count) = count {
                    let one = l.b.int(1);
                    next.push(l.b.binary(KBinary::Add, count, one));
                }
                next
            },
            Some(&targets),
        )?;
        let values = self.b.push(KOp::While(Box::new(WhileLoop { cond, body })), &scalars, &types);
        self.leave(alone);
        self.give(s, carried, &places, &values);
        if let (&[v], Some(&count)) = (counts, values.last()) {
            s.stored[v] = Some(Stored::Registers([count].into()));
            for (&v, at) in stacks.iter().zip(targets) {
                s.stored[v] = Some(Stored::Rows(at, count));
            }
        }
        Ok(())
    }

    /// The block of a `while`'s condition, or with `stacks` of its body, whose further results are their next
    /// rows; `finish` makes what it yields.
    #[allow(clippy::too_many_arguments, reason = "the parts of a loop")]
    fn while_part(
        &mut self,
        func: FuncId,
        shared: &[Stored],
        places: &[Carry],
        types: &[Scalar],
        consts: usize,
        finish: impl FnOnce(&mut Self, Option<KValue>, &[Stored]) -> SmallVec<[KValue; 8]>,
        stacks: Option<&[At]>,
    ) -> Result<Block, LowerError> {
        let params = self.b.open(types);
        let floor = self.b.set_floor();
        let f = &self.module.funcs[func];
        let mut args = shared.to_vec();
        let mut dests = Vec::new();
        self.carried_args(places, &f.params[consts..], &params, &mut args, &mut dests);
        let in_registers: usize =
            places.iter().map(|p| if let Carry::Registers(n) = p { *n } else { 0 }).sum();
        let count = params.get(in_registers).copied();
        if stacks.is_none() {
            dests.clear();
        }
        for at in stacks.unwrap_or_default() {
            let count = count.expect("stacks are counted");
            let one = self.b.int(1);
            let rows = self.b.binary(KBinary::Add, count, one);
            self.reserve(at, rows);
            dests.push(Some(Dest { at: stack_row(at, count), replaces: None }));
        }
        dests.resize(f.results.len(), None);
        let given = self.region(func, args, dests)?;
        let yields = finish(self, count, &given);
        self.b.restore_floor(floor);
        Ok(self.b.close(&yields))
    }
}

/// Row number `count` of a stack.
fn stack_row(at: &At, count: KValue) -> At {
    let mut row = at.clone();
    row.terms.push((count, at.len as i64));
    row
}
