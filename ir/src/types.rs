//! Element types, tensor types and value types.
//!
//! The spelling is MLIR's: `tensor<2x3xf32>`, `tensor<f64>`, `tensor<?xi32>`, `!stablehlo.token`.

use smallvec::SmallVec;
use std::fmt;

/// Sizes of dimensions, or any list with one entry per dimension.
pub type Dims = SmallVec<[usize; 4]>;

/// A size that is known only at run time. In the executable IR only the length of a stack that a
/// `while` fills is dynamic (see [`crate::op::While`]).
pub const DYNAMIC: usize = usize::MAX;

/// The most bytes that a tensor may have, the sizes of an empty one counted as 1 where they are 0: positions, strides and
/// numbers of bytes then fit `i64` and `isize`.
pub const MAX_BYTES: usize = isize::MAX as usize;

/// Bytes of a dense array of elements of `size` bytes, or `None` if a size is dynamic or there are more than [`MAX_BYTES`].
/// The one check of sizes.
pub(crate) fn checked_bytes(size: usize, shape: &[usize]) -> Option<usize> {
    // The other sizes of an empty array count too: strides are made of them.
    let bytes = shape.iter().try_fold(size, |n, &d| match d {
        DYNAMIC => None,
        _ => n.checked_mul(d.max(1)).filter(|&n| n <= MAX_BYTES),
    })?;
    Some(if shape.contains(&0) { 0 } else { bytes })
}

macro_rules! dtypes {
    ($($(#[$doc:meta])* $variant:ident $text:literal $bits:literal $class:ident),+ $(,)?) => {
        /// The type of one element.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum DType { $($(#[$doc])* $variant),+ }

        impl DType {
            /// Every element type, in declaration order.
            pub const ALL: &'static [DType] = &[$(DType::$variant),+];

            /// The spelling in text: `f32`, `ui8`, `complex<f64>`.
            pub const fn name(self) -> &'static str {
                match self { $(DType::$variant => $text),+ }
            }

            /// How many bits the type has by its definition (`i1` has 1, though memory gives it a byte).
            #[inline]
            pub const fn bits(self) -> usize {
                match self { $(DType::$variant => $bits),+ }
            }

            /// Which kind of number it is.
            #[inline]
            pub const fn class(self) -> DTypeClass {
                match self { $(DType::$variant => DTypeClass::$class),+ }
            }
        }
    };
}

/// The kinds of element type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DTypeClass {
    /// `i1`.
    Bool,
    /// Two's complement.
    Signed,
    /// Non-negative.
    Unsigned,
    /// Binary floating point.
    Float,
    /// A pair of floats.
    Complex,
}

dtypes! {
    /// IEEE binary64.
    F64 "f64" 64 Float,
    /// IEEE binary32.
    F32 "f32" 32 Float,
    /// IEEE binary16.
    F16 "f16" 16 Float,
    /// The upper half of binary32.
    BF16 "bf16" 16 Float,
    /// 4-bit float, 2 exponent bits, finite only.
    F4E2M1FN "f4E2M1FN" 4 Float,
    /// 6-bit float, 2 exponent bits, finite only.
    F6E2M3FN "f6E2M3FN" 6 Float,
    /// 6-bit float, 3 exponent bits, finite only.
    F6E3M2FN "f6E3M2FN" 6 Float,
    /// 8-bit powers of two, without sign and zero.
    F8E8M0FNU "f8E8M0FNU" 8 Float,
    /// 8-bit float, 4 exponent bits, no infinities.
    F8E4M3FN "f8E4M3FN" 8 Float,
    /// 8-bit float, 5 exponent bits.
    F8E5M2 "f8E5M2" 8 Float,
    /// 8-bit float, 4 exponent bits, IEEE-like.
    F8E4M3 "f8E4M3" 8 Float,
    /// 8-bit float, 4 exponent bits, bias 11, no negative zero.
    F8E4M3B11FNUZ "f8E4M3B11FNUZ" 8 Float,
    /// 8-bit float, 4 exponent bits, bias 8, no negative zero.
    F8E4M3FNUZ "f8E4M3FNUZ" 8 Float,
    /// 8-bit float, 5 exponent bits, bias 16, no negative zero.
    F8E5M2FNUZ "f8E5M2FNUZ" 8 Float,
    /// 8-bit float, 3 exponent bits.
    F8E3M4 "f8E3M4" 8 Float,
    /// Two binary32.
    C64 "complex<f32>" 64 Complex,
    /// Two binary64.
    C128 "complex<f64>" 128 Complex,
    /// 2-bit signed.
    I2 "i2" 2 Signed,
    /// 4-bit signed.
    I4 "i4" 4 Signed,
    /// 8-bit signed.
    I8 "i8" 8 Signed,
    /// 16-bit signed.
    I16 "i16" 16 Signed,
    /// 32-bit signed.
    I32 "i32" 32 Signed,
    /// 64-bit signed.
    I64 "i64" 64 Signed,
    /// 2-bit unsigned.
    U2 "ui2" 2 Unsigned,
    /// 4-bit unsigned.
    U4 "ui4" 4 Unsigned,
    /// 8-bit unsigned.
    U8 "ui8" 8 Unsigned,
    /// 16-bit unsigned.
    U16 "ui16" 16 Unsigned,
    /// 32-bit unsigned.
    U32 "ui32" 32 Unsigned,
    /// 64-bit unsigned.
    U64 "ui64" 64 Unsigned,
    /// Boolean; one byte in memory, 0 or 1.
    I1 "i1" 1 Bool,
}

