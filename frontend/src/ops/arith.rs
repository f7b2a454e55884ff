//! Operators: `+ - * / %` and unary `-`, `&`, `|`, `^`, `<<`, `>>` and `!` between tensors, references and Rust scalars.
//!
//! The scalars are `f64` and `i64` only, and `i64` and `bool` for bits: with a second float type the type of the literal in
//! `(x * 2.0).sin()` would be ambiguous, and the expression would not compile.

use crate::Tensor;
use crate::ops::promote::{Operand, binary, convert, number_type, promote_types, unify, unify_floats};
use crate::trace::apply_at;
use std::panic::Location;
use wengert_ir::op::{BinaryOp, UnaryOp};
use wengert_ir::types::DTypeClass;

macro_rules! operators {
    ($($Trait:ident $method:ident $op:expr;)+) => { $(
        operators!(@tensors $Trait $method $op);
        operators!(@scalars $Trait $method $op, f64 i64);
    )+ };
    (@tensors $Trait:ident $method:ident $op:expr) => {
        impl std::ops::$Trait<Tensor> for Tensor { type Output = Tensor;
            #[track_caller] fn $method(self, o: Tensor) -> Tensor { $op(&self, &o, Location::caller()) } }
        impl std::ops::$Trait<&Tensor> for Tensor { type Output = Tensor;
            #[track_caller] fn $method(self, o: &Tensor) -> Tensor { $op(&self, o, Location::caller()) } }
        impl std::ops::$Trait<Tensor> for &Tensor { type Output = Tensor;
            #[track_caller] fn $method(self, o: Tensor) -> Tensor { $op(self, &o, Location::caller()) } }
        impl std::ops::$Trait<&Tensor> for &Tensor { type Output = Tensor;
            #[track_caller] fn $method(self, o: &Tensor) -> Tensor { $op(self, o, Location::caller()) } }
    };
    (@scalars $Trait:ident $method:ident $op:expr, $($S:ident)+) => { $(
        impl std::ops::$Trait<$S> for Tensor { type Output = Tensor;
            #[track_caller] fn $method(self, o: $S) -> Tensor { $op(&self, &o.beside(&self), Location::caller()) } }
        impl std::ops::$Trait<$S> for &Tensor { type Output = Tensor;
            #[track_caller] fn $method(self, o: $S) -> Tensor { $op(self, &o.beside(self), Location::caller()) } }
        impl std::ops::$Trait<Tensor> for $S { type Output = Tensor;
            #[track_caller] fn $method(self, o: Tensor) -> Tensor { $op(&self.beside(&o), &o, Location::caller()) } }
        impl std::ops::$Trait<&Tensor> for $S { type Output = Tensor;
            #[track_caller] fn $method(self, o: &Tensor) -> Tensor { $op(&self.beside(o), o, Location::caller()) } }
    )+ };
}

type At = &'static Location<'static>;

fn add(a: &Tensor, b: &Tensor, at: At) -> Tensor {
    binary(BinaryOp::Add, a, b, at)
}
fn subtract(a: &Tensor, b: &Tensor, at: At) -> Tensor {
    binary(BinaryOp::Subtract, a, b, at)
}
fn multiply(a: &Tensor, b: &Tensor, at: At) -> Tensor {
    binary(BinaryOp::Multiply, a, b, at)
}
/// True division: integers become floats first.
#[track_caller]
fn divide(a: &Tensor, b: &Tensor, at: At) -> Tensor {
    let (a, b) = unify_floats("divide", a, b, at);
    apply_at(BinaryOp::Divide.into(), &[&a, &b], at).remove(0)
}
/// The remainder with the sign of the divisor, as in NumPy and Python; of integers by zero 0.
#[track_caller]
fn modulo(a: &Tensor, b: &Tensor, at: At) -> Tensor {
    let (r, b) = remainder("remainder", a, b, at);
    let zero = 0.beside(&r);
    let differs = r.less(&zero).not_equal(b.less(&zero));
    let fix = differs.logical_and(r.not_equal(&zero));
    fix.select(&(&r + &b), &r)
}

/// The remainder with the sign of the dividend, of integers by zero 0; and the divisor. Both promoted and broadcast.
#[track_caller]
pub(crate) fn remainder(name: &str, a: &Tensor, b: &Tensor, at: At) -> (Tensor, Tensor) {
    let (a, b) = numbers(name, a, b, at);
    let r = apply_at(BinaryOp::Remainder.into(), &[&a, &b], at).remove(0);
    if r.dtype().is_integer() {
        // Of the operation, the remainder by zero is the dividend.
        return (b.equal(0i64).select(r.zeros_like(), &r), b);
    }
    (r, b)
}

/// Two operands promoted and broadcast, booleans as the integers they count as.
pub(crate) fn numbers(name: &str, a: &Tensor, b: &Tensor, at: At) -> (Tensor, Tensor) {
    let dtype = number_type(promote_types(a.dtype(), b.dtype()));
    unify(name, &convert(a, dtype, at), &convert(b, dtype, at), at)
}
fn bit_and(a: &Tensor, b: &Tensor, at: At) -> Tensor {
    binary(BinaryOp::And, a, b, at)
}
fn bit_or(a: &Tensor, b: &Tensor, at: At) -> Tensor {
    binary(BinaryOp::Or, a, b, at)
}
fn bit_xor(a: &Tensor, b: &Tensor, at: At) -> Tensor {
    binary(BinaryOp::Xor, a, b, at)
}
/// Of booleans the integers that they count as.
#[track_caller]
fn shift_left(a: &Tensor, b: &Tensor, at: At) -> Tensor {
    let (a, b) = numbers("shift_left", a, b, at);
    apply_at(BinaryOp::ShiftLeft.into(), &[&a, &b], at).remove(0)
}
/// Copies of the sign enter into signed integers, zeros into unsigned ones.
#[track_caller]
fn shift_right(a: &Tensor, b: &Tensor, at: At) -> Tensor {
    let (a, b) = numbers("shift_right", a, b, at);
    let is_signed = a.dtype().class() == DTypeClass::Signed;
    let op = if is_signed { BinaryOp::ShiftRightArithmetic } else { BinaryOp::ShiftRightLogical };
    apply_at(op.into(), &[&a, &b], at).remove(0)
}

operators! {
    Add add add;
    Sub sub subtract;
    Mul mul multiply;
    Div div divide;
    Rem rem modulo;
}

macro_rules! bit_operators {
    ($($Trait:ident $method:ident $op:ident, $($S:ident)+;)+) => { $(
        operators!(@tensors $Trait $method $op);
        operators!(@scalars $Trait $method $op, $($S)+);
    )+ };
}
bit_operators! {
    BitAnd bitand bit_and, i64 bool;
    BitOr bitor bit_or, i64 bool;
    BitXor bitxor bit_xor, i64 bool;
    Shl shl shift_left, i64;
    Shr shr shift_right, i64;
}

macro_rules! unary_operators {
    ($($Trait:ident $method:ident $op:ident;)+) => { $(
        impl std::ops::$Trait for Tensor { type Output = Tensor;
            #[track_caller] fn $method(self) -> Tensor { apply_at(UnaryOp::$op.into(), &[&self], Location::caller()).remove(0) } }
        impl std::ops::$Trait for &Tensor { type Output = Tensor;
            #[track_caller] fn $method(self) -> Tensor { apply_at(UnaryOp::$op.into(), &[self], Location::caller()).remove(0) } }
    )+ };
}
unary_operators! {
    Neg neg Negate;
    Not not Not;
}

macro_rules! assign_operators {
    ($($Trait:ident $method:ident $op:ident;)+) => { $(
        impl<T: Operand> std::ops::$Trait<T> for Tensor {
            #[track_caller] fn $method(&mut self, o: T) { *self = $op(self, &o.beside(self), Location::caller()) }
        }
    )+ };
}
assign_operators! {
    AddAssign add_assign add;
    SubAssign sub_assign subtract;
    MulAssign mul_assign multiply;
    DivAssign div_assign divide;
}
