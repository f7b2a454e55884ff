//! One launched kernel: code of the entry, or a kernel that it launched, with what it needs from elsewhere.

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
    pub(super) prelude: Vec<KInst>,
    /// Memories and scalars of the host that it is given.
    pub(super) mems: Vec<Access>,
    pub(super) scalars: SmallVec<[KValue; 3]>,
    /// Scalars of the entry that its own instructions define, and those that it imports.
    pub(super) own: FxHashMap<KValue, KValue>,
    pub(super) imported: FxHashMap<KValue, KValue>,
    /// Memories of the entry that it has, and rows of stacks by what finds them.
    pub(super) places: FxHashMap<(MemRef, Vec<(KValue, i64)>), MemRef>,
    /// The memory of the slots of each type that it touches.
    pub(super) slots: SmallVec<[(Scalar, MemRef); 2]>,
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

    pub(super) fn add(&mut self, op: KOp, operands: &[KValue], ty: Scalar) -> KValue {
        let result = self.kernel.values.push(ty);
        self.prelude.push(KInst { op, operands: operands.into(), results: smallvec![result] });
        result
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
