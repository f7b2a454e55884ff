//! Counted loops as JAX writes them become scans that give the same.

use crate::support;
use support::{Terms, build, count_ops, run, scalar, stacked};
use wengert_ir::array::Array;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::op::{BinaryOp, Direction, DynamicSlice, DynamicUpdateSlice, Op, Reshape, UnaryOp, While};
use wengert_ir::rules::{Emit, Term};
use wengert_ir::types::{DType, Dims, TensorType};
use wengert_passes::pipeline::{DEFAULT, Pipeline};
use wengert_passes::raise::raise;

type E<'a> = &'a mut dyn Emit;

fn i32_scalar() -> TensorType {
    TensorType::scalar(DType::I32)
}

fn int(e: E<'_>, value: f64) -> Term {
    e.splat(i32_scalar(), value)
}

fn read(e: E<'_>, x: Term, at: Term) -> Term {
    let row = e.one(DynamicSlice { sizes: Dims::from_slice(&[1]) }, &[x, at]);
    e.one(Reshape { shape: Dims::new() }, &[row])
}

fn write(e: E<'_>, buffer: Term, row: Term, at: Term) -> Term {
    let row = e.broadcast_in_dim(row, &[1], &[]);
    e.one(DynamicUpdateSlice {}, &[buffer, row, at])
}

