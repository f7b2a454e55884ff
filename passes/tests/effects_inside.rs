//! Names and assertions inside functions with derivatives of their own, and values that are planted.

use crate::support;

use smallvec::smallvec;
use support::{build, scalar, stacked};
use wengert_ir::array::Array;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::op::*;
use wengert_ir::ops::convert;
use wengert_ir::rules::{Emit, Term};
use wengert_ir::testing::{eval, floats};
use wengert_ir::types::{DType, TensorType};
use wengert_passes::ad;
use wengert_passes::effects::{Asked, Automatic, checked, plant, reap};

fn sown(e: &mut dyn Emit, name: &str, x: Term) -> Term {
    e.one(Sow { name: name.into() }, &[x])
}

fn asserted(e: &mut dyn Emit, x: Term, below: f64) {
    let bound = e.splat_like(x, below);
    let holds = e.compare(Direction::Lt, x, bound);
    let assert = Assert { message: "too large: {}".into(), batch: 0, mapped: smallvec![0] };
    e.emit(assert.into(), &[holds, x]);
}

fn scaled(e: &mut dyn Emit, x: Term, by: f64) -> Term {
    let by = e.splat_like(x, by);
    e.mul(x, by)
}

/// The sine of a number below 2, said to have the derivative `3 cos`; its double is sown.
fn sine(m: &mut Module) -> FuncId {
    let body = build(m, "body", &[scalar()], |e, x| {
        asserted(e, x[0], 2.0);
        let twice = scaled(e, x[0], 2.0);
        let twice = sown(e, "twice", twice);
        let half = scaled(e, twice, 0.5);
        vec![e.unary(UnaryOp::Sine, half)]
    });
    let rule = build(m, "rule", &[scalar(), scalar()], |e, x| {
        let (value, cosine) = (e.unary(UnaryOp::Sine, x[0]), e.unary(UnaryOp::Cosine, x[0]));
        let slope = scaled(e, cosine, 3.0);
        vec![value, e.mul(slope, x[1])]
    });
    build(m, "main", &[scalar()], |e, x| vec![e.one(CustomJvp { body, rule, consts: 0 }, &[x[0]])])
}

/// The product, said to have the cotangents `10 b g` and `a g`; it is sown, and where it is differentiated `a` is below 2.
fn product(m: &mut Module) -> FuncId {
    let both = [scalar(), scalar()];
    let body = build(m, "body", &both, |e, x| {
        let p = e.mul(x[0], x[1]);
        vec![sown(e, "product", p)]
    });
    let forward = build(m, "forward", &both, |e, x| {
        asserted(e, x[0], 2.0);
        vec![e.mul(x[0], x[1]), x[0], x[1]]
    });
    let backward = build(m, "backward", &[scalar(), scalar(), scalar()], |e, x| {
        let of_a = e.mul(x[1], x[2]);
        vec![scaled(e, of_a, 10.0), e.mul(x[0], x[2])]
    });
    build(m, "main", &both, |e, x| {
        vec![e.one(CustomVjp { body, forward, backward, consts: 0, forward_mode: false }, x)]
    })
}

#[track_caller]
fn gives(m: &Module, f: FuncId, args: &[f64], want: &[f64]) {
    let args: Vec<Array> = args.iter().map(|&v| Array::scalar(v)).collect();
    let number = |x: &Array| floats(&convert(x, DType::F64).expect("numbers"));
    let got: Vec<f64> = eval(m, f, &args).iter().flat_map(number).collect();
    assert_eq!(got.len(), want.len(), "{got:?}");
    for (got, want) in got.iter().zip(want) {
        assert!((got - want).abs() <= 1e-12 * (1.0 + want.abs()), "{got} is not {want}");
    }
}

#[test]
fn names_in_functions_with_forward_rules() {
    let mut m = Module::default();
    let f = sine(&mut m);
    let f = reap(&mut m, f, &["twice".into()], Asked::One).expect("it is fetched").0;
    let x = 0.4f64;
    gives(&m, f, &[x], &[x.sin(), 2.0 * x]);
    let forwards = ad::jvp(&mut m, f, &[true]).expect("forward mode");
    gives(&m, forwards, &[x, 1.0], &[x.sin(), 2.0 * x, 3.0 * x.cos(), 2.0]);
    let backwards = ad::vjp(&mut m, f, &[true], &[true, true]).expect("reverse mode");
    gives(&m, backwards, &[x, 1.0, 10.0], &[x.sin(), 2.0 * x, 3.0 * x.cos() + 20.0]);
    // The rule is differentiated, and the value that it gives is a sine as any other.
    let again = ad::jvp(&mut m, forwards, &[true, false]).expect("the second order");
    let second = [x.cos(), 2.0, -3.0 * x.sin(), 0.0];
    gives(&m, again, &[x, 1.0, 1.0], &[&[x.sin(), 2.0 * x, 3.0 * x.cos(), 2.0][..], &second].concat());
}

