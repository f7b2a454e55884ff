//! Coefficients of the values of a function, each computed when it is asked for.
//!
//! There are two functions. The one that is written has a value for each coefficient. The *symbolic* one has a value for each
//! quantity: those of the function that is differentiated, their rates of change, and what derivative rules compute of them.
//! Where nothing simpler is known of a result `y` of `x`, its rule says `y' = R(x, y, x')`, so that
//! `y_k = R_(k-1) / k`, and coefficient `k - 1` of `R`, which is made of simpler operations, needs coefficients of `x` up to
//! `k`, and of `y` up to `k - 1`: they are there. Equal instructions of the symbolic function are one, so that rules that lead to
//! each other close: sine's rate is a product with cosine, whose rate is one with the same sine. A rule that
//! leads to ever new operations (a power's does, to the next lower) does so once per order.

use super::super::activity::{Activity, present};
use super::super::emit::Single;
use super::super::expand;
use super::super::walk::check;
use super::super::{TransformError, has_tangent};
use super::tensor;
use crate::rewrite::{self, Env, mapped, used_values};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use wengert_ir::array::Literal;
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Func, FuncKind, Inst, Loc, Module, Value, Values};
use wengert_ir::op::{BinaryOp, Effect, Op};
use wengert_ir::rules::{Emit, Jvp, Term};
use wengert_ir::types::{TensorType, Type};

/// Both functions, and what is known of each quantity.
pub(super) struct Series<'m> {
    /// What is written.
    pub(super) out: Single<'m>,
    /// The order up to which coefficients are asked for.
    pub(super) order: usize,
    symbolic: Func,
    of: EntityVec<Value, Quantity>,
    /// Pure instructions of the symbolic function by what they are.
    made: FxHashMap<(Op, Values), Values>,
}

/// A value of the symbolic function.
struct Quantity {
    /// Whether coefficients beyond the first may be other than zero.
    active: bool,
    /// Those that have been computed; zeros are `None`.
    known: Vec<Option<Option<Value>>>,
    by: By,
}

/// Where coefficients come from.
#[derive(Clone, Copy)]
enum By {
    /// They are given.
    Given,
    /// It is the rate of change of this one.
    Rate(Value),
    /// An instruction.
    Inst,
    /// An instruction whose result has this rate of change, if it has one.
    Slope(Option<Value>),
}

/// What is known of an instruction.
enum Form {
    /// Linear in what is active: its `jvp` of each coefficient.
    Linear,
    /// Bilinear, both operands active.
    Product,
    /// A quotient by what is active.
    Quotient,
    /// Its first derivative.
    Rule,
}

impl<'m> Series<'m> {
    pub(super) fn new(out: Single<'m>, order: usize) -> Self {
        let symbolic = Func::new("", FuncKind::Private);
        Self { out, order, symbolic, of: EntityVec::new(), made: FxHashMap::default() }
    }

    /// A quantity with these coefficients, and zeros after them.
    pub(super) fn given(&mut self, ty: &Type, active: bool, all: Vec<Option<Value>>) -> Value {
        let v = self.symbolic.param(ty.clone());
        self.of.push(Quantity { active, known: all.into_iter().map(Some).collect(), by: By::Given });
        v
    }

    /// Whether it may change along the curve.
    pub(super) fn is_active(&self, v: Value) -> bool {
        self.of[v].active
    }

    /// Its type.
    pub(super) fn type_of(&self, v: Value) -> Type {
        self.symbolic.ty(v).clone()
    }

    /// The value itself: coefficient 0.
    pub(super) fn value(&mut self, v: Value) -> Result<Value, TransformError> {
        self.full(v, 0)
    }

    /// A coefficient, written even if it is zero.
    pub(super) fn full(&mut self, v: Value, k: usize) -> Result<Value, TransformError> {
        match self.coefficient(v, k)? {
            Some(c) => Ok(c),
            None => {
                let ty = self.type_of(v);
                Ok(self.out.zero(&ty))
            }
        }
    }

    /// The active quantities among these, with all coefficients from the first: what regions are given beside values.
    pub(super) fn coefficients(&mut self, vs: &[Value]) -> Result<Values, TransformError> {
        let mut all = Values::new();
        for &v in vs.iter().filter(|&&v| self.of[v].active).collect::<Vec<_>>() {
            for k in 1..=self.order {
                all.push(self.full(v, k)?);
            }
        }
        Ok(all)
    }

