//! Makes equal functions one, so that equal calls, loops and branches are equal instructions, which `simplify` merges, and so
//! that a function is optimized once however often it was written down.
//!
//! Names and places in the source do not matter; where functions differ in them, the first one stays. The place of what may stop
//! the program with a word of its own matters: the word names it.

use crate::inline::callees_first;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use wengert_ir::func::{Func, FuncId, Loc, Module};
use wengert_ir::op::{Effect, Op};

/// `func` with one function for all equal ones that it runs. It is `func` itself if none are equal.
pub(crate) fn intern(m: &mut Module, func: FuncId) -> FuncId {
    let mut known: FxHashMap<Func, FuncId> = FxHashMap::default();
    let mut done: FxHashMap<FuncId, FuncId> = FxHashMap::default();
    for id in callees_first(m, func) {
        let mut own: Arc<Func> = m.get(id);
        let renames = own.insts.values().any(|i| i.op.callees().iter().any(|c| done[c] != *c));
        if renames {
            let mut new = Func::clone(&own);
            new.insts.values_mut().for_each(|i| i.op.map_callees(&mut |c| done[&c]));
            own = Arc::new(new);
        }
        let keep = |m: &mut Module| if renames { m.funcs.push(own.clone()) } else { id };
        // The function itself keeps its name, whatever it equals.
        let new = if id == func {
            keep(m)
        } else {
            let mut key = Func { name: String::new(), param_names: Vec::new(), ..Func::clone(&own) };
            let speaks = |op: &Op| op.effect() == Effect::Ordered || matches!(op, Op::CustomCall(_));
            key.insts.values_mut().filter(|i| !speaks(&i.op)).for_each(|i| i.loc = Loc::Unknown);
            *known.entry(key).or_insert_with(|| keep(m))
        };
        done.insert(id, new);
    }
    done[&func]
}
