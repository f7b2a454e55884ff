//! Numbers that count: Poisson, binomial, multinomial, geometric, with the steps and keys of `jax.random`.

use super::{At, floats, key_rows, parameter, split, uniform, unsupported, wrong};
use crate::ops::promote::Operand;
use crate::{OutOfRange, Tensor, scan, while_loop};
use std::panic::Location;
use wengert_ir::types::DType;

fn integers(name: &str, dtype: DType, at: At) {
    if !dtype.is_integer() || dtype == DType::I1 {
        unsupported(name, dtype, "integers", at)
    }
}

/// Geometric numbers (integers from 1): how many trials of probability `p` it takes to succeed once. `p` is a number or a float
/// tensor that broadcasts to `shape`.
///
/// Fails for other types than integers, and if `p` does not broadcast.
#[track_caller]
pub fn geometric(key: &Tensor, p: impl Operand, shape: &[usize], dtype: DType) -> Tensor {
    let at = Location::caller();
    integers("geometric", dtype, at);
    let p = floats("geometric", p, shape, DType::F32, at);
    let u = uniform(key, shape, p.dtype(), 0.0, 1.0);
    let u = u.equal(0.0).select(u.ones_like(), &u);
    ((u.log() / (-p).log1p()).floor() + 1.0).astype(dtype)
}

/// Poisson numbers (integers) with rate `lam`, a number or a tensor that broadcasts to `shape`. -1 for rates that are negative
/// or NaN.
///
/// Rates below 10 count exponential waiting times (D. E. Knuth); the others are W. Hörmann's transformed rejection, *The
/// transformed rejection method for generating Poisson random variables* (1993), in single precision as in JAX.
///
/// ```
/// use wengert::{DType, random};
/// let x = random::poisson(&random::key(0), 3.0, &[1000], DType::I32);
/// assert!((x.astype(DType::F32).mean().item::<f32>() - 3.0).abs() < 0.2);
/// ```
///
/// Fails for other types than integers, and if `lam` does not broadcast.
#[track_caller]
pub fn poisson(key: &Tensor, lam: impl Operand, shape: &[usize], dtype: DType) -> Tensor {
    let at = Location::caller();
    integers("poisson", dtype, at);
    let lam = parameter("poisson", lam, shape, DType::F32, at);
    let small = lam.is_nan().logical_or(lam.less(10.0));
    // Each gets rates that it ends for, also where the other one is taken.
    let counted = waiting(key, &small.select(&lam, lam.zeros_like()), dtype);
    let rejected = rejection(key, &small.select(lam.full_like(1e5), &lam)).astype(dtype);
    let found = small.select(&counted, &rejected);
    lam.equal(0.0).select(found.zeros_like(), &found)
}

fn waiting(key: &Tensor, lam: &Tensor, dtype: DType) -> Tensor {
    let start = (Tensor::zeros(lam.shape(), dtype), key.clone(), lam.zeros_like());
    let (k, _, _) = while_loop(
        |(_, _, log): (Tensor, Tensor, Tensor)| log.greater(-lam).any(),
        |(k, key, log)| {
            let keys = split(&key, 2);
            let k = log.greater(-lam).select(&(&k + 1i64), &k);
            (k, keys[0].clone(), log + uniform(&keys[1], lam.shape(), DType::F32, 0.0, 1.0).log())
        },
        start,
    );
    k - 1i64
}

fn rejection(key: &Tensor, lam: &Tensor) -> Tensor {
    let log_lam = lam.log();
    let b = 0.931 + 2.53 * lam.sqrt();
    let a = -0.059 + 0.02483 * &b;
    let inv_alpha = 1.1239 + 1.1328 / (&b - 3.4);
    let v_r = 0.9277 - 3.6224 / (&b - 2.0);
    let draw = |u: &Tensor, v: &Tensor| {
        let us = 0.5 - u.abs();
        let k = ((2.0 * &a / &us + &b) * u + lam + 0.43).floor();
        let s = (v * &inv_alpha / (&a / (&us * &us) + &b)).log();
        let t = -lam + &k * &log_lam - (&k + 1.0).lgamma();
        let at_once = us.greater_equal(0.07).logical_and(v.less_equal(&v_r));
        let out = k.less(0.0).logical_or(us.less(0.013).logical_and(v.greater(&us)));
        let accepted = at_once.logical_or(out.logical_not().logical_and(s.less_equal(t)));
        (k, accepted)
    };
    until_accepted(key, lam, draw)
}

