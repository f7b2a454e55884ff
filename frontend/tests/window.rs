//! Convolutions, pooling, running reductions and batch normalization against JAX (`lax.conv*`, `lax.reduce_window`,
//! `lax.cum*`), and their derivatives against finite differences to second order.

use wengert::{
    ConvOptions, DType, Padding, Tensor, Window, avg_pool, batch_norm, batch_norm_inference, conv_general,
    conv2d, grad, jit, max_pool, min_pool, reduce_window,
};

type Function = fn(Tensor) -> Tensor;

fn waves(n: usize) -> Tensor {
    Tensor::arange(n, DType::F64).sin()
}

#[track_caller]
fn close(what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (k, (a, e)) in found.iter().zip(expected).enumerate() {
        assert!((a - e).abs() <= tolerance * (1.0 + e.abs()), "{what} at {k}: {a} is not {e}");
    }
}

fn conv(x: Tensor) -> Tensor {
    let kernel = Tensor::arange(12, DType::F64).cos().reshape(&[3, 2, 1, 2]);
    conv2d(&x.reshape(&[1, 2, 4, 4]), &kernel, [2, 1], Padding::Same)
}

fn grouped(x: Tensor) -> Tensor {
    let options = ConvOptions {
        strides: vec![2],
        padding: [(1, 2)].into(),
        lhs_dilation: vec![2],
        rhs_dilation: vec![3],
        dimension_numbers: Some(["NWC", "WIO", "NWC"]),
        feature_group_count: 2,
        ..ConvOptions::default()
    };
    conv_general(&x.reshape(&[2, 8, 2]), &waves(12).reshape(&[3, 1, 4]), &options)
}

fn normalized(x: Tensor) -> Tensor {
    let (scale, offset) = (Tensor::from([1.5f64, -0.5]), Tensor::from([0.25f64, 2.0]));
    let (y, mean, variance) = batch_norm(&x.reshape(&[8, 2, 2]), &scale, &offset, 1e-3, 1);
    batch_norm_inference(&y, &scale, &offset, (&mean, &variance), 1e-3, 1)
}

fn own(x: Tensor) -> Tensor {
    let window =
        Window { dimensions: vec![3], strides: vec![2], padding: Padding::Same, ..Window::default() };
    let scale = x.get(0).cos(); // captured
    reduce_window(&x, 0.5, |a, b| a.sin() + &b * &scale, &window)
}

#[rustfmt::skip]
const FUNCTIONS: &[(&str, Function)] = &[
    ("conv2d", conv),
    ("conv_general", grouped),
    ("max_pool", |x| max_pool(&x.reshape(&[4, 8]), &[2, 3], &[1, 2], Padding::Same)),
    ("min_pool", |x| min_pool(&x.reshape(&[2, 4, 4]), &[2, 2], &[2, 2], Padding::Valid)),
    ("avg_pool", |x| avg_pool(&x.reshape(&[4, 8]), &[2, 3], &[], Padding::SameLower)),
    ("reduce_window", own),
    ("cumsum", |x| x.reshape(&[4, 8]).cumsum(0)),
    ("cumprod", |x| (x + 2.0).reshape(&[8, 4]).cumprod(1)),
    ("cummax", |x| x.reshape(&[4, 8]).cummax(-1)),
    ("cummin", |x| x.reshape(&[4, 8]).cummin(-1)),
    ("cumlogsumexp", |x| x.reshape(&[4, 8]).cumlogsumexp(-1)),
    ("batch_norm", normalized),
];

