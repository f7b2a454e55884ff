//! What heads name by number: attributes, literals and types, each stored once for all e-graphs of a run.

use super::language::Kind;
use rustc_hash::FxHashMap;
use wengert_ir::array::Literal;
use wengert_ir::op::{BinaryOp, Constant, Op};
use wengert_ir::rules::Types;
use wengert_ir::types::{TensorType, Type};

/// No number.
pub(super) const NONE: u32 = u32::MAX;

/// Literals of at most this many elements take part in folding.
pub(super) const SMALL: usize = 16;
/// Literals of at most this many bytes are told apart by them, such as indices of equal windows; larger ones by address.
const COMPARED: usize = 1 << 16;

/// The tables.
#[derive(Default)]
pub(super) struct Pool {
    attrs: Vec<Op>,
    attr_ids: FxHashMap<Op, u32>,
    consts: Vec<Literal>,
    const_ids: FxHashMap<Literal, u32>,
    large_ids: FxHashMap<(usize, TensorType), u32>,
    types: Vec<Types>,
    type_ids: FxHashMap<Types, u32>,
}

impl Pool {
    /// The number of these attributes.
    pub(super) fn attrs(&mut self, op: &Op) -> u32 {
        if let Some(&k) = self.attr_ids.get(op) {
            return k;
        }
        let k = self.fresh_attrs(op.clone());
        self.attr_ids.insert(op.clone(), k);
        k
    }

    /// A number that no equal attributes share: what it names is never merged.
    pub(super) fn fresh_attrs(&mut self, op: Op) -> u32 {
        self.attrs.push(op);
        self.attrs.len() as u32 - 1
    }

    /// The operation whose attributes have this number.
    pub(super) fn attrs_of(&self, k: u32) -> &Op {
        &self.attrs[k as usize]
    }

    /// The number of a literal.
    pub(super) fn literal(&mut self, literal: &Literal) -> u32 {
        let k = self.consts.len() as u32;
        let found = if literal.stored_bytes().len() <= COMPARED {
            *self.const_ids.entry(literal.clone()).or_insert(k)
        } else {
            let key = (literal.stored_bytes().as_ptr() as usize, literal.ty().clone());
            *self.large_ids.entry(key).or_insert(k)
        };
        if found == k {
            self.consts.push(literal.clone()); // keeps the bytes alive, so their address stays theirs
        }
        found
    }

    /// The literal with this number.
    pub(super) fn literal_of(&self, k: u32) -> &Literal {
        &self.consts[k as usize]
    }

    /// The number of result types.
    pub(super) fn types(&mut self, types: &Types) -> u32 {
        if let Some(&k) = self.type_ids.get(types) {
            return k;
        }
        self.types.push(types.clone());
        let k = self.types.len() as u32 - 1;
        self.type_ids.insert(types.clone(), k);
        k
    }

    /// The number of one tensor type.
    pub(super) fn tensor(&mut self, ty: &TensorType) -> u32 {
        self.types(&Types::from_iter([Type::Tensor(ty.clone())]))
    }

    /// The result types with this number.
    pub(super) fn types_of(&self, k: u32) -> &Types {
        &self.types[k as usize]
    }

    /// The type with this number if it is one type.
    pub(super) fn type_of(&self, k: u32) -> Option<&Type> {
        match &self.types.get(k as usize)?[..] {
            [ty] => Some(ty),
            _ => None,
        }
    }

    /// The tensor type with this number if it is one.
    pub(super) fn tensor_of(&self, k: u32) -> Option<&TensorType> {
        self.type_of(k)?.as_tensor()
    }

    /// The operation of a kind with attributes `attrs` ([`NONE`] if it has none).
    pub(super) fn op(&self, kind: Kind, attrs: u32) -> Op {
        kind.whole().unwrap_or_else(|| self.attrs_of(attrs).clone())
    }

    /// A constant instruction's operation.
    pub(super) fn constant(&self, k: u32) -> Op {
        Constant { value: self.literal_of(k).clone() }.into()
    }
}

/// Whether a literal is a splat or has few elements.
pub(super) fn is_small(literal: &Literal) -> bool {
    literal.as_splat().is_some() || literal.ty().checked_elements().is_some_and(|n| n <= SMALL)
}

/// Whether the result of a sum, product... does not depend on the order of its terms.
pub(super) fn order_free(reducer: BinaryOp, ty: &TensorType) -> bool {
    match reducer {
        BinaryOp::Add | BinaryOp::Multiply => !ty.dtype.is_float() && !ty.dtype.is_complex(),
        BinaryOp::Maximum | BinaryOp::Minimum | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => true,
        _ => false,
    }
}
