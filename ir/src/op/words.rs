//! The closed sets of words: families of elementwise operations, directions, orders, reducers.

use super::attr::{Attr, Field};
use crate::func::FuncId;

/// A closed set of words with their spelling.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name { $($(#[$vdoc])* $variant),+ }
        impl $name {
            /// Every member, in declaration order.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];
            /// The spelling in text.
            pub const fn name(self) -> &'static str { match self { $($name::$variant => $text),+ } }
            /// The member with this spelling.
            pub fn parse(text: &str) -> Option<Self> { match text { $($text => Some($name::$variant),)+ _ => None } }
        }
        impl Field for $name {
            fn to_attr(&self) -> Attr { Attr::Word(self.name()) }
            fn from_attr(attr: &Attr) -> Option<Self> { match attr { Attr::Word(w) => $name::parse(w), _ => None } }
        }
    };
}

/// The pattern of the operations of one operand that are computed in one way. Matches that treat them alike name the group, so
/// that a new member is none of their concern.
#[macro_export]
macro_rules! unary_of {
    // By the math library, on floats: those of which `UnaryOp::math_fn` knows the function.
    (library) => {
        $crate::op::UnaryOp::Exponential
            | $crate::op::UnaryOp::ExponentialMinusOne
            | $crate::op::UnaryOp::Exp2
            | $crate::op::UnaryOp::Log
            | $crate::op::UnaryOp::Log2
            | $crate::op::UnaryOp::LogPlusOne
            | $crate::op::UnaryOp::Logistic
            | $crate::op::UnaryOp::Sine
            | $crate::op::UnaryOp::Cosine
            | $crate::op::UnaryOp::Tan
            | $crate::op::UnaryOp::Tanh
            | $crate::op::UnaryOp::Rsqrt
            | $crate::op::UnaryOp::Cbrt
            | $crate::op::UnaryOp::Erf
            | $crate::op::UnaryOp::Erfc
            | $crate::op::UnaryOp::ErfInv
            | $crate::op::UnaryOp::Lgamma
            | $crate::op::UnaryOp::Digamma
            | $crate::op::UnaryOp::Asin
            | $crate::op::UnaryOp::Acos
            | $crate::op::UnaryOp::Atan
            | $crate::op::UnaryOp::Sinh
            | $crate::op::UnaryOp::Cosh
            | $crate::op::UnaryOp::Asinh
            | $crate::op::UnaryOp::Acosh
            | $crate::op::UnaryOp::Atanh
    };
    // By other operations: `UnaryOp::definition`, which is put in their place before code is made.
    (defined) => {
        $crate::op::UnaryOp::IsInf | $crate::op::UnaryOp::IsPosInf | $crate::op::UnaryOp::IsNegInf
    };
}

