//! Long blocks, cut into kernels of their own: kernel IR to kernel IR.
//!
//! Register allocation costs more per operation the longer a function is and the more is live in it. A block of more
//! than [`LONG`] operations becomes a sequence of calls of segments. Values that cross from one segment to another
//! lie in a local buffer of the kernel that calls them; what a segment reads from outside the block is passed to it.
//! Cuts are made where the fewest values cross.

use super::visit;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeMap;
use std::ops::Range;
use wengert_ir::kernel::{
    Access, Block, Extent, KInst, KOp, KValue, Kernel, KernelId, Library, MemKind, MemRef, MemRefDef,
    Program, Scalar,
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
    for id in program.kernels.keys() {
        let mut kernel = std::mem::take(&mut new.kernels[id]);
        let mut body = std::mem::take(&mut kernel.body);
        Cutter { kernel: &mut kernel, program: &mut new }.block(&mut body);
        kernel.body = body;
        new.kernels[id] = kernel;
    }
    Some(new)
}

fn operations(block: &Block) -> usize {
    let mut count = 0;
    visit(block, &mut |_| count += 1);
    count
}

fn size(inst: &KInst) -> usize {
    1 + inst.op.blocks().map(operations).sum::<usize>()
}

/// Calls `f` with every scalar and every memory that an instruction names, those of its blocks included.
fn names(inst: &mut KInst, value: &mut dyn FnMut(&mut KValue), mem: &mut dyn FnMut(&mut MemRef)) {
    inst.operands.iter_mut().for_each(&mut *value);
    let access =
        |access: &mut Access, value: &mut dyn FnMut(&mut KValue), mem: &mut dyn FnMut(&mut MemRef)| {
            mem(&mut access.mem);
            access.terms.iter_mut().for_each(|(v, _)| value(v));
        };
    let extent = |extent: &mut Extent, value: &mut dyn FnMut(&mut KValue)| {
        if let Extent::Value(v) = extent {
            value(v);
        }
    };
    let block = |block: &mut Block, value: &mut dyn FnMut(&mut KValue), mem: &mut dyn FnMut(&mut MemRef)| {
        block.params.iter_mut().for_each(&mut *value);
        block.insts.iter_mut().for_each(|inst| names(inst, value, mem));
        block.yields.iter_mut().for_each(&mut *value);
    };
    match &mut inst.op {
        KOp::Load(a) | KOp::Store(a) => access(a, value, mem),
        KOp::For(l) => {
            extent(&mut l.start, value);
            extent(&mut l.end, value);
            block(&mut l.body, value, mem);
        }
        KOp::While(l) => {
            block(&mut l.cond, value, mem);
            block(&mut l.body, value, mem);
        }
        KOp::Switch(arms) => arms.iter_mut().for_each(|arm| block(arm, value, mem)),
        KOp::Call { mems, .. } => mems.iter_mut().for_each(|a| access(a, value, mem)),
        KOp::Parallel { mems, extent: e, .. } => {
            mems.iter_mut().for_each(|a| access(a, value, mem));
            extent(e, value);
        }
        KOp::Library(library) => match &mut **library {
            Library::Gemm { a, b, c, .. } => {
                [a, b, c].into_iter().for_each(|m| access(&mut m.at, value, mem))
            }
            Library::Tile { src, dst, len, .. } => {
                [src, dst].into_iter().for_each(|a| access(a, value, mem));
                extent(len, value);
            }
            Library::Tile2 { a, b, dst, len, .. } => {
                [a, b, dst].into_iter().for_each(|a| access(a, value, mem));
                extent(len, value);
            }
            Library::Reference { inputs, outputs, .. } => {
                inputs.iter_mut().chain(outputs).for_each(|a| access(a, value, mem))
            }
        },
        KOp::Reserve(m) => mem(m),
        KOp::Const(_)
        | KOp::Unary(_)
        | KOp::Binary(_)
        | KOp::Compare(..)
        | KOp::Select
        | KOp::Fma
        | KOp::Cast(_)
        | KOp::Math(_)
        | KOp::Math2(_) => {}
    }
    inst.results.iter_mut().for_each(value);
}

