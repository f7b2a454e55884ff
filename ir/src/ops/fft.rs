//! Discrete Fourier transforms of the last dimensions.
//!
//! All four are linear. A transform of complex numbers is its own transpose. Transposes are without conjugation, and real
//! operands keep the real part: of RFFT it is `Re FFT(ct, padded with zeros)`; of IRFFT, `conj RFFT(ct) m / n`, where `m` is 2 for the
//! terms that stand for two, and 1 for the first and, if the length is even, the last.

use super::shape::{linear, tensors};
use crate::array::Array;
use crate::ensure;
use crate::func::Module;
use crate::op::*;
use crate::ops::batching;
use crate::rules::{Batched, Mapped};
use crate::rules::{
    Emit, EvalError, Evaluate, Jvp, OpDef, Tangents, Term, Transpose as Cotangents, TypeError, Types,
};
use crate::types::{DType, DYNAMIC, TensorType, Type};
use crate::work::{Sizes, log2};
use smallvec::{SmallVec, smallvec};
use wengert_libraries::{Complex32, Complex64, Plan, SinglePlan};

impl Fft {
    /// How many values of the transformed dimension `d` (of the result's `rank`) a real transform has.
    fn half(n: usize) -> usize {
        if n == 0 { 0 } else { n / 2 + 1 }
    }

    fn result(&self, x: &TensorType) -> Result<TensorType, TypeError> {
        let (rank, count) = (x.rank(), self.length.len());
        let mut out = x.clone();
        match self.kind {
            FftType::Fft | FftType::Ifft => {
                ensure!(
                    x.dtype.is_complex(),
                    "C2",
                    "{} takes complex numbers, not {}",
                    self.kind.name(),
                    x.dtype
                );
            }
            FftType::Rfft => {
                ensure!(
                    matches!(x.dtype, DType::F32 | DType::F64),
                    "C2",
                    "RFFT takes f32 or f64, not {}",
                    x.dtype
                );
                for (&n, &length) in x.shape[rank - count..].iter().zip(&self.length) {
                    ensure!(
                        n == length || n == DYNAMIC,
                        "C4",
                        "fft_length {length} for a dimension of size {n}"
                    );
                }
                out.dtype = if x.dtype == DType::F32 { DType::C64 } else { DType::C128 };
                let last = &mut out.shape[rank - 1];
                *last = if *last == DYNAMIC { DYNAMIC } else { Fft::half(*last) };
            }
            FftType::Irfft => {
                ensure!(x.dtype.is_complex(), "C2", "IRFFT takes complex numbers, not {}", x.dtype);
                let (others, last) = (&x.shape[rank - count..rank - 1], x.shape[rank - 1]);
                for (&n, &length) in others.iter().zip(&self.length) {
                    ensure!(
                        n == length || n == DYNAMIC,
                        "C4",
                        "fft_length {length} for a dimension of size {n}"
                    );
                }
                let length = self.length[count - 1];
                let wanted = Fft::half(length);
                ensure!(
                    last == wanted || last == DYNAMIC,
                    "C5",
                    "a real transform of length {length} has {wanted} terms, not {last}"
                );
                out.dtype = if x.dtype == DType::C64 { DType::F32 } else { DType::F64 };
                out.shape[rank - 1] = length;
            }
        }
        Ok(out)
    }
}

impl Fft {
    /// The transform of `x`, of type `ty`, in this precision.
    fn transformed<C: Number>(&self, x: &Array, ty: TensorType) -> Array {
        let (rank, count) = (ty.rank(), self.length.len());
        let first = rank - count;
        let inverse = matches!(self.kind, FftType::Ifft | FftType::Irfft);
        let mut shape = x.shape().to_vec();
        let mut data = C::load(x);
        match self.kind {
            FftType::Fft | FftType::Ifft => (first..rank).for_each(|d| along(&mut data, &shape, d, inverse)),
            FftType::Rfft => {
                along(&mut data, &shape, rank - 1, false);
                let n = shape[rank - 1];
                data = resized(&data, n, ty.shape[rank - 1]);
                shape[rank - 1] = ty.shape[rank - 1];
                (first..rank - 1).for_each(|d| along(&mut data, &shape, d, false));
            }
            FftType::Irfft => {
                (first..rank - 1).for_each(|d| along(&mut data, &shape, d, true));
                let (half, n) = (shape[rank - 1], ty.shape[rank - 1]);
                data = hermitian(&data, half, n);
                shape[rank - 1] = n;
                along(&mut data, &shape, rank - 1, true);
            }
        }
        C::store(ty, &data)
    }
}

