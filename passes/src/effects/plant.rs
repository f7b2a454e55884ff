//! Named values from outside: the opposite of [`reap`](super::reap()).
//!
//! A function takes further arguments, which stand for the values that it sows under their names, wherever these are used. Of a
//! loop they are stacked, a row per trip, as they are fetched; branches that sow one name have one value. A function with a
//! derivative of its own computes with what it was given, which its rule knows nothing of: that is refused.

use super::custom::{Runs, runs};
use super::reap::{gives, unknown};
use crate::error::TransformError;
use crate::inline::inline_calls;
use crate::raise::raise;
use crate::rewrite::{copy_inst, like, mapped};
use crate::structure::Loop;
use wengert_ir::func::{Func, FuncId, FuncKind, Inst, Module, Value};
use wengert_ir::op::{Call, Case, Checkpoint, Op, Text};
use wengert_ir::types::{DYNAMIC, TensorType, Type};

/// `func` with further parameters: what it has in place of the values that it sows under these names, in this order; those of
/// one name stand for its values in the order of the program. The names are gone from it; others stay.
///
/// Fails if nothing is sown under a name, or another number of values than is given for it, if one has another type than is
/// said, or if it is where nothing can be put.
pub fn plant(m: &mut Module, func: FuncId, values: &[(Text, TensorType)]) -> Result<FuncId, TransformError> {
    let names: Vec<Text> = values.iter().map(|(name, _)| name.clone()).collect();
    let names = &names;
    let inlined = inline_calls(m, func);
    let raised = raise(m, inlined);
    let (body, found) = Planter { m, names }.body(raised)?;
    for name in names {
        let sown = found.iter().filter(|(n, _)| n == name).count();
        let given = names.iter().filter(|&n| n == name).count();
        if sown == 0 {
            return Err(unknown(m, func, name));
        }
        if sown != given {
            let message = format!(
                "`{name}` is sown {}, and {given} {} planted for it: `plant_all` takes a value for each, or give each a name of \
                 its own, in a scope as `named(\"layer1\", ..)` is one",
                if sown == 1 { "once".to_owned() } else { format!("{sown} times") },
                if given == 1 { "value is" } else { "values are" },
            );
            return Err(TransformError::new(message));
        }
    }
    let f = m.get(func);
    let mut out = Func::new(m.fresh_name(&format!("{}_planted", f.name)), FuncKind::Private);
    let mut args: Vec<Value> = f.params.iter().map(|&p| out.param(f.ty(p).clone())).collect();
    let given: Vec<Value> = values.iter().map(|(_, ty)| out.param(ty.clone())).collect();
    for (k, (name, ty)) in found.iter().enumerate() {
        let before = found[..k].iter().filter(|(n, _)| n == name).count();
        let own = values.iter().zip(&given).filter(|((n, _), _)| n == name).nth(before);
        let ((_, said), value) = own.expect("as many are given as are sown");
        if *ty != Type::from(said.clone()) {
            let message = format!("`{name}` is {ty}, what is planted for it is {said}");
            return Err(TransformError::new(message));
        }
        args.push(*value);
    }
    out.results = out.inline(&body, &args);
    Ok(m.add(out))
}

/// Names with the types of their values, in the order of the parameters that stand for them, which are the last ones.
type Found = Vec<(Text, Type)>;

struct Planter<'m> {
    m: &'m mut Module,
    names: &'m [Text],
}

