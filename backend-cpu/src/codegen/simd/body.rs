//! Straight-line code over vectors, in static single assignment: what a loop's body becomes before registers
//! are chosen.

use super::enc;
use super::enc::Enc;
use crate::options::Wide;
use rustc_hash::FxHashMap;
use wengert_ir::kernel::Scalar;

/// A vector.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct V(pub(super) u32);

/// A mask: one truth value per lane.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct K(pub(super) u32);

/// What an instruction reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Src {
    /// A vector.
    V(V),
    /// The same number in every lane: its bits.
    Number(u64),
    /// The same number in every lane: one of those given at the call.
    Uniform(u32),
    /// Lanes `first, first + 1, ...` as integers.
    Iota(u32),
}

/// Bytes of a lane: 4 or 8.
pub(super) type Size = u8;

/// Contiguous memory: pointer number, bytes to add, and bytes per iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Run {
    /// Which of the pointers given at the call.
    pub(super) pointer: u32,
    /// Bytes to add.
    pub(super) offset: i32,
    /// Bytes of an element: the scale of the loop counter.
    pub(super) scale: u8,
}

/// What a multiply-add negates: 1 what is added, 2 the product, 3 both.
pub(super) type Signs = u8;

/// Which of a round's 16 iterations a vector's lanes are: as many vectors are before it.
pub(super) type Part = u8;

/// An instruction.
#[derive(Clone, Copy, Debug)]
pub(super) enum Inst {
    /// `to = op(x)`.
    Unary { enc: Enc, size: Size, imm: Option<u8>, x: Src, to: V },
    /// `to = op(x)` where the encoding has source and target exchanged, and they are registers.
    Reversed { enc: Enc, imm: Option<u8>, x: V, to: V },
    /// `to = op(a, b)`.
    Binary { enc: Enc, size: Size, imm: Option<u8>, commutes: bool, a: Src, b: Src, to: V },
    /// `to = a * b + c`, rounded once, with the product or `c` negated as `signs` says.
    Fma { signs: Signs, size: Size, a: Src, b: Src, c: Src, to: V },
    /// `to = mask ? op(a, b) : base`.
    Where { enc: Enc, size: Size, mask: K, a: V, b: Src, base: V, to: V },
    /// `to = mask ? yes : no`.
    Select { size: Size, mask: K, yes: Src, no: Src, to: V },
    /// `to = mask ? yes : no` where the mask is a vector: AVX2.
    Choose { mask: V, yes: V, no: V, to: V },
    /// `to = mask ? number : 0`.
    Keep { size: Size, mask: K, number: Src, to: V },
    /// `to = compare(a, b)`.
    Compare { enc: Enc, size: Size, imm: Option<u8>, a: V, b: Src, to: K },
    /// `to = op(a, b)` of masks.
    Masks { op: u8, a: K, b: K, to: K },
    /// `to = not x`.
    Not { x: K, to: K },
    /// The lower lanes of `high` above those of `low`.
    Join { high: K, low: K, to: K },
    /// The upper half of 16 lanes.
    High { x: K, to: K },
    /// Consecutive elements.
    Load { enc: Enc, run: Run, width: u8, part: Part, to: V },
    /// To consecutive elements.
    Store { enc: Enc, run: Run, width: u8, part: Part, from: V },
    /// Elements that do not lie side by side: at the lanes of an index, in elements of `run.scale` bytes, or else `step` apart.
    /// `step` times the loop counter is added.
    Gather { enc: Enc, run: Run, step: i32, index: Option<Src>, part: Part, to: V },
    /// To elements `step` apart.
    Scatter { enc: Enc, run: Run, step: i32, part: Part, from: V },
    /// A row of a block: what lies at an element of lane `row` of those `step` apart, a vector or half of one; over `low` if the
    /// upper half is read.
    Row { run: Run, step: i32, row: u8, low: Option<V>, width: u8, to: V },
    /// A vector, or its lower or upper half, to a row of a block.
    KeepRow { run: Run, step: i32, row: u8, upper: bool, width: u8, from: V },
    /// Of two rows of a block, squares of `side` lanes turned: those of `b` that lie beside the diagonal, with those of `a`, or
    /// the other way round if `second`.
    Turn { size: Size, side: u8, second: bool, a: V, b: V, to: V },
    /// The loop counter, from zero, in every lane.
    Counter { to: V },
}

