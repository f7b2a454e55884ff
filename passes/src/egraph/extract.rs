//! Chooses one node per class so that the whole, shared parts counted once, costs least.
//!
//! Two starting points: the program as it was, and the cheapest trees (Knuth's algorithm). Each is improved
//! by exchanging one class's node at a time as long as the cost of the shared whole falls; the cheaper
//! result wins, the original on a tie. So the outcome never costs more than the original did.

use super::analysis::{Graph, Look, split};
use super::language::{Head, Node};
use crate::cost::{Target, cost};
use egg::Id;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

const NONE: u32 = u32::MAX;

/// One node of a class.
struct Choice<'g> {
    node: &'g Node,
    cost: u64,
    /// Operand classes.
    children: SmallVec<[u32; 3]>,
}

/// The part of an e-graph that roots reach, with dense numbers.
struct Problem<'g> {
    classes: Vec<Id>,
    choices: Vec<Vec<Choice<'g>>>,
    roots: Vec<u32>,
}

/// What was chosen.
pub(super) struct Extraction {
    /// Chosen nodes, operands before users.
    pub(super) nodes: Vec<(Id, Node)>,
    /// Their cost.
    pub(super) cost: u64,
}

/// Extracts `roots`. `original` has one node per class that the program had.
pub(super) fn extract(graph: &Graph<'_>, roots: &[Id], original: &[(Id, Node)]) -> Extraction {
    let problem = Problem::new(graph, roots);
    let trees = problem.cheapest_trees();
    let mut as_written = trees.clone();
    let mut number = vec![NONE; graph.nodes().len()];
    for (k, &id) in (0u32..).zip(&problem.classes) {
        number[usize::from(id)] = k;
    }
    // Instructions come in order, so the first node of a class is the one whose operands come before it.
    // What is a value from elsewhere or a constant comes before all of them.
    let is_leaf = |c: &Choice<'_>| matches!(c.node.head, Head::Value(_) | Head::Const(_));
    let mut fixed: Vec<bool> = problem.choices.iter().map(|c| c.iter().any(is_leaf)).collect();
    for (at, choices) in as_written.iter_mut().zip(&problem.choices) {
        if let Some(k) = choices.iter().position(is_leaf) {
            *at = k as u32;
        }
    }
    for (id, node) in original {
        let class = number[usize::from(graph.find(*id))];
        if class == NONE || std::mem::replace(&mut fixed[class as usize], true) {
            continue;
        }
        let mut node = node.clone();
        egg::Language::update_children(&mut node, |c| graph.find(c));
        let at = problem.choices[class as usize].iter().position(|c| *c.node == node);
        as_written[class as usize] = at.expect("only constants lose nodes") as u32;
    }
    let (first, first_cost) = problem.improve(as_written, &trees);
    let (choice, after) = if problem.choices.iter().all(|c| c.len() == 1) {
        (first, first_cost)
    } else {
        let (second, second_cost) = problem.improve(trees.clone(), &trees);
        if second_cost < first_cost { (second, second_cost) } else { (first, first_cost) }
    };
    let order = problem.order(&choice);
    let nodes =
        order.into_iter().map(|c| (problem.classes[c as usize], problem.chosen(&choice, c).node.clone()));
    Extraction { nodes: nodes.collect(), cost: after }
}

impl<'g> Problem<'g> {
    fn new(graph: &'g Graph<'_>, roots: &[Id]) -> Self {
        let mut number = vec![NONE; graph.nodes().len()];
        let mut classes: Vec<Id> = Vec::new();
        let mut visit = |id: Id, classes: &mut Vec<Id>| {
            let id = graph.find(id);
            if number[usize::from(id)] == NONE {
                number[usize::from(id)] = classes.len() as u32;
                classes.push(id);
            }
            number[usize::from(id)]
        };
        let mut numbered: Vec<u32> = Vec::new();
        for &root in roots {
            let k = visit(root, &mut classes);
            if !numbered.contains(&k) {
                numbered.push(k);
            }
        }
        let mut choices: Vec<Vec<Choice<'g>>> = Vec::new();
        while choices.len() < classes.len() {
            let id = classes[choices.len()];
            let mut here = Vec::new();
            for node in &graph[id].nodes {
                let operands = match node.head {
                    Head::Op(kind) => split(graph, kind, &node.children).0,
                    _ => &node.children[..],
                };
                let children = operands.iter().map(|&c| visit(c, &mut classes)).collect();
                here.push(Choice { node, cost: price(graph, id, node), children });
            }
            choices.push(here);
        }
        Problem { classes, choices, roots: numbered }
    }

