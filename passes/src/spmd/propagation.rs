//! How results lie on devices where the program does not say it: as what they are computed from.
//!
//! Any answer is right, since all devices have all memory here; callers see it, and give results to other programs as they lie. From
//! operands to results, once through the program as it is written, by dimensions that go through an operation unchanged; what goes
//! another way, and what loops and branches give, lies whole on each device.

use crate::inline::callees_first;
use std::cell::Cell;
use std::collections::BTreeMap;
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Func, FuncId, Inst, Module, Value};
use wengert_ir::interface::Interface;
use wengert_ir::op::{BroadcastInDim, DotGeneral, Kind, Op};
use wengert_ir::sharding::{Manual, Mesh, Sharding};
use wengert_ir::text;

/// Along which axes of the mesh each dimension of a value is cut.
type Cuts = Vec<Vec<usize>>;

/// Most instructions that are looked at, those of a function for each of its calls: what is behind them lies whole.
const MOST: usize = 1 << 20;

/// Most calls that are looked into one from another.
const DEEPEST: usize = 16;

/// How the results of a program lie if its parameters lie so; nothing where all devices have all, or where nothing is known.
pub fn of_results(m: &Module, said: &Interface, params: &[Option<Sharding>]) -> Vec<Option<Sharding>> {
    let func = said.func;
    let manual = first_mesh(m, func);
    let meshes = params.iter().flatten().chain(said.lying.iter().map(|(_, s)| s)).map(|s| &s.mesh);
    let Some(mesh) = meshes.chain(&manual).next() else {
        return vec![None; m.get(func).results.len()];
    };
    let given: Vec<Option<Cuts>> =
        params.iter().map(|s| s.as_ref().filter(|s| s.mesh == *mesh).map(|s| s.dims.clone())).collect();
    let wanted =
        said.lying.iter().filter(|(_, s)| s.mesh == *mesh).map(|(v, s)| (*v, s.dims.clone())).collect();
    let found =
        Walk { module: m, mesh, left: Cell::new(MOST), depth: Cell::new(0) }.func(func, given, &wanted);
    let sharding = |dims: Cuts| Sharding { mesh: mesh.clone(), dims, unreduced: Vec::new() };
    found.into_iter().map(|cuts| cuts.map(sharding).filter(|s| !s.is_whole())).collect()
}

/// The mesh of the first computation that is written for each of several devices.
fn first_mesh(m: &Module, func: FuncId) -> Option<Mesh> {
    let of =
        |f: FuncId| m.funcs[f].insts.values().find_map(|inst| manual(&inst.op)).map(|manual| manual.mesh);
    callees_first(m, func).into_iter().find_map(of)
}

fn manual(op: &Op) -> Option<Manual> {
    let Op::Foreign(op) = op else { return None };
    if &*op.name == Manual::NAME { text::manual(&op.attributes).ok() } else { None }
}

struct Walk<'m> {
    module: &'m Module,
    mesh: &'m Mesh,
    /// How many instructions may still be looked at.
    left: Cell<usize>,
    /// In how many calls it is.
    depth: Cell<usize>,
}

