//! Functions of the host by name: what a `stablehlo.custom_call` of a target runs, in text that was read too.

use super::callbacks::registered;
use crate::error::{Error, boundary};
use crate::trace::apart;
use crate::{Tensor, TensorType};
use std::panic::Location;
use wengert_ir::array::Array;
use wengert_ir::host::{self, Batching, Host};

/// Makes `f` what custom calls of `target` run in this process: it takes their operands and gives tensors of the types of their
/// results. Calls that say that they have side effects are ordered; others may be left out, merged and moved.
///
/// ```
/// use wengert::{DType, Tensor, TensorType, effects::ffi, jit};
/// ffi::register("docs.hypot", |x: &[Tensor]| Ok(vec![(&x[0] * &x[0] + &x[1] * &x[1]).sqrt()])).unwrap();
/// let f = jit(|x: Tensor, y: Tensor| {
///     ffi::call("docs.hypot", &[&x, &y], &[TensorType::scalar(DType::F64)]).remove(0)
/// });
/// assert_eq!(f(Tensor::from(3.0f64), Tensor::from(4.0f64)).item::<f64>(), 5.0);
/// assert!(ffi::register("docs.hypot", |_: &[Tensor]| Err("another".into())).is_err());
/// ```
///
/// Fails if the target has a function.
pub fn register(
    target: &str,
    f: impl Fn(&[Tensor]) -> Result<Vec<Tensor>, String> + Send + Sync + 'static,
) -> Result<(), Error> {
    let host = Host::new(Batching::Examples, move |arrays: &[Array]| {
        let call = || -> Result<Vec<Array>, String> {
            let tensors: Vec<Tensor> = arrays.iter().cloned().map(Tensor::from_array).collect();
            Ok(f(&tensors)?.iter().map(Tensor::to_array).collect())
        };
        apart(|| boundary(call)).map_err(|e| e.to_string())?
    });
    host::register(target, host).map_err(|why| Error::new(why, None))
}

/// What is registered for `target` gives for these tensors, when the program runs; `results` are the types of what it gives. As
/// of a [`callback`](super::callback), nothing is known of its derivative.
#[track_caller]
pub fn call(target: &str, operands: &[&Tensor], results: &[TensorType]) -> Vec<Tensor> {
    registered(target, operands, results, Location::caller())
}
