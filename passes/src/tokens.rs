//! Takes tokens out of a module. They say in which order effects happen; here that is the order in which instructions stand, so
//! nothing is lost, and what carries a token (a loop, a branch, a call) is of tensors again.

use crate::rewrite::{Env, env, mapped};
use smallvec::SmallVec;
use std::sync::Arc;
use wengert_ir::func::{Func, FuncId, Inst, Module, Value};
use wengert_ir::op::{CustomCall, Op, Scan, While};
use wengert_ir::types::Type;

/// The module without tokens. It stays as it is if it talks to other devices (`send`, `recv`, `infeed`), which is refused later by
/// its name.
pub fn remove(m: &mut Module) {
    let has_token = |f: &Func| f.values.values().any(|v| v.ty == Type::Token);
    if !m.funcs.values().any(|f| has_token(f)) {
        return;
    }
    let talks = |inst: &Inst| matches!(&inst.op, Op::Foreign(foreign) if !foreign.is_token());
    if m.funcs.values().any(|f| f.insts.values().any(talks)) {
        return;
    }
    let ids: Vec<FuncId> = m.funcs.iter().map(|(id, _)| id).collect();
    for id in ids {
        if has_token(&m.funcs[id]) {
            m.funcs[id] = Arc::new(without(&m.funcs[id]));
        }
    }
}

fn is_token(f: &Func, v: Value) -> bool {
    *f.ty(v) == Type::Token
}

fn without(f: &Func) -> Func {
    let mut out = Func::new(f.name.clone(), f.kind);
    let mut env = env(f);
    for (k, &p) in f.params.iter().enumerate().filter(|(_, p)| !is_token(f, **p)) {
        env[p] = Some(out.param(f.ty(p).clone()));
        out.param_names.extend(f.param_names.get(k).cloned());
    }
    for inst in f.insts.values() {
        copy(&mut out, f, inst, &mut env);
    }
    let kept: Vec<Value> = f.results.iter().copied().filter(|&r| !is_token(f, r)).collect();
    out.results = mapped(&env, &kept).to_vec();
    out
}

/// A copy of an instruction without the tokens that it takes and gives; none if it did nothing else.
fn copy(out: &mut Func, f: &Func, inst: &Inst, env: &mut Env) {
    if matches!(&inst.op, Op::Foreign(foreign) if foreign.is_token()) {
        return;
    }
    let kept = |values: &[Value]| -> SmallVec<[Value; 4]> {
        values.iter().copied().filter(|&v| !is_token(f, v)).collect()
    };
    let tokens = |from: usize, count: usize| {
        inst.operands.iter().skip(from).take(count).filter(|v| is_token(f, **v)).count()
    };
    let op = match &inst.op {
        Op::While(w) => Op::While(While { consts: w.consts - tokens(0, w.consts), ..w.clone() }),
        Op::Scan(s) => Op::Scan(Scan {
            consts: s.consts - tokens(0, s.consts),
            carry: s.carry - tokens(s.consts, s.carry),
            ..s.clone()
        }),
        Op::CustomCall(call) => {
            let results = call.results.iter().filter(|ty| **ty != Type::Token).cloned().collect();
            Op::CustomCall(CustomCall { results, ..call.clone() })
        }
        op => op.clone(),
    };
    let (operands, results) = (mapped(env, &kept(&inst.operands)), kept(&inst.results));
    let types = results.iter().map(|&r| f.ty(r).clone());
    let made = out.push_typed(op, &operands, types, inst.loc.clone());
    for (&old, new) in results.iter().zip(made) {
        env[old] = Some(new);
    }
}
