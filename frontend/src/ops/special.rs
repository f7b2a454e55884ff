//! Functions of `scipy.special` and `jax.scipy.special`, elementwise, of real numbers. Integers become floats; two operands promote and
//! broadcast.

use crate::Tensor;
use crate::ops::promote::{Operand, floating, unify_floats};
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
}
