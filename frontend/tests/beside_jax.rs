//! Corners in which the interface once differed from JAX's: figures are those of JAX 0.10.2 unless a line says whose.

use std::f64::consts::{LN_2, LN_10, PI};
use wengert::nn::initializers;
use wengert::random::{self, categorical_many};
use wengert::{DType, Save, ScanOptions, Tensor, fft, grad, jit, linalg, scan_with, value_and_grad, vmap};

fn near(found: &[f32], asked: &[f32], tolerance: f32) {
    let close = |(f, a): (&f32, &f32)| (f - a).abs() <= tolerance * a.abs().max(1.0);
    assert!(found.len() == asked.len() && found.iter().zip(asked).all(close), "{found:?} for {asked:?}");
}

#[test]
fn initial_values_are_drawn_inside_of_programs() {
    let draw = |key: Tensor| initializers::he_normal(&key, &[2, 3], DType::F32);
    let once = draw(random::key(7)).to_vec::<f32>();
    near(&once, &[0.48811486, 1.9040892, -0.55786735, -0.1528921, 0.6638895, 0.3621611], 1e-6);
    near(&jit(draw)(random::key(7)).to_vec::<f32>(), &once, 1e-6);
    let keys = wengert::stack(&random::split(&random::key(7), 2), 0);
    assert_eq!(vmap(draw)(keys).shape(), [2, 2, 3]);
}

#[test]
fn updates_combine_in_the_type_that_both_promote_to() {
    let x = Tensor::from([4i32, 2, 1]);
    assert_eq!(x.at(0).mul(0.5).to_vec::<i32>(), [2, 2, 1]);
    assert_eq!(x.at(0).add(0.7).to_vec::<i32>(), [4, 2, 1]);
    assert_eq!(x.at(0).min(1.7).to_vec::<i32>(), [1, 2, 1]);
    assert_eq!(x.at(0).set(2.7).to_vec::<i32>(), [2, 2, 1]);
    let rows = Tensor::from([0i32, 0, 1]);
    assert_eq!(x.at_rows(&rows).add(Tensor::from([0.5f32, 0.5, 0.5])).to_vec::<i32>(), [5, 2, 1]);
    let flags = Tensor::from(true).broadcast_to(&[2]);
    assert_eq!(flags.at(1).add(1.5).to_vec::<bool>(), [true, true]);
    let narrow = Tensor::from([1.0f32, 2.0]).at(0).mul(Tensor::from(0.1f64));
    assert_eq!((narrow.dtype(), narrow.to_vec::<f32>()), (DType::F32, vec![0.1, 2.0]));
    let bytes = x.astype(DType::U8);
    assert_eq!(bytes.at(0).add(-5).astype(DType::I32).to_vec::<i32>(), [255, 2, 1]);
}

#[test]
fn long_running_totals_keep_their_digits() {
    let n = 1_000_000;
    let last = |t: Tensor| f64::from(t.get(-1).item::<f32>());
    let x = Tensor::full(&[n], 0.1, DType::F32);
    let tenth = f64::from(0.1f32);
    let factor = f64::from((&x * 1e-6 + 1.0).get(0).item::<f32>());
    type One = fn(Tensor) -> Tensor;
    let rows: [(One, f64, f64); 3] = [
        (|x| x.cumsum(0), tenth * n as f64, 2e-6),
        // (JAX is 3e-5 away.)
        (|x| (x * 1e-6 + 1.0).cumprod(0), factor.powi(n as i32), 1e-5),
        (|x| x.cumlogsumexp(0), tenth + (n as f64).ln(), 2e-6),
    ];
    for (f, asked, tolerance) in rows {
        for found in [last(f(x.clone())), last(jit(f)(x.clone()))] {
            assert!((found / asked - 1.0).abs() < tolerance, "{found} for {asked}");
        }
    }
    // Of blocks that are not whole, along any axis; of zeros, of which products have derivatives too.
    let y = Tensor::from([2.0f64, 0.5]).broadcast_to(&[300, 2]).t();
    let y = y.cumprod(1).at((.., 299)).set(0.0) * Tensor::from([[1.0f64], [0.0]]) + 0.5;
    for axis in [0, 1] {
        let y = if axis == 0 { y.t() } else { y.clone() };
        let wide = y.cumsum(axis).get(if axis == 0 { (-1, 0) } else { (0, -1) }).item::<f64>();
        let asked = y.sum_axis(axis).get(0).item::<f64>();
        assert!((wide / asked - 1.0).abs() < 1e-14, "{wide} for {asked}");
    }
    let zero = Tensor::ones(&[200], DType::F64).at(7).set(0.0);
    let slope = grad(|x: Tensor| x.cumprod(0).get(-1))(zero).to_vec::<f64>();
    assert!(slope.iter().enumerate().all(|(k, &s)| s == f64::from(u8::from(k == 7))), "{slope:?}");
    let slope = grad(|x: Tensor| x.cumsum(0).sum())(x).get(..2).to_vec::<f32>();
    assert_eq!(slope, [1_000_000.0, 999_999.0]);
}