#[test]
fn derivatives() {
    for &(name, f) in FUNCTIONS {
        let loss = move |x: Tensor| (f(x).square() * 0.5).sum();
        let x = waves(32);
        close(name, &jit(f)(x.clone()).to_vec::<f64>(), &f(x.clone()).to_vec::<f64>(), 1e-14);
        let first = grad(loss)(x.clone());
        close(name, &jit(grad(loss))(x.clone()).to_vec::<f64>(), &first.to_vec::<f64>(), 1e-12);
        let direction = (waves(32) * 3.0).cos();
        let along = |g: Tensor| (g * &direction).sum().item::<f64>();
        let step = 1e-5;
        let near = |s: f64| &x + &direction * s;
        let difference = (loss(near(step)) - loss(near(-step))).item::<f64>() / (2.0 * step);
        close(&format!("derivative of {name}"), &[along(first)], &[difference], 1e-7);
        let slope = {
            let direction = direction.clone();
            move |x: Tensor| (grad(loss)(x) * &direction).sum()
        };
        let second = along(jit(grad(slope.clone()))(x.clone()));
        let difference = (slope(near(step)) - slope(near(-step))).item::<f64>() / (2.0 * step);
        close(&format!("second derivative of {name}"), &[second], &[difference], 1e-6);
    }
}

fn loss(f: Function) -> impl Fn(Tensor) -> Tensor {
    move |x| f(x).square().sum()
}

#[test]
fn convolutions_are_jaxs() {
    let y = conv(waves(32));
    assert_eq!(y.shape(), [1, 3, 2, 4]);
    close("conv2d", &[y.sum().item()], &[0.624577034417], 1e-11);
    let g = grad(loss(conv))(waves(32)).to_vec::<f64>();
    close("conv2d", &g[..4], &[4.20337975124, 9.50564214288, 5.64554785407, 0.0413436672196], 1e-11);
    let y = grouped(waves(32));
    assert_eq!(y.shape(), [2, 6, 4]);
    let row = [-0.688158561599, -0.871947375472, -0.0394311173579, 0.0927139541064];
    close("conv_general", &y.to_vec::<f64>()[..4], &row, 1e-11);
    let g = grad(loss(grouped))(waves(32)).to_vec::<f64>();
    close("conv_general", &g[..4], &[0.0, 0.0, 2.71386324231, 0.143858981326], 1e-11);
}

#[test]
fn pools_and_running_reductions_are_jaxs() {
    let x = || Tensor::from([[1.0f64, 3.0, 3.0, -2.0], [0.0, 5.0, -1.0, 5.0]]);
    #[rustfmt::skip]
    let cases: [(&str, Function, [f64; 8], [f64; 8]); 4] = [
        ("max_pool", |x| max_pool(&x, &[2, 2], &[], Padding::Same),
         [5.0; 8], [0.0, 0.0, 0.0, 0.0, 0.0, 40.0, 0.0, 40.0]),
        ("cumsum", |x| x.cumsum(1),
         [1.0, 4.0, 7.0, 5.0, 0.0, 5.0, 4.0, 9.0], [34.0, 32.0, 24.0, 10.0, 36.0, 36.0, 26.0, 18.0]),
        ("cumprod", |x| x.cumprod(1),
         [1.0, 3.0, 9.0, -18.0, 0.0, 0.0, 0.0, 0.0], [830.0, 276.0, 270.0, -324.0, 0.0, 0.0, 0.0, 0.0]),
        ("cumlogsumexp", |x| x.cumlogsumexp(1),
         [1.0, 3.12692801104, 3.75862367568, 3.76177415923, 0.0, 5.00671534849, 5.00917448459, 5.69774494421],
         [3.69724767765, 12.5410583039, 7.0326801936, 0.0236655167056, 0.172120024707, 25.5448766116, 0.0386647273697, 5.67160819095]),
    ];
    for (name, f, values, gradient) in cases {
        close(name, &f(x()).to_vec::<f64>(), &values, 1e-11);
        close(name, &grad(loss(f))(x()).to_vec::<f64>(), &gradient, 1e-11);
    }
    assert_eq!(x().cummax(1).to_vec::<f64>(), [1.0, 3.0, 3.0, 3.0, 0.0, 5.0, 5.0, 5.0]);
    assert_eq!(x().cummin(1).to_vec::<f64>(), [1.0, 1.0, 1.0, -2.0, 0.0, 0.0, -1.0, -1.0]);
}

