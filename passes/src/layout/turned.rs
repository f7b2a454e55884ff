//! A function with some of its values turned, while it is made: what there is of each value, how one is turned or turned back, and
//! what that costs. Which results are turned others say, [`moves`](super::moves) of operations and [`examples`](super::examples) of loops.

use crate::rewrite::push;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Func, FuncId, Inst, Loc, Module, Value};
use wengert_ir::op::{BroadcastInDim, Constant, Iota, Op, Reshape, Transpose, Zero};
use wengert_ir::types::{DYNAMIC, Dims, TensorType};

/// The fewest examples that make a loop.
pub(super) const MANY: usize = 16;
/// The longest last dimension of an example of which loops are too short.
pub(super) const SHORT: usize = 15;
/// Trips of a loop, where nobody says how many.
pub(super) const TRIPS: u64 = 8;

/// What there is of a value.
#[derive(Clone, Copy, Default)]
pub(super) struct Forms {
    pub(super) plain: Option<Value>,
    pub(super) turned: Option<(usize, Value)>,
}

/// A function while it is walked.
pub(super) struct Walk<'a> {
    pub(super) module: &'a mut Module,
    /// What functions that are called have become.
    pub(super) done: &'a FxHashMap<FuncId, FuncId>,
    pub(super) f: Arc<Func>,
    pub(super) out: Func,
    pub(super) env: EntityVec<Value, Forms>,
    /// Which values that were turned are turned back.
    pub(super) regretted: EntityVec<Value, bool>,
    /// Elements that are turned.
    pub(super) cost: u64,
    /// Elements that are moved otherwise.
    pub(super) gain: u64,
}

impl<'a> Walk<'a> {
    /// `f` with parameters that are `given` turned, and nothing of it yet.
    pub(super) fn new(
        module: &'a mut Module,
        done: &'a FxHashMap<FuncId, FuncId>,
        f: &Arc<Func>,
        given: &[Option<usize>],
    ) -> Self {
        let mut out = Func::new(f.name.clone(), f.kind);
        out.param_names.clone_from(&f.param_names);
        let mut env = EntityVec::filled(Forms::default(), f.values.len());
        for (&p, &dim) in f.params.iter().zip(given) {
            let ty = match dim {
                Some(d) => turned_type(f.tensor(p), d).into(),
                None => f.ty(p).clone(),
            };
            let new = out.param(ty);
            env[p] = match dim {
                Some(d) => Forms { plain: is_last(f.tensor(p), d).then_some(new), turned: Some((d, new)) },
                None => Forms { plain: Some(new), turned: None },
            };
        }
        let regretted = EntityVec::filled(false, f.values.len());
        Self { module, done, f: f.clone(), out, env, regretted, cost: 0, gain: 0 }
    }

    pub(super) fn push(&mut self, op: impl Into<Op>, operands: &[Value], loc: &Loc) -> Vec<Value> {
        push(self.module, &mut self.out, op, operands, loc).to_vec()
    }

    pub(super) fn transposed(&mut self, v: Value, perm: &Dims) -> Value {
        if perm.iter().copied().eq(0..perm.len()) {
            return v;
        }
        self.push(Transpose { perm: perm.clone() }, &[v], &Loc::Unknown)[0]
    }

    /// At which dimension a value is turned, if it is.
    pub(super) fn dim(&self, v: Value) -> Option<usize> {
        self.env[v].turned.map(|t| t.0)
    }

    /// A value as it was.
    pub(super) fn plain(&mut self, v: Value) -> Value {
        if let Some(plain) = self.env[v].plain {
            return plain;
        }
        let (dim, value) = self.env[v].turned.expect("topological order");
        self.regretted[v] = true;
        let ty = self.f.tensor(v).clone();
        self.cost = self.cost.saturating_add(elements(&ty));
        // Back from behind the others.
        let rank = ty.rank();
        let perm: Dims = (0..rank).map(|k| place(rank, dim, k)).collect();
        let plain = self.transposed(value, &perm);
        self.env[v].plain = Some(plain);
        plain
    }

    /// A value turned at `dim`.
    pub(super) fn turned(&mut self, v: Value, dim: usize) -> Value {
        if let Some((d, value)) = self.env[v].turned
            && d == dim
        {
            return value;
        }
        let f = self.f.clone();
        let ty = f.tensor(v);
        let value = if is_last(ty, dim) {
            self.plain(v)
        } else if let Some(value) = made_turned(self, v, dim) {
            value
        } else {
            let plain = self.plain(v);
            self.cost = self.cost.saturating_add(elements(ty));
            self.transposed(plain, &behind_others(ty.rank(), dim))
        };
        self.env[v].turned.get_or_insert((dim, value));
        value
    }

    /// Notes what the first result of an instruction is.
    pub(super) fn set_turned(&mut self, v: Value, dim: usize, value: Value) {
        let plain = is_last(self.f.tensor(v), dim).then_some(value);
        self.env[v] = Forms { plain, turned: Some((dim, value)) };
    }

