//! `rng_bit_generator` with a state for each example: its ciphers as operations on tensors, whose rows are the examples. The bits
//! are those that [`super::rng`] makes of each state.

use crate::op::*;
use crate::rules::{Emit, Term};
use crate::types::{DType, Dims, TensorType};

/// By how many bits the rounds of Threefry-2x32 rotate, four and four.
pub(super) const ROTATIONS: [[u32; 4]; 2] = [[13, 15, 26, 6], [17, 29, 16, 24]];

/// What the key schedule of Threefry adds to the two words of the key.
pub(super) const PARITY: u32 = 0x1BD1_1BDA;

/// What Philox-4x32 multiplies by, and adds to its key from round to round.
pub(super) const PHILOX: [[u32; 2]; 2] = [[0xD251_1F53, 0xCD9E_8D57], [0x9E37_79B9, 0xBB67_AE85]];

/// Where the two words of a block of Threefry lie in a result of this shape: how many slices there are, the length of the
/// dimension along which they are neighbours, and what one of its steps holds.
///
/// It is the first even dimension, or else the first longest, which then ends early.
pub(super) fn neighbours(shape: &[usize]) -> [usize; 3] {
    let longest = || (0..shape.len()).rev().max_by_key(|&d| shape[d]);
    let split = (0..shape.len()).find(|&d| shape[d].is_multiple_of(2)).or_else(longest);
    let (length, inner) = split.map_or((1, 1), |d| (shape[d], shape[d + 1..].iter().product::<usize>()));
    let n: usize = shape.iter().product();
    [n.checked_div(length * inner).unwrap_or(0), length, inner]
}

/// The states that follow and the bits of states `[size, words]` of `ui64`.
pub(super) fn bits(e: &mut dyn Emit, op: &RngBitGenerator, size: usize, states: Term) -> [Term; 2] {
    let ty = &op.ty;
    let mut shape = ty.shape.clone();
    shape.insert(0, size);
    if ty.shape.contains(&0) {
        return [states, e.splat(ty.with_shape(&shape), 0.0)];
    }
    let words = e.ty(states).shape[1];
    let state: Vec<Term> = (0..words).map(|k| column(e, states, k, k + 1)).collect();
    let (next, bits) = match op.algorithm {
        RngAlgorithm::ThreeFry => of_threefry(e, ty, &state),
        RngAlgorithm::Philox | RngAlgorithm::Default => of_philox(e, ty, &state),
    };
    let next = e.one(Concatenate { dim: 1 }, &next);
    let bits = e.reshape(bits, &shape);
    // Whole words as the low bits of what is asked for.
    let narrow = [DType::U8, DType::U16, DType::U32, DType::U64][ty.dtype.size().ilog2() as usize];
    let bits = e.convert(bits, narrow);
    let wanted = ty.with_shape(&shape);
    [next, if narrow == ty.dtype { bits } else { e.one(BitcastConvert { ty: wanted }, &[bits]) }]
}

/// Columns of a matrix.
fn column(e: &mut dyn Emit, x: Term, from: usize, to: usize) -> Term {
    let rows = e.ty(x).shape[0];
    let [start, limit, strides]: [Dims; 3] = [[0, from], [rows, to], [1, 1]].map(|d| d[..].into());
    e.one(Slice { start, limit, strides }, &[x])
}

/// A column for each of `count` blocks.
fn spread(e: &mut dyn Emit, x: Term, count: usize) -> Term {
    let rows = e.ty(x).shape[0];
    e.broadcast_in_dim(x, &[rows, count], &[0, 1])
}

/// The numbers of blocks, for each example.
fn numbers(e: &mut dyn Emit, size: usize, count: usize) -> Term {
    e.one(Iota { ty: TensorType::new(DType::U64, &[size, count]), dim: 1 }, &[])
}

fn shifted(e: &mut dyn Emit, op: BinaryOp, x: Term, by: u32) -> Term {
    let by = e.splat_like(x, by.into());
    e.binary(op, x, by)
}

fn plus(e: &mut dyn Emit, x: Term, number: u64) -> Term {
    let number = e.splat_like(x, number as f64);
    e.add(x, number)
}

/// The low and the high half.
fn halves(e: &mut dyn Emit, x: Term) -> [Term; 2] {
    let low = e.splat_like(x, u32::MAX.into());
    let low = e.binary(BinaryOp::And, x, low);
    let high = shifted(e, BinaryOp::ShiftRightLogical, x, 32);
    [low, high].map(|half| e.convert(half, DType::U32))
}

fn joined(e: &mut dyn Emit, [low, high]: [Term; 2]) -> Term {
    let [low, high] = [low, high].map(|half| e.convert(half, DType::U64));
    let high = shifted(e, BinaryOp::ShiftLeft, high, 32);
    e.binary(BinaryOp::Or, low, high)
}

/// Tensors of one shape side by side: a last dimension more.
fn stacked(e: &mut dyn Emit, parts: &[Term]) -> Term {
    let mut shape = e.ty(parts[0]).shape;
    let dim = shape.len();
    shape.push(1);
    let parts: Vec<Term> = parts.iter().map(|&x| e.reshape(x, &shape)).collect();
    e.one(Concatenate { dim }, &parts)
}

