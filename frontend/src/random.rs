//! Random numbers as pure functions of a key: Threefry-2x32, with the bits of `jax.random`.
//!
//! A key is a `ui32[2]` tensor. Nothing is hidden: the same key gives the same numbers, so take a new key from
//! [`split`] or [`fold_in`] for every use. Everything here is made of ordinary tensor operations, works at once
//! and under every transform, and prints as plain StableHLO.
//!
//! The parameters of distributions are Rust numbers or tensors that broadcast to the shape.
//!
//! Integers, and uniform numbers over `[0, 1)`, agree with JAX (0.5 and later, `jax_threefry_partitionable`) bit
//! for bit; normal numbers and what is made of them agree within the accuracy of the inverse error function.
//!
//! The cipher: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3",
//! SC 2011.

mod continuous;
mod counts;
mod distributions;
mod gamma;

pub use continuous::{
    double_sided_maxwell, lognormal, maxwell, multivariate_normal, orthogonal, pareto, rayleigh, triangular,
    wald, weibull_min,
};
pub use counts::{binomial, geometric, multinomial, poisson};
pub use distributions::{
    Replace, categorical, categorical_many, cauchy, choice, exponential, gumbel, laplace, logistic,
    permutation, rademacher, truncated_normal,
};
use distributions::{limits, single_or_double};
pub use gamma::{ball, beta, chisquare, dirichlet, f, gamma, generalized_normal, loggamma, t};

use crate::Tensor;
use crate::context::is_tracing;
use crate::error::{Error, fail};
use crate::jit::jit;
use crate::ops::promote::{Operand, binary, broadcast, broadcast_shapes, convert};
use crate::trace::apply_at;
use std::panic::Location;
use wengert_ir::array::Array;
use wengert_ir::op::{BinaryOp, BitcastConvert};
use wengert_ir::types::{DType, FloatMode, TensorType};

type At = &'static Location<'static>;

/// Rotations of the rounds, in groups of four that alternate.
const ROTATIONS: [[i32; 4]; 2] = [[13, 15, 26, 6], [17, 29, 16, 24]];
/// Mixed into the third key word, so that no key gives an all-zero schedule.
const PARITY: i32 = 0x1BD1_1BDA;

/// A key from a seed.
///
/// ```
/// use wengert::{DType, random};
/// let key = random::key(42);
/// let [a, b] = &random::split(&key, 2)[..] else { unreachable!() };
/// assert_ne!(random::bits(a, &[3], DType::U32).to_vec::<u32>(), random::bits(b, &[3], DType::U32).to_vec::<u32>());
/// ```
pub fn key(seed: u64) -> Tensor {
    Tensor::from([(seed >> 32) as u32, seed as u32])
}

/// `n` new keys, independent of one another and of `key`.
#[track_caller]
pub fn split(key: &Tensor, n: usize) -> Vec<Tensor> {
    let (a, b) = hash(key, &[n], Location::caller());
    (0..n).map(|i| crate::stack(&[a.get(i), b.get(i)], 0)).collect()
}

/// A new key from a key and a number, such as the number of a step; the number may be a traced scalar.
#[track_caller]
pub fn fold_in(key: &Tensor, data: impl Operand) -> Tensor {
    let at = Location::caller();
    let (k0, k1) = words(key, at);
    let data = data.beside(key).astype(DType::U32);
    let (a, b) = threefry(&k0, &k1, &data.zeros_like(), &data, at);
    crate::stack(&[a, b], 0)
}

/// Uniform random bits, of `ui8`, `ui16`, `ui32` or `ui64`.
///
/// Fails for other types.
#[track_caller]
pub fn bits(key: &Tensor, shape: &[usize], dtype: DType) -> Tensor {
    let at = Location::caller();
    if !matches!(dtype, DType::U8 | DType::U16 | DType::U32 | DType::U64) {
        unsupported("bits", dtype, "ui8, ui16, ui32 and ui64", at)
    }
    at_once(key, shape, move |key, shape| random_bits(key, shape, dtype, at))
}

/// Uniform numbers in `[lo, hi)`, of `f64`, `f32`, `f16` or `bf16`.
///
/// Fails for other types.
#[track_caller]
pub fn uniform(key: &Tensor, shape: &[usize], dtype: DType, lo: f64, hi: f64) -> Tensor {
    uniform_at(key, shape, dtype, lo, hi, Location::caller())
}

