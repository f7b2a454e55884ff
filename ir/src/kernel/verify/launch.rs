//! Launches: who may launch what, how large, and what may be in a kernel that is launched.

use super::range::{Interval, hull};
use super::{Checker, elements};
use crate::kernel::launch::{MOST_BLOCKS, divergent, threads, uniform};
use crate::kernel::{
    Access, Axis, Block, Extent, KOp, KValue, KernelId, LoopKind, MOST_SHUFFLED, MOST_THREADS,
    MOST_WORKGROUP, MemKind, MemRef,
};
use crate::{device_ops, scalar_ops};

/// How a kernel is launched.
pub(super) struct Launched {
    /// Threads along each axis.
    block: [u32; 3],
    /// Blocks along each axis; `None` where no launch is known to run.
    grid: Option<[Interval; 3]>,
}

impl Checker<'_> {
    pub(super) fn called(&mut self, kernel: KernelId, is_parallel: bool) {
        if self.program.kernels.get(kernel).is_some() {
            self.given[kernel].is_called = true;
            self.given[kernel].is_parallel |= is_parallel;
        }
    }

    /// Whether a memory is a local one of this kernel, or of one that calls it.
    pub(super) fn is_host(&self, m: MemRef) -> bool {
        match self.kernel.mems.get(m).map(|def| def.kind) {
            Some(MemKind::Param(k)) => self.given[self.id].host.contains(&k),
            Some(MemKind::Local) => true,
            Some(MemKind::Program(_) | MemKind::Workgroup) | None => false,
        }
    }

    /// Notes the sizes of a launch; the rest is as for a call.
    pub(super) fn launch(&mut self, kernel: KernelId, mems: &[Access], grid: &[Extent; 3], block: [u32; 3]) {
        let is_parallel = self.given[self.id].is_parallel;
        self.require(!is_parallel, || "launched by one of several threads");
        let count = threads(block);
        self.require((1..=u64::from(MOST_THREADS)).contains(&count) && block[2] <= 64, || {
            format!("{count} threads a block, 1 to {MOST_THREADS}, and no more than 64 along z")
        });
        for access in mems {
            let is_host = self.is_host(access.mem);
            self.require(!is_host, || format!("{} is local memory of the host", access.mem));
        }
        let sizes = grid.map(|extent| self.ranges.of_extent(extent));
        for (&(low, high), most) in sizes.iter().zip(MOST_BLOCKS) {
            let fits = self.is_dead || high <= most;
            self.require(fits, || format!("{low}..={high} blocks along an axis, {most} at most"));
        }
        if self.program.kernels.get(kernel).is_none() {
            return; // Said where it is called.
        }
        let sizes = (!self.is_dead).then_some(sizes);
        let known = self.given[kernel].launched.get_or_insert(Launched { block, grid: sizes });
        known.grid = match (known.grid, sizes) {
            (Some(a), Some(b)) => Some([hull(a[0], b[0]), hull(a[1], b[1]), hull(a[2], b[2])]),
            (a, b) => a.or(b),
        };
        let same = known.block == block;
        self.require(same, || "it is launched with blocks of other sizes too");
    }

    /// The values of a thread's or block's number.
    pub(super) fn id_of(&mut self, result: KValue, op: &KOp, axis: Axis) {
        let Some(launched) = &self.given[self.id].launched else {
            return self.error("only in a kernel that is launched");
        };
        let axis = axis as usize;
        let most = if matches!(op, KOp::BlockId(_)) {
            launched.grid.map_or(0, |grid| grid[axis].1.clamp(1, MOST_BLOCKS[axis]) - 1)
        } else {
            i64::from(launched.block[axis]) - 1
        };
        self.ranges.define(result, (0, most));
    }

    pub(super) fn shuffle(&mut self, mask: u32) {
        let Some(launched) = &self.given[self.id].launched else {
            return self.error("only in a kernel that is launched");
        };
        let count = threads(launched.block);
        let fits = (1..MOST_SHUFFLED).contains(&mask)
            && count.is_multiple_of(u64::from(mask + 1).next_power_of_two());
        self.require(fits, || format!("threads of a block of {count} exchanged by {mask}"));
    }

    /// Checks the kernel as one that is launched, or as one that is not.
    pub(super) fn launched(&mut self) {
        let kernel = self.kernel;
        let is_launched = self.given[self.id].launched.is_some();
        let mut shared = 0usize;
        for (id, m) in kernel.mems.iter() {
            match m.kind {
                MemKind::Workgroup => {
                    self.require(is_launched, || format!("{id}: workgroup memory is of launched kernels"));
                    let bytes = elements(&[m.len], m.elem).map_or(usize::MAX, |n| n * m.elem.size());
                    shared = shared.saturating_add(bytes.checked_next_multiple_of(64).unwrap_or(usize::MAX));
                }
                MemKind::Program(_) => {
                    self.require(!is_launched, || format!("{id}: a launched kernel is given its memories"));
                }
                MemKind::Param(_) | MemKind::Local => {}
            }
        }
        self.require(shared <= MOST_WORKGROUP, || {
            format!("{shared} bytes of workgroup memory, {MOST_WORKGROUP} at most")
        });
        let mut wrong = None;
        if !is_launched {
            first(&kernel.body, &|op| matches!(op, device_ops!()), &mut wrong);
            self.require(wrong.is_none(), || format!("{} in what is not launched", name(wrong)));
            return;
        }
        let is_called = self.given[self.id].is_called;
        self.require(!is_called, || "it is launched and called");
        first(&kernel.body, &|op| !in_launched(op), &mut wrong);
        self.require(wrong.is_none(), || format!("{} in what is launched", name(wrong)));
    }

    /// Checks that all threads come to the barriers of a kernel that is launched and has no other error.
    pub(super) fn barriers(&mut self) {
        if self.given[self.id].launched.is_some() {
            let apart = divergent(self.kernel, &uniform(self.kernel));
            self.require(apart == 0, || format!("{apart} barriers or shuffles that not all threads come to"));
        }
    }
}

fn name(op: Option<&KOp>) -> String {
    op.map_or_else(String::new, super::name)
}

/// The first operation of which something holds.
fn first<'a>(block: &'a Block, holds: &dyn Fn(&KOp) -> bool, found: &mut Option<&'a KOp>) {
    for inst in &block.insts {
        if found.is_none() && holds(&inst.op) {
            *found = Some(&inst.op);
        }
        inst.op.blocks().for_each(|b| first(b, holds, found));
    }
}

/// What a launched kernel may hold.
fn in_launched(op: &KOp) -> bool {
    match op {
        scalar_ops!() | device_ops!() | KOp::Load(_) | KOp::Store(_) | KOp::While(_) | KOp::Switch(_) => true,
        KOp::For(f) => f.kind == LoopKind::Sequential,
        KOp::Call { .. }
        | KOp::Parallel { .. }
        | KOp::Launch { .. }
        | KOp::Library(_)
        | KOp::Reserve(_)
        | KOp::Steps(_) => false,
    }
}
