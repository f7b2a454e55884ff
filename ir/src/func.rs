//! Modules, functions, instructions.
//!
//! A function is straight-line SSA in topological order. Control flow and region-carrying operations
//! hold the [`FuncId`]s of *closed* functions: what a region captures is an explicit operand. A pass
//! never edits a function in place: it builds a new one.

pub mod id;
pub mod loc;

use crate::array::Literal;
use crate::entity::{Entity, EntityVec, entity};
use crate::op::{Effect, Op};
use crate::rules::errors::{TOO_LARGE, TypeError};
use crate::types::{FloatMode, TensorType, Type};
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub use id::FuncId;
pub use loc::Loc;

entity! {
    /// An SSA value of one function.
    Value, "%"
}
entity! {
    /// An instruction of one function.
    InstId, "inst"
}
/// A short list of values.
pub type Values = SmallVec<[Value; 4]>;

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Def {
    /// Parameter number `.0` of the function.
    Param(u32),
    /// Result number `.1` of an instruction.
    Inst(InstId, u32),
}

/// What a function knows about a value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ValueData {
    /// Its type.
    pub ty: Type,
    /// Its definition.
    pub def: Def,
}

/// One instruction.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Inst {
    /// What it does, with its attributes.
    pub op: Op,
    /// What it reads, captures of its regions included.
    pub operands: Values,
    /// What it defines.
    pub results: Values,
    /// Where the user wrote it.
    pub loc: Loc,
}

/// Who may use a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum FuncKind {
    /// Called from outside: `func.func public`.
    Public,
    /// Called by `call` only: `func.func private`.
    #[default]
    Private,
    /// The body of one instruction, shown inside it.
    Region,
}

/// A function.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Func {
    /// Its symbol, without `@`; regions have none.
    pub name: String,
    /// Who may use it.
    pub kind: FuncKind,
    /// Parameters, in order.
    pub params: Vec<Value>,
    /// Instructions, in topological order.
    pub insts: EntityVec<InstId, Inst>,
    /// Every value, parameters and results of instructions.
    pub values: EntityVec<Value, ValueData>,
    /// What it returns.
    pub results: Vec<Value>,
    /// Names of the parameters as a user would say them (`w`, `x.bias`, a hidden capture); may be shorter than `params`.
    pub param_names: Vec<String>,
}

impl Func {
    /// An empty function.
    pub fn new(name: impl Into<String>, kind: FuncKind) -> Self {
        Self { name: name.into(), kind, ..Self::default() }
    }

    /// Appends a parameter.
    pub fn param(&mut self, ty: impl Into<Type>) -> Value {
        let def = Def::Param(self.params.len() as u32);
        let value = self.values.push(ValueData { ty: ty.into(), def });
        self.params.push(value);
        value
    }

    /// Appends an instruction; its result types are inferred, and checked, from `op` and `operands`.
    pub fn push(
        &mut self,
        module: &Module,
        op: Op,
        operands: &[Value],
        loc: Loc,
    ) -> Result<Values, TypeError> {
        let types: SmallVec<[Type; 4]> = operands.iter().map(|&v| self.values[v].ty.clone()).collect();
        let result_types = op.infer(module, &types).map_err(|e| TypeError { loc: loc.clone(), ..e })?;
        Ok(self.push_typed(op, operands, result_types, loc))
    }

    /// Appends an instruction that a pass or a rule has built: operands that do not fit are a fault of it. A result that
    /// memory cannot hold is none, since it comes of what the user's tensors are; it has its type, and who would lay it out
    /// in memory refuses it.
    #[track_caller]
    pub fn push_built(&mut self, module: &Module, op: Op, operands: &[Value], loc: Loc) -> Values {
        match self.push(module, op.clone(), operands, loc.clone()) {
            Ok(results) => results,
            Err(e) if e.constraint == TOO_LARGE => {
                let types: SmallVec<[Type; 4]> =
                    operands.iter().map(|&v| self.values[v].ty.clone()).collect();
                let results = op.def().infer(module, &types).expect("it has types");
                self.push_typed(op, operands, results, loc)
            }
            Err(e) => panic!("a pass built a wrong instruction: {e}"),
        }
    }

