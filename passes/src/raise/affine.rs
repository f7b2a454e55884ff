//! What the body of a counted loop knows of its integers: constants, and `counter + b` or `b - counter`.

use crate::rewrite::push;
use wengert_ir::array::Literal;
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Func, Loc, Module, Value};
use wengert_ir::op::{BinaryOp, Constant, Convert, Direction, Op, UnaryOp};
use wengert_ir::types::{DType, DTypeClass, TensorType};

/// The counter of a loop: parameter `param` of the body runs over `start..limit`.
#[derive(Clone, Copy, Debug)]
pub struct Counter {
    /// The number of the parameter.
    pub param: usize,
    /// Its type.
    pub dtype: DType,
    /// In the first trip.
    pub start: i128,
    /// One more than in the last.
    pub limit: i128,
}

/// Rows `low..low + rows` of a buffer, visited once each, upwards or downwards.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Range {
    pub(super) low: usize,
    pub(super) rows: usize,
    pub(super) down: bool,
}

/// `scale * counter + offset`, or a truth value that is the same in every trip.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Known {
    /// A whole number.
    Int {
        /// How much it grows from trip to trip, if the counter grows by one.
        scale: i128,
        /// What it is where the counter is zero.
        offset: i128,
    },
    /// A truth value.
    Bool(bool),
}

impl Known {
    /// The number, if it does not depend on the counter.
    pub(super) fn constant(&self) -> Option<i128> {
        match *self {
            Known::Int { scale: 0, offset } => Some(offset),
            Known::Int { .. } | Known::Bool(_) => None,
        }
    }
}

impl Counter {
    /// How often the body runs.
    pub(super) fn trips(&self) -> usize {
        (self.limit - self.start) as usize
    }

    /// Least and greatest value over all trips; there is at least one.
    fn bounds(&self, scale: i128, offset: i128) -> Option<(i128, i128)> {
        let a = scale.checked_mul(self.start)?.checked_add(offset)?;
        let b = scale.checked_mul(self.limit - 1)?.checked_add(offset)?;
        Some((a.min(b), a.max(b)))
    }

    /// The rows of a buffer of `size` rows that an index visits, if it visits each once and none is out
    /// of bounds.
    pub(super) fn range(&self, index: &Known, size: usize) -> Option<Range> {
        let Known::Int { scale, offset } = *index else { return None };
        if scale.abs() != 1 {
            return None;
        }
        let (low, high) = self.bounds(scale, offset)?;
        (low >= 0 && high < size as i128).then(|| Range {
            low: low as usize,
            rows: self.trips(),
            down: scale < 0,
        })
    }
}

/// What is known of each value of the body, and was of these parameters.
pub(super) fn analyse(
    body: &Func,
    counter: &Counter,
    params: &[(usize, Known)],
) -> EntityVec<Value, Option<Known>> {
    let mut known = EntityVec::<Value, Option<Known>>::filled(None, body.values.len());
    known[body.params[counter.param]] = Some(Known::Int { scale: 1, offset: 0 });
    for &(k, of) in params {
        known[body.params[k]] = Some(of);
    }
    for inst in body.insts.values() {
        let Some(&result) = inst.results.first() else { continue };
        let Some(ty) = body.ty(result).as_tensor() else { continue };
        if ty.rank() != 0 || !(ty.dtype.is_integer() || ty.dtype == DType::I1) {
            continue;
        }
        let x = |k: usize| inst.operands.get(k).and_then(|&v| known[v]);
        let found = step(&inst.op, x, counter);
        // A value that may wrap in its type is not what we think it is.
        known[result] = found.filter(|k| match *k {
            Known::Bool(_) => true,
            Known::Int { scale, offset } => counter
                .bounds(scale, offset)
                .is_some_and(|(low, high)| fits(ty.dtype, low) && fits(ty.dtype, high)),
        });
    }
    known
}

