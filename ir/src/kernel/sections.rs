//! Sections of a program: the loops, calls and branches of its entry kernel that are looked at, and timed, one by one.
//!
//! [`marked`] gives the program with a [`Library::Section`] before each; what lies between is section 0, or that of the loop it
//! lies in. A loop or branch is opened, so that what is in it are sections of their own, if that takes long enough for a
//! clock. [`Work`] is what a section does, counted from the kernel IR: of a loop of unknown length, one trip.

use super::product::whole_sizes;
use super::{
    Block, Extent, For, KInst, KOp, KUnary, KValue, Kernel, KernelId, Library, LoopKind, MemKind, Program,
};
use crate::{launch_ops, scalar_ops};
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeMap;

/// Operations that take long enough for a clock inside a loop.
const LEAST: u64 = 20_000;
/// What a call of the library counts as.
const CALL: u64 = 20_000;
/// Operations that take long enough for a clock at the top of the program.
const LEAST_TOP: u64 = 200;

/// What a section does each time it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Work {
    /// Bytes read: of each memory what is accessed, at most all of it.
    pub read: u64,
    /// Bytes written.
    pub written: u64,
    /// Arithmetic on floats: 1 for each operation and function, 2 for a multiply-add.
    pub flops: u64,
    /// Scalar operations and accesses of all kinds.
    pub operations: u64,
    /// Whether there is a loop of unknown length, of which one trip is counted.
    pub at_least: bool,
}

/// A part of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// What it is.
    pub kind: SectionKind,
    /// Which of the loops, calls and branches of the entry kernel it is, counted as they end; none for section 0.
    pub place: Option<usize>,
    /// How many opened loops and branches it lies in.
    pub depth: usize,
    /// What it does.
    pub work: Work,
    /// Whether it is the call of an outlined kernel.
    pub calls: bool,
    /// What the reference interpreter computes in it.
    pub interpreted: Vec<String>,
}

/// What a section is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SectionKind {
    /// What lies between the others: scalars, small loops.
    Between,
    /// What lies between the others inside of a loop or branch that is opened.
    Inside,
    /// A loop nest.
    Loop,
    /// A loop nest that several threads share.
    Parallel,
    /// A branch.
    Branch,
    /// A matrix product.
    Product,
    /// Another call of the library, or of a kernel.
    Call,
    /// A call of the reference interpreter.
    Interpreter,
}

/// Whether an instruction is one of those that [`Section::place`] counts.
pub fn is_counted(op: &KOp) -> bool {
    match op {
        KOp::For(_) | KOp::While(_) | KOp::Switch(_) | KOp::Call { .. } | KOp::Parallel { .. } => true,
        KOp::Library(library) => !matches!(**library, Library::Section(_)),
        // Programs for GPUs are not divided.
        launch_ops!() => false,
        scalar_ops!() | KOp::Load(_) | KOp::Store(_) | KOp::Reserve(_) | KOp::Steps(_) => false,
    }
}

/// The program with its sections marked, and the sections by number.
pub fn marked(program: &Program) -> (Program, Vec<Section>) {
    let mut out = program.clone();
    let mut body = std::mem::take(&mut out.kernels[program.entry].body);
    let all = Section {
        kind: SectionKind::Between,
        place: None,
        depth: 0,
        work: Work::default(),
        calls: false,
        interpreted: Vec::new(),
    };
    let mut marker = Marker { program, sections: vec![all], place: 0 };
    marker.block(&mut body, 0, 0);
    out.kernels[program.entry].body = body;
    (out, marker.sections)
}

struct Marker<'p> {
    program: &'p Program,
    sections: Vec<Section>,
    /// How many counted instructions have ended.
    place: usize,
}