    /// The same of a result that has no examples any more.
    pub(super) fn set_plain(&mut self, v: Value, value: Value) {
        self.env[v] = Forms { plain: Some(value), turned: None };
    }

    /// Notes that an operation moves elements of `v`, which is turned at `dim`: it would have leapt.
    pub(super) fn gains(&mut self, v: Value, dim: usize) {
        let ty = self.f.tensor(v);
        if !is_last(ty, dim) && ty.shape.last().is_some_and(|&n| n <= SHORT) {
            self.gain = self.gain.saturating_add(elements(ty));
        }
    }
}

/// A value that is turned without one that is not: what is the same for all examples, or is known from the index.
fn made_turned(w: &mut Walk<'_>, v: Value, d: usize) -> Option<Value> {
    let f = w.f.clone();
    let (_, inst) = f.def(v)?;
    let ty = turned_type(f.tensor(v), d);
    match &inst.op {
        Op::Constant(c) if c.value.as_splat().is_some() => {
            Some(w.push(Constant { value: c.value.reshaped(&ty.shape) }, &[], &inst.loc)[0])
        }
        Op::Zero(_) => Some(w.push(Zero { ty }, &[], &inst.loc)[0]),
        Op::Iota(iota) => {
            let dim = place(ty.rank(), d, iota.dim);
            Some(w.push(Iota { ty, dim }, &[], &inst.loc)[0])
        }
        Op::BroadcastInDim(b) => {
            let x = inst.operands[0];
            let from = b.dims.iter().position(|&to| to == d);
            Some(broadcast(w, inst, b, x, from, d))
        }
        // The predicate of a selection, for each of several elements.
        Op::Reshape(r) => {
            let x = inst.operands[0];
            let from = reshaped_to(&r.shape, d, &f.tensor(x).shape)?;
            let one_each = f.tensor(x).rank() == 1;
            one_each.then(|| {
                let value = w.turned(x, from);
                w.push(Reshape { shape: ty.shape }, &[value], &inst.loc)[0]
            })
        }
        _ => None,
    }
}

/// How many elements there are; rows of loops of unknown length are as many as such a loop is taken to have trips.
pub(super) fn elements(ty: &TensorType) -> u64 {
    let sizes = ty.shape.iter().map(|&n| if n == DYNAMIC { TRIPS } else { n as u64 });
    sizes.fold(1, u64::saturating_mul)
}

/// The order of dimensions that puts `dim` behind the others.
pub(super) fn behind_others(rank: usize, dim: usize) -> Dims {
    (0..rank).filter(|&d| d != dim).chain([dim]).collect()
}

/// The type of a value that is turned at `dim`.
pub(super) fn turned_type(ty: &TensorType, dim: usize) -> TensorType {
    let shape: Dims = behind_others(ty.rank(), dim).iter().map(|&d| ty.shape[d]).collect();
    ty.with_shape(&shape)
}

pub(super) fn is_last(ty: &TensorType, dim: usize) -> bool {
    dim + 1 == ty.rank()
}

/// Where dimension `k` comes if `d` is put behind the others.
pub(super) fn place(rank: usize, d: usize, k: usize) -> usize {
    match k.cmp(&d) {
        std::cmp::Ordering::Less => k,
        std::cmp::Ordering::Equal => rank - 1,
        std::cmp::Ordering::Greater => k - 1,
    }
}

pub(super) fn places(rank: usize, d: usize, dims: &[usize]) -> Dims {
    dims.iter().map(|&k| place(rank, d, k)).collect()
}

/// Entries of a list with one for each dimension.
pub(super) fn permuted<T: Copy, const N: usize>(list: &SmallVec<[T; N]>, d: usize) -> SmallVec<[T; N]>
where
    [T; N]: smallvec::Array<Item = T>,
{
    behind_others(list.len(), d).iter().map(|&k| list[k]).collect()
}

/// `x`, of which dimension `from` is the examples' if they have one each, as it is for all of a result that is turned at `d`.
pub(super) fn broadcast(
    w: &mut Walk<'_>,
    inst: &Inst,
    b: &BroadcastInDim,
    x: Value,
    from: Option<usize>,
    d: usize,
) -> Value {
    let rank = b.shape.len();
    let (value, order) = match from {
        Some(from) => (w.turned(x, from), behind_others(b.dims.len(), from)),
        None => (w.plain(x), (0..b.dims.len()).collect()),
    };
    let dims: Dims = order.iter().map(|&k| place(rank, d, b.dims[k])).collect();
    w.push(BroadcastInDim { shape: permuted(&b.shape, d), dims }, &[value], &inst.loc)[0]
}

/// Which dimension of a shape of as many elements is dimension `d` of another, if one is.
pub(super) fn reshaped_to(from: &Dims, d: usize, to: &Dims) -> Option<usize> {
    let before: usize = from[..d].iter().product();
    (0..to.len()).find(|&k| to[k] == from[d] && to[..k].iter().product::<usize>() == before)
}
