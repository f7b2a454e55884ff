//! Programs with sizes that their text leaves open, `tensor<?xf32>`, made static for the arguments at hand.
//!
//! Types are inferred again from those of the arguments; numbers that sizes are computed from are computed here, and an
//! operation that takes its sizes as operands becomes the one that has them as attributes. What comes out has no open
//! size, or there is an error that says which operation is to blame.

use crate::inline::{callees_first, inline_where};
use crate::rules::is_known_name;
use std::sync::Arc;
use wengert_ir::array::{Array, Literal};
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Func, FuncId, FuncKind, Inst, InstId, Module, Value};
use wengert_ir::interp::{Limits, run};
use wengert_ir::op::{Call, Composite, Constant, Effect, Op, Reducer};
use wengert_ir::ops::reduce::recognise;
use wengert_ir::text::{SizedCall, is_sized_call, static_call, static_form};
use wengert_ir::types::{DType, DYNAMIC, TensorType, Type};

/// Tensors of more elements than this are not followed: no shape is that long.
const MAX_KNOWN: usize = 64;

/// What is known about an argument.
#[derive(Clone, Debug)]
pub struct Argument {
    /// Its type, without open sizes.
    pub ty: TensorType,
    /// Its value, if sizes may depend on it.
    pub value: Option<Array>,
}

/// Whether a program has sizes that are not known. Rows that a loop of its own accord saves, one a trip, are no such size.
pub fn is_open(module: &Module, func: FuncId) -> bool {
    let (module, entry) = module.reachable(&[func]);
    let unknown = |ty: &Type| ty.as_tensor().is_some_and(|t| !t.is_static());
    let open = |f: &Func, inst: &Inst| {
        let types = inst.operands.iter().chain(&inst.results).map(|&v| f.ty(v));
        is_sized(&inst.op) || inst.op.is_open(types.filter(|ty| unknown(ty)))
    };
    module.funcs[entry[0]].param_types().iter().any(unknown)
        || module.funcs.values().any(|f| f.insts.values().any(|inst| open(f, inst)))
}

/// An instruction that passes, derivatives and code have nothing to go by at, if a program has one: what it gives is not
/// known from its operands ([`Op::is_open`]), it takes sizes as operands, its types are read and printed only, or memory
/// cannot hold them.
pub(crate) fn first_open(module: &Module, func: FuncId) -> Option<(Arc<Func>, InstId)> {
    callees_first(module, func).into_iter().find_map(|id| {
        let func = module.get(id);
        let is_open = |inst: &Inst| {
            let types = || inst.operands.iter().chain(&inst.results).map(|&v| func.ty(v));
            is_sized(&inst.op) || inst.op.is_open(types()) || types().any(lies_nowhere)
        };
        let found = func.insts.iter().find(|(_, inst)| is_open(inst)).map(|(id, _)| id)?;
        Some((func, found))
    })
}

/// Why a program cannot be worked on as it is, if it cannot: see [`refine`] for sizes that are not known.
pub fn check_closed(module: &Module, func: FuncId) -> Result<(), String> {
    match first_open(module, func) {
        Some((func, inst)) => {
            let inst = &func.insts[inst];
            Err(format!("{}: {}", name(&inst.op), why_open(&func, inst)))
        }
        None => Ok(()),
    }
}

/// What is wrong where it stands with an instruction that [`first_open`] found.
pub(crate) fn why_open(func: &Func, inst: &Inst) -> String {
    let types = || inst.operands.iter().chain(&inst.results).map(|&v| func.ty(v));
    if let Some(ty) = types().find(|ty| matches!(ty, Type::Foreign(_))) {
        return format!("{ty} is read and printed only");
    }
    match types().find(|&ty| lies_nowhere(ty)) {
        Some(ty) => format!("{ty} has more bytes than can be addressed"),
        None => "its sizes are not known".to_owned(),
    }
}

/// Whether nothing of the type can be in memory.
fn lies_nowhere(ty: &Type) -> bool {
    match ty {
        Type::Tensor(t) => t.is_static() && t.checked_bytes().is_none(),
        Type::Foreign(_) => true,
        Type::Token => false,
    }
}

/// Whether an operation takes sizes as operands, or asks about them.
fn is_sized(op: &Op) -> bool {
    if matches!(op, Op::CustomCall(call) if &*call.target == "shape_assertion" || is_sized_call(call)) {
        return true;
    }
    let Op::Foreign(foreign) = op else { return false };
    foreign.name.starts_with("stablehlo.dynamic_")
        || matches!(
            &foreign.name[..],
            "stablehlo.real_dynamic_slice" | "stablehlo.get_dimension_size" | "stablehlo.set_dimension_size"
        )
}