    /// Does the instructions of `f`, whose parameters are in `env`.
    pub(super) fn walk(&mut self, f: &Func, env: &mut Env) -> Result<(), TransformError> {
        let used = used_values(f);
        for inst in f.insts.values() {
            let x = mapped(env, &inst.operands);
            let flags: Vec<bool> = x.iter().map(|&v| self.of[v].active).collect();
            self.out.loc = inst.loc.clone();
            let active = self.out.activity.inst_results(self.out.module, f, inst, &flags);
            // Of order 0 it is the function itself.
            let is_active = self.order > 0 && inst.results.iter().zip(active).any(|(&r, a)| a && used[r]);
            let results = if is_active { self.active(f, inst, &x, &flags)? } else { self.copy(f, inst, &x)? };
            for (&old, new) in inst.results.iter().zip(results) {
                env[old] = Some(new);
            }
        }
        Ok(())
    }

    /// An instruction that no coefficient reaches, or that forgets them.
    fn copy(&mut self, f: &Func, inst: &Inst, x: &[Value]) -> Result<Values, TransformError> {
        let values = x.iter().map(|&v| self.value(v)).collect::<Result<Values, _>>()?;
        let types: Vec<Type> = inst.results.iter().map(|&r| f.ty(r).clone()).collect();
        let given = self.out.func.push_typed(inst.op.clone(), &values, types.clone(), inst.loc.clone());
        // Rules ask which values are constants.
        let results = self.symbolic.push_typed(inst.op.clone(), x, types, Loc::Unknown);
        for &v in &given {
            self.of.push(Quantity { active: false, known: vec![Some(Some(v))], by: By::Given });
        }
        // What forgets coefficients is not what a rule that asks for it means.
        if x.iter().all(|&v| !self.of[v].active) {
            self.remember(&inst.op, x, &results);
        }
        Ok(results)
    }

    fn remember(&mut self, op: &Op, x: &[Value], results: &Values) {
        if self.out.module.effect(op) == Effect::Pure {
            self.made.entry((op.clone(), x.into())).or_insert_with(|| results.clone());
        }
    }

    fn active(
        &mut self,
        f: &Func,
        inst: &Inst,
        x: &[Value],
        flags: &[bool],
    ) -> Result<Values, TransformError> {
        // The question is asked of types and of which operands have tangents.
        let dx: Vec<Option<Value>> = x.iter().zip(flags).map(|(&v, &a)| a.then_some(v)).collect();
        if let Some(g) = expand::replacement(self.out.module, f, inst, &dx)? {
            let mut env = rewrite::env(&g);
            for (&p, &v) in g.params.iter().zip(x) {
                env[p] = Some(v);
            }
            self.walk(&g, &mut env)?;
            return Ok(mapped(&env, &g.results));
        }
        if let Some(done) = self.special(f, inst, x)? {
            return Ok(done);
        }
        check(f, inst, &dx)?;
        let types: Vec<Type> = inst.results.iter().map(|&r| f.ty(r).clone()).collect();
        let results = self.symbolic.push_typed(inst.op.clone(), x, types, inst.loc.clone());
        self.results_of(&results, true);
        self.remember(&inst.op, x, &results);
        for &r in &results {
            for k in 0..=self.order {
                self.coefficient(r, k)?;
            }
        }
        Ok(results)
    }

    fn results_of(&mut self, results: &[Value], active: bool) {
        for &r in results {
            let active = active && has_tangent(self.symbolic.ty(r));
            self.of.push(Quantity { active, known: Vec::new(), by: By::Inst });
        }
    }

    /// Coefficient `k`, or `None` for zero.
    pub(super) fn coefficient(&mut self, v: Value, k: usize) -> Result<Option<Value>, TransformError> {
        if let Some(Some(known)) = self.of[v].known.get(k) {
            return Ok(*known);
        }
        let made = match self.of[v].by {
            By::Given => None,
            _ if k > 0 && !self.of[v].active => None,
            By::Rate(of) => {
                let c = self.coefficient(of, k + 1)?;
                c.map(|c| self.scaled(BinaryOp::Multiply, c, k + 1))
            }
            By::Inst | By::Slope(_) if k == 0 => return self.first(v),
            By::Slope(slope) => self.of_slope(slope, k)?,
            By::Inst => {
                let inst = self.inst(v);
                match self.form(&inst) {
                    Form::Linear => return self.linear(v, &inst, k),
                    Form::Product => self.product(&inst, k)?,
                    Form::Quotient => self.quotient(v, &inst, k)?,
                    Form::Rule => {
                        self.slopes(&inst)?;
                        return self.coefficient(v, k);
                    }
                }
            }
        };
        self.set(v, k, made);
        Ok(made)
    }

    fn set(&mut self, v: Value, k: usize, made: Option<Value>) {
        let known = &mut self.of[v].known;
        if known.len() <= k {
            known.resize(k + 1, None);
        }
        known[k] = Some(made);
    }

    fn inst(&self, v: Value) -> Inst {
        self.symbolic.def(v).expect("what is not given has an instruction").1.clone()
    }

