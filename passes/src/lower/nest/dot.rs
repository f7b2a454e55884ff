//! Contractions: library products over strided views, or loops for integers.
//!
//! Transposes, slices and reshapes that only rename strides are absorbed. Dimensions of one role (batch, free,
//! contracted) that walk memory jointly count as one; further batch and free dimensions become loops around
//! the product; contracted dimensions that do not merge cost a copy, unless they are those of windows ([`windowed`](super::windowed)). A factor much larger than what it is made of is made
//! piece by piece ([`tiling`](super::tiling)).

use super::Lowerer;
use super::emit::{Output, add_term};
use super::launch_product::Factor;
use super::reduction::Reduction;
use crate::lower::LowerError;
use crate::lower::plan::cut::{Place, cut};
use crate::lower::plan::views::row_major;
use crate::lower::space::graph::{self, Graph, NodeOp, Stop};
use crate::lower::space::index::{Affine, Var};
use crate::lower::space::scalar;
use crate::lower::space::scope::At;
use crate::lower::space::scope::{Scope, Stored};
use smallvec::SmallVec;
use wengert_ir::func::{Inst, Value};
use wengert_ir::kernel::product::Levels;
use wengert_ir::kernel::*;
use wengert_ir::op::DotGeneral;
use wengert_ir::types::Dims;

/// A tensor in memory with a stride per dimension.
#[derive(Clone, Debug)]
pub(in crate::lower) struct View {
    pub(in crate::lower) at: At,
    pub(in crate::lower) strides: SmallVec<[i64; 4]>,
    /// What counters of the kernel being built add to its place.
    inside: SmallVec<[(KValue, i64); 2]>,
}

impl View {
    /// Row-major, of this shape.
    pub(in crate::lower) fn dense(at: At, shape: &[usize]) -> Self {
        Self { at, strides: row_major(shape), inside: SmallVec::new() }
    }

    /// Begins `counter * step` elements further on.
    pub(in crate::lower) fn moved(&mut self, counter: KValue, step: i64) {
        if step != 0 {
            self.inside.push((counter, step));
        }
    }
}

/// A contraction whose factors are in memory. Lists of dimensions are in order of each other.
#[derive(Clone, Debug)]
pub(in crate::lower) struct Contraction {
    pub(super) elem: Scalar,
    pub(super) batches: [Dims; 2],
    pub(super) free: [Dims; 2],
    pub(super) contracted: [Dims; 2],
    pub(in crate::lower) shapes: [Dims; 2],
    pub(in crate::lower) factors: [View; 2],
    pub(in crate::lower) out: View,
    /// Whether the product is added to what is there.
    pub(in crate::lower) adds: bool,
}

impl Contraction {
    /// Of these factors, with the product at one place. What is summed over is in the order in which the left factor lies in memory.
    pub(super) fn new(s: &Scope<'_>, inst: &Inst, dot: &DotGeneral, factors: [View; 2], out: At) -> Self {
        let shapes = [0, 1].map(|k| s.ty(inst.operands[k]).shape.clone());
        let batches = [dot.lhs_batching_dims.clone(), dot.rhs_batching_dims.clone()];
        let contracted = [dot.lhs_contracting_dims.clone(), dot.rhs_contracting_dims.clone()];
        let free = [0, 1].map(|k| {
            let bound = |d: &usize| batches[k].contains(d) || contracted[k].contains(d);
            (0..shapes[k].len()).filter(|d| !bound(d)).collect()
        });
        let out = View::dense(out, &s.ty(inst.results[0]).shape);
        let elem = s.elem(inst.results[0]);
        let mut c = Contraction { elem, batches, free, contracted, shapes, factors, out, adds: false };
        let strides = c.factors[0].strides.clone();
        c.sort_contracted(|[left, _]| std::cmp::Reverse(strides[left].abs()));
        c
    }

    /// Puts what is summed over in the order of a key of its dimensions in the two factors.
    fn sort_contracted<K: Ord>(&mut self, key: impl Fn([usize; 2]) -> K) {
        let pairs = self.contracted[0].iter().zip(&self.contracted[1]);
        let mut pairs: Vec<[usize; 2]> = pairs.map(|(&left, &right)| [left, right]).collect();
        pairs.sort_by_key(|&pair| key(pair));
        self.contracted = [0, 1].map(|k| pairs.iter().map(|pair| pair[k]).collect());
    }

