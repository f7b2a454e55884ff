//! 512-bit code as 256-bit code, for machines that have AVX2 but no AVX-512: each vector is two, lower lanes first, and a
//! mask is two vectors whose lanes are all ones or zero.
//!
//! The bits are the same: the instructions round alike, and a reduction's 16 lanes are two vectors of `f32` or four of
//! `f64`. What AVX2 has no instruction for gives `None`, and the loop is compiled in another way: gathers, conversions
//! between floats and 8-byte or unsigned integers, products, extrema and arithmetic shifts of 8-byte integers. Elements of
//! fewer than 4 bytes of an incomplete round are read and written one by one.

use super::body::{Body, Carried, Inst, K, Run, Size, Src, V};
use super::enc;
use super::enc::Enc;
use super::translate::alternate;
use crate::options::Wide;

/// Instructions that AVX2 has with the same opcode, lane by lane.
const SAME: [Enc; 43] = [
    enc::FADD[0],
    enc::FADD[1],
    enc::FSUB[0],
    enc::FSUB[1],
    enc::FMUL[0],
    enc::FMUL[1],
    enc::FDIV[0],
    enc::FDIV[1],
    enc::FMIN[0],
    enc::FMIN[1],
    enc::FMAX[0],
    enc::FMAX[1],
    enc::FSQRT[0],
    enc::FSQRT[1],
    enc::ROUND[0],
    enc::ROUND[1],
    enc::ADD[0],
    enc::ADD[1],
    enc::SUB[0],
    enc::SUB[1],
    enc::MUL[0],
    enc::AND[0],
    enc::AND[1],
    enc::OR[0],
    enc::OR[1],
    enc::XOR[0],
    enc::XOR[1],
    enc::ABS[0],
    enc::MIN[0],
    enc::MAX[0],
    enc::MIN_U[0],
    enc::MAX_U[0],
    enc::SHL[0],
    enc::SHL[1],
    enc::SHR[0],
    enc::SHR_U[0],
    enc::SHR_U[1],
    enc::SHUFFLE,
    enc::I32_TO_F32[0],
    enc::F32_TO_I32[0],
    enc::LOAD32,
    enc::LOAD64,
    enc::BROADCAST32,
];

/// Lanes of a vector of 16 bytes, of 4 bytes each: every other one first.
const EVEN: u8 = 0b1000_1000;
/// Lanes of 8 bytes: the first and the third.
const FIRST_AND_THIRD: u8 = 0b1000;
const ONES: Src = Src::Number(u64::MAX);

/// Which instructions come first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    /// Both halves in turn: one works while the other waits.
    Alternating,
    /// The lower half, then the upper one, where neither needs the other: half as many registers.
    OneByOne,
}

/// A body, if AVX2 has what it does.
pub(super) fn halves(body: &Body, order: Order) -> Option<Body> {
    let mut out = Body::new(body.width);
    out.wide = Wide::Ymm;
    let mut h = Halver {
        out,
        vectors: vec![None; body.vectors as usize],
        masks: vec![None; body.masks as usize],
        lists: [Vec::new(), Vec::new()],
    };
    for c in &body.carried {
        h.vectors[c.from.0 as usize] = Some([h.out.vector(), h.out.vector()]);
    }
    for inst in &body.insts {
        h.inst(inst)?;
    }
    for c in &body.carried {
        let ([from, to], lanes) = ([h.pair(c.from), h.pair(c.to)], [0, 1]);
        h.out.carried.extend(lanes.map(|k| Carried {
            part: 2 * c.part + k as u8,
            from: from[k],
            to: to[k],
            ..*c
        }));
    }
    let Halver { mut out, lists, .. } = h;
    out.insts = match order {
        Order::Alternating => alternate(&lists, &out),
        Order::OneByOne => one_by_one(lists, &out),
    };
    out.prune();
    Some(out)
}

/// What makes one number of each accumulator: the upper lanes are no longer needed at the end.
pub(super) fn totals(body: &Body) -> Option<Body> {
    let mut out = halves(body, Order::Alternating)?;
    for c in out.carried.iter_mut().filter(|c| c.part != 0) {
        c.to = c.from;
    }
    out.prune();
    Some(out)
}

/// The lower half before the upper one; alternating if it reads something of that.
fn one_by_one(lists: [Vec<Inst>; 2], body: &Body) -> Vec<Inst> {
    let mut upper = vec![false; body.vectors as usize];
    for v in lists[1].iter().filter_map(|inst| inst.writes().0) {
        upper[v.0 as usize] = true;
    }
    let mut independent = true;
    lists[0].iter().for_each(|inst| inst.reads(&mut |v| independent &= !upper[v.0 as usize], &mut |_| ()));
    if independent { lists.concat() } else { alternate(&lists, body) }
}

