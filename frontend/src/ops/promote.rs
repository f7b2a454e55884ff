//! Promotion of element types and broadcasting of shapes, as NumPy and JAX define them.
//!
//! The rule for the types of results is in the documentation of [`Tensor`], as a table; the functions here are its rows, and
//! no method chooses a type of its own. `tests/jnp` holds every method to it with JAX's answers, for every element type.
//!
//! Two tensors promote by JAX's lattice (docs.jax.dev, "Type promotion semantics"). A Rust scalar is *weak*: it takes the
//! tensor's element type unless its kind is higher. An integer that the type does not hold wraps, as in JAX, if 32 bits
//! hold it, and is refused if not; what is given as a float saturates.

use crate::Tensor;
use crate::error::{Error, fail};
use crate::trace::apply_at;
use std::panic::Location;
use wengert_ir::array::Literal;
use wengert_ir::op::{BinaryOp, BroadcastInDim, Convert, Op, Reshape};
use wengert_ir::types::{DType, DTypeClass, Dims, TensorType};

type At = &'static Location<'static>;

/// The type of counts, of positions, and of booleans where they count.
pub(crate) const DEFAULT_INT: DType = DType::I32;

/// The type that elements have where a function has real values: integers and booleans become floats.
pub(crate) fn float_type(dtype: DType) -> DType {
    match dtype.class() {
        DTypeClass::Float | DTypeClass::Complex => dtype,
        DTypeClass::Bool | DTypeClass::Signed | DTypeClass::Unsigned => {
            if dtype.bits() == 64 {
                DType::F64
            } else {
                DType::F32
            }
        }
    }
}

/// The type of numbers that elements count as: booleans become integers.
pub(crate) fn number_type(dtype: DType) -> DType {
    if dtype == DType::I1 { DEFAULT_INT } else { dtype }
}

/// The type of a sum or a product of elements.
pub(crate) fn sum_type(dtype: DType) -> DType {
    match dtype.class() {
        DTypeClass::Bool => DEFAULT_INT,
        DTypeClass::Signed if dtype.bits() < 32 => DType::I32,
        DTypeClass::Unsigned if dtype.bits() < 32 => DType::U32,
        DTypeClass::Signed | DTypeClass::Unsigned | DTypeClass::Float | DTypeClass::Complex => dtype,
    }
}

/// The type in which sums of such elements are computed before they are rounded: narrow floats add up in `f32`.
pub(crate) fn computed_type(dtype: DType) -> DType {
    if dtype.is_float() && dtype.bits() < 32 { DType::F32 } else { dtype }
}

/// The elements as the floats they count as; see [`float_type`].
#[track_caller]
pub(crate) fn floating(x: &Tensor) -> Tensor {
    convert(x, float_type(x.dtype()), Location::caller())
}

/// Two operands of a function with real values, promoted and broadcast.
pub(crate) fn unify_floats(name: &str, a: &Tensor, b: &Tensor, at: At) -> (Tensor, Tensor) {
    let dtype = float_type(promote_types(a.dtype(), b.dtype()));
    unify(name, &convert(a, dtype, at), &convert(b, dtype, at), at)
}

/// The element type two tensors meet in.
pub fn promote_types(a: DType, b: DType) -> DType {
    use DTypeClass as C;
    if a == b {
        return a;
    }
    let rank = |d: DType| match d.class() {
        C::Bool => 0,
        C::Signed | C::Unsigned => 1,
        C::Float => 2,
        C::Complex => 3,
    };
    let (lo, hi) = if rank(a) <= rank(b) { (a, b) } else { (b, a) };
    match (lo.class(), hi.class()) {
        (C::Bool, _) | (C::Signed | C::Unsigned, C::Float | C::Complex) => hi,
        (C::Float, C::Complex) => {
            if lo == DType::F64 {
                DType::C128
            } else {
                hi
            }
        }
        (C::Complex, C::Complex) => DType::C128,
        (C::Float, C::Float) => wider_float(lo, hi),
        (C::Signed, C::Signed) | (C::Unsigned, C::Unsigned) => {
            if lo.bits() > hi.bits() {
                lo
            } else {
                hi
            }
        }
        (C::Signed, C::Unsigned) | (C::Unsigned, C::Signed) => {
            let (signed, unsigned) = if lo.class() == C::Signed { (lo, hi) } else { (hi, lo) };
            // The smallest signed type that holds both; beyond 64 bits only a float does.
            match unsigned.bits().max(signed.bits().div_ceil(2)) {
                _ if unsigned.bits() < signed.bits() => signed,
                64 => DType::F64,
                32 => DType::I64,
                16 => DType::I32,
                8 => DType::I16,
                _ => DType::I8,
            }
        }
        _ => hi,
    }
}

