//! Expression graphs: what a kernel computes at one point of its iteration space.
//!
//! The iteration space has *atoms*, dimensions that loops will run over; every index is an affine form over
//! them. A reshape may need a dimension cut in two: building then stops with [`Stop::Split`], and starts again
//! with more atoms. Reads through broadcasts, transposes, slices and the like become loads at composed indices;
//! `pad` and `concatenate` become guards, which the loop nest resolves by cutting the space, or selects where it
//! may not be cut. Where only a guard's own range keeps an index from being split, the space is cut there before, into
//! regions with a graph each. Equal nodes are one.

use super::index::{Affine, Indices, Stuck, Var, delinearize, linear};
use super::scope::At;
use super::sink::Sink;
use crate::lower::LowerError;
use crate::lower::plan::cut::Place;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use wengert_ir::func::Value;
use wengert_ir::kernel::*;
use wengert_ir::op::{CompareType, Direction};
use wengert_ir::types::{DType, DTypeClass, Dims};

/// Why building stopped.
pub(in crate::lower) enum Stop {
    /// The atom must become two, the inner one of this extent.
    Split(u32, i64),
    /// The space must be cut: this dimension, there.
    Cut(usize, i64),
    /// It cannot be done.
    Error(Box<LowerError>),
}

impl From<LowerError> for Stop {
    fn from(e: LowerError) -> Stop {
        Stop::Error(Box::new(e))
    }
}

/// An instruction of the graph.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(in crate::lower) enum NodeOp {
    /// An element of a tensor, by its row-major position.
    Load(At, Affine),
    /// A number made of counters.
    Index(Affine),
    Constant(u64),
    /// A scalar of the kernel around.
    Outer(KValue),
    Op(KOp, SmallVec<[u32; 3]>),
    /// `inside` where `lo <= index < hi`, else `outside`; the other is not computed.
    Guard {
        index: Affine,
        lo: i64,
        hi: i64,
        inside: u32,
        outside: u32,
    },
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(in crate::lower) struct Node {
    pub(in crate::lower) op: NodeOp,
    pub(in crate::lower) ty: Scalar,
}

/// An index of some tensor, interned.
pub(in crate::lower) type IndexId = u32;

/// How often atoms may be cut before divisions are used instead.
const MAX_SPLITS: usize = 24;
/// How many regions a space may be cut into before divisions are used instead.
const MAX_REGIONS: usize = 32;

pub(in crate::lower) struct Graph {
    /// Which part of each dimension of the space this graph is for.
    ranges: SmallVec<[(i64, i64); 4]>,
    /// Where pieces of it begin: the dimension, the counter, and the indices from one piece to the next.
    origins: SmallVec<[(usize, usize, i64); 2]>,
    /// Counters of loops around the graph's own: how many values each has, and what it is. They are the last atoms.
    pub(in crate::lower) counters: SmallVec<[(i64, Option<KValue>); 2]>,
    /// Extents of the whole space.
    pub(in crate::lower) space: SmallVec<[usize; 4]>,
    /// Whether the space may be cut into regions.
    regions: bool,
    /// The guards around what is being added: atom, dimension, and where that may be cut.
    within: SmallVec<[(u32, usize, i64); 2]>,
    /// For each dimension of the space, the extents of its atoms, outer to inner.
    pub(in crate::lower) factors: Vec<SmallVec<[i64; 2]>>,
    /// Extent of each atom.
    pub(in crate::lower) atoms: Vec<i64>,
    pub(in crate::lower) nodes: Vec<Node>,
    /// Whether the space may be cut at guards.
    pub(in crate::lower) cuts: bool,
    splits: usize,
    node_ids: FxHashMap<Node, u32>,
    /// Largest value of index nodes.
    pub(in crate::lower) node_max: FxHashMap<u32, i64>,
    pub(in crate::lower) outer_max: FxHashMap<KValue, i64>,
    /// The node of a value at an index, once it is known.
    pub(in crate::lower) memo: FxHashMap<(Value, IndexId), u32>,
    indices: Vec<Indices>,
    index_ids: FxHashMap<Indices, IndexId>,
    /// The position that an index was divided out of, and in which shape.
    divided: FxHashMap<IndexId, (Affine, Dims)>,
}

impl Graph {
    pub(in crate::lower) fn new(space: &[usize], cuts: bool) -> Self {
        let ranges = space.iter().map(|&n| (0, n as i64)).collect();
        Self::region(space, ranges, cuts, false)
    }

