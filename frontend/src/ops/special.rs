//! Functions of `scipy.special` and `jax.scipy.special`, elementwise, of real numbers. Integers become floats; two operands promote and
//! broadcast.

use crate::Tensor;
use crate::ops::custom::custom_jvp;
use crate::ops::promote::{Operand, computed_type, floating, unify_floats};
use crate::trace::apply_at;
use std::f64::consts::FRAC_1_SQRT_2;
use std::panic::Location;
use wengert_ir::op::BinaryOp;

impl Tensor {
    /// The distribution function of the standard normal distribution, erfc(-x / sqrt 2) / 2 (DLMF 7.18), without cancellation in either tail.
    ///
    /// ```
    /// use wengert::Tensor;
    /// let p = Tensor::from([0.0f64, -10.0]).ndtr().to_vec::<f64>();
    /// assert!(p[0] == 0.5 && (p[1] / 7.61985302416052e-24 - 1.0).abs() < 1e-13);
    /// ```
    #[track_caller]
    pub fn ndtr(&self) -> Tensor {
        (floating(self) * -FRAC_1_SQRT_2).erfc() * 0.5
    }

    /// log(x / (1 - x)), the inverse of [`Self::sigmoid`].
    ///
    /// ```
    /// use wengert::Tensor;
    /// assert!((Tensor::from(0.75f64).logit().item::<f64>() - 3f64.ln()).abs() < 1e-15);
    /// ```
    #[track_caller]
    pub fn logit(&self) -> Tensor {
        let x = floating(self);
        x.log() - (-x).log1p()
    }

    /// The logarithm of the beta function, lgamma(a) + lgamma(b) - lgamma(a + b) (DLMF 5.12): of large numbers the terms cancel.
    ///
    /// ```
    /// use wengert::Tensor;
    /// assert!((Tensor::from(2.0f64).betaln(3.0).item::<f64>() + 12f64.ln()).abs() < 1e-14);
    /// ```
    #[track_caller]
    pub fn betaln(&self, other: impl Operand) -> Tensor {
        let (a, b) = unify_floats("betaln", self, &other.beside(self), Location::caller());
        a.lgamma() + b.lgamma() - (a + b).lgamma()
    }

    /// The Hurwitz zeta function, the sum of (q + k)^-x over k = 0, 1, ... (DLMF 25.11); derivatives with respect to `q` only.
    ///
    /// ```
    /// use wengert::Tensor;
    /// let z = Tensor::from(2.0f64).zeta(1.0).item::<f64>();
    /// assert!((z - std::f64::consts::PI.powi(2) / 6.0).abs() < 1e-15);
    /// ```
    #[track_caller]
    pub fn zeta(&self, q: impl Operand) -> Tensor {
        let at = Location::caller();
        let (x, q) = unify_floats("zeta", self, &q.beside(self), at);
        apply_at(BinaryOp::Zeta.into(), &[&x, &q], at).remove(0)
    }

    /// The derivative of [`Self::digamma`] of order `n`, a whole number (DLMF 5.15); NaN for others.
    ///
    /// ```
    /// use wengert::Tensor;
    /// let trigamma = Tensor::from(1.0f64).polygamma(1).item::<f64>();
    /// assert!((trigamma - std::f64::consts::PI.powi(2) / 6.0).abs() < 1e-15);
    /// ```
    #[track_caller]
    pub fn polygamma(&self, n: impl Operand) -> Tensor {
        let at = Location::caller();
        let (n, x) = unify_floats("polygamma", &n.beside(self), self, at);
        apply_at(BinaryOp::Polygamma.into(), &[&n, &x], at).remove(0)
    }

    /// The number below which the standard normal distribution has this probability, the inverse of [`Self::ndtr`] (Wichura, algorithm
    /// AS 241, 1988); NaN for what is no probability.
    ///
    /// ```
    /// use wengert::Tensor;
    /// let x = Tensor::from([0.5f64, 0.975, 0.0]).ndtri().to_vec::<f64>();
    /// assert!(x[0] == 0.0 && (x[1] - 1.959963984540054).abs() < 1e-15 && x[2] == f64::NEG_INFINITY);
    /// ```
    #[track_caller]
    pub fn ndtri(&self) -> Tensor {
        let narrow = floating(self);
        // The coefficients are more than a `f16` holds.
        let p = narrow.astype(computed_type(narrow.dtype()));
        let q = &p - 0.5;
        let ratio = |r: &Tensor, [above, below]: &[[f64; 8]; 2]| horner(r, above) / horner(r, below);
        let middle = &q * ratio(&(0.180625 - &q * &q), &CENTRAL);
        // From the nearer end: the square root of -log.
        let lower = q.less(0.0);
        let central = q.abs().less_equal(0.425);
        let end = lower.select(&p, 1.0 - &p);
        let r = (-central.select(0.25, &end).log()).sqrt();
        let near = r.less_equal(5.0);
        // An infinite one is of the ends themselves.
        let edge = end.equal(0.0);
        let far = near.select(5.0, edge.select(5.0, &r));
        let tail = near.select(ratio(&(near.select(&r, 5.0) - 1.6), &TAIL), ratio(&(far - 5.0), &FAR));
        let tail = edge.select(f64::INFINITY, &tail);
        let tail = lower.select(-&tail, &tail);
        central.select(&middle, &tail).astype(narrow.dtype())
    }

