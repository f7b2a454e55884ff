//! A function run on sets in place of numbers.

use super::sets::{MOST, Sets, Union};
use crate::error::TransformError;
use crate::expansion::expansion;
use std::rc::Rc;
use wengert_ir::array::{Array, integer};
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Func, FuncId, FuncKind, Inst, Loc, Module, Value};
use wengert_ir::interp::{self, Limits};
use wengert_ir::minifloat;
use wengert_ir::op::{BinaryOp, Case, Op, Reducer};
use wengert_ir::ops_of;
use wengert_ir::types::TensorType;

/// Elements of a value that is looked at because it does not change.
const LOOKED_AT: usize = 1 << 24;
/// Trips of loops that are walked one by one; of longer ones all trips are taken for one.
const TRIPS: usize = 1 << 14;
/// Elements and places of all values together, those of a loop on each trip: some seconds.
pub(super) const WORK: usize = 1 << 30;

const ADD: Reducer = Reducer::Op(BinaryOp::Add);

/// What is known of a value.
#[derive(Clone)]
pub(super) enum Is {
    /// It does not depend on the arguments: its value, if that is the same for all of them.
    Known(Option<Array>),
    /// What each element depends on.
    Depends(Rc<Sets>),
}

impl Is {
    /// What an element depends on; one set may stand for all elements.
    pub(super) fn of(&self, e: usize) -> &[u32] {
        match self {
            Is::Known(_) => &[],
            Is::Depends(sets) => sets.of(if sets.elements() == 1 { 0 } else { e }),
        }
    }

    pub(super) fn constant(&self) -> Option<&Array> {
        match self {
            Is::Known(value) => value.as_ref(),
            Is::Depends(_) => None,
        }
    }
}

/// Walks functions of a module.
pub(super) struct Walk<'m> {
    pub(super) module: &'m mut Module,
    pub(super) union: Union,
    pub(super) trips: usize,
    pub(super) work: usize,
}

impl<'m> Walk<'m> {
    pub(super) fn new(module: &'m mut Module) -> Self {
        Self { module, union: Union::new(), trips: TRIPS, work: 0 }
    }

    /// What the results of a function depend on.
    pub(super) fn function(&mut self, func: FuncId, args: Vec<Is>) -> Result<Vec<Is>, TransformError> {
        let f = self.module.get(func);
        self.body(&f, args)
    }

    pub(super) fn body(&mut self, f: &Func, args: Vec<Is>) -> Result<Vec<Is>, TransformError> {
        let mut env: EntityVec<Value, Option<Is>> = EntityVec::filled(None, f.values.len());
        for (&p, is) in f.params.iter().zip(args) {
            env[p] = Some(is);
        }
        for inst in f.insts.values() {
            let x: Vec<Is> =
                inst.operands.iter().map(|&v| env[v].clone().expect("topological order")).collect();
            let results = match x.iter().all(|x| matches!(x, Is::Known(_))) {
                true => self.known(f, inst, &x),
                false => self.inst(f, inst, &x)?,
            };
            for (&r, is) in inst.results.iter().zip(results) {
                if let Is::Depends(sets) = &is {
                    self.work += sets.elements() + sets.len();
                    if sets.len() > MOST || self.work > WORK {
                        return Err(TransformError::at(f, inst, super::TOO_MANY));
                    }
                }
                env[r] = Some(is);
            }
        }
        Ok(f.results.iter().map(|&r| env[r].clone().expect("computed")).collect())
    }

    /// What is the same for all arguments, if it is small and simple.
    fn known(&self, f: &Func, inst: &Inst, x: &[Is]) -> Vec<Is> {
        let unknown = || vec![Is::Known(None); inst.results.len()];
        let small =
            |&v: &Value| f.ty(v).as_tensor().is_some_and(|t| t.is_static() && t.elements() <= LOOKED_AT);
        let args: Option<Vec<Array>> = x.iter().map(|x| x.constant().cloned()).collect();
        let (Some(args), true) = (args, inst.results.iter().all(small)) else { return unknown() };
        let value = match &inst.op {
            op if !op.callees().is_empty() => None,
            op @ (ops_of!(source)
            | ops_of!(elementwise)
            | ops_of!(movement)
            | ops_of!(update)
            | ops_of!(contraction)
            | ops_of!(reduction)) => evaluate(op, &args),
            ops_of!(library) | ops_of!(call) | ops_of!(control) | ops_of!(mark) | ops_of!(opaque) => None,
        };
        value.map_or_else(unknown, |all| all.into_iter().map(|a| Is::Known(Some(a))).collect())
    }

