//! Eigenvalues of general matrices, Schur, Hessenberg and tridiagonal forms.
//!
//! With left and right vectors, `P = diag(1 / u_i^H v_i) U^H da V` is `V^-1 da V`: `dw = diag P`, `dv_j = sum over i of v_i P_ij / (w_j - w_i)`
//! plus the multiple of `v_j` that keeps its length 1 and its largest component real; M. Giles (2008), 3.1. The other
//! forms have no derivative here, as in JAX.

use super::rules::Algebra;
use super::scalar::{C, Mat, Scalar, complex_dtype, from_parts, matrices, real_dtype, sizes, store};
use super::{beside, by_dtype, integers, joined, result_types, spectral, square};
use crate::array::Array;
use crate::ensure;
use crate::func::Module;
use crate::op::*;
use crate::ops::batching;
use crate::rules::{Batched, Mapped};
use crate::rules::{Emit, EvalError, Evaluate, Jvp, OpDef, Tangents, Term, TypeError, Types};
use crate::types::{DType, TensorType, Type};
use crate::work::Sizes;
use smallvec::smallvec;
use wengert_libraries::dense::{gehrd, sytrd_lower};

/// Eigenvalues as LAPACK gives them: real and imaginary parts apart if the matrix is real.
fn value_types(x: &TensorType, n: usize) -> Vec<Type> {
    let one = beside(x, x.dtype, &[n]);
    if x.dtype.is_complex() { vec![one] } else { vec![one.clone(), one] }
}

fn store_values(types: &[TensorType], values: &[C]) -> Vec<Array> {
    if types[0].dtype.is_complex() {
        vec![store(types[0].clone(), values.to_vec())]
    } else {
        let (re, im): (Vec<f64>, Vec<f64>) = values.iter().map(|z| (z.re, z.im)).unzip();
        vec![from_parts(types[0].clone(), &re), from_parts(types[1].clone(), &im)]
    }
}

impl OpDef for Eig {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let x = square(operands)?;
        let n = sizes(&x.shape).0;
        let mut out: Types = value_types(x, n).into();
        let vectors = beside(x, complex_dtype(x.dtype), &[n, n]);
        out.extend([vectors.clone(), vectors, beside(x, DType::I32, &[])]);
        Ok(out)
    }

    fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let types = result_types(self, operands)?;
        types.iter().try_for_each(|ty| cx.reserve(ty))?;
        let parts = types.len() - 3;
        let nan = C::new(f64::NAN, f64::NAN);
        let (mut values, mut left, mut right, mut info) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        by_dtype!(operands[0].dtype(), T => for a in matrices::<T>(&operands[0])? {
            match spectral::eig(&a) {
                Some((w, v)) => {
                    values.extend(w);
                    left.extend(if self.left { spectral::left_vectors(&v).data } else { vec![C::ZERO; v.data.len()] });
                    right.extend(if self.right { v.data } else { vec![C::ZERO; a.data.len()] });
                    info.push(0);
                }
                None => {
                    values.extend(vec![nan; a.rows]);
                    left.extend(vec![nan; a.data.len()]);
                    right.extend(vec![nan; a.data.len()]);
                    info.push(1);
                }
            }
        });
        let mut out = store_values(&types, &values);
        out.push(store(types[parts].clone(), left));
        out.push(store(types[parts + 1].clone(), right));
        out.push(integers(&types[parts + 2], &info));
        Ok(out)
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        x.cubed().saturating_mul(25)
    }

    fn jvp(&self, e: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        let mut out: Tangents = x.results.iter().map(|_| None).collect();
        let Some(da) = x.tangents[0] else { return out };
        let parts = x.results.len() - 3;
        let both = if self.left && self.right {
            x.results.into()
        } else {
            e.emit(Eig { left: true, right: true }.into(), &[x.operands[0]])
        };
        let mut m = Algebra::new(e);
        let w = if parts == 1 { both[0] } else { m.complex(both[0], both[1]) };
        let (l, r) = (both[parts], both[parts + 1]);
        let da = {
            let dtype = m.dtype(l);
            m.like(da, dtype)
        };
        let dah = m.adjoint(da);
        let p = conjugated(&mut m, l, r, da);
        let dw = m.diagonal(p);
        if parts == 1 {
            out[0] = Some(dw);
        } else {
            out[0] = Some(m.real(dw));
            out[1] = Some(m.imag(dw));
        }
        if self.left {
            let p = conjugated(&mut m, r, l, dah);
            let w = m.conj(w);
            out[parts] = Some(vectors(&mut m, w, l, p));
        }
        if self.right {
            out[parts + 1] = Some(vectors(&mut m, w, r, p));
        }
        out
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        batching::leading(e, size, self.clone(), operands)
    }
}

