//! Promotion of element types and broadcasting of shapes, as NumPy and JAX define them.
//!
//! Two tensors promote by JAX's lattice (docs.jax.dev, "Type promotion semantics"). A Rust scalar is *weak*: it takes the
//! tensor's element type unless its kind is higher (a float with an integer tensor gives `f32`, an integer with a boolean
//! tensor gives `i32`).

use crate::Tensor;
use crate::error::{Error, fail};
use crate::trace::apply_at;
use std::panic::Location;
use wengert_ir::op::{BroadcastInDim, Convert, Op, Reshape};
use wengert_ir::types::{DType, DTypeClass, Dims};

/// The float type of results that come from integers alone.
pub(crate) const DEFAULT_FLOAT: DType = DType::F32;
/// The integer type of results that come from booleans and integer scalars.
pub(crate) const DEFAULT_INT: DType = DType::I32;

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
pub(crate) fn convert(x: &Tensor, dtype: DType, at: &'static Location<'static>) -> Tensor {
    if x.dtype() == dtype { x.clone() } else { apply_at(Convert { dtype }.into(), &[x], at).remove(0) }
}

/// `x` stretched to `shape`, which it must broadcast to.
pub(crate) fn broadcast(x: &Tensor, shape: &[usize], at: &'static Location<'static>) -> Tensor {
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
pub(crate) fn unify(name: &str, a: &Tensor, b: &Tensor, at: &'static Location<'static>) -> (Tensor, Tensor) {
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
pub(crate) fn binary(op: impl Into<Op>, a: &Tensor, b: &Tensor, at: &'static Location<'static>) -> Tensor {
    let op = op.into();
    if a.dtype() == b.dtype() && a.shape() == b.shape() {
        return apply_at(op, &[a, b], at).remove(0);
    }
    let (a, b) = unify(op.name(), a, b, at);
    apply_at(op, &[&a, &b], at).remove(0)
}

/// What stands beside a tensor in an elementwise operation: a tensor or a Rust scalar.
pub trait Operand {
    /// The operand beside `other`.
    fn beside(&self, other: &Tensor) -> Tensor;
}

impl Operand for Tensor {
    fn beside(&self, _: &Tensor) -> Tensor {
        self.clone()
    }
}
impl<T: Operand + ?Sized> Operand for &T {
    fn beside(&self, other: &Tensor) -> Tensor {
        (**self).beside(other)
    }
}

macro_rules! scalar_operands {
    ($($ty:ty, $float:literal);+ $(;)?) => { $(impl Operand for $ty {
        fn beside(&self, other: &Tensor) -> Tensor {
            let own = other.dtype();
            let dtype = match own.class() {
                DTypeClass::Float | DTypeClass::Complex => own,
                DTypeClass::Signed | DTypeClass::Unsigned => if $float { DEFAULT_FLOAT } else { own },
                DTypeClass::Bool => if $float { DEFAULT_FLOAT } else { DEFAULT_INT },
            };
            scalar(*self as f64, *self as i64, dtype)
        }
    })+ };
}
scalar_operands!(f64, true; f32, true; i32, false; i64, false; u32, false; usize, false);

/// A rank-0 tensor: a float from `float`, an integer from `int` exactly.
fn scalar(float: f64, int: i64, dtype: DType) -> Tensor {
    match dtype {
        DType::I64 => Tensor::from(int),
        DType::U64 => Tensor::from(int as u64),
        _ => {
            let literal =
                wengert_ir::array::Literal::splat(wengert_ir::types::TensorType::scalar(dtype), float);
            Tensor::from_array(literal.to_array())
        }
    }
}
