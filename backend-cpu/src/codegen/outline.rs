//! Instructions becoming a kernel of their own.
//!
//! Names are given in order of first use, so that instructions that do the same with other memories and scalars
//! become equal kernels.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};
use wengert_ir::kernel::{
    Access, Block, Extent, KBinary, KInst, KOp, KValue, Kernel, Library, MemKind, MemRef, MemRefDef, Place,
    Program,
};
use wengert_ir::{launch_ops, scalar_ops};

/// How a kernel reaches memories of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reach {
    /// It names them.
    Named,
    /// Its caller passes them, but for stacks, which move.
    Passed,
}

/// Calls `f` with every scalar and every memory that an instruction names, those of its blocks included.
pub(super) fn names(inst: &mut KInst, value: &mut dyn FnMut(&mut KValue), mem: &mut dyn FnMut(&mut MemRef)) {
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
            Library::Section(_) => {}
        },
        KOp::Reserve(m) => mem(m),
        launch_ops!() => unreachable!("launches are refused"),
        scalar_ops!() | KOp::Steps(_) => {}
    }
    inst.results.iter_mut().for_each(value);
}

/// The scalars that an instruction names.
pub(super) fn scalars(inst: &KInst) -> Vec<KValue> {
    let mut all = Vec::new();
    names(&mut inst.clone(), &mut |v| all.push(*v), &mut |_| ());
    all
}

/// Puts operands that may be exchanged in order of definition, in an instruction and its blocks: the optimizer leaves them
/// in either order, and what is equal otherwise should be equal.
pub(super) fn commute(inst: &mut KInst) {
    use KBinary as B;
    match inst.op {
        // Not `Min` and `Max`, of zeros of both signs.
        KOp::Binary(B::Add | B::Mul | B::And | B::Or | B::Xor) | KOp::Fma => {
            inst.operands[..2].sort_unstable()
        }
        KOp::Binary(
            B::Sub
            | B::Div
            | B::DivU
            | B::Rem
            | B::RemU
            | B::Min
            | B::MinU
            | B::Max
            | B::MaxU
            | B::Shl
            | B::Shr
            | B::ShrU
            | B::NextAfter,
        )
        | KOp::Const(_)
        | KOp::Unary(_)
        | KOp::Compare(..)
        | KOp::Select
        | KOp::Cast(_)
        | KOp::Math(_)
        | KOp::Math2(_)
        | KOp::Load(_)
        | KOp::Store(_)
        | KOp::For(_)
        | KOp::While(_)
        | KOp::Switch(_)
        | KOp::Call { .. }
        | KOp::Parallel { .. }
        | launch_ops!()
        | KOp::Library(_)
        | KOp::Reserve(_)
        | KOp::Steps(_) => {}
    }
    inst.op.blocks_mut().for_each(|block| block.insts.iter_mut().for_each(commute));
}

/// Scalars that an instruction and its blocks define.
fn definitions(inst: &KInst, all: &mut FxHashSet<KValue>) {
    all.extend(inst.results.iter().copied());
    for block in inst.op.blocks() {
        all.extend(block.params.iter().copied());
        block.insts.iter().for_each(|inst| definitions(inst, all));
    }
}

/// Scalars that a block defines, its parameters included.
pub(super) fn defined(block: &Block) -> FxHashSet<KValue> {
    let mut all: FxHashSet<KValue> = block.params.iter().copied().collect();
    block.insts.iter().for_each(|inst| definitions(inst, &mut all));
    all
}

/// Where a scalar lies between kernels: element `index` of the part of a buffer that begins at `start`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) buffer: MemRef,
    pub(super) start: usize,
    pub(super) index: usize,
}

impl Slot {
    /// The element, in the kernel that the buffer belongs to.
    pub(super) fn access(self) -> Access {
        element(self.buffer, self.start + self.index)
    }
}

/// An element of a memory.
pub(super) fn element(mem: MemRef, at: usize) -> Access {
    Access { mem, offset: at as i64, terms: SmallVec::new() }
}

/// A kernel in the making.
pub(super) struct Outline<'k> {
    program: &'k Program,
    old: &'k Kernel,
    /// Scalars of the old kernel that are constants: made anew rather than passed.
    constants: &'k Constants,
    reach: Reach,
    new: Kernel,
    values: FxHashMap<KValue, KValue>,
    /// By the old name and where in it the new one begins.
    mems: FxHashMap<(MemRef, usize), MemRef>,
    /// Memories and scalars passed to it, by the caller's names.
    passed_mems: Vec<Access>,
    passed: Vec<KValue>,
    inner: FxHashSet<KValue>,
    given: u32,
}

/// A kernel and what to call it with. Memories that it writes scalars to come last, and are not among `mems`.
pub(super) struct Outlined {
    pub(super) kernel: Kernel,
    pub(super) mems: Vec<Access>,
    pub(super) operands: SmallVec<[KValue; 3]>,
}

/// Scalars of a kernel that are constants.
pub(super) type Constants = FxHashMap<KValue, u64>;

/// All of a kernel.
pub(super) fn constants(kernel: &Kernel) -> Constants {
    let mut constants = Constants::default();
    kernel.body.visit(&mut |inst| {
        if let KOp::Const(word) = inst.op {
            constants.insert(inst.results[0], word);
        }
    });
    constants
}

