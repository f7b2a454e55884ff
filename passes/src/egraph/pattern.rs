//! Rules compiled for matching.
//!
//! A left side becomes a short program over registers, one per order of its commutative operations; a
//! right side becomes a list of things to make. Both come from one textual [`Row`], through egg's parser.

use super::analysis::{Graph, Look, infer};
use super::functions::{self, CONDITIONS, Condition, FUNCTIONS};
use super::language::{Head, Kind, Node};
use super::pool::NONE;
use egg::{ENodeOrVar, Id, PatternAst, Var};
use smallvec::SmallVec;
use std::collections::VecDeque;

/// How much of an operation's rounding a rule keeps; the module's [`wengert_ir::types::FloatMode`] says
/// which rules run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Keeps {
    /// Every bit, NaN payloads apart.
    Exact,
    /// What the default mode allows besides: signs of zeros that stand for no tangent at all, division by a constant as a product with
    /// its reciprocal, and a few powers as products, quotients and roots, of infinities and zeros what the power is.
    Default,
    /// The value over the real numbers.
    Relaxed,
}

/// One rule as it is written.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its name in reports and explanations.
    pub name: &'static str,
    /// The left side. Numbers stand for splats; `unary` and `binary` for any elementwise operation.
    pub from: &'static str,
    /// The right side; functions of attributes and constants are computed when the rule applies, and the
    /// rule does not apply where one is undefined. A number has the type of the whole left side.
    pub to: &'static str,
    /// Conditions, separated by commas: a name and variables.
    pub when: &'static str,
    /// What it keeps.
    pub keeps: Keeps,
}

/// What registers hold after a match: the root, then what was bound.
pub(super) type Registers = SmallVec<[Id; 16]>;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Step {
    /// Register `from` holds a class with a node of this head; its children go to new registers.
    Bind { from: u8, head: Head, arity: u8 },
    /// Two registers hold one class.
    Same { a: u8, b: u8 },
    /// A register holds a splat of this number.
    Number { at: u8, number: i8 },
}

/// One order of a left side.
#[derive(Clone, PartialEq, Debug)]
struct Order {
    steps: Vec<Step>,
    /// Where each variable is bound.
    vars: Vec<(Var, u8)>,
    /// Where each number of the left side is bound.
    numbers: Vec<(usize, u8)>,
    /// Where the operation that `unary` or `binary` stands for is, as a number.
    any: Option<u8>,
}

#[derive(Clone, Debug)]
enum Item {
    Var(Var),
    Number(i8),
    /// An operation, or the one that `unary` or `binary` matched.
    Op(Option<Kind>, SmallVec<[u8; 4]>),
    Function(u8, SmallVec<[u8; 4]>),
}

/// A rule ready to run.
pub struct Rule {
    pub(super) row: Row,
    /// The kinds of operation it can start from.
    pub(super) root: Head,
    arity: usize,
    orders: Vec<Order>,
    items: Vec<Item>,
    conditions: Vec<(Condition, SmallVec<[Var; 3]>)>,
    left: PatternAst<Node>,
}

/// A match: which classes the variables stand for.
#[derive(Clone, Debug)]
pub(super) struct Match {
    /// Index of the rule.
    pub(super) rule: u32,
    order: u32,
    registers: Registers,
}

impl Match {
    /// The class the left side was found in.
    pub(super) fn root(&self) -> Id {
        self.registers[0]
    }
}

