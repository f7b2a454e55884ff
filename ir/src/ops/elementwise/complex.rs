//! Complex numbers as elements: [`crate::complex`] on numbers.

use super::number::{Number, Wide};
use crate::complex::{self, Complex, Parts, Value};
use crate::op::{BinaryOp, Direction, UnaryOp};
use std::cmp::Ordering;
use std::marker::PhantomData;

/// Formulas on numbers.
struct Numbers<T>(PhantomData<T>);

impl<T> Numbers<T> {
    fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T: Number> Parts for Numbers<T> {
    type V = T;
    type P = bool;
    fn constant(&mut self, value: f64) -> T {
        T::narrow(Wide::Float(value))
    }
    fn is_wide(&self) -> bool {
        size_of::<T>() == 8
    }
    fn unary(&mut self, op: UnaryOp, x: T) -> T {
        T::unary(op, x)
    }
    fn binary(&mut self, op: BinaryOp, a: T, b: T) -> T {
        T::binary(op, a, b)
    }
    fn fma(&mut self, a: T, b: T, c: T) -> T {
        T::fma(a, b, c)
    }
    fn compare(&mut self, direction: Direction, a: T, b: T) -> bool {
        super::number::holds(direction, T::order(a, b))
    }
    fn and(&mut self, a: bool, b: bool) -> bool {
        a && b
    }
    fn or(&mut self, a: bool, b: bool) -> bool {
        a || b
    }
    fn choose(&mut self, p: bool, a: T, b: T) -> T {
        if p { a } else { b }
    }
}

fn split<T: Copy>([re, im]: [T; 2]) -> Complex<T> {
    Complex { re, im }
}

/// `op` of a complex number, where the result may be real.
pub(super) fn unary<T: Number>(op: UnaryOp, x: [T; 2]) -> Value<T> {
    let y = if complex::is_computed_wide(op) {
        complex::unary(&mut Numbers::<f64>::new(), op, split(x.map(wide))).map(|y| match y {
            Value::Real(y) => Value::Real(narrow(y)),
            Value::Complex(y) => Value::Complex(Complex { re: narrow(y.re), im: narrow(y.im) }),
        })
    } else {
        complex::unary(&mut Numbers::new(), op, split(x))
    };
    y.unwrap_or_else(|| unreachable!("{} of a complex number", op.name()))
}

fn binary<T: Number>(op: BinaryOp, a: [T; 2], b: [T; 2]) -> [T; 2] {
    let y = if complex::is_computed_wide2(op) {
        let (a, b) = (split(a.map(wide)), split(b.map(wide)));
        complex::binary(&mut Numbers::<f64>::new(), op, a, b)
            .map(|y| Complex { re: narrow(y.re), im: narrow(y.im) })
    } else {
        complex::binary(&mut Numbers::new(), op, split(a), split(b))
    };
    let y = y.unwrap_or_else(|| unreachable!("{} of complex numbers", op.name()));
    [y.re, y.im]
}

fn wide<T: Number>(x: T) -> f64 {
    f64::narrow(T::widen(x))
}

fn narrow<T: Number>(x: f64) -> T {
    T::narrow(Wide::Float(x))
}

macro_rules! complex {
    ($($t:ident),+) => { $(
        impl Number for [$t; 2] {
            fn unary(op: UnaryOp, x: Self) -> Self {
                match unary(op, x) {
                    Value::Complex(y) => [y.re, y.im],
                    Value::Real(_) => unreachable!("{} is real", op.name()),
                }
            }
            fn binary(op: BinaryOp, a: Self, b: Self) -> Self {
                binary(op, a, b)
            }
            fn fma(a: Self, b: Self, c: Self) -> Self {
                Self::binary(BinaryOp::Add, Self::binary(BinaryOp::Multiply, a, b), c)
            }
            /// Lexicographic.
            fn order(a: Self, b: Self) -> Option<Ordering> {
                match a[0].partial_cmp(&b[0]) {
                    Some(Ordering::Equal) => a[1].partial_cmp(&b[1]),
                    other => other,
                }
            }
            fn total_order(a: Self, b: Self) -> Ordering {
                a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1]))
            }
            fn is_finite(x: Self) -> bool { x[0].is_finite() && x[1].is_finite() }
            fn widen(x: Self) -> Wide { Wide::Complex(x[0] as f64, x[1] as f64) }
            fn narrow(x: Wide) -> Self {
                match x {
                    Wide::Complex(re, im) => [re as $t, im as $t],
                    other => [$t::narrow(other), 0.0],
                }
            }
        }
    )+ };
}
complex!(f32, f64);
