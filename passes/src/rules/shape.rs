//! Whether values have a shape, and a shape for other dimensions.
//!
//! A shape is a function of vectors of [`LANES`] elements that does the same with each element. What has as many elements
//! stands for tensors of any dimensions, what is a scalar for a scalar.

use crate::rewrite::env;
use wengert_ir::array::Literal;
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Func, FuncId, Inst, Module, Value};
use wengert_ir::op::{BitcastConvert, Constant, Op, Reducer, While};
use wengert_ir::types::{Dims, TensorType, Type};

/// The length of the vectors that stand for tensors: of no other dimension or constant of the shapes.
pub const LANES: usize = 61;

/// The type that a type of a shape stands for where tensors have these dimensions.
fn for_dims(ty: &Type, dims: &Dims) -> Type {
    match ty {
        Type::Tensor(t) if t.shape[..] == [LANES] => t.with_shape(dims).into(),
        other => other.clone(),
    }
}

/// An attempt to find a shape.
pub(super) struct Match<'a> {
    /// The module and function of the shape.
    pattern: (&'a Module, &'a Func),
    /// Those of the program.
    program: (&'a Module, &'a Func),
    dims: &'a Dims,
    /// The program's value for each of the shape's.
    bound: EntityVec<Value, Option<Spread>>,
}

/// A value of the program that stands for a tensor of the dimensions: it may have fewer, and be broadcast to them. For each of its
/// dimensions, which of all it is.
#[derive(Clone, PartialEq)]
pub(super) struct Spread {
    pub(super) value: Value,
    pub(super) dims: Dims,
}

impl<'a> Match<'a> {
    /// Whether `v`, of type `ty`, has the shape of the result of `pattern`: the values of the program for its parameters.
    pub(super) fn whole(
        library: &'a Module,
        pattern: &'a Func,
        m: &'a Module,
        f: &'a Func,
        v: Value,
        ty: &'a TensorType,
    ) -> Option<Vec<Spread>> {
        let result = pattern.results[0];
        let fits = for_dims(pattern.ty(result), &ty.shape) == Type::Tensor(ty.clone());
        // Broadcasts are looked through everywhere but here: the value itself is computed, not moved.
        let (_, root) = pattern.def(source(pattern, result))?;
        let (_, inst) = f.def(v)?;
        let alike = match (&root.op, &inst.op) {
            (Op::Unary(_) | Op::Binary(_), op) => root.op == *op,
            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
        };
        if !fits || !alike {
            return None;
        }
        let mut attempt =
            Match { pattern: (library, pattern), program: (m, f), dims: &ty.shape, bound: nothing(pattern) };
        if !attempt.value(result, v, (0..ty.rank()).collect()) {
            return None;
        }
        pattern.params.iter().map(|&p| attempt.bound[p].clone()).collect()
    }

    /// Whether `v`, of whose dimensions `dims` says which they are, has the shape of `p`.
    fn value(&mut self, p: Value, v: Value, dims: Dims) -> bool {
        let ((_, pattern), (_, f)) = (self.pattern, self.program);
        let p = source(pattern, p);
        let Spread { value: v, dims } = self.spread(v, dims);
        let spread = Spread { value: v, dims };
        if let Some(bound) = &self.bound[p] {
            return *bound == spread;
        }
        let Some((_, inst)) = pattern.def(p) else {
            // An argument of all dimensions may have come from one of fewer.
            let Type::Tensor(ty) = pattern.ty(p) else { return false };
            let fits = match (&ty.shape[..], f.ty(v)) {
                ([LANES], Type::Tensor(found)) => {
                    found.dtype == ty.dtype && self.reaches(&found.shape, &spread.dims)
                }
                (_, found) => for_dims(pattern.ty(p), self.dims) == *found,
            };
            self.bound[p] = Some(spread);
            return fits;
        };
        if let Op::Constant(constant) = &inst.op
            && let Some(element) = constant.value.as_splat()
        {
            let same = |found: &Literal| {
                found.ty().dtype == constant.value.ty().dtype && found.as_splat() == Some(element)
            };
            return f.scalar_constant(v).as_ref().is_some_and(same);
        }
        let Some((_, other)) = f.def(v) else { return false };
        let at = |inst: &Inst, v: Value| inst.results.iter().position(|&r| r == v);
        if at(inst, p) != at(other, v) || !self.is_same(inst, other) {
            return false;
        }
        for (&p, &v) in inst.results.iter().zip(&other.results) {
            self.bound[p] = Some(Spread { value: v, dims: self.dims_of(v, &spread) });
        }
        inst.operands.iter().zip(&other.operands).all(|(&p, &v)| {
            let dims = self.dims_of(v, &spread);
            self.value(p, v, dims)
        })
    }

    /// Whether a tensor of this shape can be broadcast along these dimensions to all.
    fn reaches(&self, shape: &[usize], dims: &[usize]) -> bool {
        let fits = |(&n, &d): (&usize, &usize)| self.dims.get(d).is_some_and(|&all| n == 1 || n == all);
        shape.len() == dims.len() && shape.iter().zip(dims).all(fits) && dims.is_sorted_by(|a, b| a < b)
    }

    /// Which dimensions those of a value are that stands in one instruction with another: the same if it has the same, else all.
    fn dims_of(&self, v: Value, beside: &Spread) -> Dims {
        let shape = |v: Value| self.program.1.ty(v).as_tensor().map(|t| t.shape.clone()).unwrap_or_default();
        let own = shape(v);
        if own == shape(beside.value) { beside.dims.clone() } else { (0..own.len()).collect() }
    }

