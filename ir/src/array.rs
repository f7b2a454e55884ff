//! Values: [`Array`], a dense tensor in host memory, and [`Literal`], a constant that may be a splat.
//!
//! Elements lie row-major in 64-byte aligned bytes; `i1` is one byte of 0 or 1, sub-byte types take
//! a byte each. Cloning shares the bytes; writing to a shared array copies it first.

pub use crate::bytes::Bytes;
use crate::minifloat;
use crate::types::{DType, DTypeClass, TensorType};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A Rust type that is the memory form of an element type.
///
/// `bool` has no implementation because a byte may hold anything; `i1` is `u8` here, 0 or 1.
pub trait Element: bytemuck::Pod + PartialEq + fmt::Debug + Send + Sync {
    /// The element type.
    const DTYPE: DType;
}

macro_rules! elements {
    ($($rust:ty => $dtype:ident),+) => { $(impl Element for $rust { const DTYPE: DType = DType::$dtype; })+ };
}
elements!(f64 => F64, f32 => F32, half::f16 => F16, half::bf16 => BF16,
          i8 => I8, i16 => I16, i32 => I32, i64 => I64, u16 => U16, u32 => U32, u64 => U64);

/// The integer (or truth value) that an element's bytes are; what `i64` cannot hold saturates. `None` for other types.
pub fn integer(dtype: DType, element: &[u8]) -> Option<i64> {
    let mut wide = [0; 8];
    wide.get_mut(..element.len())?.copy_from_slice(element);
    let (bits, unused) = (u64::from_le_bytes(wide), 64 - 8 * element.len() as u32);
    match dtype.class() {
        DTypeClass::Signed => Some((bits << unused) as i64 >> unused),
        DTypeClass::Unsigned | DTypeClass::Bool => Some(i64::try_from(bits).unwrap_or(i64::MAX)),
        DTypeClass::Float | DTypeClass::Complex => None,
    }
}

/// A dense tensor in host memory.
#[derive(Clone)]
pub struct Array {
    ty: TensorType,
    bytes: Arc<Bytes>,
}

impl Array {
    /// All elements zero (`false` for `i1`; of powers of two, among which there is no zero, the least).
    pub fn zeros(ty: TensorType) -> Self {
        let bytes = Bytes::zeroed(ty.bytes());
        Self { ty, bytes: Arc::new(bytes) }
    }

    /// An array over bytes in memory order. Panics if their number does not fit the type.
    pub fn from_bytes(ty: TensorType, bytes: &[u8]) -> Self {
        assert_eq!(bytes.len(), ty.bytes(), "bytes of {ty}");
        Self { ty, bytes: Arc::new(Bytes::from_slice(bytes)) }
    }

    /// An array that takes aligned bytes as they are. Panics if their number does not fit the type.
    pub fn from_aligned(ty: TensorType, bytes: Arc<Bytes>) -> Self {
        assert_eq!(bytes.len(), ty.bytes(), "bytes of {ty}");
        Self { ty, bytes }
    }

    /// An array of `shape` from its elements in row-major order. Panics if their number is wrong.
    pub fn new<T: Element>(shape: &[usize], elements: &[T]) -> Self {
        Self::from_bytes(TensorType::new(T::DTYPE, shape), bytemuck::cast_slice(elements))
    }

    /// An `i1` array of `shape`. Panics if the number of elements is wrong.
    pub fn new_bool(shape: &[usize], elements: &[bool]) -> Self {
        let bytes: Vec<u8> = elements.iter().map(|&b| b as u8).collect();
        Self::from_bytes(TensorType::new(DType::I1, shape), &bytes)
    }

    /// A rank-0 array.
    pub fn scalar<T: Element>(value: T) -> Self {
        Self::new(&[], &[value])
    }

    /// Element type and shape.
    pub fn ty(&self) -> &TensorType {
        &self.ty
    }

    /// Element type.
    pub fn dtype(&self) -> DType {
        self.ty.dtype
    }

    /// Sizes, outermost first.
    pub fn shape(&self) -> &[usize] {
        &self.ty.shape
    }

    /// The elements' bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The shared bytes themselves.
    pub fn shared(&self) -> &Arc<Bytes> {
        &self.bytes
    }

