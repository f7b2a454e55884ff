//! Changes of element type and of precision.

use super::number::{Number, Wide};
use super::{Accepts, build, dispatch, elements, no_tangents, result, tensors};
use crate::array::Array;
use crate::ensure;
use crate::func::Module;
use crate::op::{BitcastConvert, Convert, ReducePrecision};
use crate::ops::batching;
use crate::rules::{Batched, Mapped};
use crate::rules::{Emit, EvalError, Evaluate, Jvp, OpDef, Operand, Tangents, Transpose, TypeError, Types};
use crate::types::{DType, DTypeClass, Type};
use crate::work::Sizes;
use smallvec::smallvec;

/// The elements in another type: rounded to nearest even, integers wrapped, floats to integers saturated.
pub fn convert(x: &Array, dtype: DType) -> Result<Array, EvalError> {
    fn from<T: Number>(x: &Array, dtype: DType) -> Result<Array, EvalError> {
        fn to<U: Number>(shape: &[usize], dtype: DType, at: &dyn Fn(usize) -> Wide) -> Array {
            build(dtype, shape, |i| U::narrow(at(i)))
        }
        let v = elements::<T>(x);
        // Named, because the macro writes its arguments down once per type.
        let at = |i: usize| T::widen(v[i]);
        dispatch!(dtype, "stablehlo.convert", to(x.shape(), dtype, &at))
    }
    if x.dtype() == dtype {
        return Ok(x.clone());
    }
    dispatch!(x.dtype(), "stablehlo.convert", from(x, dtype))?
}

impl OpDef for Convert {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let [x] = tensors(operands)?;
        result(x.with_dtype(self.dtype))
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        Ok(vec![convert(&operands[0], self.dtype)?])
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        x.result(0)
    }

    fn jvp(&self, e: &mut dyn Emit, j: Jvp<'_>) -> Tangents {
        let differentiable = e.ty(j.results[0]).dtype.is_differentiable();
        smallvec![j.tangents[0].filter(|_| differentiable).map(|t| e.one(self.clone(), &[t]))]
    }

    fn transpose(&self, e: &mut dyn Emit, x: Transpose<'_>) -> Tangents {
        let Operand::Linear(ty) = &x.operands[0] else { return no_tangents(1) };
        smallvec![x.cotangents[0].map(|c| e.one(Convert { dtype: ty.dtype }, &[c]))]
    }

    fn is_linear(&self, linear: &[bool]) -> bool {
        linear == [true] && self.dtype.is_differentiable()
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        batching::elementwise(e, size, self.clone().into(), operands)
    }
}

impl OpDef for BitcastConvert {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let [x] = tensors(operands)?;
        let (from, to) = (x.dtype.bits(), self.ty.dtype.bits());
        let (narrow, wide) = if from > to { (&self.ty, x) } else { (x, &self.ty) };
        let fits = if from == to {
            x.shape == self.ty.shape
        } else {
            narrow.rank() == wide.rank() + 1
                && narrow.shape[..wide.rank()] == wide.shape[..]
                && narrow.shape[wide.rank()].checked_mul(narrow.dtype.bits()) == Some(wide.dtype.bits())
        };
        ensure!(fits, "C1", "the bits of {x} do not make {}", self.ty);
        ensure!(
            x.dtype.is_complex() == self.ty.dtype.is_complex(),
            "C2",
            "complex bits become complex bits only"
        );
        result(self.ty.clone())
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let x = &operands[0];
        // The element nearest the start holds the low bits: memory order on a little-endian machine.
        let mut ty = self.ty.clone();
        if ty.dtype.bits() == x.dtype().bits() {
            ty.shape = x.shape().into();
        }
        // Types of less than a byte are stored unpacked, so their bytes are not their bits.
        let unpacked = |d: DType| d.bits() < 8 && x.dtype() != self.ty.dtype;
        if unpacked(x.dtype()) || unpacked(ty.dtype) {
            return Ok(vec![Array::from_bytes(ty.clone(), &repacked(x, ty.dtype))]);
        }
        Ok(vec![Array::from_aligned(ty, x.shared().clone())])
    }

    fn jvp(&self, _: &mut dyn Emit, _: Jvp<'_>) -> Tangents {
        no_tangents(1)
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        let shape = batching::inserted(&self.ty.shape, 0, size);
        batching::leading(e, size, BitcastConvert { ty: self.ty.with_shape(&shape) }, operands)
    }
}

