//! Kernels that work row by row, joined: `softmax`, normalizations and their like become one loop over rows.

use super::classify::{SHORT, is_reduction};
use super::fusion::Planner;
use super::{Role, RowRun, Unit};
use crate::cost::MATH;
use wengert_ir::func::{Def, Func, Inst, InstId, Value};
use wengert_ir::kernel::LANES;
use wengert_ir::op::Op;
use wengert_ir::ops_of;
use wengert_ir::types::Dims;

/// Elements of rows that are computed across the rows where what is computed is expensive: beyond, reads so far apart cost as
/// much (softmax of 1,500 rows, f32: of 6 numbers 16.8 to 7.9 us, of 10 19.0 to 17.7, of 16 21.4 to 28.1).
const FEW: usize = 8;
/// Elements of a row beside whose work a function of a scalar shows.
const BESIDE: usize = 128;

impl Planner<'_> {
    /// Joins kernels that follow one another and work row by row into one unit each. What stood between and does
    /// not feed them comes after.
    pub(in crate::lower) fn join_rows(
        &mut self,
        units: &mut Vec<Unit>,
        reads: &mut Vec<Vec<Value>>,
        order: &mut Vec<u32>,
    ) -> Vec<RowRun> {
        let mut runs: Vec<RowRun> = Vec::new();
        let mut start = 0;
        while start < order.len() {
            let first = order[start];
            let Some((rank, rows)) = self.row_space(units[first as usize], None) else {
                start += 1;
                continue;
            };
            let mut joined = vec![first];
            // Scalars that do not need the rows go before them, everything else after.
            let (mut early, mut deferred): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
            let mut made: Vec<Value> = self.made_by(units[first as usize]);
            let mut late: Vec<Value> = Vec::new();
            let mut end = start + 1;
            while end < order.len() && end - start <= self.target.row_lookahead {
                let unit = order[end];
                let fits = self.row_space(units[unit as usize], Some((rank, &rows))).is_some()
                    && !reads[unit as usize].iter().any(|v| late.contains(v))
                    && !self.is_one_of_each(units[unit as usize], &rows, units[first as usize])
                    && self.row_reads(units[unit as usize], rank, &made);
                if fits {
                    joined.push(unit);
                    made.extend(self.made_by(units[unit as usize]));
                } else if matches!(units[unit as usize], Unit::Registers(_))
                    && !reads[unit as usize].iter().any(|v| made.contains(v) || late.contains(v))
                {
                    early.push(unit);
                } else {
                    deferred.push(unit);
                    late.extend(self.made_by(units[unit as usize]));
                }
                end += 1;
            }
            if joined.len() > 1 {
                let groups: Vec<u32> = joined
                    .iter()
                    .map(|&u| match units[u as usize] {
                        Unit::Group(g) => g,
                        Unit::Registers(_) | Unit::Opaque(_) | Unit::Rows(_) => {
                            unreachable!("kernels are joined")
                        }
                    })
                    .collect();
                units.push(Unit::Rows(runs.len() as u32));
                let all = joined.iter().flat_map(|&u| reads[u as usize].iter().copied()).collect();
                reads.push(all);
                runs.push(RowRun { groups, rank });
                let (rows, before) = (units.len() as u32 - 1, early.len());
                let next = early.into_iter().chain([rows]).chain(deferred);
                order.splice(start..end, next.collect::<Vec<_>>());
                start += before;
            }
            start += 1;
        }
        runs
    }

    fn made_by(&self, unit: Unit) -> Vec<Value> {
        let insts: &[InstId] = match &unit {
            Unit::Registers(id) | Unit::Opaque(id) => std::slice::from_ref(id),
            Unit::Group(g) => &self.groups[*g as usize].members,
            Unit::Rows(_) => &[],
        };
        insts.iter().flat_map(|&id| self.func.insts[id].results.iter().copied()).collect()
    }

    /// The rank and shape of the rows' index if a unit is a kernel that works row by row; with `like`, by those rows.
    fn row_space(&self, unit: Unit, like: Option<(usize, &[usize])>) -> Option<(usize, Dims)> {
        let Unit::Group(g) = unit else { return None };
        let group = &self.groups[g as usize];
        let rank = match (&group.reduced, like) {
            (Some(dims), _) => {
                let kept = group.space.len() - dims.len();
                if dims.iter().enumerate().any(|(k, &d)| d != kept + k) {
                    return None;
                }
                kept
            }
            (None, Some((rank, _))) => rank,
            (None, None) => return None,
        };
        if group.choices || group.unrolled.is_some() || group.space.contains(&0) || group.space.len() < rank {
            return None;
        }
        let (rows, row) = group.space.split_at(rank);
        if let Some((like_rank, like)) = like
            && (like_rank != rank || like != rows)
        {
            return None;
        }
        let elements: usize = row.iter().product();
        let reduces = group.reduced.is_some();
        let sized = elements <= self.target.row && (!reduces || elements >= 2);
        (sized && rows.iter().product::<usize>() >= 2 && !self.is_across(g, rank))
            .then(|| (rank, rows.into()))
    }

    /// Whether functions of a few elements of many rows, by themselves better as vectors across the rows, are what a kernel computes.
    fn is_across(&self, g: u32, rank: usize) -> bool {
        let (rows, row) = self.groups[g as usize].space.split_at(rank);
        let elements: usize = row.iter().product();
        let rows = rows.iter().product::<usize>();
        // Of fewer elements reductions are expressions.
        let is_turned = elements > SHORT && self.target.turns(rows, elements);
        (2..=FEW).contains(&elements) && rows >= 2 * LANES && !is_turned && self.costs(g) >= MATH
    }

    /// The same of functions of one element of each row, where a row is short: the scalars would take longer than the rest of it.
    fn is_one_of_each(&self, unit: Unit, rows: &[usize], first: Unit) -> bool {
        let (Unit::Group(g), Unit::Group(first)) = (unit, first) else { return false };
        let space = &self.groups[first as usize].space;
        self.groups[g as usize].space.len() == rows.len()
            && space[rows.len()..].iter().product::<usize>() <= BESIDE
            && rows.iter().product::<usize>() >= 2 * LANES
            && self.costs(g) >= MATH
    }

    /// The arithmetic of an element of a kernel: that of the most expensive of its members.
    fn costs(&self, g: u32) -> u32 {
        let of = |&id: &InstId| {
            let inst = &self.func.insts[id];
            let read = if let Op::Reduce(_) = inst.op { &inst.operands[..1] } else { &inst.results };
            read.iter().map(|&v| self.arithmetic[v]).max().unwrap_or(0)
        };
        self.groups[g as usize].members.iter().map(of).max().unwrap_or(0)
    }

    /// Whether a kernel reads what the values `made` only at the row it is at.
    fn row_reads(&mut self, unit: Unit, rank: usize, made: &[Value]) -> bool {
        let Unit::Group(g) = unit else { return false };
        self.stamp += 1;
        let mut work: Vec<(Value, bool)> = Vec::new();
        for &id in &self.groups[g as usize].members {
            let inst = &self.func.insts[id];
            work.extend(inst.operands.iter().map(|&v| (v, keeps_rows(self.func, inst, v, rank))));
        }
        while let Some((v, same)) = work.pop() {
            let (stamp, seen_same) = self.seen[v];
            if stamp == self.stamp && (seen_same == same || !seen_same) {
                continue;
            }
            self.seen[v] = (self.stamp, same);
            if made.contains(&v) && !same {
                return false;
            }
            if let Def::Inst(i, _) = self.func.values[v].def
                && self.roles[i] == Role::Inlined
            {
                let inst = &self.func.insts[i];
                work.extend(inst.operands.iter().map(|&w| (w, same && keeps_rows(self.func, inst, w, rank))));
            }
        }
        true
    }
}

