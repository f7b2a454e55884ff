//! Which rules of the rewriter no program needs that is here: each of the others joins two values somewhere in the corpus, in the
//! workloads or in a thousand random programs, as they are compiled or under the relaxed mode. A rule on the list wants a program
//! that needs it, or goes.

use crate::{corpus_programs, large, workload_programs};
use std::collections::BTreeSet;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::types::FloatMode;
use wengert_passes::egraph::{Options, optimize, rules};
use wengert_passes::pipeline::{DEFAULT, Pipeline};
use wengert_tests::random::{BEYOND, generate};

/// The random programs: of all that they may have.
const FIRST: u64 = BEYOND;
const RANDOM: u64 = 1000;

/// Adds the rules that join values of a program.
fn fired(module: &Module, func: FuncId, mode: FloatMode, seen: &mut BTreeSet<&'static str>) {
    let (before, _) = DEFAULT.split_once(",simplify").expect("it is part of the pipeline");
    let mut module = module.clone();
    module.mode = mode;
    let func = Pipeline::parse(before).expect("passes").run(&mut module, func, &mut |_| {});
    let report = optimize(&mut module, func, &Options::default()).report;
    seen.extend(report.fired.iter().map(|(name, _)| name));
}

#[test]
fn rules_that_nothing_here_needs() {
    let mut seen = BTreeSet::new();
    let programs = corpus_programs().into_iter().chain(workload_programs()).chain(large::programs());
    let programs = programs.map(|(_, traced)| (traced.module().0.clone(), traced.module().1));
    let random = (FIRST..FIRST + RANDOM).map(generate).map(|program| (program.module, program.func));
    for (module, func) in programs.chain(random) {
        for mode in [FloatMode::Default, FloatMode::Relaxed] {
            fired(&module, func, mode, &mut seen);
        }
    }
    let all: BTreeSet<&str> = rules::all().map(|row| row.name).collect();
    let unseen: Vec<&str> = all.difference(&seen).copied().collect();
    insta::assert_snapshot!(format!("{} of {}\n{}", unseen.len(), all.len(), unseen.join("\n")));
}
