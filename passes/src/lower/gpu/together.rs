//! The code of one thread as that of a block of threads, where it has loops whose iterations are independent.
//!
//! All threads run the code between such loops, with the same values; what it stores is stored by the first. Iterations of an
//! independent loop are dealt out in turn. Lanes of a reduction are those of each 16 threads, which exchange them so that all have
//! the very total that the order defines. A barrier comes before what reads memory that was written since the last one, and
//! before what writes memory that was touched.

use smallvec::{SmallVec, smallvec};
use wengert_ir::entity::{Entity, EntityVec};
use wengert_ir::kernel::*;
use wengert_ir::{launch_ops, scalar_ops};

/// Fewer iterations are no work for several threads.
const LEAST: i64 = 32;
/// Most threads of such a block.
const MOST: i64 = 256;

/// The kernel for a block of so many threads, or `None` if one thread is as good or several might part before a barrier. All threads
/// have read some memories before.
pub(super) fn together(kernel: &Kernel, read: Vec<MemRef>) -> Option<(Kernel, u32)> {
    let widest = widest(&kernel.body);
    if widest < LEAST {
        return None;
    }
    let threads = ((widest + 31) / 32 * 32).min(MOST);
    let mut t = Together {
        values: kernel.values.clone(),
        threads,
        thread: KValue::from_index(0),
        out: Vec::new(),
        read,
        written: Vec::new(),
    };
    let thread = t.add(KOp::ThreadId(Axis::X), &[], Scalar::I64);
    t.thread = thread;
    let first = std::mem::take(&mut t.out);
    let mut body = t.block(&kernel.body)?;
    body.insts.splice(0..0, first);
    let mut out = kernel.clone();
    out.values = t.values;
    out.body = body;
    // What lanes give is the same for all threads, but not as far as the verifier can see: a loop that it decides is one thread's.
    let apart = launch::divergent(&out, &launch::uniform(&out));
    (apart == 0).then_some((out, threads as u32))
}

/// Trips of the longest independent loop that all threads come to.
fn widest(block: &Block) -> i64 {
    let of = |inst: &KInst| match &inst.op {
        KOp::For(l) if l.kind == LoopKind::Vector => match (l.start, l.end) {
            (Extent::Const(a), Extent::Const(b)) => (b - a).max(0) / l.step,
            (Extent::Const(_) | Extent::Value(_), _) => 0,
        },
        op => op.blocks().map(widest).max().unwrap_or(0),
    };
    block.insts.iter().map(of).max().unwrap_or(0)
}

struct Together {
    values: EntityVec<KValue, Scalar>,
    threads: i64,
    thread: KValue,
    /// The instructions of the block being made.
    out: Vec<KInst>,
    /// Memories touched since the last barrier.
    read: Vec<MemRef>,
    written: Vec<MemRef>,
}

/// The memories that an instruction reads and those that it writes.
fn touches(inst: &KInst, read: &mut Vec<MemRef>, written: &mut Vec<MemRef>) {
    for access in inst.op.accesses() {
        if matches!(inst.op, KOp::Store(_)) { &mut *written } else { &mut *read }.push(access.mem);
    }
    for block in inst.op.blocks() {
        block.insts.iter().for_each(|inner| touches(inner, read, written));
    }
}

impl Together {
    fn add(&mut self, op: KOp, operands: &[KValue], ty: Scalar) -> KValue {
        let result = self.values.push(ty);
        self.out.push(KInst { op, operands: operands.into(), results: smallvec![result] });
        result
    }

    fn int(&mut self, n: i64) -> KValue {
        self.add(KOp::Const(n as u64), &[], Scalar::I64)
    }

    fn barrier(&mut self) {
        self.out.push(KInst { op: KOp::Barrier, operands: smallvec![], results: smallvec![] });
        self.read.clear();
        self.written.clear();
    }

    /// A barrier if what an instruction does must wait for others; notes what it touches.
    fn wait(&mut self, read: &[MemRef], written: &[MemRef]) {
        let late = read.iter().any(|m| self.written.contains(m))
            || written.iter().any(|m| self.read.contains(m) || self.written.contains(m));
        if late {
            self.barrier();
        }
        self.read.extend(read);
        self.written.extend(written);
    }

    fn block(&mut self, block: &Block) -> Option<Block> {
        let before = std::mem::take(&mut self.out);
        for inst in &block.insts {
            self.inst(inst)?;
        }
        let insts = std::mem::replace(&mut self.out, before);
        Some(Block { params: block.params.clone(), insts, yields: block.yields.clone() })
    }

    /// A block that runs several times, or not: it begins and ends with nothing to wait for.
    fn region(&mut self, block: &Block) -> Option<Block> {
        let before = std::mem::take(&mut self.out);
        for inst in &block.insts {
            self.inst(inst)?;
        }
        if !self.read.is_empty() || !self.written.is_empty() {
            self.barrier();
        }
        let insts = std::mem::replace(&mut self.out, before);
        Some(Block { params: block.params.clone(), insts, yields: block.yields.clone() })
    }

