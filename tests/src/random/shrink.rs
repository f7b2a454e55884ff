//! Makes a failing program small: as few instructions, results and arguments as still fail at the same stage.

use super::Program;
use super::check::{Failure, Outcome, Ways, check};
use std::sync::Arc;
use wengert_ir::entity::{Entity, EntityVec};
use wengert_ir::func::{Func, FuncId, FuncKind, InstId, Value};
use wengert_ir::op::{Effect, Op};
use wengert_ir::types::{TensorType, Type};

/// How many smaller programs are tried.
const TRIES: usize = 3000;

/// A smaller program that fails at the same stage, and how it fails.
pub fn shrink(program: &Program, failure: &Failure) -> (Program, Failure) {
    let mut search = Search { best: program.clone(), failure: failure.clone(), left: TRIES };
    search.results();
    loop {
        let before = (search.size(), search.best.args.len());
        search.instructions();
        search.parameters();
        if (search.size(), search.best.args.len()) == before || search.left == 0 {
            return (search.best, search.failure);
        }
    }
}

struct Search {
    best: Program,
    failure: Failure,
    left: usize,
}

impl Search {
    /// Takes a candidate if it still fails at the same stage.
    fn try_one(&mut self, candidate: Program) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        match check(&candidate, Ways::Only(self.failure.stage)) {
            Outcome::Fails(failure) => {
                (self.best, self.failure) = (candidate, failure);
                true
            }
            Outcome::Agrees | Outcome::Skipped(_) | Outcome::IllConditioned(_) => false,
        }
    }

    fn funcs(&self) -> Vec<FuncId> {
        let (main, module) = (self.best.func, &self.best.module);
        let (mut seen, mut work) = (vec![main], vec![main]);
        while let Some(f) = work.pop() {
            for c in module.get(f).insts.values().flat_map(|i| i.op.callees()) {
                if !seen.contains(&c) {
                    seen.push(c);
                    work.push(c);
                }
            }
        }
        seen
    }

    fn size(&self) -> usize {
        self.funcs().iter().map(|&f| self.best.module.get(f).insts.len()).sum()
    }

    /// One result in place of all.
    fn results(&mut self) {
        let func = self.best.module.get(self.best.func);
        for k in 0..func.results.len() {
            let mut candidate = self.best.clone();
            let results = vec![func.results[k]];
            candidate.module.funcs[candidate.func] = Arc::new(alive(&Func { results, ..Func::clone(&func) }));
            if self.try_one(candidate) {
                return;
            }
        }
    }

    /// An operand, a constant or a parameter in place of each result of each instruction, of every function.
    fn instructions(&mut self) {
        for f in self.funcs() {
            let mut k = self.best.module.get(f).insts.len();
            while k > 0 {
                k -= 1;
                let func = self.best.module.get(f);
                let Some(inst) = func.insts.get(InstId::from_index(k)) else { continue };
                // Another number in place of a loop's counter or bound may be a loop without end.
                let counts =
                    |ty: &TensorType| ty.rank() == 0 && !ty.dtype.is_float() && !ty.dtype.is_complex();
                let counts = inst.results.iter().any(|&r| func.ty(r).as_tensor().is_some_and(counts));
                if matches!(inst.op, Op::Constant(_)) || counts && func.kind == FuncKind::Region {
                    continue;
                }
                for way in (0..4).filter(|&way| !counts || way != 1) {
                    let Some(new) = without(&func, k, way) else { continue };
                    let mut candidate = self.best.clone();
                    candidate.module.funcs[f] = Arc::new(alive(&new));
                    if self.try_one(candidate) {
                        break;
                    }
                }
            }
        }
    }

    /// Drops parameters that nothing reads.
    fn parameters(&mut self) {
        let func = self.best.module.get(self.best.func);
        let used =
            |p: Value| func.results.contains(&p) || func.insts.values().any(|i| i.operands.contains(&p));
        let keep: Vec<bool> = func.params.iter().map(|&p| used(p)).collect();
        if !keep.contains(&false) {
            return;
        }
        let mut new = Func::new(func.name.clone(), func.kind);
        let mut map = EntityVec::<Value, Option<Value>>::filled(None, func.values.len());
        for (&p, _) in func.params.iter().zip(&keep).filter(|(_, k)| **k) {
            map[p] = Some(new.param(func.ty(p).clone()));
        }
        copy(&func, &mut new, &mut map, |_| true);
        let mut candidate = self.best.clone();
        candidate.module.funcs[candidate.func] = Arc::new(new);
        let mut k = 0;
        candidate.args.retain(|_| {
            k += 1;
            keep[k - 1]
        });
        self.try_one(candidate);
    }
}