#[test]
fn names_in_functions_with_reverse_rules() {
    let mut m = Module::default();
    let f = product(&mut m);
    let f = reap(&mut m, f, &["product".into()], Asked::One).expect("it is fetched").0;
    gives(&m, f, &[1.5, 5.0], &[7.5, 7.5]);
    let backwards = ad::vjp(&mut m, f, &[true, true], &[true, true]).expect("reverse mode");
    gives(&m, backwards, &[1.5, 5.0, 1.0, 0.0], &[7.5, 7.5, 50.0, 1.5]);
    gives(&m, backwards, &[1.5, 5.0, 0.0, 1.0], &[7.5, 7.5, 5.0, 1.5]);
    gives(&m, backwards, &[1.5, 5.0, 2.0, 3.0], &[7.5, 7.5, 115.0, 7.5]);
}

/// Of what is sown only floats have cotangents, wherever the others stand among them.
#[test]
fn names_of_integers_beside_those_of_floats() {
    let mut m = Module::default();
    let both = [scalar(), scalar()];
    let body = build(&mut m, "body", &both, |e, x| {
        let count = e.convert(x[0], DType::I32);
        let count = sown(e, "count", count);
        let p = e.mul(x[0], x[1]);
        let p = sown(e, "product", p);
        let count = e.convert(count, DType::F64);
        let none = scaled(e, count, 0.0);
        vec![e.add(p, none)]
    });
    let forward = build(&mut m, "forward", &both, |e, x| vec![e.mul(x[0], x[1]), x[0], x[1]]);
    let backward = build(&mut m, "backward", &[scalar(), scalar(), scalar()], |e, x| {
        vec![e.mul(x[1], x[2]), e.mul(x[0], x[2])]
    });
    let f = build(&mut m, "main", &both, |e, x| {
        vec![e.one(CustomVjp { body, forward, backward, consts: 0, forward_mode: false }, x)]
    });
    for (names, values) in [(["count", "product"], [1.0, 7.5]), (["product", "count"], [7.5, 1.0])] {
        let f = reap(&mut m, f, &names.map(Text::from), Asked::One).expect("they are fetched").0;
        gives(&m, f, &[1.5, 5.0], &[&[7.5][..], &values].concat());
        let floats = [true, names[0] == "product", names[1] == "product"];
        let backwards = ad::vjp(&mut m, f, &[true, true], &floats).expect("reverse mode");
        gives(&m, backwards, &[1.5, 5.0, 2.0, 3.0], &[&[7.5][..], &values, &[25.0, 7.5]].concat());
    }
}

/// Branches sow the same names, each in an order of its own.
#[test]
fn names_of_branches_in_another_order() {
    let mut m = Module::default();
    let [down, up] = [["a", "b"], ["b", "a"]].map(|names| {
        build(&mut m, "branch", &[scalar()], |e, x| {
            let by = |name: &str| if name == "a" { 2.0 } else { 3.0 };
            let [p, q] = names.map(|name| {
                let y = scaled(e, x[0], by(name));
                sown(e, name, y)
            });
            vec![e.add(p, q)]
        })
    });
    let index = TensorType::scalar(DType::I32);
    let f = build(&mut m, "main", &[index, scalar()], |e, x| {
        vec![e.one(Case { branches: vec![down, up] }, &[x[0], x[1]])]
    });
    for (names, by) in [(["a", "b"], [2.0, 3.0]), (["b", "a"], [3.0, 2.0])] {
        let f = reap(&mut m, f, &names.map(Text::from), Asked::One).expect("they are fetched").0;
        for branch in [0i32, 1] {
            let got = eval(&m, f, &[Array::scalar(branch), Array::scalar(10.0f64)]);
            let got: Vec<f64> = got.iter().flat_map(floats).collect();
            assert_eq!(got, [50.0, 10.0 * by[0], 10.0 * by[1]]);
        }
    }
}

