//! What moves out of loops, and what must stay; equal functions become one; recomputation survives.

use wengert_ir::array::Array;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::interp::{self, Limits};
use wengert_ir::op::{Op, UnaryOp};
use wengert_ir::testing::eval;
use wengert_ir::text;
use wengert_ir::types::FloatMode;
use wengert_passes::ad;
use wengert_passes::lower::{Options, lower_with_stats};
use wengert_passes::pipeline::{DEFAULT, PASSES, Pipeline};

fn run(m: &mut Module, f: FuncId, passes: &str) -> FuncId {
    Pipeline::parse(passes).expect("passes of the table").run(m, f, &mut |_| {})
}

fn parse(source: &str) -> (Module, FuncId) {
    let m = text::parse(source).unwrap_or_else(|e| panic!("{e}\n{source}"));
    let f = m.find("main").expect("a function `main`");
    (m, f)
}

/// How many exponentials each function that `f` runs has, the function itself first.
fn exponentials(m: &Module, f: FuncId) -> Vec<usize> {
    let func = m.get(f);
    let is_exp = |op: &Op| matches!(op, Op::Unary(UnaryOp::Exponential));
    let own = func.insts.values().filter(|i| is_exp(&i.op)).count();
    let inner = func.insts.values().flat_map(|i| i.op.callees());
    std::iter::once(own).chain(inner.flat_map(|c| exponentials(m, c))).collect()
}

/// A loop of `trips` from `first`, whose body is given: it reads `%w`, `%y` and the counter `%i`.
fn looped(first: i64, trips: i64, body: &str) -> String {
    format!(
        "func.func public @main(%w: tensor<4xf64>, %x: tensor<4xf64>) -> tensor<4xf64> {{
          %n = stablehlo.constant dense<{first}> : tensor<i64>
          %r:2 = stablehlo.while(%i = %n, %y = %x) : tensor<i64>, tensor<4xf64>
          cond {{
            %limit = stablehlo.constant dense<{trips}> : tensor<i64>
            %c = stablehlo.compare LT, %i, %limit, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
            stablehlo.return %c : tensor<i1>
          }} do {{
            %one = stablehlo.constant dense<1> : tensor<i64>
            %next = stablehlo.add %i, %one : tensor<i64>
            {body}
            stablehlo.return %next, %z : tensor<i64>, tensor<4xf64>
          }}
          return %r#1 : tensor<4xf64>
        }}"
    )
}

fn check(source: &str, passes: &str, wanted: &[usize]) {
    let (mut m, f) = parse(source);
    let args = [Array::new(&[4], &[0.5, -1.0, 2.0, 0.1]), Array::new(&[4], &[1.0, 2.0, f64::NAN, -0.0])];
    let want = eval(&m, f, &args);
    let g = run(&mut m, f, passes);
    let got = eval(&m, g, &args);
    assert!(want[0].bytes() == got[0].bytes(), "{got:?} instead of {want:?}\n{source}");
    assert_eq!(exponentials(&m, g), wanted, "{source}");
}

const INVARIANT: &str = "%e = stablehlo.exponential %w : tensor<4xf64>
    %z = stablehlo.multiply %y, %e : tensor<4xf64>";

#[test]
fn what_no_trip_changes_is_computed_once() {
    check(&looped(0, 5, INVARIANT), "hoist", &[1, 0, 0]);
    check(&looped(0, 5, INVARIANT), "raise,hoist", &[1, 0]);
}

/// It may be computed for nothing, but nobody sees that.
#[test]
fn a_loop_without_trips_gives_what_it_was_given() {
    check(&looped(7, 5, INVARIANT), "hoist", &[1, 0, 0]);
}

#[test]
fn what_a_trip_changes_stays() {
    let body = "%e = stablehlo.exponential %y : tensor<4xf64>
        %z = stablehlo.multiply %w, %e : tensor<4xf64>";
    check(&looped(0, 2, body), "hoist", &[0, 0, 1]);
}

/// What a barrier separates was asked to be computed again.
#[test]
fn recomputation_stays_in_its_loop() {
    let body = "%b = stablehlo.optimization_barrier %w : tensor<4xf64>
        %e = stablehlo.exponential %b : tensor<4xf64>
        %z = stablehlo.multiply %y, %e : tensor<4xf64>";
    check(&looped(0, 2, body), "hoist", &[0, 0, 1]);
}