    /// For a part of the space.
    fn region(space: &[usize], ranges: SmallVec<[(i64, i64); 4]>, cuts: bool, regions: bool) -> Self {
        let extents = ranges.iter().map(|(lo, hi)| hi - lo);
        let factors = extents.map(|n| if n == 1 { smallvec![] } else { smallvec![n] }).collect();
        let mut g = Self {
            origins: SmallVec::new(),
            counters: SmallVec::new(),
            ranges,
            space: space.into(),
            regions,
            within: SmallVec::new(),
            factors,
            atoms: Vec::new(),
            nodes: Vec::new(),
            cuts,
            splits: 0,
            node_ids: FxHashMap::default(),
            node_max: FxHashMap::default(),
            outer_max: FxHashMap::default(),
            memo: FxHashMap::default(),
            indices: Vec::new(),
            index_ids: FxHashMap::default(),
            divided: FxHashMap::default(),
        };
        g.restart();
        g
    }

    /// For pieces of the space, of these sizes, in loops with `counters` of so many values.
    pub(in crate::lower) fn pieces(
        space: &[usize],
        sizes: &[usize],
        places: &[Place],
        counters: &[i64],
    ) -> Self {
        let mut g = Self::region(space, sizes.iter().map(|&n| (0, n as i64)).collect(), true, false);
        g.origins = places.iter().map(|p| (p.dim, p.counter, p.step)).collect();
        g.counters = counters.iter().map(|&n| (n, None)).collect();
        g.restart();
        g
    }

    /// The atom of a counter.
    pub(in crate::lower) fn counter(&self, k: usize) -> Var {
        Var::Atom((self.own_atoms() + k) as u32)
    }

    fn is_own(&self, atom: u32) -> bool {
        (atom as usize) < self.own_atoms()
    }

    /// How many atoms the graph's own loops are over.
    pub(in crate::lower) fn own_atoms(&self) -> usize {
        self.atoms.len() - self.counters.len()
    }

    fn restart(&mut self) {
        let counters = self.counters.iter().map(|c| c.0);
        self.atoms = self.factors.iter().flatten().copied().chain(counters).collect();
        self.within.clear();
        self.nodes.clear();
        self.node_ids.clear();
        self.node_max.clear();
        self.memo.clear();
        self.indices.clear();
        self.index_ids.clear();
        self.divided.clear();
    }

    /// Cuts an atom.
    pub(in crate::lower) fn split(&mut self, atom: u32, inner: i64) {
        let mut k = atom as usize;
        for factors in &mut self.factors {
            if k < factors.len() {
                factors[k] /= inner;
                factors.insert(k + 1, inner);
                break;
            }
            k -= factors.len();
        }
        self.splits += 1;
        self.restart();
    }

    /// The index of the current point, per dimension of the space.
    pub(in crate::lower) fn here(&mut self) -> IndexId {
        let mut atom = 0;
        let mut out = Indices::new();
        for (dim, (factors, range)) in self.factors.iter().zip(&self.ranges).enumerate() {
            let mut index = Affine::constant(range.0);
            for &(_, counter, step) in self.origins.iter().filter(|o| o.0 == dim) {
                index.add_term(self.counter(counter), step);
            }
            let mut step: i64 = factors.iter().product();
            for &n in factors {
                step /= n;
                index.add_term(Var::Atom(atom), step);
                atom += 1;
            }
            out.push(index);
        }
        self.intern(out)
    }

    pub(in crate::lower) fn intern(&mut self, indices: Indices) -> IndexId {
        if let Some(&id) = self.index_ids.get(&indices) {
            return id;
        }
        let id = self.indices.len() as IndexId;
        self.indices.push(indices.clone());
        self.index_ids.insert(indices, id);
        id
    }

    pub(in crate::lower) fn indices(&self, id: IndexId) -> &Indices {
        &self.indices[id as usize]
    }

    /// Row-major position of an index in a tensor of this shape.
    pub(in crate::lower) fn position(&self, id: IndexId, shape: &[usize]) -> Affine {
        match self.divided.get(&id) {
            Some((position, of)) if of[..] == *shape => position.clone(),
            Some(_) | None => linear(&self.indices[id as usize], shape),
        }
    }

    fn max(&self, var: Var) -> i64 {
        match var {
            Var::Atom(a) => self.atoms[a as usize] - 1,
            Var::Outer(v) => self.outer_max.get(&v).copied().unwrap_or(i64::MAX),
            Var::Node(n) => self.node_max.get(&n).copied().unwrap_or(i64::MAX),
        }
    }

    pub(in crate::lower) fn range(&self, index: &Affine) -> (i64, i64) {
        index.range(&|v| self.max(v))
    }