words! {
    /// Elementwise operations of one operand.
    UnaryOp {
        /// |x|; of a complex number its modulus.
        Abs = "stablehlo.abs",
        /// -x.
        Negate = "stablehlo.negate",
        /// -1, 0 or 1; keeps signed zeros and NaN.
        Sign = "stablehlo.sign",
        /// e^x.
        Exponential = "stablehlo.exponential",
        /// e^x - 1.
        ExponentialMinusOne = "stablehlo.exponential_minus_one",
        /// 2^x. Ours: text shows `stablehlo.composite "wengert.exp2"`.
        Exp2 = "wengert.exp2",
        /// Natural logarithm.
        Log = "stablehlo.log",
        /// Logarithm to base 2. Ours: text shows `stablehlo.composite "wengert.log2"`.
        Log2 = "wengert.log2",
        /// log(1 + x).
        LogPlusOne = "stablehlo.log_plus_one",
        /// 1 / (1 + e^-x).
        Logistic = "stablehlo.logistic",
        /// Sine.
        Sine = "stablehlo.sine",
        /// Cosine.
        Cosine = "stablehlo.cosine",
        /// Tangent.
        Tan = "stablehlo.tan",
        /// Hyperbolic tangent.
        Tanh = "stablehlo.tanh",
        /// Square root.
        Sqrt = "stablehlo.sqrt",
        /// 1 / square root.
        Rsqrt = "stablehlo.rsqrt",
        /// Cube root.
        Cbrt = "stablehlo.cbrt",
        /// Towards positive infinity.
        Ceil = "stablehlo.ceil",
        /// Towards negative infinity.
        Floor = "stablehlo.floor",
        /// To nearest, ties away from zero.
        RoundNearestAfz = "stablehlo.round_nearest_afz",
        /// To nearest, ties to even.
        RoundNearestEven = "stablehlo.round_nearest_even",
        /// Whether neither infinite nor NaN; gives `i1`.
        IsFinite = "stablehlo.is_finite",
        /// Bitwise, or logical for `i1`.
        Not = "stablehlo.not",
        /// Number of set bits.
        Popcnt = "stablehlo.popcnt",
        /// Number of leading zero bits.
        CountLeadingZeros = "stablehlo.count_leading_zeros",
        /// Error function.
        Erf = "chlo.erf",
        /// 1 - erf(x).
        Erfc = "chlo.erfc",
        /// Inverse of erf.
        ErfInv = "chlo.erf_inv",
        /// log |Gamma(x)|.
        Lgamma = "chlo.lgamma",
        /// Derivative of lgamma.
        Digamma = "chlo.digamma",
        /// e^-|x| times the modified Bessel function of the first kind of order 1.
        BesselI1e = "chlo.bessel_i1e",
        /// Arc sine.
        Asin = "chlo.asin",
        /// Arc cosine.
        Acos = "chlo.acos",
        /// Arc tangent.
        Atan = "chlo.atan",
        /// Hyperbolic sine.
        Sinh = "chlo.sinh",
        /// Hyperbolic cosine.
        Cosh = "chlo.cosh",
        /// Inverse hyperbolic sine.
        Asinh = "chlo.asinh",
        /// Inverse hyperbolic cosine.
        Acosh = "chlo.acosh",
        /// Inverse hyperbolic tangent.
        Atanh = "chlo.atanh",
        /// x * x.
        Square = "chlo.square",
        /// Real part; of a real number itself.
        Real = "stablehlo.real",
        /// Imaginary part; of a real number 0.
        Imag = "stablehlo.imag",
        /// Complex conjugate; of a real number itself.
        Conj = "chlo.conj",
        /// Whether positive or negative infinity; gives `i1`.
        IsInf = "chlo.is_inf",
        /// Whether positive infinity; gives `i1`.
        IsPosInf = "chlo.is_pos_inf",
        /// Whether negative infinity; gives `i1`.
        IsNegInf = "chlo.is_neg_inf",
    }
}

words! {
    /// Elementwise operations of two operands of one type.
    BinaryOp {
        /// Sum; logical or for `i1`.
        Add = "stablehlo.add",
        /// Difference.
        Subtract = "stablehlo.subtract",
        /// Product; logical and for `i1`.
        Multiply = "stablehlo.multiply",
        /// Quotient; of integers towards zero, -1 (all ones) for a zero divisor.
        Divide = "stablehlo.divide",
        /// Remainder with the sign of the dividend.
        Remainder = "stablehlo.remainder",
        /// lhs^rhs.
        Power = "stablehlo.power",
        /// The larger; NaN if either is.
        Maximum = "stablehlo.maximum",
        /// The smaller; NaN if either is.
        Minimum = "stablehlo.minimum",
        /// Angle of the point (rhs, lhs).
        Atan2 = "stablehlo.atan2",
        /// Bitwise or logical.
        And = "stablehlo.and",
        /// Bitwise or logical.
        Or = "stablehlo.or",
        /// Bitwise or logical.
        Xor = "stablehlo.xor",
        /// lhs * 2^rhs; 0 when rhs is not less than the width.
        ShiftLeft = "stablehlo.shift_left",
        /// Copies of the sign come in.
        ShiftRightArithmetic = "stablehlo.shift_right_arithmetic",
        /// Zeros come in.
        ShiftRightLogical = "stablehlo.shift_right_logical",
        /// lhs + i rhs.
        Complex = "stablehlo.complex",
        /// The next representable number after lhs towards rhs.
        NextAfter = "chlo.next_after",
        /// The upper half of the product, which has twice the width.
        Mulhi = "chlo.mulhi",
        /// Hurwitz: the sum of (rhs + k)^-lhs over k = 0, 1, ...
        Zeta = "chlo.zeta",
        /// The derivative of digamma of order lhs, at rhs.
        Polygamma = "chlo.polygamma",
    }
}

