//! What attributes of operations are made of, and how each kind reflects as an [`Attr`].

use crate::array::Literal;
use crate::func::FuncId;
use crate::host::Host;
use crate::types::{DType, Dims, TensorType, Type};
use smallvec::SmallVec;

/// An attribute value, as reflection shows it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Attr {
    /// A number.
    Int(i64),
    /// A list of numbers.
    Ints(SmallVec<[i64; 4]>),
    /// A flag.
    Bool(bool),
    /// A word of a closed set: a comparison direction, a precision, a reducer's operation.
    Word(&'static str),
    /// An element type.
    DType(DType),
    /// A tensor type.
    Type(TensorType),
    /// A constant.
    Literal(Literal),
    /// A function of the module.
    Func(FuncId),
    /// Functions of the module.
    Funcs(Vec<FuncId>),
    /// Any text.
    Text(Text),
    /// Types of values.
    Types(Vec<Type>),
    /// A function of the host.
    Host(Host),
}

/// A text that is cheap to clone.
pub type Text = std::sync::Arc<str>;

/// A field type that reflects as an [`Attr`].
pub(super) trait Field: Sized {
    fn to_attr(&self) -> Attr;
    fn from_attr(attr: &Attr) -> Option<Self>;
    fn callees(&self, _out: &mut Vec<FuncId>) {}
    fn map_callees(&mut self, _f: &mut dyn FnMut(FuncId) -> FuncId) {}
}

macro_rules! plain_field {
    ($($ty:ty, $variant:ident);+ $(;)?) => { $(impl Field for $ty {
        fn to_attr(&self) -> Attr { Attr::$variant(self.clone()) }
        fn from_attr(attr: &Attr) -> Option<Self> { match attr { Attr::$variant(v) => Some(v.clone()), _ => None } }
    })+ };
}
plain_field!(bool, Bool; DType, DType; TensorType, Type; Literal, Literal; SmallVec<[i64; 4]>, Ints;
             Text, Text; Vec<Type>, Types; Host, Host);

impl Field for usize {
    fn to_attr(&self) -> Attr {
        Attr::Int(*self as i64) // DYNAMIC becomes -1
    }
    fn from_attr(attr: &Attr) -> Option<Self> {
        match attr {
            Attr::Int(-1) => Some(crate::types::DYNAMIC),
            Attr::Int(v) => usize::try_from(*v).ok(),
            _ => None,
        }
    }
}
impl Field for Dims {
    fn to_attr(&self) -> Attr {
        Attr::Ints(self.iter().map(|&d| d as i64).collect())
    }
    fn from_attr(attr: &Attr) -> Option<Self> {
        match attr {
            Attr::Ints(v) => v
                .iter()
                .map(|&d| if d == -1 { Some(crate::types::DYNAMIC) } else { usize::try_from(d).ok() })
                .collect(),
            _ => None,
        }
    }
}
impl Field for SmallVec<[bool; 4]> {
    fn to_attr(&self) -> Attr {
        Attr::Ints(self.iter().map(|&b| b as i64).collect())
    }
    fn from_attr(attr: &Attr) -> Option<Self> {
        match attr {
            Attr::Ints(v) => Some(v.iter().map(|&b| b != 0).collect()),
            _ => None,
        }
    }
}
impl Field for FuncId {
    fn to_attr(&self) -> Attr {
        Attr::Func(*self)
    }
    fn from_attr(attr: &Attr) -> Option<Self> {
        match attr {
            Attr::Func(f) => Some(*f),
            _ => None,
        }
    }
    fn callees(&self, out: &mut Vec<FuncId>) {
        out.push(*self);
    }
    fn map_callees(&mut self, f: &mut dyn FnMut(FuncId) -> FuncId) {
        *self = f(*self);
    }
}
impl Field for Vec<FuncId> {
    fn to_attr(&self) -> Attr {
        Attr::Funcs(self.clone())
    }
    fn from_attr(attr: &Attr) -> Option<Self> {
        match attr {
            Attr::Funcs(f) => Some(f.clone()),
            _ => None,
        }
    }
    fn callees(&self, out: &mut Vec<FuncId>) {
        out.extend(self);
    }
    fn map_callees(&mut self, f: &mut dyn FnMut(FuncId) -> FuncId) {
        self.iter_mut().for_each(|c| *c = f(*c));
    }
}
