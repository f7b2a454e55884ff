//! Kernels that rewrites must leave apart: one that reads elsewhere what another makes, and what waits behind a barrier. How often
//! a program runs its loops decides what is in registers.

use super::plan::{kernels, optimized};
use super::{Agreement, OPTIONS, check};
use wengert_passes::lower::lower_with_stats;

const TY: &str = "tensor<600xf32>";

/// Instructions that make `%{to}`, a value of all elements of `%{from}` in other places.
fn moves(to: &str, from: &str) -> Vec<String> {
    let window = |low: usize| {
        format!(
            "%{to}_p = stablehlo.pad %{from}, %z, low = [{low}], high = [{}], interior = [0] : ({TY}, tensor<f32>) -> tensor<602xf32>
             %{to} = stablehlo.slice %{to}_p [1:601] : (tensor<602xf32>) -> {TY}",
            2 - low
        )
    };
    vec![
        format!("%{to} = stablehlo.reverse %{from}, dims = [0] : {TY}"),
        window(0),
        window(2),
        format!(
            "%{to}_a = stablehlo.slice %{from} [0:300] : ({TY}) -> tensor<300xf32>
             %{to}_b = stablehlo.slice %{from} [300:600] : ({TY}) -> tensor<300xf32>
             %{to} = stablehlo.concatenate %{to}_b, %{to}_a, dim = 0 : (tensor<300xf32>, tensor<300xf32>) -> {TY}"
        ),
        format!(
            "%{to}_a = stablehlo.reshape %{from} : ({TY}) -> tensor<20x30xf32>
             %{to}_b = stablehlo.transpose %{to}_a, dims = [1, 0] : (tensor<20x30xf32>) -> tensor<30x20xf32>
             %{to} = stablehlo.reshape %{to}_b : (tensor<30x20xf32>) -> {TY}"
        ),
    ]
}

/// Two kernels read much in common, and become one. One of them reads what a third makes where it makes it, the other somewhere
/// else: one kernel of all three would make it twice, so the third stays apart, whichever comes first in the program.
#[test]
fn what_one_of_two_reads_elsewhere_is_made_before_both() {
    for moved in moves("m", "v") {
        for here_first in [true, false] {
            for [one, two] in [["1x600", "600x1"], ["600", "1x600"], ["600x1", "600"]] {
                let read = |name: &str, of: &str, shape: &str| {
                    let ty = format!("tensor<{shape}xf32>");
                    let shaped = |to: &str, from: &str| {
                        format!("%{name}_{to} = stablehlo.reshape %{from} : ({TY}) -> {ty}\n")
                    };
                    let inputs = ["y", "w", "u"].map(|p| shaped(p, p)).concat();
                    format!(
                        "{inputs}{}
                         %{name}_0 = stablehlo.multiply %{name}_y, %{name}_v : {ty}
                         %{name}_1 = stablehlo.divide %{name}_0, %{name}_w : {ty}
                         %{name} = stablehlo.subtract %{name}_1, %{name}_u : {ty}",
                        shaped("v", of)
                    )
                };
                let (here, there) = (read("a", "v", one), format!("{moved}\n{}", read("b", "m", two)));
                let [first, second] = if here_first { [&here, &there] } else { [&there, &here] };
                let text = format!(
                    "func.func public @main(%x: {TY}, %y: {TY}, %w: {TY}, %u: {TY}) -> ({TY}, tensor<{one}xf32>, tensor<{two}xf32>) {{
                           %z = stablehlo.constant dense<0.0> : tensor<f32>
                           %v = stablehlo.exponential %x : {TY}
                           {first}
                           {second}
                           return %v, %a, %b : {TY}, tensor<{one}xf32>, tensor<{two}xf32>
                         }}"
                );
                assert!(kernels(&text) > 1, "{text}");
                check(&text, Agreement::Bits);
            }
        }
    }
}

