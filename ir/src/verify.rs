//! Checks that a module means something, and says everything that is wrong with it.
//!
//! Holds: ids are in range and every value is defined once, where its definition says; operands and results
//! of functions are defined before they are used; every instruction has the result types that its operation
//! infers; functions do not reach themselves; symbols of public functions differ.
//!
//! Nothing is assumed, so a broken module gives errors, not a panic. That a body belongs to one instruction
//! is not asked: bodies are closed, and a copy of an instruction may share them.

use crate::entity::EntityVec;
use crate::func::{Def, Func, FuncId, FuncKind, Inst, InstId, Loc, Module, Value};
use crate::op::Op;
use crate::rules::TypeError;
use crate::types::Type;
use std::collections::BTreeMap;
use std::fmt;

/// One thing that is wrong with a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    /// The function it is in.
    pub func: FuncId,
    /// The instruction, unless it is the function as a whole.
    pub inst: Option<InstId>,
    /// What is wrong.
    pub message: String,
    /// The line of the IR, with raw value ids because names may be what is broken.
    pub line: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.message)?;
        writeln!(f, "  {}", self.line)?;
        write!(f, "  {}", "^".repeat(self.line.chars().count().clamp(1, 60)))
    }
}
impl std::error::Error for VerifyError {}

/// Everything that is wrong with a module, by function and instruction.
pub fn verify(module: &Module) -> Result<(), Vec<VerifyError>> {
    let mut errors = Vec::new();
    let mut public: BTreeMap<&str, FuncId> = BTreeMap::new();
    for (id, func) in module.funcs.iter() {
        if func.kind == FuncKind::Public
            && let Some(first) = public.insert(&func.name, id)
        {
            let message = format!("{first} and {id} are both public and called @{}", func.name);
            errors.push(VerifyError { func: id, inst: None, message, line: header(id, func) });
        }
    }
    let well_formed = callees_in_range(module, &mut errors);
    if well_formed && let Some(id) = cycle(module) {
        let message = "the function reaches itself".to_owned();
        errors.push(VerifyError { func: id, inst: None, message, line: header(id, &module.funcs[id]) });
    }
    for (id, func) in module.funcs.iter() {
        Checker { module, id, func, errors: &mut errors }.func(well_formed);
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// The errors of a function alone: what a pass may ask of what it has just built.
pub fn verify_func(module: &Module, func: FuncId) -> Result<(), Vec<VerifyError>> {
    let mut errors = Vec::new();
    let (part, roots) = module.reachable(&[func]);
    if let Err(all) = verify(&part) {
        errors.extend(all.into_iter().filter(|e| e.func == roots[0]));
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Whether every function that is referred to exists.
fn callees_in_range(module: &Module, errors: &mut Vec<VerifyError>) -> bool {
    let mut good = true;
    for (id, func) in module.funcs.iter() {
        for (inst_id, inst) in func.insts.iter() {
            for callee in inst.op.callees() {
                if module.funcs.get(callee).is_none() {
                    good = false;
                    let message = format!("there is no function {callee}");
                    let line = line(func, inst);
                    errors.push(VerifyError { func: id, inst: Some(inst_id), message, line });
                }
            }
        }
    }
    good
}

/// A function that reaches itself, if there is one; without recursion.
pub(crate) fn cycle(module: &Module) -> Option<FuncId> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut state = EntityVec::<FuncId, State>::filled(State::New, module.funcs.len());
    let mut stack = Vec::new();
    for root in module.funcs.keys() {
        stack.push((root, false));
        while let Some((id, leaving)) = stack.pop() {
            if leaving {
                state[id] = State::Done;
                continue;
            }
            if state[id] != State::New {
                continue; // seen from elsewhere since it was pushed
            }
            state[id] = State::Open;
            stack.push((id, true));
            for callee in module.funcs[id].insts.values().flat_map(|i| i.op.callees()) {
                match state.get(callee) {
                    Some(State::Open) => return Some(callee),
                    Some(State::New) => stack.push((callee, false)),
                    Some(State::Done) | None => {}
                }
            }
        }
    }
    None
}

struct Checker<'a> {
    module: &'a Module,
    id: FuncId,
    func: &'a Func,
    errors: &'a mut Vec<VerifyError>,
}

impl Checker<'_> {
    fn wrong(&mut self, inst: Option<InstId>, message: impl Into<String>) {
        let line = match inst {
            Some(inst) => line(self.func, &self.func.insts[inst]),
            None => header(self.id, self.func),
        };
        self.errors.push(VerifyError { func: self.id, inst, message: message.into(), line });
    }

    fn func(&mut self, infer: bool) {
        let func = self.func;
        let mut defined = EntityVec::<Value, bool>::filled(false, func.values.len());
        for (v, ty) in func.values.iter().filter_map(|(v, data)| Some((v, data.ty.as_tensor()?))) {
            if ty.is_static() && ty.checked_bytes().is_none() {
                self.wrong(None, format!("{v} is {ty}, which has more bytes than can be addressed"));
            }
        }
        for (k, &p) in (0u32..).zip(&func.params) {
            if func.values.get(p).map(|v| v.def) != Some(Def::Param(k)) {
                self.wrong(None, format!("parameter {k} is {p}, which is not defined as that parameter"));
            } else {
                defined[p] = true;
            }
        }
        for (id, inst) in func.insts.iter() {
            let mut usable = true;
            for &v in &inst.operands {
                match defined.get(v) {
                    Some(true) => {}
                    Some(false) => {
                        self.wrong(Some(id), format!("{v} is used before it is defined"));
                        usable = false;
                    }
                    None => {
                        self.wrong(Some(id), format!("there is no value {v}"));
                        usable = false;
                    }
                }
            }
            for (k, &r) in (0u32..).zip(&inst.results) {
                if func.values.get(r).map(|v| v.def) != Some(Def::Inst(id, k)) {
                    self.wrong(Some(id), format!("result {k} is {r}, which is not defined as that result"));
                    usable = false;
                } else {
                    defined[r] = true;
                }
            }
            let all = inst.operands.iter().chain(&inst.results);
            let types = all.filter_map(|&v| func.values.get(v)).map(|v| &v.ty);
            if usable && infer && !inst.op.is_open(types) {
                self.types(id, inst);
            }
        }
        for (k, &r) in func.results.iter().enumerate() {
            if defined.get(r) != Some(&true) {
                self.wrong(None, format!("result {k} of the function is {r}, which is not defined"));
            }
        }
    }

    fn types(&mut self, id: InstId, inst: &Inst) {
        let operands: Vec<Type> = inst.operands.iter().map(|&v| self.func.ty(v).clone()).collect();
        let given: Vec<Type> = inst.results.iter().map(|&v| self.func.ty(v).clone()).collect();
        match inst.op.infer(self.module, &operands) {
            Ok(types) if types[..] == given[..] => {}
            Ok(types) => {
                let list = |t: &[Type]| t.iter().map(Type::to_string).collect::<Vec<_>>().join(", ");
                let message = format!("results have types ({}), not ({})", list(&types), list(&given));
                self.wrong(Some(id), message);
            }
            Err(e) => {
                let e = TypeError { loc: inst.loc.clone(), ..e };
                self.wrong(Some(id), e.to_string());
            }
        }
    }
}

fn list<T: fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    let mut out = String::new();
    for (k, item) in items.into_iter().enumerate() {
        if k > 0 {
            out.push_str(", ");
        }
        out.push_str(&item.to_string());
    }
    out
}

