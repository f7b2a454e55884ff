//! Sorting, searching, updates of parts, and distributions, against NumPy's and JAX's results.

use wengert::random::{self, Replace};
use wengert::{DType, Side, Tensor, grad, jit, vmap};

fn close(t: &Tensor, want: &[f64], tolerance: f64) {
    let got = t.astype(DType::F64).to_vec::<f64>();
    assert_eq!(got.len(), want.len());
    for (g, w) in got.iter().zip(want) {
        assert!((g - w).abs() <= tolerance * (1.0 + w.abs()), "{got:?} is not {want:?}");
    }
}

#[test]
fn sorting() {
    let x = Tensor::from([3.0f32, f32::NAN, -0.0, 0.0, f32::NEG_INFINITY, -f32::NAN]);
    assert_eq!(x.argsort(0).to_vec::<i32>(), [4, 2, 3, 0, 1, 5]);
    let sorted = jit(|x: Tensor| x.sort(0))(x);
    assert_eq!(sorted.to_vec::<f32>()[..4], [f32::NEG_INFINITY, 0.0, 0.0, 3.0]);
    let x = Tensor::from([[3, 1, 2], [0, 5, -4]]);
    assert_eq!(x.sort(0).to_vec::<i32>(), [0, 1, -4, 3, 5, 2]);
    let order = x.argsort(-1);
    assert_eq!(x.take_along_axis(&order, 1).to_vec::<i32>(), x.sort(-1).to_vec::<i32>());
    let (values, positions) = x.top_k(2);
    assert_eq!(values.to_vec::<i32>(), [3, 2, 5, 0]);
    assert_eq!(positions.to_vec::<i32>(), [0, 2, 1, 0]);
}

#[test]
fn derivatives_of_sorting() {
    let w = Tensor::from([1.0f64, 10.0, 100.0]);
    let v = w.clone();
    let f = move |x: Tensor| (x.sort(0) * &v).sum();
    assert_eq!(grad(f)(Tensor::from([3.0f64, 1.0, 2.0])).to_vec::<f64>(), [100.0, 1.0, 10.0]);
    let v = w.clone();
    let f = move |x: Tensor| (x.square().top_k(2).0 * v.get(..2)).sum();
    assert_eq!(grad(f)(Tensor::from([3.0f64, 1.0, -4.0])).to_vec::<f64>(), [60.0, 0.0, -8.0]);
    let f = |x: Tensor| x.median(0);
    assert_eq!(grad(f)(Tensor::from([3.0f64, 1.0, 2.0, 7.0])).to_vec::<f64>(), [0.5, 0.0, 0.5, 0.0]);
}

#[test]
fn order_statistics() {
    let x = Tensor::from([[4.0f64, 1.0, 3.0, 2.0], [0.0, 10.0, f64::NAN, 5.0]]);
    let median = x.median(1).to_vec::<f64>();
    assert!(median[0] == 2.5 && median[1].is_nan());
    close(&x.get(0).quantile(0.1, 0), &[1.3], 1e-15);
    close(&x.percentile(100.0, 0).get((..2,)), &[4.0, 10.0], 0.0);
}

#[test]
fn searching() {
    let a = Tensor::from([1.0f32, 2.0, 2.0, f32::INFINITY, f32::NAN]);
    let v = Tensor::from([[2.0f32, 0.5], [f32::NAN, 1e9]]);
    assert_eq!(a.searchsorted(&v, Side::Left).to_vec::<i32>(), [1, 0, 4, 3]);
    assert_eq!(a.searchsorted(&v, Side::Right).to_vec::<i32>(), [3, 0, 5, 3]);
    // Zeros are equal, whatever their signs.
    let zeros = Tensor::from([-1.0f32, -0.0, 0.0, 1.0]);
    for zero in [0.0f32, -0.0] {
        for (side, at) in [(Side::Left, 1), (Side::Right, 3)] {
            assert_eq!(zeros.searchsorted(Tensor::from(zero), side).item::<i32>(), at, "{zero} {side:?}");
        }
    }
    let m = Tensor::from([[0, 7], [0, 0], [8, 9]]);
    let found = m.nonzero(4);
    assert_eq!(found[0].to_vec::<i32>(), [0, 2, 2, 0]);
    assert_eq!(found[1].to_vec::<i32>(), [1, 0, 1, 0]);
    let x = Tensor::from([3, 1, 3, 2, 1]);
    assert_eq!(x.unique(5).to_vec::<i32>(), [1, 2, 3, 1, 1]);
    assert_eq!(x.unique(2).to_vec::<i32>(), [1, 2]);
}

