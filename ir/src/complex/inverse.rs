//! Inverse trigonometric and hyperbolic functions, after Kahan.

use super::{C, Complex, F, Parts};
use crate::op::{Direction, UnaryOp};

impl<A: Parts> F<'_, A> {
    /// `sqrt(1 - z)` and `sqrt(1 + z)`.
    fn roots(&mut self, z: C<A>) -> (C<A>, C<A>) {
        let one = self.num(1.0);
        let minus = Complex { re: self.sub(one, z.re), im: self.neg(z.im) };
        let plus = Complex { re: self.add(one, z.re), im: z.im };
        (self.sqrt(minus), self.sqrt(plus))
    }

    /// Real part of `x y`.
    fn real_of_product(&mut self, x: C<A>, y: C<A>) -> A::V {
        let (a, b) = (self.mul(x.re, y.re), self.mul(x.im, y.im));
        self.sub(a, b)
    }

    /// Imaginary part of `conj(x) y`.
    fn imaginary_of_conjugate_product(&mut self, x: C<A>, y: C<A>) -> A::V {
        let (a, b) = (self.mul(x.re, y.im), self.mul(x.im, y.re));
        self.sub(a, b)
    }

    /// Where the squares that other formulas hold would overflow: `log 2|z|` is as good.
    fn is_far(&mut self, z: C<A>) -> A::P {
        let (m, _) = self.sizes(z);
        let far = if self.0.is_wide() { 2f64.powi(500) } else { 2f64.powi(60) };
        self.is(m, Direction::Gt, far)
    }

    /// `log 2|z|`.
    fn log_double(&mut self, z: C<A>) -> A::V {
        let log = self.log_modulus(z);
        self.offset(log, std::f64::consts::LN_2)
    }

    /// `atan2(a, Re(sqrt(1-z) sqrt(1+z))) + i asinh(Im(conj(sqrt(1-z)) sqrt(1+z)))`.
    pub(super) fn asin(&mut self, z: C<A>) -> C<A> {
        let (minus, plus) = self.roots(z);
        let below = self.real_of_product(minus, plus);
        let near_re = self.atan2(z.re, below);
        let s = self.imaginary_of_conjugate_product(minus, plus);
        let near_im = self.of(UnaryOp::Asinh, s);
        // Far out the angle is that of (|b|, a), the size a logarithm.
        let size = self.abs(z.im);
        let far_re = self.atan2(z.re, size);
        let log = self.log_double(z);
        let far_im = self.copysign(log, z.im);
        let far = self.is_far(z);
        let im = self.choose(far, far_im, near_im);
        let zero = self.is(z.im, Direction::Eq, 0.0);
        let signed = self.copysign(im, z.im);
        let im = self.choose(zero, signed, im);
        Complex { re: self.choose(far, far_re, near_re), im }
    }

    /// `2 atan2(Re sqrt(1-z), Re sqrt(1+z)) + i asinh(Im(conj(sqrt(1+z)) sqrt(1-z)))`.
    pub(super) fn acos(&mut self, z: C<A>) -> C<A> {
        let (minus, plus) = self.roots(z);
        let angle = self.atan2(minus.re, plus.re);
        let near_re = self.scale(angle, 2.0);
        let s = self.imaginary_of_conjugate_product(plus, minus);
        let near_im = self.of(UnaryOp::Asinh, s);
        let size = self.abs(z.im);
        let far_re = self.atan2(size, z.re);
        let log = self.log_double(z);
        let up = self.neg(z.im);
        let far_im = self.copysign(log, up);
        let far = self.is_far(z);
        Complex { re: self.choose(far, far_re, near_re), im: self.choose(far, far_im, near_im) }
    }

    /// `asinh(Re(conj(sqrt(z-1)) sqrt(z+1))) + 2 i atan2(Im sqrt(z-1), Re sqrt(z+1))`.
    pub(super) fn acosh(&mut self, z: C<A>) -> C<A> {
        let below = Complex { re: self.offset(z.re, -1.0), im: z.im };
        let above = Complex { re: self.offset(z.re, 1.0), im: z.im };
        let (minus, plus) = (self.sqrt(below), self.sqrt(above));
        let (a, b) = (self.mul(minus.re, plus.re), self.mul(minus.im, plus.im));
        let s = self.add(a, b);
        let near_re = self.of(UnaryOp::Asinh, s);
        let angle = self.atan2(minus.im, plus.re);
        let near_im = self.scale(angle, 2.0);
        let far_re = self.log_double(z);
        let far_im = self.atan2(z.im, z.re);
        let far = self.is_far(z);
        Complex { re: self.choose(far, far_re, near_re), im: self.choose(far, far_im, near_im) }
    }

    /// `asinh z = -i asin(i z)`.
    pub(super) fn asinh(&mut self, z: C<A>) -> C<A> {
        let turned = self.times_i(z);
        let s = self.asin(turned);
        self.over_i(s)
    }

    /// `atan z = -i atanh(i z)`.
    pub(super) fn atan(&mut self, z: C<A>) -> C<A> {
        let turned = self.times_i(z);
        let t = self.atanh(turned);
        self.over_i(t)
    }

    /// Real part `log1p(4|a| / ((1-|a|)^2 + b^2)) / 4` with the sign of `a`, imaginary part
    /// `atan2(2b, (1-a)(1+a) - b^2) / 2`.
    pub(super) fn atanh(&mut self, z: C<A>) -> C<A> {
        let one = self.num(1.0);
        let a = self.abs(z.re);
        let rest = self.sub(one, a);
        let (r2, b2) = (self.mul(rest, rest), self.mul(z.im, z.im));
        let below = self.add(r2, b2);
        let above = self.scale(a, 4.0);
        let ratio = self.div(above, below);
        let log = self.of(UnaryOp::LogPlusOne, ratio);
        let near_re = self.scale(log, 0.25);
        let sum = self.add(one, a);
        let product = self.mul(rest, sum);
        let cosine = self.sub(product, b2);
        let double = self.scale(z.im, 2.0);
        let angle = self.atan2(double, cosine);
        let near_im = self.scale(angle, 0.5);
        // Far out: Re(1/z), and a quarter turn.
        let unit = Complex { re: one, im: self.num(0.0) };
        let inverse = self.divide(unit, z);
        let far_re = self.abs(inverse.re);
        let quarter = self.num(std::f64::consts::FRAC_PI_2);
        let far_im = self.copysign(quarter, z.im);
        let far = self.is_far(z);
        let re = self.choose(far, far_re, near_re);
        Complex { re: self.copysign(re, z.re), im: self.choose(far, far_im, near_im) }
    }
}
