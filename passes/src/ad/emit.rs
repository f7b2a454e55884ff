//! The two emitters of derivative rules: [`Single`] writes into one function, [`Split`] into two.

use super::activity::Activity;
use crate::effects::again;
use crate::error::TransformError;
use crate::rewrite::push;
use smallvec::SmallVec;
use wengert_ir::array::Literal;
use wengert_ir::entity::{Entity, EntityVec};
use wengert_ir::func::{Func, Loc, Module, Value, Values};
use wengert_ir::op::{Constant, Op, Zero};
use wengert_ir::ops_of;
use wengert_ir::rules::{Emit, Term};
use wengert_ir::types::{TensorType, Type};

/// The value of a term whatever its kind.
pub(super) fn value(term: Term) -> Value {
    match term {
        Term::Known(v) | Term::Linear(v) => v,
    }
}

/// Writes everything into one function: forward mode and transposition.
pub(super) struct Single<'m> {
    pub(super) module: &'m mut Module,
    pub(super) activity: &'m Activity,
    pub(super) func: Func,
    /// The line that instructions get.
    pub(super) loc: Loc,
}

impl Single<'_> {
    /// Appends an instruction. Panics if it is wrong.
    pub(super) fn push(&mut self, op: impl Into<Op>, operands: &[Value]) -> Values {
        push(self.module, &mut self.func, op, operands, &self.loc)
    }

    /// Zeros that count as linear.
    pub(super) fn zero(&mut self, ty: &Type) -> Value {
        self.push(Zero { ty: ty.tensor().clone() }, &[])[0]
    }
}

impl Emit for Single<'_> {
    fn emit(&mut self, op: Op, operands: &[Term]) -> SmallVec<[Term; 2]> {
        let linear = operands.iter().any(|t| matches!(t, Term::Linear(_)));
        let values: Values = operands.iter().map(|&t| value(t)).collect();
        let wrap = if linear { Term::Linear } else { Term::Known };
        self.push(op, &values).into_iter().map(wrap).collect()
    }
    fn ty(&self, term: Term) -> TensorType {
        self.func.tensor(value(term)).clone()
    }
    fn module(&mut self) -> &mut Module {
        self.module
    }
    fn constant(&self, term: Term) -> Option<Literal> {
        self.func.scalar_constant(value(term))
    }
}

/// Writes the primal and the linear function at once: THE partial evaluation. An instruction goes where
/// its least known operand is.
pub(super) struct Split<'m> {
    pub(super) module: &'m mut Module,
    pub(super) activity: &'m Activity,
    pub(super) primal: Func,
    pub(super) linear: Func,
    /// Residuals: a value of the primal function and the parameter of the linear one that gets it.
    pub(super) residuals: Vec<(Value, Value)>,
    /// Copies in the linear function of values of the primal one, residuals among them.
    lifted: EntityVec<Value, Option<Value>>,
    /// Whether the function is a region, whose residuals must have static types.
    nested: bool,
    /// The line that instructions get.
    pub(super) loc: Loc,
    /// Why something cannot be computed again that must be.
    pub(super) failed: Option<TransformError>,
}

impl<'m> Split<'m> {
    /// Two functions without instructions.
    pub(super) fn new(
        module: &'m mut Module,
        activity: &'m Activity,
        primal: Func,
        linear: Func,
        nested: bool,
    ) -> Self {
        let lifted = EntityVec::new();
        Self {
            module,
            activity,
            primal,
            linear,
            residuals: Vec::new(),
            lifted,
            nested,
            loc: Loc::Unknown,
            failed: None,
        }
    }

    /// Whether it is a region that is split.
    pub(super) fn is_region(&self) -> bool {
        self.nested
    }

    /// Appends to the primal function.
    pub(super) fn push_primal(&mut self, op: impl Into<Op>, operands: &[Value]) -> Values {
        push(self.module, &mut self.primal, op, operands, &self.loc)
    }

    /// Appends to the linear function.
    pub(super) fn push_linear(&mut self, op: impl Into<Op>, operands: &[Value]) -> Values {
        push(self.module, &mut self.linear, op, operands, &self.loc)
    }

    /// Zeros in the linear function.
    pub(super) fn zero(&mut self, ty: &Type) -> Value {
        self.push_linear(Zero { ty: ty.tensor().clone() }, &[])[0]
    }

