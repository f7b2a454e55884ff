//! Which residuals a region keeps. Every trip of a loop saves its own, so a value that follows cheaply from
//! others that are at hand anyway is computed again instead; and where residuals are large, those are kept that take
//! the fewest bytes ([`super::cut`]), if computing the rest again costs less than saving it.
//!
//! What is computed again may be rounded otherwise than the first time: it is optimized anew, among other readers. A
//! decision ([`decides`]: a comparison, a truncation) could then come out otherwise, and the derivative of a maximum be zero
//! for every element. So a decision is computed again only from the very bits it was made from, or is kept.

use super::cut::Network;
use super::emit::repeats;
use crate::cost::Target;
use crate::inline::callees_first;
use crate::lower::plan::recomputation;
use crate::rewrite::{Env, copy_inst, env, filter};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeSet;
use wengert_ir::array::Literal;
use wengert_ir::func::{Func, FuncId, Inst, Module, Value};
use wengert_ir::op::{BinaryOp, Constant, Op, UnaryOp, Zero};
use wengert_ir::ops_of;

/// What is linearized.
#[derive(Clone, Copy)]
pub(super) enum Place<'a> {
    /// A whole function.
    Top,
    /// A region: residuals must have static types, and the fewer the better. The parameters marked are at
    /// hand outside, so that to use them as residuals costs nothing.
    Region {
        /// One flag per parameter.
        free: &'a [bool],
    },
}

/// Most values that are looked at for that.
const MOST_VALUES: usize = 2_000;
/// How many instructions deep a value may be computed again.
const DEPTH: usize = 4;

/// Replaces residuals by their computation where that needs only cheap instructions, other residuals, and
/// parameters of a region that are at hand. The linear function's parameters are those of the
/// residuals and `tangents`, in any order; the new ones are residuals, then tangents. It will be run for so many `examples`
/// at once.
pub(super) fn reduce(
    primal: &Func,
    linear: &Func,
    residuals: &[(Value, Value)],
    tangents: &[Value],
    place: Place<'_>,
    examples: usize,
) -> (Func, Vec<Value>) {
    let saved = residuals.iter().map(|r| r.0).collect();
    let mut plan = Plan { primal, saved, free: BTreeSet::new(), pinned: BTreeSet::new() };
    let depth = match place {
        Place::Top => 0,
        Place::Region { free } => {
            plan.free.extend(filter(&primal.params, free));
            DEPTH
        }
    };
    // Later values first: they follow from earlier ones. Decisions last: they follow from what is left.
    let (last, first): (Vec<Value>, Vec<Value>) =
        plan.saved.iter().rev().partition(|&&v| plan.is_decision(v));
    for v in first.into_iter().chain(last) {
        plan.drop_if_it_follows(v, depth);
    }
    match place {
        Place::Top => {}
        Place::Region { .. } => plan.narrow(examples.max(1)),
    }
    let mut needed = BTreeSet::new();
    for &(v, _) in residuals {
        plan.need(v, &mut needed);
    }
    let mut out = Func::new(linear.name.clone(), linear.kind);
    let mut known = env(primal);
    let mut kept = Vec::new();
    let at_hand = |v: &Value| plan.saved.contains(v) || plan.free.contains(v);
    for &v in needed.iter().filter(|v| at_hand(v)) {
        known[v] = Some(out.param(primal.ty(v).clone()));
        kept.push(v);
    }
    let mut map = env(linear);
    for &t in tangents {
        map[t] = Some(out.param(linear.ty(t).clone()));
    }
    for inst in primal.insts.values() {
        if inst.results.iter().any(|r| needed.contains(r) && !at_hand(r)) {
            repeat(&mut out, primal, inst, &mut known);
        }
    }
    for &(v, param) in residuals {
        map[param] = known[v];
    }
    for inst in linear.insts.values() {
        copy_inst(&mut out, linear, inst, &mut map);
    }
    out.results = linear.results.iter().map(|&r| map[r].expect("defined")).collect();
    (out, kept)
}

struct Plan<'a> {
    primal: &'a Func,
    /// Values that are residuals.
    saved: BTreeSet<Value>,
    /// Parameters that may become residuals at no cost.
    free: BTreeSet<Value>,
    /// Residuals from which decisions are made again.
    pinned: BTreeSet<Value>,
}

