//! Loops that call the math library, cut into tiles: kernel IR to kernel IR.
//!
//! A vector loop
//!
//! ```text
//! for i: y[i] = tanh(a * x[i] + b) * x[i]
//! ```
//!
//! becomes, for tiles of `BLOCK` iterations that fit in the first-level cache,
//!
//! ```text
//! for t in tiles:
//!   for j: u[j] = a * x[t + j] + b
//!   u = tanh(u)                        // one call of a wide routine
//!   for j: y[t + j] = u[j] * x[t + j]
//! ```
//!
//! Each scalar of the body has a stage: that of its latest operand, and one more if that is a result of the library.
//! Scalars that are cheap to have again (loads of what the loop does not store, what does not vary) are added to
//! every stage that reads them; others cross stages in tiles. Reductions are at most one tile long already: their
//! last stage carries the accumulators.

mod plan;

use super::simd;
use crate::options::Wide;
use plan::{Plan, Step};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeMap;
use wengert_ir::kernel::{
    Access, BLOCK, Block, Extent, For, KBinary, KInst, KOp, KValue, Kernel, Library, LoopKind, MemKind,
    MemRef, MemRefDef, Program, Scalar,
};
use wengert_ir::launch_ops;

/// What loops call the functions of the library as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Functions {
    /// Routines of the process.
    Routines,
    /// Kernels of the program ([`with_functions`](crate::loops::with_functions)), whose memories have a length: tiles are of a known
    /// one, or lie in buffers.
    Kernels,
}

impl Functions {
    /// Loops of fewer iterations call number by number, or for eight. (1,824 times `lgamma` in rows of 12: 64 us, and 10 by kernels.)
    fn least(self) -> i64 {
        match self {
            Functions::Routines => 16,
            Functions::Kernels => 4,
        }
    }
}

/// The program with its loops cut into tiles, or `None` if it has none to cut.
///
/// Loops that become 512-bit vector code call the library only for functions that are too long for it. In 256-bit code, for
/// which there are half as many registers, the library's routines are faster (fused chains by a quarter).
pub(crate) fn split(program: &Program, wide: Option<Wide>, functions: Functions) -> Option<Program> {
    let mut any = false;
    for kernel in program.kernels.values() {
        kernel.body.visit(&mut |inst| any |= matches!(inst.op, KOp::Math(_) | KOp::Math2(_)));
    }
    if !any {
        return None;
    }
    let mut program = program.clone();
    let mut changed = false;
    for kernel in program.kernels.values_mut() {
        let body = std::mem::take(&mut kernel.body);
        let mut splitter = Splitter {
            kernel,
            tiles: BTreeMap::new(),
            constants: FxHashMap::default(),
            wide,
            functions,
            changed: false,
        };
        let body = splitter.block(body);
        changed |= splitter.changed;
        kernel.body = body;
    }
    changed.then_some(program)
}

struct Splitter<'k> {
    kernel: &'k mut Kernel,
    /// Local buffers of `BLOCK` elements, for all loops of the kernel in turn.
    tiles: BTreeMap<Scalar, Vec<MemRef>>,
    /// Constants seen so far.
    constants: FxHashMap<KValue, u64>,
    wide: Option<Wide>,
    functions: Functions,
    changed: bool,
}

