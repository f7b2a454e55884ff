//! Running a derivative without `jit`: operation by operation, reusing what was computed while recording.
//!
//! The primal part of a derivative repeats the recorded instructions. Each instruction is looked up, with its
//! operands resolved to recorded values, among the recorded ones; if it is there, so is its result, and the primal
//! never runs twice. What does more than compute is run, by a host that does nothing and gives what it gave then
//! ([`wengert_ir::replay::replaying`]). A value is let go after its last reader; recorded ones too where the record is given away.

use crate::eager;
use crate::error::Error;
use crate::tensor::PLACEHOLDER;
use crate::tensor::Tensor;
use crate::trace::Recorded;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use wengert_ir::entity::{Entity, EntityVec};
use wengert_ir::func::{Func, FuncId, Module, Value};
use wengert_ir::op::{Effect, Op};
use wengert_ir::replay::{Log, replaying};

/// Runs `func`, derived from the recorded function, on `args` (which start with the recorded function's own).
pub(crate) fn run(
    module: &Module,
    func: FuncId,
    recorded: &Recorded,
    args: Vec<Tensor>,
) -> Result<Vec<Tensor>, Error> {
    if args.iter().any(|t| t.is_placeholder()) {
        return Err(Error::new(PLACEHOLDER, None));
    }
    let plan = Plan::of(module, func, recorded.func, &recorded.values, 0);
    let saved = &mut Saved::Kept(&recorded.values);
    hearing(&recorded.heard, || plan.run(module, &module.get(func), saved, args, 0, &mut |_| {}))
}

/// The same but for the first `skip` results, with the values of a record that nobody needs afterwards: each is freed after its
/// last reader, and those that have none before anything runs. `watch` is told after every instruction how many bytes of recorded values are still held.
pub(crate) fn run_once(
    module: &Module,
    func: FuncId,
    record: Given,
    args: Vec<Tensor>,
    skip: usize,
    watch: &mut dyn FnMut(usize),
) -> Result<Vec<Tensor>, Error> {
    let Given { func: recorded_func, values, heard } = record;
    let plan = Plan::of(module, func, recorded_func, &values, skip);
    let mut saved = Saved::Given(values);
    saved.free(|v| !plan.last_of_recorded.contains_key(&v));
    hearing(&heard, || plan.run(module, &module.get(func), &mut saved, args, skip, watch))
}

/// A record that is given away: the function, its values, and what was heard.
pub(crate) struct Given {
    pub(crate) func: FuncId,
    pub(crate) values: Vec<Option<Tensor>>,
    pub(crate) heard: Log,
}

/// Runs a derivative of a function that heard this, which is not to be heard again.
pub(crate) fn hearing<R>(heard: &Log, run: impl FnOnce() -> R) -> R {
    if heard.is_empty() { run() } else { replaying(heard, run) }
}

/// Recorded values.
enum Saved<'a> {
    /// Who holds the record keeps them.
    Kept(&'a [Option<Tensor>]),
    /// They are ours.
    Given(Vec<Option<Tensor>>),
}

impl Saved<'_> {
    fn get(&self, v: Value) -> Option<&Tensor> {
        match self {
            Saved::Kept(values) => values.get(v.index())?.as_ref(),
            Saved::Given(values) => values.get(v.index())?.as_ref(),
        }
    }

    fn free(&mut self, is_done: impl Fn(Value) -> bool) {
        if let Saved::Given(values) = self {
            for (k, value) in values.iter_mut().enumerate() {
                if is_done(Value::from_index(k)) {
                    *value = None;
                }
            }
        }
    }

    fn free_one(&mut self, v: Value) {
        if let Saved::Given(values) = self {
            values[v.index()] = None;
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Saved::Kept(_) => 0,
            Saved::Given(values) => values.iter().flatten().map(|t| t.ty().bytes()).sum(),
        }
    }
}

/// The reader after which a value is not needed, as the number of an instruction; results are read at the end.
const AT_THE_END: usize = usize::MAX;

