//! Contractions: library products over strided views, or loops for integers.
//!
//! Transposes, slices and reshapes that only rename strides are absorbed. Dimensions of one role (batch, free,
//! contracted) that walk memory jointly count as one; further batch and free dimensions become loops around
//! the product; contracted dimensions that do not merge cost a copy.

use super::emit::Output;
use super::graph::{Graph, NodeOp, Stop};
use super::index::{Affine, Var, row_major};
use super::memory::At;
use super::reduce::Reduction;
use super::scalar;
use super::scope::{Scope, Stored};
use super::{LowerError, Lowerer};
use smallvec::SmallVec;
use wengert_ir::func::{Inst, Value};
use wengert_ir::kernel::*;
use wengert_ir::op::DotGeneral;
use wengert_ir::types::Dims;

/// An operand in memory with a stride per dimension.
struct View {
    at: At,
    strides: SmallVec<[i64; 4]>,
}

/// Dimensions walked together: size, and strides in the left factor, the right factor and the product.
type Walk = (i64, [i64; 3]);

impl<'m> Lowerer<'m> {
    pub(super) fn dot_general(
        &mut self,
        s: &mut Scope<'m>,
        inst: &'m Inst,
        dot: &DotGeneral,
    ) -> Result<(), LowerError> {
        let (lhs, rhs, out) = (inst.operands[0], inst.operands[1], inst.results[0]);
        let (left_shape, right_shape) = (s.ty(lhs).shape.clone(), s.ty(rhs).shape.clone());
        let free = |shape: &Dims, a: &Dims, b: &Dims| -> Dims {
            (0..shape.len()).filter(|d| !a.contains(d) && !b.contains(d)).collect()
        };
        let left = free(&left_shape, &dot.lhs_batching_dims, &dot.lhs_contracting_dims);
        let right = free(&right_shape, &dot.rhs_batching_dims, &dot.rhs_contracting_dims);
        let contracted: Dims = dot.lhs_contracting_dims.iter().map(|&d| left_shape[d]).collect();
        let elem = s.elem(out);
        if s.elem(lhs) != elem || s.elem(rhs) != elem {
            return Err(s.refuse(inst, "operands and result have different element types"));
        }
        let batches = dot.lhs_batching_dims.len();
        let out_shape = s.ty(out).shape.clone();
        if out_shape.contains(&0) || contracted.contains(&0) {
            let at = self.target(s, out, &[(lhs, false), (rhs, false)]);
            self.copy(&Stored::Splat(0), &at);
            s.stored[out] = Some(Stored::Memory(at));
            return Ok(());
        }
        if !elem.is_float() {
            return self.integer_dot(s, inst, dot, &out_shape, &contracted);
        }
        if contracted.iter().all(|&n| n == 1) {
            return self.outer_product(s, inst, dot, &out_shape, &contracted);
        }
        let mut a = self.view(s, lhs)?;
        let mut b = self.view(s, rhs)?;
        let at = self.target(s, out, &[(lhs, false), (rhs, false)]);
        let c = row_major(&out_shape);
        // Contracted dimensions in the order of the left factor's memory.
        let mut pairs: Vec<(usize, usize)> = (dot.lhs_contracting_dims.iter().copied())
            .zip(dot.rhs_contracting_dims.iter().copied())
            .collect();
        pairs.sort_by_key(|&(l, _)| std::cmp::Reverse(a.strides[l].abs()));
        let contract = |a: &View, b: &View| -> Vec<Walk> {
            merge(pairs.iter().map(|&(l, r)| (left_shape[l] as i64, [a.strides[l], b.strides[r], 0])))
        };
        if contract(&a, &b).len() > 1 {
            let order = |free: &Dims, batch: &Dims, contracted: Vec<usize>| -> Vec<usize> {
                batch.iter().chain(free).copied().chain(contracted).collect()
            };
            // A factor whose own contracted dimensions merge stays where it is.
            let alone = |walk: &mut dyn Iterator<Item = (i64, i64)>| {
                merge(walk.map(|(n, stride)| (n, [stride, 0, 0]))).len() <= 1
            };
            if !alone(&mut pairs.iter().map(|&(l, _)| (left_shape[l] as i64, a.strides[l]))) {
                let order = order(&left, &dot.lhs_batching_dims, pairs.iter().map(|p| p.0).collect());
                a = self.packed(s, lhs, &order)?;
            }
            if !alone(&mut pairs.iter().map(|&(_, r)| (right_shape[r] as i64, b.strides[r]))) {
                let order = order(&right, &dot.rhs_batching_dims, pairs.iter().map(|p| p.1).collect());
                b = self.packed(s, rhs, &order)?;
            }
        }
        let contraction = contract(&a, &b);
        let (k, [ka, kb, _]) = contraction.first().copied().unwrap_or((1, [0, 0, 0]));
        let batch = merge(
            (dot.lhs_batching_dims.iter().zip(&dot.rhs_batching_dims).enumerate())
                .map(|(i, (&l, &r))| (left_shape[l] as i64, [a.strides[l], b.strides[r], c[i]])),
        );
        let rows = merge(
            left.iter().enumerate().map(|(i, &d)| (left_shape[d] as i64, [a.strides[d], 0, c[batches + i]])),
        );
        let columns = merge(
            (right.iter().enumerate())
                .map(|(i, &d)| (right_shape[d] as i64, [0, b.strides[d], c[batches + left.len() + i]])),
        );
        let last = |walks: &[Walk]| walks.last().copied().unwrap_or((1, [0, 0, 0]));
        let (bn, bs) = last(&batch);
        let (m, ms) = last(&rows);
        let (n, ns) = last(&columns);
        // What is left over becomes loops.
        let outer: Vec<Walk> = [&batch, &rows, &columns]
            .into_iter()
            .flat_map(|w| w[..w.len().saturating_sub(1)].iter().copied())
            .collect();
        let mut at_of = [self.element(&a.at, 0), self.element(&b.at, 0), self.element(&at, 0)];
        for (_, strides) in &outer {
            let i = self.b.open(&[Scalar::I64])[0];
            for (access, &stride) in at_of.iter_mut().zip(strides) {
                if stride != 0 {
                    access.terms.push((i, stride));
                }
            }
        }
        let [a_at, b_at, c_at] = at_of;
        let product = Library::Gemm {
            elem,
            sizes: [bn as usize, m as usize, n as usize, k as usize],
            a: Matrix { at: a_at, row_stride: ms[0], col_stride: ka, batch_stride: bs[0] },
            b: Matrix { at: b_at, row_stride: kb, col_stride: ns[1], batch_stride: bs[1] },
            c: Matrix { at: c_at, row_stride: ms[2], col_stride: ns[2], batch_stride: bs[2] },
        };
        self.b.push(KOp::Library(Box::new(product)), &[], &[]);
        for &(extent, _) in outer.iter().rev() {
            self.b.end_for((Extent::Const(0), Extent::Const(extent)), LoopKind::Sequential, &[], &[]);
        }
        s.stored[out] = Some(Stored::Memory(at));
        Ok(())
    }