impl Splitter<'_> {
    fn block(&mut self, mut block: Block) -> Block {
        let insts = std::mem::take(&mut block.insts);
        for mut inst in insts {
            match &mut inst.op {
                KOp::Const(word) => {
                    self.constants.insert(inst.results[0], *word);
                }
                KOp::For(l) => {
                    if let Some(insts) = self.split_loop(l, &inst.results) {
                        self.changed = true;
                        block.insts.extend(insts);
                        continue;
                    }
                    l.body = self.block(std::mem::take(&mut l.body));
                }
                KOp::While(l) => {
                    l.cond = self.block(std::mem::take(&mut l.cond));
                    l.body = self.block(std::mem::take(&mut l.body));
                }
                KOp::Switch(blocks) => {
                    for b in blocks {
                        *b = self.block(std::mem::take(b));
                    }
                }
                KOp::Unary(_)
                | KOp::Binary(_)
                | KOp::Compare(..)
                | KOp::Select
                | KOp::Fma
                | KOp::Cast(_)
                | KOp::Math(_)
                | KOp::Math2(_)
                | KOp::Load(_)
                | KOp::Store(_)
                | KOp::Call { .. }
                | KOp::Parallel { .. }
                | launch_ops!()
                | KOp::Library(_)
                | KOp::Reserve(_)
                | KOp::Steps(_) => {}
            }
            block.insts.push(inst);
        }
        block
    }

    fn known(&self, extent: Extent) -> Option<i64> {
        match extent {
            Extent::Const(n) => Some(n),
            Extent::Value(v) => self.constants.get(&v).map(|&word| word as i64),
        }
    }

    fn trips(&self, l: &For) -> Option<i64> {
        let (start, end) = (self.known(l.start)?, self.known(l.end)?);
        Some(if end <= start { 0 } else { (end - start + l.step - 1) / l.step })
    }

    /// Whether short functions of the library are part of the vector code that the loop becomes.
    fn inlines(&self, l: &For, trips: Option<i64>) -> bool {
        let known = |v| self.constants.get(&v).copied();
        self.wide == Some(Wide::Zmm)
            && simd::pays(l, trips)
            && simd::takes(l, &self.kernel.mems, &self.kernel.values, &known)
    }

    fn split_loop(&mut self, l: &For, results: &[KValue]) -> Option<Vec<KInst>> {
        let trips = self.trips(l);
        if l.kind == LoopKind::Sequential || trips.is_some_and(|n| n < self.functions.least()) {
            return None;
        }
        let inlines = self.inlines(l, trips);
        // What may be shorter than the memory of a kernel lies in a buffer that is not.
        let direct = trips.is_some() || self.functions == Functions::Routines;
        let plan = Plan::new(l, &self.kernel.values, inlines, direct)?;
        let most = BLOCK as i64;
        let mut out = Vec::new();
        if matches!(l.kind, LoopKind::Lanes(_)) || trips.is_some_and(|n| n <= most) {
            let start = match l.start {
                Extent::Value(v) => v,
                Extent::Const(n) => self.emit(&mut out, KOp::Const(n as u64), &[], Scalar::I64),
            };
            let len = match trips {
                Some(n) => Extent::Const(n),
                None if direct => Extent::Value(self.remaining(&mut out, l, start)),
                None => self.at_most_a_tile(&mut out, l, start),
            };
            self.stages(&mut out, l, &plan, start, len, results);
            return Some(out);
        }
        // Tiles, and what is left of the last one, of known lengths where those must be.
        let bounds = trips.zip(self.known(l.start)).filter(|_| self.functions == Functions::Kernels);
        let whole = bounds.map(|(n, start)| (start + n / most * most * l.step, n % most));
        let counter = self.kernel.values.push(Scalar::I64);
        let mut insts = Vec::new();
        let len = match whole.is_some() || trips.is_some_and(|n| n % most == 0) {
            true => Extent::Const(most),
            false => self.at_most_a_tile(&mut insts, l, counter),
        };
        self.stages(&mut insts, l, &plan, counter, len, results);
        let body = Block { params: smallvec![counter], insts, yields: smallvec![] };
        let (start, step) = (l.start, l.step * most);
        let end = whole.map_or(l.end, |(end, _)| Extent::Const(end));
        let tiles = For { start, end, step, kind: LoopKind::Sequential, body };
        out.push(KInst { op: KOp::For(Box::new(tiles)), operands: smallvec![], results: smallvec![] });
        if let Some((first, left @ 1..)) = whole {
            let first = self.emit(&mut out, KOp::Const(first as u64), &[], Scalar::I64);
            self.stages(&mut out, l, &plan, first, Extent::Const(left), results);
        }
        Some(out)
    }

    /// Iterations from `from` on, and those of a tile at most.
    fn at_most_a_tile(&mut self, out: &mut Vec<KInst>, l: &For, from: KValue) -> Extent {
        let remaining = self.remaining(out, l, from);
        let block = self.emit(out, KOp::Const(BLOCK as u64), &[], Scalar::I64);
        Extent::Value(self.emit(out, KOp::Binary(KBinary::Min), &[remaining, block], Scalar::I64))
    }

    /// Iterations from `from` on, not negative.
    fn remaining(&mut self, out: &mut Vec<KInst>, l: &For, from: KValue) -> KValue {
        let end = match l.end {
            Extent::Value(v) => v,
            Extent::Const(n) => self.emit(out, KOp::Const(n as u64), &[], Scalar::I64),
        };
        let mut left = self.emit(out, KOp::Binary(KBinary::Sub), &[end, from], Scalar::I64);
        if l.step != 1 {
            let round = self.emit(out, KOp::Const(l.step as u64 - 1), &[], Scalar::I64);
            let step = self.emit(out, KOp::Const(l.step as u64), &[], Scalar::I64);
            left = self.emit(out, KOp::Binary(KBinary::Add), &[left, round], Scalar::I64);
            left = self.emit(out, KOp::Binary(KBinary::Div), &[left, step], Scalar::I64);
        }
        let zero = self.emit(out, KOp::Const(0), &[], Scalar::I64);
        self.emit(out, KOp::Binary(KBinary::Max), &[left, zero], Scalar::I64)
    }

    fn emit(&mut self, out: &mut Vec<KInst>, op: KOp, operands: &[KValue], ty: Scalar) -> KValue {
        let result = self.kernel.values.push(ty);
        out.push(KInst { op, operands: SmallVec::from_slice(operands), results: smallvec![result] });
        result
    }

    /// The stages of one tile whose first iteration is that of `tile`.
    fn stages(
        &mut self,
        out: &mut Vec<KInst>,
        l: &For,
        plan: &Plan<'_>,
        tile: KValue,
        len: Extent,
        results: &[KValue],
    ) {
        let mut buffers = Buffers { home: FxHashMap::default(), free: BTreeMap::new() };
        for (position, step) in plan.steps.iter().enumerate() {
            match *step {
                Step::Call(at) => {
                    let inst = &plan.l.body.insts[at];
                    let sources: SmallVec<[Access; 2]> = inst
                        .operands
                        .iter()
                        .map(|&v| match plan.direct_source(v) {
                            Some(access) => plan.at_tile(access, tile),
                            None => whole(buffers.home[&v]),
                        })
                        .collect();
                    let result = inst.results[0];
                    self.release(&mut buffers, plan, position + 1);
                    let target = match plan.direct_target(result) {
                        Some(access) => plan.at_tile(access, tile),
                        None => whole(self.buffer(&mut buffers, result)),
                    };
                    let library = match (&inst.op, &sources[..]) {
                        (KOp::Math(f), [src]) => Library::Tile { f: *f, src: src.clone(), dst: target, len },
                        (KOp::Math2(f), [a, b]) => {
                            Library::Tile2 { f: *f, a: a.clone(), b: b.clone(), dst: target, len }
                        }
                        _ => unreachable!("a step that calls the library"),
                    };
                    let op = KOp::Library(Box::new(library));
                    out.push(KInst { op, operands: smallvec![], results: smallvec![] });
                }
                Step::Loop(stage) => {
                    self.release(&mut buffers, plan, position);
                    for &v in &plan.saved[stage] {
                        self.buffer(&mut buffers, v);
                    }
                    self.stage(out, l, plan, stage, tile, len, &buffers, results);
                }
            }
        }
    }

    /// Frees buffers of values that nothing from step `position` on reads.
    fn release(&mut self, buffers: &mut Buffers, plan: &Plan<'_>, position: usize) {
        let mut dead: Vec<KValue> =
            buffers.home.keys().copied().filter(|v| plan.last[v] < position).collect();
        dead.sort();
        for v in dead {
            let mem = buffers.home.remove(&v).expect("just listed");
            buffers.free.entry(self.kernel.values[v]).or_default().push(mem);
        }
    }

    /// A buffer for a value.
    fn buffer(&mut self, buffers: &mut Buffers, v: KValue) -> MemRef {
        let elem = self.kernel.values[v];
        let mem = match buffers.free.entry(elem).or_default().pop() {
            Some(mem) => mem,
            None => {
                let used = buffers.home.keys().filter(|v| self.kernel.values[**v] == elem).count();
                let known = self.tiles.entry(elem).or_default();
                if let Some(&mem) = known.get(used) {
                    mem
                } else {
                    let mem = self.kernel.mems.push(MemRefDef { elem, len: BLOCK, kind: MemKind::Local });
                    known.push(mem);
                    mem
                }
            }
        };
        buffers.home.insert(v, mem);
        mem
    }

    #[allow(clippy::too_many_arguments, reason = "a loop and where its values live")]
    fn stage(
        &mut self,
        out: &mut Vec<KInst>,
        l: &For,
        plan: &Plan<'_>,
        stage: usize,
        tile: KValue,
        len: Extent,
        buffers: &Buffers,
        results: &[KValue],
    ) {
        let counter = self.kernel.values.push(Scalar::I64);
        let mut copy =
            Copy { plan, stage, tile, counter, buffers, map: FxHashMap::default(), insts: Vec::new() };
        let is_last = stage == plan.stages - 1;
        let mut params: SmallVec<[KValue; 2]> = smallvec![counter];
        if is_last {
            for &carry in &l.body.params[1..] {
                let param = self.kernel.values.push(self.kernel.values[carry]);
                copy.map.insert(carry, param);
                params.push(param);
            }
        }
        for (at, inst) in l.body.insts.iter().enumerate() {
            if plan.placed[at] == Some(stage) {
                self.copy_inst(&mut copy, inst);
            }
        }
        for &v in &plan.saved[stage] {
            let value = self.need(&mut copy, v);
            let access = element(buffers.home[&v], counter);
            copy.insts.push(KInst {
                op: KOp::Store(access),
                operands: smallvec![value],
                results: smallvec![],
            });
        }
        let yields: SmallVec<[KValue; 2]> = if is_last {
            l.body.yields.iter().map(|&v| self.need(&mut copy, v)).collect()
        } else {
            smallvec![]
        };
        let insts = copy.insts;
        if insts.is_empty() && yields.is_empty() {
            return;
        }
        let kind = if is_last { l.kind.clone() } else { LoopKind::Vector };
        let body = Block { params, insts, yields };
        let results = if is_last { SmallVec::from_slice(results) } else { smallvec![] };
        let op = KOp::For(Box::new(For { start: Extent::Const(0), end: len, step: 1, kind, body }));
        out.push(KInst { op, operands: smallvec![], results });
    }

    /// Adds an instruction to a stage; gives its result's copy if it has one.
    fn copy_inst(&mut self, copy: &mut Copy<'_, '_>, inst: &KInst) -> Option<KValue> {
        let operands = inst.operands.iter().map(|&v| self.need(copy, v)).collect();
        let op = match &inst.op {
            KOp::Load(access) => KOp::Load(self.copy_access(copy, access)),
            KOp::Store(access) => KOp::Store(self.copy_access(copy, access)),
            op => op.clone(),
        };
        let results: SmallVec<[KValue; 1]> = inst
            .results
            .iter()
            .map(|&v| {
                let ty = self.kernel.values[v];
                let new = self.kernel.values.push(ty);
                copy.map.insert(v, new);
                new
            })
            .collect();
        let result = results.first().copied();
        copy.insts.push(KInst { op, operands, results });
        result
    }

    fn copy_access(&mut self, copy: &mut Copy<'_, '_>, access: &Access) -> Access {
        let mut new = Access { mem: access.mem, offset: access.offset, terms: SmallVec::new() };
        for &(v, stride) in &access.terms {
            if v == copy.plan.l.body.params[0] {
                add_term(&mut new, copy.tile, stride);
                add_term(&mut new, copy.counter, stride.wrapping_mul(copy.plan.l.step));
            } else {
                let v = self.need(copy, v);
                add_term(&mut new, v, stride);
            }
        }
        new
    }

    /// A scalar of the loop in a stage's copy of the body.
    fn need(&mut self, copy: &mut Copy<'_, '_>, v: KValue) -> KValue {
        if let Some(&known) = copy.map.get(&v) {
            return known;
        }
        if v == copy.plan.l.body.params[0] {
            let mut scaled = copy.counter;
            if copy.plan.l.step != 1 {
                let step = self.emit(&mut copy.insts, KOp::Const(copy.plan.l.step as u64), &[], Scalar::I64);
                scaled = self.emit(&mut copy.insts, KOp::Binary(KBinary::Mul), &[scaled, step], Scalar::I64);
            }
            let sum =
                self.emit(&mut copy.insts, KOp::Binary(KBinary::Add), &[copy.tile, scaled], Scalar::I64);
            copy.map.insert(v, sum);
            return sum;
        }
        let Some(&at) = copy.plan.definitions.get(&v) else { return v };
        if copy.plan.placed[at].is_none() && !copy.plan.is_call(at) {
            let inst = &copy.plan.l.body.insts[at];
            return self.copy_inst(copy, inst).expect("a definition");
        }
        debug_assert!(copy.plan.stage_of[&v] <= copy.stage, "a value of a later stage");
        let access = element(copy.buffers.home[&v], copy.counter);
        let value = self.emit(&mut copy.insts, KOp::Load(access), &[], self.kernel.values[v]);
        copy.map.insert(v, value);
        value
    }
}

/// A stage's loop body being made.
struct Copy<'p, 'l> {
    plan: &'p Plan<'l>,
    stage: usize,
    tile: KValue,
    counter: KValue,
    buffers: &'p Buffers,
    map: FxHashMap<KValue, KValue>,
    insts: Vec<KInst>,
}

/// Where values that cross stages live.
struct Buffers {
    home: FxHashMap<KValue, MemRef>,
    free: BTreeMap<Scalar, Vec<MemRef>>,
}

fn whole(mem: MemRef) -> Access {
    Access { mem, offset: 0, terms: SmallVec::new() }
}

fn element(mem: MemRef, counter: KValue) -> Access {
    Access { mem, offset: 0, terms: smallvec![(counter, 1)] }
}

/// Adds `value * stride` to a position, where a value may occur once.
fn add_term(access: &mut Access, value: KValue, stride: i64) {
    match access.terms.iter_mut().find(|(v, _)| *v == value) {
        Some((_, known)) => *known = known.wrapping_add(stride),
        None => access.terms.push((value, stride)),
    }
}
