//! Fusion: which values are computed inside their readers, which are stored, and which share a kernel.
//!
//! Backwards over the function every value is either inlined into its readers or becomes a *root*, which has
//! memory of its own. Forwards, roots join kernels: a root joins the last kernel over the same iteration space
//! that it shares an input with, unless what it reads is ready only later. Each kernel has a depth, greater
//! than that of all it reads, which keeps the order of kernels acyclic. A root whose readers are all in its own
//! kernel, at the same element, is not stored after all.

use super::classify::{
    Class, class, has_one_type, in_registers, is_of_parts, is_reduction, reshaped_from, short_dot, terms,
};
use super::cut::cut;
use super::recomputation::{arithmetic_of, leaps};
use super::strided_views;
use super::views::{contiguous_base, is_splat, strided_base};
use super::windowed::windows_of;
use super::windows::{Windows, elements};
use super::{Fused, Group, Plan, Role, Storing, acts};
use crate::cost::Target;
use crate::inline::STORED;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Def, Func, Inst, InstId, Module, Value};
use wengert_ir::op::{BroadcastInDim, Op, Reducer};
use wengert_ir::ops_of;
use wengert_ir::types::Dims;

/// Plans a function for a target when tensors of up to `limit` elements are in registers.
pub(in crate::lower) fn plan(
    target: &Target,
    module: &Module,
    func: &Func,
    limit: usize,
    storing: Storing,
) -> Plan {
    let first = Planner::new(target, module, func, limit, storing);
    if storing == Storing::Greedy { first.finish() } else { first.best() }
}

impl<'f> Planner<'f> {
    /// The kernels of a function, formed one value after the other.
    pub(in crate::lower) fn new(
        target: &'f Target,
        module: &Module,
        func: &'f Func,
        limit: usize,
        storing: Storing,
    ) -> Self {
        let mut p = Planner {
            func,
            target,
            acts: func.insts.values().map(|i| acts(module, &i.op)).collect(),
            class: func.insts.values().map(|i| class(func, i)).collect(),
            registers: func.insts.values().map(|i| in_registers(target, func, i, limit)).collect(),
            size: EntityVec::filled(0, func.values.len()),
            arithmetic: EntityVec::filled(0, func.values.len()),
            forced: EntityVec::filled(false, func.insts.len()),
            roles: EntityVec::filled(Role::Dead, func.insts.len()),
            uses: EntityVec::filled(Uses::default(), func.values.len()),
            choices: EntityVec::filled(false, func.insts.len()),
            unrolled: EntityVec::filled(None, func.insts.len()),
            depth: EntityVec::filled(0, func.values.len()),
            after: EntityVec::filled(0, func.values.len()),
            groups: Vec::new(),
            fused: Vec::new(),
            seen: EntityVec::filled((0, false), func.values.len()),
            stamp: 0,
        };
        p.measure(storing);
        p.choose_roots();
        p.inline_reshapes();
        p.form_groups();
        p
    }
}

/// How a value is read.
#[derive(Clone, Default, Debug)]
struct Uses {
    /// How often instructions name it.
    count: u32,
    /// Readers that are not inlined, at most [`MANY`].
    readers: SmallVec<[InstId; 4]>,
    /// Wants to be in memory.
    memory: bool,
    /// Times each element is computed if inlined, for broadcasts along outer dimensions.
    repeats: u64,
    /// Elements of an inner dimension that share each of its elements: it is then computed as a scalar, once for them.
    shared: u64,
    /// Whether overlapping windows read it: each element several times.
    overlaps: bool,
    /// Where the elements that are computed from it read it.
    windows: Windows,
    /// Pieces of concatenations that are computed from it, each by loops of its own.
    pieces: u32,
    /// A reader reduces.
    reduced: bool,
    /// Used at all.
    live: bool,
}

/// The size of one instruction; shared ones count in part.
const UNIT: u32 = 16;
/// Times that an element is read from which on those that leap through memory are brought into order first.
const REORDERED: u64 = 8;
/// Readers beyond this count as many.
pub(in crate::lower) const MANY: usize = 4;