    /// Nothing to add up: products of elements.
    fn outer_product(
        &mut self,
        s: &mut Scope<'m>,
        inst: &'m Inst,
        dot: &DotGeneral,
        out_shape: &Dims,
        contracted: &Dims,
    ) -> Result<(), LowerError> {
        let out = inst.results[0];
        let space: Dims = out_shape.iter().chain(contracted).copied().collect();
        let (graph, (position, node)) = self.graph(&space, false, |l, g| {
            let here = g.here();
            let position = g.position(here, &space);
            Ok((position, l.product(g, s, inst, dot)?))
        })?;
        let at = self.target(s, out, &[(inst.operands[0], false), (inst.operands[1], false)]);
        s.stored[out] = Some(Stored::Memory(at.clone()));
        self.nest(&graph, &[Output { at, position, node }]);
        Ok(())
    }

    /// Where the elements of a value are, when one stride per dimension tells; computed into memory otherwise.
    fn view(&mut self, s: &mut Scope<'m>, v: Value) -> Result<View, LowerError> {
        let shape = s.ty(v).shape.clone();
        let mut g = Graph::new(&shape, false);
        let here = g.here();
        let node = match self.node(&mut g, s, v, here) {
            Ok(node) => Some(node),
            Err(Stop::Split(..) | Stop::Cut(..)) => None,
            Err(Stop::Error(e)) => return Err(*e),
        };
        if let Some(node) = node
            && let NodeOp::Load(at, position) = &g.nodes[node as usize].op
            && position.terms.iter().all(|(v, _)| !matches!(v, Var::Node(_)))
        {
            let mut at = at.clone();
            at.offset += position.offset;
            let mut strides: SmallVec<[i64; 4]> = SmallVec::from_elem(0, shape.len());
            let mut atom = 0;
            for (d, factors) in g.factors.iter().enumerate() {
                for _ in factors {
                    strides[d] = position.coefficient(Var::Atom(atom));
                    atom += 1;
                }
            }
            for &(v, c) in &position.terms {
                if let Var::Outer(v) = v {
                    match at.terms.iter_mut().find(|t| t.0 == v) {
                        Some(term) => term.1 += c,
                        None => at.terms.push((v, c)),
                    }
                }
            }
            return Ok(View { at, strides });
        }
        let at = self.memory_of(s, v)?;
        Ok(View { at, strides: row_major(&shape) })
    }