#[test]
fn types_and_edges() {
    assert_eq!(Tensor::from([true, true, false].as_slice()).cumsum(0).to_vec::<i32>(), [1, 2, 2]);
    assert_eq!(Tensor::from([i32::MAX, 1]).cumsum(0).to_vec::<i32>(), [i32::MAX, i32::MIN]);
    assert_eq!(Tensor::zeros(&[2, 0], DType::F64).cumprod(1).shape(), [2, 0]);
    let extremes = Tensor::from([f64::NEG_INFINITY, 1.0, f64::INFINITY]);
    assert_eq!(extremes.cumlogsumexp(0).to_vec::<f64>(), [f64::NEG_INFINITY, 1.0, f64::INFINITY]);
    let nan = Tensor::from([1.0f64, f64::NAN, 2.0]).cummax(0).to_vec::<f64>();
    assert!(nan[0] == 1.0 && nan[1].is_nan() && nan[2].is_nan());
    let ints = max_pool(&Tensor::from([3i32, -5, 4]), &[2], &[], Padding::Valid);
    assert_eq!(ints.to_vec::<i32>(), [3, 4]);
    let half = avg_pool(&Tensor::from([1i32, 2, 4]), &[2], &[2], Padding::Valid);
    assert_eq!((half.dtype(), half.to_vec::<f32>()), (DType::F32, vec![1.5]));
}

#[test]
fn errors_name_what_is_wrong() {
    let message = |f: fn() -> Tensor| {
        let error = std::panic::catch_unwind(f).map(|_| ()).expect_err("an error");
        let text = error.downcast_ref::<String>().cloned();
        text.or_else(|| error.downcast_ref::<&str>().map(|s| s.to_string())).expect("a message")
    };
    let wrong = message(|| {
        conv2d(&waves(16).reshape(&[1, 1, 4, 4]), &waves(8).reshape(&[1, 2, 2, 2]), [1, 1], Padding::Valid)
    });
    assert!(wrong.contains("conv_general: the kernel takes 2 features"), "{wrong}");
    let wrong = message(|| conv_general(&waves(4), &waves(4), &ConvOptions::default()));
    assert!(wrong.contains("rank"), "{wrong}");
    let wrong = message(|| max_pool(&waves(4), &[2, 2], &[], Padding::Valid));
    assert!(wrong.contains("max_pool") && wrong.contains("tensor<4xf64>"), "{wrong}");
    let wrong = message(|| waves(4).cumsum(1));
    assert!(wrong.contains("axis 1"), "{wrong}");
}

/// XLA multiplies infinity by the zeros of padding for some types and leaves the product out for others; what is not next to
/// the padding has one value.
#[test]
fn an_infinite_kernel_is_multiplied_by_what_is_there() {
    for dtype in [DType::F32, DType::F64] {
        let x = Tensor::from([1.0f64, 2.0, -3.0, 4.0]).astype(dtype).reshape(&[1, 1, 4]);
        let kernel = Tensor::from([f64::INFINITY, 1.0, 1.0]).astype(dtype).reshape(&[1, 1, 3]);
        let options = ConvOptions { padding: [(1, 1)].into(), ..ConvOptions::default() };
        let f = move |x: Tensor| conv_general(&x, &kernel, &options);
        for y in [f(x.clone()), jit(f)(x)] {
            let y: Vec<f64> = y.astype(DType::F64).to_vec();
            assert!(y[0].is_nan() || y[0] == 3.0, "{dtype}: {y:?}");
            assert_eq!(y[1..], [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY], "{dtype}");
        }
    }
}

/// Features in another place than they are looked for: the message says how the operands are read.
#[test]
fn convolutions_say_their_layout() {
    let wrong = || {
        let (x, kernel) =
            (Tensor::zeros(&[2, 8, 8, 2], DType::F64), Tensor::zeros(&[3, 3, 2, 4], DType::F64));
        wengert::conv2d(&x, &kernel, [1, 1], wengert::Padding::Same).len()
    };
    let refused = std::panic::catch_unwind(wrong).expect_err("features differ");
    let message = refused.downcast_ref::<String>().expect("a message");
    assert!(
        message.contains("[batch, features, ..]") && message.contains("frontend/tests/window.rs"),
        "{message}"
    );
}
