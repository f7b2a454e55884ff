//! The plan of a function: which values exist in memory, what is computed together, and in which order. Plain data, made of
//! tensor IR alone, before any loop or address is thought of; it prints ([`mod@print`]).
//!
//! [`fusion`] decides what is computed inside its readers and which kernels there are, by the [classes](classify) of
//! instructions and what they cost a [`Target`](crate::cost::Target); [`order`] puts the kernels in order, [`join`] joins those
//! that work row by row; [`unrolling`] and [`cut`] say what of a kernel is written out or made piece by piece.

pub(crate) mod classify;
pub(in crate::lower) mod cut;
mod fusion;
mod join;
mod order;
pub(in crate::lower) mod price;
mod print;
pub(crate) mod recomputation;
pub(crate) mod rewrites;
pub(in crate::lower) mod strided_views;
pub(in crate::lower) mod unrolling;
pub(in crate::lower) mod views;
pub(in crate::lower) mod windowed;
mod windows;

pub(in crate::lower) use fusion::plan;
pub(in crate::lower) use print::{print, print_fusion};

use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Def, Func, InstId, Module, Value};
use wengert_ir::kernel::LANES;
use wengert_ir::op::{Effect, Op};
use wengert_ir::types::Dims;

/// Whether an operation, or one that it runs, does something besides giving results. What names a value does nothing.
pub(in crate::lower) fn acts(module: &Module, op: &Op) -> bool {
    let itself = |op: &Op| match op {
        Op::Foreign(foreign) => op.effect() == Effect::Ordered && !foreign.is_token(),
        op => op.effect() == Effect::Ordered && !matches!(op, Op::Sow(_)),
    };
    itself(op) || op.callees().into_iter().any(|callee| module.reaches(callee, &itself))
}

/// What becomes of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lower) enum Role {
    /// Nothing uses it.
    Dead,
    /// Computed inside its readers.
    Inlined,
    /// Its results are scalars in registers.
    Registers,
    /// Computed by a kernel of the plan.
    Member(u32),
    /// Has code of its own.
    Opaque,
}

/// A loop nest that computes several values.
#[derive(Clone, Debug)]
pub(in crate::lower) struct Group {
    /// The iteration space.
    pub(in crate::lower) space: Dims,
    /// Dimensions of it that are reduced; `None` while no member reduces.
    pub(in crate::lower) reduced: Option<Dims>,
    /// In program order.
    pub(in crate::lower) members: Vec<InstId>,
    /// What it reads, and whether always at the element being computed.
    pub(in crate::lower) reads: Vec<(Value, bool)>,
    /// The dimension that is written out, if any: each index of it is a reduction of its own, and what does not depend
    /// on it is computed once for all.
    pub(in crate::lower) unrolled: Option<usize>,
    pub(in crate::lower) depth: u32,
    pub(in crate::lower) size: u32,
    pub(in crate::lower) choices: bool,
}

impl Group {
    /// Whether it reduces fewer elements than two vectors of lanes.
    fn reduces_few(&self) -> bool {
        let extents =
            self.reduced.as_ref().map(|dims| dims.iter().map(|&d| self.space[d]).product::<usize>());
        extents.is_some_and(|count| count < 2 * LANES)
    }

    /// The dimensions that loops are over.
    pub(in crate::lower) fn looped(&self) -> Dims {
        (0..self.space.len()).filter(|&d| Some(d) != self.unrolled).map(|d| self.space[d]).collect()
    }

    /// Those of them that are reduced.
    pub(in crate::lower) fn looped_reduced(&self) -> Dims {
        let before = |d| usize::from(self.unrolled.is_some_and(|u| u < d));
        self.reduced.iter().flatten().map(|&d| d - before(d)).collect()
    }
}

/// A rewrite that made one kernel of two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lower) struct Fused {
    /// What it is called.
    pub(in crate::lower) rewrite: &'static str,
    /// Picoseconds that it saves by the cost model.
    pub(in crate::lower) saves: u64,
    /// The last instructions of the two.
    pub(in crate::lower) members: [InstId; 2],
}

