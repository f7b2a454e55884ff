//! Why a loop is not in the best form that there is.

use super::variation::{Variation, lane_step};
use std::fmt;
use wengert_ir::entity::EntityVec;
use wengert_ir::kernel::{For, KInst, KOp, KValue, LoopKind, MemRef, MemRefDef, Scalar};
use wengert_ir::launch_ops;

/// Why a loop is not in the longest vectors of the machine.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Refusal {
    /// Vectors are turned off, or the machine has none.
    Off,
    /// It has only so many iterations.
    Short(i64),
    /// Each iteration needs the one before.
    InOrder,
    /// It holds loops, branches or calls.
    Control,
    /// It computes with numbers of this type, of which there are no vectors.
    Type(Scalar),
    /// It reads where it has computed to read.
    Gather,
    /// It writes where it has computed to write.
    Scatter,
    /// It reads elements that are so far apart.
    Leaps(i64),
    /// It writes elements that are so far apart.
    Spreads(i64),
    /// It calls this function for one number after the other.
    Function(String),
    /// There is no vector instruction for this operation.
    Operation(String),
    /// What it carries is combined in a way that vectors have no instruction for.
    Combination,
    /// An offset is too large for an instruction.
    Far,
    /// Its values need more registers than there are.
    Registers,
    /// There is no such instruction for vectors of 256 bits.
    Halves,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Off => f.write_str("vectors are off"),
            Refusal::Short(n) => write!(f, "{n} iterations"),
            Refusal::InOrder => f.write_str("each iteration needs the one before"),
            Refusal::Control => f.write_str("it holds branches or calls"),
            Refusal::Type(ty) => write!(f, "no vectors of {ty}"),
            Refusal::Gather => f.write_str("reads at computed places"),
            Refusal::Scatter => f.write_str("writes at computed places"),
            Refusal::Leaps(0) => f.write_str("reads what it writes"),
            Refusal::Leaps(n) => write!(f, "reads every {n} elements"),
            Refusal::Spreads(0) => f.write_str("writes one element again and again"),
            Refusal::Spreads(n) => write!(f, "writes every {n} elements"),
            Refusal::Function(name) => write!(f, "calls {name} for one number or a few at a time"),
            Refusal::Operation(name) => write!(f, "no instruction for {name}"),
            Refusal::Combination => f.write_str("no instruction to combine what it carries"),
            Refusal::Far => f.write_str("an offset too large"),
            Refusal::Registers => f.write_str("needs more registers than there are"),
            Refusal::Halves => f.write_str("no instruction in 256 bits"),
        }
    }
}

/// Why a loop cannot be in vectors, where instruction `at` of its body was the last that was looked at; `narrow` if they have no
/// integers of 1 and 2 bytes.
pub(crate) fn why(
    l: &For,
    variation: &Variation,
    mems: &EntityVec<MemRef, MemRefDef>,
    values: &EntityVec<KValue, Scalar>,
    at: Option<usize>,
    narrow: bool,
) -> Refusal {
    if l.kind == LoopKind::Sequential {
        return Refusal::InOrder;
    }
    let narrow = |ty: Scalar| narrow && matches!(ty, Scalar::I8 | Scalar::I16);
    let types = |inst: &KInst| {
        let memory = inst.op.accesses().into_iter().map(|access| mems[access.mem].elem);
        let mut all = inst.operands.iter().chain(&inst.results).map(|&v| values[v]).chain(memory);
        all.find(|&ty| narrow(ty))
    };
    let narrow_type = || l.body.insts.iter().find_map(types).map(Refusal::Type);
    let Some(inst) = at.and_then(|at| l.body.insts.get(at)) else {
        return narrow_type().unwrap_or(Refusal::Control);
    };
    if let Some(ty) = types(inst) {
        return Refusal::Type(ty);
    }
    match &inst.op {
        KOp::Load(access) => match lane_step(l, access, variation) {
            None => Refusal::Gather,
            Some(step) => Refusal::Leaps(step),
        },
        KOp::Store(access) => match lane_step(l, access, variation) {
            None => Refusal::Scatter,
            Some(1) => Refusal::Operation("this store".to_owned()),
            Some(step) => Refusal::Spreads(step),
        },
        KOp::Math(f) => Refusal::Function(f.name().to_owned()),
        KOp::Math2(f) => Refusal::Function(f.name().to_owned()),
        KOp::Unary(op) => Refusal::Operation(format!("{op:?} of {}", values[inst.operands[0]])),
        KOp::Binary(op) => Refusal::Operation(format!("{op:?} of {}", values[inst.operands[0]])),
        KOp::Compare(_, kind) => {
            Refusal::Operation(format!("comparison {kind:?} of {}", values[inst.operands[0]]))
        }
        KOp::Cast(cast) => Refusal::Operation(format!(
            "conversion {cast:?} of {} to {}",
            values[inst.operands[0]], values[inst.results[0]]
        )),
        KOp::Const(_) | KOp::Select | KOp::Fma => Refusal::Operation("a selection".to_owned()),
        KOp::For(_)
        | KOp::While(_)
        | KOp::Switch(_)
        | KOp::Call { .. }
        | KOp::Parallel { .. }
        | launch_ops!()
        | KOp::Library(_)
        | KOp::Reserve(_)
        | KOp::Steps(_) => Refusal::Control,
    }
}
