//! [`Tensor`]: the value users compute with, by what a handle holds. What Rust reads of one, which may be traced, is in `reading`.

use crate::device::resident::Resident;
use crate::error::{Error, fail};
use smallvec::SmallVec;
use std::panic::Location;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use wengert_ir::array::{Array, Bytes, Element};
use wengert_ir::func::Value;
use wengert_ir::types::{DType, TensorType};

/// An n-dimensional array of numbers, concrete or traced.
///
/// A cheap handle: cloning shares the elements. Outside a transform every operation runs at once; inside one it
/// is recorded. Semantics (broadcasting, promotion of element types, names) are those of NumPy and JAX.
/// Operators work on tensors, references to tensors, and numbers, which take the tensor's element type: `f64` and `i64` (and `bool`
/// beside bits), so that literals have one meaning; `x * f64::from(y)` is for other numbers. Methods and `+=` take `f32`, `i32`, `u32`
/// and `usize` too.
///
/// # Element types of results
///
/// A method gives what the function of `jax.numpy` with its name gives: with JAX's 64-bit types enabled where an operand, or
/// what the operands promote to, has elements of 64 bits (`f64`, `i64`, `ui64`, `complex<f64>`), and with them disabled, as
/// they are in JAX unless asked for, where none has. There is no switch: 64-bit types are there for who names them, and do
/// not come out of narrower ones. So a program of JAX's default mode means the same here, and so does one written in 64
/// bits; and no `f64` slips into a program of `f32`.
///
/// | what | of | gives | of 64 bits |
/// |---|---|---|---|
/// | functions with real values (`sin`, `/`, `mean`, `var`, `atan2`), a Rust float beside | integers, booleans | `f32` | `f64` |
/// | `sum`, `prod` | booleans, `i8`, `i16`; `ui8`, `ui16` | `i32`; `ui32` | the same type |
/// | `cumsum`, `cumprod`, powers, remainders, a Rust integer beside | booleans | `i32` | |
/// | sums and means, computed in `f32` and rounded once | floats of less than 32 bits | the same type | |
/// | absolute values, `var`, `std` | complex numbers | the type of their parts | the same |
/// | positions and counts (`argmax`, `argsort`, `searchsorted`, `count_nonzero`) | anything | `i32` | `i32`, where JAX has `i64` |
///
/// `%` and `fmod` of integers by zero are 0; a Rust integer that an element type does not hold wraps (JAX does so too), and is
/// refused if 32 bits do not hold it either; an index out of range does what [`crate::OutOfRange`] says; the largest of
/// nothing is refused.
///
/// ```
/// use wengert::{Tensor, grad};
/// let f = |x: Tensor| (&x * &x).sin();
/// let dfdx = grad(f);
/// assert!((dfdx(Tensor::from(0.5f64)).item::<f64>() - 0.25f64.cos()).abs() < 1e-15);
/// ```
#[derive(Clone)]
pub struct Tensor {
    repr: Repr,
}

/// What a handle holds.
#[derive(Clone)]
pub(crate) enum Repr {
    /// A rank-0 tensor, in the handle itself: the low bytes of `bits`.
    Scalar { dtype: DType, bits: u64 },
    /// Elements in memory.
    Dense(Array),
    /// Elements in memory of another device.
    #[cfg_attr(not(feature = "gpu"), allow(dead_code, reason = "a build without devices makes none"))]
    Resident(Resident),
    /// A value of a function that is being traced.
    Traced { frame: FrameId, value: Value, ty: TensorType },
}

/// Which trace a tracer is of. Unique in the process, so that a tracer used on another thread or after its time is found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FrameId(u64);

impl FrameId {
    /// Of no frame: tensors that have a type only ([`Tensor::placeholder`]).
    pub(crate) const NONE: FrameId = FrameId(0);