/// The function for these arguments, in a module of its own, calls inlined.
///
/// Fails with a message if an argument does not fit, if types contradict each other, or if a size depends on what is
/// only known at run time.
pub fn refine(module: &Module, func: FuncId, arguments: &[Argument]) -> Result<(Module, FuncId), String> {
    let mut from = module.clone();
    // What is recognised by its name keeps it.
    let named: Vec<FuncId> =
        from.funcs.iter().filter(|(_, f)| is_known_name(&f.name)).map(|(id, _)| id).collect();
    let func = inline_where(&mut from, func, &|op| {
        if let Op::Call(Call { callee }) | Op::Composite(Composite { decomposition: callee, .. }) = op {
            (!named.contains(callee)).then_some(*callee)
        } else {
            None
        }
    });
    let mut to = Module::new(module.name.clone());
    to.mode = module.mode;
    let arguments: Vec<(Type, Option<Array>)> =
        arguments.iter().map(|a| (a.ty.clone().into(), a.value.clone())).collect();
    let mut refiner = Refiner { from: &from, to };
    let func = refiner.function(func, &arguments)?;
    Ok((refiner.to, func))
}

struct Refiner<'m> {
    from: &'m Module,
    to: Module,
}

/// An instruction in place of another; `None` where nothing is left of it.
type Replaced = Option<(Op, Vec<Value>)>;

impl Refiner<'_> {
    /// Adds the function for parameters of these types, of which some have known values.
    fn function(&mut self, id: FuncId, params: &[(Type, Option<Array>)]) -> Result<FuncId, String> {
        let old = self.from.get(id);
        let mut new = Func::new(old.name.clone(), old.kind);
        new.param_names = old.param_names.clone();
        let mut values: EntityVec<Value, Option<Value>> = EntityVec::filled(None, old.values.len());
        let mut known: EntityVec<Value, Option<Array>> = EntityVec::filled(None, old.values.len());
        if params.len() != old.params.len() {
            return Err(format!("{} arguments for a function of {}", params.len(), old.params.len()));
        }
        for (k, (&p, (ty, value))) in old.params.iter().zip(params).enumerate() {
            if !fits(old.ty(p), ty) {
                return Err(format!("argument {k} is {ty}, the program takes {}", old.ty(p)));
            }
            values[p] = Some(new.param(ty.clone()));
            known[p] = value.clone();
        }
        for inst in old.insts.values() {
            let operands: Vec<Value> =
                inst.operands.iter().map(|&v| values[v].expect("topological order")).collect();
            let types: Vec<Type> = operands.iter().map(|&v| new.ty(v).clone()).collect();
            let numbers: Vec<Option<Array>> = inst.operands.iter().map(|&v| known[v].clone()).collect();
            let Some((op, operands)) = self.replaced(inst, operands, &types, &numbers)? else { continue };
            let types: Vec<Type> = operands.iter().map(|&v| new.ty(v).clone()).collect();
            let results = op.infer(&self.to, &types).map_err(|e| e.to_string())?;
            for (&r, ty) in inst.results.iter().zip(&results) {
                if ty.as_tensor().is_some_and(|t| !t.is_static()) && op.is_open([ty].into_iter()) {
                    return Err(format!("{}: the size of {ty} is not known", name(&inst.op)));
                }
                if !fits(old.ty(r), ty) {
                    return Err(format!("{} gives {ty}, the program says {}", name(&inst.op), old.ty(r)));
                }
            }
            let value = if results.len() == 1 { evaluate(&op, &results[0], &types, &numbers) } else { None };
            // Sizes that are computed are constants; what they were computed from may then be unused.
            let placed = match value.clone() {
                Some(array) => {
                    let constant = Constant { value: Literal::from_array(&array) };
                    new.push_typed(constant.into(), &[], results, inst.loc.clone())
                }
                None => new.push_typed(op, &operands, results, inst.loc.clone()),
            };
            if let Some(&r) = inst.results.first() {
                known[r] = value;
            }
            for (&old, &new) in inst.results.iter().zip(&placed) {
                values[old] = Some(new);
            }
        }
        new.results = old.results.iter().map(|&v| values[v].expect("defined")).collect();
        Ok(self.to.add(new))
    }

    /// The operation for operands of these types.
    fn replaced(
        &mut self,
        inst: &Inst,
        operands: Vec<Value>,
        types: &[Type],
        known: &[Option<Array>],
    ) -> Result<Replaced, String> {
        let mut op = inst.op.clone();
        match &mut op {
            Op::Foreign(foreign) if is_sized(&inst.op) => {
                let numbers = |k: usize| known.get(k)?.as_ref().and_then(integers);
                return match static_form(foreign, types, &numbers)? {
                    Some((op, kept)) => Ok(Some((op, operands[..kept].to_vec()))),
                    None => {
                        Err(format!("{}: its sizes depend on what is known at run time only", foreign.name))
                    }
                };
            }
            Op::CustomCall(call) if &*call.target == "shape_assertion" => {
                return match known.first().and_then(Option::as_ref).and_then(integers).as_deref() {
                    Some([0]) => {
                        Err(format!("the sizes are not what the program asserts: {}", call.attributes))
                    }
                    Some(_) => Ok(None),
                    None => Err("shape_assertion: it depends on what is known at run time only".into()),
                };
            }
            Op::CustomCall(call) if is_sized_call(call) => {
                let numbers = |k: usize| known.get(k)?.as_ref().and_then(integers);
                let open = || format!("{}: its sizes depend on what is known at run time only", call.target);
                return match static_call(call, types, &numbers)?.ok_or_else(open)? {
                    SizedCall::Window(mut window) => {
                        window.reducer = self.reducer(window.reducer)?;
                        Ok(Some((window.into(), operands[..2].to_vec())))
                    }
                    SizedCall::First(op) => Ok(Some((op, operands[..1].to_vec()))),
                    SizedCall::Function(func, kept) => {
                        let callee = self.to.add(Func { kind: FuncKind::Private, ..*func });
                        Ok(Some((Call { callee }.into(), kept.iter().map(|&k| operands[k]).collect())))
                    }
                };
            }
            Op::BitcastConvert(b) if !b.ty.is_static() => {
                let Some(x) = types.first().and_then(Type::as_tensor) else {
                    return Ok(Some((op, operands)));
                };
                let (from, to) = (x.dtype.bits(), b.ty.dtype.bits());
                b.ty.shape = x.shape.clone();
                if from > to {
                    b.ty.shape.push(from / to);
                } else if from < to {
                    b.ty.shape.pop();
                }
            }
            Op::Call(call) => {
                let params: Vec<_> = types.iter().cloned().zip(known.iter().cloned()).collect();
                call.callee = self.function(call.callee, &params)?;
            }
            Op::While(w) => {
                let params: Vec<(Type, Option<Array>)> = types
                    .iter()
                    .enumerate()
                    .map(|(k, ty)| (ty.clone(), known[k].clone().filter(|_| k < w.consts)))
                    .collect();
                w.cond = self.function(w.cond, &params)?;
                w.body = self.function(w.body, &params)?;
            }
            Op::Case(case) => {
                let params: Vec<(Type, Option<Array>)> =
                    types.iter().cloned().zip(known.iter().cloned()).skip(1).collect();
                for branch in &mut case.branches {
                    *branch = self.function(*branch, &params)?;
                }
            }
            _ => {
                let mut failed = None;
                op.map_callees(&mut |id| {
                    let func = self.from.get(id);
                    let params: Vec<_> = func.param_types().into_iter().map(|ty| (ty, None)).collect();
                    self.function(id, &params).unwrap_or_else(|e| {
                        failed.get_or_insert(e);
                        id
                    })
                });
                if let Some(e) = failed {
                    return Err(e);
                }
            }
        }
        Ok(Some((op, operands)))
    }
}

