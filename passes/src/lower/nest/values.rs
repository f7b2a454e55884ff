//! Whole values: kernels without reductions, copies, views, elements as scalars.

use super::Lowerer;
use super::emit::{Emission, Output};
use crate::lower::LowerError;
use crate::lower::plan::Role;
use crate::lower::plan::classify::reshaped_from;
use crate::lower::plan::unrolling::Unrolled;
use crate::lower::space::graph::{self, Graph, NodeOp, Stop};
use crate::lower::space::index::Affine;
use crate::lower::space::scope::At;
use crate::lower::space::scope::{Scope, Stored};
use crate::lower::space::sink::Sink;
use smallvec::SmallVec;
use std::rc::Rc;
use wengert_ir::func::Value;
use wengert_ir::kernel::*;
use wengert_ir::op::Op;

impl<'m> Lowerer<'m> {
    /// Lowers a kernel of the plan.
    pub(in crate::lower) fn group_unit(&mut self, s: &mut Scope<'m>, number: u32) -> Result<(), LowerError> {
        let plan = s.plan.clone();
        let group = &plan.groups[number as usize];
        self.stats.groups += 1;
        self.stats.rewritten |= !plan.fused.is_empty();
        if group.reduced.is_some() {
            return self.reduce_group(s, group);
        }
        let func = s.func;
        let values: SmallVec<[Value; 4]> = (group.members.iter())
            .filter(|&&id| !plan.internal[id])
            .flat_map(|&id| func.insts[id].results.iter().copied())
            .collect();
        self.store_values(s, &group.space, &values, &group.reads, None)?;
        Ok(())
    }

    /// Computes one inlined value into memory.
    pub(in crate::lower) fn compute_into(
        &mut self,
        s: &mut Scope<'m>,
        v: Value,
        at: &At,
    ) -> Result<(), LowerError> {
        let space = s.ty(v).shape.clone();
        self.store_values(s, &space, &[v], &[], Some(at))
    }

    /// Computes values with as many elements as `space` and stores them: at `given`, or at targets of their own,
    /// which then hold them.
    pub(in crate::lower) fn store_values(
        &mut self,
        s: &mut Scope<'m>,
        space: &[usize],
        values: &[Value],
        reads: &[(Value, bool)],
        given: Option<&At>,
    ) -> Result<(), LowerError> {
        let empty = space.contains(&0);
        // Which piece of a concatenation an element is from shows in one index only as long as it is not reshaped.
        let one = if let &[v] = values { Some(v) } else { None };
        let joined = one.map(|v| reshaped_from(s.func, v)).filter(|&u| Some(u) != one && is_joined(s, u));
        let sources = joined.as_slice();
        let (space, sources) = joined.map_or((space, values), |u| (&s.func.tensor(u).shape[..], sources));
        let regions = if empty {
            Vec::new()
        } else {
            graph::regions(self, space, |l, g| {
                sources.iter().map(|&v| l.member(g, s, v, None)).collect::<Result<Vec<_>, Stop>>()
            })?
        };
        let mut targets: SmallVec<[At; 4]> = SmallVec::new();
        for &v in values {
            targets.push(match given {
                Some(at) => at.clone(),
                None => self.target(s, v, reads),
            });
            if given.is_none() {
                s.stored[v] = targets.last().cloned().map(Stored::Memory);
            }
        }
        for (graph, nodes) in regions {
            let outputs = targets.iter().zip(nodes).map(|(at, (position, node))| Output {
                at: at.clone(),
                position,
                node,
            });
            self.nest(&graph, &outputs.collect::<Vec<_>>());
        }
        Ok(())
    }

    /// The node of a value at the current point, and its row-major position there; at the place that `written` is of
    /// a dimension that the graph's space lacks.
    pub(in crate::lower) fn member(
        &mut self,
        g: &mut Graph,
        s: &mut Scope<'m>,
        v: Value,
        written: Option<Unrolled>,
    ) -> Result<(Affine, u32), Stop> {
        let shape = s.ty(v).shape.clone();
        let mut here = g.here();
        let mut extents = g.space.clone();
        if let Some(Unrolled { dim, extent, index }) = written {
            let mut indices = g.indices(here).clone();
            indices.insert(dim, Affine::constant(index as i64));
            here = g.intern(indices);
            extents.insert(dim, extent);
        }
        let position = g.position(here, &extents);
        let at = if extents[..] == shape[..] { here } else { g.index_at(&position, &shape)? };
        Ok((position, self.node(g, s, v, at)?))
    }

