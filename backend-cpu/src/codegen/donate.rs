//! Which results may take the memory of an argument that nobody needs after the call.
//!
//! A result may lie where an argument lies if no element of the argument is read after the result has been written there.
//! In a sequence of instructions that is a matter of order. A loop that does both is fine if its iterations touch
//! disjoint parts of the two, laid out alike, and each reads its part before it writes it: `x - rate * g` into `x`. What is
//! not seen to be so is taken not to be.

use super::outline::{defined, scalars};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use wengert_ir::kernel::{
    Access, Block, Extent, For, KBinary, KInst, KOp, KValue, Kernel, KernelId, Library, Mem, MemKind, MemRef,
    Place, Program, Scalar,
};
use wengert_ir::{launch_ops, scalar_ops};

/// Results of fewer bytes are not worth it.
const LEAST: usize = 256;
/// Most accesses of a loop that are compared.
const MOST: usize = 2_000;

/// Pairs of an argument and a result that may have its memory; each at most once. `program` is as it is compiled.
pub(crate) fn donations(program: &Program) -> Vec<(u32, u32)> {
    let of = |want: &dyn Fn(&Place) -> Option<u32>| -> Vec<(u32, Mem)> {
        let mut found: Vec<_> =
            program.mems.iter().filter_map(|(mem, def)| Some((want(&def.place)?, mem))).collect();
        found.sort();
        // What two memories stand for is left alone.
        let numbers: Vec<u32> = found.iter().map(|(number, _)| *number).collect();
        found.retain(|(number, _)| numbers.iter().filter(|&n| n == number).count() == 1);
        found
    };
    let params = of(&|place| if let Place::Param(n) = place { Some(*n) } else { None });
    let results = of(&|place| if let Place::Result(n) = place { Some(*n) } else { None });
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    for (result, to) in results {
        let def = &program.mems[to];
        let bytes = def.bytes();
        let fits = |&&(param, from): &&(u32, Mem)| {
            let other = &program.mems[from];
            other.elem == def.elem
                && other.bytes() == bytes
                && pairs.iter().all(|&(taken, _)| taken != param)
                && program.params[param as usize].bytes() == bytes
                && program.results[result as usize].bytes() == bytes
        };
        if bytes >= LEAST
            && let Some(&(param, _)) = params.iter().find(|pair| fits(pair) && may_share(program, pair.1, to))
        {
            pairs.push((param, result));
        }
    }
    pairs
}

fn may_share(program: &Program, from: Mem, to: Mem) -> bool {
    let entry = &program.kernels[program.entry];
    let (ranges, most) = (FxHashMap::default(), FxHashMap::default());
    let mut walk = Walk { program, pair: [from, to], ranges, most, calls: 0 };
    let frame = walk.frame(entry, &[]);
    walk.block(&frame, &entry.body, false).is_some()
}

/// A scalar of a call in progress.
type Name = (u32, KValue);

/// Which of the two an access is to, and where: an offset and terms.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Touch {
    writes: bool,
    offset: i64,
    terms: SmallVec<[(Name, i64); 4]>,
}

/// Where a memref of a kernel begins, if it is one of the two: which, and the position.
type Base = (bool, i64, SmallVec<[(Name, i64); 4]>);

/// A call of a kernel.
struct Frame<'p> {
    number: u32,
    kernel: &'p Kernel,
    bases: FxHashMap<MemRef, Base>,
}

struct Walk<'p> {
    program: &'p Program,
    pair: [Mem; 2],
    /// First value of counters, and one that the last is not above.
    ranges: FxHashMap<Name, (i64, i64)>,
    /// Upper bounds of constants, and of the smaller of something and a constant: the length of a tile.
    most: FxHashMap<Name, i64>,
    calls: u32,
}

