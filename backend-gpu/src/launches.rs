//! What a program launches, and what kernels do with their memories.

use wengert_ir::entity::EntityVec;
use wengert_ir::kernel::launch::{blocks, threads};
use wengert_ir::kernel::{Block, KOp, Kernel, KernelId, MemRef, Program};

/// A kernel that is launched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Launched {
    /// Which.
    pub kernel: KernelId,
    /// Threads of its blocks along x, y and z.
    pub block: [u32; 3],
}

/// The kernels that a program launches, in order of number.
pub fn launched(program: &Program) -> Vec<Launched> {
    let with_blocks = blocks(program);
    with_blocks.iter().filter_map(|(kernel, block)| block.map(|block| Launched { kernel, block })).collect()
}

impl Launched {
    /// Threads of a block.
    pub fn threads(&self) -> u32 {
        threads(self.block) as u32
    }
}

/// Which memories a launched kernel stores to; it calls nobody.
pub fn stored(kernel: &Kernel) -> EntityVec<MemRef, bool> {
    fn mark(block: &Block, stored: &mut EntityVec<MemRef, bool>) {
        for inst in &block.insts {
            if let KOp::Store(access) = &inst.op {
                stored[access.mem] = true;
            }
            inst.op.blocks().for_each(|b| mark(b, stored));
        }
    }
    let mut stored = EntityVec::filled(false, kernel.mems.len());
    mark(&kernel.body, &mut stored);
    stored
}
