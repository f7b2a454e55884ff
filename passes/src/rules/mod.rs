//! Gives functions that JAX differentiates by rules of its own these rules back.
//!
//! JAX lowers `softplus`, `i0e` or `igamma` to plain operations; that their derivative has a rule is not in the text. The
//! derivative of the operations is not the function's everywhere: it is 0 at 0 for softplus, where two kinks meet, and
//! NaN where a branch that nobody takes has an infinite slope. So the operations are recognised by their shape: exactly what
//! JAX lowers the function to, up to the dimensions of what is computed. Beside each shape stands what JAX lowers the
//! function's derivative to. What has the shape becomes a `custom_jvp` of the two, which computes the same bits.
//!
//! [`known`] lists the functions; a shape and a rule for each element type are in the files of this folder, which `generate.py`
//! writes.
//!
//! Where text cannot tell, the function with a rule is taken: `1 / (1 + exp(-x))` in the user's words gets the derivative of
//! `logistic`, which is the same number wherever that of the operations is finite. Only `relu` and `relu6` are told apart by
//! name as well, because the derivative of `max(x, 0)` at 0 is 1/2 where a user wrote it and 0 in these functions.

pub(crate) mod known;
pub(crate) mod shape;

use crate::cse::cse_func;
use crate::dce::dce_func;
use crate::inline::{callees_first, inline_calls};
use crate::rewrite::{copy_inst, like, mapped};
use known::{KNOWN, Known};
use rustc_hash::{FxHashMap, FxHashSet};
use shape::{Match, Spread, retyped};
use wengert_ir::func::{Func, FuncId, InstId, Module, Value};
use wengert_ir::op::{BroadcastInDim, CustomJvp, Op};
use wengert_ir::types::{Dims, Type};

/// `func` with rules where it has the shape of functions that have some, calls inlined. It is `func` itself if it has none.
pub(crate) fn rules(m: &mut Module, func: FuncId) -> FuncId {
    let signs = signs(m, func);
    if !signs.contains(&true) {
        return func;
    }
    let mut pass = Rules { signs, functions: FxHashMap::default(), changed: false };
    let named = pass.each(m, func, &mut Rules::named);
    let inlined = inline_calls(m, named);
    let out = pass.each(m, inlined, &mut Rules::unnamed);
    if pass.changed { out } else { func }
}

/// For each known function, whether what `func` runs has its signs.
fn signs(m: &Module, func: FuncId) -> Vec<bool> {
    let (reached, _) = m.reachable(&[func]);
    let insts = || reached.funcs.values().flat_map(|f| f.insts.values());
    let is_there = |sign: &Op| insts().any(|inst| inst.op == *sign);
    KNOWN.iter().map(|known| known.signs.iter().all(is_there)).collect()
}

/// The pass at work.
struct Rules {
    signs: Vec<bool>,
    /// Functions and rules for dimensions: the known function, the shape, the dimensions.
    functions: FxHashMap<(usize, usize, Dims), CustomJvp>,
    changed: bool,
}

/// What an instruction becomes, and on which operands.
type Found = (CustomJvp, Vec<Spread>);

impl Rules {
    /// Rebuilds what `func` runs, callees first, with one step.
    fn each(
        &mut self,
        m: &mut Module,
        func: FuncId,
        step: &mut dyn FnMut(&mut Self, &mut Module, &Func) -> FxHashMap<InstId, Found>,
    ) -> FuncId {
        let mut done: FxHashMap<FuncId, FuncId> = FxHashMap::default();
        let run = run_by(m, func);
        for id in callees_first(m, func) {
            if !run.contains(&id) {
                done.insert(id, id);
                continue;
            }
            let mut f = Func::clone(&m.get(id));
            f.insts.values_mut().for_each(|i| i.op.map_callees(&mut |c| done[&c]));
            // One value for equal ones, so that a shape reads its argument from one place.
            let merged = cse_func(m, &f);
            let found = step(self, m, &merged);
            self.changed |= !found.is_empty();
            let new = if found.is_empty() { f } else { replaced(m, &merged, &found) };
            let new = if new == *m.get(id) { id } else { m.add(new) };
            done.insert(id, new);
        }
        done[&func]
    }

    /// Calls of functions that are known by name and shape.
    fn named(&mut self, m: &mut Module, f: &Func) -> FxHashMap<InstId, Found> {
        let mut out = FxHashMap::default();
        for (id, inst) in f.insts.iter() {
            let Op::Call(call) = &inst.op else { continue };
            let name = m.funcs[call.callee].name.clone();
            let name = without_number(&name);
            if !is_known_name(name) {
                continue;
            }
            let callee = inline_calls(m, call.callee);
            let callee = m.get(callee);
            let &[result] = &callee.results[..] else { continue };
            let found = self.find(m, &callee, result, &|known| known.by_name && known.name == name);
            let Some((op, params)) = found else { continue };
            // Sizes that are passed along, as where they are symbolic, are no part of it.
            let operand = |p: Spread| {
                let at = callee.params.iter().position(|&q| q == p.value)?;
                Some(Spread { value: inst.operands[at], ..p })
            };
            if let Some(operands) = params.into_iter().map(operand).collect() {
                out.insert(id, (op, operands));
            }
        }
        out
    }