impl<'p> Walk<'p> {
    fn frame(&mut self, kernel: &'p Kernel, passed: &[Option<Base>]) -> Frame<'p> {
        self.calls += 1;
        let mut bases = FxHashMap::default();
        for (mem, def) in kernel.mems.iter() {
            let base = match def.kind {
                MemKind::Program(m) if m == self.pair[0] => Some((false, 0, SmallVec::new())),
                MemKind::Program(m) if m == self.pair[1] => Some((true, 0, SmallVec::new())),
                MemKind::Param(n) => passed.get(n as usize).cloned().flatten(),
                MemKind::Program(_) | MemKind::Local | MemKind::Workgroup => None,
            };
            if let Some(base) = base {
                bases.insert(mem, base);
            }
        }
        Frame { number: self.calls, kernel, bases }
    }

    fn callee(&mut self, frame: &Frame<'p>, kernel: KernelId, mems: &[Access]) -> Frame<'p> {
        let bases: Vec<Option<Base>> = mems.iter().map(|access| resolve(frame, access)).collect();
        self.frame(&self.program.kernels[kernel], &bases)
    }

    /// Whether the instructions of a block read before they write; `written` says whether the result was written to before,
    /// and the answer whether it is afterwards. `None` if they may not.
    fn block(&mut self, frame: &Frame<'p>, block: &'p Block, mut written: bool) -> Option<bool> {
        // A load may be done as late as at its last use.
        let mut loaded: Vec<KValue> = Vec::new();
        for inst in &block.insts {
            if written && !loaded.is_empty() && scalars(inst).iter().any(|v| loaded.contains(v)) {
                return None;
            }
            match &inst.op {
                KOp::Load(access) => {
                    if let Some((false, ..)) = resolve(frame, access) {
                        if written {
                            return None;
                        }
                        loaded.push(inst.results[0]);
                    }
                }
                KOp::Store(access) => match resolve(frame, access) {
                    Some((true, ..)) => written = true,
                    // Arguments are not stored to.
                    Some((false, ..)) => return None,
                    None => {}
                },
                KOp::For(l) => written = self.iterate(frame, l, &l.body, written)?,
                KOp::While(l) => {
                    let (reads, writes) = self.both(frame, &[&l.cond, &l.body]);
                    if reads && (writes || written) {
                        return None;
                    }
                    written |= writes;
                }
                KOp::Switch(arms) => {
                    let before = written;
                    for arm in arms {
                        written |= self.block(frame, arm, before)?;
                    }
                }
                KOp::Call { kernel, mems } => {
                    let inner = self.callee(frame, *kernel, mems);
                    written = self.block(&inner, &inner.kernel.body, written)?;
                }
                KOp::Parallel { kernel, mems, .. } => {
                    let inner = self.callee(frame, *kernel, mems);
                    written = self.pieces(&inner, written)?;
                }
                KOp::Library(library) => {
                    let in_place = is_in_place(frame, library);
                    let (mut reads, mut writes) = (false, false);
                    for (is_write, access) in touched(library) {
                        match resolve(frame, access) {
                            Some((is_result, ..)) if is_result || is_write => writes = true,
                            Some(_) => reads = true,
                            None => {}
                        }
                    }
                    if reads && (writes && !in_place || written) {
                        return None;
                    }
                    written |= writes;
                }
                scalar_ops!() => self.bound(frame, inst),
                launch_ops!() => return None,
                KOp::Reserve(_) | KOp::Steps(_) => {}
            }
        }
        Some(written)
    }

    /// A loop whose body does both: iterations must touch disjoint parts.
    fn iterate(&mut self, frame: &Frame<'p>, l: &'p For, body: &'p Block, written: bool) -> Option<bool> {
        let (reads, writes) = self.both(frame, &[body]);
        if !reads {
            return Some(written || writes);
        }
        if written {
            return None;
        }
        if !writes {
            return Some(false);
        }
        let counter = (frame.number, *body.params.first()?);
        let touches = self.touches(frame, body)?;
        let coefficient =
            |t: &Touch| t.terms.iter().filter(|(v, _)| *v == counter).map(|(_, c)| c).sum::<i64>();
        let stride = coefficient(touches.first()?);
        // The parts that one iteration touches, apart from what all have in common: terms that are the same in all of the
        // loop, being defined outside.
        let inner = defined(body);
        let within = |&(call, v): &Name| call > frame.number || call == frame.number && inner.contains(&v);
        let mut common: Option<SmallVec<[(Name, i64); 4]>> = None;
        let (mut low, mut high) = (i64::MAX, i64::MIN);
        for touch in &touches {
            if coefficient(touch) != stride {
                return None;
            }
            let (mut least, mut most) = (touch.offset, touch.offset);
            let mut outer = SmallVec::new();
            for &(name, c) in touch.terms.iter().filter(|(v, _)| *v != counter) {
                if !within(&name) {
                    outer.push((name, c));
                    continue;
                }
                let &(first, last) = self.ranges.get(&name)?;
                least = least.checked_add(c.checked_mul(if c < 0 { last } else { first })?)?;
                most = most.checked_add(c.checked_mul(if c < 0 { first } else { last })?)?;
            }
            outer.sort();
            match &common {
                None => common = Some(outer),
                Some(known) if *known == outer => {}
                Some(_) => return None,
            }
            (low, high) = (low.min(least), high.max(most));
        }
        if high.checked_sub(low)? >= stride.checked_abs()?.checked_mul(l.step)? {
            return None;
        }
        self.block(frame, body, false)
    }

    /// A kernel whose pieces may run at the same time: one loop over the range does all there is to the two.
    fn pieces(&mut self, frame: &Frame<'p>, written: bool) -> Option<bool> {
        let body = &frame.kernel.body;
        let (reads, writes) = self.both(frame, &[body]);
        if !reads {
            return Some(written || writes);
        }
        if written {
            return None;
        }
        if !writes {
            return Some(false);
        }
        let involved = |walk: &mut Self, inst: &'p KInst| {
            let mut all = Vec::new();
            walk.collect(frame, inst, &mut all) != Some(()) || !all.is_empty()
        };
        let mut only = None;
        for inst in &body.insts {
            if involved(self, inst) && only.replace(inst).is_some() {
                return None;
            }
        }
        let (&low, &high) = (body.params.first()?, body.params.get(1)?);
        match &only?.op {
            KOp::For(l) if l.start == Extent::Value(low) && l.end == Extent::Value(high) => {
                self.iterate(frame, l, &l.body, false)
            }
            _ => None,
        }
    }

    /// Whether blocks read the argument, and whether they write the result (or anything that cannot be told).
    fn both(&mut self, frame: &Frame<'p>, blocks: &[&'p Block]) -> (bool, bool) {
        let mut all = Vec::new();
        for block in blocks {
            for inst in &block.insts {
                if self.collect(frame, inst, &mut all).is_none() {
                    return (true, true);
                }
            }
        }
        (all.iter().any(|t| !t.writes), all.iter().any(|t| t.writes))
    }

