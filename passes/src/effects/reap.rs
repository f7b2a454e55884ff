//! Named values as results.
//!
//! Of a loop they are stacked, a row per trip; of a branch they are there if every branch names them. Of a function with a
//! derivative of its own they are differentiated as they are computed, and its results by the rule. A loop whose number of
//! trips nobody knows has no stack: that is refused.
//!
//! Where the last value alone is asked for, loops carry it and branches need not have one: beside a value stands a flag that
//! says whether there is one, unless there is always one.

use super::custom::{Runs, moved, only_more, passes_with, rule_with, runs};
use crate::batch::is_one_example;
use crate::error::TransformError;
use crate::inline::inline_calls;
use crate::raise::raise;
use crate::rewrite::{copy_inst, like, mapped, push};
use crate::structure::{Loop, LoopKind};
use std::collections::BTreeSet;
use wengert_ir::func::{Func, FuncId, FuncKind, Inst, Loc, Module, Value};
use wengert_ir::op::{
    BinaryOp, BroadcastInDim, Call, Case, Checkpoint, CustomJvp, CustomVjp, Op, Select, Text,
};
use wengert_ir::types::{DType, DYNAMIC, TensorType, Type};

/// Which values of a name are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// The only one: more are an error.
    One,
    /// All, in the order of the program.
    All,
    /// The one that was computed last, if one was.
    Last,
}

/// A value that is fetched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reaped {
    /// Its name.
    pub name: Text,
    /// Whether a boolean comes after it that says if it is there.
    pub may_lack: bool,
}

/// The names of values in a function and in what its values come from, each once, in order: not those in rules of derivatives.
pub fn sown(m: &Module, func: FuncId) -> Vec<Text> {
    let mut names: BTreeSet<Text> = BTreeSet::new();
    let (mut seen, mut work) = (BTreeSet::from([func]), vec![func]);
    while let Some(id) = work.pop() {
        for inst in m.funcs[id].insts.values() {
            if let Op::Sow(sow) = &inst.op {
                names.insert(sow.name.clone());
            }
            work.extend(gives(&inst.op).into_iter().filter(|&callee| seen.insert(callee)));
        }
    }
    names.into_iter().collect()
}

/// That nothing has a name.
pub(super) fn unknown(m: &Module, func: FuncId, name: &str) -> TransformError {
    let message = match &sown(m, func)[..] {
        [] => format!("nothing is sown as `{name}`, nor as anything else"),
        all => format!("nothing is sown as `{name}`; there is `{}`", all.join("`, `")),
    };
    TransformError::new(message)
}

/// `func` with further results, and what they are: the values of these names, name by name. The names are gone from it; others
/// stay.
///
/// Fails if there is no value of a name or more than is asked for, or if it is where it cannot be had.
pub fn reap(
    m: &mut Module,
    func: FuncId,
    names: &[Text],
    asked: Asked,
) -> Result<(FuncId, Vec<Reaped>), TransformError> {
    let inlined = inline_calls(m, func);
    let raised = raise(m, inlined);
    let (mut out, found) = Reaper { m, names, asked }.body(raised)?;
    let mut reaped = Vec::new();
    for name in names {
        let before = reaped.len();
        for one in found.iter().filter(|one| one.name == *name) {
            out.results.extend(one.values());
            reaped.push(Reaped { name: name.clone(), may_lack: one.there.is_some() });
        }
        if reaped.len() == before {
            return Err(unknown(m, func, name));
        }
    }
    out.kind = FuncKind::Private;
    out.name = m.fresh_name(&format!("{}_reaped", m.funcs[func].name));
    Ok((m.add(out), reaped))
}

/// The functions whose values are those of an operation: not its derivative rules.
pub(super) fn gives(op: &Op) -> Vec<FuncId> {
    match op {
        Op::CustomJvp(custom) => vec![custom.body],
        Op::CustomVjp(custom) => vec![custom.body],
        op => op.callees(),
    }
}

/// A value of a name in a function.
#[derive(Clone)]
struct Found {
    name: Text,
    value: Value,
    /// Whether it is there; `None` if it always is. The flag of a batch has its first dimensions.
    there: Option<Value>,
}

impl Found {
    fn values(&self) -> impl Iterator<Item = Value> {
        [self.value].into_iter().chain(self.there)
    }
}

/// The same of an operation that gives it: types in place of values.
struct Given {
    name: Text,
    ty: Type,
    there: Option<Type>,
}

impl Given {
    fn of(func: &Func, found: &Found) -> Self {
        let ty = |v: Value| func.ty(v).clone();
        Self { name: found.name.clone(), ty: ty(found.value), there: found.there.map(ty) }
    }

