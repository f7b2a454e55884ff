//! The incomplete gamma and beta functions (DLMF 8.2, 8.17), which are the distribution functions of gamma, Poisson, chi-squared,
//! beta, binomial, Student's and Fisher's distributions: by series and continued fractions of all elements together, until none of
//! them changes any more.

use crate::Tensor;
use crate::ops::control::while_loop;
use crate::ops::custom::custom_jvp;
use crate::ops::promote::{Operand, computed_type, unify_floats};
use crate::transform::jvp;
use std::f64::consts::TAU;
use std::panic::Location;
use wengert_ir::types::DType;

/// Most terms that are added. Near their mean parameters of a million take 8,000, of ten million 25,000.
const MOST: f64 = 30_000.0;

/// From here on a gamma function is taken by Stirling's series.
const LARGE: f64 = 20.0;

impl Tensor {
    /// The regularized lower incomplete gamma function P(a, x), of this `a`: the probability that a gamma variable of shape `a` is
    /// below `x`. NaN for negative numbers.
    ///
    /// Tests hold it to 1e-13 of SciPy's values, for parameters of up to 50,000. Where more than 30,000 terms would be added (both numbers
    /// above ten million, and near each other) it is NaN. Derivatives are by both.
    ///
    /// ```
    /// use wengert::Tensor;
    /// // Of shape 1 it is the exponential distribution.
    /// let p = Tensor::from(1.0f64).gammainc(2.0).item::<f64>();
    /// assert!((p - (1.0 - (-2f64).exp())).abs() < 1e-15);
    /// ```
    #[track_caller]
    pub fn gammainc(&self, x: impl Operand) -> Tensor {
        let (a, x) = unify_floats("gammainc", self, &x.beside(self), Location::caller());
        incomplete_gamma(a, x, Tail::Lower)
    }

    /// The regularized upper incomplete gamma function Q(a, x) = 1 - P(a, x), of this `a`, without cancellation where it is small.
    ///
    /// ```
    /// use wengert::Tensor;
    /// let q = Tensor::from(1.0f64).gammaincc(50.0).item::<f64>();
    /// assert!((q / (-50f64).exp() - 1.0).abs() < 1e-13);
    /// ```
    #[track_caller]
    pub fn gammaincc(&self, x: impl Operand) -> Tensor {
        let (a, x) = unify_floats("gammaincc", self, &x.beside(self), Location::caller());
        incomplete_gamma(a, x, Tail::Upper)
    }

    /// The regularized incomplete beta function I_x(a, b), of this `a`: the probability that a beta variable is below `x`. NaN for
    /// what is no parameter or no probability, and where more than 30,000 terms would be added. Derivatives are by all three.
    ///
    /// ```
    /// use wengert::Tensor;
    /// // Student's distribution with one degree of freedom is Cauchy's.
    /// let t = 2.0f64;
    /// let p = 1.0 - 0.5 * Tensor::from(0.5f64).betainc(0.5, 1.0 / (1.0 + t * t)).item::<f64>();
    /// assert!((p - (0.5 + t.atan() / std::f64::consts::PI)).abs() < 1e-15);
    /// ```
    #[track_caller]
    pub fn betainc(&self, b: impl Operand, x: impl Operand) -> Tensor {
        let at = Location::caller();
        let (a, b) = unify_floats("betainc", self, &b.beside(self), at);
        let (a, x) = unify_floats("betainc", &a, &x.beside(&a), at);
        let (a, b) = unify_floats("betainc", &a, &b, at);
        incomplete_beta(a, b, x)
    }
}

/// Which of two probabilities.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tail {
    Lower,
    Upper,
}

/// Computes narrow floats in `f32`, as sums are.
fn wide(x: &Tensor) -> Tensor {
    x.astype(computed_type(x.dtype()))
}

/// From 1 to the next number.
fn epsilon(x: &Tensor) -> f64 {
    if x.dtype() == DType::F64 { f64::EPSILON } else { f64::from(f32::EPSILON) }
}

/// Whether the last factor of a continued fraction still changes it, by more than its own rounding may.
fn changes(factor: &Tensor) -> Tensor {
    (factor - 1.0).abs().greater(4.0 * epsilon(factor))
}

fn incomplete_gamma(a: Tensor, x: Tensor, tail: Tail) -> Tensor {
    let dtype = a.dtype();
    let value = custom_jvp(
        move |a: Tensor, x: Tensor| gamma_tail(&a, &x, tail),
        move |(a, x), (da, dx)| {
            let density = ((&a - 1.0).xlogy(&x) - &x - a.lgamma()).exp();
            let by_x = if tail == Tail::Lower { density } else { -density };
            let ones = a.ones_like();
            let (value, by_a) = jvp(move |a: Tensor| gamma_tail(&a, &x, tail), (a,), (ones,));
            (value, da * by_a + dx * by_x)
        },
    )(wide(&a), wide(&x));
    value.astype(dtype)
}