/// Normal numbers with mean 0 and variance 1, of `f64`, `f32`, `f16` or `bf16`.
///
/// Fails for other types.
#[track_caller]
pub fn normal(key: &Tensor, shape: &[usize], dtype: DType) -> Tensor {
    let at = Location::caller();
    // The open interval: the inverse error function is infinite at -1.
    let lo = limits("normal", dtype, at).0 / 2.0 - 1.0;
    at_once(key, shape, move |key, shape| {
        uniform_at(key, shape, dtype, lo, 1.0, at).erf_inv() * std::f64::consts::SQRT_2
    })
}

/// Booleans that are true with probability `p`, a Rust number or a float tensor that broadcasts to `shape`.
#[track_caller]
pub fn bernoulli(key: &Tensor, p: impl Operand, shape: &[usize]) -> Tensor {
    let p = p.beside(&Tensor::from(0f32));
    uniform_at(key, shape, p.dtype(), 0.0, 1.0, Location::caller()).less(p)
}

/// Integers in `[lo, hi)`, of `i32`, `i64`, `ui32` or `ui64`; `lo` if the range is empty. Bounds beyond the type are its own; a `hi`
/// beyond it means that the largest number is in.
///
/// Twice as many bits are drawn as the type has, so that the bias is negligible for ranges much smaller than the
/// type's. Fails for other types.
#[track_caller]
pub fn randint(key: &Tensor, shape: &[usize], lo: i64, hi: i64, dtype: DType) -> Tensor {
    let at = Location::caller();
    let word = match dtype {
        DType::I32 | DType::U32 => DType::U32,
        DType::I64 | DType::U64 => DType::U64,
        _ => unsupported("randint", dtype, "i32, i64, ui32 and ui64", at),
    };
    at_once(key, shape, move |key, shape| integers(key, shape, [lo, hi], dtype, word, at))
}

fn integers(key: &Tensor, shape: &[usize], [lo, hi]: [i64; 2], dtype: DType, word: DType, at: At) -> Tensor {
    let keys = split(key, 2);
    let (high, low) = (random_bits(&keys[0], shape, word, at), random_bits(&keys[1], shape, word, at));
    let bound = |v: i64| match dtype {
        DType::I32 => v.clamp(i32::MIN as i64, i32::MAX as i64),
        DType::U32 => v.clamp(0, u32::MAX as i64),
        DType::U64 => v.max(0),
        _ => v,
    };
    let reaches_the_largest = hi > bound(hi);
    let (lo, hi) = (bound(lo), bound(hi));
    let span =
        if hi > lo { (hi.wrapping_sub(lo) as u64).wrapping_add(reaches_the_largest as u64) } else { 1 };
    if span == 1 << 32 && word == DType::U32 {
        // Every number of the type.
        return (low + Tensor::from(lo as u32)).astype(dtype);
    }
    // 2^64 (or 2^32) modulo the span; as in JAX the square wraps to 0 where the span is beyond its root.
    let multiplier = if word == DType::U64 {
        let root = (1u64 << 32) % span;
        root.wrapping_mul(root) % span
    } else {
        let (root, span) = ((1u32 << 16) % span as u32, span as u32);
        (root.wrapping_mul(root) % span) as u64
    };
    let integer = |v: u64| match word {
        DType::U64 => Tensor::from(v),
        _ => Tensor::from(v as u32),
    };
    let rem = |x: &Tensor, y: &Tensor| binary(BinaryOp::Remainder, x, y, at);
    let span = integer(span);
    let offset = rem(&(rem(&high, &span) * integer(multiplier) + rem(&low, &span)), &span);
    (offset + integer(lo as u64)).astype(dtype)
}

