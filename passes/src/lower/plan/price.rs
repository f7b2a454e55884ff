//! What a plan takes by the cost model, in picoseconds: bytes through the level of memory that holds them, arithmetic, loops and calls.
//! It serves to compare plans of one function; what is the same in all of them need only be about right.

use super::classify::{Class, multiply_adds, terms};
use super::recomputation::arithmetic_of;
use super::views::strided_base;
use super::{Plan, Role, Unit};
use crate::cost::{TRIPS, Target};
use rustc_hash::FxHashMap;
use std::collections::BinaryHeap;
use wengert_ir::func::{Def, Func, FuncId, Inst, InstId, Module, Value};
use wengert_ir::op::{Op, Scan};
use wengert_ir::types::DYNAMIC;

/// Elements of a vector.
const VECTOR: u64 = 8;

/// Prices plans.
pub(in crate::lower) struct Pricing<'a> {
    pub(in crate::lower) target: &'a Target,
    pub(in crate::lower) func: &'a Func,
    pub(in crate::lower) plan: &'a Plan,
    /// Whether parameters are in memory, whatever their size.
    pub(in crate::lower) is_entry: bool,
}

/// The elements of a value that a kernel computes, and whether as scalars.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Times {
    elements: u64,
    scalar: bool,
}

/// What is read by a walk.
#[derive(Clone, Copy, Default)]
struct Read {
    bytes: u64,
    /// How often one element of it.
    elements: u64,
}

/// A walk over what is computed together.
#[derive(Default)]
struct Walk {
    work: BinaryHeap<InstId>,
    times: FxHashMap<InstId, Times>,
    read: FxHashMap<Value, Read>,
    /// Places where a choice is decided.
    choices: u64,
}

