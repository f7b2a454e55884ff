//! Formulas as data: what a function of the math library does, as a list of operations that a back end reads.
//!
//! The list is what the function does to a lane that writes down (`record`), so it rounds where every other lane does; equal
//! operations are one, and what nobody reads is not in it. [`Means`] says what a reader has.

mod record;

use super::{MathFn, MathFn2};
use crate::entity::{EntityVec, entity};
use smallvec::{SmallVec, smallvec};

/// What is a formula.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Function {
    /// Of one number.
    One(MathFn),
    /// Of two numbers.
    Two(MathFn2),
    /// The number after one, towards another.
    NextAfter,
}

/// What a reader of formulas has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Means {
    /// What becomes of parts for rare arguments.
    pub rare: Rare,
    /// Whether every NaN is made the one without payload. Where nobody asks for payloads they may be the machine's.
    pub canonical: bool,
    /// Whether [`Op::AtMost`], [`Op::AtLeast`] and [`Op::Scale`] are operations of its own.
    pub clamps: bool,
    /// Whether [`Op::Count`] is; without, its trips are written out.
    pub counts: bool,
    /// Whether [`IntOp::MulHigh`] is.
    pub mul_high: bool,
}

/// What [`Lane::rarely`](super::lane::Lane::rarely) becomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rare {
    /// [`Op::Rarely`].
    Branch,
    /// The [mark](super::lane::MARK) where the condition holds, which is [`Formula::rare`].
    Mark,
    /// Nothing: what is common everywhere; the condition is [`Formula::rare`].
    Omit,
}

entity! {
    /// An operation of a formula, and its result.
    Node, "n"
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// A number of the formula's format.
    Float,
    /// An integer as wide.
    Int,
    /// A truth value.
    Mask,
}

/// FloatOp on two floats, rounded once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
}

/// An operation on two integers, as [`Int`](super::lane::Int) has them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the methods of `Int` say it")]
pub enum IntOp {
    Add,
    Sub,
    Mul,
    MulHigh,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Sar,
}

/// A comparison.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Comparison {
    /// Less, of floats; false on NaN.
    Less,
    /// Equal, of integers.
    Equal,
    /// Less, of unsigned integers.
    Below,
}

/// An operation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// What the formula, or a block of it, is given.
    Param,
    /// The float, or the integer, of these bits.
    Const(u64),
    /// Negation.
    Neg(Node),
    /// The root.
    Sqrt(Node),
    /// On two floats.
    Float(FloatOp, [Node; 2]),
    /// The first times the second plus the third, rounded once.
    Fma([Node; 3]),
    /// On two integers.
    Int(IntOp, [Node; 2]),
    /// A truth value.
    Compare(Comparison, [Node; 2]),
    /// Both of two truth values.
    Both([Node; 2]),
    /// The second where the first holds, the third where it does not.
    Select([Node; 3]),
    /// The bits of a float as an integer, or the float of an integer's.
    Cast(Node),
    /// The smaller of a number and a constant, the second; NaN stays.
    AtMost([Node; 2]),
    /// The larger of a number and a constant, the second; NaN stays.
    AtLeast([Node; 2]),
    /// The first times two to the second, an integer; rounded once.
    Scale([Node; 2]),
    /// What the block gives where the mask holds; otherwise what is common.
    Rarely {
        /// Where it holds.
        mask: Node,
        /// What is common.
        common: Node,
        /// Without parameters, with one result.
        rare: Box<Block>,
    },
    /// What two numbers become by a block for each `k`, a float, from `most` down to 1; its result is the first of them.
    Count {
        /// At most 7.
        most: u32,
        /// Before the first trip.
        init: [Node; 2],
        /// Takes `k` and the numbers, gives the next ones.
        step: Box<Block>,
    },
    /// The second result of an [`Op::Count`].
    Second(Node),
}

impl Op {
    /// What an operation reads, but for what its blocks do.
    fn operands(&self) -> SmallVec<[Node; 3]> {
        match self {
            Op::Param | Op::Const(_) => smallvec![],
            Op::Neg(x) | Op::Sqrt(x) | Op::Cast(x) | Op::Second(x) => smallvec![*x],
            Op::Float(_, x) | Op::Int(_, x) | Op::Compare(_, x) | Op::Both(x) => SmallVec::from_slice(x),
            Op::AtMost(x) | Op::AtLeast(x) | Op::Scale(x) => SmallVec::from_slice(x),
            Op::Count { init, .. } => SmallVec::from_slice(init),
            Op::Fma(x) | Op::Select(x) => SmallVec::from_slice(x),
            Op::Rarely { mask, common, .. } => smallvec![*mask, *common],
        }
    }
}

/// Nodes in order.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Block {
    /// What it is given.
    pub params: SmallVec<[Node; 3]>,
    /// What it does.
    pub nodes: Vec<Node>,
    /// What it gives.
    pub results: SmallVec<[Node; 2]>,
}

/// A formula of numbers of one format.
#[derive(Clone, Debug)]
pub struct Formula {
    /// Operations, and what their results are.
    pub nodes: EntityVec<Node, (Op, Type)>,
    /// One or two parameters, one result.
    pub body: Block,
    /// Where the result is not that of the function ([`Rare::Mark`], [`Rare::Omit`]).
    pub rare: Option<Node>,
}

impl Formula {
    /// The formula of a function, of `f64` or of `f32`.
    pub fn of(f: Function, double: bool, means: Means) -> Formula {
        if double { record::formula::<8>(f, means) } else { record::formula::<4>(f, means) }
    }
}
