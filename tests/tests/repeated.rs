//! Programs that repeat themselves are compiled once for all repetitions: code grows far less than what it comes from, and
//! means the same. Compiling on several threads gives the same bytes.

use wengert::nn::{Gelu, gelu, layer_norm};
use wengert::{DType, Lowered, Tensor, jit, value_and_grad};
use wengert_cpu::{Options, machine_code, set_threads};
use wengert_ir::array::Array;
use wengert_ir::kernel::{interp, verify};

const WIDTH: usize = 24;

type Layer = (Tensor, Tensor, Tensor, Tensor);

/// Attention over the rows and a dense layer, each on normalized rows and added to them.
fn layer(x: Tensor, (scale, mix, up, down): &Layer) -> Tensor {
    let norm = |x: &Tensor| layer_norm(x, Some(scale), None, 1e-5);
    let q = norm(&x).matmul(mix);
    let weights = (q.matmul(&q.transpose(&[1, 0])) / 5.0).softmax(-1);
    let x = &x + weights.matmul(&q);
    let wide = gelu(&norm(&x).matmul(up), Gelu::Approximate);
    x + wide.matmul(down)
}

fn network(x: Tensor, layers: Vec<Layer>) -> Tensor {
    layers.iter().fold(x, layer).square().mean()
}

fn arguments(depth: usize) -> (Tensor, Vec<Layer>) {
    let dense = |seed: usize, i: usize, o: usize| {
        let values: Vec<f32> =
            (0..i * o).map(|k| ((k * 37 + seed * 11) % 101) as f32 / 200.0 - 0.25).collect();
        Tensor::new(&[i, o], &values)
    };
    let one = |k: usize| {
        let scale = Tensor::ones(&[WIDTH], DType::F32);
        (scale, dense(k, WIDTH, WIDTH), dense(k + 1, WIDTH, 4 * WIDTH), dense(k + 2, 4 * WIDTH, WIDTH))
    };
    (dense(7, 20, WIDTH), (0..depth).map(one).collect())
}

fn value(depth: usize) -> Lowered {
    jit(network).trace(arguments(depth)).and_then(|t| t.lower()).expect("lowered")
}

fn gradient(depth: usize) -> Lowered {
    jit(value_and_grad(network)).trace(arguments(depth)).and_then(|t| t.lower()).expect("lowered")
}

fn code(lowered: &Lowered) -> Vec<u8> {
    machine_code(lowered.program(), &Options::default()).expect("compiles")
}

#[test]
fn layers_are_compiled_once() {
    for make in [value, gradient] {
        // What is left over differs from layer to layer: the first and the last, the calls, whole layers that lie in
        // registers in one program and in memory in another.
        let [few, many] = [4, 12].map(|depth| code(&make(depth)).len());
        assert!(many < few * 2, "{few} bytes of code for 4 layers, {many} for 12");
        let listing = make(12).clif().expect("lists");
        assert!(
            listing.contains("the same code for 12 places")
                || listing.contains("the same code for 11 places")
        );
    }
}

#[test]
fn shared_code_means_the_same() {
    for make in [value, gradient] {
        let lowered = make(5);
        let program = lowered.program();
        let shared = wengert_cpu::shared(program);
        assert!(shared.kernels.len() > program.kernels.len(), "loops are shared");
        verify::verify(&shared).unwrap_or_else(|e| panic!("{e:?}"));
        let cut = wengert_cpu::segmented(&shared);
        verify::verify(&cut).unwrap_or_else(|e| panic!("{e:?}"));
        let (x, layers) = arguments(5);
        let leaves = layers.into_iter().flat_map(|(a, b, c, d)| [a, b, c, d]);
        let tensors: Vec<Tensor> = std::iter::once(x).chain(leaves).collect();
        let args: Vec<Array> = tensors.iter().map(Tensor::to_array).collect();
        let want = interp::run(program, &args).expect("interprets");
        assert_eq!(interp::run(&cut, &args).expect("interprets shared code"), want);
        let found = lowered.compile().and_then(|c| c.call(&tensors)).expect("runs");
        for (found, want) in found.iter().zip(want) {
            let (found, want) = (found.to_array(), want);
            let pairs = found.as_slice::<f32>().iter().zip(want.as_slice::<f32>());
            // Products of matrices are not held to the bit.
            pairs.for_each(|(f, w)| assert!((f - w).abs() <= 1e-4 * w.abs().max(1e-2), "{f} for {w}"));
        }
    }
}

#[test]
fn threads_make_the_same_bytes() {
    let programs = [value(3), gradient(3), gradient(8)];
    set_threads(1);
    let alone: Vec<Vec<u8>> = programs.iter().map(code).collect();
    for threads in [2, 3] {
        set_threads(threads);
        for (program, alone) in programs.iter().zip(&alone) {
            assert!(code(program) == *alone, "{threads} threads");
        }
    }
}
