//! Batch normalization: defined by its expansion into sums and elementwise operations, which evaluation,
//! derivatives and compilation all go through.

use super::shape::tensors;
use super::sketch::{self, Sketch};
use crate::array::{Array, Literal};
use crate::ensure;
use crate::func::{Func, Module};
use crate::op::*;
use crate::rules::{Emit, EvalError, Evaluate, Jvp, OpDef, Tangents, Term, TypeError, Types};
use crate::types::{Dims, TensorType, Type};
use crate::work::Sizes;
use smallvec::{SmallVec, smallvec};

/// What the three operations share: the operand's type and the feature dimension.
struct Norm {
    ty: TensorType,
    feature: usize,
    epsilon: f64,
}

impl Norm {
    /// The dimensions that are averaged over.
    fn others(&self) -> Dims {
        (0..self.ty.rank()).filter(|&d| d != self.feature).collect()
    }

    /// How many elements there are per feature, as the specification divides: 0 / 0 gives NaN later.
    fn count(&self) -> f64 {
        self.others().iter().map(|&d| self.ty.shape[d]).product::<usize>() as f64
    }

    fn spread(&self, e: &mut dyn Emit, x: Term) -> Term {
        e.broadcast_in_dim(x, &self.ty.shape, &[self.feature])
    }

    fn sum(&self, e: &mut dyn Emit, x: Term) -> Term {
        e.reduce_sum(x, &self.others())
    }

    fn mean(&self, e: &mut dyn Emit, x: Term) -> Term {
        let sum = self.sum(e, x);
        let count = e.splat_like(sum, self.count());
        e.div(sum, count)
    }

    /// The square root of variance and epsilon, spread over the operand.
    fn deviation(&self, e: &mut dyn Emit, variance: Term) -> (Term, Term) {
        let variance = self.spread(e, variance);
        let epsilon = e.splat_like(variance, self.epsilon);
        let sum = e.add(variance, epsilon);
        (e.unary(UnaryOp::Sqrt, sum), sum)
    }

    fn centered(&self, e: &mut dyn Emit, x: Term, mean: Term) -> Term {
        let mean = self.spread(e, mean);
        e.sub(x, mean)
    }

    fn inference(&self, e: &mut dyn Emit, x: &[Term]) -> Term {
        let &[x, scale, offset, mean, variance] = x else { unreachable!("five operands") };
        let centered = self.centered(e, x, mean);
        let (deviation, _) = self.deviation(e, variance);
        let normalized = e.div(centered, deviation);
        let (scale, offset) = (self.spread(e, scale), self.spread(e, offset));
        let scaled = e.mul(scale, normalized);
        e.add(scaled, offset)
    }

    fn training(&self, e: &mut dyn Emit, x: &[Term]) -> Vec<Term> {
        let &[x, scale, offset] = x else { unreachable!("three operands") };
        let mean = self.mean(e, x);
        let centered = self.centered(e, x, mean);
        let squares = e.mul(centered, centered);
        let variance = self.mean(e, squares);
        vec![self.inference(e, &[x, scale, offset, mean, variance]), mean, variance]
    }

    fn grad(&self, e: &mut dyn Emit, x: &[Term]) -> Vec<Term> {
        let &[x, scale, mean, variance, ct] = x else { unreachable!("five operands") };
        let centered = self.centered(e, x, mean);
        let (deviation, squared) = self.deviation(e, variance);
        let normalized = e.div(centered, deviation);
        let count = e.splat(self.ty.clone(), self.count());
        let all = e.mul(ct, count);
        let offset = self.sum(e, ct);
        let offsets = self.spread(e, offset);
        let product = e.mul(ct, centered);
        let along = self.sum(e, product);
        let along = self.spread(e, along);
        let along = e.mul(along, centered);
        let along = e.div(along, squared);
        let rest = e.sub(all, offsets);
        let rest = e.sub(rest, along);
        let scale = self.spread(e, scale);
        let factor = e.div(scale, deviation);
        let factor = e.div(factor, count);
        let of_operand = e.mul(factor, rest);
        let product = e.mul(ct, normalized);
        vec![of_operand, self.sum(e, product), offset]
    }
}

