//! A function as the tasks of a schedule, and a schedule as a function.
//!
//! A task is an instruction with those that only it reads and that become part of its loop. What only renames elements is no
//! task: it is read in place. What is computed again stands behind a barrier with what was computed just before, so that it is
//! neither taken for what it was the first time nor moved there.

use super::schedule::{Problem, Schedule, Step, Task};
use crate::ad::decides;
use crate::cost_report;
use crate::inline::{FENCE, STORED};
use crate::rewrite::like;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use wengert_ir::entity::{Entity, EntityVec};
use wengert_ir::func::{Def, Func, InstId, Loc, Module, Value, Values};
use wengert_ir::op::{BinaryOp, Convert, Effect, Op};
use wengert_ir::ops_of;
use wengert_ir::types::{DType, TensorType, Type};

/// A function and its tasks.
pub(super) struct Program<'f> {
    pub(super) func: &'f Func,
    pub(super) problem: Problem,
    /// The instructions of each task; the last one makes its value.
    pub(super) insts: Vec<Vec<InstId>>,
    /// Whose part an instruction is; `None` for what is read in place.
    task: EntityVec<InstId, Option<usize>>,
    compress: Option<DType>,
    /// What would become part of a reader that comes much later.
    stored: BTreeSet<InstId>,
}

impl<'f> Program<'f> {
    /// The tasks of a function whose first `exact` results may not depend on what is kept in the type `compress`.
    pub(super) fn new(m: &Module, func: &'f Func, exact: usize, compress: Option<DType>) -> Self {
        let mut readers: EntityVec<Value, Vec<InstId>> = EntityVec::filled(Vec::new(), func.values.len());
        for (id, inst) in func.insts.iter() {
            inst.operands.iter().for_each(|&v| readers[v].push(id));
        }
        let results: BTreeSet<Value> = func.results.iter().copied().collect();
        let order = order(func, &readers);
        let mut place: EntityVec<InstId, usize> = EntityVec::filled(0, func.insts.len());
        order.iter().enumerate().for_each(|(at, &id)| place[id] = at);
        // Who takes an instruction in: its only reader, if both are computed element by element. Where other work is between, only if
        // no more has to wait for it then than what it gives.
        let mut host: EntityVec<InstId, Option<InstId>> = EntityVec::filled(None, func.insts.len());
        let mut stored = BTreeSet::new();
        let mut last_work = None;
        // The last instruction before each that is work of its own.
        let mut work: EntityVec<InstId, Option<usize>> = EntityVec::filled(None, func.insts.len());
        for (at, &id) in order.iter().enumerate() {
            work[id] = last_work;
            let op = &func.insts[id].op;
            if !matches!(op, ops_of!(elementwise) | ops_of!(mark)) && !is_view(op) {
                last_work = Some(at);
            }
        }
        let mut waits: EntityVec<InstId, u64> = EntityVec::filled(0, func.insts.len());
        for (id, inst) in func.insts.iter() {
            let [r] = inst.results[..] else { continue };
            let memory = |v: Value| match func.values[v].def {
                Def::Inst(i, _) if host[i].is_some() => waits[i],
                Def::Inst(i, _) if !is_view(&func.insts[i].op) && !results.contains(&v) => bytes(func.ty(v)),
                Def::Inst(..) | Def::Param(_) => 0,
            };
            waits[id] = inst.operands.iter().map(|&v| memory(v)).fold(0, u64::saturating_add);
            let [reader] = readers[r][..] else { continue };
            let inner = matches!(inst.op, ops_of!(elementwise)) && !decides(func, inst);
            let outer = matches!(func.insts[reader].op, ops_of!(elementwise) | ops_of!(reduction));
            let same = func.ty(r) == func.ty(func.insts[reader].operands[0]);
            if !(inner && outer && same) || results.contains(&r) {
                continue;
            }
            if work[reader].is_some_and(|w| w > place[id]) && waits[id] > bytes(func.ty(r)) {
                stored.insert(id);
            } else {
                host[id] = Some(reader);
            }
        }
        let mut insts: Vec<Vec<InstId>> = Vec::new();
        let mut task: EntityVec<InstId, Option<usize>> = EntityVec::filled(None, func.insts.len());
        let mut number: FxHashMap<InstId, usize> = FxHashMap::default();
        for &id in &order {
            if host[id].is_none() && !is_view(&func.insts[id].op) {
                number.insert(id, insts.len());
                insts.push(Vec::new());
            }
        }
        for (id, inst) in func.insts.iter() {
            let mut at = id;
            while let Some(next) = host[at] {
                at = next;
            }
            if !is_view(&inst.op) {
                let t = number[&at];
                task[id] = Some(t);
                insts[t].push(id);
            }
        }
        let mut this = Program { func, problem: Problem::default(), insts, task, compress, stored };
        let mut exact_values: EntityVec<Value, bool> = EntityVec::filled(false, func.values.len());
        func.results.iter().take(exact).for_each(|&r| exact_values[r] = true);
        for inst in func.insts.values().rev() {
            if inst.results.iter().any(|&r| exact_values[r]) || m.effect(&inst.op) == Effect::Ordered {
                inst.operands.iter().for_each(|&v| exact_values[v] = true);
            }
        }
        let mut last_ordered = None;
        for t in 0..this.insts.len() {
            let mut described = this.describe(m, t, &exact_values);
            let is_ordered = |id: &InstId| m.effect(&func.insts[*id].op) == Effect::Ordered;
            if this.insts[t].iter().any(is_ordered) {
                described.after = last_ordered.replace(t);
            }
            this.problem.tasks.push(described);
        }
        for &r in &func.results {
            for t in this.sources(r) {
                let task = &mut this.problem.tasks[t];
                task.root = true;
                // A result has memory of its own from the beginning.
                task.small = None;
            }
            if let Def::Inst(id, _) = func.values[r].def
                && let Some(t) = this.task[id]
            {
                let task = &mut this.problem.tasks[t];
                task.bytes = task.bytes.saturating_sub(bytes(func.ty(r)));
            }
        }
        this
    }

