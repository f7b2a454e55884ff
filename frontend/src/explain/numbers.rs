//! Numbers for expressions: two values, of one program or of two, have the same number if and only if they are the same
//! expression of parameters at the same place.

use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use wengert_ir::entity::{Entity, EntityVec};
use wengert_ir::func::{FuncId, Inst, Module, Value};
use wengert_ir::op::Op;
use wengert_ir::types::Type;

#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    /// Depth of the function, position, type.
    Param(usize, usize, Type),
    Op(Box<Op>, Vec<u32>),
    Part(u32, usize),
    /// Parameters' types, results, instructions with effects.
    Func(Vec<Type>, Vec<u32>, usize),
}

/// The table.
#[derive(Default)]
pub(super) struct Numbers(FxHashMap<Key, u32>);

impl Numbers {
    fn of_key(&mut self, key: Key) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(key).or_insert(next)
    }

    /// Numbers of all instructions of a function and of those nested in it.
    pub(super) fn of(&mut self, m: &Module, func: FuncId) -> BTreeSet<u32> {
        let mut out = BTreeSet::new();
        self.collect(m, func, 0, &mut out);
        out
    }

    fn collect(&mut self, m: &Module, func: FuncId, depth: usize, out: &mut BTreeSet<u32>) {
        out.extend(self.insts(m, func, depth));
        for callee in m.funcs[func].insts.values().flat_map(|i| i.op.callees()) {
            self.collect(m, callee, depth + 1, out);
        }
    }

    /// The number of each instruction of a function that is nested so deep, in order.
    pub(super) fn insts(&mut self, m: &Module, func: FuncId, depth: usize) -> Vec<u32> {
        self.number(m, func, depth).0
    }

    /// Numbers of a function's instructions, and its own.
    fn number(&mut self, m: &Module, id: FuncId, depth: usize) -> (Vec<u32>, u32) {
        let func = m.get(id);
        let mut values = EntityVec::<Value, u32>::filled(0, func.values.len());
        for (k, &p) in func.params.iter().enumerate() {
            values[p] = self.of_key(Key::Param(depth, k, func.ty(p).clone()));
        }
        let mut insts = Vec::with_capacity(func.insts.len());
        for Inst { op, operands, results, .. } in func.insts.values() {
            let mut op = op.clone();
            op.map_callees(&mut |c| FuncId::from_index(self.number(m, c, depth + 1).1 as usize));
            let number = self.of_key(Key::Op(Box::new(op), operands.iter().map(|&v| values[v]).collect()));
            for (k, &r) in results.iter().enumerate() {
                values[r] = self.of_key(Key::Part(number, k));
            }
            insts.push(number);
        }
        let results = func.results.iter().map(|&v| values[v]).collect();
        let effects = func.insts.values().filter(|i| i.results.is_empty()).count();
        let own = self.of_key(Key::Func(func.param_types(), results, effects));
        (insts, own)
    }
}
