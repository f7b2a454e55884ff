//! Values of what is only recorded, when Rust asks for them: the instructions that one depends on are run, and what they give is
//! kept beside the record.

use super::frames::{Flow, Later, STATE, State};
use super::{concrete, with_module};
use crate::eager;
use crate::error::Error;
use crate::tensor::{FrameId, Tensor, Tensors};
use crate::walk::replay_with;
use rustc_hash::FxHashSet;
use std::cell::OnceCell;
use std::panic::Location;
use std::rc::Rc;
use wengert_ir::entity::Entity;
use wengert_ir::func::{Def, FuncId, Inst, InstId, Module, Value};
use wengert_ir::op::{Effect, Op};

/// The value that a tensor has where it is now.
pub(crate) fn later(t: &Tensor) -> Later {
    let t = t.clone();
    Rc::new(move || concrete(&t, "", Location::caller()).ok())
}

/// Whether an operation does more than compute; guards of a tape hold where they are recorded.
fn acts(op: &Op) -> bool {
    op.effect() == Effect::Ordered && !matches!(op, Op::Check(_))
}

/// What a function of the frames' module gives, found once, when it is first asked for; `None` if arguments are unknown, if it
/// fails, or if it does more than compute, which is not done here.
pub(crate) fn evaluate(func: FuncId, args: Vec<Later>) -> impl Fn() -> Option<Vec<Tensor>> {
    let once = OnceCell::new();
    let run = move || {
        let (module, ids) = with_module(|m| (!m.reaches(func, &acts)).then(|| m.reachable(&[func])))?;
        let args = args.iter().map(|arg| arg()).collect::<Option<Vec<Tensor>>>()?;
        replay_with(&module.get(ids[0]), &args, &mut |op, operands, loc| match op {
            // Values are what they were when it was recorded.
            Op::Check(_) => Ok(Tensors::new()),
            op => eager::run(Some(&module), op, operands, loc.clone()),
        })
        .ok()
    };
    move || once.get_or_init(&run).clone()
}

/// The value of a tracer: as it is kept, or computed now if its frame is lazy and what it depends on is known.
pub(super) fn value_of(id: FrameId, value: Value) -> Result<Option<Tensor>, Error> {
    if let Some(known) = STATE.with_borrow(|s| s.value_of(id, value))? {
        return Ok(Some(known));
    }
    let Some(needed) = STATE.with_borrow(|s| s.needed(id, value)) else { return Ok(None) };
    for param in needed.params {
        let found = match STATE.with_borrow(|s| s.source(id, param)) {
            Some(Source::Captured(t)) => concrete(&t, "", Location::caller()).ok(),
            Some(Source::Later(later)) => later(),
            None => None,
        };
        let Some(found) = found else { return Ok(None) };
        STATE.with_borrow_mut(|s| s.keep(id, &[param], [found]));
    }
    for (inst, module) in needed.insts {
        let operands = STATE.with_borrow(|s| s.known(id, &inst.operands));
        let operands: Vec<&Tensor> = operands.iter().collect();
        let given = eager::run(module.as_ref(), &inst.op, &operands, inst.loc.clone())?;
        STATE.with_borrow_mut(|s| s.keep(id, &inst.results, given));
    }
    STATE.with_borrow(|s| s.value_of(id, value))
}

/// What a value depends on that is not known.
struct Needed {
    params: Vec<Value>,
    /// In order, with the functions that they refer to.
    insts: Vec<(Inst, Option<Module>)>,
}

enum Source {
    Captured(Tensor),
    Later(Later),
}

impl State {
    /// What has to be done for a value of a lazy frame; `None` if its frame is another, or if something that does more than compute
    /// would be run.
    fn needed(&self, id: FrameId, value: Value) -> Option<Needed> {
        let frame = self.frames.iter().find(|f| f.id == id).filter(|f| f.flow == Flow::Lazy)?;
        let (mut params, mut insts): (Vec<Value>, Vec<InstId>) = (Vec::new(), Vec::new());
        let (mut seen, mut stack) = (FxHashSet::default(), vec![value]);
        while let Some(v) = stack.pop() {
            let is_known = frame.values.get(v.index()).is_some_and(Option::is_some);
            if is_known || !seen.insert(v) {
                continue;
            }
            match frame.func.values[v].def {
                Def::Param(_) => params.push(v),
                Def::Inst(inst, _) => {
                    insts.push(inst);
                    stack.extend(&frame.func.insts[inst].operands);
                }
            }
        }
        insts.sort_unstable();
        insts.dedup();
        let with_functions = |inst: InstId| {
            let mut inst = frame.func.insts[inst].clone();
            let callees = inst.op.callees();
            if acts(&inst.op) || callees.iter().any(|&f| self.module.reaches(f, &acts)) {
                return None;
            }
            if callees.is_empty() {
                return Some((inst, None));
            }
            let (module, ids) = self.module.reachable(&callees);
            let mut ids = ids.into_iter();
            inst.op.map_callees(&mut |_| ids.next().expect("one for each"));
            Some((inst, Some(module)))
        };
        let insts = insts.into_iter().map(with_functions).collect::<Option<Vec<_>>>()?;
        Some(Needed { params, insts })
    }

    /// Where the value of a parameter comes from.
    fn source(&self, id: FrameId, param: Value) -> Option<Source> {
        let frame = self.frames.iter().find(|f| f.id == id)?;
        if let Some((t, _)) = frame.captures.iter().find(|(_, v)| *v == param) {
            return Some(Source::Captured(t.clone()));
        }
        let later = frame.later.iter().find(|(v, _)| *v == param)?;
        Some(Source::Later(later.1.clone()))
    }

    fn known(&self, id: FrameId, values: &[Value]) -> Vec<Tensor> {
        let frame = self.frames.iter().find(|f| f.id == id).expect("it is being traced");
        values.iter().map(|v| frame.values[v.index()].clone().expect("computed before")).collect()
    }

    fn keep(&mut self, id: FrameId, values: &[Value], given: impl IntoIterator<Item = Tensor>) {
        let frame = self.frames.iter_mut().find(|f| f.id == id).expect("it is being traced");
        for (v, t) in values.iter().zip(given) {
            frame.values[v.index()] = Some(t);
        }
    }
}
