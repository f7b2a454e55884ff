//! Derivatives through control flow, each order against central differences of the order before, forward
//! mode against reverse mode, and the dot-product test.

use crate::support;
use support::{build, scalar, stacked};
use wengert_ir::array::Array;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::op::{BinaryOp, Case, Convert, Direction, Op, Reduce, Reducer, Scan, UnaryOp, While};
use wengert_ir::rules::{Emit, Term};
use wengert_ir::types::{DType, Dims, TensorType};

type E<'a> = &'a mut dyn Emit;

fn int(e: E<'_>, value: f64) -> Term {
    e.splat(TensorType::scalar(DType::I64), value)
}
fn num(e: E<'_>, value: f64) -> Term {
    e.splat(scalar(), value)
}
fn to_i32(e: E<'_>, pred: Term) -> Term {
    e.one(Convert { dtype: DType::I32 }, &[pred])
}
fn i64_scalar() -> TensorType {
    TensorType::scalar(DType::I64)
}
fn sum(e: E<'_>, x: Term) -> Term {
    let zero = num(e, 0.0);
    let op = Reduce { dims: Dims::from_slice(&[0]), inputs: 1, reducer: Reducer::Op(BinaryOp::Add) };
    e.one(op, &[x, zero])
}
fn sin(e: E<'_>, x: Term) -> Term {
    e.unary(UnaryOp::Sine, x)
}

/// A captured w and its invariant exp(w); xs; ys; an integer carry; `acc` starts without a tangent and
/// gets one.
fn rnn(m: &mut Module) -> FuncId {
    let s = scalar();
    let body = build(m, "body", &[s.clone(), s.clone(), i64_scalar(), s.clone(), s], |e, p| {
        let [w, h, step, acc, x] = *p else { unreachable!() };
        let wh = e.mul(w, h);
        let pre = e.add(wh, x);
        let new = sin(e, pre);
        let one = int(e, 1.0);
        let next = e.add(step, one);
        let factor = e.convert(step, DType::F64);
        let part = e.mul(new, factor);
        let acc = e.add(acc, part);
        let squared = e.mul(new, new);
        let exp = e.unary(UnaryOp::Exponential, w);
        let y = e.mul(squared, exp);
        vec![new, next, acc, y]
    });
    build(m, "rnn", &[scalar(), stacked(4)], |e, p| {
        let (h, step, acc) = (num(e, 0.2), int(e, 0.0), num(e, 0.0));
        let op = Scan { body, consts: 1, carry: 3, reverse: false, length: 4 };
        let o = e.emit(op.into(), &[p[0], h, step, acc, p[1]]);
        let ys = sum(e, o[3]);
        let both = e.add(o[0], o[2]);
        vec![e.add(both, ys)]
    })
}

/// sqrt(a) by Newton's method from 1: consts `a`, carry the estimate.
fn newton(m: &mut Module) -> Op {
    let types = [scalar(), scalar()];
    let cond = build(m, "cond", &types, |e, p| {
        let squared = e.mul(p[1], p[1]);
        let error = e.sub(squared, p[0]);
        let error = e.mul(error, error);
        let bound = num(e, 1e-20);
        vec![e.compare(Direction::Gt, error, bound)]
    });
    let body = build(m, "body", &types, |e, p| {
        let other = e.div(p[0], p[1]);
        let both = e.add(p[1], other);
        vec![e.scale(both, 0.5)]
    });
    While { cond, body, consts: 1, stacks: 0, counted: false }.into()
}

fn newton_main(m: &mut Module) -> FuncId {
    let op = newton(m);
    build(m, "newton", &[scalar()], |e, p| {
        let start = num(e, 1.0);
        e.emit(op, &[p[0], start]).to_vec()
    })
}

/// A `while` whose condition is false at once.
fn no_trips(m: &mut Module) -> FuncId {
    let s = scalar();
    let cond = build(m, "cond", &[s.clone(), s.clone(), s.clone()], |e, p| {
        let bound = num(e, -1.0);
        vec![e.compare(Direction::Lt, p[1], bound)]
    });
    let body = build(m, "body", &[s.clone(), s.clone(), s.clone()], |e, p| {
        vec![e.mul(p[1], p[0]), e.add(p[2], p[1])]
    });
    build(m, "no_trips", &[s], |e, p| {
        let squared = e.mul(p[0], p[0]);
        let zero = num(e, 0.0);
        let op = While { cond, body, consts: 1, stacks: 0, counted: false };
        let o = e.emit(op.into(), &[p[0], squared, zero]);
        let part = e.mul(o[1], p[0]);
        vec![e.add(o[0], part)]
    })
}