/// A loop that may not end must not run when nobody asked for it.
#[test]
fn a_loop_that_may_not_end_stays() {
    let body = "%inner = stablehlo.while(%k = %w) : tensor<4xf64>
          cond {
            %f = stablehlo.constant dense<false> : tensor<i1>
            stablehlo.return %f : tensor<i1>
          } do {
            %k2 = stablehlo.exponential %k : tensor<4xf64>
            stablehlo.return %k2 : tensor<4xf64>
          }
        %z = stablehlo.multiply %y, %inner : tensor<4xf64>";
    check(&looped(9, 2, body), "hoist", &[0, 0, 0, 0, 1]);
}

/// Nor one that ends when nobody waits any more. Of a few trips, nobody minds.
#[test]
fn a_long_loop_stays() {
    for (trips, moves) in [(3, true), (1 << 40, false), (i64::MAX, false)] {
        let body = format!(
            "%k0 = stablehlo.constant dense<0> : tensor<i64>
             %inner:2 = stablehlo.while(%k = %k0, %u = %w) : tensor<i64>, tensor<4xf64>
             cond {{
               %most = stablehlo.constant dense<{trips}> : tensor<i64>
               %less = stablehlo.compare LT, %k, %most, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
               stablehlo.return %less : tensor<i1>
             }} do {{
               %k1 = stablehlo.constant dense<1> : tensor<i64>
               %k2 = stablehlo.add %k, %k1 : tensor<i64>
               %u2 = stablehlo.exponential %u : tensor<4xf64>
               stablehlo.return %k2, %u2 : tensor<i64>, tensor<4xf64>
             }}
             %z = stablehlo.multiply %y, %inner#1 : tensor<4xf64>"
        );
        let (mut m, f) = parse(&looped(0, 2, &body));
        let f = run(&mut m, f, "raise,hoist");
        let loops = m.get(f).insts.values().filter(|i| matches!(i.op, Op::Scan(_))).count();
        assert_eq!(loops, if moves { 2 } else { 1 }, "of {trips} trips");
    }
}

/// A product with `%v`, which an outer loop of `%n` trips takes from its captures by the instructions given.
fn factor(v: &str) -> String {
    format!(
        "func.func public @main(%w: tensor<f32>, %n: tensor<i32>, %t: tensor<f32>) -> tensor<f32> {{
          %z = stablehlo.constant dense<0> : tensor<i32>
          %r:2 = stablehlo.while(%i = %z, %a = %w) : tensor<i32>, tensor<f32>
          cond {{
            %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
            stablehlo.return %c : tensor<i1>
          }} do {{
            {v}
            %a2 = stablehlo.multiply %a, %v : tensor<f32>
            %o = stablehlo.constant dense<1> : tensor<i32>
            %i2 = stablehlo.add %i, %o : tensor<i32>
            stablehlo.return %i2, %a2 : tensor<i32>, tensor<f32>
          }}
          return %r#1 : tensor<f32>
        }}"
    )
}

/// What `%t` = 0.5 never makes end: `k` = 0, 1, 2.. until it is `%t`.
const ENDLESS: &str = "%k0 = stablehlo.constant dense<0.0> : tensor<f32>
    %q = stablehlo.while(%k = %k0) : tensor<f32>
    cond {
      %ne = stablehlo.compare NE, %k, %t, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %ne : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1.0> : tensor<f32>
      %k1 = stablehlo.add %k, %one : tensor<f32>
      stablehlo.return %k1 : tensor<f32>
    }";