fn gamma_tail(a: &Tensor, x: &Tensor, tail: Tail) -> Tensor {
    let plain = a.greater(0.0) & x.greater(0.0) & a.is_finite() & x.is_finite();
    let (a0, x0) = (plain.select(a, 1.0), plain.select(x, 1.0));
    let by_series = x0.less(&(&a0 + 1.0));
    let factor = gamma_factor(&a0, &x0);
    // An element whose other form is asked for is given what ends at once.
    let lower = &factor / &a0 * series(&a0, &by_series.select(&x0, 0.0));
    let upper = &factor * fraction(&by_series.select(1.0, &a0), &by_series.select(2.0, &x0));
    let value = match tail {
        Tail::Lower => by_series.select(&lower, 1.0 - &upper),
        Tail::Upper => by_series.select(1.0 - &lower, &upper),
    };
    // At the ends: everything is above 0 and below infinity, and a variable of shape 0 is 0.
    let below = x.equal(f64::INFINITY) & a.is_finite() | a.equal(0.0) & x.greater(0.0);
    let above = x.equal(0.0) & a.greater(0.0) | a.equal(f64::INFINITY) & x.is_finite();
    let (at_most, at_least) = if tail == Tail::Lower { (1.0, 0.0) } else { (0.0, 1.0) };
    let none = a.less(0.0).logical_or(x.less(0.0)).logical_or(a.is_nan()).logical_or(x.is_nan());
    let edge = below.select(at_most, above.select(at_least, a.full_like(f64::NAN)));
    let value = plain.select(&value, &edge);
    none.select(f64::NAN, &value)
}

/// x^a e^-x / Gamma(a). Of a large `a`, by how far `x` is from it: what is left has no large terms that cancel.
fn gamma_factor(a: &Tensor, x: &Tensor) -> Tensor {
    let large = a.greater(LARGE);
    let small_a = large.select(1.0, a);
    let small = (&small_a * large.select(1.0, x).log() - large.select(1.0, x) - small_a.lgamma()).exp();
    let a = large.select(a, LARGE);
    let mu = (large.select(x, LARGE) - &a) / &a;
    let from = (&a * (mu.log1p() - &mu) - stirling_rest(&a)).exp() * (&a / TAU).sqrt();
    large.select(&from, &small)
}

/// What Stirling's formula lacks of log Gamma of a large number (DLMF 5.11.1).
fn stirling_rest(a: &Tensor) -> Tensor {
    let (inverse, terms) = (a.recip(), [-1.0 / 1680.0, 1.0 / 1260.0, -1.0 / 360.0, 1.0 / 12.0]);
    let square = inverse.square();
    terms.iter().fold(a.full_like(1.0 / 1188.0), |sum, &c| sum * &square + c) * inverse
}

/// The sum of x^n / ((a + 1) .. (a + n)) over n = 0, 1, ... (DLMF 8.11.4).
fn series(a: &Tensor, x: &Tensor) -> Tensor {
    let (a, x, small) = (a.clone(), x.clone(), epsilon(a) / 2.0);
    let ones = a.ones_like();
    let grows = move |term: &Tensor, sum: &Tensor| term.greater(sum * small);
    let goes_on = move |(n, term, sum): (Tensor, Tensor, Tensor)| grows(&term, &sum).any() & n.less(MOST);
    let step = move |(n, term, sum): (Tensor, Tensor, Tensor)| {
        let n = n + 1.0;
        let term = term * &x / (&a + &n);
        (n, term.clone(), sum + term)
    };
    let start = (Tensor::zeros(&[], ones.dtype()), ones.clone(), ones);
    let (_, term, sum) = while_loop(goes_on, step, start);
    grows(&term, &sum).select(f64::NAN, &sum)
}

/// No smaller than what can be divided by.
fn apart(x: Tensor) -> Tensor {
    x.equal(0.0).select(1e-30, &x)
}

/// Gamma(a, x) e^x x^-a by its continued fraction (DLMF 8.9.2), after Lentz.
fn fraction(a: &Tensor, x: &Tensor) -> Tensor {
    let a = a.clone();
    let b = x + 1.0 - &a;
    let (d, c) = (apart(b.clone()).recip(), a.full_like(1e30));
    let changed = a.full_like(2.0);
    type State = (Tensor, [Tensor; 5]);
    let goes_on = |(n, [_, _, _, _, by]): State| changes(&by).any() & n.less(MOST);
    let step = move |(n, [b, c, d, h, _]): State| {
        let n = n + 1.0;
        let numerator = &n * (&a - &n);
        let b = b + 2.0;
        let d = apart(&numerator * d + &b).recip();
        let c = apart(&b + numerator / c);
        let by = &c * &d;
        (n, [b, c, d, h * &by, by])
    };
    let start = (Tensor::zeros(&[], b.dtype()), [b, c, d.clone(), d, changed]);
    let (_, [_, _, _, h, by]) = while_loop(goes_on, step, start);
    changes(&by).select(f64::NAN, &h)
}

