//! Loop nests of expression graphs.
//!
//! Adjacent atoms that every access walks jointly become one loop. Guards cut the space into cells, each with a
//! nest of its own in which every guard is decided. The innermost loop is independent ([`LoopKind::Vector`]);
//! a nest that is large enough becomes an outlined kernel over the range of one of its loops.

use super::graph::{Graph, NodeOp, Stop};
use super::group::Role;
use super::index::{Affine, Var};
use super::memory::At;
use super::scalar::Sink;
use super::scope::{Scope, Stored};
use super::{LowerError, Lowerer, cost};
use smallvec::SmallVec;
use std::rc::Rc;
use wengert_ir::func::Value;
use wengert_ir::kernel::*;
use wengert_ir::op::Op;

/// What an atom stands for in the code being emitted: an affine form over scalars of the kernel.
#[derive(Clone, Default, Debug)]
pub(super) struct Binding {
    pub(super) offset: i64,
    pub(super) terms: SmallVec<[(KValue, i64); 2]>,
    /// The scalars are the entry kernel's, seen from an outlined one.
    imported: bool,
}

impl Binding {
    pub(super) fn constant(offset: i64) -> Self {
        Self { offset, ..Self::default() }
    }

    pub(super) fn counter(value: KValue) -> Self {
        Self::scaled(value, 1)
    }

    pub(super) fn scaled(value: KValue, by: i64) -> Self {
        Self { terms: SmallVec::from_slice(&[(value, by)]), ..Self::default() }
    }
}

/// A graph on its way into a kernel.
pub(super) struct Emission<'g> {
    pub(super) graph: &'g Graph,
    /// Of each atom.
    pub(super) bind: Vec<Binding>,
    /// First and one past the last value of each atom, here.
    pub(super) ranges: Vec<(i64, i64)>,
    values: Vec<Option<KValue>>,
}

impl<'g> Emission<'g> {
    pub(super) fn new(graph: &'g Graph) -> Self {
        Self {
            graph,
            bind: vec![Binding::default(); graph.atoms.len()],
            ranges: graph.atoms.iter().map(|&n| (0, n)).collect(),
            values: vec![None; graph.nodes.len()],
        }
    }

    /// Forgets what was emitted, for another place in the kernel.
    pub(super) fn afresh(&mut self) {
        self.values.fill(None);
    }

    /// Counters bound so far are those of the entry kernel: an outlined one has just been opened.
    pub(super) fn import_bindings(&mut self) {
        self.bind.iter_mut().for_each(|b| b.imported = true);
        self.afresh();
    }

    /// Which side of a guard holds here.
    fn resolve(&self, node: u32) -> u32 {
        let mut node = node;
        while let NodeOp::Guard { index, lo, hi, inside, outside } = &self.graph.nodes[node as usize].op {
            let range = |v: Var| match v {
                Var::Atom(a) => self.ranges[a as usize].1 - 1 - self.ranges[a as usize].0,
                Var::Outer(_) | Var::Node(_) => unreachable!("guards are over one atom"),
            };
            let base: i64 = index
                .terms
                .iter()
                .map(|&(v, c)| match v {
                    Var::Atom(a) => c * self.ranges[a as usize].0,
                    Var::Outer(_) | Var::Node(_) => 0,
                })
                .sum();
            let (least, most) = index.range(&range);
            let holds = least + base >= *lo && most + base < *hi;
            debug_assert!(
                holds || most + base < *lo || least + base >= *hi,
                "a cell is on one side of a guard"
            );
            node = if holds { *inside } else { *outside };
        }
        node
    }
}

/// One value that a nest stores.
pub(super) struct Output {
    pub(super) at: At,
    /// Its row-major position, over the atoms.
    pub(super) position: Affine,
    pub(super) node: u32,
}

/// Atoms with their extents.
pub(super) type Atoms = SmallVec<[(u32, i64); 4]>;

/// The loops of a graph after collapsing: atoms outer to inner with their extents.
#[derive(Clone, Debug)]
pub(super) struct Loops {
    pub(super) atoms: Atoms,
}

impl<'m> Lowerer<'m> {
    /// Lowers a kernel of the plan.
    pub(super) fn group_unit(&mut self, s: &mut Scope<'m>, number: u32) -> Result<(), LowerError> {
        let plan = s.plan.clone();
        let group = &plan.groups[number as usize];
        self.stats.groups += 1;
        if group.reduced.is_some() {
            return self.reduce_group(s, group);
        }
        let func = s.func;
        let values: SmallVec<[Value; 4]> = (group.members.iter())
            .filter(|&&id| !plan.internal[id])
            .flat_map(|&id| func.insts[id].results.iter().copied())
            .collect();
        for &id in &group.members {
            let inst = &func.insts[id];
            for &v in inst.operands.iter().chain(&inst.results) {
                super::scalar::scalar(s.ty(v).dtype).map_err(|e| s.refuse(inst, e))?;
            }
        }
        self.store_values(s, &group.space, &values, &group.reads, None)?;
        Ok(())
    }

