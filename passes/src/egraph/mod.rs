//! Equality saturation: one pass that simplifies a function by what is equal to what.
//!
//! The instructions of a function go into an e-graph, rules add equal forms ([`rules`]), and the cheapest
//! whole is taken out again. Common subexpressions are one node, dead values are not reached, operations on
//! constants fold. Functions nested in control flow are optimized on their own, each once. What recomputation
//! separates stays apart: an `optimization_barrier` is an operation like any other, its region an attribute.
//!
//! The result never costs more than the original, and the same program gives the same result: limits are
//! counts, and hitting one is reported but never needed for correctness.

mod analysis;
mod contract;
mod cut;
mod data_movement;
mod explain;
mod extract;
mod functions;
pub(crate) mod language;
pub(crate) mod pattern;
mod pool;
pub mod rules;
mod saturate;
mod schedule;
mod sign;
pub(crate) mod testing;

pub(crate) use analysis::{NoCalls, result_lacks_negative_zero};
pub use explain::{Became, Explanation, Step, explain, explain_values};
pub use pattern::{Keeps, Row};

use analysis::{Facts, Graph, Look, split};
use egg::Id;
use language::{Head, Kind, Node};
use pool::{NONE, Pool};
use rules::Rules;
use rustc_hash::FxHashMap;
use saturate::Bounds;
use schedule::Draft;
use smallvec::SmallVec;
use wengert_ir::entity::{Entity, EntityVec};
use wengert_ir::func::{Func, FuncId, InstId, Loc, Module, Value};
use wengert_ir::op::{Effect, Op};
use wengert_ir::rules::Types;

/// Limits of the pass, in counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// How often rules are searched in one piece.
    pub iterations: usize,
    /// Nodes an e-graph may have per instruction, besides a thousand.
    pub nodes_per_inst: usize,
    /// Instructions of a piece; a longer function is cut.
    pub piece: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { iterations: 10, nodes_per_inst: 12, piece: 300 }
    }
}

/// The outcome.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Optimized {
    /// The optimized function; the function itself if nothing changed.
    pub func: FuncId,
    /// What happened.
    pub report: Report,
}

/// What happened, over a function and those nested in it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Functions looked at.
    pub funcs: usize,
    /// Pieces they were cut into.
    pub pieces: usize,
    /// Instructions before.
    pub insts_before: usize,
    /// Instructions after.
    pub insts_after: usize,
    /// Estimated cost before (after removal of dead and of common values).
    pub cost_before: u64,
    /// Estimated cost after.
    pub cost_after: u64,
    /// Searches of all rules.
    pub iterations: usize,
    /// Pieces in which a limit ended the search early.
    pub limited: usize,
    /// How often each rule joined two classes, in the order of the tables; rules that did not are left out.
    pub fired: Vec<(&'static str, usize)>,
}

/// Optimizes a function and what is nested in it, under the float mode of the module.
pub fn optimize(m: &mut Module, func: FuncId, options: &Options) -> Optimized {
    let rules = Rules::of(m.mode);
    let mut pass = Pass {
        options,
        rules,
        done: FxHashMap::default(),
        report: Report::default(),
        fired: vec![0; rules.rules.len()],
    };
    // egg reads a clock for its statistics, and starting that clock takes longer than optimizing a small
    // function; a still one will do.
    let (still, _) = quanta::Clock::mock();
    let func = quanta::with_clock(&still, || pass.func(m, func));
    let fired = pass.fired.iter().zip(&rules.rules).filter(|(n, _)| **n > 0);
    pass.report.fired = fired.map(|(&n, rule)| (rule.row.name, n)).collect();
    Optimized { func, report: pass.report }
}

struct Pass<'a> {
    options: &'a Options,
    rules: &'static Rules,
    done: FxHashMap<FuncId, FuncId>,
    report: Report,
    fired: Vec<usize>,
}