    /// Only some indices of a dimension of factor `f`, which itself is as it is.
    pub(in crate::lower) fn narrow(&mut self, f: usize, place: &Place, counter: KValue) {
        let index = |dims: &[Dims; 2]| dims[f].iter().position(|&d| d == place.dim);
        let (batch, free) = (index(&self.batches), index(&self.free));
        self.shapes[f][place.dim] = place.count;
        let shared =
            [&self.batches, &self.contracted].into_iter().find_map(|dims| Some(dims[1 - f][index(dims)?]));
        if let Some(other) = shared {
            self.shapes[1 - f][other] = place.count;
            let step = place.step * self.factors[1 - f].strides[other];
            self.factors[1 - f].moved(counter, step);
        }
        let before = self.batches[0].len() + if f == 0 { 0 } else { self.free[0].len() };
        if let Some(out) = batch.or(free.map(|i| before + i)) {
            let step = place.step * self.out.strides[out];
            self.out.moved(counter, step);
        }
    }

    /// The walk of what is summed over.
    pub(super) fn contraction(&self) -> Vec<Walk> {
        let [left, right] = &self.factors;
        merge(
            self.contracted[0]
                .iter()
                .zip(&self.contracted[1])
                .map(|(&l, &r)| (self.shapes[0][l] as i64, [left.strides[l], right.strides[r], 0])),
        )
    }

    /// The same of one factor alone.
    fn contracted_alone(&self, k: usize) -> Vec<Walk> {
        let strides = &self.factors[k].strides;
        merge(self.contracted[k].iter().map(|&d| (self.shapes[k][d] as i64, [strides[d], 0, 0])))
    }

    pub(super) fn batch(&self) -> Vec<Walk> {
        let [left, right] = &self.factors;
        merge(self.batches[0].iter().zip(&self.batches[1]).enumerate().map(|(i, (&l, &r))| {
            (self.shapes[0][l] as i64, [left.strides[l], right.strides[r], self.out.strides[i]])
        }))
    }

    /// Whether the free dimensions or the batches of a factor lie so that there would be many small products, and a copy in which they
    /// merge costs less: a call takes as long as some hundred elements are copied, and a thin product takes its other factor
    /// anew for a few columns each time.
    fn is_scattered(&self, k: usize) -> bool {
        let own = &self.factors[k].strides;
        let batches = merge(
            self.batches[k]
                .iter()
                .enumerate()
                .map(|(i, &d)| (self.shapes[k][d] as i64, [own[d], self.out.strides[i], 0])),
        );
        let free = if k == 0 { self.rows() } else { self.columns() };
        let outer = |walks: &[Walk]| walks.iter().rev().skip(1).map(|w| w.0).product::<i64>();
        let calls = outer(&batches) * outer(&free);
        let size = |dims: &Dims, k: usize| dims.iter().map(|&d| self.shapes[k][d] as i64).product::<i64>();
        let elements: i64 = self.shapes[k].iter().map(|&n| n as i64).product();
        let is_thin =
            free.len() > 1 && free.last().is_some_and(|w| w.0 < 16) && size(&self.free[1 - k], 1 - k) >= 8;
        calls >= 4 && (elements <= 300 * calls || is_thin)
    }

    pub(super) fn rows(&self) -> Vec<Walk> {
        let out = &self.out.strides[self.batches[0].len()..];
        merge(
            (self.free[0].iter().zip(out))
                .map(|(&d, &step)| (self.shapes[0][d] as i64, [self.factors[0].strides[d], 0, step])),
        )
    }

    pub(super) fn columns(&self) -> Vec<Walk> {
        let out = &self.out.strides[self.batches[0].len() + self.free[0].len()..];
        merge(
            (self.free[1].iter().zip(out))
                .map(|(&d, &step)| (self.shapes[1][d] as i64, [0, self.factors[1].strides[d], step])),
        )
    }
}

/// Dimensions walked together: size, and strides in the left factor, the right factor and the product.
pub(super) type Walk = (i64, [i64; 3]);

