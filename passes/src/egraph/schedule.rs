//! The new function while it is put together ([`Draft`]), and the order of its instructions.
//!
//! Instructions equal in operation and operands are one, also across pieces. Of two orders the one whose
//! peak of live bytes is lower is taken: the program's own, and a greedy one that prefers instructions which
//! free more than they allocate; the program's own on a tie.

use super::language::Head;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use wengert_ir::func::{Func, Loc, Module, Value};
use wengert_ir::op::{Effect, Op};
use wengert_ir::types::Type;

/// What makes two instructions equal: head, attributes, operands.
pub(super) type Key = (Head, u32, SmallVec<[u32; 4]>);

struct DraftInst {
    op: Op,
    operands: SmallVec<[u32; 4]>,
    results: SmallVec<[u32; 2]>,
    loc: Loc,
    /// Its place in the old function, or that of what needs it.
    order: u32,
    effect: Effect,
}

/// A function under construction. Values are numbers; the parameters come first.
pub(super) struct Draft {
    insts: Vec<DraftInst>,
    types: Vec<Type>,
    /// The instruction that defines a value; `None` for parameters.
    defs: Vec<Option<u32>>,
    known: FxHashMap<Key, SmallVec<[u32; 2]>>,
    params: usize,
}

impl Draft {
    pub(super) fn new(params: Vec<Type>) -> Self {
        let n = params.len();
        Draft {
            insts: Vec::new(),
            types: params,
            defs: vec![None; n],
            known: FxHashMap::default(),
            params: n,
        }
    }

    /// The values of an instruction, made unless there is an equal one.
    pub(super) fn emit(
        &mut self,
        m: &Module,
        key: Key,
        op: impl FnOnce() -> Op,
        types: &[Type],
        order: u32,
        loc: &Loc,
    ) -> SmallVec<[u32; 2]> {
        if let Some(results) = self.known.get(&key) {
            return results.clone();
        }
        let inst = self.insts.len() as u32;
        let results: SmallVec<[u32; 2]> = (0..types.len()).map(|k| (self.types.len() + k) as u32).collect();
        self.types.extend_from_slice(types);
        self.defs.resize(self.types.len(), Some(inst));
        let op = op();
        self.insts.push(DraftInst {
            effect: m.effect(&op),
            op,
            operands: key.2.clone(),
            results: results.clone(),
            loc: loc.clone(),
            order,
        });
        self.known.insert(key, results.clone());
        results
    }

    /// The literal of a value that is one.
    pub(super) fn constant(&self, value: u32) -> Option<&Op> {
        let op = &self.insts[self.defs[value as usize]? as usize].op;
        matches!(op, Op::Constant(_)).then_some(op)
    }

    /// The function, with the name, kind and parameters of `like`.
    pub(super) fn finish(self, like: &Func, results: &[u32]) -> Func {
        let flow = Flow::new(&self, results);
        let own = flow.schedule(&self, |_| 0);
        let order = match flow.peak(&self, &own) {
            peak if peak > 0 => {
                let lean = flow.schedule(&self, |net| net);
                if flow.peak(&self, &lean) < peak { lean } else { own }
            }
            _ => own,
        };
        let mut func = Func::new(like.name.clone(), like.kind);
        func.param_names = like.param_names.clone();
        func.insts.reserve(order.len());
        func.values.reserve(self.types.len());
        let mut map: Vec<Option<Value>> =
            self.types[..self.params].iter().map(|ty| Some(func.param(ty.clone()))).collect();
        map.resize(self.types.len(), None);
        let at = |map: &[Option<Value>], v: u32| map[v as usize].expect("operands come before users");
        for k in order {
            let inst = &self.insts[k as usize];
            let operands: SmallVec<[Value; 4]> = inst.operands.iter().map(|&v| at(&map, v)).collect();
            let types = inst.results.iter().map(|&v| self.types[v as usize].clone());
            let values = func.push_typed(inst.op.clone(), &operands, types, inst.loc.clone());
            inst.results.iter().zip(values).for_each(|(&v, value)| map[v as usize] = Some(value));
        }
        func.results = results.iter().map(|&v| at(&map, v)).collect();
        func
    }
}

/// Who uses what, among instructions that results and effects need.
struct Flow {
    live: Vec<bool>,
    /// Instructions that use each value, each once.
    users: Vec<SmallVec<[u32; 4]>>,
    is_result: Vec<bool>,
    bytes: Vec<i64>,
    /// The instruction with an effect that comes next after each one with an effect.
    next_effect: FxHashMap<u32, u32>,
}