impl Rule {
    /// Compiles a row; the error says what is wrong with its text.
    pub fn compile(row: &Row) -> Result<Rule, String> {
        let parse = |text: &str| -> Result<PatternAst<Node>, String> {
            text.parse().map_err(|e| format!("{}: `{text}`: {e}", row.name))
        };
        let (left, right) = (parse(row.from)?, parse(row.to)?);
        for node in left.iter() {
            if let ENodeOrVar::ENode(Node { head: Head::Function(name), .. }) = node {
                return Err(format!("{}: no operation `{name}`", row.name));
            }
        }
        let ENodeOrVar::ENode(root) = left.last().expect("an expression") else {
            return Err(format!("{}: a left side must be an operation", row.name));
        };
        let mut orders: Vec<Order> = Vec::new();
        for swapped in swaps(&left) {
            let order = Order::compile(&left, swapped);
            if !orders.contains(&order) {
                orders.push(order);
            }
        }
        let bound = |v: Var| match orders[0].vars.iter().any(|(w, _)| *w == v) {
            true => Ok(v),
            false => Err(format!("{}: {v} is not on the left side", row.name)),
        };
        let mut items = Vec::new();
        for node in right.iter() {
            let args = |n: &Node| n.children.iter().map(|&c| usize::from(c) as u8).collect();
            items.push(match node {
                ENodeOrVar::Var(v) => Item::Var(bound(*v)?),
                ENodeOrVar::ENode(n) => match n.head {
                    Head::Op(kind) => Item::Op(Some(kind), args(n)),
                    Head::AnyUnary | Head::AnyBinary => Item::Op(None, args(n)),
                    Head::Number(k) => Item::Number(k),
                    Head::Function(name) => {
                        let known = FUNCTIONS.iter().position(|(n, _)| *n == name.as_str());
                        let k = known
                            .ok_or_else(|| format!("{}: no operation or function `{name}`", row.name))?;
                        Item::Function(k as u8, args(n))
                    }
                    Head::Attrs(_) | Head::Const(_) | Head::Value(_) | Head::Project(_) => {
                        return Err(format!("{}: not for right sides: {n}", row.name));
                    }
                },
            });
        }
        let mut conditions = Vec::new();
        for text in row.when.split(',').map(str::trim).filter(|t| !t.is_empty()) {
            let mut words = text.split_whitespace();
            let name = words.next().unwrap_or_default();
            let condition = CONDITIONS.iter().find(|(n, _)| *n == name);
            let condition = condition.ok_or_else(|| format!("{}: no condition `{name}`", row.name))?.1;
            let vars: Result<SmallVec<[Var; 3]>, String> = words
                .map(|w| bound(w.parse().map_err(|_| format!("{}: `{w}` is no variable", row.name))?))
                .collect();
            conditions.push((condition, vars?));
        }
        let (root, arity) = (root.head, root.children.len());
        Ok(Rule { row: *row, root, arity, orders, items, conditions, left })
    }

    /// How many classes below its root a match can depend on.
    pub fn depth(&self) -> usize {
        let mut depth: Vec<usize> = Vec::new();
        for node in self.left.iter() {
            let below = match node {
                ENodeOrVar::Var(_) => 0,
                ENodeOrVar::ENode(n) => {
                    n.children.iter().map(|&c| depth[usize::from(c)] + 1).max().unwrap_or(0)
                }
            };
            depth.push(below);
        }
        depth.last().copied().unwrap_or(0)
    }

    /// Whether an operation of this kind may be the root.
    pub(super) fn starts_at(&self, kind: Kind) -> bool {
        fits(self.root, Head::Op(kind))
    }

    /// Appends the matches at one node of a class.
    pub(super) fn search(&self, rule: u32, graph: &Graph<'_>, class: Id, node: &Node, out: &mut Vec<Match>) {
        if node.children.len() != self.arity {
            return;
        }
        // Nodes that keep their operands' order have rules for the other one.
        let orders = if graph.analysis.ordered { 1 } else { self.orders.len() };
        for (k, order) in self.orders[..orders].iter().enumerate() {
            let mut registers = Registers::new();
            registers.push(class);
            enter(&mut registers, self.root, node);
            run(graph, &order.steps, &mut registers, &mut |registers| {
                let found = Match { rule, order: k as u32, registers: registers.clone() };
                let holds = |(condition, vars): &(Condition, SmallVec<[Var; 3]>)| {
                    let args: SmallVec<[Id; 4]> = vars.iter().map(|&v| order.var(registers, v)).collect();
                    condition(graph, class, &args)
                };
                if self.conditions.iter().all(holds) {
                    out.push(found);
                }
            });
        }
    }

