//! Rows are taken before they are computed.
//!
//! Where all that is read of a product is some of its rows, by a gather or a slice, only these rows are computed: the rows of its
//! factor are taken in their place, and so on through what moves elements or goes element by element, up to what is there or is needed
//! as a whole. (Databases call it selection pushdown.) A skin of 10,000 points of which 800 are compared with measured ones
//! is computed for 800; the scores of a batch in which one row is asked for are those of one row.
//!
//! Values are the same: each element is computed of what it was, and once, so that it has one rounding: of a product of which several
//! sets of rows are taken nothing is done. Only what has a contraction or a reduction on the way is touched,
//! since rows of anything else are read where they are by the loop that takes them.

use crate::inline::rebuilt;
use crate::rewrite::{Env, copy_inst, like, mapped, push};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Func, FuncId, Inst, InstId, Module, Value};
use wengert_ir::op::*;
use wengert_ir::ops_of;
use wengert_ir::types::{Dims, FloatMode, TensorType};

/// Of fewer rows nothing is saved.
const FEWEST: usize = 8;

/// `func` with rows taken early. It is `func` itself if there are none, and in exact mode, where all is computed as it is written.
pub(crate) fn pushdown(m: &mut Module, func: FuncId) -> FuncId {
    if m.mode == FloatMode::Exact {
        return func;
    }
    rebuilt(m, func, |m, f| {
        let selections: FxHashMap<InstId, Selection> =
            f.insts.iter().filter_map(|(k, inst)| Some((k, Selection::of(f, inst)?))).collect();
        let plan = Plan::of(f, &selections);
        plan.narrow.iter().any(|(_, n)| *n).then(|| plan.rebuilt(m, f, &selections))
    })
}

/// Rows that an instruction takes of its operand.
struct Selection {
    rows: Rows,
    /// Where their dimension is in the result.
    place: usize,
}

/// Some rows of a value: its elements at some places along one dimension.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Rows {
    dim: usize,
    which: Which,
    /// How many there are.
    count: usize,
}

/// Which rows.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Which {
    /// Those whose numbers are a value.
    Gather {
        indices: Value,
        index_vector_dim: usize,
        sorted: bool,
    },
    Slice {
        start: usize,
        limit: usize,
        stride: usize,
    },
}

impl Selection {
    fn of(f: &Func, inst: &Inst) -> Option<Selection> {
        let operand = f.ty(*inst.operands.first()?).as_tensor().filter(|t| t.is_static())?;
        if let Op::Gather(g) = &inst.op {
            let &[dim] = &g.start_index_map[..] else { return None };
            let full = |d: usize| g.slice_sizes[d] == if d == dim { 1 } else { operand.shape[d] };
            let alone = g.collapsed_slice_dims[..] == [dim] && g.operand_batching_dims.is_empty();
            let whole = alone && (0..operand.rank()).all(full);
            let result = f.tensor(inst.results[0]);
            // One dimension of the result is that of the rows.
            let batch: Dims = (0..result.rank()).filter(|d| !g.offset_dims.contains(d)).collect();
            let (&[place], true) = (&batch[..], whole) else { return None };
            let which = Which::Gather {
                indices: inst.operands[1],
                index_vector_dim: g.index_vector_dim,
                sorted: g.indices_are_sorted,
            };
            return Some(Selection { rows: Rows { dim, which, count: result.shape[place] }, place });
        }
        let Op::Slice(s) = &inst.op else { return None };
        let taken = |&d: &usize| s.start[d] != 0 || s.limit[d] != operand.shape[d] || s.strides[d] != 1;
        let dims: Dims = (0..operand.rank()).filter(taken).collect();
        let &[dim] = &dims[..] else { return None };
        let which = Which::Slice { start: s.start[dim], limit: s.limit[dim], stride: s.strides[dim] };
        let count = f.tensor(inst.results[0]).shape[dim];
        Some(Selection { rows: Rows { dim, which, count }, place: dim })
    }
}