    fn touches(&mut self, frame: &Frame<'p>, body: &'p Block) -> Option<Vec<Touch>> {
        let mut all = Vec::new();
        body.insts.iter().try_for_each(|inst| self.collect(frame, inst, &mut all))?;
        Some(all)
    }

    /// All that an instruction does to the two; `None` if that is more than can be said.
    fn collect(&mut self, frame: &Frame<'p>, inst: &'p KInst, all: &mut Vec<Touch>) -> Option<()> {
        let blocks = |walk: &mut Self, all: &mut Vec<Touch>| {
            inst.op.blocks().flat_map(|b| &b.insts).try_for_each(|inst| walk.collect(frame, inst, all))
        };
        match &inst.op {
            KOp::Load(access) | KOp::Store(access) => {
                let store = matches!(inst.op, KOp::Store(_));
                if let Some((is_result, offset, terms)) = resolve(frame, access) {
                    // Reading back what was written of the result concerns its place like a write.
                    all.push(Touch { writes: store || is_result, offset, terms });
                }
                (all.len() <= MOST).then_some(())
            }
            KOp::For(l) => {
                if let (Extent::Const(start), Some(end)) = (l.start, self.at_most(frame, l.end)) {
                    let last = start + end.saturating_sub(start).saturating_sub(1).max(0) / l.step * l.step;
                    self.ranges.insert((frame.number, *l.body.params.first()?), (start, last));
                }
                blocks(self, all)
            }
            KOp::While(_) | KOp::Switch(_) => blocks(self, all),
            KOp::Call { kernel, mems } | KOp::Parallel { kernel, mems, .. } => {
                let inner = self.callee(frame, *kernel, mems);
                if inner.bases.is_empty() && !self.names_either(inner.kernel) {
                    return Some(());
                }
                inner.kernel.body.insts.iter().try_for_each(|inst| self.collect(&inner, inst, all))
            }
            KOp::Library(library) => {
                for (is_write, access) in touched(library) {
                    let Some((is_result, offset, terms)) = resolve(frame, access) else { continue };
                    let (Library::Tile { len, .. } | Library::Tile2 { len, .. }) = &**library else {
                        return None;
                    };
                    // A tile is all that lies between its first element and its last.
                    let last = offset.checked_add((self.at_most(frame, *len)? - 1).max(0))?;
                    let writes = is_write || is_result;
                    all.push(Touch { writes, offset, terms: terms.clone() });
                    all.push(Touch { writes, offset: last, terms });
                }
                (all.len() <= MOST).then_some(())
            }
            scalar_ops!() => {
                self.bound(frame, inst);
                Some(())
            }
            launch_ops!() => None,
            KOp::Reserve(_) | KOp::Steps(_) => Some(()),
        }
    }