#[derive(Clone)]
pub(in crate::lower) struct Planner<'f> {
    pub(in crate::lower) target: &'f Target,
    /// Whether an instruction does something besides giving results: it is run whatever reads it, and in its place.
    pub(in crate::lower) acts: EntityVec<InstId, bool>,
    pub(in crate::lower) func: &'f Func,
    pub(in crate::lower) class: EntityVec<InstId, Class>,
    pub(in crate::lower) registers: EntityVec<InstId, bool>,
    /// Instructions (in [`UNIT`]s) and arithmetic of the expression that inlining a value brings.
    size: EntityVec<Value, u32>,
    pub(in crate::lower) arithmetic: EntityVec<Value, u32>,
    /// Stored because its expression is long enough.
    forced: EntityVec<InstId, bool>,
    pub(in crate::lower) roles: EntityVec<InstId, Role>,
    uses: EntityVec<Value, Uses>,
    /// Whether the expression of an instruction has `pad` or `concatenate` in it.
    choices: EntityVec<InstId, bool>,
    /// Which dimension of a reduction is written out.
    pub(in crate::lower) unrolled: EntityVec<InstId, Option<usize>>,
    /// Of the kernel that makes a value.
    depth: EntityVec<Value, u32>,
    /// For what is inlined, the depth of all that a barrier before it lets through.
    after: EntityVec<Value, u32>,
    pub(in crate::lower) groups: Vec<Group>,
    /// The rewrites that made them what they are.
    pub(in crate::lower) fused: Vec<Fused>,
    /// Stamp of the walk that saw a value last, and whether it saw it at the same element.
    pub(in crate::lower) seen: EntityVec<Value, (u32, bool)>,
    pub(in crate::lower) stamp: u32,
}

/// How an opaque operation wants one of its operands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Want {
    /// Any element may be computed on demand.
    Elements,
    /// In memory, row-major; a view of the whole of something in memory will do.
    Memory,
    /// In memory, any strides.
    View,
}

fn want(func: &Func, inst: &Inst) -> Want {
    match &inst.op {
        // The reference interpreter's.
        Op::DotGeneral(_) if !has_one_type(func, inst) => Want::Memory,
        Op::DotGeneral(dot) if dot.dtype.is_float() => Want::View,
        ops_of!(contraction) | ops_of!(reduction) | ops_of!(update) => Want::Elements,
        ops_of!(library) | ops_of!(call) | ops_of!(control) | ops_of!(opaque) => Want::Memory,
        // Opaque because a size is dynamic.
        _ if is_of_parts(func, inst) => Want::Elements,
        ops_of!(source) | ops_of!(elementwise) | ops_of!(movement) | ops_of!(mark) => Want::Memory,
    }
}

