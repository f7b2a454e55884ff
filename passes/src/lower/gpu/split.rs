//! What of a program its host does, and what a device.
//!
//! The host launches, calls libraries, makes room in stacks, and runs the control flow around these. Of scalars it has those
//! made of constants and of its own counters. A stack moves when it grows, so only a row of it can be given to a launch: a loop
//! that walks over rows is the host's.

use crate::lower::gpu::unit::is_index_op;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use wengert_ir::entity::EntityVec;
use wengert_ir::kernel::*;
use wengert_ir::{device_ops, scalar_ops};

/// Where a scalar of the device is kept for others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Home {
    /// In a slot of its type.
    Slot(u32),
    /// Where it was loaded from, a place that is only read.
    Element(MemRef, i64),
}

/// How many operations an index is made anew from at most.
const MOST_CHAIN: usize = 16;

pub(super) struct Split<'p> {
    program: &'p Program,
    kernel: &'p Kernel,
    /// What defines each scalar; `None` for what a block takes and for what control flow gives.
    def: EntityVec<KValue, Option<&'p KInst>>,
    /// Scalars that the host has.
    is_host: EntityVec<KValue, bool>,
    /// Whether an instruction that holds blocks is the host's, by its address.
    flows: FxHashMap<usize, bool>,
}

impl<'p> Split<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        let kernel = &program.kernels[program.entry];
        let mut split = Self {
            program,
            kernel,
            def: EntityVec::filled(None, kernel.values.len()),
            is_host: EntityVec::filled(true, kernel.values.len()),
            flows: FxHashMap::default(),
        };
        split.define(&kernel.body);
        split.flows(&kernel.body);
        // What the device has makes more the device's; what a loop carries may be from its second trip on.
        while split.spread(&kernel.body, true) {}
        split
    }

    /// Whether the host does an instruction; scalars that the host has are nobody's in particular.
    pub(super) fn is_for_host(&self, inst: &KInst) -> bool {
        match &inst.op {
            KOp::Launch { .. } | KOp::Library(_) | KOp::Reserve(_) | KOp::Steps(_) => true,
            KOp::Call { .. } | KOp::Parallel { .. } => true,
            KOp::For(_) | KOp::While(_) | KOp::Switch(_) => self.flows[&address(inst)],
            scalar_ops!() | device_ops!() | KOp::Load(_) | KOp::Store(_) => false,
        }
    }

    /// Whether it is a scalar that the host computes.
    pub(super) fn is_scalar(&self, inst: &KInst) -> bool {
        matches!(inst.op, scalar_ops!()) && inst.results.iter().all(|&r| self.is_host[r])
    }

    pub(super) fn is_host(&self, v: KValue) -> bool {
        self.is_host[v]
    }

    pub(super) fn is_constant(&self, v: KValue) -> Option<u64> {
        if let KOp::Const(word) = self.def[v]?.op { Some(word) } else { None }
    }

    /// What an index is made of, if it is made anew where it is needed.
    pub(super) fn chain(&self, v: KValue) -> Option<&'p KInst> {
        let mut left = MOST_CHAIN;
        self.short(v, &mut left).then(|| self.def[v]).flatten()
    }

    /// Whether it is made by few operations on integers.
    fn short(&self, v: KValue, left: &mut usize) -> bool {
        if self.is_host[v] {
            return true;
        }
        let Some(inst) = self.def[v] else { return false };
        if *left == 0 || !is_index_op(self.kernel, inst) {
            return false;
        }
        *left -= 1;
        // A bound is made anew whatever it bounds, which is kept then: without it nobody sees where an access is.
        if self.is_bound(inst) {
            return true;
        }
        // What it is made of may itself be kept, if it is no index.
        inst.operands.iter().all(|&w| {
            let made = self.def[w].is_some_and(|inst| is_index_op(self.kernel, inst));
            !made || self.short(w, left)
        })
    }

    /// Whether an instruction keeps a number below or above a constant.
    fn is_bound(&self, inst: &KInst) -> bool {
        matches!(inst.op, KOp::Binary(KBinary::Min | KBinary::MinU | KBinary::Max | KBinary::MaxU))
            && inst.operands.iter().any(|&v| self.is_constant(v).is_some())
    }

    /// The scalars of the device that must be kept for one to be had elsewhere.
    pub(super) fn leaves(&self, v: KValue, f: &mut dyn FnMut(KValue)) {
        if self.is_host[v] {
            return;
        }
        match self.chain(v) {
            Some(inst) => inst.operands.iter().for_each(|&w| self.leaves(w, f)),
            None => f(v),
        }
    }

    /// The place that a scalar was loaded from, if nothing writes there.
    pub(super) fn element(&self, v: KValue) -> Option<Home> {
        let KOp::Load(access) = &self.def[v]?.op else { return None };
        let MemKind::Program(mem) = self.kernel.mems[access.mem].kind else { return None };
        let fixed = matches!(self.program.mems[mem].place, Place::Param(_) | Place::Constant(_));
        (fixed && access.terms.is_empty()).then_some(Home::Element(access.mem, access.offset))
    }

    /// Whether a memory of the entry is a stack.
    pub(super) fn is_stack(&self, m: MemRef) -> bool {
        match self.kernel.mems[m].kind {
            MemKind::Program(mem) => self.program.mems[mem].place == Place::Stack,
            MemKind::Param(_) | MemKind::Local | MemKind::Workgroup => false,
        }
    }

    fn define(&mut self, block: &'p Block) {
        for inst in &block.insts {
            let made_at_once = inst.op.blocks().next().is_none();
            for &r in &inst.results {
                self.def[r] = made_at_once.then_some(inst);
            }
            inst.op.blocks().for_each(|b| self.define(b));
        }
    }

    /// Finds whose control flow is; whether a block has something of the host's.
    fn flows(&mut self, block: &'p Block) -> bool {
        let mut any = false;
        for inst in &block.insts {
            let is = match &inst.op {
                KOp::For(_) | KOp::While(_) | KOp::Switch(_) => {
                    let mut is = self.leaves_a_row(inst);
                    for inner in inst.op.blocks() {
                        is |= self.flows(inner);
                    }
                    self.flows.insert(address(inst), is);
                    is
                }
                KOp::Launch { .. }
                | KOp::Library(_)
                | KOp::Reserve(_)
                | KOp::Steps(_)
                | KOp::Call { .. }
                | KOp::Parallel { .. } => true,
                scalar_ops!() | device_ops!() | KOp::Load(_) | KOp::Store(_) => false,
            };
            any |= is;
        }
        any
    }

    /// Whether control flow accesses a stack at a place of which it is not plain that it is in one row.
    fn leaves_a_row(&self, inst: &'p KInst) -> bool {
        let mut inside: FxHashMap<KValue, Option<(i64, i64)>> = FxHashMap::default();
        let mut leaves = false;
        self.stack_accesses(inst, &mut inside, &mut leaves);
        leaves
    }

    fn stack_accesses(
        &self,
        inst: &'p KInst,
        inside: &mut FxHashMap<KValue, Option<(i64, i64)>>,
        leaves: &mut bool,
    ) {
        for access in inst.op.accesses() {
            if !self.is_stack(access.mem) {
                continue;
            }
            let row = self.kernel.mems[access.mem].len as i64;
            let mut range = (access.offset, access.offset);
            for (v, c) in &access.terms {
                match inside.get(v) {
                    None => {}
                    Some(Some((low, high))) if *c >= 0 => {
                        range = (range.0 + low * c, range.1 + high * c);
                    }
                    Some(_) => *leaves = true,
                }
            }
            *leaves |= range.0 < 0 || range.1 >= row;
        }
        if let KOp::For(l) = &inst.op {
            let mut known = None;
            if let (Extent::Const(a), Extent::Const(b)) = (l.start, l.end) {
                known = (a < b).then_some((a, b - 1));
            }
            for (k, &p) in l.body.params.iter().enumerate() {
                inside.insert(p, known.filter(|_| k == 0));
            }
        }
        for block in inst.op.blocks() {
            if !matches!(inst.op, KOp::For(_)) {
                block.params.iter().for_each(|&p| {
                    inside.insert(p, None);
                });
            }
            for inner in &block.insts {
                self.stack_accesses(inner, inside, leaves);
                inner.results.iter().for_each(|&r| {
                    inside.insert(r, None);
                });
            }
        }
    }

    /// Notes that the device has a scalar; whether that is new.
    fn device(&mut self, v: KValue) -> bool {
        std::mem::replace(&mut self.is_host[v], false)
    }

    /// What is made of what the device has, is the device's.
    fn spread(&mut self, block: &'p Block, on_host: bool) -> bool {
        let mut changed = false;
        for inst in &block.insts {
            match &inst.op {
                scalar_ops!() => {
                    if !on_host || !inst.operands.iter().all(|&v| self.is_host[v]) {
                        inst.results.iter().for_each(|&r| changed |= self.device(r));
                    }
                }
                KOp::For(l) if self.flows[&address(inst)] => {
                    changed |= self.spread(&l.body, true);
                    let params: SmallVec<[KValue; 8]> = l.body.params[1..].into();
                    changed |= self.carried(inst, &params, &l.body.yields);
                }
                KOp::While(w) if self.flows[&address(inst)] => {
                    changed |= self.spread(&w.cond, true);
                    changed |= self.spread(&w.body, true);
                    changed |= self.carried(inst, &w.body.params, &w.body.yields);
                    for (&a, &b) in w.cond.params.iter().zip(&w.body.params) {
                        if !self.is_host[b] {
                            changed |= self.device(a);
                        }
                    }
                }
                KOp::Switch(blocks) if self.flows[&address(inst)] => {
                    for arm in blocks {
                        changed |= self.spread(arm, true);
                        for (&r, v) in inst.results.iter().zip(&arm.yields) {
                            if !self.is_host[*v] {
                                changed |= self.device(r);
                            }
                        }
                    }
                }
                KOp::For(_)
                | KOp::While(_)
                | KOp::Switch(_)
                | KOp::Load(_)
                | KOp::Store(_)
                | KOp::Call { .. }
                | KOp::Parallel { .. }
                | KOp::Launch { .. }
                | device_ops!()
                | KOp::Library(_)
                | KOp::Reserve(_)
                | KOp::Steps(_) => {
                    inst.results.iter().for_each(|&r| changed |= self.device(r));
                    for inner in inst.op.blocks() {
                        inner.params.iter().for_each(|&p| changed |= self.device(p));
                        changed |= self.spread(inner, false);
                    }
                }
            }
        }
        changed
    }

    fn carried(&mut self, inst: &KInst, params: &[KValue], yields: &[KValue]) -> bool {
        let mut changed = false;
        for (k, &p) in params.iter().enumerate() {
            if !self.is_host[inst.operands[k]] || !self.is_host[yields[k]] || !self.is_host[p] {
                changed |= self.device(p);
                changed |= self.device(inst.results[k]);
            }
        }
        changed
    }
}

/// What an instruction is known by.
fn address(inst: &KInst) -> usize {
    std::ptr::from_ref(inst).addr()
}