    fn describe(&self, m: &Module, t: usize, exact: &EntityVec<Value, bool>) -> Task {
        let func = self.func;
        let mut task = Task { repeatable: true, ..Task::default() };
        let mut operands = BTreeSet::new();
        for &id in &self.insts[t] {
            let inst = &func.insts[id];
            for &v in &inst.operands {
                operands.extend(self.sources(v).into_iter().filter(|&o| o != t));
            }
            let effect = m.effect(&inst.op) == Effect::Ordered;
            task.cost = task.cost.saturating_add(cost_report::of_inst(m, func, inst).cost);
            task.decides |= decides(func, inst);
            task.root |= effect;
            task.repeatable &= !effect && !decides(func, inst);
            task.exact |= effect || inst.results.iter().any(|&r| exact[r]);
        }
        task.operands = operands.into_iter().collect();
        let results = &func.insts[*self.insts[t].last().expect("not empty")].results;
        task.bytes = results.iter().map(|&r| bytes(func.ty(r))).fold(0, u64::saturating_add);
        if let ([r], Some(dtype)) = (&results[..], self.compress)
            && let Some(ty) = func.ty(*r).as_tensor()
            && ty.dtype.is_float()
            && ty.dtype.size() > dtype.size()
        {
            task.small = Some(task.bytes / ty.dtype.size() as u64 * dtype.size() as u64);
        }
        task
    }

