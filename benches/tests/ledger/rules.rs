//! Which rules of the rewriter nothing in the ledger needs: each of the others joins two values of a program somewhere, as it is
//! compiled or under the relaxed mode. A rule that is on the list by mistake never fires at all.

use crate::{corpus_programs, large, workload_programs};
use std::collections::BTreeSet;
use wengert::Traced;
use wengert_ir::types::FloatMode;
use wengert_passes::egraph::{Options, optimize, rules};
use wengert_passes::pipeline::{DEFAULT, Pipeline};

/// Adds the rules that join values of a program.
fn fired(traced: &Traced, mode: FloatMode, seen: &mut BTreeSet<&'static str>) {
    let (before, _) = DEFAULT.split_once(",simplify").expect("it is part of the pipeline");
    let (module, func) = traced.module();
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
    for (_, traced) in programs {
        for mode in [FloatMode::Default, FloatMode::Relaxed] {
            fired(&traced, mode, &mut seen);
        }
    }
    let all: BTreeSet<&str> = rules::all().map(|row| row.name).collect();
    let unseen: Vec<&str> = all.difference(&seen).copied().collect();
    insta::assert_snapshot!(format!("{} of {}\n{}", unseen.len(), all.len(), unseen.join("\n")));
}
