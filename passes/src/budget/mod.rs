//! A derivative within a memory budget: what its reverse pass keeps, keeps in a smaller type, or computes again is chosen so
//! that the compiled program needs no more memory than it may, at the least extra time that is found.
//!
//! The derivative is a straight line of tasks ([`program`]), and a [`schedule`] says when each is computed. Scans, whose
//! residuals are one task, are divided into segments before the derivative is taken ([`loops`]). How much memory a candidate
//! takes is not estimated: it is lowered, and its plan of memory is read ([`measure`]). So what is predicted is what the program
//! takes. At most [`MOST_MEASURED`] candidates are lowered; the same program gives the same plan.
//!
//! Literature: Griewank and Walther, *Algorithm 799: Revolve*, 2000; Jain et al., *Checkmate*, MLSys 2020; Beaumont et al., *Efficient
//! Combination of Rematerialization and Offloading* (POFO), NeurIPS 2021; Kirisame et al., *Dynamic Tensor
//! Rematerialization*, ICLR 2021.

mod loops;
mod plan;
mod program;
pub(crate) mod schedule;

pub use plan::{Entry, MemoryPlan};

use crate::error::TransformError;
use crate::lower;
use crate::pipeline::Pipeline;
use crate::{ad, checks};
use loops::{Division, Steps};
use program::Program;
use schedule::Schedule;
use std::collections::BTreeMap;
use wengert_ir::func::{Func, FuncId, InstId, Module};
use wengert_ir::limits::Limits;
use wengert_ir::op::Op;
use wengert_ir::types::{DType, Type};

/// How much memory a compiled derivative may take.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Budget {
    /// Bytes of arguments, results, constants and scratch memory together.
    pub bytes: u64,
    /// A type in which floats may be kept for the reverse pass.
    pub compress: Option<DType>,
    /// Whether the machine has a fused multiply-add, as [`Pipeline::of_machine`] asks.
    pub fuses: bool,
}

/// A derivative.
#[derive(Clone, Copy, Debug)]
pub enum Derivative<'a> {
    /// [`ad::value_and_grad`] of the first result.
    ValueAndGrad(&'a [bool]),
    /// [`ad::vjp`].
    Vjp(&'a [bool], &'a [bool]),
}

impl Derivative<'_> {
    fn of(self, m: &mut Module, func: FuncId) -> Result<FuncId, TransformError> {
        match self {
            Derivative::ValueAndGrad(wrt) => ad::value_and_grad(m, func, wrt, 0),
            Derivative::Vjp(wrt, cotangents) => ad::vjp(m, func, wrt, cotangents),
        }
    }
}

/// What a program takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Measured {
    /// Bytes of arguments, results, constants and scratch memory.
    pub peak: u64,
    /// Bytes without scratch memory.
    pub fixed: u64,
    /// The picoseconds that it takes by the cost model ([`lower::time`]).
    pub time: u64,
    /// Whether it keeps what has no size before it runs.
    pub open: bool,
}

/// Most candidates that are lowered for one derivative.
pub const MOST_MEASURED: u32 = 32;

/// What a function takes when it is compiled.
///
/// The first `values` results are those of the function itself. A program may leave them out, and need not take less memory then: what
/// is stored is chosen by time. So it is the larger of both.
fn measure(m: &Module, func: FuncId, fuses: bool, values: usize) -> Result<Measured, TransformError> {
    let whole = measure_one(m, func, fuses)?;
    if !(1..m.get(func).results.len()).contains(&values) {
        return Ok(whole);
    }
    let (mut module, ids) = m.reachable(&[func]);
    let mut alone = Func::clone(&module.get(ids[0]));
    alone.results.drain(..values);
    let alone = module.add(alone);
    Ok(Measured { peak: whole.peak.max(measure_one(&module, alone, fuses)?.peak), ..whole })
}

fn measure_one(m: &Module, func: FuncId, fuses: bool) -> Result<Measured, TransformError> {
    if m.reaches(func, &|op| matches!(op, Op::Collective(_) | Op::AxisIndex(_))) {
        let message = "a memory budget is that of a whole program, and this one speaks of an axis that a `vmap` around it binds: \
             give the budget to a derivative of what is mapped";
        return Err(TransformError::new(message));
    }
    let (mut module, ids) = m.reachable(&[func]);
    let fail = |e: &dyn std::fmt::Display| TransformError::new(e.to_string());
    let (func, _) = checks::hoist(&mut module, ids[0]);
    let limits = Limits::default();
    let run = Pipeline::of_machine(fuses).run_within(&mut module, func, &limits, &mut |_| {});
    let func = run.map_err(|e| fail(&e))?;
    let options = lower::Options { contract: fuses, ..Default::default() };
    let (program, stats) = lower::lower_with_stats(&module, func, &options).map_err(|e| fail(&e))?;
    let peak = program.memory();
    let dynamic = |ty: &Type| ty.as_tensor().is_some_and(|t| !t.is_static());
    let (kept, _) = module.reachable(&[func]);
    let open = kept.funcs.values().flat_map(|f| f.values.values()).any(|v| dynamic(&v.ty));
    Ok(Measured {
        peak,
        fixed: peak - program.scratch as u64,
        time: lower::time(&module, func, options.target, &stats),
        open,
    })
}