    fn inst(&mut self, f: &Func, inst: &Inst, x: &[Is]) -> Result<Vec<Is>, TransformError> {
        let mut types = inst.operands.iter().chain(&inst.results).filter_map(|&v| f.ty(v).as_tensor());
        if types.any(|t| t.is_static() && t.elements() > MOST) {
            return Err(TransformError::at(f, inst, super::TOO_MANY));
        }
        let ty = |v: Value| f.tensor(v);
        let found = match &inst.op {
            ops_of!(elementwise) => Some(vec![self.elementwise(&inst.op, ty(inst.results[0]).elements(), x)]),
            ops_of!(mark) => Some(x.to_vec()),
            Op::DynamicSlice(_) | Op::Gather(_) => self.moved(f, inst, x, 1),
            ops_of!(movement) => self.moved(f, inst, x, x.len()),
            Op::DynamicUpdateSlice(_) => self.moved(f, inst, x, 2),
            Op::Scatter(_) => self.added(f, inst, x),
            Op::Reduce(r) if r.inputs == 1 && r.reducer == ADD && matches!(x[1], Is::Known(_)) => {
                Some(vec![self.summed(&r.dims, ty(inst.operands[0]), &x[0])])
            }
            Op::ReduceWindow(w) if w.inputs == 1 && w.reducer == ADD && matches!(x[1], Is::Known(_)) => {
                self.windows(w, ty(inst.operands[0]), ty(inst.results[0]), &x[0])
            }
            Op::Reduce(_) => None,
            Op::DotGeneral(d) => self.contraction(d, ty(inst.operands[0]), ty(inst.operands[1]), x),
            Op::Call(c) => Some(self.function(c.callee, x.to_vec())?),
            Op::Composite(c) => Some(self.function(c.decomposition, x.to_vec())?),
            Op::Checkpoint(c) => Some(self.function(c.body, x.to_vec())?),
            Op::Case(c) => Some(self.case(c, f, inst, x)?),
            Op::Scan(_) | Op::While(_) => self.trips_of(inst, x)?,
            ops_of!(library) => match expansion(self.module, f, inst) {
                Some(g) => Some(self.body(&g, x.to_vec())?),
                None => None,
            },
            Op::CustomJvp(_) | Op::CustomVjp(_) | Op::LinearSolve(_) | Op::Root(_) => None,
            ops_of!(source) | ops_of!(opaque) => None,
        };
        Ok(found.unwrap_or_else(|| self.everything(f, inst, x)))
    }

    /// Each element of each result depends on all that any operand depends on.
    fn everything(&mut self, f: &Func, inst: &Inst, x: &[Is]) -> Vec<Is> {
        let mut all = Sets::new();
        let sets = x.iter().filter_map(|x| match x {
            Is::Known(_) => None,
            Is::Depends(sets) => Some((0..sets.elements()).map(|e| sets.of(e))),
        });
        all.push_union(sets.flatten(), &mut self.union);
        inst.results
            .iter()
            .map(|&r| {
                // One set may stand for all elements.
                let n = f.ty(r).as_tensor().filter(|t| t.is_static()).map_or(1, TensorType::elements);
                let few = n.saturating_mul(all.len()) <= MOST;
                let mut sets = Sets::new();
                (0..if few { n } else { 1 }).for_each(|_| sets.push(all.of(0)));
                Is::Depends(Rc::new(sets))
            })
            .collect()
    }

    /// Element by element; what is multiplied by a zero that does not change, or not selected, is left out.
    fn elementwise(&mut self, op: &Op, elements: usize, x: &[Is]) -> Is {
        if let (Op::Binary(op), [a, b]) = (op, x)
            && *op == BinaryOp::Multiply
        {
            for (zeros, other) in [(a, b), (b, a)] {
                if let Some(zeros) = zeros.constant() {
                    let mut sets = Sets::new();
                    (0..elements).for_each(|e| sets.push(if is_zero(zeros, e) { &[] } else { other.of(e) }));
                    return Is::Depends(Rc::new(sets));
                }
            }
        }
        if let (Op::Select(_), Some(chosen)) = (op, x[0].constant()) {
            let mut sets = Sets::new();
            let of = |e: usize| if chosen.bytes().len() == 1 { chosen.bytes()[0] } else { chosen.bytes()[e] };
            (0..elements).for_each(|e| sets.push(if of(e) != 0 { x[1].of(e) } else { x[2].of(e) }));
            return Is::Depends(Rc::new(sets));
        }
        let mut depends = x.iter().filter_map(|x| match x {
            Is::Known(_) => None,
            Is::Depends(sets) => Some(sets),
        });
        if let (Some(only), None) = (depends.next(), depends.next())
            && only.elements() == elements
        {
            return Is::Depends(only.clone());
        }
        let mut sets = Sets::new();
        for e in 0..elements {
            sets.push_union(x.iter().map(|x| x.of(e)), &mut self.union);
        }
        Is::Depends(Rc::new(sets))
    }