impl Tensor {
    /// Some tensor of a type, the same for the same seed: floats in (-1, 1), integers from 0 to 7, any booleans.
    /// For benchmarks and tests; it is not [`crate::random`]'s generator.
    #[doc(hidden)]
    #[track_caller]
    pub fn random_like(ty: &TensorType, seed: u64) -> Tensor {
        // SplitMix64.
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let z = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            z ^ (z >> 31)
        };
        let n = ty.elements();
        let mut integer = || (next() >> 61) as u8;
        match ty.dtype {
            DType::I1 => {
                let values: Vec<bool> = (0..n).map(|_| integer() & 1 == 1).collect();
                return Array::new_bool(&ty.shape, &values).into();
            }
            d if d.is_integer() => {
                let mut bytes = vec![0; ty.bytes()];
                bytes.chunks_exact_mut(d.size()).for_each(|c| c[0] = integer());
                return Array::from_bytes(ty.clone(), &bytes).into();
            }
            _ => {}
        }
        let values: Vec<f64> = (0..n).map(|_| ((next() >> 11) as f64 + 0.5) * 2f64.powi(-52) - 1.0).collect();
        let array = match ty.dtype {
            DType::F64 => Array::new(&ty.shape, &values),
            DType::F32 => Array::new(&ty.shape, &values.iter().map(|&x| x as f32).collect::<Vec<_>>()),
            _ => return Tensor::from(Array::new(&ty.shape, &values)).astype(ty.dtype),
        };
        array.into()
    }
}

fn unsupported(name: &str, dtype: DType, known: &str, at: At) -> ! {
    fail(Error::new(format!("random::{name}: {known} are known, not {dtype}"), Some(at)))
}

fn wrong(name: &str, why: &str, at: At) -> ! {
    fail(Error::new(format!("random::{name}: {why}"), Some(at)))
}

/// A parameter of a distribution as floats of this shape.
fn parameter(name: &str, p: impl Operand, shape: &[usize], dtype: DType, at: At) -> Tensor {
    let p = p.beside(&Tensor::zeros(&[], dtype));
    if broadcast_shapes(p.shape(), shape).as_deref() != Some(shape) {
        wrong(name, &format!("a parameter {} does not broadcast to {shape:?}", p.ty()), at)
    }
    broadcast(&convert(&p, dtype, at), shape, at)
}

/// A parameter that keeps its float type, if it has one.
fn floats(name: &str, p: impl Operand, shape: &[usize], dtype: DType, at: At) -> Tensor {
    let p = p.beside(&Tensor::zeros(&[], dtype));
    let dtype = if p.dtype().is_float() { p.dtype() } else { dtype };
    parameter(name, p, shape, dtype, at)
}

/// The keys of [`split`] as rows.
fn key_rows(key: &Tensor, n: usize) -> Tensor {
    let (a, b) = hash(key, &[n], Location::caller());
    crate::stack(&[a, b], 1)
}

fn random_bits(key: &Tensor, shape: &[usize], dtype: DType, at: At) -> Tensor {
    match dtype {
        DType::U8 | DType::U16 | DType::U32 => {
            let (a, b) = hash(key, shape, at);
            convert(&(a ^ b), dtype, at)
        }
        DType::U64 => {
            let (a, b) = hash(key, shape, at);
            shift(BinaryOp::ShiftLeft, &a.astype(DType::U64), 32, at) | b.astype(DType::U64)
        }
        _ => unsupported("bits", dtype, "ui8, ui16, ui32 and ui64", at),
    }
}

/// Numbers of which many are wanted come of a compiled function, one pass over memory in place of a hundred.
const MANY: usize = 1 << 16;

/// What `f` makes of a key, in the same bits: operation by operation, or, outside of transforms, compiled.
fn at_once(
    key: &Tensor,
    shape: &[usize],
    f: impl Fn(&Tensor, &[usize]) -> Tensor + Send + Sync + 'static,
) -> Tensor {
    let n = shape.iter().fold(1usize, |n, &d| n.saturating_mul(d));
    if n < MANY || is_tracing() || key.dtype() != DType::U32 || key.shape() != [2] {
        return f(key, shape);
    }
    let shape = shape.to_vec();
    jit(move |key: Tensor| f(&key, &shape)).float_mode(FloatMode::Exact)(key.clone())
}

fn uniform_at(key: &Tensor, shape: &[usize], dtype: DType, lo: f64, hi: f64, at: At) -> Tensor {
    limits("uniform", dtype, at);
    at_once(key, shape, move |key, shape| uniform_of(key, shape, dtype, lo, hi, at))
}

