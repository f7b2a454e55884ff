//! Loops run on sets: trip by trip, or all trips at once.

use super::sets::{MOST, Sets};
use super::walk::{Is, WORK, Walk};
use crate::error::TransformError;
use crate::structure::{Loop, LoopKind};
use std::rc::Rc;
use wengert_ir::array::Array;
use wengert_ir::func::{Func, Inst};
use wengert_ir::types::{DYNAMIC, TensorType};

/// Rounds in which what loops of unknown trips carry is to stop growing; others depend on all that goes in.
const ROUNDS: usize = 64;

impl Walk<'_> {
    /// What the results of a loop depend on. `None` if nothing better is known than that they depend on all that goes in.
    pub(super) fn trips_of(&mut self, inst: &Inst, x: &[Is]) -> Result<Option<Vec<Is>>, TransformError> {
        let Some(l) = Loop::of(&inst.op, x.len(), inst.results.len()) else { return Ok(None) };
        let body = self.module.get(l.body);
        if body.values.values().any(|v| v.ty.as_tensor().is_some_and(|t| !t.is_static())) {
            return Ok(None);
        }
        match l.kind {
            LoopKind::Scan { reverse, length } if length <= self.trips => {
                self.each_trip(&l, &body, length, reverse, x).map(Some)
            }
            LoopKind::Scan { length, .. } => Ok(self.any_trip(&l, &body, length, x)),
            LoopKind::While { .. } => Ok(self.any_trip(&l, &body, DYNAMIC, x)),
        }
    }

    /// Trip by trip.
    fn each_trip(
        &mut self,
        l: &Loop,
        body: &Func,
        length: usize,
        reverse: bool,
        x: &[Is],
    ) -> Result<Vec<Is>, TransformError> {
        let before = self.trips;
        self.trips /= length.max(1);
        let (consts, rest) = x.split_at(l.consts);
        let (carry, xs) = rest.split_at(l.carry);
        let mut carry = carry.to_vec();
        let mut made: Vec<Vec<Is>> = vec![Vec::new(); l.ys];
        for t in 0..length {
            let row = if reverse { length - 1 - t } else { t };
            let mut args = [consts, &carry].concat();
            for (is, &p) in xs.iter().zip(&body.params[l.consts + l.carry..]) {
                args.push(row_of(is, row, body.tensor(p)));
            }
            let mut results = self.body(body, args)?;
            for (all, is) in made.iter_mut().zip(results.split_off(l.carry)) {
                all.push(is);
            }
            carry = results;
        }
        self.trips = before;
        for (k, mut all) in made.into_iter().enumerate() {
            if reverse {
                all.reverse();
            }
            if all.iter().all(|is| matches!(is, Is::Known(_))) {
                carry.push(Is::Known(None));
                continue;
            }
            let n = body.tensor(body.results[l.carry + k]).elements();
            let mut sets = Sets::new();
            all.iter().for_each(|is| (0..n).for_each(|e| sets.push(is.of(e))));
            carry.push(Is::Depends(Rc::new(sets)));
        }
        Ok(carry)
    }

    /// All trips at once: each row depends on what any row does. `length` may be unknown.
    fn any_trip(&mut self, l: &Loop, body: &Func, length: usize, x: &[Is]) -> Option<Vec<Is>> {
        let (consts, rest) = x[l.first..].split_at(l.consts);
        let (carry, xs) = rest.split_at(l.carry);
        let varies = l.ys > 0 || xs.iter().any(|x| matches!(x, Is::Depends(_)));
        if length == DYNAMIC && varies {
            return None;
        }
        let rows = xs.iter().zip(&body.params[l.consts + l.carry..]);
        let rows: Vec<Is> = rows.map(|(is, &p)| self.any_row(is, length, body.tensor(p))).collect();
        let (mut results, made) = self.until_nothing_grows(body, consts, carry, &rows)?;
        // The count of trips.
        results.extend((0..l.after).map(|_| Is::Known(None)));
        for (row, &r) in made.iter().zip(&body.results[l.carry..]) {
            let n = body.tensor(r).elements();
            let Is::Depends(one) = row else {
                results.push(Is::Known(None));
                continue;
            };
            if length.saturating_mul(n + one.len()) > MOST {
                return None;
            }
            let mut sets = Sets::new();
            (0..length).for_each(|_| (0..n).for_each(|e| sets.push(row.of(e))));
            results.push(Is::Depends(Rc::new(sets)));
        }
        Some(results)
    }

    /// What is carried depends on what it may after any number of trips, and what a trip makes besides on that: sets grow until a trip
    /// adds nothing. `None` if they grow for long, or that takes much work.
    fn until_nothing_grows(
        &mut self,
        body: &Func,
        consts: &[Is],
        carry: &[Is],
        rows: &[Is],
    ) -> Option<(Vec<Is>, Vec<Is>)> {
        let (trips, work) = (self.trips, self.work);
        // Rounds repeat what is inside.
        self.trips /= ROUNDS;
        let found = self.rounds(body, consts, carry.to_vec(), rows);
        self.trips = trips;
        if found.is_none() {
            self.work = work;
        }
        found
    }

    fn rounds(
        &mut self,
        body: &Func,
        consts: &[Is],
        mut carry: Vec<Is>,
        rows: &[Is],
    ) -> Option<(Vec<Is>, Vec<Is>)> {
        for _ in 0..ROUNDS {
            let before = self.work;
            // What is too much for sets is not too much for one that stands for all elements.
            let mut after = self.body(body, [consts, &carry, rows].concat()).ok()?;
            let round = self.work - before;
            let made = after.split_off(carry.len());
            let mut grows = false;
            for ((before, after), &r) in carry.iter_mut().zip(after).zip(&body.results) {
                let (both, more) = self.either(before, &after, body.tensor(r).elements());
                *before = both;
                grows |= more;
            }
            if !grows {
                return Some((carry, made));
            }
            if self.work + round > WORK / 2 {
                break;
            }
        }
        None
    }

    /// What a value may be that is one of two, and whether that is more than the first.
    fn either(&mut self, a: &Is, b: &Is, elements: usize) -> (Is, bool) {
        match (a, b) {
            (Is::Known(Some(x)), Is::Known(Some(y))) if x == y => (a.clone(), false),
            (Is::Known(x), Is::Known(_)) => (Is::Known(None), x.is_some()),
            (Is::Depends(_), Is::Known(_)) => (a.clone(), false),
            (Is::Known(_) | Is::Depends(_), Is::Depends(_)) => {
                let mut sets = Sets::new();
                (0..elements).for_each(|e| sets.push_union([a.of(e), b.of(e)].into_iter(), &mut self.union));
                let more = matches!(a, Is::Known(_)) || (0..elements).any(|e| sets.of(e) != a.of(e));
                (Is::Depends(Rc::new(sets)), more)
            }
        }
    }

    /// What any of `length` rows may be.
    fn any_row(&mut self, is: &Is, length: usize, ty: &TensorType) -> Is {
        match is {
            Is::Known(_) => return Is::Known(None),
            // It stands for all elements.
            Is::Depends(sets) if sets.elements() == 1 => return is.clone(),
            Is::Depends(_) => {}
        }
        let n = ty.elements();
        let mut sets = Sets::new();
        (0..n).for_each(|e| sets.push_union((0..length).map(|row| is.of(row * n + e)), &mut self.union));
        Is::Depends(Rc::new(sets))
    }
}

/// Row number `row` of what a scan runs over.
fn row_of(is: &Is, row: usize, ty: &TensorType) -> Is {
    let n = ty.elements();
    match is {
        Is::Known(None) => Is::Known(None),
        Is::Known(Some(all)) => {
            let bytes = n * ty.dtype.size();
            Is::Known(Some(Array::from_bytes(ty.clone(), &all.bytes()[row * bytes..(row + 1) * bytes])))
        }
        // It stands for all elements.
        Is::Depends(sets) if sets.elements() == 1 => is.clone(),
        Is::Depends(_) => {
            let mut sets = Sets::new();
            (row * n..(row + 1) * n).for_each(|e| sets.push(is.of(e)));
            Is::Depends(Rc::new(sets))
        }
    }
}
