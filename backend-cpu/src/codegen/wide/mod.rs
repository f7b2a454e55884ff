//! The instructions of one chunk of a vector loop.
//!
//! Truth values are masks: lanes of all ones or all zeros, as wide as the numbers they were made from, converted
//! where they meet others. What the machine has no vector instruction for is done lane by lane.

mod cast;
mod functions;
mod memory;

use super::clif::{bits, float_condition, int_condition, vector_type};
use super::function::Emitter;
use super::variation::Variation;
use cranelift_codegen::ir::{ConstantData, Endianness, InstBuilder, MemFlagsData, Type, Value, types};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use wengert_ir::kernel::{For, KBinary, KInst, KOp, KUnary, KValue, Scalar};
use wengert_ir::launch_ops;
use wengert_ir::op::{CompareType, Direction};

type Vectors = SmallVec<[Value; 8]>;

/// The vectors of a scalar in a chunk.
#[derive(Clone)]
enum Lanes {
    /// Numbers.
    Numbers(Vectors),
    /// A truth value in lanes of this many bytes.
    Mask(usize, Vectors),
}

/// What is computed once for all chunks of a loop.
#[derive(Default)]
pub(crate) struct Uniform {
    /// Vectors with the same value in every lane; those of truth values are all ones or all zeros.
    pub(crate) splats: FxHashMap<KValue, Value>,
}

/// A chunk being added.
pub(crate) struct Chunk<'e, 'a, 'b> {
    e: &'e mut Emitter<'a, 'b>,
    l: &'a For,
    variation: &'e Variation,
    uniform: &'e Uniform,
    /// Iterations of the chunk.
    width: usize,
    /// The first one, counted from the loop counter.
    first: i64,
    lanes: FxHashMap<KValue, Lanes>,
}

/// The vector type of a mask.
fn mask_type(size: usize) -> Type {
    if size == 8 { types::I64X2 } else { types::I32X4 }
}

fn same_bits() -> MemFlagsData {
    MemFlagsData::new().with_endianness(Endianness::Little)
}

impl Emitter<'_, '_> {
    /// A vector constant from its 16 bytes.
    fn vector_constant(&mut self, bytes: &[u8], ty: Type) -> Value {
        let constant = self.b.func.dfg.constants.insert(ConstantData::from(bytes));
        self.b.ins().vconst(ty, constant)
    }

    /// A vector whose lanes all have these bits.
    fn splat_bits(&mut self, ty: Scalar, word: u64) -> Value {
        let lane = &word.to_le_bytes()[..ty.size()];
        self.vector_constant(&lane.repeat(16 / ty.size()), vector_type(ty))
    }

    /// The same bits as another vector type.
    fn view(&mut self, ty: Type, v: Value) -> Value {
        if self.b.func.dfg.value_type(v) == ty { v } else { self.b.ins().bitcast(ty, same_bits(), v) }
    }

    /// An operation of two vectors that there are instructions for.
    pub(crate) fn vector_binary(&mut self, op: KBinary, ty: Scalar, x: Value, y: Value) -> Value {
        let (direction, kind) = match op {
            KBinary::Min if !ty.is_float() => (Direction::Lt, CompareType::Signed),
            KBinary::Max if !ty.is_float() => (Direction::Gt, CompareType::Signed),
            KBinary::MinU => (Direction::Lt, CompareType::Unsigned),
            KBinary::MaxU => (Direction::Gt, CompareType::Unsigned),
            _ => return self.binary(op, ty, x, y, None),
        };
        let first = self.vector_compare(direction, kind, ty, x, y);
        self.b.ins().bitselect(first, x, y)
    }