impl Planner<'_> {
    /// Whether the value may be inlined as far as its operation goes.
    pub(in crate::lower) fn inlinable(&self, v: Value) -> Option<InstId> {
        match self.func.values[v].def {
            Def::Param(_) => None,
            Def::Inst(i, _) => {
                let kind = matches!(self.class[i], Class::Elementwise | Class::Index | Class::Choice);
                (kind && !self.registers[i] && !self.forced[i]).then_some(i)
            }
        }
    }

    /// Sizes of expressions, forwards; cuts those that grow too long or too deep.
    fn measure(&mut self, storing: Storing) {
        let func = self.func;
        for inst in func.insts.values() {
            inst.operands.iter().for_each(|&v| self.uses[v].count += 1);
        }
        let mut depth: EntityVec<Value, u32> = EntityVec::filled(0, func.values.len());
        let results: FxHashSet<Value> = func.results.iter().copied().collect();
        let updates = |i: &&Inst| matches!(i.op, Op::DynamicUpdateSlice(_) | Op::Scatter(_));
        let updated: FxHashSet<Value> = func.insts.values().filter(updates).map(|i| i.operands[0]).collect();
        for (id, inst) in func.insts.iter() {
            if !matches!(self.class[id], Class::Elementwise | Class::Index | Class::Choice)
                || self.registers[id]
            {
                continue;
            }
            // A short reduction has its operand's expression several times.
            let times = terms(func, inst) as u32;
            let (mut size, mut arithmetic, mut deep) =
                (UNIT * times, arithmetic_of(func, inst) + times - 1, 0);
            for (k, &v) in inst.operands.iter().enumerate() {
                if inst.operands[..k].contains(&v) || self.inlinable(v).is_none() {
                    continue;
                }
                // What others read too is theirs in part.
                size += times * self.size[v] / self.uses[v].count.max(1);
                deep = deep.max(depth[v]);
                // A result is stored, an expensive value with several readers most likely.
                let stored = results.contains(&v)
                    || self.uses[v].count > 1
                        && !self.target.recompute(self.arithmetic[v], 2, func.tensor(v).dtype.size());
                if !stored {
                    arithmetic = arithmetic.saturating_add(times * self.arithmetic[v]);
                }
            }
            let shared = storing == Storing::Shared
                && !inst.operands.is_empty()
                && inst.results.iter().any(|&r| self.uses[r].count > 1);
            let long = size > UNIT * self.target.expression || deep > self.target.expression;
            self.forced[id] = shared || long || self.is_window_of(&updated, inst);
            for &r in &inst.results {
                self.size[r] = size;
                self.arithmetic[r] = arithmetic;
                depth[r] = deep + 1;
            }
        }
    }

    /// Whether an instruction reads a small window of an array that is `updated` too. Stored it is read before the update, which can
    /// then happen in place; read inside what comes after the update it would keep the whole array as it was.
    fn is_window_of(&self, updated: &FxHashSet<Value>, inst: &Inst) -> bool {
        let (Op::DynamicSlice(_), Some(array)) = (&inst.op, inst.operands.first()) else { return false };
        let elements = |v: Value| self.func.tensor(v).checked_elements().unwrap_or(usize::MAX);
        updated.contains(array) && elements(inst.results[0]) <= elements(*array) / 4
    }

    /// The size of the expression of an instruction, now that it is known what is inlined, and whether it chooses.
    fn resize(&mut self, id: InstId, inst: &Inst) {
        let mut size = UNIT;
        let mut choices = self.class[id] == Class::Choice;
        for (k, &v) in inst.operands.iter().enumerate() {
            if let Def::Inst(i, _) = self.func.values[v].def
                && self.roles[i] == Role::Inlined
                && !inst.operands[..k].contains(&v)
            {
                let times = terms(self.func, inst) as u32;
                size += times * self.size[v] / self.uses[v].count.max(1);
                choices |= self.choices[i];
            }
        }
        self.choices[id] = choices;
        inst.results.iter().for_each(|&r| self.size[r] = size);
    }

    fn choose_roots(&mut self) {
        let func = self.func;
        for &r in &func.results {
            // A reshape of what has memory of its own needs none.
            let base = reshaped_from(func, r);
            let made = func.def(base).is_some_and(|(i, _)| {
                matches!(self.class[i], Class::Opaque | Class::Reduce) && !self.registers[i]
            });
            self.uses[r].live = true;
            self.uses[if made { base } else { r }].memory = true;
        }
        for (id, inst) in func.insts.iter().rev() {
            if !self.acts[id] && !inst.results.iter().any(|&r| self.uses[r].live) {
                continue;
            }
            let role = if self.registers[id] {
                Role::Registers
            } else {
                match self.class[id] {
                    Class::Reduce => Role::Member(u32::MAX),
                    Class::Opaque => Role::Opaque,
                    Class::Elementwise | Class::Index | Class::Choice => {
                        // A barrier is its operands; it has no memory of its own.
                        let barrier = matches!(inst.op, Op::OptimizationBarrier(_));
                        if !barrier && self.is_root(id, inst.results[0]) {
                            Role::Member(u32::MAX)
                        } else {
                            Role::Inlined
                        }
                    }
                }
            };
            self.roles[id] = role;
            self.unrolled[id] = match role {
                Role::Member(_) => self.written_out(inst, |_| true),
                Role::Dead | Role::Inlined | Role::Registers | Role::Opaque => None,
            };
            self.spread(id, inst, role);
        }
    }

    /// Whether an inlinable value is stored nevertheless.
    fn is_root(&self, id: InstId, v: Value) -> bool {
        let uses = &self.uses[v];
        if uses.memory || self.forced[id] {
            return uses.live;
        }
        let arithmetic = self.arithmetic[v];
        if uses.repeats > 1 && !self.target.repeatable(arithmetic) {
            return true;
        }
        // What leaps through memory is brought into order once, if vectors read it again and again.
        if uses.repeats >= REORDERED && uses.shared <= 1 && leaps(self.func, &self.func.insts[id]) {
            return true;
        }
        let bytes = || self.func.tensor(v).dtype.size();
        if uses.pieces > 1 && !self.target.recompute(arithmetic, uses.pieces as usize, bytes()) {
            return true;
        }
        // A stencil of a stencil would compute the inner one for each of its neighbours.
        let windows = uses.windows.times(elements(self.func, v));
        if windows > 1 && !self.target.recompute(arithmetic, windows, bytes()) {
            return true;
        }
        // Moved elements are read in place, by any number of windows.
        if uses.overlaps && self.class[id] != Class::Index {
            return true;
        }
        // Vectors of it are worth more than not storing it.
        if uses.shared > 1
            && self.func.tensor(v).rank() > 0
            && self.target.scalar_is_slow(arithmetic, uses.shared, elements(self.func, v), bytes())
        {
            return true;
        }
        let readers = uses.readers.len();
        match self.class[id] {
            Class::Choice => readers > 1 || uses.reduced || uses.repeats > 1,
            Class::Index if arithmetic == 0 => false,
            _ => readers > 1 && !self.target.recompute(arithmetic, readers, bytes()),
        }
    }

    /// Roots were chosen before it was known what of their operands is stored. A reshape of what is needs no memory of its own.
    fn inline_reshapes(&mut self) {
        let func = self.func;
        for (id, inst) in func.insts.iter() {
            if let Op::Reshape(_) = &inst.op
                && matches!(self.roles[id], Role::Member(_))
                && !self.forced[id]
                && !self.uses[inst.results[0]].memory
                && func.def(inst.operands[0]).is_none_or(|(i, _)| self.roles[i] != Role::Inlined)
            {
                self.roles[id] = Role::Inlined;
            }
        }
    }

    /// Tells the operands of a live instruction how it reads them.
    fn spread(&mut self, id: InstId, inst: &Inst, role: Role) {
        let view = strided_views::is_view(self.func, inst);
        for (k, &v) in inst.operands.iter().enumerate() {
            if view && k == 1 {
                // Its indices are part of the code.
                continue;
            }
            self.uses[v].live = true;
            if !inst.operands[..k].contains(&v) {
                let joins = matches!(inst.op, Op::Concatenate(_)) && role != Role::Registers;
                let inherited = if role == Role::Inlined { self.uses[inst.results[0]].pieces } else { 0 };
                let pieces = if joins { 1 } else { inherited };
                self.uses[v].pieces = self.uses[v].pieces.saturating_add(pieces);
            }
            match role {
                Role::Inlined => {
                    let barrier = matches!(inst.op, Op::OptimizationBarrier(_));
                    let from = self.uses[inst.results[if barrier { k } else { 0 }]].clone();
                    let windows = from.windows.of_operand(self.func, inst, k);
                    let stored = matches!(&inst.op, Op::OptimizationBarrier(b) if b.region == STORED.region);
                    self.uses[v].memory |= barrier && from.memory || stored;
                    let once = self.unrolled_by(&from.readers, inst.results[0]);
                    let (more, shared) = repetition(self.func, inst, v, once);
                    let to = &mut self.uses[v];
                    to.windows.join(&windows);
                    to.shared = to.shared.max(from.shared).max(shared);
                    from.readers.iter().for_each(|&r| add_reader(&mut to.readers, r));
                    to.repeats = to.repeats.max(from.repeats.max(1).saturating_mul(more));
                    to.reduced |= from.reduced;
                    to.overlaps |= from.overlaps || view;
                    self.gathered(inst, k, view);
                }
                Role::Member(_) | Role::Registers => {
                    let (more, shared) = if self.class[id] == Class::Reduce {
                        (1, 1)
                    } else {
                        repetition(self.func, inst, v, None)
                    };
                    let here = if self.class[id] == Class::Reduce { v } else { inst.results[0] };
                    let windows = Windows::whole(elements(self.func, here)).of_operand(self.func, inst, k);
                    let to = &mut self.uses[v];
                    to.windows.join(&windows);
                    to.shared = to.shared.max(shared);
                    add_reader(&mut to.readers, id);
                    to.repeats = to.repeats.max(more);
                    to.overlaps |= view;
                    to.reduced |= self.class[id] == Class::Reduce;
                    self.gathered(inst, k, view);
                }
                Role::Opaque => match want(self.func, inst) {
                    Want::Elements => {
                        // What is scattered into is a kernel like others, and may join them.
                        let changed = matches!(inst.op, Op::Scatter(_)) && k == 0;
                        let computed = changed && self.arithmetic[v] > 0 && !is_splat(self.func, v);
                        let long = self.is_long_for_a_scatter(inst, k, v);
                        let to = &mut self.uses[v];
                        to.memory |= computed || long;
                        add_reader(&mut to.readers, id);
                        let reduces = matches!(inst.op, Op::Reduce(_) | Op::DotGeneral(_));
                        to.reduced |= reduces;
                        to.repeats = to.repeats.max(if let Op::DotGeneral(_) = inst.op { 16 } else { 1 });
                    }
                    Want::Memory => {
                        let base = contiguous_base(self.func, v);
                        if is_splat(self.func, v) {
                            add_reader(&mut self.uses[v].readers, id);
                        } else if base != v {
                            self.keep_chain(v, base, id);
                        } else {
                            self.uses[v].memory = true;
                        }
                    }
                    Want::View => {
                        let base = strided_base(self.func, v);
                        if k == 0
                            && let Some(base) = windows_of(self.target, self.func, inst)
                        {
                            self.keep_chain(v, base, id);
                        } else if cut(self.target, self.func, inst).is_some_and(|c| c.factor == k) {
                            add_reader(&mut self.uses[v].readers, id);
                        } else if base == v {
                            self.uses[v].memory = true
                        } else {
                            self.keep_chain(v, base, id)
                        }
                    }
                },
                Role::Dead => unreachable!("live instructions have roles"),
            }
        }
    }

    /// Whether operand `k` of a scatter is indices or an update that take more to compute than to store and load. The loop of a
    /// scatter goes through updates one by one, or through windows that may be short: what is computed in it is scalar code.
    fn is_long_for_a_scatter(&self, inst: &Inst, k: usize, v: Value) -> bool {
        let Op::Scatter(op) = &inst.op else { return false };
        let is_read = (op.inputs..=2 * op.inputs).contains(&k);
        let (count, bytes) = (elements(self.func, v), self.func.tensor(v).dtype.size());
        is_read && self.target.scalars_are_worse_than_memory(self.arithmetic[v], count, bytes)
    }

    /// A gather reads anywhere, any number of times: its operand is in memory, or what that is a reshape of, which then is made
    /// in its own dimensions.
    fn gathered(&mut self, inst: &Inst, k: usize, view: bool) {
        if k == 0 && !view && matches!(inst.op, Op::Gather(_)) {
            let base = reshaped_from(self.func, inst.operands[0]);
            self.uses[base].memory = true;
            self.uses[base].live = true;
        }
    }

    /// `v` is a view of `base` that `reader` takes as it is: the base goes to memory, the chain need not.
    fn keep_chain(&mut self, v: Value, base: Value, reader: InstId) {
        add_reader(&mut self.uses[v].readers, reader);
        self.uses[base].memory = true;
        self.uses[base].live = true;
    }

    /// What an instruction reads through inlined values, each with whether only at the same element.
    pub(in crate::lower) fn reads(&mut self, id: InstId) -> SmallVec<[(Value, bool); 8]> {
        self.stamp += 1;
        let mut out: SmallVec<[(Value, bool); 8]> = SmallVec::new();
        let mut work: SmallVec<[(Value, bool); 16]> = SmallVec::new();
        self.push_operands(id, true, &mut work);
        while let Some((v, same)) = work.pop() {
            let (stamp, seen_same) = self.seen[v];
            if stamp == self.stamp && (seen_same == same || !seen_same) {
                continue;
            }
            // Seen at the same element before, now elsewhere: the walk below it must be redone as such.
            self.seen[v] = (self.stamp, same);
            match self.func.values[v].def {
                Def::Inst(i, k) if self.roles[i] == Role::Inlined => {
                    if let Op::OptimizationBarrier(_) = self.func.insts[i].op {
                        work.push((self.func.insts[i].operands[k as usize], same));
                    } else {
                        self.push_operands(i, same, &mut work);
                    }
                }
                Def::Inst(..) | Def::Param(_) => match out.iter_mut().find(|(w, _)| *w == v) {
                    Some((_, known)) => *known &= same,
                    None => out.push((v, same)),
                },
            }
        }
        out
    }

    fn push_operands(&self, id: InstId, same: bool, work: &mut SmallVec<[(Value, bool); 16]>) {
        let inst = &self.func.insts[id];
        let keeps = match self.class[id] {
            Class::Elementwise => true,
            Class::Reduce => true,
            Class::Index => {
                matches!(inst.op, Op::Reshape(_) | Op::OptimizationBarrier(_) | Op::StopGradient(_))
            }
            Class::Choice | Class::Opaque => false,
        };
        work.extend(inst.operands.iter().map(|&v| (v, same && keeps)));
    }

    fn form_groups(&mut self) {
        let func = self.func;
        // The last kernels over each space.
        let mut open: FxHashMap<Dims, SmallVec<[u32; 4]>> = FxHashMap::default();
        // Of the last instruction that acts: the next one comes after it.
        let mut acted = 0;
        for (id, inst) in func.insts.iter() {
            self.resize(id, inst);
            match self.roles[id] {
                Role::Dead => {}
                Role::Inlined => {
                    let mut after = self.after(inst);
                    // What waits behind a barrier waits for all that goes through it.
                    if matches!(inst.op, Op::OptimizationBarrier(_)) && inst.operands.len() > 1 {
                        let through = self.reads(id).iter().map(|&(v, _)| self.depth[v]).max();
                        after = after.max(through.unwrap_or(0));
                    }
                    inst.results.iter().for_each(|&r| self.after[r] = after);
                }
                Role::Registers | Role::Opaque => {
                    let reads = self.reads(id);
                    let deepest = reads.iter().map(|&(v, _)| self.depth[v]).max().unwrap_or(0);
                    let deepest = deepest.max(self.after(inst));
                    let deepest = if self.acts[id] { deepest.max(acted) } else { deepest };
                    let depth = deepest + (self.roles[id] == Role::Opaque) as u32;
                    if self.acts[id] {
                        acted = depth;
                    }
                    inst.results.iter().for_each(|&r| self.depth[r] = depth);
                }
                Role::Member(_) => {
                    let reads = self.reads(id);
                    let after = self.after(inst);
                    let (space, reduced) = space(func, inst);
                    let candidates = open.entry(space.clone()).or_default();
                    let choices = self.choices[id];
                    let joined = candidates.iter().rev().copied().find(|&g| {
                        after < self.groups[g as usize].depth
                            && self.may_join(g, inst, &reads, reduced.as_ref(), choices)
                    });
                    let g = joined.unwrap_or_else(|| {
                        let deepest = reads.iter().map(|&(v, _)| self.depth[v]).max().unwrap_or(0);
                        let depth = 1 + deepest.max(after);
                        self.groups.push(Group {
                            space,
                            reduced: None,
                            members: Vec::new(),
                            reads: Vec::new(),
                            unrolled: None,
                            depth,
                            size: 0,
                            choices: false,
                        });
                        let g = self.groups.len() as u32 - 1;
                        if candidates.len() == 4 {
                            candidates.remove(0);
                        }
                        candidates.push(g);
                        g
                    });
                    // What it would share may be in memory after all.
                    let unrolled = self.unrolled[id]
                        .and_then(|_| self.written_out(inst, |i| self.roles[i] == Role::Inlined));
                    let group = &mut self.groups[g as usize];
                    group.unrolled = group.unrolled.or(unrolled);
                    group.members.push(id);
                    group.choices |= choices;
                    group.size = group.size.saturating_add(self.size[inst.results[0]].max(UNIT));
                    if reduced.is_some() {
                        group.reduced = reduced;
                    }
                    for (v, same) in reads {
                        let own =
                            matches!(func.values[v].def, Def::Inst(i, _) if self.roles[i] == Role::Member(g));
                        if own {
                            continue;
                        }
                        match group.reads.iter_mut().find(|(w, _)| *w == v) {
                            Some((_, known)) => *known &= same,
                            None => group.reads.push((v, same)),
                        }
                    }
                    let depth = group.depth;
                    inst.results.iter().for_each(|&r| self.depth[r] = depth);
                    self.roles[id] = Role::Member(g);
                }
            }
        }
    }

    /// The depth of what an instruction waits for at barriers.
    pub(in crate::lower) fn after(&self, inst: &Inst) -> u32 {
        inst.operands.iter().map(|&v| self.after[v]).max().unwrap_or(0)
    }

    fn may_join(
        &self,
        g: u32,
        inst: &Inst,
        reads: &[(Value, bool)],
        reduced: Option<&Dims>,
        choices: bool,
    ) -> bool {
        let group = &self.groups[g as usize];
        let size = group.size.saturating_add(self.size[inst.results[0]].max(UNIT));
        let values = group.reads.len() + group.members.len();
        let made =
            |v: Value| matches!(self.func.values[v].def, Def::Inst(i, _) if self.roles[i] == Role::Member(g));
        let read = |v: Value| group.reads.iter().any(|&(w, _)| w == v);
        self.fits_one(size, values, [reduced, group.reduced.as_ref()], choices || group.choices)
            && self.reads_here(reads, g)
            && reads.iter().all(|&(v, _)| made(v) || self.depth[v] < group.depth)
            && reads.iter().any(|&(v, _)| made(v) || read(v))
    }

    /// Whether one kernel may be so large, reduce over these dimensions, and choose if it has `choices`.
    pub(in crate::lower) fn fits_one(
        &self,
        size: u32,
        values: usize,
        reduced: [Option<&Dims>; 2],
        choices: bool,
    ) -> bool {
        let reduces = match reduced {
            [Some(a), Some(b)] if a != b => return false,
            [None, None] => false,
            [Some(_), _] | [_, Some(_)] => true,
        };
        size <= UNIT * self.target.kernel && values <= self.target.kernel_values && !(reduces && choices)
    }

    /// Whether of what a kernel makes only the element that it has just computed is read, and no finished reduction.
    pub(in crate::lower) fn reads_here(&self, reads: &[(Value, bool)], maker: u32) -> bool {
        reads.iter().all(|&(v, same)| match self.func.values[v].def {
            Def::Inst(i, _) if self.roles[i] == Role::Member(maker) => same && self.class[i] != Class::Reduce,
            Def::Inst(..) | Def::Param(_) => true,
        })
    }
}

