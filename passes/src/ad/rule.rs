//! Whether the rule of a `custom_jvp` is what it must be: linear in its tangents, with values that are free of them.
//!
//! What is differentiated in the function's place is the rule with respect to its tangents at zero, so that a rule which is
//! not linear would give wrong numbers without a word. [`super::verify`] asks for more, a function that can be transposed as it
//! stands; here calls are followed, and a loop may carry known and linear values together.

use super::TransformError;
use super::verify::{Class, is_mask, op_class};
use crate::structure::{Loop, LoopKind, branches};
use wengert_ir::array::Literal;
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Func, FuncId, Inst, Module, Value};
use wengert_ir::op::Op;
use wengert_ir::ops::decomposition::{Through, through};
use wengert_ir::types::{DType, Type};

/// Fails if the instruction of `f` has a rule that is not linear; the error names the first instruction of the rule that is
/// not.
pub(super) fn check(m: &mut Module, f: &Func, inst: &Inst) -> Result<(), TransformError> {
    let Op::CustomJvp(custom) = &inst.op else { return Ok(()) };
    let params = m.get(custom.rule).params.len();
    let params: Vec<Class> =
        (0..params).map(|k| if k < inst.operands.len() { Class::Known } else { Class::Linear }).collect();
    let results = classes(m, custom.rule, &params)?;
    let (values, tangents) = results.split_at(inst.results.len());
    if values.contains(&Class::Linear) {
        return Err(TransformError::at(f, inst, "the value that the rule gives depends on the tangents"));
    }
    match tangents.iter().position(|&class| class == Class::Known) {
        Some(k) => Err(TransformError::at(
            f,
            inst,
            format!("{RULE}: tangent {k} that it gives does not depend on them and is not zero"),
        )),
        None => Ok(()),
    }
}

const RULE: &str = "the rule of a `custom_jvp` must be linear in its tangents";

/// Whether the marked results of a function are linear in the marked parameters together, or zero.
pub(super) fn is_linear(m: &mut Module, func: FuncId, params: &[bool], results: &[bool]) -> bool {
    let params: Vec<Class> = params.iter().map(|&l| if l { Class::Linear } else { Class::Known }).collect();
    let found = classes(m, func, &params);
    found.is_ok_and(|found| found.iter().zip(results).all(|(&class, &asked)| !asked || class != Class::Known))
}

/// Classes of the results of a function whose parameters have these.
fn classes(m: &mut Module, func: FuncId, params: &[Class]) -> Result<Vec<Class>, TransformError> {
    let f = m.get(func);
    let mut values = EntityVec::<Value, Class>::filled(Class::Known, f.values.len());
    for (&p, &class) in f.params.iter().zip(params) {
        values[p] = class;
    }
    for inst in f.insts.values() {
        let operands: Vec<Class> = inst.operands.iter().map(|&v| values[v]).collect();
        for (&r, class) in inst.results.iter().zip(of_inst(m, &f, inst, &operands)?) {
            values[r] = class;
        }
    }
    Ok(f.results.iter().map(|&r| values[r]).collect())
}