impl Walk<'_> {
    /// `wanted` is how values of the function are to lie.
    fn func(
        &self,
        id: FuncId,
        params: Vec<Option<Cuts>>,
        wanted: &BTreeMap<Value, Cuts>,
    ) -> Vec<Option<Cuts>> {
        let f = self.module.get(id);
        let mut known = EntityVec::<Value, Option<Cuts>>::filled(None, f.values.len());
        for (&p, cuts) in f.params.iter().zip(params) {
            known[p] = wanted.get(&p).cloned().or(cuts).filter(|cuts| self.fits(&f, p, cuts));
        }
        for inst in f.insts.values() {
            let Some(left) = self.left.get().checked_sub(1) else { break };
            self.left.set(left);
            let x: Vec<Option<&Cuts>> = inst.operands.iter().map(|&v| known[v].as_ref()).collect();
            let found = self.inst(&f, inst, &x);
            for (&r, cuts) in inst.results.iter().zip(found) {
                known[r] = wanted.get(&r).cloned().or(cuts).filter(|cuts| self.fits(&f, r, cuts));
            }
        }
        f.results.iter().map(|&r| known[r].clone()).collect()
    }

    /// Whether a value can be cut so: each axis once, parts of one size.
    fn fits(&self, f: &Func, v: Value, cuts: &Cuts) -> bool {
        let Some(ty) = f.ty(v).as_tensor().filter(|ty| ty.is_static() && ty.rank() == cuts.len()) else {
            return false;
        };
        ty.shape.iter().zip(cuts).all(|(&size, axes)| size.is_multiple_of(self.mesh.count(axes).max(1)))
    }

    /// What is known of results of an instruction whose operands lie so.
    fn inst(&self, f: &Func, inst: &Inst, x: &[Option<&Cuts>]) -> Vec<Option<Cuts>> {
        if let Some(manual) = manual(&inst.op) {
            return manual
                .outputs
                .into_iter()
                .map(|s| Some(s.dims).filter(|_| s.mesh == *self.mesh))
                .collect();
        }
        let kind = inst.op.kind();
        let nothing = || vec![None; inst.results.len()];
        if x.iter().all(Option::is_none) && kind != Kind::Call {
            return nothing();
        }
        let kept = || inst.results.iter().map(|&r| self.kept(f, inst, r, x)).collect();
        match kind {
            Kind::Elementwise | Kind::Mark => {
                inst.results.iter().map(|&r| elementwise(f, inst, r, x)).collect()
            }
            Kind::Movement => {
                let (first, from) = (x[0].cloned().unwrap_or_default(), f.ty(inst.operands[0]).as_tensor());
                let Some(from) = from.filter(|_| !first.is_empty()) else { return nothing() };
                if let Op::Transpose(op) = &inst.op {
                    vec![Some(op.perm.iter().map(|&d| first[d].clone()).collect())]
                } else if let Op::BroadcastInDim(op) = &inst.op {
                    vec![Some(repeated(&first, &from.shape, op))]
                } else if let Op::Reshape(op) = &inst.op {
                    vec![reshaped(&first, &from.shape, &op.shape)]
                } else {
                    kept()
                }
            }
            Kind::Update => kept(),
            Kind::Reduction => {
                let Op::Reduce(op) = &inst.op else { return kept() };
                let without = |cuts: &Cuts| {
                    let kept = cuts.iter().enumerate().filter(|(d, _)| !op.dims.contains(d));
                    kept.map(|(_, axes)| axes.clone()).collect()
                };
                x[..op.inputs].iter().map(|cuts| cuts.map(without)).collect()
            }
            Kind::Contraction => {
                let Op::DotGeneral(op) = &inst.op else { return nothing() };
                vec![Some(contracted(f, inst, op, x))]
            }
            Kind::Call => {
                let callee = if let Op::Call(call) = &inst.op {
                    Some(call.callee)
                } else if let Op::Composite(composite) = &inst.op {
                    Some(composite.decomposition)
                } else {
                    None
                };
                callee.map_or_else(nothing, |callee| self.inner(callee, inst, x))
            }
            Kind::Source | Kind::Library | Kind::Control | Kind::Opaque => nothing(),
        }
    }

    /// The same of the results of a function that is called.
    fn inner(&self, callee: FuncId, inst: &Inst, x: &[Option<&Cuts>]) -> Vec<Option<Cuts>> {
        let depth = self.depth.get();
        if depth == DEEPEST {
            return vec![None; inst.results.len()];
        }
        self.depth.set(depth + 1);
        let found = self.func(callee, x.iter().map(|cuts| cuts.cloned()).collect(), &BTreeMap::new());
        self.depth.set(depth);
        found
    }

    /// The cuts of the first operand along the dimensions that are as long in a result.
    fn kept(&self, f: &Func, inst: &Inst, result: Value, x: &[Option<&Cuts>]) -> Option<Cuts> {
        let (from, to) = (f.ty(inst.operands[0]).as_tensor()?, f.ty(result).as_tensor()?);
        let cuts = x[0].filter(|_| from.rank() == to.rank())?;
        let same = |d: usize| if from.shape[d] == to.shape[d] { cuts[d].clone() } else { Vec::new() };
        Some((0..to.rank()).map(same).collect())
    }
}

