//! What small programs read, write and compute.

use wengert_ir::func::{Func, FuncKind, Loc, Module};
use wengert_ir::op::{BinaryOp, Op, Scan};
use wengert_ir::text;
use wengert_ir::types::{DType, TensorType};
use wengert_passes::cost_report::{CostReport, of_func};

/// read, written, flops of `main`, and whether that is a lower bound.
fn costs(body: &str) -> (u64, u64, u64, bool) {
    let m = text::parse(&format!("module {{\n{body}\n}}")).unwrap_or_else(|e| panic!("{e}"));
    let a = of_func(&m, m.find("main").expect("main"));
    assert!(a.cost > 0);
    (a.read, a.written, a.flops, a.at_least)
}

#[test]
fn elementwise_operations_read_all_and_write_one() {
    let text = "func.func public @main(%x: tensor<6x8xf32>, %y: tensor<6x8xf32>) -> tensor<6x8xf32> {
        %0 = stablehlo.add %x, %y : tensor<6x8xf32>
        return %0 : tensor<6x8xf32>
    }";
    assert_eq!(costs(text), (2 * 192, 192, 48, false));
}

#[test]
fn a_product_of_matrices_is_two_operations_per_term() {
    let text = "func.func public @main(%x: tensor<6x4xf64>, %y: tensor<4x8xf64>) -> tensor<6x8xf64> {
        %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<6x4xf64>, tensor<4x8xf64>) -> tensor<6x8xf64>
        return %0 : tensor<6x8xf64>
    }";
    assert_eq!(costs(text), (8 * (24 + 32), 8 * 48, 2 * 6 * 8 * 4, false));
}

#[test]
fn a_loop_of_unknown_length_counts_once_and_says_so() {
    let text = "func.func public @main(%x: tensor<f32>) -> tensor<f32> {
        %0 = stablehlo.while(%a = %x) : tensor<f32>
        cond {
            %c = stablehlo.compare LT, %a, %x : (tensor<f32>, tensor<f32>) -> tensor<i1>
            stablehlo.return %c : tensor<i1>
        } do {
            %m = stablehlo.multiply %a, %a : tensor<f32>
            stablehlo.return %m : tensor<f32>
        }
        return %0 : tensor<f32>
    }";
    assert_eq!(costs(text), (16, 5, 2, true));
}

/// One loop whose trips nobody knows makes a lower bound of the whole, wherever it stands: before what is known, after it, in what is
/// called, in a branch that looks cheap. So does a tensor of unknown size.
#[test]
fn one_loop_of_unknown_length_is_enough() {
    let known = "%# = stablehlo.multiply %y, %y : tensor<f32>";
    let unknown = "%# = stablehlo.while(%a = %y) : tensor<f32>
        cond {
            %c = stablehlo.compare LT, %a, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
            stablehlo.return %c : tensor<i1>
        } do {
            stablehlo.return %a : tensor<f32>
        }";
    let open = "%# = stablehlo.add %z, %z : tensor<?xf32>";
    let call = "%# = func.call @inside(%y) : (tensor<f32>) -> tensor<f32>";
    let choice = |first: &str, second: &str| {
        let branch =
            |body: &str| format!("{{ {} stablehlo.return %y : tensor<f32> }}", body.replace('#', "k"));
        format!(
            "%# = \"stablehlo.case\"(%i) ({}, {}) : (tensor<i32>) -> tensor<f32>",
            branch(first),
            branch(second)
        )
    };
    let dear = "%# = stablehlo.sine %w : tensor<1000xf32>";
    let rows = [
        ([known, known], known, false),
        ([known, call], known, false),
        ([known, &choice(known, dear)], known, false),
        ([unknown, known], known, true),
        ([known, unknown], known, true),
        ([open, known], known, true),
        ([known, open], known, true),
        ([call, known], unknown, true),
        ([known, call], unknown, true),
        ([known, &choice(unknown, dear)], known, true),
        ([&choice(dear, unknown), known], known, true),
    ];
    for (body, inside, at_least) in rows {
        let lines = [0, 1].map(|n| body[n].replace('#', &n.to_string())).join("\n");
        let text = format!(
            "func.func public @main(%y: tensor<f32>, %z: tensor<?xf32>, %w: tensor<1000xf32>, %i: tensor<i32>) -> tensor<f32> {{
                {lines}
                return %y : tensor<f32>
            }}
            func.func private @inside(%y: tensor<f32>) -> tensor<f32> {{
                {}
                return %y : tensor<f32>
            }}",
            inside.replace('#', "k")
        );
        assert_eq!(costs(&text).3, at_least, "{text}");
    }
}

#[test]
fn sums_stay_at_the_largest_number() {
    let most = CostReport { flops: u64::MAX, ..CostReport::default() };
    assert_eq!((most + most).flops, u64::MAX);
    // Loops in loops, of 2^93 additions.
    let mut m = Module::default();
    let ty = TensorType::scalar(DType::F32);
    let mut inside: Op = BinaryOp::Add.into();
    for depth in 0..=3 {
        let mut f = Func::new(format!("loops {depth}"), FuncKind::Private);
        let x = f.param(ty.clone());
        let operands = vec![x; if depth == 0 { 2 } else { 1 }];
        f.results = f.push(&m, inside, &operands, Loc::Unknown).expect("a scalar").to_vec();
        let body = m.add(f);
        let report = of_func(&m, body);
        let trips = if depth == 3 { u64::MAX } else { 1 << (31 * depth) };
        assert_eq!(report.flops, trips, "{depth} loops");
        inside = Scan { body, consts: 0, carry: 1, reverse: false, length: 1 << 31 }.into();
    }
}
