//! Complex numbers and narrow types, eager, compiled and differentiated.

use wengert::{DType, Tensor, grad, jit};

fn z() -> Tensor {
    Tensor::new(&[3], &[(1.5, -0.5), (-0.75, 2.0), (0.25, 0.125)])
}

fn close(got: &[(f64, f64)], want: &[(f64, f64)]) {
    assert_eq!(got.len(), want.len());
    for (g, w) in got.iter().zip(want) {
        assert!(
            (g.0 - w.0).abs() + (g.1 - w.1).abs() < 1e-12 * (1.0 + w.0.abs() + w.1.abs()),
            "{got:?} {want:?}"
        );
    }
}

type Case = (&'static str, fn(Tensor) -> Tensor, f64, [(f64, f64); 3]);

/// Values and gradients that JAX gives.
#[test]
fn gradients_of_complex_inputs_are_jaxs() {
    let cases: [Case; 6] = [
        (
            "abs",
            |z| z.abs().sum(),
            3.996648263601046,
            [
                (0.9486832980505138, 0.31622776601683794),
                (-0.3511234415883917, -0.9363291775690445),
                (0.8944271909999159, -0.4472135954999579),
            ],
        ),
        (
            "exp",
            |z| (&z * &z).exp().real().sum(),
            1.5368027055456066,
            [
                (-5.802502960207353, -22.634320394662332),
                (0.0658800658892468, -0.12048858379011627),
                (0.5066082046266737, 0.29421460424515644),
            ],
        ),
        (
            "log",
            |z| z.log().imag().sum(),
            2.0714640516696328,
            [(0.2, -0.6), (-0.4383561643835616, 0.1643835616438356), (-1.6, -3.2)],
        ),
        (
            "conj",
            |z| (&z * z.conj() * &z).real().sum(),
            0.34765625,
            [(7.0, 1.5), (5.6875, 3.0), (0.203125, -0.0625)],
        ),
        (
            "sqrt",
            |z| (z.sqrt().real() * z.tanh().imag()).sum(),
            -0.40860308537073076,
            [
                (0.15482582901752956, -0.1471099933890456),
                (-1.0165172585286808, 0.43545495479731583),
                (0.07843411818559701, -0.5155620673987612),
            ],
        ),
        (
            "divide",
            |z| ((&z + 1.0) / (&z - 2.0)).abs().sum(),
            4.914324244578083,
            [
                (4.992301766027062, -3.328201177351374),
                (0.1774549956016423, -0.18928532864175174),
                (0.9742273447048013, -0.027637655168930533),
            ],
        ),
    ];
    for (_, f, value, gradient) in cases {
        let scalar = |v: f64| [(v, 0.0)];
        close(&scalar(f(z()).item()), &scalar(value));
        close(&scalar(jit(f)(z()).item()), &scalar(value));
        close(&grad(f)(z()).to_vec::<(f64, f64)>(), &gradient);
        close(&jit(grad(f))(z()).to_vec::<(f64, f64)>(), &gradient);
    }
}

/// Through complex numbers and back, twice.
#[test]
fn gradients_of_real_inputs_pass_through_complex_numbers() {
    fn f(x: Tensor) -> Tensor {
        let size = Tensor::complex(&x, &(&x * &x)).exp().abs();
        (&size * &size).sum()
    }
    let x = || Tensor::from([0.5, -1.25]);
    let check = |got: Tensor, want: [f64; 2]| {
        for (g, w) in got.to_vec::<f64>().iter().zip(want) {
            assert!((g - w).abs() < 1e-7 * (1.0 + w.abs()), "{g} {w}");
        }
    };
    check(grad(f)(x()), [5.43656366, 0.16417]);
    let again = |x: Tensor| (grad(f)(x.clone()) * x).sum();
    check(grad(again)(x()), [10.87312731, -0.246255]);
    check(jit(grad(again))(x()), [10.87312731, -0.246255]);
}

/// Loops carry complex numbers and narrow floats in compiled code.
#[test]
fn loops_carry_every_type() {
    fn spin(z: Tensor) -> Tensor {
        wengert::fori_loop(0, 4, |_, z: Tensor| &z * Tensor::new(&[], &[(0.0, 1.0)]) + 0.5, z)
    }
    assert_eq!(jit(spin)(z()).to_vec::<(f64, f64)>(), spin(z()).to_vec::<(f64, f64)>());
    fn halve(x: Tensor) -> Tensor {
        wengert::fori_loop(0, 5, |_, x: Tensor| &x * 0.7 + 0.1, x)
    }
    for dtype in [DType::F16, DType::BF16, DType::F8E4M3FN, DType::F8E5M2] {
        let x = || Tensor::from([1.0f32, -3.0, 100.0]).astype(dtype);
        let (a, b) = (jit(halve)(x()), halve(x()));
        assert_eq!(a.to_array(), b.to_array(), "{dtype}");
    }
}

/// Every operation rounds once to the narrow type, eagerly and compiled.
#[test]
fn narrow_floats_round_after_each_operation() {
    fn f(x: Tensor) -> Tensor {
        let y = (&x * 1.7 + 0.3).sin().exp();
        (&y / (&x * &x + 1.0)).tanh() - &x
    }
    let values: Vec<f32> = (0..500).map(|k| (k as f32 - 250.0) * 0.037).collect();
    for dtype in [DType::F16, DType::BF16, DType::F8E4M3FN, DType::F8E5M2FNUZ] {
        let x = || Tensor::from(&values[..]).astype(dtype);
        let (a, b) = (jit(f)(x()), f(x()));
        assert_eq!(a.to_array(), b.to_array(), "{dtype}");
        assert_eq!(jit(grad(|x| f(x).sum()))(x()).dtype(), dtype);
    }
    // Numbers below the normal ones of binary16 keep their last places.
    let tiny = || Tensor::from([6e-8f32, 3e-5, -5.96e-8, 1e-5]).astype(DType::F16);
    let half = |x: Tensor| x * 0.75;
    assert_eq!(jit(half)(tiny()).to_array(), half(tiny()).to_array());
}

#[test]
fn integers_of_two_and_four_bits_wrap() {
    fn f(x: Tensor) -> Tensor {
        &x * &x + &x
    }
    for dtype in [DType::I4, DType::U4, DType::I2, DType::U2] {
        let x = || Tensor::from([0i32, 1, 2, 3, 5, 7]).astype(dtype);
        assert_eq!(jit(f)(x()).to_array(), f(x()).to_array(), "{dtype}");
    }
    let y = f(Tensor::from([3i32, 7]).astype(DType::I4)).astype(DType::I32);
    assert_eq!(y.to_vec::<i32>(), [-4, -8]);
}

#[test]
fn they_show_themselves() {
    assert_eq!(z().slice_first().to_string(), "1.5-0.5i : tensor<complex<f64>>");
    let x = Tensor::from([1.5f32, -448.0]).astype(DType::F8E4M3FN);
    assert_eq!(x.to_string(), "[   1.5, -448.0] : tensor<2xf8E4M3FN>");
}

trait First {
    fn slice_first(&self) -> Tensor;
}
impl First for Tensor {
    fn slice_first(&self) -> Tensor {
        let first = self.to_vec::<(f64, f64)>()[0];
        Tensor::new(&[], &[first])
    }
}

/// The variance of narrow floats may be more than their type holds, or take more digits, where its root does not.
#[test]
fn spreads_of_narrow_floats() {
    let x = Tensor::from([0.0f32, 600.0]);
    for dtype in [DType::F16, DType::BF16] {
        let x = x.astype(dtype);
        assert_eq!(x.std().astype(DType::F32).item::<f32>(), 300.0, "{dtype}");
        assert_eq!(x.std_axes(&[0]).astype(DType::F32).item::<f32>(), 300.0, "{dtype}");
    }
    // Digits that are lost where the mean is large: 256 and 258 lie two units from each other in bf16.
    let near = Tensor::from([256.0f32, 258.0, 256.0, 258.0]).astype(DType::BF16);
    assert_eq!(near.var().astype(DType::F32).item::<f32>(), 1.0);
}

/// Memory of an argument that nobody else holds is the result's, numbers of 16 bytes too.
#[test]
fn large_complex_arguments_are_given_away() {
    for n in [15, 16, 17, 100] {
        let x: Vec<(f64, f64)> = (0..n).map(|k| (k as f64, 1.0)).collect();
        let square = jit(|x: Tensor| &x * &x)(Tensor::new(&[n], &x));
        let want: Vec<(f64, f64)> = x.iter().map(|(a, b)| (a * a - b * b, 2.0 * a * b)).collect();
        assert_eq!(square.to_vec::<(f64, f64)>(), want);
    }
}
