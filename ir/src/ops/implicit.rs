//! What is defined by an equation and found by a function of the user's: `wengert.linear_solve`, `wengert.root`.
//!
//! Derivatives are those of the equation, however the function goes about it (the implicit function theorem): of `A x = b` they
//! solve with `A` again, `dx = A^-1 (db - dA x)`, and reverse mode solves with its transpose; of `f(p, x) = 0` they are
//! `dx = -(df/dx)^-1 df/dp dp`. Passes find `dA x` and `df/dp dp` by differentiating the functions.

use crate::array::Array;
use crate::ensure;
use crate::func::{FuncId, Module};
use crate::op::*;
use crate::rules::{
    Emit, EvalError, Evaluate, Jvp, OpDef, Operand, Tangents, Term, Transpose as Cotangents, TypeError, Types,
};
use crate::types::Type;

/// Fails unless a function takes and gives these.
fn maps(
    module: &Module,
    func: FuncId,
    name: &'static str,
    takes: &[Type],
    gives: &[Type],
) -> Result<(), TypeError> {
    let list = |types: &[Type]| types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ");
    let f =
        module.funcs.get(func).ok_or_else(|| TypeError::new(name, format!("there is no function {func}")))?;
    for (what, got, wanted) in [("takes", f.param_types(), takes), ("gives", f.result_types(), gives)] {
        if got != wanted {
            let message = format!("it {what} ({}) where ({}) is needed", list(&got), list(wanted));
            return Err(TypeError::new(name, message));
        }
    }
    Ok(())
}

/// The types of the vectors, which come after the constants.
fn vectors(consts: usize, operands: &[Type]) -> Result<&[Type], TypeError> {
    ensure!(consts <= operands.len(), "consts", "{consts} constants of {}", operands.len());
    let vectors = &operands[consts..];
    let smooth = |t: &Type| t.as_tensor().is_some_and(|t| t.dtype.is_differentiable());
    if let Some(t) = vectors.iter().find(|t| !smooth(t)) {
        return Err(TypeError::new("vectors", format!("{t} is no vector of floats")));
    }
    Ok(vectors)
}

impl OpDef for LinearSolve {
    fn infer(&self, module: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let b = vectors(self.consts, operands)?;
        maps(module, self.matvec, "matvec", operands, b)?;
        maps(module, self.vecmat, "vecmat", operands, b)?;
        maps(module, self.solve, "solve", operands, b)?;
        maps(module, self.transpose_solve, "transpose_solve", operands, b)?;
        Ok(b.into())
    }

    fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        cx.call(self.solve, operands)
    }

    fn jvp(&self, _: &mut dyn Emit, _: Jvp<'_>) -> Tangents {
        unreachable!("linear_solve is differentiated by passes")
    }

    fn transpose(&self, e: &mut dyn Emit, x: Cotangents<'_>) -> Tangents {
        let mut args: Vec<Term> = Vec::new();
        for operand in &x.operands[..self.consts] {
            let Operand::Known(term) = operand else { unreachable!("is_linear wants it known") };
            args.push(*term);
        }
        for (ct, ty) in x.cotangents.iter().zip(x.results) {
            args.push(ct.unwrap_or_else(|| e.splat(ty.tensor().clone(), 0.0)));
        }
        let mut out: Tangents = std::iter::repeat_n(None, self.consts).collect();
        out.extend(e.emit(self.transposed().into(), &args).into_iter().map(Some));
        out
    }

    fn is_linear(&self, linear: &[bool]) -> bool {
        let (consts, b) = linear.split_at(self.consts);
        consts.iter().all(|l| !l) && b.iter().all(|&l| l)
    }
}

impl LinearSolve {
    /// The same with the transposed matrix.
    fn transposed(&self) -> LinearSolve {
        LinearSolve {
            matvec: self.vecmat,
            vecmat: self.matvec,
            solve: self.transpose_solve,
            transpose_solve: self.solve,
            consts: self.consts,
        }
    }
}

impl OpDef for Root {
    fn infer(&self, module: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let x = vectors(self.consts, operands)?;
        maps(module, self.residual, "residual", operands, x)?;
        maps(module, self.solve, "solve", operands, x)?;
        maps(module, self.tangent, "tangent", &[operands, x].concat(), x)?;
        Ok(x.into())
    }

    fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        cx.call(self.solve, operands)
    }

    fn jvp(&self, _: &mut dyn Emit, _: Jvp<'_>) -> Tangents {
        unreachable!("root is differentiated by passes")
    }
}
