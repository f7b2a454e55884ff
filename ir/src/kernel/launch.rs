//! What a launched kernel is: the code of one thread.
//!
//! A kernel that [`KOp::Launch`] names says what one thread does. It sees memories of the program as parameters, local memories,
//! which each thread has for itself, and workgroup memories, which the threads of a block share. It holds scalars, accesses,
//! sequential loops, branches and what only launched kernels have ([`device_ops`]). It calls nothing and its
//! reductions are written out, so a printer needs neither. All launches of a kernel have blocks of the same sizes ([`blocks`]).
//!
//! A thread that has nothing to do is kept from accesses by a loop without trips: `scf.for %i = %first to %count step S`, where
//! `S` is the number of threads of the whole grid, is a bound check if there are as many threads as elements and a grid-stride
//! loop if there are fewer, and the verifier sees that `%i` is less than `%count`.
//!
//! # Order
//!
//! Threads run in no order, blocks too. Threads of a block wait for each other at [`KOp::Barrier`], blocks never. No two threads
//! touch one element, one of them writing, unless a barrier of their block stands between: the interpreter finds it. So what
//! threads load from one position is one value, and barriers may stand where a value that is [`uniform`] decides.

use super::{
    Access, Block, Extent, For, KInst, KOp, KValue, Kernel, KernelId, LoopKind, MemKind, MemRef, Program,
};
use crate::entity::EntityVec;
use crate::{device_ops, scalar_ops};

/// Blocks of a launch at most, along each axis.
pub const MOST_BLOCKS: [i64; 3] = [i32::MAX as i64, 65_535, 65_535];

/// Sizes of the blocks of each kernel that is launched; of one that is launched with several, the first.
pub fn blocks(program: &Program) -> EntityVec<KernelId, Option<[u32; 3]>> {
    let mut out = EntityVec::<KernelId, Option<[u32; 3]>>::filled(None, program.kernels.len());
    for kernel in program.kernels.values() {
        kernel.body.visit(&mut |inst| {
            if let KOp::Launch { kernel, block, .. } = &inst.op
                && out.get(*kernel) == Some(&None)
            {
                out[*kernel] = Some(*block);
            }
        });
    }
    out
}

/// Threads of a block of these sizes.
pub fn threads(block: [u32; 3]) -> u64 {
    block.into_iter().map(u64::from).product()
}

/// Whether all threads of a block must come to an instruction together: whether it is, or holds, a barrier or a shuffle.
pub fn is_collective(inst: &KInst) -> bool {
    matches!(inst.op, KOp::Barrier | KOp::Shuffle(_))
        || inst.op.blocks().any(|block| block.insts.iter().any(is_collective))
}

/// Values of a launched kernel that are the same for all threads of a block that have them.
pub fn uniform(kernel: &Kernel) -> EntityVec<KValue, bool> {
    let mut uniform = Uniform {
        kernel,
        is: EntityVec::filled(true, kernel.values.len()),
        holds: EntityVec::filled(true, kernel.mems.len()),
        written: EntityVec::filled(false, kernel.mems.len()),
        changed: true,
    };
    // What differs makes other values differ; what loops carry may differ from their second trip on.
    while uniform.changed {
        uniform.changed = false;
        uniform.written = EntityVec::filled(false, kernel.mems.len());
        uniform.block(&kernel.body, true);
    }
    uniform.is
}

/// Collective instructions that not all threads come to, given which values are uniform.
pub fn divergent(kernel: &Kernel, uniform: &EntityVec<KValue, bool>) -> usize {
    fn count(block: &Block, uniform: &EntityVec<KValue, bool>, together: bool) -> usize {
        let of = |inst: &KInst| {
            let here = matches!(inst.op, KOp::Barrier | KOp::Shuffle(_)) && !together;
            let inside = together && decides(inst, uniform);
            usize::from(here) + inst.op.blocks().map(|b| count(b, uniform, inside)).sum::<usize>()
        };
        block.insts.iter().map(of).sum()
    }
    count(&kernel.body, uniform, true)
}

/// Whether all threads run the blocks of an instruction alike.
fn decides(inst: &KInst, uniform: &EntityVec<KValue, bool>) -> bool {
    match &inst.op {
        KOp::For(f) => f.kind == LoopKind::Sequential && bounds(f, uniform),
        KOp::While(w) => w.cond.yields.iter().all(|&v| uniform[v]),
        KOp::Switch(_) => inst.operands.iter().all(|&v| uniform[v]),
        scalar_ops!()
        | KOp::Load(_)
        | KOp::Store(_)
        | KOp::Call { .. }
        | KOp::Parallel { .. }
        | KOp::Launch { .. }
        | device_ops!()
        | KOp::Library(_)
        | KOp::Reserve(_)
        | KOp::Steps(_) => true,
    }
}

fn bounds(f: &For, uniform: &EntityVec<KValue, bool>) -> bool {
    [f.start, f.end].into_iter().all(|extent| match extent {
        Extent::Const(_) => true,
        Extent::Value(v) => uniform[v],
    })
}