#[test]
fn gamma_numbers_of_large_shapes_have_their_slope() {
    // By the definition of the derivative, with 60 digits (mpmath).
    for (shape, x, slope) in [
        (9e3, 9002.631283108334, 1.0001646895818864),
        (2e4, 20004.085941220434, 1.000110475801182),
        (1e6, 1000030.9139359714, 1.0000156234779691),
    ] {
        let draw = |a: Tensor| random::gamma(&random::key(3), &a, &[], DType::F64);
        let (value, found) = value_and_grad(draw)(Tensor::from(shape));
        let (value, found) = (value.item::<f64>(), found.item::<f64>());
        assert!((value - x).abs() < 1e-12 * x, "{value} for {x}");
        assert!((found - slope).abs() < 1e-12, "{found} for {slope} at {shape}");
    }
}

#[test]
fn negative_powers_have_their_slopes_at_all_numbers() {
    let inf = f64::INFINITY;
    let points = [0.0, -0.0, 1e-10, 1e-30, inf, -inf, f64::NAN, 2.0];
    let rows: [(i32, [f64; 8], [f64; 8]); 3] = [
        (
            -1,
            [-inf, -inf, -9.999999999999998e+19, -1e+60, -0.0, -0.0, f64::NAN, -0.25],
            [inf, -inf, 2e+30, 2e+90, 0.0, -0.0, f64::NAN, 0.25],
        ),
        (
            -2,
            [-inf, inf, -2e+30, -2e+90, -0.0, 0.0, f64::NAN, -0.25],
            [inf, inf, 6e+40, 6e+120, 0.0, 0.0, f64::NAN, 0.375],
        ),
        (
            -3,
            [-inf, -inf, -3e+40, -3e+120, -0.0, -0.0, f64::NAN, -0.1875],
            [inf, -inf, 1.2e+51, 1.2e+151, 0.0, -0.0, f64::NAN, 0.375],
        ),
    ];
    for (power, first, second) in rows {
        let f = move |x: Tensor| x.powi(power);
        for (k, &x) in points.iter().enumerate() {
            let x = Tensor::from(x);
            let found = [grad(f)(x.clone()), grad(grad(f))(x)].map(|t| t.item::<f64>());
            for (found, asked) in found.into_iter().zip([first[k], second[k]]) {
                let same = found == asked || (found - asked).abs() <= 1e-14 * asked.abs();
                assert!(
                    same || found.is_nan() && asked.is_nan(),
                    "x^{power} at {}: {found} for {asked}",
                    points[k]
                );
            }
        }
    }
    // In single precision the square of the value is long gone.
    let slope = grad(|x: Tensor| x.powi(-2))(Tensor::from(1e-10f32)).item::<f32>();
    assert!((slope / -2e30 - 1.0).abs() < 1e-6, "{slope}");
    let value = Tensor::from(10.0f64).powi(-2).item::<f64>();
    assert_eq!(value, 0.01);
}

#[test]
fn rounded_quotients_have_no_slope_anywhere() {
    let inf = f64::INFINITY;
    for (a, b) in [(1.0, 0.0), (0.0, 0.0), (inf, 2.0), (2.0, inf), (f64::NAN, 1.0), (7.0, 2.0)] {
        let f = |x: Tensor| x.get(0).floor_divide(x.get(1));
        assert_eq!(grad(f)(Tensor::from([a, b])).to_vec::<f64>(), [0.0, 0.0], "{a} by {b}");
    }
}

#[test]
fn nothing_of_nothing_is_nothing() {
    let (none, no_rows) = (Tensor::zeros(&[0, 3], DType::F64), Tensor::zeros(&[0], DType::I32));
    assert_eq!(none.take(&no_rows, 0).shape(), [0, 3]);
    assert_eq!(none.at_rows(&no_rows).get().shape(), [0, 3]);
    assert_eq!(none.t().take(&no_rows.reshape(&[2, 0]), 1).shape(), [3, 2, 0]);
    assert_eq!((fft::fftn(&none).shape(), fft::fftn(&none).dtype()), (&[0, 3][..], DType::C128));
    assert_eq!(fft::fftn(&none.t()).shape(), [3, 0]);
    assert_eq!(fft::rfftn(&none).shape(), [0, 2]);
    let c = Tensor::zeros(&[3, 0], DType::F64).cov(1.0);
    assert!(c.shape() == [3, 3] && c.to_vec::<f64>().iter().all(|v| v.is_nan()));
    let kept = ScanOptions { length: Some(0), save: Save::Slots(3), ..ScanOptions::default() };
    let f = move |x: Tensor| scan_with(|x: Tensor, ()| (x.sin(), ()), x, (), kept).0;
    assert_eq!(grad(f)(Tensor::from(2.0f64)).item::<f64>(), 1.0);
}

#[test]
fn covariances_of_one_row_are_a_scalar_and_of_one_column_no_numbers() {
    let one = Tensor::from([[1.0f64, 2.0, 4.0]]).cov(1.0);
    assert!(one.rank() == 0 && (one.item::<f64>() - 7.0 / 3.0).abs() < 1e-15, "{one}");
    assert!(Tensor::from([[1.0f64], [2.0]]).cov(1.0).to_vec::<f64>().iter().all(|v| v.is_nan()));
}

