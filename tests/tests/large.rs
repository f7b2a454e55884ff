//! Arrays larger than the caches, whose stores may go past them.

use wengert::{Tensor, concatenate, jit};

fn numbers(n: usize, step: f32) -> Vec<f32> {
    (0..n).map(|k| (k % 1000) as f32 * step).collect()
}

#[test]
fn stores_past_the_caches_are_seen_by_all() {
    const N: usize = 6_000_000 + 7;
    let (x, y) = (numbers(N, 0.5), numbers(N, 0.25));
    let f = jit(|x: Tensor, y: Tensor| &x * 2.0 + &y * &y);
    for threads in [1, 3] {
        wengert_cpu::set_threads(threads);
        let z = f(Tensor::from(x.clone()), Tensor::from(y.clone())).to_vec::<f32>();
        let right = z.iter().zip(x.iter().zip(&y)).all(|(z, (x, y))| *z == x * 2.0 + y * y);
        assert!(right, "{threads} threads");
    }
}

/// `vmovntps` of 16 numbers is in the code of large loops, where the machine has it, and not in that of small ones.
#[test]
fn only_large_loops_store_past_the_caches() {
    let streams = |n: usize| {
        let x = || Tensor::from(vec![1.0f32; n]);
        let f = jit(|x: Tensor, y: Tensor| &x * 2.0 + &y * &y);
        let lowered = f.trace((x(), x())).and_then(|t| t.lower()).expect("lowers");
        let code = wengert_cpu::machine_code(lowered.program(), &wengert_cpu::Options::default());
        code.expect("compiles").windows(5).any(|w| w[0] == 0x62 && w[2..] == [0x7c, 0x48, 0x2b])
    };
    #[cfg(all(target_arch = "x86_64", unix))]
    {
        use std::arch::is_x86_feature_detected as has;
        let wide = has!("avx512f") && has!("avx512vl") && has!("avx512dq") && has!("avx512bw");
        assert_eq!(streams(6_000_000), wide);
    }
    assert!(!streams(1_000_000));
}

/// Rows begin anywhere, and are joined one element off.
#[test]
fn rows_that_are_not_aligned() {
    const N: usize = 3_000_003;
    let (x, y) = (numbers(3 * N, 0.5), numbers(N, 0.25));
    let f = jit(|x: Tensor, y: Tensor| {
        let rows = x + y.expand_dims(0);
        concatenate(&[rows.get((1, 0..1)), rows.get(2)], 0)
    });
    let g = jit(|x: Tensor, y: Tensor| x + y.expand_dims(0));
    let x_tensor = Tensor::from(x.clone()).reshape(&[3, N as isize]);
    let z = g(x_tensor.clone(), Tensor::from(y.clone())).to_vec::<f32>();
    assert!((0..3 * N).all(|k| z[k] == x[k] + y[k % N]));
    let joined = f(x_tensor, Tensor::from(y.clone())).to_vec::<f32>();
    assert_eq!((joined.len(), joined[0]), (N + 1, z[N]));
    assert!((0..N).all(|k| joined[k + 1] == z[2 * N + k]));
}
