//! What the analysis claims of a value holds of what the interpreter computes for it: on random typed expressions over every
//! kind of operation, with special values, before and after rules have joined what is equal.

use super::instance::{DTYPES, argument, operation, shape};
use wengert_ir::array::{Array, Literal};
use wengert_ir::func::{Func, FuncKind, Loc, Module, Value};
use wengert_ir::interp::{Limits, run};
use wengert_ir::op::{BinaryOp, Constant, UnaryOp};
use wengert_ir::ops::convert;
use wengert_ir::testing::{Random, SPECIAL, numbers};
use wengert_ir::types::{DType, DTypeClass, FloatMode, TensorType};
use wengert_passes::testing::{Claim, Kind, claims};

/// Every kind of operation; those that need functions or several results are passed over by [`operation`].
fn kinds() -> Vec<Kind> {
    let unary = UnaryOp::ALL.iter().map(|&op| Kind::Unary(op));
    let binary = BinaryOp::ALL.iter().map(|&op| Kind::Binary(op));
    unary.chain(binary).chain(Kind::STRUCTURED.iter().copied()).collect()
}

/// An expression under construction.
struct Expression<'a> {
    module: &'a Module,
    func: Func,
    rng: &'a mut Random,
}

impl Expression<'_> {
    /// A value of a type that an operation of this kind computes, if there is one.
    fn value(&mut self, kind: Kind, want: &TensorType, depth: usize) -> Option<Value> {
        let count = match kind {
            Kind::Concatenate => 1 + self.rng.below(3),
            Kind::DynamicSlice => want.rank() + 1,
            Kind::DynamicUpdateSlice => want.rank() + 2,
            _ => 0,
        };
        let (op, types) = operation(self.rng, kind, count, want, None)?;
        let operands: Vec<Value> = types.iter().map(|ty| self.operand(ty, depth)).collect();
        let values = self.func.push(self.module, op, &operands, Loc::Unknown).ok()?;
        (self.func.tensor(values[0]) == want).then_some(values[0])
    }

    /// An operand: of other operations where depth is left, one that there is, a constant, or a parameter.
    fn operand(&mut self, ty: &TensorType, depth: usize) -> Value {
        if depth > 0 && self.rng.chance(60) {
            let kinds = kinds();
            for _ in 0..3 {
                let kind = self.rng.pick(&kinds);
                if let Some(v) = self.value(kind, ty, depth - 1) {
                    return v;
                }
            }
        }
        let known: Vec<Value> = self.func.values.keys().filter(|&v| self.func.tensor(v) == ty).collect();
        match self.rng.below(10) {
            0..=2 if !known.is_empty() => self.rng.pick(&known),
            3 => {
                let number = self.rng.pick(SPECIAL);
                self.constant(Literal::splat(ty.clone(), number))
            }
            4 => {
                let elements = (0..ty.elements()).map(|_| self.rng.pick(SPECIAL)).collect::<Vec<_>>();
                self.constant(Literal::from_array(&numbers(ty, elements)))
            }
            _ => self.func.param(ty.clone()),
        }
    }

    fn constant(&mut self, value: Literal) -> Value {
        self.func.push(self.module, Constant { value }.into(), &[], Loc::Unknown).expect("a constant")[0]
    }
}

/// The elements as `f64`; of what is no float, none.
fn elements(array: &Array) -> Vec<f64> {
    match array.dtype().is_float() {
        true => convert(array, DType::F64).expect("floats widen").as_slice::<f64>().to_vec(),
        false => Vec::new(),
    }
}

/// What is wrong with a claim, if anything is.
fn refuted(claim: &Claim, found: &Array) -> Option<String> {
    if claim.ty != *found.ty() {
        return Some(format!("claimed {}, is {}", claim.ty, found.ty()));
    }
    let has_negative_zero = elements(found).iter().any(|x| x.to_bits() == (-0.0f64).to_bits());
    if claim.no_negative_zero && has_negative_zero {
        return Some(format!("claimed never -0, is {found:?}"));
    }
    if claim.no_negative {
        let numbers = convert(found, DType::F64).expect("integers widen");
        if numbers.as_slice::<f64>().iter().any(|&x| x < 0.0) {
            return Some(format!("claimed never below zero, is {found:?}"));
        }
    }
    let constant = claim.constant.as_ref()?.to_array();
    let same = match found.dtype().is_float() {
        true => {
            let pairs = elements(&constant).into_iter().zip(elements(found));
            pairs.into_iter().all(|(x, y)| x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan())
        }
        false => constant.bytes() == found.bytes(),
    };
    (!same).then(|| format!("claimed {constant:?}, is {found:?}"))
}

#[test]
fn claims_hold_of_what_is_computed() {
    const NARROW: &[DType] = &[DType::F16, DType::BF16, DType::I8, DType::U8];
    let mut rng = Random(29);
    let (mut never, mut constants, mut positive) = (0, 0, 0);
    for kind in kinds() {
        for draw in 0..80 {
            let mut module = Module { mode: FloatMode::Exact, ..Module::default() };
            let dtype = if rng.chance(20) { rng.pick(NARROW) } else { rng.pick(DTYPES) };
            let want = TensorType { dtype, shape: shape(&mut rng) };
            let mut expression =
                Expression { module: &module, func: Func::new("main", FuncKind::Public), rng: &mut rng };
            if expression.value(kind, &want, draw % 3).is_none() {
                continue;
            }
            let mut func = expression.func;
            func.results = func.values.keys().collect();
            let claims = claims(&module, &func, draw % 2 == 0);
            let id = module.add(func);
            for trial in 0..3 {
                let types = module.get(id).param_types();
                let args: Vec<Array> =
                    types.iter().map(|t| argument(&mut rng, t.tensor(), trial > 0)).collect();
                let Ok(found) = run(&module, id, &args, &Limits::default()) else { break };
                // The results are all values, in order.
                let values: Vec<Value> = module.get(id).values.keys().collect();
                for claim in &claims {
                    let at = values.iter().position(|v| *v == claim.value).expect("a value of the function");
                    if let Some(wrong) = refuted(claim, &found[at]) {
                        panic!("{kind:?}, {}: {wrong}\n{module}\n{args:?}", claim.value);
                    }
                    never += usize::from(claim.no_negative_zero && claim.ty.dtype.is_float());
                    constants += usize::from(claim.constant.is_some());
                    let is_signed = claim.ty.dtype.class() == DTypeClass::Signed;
                    positive += usize::from(claim.no_negative && is_signed && claim.constant.is_none());
                }
            }
        }
    }
    // A test of claims that nobody makes tests nothing.
    assert!(never > 1000 && constants > 1000, "{never} claims that -0 does not occur, {constants} constants");
    assert!(positive > 100, "{positive} claims that nothing below zero occurs");
}
