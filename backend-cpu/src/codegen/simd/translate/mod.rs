//! The instructions of a loop's body: kernel IR to vector code. What there is no instruction for here gives `None`,
//! and the loop is compiled in another way.
//!
//! [`ops`] has the instructions, [`cast`] the conversions, [`division`] that of integers, [`narrow`] those of few
//! bytes, [`memory`] the accesses.

mod cast;
mod division;
mod memory;
mod narrow;
mod ops;

use super::body::{Body, Carried, Inst, K, Part, Size, Src, V, size_of};
use super::enc::{self, Enc};
use crate::codegen::variation::Variation;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use wengert_ir::kernel::{
    Access, Combine, Extent, For, KBinary, KInst, KOp, KValue, LANES, LoopKind, MemRef, MemRefDef, Scalar,
};

/// Most bytes between one iteration's element and the next one's of a gather.
const FURTHEST: i64 = 1 << 20;

/// What the caller knows of the loop and does for it.
pub(super) trait Caller {
    /// The type of a scalar.
    fn ty(&self, v: KValue) -> Scalar;
    /// The bits of a constant.
    fn known(&self, v: KValue) -> Option<u64>;
    /// A memory.
    fn mem(&self, mem: MemRef) -> &MemRefDef;
    /// The number among the uniforms of a scalar that does not vary.
    fn uniform(&mut self, v: KValue) -> u32;
    /// Whether calls of long functions of the math library will have been cut out of the loop.
    fn cuts_calls(&self) -> bool;
    /// The pointer of an access at the loop's first iteration, and bytes to add.
    fn pointer(&mut self, access: &Access) -> (u32, i32);
    /// This instruction of the body is translated next: it is to blame if nothing comes of it.
    fn reached(&mut self, at: usize);
}

/// What a scalar of the loop is, per half of the lanes.
#[derive(Clone)]
enum Lanes {
    Numbers(SmallVec<[Src; 2]>),
    /// Truth values, as masks of lanes of this size.
    Masks(Size, SmallVec<[K; 2]>),
}

struct Gen<'a, C> {
    l: &'a For,
    variation: &'a Variation,
    caller: &'a mut C,
    body: Body,
    lanes: FxHashMap<KValue, Lanes>,
    /// Vectors of which it is known from how many bytes they were extended, and how.
    extended: FxHashMap<V, (narrow::Whole, u8)>,
    /// The half being added, where halves do not meet; otherwise both are.
    half: Option<Part>,
    /// Iterations of the round before those being added.
    shift: u32,
}

/// What a round of a loop consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rounds {
    /// As few iterations as fill a vector.
    Single,
    /// Two independent streams of instructions, alternating, so that one works while the other waits.
    Interleaved,
}

/// The body of a loop, if it can be one.
pub(super) fn generate<C: Caller>(
    l: &For,
    variation: &Variation,
    caller: &mut C,
    rounds: Rounds,
) -> Option<Body> {
    let reduction = match &l.kind {
        LoopKind::Vector => false,
        LoopKind::Lanes(_) => true,
        LoopKind::Sequential => return None,
    };
    let counter = l.body.params[0];
    let counts = l.body.insts.iter().any(|inst| inst.operands.contains(&counter));
    let mut sizes: SmallVec<[Size; 8]> = SmallVec::new();
    if counts {
        sizes.push(8);
    }
    let numbers = l.body.params[1..].iter().chain(l.body.insts.iter().flat_map(|inst| &inst.results));
    for &v in numbers.filter(|&&v| variation.varies(v) && caller.ty(v) != Scalar::I1) {
        sizes.push(size_of(caller.ty(v))?);
    }
    for inst in &l.body.insts {
        if let KOp::Store(access) = &inst.op {
            let elem = caller.mem(access.mem).elem;
            if elem != Scalar::I1 {
                sizes.push(size_of(elem)?);
            }
        }
    }
    let only_wide = sizes.contains(&8) && !sizes.contains(&4);
    let single = if only_wide && !reduction { 8 } else { LANES as u32 };
    // Halves that do not meet are streams of their own; otherwise a second stream is further iterations.
    let streams: SmallVec<[(Option<Part>, u32); 2]> = match (only_wide, reduction, rounds) {
        (true, true, _) => SmallVec::from_slice(&[(Some(0), 0), (Some(1), 0)]),
        (true, false, Rounds::Single) => SmallVec::from_slice(&[(Some(0), 0)]),
        (true, false, Rounds::Interleaved) => SmallVec::from_slice(&[(Some(0), 0), (Some(0), single)]),
        (false, _, Rounds::Single) => SmallVec::from_slice(&[(None, 0)]),
        (false, _, Rounds::Interleaved) => SmallVec::from_slice(&[(None, 0), (None, single)]),
    };
    let last_shift = streams.last().map_or(0, |&(_, shift)| shift);
    let body = Body::new(single as u8);
    let (lanes, extended) = (FxHashMap::default(), FxHashMap::default());
    let mut generator = Gen { l, variation, caller, body, lanes, extended, half: None, shift: 0 };
    let mut lists = Vec::new();
    for (half, shift) in streams {
        (generator.half, generator.shift) = (half, shift);
        generator.round()?;
        lists.push(std::mem::take(&mut generator.body.insts));
    }
    let mut body = generator.body;
    body.insts = match rounds {
        Rounds::Single => lists.concat(),
        Rounds::Interleaved => alternate(&lists, &body),
    };
    body.width = (single + last_shift) as u8;
    body.prune();
    Some(body)
}