/// `while (i < limit) body(xs, i, h, ys)` from `start`, over xs and ys of 6.
fn looped(
    m: &mut Module,
    start: f64,
    limit: f64,
    body: impl FnOnce(E<'_>, [Term; 4]) -> (Term, Term),
) -> FuncId {
    let types = [stacked(6), i32_scalar(), scalar(), stacked(6)];
    let cond = build(m, "cond", &types, |e, p| {
        let limit = int(e, limit);
        vec![e.compare(Direction::Lt, p[1], limit)]
    });
    let body = build(m, "body", &types, |e, p| {
        let (h, ys) = body(e, [p[0], p[1], p[2], p[3]]);
        let one = int(e, 1.0);
        let next = e.add(p[1], one);
        vec![p[0], next, h, ys]
    });
    build(m, "main", &[stacked(6), scalar(), stacked(6)], |e, p| {
        let start = int(e, start);
        let op = While { cond, body, consts: 0, stacks: 0, counted: true };
        let o = e.emit(op.into(), &[p[0], start, p[1], p[2]]);
        let all: Terms = o[1..].to_vec();
        all
    })
}

fn check(name: &str, mut m: Module, f: FuncId, carried_buffers: usize) {
    let g = raise(&mut m, f);
    let args = [
        Array::new(&[6], &[0.3, -0.5, 0.9, 1.1, 0.2, -0.7]),
        Array::scalar(0.4),
        Array::new(&[6], &[10.0, 11.0, 12.0, 13.0, 14.0, 15.0]),
    ];
    assert_eq!(run(&m, f, &args), run(&m, g, &args), "{name}");
    assert_eq!(count_ops(&m, g, &|op| matches!(op, Op::While(_))), 0, "{name}: a while is left");
    let buffers = count_ops(&m, g, &|op| match op {
        Op::Scan(s) => m.get(s.body).params[s.consts..s.consts + s.carry]
            .iter()
            .any(|&p| m.get(s.body).tensor(p).rank() > 0),
        _ => false,
    });
    assert_eq!(buffers, carried_buffers, "{name}: loops that carry a buffer");
    support::check_raised_gradients(&mut m, f, g, &args, name);
}

fn step(e: E<'_>, x: Term, h: Term) -> (Term, Term) {
    let sum = e.add(x, h);
    (e.unary(UnaryOp::Sine, sum), e.mul(x, h))
}

#[test]
fn forwards() {
    let mut m = Module::new("test");
    let f = looped(&mut m, 0.0, 6.0, |e, [xs, i, h, ys]| {
        let x = read(e, xs, i);
        let (h, y) = step(e, x, h);
        (h, write(e, ys, y, i))
    });
    check("forwards", m, f, 0);
}

#[test]
fn backwards() {
    let mut m = Module::new("test");
    let f = looped(&mut m, 0.0, 6.0, |e, [xs, i, h, ys]| {
        let (six, one) = (int(e, 6.0), int(e, 1.0));
        let at = e.sub(six, i);
        let at = e.sub(at, one);
        let x = read(e, xs, at);
        let (h, y) = step(e, x, h);
        (h, write(e, ys, y, at))
    });
    check("backwards", m, f, 0);
}

#[test]
fn both_directions() {
    let mut m = Module::new("test");
    let f = looped(&mut m, 0.0, 6.0, |e, [xs, i, h, ys]| {
        let five = int(e, 5.0);
        let at = e.sub(five, i);
        let (x, other) = (read(e, xs, at), read(e, xs, i));
        let factor = e.convert(i, DType::F64);
        let other = e.mul(other, factor);
        let (h, y) = step(e, x, h);
        let h = e.add(h, other);
        (h, write(e, ys, y, i))
    });
    check("both directions", m, f, 0);
}

#[test]
fn part_of_a_buffer() {
    let mut m = Module::new("test");
    let f = looped(&mut m, 2.0, 5.0, |e, [xs, i, h, ys]| {
        let one = int(e, 1.0);
        let at = e.sub(i, one);
        let x = read(e, xs, at);
        let (h, y) = step(e, x, h);
        (h, write(e, ys, y, i))
    });
    check("part of a buffer", m, f, 0);
}

#[test]
fn negative_indices_that_never_are() {
    let mut m = Module::new("test");
    let f = looped(&mut m, 0.0, 6.0, |e, [xs, i, h, ys]| {
        let (zero, six) = (int(e, 0.0), int(e, 6.0));
        let below = e.compare(Direction::Lt, i, zero);
        let wrapped = e.add(i, six);
        let at = e.select(below, wrapped, i);
        let x = read(e, xs, at);
        let (h, y) = step(e, x, h);
        (h, write(e, ys, y, at))
    });
    check("normalised index", m, f, 0);
}

#[test]
fn a_row_read_before_it_is_written() {
    let mut m = Module::new("test");
    let f = looped(&mut m, 0.0, 6.0, |e, [xs, i, h, ys]| {
        let (x, old) = (read(e, xs, i), read(e, ys, i));
        let (h, y) = step(e, x, h);
        let y = e.add(y, old);
        (h, write(e, ys, y, i))
    });
    check("read before write", m, f, 0);
}

#[test]
fn a_row_of_an_earlier_trip_keeps_the_buffer() {
    let mut m = Module::new("test");
    let f = looped(&mut m, 1.0, 6.0, |e, [xs, i, h, ys]| {
        let one = int(e, 1.0);
        let before = e.sub(i, one);
        let (x, old) = (read(e, xs, i), read(e, ys, before));
        let (h, y) = step(e, x, h);
        let y = e.add(y, old);
        (h, write(e, ys, y, i))
    });
    check("earlier row", m, f, 1);
}

#[test]
fn clamped_reads_stay() {
    let mut m = Module::new("test");
    let f = looped(&mut m, 0.0, 6.0, |e, [xs, i, h, ys]| {
        let two = int(e, 2.0);
        let at = e.add(i, two); // rows 2..8, clamped to 5
        let x = read(e, xs, at);
        let (h, y) = step(e, x, h);
        (h, write(e, ys, y, i))
    });
    check("clamped", m, f, 0);
}

#[test]
fn no_trips() {
    let mut m = Module::new("test");
    let f = looped(&mut m, 3.0, 3.0, |e, [xs, i, h, ys]| {
        let x = read(e, xs, i);
        let (h, y) = step(e, x, h);
        (h, write(e, ys, y, i))
    });
    check("no trips", m, f, 0);
}

/// A limit that is data: the `while` stays, and reverse mode goes through its buffers.
#[test]
fn an_unknown_limit_keeps_the_while() {
    let mut m = Module::new("test");
    let types = [i32_scalar(), stacked(6), i32_scalar(), scalar(), stacked(6)];
    let cond = build(&mut m, "cond", &types, |e, p| vec![e.compare(Direction::Lt, p[2], p[0])]);
    let body = build(&mut m, "body", &types, |e, p| {
        let x = read(e, p[1], p[2]);
        let (h, y) = step(e, x, p[3]);
        let ys = write(e, p[4], y, p[2]);
        let one = int(e, 1.0);
        vec![e.add(p[2], one), h, ys]
    });
    let f = build(&mut m, "main", &[scalar(), stacked(6), stacked(6), i32_scalar()], |e, p| {
        let zero = int(e, 0.0);
        let op = While { cond, body, consts: 2, stacks: 0, counted: false };
        let o = e.emit(op.into(), &[p[3], p[1], zero, p[0], p[2]]);
        vec![o[1], o[2]]
    });
    let xs = Array::new(&[6], &[0.3, -0.5, 0.9, 1.1, 0.2, -0.7]);
    let ys = Array::new(&[6], &[10.0, 11.0, 12.0, 13.0, 14.0, 15.0]);
    let g = raise(&mut m, f);
    assert_eq!(count_ops(&m, g, &|op| matches!(op, Op::While(_))), 1);
    for limit in [0, 1, 4] {
        let args = [Array::scalar(0.4), xs.clone(), ys.clone(), Array::scalar(limit)];
        support::check_forms(&mut m, f, &args, "unknown limit");
        support::check_second_order(&mut m, f, &args, "unknown limit");
    }
}

/// Loops within loops, as deep as text may nest them.
#[test]
fn deep_nesting_costs_no_more_than_its_depth() {
    let mut m = Module::new("test");
    let types = [scalar(), scalar()];
    let mut body = build(&mut m, "innermost", &types, |e, p| {
        let s = e.mul(p[0], p[1]);
        vec![e.unary(UnaryOp::Sine, s), p[0]]
    });
    for _ in 0..60 {
        let op = wengert_ir::op::Scan { body, consts: 0, carry: 2, reverse: false, length: 1 };
        body = build(&mut m, "outer", &types, |e, p| e.emit(op.into(), p).to_vec());
    }
    let args = [Array::scalar(0.3), Array::scalar(0.9)];
    let f = raise(&mut m, body);
    assert_eq!(run(&m, f, &args), run(&m, body, &args));
    support::check_raised_gradients(&mut m, body, f, &args, "deep");
}

/// As JAX serializes programs: the constants of all regions are at the beginning of the function.
const CONSTANTS_OUTSIDE: &str = "
    func.func @main(%xs: tensor<6xf64>, %h: tensor<f64>, %ys: tensor<6xf64>) -> (tensor<f64>, tensor<6xf64>) {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %two = stablehlo.constant dense<2> : tensor<i32>
      %six = stablehlo.constant dense<6> : tensor<i32>
      %half = stablehlo.constant dense<0.5> : tensor<f64>
      %halves = stablehlo.broadcast_in_dim %half, dims = [] : (tensor<f64>) -> tensor<1xf64>
      %o:3 = stablehlo.while(%i = %zero, %c = %h, %out = %ys) : tensor<i32>, tensor<f64>, tensor<6xf64>
      cond {
        %more = stablehlo.compare LT, %i, %six, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %more : tensor<i1>
      } do {
        %row = stablehlo.dynamic_slice %xs, %i, sizes = [1] : (tensor<6xf64>, tensor<i32>) -> tensor<1xf64>
        %scaled = stablehlo.multiply %row, %halves : tensor<1xf64>
        %x = stablehlo.reshape %scaled : (tensor<1xf64>) -> tensor<f64>
        %n:2 = stablehlo.while(%k = %zero, %d = %c) : tensor<i32>, tensor<f64>
        cond {
          %more = stablehlo.compare LT, %k, %two, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %more : tensor<i1>
        } do {
          %a = stablehlo.multiply %d, %half : tensor<f64>
          %b = stablehlo.add %a, %x : tensor<f64>
          %next = stablehlo.add %one, %k : tensor<i32>
          stablehlo.return %next, %b : tensor<i32>, tensor<f64>
        }
        %odd = stablehlo.remainder %i, %two : tensor<i32>
        %e = \"stablehlo.case\"(%odd) ({
          %s = stablehlo.multiply %n#1, %half : tensor<f64>
          stablehlo.return %s : tensor<f64>
        }, {
          %s = stablehlo.sine %n#1 : tensor<f64>
          stablehlo.return %s : tensor<f64>
        }) : (tensor<i32>) -> tensor<f64>
        %y = stablehlo.reshape %e : (tensor<f64>) -> tensor<1xf64>
        %rows = stablehlo.dynamic_update_slice %out, %y, %i : (tensor<6xf64>, tensor<1xf64>, tensor<i32>) -> tensor<6xf64>
        %next = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %next, %e, %rows : tensor<i32>, tensor<f64>, tensor<6xf64>
      }
      return %o#1, %o#2 : tensor<f64>, tensor<6xf64>
    }";

