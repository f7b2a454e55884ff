//! What compiled programs are made of: loops, stores, kernels of several threads, bytes. Results would be the same if nothing
//! were fused, shared, computed again or shared out; these counts would not.

use wengert::{DType, Lowered, Tensor, Traced, jit, scan, value_and_grad};
use wengert_ir::kernel::{Block, Extent, KOp, Library, LoopKind, Place, Program, sections};

/// What a program does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Counts {
    /// Loops, those inside of others included.
    loops: usize,
    /// Instructions that write an element.
    stores: usize,
    /// Calls that several threads share.
    parallel: usize,
    /// Calls of functions of the math library, in loops or over tiles.
    math: usize,
    /// Matrix products.
    products: usize,
    /// Bytes of scratch memory.
    scratch: usize,
}

fn count(program: &Program) -> Counts {
    fn block(of: &Block, counts: &mut Counts) {
        for inst in &of.insts {
            match &inst.op {
                KOp::For(_) => counts.loops += 1,
                KOp::Store(_) => counts.stores += 1,
                KOp::Parallel { .. } => counts.parallel += 1,
                KOp::Math(_) | KOp::Math2(_) => counts.math += 1,
                KOp::Library(library) => match &**library {
                    Library::Gemm { .. } => counts.products += 1,
                    Library::Tile { .. } | Library::Tile2 { .. } => counts.math += 1,
                    Library::Reference { .. } => panic!("left to the interpreter"),
                    Library::Section(_) => {}
                },
                _ => {}
            }
            inst.op.blocks().for_each(|b| block(b, counts));
        }
    }
    let mut counts = Counts { scratch: program.scratch, ..Counts::default() };
    program.kernels.values().for_each(|k| block(&k.body, &mut counts));
    counts
}

fn numbers(shape: &[usize]) -> Tensor {
    let n: usize = shape.iter().product();
    let values: Vec<f32> = (0..n).map(|k| ((k * 37) % 101) as f32 * 0.02 - 1.0).collect();
    Tensor::new(shape, &values)
}

fn lowered(f: impl Fn(Vec<Tensor>) -> Tensor + Send + Sync + 'static, shapes: &[&[usize]]) -> Lowered {
    let args: Vec<Tensor> = shapes.iter().map(|s| numbers(s)).collect();
    jit(f).trace((args,)).and_then(|t| t.lower()).expect("lowers")
}

fn counts(f: impl Fn(Vec<Tensor>) -> Tensor + Send + Sync + 'static, shapes: &[&[usize]]) -> Counts {
    count(lowered(f, shapes).program())
}

/// A chain of operations, and its gradient, are one loop that computes each function once and stores nothing but the result.
#[test]
fn chains_are_one_loop() {
    let one = |math| Counts { loops: 1, stores: 1, math, ..Counts::default() };
    assert_eq!(counts(chain, &[&[1000], &[1000]]), one(3));
    let gradient =
        |x: Vec<Tensor>| value_and_grad(|x: Tensor| (x.sin() * x.exp() + 1.0).log().sum())(x[0].clone()).1;
    assert_eq!(counts(gradient, &[&[1000]]), one(3));
}

/// Rows of few columns that go on into each other are walked as one, 16 of them at a time; those that do not (of a
/// factor for each column) are not.
#[test]
fn sums_of_few_columns_walk_rows_as_one() {
    let widest = |f: fn(Vec<Tensor>) -> Tensor, shapes: &[&[usize]]| {
        let lowered = lowered(f, shapes);
        let mut most = 0;
        for kernel in lowered.program().kernels.values() {
            kernel.body.visit(&mut |inst| {
                if let KOp::For(l) = &inst.op
                    && let (LoopKind::Vector, Extent::Const(end)) = (&l.kind, l.end)
                {
                    most = most.max(end);
                }
            });
        }
        most
    };
    assert_eq!(widest(|x| x[0].exp().sum_axis(0), &[&[1000, 10]]), 160);
    assert_eq!(widest(|x| (&x[0] * &x[1]).sum_axis(0), &[&[1000, 10], &[1000, 10]]), 160);
    assert_eq!(widest(|x| (&x[0] * &x[1]).exp().sum_axis(0), &[&[1000, 10], &[10]]), 10);
}

/// A filter reads its windows where they lie, however long the signal is: no table of places, and no array of windows.
#[test]
fn filters_read_windows_where_they_lie() {
    let text = "func.func @main(%x: tensor<1x1x4096xf32>, %k: tensor<1x1x63xf32>) -> tensor<1x1x4096xf32> {
        %y = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {pad = [[31, 31]]}
          {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
          : (tensor<1x1x4096xf32>, tensor<1x1x63xf32>) -> tensor<1x1x4096xf32>
        return %y : tensor<1x1x4096xf32>
      }";
    let lowered = Traced::parse(text, None).and_then(|t| t.lower()).expect("lowers");
    let program = lowered.program();
    let constants = program.mems.values().filter(|m| matches!(m.place, Place::Constant(_)));
    let bytes = constants.map(|m| m.bytes()).sum::<usize>() + program.scratch;
    assert!(bytes < 2 * 4 * (4096 + 62), "{bytes}");
}

/// What surrounds a reduction or a product is part of loops beside it: no more memory than its result takes.
#[test]
fn surroundings_are_fused() {
    let norm = counts(|x| &x[0] / x[0].square().sum().sqrt(), &[&[1000]]);
    assert!(norm.stores == 1 && norm.scratch == 0, "{norm:?}");
    let layer = counts(|x| (x[0].matmul(&x[1]) + &x[2]).tanh(), &[&[64, 100], &[100, 80], &[80]]);
    assert_eq!((layer.products, layer.stores, layer.scratch), (1, 1, 64 * 80 * 4), "{layer:?}");
}

