//! Reductions by a function of the program, which may be any: one element after the other, in row-major order.
//!
//! Within one result nothing can be done at once, so several results are: vectors of results where each has few elements
//! ([`Lowerer::folds_unrolled`]) or where they lie side by side in each row ([`Lowerer::folds_of_columns`]), and
//! otherwise a few at a time ([`Lowerer::folds_together`]).

use super::Lowerer;
use super::emit::{Atoms, Binding, Emission, Output};
use super::reduce::kept_position;
use crate::lower::LowerError;
use crate::lower::space::graph::{self, Graph, NodeOp, Stop};
use crate::lower::space::index::Affine;
use crate::lower::space::scope::At;
use crate::lower::space::scope::{Scope, Stored};
use smallvec::{SmallVec, smallvec};
use wengert_ir::func::{FuncId, Inst, Value};
use wengert_ir::kernel::*;
use wengert_ir::op::{Op, Reduce, Reducer};
use wengert_ir::ops_of;

/// Folds of at most so many instructions in all are written out. The 8 distances of each of 500 points took 14.7 us to find the
/// least of one by one.
const UNROLLED: i64 = 256;
/// And what makes their elements is at most so many terms, all elements together: code that is written out must be compiled.
const WRITTEN: i64 = 1024;
/// So many folds of many elements run at once.
const TOGETHER: i64 = 4;
/// Functions of so many instructions leave registers for as many states.
const SHORT: i64 = 24;

/// Scalars of one state, or of several one after the other.
type Values = SmallVec<[KValue; 4]>;

/// A reduction by a function, ready for loops.
struct Fold {
    body: FuncId,
    init: Values,
    captures: Vec<Stored>,
    /// How many instructions the function has, if it is nothing but scalars.
    straight: Option<i64>,
    /// The elements of the inputs.
    nodes: Vec<u32>,
    /// Of the state.
    types: SmallVec<[Scalar; 4]>,
    /// Where results lie, but for those of rank 0.
    targets: Vec<Option<At>>,
    /// Of a result among those of its memory.
    position: Affine,
    reduced: Atoms,
}

fn bounds(from: i64, to: i64) -> (Extent, Extent) {
    (Extent::Const(from), Extent::Const(to))
}