    /// A copy with dimensions in this order of memory.
    fn packed(&mut self, s: &mut Scope<'m>, v: Value, order: &[usize]) -> Result<View, LowerError> {
        let shape = s.ty(v).shape.clone();
        let mut strides: SmallVec<[i64; 4]> = SmallVec::from_elem(0, shape.len());
        let mut step = 1;
        for &d in order.iter().rev() {
            strides[d] = step;
            step *= shape[d] as i64;
        }
        let (graph, (position, node)) = self.graph(&shape, false, |l, g| {
            let here = g.here();
            let mut position = Affine::default();
            for (index, &stride) in g.indices(here).iter().zip(&strides) {
                position.add(index, stride);
            }
            Ok((position, l.node(g, s, v, here)?))
        })?;
        let at = self.scratch(s.elem(v), &[step as usize]);
        self.nest(&graph, &[Output { at: at.clone(), position, node }]);
        Ok(View { at, strides })
    }

    /// A sum of products in loops.
    fn integer_dot(
        &mut self,
        s: &mut Scope<'m>,
        inst: &'m Inst,
        dot: &DotGeneral,
        out_shape: &Dims,
        contracted: &Dims,
    ) -> Result<(), LowerError> {
        let out = inst.results[0];
        let space: Dims = out_shape.iter().chain(contracted).copied().collect();
        let reduced: Dims = (out_shape.len()..space.len()).collect();
        let (mut graph, node) = self.graph(&space, false, |l, g| l.product(g, s, inst, dot))?;
        let elem = s.elem(out);
        let combine =
            scalar::combine(wengert_ir::op::BinaryOp::Add, dot.dtype).map_err(|e| s.refuse(inst, e))?;
        let init = self.b.bits(0, elem);
        let strides = row_major(out_shape);
        let mut position = Affine::default();
        let here = graph.here();
        for (index, &stride) in graph.indices(here).clone().iter().zip(&strides) {
            position.add(index, stride);
        }
        let at = self.target(s, out, &[(inst.operands[0], false), (inst.operands[1], false)]);
        s.stored[out] = Some(Stored::Memory(at.clone()));
        let reduction = Reduction { node, combine, elem, init, out: Some((at, position)) };
        self.reduce_nest(&mut graph, &reduced, vec![reduction], Vec::new());
        Ok(())
    }
}

/// Joins neighbours that walk memory as one dimension in all places; sizes of 1 vanish.
fn merge(walks: impl Iterator<Item = Walk>) -> Vec<Walk> {
    let mut out: Vec<Walk> = Vec::new();
    for (n, strides) in walks {
        if n == 1 {
            continue;
        }
        if let Some((m, outer)) = out.last_mut()
            && outer.iter().zip(&strides).all(|(&o, &i)| o == i * n)
        {
            *m *= n;
            *outer = strides;
            continue;
        }
        out.push((n, strides));
    }
    out
}