impl Pricing<'_> {
    /// All units, without what the functions that they run take.
    pub(in crate::lower) fn total(&self) -> u64 {
        self.plan.units.iter().map(|&unit| self.unit(unit)).fold(0, u64::saturating_add)
    }

    fn unit(&self, unit: Unit) -> u64 {
        let rates = &self.target.rates;
        match unit {
            Unit::Registers(id) => self.registers(id),
            Unit::Group(g) => self.kernel(g),
            Unit::Rows(r) => {
                let run = &self.plan.rows[r as usize];
                let rows: u64 = self.plan.groups[run.groups[0] as usize].space[..run.rank]
                    .iter()
                    .map(|&n| n as u64)
                    .product();
                let groups =
                    run.groups.iter().map(|&g| self.group(g, &run.groups)).fold(0, u64::saturating_add);
                rates
                    .launch
                    .saturating_add(groups)
                    .saturating_add(rows.saturating_mul(run.groups.len() as u64 * rates.trip))
            }
            Unit::Opaque(id) => self.alone(id),
        }
    }

    /// What a kernel takes besides because it reduces.
    fn reduction(&self, g: u32) -> u64 {
        if self.plan.groups[g as usize].reduced.is_some() { self.target.rates.reduction } else { 0 }
    }

    /// A kernel with its loop.
    pub(in crate::lower) fn kernel(&self, g: u32) -> u64 {
        self.target.rates.launch.saturating_add(self.reduction(g)).saturating_add(self.group(g, &[]))
    }

    /// What the instructions of a kernel, and those inside it, would take one by one.
    pub(in crate::lower) fn apart(&self, g: u32) -> u64 {
        let rates = &self.target.rates;
        let mut walk = self.members(g);
        self.walk(&mut walk, Some(g));
        let one = |&id: &InstId| {
            let inst = &self.func.insts[id];
            let values = inst.operands.iter().chain(&inst.results);
            let moved =
                values.map(|&v| rates.transfer(self.bytes(v))).fold(rates.launch, u64::saturating_add);
            let times = Times { elements: self.elements(inst.results[0]), scalar: false };
            moved.saturating_add(self.arithmetic(
                inst.results[0],
                arithmetic_of(self.func, inst) as u64,
                times,
            ))
        };
        // What is known or only a number is no instruction that would be stored.
        let stored = |id: &&InstId| {
            !matches!(self.func.insts[**id].op, Op::Constant(_) | Op::Zero(_) | Op::OptimizationBarrier(_))
        };
        walk.times.keys().filter(stored).map(one).fold(0, u64::saturating_add)
    }

    fn bytes(&self, v: Value) -> u64 {
        self.func
            .ty(v)
            .as_tensor()
            .and_then(|t| Some(t.checked_elements()? as u64 * t.dtype.size() as u64))
            .unwrap_or(0)
    }

    fn elements(&self, v: Value) -> u64 {
        self.func.ty(v).as_tensor().and_then(|t| t.checked_elements()).unwrap_or(0) as u64
    }

    /// Arithmetic of some operations on so many elements of a value's type.
    fn arithmetic(&self, v: Value, operations: u64, times: Times) -> u64 {
        let rates = &self.target.rates;
        let wide = self.func.ty(v).as_tensor().map_or(1, |t| t.dtype.size().div_ceil(4) as u64);
        let each = if times.scalar { rates.scalar } else { rates.operation * wide };
        operations.saturating_mul(times.elements).saturating_mul(each)
    }

    /// Scalars in registers: their arithmetic, that of what is computed inside, and what they load from memory.
    fn registers(&self, id: InstId) -> u64 {
        let inst = &self.func.insts[id];
        let Some(&out) = inst.results.first() else { return 0 };
        let is_product = matches!(inst.op, Op::DotGeneral(_));
        let factors = if is_product { multiply_adds(self.func, inst) as u64 } else { 0 };
        let products = self.arithmetic(out, 1, Times { elements: factors, scalar: true });
        let over = if let Op::Reduce(_) = inst.op { inst.operands[0] } else { out };
        let elements = self.elements(over);
        let mut walk = Walk::default();
        walk.times.insert(id, Times { elements, scalar: true });
        walk.work.push(id);
        let computed = self.walk(&mut walk, None);
        let loads = walk
            .read
            .iter()
            .filter(|&(&v, _)| self.in_memory(v))
            .map(|(_, read)| read.elements)
            .fold(0, u64::saturating_add);
        products.saturating_add(computed).saturating_add(loads.saturating_mul(self.target.rates.spill))
    }

    fn in_memory(&self, v: Value) -> bool {
        match self.func.values[v].def {
            Def::Inst(i, _) => matches!(self.plan.roles[i], Role::Member(_) | Role::Opaque),
            Def::Param(_) => self.is_entry,
        }
    }

    /// One instruction: what it reads and writes, and its products.
    fn alone(&self, id: InstId) -> u64 {
        let inst = &self.func.insts[id];
        let rates = &self.target.rates;
        if inst.op.is_control_flow() {
            return 0;
        }
        let products = (multiply_adds(self.func, inst) as u64).saturating_mul(rates.product);
        let moved = (inst.operands.iter().chain(&inst.results)).map(|&v| rates.transfer(self.bytes(v)));
        let made = inst.operands.iter().map(|&v| self.made_for(id, v));
        let spilled = inst.operands.iter().map(|&v| self.spilled(v));
        let all = moved.chain(made).chain(spilled).fold(0, u64::saturating_add);
        rates.call.saturating_add(products).saturating_add(all)
    }

    /// What it takes to store an operand that is computed inside an instruction of its own, and is no view.
    fn made_for(&self, reader: InstId, v: Value) -> u64 {
        let product = matches!(self.func.insts[reader].op, Op::DotGeneral(_));
        let inlined =
            matches!(self.func.values[v].def, Def::Inst(i, _) if self.plan.roles[i] == Role::Inlined);
        let base = strided_base(self.func, v);
        let view =
            !matches!(self.func.values[base].def, Def::Inst(i, _) if self.plan.roles[i] == Role::Inlined);
        if product && inlined && !view {
            self.target.rates.transfer(self.bytes(v)) + self.target.rates.launch
        } else {
            0
        }
    }

    /// What it takes to store scalars for a reader in memory.
    fn spilled(&self, v: Value) -> u64 {
        let scalars =
            matches!(self.func.values[v].def, Def::Inst(i, _) if self.plan.roles[i] == Role::Registers);
        if scalars { self.elements(v).saturating_mul(self.target.rates.spill) } else { 0 }
    }

    /// A kernel without its loop: what it reads, computes and stores. What is made by a kernel `near` it is in the nearest cache.
    pub(in crate::lower) fn group(&self, g: u32, near: &[u32]) -> u64 {
        let rates = &self.target.rates;
        let group = &self.plan.groups[g as usize];
        let is_near = |v: Value| matches!(self.func.values[v].def, Def::Inst(i, _) if matches!(self.plan.roles[i], Role::Member(h) if near.contains(&h)));
        let transfer =
            |v: Value, bytes: u64| if is_near(v) { rates.nearly(bytes) } else { rates.transfer(bytes) };
        let stored = group.members.iter().filter(|&&id| !self.plan.internal[id]);
        let written =
            stored.flat_map(|&id| &self.func.insts[id].results).map(|&v| transfer(v, self.bytes(v)));
        let mut sum = written.fold(0, u64::saturating_add);
        let mut walk = self.members(g);
        sum = sum.saturating_add(self.walk(&mut walk, Some(g)));
        // Loops of its own for each place where a choice is decided, and rows are no longer one.
        let rows = group.space.split_last().map_or(1, |(_, outer)| outer.iter().map(|&n| n as u64).product());
        if walk.choices > 0 {
            sum = sum
                .saturating_add(walk.choices * rates.launch)
                .saturating_add(rates.trip.saturating_mul(rows));
        }
        let mut read: Vec<(Value, Read)> = walk.read.into_iter().collect();
        read.sort_by_key(|r| r.0);
        for (v, read) in read {
            sum = sum.saturating_add(transfer(v, read.bytes)).saturating_add(self.spilled(v));
        }
        sum
    }

    /// The members of a kernel, to be walked.
    fn members(&self, g: u32) -> Walk {
        let mut walk = Walk::default();
        for &id in &self.plan.groups[g as usize].members {
            let inst = &self.func.insts[id];
            let over = if self.class(id) == Class::Reduce { inst.operands[0] } else { inst.results[0] };
            // A vector is a vector, however few of its elements count.
            walk.times.insert(id, Times { elements: self.elements(over).max(VECTOR), scalar: false });
            walk.work.push(id);
        }
        walk
    }

    /// The arithmetic of what is to be walked and of all that is computed inside it, in kernel `g`; collects what it reads.
    fn walk(&self, walk: &mut Walk, g: Option<u32>) -> u64 {
        let mut sum = 0u64;
        let mut last = None;
        // Backwards: the times of an instruction are those of its readers here.
        while let Some(id) = walk.work.pop() {
            if last.replace(id) == Some(id) {
                continue;
            }
            let inst = &self.func.insts[id];
            let here = walk.times[&id];
            let operations = match self.class(id) {
                Class::Reduce => 1,
                Class::Choice => {
                    walk.choices += inst.operands.len() as u64 - 1;
                    1
                }
                Class::Elementwise | Class::Index => {
                    arithmetic_of(self.func, inst) as u64 + terms(self.func, inst) as u64 - 1
                }
                Class::Opaque => 0,
            };
            sum = sum.saturating_add(self.arithmetic(inst.results[0], operations, here));
            for &v in &inst.operands {
                let there = self.times_of(id, v, here);
                let inside = |i: InstId| {
                    self.plan.roles[i] == Role::Inlined
                        || g.is_some_and(|g| self.plan.roles[i] == Role::Member(g))
                };
                match self.func.values[v].def {
                    Def::Inst(i, _) if inside(i) => {
                        let known = walk.times.entry(i).or_insert(there);
                        known.elements = known.elements.max(there.elements);
                        known.scalar &= there.scalar;
                        walk.work.push(i);
                    }
                    Def::Inst(..) | Def::Param(_) => {
                        let size = self.func.ty(v).as_tensor().map_or(0, |t| t.dtype.size() as u64);
                        let bytes = self.bytes(v).min(there.elements.saturating_mul(size));
                        let known = walk.read.entry(v).or_default();
                        known.bytes = known.bytes.max(bytes);
                        known.elements = known.elements.max(there.elements);
                    }
                }
            }
        }
        sum
    }

    fn class(&self, id: InstId) -> Class {
        super::classify::class(self.func, &self.func.insts[id])
    }

    /// How often the elements of an operand are computed for those of an instruction.
    fn times_of(&self, id: InstId, v: Value, here: Times) -> Times {
        let inst = &self.func.insts[id];
        let own = self.elements(inst.results[0]).max(1);
        let again = (here.elements / own).max(1);
        let (repeats, shared) = super::fusion::repetition(self.func, inst, v, None);
        if let Op::BroadcastInDim(_) = inst.op {
            let elements = self.elements(v).saturating_mul(repeats).saturating_mul(again);
            return Times { elements, scalar: here.scalar || shared > 1 };
        }
        let is_part = matches!(
            inst.op,
            Op::Slice(_) | Op::DynamicSlice(_) | Op::Gather(_) | Op::Pad(_) | Op::Concatenate(_)
        );
        let all = here.elements.saturating_mul(terms(self.func, inst) as u64);
        Times { elements: if is_part { self.elements(v).min(here.elements) } else { all }, ..here }
    }
}

