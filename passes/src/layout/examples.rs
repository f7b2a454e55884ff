//! Examples of few elements lie side by side: `[256, 3]` becomes `[3, 256]` where it is worked on.
//!
//! A batch has its examples in front, as `vmap` puts them and as people write them. Where each has few elements and these are
//! taken apart and put together, every loop either has a few trips or leaps through memory from example to example. With the
//! examples behind, loops run over them, and through memory.
//!
//! A value is *turned* at dimension `d` if it is there with `d` behind all others. What the results of each operation
//! are, given operands that are turned, [`moves`](super::moves) says; an operation of which it says nothing has its operands
//! turned back. Each function is walked with some of its parameters turned: a loop with what it carries and what it only
//! reads, the whole program with its arguments. Taken is what pays: elements that are moved differently on account of it against elements that are
//! turned. The same numbers are computed in the same order, so that no bit changes.

use super::moves;
use super::turned::{MANY, SHORT, TRIPS, Walk, behind_others, elements, is_last};
use crate::inline::{STORED, callees_first};
use crate::structure::{Loop, LoopKind};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use wengert_ir::func::{Func, FuncId, Inst, Loc, Module, Value};
use wengert_ir::types::{DYNAMIC, Type};

/// The most elements of an example that are few.
const FEW: usize = 64;
/// What turning an element costs, in elements that are read where they lie in place of leaping.
const TURN: u64 = 2;
/// The same of an argument, whose elements are often read once.
const TURN_ARGUMENT: u64 = 4;

/// `func` with the examples of batches behind their elements, where that pays. It is `func` itself if that is nowhere.
pub(super) fn behind(m: &mut Module, func: FuncId) -> FuncId {
    let mut done: FxHashMap<FuncId, FuncId> = FxHashMap::default();
    for id in callees_first(m, func) {
        let f = m.get(id);
        let nothing = vec![None; f.params.len()];
        let mut best = walked(m, &done, &f, &nothing, &nothing);
        if id == func {
            let arguments: Vec<Option<usize>> = f.params.iter().map(|&p| seed(f.ty(p))).collect();
            if arguments.iter().any(|d| d.is_some()) {
                let other = walked(m, &done, &f, &nothing, &arguments);
                if other.gain > best.gain
                    && other.gain - best.gain > TURN_ARGUMENT * other.cost.saturating_sub(best.cost)
                {
                    best = other;
                }
            }
        }
        let new = if best.out == *f { id } else { m.add(best.out) };
        done.insert(id, new);
    }
    done[&func]
}

/// The dimension at which a value had better be turned, if it has many examples of few elements.
fn seed(ty: &Type) -> Option<usize> {
    let ty = ty.as_tensor().filter(|ty| ty.is_static())?;
    let (&examples, example) = ty.shape.split_first()?;
    let &last = example.last()?;
    let elements = example.iter().copied().try_fold(1usize, usize::checked_mul)?;
    let few = (2..=FEW).contains(&elements) && last <= SHORT && examples >= MANY && examples > last;
    few.then_some(0)
}

/// What a function has become.
struct Walked {
    out: Func,
    /// At which dimension each result is turned, if it is.
    results: Vec<Option<usize>>,
    /// Which parameters that are given turned are turned back.
    regretted: Vec<bool>,
    /// Elements that are turned.
    cost: u64,
    /// Elements that are moved otherwise.
    gain: u64,
}

/// `f` with parameters that are `given` turned, and with others that are turned here (`own`). Results are turned as parameters
/// that are carried from one trip to the next ask; [`Walk::finish`] says which.
fn walked(
    m: &mut Module,
    done: &FxHashMap<FuncId, FuncId>,
    f: &Arc<Func>,
    given: &[Option<usize>],
    own: &[Option<usize>],
) -> Walked {
    let mut walk = Walk::new(m, done, f, given);
    for (&p, dim) in f.params.iter().zip(own) {
        if let Some(dim) = *dim {
            walk.turn_argument(p, dim);
        }
    }
    walk.run();
    let plain = vec![Some(Want::Plain); f.results.len()];
    walk.finish(&plain, given)
}

/// What a result of a function shall be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Want {
    /// As it was.
    Plain,
    /// Turned at this dimension.
    Turned(usize),
    /// Turned if it is turned anyway.
    Any,
}