/// `V^-1 da V` for right vectors V and left ones U.
fn conjugated(m: &mut Algebra<'_>, u: Term, v: Term, da: Term) -> Term {
    let n = m.sizes(v).0;
    let uh = m.adjoint(u);
    let gram = m.dot(uh, v);
    let scale = m.diagonal(gram);
    let scale = m.as_cols(scale, n);
    let half = m.dot(uh, da);
    let inner = m.dot(half, v);
    m.e.div(inner, scale)
}

/// Tangents of normalized vectors.
fn vectors(m: &mut Algebra<'_>, w: Term, v: Term, p: Term) -> Term {
    let n = m.sizes(v).0;
    let rank = m.ty(v).rank();
    let (row, col) = (m.as_rows(w, n), m.as_cols(w, n));
    let eye = m.eye_like(row);
    let gaps = m.e.sub(row, col);
    let gaps = m.e.add(gaps, eye);
    let one = m.e.splat_like(gaps, 1.0);
    let f = m.e.div(one, gaps);
    let f = m.e.sub(f, eye);
    let turn = m.e.mul(f, p);
    let u = m.dot(v, turn);
    // c_j = -Re(v_j^H u_j) - i Im(u_kj) / v_kj, where component k is the largest of v_j.
    let vh = m.conj(v);
    let products = m.e.mul(vh, u);
    let along = m.e.reduce_sum(products, &[rank - 2]);
    let along = m.real(along);
    let along = m.e.neg(along);
    let top = largest(m, v);
    let picked = |m: &mut Algebra<'_>, x: Term| {
        let zero = match x {
            Term::Known(_) => m.e.splat_like(x, 0.0),
            Term::Linear(_) => {
                let ty = m.ty(x);
                m.e.zero(ty)
            }
        };
        let only = m.e.select(top, x, zero);
        m.e.reduce_sum(only, &[rank - 2])
    };
    let (im, re) = (m.imag(u), m.real(v));
    let (im, re) = (picked(m, im), picked(m, re));
    let turn = m.e.div(im, re);
    let turn = m.e.neg(turn);
    let c = m.complex(along, turn);
    let c = m.as_rows(c, n);
    let moved = m.e.mul(v, c);
    m.e.add(u, moved)
}

/// Marks the first component of largest modulus in each column.
fn largest(m: &mut Algebra<'_>, v: Term) -> Term {
    let modulus = m.e.unary(UnaryOp::Abs, v);
    let ty = m.ty(modulus);
    let (rank, n) = (ty.rank(), super::scalar::sizes(&ty.shape).0);
    let reduced = |m: &mut Algebra<'_>, x: Term, op: BinaryOp, init: f64| {
        let scalar = TensorType::scalar(m.dtype(x));
        let init = m.e.splat(scalar, init);
        let reduce = Reduce { dims: smallvec![rank - 2], inputs: 1, reducer: Reducer::Op(op) };
        let one = m.e.one(reduce, &[x, init]);
        m.as_rows(one, n)
    };
    let most = reduced(m, modulus, BinaryOp::Maximum, 0.0);
    let is_most = m.e.compare(Direction::Eq, modulus, most);
    let rows = m.e.one(Iota { ty: ty.with_dtype(DType::I32), dim: rank - 2 }, &[]);
    let beyond = m.e.splat_like(rows, n as f64);
    let candidates = m.e.select(is_most, rows, beyond);
    let first = reduced(m, candidates, BinaryOp::Minimum, n as f64);
    m.e.compare(Direction::Eq, rows, first)
}