    /// A comparison of numbers, as a mask.
    fn vector_compare(
        &mut self,
        direction: Direction,
        kind: CompareType,
        ty: Scalar,
        x: Value,
        y: Value,
    ) -> Value {
        let int = mask_type(ty.size());
        match kind {
            CompareType::Float => self.b.ins().fcmp(float_condition(direction), x, y),
            CompareType::TotalOrder if ty.is_float() => {
                let key = |e: &mut Self, x: Value| {
                    let word = e.view(int, x);
                    let sign = e.b.ins().sshr_imm_u(word, bits(ty) - 1);
                    let mask = e.b.ins().ushr_imm_u(sign, 1);
                    e.b.ins().bxor(word, mask)
                };
                let (x, y) = (key(self, x), key(self, y));
                self.b.ins().icmp(int_condition(direction, true), x, y)
            }
            CompareType::TotalOrder | CompareType::Signed => {
                self.b.ins().icmp(int_condition(direction, true), x, y)
            }
            CompareType::Unsigned => {
                // Flipping the top bit turns the unsigned order into the signed one.
                let top = self.splat_bits(ty, 1 << (bits(ty) - 1));
                let (x, y) = (self.b.ins().bxor(x, top), self.b.ins().bxor(y, top));
                self.b.ins().icmp(int_condition(direction, true), x, y)
            }
        }
    }
}

impl<'e, 'a, 'b> Chunk<'e, 'a, 'b> {
    pub(crate) fn new(
        e: &'e mut Emitter<'a, 'b>,
        l: &'a For,
        variation: &'e Variation,
        uniform: &'e Uniform,
        width: usize,
        first: usize,
    ) -> Self {
        Self { e, l, variation, uniform, width, first: first as i64, lanes: FxHashMap::default() }
    }

    /// Of the vectors of a carry that has `group` lanes: the first one of this chunk, how many, and all.
    pub(crate) fn part(&self, param: KValue, group: usize) -> (usize, usize, usize) {
        let per = 16 / self.e.ty(param).size();
        (self.first as usize / per, self.width / per, group / per)
    }

    /// Gives a scalar its vectors.
    pub(crate) fn give(&mut self, v: KValue, vectors: &[Value]) {
        self.lanes.insert(v, Lanes::Numbers(Vectors::from_slice(vectors)));
    }

    fn varies(&self, v: KValue) -> bool {
        self.variation.varies(v)
    }

    /// All varying instructions.
    pub(crate) fn body(&mut self) {
        for inst in &self.l.body.insts {
            if let KOp::Store(access) = &inst.op {
                self.store(access, inst.operands[0]);
            } else if self.varies(inst.results[0]) {
                let lanes = self.inst(inst);
                self.lanes.insert(inst.results[0], lanes);
            }
        }
    }

    /// How many vectors a value of this many bytes has.
    fn count(&self, size: usize) -> usize {
        self.width * size / 16
    }

    /// Vector `k` of a number.
    pub(crate) fn vector(&mut self, v: KValue, k: usize) -> Value {
        if !self.varies(v) {
            return self.uniform.splats[&v];
        }
        if v == self.l.body.params[0] && !self.lanes.contains_key(&v) {
            let vectors = self.counters();
            self.lanes.insert(v, Lanes::Numbers(vectors));
        }
        match &self.lanes[&v] {
            Lanes::Numbers(vectors) => vectors[k],
            Lanes::Mask(..) => unreachable!("a truth value as a number"),
        }
    }

    /// The loop counter of each iteration.
    fn counters(&mut self) -> Vectors {
        let counter = self.e.value(self.l.body.params[0]);
        let base = self.e.b.ins().splat(types::I64X2, counter);
        (0..self.count(8))
            .map(|k| {
                let lane = |j: i64| (self.first + 2 * k as i64 + j).wrapping_mul(self.l.step);
                let offsets = self
                    .e
                    .vector_constant(&[lane(0).to_le_bytes(), lane(1).to_le_bytes()].concat(), types::I64X2);
                self.e.b.ins().iadd(base, offsets)
            })
            .collect()
    }