    /// Another than all before.
    pub(crate) fn fresh() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        FrameId(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// What is wrong with computing with a tensor that has a type only.
pub(crate) const PLACEHOLDER: &str = "a `Tensor::placeholder` has a shape and no elements: it is an argument of `eval_shape`, \
     `.trace`, `.plan` and `.pattern`, which compute nothing. Compute with a tensor that has elements, as `Tensor::zeros`";

/// Results of an operation.
pub(crate) type Tensors = SmallVec<[Tensor; 1]>;

impl Tensor {
    pub(crate) fn traced(frame: FrameId, value: Value, ty: TensorType) -> Self {
        Self { repr: Repr::Traced { frame, value, ty } }
    }

    #[cfg(feature = "gpu")]
    pub(crate) fn resident(resident: Resident) -> Self {
        Self { repr: Repr::Resident(resident) }
    }

    pub(crate) fn repr(&self) -> &Repr {
        &self.repr
    }

    pub(crate) fn is_concrete(&self) -> bool {
        !matches!(self.repr, Repr::Traced { .. })
    }

    pub(crate) fn is_placeholder(&self) -> bool {
        matches!(self.repr, Repr::Traced { frame: FrameId::NONE, .. })
    }

    pub(crate) fn is_tracer(&self, id: FrameId, v: Value) -> bool {
        matches!(self.repr, Repr::Traced { frame, value, .. } if frame == id && value == v)
    }

    /// Whether both are the same traced value, or share their elements.
    pub(crate) fn is_same(&self, other: &Tensor) -> bool {
        match (&self.repr, &other.repr) {
            (Repr::Traced { frame, value, .. }, _) => {
                *frame != FrameId::NONE && other.is_tracer(*frame, *value)
            }
            (Repr::Dense(a), Repr::Dense(b)) => {
                std::sync::Arc::ptr_eq(a.shared(), b.shared()) && a.ty() == b.ty()
            }
            (Repr::Scalar { dtype, bits }, Repr::Scalar { dtype: d, bits: b }) => (dtype, bits) == (d, b),
            (Repr::Resident(a), Repr::Resident(b)) => a.is_same(b),
            _ => false,
        }
    }

    /// Whether both have the same elements, bit by bit, and are small enough to look.
    pub(crate) fn has_bits_of(&self, other: &Tensor) -> bool {
        const MOST: usize = 64 << 10;
        let (Repr::Dense(a), Repr::Dense(b)) = (&self.repr, &other.repr) else { return false };
        a.ty() == b.ty() && a.bytes().len() <= MOST && a.bytes() == b.bytes()
    }

    /// A tensor over an array; small scalars move into the handle.
    pub(crate) fn from_array(array: Array) -> Self {
        let bytes = array.bytes();
        if array.ty().rank() == 0 && bytes.len() <= 8 {
            return Self::from_scalar_bytes(array.dtype(), bytes);
        }
        Self { repr: Repr::Dense(array) }
    }

    /// A rank-0 tensor from the bytes of its element, at most 8.
    pub(crate) fn from_scalar_bytes(dtype: DType, bytes: &[u8]) -> Self {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        Self { repr: Repr::Scalar { dtype, bits: u64::from_le_bytes(word) } }
    }

    /// A rank-0 tensor from the low bytes of a word.
    #[inline]
    pub(crate) fn from_word(dtype: DType, bits: u64) -> Self {
        Self { repr: Repr::Scalar { dtype, bits } }
    }

    /// The array, if the tensor is concrete.
    pub(crate) fn array(&self) -> Option<Array> {
        match &self.repr {
            Repr::Scalar { dtype, bits } => {
                Some(Array::from_bytes(TensorType::scalar(*dtype), &bits.to_le_bytes()[..dtype.size()]))
            }
            Repr::Dense(a) => Some(a.clone()),
            Repr::Resident(r) => Some(r.array().clone()),
            Repr::Traced { .. } => None,
        }
    }

    /// The elements' bytes, if the tensor is concrete.
    #[inline]
    pub(crate) fn bytes(&self) -> Option<&[u8]> {
        match &self.repr {
            Repr::Scalar { dtype, bits } => Some(&bytemuck::bytes_of(bits)[..dtype.size()]),
            Repr::Dense(a) => Some(a.bytes()),
            Repr::Resident(r) => Some(r.array().bytes()),
            Repr::Traced { .. } => None,
        }
    }

    /// The elements' bytes for writing over, if the tensor is concrete. Memory that other tensors share is left to them
    /// and replaced by new memory.
    pub(crate) fn bytes_mut(&mut self) -> Option<&mut [u8]> {
        if let Repr::Resident(r) = &self.repr {
            // What is written to is the host's.
            self.repr = Repr::Dense(r.array().clone());
        }
        match &mut self.repr {
            Repr::Scalar { dtype, bits } => Some(&mut bytemuck::bytes_of_mut(bits)[..dtype.size()]),
            Repr::Dense(a) => Some(a.bytes_mut()),
            Repr::Resident(_) => None,
            Repr::Traced { .. } => None,
        }
    }

    /// Takes the elements' memory if no other tensor shares it; the tensor is a scalar zero then.
    pub(crate) fn take_bytes(&mut self) -> Option<Bytes> {
        let Repr::Dense(array) = &self.repr else { return None };
        let (ty, shared) = (array.ty().clone(), array.shared().clone());
        // This handle's and ours; nobody can make another meanwhile, since `self` is borrowed for writing.
        if Arc::strong_count(&shared) != 2 {
            return None;
        }
        // A scalar of more than 64 bits has no place there.
        let dtype = if ty.dtype.size() <= size_of::<u64>() { ty.dtype } else { DType::F64 };
        self.repr = Repr::Scalar { dtype, bits: 0 };
        match Arc::try_unwrap(shared) {
            Ok(bytes) => Some(bytes),
            Err(shared) => {
                self.repr = Repr::Dense(Array::from_aligned(ty, shared));
                None
            }
        }
    }

    /// A tensor that has a shape and an element type and no elements, so that it takes no memory: an argument for what only asks
    /// for types. Those are [`crate::eval_shape`], [`Jit::trace`](crate::Jit::trace) and [`Jit::prepare`](crate::Jit::prepare),
    /// [`Grad::plan`](crate::Grad::plan), and [`SparseJacobian::pattern`](crate::SparseJacobian::pattern).
    ///
    /// ```
    /// use wengert::{DType, Tensor, eval_shape, grad, sparse_jacobian};
    /// // A table of 40 GB, which nobody makes.
    /// let table = Tensor::placeholder(&[100_000, 100_000], DType::F32);
    /// let x = Tensor::placeholder(&[100_000], DType::F32);
    /// let y = eval_shape(|table: Tensor, x: Tensor| table.matmul(&x).tanh(), (table, x));
    /// assert_eq!(y.0.to_string(), "tensor<100000xf32>");
    ///
    /// let f = |x: Tensor| (x.get(1..) * x.get(..-1)).sin();
    /// assert_eq!(sparse_jacobian(f).pattern(&(Tensor::placeholder(&[1000], DType::F64),)).places(), 1998);
    /// let limited = grad(move |x: Tensor| f(x).sum()).memory_budget(64 << 20);
    /// assert!(limited.plan((Tensor::placeholder(&[1_000_000], DType::F64),))?.peak() <= 64 << 20);
    /// # Ok::<(), wengert::Error>(())
    /// ```
    ///
    /// What computes with it fails, and says so. Of a tree, `tree::map(&like, |t| Tensor::placeholder(t.shape(), t.dtype()))`.
    pub fn placeholder(shape: &[usize], dtype: DType) -> Self {
        use wengert_ir::entity::Entity;
        Self::traced(FrameId::NONE, Value::from_index(0), TensorType::new(dtype, shape))
    }

    /// Element type and shape.
    pub fn ty(&self) -> TensorType {
        match &self.repr {
            Repr::Scalar { dtype, .. } => TensorType::scalar(*dtype),
            Repr::Dense(a) => a.ty().clone(),
            Repr::Resident(r) => r.ty().clone(),
            Repr::Traced { ty, .. } => ty.clone(),
        }
    }

    /// Whether this is the type of the tensor; makes nothing.
    #[inline(always)]
    pub(crate) fn has_type(&self, ty: &TensorType) -> bool {
        match &self.repr {
            Repr::Scalar { dtype, .. } => *dtype == ty.dtype && ty.shape.is_empty(),
            Repr::Dense(a) => a.ty() == ty,
            Repr::Resident(r) => r.ty() == ty,
            Repr::Traced { ty: own, .. } => own == ty,
        }
    }

    /// Whether the tensor has this type and a value; makes nothing.
    #[inline(always)]
    pub(crate) fn has_value_of(&self, ty: &TensorType) -> bool {
        match &self.repr {
            Repr::Scalar { dtype, .. } => *dtype == ty.dtype && ty.shape.is_empty(),
            Repr::Dense(a) => a.ty() == ty,
            Repr::Resident(r) => r.ty() == ty,
            Repr::Traced { .. } => false,
        }
    }

    /// Element type.
    pub fn dtype(&self) -> DType {
        match &self.repr {
            Repr::Scalar { dtype, .. } => *dtype,
            Repr::Dense(a) => a.dtype(),
            Repr::Resident(r) => r.ty().dtype,
            Repr::Traced { ty, .. } => ty.dtype,
        }
    }

    /// Sizes of the dimensions, outermost first.
    pub fn shape(&self) -> &[usize] {
        match &self.repr {
            Repr::Scalar { .. } => &[],
            Repr::Dense(a) => a.shape(),
            Repr::Resident(r) => &r.ty().shape,
            Repr::Traced { ty, .. } => &ty.shape,
        }
    }

    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        self.shape().len()
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.shape().iter().product()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A tensor of `shape` from its elements in row-major order.
    ///
    /// Fails if their number is not the product of the sizes.
    #[track_caller]
    pub fn new<T: Item>(shape: &[usize], elements: &[T]) -> Self {
        let n = shape.iter().try_fold(1usize, |n, &d| n.checked_mul(d));
        if n != Some(elements.len()) {
            let message = format!("Tensor::new: {} elements for shape {shape:?}", elements.len());
            fail(Error::new(message, Some(Location::caller())))
        }
        Self::from_array(T::array(shape, elements))
    }
}

/// A Rust type that elements are read as and made from.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type of elements",
    label = "not a type of elements",
    note = "elements are `bool`, `i8` to `i64`, `u8` to `u64`, `f16`, `bf16`, `f32`, `f64`, `(f32, f32)` and `(f64, f64)`"
)]
pub trait Item: Copy + Send + Sync + 'static {
    /// The element type.
    const DTYPE: DType;
    /// The value of one element's bytes.
    fn read(bytes: &[u8]) -> Self;
    /// An array of these elements; their number must fit.
    fn array(shape: &[usize], elements: &[Self]) -> Array;
}

