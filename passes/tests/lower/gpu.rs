//! Programs for a GPU: how many launches, what a thread does, what the host reads back; and the same results where launches of
//! few threads take several elements each.

use crate::Agreement::{Bits, Relative};
use crate::corpus::cases;
use crate::{EVERY, check_body};
use wengert_ir::func::{FuncId, Module};
use wengert_ir::kernel::{KOp, Library, Program, verify::verify};
use wengert_passes::ad;
use wengert_passes::cost::Target;
use wengert_passes::dce::dce;
use wengert_passes::inline::inline_calls;
use wengert_passes::legalize::legalize;
use wengert_passes::lower::{Options, lower};
use wengert_passes::raise::raise;

/// What is in a program for a GPU.
#[derive(Debug, Default, PartialEq, Eq, Clone)]
struct Counts {
    launches: usize,
    /// Of these, of one thread.
    single: usize,
    /// Loads and stores of the host.
    reads: usize,
    writes: usize,
    /// Calls of libraries: products, and what the reference interpreter computes.
    products: usize,
    references: usize,
    barriers: usize,
    shuffles: usize,
}

fn counts(program: &Program) -> Counts {
    let mut c = Counts::default();
    for (id, kernel) in program.kernels.iter() {
        let is_host = id == program.entry;
        kernel.body.visit(&mut |inst| match &inst.op {
            KOp::Launch { block, .. } => {
                c.launches += 1;
                c.single += usize::from(*block == [1; 3]);
            }
            KOp::Load(_) if is_host => c.reads += 1,
            KOp::Store(_) if is_host => c.writes += 1,
            KOp::Barrier => c.barriers += 1,
            KOp::Shuffle(_) => c.shuffles += 1,
            KOp::Library(library) => match &**library {
                Library::Gemm { .. } => c.products += 1,
                Library::Reference { .. } => c.references += 1,
                Library::Tile { .. } | Library::Tile2 { .. } | Library::Section(_) => {
                    panic!("not for a device")
                }
            },
            _ => {}
        });
    }
    c
}

fn gpu(m: &Module, f: FuncId) -> Program {
    let options = Options { contract: false, target: &Target::GPU, ..Options::default() };
    let program = lower(m, f, &options).unwrap_or_else(|e| panic!("{e}"));
    verify(&program).unwrap_or_else(|e| panic!("{}\n{program}", e.join("\n")));
    program
}

fn lowered(signature: &str, body: &str) -> Program {
    let text = format!("func.func public @main{signature} {{\n{body}\n}}\n");
    let m = wengert_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e}"));
    gpu(&m, m.find("main").expect("it is there"))
}

/// Loads and stores of one kernel's text.
fn accesses(program: &Program, kernel: usize) -> (usize, usize) {
    let (mut loads, mut stores) = (0, 0);
    let kernel = program.kernels.values().nth(kernel).expect("it is there");
    kernel.body.visit(&mut |inst| match inst.op {
        KOp::Load(_) => loads += 1,
        KOp::Store(_) => stores += 1,
        _ => {}
    });
    (loads, stores)
}

#[test]
fn a_chain_of_elementwise_operations_is_one_launch() {
    let program = lowered(
        "(%x: tensor<64x1024xf32>, %s: tensor<f32>) -> tensor<64x1024xf32>",
        "%0 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<64x1024xf32>
         %1 = stablehlo.multiply %x, %0 : tensor<64x1024xf32>
         %2 = stablehlo.tanh %1 : tensor<64x1024xf32>
         %3 = stablehlo.add %2, %x : tensor<64x1024xf32>
         return %3 : tensor<64x1024xf32>",
    );
    assert_eq!(counts(&program), Counts { launches: 1, ..Counts::default() }, "{program}");
    // The element and the scalar; no bound check, for 65,536 elements are 256 blocks.
    assert_eq!(accesses(&program, 0), (2, 1), "{program}");
    let text = program.to_string();
    assert!(text.contains("blocks(256, 1, 1) threads(256, 1, 1)"), "{text}");
    assert!(!text.contains("scf.for"), "{text}");
}

