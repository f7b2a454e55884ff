//! Launches in the interpreter: blocks one after the other, threads of a block in lock step from barrier to barrier.
//!
//! What lies between two instructions that all threads come to (barriers, shuffles, and loops and branches that hold some) is run by one
//! thread after the other. Two threads that touch one element, one of them writing, with no barrier of their block between, are
//! an error: nothing says who is first.

use super::{Address, Binding, Buffer, Frame, Machine, Words, fault};
use crate::entity::EntityVec;
use crate::kernel::launch::{is_collective, threads};
use crate::kernel::{Axis, Block, For, KInst, KOp, KernelId, MemKind, MemRef};
use crate::rules::EvalError;
use rustc_hash::FxHashMap;
use smallvec::smallvec;

/// Who runs a frame of a launched kernel.
#[derive(Clone, Copy)]
pub(super) struct Thread {
    /// Which thread of its block, along each axis, and in all.
    at: [u32; 3],
    number: u32,
    /// Which block, along each axis.
    block: [i64; 3],
}

impl Thread {
    /// What an instruction asks for.
    pub(super) fn id(&self, op: &KOp, axis: Axis) -> i64 {
        if matches!(op, KOp::BlockId(_)) {
            self.block[axis as usize]
        } else {
            i64::from(self.at[axis as usize])
        }
    }
}

/// When and by whom an element was touched: block, barriers of the block before it, thread.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Touch {
    block: u64,
    phase: u64,
    thread: u32,
}

impl Touch {
    /// Whether nothing says which of the two comes first.
    fn races(self, other: Touch) -> bool {
        self.block != other.block || self.phase == other.phase && self.thread != other.thread
    }
}

/// What touched an element. Blocks run one after the other and their phases too, so of reads the first and the last tell all.
#[derive(Default)]
struct Touched {
    written: Option<Touch>,
    /// The block that read it first.
    first_read: Option<u64>,
    /// The last read, and whether another thread read it in the same phase.
    last_read: Option<(Touch, bool)>,
}

/// The elements that a launch has touched, by buffer and byte.
#[derive(Default)]
pub(super) struct Races {
    touched: FxHashMap<(usize, usize), Touched>,
    /// Of memories that the block has for itself; buffers from `own` on.
    shared: FxHashMap<(usize, usize), Touched>,
    own: usize,
    block: u64,
    phase: u64,
}

impl Races {
    /// Notes an access; `false` if it races with one before.
    fn note(&mut self, at: Address, thread: u32, is_write: bool) -> bool {
        let now = Touch { block: self.block, phase: self.phase, thread };
        let all = if at.buffer < self.own { &mut self.touched } else { &mut self.shared };
        let touched = all.entry((at.buffer, at.at)).or_default();
        let after_write = touched.written.is_none_or(|w| !w.races(now));
        if is_write {
            touched.written = Some(now);
            let other_block = touched.first_read.is_some_and(|block| block != now.block);
            let same_phase = touched.last_read.is_some_and(|(r, several)| {
                (r.block, r.phase) == (now.block, now.phase) && (several || r.thread != now.thread)
            });
            return after_write && !other_block && !same_phase;
        }
        touched.first_read.get_or_insert(now.block);
        let several = touched.last_read.is_some_and(|(r, several)| {
            (r.block, r.phase) == (now.block, now.phase) && (several || r.thread != now.thread)
        });
        touched.last_read = Some((now, several));
        after_write
    }
}

