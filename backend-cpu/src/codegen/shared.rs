//! Equal loops, compiled once: kernel IR to kernel IR.
//!
//! Repeated layers and unrolled steps bring the same loops on other memories. A loop that a program has several times, up
//! to the names of memories and scalars, becomes a kernel that takes both from its callers. Loops that lowering
//! outlines for threads are shared there already; these are the others.

use super::outline::{Constants, Outline, Outlined, Reach, constants, element};
use super::segments::{operations, size};
use rustc_hash::FxHashMap;
use smallvec::smallvec;
use wengert_ir::entity::Entity;
use wengert_ir::kernel::{Block, Extent, KInst, KOp, Kernel, KernelId, MemKind, MemRefDef, Program};
use wengert_ir::{launch_ops, scalar_ops};

/// Programs of fewer operations stay as they are: they compile in no time, and a call is not for nothing.
const LARGE: usize = 500;
/// Loops of fewer operations are not worth a call's code.
const LEAST_SIZE: usize = 10;
/// Loops that do less than this many operations are not worth a call's time.
const LEAST_WORK: usize = 400;
/// Memories and scalars that a call may pass.
const MOST_PASSED: usize = 40;

/// The program with equal loops shared, or `None` if it is small or has none.
pub(crate) fn share(program: &Program) -> Option<Program> {
    if program.kernels.values().map(|kernel| operations(&kernel.body)).sum::<usize>() < LARGE {
        return None;
    }
    let mut places: FxHashMap<Kernel, usize> = FxHashMap::default();
    for kernel in program.kernels.values() {
        let constants = constants(kernel);
        kernel.body.visit(&mut |inst| {
            if let Some(found) = outlined(program, kernel, &constants, inst) {
                *places.entry(found.kernel).or_default() += 1;
            }
        });
    }
    places.retain(|_, &mut count| count > 1);
    if places.is_empty() {
        return None;
    }
    let mut new = program.clone();
    let mut sharer = Sharer { program, places, made: FxHashMap::default(), kernels: Vec::new() };
    for (id, old) in program.kernels.iter() {
        let kernel = &mut new.kernels[id];
        let mut body = std::mem::take(&mut kernel.body);
        sharer.block(old, kernel, &constants(old), &mut body);
        kernel.body = body;
    }
    for kernel in sharer.kernels {
        new.kernels.push(kernel);
    }
    Some(new)
}

/// About how many operations an instruction does.
fn work(inst: &KInst) -> usize {
    let block = |block: &Block| block.insts.iter().map(work).fold(0usize, usize::saturating_add);
    match &inst.op {
        KOp::For(l) => {
            let trips = match (l.start, l.end) {
                (Extent::Const(start), Extent::Const(end)) => ((end - start) / l.step).max(0) as usize,
                _ => 64,
            };
            trips.saturating_mul(block(&l.body))
        }
        KOp::While(l) => block(&l.body).saturating_mul(16),
        KOp::Switch(arms) => arms.iter().map(block).max().unwrap_or(0),
        KOp::Call { .. } | KOp::Parallel { .. } | launch_ops!() | KOp::Library(_) => 100,
        scalar_ops!() | KOp::Load(_) | KOp::Store(_) | KOp::Reserve(_) | KOp::Steps(_) => 1,
    }
}

/// A loop as a kernel of its own, if that is worth while and allowed.
fn outlined(program: &Program, kernel: &Kernel, constants: &Constants, inst: &KInst) -> Option<Outlined> {
    if !matches!(inst.op, KOp::For(_) | KOp::While(_)) || size(inst) < LEAST_SIZE || work(inst) < LEAST_WORK {
        return None;
    }
    let mut outline = Outline::new(program, kernel, constants, Reach::Passed);
    outline.inst(inst);
    inst.results.iter().for_each(|&v| outline.give(v));
    if outline.overlaps() {
        return None;
    }
    let found = outline.finish();
    (found.mems.len() + found.operands.len() <= MOST_PASSED).then_some(found)
}

struct Sharer<'p> {
    program: &'p Program,
    /// How many places of the program have this code.
    places: FxHashMap<Kernel, usize>,
    made: FxHashMap<Kernel, KernelId>,
    kernels: Vec<Kernel>,
}

impl Sharer<'_> {
    /// Puts calls in place of shared loops. `old` is the block's kernel as it was, `new` as it is becoming.
    fn block(&mut self, old: &Kernel, new: &mut Kernel, constants: &Constants, block: &mut Block) {
        let insts = std::mem::take(&mut block.insts);
        for mut inst in insts {
            let found = outlined(self.program, old, constants, &inst);
            let Some(found) = found.filter(|found| self.places.contains_key(&found.kernel)) else {
                inst.op.blocks_mut().for_each(|b| self.block(old, new, constants, b));
                block.insts.push(inst);
                continue;
            };
            let Outlined { kernel, mut mems, operands } = found;
            let kernel = self.kernel(kernel);
            let loads: Vec<KInst> = inst
                .results
                .iter()
                .map(|&v| {
                    let mem = new.mems.push(MemRefDef { elem: new.values[v], len: 1, kind: MemKind::Local });
                    mems.push(element(mem, 0));
                    KInst { op: KOp::Load(element(mem, 0)), operands: smallvec![], results: smallvec![v] }
                })
                .collect();
            block.insts.push(KInst { op: KOp::Call { kernel, mems }, operands, results: smallvec![] });
            block.insts.extend(loads);
        }
    }

    fn kernel(&mut self, kernel: Kernel) -> KernelId {
        if let Some(&known) = self.made.get(&kernel) {
            return known;
        }
        let id = KernelId::from_index(self.program.kernels.len() + self.kernels.len());
        self.kernels.push(Kernel { name: format!("shared_{}", self.kernels.len()), ..kernel.clone() });
        self.made.insert(kernel, id);
        id
    }
}
