//! How a loop is cut: the stage of each scalar, the steps of a tile, and what is kept in buffers between them.

use super::add_term;
use crate::codegen::simd;
use crate::codegen::variation::{Variation, lane_step, variation};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use wengert_ir::entity::EntityVec;
use wengert_ir::kernel::{Access, For, KInst, KOp, KValue, MemRef, Scalar};
use wengert_ir::{launch_ops, scalar_ops};

/// What is done for one tile, in order.
#[derive(Clone, Copy)]
pub(super) enum Step {
    /// The loop of a stage.
    Loop(usize),
    /// The call of the library that this instruction becomes.
    Call(usize),
}

/// How a loop is cut.
pub(super) struct Plan<'l> {
    pub(super) l: &'l For,
    pub(super) definitions: FxHashMap<KValue, usize>,
    /// Stage of each instruction that is in exactly one; `None` for those that are added where they are needed, for
    /// calls of the library, and for stores that a call does.
    pub(super) placed: Vec<Option<usize>>,
    pub(super) calls: Vec<bool>,
    /// Stage from which each value of the body can be read.
    pub(super) stage_of: FxHashMap<KValue, usize>,
    pub(super) stages: usize,
    pub(super) steps: Vec<Step>,
    /// Values that each stage leaves in buffers.
    pub(super) saved: Vec<Vec<KValue>>,
    /// The last step that reads each value.
    pub(super) last: FxHashMap<KValue, usize>,
    /// Loads that a call can read from directly, and stores that it can do.
    pub(super) sources: FxHashMap<KValue, Access>,
    pub(super) targets: FxHashMap<KValue, Access>,
}