    /// A truth value in lanes of this many bytes.
    fn mask(&mut self, v: KValue, size: usize) -> Vectors {
        if !self.varies(v) {
            let splat = self.uniform.splats[&v];
            let splat = self.e.view(mask_type(size), splat);
            return SmallVec::from_elem(splat, self.count(size));
        }
        let (own, vectors) = match &self.lanes[&v] {
            Lanes::Mask(own, vectors) => (*own, vectors.clone()),
            Lanes::Numbers(_) => unreachable!("a number as a truth value"),
        };
        if own == size {
            return vectors;
        }
        let converted = self.resize_mask(&vectors, size);
        // Once converted, later uses find it so.
        self.lanes.insert(v, Lanes::Mask(size, converted.clone()));
        converted
    }

    /// Masks in lanes of the other width.
    fn resize_mask(&mut self, vectors: &[Value], size: usize) -> Vectors {
        if size == 8 {
            vectors
                .iter()
                .flat_map(|&v| {
                    let low = self.e.b.ins().swiden_low(v);
                    [low, self.e.b.ins().swiden_high(v)]
                })
                .collect()
        } else {
            vectors.chunks(2).map(|pair| self.narrow(pair[0], pair[pair.len() - 1])).collect()
        }
    }

    /// The low halves of the 64-bit lanes of two vectors.
    fn narrow(&mut self, low: Value, high: Value) -> Value {
        let (low, high) = (self.e.view(types::I8X16, low), self.e.view(types::I8X16, high));
        let mask = self
            .e
            .b
            .func
            .dfg
            .immediates
            .push(ConstantData::from(&[0u8, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27][..]));
        let v = self.e.b.ins().shuffle(low, high, mask);
        self.e.view(types::I32X4, v)
    }

    /// The mask width a truth value has by nature: that of what it was made from.
    fn natural(&self, v: KValue) -> usize {
        match self.lanes.get(&v) {
            Some(Lanes::Mask(size, _)) => *size,
            Some(Lanes::Numbers(_)) | None => {
                if self.width >= 4 {
                    4
                } else {
                    8
                }
            }
        }
    }

    /// The scalar of one lane.
    fn lane(&mut self, v: KValue, lane: usize) -> Value {
        if !self.varies(v) {
            return self.e.value(v);
        }
        if v == self.l.body.params[0] {
            let counter = self.e.value(v);
            return self.e.b.ins().iadd_imm_s(counter, (self.first + lane as i64).wrapping_mul(self.l.step));
        }
        match self.lanes[&v].clone() {
            Lanes::Numbers(vectors) => {
                let per = self.width / vectors.len();
                self.e.b.ins().extractlane(vectors[lane / per], (lane % per) as u8)
            }
            Lanes::Mask(size, vectors) => {
                let per = 16 / size;
                let word = self.e.b.ins().extractlane(vectors[lane / per], (lane % per) as u8);
                let byte = self.e.b.ins().ireduce(types::I8, word);
                self.e.b.ins().band_imm_s(byte, 1)
            }
        }
    }

    /// Vectors from the scalars of all lanes.
    fn collect(&mut self, ty: Scalar, scalars: &[Value]) -> Lanes {
        let (vector, size) = match ty {
            Scalar::I1 => {
                let size = if self.width >= 4 { 4 } else { 8 };
                (mask_type(size), size)
            }
            _ => (vector_type(ty), ty.size()),
        };
        let vectors = scalars
            .chunks(16 / size)
            .map(|chunk| {
                let mut built = None;
                for (k, &scalar) in chunk.iter().enumerate() {
                    let scalar = if ty == Scalar::I1 {
                        self.e.b.ins().bmask(vector.lane_type(), scalar)
                    } else {
                        scalar
                    };
                    built = Some(match built {
                        None => self.e.b.ins().scalar_to_vector(vector, scalar),
                        Some(v) => self.e.b.ins().insertlane(v, scalar, k as u8),
                    });
                }
                built.expect("a vector has lanes")
            })
            .collect();
        if ty == Scalar::I1 { Lanes::Mask(size, vectors) } else { Lanes::Numbers(vectors) }
    }