impl Inst {
    /// Visits the vectors and masks that are read.
    pub(super) fn reads(&self, vector: &mut impl FnMut(V), mask: &mut impl FnMut(K)) {
        let mut source = |x: &Src| match x {
            Src::V(v) => vector(*v),
            Src::Number(_) | Src::Uniform(_) | Src::Iota(_) => {}
        };
        match self {
            Inst::Unary { x, .. } => source(x),
            Inst::Reversed { x, .. } => vector(*x),
            Inst::Binary { a, b, .. } => [a, b].into_iter().for_each(source),
            Inst::Fma { a, b, c, .. } => [a, b, c].into_iter().for_each(source),
            Inst::Where { mask: k, a, b, base, .. } => {
                source(b);
                vector(*a);
                vector(*base);
                mask(*k);
            }
            Inst::Select { mask: k, yes, no, .. } => {
                [yes, no].into_iter().for_each(source);
                mask(*k);
            }
            Inst::Choose { mask, yes, no, .. } => [mask, yes, no].into_iter().for_each(|v| vector(*v)),
            Inst::Keep { mask: k, number, .. } => {
                source(number);
                mask(*k);
            }
            Inst::Compare { a, b, .. } => {
                source(b);
                vector(*a);
            }
            Inst::Masks { a, b, .. } => [a, b].into_iter().for_each(|k| mask(*k)),
            Inst::Not { x, .. } | Inst::High { x, .. } => mask(*x),
            Inst::Join { high, low, .. } => [high, low].into_iter().for_each(|k| mask(*k)),
            Inst::Load { .. } | Inst::Counter { .. } => {}
            Inst::Row { low, .. } => low.iter().for_each(|v| vector(*v)),
            Inst::Turn { a, b, .. } => [a, b].into_iter().for_each(|v| vector(*v)),
            Inst::Store { from, .. } | Inst::Scatter { from, .. } | Inst::KeepRow { from, .. } => {
                vector(*from)
            }
            Inst::Gather { index, .. } => index.iter().for_each(source),
        }
    }

    /// Visits what is the same in every lane and in every round.
    pub(super) fn constants(&self, f: &mut impl FnMut(Size, Src)) {
        let mut visit = |size: &Size, sources: &[&Src]| {
            for &&x in sources {
                if matches!(x, Src::Number(_) | Src::Uniform(_)) {
                    f(*size, x);
                }
            }
        };
        match self {
            Inst::Unary { size, x, .. } => visit(size, &[x]),
            Inst::Binary { size, a, b, .. } => visit(size, &[a, b]),
            Inst::Fma { size, a, b, c, .. } => visit(size, &[a, b, c]),
            Inst::Where { size, b, .. } | Inst::Compare { size, b, .. } => visit(size, &[b]),
            Inst::Select { size, yes, no, .. } => visit(size, &[yes, no]),
            // Its constant has to come from memory.
            Inst::Keep { .. }
            | Inst::Choose { .. }
            | Inst::Reversed { .. }
            | Inst::Masks { .. }
            | Inst::Not { .. }
            | Inst::Join { .. }
            | Inst::High { .. }
            | Inst::Load { .. }
            | Inst::Store { .. }
            | Inst::Gather { .. }
            | Inst::Scatter { .. }
            | Inst::Row { .. }
            | Inst::KeepRow { .. }
            | Inst::Turn { .. }
            | Inst::Counter { .. } => {}
        }
    }

    /// The pointer it goes through, and whether it stores there.
    pub(super) fn access(&self) -> Option<(u32, bool)> {
        match self {
            Inst::Load { run, .. } | Inst::Gather { run, .. } | Inst::Row { run, .. } => {
                Some((run.pointer, false))
            }
            Inst::Store { run, .. } | Inst::Scatter { run, .. } | Inst::KeepRow { run, .. } => {
                Some((run.pointer, true))
            }
            Inst::Unary { .. }
            | Inst::Reversed { .. }
            | Inst::Binary { .. }
            | Inst::Fma { .. }
            | Inst::Where { .. }
            | Inst::Select { .. }
            | Inst::Choose { .. }
            | Inst::Keep { .. }
            | Inst::Compare { .. }
            | Inst::Masks { .. }
            | Inst::Not { .. }
            | Inst::Join { .. }
            | Inst::High { .. }
            | Inst::Turn { .. }
            | Inst::Counter { .. } => None,
        }
    }

