//! The language of the e-graph: a [`Node`] is a head and children.
//!
//! Children of an operation are its operands, then, if the operation has attributes, one leaf that
//! holds all of them. So a pattern variable may stand for attributes, and a rule is one row of text:
//! `(transpose (transpose ?x ?p) ?q)` becomes `(transpose ?x (compose ?p ?q))`. An operation with one
//! result is its value; of any other, values are projections. What is computed elsewhere is a leaf.
//!
//! Heads are small numbers, so matching compares integers. Operands of commutative operations are kept
//! sorted, which makes `a + b` and `b + a` one node without a rule; patterns are matched in both orders.

use egg::{FromOp, Id, Language, Symbol};
use smallvec::SmallVec;
use std::fmt;
use wengert_ir::op::{BinaryOp, Op, UnaryOp};

macro_rules! whole {
    ($kind:ident) => {
        Some(wengert_ir::op::$kind {}.into())
    };
    ($kind:ident $($field:ident)+) => {
        None
    };
}

macro_rules! kinds {
    (Constant $leaf:literal { $($of_leaf:ident)* } $($kind:ident $name:literal { $($field:ident)* })+) => {
        /// An operation without its attributes.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Kind {
            /// Of one operand, element by element.
            Unary(UnaryOp),
            /// The same of two.
            Binary(BinaryOp),
            $(#[doc = $name] $kind),+
        }

        impl Kind {
            /// The kinds that are not families.
            pub const STRUCTURED: &'static [Kind] = &[$(Kind::$kind),+];

            /// The kind of an operation; `None` for a constant, which is a leaf.
            pub(super) fn of(op: &Op) -> Option<Kind> {
                match op {
                    Op::Constant(_) => None,
                    Op::Unary(op) => Some(Kind::Unary(*op)),
                    Op::Binary(op) => Some(Kind::Binary(*op)),
                    $(Op::$kind(_) => Some(Kind::$kind)),+
                }
            }

            /// Whether the last child holds attributes.
            pub fn has_attrs(self) -> bool {
                match self { Kind::Unary(_) | Kind::Binary(_) => false, $(Kind::$kind => !<[&str]>::is_empty(&[$(stringify!($field)),*])),+ }
            }

            /// The whole operation, if it has no attributes.
            pub(super) fn whole(self) -> Option<Op> {
                match self {
                    Kind::Unary(op) => Some(op.into()),
                    Kind::Binary(op) => Some(op.into()),
                    $(Kind::$kind => whole!($kind $($field)*)),+
                }
            }

            /// The name without its dialect.
            pub(super) fn name(self) -> &'static str {
                let full = match self { Kind::Unary(op) => op.name(), Kind::Binary(op) => op.name(), $(Kind::$kind => $name),+ };
                full.split_once('.').map_or(full, |(_, name)| name)
            }

            /// The kind of this name without its dialect.
            pub fn parse(name: &str) -> Option<Kind> {
                UnaryOp::ALL.iter().map(|&op| Kind::Unary(op))
                    .chain(BinaryOp::ALL.iter().map(|&op| Kind::Binary(op)))
                    .chain(Kind::STRUCTURED.iter().copied())
                    .find(|kind| kind.name() == name)
            }
        }
    };
}

wengert_ir::structured_ops!(kinds);

impl Kind {
    /// The place in [`Kind::STRUCTURED`].
    pub(super) fn structured_number(self) -> usize {
        Kind::STRUCTURED.iter().position(|&k| k == self).expect("not a family")
    }

    /// Whether swapping the two operands keeps every bit (NaN payloads apart).
    pub(super) fn commutes(self) -> bool {
        use BinaryOp::*;
        matches!(self, Kind::Binary(Add | Multiply | Maximum | Minimum | And | Or | Xor))
    }

    /// Whether an element of the result depends only on the operands' elements in the same place.
    pub(super) fn is_elementwise(self) -> bool {
        use Kind::*;
        matches!(self, Unary(_) | Binary(_) | Compare | Select | Clamp | Fma | Convert | ReducePrecision)
    }
}

