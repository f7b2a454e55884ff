//! The order of units, and when each value is read last.

use super::fusion::Planner;
use super::{NEVER_DIES, Plan, Role, Unit};
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Def, InstId, Value};

impl Planner<'_> {
    pub(in crate::lower) fn finish(mut self) -> Plan {
        let (mut units, unit_of) = self.units();
        let mut reads: Vec<Vec<Value>> = units
            .iter()
            .map(|unit| match *unit {
                Unit::Registers(id) | Unit::Opaque(id) => self.reads(id).iter().map(|r| r.0).collect(),
                Unit::Group(g) => self.groups[g as usize].reads.iter().map(|r| r.0).collect(),
                Unit::Rows(_) => unreachable!("rows are joined below"),
            })
            .collect();
        let mut order = self.depth_first(&units, &unit_of, &reads);
        let rows = self.join_rows(&mut units, &mut reads, &mut order);
        let (last_read, outside) = self.last_reads(&order, &reads);
        let mut internal: EntityVec<InstId, bool> = EntityVec::filled(false, self.func.insts.len());
        for &id in self.groups.iter().flat_map(|g| &g.members) {
            internal[id] = self.func.insts[id].results.iter().all(|&r| !outside[r]);
        }
        let units = order.iter().map(|&u| units[u as usize]).collect();
        Plan { roles: self.roles, groups: self.groups, rows, units, last_read, internal, fused: self.fused }
    }

    /// Units in program order of their first instruction, and that of each instruction.
    fn units(&self) -> (Vec<Unit>, EntityVec<InstId, Option<u32>>) {
        let mut unit_of: EntityVec<InstId, Option<u32>> = EntityVec::filled(None, self.func.insts.len());
        let mut units: Vec<Unit> = Vec::new();
        let mut group_unit: Vec<Option<u32>> = vec![None; self.groups.len()];
        for (id, _) in self.func.insts.iter() {
            let next = units.len() as u32;
            unit_of[id] = match self.roles[id] {
                Role::Dead | Role::Inlined => None,
                Role::Registers => {
                    units.push(Unit::Registers(id));
                    Some(next)
                }
                Role::Opaque => {
                    units.push(Unit::Opaque(id));
                    Some(next)
                }
                Role::Member(g) => {
                    if group_unit[g as usize].is_none() {
                        units.push(Unit::Group(g));
                        group_unit[g as usize] = Some(next);
                    }
                    group_unit[g as usize]
                }
            };
        }
        (units, unit_of)
    }

    /// Units depth first, each after what it reads.
    fn depth_first(
        &self,
        units: &[Unit],
        unit_of: &EntityVec<InstId, Option<u32>>,
        reads: &[Vec<Value>],
    ) -> Vec<u32> {
        let maker = |v: Value| match self.func.values[v].def {
            Def::Param(_) => None,
            Def::Inst(i, _) => unit_of[i],
        };
        // What acts comes after what acted before.
        let mut after: Vec<Option<u32>> = vec![None; units.len()];
        let mut last = None;
        for (id, _) in self.func.insts.iter().filter(|(id, _)| self.acts[*id]) {
            let Some(unit) = unit_of[id] else { continue };
            after[unit as usize] = last.replace(unit);
        }
        let mut order: Vec<u32> = Vec::with_capacity(units.len());
        let mut seen = vec![false; units.len()];
        let mut stack: Vec<(u32, usize)> = Vec::new();
        for first in 0..units.len() as u32 {
            if std::mem::replace(&mut seen[first as usize], true) {
                continue;
            }
            stack.push((first, 0));
            while let Some((unit, next)) = stack.pop() {
                let own = &reads[unit as usize];
                if next > own.len() {
                    order.push(unit);
                    continue;
                }
                stack.push((unit, next + 1));
                let before = if next == 0 { after[unit as usize] } else { maker(own[next - 1]) };
                if let Some(m) = before
                    && !std::mem::replace(&mut seen[m as usize], true)
                {
                    stack.push((m, 0));
                }
            }
        }
        order
    }

    /// The position of each value's last reader, and whether there is one outside the kernel that makes it.
    fn last_reads(
        &self,
        order: &[u32],
        reads: &[Vec<Value>],
    ) -> (EntityVec<Value, u32>, EntityVec<Value, bool>) {
        let func = self.func;
        let mut last_read: EntityVec<Value, u32> = EntityVec::filled(0, func.values.len());
        let mut outside: EntityVec<Value, bool> = EntityVec::filled(false, func.values.len());
        for (position, &unit) in order.iter().enumerate() {
            for &v in &reads[unit as usize] {
                last_read[v] = last_read[v].max(position as u32);
                outside[v] = true;
            }
        }
        for &r in &func.results {
            // A result may be a view of something inlined.
            let mut work = vec![r];
            while let Some(v) = work.pop() {
                last_read[v] = NEVER_DIES;
                outside[v] = true;
                if let Def::Inst(i, _) = func.values[v].def
                    && self.roles[i] == Role::Inlined
                {
                    work.extend(&func.insts[i].operands);
                }
            }
        }
        (last_read, outside)
    }
}