    /// Types of the results.
    fn types(&self) -> impl Iterator<Item = &Type> {
        [&self.ty].into_iter().chain(&self.there)
    }

    /// The same for all trips.
    fn stacked(self, length: usize) -> Self {
        let stacked = |ty: Type| Type::from(ty.tensor().stacked(length));
        Self { ty: stacked(self.ty), there: self.there.map(stacked), ..self }
    }
}

/// An operation that also gives the values in what it runs.
struct Inside {
    op: Op,
    given: Vec<Given>,
    /// The result before which they stand.
    place: usize,
    /// The operand before which they stand too, as zeros, if they are carried.
    carried: Option<usize>,
}

struct Reaper<'m> {
    m: &'m mut Module,
    names: &'m [Text],
    asked: Asked,
}

impl Reaper<'_> {
    /// Whether there are values of the names in what a function runs.
    fn has(&self, func: FuncId) -> bool {
        self.m.reaches(func, &|op| matches!(op, Op::Sow(sow) if self.names.contains(&sow.name)))
    }

    /// A function without the names, and the values they are of.
    fn body(&mut self, id: FuncId) -> Result<(Func, Vec<Found>), TransformError> {
        let f = self.m.get(id);
        let (mut out, mut env) = like(&f);
        let mut found = Vec::new();
        for inst in f.insts.values() {
            if let Op::Sow(sow) = &inst.op
                && self.names.contains(&sow.name)
            {
                let value = mapped(&env, &inst.operands)[0];
                env[inst.results[0]] = Some(value);
                let one = Found { name: sow.name.clone(), value, there: None };
                self.note(&f, inst, &mut out, &mut found, one)?;
            } else if gives(&inst.op).into_iter().any(|callee| self.has(callee)) {
                let Inside { op, given, place, carried } = self.inside(&f, inst)?;
                let types: Vec<Type> = given.iter().flat_map(Given::types).cloned().collect();
                let mut operands = mapped(&env, &inst.operands).to_vec();
                if let Some(at) = carried {
                    let zero = |ty: &Type| self.push(&mut out, Op::splat(ty.tensor().clone(), 0.0), &[]);
                    operands.splice(at..at, types.iter().map(zero));
                }
                let mut all: Vec<Type> = inst.results.iter().map(|&r| f.ty(r).clone()).collect();
                let count = types.len();
                all.splice(place..place, types);
                let mut own = out.push_typed(op, &operands, all, inst.loc.clone()).to_vec();
                let mut more = own.splice(place..place + count, []).collect::<Vec<_>>().into_iter();
                for (&old, new) in inst.results.iter().zip(own) {
                    env[old] = Some(new);
                }
                for Given { name, there, .. } in given {
                    let mut next = || more.next().expect("a result for each");
                    let one = Found { name, value: next(), there: there.map(|_| next()) };
                    self.note(&f, inst, &mut out, &mut found, one)?;
                }
            } else {
                copy_inst(&mut out, &f, inst, &mut env);
            }
        }
        out.results = mapped(&env, &f.results).to_vec();
        Ok((out, found))
    }

    /// Adds a value to those that were found before.
    fn note(
        &self,
        f: &Func,
        inst: &Inst,
        out: &mut Func,
        found: &mut Vec<Found>,
        new: Found,
    ) -> Result<(), TransformError> {
        let old = found.iter_mut().find(|old| old.name == new.name);
        match (self.asked, old) {
            (Asked::All, _) | (Asked::One | Asked::Last, None) => found.push(new),
            (Asked::One, Some(_)) => {
                let name = &new.name;
                let message = format!(
                    "`{name}` is sown more than once: `reap_all` gives all of its values and `reap_last` the last one, or give \
                     each a name of its own, in a scope as `named(\"layer1\", ..)` is one"
                );
                return Err(TransformError::at(f, inst, message));
            }
            (Asked::Last, Some(old)) => {
                self.same_type(f, inst, &new.name, out.ty(old.value), out.ty(new.value))?;
                if let Some(there) = new.there {
                    old.value = self.chosen(out, there, new.value, old.value);
                    old.there = old.there.map(|before| self.either(out, there, before));
                } else {
                    *old = new;
                }
            }
        }
        Ok(())
    }

    /// Fails if values of one name, of which there is to be one, have several types.
    fn same_type(
        &self,
        f: &Func,
        inst: &Inst,
        name: &str,
        one: &Type,
        other: &Type,
    ) -> Result<(), TransformError> {
        if one == other {
            return Ok(());
        }
        let message = format!(
            "`{name}` is sown as {one} and as {other}, so nothing could hold the last one: give each type a name of its own"
        );
        Err(TransformError::at(f, inst, message))
    }

    fn push(&self, out: &mut Func, op: impl Into<Op>, operands: &[Value]) -> Value {
        push(self.m, out, op, operands, &Loc::Unknown)[0]
    }

    /// A flag for each element of a value, if it is not one for all: it has the first dimensions of the value.
    fn spread(&self, out: &mut Func, flag: Value, like: &TensorType) -> Value {
        let rank = out.tensor(flag).rank();
        if rank == like.rank() {
            return flag;
        }
        let op = BroadcastInDim { shape: like.shape.clone(), dims: (0..rank).collect() };
        self.push(out, op, &[flag])
    }

    fn chosen(&self, out: &mut Func, there: Value, new: Value, old: Value) -> Value {
        let ty = out.tensor(new).clone();
        let there = self.spread(out, there, &ty);
        self.push(out, Select {}, &[there, new, old])
    }

    fn either(&self, out: &mut Func, a: Value, b: Value) -> Value {
        let (x, y) = (out.tensor(a).clone(), out.tensor(b).clone());
        let longer = if x.rank() > y.rank() { x } else { y };
        let (a, b) = (self.spread(out, a, &longer), self.spread(out, b, &longer));
        self.push(out, BinaryOp::Or, &[a, b])
    }

    /// A function with its values as further results, and what they are.
    fn with_results(&mut self, id: FuncId) -> Result<(FuncId, Vec<Given>), TransformError> {
        let (mut func, found) = self.body(id)?;
        func.results.extend(found.iter().flat_map(Found::values));
        let given = found.iter().map(|one| Given::of(&func, one)).collect();
        Ok((self.m.add(func), given))
    }

    /// An operation that also gives the values in what it runs.
    fn inside(&mut self, f: &Func, inst: &Inst) -> Result<Inside, TransformError> {
        let results = inst.results.len();
        let after = |op: Op, given: Vec<Given>| Inside { op, given, place: results, carried: None };
        if let Some(l) = Loop::of(&inst.op, inst.operands.len(), results) {
            let length = l.length();
            if self.asked == Asked::Last && !is_one_example(&self.m.get(l.body)) {
                return self.last_trip(l);
            }
            if length == DYNAMIC {
                let message = "a value is sown in a loop whose number of trips is not known: nobody could stack it, and \
                     `reap_last` gives that of the last trip";
                return Err(TransformError::at(f, inst, message));
            }
            let (body, given) = self.with_results(l.body)?;
            let given = given.into_iter().map(|one| one.stacked(length)).collect();
            return Ok(after(Loop { body, ..l }.op(), given));
        }
        match runs(&inst.op, "a value is sown").map_err(|message| TransformError::at(f, inst, message))? {
            Runs::Call(call) => {
                let (callee, given) = self.with_results(call.callee)?;
                Ok(after(Call { callee }.into(), given))
            }
            Runs::Checkpoint(checkpoint) => {
                let (body, given) = self.with_results(checkpoint.body)?;
                Ok(after(Checkpoint { body, ..checkpoint.clone() }.into(), given))
            }
            Runs::Case(case) => {
                let (case, given) = match self.asked {
                    Asked::One | Asked::All => self.same_branches(f, inst, case)?,
                    Asked::Last => self.any_branch(f, inst, case)?,
                };
                Ok(after(case.into(), given))
            }
            Runs::CustomJvp(custom) => {
                let (body, given) = self.with_results(custom.body)?;
                let more = only_more(&self.m.get(body), results);
                let rule = rule_with(self.m, custom, results, &more)?;
                Ok(after(CustomJvp { body, rule, consts: custom.consts }.into(), given))
            }
            Runs::CustomVjp(custom) => {
                let (body, given) = self.with_results(custom.body)?;
                let more = only_more(&self.m.get(body), results);
                let (forward, backward) = passes_with(self.m, custom, results, &more)?;
                Ok(after(CustomVjp { body, forward, backward, ..custom.clone() }.into(), given))
            }
            Runs::While(_) | Runs::Scan(_) => unreachable!("loops are above"),
        }
    }

    /// A loop that carries the last of its values, from zeros.
    fn last_trip(&mut self, l: Loop) -> Result<Inside, TransformError> {
        let (mut body, found) = self.body(l.body)?;
        body.param_names.clear();
        let (params, results) = (body.params.len(), body.results.len());
        let has_a_trip = !matches!(l.length(), 0 | DYNAMIC);
        let mut given = Vec::new();
        for mut one in found {
            let before = body.param(body.ty(one.value).clone());
            if let Some(there) = one.there {
                one.value = self.chosen(&mut body, there, one.value, before);
                let before = body.param(body.ty(there).clone());
                one.there = Some(self.either(&mut body, there, before));
            } else if !has_a_trip {
                body.param(TensorType::scalar(DType::I1));
                one.there = Some(self.flag(&mut body, true));
            }
            body.results.extend(one.values());
            given.push(Given::of(&body, &one));
        }
        let types: Vec<Type> = given.iter().flat_map(Given::types).cloned().collect();
        let end = l.consts + l.carry;
        let body = moved(body, end, params, l.carry, results);
        let kind = match l.kind {
            LoopKind::Scan { .. } => l.kind,
            LoopKind::While { cond } => {
                let mut cond = Func::clone(&self.m.get(cond));
                types.iter().for_each(|ty| {
                    cond.param(ty.clone());
                });
                LoopKind::While { cond: self.m.add(cond) }
            }
        };
        let (place, carried) = (l.carry, Some(l.first + end));
        let op = Loop { body: self.m.add(body), carry: l.carry + types.len(), kind, ..l }.op();
        Ok(Inside { op, given, place, carried })
    }

    fn flag(&self, out: &mut Func, is: bool) -> Value {
        self.push(out, Op::splat(TensorType::scalar(DType::I1), is as u8 as f64), &[])
    }

    /// A choice whose every branch gives the values.
    fn same_branches(
        &mut self,
        f: &Func,
        inst: &Inst,
        case: &Case,
    ) -> Result<(Case, Vec<Given>), TransformError> {
        let mut branches = Vec::new();
        let mut all: Option<Vec<Given>> = None;
        for &branch in &case.branches {
            let (mut func, mut found) = self.body(branch)?;
            // Those of one name keep their order.
            found.sort_by(|a, b| a.name.cmp(&b.name));
            let given: Vec<Given> = found.iter().map(|one| Given::of(&func, one)).collect();
            let alike = |(a, b): (&Given, &Given)| a.name == b.name && a.ty == b.ty;
            if let Some(others) = &all
                && !(others.len() == given.len() && others.iter().zip(&given).all(alike))
            {
                let message = "every branch must sow the same names, as often and of the same types: what has no value in one \
                     branch would have none at all. `reap_last` gives what the branch sows that is taken, if it sows something";
                return Err(TransformError::at(f, inst, message));
            }
            func.results.extend(found.iter().flat_map(Found::values));
            branches.push(self.m.add(func));
            all = Some(given);
        }
        Ok((Case { branches }, all.unwrap_or_default()))
    }

    /// A choice that gives the values of the branch that is taken.
    fn any_branch(
        &mut self,
        f: &Func,
        inst: &Inst,
        case: &Case,
    ) -> Result<(Case, Vec<Given>), TransformError> {
        let parts = case.branches.iter().map(|&b| self.body(b)).collect::<Result<Vec<_>, _>>()?;
        // What any of them has; the flag of the most dimensions, if one has a flag or has nothing.
        let mut all: Vec<Given> = Vec::new();
        for (func, found) in &parts {
            for one in found {
                let new = Given::of(func, one);
                match all.iter_mut().find(|known| known.name == new.name) {
                    None => all.push(new),
                    Some(known) => {
                        self.same_type(f, inst, &new.name, &known.ty, &new.ty)?;
                        let rank = |ty: &Option<Type>| ty.as_ref().map_or(0, |ty| ty.tensor().rank());
                        if known.there.is_none() || rank(&new.there) > rank(&known.there) {
                            known.there = new.there;
                        }
                    }
                }
            }
        }
        let scalar = Type::from(TensorType::scalar(DType::I1));
        for known in &mut all {
            let lacks = |(_, found): &(Func, Vec<Found>)| found.iter().all(|one| one.name != known.name);
            if parts.iter().any(lacks) {
                known.there.get_or_insert(scalar.clone());
            }
        }
        let mut branches = Vec::new();
        for (mut func, found) in parts {
            for Given { name, ty, there } in &all {
                let own = found.iter().find(|one| one.name == *name);
                let value = match own {
                    Some(one) => one.value,
                    None => self.push(&mut func, Op::splat(ty.tensor().clone(), 0.0), &[]),
                };
                func.results.push(value);
                if let Some(there) = there {
                    let own_flag = own.and_then(|one| one.there);
                    let flag = own_flag.unwrap_or_else(|| self.flag(&mut func, own.is_some()));
                    let flag = self.spread(&mut func, flag, there.tensor());
                    func.results.push(flag);
                }
            }
            branches.push(self.m.add(func));
        }
        Ok((Case { branches }, all))
    }
}
