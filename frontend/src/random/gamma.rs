//! Gamma numbers and what is made of them.
//!
//! G. Marsaglia, W. W. Tsang, *A simple method for generating gamma variables*, ACM TOMS 26 (2000), with the steps and keys of
//! `jax.random`. The derivative with respect to the shape is implicit: what is drawn is `x` with `P(a, x) = u` for the regularized
//! incomplete gamma function, so `dx/da = -(dP/da) / (dP/dx)`; M. Figurnov, S. Mohamed, A. Mnih, *Implicit
//! reparameterization gradients* (2018).

use super::{exponential, key_rows, normal, parameter, rademacher, single_or_double, split, uniform};
use crate::ops::promote::{Operand, broadcast};
use crate::{Tensor, custom_jvp, map, while_loop};
use std::panic::Location;
use wengert_ir::types::DType;

/// Gamma numbers with shape `a` and scale 1, of `f32` or `f64`; `a` is a number or a tensor that broadcasts to `shape`.
///
/// ```
/// use wengert::{DType, Tensor, grad, random};
/// let draw = |a: Tensor| random::gamma(&random::key(3), &a, &[4], DType::F64).sum();
/// assert!(draw(Tensor::from(2.0f64)).item::<f64>() > 0.0);
/// assert!(grad(draw)(Tensor::from(2.0f64)).item::<f64>() > 0.0);
/// ```
///
/// It has a first derivative with respect to `a`, in both modes; higher ones are NaN. Fails for other types, and if `a`
/// does not broadcast.
#[track_caller]
pub fn gamma(key: &Tensor, a: impl Operand, shape: &[usize], dtype: DType) -> Tensor {
    let at = Location::caller();
    single_or_double("gamma", dtype, at);
    drawn(key, parameter("gamma", a, shape, dtype, at), Space::Linear)
}

/// Logarithms of gamma numbers, exact also for small `a`, where the numbers themselves are too small to write. As in JAX they
/// are not the logarithms of what [`gamma`] gives, by a rounding.
///
/// Fails as [`gamma`] does.
#[track_caller]
pub fn loggamma(key: &Tensor, a: impl Operand, shape: &[usize], dtype: DType) -> Tensor {
    let at = Location::caller();
    single_or_double("loggamma", dtype, at);
    drawn(key, parameter("loggamma", a, shape, dtype, at), Space::Log)
}

/// What is drawn: numbers or their logarithms.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Space {
    Linear,
    Log,
}

fn drawn(key: &Tensor, a: Tensor, space: Space) -> Tensor {
    custom_jvp(
        move |key: Tensor, a: Tensor| sampled(&key, &a, space),
        move |(key, a), (_, da)| {
            let sample = without_slope(key, a.clone(), space);
            // What is drawn in logarithms may be too small to write otherwise, and has a slope all the same.
            let slope = match space {
                Space::Linear => {
                    let slope = log_slope(&a, &sample, &sample.log()) * &sample;
                    sample.equal(0.0).select(slope.zeros_like(), &slope)
                }
                Space::Log => log_slope(&a, &sample.exp(), &sample),
            };
            (sample, da * slope)
        },
    )(key.clone(), a)
}

/// The numbers, whose derivative (the second one of what is drawn) is NaN rather than that of the steps taken.
fn without_slope(key: Tensor, a: Tensor, space: Space) -> Tensor {
    custom_jvp(
        move |key: Tensor, a: Tensor| sampled(&key, &a, space),
        move |(key, a), (_, da)| (sampled(&key, &a, space), da * f64::NAN),
    )(key, a)
}

fn sampled(key: &Tensor, a: &Tensor, space: Space) -> Tensor {
    if a.is_empty() {
        return a.clone();
    }
    let each = |(key, a): (Tensor, Tensor)| one(key, a, space);
    let shape = a.shape().into();
    map(each, (key_rows(key, a.len()), a.flatten())).reshape_to(shape, Location::caller())
}