/// The scalars that an instruction names.
fn scalars(inst: &KInst) -> Vec<KValue> {
    let mut all = Vec::new();
    names(&mut inst.clone(), &mut |v| all.push(*v), &mut |_| ());
    all
}

struct Cutter<'p> {
    kernel: &'p mut Kernel,
    program: &'p mut Program,
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
        let insts = std::mem::take(&mut block.insts);
        let defined: FxHashMap<KValue, usize> = insts
            .iter()
            .enumerate()
            .flat_map(|(at, inst)| inst.results.iter().map(move |&v| (v, at)))
            .collect();
        let used: Vec<Vec<KValue>> = insts.iter().map(scalars).collect();
        let segments = segments(&insts, &used, &block.yields, &defined);
        let segment_of = |at: usize| segments.partition_point(|s| s.end <= at);
        // Constants are made anew where they are needed; other values that cross get a slot.
        let constant = |v: KValue| match defined.get(&v).map(|&at| &insts[at].op) {
            Some(KOp::Const(word)) => Some(*word),
            _ => None,
        };
        let mut slots: FxHashMap<KValue, (Scalar, usize)> = FxHashMap::default();
        let mut lengths: BTreeMap<Scalar, usize> = BTreeMap::new();
        let types = &self.kernel.values;
        let mut cross = |v: KValue, user: Option<usize>| {
            let Some(&at) = defined.get(&v) else { return };
            if constant(v).is_none() && user != Some(segment_of(at)) && !slots.contains_key(&v) {
                let length = lengths.entry(types[v]).or_default();
                slots.insert(v, (types[v], *length));
                *length += 1;
            }
        };
        for (at, used) in used.iter().enumerate() {
            used.iter().for_each(|&v| cross(v, Some(segment_of(at))));
        }
        block.yields.iter().for_each(|&v| cross(v, None));
        let buffers: BTreeMap<Scalar, MemRef> = lengths
            .iter()
            .map(|(&elem, &len)| (elem, self.kernel.mems.push(MemRefDef { elem, len, kind: MemKind::Local })))
            .collect();
        let mut calls = Vec::new();
        for segment in &segments {
            let mut outline = Outline::new(self.kernel, self.program.kernels.len());
            for at in segment.clone() {
                for &v in &used[at] {
                    let local = defined.get(&v).is_none_or(|d| segment.contains(d));
                    if local || outline.values.contains_key(&v) {
                        continue;
                    }
                    match (constant(v), slots.get(&v)) {
                        (Some(word), _) => outline.constant(v, word),
                        (None, Some(&(elem, slot))) => outline.load(v, buffers[&elem], slot),
                        (None, None) => unreachable!("a crossing value has a slot"),
                    }
                }
                let mut inst = insts[at].clone();
                outline.rename(&mut inst);
                outline.new.body.insts.push(inst);
                for v in &insts[at].results {
                    if let Some(&(elem, slot)) = slots.get(v) {
                        outline.store(*v, buffers[&elem], slot);
                    }
                }
            }
            let (kernel, mems, operands) = outline.finish();
            let kernel: KernelId = self.program.kernels.push(kernel);
            calls.push(KInst { op: KOp::Call { kernel, mems }, operands, results: smallvec![] });
        }
        // What the block yields is read back.
        let mut yields: Vec<KValue> = block.yields.to_vec();
        yields.sort();
        yields.dedup();
        for v in yields {
            let op = match (constant(v), slots.get(&v)) {
                (Some(word), _) => KOp::Const(word),
                (None, Some(&(elem, slot))) => KOp::Load(element(buffers[&elem], slot)),
                (None, None) => continue,
            };
            calls.push(KInst { op, operands: smallvec![], results: smallvec![v] });
        }
        block.insts = calls;
    }
}

fn element(mem: MemRef, slot: usize) -> Access {
    Access { mem, offset: slot as i64, terms: SmallVec::new() }
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

/// A segment becoming a kernel.
struct Outline<'k> {
    old: &'k Kernel,
    new: Kernel,
    values: FxHashMap<KValue, KValue>,
    mems: FxHashMap<MemRef, MemRef>,
    /// Memories and scalars passed to it, by the caller's names.
    passed_mems: Vec<Access>,
    passed: Vec<KValue>,
    inner: FxHashSet<KValue>,
}