impl OpDef for Schur {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let x = square(operands)?;
        let n = sizes(&x.shape).0;
        let mut out: Types = smallvec![operands[0].clone(), operands[0].clone()];
        out.extend(value_types(x, n));
        out.extend([beside(x, DType::I32, &[]), beside(x, DType::I32, &[])]);
        Ok(out)
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let types = result_types(self, operands)?;
        let counts = types.len() - 2;
        let epsilon = if types[0].dtype == DType::F64 { f64::EPSILON } else { f32::EPSILON as f64 };
        let (mut values, mut info) = (Vec::new(), Vec::new());
        by_dtype!(operands[0].dtype(), T => {
            let (mut forms, mut vectors) = (Vec::<Mat<T>>::new(), Vec::<Mat<T>>::new());
            for mut a in matrices::<T>(&operands[0])? {
                match spectral::schur(&a, epsilon) {
                    Some((t, z, w)) => {
                        values.extend(w);
                        forms.push(t);
                        vectors.push(if self.vectors { z } else { Mat::zeros(a.rows, a.cols) });
                        info.push(0);
                    }
                    None => {
                        a.fill(T::new(f64::NAN, f64::NAN));
                        values.extend(vec![C::new(f64::NAN, f64::NAN); a.rows]);
                        forms.push(a.clone());
                        vectors.push(a);
                        info.push(1);
                    }
                }
            }
            let mut out =
                vec![store(types[0].clone(), joined(forms)), store(types[1].clone(), joined(vectors))];
            out.extend(store_values(&types[2..], &values));
            out.push(Array::zeros(types[counts].clone()));
            out.push(integers(&types[counts + 1], &info));
            Ok(out)
        })
    }

    fn differentiable(&self, _: &[bool]) -> Result<(), &'static str> {
        Err("the Schur decomposition has no derivative rule")
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        x.cubed().saturating_mul(25)
    }

    fn jvp(&self, _: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        x.results.iter().map(|_| None).collect()
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        batching::leading(e, size, self.clone(), operands)
    }
}

impl OpDef for Hessenberg {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let x = square(operands)?;
        let n = sizes(&x.shape).0;
        ensure!(
            n == 0 || (1 <= self.low && self.low <= self.high && self.high <= n),
            "C1",
            "rows {} to {} of {n}",
            self.low,
            self.high
        );
        Ok(smallvec![
            operands[0].clone(),
            beside(x, x.dtype, &[n.saturating_sub(1)]),
            beside(x, DType::I32, &[])
        ])
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let types = result_types(self, operands)?;
        by_dtype!(types[0].dtype, T => {
            let mut all = matrices::<T>(&operands[0])?;
            let high = self.high.saturating_sub(1);
            let taus: Vec<T> =
                all.iter_mut().flat_map(|a| gehrd(a, self.low.saturating_sub(1), high)).collect();
            let packed = store(types[0].clone(), joined(all));
            Ok(vec![packed, store(types[1].clone(), taus), Array::zeros(types[2].clone())])
        })
    }

    fn differentiable(&self, _: &[bool]) -> Result<(), &'static str> {
        Err("the Hessenberg form has no derivative rule")
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        x.cubed().saturating_mul(10) / 3
    }

    fn jvp(&self, _: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        x.results.iter().map(|_| None).collect()
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        batching::leading(e, size, self.clone(), operands)
    }
}

impl OpDef for Tridiagonalize {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let x = square(operands)?;
        let n = sizes(&x.shape).0;
        let real = real_dtype(x.dtype);
        Ok(smallvec![
            operands[0].clone(),
            beside(x, real, &[n]),
            beside(x, real, &[n.saturating_sub(1)]),
            beside(x, x.dtype, &[n.saturating_sub(1)]),
            beside(x, DType::I32, &[]),
        ])
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        let types = result_types(self, operands)?;
        by_dtype!(types[0].dtype, T => {
            let mut all = matrices::<T>(&operands[0])?;
            let (mut d, mut e, mut taus) = (Vec::new(), Vec::new(), Vec::<T>::new());
            for a in &mut all {
                // LAPACK goes through an upper triangle from the last column to the first: the same with all indices reversed.
                if !self.lower {
                    a.data.reverse();
                }
                let mut t = sytrd_lower(a);
                if !self.lower {
                    a.data.reverse();
                    t.diagonal.reverse();
                    t.off_diagonal.reverse();
                    t.taus.reverse();
                }
                d.extend(t.diagonal);
                e.extend(t.off_diagonal);
                taus.extend(t.taus);
            }
            Ok(vec![
                store(types[0].clone(), joined(all)),
                store(types[1].clone(), d),
                store(types[2].clone(), e),
                store(types[3].clone(), taus),
                Array::zeros(types[4].clone()),
            ])
        })
    }

    fn differentiable(&self, _: &[bool]) -> Result<(), &'static str> {
        Err("the tridiagonal form has no derivative rule")
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        x.cubed().saturating_mul(4) / 3
    }

    fn jvp(&self, _: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        x.results.iter().map(|_| None).collect()
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        batching::leading(e, size, self.clone(), operands)
    }
}
