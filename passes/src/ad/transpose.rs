//! Turns a linear function around: a walk backwards that carries cotangents.

use super::TransformError;
use super::activity::Activity;
use super::control::{self, Loop};
use super::emit::Single;
use super::verify::{Class, classify};
use crate::dce::dce_func;
use crate::rewrite::{copy_inst, env, push};
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Func, FuncId, Inst, Loc, Module, Value, Values};
use wengert_ir::op::{BinaryOp, DynamicSlice, Op, Reducer};
use wengert_ir::ops_of;
use wengert_ir::rules::{Operand, Term, Transpose};
use wengert_ir::types::Type;

/// `has`: results that have a cotangent. Other parameters, then cotangents, to cotangents of every linear
/// parameter.
pub(super) fn transpose(
    m: &mut Module,
    func: FuncId,
    linear: &[bool],
    has: &[bool],
) -> Result<FuncId, TransformError> {
    let classes = classify(m, func, linear)?;
    let activity = Activity::default(); // nothing asks: transposition knows its linear values
    let f = m.get(func);
    let out = Func::new(format!("{}_transpose", f.name), f.kind);
    let mut s = Single { module: m, activity: &activity, func: out, loc: Loc::Unknown };
    let mut known = env(&f);
    for (&p, _) in f.params.iter().zip(linear).filter(|(_, l)| !**l) {
        known[p] = Some(s.func.param(f.ty(p).clone()));
    }
    let mut cotangents = Cotangents(EntityVec::filled(None, f.values.len()));
    let given: Vec<Value> = f.results.iter().zip(has).filter(|(_, h)| **h).map(|(&r, _)| r).collect();
    let params: Vec<Value> = given.iter().map(|&r| s.func.param(f.ty(r).clone())).collect();
    for (k, (&r, p)) in given.iter().zip(params).enumerate() {
        if classes.values[r] == Class::Known {
            return Err(TransformError::new(format!(
                "result {k} of `{}` is not linear in the inputs",
                f.name
            )));
        }
        cotangents.add(&mut s, r, p);
    }
    for inst in f.insts.values() {
        if inst.results.iter().all(|&r| classes.values[r] != Class::Linear) {
            copy_inst(&mut s.func, &f, inst, &mut known);
        }
    }
    for (id, inst) in f.insts.iter().rev() {
        if inst.results.iter().all(|&r| classes.values[r] != Class::Linear) {
            continue;
        }
        let given: Vec<Option<Value>> = inst.results.iter().map(|&r| cotangents.0[r]).collect();
        if given.iter().all(Option::is_none) {
            continue;
        }
        s.loc = inst.loc.clone();
        let mask = &classes.masks[id];
        let operands: Vec<Option<Value>> = inst
            .operands
            .iter()
            .zip(mask)
            .map(|(&v, &l)| if l { None } else { Some(known[v].expect("known values come first")) })
            .collect();
        let types: Vec<Type> = inst.operands.iter().map(|&v| f.ty(v).clone()).collect();
        let results: Vec<Type> = inst.results.iter().map(|&v| f.ty(v).clone()).collect();
        let found = if let Some(l) = Loop::of(&inst.op, operands.len(), results.len()) {
            control::loops::transpose(&mut s, &l, &operands, &types, &results, &given)?
        } else if let Op::Case(case) = &inst.op {
            control::case::transpose(&mut s, case, &operands, &given)?
        } else if let Op::Checkpoint(checkpoint) = &inst.op {
            control::checkpoint::transpose(&mut s, checkpoint, &operands, &given)?
        } else {
            transpose_inst(&mut s, &inst.op, &operands, &types, &results, &given)
        };
        assert_eq!(found.len(), operands.len(), "{}: one cotangent per operand", inst.op.name());
        for ((&v, &l), c) in inst.operands.iter().zip(mask).zip(found) {
            if let (true, Some(c)) = (l, c) {
                cotangents.add(&mut s, v, c);
            }
        }
    }
    for (&p, _) in f.params.iter().zip(linear).filter(|(_, l)| **l) {
        let c = match cotangents.0[p] {
            Some(c) => c,
            None => s.zero(f.ty(p)),
        };
        s.func.results.push(c);
    }
    let func = s.func;
    let func = dce_func(m, &func);
    let func = crate::cse::cse_func(m, &func);
    Ok(m.add(func))
}

