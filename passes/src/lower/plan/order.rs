//! The order of units, and when each value is read last.

use super::fusion::Planner;
use super::{NEVER_DIES, Plan, Role, Unit};
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Def, InstId, Value};
use wengert_ir::op::Op;

/// The units, each after those that are to come before it. Where they wait for each other, some do not.
fn after_each(before: &[Vec<u32>]) -> Vec<u32> {
    let mut order: Vec<u32> = Vec::with_capacity(before.len());
    let mut state = vec![0u8; before.len()];
    let mut stack: Vec<(u32, usize)> = Vec::new();
    for first in 0..before.len() as u32 {
        if state[first as usize] != 0 {
            continue;
        }
        state[first as usize] = 1;
        stack.push((first, 0));
        while let Some((unit, next)) = stack.pop() {
            let Some(&m) = before[unit as usize].get(next) else {
                state[unit as usize] = 2;
                order.push(unit);
                continue;
            };
            stack.push((unit, next + 1));
            if state[m as usize] == 0 {
                state[m as usize] = 1;
                stack.push((m, 0));
            }
        }
    }
    order
}

/// Functions of more updates are left in program order.
const MOST_UPDATES: usize = 64;

impl Planner<'_> {
    /// Units that update an array in place if they come late enough, with the other units that read the array.
    fn late_updates(&self, units: &[Unit], reads: &[Vec<Value>]) -> Vec<(usize, Vec<u32>)> {
        let mut found = Vec::new();
        for (update, unit) in units.iter().enumerate() {
            let Unit::Opaque(id) = *unit else { continue };
            let inst = &self.func.insts[id];
            if !matches!(inst.op, Op::DynamicUpdateSlice(_) | Op::Scatter(_)) {
                continue;
            }
            let reader = |&k: &usize| k != update && reads[k].contains(&inst.operands[0]);
            let readers: Vec<u32> = (0..units.len()).filter(reader).map(|k| k as u32).collect();
            if !readers.is_empty() {
                found.push((update, readers));
            }
            if found.len() > MOST_UPDATES {
                return Vec::new();
            }
        }
        found
    }

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
        let before: Vec<Vec<u32>> = (reads.iter().zip(&after))
            .map(|(own, after)| after.iter().copied().chain(own.iter().filter_map(|&v| maker(v))).collect())
            .collect();
        let mut order = after_each(&before);
        let updates = self.late_updates(units, reads);
        if !updates.is_empty() {
            // An update comes after those that read what it changes: then it may happen in place.
            let mut wished = before.clone();
            updates.into_iter().for_each(|(update, readers)| wished[update].extend(readers));
            let late = after_each(&wished);
            let mut place = vec![0; late.len()];
            late.iter().enumerate().for_each(|(k, &unit)| place[unit as usize] = k);
            let keeps = |(unit, all): (usize, &Vec<u32>)| {
                all.iter().all(|&b| b as usize == unit || place[b as usize] < place[unit])
            };
            if before.iter().enumerate().all(keeps) {
                order = late;
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
