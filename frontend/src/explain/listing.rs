//! Lines of a program: inputs, instructions with those of their regions, results.

use super::{Tag, numbers::Numbers, tag_of};
use std::collections::BTreeMap;
use std::path::Path;
use wengert_ir::array::Literal;
use wengert_ir::entity::Entity;
use wengert_ir::func::{Func, FuncId, Inst, Loc, Module, Value};
use wengert_ir::op::{Attr, Kind, Op};
use wengert_ir::types::FloatMode;
use wengert_passes::cost_report::{self, CostReport};
use wengert_passes::egraph::Became;

/// More lines than this are not shown: a region that is used often is listed at every use.
pub(super) const MAX_LINES: usize = 20_000;

/// A program to list.
pub(super) struct Side<'a> {
    /// `b` for before, `a` for after; value names on the page start with it.
    pub(super) name: char,
    pub(super) module: &'a Module,
    pub(super) func: FuncId,
    /// Locations by tag.
    pub(super) sources: &'a [Loc],
    pub(super) steps: &'a BTreeMap<Tag, Became>,
}

/// What a line's expression is on the other side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fate {
    /// There too, or the same operation on what became of its operands.
    Same,
    /// Another operation stands there in its place.
    Rewritten,
    /// Not there: dropped, merged, or part of another; or made by a rule.
    Alone,
}

/// A piece of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// As it is.
    Text(String),
    /// A name of an operation.
    Op(String),
    /// A value: the name on this side that is its own, the name that is shown.
    Value(String, String),
    /// A type.
    Type(String),
}

/// Where a line comes from in the user's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Source {
    /// `file:line`.
    pub(super) text: String,
    /// A link to the file, if it is on this machine.
    pub(super) link: Option<String>,
}

/// One line.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) depth: usize,
    pub(super) parts: Vec<Part>,
    pub(super) family: &'static str,
    /// Whether it is an instruction, not an input or a return.
    pub(super) is_inst: bool,
    pub(super) fate: Fate,
    pub(super) tag: Option<Tag>,
    /// Number of its expression.
    pub(super) number: Option<u32>,
    /// Operation, attributes and result types as text.
    pub(super) operation: String,
    pub(super) costs: CostReport,
    pub(super) source: Option<Source>,
    pub(super) steps: Option<Became>,
}

/// What a mode is called.
pub(super) fn mode(mode: FloatMode) -> &'static str {
    match mode {
        FloatMode::Exact => "exact",
        FloatMode::Default => "default",
        FloatMode::Relaxed => "relaxed",
    }
}

/// The lines of a program, [`MAX_LINES`] at most.
pub(super) fn lines(side: &Side<'_>, numbers: &mut Numbers) -> Vec<Line> {
    let mut walk = Walk { side, numbers, out: Vec::new(), regions: 0 };
    walk.func(side.func, 0);
    walk.out
}

struct Walk<'a, 'b> {
    side: &'a Side<'a>,
    numbers: &'b mut Numbers,
    out: Vec<Line>,
    /// Functions listed so far; each has value names of its own.
    regions: usize,
}

impl Walk<'_, '_> {
    fn func(&mut self, id: FuncId, depth: usize) {
        let scope = self.regions;
        self.regions += 1;
        let func = self.side.module.get(id);
        let name = |v: &Value| Part::Value(format!("{}{scope}.{}", self.side.name, v.index()), v.to_string());
        let ty = |v: Value| Part::Type(func.ty(v).to_string());
        let text = |t: &str| Part::Text(t.to_owned());
        for (k, &p) in func.params.iter().enumerate() {
            let mut parts = vec![name(&p), text(" = "), Part::Op("input".into())];
            if let Some(label) = func.param_names.get(k).filter(|n| !n.is_empty()) {
                parts.push(Part::Text(format!(" {label}")));
            }
            parts.extend([text(" : "), ty(p)]);
            self.out.push(plain(depth, parts));
        }
        let numbers = self.numbers.insts(self.side.module, id, depth);
        for (inst, number) in func.insts.values().zip(numbers) {
            if self.out.len() >= MAX_LINES {
                return;
            }
            let mut parts = Vec::new();
            list(&mut parts, &inst.results, &name);
            if !inst.results.is_empty() {
                parts.push(text(" = "));
            }
            parts.extend([Part::Op(short(&inst.op)), text(" ")]);
            list(&mut parts, &inst.operands, &name);
            let attrs = attributes(&inst.op);
            if !attrs.is_empty() {
                parts.push(Part::Text(format!(" {attrs}")));
            }
            for (k, &r) in inst.results.iter().enumerate() {
                parts.extend([text(if k == 0 { " : " } else { ", " }), ty(r)]);
            }
            let line = self.inst(&func, inst, number, Line { is_inst: true, ..plain(depth, parts) });
            self.out.push(line);
            for callee in inst.op.callees() {
                self.func(callee, depth + 1);
            }
        }
        let mut parts = vec![Part::Op("return".into()), text(" ")];
        list(&mut parts, &func.results, &name);
        self.out.push(plain(depth, parts));
    }