/// What is looked up and what is run.
struct Plan {
    /// The recorded value that a value is.
    recorded: EntityVec<Value, Option<Value>>,
    /// Instructions whose results are recorded.
    found: Vec<bool>,
    /// The last reader of each value that is computed.
    last: EntityVec<Value, Option<usize>>,
    /// The last reader of each recorded value that has one.
    last_of_recorded: FxHashMap<Value, usize>,
}

impl Plan {
    fn of(module: &Module, func: FuncId, tape: FuncId, values: &[Option<Tensor>], skip: usize) -> Plan {
        let (func, tape) = (&module.get(func), &module.get(tape));
        let mut known: FxHashMap<(&Op, SmallVec<[Value; 4]>), &[Value]> = FxHashMap::default();
        for inst in tape.insts.values().filter(|inst| module.effect(&inst.op) != Effect::Ordered) {
            known.insert((&inst.op, inst.operands.clone()), &inst.results);
        }
        // For values that equal a recorded one, which; parameters have their values from the arguments.
        let mut same: EntityVec<Value, Option<Value>> = EntityVec::filled(None, func.values.len());
        for (k, &p) in func.params.iter().enumerate() {
            same[p] = tape.params.get(k).copied();
        }
        let mut recorded = EntityVec::filled(None, func.values.len());
        let mut last = EntityVec::filled(None, func.values.len());
        let mut last_of_recorded: FxHashMap<Value, usize> = FxHashMap::default();
        let mut found = Vec::new();
        let mut read = |v: Value, at: usize, recorded: &EntityVec<Value, Option<Value>>| {
            last[v] = Some(at);
            if let Some(r) = recorded[v] {
                last_of_recorded.insert(r, at);
            }
        };
        for (k, inst) in func.insts.values().enumerate() {
            let operands: Option<SmallVec<[Value; 4]>> = inst.operands.iter().map(|&v| same[v]).collect();
            let hit = operands
                .and_then(|o| known.get(&(&inst.op, o)))
                .filter(|results| results.iter().all(|r| values.get(r.index()).is_some_and(Option::is_some)));
            found.push(hit.is_some());
            match hit {
                Some(results) => {
                    for (&v, &r) in inst.results.iter().zip(*results) {
                        (same[v], recorded[v]) = (Some(r), Some(r));
                    }
                }
                None => inst.operands.iter().for_each(|&v| read(v, k, &recorded)),
            }
        }
        func.results[skip..].iter().for_each(|&v| read(v, AT_THE_END, &recorded));
        Plan { recorded, found, last, last_of_recorded }
    }

    fn run(
        &self,
        module: &Module,
        func: &Func,
        saved: &mut Saved<'_>,
        args: Vec<Tensor>,
        skip: usize,
        watch: &mut dyn FnMut(usize),
    ) -> Result<Vec<Tensor>, Error> {
        let mut env: EntityVec<Value, Option<Tensor>> = EntityVec::filled(None, func.values.len());
        for (&p, a) in func.params.iter().zip(args) {
            env[p] = Some(a);
        }
        for (k, inst) in func.insts.values().enumerate() {
            if self.found[k] {
                continue;
            }
            let operands: SmallVec<[&Tensor; 4]> =
                inst.operands.iter().map(|&v| self.value(v, &env, saved)).collect();
            let results = eager::run(Some(module), &inst.op, &operands, inst.loc.clone())?;
            drop(operands);
            for (&v, t) in inst.results.iter().zip(results) {
                env[v] = self.last[v].map(|_| t);
            }
            for &v in &inst.operands {
                if self.last[v] == Some(k) {
                    env[v] = None;
                }
                if let Some(r) = self.recorded[v]
                    && self.last_of_recorded[&r] == k
                {
                    saved.free_one(r);
                }
            }
            watch(saved.bytes());
        }
        Ok(func.results[skip..].iter().map(|&r| self.value(r, &env, saved).clone()).collect())
    }

    fn value<'t>(
        &self,
        v: Value,
        env: &'t EntityVec<Value, Option<Tensor>>,
        saved: &'t Saved<'_>,
    ) -> &'t Tensor {
        match self.recorded[v] {
            Some(r) => saved.get(r).expect("not freed before its last reader"),
            None => env[v].as_ref().expect("topological order"),
        }
    }
}