impl DType {
    /// Bytes that one element takes in memory (sub-byte types take one).
    #[inline]
    pub const fn size(self) -> usize {
        self.bits().div_ceil(8)
    }

    /// Whether it is a floating-point type (complex is not).
    pub const fn is_float(self) -> bool {
        matches!(self.class(), DTypeClass::Float)
    }

    /// Whether it is complex.
    pub const fn is_complex(self) -> bool {
        matches!(self.class(), DTypeClass::Complex)
    }

    /// The type of the parts of a complex number; any other type itself.
    pub const fn part(self) -> DType {
        match self {
            DType::C64 => DType::F32,
            DType::C128 => DType::F64,
            _ => self,
        }
    }

    /// The complex type whose parts are of this type, if there is one.
    pub const fn complex(self) -> Option<DType> {
        match self {
            DType::F32 => Some(DType::C64),
            DType::F64 => Some(DType::C128),
            _ => None,
        }
    }

    /// Whether it is a signed or unsigned integer (`i1` is not).
    pub const fn is_integer(self) -> bool {
        matches!(self.class(), DTypeClass::Signed | DTypeClass::Unsigned)
    }

    /// Whether arithmetic on this type may round: floats and complex numbers.
    pub const fn is_inexact(self) -> bool {
        matches!(self.class(), DTypeClass::Float | DTypeClass::Complex)
    }

    /// Whether values of this type have derivatives: floats and complex numbers, but for `f8E8M0FNU`, which has powers of two only.
    /// Without a zero, and without signs, there are no directions to go in.
    pub const fn is_differentiable(self) -> bool {
        self.is_inexact() && !matches!(self, DType::F8E8M0FNU)
    }

    /// Whether kernels hold it as it is; the others are legalized into these first.
    pub const fn is_native(self) -> bool {
        matches!(
            self,
            DType::F64
                | DType::F32
                | DType::I8
                | DType::I16
                | DType::I32
                | DType::I64
                | DType::U8
                | DType::U16
                | DType::U32
                | DType::U64
                | DType::I1
        )
    }