    /// Stores the same bits, or a copy, into a dense tensor.
    pub(in crate::lower) fn copy(&mut self, from: &Stored, to: &At) {
        let elem = self.memory.elem(to.mem);
        match from {
            Stored::Memory(at) if at == to => {}
            Stored::Registers(regs) => {
                for (k, &value) in regs.iter().enumerate() {
                    let access = self.element(to, k as i64);
                    self.b.store(access, value);
                }
            }
            Stored::Memory(_) | Stored::Splat(_) | Stored::Rows(..) => {
                if to.len == 0 {
                    return;
                }
                let mut g = Graph::new(&[to.len], true);
                let here = g.here();
                let position = g.position(here, &[to.len]);
                let node = match from {
                    Stored::Splat(bits) => g.constant(*bits, elem),
                    Stored::Memory(at) | Stored::Rows(at, _) => {
                        g.node(NodeOp::Load(at.clone(), position.clone()), elem)
                    }
                    Stored::Registers(_) => unreachable!("handled above"),
                };
                self.nest(&g, &[Output { at: to.clone(), position, node }]);
            }
        }
    }

    /// Every element of an inlined value as a scalar, or of one that registers are wanted of.
    pub(in crate::lower) fn elements(
        &mut self,
        s: &mut Scope<'m>,
        v: Value,
    ) -> Result<Rc<[KValue]>, LowerError> {
        let shape = s.ty(v).shape.clone();
        let n = s.ty(v).elements();
        let (graph, nodes) = graph::build(self, Graph::new(&[], false), |l, g| {
            let mut nodes = Vec::with_capacity(n);
            for k in 0..n {
                let at = g.index_at(&Affine::constant(k as i64), &shape)?;
                nodes.push(l.node(g, s, v, at)?);
            }
            Ok(nodes)
        })?;
        let floor = self.b.set_floor();
        let mut e = Emission::new(&graph);
        let out = self.emit(&mut e, &nodes);
        self.b.restore_floor(floor);
        Ok(out.into_iter().collect())
    }

    /// A value as a view of memory, or a splat: `None` if it takes computing or strides.
    pub(in crate::lower) fn whole_view(
        &mut self,
        s: &mut Scope<'m>,
        v: Value,
    ) -> Result<Option<Stored>, LowerError> {
        // Only operations that rename elements are tried.
        let mut base = v;
        while s.stored[base].is_none() {
            let Some((id, inst)) = s.func.def(base) else { break };
            match &inst.op {
                Op::Reshape(_) | Op::Slice(_) if s.plan.roles[id] == Role::Inlined => base = inst.operands[0],
                Op::BroadcastInDim(_) if s.plan.roles[id] == Role::Inlined => base = inst.operands[0],
                Op::OptimizationBarrier(_) | Op::StopGradient(_) => {
                    let k = inst.results.iter().position(|&r| r == base).expect("its result");
                    base = inst.operands[k];
                }
                Op::Constant(_) | Op::Zero(_) => break,
                _ => return Ok(None),
            }
        }
        let shape = s.ty(v).shape.clone();
        if shape.contains(&0) {
            return Ok(None);
        }
        let len = s.ty(v).elements();
        let (graph, (position, node)) =
            graph::build(self, Graph::new(&shape, false), |l, g| l.member(g, s, v, None))?;
        Ok(match &graph.nodes[node as usize].op {
            NodeOp::Constant(bits) => Some(Stored::Splat(*bits)),
            NodeOp::Load(at, from) => {
                let mut offset = from.clone();
                offset.add(&position, -1);
                offset.as_constant().map(|k| Stored::Memory(at.part(k, len)))
            }
            _ => None,
        })
    }
}

/// Whether a value is a concatenation that is nowhere yet.
fn is_joined(s: &Scope<'_>, v: Value) -> bool {
    s.stored[v].is_none() && s.func.def(v).is_some_and(|(_, inst)| matches!(inst.op, Op::Concatenate(_)))
}
