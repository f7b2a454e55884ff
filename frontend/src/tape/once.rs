//! Pullbacks that are called once: what was saved for them is freed while they run.

use crate::call::Args;
use crate::context::is_tracing;
use crate::derive::{Derivation, derived};
use crate::error::{Error, fail};
use crate::refusals::cotangents_of;
use crate::reuse::{Given, run_once};
use crate::tensor::Tensor;
use crate::trace::Home;
use crate::transform::Pullback;
use crate::tree::Tree;
use std::panic::Location;
use std::sync::Arc;
use wengert_ir::types::TensorType;

/// A pullback that is called once; see [`Pullback::into_once`].
pub struct OncePullback<A: Args, R: Tree>(Pullback<A, R>);

impl<A: Args, R: Tree> Pullback<A, R> {
    /// The same for one call: it takes with it what was saved, and frees each value after its last use, those that no derivative
    /// needs before anything else. So the memory for what a long function saved shrinks while cotangents are computed, instead
    /// of staying until the pullback is dropped.
    ///
    /// ```
    /// use wengert::{Tensor, vjp};
    /// let (_, pullback) = vjp(|x: Tensor| x.sin().exp(), (Tensor::from([0.0f64, 1.0]),));
    /// let (dx,) = pullback.into_once().call(Tensor::from([1.0f64, 1.0]));
    /// assert_eq!(dx.to_vec::<f64>()[0], 1.0);
    /// ```
    ///
    /// What a clone of the pullback, or the user, holds stays as it is. Under `jit`, where nothing is saved yet, it is as the
    /// pullback that may be called again.
    pub fn into_once(self) -> OncePullback<A, R> {
        OncePullback(self)
    }

    /// Bytes of the values that the forward run left for this pullback; 0 under `jit`.
    pub fn saved_bytes(&self) -> usize {
        self.graph.recorded.values.iter().flatten().map(|t| t.ty().bytes()).sum()
    }
}

impl<A: Args, R: Tree> OncePullback<A, R> {
    /// Cotangents of all arguments for a cotangent of the result; see [`Pullback::call`].
    #[track_caller]
    pub fn call(self, cotangent: R) -> A {
        self.watched(cotangent, Location::caller(), &mut |_| {})
    }

    /// The same; `watch` is told after every operation how many bytes of saved values are left.
    pub(crate) fn watched(
        self,
        cotangent: R,
        at: &'static Location<'static>,
        watch: &mut dyn FnMut(usize),
    ) -> A {
        let Pullback { what, graph, args, mask, cotangents, out, budget, linear } = self.0;
        let alone = budget.is_none() && linear.is_none() && !is_tracing();
        let graph = match Arc::try_unwrap(graph) {
            Ok(graph) if matches!(graph.recorded.home, Home::Own(_)) && alone => graph,
            // Others hold the values, or there are none yet, or a schedule says what is kept.
            Ok(graph) => {
                return Pullback {
                    what,
                    graph: Arc::new(graph),
                    args,
                    mask,
                    cotangents,
                    out,
                    budget,
                    linear,
                }
                .call(cotangent);
            }
            Err(graph) => {
                return Pullback { what, graph, args, mask, cotangents, out, budget, linear }.call(cotangent);
            }
        };
        let given = cotangents_of(what, &out, cotangent, at);
        drop(out);
        let explain = |e: Error| -> ! { fail(e.or_at(what.at).within(what)) };
        let recorded = graph.recorded;
        let Home::Own(module) = recorded.home else { unreachable!("looked at above") };
        let captures = recorded.captures.len();
        let mut all = recorded.captures;
        args.visit(&mut |t| all.push(t.clone()));
        let types: Vec<TensorType> = all[captures..].iter().map(Tensor::ty).collect();
        let structure = args.map(&mut |_| Tensor::from(0f32));
        drop(args);
        all.extend(given);
        let derivation = Derivation::Vjp(mask.clone(), cotangents);
        let (derived, func) = derived(&module, recorded.func, derivation).unwrap_or_else(|e| explain(e));
        let skip = graph.results.len();
        let record = Given { func: recorded.func, values: recorded.values, heard: recorded.heard };
        let made = run_once(&derived, func, record, all, skip, watch);
        let mut made = made.unwrap_or_else(|e| explain(e)).into_iter();
        let mut leaves = mask[captures..].iter().zip(types);
        structure.map(&mut |_| match leaves.next().expect("a flag per leaf") {
            (true, _) => made.next().expect("a cotangent per leaf"),
            (false, ty) => Tensor::zeros_of(&ty),
        })
    }
}
