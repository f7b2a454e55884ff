//! Where steps are counted: a program with [`KOp::Steps`] in it, kernel IR to kernel IR.
//!
//! Work that is known before it begins is counted then, loops of known length multiplied out: at the start of the program, of a trip of a
//! `while` (which is a step by itself), of a branch, and before a loop whose length is a value. So nothing is added to loops of
//! known length, and vector code stays as it is. What is given to several threads is counted before they begin.
//!
//! A unit of work is a scalar operation, an access to memory, a term of a matrix product, or a trip of a loop in which there is
//! none of these. Programs in the reference interpreter count for themselves.

use super::product::whole_sizes;
use super::{
    Block, Extent, For, KBinary, KInst, KOp, KValue, Kernel, KernelId, Library, LoopKind, Program, Scalar,
};
use crate::entity::EntityVec;
use crate::limits::WORK;
use crate::{device_ops, scalar_ops};
use smallvec::smallvec;

/// The program with its steps counted.
pub fn counted(program: &Program) -> Program {
    let counter = Counter { program, shared: shared(program) };
    let mut out = program.clone();
    for id in program.kernels.keys().filter(|&id| !counter.shared[id]) {
        let kernel = &mut out.kernels[id];
        let mut body = std::mem::take(&mut kernel.body);
        counter.inside(&mut body, &mut kernel.values);
        // A kernel that is called is counted by its callers.
        if id == program.entry {
            counter.start(&mut body, counter.block(&program.kernels[id].body, Mode::Apart));
        }
        kernel.body = body;
    }
    out
}

/// Kernels that run on several threads or on a device, directly or called by such: they count nothing, for each thread has its own count.
fn shared(program: &Program) -> EntityVec<KernelId, bool> {
    let mut shared = EntityVec::<KernelId, bool>::filled(false, program.kernels.len());
    let mut work = Vec::new();
    for kernel in program.kernels.values() {
        kernel.body.visit(&mut |inst| {
            if let KOp::Parallel { kernel, .. } | KOp::Launch { kernel, .. } = &inst.op {
                work.push(*kernel);
            }
        });
    }
    while let Some(id) = work.pop() {
        if !std::mem::replace(&mut shared[id], true) {
            program.kernels[id].body.visit(&mut |inst| {
                if let KOp::Parallel { kernel, .. } | KOp::Call { kernel, .. } = &inst.op {
                    work.push(*kernel);
                }
            });
        }
    }
    shared
}

/// What the work of a block is asked for.
#[derive(Clone, Copy)]
enum Mode {
    /// What counts for itself is left out.
    Apart,
    /// All of it, the most expensive branch and one trip where the number is not known; a range that is the first two
    /// parameters of the kernel has so many.
    Whole(u64),
}

struct Counter<'p> {
    program: &'p Program,
    shared: EntityVec<KernelId, bool>,
}