#[test]
fn constants_outside() {
    let mut m = wengert_ir::text::parse(CONSTANTS_OUTSIDE).unwrap_or_else(|e| panic!("{e}"));
    let f = m.find("main").expect("it is there");
    let g = raise(&mut m, f);
    check("constants outside", m.clone(), f, 0);
    // No region takes one: what it takes are values of the loop around it.
    let taken = count_ops(&m, g, &|op| matches!(op, Op::Scan(s) if s.consts > 1));
    assert_eq!(taken, 0, "{}", wengert_ir::text::print(&m, &Default::default()));
    let captures = |op: &Op| match op {
        Op::Case(c) => m.get(c.branches[0]).params.len() == 1,
        _ => false,
    };
    assert_eq!(count_ops(&m, g, &captures), 1);
}

/// JAX's `fori_loop` counts twice, and other counters move by other steps; rows are read and written by them.
const COUNTERS: &str = "func.func @main(%xs: tensor<6xf64>, %h: tensor<f64>, %ys: tensor<6xf64>) -> (tensor<i32>, tensor<i64>, tensor<ui8>, tensor<f64>, tensor<6xf64>) {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %first = stablehlo.constant dense<1> : tensor<i32>
      %top = stablehlo.constant dense<9> : tensor<i64>
      %odd = stablehlo.constant dense<250> : tensor<ui8>
      %o:6 = stablehlo.while(%i = %zero, %j = %first, %k = %top, %u = %odd, %c = %h, %buffer = %ys) : tensor<i32>, tensor<i32>, tensor<i64>, tensor<ui8>, tensor<f64>, tensor<6xf64>
      cond {
        %five = stablehlo.constant dense<5> : tensor<i32>
        %more = stablehlo.compare LT, %i, %five, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %more : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %two = stablehlo.constant dense<2> : tensor<i64>
        %byte = stablehlo.constant dense<STEP> : tensor<ui8>
        %row = stablehlo.dynamic_slice %xs, %j, sizes = [1] : (tensor<6xf64>, tensor<i32>) -> tensor<1xf64>
        %x = stablehlo.reshape %row : (tensor<1xf64>) -> tensor<f64>
        %near = stablehlo.convert %k : (tensor<i64>) -> tensor<f64>
        %far = stablehlo.convert %u : (tensor<ui8>) -> tensor<f64>
        %sum = stablehlo.add %near, %far : tensor<f64>
        %product = stablehlo.multiply %sum, %x : tensor<f64>
        %d = stablehlo.add %c, %product : tensor<f64>
        %wide = stablehlo.reshape %d : (tensor<f64>) -> tensor<1xf64>
        %written = stablehlo.dynamic_update_slice %buffer, %wide, %j : (tensor<6xf64>, tensor<1xf64>, tensor<i32>) -> tensor<6xf64>
        %i2 = stablehlo.add %i, %one : tensor<i32>
        %j2 = stablehlo.add %one, %j : tensor<i32>
        %k2 = stablehlo.subtract %k, %two : tensor<i64>
        %u2 = stablehlo.add %u, %byte : tensor<ui8>
        stablehlo.return %i2, %j2, %k2, %u2, %d, %written : tensor<i32>, tensor<i32>, tensor<i64>, tensor<ui8>, tensor<f64>, tensor<6xf64>
      }
      return %o#1, %o#2, %o#3, %o#4, %o#5 : tensor<i32>, tensor<i64>, tensor<ui8>, tensor<f64>, tensor<6xf64>
    }";

