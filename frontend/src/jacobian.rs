//! Whole Jacobians: [`jacfwd`], [`jacrev`], [`hessian`].
//!
//! The function is linearized once; its linear part, or the transposed one, is then applied to the vectors of a basis,
//! one by one in a loop.

use crate::call::{Arg, Args, Func, Wrt};
use crate::error::{Error, fail};
use crate::ops::control::framed;
use crate::ops::control_loops::map;
use crate::tensor::Tensor;
use crate::trace::{self, What};
use crate::transform::{Transformed, record};
use crate::tree::Tree;
use std::panic::Location;
use wengert_passes::ad;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Forward,
    Reverse,
}

/// The Jacobian of `f` with respect to its first argument by forward mode, best where the argument is small: a tree like the
/// argument whose leaves have the result's dimensions and then the leaf's.
///
/// ```
/// use wengert::{Tensor, jacfwd};
/// let f = |x: Tensor| x.square() * x.sum();
/// let j = jacfwd(f)(Tensor::from([1.0f64, 2.0]));
/// assert_eq!((j.shape(), j.to_vec::<f64>()), (&[2usize, 2][..], vec![7.0, 1.0, 4.0, 16.0]));
/// ```
///
/// Fails if the result is not a float tensor, or if the argument has leaves of integers or booleans.
#[track_caller]
pub fn jacfwd<A: Args, F: Func<A, Out = Tensor>>(f: F) -> Transformed<A, A::First>
where
    Arg<0>: Wrt<A, Out = A::First>,
{
    let what = What { name: "jacfwd", at: Location::caller() };
    Transformed::new(move |args: A| jacobian(what, &|a| f.call_with(a), &args, Mode::Forward))
}

/// The Jacobian of `f` with respect to its first argument by reverse mode, best where the result is small; see [`jacfwd`].
///
/// Fails if the result is not a float tensor, or if the argument has leaves of integers or booleans.
#[track_caller]
pub fn jacrev<A: Args, F: Func<A, Out = Tensor>>(f: F) -> Transformed<A, A::First>
where
    Arg<0>: Wrt<A, Out = A::First>,
{
    let what = What { name: "jacrev", at: Location::caller() };
    Transformed::new(move |args: A| jacobian(what, &|a| f.call_with(a), &args, Mode::Reverse))
}

/// The second derivatives of `f` with respect to its first argument, a tensor: the dimensions of the result, then twice
/// those of the argument.
///
/// ```
/// use wengert::{Tensor, hessian};
/// let f = |x: Tensor| x.powi(3).sum();
/// assert_eq!(hessian(f)(Tensor::from([1.0f64, 2.0])).to_vec::<f64>(), [6.0, 0.0, 0.0, 12.0]);
/// ```
///
/// Fails if the result is not a float tensor, or if the argument has leaves of integers or booleans.
#[track_caller]
pub fn hessian<A: Args<First = Tensor>, F: Func<A, Out = Tensor>>(f: F) -> Transformed<A, Tensor>
where
    Arg<0>: Wrt<A, Out = Tensor>,
{
    jacfwd(jacrev(f))
}

fn jacobian<A: Args>(what: What, f: &dyn Fn(A) -> Tensor, args: &A, mode: Mode) -> A::First
where
    Arg<0>: Wrt<A, Out = A::First>,
{
    crate::transform::refuse_integers(what, args, &[0]);
    framed(what, || {
        let graph = record(what, args, f, false);
        let out = graph.results[0].clone();
        let refuse = |e: Error| -> ! { fail(e.or_at(what.at).within(what)) };
        if !out.dtype.is_float() {
            let message =
                format!("the result of a differentiated function must be a float tensor, here it is {out}");
            refuse(Error::new(message, None))
        }
        let mask = graph.leaf_mask(|arg| arg == 0, args);
        let arguments = graph.arguments(args, &[]);
        let func = graph.recorded.func;
        // The known part once, if what it leaves for the linear part has static sizes.
        let lin = trace::with_module(|m| {
            let lin = ad::linearize(m, func, &mask, &[true])?;
            let types = m.get(lin.primal).result_types();
            let is_static = types.iter().all(|t| t.as_tensor().is_none_or(|t| t.is_static()));
            let back = match mode {
                Mode::Forward => None,
                Mode::Reverse => {
                    let count = m.get(lin.linear).params.len();
                    let linear: Vec<bool> = (0..count).map(|k| k >= lin.residuals).collect();
                    Some(ad::transpose(m, lin.linear, &linear, &[true])?)
                }
            };
            Ok((lin, back, is_static))
        });
        let (lin, back, is_static) = lin.unwrap_or_else(|e: ad::AdError| refuse(e.into()));
        let residuals = || trace::replay(lin.primal, &arguments).split_off(1);
        let once = is_static.then(residuals);
        // Applies the linear part; what cannot cross into the loop is computed in it.
        let apply = |func, vectors: Vec<Tensor>| {
            let mut operands = once.clone().unwrap_or_else(residuals);
            operands.extend(vectors);
            trace::replay(func, &operands)
        };
        let inputs: Vec<Tensor> =
            arguments.iter().zip(&mask).filter(|(_, m)| **m).map(|(t, _)| t.clone()).collect();
        let shaped = |rows: Tensor, input: &Tensor| {
            let shape = [&out.shape[..], input.shape()].concat();
            rows.reshape_to(shape[..].into(), what.at)
        };
        let basis = |like: &[usize], n: usize, dtype| {
            let shape = [&[n], like].concat();
            Tensor::eye(n, dtype).reshape_to(shape[..].into(), what.at)
        };
        let leaves: Vec<Tensor> = match back {
            Some(back) => {
                // A basis of one vector needs no loop.
                let rows = match out.elements() {
                    1 => apply(back, vec![Tensor::ones(&out.shape[..], out.dtype)]),
                    n => map(|e: Tensor| apply(back, vec![e]), basis(&out.shape, n, out.dtype)),
                };
                rows.into_iter().zip(&inputs).map(|(r, input)| shaped(r, input)).collect()
            }
            None => (0..inputs.len())
                .map(|k| {
                    let input = &inputs[k];
                    let one = |e: Tensor| {
                        let tangents = inputs.iter().enumerate();
                        let tangents = tangents.map(|(i, t)| if i == k { e.clone() } else { t.zeros_like() });
                        apply(lin.linear, tangents.collect()).remove(0)
                    };
                    if input.len() == 1 {
                        return shaped(one(Tensor::ones(input.shape(), input.dtype())), input);
                    }
                    let columns = map(one, basis(input.shape(), input.len(), input.dtype()));
                    // The basis comes last in a Jacobian.
                    let perm: Vec<usize> = (1..=out.rank()).chain([0]).collect();
                    shaped(if out.rank() == 0 { columns } else { columns.transpose(&perm) }, input)
                })
                .collect(),
        };
        let mut leaves = leaves.into_iter();
        Arg::<0>.pick(args).map(&mut |_| leaves.next().expect("a Jacobian per leaf"))
    })
}