/// The operand, and that the feature dimension, element types and sizes fit: `sizes` names the constraint
/// that each vector breaks.
fn check<'a>(
    operands: &'a [Type],
    count: usize,
    feature: usize,
    vectors: &[(usize, &'static str)],
) -> Result<SmallVec<[&'a TensorType; 4]>, TypeError> {
    let xs = tensors(operands, count)?;
    let x = xs[0];
    ensure!(x.dtype.is_float(), "I1", "element type must be floating-point, is {}", x.dtype);
    ensure!(feature < x.rank(), "C1", "feature_index {feature} is not below the rank {}", x.rank());
    for (k, t) in xs.iter().enumerate() {
        ensure!(t.dtype == x.dtype, "C2", "operand {k} is {}, the first {}", t.dtype, x.dtype);
    }
    for &(k, label) in vectors {
        let ty = xs[k];
        if ty.rank() != 1 || ty.shape[0] != x.shape[feature] {
            let want = x.shape[feature];
            return Err(TypeError::new(label, format!("operand {k} must be a vector of {want}, is {ty}")));
        }
    }
    ensure!(x.is_static(), "I1", "shapes must be known");
    Ok(xs)
}

fn epsilon(value: &Literal) -> f64 {
    value.splat_value().unwrap_or(0.0)
}

macro_rules! batch_norm {
    ($($op:ident, $count:literal, [$($k:literal $label:literal),+], $results:ident, $method:ident, $flops:literal per element);+ $(;)?) => { $(
        impl $op {
            /// The function of the same operands that it is defined by.
            pub(crate) fn expansion(&self, module: &mut Module, operands: &[Type]) -> Option<Func> {
                let ty = operands[0].tensor().clone();
                let norm = Norm { ty, feature: self.feature_index, epsilon: epsilon(&self.epsilon) };
                Sketch::build(module, operands, |s, x| Some($results(norm.$method(s, x))))
            }
        }

        impl OpDef for $op {
            fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
                let xs = check(operands, $count, self.feature_index, &[$(($k, $label)),+])?;
                result_types(&Op::from(self.clone()), &xs)
            }

            fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
                let types: Vec<Type> = operands.iter().map(|a| a.ty().clone().into()).collect();
                let func = self.expansion(&mut Module::default(), &types).expect("always there");
                sketch::eval(cx, &func, operands)
            }

            fn expand(&self, e: &mut dyn Emit, operands: &[Term]) -> Option<SmallVec<[Term; 2]>> {
                let types = sketch::types(e, operands);
                let func = self.expansion(e.module(), &types)?;
                Some(sketch::replay(e, &func, operands))
            }

            fn flops(&self, x: &Sizes<'_>) -> u64 {
                x.operand(0).saturating_mul($flops)
            }

            fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
                let types = sketch::types(e, x.operands);
                let func = self.expansion(e.module(), &types).expect("always there");
                sketch::jvp(e, x, &func)
            }
        }
    )+ };
}

fn one(x: Term) -> Vec<Term> {
    vec![x]
}

fn several(x: Vec<Term>) -> Vec<Term> {
    x
}

batch_norm! {
    BatchNormTraining, 3, [1 "C3", 2 "C4"], several, training, 7 per element;
    BatchNormInference, 5, [1 "C3", 2 "C4", 3 "C5", 4 "C6"], one, inference, 4 per element;
    BatchNormGrad, 5, [1 "C5", 2 "C4", 3 "C4"], several, grad, 12 per element;
}

fn result_types(op: &Op, xs: &[&TensorType]) -> Result<Types, TypeError> {
    let (x, vector) = (Type::Tensor(xs[0].clone()), Type::Tensor(xs[1].clone()));
    Ok(match op {
        Op::BatchNormGrad(_) => {
            ensure!(xs[4].shape == xs[0].shape, "C3", "grad_output is {}, the operand {}", xs[4], xs[0]);
            smallvec![x, vector.clone(), vector]
        }
        Op::BatchNormTraining(_) => smallvec![x, vector.clone(), vector],
        _ => smallvec![x],
    })
}