    /// The tasks in whose memory a value is.
    fn sources(&self, v: Value) -> Vec<usize> {
        let (mut found, mut work) = (Vec::new(), vec![v]);
        while let Some(v) = work.pop() {
            if let Def::Inst(id, _) = self.func.values[v].def {
                match self.task[id] {
                    Some(t) => found.push(t),
                    None => work.extend(&self.func.insts[id].operands),
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The function that computes what the schedule says when it says so.
    pub(super) fn emit(&self, schedule: &Schedule) -> Func {
        let (out, env) = like(self.func);
        let mut e = Emission {
            p: self,
            out,
            env,
            small: FxHashMap::default(),
            views: FxHashMap::default(),
            run: None,
            computed: vec![false; self.insts.len()],
            last: None,
        };
        for step in &schedule.steps {
            e.step(*step, schedule);
        }
        e.run = None;
        e.out.results = self.func.results.iter().map(|&r| e.read(r)).collect();
        e.out
    }
}

/// What is computed again together, behind one barrier.
#[derive(Default)]
struct Run {
    /// Values from before it, as they are behind the barrier.
    fenced: FxHashMap<Value, Value>,
    /// The tasks in it.
    tasks: BTreeSet<usize>,
    /// What was computed just before.
    token: Option<Value>,
    /// Everything from this value on was made in the run.
    start: usize,
}

struct Emission<'p> {
    p: &'p Program<'p>,
    out: Func,
    /// What values were last.
    env: EntityVec<Value, Option<Value>>,
    /// Values in the smaller type.
    small: FxHashMap<usize, Value>,
    /// Views by what they are of.
    views: FxHashMap<(InstId, Values), Values>,
    run: Option<Run>,
    computed: Vec<bool>,
    /// The last value that was computed.
    last: Option<Value>,
}

impl Emission<'_> {
    fn step(&mut self, step: Step, schedule: &Schedule) {
        let t = match step {
            Step::Compute(t) | Step::Compress(t) | Step::Expand(t) => t,
        };
        let again = match step {
            Step::Compute(t) => self.computed[t] || schedule.late[t],
            Step::Expand(_) => true,
            Step::Compress(_) => false,
        };
        if again && self.run.as_ref().is_none_or(|run| run.tasks.contains(&t)) {
            self.run = Some(Run { token: self.last, start: self.out.values.len(), ..Run::default() });
        }
        if !again {
            self.run = None;
        }
        if let Some(run) = &mut self.run {
            run.tasks.insert(t);
        }
        match step {
            Step::Compute(_) => {
                for &id in &self.p.insts[t] {
                    self.copy(id);
                }
                self.computed[t] = true;
            }
            Step::Compress(_) => {
                let v = self.p.func.insts[*self.p.insts[t].last().expect("not empty")].results[0];
                let dtype = self.p.compress.expect("asked for");
                let from = self.read(v);
                let ty = TensorType { dtype, ..self.p.func.tensor(v).clone() };
                let made = self.convert(from, ty, t);
                self.small.insert(t, made);
            }
            Step::Expand(_) => {
                let v = self.p.func.insts[*self.p.insts[t].last().expect("not empty")].results[0];
                let from = self.behind(self.small[&t]);
                let made = self.convert(from, self.p.func.tensor(v).clone(), t);
                self.env[v] = Some(made);
                self.last = Some(made);
            }
        }
    }

    fn convert(&mut self, from: Value, ty: TensorType, t: usize) -> Value {
        let op = Op::from(Convert { dtype: ty.dtype });
        let loc = self.p.func.insts[self.p.insts[t][0]].loc.clone();
        self.out.push_typed(op, &[from], [Type::from(ty)], loc)[0]
    }

    fn copy(&mut self, id: InstId) {
        let inst = &self.p.func.insts[id];
        let operands: Values = inst.operands.iter().map(|&v| self.read(v)).collect();
        let types = inst.results.iter().map(|&r| self.p.func.ty(r).clone());
        let results = self.out.push_typed(inst.op.clone(), &operands, types, inst.loc.clone());
        for (&old, new) in inst.results.iter().zip(results) {
            let new = match self.p.stored.contains(&id) {
                true => self.out.push_typed(
                    STORED.into(),
                    &[new],
                    [self.p.func.ty(old).clone()],
                    inst.loc.clone(),
                )[0],
                false => new,
            };
            self.env[old] = Some(new);
            self.last = Some(new);
        }
    }

    /// What a value is now, behind the barrier if it is from before.
    fn read(&mut self, v: Value) -> Value {
        let Def::Inst(id, k) = self.p.func.values[v].def else {
            let v = self.env[v].expect("a parameter");
            return self.behind(v);
        };
        if self.p.task[id].is_some() {
            let v = self.env[v].expect("computed before it is read");
            return self.behind(v);
        }
        let inst = &self.p.func.insts[id];
        let operands: Values = inst.operands.iter().map(|&v| self.read(v)).collect();
        if let Some(made) = self.views.get(&(id, operands.clone())) {
            return made[k as usize];
        }
        let types = inst.results.iter().map(|&r| self.p.func.ty(r).clone());
        let made = self.out.push_typed(inst.op.clone(), &operands, types, inst.loc.clone());
        self.views.insert((id, operands), made.clone());
        made[k as usize]
    }

    fn behind(&mut self, v: Value) -> Value {
        let Some(run) = &mut self.run else { return v };
        if v.index() >= run.start {
            return v;
        }
        if let Some(&fenced) = run.fenced.get(&v) {
            return fenced;
        }
        let mut through: Values = [v].into_iter().collect();
        through.extend(run.token.filter(|&t| t != v));
        let types: Vec<Type> = through.iter().map(|&v| self.out.ty(v).clone()).collect();
        let made = self.out.push_typed(FENCE.into(), &through, types, Loc::Unknown)[0];
        run.fenced.insert(v, made);
        made
    }
}

/// The order in which instructions are scheduled: their own, but what is only added up is added as soon as it is there, so that the
/// parts do not wait for the last.
fn order(func: &Func, readers: &EntityVec<Value, Vec<InstId>>) -> Vec<InstId> {
    let sums = |id: InstId| {
        let inst = &func.insts[id];
        let [r] = inst.results[..] else { return false };
        let only = |&v: &Value| {
            readers[v].len() == 1
                && func.def(v).is_some()
                && func.ty(v) == func.ty(r)
                && !func.results.contains(&v)
        };
        matches!(inst.op, Op::Binary(BinaryOp::Add))
            && inst.operands[0] != inst.operands[1]
            && inst.operands.iter().all(only)
    };
    let mut done: EntityVec<InstId, bool> = EntityVec::filled(false, func.insts.len());
    let mut out = Vec::with_capacity(func.insts.len());
    for id in func.insts.keys() {
        let mut next = Some(id);
        while let Some(id) = next.take().filter(|&id| !done[id]) {
            done[id] = true;
            out.push(id);
            if let [r] = func.insts[id].results[..]
                && let [reader] = readers[r][..]
                && sums(reader)
            {
                let made = |&v: &Value| func.def(v).is_some_and(|(maker, _)| done[maker]);
                next = Some(reader).filter(|_| func.insts[reader].operands.iter().all(made));
            }
        }
    }
    out
}

/// What only says where elements lie, or needs nothing.
fn is_view(op: &Op) -> bool {
    matches!(
        op,
        ops_of!(source)
            | Op::BroadcastInDim(_)
            | Op::Reshape(_)
            | Op::Transpose(_)
            | Op::Slice(_)
            | Op::Reverse(_)
            | Op::StopGradient(_)
    )
}

fn bytes(ty: &Type) -> u64 {
    ty.as_tensor().filter(|t| t.is_static()).map_or(0, |t| t.bytes() as u64)
}