impl<'k> Outline<'k> {
    fn new(old: &'k Kernel, number: usize) -> Self {
        let new = Kernel { name: format!("{}_{number}", old.name), ..Kernel::default() };
        let (values, mems) = (FxHashMap::default(), FxHashMap::default());
        Self {
            old,
            new,
            values,
            mems,
            passed_mems: Vec::new(),
            passed: Vec::new(),
            inner: FxHashSet::default(),
        }
    }

    fn mem(&mut self, m: MemRef) -> MemRef {
        if let Some(&known) = self.mems.get(&m) {
            return known;
        }
        let def = &self.old.mems[m];
        let kind = match def.kind {
            MemKind::Program(mem) => MemKind::Program(mem),
            MemKind::Param(_) | MemKind::Local => {
                self.passed_mems.push(element(m, 0));
                MemKind::Param(self.passed_mems.len() as u32 - 1)
            }
        };
        let new = self.new.mems.push(MemRefDef { kind, ..def.clone() });
        self.mems.insert(m, new);
        new
    }

    fn define(&mut self, v: KValue) -> KValue {
        let new = self.new.values.push(self.old.values[v]);
        self.values.insert(v, new);
        new
    }

    fn constant(&mut self, v: KValue, word: u64) {
        let result = self.define(v);
        self.new.body.insts.push(KInst {
            op: KOp::Const(word),
            operands: smallvec![],
            results: smallvec![result],
        });
    }

    fn load(&mut self, v: KValue, buffer: MemRef, slot: usize) {
        let op = KOp::Load(element(self.mem(buffer), slot));
        let result = self.define(v);
        self.new.body.insts.push(KInst { op, operands: smallvec![], results: smallvec![result] });
    }

    fn store(&mut self, v: KValue, buffer: MemRef, slot: usize) {
        let op = KOp::Store(element(self.mem(buffer), slot));
        let operand = self.values[&v];
        self.new.body.insts.push(KInst { op, operands: smallvec![operand], results: smallvec![] });
    }

    /// Gives an instruction the kernel's own names.
    fn rename(&mut self, inst: &mut KInst) {
        definitions(inst, &mut self.inner);
        for v in scalars(inst) {
            if !self.values.contains_key(&v) {
                self.define(v);
                if !self.inner.contains(&v) {
                    self.passed.push(v);
                }
            }
        }
        let mut mems = Vec::new();
        names(inst, &mut |_| (), &mut |m| mems.push(*m));
        for m in mems {
            self.mem(m);
        }
        let (values, mems) = (&self.values, &self.mems);
        names(inst, &mut |v| *v = values[v], &mut |m| *m = mems[m]);
    }

    fn finish(mut self) -> (Kernel, Vec<Access>, SmallVec<[KValue; 3]>) {
        self.new.body.params = self.passed.iter().map(|v| self.values[v]).collect();
        (self.new, self.passed_mems, self.passed.into_iter().collect())
    }
}

/// Scalars that an instruction and its blocks define.
fn definitions(inst: &KInst, all: &mut FxHashSet<KValue>) {
    all.extend(inst.results.iter().copied());
    for block in inst.op.blocks() {
        all.extend(block.params.iter().copied());
        block.insts.iter().for_each(|inst| definitions(inst, all));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_cover_the_block() {
        let inst = |k: usize| KInst {
            op: KOp::Const(0),
            operands: smallvec![],
            results: smallvec![wengert_ir::entity::Entity::from_index(k)],
        };
        let insts: Vec<KInst> = (0..5000).map(inst).collect();
        let used: Vec<Vec<KValue>> = insts.iter().map(scalars).collect();
        let found = segments(&insts, &used, &[], &FxHashMap::default());
        assert_eq!(found.first().map(|s| s.start), Some(0));
        assert_eq!(found.last().map(|s| s.end), Some(5000));
        assert!(found.windows(2).all(|w| w[0].end == w[1].start));
    }
}
