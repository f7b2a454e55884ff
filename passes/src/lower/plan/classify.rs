//! What each instruction is to the lowering: computed inside its readers, in registers, or on its own.

use super::{Plan, Role, Unit};
use crate::cost::{self, Target};
use smallvec::SmallVec;
use wengert_ir::func::{Def, Func, FuncId, Inst, Module, Value};
use wengert_ir::kernel::{LANES, Scalar};
use wengert_ir::op::{BinaryOp, Case, DotGeneral, Kind, Op, Reducer, UnaryOp};
use wengert_ir::ops_of;
use wengert_ir::types::{DType, TensorType, Type};

/// How an operation meets its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lower) enum Class {
    /// Element `i` from element `i` of the operands (or their only element).
    Elementwise,
    /// Element `i` is an element of an operand, or known from `i`.
    Index,
    /// The same, with a choice among operands by the index: `pad`, `concatenate`.
    Choice,
    /// A reduction by a monoid.
    Reduce,
    /// Everything that has code of its own.
    Opaque,
}

/// The class of an instruction.
pub(in crate::lower) fn class(func: &Func, inst: &Inst) -> Class {
    let touched = || inst.operands.iter().chain(&inst.results);
    let dynamic = |v: &Value| func.ty(*v).as_tensor().is_none_or(|t| !t.is_static());
    let foreign = |v: &Value| func.ty(*v).as_tensor().is_some_and(|t| Scalar::of(t.dtype).is_none());
    let is_control = inst.op.is_control_flow();
    if !is_control && (touched().any(dynamic) || touched().any(foreign) && !is_in_bits(func, inst)) {
        return Class::Opaque;
    }
    match &inst.op {
        Op::Unary(op) if op.is_special() => Class::Opaque,
        Op::Unary(UnaryOp::Real | UnaryOp::Imag) if func.tensor(inst.operands[0]).dtype.is_complex() => {
            Class::Index
        }
        Op::BitcastConvert(b) => {
            let (from, to) = (func.tensor(inst.operands[0]).dtype.size(), b.ty.dtype.size());
            match from.min(to) {
                _ if from == to => Class::Elementwise,
                4.. => Class::Index,
                _ => Class::Opaque,
            }
        }
        ops_of!(elementwise) => Class::Elementwise,
        Op::Concatenate(_) | Op::Pad(_) => Class::Choice,
        ops_of!(source) | ops_of!(movement) | ops_of!(mark) => Class::Index,
        Op::Reduce(r) => match r.reducer {
            Reducer::Op(_) if short_reduction(func, inst).is_some() => Class::Index,
            Reducer::Op(_) => Class::Reduce,
            Reducer::Func(_) | Reducer::Assign => Class::Opaque,
        },
        Op::DotGeneral(_) if short_dot(func, inst).is_some() => Class::Index,
        ops_of!(contraction)
        | ops_of!(update)
        | ops_of!(library)
        | ops_of!(call)
        | ops_of!(control)
        | ops_of!(opaque) => Class::Opaque,
    }
}

/// Whether an instruction does to numbers that kernels do not compute with only what can be done to their bits, or to the parts of
/// complex ones: it takes parts, makes wider or narrower numbers, or moves.
fn is_in_bits(func: &Func, inst: &Inst) -> bool {
    let dtype = |v: Value| func.tensor(v).dtype;
    match &inst.op {
        Op::Unary(UnaryOp::Real | UnaryOp::Imag) => dtype(inst.operands[0]).is_complex(),
        Op::Convert(_) => narrow(func, inst).is_some(),
        Op::BitcastConvert(b) => dtype(inst.operands[0]).size() == 2 && b.ty.dtype.size() == 2,
        Op::Slice(_) | Op::DynamicSlice(_) | Op::Gather(_) => has_words(func, inst),
        ops_of!(source)
        | ops_of!(elementwise)
        | ops_of!(movement)
        | ops_of!(update)
        | ops_of!(contraction)
        | ops_of!(reduction)
        | ops_of!(library)
        | ops_of!(call)
        | ops_of!(control)
        | ops_of!(mark)
        | ops_of!(opaque) => false,
    }
}