fn incomplete_beta(a: Tensor, b: Tensor, x: Tensor) -> Tensor {
    let dtype = a.dtype();
    let value = custom_jvp(
        |a: Tensor, b: Tensor, x: Tensor| beta_below(&a, &b, &x),
        |(a, b, x), (da, db, dx)| {
            let by_x = ((&a - 1.0).xlogy(&x) + (&b - 1.0).xlog1py(-&x) - a.betaln(&b)).exp();
            let ones = a.ones_like();
            let zeros = a.zeros_like();
            let of = move |a: Tensor, b: Tensor| beta_below(&a, &b, &x);
            let (value, by_a) = jvp(of.clone(), (a.clone(), b.clone()), (ones.clone(), zeros.clone()));
            let (_, by_b) = jvp(of, (a, b), (zeros, ones));
            (value, da * by_a + db * by_b + dx * by_x)
        },
    )(wide(&a), wide(&b), wide(&x));
    value.astype(dtype)
}

fn beta_below(a: &Tensor, b: &Tensor, x: &Tensor) -> Tensor {
    let known = a.greater(0.0) & b.greater(0.0) & x.greater_equal(0.0) & x.less_equal(1.0);
    let [a_ends, b_ends] = [a, b].map(|t| t.equal(f64::INFINITY));
    let plain = &known & !a_ends.logical_or(&b_ends) & x.greater(0.0) & x.less(1.0);
    let [a, b] = [a, b].map(|t| plain.select(t, 1.0));
    let inner = plain.select(x, 0.5);
    // From the end that the fraction converges at.
    let turned = inner.greater(&((&a + 1.0) / (&a + &b + 2.0)));
    let factor = beta_factor(&a, &b, &inner);
    let (p, q) = (turned.select(&b, &a), turned.select(&a, &b));
    let below = factor / &p * beta_fraction(&p, &q, &turned.select(1.0 - &inner, &inner));
    let value = turned.select(1.0 - &below, &below);
    // At the ends: all is between them, and of an infinite parameter at one of them.
    let all = x.equal(1.0).logical_or(&(&b_ends & x.greater(0.0)));
    let edge = all.select(1.0, x.zeros_like());
    let edge = (known & !(a_ends & b_ends)).select(&edge, f64::NAN);
    plain.select(&value, &edge)
}

/// x^a (1 - x)^b / B(a, b). Of large parameters, by how far `x` is from their mean.
fn beta_factor(a: &Tensor, b: &Tensor, x: &Tensor) -> Tensor {
    let large = a.greater(LARGE) & b.greater(LARGE);
    let (p, q) = (large.select(1.0, a), large.select(1.0, b));
    let small = (&p * x.log() + &q * (-x).log1p() - p.betaln(&q)).exp();
    let (a, b) = (large.select(a, LARGE), large.select(b, LARGE));
    let n = &a + &b;
    let (p, q) = (&a / &n, &b / &n);
    // The logarithm without its linear part, which is the same for both.
    let bent = |t: &Tensor| t.log1p() - t;
    let from = (x - &p) / &q;
    let exponent = &a * bent(&(&from * &q / &p)) + &b * bent(&-from);
    let rest = stirling_rest(&n) - stirling_rest(&a) - stirling_rest(&b);
    let about = (exponent + rest).exp() * (&a * &b / (n * TAU)).sqrt();
    large.select(&about, &small)
}

/// The continued fraction of the incomplete beta function (DLMF 8.17.22), after Lentz.
fn beta_fraction(a: &Tensor, b: &Tensor, x: &Tensor) -> Tensor {
    let (a, b, x) = (a.clone(), b.clone(), x.clone());
    let d = apart(1.0 - (&a + &b) * &x / (&a + 1.0)).recip();
    type State = (Tensor, [Tensor; 4]);
    let goes_on = |(n, [_, _, _, by]): State| changes(&by).any() & n.less(MOST);
    let start = (Tensor::zeros(&[], a.dtype()), [a.ones_like(), d.clone(), d, a.full_like(2.0)]);
    let step = move |(n, [c, d, h, _]): State| {
        let n = n + 1.0;
        let twice = &a + &n * 2.0;
        let turn = |numerator: Tensor, c: Tensor, d: Tensor| {
            (apart(1.0 + &numerator / c), apart(1.0 + numerator * d).recip())
        };
        let even = &n * (&b - &n) * &x / ((&twice - 1.0) * &twice);
        let (c, d) = turn(even, c, d);
        let h = h * (&c * &d);
        let odd = -((&a + &n) * (&a + &b + &n) * &x / (&twice * (&twice + 1.0)));
        let (c, d) = turn(odd, c, d);
        let by = &c * &d;
        (n, [c, d, h * &by, by])
    };
    let (_, [_, _, h, by]) = while_loop(goes_on, step, start);
    changes(&by).select(f64::NAN, &h)
}