    /// Elements of the first `data` operands elsewhere: the operation is run on their numbers, which count from 1 over all of
    /// them. `None` if where they go is not known.
    fn moved(&self, f: &Func, inst: &Inst, x: &[Is], data: usize) -> Option<Vec<Is>> {
        let mut first = 1;
        let mut from: Vec<(i64, &Is)> = Vec::new();
        let mut args = Vec::new();
        for (k, (&v, is)) in inst.operands.iter().zip(x).enumerate() {
            if k >= data {
                args.push(is.constant()?.clone());
                continue;
            }
            let shape = f.tensor(v).shape.clone();
            let n: usize = shape.iter().product();
            let numbers: Vec<i64> = match is {
                Is::Known(_) => vec![0; n],
                Is::Depends(_) => (first..first + n as i64).collect(),
            };
            from.push((first, is));
            first += n as i64;
            args.push(Array::new(&shape, &numbers));
        }
        let moved = evaluate(&inst.op, &args)?.remove(0);
        let mut sets = Sets::new();
        for &number in moved.as_slice::<i64>() {
            // The number lies in the last operand that starts at or before it.
            match from.iter().rfind(|(first, _)| number > 0 && *first <= number) {
                Some((first, is)) => sets.push(is.of((number - first) as usize)),
                None => sets.push(&[]),
            }
        }
        Some(vec![Is::Depends(Rc::new(sets))])
    }

    /// What any branch that may be taken gives.
    fn case(&mut self, c: &Case, f: &Func, inst: &Inst, x: &[Is]) -> Result<Vec<Is>, TransformError> {
        let mut all: Vec<Vec<Is>> = Vec::new();
        for &branch in &c.branches {
            all.push(self.function(branch, x[1..].to_vec())?);
        }
        let results = inst.results.iter().enumerate().map(|(k, &r)| {
            let of: Vec<Is> = all.iter().map(|results| results[k].clone()).collect();
            if of.iter().all(|is| matches!(is, Is::Known(_))) {
                return Is::Known(None);
            }
            let n = f.ty(r).as_tensor().map_or(1, |t| if t.is_static() { t.elements() } else { 1 });
            let mut sets = Sets::new();
            (0..n).for_each(|e| sets.push_union(of.iter().map(|is| is.of(e)), &mut self.union));
            Is::Depends(Rc::new(sets))
        });
        Ok(results.collect())
    }
}

/// One operation on arrays; `None` if it cannot be run.
fn evaluate(op: &Op, args: &[Array]) -> Option<Vec<Array>> {
    let mut m = Module::default();
    let mut f = Func::new("", FuncKind::Private);
    let operands: Vec<Value> = args.iter().map(|a| f.param(a.ty().clone())).collect();
    f.results = f.push(&m, op.clone(), &operands, Loc::Unknown).ok()?.to_vec();
    let f = m.add(f);
    let limits = Limits { max_steps: Some(WORK as u64), ..Limits::default() };
    interp::run(&m, f, args, &limits).ok()
}

/// Whether an element that does not change is zero, of either sign. Of complex numbers nothing is said.
pub(super) fn is_zero(a: &Array, e: usize) -> bool {
    let (dtype, size) = (a.dtype(), a.dtype().size());
    let element = &a.bytes()[e * size..(e + 1) * size];
    match integer(dtype, element) {
        Some(k) => k == 0,
        None if dtype.is_complex() => false,
        None if dtype.bits() <= 8 => minifloat::decode(dtype, element[0]) == 0.0,
        // All bits but the sign.
        None => {
            element.split_last().is_some_and(|(last, rest)| last & 0x7f == 0 && rest.iter().all(|&b| b == 0))
        }
    }
}