    fn chosen(&self, choice: &[u32], class: u32) -> &Choice<'g> {
        &self.choices[class as usize][choice[class as usize] as usize]
    }

    /// The cheapest choice of each class if nothing were shared.
    fn cheapest_trees(&self) -> Vec<u32> {
        let mut users: Vec<Vec<(u32, u32)>> = vec![Vec::new(); self.classes.len()];
        let mut waiting: Vec<Vec<(u32, u64)>> = Vec::with_capacity(self.classes.len());
        let mut heap = BinaryHeap::new();
        for (class, choices) in (0u32..).zip(&self.choices) {
            let mut states = Vec::with_capacity(choices.len());
            for (k, choice) in (0u32..).zip(choices) {
                choice.children.iter().for_each(|&c| users[c as usize].push((class, k)));
                if choice.children.is_empty() {
                    heap.push(Reverse((choice.cost, class, k)));
                }
                states.push((choice.children.len() as u32, choice.cost));
            }
            waiting.push(states);
        }
        let mut best = vec![NONE; self.classes.len()];
        while let Some(Reverse((total, class, k))) = heap.pop() {
            if best[class as usize] != NONE {
                continue;
            }
            best[class as usize] = k;
            for &(user, choice) in &users[class as usize] {
                let (missing, sum) = &mut waiting[user as usize][choice as usize];
                *missing -= 1;
                *sum = sum.saturating_add(total);
                if *missing == 0 && best[user as usize] == NONE {
                    heap.push(Reverse((*sum, user, choice)));
                }
            }
        }
        best
    }

    /// The classes a choice needs, operands before users.
    fn order(&self, choice: &[u32]) -> Vec<u32> {
        let mut done = vec![false; self.classes.len()];
        let mut out = Vec::new();
        for &root in &self.roots {
            let mut stack = vec![(root, 0usize)];
            while let Some((class, next)) = stack.pop() {
                if done[class as usize] {
                    continue;
                }
                match self.chosen(choice, class).children.get(next) {
                    Some(&child) => {
                        stack.push((class, next + 1));
                        if !done[child as usize] {
                            stack.push((child, 0));
                        }
                    }
                    None => {
                        done[class as usize] = true;
                        out.push(class);
                    }
                }
            }
        }
        out
    }

    fn total(&self, choice: &[u32]) -> u64 {
        self.order(choice).iter().map(|&c| self.chosen(choice, c).cost).fold(0, u64::saturating_add)
    }

    /// Exchanges nodes while that lowers the cost. Classes out of use choose as `trees` does, which keeps
    /// them free of cycles among themselves.
    fn improve(&self, choice: Vec<u32>, trees: &[u32]) -> (Vec<u32>, u64) {
        let mut state = State {
            problem: self,
            choice,
            trees,
            uses: vec![0; self.classes.len()],
            mark: vec![0; self.classes.len()],
            stamp: 0,
        };
        let order = self.order(&state.choice);
        for class in &order {
            for &c in &self.chosen(&state.choice, *class).children {
                state.uses[c as usize] += 1;
            }
        }
        for &root in &self.roots {
            state.uses[root as usize] += 1;
        }
        for ((choice, &tree), &uses) in state.choice.iter_mut().zip(trees).zip(&state.uses) {
            if uses == 0 {
                *choice = tree;
            }
        }
        for _ in 0..ROUNDS {
            let mut improved = false;
            for class in (0..self.classes.len() as u32).filter(|&c| self.choices[c as usize].len() > 1) {
                for alternative in 0..self.choices[class as usize].len() as u32 {
                    improved |= state.try_exchange(class, alternative);
                }
            }
            if !improved {
                break;
            }
        }
        let total = self.total(&state.choice);
        (state.choice, total)
    }
}