    /// Appends an instruction whose result types are known (a copy of a checked one).
    pub fn push_typed(
        &mut self,
        op: Op,
        operands: &[Value],
        result_types: impl IntoIterator<Item = Type>,
        loc: Loc,
    ) -> Values {
        let inst = self.insts.next_key();
        let results: Values = (0u32..)
            .zip(result_types)
            .map(|(k, ty)| self.values.push(ValueData { ty, def: Def::Inst(inst, k) }))
            .collect();
        self.insts.push(Inst { op, operands: operands.into(), results: results.clone(), loc });
        results
    }

    /// Type of a value.
    pub fn ty(&self, value: Value) -> &Type {
        &self.values[value].ty
    }

    /// Tensor type of a value. Panics for a token.
    #[track_caller]
    pub fn tensor(&self, value: Value) -> &TensorType {
        self.values[value].ty.tensor()
    }

    /// The instruction that defines a value, or `None` for a parameter.
    pub fn def(&self, value: Value) -> Option<(InstId, &Inst)> {
        match self.values[value].def {
            Def::Param(_) => None,
            Def::Inst(inst, _) => Some((inst, &self.insts[inst])),
        }
    }

    /// The literal of a value that a `constant` defines.
    pub fn constant(&self, value: Value) -> Option<&Literal> {
        match &self.def(value)?.1.op {
            Op::Constant(c) => Some(&c.value),
            _ => None,
        }
    }

    /// The literal of a scalar that is a constant, maybe broadcast or reshaped from one.
    pub fn scalar_constant(&self, value: Value) -> Option<Literal> {
        let mut v = value;
        loop {
            let inst = self.def(v)?.1;
            match &inst.op {
                Op::Constant(c) => {
                    let element = c.value.as_splat()?;
                    return Some(Literal::splat_bytes(self.ty(value).as_tensor()?.clone(), element));
                }
                Op::BroadcastInDim(_) | Op::Reshape(_) => v = inst.operands[0],
                _ => return None,
            }
        }
    }

    /// Types of the parameters.
    pub fn param_types(&self) -> Vec<Type> {
        self.params.iter().map(|&p| self.ty(p).clone()).collect()
    }

    /// Types of the results.
    pub fn result_types(&self) -> Vec<Type> {
        self.results.iter().map(|&r| self.ty(r).clone()).collect()
    }

    /// Copies the instructions of `callee` (a function of the same module) to the end of this one, with
    /// `args` for its parameters, and returns what it returns.
    pub fn inline(&mut self, callee: &Func, args: &[Value]) -> Vec<Value> {
        assert_eq!(callee.params.len(), args.len(), "arguments of an inlined function");
        let mut map: EntityVec<Value, Option<Value>> = EntityVec::filled(None, callee.values.len());
        for (&p, &a) in callee.params.iter().zip(args) {
            map[p] = Some(a);
        }
        for (_, inst) in callee.insts.iter() {
            let operands: Values =
                inst.operands.iter().map(|&v| map[v].expect("topological order")).collect();
            let types = inst.results.iter().map(|&r| callee.ty(r).clone());
            let results = self.push_typed(inst.op.clone(), &operands, types, inst.loc.clone());
            for (&old, new) in inst.results.iter().zip(results) {
                map[old] = Some(new);
            }
        }
        callee.results.iter().map(|&r| map[r].expect("defined")).collect()
    }
}

/// A set of functions; the unit that passes transform and text files hold.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Module {
    /// Its symbol, without `@`; may be empty.
    pub name: String,
    /// Which rounding changes its compilation may make.
    pub mode: FloatMode,
    /// How many examples its functions will be run for at once, beyond what their types say; 0 is one. What derivatives keep is
    /// chosen for all of them. Not part of the text.
    pub examples: usize,
    /// Its functions. A function's id stays valid: functions are added, never removed in place.
    pub funcs: EntityVec<FuncId, Arc<Func>>,
}

