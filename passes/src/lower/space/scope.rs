//! Where the values of a function are while it is lowered: in registers, in memory, or inside their readers.

use super::index::Affine;
use crate::lower::LowerError;
use crate::lower::plan::Plan;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Func, Inst, InstId, Value};
use wengert_ir::kernel::{KValue, Mem, Scalar};
use wengert_ir::types::TensorType;

/// A dense row-major tensor in memory.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(in crate::lower) struct At {
    pub(in crate::lower) mem: Mem,
    /// Elements before its first, and scalars of the entry kernel that add to them.
    pub(in crate::lower) offset: i64,
    pub(in crate::lower) terms: SmallVec<[(KValue, i64); 2]>,
    /// How many elements it has.
    pub(in crate::lower) len: usize,
}

impl At {
    pub(in crate::lower) fn whole(mem: Mem, len: usize) -> Self {
        Self { mem, offset: 0, terms: SmallVec::new(), len }
    }

    /// `len` elements from `offset` on.
    pub(in crate::lower) fn part(&self, offset: i64, len: usize) -> Self {
        Self { offset: self.offset + offset, len, ..self.clone() }
    }
}

/// Where a value is.
#[derive(Clone, Debug)]
pub(in crate::lower) enum Stored {
    /// Elements as scalars of the entry kernel, row-major.
    Registers(Rc<[KValue]>),
    /// In memory.
    Memory(At),
    /// The same bits everywhere.
    Splat(u64),
    /// Rows of a stack, and how many.
    Rows(At, KValue),
}

/// Where a result is wanted.
#[derive(Clone, Debug)]
pub(in crate::lower) struct Dest {
    pub(in crate::lower) at: At,
    /// The parameter that lies there until it is read for the last time.
    pub(in crate::lower) replaces: Option<Value>,
}

/// A function being lowered.
pub(in crate::lower) struct Scope<'m> {
    pub(in crate::lower) func: &'m Func,
    pub(in crate::lower) plan: Rc<Plan>,
    pub(in crate::lower) stored: EntityVec<Value, Option<Stored>>,
    pub(in crate::lower) dest: EntityVec<Value, Option<Dest>>,
    /// Position of the current unit.
    pub(in crate::lower) now: u32,
    /// Clamped start indices of dynamic slices and updates.
    pub(in crate::lower) starts: FxHashMap<InstId, SmallVec<[Affine; 4]>>,
    /// The value that scratch memory was allocated for.
    pub(in crate::lower) owner: FxHashMap<Mem, Value>,
    /// Registers that were stored to memory, and memory that was loaded to registers.
    pub(in crate::lower) spilled: FxHashMap<Value, At>,
    pub(in crate::lower) loaded: FxHashMap<Value, Rc<[KValue]>>,
}

impl Scope<'_> {
    pub(in crate::lower) fn ty(&self, v: Value) -> &TensorType {
        self.func.tensor(v)
    }

    /// What its elements are in memory and in registers; of complex numbers, their parts.
    pub(in crate::lower) fn elem(&self, v: Value) -> Scalar {
        Scalar::stored(self.ty(v).dtype).0
    }

    /// Whether the current unit is the last to read the value.
    pub(in crate::lower) fn dies(&self, v: Value) -> bool {
        self.plan.last_read[v] <= self.now
    }

    /// An error about an instruction.
    pub(in crate::lower) fn refuse(&self, inst: &Inst, reason: impl Into<String>) -> LowerError {
        LowerError::at(self.func, inst, reason)
    }
}