    fn inst(&self, func: &Func, inst: &Inst, number: u32, line: Line) -> Line {
        let tag = tag_of(&inst.loc);
        Line {
            family: family(&inst.op),
            tag,
            number: Some(number),
            operation: operation(&line),
            costs: cost_report::of_inst(self.side.module, func, inst),
            source: tag.and_then(|t| source(&self.side.sources[t])),
            steps: tag.and_then(|t| self.side.steps.get(&t)).cloned(),
            ..line
        }
    }
}

/// A line without its values.
fn operation(line: &Line) -> String {
    let words = line.parts.iter().filter(|p| !matches!(p, Part::Value(..))).map(|p| match p {
        Part::Text(t) | Part::Op(t) | Part::Value(_, t) | Part::Type(t) => t.as_str(),
    });
    words.collect()
}

/// A line that is no instruction.
fn plain(depth: usize, parts: Vec<Part>) -> Line {
    Line {
        depth,
        parts,
        family: "edge",
        is_inst: false,
        fate: Fate::Same,
        tag: None,
        number: None,
        operation: String::new(),
        costs: CostReport::default(),
        source: None,
        steps: None,
    }
}

fn list(parts: &mut Vec<Part>, values: &[Value], name: &impl Fn(&Value) -> Part) {
    for (k, v) in values.iter().enumerate() {
        if k > 0 {
            parts.push(Part::Text(", ".into()));
        }
        parts.push(name(v));
    }
}

/// The operation's name without its dialect; a user's with it.
fn short(op: &Op) -> String {
    match op {
        Op::Composite(c) => c.name.to_string(),
        Op::Foreign(f) => f.name.to_string(),
        op => op.name().rsplit('.').next().unwrap_or_default().to_owned(),
    }
}

/// Attributes that say more than operands and types do.
fn attributes(op: &Op) -> String {
    let attrs = op.attrs();
    let words = attrs.iter().filter_map(|(name, attr)| {
        let text = match attr {
            Attr::Literal(l) => return Some(literal(l)),
            Attr::Type(_)
            | Attr::Types(_)
            | Attr::DType(_)
            | Attr::Func(_)
            | Attr::Funcs(_)
            | Attr::Host(_) => return None,
            Attr::Word("DEFAULT") => return None,
            // The result's type says it, or the number of operands.
            _ if matches!(*name, "shape" | "sizes" | "inputs") => return None,
            Attr::Int(v) => v.to_string(),
            Attr::Bool(v) => v.to_string(),
            Attr::Word(v) => v.rsplit('.').next().unwrap_or_default().to_owned(),
            Attr::Ints(v) if v.is_empty() => return None,
            Attr::Ints(v) => format!("[{}]", v.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")),
            Attr::Text(v) if v.is_empty() => return None,
            Attr::Text(v) => format!("{v:?}"),
        };
        Some(format!("{name}={text}"))
    });
    words.collect::<Vec<_>>().join(" ")
}

fn literal(literal: &Literal) -> String {
    match literal.splat_value() {
        Some(value) => value.to_string(),
        None => "dense<..>".into(),
    }
}

/// The user's line in a location: of calls within calls the innermost.
fn source(loc: &Loc) -> Option<Source> {
    let (file, line) = match loc {
        Loc::Unknown => return None,
        Loc::Rust(l) => (l.file().to_owned(), l.line().to_string()),
        Loc::Text(text) => {
            let (file, line) = wengert_ir::place::line(text)?;
            (file.to_owned(), line.split(':').next()?.to_owned())
        }
    };
    let path = std::path::absolute(Path::new(&file)).ok().filter(|p| p.is_file());
    let link = path.and_then(|p| Some(format!("file://{}", encode(p.to_str()?))));
    Some(Source { text: format!("{file}:{line}"), link })
}

/// A path as it stands in a link.
fn encode(path: &str) -> String {
    let keep = |b: u8| b.is_ascii_alphanumeric() || b"/-_.~".contains(&b);
    path.bytes().map(|b| if keep(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}

/// Which kind of work it is, for its colour.
fn family(op: &Op) -> &'static str {
    match op.kind() {
        Kind::Source => "constant",
        Kind::Elementwise => "elementwise",
        Kind::Movement | Kind::Update => "moving",
        Kind::Contraction | Kind::Reduction => "contracting",
        Kind::Call | Kind::Control | Kind::Mark | Kind::Opaque => "control",
        Kind::Library => "library",
    }
}

/// Text of a line without marks, for searching.
pub(super) fn text(line: &Line) -> String {
    let mut out = String::new();
    for part in &line.parts {
        match part {
            Part::Text(t) | Part::Op(t) | Part::Value(_, t) | Part::Type(t) => out.push_str(t),
        }
    }
    out
}