macro_rules! items {
    ($($rust:ty),+) => { $(impl Item for $rust {
        const DTYPE: DType = <$rust as Element>::DTYPE;
        fn read(bytes: &[u8]) -> Self { bytemuck::pod_read_unaligned(bytes) }
        fn array(shape: &[usize], elements: &[Self]) -> Array { Array::new(shape, elements) }
    })+ };
}
items!(f64, f32, half::f16, half::bf16, i8, i16, i32, i64, u16, u32, u64);

impl Item for bool {
    const DTYPE: DType = DType::I1;
    fn read(bytes: &[u8]) -> Self {
        bytes[0] != 0
    }
    fn array(shape: &[usize], elements: &[Self]) -> Array {
        Array::new_bool(shape, elements)
    }
}
impl Item for u8 {
    const DTYPE: DType = DType::U8;
    fn read(bytes: &[u8]) -> Self {
        bytes[0]
    }
    fn array(shape: &[usize], elements: &[Self]) -> Array {
        Array::from_bytes(TensorType::new(DType::U8, shape), elements)
    }
}

/// Complex numbers are pairs of their parts.
macro_rules! complex_items {
    ($($part:ty, $dtype:ident);+) => { $(impl Item for ($part, $part) {
        const DTYPE: DType = DType::$dtype;
        fn read(bytes: &[u8]) -> Self {
            let [re, im]: [$part; 2] = bytemuck::pod_read_unaligned(bytes);
            (re, im)
        }
        fn array(shape: &[usize], elements: &[Self]) -> Array {
            let parts: Vec<[$part; 2]> = elements.iter().map(|&(re, im)| [re, im]).collect();
            Array::from_bytes(TensorType::new(Self::DTYPE, shape), bytemuck::cast_slice(&parts))
        }
    })+ };
}
complex_items!(f32, C64; f64, C128);