impl<'m> Lowerer<'m> {
    /// A reduction by a function of its own.
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
        // Results are stored before all is read: not where any of it lies.
        let loaded = graph
            .nodes
            .iter()
            .filter_map(|n| if let NodeOp::Load(at, _) = &n.op { Some(at.mem) } else { None });
        let captured = captures.iter().filter_map(|c| match c {
            Stored::Memory(at) | Stored::Rows(at, _) => Some(at.mem),
            Stored::Registers(_) | Stored::Splat(_) => None,
        });
        let read: SmallVec<[Mem; 8]> = loaded.chain(captured).collect();
        let mut targets: Vec<Option<At>> = Vec::new();
        for &v in &inst.results {
            s.dest[v].take_if(|dest| read.contains(&dest.at.mem));
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
                        let node = g.node(NodeOp::Outer(init), s.elem(v));
                        self.nest(&g, &[Output { at: at.clone(), position, node }]);
                    }
                    Some(_) => {}
                }
            }
            return Ok(());
        }
        let (mut kept, mut reduced) = (Atoms::new(), Atoms::new());
        let mut atom = 0;
        for (d, factors) in graph.factors.iter().enumerate() {
            for &extent in factors {
                if reduce.dims.contains(&d) { &mut reduced } else { &mut kept }.push((atom, extent));
                atom += 1;
            }
        }
        let types = inst.results.iter().map(|&v| s.elem(v)).collect();
        let straight = self.straight(body);
        let fold = Fold { body, straight, init: state, captures, nodes, types, targets, position, reduced };
        self.memory.enter_loop();
        let floor = self.b.set_floor();
        let mut e = Emission::new(&graph);
        let results = self.folds(&mut e, &fold, &kept)?;
        self.b.restore_floor(floor);
        self.memory.leave_loop();
        for ((&v, target), value) in inst.results.iter().zip(&fold.targets).zip(results) {
            if target.is_none() {
                s.stored[v] = Some(Stored::Registers([value].into()));
            }
        }
        Ok(())
    }

    /// The loops over kept atoms around a fold; gives the results of the last.
    fn folds(
        &mut self,
        e: &mut Emission<'_>,
        fold: &Fold,
        kept: &[(u32, i64)],
    ) -> Result<Values, LowerError> {
        let count = fold.reduced.iter().fold(1i64, |n, a| n.saturating_mul(a.1));
        let Some((&last, outer)) = kept.split_last() else { return self.fold(e, fold, &[None]) };
        let counters: Atoms = outer.iter().copied().collect();
        for &(atom, _) in &counters {
            let i = self.b.open(&[Scalar::I64])[0];
            e.bind[atom as usize] = Binding::counter(i);
        }
        let length = fold.straight.filter(|_| self.device().is_none());
        let terms = e.graph.nodes.len() as i64;
        let short = |each: i64, most: i64| count.saturating_mul(each.max(1)) <= most;
        let results = match length {
            Some(length) if last.1 >= LANES as i64 && short(length, UNROLLED) && short(terms, WRITTEN) => {
                self.folds_unrolled(e, fold, last)?
            }
            Some(_) if last.1 >= LANES as i64 && fold.reduced.iter().all(|r| r.0 < last.0) => {
                self.folds_of_columns(e, fold, last)?
            }
            Some(length) if last.1 >= TOGETHER && length <= SHORT => self.folds_together(e, fold, last)?,
            Some(_) | None => {
                let i = self.b.open(&[Scalar::I64])[0];
                e.bind[last.0 as usize] = Binding::counter(i);
                let results = self.fold(e, fold, &[None])?;
                self.b.end_for(bounds(0, last.1), LoopKind::Sequential, &[], &[]);
                results
            }
        };
        for &(_, extent) in counters.iter().rev() {
            self.b.end_for(bounds(0, extent), LoopKind::Sequential, &[], &[]);
        }
        Ok(results)
    }

    /// Folds of few elements side by side, as a loop of independent trips, each without a loop.
    fn folds_unrolled(
        &mut self,
        e: &mut Emission<'_>,
        fold: &Fold,
        (column, extent): (u32, i64),
    ) -> Result<Values, LowerError> {
        let i = self.b.open(&[Scalar::I64])[0];
        e.bind[column as usize] = Binding::counter(i);
        let mut state = fold.init.clone();
        let mut at: Vec<i64> = vec![0; fold.reduced.len()];
        'elements: loop {
            for (&(atom, _), &k) in fold.reduced.iter().zip(&at) {
                e.bind[atom as usize] = Binding::constant(k);
            }
            state = self.folded(e, fold, &state)?;
            for (k, &(_, extent)) in at.iter_mut().zip(&fold.reduced).rev() {
                *k += 1;
                if *k < extent {
                    continue 'elements;
                }
                *k = 0;
            }
            break;
        }
        self.keep(e, fold, &state);
        self.b.end_for(bounds(0, extent), LoopKind::Vector, &[], &[]);
        Ok(state)
    }

    /// Folds of columns: what is folded so far lies where the results will, and each row is folded into it.
    fn folds_of_columns(
        &mut self,
        e: &mut Emission<'_>,
        fold: &Fold,
        (column, extent): (u32, i64),
    ) -> Result<Values, LowerError> {
        let i = self.b.open(&[Scalar::I64])[0];
        e.bind[column as usize] = Binding::counter(i);
        self.keep(e, fold, &fold.init);
        self.b.end_for(bounds(0, extent), LoopKind::Vector, &[], &[]);
        for &(atom, _) in &fold.reduced {
            let k = self.b.open(&[Scalar::I64])[0];
            e.bind[atom as usize] = Binding::counter(k);
        }
        let i = self.b.open(&[Scalar::I64])[0];
        e.bind[column as usize] = Binding::counter(i);
        let mut state = Values::new();
        for at in fold.targets.iter().flatten() {
            let access = self.access(e, at, &fold.position);
            state.push(self.b.load_here(access));
        }
        let next = self.folded(e, fold, &state)?;
        self.keep(e, fold, &next);
        self.b.end_for(bounds(0, extent), LoopKind::Vector, &[], &[]);
        for &(_, extent) in fold.reduced.iter().rev() {
            self.b.end_for(bounds(0, extent), LoopKind::Sequential, &[], &[]);
        }
        Ok(next)
    }

    /// Folds of many elements, some at a time: each waits for its element before, and not for the others.
    fn folds_together(
        &mut self,
        e: &mut Emission<'_>,
        fold: &Fold,
        (column, extent): (u32, i64),
    ) -> Result<Values, LowerError> {
        let blocks = extent / TOGETHER;
        let i = self.b.open(&[Scalar::I64])[0];
        let block = |k| Binding { offset: k, ..Binding::scaled(i, TOGETHER) };
        let rows: Vec<Option<(u32, Binding)>> = (0..TOGETHER).map(|k| Some((column, block(k)))).collect();
        let mut results = self.fold(e, fold, &rows)?;
        self.b.end_for(bounds(0, blocks), LoopKind::Sequential, &[], &[]);
        if blocks * TOGETHER < extent {
            let i = self.b.open(&[Scalar::I64])[0];
            e.bind[column as usize] = Binding::counter(i);
            results = self.fold(e, fold, &[None])?;
            self.b.end_for(bounds(blocks * TOGETHER, extent), LoopKind::Sequential, &[], &[]);
        }
        Ok(results)
    }

    /// Folds one after the other element, each at its own place of the kept atoms; gives the results of the last.
    fn fold(
        &mut self,
        e: &mut Emission<'_>,
        fold: &Fold,
        places: &[Option<(u32, Binding)>],
    ) -> Result<Values, LowerError> {
        let n = fold.types.len();
        let mut state: Values = places.iter().flat_map(|_| fold.init.iter().copied()).collect();
        let mut inits = Vec::new();
        for &(atom, _) in &fold.reduced {
            inits.push(state.clone());
            let mut params: SmallVec<[Scalar; 4]> = smallvec![Scalar::I64];
            places.iter().for_each(|_| params.extend(fold.types.iter().copied()));
            let params = self.b.open(&params);
            e.bind[atom as usize] = Binding::counter(params[0]);
            state = params[1..].into();
        }
        let mut next = Values::new();
        for (k, place) in places.iter().enumerate() {
            if let Some((atom, binding)) = place {
                e.bind[*atom as usize] = binding.clone();
            }
            next.extend(self.folded(e, fold, &state[k * n..(k + 1) * n])?);
        }
        for (&(_, extent), init) in fold.reduced.iter().zip(&inits).rev() {
            next = self.b.end_for(bounds(0, extent), LoopKind::Sequential, init, &next).into_iter().collect();
        }
        for (k, place) in places.iter().enumerate() {
            if let Some((atom, binding)) = place {
                e.bind[*atom as usize] = binding.clone();
            }
            self.keep(e, fold, &next[k * n..(k + 1) * n]);
        }
        Ok(next[next.len() - n..].into())
    }

    /// The function of the state and the elements at the place that is bound.
    fn folded(&mut self, e: &mut Emission<'_>, fold: &Fold, state: &[KValue]) -> Result<Values, LowerError> {
        e.afresh();
        let elements = self.emit(e, &fold.nodes);
        let mut args = fold.captures.clone();
        args.extend(state.iter().chain(&elements).map(|&v| Stored::Registers([v].into())));
        let floor = fold.straight.is_none().then(|| self.b.set_floor());
        let given = self.region(fold.body, args, vec![None; fold.types.len()])?;
        let next = given.iter().map(|stored| self.scalar_from(stored)).collect();
        floor.into_iter().for_each(|floor| self.b.restore_floor(floor));
        Ok(next)
    }

    /// Stores the results that have memory.
    fn keep(&mut self, e: &mut Emission<'_>, fold: &Fold, state: &[KValue]) {
        e.afresh();
        for (target, &value) in fold.targets.iter().zip(state) {
            if let Some(at) = target {
                let access = self.access(e, at, &fold.position);
                self.b.store(access, value);
            }
        }
    }

    /// How many instructions a function of scalars has, if that is all it is.
    fn straight(&self, body: FuncId) -> Option<i64> {
        let func = &self.module.funcs[body];
        let is_scalar = |v: &Value| func.ty(*v).as_tensor().is_some_and(|t| t.rank() == 0);
        let is_plain = |inst: &Inst| {
            matches!(inst.op, ops_of!(elementwise) | Op::Constant(_)) && inst.results.iter().all(is_scalar)
        };
        func.insts.values().all(is_plain).then_some(func.insts.len() as i64)
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