struct Halver {
    out: Body,
    vectors: Vec<Option<[V; 2]>>,
    /// Masks, with the size of their lanes.
    masks: Vec<Option<(Size, [V; 2])>>,
    /// Instructions for the lower lanes and for the upper ones.
    lists: [Vec<Inst>; 2],
}

impl Halver {
    fn pair(&self, v: V) -> [V; 2] {
        self.vectors[v.0 as usize].expect("computed before it is read")
    }

    /// Half of a source.
    fn source(&self, x: Src, size: Size, half: usize) -> Src {
        match x {
            Src::V(v) => Src::V(self.pair(v)[half]),
            Src::Number(_) | Src::Uniform(_) => x,
            Src::Iota(first) => Src::Iota(first + half as u32 * u32::from(Wide::Ymm.bytes() / size)),
        }
    }

    /// Does the same for both halves; what is added is noted as belonging to them.
    fn each(&mut self, mut f: impl FnMut(&mut Self, usize) -> V) -> [V; 2] {
        [0, 1].map(|half| {
            let v = f(self, half);
            let added = std::mem::take(&mut self.out.insts);
            self.lists[half].extend(added);
            v
        })
    }

    fn binary(&mut self, enc: Enc, size: Size, a: Src, b: Src) -> V {
        self.out.binary((enc, false), size, a, b)
    }

    /// An instruction of two operands with an immediate byte.
    fn immediate(&mut self, enc: Enc, size: Size, imm: u8, a: Src, b: Src) -> V {
        let to = self.out.vector();
        self.out.insts.push(Inst::Binary { enc, size, imm: Some(imm), commutes: false, a, b, to });
        to
    }

    /// All ones where a vector is zero and the other way round.
    fn not(&mut self, size: Size, x: V) -> V {
        self.out.binary((enc::XOR[0], true), size, Src::V(x), ONES)
    }

    /// 16 bytes of a vector, in the place of the lower ones.
    fn quarter(&mut self, x: V, upper: bool) -> V {
        if !upper {
            return x;
        }
        let to = self.out.vector();
        self.out.insts.push(Inst::Reversed { enc: enc::UPPER_QUARTER, imm: Some(1), x, to });
        to
    }

    /// The lower 16 bytes of two vectors.
    fn with_upper(&mut self, low: V, high: V) -> V {
        self.immediate(enc::WITH_UPPER_QUARTER, 4, 1, Src::V(low), Src::V(high))
    }

    /// The lower 4 bytes of the 8-byte lanes of two vectors.
    fn cut(&mut self, [low, high]: [V; 2]) -> V {
        let [low, high] = [low, high].map(|x| {
            let even = self.out.unary(enc::SHUFFLE, 4, Some(EVEN), Src::V(x));
            self.out.unary(enc::PERMUTE, 8, Some(FIRST_AND_THIRD), Src::V(even))
        });
        self.with_upper(low, high)
    }

    /// A mask for lanes of a size: one for 16 lanes serves the lower 8 too.
    fn mask(&mut self, k: K, size: Size) -> [V; 2] {
        let (own, masks) = self.masks[k.0 as usize].expect("computed before it is read");
        match (own, size) {
            (4, 8) => self.stretched(masks[0]),
            (8, 4) => {
                let low = self.each(|h, _| h.cut(masks))[0];
                [low; 2]
            }
            _ => masks,
        }
    }

    /// The 4-byte lanes of a mask as 8-byte lanes.
    fn stretched(&mut self, x: V) -> [V; 2] {
        self.each(|h, half| {
            let quarter = h.quarter(x, half == 1);
            h.out.unary(enc::I32_TO_I64[0], 8, None, Src::V(quarter))
        })
    }