/// Of assertions in several functions with rules the first that fails is told, with its element and its values.
#[test]
fn the_first_of_several_assertions_in_rules_is_told() {
    let mut m = Module::default();
    let ty = stacked(3);
    let body = build(&mut m, "body", std::slice::from_ref(&ty), |e, x| {
        asserted(e, x[0], 2.0);
        vec![e.unary(UnaryOp::Sine, x[0])]
    });
    let rule = build(&mut m, "rule", &[ty.clone(), ty.clone()], |e, x| {
        let (value, cosine) = (e.unary(UnaryOp::Sine, x[0]), e.unary(UnaryOp::Cosine, x[0]));
        vec![value, e.mul(cosine, x[1])]
    });
    let f = build(&mut m, "main", &[ty.clone(), ty], |e, x| {
        let one = |e: &mut dyn Emit, x: Term| e.one(CustomJvp { body, rule, consts: 0 }, &[x]);
        let (a, b) = (one(e, x[0]), one(e, x[1]));
        vec![e.add(a, b)]
    });
    let of_f = checked(&mut m, f, Automatic::default()).expect("a value");
    assert_eq!(of_f.sites.len(), 2);
    let (fine, late, early) = ([0.0, 1.0, 1.5], [0.0, 1.0, 2.5], [3.5, 1.0, 4.5]);
    for (x, y, code, element) in
        [(fine, fine, 0, 0), (late, fine, 1, 2), (fine, late, 2, 2), (late, early, 1, 2), (early, late, 1, 0)]
    {
        let all = eval(&m, of_f.func, &[x, y].map(|v| Array::new(&[3], &v)));
        let found = (all[0].as_slice::<i32>()[0], all[1].as_slice::<i64>()[0]);
        assert_eq!(found, (code, element), "{x:?} {y:?}");
    }
}

/// Powers of two have a NaN where others have zero and what is below, so that operations make one of numbers that do not else.
#[test]
fn negative_powers_of_two_are_no_numbers() {
    for (op, x, dtype, code) in [
        (UnaryOp::Negate, 4.0, DType::F8E8M0FNU, 1),
        (UnaryOp::Floor, 0.5, DType::F8E8M0FNU, 1),
        (UnaryOp::Floor, 4.0, DType::F8E8M0FNU, 0),
        (UnaryOp::Ceil, 0.5, DType::F8E8M0FNU, 0),
        (UnaryOp::Negate, 4.0, DType::F8E4M3FN, 0),
    ] {
        let mut m = Module::default();
        let ty = TensorType::scalar(dtype);
        let f = build(&mut m, "main", &[], |e, _| {
            let x = e.splat(ty.clone(), x);
            vec![e.unary(op, x)]
        });
        let nans = Automatic { nans: true, ..Automatic::default() };
        let of_f = checked(&mut m, f, nans).expect("a value");
        assert_eq!(eval(&m, of_f.func, &[])[0].as_slice::<i32>()[0], code, "{op:?} of {x} as {dtype}");
    }
}

/// The number of the assertion, and the result: the last value.
fn outcome(m: &Module, f: FuncId, args: &[f64]) -> (i32, f64) {
    let args: Vec<Array> = args.iter().map(|&v| Array::scalar(v)).collect();
    let all = eval(m, f, &args);
    (all[0].as_slice::<i32>()[0], all.last().expect("a result").as_slice::<f64>()[0])
}

#[test]
fn assertions_in_functions_with_rules() {
    let mut m = Module::default();
    let f = sine(&mut m);
    let of_f = checked(&mut m, f, Automatic::default()).expect("a value");
    assert_eq!(of_f.sites.len(), 1);
    for (x, code) in [(0.4f64, 0), (2.5, 1)] {
        let (found, value) = outcome(&m, of_f.func, &[x]);
        assert!(found == code && (value - x.sin()).abs() < 1e-15, "{found} {value}");
    }
    // The derivative is that of the rule, which asserts nothing.
    let results = m.get(of_f.func).results.len();
    let cotangents: Vec<bool> = (0..results).map(|k| k + 1 == results).collect();
    let back = ad::vjp(&mut m, of_f.func, &[true], &cotangents).expect("reverse mode");
    let (code, slope) = outcome(&m, back, &[2.5, 1.0]);
    assert!((slope - 3.0 * 2.5f64.cos()).abs() < 1e-12 && code == 0, "{code} {slope}");

    let f = product(&mut m);
    let of_f = checked(&mut m, f, Automatic::default()).expect("a value");
    assert_eq!(outcome(&m, of_f.func, &[3.0, 5.0]), (0, 15.0));
    let results = m.get(of_f.func).results.len();
    let cotangents: Vec<bool> = (0..results).map(|k| k + 1 == results).collect();
    let back = ad::vjp(&mut m, of_f.func, &[false, true], &cotangents).expect("reverse mode");
    assert_eq!(outcome(&m, back, &[1.5, 5.0, 1.0]), (0, 1.5));
    // Here the forward function runs, with its assertion.
    assert_eq!(outcome(&m, back, &[3.0, 5.0, 1.0]), (1, 3.0));
}