fn branch(m: &mut Module) -> FuncId {
    let then = build(m, "then", &[scalar()], |e, p| {
        let s = sin(e, p[0]);
        vec![e.mul(s, p[0])]
    });
    let other = build(m, "else", &[scalar()], |e, p| {
        let squared = e.mul(p[0], p[0]);
        let cubed = e.mul(squared, p[0]);
        let exp = e.unary(UnaryOp::Exponential, cubed);
        let one = num(e, 1.0);
        let recip = e.div(one, exp);
        let neg = e.neg(recip);
        vec![sin(e, neg)]
    });
    build(m, "branch", &[scalar()], |e, p| {
        let one = num(e, 1.0);
        let pred = e.compare(Direction::Ge, p[0], one);
        let index = to_i32(e, pred);
        e.emit(Case { branches: vec![then, other] }.into(), &[index, p[0]]).to_vec()
    })
}

/// scan { case, while }: stacks inside stacks, and zeros for a branch that has none.
fn mixed(m: &mut Module) -> FuncId {
    let newton = newton(m);
    let s = scalar();
    let then = build(m, "then", &[s.clone(), s.clone()], |e, p| vec![e.mul(p[1], p[0])]);
    let other = build(m, "else", &[s.clone(), s.clone()], |e, p| {
        let squared = e.mul(p[1], p[1]);
        let start = num(e, 1.0);
        let root = e.emit(newton, &[squared, start])[0];
        vec![e.add(root, p[0])]
    });
    let body = build(m, "body", &[s.clone(), s.clone(), s.clone()], |e, p| {
        let zero = num(e, 0.0);
        let pred = e.compare(Direction::Ge, p[2], zero);
        let index = to_i32(e, pred);
        let h = e.one(Case { branches: vec![then, other] }, &[index, p[0], p[1]]);
        vec![h, e.mul(h, p[2])]
    });
    build(m, "mixed", &[s, stacked(4)], |e, p| {
        let start = num(e, 1.5);
        let op = Scan { body, consts: 1, carry: 1, reverse: false, length: 4 };
        let o = e.emit(op.into(), &[p[0], start, p[1]]);
        let ys = sum(e, o[1]);
        vec![e.add(o[0], ys)]
    })
}

/// A `while` in a `while`, in a scan that runs backwards.
fn while_in_while(m: &mut Module) -> FuncId {
    let newton = newton(m);
    let s = scalar();
    let cond = build(m, "cond", &[s.clone(), s.clone()], |e, p| {
        let bound = num(e, 6.0);
        vec![e.compare(Direction::Lt, p[1], bound)]
    });
    let body = build(m, "body", &[s.clone(), s.clone()], |e, p| {
        let start = num(e, 1.0);
        let root = e.emit(newton, &[p[1], start])[0];
        let scaled = e.mul(root, p[0]);
        let next = e.add(p[1], scaled);
        vec![next]
    });
    let outer = build(m, "outer", &[s.clone(), s.clone(), s.clone()], |e, p| {
        let start = e.add(p[2], p[0]);
        let start = e.mul(start, start);
        let op = While { cond, body, consts: 1, stacks: 0, counted: false };
        let r = e.one(op, &[p[0], start]);
        let part = sin(e, r);
        let mixed = e.mul(part, p[2]);
        vec![e.add(p[1], mixed)]
    });
    build(m, "while_in_while", &[s, stacked(4)], |e, p| {
        let start = num(e, 0.0);
        let op = Scan { body: outer, consts: 1, carry: 1, reverse: true, length: 4 };
        e.emit(op.into(), &[p[0], start, p[1]]).to_vec()
    })
}

fn xs() -> Array {
    Array::new(&[4], &[0.3, -0.5, 0.9, 1.1])
}

fn check(name: &str, make: impl Fn(&mut Module) -> FuncId, args: &[Array]) {
    let mut m = Module::new("test");
    let f = make(&mut m);
    support::check_orders(&mut m, f, args, 3, name);
    support::check_forms(&mut m, f, args, name);
    support::check_second_order(&mut m, f, args, name);
}

#[test]
fn scan_with_captures_xs_ys_and_integer_carry() {
    check("rnn", rnn, &[Array::scalar(0.7), xs()]);
}

#[test]
fn case_both_branches() {
    check("first branch", branch, &[Array::scalar(0.6)]);
    check("second branch", branch, &[Array::scalar(1.2)]);
}