impl Walk<'_> {
    /// A copy of an argument, stored as it is turned.
    fn turn_argument(&mut self, p: Value, dim: usize) {
        let new = self.transposed(
            self.env[p].plain.expect("an argument is as it is"),
            &behind_others(self.f.tensor(p).rank(), dim),
        );
        let stored = self.push(STORED, &[new], &Loc::Unknown)[0];
        self.env[p].turned = Some((dim, stored));
        self.cost = self.cost.saturating_add(elements(self.f.tensor(p)));
    }

    fn run(&mut self) {
        let f = self.f.clone();
        for inst in f.insts.values() {
            if self.looped(inst) || moves::moved(self, inst) {
                continue;
            }
            let operands: Vec<Value> = inst.operands.iter().map(|&v| self.plain(v)).collect();
            let mut op = inst.op.clone();
            op.map_callees(&mut |c| self.done[&c]);
            let types = inst.results.iter().map(|&r| f.ty(r).clone());
            let results = self.out.push_typed(op, &operands, types, inst.loc.clone());
            for (&r, new) in inst.results.iter().zip(results) {
                self.env[r].plain = Some(new);
            }
        }
    }

    fn finish(mut self, wants: &[Option<Want>], given: &[Option<usize>]) -> Walked {
        let f = self.f.clone();
        let mut results = Vec::new();
        for (&r, want) in f.results.iter().zip(wants) {
            let (value, dim) = match (want.unwrap_or(Want::Any), self.env[r].turned) {
                (Want::Turned(d), _) => (self.turned(r, d), Some(d)),
                (Want::Any, Some((d, value))) if self.env[r].plain.is_none() => (value, Some(d)),
                (Want::Plain | Want::Any, _) => (self.plain(r), None),
            };
            self.out.results.push(value);
            results.push(dim);
        }
        let regretted = f.params.iter().zip(given).map(|(&p, d)| d.is_some() && self.regretted[p]).collect();
        Walked { out: self.out, results, regretted, cost: self.cost, gain: self.gain }
    }

    /// A loop with what it carries turned. False if that is not worth it.
    fn looped(&mut self, inst: &Inst) -> bool {
        let Some(l) = Loop::of(&inst.op, inst.operands.len(), inst.results.len()) else { return false };
        let f = self.f.clone();
        let body = self.module.get(l.body);
        let of_operand = |k: usize| body.params[k - l.first];
        let rows = l.carry_range().end;
        // Rows of unknown number can be neither turned nor turned back: they stay as they are.
        let stays = |k: usize| k >= rows && l.length() == DYNAMIC;
        // What is turned already stays so; what is carried may become so, and what is like it.
        let mut dims: Vec<Option<usize>> = (l.first..inst.operands.len())
            .map(|k| {
                let below = (k >= rows) as usize;
                let is = self.dim(inst.operands[k]).filter(|_| !stays(k))?;
                is.checked_sub(below)
            })
            .collect();
        let wanted = |k: usize| seed(body.ty(of_operand(k)));
        let any = dims.iter().any(|d| d.is_some()) || (l.first..rows).any(|k| wanted(k).is_some());
        if !any {
            return false;
        }
        for k in l.first..inst.operands.len() {
            dims[k - l.first] = dims[k - l.first].or_else(|| wanted(k).filter(|_| !stays(k)));
        }
        let sizes: Vec<usize> =
            dims.iter().zip(&body.params).filter_map(|(d, &p)| Some(body.tensor(p).shape[(*d)?])).collect();
        for (d, &p) in dims.iter_mut().zip(&body.params) {
            // One number of each example.
            if let Some(ty) = body.ty(p).as_tensor()
                && d.is_none()
                && ty.rank() == 1
                && sizes.contains(&ty.shape[0])
            {
                *d = Some(0);
            }
        }
        let carried = l.carry_range().start - l.first..l.carry_range().end - l.first;
        let (new, cond) = loop {
            let wants: Vec<Option<Want>> = (0..body.results.len())
                .map(|k| match dims.get(carried.start + k).filter(|_| k < l.carry) {
                    Some(Some(d)) => Some(Want::Turned(*d)),
                    Some(None) => Some(Want::Plain),
                    None if l.length() == DYNAMIC => Some(Want::Plain),
                    None => Some(Want::Any),
                })
                .collect();
            let mut walk = Walk::new(self.module, self.done, &body, &dims);
            walk.run();
            let new = walk.finish(&wants, &dims);
            // What is only read need not be turned, if it is not read so.
            let regretted: Vec<usize> =
                (0..dims.len()).filter(|k| new.regretted[*k] && !carried.contains(k)).collect();
            if !regretted.is_empty() {
                regretted.iter().for_each(|&k| dims[k] = None);
                continue;
            }
            let cond = match l.kind {
                LoopKind::Scan { .. } => None,
                LoopKind::While { cond } => {
                    let cond = self.module.get(cond);
                    let mut walk = Walk::new(self.module, self.done, &cond, &dims);
                    walk.run();
                    Some(walk.finish(&[Some(Want::Plain)], &dims))
                }
            };
            break (new, cond);
        };
        let trips = match l.length() {
            DYNAMIC => TRIPS,
            length => length as u64,
        };
        let of_cond = cond.as_ref().map_or((0, 0), |c| (c.cost, c.gain));
        let cost = trips.saturating_mul(new.cost.saturating_add(of_cond.0));
        let gain = trips.saturating_mul(new.gain.saturating_add(of_cond.1));
        // Operands that are turned for it, and results that may have to be turned back.
        let mut around = 0u64;
        for k in l.first..inst.operands.len() {
            let v = inst.operands[k];
            if let Some(d) = dims[k - l.first]
                && self.dim(v).is_none()
                && !is_last(body.tensor(of_operand(k)), d)
            {
                around = around.saturating_add(2 * elements(f.tensor(v)));
            }
        }
        if gain < TURN.saturating_mul(cost.saturating_add(around)) {
            return false;
        }
        self.cost = self.cost.saturating_add(cost);
        self.gain = self.gain.saturating_add(gain);
        let mut operands: Vec<Value> = inst.operands[..l.first].iter().map(|&v| self.plain(v)).collect();
        for k in l.first..inst.operands.len() {
            let below = (k >= rows) as usize;
            operands.push(match dims[k - l.first] {
                Some(d) => self.turned(inst.operands[k], d + below),
                None => self.plain(inst.operands[k]),
            });
        }
        let body = self.module.add(new.out);
        let kind = match (l.kind.clone(), cond) {
            (LoopKind::While { .. }, Some(cond)) => LoopKind::While { cond: self.module.add(cond.out) },
            (kind, _) => kind,
        };
        let op = Loop { body, kind, ..l.clone() }.op();
        let results = self.push(op, &operands, &inst.loc);
        for (k, (&r, &value)) in inst.results.iter().zip(&results).enumerate() {
            let dim = if k < l.carry {
                new.results[k]
            } else if k < l.carry + l.after {
                None
            } else {
                new.results[k - l.after].map(|d| d + 1)
            };
            match dim {
                Some(d) => self.set_turned(r, d, value),
                None => self.set_plain(r, value),
            }
        }
        true
    }
}