/// Draws pairs of uniform numbers, the first around 0, until all elements have been accepted once; the last one counts.
fn until_accepted(
    key: &Tensor,
    like: &Tensor,
    draw: impl Fn(&Tensor, &Tensor) -> (Tensor, Tensor),
) -> Tensor {
    let start = (like.full_like(-1.0), Tensor::zeros(like.shape(), DType::I1), key.clone());
    let (k, _, _) = while_loop(
        |(_, done, _): (Tensor, Tensor, Tensor)| done.all().logical_not(),
        |(found, done, key)| {
            let keys = split(&key, 3);
            let u = uniform(&keys[1], like.shape(), like.dtype(), 0.0, 1.0) - 0.5;
            let v = uniform(&keys[2], like.shape(), like.dtype(), 0.0, 1.0);
            let (k, accepted) = draw(&u, &v);
            (accepted.select(&k, &found), done.logical_or(&accepted), keys[0].clone())
        },
        start,
    );
    k
}

/// Binomial numbers (whole floats): successes of `n` trials of probability `p`, numbers or tensors that broadcast to `shape`. NaN
/// where `n` or `p` is negative or NaN.
///
/// Few expected successes are counted by geometric gaps, the others are W. Hörmann's transformed rejection, *The generation of
/// binomial random variates*, J. Stat. Comput. Simul. 46 (1993).
///
/// ```
/// use wengert::{DType, random};
/// let x = random::binomial(&random::key(0), 10.0, 0.25, &[1000], DType::F32);
/// assert!((x.mean().item::<f32>() - 2.5).abs() < 0.2);
/// ```
///
/// Fails for other types than `f32` and `f64`, and if the parameters do not broadcast.
#[track_caller]
pub fn binomial(key: &Tensor, n: impl Operand, p: impl Operand, shape: &[usize], dtype: DType) -> Tensor {
    let at = Location::caller();
    super::single_or_double("binomial", dtype, at);
    let prob = floats("binomial", p, shape, dtype, at);
    let count = parameter("binomial", n, shape, prob.dtype(), at);
    binomial_of(key, &count, &prob).astype(dtype)
}

fn binomial_of(key: &Tensor, count: &Tensor, prob: &Tensor) -> Tensor {
    let less = prob.less(0.5);
    let q = less.select(prob, &(1.0 - prob));
    let no_count = count.is_nan().logical_or(count.less(0.0));
    let endless = count.equal(f64::INFINITY);
    let (no_q, negative) = (q.is_nan(), q.less(0.0));
    let q = no_q.logical_or(&negative).select(q.full_like(0.01), &q);
    let few = no_count.logical_or((count * &q).less_equal(10.0));
    let count = count.floor();
    let by_gaps = gaps(key, &few.select(&count, count.zeros_like()), &q);
    let by_rejection =
        btrs(key, &few.select(count.full_like(1e4), &count), &few.select(q.full_like(0.5), &q));
    let x = few.select(&by_gaps, &by_rejection);
    let invalid = negative.logical_or(&no_q).logical_or(&no_count);
    let x = invalid.select(x.full_like(f64::NAN), &x);
    let x = endless.logical_and(invalid.logical_not()).select(x.full_like(f64::INFINITY), &x);
    let as_is = less.logical_or(no_count).logical_or(no_q).logical_or(endless);
    as_is.select(&x, &(count - &x))
}

fn gaps(key: &Tensor, count: &Tensor, prob: &Tensor) -> Tensor {
    let log = (-prob).log1p();
    let start = (prob.zeros_like(), prob.zeros_like(), key.clone());
    let (k, _, _) = while_loop(
        |(_, sum, _): (Tensor, Tensor, Tensor)| sum.less_equal(count).any(),
        |(k, sum, key)| {
            let keys = split(&key, 2);
            let k = sum.less_equal(count).select(&(&k + 1.0), &k);
            let u = uniform(&keys[0], prob.shape(), prob.dtype(), 0.0, 1.0);
            (k, sum + (u.log() / &log).ceil(), keys[1].clone())
        },
        start,
    );
    k - 1.0
}