    /// Makes the right side. `None` if a function of it is undefined here or an operation refuses its
    /// operands; the rule does not apply then.
    pub(super) fn build(&self, graph: &mut Graph<'_>, found: &Match) -> Option<Id> {
        let order = &self.orders[found.order as usize];
        let mut made: SmallVec<[Id; 8]> = SmallVec::new();
        for item in &self.items {
            let args = |made: &[Id], at: &[u8]| -> SmallVec<[Id; 4]> {
                at.iter().map(|&k| made[k as usize]).collect()
            };
            made.push(match item {
                Item::Var(v) => order.var(&found.registers, *v),
                Item::Number(k) => functions::number(graph, found.root(), *k)?,
                Item::Function(k, at) => {
                    let args = args(&made, at);
                    FUNCTIONS[*k as usize].1(graph, found.root(), &args)?
                }
                Item::Op(kind, at) => {
                    let kind = kind.or_else(|| order.any_kind(&found.registers))?;
                    add(graph, kind, args(&made, at))?
                }
            });
        }
        made.last().copied()
    }

    /// Makes the left side as a term of its own, which explanations start from.
    pub(super) fn build_left(&self, graph: &mut Graph<'_>, found: &Match) -> Id {
        let order = &self.orders[found.order as usize];
        let mut made: SmallVec<[Id; 8]> = SmallVec::new();
        for (at, node) in self.left.iter().enumerate() {
            made.push(match node {
                ENodeOrVar::Var(v) => order.var(&found.registers, *v),
                ENodeOrVar::ENode(Node { head: Head::Number(_), .. }) => {
                    let &(_, k) = order.numbers.iter().find(|(n, _)| *n == at).expect("bound by the match");
                    found.registers[k as usize]
                }
                ENodeOrVar::ENode(n) => {
                    let head = match n.head {
                        Head::AnyUnary | Head::AnyBinary => {
                            Head::Op(order.any_kind(&found.registers).expect("bound by the match"))
                        }
                        head => head,
                    };
                    let children = n.children.iter().map(|&c| made[usize::from(c)]).collect();
                    graph.add_uncanonical(Node::new(head, children, true))
                }
            });
        }
        made[made.len() - 1]
    }
}

/// Adds an operation unless it refuses its operands.
pub(super) fn add(graph: &mut Graph<'_>, kind: Kind, children: SmallVec<[Id; 4]>) -> Option<Id> {
    let node = Node::new(Head::Op(kind), children, graph.analysis.ordered);
    match graph.lookup(node.clone()) {
        // Explanations want the term itself.
        Some(id) if !graph.are_explanations_enabled() => return Some(id),
        Some(_) => {}
        None => {
            graph.analysis.next_type = infer(graph, kind, &node.children)?;
            graph.analysis.next_origin = NONE;
        }
    }
    Some(graph.add_uncanonical(node))
}

impl Order {
    fn compile(left: &PatternAst<Node>, swapped: u32) -> Order {
        let mut order = Order { steps: Vec::new(), vars: Vec::new(), numbers: Vec::new(), any: None };
        let mut next = 1u8;
        // Breadth first: the cheap head comparisons of outer operations come before inner ones.
        let mut queue: VecDeque<(usize, u8)> = [(left.len() - 1, 0u8)].into();
        let mut first = true;
        while let Some((at, register)) = queue.pop_front() {
            match &left.as_ref()[at] {
                ENodeOrVar::Var(v) => match order.vars.iter().find(|(w, _)| w == v) {
                    Some(&(_, seen)) => order.steps.push(Step::Same { a: seen, b: register }),
                    None => order.vars.push((*v, register)),
                },
                ENodeOrVar::ENode(Node { head: Head::Number(number), .. }) => {
                    order.steps.push(Step::Number { at: register, number: *number });
                    order.numbers.push((at, register));
                }
                ENodeOrVar::ENode(n) => {
                    if !std::mem::replace(&mut first, false) {
                        let (head, arity) = (n.head, n.children.len() as u8);
                        order.steps.push(Step::Bind { from: register, head, arity });
                    }
                    if matches!(n.head, Head::AnyUnary | Head::AnyBinary) {
                        order.any.get_or_insert(next);
                        next += 1;
                    }
                    let mut children: SmallVec<[Id; 4]> = n.children.clone();
                    if swapped >> at & 1 == 1 {
                        children.swap(0, 1);
                    }
                    for c in children {
                        queue.push_back((usize::from(c), next));
                        next += 1;
                    }
                }
            }
        }
        order.vars.sort();
        order
    }

