//! Assertions as a value: which was the first that did not hold, and with what values.
//!
//! A function is given a state beside its arguments and gives it beside its results: the number of the assertion that failed
//! (from 1; 0 for none), the first element of its predicate that is false, and for each assertion the values it speaks of. Once
//! an assertion has failed the state stays as it is, and the function goes on with whatever it computes. A function with a
//! derivative of its own begins a state that is joined to the one outside, and that has no derivative: of its assertions and
//! those of its rule those are reported that are run.

use super::automatic::{self, Automatic, first_false};
use super::custom::{Runs, moved, passes_with_state, rule_with_state, runs};
use crate::error::TransformError;
use crate::inline::inline_calls;
use crate::rewrite::{Env, copy_inst, like, mapped, push, set_params};
use std::collections::BTreeMap;
use wengert_ir::func::{Func, FuncId, FuncKind, Inst, Loc, Module, Value, Values};
use wengert_ir::op::*;
use wengert_ir::types::{DType, TensorType, Type};

/// An assertion of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// What it says.
    pub assert: Assert,
    /// Type of its predicate.
    pub pred: TensorType,
    /// Types of the values that it speaks of.
    pub values: Vec<TensorType>,
    /// Where it is written.
    pub loc: Loc,
}

/// A function whose assertions are a value.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Gives the number of the assertion (`i32`), the element (`i64`), the values of all sites in order, and then its results.
    pub func: FuncId,
    /// Its assertions.
    pub sites: Vec<Site>,
}

/// Makes the assertions of a function a value, its own and those that are asked for of its operations.
///
/// Fails where there is one of its own in the backward function of a `custom_vjp`, or in a function that says what a solution is.
pub fn checked(m: &mut Module, func: FuncId, more: Automatic) -> Result<Checked, TransformError> {
    let inlined = inline_calls(m, func);
    let inlined = automatic::insert(m, inlined, more);
    let mut pass = Pass { m, sites: Vec::new() };
    let Part { func: body, sites: own } = pass.part(inlined)?;
    let sites = pass.sites;
    let f = m.get(func);
    let mut out = Func::new(m.fresh_name(&format!("{}_checked", f.name)), FuncKind::Private);
    out.param_names.clone_from(&f.param_names);
    let mut args: Vec<Value> = f.params.iter().map(|&p| out.param(f.ty(p).clone())).collect();
    for &p in &body.params[args.len()..] {
        args.push(zero(m, &mut out, body.tensor(p)));
    }
    let given = out.inline(&body, &args);
    let (results, state) = given.split_at(f.results.len());
    debug_assert_eq!(own.len(), sites.len(), "all sites are of the function");
    out.results = state.iter().chain(results).copied().collect();
    Ok(Checked { func: m.add(out), sites })
}

fn zero(m: &Module, to: &mut Func, ty: &TensorType) -> Value {
    push(m, to, Op::splat(ty.clone(), 0.0), &[], &Loc::Unknown)[0]
}

/// A function with a state: parameters and then `code, element, values of its sites`; results likewise.
struct Part {
    func: Func,
    /// Its sites, in order.
    sites: Vec<usize>,
}

struct Pass<'m> {
    m: &'m mut Module,
    sites: Vec<Site>,
}

/// The state inside a function that is built.
struct State {
    code: Value,
    element: Value,
    /// Values by site.
    values: BTreeMap<usize, Vec<Value>>,
    /// Parameters that were made for them, by site.
    params: BTreeMap<usize, Vec<Value>>,
}