#[test]
fn reductions_are_one_launch_for_each_step_of_their_order() {
    let reduce = |shape: &str, out: &str, dim: &str| {
        let body = format!(
            "%c = stablehlo.constant dense<0.0> : tensor<f32>
             %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [{dim}] : \
             (tensor<{shape}xf32>, tensor<f32>) -> tensor<{out}f32>
             return %0 : tensor<{out}f32>"
        );
        lowered(&format!("(%x: tensor<{shape}xf32>) -> tensor<{out}f32>"), &body)
    };
    // Rows of one block, by half-warps: no memory is shared.
    let rows = counts(&reduce("1000x512", "1000x", "1"));
    assert_eq!(rows, Counts { launches: 1, shuffles: 4, ..Counts::default() });
    // Rows of two blocks: then a thread a row.
    let long = counts(&reduce("1000x1024", "1000x", "1"));
    assert_eq!(long, Counts { launches: 2, shuffles: 4, ..Counts::default() });
    // Columns: 16 threads a column, through workgroup memory.
    let columns = counts(&reduce("512x1000", "1000x", "0"));
    assert_eq!(columns, Counts { launches: 1, barriers: 1, ..Counts::default() });
    // All of it: 2,000 blocks, whose totals one block of threads combines in 11 halvings.
    let whole = counts(&reduce("1024000", "", "0"));
    assert_eq!(whole, Counts { launches: 2, shuffles: 4, barriers: 11, ..Counts::default() });
    // Few elements each: a thread a result.
    let few = counts(&reduce("10000x3", "10000x", "1"));
    assert_eq!(few, Counts { launches: 1, ..Counts::default() });
}

/// Sizes around blocks of 512, halvings that are not whole, rows and columns, with few threads and with many.
#[test]
fn reductions_keep_their_order_on_a_device() {
    for (shape, dims) in [
        ("5x511", "1"),
        ("3x513", "1"),
        ("2x1537", "1"),
        ("17x40", "1"),
        ("2x9000", "1"),
        ("513x33", "0"),
        ("1025x5", "0"),
        ("8705x2", "0"),
        ("7x30x11", "0, 2"),
        ("7x30x11", "1"),
        ("20x5x40", "0, 1, 2"),
        ("12x30", "1"),
    ] {
        let sizes: Vec<usize> = shape.split('x').map(|n| n.parse().unwrap()).collect();
        let reduced: Vec<usize> = dims.split(", ").map(|n| n.parse().unwrap()).collect();
        let kept = (0..sizes.len()).filter(|d| !reduced.contains(d));
        let out: String = kept.map(|d| format!("{}x", sizes[d])).collect();
        for (op, init, ty) in
            [("add", "0.5", "f32"), ("multiply", "1.0", "f64"), ("maximum", "0xFF800000", "f32")]
        {
            check_body(
                &format!("(%x: tensor<{shape}x{ty}>) -> (tensor<{out}{ty}>, tensor<{shape}x{ty}>)"),
                &format!(
                    "%c = stablehlo.constant dense<{init}> : tensor<{ty}>
                     %y = stablehlo.multiply %x, %x : tensor<{shape}x{ty}>
                     %0 = stablehlo.reduce(%y init: %c) applies stablehlo.{op} across dimensions = [{dims}] : \
                     (tensor<{shape}x{ty}>, tensor<{ty}>) -> tensor<{out}{ty}>
                     return %0, %y : tensor<{out}{ty}>, tensor<{shape}x{ty}>"
                ),
                Bits,
            );
        }
    }
}

