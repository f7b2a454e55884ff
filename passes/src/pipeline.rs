//! The pass manager: the table of passes, pipelines written as text, timing and observation.
//!
//! A pass takes a module and a function of it and returns the function that replaces it. Names, explanations and
//! code come from one table, [`PASSES`]; `wengert opt --help` prints it. Of a program with sizes that are not known, or with
//! types that are only read and printed, passes leave all as it is: it is [refined](crate::refine) first.

use crate::refine::first_open;
use crate::{
    accumulate, contract, dce, denormal_flushing, distribute, effects, egraph, hoist, inline, intern, layout,
    legalize, matvec, pushdown, raise, rules,
};
use std::fmt;
use std::time::{Duration, Instant};
use wengert_ir::func::{FuncId, Module};
use wengert_ir::limits::{Exceeded, Limits, check};

/// One pass.
pub struct Pass {
    /// How pipelines call it.
    pub name: &'static str,
    /// What it does, in one line.
    pub doc: &'static str,
    run: fn(&mut Module, FuncId) -> FuncId,
}

/// Every pass that a pipeline can name.
#[rustfmt::skip]
pub static PASSES: &[Pass] = &[
    Pass { name: "rules",    run: rules::rules,         doc: "give functions that JAX differentiates by rules of its own these rules" },
    Pass { name: "inline",   run: inline::inline_calls, doc: "replace calls by the bodies of what they call, in regions too" },
    Pass { name: "custom",   run: inline::inline_custom, doc: "replace functions with derivatives of their own by their bodies, and drop stop_gradient" },
    Pass { name: "names",    run: effects::drop_names,  doc: "drop the names of values, which nobody fetches any more" },
    Pass { name: "raise",    run: raise::raise,         doc: "turn counted while loops into scans over rows" },
    Pass { name: "dce",      run: dce::dce,             doc: "drop values nobody needs, through loops and branches" },
    Pass { name: "legalize", run: legalize::legalize,   doc: "replace what kernels do not hold by what they hold" },
    Pass { name: "hoist",    run: hoist::hoist,         doc: "move out of loops what no trip changes" },
    Pass { name: "intern",   run: intern::intern,       doc: "make equal functions one" },
    Pass { name: "simplify", run: simplify,             doc: "rewrite by equality saturation; merges common subexpressions" },
    Pass { name: "accumulate", run: accumulate::accumulate, doc: "update what updates of zeros are added to, in loops too" },
    Pass { name: "distribute", run: distribute::distribute, doc: "make products of all trips' rows beside a loop, at once" },
    Pass { name: "pushdown", run: pushdown::pushdown,   doc: "take rows of products before they are computed" },
    Pass { name: "flush",    run: denormal_flushing::flush,         doc: "make subnormal elements of what large products read zeros" },
    Pass { name: "contract", run: contract::contract,   doc: "contract products into the sums that read them, as fused multiply-adds" },
    Pass { name: "layout",   run: layout::layout,       doc: "write large factors of batched products batch by batch" },
    Pass { name: "matvec",   run: matvec::matvec,       doc: "write products of matrices with vectors as sums of products" },
];

/// What runs before lowering unless another pipeline is asked for.
pub const DEFAULT: &str = "inline,custom,names,raise,dce,legalize,hoist,intern,simplify,accumulate,distribute,pushdown,flush,layout,matvec,dce,contract";

fn simplify(m: &mut Module, func: FuncId) -> FuncId {
    egraph::optimize(m, func, &egraph::Options::default()).func
}

/// A list of passes.
#[derive(Clone)]
pub struct Pipeline {
    passes: Vec<&'static Pass>,
}

/// A name that is no pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownPass(pub String);

impl fmt::Display for UnknownPass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = PASSES.iter().map(|p| p.name).collect();
        write!(f, "there is no pass `{}`; passes are {}", self.0, names.join(", "))
    }
}
impl std::error::Error for UnknownPass {}

/// What an observer sees after each pass.
pub struct Step<'a> {
    /// Position in the pipeline, from 0.
    pub index: usize,
    /// The pass that ran.
    pub pass: &'static Pass,
    /// The module with the result.
    pub module: &'a Module,
    /// The function that replaces the one given.
    pub func: FuncId,
    /// How long it took.
    pub elapsed: Duration,
}

impl Pipeline {
    /// The [`DEFAULT`] pipeline for a machine that has a fused multiply-add, or for one that has not: there nothing is
    /// contracted, because the instruction would be a slow call.
    pub fn of_machine(fuses: bool) -> Self {
        let mut all = Self::default();
        all.passes.retain(|p| fuses || p.name != "contract");
        all
    }

    /// A pipeline from names separated by commas; empty text is the empty pipeline.
    pub fn parse(text: &str) -> Result<Self, UnknownPass> {
        let names = text.split(',').map(str::trim).filter(|n| !n.is_empty());
        let find = |n: &str| PASSES.iter().find(|p| p.name == n).ok_or_else(|| UnknownPass(n.to_owned()));
        Ok(Self { passes: names.map(find).collect::<Result<_, _>>()? })
    }

    /// The names of its passes, in order.
    pub fn names(&self) -> Vec<&'static str> {
        self.passes.iter().map(|p| p.name).collect()
    }

    /// Runs the passes in order on a program that is known to be small; `observe` is called after each.
    pub fn run(&self, m: &mut Module, func: FuncId, observe: &mut dyn FnMut(Step<'_>)) -> FuncId {
        let unlimited = Limits { max_instructions: Some(u64::MAX), ..Limits::default() };
        self.run_within(m, func, &unlimited, observe).unwrap_or_else(|e| panic!("{e}"))
    }

    /// Runs the passes in order as long as the program, with what its calls and regions stand for, stays within limits;
    /// `observe` is called after each.
    pub fn run_within(
        &self,
        m: &mut Module,
        func: FuncId,
        limits: &Limits,
        observe: &mut dyn FnMut(Step<'_>),
    ) -> Result<FuncId, Exceeded> {
        let limit = limits.check(m, func)?;
        let is_open = first_open(m, func).is_some();
        self.passes.iter().enumerate().try_fold(func, |func, (index, pass)| {
            let start = Instant::now();
            let func = if is_open { func } else { (pass.run)(m, func) };
            check(m, func, limit)?;
            observe(Step { index, pass, module: m, func, elapsed: start.elapsed() });
            Ok(func)
        })
    }
}

impl Default for Pipeline {
    fn default() -> Self {
        Self::parse(DEFAULT).expect("the default pipeline names passes")
    }
}