#[test]
fn while_of_data_dependent_length() {
    check("newton", newton_main, &[Array::scalar(2.0)]);
    let mut m = Module::new("test");
    let f = newton_main(&mut m);
    let g = support::grad(&mut m, f);
    let got = support::run(&m, g, &[Array::scalar(2.0)])[0].as_slice::<f64>()[0];
    assert!((got - 0.5 / 2f64.sqrt()).abs() < 1e-10, "{got}");
}

#[test]
fn while_without_trips() {
    check("no trips", no_trips, &[Array::scalar(0.4)]);
}

#[test]
fn case_and_while_in_scan() {
    check("mixed", mixed, &[Array::scalar(0.9), xs()]);
}

#[test]
fn while_in_while_in_reverse_scan() {
    check("while in while", while_in_while, &[Array::scalar(0.8), xs()]);
}

#[test]
fn stacks_do_not_grow_with_the_order() {
    let mut m = Module::new("test");
    let mut f = rnn(&mut m);
    let mut sizes = Vec::new();
    for _ in 0..4 {
        f = support::grad(&mut m, f);
        sizes.push(support::size(&m, f));
    }
    // Two loops become four, eight, sixteen; without simplification the stacks were 5, 15, 42, 118.
    let stacks: Vec<usize> = sizes.iter().map(|s| s.1).collect();
    assert!(stacks[0] <= 4 && stacks[1] <= 9 && stacks[2] <= 23 && stacks[3] <= 61, "{stacks:?}");
}

/// What an example that is done has is not what the loop body is run with, whichever examples are done first: from some it would
/// never end.
#[test]
fn examples_that_are_done_run_with_what_others_have() {
    let source = "func.func @main(%x: tensor<f64>) -> tensor<f64> {
        %r = stablehlo.while(%v = %x) : tensor<f64>
        cond {
          %z = stablehlo.constant dense<0.0> : tensor<f64>
          %h = stablehlo.constant dense<100.0> : tensor<f64>
          %a = stablehlo.compare GT, %v, %z : (tensor<f64>, tensor<f64>) -> tensor<i1>
          %b = stablehlo.compare LT, %v, %h : (tensor<f64>, tensor<f64>) -> tensor<i1>
          %p = stablehlo.and %a, %b : tensor<i1>
          stablehlo.return %p : tensor<i1>
        } do {
          %t = stablehlo.constant dense<3.0> : tensor<f64>
          %m = stablehlo.multiply %v, %t : tensor<f64>
          %s = stablehlo.while(%y = %v) : tensor<f64>
          cond {
            %q = stablehlo.compare LE, %y, %m : (tensor<f64>, tensor<f64>) -> tensor<i1>
            stablehlo.return %q : tensor<i1>
          } do {
            %g = stablehlo.constant dense<1.25> : tensor<f64>
            %w = stablehlo.multiply %y, %g : tensor<f64>
            stablehlo.return %w : tensor<f64>
          }
          stablehlo.return %s : tensor<f64>
        }
        return %r : tensor<f64>
      }";
    let mut m = wengert_ir::text::parse(source).unwrap_or_else(|e| panic!("{e}"));
    let f = m.find("main").expect("it is there");
    let all = [1.0, 0.0, 30.0, 120.0];
    let batch = wengert_passes::batch::vmap(&mut m, f, &[Some(0)], all.len(), &[Some(0)], None)
        .unwrap_or_else(|e| panic!("{e}"));
    let limits = wengert_ir::interp::Limits { max_steps: Some(1_000_000), ..Default::default() };
    let run = |f, x: Array| match wengert_ir::interp::run(&m, f, &[x], &limits) {
        Ok(out) => out[0].as_slice::<f64>().to_vec(),
        Err(e) => panic!("{e}"),
    };
    for order in 0..24usize {
        let (mut left, mut code) = (all.to_vec(), order);
        let examples: Vec<f64> = (1..=4)
            .rev()
            .map(|n| {
                let k = code % n;
                code /= n;
                left.remove(k)
            })
            .collect();
        let want: Vec<f64> = examples.iter().flat_map(|&x| run(f, Array::scalar(x))).collect();
        let got = run(batch, Array::new(&[4], &examples));
        assert_eq!(got, want, "{examples:?}");
    }
}

