//! Arguments and results of programs that are sums over devices.

use super::first_term;
use crate::expansion::{Body, value};
use crate::rewrite::push;
use std::sync::Arc;
use wengert_ir::func::{Func, FuncId, FuncKind, Loc, Module, Value};
use wengert_ir::op::Call;
use wengert_ir::rules::{Emit, Term};
use wengert_ir::sharding::Sharding;
use wengert_ir::types::Dims;

/// Gives the program `func` arguments and results in terms where they are sums ([`Sharding::of_terms`]): rows in front, one dimension for
/// each axis. Of a result the first term is the result, and the others are zero.
pub fn in_terms(m: &mut Module, func: FuncId, params: &[Option<Sharding>], results: &[Option<Sharding>]) {
    let axes = |said: &Option<Sharding>| -> Dims {
        said.iter().flat_map(|s| s.unreduced.iter().map(|&axis| s.mesh.axes[axis].1)).collect()
    };
    if params.iter().chain(results).all(|said| axes(said).is_empty()) {
        return;
    }
    let mut inner = Func::clone(&m.get(func));
    let mut outer = Func::new(inner.name.clone(), inner.kind);
    outer.param_names.clone_from(&inner.param_names);
    (inner.kind, inner.name) = (FuncKind::Private, m.fresh_name("of_sums"));
    let (types, inner) = (inner.param_types(), m.add(inner));
    let mut args: Vec<Value> = Vec::new();
    for (ty, said) in types.into_iter().zip(params) {
        let rows = axes(said);
        let Some(tensor) = ty.as_tensor().filter(|_| !rows.is_empty()) else {
            args.push(outer.param(ty));
            continue;
        };
        let shape: Dims = rows.iter().chain(&tensor.shape).copied().collect();
        let stacked = outer.param(tensor.with_shape(&shape));
        let dims: Dims = (0..rows.len()).collect();
        let e: &mut dyn Emit = &mut Body { module: m, func: &mut outer, loc: Loc::Unknown };
        args.push(value(e.reduce_sum(Term::Known(stacked), &dims)));
    }
    let given = push(m, &mut outer, Call { callee: inner }, &args, &Loc::Unknown);
    for (result, said) in given.into_iter().zip(results) {
        let e: &mut dyn Emit = &mut Body { module: m, func: &mut outer, loc: Loc::Unknown };
        let stacked = axes(said).iter().rev().fold(Term::Known(result), |x, &terms| first_term(e, x, terms));
        outer.results.push(value(stacked));
    }
    m.funcs[func] = Arc::new(outer);
}