/// What an instruction of rank-0 integers makes of what is known of its operands.
pub fn step(op: &Op, x: impl Fn(usize) -> Option<Known>, counter: &Counter) -> Option<Known> {
    let int = |k: usize| match x(k)? {
        Known::Int { scale, offset } => Some((scale, offset)),
        Known::Bool(_) => None,
    };
    let make =
        |scale: Option<i128>, offset: Option<i128>| Some(Known::Int { scale: scale?, offset: offset? });
    match op {
        Op::Constant(c) if c.value.ty().dtype == DType::I1 => Some(Known::Bool(c.value.as_splat()?[0] != 0)),
        Op::Constant(c) => make(Some(0), integer(&c.value)),
        Op::Zero(z) if z.ty.dtype.is_integer() => make(Some(0), Some(0)),
        Op::Unary(UnaryOp::Negate) => {
            let (s, o) = int(0)?;
            make(s.checked_neg(), o.checked_neg())
        }
        Op::Binary(BinaryOp::Add) => {
            let ((s, o), (t, p)) = (int(0)?, int(1)?);
            make(s.checked_add(t), o.checked_add(p))
        }
        Op::Binary(BinaryOp::Subtract) => {
            let ((s, o), (t, p)) = (int(0)?, int(1)?);
            make(s.checked_sub(t), o.checked_sub(p))
        }
        Op::Convert(c) if c.dtype.is_integer() => x(0).filter(|k| matches!(k, Known::Int { .. })),
        Op::Reshape(_) | Op::OptimizationBarrier(_) => x(0),
        Op::Compare(c) => {
            let ((s, o), (t, p)) = (int(0)?, int(1)?);
            let (low, high) = counter.bounds(s.checked_sub(t)?, o.checked_sub(p)?)?;
            let always = |yes: bool, no: bool| (yes != no).then_some(Known::Bool(yes));
            match c.direction {
                Direction::Lt => always(high < 0, low >= 0),
                Direction::Le => always(high <= 0, low > 0),
                Direction::Gt => always(low > 0, high <= 0),
                Direction::Ge => always(low >= 0, high < 0),
                Direction::Eq => always(low == 0 && high == 0, low > 0 || high < 0),
                Direction::Ne => always(low > 0 || high < 0, low == 0 && high == 0),
            }
        }
        Op::Select(_) => match x(0)? {
            Known::Bool(true) => x(1),
            Known::Bool(false) => x(2),
            Known::Int { .. } => None,
        },
        _ => None,
    }
}

/// What is known of a number of type `ty`, worked out from the counter.
pub(super) fn emit(
    m: &Module,
    out: &mut Func,
    known: Known,
    counter: Value,
    ty: &TensorType,
    loc: &Loc,
) -> Value {
    let Known::Int { scale, offset } = known else { unreachable!("a number") };
    let mut value = counter;
    if out.tensor(counter).dtype != ty.dtype {
        value = push(m, out, Convert { dtype: ty.dtype }, &[counter], loc)[0];
    }
    for (op, number) in [(BinaryOp::Multiply, scale), (BinaryOp::Add, offset)] {
        if number != i128::from(op == BinaryOp::Multiply) {
            let number = push(m, out, Constant { value: literal(ty, number) }, &[], loc)[0];
            value = push(m, out, op, &[value, number], loc)[0];
        }
    }
    value
}

/// The whole number that a constant of one element is.
pub(super) fn integer(value: &Literal) -> Option<i128> {
    if value.ty().rank() != 0 {
        return None;
    }
    let bytes = value.as_splat()?;
    let mut wide = [0u8; 16];
    wide[..bytes.len()].copy_from_slice(bytes);
    let unsigned = i128::from_le_bytes(wide);
    match value.ty().dtype.class() {
        DTypeClass::Unsigned => Some(unsigned),
        DTypeClass::Signed => {
            let shift = 128 - 8 * bytes.len() as u32;
            Some((unsigned << shift) >> shift)
        }
        DTypeClass::Bool | DTypeClass::Float | DTypeClass::Complex => None,
    }
}

/// A splat of a whole number that fits the type.
pub(super) fn literal(ty: &TensorType, value: i128) -> Literal {
    Literal::splat_bytes(ty.clone(), &value.to_le_bytes()[..ty.dtype.size()])
}

/// Whether a whole number is one of the type's values.
pub(super) fn fits(dtype: DType, value: i128) -> bool {
    let bits = dtype.bits() as u32;
    match dtype.class() {
        DTypeClass::Unsigned => (0..1i128 << bits).contains(&value),
        DTypeClass::Signed => (-(1i128 << (bits - 1))..1i128 << (bits - 1)).contains(&value),
        DTypeClass::Bool | DTypeClass::Float | DTypeClass::Complex => false,
    }
}