impl<'k> Outline<'k> {
    pub(super) fn new(program: &'k Program, old: &'k Kernel, constants: &'k Constants, reach: Reach) -> Self {
        Self {
            program,
            old,
            constants,
            reach,
            new: Kernel::default(),
            values: FxHashMap::default(),
            mems: FxHashMap::default(),
            passed_mems: Vec::new(),
            passed: Vec::new(),
            inner: FxHashSet::default(),
            given: 0,
        }
    }

    /// Whether the scalar has a name here.
    pub(super) fn has(&self, v: KValue) -> bool {
        self.values.contains_key(&v)
    }

    fn mem(&mut self, m: MemRef) -> MemRef {
        let def = &self.old.mems[m];
        match def.kind {
            MemKind::Program(mem)
                if self.reach == Reach::Named || self.program.mems[mem].place == Place::Stack =>
            {
                let new = &mut self.new;
                *self.mems.entry((m, 0)).or_insert_with(|| new.mems.push(def.clone()))
            }
            MemKind::Program(_) | MemKind::Param(_) | MemKind::Local | MemKind::Workgroup => {
                self.part(m, 0, def.len)
            }
        }
    }

    /// `len` elements of a memory from `start` on, passed.
    fn part(&mut self, m: MemRef, start: usize, len: usize) -> MemRef {
        let key = (m, start);
        if let Some(&known) = self.mems.get(&key) {
            let def = &mut self.new.mems[known];
            def.len = def.len.max(len);
            return known;
        }
        let kind = MemKind::Param(self.passed_mems.len() as u32);
        self.passed_mems.push(element(m, start));
        let new = self.new.mems.push(MemRefDef { elem: self.old.mems[m].elem, len, kind });
        self.mems.insert(key, new);
        new
    }

    fn define(&mut self, v: KValue) -> KValue {
        let new = self.new.values.push(self.old.values[v]);
        self.values.insert(v, new);
        new
    }

    fn push(&mut self, op: KOp, operands: SmallVec<[KValue; 3]>, results: SmallVec<[KValue; 1]>) {
        self.new.body.insts.push(KInst { op, operands, results });
    }

    fn constant(&mut self, v: KValue, word: u64) {
        let result = self.define(v);
        self.push(KOp::Const(word), smallvec![], smallvec![result]);
    }

    /// A scalar is read from where it lies.
    pub(super) fn load(&mut self, v: KValue, slot: Slot) {
        let mem = self.part(slot.buffer, slot.start, slot.index + 1);
        let result = self.define(v);
        self.push(KOp::Load(element(mem, slot.index)), smallvec![], smallvec![result]);
    }

    /// A scalar is written to where it is to lie.
    pub(super) fn store(&mut self, v: KValue, slot: Slot) {
        let mem = self.part(slot.buffer, slot.start, slot.index + 1);
        let operand = self.values[&v];
        self.push(KOp::Store(element(mem, slot.index)), smallvec![operand], smallvec![]);
    }

    /// Writes a scalar to a memory of its own that the caller passes. After everything else.
    pub(super) fn give(&mut self, v: KValue) {
        let kind = MemKind::Param(self.passed_mems.len() as u32 + self.given);
        self.given += 1;
        let mem = self.new.mems.push(MemRefDef { elem: self.old.values[v], len: 1, kind });
        let operand = self.values[&v];
        self.push(KOp::Store(element(mem, 0)), smallvec![operand], smallvec![]);
    }

    /// An instruction; scalars that have no name yet and that it does not define are passed.
    pub(super) fn inst(&mut self, inst: &KInst) {
        let mut inst = inst.clone();
        commute(&mut inst);
        definitions(&inst, &mut self.inner);
        for v in scalars(&inst) {
            if self.has(v) {
                continue;
            }
            match self.constants.get(&v) {
                Some(&word) if !self.inner.contains(&v) => self.constant(v, word),
                _ => {
                    self.define(v);
                    if !self.inner.contains(&v) {
                        self.passed.push(v);
                    }
                }
            }
        }
        let mut mems = Vec::new();
        names(&mut inst, &mut |_| (), &mut |m| mems.push(*m));
        for m in mems {
            self.mem(m);
        }
        let (values, mems) = (&self.values, &self.mems);
        names(&mut inst, &mut |v| *v = values[v], &mut |m| *m = mems[&(*m, 0)]);
        self.new.body.insts.push(inst);
    }

    /// Whether two of its memories share bytes, and one is stored to: a kernel that takes them as parameters may not.
    pub(super) fn overlaps(&self) -> bool {
        let mut spans: Vec<(usize, usize)> = Vec::new();
        for &(m, _) in self.mems.keys() {
            if let MemKind::Program(mem) = self.old.mems[m].kind {
                let def = &self.program.mems[mem];
                if let Place::Scratch(at) = def.place {
                    spans.push((at, at + def.bytes()));
                }
            }
        }
        // Every scratch memory was stored to, here or before; two that are only read do not share bytes.
        spans.sort_unstable();
        spans.windows(2).any(|pair| pair[1].0 < pair[0].1)
    }

    pub(super) fn finish(mut self) -> Outlined {
        self.new.body.params = self.passed.iter().map(|v| self.values[v]).collect();
        Outlined { kernel: self.new, mems: self.passed_mems, operands: self.passed.into_iter().collect() }
    }
}
