//! Derivatives of recorded functions, made once: an eager `grad` records the same program on every call.
//!
//! The cache is keyed by what was recorded, to the last constant, so that an answer is what would be derived again. It is
//! bounded; when full it starts anew.

use crate::error::Error;
use crate::examples::examples;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::Arc;
use wengert_ir::func::{Func, FuncId, FuncKind, Module, Value};
use wengert_ir::op::Op;
use wengert_ir::types::DType;
use wengert_passes::budget::{self, Budget, Derivative, MemoryPlan};
use wengert_passes::{ad, batch, dce, effects};

/// What is made of a function. Flags are per parameter, and for cotangents per result.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Derivation {
    /// The function itself.
    Itself,
    /// Its result, which is one number, and gradients.
    ValueAndGrad(Vec<bool>),
    /// Results, and cotangents of parameters.
    Vjp(Vec<bool>, Vec<bool>),
    /// Results, and tangents of results.
    Jvp(Vec<bool>),
    /// Results, and derivatives up to an order of results along a curve.
    Jet(Vec<bool>, usize),
    /// What a function that is linear in parameters is turned around: its parameters, the linear ones unused, then cotangents
    /// of results, to cotangents of the linear parameters.
    Transpose(Vec<bool>, Vec<bool>),
    /// The function on a batch of examples.
    Vmap {
        /// The dimension of each parameter that the examples are along.
        mapped: Vec<Option<usize>>,
        /// How many there are.
        size: usize,
        /// The dimension of each result.
        out: Vec<Option<usize>>,
        /// What the function calls the batch's dimension.
        axis: Option<Arc<str>>,
    },
    /// Gradients or cotangents within a memory budget.
    Within(Box<Derivation>, Budget),
}

impl Derivation {
    /// Adds the derivative to the module.
    pub(crate) fn apply(&self, m: &mut Module, func: FuncId) -> Result<FuncId, Error> {
        Ok(match self {
            Derivation::Itself => func,
            Derivation::ValueAndGrad(wrt) => ad::value_and_grad(m, func, wrt, 0)?,
            Derivation::Vjp(wrt, cotangents) => ad::vjp(m, func, wrt, cotangents)?,
            Derivation::Jvp(active) => ad::jvp(m, func, active)?,
            Derivation::Jet(active, order) => ad::jet(m, func, active, *order)?,
            Derivation::Transpose(linear, cotangents) => {
                // The function itself is not run: nothing of it is heard, and nothing that is only heard must be linear.
                let quiet = effects::quiet(m, func);
                let func = dce::dce(m, quiet);
                let back = ad::transpose(m, func, linear, cotangents)?;
                let (f, back) = (m.get(func), m.get(back));
                let mut out = Func::new(m.fresh_name("linear_transpose"), FuncKind::Private);
                let params: Vec<Value> = f.params.iter().map(|&p| out.param(f.ty(p).clone())).collect();
                let known = params.iter().zip(linear).filter(|(_, is)| !**is).map(|(&p, _)| p);
                let mut operands: Vec<Value> = known.collect();
                let given = &back.params[operands.len()..];
                operands.extend(given.iter().map(|&p| out.param(back.ty(p).clone())).collect::<Vec<_>>());
                out.results = out.inline(&back, &operands);
                m.add(out)
            }
            Derivation::Vmap { mapped, size, out, axis } => {
                batch::vmap(m, func, mapped, *size, out, axis.as_deref())?
            }
            Derivation::Within(of, budget) => of.within(m, func, budget)?.0,
        })
    }
}

impl Derivation {
    /// The derivative within a memory budget, and what was chosen for it.
    pub(crate) fn within(
        &self,
        m: &mut Module,
        func: FuncId,
        budget: &Budget,
    ) -> Result<(FuncId, MemoryPlan), Error> {
        let derivative = match self {
            Derivation::ValueAndGrad(wrt) => Derivative::ValueAndGrad(wrt),
            Derivation::Vjp(wrt, cotangents) => Derivative::Vjp(wrt, cotangents),
            Derivation::Within(of, _) => return of.within(m, func, budget),
            Derivation::Itself
            | Derivation::Jvp(_)
            | Derivation::Jet(..)
            | Derivation::Transpose(..)
            | Derivation::Vmap { .. } => unreachable!("only reverse mode has a budget"),
        };
        Ok(budget::within(m, func, derivative, budget)?)
    }
}

type Key = (Module, FuncId, Derivation);

/// Entries of the per-thread cache.
const CAPACITY: usize = 256;

thread_local! {
    static CACHE: RefCell<FxHashMap<Key, (Arc<Module>, FuncId)>> = RefCell::default();
}

/// The module with the derivative of one of its functions, and which it is.
pub(crate) fn derived(
    module: &Module,
    func: FuncId,
    derivation: Derivation,
) -> Result<(Arc<Module>, FuncId), Error> {
    let mut module = module.clone();
    module.examples = examples();
    let key = (module, func, derivation);
    if let Some(hit) = CACHE.with_borrow(|c| c.get(&key).cloned()) {
        return Ok(hit);
    }
    let mut module = key.0.clone();
    let func = key.2.apply(&mut module, func)?;
    module.examples = 0;
    let made = (Arc::new(module), func);
    CACHE.with_borrow_mut(|c| {
        if c.len() >= CAPACITY {
            c.clear();
        }
        c.insert(key, made.clone());
    });
    Ok(made)
}

/// A budget of so many bytes on this machine.
pub(crate) fn budget_of(bytes: u64, compress: Option<DType>) -> Budget {
    Budget { bytes, compress, fuses: wengert_cpu::fuses() }
}

/// Whether an operation is a rule of the user's for reverse mode alone.
pub(crate) fn is_of_reverse_mode(op: &Op) -> bool {
    matches!(op, Op::CustomVjp(custom) if !custom.forward_mode)
}