impl Module {
    /// An empty module.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Adds a function.
    pub fn add(&mut self, func: Func) -> FuncId {
        self.funcs.push(Arc::new(func))
    }

    /// A function, shared: hold it while adding others.
    pub fn get(&self, func: FuncId) -> Arc<Func> {
        self.funcs[func].clone()
    }

    /// The function called `name` that is not a region.
    pub fn find(&self, name: &str) -> Option<FuncId> {
        self.funcs.iter().find(|(_, f)| f.kind != FuncKind::Region && f.name == name).map(|(id, _)| id)
    }

    /// The function that runs when the program does: `main`, else the only public one.
    pub fn entry(&self) -> Option<FuncId> {
        let mut publics = self.funcs.iter().filter(|(_, f)| f.kind == FuncKind::Public).map(|(id, _)| id);
        let only = publics.next().filter(|_| publics.next().is_none());
        self.find("main").or(only)
    }

    /// The effect of an operation, what its functions do included: the question that every pass asks before it drops, merges
    /// or moves an instruction.
    pub fn effect(&self, op: &Op) -> Effect {
        if op.callees().into_iter().any(|c| self.has_effects(c)) { Effect::Ordered } else { op.effect() }
    }

    /// Whether an instruction of `func`, or of a function that it reaches, has an effect.
    pub fn has_effects(&self, func: FuncId) -> bool {
        self.reaches(func, &|op| op.effect() == Effect::Ordered)
    }

    /// Whether an operation of `func`, or of a function that it reaches, is such a one.
    pub fn reaches(&self, func: FuncId, is: &dyn Fn(&Op) -> bool) -> bool {
        let mut seen = EntityVec::<FuncId, bool>::filled(false, self.funcs.len());
        let mut work = vec![func];
        while let Some(f) = work.pop() {
            if std::mem::replace(&mut seen[f], true) {
                continue;
            }
            for inst in self.funcs[f].insts.values() {
                if is(&inst.op) {
                    return true;
                }
                work.extend(inst.op.callees());
            }
        }
        false
    }

    /// A symbol that no function has yet: `name`, or `name_0`, `name_1`...
    pub fn fresh_name(&self, name: &str) -> String {
        if self.find(name).is_none() {
            return name.to_owned();
        }
        (0..).map(|k| format!("{name}_{k}")).find(|n| self.find(n).is_none()).expect("some number is free")
    }

    /// A module of only what `roots` reach, and the new ids of `roots`. Functions keep their order. The work is that of what is
    /// reached, however much else there is.
    pub fn reachable(&self, roots: &[FuncId]) -> (Module, Vec<FuncId>) {
        let mut live: BTreeSet<FuncId> = BTreeSet::new();
        let mut work: Vec<FuncId> = roots.to_vec();
        while let Some(f) = work.pop() {
            if live.insert(f) {
                work.extend(self.funcs[f].insts.values().flat_map(|i| i.op.callees()));
            }
        }
        let new: BTreeMap<FuncId, FuncId> =
            live.iter().enumerate().map(|(k, &id)| (id, FuncId::from_index(k))).collect();
        let mut out = Module { name: self.name.clone(), funcs: EntityVec::new(), ..*self };
        for &id in &live {
            let func = &self.funcs[id];
            debug_assert_eq!(out.funcs.next_key(), new[&id]);
            let renames = func.insts.values().any(|i| i.op.callees().iter().any(|&c| new[&c] != c));
            if renames {
                let mut func = Func::clone(func);
                for inst in func.insts.values_mut() {
                    inst.op.map_callees(&mut |c| new[&c]);
                }
                out.funcs.push(Arc::new(func));
            } else {
                out.funcs.push(func.clone());
            }
        }
        (out, roots.iter().map(|&r| new[&r]).collect())
    }
}