impl<'m> Lowerer<'m> {
    pub(in crate::lower) fn dot_general(
        &mut self,
        s: &mut Scope<'m>,
        inst: &'m Inst,
        dot: &DotGeneral,
    ) -> Result<(), LowerError> {
        let (lhs, rhs, out) = (inst.operands[0], inst.operands[1], inst.results[0]);
        let contracted: Dims = dot.lhs_contracting_dims.iter().map(|&d| s.ty(lhs).shape[d]).collect();
        let elem = s.elem(out);
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
        if self.windowed_product(s, inst, dot)? {
            return Ok(());
        }
        let mut cut = cut(self.options.target, s.func, inst);
        let mut factors: SmallVec<[View; 2]> = SmallVec::new();
        for (k, &v) in inst.operands.iter().enumerate() {
            let place = self.in_place(s, v)?;
            let own = cut.take_if(|c| c.factor == k);
            let fits =
                |view: &View| own.as_ref().is_none_or(|c| c.walks_together(s.func.tensor(v), &view.strides));
            factors.push(match (place.filter(fits), own) {
                (Some(view), _) => view,
                (None, Some(own)) => {
                    let view = self.room(elem, &s.ty(v).shape, &own);
                    cut = Some(own);
                    view
                }
                (None, None) => View::dense(self.memory_of(s, v)?, &s.ty(v).shape),
            });
        }
        let factors: [View; 2] = factors.into_inner().expect("two factors");
        let at = self.target(s, out, &[(lhs, false), (rhs, false)]);
        let mut c = Contraction::new(s, inst, dot, factors, at.clone());
        if let Some(cut) = &cut {
            // Pieces are made row-major.
            c.sort_contracted(|pair| pair[cut.factor]);
        }
        if c.contraction().len() > 1 {
            for (k, &v) in inst.operands.iter().enumerate() {
                // A factor whose own contracted dimensions merge stays where it is; so they do in one that is cut.
                let own = cut.as_ref().is_some_and(|cut| cut.factor == k);
                if !own && c.contracted_alone(k).len() > 1 {
                    let order = [&c.batches[k], &c.free[k], &c.contracted[k]];
                    let order: Vec<usize> = order.into_iter().flatten().copied().collect();
                    c.factors[k] = self.packed(s, v, &order)?;
                }
            }
        }
        if cut.is_none() {
            for (k, &v) in inst.operands.iter().enumerate() {
                if c.is_scattered(k) {
                    let order = [&c.batches[k], &c.free[k], &c.contracted[k]];
                    let order: Vec<usize> = order.into_iter().flatten().copied().collect();
                    c.factors[k] = self.packed(s, v, &order)?;
                }
            }
        }
        match &cut {
            Some(cut) => self.in_pieces(s, inst.operands[cut.factor], &c, cut)?,
            None => self.multiply(&c),
        }
        s.stored[out] = Some(Stored::Memory(at));
        Ok(())
    }