/// A complex number of one of two precisions.
trait Number: Copy {
    const ZERO: Self;
    /// How lines are transformed.
    type Plan;
    fn plan(n: usize, inverse: bool) -> Self::Plan;
    fn run(plan: &Self::Plan, lines: &mut [Self]);
    fn scaled(self, by: f64) -> Self;
    fn conjugate(self) -> Self;
    /// Without its imaginary part.
    fn real(self) -> Self;
    /// The elements of an array of numbers of this precision, real or complex.
    fn load(x: &Array) -> Vec<Self>;
    /// An array of numbers of this precision; of a real type it keeps real parts.
    fn store(ty: TensorType, elements: &[Self]) -> Array;
}

macro_rules! number {
    ($number:ident of $part:ident by $plan:ident) => {
        impl Number for $number {
            const ZERO: Self = $number::ZERO;
            type Plan = $plan;
            fn plan(n: usize, inverse: bool) -> $plan {
                $plan::new(n, inverse)
            }
            fn run(plan: &$plan, lines: &mut [Self]) {
                plan.run(lines);
            }
            fn scaled(self, by: f64) -> Self {
                self * by as $part
            }
            fn conjugate(self) -> Self {
                self.conj()
            }
            fn real(self) -> Self {
                $number::new(self.re, 0.0)
            }
            fn load(x: &Array) -> Vec<Self> {
                let parts: &[$part] = bytemuck::cast_slice(x.bytes());
                match x.dtype().is_complex() {
                    true => parts.chunks_exact(2).map(|p| $number::new(p[0], p[1])).collect(),
                    false => parts.iter().map(|&re| $number::new(re, 0.0)).collect(),
                }
            }
            fn store(ty: TensorType, elements: &[Self]) -> Array {
                let is_complex = ty.dtype.is_complex();
                let mut out = Array::zeros(ty);
                let parts: &mut [$part] = bytemuck::cast_slice_mut(out.bytes_mut());
                if is_complex {
                    parts
                        .chunks_exact_mut(2)
                        .zip(elements)
                        .for_each(|(p, z)| p.copy_from_slice(&[z.re, z.im]));
                } else {
                    parts.iter_mut().zip(elements).for_each(|(p, z)| *p = z.re);
                }
                out
            }
        }
    };
}
number!(Complex32 of f32 by SinglePlan);
number!(Complex64 of f64 by Plan);

impl OpDef for Fft {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let x = tensors(operands, 1)?[0];
        let count = self.length.len();
        ensure!(count <= x.rank(), "C1", "{count} lengths for an operand of rank {}", x.rank());
        ensure!((1..=3).contains(&count), "C3", "takes 1 to 3 lengths, got {count}");
        Ok(smallvec![Type::Tensor(self.result(x)?)])
    }

    fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let x = &operands[0];
        let ty = self.result(x.ty()).map_err(|e| EvalError::Unsupported(e.to_string()))?;
        cx.reserve(&ty)?;
        let is_single = matches!(ty.dtype, DType::C64 | DType::F32);
        Ok(vec![if is_single {
            self.transformed::<Complex32>(x, ty)
        } else {
            self.transformed::<Complex64>(x, ty)
        }])
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        let points = self.length.iter().map(|&n| n as u64).fold(1, u64::saturating_mul);
        x.result(0).saturating_mul(5).saturating_mul(log2(points))
    }

    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        smallvec![x.tangents[0].map(|t| e.one(self.clone(), &[t]))]
    }

    fn transpose(&self, e: &mut dyn Emit, x: Cotangents<'_>) -> Tangents {
        let (Some(ct), Some(ty)) = (x.cotangents[0], linear(&x, 0)) else { return smallvec![None] };
        if ty.shape.contains(&0) || e.ty(ct).shape.contains(&0) {
            return smallvec![None];
        }
        smallvec![Some(match self.kind {
            FftType::Fft | FftType::Ifft => e.one(self.clone(), &[ct]),
            FftType::Rfft => self.transpose_real(e, ct, ty),
            FftType::Irfft => self.transpose_inverse_real(e, ct, ty),
        })]
    }

    fn is_linear(&self, linear: &[bool]) -> bool {
        linear[0]
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        batching::leading(e, size, self.clone(), operands)
    }
}

