//! The instructions of a loop's body: kernel IR to vector code. What there is no instruction for here gives `None`,
//! and the loop is compiled in another way.

use super::body::{Body, Carried, Inst, K, Part, Run, Size, Src, V, size_of};
use super::enc;
use super::math;
use crate::codegen::vector::{Variation, lane_step};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use wengert_ir::kernel::{
    Access, Extent, For, KBinary, KCast, KInst, KOp, KUnary, KValue, LANES, LoopKind, MemRef, MemRefDef,
    Scalar,
};
use wengert_ir::op::{CompareType, Direction};

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
    let lanes = FxHashMap::default();
    let mut generator = Gen { l, variation, caller, body, lanes, half: None, shift: 0 };
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
    let lanes = FxHashMap::default();
    let mut g = Gen { l, variation, caller, body, lanes, half: None, shift: 0 };
    for k in 0..carried.len() {
        let Carried { number, part: 0, size, from, .. } = g.body.carried[k] else { continue };
        let (op, ty) = (combines[number].op(), g.caller.ty(l.body.params[1 + number]));
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
fn alternate(lists: &[Vec<Inst>], body: &Body) -> Vec<Inst> {
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
            let size = size_of(self.caller.ty(param))?;
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
        for inst in &self.l.body.insts {
            if let KOp::Store(access) = &inst.op {
                self.store(access, inst.operands[0])?;
                continue;
            }
            // Loops and calls inside may have no result.
            let &result = inst.results.first()?;
            if self.variation.varies(result) {
                let lanes = self.inst(inst)?;
                self.lanes.insert(result, lanes);
            }
        }
        for (number, (&param, &yielded)) in carries.iter().zip(&self.l.body.yields).enumerate() {
            if yielded == param || carries.contains(&yielded) {
                return None;
            }
            let size = size_of(self.caller.ty(param))?;
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

    fn inst(&mut self, inst: &KInst) -> Option<Lanes> {
        let o = &inst.operands;
        let ty = o.first().map_or(Scalar::I1, |&v| self.caller.ty(v));
        match &inst.op {
            KOp::Unary(KUnary::Not) if ty == Scalar::I1 => {
                let size = self.natural(o);
                self.each_mask(size, |g, k| {
                    let x = g.mask(o[0], size, k)?;
                    Some(g.body.not(x))
                })
            }
            KOp::Unary(op) => {
                let size = size_of(ty)?;
                self.each(size, |g, k| {
                    let x = g.number(o[0], k)?;
                    g.unary(*op, ty, size, x)
                })
            }
            KOp::Binary(op) if ty == Scalar::I1 => {
                let op = match op {
                    KBinary::And => enc::KAND,
                    KBinary::Or => enc::KOR,
                    KBinary::Xor => enc::KXOR,
                    KBinary::Add
                    | KBinary::Sub
                    | KBinary::Mul
                    | KBinary::Div
                    | KBinary::DivU
                    | KBinary::Rem
                    | KBinary::RemU
                    | KBinary::Min
                    | KBinary::MinU
                    | KBinary::Max
                    | KBinary::MaxU
                    | KBinary::Shl
                    | KBinary::Shr
                    | KBinary::ShrU
                    | KBinary::NextAfter => return None,
                };
                let size = self.natural(o);
                self.each_mask(size, |g, k| {
                    let (x, y) = (g.mask(o[0], size, k)?, g.mask(o[1], size, k)?);
                    Some(g.body.masks(op, x, y))
                })
            }
            KOp::Binary(op) => {
                let size = size_of(ty)?;
                self.each(size, |g, k| {
                    let (x, y) = (g.number(o[0], k)?, g.number(o[1], k)?);
                    g.binary(*op, ty, size, x, y)
                })
            }
            KOp::Compare(direction, kind) => {
                let size = size_of(ty)?;
                let how = compare(*direction, *kind, ty)?;
                self.each_mask(size, |g, k| {
                    let (x, y) = (g.number(o[0], k)?, g.number(o[1], k)?);
                    Some(g.body.compare(how, size, x, y))
                })
            }
            KOp::Select => self.select(inst),
            KOp::Fma => {
                let size = size_of(ty)?;
                self.each(size, |g, k| {
                    let (x, y, z) = (g.number(o[0], k)?, g.number(o[1], k)?, g.number(o[2], k)?);
                    if ty.is_float() {
                        return Some(g.body.fma(size, x, y, z));
                    }
                    let product = g.body.binary((enc::MUL[at(size)], true), size, x, y);
                    Some(g.body.binary((enc::ADD[at(size)], true), size, Src::V(product), z))
                })
            }
            KOp::Cast(cast) => self.cast(*cast, ty, inst),
            KOp::Math(f) => {
                let size = size_of(ty)?;
                let inlines = math::inlines(*f, ty);
                if !inlines && !self.caller.cuts_calls() {
                    return None;
                }
                self.each(size, |g, k| {
                    let x = g.number(o[0], k)?;
                    Some(if inlines {
                        math::unary(&mut g.body, *f, size, x)
                    } else {
                        g.body.register(size, x)
                    })
                })
            }
            KOp::Math2(f) => {
                let size = size_of(ty)?;
                let inlines = math::inlines2(*f, ty);
                if !inlines && !self.caller.cuts_calls() {
                    return None;
                }
                self.each(size, |g, k| {
                    let (x, y) = (g.number(o[0], k)?, g.number(o[1], k)?);
                    Some(if inlines {
                        math::binary(&mut g.body, *f, size, x, y)
                    } else {
                        g.body.register(size, x)
                    })
                })
            }
            KOp::Load(access) => self.load(access),
            KOp::Const(_)
            | KOp::Store(_)
            | KOp::For(_)
            | KOp::While(_)
            | KOp::Switch(_)
            | KOp::Call { .. }
            | KOp::Parallel { .. }
            | KOp::Library(_)
            | KOp::Reserve(_) => None,
        }
    }

    fn unary(&mut self, op: KUnary, ty: Scalar, size: Size, x: Src) -> Option<V> {
        let n = at(size);
        let sign = 1u64 << (8 * size - 1);
        let b = &mut self.body;
        Some(match (op, ty.is_float()) {
            (KUnary::Neg, true) => b.negated(size, x),
            (KUnary::Neg, false) => b.binary((enc::SUB[n], false), size, Src::Number(0), x),
            (KUnary::Abs, true) => b.binary((enc::AND[n], true), size, x, Src::Number(sign - 1)),
            (KUnary::Abs, false) => b.unary(enc::ABS[n], size, None, x),
            (KUnary::Sqrt, true) => b.unary(enc::FSQRT[n], size, None, x),
            (KUnary::Nearest, true) => b.unary(enc::ROUND[n], size, Some(8), x),
            (KUnary::Floor, true) => b.unary(enc::ROUND[n], size, Some(9), x),
            (KUnary::Ceil, true) => b.unary(enc::ROUND[n], size, Some(10), x),
            (KUnary::Not, false) => b.binary((enc::XOR[n], true), size, x, Src::Number(u64::MAX)),
            (
                KUnary::Sqrt
                | KUnary::Nearest
                | KUnary::Floor
                | KUnary::Ceil
                | KUnary::Not
                | KUnary::Popcnt
                | KUnary::Clz,
                _,
            ) => return None,
        })
    }

    fn binary(&mut self, op: KBinary, ty: Scalar, size: Size, x: Src, y: Src) -> Option<V> {
        let n = at(size);
        let how = if ty.is_float() {
            match op {
                KBinary::Add => (enc::FADD[n], true),
                KBinary::Sub => (enc::FSUB[n], false),
                KBinary::Mul => (enc::FMUL[n], true),
                KBinary::Div => (enc::FDIV[n], false),
                KBinary::Min | KBinary::Max => return Some(self.extremum(op == KBinary::Max, size, x, y)),
                KBinary::DivU
                | KBinary::Rem
                | KBinary::RemU
                | KBinary::MinU
                | KBinary::MaxU
                | KBinary::And
                | KBinary::Or
                | KBinary::Xor
                | KBinary::Shl
                | KBinary::Shr
                | KBinary::ShrU
                | KBinary::NextAfter => return None,
            }
        } else {
            match op {
                KBinary::Add => (enc::ADD[n], true),
                KBinary::Sub => (enc::SUB[n], false),
                KBinary::Mul => (enc::MUL[n], true),
                KBinary::Min => (enc::MIN[n], true),
                KBinary::Max => (enc::MAX[n], true),
                KBinary::MinU => (enc::MIN_U[n], true),
                KBinary::MaxU => (enc::MAX_U[n], true),
                KBinary::And => (enc::AND[n], true),
                KBinary::Or => (enc::OR[n], true),
                KBinary::Xor => (enc::XOR[n], true),
                KBinary::Shl => (enc::SHL[n], false),
                KBinary::Shr => (enc::SHR[n], false),
                KBinary::ShrU => (enc::SHR_U[n], false),
                KBinary::Div | KBinary::DivU | KBinary::Rem | KBinary::RemU | KBinary::NextAfter => {
                    return None;
                }
            }
        };
        Some(self.body.binary(how, size, x, y))
    }

    /// The smaller or larger of two floats: the instruction orders zeros by sign; a NaN on either side comes from a
    /// sum in its place.
    fn extremum(&mut self, largest: bool, size: Size, x: Src, y: Src) -> V {
        let n = at(size);
        let b = &mut self.body;
        let x = b.register(size, x);
        let to = b.vector();
        let imm = Some(4 | u8::from(largest));
        b.insts.push(Inst::Binary { enc: enc::RANGE[n], size, imm, commutes: false, a: Src::V(x), b: y, to });
        let nan = b.compare((enc::FCOMPARE[n], Some(3)), size, Src::V(x), y);
        let result = b.vector();
        b.insts.push(Inst::Where { enc: enc::FADD[n], size, mask: nan, a: x, b: y, base: to, to: result });
        result
    }

    fn select(&mut self, inst: &KInst) -> Option<Lanes> {
        let [p, x, y] = inst.operands[..] else { return None };
        let ty = self.caller.ty(x);
        if ty == Scalar::I1 {
            let size = self.natural(&[p, x, y]);
            return self.each_mask(size, |g, k| {
                let (p, x, y) = (g.mask(p, size, k)?, g.mask(x, size, k)?, g.mask(y, size, k)?);
                let yes = g.body.masks(enc::KAND, p, x);
                let no = g.body.masks(enc::KANDN, p, y);
                Some(g.body.masks(enc::KOR, yes, no))
            });
        }
        let size = size_of(ty)?;
        self.each(size, |g, k| {
            let p = g.mask(p, size, k)?;
            let (yes, no) = (g.number(x, k)?, g.number(y, k)?);
            Some(g.body.select(size, p, yes, no))
        })
    }

    fn cast(&mut self, cast: KCast, from: Scalar, inst: &KInst) -> Option<Lanes> {
        use Scalar::{F32, F64, I1, I32, I64};
        let (x, to) = (inst.operands[0], self.caller.ty(inst.results[0]));
        let signed = cast != KCast::Unsigned;
        if from == I1 && to != I1 {
            let size = size_of(to)?;
            let word = match (to, signed) {
                (F64, true) => (-1.0f64).to_bits(),
                (F64, false) => 1.0f64.to_bits(),
                (F32, true) => u64::from((-1.0f32).to_bits()),
                (F32, false) => u64::from(1.0f32.to_bits()),
                (_, true) => u64::MAX,
                (_, false) => 1,
            };
            return self.each(size, |g, k| {
                let mask = g.mask(x, size, k)?;
                let to = g.body.vector();
                g.body.insts.push(Inst::Keep { size, mask, number: Src::Number(word), to });
                Some(to)
            });
        }
        if from == I1 {
            return self.lanes.get(&x).cloned();
        }
        let size = size_of(from)?;
        if to == I1 {
            let how = compare(
                Direction::Ne,
                if from.is_float() { CompareType::Float } else { CompareType::Signed },
                from,
            )?;
            return self.each_mask(size, |g, k| {
                let x = g.number(x, k)?;
                Some(g.body.compare(how, size, x, Src::Number(0)))
            });
        }
        if from == to || cast == KCast::Bits {
            return self.each(size, |g, k| {
                let x = g.number(x, k)?;
                Some(g.body.register(size, x))
            });
        }
        let u = usize::from(!signed);
        match (from, to) {
            (F32, F64) => self.widen(x, enc::F32_TO_F64),
            (I32, I64) => self.widen(x, enc::I32_TO_I64[u]),
            (I32, F64) => self.widen(x, enc::I32_TO_F64[u]),
            (F64, F32) => self.narrow(x, Some(enc::F64_TO_F32)),
            (I64, F32) => self.narrow(x, Some(enc::I64_TO_F32[u])),
            (I64, I32) => self.narrow(x, None),
            (I32, F32) => self.convert(x, 4, enc::I32_TO_F32[u]),
            (I64, F64) => self.convert(x, 8, enc::I64_TO_F64[u]),
            _ => None,
        }
    }

    fn convert(&mut self, x: KValue, size: Size, enc: super::asm::Enc) -> Option<Lanes> {
        self.each(size, |g, k| {
            let x = g.number(x, k)?;
            let x = g.body.register(size, x);
            Some(g.body.unary(enc, size, None, Src::V(x)))
        })
    }

    /// 4-byte lanes to twice as many 8-byte lanes.
    fn widen(&mut self, x: KValue, enc: super::asm::Enc) -> Option<Lanes> {
        let x = self.number(x, 0)?;
        let x = self.body.register(4, x);
        let low = self.body.unary(enc, 8, None, Src::V(x));
        let high = self.body.vector();
        self.body.insts.push(Inst::Reversed { enc: enc::UPPER_HALF, imm: Some(1), x, to: high });
        let high = self.body.unary(enc, 8, None, Src::V(high));
        Some(Lanes::Numbers(SmallVec::from_slice(&[Src::V(low), Src::V(high)])))
    }

    /// 8-byte lanes to half as many vectors; without an instruction, integers are cut.
    fn narrow(&mut self, x: KValue, enc: Option<super::asm::Enc>) -> Option<Lanes> {
        let mut halves = [V(0); 2];
        for (k, half) in halves.iter_mut().enumerate() {
            let x = self.number(x, k)?;
            let x = self.body.register(8, x);
            *half = match enc {
                Some(enc) => self.body.unary(enc, 8, None, Src::V(x)),
                None => {
                    let to = self.body.vector();
                    self.body.insts.push(Inst::Reversed { enc: enc::I64_TO_I32, imm: None, x, to });
                    to
                }
            };
        }
        let to = self.body.vector();
        self.body.insts.push(Inst::Binary {
            enc: enc::WITH_UPPER,
            size: 8,
            imm: Some(1),
            commutes: false,
            a: Src::V(halves[0]),
            b: Src::V(halves[1]),
            to,
        });
        Some(Lanes::Numbers(SmallVec::from_slice(&[Src::V(to)])))
    }

    /// Consecutive elements of vector `k`.
    fn run(&mut self, access: &Access, size: u8, k: usize) -> Run {
        let (pointer, offset) = self.caller.pointer(access);
        let elements = self.shift as i32 + 8 * i32::from(self.part(k));
        Run { pointer, offset: offset + elements * i32::from(size), scale: size }
    }

    fn load(&mut self, access: &Access) -> Option<Lanes> {
        let elem = self.caller.mem(access.mem).elem;
        let step = lane_step(self.l, access, self.variation)?;
        if step == 1 && elem == Scalar::I1 {
            let size = self.natural(&[]);
            return self.each_mask(size, |g, k| {
                let (run, part, to) = (g.run(access, 1, k), g.part(k), g.body.vector());
                let width = if size == 4 { 16 } else { 8 };
                g.body.insts.push(Inst::Load { enc: enc::FROM_BYTES[at(size)], run, width, part, to });
                Some(g.body.compare((enc::TEST[at(size)], None), size, Src::V(to), Src::V(to)))
            });
        }
        let size = size_of(elem)?;
        if step == 1 {
            let load = if size == 4 { enc::LOAD32 } else { enc::LOAD64 };
            return self.each(size, |g, k| {
                let (run, part, to) = (g.run(access, size, k), g.part(k), g.body.vector());
                g.body.insts.push(Inst::Load { enc: load, run, width: 64, part, to });
                Some(to)
            });
        }
        if step == 0 || step.abs() > FURTHEST {
            return None;
        }
        self.each(size, |g, k| {
            let (pointer, offset) = g.caller.pointer(access);
            let first = g.shift + u32::from(g.part(k)) * 8;
            let run = Run { pointer, offset, scale: size };
            let step = step as i32;
            let lanes = (enc::MUL[at(size)], true);
            let index = g.body.binary(lanes, size, Src::Iota(first), Src::Number(step as u64));
            let (part, to) = (g.part(k), g.body.vector());
            let enc = enc::GATHER[at(size)];
            g.body.insts.push(Inst::Gather { enc, run, step, index: Src::V(index), part, to });
            Some(to)
        })
    }

    fn store(&mut self, access: &Access, value: KValue) -> Option<()> {
        let elem = self.caller.mem(access.mem).elem;
        if lane_step(self.l, access, self.variation)? != 1 {
            return None;
        }
        if elem == Scalar::I1 {
            let size = self.natural(&[value]);
            for k in 0..self.parts(size) {
                let mask = self.mask(value, size, k)?;
                let (run, part, from) = (self.run(access, 1, k), self.part(k), self.body.vector());
                self.body.insts.push(Inst::Keep { size, mask, number: Src::Number(1), to: from });
                let width = if size == 4 { 16 } else { 8 };
                self.body.insts.push(Inst::Store { enc: enc::TO_BYTES[at(size)], run, width, part, from });
            }
            return Some(());
        }
        let size = size_of(elem)?;
        let store = if size == 4 { enc::STORE32 } else { enc::STORE64 };
        for k in 0..self.parts(size) {
            let x = self.number(value, k)?;
            let from = self.body.register(size, x);
            let (run, part) = (self.run(access, size, k), self.part(k));
            self.body.insts.push(Inst::Store { enc: store, run, width: 64, part, from });
        }
        Some(())
    }
}

/// The instruction and immediate of a comparison.
fn compare(direction: Direction, kind: CompareType, ty: Scalar) -> Option<(super::asm::Enc, Option<u8>)> {
    let n = at(size_of(ty)?);
    let integer = match direction {
        Direction::Eq => 0,
        Direction::Lt => 1,
        Direction::Le => 2,
        Direction::Ne => 4,
        Direction::Ge => 5,
        Direction::Gt => 6,
    };
    Some(match kind {
        CompareType::Float => {
            // Quiet, and false on NaN but for "not equal".
            let float = match direction {
                Direction::Eq => 0x00,
                Direction::Ne => 0x04,
                Direction::Lt => 0x11,
                Direction::Le => 0x12,
                Direction::Ge => 0x1d,
                Direction::Gt => 0x1e,
            };
            (enc::FCOMPARE[n], Some(float))
        }
        CompareType::Signed => (enc::COMPARE[n], Some(integer)),
        CompareType::Unsigned => (enc::COMPARE_U[n], Some(integer)),
        CompareType::TotalOrder if ty.is_float() => return None,
        CompareType::TotalOrder => (enc::COMPARE[n], Some(integer)),
    })
}
