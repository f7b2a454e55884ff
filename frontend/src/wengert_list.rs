//! The Wengert list: a straight-line program, a numbered line for each value (Wengert, *A Simple Automatic Derivative Evaluation
//! Program*, CACM 1964).

use crate::tensor::Tensor;
use std::fmt;
use std::path::Path;
use wengert_ir::array::Literal;
use wengert_ir::entity::Entity;
use wengert_ir::func::{Func, Inst, Loc, Value};
use wengert_ir::op::Op;

/// Elements of a value that are shown.
const SHOWN: usize = 6;

/// A function as a Wengert list; see [`Tape::list`](crate::tape::Tape::list). Its `Display` is the text.
#[derive(Clone)]
pub struct WengertList<'a> {
    func: &'a Func,
    /// How many of the parameters are captured.
    captures: usize,
    /// By number of the value.
    recorded: &'a [Option<Tensor>],
    shows_values: bool,
    shows_lines: bool,
}

impl<'a> WengertList<'a> {
    pub(crate) fn new(func: &'a Func, captures: usize, recorded: &'a [Option<Tensor>]) -> Self {
        Self { func, captures, recorded, shows_values: false, shows_lines: false }
    }

    /// With the values that were recorded, of large tensors the first elements.
    pub fn values(self) -> Self {
        Self { shows_values: true, ..self }
    }

    /// With the line of the user's that each instruction comes from.
    pub fn lines(self) -> Self {
        Self { shows_lines: true, ..self }
    }

    fn value(&self, v: Value, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.recorded.get(v.index()).and_then(Option::as_ref) {
            Some(t) if self.shows_values => write!(f, " = {}", short(t)),
            Some(_) | None => Ok(()),
        }
    }

    fn line(&self, inst: &Inst, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match place(&inst.loc) {
            Some(place) if self.shows_lines => write!(f, "  at {place}"),
            Some(_) | None => Ok(()),
        }
    }
}

/// `v3`.
fn name(v: &Value) -> String {
    format!("v{}", v.index())
}

fn names(vs: &[Value]) -> String {
    vs.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// `src/main.rs:10:5`; of files elsewhere on the machine the name only.
pub(crate) fn place(loc: &Loc) -> Option<String> {
    match loc {
        Loc::Unknown => None,
        Loc::Rust(l) => Some(format!("{}:{}:{}", relative(l.file()), l.line(), l.column())),
        Loc::Text(text) => Some(text.replace('"', "")),
    }
}

/// A file as it may be shown to others: relative to a project, or its name.
pub(crate) fn relative(file: &str) -> &str {
    let path = Path::new(file);
    match path.file_name().and_then(|name| name.to_str()) {
        Some(name) if path.is_absolute() => name,
        Some(_) | None => file,
    }
}

/// The first elements.
pub(crate) fn short(t: &Tensor) -> String {
    let Some(array) = t.array() else { return t.to_string() };
    let size = array.dtype().size();
    let element = |bytes: &[u8]| wengert_ir::ops::check::element(array.dtype(), bytes);
    let mut shown: Vec<String> = array.bytes().chunks_exact(size).take(SHOWN).map(element).collect();
    if array.ty().rank() == 0 {
        return shown.swap_remove(0);
    }
    if array.ty().elements() > SHOWN {
        shown.push("...".into());
    }
    format!("[{}]", shown.join(", "))
}

/// A constant: one number if all elements are that.
fn literal(literal: &Literal) -> String {
    match literal.as_splat() {
        Some(element) => wengert_ir::ops::check::element(literal.ty().dtype, element),
        None => short(&Tensor::from_array(literal.to_array())),
    }
}

/// The operation with the words without which the line says little.
fn operation(op: &Op) -> String {
    let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    if let Op::Compare(compare) = op {
        return format!("{} {}", last(op.name()), compare.direction.name());
    }
    if let Op::Check(check) = op {
        return last(check.kind.name());
    }
    last(op.name())
}

impl fmt::Display for WengertList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let func = self.func;
        for (k, p) in func.params.iter().enumerate() {
            let label = func.param_names.get(k).map_or("", |n| n);
            let what = if k < self.captures { "captured" } else { "input" };
            let label = if k < self.captures || label.is_empty() { "" } else { &format!(" {label}") };
            write!(f, "{} = {what}{label} : {}", name(p), func.ty(*p))?;
            self.value(*p, f)?;
            writeln!(f)?;
        }
        for inst in func.insts.values() {
            let op = operation(&inst.op);
            if let (Op::Check(_), &[value, expected]) = (&inst.op, &inst.operands[..])
                && let Some(read) = func.constant(expected)
            {
                write!(f, "{op} {} == {}", name(&value), literal(read))?;
                self.line(inst, f)?;
                writeln!(f)?;
                continue;
            }
            let types: Vec<String> = inst.results.iter().map(|&r| func.ty(r).to_string()).collect();
            let constant = inst.results.first().and_then(|&r| func.constant(r));
            let operands = constant.map_or_else(|| names(&inst.operands), literal);
            if !inst.results.is_empty() {
                write!(f, "{} = ", names(&inst.results))?;
            }
            write!(f, "{op}")?;
            if !operands.is_empty() {
                write!(f, " {operands}")?;
            }
            if !types.is_empty() {
                write!(f, " : {}", types.join(", "))?;
            }
            if let ([one], None) = (&inst.results[..], constant) {
                self.value(*one, f)?;
            }
            self.line(inst, f)?;
            writeln!(f)?;
        }
        writeln!(f, "output {}", names(&func.results))
    }
}