impl Fft {
    fn transpose_real(&self, e: &mut dyn Emit, ct: Term, x: &TensorType) -> Term {
        let rank = x.rank();
        let from = e.ty(ct);
        let none: SmallVec<[i64; 4]> = SmallVec::from_elem(0, rank);
        let mut high = none.clone();
        high[rank - 1] = x.shape[rank - 1] as i64 - from.shape[rank - 1] as i64;
        let zero = e.zero(TensorType::scalar(from.dtype));
        let padded = e.one(Pad { low: none.clone(), high, interior: none }, &[ct, zero]);
        let whole = e.one(Fft { kind: FftType::Fft, length: self.length.clone() }, &[padded]);
        e.unary(UnaryOp::Real, whole)
    }

    fn transpose_inverse_real(&self, e: &mut dyn Emit, ct: Term, x: &TensorType) -> Term {
        let terms = e.one(Fft { kind: FftType::Rfft, length: self.length.clone() }, &[ct]);
        let terms = e.unary(UnaryOp::Conj, terms);
        let (half, n) = (x.shape[x.rank() - 1], self.length[self.length.len() - 1]);
        let all: usize = self.length.iter().product();
        // The first term and, of an even length, the last stand for themselves, the others for two.
        let index = e.one(Iota { ty: TensorType::new(DType::I64, &[half]), dim: 0 }, &[]);
        let first = e.splat_like(index, 0.0);
        let mut single = e.compare(Direction::Eq, index, first);
        if n % 2 == 0 {
            let last = e.splat_like(index, (n / 2) as f64);
            let last = e.compare(Direction::Eq, index, last);
            single = e.binary(BinaryOp::Or, single, last);
        }
        let ty = TensorType::new(x.dtype.part(), &[half]);
        let (one, two) = (e.splat(ty.clone(), 1.0 / all as f64), e.splat(ty, 2.0 / all as f64));
        let weights = e.select(single, one, two);
        let weights = e.convert(weights, x.dtype);
        let weights = e.broadcast_in_dim(weights, &x.shape, &[x.rank() - 1]);
        e.mul(terms, weights)
    }
}

/// Transforms every line along a dimension.
fn along<C: Number>(data: &mut [C], shape: &[usize], dim: usize, inverse: bool) {
    let n = shape[dim];
    if data.is_empty() || n == 0 {
        return;
    }
    let plan = C::plan(n, inverse);
    let inner: usize = shape[dim + 1..].iter().product();
    let outer = data.len() / (n * inner);
    let scale = if inverse { 1.0 / n as f64 } else { 1.0 };
    if inner == 1 {
        C::run(&plan, data);
        if inverse {
            data.iter_mut().for_each(|z| *z = z.scaled(scale));
        }
        return;
    }
    // Neighbours in memory are of neighbouring lines: as many lines at a time as share a line of the cache.
    let most = LINES.min(inner);
    let mut lines = vec![C::ZERO; most * n];
    for o in 0..outer {
        for first in (0..inner).step_by(most) {
            let count = most.min(inner - first);
            let lines = &mut lines[..count * n];
            for k in 0..n {
                let from = &data[(o * n + k) * inner + first..][..count];
                from.iter().enumerate().for_each(|(i, z)| lines[i * n + k] = *z);
            }
            C::run(&plan, lines);
            for k in 0..n {
                let to = &mut data[(o * n + k) * inner + first..][..count];
                to.iter_mut().enumerate().for_each(|(i, z)| {
                    let line = lines[i * n + k];
                    *z = if inverse { line.scaled(scale) } else { line };
                });
            }
        }
    }
}

/// Lines that are transformed at a time where they do not lie one after another.
const LINES: usize = 8;

/// Lines of `from` elements cut to their first `to`.
fn resized<C: Number>(data: &[C], from: usize, to: usize) -> Vec<C> {
    if from == 0 {
        return Vec::new();
    }
    data.chunks_exact(from).flat_map(|line| line[..to].iter().copied()).collect()
}

/// Lines of `half` terms completed to `n` by the conjugates of those in between.
fn hermitian<C: Number>(data: &[C], half: usize, n: usize) -> Vec<C> {
    if half == 0 {
        return Vec::new();
    }
    let one = |line: &[C], k: usize| {
        // The imaginary parts of the first and the middle term have no place in a real result.
        if k == 0 || 2 * k == n {
            line[k].real()
        } else if k < half {
            line[k]
        } else {
            line[n - k].conjugate()
        }
    };
    data.chunks_exact(half).flat_map(|line| (0..n).map(|k| one(line, k)).collect::<Vec<_>>()).collect()
}
