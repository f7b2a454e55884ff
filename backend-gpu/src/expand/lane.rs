//! Lanes that are values of a kernel under construction.

use super::{Fma, Means, fma, next_after, plain, shared};
use std::cell::RefCell;
use std::ops::{Add, Div, Mul, Neg, Sub};
use wengert_ir::kernel::build::KernelBuilder;
use wengert_ir::kernel::{Extent, KBinary, KCast, KOp, KUnary, KValue, LoopKind, Scalar};
use wengert_ir::math::lane::{Int, Lane, Later, Step};
use wengert_ir::math::{MathFn, MathFn2};
use wengert_ir::op::{CompareType, Direction};

/// A formula over any lane.
pub(super) trait Formula {
    fn eval<L: Lane>(self, x: &[L]) -> L;
}

pub(super) struct Unary(pub(super) MathFn);
pub(super) struct Binary(pub(super) MathFn2);
pub(super) struct NextAfter;

impl Formula for Unary {
    fn eval<L: Lane>(self, x: &[L]) -> L {
        self.0.eval(x[0])
    }
}

impl Formula for Binary {
    fn eval<L: Lane>(self, x: &[L]) -> L {
        self.0.eval(x[0], x[1])
    }
}

impl Formula for NextAfter {
    fn eval<L: Lane>(self, x: &[L]) -> L {
        next_after(x[0], x[1])
    }
}

/// Adds a formula of values of type `ty`; gives its result.
pub(super) fn formula(
    b: &mut KernelBuilder,
    ty: Scalar,
    operands: &[KValue],
    formula: impl Formula,
    means: Means,
) -> KValue {
    shared(b, |b| match ty {
        Scalar::F64 => {
            let x: Vec<_> = operands.iter().map(|&v| Float::<8> { b, v, means }).collect();
            formula.eval(&x).v
        }
        _ => {
            let x: Vec<_> = operands.iter().map(|&v| Float::<4> { b, v, means }).collect();
            formula.eval(&x).v
        }
    })
}

/// A float of `SIZE` bytes.
#[derive(Clone, Copy)]
struct Float<'b, const SIZE: usize> {
    b: &'b RefCell<KernelBuilder>,
    v: KValue,
    means: Means,
}

/// An integer of `SIZE` bytes.
#[derive(Clone, Copy)]
struct Whole<'b, const SIZE: usize> {
    b: &'b RefCell<KernelBuilder>,
    v: KValue,
    means: Means,
}

/// A truth value.
#[derive(Clone, Copy)]
struct Truth<'b> {
    b: &'b RefCell<KernelBuilder>,
    v: KValue,
}

const fn float_of(size: usize) -> Scalar {
    if size == 4 { Scalar::F32 } else { Scalar::F64 }
}

const fn int_of(size: usize) -> Scalar {
    if size == 4 { Scalar::I32 } else { Scalar::I64 }
}

// What adds an instruction is never inlined: formulas are, into one function each.

impl<const SIZE: usize> Float<'_, SIZE> {
    #[inline(never)]
    fn add_op(self, op: KOp, operands: &[KValue]) -> Self {
        Self { v: self.b.borrow_mut().op(op, operands, float_of(SIZE)), ..self }
    }
}

impl<'b, const SIZE: usize> Whole<'b, SIZE> {
    #[inline(never)]
    fn binary(self, op: KBinary, other: Self) -> Self {
        Self { v: self.b.borrow_mut().op(KOp::Binary(op), &[self.v, other.v], int_of(SIZE)), ..self }
    }

    #[inline(never)]
    fn compare(self, direction: Direction, other: Self) -> Truth<'b> {
        let op = KOp::Compare(direction, CompareType::Unsigned);
        Truth { b: self.b, v: self.b.borrow_mut().op(op, &[self.v, other.v], Scalar::I1) }
    }
}

macro_rules! operator {
    ($($trait:ident $method:ident),*) => {
        $(impl<const SIZE: usize> $trait for Float<'_, SIZE> {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                self.add_op(KOp::Binary(KBinary::$trait), &[self.v, other.v])
            }
        })*
    };
}
operator!(Add add, Sub sub, Mul mul, Div div);

impl<const SIZE: usize> Neg for Float<'_, SIZE> {
    type Output = Self;
    fn neg(self) -> Self {
        self.add_op(KOp::Unary(KUnary::Neg), &[self.v])
    }
}

impl<'b, const SIZE: usize> Int for Whole<'b, SIZE> {
    type Mask = Truth<'b>;
    #[inline(never)]
    fn int(self, value: u64) -> Self {
        let value = if SIZE == 4 { u64::from(value as u32) } else { value };
        Self { v: self.b.borrow_mut().bits(int_of(SIZE), value), ..self }
    }
    fn add(self, other: Self) -> Self {
        self.binary(KBinary::Add, other)
    }
    fn sub(self, other: Self) -> Self {
        self.binary(KBinary::Sub, other)
    }
    fn mul(self, other: Self) -> Self {
        self.binary(KBinary::Mul, other)
    }
    #[inline(never)]
    fn mul_high(self, other: Self) -> Self {
        // By halves: (a 2^h + b)(c 2^h + d), where no sum of two products of halves and a half wraps.
        let half = self.int(4 * SIZE as u64);
        let mask = self.int((1 << (4 * SIZE)) - 1);
        let (a, b, c, d) = (self.shr(half), self.and(mask), other.shr(half), other.and(mask));
        let middle = a.mul(d).add(b.mul(d).shr(half));
        let low = b.mul(c).add(middle.and(mask));
        a.mul(c).add(middle.shr(half)).add(low.shr(half))
    }
    fn and(self, other: Self) -> Self {
        self.binary(KBinary::And, other)
    }
    fn or(self, other: Self) -> Self {
        self.binary(KBinary::Or, other)
    }
    fn xor(self, other: Self) -> Self {
        self.binary(KBinary::Xor, other)
    }
    fn shl(self, amount: Self) -> Self {
        self.binary(KBinary::Shl, amount)
    }
    fn shr(self, amount: Self) -> Self {
        self.binary(KBinary::ShrU, amount)
    }
    fn sar(self, amount: Self) -> Self {
        self.binary(KBinary::Shr, amount)
    }
    fn equal(self, other: Self) -> Self::Mask {
        self.compare(Direction::Eq, other)
    }
    fn below(self, other: Self) -> Self::Mask {
        self.compare(Direction::Lt, other)
    }
    #[inline(never)]
    fn select(mask: Self::Mask, a: Self, b: Self) -> Self {
        Self { v: mask.b.borrow_mut().op(KOp::Select, &[mask.v, a.v, b.v], int_of(SIZE)), ..a }
    }
}