    /// The index in `shape` of a row-major position.
    pub(in crate::lower) fn index_at(&mut self, position: &Affine, shape: &[usize]) -> Result<IndexId, Stop> {
        let stuck = match delinearize(position, shape, &|v| self.max(v)) {
            Ok(indices) => return Ok(self.intern(indices)),
            Err(stuck) => stuck,
        };
        // An atom that a guard is about can no longer be cut once it is split.
        let around = self.within.iter().rev().find(|w| position.coefficient(Var::Atom(w.0)) != 0);
        if let Some(&(_, dim, at)) = around {
            return Err(Stop::Cut(dim, at));
        }
        match stuck {
            Stuck::Split(atom, inner) if self.splits < MAX_SPLITS && self.is_own(atom) => {
                Err(Stop::Split(atom, inner))
            }
            Stuck::Split(..) | Stuck::Divide => Ok(self.divided_out(position, shape)),
        }
    }

    /// The index in `shape` of a row-major position, by division.
    fn divided_out(&mut self, position: &Affine, shape: &[usize]) -> IndexId {
        let mut rest = self.node(NodeOp::Index(position.clone()), Scalar::I64);
        let mut indices: Indices = SmallVec::from_elem(Affine::default(), shape.len());
        let outermost = shape.iter().position(|&n| n != 1).unwrap_or(0);
        for d in (outermost..shape.len()).rev().filter(|&d| shape[d] != 1) {
            let mut index = rest;
            if d != outermost {
                let size = self.constant(shape[d] as u64, Scalar::I64);
                index = self.op(KOp::Binary(KBinary::RemU), &[rest, size], Scalar::I64);
                rest = self.op(KOp::Binary(KBinary::DivU), &[rest, size], Scalar::I64);
            }
            self.node_max.insert(index, shape[d] as i64 - 1);
            indices[d] = Affine::var(Var::Node(index));
        }
        let id = self.intern(indices);
        self.divided.insert(id, (position.clone(), Dims::from_slice(shape)));
        id
    }

    /// How many guards there are around what is being added.
    pub(in crate::lower) fn guards(&self) -> usize {
        self.within.len()
    }

    /// What is added until [`Graph::leave`] counts where `lo <= index < hi` only, which a guard sees to.
    pub(in crate::lower) fn enter(&mut self, index: &Affine, lo: i64, hi: i64) {
        if self.regions
            && let [(Var::Atom(atom), 1)] = index.terms[..]
            && let Some(dim) = self.dimension_of(atom)
        {
            let (from, to) = self.ranges[dim];
            let places = [lo, hi].map(|bound| bound - index.offset + from);
            self.within.extend(places.into_iter().filter(|&p| p > from && p < to).map(|p| (atom, dim, p)));
        }
    }

    /// Only so many of the guards are around what is added from now on.
    pub(in crate::lower) fn leave(&mut self, guards: usize) {
        self.within.truncate(guards);
    }

    /// The dimension that an atom is all of.
    fn dimension_of(&self, atom: u32) -> Option<usize> {
        let mut first = 0;
        self.factors.iter().position(|factors| {
            first += factors.len() as u32;
            factors.len() == 1 && first == atom + 1
        })
    }

    /// The two sides of a cut.
    fn halves(&self, dim: usize, at: i64) -> [Self; 2] {
        let (lo, hi) = self.ranges[dim];
        [(lo, at), (at, hi)].map(|range| {
            let mut ranges = self.ranges.clone();
            ranges[dim] = range;
            Self::region(&self.space, ranges, self.cuts, true)
        })
    }

    pub(in crate::lower) fn node(&mut self, op: NodeOp, ty: Scalar) -> u32 {
        let node = Node { op, ty };
        if let Some(&id) = self.node_ids.get(&node) {
            return id;
        }
        let id = self.nodes.len() as u32;
        self.nodes.push(node.clone());
        self.node_ids.insert(node, id);
        id
    }

    /// An index as an `I64` node.
    pub(in crate::lower) fn index_node(&mut self, index: Affine) -> u32 {
        match index.as_constant() {
            Some(c) => self.constant(c as u64, Scalar::I64),
            None => self.node(NodeOp::Index(index), Scalar::I64),
        }
    }

    /// `min(max(index, 0), most)` as an index of its own.
    pub(in crate::lower) fn clamped(&mut self, index: &Affine, most: i64) -> Affine {
        let (lo, hi) = self.range(index);
        if lo >= 0 && hi <= most {
            return index.clone();
        }
        let mut node = self.index_node(index.clone());
        if lo < 0 {
            let zero = self.constant(0, Scalar::I64);
            node = self.op(KOp::Binary(KBinary::Max), &[node, zero], Scalar::I64);
        }
        if hi > most {
            let bound = self.constant(most as u64, Scalar::I64);
            node = self.op(KOp::Binary(KBinary::Min), &[node, bound], Scalar::I64);
        }
        self.node_max.insert(node, most);
        Affine::var(Var::Node(node))
    }