impl Pass<'_> {
    fn asserts(&self, func: FuncId) -> bool {
        self.m.reaches(func, &|op| matches!(op, Op::Assert(_)))
    }

    fn part(&mut self, id: FuncId) -> Result<Part, TransformError> {
        let f = self.m.get(id);
        let (mut out, mut env) = like(&f);
        out.param_names.clear();
        let code = out.param(TensorType::scalar(DType::I32));
        let element = out.param(TensorType::scalar(DType::I64));
        let mut state = State { code, element, values: BTreeMap::new(), params: BTreeMap::new() };
        for inst in f.insts.values() {
            if let Op::Assert(assert) = &inst.op {
                self.assert(&f, inst, assert, &mut out, &env, &mut state);
            } else if inst.op.callees().into_iter().any(|callee| self.asserts(callee)) {
                self.inside(&f, inst, &mut out, &mut env, &mut state)?;
            } else {
                copy_inst(&mut out, &f, inst, &mut env);
            }
        }
        // Parameters were made as sites were met: they are put in the order of the sites.
        let mut params: Vec<Value> = f.params.iter().map(|&p| env[p].expect("a parameter")).collect();
        params.extend([code, element]);
        params.extend(state.params.values().flatten());
        set_params(&mut out, params);
        out.results = mapped(&env, &f.results).to_vec();
        out.results.extend([state.code, state.element]);
        out.results.extend(state.values.values().flatten());
        Ok(Part { func: out, sites: state.values.keys().copied().collect() })
    }

    /// Room in the state for the values of a site.
    fn room(&self, site: usize, out: &mut Func, state: &mut State) {
        let params: Vec<Value> = self.sites[site].values.iter().map(|ty| out.param(ty.clone())).collect();
        state.values.insert(site, params.clone());
        state.params.insert(site, params);
    }

    /// The assertion of an instruction.
    fn assert(
        &mut self,
        f: &Func,
        inst: &Inst,
        assert: &Assert,
        out: &mut Func,
        env: &Env,
        state: &mut State,
    ) {
        let tensor = |&v: &Value| f.tensor(v).clone();
        let site = self.sites.len();
        self.sites.push(Site {
            assert: assert.clone(),
            pred: tensor(&inst.operands[0]),
            values: inst.operands[1..].iter().map(tensor).collect(),
            loc: inst.loc.clone(),
        });
        self.room(site, out, state);
        let x = mapped(env, &inst.operands);
        let m = &*self.m;
        let first = first_false(m, out, x[0], &inst.loc);
        let n = self.sites[site].pred.elements();
        let mut emit = |op: Op, operands: &[Value]| push(m, out, op, operands, &inst.loc)[0];
        let scalar = |dtype, value| Op::splat(TensorType::scalar(dtype), value);
        let most = emit(scalar(DType::I64, n as f64), &[]);
        let fails = Compare { direction: Direction::Lt, kind: CompareType::Signed };
        let fails = emit(fails.into(), &[first, most]);
        let none = emit(scalar(DType::I32, 0.0), &[]);
        let before = Compare { direction: Direction::Eq, kind: CompareType::Signed };
        let before = emit(before.into(), &[state.code, none]);
        let is_first = emit(BinaryOp::And.into(), &[fails, before]);
        let number = emit(scalar(DType::I32, (site + 1) as f64), &[]);
        state.code = emit(Select {}.into(), &[is_first, number, state.code]);
        state.element = emit(Select {}.into(), &[is_first, first, state.element]);
        let old = &state.values[&site];
        let new = x[1..].iter().zip(old).map(|(&new, &old)| emit(Select {}.into(), &[is_first, new, old]));
        let new = new.collect();
        state.values.insert(site, new);
    }

    /// An operation with assertions in what it runs.
    fn inside(
        &mut self,
        f: &Func,
        inst: &Inst,
        out: &mut Func,
        env: &mut Env,
        state: &mut State,
    ) -> Result<(), TransformError> {
        let refused = |message: String| TransformError::at(f, inst, message);
        let x = mapped(env, &inst.operands);
        let first = self.sites.len();
        // Where in the operands and in the results the state is.
        let (op, at, place): (Op, usize, usize) = match runs(&inst.op, "a check").map_err(refused)? {
            Runs::Call(call) => {
                let part = self.part(call.callee)?;
                (Call { callee: self.m.add(part.func) }.into(), x.len(), inst.results.len())
            }
            Runs::Checkpoint(checkpoint) => {
                let part = self.part(checkpoint.body)?;
                let body = self.m.add(part.func);
                (Checkpoint { body, ..checkpoint.clone() }.into(), x.len(), inst.results.len())
            }
            Runs::Case(case) => {
                let parts = case.branches.iter().map(|&b| self.part(b)).collect::<Result<Vec<_>, _>>()?;
                let whole = |part: Part| self.whole(part, first);
                let wholes: Vec<Func> = parts.into_iter().map(whole).collect();
                let branches = wholes.into_iter().map(|func| self.m.add(func)).collect();
                (Case { branches }.into(), x.len(), inst.results.len())
            }
            Runs::Scan(scan) => {
                let part = self.part(scan.body)?;
                let (consts, carry) = (scan.consts, scan.carry);
                let body = self.m.get(scan.body);
                let func = moved(part.func, consts + carry, body.params.len(), carry, body.results.len());
                let state = func.results.len() - body.results.len();
                let head = x.len() - (body.params.len() - consts - carry);
                let scan = Scan { body: self.m.add(func), carry: carry + state, ..scan.clone() };
                (scan.into(), head, carry)
            }
            Runs::While(w) => {
                if self.asserts(w.cond) {
                    return self.conditional(f, inst, w, out, env, state);
                }
                let part = self.part(w.body)?;
                let carry = x.len() - w.consts;
                let body = self.m.get(w.body);
                let func = moved(part.func, x.len(), x.len(), carry, body.results.len());
                let mut cond = Func::clone(&self.m.get(w.cond));
                func.params[x.len()..].iter().for_each(|&p| {
                    cond.param(func.ty(p).clone());
                });
                let (cond, body) = (self.m.add(cond), self.m.add(func));
                (While { cond, body, ..w.clone() }.into(), x.len(), carry)
            }
            Runs::CustomJvp(custom) => return self.custom_jvp(f, inst, custom, out, env, state),
            Runs::CustomVjp(custom) => return self.custom_vjp(f, inst, custom, out, env, state),
        };
        let sites: Vec<usize> = (first..self.sites.len()).collect();
        sites.iter().for_each(|&site| self.room(site, out, state));
        let mut given = vec![state.code, state.element];
        given.extend(sites.iter().flat_map(|site| &state.values[site]));
        let mut operands: Values = x[..at].into();
        operands.extend(given.iter().copied());
        operands.extend(x[at..].iter().copied());
        let ty = |&r: &Value| f.ty(r).clone();
        let mut types: Vec<Type> = inst.results[..place].iter().map(ty).collect();
        types.extend(given.iter().map(|&v| out.ty(v).clone()));
        types.extend(inst.results[place..].iter().map(ty));
        let results = out.push_typed(op, &operands, types, inst.loc.clone());
        let own = results[..place].iter().chain(&results[place + given.len()..]);
        for (&old, &new) in inst.results.iter().zip(own) {
            env[old] = Some(new);
        }
        let mut state_values = results[place..place + given.len()].iter().copied();
        state.code = state_values.next().expect("the number");
        state.element = state_values.next().expect("the element");
        for site in sites {
            let count = self.sites[site].values.len();
            state.values.insert(site, state_values.by_ref().take(count).collect());
        }
        Ok(())
    }

    /// A loop with assertions in its condition, which is asked before the loop and after each trip: what it says is carried.
    fn conditional(
        &mut self,
        f: &Func,
        inst: &Inst,
        w: &While,
        out: &mut Func,
        env: &mut Env,
        state: &mut State,
    ) -> Result<(), TransformError> {
        let first = self.sites.len();
        let parts = [self.part(w.cond)?, self.part(w.body)?];
        let [cond, body] = parts.map(|part| self.whole(part, first));
        let sites: Vec<usize> = (first..self.sites.len()).collect();
        sites.iter().for_each(|&site| self.room(site, out, state));
        let mut x = mapped(env, &inst.operands).to_vec();
        let (own, carry) = (x.len(), x.len() - w.consts);
        x.extend([state.code, state.element]);
        x.extend(sites.iter().flat_map(|site| &state.values[site]));
        // What holds at first, and the state.
        let asked = out.inline(&cond, &x);
        x.splice(own.., asked[1..].iter().copied());
        x.push(asked[0]);

        let mut next = Func::new("", FuncKind::Region);
        let params: Vec<Value> = x.iter().map(|&v| next.param(out.ty(v).clone())).collect();
        let given = next.inline(&body, &params[..x.len() - 1]);
        let (results, told) = given.split_at(carry + w.stacks);
        let again: Vec<Value> =
            params[..w.consts].iter().chain(&results[..carry]).chain(told).copied().collect();
        let asked = next.inline(&cond, &again);
        next.results = results[..carry].iter().chain(&asked[1..]).copied().collect();
        next.results.push(asked[0]);
        next.results.extend_from_slice(&results[carry..]);
        let mut holds = Func::new("", FuncKind::Region);
        let params: Vec<Value> = x.iter().map(|&v| holds.param(out.ty(v).clone())).collect();
        holds.results = vec![params[x.len() - 1]];

        let types = inst.results[..carry].iter().map(|&r| f.ty(r).clone());
        let carried = x[own..].iter().map(|&v| out.ty(v).clone()).collect::<Vec<Type>>();
        let rest = inst.results[carry..].iter().map(|&r| f.ty(r).clone());
        let types: Vec<Type> = types.chain(carried).chain(rest).collect();
        let op = While { cond: self.m.add(holds), body: self.m.add(next), ..w.clone() };
        let results = out.push_typed(op.into(), &x, types, inst.loc.clone());
        let of_state = x.len() - own;
        for (k, &old) in inst.results.iter().enumerate() {
            env[old] = Some(results[if k < carry { k } else { k + of_state }]);
        }
        let mut told = results[carry..carry + of_state].iter().copied();
        state.code = told.next().expect("the number");
        state.element = told.next().expect("the element");
        for site in sites {
            let count = self.sites[site].values.len();
            state.values.insert(site, told.by_ref().take(count).collect());
        }
        Ok(())
    }

    fn custom_jvp(
        &mut self,
        f: &Func,
        inst: &Inst,
        custom: &CustomJvp,
        out: &mut Func,
        env: &mut Env,
        state: &mut State,
    ) -> Result<(), TransformError> {
        let first = self.sites.len();
        let parts = [self.part(custom.body)?, self.part(custom.rule)?];
        let [body, rule] = parts.map(|part| self.begun(part, first));
        let rule = rule_with_state(self.m, rule, inst.results.len(), &self.state_types(first));
        let op = CustomJvp { body: self.m.add(body), rule, consts: custom.consts };
        self.joined(f, inst, (op.into(), first), out, env, state);
        Ok(())
    }

    fn custom_vjp(
        &mut self,
        f: &Func,
        inst: &Inst,
        custom: &CustomVjp,
        out: &mut Func,
        env: &mut Env,
        state: &mut State,
    ) -> Result<(), TransformError> {
        if self.asserts(custom.backward) {
            let message = "a check in the backward function of a `custom_vjp` cannot become a value, which the forward pass \
                 would have to give: check in the function or in its forward function";
            return Err(TransformError::at(f, inst, message));
        }
        let first = self.sites.len();
        let parts = [self.part(custom.body)?, self.part(custom.forward)?];
        let [body, forward] = parts.map(|part| self.begun(part, first));
        let (results, types) = (inst.results.len(), self.state_types(first));
        let (forward, backward) = passes_with_state(self.m, forward, custom.backward, results, &types);
        let op = CustomVjp { body: self.m.add(body), forward, backward, ..custom.clone() };
        self.joined(f, inst, (op.into(), first), out, env, state);
        Ok(())
    }

    /// Types of the state of all sites from `first` on.
    fn state_types(&self, first: usize) -> Vec<Type> {
        let start = [TensorType::scalar(DType::I32), TensorType::scalar(DType::I64)];
        let values = self.sites[first..].iter().flat_map(|site| site.values.iter().cloned());
        start.into_iter().chain(values).map(Type::from).collect()
    }

    /// A part with all sites from `first` on that begins its state itself.
    fn begun(&self, part: Part, first: usize) -> Func {
        let whole = self.whole(part, first);
        let state = self.state_types(first).len();
        let mut out = Func::new(whole.name.clone(), whole.kind);
        let (own, of_state) = whole.params.split_at(whole.params.len() - state);
        let mut args: Vec<Value> = own.iter().map(|&p| out.param(whole.ty(p).clone())).collect();
        for &p in of_state {
            args.push(zero(self.m, &mut out, whole.tensor(p)));
        }
        out.results = out.inline(&whole, &args);
        out
    }

    /// An operation that gives a state of its own, of the sites from `first` on, after its results: what it says counts if nothing
    /// was said before.
    fn joined(
        &mut self,
        f: &Func,
        inst: &Inst,
        (op, first): (Op, usize),
        out: &mut Func,
        env: &mut Env,
        state: &mut State,
    ) {
        let sites: Vec<usize> = (first..self.sites.len()).collect();
        sites.iter().for_each(|&site| self.room(site, out, state));
        let mut types: Vec<Type> = inst.results.iter().map(|&r| f.ty(r).clone()).collect();
        types.extend([out.ty(state.code).clone(), out.ty(state.element).clone()]);
        types.extend(sites.iter().flat_map(|site| &state.values[site]).map(|&v| out.ty(v).clone()));
        let operands = mapped(env, &inst.operands);
        let results = out.push_typed(op, &operands, types, inst.loc.clone());
        for (&old, &new) in inst.results.iter().zip(&results) {
            env[old] = Some(new);
        }
        let mut own = results[inst.results.len()..].iter().copied();
        let m = &*self.m;
        let mut emit = |op: Op, operands: &[Value]| push(m, out, op, operands, &inst.loc)[0];
        let none = emit(Op::splat(TensorType::scalar(DType::I32), 0.0), &[]);
        let is = Compare { direction: Direction::Eq, kind: CompareType::Signed };
        let first_of_all = emit(is.into(), &[state.code, none]);
        let mut chosen = |new: Value, old: Value| emit(Select {}.into(), &[first_of_all, new, old]);
        state.code = chosen(own.next().expect("the number"), state.code);
        state.element = chosen(own.next().expect("the element"), state.element);
        for site in sites {
            let old = state.values[&site].clone();
            let new = old.into_iter().map(|old| chosen(own.next().expect("each value"), old)).collect();
            state.values.insert(site, new);
        }
    }

    /// A part with a state of all sites from `first` on: what are not its own it gives as it takes them.
    fn whole(&self, part: Part, first: usize) -> Func {
        let Part { func, sites } = part;
        let state: usize = 2 + sites.iter().map(|&s| self.sites[s].values.len()).sum::<usize>();
        let (params, results) = (func.params.len() - state, func.results.len() - state);
        let mut out = Func::new(func.name.clone(), func.kind);
        let mut args: Vec<Value> =
            func.params[..params + 2].iter().map(|&p| out.param(func.ty(p).clone())).collect();
        let mut values: BTreeMap<usize, Vec<Value>> = BTreeMap::new();
        for site in first..self.sites.len() {
            values.insert(site, self.sites[site].values.iter().map(|ty| out.param(ty.clone())).collect());
        }
        args.extend(sites.iter().flat_map(|site| values[site].clone()));
        let given = out.inline(&func, &args);
        let mut own = given[results + 2..].iter().copied();
        for site in sites {
            let count = self.sites[site].values.len();
            values.insert(site, own.by_ref().take(count).collect());
        }
        out.results = given[..results + 2].to_vec();
        out.results.extend(values.into_values().flatten());
        out
    }
}
