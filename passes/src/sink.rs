//! Constants that loops and branches take from outside are written inside, where rules and bounds see them: also rows of a constant
//! whose elements are all the same.
//!
//! MLIR's canonicalization, and with it every program that JAX serializes, moves the constants of regions to the beginning of the
//! function: the step and the limit of a counter too.

use crate::egraph::NoCalls;
use crate::rewrite::{copy_inst, like, mapped, push, used_params};
use crate::structure::{Loop, LoopKind};
use wengert_ir::array::{Array, Literal};
use wengert_ir::func::{Func, FuncId, Inst, Loc, Module, Value};
use wengert_ir::op::{Constant, Op};
use wengert_ir::types::TensorType;

/// Operations that are looked through for what is the same everywhere, one after the other.
const MOST_DEEP: usize = 6;

/// Constants of more elements stay outside: what needs one in memory would fill it again in every trip.
const MOST_ELEMENTS: usize = 64;

fn is_small(literal: &Literal) -> bool {
    literal.ty().checked_elements().is_some_and(|n| n <= MOST_ELEMENTS)
}

/// `func` with every small constant of one repeated element that a loop or a branch takes written in it, at any depth. The operands
/// stay, unused: [`dce`](crate::dce) drops them.
pub(crate) fn sink(m: &mut Module, func: FuncId) -> FuncId {
    let f = m.get(func);
    let mut out: Option<Func> = None;
    for (id, inst) in f.insts.iter() {
        if inst.op.callees().is_empty() || matches!(inst.op, Op::Call(_) | Op::Composite(_)) {
            continue;
        }
        let taken = taken(m, &f, inst);
        let mut op = inst.op.clone();
        op.map_callees(&mut |region| {
            let region = with_constants(m, region, &taken);
            sink(m, region)
        });
        if op != inst.op {
            out.get_or_insert_with(|| Func::clone(&f)).insts[id].op = op;
        }
    }
    out.map_or(func, |out| m.add(out))
}

/// What is known of the first parameters of every region of an instruction, in each of its runs.
fn taken(m: &Module, f: &Func, inst: &Inst) -> Vec<Option<Literal>> {
    let constant = |&v: &Value| constant(f, v, MOST_DEEP).filter(is_small);
    let Some(l) = Loop::of(&inst.op, inst.operands.len(), inst.results.len()) else {
        let is_branch = matches!(inst.op, Op::Case(_));
        return if is_branch { inst.operands[1..].iter().map(constant).collect() } else { Vec::new() };
    };
    let (consts, others) = inst.operands[l.first..].split_at(l.consts);
    let mut taken: Vec<Option<Literal>> = consts.iter().map(constant).collect();
    if let LoopKind::Scan { .. } = l.kind {
        let (carried, rows) = others.split_at(l.carry);
        taken.extend(carried.iter().map(|_| None));
        let body = m.get(l.body);
        for (&v, &row) in rows.iter().zip(&body.params[l.consts + l.carry..]) {
            taken.push(row_of_constant(f, v, body.ty(row).as_tensor()).filter(is_small));
        }
    }
    taken
}

/// A row of a value whose elements are all the same.
fn row_of_constant(f: &Func, v: Value, row: Option<&TensorType>) -> Option<Literal> {
    let all = constant(f, v, MOST_DEEP)?;
    Some(Literal::splat_bytes(row.filter(|ty| ty.is_static())?.clone(), all.as_splat()?))
}

/// The value whose elements are all the same: a constant, one that is spread, or what few operations make of such.
fn constant(f: &Func, v: Value, deep: usize) -> Option<Literal> {
    if let Some(literal) = f.scalar_constant(v) {
        return Some(literal);
    }
    let inst = f.def(v)?.1;
    let ty = f.ty(v).as_tensor().filter(|ty| ty.is_static())?;
    let computes = matches!(inst.op, Op::Unary(_) | Op::Binary(_) | Op::Convert(_));
    if !computes && !matches!(inst.op, Op::BroadcastInDim(_) | Op::Reshape(_)) {
        return None;
    }
    let deep = deep.checked_sub(1)?;
    let operands: Option<Vec<Literal>> = inst.operands.iter().map(|&x| constant(f, x, deep)).collect();
    let operands = operands?;
    if !computes {
        return Some(Literal::splat_bytes(ty.clone(), operands[0].as_splat()?));
    }
    let scalar = |x: &Literal| Some(Array::from_bytes(TensorType::scalar(x.ty().dtype), x.as_splat()?));
    let scalars = operands.iter().map(scalar).collect::<Option<Vec<Array>>>()?;
    let result = inst.op.def().eval(&mut NoCalls, &scalars).ok()?;
    Some(Literal::splat_bytes(ty.clone(), result.first()?.bytes()))
}

/// `region` with constants in place of its first parameters, where they are some. It has the same parameters.
fn with_constants(m: &mut Module, region: FuncId, taken: &[Option<Literal>]) -> FuncId {
    let f = m.get(region);
    let used = used_params(&f);
    let known = || f.params.iter().zip(taken).zip(&used).filter(|(_, used)| **used);
    if known().all(|((_, literal), _)| literal.is_none()) {
        return region;
    }
    let (mut out, mut env) = like(&f);
    for ((&param, literal), _) in known() {
        if let Some(value) = literal {
            let constant = Constant { value: value.clone() };
            env[param] = Some(push(m, &mut out, constant, &[], &Loc::Unknown)[0]);
        }
    }
    for inst in f.insts.values() {
        copy_inst(&mut out, &f, inst, &mut env);
    }
    out.results = mapped(&env, &f.results).to_vec();
    m.add(out)
}