    fn inst(&mut self, inst: &KInst) -> Option<()> {
        let (mut read, mut written) = (Vec::new(), Vec::new());
        touches(inst, &mut read, &mut written);
        match &inst.op {
            KOp::For(l) if l.kind == LoopKind::Vector => {
                self.wait(&read, &written);
                let thread = self.thread;
                let step = self.int(l.step);
                let by = self.add(KOp::Binary(KBinary::Mul), &[thread, step], Scalar::I64);
                let start = match l.start {
                    Extent::Const(n) => self.int(n),
                    Extent::Value(v) => v,
                };
                let start = self.add(KOp::Binary(KBinary::Add), &[start, by], Scalar::I64);
                let mut dealt = (**l).clone();
                (dealt.start, dealt.step) = (Extent::Value(start), l.step * self.threads);
                dealt.kind = LoopKind::Sequential;
                self.out.push(KInst { op: KOp::For(Box::new(dealt)), ..inst.clone() });
            }
            KOp::For(l) if matches!(l.kind, LoopKind::Lanes(_)) => {
                if !written.is_empty() {
                    return None;
                }
                self.wait(&read, &written);
                self.lanes(l, inst);
            }
            KOp::Store(_) => {
                self.wait(&read, &written);
                let counter = self.values.push(Scalar::I64);
                let body =
                    Block { params: smallvec![counter], insts: vec![inst.clone()], ..Block::default() };
                let once = For {
                    start: Extent::Value(self.thread),
                    end: Extent::Const(1),
                    step: self.threads,
                    kind: LoopKind::Sequential,
                    body,
                };
                let op = KOp::For(Box::new(once));
                self.out.push(KInst { op, operands: smallvec![], results: smallvec![] });
            }
            // What only reads, all threads do alike.
            KOp::For(_) | KOp::While(_) | KOp::Switch(_) if written.is_empty() && widest_of(inst) < LEAST => {
                self.wait(&read, &written);
                self.out.push(inst.clone());
            }
            KOp::For(_) | KOp::While(_) | KOp::Switch(_) => {
                if !self.read.is_empty() || !self.written.is_empty() {
                    self.barrier();
                }
                let mut op = inst.op.clone();
                let mut blocks = Vec::new();
                for block in inst.op.blocks() {
                    blocks.push(self.region(block)?);
                }
                op.blocks_mut().zip(blocks).for_each(|(to, block)| *to = block);
                self.out.push(KInst { op, ..inst.clone() });
            }
            scalar_ops!()
            | KOp::Load(_)
            | KOp::Call { .. }
            | KOp::Parallel { .. }
            | launch_ops!()
            | KOp::Library(_)
            | KOp::Reserve(_)
            | KOp::Steps(_) => {
                self.wait(&read, &written);
                self.out.push(inst.clone());
            }
        }
        Some(())
    }

    /// A reduction loop: every 16 threads have a lane each, and exchange.
    fn lanes(&mut self, l: &For, inst: &KInst) {
        let LoopKind::Lanes(combines) = &l.kind else { return };
        let types: SmallVec<[Scalar; 2]> = inst.results.iter().map(|&r| self.values[r]).collect();
        let [size, step] = [LANES as i64, l.step].map(|n| self.int(n));
        let thread = self.thread;
        let lane = self.add(KOp::Binary(KBinary::RemU), &[thread, size], Scalar::I64);
        let by = self.add(KOp::Binary(KBinary::Mul), &[lane, step], Scalar::I64);
        let start = match l.start {
            Extent::Const(n) => self.int(n),
            Extent::Value(v) => v,
        };
        let start = self.add(KOp::Binary(KBinary::Add), &[start, by], Scalar::I64);
        let inits: SmallVec<[KValue; 3]> = combines
            .iter()
            .zip(&types)
            .map(|(c, &ty)| self.add(KOp::Const(c.identity(ty)), &[], ty))
            .collect();
        let mut own = l.clone();
        (own.start, own.step) = (Extent::Value(start), l.step * LANES as i64);
        own.kind = LoopKind::Sequential;
        let mut totals: SmallVec<[KValue; 1]> = types.iter().map(|&ty| self.values.push(ty)).collect();
        self.out.push(KInst { op: KOp::For(Box::new(own)), operands: inits, results: totals.clone() });
        for mask in [8u32, 4, 2, 1] {
            let bit = self.int(mask.into());
            let upper = self.add(KOp::Binary(KBinary::And), &[lane, bit], Scalar::I64);
            let zero = self.int(0);
            let compare = KOp::Compare(wengert_ir::op::Direction::Ne, wengert_ir::op::CompareType::Signed);
            let is_upper = self.add(compare, &[upper, zero], Scalar::I1);
            for (k, total) in totals.iter_mut().enumerate() {
                let ty = types[k];
                let other = self.add(KOp::Shuffle(mask), &[*total], ty);
                // The lower lane comes first, in both.
                let a = self.add(KOp::Select, &[is_upper, other, *total], ty);
                let b = self.add(KOp::Select, &[is_upper, *total, other], ty);
                let op = KOp::Binary(combines[k].op());
                *total = if mask > 1 {
                    self.add(op, &[a, b], ty)
                } else {
                    let result = inst.results[k];
                    self.out.push(KInst { op, operands: smallvec![a, b], results: smallvec![result] });
                    result
                };
            }
        }
    }
}

fn widest_of(inst: &KInst) -> i64 {
    inst.op.blocks().map(widest).max().unwrap_or(0)
}