    /// x log y, which is 0 where x is, whatever y. Its slope by x is log y there too.
    ///
    /// ```
    /// use wengert::Tensor;
    /// assert_eq!(Tensor::from(0.0f64).xlogy(0.0).item::<f64>(), 0.0);
    /// ```
    #[track_caller]
    pub fn xlogy(&self, y: impl Operand) -> Tensor {
        let (x, y) = unify_floats("xlogy", self, &y.beside(self), Location::caller());
        times_log(x, y, Tensor::log, |x, y| x / y)
    }

    /// x log(1 + y), which is 0 where x is, whatever y. Its slope by x is log(1 + y) there too.
    #[track_caller]
    pub fn xlog1py(&self, y: impl Operand) -> Tensor {
        let (x, y) = unify_floats("xlog1py", self, &y.beside(self), Location::caller());
        times_log(x, y, Tensor::log1p, |x, y| x / (y + 1.0))
    }

    /// -x log x, of a probability its part of an entropy: 0 at 0, where its slope is infinite, and negative infinity below.
    ///
    /// ```
    /// use wengert::Tensor;
    /// let p = Tensor::from([0.0f64, 0.5, -1.0]).entr().to_vec::<f64>();
    /// assert_eq!(p, [0.0, 0.5 * 2f64.ln(), f64::NEG_INFINITY]);
    /// ```
    #[track_caller]
    pub fn entr(&self) -> Tensor {
        let x = floating(self);
        x.less(0.0).select(f64::NEG_INFINITY, -x.xlogy(&x))
    }
}

/// A number times the logarithm of another, 0 where the first one is; with the slope by the second one elsewhere.
fn times_log(
    x: Tensor,
    y: Tensor,
    log: fn(&Tensor) -> Tensor,
    slope: fn(&Tensor, &Tensor) -> Tensor,
) -> Tensor {
    let value = move |x: &Tensor, y: &Tensor| {
        let none = x.equal(0.0);
        none.select(x.zeros_like(), x * log(&none.select(1.0, y)))
    };
    custom_jvp(
        move |x: Tensor, y: Tensor| value(&x, &y),
        move |(x, y), (dx, dy)| {
            let none = x.equal(0.0);
            let by_y = none.select(x.zeros_like(), slope(&x, &none.select(1.0, &y)));
            (value(&x, &y), dx * log(&y) + dy * by_y)
        },
    )(x, y)
}

/// A polynomial, the constant term first.
fn horner(x: &Tensor, coefficients: &[f64; 8]) -> Tensor {
    let (last, rest) = coefficients.split_last().expect("eight");
    let start = x.full_like(*last);
    rest.iter().rev().fold(start, |sum, &c| sum * x + c)
}

/// Numerator and denominator of Wichura's approximations, the constant terms first: where the probability is within 0.425 of a half,
const CENTRAL: [[f64; 8]; 2] = [
    [
        3.387_132_872_796_366_5,
        133.141_667_891_784_38,
        1_971.590_950_306_551_3,
        13_731.693_765_509_46,
        45_921.953_931_549_87,
        67_265.770_927_008_7,
        33_430.575_583_588_13,
        2_509.080_928_730_122_7,
    ],
    [
        1.0,
        42.313_330_701_600_91,
        687.187_007_492_057_9,
        5_394.196_021_424_751,
        21_213.794_301_586_597,
        39_307.895_800_092_71,
        28_729.085_735_721_943,
        5_226.495_278_852_854,
    ],
];

/// where the square root of minus its logarithm is at most 5,
const TAIL: [[f64; 8]; 2] = [
    [
        1.423_437_110_749_683_5,
        4.630_337_846_156_546,
        5.769_497_221_460_691,
        3.647_848_324_763_204_5,
        1.270_458_252_452_368_4,
        0.241_780_725_177_450_6,
        0.022_723_844_989_269_184,
        0.000_774_545_014_278_341_4,
    ],
    [
        1.0,
        2.053_191_626_637_759,
        1.676_384_830_183_803_8,
        0.689_767_334_985_1,
        0.148_103_976_427_480_08,
        0.015_198_666_563_616_457,
        0.000_547_593_808_499_534_5,
        1.050_750_071_644_416_9e-9,
    ],
];

/// and beyond.
const FAR: [[f64; 8]; 2] = [
    [
        6.657_904_643_501_103,
        5.463_784_911_164_114,
        1.784_826_539_917_291_3,
        0.296_560_571_828_504_87,
        0.026_532_189_526_576_124,
        0.001_242_660_947_388_078_4,
        2.711_555_568_743_487_6e-5,
        2.010_334_399_292_288_1e-7,
    ],
    [
        1.0,
        0.599_832_206_555_888,
        0.136_929_880_922_735_8,
        0.014_875_361_290_850_615,
        0.000_786_869_131_145_613_3,
        1.846_318_317_510_054_8e-5,
        1.421_511_758_316_446e-7,
        2.044_263_103_389_939_7e-15,
    ],
];