    /// What is written.
    pub(super) fn writes(&self) -> (Option<V>, Option<K>) {
        match *self {
            Inst::Unary { to, .. }
            | Inst::Reversed { to, .. }
            | Inst::Binary { to, .. }
            | Inst::Fma { to, .. }
            | Inst::Where { to, .. }
            | Inst::Select { to, .. }
            | Inst::Choose { to, .. }
            | Inst::Keep { to, .. }
            | Inst::Load { to, .. }
            | Inst::Gather { to, .. }
            | Inst::Row { to, .. }
            | Inst::Turn { to, .. }
            | Inst::Counter { to } => (Some(to), None),
            Inst::Compare { to, .. }
            | Inst::Masks { to, .. }
            | Inst::Not { to, .. }
            | Inst::Join { to, .. }
            | Inst::High { to, .. } => (None, Some(to)),
            Inst::Store { .. } | Inst::Scatter { .. } | Inst::KeepRow { .. } => (None, None),
        }
    }
}

/// Lanes of an accumulator: those of 16 that fill a vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Carried {
    /// Which of the loop's accumulators.
    pub(super) number: usize,
    /// Which lanes of 16.
    pub(super) part: Part,
    /// Bytes of a lane.
    pub(super) size: Size,
    /// What a round starts with.
    pub(super) from: V,
    /// What it ends with.
    pub(super) to: V,
}

/// What makes two computations the same.
type Key = (Enc, Size, Option<u8>, [Option<Src>; 3]);

/// A body.
#[derive(Default)]
pub(super) struct Body {
    pub(super) insts: Vec<Inst>,
    pub(super) vectors: u32,
    pub(super) masks: u32,
    /// How long vectors are.
    pub(super) wide: Wide,
    /// Accumulators.
    pub(super) carried: Vec<Carried>,
    /// Iterations of a round: 16 or 8.
    pub(super) width: u8,
    /// What is computed already.
    known: FxHashMap<Key, V>,
    /// Of floats with their sign turned, what they were.
    negations: FxHashMap<V, Src>,
    /// Of differences of integers, the operands.
    differences: FxHashMap<V, [Src; 2]>,
    known_masks: FxHashMap<Key, K>,
}

impl Body {
    pub(super) fn new(width: u8) -> Self {
        Self { width, ..Self::default() }
    }

    /// The same results by other instructions, with this many vectors.
    pub(super) fn with(&self, insts: Vec<Inst>, vectors: u32) -> Self {
        let Self { masks, wide, width, .. } = *self;
        let carried = self.carried.clone();
        Self { insts, vectors, masks, wide, carried, width, ..Self::default() }
    }

    pub(super) fn vector(&mut self) -> V {
        self.vectors += 1;
        V(self.vectors - 1)
    }

    pub(super) fn mask(&mut self) -> K {
        self.masks += 1;
        K(self.masks - 1)
    }

    pub(super) fn unary(&mut self, enc: Enc, size: Size, imm: Option<u8>, x: Src) -> V {
        self.once((enc, size, imm, [Some(x), None, None]), |to| Inst::Unary { enc, size, imm, x, to })
    }

    /// An instruction, unless the same was added before.
    fn once(&mut self, key: Key, inst: impl FnOnce(V) -> Inst) -> V {
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let to = self.vector();
        self.insts.push(inst(to));
        self.known.insert(key, to);
        to
    }

    pub(super) fn binary(&mut self, (enc, commutes): (Enc, bool), size: Size, a: Src, b: Src) -> V {
        let v = self.once((enc, size, None, [Some(a), Some(b), None]), |to| Inst::Binary {
            enc,
            size,
            imm: None,
            commutes,
            a,
            b,
            to,
        });
        if enc::SUB.contains(&enc) {
            self.differences.insert(v, [a, b]);
        }
        v
    }