/// How often all classes are reconsidered.
const ROUNDS: usize = 3;

struct State<'p, 'g> {
    problem: &'p Problem<'g>,
    choice: Vec<u32>,
    trees: &'p [u32],
    /// How many chosen nodes in use, and roots, use a class.
    uses: Vec<u32>,
    mark: Vec<u32>,
    stamp: u32,
}

impl State<'_, '_> {
    fn try_exchange(&mut self, class: u32, alternative: u32) -> bool {
        let current = self.choice[class as usize];
        if self.uses[class as usize] == 0 || current == alternative || self.reaches(class, alternative) {
            return false;
        }
        let choices = &self.problem.choices[class as usize];
        let (old, new) = (&choices[current as usize], &choices[alternative as usize]);
        let mut gained = new.cost;
        let mut freed = old.cost;
        for &c in &new.children {
            gained = gained.saturating_add(self.acquire(c));
        }
        let mut dropped = Vec::new();
        for &c in &old.children {
            freed = freed.saturating_add(self.release(c, &mut dropped));
        }
        if gained < freed {
            self.choice[class as usize] = alternative;
            for c in dropped {
                if self.uses[c as usize] == 0 {
                    self.choice[c as usize] = self.trees[c as usize];
                }
            }
            return true;
        }
        for &c in &old.children {
            self.acquire(c);
        }
        for &c in &new.children {
            self.release(c, &mut Vec::new());
        }
        false
    }

    /// One more use of a class; the cost of what that brings into use.
    fn acquire(&mut self, class: u32) -> u64 {
        let mut cost = 0u64;
        let mut stack = vec![class];
        while let Some(c) = stack.pop() {
            self.uses[c as usize] += 1;
            if self.uses[c as usize] == 1 {
                let chosen = self.problem.chosen(&self.choice, c);
                cost = cost.saturating_add(chosen.cost);
                stack.extend_from_slice(&chosen.children);
            }
        }
        cost
    }

    /// One use of a class less; the cost of what that takes out of use.
    fn release(&mut self, class: u32, dropped: &mut Vec<u32>) -> u64 {
        let mut cost = 0u64;
        let mut stack = vec![class];
        while let Some(c) = stack.pop() {
            self.uses[c as usize] -= 1;
            if self.uses[c as usize] == 0 {
                dropped.push(c);
                let chosen = self.problem.chosen(&self.choice, c);
                cost = cost.saturating_add(chosen.cost);
                stack.extend_from_slice(&chosen.children);
            }
        }
        cost
    }

    /// Whether a choice for a class would need the class itself.
    fn reaches(&mut self, class: u32, alternative: u32) -> bool {
        self.stamp += 1;
        let mut stack: Vec<u32> =
            self.problem.choices[class as usize][alternative as usize].children.to_vec();
        while let Some(c) = stack.pop() {
            if c == class {
                return true;
            }
            if std::mem::replace(&mut self.mark[c as usize], self.stamp) != self.stamp {
                stack.extend_from_slice(&self.problem.chosen(&self.choice, c).children);
            }
        }
        false
    }
}

/// The cost of different nodes.
pub(super) fn total(graph: &Graph<'_>, nodes: &[(Id, Node)]) -> u64 {
    let mut seen = FxHashSet::default();
    let unseen = nodes.iter().filter(|(_, node)| seen.insert(node));
    unseen.map(|(id, node)| price(graph, *id, node)).fold(0, u64::saturating_add)
}

/// The cost of a node.
fn price(graph: &Graph<'_>, class: Id, node: &Node) -> u64 {
    let pool = &graph.analysis.pool;
    let kind = match node.head {
        Head::Op(kind) => kind,
        Head::Const(_) => return 1,
        _ => return 0,
    };
    let (operands, attrs) = split(graph, kind, &node.children);
    let operands: SmallVec<[_; 4]> =
        operands.iter().filter_map(|&c| pool.type_of(graph.fact(c).ty).cloned()).collect();
    cost(&Target::CPU, &pool.op(kind, attrs), &operands, pool.types_of(graph.fact(class).ty))
}