impl Pass<'_> {
    fn func(&mut self, m: &mut Module, id: FuncId) -> FuncId {
        if let Some(&new) = self.done.get(&id) {
            return new;
        }
        let func = m.get(id);
        let live = cut::live(m, &func);
        let ops: Vec<Op> = live.iter().map(|&inst| self.nested(m, &func.insts[inst].op)).collect();
        let new = self.rebuild(m, &func, &live, &ops);
        self.report.funcs += 1;
        self.report.insts_before += func.insts.len();
        self.report.insts_after += new.insts.len();
        let new = if new == *func { id } else { m.add(new) };
        self.done.insert(id, new);
        new
    }

    /// An operation with the functions it runs optimized. Reducers are left alone: they are recognized by
    /// what they look like.
    fn nested(&mut self, m: &mut Module, op: &Op) -> Op {
        let mut op = op.clone();
        if op.is_control_flow() {
            op.map_callees(&mut |callee| self.func(m, callee));
        }
        op
    }

    fn rebuild(&mut self, m: &Module, func: &Func, live: &[InstId], ops: &[Op]) -> Func {
        let mut draft = Draft::new(func.param_types());
        let mut values = EntityVec::<Value, u32>::filled(NONE, func.values.len());
        for (k, &p) in (0u32..).zip(&func.params) {
            values[p] = k;
        }
        // The last reader of each value decides which values a piece must hand on.
        let mut last_use = EntityVec::<Value, usize>::filled(0, func.values.len());
        for (at, &inst) in live.iter().enumerate() {
            func.insts[inst].operands.iter().for_each(|&v| last_use[v] = at + 1);
        }
        func.results.iter().for_each(|&v| last_use[v] = usize::MAX);
        let mut pool = Pool::default();
        for range in cut::cut(func, live, self.options.piece) {
            let mut piece = Piece::new(Graph::new(Facts::new(m, std::mem::take(&mut pool), false)), func);
            for at in range.clone() {
                piece.add(live[at], &ops[at], &values, &draft);
            }
            let mut roots: Vec<Id> = Vec::new();
            let mut given: Vec<(Value, Id)> = Vec::new();
            for at in range.clone() {
                let inst = &func.insts[live[at]];
                for &v in inst.results.iter().filter(|&&v| last_use[v] > range.end) {
                    given.push((v, piece.class(v)));
                }
                if m.effect(&inst.op) == Effect::Ordered {
                    roots.push(piece.effects[&live[at]]);
                }
            }
            roots.extend(given.iter().map(|&(_, id)| id));
            let (mut graph, insts) = (piece.graph, piece.insts);
            let nodes = self.options.nodes_per_inst * range.len() + 1000;
            let before = extract::total(&graph, &insts);
            let saturation = saturate::saturate(
                &mut graph,
                self.rules,
                Bounds { iterations: self.options.iterations, nodes },
            );
            let extraction = extract::extract(&graph, &roots, &insts);
            self.report.pieces += 1;
            self.report.iterations += saturation.iterations;
            self.report.limited += saturation.hit_limit as usize;
            self.report.cost_before = self.report.cost_before.saturating_add(before);
            self.report.cost_after = self.report.cost_after.saturating_add(extraction.cost);
            self.fired.iter_mut().zip(&saturation.fired).for_each(|(sum, &n)| *sum += n as usize);
            let emitted = emit(&graph, &extraction.nodes, func, &values, &mut draft);
            for (v, id) in given {
                values[v] = emitted[usize::from(graph.find(id))][0];
            }
            pool = graph.analysis.pool;
        }
        let results: Vec<u32> = func.results.iter().map(|&v| values[v]).collect();
        draft.finish(func, &results)
    }
}

/// A piece of a function on its way into an e-graph.
struct Piece<'a, 'm> {
    graph: Graph<'m>,
    func: &'a Func,
    classes: FxHashMap<Value, Id>,
    /// The class and node of every instruction and constant, in order.
    insts: Vec<(Id, Node)>,
    /// The classes of instructions with effects.
    effects: FxHashMap<InstId, Id>,
}

impl<'a, 'm> Piece<'a, 'm> {
    fn new(graph: Graph<'m>, func: &'a Func) -> Self {
        Piece { graph, func, classes: FxHashMap::default(), insts: Vec::new(), effects: FxHashMap::default() }
    }

    fn class(&self, value: Value) -> Id {
        self.classes[&value]
    }

    fn add(&mut self, id: InstId, op: &Op, values: &EntityVec<Value, u32>, draft: &Draft) {
        let inst = &self.func.insts[id];
        let origin = id.index() as u32;
        let ordered = self.graph.analysis.ordered;
        let effect = self.graph.analysis.module.effect(op);
        let mut children: SmallVec<[Id; 4]> =
            inst.operands.iter().map(|&v| self.operand(v, values, draft)).collect();
        let node = match (op, Kind::of(op)) {
            (Op::Constant(c), _) => {
                Node::leaf(Head::Const(self.graph.analysis.pool.literal(&c.value)), ordered)
            }
            (_, None) => unreachable!("only constants have no kind"),
            (_, Some(kind)) => {
                if kind.has_attrs() {
                    let pool = &mut self.graph.analysis.pool;
                    let k = match effect {
                        Effect::Pure => pool.attrs(op),
                        Effect::Ordered => pool.fresh_attrs(op.clone()),
                    };
                    children.push(self.graph.add(Node::leaf(Head::Attrs(k), ordered)));
                }
                let complex = inst.results.first().and_then(|&v| self.func.ty(v).as_tensor());
                let complex = complex.is_some_and(|t| t.dtype.is_complex());
                Node::new(Head::Op(kind), children, ordered || complex)
            }
        };
        let types: Types = inst.results.iter().map(|&v| self.func.ty(v).clone()).collect();
        let class = self.make(node.clone(), &types, origin);
        if effect == Effect::Ordered {
            self.effects.insert(id, class);
        }
        match inst.results[..] {
            [result] => {
                self.classes.insert(result, class);
            }
            _ => {
                for (k, &result) in (0u32..).zip(&inst.results) {
                    let project = Node::new(Head::Project(k), SmallVec::from_slice(&[class]), ordered);
                    let value = self.make(
                        project.clone(),
                        &types[k as usize..=k as usize].iter().cloned().collect(),
                        origin,
                    );
                    self.classes.insert(result, value);
                    self.insts.push((value, project));
                }
            }
        }
        self.insts.push((class, node));
    }

