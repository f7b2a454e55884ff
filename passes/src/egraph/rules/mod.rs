//! The rules: one aligned table per family.
//!
//! No rule leads towards worse code on its own, and there is none for associativity: it makes e-graphs
//! large and results no better. Cost decides between the forms that rules make.

mod algebra;
mod broadcast;
mod dot;
mod reduce;
mod select;
mod shape;
mod zero;

use super::language::{Head, Kind};
use super::pattern::{Keeps, Row, Rule};
use std::sync::OnceLock;
use wengert_ir::op::{BinaryOp, UnaryOp};
use wengert_ir::types::FloatMode;

/// Rows from tuples: name, left side, right side, conditions, what it keeps.
macro_rules! rows {
    ($(($name:literal, $from:literal, $to:literal, $when:literal, $keeps:ident)),* $(,)?) => {
        &[$(Row { name: $name, from: $from, to: $to, when: $when, keeps: $crate::egraph::pattern::Keeps::$keeps }),*]
    };
}
use rows;

/// Every family, by name.
pub const FAMILIES: &[(&str, &[Row])] = &[
    ("algebra", algebra::ROWS),
    ("select", select::ROWS),
    ("shape", shape::ROWS),
    ("broadcast", broadcast::ROWS),
    ("reduce", reduce::ROWS),
    ("dot", dot::ROWS),
    ("zero", zero::ROWS),
];

/// Rules compiled and indexed by the operation they start from.
pub(super) struct Rules {
    /// In the order of the tables.
    pub(super) rules: Vec<Rule>,
    by_root: Vec<Vec<u32>>,
    /// How many classes below its root the deepest rule looks.
    pub(super) depth: usize,
}

impl Rules {
    /// Compiles rows. Panics if one is malformed: they are ours, and a test compiles them all.
    pub(super) fn new<'a>(rows: impl Iterator<Item = &'a Row>) -> Rules {
        let rules: Vec<Rule> =
            rows.map(|row| Rule::compile(row).unwrap_or_else(|e| panic!("rule {e}"))).collect();
        let mut by_root = vec![Vec::new(); COUNT];
        for kind in kinds() {
            let starts = (0u32..).zip(&rules).filter(|(_, r)| r.starts_at(kind));
            by_root[index(kind)] = starts.map(|(k, _)| k).collect();
        }
        let depth = rules.iter().map(Rule::depth).max().unwrap_or(0);
        Rules { rules, by_root, depth }
    }

    /// Those a float mode allows; built once per process.
    pub(super) fn of(mode: FloatMode) -> &'static Rules {
        static RULES: [OnceLock<Rules>; 3] = [const { OnceLock::new() }; 3];
        let (slot, keeps) = match mode {
            FloatMode::Exact => (0, Keeps::Exact),
            FloatMode::Default => (1, Keeps::Default),
            FloatMode::Relaxed => (2, Keeps::Relaxed),
        };
        RULES[slot].get_or_init(|| Rules::new(all().filter(|r| r.keeps <= keeps)))
    }

    /// The rules that may start from an operation, as indices.
    pub(super) fn from(&self, head: Head) -> &[u32] {
        match head {
            Head::Op(kind) => &self.by_root[index(kind)],
            _ => &[],
        }
    }
}

/// Every rule there is.
pub fn all() -> impl Iterator<Item = &'static Row> {
    FAMILIES.iter().flat_map(|(_, rows)| rows.iter())
}

const UNARY: usize = UnaryOp::ALL.len();
const BINARY: usize = BinaryOp::ALL.len();
const COUNT: usize = UNARY + BINARY + Kind::STRUCTURED.len();

fn kinds() -> impl Iterator<Item = Kind> {
    let unary = UnaryOp::ALL.iter().map(|&op| Kind::Unary(op));
    let binary = BinaryOp::ALL.iter().map(|&op| Kind::Binary(op));
    unary.chain(binary).chain(Kind::STRUCTURED.iter().copied())
}

fn index(kind: Kind) -> usize {
    match kind {
        Kind::Unary(op) => op as usize,
        Kind::Binary(op) => UNARY + op as usize,
        _ => UNARY + BINARY + kind.structured_number(),
    }
}
