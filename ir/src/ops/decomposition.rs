//! What is differentiated in place of an operation that has a function of the user's: the same computation in
//! operations and loops that have rules.

use super::reduce::as_scan;
use crate::array::Literal;
use crate::func::{FuncId, FuncKind, Module};
use crate::op::{BinaryOp, Op, Reducer};
use crate::types::Type;

/// Whether an operation is differentiated by its own rule.
pub enum Through {
    /// Its rule is to be used.
    Rule,
    /// This function of the same operands, with the same results, is to be differentiated in its place.
    Func(FuncId),
    /// It has no derivative while shapes are not known.
    Nothing,
}

/// How an operation is differentiated with respect to its active operands. `constants` are what is known of the
/// operands' values.
pub fn through(
    module: &mut Module,
    op: &Op,
    operands: &[Type],
    constants: &[Option<&Literal>],
    active: &[bool],
) -> Through {
    let own = |reducer: Reducer| match reducer {
        Reducer::Func(_) => true,
        Reducer::Op(op) => op == BinaryOp::Multiply,
        Reducer::Assign => false,
    };
    let static_shapes = operands.iter().all(|t| t.as_tensor().is_none_or(|t| t.is_static()));
    let func = if let Op::Reduce(op) = op {
        if !matches!(op.reducer, Reducer::Func(_)) {
            return Through::Rule;
        }
        return as_scan(module, op, operands).map_or(Through::Nothing, Through::Func);
    } else if let Op::Map(op) = op {
        static_shapes.then(|| op.expansion(module, operands)).flatten()
    } else if let Op::ReduceWindow(op) = op {
        if !own(op.reducer) {
            return Through::Rule;
        }
        let neutral = op.starts_neutral(module, constants);
        static_shapes.then(|| op.unrolled(module, operands, neutral)).flatten()
    } else if let Op::SelectAndScatter(op) = op {
        if !own(op.scatter) {
            return Through::Rule;
        }
        static_shapes.then(|| op.expansion(module, operands)).flatten()
    } else if let Op::Scatter(op) = op {
        let repeats = op.reducer == Reducer::Op(BinaryOp::Multiply) && active[2] && !op.unique_indices;
        if !repeats && !matches!(op.reducer, Reducer::Func(_)) {
            return Through::Rule;
        }
        static_shapes.then(|| op.looped(module, operands)).flatten()
    } else {
        return Through::Rule;
    };
    match func {
        Some(mut func) => {
            func.name = module.fresh_name(op.name().trim_start_matches("stablehlo."));
            func.kind = FuncKind::Private;
            Through::Func(module.add(func))
        }
        None => Through::Nothing,
    }
}