impl Marker<'_> {
    fn work(&self, inst: &KInst) -> Work {
        of(self.program, self.program.entry, std::slice::from_ref(inst))
    }

    fn add(&mut self, kind: SectionKind, depth: usize, work: Work, inst: &KInst) -> u32 {
        let is_call = matches!(inst.op, KOp::Call { .. } | KOp::Parallel { .. });
        let mut interpreted = Vec::new();
        if kind != SectionKind::Inside {
            self.interpreted(inst, &mut interpreted);
        }
        self.sections.push(Section { kind, place: None, depth, work, calls: is_call, interpreted });
        self.sections.len() as u32 - 1
    }

    fn interpreted(&self, inst: &KInst, names: &mut Vec<String>) {
        match &inst.op {
            KOp::Library(library) => {
                if let Library::Reference { program, .. } = &**library {
                    names.extend(program.operations());
                }
            }
            KOp::Call { kernel, .. } | KOp::Parallel { kernel, .. } => {
                self.program.kernels[*kernel].body.insts.iter().for_each(|i| self.interpreted(i, names));
            }
            op => op.blocks().flat_map(|b| &b.insts).for_each(|i| self.interpreted(i, names)),
        }
        names.dedup();
    }

    /// Marks the sections of a block; the time between them belongs to section `rest`.
    fn block(&mut self, block: &mut Block, rest: u32, depth: usize) {
        let mut now = rest;
        let mut insts = vec![mark(rest)];
        for mut inst in std::mem::take(&mut block.insts) {
            let section = if self.opens(&inst) {
                let inside = self.add(SectionKind::Inside, depth, Work::default(), &inst);
                inst.op.blocks_mut().for_each(|b| self.block(b, inside, depth + 1));
                Some(inside)
            } else {
                self.place += counted(inst.op.blocks());
                let work = self.work(&inst);
                let least = if depth == 0 { LEAST_TOP } else { LEAST };
                (is_counted(&inst.op) && work.operations >= least)
                    .then(|| self.add(kind(&inst.op), depth, work, &inst))
            };
            if is_counted(&inst.op) {
                if let Some(number) = section {
                    self.sections[number as usize].place = Some(self.place);
                }
                self.place += 1;
            }
            let number = section.unwrap_or(rest);
            // What is computed of nothing is computed at no time.
            if number != now && !matches!(inst.op, KOp::Const(_)) {
                insts.push(mark(number));
                now = number;
            }
            insts.push(inst);
        }
        block.insts = insts;
    }

    /// Whether what is in a loop or branch are sections of their own.
    fn opens(&self, inst: &KInst) -> bool {
        let nest = match &inst.op {
            KOp::For(l) if l.kind == LoopKind::Sequential => {
                let mut inner = l.body.insts.iter().filter(|i| is_counted(&i.op));
                matches!((inner.next().map(|i| &i.op), inner.next()), (None | Some(KOp::For(_)), None))
            }
            KOp::For(_) => true,
            scalar_ops!()
            | KOp::Load(_)
            | KOp::Store(_)
            | KOp::While(_)
            | KOp::Switch(_)
            | KOp::Call { .. }
            | KOp::Parallel { .. }
            | launch_ops!()
            | KOp::Library(_)
            | KOp::Reserve(_)
            | KOp::Steps(_) => false,
        };
        !nest && inst.op.blocks().any(|b| self.has_long(b))
    }

    fn has_long(&self, block: &Block) -> bool {
        block.insts.iter().any(|inst| {
            is_counted(&inst.op)
                && (self.work(inst).operations >= LEAST || inst.op.blocks().any(|b| self.has_long(b)))
        })
    }
}

fn mark(section: u32) -> KInst {
    let op = KOp::Library(Box::new(Library::Section(section)));
    KInst { op, operands: smallvec![], results: smallvec![] }
}

fn kind(op: &KOp) -> SectionKind {
    match op {
        KOp::Parallel { .. } => SectionKind::Parallel,
        KOp::Switch(_) => SectionKind::Branch,
        KOp::Library(library) => match &**library {
            Library::Gemm { .. } => SectionKind::Product,
            Library::Reference { .. } => SectionKind::Interpreter,
            Library::Tile { .. } | Library::Tile2 { .. } | Library::Section(_) => SectionKind::Call,
        },
        KOp::Call { .. } => SectionKind::Call,
        scalar_ops!()
        | KOp::Load(_)
        | KOp::Store(_)
        | KOp::For(_)
        | KOp::While(_)
        | launch_ops!()
        | KOp::Reserve(_)
        | KOp::Steps(_) => SectionKind::Loop,
    }
}

/// Counted instructions in blocks.
fn counted<'a>(blocks: impl Iterator<Item = &'a Block>) -> usize {
    blocks.flat_map(|b| &b.insts).map(|i| usize::from(is_counted(&i.op)) + counted(i.op.blocks())).sum()
}