fn btrs(key: &Tensor, count: &Tensor, prob: &Tensor) -> Tensor {
    let deviation = (count * prob * (1.0 - prob)).sqrt();
    let b = 1.15 + 2.53 * &deviation;
    let a = -0.0873 + 0.0248 * &b + 0.01 * prob;
    let c = count * prob + 0.5;
    let v_r = 0.92 - 4.2 / &b;
    let r = prob / (1.0 - prob);
    let alpha = (2.83 + 5.1 / &b) * &deviation;
    let m = ((count + 1.0) * prob).floor();
    until_accepted(key, prob, |u, v| {
        let us = 0.5 - u.abs();
        let at_once = us.greater_equal(0.07).logical_and(v.less_equal(&v_r));
        let k = ((2.0 * &a / &us + &b) * u + &c).floor();
        let out = k.less(0.0).logical_or(k.greater(count));
        let v = (v * &alpha / (&a / (&us * &us) + &b)).log();
        let left = |k: &Tensor| count - k + 1.0;
        let bound = (&m + 0.5) * ((&m + 1.0) / (&r * left(&m))).log()
            + (count + 1.0) * (left(&m) / left(&k)).log()
            + (&k + 0.5) * (&r * left(&k) / (&k + 1.0)).log()
            + tail(&m)
            + tail(&(count - &m))
            - tail(&k)
            - tail(&(count - &k));
        let accepted = at_once.logical_or(out.logical_not().logical_and(v.less_equal(bound)));
        (k, accepted)
    })
}

/// What Stirling's formula lacks of `log k!`, for k to 9.
const TAILS: [f64; 10] = [
    0.0810614667953272,
    0.0413406959554092,
    0.0276779256849983,
    0.02079067210376509,
    0.0166446911898211,
    0.0138761288230707,
    0.0118967099458917,
    0.010411265261972,
    0.00925546218271273,
    0.00833056343336287,
];

fn tail(k: &Tensor) -> Tensor {
    let known = k.less_equal(9.0);
    let k = k.clip(0.0, 9.0);
    let square = (&k + 1.0) * (&k + 1.0);
    let approximate = (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / 1260.0 / &square) / &square) / (&k + 1.0);
    let table = Tensor::from(TAILS).astype(k.dtype());
    known.select(table.take_with(&k.floor().astype(DType::I32), 0, OutOfRange::Clip), &approximate)
}

/// Multinomial numbers (whole floats): how often each of the outcomes along the last dimension occurs in `n` trials, with
/// probabilities `p`, a float tensor with that dimension. `n` is a number or a tensor that broadcasts to the other dimensions.
///
/// Fails for a scalar `p`, for other types than `f32` and `f64`, and if `n` does not broadcast.
#[track_caller]
pub fn multinomial(key: &Tensor, n: impl Operand, p: &Tensor, dtype: DType) -> Tensor {
    let at = Location::caller();
    super::single_or_double("multinomial", dtype, at);
    let Some((&outcomes, outer)) = p.shape().split_last() else {
        wrong("multinomial", "the probabilities are a scalar", at)
    };
    let p = floats("multinomial", p, p.shape(), dtype, at).moveaxis(&[-1], &[0]);
    let n = parameter("multinomial", n, outer, p.dtype(), at);
    let remaining = p.flip(0).cumsum(0).flip(0);
    let ratios = &p / remaining.equal(0.0).select(remaining.ones_like(), &remaining);
    let (_, counts) = scan(
        |left: Tensor, (ratio, key): (Tensor, Tensor)| {
            let count = binomial_of(&key, &left, &ratio.clip(0.0, 1.0));
            (left - &count, count)
        },
        n,
        (ratios, key_rows(key, outcomes)),
    );
    counts.moveaxis(&[0], &[-1]).astype(dtype)
}