fn of_inst(m: &mut Module, f: &Func, inst: &Inst, operands: &[Class]) -> Result<Vec<Class>, TransformError> {
    let refused = |why: &str| TransformError::at(f, inst, format!("{RULE}: {why}"));
    let all = |class: Class| vec![class; inst.results.len()];
    if let Op::Constant(constant) = &inst.op {
        let zero = is_nothing(&constant.value);
        return Ok(all(if zero { Class::Zero } else { Class::Known }));
    }
    if matches!(inst.op, Op::Zero(_)) {
        return Ok(all(Class::Zero));
    }
    if is_mask(f, inst) {
        return Ok(operands.to_vec());
    }
    // How a solution is found is no linear function; that it is linear is known otherwise.
    if let Some(callee) = inst.op.body().filter(|_| !matches!(inst.op, Op::LinearSolve(_) | Op::Root(_))) {
        return classes(m, callee, operands);
    }
    if let Op::Case(case) = &inst.op {
        if operands[0] == Class::Linear {
            return Err(refused("a tangent chooses the branch"));
        }
        let mut found = all(Class::Zero);
        for branch in branches(case) {
            let given = classes(m, branch, &operands[1..])?;
            found = join(&found, &given).ok_or_else(|| refused("a result is linear in one branch only"))?;
        }
        return Ok(found);
    }
    if let Some(l) = Loop::of(&inst.op, operands.len(), inst.results.len()) {
        return of_loop(m, &l, operands)?.ok_or_else(|| {
            refused(
                "a carried value is linear after one trip only, or a tangent decides on the number of trips",
            )
        });
    }
    // Sums say that they are linear whatever they start from.
    let start = match &inst.op {
        Op::Reduce(op) => op.inputs,
        Op::ReduceWindow(op) => op.inputs,
        Op::SelectAndScatter(_) => 2,
        _ => operands.len(),
    };
    let starts_from_zero = !operands[start..].contains(&Class::Known) || !operands.contains(&Class::Linear);
    if let Some((_, class)) = op_class(&inst.op, operands).filter(|_| starts_from_zero) {
        return Ok(all(class));
    }
    let types: Vec<Type> = inst.operands.iter().map(|&v| f.ty(v).clone()).collect();
    let constants: Vec<_> = inst.operands.iter().map(|&v| f.constant(v)).collect();
    let active: Vec<bool> = operands.iter().map(|&class| class == Class::Linear).collect();
    if let Through::Func(g) = through(m, &inst.op, &types, &constants, &active) {
        return classes(m, g, operands);
    }
    Err(refused("this is not linear"))
}

/// Whether a constant adds nothing: the zeros that users write, of either sign, and the NaN that stands for what is not there
/// (an index out of range), which no derivative passes.
fn is_nothing(value: &Literal) -> bool {
    let nothing = |re: f64, im: f64| (re == 0.0 && im == 0.0) || re.is_nan() || im.is_nan();
    let f32_at = |b: &[u8]| b.first_chunk().map_or(1.0, |&b| f32::from_le_bytes(b) as f64);
    let f64_at = |b: &[u8]| b.first_chunk().map_or(1.0, |&b| f64::from_le_bytes(b));
    match (value.as_splat(), value.ty().dtype) {
        (Some(b), DType::C64) => nothing(f32_at(b), f32_at(&b[4..])),
        (Some(b), DType::C128) => nothing(f64_at(b), f64_at(&b[8..])),
        _ => {
            value.splat_value().is_some_and(|v| nothing(v, 0.0))
                || value.stored_bytes().iter().all(|&b| b == 0)
        }
    }
}

/// What values are that come from either of two places: `None` if one is linear where the other is known.
fn join(a: &[Class], b: &[Class]) -> Option<Vec<Class>> {
    let one = |(&a, &b): (&Class, &Class)| match (a, b) {
        (Class::Zero, other) | (other, Class::Zero) => Some(other),
        (Class::Known, Class::Known) | (Class::Linear, Class::Linear) => Some(a),
        (Class::Known, Class::Linear) | (Class::Linear, Class::Known) => None,
    };
    a.iter().zip(b).map(one).collect()
}

/// Classes of a loop's results: those that its carried values have once another trip changes none; `None` if it is not
/// linear itself.
fn of_loop(m: &mut Module, l: &Loop, operands: &[Class]) -> Result<Option<Vec<Class>>, TransformError> {
    if operands[..l.first].contains(&Class::Linear) {
        return Ok(None);
    }
    let mut params = operands[l.first..].to_vec();
    let carried = l.consts..l.consts + l.carry;
    // A class changes from zero to another once, so this ends.
    loop {
        if let LoopKind::While { cond } = l.kind
            && classes(m, cond, &params)?.contains(&Class::Linear)
        {
            return Ok(None);
        }
        let out = classes(m, l.body, &params)?;
        let (carry, rows) = out.split_at(l.carry);
        let Some(joined) = join(&params[carried.clone()], carry) else { return Ok(None) };
        if joined == params[carried.clone()] {
            let count = std::iter::repeat_n(Class::Known, l.after);
            return Ok(Some(joined.into_iter().chain(count).chain(rows.iter().copied()).collect()));
        }
        params[carried.clone()].copy_from_slice(&joined);
    }
}
