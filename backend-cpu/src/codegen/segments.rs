//! Long blocks, cut into kernels of their own: kernel IR to kernel IR.
//!
//! Register allocation costs more per operation the longer a function is and the more is live in it. A block of more
//! than [`LONG`] operations becomes a sequence of calls of segments. Values that cross from one segment to another
//! lie in a local buffer of the kernel that calls them; what a segment reads from outside the block is passed to it.
//! Cuts are made where the fewest values cross. Segments that are equal up to names, as unrolled steps bring them,
//! are one kernel.

use super::outline::{Constants, Outline, Outlined, Reach, Slot, commute, constants, scalars};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::smallvec;
use std::collections::BTreeMap;
use std::ops::Range;
use wengert_ir::entity::Entity;
use wengert_ir::kernel::{
    Block, KInst, KOp, KValue, Kernel, KernelId, MemKind, MemRef, MemRefDef, Program, Scalar,
};

/// Blocks of more operations than this are cut.
const LONG: usize = 1_600;
/// Operations of a segment: at least and at most, unless one instruction alone has more.
const SEGMENT: Range<usize> = 500..1_000;

/// The program with its long blocks cut, or `None` if it has none.
pub(crate) fn split(program: &Program) -> Option<Program> {
    if program.kernels.values().all(|kernel| operations(&kernel.body) <= LONG) {
        return None;
    }
    let mut new = program.clone();
    for (id, old) in program.kernels.iter() {
        let first = new.kernels.len();
        let kernel = &mut new.kernels[id];
        let mut body = std::mem::take(&mut kernel.body);
        let mut cutter = Cutter { program, kernel, constants: &constants(old), first, added: Vec::new() };
        cutter.block(&mut body);
        let added = cutter.added;
        kernel.body = body;
        for kernel in added {
            new.kernels.push(kernel);
        }
    }
    Some(new)
}

/// How many operations a block has, those of its blocks included.
pub(crate) fn operations(block: &Block) -> usize {
    let mut count = 0;
    block.visit(&mut |_| count += 1);
    count
}

/// How many operations an instruction is, those of its blocks included.
pub(crate) fn size(inst: &KInst) -> usize {
    1 + inst.op.blocks().map(operations).sum::<usize>()
}

/// The instructions of a block, without constants.
struct List<'b> {
    insts: &'b [KInst],
    /// The scalars that each names.
    used: &'b [Vec<KValue>],
    /// Which instruction defines a scalar.
    defined: &'b FxHashMap<KValue, usize>,
    /// Of scalars that cross from a segment to another.
    slots: &'b FxHashMap<KValue, Slot>,
}

struct Cutter<'p> {
    program: &'p Program,
    /// The kernel being cut; its body is elsewhere.
    kernel: &'p mut Kernel,
    constants: &'p Constants,
    /// Kernels that it is cut into, and the number of the first.
    added: Vec<Kernel>,
    first: usize,
}

