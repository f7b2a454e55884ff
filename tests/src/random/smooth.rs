//! Steps of smooth programs: differentiable, with values that stay small, so that derivatives do too.

use super::Maker;
use wengert_ir::func::Value;
use wengert_ir::op::*;
use wengert_ir::types::{Dims, TensorType};

impl Maker {
    pub(super) fn smooth(&mut self) {
        use UnaryOp::*;
        let x = self.float();
        let ty = self.ty(x);
        match self.below(16) {
            0..=3 => {
                let op = self.random.pick(&[BinaryOp::Add, BinaryOp::Subtract, BinaryOp::Multiply]);
                let y = self.of_type(&ty);
                if let Some(z) = self.hidden(op, &[x, y]) {
                    self.tame(z);
                }
            }
            4..=6 => {
                let op = self.random.pick(&[Sine, Cosine, Tanh, Logistic, Negate, Erf, Atan, Asinh]);
                self.push(op, &[x]);
            }
            7 => {
                // Functions with poles, of arguments away from them.
                let bounded = self.hidden(Tanh, &[x]).expect("a float");
                let two = self.splat(&ty, 2.0);
                let positive = self.hidden(BinaryOp::Add, &[bounded, two]).expect("one type");
                let op = self.random.pick(&[Log, Sqrt, Rsqrt, Exponential, Lgamma, Cbrt, LogPlusOne]);
                self.push(op, &[positive]);
            }
            8 => {
                let y = self.of_type(&ty);
                let bounded = self.hidden(Tanh, &[y]).expect("a float");
                let two = self.splat(&ty, 2.0);
                let away = self.hidden(BinaryOp::Add, &[bounded, two]).expect("one type");
                if self.chance(30) {
                    // A positive base.
                    let base = self.hidden(Logistic, &[x]).expect("a float");
                    self.push(BinaryOp::Power, &[base, away]);
                } else {
                    self.push(BinaryOp::Divide, &[x, away]);
                }
            }
            9 | 10 if ty.rank() > 0 => {
                let dims: Dims = (0..ty.rank()).filter(|_| self.random.bits() >> 20 & 1 == 0).collect();
                let dims = if dims.is_empty() { Dims::from_slice(&[ty.rank() - 1]) } else { dims };
                let zero = self.number(ty.dtype, 0.0);
                let op = self.random.pick(&[BinaryOp::Add, BinaryOp::Add, BinaryOp::Maximum]);
                let init = if op == BinaryOp::Add { zero } else { self.number(ty.dtype, -5.0) };
                if let Some(z) = self.hidden(Reduce { dims, inputs: 1, reducer: Reducer::Op(op) }, &[x, init])
                {
                    self.tame(z);
                }
            }
            11 => {
                let (y, p) = (self.of_type(&ty), self.predicate(&ty.shape));
                self.push(Select {}, &[p, x, y]);
            }
            12 => {
                let y = self.of_type(&ty);
                let op = if self.chance(50) { BinaryOp::Maximum } else { BinaryOp::Minimum };
                self.push(op, &[x, y]);
            }
            13 | 14 => {
                if let Some((op, y)) = self.contraction_of(x)
                    && let Some(z) = self.hidden(op.clone(), &[x, y])
                {
                    self.loose = true;
                    let terms: usize = op.lhs_contracting_dims.iter().map(|&d| ty.shape[d]).product();
                    self.tame_sum(z, terms);
                }
            }
            _ => self.factored(x),
        }
    }

    /// Something bounded instead of what may grow.
    fn tame(&mut self, x: Value) {
        let op = if self.chance(60) { UnaryOp::Sine } else { UnaryOp::Tanh };
        self.push(op, &[x]);
    }

    /// The same of a sum whose order nothing defines. Its mean, not itself: the sine of a thousand is another number
    /// for every order of summation, and a loop makes that error grow on every trip.
    fn tame_sum(&mut self, x: Value, terms: usize) {
        let ty = self.ty(x);
        let scale = self.splat(&ty, 1.0 / terms.max(1) as f64);
        let mean = self.hidden(BinaryOp::Multiply, &[x, scale]).expect("one type");
        self.tame(mean);
    }

    /// Factorizations and Fourier transforms.
    fn factored(&mut self, x: Value) {
        let ty = self.ty(x);
        let Some((&n, rest)) = ty.shape.split_last() else { return };
        if n == 0 || ty.elements() == 0 {
            return;
        }
        match self.below(2) {
            0 => {
                // The real part of a transform and back, of half the length.
                let length = Dims::from_slice(&[n]);
                let Some(z) = self.hidden(Fft { kind: FftType::Rfft, length: length.clone() }, &[x]) else {
                    return;
                };
                self.loose = true;
                if self.chance(50) {
                    let part = if self.chance(50) { UnaryOp::Real } else { UnaryOp::Imag };
                    let part = self.hidden(part, &[z]).expect("a complex number");
                    self.tame_sum(part, n);
                } else if let Some(back) = self.hidden(Fft { kind: FftType::Irfft, length }, &[z]) {
                    self.tame(back);
                }
            }
            _ => {
                // A matrix that is positive definite: tanh(x) tanh(x)^T + (n + 1).
                let [m] = *rest else { return };
                if m > 12 {
                    return;
                }
                let a = self.hidden(UnaryOp::Tanh, &[x]).expect("a float");
                let op = DotGeneral {
                    lhs_batching_dims: Dims::new(),
                    rhs_batching_dims: Dims::new(),
                    lhs_contracting_dims: Dims::from_slice(&[1]),
                    rhs_contracting_dims: Dims::from_slice(&[1]),
                    lhs_precision: Precision::Default,
                    rhs_precision: Precision::Default,
                    dtype: ty.dtype,
                };
                let gram = self.hidden(op, &[a, a]).expect("a product");
                let square = TensorType::new(ty.dtype, &[m, m]);
                let size = n as f64 + 1.0;
                let diagonal = (0..m * m).map(|k| if k / m == k % m { size } else { 0.0 });
                let diagonal = self.elements(&square, diagonal);
                let definite = self.hidden(BinaryOp::Add, &[gram, diagonal]).expect("one type");
                let Some(factor) = self.push(Cholesky { lower: true }, &[definite]) else { return };
                self.loose = true;
                if self.chance(60) {
                    let solve = TriangularSolve {
                        left_side: true,
                        lower: true,
                        unit_diagonal: false,
                        transpose_a: TransposeA::No,
                    };
                    self.push(solve, &[factor, x]);
                }
            }
        }
    }
}