/// What instructions of a kernel do.
pub fn of(program: &Program, kernel: KernelId, insts: &[KInst]) -> Work {
    let mut count = Count { program, work: Work::default(), memory: BTreeMap::new() };
    count.insts(kernel, insts, 1, None);
    for ((kernel, mem), [read, written]) in count.memory {
        let def = &program.kernels[kernel].mems[mem];
        let bytes = |n: u64| n.min(def.len as u64).saturating_mul(def.elem.size() as u64);
        if def.kind != MemKind::Local {
            count.work.read = count.work.read.saturating_add(bytes(read));
            count.work.written = count.work.written.saturating_add(bytes(written));
        }
    }
    count.work
}

/// The trips of a loop if they are known; the range that a piece of a shared loop is given is `extent` in all.
pub fn trips(l: &For, kernel: &Kernel, extent: Option<u64>) -> Option<u64> {
    let param = |e: Extent, k: usize| matches!((e, kernel.body.params.get(k)), (Extent::Value(v), Some(&p)) if v == p);
    let length = match (l.start, l.end) {
        (Extent::Const(start), Extent::Const(end)) => (i128::from(end) - i128::from(start)).max(0) as u64,
        (start, end) if param(start, 0) && param(end, 1) => extent?,
        (start, end) => {
            let known = |e: Extent| match e {
                Extent::Const(n) => Some(n),
                Extent::Value(v) => constant(&kernel.body, v),
            };
            (known(end)? - known(start)?).max(0) as u64
        }
    };
    Some(length.div_ceil(l.step.max(1) as u64))
}

/// A constant of the outermost block.
fn constant(block: &Block, v: KValue) -> Option<i64> {
    let inst = block.insts.iter().find(|inst| inst.results.first() == Some(&v))?;
    if let KOp::Const(word) = inst.op { Some(word as i64) } else { None }
}

struct Count<'p> {
    program: &'p Program,
    work: Work,
    /// Accesses that read and that write.
    memory: BTreeMap<(KernelId, super::MemRef), [u64; 2]>,
}

