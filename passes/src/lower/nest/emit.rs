//! Code of expression graphs: what atoms are bound to, nodes into instructions, outlined kernels.

use super::Lowerer;
use crate::lower::space::graph::{Graph, NodeOp};
use crate::lower::space::index::{Affine, Var};
use crate::lower::space::scope::At;
use smallvec::SmallVec;
use wengert_ir::kernel::*;

/// What an atom stands for in the code being emitted: an affine form over scalars of the kernel.
#[derive(Clone, Default, Debug)]
pub(in crate::lower) struct Binding {
    pub(in crate::lower) offset: i64,
    pub(in crate::lower) terms: SmallVec<[(KValue, i64); 2]>,
    /// The scalars are the entry kernel's, seen from an outlined one.
    pub(in crate::lower) imported: bool,
}

impl Binding {
    pub(in crate::lower) fn constant(offset: i64) -> Self {
        Self { offset, ..Self::default() }
    }

    pub(in crate::lower) fn counter(value: KValue) -> Self {
        Self::scaled(value, 1)
    }

    pub(in crate::lower) fn scaled(value: KValue, by: i64) -> Self {
        Self { terms: SmallVec::from_slice(&[(value, by)]), ..Self::default() }
    }
}

/// A graph on its way into a kernel.
pub(in crate::lower) struct Emission<'g> {
    pub(in crate::lower) graph: &'g Graph,
    /// Of each atom.
    pub(in crate::lower) bind: Vec<Binding>,
    /// First and one past the last value of each atom, here.
    pub(in crate::lower) ranges: Vec<(i64, i64)>,
    values: Vec<Option<KValue>>,
}

impl<'g> Emission<'g> {
    pub(in crate::lower) fn new(graph: &'g Graph) -> Self {
        let counters = graph.counters.iter().map(|c| c.1.map_or_else(Binding::default, Binding::counter));
        let bind = vec![Binding::default(); graph.own_atoms()].into_iter().chain(counters).collect();
        Self {
            graph,
            bind,
            ranges: graph.atoms.iter().map(|&n| (0, n)).collect(),
            values: vec![None; graph.nodes.len()],
        }
    }

    /// Forgets what was emitted, for another place in the kernel.
    pub(in crate::lower) fn afresh(&mut self) {
        self.values.fill(None);
    }

    /// Gives a node its value, which comes from elsewhere.
    pub(in crate::lower) fn known(&mut self, node: u32, value: KValue) {
        self.values[node as usize] = Some(value);
    }

    /// Counters bound so far are those of the entry kernel: an outlined one has just been opened.
    pub(in crate::lower) fn import_bindings(&mut self) {
        self.bind.iter_mut().for_each(|b| b.imported = true);
        self.afresh();
    }