words! {
    /// What `compare` asks.
    Direction { /// =
        Eq = "EQ", /// not =
        Ne = "NE", /// >=
        Ge = "GE", /// >
        Gt = "GT", /// <=
        Le = "LE", /// <
        Lt = "LT" }
}

words! {
    /// How `compare` orders elements.
    CompareType {
        /// IEEE order; NaN is unordered.
        Float = "FLOAT",
        /// -NaN < -inf < ... < -0 < +0 < ... < +inf < +NaN.
        TotalOrder = "TOTALORDER",
        /// Two's complement.
        Signed = "SIGNED",
        /// Unsigned integers and booleans.
        Unsigned = "UNSIGNED",
    }
}

words! {
    /// Which Fourier transform.
    FftType {
        /// Complex to complex.
        Fft = "FFT",
        /// Its inverse, with the factor 1/n.
        Ifft = "IFFT",
        /// Real to complex; of the last dimension the first n/2 + 1 terms.
        Rfft = "RFFT",
        /// Its inverse.
        Irfft = "IRFFT",
    }
}

words! {
    /// What a triangular solve does to its matrix.
    TransposeA {
        /// Nothing.
        No = "NO_TRANSPOSE",
        /// Transposes it.
        Transpose = "TRANSPOSE",
        /// Transposes and conjugates it.
        Adjoint = "ADJOINT",
    }
}

words! {
    /// The custom call that spells an operation of linear algebra: what JAX emits for the CPU, or for any device.
    CallForm {
        /// `lapack_dgetrf_ffi` and the like.
        Lapack = "lapack",
        /// `LuDecomposition` and the like.
        Generic = "generic",
    }
}

words! {
    /// Which singular vectors are computed.
    SvdMode {
        /// All of them: square matrices.
        All = "A",
        /// As many as there are singular values.
        Thin = "S",
        /// None.
        Values = "N",
    }
}

words! {
    /// The LAPACK routine that spells a singular value decomposition.
    SvdDriver {
        /// Divide and conquer.
        Gesdd = "gesdd",
        /// QR iteration.
        Gesvd = "gesvd",
    }
}

words! {
    /// How accurately a contraction must be computed; kept for printing, we always use the full type.
    Precision { /// As fast as can be.
        Default = "DEFAULT", /// Between.
        High = "HIGH", /// As accurate as can be.
        Highest = "HIGHEST" }
}

words! {
    /// What a `check` asks of two tensors.
    CheckKind {
        /// Every element equal as a number: `-0.0 == 0.0`, NaN equals nothing.
        Eq = "check.expect_eq",
        /// Floats within an absolute tolerance and of one sign, NaN equal to NaN; other elements equal.
        AlmostEq = "check.expect_almost_eq",
        /// Floats so many representable numbers apart, NaN equal to NaN; other elements equal.
        Close = "check.expect_close",
        /// The same bits, NaN equal to NaN. Ours: the value is one that Rust read while a tape was recorded, the expected one what it
        /// read, so that what follows is the way it took.
        Guard = "check.guard",
    }
}

/// A float as an attribute: the bits of an `f64`, so that attributes compare and hash.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FloatAttr(u64);

impl FloatAttr {
    /// The attribute for a number.
    pub fn new(value: f64) -> Self {
        Self(value.to_bits())
    }
    /// The number.
    pub fn get(self) -> f64 {
        f64::from_bits(self.0)
    }
}
impl std::fmt::Debug for FloatAttr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.get())
    }
}
impl Field for FloatAttr {
    fn to_attr(&self) -> Attr {
        Attr::Int(self.0 as i64)
    }
    fn from_attr(attr: &Attr) -> Option<Self> {
        match attr {
            Attr::Int(bits) => Some(FloatAttr(*bits as u64)),
            _ => None,
        }
    }
}

words! {
    /// How `rng` distributes numbers.
    RngDistribution {
        /// Evenly over `[a, b)`.
        Uniform = "UNIFORM",
        /// Normally, with mean `a` and standard deviation `b`.
        Normal = "NORMAL",
    }
}