/// Loops over many elements are shared by threads, those over few are not.
#[test]
fn large_loops_are_shared_out() {
    let sum = |x: Vec<Tensor>| (x[0].sin() * &x[1]).sum();
    for (few, many) in [
        (counts(chain, &[&[1000], &[1000]]), counts(chain, &[&[1 << 20], &[1 << 20]])),
        (counts(sum, &[&[100], &[100]]), counts(sum, &[&[1 << 20], &[1 << 20]])),
    ] {
        assert_eq!((few.parallel, many.parallel), (0, 1), "{few:?} {many:?}");
    }
}

/// Of what a trip computes the reverse pass keeps the carry alone where the rest follows from it: a row per trip.
#[test]
fn trips_save_what_the_rest_follows_from() {
    let width = 2000;
    let trips = counts(|x| value_and_grad(trips)(x[0].clone()).1, &[&[width]]);
    let rows = trips.scratch / (width * 4);
    assert!((20..=23).contains(&rows), "{rows} rows for 20 trips: {trips:?}");
}

/// The same where each step of what follows is too costly to be repeated for its own sake: all of it is not, for all that it saves.
#[test]
fn trips_save_less_than_each_step_would() {
    let width = 2000;
    let trips = counts(|x| value_and_grad(divisions)(x[0].astype(DType::F64)).1, &[&[width]]);
    let rows = trips.scratch / (width * 8);
    assert!((20..=24).contains(&rows), "{rows} rows for 20 trips: {trips:?}");
}

fn chain(x: Vec<Tensor>) -> Tensor {
    let y = (&x[0] * 2.0 + &x[1]).sin();
    let z = (&y * &y - &x[1]).exp() + &y;
    z.tanh() * &x[0] + y
}

/// Twenty trips, each of which could save many values of the width.
fn trips(x: Tensor) -> Tensor {
    let xs = Tensor::arange(20, DType::F32) * 0.01;
    let step = |c: Tensor, t: Tensor| {
        let a = (&c * 1.1 + &t) * &c;
        let b = (&a + 0.5) * &a * 0.3;
        let d = (&b - &a) * &b;
        ((&d * &a + &b * &c) * 0.1 + &c, ())
    };
    scan(step, x, xs).0.sum()
}

/// Twenty trips with divisions and roots.
fn divisions(x: Tensor) -> Tensor {
    let xs = Tensor::arange(20, DType::F64) * 0.01;
    let step = |c: Tensor, t: Tensor| {
        let a = (&c * 1.1 + &t) / (&c * &c + 1.0);
        let b = (&a * &a + 1.0).sqrt();
        let d = &b / (&a + 3.0);
        (&d / (&b + &c + 5.0) + &c, ())
    };
    scan(step, x, xs).0.sum()
}

/// A loop that reads and writes a row of what it carries has a reverse mode that touches a row on each trip, not all of it.
#[test]
fn the_reverse_mode_of_updates_touches_what_they_touch() {
    let text = "func.func @main(%p: tensor<64x100xf32>) -> tensor<f32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %0:2 = stablehlo.while(%i = %zero, %x = %p) : tensor<i32>, tensor<64x100xf32>
      cond {
        %last = stablehlo.constant dense<63> : tensor<i32>
        %c = stablehlo.compare LT, %i, %last, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %none = stablehlo.constant dense<0> : tensor<i32>
        %one = stablehlo.constant dense<1> : tensor<i32>
        %row = stablehlo.dynamic_slice %x, %i, %none, sizes = [1, 100] : (tensor<64x100xf32>, tensor<i32>, tensor<i32>) -> tensor<1x100xf32>
        %new = stablehlo.multiply %row, %row : tensor<1x100xf32>
        %next = stablehlo.add %i, %one : tensor<i32>
        %y = stablehlo.dynamic_update_slice %x, %new, %next, %none : (tensor<64x100xf32>, tensor<1x100xf32>, tensor<i32>, tensor<i32>) -> tensor<64x100xf32>
        stablehlo.return %next, %y : tensor<i32>, tensor<64x100xf32>
      }
      %1 = stablehlo.slice %0#1 [63:64, 0:1] : (tensor<64x100xf32>) -> tensor<1x1xf32>
      %2 = stablehlo.reshape %1 : (tensor<1x1xf32>) -> tensor<f32>
      return %2 : tensor<f32>
    }";
    let function = Traced::parse(text, None).expect("a program");
    let gradient = function.value_and_grad(&[0]).expect("it has a gradient");
    let operations = |program: &Traced| {
        let lowered = program.lower().expect("lowers");
        let program = lowered.program();
        sections::of(program, program.entry, &program.kernels[program.entry].body.insts).operations
    };
    let (forward, both) = (operations(&function), operations(&gradient));
    // 63 trips of all 6,400 elements would be 400,000 operations for each time they are walked.
    assert!(both < 8 * forward && both < 200_000, "{forward} {both}");
    let x = numbers(&[64, 100]);
    let compiled = gradient
        .lower()
        .and_then(|l| l.compile())
        .and_then(|c| c.call(std::slice::from_ref(&x)))
        .expect("runs");
    let interpreted = gradient.interpret(&[x]).expect("runs");
    for (a, b) in compiled.iter().zip(&interpreted) {
        assert_eq!(a.to_vec::<f32>(), b.to_vec::<f32>());
    }
}