impl Plan<'_> {
    /// Saves a value no longer if it follows from others.
    fn drop_if_it_follows(&mut self, v: Value, depth: usize) {
        let mut pins = Vec::new();
        self.saved.remove(&v);
        if !self.pinned.contains(&v) && self.follows(v, depth, &mut pins) {
            self.pinned.extend(pins);
        } else {
            self.saved.insert(v);
        }
    }

    /// Whether a value that is not saved follows from what is at hand, and from which residuals decisions are then made.
    fn follows(&self, v: Value, depth: usize, pins: &mut Vec<Value>) -> bool {
        if self.saved.contains(&v) || self.is_free(v) {
            return true;
        }
        match self.primal.def(v) {
            Some((_, inst)) if depth > 0 && is_cheap(&inst.op) => inst.operands.iter().all(|&o| {
                if decides(self.primal, inst) && self.primal.tensor(o).dtype.is_float() {
                    let exact = self.exactly_from(o);
                    pins.extend(exact.filter(|v| !self.is_free(*v)));
                    exact.is_some()
                } else {
                    self.follows(o, depth - 1, pins)
                }
            }),
            _ => false,
        }
    }

    fn is_decision(&self, v: Value) -> bool {
        self.primal.def(v).is_some_and(|(_, inst)| decides(self.primal, inst))
    }

    /// The value at hand whose bits, moved about or with another sign, are those of `v`.
    fn exactly_from(&self, mut v: Value) -> Option<Value> {
        while !self.saved.contains(&v) && !self.is_free(v) {
            let (_, inst) = self.primal.def(v)?;
            match inst.op {
                Op::BroadcastInDim(_)
                | Op::Reshape(_)
                | Op::StopGradient(_)
                | Op::Unary(UnaryOp::Negate | UnaryOp::Abs) => v = inst.operands[0],
                _ => return None,
            }
        }
        Some(v)
    }

    /// Keeps fewer bytes if computing again what is then missing costs less.
    fn narrow(&mut self, examples: usize) {
        let bytes = |v: Value| self.primal.ty(v).as_tensor().map_or(u64::MAX, |t| t.bytes() as u64);
        let before: u64 = self.saved.iter().map(|&v| bytes(v)).fold(0, u64::saturating_add);
        if before.saturating_mul(examples as u64) < Target::CPU.sizes.residuals {
            return;
        }
        let mut network = Network::new();
        let mut numbers: FxHashMap<Value, usize> = FxHashMap::default();
        let mut values: Vec<Value> = Vec::new();
        let mut work: Vec<Value> = self.saved.iter().copied().collect();
        while let Some(v) = work.pop() {
            if numbers.contains_key(&v) || self.is_free(v) {
                continue;
            }
            numbers.insert(v, network.value(bytes(v)));
            values.push(v);
            if values.len() > MOST_VALUES {
                return;
            }
            work.extend(self.again(v));
        }
        for &v in &values {
            let operands = self.again(v);
            if operands.is_empty() || self.pinned.contains(&v) {
                network.given(numbers[&v]);
            }
            operands.iter().filter_map(|o| numbers.get(o)).for_each(|&o| network.needs(numbers[&v], o));
        }
        self.saved.iter().filter_map(|v| numbers.get(v)).for_each(|&v| network.wanted(v));
        let (kept, after) = network.cut();
        let kept: BTreeSet<Value> = kept.into_iter().map(|k| values[k]).collect();
        // What is computed again, once each.
        let mut work: Vec<Value> = self.saved.iter().copied().collect();
        let (mut seen, mut arithmetic) = (BTreeSet::new(), 0u64);
        while let Some(v) = work.pop() {
            if kept.contains(&v) || self.is_free(v) || !seen.insert(v) {
                continue;
            }
            let Some((_, inst)) = self.primal.def(v) else { return };
            arithmetic = arithmetic.saturating_add(recomputation::work(self.primal, inst));
            work.extend(&inst.operands);
        }
        if arithmetic < before.saturating_sub(after) {
            self.saved = kept;
        }
    }

    fn is_free(&self, v: Value) -> bool {
        self.free.contains(&v) || repeats(self.primal, v)
    }

    /// What a value is computed from, if it may be computed again.
    fn again(&self, v: Value) -> &[Value] {
        match self.primal.def(v) {
            Some((_, inst))
                if recomputation::is_repeatable(self.primal, inst) && !decides(self.primal, inst) =>
            {
                &inst.operands
            }
            _ => &[],
        }
    }

    /// Collects what is needed to have `v`: values at hand, and values to compute again.
    fn need(&self, v: Value, needed: &mut BTreeSet<Value>) {
        if !needed.insert(v) || self.saved.contains(&v) || self.free.contains(&v) {
            return;
        }
        let (_, inst) = self.primal.def(v).expect("`follows` has seen it");
        for &o in &inst.operands {
            self.need(o, needed);
        }
    }
}