    /// A float with its sign turned.
    pub(super) fn negated(&mut self, size: Size, x: Src) -> V {
        let sign = Src::Number(1 << (8 * u64::from(size) - 1));
        let v = self.binary((enc::XOR[usize::from(size == 8)], true), size, x, sign);
        self.negations.insert(v, x);
        v
    }

    /// A float without the turn of its sign that it may have, and whether it has one.
    fn plain(&self, x: Src) -> (Src, bool) {
        let Src::V(v) = x else { return (x, false) };
        self.negations.get(&v).map_or((x, false), |&turned| (turned, true))
    }

    /// What an integer is the difference of this and `subtrahend` of.
    pub(super) fn difference(&self, x: Src, subtrahend: Src) -> Option<Src> {
        let Src::V(v) = x else { return None };
        self.differences.get(&v).filter(|d| d[1] == subtrahend).map(|d| d[0])
    }

    /// Drops instructions whose results nobody reads.
    pub(super) fn prune(&mut self) {
        let mut read = vec![false; self.vectors as usize];
        let mut read_masks = vec![false; self.masks as usize];
        self.carried.iter().for_each(|c| read[c.to.0 as usize] = true);
        let mut kept = Vec::with_capacity(self.insts.len());
        for inst in self.insts.drain(..).rev() {
            let (v, k) = inst.writes();
            let wanted = v.is_some_and(|v| read[v.0 as usize]) || k.is_some_and(|k| read_masks[k.0 as usize]);
            if wanted || (v.is_none() && k.is_none()) {
                inst.reads(&mut |v| read[v.0 as usize] = true, &mut |k| read_masks[k.0 as usize] = true);
                kept.push(inst);
            }
        }
        kept.reverse();
        self.insts = kept;
    }

    /// `a * b + c`, rounded once; the instruction turns signs itself.
    pub(super) fn fma(&mut self, size: Size, a: Src, b: Src, c: Src) -> V {
        let [(a, x), (b, y), (c, z)] = [a, b, c].map(|x| self.plain(x));
        let signs = u8::from(x != y) << 1 | u8::from(z);
        self.once((enc::FMA213[signs as usize][0], size, None, [Some(a), Some(b), Some(c)]), |to| Inst::Fma {
            signs,
            size,
            a,
            b,
            c,
            to,
        })
    }

    pub(super) fn select(&mut self, size: Size, mask: K, yes: Src, no: Src) -> V {
        let to = self.vector();
        self.insts.push(Inst::Select { size, mask, yes, no, to });
        to
    }

    pub(super) fn compare(&mut self, (enc, imm): (Enc, Option<u8>), size: Size, a: Src, b: Src) -> K {
        let key = (enc, size, imm, [Some(a), Some(b), None]);
        if let Some(&known) = self.known_masks.get(&key) {
            return known;
        }
        let a = self.register(size, a);
        let to = self.mask();
        self.insts.push(Inst::Compare { enc, size, imm, a, b, to });
        self.known_masks.insert(key, to);
        to
    }

    pub(super) fn masks(&mut self, op: u8, a: K, b: K) -> K {
        let to = self.mask();
        self.insts.push(Inst::Masks { op, a, b, to });
        to
    }

    pub(super) fn not(&mut self, x: K) -> K {
        let to = self.mask();
        self.insts.push(Inst::Not { x, to });
        to
    }

    /// A source as a vector.
    pub(super) fn register(&mut self, size: Size, x: Src) -> V {
        match x {
            Src::V(v) => v,
            Src::Number(_) | Src::Uniform(_) | Src::Iota(_) => {
                let enc = match (x, size) {
                    (Src::Iota(_), 4) => enc::LOAD32,
                    (Src::Iota(_), _) => enc::LOAD64,
                    (_, 4) => enc::BROADCAST32,
                    (_, _) => enc::BROADCAST64,
                };
                self.unary(enc, size, None, x)
            }
        }
    }
}

/// Lanes of a type that is computed in vectors.
pub(super) fn size_of(ty: Scalar) -> Option<Size> {
    match ty {
        Scalar::F64 | Scalar::I64 => Some(8),
        Scalar::F32 | Scalar::I32 | Scalar::I16 | Scalar::I8 => Some(4),
        Scalar::I1 => None,
    }
}
