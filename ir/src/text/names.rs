//! Names of values, given out in the order in which MLIR's printer gives them.
//!
//! Results are numbered through a function; constants are `%cst` or `%c`, arguments of functions and
//! blocks `%arg0`, what a `while` carries `%iterArg`, a repeated word gets a number. A region goes on
//! from where the enclosing function ends, so sibling regions use the same names.

use crate::entity::EntityVec;
use crate::func::{Func, Value};
use crate::op::Op;
use crate::types::DType;
use std::fmt;

/// Names that are words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word {
    Cst,
    C,
    IterArg,
    Values,
    Indices,
    OutputState,
    Output,
}

/// The name of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Name {
    /// Not given yet; shown only for a function that is not valid.
    None,
    Result(u32),
    /// One of several results.
    Part(u32, u32),
    Arg(u32),
    Word(Word),
    WordN(Word, u32),
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Name::None => f.write_str("%?"),
            Name::Result(n) => write!(f, "%{n}"),
            Name::Part(n, k) => write!(f, "%{n}#{k}"),
            Name::Arg(n) => write!(f, "%arg{n}"),
            Name::Word(w) => write!(f, "%{}", w.text()),
            Name::WordN(w, n) => write!(f, "%{}_{n}", w.text()),
        }
    }
}

impl Word {
    fn text(self) -> &'static str {
        match self {
            Word::Cst => "cst",
            Word::C => "c",
            Word::IterArg => "iterArg",
            Word::Values => "values",
            Word::Indices => "indices",
            Word::OutputState => "output_state",
            Word::Output => "output",
        }
    }

    /// The word for a constant of this element type.
    fn constant(dtype: DType) -> Word {
        if dtype.is_inexact() { Word::Cst } else { Word::C }
    }
}

/// Which names come next.
#[derive(Clone, Copy, Default)]
pub(super) struct Counters {
    results: u32,
    args: u32,
    conflicts: u32,
    used: [bool; 7],
}

impl Counters {
    pub(super) fn arg(&mut self) -> Name {
        self.args += 1;
        Name::Arg(self.args - 1)
    }

    pub(super) fn result(&mut self) -> Name {
        self.results += 1;
        Name::Result(self.results - 1)
    }

    pub(super) fn word(&mut self, word: Word) -> Name {
        if std::mem::replace(&mut self.used[word as usize], true) {
            self.conflicts += 1;
            Name::WordN(word, self.conflicts - 1)
        } else {
            Name::Word(word)
        }
    }
}

/// What the values of a function are called in its text.
pub fn value_names(func: &Func) -> EntityVec<Value, String> {
    let mut counters = Counters::default();
    let params: Vec<Name> = func.params.iter().map(|_| counters.arg()).collect();
    let scope = Scope::new(func, &params, counters, 0);
    func.values.keys().map(|v| scope.name(v).to_string()).collect()
}

/// What a function ends with; regions end with what their dialect has for it.
const FUNCTION_END: &str = "return";

/// A function or region being printed: its names, and those that its regions start from.
pub(super) struct Scope<'m> {
    pub(super) func: &'m Func,
    names: EntityVec<Value, Name>,
    pub(super) counters: Counters,
    /// Columns that its instructions are indented by.
    pub(super) indent: usize,
    /// The operation that it ends with.
    pub(super) end: &'static str,
}

impl<'m> Scope<'m> {
    /// Whether the printer's default dialect is not that of functions.
    pub(super) fn is_region(&self) -> bool {
        self.end != FUNCTION_END
    }

    /// Names for a function whose parameters are called `params`.
    pub(super) fn new(func: &'m Func, params: &[Name], counters: Counters, indent: usize) -> Self {
        let mut names = EntityVec::filled(Name::None, func.values.len());
        for (&p, &name) in func.params.iter().zip(params) {
            names[p] = name;
        }
        let mut scope = Scope { func, names, counters, indent, end: FUNCTION_END };
        for inst in func.insts.values() {
            match (&inst.op, &inst.results[..]) {
                (Op::Constant(c), [r]) => {
                    scope.names[*r] = scope.counters.word(Word::constant(c.value.ty().dtype));
                }
                (Op::Zero(z), [r]) if z.ty.is_static() => {
                    scope.names[*r] = scope.counters.word(Word::constant(z.ty.dtype));
                }
                (Op::TopK(_), [a, b]) => {
                    scope.names[*a] = scope.counters.word(Word::Values);
                    scope.names[*b] = scope.counters.word(Word::Indices);
                }
                (Op::RngBitGenerator(_), [a, b]) => {
                    scope.names[*a] = scope.counters.word(Word::OutputState);
                    scope.names[*b] = scope.counters.word(Word::Output);
                }
                (_, [r]) => scope.names[*r] = scope.counters.result(),
                (_, []) => {}
                (_, many) => {
                    let n = scope.counters.results;
                    scope.counters.results += 1;
                    for (k, &r) in (0u32..).zip(many) {
                        scope.names[r] = Name::Part(n, k);
                    }
                }
            }
        }
        scope
    }

    /// The name of a value.
    pub(super) fn name(&self, value: Value) -> Name {
        self.names.get(value).copied().unwrap_or(Name::None)
    }
}