/// What makes one number of each accumulator of a body, in its first lane: halves onto halves, as the kernel IR defines.
pub(super) fn totals<C: Caller>(
    l: &For,
    variation: &Variation,
    caller: &mut C,
    carried: &[Carried],
) -> Option<Body> {
    let LoopKind::Lanes(combines) = &l.kind else { return Some(Body::default()) };
    let mut body = Body::new(LANES as u8);
    for &c in carried {
        let from = body.vector();
        body.carried.push(Carried { from, to: from, ..c });
    }
    let (lanes, extended) = (FxHashMap::default(), FxHashMap::default());
    let mut g = Gen { l, variation, caller, body, lanes, extended, half: None, shift: 0 };
    for k in 0..carried.len() {
        let Carried { number, part: 0, size, from, .. } = g.body.carried[k] else { continue };
        let (op, ty) = (combines[number].op(), g.caller.ty(l.body.params[1 + number]));
        let ty = match ty {
            Scalar::I1 if !matches!(combines[number], Combine::And | Combine::Or | Combine::Xor) => {
                return None;
            }
            Scalar::I1 => Scalar::I32,
            ty => ty,
        };
        let mut total = from;
        let upper = g.body.carried.iter().find(|c| c.number == number && c.part == 1).map(|c| c.from);
        if let Some(upper) = upper {
            total = g.binary(op, ty, size, Src::V(total), Src::V(upper))?;
        }
        for imm in [0b1110, 0b01] {
            let (to, x) = (g.body.vector(), Src::V(total));
            let enc = enc::QUARTERS;
            g.body.insts.push(Inst::Binary { enc, size: 8, imm: Some(imm), commutes: false, a: x, b: x, to });
            total = g.binary(op, ty, size, x, Src::V(to))?;
        }
        let within: &[u8] = if size == 8 { &[0b0100_1110] } else { &[0b0100_1110, 0b1011_0001] };
        for &imm in within {
            let other = g.body.unary(enc::SHUFFLE, 4, Some(imm), Src::V(total));
            total = g.binary(op, ty, size, Src::V(total), Src::V(other))?;
        }
        g.body.carried[k].to = total;
    }
    Some(g.body)
}

/// Merges streams of instructions; what one reads of another stays before it.
pub(super) fn alternate(lists: &[Vec<Inst>], body: &Body) -> Vec<Inst> {
    let mut missing = vec![false; body.vectors as usize];
    let mut missing_masks = vec![false; body.masks as usize];
    for inst in lists.iter().flatten() {
        let (v, k) = inst.writes();
        v.into_iter().for_each(|v| missing[v.0 as usize] = true);
        k.into_iter().for_each(|k| missing_masks[k.0 as usize] = true);
    }
    let mut merged = Vec::with_capacity(lists.iter().map(Vec::len).sum());
    let mut next = vec![0; lists.len()];
    while merged.len() < merged.capacity() {
        for (list, next) in lists.iter().zip(&mut next) {
            let Some(inst) = list.get(*next) else { continue };
            let mut ready = true;
            inst.reads(&mut |v| ready &= !missing[v.0 as usize], &mut |_| ());
            inst.reads(&mut |_| (), &mut |k| ready &= !missing_masks[k.0 as usize]);
            if ready {
                let (v, k) = inst.writes();
                v.into_iter().for_each(|v| missing[v.0 as usize] = false);
                k.into_iter().for_each(|k| missing_masks[k.0 as usize] = false);
                merged.push(*inst);
                *next += 1;
            }
        }
    }
    merged
}

