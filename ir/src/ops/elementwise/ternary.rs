//! Operations of three operands: select, clamp, fused multiply-add.

use super::number::Number;
use super::{Accepts, build, dispatch, elements, no_tangents, result, tensors};
use crate::array::Array;
use crate::ensure;
use crate::func::Module;
use crate::op::{BinaryOp, Clamp, Direction, Fma, Select};
use crate::ops::batching;
use crate::rules::{Batched, Mapped};
use crate::rules::{
    Emit, EvalError, Evaluate, Jvp, OpDef, Operand, Tangents, Term, Transpose, TypeError, Types,
};
use crate::types::{DType, TensorType, Type};
use crate::work::Sizes;
use smallvec::smallvec;

impl OpDef for Select {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let [p, a, b] = tensors(operands)?;
        ensure!(p.dtype == DType::I1, "I1", "the predicate must be i1, is {}", p.dtype);
        ensure!(
            p.rank() == 0 || p.shape == a.shape,
            "C1",
            "the predicate must be a scalar or have the shape of the operands"
        );
        ensure!(a == b, "C2", "both operands must have the same type");
        result(a.clone())
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let [p, a, b] = operands else { unreachable!("infer has checked") };
        if p.shape().is_empty() {
            return Ok(vec![if p.bytes()[0] != 0 { a.clone() } else { b.clone() }]);
        }
        // Bytes are moved, so any element type will do.
        let size = a.dtype().size();
        let mut out = b.clone();
        let bytes = out.bytes_mut();
        for (i, _) in p.bytes().iter().enumerate().filter(|(_, p)| **p != 0) {
            bytes[i * size..][..size].copy_from_slice(&a.bytes()[i * size..][..size]);
        }
        Ok(vec![out])
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        x.result(0)
    }

    fn jvp(&self, e: &mut dyn Emit, j: Jvp<'_>) -> Tangents {
        if j.tangents[1].is_none() && j.tangents[2].is_none() {
            return no_tangents(1);
        }
        let a = j.tangents[1].unwrap_or_else(|| zero_like(e, j.operands[1]));
        let b = j.tangents[2].unwrap_or_else(|| zero_like(e, j.operands[2]));
        smallvec![Some(e.select(j.operands[0], a, b))]
    }

    fn transpose(&self, e: &mut dyn Emit, x: Transpose<'_>) -> Tangents {
        let (Some(c), Operand::Known(p)) = (x.cotangents[0], &x.operands[0]) else { return no_tangents(3) };
        let zero = zero_like(e, c);
        let mut out = no_tangents(3);
        if let Operand::Linear(_) = x.operands[1] {
            out[1] = Some(e.select(*p, c, zero));
        }
        if let Operand::Linear(_) = x.operands[2] {
            out[2] = Some(e.select(*p, zero, c));
        }
        out
    }

    fn is_linear(&self, linear: &[bool]) -> bool {
        linear == [false, true, true]
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        // One predicate for all examples stays one.
        let (pred, rest) = (operands[0], &operands[1..]);
        if pred.1.is_none() && e.ty(pred.0).rank() == 0 {
            let to = rest.iter().find_map(|x| x.1)?;
            let [a, b] = [0, 1].map(|k| batching::at(e, size, rest[k], to));
            return Some(vec![(e.select(pred.0, a, b), Some(to))]);
        }
        let [p, a, b] = [0, 1, 2].map(|k| batching::at(e, size, operands[k], 0));
        let shape = e.ty(a).shape;
        let p = if e.ty(p).rank() < shape.len() { e.broadcast_in_dim(p, &shape, &[0]) } else { p };
        batching::in_front([e.select(p, a, b)])
    }
}

