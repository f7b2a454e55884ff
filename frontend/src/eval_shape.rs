//! [`eval_shape`]: the types of a result, without computing it.

use crate::call::{Args, Func};
use crate::context::What;
use crate::transform::record;
use crate::tree::{Static, Tree};
use std::panic::Location;
use wengert_ir::types::TensorType;

/// The types of what `f` would return at `args`, which it is traced for and not run at: a tree of the structure of the result.
///
/// ```
/// use wengert::{DType, Tensor, eval_shape};
/// let (y, n) = eval_shape(|x: Tensor| (x.matmul(&x), x.argmax(0)), (Tensor::zeros(&[3, 3], DType::F64),));
/// assert_eq!((y.0.to_string(), n.0.to_string()), ("tensor<3x3xf64>".into(), "tensor<3xi32>".into()));
/// ```
///
/// Arguments need no elements either: [`Tensor::placeholder`](crate::Tensor::placeholder).
///
/// Fails where `f` would under `jit`.
#[track_caller]
pub fn eval_shape<A: Args, F: Func<A>>(f: F, args: A) -> <F::Out as Tree>::Over<Static<TensorType>> {
    let what = What { name: "eval_shape", at: Location::caller() };
    let graph = record(what, &args, &|args| f.call_with(args), false);
    let mut types = graph.results.into_iter();
    graph.skeleton.over(&mut |_| Static(types.next().expect("a type per leaf")))
}
