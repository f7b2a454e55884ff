//! What a derivative is not of: arguments, results and vectors that do not fit, each with what to do instead.

use crate::call::Args;
use crate::context::What;
use crate::error::{Error, fail};
use crate::tensor::Tensor;
use crate::tree::{self, Tree};
use std::panic::Location;
use wengert_ir::types::TensorType;

/// Fails if a chosen argument has a leaf without derivatives.
pub(crate) fn refuse_integers<A: Args>(what: What, args: &A, chosen: &[usize]) {
    let arguments = args.leaf_counts().into_iter().enumerate().flat_map(|(k, n)| std::iter::repeat_n(k, n));
    let mut leaves = arguments.zip(args.leaf_names());
    let mut wrong = None;
    args.visit(&mut |t| {
        if let Some((argument, name)) = leaves.next()
            && chosen.contains(&argument)
            && !t.dtype().is_differentiable()
        {
            wrong = wrong.take().or(Some((name, t.ty())));
        }
    });
    if let Some((name, ty)) = wrong {
        let message = format!(
            "`{name}` is {ty}, and integers and booleans have no derivatives: make it a float (`.astype(DType::F32)`) or \
             differentiate with respect to other arguments (`.wrt(ARG1)`){}",
            if matches!(what.name, "grad" | "value_and_grad") {
                "; `.allow_int()` gives it zeros"
            } else {
                ""
            }
        );
        fail(Error::new(message, Some(what.at)).within(what))
    }
}

/// Fails if a leaf that is differentiated by is not complex.
pub(crate) fn refuse_real<A: Args>(what: What, args: &A, mask: &[bool]) {
    let mut leaves = mask.iter().zip(args.leaf_names());
    args.visit(&mut |t| {
        if let Some((true, name)) = leaves.next()
            && !t.dtype().is_complex()
        {
            let message = format!("a holomorphic function has complex arguments, and `{name}` is {}", t.ty());
            fail(Error::new(message, Some(what.at)).within(what))
        }
    });
}

/// What is said of a result that has no gradient, and what to do instead. `kind` is that of the numbers that it should be one of.
pub(crate) fn no_scalar(kind: &str, result: &TensorType) -> Error {
    let instead = match (result.dtype.is_complex() && kind == "float", result.rank()) {
        (true, _) => "`.holomorphic()` gives the derivative of a holomorphic function",
        (false, 0) if result.dtype.is_differentiable() => "`.holomorphic()` is for complex functions",
        (false, 0) => {
            "what is returned beside the number that is differentiated goes after it, with `.aux()`"
        }
        (false, _) => {
            "add it up (`.sum()`), or take the derivatives of all elements (`jacrev`, `jacfwd`) or those of the sum with given \
             weights (`vjp`)"
        }
    };
    let message = format!(
        "the result of a differentiated function must be a {kind} scalar, here it is {result}: {instead}"
    );
    Error::new(message, None)
}

/// The cotangents of the leaves that have some, checked against the result.
pub(crate) fn cotangents_of<R: Tree>(
    what: What,
    out: &R,
    cotangent: R,
    at: &'static Location<'static>,
) -> Vec<Tensor> {
    let mut cts: Vec<Tensor> = Vec::new();
    let mut wanted: Vec<TensorType> = Vec::new();
    out.visit(&mut |t| wanted.push(t.ty()));
    let mut k = 0;
    let mut bad = None;
    cotangent.visit(&mut |t| {
        match wanted.get(k) {
            Some(ty) if t.has_type(ty) => {}
            Some(ty) => {
                let mut names = Vec::new();
                out.names("the result", &mut names);
                bad = bad.take().or_else(|| {
                    Some(format!(
                        "the cotangent of {} is {}, and that is {ty}: a cotangent has the shape and type of its result",
                        names[k],
                        t.ty()
                    ))
                })
            }
            None => {}
        }
        if t.dtype().is_differentiable() {
            cts.push(t.clone());
        }
        k += 1;
    });
    if let Some([wanted, found]) = tree::difference(out, &cotangent) {
        bad = Some(format!("the cotangent is {found}, the result {wanted}"));
    }
    if let Some(message) = bad {
        fail(Error::new(message, Some(at)).within(what))
    }
    cts
}

/// What is said of a vector whose leaf is not of the type of that of the arguments.
pub(crate) fn misfit(what: &str, of: &str, is: &Tensor, wanted: &TensorType) -> String {
    let is = is.ty();
    format!(
        "the {what} of `{of}` is {is}, and that is {wanted}: a {what} has the shape and type of its argument"
    )
}

/// The tangents of the leaves that have some, checked against the arguments.
pub(crate) fn tangents_of<A: Args>(what: What, args: &A, tangents: &A) -> Vec<Tensor> {
    let mut leaves: Vec<TensorType> = Vec::new();
    args.visit(&mut |t| leaves.push(t.ty()));
    let mut dts: Vec<Tensor> = Vec::new();
    let mut k = 0;
    let mut bad = None;
    tangents.visit(&mut |t| {
        match leaves.get(k) {
            Some(ty) if !ty.dtype.is_differentiable() => {}
            Some(ty) if t.has_type(ty) => dts.push(t.clone()),
            Some(ty) => bad = bad.take().or_else(|| Some(misfit("tangent", &args.leaf_names()[k], t, ty))),
            None => {}
        }
        k += 1;
    });
    if let Some([wanted, found]) = tree::difference(args, tangents) {
        bad = Some(format!("the tangents are {found}, the arguments {wanted}"));
    }
    if let Some(message) = bad {
        fail(Error::new(message, Some(what.at)).within(what))
    }
    dts
}