    fn inst(&mut self, inst: &Inst) -> Option<()> {
        match *inst {
            Inst::Unary { enc, size, imm, x, to } => {
                self.vectors[to.0 as usize] = Some(self.unary(enc, size, imm, x)?)
            }
            Inst::Reversed { enc, x, to, .. } => {
                let x = self.pair(x);
                self.vectors[to.0 as usize] = Some(match enc {
                    enc::UPPER_HALF => [x[1]; 2],
                    enc::I64_TO_I32 => [self.each(|h, _| h.cut(x))[0]; 2],
                    _ => return None,
                });
            }
            Inst::Binary { enc, size, imm, commutes, a, b, to } => {
                let pair = match (enc, imm) {
                    (enc::WITH_UPPER, _) => [self.lower(a), self.lower(b)],
                    (enc::QUARTERS, Some(0b1110)) => {
                        let Src::V(v) = a else { return None };
                        [self.pair(v)[1]; 2]
                    }
                    (enc::QUARTERS, _) => {
                        let x = Src::V(self.lower(a));
                        [self.each(|h, _| h.immediate(enc::SWAP_QUARTERS, 4, 1, x, x))[0]; 2]
                    }
                    (enc, Some(imm)) if enc::RANGE.contains(&enc) => self.extremum(imm, size, a, b),
                    (enc, None) if enc::SCALE.contains(&enc) => self.scale(size, a, b),
                    (enc, None) if SAME.contains(&enc) => self.each(|h, half| {
                        let (a, b) = (h.source(a, size, half), h.source(b, size, half));
                        h.out.binary((enc, commutes), size, a, b)
                    }),
                    _ => return None,
                };
                self.vectors[to.0 as usize] = Some(pair);
            }
            Inst::Fma { signs, size, a, b, c, to } => {
                self.vectors[to.0 as usize] = Some(self.each(|h, half| {
                    let [a, b, c] = [a, b, c].map(|x| h.source(x, size, half));
                    let to = h.out.vector();
                    h.out.insts.push(Inst::Fma { signs, size, a, b, c, to });
                    to
                }));
            }
            Inst::Where { enc, size, mask, a, b, base, to } => {
                if !SAME.contains(&enc) {
                    return None;
                }
                let mask = self.mask(mask, size);
                self.vectors[to.0 as usize] = Some(self.each(|h, half| {
                    let (a, b) = (h.source(Src::V(a), size, half), h.source(b, size, half));
                    let yes = h.binary(enc, size, a, b);
                    h.choose(mask[half], yes, h.pair(base)[half])
                }));
            }
            Inst::Select { size, mask, yes, no, to } => {
                let mask = self.mask(mask, size);
                self.vectors[to.0 as usize] = Some(self.each(|h, half| {
                    let [yes, no] = [yes, no].map(|x| {
                        let x = h.source(x, size, half);
                        h.out.register(size, x)
                    });
                    h.choose(mask[half], yes, no)
                }));
            }
            Inst::Keep { size, mask, number, to } => {
                let mask = self.mask(mask, size);
                self.vectors[to.0 as usize] = Some(
                    self.each(|h, half| h.out.binary((enc::AND[0], true), size, Src::V(mask[half]), number)),
                );
            }
            Inst::Compare { enc, size, imm, a, b, to } => {
                self.masks[to.0 as usize] = Some((size, self.compare(enc, size, imm, Src::V(a), b)?));
            }
            Inst::Masks { op, a, b, to } => {
                let size = self.size(a).max(self.size(b));
                let (a, b) = (self.mask(a, size), self.mask(b, size));
                let enc = match op {
                    enc::KAND => enc::AND[0],
                    enc::KANDN => enc::ANDN,
                    enc::KOR => enc::OR[0],
                    enc::KXOR => enc::XOR[0],
                    _ => return None,
                };
                let made = self.each(|h, half| h.binary(enc, 4, Src::V(a[half]), Src::V(b[half])));
                self.masks[to.0 as usize] = Some((size, made));
            }
            Inst::Not { x, to } => {
                let size = self.size(x);
                let x = self.mask(x, size);
                self.masks[to.0 as usize] = Some((size, self.each(|h, half| h.not(size, x[half]))));
            }
            Inst::Join { high, low, to } => {
                let parts = [low, high].map(|k| self.mask(k, 4)[0]);
                self.masks[to.0 as usize] = Some((4, parts));
            }
            Inst::High { x, to } => {
                let (4, x) = self.masks[x.0 as usize]? else { return None };
                self.masks[to.0 as usize] = Some((8, self.stretched(x[1])));
            }
            Inst::Load { enc, run, width, part, to } => {
                let bytes = width / 2;
                let known = [enc::LOAD32, enc::LOAD64, enc::FROM_BYTES[0], enc::FROM_BYTES[1]].contains(&enc);
                let narrow = enc::FROM_SIGNED.contains(&enc) || enc::FROM_UNSIGNED.contains(&enc);
                if !known && !narrow {
                    return None;
                }
                self.vectors[to.0 as usize] = Some(self.each(|h, half| {
                    let to = h.out.vector();
                    let run = Run { offset: run.offset + half as i32 * i32::from(bytes), ..run };
                    h.out.insts.push(Inst::Load { enc, run, width: bytes, part: 2 * part + half as u8, to });
                    to
                }));
            }
            Inst::Store { enc, run, width, part, from } => {
                let from = self.pair(from);
                if enc == enc::TO_BYTES[1] {
                    // Four lanes in each half, eight bytes together: after what the upper half reads before.
                    let both = self.each(|h, _| h.cut(from))[0];
                    self.store_narrow(1, run, part, both, 1);
                } else if let Some(bytes) = enc::TO_NARROW.iter().position(|&narrow| narrow == enc) {
                    let bytes = bytes as u8 + 1;
                    self.store_narrow(bytes, run, 2 * part, from[0], 0);
                    let run = Run { offset: run.offset + 8 * i32::from(bytes), ..run };
                    self.store_narrow(bytes, run, 2 * part + 1, from[1], 1);
                } else {
                    if ![enc::STORE32, enc::STORE64].contains(&enc) {
                        return None;
                    }
                    let bytes = width / 2;
                    self.each(|h, half| {
                        let run = Run { offset: run.offset + half as i32 * i32::from(bytes), ..run };
                        let (part, from) = (2 * part + half as u8, from[half]);
                        h.out.insts.push(Inst::Store { enc, run, width: bytes, part, from });
                        from
                    });
                }
            }
            Inst::Counter { to } => {
                self.vectors[to.0 as usize] = Some(self.each(|h, _| {
                    let to = h.out.vector();
                    h.out.insts.push(Inst::Counter { to });
                    to
                }));
            }
            Inst::Gather { .. }
            | Inst::Scatter { .. }
            | Inst::Row { .. }
            | Inst::KeepRow { .. }
            | Inst::Turn { .. }
            | Inst::Choose { .. } => return None,
        }
        Some(())
    }

