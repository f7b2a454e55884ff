//! Reductions by a function of the program: one element after the other.

use super::Lowerer;
use super::emit::{Binding, Emission, Output};
use super::reduce::kept_position;
use crate::lower::LowerError;
use crate::lower::space::graph::{self, Graph, Stop};
use crate::lower::space::scope::At;
use crate::lower::space::scope::{Scope, Stored};
use smallvec::{SmallVec, smallvec};
use wengert_ir::func::Inst;
use wengert_ir::kernel::*;
use wengert_ir::op::{Reduce, Reducer};

impl<'m> Lowerer<'m> {
    /// A reduction by a function of its own: in row-major order, one element after the other.
    pub(in crate::lower) fn reduce_func(
        &mut self,
        s: &mut Scope<'m>,
        inst: &'m Inst,
        reduce: &Reduce,
    ) -> Result<(), LowerError> {
        let Reducer::Func(body) = reduce.reducer else {
            return Err(s.refuse(inst, "its sizes are not known"));
        };
        let n = reduce.inputs;
        let space = s.ty(inst.operands[0]).shape.clone();
        let mut state: SmallVec<[KValue; 4]> = SmallVec::new();
        for &init in &inst.operands[n..2 * n] {
            state.push(self.scalar_of(s, init)?);
        }
        let mut captures = Vec::new();
        for &c in &inst.operands[2 * n..] {
            captures.push(self.argument(s, c)?);
        }
        let empty = space.contains(&0);
        let (graph, nodes) = if empty {
            (Graph::new(&[], false), Vec::new())
        } else {
            graph::build(self, Graph::new(&space, false), |l, g| {
                (inst.operands[..n].iter())
                    .map(|&v| Ok(l.member(g, s, v, None)?.1))
                    .collect::<Result<Vec<_>, Stop>>()
            })?
        };
        let position = kept_position(&graph, &space, &reduce.dims, empty);
        let mut targets: Vec<Option<At>> = Vec::new();
        for &v in &inst.results {
            let at = (s.ty(v).rank() > 0).then(|| self.target(s, v, &[]));
            s.stored[v] = at.clone().map(Stored::Memory);
            targets.push(at);
        }
        if empty {
            for ((&v, target), &init) in inst.results.iter().zip(&targets).zip(&state) {
                match target {
                    None => s.stored[v] = Some(Stored::Registers([init].into())),
                    Some(at) if at.len > 0 => {
                        let mut g = Graph::new(&[at.len], true);
                        let here = g.here();
                        let position = g.position(here, &[at.len]);
                        let node = g.node(crate::lower::space::graph::NodeOp::Outer(init), s.elem(v));
                        self.nest(&g, &[Output { at: at.clone(), position, node }]);
                    }
                    Some(_) => {}
                }
            }
            return Ok(());
        }
        let (mut kept, mut reduced) = (Vec::new(), Vec::new());
        let mut atom = 0;
        for (d, factors) in graph.factors.iter().enumerate() {
            for &extent in factors {
                if reduce.dims.contains(&d) { &mut reduced } else { &mut kept }.push((atom, extent));
                atom += 1;
            }
        }
        self.memory.enter_loop();
        let floor = self.b.set_floor();
        let mut e = Emission::new(&graph);
        for &(atom, _) in &kept {
            let i = self.b.open(&[Scalar::I64])[0];
            e.bind[atom as usize] = Binding::counter(i);
        }
        let types: SmallVec<[Scalar; 4]> = inst.results.iter().map(|&v| s.elem(v)).collect();
        let mut inits: Vec<SmallVec<[KValue; 4]>> = Vec::new();
        for &(atom, _) in &reduced {
            inits.push(state.clone());
            let mut params: SmallVec<[Scalar; 4]> = smallvec![Scalar::I64];
            params.extend(types.iter().copied());
            let params = self.b.open(&params);
            e.bind[atom as usize] = Binding::counter(params[0]);
            state = params[1..].into();
        }
        let elements = self.emit(&mut e, &nodes);
        let mut args = captures;
        args.extend(state.iter().chain(&elements).map(|&v| Stored::Registers([v].into())));
        let inner = self.b.set_floor();
        let given = self.region(body, args, vec![None; n])?;
        let mut next: SmallVec<[KValue; 4]> = SmallVec::new();
        for stored in &given {
            next.push(self.scalar_from(stored));
        }
        self.b.restore_floor(inner);
        for (&(_, extent), init) in reduced.iter().zip(&inits).rev() {
            let bounds = (Extent::Const(0), Extent::Const(extent));
            next = self.b.end_for(bounds, LoopKind::Sequential, init, &next).into_iter().collect();
        }
        if reduced.is_empty() {
            // All reduced dimensions have size 1: `next` is the function applied once.
        }
        for ((&v, target), &value) in inst.results.iter().zip(&targets).zip(&next) {
            match target {
                None => s.stored[v] = Some(Stored::Registers([value].into())),
                Some(at) => {
                    let access = self.access(&e, at, &position);
                    self.b.store(access, value);
                }
            }
        }
        for &(_, extent) in kept.iter().rev() {
            self.b.end_for((Extent::Const(0), Extent::Const(extent)), LoopKind::Sequential, &[], &[]);
        }
        self.b.restore_floor(floor);
        self.memory.leave_loop();
        Ok(())
    }

    /// The scalar in a rank-0 result of a region.
    pub(in crate::lower) fn scalar_from(&mut self, stored: &Stored) -> KValue {
        match stored {
            Stored::Registers(regs) => regs[0],
            Stored::Memory(at) | Stored::Rows(at, _) => self.load_element(at, 0),
            Stored::Splat(_) => unreachable!("scalars are in registers"),
        }
    }
}