fn at(size: Size) -> usize {
    usize::from(size == 8)
}

impl<C: Caller> Gen<'_, C> {
    /// How many vectors a number of this size has now.
    fn parts(&self, size: Size) -> usize {
        if self.half.is_some() || size == 4 || self.body.width == 8 { 1 } else { 2 }
    }

    /// Which half of the lanes vector `k` is.
    fn part(&self, k: usize) -> Part {
        self.half.unwrap_or(k as Part)
    }

    fn round(&mut self) -> Option<()> {
        let carries = &self.l.body.params[1..];
        self.lanes.clear();
        for (number, &param) in carries.iter().enumerate() {
            if narrow::narrow(self.caller.ty(param)).is_some() {
                return None;
            }
            let size = self.carried_size(param)?;
            let vectors = (0..self.parts(size)).map(|k| {
                let before = self.body.carried.iter().find(|c| c.number == number && c.part == self.part(k));
                Src::V(match before {
                    Some(before) => before.to,
                    None => self.body.vector(),
                })
            });
            let vectors = vectors.collect();
            self.lanes.insert(param, Lanes::Numbers(vectors));
        }
        for (at, inst) in self.l.body.insts.iter().enumerate() {
            self.caller.reached(at);
            if let KOp::Store(access) = &inst.op {
                self.store(access, inst.operands[0])?;
                continue;
            }
            // Loops and calls inside may have no result.
            let &result = inst.results.first()?;
            if self.variation.varies(result) {
                let lanes = match self.accumulated(inst) {
                    Some((enc, total, x)) => self.truths(enc, total, x)?,
                    None => self.inst(inst)?,
                };
                self.lanes.insert(result, lanes);
            }
        }
        for (number, (&param, &yielded)) in carries.iter().zip(&self.l.body.yields).enumerate() {
            if yielded == param || carries.contains(&yielded) {
                return None;
            }
            let size = self.carried_size(param)?;
            for k in 0..self.parts(size) {
                let Src::V(from) = self.number(param, k)? else { unreachable!("just made a vector") };
                let to = self.number(yielded, k)?;
                let to = self.body.register(size, to);
                let part = self.part(k);
                match self.body.carried.iter_mut().find(|c| c.number == number && c.part == part) {
                    Some(before) => before.to = to,
                    None => self.body.carried.push(Carried { number, part, size, from, to }),
                }
            }
        }
        Some(())
    }

    /// Bytes of an accumulator's lanes. Truth values are accumulated as lanes that are all ones or zeros, of the size that they
    /// have by nature here.
    fn carried_size(&self, param: KValue) -> Option<Size> {
        match self.caller.ty(param) {
            Scalar::I1 => Some(self.natural(&[])),
            ty => size_of(ty),
        }
    }

    /// Whether an instruction adds to an accumulator of truth values: how, to which, and what.
    fn accumulated(&self, inst: &KInst) -> Option<(Enc, KValue, KValue)> {
        let KOp::Binary(op) = inst.op else { return None };
        let known = [(KBinary::And, enc::AND[0]), (KBinary::Or, enc::OR[0]), (KBinary::Xor, enc::XOR[0])];
        let enc = known.into_iter().find(|(known, _)| *known == op)?.1;
        let is_total = |&v: &KValue| self.l.body.params[1..].contains(&v) && self.caller.ty(v) == Scalar::I1;
        let [a, b] = inst.operands[..] else { return None };
        let (total, x) = if is_total(&a) { (a, b) } else { (b, a) };
        (is_total(&total) && !is_total(&x)).then_some((enc, total, x))
    }

    fn truths(&mut self, enc: Enc, total: KValue, x: KValue) -> Option<Lanes> {
        let size = self.carried_size(total)?;
        self.each(size, |g, k| {
            let (total, mask) = (g.number(total, k)?, g.mask(x, size, k)?);
            let to = g.body.vector();
            g.body.insts.push(Inst::Keep { size, mask, number: Src::Number(u64::MAX), to });
            Some(g.body.binary((enc, true), 4, total, Src::V(to)))
        })
    }

    /// Vector `k` of a number.
    fn number(&mut self, v: KValue, k: usize) -> Option<Src> {
        if let Some(word) = self.caller.known(v) {
            return Some(Src::Number(word));
        }
        if !self.variation.varies(v) {
            return Some(Src::Uniform(self.caller.uniform(v)));
        }
        if v == self.l.body.params[0] && !self.lanes.contains_key(&v) {
            let counters = self.counters();
            self.lanes.insert(v, Lanes::Numbers(counters));
        }
        match &self.lanes[&v] {
            Lanes::Numbers(vectors) => Some(vectors[k]),
            Lanes::Masks(..) => None,
        }
    }

    /// The loop counter of each lane.
    fn counters(&mut self) -> SmallVec<[Src; 2]> {
        let start = match self.l.start {
            Extent::Const(n) => Src::Number(n as u64),
            Extent::Value(v) => Src::Uniform(self.caller.uniform(v)),
        };
        (0..self.parts(8))
            .map(|k| {
                let first = self.shift + u32::from(self.part(k)) * 8;
                let base = self.body.vector();
                self.body.insts.push(Inst::Counter { to: base });
                let trip = self.body.binary((enc::ADD[1], true), 8, Src::V(base), Src::Iota(first));
                let scaled = match self.l.step {
                    1 => trip,
                    step => self.body.binary((enc::MUL[1], true), 8, Src::V(trip), Src::Number(step as u64)),
                };
                Src::V(self.body.binary((enc::ADD[1], true), 8, Src::V(scaled), start))
            })
            .collect()
    }

    /// Mask `k` of a truth value, for lanes of this size.
    fn mask(&mut self, v: KValue, size: Size, k: usize) -> Option<K> {
        if !self.variation.varies(v) {
            let uniform = match self.caller.known(v) {
                Some(word) => Src::Number(if word & 1 == 1 { u64::MAX } else { 0 }),
                None => Src::Uniform(self.caller.uniform(v)),
            };
            let x = self.body.register(size, uniform);
            return Some(self.body.compare((enc::TEST[at(size)], None), size, Src::V(x), Src::V(x)));
        }
        let Some(Lanes::Masks(own, masks)) = self.lanes.get(&v).cloned() else { return None };
        if own == size || (self.half.is_some() || self.body.width == 8) {
            return Some(masks[k]);
        }
        let resized: SmallVec<[K; 2]> = if size == 8 {
            let to = self.body.mask();
            self.body.insts.push(Inst::High { x: masks[0], to });
            SmallVec::from_slice(&[masks[0], to])
        } else {
            let to = self.body.mask();
            self.body.insts.push(Inst::Join { high: masks[1], low: masks[0], to });
            SmallVec::from_slice(&[to])
        };
        Some(resized[k])
    }

    /// The lane size a truth value has by nature.
    fn natural(&self, vs: &[KValue]) -> Size {
        vs.iter()
            .find_map(|v| match self.lanes.get(v) {
                Some(Lanes::Masks(size, _)) => Some(*size),
                Some(Lanes::Numbers(_)) | None => None,
            })
            .unwrap_or(if self.half.is_some() || self.body.width == 8 { 8 } else { 4 })
    }

    fn each(&mut self, size: Size, mut f: impl FnMut(&mut Self, usize) -> Option<V>) -> Option<Lanes> {
        let vectors: Option<SmallVec<[Src; 2]>> =
            (0..self.parts(size)).map(|k| f(self, k).map(Src::V)).collect();
        Some(Lanes::Numbers(vectors?))
    }

    fn each_mask(&mut self, size: Size, mut f: impl FnMut(&mut Self, usize) -> Option<K>) -> Option<Lanes> {
        let masks: Option<SmallVec<[K; 2]>> = (0..self.parts(size)).map(|k| f(self, k)).collect();
        Some(Lanes::Masks(size, masks?))
    }
}
