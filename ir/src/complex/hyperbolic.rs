//! Hyperbolic and trigonometric functions: exponentials of the real part, circular functions of the imaginary one.

use super::{C, Complex, F, Parts};
use crate::op::{Direction, UnaryOp};

impl<A: Parts> F<'_, A> {
    pub(super) fn polar(&mut self, radius: A::V, angle: A::V) -> C<A> {
        let (c, s) = (self.of(UnaryOp::Cosine, angle), self.of(UnaryOp::Sine, angle));
        Complex { re: self.mul(radius, c), im: self.mul(radius, s) }
    }

    /// `(sinh a cos b, cosh a sin b)`.
    pub(super) fn sinh(&mut self, z: C<A>) -> C<A> {
        let (c, s) = (self.of(UnaryOp::Cosine, z.im), self.of(UnaryOp::Sine, z.im));
        Complex {
            re: self.hyperbolic_times(UnaryOp::Sinh, z.re, c),
            im: self.hyperbolic_times(UnaryOp::Cosh, z.re, s),
        }
    }

    /// `(cosh a cos b, sinh a sin b)`.
    pub(super) fn cosh(&mut self, z: C<A>) -> C<A> {
        let (c, s) = (self.of(UnaryOp::Cosine, z.im), self.of(UnaryOp::Sine, z.im));
        Complex {
            re: self.hyperbolic_times(UnaryOp::Cosh, z.re, c),
            im: self.hyperbolic_times(UnaryOp::Sinh, z.re, s),
        }
    }

    /// `sinh(a) s` or `cosh(a) s`, as `e^|a| s / 2` where the first factor overflows; 0 if a factor is.
    pub(super) fn hyperbolic_times(&mut self, op: UnaryOp, a: A::V, s: A::V) -> A::V {
        let h = self.of(op, a);
        let plain = self.mul(h, s);
        let size = self.abs(a);
        let exponent = self.scale(size, 0.5);
        let half = self.of(UnaryOp::Exponential, exponent);
        let twice = self.scale(half, 0.5);
        let twice = self.mul(twice, s);
        let twice = self.mul(twice, half);
        let twice = if op == UnaryOp::Sinh {
            let minus = self.neg(twice);
            let negative = self.is(a, Direction::Lt, 0.0);
            self.choose(negative, minus, twice)
        } else {
            twice
        };
        let steep = self.limits().steep;
        let overflows = self.is(size, Direction::Gt, steep);
        let product = self.choose(overflows, twice, plain);
        let none = self.is(s, Direction::Eq, 0.0);
        // A zero keeps the sign that the product has.
        let (one, unit) = (self.num(1.0), self.copysign_one(a));
        let sign = if op == UnaryOp::Sinh { unit } else { one };
        let signed = self.mul(s, sign);
        let product = self.choose(none, signed, product);
        let still = self.is(h, Direction::Eq, 0.0);
        let positive = self.copysign_one(s);
        let vanished = self.mul(h, positive);
        self.choose(still, vanished, product)
    }

    pub(super) fn copysign_one(&mut self, sign: A::V) -> A::V {
        let one = self.num(1.0);
        self.copysign(one, sign)
    }

    /// `sin z = -i sinh(i z)`.
    pub(super) fn sin(&mut self, z: C<A>) -> C<A> {
        let turned = self.times_i(z);
        let h = self.sinh(turned);
        self.over_i(h)
    }

    /// `cos z = cosh(i z)`.
    pub(super) fn cos(&mut self, z: C<A>) -> C<A> {
        let turned = self.times_i(z);
        self.cosh(turned)
    }

    /// `tan z = -i tanh(i z)`.
    pub(super) fn tan(&mut self, z: C<A>) -> C<A> {
        let turned = self.times_i(z);
        let h = self.tanh(turned);
        self.over_i(h)
    }

    /// Kahan: with `t = tan b`, `s = sinh a`, `B = 1 + t^2`, `r = sqrt(1 + s^2)`, it is
    /// `(B r s + i t) / (1 + B s^2)`; far out `+-1 + 4 i sin b cos b e^(-2|a|)`.
    pub(super) fn tanh(&mut self, z: C<A>) -> C<A> {
        let limits = self.limits();
        let size = self.abs(z.re);
        let flat = self.is(size, Direction::Gt, limits.flat);
        // Kept small where it is not used.
        let (one, zero) = (self.num(1.0), self.num(0.0));
        let a = self.choose(flat, one, z.re);
        let t = self.of(UnaryOp::Tan, z.im);
        let t2 = self.mul(t, t);
        let beta = self.offset(t2, 1.0);
        let s = self.of(UnaryOp::Sinh, a);
        let s2 = self.mul(s, s);
        let rho = self.offset(s2, 1.0);
        let rho = self.of(UnaryOp::Sqrt, rho);
        let bs2 = self.mul(beta, s2);
        let below = self.offset(bs2, 1.0);
        let re = self.mul(beta, rho);
        let re = self.mul(re, s);
        let re = self.div(re, below);
        let im = self.div(t, below);
        let (c, sine) = (self.of(UnaryOp::Cosine, z.im), self.of(UnaryOp::Sine, z.im));
        let far_re = self.copysign(one, z.re);
        let cs = self.mul(sine, c);
        let cs = self.scale(cs, 4.0);
        let decay = self.scale(size, -2.0);
        let decay = self.of(UnaryOp::Exponential, decay);
        let far_im = self.mul(cs, decay);
        // At infinity the angle does not matter.
        let infinite = self.is(size, Direction::Eq, f64::INFINITY);
        let far_im = self.choose(infinite, zero, far_im);
        let out = Complex { re: self.choose(flat, far_re, re), im: self.choose(flat, far_im, im) };
        // On the axes one part is exactly that of the argument.
        let real = self.is(z.im, Direction::Eq, 0.0);
        let im = self.choose(real, z.im, out.im);
        Complex { re: out.re, im }
    }
}