const LORENZ: &str = "func.func public @main(%x: tensor<f64>, %y: tensor<f64>, %z: tensor<f64>) -> tensor<f64> {
  %i0 = stablehlo.constant dense<0> : tensor<i64>
  %0:4 = stablehlo.while(%i = %i0, %a = %x, %b = %y, %c = %z) : tensor<i64>, tensor<f64>, tensor<f64>, tensor<f64>
  cond {
    %n = stablehlo.constant dense<TRIPS> : tensor<i64>
    %go = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i64>
    %dt = stablehlo.constant dense<0.01> : tensor<f64>
    %s = stablehlo.constant dense<10.0> : tensor<f64>
    %r = stablehlo.constant dense<28.0> : tensor<f64>
    %t = stablehlo.constant dense<2.6666666666666665> : tensor<f64>
    %1 = stablehlo.subtract %b, %a : tensor<f64>
    %2 = stablehlo.multiply %s, %1 : tensor<f64>
    %3 = stablehlo.subtract %r, %c : tensor<f64>
    %4 = stablehlo.multiply %a, %3 : tensor<f64>
    %5 = stablehlo.subtract %4, %b : tensor<f64>
    %6 = stablehlo.multiply %a, %b : tensor<f64>
    %7 = stablehlo.multiply %t, %c : tensor<f64>
    %8 = stablehlo.subtract %6, %7 : tensor<f64>
    %9 = stablehlo.multiply %dt, %2 : tensor<f64>
    %10 = stablehlo.multiply %dt, %5 : tensor<f64>
    %11 = stablehlo.multiply %dt, %8 : tensor<f64>
    %12 = stablehlo.add %a, %9 : tensor<f64>
    %13 = stablehlo.add %b, %10 : tensor<f64>
    %14 = stablehlo.add %c, %11 : tensor<f64>
    %15 = stablehlo.add %i, %one : tensor<i64>
    stablehlo.return %15, %12, %13, %14 : tensor<i64>, tensor<f64>, tensor<f64>, tensor<f64>
  }
  %20 = stablehlo.add %0#1, %0#2 : tensor<f64>
  %21 = stablehlo.add %20, %0#3 : tensor<f64>
  return %21 : tensor<f64>
}
";

/// Value and gradient of a function, as lowering takes it.
fn gradient(m: &mut Module, f: FuncId) -> FuncId {
    let raised = raise(m, f);
    let func = m.get(raised);
    let float = |t: &wengert_ir::types::Type| t.as_tensor().is_some_and(|t| t.dtype.is_float());
    let wrt: Vec<bool> = func.param_types().iter().map(float).collect();
    let of: Vec<bool> = func.result_types().iter().map(float).collect();
    let g = ad::vjp(m, raised, &wrt, &of).expect("it has a derivative");
    let g = dce(m, g);
    let g = inline_calls(m, g);
    legalize(m, g)
}

/// A thousand steps of an equation and their reverse pass: one launch of one thread, and nothing is read back.
#[test]
fn a_gradient_of_a_thousand_steps_is_one_launch() {
    let mut m = wengert_ir::text::parse(&LORENZ.replace("TRIPS", "1000")).expect("it parses");
    let main = m.find("main").expect("it is there");
    let g = gradient(&mut m, main);
    let program = gpu(&m, g);
    assert_eq!(counts(&program), Counts { launches: 1, single: 1, ..Counts::default() }, "{program}");
}

/// Loops that the host drives: it reads back what decides, and nothing else.
#[test]
fn the_host_reads_what_decides() {
    let while_loop = |n: usize| {
        format!(
            "%k = stablehlo.constant dense<0.5> : tensor<{n}xf32>
             %zero = stablehlo.constant dense<0.0> : tensor<f32>
             %0 = stablehlo.while(%a = %x) : tensor<{n}xf32>
             cond {{
               %s = stablehlo.reduce(%a init: %zero) applies stablehlo.maximum across dimensions = [0] : \
               (tensor<{n}xf32>, tensor<f32>) -> tensor<f32>
               %one = stablehlo.constant dense<0.125> : tensor<f32>
               %go = stablehlo.compare GT, %s, %one : (tensor<f32>, tensor<f32>) -> tensor<i1>
               stablehlo.return %go : tensor<i1>
             }} do {{
               %1 = stablehlo.multiply %a, %k : tensor<{n}xf32>
               stablehlo.return %1 : tensor<{n}xf32>
             }}
             return %0 : tensor<{n}xf32>"
        )
    };
    for (n, reads) in [(100_000, 1), (64, 0)] {
        let signature = format!("(%x: tensor<{n}xf32>) -> tensor<{n}xf32>");
        let program = lowered(&signature, &while_loop(n));
        let c = counts(&program);
        assert_eq!((c.reads, c.writes), (reads, 0), "{program}");
        if reads == 0 {
            assert_eq!(c.launches, 1, "{program}");
        }
    }
    check_body("(%x: tensor<3000xf32>) -> tensor<3000xf32>", &while_loop(3000), Bits);
    check_body("(%x: tensor<40xf32>) -> tensor<40xf32>", &while_loop(40), Bits);
}