struct Uniform<'a> {
    kernel: &'a Kernel,
    is: EntityVec<KValue, bool>,
    /// Whether each thread's own memory holds the same: all that is stored there is, where it is, and by all threads, and nothing is
    /// loaded before all of it was stored.
    holds: EntityVec<MemRef, bool>,
    /// Whether all of a memory was stored before this instruction.
    written: EntityVec<MemRef, bool>,
    changed: bool,
}

impl Uniform<'_> {
    fn all(&self, values: &[KValue]) -> bool {
        values.iter().all(|&v| self.is[v])
    }

    /// Notes that a value differs unless something holds.
    fn require(&mut self, v: KValue, holds: bool) {
        if !holds && self.is[v] {
            self.is[v] = false;
            self.changed = true;
        }
    }

    /// A block that all threads run `together`, or some do.
    fn block(&mut self, block: &Block, together: bool) {
        for inst in &block.insts {
            let inside = together && decides(inst, &self.is);
            for block in inst.op.blocks() {
                // Whether a block runs at all is not known after it.
                let before = self.written.clone();
                self.block(block, inside);
                self.written = before;
            }
            self.inst(inst, together);
            if let Some(mem) = self.fills(inst) {
                self.written[mem] = true;
            }
        }
    }

    /// The memory of which an instruction stores every element.
    fn fills(&self, inst: &KInst) -> Option<MemRef> {
        match &inst.op {
            KOp::Store(access) => {
                let whole = self.kernel.mems[access.mem].len == 1 && access.terms.is_empty();
                whole.then_some(access.mem)
            }
            KOp::For(f) => {
                let (Extent::Const(start), Extent::Const(end)) = (f.start, f.end) else { return None };
                let counter = *f.body.params.first()?;
                f.body.insts.iter().find_map(|inst| {
                    let KOp::Store(access) = &inst.op else { return None };
                    let in_turn = f.step == 1 && access.terms[..] == [(counter, 1)];
                    let len = self.kernel.mems[access.mem].len as i64;
                    let all = start + access.offset <= 0 && end + access.offset >= len;
                    (in_turn && all).then_some(access.mem)
                })
            }
            scalar_ops!()
            | KOp::Load(_)
            | KOp::While(_)
            | KOp::Switch(_)
            | KOp::Call { .. }
            | KOp::Parallel { .. }
            | KOp::Launch { .. }
            | device_ops!()
            | KOp::Library(_)
            | KOp::Reserve(_)
            | KOp::Steps(_) => None,
        }
    }

    /// Notes that a memory may hold something else for each thread.
    fn differs(&mut self, mem: MemRef) {
        self.changed |= self.holds[mem];
        self.holds[mem] = false;
    }

    fn place(&self, access: &Access) -> bool {
        access.terms.iter().all(|t| self.is[t.0])
    }

    fn inst(&mut self, inst: &KInst, together: bool) {
        let operands = self.all(&inst.operands);
        let holds = match &inst.op {
            scalar_ops!() | KOp::BlockId(_) | KOp::Shuffle(_) => operands,
            KOp::ThreadId(_) => false,
            KOp::Load(access) => {
                let is_local = self.kernel.mems[access.mem].kind == MemKind::Local;
                if is_local && !self.written[access.mem] {
                    self.differs(access.mem);
                }
                (!is_local || self.holds[access.mem]) && self.place(access)
            }
            KOp::Store(access) => {
                if !(operands && together && self.place(access)) {
                    self.differs(access.mem);
                }
                true
            }
            KOp::For(f) => {
                let together = bounds(f, &self.is);
                if let Some(&counter) = f.body.params.first() {
                    self.require(counter, together);
                }
                self.carried(inst, &f.body, f.body.params.get(1..).unwrap_or_default());
                together
            }
            KOp::While(w) => {
                self.carried(inst, &w.body, &w.body.params);
                for (&inner, &outer) in w.cond.params.iter().zip(&w.body.params) {
                    let holds = self.is[outer];
                    self.require(inner, holds);
                }
                self.all(&w.cond.yields)
            }
            KOp::Switch(blocks) => {
                for block in blocks {
                    for (&r, &v) in inst.results.iter().zip(&block.yields) {
                        let holds = self.is[v];
                        self.require(r, holds);
                    }
                }
                operands
            }
            // A launched kernel calls nothing.
            KOp::Call { .. }
            | KOp::Parallel { .. }
            | KOp::Launch { .. }
            | KOp::Barrier
            | KOp::Library(_)
            | KOp::Reserve(_)
            | KOp::Steps(_) => true,
        };
        inst.results.iter().for_each(|&r| self.require(r, holds));
    }

    /// What a loop carries: the same if it starts so and is yielded so. A reduction starts with its identities.
    fn carried(&mut self, inst: &KInst, body: &Block, params: &[KValue]) {
        for (k, &param) in params.iter().enumerate() {
            let starts = inst.operands.get(k).is_none_or(|&v| self.is[v]);
            let stays = body.yields.get(k).is_none_or(|&v| self.is[v]);
            self.require(param, starts && stays);
            if let Some(&r) = inst.results.get(k) {
                self.require(r, starts && stays);
            }
        }
    }
}
