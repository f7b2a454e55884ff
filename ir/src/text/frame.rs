//! What is known while a text is read: functions under construction, symbols, instructions that wait for their names.

use super::error::ParseError;
use crate::entity::Entity;
use crate::func::{Func, FuncKind, InstId, Value, Values};
use crate::interface::Attributes;
use crate::op::{Op, OptimizationBarrier};
use crate::sharding::Mesh;
use crate::types::Type;
use smallvec::SmallVec;
use std::collections::HashMap;

/// What every parsing method returns.
pub(super) type Res<T> = Result<T, ParseError>;

/// A mesh with a name, and its text.
pub(super) struct NamedMesh {
    pub(super) mesh: Mesh,
    pub(super) text: String,
}

/// What stands after the colon of an instruction.
pub(super) enum Signature {
    /// `(T, U) -> V`.
    Function(Vec<Type>, Vec<Type>),
    /// `T, U`.
    Bare(Vec<Type>),
    /// `T, U -> V`, as CHLO writes it.
    Arrow(Vec<Type>, Vec<Type>),
}

/// A use of a value and where it stands.
pub(super) type Use = (Value, usize);
/// `%name#k`.
pub(super) type Name<'s> = (&'s str, u32);
/// The operands of an instruction.
pub(super) type Uses = SmallVec<[Use; 4]>;

/// How a value or a type is built of tuples.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// Anything else.
    Leaf,
    /// A tuple.
    Tuple(Vec<Shape>),
}

impl Shape {
    /// How many values it holds.
    pub(super) fn len(&self) -> usize {
        match self {
            Shape::Leaf => 1,
            Shape::Tuple(parts) => parts.iter().map(Shape::len).sum(),
        }
    }
}

/// Values of a tuple and how they are built.
pub(super) type TupleValues = (Uses, Shape);

/// A function under construction with the names that are visible in it.
pub(super) struct Frame<'s> {
    pub(super) func: Func,
    /// `%name#k` to value.
    pub(super) names: HashMap<(&'s str, u32), Value>,
    /// Of a region: the parameter that stands for a value of the enclosing frame.
    pub(super) outer: HashMap<Value, Value>,
    /// `%name#k` to the values of a tuple.
    pub(super) tuples: HashMap<(&'s str, u32), (Vec<Value>, Shape)>,
    /// Instructions whose types can only be checked when all functions are known, and where they stand.
    pub(super) deferred: Vec<(InstId, usize)>,
}

impl Frame<'_> {
    pub(super) fn new(name: &str, kind: FuncKind) -> Self {
        let func = Func::new(name, kind);
        Self {
            func,
            names: HashMap::new(),
            outer: HashMap::new(),
            tuples: HashMap::new(),
            deferred: Vec::new(),
        }
    }
}

/// What the text says about a function so far. Its id is that of [`Parser::module`] while parsing.
#[derive(Clone, Default)]
pub(super) struct Symbol {
    /// Whether `func.func` was seen; a place in the text.
    pub(super) defined: Option<usize>,
    /// Whether it has a body.
    pub(super) has_body: bool,
    /// First use in the text.
    pub(super) used: usize,
    /// The composite operation that it is the body of; a place in the text.
    pub(super) body_of: Option<usize>,
    /// Whether a composite operation of ours named it as its decomposition.
    pub(super) decomposition: bool,
}

/// An instruction that waits for its location and its names.
pub(super) struct Instr {
    pub(super) op: Op,
    pub(super) operands: Values,
    pub(super) results: Vec<Type>,
    /// Whether its types are checked at the end, because it refers to functions by symbol.
    pub(super) deferred: bool,
    /// There is no instruction: the results are these values.
    pub(super) given: Option<Values>,
}

impl Instr {
    /// No instruction, but values.
    pub(super) fn given(values: Values) -> Self {
        let op = OptimizationBarrier { region: 0 }.into();
        Self { op, operands: Values::new(), results: Vec::new(), deferred: false, given: Some(values) }
    }

    pub(super) fn new(op: impl Into<Op>, operands: &Uses, results: Vec<Type>) -> Self {
        let operands = operands.iter().map(|u| u.0).collect();
        Self { op: op.into(), operands, results, deferred: false, given: None }
    }
}

/// Where a function stands, and the attributes of its parameters and of its results.
pub(super) type Said = (usize, Vec<Attributes>, Vec<Attributes>);

impl<'s> Frame<'s> {
    /// Appends the instructions of a function of the same module, of which some are to be checked later, and gives its results.
    pub(super) fn inline(
        &mut self,
        func: &Func,
        deferred: Vec<(InstId, usize)>,
        args: &[Value],
    ) -> Vec<Value> {
        let first = self.func.insts.len();
        let moved = |(inst, at): (InstId, usize)| (InstId::from_index(first + inst.index()), at);
        self.deferred.extend(deferred.into_iter().map(moved));
        self.func.inline(func, args)
    }

    /// The finished parts: the function, its captures, and what is to be checked later.
    #[allow(clippy::type_complexity, reason = "taken apart at once by the two callers")]
    pub(super) fn finish(self) -> (Func, HashMap<Value, Value>, Vec<(InstId, usize)>) {
        (self.func, self.outer, self.deferred)
    }
}