    /// A value of the primal function for use in the linear one: a residual, once. What follows from
    /// constants is repeated instead of saved; what a region may not save is recomputed.
    pub(super) fn lift(&mut self, v: Value) -> Value {
        while self.lifted.len() <= v.index() {
            self.lifted.push(None);
        }
        if let Some(copy) = self.lifted[v] {
            return copy;
        }
        if repeats(&self.primal, v) || (self.nested && fills_stacks(&self.primal, v)) {
            let (_, inst) = self.primal.def(v).expect("a parameter is neither");
            let inst = inst.clone();
            let operands: Values = inst.operands.iter().map(|&o| self.lift(o)).collect();
            let op = match inst.op {
                // Known zeros: the ones that count as linear would be refused where a known value is due.
                Op::Zero(Zero { ty }) => Constant { value: Literal::zeros(ty) }.into(),
                op => again(self.module, &op).unwrap_or_else(|e| {
                    self.failed = Some(e);
                    op
                }),
            };
            let types = inst.results.iter().map(|&r| self.primal.ty(r).clone());
            let results = self.linear.push_typed(op, &operands, types, inst.loc.clone());
            while self.lifted.len() < self.primal.values.len() {
                self.lifted.push(None);
            }
            for (&r, copy) in inst.results.iter().zip(results) {
                self.lifted[r] = Some(copy);
            }
            return self.lifted[v].expect("just defined");
        }
        let ty = self.primal.ty(v).clone();
        assert!(
            !self.nested || ty.as_tensor().is_none_or(TensorType::is_static),
            "a stack of dynamic length stays in its function"
        );
        let param = self.linear.param(ty);
        self.lifted[v] = Some(param);
        self.residuals.push((v, param));
        param
    }

    /// The term's value in the linear function.
    pub(super) fn lift_term(&mut self, term: Term) -> Value {
        match term {
            Term::Known(v) => self.lift(v),
            Term::Linear(v) => v,
        }
    }
}

impl Emit for Split<'_> {
    fn emit(&mut self, op: Op, operands: &[Term]) -> SmallVec<[Term; 2]> {
        let known = operands.iter().all(|t| matches!(t, Term::Known(_)));
        if known && !matches!(op, Op::Zero(_)) {
            let values: Values = operands.iter().map(|&t| value(t)).collect();
            return self.push_primal(op, &values).into_iter().map(Term::Known).collect();
        }
        let values: Values = operands.iter().map(|&t| self.lift_term(t)).collect();
        self.push_linear(op, &values).into_iter().map(Term::Linear).collect()
    }
    fn ty(&self, term: Term) -> TensorType {
        match term {
            Term::Known(v) => self.primal.tensor(v).clone(),
            Term::Linear(v) => self.linear.tensor(v).clone(),
        }
    }
    fn module(&mut self) -> &mut Module {
        self.module
    }
    fn constant(&self, term: Term) -> Option<Literal> {
        match term {
            Term::Known(v) => self.primal.scalar_constant(v),
            Term::Linear(_) => None,
        }
    }
}

/// Whether a value is cheaper made again than saved: a constant, or constants moved about.
pub(super) fn repeats(f: &Func, v: Value) -> bool {
    let mut v = v;
    loop {
        let Some((_, inst)) = f.def(v) else { return false };
        match &inst.op {
            ops_of!(source) => return true,
            Op::BroadcastInDim(_) | Op::Reshape(_) | Op::Transpose(_) | Op::Convert(_) => {
                v = inst.operands[0];
            }
            ops_of!(elementwise)
            | ops_of!(movement)
            | ops_of!(update)
            | ops_of!(contraction)
            | ops_of!(reduction)
            | ops_of!(library)
            | ops_of!(call)
            | ops_of!(control)
            | ops_of!(mark)
            | ops_of!(opaque) => return false,
        }
    }
}

/// Whether a value comes from an instruction with operands or results of dynamic length.
fn fills_stacks(f: &Func, v: Value) -> bool {
    let Some((_, inst)) = f.def(v) else { return false };
    inst.operands.iter().chain(&inst.results).any(|&x| f.ty(x).as_tensor().is_some_and(|t| !t.is_static()))
}