impl Flow {
    fn new(draft: &Draft, results: &[u32]) -> Flow {
        let mut flow = Flow {
            live: vec![false; draft.insts.len()],
            users: vec![SmallVec::new(); draft.types.len()],
            is_result: vec![false; draft.types.len()],
            bytes: Vec::with_capacity(draft.types.len()),
            next_effect: FxHashMap::default(),
        };
        let insts = (0u32..).zip(&draft.insts);
        let mut effects: Vec<(u32, u32)> =
            insts.filter(|(_, i)| i.effect == Effect::Ordered).map(|(k, i)| (i.order, k)).collect();
        effects.sort_unstable();
        flow.next_effect = effects.windows(2).map(|w| (w[0].1, w[1].1)).collect();
        results.iter().for_each(|&v| flow.is_result[v as usize] = true);
        for (k, inst) in draft.insts.iter().enumerate().rev() {
            let read = |&v: &u32| flow.is_result[v as usize] || !flow.users[v as usize].is_empty();
            if inst.effect == Effect::Ordered || inst.results.iter().any(read) {
                flow.live[k] = true;
                for &v in &inst.operands {
                    let users = &mut flow.users[v as usize];
                    if users.last() != Some(&(k as u32)) {
                        users.push(k as u32);
                    }
                }
            }
        }
        for (ty, def) in draft.types.iter().zip(&draft.defs) {
            let owned = def.is_some_and(|k| owns_memory(&draft.insts[k as usize].op));
            let bytes =
                ty.as_tensor().filter(|_| owned).map_or(0, |t| crate::cost::bytes(t).min(1 << 50) as i64);
            flow.bytes.push(bytes);
        }
        flow
    }

    /// A topological order: of the instructions whose operands are there, the one of least rank of its net
    /// change of live bytes, then the one that came first in the program.
    fn schedule(&self, draft: &Draft, rank: impl Fn(i64) -> i64) -> Vec<u32> {
        let mut missing: Vec<u32> = vec![0; draft.insts.len()];
        let mut left: Vec<u32> = self.users.iter().map(|u| u.len() as u32).collect();
        for users in self.users.iter().enumerate().filter(|(v, _)| draft.defs[*v].is_some()).map(|(_, u)| u) {
            users.iter().for_each(|&k| missing[k as usize] += 1);
        }
        self.next_effect.values().for_each(|&k| missing[k as usize] += 1);
        let entry = |k: u32, left: &[u32]| {
            let inst = &draft.insts[k as usize];
            Reverse((rank(self.net(inst, left)), inst.order, k))
        };
        let mut done = vec![false; draft.insts.len()];
        let mut heap: BinaryHeap<_> = (0..draft.insts.len() as u32)
            .filter(|&k| self.live[k as usize] && missing[k as usize] == 0)
            .map(|k| entry(k, &left))
            .collect();
        let mut out = Vec::with_capacity(draft.insts.len());
        while let Some(Reverse((.., k))) = heap.pop() {
            if std::mem::replace(&mut done[k as usize], true) {
                continue;
            }
            out.push(k);
            let inst = &draft.insts[k as usize];
            let users = inst.results.iter().flat_map(|&v| &self.users[v as usize]);
            for &next in users.chain(self.next_effect.get(&k)) {
                missing[next as usize] -= 1;
                if missing[next as usize] == 0 {
                    heap.push(entry(next, &left));
                }
            }
            for (at, &v) in inst.operands.iter().enumerate() {
                if inst.operands[..at].contains(&v) {
                    continue;
                }
                left[v as usize] -= 1;
                if left[v as usize] == 1 {
                    // Its last reader frees it now: that may make the reader come earlier.
                    let last = self.users[v as usize].iter().find(|&&u| !done[u as usize]);
                    if let Some(&user) = last.filter(|&&u| missing[u as usize] == 0) {
                        heap.push(entry(user, &left));
                    }
                }
            }
        }
        out
    }

    /// Bytes an instruction allocates less those it frees, when `left` readers of each value are left.
    fn net(&self, inst: &DraftInst, left: &[u32]) -> i64 {
        let allocated: i64 = inst.results.iter().map(|&v| self.bytes[v as usize]).sum();
        let freed = inst.operands.iter().enumerate().filter(|(at, v)| {
            !inst.operands[..*at].contains(v) && left[**v as usize] == 1 && !self.is_result[**v as usize]
        });
        allocated - freed.map(|(_, &v)| self.bytes[v as usize]).sum::<i64>()
    }

    /// The most bytes that are live at once.
    fn peak(&self, draft: &Draft, order: &[u32]) -> i64 {
        let mut left: Vec<u32> = self.users.iter().map(|u| u.len() as u32).collect();
        let (mut live, mut peak) = (0i64, 0i64);
        for &k in order {
            let inst = &draft.insts[k as usize];
            live += inst.results.iter().map(|&v| self.bytes[v as usize]).sum::<i64>();
            peak = peak.max(live);
            for (at, &v) in inst.operands.iter().enumerate() {
                if inst.operands[..at].contains(&v) {
                    continue;
                }
                left[v as usize] -= 1;
                if left[v as usize] == 0 && !self.is_result[v as usize] {
                    live -= self.bytes[v as usize];
                }
            }
            for &v in &inst.results {
                if self.users[v as usize].is_empty() && !self.is_result[v as usize] {
                    live -= self.bytes[v as usize];
                }
            }
        }
        peak
    }
}

/// Whether results take memory of their own. What is a formula of the position, or repeats its operand, is
/// computed where it is read.
fn owns_memory(op: &Op) -> bool {
    !matches!(op, Op::Constant(_) | Op::Zero(_) | Op::Iota(_) | Op::BroadcastInDim(_))
}