impl<'a> Machine<'a> {
    /// Runs a kernel for all threads of all blocks.
    pub(super) fn launch(
        &mut self,
        id: KernelId,
        args: &[Binding],
        scalars: &[u64],
        grid: [i64; 3],
        sizes: [u32; 3],
    ) -> Result<(), EvalError> {
        let kernel = &self.program.kernels[id];
        let blocks = grid.iter().map(|&n| n.max(0) as u64).fold(1, u64::saturating_mul);
        self.step(blocks.saturating_mul(threads(sizes)))?;
        if self.races.is_some() {
            return fault(format!("kernel `{}` is launched by a launched kernel", kernel.name));
        }
        let before = self.buffers.len();
        let count = threads(sizes) as usize;
        // Threads that never wait for each other may use one frame after each other.
        let together = kernel.body.insts.iter().any(is_collective);
        let mut shared: EntityVec<MemRef, Option<Binding>> = EntityVec::filled(None, kernel.mems.len());
        for (m, def) in kernel.mems.iter() {
            shared[m] = match def.kind {
                MemKind::Workgroup => Some(self.fresh(def.len, def.elem)),
                MemKind::Param(_) | MemKind::Program(_) | MemKind::Local => None,
            };
        }
        let first_local = self.buffers.len();
        let mut frames = Vec::new();
        for _ in 0..if together { count } else { 1 } {
            let mut mems: EntityVec<MemRef, Binding> = EntityVec::new();
            for (m, def) in kernel.mems.iter() {
                mems.push(match shared[m] {
                    Some(binding) => binding,
                    None => self.bind(kernel, m, def, args)?,
                });
            }
            let values = EntityVec::filled(0, kernel.values.len());
            frames.push(Frame { kernel: id, values, mems, thread: None });
        }
        self.check_overlap(id, &frames[0].mems)?;
        self.races = Some(Races { own: before, ..Races::default() });
        let number = |n: u64| if self.options.backwards { blocks - 1 - n } else { n };
        let order: Vec<u64> = (0..blocks).map(number).collect();
        for block in order {
            if let Some(races) = &mut self.races {
                (races.block, races.phase) = (block, 0);
                races.shared.clear();
            }
            let (x, y) = (grid[0] as u64, grid[1] as u64);
            let at = [block % x, block / x % y, block / x / y].map(|n| n as i64);
            let thread = |n: usize| {
                let (n, [x, y, _]) = (n as u32, sizes);
                Thread { at: [n % x, n / x % y, n / x / y], number: n, block: at }
            };
            if together {
                self.forget(before);
                for (n, frame) in frames.iter_mut().enumerate() {
                    frame.thread = Some(thread(n));
                }
                let args = vec![Words::from_slice(scalars); count];
                self.group(&mut frames, &kernel.body, &args)?;
            } else {
                self.forget(before);
                for n in 0..count {
                    let n = if self.options.backwards { count - 1 - n } else { n };
                    self.forget(first_local);
                    frames[0].thread = Some(thread(n));
                    self.block(&mut frames[0], &kernel.body, scalars)?;
                }
            }
        }
        self.races = None;
        self.buffers.truncate(before);
        Ok(())
    }

    /// A buffer of its own.
    fn fresh(&mut self, len: usize, elem: crate::kernel::Scalar) -> Binding {
        self.buffers.push(Buffer { bytes: vec![self.options.unwritten; len * elem.size()], writable: true });
        Binding { buffer: self.buffers.len() - 1, start: 0, len: Some(len), elem, row: len }
    }

    /// Makes the buffers from this one on undefined again.
    fn forget(&mut self, from: usize) {
        self.buffers[from..].iter_mut().for_each(|b| b.bytes.fill(self.options.unwritten));
    }

    /// Notes an access of a thread.
    pub(super) fn touch(
        &mut self,
        frame: &Frame,
        m: MemRef,
        at: Address,
        is_write: bool,
    ) -> Result<(), EvalError> {
        let (Some(races), Some(thread)) = (&mut self.races, frame.thread) else { return Ok(()) };
        let kernel = &self.program.kernels[frame.kernel];
        if kernel.mems[m].kind == MemKind::Local || races.note(at, thread.number, is_write) {
            return Ok(());
        }
        let place = (at.at - frame.mems[m].start) / at.elem.size();
        fault(format!(
            "kernel `{}`: two threads touch element {place} of {m}, one of them writing, and no barrier is between",
            kernel.name
        ))
    }

