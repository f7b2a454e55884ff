//! Transformers in f32: one block of width 256, and twelve of width 64, written out and as a scan.

use super::Workload;
use super::data::normal;
use wengert::nn::{Gelu, gelu, layer_norm};
use wengert::{DType, Tensor, Tree, scan, stack, value_and_grad};

const HEADS: isize = 4;

pub(super) fn rows() -> Vec<Workload> {
    let one = || (Block::made(1, 256), normal(100, &[4, 128, 256], DType::F32));
    let twelve = || {
        ((1..13).map(|seed| Block::made(seed, 64)).collect::<Vec<_>>(), normal(100, &[1, 32, 64], DType::F32))
    };
    let stacked = move || {
        let (blocks, x) = twelve();
        (Block::stacked(&blocks), x)
    };
    vec![
        Workload::new("transformer.d256.f", || single, one),
        Workload::new("transformer.d256.vg", || value_and_grad(single), one),
        Workload::new("layers_unrolled.12xd64.f", || unrolled, twelve),
        Workload::new("layers_unrolled.12xd64.vg", || value_and_grad(unrolled), twelve),
        Workload::new("layers_scanned.12xd64.f", || scanned, stacked),
        Workload::new("layers_scanned.12xd64.vg", || value_and_grad(scanned), stacked),
    ]
}

/// Scale and shift, or weights and biases.
type Pair = (Tensor, Tensor);

#[derive(Clone, Tree)]
struct Block {
    norm1: Pair,
    qkv: Pair,
    out: Pair,
    norm2: Pair,
    up: Pair,
    down: Pair,
}

impl Block {
    fn made(seed: u64, d: usize) -> Self {
        let dense = |k: u64, i: usize, o: usize| {
            (normal(6 * seed + k, &[i, o], DType::F32) * 0.02, Tensor::zeros(&[o], DType::F32))
        };
        let norm = || (Tensor::ones(&[d], DType::F32), Tensor::zeros(&[d], DType::F32));
        Self {
            norm1: norm(),
            qkv: dense(0, d, 3 * d),
            out: dense(1, d, d),
            norm2: norm(),
            up: dense(2, d, 4 * d),
            down: dense(3, 4 * d, d),
        }
    }

    /// The leaves of all blocks stacked.
    fn stacked(blocks: &[Self]) -> Self {
        let mut leaves: Vec<Vec<Tensor>> = vec![Vec::new(); blocks[0].leaves()];
        for block in blocks {
            let mut k = 0;
            block.visit(&mut |t| {
                leaves[k].push(t.clone());
                k += 1;
            });
        }
        let mut leaves = leaves.iter();
        blocks[0].map(&mut |_| stack(leaves.next().expect("as many"), 0))
    }

    /// Causal attention and a dense layer of four times the width, each on normalized inputs and added to `x`
    /// `[batch, time, width]`.
    fn apply(&self, x: Tensor) -> Tensor {
        let (b, t, d) = (x.shape()[0] as isize, x.shape()[1], x.shape()[2] as isize);
        let norm = |x: &Tensor, (scale, shift): &Pair| layer_norm(x, Some(scale), Some(shift), 1e-5);
        let dense = |x: Tensor, (w, bias): &Pair| x.matmul(w) + bias;
        let heads = |x: &Tensor| x.reshape(&[b, t as isize, HEADS, d / HEADS]).transpose(&[0, 2, 1, 3]);
        let parts = dense(norm(&x, &self.norm1), &self.qkv).split(3, -1);
        let (q, k, v) = (heads(&parts[0]), heads(&parts[1]), heads(&parts[2]));
        let scores = q.matmul(&k.transpose(&[0, 1, 3, 2])) / ((d / HEADS) as f64).sqrt();
        let causal = Tensor::tri(t, t, 0, DType::I1);
        let weights = causal.select(&scores, Tensor::from(-1e9f32)).softmax(-1);
        let mixed = weights.matmul(&v).transpose(&[0, 2, 1, 3]).reshape(&[b, t as isize, d]);
        let x = x + dense(mixed, &self.out);
        let wide = gelu(&dense(norm(&x, &self.norm2), &self.up), Gelu::Approximate);
        x + dense(wide, &self.down)
    }
}

fn single(block: Block, x: Tensor) -> Tensor {
    block.apply(x).square().mean()
}

fn unrolled(blocks: Vec<Block>, x: Tensor) -> Tensor {
    blocks.iter().fold(x, |x, b| b.apply(x)).square().mean()
}

fn scanned(blocks: Block, x: Tensor) -> Tensor {
    scan(|x, b: Block| (b.apply(x), ()), x, blocks).0.square().mean()
}