fn add_reader(readers: &mut SmallVec<[InstId; 4]>, reader: InstId) {
    if readers.len() < MANY && !readers.contains(&reader) {
        readers.push(reader);
    }
}

/// Whether what is broadcast, of shape `from`, differs along dimension `d` of the result.
pub(in crate::lower) fn varies(b: &BroadcastInDim, from: &[usize], d: usize) -> bool {
    b.dims.iter().position(|&r| r == d).is_some_and(|k| from[k] != 1)
}

/// How often each element of `operand` is used when all elements of the result are computed in order: again later, by
/// broadcasts along outer dimensions, and at once, along inner ones. Dimension `once` is written out.
pub(in crate::lower) fn repetition(
    func: &Func,
    inst: &Inst,
    operand: Value,
    once: Option<usize>,
) -> (u64, u64) {
    if let Op::DotGeneral(_) = inst.op
        && short_dot(func, inst).is_some()
    {
        let products = func.tensor(inst.results[0]).elements() * terms(func, inst);
        return ((products / func.tensor(operand).elements().max(1)) as u64, 1);
    }
    let Op::BroadcastInDim(b) = &inst.op else { return (1, 1) };
    let from = func.tensor(operand);
    let (mut repeats, mut shared, mut inner_varies) = (1u64, 1u64, false);
    for d in (0..b.shape.len()).rev() {
        let times = if inner_varies { &mut repeats } else { &mut shared };
        if varies(b, &from.shape, d) {
            inner_varies |= b.shape[d] > 1;
        } else if Some(d) != once {
            *times = times.saturating_mul(b.shape[d] as u64);
        }
    }
    (repeats, shared)
}

/// The iteration space of a member, and which of its dimensions are reduced.
fn space(func: &Func, inst: &Inst) -> (Dims, Option<Dims>) {
    match &inst.op {
        Op::Reduce(r) if matches!(r.reducer, Reducer::Op(_)) && is_reduction(func, inst) => {
            (func.tensor(inst.operands[0]).shape.clone(), Some(r.dims.clone()))
        }
        _ => (func.tensor(inst.results[0]).shape.clone(), None),
    }
}
