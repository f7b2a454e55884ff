//! Each row of the tables on random typed instances of its left side: both sides run in the interpreter,
//! bit for bit where the row says so, and each row must apply.

use super::instance::{Instance, argument};
use egg::PatternAst;
use wengert_ir::array::Array;
use wengert_ir::interp::{Limits, run};
use wengert_ir::testing::Random;
use wengert_ir::types::{DType, FloatMode};
use wengert_passes::egraph::{Keeps, Row, rules};
use wengert_passes::testing::{Kind, Node, Rule, functions, right_side};

/// Whether two arrays have the same bits, all NaN being one.
pub(super) fn same_bits(a: &Array, b: &Array) -> bool {
    a.ty() == b.ty()
        && match a.dtype() {
            DType::F32 => a
                .as_slice::<f32>()
                .iter()
                .zip(b.as_slice::<f32>())
                .all(|(x, y)| x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan()),
            DType::F64 => a
                .as_slice::<f64>()
                .iter()
                .zip(b.as_slice::<f64>())
                .all(|(x, y)| x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan()),
            _ => a.bytes() == b.bytes(),
        }
}

fn close(a: &Array, b: &Array) -> bool {
    let near = |x: f64, y: f64, eps: f64| {
        x == y || (x - y).abs() <= eps * (1.0 + x.abs().max(y.abs())) || x.is_nan() && y.is_nan()
    };
    a.ty() == b.ty()
        && match a.dtype() {
            DType::F32 => a
                .as_slice::<f32>()
                .iter()
                .zip(b.as_slice::<f32>())
                .all(|(&x, &y)| near(x.into(), y.into(), 1e-5)),
            DType::F64 => {
                a.as_slice::<f64>().iter().zip(b.as_slice::<f64>()).all(|(&x, &y)| near(x, y, 1e-13))
            }
            _ => a.bytes() == b.bytes(),
        }
}

/// Constants that conditions ask for.
const WANTED: &[(&str, f64)] = &[("half", 0.5), ("minus-half", -0.5), ("zero", 0.0), ("negative-zero", -0.0)];

/// Checks a row on instances until it has applied `wanted` times; says how often it did, or what refutes it.
fn check(row: &Row, wanted: usize, draws: usize) -> Result<usize, String> {
    let rule = Rule::compile(row).unwrap();
    let pattern: PatternAst<Node> = row.from.parse().unwrap();
    let mut rng = Random(row.name.bytes().fold(7, |h: u64, b| h.wrapping_mul(31) + u64::from(b)));
    let mut applied = 0;
    let conditions: Vec<&str> = row.when.split_whitespace().collect();
    let constants: Vec<f64> =
        WANTED.iter().filter(|(c, _)| conditions.contains(c)).map(|(_, x)| *x).collect();
    for _ in 0..draws {
        let Some((mut module, func)) =
            Instance::of(&pattern, row.keeps == Keeps::Exact, &constants, &mut rng)
        else {
            continue;
        };
        module.mode = FloatMode::Relaxed;
        let Some(right) = right_side(&module, &func, &rule) else { continue };
        let (left, right) = (module.add(func), module.add(right));
        for trial in 0..3 {
            let special = row.keeps == Keeps::Exact && trial > 0;
            let args: Vec<Array> = module
                .get(left)
                .param_types()
                .iter()
                .map(|t| argument(&mut rng, t.tensor(), special))
                .collect();
            let limits = Limits::default();
            let Ok(a) = run(&module, left, &args, &limits) else {
                continue; // an operation that this element type lacks
            };
            let b = match run(&module, right, &args, &limits) {
                Ok(b) => b,
                Err(e) => return Err(format!("{}: the right side does not run: {e}", row.name)),
            };
            let equal = if row.keeps == Keeps::Exact { same_bits(&a[0], &b[0]) } else { close(&a[0], &b[0]) };
            if !equal {
                let insts = |f| module.get(f).insts.clone();
                return Err(format!(
                    "{}: {args:?}\nleft  {:?}\nright {:?}\n{:#?}\n{:#?}",
                    row.name,
                    a[0],
                    b[0],
                    insts(left),
                    insts(right)
                ));
            }
        }
        applied += 1;
        if applied == wanted {
            break;
        }
    }
    Ok(applied)
}

#[test]
fn rows_hold_and_apply() {
    let mut rare = Vec::new();
    for row in rules::all() {
        let mut applied = check(row, 40, 20_000).unwrap_or_else(|e| panic!("{e}"));
        if applied < 10 {
            applied = check(row, 10, 400_000).unwrap_or_else(|e| panic!("{e}"));
        }
        if applied < 10 {
            rare.push((row.name, applied));
        }
    }
    assert!(rare.is_empty(), "applied too rarely: {rare:?}");
}

#[test]
fn names_are_unique_and_patterns_shallow() {
    let mut names: Vec<&str> = rules::all().map(|r| r.name).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    for name in functions() {
        assert!(Kind::parse(name).is_none(), "`{name}` is an operation: no rule could name the function");
    }
    let depth = rules::all().map(|row| Rule::compile(row).unwrap().depth()).max();
    assert!(depth.unwrap() <= 3, "{depth:?}");
}

/// The check itself must be able to fail: identities of real numbers that bits refute.
#[test]
fn wrong_rows_are_caught() {
    let wrong = |name, from, to, when| Row { name, from, to, when, keeps: Keeps::Exact };
    let rows = [
        wrong("zero-may-be-negative", "(add ?x 0)", "?x", "float ?x"),
        wrong("nan-times-zero", "(multiply ?x 0)", "0", "float ?x"),
        wrong("infinity-less-itself", "(subtract ?x ?x)", "0", "float ?x"),
        wrong("sign-of-no-difference", "(negate (subtract ?x ?y))", "(subtract ?y ?x)", "float ?x"),
        wrong(
            "rounding-of-sums",
            "(add (add ?x ?c) ?d)",
            "(add ?x (add ?c ?d))",
            "float ?x, splat ?c, splat ?d",
        ),
        wrong("overflow-of-squares", "(sqrt (multiply ?x ?x))", "(abs ?x)", "float ?x"),
        wrong("branches-exchanged", "(select (not ?p) ?x ?y)", "(select ?p ?x ?y)", ""),
        wrong(
            "order-of-permutations",
            "(transpose (transpose ?x ?p) ?q)",
            "(transpose ?x (compose-transposes ?q ?p))",
            "",
        ),
        wrong(
            "absorbed-twice",
            "(reduce (reduce ?x ?i ?r) ?j ?s)",
            "(reduce ?x ?i (reduce-both ?x ?r ?s))",
            "order-free ?r ?x",
        ),
    ];
    for row in rows {
        assert!(check(&row, 200, 20_000).is_err(), "{} was not refuted", row.name);
    }
}