impl Refiner<'_> {
    /// A reducer of the new module: one operation where its function is no more than that.
    fn reducer(&mut self, reducer: Reducer) -> Result<Reducer, String> {
        let Reducer::Func(id) = reducer else { return Ok(reducer) };
        if let Some(op) = recognise(self.from, id) {
            return Ok(Reducer::Op(op));
        }
        let params: Vec<_> = self.from.get(id).param_types().into_iter().map(|ty| (ty, None)).collect();
        Ok(Reducer::Func(self.function(id, &params)?))
    }
}

/// What users call an operation.
pub(crate) fn name(op: &Op) -> &str {
    match op {
        Op::Foreign(foreign) => &foreign.name,
        Op::CustomCall(call) => &call.target,
        _ => op.name(),
    }
}

/// Whether a type is what another leaves open.
fn fits(open: &Type, ty: &Type) -> bool {
    match (open.as_tensor(), ty.as_tensor()) {
        (Some(open), Some(ty)) => {
            open.dtype == ty.dtype
                && open.rank() == ty.rank()
                && open.shape.iter().zip(&ty.shape).all(|(&a, &b)| a == DYNAMIC || a == b)
        }
        _ => open == ty,
    }
}

/// The elements of a small array of integers or booleans.
fn integers(array: &Array) -> Option<Vec<i64>> {
    if is_followed(array.ty()) { array.integers() } else { None }
}

/// Whether values of the type may become sizes.
fn is_followed(ty: &TensorType) -> bool {
    let countable = ty.dtype.is_integer() || ty.dtype == DType::I1;
    countable && ty.checked_elements().is_some_and(|n| n <= MAX_KNOWN)
}

/// The value of an operation all of whose operands are known.
fn evaluate(op: &Op, result: &Type, types: &[Type], known: &[Option<Array>]) -> Option<Array> {
    if !result.as_tensor().is_some_and(is_followed) || op.effect() != Effect::Pure || !op.callees().is_empty()
    {
        return None;
    }
    if let Op::Constant(c) = op {
        return Some(c.value.to_array());
    }
    // An operation may have kept only the first of its operands.
    let args: Option<Vec<Array>> = known.iter().take(types.len()).cloned().collect();
    let mut func = Func::new("value", FuncKind::Public);
    let params: Vec<Value> = types.iter().map(|ty| func.param(ty.clone())).collect();
    func.results = func.push_typed(op.clone(), &params, [result.clone()], Default::default()).to_vec();
    let mut module = Module::new("value");
    let func = module.add(func);
    run(&module, func, &args?, &Limits::default()).ok()?.pop()
}
