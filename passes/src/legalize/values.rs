//! What stands for values whose types kernels do not compute with.

use crate::rewrite::push;
use smallvec::{SmallVec, smallvec};
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Func, Loc, Module, Value};
use wengert_ir::op::{BinaryOp, Convert, Op, UnaryOp};
use wengert_ir::types::{DType, DTypeClass, TensorType, Type};

/// What stands for a value: itself, two parts, or another type.
pub(super) type Rep = SmallVec<[Value; 2]>;

/// The native type that holds every value of a real type; the type itself if it is native.
pub(super) fn carrier(dtype: DType) -> DType {
    match dtype.class() {
        _ if dtype.is_native() => dtype,
        DTypeClass::Float => DType::F32,
        DTypeClass::Signed => DType::I8,
        DTypeClass::Unsigned => DType::U8,
        DTypeClass::Bool | DTypeClass::Complex => dtype,
    }
}

/// The types of what stands for a value of a type.
pub(super) fn stands(ty: &Type) -> SmallVec<[Type; 2]> {
    match ty.as_tensor() {
        Some(t) if t.dtype.is_complex() => {
            let part = Type::Tensor(t.with_dtype(t.dtype.part()));
            smallvec![part.clone(), part]
        }
        Some(t) => smallvec![Type::Tensor(t.with_dtype(carrier(t.dtype)))],
        None => smallvec![ty.clone()],
    }
}

/// One function under construction.
pub(super) struct Legalizer<'m> {
    pub(super) module: &'m Module,
    pub(super) out: Func,
    pub(super) loc: Loc,
    pub(super) reps: EntityVec<Value, Option<Rep>>,
    /// Values of the original types, where there are any.
    pub(super) originals: EntityVec<Value, Option<Value>>,
}

impl Legalizer<'_> {
    /// Appends an instruction of one result.
    pub(super) fn one(&mut self, op: impl Into<Op>, operands: &[Value]) -> Value {
        self.all(op, operands)[0]
    }

    pub(super) fn all(&mut self, op: impl Into<Op>, operands: &[Value]) -> SmallVec<[Value; 4]> {
        push(self.module, &mut self.out, op, operands, &self.loc)
    }

    /// The type of a value under construction.
    pub(super) fn ty(&self, v: Value) -> TensorType {
        self.out.tensor(v).clone()
    }

    pub(super) fn convert(&mut self, v: Value, dtype: DType) -> Value {
        if self.ty(v).dtype == dtype { v } else { self.one(Convert { dtype }, &[v]) }
    }

    pub(super) fn rep(&self, v: Value) -> Rep {
        self.reps[v].clone().expect("topological order")
    }

    /// What stands for a value of its original type.
    pub(super) fn taken_apart(&mut self, v: Value) -> Rep {
        let Some(ty) = self.out.ty(v).as_tensor().cloned() else { return smallvec![v] };
        if ty.dtype.is_complex() {
            smallvec![self.one(UnaryOp::Real, &[v]), self.one(UnaryOp::Imag, &[v])]
        } else {
            smallvec![self.convert(v, carrier(ty.dtype))]
        }
    }

    /// A value of `f` with the type it has there.
    pub(super) fn original(&mut self, f: &Func, v: Value) -> Value {
        if let Some(v) = self.originals[v] {
            return v;
        }
        let rep = self.rep(v);
        let original = match f.ty(v).as_tensor() {
            Some(t) if t.dtype.is_complex() => self.one(BinaryOp::Complex, &rep),
            Some(t) => self.convert(rep[0], t.dtype),
            None => rep[0],
        };
        self.originals[v] = Some(original);
        original
    }
}
