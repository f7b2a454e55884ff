//! Random numbers: `rng_bit_generator` with the bits of XLA's CPU backend, and `rng`, whose numbers nobody
//! prescribes: ours come from Threefry under the number of the
//! instruction as its key, so a program gives the same ones in every run, and two draws are independent.
//!
//! The ciphers: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2,
//! 3", SC 2011.

use super::elementwise::number::{Number, Wide};
use super::elementwise::{dispatch, elements, no_tangents};
use super::rng_of_batches::{PARITY, PHILOX, ROTATIONS, bits, neighbours};
use super::shape::tensors;
use crate::array::Array;
use crate::ensure;
use crate::func::Module;
use crate::math::MathFn;
use crate::op::*;
use crate::ops::batching;
use crate::rules::{Batched, Emit, EvalError, Evaluate, Jvp, Mapped, OpDef, Tangents, TypeError, Types};
use crate::types::{DType, DTypeClass, Type};
use crate::work::Sizes;
use smallvec::smallvec;

/// Threefry-2x32 with 20 rounds: the block `x` enciphered under `key`.
fn threefry(key: [u32; 2], x: [u32; 2]) -> [u32; 2] {
    let schedule = [key[0], key[1], key[0] ^ key[1] ^ PARITY];
    let [mut a, mut b] = [x[0].wrapping_add(key[0]), x[1].wrapping_add(key[1])];
    for group in 0..5usize {
        for r in ROTATIONS[group % 2] {
            a = a.wrapping_add(b);
            b = a ^ b.rotate_left(r);
        }
        a = a.wrapping_add(schedule[(group + 1) % 3]);
        b = b.wrapping_add(schedule[(group + 2) % 3]).wrapping_add(group as u32 + 1);
    }
    [a, b]
}

/// Philox-4x32 with 10 rounds.
fn philox(mut key: [u32; 2], mut x: [u32; 4]) -> [u32; 4] {
    let [factors, steps] = PHILOX;
    for _ in 0..10 {
        let (p, q) = (u64::from(factors[0]) * u64::from(x[0]), u64::from(factors[1]) * u64::from(x[2]));
        x = [(q >> 32) as u32 ^ x[1] ^ key[0], q as u32, (p >> 32) as u32 ^ x[3] ^ key[1], p as u32];
        key = [key[0].wrapping_add(steps[0]), key[1].wrapping_add(steps[1])];
    }
    x
}

fn halves(x: u64) -> [u32; 2] {
    [x as u32, (x >> 32) as u32]
}

/// Writes the low bytes of a word.
fn store(bytes: &mut [u8], size: usize, at: usize, word: u64) {
    bytes[at * size..(at + 1) * size].copy_from_slice(&word.to_le_bytes()[..size]);
}

/// Fills `out` from a state of a key and a counter, and moves the counter on.
///
/// A block of two words is one element of 64 bits. Smaller elements are one word each: the two words of a
/// block are neighbours along one dimension ([`neighbours`]).
fn fill_threefry(state: &mut [u64], out: &mut Array) {
    let key = halves(state[0]);
    let block = |counter: u64| threefry(key, halves(counter));
    let shape = out.ty().shape.clone();
    let (size, n) = (out.dtype().size(), out.ty().elements());
    let bytes = out.bytes_mut();
    if size == 8 {
        for i in 0..n {
            let [low, high] = block(state[1].wrapping_add(i as u64));
            store(bytes, size, i, u64::from(low) | u64::from(high) << 32);
        }
        state[1] = state[1].wrapping_add(n as u64);
        return;
    }
    let [outer, length, inner] = neighbours(&shape);
    let half = length.div_ceil(2);
    for o in 0..outer {
        for h in 0..half {
            for i in 0..inner {
                let words = block(state[1].wrapping_add(((o * half + h) * inner + i) as u64));
                for (k, word) in words.into_iter().enumerate().take_while(|(k, _)| 2 * h + k < length) {
                    store(bytes, size, (o * length + 2 * h + k) * inner + i, u64::from(word));
                }
            }
        }
    }
    state[1] = state[1].wrapping_add((outer * half * inner) as u64);
}

/// Fills `out` from a state of a key and a counter of 64 bits (the other half of the block is the key) or 128.
fn fill_philox(state: &mut [u64], out: &mut Array) {
    let (size, n) = (out.dtype().size(), out.ty().elements());
    let per_block = if size == 8 { 2 } else { 4 };
    let bytes = out.bytes_mut();
    let high = if state.len() == 3 { state[2] } else { state[0] };
    let start = u128::from(state[1]) | u128::from(high) << 64;
    let blocks = n.div_ceil(per_block);
    for b in 0..blocks {
        let counter = start.wrapping_add(b as u128);
        let ([a, b0], [c, d]) = (halves(counter as u64), halves((counter >> 64) as u64));
        let words = philox(halves(state[0]), [a, b0, c, d]);
        for k in 0..per_block.min(n - b * per_block) {
            let word = if size == 8 {
                u64::from(words[2 * k]) | u64::from(words[2 * k + 1]) << 32
            } else {
                u64::from(words[k])
            };
            store(bytes, size, b * per_block + k, word);
        }
    }
    let end = start.wrapping_add(blocks as u128);
    state[1] = end as u64;
    if state.len() == 3 {
        state[2] = (end >> 64) as u64;
    }
}