    fn form(&self, inst: &Inst) -> Form {
        let active: Vec<bool> = inst.operands.iter().map(|&v| self.of[v].active).collect();
        let floats: Vec<bool> = inst.operands.iter().map(|&v| has_tangent(self.symbolic.ty(v))).collect();
        let def = inst.op.def();
        // What is linear in all floats is so in some, the others standing still.
        if def.is_linear(&active) || def.is_linear(&floats) {
            return Form::Linear;
        }
        if inst.op == Op::Binary(BinaryOp::Divide) {
            return Form::Quotient;
        }
        let bilinear = def.is_linear(&[true, false]) && def.is_linear(&[false, true]);
        if active == [true, true] && bilinear { Form::Product } else { Form::Rule }
    }

    /// Coefficient 0 of the results of an instruction: its value, or zero if it is zero by structure.
    fn first(&mut self, v: Value) -> Result<Option<Value>, TransformError> {
        let inst = self.inst(v);
        let mut zeros = false;
        let mut all_zero = true;
        let mut first = Vec::new();
        for &x in &inst.operands {
            let c = self.coefficient(x, 0)?;
            zeros |= c.is_none();
            all_zero &= c.is_none() || !has_tangent(self.symbolic.ty(x));
            first.push(c);
        }
        let vanishes = zeros
            && match self.form(&inst) {
                Form::Product => true,
                Form::Quotient => first[0].is_none(),
                Form::Linear => {
                    let is_zero: Vec<bool> = first.iter().map(Option::is_none).collect();
                    all_zero || inst.op.def().is_linear(&is_zero)
                }
                Form::Rule => false,
            };
        if vanishes {
            inst.results.iter().for_each(|&r| self.set(r, 0, None));
            return Ok(None);
        }
        let operands = inst.operands.iter().map(|&x| self.value(x)).collect::<Result<Values, _>>()?;
        let results = self.out.push(inst.op.clone(), &operands);
        for (&r, &new) in inst.results.iter().zip(&results) {
            self.set(r, 0, Some(new));
        }
        self.coefficient(v, 0)
    }

    /// Coefficient `k` of what is linear: that of each active operand through the operation's `jvp`.
    fn linear(&mut self, v: Value, inst: &Inst, k: usize) -> Result<Option<Value>, TransformError> {
        let mut tangents: Vec<Option<Term>> = Vec::new();
        for &x in &inst.operands {
            tangents.push(self.coefficient(x, k)?.map(Term::Linear));
        }
        if tangents.iter().all(Option::is_none) {
            inst.results.iter().for_each(|&r| self.set(r, k, None));
            return Ok(None);
        }
        let known = |s: &mut Self, vs: &[Value]| {
            vs.iter().map(|&v| s.value(v).map(Term::Known)).collect::<Result<Vec<_>, _>>()
        };
        let (operands, results) = (known(self, &inst.operands)?, known(self, &inst.results)?);
        let rule = Jvp { operands: &operands, results: &results, tangents: &tangents };
        let given = inst.op.def().jvp(&mut self.out, rule);
        for (&r, t) in inst.results.iter().zip(given) {
            self.set(r, k, t.map(super::super::emit::value));
        }
        self.coefficient(v, k)
    }

    /// The Cauchy product: the sum of `a_i b_(k - i)`.
    fn product(&mut self, inst: &Inst, k: usize) -> Result<Option<Value>, TransformError> {
        let mut sum = None;
        for i in 0..=k {
            let (a, b) = (self.coefficient(inst.operands[0], i)?, self.coefficient(inst.operands[1], k - i)?);
            if let (Some(a), Some(b)) = (a, b) {
                let term = self.out.push(inst.op.clone(), &[a, b])[0];
                sum = Some(self.sum(BinaryOp::Add, sum, term));
            }
        }
        Ok(sum)
    }

    /// `y = a / b`, so `a = y b`: `y_k` is `(a_k - sum of y_j b_(k - j), j < k) / b_0`.
    fn quotient(&mut self, y: Value, inst: &Inst, k: usize) -> Result<Option<Value>, TransformError> {
        let (a, b) = (inst.operands[0], inst.operands[1]);
        let mut rest = None;
        for j in 0..k {
            if let (Some(y), Some(b)) = (self.coefficient(y, j)?, self.coefficient(b, k - j)?) {
                let term = self.out.push(BinaryOp::Multiply, &[y, b])[0];
                rest = Some(self.sum(BinaryOp::Add, rest, term));
            }
        }
        let top = match (self.coefficient(a, k)?, rest) {
            (None, None) => return Ok(None),
            (Some(a), None) => a,
            (Some(a), Some(rest)) => self.sum(BinaryOp::Subtract, Some(a), rest),
            (None, Some(rest)) => self.out.push(wengert_ir::op::UnaryOp::Negate, &[rest])[0],
        };
        let b = self.value(b)?;
        Ok(Some(self.out.push(BinaryOp::Divide, &[top, b])[0]))
    }