    /// Computes one inlined value into memory.
    pub(super) fn compute_into(&mut self, s: &mut Scope<'m>, v: Value, at: &At) -> Result<(), LowerError> {
        let space = s.ty(v).shape.clone();
        self.store_values(s, &space, &[v], &[], Some(at))
    }

    /// Computes values with as many elements as `space` and stores them: at `given`, or at targets of their own,
    /// which then hold them.
    fn store_values(
        &mut self,
        s: &mut Scope<'m>,
        space: &[usize],
        values: &[Value],
        reads: &[(Value, bool)],
        given: Option<&At>,
    ) -> Result<(), LowerError> {
        let empty = space.contains(&0);
        let (graph, nodes) = if empty {
            (Graph::new(&[], true), Vec::new())
        } else {
            self.graph(space, true, |l, g| {
                values.iter().map(|&v| l.member(g, s, v)).collect::<Result<Vec<_>, Stop>>()
            })?
        };
        let mut outputs = Vec::with_capacity(values.len());
        for (k, &v) in values.iter().enumerate() {
            let at = match given {
                Some(at) => at.clone(),
                None => self.target(s, v, reads),
            };
            if given.is_none() {
                s.stored[v] = Some(Stored::Memory(at.clone()));
            }
            if let Some((position, node)) = nodes.get(k) {
                outputs.push(Output { at, position: position.clone(), node: *node });
            }
        }
        if !empty {
            self.nest(&graph, &outputs);
        }
        Ok(())
    }

    /// The node of a value at the current point, and its row-major position there.
    pub(super) fn member(
        &mut self,
        g: &mut Graph,
        s: &mut Scope<'m>,
        v: Value,
    ) -> Result<(Affine, u32), Stop> {
        let here = g.here();
        let extents: SmallVec<[usize; 4]> =
            g.factors.iter().map(|f| f.iter().product::<i64>() as usize).collect();
        let shape = s.ty(v).shape.clone();
        let position = g.position(here, &extents);
        let at = if extents[..] == shape[..] { here } else { g.index_at(&position, &shape)? };
        Ok((position, self.node(g, s, v, at)?))
    }