    fn lower(&self, x: Src) -> V {
        let Src::V(v) = x else { unreachable!("halves of vectors are put together") };
        self.pair(v)[0]
    }

    fn size(&self, k: K) -> Size {
        self.masks[k.0 as usize].expect("computed before it is read").0
    }

    fn choose(&mut self, mask: V, yes: V, no: V) -> V {
        let to = self.out.vector();
        self.out.insts.push(Inst::Choose { mask, yes, no, to });
        to
    }

    fn unary(&mut self, enc: Enc, size: Size, imm: Option<u8>, x: Src) -> Option<[V; 2]> {
        let widens = [enc::F32_TO_F64, enc::I32_TO_F64[0], enc::I32_TO_I64[0], enc::I32_TO_I64[1]];
        if widens.contains(&enc) {
            let x = self.lower(x);
            return Some(self.each(|h, half| {
                let quarter = h.quarter(x, half == 1);
                h.out.unary(enc, 8, None, Src::V(quarter))
            }));
        }
        if enc == enc::F64_TO_F32 || enc == enc::F64_TO_I32[0] {
            let Src::V(x) = x else { return None };
            let x = self.pair(x);
            let made = self.each(|h, _| {
                let [low, high] = x.map(|x| h.out.unary(enc, 8, None, Src::V(x)));
                h.with_upper(low, high)
            });
            return Some([made[0]; 2]);
        }
        (SAME.contains(&enc) || enc == enc::BROADCAST64).then(|| {
            self.each(|h, half| {
                let x = h.source(x, size, half);
                h.out.unary(enc, size, imm, x)
            })
        })
    }

    /// The smaller or larger of two floats, zeros ordered by sign; NaN on either side is replaced afterwards. The
    /// instructions give their second operand if both are zero, so both orders together have both signs.
    fn extremum(&mut self, imm: u8, size: Size, a: Src, b: Src) -> [V; 2] {
        let (enc, signs) = match imm & 1 {
            1 => (enc::FMAX, enc::AND[0]),
            _ => (enc::FMIN, enc::OR[0]),
        };
        let enc = enc[usize::from(size == 8)];
        self.each(|h, half| {
            let (a, b) = (h.source(a, size, half), h.source(b, size, half));
            let (one, other) = (h.binary(enc, size, a, b), h.binary(enc, size, b, a));
            h.binary(signs, size, Src::V(one), Src::V(other))
        })
    }