/// Numbers, and lists of them, are tensors of their type.
macro_rules! conversions {
    ($($rust:ty),+) => { $(
    impl From<$rust> for Tensor {
        fn from(value: $rust) -> Tensor { Tensor::from_array(Item::array(&[], &[value])) }
    }
    impl From<&[$rust]> for Tensor {
        fn from(values: &[$rust]) -> Tensor { Tensor::from_array(Item::array(&[values.len()], values)) }
    }
    impl From<Vec<$rust>> for Tensor {
        fn from(values: Vec<$rust>) -> Tensor { Tensor::from(&values[..]) }
    }
    impl<const N: usize> From<[$rust; N]> for Tensor {
        fn from(values: [$rust; N]) -> Tensor { Tensor::from(&values[..]) }
    }
    impl<const N: usize, const M: usize> From<[[$rust; N]; M]> for Tensor {
        fn from(values: [[$rust; N]; M]) -> Tensor { Tensor::from_array(Item::array(&[M, N], values.as_flattened())) }
    })+ };
}
conversions!(
    bool,
    f64,
    f32,
    half::f16,
    half::bf16,
    i8,
    i16,
    i32,
    i64,
    u8,
    u16,
    u32,
    u64,
    (f32, f32),
    (f64, f64)
);

impl From<Array> for Tensor {
    fn from(array: Array) -> Tensor {
        Tensor::from_array(array)
    }
}
