//! The optimized program as StableHLO that other compilers read, with the arguments and results that it was written with: callers
//! count them, tokens too, and some versions of JAX read there how they lie.

use crate::error::{Done, Failure};
use crate::layout::Order;
use crate::orders::{self, Orders, turned};
use crate::types::Slot;
use wengert::stages::Traced;
use wengert_ir::func::{Func, FuncId, FuncKind, Loc, Module};
use wengert_ir::op::{Call, Foreign, Op};
use wengert_ir::text;
use wengert_ir::types::Type;

/// What is computed; `orders` are those in which arguments and results lie.
pub(crate) fn text(traced: &Traced, inputs: &[Slot], outputs: &[Slot], orders: &Orders) -> Done<String> {
    let plain = traced.stablehlo().map_err(|e| Failure::unimplemented(e.to_string()))?;
    let has_tokens = inputs.iter().chain(outputs).any(|slot| *slot == Slot::Token);
    let perms = [lying(inputs, &orders.inputs), lying(outputs, &orders.outputs)];
    let lies_otherwise = perms.iter().flatten().any(|perm| !perm.iter().copied().eq(0..perm.len()));
    let text = if has_tokens || lies_otherwise {
        let (module, func) = traced.module();
        let module = as_written(module.clone(), func, [inputs, outputs], perms);
        text::print(&module, &text::PrintOptions { locations: false, plain: true })
    } else {
        plain
    };
    let are_arrays = |slots: &[Slot], orders: &[Order]| {
        slots
            .iter()
            .zip(orders)
            .all(|(slot, order)| matches!(slot, Slot::Tensor(ty) if ty.rank() == order.len()))
    };
    // Of tokens and of sums in terms XLA has no such layouts.
    if !are_arrays(inputs, &orders.inputs) || !are_arrays(outputs, &orders.outputs) {
        return Ok(text);
    }
    let said = format!(
        " attributes {{mhlo.xla_entry_computation_parameter_layouts = {}, mhlo.xla_entry_computation_result_layout = {}}} {{",
        layouts(&orders.inputs),
        layouts(&orders.outputs)
    );
    // A module begins with its name, if it has one, and a brace.
    let module = text.split_once('\n').filter(|(head, _)| {
        head.starts_with("module") && head.ends_with(" {") && !head.contains(" attributes ")
    });
    Ok(match module {
        Some((head, rest)) => format!("{}{said}\n{rest}", &head[..head.len() - 2]),
        None => text,
    })
}

/// The dimensions of each argument or result as they lie in memory, those of terms in front; none of a token.
fn lying(slots: &[Slot], all: &[Order]) -> Vec<Vec<usize>> {
    let one = |(slot, order): (&Slot, &Order)| match slot {
        Slot::Tensor(ty) => orders::outwards(order, ty.rank() - order.len()),
        Slot::Token => Vec::new(),
    };
    slots.iter().zip(all).map(one).collect()
}

/// An attribute of orders.
fn layouts(all: &[Order]) -> String {
    let one = |order: &Order| {
        let list: Vec<String> = order.iter().map(i64::to_string).collect();
        let list = if list.is_empty() { String::new() } else { format!("[{}]", list.join(", ")) };
        format!("dense<{list}> : tensor<{}xindex>", order.len())
    };
    format!("[{}]", all.iter().map(one).collect::<Vec<_>>().join(", "))
}

/// The module with an entry that takes and gives tokens too, and arrays in the order of their dimensions, and calls the one that
/// does not.
fn as_written(
    mut module: Module,
    func: FuncId,
    [inputs, outputs]: [&[Slot]; 2],
    [params, results]: [Vec<Vec<usize>>; 2],
) -> Module {
    let mut inner = (*module.get(func)).clone();
    inner.kind = FuncKind::Private;
    inner.name = module.fresh_name("as_compiled");
    let types = inner.result_types();
    module.funcs[func] = std::sync::Arc::new(inner);
    let mut outer = Func::new("main", FuncKind::Public);
    let given: Vec<_> = (inputs.iter())
        .map(|slot| match slot {
            Slot::Token => (outer.param(Type::Token), false),
            Slot::Tensor(ty) => (outer.param(ty.clone()), true),
        })
        .collect();
    let mut args = Vec::new();
    for ((value, _), perm) in given.into_iter().zip(params).filter(|((_, is_array), _)| *is_array) {
        args.push(turned(&module, &mut outer, value, &perm));
    }
    let call = Op::Call(Call { callee: func });
    let mut made = outer.push_typed(call, &args, types, Loc::Unknown).into_iter();
    let token = Foreign {
        name: "stablehlo.create_token".into(),
        attributes: "".into(),
        regions: Vec::new(),
        captures: 0,
        results: vec![Type::Token],
    };
    for (slot, perm) in outputs.iter().zip(results) {
        let result = match slot {
            Slot::Token => outer.push_typed(token.clone().into(), &[], [Type::Token], Loc::Unknown)[0],
            Slot::Tensor(_) => {
                let value = made.next().expect("a result per tensor");
                turned(&module, &mut outer, value, &orders::inverse(&perm))
            }
        };
        outer.results.push(result);
    }
    module.add(outer);
    module
}