    /// Stores the same bits, or a copy, into a dense tensor.
    pub(super) fn copy(&mut self, from: &Stored, to: &At) {
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
    pub(super) fn elements(&mut self, s: &mut Scope<'m>, v: Value) -> Result<Rc<[KValue]>, LowerError> {
        let shape = s.ty(v).shape.clone();
        let n = s.ty(v).elements();
        let (graph, nodes) = self.graph(&[], false, |l, g| {
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
    pub(super) fn whole_view(&mut self, s: &mut Scope<'m>, v: Value) -> Result<Option<Stored>, LowerError> {
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
        let (graph, (position, node)) = self.graph(&shape, false, |l, g| l.member(g, s, v))?;
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

    /// Emits the code of nodes into the innermost block, what does not vary further out.
    pub(super) fn emit(&mut self, e: &mut Emission<'_>, roots: &[u32]) -> SmallVec<[KValue; 4]> {
        let graph = e.graph;
        let mut live: Vec<u32> = Vec::new();
        let mut marked = vec![false; graph.nodes.len()];
        let mut work: SmallVec<[u32; 32]> = roots.iter().map(|&r| e.resolve(r)).collect();
        while let Some(n) = work.pop() {
            if marked[n as usize] || e.values[n as usize].is_some() {
                continue;
            }
            marked[n as usize] = true;
            live.push(n);
            let mut follow = |index: &Affine| {
                work.extend(index.terms.iter().filter_map(|&(v, _)| match v {
                    Var::Node(m) => Some(e.resolve(m)),
                    Var::Atom(_) | Var::Outer(_) => None,
                }));
            };
            match &graph.nodes[n as usize].op {
                NodeOp::Load(_, index) | NodeOp::Index(index) => follow(index),
                NodeOp::Op(_, operands) => work.extend(operands.iter().map(|&m| e.resolve(m))),
                NodeOp::Constant(_) | NodeOp::Outer(_) => {}
                NodeOp::Guard { .. } => unreachable!("resolved"),
            }
        }
        live.sort_unstable();
        for n in live {
            let node = &graph.nodes[n as usize];
            let value = match &node.op {
                NodeOp::Constant(bits) => self.b.bits(*bits, node.ty),
                NodeOp::Outer(v) => self.b.outer(*v, node.ty),
                NodeOp::Load(at, index) => {
                    let access = self.access(e, at, index);
                    self.b.load(access)
                }
                NodeOp::Index(index) => {
                    let (offset, terms) = self.bound(e, index);
                    self.sum(offset, &terms)
                }
                NodeOp::Op(op, operands) => {
                    let operands: SmallVec<[KValue; 4]> = operands
                        .iter()
                        .map(|&m| e.values[e.resolve(m) as usize].expect("operands come first"))
                        .collect();
                    self.b.pure(op.clone(), &operands, node.ty)
                }
                NodeOp::Guard { .. } => unreachable!("resolved"),
            };
            e.values[n as usize] = Some(value);
        }
        roots.iter().map(|&r| e.values[e.resolve(r) as usize].expect("just emitted")).collect()
    }

    /// An index over the atoms as one over scalars of the kernel.
    fn bound(&mut self, e: &Emission<'_>, index: &Affine) -> (i64, SmallVec<[(KValue, i64); 4]>) {
        let mut offset = index.offset;
        let mut terms: SmallVec<[(KValue, i64); 4]> = SmallVec::new();
        for &(var, c) in &index.terms {
            match var {
                Var::Atom(a) => {
                    let binding = &e.bind[a as usize];
                    offset += c * binding.offset;
                    for &(v, k) in &binding.terms {
                        let v = if binding.imported { self.b.outer(v, Scalar::I64) } else { v };
                        add_term(&mut terms, v, c * k);
                    }
                }
                Var::Outer(v) => {
                    let v = self.b.outer(v, Scalar::I64);
                    add_term(&mut terms, v, c);
                }
                Var::Node(n) => {
                    let v = e.values[e.resolve(n) as usize].expect("index nodes come first");
                    add_term(&mut terms, v, c);
                }
            }
        }
        (offset, terms)
    }

    /// `offset + sum of terms` as a scalar.
    pub(super) fn sum(&mut self, offset: i64, terms: &[(KValue, i64)]) -> KValue {
        let mut out: Option<KValue> = None;
        for &(v, c) in terms {
            let part = if c == 1 {
                v
            } else {
                let c = self.b.int(c);
                self.b.binary(KBinary::Mul, v, c)
            };
            out = Some(match out {
                None => part,
                Some(sum) => self.b.binary(KBinary::Add, sum, part),
            });
        }
        match (out, offset) {
            (None, k) => self.b.int(k),
            (Some(v), 0) => v,
            (Some(v), k) => {
                let k = self.b.int(k);
                self.b.binary(KBinary::Add, v, k)
            }
        }
    }

    /// The access to an element of a tensor.
    pub(super) fn access(&mut self, e: &Emission<'_>, at: &At, index: &Affine) -> Access {
        let mut access = self.element(at, 0);
        let (offset, terms) = self.bound(e, index);
        access.offset += offset;
        terms.into_iter().for_each(|(v, c)| add_term(&mut access.terms, v, c));
        access
    }

    /// Emits the loops that compute `outputs`.
    pub(super) fn nest(&mut self, graph: &Graph, outputs: &[Output]) {
        let forms = forms(graph, outputs.iter().map(|o| o.node), outputs.iter().map(|o| &o.position));
        let loops = collapse(graph, &forms, |_, _| true);
        let mut e = Emission::new(graph);
        for (a, _) in graph.atoms.iter().enumerate() {
            e.ranges[a] = (0, 1);
        }
        for &(a, n) in &loops.atoms {
            e.ranges[a as usize] = (0, n);
        }
        let cells = cells(&forms, &loops);
        let arithmetic = arithmetic(graph, &forms);
        let floor = self.b.set_floor();
        for cell in cells {
            for (&(a, _), &range) in loops.atoms.iter().zip(&cell) {
                e.ranges[a as usize] = range;
            }
            e.afresh();
            self.cell(&mut e, &loops, 0, arithmetic, true, outputs);
        }
        self.b.restore_floor(floor);
    }

    /// The nest of one cell from loop number `depth` on.
    pub(super) fn cell(
        &mut self,
        e: &mut Emission<'_>,
        loops: &Loops,
        depth: usize,
        arithmetic: u32,
        may_cut: bool,
        outputs: &[Output],
    ) {
        let Some(&(atom, _)) = loops.atoms.get(depth) else {
            let roots: SmallVec<[u32; 4]> = outputs.iter().map(|o| o.node).collect();
            let values = self.emit(e, &roots);
            for (o, value) in outputs.iter().zip(values) {
                let access = self.access(e, &o.at, &o.position);
                self.b.store(access, value);
            }
            return;
        };
        let (lo, hi) = e.ranges[atom as usize];
        if hi - lo == 1 {
            e.bind[atom as usize] = Binding::constant(lo);
            return self.cell(e, loops, depth + 1, arithmetic, may_cut, outputs);
        }
        let extent = |&(a, _): &(u32, i64)| (e.ranges[a as usize].1 - e.ranges[a as usize].0) as usize;
        let inner: usize = loops.atoms[depth + 1..].iter().map(extent).product();
        let total = inner * (hi - lo) as usize;
        if may_cut
            && self.may_outline()
            && let Some(grain) = cost::grain(total, arithmetic, outputs.len() + 2)
        {
            let grain = grain.div_ceil(inner) as i64;
            // Pieces of whole cache lines.
            let grain = if inner == 1 { (grain + 63) / 64 * 64 } else { grain };
            if (hi - lo) >= 2 * grain {
                let saved = e.bind.clone();
                self.outline(hi - lo, grain, |l, from, to| {
                    e.import_bindings();
                    let bounds = (Extent::Value(from), Extent::Value(to));
                    l.counted_cell(e, loops, depth, lo, bounds, arithmetic, outputs);
                });
                e.bind = saved;
                e.afresh();
                return;
            }
        }
        self.counted_cell(e, loops, depth, 0, (Extent::Const(lo), Extent::Const(hi)), arithmetic, outputs);
    }

    #[allow(clippy::too_many_arguments, reason = "the state of a nest being emitted")]
    fn counted_cell(
        &mut self,
        e: &mut Emission<'_>,
        loops: &Loops,
        depth: usize,
        offset: i64,
        bounds: (Extent, Extent),
        arithmetic: u32,
        outputs: &[Output],
    ) {
        let atom = loops.atoms[depth].0;
        let innermost = loops.atoms[depth + 1..]
            .iter()
            .all(|&(a, _)| e.ranges[a as usize].1 - e.ranges[a as usize].0 == 1);
        let counter = self.b.open(&[Scalar::I64])[0];
        e.bind[atom as usize] = Binding { offset, ..Binding::counter(counter) };
        // An inner loop may still be large enough when this one was too short to cut.
        self.cell(e, loops, depth + 1, arithmetic, true, outputs);
        let kind = if innermost { LoopKind::Vector } else { LoopKind::Sequential };
        self.b.end_for(bounds, kind, &[], &[]);
    }

    /// Whether a loop here may become an outlined kernel.
    pub(super) fn may_outline(&self) -> bool {
        self.options.parallel && self.b.imports.is_none() && !self.in_rows
    }

    /// Emits a kernel over `0..extent` that may be cut into pieces, and the call that runs it. `body` is given
    /// the bounds of a piece.
    pub(super) fn outline(&mut self, extent: i64, grain: i64, body: impl FnOnce(&mut Self, KValue, KValue)) {
        let entry = std::mem::replace(&mut self.b, super::Builder::new("", true));
        let (from, to) = (self.b.param(Scalar::I64), self.b.param(Scalar::I64));
        body(self, from, to);
        let outlined = std::mem::replace(&mut self.b, entry);
        let (kernel, imports) = outlined.finish();
        let imports = imports.expect("an outlined kernel");
        let id = match self.known_kernels.get(&kernel) {
            Some(&id) => id,
            None => {
                let mut named = kernel.clone();
                named.name = format!("kernel_{}", self.kernels.len());
                let id = self.kernels.push(named);
                self.known_kernels.insert(kernel, id);
                id
            }
        };
        let mems = imports.mems.iter().map(|at| self.element(at, 0)).collect();
        let op = KOp::Parallel { kernel: id, mems, extent: Extent::Const(extent), grain };
        self.b.push(op, &imports.scalars, &[]);
    }
}

pub(super) fn add_term(terms: &mut SmallVec<[(KValue, i64); 4]>, v: KValue, c: i64) {
    match terms.iter_mut().find(|t| t.0 == v) {
        Some(term) => term.1 += c,
        None => terms.push((v, c)),
    }
}

/// The affine forms that matter to loops: those of live nodes and of what is stored.
pub(super) struct Forms<'g> {
    forms: Vec<&'g Affine>,
    guards: Vec<(&'g Affine, i64, i64)>,
    live: Vec<u32>,
}

impl Forms<'_> {
    /// Whether every form walks an atom and the next, of this extent, as one.
    pub(super) fn walk_jointly(&self, atom: u32, next: i64) -> bool {
        let jointly =
            |f: &&Affine| f.coefficient(Var::Atom(atom)) == f.coefficient(Var::Atom(atom + 1)) * next;
        self.forms.iter().all(jointly)
    }
}

pub(super) fn forms<'g>(
    graph: &'g Graph,
    roots: impl Iterator<Item = u32>,
    positions: impl Iterator<Item = &'g Affine>,
) -> Forms<'g> {
    let mut out = Forms { forms: positions.collect(), guards: Vec::new(), live: Vec::new() };
    let mut marked = vec![false; graph.nodes.len()];
    let mut work: Vec<u32> = roots.collect();
    while let Some(n) = work.pop() {
        if std::mem::replace(&mut marked[n as usize], true) {
            continue;
        }
        out.live.push(n);
        let node = &graph.nodes[n as usize];
        match &node.op {
            NodeOp::Load(_, index) | NodeOp::Index(index) => {
                out.forms.push(index);
                work.extend(index.terms.iter().filter_map(|&(v, _)| match v {
                    Var::Node(m) => Some(m),
                    Var::Atom(_) | Var::Outer(_) => None,
                }));
            }
            NodeOp::Op(_, operands) => work.extend(operands),
            NodeOp::Guard { index, lo, hi, inside, outside } => {
                out.forms.push(index);
                out.guards.push((index, *lo, *hi));
                work.extend([*inside, *outside]);
            }
            NodeOp::Constant(_) | NodeOp::Outer(_) => {}
        }
    }
    out
}

/// Merges adjacent atoms that all forms walk jointly and `same` allows. A merged atom is bound to 0 and its
/// inner neighbour counts for both.
pub(super) fn collapse(graph: &Graph, forms: &Forms<'_>, same: impl Fn(u32, u32) -> bool) -> Loops {
    let mut atoms = Atoms::new();
    for a in (0..graph.atoms.len() as u32).rev() {
        let extent = graph.atoms[a as usize];
        if extent == 1 {
            continue;
        }
        if let Some((b, n)) = atoms.last_mut() {
            let jointly = |f: &&Affine| f.coefficient(Var::Atom(a)) == f.coefficient(Var::Atom(*b)) * *n;
            if same(a, *b) && forms.forms.iter().all(jointly) {
                *n *= extent;
                continue;
            }
        }
        atoms.push((a, extent));
    }
    atoms.reverse();
    Loops { atoms }
}

/// Cuts the space where a guard changes sides; each cell has a range per loop.
fn cells(forms: &Forms<'_>, loops: &Loops) -> Vec<SmallVec<[(i64, i64); 4]>> {
    let mut out: Vec<SmallVec<[(i64, i64); 4]>> = vec![SmallVec::new()];
    for &(a, n) in &loops.atoms {
        let mut points: Vec<i64> = vec![0, n];
        for &(index, lo, hi) in &forms.guards {
            let c = index.coefficient(Var::Atom(a));
            if c == 0 {
                continue;
            }
            for bound in [lo, hi] {
                // The first value of the atom on the other side of the bound.
                let distance = bound - index.offset;
                let point = if c > 0 {
                    distance.div_euclid(c) + (distance.rem_euclid(c) != 0) as i64
                } else {
                    (-distance).div_euclid(-c) + 1
                };
                if point > 0 && point < n {
                    points.push(point);
                }
            }
        }
        points.sort_unstable();
        points.dedup();
        out = out
            .iter()
            .flat_map(|cell| {
                points.windows(2).map(move |w| {
                    let mut cell = cell.clone();
                    cell.push((w[0], w[1]));
                    cell
                })
            })
            .collect();
    }
    out
}

/// Arithmetic per point.
pub(super) fn arithmetic(graph: &Graph, forms: &Forms<'_>) -> u32 {
    forms
        .live
        .iter()
        .map(|&n| match &graph.nodes[n as usize].op {
            NodeOp::Op(KOp::Math(_) | KOp::Math2(_), _) => 24,
            NodeOp::Op(KOp::Binary(KBinary::Div | KBinary::Rem | KBinary::DivU | KBinary::RemU), _) => 4,
            NodeOp::Op(..) => 1,
            NodeOp::Load(..) => 1,
            NodeOp::Index(_) | NodeOp::Constant(_) | NodeOp::Outer(_) | NodeOp::Guard { .. } => 0,
        })
        .sum()
}
