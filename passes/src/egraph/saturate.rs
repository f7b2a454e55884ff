//! Applies rules until nothing changes or a limit of counts is reached.
//!
//! Only classes that changed, and those above them that a pattern could reach them from, are searched again,
//! so work follows the changes. The order of everything is fixed.

use super::analysis::{Graph, Look};
use super::pattern::Match;
use super::rules::Rules;
use egg::Id;

/// Bounds, in counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) iterations: usize,
    pub(super) nodes: usize,
}

/// What happened.
#[derive(Default)]
pub(super) struct Saturation {
    pub(super) iterations: usize,
    pub(super) hit_limit: bool,
    /// How often each rule joined two classes.
    pub(super) fired: Vec<u32>,
}

pub(super) fn saturate(graph: &mut Graph<'_>, rules: &Rules, bounds: Bounds) -> Saturation {
    let mut out = Saturation { fired: vec![0; rules.rules.len()], ..Saturation::default() };
    graph.rebuild();
    let mut matches: Vec<Match> = Vec::new();
    loop {
        let classes = dirty(graph, rules.depth);
        if classes.is_empty() {
            return out;
        }
        if out.iterations == bounds.iterations || graph.total_size() > bounds.nodes {
            out.hit_limit = true;
            return out;
        }
        out.iterations += 1;
        matches.clear();
        for class in classes {
            // Sizes known only at run time are for control flow to handle. Complex numbers become pairs before
            // they are computed with, and which of two that are no numbers is the larger depends on their order.
            if graph.tensor(class).is_some_and(|t| !t.is_static() || t.dtype.is_complex()) {
                continue;
            }
            for node in &graph[class].nodes {
                for &k in rules.from(node.head) {
                    rules.rules[k as usize].search(k, graph, class, node, &mut matches);
                }
            }
        }
        for found in &matches {
            if graph.total_size() > bounds.nodes {
                break; // the check above reports it
            }
            let rule = &rules.rules[found.rule as usize];
            let Some(right) = rule.build(graph, found) else { continue };
            if joinable(graph, found.root(), right) {
                let joined = if graph.are_explanations_enabled() {
                    let left = rule.build_left(graph, found);
                    graph.union_trusted(left, right, rule.row.name)
                } else {
                    graph.union(found.root(), right)
                };
                out.fired[found.rule as usize] += joined as u32;
            }
        }
        graph.rebuild();
    }
}

/// Whether two classes may become one: a rule that would change a type or join unequal constants (a relaxed
/// one may round a fold differently) is not applied.
fn joinable(graph: &Graph<'_>, a: Id, b: Id) -> bool {
    let (x, y) = (graph.fact(a), graph.fact(b));
    debug_assert!(x.ty == y.ty, "a rule changes {:?} to {:?}", graph.tensor(a), graph.tensor(b));
    x.ty == y.ty && (graph.literal(a).is_none() || graph.literal(b).is_none() || x.constant == y.constant)
}

/// Takes the classes changed since the last call, with their users up to `depth` levels, in order of id.
fn dirty(graph: &mut Graph<'_>, depth: usize) -> Vec<Id> {
    let touched = std::mem::take(&mut graph.analysis.touched);
    let mut seen = vec![false; graph.nodes().len()];
    let mut level: Vec<Id> = Vec::new();
    let visit = |graph: &Graph<'_>, id: Id, seen: &mut Vec<bool>, next: &mut Vec<Id>| {
        let id = graph.find(id);
        if !std::mem::replace(&mut seen[usize::from(id)], true) {
            next.push(id);
        }
    };
    for id in touched {
        visit(graph, id, &mut seen, &mut level);
    }
    let mut all = level.clone();
    for _ in 1..depth {
        let mut next = Vec::new();
        for &id in &level {
            for user in graph[id].parents() {
                visit(graph, user, &mut seen, &mut next);
            }
        }
        all.extend_from_slice(&next);
        level = next;
    }
    all.sort_unstable();
    all
}