fn rank(f: &Func, v: Value) -> usize {
    f.ty(v).as_tensor().map_or(0, |ty| ty.rank())
}

/// What operands of the rank of a result say together.
fn elementwise(f: &Func, inst: &Inst, result: Value, x: &[Option<&Cuts>]) -> Option<Cuts> {
    let same = inst.operands.iter().zip(x).filter(|(v, _)| rank(f, **v) == rank(f, result));
    same.filter_map(|(_, cuts)| cuts.cloned()).reduce(merged)
}

/// Through a repetition along dimensions.
fn repeated(cuts: &Cuts, shape: &[usize], op: &BroadcastInDim) -> Cuts {
    let mut out = vec![Vec::new(); op.shape.len()];
    for (d, &to) in op.dims.iter().enumerate().filter(|(d, to)| shape[*d] == op.shape[**to]) {
        out[to] = cuts[d].clone();
    }
    out
}

/// Of a product: what runs along in both, then what is free on either side.
fn contracted(f: &Func, inst: &Inst, op: &DotGeneral, x: &[Option<&Cuts>]) -> Cuts {
    let side = |k: usize| x[k].cloned().unwrap_or_else(|| vec![Vec::new(); rank(f, inst.operands[k])]);
    let (lhs, rhs) = (side(0), side(1));
    let batch = op.lhs_batching_dims.iter().zip(&op.rhs_batching_dims);
    let mut out: Cuts = batch.map(|(&l, &r)| either(&lhs[l], &rhs[r])).collect();
    let sides = [
        (&lhs, &op.lhs_batching_dims, &op.lhs_contracting_dims),
        (&rhs, &op.rhs_batching_dims, &op.rhs_contracting_dims),
    ];
    for (cuts, batch, contracted) in sides {
        let free = cuts.iter().enumerate().filter(|(d, _)| !batch.contains(d) && !contracted.contains(d));
        out.extend(free.map(|(_, axes)| axes.clone()));
    }
    once(out)
}

fn either(a: &[usize], b: &[usize]) -> Vec<usize> {
    if a.is_empty() { b.to_vec() } else { a.to_vec() }
}

/// What two operands say together; the first counts more.
fn merged(a: Cuts, b: Cuts) -> Cuts {
    once(a.iter().zip(&b).map(|(a, b)| either(a, b)).collect())
}

/// Each axis for the first dimension that has it.
fn once(mut cuts: Cuts) -> Cuts {
    let mut used: Vec<usize> = Vec::new();
    for axes in &mut cuts {
        if axes.iter().any(|axis| used.contains(axis)) {
            axes.clear();
        }
        used.extend(&*axes);
    }
    cuts
}

/// Through a change of shape that only adds or drops dimensions of one element, or splits or joins dimensions behind their first.
fn reshaped(cuts: &Cuts, from: &[usize], to: &[usize]) -> Option<Cuts> {
    let mut out = vec![Vec::new(); to.len()];
    let (mut i, mut j) = (0, 0);
    while i < from.len() && j < to.len() {
        // The shortest runs of dimensions with the same number of elements.
        let (start, target) = (i, j);
        let (mut a, mut b) = (from[i], to[j]);
        (i, j) = (i + 1, j + 1);
        while a != b {
            if a < b {
                a *= from.get(i)?;
                i += 1;
            } else {
                b *= to.get(j)?;
                j += 1;
            }
        }
        // Of a run the first dimension that has elements changes slowest on both sides.
        let lead = (start..i).find(|&d| from[d] != 1).unwrap_or(start);
        let into = (target..j).find(|&d| to[d] != 1).unwrap_or(target);
        out[into].clone_from(&cuts[lead]);
    }
    Some(out)
}
