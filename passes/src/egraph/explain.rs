//! Why a result is what it became: the chain of rules from the original expression to the chosen one, as
//! egg's explanations give it. Only when asked for: explanations make saturation slower, and terms in them
//! keep the order of their operands, so commutativity is a rule there.

use super::analysis::{Facts, Graph};
use super::language::{Head, Node};
use super::pattern::{Keeps, Row};
use super::pool::{NONE, Pool};
use super::rules::{self, Rules};
use super::saturate::{self, Bounds};
use super::schedule::Draft;
use super::{Options, Piece, cut, extract};
use egg::{Id, Language, TreeTerm};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::{self, Write};
use std::ops::Range;
use std::rc::Rc;
use wengert_ir::array::Literal;
use wengert_ir::entity::{Entity, EntityVec};
use wengert_ir::func::{Func, FuncId, InstId, Module, Value};
use wengert_ir::op::{Attr, Op};
use wengert_ir::types::FloatMode;

/// One use of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The rule's name, or `constant-folding`.
    pub rule: String,
    /// Whether it was used from right to left.
    pub backwards: bool,
    /// The expression it was used on.
    pub before: String,
    /// What that became.
    pub after: String,
}

/// The way from an original expression to the chosen one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Explanation {
    /// The original, abbreviated.
    pub before: String,
    /// What was chosen, abbreviated.
    pub after: String,
    /// Each step once, outer ones first.
    pub steps: Vec<Step>,
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.before)?;
        for step in &self.steps {
            let way = if step.backwards { " (backwards)" } else { "" };
            writeln!(f, "  {}{way}: {} => {}", step.rule, step.before, step.after)?;
        }
        writeln!(f, "{}", self.after)
    }
}

/// Explains what [`super::optimize`] makes of one result of a function. Functions nested in it are as they
/// are. Panics if there is no such result.
pub fn explain(m: &Module, func: FuncId, result: usize, options: &Options) -> Explanation {
    let (still, _) = quanta::Clock::mock();
    quanta::with_clock(&still, || explain_func(m, &m.get(func), result, options))
}

const COMMUTE: &[Row] = &[
    commute("commute-add", "(add ?x ?y)", "(add ?y ?x)"),
    commute("commute-multiply", "(multiply ?x ?y)", "(multiply ?y ?x)"),
    commute("commute-maximum", "(maximum ?x ?y)", "(maximum ?y ?x)"),
    commute("commute-minimum", "(minimum ?x ?y)", "(minimum ?y ?x)"),
    commute("commute-and", "(and ?x ?y)", "(and ?y ?x)"),
    commute("commute-or", "(or ?x ?y)", "(or ?y ?x)"),
    commute("commute-xor", "(xor ?x ?y)", "(xor ?y ?x)"),
];

const fn commute(name: &'static str, from: &'static str, to: &'static str) -> Row {
    Row { name, from, to, when: "", keeps: Keeps::Exact }
}

fn explain_func(m: &Module, func: &Func, result: usize, options: &Options) -> Explanation {
    let mut slice = func.clone();
    slice.results = vec![func.results[result]];
    let live = cut::live(m, &slice);
    let mut values = EntityVec::<Value, u32>::filled(NONE, slice.values.len());
    (0u32..).zip(&slice.params).for_each(|(k, &p)| values[p] = k);
    let draft = Draft::new(slice.param_types());
    let mut piece = fill(m, &slice, &live, &values, &draft);
    let root = piece.operand(slice.results[0], &values, &draft);
    let (mut graph, chosen) = choose(piece, &rules_of(m), &[root], live.len(), options);
    let to = chosen.get(&graph.find(root)).copied().unwrap_or(root);
    let mut out = Explanation::default();
    let explanation = graph.explain_id_equivalence(root, to);
    let trees = &explanation.explanation_trees;
    if let (Some(first), Some(last)) = (trees.first(), trees.last()) {
        out.before = show(&graph, first, End::First, DEPTH);
        out.after = show(&graph, last, End::Last, DEPTH);
    }
    steps(&graph, trees, &mut FxHashSet::default(), &mut out.steps);
    out
}

/// The rules of the module's float mode, with commutativity.
fn rules_of(m: &Module) -> Rules {
    let keeps = match m.mode {
        FloatMode::Exact => Keeps::Exact,
        FloatMode::Default => Keeps::Default,
        FloatMode::Relaxed => Keeps::Relaxed,
    };
    Rules::new(rules::all().filter(|r| r.keeps <= keeps).chain(COMMUTE))
}