impl Count<'_> {
    fn insts(&mut self, id: KernelId, insts: &[KInst], times: u64, extent: Option<u64>) {
        for inst in insts {
            self.inst(id, inst, times, extent);
        }
    }

    fn access(&mut self, id: KernelId, mem: super::MemRef, written: bool, times: u64) {
        let count = &mut self.memory.entry((id, mem)).or_default()[usize::from(written)];
        *count = count.saturating_add(times);
    }

    fn does(&mut self, flops: u64, operations: u64) {
        self.work.flops = self.work.flops.saturating_add(flops);
        self.work.operations = self.work.operations.saturating_add(operations);
    }

    fn inst(&mut self, id: KernelId, inst: &KInst, times: u64, extent: Option<u64>) {
        let kernel = &self.program.kernels[id];
        let float = || inst.operands.first().is_some_and(|&v| kernel.values[v].is_float());
        match &inst.op {
            KOp::Const(_) | KOp::Steps(_) | launch_ops!() => {}
            KOp::Fma => self.does(2 * times, times),
            KOp::Math(_) | KOp::Math2(_) => self.does(times, times),
            KOp::Unary(KUnary::Not | KUnary::Popcnt | KUnary::Clz) => self.does(0, times),
            KOp::Unary(_) | KOp::Binary(_) => self.does(if float() { times } else { 0 }, times),
            KOp::Compare(..) | KOp::Select | KOp::Cast(_) | KOp::Reserve(_) => self.does(0, times),
            KOp::Load(access) => {
                self.access(id, access.mem, false, times);
                self.does(0, times);
            }
            KOp::Store(access) => {
                self.access(id, access.mem, true, times);
                self.does(0, times);
            }
            KOp::For(l) => {
                let trips = trips(l, kernel, extent);
                self.work.at_least |= trips.is_none();
                self.insts(id, &l.body.insts, times.saturating_mul(trips.unwrap_or(1)), extent);
                // One combination of what is carried.
                if let LoopKind::Lanes(combines) = &l.kind {
                    self.does(0, combines.len() as u64);
                }
            }
            KOp::While(l) => {
                self.work.at_least = true;
                self.insts(id, &l.cond.insts, times, extent);
                self.insts(id, &l.body.insts, times, extent);
            }
            KOp::Switch(arms) => {
                let weight = |b: &&Block| counted_operations(b);
                if let Some(arm) = arms.iter().max_by_key(weight) {
                    self.insts(id, &arm.insts, times, extent);
                }
            }
            KOp::Call { kernel, .. } => {
                self.insts(*kernel, &self.program.kernels[*kernel].body.insts, times, None);
            }
            KOp::Parallel { kernel, extent, .. } => {
                let extent = match extent {
                    Extent::Const(n) => Some((*n).max(0) as u64),
                    Extent::Value(_) => None,
                };
                self.insts(*kernel, &self.program.kernels[*kernel].body.insts, times, extent);
            }
            KOp::Library(library) => self.library(id, library, times),
        }
    }

    fn library(&mut self, id: KernelId, library: &Library, times: u64) {
        match library {
            Library::Gemm { sizes, rows, depth, a, b, c, adds, .. } => {
                let [batches, m, n, k] = &whole_sizes(*sizes, rows, depth);
                let of = |all: &[&usize]| all.iter().fold(times, |x, &&y| x.saturating_mul(y as u64));
                for (matrix, count) in [(a, of(&[batches, m, k])), (b, of(&[batches, k, n]))] {
                    self.access(id, matrix.at.mem, false, count);
                }
                if *adds {
                    self.access(id, c.at.mem, false, of(&[batches, m, n]));
                }
                self.access(id, c.at.mem, true, of(&[batches, m, n]));
                let flops = of(&[batches, m, n, k]).saturating_mul(2);
                self.does(flops, (flops / 16).max(LEAST_TOP));
            }
            Library::Tile { src, dst, len, .. } => self.tile(id, &[src.mem], dst.mem, *len, times),
            Library::Tile2 { a, b, dst, len, .. } => self.tile(id, &[a.mem, b.mem], dst.mem, *len, times),
            Library::Reference { program, inputs, outputs } => {
                let elements = |t: &crate::types::TensorType| t.checked_elements().map_or(1, |n| n as u64);
                for (access, ty) in inputs.iter().zip(program.params()) {
                    self.access(id, access.mem, false, times.saturating_mul(elements(ty)));
                }
                for (access, ty) in outputs.iter().zip(program.results()) {
                    self.access(id, access.mem, true, times.saturating_mul(elements(ty)));
                }
                let flops = program.flops();
                self.does(times.saturating_mul(flops), times.saturating_mul(flops.saturating_add(CALL)));
            }
            Library::Section(_) => {}
        }
    }

    fn tile(&mut self, id: KernelId, from: &[super::MemRef], to: super::MemRef, len: Extent, times: u64) {
        let len = match len {
            Extent::Const(n) => n.max(0) as u64,
            Extent::Value(_) => super::BLOCK as u64,
        };
        let all = times.saturating_mul(len);
        from.iter().for_each(|&m| self.access(id, m, false, all));
        self.access(id, to, true, all);
        self.does(all, all);
    }
}

fn counted_operations(block: &Block) -> usize {
    block.insts.iter().map(|i| 1 + i.op.blocks().map(counted_operations).sum::<usize>()).sum()
}

/// Innermost loops of a block, with how often their body runs, and whether that is a lower bound. Calls are not followed.
pub fn innermost<'k>(
    kernel: &'k Kernel,
    block: &'k Block,
    (times, at_least): (u64, bool),
    extent: Option<u64>,
    found: &mut dyn FnMut(&'k For, u64, bool),
) {
    for inst in &block.insts {
        let inner: SmallVec<[&Block; 2]> = inst.op.blocks().collect();
        let (mut times, mut at_least) = (times, at_least || matches!(inst.op, KOp::While(_)));
        if let KOp::For(l) = &inst.op {
            let trips = trips(l, kernel, extent);
            times = times.saturating_mul(trips.unwrap_or(1));
            at_least |= trips.is_none();
            if !has_loop(&l.body) {
                found(l, times, at_least);
                continue;
            }
        }
        inner.iter().for_each(|b| innermost(kernel, b, (times, at_least), extent, found));
    }
}

fn has_loop(block: &Block) -> bool {
    block.insts.iter().any(|i| {
        matches!(
            i.op,
            KOp::For(_) | KOp::While(_) | KOp::Call { .. } | KOp::Parallel { .. } | KOp::Library(_)
        ) || i.op.blocks().any(has_loop)
    })
}