/// Cotangents of an instruction's operands by its own rule.
fn transpose_inst(
    s: &mut Single<'_>,
    op: &Op,
    operands: &[Option<Value>],
    types: &[Type],
    results: &[Type],
    given: &[Option<Value>],
) -> Vec<Option<Value>> {
    let operands: Vec<Operand> = operands
        .iter()
        .zip(types)
        .map(|(o, t)| match o {
            Some(v) => Operand::Known(Term::Known(*v)),
            None => Operand::Linear(t.tensor().clone()),
        })
        .collect();
    let cotangents: Vec<Option<Term>> = given.iter().map(|c| c.map(Term::Known)).collect();
    let rule = Transpose { operands: &operands, results, cotangents: &cotangents };
    op.def().transpose(s, rule).into_iter().map(|c| c.map(super::emit::value)).collect()
}

/// The sum of two cotangents. One that is zeros around a small window is added to the other where the window lies: reading
/// a little of a large array has a reverse mode that touches as little, in loops too, where that happens in place.
pub(super) fn add(m: &Module, func: &mut Func, loc: &Loc, a: Value, b: Value) -> Value {
    for (sum, part) in [(a, b), (b, a)] {
        let Some((_, inst)) = func.def(part).filter(|(_, inst)| is_window(func, inst)) else { continue };
        let (op, mut operands) = (inst.op.clone(), inst.operands.clone());
        operands[0] = sum;
        if let Op::DynamicUpdateSlice(_) = op {
            let sizes = func.tensor(operands[1]).shape.clone();
            let starts: Values = [sum].into_iter().chain(operands[2..].iter().copied()).collect();
            let there = push(m, func, DynamicSlice { sizes }, &starts, loc)[0];
            operands[1] = push(m, func, BinaryOp::Add, &[there, operands[1]], loc)[0];
        }
        return push(m, func, op, &operands, loc)[0];
    }
    push(m, func, BinaryOp::Add, &[a, b], loc)[0]
}

/// Whether an instruction puts few elements into zeros.
fn is_window(func: &Func, inst: &Inst) -> bool {
    let few = |update: Value| {
        let elements = |v: Value| func.tensor(v).checked_elements().filter(|_| func.tensor(v).is_static());
        let (part, all) = (elements(update), elements(inst.results[0]));
        part.zip(all).is_some_and(|(part, all)| part <= all / 4)
    };
    let zeros = |v: Value| func.def(v).is_some_and(|(_, i)| matches!(i.op, Op::Zero(_)));
    match &inst.op {
        Op::DynamicUpdateSlice(_) => zeros(inst.operands[0]) && few(inst.operands[1]),
        Op::Scatter(s) => {
            let adds = s.inputs == 1 && s.reducer == Reducer::Op(BinaryOp::Add) && inst.operands.len() == 3;
            adds && zeros(inst.operands[0]) && few(inst.operands[2])
        }
        ops_of!(source)
        | ops_of!(elementwise)
        | ops_of!(movement)
        | ops_of!(contraction)
        | ops_of!(reduction)
        | ops_of!(library)
        | ops_of!(call)
        | ops_of!(control)
        | ops_of!(mark)
        | ops_of!(opaque) => false,
    }
}

/// Cotangents so far, by value of the linear function. A value used twice gets the sum.
struct Cotangents(EntityVec<Value, Option<Value>>);

impl Cotangents {
    fn add(&mut self, s: &mut Single<'_>, of: Value, c: Value) {
        let is_zero = s.func.def(c).is_some_and(|(_, i)| matches!(i.op, Op::Zero(_)));
        self.0[of] = match self.0[of] {
            Some(sum) if is_zero => Some(sum),
            Some(sum) => Some(add(s.module, &mut s.func, &s.loc, sum, c)),
            None if is_zero => None,
            None => Some(c),
        };
    }
}
