//! Kernels before and after rewrites, for tests. Not part of the public interface.

use super::Order;
use crate::cost::Target;
use crate::lower::plan::fusion::Planner;
use crate::lower::plan::price::Pricing;
use crate::lower::plan::{Plan, Storing, Unit, print};
use wengert_ir::func::{FuncId, InstId, Module, Value};
use wengert_ir::types::Dims;

/// The kernels of a function.
pub struct Kernels<'m> {
    planner: Planner<'m>,
    order: Order,
    /// For each kernel, the run of those that share rows with it; see [`Planner::runs`].
    rows: Vec<u32>,
}

impl<'m> Kernels<'m> {
    /// Those that are formed on a CPU, with scalars alone in registers.
    pub fn new(m: &'m Module, func: FuncId) -> Self {
        let mut planner = Planner::new(&Target::CPU, m, &m.funcs[func], 1, Storing::ByCost);
        let order = planner.waiting();
        let rows = planner.runs(&planner.clone().finish());
        Self { planner, order, rows }
    }

    /// How many there were when they were formed.
    pub fn count(&self) -> usize {
        self.planner.groups.len()
    }

    /// Their plan, as they are.
    pub fn plan(&self) -> Planned<'_, 'm> {
        let mut planner = self.planner.clone();
        planner.renumber();
        Planned { planner: &self.planner, plan: planner.finish() }
    }

    /// The plan with the rewrites that are chosen.
    pub fn best(&self) -> Planned<'_, 'm> {
        Planned { planner: &self.planner, plan: self.planner.clone().best() }
    }

    /// What one more rewrite can make of them: each rewrite that may be made, whether it saves or not.
    pub fn rewritten(&self) -> impl Iterator<Item = Self> {
        let n = self.count() as u32;
        let pairs = (0..n).flat_map(move |a| (a + 1..n).map(move |b| (a, b)));
        pairs.filter_map(|(a, b)| self.joined(a, b))
    }

    fn joined(&self, a: u32, b: u32) -> Option<Self> {
        let groups = &self.planner.groups;
        let squeezed =
            |g: u32| groups[g as usize].space.iter().copied().filter(|&n| n != 1).collect::<Dims>();
        let is_gone = |g: u32| self.order.find(g) != g;
        if is_gone(a)
            || is_gone(b)
            || self.rows[a as usize] != self.rows[b as usize]
            || squeezed(a) != squeezed(b)
        {
            return None;
        }
        self.planner.candidate(a, b)?;
        let mut order = self.order.clone();
        if order.leads(a, b) || order.leads(b, a) {
            return None;
        }
        order.join(a, b);
        let mut planner = self.planner.clone();
        planner.join_groups(a, b);
        Some(Self { planner, order, rows: self.rows.clone() })
    }
}

/// A plan of kernels.
pub struct Planned<'a, 'm> {
    planner: &'a Planner<'m>,
    plan: Plan,
}

impl Planned<'_, '_> {
    fn pricing(&self) -> Pricing<'_> {
        Pricing { target: self.planner.target, func: self.planner.func, plan: &self.plan, is_entry: false }
    }

    /// What it takes by the cost model, in picoseconds.
    pub fn price(&self) -> u64 {
        self.pricing().total()
    }

    /// The same of its kernels, each by itself: which of them share rows is decided later, and by other rules.
    pub fn price_apart(&self) -> u64 {
        (0..self.plan.groups.len() as u32).map(|g| self.pricing().kernel(g)).sum()
    }

    /// How many rewrites it has.
    pub fn rewrites(&self) -> usize {
        self.plan.fused.len()
    }

    /// The plan as text.
    pub fn text(&self) -> String {
        print("@main", self.planner.func, &self.plan, 1)
    }

    /// What is computed together, in order: the instructions, and the values that they read, through what is computed inside them.
    pub fn steps(&self) -> Vec<(Vec<InstId>, Vec<Value>)> {
        let mut planner = self.planner.clone();
        planner.roles = self.plan.roles.clone();
        let group = |g: u32| self.plan.groups[g as usize].members.clone();
        let members = self.plan.units.iter().flat_map(|unit| match unit {
            Unit::Registers(id) | Unit::Opaque(id) => vec![vec![*id]],
            Unit::Group(g) => vec![group(*g)],
            Unit::Rows(r) => self.plan.rows[*r as usize].groups.iter().map(|&g| group(g)).collect(),
        });
        let mut with_reads = |members: Vec<InstId>| {
            let reads = members.iter().flat_map(|&id| planner.reads(id)).map(|(v, _)| v).collect();
            (members, reads)
        };
        members.map(&mut with_reads).collect()
    }
}