/// Zeros of the type of a term, of the kind that counts as linear.
fn zero_like(e: &mut (dyn Emit + '_), like: Term) -> Term {
    let ty = e.ty(like);
    e.zero(ty)
}

impl OpDef for Clamp {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let [lo, x, hi] = tensors(operands)?;
        ensure!(
            lo.rank() == 0 || lo.shape == x.shape,
            "C1",
            "min must be a scalar or have the operand's shape"
        );
        ensure!(
            hi.rank() == 0 || hi.shape == x.shape,
            "C2",
            "max must be a scalar or have the operand's shape"
        );
        ensure!(
            lo.dtype == x.dtype && hi.dtype == x.dtype,
            "C3",
            "min, operand and max must have the same element type"
        );
        result(x.clone())
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        fn go<T: Number>(lo: &Array, x: &Array, hi: &Array) -> Array {
            let (l, v, h) = (elements::<T>(lo), elements::<T>(x), elements::<T>(hi));
            let (ls, hs) = (!lo.shape().is_empty() as usize, !hi.shape().is_empty() as usize);
            build(x.dtype(), x.shape(), |i| {
                let v = T::binary(BinaryOp::Maximum, v[i], l[i * ls]);
                T::binary(BinaryOp::Minimum, v, h[i * hs])
            })
        }
        let [lo, x, hi] = operands else { unreachable!("infer has checked") };
        Ok(vec![dispatch!(x.dtype(), "stablehlo.clamp", go(lo, x, hi))?])
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        x.result(0).saturating_mul(2)
    }

    /// JAX's convention: x's tangent passes strictly inside, lo's where `x < lo < hi`, hi's where `hi < x`.
    fn jvp(&self, e: &mut dyn Emit, j: Jvp<'_>) -> Tangents {
        let x = j.operands[1];
        let shape = e.ty(x).shape;
        let [lo, hi] = [0, 2].map(|k| broadcast(e, j.operands[k], &shape));
        let zero = zero_like(e, x);
        let both = |e: &mut dyn Emit, a: Term, b: Term| e.binary(BinaryOp::And, a, b);
        let mut sum = None;
        for (k, t) in j.tangents.iter().enumerate() {
            let Some(t) = *t else { continue };
            let passes = match k {
                0 => {
                    let below = e.compare(Direction::Gt, lo, x);
                    let sane = e.compare(Direction::Lt, lo, hi);
                    both(e, below, sane)
                }
                1 => {
                    let above = e.compare(Direction::Gt, x, lo);
                    let below = e.compare(Direction::Lt, x, hi);
                    both(e, above, below)
                }
                _ => e.compare(Direction::Lt, hi, x),
            };
            let t = broadcast(e, t, &shape);
            let t = e.select(passes, t, zero);
            sum = e.add_opt(sum, Some(t));
        }
        smallvec![sum]
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        // One bound for all examples stays one; one for each example becomes one for each element.
        let x = batching::at(e, size, operands[1], 0);
        let shape = e.ty(x).shape;
        let mut bound = |b: Mapped| {
            if b.1.is_none() && e.ty(b.0).rank() == 0 {
                return b.0;
            }
            let b = batching::at(e, size, b, 0);
            if e.ty(b).rank() < shape.len() { e.broadcast_in_dim(b, &shape, &[0]) } else { b }
        };
        let (lo, hi) = (bound(operands[0]), bound(operands[2]));
        batching::in_front([e.one(Clamp {}, &[lo, x, hi])])
    }
}

/// A scalar spread over a shape; anything else as it is.
fn broadcast(e: &mut (dyn Emit + '_), x: Term, shape: &[usize]) -> Term {
    if e.ty(x).rank() == 0 { e.broadcast_scalar(x, shape) } else { x }
}

impl OpDef for Fma {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let [a, b, c] = tensors(operands)?;
        Accepts::FLOAT.check(a)?;
        ensure!(a == b && b == c, "C1", "all operands must have the same type");
        result(TensorType::clone(a))
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        fn go<T: Number>(a: &Array, b: &Array, c: &Array) -> Array {
            let (u, v, w) = (elements::<T>(a), elements::<T>(b), elements::<T>(c));
            build(a.dtype(), a.shape(), |i| T::fma(u[i], v[i], w[i]))
        }
        let [a, b, c] = operands else { unreachable!("infer has checked") };
        Ok(vec![dispatch!(a.dtype(), "wengert.fma", go(a, b, c))?])
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        x.result(0).saturating_mul(2)
    }

    fn jvp(&self, e: &mut dyn Emit, j: Jvp<'_>) -> Tangents {
        let lhs = j.tangents[0].map(|t| e.mul(t, j.operands[1]));
        let rhs = j.tangents[1].map(|t| e.mul(t, j.operands[0]));
        let product = e.add_opt(lhs, rhs);
        smallvec![e.add_opt(product, j.tangents[2])]
    }

    fn transpose(&self, e: &mut dyn Emit, x: Transpose<'_>) -> Tangents {
        let Some(c) = x.cotangents[0] else { return no_tangents(3) };
        match (&x.operands[0], &x.operands[1]) {
            (Operand::Linear(_), Operand::Known(b)) => smallvec![Some(e.mul(c, *b)), None, Some(c)],
            (Operand::Known(a), Operand::Linear(_)) => smallvec![None, Some(e.mul(c, *a)), Some(c)],
            _ => panic!("wengert.fma is not linear so: verify_linear must have refused it"),
        }
    }

    fn is_linear(&self, linear: &[bool]) -> bool {
        linear == [true, false, true] || linear == [false, true, true]
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        batching::elementwise(e, size, self.clone().into(), operands)
    }
}