/// What a node is, without its children.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Head {
    /// An operation.
    Op(Kind),
    /// Attributes, by their number in the [`super::pool::Pool`].
    Attrs(u32),
    /// A literal, by its number in the pool.
    Const(u32),
    /// A value of the function that is computed elsewhere.
    Value(u32),
    /// A result of an operation with several.
    Project(u32),
    /// In patterns: any elementwise operation of one operand; the right side means the one that matched.
    AnyUnary,
    /// In patterns: the same with two operands.
    AnyBinary,
    /// In patterns: a splat of this number. [`Head::NEGATIVE_ZERO`] stands for -0.0.
    Number(i8),
    /// In right sides: a function of attributes and constants, computed when the rule applies.
    Function(Symbol),
}

impl Head {
    /// The [`Head::Number`] that means -0.0.
    pub const NEGATIVE_ZERO: i8 = i8::MIN;

    fn commutes(self) -> bool {
        match self {
            Head::Op(kind) => kind.commutes(),
            _ => false,
        }
    }
}

/// A node of the e-graph.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Node {
    /// What it is.
    pub head: Head,
    /// Operands, then the attributes.
    pub children: SmallVec<[Id; 4]>,
    /// Whether operands stay in the order given even if the operation commutes. Explanations need it:
    /// egg pairs up the children of congruent nodes.
    pub ordered: bool,
}

impl Node {
    /// A node; sorts the operands of a commutative operation unless `ordered`.
    pub(super) fn new(head: Head, children: SmallVec<[Id; 4]>, ordered: bool) -> Node {
        let mut node = Node { head, children, ordered };
        node.sort();
        node
    }

    /// A node without children.
    pub(super) fn leaf(head: Head, ordered: bool) -> Node {
        Node { head, children: SmallVec::new(), ordered }
    }

    fn sort(&mut self) {
        if !self.ordered
            && self.children.len() == 2
            && self.head.commutes()
            && self.children[0] > self.children[1]
        {
            self.children.swap(0, 1);
        }
    }
}

impl Language for Node {
    type Discriminant = Head;

    fn discriminant(&self) -> Head {
        self.head
    }
    fn matches(&self, other: &Self) -> bool {
        self.head == other.head && self.children.len() == other.children.len()
    }
    fn children(&self) -> &[Id] {
        &self.children
    }
    fn children_mut(&mut self) -> &mut [Id] {
        &mut self.children
    }
    fn is_leaf(&self) -> bool {
        self.children.is_empty()
    }
    fn len(&self) -> usize {
        self.children.len()
    }
    fn update_children<F: FnMut(Id) -> Id>(&mut self, mut f: F) {
        self.children.iter_mut().for_each(|id| *id = f(*id));
        self.sort();
    }
}

impl FromOp for Node {
    type Error = String;

    fn from_op(op: &str, children: Vec<Id>) -> Result<Self, String> {
        let head = match op {
            "unary" => Head::AnyUnary,
            "binary" => Head::AnyBinary,
            "-0" => Head::Number(Head::NEGATIVE_ZERO),
            _ => {
                if let Ok(number) = op.parse::<i8>() {
                    Head::Number(number)
                } else if let Some(kind) = Kind::parse(op) {
                    Head::Op(kind)
                } else {
                    Head::Function(op.into())
                }
            }
        };
        // In a pattern the order is the text's.
        Ok(Node { head, children: children.into(), ordered: true })
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.head {
            Head::Op(kind) => f.write_str(kind.name()),
            Head::Attrs(k) => write!(f, "attrs{k}"),
            Head::Const(k) => write!(f, "const{k}"),
            Head::Value(k) => write!(f, "%{k}"),
            Head::Project(k) => write!(f, "result{k}"),
            Head::AnyUnary => f.write_str("unary"),
            Head::AnyBinary => f.write_str("binary"),
            Head::Number(Head::NEGATIVE_ZERO) => f.write_str("-0"),
            Head::Number(k) => write!(f, "{k}"),
            Head::Function(name) => name.fmt(f),
        }
    }
}