#[test]
fn other_counters() {
    // With the larger step the last number would wrap: that one is carried.
    for (step, carried) in [("1", 1), ("2", 2)] {
        let source = COUNTERS.replace("STEP", step);
        let mut m = wengert_ir::text::parse(&source).unwrap_or_else(|e| panic!("{e}"));
        let f = m.find("main").expect("it is there");
        check("other counters", m.clone(), f, 0);
        let g = raise(&mut m, f);
        let scans = count_ops(&m, g, &|op| matches!(op, Op::Scan(s) if s.carry == carried));
        assert_eq!(scans, 1, "{}", wengert_ir::text::print(&m, &Default::default()));
    }
}

/// What needs a constant in memory would fill it again in every trip.
#[test]
fn large_constants_stay_outside() {
    for (rows, inside) in [(16, true), (17, false)] {
        let source = format!(
            "func.func @main(%h: tensor<4xf64>) -> tensor<4xf64> {{
               %zero = stablehlo.constant dense<0> : tensor<i32>
               %one = stablehlo.constant dense<1> : tensor<i32>
               %three = stablehlo.constant dense<3> : tensor<i32>
               %table = stablehlo.constant dense<0.5> : tensor<{rows}x4xf64>
               %o:2 = stablehlo.while(%i = %zero, %c = %h) : tensor<i32>, tensor<4xf64>
               cond {{
                 %more = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
                 stablehlo.return %more : tensor<i1>
               }} do {{
                 %row = stablehlo.dynamic_slice %table, %i, %zero, sizes = [1, 4] : (tensor<{rows}x4xf64>, tensor<i32>, tensor<i32>) -> tensor<1x4xf64>
                 %x = stablehlo.reshape %row : (tensor<1x4xf64>) -> tensor<4xf64>
                 %next = stablehlo.multiply %c, %x : tensor<4xf64>
                 %j = stablehlo.add %i, %one : tensor<i32>
                 stablehlo.return %j, %next : tensor<i32>, tensor<4xf64>
               }}
               return %o#1 : tensor<4xf64>
             }}"
        );
        let mut m = wengert_ir::text::parse(&source).unwrap_or_else(|e| panic!("{e}"));
        let f = m.find("main").expect("it is there");
        let g = raise(&mut m, f);
        assert_eq!(count_ops(&m, g, &|op| matches!(op, Op::While(_))), 0);
        let in_loops = |op: &Op| match op {
            Op::Scan(s) => m
                .get(s.body)
                .insts
                .values()
                .any(|i| matches!(&i.op, Op::Constant(c) if c.value.ty().shape.len() == 2)),
            _ => false,
        };
        assert_eq!(count_ops(&m, g, &in_loops), usize::from(inside), "{rows} rows");
        let h = [Array::new(&[4], &[1.0, 2.0, -3.0, 0.5])];
        assert_eq!(run(&m, f, &h), run(&m, g, &h));
    }
}