    /// Values that are known by their shape.
    fn unnamed(&mut self, m: &mut Module, f: &Func) -> FxHashMap<InstId, Found> {
        let mut out = FxHashMap::default();
        for (id, inst) in f.insts.iter() {
            if let &[result] = &inst.results[..]
                && let Some(found) = self.find(m, f, result, &|known| !known.by_name)
            {
                out.insert(id, found);
            }
        }
        out
    }

    /// The known function that `v` is, and of which values.
    fn find(
        &mut self,
        m: &mut Module,
        f: &Func,
        v: Value,
        allowed: &dyn Fn(&Known) -> bool,
    ) -> Option<Found> {
        let Type::Tensor(ty) = f.ty(v).clone() else { return None };
        for (k, known) in KNOWN.iter().enumerate() {
            if !self.signs[k] || !allowed(known) {
                continue;
            }
            let library = known.library();
            for (j, shape) in library.shapes.iter().enumerate() {
                let Some(params) = Match::whole(&library.module, &shape.func, m, f, v, &ty) else { continue };
                let key = (k, j, ty.shape.clone());
                let op = self.functions.entry(key).or_insert_with(|| {
                    let body = retyped(m, &library.module, &shape.func, &ty.shape);
                    let rule = retyped(m, &library.module, &shape.rule, &ty.shape);
                    CustomJvp { body: m.add(body), rule: m.add(rule), consts: 0 }
                });
                return Some((op.clone(), params));
            }
        }
        None
    }
}

/// `f` with some instructions replaced, and without what only they read.
fn replaced(m: &mut Module, f: &Func, found: &FxHashMap<InstId, Found>) -> Func {
    let (mut out, mut env) = like(f);
    for (id, inst) in f.insts.iter() {
        let Some((op, operands)) = found.get(&id) else {
            copy_inst(&mut out, f, inst, &mut env);
            continue;
        };
        let body = m.get(op.body);
        let operands: Vec<Value> = operands
            .iter()
            .zip(&body.params)
            .map(|(spread, &param)| {
                let (value, ty) = (env[spread.value].expect("defined before"), body.ty(param));
                if out.ty(value) == ty {
                    return value;
                }
                let shape = ty.tensor().shape.clone();
                let broadcast = BroadcastInDim { shape, dims: spread.dims.clone() };
                out.push_typed(broadcast.into(), &[value], [ty.clone()], inst.loc.clone())[0]
            })
            .collect();
        let types = inst.results.iter().map(|&r| f.ty(r).clone());
        let results = out.push_typed(op.clone().into(), &operands, types, inst.loc.clone());
        inst.results.iter().zip(results).for_each(|(&old, new)| env[old] = Some(new));
    }
    out.results = mapped(&env, &f.results).to_vec();
    dce_func(m, &out)
}

/// Functions that JAX differentiates by rules of its own and that are not recognised: the names of the private functions by which JAX
/// lowers them, and what users call them. The derivative of what they are lowered to is NaN, or another number, at some points.
const UNKNOWN: [(&str, &str); 7] = [
    ("expi", "jax.scipy.special.expi"),
    ("expn", "jax.scipy.special.expn and exp1"),
    ("sici", "jax.scipy.special.sici"),
    ("sincospisquaredhalf", "jax.scipy.special.fresnel"),
    ("hyp1f1", "jax.scipy.special.hyp1f1"),
    ("hyp2f1", "jax.scipy.special.hyp2f1"),
    ("_gamma", "samples of jax.random.gamma and its kin"),
];

/// What a program runs whose derivative JAX takes by a rule that the program's text does not hold, and that is not known here.
pub fn unknown_rules(m: &Module, func: FuncId) -> Vec<&'static str> {
    let (reached, _) = m.reachable(&[func]);
    let called = |name: &str| reached.funcs.values().any(|f| without_number(&f.name) == name);
    UNKNOWN.iter().filter(|(name, _)| called(name)).map(|&(_, what)| what).collect()
}

/// Whether functions of this name are looked for by it: calls of them must be seen before they are inlined.
pub(crate) fn is_known_name(name: &str) -> bool {
    KNOWN.iter().any(|known| known.by_name && known.name == without_number(name))
}

/// A name as it was: MLIR makes names unique by a number behind them.
fn without_number(name: &str) -> &str {
    let parts = name.rsplit_once('_').filter(|n| n.1.bytes().all(|b| b.is_ascii_digit()));
    parts.map_or(name, |n| n.0)
}

/// The functions that `func` runs by calls, control flow and reductions. The functions of sorts and scatters are known to other
/// passes by what they look like, and those with rules of their own are differentiated by these.
fn run_by(m: &Module, func: FuncId) -> FxHashSet<FuncId> {
    let mut out = FxHashSet::default();
    let mut work = vec![func];
    while let Some(f) = work.pop() {
        if out.insert(f) {
            let runs = |op: &Op| op.is_control_flow() || matches!(op, Op::Reduce(_) | Op::ReduceWindow(_));
            let insts = m.funcs[f].insts.values().filter(|i| runs(&i.op));
            work.extend(insts.flat_map(|i| i.op.callees()));
        }
    }
    out
}
