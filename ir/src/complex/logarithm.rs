//! Logarithms: of the modulus without overflow or loss of digits, and the angle.

use super::{C, Complex, F, Parts};
use crate::op::{Direction, UnaryOp};

impl<A: Parts> F<'_, A> {
    /// Logarithm of the modulus, and the angle.
    pub(super) fn log(&mut self, z: C<A>) -> C<A> {
        Complex { re: self.log_modulus(z), im: self.atan2(z.im, z.re) }
    }

    /// `log(m) + log1p((n/m)^2) / 2`; near the unit circle `log1p(m^2 + n^2 - 1) / 2` of a sum in twice the precision.
    pub(super) fn log_modulus(&mut self, z: C<A>) -> A::V {
        let (m, n) = self.sizes(z);
        let ratio = self.div(n, m);
        let one = self.num(1.0);
        let equal = self.0.compare(Direction::Eq, m, n);
        let ratio = self.choose(equal, one, ratio);
        let square = self.mul(ratio, ratio);
        let second = self.of(UnaryOp::LogPlusOne, square);
        let second = self.scale(second, 0.5);
        let first = self.of(UnaryOp::Log, m);
        let far = self.add(first, second);
        // The exact squares as sums of two numbers each; m^2 - 1 is exact here.
        let (p, p_low) = self.exact_square(m);
        let (q, q_low) = self.exact_square(n);
        let minus = self.num(-1.0);
        let (d, d_low) = self.exact_sum(p, minus);
        let (sum, sum_low) = self.exact_sum(d, q);
        let low = self.add(p_low, q_low);
        let low = self.add(low, d_low);
        let low = self.add(low, sum_low);
        let excess = self.add(sum, low);
        let near = self.of(UnaryOp::LogPlusOne, excess);
        let near = self.scale(near, 0.5);
        let (above, below) = (self.is(m, Direction::Gt, 0.6), self.is(m, Direction::Lt, 1.5));
        let close = self.0.and(above, below);
        let log = self.choose(close, near, far);
        let (a, b) = (self.is_infinite(z.re), self.is_infinite(z.im));
        let infinite = self.0.or(a, b);
        let infinity = self.num(f64::INFINITY);
        self.choose(infinite, infinity, log)
    }

    /// `x^2` as a rounded product and its error.
    pub(super) fn exact_square(&mut self, x: A::V) -> (A::V, A::V) {
        let p = self.mul(x, x);
        let minus = self.neg(p);
        (p, self.0.fma(x, x, minus))
    }

    /// `a + b` as a rounded sum and its error (Knuth).
    pub(super) fn exact_sum(&mut self, a: A::V, b: A::V) -> (A::V, A::V) {
        let s = self.add(a, b);
        let v = self.sub(s, a);
        let rest = self.sub(s, v);
        let (x, y) = (self.sub(a, rest), self.sub(b, v));
        (s, self.add(x, y))
    }

    /// Real part `log1p(2a + a^2 + b^2) / 2`, the sum in twice the precision; away from zero that of `log(1 + z)`.
    pub(super) fn log1p(&mut self, z: C<A>) -> C<A> {
        let moved = Complex { re: self.offset(z.re, 1.0), im: z.im };
        let far = self.log_modulus(moved);
        let (m, _) = self.sizes(z);
        let (p, p_low) = self.exact_square(z.re);
        let (q, q_low) = self.exact_square(z.im);
        let double = self.scale(z.re, 2.0);
        let (first, first_low) = self.exact_sum(double, p);
        let (sum, sum_low) = self.exact_sum(first, q);
        let low = self.add(p_low, q_low);
        let low = self.add(low, first_low);
        let low = self.add(low, sum_low);
        let excess = self.add(sum, low);
        let near = self.of(UnaryOp::LogPlusOne, excess);
        let near = self.scale(near, 0.5);
        // Near -1 it is 1 + z that is exact.
        let (small, not_one) = (self.is(m, Direction::Lt, 3.0), self.is(excess, Direction::Gt, -0.5));
        let close = self.0.and(small, not_one);
        Complex { re: self.choose(close, near, far), im: self.atan2(z.im, moved.re) }
    }
}