    /// Adds a node of known types.
    fn make(&mut self, node: Node, types: &Types, origin: u32) -> Id {
        match self.graph.lookup(node.clone()) {
            // Explanations want the term itself.
            Some(id) if !self.graph.are_explanations_enabled() => return id,
            Some(_) => {}
            None => {
                let ty = self.graph.analysis.pool.types(types);
                self.graph.analysis.next_type = ty;
                self.graph.analysis.next_origin = origin;
            }
        }
        self.graph.add_uncanonical(node)
    }

    /// The class of an operand: of this piece, a constant, or a value from before.
    fn operand(&mut self, v: Value, values: &EntityVec<Value, u32>, draft: &Draft) -> Id {
        if let Some(&id) = self.classes.get(&v) {
            return id;
        }
        let literal = match draft.constant(values[v]) {
            Some(Op::Constant(c)) => Some(self.graph.analysis.pool.literal(&c.value)),
            _ => None,
        };
        let head = literal.map_or(Head::Value(v.index() as u32), Head::Const);
        let types = Types::from_iter([self.func.ty(v).clone()]);
        let node = Node::leaf(head, self.graph.analysis.ordered);
        let id = self.make(node.clone(), &types, NONE);
        if literal.is_some() {
            self.insts.push((id, node));
        }
        self.classes.insert(v, id);
        id
    }
}

/// Appends chosen nodes to the draft; gives the values of each class.
fn emit(
    graph: &Graph<'_>,
    nodes: &[(Id, Node)],
    func: &Func,
    values: &EntityVec<Value, u32>,
    draft: &mut Draft,
) -> Vec<SmallVec<[u32; 1]>> {
    let mut out: Vec<SmallVec<[u32; 1]>> = vec![SmallVec::new(); graph.nodes().len()];
    // What rules made stands where it is needed first.
    let mut order: Vec<u32> = vec![NONE; graph.nodes().len()];
    for (id, node) in nodes.iter().rev() {
        let own = graph.fact(*id).origin.min(order[usize::from(*id)]);
        order[usize::from(*id)] = own;
        for &c in &node.children {
            let c = graph.find(c);
            order[usize::from(c)] = order[usize::from(c)].min(own);
        }
    }
    for (id, node) in nodes {
        let of = |c: &Id| out[usize::from(graph.find(*c))][0];
        let place = match graph.fact(*id).origin {
            NONE => order[usize::from(*id)],
            origin => origin,
        };
        let loc = func.insts.get(InstId::from_index(place as usize)).map_or(&Loc::Unknown, |inst| &inst.loc);
        let (m, pool) = (graph.analysis.module, &graph.analysis.pool);
        let types = || pool.types_of(graph.fact(*id).ty);
        let made: SmallVec<[u32; 1]> = match node.head {
            Head::Value(k) => SmallVec::from_slice(&[values[Value::from_index(k as usize)]]),
            Head::Const(k) => {
                let key = (node.head, NONE, SmallVec::new());
                draft.emit(m, key, || pool.constant(k), types(), place, loc).into_iter().collect()
            }
            Head::Project(k) => {
                SmallVec::from_slice(&[out[usize::from(graph.find(node.children[0]))][k as usize]])
            }
            Head::Op(kind) => {
                let (operands, attrs) = split(graph, kind, &node.children);
                let key = (node.head, attrs, operands.iter().map(of).collect());
                draft.emit(m, key, || pool.op(kind, attrs), types(), place, loc).into_iter().collect()
            }
            Head::Attrs(_) | Head::AnyUnary | Head::AnyBinary | Head::Number(_) | Head::Function(_) => {
                unreachable!("not a value")
            }
        };
        out[usize::from(*id)] = made;
    }
    out
}