/// What loops of the host carry: scalars of the device that change places, counters, rows.
#[test]
fn scalars_of_the_device_are_carried_in_slots() {
    let n = 2000;
    check_body(
        &format!("(%x: tensor<{n}xf32>, %p: tensor<f32>, %q: tensor<f32>) -> (tensor<{n}xf32>, tensor<f32>, tensor<f32>)"),
        &format!(
            "%i0 = stablehlo.constant dense<0> : tensor<i32>
             %zero = stablehlo.constant dense<0.0> : tensor<f32>
             %0:4 = stablehlo.while(%i = %i0, %a = %x, %u = %p, %v = %q) : tensor<i32>, tensor<{n}xf32>, tensor<f32>, tensor<f32>
             cond {{
               %m = stablehlo.constant dense<3> : tensor<i32>
               %go = stablehlo.compare LT, %i, %m, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
               stablehlo.return %go : tensor<i1>
             }} do {{
               %one = stablehlo.constant dense<1> : tensor<i32>
               %j = stablehlo.add %i, %one : tensor<i32>
               %b = stablehlo.broadcast_in_dim %u, dims = [] : (tensor<f32>) -> tensor<{n}xf32>
               %1 = stablehlo.multiply %a, %b : tensor<{n}xf32>
               %s = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0] : \
               (tensor<{n}xf32>, tensor<f32>) -> tensor<f32>
               %w = stablehlo.tanh %s : tensor<f32>
               %2 = stablehlo.add %v, %w : tensor<f32>
               stablehlo.return %j, %1, %2, %u : tensor<i32>, tensor<{n}xf32>, tensor<f32>, tensor<f32>
             }}
             return %0#1, %0#2, %0#3 : tensor<{n}xf32>, tensor<f32>, tensor<f32>"
        ),
        Bits,
    );
}

/// Branches on the device's data with large and small bodies.
#[test]
fn branches_on_a_device() {
    for n in [5, 3000] {
        check_body(
            &format!("(%x: tensor<{n}xf32>, %p: tensor<f32>) -> (tensor<{n}xf32>, tensor<f32>)"),
            &format!(
                "%zero = stablehlo.constant dense<0.0> : tensor<f32>
                 %c = stablehlo.compare GT, %p, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
                 %0:2 = \"stablehlo.if\"(%c) ({{
                   %1 = stablehlo.exponential %x : tensor<{n}xf32>
                   %2 = stablehlo.negate %p : tensor<f32>
                   stablehlo.return %1, %2 : tensor<{n}xf32>, tensor<f32>
                 }}, {{
                   %3 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : \
                   (tensor<{n}xf32>, tensor<f32>) -> tensor<f32>
                   stablehlo.return %x, %3 : tensor<{n}xf32>, tensor<f32>
                 }}) : (tensor<i1>) -> (tensor<{n}xf32>, tensor<f32>)
                 return %0#0, %0#1 : tensor<{n}xf32>, tensor<f32>"
            ),
            Bits,
        );
    }
}

/// Products of slices at places that the device computed.
#[test]
fn products_of_slices() {
    check_body(
        "(%x: tensor<40x30xf64>, %y: tensor<30x20xf64>, %i: tensor<i32>) -> tensor<8x20xf64>",
        "%z = stablehlo.constant dense<0> : tensor<i32>
         %0 = stablehlo.dynamic_slice %x, %i, %z, sizes = [8, 30] : (tensor<40x30xf64>, tensor<i32>, tensor<i32>) -> tensor<8x30xf64>
         %1 = stablehlo.dot_general %0, %y, contracting_dims = [1] x [0] : (tensor<8x30xf64>, tensor<30x20xf64>) -> tensor<8x20xf64>
         return %1 : tensor<8x20xf64>",
        Relative(1e-13),
    );
}