/// What is behind a barrier is in no kernel with what goes through it, however much that would save. Without the barrier it is.
#[test]
fn no_kernel_reaches_over_a_barrier() {
    let program = |barrier: bool, shape: &str, through: [&str; 2], behind: &str| {
        let ty = format!("tensor<{shape}xf32>");
        let names = if barrier { ["c", "d"] } else { through };
        let line =
            format!("%c, %d = stablehlo.optimization_barrier %{}, %{} : {TY}, {TY}", through[0], through[1]);
        format!(
            "func.func public @main(%x: {TY}, %y: {TY}) -> ({TY}, {TY}, {ty}) {{
               %a = stablehlo.exponential %x : {TY}
               %b = stablehlo.multiply %a, %y : {TY}
               {}
               %e = stablehlo.reshape %{} : ({TY}) -> {ty}
               %f = stablehlo.reshape %y : ({TY}) -> {ty}
               %g = {behind} : {ty}
               return %a, %b, %g : {TY}, {TY}, {ty}
             }}",
            if barrier { line.as_str() } else { "" },
            names[0],
        )
    };
    for shape in ["600", "1x600", "600x1"] {
        for through in [["a", "b"], ["b", "a"], ["a", "y"], ["y", "b"]] {
            for behind in ["stablehlo.multiply %e, %f", "stablehlo.negate %e", "stablehlo.divide %f, %e"] {
                let [with, without] = [true, false].map(|b| program(b, shape, through, behind));
                assert_eq!([kernels(&with), kernels(&without)], [2, 1], "{with}");
                check(&with, Agreement::Bits);
            }
        }
    }
}

/// How large tensors in registers are is decided by what runs most: by the body of a loop that runs often, by what is around one
/// that does not.
#[test]
fn what_runs_often_decides_what_is_in_registers() {
    let program = |around: &str, trips: usize, body: &str| {
        format!(
            "func.func public @main(%x: tensor<2x4xf32>, %y: tensor<2x4xf32>) -> tensor<2x4xf32> {{
               %c = stablehlo.constant dense<0> : tensor<i32>
               {around}
               %r:2 = stablehlo.while(%k = %c, %v = %s) : tensor<i32>, tensor<2x4xf32>
               cond {{
                 %n = stablehlo.constant dense<{trips}> : tensor<i32>
                 %p = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
                 stablehlo.return %p : tensor<i1>
               }} do {{
                 %one = stablehlo.constant dense<1> : tensor<i32>
                 %j = stablehlo.add %k, %one : tensor<i32>
                 {body}
                 stablehlo.return %j, %t : tensor<i32>, tensor<2x4xf32>
               }}
               return %r#1 : tensor<2x4xf32>
             }}"
        )
    };
    let chain = |from: &str, to: &str, n: usize, op: &str| {
        let mut text = String::new();
        for k in 0..n {
            let before = if k == 0 { from.to_owned() } else { format!("{to}{}", k - 1) };
            let after = if k + 1 == n { to.to_owned() } else { format!("{to}{k}") };
            text += &format!("%{after} = {} : tensor<2x4xf32>\n", op.replace('@', &format!("%{before}")));
        }
        text
    };
    let times = "stablehlo.multiply @, %y";
    let moved = ["stablehlo.reverse @, dims = [0]", "stablehlo.reverse @, dims = [1]"];
    let around = [(1, "stablehlo.exponential @"), (3, "stablehlo.exponential @"), (20, times)];
    for (n, around) in around {
        for body in [times, moved[0], moved[1]] {
            let limit = |trips| {
                let text = program(&chain("x", "s", n, around), trips, &chain("v", "t", n.min(3), body));
                let (m, main) = optimized(&text).unwrap_or_else(|| panic!("{text}"));
                lower_with_stats(&m, main, &OPTIONS).unwrap_or_else(|e| panic!("{e}: {text}")).1.registers
            };
            let limits = [1, 10, 100, 1_000].map(limit);
            assert!(limits.is_sorted() && limits[0] == 1 && limits[3] == 8, "{around}, {body}: {limits:?}");
        }
    }
}
