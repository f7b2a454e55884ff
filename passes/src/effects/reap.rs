//! Named values as results.
//!
//! Of a loop they are stacked, a row per trip; of a branch they are there if every branch names them. Of a function with a
//! derivative of its own they are differentiated as they are computed, and its results by the rule. A loop whose number of
//! trips nobody knows has no stack: that is refused.

use super::custom::{Runs, only_more, passes_with, rule_with, runs};
use crate::error::TransformError;
use crate::inline::{callees_first, inline_calls};
use crate::raise::raise;
use crate::rewrite::{copy_inst, like, mapped};
use crate::structure::Loop;
use wengert_ir::func::{Func, FuncId, FuncKind, Inst, Module, Value};
use wengert_ir::op::{Call, Case, Checkpoint, CustomJvp, CustomVjp, Op, Text};
use wengert_ir::types::{DYNAMIC, Type};

/// The names of values in a function and in what it runs, each once, in order.
pub fn sown(m: &Module, func: FuncId) -> Vec<Text> {
    let mut names: Vec<Text> = Vec::new();
    for id in callees_first(m, func) {
        for inst in m.funcs[id].insts.values() {
            if let Op::Sow(sow) = &inst.op
                && !names.contains(&sow.name)
            {
                names.push(sow.name.clone());
            }
        }
    }
    names.sort();
    names
}

/// `func` with further results: the values of these names, in this order. The names are gone from it; others stay.
///
/// Fails if there is no value of a name or more than one, or if it is where it cannot be had.
pub fn reap(m: &mut Module, func: FuncId, names: &[Text]) -> Result<FuncId, TransformError> {
    let inlined = inline_calls(m, func);
    let raised = raise(m, inlined);
    let (mut out, found) = Reaper { m, names }.body(raised)?;
    for name in names {
        let Some((_, value)) = found.iter().find(|(n, _)| n == name) else {
            let others = sown(m, func);
            let message = match &others[..] {
                [] => format!("nothing is sown as `{name}`, nor as anything else"),
                all => format!("nothing is sown as `{name}`; there is `{}`", all.join("`, `")),
            };
            return Err(TransformError::new(message));
        };
        out.results.push(*value);
    }
    out.kind = FuncKind::Private;
    out.name = m.fresh_name(&format!("{}_reaped", m.funcs[func].name));
    Ok(m.add(out))
}

/// The functions whose values are those of an operation: not its derivative rules.
pub(super) fn gives(op: &Op) -> Vec<FuncId> {
    match op {
        Op::CustomJvp(custom) => vec![custom.body],
        Op::CustomVjp(custom) => vec![custom.body],
        op => op.callees(),
    }
}

/// Names with their values.
type Found = Vec<(Text, Value)>;

struct Reaper<'m> {
    m: &'m mut Module,
    names: &'m [Text],
}