/// Over the corpus: launches of a program, and how many programs read nothing back. Printed with `--nocapture`.
#[test]
fn the_corpus_in_figures() {
    let (mut programs, mut without, mut all, mut largest) = (0, 0, Counts::default(), (0, String::new()));
    let mut lines = Vec::new();
    for dir in cases() {
        let name = dir.file_name().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(dir.join("program.mlir")).expect("a program");
        let Ok(mut m) = wengert_ir::text::parse(&text) else { continue };
        let Some(main) = m.find("main") else { continue };
        let raised = raise(&mut m, main);
        let f = inline_calls(&mut m, raised);
        let f = legalize(&mut m, f);
        let program = gpu(&m, f);
        let c = counts(&program);
        programs += 1;
        without += usize::from(c.reads == 0 && c.references == 0);
        all.launches += c.launches;
        all.single += c.single;
        all.reads += c.reads;
        all.products += c.products;
        all.references += c.references;
        if c.launches > largest.0 {
            largest = (c.launches, name.clone());
        }
        lines.push(format!("{name}: {c:?}"));
    }
    eprintln!("{}", lines.join("\n"));
    eprintln!(
        "{programs} programs, {without} without read-back or reference; {all:?}; most launches {largest:?}"
    );
    assert!(without * 4 >= programs * 3, "{without} of {programs} programs read nothing back");
}

/// The target of the tests launches all it can: nothing but loops over rows of stacks and what the host decides remains.
#[test]
fn everything_can_be_launched() {
    assert!(EVERY.device.is_some_and(|d| d.alone == 0 && d.trip == 0));
}

/// What is read across goes through workgroup memory: one barrier, and each element is read and written once.
#[test]
fn a_transpose_goes_through_workgroup_memory() {
    for shape in [[64, 48], [100, 37], [33, 200]] {
        let [a, b] = shape;
        let signature = format!("(%x: tensor<{a}x{b}xf32>, %y: tensor<{b}x{a}xf32>) -> tensor<{b}x{a}xf32>");
        let body = format!(
            "%0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<{a}x{b}xf32>) -> tensor<{b}x{a}xf32>
             %1 = stablehlo.multiply %0, %y : tensor<{b}x{a}xf32>
             return %1 : tensor<{b}x{a}xf32>"
        );
        let program = lowered(&signature, &body);
        assert_eq!(counts(&program), Counts { launches: 1, barriers: 1, ..Counts::default() }, "{program}");
        assert_eq!(accesses(&program, 0), (3, 2), "{program}");
        check_body(&signature, &body, Bits);
    }
}

/// So does a part of a result that is read across, wherever in the result it lies.
#[test]
fn a_part_that_is_read_across() {
    for [a, b] in [[64, 48], [100, 37]] {
        for [low, left] in [[0, 0], [3, 0], [0, 5], [17, 33]] {
            let (rows, columns) = (b + low + 2, a + left + 1);
            let signature =
                format!("(%x: tensor<{a}x{b}xf32>, %y: tensor<{b}x{a}xf32>) -> tensor<{rows}x{columns}xf32>");
            let body = format!(
                "%z = stablehlo.constant dense<2.0> : tensor<f32>
                 %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<{a}x{b}xf32>) -> tensor<{b}x{a}xf32>
                 %1 = stablehlo.multiply %0, %y : tensor<{b}x{a}xf32>
                 %2 = stablehlo.pad %1, %z, low = [{low}, {left}], high = [2, 1], interior = [0, 0] :
                     (tensor<{b}x{a}xf32>, tensor<f32>) -> tensor<{rows}x{columns}xf32>
                 return %2 : tensor<{rows}x{columns}xf32>"
            );
            let program = lowered(&signature, &body);
            assert!(counts(&program).barriers >= 1, "{program}");
            check_body(&signature, &body, Bits);
        }
    }
}

