//! Merges equal instructions of one function: the cheap part of what the e-graph does, for use between
//! orders of derivatives, so that a loop does not save one value under two names.

use crate::rewrite::{copy_inst, like, mapped};
use rustc_hash::FxHashMap;
use wengert_ir::func::{Func, Module, Values};
use wengert_ir::op::{Effect, Op};

/// Constants with more bytes than this are not compared.
const LARGE: usize = 1024;

/// `func` with equal pure instructions merged; regions are left alone.
pub(crate) fn cse_func(m: &Module, func: &Func) -> Func {
    let (mut out, mut env) = like(func);
    let mut seen: FxHashMap<(Op, Values), Values> = FxHashMap::default();
    for inst in func.insts.values() {
        let large = matches!(&inst.op, Op::Constant(c) if c.value.stored_bytes().len() > LARGE);
        if large || m.effect(&inst.op) != Effect::Pure {
            copy_inst(&mut out, func, inst, &mut env);
            continue;
        }
        let key = (inst.op.clone(), mapped(&env, &inst.operands));
        if let Some(earlier) = seen.get(&key) {
            for (&old, &new) in inst.results.iter().zip(earlier) {
                env[old] = Some(new);
            }
            continue;
        }
        copy_inst(&mut out, func, inst, &mut env);
        seen.insert(key, mapped(&env, &inst.results));
    }
    out.results = mapped(&env, &func.results).to_vec();
    out
}
