//! A traced function by its leaves: what transforms make of it, and how that runs, at once or by replay into the frame of a
//! transform that goes on. Nothing here knows the types of the user's trees, so it is compiled once.

use crate::Tensor;
use crate::compile::compile;
use crate::context::{What, is_tracing};
use crate::derive::{Derivation, derived, is_of_reverse_mode};
use crate::entry::append;
use crate::error::{Error, fail};
use crate::program::Traced;
use crate::reuse;
use crate::trace::{self, Home, Recorded, concrete};
use std::panic::Location;
use wengert_ir::entity::Entity;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::op::Op;
use wengert_ir::replay::{replaying, replaying_rounded};
use wengert_passes::budget::{Budget, MemoryPlan};
use wengert_passes::effects;
use wengert_passes::error::TransformError;

/// Why a function recorded inside a trace cannot be used after it.
const LEFT: &str = "what `vjp`, `linearize` or `linear_transpose` returned, or a solver was given, is called outside the traced function it was made in: it was kept after the trace ended, \
     or sent to another thread, and what it would compute with is gone. Call it inside, and return its results";

impl Recorded {
    /// Fails if the trace is over that the function is a part of.
    pub(crate) fn check_current(&self, what: What, at: Option<&'static Location<'static>>) {
        if let Home::Trace(trace) = &self.home
            && !trace::is_current(*trace)
        {
            fail(Error::new(LEFT, at).within(what))
        }
    }

    /// The function's own results where they were computed as it was recorded.
    pub(crate) fn known(&self) -> Option<Vec<Tensor>> {
        let Home::Own(module) = &self.home else { return None };
        module.get(self.func).results.iter().map(|r| self.values[r.index()].clone()).collect()
    }

    /// Makes another function of a function that has just been traced, and runs it.
    pub(crate) fn run_with(
        &self,
        what: What,
        all: Vec<Tensor>,
        make: &mut dyn FnMut(&mut Module, FuncId) -> Result<FuncId, TransformError>,
    ) -> Vec<Tensor> {
        let refuse = |e: Error| -> ! { fail(e.or_at(what.at).within(what)) };
        match &self.home {
            Home::Trace(_) => {
                let func = trace::with_module(|m| make(m, self.func)).unwrap_or_else(|e| refuse(e.into()));
                replaying(&self.heard, || trace::replay(func, &all))
            }
            Home::Own(module) => {
                let mut module = Module::clone(module);
                let func = make(&mut module, self.func).unwrap_or_else(|e| refuse(e.into()));
                reuse::run(&module, func, self, all).unwrap_or_else(|e| refuse(e))
            }
        }
    }

    /// What is chosen for a derivative to keep within its budget.
    pub(crate) fn memory_plan(
        &self,
        what: What,
        of: Derivation,
        budget: &Budget,
    ) -> Result<MemoryPlan, Error> {
        let explain = |e: Error| e.or_at(what.at).within(what);
        match &self.home {
            Home::Own(module) => {
                let planned = of.within(&mut module.clone(), self.func, budget);
                planned.map(|(_, plan)| plan).map_err(explain)
            }
            Home::Trace(_) => Err(explain(Error::new(
                "a plan is made outside of what is traced: the program is not all there",
                None,
            ))),
        }
    }

    /// The function of a trace that goes on, where it runs a second time: without effects.
    pub(crate) fn quiet_again(&self, what: What) -> FuncId {
        let quiet = trace::with_module(|m| effects::silence(m, self.func));
        quiet.unwrap_or_else(|e| {
            let message = "a pullback within a memory budget computes the function again, and would call it again: use the \
                 budget of `grad`";
            let e = TransformError { message: message.into(), ..e };
            fail(Error::from(e).or_at(what.at).within(what))
        })
    }

    /// Whether the traced function has such an operation in what it runs.
    pub(crate) fn reaches(&self, is: &dyn Fn(&Op) -> bool) -> bool {
        match &self.home {
            Home::Own(module) => module.reaches(self.func, is),
            Home::Trace(_) => trace::with_module(|m| m.reaches(self.func, is)),
        }
    }

    /// Whether there is a forward mode of it.
    pub(crate) fn has_forward_mode(&self) -> bool {
        !self.reaches(&is_of_reverse_mode)
    }

    /// Makes another function of one of its module with the same parameters, and runs it on `all ++ extra`: captures, leaves of arguments
    /// and what the other function takes besides.
    pub(crate) fn derive_and_run(
        &self,
        what: What,
        mut all: Vec<Tensor>,
        extra: &[Tensor],
        func: FuncId,
        derivation: Derivation,
    ) -> Vec<Tensor> {
        for t in extra {
            trace::check_alive(t, what.at).unwrap_or_else(|e| fail(e.within(what)));
        }
        all.extend_from_slice(extra);
        let explain = |e: Error| -> ! { fail(e.or_at(what.at).within(what)) };
        match &self.home {
            Home::Trace(trace) if !trace::is_current(*trace) => explain(Error::new(LEFT, None)),
            // Inside another trace: the derivative is replayed into its frame.
            Home::Trace(_) => {
                let func = trace::with_module(|m| derivation.apply(m, func));
                let func = func.unwrap_or_else(|e| explain(e));
                replaying(&self.heard, || trace::replay(func, &all))
            }
            Home::Own(module) => {
                let at_once = matches!(derivation, Derivation::Within(..));
                if is_tracing() {
                    // Recorded before the trace that is going on: its program becomes part of the one being traced, but for
                    // what was heard when it was recorded.
                    let mut quiet = Module::clone(module);
                    let func = match self.heard.is_empty() {
                        true => func,
                        false => effects::silence(&mut quiet, func).unwrap_or_else(|e| explain(e.into())),
                    };
                    let (module, func) = derived(&quiet, func, derivation).unwrap_or_else(|e| explain(e));
                    return trace::replay(trace::with_module(|m| append(m, &module, func)), &all);
                }
                let (module, func) = derived(module, func, derivation).unwrap_or_else(|e| explain(e));
                if at_once {
                    // What it takes is known of the compiled program.
                    let program = Traced::new(Module::clone(&module), func);
                    let compiled = compile(program, None).unwrap_or_else(|e| explain(e));
                    let all: Vec<Tensor> =
                        all.iter().map(|t| concrete(t, "", what.at).unwrap_or_else(|e| explain(e))).collect();
                    let all: Vec<&Tensor> = all.iter().collect();
                    let run = || compiled.run(&all);
                    // Compiled code rounds otherwise than what was run operation by operation.
                    return replaying_rounded(&self.heard, run).unwrap_or_else(|e| explain(e)).to_vec();
                }
                // Run now, operation by operation. What was computed while recording is not computed again.
                reuse::run(&module, func, self, all).unwrap_or_else(|e| explain(e))
            }
        }
    }
}
