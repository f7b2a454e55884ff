//! What a program reads, writes and computes, instruction by instruction, as if each ran on its own. Pure.
//!
//! Fusion removes most of this traffic, so the report compares forms of one program; it does not predict time.
//! Arithmetic is counted as [`wengert_ir::work`] says. A loop counts its body once per trip.

use crate::cost;
use std::ops::{Add, AddAssign};
use wengert_ir::func::{Func, FuncId, Inst, Module};
use wengert_ir::op::Op;
use wengert_ir::ops_of;
use wengert_ir::types::{DYNAMIC, TensorType, Type};

/// Sums over one or more instructions. They stay at the largest number instead of overflowing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CostReport {
    /// Bytes of operands.
    pub read: u64,
    /// Bytes of results.
    pub written: u64,
    /// Arithmetic operations.
    pub flops: u64,
    /// The rewriter's cost, in units of about 10 picoseconds; what extraction minimizes.
    pub cost: u64,
    /// Whether a loop of unknown length was counted as one trip, or a size of unknown length as 1.
    pub at_least: bool,
}

impl Add for CostReport {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            read: self.read.saturating_add(other.read),
            written: self.written.saturating_add(other.written),
            flops: self.flops.saturating_add(other.flops),
            cost: self.cost.saturating_add(other.cost),
            at_least: self.at_least || other.at_least,
        }
    }
}

impl AddAssign for CostReport {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl CostReport {
    /// The same, `trips` times.
    fn times(self, trips: u64) -> Self {
        Self {
            read: self.read.saturating_mul(trips),
            written: self.written.saturating_mul(trips),
            flops: self.flops.saturating_mul(trips),
            cost: self.cost.saturating_mul(trips),
            at_least: self.at_least,
        }
    }
}

/// The report of a function, with what its instructions run.
pub fn of_func(m: &Module, func: FuncId) -> CostReport {
    let func = &m.funcs[func];
    func.insts.values().fold(CostReport::default(), |sum, inst| sum + of_inst(m, func, inst))
}

/// The report of one instruction of `func`, with what it runs: a loop's trips, a call, the most expensive branch.
pub fn of_inst(m: &Module, func: &Func, inst: &Inst) -> CostReport {
    let mut unknown = false;
    let mut runs = match &inst.op {
        ops_of!(call) => of_func(m, inst.op.body().expect("a call runs a function")),
        Op::Case(case) => {
            let branches: Vec<CostReport> = case.branches.iter().map(|&b| of_func(m, b)).collect();
            // A branch that takes more than it was counted as may be the most expensive one.
            unknown = branches.iter().any(|branch| branch.at_least);
            branches.into_iter().max_by_key(|branch| branch.cost).unwrap_or_default()
        }
        Op::While(w) => {
            unknown = true;
            of_func(m, w.cond) + of_func(m, w.body)
        }
        Op::Scan(scan) => {
            unknown = scan.length == DYNAMIC;
            of_func(m, scan.body).times(if unknown { 1 } else { scan.length as u64 })
        }
        // These do their own work.
        ops_of!(source)
        | ops_of!(elementwise)
        | ops_of!(movement)
        | ops_of!(update)
        | ops_of!(contraction)
        | ops_of!(reduction)
        | ops_of!(library)
        | ops_of!(mark)
        | ops_of!(opaque) => {
            let types = |vs: &[_]| vs.iter().map(|&v| func.ty(v).clone()).collect::<Vec<_>>();
            return of_op(&inst.op, &types(&inst.operands), &types(&inst.results));
        }
    };
    runs.at_least |= unknown;
    runs
}

/// The report of one operation on operands and results of these types, without functions that it runs.
pub fn of_op(op: &Op, operands: &[Type], results: &[Type]) -> CostReport {
    let sum = |types: &[Type]| types.iter().map(bytes).fold(0, u64::saturating_add);
    // A constant is there before the program runs; a reshape gives a buffer another shape.
    let moves = !matches!(op, Op::Constant(_) | Op::Zero(_) | Op::Reshape(_) | Op::StopGradient(_));
    let open = |t: &Type| t.as_tensor().is_some_and(|t| !t.is_static());
    CostReport {
        read: if moves { sum(operands) } else { 0 },
        written: if moves { sum(results) } else { 0 },
        flops: op.flops(operands, results),
        cost: cost::cost(&cost::Target::CPU, op, operands, results),
        at_least: operands.iter().chain(results).any(open),
    }
}

fn bytes(ty: &Type) -> u64 {
    ty.as_tensor().map_or(0, |t| elements(t).saturating_mul(t.dtype.size() as u64))
}

/// Elements; what is not known counts as 1.
fn elements(ty: &TensorType) -> u64 {
    ty.checked_elements().map_or(1, |n| n as u64)
}
