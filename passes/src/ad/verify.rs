//! Which values of a function are linear in its linear parameters, and that nothing else happens to
//! them. Runs before every transposition; its answer is what `transpose` works from.

use super::TransformError;
use super::control::{Loop, branches};
use smallvec::SmallVec;
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Func, FuncId, Inst, InstId, Module, Value};
use wengert_ir::op::Op;

/// How a value depends on the linear parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    /// Not at all.
    Known,
    /// Linearly.
    Linear,
    /// It is zero, which may pass for either.
    Zero,
}

/// What [`classify`] finds.
pub(super) struct Classes {
    pub(super) values: EntityVec<Value, Class>,
    /// Per instruction with a linear result: which operands count as linear.
    pub(super) masks: EntityVec<InstId, SmallVec<[bool; 4]>>,
}

impl Classes {
    /// Classes of the function's results.
    pub(super) fn results(&self, f: &Func) -> Vec<Class> {
        f.results.iter().map(|&r| self.values[r]).collect()
    }
}

/// Classifies every value, or names the instruction that is not linear.
pub(super) fn classify(m: &Module, func: FuncId, linear_params: &[bool]) -> Result<Classes, TransformError> {
    let f = m.get(func);
    let mut values = EntityVec::<Value, Class>::filled(Class::Known, f.values.len());
    for (&p, &l) in f.params.iter().zip(linear_params) {
        values[p] = if l { Class::Linear } else { Class::Known };
    }
    let mut masks = EntityVec::new();
    for inst in f.insts.values() {
        let operands: SmallVec<[Class; 4]> = inst.operands.iter().map(|&v| values[v]).collect();
        let (mask, results) = inst_classes(m, &f, inst, &operands)?;
        for (&r, class) in inst.results.iter().zip(results) {
            values[r] = class;
        }
        masks.push(mask);
    }
    Ok(Classes { values, masks })
}

type InstClasses = (SmallVec<[bool; 4]>, SmallVec<[Class; 4]>);

fn inst_classes(
    m: &Module,
    f: &Func,
    inst: &Inst,
    operands: &[Class],
) -> Result<InstClasses, TransformError> {
    let all = |class| std::iter::repeat_n(class, inst.results.len()).collect();
    if matches!(inst.op, Op::Zero(_)) {
        return Ok((SmallVec::new(), all(Class::Zero)));
    }
    if is_mask(f, inst) {
        return Ok((linear(operands), operands.into()));
    }
    let refused = |words: String| TransformError::at(f, inst, words);
    if !inst.op.is_control_flow() {
        if let Some((mask, class)) = op_class(&inst.op, operands) {
            return Ok((mask, all(class)));
        }
        let strict = linear(operands);
        let which: Vec<String> =
            (0..strict.len()).filter(|&k| strict[k]).map(|k| inst.operands[k].to_string()).collect();
        return Err(refused(format!("not linear in {}", which.join(", "))));
    }
    if !operands.contains(&Class::Linear) {
        return Ok((linear(operands), all(Class::Known)));
    }
    let mut first_error = None;
    for mask in [linear(operands), not_known(operands)] {
        match control_classes(m, inst, operands, mask) {
            Ok(found) => return Ok(found),
            Err(e) => first_error = first_error.or(Some(e)),
        }
    }
    Err(match first_error.expect("two attempts") {
        Refusal::Inside(e) => e,
        Refusal::Here(words) => refused(words.to_owned()),
    })
}

/// Whether a value stands still only to be chosen beside itself, as batches have it of what is run in vain (`batch/control`): it is
/// linear where the value is, and has no cotangent.
pub(super) fn is_mask(f: &Func, inst: &Inst) -> bool {
    let (Op::StopGradient(_), &[x], &[still]) = (&inst.op, &inst.operands[..], &inst.results[..]) else {
        return false;
    };
    let is_choice = |user: &Inst| matches!(user.op, Op::Select(_)) && user.operands[1..] == [x, still];
    !f.results.contains(&still)
        && f.insts.values().filter(|user| user.operands.contains(&still)).all(is_choice)
}

fn linear(operands: &[Class]) -> SmallVec<[bool; 4]> {
    operands.iter().map(|c| *c == Class::Linear).collect()
}

fn not_known(operands: &[Class]) -> SmallVec<[bool; 4]> {
    operands.iter().map(|c| *c != Class::Known).collect()
}

/// Which operands of an operation that is no control flow count as linear, and what its results are then; `None` if it is
/// not linear.
pub(super) fn op_class(op: &Op, operands: &[Class]) -> Option<(SmallVec<[bool; 4]>, Class)> {
    // A zero counts as known first, then as linear.
    let (strict, wide) = (linear(operands), not_known(operands));
    if !strict.contains(&true) {
        let zero = wide.contains(&true) && op.def().is_linear(&wide);
        return Some((strict, if zero { Class::Zero } else { Class::Known }));
    }
    [strict, wide].into_iter().find(|mask| op.def().is_linear(mask)).map(|mask| (mask, Class::Linear))
}

/// Why control flow is not linear.
enum Refusal {
    /// Because of an instruction in a region.
    Inside(TransformError),
    /// In itself.
    Here(&'static str),
}

fn control_classes(
    m: &Module,
    inst: &Inst,
    operands: &[Class],
    mut mask: SmallVec<[bool; 4]>,
) -> Result<InstClasses, Refusal> {
    let of = |func: FuncId, params: &[bool]| {
        classify(m, func, params).map(|c| c.results(&m.get(func))).map_err(Refusal::Inside)
    };
    if let Op::Case(case) = &inst.op {
        if mask[0] {
            return Err(Refusal::Here("a linear value chooses the branch"));
        }
        let mut found: Vec<Vec<Class>> = Vec::new();
        for branch in branches(case) {
            found.push(of(branch, &mask[1..])?);
        }
        let mut results = SmallVec::new();
        for k in 0..inst.results.len() {
            let linear = found.iter().any(|b| b[k] == Class::Linear);
            let known = found.iter().any(|b| b[k] == Class::Known);
            if linear && known {
                return Err(Refusal::Here("a result is linear in one branch only"));
            }
            results.push(if known { Class::Known } else { Class::Linear });
        }
        return Ok((mask, results));
    }
    if let Op::Checkpoint(checkpoint) = &inst.op {
        let results = of(checkpoint.body, &mask)?;
        if results.contains(&Class::Known) {
            return Err(Refusal::Here("a result of the checkpoint does not depend on the linear inputs"));
        }
        return Ok((mask, std::iter::repeat_n(Class::Linear, inst.results.len()).collect()));
    }
    let Some(l) = Loop::of(&inst.op, inst.operands.len(), inst.results.len()) else {
        return Err(Refusal::Here("calls must be inlined first"));
    };
    let Op::Scan(_) = inst.op else {
        return Err(Refusal::Here("a `while` is not linear: linearize makes it a scan"));
    };
    if mask[..l.first].contains(&true) {
        return Err(Refusal::Here("a linear value counts the trips"));
    }
    // All carries of a linear loop are linear: linearize leaves known ones to the primal loop.
    for k in l.carry_range() {
        if operands[k] == Class::Known {
            return Err(Refusal::Here("a loop with both known and linear carries: linearize it first"));
        }
        mask[k] = true;
    }
    let results = of(l.body, &mask[l.first..])?;
    if results.contains(&Class::Known) {
        return Err(Refusal::Here("a loop with both known and linear results: linearize it first"));
    }
    Ok((mask, std::iter::repeat_n(Class::Linear, inst.results.len()).collect()))
}