/// The derivative of a function within a budget, and what was chosen for it.
///
/// Fails where there is no derivative, where the budget cannot be met, with the smallest that can, and where nobody can know
/// before the program runs.
pub fn within(
    m: &mut Module,
    func: FuncId,
    derivative: Derivative<'_>,
    budget: &Budget,
) -> Result<(FuncId, MemoryPlan), TransformError> {
    let plain = derivative.of(m, func)?;
    let exact = m.get(func).results.len();
    let before = measure(m, plain, budget.fuses, exact)?;
    if before.open {
        return Err(TransformError::new(
            "a memory budget cannot be kept: the reverse pass of a loop whose number of steps is not known before it runs \
             keeps something of each. Give the loop a number of steps (`scan`, `fori_loop` with Rust integers)",
        ));
    }
    let mut search = Search { m, derivative, budget, exact, left: MOST_MEASURED, before, smallest: before };
    if before.peak <= budget.bytes {
        let plan = search.plan(
            plain,
            &Candidate { func: plain, schedule: None, measured: before },
            &BTreeMap::new(),
        );
        return Ok((plain, plan));
    }
    search.run(func)
}

/// A derivative that was measured.
#[derive(Clone)]
struct Candidate {
    func: FuncId,
    /// `None` for what was derived as it is.
    schedule: Option<Schedule>,
    measured: Measured,
}

type Divisions = BTreeMap<InstId, Division>;

struct Search<'m> {
    m: &'m mut Module,
    derivative: Derivative<'m>,
    budget: &'m Budget,
    /// How many results do not depend on what is kept in a smaller type.
    exact: usize,
    /// How many more candidates may be measured.
    left: u32,
    before: Measured,
    smallest: Measured,
}

