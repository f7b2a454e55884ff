//! What an operation without a rule of some kind expands into, as a function of its operands.

use crate::rewrite::push;
use smallvec::SmallVec;
use wengert_ir::func::{Func, FuncKind, Inst, Loc, Module, Value};
use wengert_ir::op::Op;
use wengert_ir::rules::{Emit, Term};
use wengert_ir::types::TensorType;

/// Appends to one function.
pub(crate) struct Body<'a> {
    pub(crate) module: &'a mut Module,
    pub(crate) func: &'a mut Func,
    pub(crate) loc: Loc,
}

/// The value of a term whatever its kind.
pub(crate) fn value(term: Term) -> Value {
    match term {
        Term::Known(v) | Term::Linear(v) => v,
    }
}

impl Emit for Body<'_> {
    fn emit(&mut self, op: Op, operands: &[Term]) -> SmallVec<[Term; 2]> {
        let operands: Vec<Value> = operands.iter().map(|&t| value(t)).collect();
        push(self.module, self.func, op, &operands, &self.loc).into_iter().map(Term::Known).collect()
    }
    fn ty(&self, term: Term) -> TensorType {
        self.func.tensor(value(term)).clone()
    }
    fn module(&mut self) -> &mut Module {
        self.module
    }
}

/// The function of an instruction's operands that it expands into, if it does.
pub(crate) fn expansion(module: &mut Module, f: &Func, inst: &Inst) -> Option<Func> {
    let mut func = Func::new("", FuncKind::Region);
    let params: Vec<Term> = inst.operands.iter().map(|&v| Term::Known(func.param(f.ty(v).clone()))).collect();
    let mut body = Body { module, func: &mut func, loc: inst.loc.clone() };
    let results: SmallVec<[Term; 2]> = if let Op::Convolution(c) = &inst.op {
        let out = crate::convolution::contraction(c, &mut body, params[0], params[1])?;
        SmallVec::from_slice(&[out])
    } else {
        inst.op.def().expand(&mut body, &params)?
    };
    func.results = results.into_iter().map(value).collect();
    Some(func)
}