fn type_name(func: &Func, value: Value) -> String {
    func.values.get(value).map_or("?".to_owned(), |v| v.ty.to_string())
}

/// The head of a function with raw ids: `func3 @main(%0: tensor<f32>) -> (%1)`.
fn header(id: FuncId, func: &Func) -> String {
    let params = list(func.params.iter().map(|&p| format!("{p}: {}", type_name(func, p))));
    format!("{id} @{}({params}) -> ({})", func.name, list(&func.results))
}

/// An instruction with raw ids: `%2 = stablehlo.add %0, %1 : (tensor<f32>, tensor<f32>) -> tensor<f32>`.
fn line(func: &Func, inst: &Inst) -> String {
    let mut out = String::new();
    if !inst.results.is_empty() {
        out = format!("{} = ", list(&inst.results));
    }
    out.push_str(inst.op.name());
    if !inst.operands.is_empty() {
        out.push_str(&format!(" {}", list(&inst.operands)));
    }
    let is_constant = matches!(inst.op, Op::Constant(_)); // may be large, and its type says enough
    let attrs = inst.op.attrs();
    if !attrs.is_empty() && !is_constant {
        out.push_str(&format!(
            " {{{}}}",
            list(attrs.iter().map(|(name, value)| format!("{name} = {value:?}")))
        ));
    }
    let types = |values: &[Value]| list(values.iter().map(|&v| type_name(func, v)));
    out.push_str(&format!(" : ({}) -> ({})", types(&inst.operands), types(&inst.results)));
    if inst.loc != Loc::Unknown {
        out.push_str(&format!(" loc({})", inst.loc));
    }
    out
}
