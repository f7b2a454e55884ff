//! What the list of operations becomes: a struct for each, the enum [`Op`](super::Op), and what is the same for all.
//!
//! Attribute reflection ([`Op::attrs`](super::Op::attrs), [`Op::build`](super::Op::build)) is for what treats all operations alike;
//! text has a form for each.

macro_rules! ops {
    ($($(#[$doc:meta])* $name:ident $text:literal { $($(#[$fdoc:meta])* $field:ident : $ty:ty),* $(,)? })+) => {
        $(
            $(#[$doc])*
            #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
            pub struct $name { $($(#[$fdoc])* pub $field: $ty),* }
            impl From<$name> for Op { fn from(op: $name) -> Op { Op::$name(op) } }
        )+

        /// An operation with its attributes.
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Op {
            /// Elementwise, one operand.
            Unary(UnaryOp),
            /// Elementwise, two operands of one type.
            Binary(BinaryOp),
            $(#[doc = concat!("`", $text, "`; see [`", stringify!($name), "`].")] $name($name)),+
        }

        impl Op {
            /// The name in text, dialect included.
            pub fn name(&self) -> &'static str {
                match self { Op::Unary(op) => op.name(), Op::Binary(op) => op.name(), $(Op::$name(_) => $text),+ }
            }

            /// The attributes by name, in declaration order.
            pub fn attrs(&self) -> SmallVec<[(&'static str, Attr); 2]> {
                match self {
                    Op::Unary(_) | Op::Binary(_) => SmallVec::new(),
                    $(Op::$name(op) => {
                        let _ = op;
                        #[allow(unused_mut, reason = "operations without attributes")]
                        let mut out: SmallVec<[(&'static str, Attr); 2]> = SmallVec::new();
                        $(out.push((stringify!($field), op.$field.to_attr()));)*
                        out
                    })+
                }
            }

            /// The operation called `name` with these attribute values in declaration order.
            pub fn build(name: &str, attrs: &[Attr]) -> Result<Op, OpError> {
                if attrs.is_empty() {
                    if let Some(op) = UnaryOp::parse(name) { return Ok(Op::Unary(op)); }
                    if let Some(op) = BinaryOp::parse(name) { return Ok(Op::Binary(op)); }
                }
                match name {
                    $($text => {
                        let mut values = attrs.iter();
                        let op = $name { $($field: values.next().and_then(Field::from_attr)
                            .ok_or_else(|| OpError(format!(concat!($text, ": attribute `", stringify!($field), "` is missing or malformed"))))?),* };
                        if values.next().is_some() { return Err(OpError(format!("{name}: too many attributes"))); }
                        Ok(op.into())
                    })+
                    _ => Err(OpError(format!("unknown operation `{name}`"))),
                }
            }

            /// The functions this operation refers to, in order.
            pub fn callees(&self) -> Vec<FuncId> {
                #[allow(unused_mut, reason = "operations without functions")]
                let mut out = Vec::new();
                match self { Op::Unary(_) | Op::Binary(_) => {}, $(Op::$name(op) => { let _ = op; $(op.$field.callees(&mut out);)* })+ }
                out
            }

            /// Replaces the functions this operation refers to.
            pub fn map_callees(&mut self, f: &mut dyn FnMut(FuncId) -> FuncId) {
                match self { Op::Unary(_) | Op::Binary(_) => {}, $(Op::$name(op) => { let _ = (&op, &f); $(op.$field.map_callees(f);)* })+ }
            }
        }

        /// Hands every operation that is no family to a macro, in order: `Transpose "stablehlo.transpose" { perm }` and so on.
        #[macro_export]
        macro_rules! structured_ops {
            ($then:ident) => { $then! { $($name $text { $($field)* })+ } };
        }
    };
}

pub(super) use ops;