impl Counter<'_> {
    /// Puts in what counts inside a block, but not the block's own work.
    fn inside(&self, block: &mut Block, values: &mut EntityVec<KValue, Scalar>) {
        for mut inst in std::mem::take(&mut block.insts) {
            match &mut inst.op {
                KOp::For(l) if matches!(l.kind, LoopKind::Sequential) => {
                    let body = self.trip(l, Mode::Apart);
                    self.inside(&mut l.body, values);
                    if trips(l).is_none() {
                        let length = length(block, values, l);
                        let each = body.div_ceil(l.step.max(1) as u64);
                        block.insts.push(steps(each, Some(length)));
                    }
                }
                KOp::For(l) if trips(l).is_none() => {
                    let length = length(block, values, l);
                    let each = self.trip(l, Mode::Whole(1)).div_ceil(l.step.max(1) as u64);
                    block.insts.push(steps(each, Some(length)));
                }
                KOp::While(l) => {
                    let trip =
                        self.block(&l.cond, Mode::Apart).saturating_add(self.block(&l.body, Mode::Apart));
                    self.inside(&mut l.cond, values);
                    self.inside(&mut l.body, values);
                    self.start(&mut l.body, trip.saturating_add(WORK));
                }
                KOp::Switch(arms) => {
                    for arm in arms {
                        let work = self.block(arm, Mode::Apart);
                        self.inside(arm, values);
                        self.start(arm, work);
                    }
                }
                KOp::Parallel { kernel, extent: Extent::Value(extent), .. } => {
                    block.insts.push(steps(self.kernel(*kernel, 1), Some(*extent)));
                }
                KOp::Launch { kernel, grid, block: threads, .. } => {
                    let sizes =
                        grid.iter().filter_map(|e| if let Extent::Value(v) = e { Some(*v) } else { None });
                    let sizes: Vec<KValue> = sizes.collect();
                    let times = sizes.into_iter().reduce(|a, b| {
                        let product = values.push(Scalar::I64);
                        let op = KOp::Binary(KBinary::Mul);
                        block.insts.push(KInst {
                            op,
                            operands: smallvec![a, b],
                            results: smallvec![product],
                        });
                        product
                    });
                    if times.is_some() {
                        let work = self.kernel(*kernel, 1).saturating_mul(known(grid, *threads));
                        block.insts.push(steps(work, times));
                    }
                }
                scalar_ops!()
                | device_ops!()
                | KOp::For(_)
                | KOp::Load(_)
                | KOp::Store(_)
                | KOp::Call { .. }
                | KOp::Parallel { .. }
                | KOp::Library(_)
                | KOp::Reserve(_)
                | KOp::Steps(_) => {}
            }
            block.insts.push(inst);
        }
    }

    /// Counts work at the start of a block; less than a step is nothing.
    fn start(&self, block: &mut Block, work: u64) {
        if work >= WORK {
            block.insts.insert(0, steps(work, None));
        }
    }

    /// The work of a kernel over a range of `extent`.
    fn kernel(&self, id: KernelId, extent: u64) -> u64 {
        let kernel: &Kernel = &self.program.kernels[id];
        self.block(&kernel.body, if self.shared[id] { Mode::Whole(extent) } else { Mode::Apart })
    }

    fn block(&self, block: &Block, mode: Mode) -> u64 {
        block.insts.iter().map(|inst| self.inst(inst, mode)).fold(0, u64::saturating_add)
    }

    /// The work of one trip of a loop, which takes time even if nothing is done.
    fn trip(&self, l: &For, mode: Mode) -> u64 {
        self.block(&l.body, mode).max(1)
    }

    fn inst(&self, inst: &KInst, mode: Mode) -> u64 {
        match (&inst.op, mode) {
            (KOp::Const(_) | KOp::Steps(_), _) => 0,
            (device_ops!(), _) => 1,
            (KOp::Launch { kernel, grid, block, .. }, _) => {
                // Of a size that is not known it is counted before it begins.
                let is_known = grid.iter().all(|e| matches!(e, Extent::Const(_)));
                if matches!(mode, Mode::Apart) && !is_known {
                    0
                } else {
                    self.kernel(*kernel, 1).saturating_mul(known(grid, *block))
                }
            }
            (KOp::For(l), _) => match (trips(l), mode) {
                (Some(trips), _) => {
                    let independent = !matches!(l.kind, LoopKind::Sequential);
                    let mode = match mode {
                        Mode::Apart if independent => Mode::Whole(1),
                        mode => mode,
                    };
                    trips.saturating_mul(self.trip(l, mode))
                }
                (None, Mode::Apart) => 0,
                (None, Mode::Whole(extent)) => extent.saturating_mul(self.trip(l, Mode::Whole(1))),
            },
            (KOp::While(_), Mode::Apart) => 0,
            (KOp::While(l), _) => self.block(&l.cond, mode).saturating_add(self.block(&l.body, mode)),
            // What is too little to count when a branch begins is counted here.
            (KOp::Switch(arms), Mode::Apart) => {
                1 + arms.iter().map(|arm| self.block(arm, mode)).filter(|&w| w < WORK).max().unwrap_or(0)
            }
            (KOp::Switch(arms), _) => {
                arms.iter().map(|arm| self.block(arm, mode)).max().unwrap_or(0).saturating_add(1)
            }
            (KOp::Call { kernel, .. }, _) => self.kernel(*kernel, 1).saturating_add(1),
            (KOp::Parallel { kernel, extent: Extent::Const(n), .. }, _) => {
                self.kernel(*kernel, (*n).max(0) as u64)
            }
            (KOp::Parallel { .. }, Mode::Apart) => 0,
            (KOp::Parallel { kernel, .. }, Mode::Whole(_)) => self.kernel(*kernel, 1),
            (KOp::Library(library), _) => match &**library {
                Library::Gemm { sizes, rows, depth, .. } => {
                    let all = whole_sizes(*sizes, rows, depth);
                    all.iter().fold(2, |n: u64, &s| n.saturating_mul(s as u64))
                }
                Library::Tile { len, .. } | Library::Tile2 { len, .. } => match len {
                    Extent::Const(n) => (*n).max(0) as u64,
                    Extent::Value(_) => super::BLOCK as u64,
                },
                Library::Reference { .. } => 1,
                Library::Section(_) => 0,
            },
            (KOp::Unary(_) | KOp::Binary(_) | KOp::Compare(..) | KOp::Select | KOp::Fma, _) => 1,
            (KOp::Cast(_) | KOp::Math(_) | KOp::Math2(_) | KOp::Load(_) | KOp::Store(_), _) => 1,
            (KOp::Reserve(_), _) => 1,
        }
    }
}

/// Threads of a launch, as far as its sizes are known.
fn known(grid: &[Extent; 3], block: [u32; 3]) -> u64 {
    let blocks = grid.iter().map(|e| match e {
        Extent::Const(n) => (*n).max(0) as u64,
        Extent::Value(_) => 1,
    });
    blocks.fold(super::launch::threads(block), u64::saturating_mul)
}

fn steps(work: u64, times: Option<KValue>) -> KInst {
    KInst { op: KOp::Steps(work), operands: times.into_iter().collect(), results: smallvec![] }
}

/// The number of trips if it is known.
fn trips(l: &For) -> Option<u64> {
    let (Extent::Const(start), Extent::Const(end)) = (l.start, l.end) else { return None };
    let length = (i128::from(end) - i128::from(start)).max(0) as u64;
    Some(length.div_ceil(l.step.max(1) as u64))
}

/// The length of a loop's range, appended to the block before it.
fn length(block: &mut Block, values: &mut EntityVec<KValue, Scalar>, l: &For) -> KValue {
    let mut add = |op: KOp, operands: &[KValue]| {
        let result = values.push(Scalar::I64);
        block.insts.push(KInst { op, operands: operands.into(), results: smallvec![result] });
        result
    };
    let mut bound = |extent: Extent| match extent {
        Extent::Const(n) => add(KOp::Const(n as u64), &[]),
        Extent::Value(v) => v,
    };
    let (start, end) = (bound(l.start), bound(l.end));
    add(KOp::Binary(KBinary::Sub), &[end, start])
}