/// What a program would not execute its derivatives do not execute either, as far as anybody could tell: here a loop that
/// never ends, itself or within a branch, a check that fails, and a call of code that nobody has.
#[test]
fn derivatives_execute_nothing_that_may_not_end_or_fails() {
    let branch = format!(
        "%h = stablehlo.constant dense<100.0> : tensor<f32>
         %p = stablehlo.compare LT, %t, %h, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
         %v = \"stablehlo.if\"(%p) ({{
           {ENDLESS}
           stablehlo.return %q : tensor<f32>
         }}, {{
           stablehlo.return %t : tensor<f32>
         }}) : (tensor<i1>) -> tensor<f32>"
    );
    let checked = "%h = stablehlo.constant dense<100.0> : tensor<f32>
         %p = stablehlo.compare LT, %t, %h, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
         %v = \"stablehlo.if\"(%p) ({
           check.expect_eq %t, %h : tensor<f32>
           stablehlo.return %h : tensor<f32>
         }, {
           stablehlo.return %t : tensor<f32>
         }) : (tensor<i1>) -> tensor<f32>";
    let foreign = "%v = stablehlo.custom_call @nobody_has_this(%t) : (tensor<f32>) -> tensor<f32>";
    let plain = format!("{ENDLESS}\n%v = stablehlo.add %q, %t : tensor<f32>");
    for v in [&branch, &plain, checked, foreign] {
        let source = factor(v);
        let args = [Array::scalar(2.0f32), Array::scalar(0i32), Array::scalar(0.5f32)];
        let limits = Limits { max_steps: Some(10_000), ..Limits::default() };
        for wrt in [[true, false, false], [true, false, true]] {
            let (mut m, f) = parse(&source);
            let f = run(&mut m, f, "inline,raise,dce");
            let forward = ad::jvp(&mut m, f, &wrt);
            let reverse = ad::value_and_grad(&mut m, f, &wrt, 0);
            for (k, derived) in [forward, reverse].into_iter().enumerate() {
                // Foreign code has no derivative.
                let Ok(g) = derived else {
                    assert!(v == foreign && wrt[2], "{source}");
                    continue;
                };
                let mut args = args.to_vec();
                if k == 0 {
                    args.extend(wrt.iter().filter(|w| **w).map(|_| Array::scalar(1.0f32)));
                }
                for passes in ["", "hoist", DEFAULT] {
                    let g = run(&mut m, g, passes);
                    let out = interp::run(&m, g, &args, &limits);
                    let out = out.unwrap_or_else(|e| panic!("after `{passes}`: {e}\n{source}"));
                    let numbers: Vec<f32> = out.iter().map(|a| a.as_slice::<f32>()[0]).collect();
                    assert_eq!(numbers[..2], [2.0, 1.0], "after `{passes}`\n{source}");
                }
            }
        }
    }
}

/// Nobody reads what the loop gives, and not to end is no effect.
#[test]
fn a_loop_that_nobody_reads_goes_though_it_never_ends() {
    let source = "func.func public @main(%a: tensor<i32>) -> tensor<i32> {
          %t = stablehlo.constant dense<true> : tensor<i1>
          %o = stablehlo.constant dense<1> : tensor<i32>
          %0 = stablehlo.while(%j = %a) : tensor<i32>
          cond {
            %w = stablehlo.while(%i = %j) : tensor<i32>
            cond {
              stablehlo.return %t : tensor<i1>
            } do {
              %1 = stablehlo.add %i, %o : tensor<i32>
              stablehlo.return %1 : tensor<i32>
            }
            %c = stablehlo.compare LT, %w, %o, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
            stablehlo.return %c : tensor<i1>
          } do {
            stablehlo.return %j : tensor<i32>
          }
          return %0 : tensor<i32>
        }";
    let (mut m, f) = parse(source);
    let f = run(&mut m, f, "dce");
    assert!(m.get(f).insts.is_empty(), "{}", text::print(&m, &Default::default()));
    assert_eq!(eval(&m, f, &[Array::scalar(7i32)]), [Array::scalar(7i32)]);
    // With an effect it stays.
    let check = "%1 = stablehlo.add %i, %o : tensor<i32>\ncheck.expect_eq %1, %o : tensor<i32>";
    let (mut m, f) = parse(&source.replace("%1 = stablehlo.add %i, %o : tensor<i32>", check));
    let f = run(&mut m, f, "dce");
    assert_eq!(m.get(f).insts.values().filter(|i| matches!(i.op, Op::While(_))).count(), 1);
}