impl OpDef for RngBitGenerator {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let state = tensors(operands, 1)?[0];
        ensure!(state.rank() == 1 && state.dtype == DType::U64, "I2", "the state must be ui64, is {state}");
        let fits = match self.algorithm {
            RngAlgorithm::ThreeFry => state.shape[0] == 2,
            RngAlgorithm::Philox | RngAlgorithm::Default => matches!(state.shape[0], 2 | 3),
        };
        ensure!(fits, "C2", "{} has no state of {}", self.algorithm.name(), state.shape[0]);
        let class = self.ty.dtype.class();
        let has_bits = matches!(class, DTypeClass::Signed | DTypeClass::Unsigned | DTypeClass::Float);
        ensure!(has_bits && self.ty.dtype.bits() >= 8, "O2", "no random bits of {}", self.ty.dtype);
        ensure!(self.ty.is_static(), "O2", "the shape of the bits must be known");
        Ok(smallvec![operands[0].clone(), self.ty.clone().into()])
    }

    fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        cx.reserve(&self.ty)?;
        let (mut state, mut out) = (operands[0].clone(), Array::zeros(self.ty.clone()));
        let words = state.as_mut_slice::<u64>();
        match self.algorithm {
            RngAlgorithm::ThreeFry => fill_threefry(words, &mut out),
            RngAlgorithm::Philox | RngAlgorithm::Default => fill_philox(words, &mut out),
        }
        Ok(vec![state, out])
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        x.result(1)
    }

    fn jvp(&self, _: &mut dyn Emit, _: Jvp<'_>) -> Tangents {
        no_tangents(2)
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        let states = batching::at(e, size, operands[0], 0);
        batching::in_front(bits(e, self, size, states))
    }
}

/// A number between 0 and 1, one not included, per sequence and position.
fn unit(stream: usize, at: usize) -> f64 {
    let [low, high] = threefry(halves(stream as u64), halves(at as u64));
    ((u64::from(low) | u64::from(high) << 32) >> 11) as f64 * 2f64.powi(-53)
}

impl OpDef for Rng {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let xs = tensors(operands, 3)?;
        let (a, b, shape) = (xs[0], xs[1], xs[2]);
        ensure!(a.rank() == 0 && !a.dtype.is_complex(), "I1", "{a} is no real scalar");
        ensure!(b.rank() == 0 && !b.dtype.is_complex(), "I2", "{b} is no real scalar");
        ensure!(shape.rank() == 1 && shape.dtype.is_integer(), "I3", "{shape} is no list of sizes");
        let (d, want) = (self.ty.dtype, &self.ty);
        ensure!(a.dtype == b.dtype && a.dtype == d, "C1", "{a} and {b} do not give {want}");
        let normal = self.distribution == RngDistribution::Normal;
        ensure!(!normal || d.is_float(), "C2", "normal numbers are floats, not {d}");
        ensure!(
            shape.shape[0] == self.ty.rank() && self.ty.is_static(),
            "C3",
            "{shape} is no shape of {want}"
        );
        Ok(smallvec![self.ty.clone().into()])
    }

    fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        fn go<T: Number>(op: &Rng, a: &Array, b: &Array) -> Array {
            let (a, b) = (T::widen(elements::<T>(a)[0]), T::widen(elements::<T>(b)[0]));
            let mut out = Array::zeros(op.ty.clone());
            let slots: &mut [T] = bytemuck::cast_slice_mut(out.bytes_mut());
            for (i, slot) in slots.iter_mut().enumerate() {
                *slot = T::narrow(match (a, b) {
                    (Wide::Int(a), Wide::Int(b)) => {
                        let span = (b - a).max(1);
                        Wide::Int(a + (unit(op.stream, i) * span as f64) as i128 % span)
                    }
                    (Wide::Float(a), Wide::Float(b)) => Wide::Float(match op.distribution {
                        RngDistribution::Uniform => {
                            let x = a + (b - a) * unit(op.stream, i);
                            // Rounding to the element type may reach b, which does not belong.
                            let rounded = match T::widen(T::narrow(Wide::Float(x))) {
                                Wide::Float(x) => x,
                                Wide::Int(_) | Wide::Complex(..) => x,
                            };
                            if rounded < b { x } else { a }
                        }
                        RngDistribution::Normal => {
                            // Never -1: the inverse is finite.
                            let centred = 2.0 * (unit(op.stream, i) + 2f64.powi(-55)) - 1.0;
                            a + b * std::f64::consts::SQRT_2 * MathFn::ErfInv.eval_f64(centred)
                        }
                    }),
                    (a, _) => a,
                });
            }
            out
        }
        cx.reserve(&self.ty)?;
        Ok(vec![dispatch!(self.ty.dtype, "stablehlo.rng", go(self, &operands[0], &operands[1]))?])
    }

    fn differentiable(&self, _: &[bool]) -> Result<(), &'static str> {
        Err("random numbers, with respect to the bounds of their distribution")
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        x.result(0)
    }

    fn jvp(&self, _: &mut dyn Emit, _: Jvp<'_>) -> Tangents {
        unreachable!("`differentiable` refuses it")
    }
}