/// See [`super::rng`] for where the words go.
fn of_threefry(e: &mut dyn Emit, ty: &TensorType, state: &[Term]) -> (Vec<Term>, Term) {
    let (size, wide) = (e.ty(state[0]).shape[0], ty.dtype.size() == 8);
    let [outer, length, inner] = neighbours(&ty.shape);
    let half = length.div_ceil(2);
    let count = if wide { ty.elements() } else { outer * half * inner };
    let numbers = numbers(e, size, count);
    let start = spread(e, state[1], count);
    let counters = e.add(start, numbers);
    let counters = halves(e, counters);
    let key = halves(e, state[0]).map(|half| spread(e, half, count));
    let words = threefry(e, key, counters);
    let next = vec![state[0], plus(e, state[1], count as u64)];
    if wide {
        return (next, joined(e, words));
    }
    let shape = [size, outer, half, inner];
    let pairs = words.map(|word| e.reshape(word, &shape));
    let pairs = stacked(e, &pairs);
    let pairs = e.transpose(pairs, &[0, 1, 2, 4, 3]);
    let line = e.reshape(pairs, &[size, outer, 2 * half, inner]);
    let [start, limit, strides]: [Dims; 3] =
        [[0; 4], [size, outer, length, inner], [1; 4]].map(|d| d[..].into());
    (next, e.one(Slice { start, limit, strides }, &[line]))
}

fn threefry(e: &mut dyn Emit, key: [Term; 2], x: [Term; 2]) -> [Term; 2] {
    let both = e.binary(BinaryOp::Xor, key[0], key[1]);
    let parity = e.splat_like(both, PARITY.into());
    let schedule = [key[0], key[1], e.binary(BinaryOp::Xor, both, parity)];
    let [mut a, mut b] = [e.add(x[0], key[0]), e.add(x[1], key[1])];
    for group in 0..5usize {
        for r in ROTATIONS[group % 2] {
            a = e.add(a, b);
            let left = shifted(e, BinaryOp::ShiftLeft, b, r);
            let right = shifted(e, BinaryOp::ShiftRightLogical, b, 32 - r);
            let turned = e.binary(BinaryOp::Or, left, right);
            b = e.binary(BinaryOp::Xor, a, turned);
        }
        a = e.add(a, schedule[(group + 1) % 3]);
        b = e.add(b, schedule[(group + 2) % 3]);
        b = plus(e, b, group as u64 + 1);
    }
    [a, b]
}

fn of_philox(e: &mut dyn Emit, ty: &TensorType, state: &[Term]) -> (Vec<Term>, Term) {
    let (size, n, wide) = (e.ty(state[0]).shape[0], ty.elements(), ty.dtype.size() == 8);
    let count = n.div_ceil(if wide { 2 } else { 4 });
    let high = if state.len() == 3 { state[2] } else { state[0] };
    // Of 128 bits: what the low half loses the high one is given.
    let sum = |e: &mut dyn Emit, low: Term, high: Term, number: Term| {
        let next = e.add(low, number);
        let carries = e.compare(Direction::Lt, next, low);
        let carry = e.convert(carries, DType::U64);
        [next, e.add(high, carry)]
    };
    let number = numbers(e, size, count);
    let start = [state[1], high].map(|half| spread(e, half, count));
    let [low, above] = sum(e, start[0], start[1], number);
    let ([a, b], [c, d]) = (halves(e, low), halves(e, above));
    let key = halves(e, state[0]).map(|half| spread(e, half, count));
    let words = philox(e, key, [a, b, c, d]);
    let blocks = e.splat_like(state[1], count as f64);
    let [low, above] = sum(e, state[1], high, blocks);
    let mut next = vec![state[0], low];
    next.extend((state.len() == 3).then_some(above));
    let words = if wide {
        let pairs = [[words[0], words[1]], [words[2], words[3]]].map(|pair| joined(e, pair));
        stacked(e, &pairs)
    } else {
        stacked(e, &words)
    };
    let all: usize = e.ty(words).shape[1..].iter().product();
    let line = e.reshape(words, &[size, all]);
    (next, column(e, line, 0, n))
}

fn philox(e: &mut dyn Emit, mut key: [Term; 2], mut x: [Term; 4]) -> [Term; 4] {
    let [factors, steps] = PHILOX;
    for _ in 0..10 {
        let product = |e: &mut dyn Emit, x: Term, factor: u32| {
            let x = e.convert(x, DType::U64);
            let product = e.scale(x, factor.into());
            halves(e, product)
        };
        let [[p, p_high], [q, q_high]] = [product(e, x[0], factors[0]), product(e, x[2], factors[1])];
        let mut mixed = |high: Term, x: Term, key: Term| {
            let mixed = e.binary(BinaryOp::Xor, high, x);
            e.binary(BinaryOp::Xor, mixed, key)
        };
        x = [mixed(q_high, x[1], key[0]), q, mixed(p_high, x[3], key[1]), p];
        key = [plus(e, key[0], steps[0].into()), plus(e, key[1], steps[1].into())];
    }
    x
}