    /// The nodes that some need here: of a guard, those of the side that holds.
    pub(in crate::lower) fn reached(&self, roots: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut reached: Vec<u32> = Vec::new();
        let mut marked = vec![false; self.graph.nodes.len()];
        let mut work: Vec<u32> = roots.map(|r| self.resolve(r)).collect();
        while let Some(n) = work.pop() {
            if std::mem::replace(&mut marked[n as usize], true) {
                continue;
            }
            reached.push(n);
            match &self.graph.nodes[n as usize].op {
                NodeOp::Load(_, index) | NodeOp::Index(index) => {
                    work.extend(index.terms.iter().filter_map(|&(v, _)| match v {
                        Var::Node(m) => Some(self.resolve(m)),
                        Var::Atom(_) | Var::Outer(_) => None,
                    }));
                }
                NodeOp::Op(_, operands) => work.extend(operands.iter().map(|&m| self.resolve(m))),
                NodeOp::Constant(_) | NodeOp::Outer(_) | NodeOp::Guard { .. } => {}
            }
        }
        reached
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
pub(in crate::lower) struct Output {
    pub(in crate::lower) at: At,
    /// Its row-major position, over the atoms.
    pub(in crate::lower) position: Affine,
    pub(in crate::lower) node: u32,
}

/// Atoms with their extents.
pub(in crate::lower) type Atoms = SmallVec<[(u32, i64); 4]>;

/// The loops of a graph after collapsing: atoms outer to inner with their extents.
#[derive(Clone, Debug)]
pub(in crate::lower) struct Loops {
    pub(in crate::lower) atoms: Atoms,
    /// How many trips of the last but one are taken side by side in each of the last, if they are.
    pub(in crate::lower) jam: Option<i64>,
    /// Whether the two innermost ones are walked tile by tile, because each is the one along which some memory lies.
    pub(in crate::lower) tiled: bool,
    /// From which loop on they are walked strip by strip of the last one, and how long a strip is: that one is long, and all the
    /// others there run over what lies between its elements.
    pub(in crate::lower) strips: Option<(usize, i64)>,
}

/// The loops of a graph and what they compute.
pub(in crate::lower) struct Nest<'n> {
    pub(in crate::lower) loops: &'n Loops,
    pub(in crate::lower) outputs: &'n [Output],
    /// Per point.
    pub(in crate::lower) arithmetic: u32,
    /// The strip of the last loop that is walked: its number, and how long it is.
    pub(in crate::lower) strip: Option<(KValue, i64)>,
}

impl<'m> Lowerer<'m> {
    /// Emits the code of nodes into the innermost block, what does not vary further out.
    pub(in crate::lower) fn emit(&mut self, e: &mut Emission<'_>, roots: &[u32]) -> SmallVec<[KValue; 4]> {
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
    pub(in crate::lower) fn bound(
        &mut self,
        e: &Emission<'_>,
        index: &Affine,
    ) -> (i64, SmallVec<[(KValue, i64); 4]>) {
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
    pub(in crate::lower) fn sum(&mut self, offset: i64, terms: &[(KValue, i64)]) -> KValue {
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
    pub(in crate::lower) fn access(&mut self, e: &Emission<'_>, at: &At, index: &Affine) -> Access {
        let mut access = self.element(at, 0);
        let (offset, terms) = self.bound(e, index);
        access.offset += offset;
        terms.into_iter().for_each(|(v, c)| add_term(&mut access.terms, v, c));
        access
    }

    /// Emits a kernel over `0..extent` that may be cut into pieces, and the call that runs it. `body` is given
    /// the bounds of a piece.
    pub(in crate::lower) fn outline(
        &mut self,
        extent: i64,
        grain: i64,
        body: impl FnOnce(&mut Self, KValue, KValue),
    ) {
        let entry = std::mem::replace(&mut self.b, super::Builder::new("", true));
        let (from, to) = (self.b.param(Scalar::I64), self.b.param(Scalar::I64));
        body(self, from, to);
        let outlined = std::mem::replace(&mut self.b, entry);
        let (kernel, mems, scalars) = self.outlined_kernel(outlined, [extent, 1, 1]);
        let op = KOp::Parallel { kernel, mems, extent: Extent::Const(extent), grain };
        self.b.push(op, &scalars, &[]);
    }

    /// A kernel that was built outlined, to be called over this extent, and what it is called with. Equal ones are one, unless
    /// they are given scalars and called over different extents: each stays in its memories for scalars of its own, and nothing
    /// says that it does for those of the other.
    pub(in crate::lower) fn outlined_kernel(
        &mut self,
        outlined: super::Builder,
        extent: [i64; 3],
    ) -> (KernelId, Vec<Access>, Vec<KValue>) {
        let (kernel, imports) = outlined.finish();
        let imports = imports.expect("an outlined kernel");
        let key = (kernel, (!imports.scalars.is_empty()).then_some(extent));
        let id = match self.known_kernels.get(&key) {
            Some(&id) => id,
            None => {
                let mut named = key.0.clone();
                named.name = format!("kernel_{}", self.kernels.len());
                self.outlined += named.values.len() as u64;
                let id = self.kernels.push(named);
                self.known_kernels.insert(key, id);
                id
            }
        };
        (id, imports.mems.iter().map(|at| self.element(at, 0)).collect(), imports.scalars)
    }

    /// Whether a loop here may become an outlined kernel.
    pub(in crate::lower) fn may_outline(&self) -> bool {
        self.options.parallel
            && self.options.target.device.is_none()
            && self.b.imports.is_none()
            && !self.in_rows
    }

    /// How many trips of a loop a thread takes at a time, or `None` if the loop may not be cut or is too small: a trip is
    /// `each` elements of this arithmetic over `streams` memories.
    pub(in crate::lower) fn grain(
        &self,
        trips: i64,
        each: usize,
        arithmetic: u32,
        streams: usize,
    ) -> Option<i64> {
        if !self.may_outline() {
            return None;
        }
        let elements = each.saturating_mul(trips as usize);
        let grain = self.options.target.piece_of(elements, arithmetic, streams)?.div_ceil(each.max(1)) as i64;
        // Pieces of whole cache lines.
        let grain = if each == 1 { (grain + 63) / 64 * 64 } else { grain };
        (trips >= 2 * grain).then_some(grain)
    }
}

pub(in crate::lower) fn add_term(terms: &mut SmallVec<[(KValue, i64); 4]>, v: KValue, c: i64) {
    match terms.iter_mut().find(|t| t.0 == v) {
        Some(term) => term.1 += c,
        None => terms.push((v, c)),
    }
}
