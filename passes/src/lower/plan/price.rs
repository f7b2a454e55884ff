//! What a plan takes by the cost model, in picoseconds: bytes through the level of memory that holds them, arithmetic, loops and calls.
//! It serves to compare plans of one function; what is the same in all of them need only be about right.

use super::classify::{Class, multiply_adds, terms};
use super::recomputation::arithmetic_of;
use super::views::strided_base;
use super::{Plan, Role, Unit};
use crate::cost::Target;
use rustc_hash::FxHashMap;
use wengert_ir::func::{Def, Func, FuncId, InstId, Module, Value};
use wengert_ir::op::Op;
use wengert_ir::types::DYNAMIC;

/// Trips of a loop whose number is not known.
const TRIPS: u64 = 16;

/// Prices plans.
pub(in crate::lower) struct Pricing<'a> {
    pub(in crate::lower) target: &'a Target,
    pub(in crate::lower) func: &'a Func,
    pub(in crate::lower) plan: &'a Plan,
}

/// The elements of a value that a kernel computes, and whether as scalars.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Times {
    elements: u64,
    scalar: bool,
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
            Unit::Group(g) => rates.launch + self.group(g, &[]),
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

    /// Scalars in registers: their arithmetic, and what they load from memory.
    fn registers(&self, id: InstId) -> u64 {
        let inst = &self.func.insts[id];
        let Some(&out) = inst.results.first() else { return 0 };
        let loads: u64 = (inst.operands.iter())
            .filter(|&&v| match self.func.values[v].def {
                Def::Inst(i, _) => matches!(self.plan.roles[i], Role::Member(_) | Role::Opaque),
                Def::Param(_) => false,
            })
            .map(|&v| self.elements(v))
            .sum();
        let scalar = |elements| Times { elements, scalar: true };
        let operations = match &inst.op {
            Op::DotGeneral(_) => {
                return self.arithmetic(out, 1, scalar(multiply_adds(self.func, inst) as u64));
            }
            Op::Reduce(_) => return self.arithmetic(out, 1, scalar(self.elements(inst.operands[0]))),
            _ => arithmetic_of(self.func, inst) as u64,
        };
        self.arithmetic(out, operations, scalar(self.elements(out)))
            .saturating_add(loads * self.target.rates.spill)
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
        let mut sum = 0u64;
        // Read backwards: an instruction's times are those of its readers in the kernel.
        let mut times: FxHashMap<InstId, Times> = FxHashMap::default();
        let mut read: FxHashMap<Value, u64> = FxHashMap::default();
        let mut work: std::collections::BinaryHeap<InstId> = std::collections::BinaryHeap::new();
        for &id in &group.members {
            let inst = &self.func.insts[id];
            let elements = self.elements(if matches!(self.class(id), Class::Reduce) {
                inst.operands[0]
            } else {
                inst.results[0]
            });
            times.insert(id, Times { elements, scalar: false });
            work.push(id);
            if !self.plan.internal[id] {
                let written = inst.results.iter().map(|&v| transfer(v, self.bytes(v)));
                sum = written.fold(sum, u64::saturating_add);
            }
        }
        let mut last = None;
        while let Some(id) = work.pop() {
            if last.replace(id) == Some(id) {
                continue;
            }
            let inst = &self.func.insts[id];
            let here = times[&id];
            let operations = match self.class(id) {
                Class::Reduce => 1,
                _ => arithmetic_of(self.func, inst) as u64 + terms(self.func, inst) as u64 - 1,
            };
            sum = sum.saturating_add(self.arithmetic(inst.results[0], operations, here));
            for &v in &inst.operands {
                let there = self.times_of(id, v, here);
                match self.func.values[v].def {
                    Def::Inst(i, _)
                        if self.plan.roles[i] == Role::Inlined || self.plan.roles[i] == Role::Member(g) =>
                    {
                        let known = times.entry(i).or_insert(there);
                        known.elements = known.elements.max(there.elements);
                        known.scalar &= there.scalar;
                        work.push(i);
                    }
                    Def::Inst(..) | Def::Param(_) => {
                        let size = self.func.ty(v).as_tensor().map_or(0, |t| t.dtype.size() as u64);
                        let bytes = self.bytes(v).min(there.elements.saturating_mul(size));
                        let known = read.entry(v).or_insert(0);
                        *known = (*known).max(bytes);
                    }
                }
            }
        }
        let mut read: Vec<(Value, u64)> = read.into_iter().collect();
        read.sort();
        for (v, bytes) in read {
            sum = sum.saturating_add(transfer(v, bytes)).saturating_add(self.spilled(v));
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
        match &inst.op {
            Op::BroadcastInDim(_) => Times {
                elements: self.elements(v).saturating_mul(repeats).saturating_mul(again),
                scalar: here.scalar || shared > 1,
            },
            Op::Slice(_) | Op::DynamicSlice(_) | Op::Gather(_) | Op::Pad(_) | Op::Concatenate(_) => {
                Times { elements: self.elements(v).min(here.elements), ..here }
            }
            _ => Times { elements: here.elements.saturating_mul(terms(self.func, inst) as u64), ..here },
        }
    }
}

/// What a function takes by its plan, with what it runs, as often as that is known. `plans` gives a function's plan and what is
/// known of it.
pub(in crate::lower) fn of_program(
    target: &Target,
    module: &Module,
    func: FuncId,
    plan: &mut dyn FnMut(FuncId) -> Plan,
    known: &mut FxHashMap<FuncId, u64>,
) -> u64 {
    if let Some(&price) = known.get(&func) {
        return price;
    }
    let f = &module.funcs[func];
    let own = Pricing { target, func: f, plan: &plan(func) }.total();
    let mut sum = own;
    for inst in f.insts.values() {
        let trips = match &inst.op {
            Op::Scan(s) if s.length != DYNAMIC => s.length as u64,
            Op::Scan(_) => TRIPS,
            Op::While(_) => TRIPS,
            _ => 1,
        };
        if !inst.op.is_control_flow() && !matches!(inst.op, Op::Call(_) | Op::Composite(_)) {
            continue;
        }
        for callee in inst.op.callees() {
            sum = sum.saturating_add(of_program(target, module, callee, plan, known).saturating_mul(trips));
        }
    }
    known.insert(func, sum);
    sum
}