/// Softmax over rows is one launch: a block of threads for each row, which lies in workgroup memory.
#[test]
fn softmax_is_one_launch() {
    for n in [64, 700, 1000] {
        let (row, all) = (format!("tensor<40x{n}xf32>"), "tensor<40xf32>");
        let signature = format!("(%x: {row}) -> {row}");
        let body = format!(
            "%low = stablehlo.constant dense<0xFF800000> : tensor<f32>
             %zero = stablehlo.constant dense<0.0> : tensor<f32>
             %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : ({row}, tensor<f32>) -> {all}
             %mb = stablehlo.broadcast_in_dim %m, dims = [0] : ({all}) -> {row}
             %d = stablehlo.subtract %x, %mb : {row}
             %e = stablehlo.exponential %d : {row}
             %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : ({row}, tensor<f32>) -> {all}
             %sb = stablehlo.broadcast_in_dim %s, dims = [0] : ({all}) -> {row}
             %r = stablehlo.divide %e, %sb : {row}
             return %r : {row}"
        );
        let program = lowered(&signature, &body);
        let c = counts(&program);
        assert_eq!((c.launches, c.reads, c.shuffles), (1, 0, 8), "{program}");
        check_body(&signature, &body, Bits);
    }
}

/// A loop over vectors of some hundred elements is one launch of one block, with barriers between what depends on each other.
#[test]
fn a_loop_over_vectors_is_one_block() {
    let n = 100;
    let signature = format!("(%x: tensor<{n}xf64>, %a: tensor<{n}xf64>) -> tensor<{n}xf64>");
    let body = format!(
        "%i0 = stablehlo.constant dense<0> : tensor<i64>
         %zero = stablehlo.constant dense<0.0> : tensor<f64>
         %0:2 = stablehlo.while(%i = %i0, %u = %x) : tensor<i64>, tensor<{n}xf64>
         cond {{
           %m = stablehlo.constant dense<7> : tensor<i64>
           %go = stablehlo.compare LT, %i, %m, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
           stablehlo.return %go : tensor<i1>
         }} do {{
           %one = stablehlo.constant dense<1> : tensor<i64>
           %j = stablehlo.add %i, %one : tensor<i64>
           %p = stablehlo.multiply %u, %a : tensor<{n}xf64>
           %s = stablehlo.reduce(%p init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<{n}xf64>, tensor<f64>) -> tensor<f64>
           %t = stablehlo.tanh %s : tensor<f64>
           %b = stablehlo.broadcast_in_dim %t, dims = [] : (tensor<f64>) -> tensor<{n}xf64>
           %r = stablehlo.reverse %u, dims = [0] : tensor<{n}xf64>
           %2 = stablehlo.add %r, %b : tensor<{n}xf64>
           %3 = stablehlo.sine %2 : tensor<{n}xf64>
           stablehlo.return %j, %3 : tensor<i64>, tensor<{n}xf64>
         }}
         return %0#1 : tensor<{n}xf64>"
    );
    let program = lowered(&signature, &body);
    let c = counts(&program);
    assert_eq!((c.launches, c.single, c.reads), (1, 0, 0), "{program}");
    assert!(c.barriers > 0 && c.shuffles == 4, "{program}");
    check_body(&signature, &body, Bits);
}

/// Rows that are added to a matrix at places that may be equal: a thread a column, each in the order of the rows.
#[test]
fn rows_are_scattered_by_a_thread_a_column() {
    let signature =
        "(%x: tensor<50x40xf32>, %i: tensor<30x1xi32>, %u: tensor<30x40xf32>) -> tensor<50x40xf32>";
    let body = "%0 = \"stablehlo.scatter\"(%x, %i, %u) <{
           scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
             scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
           ^bb0(%a: tensor<f32>, %b: tensor<f32>):
             %s = stablehlo.add %a, %b : tensor<f32>
             stablehlo.return %s : tensor<f32>
         }) : (tensor<50x40xf32>, tensor<30x1xi32>, tensor<30x40xf32>) -> tensor<50x40xf32>
         return %0 : tensor<50x40xf32>";
    let program = lowered(signature, body);
    let c = counts(&program);
    assert_eq!((c.launches, c.single, c.reads), (2, 0, 0), "a copy and the rows: {program}");
    check_body(signature, body, Bits);
}