/// Whether the first `rank` indices of an element's operand are those of the element.
fn keeps_rows(func: &Func, inst: &Inst, operand: Value, rank: usize) -> bool {
    let from = &func.tensor(operand).shape;
    if from.len() < rank {
        return false;
    }
    let to = &func.tensor(inst.results[0]).shape;
    match &inst.op {
        Op::BitcastConvert(_) => false,
        ops_of!(elementwise) | Op::StopGradient(_) => true,
        // The rows of a reducing kernel are what it keeps.
        Op::Reduce(_) if is_reduction(func, inst) => true,
        Op::Reduce(r) => r.dims.iter().all(|&d| d >= rank),
        Op::BroadcastInDim(b) => (0..rank).all(|d| b.dims[d] == d && from[d] == to[d]),
        Op::Reshape(_) => to.len() >= rank && from[..rank] == to[..rank],
        Op::Transpose(t) => (0..rank).all(|d| t.perm[d] == d),
        Op::Slice(s) => (0..rank).all(|d| s.start[d] == 0 && s.limit[d] == from[d] && s.strides[d] == 1),
        Op::DynamicSlice(s) => (0..rank).all(|d| s.sizes[d] == from[d]),
        Op::Reverse(r) => r.dims.iter().all(|&d| d >= rank),
        ops_of!(source)
        | ops_of!(movement)
        | ops_of!(update)
        | ops_of!(contraction)
        | ops_of!(library)
        | ops_of!(call)
        | ops_of!(control)
        | ops_of!(mark)
        | ops_of!(opaque) => false,
    }
}