/// What of a value is read.
#[derive(Clone, PartialEq)]
enum Demand {
    Nothing,
    /// These rows.
    Rows(Rows),
    /// Everything, or several sets of rows.
    All,
}

/// What is computed for some rows only.
struct Plan {
    demands: EntityVec<Value, Demand>,
    /// By result.
    narrow: EntityVec<Value, bool>,
}

impl Plan {
    fn of(f: &Func, selections: &FxHashMap<InstId, Selection>) -> Plan {
        // What is a sum, or is made of one.
        let mut heavy: EntityVec<Value, bool> = EntityVec::filled(false, f.values.len());
        for inst in f.insts.values() {
            let is = matches!(inst.op, Op::DotGeneral(_) | Op::Reduce(_))
                || inst.operands.iter().any(|&v| heavy[v]);
            inst.results.iter().for_each(|&r| heavy[r] = is);
        }
        let mut plan = Plan {
            demands: EntityVec::filled(Demand::Nothing, f.values.len()),
            narrow: EntityVec::filled(false, f.values.len()),
        };
        // What lies before a sum of which some rows are computed.
        let mut before: EntityVec<Value, bool> = EntityVec::filled(false, f.values.len());
        f.results.iter().for_each(|&v| plan.demands[v] = Demand::All);
        for (k, inst) in f.insts.iter().rev() {
            if let Some((rows, operands)) = plan.narrowed(f, inst, &heavy, &before) {
                let result = inst.results[0];
                plan.narrow[result] = true;
                let is_sum = matches!(inst.op, Op::DotGeneral(_) | Op::Reduce(_));
                for (&v, to) in inst.operands.iter().zip(operands) {
                    match to {
                        Some(to) => plan.want(v, Rows { dim: to, ..rows.clone() }),
                        None => plan.demands[v] = Demand::All,
                    }
                    before[v] |= is_sum || before[result];
                }
            } else if let Some(s) = selections.get(&k) {
                plan.want(inst.operands[0], s.rows.clone());
                inst.operands[1..].iter().for_each(|&v| plan.demands[v] = Demand::All);
            } else {
                inst.operands.iter().for_each(|&v| plan.demands[v] = Demand::All);
            }
        }
        plan
    }

    fn want(&mut self, v: Value, rows: Rows) {
        let demand = &mut self.demands[v];
        match demand {
            Demand::Nothing => *demand = Demand::Rows(rows),
            Demand::Rows(others) if *others == rows => {}
            Demand::Rows(_) | Demand::All => *demand = Demand::All,
        }
    }

    /// The rows of a result that alone are computed, and the dimension of each operand that theirs is.
    fn narrowed(
        &self,
        f: &Func,
        inst: &Inst,
        heavy: &EntityVec<Value, bool>,
        before: &EntityVec<Value, bool>,
    ) -> Option<(Rows, Through)> {
        let &[result] = &inst.results[..] else { return None };
        let Demand::Rows(rows) = &self.demands[result] else { return None };
        let all = f.tensor(result).shape[rows.dim];
        let few = all >= FEWEST && rows.count.saturating_mul(rows.which.weight()) <= all;
        if !few || !(heavy[result] || before[result]) {
            return None;
        }
        Some((rows.clone(), through(f, inst, rows.dim)?))
    }

    fn rebuilt(&self, m: &Module, f: &Func, selections: &FxHashMap<InstId, Selection>) -> Func {
        let (mut out, mut env) = like(f);
        let mut made: FxHashMap<(Value, Rows), Value> = FxHashMap::default();
        for (k, inst) in f.insts.iter() {
            match selections.get(&k) {
                _ if inst.results.iter().any(|&r| self.narrow[r]) => {}
                Some(s) if self.narrow[inst.operands[0]] => {
                    let wanted = (inst.operands[0], s.rows.clone());
                    let taken = self.taken(m, f, &mut out, &env, &mut made, wanted);
                    env[inst.results[0]] = Some(s.placed(m, &mut out, taken, inst));
                }
                Some(_) | None => copy_inst(&mut out, f, inst, &mut env),
            }
        }
        out.results = mapped(&env, &f.results).to_vec();
        out
    }

