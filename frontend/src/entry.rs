//! Functions from one module to another: a traced function as the entry of a program, which is compiled, printed and dumped, and a
//! program as a function of what is traced.

use std::sync::Arc;
use wengert_ir::entity::{Entity, EntityVec};
use wengert_ir::func::{Func, FuncId, FuncKind, Loc, Module, Value};
use wengert_ir::op::Foreign;
use wengert_ir::types::Type;
use wengert_passes::tokens;

/// A module of a function and what it reaches, in which it is public, is called `main`, and neither takes nor gives tokens.
pub(crate) fn as_program(module: &Module, func: FuncId) -> (Module, FuncId) {
    let (mut module, ids) = module.reachable(&[func]);
    let func = ids[0];
    tokens::remove(&mut module);
    let mut entry = without_tokens(&module.get(func));
    entry.kind = FuncKind::Public;
    if entry.name != "main" {
        entry.name = module.fresh_name("main");
    }
    module.funcs[func] = Arc::new(entry);
    (module, func)
}

/// Adds what a function of another module reaches to a module; what the function has become.
pub(crate) fn append(to: &mut Module, from: &Module, entry: FuncId) -> FuncId {
    let (from, entries) = from.reachable(&[entry]);
    let first = to.funcs.len();
    let mut ids = EntityVec::<FuncId, FuncId>::new();
    for k in 0..from.funcs.len() {
        ids.push(FuncId::from_index(first + k));
    }
    for func in from.funcs.values() {
        let mut copy = Func::clone(func);
        if copy.kind == FuncKind::Public {
            copy.kind = FuncKind::Private;
        }
        // What a region is called is no name, but says what it is for.
        if copy.kind != FuncKind::Region {
            copy.name = to.fresh_name(&copy.name);
        }
        copy.insts.values_mut().for_each(|i| i.op.map_callees(&mut |f| ids[f]));
        to.add(copy);
    }
    ids[entries[0]]
}

/// The function with tokens of its own making in place of those it takes, and without those it gives.
fn without_tokens(func: &Func) -> Func {
    let is_token = |v: &Value| *func.ty(*v) == Type::Token;
    if !func.params.iter().chain(&func.results).any(is_token) {
        return func.clone();
    }
    let mut out = Func::new(func.name.clone(), func.kind);
    let made = Foreign {
        name: "stablehlo.create_token".into(),
        attributes: "".into(),
        regions: Vec::new(),
        captures: 0,
        results: vec![Type::Token],
    };
    let args: Vec<Value> = (func.params.iter())
        .map(|p| match func.ty(*p) {
            Type::Token => out.push_typed(made.clone().into(), &[], [Type::Token], Loc::Unknown)[0],
            ty => out.param(ty.clone()),
        })
        .collect();
    let names = func.params.iter().zip(&func.param_names).filter(|(p, _)| !is_token(p));
    out.param_names = names.map(|(_, name)| name.clone()).collect();
    let results = out.inline(func, &args);
    out.results = results.into_iter().filter(|&r| *out.ty(r) != Type::Token).collect();
    out
}