/// Instructions in an e-graph that remembers why what is equal is equal.
fn fill<'a, 'm>(
    m: &'m Module,
    func: &'a Func,
    insts: &[InstId],
    values: &EntityVec<Value, u32>,
    draft: &Draft,
) -> Piece<'a, 'm> {
    let graph = Graph::new(Facts::new(m, Pool::default(), true));
    let graph = graph.with_explanations_enabled().without_explanation_length_optimization();
    let mut piece = Piece::new(graph, func);
    for &inst in insts {
        piece.add(inst, &func.insts[inst].op, values, draft);
    }
    piece
}

/// Saturates and chooses; gives the graph and, by class, the chosen term.
fn choose<'m>(
    piece: Piece<'_, 'm>,
    rules: &Rules,
    roots: &[Id],
    count: usize,
    options: &Options,
) -> (Graph<'m>, FxHashMap<Id, Id>) {
    let (mut graph, insts) = (piece.graph, piece.insts);
    let nodes = 2 * options.nodes_per_inst * count + 1000;
    saturate::saturate(&mut graph, rules, Bounds { iterations: 2 * options.iterations, nodes });
    let extraction = extract::extract(&graph, roots, &insts);
    let mut terms: FxHashMap<Id, Id> = FxHashMap::default();
    for (class, node) in extraction.nodes {
        let node = node.map_children(|c| terms.get(&graph.find(c)).copied().unwrap_or(c));
        let chosen = graph.add_uncanonical(node);
        terms.insert(class, chosen);
    }
    (graph, terms)
}

/// What became of one instruction's first result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Became {
    /// The instruction.
    pub inst: InstId,
    /// The expression that is computed for it, abbreviated.
    pub to: String,
    /// The steps that led there. A step inside an operand is with the first instruction that needs it.
    pub steps: Vec<Step>,
}

/// What the rules make of each instruction of a function whose value is still computed, in order; those on which no
/// rule was used are left out. Functions nested in it are as they are. The function is cut as [`super::optimize`] cuts
/// it, and values from earlier pieces are leaves.
pub fn explain_values(m: &Module, func: FuncId, options: &Options) -> Vec<Became> {
    let (still, _) = quanta::Clock::mock();
    quanta::with_clock(&still, || {
        let func = m.get(func);
        let live = cut::live(m, &func);
        let rules = rules_of(m);
        let ranges = cut::cut(&func, &live, options.piece);
        ranges.into_iter().flat_map(|r| explain_piece(m, &func, &live, r, &rules, options)).collect()
    })
}

fn explain_piece(
    m: &Module,
    func: &Func,
    live: &[InstId],
    range: Range<usize>,
    rules: &Rules,
    options: &Options,
) -> Vec<Became> {
    let insts = &live[range.clone()];
    // What is from outside the piece is a parameter of it.
    let types = func.values.values().map(|v| v.ty.clone()).collect();
    let draft = Draft::new(types);
    let values: EntityVec<Value, u32> = (0u32..).take(func.values.len()).collect();
    let piece = fill(m, func, insts, &values, &draft);
    let later = live[range.end..].iter().flat_map(|&i| func.insts[i].operands.iter());
    let needed: FxHashSet<Value> = later.chain(&func.results).copied().collect();
    let mut roots: Vec<Id> = Vec::new();
    for &inst in insts {
        let results = &func.insts[inst].results;
        roots.extend(results.iter().filter(|v| needed.contains(v)).map(|&v| piece.class(v)));
        roots.extend(piece.effects.get(&inst));
    }
    let originals: Vec<(InstId, Id)> =
        insts.iter().filter_map(|&i| Some((i, piece.class(*func.insts[i].results.first()?)))).collect();
    let (mut graph, chosen) = choose(piece, rules, &roots, insts.len(), options);
    let mut seen: FxHashSet<(String, String, String)> = FxHashSet::default();
    let mut out = Vec::new();
    for (inst, id) in originals {
        let Some(&to) = chosen.get(&graph.find(id)) else { continue };
        let explanation = graph.explain_id_equivalence(id, to);
        let trees = &explanation.explanation_trees;
        let mut all = Vec::new();
        steps(&graph, trees, &mut FxHashSet::default(), &mut all);
        let mut own = Vec::new();
        steps_here(&graph, trees, &mut own);
        all.retain(|s| {
            let new = seen.insert((s.rule.clone(), s.before.clone(), s.after.clone()));
            new || own.contains(s)
        });
        if let (false, Some(last)) = (all.is_empty(), trees.last()) {
            out.push(Became { inst, to: show(&graph, last, End::Last, DEPTH), steps: all });
        }
    }
    out
}