    /// Where a value comes from, through what broadcasts it or does nothing.
    fn spread(&self, mut v: Value, mut dims: Dims) -> Spread {
        let f = self.program.1;
        while let Some((_, inst)) = f.def(v) {
            let nothing = matches!(inst.op, Op::Convert(_)) && f.ty(inst.operands[0]) == f.ty(v);
            if let Op::BroadcastInDim(b) = &inst.op
                && b.shape.len() == dims.len()
            {
                dims = b.dims.iter().map(|&d| dims[d]).collect();
            } else if !nothing {
                break;
            }
            v = inst.operands[0];
        }
        Spread { value: v, dims }
    }

    /// Whether two instructions do the same, their operands aside.
    fn is_same(&self, inst: &Inst, other: &Inst) -> bool {
        let f = self.program.1;
        if inst.operands.len() != other.operands.len() {
            return false;
        }
        match (&inst.op, &other.op) {
            (Op::Reduce(a), Op::Reduce(b)) => {
                let rank = f.ty(other.operands[0]).as_tensor().map_or(0, TensorType::rank);
                let one = matches!(a.reducer, Reducer::Op(_)) && a.inputs == 1;
                one && a.reducer == b.reducer && b.inputs == 1 && b.dims.iter().copied().eq(0..rank)
            }
            (Op::While(a), Op::While(b)) => {
                let alike = a.consts == b.consts && a.stacks == b.stacks && a.counted == b.counted;
                alike && self.is_same_region(a.cond, b.cond) && self.is_same_region(a.body, b.body)
            }
            (Op::BitcastConvert(a), Op::BitcastConvert(b)) => {
                for_dims(&a.ty.clone().into(), self.dims) == Type::Tensor(b.ty.clone())
            }
            (a, b) => a == b,
        }
    }

    fn is_same_region(&self, pattern: FuncId, region: FuncId) -> bool {
        let (library, m) = (self.pattern.0, self.program.0);
        let (pattern, region) = (&library.funcs[pattern], &m.funcs[region]);
        let params = || pattern.params.iter().zip(&region.params);
        if pattern.params.len() != region.params.len() || pattern.results.len() != region.results.len() {
            return false;
        }
        let bound = nothing(pattern);
        let mut inner = Match { pattern: (library, pattern), program: (m, region), dims: self.dims, bound };
        let whole = |v: Value| (0..region.ty(v).as_tensor().map_or(0, TensorType::rank)).collect::<Dims>();
        params().for_each(|(&p, &v)| inner.bound[p] = Some(Spread { value: v, dims: whole(v) }));
        params().all(|(&p, &v)| for_dims(pattern.ty(p), self.dims) == *region.ty(v))
            && pattern.results.iter().zip(&region.results).all(|(&p, &v)| inner.value(p, v, whole(v)))
    }
}

/// Whether an instruction gives each element what its operand, a scalar or of the same type, is.
fn is_transparent(f: &Func, inst: &Inst) -> bool {
    let ty = |v: Value| f.ty(v).as_tensor();
    match &inst.op {
        Op::BroadcastInDim(_) => {
            let (from, to) = (ty(inst.operands[0]), ty(inst.results[0]));
            from.is_some_and(|t| t.rank() == 0) || from.is_some() && from == to
        }
        Op::Convert(_) => f.ty(inst.operands[0]) == f.ty(inst.results[0]),
        _ => false,
    }
}

/// Where a value comes from, through what changes no element.
fn source(f: &Func, mut v: Value) -> Value {
    while let Some((_, inst)) = f.def(v)
        && is_transparent(f, inst)
    {
        v = inst.operands[0];
    }
    v
}

/// Nothing is known of the values of a shape.
fn nothing(f: &Func) -> EntityVec<Value, Option<Spread>> {
    EntityVec::filled(None, f.values.len())
}

/// A function of a shape's module for other dimensions, its regions added to `m`.
pub(super) fn retyped(m: &mut Module, library: &Module, f: &Func, dims: &Dims) -> Func {
    let mut out = Func::new("", wengert_ir::func::FuncKind::Region);
    let mut env = env(f);
    for &p in &f.params {
        env[p] = Some(out.param(for_dims(f.ty(p), dims)));
    }
    for inst in f.insts.values() {
        let types: Vec<Type> = inst.results.iter().map(|&r| for_dims(f.ty(r), dims)).collect();
        let op: Op = match &inst.op {
            Op::Constant(c) => match (c.value.as_splat(), &types[0]) {
                (Some(element), Type::Tensor(ty)) => {
                    Constant { value: Literal::splat_bytes(ty.clone(), element) }.into()
                }
                _ => inst.op.clone(),
            },
            Op::BroadcastInDim(b) => {
                let mut b = b.clone();
                if let Type::Tensor(ty) = &types[0] {
                    b.shape = ty.shape.clone();
                }
                b.into()
            }
            Op::BitcastConvert(b) => match &types[0] {
                Type::Tensor(ty) => BitcastConvert { ty: ty.clone() }.into(),
                Type::Token | Type::Foreign(_) => b.clone().into(),
            },
            Op::Reduce(r) => {
                let mut r = r.clone();
                if r.dims[..] == [0] {
                    r.dims = (0..dims.len()).collect();
                }
                r.into()
            }
            Op::While(w) => {
                let mut region = |id: FuncId| {
                    let new = retyped(m, library, &library.funcs[id], dims);
                    m.add(new)
                };
                While { cond: region(w.cond), body: region(w.body), ..w.clone() }.into()
            }
            op => op.clone(),
        };
        let operands = crate::rewrite::mapped(&env, &inst.operands);
        let results = out.push_typed(op, &operands, types, inst.loc.clone());
        inst.results.iter().zip(results).for_each(|(&old, new)| env[old] = Some(new));
    }
    out.results = crate::rewrite::mapped(&env, &f.results).to_vec();
    out
}