/// The bytes of the elements of another type that the bits of these make, one after the other.
fn repacked(x: &Array, to: DType) -> Vec<u8> {
    let (from_bits, from_size, to_size) = (x.dtype().bits(), x.dtype().size(), to.size());
    let bits: Vec<bool> = x
        .bytes()
        .chunks_exact(from_size)
        .flat_map(|element| (0..from_bits).map(move |k| element[k / 8] >> (k % 8) & 1 == 1))
        .collect();
    let extends = to.class() == DTypeClass::Signed;
    let element = |bits: &[bool]| {
        let mut out = vec![0u8; to_size];
        for k in 0..to_size * 8 {
            let bit = bits.get(k).copied().unwrap_or(extends && bits[bits.len() - 1]);
            out[k / 8] |= (bit as u8) << (k % 8);
        }
        out
    };
    bits.chunks_exact(to.bits()).flat_map(element).collect()
}

impl OpDef for ReducePrecision {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let [x] = tensors(operands)?;
        Accepts::FLOAT.check(x)?;
        ensure!(self.exponent_bits >= 1, "C2", "exponent_bits must be at least 1");
        result(x.clone())
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let x = &operands[0];
        let round = |bits: u64, exponent: u32, mantissa: u32| {
            reduce_precision(bits, exponent, mantissa, self.exponent_bits as u32, self.mantissa_bits as u32)
        };
        Ok(vec![match x.dtype() {
            DType::F64 => {
                let v = elements::<f64>(x);
                build(DType::F64, x.shape(), |i| f64::from_bits(round(v[i].to_bits(), 11, 52)))
            }
            DType::F32 => {
                let v = elements::<f32>(x);
                build(DType::F32, x.shape(), |i| f32::from_bits(round(v[i].to_bits() as u64, 8, 23) as u32))
            }
            DType::F16 | DType::BF16 => {
                let (exponent, mantissa) = if x.dtype() == DType::F16 { (5, 10) } else { (8, 7) };
                let v: &[u16] = bytemuck::cast_slice(x.bytes());
                build(x.dtype(), x.shape(), |i| round(v[i] as u64, exponent, mantissa) as u16)
            }
            // Of the other floats, all of which are numbers of binary32, the nearest in the type itself.
            dtype => {
                let f32s = convert(x, DType::F32)?;
                let v = elements::<f32>(&f32s);
                let rounded = build(DType::F32, x.shape(), |i| {
                    f32::from_bits(round(v[i].to_bits() as u64, 8, 23) as u32)
                });
                convert(&rounded, dtype)?
            }
        }])
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        x.result(0)
    }

    fn jvp(&self, e: &mut dyn Emit, j: Jvp<'_>) -> Tangents {
        smallvec![j.tangents[0].map(|t| e.one(self.clone(), &[t]))]
    }

    fn transpose(&self, e: &mut dyn Emit, x: Transpose<'_>) -> Tangents {
        smallvec![x.cotangents[0].map(|c| e.one(self.clone(), &[c]))]
    }

    fn is_linear(&self, linear: &[bool]) -> bool {
        linear == [true]
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        batching::elementwise(e, size, self.clone().into(), operands)
    }
}

/// Rounds the bits of a float with `exponent` and `mantissa` bits to what fits in `to_exponent` and
/// `to_mantissa` bits: to nearest even, overflow to infinity, underflow to a zero of the same sign.
fn reduce_precision(bits: u64, exponent: u32, mantissa: u32, to_exponent: u32, to_mantissa: u32) -> u64 {
    let sign = bits & (1 << (exponent + mantissa));
    let mut size = bits ^ sign;
    let infinity = ((1u64 << exponent) - 1) << mantissa;
    if size > infinity {
        // A NaN without mantissa bits to say so becomes an infinity, as in XLA.
        return if to_mantissa > 0 { bits } else { sign | infinity };
    }
    if to_mantissa < mantissa {
        let drop = mantissa - to_mantissa;
        let odd = (size >> drop) & 1;
        // A carry runs into the exponent, which is right.
        size = (size + (1 << (drop - 1)) - 1 + odd) >> drop << drop;
    }
    if to_exponent < exponent {
        let bias = (1i64 << (exponent - 1)) - 1;
        let to_bias = (1i64 << (to_exponent - 1)) - 1;
        let power = (size >> mantissa) as i64 - bias;
        if power > to_bias {
            size = infinity;
        } else if power <= -to_bias {
            size = 0;
        }
    }
    sign | size
}
