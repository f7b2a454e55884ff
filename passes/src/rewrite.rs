//! Small tools for building one function from another: every pass rebuilds, none edits in place.

use smallvec::SmallVec;
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Def, Func, Inst, Module, Value, Values};
use wengert_ir::op::Op;
use wengert_ir::types::Type;

/// Values of one function by values of another.
pub(crate) type Env = EntityVec<Value, Option<Value>>;

/// An environment for the values of `func` in which nothing is known yet.
pub(crate) fn env(func: &Func) -> Env {
    Env::filled(None, func.values.len())
}

/// What `values` have become.
pub(crate) fn mapped(env: &Env, values: &[Value]) -> Values {
    values.iter().map(|&v| env[v].expect("topological order")).collect()
}

/// Appends a copy of an instruction of `from` and records what its results have become.
pub(crate) fn copy_inst(to: &mut Func, from: &Func, inst: &Inst, env: &mut Env) {
    let operands = mapped(env, &inst.operands);
    let types = inst.results.iter().map(|&r| from.ty(r).clone());
    let results = to.push_typed(inst.op.clone(), &operands, types, inst.loc.clone());
    for (&old, new) in inst.results.iter().zip(results) {
        env[old] = Some(new);
    }
}

/// An empty function with the name, kind and parameters of `func` and room for its instructions, and the environment of
/// the parameters.
pub(crate) fn like(func: &Func) -> (Func, Env) {
    let mut out = Func::new(func.name.clone(), func.kind);
    out.param_names.clone_from(&func.param_names);
    out.insts.reserve(func.insts.len());
    out.values.reserve(func.values.len());
    let mut env = env(func);
    for &p in &func.params {
        env[p] = Some(out.param(func.ty(p).clone()));
    }
    (out, env)
}

/// Gives `func` these parameters, in this order: its old ones permuted. One that is left out must be
/// unused.
pub(crate) fn set_params(func: &mut Func, params: Vec<Value>) {
    for (k, &p) in (0u32..).zip(&params) {
        func.values[p].def = Def::Param(k);
    }
    func.params = params;
}

/// The function `map(params) -> results`: parameter `k` of `func` becomes parameter `map[k]` of types
/// `params`, and only the results numbered in `results` are given, in that order.
pub(crate) fn reshape_func(func: &Func, params: &[Type], map: &[usize], results: &[usize]) -> Func {
    let mut out = Func::new(func.name.clone(), func.kind);
    let new: Vec<Value> = params.iter().map(|t| out.param(t.clone())).collect();
    let mut env = env(func);
    for (&p, &k) in func.params.iter().zip(map) {
        env[p] = Some(new[k]);
    }
    for inst in func.insts.values() {
        copy_inst(&mut out, func, inst, &mut env);
    }
    out.results = results.iter().map(|&k| env[func.results[k]].expect("defined")).collect();
    out
}

/// Which parameters of `func` an instruction or a result uses.
pub(crate) fn used_params(func: &Func) -> Vec<bool> {
    let used = used_values(func);
    func.params.iter().map(|&p| used[p]).collect()
}

/// Which values of `func` an instruction or a result uses.
pub(crate) fn used_values(func: &Func) -> EntityVec<Value, bool> {
    let mut used = EntityVec::filled(false, func.values.len());
    for &v in func.insts.values().flat_map(|i| &i.operands).chain(&func.results) {
        used[v] = true;
    }
    used
}

/// The entries of `items` whose flag is set.
pub(crate) fn filter<T: Clone>(items: &[T], keep: &[bool]) -> Vec<T> {
    assert_eq!(items.len(), keep.len(), "one flag per item");
    items.iter().zip(keep).filter(|(_, k)| **k).map(|(t, _)| t.clone()).collect()
}

/// How many flags are set.
pub(crate) fn count(flags: &[bool]) -> usize {
    flags.iter().filter(|&&f| f).count()
}

/// The results of an instruction that a pass builds; see [`Func::push_built`].
#[track_caller]
pub(crate) fn push(
    module: &Module,
    func: &mut Func,
    op: impl Into<Op>,
    operands: &[Value],
    loc: &wengert_ir::func::Loc,
) -> SmallVec<[Value; 4]> {
    func.push_built(module, op.into(), operands, loc.clone())
}

/// How often each value is read, or given back.
pub(crate) fn uses(func: &Func) -> EntityVec<Value, u32> {
    let mut uses: EntityVec<Value, u32> = EntityVec::filled(0, func.values.len());
    let operands = func.insts.values().flat_map(|inst| &inst.operands);
    operands.chain(&func.results).for_each(|&v| uses[v] += 1);
    uses
}