/// Doubles of a number in a loop, and a branch: `sum of x k over rows`, then plus or minus one.
fn looped(m: &mut Module) -> FuncId {
    let body = build(m, "body", &[scalar(), scalar()], |e, x| {
        let next = e.mul(x[0], x[1]);
        vec![sown(e, "rows", next)]
    });
    let [up, down] = [1.0, -1.0].map(|by| {
        build(m, "branch", &[scalar()], |e, x| {
            let one = e.splat_like(x[0], by);
            let sum = e.add(x[0], one);
            vec![sown(e, "branch", sum)]
        })
    });
    build(m, "main", &[scalar(), stacked(3)], |e, x| {
        let start = e.unary(UnaryOp::Sine, x[0]);
        let start = sown(e, "start", start);
        let scan = Scan { body, consts: 0, carry: 1, reverse: false, length: 3 };
        let end = e.one(scan, &[start, x[1]]);
        let zero = e.splat_like(end, 0.0);
        let positive = e.compare(Direction::Gt, end, zero);
        let index = e.convert(positive, DType::I32);
        vec![e.one(Case { branches: vec![down, up] }, &[index, end])]
    })
}

#[test]
fn values_are_planted() {
    let mut m = Module::default();
    let f = looped(&mut m);
    let ks = Array::new(&[3], &[2.0f64, 3.0, 5.0]);
    let run = |m: &Module, f: FuncId, more: &[Array]| {
        let args = [&[Array::scalar(0.5f64), ks.clone()], more].concat();
        eval(m, f, &args)[0].as_slice::<f64>()[0]
    };
    let plain = 30.0 * 0.5f64.sin() + 1.0;
    assert!((run(&m, f, &[]) - plain).abs() < 1e-12);
    let of = |m: &mut Module, names: &[(&str, wengert_ir::types::TensorType)]| {
        let names: Vec<_> = names.iter().map(|(n, ty)| (Text::from(*n), ty.clone())).collect();
        plant(m, f, &names).map_err(|e| e.to_string())
    };
    let g = of(&mut m, &[("start", scalar())]).expect("planted");
    assert_eq!(run(&m, g, &[Array::scalar(1.0f64)]), 31.0);
    assert_eq!(run(&m, g, &[Array::scalar(-1.0f64)]), -31.0);
    let g = of(&mut m, &[("rows", stacked(3))]).expect("planted");
    assert_eq!(run(&m, g, &[Array::new(&[3], &[7.0f64, 8.0, 9.0])]), 10.0);
    let g = of(&mut m, &[("branch", scalar()), ("start", scalar())]).expect("planted");
    assert_eq!(run(&m, g, &[Array::scalar(4.0f64), Array::scalar(1.0f64)]), 4.0);
    // By what is planted: the product of the rows.
    let g = of(&mut m, &[("start", scalar())]).expect("planted");
    let back = ad::vjp(&mut m, g, &[false, false, true], &[true]).expect("reverse mode");
    let args = [Array::scalar(0.5f64), ks.clone(), Array::scalar(1.0f64), Array::scalar(1.0f64)];
    assert_eq!(floats(&eval(&m, back, &args)[1]), [30.0]);
    // What is reaped and planted changes nothing.
    let reaped = reap(&mut m, f, &["rows".into()], Asked::One).expect("fetched").0;
    let rows = eval(&m, reaped, &[Array::scalar(0.5f64), ks.clone()])[1].clone();
    let g = of(&mut m, &[("rows", stacked(3))]).expect("planted");
    assert!((run(&m, g, &[rows]) - plain).abs() < 1e-12);

    let error = of(&mut m, &[("start", stacked(3))]).expect_err("another type");
    assert!(error.contains("`start` is tensor<f64>, what is planted for it is tensor<3xf64>"), "{error}");
    let error = of(&mut m, &[("stop", scalar())]).expect_err("no such name");
    assert!(error.contains("nothing is sown as `stop`; there is `branch`, `rows`, `start`"), "{error}");
    let f = sine(&mut m);
    let error = plant(&mut m, f, &[("twice".into(), scalar())]).expect_err("a rule").to_string();
    assert!(error.contains("sow it outside"), "{error}");
}