    /// The call that multiplies, in loops over the dimensions that it does not take.
    pub(in crate::lower) fn multiply(&mut self, c: &Contraction) {
        let (k, [ka, kb, _]) = c.contraction().first().copied().unwrap_or((1, [0, 0, 0]));
        let (batch, rows, columns) = (c.batch(), c.rows(), c.columns());
        let last = |walks: &[Walk]| walks.last().copied().unwrap_or((1, [0, 0, 0]));
        let (bn, bs) = last(&batch);
        let (m, ms) = last(&rows);
        let (n, ns) = last(&columns);
        // What is left over becomes loops.
        let outer: Vec<Walk> = [&batch, &rows, &columns]
            .into_iter()
            .flat_map(|w| w[..w.len().saturating_sub(1)].iter().copied())
            .collect();
        let [left, right] = &c.factors;
        let mut at_of = [left, right, &c.out].map(|view| {
            let mut access = self.element(&view.at, 0);
            view.inside.iter().for_each(|&(counter, step)| add_term(&mut access.terms, counter, step));
            access
        });
        for (_, strides) in &outer {
            let i = self.b.open(&[Scalar::I64])[0];
            for (access, &stride) in at_of.iter_mut().zip(strides) {
                if stride != 0 {
                    access.terms.push((i, stride));
                }
            }
        }
        let sizes = [bn, m, n, k];
        let ours = self.on_device() && self.options.target.device.is_some_and(|device| !device.products);
        if ours && sizes.iter().all(|&n| n > 0) {
            let strides = [[bs[0], ms[0], ka], [bs[1], kb, ns[1]], [bs[2], ms[2], ns[2]]];
            let mut parts =
                [left, right, &c.out].into_iter().zip(strides).zip(&at_of).map(|((view, strides), at)| {
                    let terms = at.terms.iter().copied().collect();
                    Factor { at: At { offset: at.offset, terms, ..view.at.clone() }, strides }
                });
            let parts = [(); 3].map(|()| parts.next().expect("three matrices"));
            if self.launch_product(c.elem, sizes, parts, c.adds) {
                for &(extent, _) in outer.iter().rev() {
                    self.b.end_for((Extent::Const(0), Extent::Const(extent)), LoopKind::Sequential, &[], &[]);
                }
                return;
            }
        }
        let [a_at, b_at, c_at] = at_of;
        let product = Library::Gemm {
            elem: c.elem,
            sizes: [bn as usize, m as usize, n as usize, k as usize],
            a: Matrix { at: a_at, row_stride: ms[0], col_stride: ka, batch_stride: bs[0] },
            rows: Levels::new(),
            depth: Levels::new(),
            b: Matrix { at: b_at, row_stride: kb, col_stride: ns[1], batch_stride: bs[1] },
            c: Matrix { at: c_at, row_stride: ms[2], col_stride: ns[2], batch_stride: bs[2] },
            adds: c.adds,
        };
        self.b.push(KOp::Library(Box::new(product)), &[], &[]);
        for &(extent, _) in outer.iter().rev() {
            self.b.end_for((Extent::Const(0), Extent::Const(extent)), LoopKind::Sequential, &[], &[]);
        }
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
        let (graph, (position, node)) = graph::build(self, Graph::new(&space, false), |l, g| {
            let here = g.here();
            let position = g.position(here, &space);
            Ok((position, l.places().product(g, s, inst, dot)?))
        })?;
        let at = self.target(s, out, &[(inst.operands[0], false), (inst.operands[1], false)]);
        s.stored[out] = Some(Stored::Memory(at.clone()));
        self.nest(&graph, &[Output { at, position, node }]);
        Ok(())
    }

    /// Where the elements of a value are, when one stride per dimension tells, none of them backwards.
    pub(super) fn in_place(&mut self, s: &mut Scope<'m>, v: Value) -> Result<Option<View>, LowerError> {
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
            let forwards = strides.iter().all(|&step| step >= 0);
            return Ok(forwards.then(|| View { at, strides, inside: SmallVec::new() }));
        }
        Ok(None)
    }

    /// A copy with dimensions in this order of memory.
    pub(super) fn packed(
        &mut self,
        s: &mut Scope<'m>,
        v: Value,
        order: &[usize],
    ) -> Result<View, LowerError> {
        let shape = s.ty(v).shape.clone();
        let strides = strides_in(&shape, order);
        let (graph, (position, node)) = graph::build(self, Graph::new(&shape, false), |l, g| {
            let here = g.here();
            let mut position = Affine::default();
            for (index, &stride) in g.indices(here).iter().zip(&strides) {
                position.add(index, stride);
            }
            Ok((position, l.node(g, s, v, here)?))
        })?;
        let at = self.scratch(s.elem(v), &[shape.iter().product()]);
        self.nest(&graph, &[Output { at: at.clone(), position, node }]);
        Ok(View { at, strides, inside: SmallVec::new() })
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
        let (mut graph, node) =
            graph::build(self, Graph::new(&space, false), |l, g| l.places().product(g, s, inst, dot))?;
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

/// The strides of a shape whose dimensions lie in this order, outermost first.
pub(super) fn strides_in(shape: &[usize], order: &[usize]) -> SmallVec<[i64; 4]> {
    let mut strides: SmallVec<[i64; 4]> = SmallVec::from_elem(0, shape.len());
    let mut step = 1;
    for &d in order.iter().rev() {
        strides[d] = step;
        step *= shape[d] as i64;
    }
    strides
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
