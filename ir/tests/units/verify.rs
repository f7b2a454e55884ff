//! What the verifier of the tensor IR says of modules that are wrong.

use wengert_ir::entity::Entity;
use wengert_ir::func::{Def, Func, FuncId, FuncKind, Loc, Module, Value, ValueData};
use wengert_ir::op::{BinaryOp, Call, Reshape, UnaryOp};
use wengert_ir::types::{DType, Dims, TensorType, Type};
use wengert_ir::verify::verify;

fn scalar() -> Type {
    TensorType::scalar(DType::F32).into()
}

fn messages(module: &Module) -> Vec<String> {
    verify(module).unwrap_err().iter().map(ToString::to_string).collect()
}

fn add_one(kind: FuncKind, name: &str) -> Func {
    let mut f = Func::new(name, kind);
    let x = f.param(scalar());
    let y = f.push_typed(BinaryOp::Add.into(), &[x, x], [scalar()], Loc::Unknown);
    f.results = y.to_vec();
    f
}

#[test]
fn a_good_function_passes() {
    let mut m = Module::new("m");
    m.add(add_one(FuncKind::Public, "main"));
    assert_eq!(verify(&m), Ok(()));
}

#[test]
fn types_are_inferred_again() {
    let mut m = Module::new("m");
    let mut f = Func::new("main", FuncKind::Public);
    let x = f.param(scalar());
    let wide: Type = TensorType::new(DType::F32, &[2]).into();
    let y = f.push_typed(UnaryOp::Sine.into(), &[x], [wide], Loc::Unknown);
    f.push_typed(Reshape { shape: Dims::from_slice(&[3]) }.into(), &y, [scalar()], Loc::Unknown);
    m.add(f);
    let errors = messages(&m);
    assert_eq!(errors.len(), 2, "{errors:#?}");
    assert_eq!(
        errors[0],
        "results have types (tensor<f32>), not (tensor<2xf32>)\n  \
         %1 = stablehlo.sine %0 : (tensor<f32>) -> (tensor<2xf32>)\n  \
         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
    );
    assert!(errors[1].contains("stablehlo.reshape"), "{}", errors[1]);
}

#[test]
fn values_are_defined_before_use_and_in_range() {
    let mut m = Module::new("m");
    let mut f = add_one(FuncKind::Public, "main");
    let later = f.values.next_key();
    f.push_typed(BinaryOp::Add.into(), &[later, Value::from_index(77)], [scalar()], Loc::Unknown);
    f.results.push(Value::from_index(99));
    f.values.push(ValueData { ty: scalar(), def: Def::Param(0) });
    m.add(f);
    let errors = messages(&m);
    assert!(errors[0].starts_with("%2 is used before it is defined"), "{}", errors[0]);
    assert!(errors[1].starts_with("there is no value %77"), "{}", errors[1]);
    assert!(errors[2].starts_with("result 1 of the function is %99"), "{}", errors[2]);
    assert_eq!(errors.len(), 3);
}

#[test]
fn functions_do_not_reach_themselves() {
    let mut m = Module::new("m");
    let mut f = Func::new("f", FuncKind::Private);
    let x = f.param(scalar());
    let callee = FuncId::from_index(1);
    f.results = f.push_typed(Call { callee }.into(), &[x], [scalar()], Loc::Unknown).to_vec();
    let mut g = f.clone();
    g.name = "g".into();
    for inst in g.insts.values_mut() {
        inst.op.map_callees(&mut |_| FuncId::from_index(0));
    }
    m.add(f);
    m.add(g);
    let errors = messages(&m);
    assert!(errors[0].starts_with("the function reaches itself"), "{errors:?}");
}

#[test]
fn callees_exist_and_fit() {
    let mut m = Module::new("m");
    let mut f = Func::new("f", FuncKind::Public);
    let x = f.param(scalar());
    let callee = FuncId::from_index(7);
    f.push_typed(Call { callee }.into(), &[x], [scalar()], Loc::Unknown);
    m.add(f);
    assert!(messages(&m)[0].starts_with("there is no function func7"));
}

#[test]
fn results_of_unknown_size_are_left_open() {
    for (op, what) in [
        ("concatenate %a, %a, dim = 0", "(tensor<4xf32>, tensor<4xf32>)"),
        ("slice %a [0:2]", "(tensor<4xf32>)"),
    ] {
        let text = format!(
            "func.func @main(%a: tensor<4xf32>) -> tensor<?xf32> {{ %0 = stablehlo.{op} : {what} -> tensor<?xf32> return %0 : tensor<?xf32> }}"
        );
        let module = wengert_ir::text::parse(&text).unwrap();
        if let Err(e) = verify(&module) {
            panic!("{}", e[0]);
        }
    }
}