    /// `I1`: whether `0 <= index < n`.
    pub(in crate::lower) fn within(&mut self, index: &Affine, n: i64) -> u32 {
        let index = self.index_node(index.clone());
        let n = self.constant(n as u64, Scalar::I64);
        self.op(KOp::Compare(Direction::Lt, CompareType::Unsigned), &[index, n], Scalar::I1)
    }

    /// An index operand of a dynamic operation as an `I64` node in `0..=most`.
    pub(in crate::lower) fn clamped_start(&mut self, node: u32, dtype: DType, most: i64) -> Affine {
        if most <= 0 {
            return Affine::default();
        }
        let unsigned = dtype.class() == DTypeClass::Unsigned;
        let mut wide = node;
        if self.nodes[node as usize].ty != Scalar::I64 {
            let how = if unsigned { KCast::Unsigned } else { KCast::Signed };
            wide = self.op(KOp::Cast(how), &[node], Scalar::I64);
        }
        let bound = self.constant(most as u64, Scalar::I64);
        let zero = self.constant(0, Scalar::I64);
        let out = if unsigned {
            self.op(KOp::Binary(KBinary::MinU), &[wide, bound], Scalar::I64)
        } else {
            let low = self.op(KOp::Binary(KBinary::Max), &[wide, zero], Scalar::I64);
            self.op(KOp::Binary(KBinary::Min), &[low, bound], Scalar::I64)
        };
        self.node_max.insert(out, most);
        Affine::var(Var::Node(out))
    }

    /// Whether `lo <= index < hi` is known, or can be by cutting the space.
    pub(in crate::lower) fn decide(&self, index: &Affine, lo: i64, hi: i64) -> Decision {
        let (least, most) = self.range(index);
        if hi <= lo || most < lo || least >= hi {
            Decision::Outside
        } else if least >= lo && most < hi {
            Decision::Inside
        } else if self.cuts && matches!(index.terms[..], [(Var::Atom(a), _)] if self.is_own(a)) {
            Decision::Cut
        } else {
            Decision::Select
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::lower) enum Decision {
    Inside,
    Outside,
    Cut,
    Select,
}

impl Sink for Graph {
    type Value = u32;
    fn op(&mut self, op: KOp, operands: &[u32], ty: Scalar) -> u32 {
        self.node(NodeOp::Op(op, operands.into()), ty)
    }
    fn constant(&mut self, bits: u64, ty: Scalar) -> u32 {
        self.node(NodeOp::Constant(bits), ty)
    }
}

/// Builds a graph over `space` for `context`; `make` adds nodes and gives those that matter. Runs again as long as atoms must
/// be cut.
pub(in crate::lower) fn build<C, R>(
    context: &mut C,
    graph: Graph,
    make: impl FnMut(&mut C, &mut Graph) -> Result<R, Stop>,
) -> Result<(Graph, R), LowerError> {
    let mut regions = build_all(context, vec![graph], make)?;
    Ok(regions.pop().expect("a space that is not cut is one region"))
}

/// The same for a space that may be cut: a graph per region.
pub(in crate::lower) fn regions<C, R>(
    context: &mut C,
    space: &[usize],
    make: impl FnMut(&mut C, &mut Graph) -> Result<R, Stop>,
) -> Result<Vec<(Graph, R)>, LowerError> {
    build_all(context, vec![Graph { regions: true, ..Graph::new(space, true) }], make)
}

fn build_all<C, R>(
    context: &mut C,
    mut waiting: Vec<Graph>,
    mut make: impl FnMut(&mut C, &mut Graph) -> Result<R, Stop>,
) -> Result<Vec<(Graph, R)>, LowerError> {
    let mut out = Vec::new();
    while let Some(mut g) = waiting.pop() {
        match make(context, &mut g) {
            Ok(r) => out.push((g, r)),
            Err(Stop::Split(atom, inner)) => {
                g.split(atom, inner);
                waiting.push(g);
            }
            Err(Stop::Cut(dim, at)) => {
                if waiting.len() + out.len() + 2 > MAX_REGIONS {
                    g.regions = false;
                    g.restart();
                    waiting.push(g);
                } else {
                    let [first, second] = g.halves(dim, at);
                    waiting.extend([second, first]);
                }
            }
            Err(Stop::Error(e)) => return Err(*e),
        }
    }
    Ok(out)
}