    /// The type with this spelling.
    pub fn parse(text: &str) -> Option<DType> {
        DType::ALL.iter().copied().find(|d| d.name() == text)
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Element type and sizes of a tensor.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TensorType {
    /// Type of each element.
    pub dtype: DType,
    /// Size of each dimension, outermost first; empty for a scalar.
    pub shape: Dims,
}

impl TensorType {
    /// A tensor type from its parts.
    pub fn new(dtype: DType, shape: &[usize]) -> Self {
        Self { dtype, shape: Dims::from_slice(shape) }
    }

    /// The rank-0 type of `dtype`.
    pub fn scalar(dtype: DType) -> Self {
        Self { dtype, shape: Dims::new() }
    }

    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Whether every size is known.
    pub fn is_static(&self) -> bool {
        !self.shape.contains(&DYNAMIC)
    }

    /// Bytes in memory, or `None` if a size is dynamic or there are more than [`MAX_BYTES`]. What text says, what operations
    /// infer ([`crate::op::Op::infer`]) and what is computed from values asks here.
    pub fn checked_bytes(&self) -> Option<usize> {
        checked_bytes(self.dtype.size(), &self.shape)
    }

    /// Number of elements, or `None` as [`Self::checked_bytes`].
    pub fn checked_elements(&self) -> Option<usize> {
        Some(self.checked_bytes()? / self.dtype.size())
    }

    /// Number of elements; the largest number where memory cannot hold them. Panics if a size is dynamic.
    pub fn elements(&self) -> usize {
        assert!(self.is_static(), "{self} has no static number of elements");
        self.checked_elements().unwrap_or(usize::MAX)
    }

    /// Bytes in memory; the largest number where there cannot be as many. Panics if a size is dynamic.
    pub fn bytes(&self) -> usize {
        assert!(self.is_static(), "{self} has no static number of bytes");
        self.checked_bytes().unwrap_or(usize::MAX)
    }

    /// The same shape with another element type.
    pub fn with_dtype(&self, dtype: DType) -> Self {
        Self { dtype, shape: self.shape.clone() }
    }

    /// The same element type with another shape.
    pub fn with_shape(&self, shape: &[usize]) -> Self {
        Self::new(self.dtype, shape)
    }

    /// The type of `length` of these stacked along a new leading dimension.
    pub fn stacked(&self, length: usize) -> Self {
        let mut shape = Dims::from_slice(&[length]);
        shape.extend_from_slice(&self.shape);
        Self { dtype: self.dtype, shape }
    }

    /// The type of one slice along the leading dimension. Panics at rank 0.
    pub fn unstacked(&self) -> Self {
        Self::new(self.dtype, &self.shape[1..])
    }
}

impl fmt::Display for TensorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tensor<")?;
        for &d in &self.shape {
            if d == DYNAMIC { f.write_str("?x")? } else { write!(f, "{d}x")? }
        }
        write!(f, "{}>", self.dtype)
    }
}

impl fmt::Debug for TensorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The type of a value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// A tensor.
    Tensor(TensorType),
    /// The order of effects; carries no data.
    Token,
    /// A type that is read and printed only, as it is written: quantized or unranked tensors, futures.
    Foreign(std::sync::Arc<str>),
}

impl Type {
    /// The tensor type, or `None` for anything else.
    pub fn as_tensor(&self) -> Option<&TensorType> {
        match self {
            Type::Tensor(t) => Some(t),
            Type::Token | Type::Foreign(_) => None,
        }
    }

    /// The tensor type. Panics for anything else.
    #[track_caller]
    pub fn tensor(&self) -> &TensorType {
        self.as_tensor().expect("not a tensor where one is needed")
    }
}

impl From<TensorType> for Type {
    fn from(t: TensorType) -> Type {
        Type::Tensor(t)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Tensor(t) => t.fmt(f),
            Type::Token => f.write_str("!stablehlo.token"),
            Type::Foreign(text) => f.write_str(text),
        }
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Which changes of rounding a compilation may make; a property of the module, printed in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub enum FloatMode {
    /// Every operation rounds once; bits are kept (NaN payloads apart).
    Exact,
    /// `Exact` plus contraction of a multiply into an add, division by a constant as a product with its
    /// reciprocal, powers of 2, 3, -1, 1/2 and -1/2 as products, quotients and roots, and zeros for subnormal numbers where a large
    /// matrix product reads them. XLA:CPU does so by default too, but for the roots (and takes all subnormal numbers for zeros). A convolution does not multiply the zeros between the elements of a spread
    /// operand, which an infinite kernel would make NaN; nor does XLA.
    #[default]
    Default,
    /// Reassociation, `x*0 = 0`, `x/x = 1` and the like are allowed, and sums that cancel exactly in exact arithmetic, as in
    /// Winograd's convolution: where an operand is infinite, a result may be NaN that is infinite otherwise.
    Relaxed,
}
