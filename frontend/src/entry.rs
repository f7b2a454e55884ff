//! A traced function as the entry of a program: what is compiled, printed and dumped.

use std::sync::Arc;
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
