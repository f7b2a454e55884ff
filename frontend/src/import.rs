//! StableHLO programs as Rust functions: [`import`], [`Traced::function`].
//!
//! A program that JAX or another compiler wrote is called, compiled and differentiated like a closure over tensors.

use crate::Tensor;
use crate::call::Args;
use crate::compile;
use crate::compiled::Compiled;
use crate::context::is_tracing;
use crate::entry::append;
use crate::error::{Error, fail};
use crate::program::Traced;
use crate::stages::check_args;
use crate::trace::{self, apply_at};
use crate::transform::Transformed;
use crate::tree::Tree;
use std::panic::Location;
use std::sync::{Arc, OnceLock};
use wengert_ir::op::Call;

/// What a program returns as a tree: a tensor, a tuple or array of tensors, or all results in a `Vec`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not what a program returns",
    label = "not a tensor, or a tuple, array or `Vec` of tensors"
)]
pub trait Results: Tree {
    /// The tree over these leaves, or `None` if it has another number of them.
    fn from_leaves(leaves: Vec<Tensor>) -> Option<Self>;
}

impl Results for Tensor {
    fn from_leaves(leaves: Vec<Tensor>) -> Option<Self> {
        let [one] = <[Tensor; 1]>::try_from(leaves).ok()?;
        Some(one)
    }
}
impl Results for Vec<Tensor> {
    fn from_leaves(leaves: Vec<Tensor>) -> Option<Self> {
        Some(leaves)
    }
}
impl<const N: usize> Results for [Tensor; N] {
    fn from_leaves(leaves: Vec<Tensor>) -> Option<Self> {
        leaves.try_into().ok()
    }
}

macro_rules! tuples {
    ($n:literal: $($x:ident $T:ident),+) => {
        impl Results for ($($T,)+) {
            fn from_leaves(leaves: Vec<Tensor>) -> Option<Self> {
                let [$($x),+] = <[Tensor; $n]>::try_from(leaves).ok()?;
                Some(($($x,)+))
            }
        }
    };
}
/// A tensor, in a list of types.
type T = Tensor;
tuples!(1: a T);
tuples!(2: a T, b T);
tuples!(3: a T, b T, c T);
tuples!(4: a T, b T, c T, d T);
tuples!(5: a T, b T, c T, d T, e T);
tuples!(6: a T, b T, c T, d T, e T, f T);

/// The function `main` (or the only public one) of a program in StableHLO (text, a portable artifact, or what `jax.export`
/// serializes) as a Rust function of arguments `A`: trees
/// whose leaves, in order, are the program's arguments.
///
/// ```
/// use wengert::{Tensor, grad, import, jit};
/// // jax.jit(lambda x, y: jnp.sin(x) * y).lower(1.0, 1.0).as_text()
/// let text = "func.func public @main(%x: tensor<f64>, %y: tensor<f64>) -> tensor<f64> {
///   %0 = stablehlo.sine %x : tensor<f64>
///   %1 = stablehlo.multiply %0, %y : tensor<f64>
///   return %1 : tensor<f64>
/// }";
/// let f = import::<(Tensor, Tensor), Tensor>(text).unwrap();
/// assert_eq!(f(Tensor::from(0.0f64), Tensor::from(2.0f64)).item::<f64>(), 0.0);
/// let d = jit(grad(f));
/// assert_eq!(d(Tensor::from(0.0f64), Tensor::from(2.0f64)).item::<f64>(), 2.0);
/// ```
///
/// Fails as [`Traced::parse`] and [`Traced::function`] do.
pub fn import<A: Args, R: Results>(source: impl AsRef<[u8]>) -> Result<Transformed<A, R>, Error> {
    Traced::parse(source, None)?.function()
}

impl Traced {
    /// The program as a Rust function, to be called and transformed like a closure; see [`import`].
    ///
    /// Fails if the program has not as many results as `R` has leaves. The function fails for arguments of other types than
    /// the program's.
    pub fn function<A: Args, R: Results>(self) -> Result<Transformed<A, R>, Error> {
        let (params, results) = (self.param_types(), self.result_types());
        let placeholders = results.iter().map(|_| Tensor::from(0f32)).collect();
        if R::from_leaves(placeholders).is_none() {
            let message = format!(
                "the program has {} results, which do not make a {}",
                results.len(),
                std::any::type_name::<R>()
            );
            return Err(Error::new(message, None));
        }
        let compiled: OnceLock<Result<Arc<Compiled>, Error>> = OnceLock::new();
        Ok(Transformed::new(move |args: A| {
            let mut leaves: Vec<Tensor> = Vec::new();
            args.visit(&mut |t| leaves.push(t.clone()));
            let out = if is_tracing() {
                let types: Vec<_> = leaves.iter().map(Tensor::ty).collect();
                if types != params {
                    let list = |ts: &[wengert_ir::types::TensorType]| {
                        ts.iter().map(|t| t.to_string()).collect::<Vec<_>>().join(", ")
                    };
                    let message = format!("the program takes ({}), not ({})", list(&params), list(&types));
                    fail(Error::new(message, None))
                }
                let callee = trace::with_module(|m| append(m, &self.module, self.func));
                apply_at(Call { callee }.into(), &leaves.iter().collect::<Vec<_>>(), Location::caller())
                    .to_vec()
            } else {
                let run = || {
                    check_args(&params, &leaves)?;
                    let compile = || compile::compile(self.clone(), None);
                    compiled.get_or_init(compile).clone()?.run(&leaves.iter().collect::<Vec<_>>())
                };
                run().unwrap_or_else(|e| fail(e)).to_vec()
            };
            R::from_leaves(out).expect("checked above")
        }))
    }
}
