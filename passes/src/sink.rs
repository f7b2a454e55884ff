//! Constants that loops and branches take from outside are written inside, where rules and bounds see them.
//!
//! MLIR's canonicalization, and with it every program that JAX serializes, moves the constants of regions to the beginning of the
//! function: the step and the limit of a counter too.

use crate::rewrite::{copy_inst, like, mapped, push, used_params};
use crate::structure::Loop;
use std::ops::Range;
use wengert_ir::array::Literal;
use wengert_ir::func::{Func, FuncId, Inst, Loc, Module};
use wengert_ir::op::{Constant, Op};

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
        let taken: Vec<Option<Literal>> =
            inst.operands[captures(inst)].iter().map(|&v| f.scalar_constant(v).filter(is_small)).collect();
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

/// The operands that are the first parameters of every region, in each of its runs.
fn captures(inst: &Inst) -> Range<usize> {
    if let Some(l) = Loop::of(&inst.op, inst.operands.len(), inst.results.len()) {
        return l.first..l.first + l.consts;
    }
    if matches!(inst.op, Op::Case(_)) { 1..inst.operands.len() } else { 0..0 }
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