impl Search<'_> {
    fn run(&mut self, func: FuncId) -> Result<(FuncId, MemoryPlan), TransformError> {
        let func = ad::prepared(self.m, func);
        let f = self.m.get(func);
        // The loops that keep most first.
        let mut scans = Steps::of(self.m, &f);
        scans.sort_by_key(|s| (std::cmp::Reverse(s.each.saturating_mul(s.count as u64)), s.id));
        let mut divisions = Divisions::new();
        let mut found = self.scheduled(func, &divisions)?;
        'levels: for level in 1..=2 {
            for &steps in &scans {
                if found.is_some() {
                    break 'levels;
                }
                divisions.insert(steps.id, steps.division(level));
                found = self.scheduled(func, &divisions)?;
            }
        }
        let Some((mut best, mut plain)) = found else { return Err(self.too_small(func, &divisions)) };
        if best.schedule.is_none()
            && let Some(&steps) = scans.iter().find(|s| divisions.contains_key(&s.id))
            && let Some((better, derived)) = self.with_plain_steps(func, steps, &mut divisions, &best)?
        {
            (best, plain) = (better, derived);
        }
        let plan = self.plan(plain, &best, &divisions);
        Ok((best.func, plan))
    }

    fn measure(&mut self, func: FuncId) -> Result<Option<Measured>, TransformError> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let measured = measure(self.m, func, self.budget.fuses, self.exact)?;
        if measured.peak < self.smallest.peak {
            self.smallest = measured;
        }
        Ok(Some(measured))
    }

    /// The cheapest candidate found with these divisions that keeps within the budget, and the derivative it was made of.
    fn scheduled(
        &mut self,
        func: FuncId,
        divisions: &Divisions,
    ) -> Result<Option<(Candidate, FuncId)>, TransformError> {
        let divided = loops::divided(self.m, func, divisions);
        let derived = self.derivative.of(self.m, divided)?;
        let Some(measured) = self.measure(derived)? else { return Ok(None) };
        if measured.peak <= self.budget.bytes {
            return Ok(Some((Candidate { func: derived, schedule: None, measured }, derived)));
        }
        let f = self.m.get(derived);
        let program = Program::new(self.m, &f, self.exact, self.budget.compress);
        let (least, most) = (program.problem.smallest(), program.problem.plain());
        let Some(lowest) = self.candidate(&program, least.clone())? else { return Ok(None) };
        if lowest.measured.peak > self.budget.bytes {
            return Ok(None);
        }
        let mut best = lowest;
        let (mut low, mut high) = (least.peak, most.peak);
        // What the model says and what was measured differ by about the same everywhere.
        let mut guess = low.saturating_add(self.budget.bytes - best.measured.peak);
        for _ in 0..ROUNDS {
            if high <= low.saturating_add(low / 100) {
                break;
            }
            if guess <= low || guess >= high {
                guess = low + (high - low) / 2;
            }
            let Some(schedule) = program.problem.schedule(guess) else {
                low = guess;
                continue;
            };
            if best.schedule.as_ref().is_some_and(|s| s.steps == schedule.steps) {
                low = guess;
                guess = 0;
                continue;
            }
            let Some(next) = self.candidate(&program, schedule)? else { break };
            if next.measured.peak <= self.budget.bytes {
                low = guess;
                guess = guess.saturating_add(self.budget.bytes - next.measured.peak);
                if next.cost() < best.cost() {
                    best = next;
                }
            } else {
                high = guess;
                guess = guess.saturating_sub(next.measured.peak - self.budget.bytes);
            }
        }
        Ok(Some((best, derived)))
    }

    fn candidate(
        &mut self,
        program: &Program<'_>,
        schedule: Schedule,
    ) -> Result<Option<Candidate>, TransformError> {
        let mut emitted = program.emit(&schedule);
        emitted.name = self.m.fresh_name(&emitted.name);
        let func = self.m.add(emitted);
        let measured = self.measure(func)?;
        Ok(measured.map(|measured| Candidate { func, schedule: Some(schedule), measured }))
    }

    /// With one loop in segments, and memory left: the steps that run last need none, as far as memory goes.
    fn with_plain_steps(
        &mut self,
        func: FuncId,
        steps: Steps,
        divisions: &mut Divisions,
        best: &Candidate,
    ) -> Result<Option<(Candidate, FuncId)>, TransformError> {
        let (level, count) = (divisions[&steps.id].sizes.len(), steps.count);
        if divisions.len() > 1 || best.measured.peak > self.budget.bytes {
            return Ok(None);
        }
        let each = self.before.peak.saturating_sub(best.measured.peak) / count as u64 + 1;
        let mut plain = ((self.budget.bytes - best.measured.peak) / each) as usize;
        for _ in 0..3 {
            // Fewer are not worth a loop of their own.
            if plain < count / 20 || plain >= count {
                return Ok(None);
            }
            let other = Division { plain, ..steps.less(plain).division(level) };
            let tried = Divisions::from([(steps.id, other)]);
            let divided = loops::divided(self.m, func, &tried);
            let derived = self.derivative.of(self.m, divided)?;
            let Some(measured) = self.measure(derived)? else { return Ok(None) };
            if measured.peak <= self.budget.bytes {
                *divisions = tried;
                return Ok(Some((Candidate { func: derived, schedule: None, measured }, derived)));
            }
            plain -= plain / 4 + 1;
        }
        Ok(None)
    }

    /// Why there is no derivative within the budget.
    fn too_small(&mut self, func: FuncId, divisions: &Divisions) -> TransformError {
        let divided = loops::divided(self.m, func, divisions);
        let mut limit = String::new();
        if let Ok(derived) = self.derivative.of(self.m, divided) {
            let f = self.m.get(derived);
            let program = Program::new(self.m, &f, self.exact, self.budget.compress);
            limit = plan::largest(&program);
        }
        let Measured { peak, fixed, .. } = self.smallest;
        TransformError::new(format!(
            "a memory budget of {} is too small: the smallest that can be met is {}. Arguments, results and constants take {} of \
             it{limit}",
            plan::size(self.budget.bytes),
            plan::size(peak),
            plan::size(fixed),
        ))
    }

    fn plan(&mut self, plain: FuncId, chosen: &Candidate, divisions: &Divisions) -> MemoryPlan {
        let f = self.m.get(plain);
        let program = Program::new(self.m, &f, self.exact, self.budget.compress);
        let schedule = chosen.schedule.clone().unwrap_or_else(|| program.problem.plain());
        plan::describe(self.budget, self.before, chosen.measured, &program, &schedule, divisions)
    }
}

impl Candidate {
    fn cost(&self) -> u64 {
        self.schedule.as_ref().map_or(0, |s| s.cost)
    }
}

/// Most schedules that are measured for one choice of divisions, beside the smallest.
const ROUNDS: usize = 7;