impl Cutter<'_> {
    /// Cuts a block if it is long, after those within it.
    fn block(&mut self, block: &mut Block) {
        if operations(block) <= LONG {
            return;
        }
        for inst in &mut block.insts {
            inst.op.blocks_mut().for_each(|b| self.block(b));
        }
        if operations(block) > LONG {
            self.cut(block);
        }
    }

    fn cut(&mut self, block: &mut Block) {
        // Constants are made anew where they are needed; other values that cross get a slot.
        let mut insts = std::mem::take(&mut block.insts);
        let mut own: FxHashSet<KValue> = FxHashSet::default();
        insts.retain(|inst| {
            let constant = matches!(inst.op, KOp::Const(_));
            own.extend(inst.results.iter().copied().filter(|_| constant));
            !constant
        });
        insts.iter_mut().for_each(commute);
        let defined: FxHashMap<KValue, usize> = insts
            .iter()
            .enumerate()
            .flat_map(|(at, inst)| inst.results.iter().map(move |&v| (v, at)))
            .collect();
        let used: Vec<Vec<KValue>> = insts.iter().map(scalars).collect();
        let segments = segments(&insts, &used, &block.yields, &defined);
        let slots = self.slots(&segments, &used, &block.yields, &defined);
        // Segments that are equal are one kernel, which takes memory from its callers.
        let list = List { insts: &insts, used: &used, defined: &defined, slots: &slots };
        let passed: Vec<Option<Outlined>> = segments
            .iter()
            .map(|segment| {
                let outline = self.outline(&list, segment, Reach::Passed);
                (!outline.overlaps()).then(|| outline.finish())
            })
            .collect();
        let mut places: FxHashMap<&Kernel, usize> = FxHashMap::default();
        passed.iter().flatten().for_each(|found| *places.entry(&found.kernel).or_default() += 1);
        let mut shared: FxHashMap<&Kernel, KernelId> = FxHashMap::default();
        let mut calls = Vec::new();
        for (segment, passed) in segments.iter().zip(&passed) {
            let (kernel, mems, operands) = match passed {
                Some(found) if places[&found.kernel] > 1 => {
                    let kernel = match shared.get(&found.kernel) {
                        Some(&known) => known,
                        None => {
                            let id = self.add(found.kernel.clone());
                            shared.insert(&found.kernel, id);
                            id
                        }
                    };
                    (kernel, found.mems.clone(), found.operands.clone())
                }
                _ => {
                    let Outlined { kernel, mems, operands } =
                        self.outline(&list, segment, Reach::Named).finish();
                    (self.add(kernel), mems, operands)
                }
            };
            calls.push(KInst { op: KOp::Call { kernel, mems }, operands, results: smallvec![] });
        }
        // What the block yields is read back. Constants from outside it keep their one definition there: another one here
        // would make them the block's own for who cuts what is around it.
        let mut yields: Vec<KValue> = block.yields.to_vec();
        yields.sort();
        yields.dedup();
        for v in yields {
            let op = match (self.constants.get(&v), slots.get(&v)) {
                (Some(&word), _) if own.contains(&v) => KOp::Const(word),
                (Some(_), _) => continue,
                (None, Some(slot)) => KOp::Load(slot.access()),
                (None, None) => continue,
            };
            calls.push(KInst { op, operands: smallvec![], results: smallvec![v] });
        }
        block.insts = calls;
    }

    /// A segment becoming a kernel.
    fn outline(&self, list: &List<'_>, segment: &Range<usize>, reach: Reach) -> Outline<'_> {
        let mut outline = Outline::new(self.program, self.kernel, self.constants, reach);
        for at in segment.clone() {
            for v in &list.used[at] {
                let local = list.defined.get(v).is_none_or(|d| segment.contains(d));
                if !local && !outline.has(*v) {
                    outline.load(*v, list.slots[v]);
                }
            }
            outline.inst(&list.insts[at]);
            for v in &list.insts[at].results {
                if let Some(&slot) = list.slots.get(v) {
                    outline.store(*v, slot);
                }
            }
        }
        outline
    }

    fn add(&mut self, kernel: Kernel) -> KernelId {
        self.added.push(Kernel {
            name: format!("{}_{}", self.kernel.name, self.first + self.added.len()),
            ..kernel
        });
        KernelId::from_index(self.first + self.added.len() - 1)
    }

    /// A slot for each value that crosses from a segment to another, or is yielded. Those of one segment and type lie
    /// together, in order of definition, so that equal segments lay theirs out alike.
    fn slots(
        &mut self,
        segments: &[Range<usize>],
        used: &[Vec<KValue>],
        yields: &[KValue],
        defined: &FxHashMap<KValue, usize>,
    ) -> FxHashMap<KValue, Slot> {
        let segment_of = |at: usize| segments.partition_point(|s| s.end <= at);
        let mut crossing: Vec<(usize, KValue)> = Vec::new();
        for (at, used) in used.iter().enumerate() {
            let from = used.iter().filter_map(|&v| defined.get(&v).map(|&from| (from, v)));
            crossing.extend(from.filter(|&(from, _)| segment_of(from) != segment_of(at)));
        }
        crossing.extend(yields.iter().filter_map(|&v| defined.get(&v).map(|&from| (from, v))));
        crossing.sort_unstable();
        crossing.dedup();
        let mut buffers: BTreeMap<Scalar, (MemRef, usize)> = BTreeMap::new();
        let mut slots = FxHashMap::default();
        let mut starts: BTreeMap<Scalar, (usize, usize)> = BTreeMap::new();
        for (from, v) in crossing {
            let elem = self.kernel.values[v];
            let mems = &mut self.kernel.mems;
            let (buffer, len) = buffers
                .entry(elem)
                .or_insert_with(|| (mems.push(MemRefDef { elem, len: 0, kind: MemKind::Local }), 0));
            let start = starts.entry(elem).or_insert((usize::MAX, 0));
            if start.0 != segment_of(from) {
                *start = (segment_of(from), *len);
            }
            slots.insert(v, Slot { buffer: *buffer, start: start.1, index: *len - start.1 });
            *len += 1;
        }
        for (buffer, len) in buffers.into_values() {
            self.kernel.mems[buffer].len = len;
        }
        slots
    }
}

/// Where to cut.
fn segments(
    insts: &[KInst],
    used: &[Vec<KValue>],
    yields: &[KValue],
    defined: &FxHashMap<KValue, usize>,
) -> Vec<Range<usize>> {
    let mut last: FxHashMap<KValue, usize> = FxHashMap::default();
    for (at, used) in used.iter().enumerate() {
        last.extend(used.iter().filter(|v| defined.contains_key(v)).map(|&v| (v, at)));
    }
    last.extend(yields.iter().map(|&v| (v, insts.len())));
    // Values defined before a position and read from it on.
    let mut change = vec![0i64; insts.len() + 2];
    for (v, &at) in defined {
        if let Some(&end) = last.get(v) {
            change[at + 1] += 1;
            change[end + 1] -= 1;
        }
    }
    let mut live = 0;
    let crossing: Vec<i64> = change
        .iter()
        .map(|c| {
            live += c;
            live
        })
        .collect();
    let mut segments = Vec::new();
    let (mut from, mut operations, mut best) = (0, 0, None::<(i64, usize)>);
    let mut at = 0;
    while at < insts.len() {
        operations += size(&insts[at]);
        at += 1;
        if operations >= SEGMENT.start && best.is_none_or(|(fewest, _)| crossing[at] <= fewest) {
            best = Some((crossing[at], at));
        }
        if operations >= SEGMENT.end
            && let Some((_, cut)) = best.take()
        {
            segments.push(from..cut);
            (from, at, operations) = (cut, cut, 0);
        }
    }
    if from < insts.len() {
        segments.push(from..insts.len());
    }
    segments
}