/// How deep expressions are printed.
const DEPTH: usize = 3;

type Proof = [Rc<TreeTerm<Node>>];

/// Collects the steps of a proof, each part of it once.
fn steps(graph: &Graph<'_>, proof: &Proof, seen: &mut FxHashSet<*const TreeTerm<Node>>, out: &mut Vec<Step>) {
    for (k, term) in proof.iter().enumerate() {
        if !seen.insert(Rc::as_ptr(term)) {
            continue;
        }
        if let Some(step) = step(graph, proof, k).filter(|s| !out.contains(s)) {
            out.push(step);
        }
        term.child_proofs.iter().for_each(|child| steps(graph, child, seen, out));
    }
}

/// The steps of a proof that are uses of rules on the whole expression.
fn steps_here(graph: &Graph<'_>, proof: &Proof, out: &mut Vec<Step>) {
    out.extend((0..proof.len()).filter_map(|k| step(graph, proof, k)));
}

/// The use of a rule that led to term `k` of a proof, if one did. Commutativity is not worth telling.
fn step(graph: &Graph<'_>, proof: &Proof, k: usize) -> Option<Step> {
    let term = &proof[k];
    let rule = term.forward_rule.or(term.backward_rule)?;
    (k > 0 && !rule.as_str().starts_with("commute-")).then(|| Step {
        rule: rule.as_str().to_owned(),
        backwards: term.forward_rule.is_none(),
        before: show(graph, &proof[k - 1], End::Last, DEPTH),
        after: show(graph, term, End::First, DEPTH),
    })
}

/// Which end of a proof to print.
#[derive(Clone, Copy)]
enum End {
    First,
    Last,
}

fn show(graph: &Graph<'_>, term: &TreeTerm<Node>, end: End, depth: usize) -> String {
    let pool = &graph.analysis.pool;
    match term.node.head {
        Head::Value(k) => Value::from_index(k as usize).to_string(),
        Head::Const(k) => literal(pool.literal_of(k)),
        Head::Attrs(k) => attributes(pool.attrs_of(k)),
        head => {
            let name = match head {
                Head::Op(kind) => kind.name().to_owned(),
                _ => term.node.to_string(),
            };
            let attrs = matches!(head, Head::Op(kind) if kind.has_attrs());
            let operands = term.child_proofs.len() - attrs as usize;
            let child = |proof: &Proof, depth: usize| match end {
                End::First => show(graph, &proof[0], end, depth),
                End::Last => show(graph, &proof[proof.len() - 1], end, depth),
            };
            let mut text = format!("({name}");
            for (k, proof) in term.child_proofs.iter().enumerate() {
                let leaf = proof.iter().all(|t| t.node.is_leaf());
                if k >= operands || leaf || depth > 1 {
                    let _ = write!(text, " {}", child(proof, depth.saturating_sub(1)));
                } else {
                    text.push_str(" ..");
                }
            }
            text.push(')');
            text
        }
    }
}

fn literal(literal: &Literal) -> String {
    match literal.splat_value() {
        Some(value) => value.to_string(),
        None => format!("dense<..> : {}", literal.ty()),
    }
}

/// Attributes without names, those that repeat the result type left out.
fn attributes(op: &Op) -> String {
    let words: Vec<String> = op
        .attrs()
        .into_iter()
        .map(|(_, attr)| match attr {
            Attr::Int(v) => v.to_string(),
            Attr::Ints(v) => format!("[{}]", v.iter().map(i64::to_string).collect::<Vec<_>>().join(",")),
            Attr::Bool(v) => v.to_string(),
            Attr::Word(v) => v.to_owned(),
            Attr::DType(v) => v.to_string(),
            Attr::Type(v) => v.to_string(),
            Attr::Literal(v) => literal(&v),
            Attr::Func(v) => v.to_string(),
            Attr::Text(v) => format!("{v:?}"),
            Attr::Host(v) => format!("#{}", v.number()),
            Attr::Types(v) => v.iter().map(ToString::to_string).collect::<Vec<_>>().join(","),
            Attr::Funcs(v) => v.iter().map(FuncId::to_string).collect::<Vec<_>>().join(","),
        })
        .collect();
    words.join(" ")
}
