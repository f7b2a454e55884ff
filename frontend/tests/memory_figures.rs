//! Figures of memory budgets: a long scan in 64 MB, a transformer in half its memory. Times are those that are predicted.

use wengert::nn::{Gelu, gelu, layer_norm};
use wengert::stages::{Lowered, Traced};
use wengert::{DType, Error, Save, ScanOptions, Tensor, grad, jit, scan_with, value_and_grad};

/// A program as it is compiled. What it takes and what it gives is asked of one: each trace of a derivative with a budget makes its plan
/// anew, which takes longer than all else here.
fn lowered(program: Result<Traced, Error>) -> Lowered {
    program.and_then(|traced| traced.lower()).expect("traces and lowers")
}

fn run(program: &Lowered, args: &[Tensor]) -> Vec<Tensor> {
    program.compile().and_then(|compiled| compiled.call(args)).expect("runs")
}

fn ramp(shape: &[isize], scale: f64) -> Tensor {
    let n: isize = shape.iter().product();
    let numbers: Vec<f64> = (0..n).map(|k| ((k * 37 % 23) as f64 - 10.5) / 7.0 * scale).collect();
    Tensor::from(numbers).reshape(shape).astype(DType::F32)
}

/// The gradient of 100,000 steps over 1,000 numbers, of which each step keeps some, in 64 MB.
#[test]
fn a_long_scan_in_64_megabytes() {
    let steps = |save: Save| {
        move |w: Tensor, x: Tensor| {
            let options = ScanOptions { length: Some(100_000), save, ..ScanOptions::default() };
            scan_with(|c: Tensor, ()| ((c * &w).sin() + 0.01, ()), x, (), options).0.sum()
        }
    };
    let args = || (ramp(&[1000], 0.6), ramp(&[1000], 1.0));
    let budget = 64_000_000;
    let limited = grad(steps(Save::EachStep)).memory_budget(budget);
    let plan = limited.plan(args()).expect("a plan");
    assert!(plan.unlimited.peak > 400_000_000, "{plan}");
    assert!(plan.peak() <= budget && plan.time_ratio() <= 3.0, "{plan}");
    // The plan holds with the value of the function and without.
    let valued = jit(value_and_grad(steps(Save::EachStep)).memory_budget(budget));
    let programs = [jit(limited).trace(args()), valued.trace(args())].map(lowered);
    let peaks = programs.each_ref().map(|p| p.program().memory());
    assert_eq!(peaks.into_iter().max(), Some(plan.peak()), "{peaks:?}: {plan}");
    let (w, x) = args();
    let got = run(&programs[0], &[w, x]).remove(0);
    let want = jit(grad(steps(Save::Root)))(args().0, args().1);
    let off = (&got - &want).abs().max().item::<f32>();
    assert!(off <= 1e-4 * want.abs().max().item::<f32>(), "{off}");
}

/// Layers of attention over 32 positions and of dense layers, of width 32.
fn transformer(layers: usize) -> impl Fn(Vec<Tensor>, Tensor) -> Tensor + Clone + Send + Sync + 'static {
    move |w: Vec<Tensor>, x: Tensor| {
        let d = x.shape()[2];
        let mut x = x;
        for k in 0..layers {
            let [qkv, out, up, down] = [0, 1, 2, 3].map(|i| &w[4 * k + i]);
            let y = layer_norm(&x, None, None, 1e-5).matmul(qkv).split(3, -1);
            let scores = y[0].matmul(&y[1].transpose(&[0, 2, 1])) * (1.0 / (d as f64).sqrt());
            x = &x + scores.softmax(-1).matmul(&y[2]).matmul(out);
            let y = gelu(&layer_norm(&x, None, None, 1e-5).matmul(up), Gelu::Approximate);
            x = &x + y.matmul(down);
        }
        x.square().mean()
    }
}

#[test]
fn a_transformer_in_half_its_memory() {
    let d = 32isize;
    let weights = || -> Vec<Tensor> {
        let shapes = [[d, 3 * d], [d, d], [d, 4 * d], [4 * d, d]];
        (0..48).map(|k| ramp(&shapes[k % 4], 0.05 + 0.001 * k as f64)).collect()
    };
    let args = || (weights(), ramp(&[16, 32, d], 1.0));
    let f = transformer(12);
    let plain = jit(value_and_grad(f.clone()));
    let unlimited = lowered(plain.trace(args())).program().memory();
    let budget = unlimited / 2;
    let limited = value_and_grad(f.clone()).memory_budget(budget);
    let plan = limited.plan(args()).expect("a plan");
    assert!(plan.peak() <= budget && plan.time_ratio() <= 1.25, "{plan}");
    let alone = jit(grad(f).memory_budget(budget));
    let programs = [jit(limited).trace(args()), alone.trace(args())].map(lowered);
    let peaks = programs.each_ref().map(|p| p.program().memory());
    assert_eq!(peaks.into_iter().max(), Some(plan.peak()), "{peaks:?}: {plan}");
    let leaves: Vec<Tensor> = args().0.into_iter().chain([args().1]).collect();
    let (got, (u, h)) = (run(&programs[0], &leaves), plain(args().0, args().1));
    let (v, g) = (&got[0], &got[1..]);
    assert!((v.item::<f32>() - u.item::<f32>()).abs() <= 1e-5 * u.item::<f32>().abs());
    assert_eq!(g.len(), h.len());
    for (got, want) in g.iter().zip(&h) {
        let off = (got - want).abs().max().item::<f32>();
        assert!(off <= 1e-3 * want.abs().max().item::<f32>(), "{off}");
    }
}