fn uniform_of(key: &Tensor, shape: &[usize], dtype: DType, lo: f64, hi: f64, at: At) -> Tensor {
    // A random mantissa under the exponent of 1 is uniform in [1, 2).
    let (drawn, word, unused, one) = match dtype {
        DType::F64 => (DType::U64, DType::U64, 12, Tensor::from(1f64.to_bits())),
        DType::F32 => (DType::U32, DType::U32, 9, Tensor::from(1f32.to_bits())),
        DType::F16 => (DType::U16, DType::U16, 6, Tensor::from(u32::from(half::f16::ONE.to_bits()))),
        // A byte has all the bits that are needed, and JAX draws no more.
        DType::BF16 => (DType::U8, DType::U16, 1, Tensor::from(u32::from(half::bf16::ONE.to_bits()))),
        _ => unsupported("uniform", dtype, "f64, f32, f16 and bf16", at),
    };
    let bits = convert(&random_bits(key, shape, drawn, at), word, at);
    let bits = shift(BinaryOp::ShiftRightLogical, &bits, unused, at) | convert(&one, word, at);
    let floats =
        apply_at(BitcastConvert { ty: TensorType::new(dtype, shape) }.into(), &[&bits], at).remove(0) - 1.0;
    if (lo, hi) == (0.0, 1.0) {
        return floats;
    }
    // The width in the numbers' own arithmetic; rounding may reach below `lo`.
    let (lo, hi) = (floats.like(lo), floats.like(hi));
    let width = hi - &lo;
    (floats * width + &lo).maximum(&lo)
}

/// The two words of a key.
fn words(key: &Tensor, at: At) -> (Tensor, Tensor) {
    if key.dtype() != DType::U32 || key.shape() != [2] {
        fail(Error::new(format!("random: a key is tensor<2xui32>, here it is {}", key.ty()), Some(at)))
    }
    (key.get(0), key.get(1))
}

/// How many elements a shape has that the user asks for; fails if memory cannot hold as many words.
fn count(name: &str, shape: &[usize], at: At) -> usize {
    let words = TensorType::new(DType::U64, shape);
    words.checked_elements().unwrap_or_else(|| {
        fail(Error::new(format!("{name}: {words} has more bytes than can be addressed"), Some(at)))
    })
}

/// Two random words per element of `shape`: the hash of its position.
fn hash(key: &Tensor, shape: &[usize], at: At) -> (Tensor, Tensor) {
    let (k0, k1) = words(key, at);
    let n = count("random", shape, at);
    let (high, low) = if n as u64 <= 1 << 32 {
        (Tensor::from(0u32), Tensor::iota(&[n], 0, DType::U32))
    } else {
        let index = Tensor::iota(&[n], 0, DType::U64);
        let high = shift(BinaryOp::ShiftRightLogical, &index, 32, at).astype(DType::U32);
        (high, (index & Tensor::from(u32::MAX as u64)).astype(DType::U32))
    };
    let (a, b) = threefry(&k0, &k1, &high, &low, at);
    (a.reshape_to(shape.into(), at), b.reshape_to(shape.into(), at))
}

/// Threefry-2x32 with 20 rounds: the block (x0, x1) enciphered under the key (k0, k1).
fn threefry(k0: &Tensor, k1: &Tensor, x0: &Tensor, x1: &Tensor, at: At) -> (Tensor, Tensor) {
    let schedule = [k0, k1, &((k0 ^ k1) ^ Tensor::from(PARITY as u32))];
    let (mut x0, mut x1) = (x0 + k0, x1 + k1);
    for group in 0..5 {
        for rotation in ROTATIONS[group % 2] {
            x0 = &x0 + &x1;
            let left = shift(BinaryOp::ShiftLeft, &x1, rotation, at);
            let right = shift(BinaryOp::ShiftRightLogical, &x1, 32 - rotation, at);
            x1 = &x0 ^ (left | right);
        }
        x0 += schedule[(group + 1) % 3];
        x1 += schedule[(group + 2) % 3] + (group as i64 + 1);
    }
    (x0, x1)
}

fn shift(op: BinaryOp, x: &Tensor, by: i32, at: At) -> Tensor {
    binary(op, x, &by.beside(x), at)
}
