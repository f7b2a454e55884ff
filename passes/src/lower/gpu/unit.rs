//! One launched kernel: code of the entry, or a kernel that it launched, with what it needs from elsewhere.

use super::host::Host;
use super::split::Home;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use wengert_ir::entity::Entity;
use wengert_ir::kernel::*;

/// Whether an instruction makes an index of others.
pub(super) fn is_index_op(kernel: &Kernel, inst: &KInst) -> bool {
    let integer = |&v: &KValue| !kernel.values[v].is_float();
    let plain = matches!(inst.op, KOp::Binary(_) | KOp::Cast(_) | KOp::Const(_));
    plain
        && inst.results.iter().all(|&r| kernel.values[r] == Scalar::I64)
        && inst.operands.iter().all(integer)
}

/// A kernel being built, and what it is launched with.
#[derive(Default)]
pub(super) struct Unit {
    pub(super) kernel: Kernel,
    /// What comes before its instructions: what is loaded from slots, and indices made of that.
    prelude: Vec<KInst>,
    /// Memories and scalars of the host that it is given.
    pub(super) mems: Vec<Access>,
    pub(super) scalars: SmallVec<[KValue; 3]>,
    /// Scalars of the entry that its own instructions define, and those that it imports.
    pub(super) own: FxHashMap<KValue, KValue>,
    imported: FxHashMap<KValue, KValue>,
    /// Memories of the entry that it has, and rows of stacks by what finds them.
    places: FxHashMap<(MemRef, Vec<(KValue, i64)>), MemRef>,
    /// The memory of the slots of each type that it touches.
    slots: SmallVec<[(Scalar, MemRef); 2]>,
}

impl Unit {
    /// One with the code and the memories of a kernel, but no scalars of its own yet.
    pub(super) fn of(kernel: &Kernel) -> Self {
        let mut kernel = kernel.clone();
        kernel.body.params.clear();
        Self { kernel, ..Self::default() }
    }

    /// A memory that is given to it.
    pub(super) fn param(&mut self, at: Access, elem: Scalar, len: usize) -> MemRef {
        let kind = MemKind::Param(self.mems.len() as u32);
        self.mems.push(at);
        self.kernel.mems.push(MemRefDef { elem, len, kind })
    }

    /// Memories that it reads before its instructions.
    pub(super) fn reads(&self) -> Vec<MemRef> {
        self.prelude.iter().flat_map(|inst| inst.op.accesses()).map(|access| access.mem).collect()
    }

    fn add(&mut self, op: KOp, operands: &[KValue], ty: Scalar) -> KValue {
        let result = self.kernel.values.push(ty);
        self.prelude.push(KInst { op, operands: operands.into(), results: smallvec![result] });
        result
    }

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

    /// The kernel with its prelude and slots in place, and what it is launched with.
    pub(super) fn finish(mut self) -> (Kernel, Vec<Access>, SmallVec<[KValue; 3]>) {
        let mut insts = std::mem::take(&mut self.prelude);
        insts.append(&mut self.kernel.body.insts);
        self.kernel.body.insts = insts;
        let mut used: FxHashMap<MemRef, (i64, i64)> = FxHashMap::default();
        let ours: Vec<MemRef> = self.slots.iter().map(|s| s.1).collect();
        visit(&mut self.kernel.body, &mut |inst| {
            for access in inst.op.accesses_mut() {
                if ours.contains(&access.mem) {
                    let at = access.offset;
                    let range = used.entry(access.mem).or_insert((at, at));
                    *range = (range.0.min(at), range.1.max(at));
                }
            }
        });
        visit(&mut self.kernel.body, &mut |inst| {
            for access in inst.op.accesses_mut() {
                if let Some(range) = used.get(&access.mem) {
                    access.offset -= range.0;
                }
            }
        });
        for &mem in &ours {
            let (first, last) = used.get(&mem).copied().unwrap_or((0, 0));
            self.kernel.mems[mem].len = (last - first + 1) as usize;
            let MemKind::Param(k) = self.kernel.mems[mem].kind else { unreachable!("slots are given") };
            self.mems[k as usize].offset = first;
        }
        (self.kernel, self.mems, self.scalars)
    }
}

/// Visits every instruction of a block, those inside of others included.
pub(super) fn visit(block: &mut Block, f: &mut dyn FnMut(&mut KInst)) {
    for inst in &mut block.insts {
        f(inst);
        inst.op.blocks_mut().for_each(|b| visit(b, f));
    }
}

/// Removes instructions without effects whose results nobody reads.
pub(super) fn prune(kernel: &mut Kernel) {
    fn count(block: &Block, used: &mut Vec<bool>) {
        for inst in &block.insts {
            let terms =
                inst.op.accesses().into_iter().flat_map(|a| a.terms.iter().map(|t| t.0)).collect::<Vec<_>>();
            let extents = inst.op.extents();
            let extents = extents.iter().filter_map(|e| match e {
                Extent::Value(v) => Some(*v),
                Extent::Const(_) => None,
            });
            for v in inst.operands.iter().copied().chain(terms).chain(extents) {
                used[v.index()] = true;
            }
            inst.op.blocks().for_each(|b| count(b, used));
        }
        block.yields.iter().for_each(|v| used[v.index()] = true);
    }
    fn sweep(block: &mut Block, used: &[bool]) -> bool {
        let before = block.insts.len();
        block.insts.retain(|inst| {
            let scalar = matches!(inst.op, wengert_ir::scalar_ops!() | KOp::ThreadId(_) | KOp::BlockId(_));
            let pure = scalar || matches!(inst.op, KOp::Load(_));
            !pure || inst.results.iter().any(|r| used[r.index()])
        });
        let mut changed = block.insts.len() != before;
        for inst in &mut block.insts {
            inst.op.blocks_mut().for_each(|b| changed |= sweep(b, used));
        }
        changed
    }
    loop {
        let mut used = vec![false; kernel.values.len()];
        count(&kernel.body, &mut used);
        if !sweep(&mut kernel.body, &used) {
            return;
        }
    }
}