impl<'l> Plan<'l> {
    /// `None` if the loop has no varying call of the library, or cannot be cut. `inlines`: short functions are part of its vector code;
    /// `direct`: calls may read and write the memory of the loop.
    pub(super) fn new(
        l: &'l For,
        types: &EntityVec<KValue, Scalar>,
        inlines: bool,
        direct: bool,
    ) -> Option<Plan<'l>> {
        let insts = &l.body.insts;
        let straight = insts.iter().all(|inst| match &inst.op {
            scalar_ops!() | KOp::Load(_) | KOp::Store(_) => true,
            KOp::For(_)
            | KOp::While(_)
            | KOp::Switch(_)
            | KOp::Call { .. }
            | KOp::Parallel { .. }
            | launch_ops!()
            | KOp::Library(_)
            | KOp::Reserve(_)
            | KOp::Steps(_) => false,
        });
        if !straight {
            return None;
        }
        let variation = variation(l);
        let calls: Vec<bool> = insts
            .iter()
            .map(|inst| {
                let ty = || types[inst.results[0]];
                let is_long = match inst.op {
                    KOp::Math(f) => !(inlines && simd::inlines(f, ty())),
                    KOp::Math2(f) => !(inlines && simd::inlines2(f, ty())),
                    _ => false,
                };
                is_long && variation.varies(inst.results[0])
            })
            .collect();
        calls.contains(&true).then_some(())?;
        let mut plan = Plan {
            l,
            definitions: FxHashMap::default(),
            placed: vec![None; insts.len()],
            calls,
            stage_of: FxHashMap::default(),
            stages: 1,
            steps: Vec::new(),
            saved: Vec::new(),
            last: FxHashMap::default(),
            sources: FxHashMap::default(),
            targets: FxHashMap::default(),
        };
        for (at, inst) in insts.iter().enumerate() {
            plan.definitions.extend(inst.results.iter().map(|&v| (v, at)));
        }
        if direct {
            plan.find_direct(&variation, types);
        }
        plan.assign(&variation)?;
        plan.order();
        Some(plan)
    }

    pub(super) fn is_call(&self, at: usize) -> bool {
        self.calls[at]
    }

    pub(super) fn direct_source(&self, v: KValue) -> Option<&Access> {
        self.sources.get(&v)
    }

    pub(super) fn direct_target(&self, v: KValue) -> Option<&Access> {
        self.targets.get(&v)
    }

    /// An access of iteration `i` as that of a tile's first one.
    pub(super) fn at_tile(&self, access: &Access, tile: KValue) -> Access {
        let mut moved = Access { mem: access.mem, offset: access.offset, terms: SmallVec::new() };
        for &(v, stride) in &access.terms {
            add_term(&mut moved, if v == self.l.body.params[0] { tile } else { v }, stride);
        }
        moved
    }

    /// Accesses to consecutive elements that calls can do themselves.
    pub(super) fn find_direct(&mut self, variation: &Variation, types: &EntityVec<KValue, Scalar>) {
        let insts = &self.l.body.insts;
        let mut accesses: FxHashMap<MemRef, usize> = FxHashMap::default();
        for inst in insts {
            if let KOp::Load(access) | KOp::Store(access) = &inst.op {
                *accesses.entry(access.mem).or_default() += 1;
            }
        }
        let outside = |v: &KValue| *v == self.l.body.params[0] || !self.definitions.contains_key(v);
        let contiguous = |access: &Access| {
            lane_step(self.l, access, variation) == Some(1) && access.terms.iter().all(|(v, _)| outside(v))
        };
        let mut uses: FxHashMap<KValue, usize> = FxHashMap::default();
        let terms = |inst: &KInst| match &inst.op {
            KOp::Load(access) | KOp::Store(access) => access.terms.iter().map(|&(v, _)| v).collect(),
            _ => Vec::new(),
        };
        for v in insts.iter().flat_map(|inst| inst.operands.iter().copied().chain(terms(inst))) {
            *uses.entry(v).or_default() += 1;
        }
        for &v in &self.l.body.yields {
            *uses.entry(v).or_default() += 1;
        }
        for inst in insts {
            match &inst.op {
                KOp::Load(access) if contiguous(access) && !variation.stored.contains(&access.mem) => {
                    self.sources.insert(inst.results[0], access.clone());
                }
                KOp::Store(access) => {
                    let v = inst.operands[0];
                    let from_call = self.definitions.get(&v).is_some_and(|&at| self.calls[at]);
                    if from_call && uses[&v] == 1 && accesses[&access.mem] == 1 && contiguous(access) {
                        self.targets.insert(v, access.clone());
                    }
                }
                _ => {}
            }
        }
        debug_assert!(self.targets.keys().all(|&v| types[v].is_float()));
    }

    /// Gives each instruction its stage. `None` if a call depends on a carried value.
    pub(super) fn assign(&mut self, variation: &Variation) -> Option<()> {
        const CARRIED: usize = usize::MAX;
        let insts = &self.l.body.insts;
        let mut stage_of: FxHashMap<KValue, usize> =
            self.l.body.params[1..].iter().map(|&v| (v, CARRIED)).collect();
        // Stages before which accesses to a memory that is stored to may not move.
        let mut ordered: FxHashMap<MemRef, usize> = FxHashMap::default();
        for (at, inst) in insts.iter().enumerate() {
            let read = |v: &KValue| stage_of.get(v).copied().unwrap_or(0);
            let mut stage = inst.operands.iter().map(read).max().unwrap_or(0);
            match &inst.op {
                KOp::Load(access) | KOp::Store(access) => {
                    stage = stage.max(access.terms.iter().map(|(v, _)| read(v)).max().unwrap_or(0));
                    if variation.stored.contains(&access.mem) {
                        let barrier = ordered.entry(access.mem).or_default();
                        stage = stage.max(*barrier);
                        *barrier = stage;
                    }
                    let is_again = matches!(inst.op, KOp::Load(_))
                        && !variation.stored.contains(&access.mem)
                        && access
                            .terms
                            .iter()
                            .all(|(v, _)| *v == self.l.body.params[0] || !variation.varies(*v));
                    let done_by_call =
                        matches!(inst.op, KOp::Store(_)) && self.targets.contains_key(&inst.operands[0]);
                    if !is_again && !done_by_call {
                        self.placed[at] = Some(stage);
                    }
                }
                _ if self.calls[at] => {
                    if stage == CARRIED {
                        return None;
                    }
                    stage += 1;
                }
                _ if inst.results.iter().all(|&v| !variation.varies(v)) => {}
                _ => self.placed[at] = Some(stage),
            }
            stage_of.extend(inst.results.iter().map(|&v| (v, stage)));
        }
        let real = |s: usize| if s == CARRIED { 0 } else { s };
        let last_call = stage_of.values().copied().map(real).max().unwrap_or(0);
        let last_placed = self.placed.iter().flatten().copied().map(real).max().unwrap_or(0);
        let last = last_call.max(last_placed);
        self.stages = last + 1;
        for stage in self.placed.iter_mut().flatten().chain(stage_of.values_mut()) {
            *stage = (*stage).min(last);
        }
        self.stage_of = stage_of;
        Some(())
    }

    /// The steps, what each stage saves, and until when.
    pub(super) fn order(&mut self) {
        let insts = &self.l.body.insts;
        self.saved = vec![Vec::new(); self.stages];
        let mut step_of_loop = vec![0; self.stages];
        for (stage, step_of_loop) in step_of_loop.iter_mut().enumerate() {
            *step_of_loop = self.steps.len();
            self.steps.push(Step::Loop(stage));
            for (at, inst) in insts.iter().enumerate() {
                if self.calls[at] && self.stage_of[&inst.results[0]] == stage + 1 {
                    self.steps.push(Step::Call(at));
                }
            }
        }
        let mut last: FxHashMap<KValue, usize> = FxHashMap::default();
        let mut saved = vec![Vec::new(); self.stages];
        // Values that live in a buffer are saved where they are made, or, if they can be had again, for one call.
        let mut cross = |plan: &Self, v: KValue, step: usize, stage: usize| {
            let crosses = match plan.definitions.get(&v) {
                None => false,
                Some(&at) if plan.calls[at] => true,
                Some(&at) => match plan.placed[at] {
                    Some(own) => {
                        if own < stage && !saved[own].contains(&v) {
                            saved[own].push(v);
                        }
                        own < stage
                    }
                    None => false,
                },
            };
            if crosses {
                let last = last.entry(v).or_default();
                *last = (*last).max(step);
            }
        };
        let mut fills: Vec<(KValue, usize, usize)> = Vec::new();
        for (position, step) in self.steps.iter().enumerate() {
            match *step {
                Step::Loop(stage) => {
                    for (at, inst) in insts.iter().enumerate() {
                        if self.placed[at] == Some(stage) {
                            self.reads(inst)
                                .for_each(|v| self.closure(v, &mut |v| cross(self, v, position, stage)));
                        }
                    }
                    if stage + 1 == self.stages {
                        for &v in &self.l.body.yields {
                            self.closure(v, &mut |v| cross(self, v, position, stage));
                        }
                    }
                }
                Step::Call(at) => {
                    let stage = self.stage_of[&insts[at].results[0]] - 1;
                    for &v in insts[at].operands.iter().filter(|v| !self.sources.contains_key(v)) {
                        // A call reads after its stage's loop, so what that makes crosses too.
                        cross(self, v, position, stage + 1);
                        let again = match self.definitions.get(&v) {
                            None => true,
                            Some(&at) => self.placed[at].is_none() && !self.calls[at],
                        };
                        if again {
                            fills.push((v, position, stage));
                            self.closure(v, &mut |v| cross(self, v, step_of_loop[stage], stage));
                        }
                    }
                }
            }
        }
        for (v, position, stage) in fills {
            // Saved once, by the first stage that has to.
            if !saved.iter().any(|s| s.contains(&v)) {
                saved[stage].push(v);
            }
            let last = last.entry(v).or_default();
            *last = (*last).max(position);
        }
        // A result that nothing reads still needs a place.
        for (position, step) in self.steps.iter().enumerate() {
            if let Step::Call(at) = *step {
                last.entry(insts[at].results[0]).or_insert(position);
            }
        }
        self.saved = saved;
        self.last = last;
    }

    /// Scalars that an instruction reads.
    pub(super) fn reads<'i>(&self, inst: &'i KInst) -> impl Iterator<Item = KValue> + use<'i> {
        let terms: &[(KValue, i64)] = match &inst.op {
            KOp::Load(access) | KOp::Store(access) => &access.terms,
            _ => &[],
        };
        inst.operands.iter().copied().chain(terms.iter().map(|&(v, _)| v))
    }

    /// Visits a value and, if it is had again where it is read, what that reads.
    pub(super) fn closure(&self, v: KValue, f: &mut dyn FnMut(KValue)) {
        f(v);
        if let Some(&at) = self.definitions.get(&v)
            && self.placed[at].is_none()
            && !self.calls[at]
        {
            for operand in self.reads(&self.l.body.insts[at]) {
                self.closure(operand, f);
            }
        }
    }
}