    fn var(&self, registers: &[Id], v: Var) -> Id {
        let &(_, k) = self.vars.iter().find(|(w, _)| *w == v).expect("checked when compiled");
        registers[k as usize]
    }

    fn any_kind(&self, registers: &[Id]) -> Option<Kind> {
        let number = usize::from(registers[self.any? as usize]);
        Kind::elementwise().nth(number)
    }
}

/// The orders of a pattern's commutative operations, as sets of positions to swap.
fn swaps(left: &PatternAst<Node>) -> impl Iterator<Item = u32> {
    let commutes = |n: &ENodeOrVar<Node>| matches!(n, ENodeOrVar::ENode(n) if n.children.len() == 2 && matches!(n.head, Head::Op(kind) if kind.commutes()));
    let places: Vec<usize> = left.iter().enumerate().filter(|(_, n)| commutes(n)).map(|(k, _)| k).collect();
    (0..1u32 << places.len()).map(move |set| {
        places.iter().enumerate().filter(|(k, _)| set >> k & 1 == 1).map(|(_, &at)| 1 << at).sum()
    })
}

fn fits(pattern: Head, head: Head) -> bool {
    match (pattern, head) {
        (Head::AnyUnary, Head::Op(Kind::Unary(_))) | (Head::AnyBinary, Head::Op(Kind::Binary(_))) => true,
        _ => pattern == head,
    }
}

/// Puts a matched node's children, and its kind if the pattern asks for it, into registers.
fn enter(registers: &mut Registers, pattern: Head, node: &Node) {
    if let (Head::AnyUnary | Head::AnyBinary, Head::Op(kind)) = (pattern, node.head) {
        registers.push(Id::from(kind.elementwise_number()));
    }
    registers.extend_from_slice(&node.children);
}

fn run(graph: &Graph<'_>, steps: &[Step], registers: &mut Registers, found: &mut dyn FnMut(&Registers)) {
    let Some((&step, rest)) = steps.split_first() else { return found(registers) };
    match step {
        Step::Bind { from, head, arity } => {
            let base = registers.len();
            for node in &graph[registers[from as usize]].nodes {
                if node.children.len() == arity as usize && fits(head, node.head) {
                    registers.truncate(base);
                    enter(registers, head, node);
                    run(graph, rest, registers, found);
                }
            }
            registers.truncate(base);
        }
        Step::Same { a, b } => {
            if graph.find(registers[a as usize]) == graph.find(registers[b as usize]) {
                run(graph, rest, registers, found);
            }
        }
        Step::Number { at, number } => {
            if graph.literal(registers[at as usize]).is_some_and(|l| functions::is_number(l, number)) {
                run(graph, rest, registers, found);
            }
        }
    }
}

impl Kind {
    /// Elementwise operations of one or two operands, in a fixed order.
    fn elementwise() -> impl Iterator<Item = Kind> {
        use wengert_ir::op::{BinaryOp, UnaryOp};
        let unary = UnaryOp::ALL.iter().map(|&op| Kind::Unary(op));
        unary.chain(BinaryOp::ALL.iter().map(|&op| Kind::Binary(op)))
    }

    fn elementwise_number(self) -> usize {
        use wengert_ir::op::UnaryOp;
        match self {
            Kind::Unary(op) => op as usize,
            Kind::Binary(op) => UnaryOp::ALL.len() + op as usize,
            _ => unreachable!("only these match `unary` and `binary`"),
        }
    }
}