/// Different float types of one width meet in the next wider; 8-bit floats meet others in those.
fn wider_float(a: DType, b: DType) -> DType {
    if a.bits() == b.bits() {
        return if a.bits() == 16 { DType::F32 } else { DType::F16 };
    }
    if a.bits() > b.bits() { a } else { b }
}

/// The shape two shapes broadcast to.
pub(crate) fn broadcast_shapes(a: &[usize], b: &[usize]) -> Option<Dims> {
    let rank = a.len().max(b.len());
    let at = |s: &[usize], i: usize| if i + s.len() >= rank { s[i + s.len() - rank] } else { 1 };
    (0..rank)
        .map(|i| match (at(a, i), at(b, i)) {
            (x, y) if x == y => Some(x),
            (1, y) => Some(y),
            (x, 1) => Some(x),
            _ => None,
        })
        .collect()
}

/// `x` converted; nothing happens if it has the type already.
pub(crate) fn convert(x: &Tensor, dtype: DType, at: At) -> Tensor {
    if x.dtype() == dtype {
        return x.clone();
    }
    if dtype == DType::I1 && x.is_complex() {
        // Either part makes a complex number true; the conversion would look at the real one.
        let (re, im) = (convert(&x.real(), dtype, at), convert(&x.imag(), dtype, at));
        return apply_at(BinaryOp::Or.into(), &[&re, &im], at).remove(0);
    }
    apply_at(Convert { dtype }.into(), &[x], at).remove(0)
}

/// `x` stretched to `shape`, which it must broadcast to.
pub(crate) fn broadcast(x: &Tensor, shape: &[usize], at: At) -> Tensor {
    if x.shape() == shape {
        return x.clone();
    }
    let offset = shape.len() - x.rank();
    // Size-1 dimensions are dropped first, so that the program shows one kind of broadcast.
    let kept: Dims = (0..x.rank()).filter(|&i| x.shape()[i] == shape[offset + i]).collect();
    let x = if kept.len() == x.rank() {
        x.clone()
    } else {
        let squeezed: Dims = kept.iter().map(|&i| x.shape()[i]).collect();
        apply_at(Reshape { shape: squeezed }.into(), &[x], at).remove(0)
    };
    if x.shape() == shape {
        return x;
    }
    let dims: Dims = kept.iter().map(|&i| offset + i).collect();
    apply_at(BroadcastInDim { shape: Dims::from_slice(shape), dims }.into(), &[&x], at).remove(0)
}

/// Two operands of an elementwise operation, promoted and broadcast.
pub(crate) fn unify(name: &str, a: &Tensor, b: &Tensor, at: At) -> (Tensor, Tensor) {
    let Some(shape) = broadcast_shapes(a.shape(), b.shape()) else {
        let message = format!(
            "{name}: shapes {:?} and {:?} do not broadcast; operands: {}, {}",
            a.shape(),
            b.shape(),
            a.ty(),
            b.ty()
        );
        fail(Error::new(message, Some(at)))
    };
    let dtype = promote_types(a.dtype(), b.dtype());
    (broadcast(&convert(a, dtype, at), &shape, at), broadcast(&convert(b, dtype, at), &shape, at))
}

/// An elementwise operation of two tensors.
pub(crate) fn binary(op: impl Into<Op>, a: &Tensor, b: &Tensor, at: At) -> Tensor {
    let op = op.into();
    if a.dtype() == b.dtype() && a.shape() == b.shape() {
        return apply_at(op, &[a, b], at).remove(0);
    }
    let (a, b) = unify(op.name(), a, b, at);
    apply_at(op, &[&a, &b], at).remove(0)
}