/// One number. Shapes below 1 take one more, and a power of a uniform number.
fn one(key: Tensor, shape: Tensor, space: Space) -> Tensor {
    let dtype = shape.dtype();
    let boosted = shape.less(1.0);
    let a = boosted.select(&(&shape + 1.0), &shape);
    let d = &a - a.like(1.0 / 3.0);
    let c = a.like(1.0 / 3.0) / d.sqrt();
    let (zero, unit) = (a.like(0.0), a.like(1.0));
    let keys = split(&key, 2);
    let rejected = |(_, x, v, u): (Tensor, Tensor, Tensor, Tensor)| {
        let outside = u.greater_equal(1.0 - 0.0331 * (&x * &x));
        let above = u.log().greater_equal(&x * 0.5 + &d * (1.0 - &v + v.log()));
        outside.logical_and(above)
    };
    let again = |(key, ..): (Tensor, Tensor, Tensor, Tensor)| {
        let keys = split(&key, 3);
        let (_, x, v) = while_loop(
            |(_, _, v): (Tensor, Tensor, Tensor)| v.less_equal(0.0),
            |(key, ..)| {
                let keys = split(&key, 2);
                let x = normal(&keys[1], &[], dtype);
                let v = 1.0 + &x * &c;
                (keys[0].clone(), x, v)
            },
            (keys[1].clone(), zero.clone(), -&unit),
        );
        let u = uniform(&keys[2], &[], dtype, 0.0, 1.0);
        (keys[0].clone(), &x * &x, &v * &v * &v, u)
    };
    let start = (keys[0].clone(), zero.clone(), unit.clone(), a.like(2.0));
    let (_, _, v, _) = while_loop(rejected, again, start);
    match space {
        Space::Linear => {
            let u = 1.0 - uniform(&keys[1], &[], dtype, 0.0, 1.0);
            let boost = boosted.select(u.pow(1.0 / &shape), &unit);
            d * v * boost
        }
        Space::Log => {
            let u = -exponential(&keys[1], &[], dtype);
            let boosted = boosted.logical_and(u.not_equal(0.0));
            d.log() + v.log() + boosted.select(&(&u * (1.0 / &shape)), &zero)
        }
    }
}

/// So many terms at most.
const TERMS: i64 = 2000;

/// From this shape on the expansion by its root is more accurate than rounding; series would take some `9 sqrt(a)` terms.
const LARGE: f64 = 1e4;

/// `-(dP/da) / (x dP/dx)` of the regularized incomplete gamma function `P(a, x)`: how the logarithm of a number moves with its
/// shape. Elementwise, computed in double precision.
fn log_slope(a: &Tensor, x: &Tensor, log_x: &Tensor) -> Tensor {
    let wide = |t: &Tensor| t.astype(DType::F64);
    let (a64, x64, log64) = (wide(a), wide(x), wide(log_x));
    let large = a64.greater(LARGE);
    let above = x64.greater(1.0).logical_and(x64.greater(&a64));
    let far = above.logical_and(large.logical_not());
    let near = above.logical_or(&large).logical_not();
    // Each formula gets arguments that it converges for, also where another one is taken.
    let (one, two) = (a64.full_like(1.0), a64.full_like(2.0));
    let series = by_series(&near.select(&a64, &one), &near.select(&x64, &one), &log64);
    let fraction = by_fraction(&far.select(&a64, &one), &far.select(&x64, &two), &log64);
    let start = a64.full_like(LARGE);
    let expansion = by_root(&large.select(&a64, &start), &large.select(&x64, &start));
    large.select(&expansion, far.select(&fraction, &series)).astype(a.dtype())
}

/// By the expansion of the quantile with normal `z` (E. A. Cornish, R. A. Fisher, 1937; M. Abramowitz, I. A. Stegun, 26.4.11):
/// `x = a + z s + (z^2 - 1)/3 + (z^3 - 7z)/(36 s) - (3z^4 + 7z^2 - 16)/(810 s^2) + (9z^5 + 256z^3 - 433z)/(38880 s^3)` with
/// `s = sqrt(a)`, solved for `z` and differentiated by `a`.
fn by_root(a: &Tensor, x: &Tensor) -> Tensor {
    let s = a.sqrt();
    let y = (x - a) / &s;
    let terms = |z: &Tensor| {
        let square = z * z;
        let second = (&square - 1.0) / 3.0;
        let third = z * (&square - 7.0) / 36.0;
        let fourth = -((&square * 3.0 + 7.0) * &square - 16.0) / 810.0;
        let fifth = z * ((&square * 9.0 + 256.0) * &square - 433.0) / 38880.0;
        [second, third, fourth, fifth]
    };
    let mut z = y.clone();
    // Each step gains the digits of 3 s / 2 z: two and more.
    for _ in 0..8 {
        let [second, third, fourth, fifth] = terms(&z);
        z = &y - (second + (third + (fourth + fifth / &s) / &s) / &s) / &s;
    }
    let [_, third, fourth, fifth] = terms(&z);
    // Of s^-n the derivative is -n / 2 s^-(n + 2).
    let cube = a * &s;
    let slope = 1.0 + &z / (&s * 2.0) - third / (&cube * 2.0) - fourth / (a * a) - fifth * 1.5 / (a * cube);
    slope / x
}

