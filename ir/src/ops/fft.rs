//! Discrete Fourier transforms of the last dimensions.
//!
//! All four are linear. A transform of complex numbers is its own transpose. Transposes are without conjugation, and real
//! operands keep the real part: of RFFT it is `IRFFT(conj(ct) n / m)`; of IRFFT, `conj RFFT(ct) m / n`, where `m` is 2 for the
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
use bytemuck::Pod;
use smallvec::smallvec;
use wengert_libraries::{Complex, Transforms};

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
                    // Of no numbers, what is nothing may have a term: `irfft` of one asks for 2 * (1 - 1).
                    last == wanted || last == DYNAMIC || length == 0 && last == 1,
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
    /// The transform of numbers of this precision; `None` if the bytes do not lie as such numbers do.
    fn transformed<T: Transforms + Pod>(&self, x: &[u8], result: &mut [u8], dims: [&[usize]; 2]) -> Option<()>
    where
        Complex<T>: Pod,
    {
        let [from, to] = dims.map(|dims| &dims[dims.len() - self.length.len()..]);
        if x.is_empty() || result.is_empty() {
            result.fill(0);
            return Some(());
        }
        match self.kind {
            FftType::Fft => T::complex(numbers(x)?, numbers_mut(result)?, from, false),
            FftType::Ifft => T::complex(numbers(x)?, numbers_mut(result)?, from, true),
            FftType::Rfft => T::forward(numbers(x)?, numbers_mut(result)?, from),
            FftType::Irfft => T::inverse(numbers(x)?, numbers_mut(result)?, to),
        }
        Some(())
    }
}

fn numbers<N: Pod>(bytes: &[u8]) -> Option<&[N]> {
    bytemuck::try_cast_slice(bytes).ok()
}

fn numbers_mut<N: Pod>(bytes: &mut [u8]) -> Option<&mut [N]> {
    bytemuck::try_cast_slice_mut(bytes).ok()
}

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
        let mut out = Array::zeros(ty.clone());
        self.eval_into(&[(x.ty(), x.bytes())], &mut [(&ty, out.bytes_mut())]).expect("arrays are aligned")?;
        Ok(vec![out])
    }

    fn eval_into(
        &self,
        operands: &[(&TensorType, &[u8])],
        results: &mut [(&TensorType, &mut [u8])],
    ) -> Option<Result<(), EvalError>> {
        let ([(from, x)], [(to, result)]) = (operands, results) else { return None };
        let dims = [&from.shape[..], &to.shape[..]];
        if matches!(to.dtype, DType::C64 | DType::F32) {
            self.transformed::<f32>(x, result, dims)
        } else {
            self.transformed::<f64>(x, result, dims)
        }
        .map(Ok)
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
            FftType::Rfft => self.transpose_real(e, ct),
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
    /// How often each of the `half` terms of a real transform of `n` numbers stands in the whole one, times a factor: once the
    /// first and, of an even length, the last, the others twice. Of the shape and type of `like`.
    fn weights(&self, e: &mut dyn Emit, like: &TensorType, [once, twice]: [f64; 2]) -> Term {
        let (half, n) = (like.shape[like.rank() - 1], self.length[self.length.len() - 1]);
        let index = e.one(Iota { ty: TensorType::new(DType::I64, &[half]), dim: 0 }, &[]);
        let first = e.splat_like(index, 0.0);
        let mut single = e.compare(Direction::Eq, index, first);
        if n % 2 == 0 {
            let last = e.splat_like(index, (n / 2) as f64);
            let last = e.compare(Direction::Eq, index, last);
            single = e.binary(BinaryOp::Or, single, last);
        }
        let ty = TensorType::new(like.dtype.part(), &[half]);
        let (once, twice) = (e.splat(ty.clone(), once), e.splat(ty, twice));
        let weights = e.select(single, once, twice);
        let weights = e.convert(weights, like.dtype);
        e.broadcast_in_dim(weights, &like.shape, &[like.rank() - 1])
    }

    fn transpose_real(&self, e: &mut dyn Emit, ct: Term) -> Term {
        let ty = e.ty(ct);
        let all: usize = self.length.iter().product();
        // The inverse gives terms that stand for two twice, and all by 1 / n.
        let weights = self.weights(e, &ty, [all as f64, all as f64 / 2.0]);
        let ct = e.unary(UnaryOp::Conj, ct);
        let terms = e.mul(ct, weights);
        e.one(Fft { kind: FftType::Irfft, length: self.length.clone() }, &[terms])
    }

    fn transpose_inverse_real(&self, e: &mut dyn Emit, ct: Term, x: &TensorType) -> Term {
        let terms = e.one(Fft { kind: FftType::Rfft, length: self.length.clone() }, &[ct]);
        let terms = e.unary(UnaryOp::Conj, terms);
        let all: usize = self.length.iter().product();
        let weights = self.weights(e, x, [1.0 / all as f64, 2.0 / all as f64]);
        e.mul(terms, weights)
    }
}