/// Repeating along a dimension is an index, not an array.
#[test]
fn broadcasts_stay_with_their_readers() {
    let source = "func.func public @main(%w: tensor<f64>, %x: tensor<1000xf64>) -> tensor<1000xf64> {
          %n = stablehlo.constant dense<0> : tensor<i64>
          %r:2 = stablehlo.while(%i = %n, %y = %x) : tensor<i64>, tensor<1000xf64>
          cond {
            %limit = stablehlo.constant dense<4> : tensor<i64>
            %c = stablehlo.compare LT, %i, %limit, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
            stablehlo.return %c : tensor<i1>
          } do {
            %one = stablehlo.constant dense<1> : tensor<i64>
            %next = stablehlo.add %i, %one : tensor<i64>
            %e = stablehlo.exponential %w : tensor<f64>
            %b = stablehlo.broadcast_in_dim %e, dims = [] : (tensor<f64>) -> tensor<1000xf64>
            %z = stablehlo.multiply %y, %b : tensor<1000xf64>
            stablehlo.return %next, %z : tensor<i64>, tensor<1000xf64>
          }
          return %r#1 : tensor<1000xf64>
        }";
    let (mut m, f) = parse(source);
    let g = run(&mut m, f, "hoist");
    assert_eq!(exponentials(&m, g), [1, 0, 0]);
    let outside =
        |m: &Module| m.get(g).insts.values().filter(|i| matches!(i.op, Op::BroadcastInDim(_))).count();
    assert_eq!(outside(&m), 0);
}

/// Two loops written twice are one after `intern` and `simplify`.
#[test]
fn equal_calls_of_equal_functions_are_one() {
    let loops = |name: &str| {
        format!(
            "func.func private @{name}(%x: tensor<4xf64>) -> tensor<4xf64> {{
              %n = stablehlo.constant dense<0> : tensor<i64>
              %r:2 = stablehlo.while(%i = %n, %y = %x) : tensor<i64>, tensor<4xf64>
              cond {{
                %limit = stablehlo.constant dense<3> : tensor<i64>
                %c = stablehlo.compare LT, %i, %limit, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
                stablehlo.return %c : tensor<i1>
              }} do {{
                %one = stablehlo.constant dense<1> : tensor<i64>
                %next = stablehlo.add %i, %one : tensor<i64>
                %z = stablehlo.exponential %y : tensor<4xf64>
                stablehlo.return %next, %z : tensor<i64>, tensor<4xf64>
              }}
              return %r#1 : tensor<4xf64>
            }}"
        )
    };
    let source = format!(
        "func.func public @main(%x: tensor<4xf64>) -> tensor<4xf64> {{
          %a = func.call @first(%x) : (tensor<4xf64>) -> tensor<4xf64>
          %b = func.call @second(%x) : (tensor<4xf64>) -> tensor<4xf64>
          %c = stablehlo.multiply %a, %b : tensor<4xf64>
          return %c : tensor<4xf64>
        }}
        {}
        {}",
        loops("first"),
        loops("second")
    );
    let (mut m, f) = parse(&source);
    let args = [Array::new(&[4], &[0.5, -1.0, 0.2, 0.1])];
    let want = eval(&m, f, &args);
    for passes in [DEFAULT, "intern,simplify"] {
        let g = run(&mut m, f, passes);
        assert_eq!(eval(&m, g, &args), want);
        assert_eq!(exponentials(&m, g).iter().sum::<usize>(), 1, "{passes}");
    }
}

/// The gradient of a chain of layers by hand: `y' = tanh(y * w)`. The reverse pass needs every `y`; with a barrier per
/// segment of `every` layers it has the inputs of segments only, and computes a segment's again from behind the barrier.
fn chain(layers: usize, every: usize) -> String {
    let ty = "tensor<4096xf64>";
    let mut s = format!("func.func public @main(%w: {ty}, %y0: {ty}, %g: {ty}) -> {ty} {{\n");
    let step = |s: &mut String, from: &str, to: &str, w: &str| {
        s.push_str(&format!("  %p_{to} = stablehlo.multiply %{from}, %{w} : {ty}\n"));
        s.push_str(&format!("  %{to} = stablehlo.tanh %p_{to} : {ty}\n"));
    };
    for k in 0..layers {
        step(&mut s, &format!("y{k}"), &format!("y{}", k + 1), "w");
    }
    // The cotangent of the last y depends on it, so that the reverse pass cannot run ahead.
    s.push_str(&format!("  %c{layers} = stablehlo.multiply %g, %y{layers} : {ty}\n"));
    let one = format!("  %one = stablehlo.constant dense<1.0> : {ty}\n");
    s.push_str(&one);
    for segment in (0..layers.div_ceil(every)).rev() {
        let (first, last) = (segment * every, ((segment + 1) * every).min(layers));
        let name = |k: usize| match every {
            1 => format!("y{k}"),
            _ => format!("z{segment}_{k}"),
        };
        let mut w = "w".to_owned();
        if every > 1 {
            w = format!("w{segment}");
            s.push_str(&format!(
                "  %{}, %{w}, %q{segment} = stablehlo.optimization_barrier %y{first}, %w, %c{last} : {ty}, {ty}, {ty}\n",
                name(first)
            ));
            for k in first..last {
                step(&mut s, &name(k), &name(k + 1), &w);
            }
        }
        for k in (first..last).rev() {
            let given =
                if every > 1 && k + 1 == last { format!("q{segment}") } else { format!("c{}", k + 1) };
            let y = name(k + 1);
            s.push_str(&format!("  %s{k} = stablehlo.multiply %{y}, %{y} : {ty}\n"));
            s.push_str(&format!("  %d{k} = stablehlo.subtract %one, %s{k} : {ty}\n"));
            s.push_str(&format!("  %e{k} = stablehlo.multiply %{given}, %d{k} : {ty}\n"));
            s.push_str(&format!("  %c{k} = stablehlo.multiply %e{k}, %{w} : {ty}\n"));
        }
    }
    s.push_str(&format!("  return %c0 : {ty}\n}}\n"));
    s
}