/// What a result is made of in place may be what it is updated with as well: then it is read from elsewhere.
#[test]
fn updates_with_what_is_updated() {
    let scatter = |window: &str, combine: &str, ty: &str| {
        format!(
            "<{{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<{window}>, unique_indices = false}}> ({{
             ^bb0(%a: tensor<{ty}>, %b: tensor<{ty}>):
               {combine}
             }})"
        )
    };
    let add = "%s = stablehlo.add %a, %b : tensor<f32>\n stablehlo.return %s : tensor<f32>";
    let rows = scatter(
        "update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1",
        add,
        "f32",
    );
    check_body(
        "() -> tensor<40xf32>",
        &format!(
            "%0 = stablehlo.iota dim = 0 : tensor<40xf32>
             %i = stablehlo.iota dim = 0 : tensor<40x1xi32>
             %c = stablehlo.constant dense<1> : tensor<40x1xi32>
             %1 = stablehlo.add %i, %c : tensor<40x1xi32>
             %2 = stablehlo.reshape %0 : (tensor<40xf32>) -> tensor<40x1xf32>
             %3 = \"stablehlo.scatter\"(%0, %1, %2) {rows} : (tensor<40xf32>, tensor<40x1xi32>, tensor<40x1xf32>) -> tensor<40xf32>
             return %3 : tensor<40xf32>"
        ),
        Bits,
    );
    let inserted = scatter(
        "update_window_dims = [1, 2], inserted_window_dims = [2], scatter_dims_to_operand_dims = [2], index_vector_dim = 1",
        "stablehlo.return %b : tensor<f32>",
        "f32",
    );
    check_body(
        "(%x: tensor<16x16x3xf32>) -> tensor<16x16x3xf32>",
        &format!(
            "%0 = stablehlo.sine %x : tensor<16x16x3xf32>
             %c = stablehlo.constant dense<1> : tensor<3x1xi64>
             %1 = stablehlo.reshape %0 : (tensor<16x16x3xf32>) -> tensor<3x16x16xf32>
             %2 = \"stablehlo.scatter\"(%0, %c, %1) {inserted} : (tensor<16x16x3xf32>, tensor<3x1xi64>, tensor<3x16x16xf32>) -> tensor<16x16x3xf32>
             return %2 : tensor<16x16x3xf32>"
        ),
        Bits,
    );
    check_body(
        "(%x: tensor<3x16xi64>, %y: tensor<2x16xi64>) -> tensor<3x16xi64>",
        "%a = stablehlo.constant dense<0> : tensor<i32>
         %b = stablehlo.constant dense<1> : tensor<i32>
         %0 = stablehlo.dynamic_update_slice %x, %y, %b, %a : (tensor<3x16xi64>, tensor<2x16xi64>, tensor<i32>, tensor<i32>) -> tensor<3x16xi64>
         %1 = stablehlo.slice %0 [1:3, 0:16] : (tensor<3x16xi64>) -> tensor<2x16xi64>
         %2 = stablehlo.dynamic_update_slice %0, %1, %a, %a : (tensor<3x16xi64>, tensor<2x16xi64>, tensor<i32>, tensor<i32>) -> tensor<3x16xi64>
         return %2 : tensor<3x16xi64>",
        Bits,
    );
}

/// A start that takes many operations is kept between launches, its bounds are made anew: the verifier knows where the window is.
#[test]
fn bounds_of_what_is_kept() {
    for (element, most) in [("i64", 24), ("ui64", 24), ("i32", 24)] {
        check_body(
            &format!("(%x: tensor<24x24xf64>, %y: tensor<1x{most}x{element}>) -> tensor<24x24xf64>"),
            &format!(
                "%c = stablehlo.constant dense<3> : tensor<{element}>
                 %0 = stablehlo.reduce(%y init: %c) applies stablehlo.multiply across dimensions = [0, 1] : (tensor<1x{most}x{element}>, tensor<{element}>) -> tensor<{element}>
                 %1 = stablehlo.constant dense<4.0> : tensor<12x12xf64>
                 %2 = stablehlo.dynamic_update_slice %x, %1, %0, %0 : (tensor<24x24xf64>, tensor<12x12xf64>, tensor<{element}>, tensor<{element}>) -> tensor<24x24xf64>
                 return %2 : tensor<24x24xf64>"
            ),
            Bits,
        );
    }
}
