//! In which order the arrays lie that a program takes and gives.
//!
//! A program says it of each argument and result (`mhlo.layout_mode`): an order, or that ours is welcome (`auto`). Arguments of which
//! the latter is said are row-major; such a result lies as what it is a transposition of, for then there is nothing to move.
//! Compiled code knows row-major arrays alone: a program is compiled on the arrays that memory holds, whose dimensions are those of
//! the program in their order, and begins and ends by transposing what lies otherwise. Rewrites know what to do with that.

use crate::error::{Done, Failure};
use crate::layout::Order;
use std::sync::Arc;
use wengert_ir::func::{Def, Func, FuncId, Inst, Loc, Module, Value};
use wengert_ir::interface::{Attributes, Interface};
use wengert_ir::op::{CustomCall, Op, Transpose};
use wengert_ir::text::typed_attributes;
use wengert_ir::types::Type;

/// The custom call by which a program says in which order a value is to lie. It is its operand.
const CONSTRAINT: &str = "LayoutConstraint";

/// The orders of arguments and of results; that of a token is the one of no dimensions.
pub(crate) struct Orders {
    pub(crate) inputs: Vec<Order>,
    pub(crate) outputs: Vec<Order>,
}

/// What is said of an array, or chosen for it.
enum Said {
    Order(Order),
    Auto,
}

/// What a program says; what it leaves open is chosen, and what it says of values within has been heard.
pub(crate) fn settle(module: &mut Module, entry: &Interface) -> Done<Orders> {
    let func = module.get(entry.func);
    let read = |values: &[Value], attributes: &[Attributes], what: &str| -> Done<Vec<Said>> {
        let one = |(k, (&value, attributes))| {
            said(attributes, rank(&func, value))
                .map_err(|e| Failure { message: format!("{what} {k}: {}", e.message), ..e })
        };
        values.iter().zip(attributes).enumerate().map(one).collect()
    };
    let inputs = read(&func.params, &entry.params, "argument")?;
    let input = |(said, &value)| match said {
        Said::Order(order) => order,
        Said::Auto => Order::row_major(rank(&func, value)),
    };
    let inputs: Vec<Order> = inputs.into_iter().zip(&func.params).map(input).collect();
    let outputs = read(&func.results, &entry.results, "result")?;
    let output = |(said, &value)| match said {
        Said::Order(order) => Ok(order),
        Said::Auto => at_hand(&func, value, &inputs),
    };
    let outputs = outputs.into_iter().zip(&func.results).map(output).collect::<Done<_>>()?;
    hear_constraints(module);
    Ok(Orders { inputs, outputs })
}

fn rank(func: &Func, value: Value) -> usize {
    func.ty(value).as_tensor().map_or(0, |ty| ty.rank())
}

fn said(attributes: &Attributes, rank: usize) -> Done<Said> {
    match Interface::layout(attributes) {
        None | Some("default") => Ok(Said::Order(Order::row_major(rank))),
        Some("auto") => Ok(Said::Auto),
        Some(text) => Order::parse(text, rank).map(Said::Order),
    }
}

/// The order in which a value lies without being moved, as far as transpositions tell.
fn at_hand(func: &Func, mut value: Value, inputs: &[Order]) -> Done<Order> {
    // Of each dimension of what we have come to the one that it is of the value.
    let mut dims: Vec<usize> = (0..rank(func, value)).collect();
    let lies_as = |order: &Order, dims: &[usize]| Order::outermost_first(order.inwards().map(|d| dims[d]));
    loop {
        let inst = match func.values[value].def {
            Def::Param(k) => return Ok(lies_as(&inputs[k as usize], &dims)),
            Def::Inst(inst, _) => &func.insts[inst],
        };
        if let Op::CustomCall(call) = &inst.op
            && is_constraint(func, inst, call)
        {
            return Ok(lies_as(&wanted(call, dims.len())?, &dims));
        }
        let Op::Transpose(transpose) = &inst.op else {
            return Ok(Order::outermost_first(dims.into_iter()));
        };
        let of_result = dims.clone();
        transpose.perm.iter().zip(of_result).for_each(|(&from, dim)| dims[from] = dim);
        value = inst.operands[0];
    }
}