/// The float narrower than binary32 that an instruction makes of one, or one of it, by a formula on their bits.
pub(in crate::lower) fn narrow(func: &Func, inst: &Inst) -> Option<DType> {
    let Op::Convert(c) = &inst.op else { return None };
    let (from, to) = (func.tensor(inst.operands[0]).dtype, c.dtype);
    let other = if from == DType::F32 { to } else { from };
    (other.is_float() && other.bits() <= 16 && [from, to].contains(&DType::F32)).then_some(other)
}

/// Whether each number that an instruction moves is one word in memory, whatever it means, and kernels compute with the places.
pub(in crate::lower) fn has_words(func: &Func, inst: &Inst) -> bool {
    let own = func.tensor(inst.operands[0]).dtype;
    let is_word = |v: &Value| {
        let ty = func.ty(*v).as_tensor().filter(|t| t.is_static() && !t.dtype.is_complex());
        ty.is_some_and(|t| t.dtype == own || Scalar::of(t.dtype).is_some())
    };
    inst.operands.iter().chain(&inst.results).all(is_word)
}

/// Whether an instruction makes complex numbers of parts that kernels compute with, as many as are known.
pub(in crate::lower) fn is_of_parts(func: &Func, inst: &Inst) -> bool {
    matches!(inst.op, Op::Binary(BinaryOp::Complex))
        && inst
            .operands
            .iter()
            .all(|&v| func.tensor(v).is_static() && Scalar::of(func.tensor(v).dtype).is_some())
}

/// Whether an instruction computes each element from the elements there, in a loop that may store them anywhere.
pub(crate) fn is_elementwise(func: &Func, inst: &Inst) -> bool {
    class(func, inst) == Class::Elementwise
}

/// Reductions of so few elements are expressions: they fuse as such, and what reads them can be vectors.
pub(crate) const SHORT: usize = 4;

/// How many elements each result of a reduction by a monoid has, if few.
pub(in crate::lower) fn short_reduction(func: &Func, inst: &Inst) -> Option<usize> {
    let Op::Reduce(r) = &inst.op else { return None };
    let operand = func.ty(inst.operands[0]).as_tensor()?;
    let count = r.dims.iter().map(|&d| operand.shape[d]).try_fold(1usize, usize::checked_mul)?;
    let vectors = r.dims.len() < operand.rank();
    let few = matches!(r.reducer, Reducer::Op(_)) && r.inputs == 1 && (1..=SHORT).contains(&count);
    (few && vectors).then_some(count)
}

/// Whether operands and results have one element type. Code for contractions takes no others; `legalize` leaves none.
pub(crate) fn has_one_type(func: &Func, inst: &Inst) -> bool {
    let dtype = |&v: &Value| func.ty(v).as_tensor().map(|t| t.dtype);
    let mut all = inst.operands.iter().chain(&inst.results).map(dtype);
    let first = all.next();
    all.all(|dtype| Some(dtype) == first)
}

/// How many products each element of a contraction sums, if few: it is then an expression too. A call per matrix would
/// cost more than the small matrices of a batch, and the fused loop reads thin ones at the speed of memory.
pub(crate) fn short_dot(func: &Func, inst: &Inst) -> Option<usize> {
    let Op::DotGeneral(dot) = &inst.op else { return None };
    let lhs = func.ty(inst.operands[0]).as_tensor()?;
    let one_type = dot.dtype.is_float() && has_one_type(func, inst);
    let count =
        dot.lhs_contracting_dims.iter().map(|&d| lhs.shape[d]).try_fold(1usize, usize::checked_mul)?;
    let short = (1..=SHORT).contains(&count) || count <= INTERLEAVED && interleaved(func, inst, dot);
    (one_type && count > 0 && short).then_some(count)
}

/// The most products of each element of a contraction whose batch lies innermost, for which it is an expression.
pub(crate) const INTERLEAVED: usize = 16;