/// What a program takes by the plans of its functions, with what they run, as often as that is known.
pub(in crate::lower) fn of_program(
    target: &Target,
    module: &Module,
    func: FuncId,
    plan: &mut dyn FnMut(FuncId) -> Plan,
) -> u64 {
    let mut known: FxHashMap<FuncId, u64> = FxHashMap::default();
    for id in crate::inline::callees_first(module, func) {
        let f = &module.funcs[id];
        let mut sum = Pricing { target, func: f, plan: &plan(id), is_entry: id == func }.total();
        for inst in f.insts.values() {
            if !inst.op.is_control_flow() && !matches!(inst.op, Op::Call(_) | Op::Composite(_)) {
                continue;
            }
            let trips = if let Op::Scan(Scan { length, .. }) = inst.op
                && length != DYNAMIC
            {
                length as u64
            } else if let Op::Scan(_) | Op::While(_) = inst.op {
                TRIPS
            } else {
                1
            };
            let once = inst.op.callees().into_iter().filter_map(|callee| known.get(&callee));
            sum = once.fold(sum, |sum, &price| sum.saturating_add(price.saturating_mul(trips)));
            if let Op::Scan(scan) = &inst.op {
                sum = sum.saturating_add(stacks(target, f, inst, scan));
            }
        }
        known.insert(id, sum);
    }
    known.get(&func).copied().unwrap_or(0)
}

/// What the rows of a scan take besides, because they are where all of them are: a body takes a row for a small value of its own.
fn stacks(target: &Target, f: &Func, inst: &Inst, scan: &Scan) -> u64 {
    let given = scan.consts + scan.carry + (scan.length == DYNAMIC) as usize;
    let rows = inst.operands[given..].iter().chain(&inst.results[scan.carry..]);
    let extra = |&v: &Value| {
        let ty = f.ty(v).as_tensor()?;
        let (bytes, rows) = (ty.checked_bytes()? as u64, *ty.shape.first()? as u64);
        let one = target.rates.transfer(bytes / rows.max(1));
        Some(target.rates.transfer(bytes).saturating_sub(one.saturating_mul(rows)))
    };
    rows.filter_map(extra).fold(0, u64::saturating_add)
}