    /// Runs a block for all threads, and gives what each yields.
    fn group(
        &mut self,
        frames: &mut [Frame],
        block: &'a Block,
        args: &[Words],
    ) -> Result<Vec<Words>, EvalError> {
        for (frame, args) in frames.iter_mut().zip(args) {
            block.params.iter().zip(args).for_each(|(&p, &a)| frame.values[p] = a);
        }
        let mut rest = &block.insts[..];
        while let Some(first) = rest.first() {
            let apart = rest.iter().position(is_collective).unwrap_or(rest.len());
            if apart == 0 {
                self.collective(frames, first)?;
                rest = &rest[1..];
                continue;
            }
            for k in 0..frames.len() {
                let k = if self.options.backwards { frames.len() - 1 - k } else { k };
                self.insts(&mut frames[k], &rest[..apart])?;
            }
            rest = &rest[apart..];
        }
        let yields = |frame: &Frame| block.yields.iter().map(|&v| frame.values[v]).collect();
        Ok(frames.iter().map(yields).collect())
    }

    /// An instruction that all threads come to.
    fn collective(&mut self, frames: &mut [Frame], inst: &'a KInst) -> Result<(), EvalError> {
        self.step(frames.len() as u64)?;
        let operands: Vec<Words> =
            frames.iter().map(|f| inst.operands.iter().map(|&v| f.values[v]).collect()).collect();
        let results: Vec<Words> = match &inst.op {
            KOp::Barrier => {
                if let Some(races) = &mut self.races {
                    races.phase += 1;
                }
                return Ok(());
            }
            KOp::Shuffle(mask) => {
                let other = |k: usize| operands.get(k ^ *mask as usize).map(|x| smallvec![x[0]]);
                let all: Option<Vec<Words>> = (0..frames.len()).map(other).collect();
                let Some(all) = all else { return fault("a shuffle with a thread that is not there".into()) };
                all
            }
            KOp::For(f) => self.counted_together(frames, f, operands)?,
            KOp::While(w) => {
                let mut state = operands;
                loop {
                    let go = self.group(frames, &w.cond, &state)?;
                    if self.same(frames, &go)?[0] == 0 {
                        break state;
                    }
                    state = self.group(frames, &w.body, &state)?;
                }
            }
            KOp::Switch(blocks) => {
                let index = self.same(frames, &operands)?[0];
                let ty = self.program.kernels[frames[0].kernel].values[inst.operands[0]];
                let index = usize::try_from(super::signed(ty, index)).unwrap_or(usize::MAX);
                let none = vec![Words::new(); frames.len()];
                self.group(frames, &blocks[index.min(blocks.len() - 1)], &none)?
            }
            other => return fault(format!("{other:?} by several threads together")),
        };
        for (frame, words) in frames.iter_mut().zip(results) {
            inst.results.iter().zip(words).for_each(|(&r, word)| frame.values[r] = word);
        }
        Ok(())
    }

    fn counted_together(
        &mut self,
        frames: &mut [Frame],
        f: &'a For,
        init: Vec<Words>,
    ) -> Result<Vec<Words>, EvalError> {
        let bounds = |frame: &Frame| -> Words {
            [f.start, f.end].into_iter().map(|e| self.extent(frame, e) as u64).collect()
        };
        let all: Vec<Words> = frames.iter().map(bounds).collect();
        let both = self.same(frames, &all)?;
        let mut state = init;
        for i in (both[0] as i64..both[1] as i64).step_by(f.step.max(1) as usize) {
            let with = |s: &Words| std::iter::once(i as u64).chain(s.iter().copied()).collect();
            let args: Vec<Words> = state.iter().map(with).collect();
            state = self.group(frames, &f.body, &args)?;
        }
        Ok(state)
    }

    /// What all threads have alike.
    fn same(&self, frames: &[Frame], all: &[Words]) -> Result<Words, EvalError> {
        if all.iter().any(|w| *w != all[0]) {
            let name = &self.program.kernels[frames[0].kernel].name;
            return fault(format!("kernel `{name}`: threads go different ways to a barrier"));
        }
        Ok(all[0].clone())
    }
}