    /// Rows of a value, made of the rows of what it is made of. What that is may be a long way.
    fn taken(
        &self,
        m: &Module,
        f: &Func,
        out: &mut Func,
        env: &Env,
        made: &mut FxHashMap<(Value, Rows), Value>,
        wanted: (Value, Rows),
    ) -> Value {
        let mut stack = vec![(wanted.clone(), false)];
        while let Some((key, ready)) = stack.pop() {
            if made.contains_key(&key) {
                continue;
            }
            let (v, rows) = key.clone();
            if !self.narrow[v] {
                made.insert(key, rows.of(m, f, out, env, v));
                continue;
            }
            let (_, inst) = f.def(v).expect("parameters are there as a whole");
            let operands = through(f, inst, rows.dim).expect("as when it was asked");
            let parts = inst.operands.iter().zip(operands);
            let parts: Vec<_> =
                parts.map(|(&x, to)| (x, to.map(|dim| (x, Rows { dim, ..rows.clone() })))).collect();
            if !ready {
                stack.push((key, true));
                stack.extend(parts.into_iter().filter_map(|(_, rows)| Some((rows?, false))));
                continue;
            }
            let operands: Vec<Value> = parts
                .into_iter()
                .map(|(x, rows)| rows.map_or_else(|| env[x].expect("topological order"), |rows| made[&rows]))
                .collect();
            let new = push(m, out, narrow(&inst.op, rows.dim, rows.count), &operands, &inst.loc)[0];
            made.insert(key, new);
        }
        made[&wanted]
    }
}

impl Which {
    /// How many rows one that is taken must save: what is gathered is written and read once more.
    fn weight(&self) -> usize {
        match self {
            Which::Gather { .. } => 4,
            Which::Slice { .. } => 2,
        }
    }
}

impl Rows {
    /// These rows of a value that is there as a whole.
    fn of(&self, m: &Module, f: &Func, out: &mut Func, env: &Env, v: Value) -> Value {
        let dim = self.dim;
        let ty = f.tensor(v).clone();
        let whole = env[v].expect("topological order");
        let loc = f.def(v).map_or(wengert_ir::func::Loc::Unknown, |(_, inst)| inst.loc.clone());
        match &self.which {
            Which::Gather { indices, index_vector_dim, sorted } => {
                let mut sizes = ty.shape.clone();
                sizes[dim] = 1;
                let gather = Gather {
                    offset_dims: (0..ty.rank()).filter(|&d| d != dim).collect(),
                    collapsed_slice_dims: smallvec![dim],
                    operand_batching_dims: Dims::new(),
                    start_indices_batching_dims: Dims::new(),
                    start_index_map: smallvec![dim],
                    index_vector_dim: *index_vector_dim,
                    slice_sizes: sizes,
                    indices_are_sorted: *sorted,
                };
                let at = env[*indices].expect("the indices are there where rows are taken");
                push(m, out, gather, &[whole, at], &loc)[0]
            }
            Which::Slice { start, limit, stride } => {
                let zeros: Dims = smallvec![0; ty.rank()];
                let mut slice =
                    Slice { start: zeros, limit: ty.shape.clone(), strides: smallvec![1; ty.rank()] };
                (slice.start[dim], slice.limit[dim], slice.strides[dim]) = (*start, *limit, *stride);
                push(m, out, slice, &[whole], &loc)[0]
            }
        }
    }
}

impl Selection {
    /// What was taken along a dimension, where the selection has it.
    fn placed(&self, m: &Module, out: &mut Func, taken: Value, inst: &Inst) -> Value {
        if self.place == self.rows.dim {
            return taken;
        }
        let rank = out.tensor(taken).rank();
        let mut perm: Dims = (0..rank).filter(|&d| d != self.rows.dim).collect();
        perm.insert(self.place, self.rows.dim);
        push(m, out, Transpose { perm }, &[taken], &inst.loc)[0]
    }
}

