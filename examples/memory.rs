//! Gradients in less memory than they would take: a scan of 100,000 steps over 1,000 numbers in 64 MB, and a transformer of twelve
//! layers in half its memory. Prints what was planned and how long both take: `cargo run --release --example memory`.

#![allow(clippy::print_stdout, reason = "it is what an example is for")]

use std::time::{Duration, Instant};
use wengert::nn::{Gelu, gelu, layer_norm};
use wengert::{Args, DType, Func, ScanOptions, Tensor, ValueAndGrad, jit, scan_with, value_and_grad};

/// The function whose gradient is taken: a recurrence.
fn recurrence(w: Tensor, x: Tensor) -> Tensor {
    let options = ScanOptions { length: Some(100_000), ..ScanOptions::default() };
    scan_with(|c: Tensor, ()| ((c * &w).sin() + 0.01, ()), x, (), options).0.sum()
}

/// Twelve layers of attention and of dense layers.
fn transformer(w: Vec<Tensor>, x: Tensor) -> Tensor {
    let d = x.shape()[2];
    let layers = w.chunks(4);
    let y = layers.fold(x, |x, w| {
        let y = layer_norm(&x, None, None, 1e-5).matmul(&w[0]).split(3, -1);
        let scores = y[0].matmul(&y[1].transpose(&[0, 2, 1])) * (1.0 / (d as f64).sqrt());
        let x = &x + scores.softmax(-1).matmul(&y[2]).matmul(&w[1]);
        let y = gelu(&layer_norm(&x, None, None, 1e-5).matmul(&w[2]), Gelu::Approximate);
        &x + y.matmul(&w[3])
    });
    y.square().mean()
}

/// Numbers in [-scale, scale), the same each time.
fn numbers(shape: &[isize], scale: f64) -> Tensor {
    let n: isize = shape.iter().product();
    let numbers: Vec<f64> = (0..n).map(|k| ((k * 7919 % 2003) as f64 / 1001.5 - 1.0) * scale).collect();
    Tensor::from(numbers).reshape(shape).astype(DType::F32)
}

/// The fastest of a few calls of each, in turn.
fn times<A: Args>(f: impl Func<A>, g: impl Func<A>, args: &A) -> [Duration; 2] {
    let mut best = [Duration::MAX; 2];
    for _ in 0..5 {
        let start = Instant::now();
        f.call_with(args.clone());
        best[0] = best[0].min(start.elapsed());
        let start = Instant::now();
        g.call_with(args.clone());
        best[1] = best[1].min(start.elapsed());
    }
    best
}

fn show<A: Args>(
    name: &str,
    plain: ValueAndGrad<A>,
    limited: ValueAndGrad<A>,
    args: A,
) -> Result<(), wengert::Error>
where
    ValueAndGrad<A>: Func<A>,
    wengert::Arg<0>: wengert::Wrt<A, Out = A::First>,
{
    let plan = limited.plan(args.clone())?;
    let [unlimited, within] = times(jit(plain), jit(limited), &args);
    println!("{name}\n\n{plan}");
    println!(
        "{:.1} ms instead of {:.1} ms: {:.2} of the time, predicted {:.2}\n",
        within.as_secs_f64() * 1e3,
        unlimited.as_secs_f64() * 1e3,
        within.as_secs_f64() / unlimited.as_secs_f64(),
        plan.time_ratio()
    );
    Ok(())
}

fn main() -> Result<(), wengert::Error> {
    let args = (numbers(&[1000], 1.2), numbers(&[1000], 1.0));
    let limited = value_and_grad(recurrence).memory_budget(64_000_000);
    show("100,000 steps in 64 MB", value_and_grad(recurrence), limited, args)?;
    let d = 64;
    let shapes = [[d, 3 * d], [d, d], [d, 4 * d], [4 * d, d]];
    let weights: Vec<Tensor> = (0..48).map(|k| numbers(&shapes[k % 4], 0.1 + 0.001 * k as f64)).collect();
    let args = (weights, numbers(&[8, 128, d], 1.0));
    let unlimited = value_and_grad(transformer).memory_budget(u64::MAX).plan(args.clone())?.peak();
    let limited = value_and_grad(transformer).memory_budget(unlimited / 2);
    show("twelve layers in half their memory", value_and_grad(transformer), limited, args)
}