/// What is lowered as one step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lower) enum Unit {
    /// Scalars of one instruction.
    Registers(InstId),
    /// A kernel of the plan.
    Group(u32),
    /// Kernels that share a loop over rows.
    Rows(u32),
    /// One instruction.
    Opaque(InstId),
}

/// Kernels that run one after the other for each row: for each index of the first `rank` dimensions.
#[derive(Clone, Debug)]
pub(in crate::lower) struct RowRun {
    pub(in crate::lower) groups: Vec<u32>,
    pub(in crate::lower) rank: usize,
}

/// When a value is read last.
pub(in crate::lower) const NEVER_DIES: u32 = u32::MAX;

/// The plan of one function.
#[derive(Debug)]
pub(in crate::lower) struct Plan {
    pub(in crate::lower) roles: EntityVec<InstId, Role>,
    pub(in crate::lower) groups: Vec<Group>,
    /// Kernels joined over rows.
    pub(in crate::lower) rows: Vec<RowRun>,
    /// In the order of lowering.
    pub(in crate::lower) units: Vec<Unit>,
    /// Position among the units of the last reader; [`NEVER_DIES`] for results.
    pub(in crate::lower) last_read: EntityVec<Value, u32>,
    /// Members that nothing outside their kernel reads.
    pub(in crate::lower) internal: EntityVec<InstId, bool>,
    /// The rewrites of its kernels, in order.
    pub(in crate::lower) fused: Vec<Fused>,
}

impl Plan {
    /// The values that are computed inside an instruction, in program order.
    pub(in crate::lower) fn inlined(&self, func: &Func, id: InstId) -> Vec<Value> {
        let mut found: Vec<Value> = Vec::new();
        let mut work: Vec<InstId> = vec![id];
        while let Some(id) = work.pop() {
            for &v in &func.insts[id].operands {
                if let Def::Inst(i, _) = func.values[v].def
                    && self.roles[i] == Role::Inlined
                    && !found.contains(&v)
                {
                    found.push(v);
                    work.push(i);
                }
            }
        }
        found.sort();
        found
    }

    /// The values that an instruction reads where they are stored, by itself or by what is computed inside it.
    pub(in crate::lower) fn stored_reads(&self, func: &Func, id: InstId) -> Vec<Value> {
        let inside = self.inlined(func, id);
        let makers = inside.iter().filter_map(|&v| func.def(v)).map(|(id, _)| id);
        let mut found: Vec<Value> =
            makers.chain([id]).flat_map(|id| func.insts[id].operands.iter().copied()).collect();
        found.retain(|v| !inside.contains(v));
        found.sort();
        found.dedup();
        found
    }

    /// The instructions of a unit: those it stores, then those computed inside them.
    pub(in crate::lower) fn instructions(&self, func: &Func, unit: Unit) -> Vec<InstId> {
        let mut all: Vec<InstId> = match unit {
            Unit::Registers(id) | Unit::Opaque(id) => return vec![id],
            Unit::Group(g) => self.groups[g as usize].members.clone(),
            Unit::Rows(r) => {
                let groups = self.rows[r as usize].groups.iter();
                groups.flat_map(|&g| self.groups[g as usize].members.iter().copied()).collect()
            }
        };
        for k in 0..all.len() {
            for v in self.inlined(func, all[k]) {
                if let Def::Inst(id, _) = func.values[v].def
                    && !all.contains(&id)
                {
                    all.push(id);
                }
            }
        }
        all
    }
}

/// Which values that several others read are computed once and stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub(in crate::lower) enum Storing {
    /// Those for which it is cheaper.
    #[default]
    ByCost,
    /// The same, and kernels stay as they were formed: no rewrites.
    Greedy,
    /// All of them. An expression is then no longer than the function: computed in their readers, values that are read at several
    /// indices each, as by windows in windows or by a concatenation with itself, double with every step.
    Shared,
}