#[test]
fn logarithms_of_complex_infinities_and_zeros() {
    let z = |re: f64, im: f64| Tensor::complex(&Tensor::from(re), &Tensor::from(im));
    let parts = |z: Tensor| (z.real().item::<f64>(), z.imag().item::<f64>());
    let inf = f64::INFINITY;
    assert_eq!(parts(z(0.0, 0.0).log2()), (-inf, 0.0));
    assert_eq!(parts(z(-inf, 0.0).log2()), (inf, PI / LN_2));
    assert_eq!(parts(z(1.0, inf).log10()), (inf, PI / 2.0 / LN_10));
    assert_eq!(parts(z(0.25, inf).round_to(1)), (0.2, inf));
    assert_eq!(parts(z(-inf, 0.75).round_to(1)), (-inf, 0.8));
}

#[test]
fn products_of_narrow_vectors_stay_narrow() {
    let x = Tensor::from([100i32, 100]).astype(DType::I8);
    let y = linalg::vecdot(&x, &x, 0);
    assert_eq!((y.dtype(), y.astype(DType::I32).item::<i32>()), (DType::I8, 32));
    let flags = Tensor::from(true).broadcast_to(&[2]);
    assert_eq!(linalg::vecdot(&flags, &flags, 0).dtype(), DType::I1);
}

#[test]
fn random_numbers_of_sixteen_bits() {
    type Draw = fn(&Tensor, &[usize], DType) -> Tensor;
    let rows: [(Draw, [f32; 5], [f32; 5]); 7] = [
        (
            |k, s, d| random::uniform(k, s, d, 0.0, 1.0),
            [0.160156, 0.492188, 0.162109, 0.269531, 0.388672],
            [0.0390625, 0.0, 0.664062, 0.1875, 0.523438],
        ),
        (
            |k, s, d| random::uniform(k, s, d, -3.0, 2.0),
            [-2.19922, -0.539062, -2.18945, -1.65234, -1.05664],
            [-2.8125, -3.0, 0.3125, -2.0625, -0.375],
        ),
        (
            random::normal,
            [-0.992676, -0.0189667, -0.984375, -0.613281, -0.281982],
            [-1.73438, -2.89062, 0.427734, -0.878906, 0.0634766],
        ),
        (
            random::gumbel,
            [-0.605469, 0.343994, -0.598633, -0.27124, 0.0567627],
            [-1.17969, -4.46875, 0.890625, -0.515625, 0.433594],
        ),
        (
            random::exponential,
            [0.174561, 0.677734, 0.17688, 0.313965, 0.492188],
            [0.0397949, 0.0, 1.09375, 0.208008, 0.742188],
        ),
        (
            random::logistic,
            [-1.65723, -0.03125, -1.64258, -0.997559, -0.452637],
            [-3.20312, -87.5, 0.683594, -1.46094, 0.09375],
        ),
        (
            |k, s, d| random::truncated_normal(k, s, d, -2.0, 2.0),
            [-0.932129, -0.0189667, -0.925293, -0.58252, -0.269531],
            [-1.54688, -1.99219, 0.402344, -0.828125, 0.0539551],
        ),
    ];
    let key = random::key(7);
    for (draw, half, brain) in rows {
        for (dtype, asked, tolerance) in [(DType::F16, half, 2e-3), (DType::BF16, brain, 2e-2)] {
            let drawn = draw(&key, &[5], dtype);
            assert_eq!(drawn.dtype(), dtype);
            near(&drawn.astype(DType::F32).to_vec::<f32>(), &asked, tolerance);
        }
    }
    let logits = Tensor::from([0.0f32, 1.0, 2.0, 0.5]);
    let many =
        |d: DType| categorical_many(&key, &logits.astype(d), -1, &[12], random::Replace::Yes).to_vec::<i32>();
    assert_eq!(many(DType::F16), [2, 3, 2, 2, 2, 2, 3, 1, 2, 1, 2, 3]);
    assert_eq!(many(DType::BF16), [2, 2, 2, 2, 2, 3, 2, 2, 2, 2, 2, 0]);
    let bits = |d: DType| random::bits(&key, &[5], d).astype(DType::I32).to_vec::<i32>();
    assert_eq!(bits(DType::U8), [11, 0, 170, 48, 134]);
    assert_eq!(bits(DType::U16), [10507, 32256, 10666, 17712, 25478]);
}

#[test]
fn narrow_bessel_functions_have_their_slope_near_zero() {
    for x in [0.0, 6e-8, 2e-5, 1e-3, 0.1, -0.1, 1.0, 9.0] {
        let slope = |dtype: DType| {
            let x = Tensor::from(x).astype(DType::F16).astype(dtype);
            grad(|x: Tensor| x.bessel_i1e())(x).astype(DType::F64).item::<f64>()
        };
        let (found, asked) = (slope(DType::F16), slope(DType::F64));
        assert!((found - asked).abs() < 2e-3, "{found} for {asked} at {x}");
    }
}