#[test]
fn updates() {
    let x = Tensor::from([[1.0f64, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    assert_eq!(x.at((.., 0..2)).mul(10.0).to_vec::<f64>(), [10.0, 20.0, 3.0, 40.0, 50.0, 6.0]);
    assert_eq!(x.at((1, -1)).set(0.0).to_vec::<f64>(), [1.0, 2.0, 3.0, 4.0, 5.0, 0.0]);
    assert_eq!(x.at(0).min(2.0).to_vec::<f64>(), [1.0, 2.0, 2.0, 4.0, 5.0, 6.0]);
    assert_eq!(x.at(0).max(Tensor::from([0.0, 9.0, 0.0])).to_vec::<f64>(), [1.0, 9.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(x.at(1).get().to_vec::<f64>(), [4.0, 5.0, 6.0]);
    let rows = Tensor::from([-1, 0, 7, -1]);
    let added = x.at_rows(&rows).add(Tensor::from([[1.0], [2.0], [3.0], [4.0]]));
    assert_eq!(added.to_vec::<f64>(), [3.0, 4.0, 5.0, 9.0, 10.0, 11.0]);
    let set = move |x: Tensor, v: Tensor| (x.at_rows(&rows).set(v.expand_dims(1)).square()).sum();
    let v = Tensor::from([1.0f64, 2.0, 3.0, 4.0]);
    let y = x.clone();
    let of_values = grad(move |v: Tensor| set(y.clone(), v))(v);
    // The last of two that set one row wins; one out of range is dropped.
    assert_eq!(of_values.to_vec::<f64>(), [0.0, 12.0, 0.0, 24.0]);
    let of_rest = grad(|x: Tensor| (x.at((0, ..)).set(1.0) * 2.0).sum())(x);
    assert_eq!(of_rest.to_vec::<f64>(), [0.0, 0.0, 0.0, 2.0, 2.0, 2.0]);
}

/// Computed by JAX 0.10.2 for `jax.random.key(42)`.
#[test]
fn distributions_are_those_of_jax() {
    let key = random::key(42);
    type Draw = fn(&Tensor, &[usize], DType) -> Tensor;
    let rows: [(Draw, [f64; 4], [f64; 4]); 5] = [
        (
            random::exponential,
            [0.670817494392395, 1.1388006210327148, 0.9578199982643127, 0.8232924938201904],
            [0.5563942243855916, 0.015123860720489336, 0.8536549993431988, 1.30866279263241],
        ),
        (
            random::gumbel,
            [0.3340933918952942, 0.952019453048706, 0.7255305647850037, 0.5481715202331543],
            [0.16062720630382138, -1.4348544993307841, 0.5890136500161952, 1.1553132453508888],
        ),
        (
            random::laplace,
            [0.022839652374386787, -0.4456535577774048, -0.2646729052066803, -0.1301453858613968],
            [0.15846230602649014, 3.5058868215207473, -0.16050781878325354, -0.6155156120724649],
        ),
        (
            random::logistic,
            [-0.0451694130897522, 0.7528398036956787, 0.47375231981277466, 0.245286762714386],
            [-0.29521526220084393, -4.183910141360207, 0.29878068416298553, 0.9937039305821678],
        ),
        (
            random::cauchy,
            [-0.03548463061451912, 0.6337261199951172, 0.38244056701660156, 0.1940706968307495],
            [-0.23434604341667786, -21.19070234669309, 0.23723777098183235, 0.8806079282226775],
        ),
    ];
    for (draw, singles, doubles) in rows {
        close(&draw(&key, &[4], DType::F32), &singles, 2e-6);
        close(&draw(&key, &[4], DType::F64), &doubles, 1e-13);
    }
    let x = random::truncated_normal(&key, &[4], DType::F32, -1.5, 0.5);
    close(&x, &[-0.3263436257839203, -0.021443137899041176, -0.12120473384857178, -0.2089366316795349], 2e-6);
    let x = random::truncated_normal(&key, &[4], DType::F64, -1.5, 0.5);
    close(&x, &[-0.4306407028572792, -1.4312218604243652, -0.18797140917242525, 0.05691215482558223], 1e-13);
    // Of uniform numbers in single precision, as JAX draws them unless it is told to use doubles.
    let signs = random::rademacher(&key, &[8], DType::I32);
    assert_eq!(signs.to_vec::<i32>(), [1, -1, -1, -1, 1, -1, 1, -1]);
    let logits = Tensor::from([[0.1f64, 1.0, 2.0], [3.0, 0.0, 1.0], [0.0, 0.0, 0.0]]);
    assert_eq!(random::categorical(&key, &logits, -1).to_vec::<i32>(), [2, 0, 0]);
}

#[test]
fn orders_and_choices_are_those_of_jax() {
    let key = random::key(42);
    let x = random::permutation(&key, &Tensor::arange(10, DType::I32));
    assert_eq!(x.to_vec::<i32>(), [7, 4, 2, 5, 3, 6, 8, 9, 0, 1]);
    let rows = Tensor::arange(8, DType::I32).reshape(&[4, 2]);
    assert_eq!(random::permutation(&key, &rows).to_vec::<i32>(), [4, 5, 6, 7, 0, 1, 2, 3]);
    let p = Tensor::from([0.1f64, 0.2, 0.3, 0.4]);
    let choice = |n, shape: &[usize], replace, p| random::choice(&key, n, shape, replace, p).to_vec::<i32>();
    assert_eq!(choice(10, &[6], Replace::Yes, None), [4, 4, 1, 9, 9, 9]);
    assert_eq!(choice(10, &[2, 2], Replace::No, None), [7, 4, 2, 5]);
    assert_eq!(choice(4, &[6], Replace::Yes, Some(&p)), [2, 3, 2, 1, 2, 2]);
    assert_eq!(choice(4, &[3], Replace::No, Some(&p)), [3, 2, 0]);
}

/// Long vectors are searched by halves: the places are those that comparing with all of them gives.
#[test]
fn places_in_long_vectors() {
    for n in [65usize, 100, 127, 128, 129, 1000] {
        let mut sorted: Vec<f64> = (0..n).map(|k| ((k * 7919) % (n / 2)) as f64 - 20.0).collect();
        sorted[3] = -0.0;
        sorted[5] = f64::INFINITY;
        sorted[6] = f64::NEG_INFINITY;
        sorted[7] = f64::NAN;
        sorted[8] = f64::NAN;
        sorted.sort_by(f64::total_cmp);
        let mut values: Vec<f64> = (0..60).map(|k| k as f64 * 0.5 - 25.0).collect();
        values.extend([f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 0.0, 1e300, -1e300]);
        for side in [Side::Left, Side::Right] {
            let key = |x: f64| if x.is_nan() { f64::NAN } else { x + 0.0 };
            let is_before = |x: f64, v: f64| {
                let order = key(x).total_cmp(&key(v));
                if side == Side::Left { order.is_lt() } else { order.is_le() }
            };
            let want: Vec<i32> =
                values.iter().map(|&v| sorted.iter().filter(|&&x| is_before(x, v)).count() as i32).collect();
            let (own, v) = (Tensor::from(sorted.clone()), Tensor::from(values.clone()));
            assert_eq!(own.searchsorted(&v, side).to_vec::<i32>(), want, "{n}, {side:?}");
            let f = move |own: Tensor, v: Tensor| own.searchsorted(&v, side);
            assert_eq!(jit(f)(own.clone(), v.clone()).to_vec::<i32>(), want, "{n}, {side:?}, compiled");
            let both = wengert::stack(&[own.clone(), own.clone()], 0);
            let values = wengert::stack(&[v.clone(), v], 0);
            let found = jit(vmap(f))(both, values).to_vec::<i32>();
            assert_eq!(found, [&want[..], &want].concat(), "{n}, {side:?}, batches");
        }
    }
    // A million among a million: comparing with all of them took a terabyte.
    let sorted = Tensor::arange(1_000_000, DType::I32) * 2;
    let places = sorted.searchsorted(Tensor::arange(1_000_000, DType::I32), Side::Left);
    assert_eq!(places.get(999_999).item::<i32>(), 500_000);
    assert_eq!(places.get(1).item::<i32>(), 1);
}
