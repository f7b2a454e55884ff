//! What a program launches.

use wengert_ir::kernel::launch::{blocks, threads};
use wengert_ir::kernel::{KernelId, Program};

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
