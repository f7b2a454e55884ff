//! Operations that are defined by others: a [`Sketch`] builds the function that computes the same, and
//! evaluation and derivatives go through it.

use super::elementwise::no_tangents;
use crate::array::Array;
use crate::entity::EntityVec;
use crate::func::{Func, FuncId, FuncKind, Loc, Module, Value, Values};
use crate::op::{Op, Reducer};
use crate::rules::{Emit, EvalError, Evaluate, Jvp, Tangents, Term};
use crate::types::{TensorType, Type};
use smallvec::SmallVec;

/// A function under construction; every term is known.
pub(crate) struct Sketch<'m> {
    /// The module that its operations refer to.
    pub(crate) module: &'m mut Module,
    /// What is built.
    pub(crate) func: Func,
}

impl<'m> Sketch<'m> {
    /// The function of parameters of these types whose results `build` makes of them.
    pub(crate) fn build(
        module: &'m mut Module,
        operands: &[Type],
        build: impl FnOnce(&mut Sketch<'_>, &[Term]) -> Option<Vec<Term>>,
    ) -> Option<Func> {
        let mut sketch = Sketch { module, func: Func::new("", FuncKind::Region) };
        let params: Vec<Term> = operands.iter().map(|t| Term::Known(sketch.func.param(t.clone()))).collect();
        let results = build(&mut sketch, &params)?;
        sketch.func.results = results.into_iter().map(value).collect();
        Some(sketch.func)
    }
}

/// The value of a term.
pub(crate) fn value(term: Term) -> Value {
    match term {
        Term::Known(v) | Term::Linear(v) => v,
    }
}

impl Emit for Sketch<'_> {
    fn emit(&mut self, op: Op, operands: &[Term]) -> SmallVec<[Term; 2]> {
        let operands: Values = operands.iter().map(|&t| value(t)).collect();
        let results = self.func.push_built(self.module, op, &operands, Loc::Unknown);
        results.into_iter().map(Term::Known).collect()
    }
    fn ty(&self, term: Term) -> TensorType {
        self.func.tensor(value(term)).clone()
    }
    fn module(&mut self) -> &mut Module {
        self.module
    }
}

/// The id of a function equal to this one, which is added if there is none: equal operations stay equal.
pub(crate) fn intern(module: &mut Module, func: Func) -> FuncId {
    let known = module.funcs.iter().find(|(_, f)| ***f == func).map(|(id, _)| id);
    known.unwrap_or_else(|| module.add(func))
}

/// Runs a straight-line function that is in no module.
pub(crate) fn eval(cx: &mut dyn Evaluate, func: &Func, args: &[Array]) -> Result<Vec<Array>, EvalError> {
    let mut env: EntityVec<Value, Option<Array>> = EntityVec::filled(None, func.values.len());
    for (&p, a) in func.params.iter().zip(args) {
        env[p] = Some(a.clone());
    }
    for inst in func.insts.values() {
        let operands: Vec<Array> = inst.operands.iter().map(|&v| env[v].clone().expect("defined")).collect();
        for (&r, a) in inst.results.iter().zip(inst.op.def().eval(cx, &operands)?) {
            env[r] = Some(a);
        }
    }
    Ok(func.results.iter().map(|&r| env[r].clone().expect("defined")).collect())
}

/// Tangents of an operation through the straight-line function that computes the same from its operands.
pub(crate) fn jvp(e: &mut dyn Emit, x: Jvp<'_>, func: &Func) -> Tangents {
    let mut primal: EntityVec<Value, Option<Term>> = EntityVec::filled(None, func.values.len());
    let mut tangent = primal.clone();
    for ((&p, &o), &t) in func.params.iter().zip(x.operands).zip(x.tangents) {
        primal[p] = Some(o);
        tangent[p] = t;
    }
    for inst in func.insts.values() {
        let operands: Vec<Term> = inst.operands.iter().map(|&v| primal[v].expect("defined")).collect();
        let tangents: Vec<Option<Term>> = inst.operands.iter().map(|&v| tangent[v]).collect();
        let results = e.emit(inst.op.clone(), &operands);
        let out = if tangents.iter().any(Option::is_some) {
            inst.op.def().jvp(e, Jvp { operands: &operands, results: &results, tangents: &tangents })
        } else {
            no_tangents(results.len())
        };
        for ((&v, p), t) in inst.results.iter().zip(results).zip(out) {
            primal[v] = Some(p);
            tangent[v] = t;
        }
    }
    func.results.iter().map(|&r| tangent[r]).collect()
}

/// The types of terms.
pub(crate) fn types(e: &mut dyn Emit, terms: &[Term]) -> Vec<Type> {
    terms.iter().map(|&t| Type::Tensor(e.ty(t))).collect()
}

/// How elements combine, as a function of tensors: `lhs_1..lhs_n, rhs_1..rhs_n` of one shape to `n` tensors.
pub(crate) struct Combine {
    reducer: Reducer,
    captures: Vec<Value>,
}

impl Combine {
    /// That of a reducer with the given captures.
    pub(crate) fn new(reducer: Reducer, captures: &[Term]) -> Self {
        Self { reducer, captures: captures.iter().map(|&t| value(t)).collect() }
    }

    /// Combines element by element; `None` for dynamic shapes.
    pub(crate) fn apply(&self, s: &mut Sketch<'_>, lhs: &[Term], rhs: &[Term]) -> Option<Vec<Term>> {
        match self.reducer {
            Reducer::Op(op) => {
                let s: &mut dyn Emit = s;
                Some(vec![s.binary(op, lhs[0], rhs[0])])
            }
            Reducer::Assign => Some(rhs.to_vec()),
            Reducer::Func(body) => {
                let args: Vec<Value> = lhs.iter().chain(rhs).map(|&t| value(t)).collect();
                let shape = s.ty(lhs[0]).shape;
                apply(s, body, &self.captures, &args, &shape)
            }
        }
    }
}

/// A function of captures and scalars applied to the elements of tensors of one shape.
pub(crate) fn apply(
    s: &mut Sketch<'_>,
    body: FuncId,
    captures: &[Value],
    args: &[Value],
    shape: &[usize],
) -> Option<Vec<Term>> {
    let results = super::reduce::apply(s.module, &mut s.func, body, captures, args, shape)?;
    Some(results.into_iter().map(Term::Known).collect())
}

/// The instructions of a function, placed where `e` puts them.
pub(crate) fn replay(e: &mut dyn Emit, func: &Func, operands: &[Term]) -> SmallVec<[Term; 2]> {
    let mut env: EntityVec<Value, Option<Term>> = EntityVec::filled(None, func.values.len());
    for (&p, &o) in func.params.iter().zip(operands) {
        env[p] = Some(o);
    }
    for inst in func.insts.values() {
        let operands: Vec<Term> = inst.operands.iter().map(|&v| env[v].expect("defined")).collect();
        for (&r, t) in inst.results.iter().zip(e.emit(inst.op.clone(), &operands)) {
            env[r] = Some(t);
        }
    }
    func.results.iter().map(|&r| env[r].expect("defined")).collect()
}