words! {
    /// How `rng_bit_generator` makes bits.
    RngAlgorithm {
        /// Ours to choose: Philox, as XLA's CPU backend does.
        Default = "DEFAULT",
        /// Threefry-2x32.
        ThreeFry = "THREE_FRY",
        /// Philox-4x32.
        Philox = "PHILOX",
    }
}

impl BinaryOp {
    /// Those that combine elements in any grouping, as a [`Reducer`] does: monoids.
    pub const MONOIDS: [BinaryOp; 7] = [
        BinaryOp::Add,
        BinaryOp::Multiply,
        BinaryOp::Maximum,
        BinaryOp::Minimum,
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::Xor,
    ];
}

/// How `reduce` and `scatter` combine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reducer {
    /// One of the monoids: add, multiply, maximum, minimum, and, or, xor.
    Op(BinaryOp),
    /// The new value replaces the old (`scatter` only).
    Assign,
    /// Any closed function; its captures follow the other operands.
    Func(FuncId),
}

impl Field for Reducer {
    fn to_attr(&self) -> Attr {
        match self {
            Reducer::Op(op) => Attr::Word(op.name()),
            Reducer::Assign => Attr::Word("assign"),
            Reducer::Func(f) => Attr::Func(*f),
        }
    }
    fn from_attr(attr: &Attr) -> Option<Self> {
        match attr {
            Attr::Word("assign") => Some(Reducer::Assign),
            Attr::Word(w) => BinaryOp::parse(w).map(Reducer::Op),
            Attr::Func(f) => Some(Reducer::Func(*f)),
            _ => None,
        }
    }
    fn callees(&self, out: &mut Vec<FuncId>) {
        if let Reducer::Func(f) = self {
            out.push(*f);
        }
    }
    fn map_callees(&mut self, map: &mut dyn FnMut(FuncId) -> FuncId) {
        if let Reducer::Func(f) = self {
            *f = map(*f);
        }
    }
}

/// Which of two elements `select_and_scatter` keeps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Selector {
    /// The first, if it compares so with the second in the natural order of its type.
    Compare(Direction),
    /// The first, if a closed function of both says `true`; its captures follow the other operands.
    Func(FuncId),
}

impl Field for Selector {
    fn to_attr(&self) -> Attr {
        match self {
            Selector::Compare(direction) => Attr::Word(direction.name()),
            Selector::Func(f) => Attr::Func(*f),
        }
    }
    fn from_attr(attr: &Attr) -> Option<Self> {
        match attr {
            Attr::Word(w) => Direction::parse(w).map(Selector::Compare),
            Attr::Func(f) => Some(Selector::Func(*f)),
            _ => None,
        }
    }
    fn callees(&self, out: &mut Vec<FuncId>) {
        if let Selector::Func(f) = self {
            out.push(*f);
        }
    }
    fn map_callees(&mut self, map: &mut dyn FnMut(FuncId) -> FuncId) {
        if let Selector::Func(f) = self {
            *f = map(*f);
        }
    }
}

words! {
    /// Which values of a checkpointed function its reverse pass finds again without computing them.
    Keep {
        /// The arguments only.
        Nothing = "nothing",
        /// Results of matrix products and convolutions too.
        Contractions = "contractions",
        /// Results of products without batching dimensions, which are few and large, and of convolutions.
        UnbatchedContractions = "unbatched_contractions",
        /// Values that have a name (`checkpoint_name`), one of those it is given if it is given some.
        Names = "names",
        /// All that it needs, as without the checkpoint.
        Everything = "everything",
    }
}

words! {
    /// What the examples along a named axis make of their values `x` together.
    CollectiveKind {
        /// All of them, one row each, the same for all.
        AllGather = "all_gather",
        /// Of rows, one for each example: the sum over all examples of the row that is its own.
        ReduceScatter = "reduce_scatter",
        /// Of rows, one for each example: those that are its own, in the order of the examples they come from.
        AllToAll = "all_to_all",
        /// What was sent to it; zeros if nothing was.
        Permute = "permute",
        /// Its own, which must be the same for all: what they decide on that then communicate.
        Agree = "agree",
    }
}
