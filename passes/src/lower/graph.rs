//! Expression graphs: what a kernel computes at one point of its iteration space.
//!
//! The iteration space has *atoms*, dimensions that loops will run over; every index is an affine form over
//! them. A reshape may need a dimension cut in two: building then stops with [`Stop::Split`], and starts again
//! with more atoms. Reads through broadcasts, transposes, slices and the like become loads at composed indices;
//! `pad` and `concatenate` become guards, which the loop nest resolves by cutting the space, or selects where it
//! may not be cut. Equal nodes are one.

use super::index::{Affine, Indices, Stuck, Var, delinearize, linear};
use super::memory::At;
use super::scalar::{self, Sink, element_bits};
use super::scope::{Scope, Stored};
use super::{LowerError, Lowerer};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use wengert_ir::func::{Inst, InstId, Value};
use wengert_ir::kernel::*;
use wengert_ir::op::{BitcastConvert, CompareType, Concatenate, Direction, DotGeneral, Gather, Op, Pad};
use wengert_ir::types::{DType, DTypeClass, Dims};

/// Why building stopped.
pub(super) enum Stop {
    /// The atom must become two, the inner one of this extent.
    Split(u32, i64),
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
pub(super) enum NodeOp {
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
pub(super) struct Node {
    pub(super) op: NodeOp,
    pub(super) ty: Scalar,
}

/// An index of some tensor, interned.
pub(super) type IndexId = u32;

/// How often atoms may be cut before divisions are used instead.
const MAX_SPLITS: usize = 24;

pub(super) struct Graph {
    /// For each dimension of the space, the extents of its atoms, outer to inner.
    pub(super) factors: Vec<SmallVec<[i64; 2]>>,
    /// Extent of each atom.
    pub(super) atoms: Vec<i64>,
    pub(super) nodes: Vec<Node>,
    /// Whether the space may be cut at guards.
    pub(super) cuts: bool,
    splits: usize,
    node_ids: FxHashMap<Node, u32>,
    /// Largest value of index nodes.
    node_max: FxHashMap<u32, i64>,
    outer_max: FxHashMap<KValue, i64>,
    memo: FxHashMap<(Value, IndexId), u32>,
    indices: Vec<Indices>,
    index_ids: FxHashMap<Indices, IndexId>,
    /// The position that an index was divided out of, and in which shape.
    divided: FxHashMap<IndexId, (Affine, Dims)>,
}

impl Graph {
    pub(super) fn new(space: &[usize], cuts: bool) -> Self {
        let factors = space.iter().map(|&n| if n == 1 { smallvec![] } else { smallvec![n as i64] }).collect();
        let mut g = Self {
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

    fn restart(&mut self) {
        self.atoms = self.factors.iter().flatten().copied().collect();
        self.nodes.clear();
        self.node_ids.clear();
        self.node_max.clear();
        self.memo.clear();
        self.indices.clear();
        self.index_ids.clear();
        self.divided.clear();
    }

    /// Cuts an atom.
    pub(super) fn split(&mut self, atom: u32, inner: i64) {
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
    pub(super) fn here(&mut self) -> IndexId {
        let mut atom = 0;
        let mut out = Indices::new();
        for factors in &self.factors {
            let mut index = Affine::default();
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

    pub(super) fn intern(&mut self, indices: Indices) -> IndexId {
        if let Some(&id) = self.index_ids.get(&indices) {
            return id;
        }
        let id = self.indices.len() as IndexId;
        self.indices.push(indices.clone());
        self.index_ids.insert(indices, id);
        id
    }

    pub(super) fn indices(&self, id: IndexId) -> &Indices {
        &self.indices[id as usize]
    }

    /// Row-major position of an index in a tensor of this shape.
    pub(super) fn position(&self, id: IndexId, shape: &[usize]) -> Affine {
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

    pub(super) fn range(&self, index: &Affine) -> (i64, i64) {
        index.range(&|v| self.max(v))
    }

    /// The index in `shape` of a row-major position.
    pub(super) fn index_at(&mut self, position: &Affine, shape: &[usize]) -> Result<IndexId, Stop> {
        let split = delinearize(position, shape, &|v| self.max(v));
        match split {
            Ok(indices) => Ok(self.intern(indices)),
            Err(Stuck::Split(atom, inner)) if self.splits < MAX_SPLITS => Err(Stop::Split(atom, inner)),
            Err(_) => {
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
                Ok(id)
            }
        }
    }

    pub(super) fn node(&mut self, op: NodeOp, ty: Scalar) -> u32 {
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
    fn index_node(&mut self, index: Affine) -> u32 {
        match index.as_constant() {
            Some(c) => self.constant(c as u64, Scalar::I64),
            None => self.node(NodeOp::Index(index), Scalar::I64),
        }
    }

    /// `min(max(index, 0), most)` as an index of its own.
    fn clamped(&mut self, index: &Affine, most: i64) -> Affine {
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
    fn within(&mut self, index: &Affine, n: i64) -> u32 {
        let index = self.index_node(index.clone());
        let n = self.constant(n as u64, Scalar::I64);
        self.op(KOp::Compare(Direction::Lt, CompareType::Unsigned), &[index, n], Scalar::I1)
    }

    /// An index operand of a dynamic operation as an `I64` node in `0..=most`.
    fn clamped_start(&mut self, node: u32, dtype: DType, most: i64) -> Affine {
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
    fn decide(&self, index: &Affine, lo: i64, hi: i64) -> Decision {
        let (least, most) = self.range(index);
        if hi <= lo || most < lo || least >= hi {
            Decision::Outside
        } else if least >= lo && most < hi {
            Decision::Inside
        } else if self.cuts && matches!(index.terms[..], [(Var::Atom(_), _)]) {
            Decision::Cut
        } else {
            Decision::Select
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Decision {
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

impl<'m> Lowerer<'m> {
    /// Builds a graph over `space`; `make` adds nodes and gives those that matter. Runs again as long as atoms
    /// must be cut.
    pub(super) fn graph<R>(
        &mut self,
        space: &[usize],
        cuts: bool,
        mut make: impl FnMut(&mut Self, &mut Graph) -> Result<R, Stop>,
    ) -> Result<(Graph, R), LowerError> {
        let mut g = Graph::new(space, cuts);
        loop {
            match make(self, &mut g) {
                Ok(r) => return Ok((g, r)),
                Err(Stop::Split(atom, inner)) => g.split(atom, inner),
                Err(Stop::Error(e)) => return Err(*e),
            }
        }
    }

    /// The element of a value at an index.
    pub(super) fn node(
        &mut self,
        g: &mut Graph,
        s: &mut Scope<'m>,
        v: Value,
        at: IndexId,
    ) -> Result<u32, Stop> {
        if let Some(&node) = g.memo.get(&(v, at)) {
            return Ok(node);
        }
        let node = match &s.stored[v] {
            Some(Stored::Memory(place)) => {
                let (place, elem) = (place.clone(), s.elem(v));
                let position = g.position(at, &s.ty(v).shape);
                g.node(NodeOp::Load(place, position), elem)
            }
            Some(Stored::Splat(bits)) => g.constant(*bits, s.elem(v)),
            Some(Stored::Registers(regs)) => {
                let (regs, elem) = (regs.clone(), s.elem(v));
                let position = g.position(at, &s.ty(v).shape);
                match position.as_constant() {
                    Some(k) => g.node(NodeOp::Outer(regs[k as usize]), elem),
                    None => {
                        let place = self.memory_of(s, v)?;
                        g.node(NodeOp::Load(place, position), elem)
                    }
                }
            }
            Some(Stored::Rows(..)) => {
                let (_, inst) = s.func.def(v).expect("rows are made by loops");
                return Err(s.refuse(inst, "its number of rows is not known here").into());
            }
            None => {
                let (id, inst) = s.func.def(v).expect("parameters are stored");
                self.compute(g, s, id, inst, v, at)?
            }
        };
        g.memo.insert((v, at), node);
        Ok(node)
    }

    fn compute(
        &mut self,
        g: &mut Graph,
        s: &mut Scope<'m>,
        id: InstId,
        inst: &'m Inst,
        v: Value,
        at: IndexId,
    ) -> Result<u32, Stop> {
        let ty = s.ty(v);
        let refuse = |e: &str| Stop::from(s.refuse(inst, e));
        let elem = scalar::scalar(ty.dtype).map_err(refuse)?;
        Ok(match &inst.op {
            Op::Constant(c) => match c.value.as_splat() {
                Some(bytes) => g.constant(element_bits(bytes), elem),
                None => {
                    let position = g.position(at, &ty.shape);
                    let (bytes, size) = (c.value.stored_bytes(), ty.dtype.size());
                    match position.as_constant() {
                        Some(k) => g.constant(element_bits(&bytes[k as usize * size..][..size]), elem),
                        None => {
                            let mem = self.memory.constant(elem, &ty.shape, bytes);
                            g.node(NodeOp::Load(At::whole(mem, ty.elements()), position), elem)
                        }
                    }
                }
            },
            Op::Zero(_) => g.constant(0, elem),
            Op::Iota(o) => {
                let index = g.indices(at)[o.dim].clone();
                let counter = g.index_node(index);
                if elem == Scalar::I64 { counter } else { g.op(KOp::Cast(KCast::Signed), &[counter], elem) }
            }
            Op::Unary(_)
            | Op::Binary(_)
            | Op::Compare(_)
            | Op::Select(_)
            | Op::Clamp(_)
            | Op::Fma(_)
            | Op::Convert(_)
            | Op::ReducePrecision(_) => self.elementwise(g, s, inst, v, at)?,
            Op::BitcastConvert(o) => {
                let from = s.ty(inst.operands[0]).dtype;
                if from.size() == o.ty.dtype.size() {
                    self.elementwise(g, s, inst, v, at)?
                } else {
                    self.bitcast(g, s, inst, o, from, at)?
                }
            }
            Op::OptimizationBarrier(_) | Op::StopGradient(_) => {
                let k = inst.results.iter().position(|&r| r == v).expect("its result");
                self.node(g, s, inst.operands[k], at)?
            }
            Op::BroadcastInDim(o) => {
                let from = &s.ty(inst.operands[0]).shape;
                let here = g.indices(at);
                let index = (o.dims.iter().enumerate())
                    .map(|(k, &d)| if from[k] == 1 { Affine::default() } else { here[d].clone() })
                    .collect();
                let index = g.intern(index);
                self.node(g, s, inst.operands[0], index)?
            }
            Op::Reshape(_) => {
                let position = g.position(at, &ty.shape);
                let index = g.index_at(&position, &s.ty(inst.operands[0]).shape)?;
                self.node(g, s, inst.operands[0], index)?
            }
            Op::Transpose(o) => {
                let here = g.indices(at);
                let mut index: Indices = SmallVec::from_elem(Affine::default(), o.perm.len());
                for (i, &p) in o.perm.iter().enumerate() {
                    index[p] = here[i].clone();
                }
                let index = g.intern(index);
                self.node(g, s, inst.operands[0], index)?
            }
            Op::Reverse(o) => {
                let mut index = g.indices(at).clone();
                for &d in &o.dims {
                    index[d] = index[d].scaled(-1, ty.shape[d] as i64 - 1);
                }
                let index = g.intern(index);
                self.node(g, s, inst.operands[0], index)?
            }
            Op::Slice(o) => {
                let mut index = g.indices(at).clone();
                for (d, i) in index.iter_mut().enumerate() {
                    *i = i.scaled(o.strides[d] as i64, o.start[d] as i64);
                }
                let index = g.intern(index);
                self.node(g, s, inst.operands[0], index)?
            }
            Op::DynamicSlice(o) => {
                let starts = self.starts(s, id, &inst.operands[1..], inst.operands[0], &o.sizes)?;
                let mut index = g.indices(at).clone();
                let shape = s.ty(inst.operands[0]).shape.clone();
                for (d, (i, start)) in index.iter_mut().zip(&starts).enumerate() {
                    if let [(Var::Outer(v), _)] = start.terms[..] {
                        let most = (shape[d] - o.sizes[d]) as i64;
                        let known = g.outer_max.entry(v).or_insert(most);
                        *known = (*known).max(most);
                    }
                    i.add(start, 1);
                }
                let index = g.intern(index);
                self.node(g, s, inst.operands[0], index)?
            }
            Op::Gather(o) => self.gather(g, s, inst, o, at)?,
            Op::Concatenate(o) => self.concatenate(g, s, inst, o, at)?,
            Op::Pad(o) => self.pad(g, s, inst, o, at)?,
            Op::DotGeneral(_)
            | Op::DynamicUpdateSlice(_)
            | Op::Scatter(_)
            | Op::Reduce(_)
            | Op::Call(_)
            | Op::Case(_)
            | Op::While(_)
            | Op::Scan(_) => return Err(refuse("it must have been computed before its readers")),
        })
    }

    fn elementwise(
        &mut self,
        g: &mut Graph,
        s: &mut Scope<'m>,
        inst: &'m Inst,
        v: Value,
        at: IndexId,
    ) -> Result<u32, Stop> {
        let rank = s.ty(v).rank();
        let mut operands: SmallVec<[u32; 4]> = SmallVec::new();
        for &x in &inst.operands {
            // A scalar predicate or bound.
            let index = if s.ty(x).rank() == rank { at } else { g.intern(Indices::new()) };
            operands.push(self.node(g, s, x, index)?);
        }
        let from = s.ty(*inst.operands.last().expect("has operands")).dtype;
        scalar::element(g, &inst.op, &operands, from, s.ty(v).dtype).map_err(|e| s.refuse(inst, e).into())
    }

    fn bitcast(
        &mut self,
        g: &mut Graph,
        s: &mut Scope<'m>,
        inst: &'m Inst,
        op: &BitcastConvert,
        from: DType,
        at: IndexId,
    ) -> Result<u32, Stop> {
        let of = |d: DType| scalar::scalar(d).map_err(|e| Stop::from(s.refuse(inst, e)));
        let (kfrom, kto) = (of(from)?, of(op.ty.dtype)?);
        if kfrom.size() < 4 || kto.size() < 4 {
            return Err(s.refuse(inst, "bits of booleans").into());
        }
        // Between 32 and 64 bits; the element nearest the start holds the low bits.
        let mut index = g.indices(at).clone();
        if kfrom.size() > kto.size() {
            let part = index.pop().expect("one dimension more than the operand");
            let index = g.intern(index);
            let x = self.node(g, s, inst.operands[0], index)?;
            let x = g.op(KOp::Cast(KCast::Bits), &[x], Scalar::I64);
            let amount = g.index_node(part.scaled(32, 0));
            let x = g.op(KOp::Binary(KBinary::ShrU), &[x, amount], Scalar::I64);
            let x = g.op(KOp::Cast(KCast::Signed), &[x], Scalar::I32);
            return Ok(g.op(KOp::Cast(KCast::Bits), &[x], kto));
        }
        let mut word = None;
        for k in 0..2 {
            index.push(Affine::constant(k));
            let part = g.intern(index.clone());
            index.pop();
            let x = self.node(g, s, inst.operands[0], part)?;
            let x = g.op(KOp::Cast(KCast::Bits), &[x], Scalar::I32);
            let x = g.op(KOp::Cast(KCast::Unsigned), &[x], Scalar::I64);
            word = Some(match word {
                None => x,
                Some(low) => {
                    let amount = g.constant(32, Scalar::I64);
                    let high = g.op(KOp::Binary(KBinary::Shl), &[x, amount], Scalar::I64);
                    g.op(KOp::Binary(KBinary::Or), &[low, high], Scalar::I64)
                }
            });
        }
        Ok(g.op(KOp::Cast(KCast::Bits), &[word.expect("two parts")], kto))
    }

    /// Clamped start indices of a dynamic slice or update, as scalars of the entry kernel; computed once.
    pub(super) fn starts(
        &mut self,
        s: &mut Scope<'m>,
        id: InstId,
        starts: &[Value],
        operand: Value,
        sizes: &Dims,
    ) -> Result<SmallVec<[Affine; 4]>, LowerError> {
        if let Some(known) = s.starts.get(&id) {
            return Ok(known.clone());
        }
        let shape = s.ty(operand).shape.clone();
        let mut out: SmallVec<[Affine; 4]> = SmallVec::new();
        for (d, &start) in starts.iter().enumerate() {
            let most = (shape[d] - sizes[d]) as i64;
            let dtype = s.ty(start).dtype;
            let unsigned = dtype.class() == DTypeClass::Unsigned;
            if most == 0 {
                out.push(Affine::default());
                continue;
            }
            if let Some(literal) = s.func.constant(start) {
                let bits = element_bits(literal.stored_bytes());
                let value = match dtype.size() {
                    4 if unsigned => bits as i64,
                    4 => bits as u32 as i32 as i64,
                    _ if unsigned => bits.min(i64::MAX as u64) as i64,
                    _ => bits as i64,
                };
                out.push(Affine::constant(value.clamp(0, most)));
                continue;
            }
            let mut value = self.scalar_of(s, start)?;
            if self.b.ty(value) != Scalar::I64 {
                let how = if unsigned { KCast::Unsigned } else { KCast::Signed };
                value = self.b.push(KOp::Cast(how), &[value], &[Scalar::I64])[0];
            }
            let bound = self.b.int(most);
            let value = if unsigned {
                self.b.binary(KBinary::MinU, value, bound)
            } else {
                let zero = self.b.int(0);
                let low = self.b.binary(KBinary::Max, value, zero);
                self.b.binary(KBinary::Min, low, bound)
            };
            out.push(Affine::var(Var::Outer(value)));
        }
        s.starts.insert(id, out.clone());
        Ok(out)
    }

    fn gather(
        &mut self,
        g: &mut Graph,
        s: &mut Scope<'m>,
        inst: &'m Inst,
        op: &Gather,
        at: IndexId,
    ) -> Result<u32, Stop> {
        let (operand, indices) = (inst.operands[0], inst.operands[1]);
        let shape = s.ty(operand).shape.clone();
        let index_ty = s.ty(indices).clone();
        let here = g.indices(at).clone();
        let batch: SmallVec<[usize; 4]> = (0..here.len()).filter(|d| !op.offset_dims.contains(d)).collect();
        // Position among the batch dimensions of each dimension of the indices.
        let place = |d: usize| if d > op.index_vector_dim { d - 1 } else { d };
        let mut target: Indices = SmallVec::from_elem(Affine::default(), shape.len());
        for (k, &d) in op.start_index_map.iter().enumerate() {
            let most = shape[d] as i64 - op.slice_sizes[d] as i64;
            if most <= 0 {
                continue;
            }
            let index: Indices = (0..index_ty.rank())
                .map(|i| {
                    if i == op.index_vector_dim {
                        Affine::constant(k as i64)
                    } else {
                        here[batch[place(i)]].clone()
                    }
                })
                .collect();
            let index = g.intern(index);
            let start = self.node(g, s, indices, index)?;
            target[d] = g.clamped_start(start, index_ty.dtype, most);
        }
        for (&d, &i) in op.operand_batching_dims.iter().zip(&op.start_indices_batching_dims) {
            target[d].add(&here[batch[place(i)]].clone(), 1);
        }
        let window = (0..shape.len())
            .filter(|d| !op.collapsed_slice_dims.contains(d) && !op.operand_batching_dims.contains(d));
        for (d, &o) in window.zip(&op.offset_dims) {
            target[d].add(&here[o].clone(), 1);
        }
        let target = g.intern(target);
        self.node(g, s, operand, target)
    }

    fn concatenate(
        &mut self,
        g: &mut Graph,
        s: &mut Scope<'m>,
        inst: &'m Inst,
        op: &Concatenate,
        at: IndexId,
    ) -> Result<u32, Stop> {
        let here = g.indices(at).clone();
        let index = here[op.dim].clone();
        let elem = s.elem(inst.results[0]);
        let mut end = s.ty(inst.results[0]).shape[op.dim] as i64;
        let mut out: Option<u32> = None;
        // From the last piece to the first: what is not in an earlier one is in a later one.
        for &x in inst.operands.iter().rev() {
            let n = s.ty(x).shape[op.dim] as i64;
            let start = end - n;
            let (lo, hi) = (start, end);
            end = start;
            let mut decision = g.decide(&index, lo, hi);
            if decision == Decision::Outside {
                continue;
            }
            if out.is_none() {
                // Indices beyond this piece belong to pieces that are out of range.
                let (least, most) = g.range(&index);
                if least >= lo && most < hi {
                    decision = Decision::Inside;
                }
            }
            let mut inside = here.clone();
            inside[op.dim] = index.scaled(1, -start);
            if decision == Decision::Select {
                inside[op.dim] = g.clamped(&inside[op.dim], n - 1);
            }
            let inside = g.intern(inside);
            let piece = self.node(g, s, x, inside)?;
            out = Some(match (out, decision) {
                (_, Decision::Inside) | (None, _) => piece,
                (Some(outside), Decision::Cut) => {
                    g.node(NodeOp::Guard { index: index.clone(), lo, hi, inside: piece, outside }, elem)
                }
                (Some(outside), Decision::Select | Decision::Outside) => {
                    let test = g.within(&index.scaled(1, -lo), hi - lo);
                    g.op(KOp::Select, &[test, piece, outside], elem)
                }
            });
        }
        out.ok_or_else(|| s.refuse(inst, "no operand has the element").into())
    }

    fn pad(
        &mut self,
        g: &mut Graph,
        s: &mut Scope<'m>,
        inst: &'m Inst,
        op: &Pad,
        at: IndexId,
    ) -> Result<u32, Stop> {
        let (x, value) = (inst.operands[0], inst.operands[1]);
        let elem = s.elem(x);
        let shape = s.ty(x).shape.clone();
        let mut target = g.indices(at).clone();
        let scalar_index = g.intern(Indices::new());
        let mut cuts: SmallVec<[(Affine, i64, i64); 4]> = SmallVec::new();
        let mut tests: SmallVec<[u32; 4]> = SmallVec::new();
        for (d, index) in target.iter_mut().enumerate() {
            let (n, low, step) = (shape[d] as i64, op.low[d], op.interior[d] + 1);
            let span = if n == 0 { 0 } else { (n - 1) * step + 1 };
            let here = index.clone();
            *index = here.scaled(1, -low);
            match g.decide(&here, low, low + span) {
                Decision::Outside => return self.node(g, s, value, scalar_index),
                Decision::Inside => {}
                Decision::Cut => cuts.push((here, low, low + span)),
                Decision::Select => {
                    tests.push(g.within(index, span));
                    *index = g.clamped(index, span - 1);
                }
            }
            if step > 1 {
                if let Some(k) = index.as_constant() {
                    if k % step != 0 {
                        return self.node(g, s, value, scalar_index);
                    }
                    *index = Affine::constant(k / step);
                    continue;
                }
                let position = g.index_node(index.clone());
                let size = g.constant(step as u64, Scalar::I64);
                let zero = g.constant(0, Scalar::I64);
                let rest = g.op(KOp::Binary(KBinary::RemU), &[position, size], Scalar::I64);
                tests.push(g.op(
                    KOp::Compare(Direction::Eq, CompareType::Unsigned),
                    &[rest, zero],
                    Scalar::I1,
                ));
                let place = g.op(KOp::Binary(KBinary::DivU), &[position, size], Scalar::I64);
                g.node_max.insert(place, n - 1);
                *index = Affine::var(Var::Node(place));
            }
        }
        let target = g.intern(target);
        let mut out = self.node(g, s, x, target)?;
        if cuts.is_empty() && tests.is_empty() {
            return Ok(out);
        }
        let outside = self.node(g, s, value, scalar_index)?;
        for test in tests {
            out = g.op(KOp::Select, &[test, out, outside], elem);
        }
        for (index, lo, hi) in cuts {
            out = g.node(NodeOp::Guard { index, lo, hi, inside: out, outside }, elem);
        }
        Ok(out)
    }

    /// One term of a contraction: the product of the operands' elements, where the space is batch, left free,
    /// right free and contracted dimensions.
    pub(super) fn product(
        &mut self,
        g: &mut Graph,
        s: &mut Scope<'m>,
        inst: &'m Inst,
        dot: &DotGeneral,
    ) -> Result<u32, Stop> {
        let here = g.here();
        let here = g.indices(here).clone();
        let (lhs, rhs) = (inst.operands[0], inst.operands[1]);
        let ranks = (s.ty(lhs).rank(), s.ty(rhs).rank());
        let free = |rank: usize, a: &Dims, b: &Dims| -> Dims {
            (0..rank).filter(|d| !a.contains(d) && !b.contains(d)).collect()
        };
        let left = free(ranks.0, &dot.lhs_batching_dims, &dot.lhs_contracting_dims);
        let right = free(ranks.1, &dot.rhs_batching_dims, &dot.rhs_contracting_dims);
        let batches = dot.lhs_batching_dims.len();
        let contracted = batches + left.len() + right.len();
        let place = |rank: usize, parts: [(&Dims, usize); 3]| -> Indices {
            let mut index: Indices = SmallVec::from_elem(Affine::default(), rank);
            for (dims, first) in parts {
                for (k, &d) in dims.iter().enumerate() {
                    index[d] = here[first + k].clone();
                }
            }
            index
        };
        let a = place(
            ranks.0,
            [(&dot.lhs_batching_dims, 0), (&left, batches), (&dot.lhs_contracting_dims, contracted)],
        );
        let b = place(
            ranks.1,
            [
                (&dot.rhs_batching_dims, 0),
                (&right, batches + left.len()),
                (&dot.rhs_contracting_dims, contracted),
            ],
        );
        let (a, b) = (g.intern(a), g.intern(b));
        let (a, b) = (self.node(g, s, lhs, a)?, self.node(g, s, rhs, b)?);
        let op = scalar::binary_op(wengert_ir::op::BinaryOp::Multiply, dot.dtype)
            .map_err(|e| s.refuse(inst, e))?;
        let elem = g.nodes[a as usize].ty;
        Ok(g.op(KOp::Binary(op), &[a, b], elem))
    }
}