    /// The bytes for writing; copies them first when they are shared.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        if Arc::get_mut(&mut self.bytes).is_none() {
            self.bytes = Arc::new(Bytes::from_slice(&self.bytes));
        }
        Arc::get_mut(&mut self.bytes).expect("just made unique")
    }

    /// The elements. Panics if `T` is not the element type.
    #[track_caller]
    pub fn as_slice<T: Element>(&self) -> &[T] {
        assert_eq!(T::DTYPE, self.ty.dtype, "element type");
        bytemuck::cast_slice(&self.bytes)
    }

    /// The elements for writing. Panics if `T` is not the element type.
    #[track_caller]
    pub fn as_mut_slice<T: Element>(&mut self) -> &mut [T] {
        assert_eq!(T::DTYPE, self.ty.dtype, "element type");
        bytemuck::cast_slice_mut(self.bytes_mut())
    }

    /// The elements as [`integer`]s. `None` if the type is not one of integers or truth values.
    pub fn integers(&self) -> Option<Vec<i64>> {
        // Those of which there are many, tables of places, without asking each element for its type.
        if self.dtype() == DType::I32 {
            return Some(self.as_slice::<i32>().iter().map(|&x| x.into()).collect());
        }
        if self.dtype() == DType::I64 {
            return Some(self.as_slice::<i64>().to_vec());
        }
        self.bytes.chunks_exact(self.dtype().size()).map(|b| integer(self.dtype(), b)).collect()
    }

    /// The same elements under another shape. Panics if the number of elements differs.
    pub fn reshaped(&self, shape: &[usize]) -> Self {
        Self::from_aligned(self.ty.with_shape(shape), self.bytes.clone())
    }
}

/// Equality is of types and of bits: NaN equals itself, `-0.0` differs from `0.0`.
impl PartialEq for Array {
    fn eq(&self, other: &Self) -> bool {
        self.ty == other.ty && self.bytes[..] == other.bytes[..]
    }
}
impl Eq for Array {}

impl Hash for Array {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.ty.hash(state);
        self.bytes[..].hash(state);
    }
}

impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Array({}, ", self.ty)?;
        match self.ty.dtype {
            DType::F64 => write!(f, "{:?})", self.as_slice::<f64>()),
            DType::F32 => write!(f, "{:?})", self.as_slice::<f32>()),
            DType::I64 => write!(f, "{:?})", self.as_slice::<i64>()),
            DType::I32 => write!(f, "{:?})", self.as_slice::<i32>()),
            DType::U64 => write!(f, "{:?})", self.as_slice::<u64>()),
            DType::U32 => write!(f, "{:?})", self.as_slice::<u32>()),
            DType::C64 => write!(f, "{:?})", bytemuck::cast_slice::<u8, [f32; 2]>(&self.bytes)),
            DType::C128 => write!(f, "{:?})", bytemuck::cast_slice::<u8, [f64; 2]>(&self.bytes)),
            DType::F16 => write!(f, "{:?})", self.as_slice::<half::f16>()),
            DType::BF16 => write!(f, "{:?})", self.as_slice::<half::bf16>()),
            _ => write!(f, "{:02x?})", &self.bytes[..]),
        }
    }
}

/// A constant: either every element, or one element that all share (a splat, of any size at no cost).
#[derive(Clone)]
pub struct Literal {
    ty: TensorType,
    /// One element's bytes if splat, else all of them.
    bytes: Arc<Bytes>,
}

impl Literal {
    /// A literal from an array; becomes a splat if all elements have the same bits.
    pub fn from_array(array: &Array) -> Self {
        let size = array.dtype().size();
        let splat = !array.bytes().is_empty()
            && array.bytes().chunks_exact(size).all(|c| c == &array.bytes()[..size]);
        if splat {
            Self::splat_bytes(array.ty().clone(), &array.bytes()[..size])
        } else {
            Self { ty: array.ty.clone(), bytes: array.bytes.clone() }
        }
    }

    /// Every element has these bytes. Panics if they are not one element long.
    pub fn splat_bytes(ty: TensorType, element: &[u8]) -> Self {
        assert_eq!(element.len(), ty.dtype.size(), "one element of {ty}");
        let empty = ty.shape.contains(&0);
        Self { ty, bytes: Arc::new(Bytes::from_slice(if empty { &[] } else { element })) }
    }

    /// Every element is zero, as [`Array::zeros`] has it.
    pub fn zeros(ty: TensorType) -> Self {
        let element = vec![0; ty.dtype.size()];
        Self::splat_bytes(ty, &element)
    }

    /// Every element is `value`, rounded to the element type (integers wrap, `i1` is `value != 0`).
    /// A complex one has no imaginary part.
    pub fn splat(ty: TensorType, value: f64) -> Self {
        let bytes: Vec<u8> = match ty.dtype {
            DType::F64 => value.to_le_bytes().into(),
            DType::F32 => (value as f32).to_le_bytes().into(),
            DType::F16 => minifloat::f16_from_f64(value).to_le_bytes().into(),
            DType::BF16 => minifloat::bf16_from_f64(value).to_le_bytes().into(),
            DType::I64 => (value as i64).to_le_bytes().into(),
            DType::I32 => (value as i64 as i32).to_le_bytes().into(),
            DType::I16 => (value as i64 as i16).to_le_bytes().into(),
            DType::I8 => (value as i64 as i8).to_le_bytes().into(),
            DType::U64 => (value as u64).to_le_bytes().into(),
            DType::U32 => (value as u64 as u32).to_le_bytes().into(),
            DType::U16 => (value as u64 as u16).to_le_bytes().into(),
            DType::U8 => (value as u64 as u8).to_le_bytes().into(),
            DType::I1 => vec![(value != 0.0) as u8],
            DType::C64 => [(value as f32).to_le_bytes(), 0f32.to_le_bytes()].concat(),
            DType::C128 => [value.to_le_bytes(), 0f64.to_le_bytes()].concat(),
            DType::I4 => vec![((value as i64 as i8) << 4 >> 4) as u8],
            DType::I2 => vec![((value as i64 as i8) << 6 >> 6) as u8],
            DType::U4 => vec![value as u64 as u8 & 0xF],
            DType::U2 => vec![value as u64 as u8 & 3],
            DType::F4E2M1FN
            | DType::F6E2M3FN
            | DType::F6E3M2FN
            | DType::F8E8M0FNU
            | DType::F8E4M3FN
            | DType::F8E5M2
            | DType::F8E4M3
            | DType::F8E4M3B11FNUZ
            | DType::F8E4M3FNUZ
            | DType::F8E5M2FNUZ
            | DType::F8E3M4 => vec![minifloat::encode(ty.dtype, value)],
        };
        Self::splat_bytes(ty, &bytes)
    }