/// The function with other values in place of those of instruction `at`: the first operand of the type, the first
/// parameter, ones, or zeros.
fn without(func: &Func, at: usize, way: usize) -> Option<Func> {
    let mut new = Func::new(func.name.clone(), func.kind);
    let mut map = EntityVec::<Value, Option<Value>>::filled(None, func.values.len());
    for &p in &func.params {
        map[p] = Some(new.param(func.ty(p).clone()));
    }
    for (id, inst) in func.insts.iter() {
        if id.index() != at {
            let operands: Vec<Value> =
                inst.operands.iter().map(|&v| map[v].expect("topological order")).collect();
            let types = inst.results.iter().map(|&r| func.ty(r).clone());
            let results = new.push_typed(inst.op.clone(), &operands, types, inst.loc.clone());
            inst.results.iter().zip(results).for_each(|(&old, r)| map[old] = Some(r));
            continue;
        }
        for &r in &inst.results {
            let ty = func.ty(r);
            let known: &[Value] = match way {
                0 => &inst.operands,
                1 => &func.params,
                _ => &[],
            };
            map[r] = Some(match known.iter().find(|&&v| func.ty(v) == ty) {
                Some(&v) => map[v].expect("defined before"),
                None if way < 2 => return None,
                None => {
                    let ty: TensorType = ty.as_tensor().filter(|t| t.is_static())?.clone();
                    let op = Op::splat(ty.clone(), if way == 2 { 1.0 } else { 0.0 });
                    new.push_typed(op, &[], [Type::Tensor(ty)], inst.loc.clone())[0]
                }
            });
        }
    }
    new.results = func.results.iter().map(|&r| map[r].expect("defined")).collect();
    Some(new)
}

/// Without what nothing reads. Not the pass of that purpose, which may be what fails.
fn alive(func: &Func) -> Func {
    let mut used = EntityVec::<Value, bool>::filled(false, func.values.len());
    func.results.iter().for_each(|&r| used[r] = true);
    let mut live = EntityVec::<InstId, bool>::filled(false, func.insts.len());
    for k in (0..func.insts.len()).rev() {
        let id = InstId::from_index(k);
        let inst = &func.insts[id];
        live[id] = inst.op.effect() == Effect::Ordered || inst.results.iter().any(|&r| used[r]);
        if live[id] {
            inst.operands.iter().for_each(|&v| used[v] = true);
        }
    }
    let mut new = Func::new(func.name.clone(), func.kind);
    let mut map = EntityVec::<Value, Option<Value>>::filled(None, func.values.len());
    for &p in &func.params {
        map[p] = Some(new.param(func.ty(p).clone()));
    }
    copy(func, &mut new, &mut map, |id| live[id]);
    new
}

fn copy(
    func: &Func,
    new: &mut Func,
    map: &mut EntityVec<Value, Option<Value>>,
    keep: impl Fn(InstId) -> bool,
) {
    for (_, inst) in func.insts.iter().filter(|(id, _)| keep(*id)) {
        let operands: Vec<Value> =
            inst.operands.iter().map(|&v| map[v].expect("topological order")).collect();
        let types = inst.results.iter().map(|&r| func.ty(r).clone());
        let results = new.push_typed(inst.op.clone(), &operands, types, inst.loc.clone());
        inst.results.iter().zip(results).for_each(|(&old, r)| map[old] = Some(r));
    }
    new.results = func.results.iter().map(|&r| map[r].expect("defined")).collect();
}