    /// An instruction, lane by lane.
    fn by_lanes(&mut self, inst: &KInst) -> Lanes {
        let scalars: Vec<Value> = (0..self.width)
            .map(|lane| {
                let operands: SmallVec<[Value; 3]> =
                    inst.operands.iter().map(|&v| self.lane(v, lane)).collect();
                self.e.pure(inst, &operands)
            })
            .collect();
        self.collect(self.e.ty(inst.results[0]), &scalars)
    }

    /// Numbers from an operation of one vector each.
    fn each(&mut self, v: KValue, mut f: impl FnMut(&mut Self, Value) -> Value) -> Vectors {
        let count = self.count(self.e.ty(v).size());
        let operands: Vectors = (0..count).map(|k| self.vector(v, k)).collect();
        operands.into_iter().map(|x| f(self, x)).collect()
    }

    /// Numbers from an operation of two vectors each.
    fn each2(
        &mut self,
        x: KValue,
        y: KValue,
        mut f: impl FnMut(&mut Self, Value, Value) -> Value,
    ) -> Vectors {
        let count = self.count(self.e.ty(x).size());
        (0..count)
            .map(|k| {
                let (x, y) = (self.vector(x, k), self.vector(y, k));
                f(self, x, y)
            })
            .collect()
    }

    fn inst(&mut self, inst: &KInst) -> Lanes {
        let o = &inst.operands;
        let ty = o.first().map_or(Scalar::I1, |&v| self.e.ty(v));
        match &inst.op {
            KOp::Unary(op) => self.unary(*op, ty, inst),
            KOp::Binary(op) if ty == Scalar::I1 => self.mask_binary(*op, inst),
            KOp::Binary(op) => self.binary(*op, ty, inst),
            KOp::Compare(direction, kind) if ty != Scalar::I1 => {
                let (direction, kind) = (*direction, *kind);
                Lanes::Mask(
                    ty.size(),
                    self.each2(o[0], o[1], |c, x, y| c.e.vector_compare(direction, kind, ty, x, y)),
                )
            }
            KOp::Select => self.select(inst),
            KOp::Fma if ty.is_float() => {
                let count = self.count(ty.size());
                // The instruction overwrites its first factor: better not one that is needed in every chunk.
                let o = if self.varies(o[0]) { [o[0], o[1], o[2]] } else { [o[1], o[0], o[2]] };
                Lanes::Numbers(
                    (0..count)
                        .map(|k| {
                            let (x, y, z) =
                                (self.vector(o[0], k), self.vector(o[1], k), self.vector(o[2], k));
                            self.e.b.ins().fma(x, y, z)
                        })
                        .collect(),
                )
            }
            KOp::Cast(cast) => self.cast(*cast, inst),
            KOp::Load(access) => self.load(access),
            KOp::Math(f) if self.are_worth_a_call() => self.by_eights(*f, ty, o[0]),
            KOp::Compare(..) | KOp::Fma | KOp::Math(_) | KOp::Math2(_) => self.by_lanes(inst),
            KOp::Const(_)
            | KOp::Store(_)
            | KOp::For(_)
            | KOp::While(_)
            | KOp::Switch(_)
            | KOp::Call { .. }
            | KOp::Parallel { .. }
            | launch_ops!()
            | KOp::Library(_)
            | KOp::Reserve(_)
            | KOp::Steps(_) => {
                unreachable!("not a varying instruction with a result")
            }
        }
    }

    fn unary(&mut self, op: KUnary, ty: Scalar, inst: &KInst) -> Lanes {
        let x = inst.operands[0];
        match op {
            KUnary::Not if ty == Scalar::I1 => {
                let size = self.natural(x);
                let vectors = self.mask(x, size);
                Lanes::Mask(size, vectors.into_iter().map(|v| self.e.b.ins().bnot(v)).collect())
            }
            KUnary::Popcnt | KUnary::Clz => self.by_lanes(inst),
            _ if ty == Scalar::I1 => self.by_lanes(inst),
            KUnary::Neg
            | KUnary::Abs
            | KUnary::Sqrt
            | KUnary::Floor
            | KUnary::Ceil
            | KUnary::Nearest
            | KUnary::Not => Lanes::Numbers(self.each(x, |c, x| c.e.unary(op, ty, x))),
        }
    }

