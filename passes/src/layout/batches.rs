//! Large factors of batched products lie batch by batch.
//!
//! A product reads its factors batch after batch. Where the batch is not the outermost dimension, that is a leap from each
//! row to the next: of a large factor no line is in a near cache, and no prefetcher follows. The loop that makes the factor
//! may as well write it in the order in which it is read.
//!
//! Only what elementwise operations make for products alone is written so; for everything else it would be a copy.

use crate::cost::Target;
use crate::inline::callees_first;
use crate::lower::plan::classify::is_elementwise;
use crate::rewrite::{self, like, mapped};
use rustc_hash::FxHashMap;
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Func, FuncId, Inst, Module, Value};
use wengert_ir::op::{DotGeneral, Op, OptimizationBarrier, Transpose};
use wengert_ir::types::Dims;

/// `func` with such factors turned. It is `func` itself if there are none.
pub(super) fn outermost(m: &mut Module, func: FuncId) -> FuncId {
    let mut done: FxHashMap<FuncId, FuncId> = FxHashMap::default();
    for id in callees_first(m, func) {
        let f = m.get(id);
        let mut new = Func::clone(&f);
        new.insts.values_mut().for_each(|i| i.op.map_callees(&mut |c| done[&c]));
        let orders = orders(&new);
        if orders.values().any(|o| matches!(o, Order::Batches(_))) {
            new = turned(m, &new, &orders);
        }
        let new = if new == *f { id } else { m.add(new) };
        done.insert(id, new);
    }
    done[&func]
}

/// In which order the dimensions of a value are wanted.
#[derive(Clone, PartialEq, Eq)]
enum Order {
    /// Nobody has said.
    Any,
    /// As they are.
    Same,
    /// These are outermost.
    Batches(Dims),
}

/// What the readers of each value want of it.
fn orders(f: &Func) -> EntityVec<Value, Order> {
    let mut orders = EntityVec::filled(Order::Any, f.values.len());
    for inst in f.insts.values() {
        for (k, &v) in inst.operands.iter().enumerate() {
            let wanted = wanted(f, inst, k);
            if orders[v] == Order::Any || orders[v] == wanted {
                orders[v] = wanted;
            } else {
                orders[v] = Order::Same;
            }
        }
    }
    for &v in &f.results {
        orders[v] = Order::Same;
    }
    orders
}

fn wanted(f: &Func, inst: &Inst, operand: usize) -> Order {
    let Op::DotGeneral(dot) = &inst.op else { return Order::Same };
    let v = inst.operands[operand];
    let batches = if operand == 0 { &dot.lhs_batching_dims } else { &dot.rhs_batching_dims };
    let made = f.def(v).is_some_and(|(_, i)| is_elementwise(f, i));
    let large = f.tensor(v).checked_elements().is_some_and(|n| n >= Target::CPU.sizes.turned);
    let outermost = batches.iter().copied().eq(0..batches.len());
    if made && large && !outermost { Order::Batches(batches.clone()) } else { Order::Same }
}

/// The function with those values turned where products read them.
fn turned(m: &Module, f: &Func, orders: &EntityVec<Value, Order>) -> Func {
    let (mut out, mut env) = like(f);
    for inst in f.insts.values() {
        if let Op::DotGeneral(dot) = &inst.op {
            let mut dot = DotGeneral::clone(dot);
            let [lhs, rhs] = [inst.operands[0], inst.operands[1]].map(|v| permutation(f, orders, v));
            if let Some(perm) = lhs {
                renumber(&perm, [&mut dot.lhs_batching_dims, &mut dot.lhs_contracting_dims]);
            }
            if let Some(perm) = rhs {
                renumber(&perm, [&mut dot.rhs_batching_dims, &mut dot.rhs_contracting_dims]);
            }
            let operands = mapped(&env, &inst.operands);
            let types = inst.results.iter().map(|&r| f.ty(r).clone());
            let results = out.push_typed(dot.into(), &operands, types, inst.loc.clone());
            env[inst.results[0]] = Some(results[0]);
            continue;
        }
        rewrite::copy_inst(&mut out, f, inst, &mut env);
        for &v in &inst.results {
            if let Some(perm) = permutation(f, orders, v) {
                // Only products read it; the barrier says that it is stored as it is turned, not turned as it is read.
                let mut push = |op: Op, x: Value| rewrite::push(m, &mut out, op, &[x], &inst.loc)[0];
                let made = push(Transpose { perm }.into(), mapped(&env, &[v])[0]);
                env[v] = Some(push(OptimizationBarrier { region: 0 }.into(), made));
            }
        }
    }
    out.results = mapped(&env, &f.results).to_vec();
    out
}

/// Which dimension comes where, if a value is turned.
fn permutation(f: &Func, orders: &EntityVec<Value, Order>, v: Value) -> Option<Dims> {
    let Order::Batches(batches) = &orders[v] else { return None };
    let others = (0..f.tensor(v).rank()).filter(|d| !batches.contains(d));
    Some(batches.iter().copied().chain(others).collect())
}

/// The numbers of dimensions in an order.
pub(super) fn renumber(perm: &[usize], dims: [&mut Dims; 2]) {
    for d in dims.into_iter().flatten() {
        *d = perm.iter().position(|p| p == d).expect("a permutation has all");
    }
}