/// By the series `P = x^a e^-x / Gamma(a + 1) S`, `S = sum c_n`, `c_n = c_(n-1) x / (a + n)` (DLMF 8.11.4): the quotient is
/// `-(S (log x - digamma(a + 1)) + dS/da) / a`.
fn by_series(a: &Tensor, x: &Tensor, log_x: &Tensor) -> Tensor {
    let (one, zero) = (a.ones_like(), a.zeros_like());
    let start = (Tensor::from(0i64), one.clone(), zero.clone(), one, zero);
    let (_, _, _, sum, slope) = while_loop(
        |(n, c, dc, sum, slope): (Tensor, Tensor, Tensor, Tensor, Tensor)| {
            let open = c.greater(&sum * f64::EPSILON);
            let open = open.logical_or(dc.abs().greater(slope.abs() * f64::EPSILON));
            n.equal(0i64).logical_or(open.any().logical_and(n.less(TERMS)))
        },
        |(n, c, dc, sum, slope)| {
            let n = n + 1i64;
            let ratio = x / (a + n.astype(DType::F64));
            // The derivative of x / (a + n) is -ratio / (a + n).
            let dc = (dc - &c / (a + n.astype(DType::F64))) * &ratio;
            let c = c * ratio;
            (n, c.clone(), dc.clone(), sum + c, slope + dc)
        },
        start,
    );
    -(sum * (log_x - (a + 1.0).digamma()) + slope) / a
}

/// By Legendre's continued fraction `1 - P = x^a e^-x / Gamma(a) F` (DLMF 8.9.2), whose convergents `p / q` follow a recurrence of
/// three terms, differentiated beside it: the quotient is `F (log x - digamma(a)) + dF/da`.
fn by_fraction(a: &Tensor, x: &Tensor, log_x: &Tensor) -> Tensor {
    type Pair = (Tensor, Tensor);
    // Numerator and denominator with their derivatives, the last two of each.
    type State = (Tensor, [Pair; 2], [Pair; 2], Pair);
    let pair = |value: Tensor, slope: Tensor| (value, slope);
    let zero = a.zeros_like();
    let z = x + 2.0 - a;
    let p = [pair(a.ones_like(), zero.clone()), pair(x + 1.0, zero.clone())];
    let q = [pair(x.clone(), zero), pair(&z * x, -x)];
    let quotient = |p: &Pair, q: &Pair| {
        let value = &p.0 / &q.0;
        let slope = (&p.1 - &value * &q.1) / &q.0;
        (value, slope)
    };
    let first = quotient(&p[1], &q[1]);
    // The trip and how far the last one moved are carried as the condition needs them.
    let start: (State, Tensor) = ((Tensor::from(0i64), p, q, first), Tensor::from(true));
    let ((_, _, _, (f, df)), _) = while_loop(
        |((n, ..), open): (State, Tensor)| open.logical_and(n.less(TERMS)),
        |((n, [p2, p1], [q2, q1], (f, df)), _)| {
            let n = n + 1i64;
            let k = n.astype(DType::F64);
            let (y, z) = (1.0 - a + &k, x + 2.0 - a + &k * 2.0);
            let yk = y * &k;
            // Of y k the derivative is -k, of z it is -1.
            let next = |one: &Pair, two: &Pair| {
                let value = &one.0 * &z - &two.0 * &yk;
                let slope = &one.1 * &z - &one.0 - &two.1 * &yk + &two.0 * &k;
                (value, slope)
            };
            let (p0, q0) = (next(&p1, &p2), next(&q1, &q2));
            let (f0, df0) = quotient(&p0, &q0);
            let moved = |old: &Tensor, new: &Tensor| (old - new).abs().greater(new.abs() * f64::EPSILON);
            let open = moved(&f, &f0).logical_or(moved(&df, &df0)).any();
            // All scaled alike where they grow too large.
            let scale = p0.0.abs().greater(1e150).select(a.full_like(1e-150), a.ones_like());
            let scaled = |x: Pair| (x.0 * &scale, x.1 * &scale);
            ((n, [scaled(p1), scaled(p0)], [scaled(q1), scaled(q0)], (f0, df0)), open)
        },
        start,
    );
    f * (log_x - a.digamma()) + df
}

