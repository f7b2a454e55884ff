//! Rewrites of kernels on random programs: plans keep the order of what reads what, cost no more than what they began with, are the same
//! each time, and are about as good as the best of all that rewrites in any order lead to.

use wengert_ir::func::{Def, FuncId, InstId, Module};
use wengert_ir::testing::Random;
use wengert_passes::testing::{Kernels, Planned};

/// What a random program computes with: a column as a vector and as a matrix, a matrix, a row, a scalar.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Column,
    Thin,
    Matrix,
    Row,
    Scalar,
}

impl Kind {
    fn ty(self) -> &'static str {
        match self {
            Kind::Column => "tensor<48xf32>",
            Kind::Thin => "tensor<48x1xf32>",
            Kind::Matrix => "tensor<48x40xf32>",
            Kind::Row => "tensor<40xf32>",
            Kind::Scalar => "tensor<f32>",
        }
    }
}

/// A program of `count` operations.
fn random(seed: u64, count: usize) -> Module {
    let mut r = Random(seed);
    let mut pick = |n: usize| r.below(n);
    let mut known: Vec<(String, Kind)> =
        vec![("%a".into(), Kind::Column), ("%m".into(), Kind::Matrix), ("%r".into(), Kind::Row)];
    let mut body = String::from("  %z = stablehlo.constant dense<0.0> : tensor<f32>\n");
    for k in 0..count {
        let (x, kind) = known[pick(known.len())].clone();
        let same: Vec<String> = known.iter().filter(|v| v.1 == kind).map(|v| v.0.clone()).collect();
        let y = &same[pick(same.len())];
        let ty = kind.ty();
        let choice = pick(6);
        let cast = |op: &str, to: Kind, attributes: &str| {
            (format!("%{k} = stablehlo.{op} {x}{attributes} : ({ty}) -> {}", to.ty()), to)
        };
        let reduce = |to: Kind, dims: &str| {
            let text = format!(
                "%{k} = stablehlo.reduce({x} init: %z) applies stablehlo.add across dimensions = [{dims}] : ({ty}, tensor<f32>) -> {}",
                to.ty()
            );
            (text, to)
        };
        let (line, result) = match (kind, choice) {
            (_, 0) => (format!("%{k} = stablehlo.exponential {x} : {ty}"), kind),
            (_, 1) => (format!("%{k} = stablehlo.add {x}, {y} : {ty}"), kind),
            (Kind::Column, 2) => cast("reshape", Kind::Thin, ""),
            (Kind::Thin, 2) => cast("reshape", Kind::Column, ""),
            (Kind::Column, 3) => cast("broadcast_in_dim", Kind::Matrix, ", dims = [0]"),
            (Kind::Row, 2 | 3) => cast("broadcast_in_dim", Kind::Matrix, ", dims = [1]"),
            (Kind::Scalar, 2) => cast("broadcast_in_dim", Kind::Column, ", dims = []"),
            (Kind::Matrix, 2) => reduce(Kind::Column, "1"),
            (Kind::Matrix, 3) => reduce(Kind::Row, "0"),
            (Kind::Column, 4) => reduce(Kind::Scalar, "0"),
            (_, 5) => {
                body += &format!("  %b{k}:2 = stablehlo.optimization_barrier {x}, {y} : {ty}, {ty}\n");
                (format!("%{k} = stablehlo.multiply %b{k}#0, %b{k}#1 : {ty}"), kind)
            }
            _ => (format!("%{k} = stablehlo.multiply {x}, {y} : {ty}"), kind),
        };
        body += &format!("  {line}\n");
        known.push((format!("%{k}"), result));
    }
    let results = &known[known.len() - 3..];
    let types: Vec<&str> = results.iter().map(|v| v.1.ty()).collect();
    let values: Vec<&str> = results.iter().map(|v| &*v.0).collect();
    let text = format!(
        "func.func public @main(%a: tensor<48xf32>, %m: tensor<48x40xf32>, %r: tensor<40xf32>) -> ({}) {{\n{body}  return {} : {}\n}}",
        types.join(", "),
        values.join(", "),
        types.join(", ")
    );
    wengert_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn kernels(m: &Module) -> Kernels<'_> {
    Kernels::new(m, main_of(m))
}

fn main_of(m: &Module) -> FuncId {
    m.find("main").expect("a main")
}

#[test]
fn plans_are_ordered_no_dearer_and_the_same_each_time() {
    let mut fused = 0;
    for seed in 0..300 {
        let m = random(seed, 12 + seed as usize % 60);
        let formed = kernels(&m);
        let plan = formed.best();
        fused += plan.rewrites();
        assert!(plan.price() <= formed.plan().price(), "seed {seed}");
        assert_eq!(plan.text(), kernels(&m).best().text(), "seed {seed}");
        ordered(&m, &plan, seed);
    }
    assert!(fused > 40, "{fused} rewrites");
}

/// Every value that a unit reads was made by one before it.
fn ordered(m: &Module, plan: &Planned<'_, '_>, seed: u64) {
    let func = m.get(main_of(m));
    let mut made: Vec<InstId> = Vec::new();
    for (members, reads) in plan.steps() {
        for v in reads {
            if let Def::Inst(i, _) = func.values[v].def {
                assert!(
                    made.contains(&i) || members.contains(&i),
                    "seed {seed}: {v:?} is read before it is made"
                );
            }
        }
        made.extend(members);
    }
}

/// The least price of all plans that rewrites lead to, in any order.
fn least(kernels: &Kernels<'_>, budget: &mut u32) -> u64 {
    let mut best = kernels.plan().price_apart();
    for next in kernels.rewritten() {
        if *budget == 0 {
            return best;
        }
        *budget -= 1;
        best = best.min(least(&next, budget));
    }
    best
}

#[test]
fn rewrites_find_nearly_the_best_of_all_partitions() {
    let (mut compared, mut equal) = (0, 0);
    for seed in 1000..1120 {
        let m = random(seed, 18);
        let formed = kernels(&m);
        if !(2..=7).contains(&formed.count()) {
            continue;
        }
        let found = formed.best().price_apart();
        let mut budget = 3_000;
        let best = least(&formed, &mut budget);
        compared += 1;
        equal += u32::from(found == best);
        assert!(found as f64 <= 1.15 * best as f64, "seed {seed}: {found} ps, {best} ps is possible");
    }
    assert!(compared >= 40 && equal * 10 >= compared * 9, "{equal} of {compared} are the best");
}