fn is_constraint(func: &Func, inst: &Inst, call: &CustomCall) -> bool {
    *call.target == *CONSTRAINT
        && matches!((&inst.operands[..], &inst.results[..]), (&[x], &[y])
            if func.ty(x) == func.ty(y) && func.ty(x).as_tensor().is_some())
}

/// The order that a constraint asks for.
fn wanted(call: &CustomCall, rank: usize) -> Done<Order> {
    let said = typed_attributes(&call.attributes).map_err(Failure::invalid)?;
    let layouts = said.iter().find(|(name, _)| name == "result_layouts").map(|(_, value)| value);
    let first = layouts.and_then(|layouts| {
        let wengert_ir::text::Typed::Array(list) = layouts else { return None };
        list.first()
    });
    match first {
        Some(list) => Order::new(&list.places().into_iter().map(|d| d as i64).collect::<Vec<_>>(), rank),
        None => Ok(Order::row_major(rank)),
    }
}

/// Makes constraints what they are to code, whose values have no orders: nothing.
fn hear_constraints(module: &mut Module) {
    let ids: Vec<FuncId> = module.funcs.iter().map(|(id, _)| id).collect();
    for id in ids {
        let func = module.get(id);
        let is_one =
            |inst: &Inst| matches!(&inst.op, Op::CustomCall(call) if is_constraint(&func, inst, call));
        if !func.insts.values().any(is_one) {
            continue;
        }
        let new = Arc::make_mut(&mut module.funcs[id]);
        for (inst, old) in func.insts.iter().filter(|(_, inst)| is_one(inst)) {
            let perm = (0..rank(&func, old.results[0])).collect();
            new.insts[inst].op = Transpose { perm }.into();
        }
    }
}

/// The dimensions of an array in its order, from the outermost inwards, behind so many others.
pub(crate) fn outwards(order: &Order, others: usize) -> Vec<usize> {
    (0..others).chain(order.inwards().map(|d| others + d)).collect()
}

/// The permutation that undoes one.
pub(crate) fn inverse(perm: &[usize]) -> Vec<usize> {
    let mut back = vec![0; perm.len()];
    perm.iter().enumerate().for_each(|(at, &d)| back[d] = at);
    back
}

/// A value with its dimensions permuted, which is itself if they stay.
pub(crate) fn turned(module: &Module, func: &mut Func, value: Value, perm: &[usize]) -> Value {
    if perm.iter().copied().eq(0..perm.len()) {
        return value;
    }
    let perm = perm.iter().copied().collect();
    func.push_built(module, Transpose { perm }.into(), &[value], Loc::Unknown)[0]
}

/// Makes a function one of the arrays that memory holds: of each parameter and result the dimensions from the outermost inwards.
pub(crate) fn turn(module: &mut Module, func: FuncId, params: &[Vec<usize>], results: &[Vec<usize>]) {
    let lies_otherwise = |dims: &Vec<usize>| !dims.iter().copied().eq(0..dims.len());
    if !params.iter().chain(results).any(lies_otherwise) {
        return;
    }
    let inner = module.get(func);
    let mut outer = Func::new(inner.name.clone(), inner.kind);
    outer.param_names.clone_from(&inner.param_names);
    let mut args = Vec::new();
    // All parameters first: their numbers are those of the caller's arguments.
    for (&param, dims) in inner.params.iter().zip(params) {
        let ty = match inner.ty(param) {
            Type::Tensor(ty) if lies_otherwise(dims) => {
                let shape: Vec<usize> = dims.iter().map(|&d| ty.shape[d]).collect();
                ty.with_shape(&shape).into()
            }
            other => other.clone(),
        };
        args.push(outer.param(ty));
    }
    for (arg, dims) in args.iter_mut().zip(params) {
        *arg = turned(module, &mut outer, *arg, &inverse(dims));
    }
    let mut given = outer.inline(&inner, &args);
    for (value, dims) in given.iter_mut().zip(results) {
        *value = turned(module, &mut outer, *value, dims);
    }
    outer.results = given;
    module.funcs[func] = Arc::new(outer);
}