/// Beta numbers: between 0 and 1, of `f32` or `f64`.
///
/// Fails as [`gamma`] does.
#[track_caller]
pub fn beta(key: &Tensor, a: impl Operand, b: impl Operand, shape: &[usize], dtype: DType) -> Tensor {
    let at = Location::caller();
    single_or_double("beta", dtype, at);
    let (a, b) = (parameter("beta", a, shape, dtype, at), parameter("beta", b, shape, dtype, at));
    let keys = split(key, 2);
    let (a, b) = (drawn(&keys[0], a, Space::Log), drawn(&keys[1], b, Space::Log));
    let most = a.maximum(&b);
    let (a, b) = ((a - &most).exp(), (b - most).exp());
    &a / (&a + b)
}

/// Dirichlet vectors with concentrations `alpha`, along the last dimension: not negative, with sum 1. The result has `shape`, which
/// the leading dimensions of `alpha` broadcast to, and that dimension.
///
/// Fails for a scalar, and as [`gamma`] does.
#[track_caller]
pub fn dirichlet(key: &Tensor, alpha: &Tensor, shape: &[usize], dtype: DType) -> Tensor {
    let at = Location::caller();
    single_or_double("dirichlet", dtype, at);
    let Some(&n) = alpha.shape().last() else {
        super::wrong("dirichlet", "the concentrations are a scalar", at)
    };
    let alpha = parameter("dirichlet", alpha, &[shape, &[n]].concat(), dtype, at);
    drawn(key, alpha, Space::Log).softmax(-1)
}

/// Chi-square numbers with `df` degrees of freedom, of `f32` or `f64`.
///
/// Fails as [`gamma`] does.
#[track_caller]
pub fn chisquare(key: &Tensor, df: impl Operand, shape: &[usize], dtype: DType) -> Tensor {
    let at = Location::caller();
    single_or_double("chisquare", dtype, at);
    chi2(key, parameter("chisquare", df, shape, dtype, at))
}

fn chi2(key: &Tensor, df: Tensor) -> Tensor {
    drawn(key, df / 2.0, Space::Log).exp() * 2.0
}

/// Numbers of Fisher's F distribution, with `dfnum` and `dfden` degrees of freedom, of `f32` or `f64`.
///
/// Fails as [`gamma`] does.
#[track_caller]
pub fn f(key: &Tensor, dfnum: impl Operand, dfden: impl Operand, shape: &[usize], dtype: DType) -> Tensor {
    let at = Location::caller();
    single_or_double("f", dtype, at);
    let (num, den) = (parameter("f", dfnum, shape, dtype, at), parameter("f", dfden, shape, dtype, at));
    let keys = split(key, 2);
    (chi2(&keys[1], num.clone()) / num) / (chi2(&keys[0], den.clone()) / den)
}

/// Numbers of Student's t distribution with `df` degrees of freedom, of `f32` or `f64`.
///
/// Fails as [`gamma`] does.
#[track_caller]
pub fn t(key: &Tensor, df: impl Operand, shape: &[usize], dtype: DType) -> Tensor {
    let at = Location::caller();
    single_or_double("t", dtype, at);
    let half = parameter("t", df, shape, dtype, at) / 2.0;
    let keys = split(key, 2);
    let n = normal(&keys[0], shape, dtype);
    n * (&half / drawn(&keys[1], half.clone(), Space::Linear)).sqrt()
}

/// Generalized normal numbers, with density proportional to `e^-|x|^p`, of `f32` or `f64`.
///
/// Fails as [`gamma`] does.
#[track_caller]
pub fn generalized_normal(key: &Tensor, p: f64, shape: &[usize], dtype: DType) -> Tensor {
    let at = Location::caller();
    single_or_double("generalized_normal", dtype, at);
    let keys = split(key, 2);
    let g = drawn(&keys[0], parameter("generalized_normal", 1.0 / p, shape, dtype, at), Space::Linear);
    rademacher(&keys[1], shape, dtype) * g.pow(1.0 / p)
}

/// Points of the unit ball of the `p`-norm in `d` dimensions, the last dimension of the result; uniform. Of `f32` or `f64`.
///
/// F. Barthe, O. Guédon, S. Mendelson, A. Naor, *A probabilistic approach to the geometry of the l_p^n-ball*, Ann. Probab. 33 (2005).
///
/// Fails as [`gamma`] does.
#[track_caller]
pub fn ball(key: &Tensor, d: usize, p: f64, shape: &[usize], dtype: DType) -> Tensor {
    let at = Location::caller();
    single_or_double("ball", dtype, at);
    let keys = split(key, 2);
    let wide = [shape, &[d]].concat();
    let g = generalized_normal(&keys[0], p, &wide, dtype);
    let e = exponential(&keys[1], shape, dtype);
    let radius = (g.abs().pow(p).sum_axis(-1) + e).pow(1.0 / p);
    g / broadcast(&radius.expand_dims(-1), &wide, at)
}