macro_rules! lane {
    ($size:literal $mantissa:literal $bias:literal) => {
        impl<'b> Lane for Float<'b, $size> {
            const WIDTH: u64 = 8 * $size;
            const MANTISSA: u64 = $mantissa;
            const BIAS: u64 = $bias;
            type Mask = Truth<'b>;
            type Int = Whole<'b, $size>;
            #[inline(never)]
            fn lit(self, value: f64) -> Self {
                Self { v: self.b.borrow_mut().float(float_of($size), value), ..self }
            }
            #[inline(never)]
            fn fma(self, b: Self, c: Self) -> Self {
                match self.means.fma {
                    Fma::Native => self.add_op(KOp::Fma, &[self.v, b.v, c.v]),
                    Fma::Emulated => {
                        let mut builder = self.b.borrow_mut();
                        let v = fma::emulated(&mut builder, float_of($size), self.v, b.v, c.v);
                        drop(builder);
                        Self { v, ..self }
                    }
                }
            }
            #[inline(never)]
            fn sqrt(self) -> Self {
                if self.means.plain_f64 && $size == 8 {
                    let v = plain::unary(&mut self.b.borrow_mut(), KUnary::Sqrt, self.v);
                    return Self { v: v.expect("a root is made"), ..self };
                }
                self.add_op(KOp::Unary(KUnary::Sqrt), &[self.v])
            }
            #[inline(never)]
            fn lt(self, other: Self) -> Self::Mask {
                let op = KOp::Compare(Direction::Lt, CompareType::Float);
                Truth { b: self.b, v: self.b.borrow_mut().op(op, &[self.v, other.v], Scalar::I1) }
            }
            #[inline(never)]
            fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask {
                let v = a.b.borrow_mut().op(KOp::Binary(KBinary::And), &[a.v, b.v], Scalar::I1);
                Truth { v, ..a }
            }
            fn select(mask: Self::Mask, a: Self, b: Self) -> Self {
                a.add_op(KOp::Select, &[mask.v, a.v, b.v])
            }
            #[inline(never)]
            fn bits(self) -> Self::Int {
                let v = self.b.borrow_mut().op(KOp::Cast(KCast::Bits), &[self.v], int_of($size));
                Whole { b: self.b, v, means: self.means }
            }
            #[inline(never)]
            fn of(bits: Self::Int) -> Self {
                let v = bits.b.borrow_mut().op(KOp::Cast(KCast::Bits), &[bits.v], float_of($size));
                Self { b: bits.b, v, means: bits.means }
            }
            fn rarely(mask: Self::Mask, rare: impl Later<Self>, common: Self) -> Self {
                let cell = mask.b;
                // The builder stands in the cell while the rare part is built, and outside of it while its block is.
                let mut builder = cell.replace(KernelBuilder::new("", &[]).0);
                let index = builder.op(KOp::Cast(KCast::Unsigned), &[mask.v], Scalar::I32);
                let mut rare = Some(rare);
                let v = builder.switch(index, 2, &[float_of($size)], |b, arm| {
                    if arm == 0 {
                        return vec![common.v];
                    }
                    std::mem::swap(b, &mut cell.borrow_mut());
                    let v = rare.take().expect("one arm is rare").now().v;
                    std::mem::swap(b, &mut cell.borrow_mut());
                    vec![v]
                })[0];
                cell.replace(builder);
                Self { v, ..common }
            }
            fn count_down(most: u32, x: [Self; 2], step: &impl Step<Self>) -> [Self; 2] {
                let (cell, means) = (x[0].b, x[0].means);
                let mut builder = cell.replace(KernelBuilder::new("", &[]).0);
                let end = Extent::Const(most.into());
                let first = x.map(|x| x.v);
                let sequential = LoopKind::Sequential;
                let made = builder.count(Extent::Const(0), end, 1, sequential, &first, |b, i, x| {
                    let most = b.op(KOp::Const(most.into()), &[], Scalar::I64);
                    let k = b.op(KOp::Binary(KBinary::Sub), &[most, i], Scalar::I64);
                    let k = b.op(KOp::Cast(KCast::Signed), &[k], float_of($size));
                    std::mem::swap(b, &mut cell.borrow_mut());
                    let at = |v| Self { b: cell, v, means };
                    let next = step.step(at(k), [at(x[0]), at(x[1])]).map(|x| x.v);
                    std::mem::swap(b, &mut cell.borrow_mut());
                    next.to_vec()
                });
                cell.replace(builder);
                [made[0], made[1]].map(|v| Self { b: cell, v, means })
            }
        }
    };
}
lane!(4 23 127);
lane!(8 52 1023);