impl Planter<'_> {
    fn has(&self, func: FuncId) -> bool {
        self.m.reaches(func, &|op| matches!(op, Op::Sow(sow) if self.names.contains(&sow.name)))
    }

    fn body(&mut self, id: FuncId) -> Result<(Func, Found), TransformError> {
        let f = self.m.get(id);
        let (mut out, mut env) = like(&f);
        out.param_names.clear();
        let mut found = Found::new();
        for inst in f.insts.values() {
            let more: Found = if let Op::Sow(sow) = &inst.op
                && self.names.contains(&sow.name)
            {
                let ty = f.ty(inst.results[0]).clone();
                env[inst.results[0]] = Some(out.param(ty.clone()));
                vec![(sow.name.clone(), ty)]
            } else if gives(&inst.op).into_iter().any(|callee| self.has(callee)) {
                let (op, found) = self.inside(&f, inst)?;
                let mut operands = mapped(&env, &inst.operands).to_vec();
                operands.extend(found.iter().map(|(_, ty)| out.param(ty.clone())));
                let types = inst.results.iter().map(|&r| f.ty(r).clone());
                let results = out.push_typed(op, &operands, types, inst.loc.clone());
                for (&old, new) in inst.results.iter().zip(results) {
                    env[old] = Some(new);
                }
                found
            } else {
                copy_inst(&mut out, &f, inst, &mut env);
                continue;
            };
            found.extend(more);
        }
        out.results = mapped(&env, &f.results).to_vec();
        Ok((out, found))
    }

    /// An operation that takes, after its operands, the values in what it runs.
    fn inside(&mut self, f: &Func, inst: &Inst) -> Result<(Op, Found), TransformError> {
        let refused = |message: String| TransformError::at(f, inst, message);
        if let Some(l) = Loop::of(&inst.op, inst.operands.len(), inst.results.len()) {
            let length = l.length();
            if length == DYNAMIC {
                let message = "a value is sown in a loop whose number of trips is not known, so there is no row for each: give the \
                     loop a number of trips, or make the value an argument of the function";
                return Err(refused(message.to_owned()));
            }
            let (body, found) = self.body(l.body)?;
            let body = self.m.add(body);
            let stacked = |(name, ty): (Text, Type)| (name, Type::from(ty.tensor().stacked(length)));
            return Ok((Loop { body, ..l }.op(), found.into_iter().map(stacked).collect()));
        }
        match runs(&inst.op, "a value is sown").map_err(refused)? {
            Runs::Call(call) => {
                let (callee, found) = self.body(call.callee)?;
                Ok((Call { callee: self.m.add(callee) }.into(), found))
            }
            Runs::Checkpoint(checkpoint) => {
                let (body, found) = self.body(checkpoint.body)?;
                Ok((Checkpoint { body: self.m.add(body), ..checkpoint.clone() }.into(), found))
            }
            Runs::Case(case) => self.branches(f, inst, case),
            Runs::CustomJvp(_) | Runs::CustomVjp(_) => Err(refused(
                "a value is sown in a function with a derivative of its own, whose rule would know nothing of what is planted: \
                 sow it outside"
                    .to_owned(),
            )),
            Runs::While(_) | Runs::Scan(_) => unreachable!("loops are above"),
        }
    }

    /// A choice whose branches all take what any of them has.
    fn branches(&mut self, f: &Func, inst: &Inst, case: &Case) -> Result<(Op, Found), TransformError> {
        let parts = case.branches.iter().map(|&b| self.body(b)).collect::<Result<Vec<_>, _>>()?;
        let mut all = Found::new();
        // The k-th of a name in one branch is the k-th in another.
        let place = |all: &Found, name: &Text, k: usize| {
            all.iter().enumerate().filter(|(_, (known, _))| known == name).nth(k).map(|(at, _)| at)
        };
        let nth = |found: &Found, k: usize| found[..k].iter().filter(|(n, _)| *n == found[k].0).count();
        for (_, found) in &parts {
            for (k, (name, ty)) in found.iter().enumerate() {
                match place(&all, name, nth(found, k)).map(|at| &all[at].1) {
                    None => all.push((name.clone(), ty.clone())),
                    Some(known) if known == ty => {}
                    Some(known) => {
                        let message = format!("`{name}` is {known} in one branch and {ty} in another");
                        return Err(TransformError::at(f, inst, message));
                    }
                }
            }
        }
        let captures = inst.operands.len() - 1;
        let mut branches = Vec::new();
        for (body, found) in parts {
            let mut out = Func::new(body.name.clone(), body.kind);
            let mut args: Vec<Value> =
                body.params[..captures].iter().map(|&p| out.param(body.ty(p).clone())).collect();
            let given: Vec<Value> = all.iter().map(|(_, ty)| out.param(ty.clone())).collect();
            for (k, (name, _)) in found.iter().enumerate() {
                args.push(given[place(&all, name, nth(&found, k)).expect("all have it")]);
            }
            out.results = out.inline(&body, &args);
            branches.push(self.m.add(out));
        }
        Ok((Case { branches }.into(), all))
    }
}