impl Reaper<'_> {
    /// Whether there are values of the names in what a function runs.
    fn has(&self, func: FuncId) -> bool {
        self.m.reaches(func, &|op| matches!(op, Op::Sow(sow) if self.names.contains(&sow.name)))
    }

    /// A function without the names, and the values they are of.
    fn body(&mut self, id: FuncId) -> Result<(Func, Found), TransformError> {
        let f = self.m.get(id);
        let (mut out, mut env) = like(&f);
        let mut found = Found::new();
        for inst in f.insts.values() {
            let more = if let Op::Sow(sow) = &inst.op
                && self.names.contains(&sow.name)
            {
                let value = mapped(&env, &inst.operands)[0];
                env[inst.results[0]] = Some(value);
                vec![(sow.name.clone(), value)]
            } else if gives(&inst.op).into_iter().any(|callee| self.has(callee)) {
                let (op, names, types) = self.inside(&f, inst)?;
                let operands = mapped(&env, &inst.operands);
                let own = inst.results.iter().map(|&r| f.ty(r).clone());
                let results = out.push_typed(op, &operands, own.chain(types), inst.loc.clone());
                for (&old, &new) in inst.results.iter().zip(&results) {
                    env[old] = Some(new);
                }
                names.into_iter().zip(results[inst.results.len()..].iter().copied()).collect()
            } else {
                copy_inst(&mut out, &f, inst, &mut env);
                continue;
            };
            for (name, value) in more {
                if found.iter().any(|(known, _)| *known == name) {
                    let message =
                        format!("`{name}` is sown more than once: every value needs a name of its own");
                    return Err(TransformError::at(&f, inst, message));
                }
                found.push((name, value));
            }
        }
        out.results = mapped(&env, &f.results).to_vec();
        Ok((out, found))
    }

    /// A function with its values as further results: it, their names and their types.
    fn with_results(&mut self, id: FuncId) -> Result<(FuncId, Vec<Text>, Vec<Type>), TransformError> {
        let (mut func, found) = self.body(id)?;
        let types = found.iter().map(|(_, v)| func.ty(*v).clone()).collect();
        let (names, values): (Vec<Text>, Vec<Value>) = found.into_iter().unzip();
        func.results.extend(values);
        Ok((self.m.add(func), names, types))
    }

    /// An operation that also gives the values in what it runs.
    fn inside(&mut self, f: &Func, inst: &Inst) -> Result<(Op, Vec<Text>, Vec<Type>), TransformError> {
        let refused = |message: String| TransformError::at(f, inst, message);
        if let Some(l) = Loop::of(&inst.op, inst.operands.len(), inst.results.len()) {
            if l.length() == DYNAMIC {
                let message =
                    "a value is sown in a loop whose number of trips is not known: nobody could stack it";
                return Err(refused(message.to_owned()));
            }
            let (body, names, rows) = self.with_results(l.body)?;
            let length = l.length();
            let stacked = |ty: Type| Type::from(ty.tensor().stacked(length));
            return Ok((Loop { body, ..l }.op(), names, rows.into_iter().map(stacked).collect()));
        }
        match runs(&inst.op, "a value is sown").map_err(refused)? {
            Runs::Call(call) => {
                let (callee, names, types) = self.with_results(call.callee)?;
                Ok((Call { callee }.into(), names, types))
            }
            Runs::Checkpoint(checkpoint) => {
                let (body, names, types) = self.with_results(checkpoint.body)?;
                Ok((Checkpoint { body, ..checkpoint.clone() }.into(), names, types))
            }
            Runs::Case(case) => self.branches(f, inst, case),
            Runs::CustomJvp(custom) => {
                let (body, names, types) = self.with_results(custom.body)?;
                let results = inst.results.len();
                let more = only_more(&self.m.get(body), results);
                let rule = rule_with(self.m, custom, results, &more)?;
                Ok((CustomJvp { body, rule, consts: custom.consts }.into(), names, types))
            }
            Runs::CustomVjp(custom) => {
                let (body, names, types) = self.with_results(custom.body)?;
                let results = inst.results.len();
                let more = only_more(&self.m.get(body), results);
                let (forward, backward) = passes_with(self.m, custom, results, &more)?;
                Ok((CustomVjp { body, forward, backward, ..custom.clone() }.into(), names, types))
            }
            Runs::While(_) | Runs::Scan(_) => unreachable!("loops are above"),
        }
    }

    /// A choice whose every branch gives the values.
    fn branches(
        &mut self,
        f: &Func,
        inst: &Inst,
        case: &Case,
    ) -> Result<(Op, Vec<Text>, Vec<Type>), TransformError> {
        let mut branches = Vec::new();
        let mut all: Option<(Vec<Text>, Vec<Type>)> = None;
        for &branch in &case.branches {
            let (mut func, mut found) = self.body(branch)?;
            found.sort();
            let types: Vec<Type> = found.iter().map(|(_, v)| func.ty(*v).clone()).collect();
            let (names, values): (Vec<Text>, Vec<Value>) = found.into_iter().unzip();
            if let Some((others, other_types)) = &all
                && (*others != names || *other_types != types)
            {
                let message = "every branch must sow the same names, of the same types: what has no value in one branch \
                     would have none at all";
                return Err(TransformError::at(f, inst, message));
            }
            func.results.extend(values);
            branches.push(self.m.add(func));
            all = Some((names, types));
        }
        let (names, types) = all.unwrap_or_default();
        Ok((Case { branches }.into(), names, types))
    }
}