/// For each operand the dimension whose rows a dimension's rows of the result are made of; `None` for one that is needed as a whole.
type Through = SmallVec<[Option<usize>; 4]>;

/// `None` where rows of the result are no function of rows of the operands.
fn through(f: &Func, inst: &Inst, dim: usize) -> Option<Through> {
    let ty = |k: usize| -> &TensorType { f.tensor(inst.operands[k]) };
    let result = f.tensor(inst.results[0]);
    Some(match &inst.op {
        Op::BitcastConvert(_) => return None,
        ops_of!(elementwise) => {
            let of = |&v: &Value| (f.tensor(v).shape == result.shape).then_some(dim);
            inst.operands.iter().map(of).collect()
        }
        Op::BroadcastInDim(b) => {
            let from = b.dims.iter().position(|&d| d == dim);
            smallvec![from.filter(|&k| ty(0).shape[k] == result.shape[dim])]
        }
        Op::Reshape(_) => {
            let before: usize = result.shape[..dim].iter().product();
            let mut product = 1usize;
            let from = ty(0).shape.iter().position(|&n| {
                let here = product == before && n == result.shape[dim];
                product *= n;
                here
            });
            smallvec![Some(from?)]
        }
        Op::Transpose(t) => smallvec![Some(t.perm[dim])],
        Op::Reverse(r) if !r.dims.contains(&dim) => smallvec![Some(dim)],
        Op::Slice(s) if s.start[dim] == 0 && s.limit[dim] == ty(0).shape[dim] && s.strides[dim] == 1 => {
            smallvec![Some(dim)]
        }
        Op::Concatenate(c) if c.dim != dim => smallvec![Some(dim); inst.operands.len()],
        Op::Pad(p) if p.low[dim] == 0 && p.high[dim] == 0 && p.interior[dim] == 0 => {
            smallvec![Some(dim), None]
        }
        Op::DotGeneral(d) => {
            let frees = |k: usize, of: [&Dims; 2]| -> Dims {
                (0..ty(k).rank()).filter(|d| !of.iter().any(|list| list.contains(d))).collect()
            };
            let (batches, lhs) =
                (d.lhs_batching_dims.len(), frees(0, [&d.lhs_batching_dims, &d.lhs_contracting_dims]));
            let rhs = frees(1, [&d.rhs_batching_dims, &d.rhs_contracting_dims]);
            if dim < batches {
                smallvec![Some(d.lhs_batching_dims[dim]), Some(d.rhs_batching_dims[dim])]
            } else if dim < batches + lhs.len() {
                smallvec![Some(lhs[dim - batches]), None]
            } else {
                smallvec![None, Some(rhs[dim - batches - lhs.len()])]
            }
        }
        Op::Reduce(r) if r.inputs == 1 && matches!(r.reducer, Reducer::Op(_)) => {
            let mut kept = (0..ty(0).rank()).filter(|d| !r.dims.contains(d));
            smallvec![Some(kept.nth(dim)?), None]
        }
        ops_of!(source)
        | ops_of!(movement)
        | ops_of!(update)
        | ops_of!(reduction)
        | ops_of!(library)
        | ops_of!(call)
        | ops_of!(control)
        | ops_of!(mark)
        | ops_of!(opaque) => return None,
    })
}

/// The operation that computes so many rows along a dimension of its result.
fn narrow(op: &Op, dim: usize, count: usize) -> Op {
    let with = |shape: &Dims| -> Dims {
        let mut shape = shape.clone();
        shape[dim] = count;
        shape
    };
    match op {
        Op::BroadcastInDim(b) => BroadcastInDim { shape: with(&b.shape), ..b.clone() }.into(),
        Op::Reshape(r) => Reshape { shape: with(&r.shape) }.into(),
        Op::Slice(s) => Slice { limit: with(&s.limit), ..s.clone() }.into(),
        other => other.clone(),
    }
}