/// What few operations make of constants reaches the loop too, and so do rows of what is the same everywhere.
#[test]
fn what_is_made_of_constants_reaches_loops() {
    let source = "func.func @main(%h: tensor<f64>) -> (tensor<f64>, tensor<6xf64>) {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %half = stablehlo.constant dense<0.5> : tensor<f64>
      %two = stablehlo.constant dense<2.0> : tensor<f64>
      %exponent = stablehlo.multiply %half, %two : tensor<f64>
      %ones = stablehlo.broadcast_in_dim %exponent, dims = [] : (tensor<f64>) -> tensor<6xf64>
      %ys = stablehlo.constant dense<0.0> : tensor<6xf64>
      %o:3 = stablehlo.while(%i = %zero, %c = %h, %out = %ys) : tensor<i32>, tensor<f64>, tensor<6xf64>
      cond {
        %six = stablehlo.constant dense<6> : tensor<i32>
        %more = stablehlo.compare LT, %i, %six, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %more : tensor<i1>
      } do {
        %row = stablehlo.dynamic_slice %ones, %i, sizes = [1] : (tensor<6xf64>, tensor<i32>) -> tensor<1xf64>
        %x = stablehlo.reshape %row : (tensor<1xf64>) -> tensor<f64>
        %p = stablehlo.power %c, %exponent : tensor<f64>
        %q = stablehlo.power %p, %x : tensor<f64>
        %d = stablehlo.sine %q : tensor<f64>
        %wide = stablehlo.reshape %d : (tensor<f64>) -> tensor<1xf64>
        %written = stablehlo.dynamic_update_slice %out, %wide, %i : (tensor<6xf64>, tensor<1xf64>, tensor<i32>) -> tensor<6xf64>
        %next = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %next, %d, %written : tensor<i32>, tensor<f64>, tensor<6xf64>
      }
      return %o#1, %o#2 : tensor<f64>, tensor<6xf64>
    }";
    let mut m = wengert_ir::text::parse(source).unwrap_or_else(|e| panic!("{e}"));
    let f = m.find("main").expect("it is there");
    let g = Pipeline::parse(DEFAULT).expect("passes").run(&mut m, f, &mut |_| ());
    let text = wengert_ir::text::print(&m, &Default::default());
    // A power of one is nothing, which only shows where the exponent is seen.
    assert_eq!(count_ops(&m, g, &|op| matches!(op, Op::Binary(BinaryOp::Power))), 0, "{text}");
    assert_eq!(
        count_ops(&m, g, &|op| matches!(op, Op::Scan(s) if s.carry == 1 && s.consts == 0)),
        1,
        "{text}"
    );
    let h = [Array::scalar(0.75)];
    assert_eq!(run(&m, f, &h), run(&m, g, &h));
}