    fn sum(&mut self, op: BinaryOp, a: Option<Value>, b: Value) -> Value {
        a.map_or(b, |a| self.out.push(op, &[a, b])[0])
    }

    fn scaled(&mut self, op: BinaryOp, v: Value, by: usize) -> Value {
        super::scaled(self.out.module, &mut self.out.func, op, v, by as f64)
    }

    /// Coefficient `k` of what has this rate of change: that of the rate before it, divided by `k`.
    fn of_slope(&mut self, slope: Option<Value>, k: usize) -> Result<Option<Value>, TransformError> {
        let Some(slope) = slope else { return Ok(None) };
        let c = self.coefficient(slope, k - 1)?;
        Ok(c.map(|c| self.scaled(BinaryOp::Divide, c, k)))
    }

    /// A quantity of this value and rate of change.
    pub(super) fn by_slope(&mut self, ty: &Type, value: Value, coefficients: &[Option<Value>]) -> Value {
        let mut all = vec![Some(value)];
        for (k, &c) in (1..).zip(coefficients) {
            all.push(c.map(|c| self.scaled(BinaryOp::Divide, c, k)));
        }
        self.given(ty, has_tangent(ty), all)
    }

    /// The coefficients of the rate of change of a quantity, one less than its own.
    pub(super) fn rate_coefficients(&mut self, v: Value) -> Result<Vec<Value>, TransformError> {
        let rate = self.rate(v);
        (0..self.order).map(|k| self.full(rate, k)).collect()
    }

    /// The rate of change of a quantity.
    fn rate(&mut self, v: Value) -> Value {
        let ty = self.type_of(v);
        let rate = self.symbolic.param(ty);
        self.of.push(Quantity { active: true, known: Vec::new(), by: By::Rate(v) });
        rate
    }

    /// Finds the rates of change of the results of an instruction by its rule.
    fn slopes(&mut self, inst: &Inst) -> Result<(), TransformError> {
        let dx: Vec<Option<Value>> = inst.operands.iter().map(|&v| self.of[v].active.then_some(v)).collect();
        check(&self.symbolic, inst, &dx)?;
        if present(&dx).is_empty()
            || matches!(inst.op, wengert_ir::ops_of!(control) | wengert_ir::ops_of!(call))
        {
            return Err(TransformError::at(
                &self.symbolic,
                inst,
                "a derivative rule needs it, and it has no Taylor series there",
            ));
        }
        let tangents: Vec<Option<Term>> = dx.iter().map(|v| v.map(|v| Term::Linear(self.rate(v)))).collect();
        let operands: Vec<Term> = inst.operands.iter().map(|&v| Term::Known(v)).collect();
        let results: Vec<Term> = inst.results.iter().map(|&v| Term::Known(v)).collect();
        let loc = std::mem::replace(&mut self.out.loc, inst.loc.clone());
        let rule = Jvp { operands: &operands, results: &results, tangents: &tangents };
        let given = inst.op.def().jvp(self, rule);
        self.out.loc = loc;
        for (&r, t) in inst.results.iter().zip(given) {
            self.of[r].by = By::Slope(t.map(super::super::emit::value));
        }
        Ok(())
    }

    /// What [`Activity`] says of a function's results.
    pub(super) fn activity(&self) -> &'m Activity {
        self.out.activity
    }
}

/// Rules write into the symbolic function.
impl Emit for Series<'_> {
    fn emit(&mut self, op: Op, operands: &[Term]) -> SmallVec<[Term; 2]> {
        let is_linear = operands.iter().any(|t| matches!(t, Term::Linear(_)));
        let values: Values = operands.iter().map(|&t| super::super::emit::value(t)).collect();
        let wrap = if is_linear { Term::Linear } else { Term::Known };
        let key = (op, values);
        if let Some(results) = self.made.get(&key) {
            return results.iter().map(|&v| wrap(v)).collect();
        }
        let active = key.1.iter().any(|&v| self.of[v].active);
        let loc = self.out.loc.clone();
        let results = rewrite::push(self.out.module, &mut self.symbolic, key.0.clone(), &key.1, &loc);
        self.results_of(&results, active);
        self.remember(&key.0, &key.1, &results);
        results.into_iter().map(wrap).collect()
    }
    fn ty(&self, term: Term) -> TensorType {
        tensor(self.symbolic.ty(super::super::emit::value(term)))
    }
    fn module(&mut self) -> &mut Module {
        self.out.module
    }
    fn constant(&self, term: Term) -> Option<Literal> {
        self.symbolic.scalar_constant(super::super::emit::value(term))
    }
}