/// Whether the batch of a contraction lies innermost in what is large of its factors: loops over the batch are then vectors,
/// and a call would leap.
fn interleaved(func: &Func, inst: &Inst, dot: &DotGeneral) -> bool {
    let [lhs, rhs] = [inst.operands[0], inst.operands[1]].map(|v| func.tensor(v));
    let last = |ty: &TensorType| ty.rank().checked_sub(1).filter(|&d| ty.shape[d] >= LANES);
    let place = |dims: &[usize], d: Option<usize>| d.and_then(|d| dims.iter().position(|&b| b == d));
    let batch = place(&dot.lhs_batching_dims, last(lhs));
    batch.is_some() && batch == place(&dot.rhs_batching_dims, last(rhs))
}

/// How often the expression of an instruction has those of its operands in it.
pub(in crate::lower) fn terms(func: &Func, inst: &Inst) -> usize {
    short_reduction(func, inst).or_else(|| short_dot(func, inst)).unwrap_or(1)
}

/// Whether an instruction is a reduction with loops of its own.
pub(in crate::lower) fn is_reduction(func: &Func, inst: &Inst) -> bool {
    matches!(inst.op, Op::Reduce(_)) && short_reduction(func, inst).is_none()
}

/// Number of elements of a tensor that kernels can hold, or `None`.
pub(in crate::lower) fn held(ty: &Type) -> Option<usize> {
    let ty = ty.as_tensor()?;
    Scalar::of(ty.dtype)?;
    ty.checked_elements()
}

/// Whether the results of an instruction are computed in registers, when tensors of up to `limit` elements are.
pub(in crate::lower) fn in_registers(target: &Target, func: &Func, inst: &Inst, limit: usize) -> bool {
    let small = |v: &Value| held(func.ty(*v)).is_some_and(|n| n <= limit.max(1));
    if !inst.results.iter().all(small) {
        return false;
    }
    match class(func, inst) {
        Class::Index if matches!(inst.op, Op::Reduce(_)) => small(&inst.operands[0]),
        Class::Index if matches!(inst.op, Op::DotGeneral(_)) => {
            inst.operands.iter().all(small) && multiply_adds(func, inst) <= target.register_dot
        }
        Class::Elementwise | Class::Index | Class::Choice => true,
        Class::Reduce => small(&inst.operands[0]),
        Class::Opaque => match &inst.op {
            Op::DotGeneral(_) => {
                let fits =
                    inst.operands.iter().all(small) && multiply_adds(func, inst) <= target.register_dot;
                fits && has_one_type(func, inst)
            }
            Op::DynamicUpdateSlice(_) => {
                inst.operands.iter().all(small)
                    && inst.operands[2..].iter().all(|&v| func.constant(v).is_some())
            }
            ops_of!(source)
            | ops_of!(elementwise)
            | ops_of!(movement)
            | Op::Scatter(_)
            | ops_of!(reduction)
            | ops_of!(library)
            | ops_of!(call)
            | ops_of!(control)
            | ops_of!(mark)
            | ops_of!(opaque) => false,
        },
    }
}

/// Multiply-adds of a contraction.
pub(crate) fn multiply_adds(func: &Func, inst: &Inst) -> usize {
    let Op::DotGeneral(dot) = &inst.op else { return 0 };
    let lhs: &TensorType = func.tensor(inst.operands[0]);
    let contracted: usize = dot.lhs_contracting_dims.iter().map(|&d| lhs.shape[d]).product();
    func.tensor(inst.results[0]).checked_elements().unwrap_or(usize::MAX).saturating_mul(contracted)
}

/// Elements of a row that is better computed by a loop over vectors than element by element in registers.
const ROW: usize = 2 * LANES;

/// The fewest elements of a tensor with such rows that the function computes element by element.
pub(in crate::lower) fn shortest_row_of_vectors(func: &Func) -> Option<usize> {
    let computed = func.insts.values().filter(|inst| matches!(inst.op, ops_of!(elementwise)));
    let of = |inst: &Inst| {
        let ty = func.ty(*inst.results.first()?).as_tensor()?;
        ty.shape.last().filter(|&&n| n >= ROW && ty.is_static())?;
        ty.checked_elements()
    };
    computed.filter_map(of).min()
}

