//! Custom calls with sizes as operands, as JAX exports them where sizes are symbolic: routines of LAPACK with the shapes of their
//! results, `stablehlo.dynamic_reduce_window` and `stablehlo.dynamic_top_k`.

use crate::func::{Func, Module};
use crate::op::*;
use crate::text::parser::Parser;
use crate::text::pretty::Ints;
use crate::types::{Dims, Type};
use std::fmt::Write;

/// The attribute that numbers the operands in which the shapes of the results are.
const SHAPES: &str = "indices_of_shape_operands";
const REDUCE_WINDOW: &str = "stablehlo.dynamic_reduce_window";
const TOP_K: &str = "stablehlo.dynamic_top_k";

/// What such a call is for sizes that are known.
pub enum SizedCall {
    /// A reduction of windows, of the first two operands; it has the function that the call names.
    Window(ReduceWindow),
    /// An operation of the first operand.
    First(Op),
    /// A function of these operands.
    Function(Box<Func>, Vec<usize>),
}

/// Whether a call takes sizes as operands.
pub fn is_sized_call(call: &CustomCall) -> bool {
    [REDUCE_WINDOW, TOP_K].contains(&&*call.target) || call.attributes.contains(SHAPES)
}

/// What a call is, now that its operands have these types and `known` tells the numbers of some; `None` if sizes are still open.
///
/// Fails with a message if the sizes do not fit or the call is not one that is known.
pub fn static_call(
    call: &CustomCall,
    operands: &[Type],
    known: &dyn Fn(usize) -> Option<Vec<i64>>,
) -> Result<Option<SizedCall>, String> {
    if &*call.target == REDUCE_WINDOW {
        return Ok(window(call, known).map(SizedCall::Window));
    }
    if &*call.target == TOP_K {
        let k = known(1).and_then(|k| usize::try_from(*k.first()?).ok());
        return Ok(k.map(|k| SizedCall::First(TopK { k }.into())));
    }
    let source = format!("{{{}}}", call.attributes);
    let mut parser = Parser::new(&source);
    let attrs = parser.dict().map_err(|e| e.message)?;
    let wrong = || format!("{}: `{SHAPES}` must number operands", call.target);
    let numbered = attrs.get(SHAPES).and_then(|(v, _)| v.ints()).ok_or_else(wrong)?;
    let numbered: Vec<usize> =
        numbered.iter().map(|&k| usize::try_from(k).ok()).collect::<Option<_>>().ok_or_else(wrong)?;
    if numbered.len() != call.results.len() || numbered.iter().any(|&k| k >= operands.len()) {
        return Err(wrong());
    }
    let mut results: Vec<Type> = Vec::new();
    for (&k, ty) in numbered.iter().zip(&call.results) {
        let Type::Tensor(ty) = ty else { return Err(wrong()) };
        if ty.is_static() {
            results.push(ty.clone().into());
            continue;
        }
        let Some(sizes) = known(k) else { return Ok(None) };
        let shape: Option<Dims> = sizes.iter().map(|&n| usize::try_from(n).ok()).collect();
        let shape = shape
            .filter(|s| s.len() == ty.rank())
            .ok_or_else(|| format!("{}: the sizes {sizes:?} are not those of {ty}", call.target))?;
        results.push(ty.with_shape(&shape).into());
    }
    // Layouts and aliases follow from the routine.
    let others = [SHAPES, "operand_layouts", "result_layouts", "output_operand_aliases"];
    let attributes = attrs.source_without(&source, &others);
    let kept: Vec<usize> = (0..operands.len()).filter(|k| !numbered.contains(k)).collect();
    let types: Vec<Type> = kept.iter().map(|&k| operands[k].clone()).collect();
    let func = spelled(&call.target, &attributes, &types, &results)?;
    Ok(Some(SizedCall::Function(Box::new(func), kept)))
}

/// The call with static types, as text has it, read: so that it becomes the operation that it would have been.
fn spelled(target: &str, attributes: &str, operands: &[Type], results: &[Type]) -> Result<Func, String> {
    let list = |types: &[Type]| types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ");
    let (from, to) = (list(operands), list(results));
    let names =
        |prefix: &str, n: usize| (0..n).map(|k| format!("{prefix}{k}")).collect::<Vec<_>>().join(", ");
    let mut text = String::from("func.func @main(");
    for (k, ty) in operands.iter().enumerate() {
        let _ = write!(text, "{}%a{k}: {ty}", if k > 0 { ", " } else { "" });
    }
    let _ = write!(
        text,
        ") -> ({to}) {{ %r:{n} = stablehlo.custom_call @{target}({}) {{{attributes}}} : ({from}) -> ({to}) return {} : {to} }}",
        names("%a", operands.len()),
        names("%r#", results.len()),
        n = results.len(),
    );
    let mut module: Module = super::super::parse(&text).map_err(|e| e.message)?;
    let main = module.find("main").ok_or("no function")?;
    let func = std::sync::Arc::unwrap_or_clone(std::mem::take(&mut module.funcs[main]));
    if func.insts.values().any(|i| matches!(i.op, Op::CustomCall(_))) {
        return Err(format!("{target}: not a routine that is known, for {from}"));
    }
    Ok(func)
}

/// `operand, init, dimensions, strides, base dilations, window dilations, padding`.
fn window(call: &CustomCall, known: &dyn Fn(usize) -> Option<Vec<i64>>) -> Option<ReduceWindow> {
    let &[reducer] = &call.called_computations[..] else { return None };
    let sizes = |k: usize| -> Option<Dims> { known(k)?.iter().map(|&n| usize::try_from(n).ok()).collect() };
    let padding = known(6)?;
    let side = |k: usize| padding.iter().skip(k).step_by(2).copied().collect::<Ints>();
    Some(ReduceWindow {
        window_dimensions: sizes(2)?,
        window_strides: sizes(3)?,
        base_dilations: sizes(4)?,
        window_dilations: sizes(5)?,
        padding_low: side(0),
        padding_high: side(1),
        inputs: 1,
        reducer: Reducer::Func(reducer),
    })
}