fn peak(m: &Module, f: FuncId) -> usize {
    lower_with_stats(m, f, &Options::default()).expect("plain operations").1.scratch
}

/// A checkpoint asks for recomputation; no pass, and not the whole pipeline, may take the memory back.
#[test]
fn recomputation_survives_every_pass() {
    let (layers, every) = (64, 8);
    let (mut stored, f) = parse(&chain(layers, 1));
    let (mut recomputed, g) = parse(&chain(layers, every));
    // The memory is the question here, not the rounding.
    stored.mode = FloatMode::Exact;
    recomputed.mode = FloatMode::Exact;
    let args: Vec<Array> = (0..3u64)
        .map(|k| {
            wengert_ir::testing::Random(k).array(stored.get(f).tensor(stored.get(f).params[0]), 0.2, 1.0)
        })
        .collect();
    let want = eval(&stored, f, &args);
    assert_eq!(eval(&recomputed, g, &args), want);
    let all = std::iter::once(DEFAULT).chain(PASSES.iter().map(|p| p.name)).chain([""]);
    for passes in all {
        let (mut m, mut n) = (stored.clone(), recomputed.clone());
        let (f, g) = (run(&mut m, f, passes), run(&mut n, g, passes));
        assert_eq!(eval(&n, g, &args), want, "{passes}");
        let (whole, less) = (peak(&m, f), peak(&n, g));
        // 64 stored values against 8 + 8 and a few.
        assert!(less * 5 <= whole * 2, "after `{passes}`: {less} bytes with checkpoints, {whole} without");
    }
}

/// A loop is counted if it counts by one; by any other step it keeps its own trips.
#[test]
fn steps_of_loops_are_kept() {
    for step in [1, 2, 3, 7] {
        let text = looped(0, 7, "%z = stablehlo.add %y, %w : tensor<4xf64>")
            .replace("constant dense<1> : tensor<i64>", &format!("constant dense<{step}> : tensor<i64>"));
        let (mut m, f) = parse(&text);
        let args = [Array::new(&[4], &[1.0, 2.0, 3.0, 4.0]), Array::new(&[4], &[0.0; 4])];
        let g = run(&mut m, f, "raise");
        let trips = 7u32.div_ceil(step) as f64;
        assert_eq!(eval(&m, g, &args)[0].as_slice::<f64>()[0], trips, "{step}");
    }
}

/// What no machine may have room for is not made outside of a loop, which may run no trip.
#[test]
fn gigabytes_stay_in_loops() {
    for (elements, stays) in [(1 << 10, false), (1 << 28, true)] {
        let text = looped(
            7,
            7,
            &format!(
                "%s = stablehlo.slice %w [0:1] : (tensor<4xf64>) -> tensor<1xf64>
                 %a = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<1xf64>) -> tensor<{elements}xf64>
                 %b = stablehlo.exponential %a : tensor<{elements}xf64>
                 %d = stablehlo.slice %b [0:4] : (tensor<{elements}xf64>) -> tensor<4xf64>
                 %z = stablehlo.add %y, %d : tensor<4xf64>"
            ),
        );
        let (mut m, f) = parse(&text);
        let g = run(&mut m, f, "hoist");
        let func = m.get(g);
        let outside =
            func.values.values().any(|v| v.ty.as_tensor().is_some_and(|t| t.elements() == elements));
        assert_eq!(!outside, stays, "{elements}");
    }
}