/// What stands beside a tensor in an elementwise operation: a tensor or a Rust scalar.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand beside a tensor",
    label = "not a tensor, a reference to one, or a number",
    note = "the numbers are `f64`, `f32`, `i32`, `i64`, `u32`, `usize` and `bool`; others become tensors by `Tensor::from`"
)]
pub trait Operand {
    /// The operand beside `other`.
    ///
    /// Fails for an integer that neither the element type nor 32 bits hold.
    fn beside(&self, other: &Tensor) -> Tensor;
}

impl Operand for Tensor {
    fn beside(&self, _: &Tensor) -> Tensor {
        self.clone()
    }
}
impl<T: Operand + ?Sized> Operand for &T {
    #[track_caller]
    fn beside(&self, other: &Tensor) -> Tensor {
        (**self).beside(other)
    }
}

macro_rules! scalar_operands {
    ($weak:path: $($ty:ty),+) => { $(impl Operand for $ty {
        #[track_caller]
        fn beside(&self, other: &Tensor) -> Tensor {
            scalar($weak((*self).into()), other.dtype(), Location::caller())
        }
    })+ };
}
scalar_operands!(Weak::Float: f64, f32);
scalar_operands!(Weak::Integer: i32, i64, u32);
impl Operand for bool {
    fn beside(&self, _: &Tensor) -> Tensor {
        Tensor::from(*self)
    }
}
impl Operand for usize {
    #[track_caller]
    fn beside(&self, other: &Tensor) -> Tensor {
        scalar(Weak::Integer(*self as i128), other.dtype(), Location::caller())
    }
}

/// A Rust number.
enum Weak {
    Float(f64),
    Integer(i128),
}

/// A Rust number beside a tensor of this element type.
fn scalar(value: Weak, beside: DType, at: At) -> Tensor {
    let (float, integer) = match value {
        Weak::Float(value) => (value, None),
        Weak::Integer(value) => (value as f64, Some(value)),
    };
    let dtype = if integer.is_some() { number_type(beside) } else { float_type(beside) };
    let ty = TensorType::scalar(dtype);
    let Some(integer) = integer.filter(|_| dtype.is_integer()) else {
        return Tensor::from_array(Literal::splat(ty, float).to_array());
    };
    if integer != integer as i32 as i128 && !fits(integer, dtype) {
        let message =
            format!("the number {integer} beside a tensor of {beside}: neither {dtype} nor 32 bits hold it");
        fail(Error::new(message, Some(at)))
    }
    if dtype.bits() < 8 {
        // Sizes without a Rust type: the low bits of a byte.
        return Tensor::from_array(
            Literal::splat(ty, (integer & ((1 << dtype.bits()) - 1)) as f64).to_array(),
        );
    }
    Tensor::from_array(Literal::splat_bytes(ty, &integer.to_le_bytes()[..dtype.size()]).to_array())
}

/// Whether an integer type holds the number.
pub(crate) fn fits(value: i128, dtype: DType) -> bool {
    let (low, high) = integer_range(dtype);
    (low..=high).contains(&value)
}

/// Integers as a type that holds any number of what there are fewer than 2^31 of: those of narrow types as `i32`.
pub(crate) fn counting(x: &Tensor) -> Tensor {
    if x.dtype().is_integer() && x.dtype().bits() < 32 { x.astype(DType::I32) } else { x.clone() }
}

/// The least and the largest number of an integer type.
fn integer_range(dtype: DType) -> (i128, i128) {
    match dtype.class() {
        DTypeClass::Signed => (-(1 << (dtype.bits() - 1)), (1 << (dtype.bits() - 1)) - 1),
        DTypeClass::Unsigned => (0, (1 << dtype.bits()) - 1),
        DTypeClass::Bool | DTypeClass::Float | DTypeClass::Complex => (0, 1),
    }
}

/// `value` everywhere: rounded to a float type, cut and saturated to an integer type (NaN is 0), `!= 0` as a boolean.
pub(crate) fn filled(ty: TensorType, value: f64) -> Literal {
    if !ty.dtype.is_integer() {
        return Literal::splat(ty, value);
    }
    let (low, high) = integer_range(ty.dtype);
    let value = if value.is_nan() { 0.0 } else { value.clamp(low as f64, high as f64) };
    Literal::splat(ty, value)
}