    /// `x * 2^n` as the math library defines it: twice by about half the power. `n` is whole and far from overflow.
    fn scale(&mut self, size: Size, x: Src, n: Src) -> [V; 2] {
        let at = usize::from(size == 8);
        let (bias, mantissa) = if size == 8 { (1023, 52) } else { (127, 23) };
        self.each(|h, lanes| {
            let (x, n) = (h.source(x, size, lanes), h.source(n, size, lanes));
            let n = h.out.unary(enc::TO_I32[at], 4, None, n);
            let half = h.binary(enc::SHR[0], 4, Src::V(n), Src::Number(1));
            let rest = h.binary(enc::SUB[0], 4, Src::V(n), Src::V(half));
            let mut product = x;
            for exponent in [half, rest] {
                let exponent = match size {
                    8 => h.out.unary(enc::I32_TO_I64[0], 8, None, Src::V(exponent)),
                    _ => exponent,
                };
                let biased = h.out.binary((enc::ADD[at], true), size, Src::V(exponent), Src::Number(bias));
                let power = h.binary(enc::SHL[at], size, Src::V(biased), Src::Number(mantissa));
                product = Src::V(h.out.binary((enc::FMUL[at], true), size, product, Src::V(power)));
            }
            match product {
                Src::V(v) => v,
                Src::Number(_) | Src::Uniform(_) | Src::Iota(_) => unreachable!("a product"),
            }
        })
    }

    fn compare(&mut self, enc: Enc, size: Size, imm: Option<u8>, a: Src, b: Src) -> Option<[V; 2]> {
        let n = usize::from(size == 8);
        if enc::FCOMPARE.contains(&enc) {
            let predicate = imm?;
            return Some(self.each(|h, half| {
                let (a, b) = (h.source(a, size, half), h.source(b, size, half));
                h.immediate(enc, size, predicate, a, b)
            }));
        }
        if enc::TEST.contains(&enc) {
            // A number with itself: whether it is not zero.
            return Some(self.each(|h, half| {
                let a = h.source(a, size, half);
                let zero = h.binary(enc::EQUAL[n], size, a, Src::Number(0));
                h.not(size, zero)
            }));
        }
        let unsigned = enc::COMPARE_U.contains(&enc);
        if !unsigned && !enc::COMPARE.contains(&enc) {
            return None;
        }
        // Equal or greater, of the operands exchanged, with the answer turned.
        let (test, exchanged, turned) = match imm? {
            0 => (enc::EQUAL, false, false),
            1 => (enc::GREATER, true, false),
            2 => (enc::GREATER, false, true),
            4 => (enc::EQUAL, false, true),
            5 => (enc::GREATER, true, true),
            6 => (enc::GREATER, false, false),
            _ => return None,
        };
        let sign = Src::Number(1 << (8 * u64::from(size) - 1));
        Some(self.each(|h, half| {
            let [mut a, mut b] = [a, b].map(|x| h.source(x, size, half));
            if unsigned {
                [a, b] = [a, b].map(|x| Src::V(h.out.binary((enc::XOR[0], true), size, x, sign)));
            }
            if exchanged {
                std::mem::swap(&mut a, &mut b);
            }
            let test = h.binary(test[n], size, a, b);
            if turned { h.not(size, test) } else { test }
        }))
    }

    /// Stores the lowest one or two bytes of eight 4-byte lanes, among the instructions of a half.
    fn store_narrow(&mut self, bytes: u8, run: Run, part: u8, x: V, half: usize) {
        // What is packed saturates: the other bits are cut off before.
        let ones = Src::Number((1 << (8 * u32::from(bytes))) - 1);
        let low = Src::V(self.out.binary((enc::AND[0], true), 4, Src::V(x), ones));
        let words = Src::V(self.out.binary((enc::TO_WORDS, false), 4, low, low));
        let (enc, from) = if bytes == 2 {
            (enc::STORE_QUARTER, self.out.unary(enc::PERMUTE, 8, Some(FIRST_AND_THIRD), words))
        } else {
            let packed = self.out.binary((enc::WORDS_TO_BYTES, false), 4, words, words);
            let near = self.out.unary(enc::PERMUTE, 8, Some(FIRST_AND_THIRD), Src::V(packed));
            (enc::STORE_LOWEST, self.out.unary(enc::SHUFFLE, 4, Some(EVEN), Src::V(near)))
        };
        self.out.insts.push(Inst::Store { enc, run, width: 8 * bytes, part, from });
        let added = std::mem::take(&mut self.out.insts);
        self.lists[half].extend(added);
    }
}