    /// Remembers what a scalar cannot be greater than, if the instruction says it.
    fn bound(&mut self, frame: &Frame<'p>, inst: &KInst) {
        let of = |v: &KValue| self.most.get(&(frame.number, *v)).copied();
        let most = if let KOp::Const(word) = &inst.op {
            (frame.kernel.values[inst.results[0]] == Scalar::I64).then_some(*word as i64)
        } else if inst.op == KOp::Binary(KBinary::Min) {
            inst.operands.iter().filter_map(of).min()
        } else {
            None
        };
        if let Some(most) = most {
            self.most.insert((frame.number, inst.results[0]), most);
        }
    }

    fn at_most(&self, frame: &Frame<'p>, extent: Extent) -> Option<i64> {
        match extent {
            Extent::Const(n) => Some(n),
            Extent::Value(v) => self.most.get(&(frame.number, v)).copied(),
        }
    }

    /// Whether a kernel, or one that it calls, names one of the two by itself.
    fn names_either(&self, kernel: &Kernel) -> bool {
        let own =
            kernel.mems.values().any(|m| matches!(m.kind, MemKind::Program(mem) if self.pair.contains(&mem)));
        own || {
            let mut any = false;
            kernel.body.visit(&mut |inst| {
                if let KOp::Call { kernel, .. } | KOp::Parallel { kernel, .. } = &inst.op {
                    any |= self.names_either(&self.program.kernels[*kernel]);
                }
            });
            any
        }
    }
}

/// Which of the two an access is to, and where.
fn resolve(frame: &Frame<'_>, access: &Access) -> Option<Base> {
    let (is_result, offset, terms) = frame.bases.get(&access.mem)?;
    let mut terms = terms.clone();
    terms.extend(access.terms.iter().map(|&(v, c)| ((frame.number, v), c)));
    Some((*is_result, offset + access.offset, terms))
}

/// What a routine touches, and whether it writes there.
fn touched(library: &Library) -> SmallVec<[(bool, &Access); 4]> {
    match library {
        Library::Gemm { a, b, c, adds, .. } => {
            let mut all = SmallVec::from_slice(&[(false, &a.at), (false, &b.at), (true, &c.at)]);
            if *adds {
                all.insert(0, (false, &c.at));
            }
            all
        }
        Library::Tile { src, dst, .. } => SmallVec::from_slice(&[(false, src), (true, dst)]),
        Library::Tile2 { a, b, dst, .. } => SmallVec::from_slice(&[(false, a), (false, b), (true, dst)]),
        Library::Reference { inputs, outputs, .. } => {
            inputs.iter().map(|a| (false, a)).chain(outputs.iter().map(|a| (true, a))).collect()
        }
        Library::Section(_) => SmallVec::new(),
    }
}

/// Whether a routine may have its target where its sources lie, and what it reads of the argument lies where it writes.
fn is_in_place(frame: &Frame<'_>, library: &Library) -> bool {
    let (Library::Tile { dst, .. } | Library::Tile2 { dst, .. }) = library else { return false };
    let place = |access| resolve(frame, access).map(|(_, offset, terms)| (offset, terms));
    let target = place(dst);
    touched(library).iter().all(|(_, access)| place(access).is_none_or(|at| Some(at) == target))
}
