//! What compiled programs are made of: loops, stores, kernels of several threads, bytes. Results would be the same if nothing
//! were fused, shared, computed again or shared out; these counts would not.

use wengert::{DType, Lowered, Tensor, jit, scan, value_and_grad};
use wengert_ir::kernel::{Block, KOp, Library, Place, Program};

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

#[test]
fn print_counts() {
    let show = |name: &str, f: fn(Vec<Tensor>) -> Tensor, shapes: &[&[usize]]| {
        let l = lowered(f, shapes);
        println!("{name}: {:?}", count(l.program()));
    };
    show("chain", chain, &[&[1000], &[1000]]);
    show("softmax", |x| x[0].softmax(-1), &[&[64, 100]]);
    show("norm", |x| &x[0] / x[0].square().sum().sqrt(), &[&[1000]]);
    show("layer", |x| (x[0].matmul(&x[1]) + &x[2]).tanh(), &[&[64, 100], &[100, 80], &[80]]);
    show("large chain", chain, &[&[1 << 20], &[1 << 20]]);
    show("large rows", |x| x[0].softmax(-1), &[&[4096, 256]]);
    show("large sum", |x| (x[0].sin() * &x[1]).sum(), &[&[1 << 20], &[1 << 20]]);
    show(
        "gradient of a chain",
        |x| value_and_grad(|x: Tensor| (x.sin() * x.exp() + 1.0).log().sum())(x[0].clone()).1,
        &[&[1000]],
    );
    for width in [100, 2000] {
        let l = lowered(|x| value_and_grad(trips)(x[0].clone()).1, &[&[width]]);
        println!(
            "trips {width}: {:?} stacks {}",
            count(l.program()),
            l.program().mems.values().filter(|m| m.place == Place::Stack).count()
        );
    }
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