/// Copies an instruction of the primal function into the linear one, where zeros must not count as linear.
pub(super) fn repeat(out: &mut Func, primal: &Func, inst: &Inst, known: &mut Env) {
    if let Op::Zero(Zero { ty }) = &inst.op {
        let op = Constant { value: Literal::zeros(ty.clone()) };
        let types: SmallVec<[_; 1]> = inst.results.iter().map(|&r| primal.ty(r).clone()).collect();
        known[inst.results[0]] = Some(out.push_typed(op.into(), &[], types, inst.loc.clone())[0]);
        return;
    }
    copy_inst(out, primal, inst, known);
}

/// Whether an instruction makes something discrete of a float: there the least difference may decide. Numbers beside floats, as
/// those of a sort or of a maximum's place, are that too; those beside what loops and branches give need not be.
pub(crate) fn decides(f: &Func, inst: &Inst) -> bool {
    let float = |v: &Value| f.ty(*v).as_tensor().is_some_and(|t| t.dtype.is_float() || t.dtype.is_complex());
    let rounds = matches!(
        inst.op,
        Op::Unary(
            UnaryOp::Sign
                | UnaryOp::Floor
                | UnaryOp::Ceil
                | UnaryOp::RoundNearestEven
                | UnaryOp::RoundNearestAfz
        ) | Op::Binary(BinaryOp::Remainder)
            | Op::SelectAndScatter(_)
    );
    let runs = matches!(inst.op, ops_of!(control) | ops_of!(call) | ops_of!(opaque));
    let is_discrete = match runs {
        true => !inst.results.iter().any(float),
        false => !inst.results.iter().all(float),
    };
    inst.operands.iter().any(float) && (rounds || is_discrete)
}

/// Whether an instruction, or one of the functions that it runs, makes something discrete of a float.
pub(crate) fn decides_within(m: &Module, f: &Func, inst: &Inst) -> bool {
    let inside = |id: &FuncId| {
        let g = m.get(*id);
        g.insts.values().any(|i| decides(&g, i))
    };
    decides(f, inst) || inst.op.callees().iter().any(|&c| callees_first(m, c).iter().any(inside))
}

/// Whether computing costs less than saving and loading: one arithmetic instruction per element.
fn is_cheap(op: &Op) -> bool {
    match op {
        Op::Unary(op) => {
            matches!(op, UnaryOp::Negate | UnaryOp::Abs | UnaryOp::Sign | UnaryOp::Not | UnaryOp::Square)
        }
        Op::Binary(op) => matches!(
            op,
            BinaryOp::Add
                | BinaryOp::Subtract
                | BinaryOp::Multiply
                | BinaryOp::Maximum
                | BinaryOp::Minimum
                | BinaryOp::And
                | BinaryOp::Or
                | BinaryOp::Xor
        ),
        Op::BitcastConvert(_) | Op::ReducePrecision(_) => false,
        Op::BroadcastInDim(_) | Op::Reshape(_) | Op::StopGradient(_) => true,
        ops_of!(source) | ops_of!(elementwise) => true,
        ops_of!(movement)
        | ops_of!(update)
        | ops_of!(contraction)
        | ops_of!(reduction)
        | ops_of!(library)
        | ops_of!(call)
        | ops_of!(control)
        | ops_of!(mark)
        | ops_of!(opaque) => false,
    }
}