/// Reductions whose initial values differ from example to example are operations on the batch, and give what the examples give.
#[test]
fn initial_values_of_each_example() {
    let cases = [
        ("add", "f64"),
        ("multiply", "f64"),
        ("maximum", "f64"),
        ("minimum", "f64"),
        ("add", "i32"),
        ("or", "i32"),
        ("maximum", "i32"),
        ("minimum", "i32"),
        ("and", "i32"),
    ];
    for (op, ty) in cases {
        for (mapped, what) in [([Some(0), Some(0)], "both"), ([None, Some(0)], "the start alone")] {
            let source = format!(
                "func.func @main(%x: tensor<2x3x{ty}>, %s: tensor<{ty}>) -> tensor<2x{ty}> {{
                   %r = stablehlo.reduce(%x init: %s) applies stablehlo.{op} across dimensions = [1] : (tensor<2x3x{ty}>, tensor<{ty}>) -> tensor<2x{ty}>
                   return %r : tensor<2x{ty}>
                 }}"
            );
            let mut m = wengert_ir::text::parse(&source).unwrap_or_else(|e| panic!("{e}"));
            let f = m.find("main").expect("it is there");
            let batch = wengert_passes::batch::vmap(&mut m, f, &mapped, 4, &[Some(0)], None)
                .unwrap_or_else(|e| panic!("{e}"));
            // Whole numbers, so that no order of additions rounds.
            let made = |n: usize, seed: usize| {
                (0..n).map(|k| ((k * 7 + seed) % 11) as f64 - 4.0).collect::<Vec<f64>>()
            };
            let array = |shape: &[usize], all: &[f64]| match ty {
                "f64" => Array::new(shape, all),
                _ => Array::new(shape, &all.iter().map(|&x| x as i32).collect::<Vec<i32>>()),
            };
            let is_mapped = mapped[0].is_some();
            let (x, s) = (made(if is_mapped { 24 } else { 6 }, 1), made(4, 3));
            let shape: &[usize] = if is_mapped { &[4, 2, 3] } else { &[2, 3] };
            let limits = wengert_ir::interp::Limits::default();
            let run = |f, args: &[Array]| {
                wengert_ir::interp::run(&m, f, args, &limits).unwrap_or_else(|e| panic!("{e}"))
            };
            let got = run(batch, &[array(shape, &x), array(&[4], &s)]).remove(0);
            let want: Vec<u8> = (0..4)
                .flat_map(|k| {
                    let of = if is_mapped { &x[6 * k..6 * k + 6] } else { &x[..] };
                    run(f, &[array(&[2, 3], of), array(&[], &s[k..k + 1])])[0].bytes().to_vec()
                })
                .collect();
            assert_eq!(got.bytes(), want, "{op} of {ty}, {what}");
            let scans = m.reaches(batch, &|op| matches!(op, wengert_ir::op::Op::Scan(_)));
            assert!(!scans, "{op} of {ty}, {what}: a loop");
        }
    }
}

/// What a loop carries is passed on from one place to the next: to find that all of it is read takes no look at the whole body for
/// each. Each look would add a function.
#[test]
fn long_chains_of_carries_are_looked_at_once() {
    const N: usize = 300;
    let list = |f: &dyn Fn(usize) -> String| (0..N).map(f).collect::<Vec<_>>().join(", ");
    let text = format!(
        "func.func public @main(%x: tensor<f32>, %n: tensor<i32>) -> tensor<f32> {{
           %zero = stablehlo.constant dense<0> : tensor<i32>
           %one = stablehlo.constant dense<1> : tensor<i32>
           %r:{} = stablehlo.while(%i = %zero, {}) : tensor<i32>, {}
           cond {{
             %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
             stablehlo.return %p : tensor<i1>
           }} do {{
             %j = stablehlo.add %i, %one : tensor<i32>
             {}
             stablehlo.return %j, {} : tensor<i32>, {}
           }}
           return %r#1 : tensor<f32>
         }}",
        N + 1,
        list(&|k| format!("%a{k} = %x")),
        list(&|_| "tensor<f32>".to_owned()),
        (0..N - 1)
            .map(|k| format!("%b{k} = stablehlo.add %a{k}, %a{} : tensor<f32>\n", k + 1))
            .collect::<String>(),
        list(&|k| if k + 1 < N { format!("%b{k}") } else { format!("%a{k}") }),
        list(&|_| "tensor<f32>".to_owned()),
    );
    let mut m = wengert_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e}"));
    let main = m.find("main").expect("main");
    let before = m.funcs.len();
    let dce = wengert_passes::pipeline::Pipeline::parse("dce").expect("a pass");
    let main = dce.run(&mut m, main, &mut |_| {});
    assert!(m.funcs.len() < before + 10, "{} functions more", m.funcs.len() - before);
    // The last one never changes.
    let main = m.get(main);
    let Op::While(w) = &main.insts.values().last().expect("a loop").op else { panic!("a loop") };
    assert_eq!(m.get(w.body).results.len(), N);
}
