//! Networks that classify: softmax cross-entropy alone, training steps of small networks, a convolutional one.

use super::Workload;
use super::data::{integers, normal, wave};
use wengert::{ConvOptions, DType, Padding, Tensor, Tree, conv_general, max_pool, value_and_grad};

pub(super) fn rows() -> Vec<Workload> {
    let logits = || (normal(1, &[4096, 1024], DType::F32), integers(2, &[4096], 1024));
    let mut rows = vec![
        Workload::new("xent.4096x1024.f", || cross_entropy, logits),
        Workload::new("xent.4096x1024.vg", || value_and_grad(cross_entropy), logits),
        Workload::new("digits.64.step", || sgd_step, || network(&[64, 128, 64, 10], 64)),
    ];
    for batch in [1, 128] {
        let args = move || network(&[784, 512, 256, 10], batch);
        rows.push(Workload::new(format!("mlp.{batch}.f"), || loss, args));
        rows.push(Workload::new(format!("mlp.{batch}.step"), || sgd_step, args));
    }
    rows.push(Workload::new("conv.32.f", || convolutional, images));
    rows.push(Workload::new("conv.32.vg", || value_and_grad(convolutional), images));
    // Layers of a residual network: one in the middle, and the first, which takes every other place.
    let middle = || (normal(1, &[8, 56, 56, 64], DType::F32), normal(2, &[3, 3, 64, 64], DType::F32));
    let first = || (normal(1, &[2, 224, 224, 3], DType::F32), normal(2, &[7, 7, 3, 64], DType::F32));
    rows.push(Workload::new("conv_layer.8x56x56x64.f", || |a| convolved(a, 1), move || (middle(),)));
    rows.push(Workload::new(
        "conv_layer.8x56x56x64.vg",
        || value_and_grad(|a| convolved(a, 1)),
        move || (middle(),),
    ));
    rows.push(Workload::new("conv_stride.2x224x224x3.f", || |a| convolved(a, 2), move || (first(),)));
    rows.push(Workload::new(
        "conv_stride.2x224x224x3.vg",
        || value_and_grad(|a| convolved(a, 2)),
        move || (first(),),
    ));
    rows
}

/// Mean over the rows of logits `[n, classes]` of the negative log-probability of the row's label.
fn cross_entropy(logits: Tensor, labels: Tensor) -> Tensor {
    let chosen = logits.take_along_axis(&labels.expand_dims(-1), 1).squeeze(&[1]);
    (logits.logsumexp(&[1]) - chosen).mean()
}

#[derive(Clone, Tree)]
struct Layer {
    w: Tensor,
    b: Tensor,
}

fn network(sizes: &[usize], batch: usize) -> (Vec<Layer>, Tensor, Tensor) {
    let layer = |k: usize| {
        let (inputs, outputs) = (sizes[k], sizes[k + 1]);
        let w = wave(&[inputs, outputs], k as f64, DType::F32) * (2.0 / inputs as f64).sqrt();
        Layer { w, b: Tensor::zeros(&[outputs], DType::F32) }
    };
    let layers = (0..sizes.len() - 1).map(layer).collect();
    let labels: Vec<i32> = (0..batch as i32).map(|i| i * 7 % 10).collect();
    (layers, wave(&[batch, sizes[0]], 5.0, DType::F32), Tensor::from(labels))
}

/// Cross-entropy of a network with rectified linear units.
fn loss(layers: Vec<Layer>, x: Tensor, labels: Tensor) -> Tensor {
    let (last, hidden) = layers.split_last().expect("layers");
    let h = hidden.iter().fold(x, |h, l| (h.matmul(&l.w) + &l.b).relu());
    cross_entropy(h.matmul(&last.w) + &last.b, labels)
}

fn sgd_step(layers: Vec<Layer>, x: Tensor, labels: Tensor) -> (Tensor, Vec<Layer>) {
    let (loss, gradient) = value_and_grad(loss)(layers.clone(), x, labels);
    let updated = layers
        .iter()
        .zip(&gradient)
        .map(|(l, g)| Layer { w: &l.w - &g.w * 0.01, b: &l.b - &g.b * 0.01 })
        .collect();
    (loss, updated)
}

/// Mean of the squares of one convolution of images with a kernel.
fn convolved((x, kernel): (Tensor, Tensor), stride: usize) -> Tensor {
    let options = ConvOptions {
        strides: vec![stride; 2],
        padding: Padding::Same,
        dimension_numbers: Some(["NHWC", "HWIO", "NHWC"]),
        ..ConvOptions::default()
    };
    let y = conv_general(&x, &kernel, &options);
    (&y * &y).mean()
}

/// Two kernels `[height, width, features, outputs]` with biases, and a dense layer.
type Convolutional = (Layer, Layer, Layer);

fn images() -> (Convolutional, Tensor, Tensor) {
    let layer = |seed, shape: &[usize]| Layer {
        w: normal(seed, shape, DType::F32) * 0.1,
        b: Tensor::zeros(&shape[shape.len() - 1..], DType::F32),
    };
    let layers = (layer(1, &[3, 3, 1, 16]), layer(2, &[3, 3, 16, 32]), layer(3, &[7 * 7 * 32, 10]));
    (layers, normal(4, &[32, 28, 28, 1], DType::F32), integers(5, &[32], 10))
}

/// Cross-entropy of a network on images `[batch, 28, 28, 1]`: twice a convolution and the maxima of 2x2 windows.
fn convolutional((first, second, dense): Convolutional, x: Tensor, labels: Tensor) -> Tensor {
    let options = ConvOptions {
        padding: Padding::Same,
        dimension_numbers: Some(["NHWC", "HWIO", "NHWC"]),
        ..ConvOptions::default()
    };
    let stage = |x: Tensor, l: &Layer| {
        let h = (conv_general(&x, &l.w, &options) + &l.b).relu();
        max_pool(&h, &[1, 2, 2, 1], &[1, 2, 2, 1], Padding::Valid)
    };
    let h = stage(stage(x, &first), &second);
    let flat = h.reshape(&[h.shape()[0] as isize, -1]);
    cross_entropy(flat.matmul(&dense.w) + &dense.b, labels)
}