/// Scalar instructions of the function if its tensors of up to `limit` elements are in registers.
pub(in crate::lower) fn register_instructions(target: &Target, func: &Func, limit: usize) -> usize {
    let of = |inst: &Inst| {
        let elements = inst.results.first().and_then(|&r| held(func.ty(r))).unwrap_or(0);
        let extra = match inst.op.kind() {
            Kind::Contraction => 2 * multiply_adds(func, inst),
            Kind::Reduction => held(func.ty(inst.operands[0])).unwrap_or(0),
            Kind::Source | Kind::Elementwise | Kind::Movement | Kind::Update | Kind::Mark => 0,
            Kind::Library | Kind::Call | Kind::Control | Kind::Opaque => 0,
        };
        cost::scalar_instructions(&inst.op).saturating_mul(elements).saturating_add(extra)
    };
    let held = func.insts.values().filter(|inst| in_registers(target, func, inst, limit));
    held.map(of).fold(0, usize::saturating_add)
}

/// Where an index-moving chain leads: the value and whether each step keeps the row-major order of all
/// elements.
pub(in crate::lower) fn reshaped_from(func: &Func, mut v: Value) -> Value {
    while let Some((_, Inst { op: Op::Reshape(_), operands, .. })) = func.def(v) {
        v = operands[0];
    }
    v
}

/// The parameter that a value is, or is with updates in place.
fn updated_param(f: &Func, mut v: Value) -> Option<usize> {
    loop {
        let (id, result) = match f.values[v].def {
            Def::Param(j) => return Some(j as usize),
            Def::Inst(id, result) => (id, result as usize),
        };
        let inst = &f.insts[id];
        let updates = matches!(inst.op, Op::DynamicUpdateSlice(_) | Op::Reshape(_) | Op::Scatter(_));
        // Of several operands of a scatter each becomes its own result.
        v = updates.then(|| inst.operands[result])?;
    }
}

/// The operand (after the index) that some branch gives back as result `k`, changed in place or not, if no other branch gives back
/// another, and whether all give it back.
pub(in crate::lower) fn updated_by_branches(m: &Module, case: &Case, k: usize) -> Option<(usize, bool)> {
    let from = |&branch: &FuncId| updated_param(&m.funcs[branch], m.funcs[branch].results[k]);
    let all: SmallVec<[Option<usize>; 4]> = case.branches.iter().map(from).collect();
    let one = all.iter().flatten().next().copied()?;
    let agree = all.iter().flatten().all(|&other| other == one);
    agree.then_some((one, all.iter().all(Option::is_some)))
}

/// The operand that an update changes, or that all branches do.
fn changed_operand(m: &Module, inst: &Inst, result: Value) -> Option<Value> {
    if let Op::Scatter(_) | Op::DynamicUpdateSlice(_) = inst.op {
        return Some(inst.operands[0]);
    }
    let Op::Case(case) = &inst.op else { return None };
    let k = inst.results.iter().position(|&r| r == result)?;
    let (one, true) = updated_by_branches(m, case, k)? else { return None };
    Some(inst.operands[1 + one])
}

/// What updates change on the way to a value, each if nobody reads it after the update, by whatever shape: it may as well be made
/// where the value is wanted. Through branches only where that is the place of something that is carried (`carried`): there nothing
/// else can be.
pub(in crate::lower) fn updated_into(
    m: &Module,
    func: &Func,
    plan: &Plan,
    mut v: Value,
    carried: bool,
) -> SmallVec<[Value; 4]> {
    let mut found = SmallVec::new();
    while let Some((id, inst)) = func.def(v)
        && (carried || !matches!(inst.op, Op::Case(_)))
        && let Some(changed) = changed_operand(m, inst, v)
    {
        let last = |v: Value| plan.units.get(plan.last_read[v] as usize) == Some(&Unit::Opaque(id));
        let mut maker = changed;
        while last(maker)
            && let Some((_, Inst { op: Op::Reshape(_), operands, .. })) = func.def(maker)
        {
            maker = operands[0];
        }
        if !last(maker) {
            break;
        }
        v = maker;
        found.extend([changed, v]);
    }
    // What is computed inside its readers may be so again, after the update.
    let stored = |v: &Value| func.def(*v).is_some_and(|(id, _)| plan.roles[id] != Role::Inlined);
    found.retain(|v| stored(v));
    found.dedup();
    found
}
