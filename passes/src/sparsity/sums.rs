//! What adds elements up: scatters, reductions, windows that slide, contractions.

use super::sets::{MOST, Sets};
use super::walk::{Is, WORK, Walk, is_zero};
use crate::ad;
use std::rc::Rc;
use wengert_ir::array::Array;
use wengert_ir::func::{Func, FuncKind, Inst, Loc, Module};
use wengert_ir::interp::{self, Limits};
use wengert_ir::op::{DotGeneral, ReduceWindow};
use wengert_ir::types::{DType, TensorType, Type};

impl Walk<'_> {
    /// Elements of operands added up: where each goes is found by the transposed operation, which gives each the number of that
    /// of the result. `None` if that is not known, or if it is no sum.
    pub(super) fn added(&mut self, f: &Func, inst: &Inst, x: &[Is]) -> Option<Vec<Is>> {
        if inst.results.len() != 1 {
            return None;
        }
        let floats = |ty: &TensorType| TensorType { dtype: DType::F64, ..ty.clone() };
        let linear: Vec<bool> =
            inst.operands.iter().map(|&v| f.tensor(v).dtype.is_differentiable()).collect();
        let mut of = Func::new("", FuncKind::Private);
        let mut args = Vec::new();
        for ((&v, is), &is_data) in inst.operands.iter().zip(x).zip(&linear) {
            let ty = f.tensor(v);
            of.param(if is_data { floats(ty) } else { ty.clone() });
            if !is_data {
                args.push(is.constant()?.clone());
            }
        }
        let mut m = Module::default();
        let mut op = inst.op.clone();
        let module: &Module = self.module;
        op.map_callees(&mut |callee| {
            let mut callee = Func::clone(&module.get(callee));
            // The same sum in the type of numbers.
            for value in callee.values.values_mut() {
                if let Type::Tensor(t) = &mut value.ty
                    && t.dtype.is_differentiable()
                {
                    t.dtype = DType::F64;
                }
            }
            m.add(callee)
        });
        let operands = of.params.clone();
        let result = floats(f.tensor(inst.results[0]));
        of.results = of.push_typed(op, &operands, [result.clone().into()], Loc::Unknown).to_vec();
        let of = m.add(of);
        let back = ad::transpose(&mut m, of, &linear, &[true]).ok()?;
        let n = result.elements();
        let numbers: Vec<f64> = (1..=n).map(|k| k as f64).collect();
        args.push(Array::new(&result.shape, &numbers));
        let places = interp::run(&m, back, &args, &Limits::default()).ok()?;
        // For each element of the result, the operands' elements that go there.
        let mut sources: Vec<(u32, u32, u32)> = Vec::new();
        let which = (0..x.len()).filter(|&k| linear[k]);
        for (operand, places) in which.zip(&places) {
            for (e, &place) in places.as_slice::<f64>().iter().enumerate() {
                if place > 0.0 {
                    sources.push((place as u32 - 1, operand as u32, e as u32));
                }
            }
        }
        sources.sort_unstable();
        let mut sets = Sets::new();
        let mut rest = &sources[..];
        for e in 0..n as u32 {
            let here = rest.iter().take_while(|s| s.0 == e).count();
            let (of, after) = rest.split_at(here);
            rest = after;
            let all = of.iter().map(|&(_, operand, e)| x[operand as usize].of(e as usize));
            sets.push_union(all, &mut self.union);
        }
        Some(vec![Is::Depends(Rc::new(sets))])
    }

    /// Sums along dimensions.
    pub(super) fn summed(&mut self, dims: &[usize], ty: &TensorType, x: &Is) -> Is {
        let free: Vec<usize> = (0..ty.rank()).filter(|k| !dims.contains(k)).collect();
        let along = offsets(ty, dims);
        let mut sets = Sets::new();
        for at in offsets(ty, &free) {
            sets.push_union(along.iter().map(|k| x.of(at + k)), &mut self.union);
        }
        Is::Depends(Rc::new(sets))
    }

    /// Sums over windows that slide: along each dimension, an element of the result is of a few of the operand's. `None` if that
    /// are too many.
    pub(super) fn windows(
        &mut self,
        w: &ReduceWindow,
        ty: &TensorType,
        to: &TensorType,
        x: &Is,
    ) -> Option<Vec<Is>> {
        let along = |dim: usize| -> Option<Vec<Vec<usize>>> {
            let stride: usize = ty.shape[dim + 1..].iter().product();
            let wide = |n: usize| n as i128;
            let (step, spread) = (wide(w.window_strides[dim]), wide(w.window_dilations[dim]));
            let (base, size) = (wide(w.base_dilations[dim]), wide(ty.shape[dim]));
            // The window from its first element that is not padding to its last.
            let inside = |k: usize| {
                let first = wide(k) * step - i128::from(w.padding_low[dim]);
                let after = |n: i128| (n.max(0) + spread - 1) / spread;
                let from = after(-first);
                let past = after(size * base - first).min(wide(w.window_dimensions[dim]));
                (first, from..past.max(from))
            };
            let total: i128 = (0..to.shape[dim]).map(|k| inside(k).1).map(|r| r.end - r.start).sum();
            let one = |k: usize| {
                let (first, range) = inside(k);
                let all = range.map(|j| first + j * spread).filter(|at| at % base == 0);
                all.map(|at| (at / base) as usize * stride).collect()
            };
            (total <= MOST as i128).then(|| (0..to.shape[dim]).map(one).collect())
        };
        let dims: Vec<Vec<Vec<usize>>> = (0..ty.rank()).map(along).collect::<Option<_>>()?;
        let each = dims.iter().map(|of| of.iter().map(Vec::len).sum::<usize>());
        if each.fold(1, usize::saturating_mul) > MOST {
            return None;
        }
        // The elements of the operand for each of the result, dimension after dimension.
        let mut all: Vec<Vec<usize>> = vec![vec![0]];
        for of in &dims {
            let both = |at: &[usize], of: &[usize]| -> Vec<usize> {
                at.iter().flat_map(|a| of.iter().map(move |b| a + b)).collect()
            };
            all = all.iter().flat_map(|at| of.iter().map(|of| both(at, of)).collect::<Vec<_>>()).collect();
        }
        let mut sets = Sets::new();
        for of in &all {
            sets.push_union(of.iter().map(|&e| x.of(e)), &mut self.union);
        }
        Some(vec![Is::Depends(Rc::new(sets))])
    }

    /// An element depends on the rows that it is the product of; where one factor does not change, its zeros are left out. `None`
    /// if there are too many products.
    pub(super) fn contraction(
        &mut self,
        d: &DotGeneral,
        lhs: &TensorType,
        rhs: &TensorType,
        x: &[Is],
    ) -> Option<Vec<Is>> {
        let of = |ty: &TensorType, batch: &[usize], sum: &[usize]| {
            let free: Vec<usize> =
                (0..ty.rank()).filter(|k| !batch.contains(k) && !sum.contains(k)).collect();
            [offsets(ty, batch), offsets(ty, &free), offsets(ty, sum)]
        };
        let [lb, lf, ls] = of(lhs, &d.lhs_batching_dims, &d.lhs_contracting_dims);
        let [rb, rf, rs] = of(rhs, &d.rhs_batching_dims, &d.rhs_contracting_dims);
        let products = [lb.len(), lf.len(), rf.len(), ls.len()].into_iter().fold(1, usize::saturating_mul);
        if products > WORK {
            return None;
        }
        let zero = |is: &Is, e: usize| is.constant().is_some_and(|a| is_zero(a, e));
        let mut sets = Sets::new();
        for (lb, rb) in lb.iter().zip(&rb) {
            for lf in &lf {
                for rf in &rf {
                    let terms = ls.iter().zip(&rs).map(|(l, r)| (lb + lf + l, rb + rf + r));
                    let used = terms.filter(|&(l, r)| !zero(&x[0], l) && !zero(&x[1], r));
                    let all = used.flat_map(|(l, r)| [x[0].of(l), x[1].of(r)]);
                    sets.push_union(all, &mut self.union);
                }
            }
        }
        Some(vec![Is::Depends(Rc::new(sets))])
    }
}

/// Where the elements along some dimensions lie, row-major, relative to the first.
fn offsets(ty: &TensorType, dims: &[usize]) -> Vec<usize> {
    let stride = |dim: usize| ty.shape[dim + 1..].iter().product::<usize>();
    dims.iter().fold(vec![0], |all, &dim| {
        all.iter().flat_map(|&at| (0..ty.shape[dim]).map(move |k| at + k * stride(dim))).collect()
    })
}