    fn mask_binary(&mut self, op: KBinary, inst: &KInst) -> Lanes {
        let [x, y] = inst.operands[..] else { unreachable!("two operands") };
        let size = if self.varies(x) { self.natural(x) } else { self.natural(y) };
        match op {
            KBinary::And | KBinary::Or | KBinary::Xor => {
                let (x, y) = (self.mask(x, size), self.mask(y, size));
                let both = x.into_iter().zip(y);
                Lanes::Mask(
                    size,
                    both.map(|(x, y)| match op {
                        KBinary::And => self.e.b.ins().band(x, y),
                        KBinary::Or => self.e.b.ins().bor(x, y),
                        _ => self.e.b.ins().bxor(x, y),
                    })
                    .collect(),
                )
            }
            _ => self.by_lanes(inst),
        }
    }

    fn binary(&mut self, op: KBinary, ty: Scalar, inst: &KInst) -> Lanes {
        let [x, y] = inst.operands[..] else { unreachable!("two operands") };
        let float = ty.is_float();
        let known = self.e.known(y).filter(|&k| k < bits(ty) as u64);
        match op {
            KBinary::Add | KBinary::Sub | KBinary::Mul | KBinary::And | KBinary::Or | KBinary::Xor => {
                Lanes::Numbers(self.each2(x, y, |c, x, y| c.e.vector_binary(op, ty, x, y)))
            }
            KBinary::Div | KBinary::Min | KBinary::Max if float => {
                Lanes::Numbers(self.each2(x, y, |c, x, y| c.e.vector_binary(op, ty, x, y)))
            }
            KBinary::Min | KBinary::Max | KBinary::MinU | KBinary::MaxU => {
                Lanes::Numbers(self.each2(x, y, |c, x, y| c.e.vector_binary(op, ty, x, y)))
            }
            KBinary::Shl | KBinary::Shr | KBinary::ShrU if known.is_some() => {
                let amount = known.expect("checked") as i64;
                Lanes::Numbers(self.each(x, |c, x| match op {
                    KBinary::Shl => c.e.b.ins().ishl_imm_u(x, amount),
                    KBinary::Shr => c.e.b.ins().sshr_imm_u(x, amount),
                    _ => c.e.b.ins().ushr_imm_u(x, amount),
                }))
            }
            KBinary::Div
            | KBinary::DivU
            | KBinary::Rem
            | KBinary::RemU
            | KBinary::Shl
            | KBinary::Shr
            | KBinary::ShrU
            | KBinary::NextAfter => self.by_lanes(inst),
        }
    }

    fn select(&mut self, inst: &KInst) -> Lanes {
        let [p, x, y] = inst.operands[..] else { unreachable!("three operands") };
        let ty = self.e.ty(x);
        if ty == Scalar::I1 {
            let size = [p, x, y].into_iter().find(|&v| self.varies(v)).map_or(4, |v| self.natural(v));
            let (p, x, y) = (self.mask(p, size), self.mask(x, size), self.mask(y, size));
            let all = p.into_iter().zip(x).zip(y);
            return Lanes::Mask(size, all.map(|((p, x), y)| self.e.b.ins().bitselect(p, x, y)).collect());
        }
        let masks = self.mask(p, ty.size());
        Lanes::Numbers(
            masks
                .into_iter()
                .enumerate()
                .map(|(k, p)| {
                    let (x, y) = (self.vector(x, k), self.vector(y, k));
                    let p = self.e.view(vector_type(ty), p);
                    self.e.b.ins().bitselect(p, x, y)
                })
                .collect(),
        )
    }
}