    /// Element type and shape.
    pub fn ty(&self) -> &TensorType {
        &self.ty
    }

    /// The one element's bytes if all elements are the same and there is at least one.
    pub fn as_splat(&self) -> Option<&[u8]> {
        (!self.bytes.is_empty() && self.bytes.len() == self.ty.dtype.size()).then_some(&self.bytes[..])
    }

    /// The splat as a number, if it is one and the type is real. `u64` and `i64` may round.
    pub fn splat_value(&self) -> Option<f64> {
        let b = self.as_splat()?;
        Some(match self.ty.dtype {
            DType::F64 => f64::from_le_bytes(b.try_into().ok()?),
            DType::F32 => f32::from_le_bytes(b.try_into().ok()?) as f64,
            DType::I64 => i64::from_le_bytes(b.try_into().ok()?) as f64,
            DType::I32 => i32::from_le_bytes(b.try_into().ok()?) as f64,
            DType::U64 => u64::from_le_bytes(b.try_into().ok()?) as f64,
            DType::U32 => u32::from_le_bytes(b.try_into().ok()?) as f64,
            DType::I16 => i16::from_le_bytes(b.try_into().ok()?) as f64,
            DType::U16 => u16::from_le_bytes(b.try_into().ok()?) as f64,
            DType::I8 | DType::I4 | DType::I2 => b[0] as i8 as f64,
            DType::U8 | DType::U4 | DType::U2 => b[0] as f64,
            DType::F16 => half::f16::from_le_bytes(b.try_into().ok()?).to_f64(),
            DType::BF16 => half::bf16::from_le_bytes(b.try_into().ok()?).to_f64(),
            DType::I1 => (b[0] != 0) as u8 as f64,
            DType::C64 | DType::C128 => return None,
            DType::F4E2M1FN
            | DType::F6E2M3FN
            | DType::F6E3M2FN
            | DType::F8E8M0FNU
            | DType::F8E4M3FN
            | DType::F8E5M2
            | DType::F8E4M3
            | DType::F8E4M3B11FNUZ
            | DType::F8E4M3FNUZ
            | DType::F8E5M2FNUZ
            | DType::F8E3M4 => minifloat::decode(self.ty.dtype, b[0]),
        })
    }

    /// The splat as an [`integer`], if it is one.
    pub fn splat_integer(&self) -> Option<i64> {
        integer(self.ty.dtype, self.as_splat()?)
    }

    /// The stored bytes: one element's if splat, else all.
    pub fn stored_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The literal with another shape of as many elements. Panics if the number differs.
    pub fn reshaped(&self, shape: &[usize]) -> Self {
        let ty = self.ty.with_shape(shape);
        assert_eq!(ty.checked_elements(), self.ty.checked_elements(), "elements of {ty}");
        Self { ty, bytes: self.bytes.clone() }
    }

    /// Every element in memory.
    pub fn to_array(&self) -> Array {
        match self.as_splat() {
            None => Array::from_aligned(self.ty.clone(), self.bytes.clone()),
            Some(element) => {
                let mut array = Array::zeros(self.ty.clone());
                if element.iter().any(|&b| b != 0) {
                    for chunk in array.bytes_mut().chunks_exact_mut(element.len()) {
                        chunk.copy_from_slice(element);
                    }
                }
                array
            }
        }
    }
}

impl PartialEq for Literal {
    fn eq(&self, other: &Self) -> bool {
        self.ty == other.ty && self.bytes[..] == other.bytes[..]
    }
}
impl Eq for Literal {}

impl Hash for Literal {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.ty.hash(state);
        self.bytes[..].hash(state);
    }
}

impl PartialOrd for Literal {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Literal {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (&self.ty, &self.bytes[..]).cmp(&(&other.ty, &other.bytes[..]))
    }
}

impl fmt::Debug for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.splat_value() {
            Some(v) => write!(f, "Literal({}, splat {v})", self.ty),
            None => write!(f, "Literal({}, {} bytes)", self.ty, self.bytes.len()),
        }
    }
}
