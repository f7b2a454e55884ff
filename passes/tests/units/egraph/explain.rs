//! Explanations of small functions.

use wengert_ir::func::{Func, FuncKind, Loc, Module};
use wengert_ir::op::{BinaryOp, Op, Transpose, UnaryOp};
use wengert_ir::types::{DType, Dims, TensorType};
use wengert_passes::egraph::{Options, explain};

#[test]
fn a_chain_of_rules_is_named() {
    let mut m = Module::default();
    let mut f = Func::new("f", FuncKind::Public);
    let ty = TensorType::new(DType::F32, &[2, 3]);
    let x = f.param(ty.clone());
    let perm = Dims::from_slice(&[1, 0]);
    let t = f.push(&m, Transpose { perm: perm.clone() }.into(), &[x], Loc::Unknown).unwrap()[0];
    let e = f.push(&m, UnaryOp::Exponential.into(), &[t], Loc::Unknown).unwrap()[0];
    let u = f.push(&m, Transpose { perm }.into(), &[e], Loc::Unknown).unwrap()[0];
    let one = f.push(&m, Op::splat(ty, 1.0), &[], Loc::Unknown).unwrap()[0];
    let y = f.push(&m, BinaryOp::Multiply.into(), &[one, u], Loc::Unknown).unwrap()[0];
    f.results = vec![y];
    let id = m.add(f);
    let explanation = explain(&m, id, 0, &Options::default());
    let text = explanation.to_string();
    let rules: Vec<&str> = explanation.steps.iter().map(|s| s.rule.as_str()).collect();
    assert!(rules.contains(&"multiply-one"), "{text}");
    assert!(rules.contains(&"transpose-transpose") || rules.contains(&"unary-of-transpose"), "{text}");
    assert_eq!(explanation.after, "(exponential %0)", "{text}");
}

#[test]
fn folding_is_a_step() {
    let mut m = Module::default();
    let mut f = Func::new("f", FuncKind::Public);
    let ty = TensorType::scalar(DType::I32);
    let a = f.push(&m, Op::splat(ty.clone(), 2.0), &[], Loc::Unknown).unwrap()[0];
    let b = f.push(&m, BinaryOp::Add.into(), &[a, a], Loc::Unknown).unwrap()[0];
    f.results = vec![b];
    let id = m.add(f);
    let explanation = explain(&m, id, 0, &Options::default());
    assert_eq!(explanation.to_string(), "(add 2 2)\n  constant-folding: (add 2 2) => 4\n4\n");
}
