//! What a launched kernel needs of the entry's scalars and memories: given to it, loaded from slots, or made anew.

use super::host::Host;
use super::split::Home;
use super::unit::Unit;
use smallvec::SmallVec;
use wengert_ir::kernel::*;

impl Unit {
    /// A scalar of the entry.
    pub(super) fn import(&mut self, host: &mut Host<'_>, v: KValue) -> KValue {
        if let Some(&known) = self.own.get(&v).or_else(|| self.imported.get(&v)) {
            return known;
        }
        let ty = host.old.values[v];
        let value = if let Some(word) = host.split.is_constant(v) {
            self.add(KOp::Const(word), &[], ty)
        } else if host.split.is_host(v) {
            let value = self.kernel.values.push(ty);
            self.kernel.body.params.push(value);
            self.scalars.push(host.scalar(v));
            value
        } else if let Some(inst) = host.split.chain(v) {
            let operands: SmallVec<[KValue; 3]> =
                inst.operands.iter().map(|&w| self.import(host, w)).collect();
            self.add(inst.op.clone(), &operands, ty)
        } else {
            match host.home(v) {
                Home::Slot(k) => {
                    let access = self.slot(host, ty, k);
                    self.add(KOp::Load(access), &[], ty)
                }
                Home::Element(m, offset) => {
                    // All elements of one memory are of one memory of the launch: devices bind few.
                    let at = self.access(host, &Access { mem: m, offset, terms: SmallVec::new() });
                    self.add(KOp::Load(at), &[], ty)
                }
            }
        };
        self.imported.insert(v, value);
        value
    }

    /// The place of a slot. Its memory is fitted to the slots that are used when the unit is done.
    pub(super) fn slot(&mut self, host: &mut Host<'_>, ty: Scalar, k: u32) -> Access {
        let mem = match self.slots.iter().find(|s| s.0 == ty) {
            Some(&(_, mem)) => mem,
            None => {
                let at = Access { mem: host.slots(ty), offset: 0, terms: SmallVec::new() };
                let mem = self.param(at, ty, 0);
                self.slots.push((ty, mem));
                mem
            }
        };
        Access { mem, offset: i64::from(k), terms: SmallVec::new() }
    }

    /// An access of the entry, whose scalars the unit has or imports.
    pub(super) fn access(&mut self, host: &mut Host<'_>, access: &Access) -> Access {
        let def = host.old.mems[access.mem].clone();
        let mut outside: Vec<(KValue, i64)> = Vec::new();
        let mut inside: SmallVec<[(KValue, i64); 4]> = SmallVec::new();
        if host.split.is_stack(access.mem) {
            for &(v, c) in &access.terms {
                match self.own.get(&v) {
                    Some(&own) => inside.push((own, c)),
                    None => outside.push((host.read(v), c)),
                }
            }
            outside.sort_unstable();
        } else {
            for &(v, c) in &access.terms {
                let v = self.import(host, v);
                match inside.iter_mut().find(|t| t.0 == v) {
                    Some(term) => term.1 += c,
                    None => inside.push((v, c)),
                }
            }
        }
        let key = (access.mem, outside);
        let mem = match self.places.get(&key) {
            Some(&mem) => mem,
            None => {
                let at = Access { mem: access.mem, offset: 0, terms: key.1.iter().copied().collect() };
                let mem = self.param(at, def.elem, def.len);
                self.places.insert(key, mem);
                mem
            }
        };
        Access { mem, offset: access.offset, terms: inside }
    }
}
