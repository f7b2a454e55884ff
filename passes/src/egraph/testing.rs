//! What a rule makes of a function, and what is claimed of values, for tests. Not part of the public interface.

use super::analysis::{Facts, Graph, Look};
use super::functions::FUNCTIONS;
use super::language::Head;
use super::pattern::Rule;
use super::pool::{NONE, Pool};
use super::rules::Rules;
use super::saturate::{Bounds, saturate};
use super::schedule::Draft;
use super::{Piece, cut, emit, extract};
use wengert_ir::array::Literal;
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Func, Module, Value};
use wengert_ir::types::{FloatMode, TensorType};

/// The names of the functions that right sides of rules may compute.
pub fn functions() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|(name, _)| *name)
}

/// The right side of a rule where it applies to the result of `func`.
pub fn right_side(module: &Module, func: &Func, rule: &Rule) -> Option<Func> {
    let mut draft = Draft::new(func.param_types());
    let values = params(func);
    let piece = filled(module, func, &values, &draft);
    let root = piece.class(func.results[0]);
    let mut graph = piece.graph;
    graph.rebuild();
    let root = graph.find(root);
    let mut matches = Vec::new();
    for node in &graph[root].nodes {
        if node.head == rule.root || matches!(node.head, Head::Op(kind) if rule.starts_at(kind)) {
            rule.search(0, &graph, root, node, &mut matches);
        }
    }
    let right = matches.iter().find_map(|found| rule.build(&mut graph, found))?;
    graph.rebuild();
    if graph.find(right) == graph.find(root) {
        return None;
    }
    let extraction = extract::extract(&graph, &[right], &[]);
    let emitted = emit(&graph, &extraction.nodes, func, &values, &mut draft);
    let result = emitted[usize::from(graph.find(right))][0];
    Some(draft.finish(func, &[result]))
}

/// What is claimed of a value.
pub struct Claim {
    /// Of which.
    pub value: Value,
    /// Its type.
    pub ty: TensorType,
    /// What it always is.
    pub constant: Option<Literal>,
    /// Whether no element is -0.
    pub no_negative_zero: bool,
    /// Whether no element is below zero.
    pub no_negative: bool,
}

/// What the e-graph of a function claims of its values: as it is filled, or when the exact rules have joined what is equal.
pub fn claims(module: &Module, func: &Func, saturated: bool) -> Vec<Claim> {
    let draft = Draft::new(func.param_types());
    let piece = filled(module, func, &params(func), &draft);
    let (mut graph, classes) = (piece.graph, piece.classes);
    graph.rebuild();
    if saturated {
        saturate(&mut graph, Rules::of(FloatMode::Exact), Bounds { iterations: 4, nodes: 2000 });
    }
    let of = |value: Value| {
        let id = graph.find(*classes.get(&value)?);
        Some(Claim {
            value,
            ty: graph.tensor(id)?.clone(),
            constant: graph.literal(id).cloned(),
            no_negative_zero: graph.fact(id).no_negative_zero,
            no_negative: graph.fact(id).no_negative,
        })
    };
    func.values.keys().filter_map(of).collect()
}

/// Parameters are what they are in the draft; nothing else is there yet.
fn params(func: &Func) -> EntityVec<Value, u32> {
    let mut values = EntityVec::filled(NONE, func.values.len());
    (0u32..).zip(&func.params).for_each(|(k, &p)| values[p] = k);
    values
}

/// All live instructions of a function in an e-graph.
fn filled<'a, 'm>(
    module: &'m Module,
    func: &'a Func,
    values: &EntityVec<Value, u32>,
    draft: &Draft,
) -> Piece<'a, 'm> {
    let mut piece = Piece::new(Graph::new(Facts::new(module, Pool::default(), false)), func);
    for inst in cut::live(module, func) {
        piece.add(inst, &func.insts[inst].op, values, draft);
    }
    piece
}
